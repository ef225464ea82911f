"""Totals in a board's margins: painted ones, and those of our own page in a real browser."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from chromium import Chromium

from autosolve.board import notation
from autosolve.board.shape import Shape
from autosolve.player import page
from autosolve.vision import digits
from autosolve.vision.frame import Frame, Pixels, Point
from autosolve.vision.grid import Grid
from autosolve.vision.margins import read_margins
from autosolve.vision.profile import Margins, load

SITE = load("local-player")
FINE = 4  # numbers are drawn this much larger, then averaged down
ATLAS = cv2.imread(str(Path(digits.__file__).with_name("digits.png")), cv2.IMREAD_GRAYSCALE)
assert ATLAS is not None
FONTS = len(ATLAS) // 32
ROWS = (3, 0, 12, None, 7, 10, 11)
COLUMNS = (1, 2, 5, 0, 4, 6, 3, 7, None, 2, 6, 5, 4)


def drawn(value: int, tall: float, font: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    """A number's ink, ``FINE`` times its size."""
    high = round(tall * FINE)
    parts = []
    for char in str(value):
        square = ATLAS[font * 32 + 4 : font * 32 + 28, int(char) * 32 : int(char) * 32 + 32]
        columns = np.flatnonzero(square.max(0) > 60)
        cut = square[:, columns[0] : columns[-1] + 1]
        glyph = cv2.resize(cut, (max(2, round(cut.shape[1] * high / 24)), high), interpolation=cv2.INTER_LINEAR)
        # figures of one font are equally wide
        side = max(0, round(0.72 * high) - glyph.shape[1])
        parts.append(np.pad(glyph, ((0, 0), (side // 2, side - side // 2))))
    return (np.hstack(parts) / 255).astype(np.float32)


def paint(
    rows: tuple[int | None, ...] = ROWS,
    columns: tuple[int | None, ...] = COLUMNS,
    *,
    pitch: float = 32.0,
    font: int = 0,
    dark: bool = False,
    sides: tuple[str, str] = ("left", "top"),
) -> tuple[Frame, Grid]:
    """A board of 7 x 13 cells with a frame and its totals beside it, half a cell away."""
    shape = Shape(7, 13)
    ground, ink, line, body = ((41, 35, 32), 200, 8, 104) if dark else ((248, 246, 245), 96, 90, 200)
    left, top = 2.6 * pitch, 2.4 * pitch
    size = round((top + (shape.rows + 2.5) * pitch) * FINE), round((left + (shape.cols + 2.5) * pitch) * FINE)
    picture = np.full((*size, 3), ground, np.uint8)

    def box(x0: float, y0: float, x1: float, y1: float, colour: int) -> None:
        picture[round(y0 * FINE) : round(y1 * FINE), round(x0 * FINE) : round(x1 * FINE)] = colour

    right, bottom = left + shape.cols * pitch, top + shape.rows * pitch
    box(left - 4, top - 4, right + 4, bottom + 4, line)
    for r in range(shape.rows):
        for c in range(shape.cols):
            box(left + c * pitch + 1, top + r * pitch + 1, left + (c + 1) * pitch, top + (r + 1) * pitch, body)

    def put(value: int | None, x: float, y: float) -> None:
        if value is None:
            return
        share = drawn(value, 0.37 * pitch, font)[:, :, None]
        y0, x0 = round(y * FINE - share.shape[0] / 2), round(x * FINE - share.shape[1] / 2)
        part = picture[y0 : y0 + share.shape[0], x0 : x0 + share.shape[1]]
        part[:] = np.round(part * (1 - share) + ink * share)

    for r, value in enumerate(rows):
        put(value, left - 0.95 * pitch if sides[0] == "left" else right + 0.95 * pitch, top + (r + 0.5) * pitch)
    for c, value in enumerate(columns):
        put(value, left + (c + 0.5) * pitch, top - 0.95 * pitch if sides[1] == "top" else bottom + 0.95 * pitch)
    small = cv2.resize(picture, (size[1] // FINE, size[0] // FINE), interpolation=cv2.INTER_AREA)
    return Frame(np.asarray(small, np.uint8)), Grid(shape, left, top, pitch, pitch)


@pytest.mark.parametrize("font", [0, 2, 4, 8, 9, 12, 15, 22])
@pytest.mark.parametrize("pitch", [24.0, 32.0, 45.7, 80.0])
def test_totals_are_read_in_any_font_and_size(font: int, pitch: float) -> None:
    frame, grid = paint(pitch=pitch, font=font)
    assert read_margins(frame, grid, SITE) == (ROWS, COLUMNS, ())


def test_they_may_stand_on_any_side_and_be_light_on_dark() -> None:
    frame, grid = paint(dark=True, sides=("right", "bottom"))
    other = replace(SITE, margins=Margins("right", "bottom", 1.8))
    assert read_margins(frame, grid, other) == (ROWS, COLUMNS, ())
    assert read_margins(frame, grid, SITE) == ((), (), ())
    only = replace(SITE, margins=Margins(None, "bottom", 1.8))
    assert read_margins(frame, grid, only) == ((), COLUMNS, ())


def test_places_in_points_are_not_pixels() -> None:
    frame, grid = paint(pitch=48.0)
    half = replace(grid, left=grid.left / 2 + 31, top=grid.top / 2 - 900, pitch_x=24.0, pitch_y=24.0)
    assert read_margins(Frame(frame.pixels, Point(31, -900), 2.0), half, SITE) == (ROWS, COLUMNS, ())


def test_a_board_without_totals_has_none() -> None:
    frame, grid = paint((), ())
    assert read_margins(frame, grid, SITE) == ((), (), ())
    said = frame.pixels.copy()
    x, y = round(grid.left), round(grid.top - 20)
    cv2.putText(said, "12 numbers are wrong, all others are right", (x, y), 0, 0.55, (20, 20, 160), 1, cv2.LINE_AA)
    assert read_margins(Frame(said), grid, SITE)[:2] == ((), ())
    assert read_margins(frame, grid, load("puzzle-minesweeper")) == ((), (), ())


def test_a_cut_side_has_no_totals() -> None:
    frame, grid = paint()
    cut = replace(grid, cut=frozenset({"left"}))
    assert read_margins(frame, cut, SITE)[0] == ()


def test_a_hidden_total_is_doubtful_and_the_others_stay() -> None:
    frame, grid = paint()
    hidden = frame.pixels.copy()
    x, y = round(grid.left - 0.95 * 32), round(grid.top + 2.5 * 32)
    hidden[y - 2 : y + 2, x - 9 : x + 9] = (60, 60, 200)
    rows, columns, doubts = read_margins(Frame(hidden), grid, SITE)
    assert rows == (3, 0, None, None, 7, 10, 11)
    assert columns == COLUMNS
    assert doubts == ("the total of row 3 cannot be read",)


def test_half_of_a_number_is_no_smaller_number() -> None:
    """A patch in the page's colour over one digit of 12, 10 or 11 leaves a digit beside the middle."""
    frame, grid = paint()
    for line in (2, 5, 6):
        x, y = round(grid.left - 0.95 * 32), round(grid.top + (line + 0.5) * 32)
        for first, last in ((x - 16, x), (x, x + 16)):
            hidden = frame.pixels.copy()
            hidden[y - 10 : y + 10, first:last] = frame.pixels[3, 3]
            rows, _, doubts = read_margins(Frame(hidden), grid, SITE)
            assert rows[line] is None
            assert doubts == (f"the total of row {line + 1} cannot be read",)


def test_totals_that_cannot_be_are_no_facts() -> None:
    frame, grid = paint((3, 14, 2, 1, 7, 10, 11))
    rows, _, doubts = read_margins(frame, grid, SITE)
    assert rows[1] is None
    assert doubts == ("the total of row 2 is 14, more than its 13 cells",)
    frame, grid = paint((3, 1, 2, 1, 7, 10, 11), (1, 2, 5, 0, 4, 6, 3, 7, 1, 2, 6, 5, 4))
    rows, columns, doubts = read_margins(frame, grid, SITE)
    assert rows == (None,) * 7
    assert columns == (None,) * 13
    assert doubts == ("the totals of the rows add up to 35, those of the columns to 46",)


def changes(pixels: Pixels, grid: Grid, rng: random.Random) -> list[Pixels]:
    """Blurred, compressed, tinted, and with a window's corner over the margins."""
    out = [np.asarray(cv2.GaussianBlur(pixels, (0, 0), s), np.uint8) for s in (0.6, 1.0, 1.6)]
    for quality in (50, 80):
        done, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])
        assert done
        out.append(np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8))
    out.append(np.round(pixels * np.array([0.55, 0.75, 0.95])).astype(np.uint8))
    for _ in range(40):
        over = pixels.copy()
        x, y = round(rng.uniform(0, grid.left + 4 * 32)), round(rng.uniform(0, grid.top + 4 * 32))
        over[y : y + rng.randint(2, 60), x : x + rng.randint(2, 60)] = rng.choice([0, 120, 255])
        out.append(over)
    return out


def test_no_change_of_the_picture_makes_a_wrong_total() -> None:
    frame, grid = paint()
    told = 0
    for picture in changes(frame.pixels, grid, random.Random(8)):
        rows, columns, _ = read_margins(Frame(picture), grid, SITE)
        for seen, true in ((rows, ROWS), (columns, COLUMNS)):
            assert all(s in (None, t) for s, t in zip(seen, true, strict=bool(seen)))
            told += sum(s is not None for s in seen)
    assert told > 15 * 46  # of 18 each


# ---------------------------------------------------------------- our own page


@pytest.mark.parametrize(("ratio", "dark"), [(1.0, False), (1.0, True), (1.5, False), (2.0, True)])
def test_the_players_page_is_read(headless: Chromium, tmp_path: Path, ratio: float, dark: bool) -> None:
    rows, columns = (4, 0, None, 3, 2), (1, 2, 0, 3, None, 1, 1, 0, 0, 0, 0, 1)
    told = [" ".join("?" if v is None else str(v) for v in some) for some in (rows, columns)]
    board = [".F.F........", "............", "...F........", "............", "............"]
    text = f"rows: {told[0]}\ncolumns: {told[1]}\n" + "\n".join(board)
    file = tmp_path / "page.html"
    file.write_text(page(notation.parse(text)), encoding="utf-8")
    theme = "dark" if dark else "light"
    headless.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
    headless.metrics(900, 700, ratio)
    headless.open(file.as_uri())
    headless.settle()
    box = headless.js("document.querySelector('.cell').getBoundingClientRect().toJSON()")
    pixels = cv2.imdecode(np.frombuffer(headless.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    headless.command("Emulation.setEmulatedMedia", features=[])  # the browser is shared
    assert pixels is not None
    pitch = 32 * ratio
    grid = Grid(Shape(5, 12), (box["x"] - 0.5) * ratio, (box["y"] - 0.5) * ratio, pitch, pitch)
    assert read_margins(Frame(np.asarray(pixels, np.uint8)), grid, SITE) == (rows, columns, ())
