"""Owns how a person stops a run: the option for a key, and the line that says what works before the first click."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import click

from autosolve.cli import say

if TYPE_CHECKING:
    from autosolve.bot import Lap
    from autosolve.clicks.plan import Keyboard
    from autosolve.desktop.stopkey import StopKey

Command = TypeVar("Command", bound=Callable[..., Any])
OFF = "off"
DEFAULT = "esc"
_LOOK = 0.003  # seconds a look at the cell before its click takes at most, where it is made


def option(command: Command) -> Command:
    """The option --stop-key."""
    return click.option(
        "--stop-key",
        metavar="KEY|off",
        help="A key that stops the run from anywhere, such as esc or f12; needs the extra autosolve[stopkey]."
        f"  [default: {DEFAULT}, where that is installed]",
    )(command)


@dataclass(slots=True)
class Stopping:
    """What stops this run, and whether that has been said."""

    ways: list[str]
    delay: float | None = None
    silent: bool = False
    key: StopKey | None = None
    _said: bool = field(default=False)

    def laps(self, tell: Callable[[Lap], None]) -> Callable[[Lap], None]:
        """``tell``; and before the first click, what is to come and how to stop it."""

        def both(lap: Lap) -> None:
            tell(lap)
            if lap.plan and not self.silent and not self._said:
                self._said = True
                say.note(f"{self.plan(lap)} To stop: {', '.join(self.ways[:-1])} or {self.ways[-1]}.")

        return both

    def keyboard(self, keys: Keyboard) -> Keyboard:
        """``keys``, whose presses are not taken for a person's."""
        return keys if self.key is None else _OwnKeys(keys, self.key)

    def plan(self, lap: Lap) -> str:
        """How many clicks, and how long they take at the least; of a game nobody knows how many it takes."""
        if lap.reading.profile.kind != "clues":
            return "A game begins."
        profile, count = lap.reading.profile, len(lap.plan)
        each = profile.hold + (profile.gap if self.delay is None else self.delay) + _LOOK
        return f"{count} click{'s' * (count != 1)} to make, in at least {duration(count * each)}."


@dataclass(frozen=True, slots=True)
class _OwnKeys:
    """A keyboard that tells the stop key of every press before it is made; implements Keyboard."""

    keys: Keyboard
    stop: StopKey

    def press(self, keys: str) -> None:
        self.stop.expect(keys)
        self.keys.press(keys)


def duration(seconds: float) -> str:
    """``0.3 s``, ``12 s``, ``2 min 05 s``."""
    if seconds < 9.95:
        return f"{max(seconds, 0.1):.1f} s"
    whole = round(seconds)
    return f"{whole} s" if whole < 100 else f"{whole // 60} min {whole % 60:02d} s"


def start(key: str | None, clicks: bool, delay: float | None = None) -> Stopping:
    """What stops the run that begins now; the key is listened for until the command ends. Call it inside a command.

    ``clicks`` is False for a run that makes none. Where no key was asked for, one that cannot be listened for is left
    out; else EnvironmentProblem or WrongUse says why."""
    from autosolve.errors import EnvironmentProblem

    ways = ["move the mouse", "push it into a corner of the screen"]
    listening: StopKey | None = None
    if clicks and key != OFF:
        try:
            from autosolve.desktop.stopkey import StopKey

            listening = click.get_current_context().with_resource(StopKey(key or DEFAULT).start())
            ways.append(f"press {listening.shown}")
        except EnvironmentProblem:
            if key is not None:
                raise
    # a run without a terminal gets no Ctrl-C
    if any(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr)):
        ways.append("press Ctrl-C here")
    return Stopping(ways, delay, silent=not clicks, key=listening)
