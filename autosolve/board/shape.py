"""Owns the names and neighbourhoods of cells: what a rectangle of cells is before anything is known of it.

Legend: a ``Cell`` is an int, row-major from 0; a ``CellSet`` is an int used as a bit mask, bit ``c`` set when
cell ``c`` is in it. People see ``r4c7``: row 4, column 7, counted from 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import NewType

from autosolve.errors import WrongUse

Cell = NewType("Cell", int)
CellSet = int

MAX_SIDE = 500
# cells up to which all neighbourhoods of a shape are kept: a mask has a bit for every cell, so they grow as its square
_KEPT = 4096
# masks longer than this are taken apart first; so many cells are put together without one
_WORD = 512
_FEW = 32


def cell_set(cells: Iterable[int]) -> CellSet:
    """The mask that holds exactly ``cells``."""
    cells = list(cells)
    if len(cells) < _FEW:
        mask = 0
        for cell in cells:
            mask |= 1 << cell
        return mask
    # each step above takes time as long as the mask is
    bits = bytearray(max(cells) // 8 + 1)
    for cell in cells:
        bits[cell >> 3] |= 1 << (cell & 7)
    return int.from_bytes(bits, "little")


def cells_in(mask: CellSet) -> Iterator[Cell]:
    """The cells of a mask in rising order."""
    if mask.bit_length() > _WORD:
        data = mask.to_bytes(mask.bit_length() // 8 + 1, "little")
        for start in range(0, len(data), _WORD // 8):
            for cell in cells_in(int.from_bytes(data[start : start + _WORD // 8], "little")):
                yield Cell(8 * start + cell)
        return
    while mask:
        low = mask & -mask
        yield Cell(low.bit_length() - 1)
        mask ^= low


@dataclass(frozen=True, slots=True)
class Shape:
    """A rectangle of ``rows`` x ``cols`` cells, each side 1 to 500."""

    rows: int
    cols: int

    def __post_init__(self) -> None:
        if not (1 <= self.rows <= MAX_SIDE and 1 <= self.cols <= MAX_SIDE):
            raise WrongUse(
                f"A board of {self.rows}x{self.cols} cells is not possible.",
                f"Rows and columns go from 1 to {MAX_SIDE}.",
            )

    def __str__(self) -> str:
        return f"{self.rows}x{self.cols}"

    @property
    def size(self) -> int:
        """Number of cells."""
        return self.rows * self.cols

    @property
    def middle(self) -> Cell:
        """The cell in the middle; of two or four, the lower right one."""
        return self.cell(self.rows // 2, self.cols // 2)

    @property
    def all(self) -> CellSet:
        """The set of every cell."""
        return (1 << self.size) - 1

    def cell(self, row: int, col: int) -> Cell:
        """The cell at 0-based ``row``, ``col``; IndexError outside the board."""
        if not (0 <= row < self.rows and 0 <= col < self.cols):
            raise IndexError(f"no cell at row {row}, column {col} on a {self} board")
        return Cell(row * self.cols + col)

    def at(self, cell: int) -> tuple[int, int]:
        """0-based (row, column) of a cell."""
        return divmod(cell, self.cols)

    def name(self, cell: int) -> str:
        """``r4c7``, counted from 1."""
        row, col = divmod(cell, self.cols)
        return f"r{row + 1}c{col + 1}"

    def names(self, mask: CellSet) -> str:
        """Names of a set, separated by blanks, in rising order."""
        return " ".join(self.name(c) for c in cells_in(mask))

    def pairs(self, mask: CellSet) -> list[tuple[int, int]]:
        """0-based (row, column) of a set's cells, in rising order."""
        return [divmod(c, self.cols) for c in cells_in(mask)]

    def row(self, row: int) -> CellSet:
        """The cells of one row."""
        return ((1 << self.cols) - 1) << (row * self.cols)

    def column(self, col: int) -> CellSet:
        """The cells of one column."""
        return cell_set(range(col, self.size, self.cols))

    def neighbours(self, cell: int) -> CellSet:
        """The up to eight cells around ``cell``, without it."""
        if self.size <= _KEPT:
            return _neighbourhoods(self.rows, self.cols)[cell]
        return _around(self.rows, self.cols, cell)


def _around(rows: int, cols: int, cell: int) -> CellSet:
    row, col = divmod(cell, cols)
    left = max(0, col - 1)
    line = (1 << min(cols, col + 2) - left) - 1 << left
    mask = 0
    for r in range(max(0, row - 1), min(rows, row + 2)):
        mask |= line << r * cols
    return mask ^ 1 << cell


@cache
def _neighbourhoods(rows: int, cols: int) -> tuple[CellSet, ...]:
    return tuple(_around(rows, cols, cell) for cell in range(rows * cols))
