"""Owns what thinking yields: single deductions with their reasons, and the solution of a board.

Legend: everything here is certain. What is merely likely is never a ``Deduction``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from fractions import Fraction

from autosolve.board.puzzle import Constraint, Puzzle
from autosolve.board.shape import Cell, CellSet
from autosolve.errors import WrongUse


class Verdict(Enum):
    """What a cell is proven to be."""

    MINE = "mine"
    SAFE = "safe"


class Technique(IntEnum):
    """How a deduction was found, easiest first; a larger number is harder.

    ``ONE``            one constraint: all its mines are found, or all its cells are needed
    ``TWO``            two overlapping constraints
    ``SUBSET``         three or more constraints together
    ``CONTRADICTION``  one cell assumed, ONE and TWO to the end, a clash
    ``NESTED``         the same with one case split inside
    ``TOTAL``          the number of mines on the whole board
    ``SAT``            a search through all cases, by a SAT solver
    ``UNIQUE``         assumes that the puzzle has one solution: no proof, off by default
    """

    ONE = 1
    TWO = 2
    SUBSET = 3
    CONTRADICTION = 4
    NESTED = 5
    TOTAL = 6
    SAT = 7
    UNIQUE = 8

    @property
    def word(self) -> str:
        """The name in lower case, as JSON and people see it."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Budget:
    """How much work may be done, counted in steps and not in seconds, so that the same puzzle always gets the
    same answer.

    ``conflicts``  of the SAT solver, at least 1, over one whole ``solve``
    ``states``     of the exact counter, at least 1
    """

    conflicts: int = 60_000
    states: int = 2_000_000

    def __post_init__(self) -> None:
        if self.conflicts < 1 or self.states < 1:
            raise WrongUse("A budget of work must be above 0.", "Give the number of conflicts and states.")


class OutOfWork(Exception):
    """The budget of work is spent. Caught inside the solver, which then says that its answer is not complete."""


@dataclass(frozen=True, slots=True)
class Odds:
    """How many solutions a puzzle has, and in how many of them each covered cell is a mine; exact integers.

    ``models`` is at least 1. All solutions count as equally likely.
    """

    models: int
    mined_in: Mapping[Cell, int]

    def probability(self, cell: Cell) -> Fraction:
        """The chance that a covered cell is a mine, 0 to 1; KeyError for any other cell."""
        return Fraction(self.mined_in[cell], self.models)


@dataclass(frozen=True, slots=True)
class Deduction:
    """One step: ``cells`` are all mines, or all safe.

    ``technique``  the easiest it follows by once the steps before it are made; its pass may be of a harder one
    ``because``  the sentences it follows from, none of which can be spared, as they stand once the steps before it are
                 made: over the cells still covered, less the mines found
    ``text``     the reason as a sentence a person can check
    ``pattern``  what players call the shape ("1-2-1"), or "" where it has no name
    ``wave``     the pass it was found in, from 1
    """

    cells: CellSet
    verdict: Verdict
    technique: Technique
    because: tuple[Constraint, ...]
    text: str = ""
    pattern: str = ""
    wave: int = 0


@dataclass(frozen=True, slots=True)
class Solution:
    """All that is certain about a puzzle.

    ``mines``     covered cells that are mines in every solution (mines the board shows are not among them)
    ``safe``      covered cells that are no mine in any solution
    ``steps``     the deductions in the order they were made; empty where none were asked for
    ``guess``     the cell to open when a guess is forced and was asked for, else None
    ``other``     where cells are undecided, two whole solutions (their mines among the covered cells) that differ
    ``hardest``   the hardest technique that was needed; None where nothing was to be decided
    ``complete``  False where the budget of work ran out: more may be certain than is said here
    ``waves``     how many passes each technique took
    """

    puzzle: Puzzle
    mines: CellSet
    safe: CellSet
    steps: tuple[Deduction, ...] = ()
    guess: Cell | None = None
    other: tuple[CellSet, CellSet] | None = None
    hardest: Technique | None = None
    complete: bool = True
    waves: tuple[tuple[Technique, int], ...] = field(default=())

    @property
    def undecided(self) -> CellSet:
        """Covered cells about which nothing is certain."""
        return self.puzzle.covered & ~(self.mines | self.safe)

    @property
    def unique(self) -> bool:
        """Whether every covered cell is decided, which proves that there is one solution; never where UNIQUE was
        used, which assumes as much."""
        return not self.undecided and self.hardest is not Technique.UNIQUE

    @property
    def status(self) -> str:
        """``unique`` or ``undecided``."""
        return "unique" if self.unique else "undecided"

    @property
    def differing(self) -> CellSet:
        """Cells that differ between the two solutions of ``other``; empty for a unique one."""
        return self.other[0] ^ self.other[1] if self.other else 0
