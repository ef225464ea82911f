"""Owns a private virtual screen for tests and the demo: Xvfb, a window manager, browsers and other windows on it.

Everything started here runs in its own session and is ended by its own process group only. Coordinates are device
pixels of the screen.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

import mss
import mss.tools
from chromium import Chromium, ChromiumFailed, end_group, find_chromium, wait_until

NEEDED = ("Xvfb", "openbox", "xdotool", "xprop", "xmessage")


def missing_programs() -> list[str]:
    """What a virtual screen needs and PATH does not have."""
    return [name for name in NEEDED if shutil.which(name) is None] + ([] if find_chromium() else ["chromium"])


def usable_screen() -> bool:
    """Whether this session has an X screen that programs may look at and click on; never one under Wayland."""
    if not os.environ.get("DISPLAY") or os.environ.get("XDG_SESSION_TYPE") == "wayland":
        return False
    if os.environ.get("WAYLAND_DISPLAY") or shutil.which("xprop") is None:
        return False
    try:
        asked = subprocess.run(
            ["xprop", "-root", "_NET_SUPPORTING_WM_CHECK"], capture_output=True, timeout=5, check=False
        )
    except subprocess.TimeoutExpired:
        return False
    return b"window id" in asked.stdout


class Rig:
    """A virtual screen with a window manager, or the person's own; use as a context manager.

    ``virtual``  False: the screen this session has, which must be usable; nothing but the browser is started"""

    def __init__(self, width: int = 1920, height: int = 1280, *, virtual: bool = True) -> None:
        self.size = (width, height)
        self.virtual = virtual
        self.folder = Path(tempfile.mkdtemp(prefix="autosolve-rig-"))
        self.env: dict[str, str] = {}
        self._processes: list[subprocess.Popen[bytes]] = []
        self._browsers: list[Chromium] = []
        self._count = 0

    def start(self) -> Rig:
        """Starts the screen and waits until the window manager answers."""
        if not self.virtual:
            self.env = dict(os.environ)
            width, height = re.findall(r"\d+", self.tell("xdotool", "getdisplaygeometry"))[:2]
            self.size = (int(width), int(height))
            return self
        # an empty authority file: the X library for Python refuses to work where there is none at all
        authority = self.folder / "Xauthority"
        authority.touch()
        number = self._start_screen()
        env = {k: v for k, v in os.environ.items() if k not in ("WAYLAND_DISPLAY", "XDG_SESSION_TYPE")}
        self.env = {**env, "DISPLAY": f":{number}", "XAUTHORITY": str(authority)}
        self.launch(["openbox", "--sm-disable"])
        wait_until(lambda: "window id" in self.tell("xprop", "-root", "_NET_SUPPORTING_WM_CHECK"), 20, "window manager")
        # openbox announces itself a moment before it manages: a window mapped in that gap stays unseen for ever
        time.sleep(0.6)
        self.point(self.size[0] // 2, self.size[1] - 40)
        return self

    def _start_screen(self) -> str:
        read, write = os.pipe()
        try:
            width, height = self.size
            screen = ["-screen", "0", f"{width}x{height}x24", "-dpi", "96"]
            self.launch(
                ["Xvfb", "-displayfd", str(write), *screen, "-nolisten", "tcp", "-noreset"],
                keep=(write,),
            )
            os.close(write)
            write = -1
            said = b""
            while not said.endswith(b"\n"):
                part = os.read(read, 16)
                if not part:
                    raise ChromiumFailed(f"Xvfb did not start; see {self.folder}")
                said += part
            return said.decode().strip()
        finally:
            os.close(read)
            if write >= 0:
                os.close(write)

    def launch(self, argv: Sequence[str], keep: tuple[int, ...] = ()) -> subprocess.Popen[bytes]:
        """Starts a program on the screen; it ends with the rig. ``keep``: file descriptors it inherits."""
        with (self.folder / f"{Path(argv[0]).name}.log").open("ab") as log:
            process = subprocess.Popen(
                argv,
                env=self.env or None,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                pass_fds=keep,
            )
        self._processes.append(process)
        return process

    def tell(self, *argv: str) -> str:
        """What a short program on the screen prints; empty when it fails."""
        done = subprocess.run(argv, env=self.env, capture_output=True, text=True, timeout=20, check=False)
        return done.stdout if done.returncode == 0 else ""

    def windows(self) -> list[str]:
        """The ids of the windows that are managed, oldest first."""
        listed = self.tell("xprop", "-root", "_NET_CLIENT_LIST")
        return re.findall(r"0x[0-9a-f]+", listed)

    def browser(
        self,
        url: str,
        *,
        scale: float = 1.0,
        zoom: float = 1.0,
        position: tuple[int, int] = (60, 30),
        size: tuple[int, int] | None = None,
        app: bool = False,
        flags: Sequence[str] = (),
    ) -> Chromium:
        """A browser window with tabs and address bar, its page zoomed as by a person; ends with the rig."""
        self._count += 1
        home = self.folder / f"browser-{self._count}"
        before = set(self.windows())
        browser = Chromium.start(
            url,
            size=size or (self.size[0] - position[0] - 20, self.size[1] - position[1] - 20),
            scale=scale,
            zoom=zoom,
            headless=False,
            app=app,
            position=position,
            env=self.env,
            home=home,
            flags=flags,
        )
        self._browsers.append(browser)
        wait_until(lambda: set(self.windows()) - before, 20, "browser window")
        wait_until(lambda: browser.js("innerWidth > 100 && document.visibilityState == 'visible'"), 20, "visible page")
        browser.settle()
        return browser

    def close_browser(self, browser: Chromium) -> None:
        """Ends one browser before the rig ends, and waits until its window is gone."""
        count = len(self.windows())
        browser.close()
        self._browsers.remove(browser)
        shutil.rmtree(browser.home, ignore_errors=True)
        wait_until(lambda: len(self.windows()) < count, 10, "closed window")

    def note(self, text: str, place: str = "+20+300") -> subprocess.Popen[bytes]:
        """Another program's window with some text; ``place`` is an X geometry."""
        before = set(self.windows())
        process = self.launch(["xmessage", "-geometry", place, "-buttons", "", text])
        wait_until(lambda: set(self.windows()) - before, 10, "note window")
        return process

    def end(self, process: subprocess.Popen[bytes]) -> None:
        """Ends one program before the rig ends."""
        end_group(process)
        if process in self._processes:
            self._processes.remove(process)

    def point(self, x: int, y: int) -> None:
        """Moves the pointer as a hand would."""
        self.tell("xdotool", "mousemove", str(x), str(y))

    def pointer(self) -> tuple[int, int]:
        """Where the pointer is."""
        said = dict(line.split("=") for line in self.tell("xdotool", "getmouselocation", "--shell").split())
        return int(said["X"]), int(said["Y"])

    def photograph(self, file: Path) -> None:
        """The whole screen as PNG."""
        with mss.MSS(display=self.env["DISPLAY"]) as camera:
            shot = camera.grab(camera.monitors[0])
            mss.tools.to_png(shot.rgb, shot.size, output=str(file))

    def autosolve(self, *args: str, timeout: float = 120) -> subprocess.CompletedProcess[str]:
        """Runs the program on this screen as a person would, in a folder of its own, and waits for it."""
        return subprocess.run(
            [sys.executable, "-m", "autosolve", *args],
            cwd=self.folder,
            env=self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )

    def start_autosolve(self, *args: str) -> subprocess.Popen[str]:
        """Starts the program on this screen and returns at once; the caller waits for it or ends it."""
        return subprocess.Popen(
            [sys.executable, "-m", "autosolve", *args],
            cwd=self.folder,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            # a shell that runs jobs in the background lets them ignore Ctrl-C, and children inherit that
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )

    def stop(self) -> None:
        """Ends everything that was started here, and removes its files."""
        for browser in self._browsers:
            browser.close()
        for process in reversed(self._processes):
            end_group(process)
        self._browsers.clear()
        self._processes.clear()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Rig:
        try:
            return self.start()
        except BaseException:
            self.stop()
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
