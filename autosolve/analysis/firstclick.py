"""Owns what a first click meets: how likely it is safe, and opens a region, by the rules of ``FirstClick``; and how
many boards the simple rules finish from there.

All in closed form over C(n, k), the ways to choose k of n cells; and by sampling, with Wilson intervals. ``N`` cells,
``M`` mines, the first cell and its ``d`` neighbours:

    RANDOM   safe 1 - M/N                     opens  C(N-1-d, M) / C(N, M)
    SAFE     safe 1                           opens  C(N-1-d, M) / C(N-1, M)
    OPENING  safe 1                           opens  1
    MOVED    safe 1 (but on a full board)     opens  [C(N-d, M) - C(N-1-d-q, M-1-q)] / C(N, M)

MOVED: the neighbours must be free, the cell itself need not (C(N-d, M) layouts), unless its mine then moves to one of
them: to the first of them in reading order, where all ``q`` cells before that are mines.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb

from autosolve.analysis.rates import wilson
from autosolve.board.shape import Cell, Shape, cells_in
from autosolve.board.words import article, counted, verb
from autosolve.errors import WrongUse
from autosolve.kernels.game import FirstClick, Table, check_room


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of board people play."""

    name: str
    shape: Shape
    mines: int

    def __str__(self) -> str:
        return f"{self.name} {self.shape}, {counted(self.mines, 'mine')}"


# the three of Windows, and the three of hanpango (seed 002), the easiest of which is Beginner again
KINDS = (
    Kind("Beginner", Shape(9, 9), 10),
    Kind("Intermediate", Shape(16, 16), 40),
    Kind("Expert", Shape(16, 30), 99),
    Kind("Normal", Shape(12, 16), 30),
    Kind("Hard", Shape(14, 20), 55),
)

PIECE = 2_000_000  # cells played in one call of a kernel: a fraction of a second


def _choose(n: int, k: int) -> int:
    return comb(n, k) if 0 <= k <= n else 0


def safe_chance(shape: Shape, mines: int, start: Cell, rule: FirstClick) -> Fraction:
    """The chance that the first click is no mine. WrongUse where the mines do not fit."""
    check_room(shape, mines, start, rule)
    if rule is FirstClick.RANDOM:
        return 1 - Fraction(mines, shape.size)
    return Fraction(1)


def opening_chance(shape: Shape, mines: int, start: Cell, rule: FirstClick) -> Fraction:
    """The chance that the first click shows a 0, and so opens a region. WrongUse where the mines do not fit."""
    check_room(shape, mines, start, rule)
    n, m = shape.size, mines
    near = list(cells_in(shape.neighbours(start)))
    d = len(near)
    if rule is FirstClick.OPENING:
        return Fraction(1)
    if rule is FirstClick.SAFE:
        return Fraction(_choose(n - 1 - d, m), comb(n - 1, m))
    if rule is FirstClick.RANDOM:
        return Fraction(_choose(n - 1 - d, m), comb(n, m))
    good = _choose(n - d, m)
    if near and m:
        # cells before the first neighbour: the start stands before it only at the left end of the top row
        before = near[0] - (start < near[0])
        good -= _choose(n - 1 - d - before, m - 1 - before)
    return Fraction(good, comb(n, m))


def opening_range(shape: Shape, mines: int, rule: FirstClick) -> tuple[Fraction, Fraction]:
    """The lowest and the highest ``opening_chance`` of all cells that can be clicked first.

    The chance depends on the number of neighbours; where a mine is moved to the top left, it also grows with the place
    of the first of them, which itself grows with row and column. So the cells at the ends of the edges and of what
    lies within will do. WrongUse where the mines fit beside no first click."""
    rows, cols = ({0, min(1, n - 1), max(0, n - 2), n - 1} for n in (shape.rows, shape.cols))
    cells = [shape.cell(row, col) for row in rows for col in cols]
    chances = [opening_chance(shape, mines, cell, rule) for cell in cells if mines <= rule.room(shape, cell)]
    if not chances:
        raise WrongUse(
            f"{counted(mines, 'mine')} {verb(mines, 'does', 'do')} not fit on {article(shape)}, wherever the "
            "first click is.",
            "Give fewer, or another rule for the first click.",
        )
    return min(chances), max(chances)


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of sampled boards, with its 95 % interval (Wilson)."""

    count: int
    boards: int

    @property
    def share(self) -> float:
        return self.count / self.boards

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.count, self.boards)


@dataclass(frozen=True, slots=True)
class Sample:
    """What sampled boards of one kind and rule did: the first click was no mine, opened a region, and the boards that
    the level of rules finished from there (None where none was asked for)."""

    safe: Rate
    opening: Rate
    cleared: Rate | None


def sample(
    shape: Shape, mines: int, start: Cell, rule: FirstClick, *, boards: int, seed: int = 42, level: int = 0
) -> Sample:
    """Deals and counts. ``level`` 0: the first click alone; 1: ONE, the two rules for one number; 2: ONE and TWO.

    The number of mines on the board is not used. WrongUse where the mines do not fit; EnvironmentProblem without
    numba."""
    table = Table(shape)
    safe = opening = cleared = 0
    # a kernel hears no Ctrl-C, so it is left again and again
    piece = max(1, PIECE // shape.size)
    for first in range(0, boards, piece):
        few = min(piece, boards - first)
        seen = table.check_many(mines, start, rule, level, seed=seed, first=first, boards=few)
        safe, opening, cleared = safe + seen.safe, opening + seen.opening, cleared + seen.cleared
    return Sample(Rate(safe, boards), Rate(opening, boards), Rate(cleared, boards) if level else None)
