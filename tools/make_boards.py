"""Owns the boards the tests play: deals mines at random and takes clues away while the mines stay proven.

    python tools/make_boards.py fixtures/boards

writes unique-RxC.txt (board text, one solution, about a third of the cells are clues) for every size the main job
is checked with, and mosaic-RxC.txt for some. The same seed gives the same boards.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path

from autosolve.board import notation
from autosolve.board.puzzle import Puzzle, Totals, Variant
from autosolve.board.shape import Cell, Shape, cell_set, cells_in
from autosolve.solver.hybrid import solve

SIZES = ((5, 5), (5, 9), (7, 7), (10, 10), (15, 15), (20, 20), (12, 31), (30, 18), (40, 40), (50, 50))
MOSAICS = ((5, 5), (7, 9), (12, 10), (15, 20))
MINES = 0.24
BLACK = 0.5  # of a mosaic
MINES_OF = {(50, 50): 678}  # as many as the largest board of the site that was met
CLUES = 0.35


def deal(rng: random.Random, shape: Shape, count: int) -> int:
    """A mask of ``count`` mines in which every mine touches a safe cell: only such boards can be unique."""
    mines = 0
    while mines.bit_count() < count:
        mines |= 1 << rng.randrange(shape.size)
        for cell in cells_in(mines):
            if not shape.neighbours(cell) & ~mines:
                mines &= ~(1 << cell)
    return mines


def puzzle_of(shape: Shape, mines: int, clues: set[int]) -> Puzzle:
    """The board that shows these clues of a deal, as far as they do not lie on mines."""
    shown = {Cell(c): (shape.neighbours(c) & mines).bit_count() for c in clues if not mines >> c & 1}
    return Puzzle(shape, shown, shape.all & ~cell_set(clues))


def mosaic_of(shape: Shape, black: int, clues: set[int]) -> Puzzle:
    """The mosaic that shows these clues of a picture: each counts its own cell too."""
    shown = {Cell(c): ((shape.neighbours(c) | 1 << c) & black).bit_count() for c in clues}
    return Puzzle(shape, shown, shape.all, Totals(), 0, Variant.MOSAIC)


def thin_out(
    rng: random.Random, shape: Shape, mines: int, puzzle_of: Callable[[Shape, int, set[int]], Puzzle]
) -> set[int]:
    """Clues of a unique board, few enough or as few as this order of removal allows."""
    clues = {c for c in range(shape.size) if Cell(c) in puzzle_of(shape, mines, set(range(shape.size))).clues}
    waiting = sorted(clues)
    rng.shuffle(waiting)

    def remove(batch: list[int]) -> None:
        nonlocal clues
        if len(clues) <= CLUES * shape.size or not batch:
            return
        rest = clues - set(batch)
        if solve(puzzle_of(shape, mines, rest)).unique:
            clues = rest
        elif len(batch) > 1:
            half = len(batch) // 2
            remove(batch[:half])
            remove(batch[half:])

    step = max(1, shape.size // 60)
    for start in range(0, len(waiting), step):
        remove(waiting[start : start + step])
    return clues


def main() -> None:
    """The command line."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for sizes, name in ((SIZES, "unique"), (MOSAICS, "mosaic")):
        for rows, cols in sizes:
            shape = Shape(rows, cols)
            if name == "unique":
                rng = random.Random(f"{rows}x{cols}")
                mines = deal(rng, shape, MINES_OF.get((rows, cols), round(MINES * shape.size)))
                way = puzzle_of
            else:
                rng = random.Random(f"mosaic {rows}x{cols}")
                way, mines = mosaic_of, 0
                while not mines or not solve(mosaic_of(shape, mines, set(range(shape.size)))).unique:
                    mines = cell_set(Cell(c) for c in range(shape.size) if rng.random() < BLACK)
            puzzle = way(shape, mines, thin_out(rng, shape, mines, way))
            solution = solve(puzzle)
            if solution.mines != mines:
                raise SystemExit(f"the {shape} board came out wrong")
            file = folder / f"{name}-{rows}x{cols}.txt"
            file.write_text(notation.write(notation.Position(puzzle)))
            print(f"{file}: {len(puzzle.clues)} clues, {mines.bit_count()} mines, needs {solution.hardest}")


if __name__ == "__main__":
    main()
