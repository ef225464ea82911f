"""Owns what this machine allows: whether there is a screen to look at and a mouse to move, and if not, why.

The checks say it in one message each, with the way out. What they ask of the system is handed in, so that every
answer can be tried on any machine.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from autosolve.errors import EnvironmentProblem

WAY_OUT = "A saved screenshot needs no screen: --image FILE."

Load = Callable[[str], Any]
_COREGRAPHICS = "/System/Library/Frameworks/CoreGraphics.framework/CoreGraphics"
_APPLICATION_SERVICES = "/System/Library/Frameworks/ApplicationServices.framework/ApplicationServices"


@dataclass(frozen=True, slots=True)
class Session:
    """What is known of the desktop session before it is asked for anything.

    ``system``   "linux" (every X11 system), "darwin" or "windows"
    ``display``  the X display, "" where there is none
    ``wayland``  whether a Wayland compositor runs the session
    """

    system: str
    display: str = ""
    wayland: bool = False


def session(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Session:
    """The session this process runs in."""
    if platform == "darwin":
        return Session("darwin")
    if platform in ("win32", "cygwin"):
        return Session("windows")
    wayland = bool(environ.get("WAYLAND_DISPLAY")) or environ.get("XDG_SESSION_TYPE", "").lower() == "wayland"
    return Session("linux", environ.get("DISPLAY", ""), wayland)


def screen_problem(here: Session, load: Load = ctypes.CDLL) -> EnvironmentProblem | None:
    """Why the screen cannot be looked at, as far as that can be told beforehand."""
    if here.system == "linux" and not here.display:
        if here.wayland:
            return wayland_problem()
        return EnvironmentProblem(
            "There is no display: DISPLAY is not set.", f"Run it from a desktop session, or under Xvfb. {WAY_OUT}"
        )
    if here.system == "darwin" and _answer(load, _COREGRAPHICS, "CGPreflightScreenCaptureAccess") is False:
        return EnvironmentProblem(
            "macOS does not let this program see the screen.",
            "Allow your terminal in System Settings, Privacy & Security, Screen Recording, and start it anew."
            f" {WAY_OUT}",
        )
    return None


def mouse_problem(here: Session, load: Load = ctypes.CDLL) -> EnvironmentProblem | None:
    """Why the mouse cannot be moved, as far as that can be told beforehand."""
    if here.system == "darwin" and _answer(load, _APPLICATION_SERVICES, "AXIsProcessTrusted") is False:
        return EnvironmentProblem(
            "macOS does not let this program click.",
            "Allow your terminal in System Settings, Privacy & Security, Accessibility, and start it anew;"
            " --dry-run needs no permission to click.",
        )
    return None


def wayland_problem() -> EnvironmentProblem:
    """Said where Wayland keeps the screen from us."""
    return EnvironmentProblem(
        "This is a Wayland session, which lets no program see the screen or move the mouse.",
        f"Log in to an X11 ('Xorg') session. {WAY_OUT}",
    )


def black_problem(here: Session) -> EnvironmentProblem | None:
    """Said for a picture of a whole monitor that is all black, where that has a known reason."""
    if here.system == "linux" and here.wayland:
        return wayland_problem()
    if here.system == "darwin":
        return EnvironmentProblem(
            "The picture of the screen is all black: macOS does not let this program see it.",
            "Allow your terminal in System Settings, Privacy & Security, Screen Recording, and start it anew."
            f" {WAY_OUT}",
        )
    return None


def _answer(load: Load, library: str, function: str) -> bool | None:
    """What a macOS function without arguments says; None where it does not exist."""
    try:
        ask = getattr(load(library), function)
    except (OSError, AttributeError):
        return None
    ask.restype = ctypes.c_bool
    return bool(ask())


def be_dpi_aware(here: Session, load: Load | None = None) -> str:
    """Makes points and pixels the same on Windows, whatever its display scale; elsewhere does nothing.

    Must come before anything asks for the screen: the first answer holds for the whole process. Returns which way
    worked, "" for none."""
    if here.system != "windows":
        return ""
    load = load or ctypes.WinDLL  # type: ignore[attr-defined,unused-ignore]
    ways: tuple[tuple[str, str, tuple[Any, ...], Callable[[Any], bool]], ...] = (
        # per monitor, second version: a handle with the value -4; answers true
        ("user32", "SetProcessDpiAwarenessContext", (ctypes.c_void_p(-4),), bool),
        # per monitor; answers an HRESULT, 0 for success
        ("shcore", "SetProcessDpiAwareness", (2,), lambda answer: answer == 0),
        ("user32", "SetProcessDPIAware", (), bool),
    )
    for library, function, arguments, worked in ways:
        try:
            if worked(getattr(load(library), function)(*arguments)):
                return function
        except (OSError, AttributeError):
            continue
    return ""
