"""Owns one Chromium under test: started, steered over DevTools, photographed, and ended with all its children.

Units: ``size`` is in device pixels, page coordinates are CSS pixels; a screenshot is in device pixels.
"""

from __future__ import annotations

import base64
import json
import math
import os
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import websocket

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

QUIET = (
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--disable-features=Translate,MediaRouter,OptimizationHints",
    "--password-store=basic",
    "--lang=en-US",
    "--test-type",
)


class ChromiumFailed(RuntimeError):
    """The browser did not start, or a page's script raised."""


def find_chromium() -> str | None:
    """The path of the first Chromium on PATH; None where there is none."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def wait_until(ready: Callable[[], Any], seconds: float, what: str) -> Any:
    """What ``ready`` returns once it is true; ChromiumFailed after ``seconds``."""
    end = time.monotonic() + seconds
    while True:
        value = ready()
        if value:
            return value
        if time.monotonic() > end:
            raise ChromiumFailed(f"no {what} within {seconds:g} s")
        time.sleep(0.03)


def end_group(process: subprocess.Popen[bytes], seconds: float = 5.0, *, politely: bool = True) -> None:
    """Ends a process started in its own session, and all its children; asks first when ``politely``."""
    for sign in (signal.SIGTERM, signal.SIGKILL) if politely else (signal.SIGKILL,):
        try:
            os.killpg(process.pid, sign)
        except (ProcessLookupError, PermissionError):
            break
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            continue
        # the leader may be gone before its children: only the group's end is the end
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                os.killpg(process.pid, 0)
            except (ProcessLookupError, PermissionError):
                return
            time.sleep(0.02)
    process.poll()


class Chromium:
    """A running browser with one page. Use as a context manager, or call ``close``."""

    def __init__(self, process: subprocess.Popen[bytes], home: Path, keep_home: bool) -> None:
        self.process = process
        self.home = home
        self._keep_home = keep_home
        self._number = 0
        self._socket: websocket.WebSocket | None = None

    @classmethod
    def start(
        cls,
        url: str = "about:blank",
        *,
        size: tuple[int, int] = (1280, 900),
        scale: float = 1.0,
        zoom: float = 1.0,
        headless: bool = True,
        app: bool = False,
        position: tuple[int, int] = (0, 0),
        flags: Sequence[str] = (),
        env: Mapping[str, str] | None = None,
        home: Path | None = None,
    ) -> Chromium:
        """Starts the browser and opens ``url``.

        ``size``, ``position``  of the window in device pixels; ``scale`` is the device scale factor
        ``zoom``                of every page, as a person sets it; not the same as ``scale``: it snaps boxes to pixels
        ``app``                 a window without tabs and address bar
        ``env``                 whole environment (DISPLAY decides the screen when not ``headless``)
        ``home``                folder of the browser's profile; a temporary one where None
        """
        binary = find_chromium()
        if binary is None:
            raise ChromiumFailed("no Chromium on PATH: " + ", ".join(NAMES))
        folder = home or Path(tempfile.mkdtemp(prefix="autosolve-chromium-"))
        argv = [
            binary,
            *QUIET,
            f"--user-data-dir={folder / 'profile'}",
            "--remote-debugging-port=0",
            "--remote-allow-origins=*",
            f"--force-device-scale-factor={scale:g}",
            f"--window-size={round(size[0] / scale)},{round(size[1] / scale)}",
            f"--window-position={position[0]},{position[1]}",
            *flags,
        ]
        if headless:
            argv += ["--headless=new", "--hide-scrollbars"]
        argv.append(f"--app={url}" if app else url)
        surroundings = dict(os.environ if env is None else env)
        surroundings.pop("WAYLAND_DISPLAY", None)
        settings = folder / "profile" / "Default"
        settings.mkdir(parents=True, exist_ok=True)
        if zoom != 1:
            # a browser keeps its zoom as a power of 1.2
            level = math.log(zoom) / math.log(1.2)
            (settings / "Preferences").write_text(json.dumps({"partition": {"default_zoom_level": {"x": level}}}))
        unboxed = [argv[0], "--no-sandbox", *argv[1:]]
        if os.geteuid() == 0:
            return cls._launch(unboxed, url, surroundings, folder, home is not None)
        try:
            return cls._launch(argv, url, surroundings, folder, home is not None)
        except ChromiumFailed as problem:
            if "No usable sandbox" not in str(problem):
                raise
        # many containers allow none; only pages of our own are opened here
        return cls._launch(unboxed, url, surroundings, folder, home is not None)

    @classmethod
    def _launch(cls, argv: Sequence[str], url: str, env: Mapping[str, str], folder: Path, keep_home: bool) -> Chromium:
        with (folder / "chromium.log").open("wb") as log:
            process = subprocess.Popen(
                argv, env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
        browser = cls(process, folder, keep_home)
        try:
            browser._connect(folder / "profile" / "DevToolsActivePort")
            if url != "about:blank":
                wait_until(lambda: browser._soon("document.URL != 'about:blank'"), 30, "opened page")
            browser.wait_loaded()
        except BaseException:
            browser.close()
            raise
        return browser

    def _connect(self, port_file: Path) -> None:
        def port() -> str:
            if self.process.poll() is not None:
                tail = (self.home / "chromium.log").read_text(errors="replace")[:800]
                raise ChromiumFailed(f"Chromium ended with {self.process.returncode}:\n{tail}")
            lines = port_file.read_text().split() if port_file.exists() else []
            return lines[0] if lines else ""

        number = wait_until(port, 60, "DevTools port")

        def page() -> str:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{number}/json/list", timeout=5) as answer:
                    targets = json.load(answer)
            except OSError:
                return ""
            return next((t["webSocketDebuggerUrl"] for t in targets if t["type"] == "page"), "")

        address = wait_until(page, 30, "page")
        self._socket = websocket.create_connection(address, timeout=60)

    def command(self, method: str, **params: Any) -> dict[str, Any]:
        """One DevTools command and its result."""
        if self._socket is None:
            raise ChromiumFailed("not connected")
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": params}))
        while True:
            message = json.loads(self._socket.recv())
            if message.get("id") == self._number:
                if "error" in message:
                    raise ChromiumFailed(f"{method}: {message['error']}")
                result: dict[str, Any] = message["result"]
                return result

    def js(self, expression: str) -> Any:
        """The value of a script expression (promises are awaited)."""
        result = self.command("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise ChromiumFailed(json.dumps(result["exceptionDetails"])[:800])
        return result["result"].get("value")

    def _soon(self, expression: str) -> Any:
        """Like ``js``, but None while one page gives way to the next."""
        try:
            return self.js(expression)
        except ChromiumFailed as problem:
            if "context" in str(problem) or "navigated" in str(problem):
                return None
            raise

    def wait_loaded(self, seconds: float = 30) -> None:
        """Returns when the page and its fonts are loaded."""
        wait_until(lambda: self._soon("document.readyState") == "complete", seconds, "loaded page")
        self.js("document.fonts.ready.then(() => 1)")

    def open(self, url: str) -> None:
        """Opens another page and waits until it is loaded."""
        before = self.js("performance.timeOrigin")
        self.command("Page.navigate", url=url)
        wait_until(lambda: self._soon("performance.timeOrigin") not in (None, before), 30, "new page")
        self.wait_loaded()

    def metrics(self, width: int, height: int, ratio: float = 0) -> None:
        """Gives a headless page a window of ``width`` x ``height`` points, before the browser's own zoom.

        ``ratio``  a device pixel ratio to pretend; 0 leaves the real one, at which boxes are set on whole pixels
        """
        self.command(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio, mobile=False
        )

    def settle(self) -> None:
        """Returns after two frames have been drawn."""
        self.js("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def screenshot(self, file: Path | None = None) -> bytes:
        """The page as PNG, in device pixels; also written to ``file`` where given."""
        data = base64.b64decode(self.command("Page.captureScreenshot", format="png")["data"])
        if file is not None:
            file.write_bytes(data)
        return data

    def click(self, x: float, y: float, button: str = "left") -> None:
        """A press and release inside the page, in CSS pixels of the window."""
        for kind in ("mousePressed", "mouseReleased"):
            self.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, clickCount=1)

    def close(self) -> None:
        """Ends the browser and removes its temporary profile; calling it again does nothing."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None
        # its profile is thrown away, so nothing needs saving: asking a browser to leave takes two seconds
        end_group(self.process, politely=False)
        if not self._keep_home:
            shutil.rmtree(self.home, ignore_errors=True)

    def __enter__(self) -> Chromium:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
