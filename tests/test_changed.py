"""Changed pictures: tinted, blurred, scaled, cropped and covered ones must give no wrong cell, as the benchmark makes
them; and the reasons for which they do not."""

from __future__ import annotations

import importlib.util
import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from autosolve.board.shape import Shape
from autosolve.errors import BoardNotFound
from autosolve.vision import picture, rims, skin, twins, windows
from autosolve.vision.frame import Frame
from autosolve.vision.grid import Grid
from autosolve.vision.profile import Symbol, load, site_folders
from autosolve.vision.read import read
from tests.skins import LOOKS, WIDE, paint

ROOT = Path(__file__).resolve().parent.parent
SITES = [load(name) for name in site_folders()]
BY_LOOK = [p for p in SITES if p.reader == "skin"]

# cells that were once accepted and wrong: the picture, how it was changed, and by which seed
CASES = """
own/gnome-mines/bgcolors-mid gamma-0.6
own/gnome-mines/bgcolors-mid window-own
own/gnome-mines/bgcolors-mid window-white
own/gnome-mines/bgcolors-mid window-grey 3
own/gnome-mines/default-hover blur
own/gnome-mines/default-hover crop
own/gnome-mines/bgcolors-mid crop 2
own/gnome-mines/default-lost night
own/mosaic/m006-Tahoma-2.66x0.75-5x5 window-own
own/mosaic/m027-LiberationSans-0.8x1-30x18 gamma-0.6
own/mosaic/m064-FreeSans-1.1x0.87-15x15 gamma-0.6
own/puzzle-minesweeper/100zx0.69-arial blur
own/puzzle-minesweeper/hidden/consent-1 gamma-1.6
own/puzzle-minesweeper/hidden/cut-top-1.5 night
own/puzzle-minesweeper/hidden/panel-pale-1 gamma-0.6
own/puzzle-minesweeper/hidden/panel-pale-1 crop
own/puzzle-minesweeper/hidden/panel-pale-1 scale-0.6
own/local-player/175-dejavusans window-grey
own/gnome-mines/classic-lost night
arbiter-01 blur
own/puzzle-minesweeper/75z-tahoma blur
google-08 window-own 2
kmines-01 gamma-0.6
minesweeperonline-08 window-grey 3
minesweeperonline-08 window-white 3
privacyfriendly-01 crop 3
rig/gnome-mines-05 gamma-1.6
rig/gnome-mines-11 gamma-0.6
rig/gnome-mines-15 crop 2
rig/gnome-mines-03 crop 2
rig/kmines-03 night
rig/pygame-minesweeper-01 window-grey
rig/pygame-minesweeper-11 window-white
rig/pygame-minesweeper-15 blur
rig/pygame-minesweeper-17 window-own 3
zsakai-04 blur
zsakai-04 crop
"""


