"""Owns the marks that are laid over a board on the screen itself: a picture of it with nothing but them, and its mask.

What is not marked is not covered. Every meaning has its own shape as well as its own colour: a frame is safe, a
diamond is a mine, a cross is a wrong flag, a number is the chance of a mine in per cent. Edges are hard, so that a mask
of one bit a pixel is enough.
"""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
import numpy.typing as npt

from autosolve.board.shape import Cell, CellSet, cells_in
from autosolve.vision.frame import Pixels
from autosolve.vision.grid import Grid

Mask = npt.NDArray[np.bool_]
Colour = tuple[int, int, int]

# BGR; told apart by people who see red and green alike (after Okabe and Ito)
_GREEN: Colour = (115, 158, 0)
_RED: Colour = (0, 94, 213)
_SKY: Colour = (233, 180, 86)
_PAPER: Colour = (250, 250, 250)
_INK: Colour = (30, 30, 30)


def veil(
    grid: Grid,
    scale: float = 1.0,
    *,
    safe: CellSet = 0,
    mines: CellSet = 0,
    wrong: CellSet = 0,
    chances: Mapping[Cell, float] | None = None,
    best: Cell | None = None,
) -> tuple[Pixels, Mask]:
    """The marks of a board as BGR and where they are, both as large as the board's box in pixels.

    ``scale``  pixels per screen point    ``best``  the cell with the least chance of a mine, framed in another colour
    """
    width, height = max(1, round(grid.box.width * scale)), max(1, round(grid.box.height * scale))
    picture = np.zeros((height, width, 3), np.uint8)
    marked = np.zeros((height, width), np.uint8)
    side = min(grid.pitch_x, grid.pitch_y) * scale
    line = max(2, round(0.09 * side))

    def spot(cell: Cell) -> tuple[int, int]:
        at = grid.centre(cell)
        return round((at.x - grid.box.x) * scale), round((at.y - grid.box.y) * scale)

    def both(draw: str, *shape: object, colour: Colour, thickness: int) -> None:
        getattr(cv2, draw)(picture, *shape, colour, thickness, cv2.LINE_8)
        getattr(cv2, draw)(marked, *shape, 1, thickness, cv2.LINE_8)

    def frame(cell: Cell, colour: Colour) -> None:
        x, y = spot(cell)
        half = int(0.44 * side - 0.5 * line)
        both("rectangle", (x - half, y - half), (x + half, y + half), colour=colour, thickness=line)

    def diamond(cell: Cell) -> None:
        x, y = spot(cell)
        for half, colour in ((0.33, _PAPER), (0.27, _RED)):
            r = round(half * side)
            points = np.array([(x, y - r), (x + r, y), (x, y + r), (x - r, y)], np.int32)
            cv2.fillPoly(picture, [points], colour)
            cv2.fillPoly(marked, [points], 1)

    def cross(cell: Cell) -> None:
        x, y = spot(cell)
        r = round(0.34 * side)
        for wide, colour in ((line + 2, _PAPER), (line, _RED)):
            both("line", (x - r, y - r), (x + r, y + r), colour=colour, thickness=wide)
            both("line", (x - r, y + r), (x + r, y - r), colour=colour, thickness=wide)

    for cell, chance in (chances or {}).items():
        _number(picture, marked, *spot(cell), side, chance)
    for cell in cells_in(safe):
        frame(cell, _GREEN)
    if best is not None:
        frame(best, _SKY)
    for cell in cells_in(mines):
        diamond(cell)
    for cell in cells_in(wrong):
        cross(cell)
    return picture, marked > 0


def _number(picture: Pixels, marked: npt.NDArray[np.uint8], x: int, y: int, side: float, chance: float) -> None:
    """A chance in per cent on a small plate."""
    percent = 100 * chance
    text = f"{percent:.0f}" if percent in (0, 100) else f"{min(max(percent, 1), 99):.0f}"
    font, size = cv2.FONT_HERSHEY_SIMPLEX, 0.4 * side / 22
    thick = max(1, round(side / 26))
    (wide, high), _ = cv2.getTextSize(text, font, size, thick)
    left, bottom = x - wide // 2, y + high // 2
    corner, other = (left - 2, bottom - high - 2), (left + wide + 1, bottom + 2)
    cv2.rectangle(picture, corner, other, _PAPER, -1)
    cv2.rectangle(marked, corner, other, 1, -1)
    cv2.putText(picture, text, (left, bottom), font, size, _INK, thick, cv2.LINE_AA)
