"""Owns the even guesses a game may hold: two sets of cells, all mines in one of them, and no number to tell in which.

All cells of one set are mines and none of the other, and wherever a cell sees more of one set than of the other there
is a mine, so that no number is shown there. The two ways round then fit every number the game can still show: who plays
on comes to a guess between them, and half of such games are lost. Opening one of the cells, or one of those that had to
be mines, settles it. Sought are two cells at most two rows and columns apart, and the two diagonals of a square of four
cells; larger kinds are rarer.

Not for boards with totals of rows or columns, which may tell the two ways apart, and not for mosaic.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from autosolve.board.puzzle import Puzzle, Variant
from autosolve.board.shape import Cell, CellSet, Shape, cells_in
from autosolve.solver.count import Counter
from autosolve.solver.state import MINED, Contradiction, State

# Where the other cell of a pair may lie, each pair once. kernels/even_code.py has the same, and the limit.
STEPS = ((0, 1), (1, 0), (1, 1), (1, -1), (0, 2), (2, 0), (1, 2), (1, -2), (2, 1), (2, -1), (2, 2), (2, -2))
# what is less likely than this by the chances of its cells is not counted
LIKELY = 0.019


@dataclass(frozen=True, slots=True)
class Even:
    """An even guess the game may hold.

    ``sets``    the two sets, of one of which all cells are mines
    ``walls``   the covered cells that have to be mines
    ``models``  the solutions that hold it
    ``mined``   of the other covered cells: in how many of those solutions each is a mine
    """

    sets: tuple[CellSet, CellSet]
    walls: CellSet
    models: int
    mined: Mapping[Cell, int]

    def beside(self, cell: Cell) -> int:
        """The solutions that hold it still once ``cell`` was opened and is no mine."""
        settled = (self.sets[0] | self.sets[1] | self.walls) >> cell & 1
        return 0 if settled else self.models - self.mined.get(cell, 0)


def even_guesses(puzzle: Puzzle, chance: Mapping[Cell, float], states: int) -> list[Even]:
    """The even guesses a game may hold; ``chance``: of every covered cell to be a mine.

    Raises OutOfWork when a count needs more than ``states``."""
    if puzzle.variant is not Variant.MINESWEEPER or puzzle.totals.rows or puzzle.totals.columns:
        return []
    out = []
    for mines, safe, walls in _likely(puzzle, chance):
        left = puzzle.covered & ~(mines | safe | walls)
        held = replace(puzzle, covered=left, mines=puzzle.mines | mines | walls)
        try:
            state = State(held)
            state.propagate()
            counter = Counter(state, states)
        except Contradiction:
            continue
        mined = dict.fromkeys(cells_in(state.mask(MINED)), counter.models)
        mined.update((Cell(c), share) for cells, share in counter.shares() for c in cells)
        # the other way round there are as many
        out.append(Even((mines, safe), walls, 2 * counter.models, {c: 2 * share for c, share in mined.items()}))
    return out


def _likely(puzzle: Puzzle, chance: Mapping[Cell, float]) -> Iterator[tuple[CellSet, CellSet, CellSet]]:
    """The two sets of an even guess that is likely enough, and the covered cells that have to be mines."""
    shape, shut = puzzle.shape, puzzle.covered | puzzle.mines
    for cell in cells_in(puzzle.covered):
        if not 0 < chance[cell] < 1:
            continue
        for mines, safe, walls in _from(shape, cell):
            if walls & ~shut or (mines | safe) & ~puzzle.covered:
                continue
            likely = 2.0 * min(min(chance[c], 1 - chance[c]) for c in cells_in(mines | safe))
            for c in cells_in(walls & puzzle.covered):
                likely *= chance[c]
                if likely < LIKELY:
                    break
            if likely >= LIKELY:
                yield mines, safe, walls & puzzle.covered


def _from(shape: Shape, cell: Cell) -> Iterator[tuple[CellSet, CellSet, CellSet]]:
    """The even guesses with ``cell`` for their first cell: two sets, and the cells that see more of one of them."""
    row, col = shape.at(cell)
    one = 1 << cell
    for down, right in STEPS:
        if row + down < shape.rows and 0 <= col + right < shape.cols:
            other = shape.cell(row + down, col + right)
            yield one, 1 << other, (shape.neighbours(cell) ^ shape.neighbours(other)) & ~(one | 1 << other)
    if row + 1 < shape.rows and col + 1 < shape.cols:
        falling = one | 1 << shape.cell(row + 1, col + 1)
        rising = 1 << shape.cell(row, col + 1) | 1 << shape.cell(row + 1, col)
        corners = [(r, c) for r in (row - 1, row + 2) for c in (col - 1, col + 2)]
        inside = [(r, c) for r, c in corners if 0 <= r < shape.rows and 0 <= c < shape.cols]
        yield falling, rising, sum(1 << shape.cell(r, c) for r, c in inside)
