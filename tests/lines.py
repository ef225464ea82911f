"""A little generator of line-total boards for tests of what measures them: drawn until the layers given clear one."""

import random

from autosolve.board.notation import grid_lines
from autosolve.board.puzzle import Puzzle, Totals
from autosolve.board.shape import Cell, Shape, cell_set
from autosolve.solver.hybrid import solve


def lines_boards(count, seed, sizes, layers, needed=False):
    """``count`` boards as objects of a collection, of which each needs the hardest of the layers where ``needed`` is
    set; the same for the same arguments."""
    rng, out = random.Random(seed), []
    while len(out) < count:
        shape = Shape(*sizes[len(out) % len(sizes)])
        mines = cell_set(rng.sample(range(shape.size), shape.size // 4))
        clues = rng.sample([c for c in range(shape.size) if not mines >> c & 1], shape.size // 4)
        rows = [(shape.row(r) & mines).bit_count() for r in range(shape.rows)]
        columns = [(shape.column(c) & mines).bit_count() for c in range(shape.cols)]
        puzzle = Puzzle(
            shape,
            {Cell(c): (shape.neighbours(c) & mines).bit_count() for c in clues},
            shape.all & ~cell_set(clues),
            Totals(tuple(rows), tuple(columns)),
        )
        solution = solve(puzzle, layers=layers)
        if solution.undecided or (needed and solution.hardest is not max(layers)):
            continue
        bits = format(mines, f"0{shape.size}b")[::-1]
        out.append(
            {
                "rows": shape.rows,
                "cols": shape.cols,
                "grid": grid_lines(puzzle),
                "totals": {"rows": rows, "columns": columns},
                "solution": [bits[i : i + shape.cols] for i in range(0, shape.size, shape.cols)],
            }
        )
    return out
