"""Tests of what the hand does next: the plan and its path, and the pictures drawn of them."""

from __future__ import annotations

import dataclasses
import time
from typing import Any, Literal

import cv2
import numpy as np
import pytest
import toys
from hypothesis import given
from hypothesis import strategies as st

from autosolve.board.puzzle import Totals
from autosolve.board.shape import Cell, Shape, cell_set, cells_in
from autosolve.clicks import overlay, plan
from autosolve.clicks.plan import Click, ClickPlan, Purpose
from autosolve.desktop.fake import FakeSite
from autosolve.errors import ClicksFailed
from autosolve.solver.deduction import Solution
from autosolve.vision.frame import Box, Pixels, Point
from autosolve.vision.grid import Grid
from autosolve.vision.profile import CounterPlace, Margins, Profile, Symbol, load
from autosolve.vision.read import Reading

SAFE_TO_FLAG = ((Symbol.SAFE, "right", Symbol.FLAG),)


def made(rows: list[str], wanted: list[str], **more: object) -> dict[str, str]:
    """What is clicked: cell name to purpose and button. ``wanted``: M mine, s safe, . not known."""
    reading = toys.reading(rows, **{k: more.pop(k) for k in ("site", "doubts") if k in more})  # type: ignore[arg-type]
    chars = "".join(wanted)
    mines, safe = (cell_set(i for i, c in enumerate(chars) if c == kind) for kind in "Ms")
    out = plan.make(reading, mines, safe, **more)  # type: ignore[arg-type]
    return {reading.grid.shape.name(c.cell): f"{c.purpose.value} {c.button}" for c in out.clicks}


@pytest.mark.parametrize(
    ("rows", "wanted", "clicks"),
    [
        (["1.."], [".Ms"], {"r1c2": "flag right"}),
        (["1F."], [".Ms"], {}),
        (["1FF"], [".Ms"], {"r1c3": "undo right"}),
        (["1.F"], [".Ms"], {"r1c2": "flag right", "r1c3": "undo right"}),
        (["1F."], ["..s"], {}),  # a flag on a cell nothing is known of is nobody's business
        (["1x."], [".Ms"], {"r1c2": "flag left"}),  # two presses: to covered first, the flag at the next look
        (["1.x"], [".Ms"], {"r1c2": "flag right"}),  # a cross on a safe cell is left alone
        (["1*."], [".Ms"], {}),  # the board shows the mine itself
        (["...."], ["...."], {}),
    ],
)
def test_only_what_is_missing_is_clicked(rows: list[str], wanted: list[str], clicks: dict[str, str]) -> None:
    assert made(rows, wanted) == clicks


@pytest.mark.parametrize(("failed", "button"), [(0, "right"), (1, "left"), (2, "right"), (3, "left")])
def test_a_failed_attempt_takes_the_next_route(failed: int, button: str) -> None:
    clicks = made(
        ["1x."],
        [".Ms"],
        site=toys.profile(steps=SAFE_TO_FLAG),
        attempts={(Cell(1), Symbol.SAFE): failed, (Cell(1), Symbol.COVERED): 1, (Cell(2), Symbol.SAFE): 1},
    )
    assert clicks == {"r1c2": f"flag {button}"}


def test_a_single_route_is_taken_again() -> None:
    assert made(["1.."], [".Ms"], attempts={(Cell(1), Symbol.COVERED): 2}) == {"r1c2": "flag right"}


def test_a_doubtful_cell_is_never_clicked() -> None:
    assert made(["1.F"], [".Ms"], doubts={1: "it is hidden", 2: "it is hidden"}) == {}


def test_a_mark_no_button_turns_is_said() -> None:
    with pytest.raises(ClicksFailed, match=r"No button of Toy turns 'question' into 'flag', which r1c2 needs"):
        made(["1?."], [".Ms"])


def test_a_longer_cycle_needs_its_first_press_only() -> None:
    site = toys.profile({"right": (Symbol.COVERED, Symbol.FLAG, Symbol.QUESTION)})
    assert made(["1F?"], [".sM"], site=site) == {"r1c2": "undo right", "r1c3": "flag right"}


