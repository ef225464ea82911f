"""Owns what a run tells: its laps, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType

from autosolve.clicks.plan import ClickPlan
from autosolve.errors import (
    BoardNotFound,
    Clash,
    ClicksFailed,
    GameLost,
    Stopped,
    Undecided,
    Unreadable,
)
from autosolve.solver.deduction import Solution
from autosolve.vision.read import Reading


class Result(Enum):
    """How a run ended; the value is its word in JSON."""

    SOLVED = "solved"
    UNDECIDED = "undecided"
    LOST = "lost"
    DRY_RUN = "dry-run"
    STOPPED = "stopped"
    NOT_FOUND = "not-found"
    UNREADABLE = "unreadable"
    CLASH = "clash"
    CLICKS_FAILED = "clicks-failed"
    FAILED = "failed"


RESULT_OF: tuple[tuple[type[BaseException], Result], ...] = (
    (Stopped, Result.STOPPED),
    (Undecided, Result.UNDECIDED),
    (Unreadable, Result.UNREADABLE),
    (BoardNotFound, Result.NOT_FOUND),
    (Clash, Result.CLASH),
    (ClicksFailed, Result.CLICKS_FAILED),
    (GameLost, Result.LOST),
)


@dataclass(frozen=True, slots=True)
class Lap:
    """One look and what follows from it; ``solution`` is None where the reading is refused before any thinking."""

    number: int
    reading: Reading
    solution: Solution | None
    plan: ClickPlan


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run came to.

    ``reading``   the last look, None where no board was found
    ``solution``  the last solution, None where it did not come to that
    ``plan``      the last plan: what was still missing
    ``clicks``    presses made
    ``laps``      looks made
    ``verified``  whether a fresh look showed every flag that is certain, and nothing else
    ``seconds``   per "capture", "read", "solve", "click"; waiting for the page counts as capture
    """

    result: Result
    reading: Reading | None = None
    solution: Solution | None = None
    plan: ClickPlan = field(default_factory=ClickPlan)
    clicks: int = 0
    laps: int = 0
    verified: bool = False
    seconds: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