@pytest.fixture(scope="module")
def bench() -> Iterator[ModuleType]:
    """benchmarks/reader.py, which is no package's module."""
    path = ROOT / "benchmarks/reader.py"
    spec = importlib.util.spec_from_file_location("benchmark_reader", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    before = list(sys.path)
    spec.loader.exec_module(module)
    yield module
    sys.path[:] = before
    del sys.modules[spec.name]


@pytest.mark.parametrize("case", CASES.split("\n")[1:-1])
def test_no_cell_of_a_changed_picture_is_wrong(bench: ModuleType, case: str) -> None:
    name, change, seed = f"{case} 1".split()[:3]
    one: Any = next((p for p in bench.labelled([name]) if p.name == name), None)
    if one is None:
        pytest.skip("the shared pictures are not here")
    other = bench.CHANGES[change](one, random.Random(f"{seed} {name} {change}"))
    assert not bench.judge(other, SITES).wrong


# ---------------------------------------------------------------- drawings


def marked(picture: npt.NDArray[np.uint8], cells: list[tuple[int, int]], pitch: int) -> None:
    """Draws a small mark beside the flag of some cells."""
    for row, col in cells:
        x, y = 40 + col * pitch + round(0.68 * pitch), 40 + row * pitch + round(0.66 * pitch)
        cv2.rectangle(picture, (x, y), (x + pitch // 10, y + pitch // 8), (90, 90, 90), -1)


FLAGS = [(r, c) for r, row in enumerate(WIDE) for c, s in enumerate(row) if s == "F"]


@pytest.mark.parametrize("pitch", [24, 33, 48])
@pytest.mark.parametrize("look", ["bevelled", "tiles", "lawn"])
def test_a_flag_with_a_mark_that_the_others_have_not_is_doubtful(look: str, pitch: int) -> None:
    picture = paint(WIDE, LOOKS[look], pitch)
    assert not read(Frame(picture), BY_LOOK).doubts
    marked(picture, FLAGS[1:2], pitch)
    reading = read(Frame(picture), BY_LOOK)
    wide = len(WIDE[0])
    row, col = FLAGS[1]
    assert row * wide + col in reading.doubts
    for r, c in FLAGS[:1] + FLAGS[2:]:
        assert reading.symbols[r * wide + c] is Symbol.FLAG and r * wide + c not in reading.doubts


def test_where_half_of_the_flags_have_a_mark_none_is_told() -> None:
    picture = paint(WIDE, LOOKS["bevelled"], 33)
    marked(picture, FLAGS[::2], 33)
    reading = read(Frame(picture), BY_LOOK)
    assert all(r * len(WIDE[0]) + c in reading.doubts for r, c in FLAGS)


def test_drawings_that_differ_little_but_always_are_of_two_kinds() -> None:
    dice = np.random.default_rng(3)
    one = dice.normal(size=480)
    other = one + 0.3 * dice.normal(size=480)  # 0.96 of correlation
    glyphs = np.stack([some + 0.01 * dice.normal(size=480) for some in [one] * 21 + [other] * 9])
    glyphs = (glyphs / np.linalg.norm(glyphs, axis=1, keepdims=True)).astype(np.float32)
    kinds = twins.kinds(glyphs, np.arange(30))
    assert sorted(sorted(k.tolist()) for k in kinds) == [list(range(21)), list(range(21, 30))]
    noisy = np.stack([one + 0.2 * dice.normal(size=480) for _ in range(30)])  # as far apart, in every direction
    noisy = (noisy / np.linalg.norm(noisy, axis=1, keepdims=True)).astype(np.float32)
    assert [k.tolist() for k in twins.kinds(noisy, np.arange(30))] == [list(range(30))]


# ---------------------------------------------------------------- what the board may be


def test_covered_grounds_have_flags_on_all_of_them() -> None:
    count = np.array
    # 12 flags on one ground, and 30 places beside digits on another without any
    assert skin._unevenly(count([12, 0]), count([10, 30])) == skin.UNFLAGGED
    assert skin._unevenly(count([1, 0]), count([10, 4])) < 0.5
    assert skin._unevenly(count([7, 6]), count([9, 12])) == 0
    assert skin._unevenly(count([0, 0]), count([9, 12])) == 0


def test_a_naming_that_fits_badly_has_more_rivals() -> None:
    assert skin._rival(0.0) == skin._rival(3.0) == skin.RIVAL
    assert 7.0 + skin._rival(7.0) > 11.5


# ---------------------------------------------------------------- what lies over it


@pytest.mark.parametrize("shade", [0, 1])
@pytest.mark.parametrize(("rows", "cols"), [((0, 3), (12, 16)), ((2, 5), (0, 4)), ((5, 8), (5, 9))])
def test_a_window_in_a_shade_of_a_lawn_is_seen_where_the_shades_are_close(
    shade: int, rows: tuple[int, int], cols: tuple[int, int]
) -> None:
    close = replace(LOOKS["lawn"], covered=((80, 214, 169), (75, 209, 164)))  # as a video shows them
    picture = paint(WIDE, close, 34)
    assert not read(Frame(picture), BY_LOOK).doubts
    picture[40 + 34 * rows[0] : 40 + 34 * rows[1], 40 + 34 * cols[0] : 40 + 34 * cols[1]] = close.covered[shade]
    reading = read(Frame(picture), BY_LOOK)
    hidden = {r * len(WIDE[0]) + c for r in range(*rows) for c in range(*cols)}
    assert hidden <= set(reading.doubts)


def test_marked_safe_cells_within_a_window_are_hidden() -> None:
    shape = Shape(6, 9)
    symbols = [Symbol.COVERED] * shape.size
    ring = [shape.cell(r, c) for r in (1, 2, 3, 4) for c in (2, 3, 4, 5, 6) if r in (1, 4) or c in (2, 6)]
    inner = [shape.cell(r, c) for r in (2, 3) for c in (3, 4, 5)]
    for cell in inner:
        symbols[cell] = Symbol.SAFE
    over = windows.Over((), (), (np.full((6, 8), 255, np.float32), np.full((5, 9), 255, np.float32)))
    assert set(windows.hidden(over, symbols, ring, shape, lines=False)) >= set(inner)


def test_a_drawing_among_cells_that_are_nearly_all_hidden_is_hidden() -> None:
    shape = Shape(7, 5)
    symbols = [Symbol.COVERED] * shape.size
    part = [shape.cell(r, c) for r in (2, 3) for c in (1, 2, 3, 4)]
    symbols[part[1]], symbols[0] = Symbol.CLUE_3, Symbol.CLUE_1
    doubts = [cell for cell in part if cell != part[1]]
    over = windows.Over((), (), (np.full((7, 4), 255, np.float32), np.full((6, 5), 255, np.float32)))
    assert windows.hidden(over, symbols, doubts, shape, lines=False) == [part[1]]


def test_a_rectangle_of_which_nearly_all_cells_are_hidden_is_full() -> None:
    out = np.zeros((7, 11), bool)
    out[2:4, 3:8] = True
    out[2, 5] = out[3, 6] = False  # drawings that shine through
    out[1, 2] = out[4, 7] = out[4, 8] = True  # and others beside, doubtful for reasons of their own
    full = windows._full(out)
    assert full[2:4, 3:8].all() and full.sum() == 10
    scattered = np.add.outer(3 * np.arange(7), np.arange(11)) % 4 == 0
    assert not windows._full(scattered).any()


@pytest.mark.parametrize(("rows", "cols", "pitch"), [(5, 8, 31), (11, 6, 44)])
def test_a_frame_that_is_hidden_beside_a_cell_is_noted(rows: int, cols: int, pitch: int) -> None:
    left, top = 60, 50
    picture = np.full((top * 2 + rows * pitch, left * 2 + cols * pitch, 3), 235, np.uint8)
    frame = max(3, pitch // 10)
    cv2.rectangle(
        picture,
        (left - frame, top - frame),
        (left + cols * pitch + frame, top + rows * pitch + frame),
        (60, 60, 60),
        -1,
    )
    picture[top : top + rows * pitch, left : left + cols * pitch] = 190
    grid = Grid(Shape(rows, cols), left, top, pitch, pitch)
    assert rims.frame_hidden(Frame(picture), grid, ()) == []
    x = left + 2 * pitch
    picture[top - 30 : top + 2, x : x + 2 * pitch] = 190  # a window in the colour of a cell
    assert rims.frame_hidden(Frame(picture), grid, ()) == [2, 3]
    assert rims.frame_hidden(Frame(picture), grid, {"top"}) == []


def test_edges_that_run_towards_one_corner_are_of_one_window() -> None:
    edges = [windows._Edge(True, 90, 20, 60), windows._Edge(False, 84, 10, 85)]  # broken off near their corner
    assert len(windows._boxes(edges, 8, 40)) == 1
    assert len(windows._boxes(edges, 8, 8)) == 2
    level = [windows._Edge(True, 90, 20, 60), windows._Edge(True, 90, 84, 120)]  # of two windows, or one: not told
    assert len(windows._boxes(level, 8, 40)) == 2


def test_a_cell_that_lacks_only_its_edge_to_a_hidden_one_is_hidden() -> None:
    shape = Shape(5, 8)
    symbols = [Symbol.CLUE_0] * shape.size
    across, down = np.full((5, 7), 30, np.float32), np.full((4, 8), 30, np.float32)
    across[1, 4:] = across[2, 4:] = down[1, 5:] = 0  # from the middle of column 4 on
    hidden = windows.hidden(windows.Over((), (), (across, down)), symbols, (), shape)
    assert set(hidden) == {shape.cell(r, c) for r in (1, 2) for c in (4, 5, 6, 7)}


@pytest.mark.parametrize("aside", [5, 9])
def test_even_rectangles_are_no_signs(aside: int) -> None:
    pitch, gap = 33, 8
    picture = np.full((9 * pitch, 12 * pitch, 3), 250, np.uint8)
    for r in range(8):
        for c in range(11):
            colour = (178, 116, 0) if (r * 5 + c * 3) % 4 else (206, 165, 138)
            picture[10 + r * pitch : 10 + r * pitch + pitch - gap, 12 + c * pitch : 12 + c * pitch + pitch - gap] = (
                colour
            )
    grid = Grid(Shape(8, 10), 12 - gap / 2 + aside, 10 - gap / 2, pitch, pitch)
    reading = read(Frame(picture), BY_LOOK[0], grid=grid)
    assert not [c for c, s in enumerate(reading.symbols) if s is Symbol.FLAG and c not in reading.doubts]


# ---------------------------------------------------------------- what is no board, or too small for one


def ruled(rows: int, cols: int, wide: int, high: int) -> npt.NDArray[np.uint8]:
    """An empty table: white cells with grey lines around them."""
    out = np.full((80 + rows * high, 80 + cols * wide, 3), 255, np.uint8)
    for r in range(rows):
        for c in range(cols):
            x, y = 40 + c * wide, 40 + r * high
            cv2.rectangle(out, (x, y), (x + wide, y + high), (160, 160, 160), 1)
    return out


@pytest.mark.parametrize(
    ("rows", "cols", "wide", "high"), [(14, 13, 28, 20), (9, 25, 38, 22), (12, 8, 24, 24), (5, 7, 61, 30)]
)
def test_an_empty_table_is_no_board(rows: int, cols: int, wide: int, high: int) -> None:
    try:
        reading = read(Frame(ruled(rows, cols, wide, high)), SITES)
    except BoardNotFound:
        return
    assert len(reading.doubts) == reading.grid.shape.size


@pytest.mark.parametrize(("rows", "cols", "wide", "high"), [(23, 9, 22, 24), (11, 14, 30, 30)])
def test_boxes_in_a_table_are_no_noughts(rows: int, cols: int, wide: int, high: int) -> None:
    table, dice = ruled(rows, cols, wide, high), random.Random(5)
    for r in range(rows):
        for c in range(cols):
            if dice.random() < 0.6:
                x, y = 40 + c * wide + wide // 2, 40 + r * high + high // 2
                cv2.rectangle(table, (x - 2, y - 5), (x + 3, y + 5), (0, 0, 0), 1)
    try:
        reading = read(Frame(table), SITES)
    except BoardNotFound:
        return
    assert not [c for c, s in enumerate(reading.symbols) if s.number is not None and c not in reading.doubts]


@pytest.mark.parametrize("pitch", [7, 8, 9])
@pytest.mark.parametrize("look", list(LOOKS))
def test_of_a_tiny_board_no_cell_is_wrong(look: str, pitch: int) -> None:
    try:
        reading = read(Frame(paint(WIDE, LOOKS[look], pitch)), SITES)
    except BoardNotFound:
        return
    for cell, symbol in enumerate(reading.symbols):
        if cell in reading.doubts:
            continue
        middle = reading.grid.centre(cell)
        row, col = int((middle.y - 40) / pitch), int((middle.x - 40) / pitch)
        assert symbol.value == WIDE[row][col]


def test_the_last_cell_under_a_plain_window_is_not_marked_safe() -> None:
    one = picture.load(ROOT / "fixtures/screens/puzzle-minesweeper/size-5x9.png")
    before = read(one, SITES)
    grid, pixels = before.grid, one.pixels.copy()
    x, y, px, py = (round(v) for v in (grid.left, grid.top, grid.pitch_x, grid.pitch_y))
    flat = next(c for c, s in enumerate(before.symbols) if s.number is not None)  # the colour of an open cell
    r, c = grid.shape.at(flat)
    colour = pixels[y + r * py + py // 6, x + c * px + px // 6].copy()
    pixels[y + 1 : y + 5 * py - 1, x + 6 * px + 1 : x + 7 * px - 1] = colour
    reading = read(Frame(pixels), SITES)
    assert {grid.shape.cell(row, 6) for row in range(5)} <= set(reading.doubts)