def test_a_plan_refuses_a_cell_twice() -> None:
    click = Click(Cell(3), Purpose.FLAG, "right", Point(1, 1))
    with pytest.raises(ValueError, match="twice"):
        ClickPlan((click, Click(Cell(3), Purpose.UNDO, "right", Point(1, 1))))
    assert ClickPlan((click,)).where(Purpose.FLAG) == 1 << 3
    assert not ClickPlan((click,)).where(Purpose.UNDO)


GRIDS = st.builds(
    lambda rows, cols, left, top, px, py: Grid(Shape(rows, cols), left, top, px, py),
    st.integers(1, 12),
    st.integers(1, 12),
    st.floats(-3000, 3000),
    st.floats(-3000, 3000),
    st.floats(9, 100),
    st.floats(9, 100),
)


@given(GRIDS, st.data())
def test_every_click_is_inside_its_own_cell_and_the_board(grid: Grid, data: st.DataObject) -> None:
    shape = grid.shape
    mines = data.draw(st.integers(0, shape.all))
    reading = toys.reading(["." * shape.cols] * shape.rows, grid=grid)
    out = plan.make(reading, mines, shape.all & ~mines, start=Point(0, 0))
    assert cell_set(c.cell for c in out.clicks) == mines
    for click in out.clicks:
        assert grid.box.holds(click.at)
        inner = grid.cell_box(click.cell).grown(-0.3 * min(grid.pitch_x, grid.pitch_y))
        assert inner.holds(click.at)


def length(grid: Grid, path: list[Cell]) -> float:
    places = np.array([grid.centre(c) for c in path])
    return float(np.hypot(*np.diff(places, axis=0).T).sum())


