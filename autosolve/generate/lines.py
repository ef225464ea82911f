"""Owns row-and-column boards: totals of every row and column, a few clues, and mines that follow from them.

A board is drawn and thrown away until one is hard in just the way that was asked for. It is measured by the one solver
with the layers ONE, TWO and CONTRADICTION alone: what they clear to the end has one solution.

Legend: a *condition* is a total or a clue; a *wave* is a pass that makes every move its layer has; the *depth* counts
waves of ONE once and all others twice. A *try* is one board drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from types import MappingProxyType

from autosolve.board.puzzle import Puzzle, Totals
from autosolve.board.shape import Cell, CellSet, Shape, cell_set
from autosolve.errors import WrongUse
from autosolve.generate.deal import SplitMix64, article
from autosolve.solver.deduction import Solution, Technique, Verdict
from autosolve.solver.hybrid import solve

TRIES = 600
ZEROS = 3
SIDES = 5, 9  # of the boards the bands were measured on
RULES = frozenset({Technique.ONE, Technique.TWO})
LAYERS = RULES | {Technique.CONTRADICTION}

Band = tuple[int, int]


class Needs(Enum):
    """What a board must need, and must need no more than.

    ``ONE``             one condition at a time
    ``TWO``             two overlapping conditions
    ``CONTRADICTION``   exactly one proof by contradiction: ONE and TWO do not suffice, and with one cell proven by
                        assuming the opposite they do
    ``CONTRADICTIONS``  at least one such proof, however many
    """

    ONE = "one"
    TWO = "two"
    CONTRADICTION = "contradiction"
    CONTRADICTIONS = "contradictions"


def mines_band(shape: Shape) -> Band:
    """How many mines suit a size: 4 to 7 on 5x5, 18 to 26 on 9x9, and in between by the number of cells."""
    n = shape.size
    low = min(4 + (n - 25) * 14 / 56, 0.24 * n)
    high = min(7 + (n - 25) * 19 / 56, 0.33 * n)
    return max(1, round(low)), max(1, round(high))


def clues_band(shape: Shape, needs: Needs) -> Band:
    """How many clues suit a size: large boards take more for their size, boards of one layer more again."""
    n = shape.size
    share = {Needs.ONE: 0.26, Needs.TWO: 0.24, Needs.CONTRADICTION: 0.22, Needs.CONTRADICTIONS: 0.22}[needs]
    share += max(0.0, min(n, 400) - 25) * (0.0022 if n <= 81 else 0.0009) + (0.0 if n <= 81 else 0.073)
    return max(1, round((share - 0.05) * n)), max(1, round((share + 0.05) * n))


@dataclass(frozen=True, slots=True)
class Wish:
    """A kind of board. Bands are (least, most), both counted in.

    ``waves``  passes of all layers, None for any number
    ``depth``  as ``grade`` has it, None for any
    ``mines``, ``clues``  how many; None for what suits the size
    ``zeros``  the most conditions that are 0, which give too much away

    Raises WrongUse for what no board can have, naming the nearest that one can.
    """

    shape: Shape
    needs: Needs = Needs.TWO
    waves: Band | None = None
    depth: Band | None = None
    mines: Band | None = None
    clues: Band | None = None
    zeros: int = ZEROS

    def __post_init__(self) -> None:
        shape, size = self.shape, self.shape.size
        for name, band in (("waves", self.waves), ("depth", self.depth)):
            if band is not None and not 1 <= band[0] <= band[1]:
                raise WrongUse(f"{band[0]} to {band[1]} is no band of {name}.", "Give two numbers from 1 up.")
        mines, clues = self.bands
        if not 0 <= mines[0] <= mines[1]:
            raise WrongUse(f"{mines[0]} to {mines[1]} is no band of mines.", "Give two numbers from 0 up.")
        if not 0 <= clues[0] <= clues[1]:
            raise WrongUse(f"{clues[0]} to {clues[1]} is no band of clues.", "Give two numbers from 0 up.")
        if mines[0] + clues[0] > size:
            room = size - clues[0]
            nearest = (
                f"The most with {clues[0]} clues is {room} mines."
                if room >= 0
                else f"It has room for {size - mines[0]} clues beside {mines[0]} mines."
                if mines[0] <= size
                else f"It has {size} cells."
            )
            raise WrongUse(f"{mines[0]} mines and {clues[0]} clues do not fit on {article(shape)}.", nearest)
        if self.needs is not Needs.ONE and (1 in (shape.rows, shape.cols) or size < 6):
            raise WrongUse(
                f"No {shape} board needs more than one condition at a time.",
                "The nearest that works is --needs one, or a board of 2x3 cells or more.",
            )

    @property
    def bands(self) -> tuple[Band, Band]:
        """The bands of mines and of clues."""
        size = self.shape.size
        mines = self.mines or mines_band(self.shape)
        clues = self.clues
        if clues is None:
            low, high = clues_band(self.shape, self.needs)
            room = max(0, size - mines[0])
            clues = min(low, room), min(high, room)
        return mines, clues


@dataclass(frozen=True, slots=True)
class Lines:
    """A row-and-column board.

    ``mines``     its solution
    ``seed``      makes it again, with the same wish
    ``tries``     boards drawn for it
    ``solution``  of the three layers
    """

    puzzle: Puzzle
    mines: CellSet
    seed: int
    tries: int
    solution: Solution

    @property
    def waves(self) -> int:
        """Passes of all layers."""
        return sum(number for _, number in self.solution.waves)

    @property
    def depth(self) -> int:
        """Waves, those of ONE counted once and all others twice."""
        return _depth(self.solution)

    @property
    def grade(self) -> Mapping[str, object]:
        """As ``grade --layers one,two,contradiction --json`` has it."""
        hardest = self.solution.hardest
        return MappingProxyType(
            {
                "hardest": hardest.word if hardest else None,
                "layer": int(hardest or 0),
                "depth": self.depth,
                "waves": {technique.word: number for technique, number in self.solution.waves},
                "unique": self.solution.unique,
            }
        )


@dataclass(frozen=True, slots=True)
class Missed:
    """No board within the tries.

    ``solved``   how many of the boards drawn were cleared by the layers that were allowed
    ``nearest``  of those the one that comes nearest to the wish, None where there is none
    """

    wish: Wish
    tries: int
    solved: int
    nearest: Lines | None


def make(wish: Wish, seed: int, tries: int = TRIES) -> Lines | Missed:
    """The first board of a seed that is as wished, among so many tries."""
    numbers = SplitMix64(seed)
    solved, nearest, least = 0, None, (9, 0)
    for count in range(1, tries + 1):
        drawn = draw(wish, numbers)
        if drawn is None:
            continue
        found = _measure(wish, *drawn)
        if found is None:
            continue
        solved += 1
        made = Lines(*drawn, seed, count, found)
        off = _off(wish, made)
        if off == (0, 0):
            return made
        if off < least:
            nearest, least = made, off
    return Missed(wish, tries, solved, nearest)


def draw(wish: Wish, numbers: SplitMix64) -> tuple[Puzzle, CellSet] | None:
    """A board at random within the bands, and its mines; None where too many conditions would be 0.

    Clues are drawn from the cells without a mine, and those that are 0 are passed over once there are enough of them.
    """
    shape = wish.shape
    (fewest, most), (few, many) = wish.bands
    mined = fewest + numbers.below(min(most, shape.size - few) - fewest + 1)
    clued = few + numbers.below(min(many, shape.size - mined) - few + 1)
    cells = list(range(shape.size))
    numbers.some(cells, mined)
    mines = cell_set(cells[:mined])
    rows = tuple((shape.row(i) & mines).bit_count() for i in range(shape.rows))
    columns = [0] * shape.cols
    for cell in cells[:mined]:
        columns[cell % shape.cols] += 1
    zeros = rows.count(0) + columns.count(0)
    if zeros > wish.zeros:
        return None
    rest, clues = cells[mined:], dict[Cell, int]()
    for i in range(len(rest)):
        if len(clues) == clued:
            break
        j = i + numbers.below(len(rest) - i)
        rest[i], rest[j] = rest[j], rest[i]
        number = (shape.neighbours(rest[i]) & mines).bit_count()
        if number or zeros < wish.zeros:
            clues[Cell(rest[i])] = number
            zeros += not number
    if len(clues) < clued:
        return None
    puzzle = Puzzle(shape, clues, shape.all & ~cell_set(clues), Totals(rows, tuple(columns)))
    return puzzle, mines


def _measure(wish: Wish, puzzle: Puzzle, mines: CellSet) -> Solution | None:
    """What the layers allowed make of a board; None where they do not clear it."""
    if wish.needs is Needs.ONE:
        found = solve(puzzle, layers={Technique.ONE})
    else:
        found = solve(puzzle, layers=RULES)
        if not found.unique and wish.needs is not Needs.TWO:
            found = solve(puzzle, layers=LAYERS)
    if not found.unique:
        return None
    assert found.mines == mines, "the solver and the deal disagree"
    return found


def _off(wish: Wish, made: Lines) -> tuple[int, int]:
    """How far a board is from what was wished: in what it needs, then in waves and depth; (0, 0) for none."""
    hardest = made.solution.hardest or Technique.ONE
    if wish.needs in (Needs.ONE, Needs.TWO):
        needs = abs(hardest - (Technique.ONE if wish.needs is Needs.ONE else Technique.TWO))
    else:
        needs = abs(hardest - Technique.CONTRADICTION)
        if not needs and wish.needs is Needs.CONTRADICTION and not _one_suffices(made):
            needs = 1
    size = 0
    for value, band in ((made.waves, wish.waves), (made.depth, wish.depth)):
        if band is not None:
            size += max(band[0] - value, value - band[1], 0)
    return needs, size


def _one_suffices(made: Lines) -> bool:
    """Whether there is a cell that, proven by contradiction, leaves the rest to ONE and TWO."""
    if dict(made.solution.waves).get(Technique.CONTRADICTION) != 1:
        return False
    puzzle = made.puzzle
    for step in solve(puzzle, layers=LAYERS, explain=True).steps:
        if step.technique is Technique.CONTRADICTION:
            if step.verdict is Verdict.MINE:
                told = replace(puzzle, covered=puzzle.covered & ~step.cells, mines=step.cells)
            else:
                told = replace(puzzle, covered=puzzle.covered & ~step.cells)
            if solve(told, layers=RULES).unique:
                return True
    return False


def _depth(solution: Solution) -> int:
    return sum(number * (1 if technique is Technique.ONE else 2) for technique, number in solution.waves)
