"""Owns the real mouse: one click after another with pyautogui, at our own pace.

pyautogui is imported when the hand is made, never earlier: its import opens the display, and where tkinter is
missing a helper of it ends the process.
"""

from __future__ import annotations

import io
import math
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from types import ModuleType
from typing import Any

from autosolve.clicks.plan import Click
from autosolve.desktop import environment
from autosolve.errors import EnvironmentProblem, Stopped, WrongUse
from autosolve.vision.frame import Point

NEAR = 3.0  # points the pointer may stand from where it was put
SETTLE = 0.5  # seconds a desktop may take to put it there
LOOK = 0.002  # seconds between two looks at where it is meanwhile
HOLD = 0.004
GAP = 0.004
KEY_HOLD = 0.03  # a key is held so long at least


class Hand:
    """The mouse of this desktop; implements Mouse and Keyboard.

    ``hold``  seconds a button is held           ``gap``  seconds from its release to the next press
    ``gui``   what moves and presses, in the manner of the pyautogui module

    Raises EnvironmentProblem where the mouse cannot be moved."""

    def __init__(
        self,
        hold: float = HOLD,
        gap: float = GAP,
        *,
        gui: Any = None,
        clock: Callable[[], float] = time.perf_counter,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._hold, self._gap, self._clock, self._sleep = hold, gap, clock, sleep
        if gui is None:
            problem = environment.mouse_problem(environment.session())
            if problem is not None:
                raise problem
            gui = load_pyautogui()
        self._gui = gui

    def pace(self, hold: float, gap: float) -> None:
        """From now on a button is held so many seconds, and so many pass until the next press."""
        self._hold, self._gap = hold, gap

    def position(self) -> Point:
        """Where the pointer is now."""
        x, y = self._gui.position()
        return Point(float(x), float(y))

    def move(self, to: Point) -> None:
        """Puts the pointer there. Stopped when it does not stay there, because a person holds the mouse;
        EnvironmentProblem when it does not move at all."""
        x, y = round(to.x), round(to.y)
        before = self.position()
        self._gui.moveTo(x, y, _pause=False)
        waited = 0.0
        while math.dist(at := self.position(), (x, y)) > NEAR:
            # a window manager may hold the pointer still while it thinks about the click before
            if waited > SETTLE:
                break
            self._sleep(LOOK)
            waited += LOOK
        else:
            return
        if math.dist(at, before) <= NEAR:
            raise EnvironmentProblem(
                "The pointer cannot be moved on this desktop.",
                f"Log in to an X11 session, or allow programs to control the mouse. {environment.WAY_OUT}",
            )
        raise Stopped("The pointer does not stay where it is put: a hand is on the mouse.", "Run again to go on.")

    def click(self, click: Click) -> None:
        """Moves there, presses, holds, releases and waits; the whole takes ``hold + gap``, or as long as the
        desktop needs. The button never stays down."""
        began = self._clock()
        self.move(click.at)
        x, y = round(click.at.x), round(click.at.y)
        buttons = ("left", "right") if click.button == "both" else (click.button,)
        with _pointer_left_alone(self._gui):
            try:
                for button in buttons:
                    self._gui.mouseDown(x, y, button=button, _pause=False)
                self._sleep(self._hold)
            finally:
                for button in reversed(buttons):
                    self._gui.mouseUp(x, y, button=button, _pause=False)
        rest = self._hold + self._gap - (self._clock() - began)
        if rest > 0:
            self._sleep(rest)

    def press(self, keys: str) -> None:
        """Presses keys together, as in ``ctrl+n``, and lets go of them in the opposite order. WrongUse for a key
        that is not known."""
        names = [name.strip().lower() for name in keys.split("+")]
        known = getattr(self._gui, "KEYBOARD_KEYS", names)
        strange = [name for name in names if name not in known]
        if strange:
            raise WrongUse(f"There is no key {strange[0]!r}.", "Name keys as in 'ctrl+n' or 'F2'.")
        try:
            for name in names:
                self._gui.keyDown(name, _pause=False)
            self._sleep(max(self._hold, KEY_HOLD))
        finally:
            for name in reversed(names):
                self._gui.keyUp(name, _pause=False)


@contextmanager
def _pointer_left_alone(gui: Any) -> Iterator[None]:
    """pyautogui moves the pointer to where it stands with every press and release. A page has work with each such
    move (a fourth of all its work on a large board), and macOS a pause: so the pointer is not moved in here."""
    module = getattr(gui, "platformModule", None)
    move = getattr(module, "_moveTo", None)
    if module is None or move is None:
        yield
        return
    module._moveTo = lambda x, y: None
    try:
        yield
    finally:
        module._moveTo = move


def load_pyautogui() -> Any:
    """pyautogui with its pauses and its fail-safe off: the bot keeps its own. EnvironmentProblem where it cannot
    be used."""
    try:
        # python-xlib prints a warning of its own where results belong
        with _without_mouseinfo(), _some_xauthority(), redirect_stdout(io.StringIO()):
            import pyautogui
    except KeyError:
        raise EnvironmentProblem(
            "There is no display: DISPLAY is not set.", f"Run it from a desktop session. {environment.WAY_OUT}"
        ) from None
    except (Exception, SystemExit) as problem:
        reason = str(problem).strip().rstrip(".") or type(problem).__name__
        raise EnvironmentProblem(
            f"The mouse cannot be moved: {reason}.",
            f"Check DISPLAY and your right to use it (xauth); --dry-run needs no mouse. {environment.WAY_OUT}",
        ) from None
    pyautogui.PAUSE = 0
    pyautogui.FAILSAFE = False
    pyautogui.DARWIN_CATCH_UP_TIME = 0.001  # our own gap gives macOS its time
    return pyautogui


@contextmanager
def _without_mouseinfo() -> Iterator[None]:
    """pyautogui imports a window of its own that ends the process where tkinter is missing; we need none."""
    missing = "mouseinfo" not in sys.modules
    if missing:
        stand_in = ModuleType("mouseinfo")
        stand_in.MouseInfoWindow = None  # type: ignore[attr-defined]
        sys.modules["mouseinfo"] = stand_in
    try:
        yield
    finally:
        if missing:
            del sys.modules["mouseinfo"]


@contextmanager
def _some_xauthority() -> Iterator[None]:
    """python-xlib fails where there is no Xauthority file, even on a display that asks for none."""
    home = Path(os.environ.get("HOME", "/nowhere")) / ".Xauthority"
    if "XAUTHORITY" in os.environ or sys.platform in ("darwin", "win32") or home.exists():
        yield
        return
    os.environ["XAUTHORITY"] = os.devnull
    try:
        yield
    finally:
        del os.environ["XAUTHORITY"]
