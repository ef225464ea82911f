"""Owns the key that stops a run from anywhere on the desktop, where pynput is installed and the system lets it listen.

pynput is imported when a key is asked for, never earlier: its import opens the display.
"""

from __future__ import annotations

import _thread
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from autosolve.errors import EnvironmentProblem, WrongUse

EXTRA = "Install it with 'pip install autosolve[stopkey]'"
OWN = 2.0  # seconds in which a key that the bot pressed itself is heard
_ALIKE = {"escape": "esc", "return": "enter", "del": "delete", "pageup": "page_up", "pagedown": "page_down"}
_SHOWN = {"esc": "Esc", "pause": "Pause", "space": "the space bar"}


class StopKey:
    """Listens for one key from ``start`` to ``stop``, and interrupts the main thread as Ctrl-C does.

    ``key``        "esc", "f12" and so on by pynput's names, or one character
    ``interrupt``  called once when it is pressed, in another thread
    ``keyboard``   what listens, in the manner of pynput.keyboard

    Keys that the bot itself presses are heard like a person's: it tells them before, with ``expect``.

    Raises EnvironmentProblem where it cannot listen, WrongUse for a key that does not exist."""

    def __init__(
        self,
        key: str,
        interrupt: Callable[[], None] = _thread.interrupt_main,
        *,
        keyboard: Any = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.key, self._interrupt, self._clock = key.lower(), interrupt, clock
        self._own: deque[float] = deque()  # until when a press of the bot's own may be heard
        keyboard = keyboard or load_keyboard()
        self._keyboard = keyboard
        known = getattr(keyboard.Key, self.key, None)
        if known is None and len(key) != 1:
            raise WrongUse(f"There is no key {key!r}.", "Name it as esc, pause, f1 to f12, or one character; or 'off'.")
        self._wanted = known if known is not None else keyboard.KeyCode.from_char(self.key)
        self._done = False
        self._listener: Any = None

    @property
    def shown(self) -> str:
        """The key as it stands on a keyboard."""
        return _SHOWN.get(self.key, self.key.upper())

    def start(self) -> StopKey:
        """Begins to listen; EnvironmentProblem where that is not allowed."""
        listener = self._keyboard.Listener(on_press=self._pressed)
        listener.daemon = True
        try:
            listener.start()
            listener.wait()
        except Exception as problem:
            raise EnvironmentProblem(f"No key can be listened for: {problem}.", "Stop with Ctrl-C instead.") from None
        self._listener = listener
        return self

    def stop(self) -> None:
        """Ends listening."""
        if self._listener is not None:
            self._listener.stop()
            self._listener = None

    def expect(self, keys: str) -> None:
        """The bot is about to press ``keys``, as in ``ctrl+n``: that is no person's sign to stop."""
        names = [_ALIKE.get(name, name) for name in (part.strip().lower() for part in keys.split("+"))]
        if self.key in names:
            self._own.append(self._clock() + OWN)

    def _pressed(self, key: Any, *_: Any) -> None:
        if key != self._wanted or self._done:
            return
        while self._own:
            if self._own.popleft() >= self._clock():
                return  # the bot's own
        self._done = True
        self._interrupt()

    def __enter__(self) -> StopKey:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def load_keyboard() -> Any:
    """pynput's keyboard; EnvironmentProblem where it is missing or this platform has none."""
    try:
        from pynput import keyboard
    except ImportError as problem:
        missing = problem.name == "pynput"
        reason = "pynput is not installed" if missing else "pynput cannot listen on this desktop"
        raise EnvironmentProblem(
            f"There is no key to stop with: {reason}.", f"{EXTRA}, or stop with Ctrl-C." if missing else "Use Ctrl-C."
        ) from None
    except Exception as problem:  # its back ends fail in ways of their own
        raise EnvironmentProblem(f"There is no key to stop with: {problem}.", "Use Ctrl-C.") from None
    return keyboard
