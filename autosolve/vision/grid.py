"""Owns where the cells are: finds a lattice of any size, place, zoom and fractional pitch in a picture."""

from __future__ import annotations

from dataclasses import dataclass

from autosolve.board.shape import Shape
from autosolve.vision.frame import Box, Point


@dataclass(frozen=True, slots=True)
class Grid:
    """Where a board's cells are, in screen points.

    ``left``, ``top``       outer corner of the first cell (the middle of its grid line, where there are lines)
    ``pitch_x``, ``pitch_y``  distance from a cell to the next, a fraction
    ``cut``                 sides on which the board goes on but is not shown: any of "top bottom left right"
    """

    shape: Shape
    left: float
    top: float
    pitch_x: float
    pitch_y: float
    cut: frozenset[str] = frozenset()

    @property
    def box(self) -> Box:
        """The rectangle of all cells."""
        return Box(self.left, self.top, self.pitch_x * self.shape.cols, self.pitch_y * self.shape.rows)

    def cell_box(self, cell: int) -> Box:
        """The rectangle of one cell."""
        row, col = self.shape.at(cell)
        return Box(self.left + col * self.pitch_x, self.top + row * self.pitch_y, self.pitch_x, self.pitch_y)

    def centre(self, cell: int) -> Point:
        """Where to click a cell."""
        row, col = self.shape.at(cell)
        return Point(self.left + (col + 0.5) * self.pitch_x, self.top + (row + 0.5) * self.pitch_y)
