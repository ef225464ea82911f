"""Owns what this machine is and can do: each thing asked or tried once, and said in words.

Legend: a *check* is one question with its answer. What the checks ask of the system is handed in, so that every
answer can be tried on any machine. Places are in screen points.
"""

from __future__ import annotations

import math
import os
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from autosolve.desktop import environment
from autosolve.desktop.environment import Session
from autosolve.errors import AutosolveError, EnvironmentProblem
from autosolve.vision.frame import Box, Monitor, Point, Screen

LIBRARIES = ("click", "mss", "msgspec", "numba", "numpy", "opencv-python-headless", "platformdirs", "pyautogui")
NEAR = 3.0  # points the pointer may stand from where it was put
_NUDGE = 40.0  # points the pointer is moved to see whether it moves


class State(Enum):
    """How a check came out; the value is its word in JSON."""

    GOOD = "good"
    WARNING = "warning"
    PROBLEM = "problem"
    UNTRIED = "not tried"


@dataclass(frozen=True, slots=True)
class Check:
    """One question and its answer: ``said`` in words, ``remedy`` what to do where it is not good, ``data`` for JSON."""

    name: str
    state: State
    said: str
    remedy: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)


def system() -> dict[str, str]:
    """The operating system and Python, in words."""
    names = {"darwin": "macOS", "win32": "Windows"}
    if sys.platform == "linux":
        try:
            release = platform.freedesktop_os_release().get("PRETTY_NAME", "Linux")
        except OSError:
            release = "Linux"
    else:
        version = platform.mac_ver()[0] if sys.platform == "darwin" else platform.version()
        release = f"{names.get(sys.platform, platform.system())} {version}".strip()
    return {"system": release, "machine": platform.machine(), "python": platform.python_version()}


