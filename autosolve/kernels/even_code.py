"""Owns the compiled code of the even guesses a game may hold: those of solver/even.py, which says what they are.

Imported late, by ``play_code`` only, for it imports numba. The position lies in ``clue`` and ``cover`` as there.
"""

from __future__ import annotations

from math import exp

import numpy as np
from numba import njit

from autosolve.kernels import odds_code as count

# Where the other cell of a pair may lie, rows down and columns right, as in solver/even.py; the last is a square.
DOWN = np.array([0, 1, 1, 1, 0, 2, 1, 1, 2, 2, 2, 2, 1])
RIGHT = np.array([1, 0, 1, -1, 2, 0, 2, -2, 1, -1, 2, -2, 1])
SQUARE = 12
LIKELY = 0.019
WALLS = 16  # cells that have to be mines, at most


@njit(cache=True)
def _walls(row, col, kind, least, rows, cols, chance, cover, walls):
    """The covered cells that have to be mines for an even guess from the cell at ``row``, ``col`` into ``walls``; how
    many. -1 where one is open or all of them are too unlikely; ``least``: how likely the two sets are."""
    down, right = DOWN[kind], RIGHT[kind]
    n = 0
    likely = least
    for r in range(max(0, row - 1), min(rows, row + down + 2)):
        for c in range(max(0, col + min(right, 0) - 1), min(cols, col + max(right, 0) + 2)):
            dr, dc = r - row, c - col
            if kind == SQUARE:
                if not (dr == -1 or dr == 2) or not (dc == -1 or dc == 2):
                    continue
            else:
                if (dr == 0 and dc == 0) or (dr == down and dc == right):
                    continue
                if (abs(dr) <= 1 and abs(dc) <= 1) == (abs(dr - down) <= 1 and abs(dc - right) <= 1):
                    continue
            cell = r * cols + c
            if cover[cell] == 0:
                return -1
            if cover[cell] == 1:
                likely *= chance[cell]
                if likely < LIKELY:
                    return -1
                walls[n] = cell
                n += 1
    return n


@njit(cache=True)
def _true(cells, n, rows, cols, clue, cover):
    """Whether the numbers beside ``n`` cells are right that have no covered cell left: a count takes them for true."""
    for k in range(n):
        row, col = cells[k] // cols, cells[k] % cols
        for r in range(max(0, row - 1), min(rows, row + 2)):
            for c in range(max(0, col - 1), min(cols, col + 2)):
                here = r * cols + c
                if cover[here] != 0 or clue[here] < 0:
                    continue
                shut, mined = 0, 0
                for r2 in range(max(0, r - 1), min(rows, r + 2)):
                    for c2 in range(max(0, c - 1), min(cols, c + 2)):
                        shut += cover[r2 * cols + c2] == 1
                        mined += cover[r2 * cols + c2] == 2
                if shut == 0 and mined != clue[here]:
                    return False
    return True


@njit(cache=True)
def spared(rows, cols, mines, models, chance, clue, cover, board, small, keys, real, out):
    """Per covered cell into ``out``: the chance that no even guess loses the game once the cell was opened safely.

    ``models``  the logarithm of the number of solutions    ``chance``  of every cell to be a mine
    What does not fit a count is left out."""
    cells = rows * cols
    walls = np.zeros(WALLS, np.int64)
    pair = np.zeros(4, np.int64)  # mines, then as many cells without
    for c in range(cells):
        out[c] = 1.0
    for first in range(cells):
        if cover[first] != 1:
            continue
        row, col = first // cols, first % cols
        for kind in range(SQUARE + 1):
            down, right = DOWN[kind], RIGHT[kind]
            if row + down >= rows or not 0 <= col + right < cols:
                continue
            half = 1
            pair[0], pair[1] = first, first + down * cols + right
            if kind == SQUARE:
                half = 2
                pair[1], pair[2], pair[3] = first + cols + 1, first + 1, first + cols
            least = 1.0
            for k in range(2 * half):
                if cover[pair[k]] != 1:
                    least = 0.0
                else:
                    least = min(least, chance[pair[k]], 1.0 - chance[pair[k]])
            if 2.0 * least < LIKELY:
                continue
            n = _walls(row, col, kind, 2.0 * least, rows, cols, chance, cover, walls)
            if n < 0:
                continue
            for k in range(half):
                cover[pair[k]], cover[pair[half + k]] = 2, 0
            for k in range(n):
                cover[walls[k]] = 2
            good = _true(pair, 2 * half, rows, cols, clue, cover) and _true(walls, n, rows, cols, clue, cover)
            if good and count.odds(clue, cover, mines, board, small, keys, real) == count.DONE:
                # the other way round there are as many solutions; of the games that hold it, half are lost
                lost = exp(count.log_models(board, real, mines >= 0) - models)
                for c in range(cells):
                    if cover[c] == 1 and chance[c] < 1.0:
                        out[c] *= 1.0 - lost * (1.0 - real[count.REAL + c]) / (1.0 - chance[c])
            for k in range(2 * half):
                cover[pair[k]] = 1
            for k in range(n):
                cover[walls[k]] = 1
