"""A plain brute force over every way to place mines, to hold the solver against. Slow, and shares no code with it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, product


def sentences(puzzle) -> list[tuple[frozenset[int], int]]:
    """The sentences of a board, worked out from its facts alone: cells that may hold mines, mines among them."""
    rows, cols = puzzle.shape.rows, puzzle.shape.cols
    own = 1 if puzzle.variant.value == "mosaic" else 0

    def told(cells, number):
        shown = sum(puzzle.mines >> c & 1 for c in cells)
        return frozenset(c for c in cells if puzzle.covered >> c & 1), number - shown

    out = []
    for cell, number in puzzle.clues.items():
        r, c = cell // cols, cell % cols
        out.append(
            told(
                [
                    i * cols + j
                    for i in range(rows)
                    for j in range(cols)
                    if max(abs(i - r), abs(j - c)) == 1 or (own and (i, j) == (r, c))
                ],
                number,
            )
        )
    for i, number in enumerate(puzzle.totals.rows):
        if number is not None:
            out.append(told([i * cols + j for j in range(cols)], number))
    for j, number in enumerate(puzzle.totals.columns):
        if number is not None:
            out.append(told([i * cols + j for i in range(rows)], number))
    if puzzle.totals.mines is not None:
        out.append(told(list(range(rows * cols)), puzzle.totals.mines))
    return out


def models(cells: Iterable[int], said: Iterable[tuple[frozenset[int], int]]) -> list[frozenset[int]]:
    """Every set of mines among ``cells`` that agrees with every sentence."""
    cells, said = list(cells), list(said)
    out = []
    for bits in product((0, 1), repeat=len(cells)):
        mines = frozenset(c for c, bit in zip(cells, bits, strict=True) if bit)
        if all(len(mines & where) == number for where, number in said):
            out.append(mines)
    return out


def covered(puzzle) -> list[int]:
    return [c for c in range(puzzle.shape.rows * puzzle.shape.cols) if puzzle.covered >> c & 1]


def solutions(puzzle) -> list[frozenset[int]]:
    """Every solution of a board, as the mines among its covered cells."""
    return models(covered(puzzle), sentences(puzzle))


def always(puzzle) -> tuple[set[int], set[int]]:
    """Cells that are mines in every solution, and in none."""
    found = solutions(puzzle)
    cells = covered(puzzle)
    return {c for c in cells if all(c in m for m in found)}, {c for c in cells if not any(c in m for m in found)}


def smallest_clash(puzzle) -> int:
    """The least number of sentences that cannot all be true."""
    said, cells = sentences(puzzle), covered(puzzle)
    for size in range(1, len(said) + 1):
        for some in combinations(said, size):
            where = sorted(set().union(*(s for s, _ in some)) & set(cells))
            if not models(where, some):
                return size
    return 0


def best_win(puzzle) -> float:
    """The chance to win a click-to-reveal game with the best play, by trying every game."""
    found = solutions(puzzle)
    rows, cols = puzzle.shape.rows, puzzle.shape.cols
    shown = frozenset(c for c in range(rows * cols) if puzzle.mines >> c & 1)

    def seen(cell, mines):
        r, c = cell // cols, cell % cols
        return sum(
            i * cols + j in mines or i * cols + j in shown
            for i in range(max(0, r - 1), min(rows, r + 2))
            for j in range(max(0, c - 1), min(cols, c + 2))
            if (i, j) != (r, c)
        )

    def play(left, opened):
        if len(left) == 1:  # all that is left to open is known
            return 1
        best = 0
        for cell in covered(puzzle):
            if cell in opened:
                continue
            alive = [m for m in left if cell not in m]
            if not alive:
                continue
            parts = {}
            for m in alive:
                parts.setdefault(seen(cell, m), []).append(m)
            best = max(best, sum(play(part, opened | {cell}) for part in parts.values()))
        return best

    return play(found, frozenset()) / len(found)