def test_the_path_is_short_and_quick() -> None:
    grid = Grid(Shape(50, 50), 10, 20, 31, 31)
    cells = [Cell(int(c)) for c in np.flatnonzero(np.random.default_rng(7).random(2500) < 0.271)]
    path, taken = [], []
    for _ in range(5):
        began = time.perf_counter()
        path = plan.short_path(grid, cells)
        taken.append(time.perf_counter() - began)
    assert min(taken) < 0.02  # about 2 ms; room for a slow machine
    assert sorted(path) == cells
    row_by_row = sorted(cells, key=lambda c: (c // 50, c % 50 if c // 50 % 2 else -(c % 50)))
    assert length(grid, path) < 0.6 * length(grid, row_by_row)


@pytest.mark.parametrize(
    ("shape", "cells"), [(Shape(1, 9), [0, 3, 8]), (Shape(9, 1), [8, 0, 4]), (Shape(3, 7), [20]), (Shape(2, 2), [])]
)
def test_the_path_visits_all_on_any_shape(shape: Shape, cells: list[int]) -> None:
    path = plan.short_path(Grid(shape, 0, 0, 10, 10), [Cell(c) for c in cells])
    assert sorted(path) == sorted(cells)


def test_the_path_begins_near_the_pointer() -> None:
    grid = Grid(Shape(1, 10), 0, 0, 10, 10)
    cells = list(cells_in(cell_set(range(10))))
    assert plan.short_path(grid, cells, Point(200, 5)) == cells[::-1]
    assert plan.short_path(grid, cells, Point(-50, 5)) == cells


# ---------------------------------------------------------------- pictures for people

BLUE, GREEN, RED, PURPLE, SKY, YELLOW = (
    overlay._BLUE,
    overlay._GREEN,
    overlay._RED,
    overlay._PURPLE,
    overlay._SKY,
    overlay._YELLOW,
)


def painted(rows: list[str], pitch: float) -> Reading:
    """A reading of a painted toy board, with a frame that shows it."""
    site = FakeSite(toys.profile(), rows, pitch=pitch, at=Point(300.3, 120.6))
    return toys.Eye(site).read(site.grab(Box(0, 0, 1280, 800)), site.profile)


def blobs(picture: Pixels, colour: tuple[int, int, int], least: int = 4) -> int:
    """How many separate patches of a colour a picture has."""
    near = cv2.inRange(picture, tuple(max(0, v - 6) for v in colour), tuple(min(255, v + 6) for v in colour))
    near = cv2.morphologyEx(near, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))  # what thin white lines part
    _, _, stats, _ = cv2.connectedComponentsWithStats(near)
    return int((stats[1:, cv2.CC_STAT_AREA] >= least).sum())


PITCHES = [9.0, 12.5, 20.4, 31.0, 62.0, 100.0]
MARKED = ["1.F1", "F.x.", "11.."]  # mines r1c2, r2c1; r1c3 is a wrong flag


@pytest.mark.parametrize("pitch", PITCHES)
def test_every_mark_is_drawn_once_on_its_cell_and_once_in_the_legend(pitch: float) -> None:
    reading = painted(MARKED, pitch)
    mines = cell_set([1, 4, 6])
    solution = Solution(reading.puzzle, mines, reading.puzzle.covered & ~mines)
    picture = overlay.draw_plan(reading, solution, plan.make(reading, solution.mines, solution.safe))
    assert blobs(picture, BLUE) == 2 + 2  # a flag to place, a cross to change, and a line for each
    assert blobs(picture, GREEN) == 1 + 1
    assert blobs(picture, SKY) == 4 + 1
    # a cross may be cut by its rim where it is small
    assert blobs(picture, RED, 12) == 1 + 1
    assert blobs(picture, PURPLE) == blobs(picture, YELLOW) == 0


@pytest.mark.parametrize("pitch", PITCHES)
def test_doubt_and_open_cells_are_drawn(pitch: float) -> None:
    reading = dataclasses.replace(painted(["1..1", "....", "11.."], pitch), doubts={Cell(0): "it is hidden"})
    solution = Solution(reading.puzzle, 1 << 1, 0)
    picture = overlay.draw_plan(reading, solution, plan.make(reading, solution.mines, solution.safe))
    assert blobs(picture, BLUE) == 1 + 1
    assert blobs(picture, PURPLE, 30) == 1 + 1
    clash = overlay.draw_clash(reading, [(0, 3), (2, 0)])
    assert blobs(clash, RED, 12) == 2 + 1


@pytest.mark.parametrize(("rows", "cols"), [(3, 3), (3, 40), (40, 3), (25, 25)])
@pytest.mark.parametrize("draw", ["plan", "reading", "clash"])
def test_nothing_but_marks_lies_over_the_board(rows: int, cols: int, draw: str) -> None:
    """The board stands in the picture as it is: with its marks left out it is the frame, enlarged and paler."""
    reading = painted(["1" * cols] * rows, 16.0)
    solution = Solution(reading.puzzle, 0, 0)
    if draw == "reading":
        picture = overlay.draw_reading(reading)
    elif draw == "clash":
        picture = overlay.draw_clash(reading, [])
    else:
        picture = overlay.draw_plan(reading, solution, ClickPlan())
    ink = toys.COLOURS[Symbol.CLUE_1]
    body = ink if draw == "reading" else tuple(round(0.72 * v + 0.28 * 255) for v in ink)
    assert blobs(picture, body, 100) == rows * cols


def test_a_cell_is_large_enough_to_see_and_the_picture_not_too_large() -> None:
    small = overlay.draw_plan(painted(["1.1"] * 3, 9.0), None, ClickPlan())
    assert small.shape[0] > 3 * overlay.PLAN_CELL
    wide = toys.reading(["1" * 300] * 200, grid=Grid(Shape(200, 300), 10, 10, 5.0, 5.0))
    for picture in (overlay.draw_plan(wide, None, ClickPlan()), overlay.draw_reading(wide)):
        assert picture.shape[0] * picture.shape[1] < 1.2 * overlay.MAX_PIXELS


def test_the_title_says_how_it_stands() -> None:
    reading = painted(MARKED, 31.0)
    covered = reading.puzzle.covered
    solutions = (None, Solution(reading.puzzle, 2, covered & ~2), Solution(reading.puzzle, 0b10010, 0))
    assert [overlay._headline(reading, solution) for solution in solutions] == [
        "Toy: 3x4, not solved",
        "Toy: 3x4, 1 mine, one solution",
        "Toy: 3x4, 6 cells not decided",
    ]


# ---------------------------------------------------------------- the picture of a reading


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """What is written into pictures while a test runs, with its size."""
    out: list[tuple[str, int]] = []
    write = overlay._write

    def noted(picture: Pixels, text: str, x: int, y: int, size: int, *rest: Any, **more: Any) -> None:
        out.append((text, size))
        write(picture, text, x, y, size, *rest, **more)

    monkeypatch.setattr(overlay, "_write", noted)
    return out


def words(written: list[tuple[str, int]]) -> list[str]:
    return [text for text, _ in written]


@pytest.mark.parametrize("pitch", [16.0, 40.0, 90.0])
@pytest.mark.parametrize("symbol", [Symbol.COVERED, Symbol.CLUE_0, Symbol.CLUE_8, Symbol.FLAG])
def test_what_a_doubtful_cell_may_be_is_seen_whole_and_without_a_number(
    pitch: float, symbol: Symbol, written: list[tuple[str, int]]
) -> None:
    """Neither the label nor the cell has anything painted over it, and no percentage says that it is certain."""
    reading = painted(["1.1.", f"{symbol.value}.2.", "...."], pitch)
    sheet = overlay.draw_reading(dataclasses.replace(reading, doubts={Cell(4): "it is hidden"}))
    shown = words(written)
    assert shown.count(f"{symbol.value}?") == 1
    assert shown.count("100") == 11
    side = round(max(overlay.READ_CELL, reading.grid.pitch_x))
    label: Pixels = np.full((round(0.36 * side), side, 3), PURPLE, np.uint8)
    overlay._suspect(label, symbol)
    assert (label == 255).all(2).any()
    assert np.abs(cv2.matchTemplate(sheet, label, cv2.TM_SQDIFF)).min() < 100  # of 4e7: rounding
    whole = cv2.inRange(sheet, toys.COLOURS[symbol], toys.COLOURS[symbol])
    beside = cv2.inRange(overlay.draw_reading(reading), toys.COLOURS[symbol], toys.COLOURS[symbol])  # without any doubt
    assert (whole > 0).sum() == (beside > 0).sum() > 0


def test_the_legend_speaks_board_text_and_names_what_is_there(written: list[tuple[str, int]]) -> None:
    overlay.draw_reading(painted([".1F", "x?*", "!X0"], 20.0))
    shown = words(written)
    legend = shown[shown.index("read as 3, certainty 98 %") :]
    for char, text in (
        (".", "covered (1)"),
        ("0-8", "clue (2)"),
        ("F", "flag (1)"),
        ("x", "marked safe (1)"),
        ("?", "question mark (1)"),
        ("*", "mine that is shown (1)"),
        ("!", "mine that was hit (1)"),
        ("X", "wrong flag (1)"),
    ):
        assert char in shown[: shown.index(text)]
        assert text in legend
    assert "#" not in " ".join(shown)
    written.clear()
    overlay.draw_reading(painted([".1.", "111"], 20.0))
    assert [w for w in words(written) if w.endswith(")")] == ["covered (2)", "clue (4)"]


@pytest.mark.parametrize("sides", [("left", "top"), ("right", "bottom"), (None, "top"), ("right", None)])
def test_totals_stand_where_the_site_prints_them(
    sides: tuple[Literal["left", "right"] | None, Literal["top", "bottom"] | None], written: list[tuple[str, int]]
) -> None:
    rows, columns = (21, 22) if sides[0] else (), (31, None, 33) if sides[1] else ()
    reading = painted(["...", "..."], 20.0)
    plain = overlay.draw_reading(reading)
    site = dataclasses.replace(reading.profile, margins=Margins(*sides, 1.8))
    written.clear()
    drawn = overlay.draw_reading(dataclasses.replace(reading, profile=site, totals=Totals(rows, columns)))
    assert [w for w in words(written) if w.startswith("2") and len(w) == 2] == [str(t) for t in rows]
    assert [w for w in words(written) if w.startswith("3") and len(w) == 2] == ["31", "33"] * bool(columns)
    assert words(written).count("?") == bool(columns)
    assert blobs(drawn, PURPLE) == 0  # it is not printed, which is no doubt
    assert drawn.shape[0] > plain.shape[0] or not columns
    assert drawn.shape[1] > plain.shape[1] or not rows
    unread = ("the total of column 2 cannot be read",) if columns else ("the total of row 1 cannot be read",)
    totals = Totals(rows and (None, 22), columns)
    drawn = overlay.draw_reading(dataclasses.replace(reading, profile=site, totals=totals, unread=unread))
    assert blobs(drawn, PURPLE) == 1 + bool(rows) + bool(columns)  # in the legend, and where they stand


COUNTER = toys.profile(kind="reveal", counter=CounterPlace())


def test_the_mine_counter_is_told_so_that_it_can_be_checked() -> None:
    def second(rows: list[str], mines: int | None, site: Profile = COUNTER, **more: Any) -> str:
        reading = dataclasses.replace(toys.reading(rows, site, **more), totals=Totals(mines=mines))
        return overlay._account(reading).partition("\n")[2]

    assert second(["1..", "F.F"], 5) == "Mine counter: 5 mines (3 left and 2 flags)"
    assert second(["1..", "F.."], 1) == "Mine counter: 1 mine (0 left and 1 flag)"
    assert second(["1..", "..."], 2) == "Mine counter: 2 mines"
    assert second(["1..", "..."], None) == "Mine counter not read"
    assert "the game is over" in second(["1.*", "..."], None)
    assert "the game is over" in second(["1.*", "..."], None, doubts={0: "it is hidden"})
    assert "read whole" in second(["1..", "..."], None, doubts={0: "it is hidden"})
    assert second(["1..", "..."], None, toys.profile()) == ""
    still = toys.profile(kind="reveal", counter=CounterPlace(flags=False))
    assert second(["1..", "F.F"], 5, still) == "Mine counter: 5 mines"


def test_the_title_of_a_reading_says_what_it_comes_to() -> None:
    reading = toys.reading(["1..", "..."])
    one, two = ({Cell(c): "it is hidden" for c in range(n)} for n in (1, 2))
    cut = dataclasses.replace(reading.grid, cut=frozenset({"left", "top"}))
    anyone = dataclasses.replace(load("any"), counter=None, kind="clues")
    assert [
        overlay._account(dataclasses.replace(reading, **change))
        for change in ({}, {"doubts": one}, {"doubts": two, "grid": cut}, {"profile": anyone})
    ] == [
        "Toy: 2x3, every cell read, the least certain with 89 %",
        "Toy: 2x3, 1 cell cannot be read",
        "Toy: 2x3, 2 cells cannot be read, cut at the top and left",
        "Minesweeper of no known site: 2x3, every cell read, the least certain with 89 %",
    ]


@pytest.mark.parametrize(("rows", "cols"), [(100, 60), (60, 100), (16, 30), (2, 200), (150, 1)])
def test_what_is_written_beside_a_board_grows_with_it(rows: int, cols: int, written: list[tuple[str, int]]) -> None:
    """Where the whole picture is shown on a screen of 1600 x 1000 pixels, title and legend can still be read."""
    grid = Grid(Shape(rows, cols), 10, 10, 5.0, 5.0)
    sheet = overlay.draw_reading(toys.reading(["1" * cols] * rows, grid=grid))
    shrunk = min(1.0, 1600 / sheet.shape[1], 1000 / sheet.shape[0])
    sizes = {text: size * shrunk for text, size in written}
    assert next(size for text, size in sizes.items() if text.startswith("Toy: ")) >= 9
    assert next(size for text, size in sizes.items() if text.startswith("clue (")) >= 8
    assert sheet.shape[0] * sheet.shape[1] < 1.2 * overlay.MAX_PIXELS
