"""Owns the step from a puzzle to the flat arrays that the kernels read."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from autosolve.board.puzzle import Puzzle
from autosolve.errors import WrongUse

Bytes = NDArray[np.int8]
Ints = NDArray[np.int32]


class Sheet(NamedTuple):
    """A board as flat arrays, row-major.

    ``clue``   int8 per cell: the number shown, -1 for none
    ``cover``  int8 per cell: 0 open, 1 covered, 2 shown or known to be a mine
    ``mines``  on the whole board, shown ones too; -1 where not told
    ``lines``  int32: totals of the rows, then of the columns, -1 where not told; None where none is
    """

    clue: Bytes
    cover: Bytes
    mines: int
    lines: Ints | None


def sheet(puzzle: Puzzle) -> Sheet:
    """The facts of a puzzle as flat arrays."""
    size, totals = puzzle.shape.size, puzzle.totals
    clue = np.full(size, -1, np.int8)
    clue[list(puzzle.clues)] = list(puzzle.clues.values())
    cover = _bits(puzzle.covered, size) + 2 * _bits(puzzle.mines, size)
    lines = None
    if any(t is not None for t in (*totals.rows, *totals.columns)):
        rows = totals.rows or (None,) * puzzle.shape.rows
        columns = totals.columns or (None,) * puzzle.shape.cols
        lines = np.array([-1 if t is None else t for t in (*rows, *columns)], np.int32)
    return Sheet(clue, cover, -1 if totals.mines is None else totals.mines, lines)


def _bits(mask: int, size: int) -> Bytes:
    packed = np.frombuffer(mask.to_bytes((size + 7) // 8, "little"), np.uint8)
    return np.unpackbits(packed, count=size, bitorder="little").astype(np.int8)


def unfit(clue: object, cover: object, size: int) -> WrongUse:
    """What to say of arrays that a kernel cannot read."""
    return WrongUse(
        f"This is no board of {size} cells: clue {_seen(clue)}, cover {_seen(cover)}.",
        "Give two flat arrays of int8 with one entry a cell.",
    )


def _seen(array: object) -> str:
    return f"{array.dtype}{list(array.shape)}" if isinstance(array, np.ndarray) else type(array).__name__
