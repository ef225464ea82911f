"""Owns the boards the tests play: deals mines at random and takes clues away while the mines stay proven.

    python tools/make_boards.py fixtures/boards

writes unique-RxC.txt (board text, one solution, about a third of the cells are clues) for every size the main job
is checked with. The same seed gives the same boards.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

from autosolve.board.puzzle import Puzzle
from autosolve.board.shape import Cell, Shape, cell_set, cells_in
from autosolve.solver.hybrid import solve

SIZES = ((5, 5), (5, 9), (7, 7), (10, 10), (15, 15), (20, 20), (12, 31), (30, 18), (40, 40), (50, 50))
MINES = 0.24
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
    """The board that shows these clues of a deal."""
    shown = {Cell(c): (shape.neighbours(c) & mines).bit_count() for c in clues}
    return Puzzle(shape, shown, shape.all & ~cell_set(clues))


def thin_out(rng: random.Random, shape: Shape, mines: int) -> set[int]:
    """Clues of a unique board, few enough or as few as this order of removal allows."""
    clues = {c for c in range(shape.size) if not mines >> c & 1}
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


def board_text(shape: Shape, puzzle: Puzzle) -> str:
    """The rows of a board."""
    cells = [str(puzzle.clues[Cell(c)]) if Cell(c) in puzzle.clues else "." for c in range(shape.size)]
    return "".join("".join(cells[r * shape.cols : (r + 1) * shape.cols]) + "\n" for r in range(shape.rows))


def main() -> None:
    """The command line."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for rows, cols in SIZES:
        rng = random.Random(f"{rows}x{cols}")
        shape = Shape(rows, cols)
        mines = deal(rng, shape, MINES_OF.get((rows, cols), round(MINES * shape.size)))
        puzzle = puzzle_of(shape, mines, thin_out(rng, shape, mines))
        solution = solve(puzzle)
        if solution.mines != mines:
            raise SystemExit(f"the {shape} board came out wrong")
        file = folder / f"unique-{rows}x{cols}.txt"
        file.write_text(board_text(shape, puzzle))
        print(f"{file}: {len(puzzle.clues)} clues, {mines.bit_count()} mines, needs {solution.hardest}")


if __name__ == "__main__":
    main()
