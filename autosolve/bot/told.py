"""Owns what a run tells: its laps, and how it ended."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from types import MappingProxyType

from autosolve.board.puzzle import Puzzle
from autosolve.board.shape import CellSet
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
from autosolve.solver.deduction import Odds, Solution
from autosolve.solver.guess import Guess
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
    """One look and what follows from it; ``solution`` is None where the reading is refused before any thinking.

    In games where a click opens a cell:

    ``guess``  the cell to open where nothing is certain    ``odds``  the exact chances then
    ``free``   the guess is a first click that the site's rule makes safe
    ``total``  mines on the whole board, None where not known: the chances then do not use it
    ``game``   the number of the game, from 1
    """

    number: int
    reading: Reading
    solution: Solution | None
    plan: ClickPlan
    guess: Guess | None = None
    odds: Odds | None = None
    free: bool = False
    total: int | None = None
    game: int = 1


@dataclass(frozen=True, slots=True)
class Defect:
    """A mine that was opened although it was proven safe: what is needed to see why.

    ``before``    the reading it was proven from      ``after``  the reading that shows the loss
    ``puzzle``    the facts taken from ``before``     ``plan``   the clicks that were to be made
    ``cells``     the mines that were opened
    """

    before: Reading
    after: Reading
    puzzle: Puzzle
    plan: ClickPlan
    cells: CellSet


@dataclass(frozen=True, slots=True)
class GameTold:
    """How one game went where a click opens a cell.

    ``won``        whether it was won
    ``verified``   whether a fresh look showed as much; False for a win that a message covered
    ``by_guess``   whether a lost game was lost by a guess; None for a game that was won
    ``risk``       of that guess
    ``risks``      of every guess, in order; a first click that the site's rule makes safe is none
    ``three_bv``   clicks the board takes without flags; None where it was not seen whole
    ``defect``     a game lost on a cell that was certain
    """

    number: int
    won: bool
    verified: bool
    clicks: int
    laps: int
    seconds: float
    risks: tuple[Fraction, ...] = ()
    by_guess: bool | None = None
    risk: Fraction | None = None
    three_bv: int | None = None
    defect: Defect | None = None

    @property
    def risk_taken(self) -> float:
        """The chance that one of all its guesses would have lost it."""
        return 1 - math.prod(1 - float(risk) for risk in self.risks)


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
    ``games``     where a click opens a cell: the games that were played to the end
    ``last``      the last lap, where there was one
    ``total``     mines on the whole board, and ``total_from`` "given", "counter" or "size"; None where not known
    """

    result: Result
    reading: Reading | None = None
    solution: Solution | None = None
    plan: ClickPlan = field(default_factory=ClickPlan)
    clicks: int = 0
    laps: int = 0
    verified: bool = False
    seconds: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    games: tuple[GameTold, ...] = ()
    last: Lap | None = None
    total: int | None = None
    total_from: str | None = None
