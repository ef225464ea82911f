"""Owns the comparison of pictures: whether a board, a cell or a part of the screen still looks as it did."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import cv2

from autosolve.clicks.plan import Click
from autosolve.errors import WrongUse
from autosolve.vision.frame import Box, Frame, Monitor, Point
from autosolve.vision.grid import Grid
from autosolve.vision.profile import Margins
from autosolve.vision.read import Reading

TOLERANCE = 8  # levels of 255 by which a pixel may differ and still be the same
WITNESSES = 24  # clues that are looked at with every batch


def same(one: Frame, other: Frame, box: Box) -> bool:
    """Whether two pictures show the same inside ``box`` (screen points), but for a few levels of noise. False
    where one of them does not reach over the box."""
    try:
        a, b = one.crop(box), other.crop(box)
    except WrongUse:
        return False
    if math.dist(a.origin, b.origin) > 0.1 or a.pixels.shape != b.pixels.shape:
        return False
    return float(cv2.norm(a.pixels, b.pixels, cv2.NORM_INF)) <= TOLERANCE


def stands(reading: Reading, frame: Frame) -> bool:
    """Whether a fresh picture of the board, or of a part of it, shows it where it was read: most of its clues look
    as they did.

    A clue may change its ground when a mark near it contradicts it; when the board moves all of them change, even
    where it moves by whole cells."""
    grid, box, cols = reading.grid, frame.box.grown(0.5), reading.grid.shape.cols
    down = range(math.ceil((box.y - grid.top) / grid.pitch_y), math.floor((box.bottom - grid.top) / grid.pitch_y))
    across = range(math.ceil((box.x - grid.left) / grid.pitch_x), math.floor((box.right - grid.left) / grid.pitch_x))
    clues = [c for c in _clues(reading) if c // cols in down and c % cols in across]
    witnesses = clues[:: max(1, len(clues) // WITNESSES)]
    kept = sum(same(reading.frame, frame, inside(grid, cell)) for cell in witnesses)
    return 2 * kept >= len(witnesses)


@lru_cache(maxsize=2)
def _clues(reading: Reading) -> tuple[int, ...]:
    """The cells that show a number."""
    return tuple(c for c, symbol in enumerate(reading.symbols) if symbol.number is not None)


def about(grid: Grid, cells: Sequence[int]) -> Box:
    """The part of the board that holds these cells and some clues around them."""
    boxes = [grid.cell_box(cell) for cell in cells]
    left, top = min(b.x for b in boxes), min(b.y for b in boxes)
    right, bottom = max(b.right for b in boxes), max(b.bottom for b in boxes)
    return Box(left, top, right - left, bottom - top).grown(3 * max(grid.pitch_x, grid.pitch_y)).clipped(grid.box)


def shows(reading: Reading, frame: Frame, click: Click) -> bool:
    """Whether a click has taken some effect: its cell looks unlike it was read."""
    return not same(reading.frame, frame, inside(reading.grid, click.cell))


def around(grid: Grid, margins: Margins | None = None) -> Box:
    """What is looked at to see a board again: it, and a cell's breadth of its surroundings; where totals are printed
    beside it, these too."""
    return grid.box.grown(max(grid.pitch_x, grid.pitch_y) * max(1.0, margins.reach if margins is not None else 0.0))


def inside(grid: Grid, cell: int) -> Box:
    """A cell without its rim, which its neighbours and the lines between may touch."""
    return grid.cell_box(cell).grown(-0.15 * min(grid.pitch_x, grid.pitch_y))


def moved(one: Grid, other: Grid) -> bool:
    return (
        max(
            abs(one.left - other.left),
            abs(one.top - other.top),
            abs(one.box.right - other.box.right),
            abs(one.box.bottom - other.box.bottom),
        )
        > 0.2 * one.pitch_x
    )


def parking(grid: Grid, monitors: Sequence[Monitor], frame: Frame) -> Point | None:
    """A place for the pointer: off the board, off the rims and corners of its monitor, and plain to look at.

    None where the board leaves no room at all."""
    board = grid.box
    centre = Point(board.x + board.width / 2, board.y + board.height / 2)
    home = [m.box for m in monitors if m.box.holds(centre)] or [m.box for m in monitors]
    pitch = max(grid.pitch_x, grid.pitch_y)
    spots: list[Point] = []
    for step in (1.0, 1.5, 2.5, 4.0):
        away = step * pitch
        for share in (0.5, 0.25, 0.75):
            x, y = board.x + share * board.width, board.y + share * board.height
            spots += [
                Point(board.right + away, y),
                Point(board.x - away, y),
                Point(x, board.bottom + away),
                Point(x, board.y - away),
            ]
    for box in home:
        spots += [
            Point(box.x + fx * box.width, box.y + fy * box.height)
            for fx, fy in ((0.97, 0.5), (0.03, 0.5), (0.5, 0.97), (0.5, 0.03), (0.97, 0.3), (0.03, 0.7))
        ]
    near = board.grown(0.5 * pitch)
    open_spots = [s for s in spots if not near.holds(s) and any(b.grown(-8).holds(s) for b in home)]
    if not open_spots:
        others = [m.box for m in monitors if m.box not in home]
        open_spots = [Point(b.x + b.width / 2, b.y + b.height / 2) for b in others]
    return min(open_spots, key=lambda s: _busyness(frame, s), default=None)


def _busyness(frame: Frame, spot: Point) -> float:
    """How much is drawn around a place: the spread of its pixels, in levels; a lot where the picture ends."""
    around = Box(spot.x - 12, spot.y - 12, 24, 24)
    if around.clipped(frame.box) != around:
        return 1000.0
    return round(float(frame.crop(around).pixels.std()))


def other_board(one: Reading, two: Reading) -> bool:
    """Whether two readings are of different puzzles; a cell doubtful in one of them speaks for neither."""
    hidden = one.doubtful | two.doubtful
    return one.grid.shape != two.grid.shape or any(
        a.number != b.number
        for c, (a, b) in enumerate(zip(one.symbols, two.symbols, strict=True))
        if not hidden >> c & 1
    )