def versions() -> dict[str, str]:
    """The libraries autosolve stands on, and their versions; "missing" where one is not installed."""
    from importlib import metadata

    out = {}
    for name in (*LIBRARIES, "python-sat", "rich"):
        try:
            out[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            out[name] = "missing"
    return out


def display(here: Session, environ: Mapping[str, str] = os.environ) -> Check:
    """What draws the desktop, and whether it lets programs see it at all."""
    data = {"system": here.system, "display": here.display or None, "wayland": here.wayland}
    desktop = environ.get("XDG_CURRENT_DESKTOP", "")
    data["desktop"] = desktop or None
    problem = environment.screen_problem(here)
    words = {"darwin": "macOS's own (Quartz)", "windows": "Windows' own"}.get(here.system, "")
    if not words:
        words = f"X11, display {here.display}" if here.display else "Wayland" if here.wayland else "none"
        if here.display and here.wayland:
            words += ", inside a Wayland session"
        if desktop:
            words += f" ({desktop})"
    if problem is not None:
        return Check("display server", State.PROBLEM, f"{words}. {problem}", problem.remedy, data)
    if here.system == "linux" and here.wayland:
        return Check(
            "display server",
            State.WARNING,
            f"{words}. Windows of Wayland programs may be black or missing in pictures, and may take no clicks.",
            "If the board is not found, log in to an X11 ('Xorg') session.",
            data,
        )
    return Check("display server", State.GOOD, f"{words}.", "", data)


def monitors(found: Sequence[Monitor]) -> Check:
    """The monitors with their sizes in pixels and points."""
    data = [
        {
            "number": m.number,
            "name": m.name or None,
            "points": [m.box.x, m.box.y, m.box.width, m.box.height],
            "pixels": [round(m.box.width * m.scale), round(m.box.height * m.scale)],
            "scale": m.scale,
        }
        for m in found
    ]
    return Check("monitors", State.GOOD, "; ".join(map(monitor_words, found)) + ".", "", {"monitors": data})


def monitor_words(monitor: Monitor) -> str:
    """``1: 2880x1800 pixels, 1440x900 points at 0,0 (2 pixels a point), main``"""
    box, scale = monitor.box, monitor.scale
    pixels = f"{round(box.width * scale)}x{round(box.height * scale)} pixels"
    points = "" if scale == 1 else f", {box.width:g}x{box.height:g} points"
    ratio = "1 pixel a point" if scale == 1 else f"{scale:g} pixels a point"
    name = f" ({monitor.name})" if monitor.name else ""
    main = ", the main one" if monitor.number == 1 else ""
    return f"{monitor.number}{name}: {pixels}{points} at {box.x:g},{box.y:g} ({ratio}){main}"


def permissions(here: Session, load: environment.Load | None = None) -> Check:
    """Whether this program may look and click, where the system asks the person for that."""
    if here.system != "darwin":
        return Check("permissions", State.GOOD, "This system asks for none.", "", {"screen": True, "mouse": True})
    ways = {} if load is None else {"load": load}
    screen = environment.screen_problem(here, **ways)
    mouse = environment.mouse_problem(here, **ways)
    data = {"screen": screen is None, "mouse": mouse is None}
    missing = [problem for problem in (screen, mouse) if problem is not None]
    if missing:
        said, remedies = " ".join(map(str, missing)), " ".join(problem.remedy for problem in missing)
        return Check("permissions", State.PROBLEM, said, remedies, data)
    return Check("permissions", State.GOOD, "Screen Recording and Accessibility are allowed.", "", data)


def capture(screen: Screen, clock: Callable[[], float]) -> Check:
    """A picture of every monitor, tried: whether it comes, how long it takes, and whether it shows anything."""
    said: list[str] = []
    data: list[dict[str, Any]] = []
    state, remedy = State.GOOD, ""
    for monitor in screen.monitors():
        began = clock()
        try:
            frame = screen.grab(monitor.box)
        except AutosolveError as problem:
            return Check("capture", State.PROBLEM, str(problem), problem.remedy, {"captures": data})
        took = clock() - began
        colours = len(set(frame.pixels[:: max(1, frame.height // 40), :: max(1, frame.width // 40)].sum(2).ravel()))
        data.append({"monitor": monitor.number, "seconds": round(took, 4), "plain": colours == 1})
        said.append(f"monitor {monitor.number} in {1000 * took:.0f} ms" + (", all one colour" if colours == 1 else ""))
        if colours == 1:
            state = State.WARNING
            remedy = "Open a window there and look again; if it stays empty, this program is not let see it."
    return Check("capture", state, "; ".join(said) + ".", remedy, {"captures": data})


def pointer(hand: Any, found: Sequence[Monitor], clock: Callable[[], float]) -> Check:
    """The pointer moved a little, read back, and put back where it was. Nothing is pressed.

    ``hand``  moves and tells its position, in the manner of Mouse"""
    try:
        before = hand.position()
        target = _beside(before, found)
        began = clock()
        hand.move(target)
        took = clock() - began
        at = hand.position()
        hand.move(before)
    except AutosolveError as problem:
        return Check("pointer", State.PROBLEM, str(problem), problem.remedy)
    data = {"asked": list(target), "read": list(at), "seconds": round(took, 4)}
    if math.dist(at, target) > NEAR:
        return Check(
            "pointer",
            State.PROBLEM,
            f"Put at {target.x:g},{target.y:g}, the pointer was read back at {at.x:g},{at.y:g}.",
            "Leave the mouse alone meanwhile; if it happens again, please report it: points and pixels are mixed up.",
            data,
        )
    return Check(
        "pointer",
        State.GOOD,
        f"Moved to {target.x:g},{target.y:g}, read back there, and put back ({1000 * took:.0f} ms).",
        "",
        data,
    )


def _beside(at: Point, found: Sequence[Monitor]) -> Point:
    """A place near the pointer and well inside its monitor, away from corners."""
    home = next((m.box for m in found if m.box.holds(at)), found[0].box if found else Box(0, 0, 400, 400))
    middle = Point(home.x + home.width / 2, home.y + home.height / 2)
    dx = _NUDGE if at.x <= middle.x else -_NUDGE
    dy = _NUDGE if at.y <= middle.y else -_NUDGE
    return Point(float(round(at.x + dx)), float(round(at.y + dy)))


def short(here: Session, found: Sequence[Monitor] | None = None) -> str:
    """The facts of this machine that matter for an error, in one line."""
    about = system()
    if here.system != "linux":
        server = ""
    elif here.display:
        server = f", X11 display {here.display}" + (" inside Wayland" if here.wayland else "")
    else:
        server = ", Wayland without an X display" if here.wayland else ", no display"
    screens = ""
    if found:
        sizes = ", ".join(
            f"{round(m.box.width * m.scale)}x{round(m.box.height * m.scale)} at {m.scale:g}x" for m in found
        )
        screens = f", {len(found)} monitor{'s' * (len(found) > 1)} ({sizes})"
    return f"{about['system']} {about['machine']}, Python {about['python']}{server}{screens}"


def here_in_short() -> str:
    """``short`` of this machine, with its monitors where they can be asked for; raises nothing."""
    here = environment.session()
    try:
        from autosolve.desktop.screen import Desktop

        with Desktop(here) as screen:
            return short(here, screen.monitors())
    except Exception:  # an error is being told already: no second one may hide it
        return short(here)


def environment_of_run() -> dict[str, Any]:
    """What a record keeps of this machine; raises nothing."""
    here = environment.session()
    out: dict[str, Any] = {**system(), "display": here.display or None, "wayland": here.wayland, "monitors": []}
    out["desktop"] = os.environ.get("XDG_CURRENT_DESKTOP") or None
    out["libraries"] = versions()
    try:
        from autosolve.desktop.screen import Desktop

        with Desktop(here) as screen:
            out["monitors"] = monitors(screen.monitors()).data["monitors"]
    except EnvironmentProblem as problem:
        out["problem"] = str(problem)
    except (AutosolveError, ImportError, OSError) as problem:
        out["problem"] = f"The screen cannot be asked: {problem}"
    return out
