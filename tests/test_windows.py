"""What lies over a board: windows in any colour, also a cell's own; and boards with nothing over them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from autosolve.board.shape import Shape
from autosolve.errors import BoardNotFound
from autosolve.vision import windows
from autosolve.vision.frame import Frame
from autosolve.vision.grid import Grid
from autosolve.vision.profile import Profile, Symbol, load, site_folders
from autosolve.vision.read import read
from tests.skins import LOOKS, WIDE, Picture, paint

BY_LOOK: list[Profile] = [p for p in (load(name) for name in site_folders()) if p.reader == "skin"]
PITCH, MARGIN = 32, 40
PLACES = [(150, 90, 200, 110), (20, 20, 170, 100), (440, 200, 200, 120), (30, 30, 520, 75)]  # x, y, width, height


def board(name: str) -> tuple[Picture, Grid]:
    picture = paint(WIDE, LOOKS[name], PITCH, MARGIN)
    return picture, Grid(Shape(len(WIDE), len(WIDE[0])), MARGIN, MARGIN, PITCH, PITCH)


def covered(picture: Picture, place: tuple[int, int, int, int], colour: tuple[int, int, int]) -> Picture:
    """The picture with a plain window over a part of it: a title bar, no border."""
    x, y, wide, high = place
    out = picture.copy()
    out[y : y + high, x : x + wide] = colour
    out[y : y + 12, x : x + wide] = (200, 120, 40)
    cv2.putText(out, "Save it? 1 2 3", (x + 8, y + high // 2), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (0, 0, 0), 1, cv2.LINE_AA)
    return out


@pytest.mark.parametrize("name", list(LOOKS))
def test_nothing_lies_over_a_board_that_is_whole(name: str) -> None:
    picture, grid = board(name)
    over = windows.overlaid(Frame(picture), grid)
    assert not over.boxes
    assert not windows.hidden(over, [Symbol(c) for c in "".join(WIDE)], (), grid.shape)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", list(LOOKS))
def test_nothing_is_told_under_a_window_in_a_cells_own_colour(name: str, place: tuple[int, int, int, int]) -> None:
    picture = board(name)[0]
    x, y, wide, high = place
    for colour in {*LOOKS[name].covered, *LOOKS[name].opened}:
        try:
            reading = read(Frame(covered(picture, place, colour)), BY_LOOK)
        except BoardNotFound:
            continue
        for cell in range(reading.grid.shape.size):
            if cell in reading.doubts:
                continue
            at = reading.grid.centre(cell)
            assert not (x <= at.x <= x + wide and y <= at.y <= y + high), (colour, reading.grid.shape.at(cell))
            row, col = int((at.y - MARGIN) // PITCH), int((at.x - MARGIN) // PITCH)
            assert reading.symbols[cell].value == WIDE[row][col]


def test_a_rectangle_hides_the_cells_that_it_reaches_into() -> None:
    picture, grid = board("bevelled")
    x, y, wide, high = 150, 90, 200, 110
    over = windows.overlaid(Frame(covered(picture, (x, y, wide, high), (60, 60, 60))), grid)
    rows, cols = range(1, 5), range(3, 10)  # 90 - 200 and 150 - 350 pixels
    assert over.boxes == ((rows[0], rows[-1], cols[0], cols[-1]),)
    assert over.within == ((2, 4, 4, 8),)
    hidden = windows.hidden(over, [Symbol(c) for c in "".join(WIDE)], (), grid.shape)
    assert hidden == [r * len(WIDE[0]) + c for r in rows for c in cols]


@pytest.mark.parametrize("name", ["bevelled", "tiles", "dark"])
def test_a_window_of_opened_ground_hides_its_own_cells_only(name: str) -> None:
    """It looks like many opened blanks among covered cells, which no position has."""
    picture, grid = board(name)
    x, y, wide, high = MARGIN + 9 * PITCH, MARGIN + 2 * PITCH, 5 * PITCH, 4 * PITCH
    picture[y + 1 : y + high, x + 1 : x + wide] = LOOKS[name].opened[0]
    cv2.putText(picture, "Best time", (x + 30, y + 30), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
    reading = read(Frame(picture), BY_LOOK)
    assert reading.grid.shape == grid.shape and not reading.grid.cut
    under = {r * len(WIDE[0]) + c for r in range(2, 6) for c in range(9, 14)}
    assert under <= set(reading.doubts) and len(reading.doubts) <= 2 * len(under)
    told = [c for c in range(grid.shape.size) if c not in reading.doubts]
    assert not [c for c in told if reading.symbols[c].value != "".join(WIDE)[c]]


def test_what_a_window_shows_of_its_own_is_none_of_the_boards() -> None:
    """A small board within it, its cells just where the large one's are."""
    picture, grid = board("tiles")
    x, y = MARGIN + 2 * PITCH, MARGIN + PITCH
    picture[y + 1 : y + 6 * PITCH, x + 1 : x + 6 * PITCH] = LOOKS["tiles"].opened[0]
    small = paint(["1F1", "121", ".1."], LOOKS["tiles"], PITCH, 0)
    picture[y + PITCH : y + 4 * PITCH, x + PITCH : x + 4 * PITCH] = small
    reading = read(Frame(picture), BY_LOOK)
    assert reading.grid.shape == grid.shape
    assert {r * len(WIDE[0]) + c for r in range(1, 6) for c in range(2, 7)} <= set(reading.doubts)


def test_cells_that_hidden_ones_enclose_are_hidden() -> None:
    rows, cols = 7, 9
    none = windows.Over(
        (), (), (np.full((rows, cols - 1), 255.0, np.float32), np.full((rows - 1, cols), 255.0, np.float32))
    )
    ring = [r * cols + c for r in range(1, 6) for c in range(2, 7) if r in (1, 5) or c in (2, 6)]
    symbols = [Symbol.CLUE_1] * (rows * cols)
    hidden = windows.hidden(none, symbols, ring, Shape(rows, cols))
    assert hidden == [r * cols + c for r in range(2, 5) for c in range(3, 6)]
    assert not windows.hidden(none, symbols, ring[:-4], Shape(rows, cols))  # it is open


def test_a_line_drawn_on_a_board_is_no_window() -> None:
    picture, grid = board("bevelled")
    cv2.rectangle(picture, (46, 46), (190, 92), (0, 0, 255), 2)
    assert not windows.overlaid(Frame(picture), grid).boxes


def test_dotted_lines_and_gaps_between_cells_are_edges() -> None:
    rows, cols = 6, 8
    grid = Grid(Shape(rows, cols), 10, 10, 24, 24)
    symbols = [Symbol.CLUE_0] * (rows * cols)
    dotted = np.full((164, 212, 3), 192, np.uint8)
    gaps = np.full((164, 212, 3), 255, np.uint8)
    for k in range(max(rows, cols) + 1):
        dotted[10 + k * 24 : 11 + k * 24, ::2] = 0
        dotted[::2, 10 + k * 24 : 11 + k * 24] = 0
    for r in range(rows):
        for c in range(cols):
            gaps[13 + r * 24 : 31 + r * 24, 13 + c * 24 : 31 + c * 24] = 200
    for picture in (dotted, gaps):
        assert not windows.hidden(windows.overlaid(Frame(picture), grid), symbols, (), grid.shape)
        picture[34:82, 58:130] = picture[20, 20]  # two rows of three cells without edges
        hidden = windows.hidden(windows.overlaid(Frame(picture), grid), symbols, (), grid.shape)
        assert {r * cols + c for r in (1, 2) for c in (2, 3, 4)} <= set(hidden)
