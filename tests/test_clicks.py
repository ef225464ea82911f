"""Tests of what the hand does next: the plan and its path, and the pictures drawn of them."""

from __future__ import annotations

import time

import numpy as np
import pytest
import toys
from hypothesis import given
from hypothesis import strategies as st

from autosolve.board.shape import Cell, Shape, cell_set, cells_in
from autosolve.clicks import plan
from autosolve.clicks.plan import Click, ClickPlan, Purpose
from autosolve.errors import ClicksFailed
from autosolve.vision.frame import Point
from autosolve.vision.grid import Grid
from autosolve.vision.profile import Symbol

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
