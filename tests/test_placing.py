"""Where a prepared site's cells are: boards enlarged by repeating pixels, cells apart, lines that read as well."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from autosolve.board.shape import Shape
from autosolve.vision import enlarged, picture, profile, uneven
from autosolve.vision.cells import T, normalise
from autosolve.vision.frame import Box, Frame, Pixels, Point
from autosolve.vision.grid import Grid, in_pixels, lattices, overlap
from autosolve.vision.placing import Cells, by_templates
from autosolve.vision.profile import Symbol
from autosolve.vision.read import read

SCREENS = Path(__file__).resolve().parent.parent / "fixtures" / "screens"


def shot(name: str) -> tuple[Frame, Grid, list[str]]:
    """A picture of a real program, where its board is, and what it shows."""
    data = json.loads((SCREENS / f"{name}.json").read_text())
    rows = (SCREENS / f"{name}.txt").read_text().split()
    pitch_x, pitch_y = data["pitch"]
    grid = Grid(Shape(len(rows), len(rows[0])), data["left"], data["top"], pitch_x, pitch_y)
    return picture.load(SCREENS / f"{name}.png"), grid, rows


def shown(pixels: Pixels, p: int, q: int, start: int = 0) -> Pixels:
    """A picture of which p pixels are shown for q, as a program's scale does it."""
    ys, xs = (((np.arange(start, n * p // q) * q) // p).clip(0, n - 1) for n in pixels.shape[:2])
    return np.ascontiguousarray(pixels[ys][:, xs])


@pytest.mark.parametrize(("p", "q"), [(3, 2), (2, 1), (3, 1), (5, 4), (7, 4)])
@pytest.mark.parametrize("start", [0, 1])
def test_repeated_pixels_are_taken_out_again(p: int, q: int, start: int) -> None:
    frame, grid, _ = shot("xdemineur/small-mid")
    scale = p / q
    large = Frame(shown(frame.pixels, p, q, start), Point(100.0, -40.0), 2.0)
    at = large.to_point(grid.left * scale - start, grid.top * scale - start)
    placed = replace(grid, left=at.x, top=at.y, pitch_x=grid.pitch_x * scale / 2, pitch_y=grid.pitch_y * scale / 2)
    drawn = enlarged.drawn(large, placed)
    assert drawn is not None and drawn.scale == pytest.approx(2 / scale)
    x, y, pitch_x, pitch_y = in_pixels(drawn, placed)
    assert (pitch_x, pitch_y) == pytest.approx((21, 21))
    left, top = round(x), round(y)
    assert abs(x - left) < 0.4 and abs(y - top) < 0.4
    rows, cols = grid.shape.rows * 21, grid.shape.cols * 21
    board = frame.pixels[round(grid.top) :, round(grid.left) :][:rows, :cols]
    assert np.array_equal(drawn.pixels[top : top + rows, left : left + cols], board)


@pytest.mark.parametrize(
    "name", ["xdemineur/small-mid", "sgt-mines/20-mid", "kmines/default-mid", "kmines/green-fresh"]
)
def test_what_is_drawn_at_its_size_is_not_taken_apart(name: str) -> None:
    frame, grid, _ = shot(name)
    assert enlarged.drawn(frame, grid) is None
    soft = cv2.resize(frame.pixels, None, fx=1.5, fy=1.5, interpolation=cv2.INTER_LINEAR)
    larger = replace(
        grid, left=grid.left * 1.5, top=grid.top * 1.5, pitch_x=grid.pitch_x * 1.5, pitch_y=grid.pitch_y * 1.5
    )
    assert enlarged.drawn(Frame(np.asarray(soft, np.uint8)), larger) is None


@pytest.mark.parametrize("name", ["xdemineur/small-mid", "sgt-mines/20-mid", "kmines/default-mid"])
@pytest.mark.parametrize(("p", "q"), [(3, 2), (2, 1)])
def test_enlarged_boards_are_read_to_the_last_cell(name: str, p: int, q: int) -> None:
    frame, grid, rows = shot(name)
    reading = read(Frame(shown(frame.pixels, p, q)), profile.load(name.split("/")[0]))
    assert reading.text == [row.replace("#", ".") for row in rows] and not reading.doubts
    # places are those of the picture that was given
    assert reading.frame.width == frame.width * p // q
    assert reading.grid.left == pytest.approx(grid.left * p / q, abs=2)
    again = read(reading.frame, reading.profile, grid=reading.grid)
    assert again.text == reading.text and not again.doubts


@pytest.mark.parametrize("scale", [1.5, 2.0])
def test_smoothly_enlarged_boards_are_never_read_wrongly(scale: float) -> None:
    frame, _, rows = shot("xdemineur/small-mid")
    soft = cv2.resize(frame.pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR)
    reading = read(Frame(np.asarray(soft, np.uint8)), profile.load("xdemineur"))
    assert reading.grid.shape == Shape(len(rows), len(rows[0]))
    seen = [s.char for s in reading.symbols]
    true = "".join(rows).replace("#", ".")
    assert all(s == t for i, (s, t) in enumerate(zip(seen, true, strict=True)) if i not in reading.doubts)
    assert len(reading.doubts) <= 0.1 * len(true)


@pytest.mark.parametrize(("wide", "high"), [(18, 18), (24, 21), (9, 12), (31, 33), (33, 31), (40, 40)])
def test_cells_apart_are_as_each_alone(wide: int, high: int) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (3 * high + 7, 4 * wide + 9, 3)).astype(np.uint8)
    cells = normalise(noise, 5, 3, wide, high, 3, 4, apart=True)
    for i, cell in enumerate(cells):
        top, left = 3 + i // 4 * high, 5 + i % 4 * wide
        alone = normalise(np.ascontiguousarray(noise[top : top + high, left : left + wide]), 0, 0, wide, high, 1, 1)[0]
        assert np.abs(cell.astype(int) - alone).max() <= 1
    assert cells.shape == (12, T, T, 3)


@pytest.mark.parametrize("side", ["top", "bottom", "left", "right"])
@pytest.mark.parametrize("name", ["kmines/default-mid", "sgt-mines/20-mid", "xdemineur/small-mid", "kmines/green-mid"])
def test_a_board_grows_by_the_lines_it_lacks(name: str, side: str) -> None:
    frame, grid, rows = shot(name)
    r0, c0 = int(side == "top"), int(side == "left")
    part = replace(
        grid,
        shape=Shape(len(rows) - (side in ("top", "bottom")), len(rows[0]) - (side in ("left", "right"))),
        left=grid.left + c0 * grid.pitch_x,
        top=grid.top + r0 * grid.pitch_y,
    )
    placed, told = by_templates(Cells(frame, part), profile.load(name.split("/")[0]))
    assert placed.grid.shape == grid.shape
    assert placed.grid.left == pytest.approx(grid.left, abs=1.5) and placed.grid.top == pytest.approx(grid.top, abs=1.5)
    assert told.count >= grid.shape.size - 1


def test_a_known_board_does_not_grow() -> None:
    frame, grid, rows = shot("kmines/default-mid")
    part = replace(grid, shape=Shape(len(rows) - 1, len(rows[0])), top=grid.top + grid.pitch_y)
    assert by_templates(Cells(frame, part, known=True), profile.load("kmines"))[0].grid == part


def _part(grid: Grid, side: str) -> Grid:
    """A lattice without its line at a side."""
    rows, cols = grid.shape.rows - (side in ("top", "bottom")), grid.shape.cols - (side in ("left", "right"))
    left, top = grid.left + (side == "left") * grid.pitch_x, grid.top + (side == "top") * grid.pitch_y
    return replace(grid, shape=Shape(rows, cols), left=left, top=top)


@pytest.mark.parametrize("side", ["top", "bottom", "left", "right"])
@pytest.mark.parametrize("name", ["kmines/default-mid", "kmines/green-mid"])
def test_where_only_a_part_of_a_line_is_told_a_board_is_cut(name: str, side: str) -> None:
    frame, grid, rows = shot(name)
    pixels = frame.pixels.copy()
    # something lies over every second cell of the outer line
    for r in range(len(rows)):
        for c in range(len(rows[0])):
            outer = {"top": r == 0, "bottom": r == len(rows) - 1, "left": c == 0, "right": c == len(rows[0]) - 1}[side]
            if outer and (r + c) % 2:
                y, x = round(grid.top + r * grid.pitch_y), round(grid.left + c * grid.pitch_x)
                pixels[y : y + round(grid.pitch_y), x : x + round(grid.pitch_x)] = (120, 200, 235)
    placed, _ = by_templates(Cells(Frame(pixels), _part(grid, side)), profile.load("kmines"))
    assert placed.grid.shape == _part(grid, side).shape
    assert placed.grid.cut == {side}


def test_a_whole_board_is_not_cut_by_what_lies_beside_it() -> None:
    for name in ("kmines/default-mid", "kmines/green-mid", "xdemineur/small-mid", "sgt-mines/20-mid"):
        frame, grid, _ = shot(name)
        placed, _ = by_templates(Cells(frame, grid), profile.load(name.split("/")[0]))
        assert placed.grid.shape == grid.shape and not placed.grid.cut


def test_outer_cells_may_have_a_frame_instead_of_lines() -> None:
    """The first row shows opened cells without the line above, which is the frame's here."""
    frame, grid, rows = shot("kmines/enlarged-marks")
    reading = read(frame, profile.load("kmines"))
    assert reading.grid.shape == grid.shape and not reading.grid.cut and not reading.doubts
    assert reading.text == [row.replace("#", ".") for row in rows]


@pytest.mark.parametrize(("x", "y"), [(0, 1), (1, 0), (1, 1)])
def test_a_lattice_on_the_second_pixel_of_wide_lines_is_moved(x: int, y: int) -> None:
    """KMines at 66 pixels, a fresh board of its own tiles: a pixel off, most are no longer told."""
    site = profile.load("kmines")
    tile = next(t.pixels for t in site.templates[Symbol.COVERED] if t.look == "default" and t.variant == "66")
    tile = np.asarray(cv2.resize(tile, (66, 66), interpolation=cv2.INTER_CUBIC), np.uint8)
    page = np.full((700, 760, 3), 128, np.uint8)
    page[40 : 40 + 9 * 66, 60 : 60 + 7 * 66] = np.tile(tile, (9, 7, 1))
    grid = Grid(Shape(9, 7), 60.0 + x, 40.0 + y, 66.0, 66.0)
    _, told = by_templates(Cells(Frame(page), grid), site)
    assert not any(told.doubts) and set(told.symbols) == {Symbol.COVERED}


def of_two_widths(look: str, size: int, wide: tuple[int, int]) -> tuple[Frame, list[str], list[Box]]:
    """GNOME Mines in a window whose pixels its columns and rows share: the first of them, ``wide`` of each, have one
    more. What it looks like, what it shows, and where its cells are."""
    mines = np.random.default_rng(5).random((12, 30)) < 0.16
    near = cv2.filter2D(mines.astype(np.float32), -1, np.ones((3, 3), np.float32), borderType=cv2.BORDER_CONSTANT)
    opened = ~mines & (np.arange(30) < 20)
    for _ in range(30):  # what an opened blank touches is open as well
        opened |= cv2.dilate((opened & (near == 0)).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    chars = np.where(opened, near.astype(int).astype(str), np.where(mines & (np.arange(30) < 12), "F", "."))
    drawings = {
        symbol.char: t.pixels
        for symbol, some in profile.load("gnome-mines").templates.items()
        for t in some
        if f"{t.look}.{t.variant}" == look
    }
    across = np.cumsum([40] + [size + 1] * wide[0] + [size] * (30 - wide[0])).tolist()
    down = np.cumsum([60] + [size + 1] * wide[1] + [size] * (12 - wide[1])).tolist()
    pixels = np.full((down[-1] + 70, across[-1] + 160, 3), (244, 245, 246), np.uint8)
    boxes = []
    for r, (top, bottom) in enumerate(pairwise(down)):
        for c, (left, right) in enumerate(pairwise(across)):
            whole = drawings[str(chars[r, c])]
            pixels[top:bottom, left:right] = cv2.resize(
                whole, (right - left, bottom - top), interpolation=cv2.INTER_AREA
            )
            boxes.append(Box(left, top, right - left, bottom - top))
    return Frame(pixels), ["".join(row) for row in chars], boxes


@pytest.mark.parametrize(
    ("look", "size", "wide"),
    [
        ("bgcolors.26", 21, (15, 6)),
        ("bgcolors.26", 23, (12, 5)),
        ("classic.26", 22, (12, 5)),
        ("default.31", 26, (17, 0)),
    ],
)
def test_columns_of_two_widths_are_each_read_at_their_own_place(look: str, size: int, wide: tuple[int, int]) -> None:
    frame, rows, boxes = of_two_widths(look, size, wide)
    site = profile.load("gnome-mines")
    reading = read(frame, site)
    assert reading.text == rows and not reading.doubts and not reading.grid.cut
    for cell, box in enumerate(boxes):
        at = reading.grid.centre(cell)
        assert abs(at.x - box.x - box.width / 2) <= 1.5 and abs(at.y - box.y - box.height / 2) <= 1.5
    assert read(frame, site, grid=reading.grid).text == reading.text
    over = Box(boxes[98].x + 4, boxes[98].y + 5, 6.0 * size, 4.0 * size)
    covered = frame.pixels.copy()
    covered[int(over.y) : int(over.bottom), int(over.x) : int(over.right)] = 250
    under = read(Frame(covered), site)
    told = [under.grid.cell_box(cell) for cell in range(under.grid.shape.size) if cell not in under.doubts]
    assert len(told) > 100 and not [box for box in told if overlap(box, over) > 0.2]


def test_a_lattice_of_two_widths_has_a_place_for_every_line() -> None:
    with pytest.raises(ValueError, match="lines"):
        Grid(Shape(3, 4), 0.0, 0.0, 20.0, 20.0, beside_x=(0.0,) * 4)
    grid = Grid(Shape(3, 4), 0.0, 0.0, 20.0, 20.0, beside_x=(0.0, 1.0, 2.0, 1.0, 0.0))
    assert grid.cell_box(1) == Box(21.0, 0.0, 21.0, 20.0) and grid.centre(10) == Point(51.5, 50.0)


def test_a_part_of_a_lattice_has_its_cells_where_they_were() -> None:
    even = Grid(Shape(3, 4), 7.0, 9.0, 20.5, 21.0, cut=frozenset({"top"}))
    part = even.part(1, 3, 0, 3)
    assert part == Grid(Shape(2, 3), 7.0, 30.0, 20.5, 21.0, cut=frozenset({"top"}))
    assert even.part(-1, 3, -2, 4).part(1, 4, 2, 6) == even
    bent = replace(even, beside_x=(0.0, 1.0, 2.0, 1.5, 0.5))
    part = bent.part(1, 3, 1, 4)
    assert [part.cell_box(c) for c in range(6)] == [bent.cell_box(c) for c in (5, 6, 7, 9, 10, 11)]
    more = bent.part(0, 3, -1, 6)
    assert more.shape == Shape(3, 7)
    assert [more.cell_box(c) for c in (1, 2, 3, 4)] == [bent.cell_box(c) for c in range(4)]
    assert more.cell_box(0) == Box(7.0 - 20.5, 9.0, 20.5, 21.0)
    assert more.cell_box(5) == Box(7.5 + 4 * 20.5, 9.0, 20.5, 21.0)


def test_lines_that_were_never_on_whole_pixels_are_no_columns_of_two_widths() -> None:
    frame, _, _ = of_two_widths("bgcolors.26", 24, (14, 6))
    whole = lattices(frame)[0]
    bent = uneven.bent(frame, whole)
    assert bent is not None and bent.uneven and bent.shape == Shape(12, 30)
    scaled = Frame(np.asarray(cv2.resize(frame.pixels, None, fx=0.83, fy=0.83, interpolation=cv2.INTER_AREA), np.uint8))
    assert all(uneven.bent(scaled, grid) is None for grid in lattices(scaled)[:1])
    even, _, _ = of_two_widths("bgcolors.26", 24, (0, 0))
    assert uneven.bent(even, lattices(even)[0]) is None


def test_a_line_of_cells_that_a_lattice_missed_is_found_by_its_tiles() -> None:
    frame, _, _ = of_two_widths("bgcolors.26", 24, (14, 6))
    whole = lattices(frame)[0]
    less = replace(whole, shape=Shape(12, 29))
    bent = uneven.bent(frame, less)
    assert bent is not None and bent.shape == Shape(12, 30)


# positions of xdemineur whose outer columns or rows are of one kind: 4, 4 and 3 pixels told between two widths once
OUTSIDE = (
    ".10000000000 .10000000000 .10001122210 .21001....10 ..1012222210 .3101.100000 110011100000 000000000000",
    "..1001....10 111001....10 000001111110 000000000000 000001111121 000001...... 000001111121 011100000000",
    ".......101.. .......10111 .......10000 .......11000 ........2000 ........2000 ........1000 ........1000",
)


@pytest.mark.parametrize("position", OUTSIDE)
@pytest.mark.parametrize("cols", [13, 12])
def test_columns_of_one_kind_of_cell_are_no_wider_than_the_others(position: str, cols: int) -> None:
    frame, grid, rows = shot("xdemineur/small-mid")
    wanted = ["".join(row[:cols]).ljust(cols, "0") for row in position.split()]
    pixels, (x, y, size, _) = frame.pixels.copy(), (round(v) for v in in_pixels(frame, grid))
    kinds = {kind: (r, row.index(kind)) for r, row in enumerate(rows) for kind in sorted(set(row))}

    def box(r: int, c: int) -> tuple[slice, slice]:
        return slice(y + size * r, y + size * (r + 1)), slice(x + size * c, x + size * (c + 1))

    for r in range(len(rows)):
        for c in range(cols):
            pixels[box(r, c)] = frame.pixels[box(*kinds[wanted[r][c] if r < len(wanted) else "0"])]
    if cols == grid.shape.cols - 1:  # what is right of the board comes nearer
        pixels[:, x + size * cols : -size] = frame.pixels[:, x + size * grid.shape.cols :]
    drawn = Frame(pixels)
    even = replace(grid, shape=Shape(len(rows), cols))
    assert uneven.bent(drawn, even) is None
    reading = read(drawn, profile.load("xdemineur"))
    assert not reading.doubts and not reading.grid.uneven
    assert list(reading.text)[: len(wanted)] == wanted
