"""Owns the hard boards the solver is measured on: every clue is taken away that one solution can do without.

    python tools/make_hard_boards.py >fixtures/boards/hard.txt

writes one-line puzzles with the hash of their solution, 20 of 50x50 and 4 of 24x37, a seed each. A quarter of the
cells are mines, none of them ringed by mines. Clues go in random order; takes about a minute a board.
"""

from __future__ import annotations

import random
from dataclasses import replace

from autosolve.board.notation import Position, solution_hash, write_digits
from autosolve.board.puzzle import Puzzle
from autosolve.board.shape import Cell, Shape, cell_set, cells_in
from autosolve.solver.hybrid import solve

BOARDS = [(Shape(50, 50), seed) for seed in range(1, 21)] + [(Shape(24, 37), seed) for seed in range(1, 5)]
MINES = 0.25
TOLERANCE = 0.05


def deal(rng: random.Random, shape: Shape) -> int:
    """Mines such that each touches a cell without one."""
    while True:
        mines = cell_set(c for c in range(shape.size) if rng.random() < MINES)
        if abs(mines.bit_count() / shape.size - MINES) > TOLERANCE:
            continue
        for cell in cells_in(mines):
            if not shape.neighbours(cell) & ~mines:
                mines &= ~(1 << cell)
        return mines


def thin_out(rng: random.Random, shape: Shape, mines: int) -> Puzzle:
    """The board with as few clues as that order of taking them away allows."""
    clues = {c: (shape.neighbours(c) & mines).bit_count() for c in map(Cell, range(shape.size)) if not mines >> c & 1}
    puzzle = Puzzle(shape, clues, mines)
    order = list(clues)
    rng.shuffle(order)
    for cell in order:
        fewer = replace(
            puzzle,
            clues={c: n for c, n in puzzle.clues.items() if c != cell},
            covered=puzzle.covered | 1 << cell,
        )
        if solve(fewer).unique:
            puzzle = fewer
    return puzzle


def main() -> None:
    print("# made by tools/make_hard_boards.py; see fixtures/README.md")
    for shape, seed in BOARDS:
        rng = random.Random(seed)
        mines = deal(rng, shape)
        puzzle = thin_out(rng, shape, mines)
        print(write_digits(Position(puzzle, sha256=solution_hash(shape, mines))), flush=True)


if __name__ == "__main__":
    main()
