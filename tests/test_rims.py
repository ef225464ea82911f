"""Tests what the sides of a board where cells are opened tell: whether it goes on beyond the picture."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from autosolve.board.shape import Shape
from autosolve.vision.frame import Frame
from autosolve.vision.profile import load, site_folders
from autosolve.vision.read import read
from autosolve.vision.refusal import refusal
from tests.skins import LOOKS, WIDE, paint

PITCH, MARGIN = 27, 60
ROWS, COLS = len(WIDE), len(WIDE[0])
SITES = [load(name) for name in site_folders() if load(name).reader == "skin"]
Pixels = npt.NDArray[np.uint8]


def less(picture: Pixels, side: str, cells: float) -> Pixels:
    """A picture cut so that so many cells of the board are lost on one side."""
    pixels = MARGIN + round(cells * PITCH)
    if side in ("left", "right"):
        picture = picture[:, pixels:] if side == "left" else picture[:, :-pixels]
    else:
        picture = picture[pixels:] if side == "top" else picture[:-pixels]
    return np.ascontiguousarray(picture)


@pytest.mark.parametrize("look", ["bevelled", "lawn", "tiles"])
@pytest.mark.parametrize("side", ["left", "right", "top", "bottom"])
@pytest.mark.parametrize("lost", [1.0, 1.15, 1.85])
def test_a_board_that_hangs_out_of_the_picture_is_not_taken_for_a_smaller_one(
    look: str, side: str, lost: float
) -> None:
    reading = read(Frame(less(paint(WIDE, LOOKS[look], PITCH, MARGIN), side, lost)), SITES)
    assert side in reading.grid.cut or reading.doubts
    assert refusal(reading) is not None


@pytest.mark.parametrize("look", sorted(LOOKS))
def test_a_whole_board_is_whole_with_much_little_or_nothing_around_it(look: str) -> None:
    picture = paint(WIDE, LOOKS[look], PITCH, MARGIN)
    for left, right, top, bottom in (
        (MARGIN, MARGIN, MARGIN, MARGIN),
        (0, 0, 0, 0),  # cut to the board
        (0, 0, MARGIN, 0),  # as wide as a phone, with a header
        (5, 5, MARGIN, 5),  # in a narrow window
        (5, MARGIN, MARGIN, 5),  # the page shows on every side
    ):
        high, wide = picture.shape[:2]
        part = picture[MARGIN - top : high - MARGIN + bottom, MARGIN - left : wide - MARGIN + right]
        reading = read(Frame(np.ascontiguousarray(part)), SITES)
        assert (reading.grid.shape, reading.grid.cut) == (Shape(ROWS, COLS), frozenset()), (left, right, top, bottom)


def test_a_size_given_by_a_person_ends_the_doubt_whether_all_is_seen() -> None:
    picture = less(paint(WIDE, LOOKS["bevelled"], PITCH, MARGIN), "left", 0)  # the board ends with the picture
    alone = read(Frame(picture), SITES)
    assert alone.grid.cut == {"left"}
    told = read(Frame(picture), SITES, size=Shape(ROWS, COLS))
    assert told.grid.cut == frozenset() and refusal(told, Shape(ROWS, COLS)) is None
    again = read(Frame(picture), told.profile, grid=told.grid)  # a later lap
    assert again.grid.cut == frozenset()
