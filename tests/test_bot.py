"""Tests of the loop on a painted site that goes wrong as pages do. Every run must end in the right way, and never
may a click land anywhere but on a cell that is proven."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import toys

from autosolve import bot, errors
from autosolve.board.shape import CellSet, Shape, cell_set
from autosolve.bot import Lap, Outcome, Result
from autosolve.clicks.plan import Click, Purpose
from autosolve.desktop.fake import FakeSite
from autosolve.vision import profile as profiles
from autosolve.vision.frame import Box, Monitor, Point
from autosolve.vision.grid import Grid
from autosolve.vision.profile import Symbol
from autosolve.vision.refusal import name_cells, refusal


def deal(shape: Shape, mines: int, seed: int = 1, covered: int = 0) -> tuple[list[str], CellSet]:
    """A board that shows all clues but ``covered`` of them, and its mines. Every mine touches a clue."""
    dice = random.Random(seed)
    while True:
        mined = cell_set(dice.sample(range(shape.size), mines))
        if all(shape.neighbours(c) & ~mined for c in range(shape.size) if mined >> c & 1):
            break
    chars = ["." if mined >> c & 1 else str((shape.neighbours(c) & mined).bit_count()) for c in range(shape.size)]
    for c in dice.sample([c for c, char in enumerate(chars) if char == "0"], covered):
        chars[c] = "."
    return ["".join(chars[i : i + shape.cols]) for i in range(0, shape.size, shape.cols)], mined


ROWS, MINES = deal(Shape(6, 9), 12)


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., FakeSite]]:
    """Paints a toy site and lets the bot's eye read it; at the end no click may have gone astray."""
    made: list[FakeSite] = []

    def make(rows: list[str] = ROWS, **more: object) -> FakeSite:
        out = FakeSite(toys.profile(), rows, **more)  # type: ignore[arg-type]
        monkeypatch.setattr(bot.eye, "read", toys.Eye(out).read, raising=False)
        made.append(out)
        return out

    yield make
    for one in made:
        assert one.strays == []


def play(site: FakeSite, **more: object) -> Outcome:
    """A run on the site's own screen, mouse and clock."""
    return bot.play(site.profile, site, site, clock=site.clock, sleep=site.sleep, **more)  # type: ignore[arg-type]


def fails(site: FakeSite, kind: type[errors.AutosolveError], said: str, **more: object) -> Outcome:
    """A run that must end in this error and say this; what it came to."""
    ends: list[Outcome] = []
    with pytest.raises(kind, match=said):
        play(site, on_end=ends.append, **more)
    assert len(ends) == 1
    return ends[0]


# ---------------------------------------------------------------- the plain run


@pytest.mark.parametrize("shape", [Shape(6, 9), Shape(9, 4), Shape(3, 20), Shape(20, 20)])
def test_a_board_is_solved_in_two_laps(site: Callable[..., FakeSite], shape: Shape) -> None:
    rows, mines = deal(shape, shape.size // 5, covered=2 if shape.size > 50 else 0)
    page = site(rows, pitch=17.3)
    laps: list[Lap] = []
    outcome = play(page, on_lap=laps.append)
    assert (outcome.result, outcome.verified, outcome.laps) == (Result.SOLVED, True, 2)
    assert page.flags == mines
    assert outcome.clicks == len(page.presses) == mines.bit_count()
    assert [len(lap.plan) for lap in laps] == [mines.bit_count(), 0]
    assert outcome.reading is not None
    assert outcome.reading.text == page.text


def test_every_shape_of_wrong_mark_is_put_right(site: Callable[..., FakeSite]) -> None:
    cells = [c for c in range(54) if MINES >> c & 1]
    marked = list("".join(ROWS))
    marked[cells[0]], marked[cells[1]] = "F", "x"
    rows, safe = ["".join(marked[i : i + 9]) for i in range(0, 54, 9)], 0
    page = site(rows)
    assert play(page).verified
    assert page.flags == MINES
    # a cross goes to covered, and to a flag at the next look
    assert [b for c, b in page.presses if c == cells[1]] == ["left", "right"]
    assert not [b for c, b in page.presses if c == cells[0]]
    assert not safe


def test_a_wrong_flag_is_undone(site: Callable[..., FakeSite]) -> None:
    rows, mines = deal(Shape(8, 8), 9, seed=4, covered=3)
    hidden = cell_set(i for i, c in enumerate("".join(rows)) if c == ".") & ~mines
    chars = ["F" if hidden >> i & 1 else c for i, c in enumerate("".join(rows))]
    page = site(["".join(chars[i : i + 8]) for i in range(0, 64, 8)])
    laps: list[Lap] = []
    assert play(page, on_lap=laps.append).verified
    assert laps[0].plan.where(Purpose.UNDO) == hidden
    assert page.flags == mines


def test_a_solved_board_is_left_alone(site: Callable[..., FakeSite]) -> None:
    page = site([row.replace(".", "F") for row in ROWS])
    outcome = play(page)
    assert (outcome.result, outcome.clicks, outcome.laps, outcome.verified) == (Result.SOLVED, 0, 1, True)


def test_a_dry_run_moves_and_clicks_nothing(site: Callable[..., FakeSite]) -> None:
    page = site()
    where = page.grid.centre(3)
    page.hand_to(where)
    outcome = bot.play(page.profile, page, clock=page.clock, sleep=page.sleep, dry_run=True)
    assert (outcome.result, outcome.clicks, outcome.verified) == (Result.DRY_RUN, 0, False)
    assert outcome.plan.where(Purpose.FLAG) == MINES
    assert page.presses == []
    assert page.position() == where


def test_seconds_are_told_and_add_up(site: Callable[..., FakeSite]) -> None:
    page = site()
    seconds = play(page).seconds
    assert set(seconds) == {"capture", "read", "solve", "click"}
    assert seconds["click"] >= 12 * 0.008
    assert sum(seconds.values()) <= page.clock()


# ---------------------------------------------------------------- clicks that go wrong


@pytest.mark.parametrize("seed", range(8))
def test_swallowed_clicks_are_made_again(site: Callable[..., FakeSite], seed: int) -> None:
    rows, mines = deal(Shape(10, 12), 25, seed=seed)
    page = site(rows, swallow=0.1, seed=seed)
    outcome = play(page)
    assert outcome.verified
    assert page.flags == mines
    assert 2 <= outcome.laps <= 5


@pytest.mark.parametrize("seed", range(8))
def test_doubled_clicks_are_put_right(site: Callable[..., FakeSite], seed: int) -> None:
    rows, mines = deal(Shape(10, 12), 25, seed=seed)
    page = site(rows, double=0.1, seed=seed)
    assert play(page).verified
    assert page.flags == mines


@pytest.mark.parametrize("delay", [0.02, 0.3, 1.5])
def test_late_clicks_are_waited_for_and_not_made_twice(site: Callable[..., FakeSite], delay: float) -> None:
    page = site(delay=delay)
    outcome = play(page)
    assert outcome.verified
    assert page.flags == MINES
    assert len(page.presses) == 12


@pytest.mark.parametrize("delay", [3.5, 5.0, 8.0, 30.0])
def test_a_very_late_click_never_makes_a_false_end(site: Callable[..., FakeSite], delay: float) -> None:
    page = site(delay=delay)
    try:
        verified = play(page).verified
    except errors.ClicksFailed:
        verified = False
    page.sleep(100)
    assert page.flags == MINES or not verified


@pytest.mark.parametrize("work", [0.012, 0.05, 0.1])
def test_a_page_that_cannot_keep_up_is_waited_for(site: Callable[..., FakeSite], work: float) -> None:
    rows, mines = deal(Shape(16, 30), 99)
    page = site(rows, pitch=20, at=Point(420, 100), work=work)
    outcome = play(page)
    assert (outcome.verified, outcome.laps, outcome.clicks) == (True, 2, 99)
    page.sleep(60)
    assert page.flags == mines


def test_a_click_that_fails_a_third_time_ends_the_run(site: Callable[..., FakeSite]) -> None:
    cells = [c for c in range(54) if MINES >> c & 1]
    page = site(deaf=1 << cells[2] | 1 << cells[5])
    names = f"{Shape(6, 9).name(cells[2])} {Shape(6, 9).name(cells[5])}"
    outcome = fails(page, errors.ClicksFailed, rf"2 clicks did not take in 3 attempts: {names}\. 16 clicks were made")
    assert outcome.result is Result.CLICKS_FAILED
    assert not outcome.verified
    assert page.flags == MINES & ~page.deaf
    assert [len([c for c, _ in page.presses if c == cells[i]]) for i in (2, 5, 0)] == [3, 3, 1]


def test_a_page_that_takes_no_clicks_at_all(site: Callable[..., FakeSite]) -> None:
    rows, _ = deal(Shape(12, 12), 40)
    outcome = fails(site(rows, swallow=1.0), errors.ClicksFailed, r"\d+ clicks did not take")
    assert outcome.clicks == 3 * bot.WINDOW


def test_the_next_route_is_tried_where_a_mark_does_not_turn(
    site: Callable[..., FakeSite], monkeypatch: pytest.MonkeyPatch
) -> None:
    chars = list("".join(ROWS))
    cell = next(c for c in range(54) if MINES >> c & 1)
    chars[cell] = "x"
    page = site(["".join(chars[i : i + 9]) for i in range(0, 54, 9)])
    # the profile hopes that a right press flags a cross; this page does not do it
    hopeful = toys.profile(steps=((Symbol.SAFE, "right", Symbol.FLAG),))
    assert bot.play(hopeful, page, page, clock=page.clock, sleep=page.sleep).verified
    assert [b for c, b in page.presses if c == cell] == ["right", "left", "right"]


# ---------------------------------------------------------------- nothing is clicked


def test_no_board(site: Callable[..., FakeSite]) -> None:
    page = site()
    page.popup(Box(0, 0, 1280, 800))
    outcome = fails(page, errors.BoardNotFound, "No toy board")
    assert outcome.result is Result.NOT_FOUND
    assert outcome.reading is None
    assert page.presses == []


def test_a_hidden_row_is_named(site: Callable[..., FakeSite]) -> None:
    page = site()
    box = page.grid.cell_box(5 * 9)
    page.popup(Box(box.x - 5, box.y + 1, 20 * 31, 60))
    laps: list[Lap] = []
    fails(
        page,
        errors.Unreadable,
        r"9 cells of the 6x9 board cannot be read: row 6 \(all 9 cells\), because something covers it",
        on_lap=laps.append,
    )
    assert page.presses == []
    assert laps[0].solution is None
    assert not laps[0].plan


def test_a_cut_board_says_where_it_would_fit(site: Callable[..., FakeSite]) -> None:
    rows, _ = deal(Shape(30, 30), 150)
    page = site(rows, pitch=16.0, window=Box(60, 40, 1160, 230 - 40 + 16 * 20))
    laps: list[Lap] = []
    fails(
        page,
        errors.Unreadable,
        r"cut at the bottom: 20 rows and 30 columns of it are to be seen; a 30x30 board would fit at 65 % of the",
        on_lap=laps.append,
    )
    assert page.presses == []
    fails(page, errors.Unreadable, r"a 40x30 board would fit at 49 %", size=Shape(40, 30))


def test_clues_that_clash_are_named(site: Callable[..., FakeSite]) -> None:
    page = site(["1.1", "111", "8.0"])
    outcome = fails(page, errors.Clash, r"r3c1.*Most likely misread: r3c1 \(read as 8, margin 0.50\)")
    assert outcome.result is Result.CLASH
    assert page.presses == []


def test_two_solutions_show_the_cells_that_differ(site: Callable[..., FakeSite]) -> None:
    page = site(["..", "11"])
    with pytest.raises(
        errors.Undecided, match=r"more than one solution.*at r1c[12], or with mines at r1c[12]\."
    ) as caught:
        play(page)
    assert caught.value.cells == ((0, 0), (0, 1))
    assert page.presses == []


def test_an_exploded_mine_is_a_lost_game(site: Callable[..., FakeSite]) -> None:
    assert fails(site(["1!1", "111", "000"]), errors.GameLost, "r1c2").result is Result.LOST


def test_partial_clicks_what_is_certain(site: Callable[..., FakeSite]) -> None:
    page = site(["..", "11", "00", "11", "1."])
    outcome = fails(page, errors.Undecided, "What is certain is flagged. 1 click was made", partial=True)
    assert outcome.result is Result.UNDECIDED
    assert outcome.verified
    assert page.flags == 1 << 9


def test_partial_leaves_hidden_cells_alone(site: Callable[..., FakeSite]) -> None:
    page = site()
    page.popup(Box(page.at.x - 3, page.at.y + 5 * 31 + 2, 70, 60))
    outcome = fails(page, errors.Unreadable, "What is certain is flagged", partial=True)
    hidden = cell_set([45, 46])
    assert outcome.reading is not None
    assert outcome.reading.doubtful & hidden
    assert page.flags and not page.flags & ~MINES
    assert not {c for c, _ in page.presses} & {45, 46}


def test_the_number_of_mines_decides(site: Callable[..., FakeSite]) -> None:
    # a mine among mines touches no clue
    page = site(["..2", "..2", "221"])
    fails(page, errors.Undecided, "more than one solution")
    assert play(page, mines=3).verified
    assert page.flags == 0b11010


@pytest.mark.parametrize(
    ("cells", "name"),
    [
        ([], "no cell"),
        ([(0, 3)], "r1c4"),
        ([(1, c) for c in range(9)], "row 2 (all 9 cells)"),
        ([(r, c) for r in (3, 4, 5) for c in range(9)], "rows 4 to 6 (all 9 cells each)"),
        ([(r, 8) for r in range(6)], "column 9 (all 6 cells)"),
        ([(5, c) for c in range(9)] + [(0, 0), (2, 2)], "row 6 (all 9 cells), r1c1 r3c3"),
        ([(r, c) for r in range(4) for c in range(4)], "r1c1 r1c2 r1c3 r1c4 r2c1 r2c2 r2c3 r2c4 r3c1 r3c2 r3c3 r3c4"),
        ([(r, c) for r in range(6) for c in range(9)], "all 54 cells"),
    ],
)
def test_cells_are_named_for_people(cells: list[tuple[int, int]], name: str) -> None:
    shape = Shape(6, 9)
    said = name_cells(shape, cell_set(shape.cell(*at) for at in cells))
    assert said == name or (len(cells) == 16 and said == f"{name} and 4 more")


@pytest.mark.parametrize(
    ("shape", "cut", "size", "said"),
    [
        (Shape(13, 20), {"bottom"}, None, "cut at the bottom: 13 rows and 20 columns.*20x20 board would fit at 63 %"),
        (Shape(13, 20), {"top", "bottom"}, None, "cut at the top and at the bottom.* 63 %"),
        (Shape(13, 20), {"bottom"}, Shape(30, 20), "30x20 board would fit at 42 %"),
        (Shape(20, 9), {"right"}, None, "cut at the right.*20x20 board would fit at 43 %"),
        (Shape(9, 9), {"right", "bottom"}, Shape(18, 12), "18x12 board would fit at 48 %"),
        # nothing to go by: the size is not known, or not believable
        (Shape(20, 9), {"bottom"}, None, r"20 rows and 9 columns of it are to be seen\.$"),
        (Shape(9, 9), {"right", "bottom"}, None, r"to be seen\.$"),
        (Shape(13, 20), {"bottom"}, Shape(9, 9), r"to be seen\.$"),
    ],
)
def test_a_cut_board_would_fit(shape: Shape, cut: set[str], size: Shape | None, said: str) -> None:
    reading = toys.reading(["1" * shape.cols] * shape.rows, grid=Grid(shape, 0, 0, 16, 16, frozenset(cut)))
    problem = refusal(reading, size)
    assert re.search(said, str(problem))
    # the toy's cells are 16 points wide at a zoom of 100 %
    assert ("the zoom step 50 %" in problem.remedy) == ("63 %" in said) if problem else False


def test_a_hidden_row_and_a_cut_are_said_together() -> None:
    grid = Grid(Shape(3, 4), 0, 0, 16, 16, frozenset({"bottom"}))
    problem = refusal(toys.reading(["1111"] * 3, grid=grid, doubts=dict.fromkeys(range(8, 12), "a bar lies over it")))
    assert str(problem).startswith("4 cells of the 3x4 board cannot be read: row 3 (all 4 cells), because a bar lies")
    assert "cut at the bottom" in str(problem)
    assert refusal(toys.reading(["1111"] * 3)) is None


UNCOVER = "Uncover the board (close bars, popups and windows over it) or zoom in."


def test_cells_are_named_by_the_reason_they_have() -> None:
    """The commonest first; a sentence on what clashes is cut short where it does not stand alone."""
    doubts = {0: "it shows something unknown", 5: "a window lies over it", 6: "a window lies over it"}
    problem = refusal(toys.reading(["1111"] * 3, doubts=doubts))
    assert problem is not None and problem.cells == ((0, 0), (1, 1), (1, 2))
    assert str(problem) == (
        "3 cells of the 3x4 board cannot be read, 2 because a window lies over it, the rest for other reasons."
    )
    assert problem.__notes__ == ["r2c2 r2c3: a window lies over it.", "r1c1: it shows something unknown."]
    clash = "the clues at r1c1 and r1c2 clash. Check r1c2"
    problem = refusal(toys.reading(["1111"] * 3, doubts={0: clash, 1: clash, 9: "it is hidden"}))
    assert problem is not None and ", 2 because the clues at r1c1 and r1c2 clash, the rest" in str(problem)
    assert problem.__notes__ == [f"r1c1 r1c2: {clash}.", "r3c2: it is hidden."]
    alone = refusal(toys.reading(["1111"] * 3, doubts={0: clash, 1: clash}))
    assert str(alone) == f"2 cells of the 3x4 board cannot be read: r1c1 r1c2, because {clash}."
    assert not hasattr(alone, "__notes__")


@pytest.mark.parametrize("count", [2, 5, 6, 12])
def test_many_reasons_are_few_lines_and_leave_no_cell_out(count: int) -> None:
    """On a board of 9x12 every second cell of the upper rows: no whole row or column."""
    doubts = {12 * (k // 6) + 2 * (k % 6): f"reason {min(k // 2, count - 1)}" for k in range(24)}
    problem = refusal(toys.reading(["1" * 12] * 9, doubts=doubts))
    assert problem is not None
    assert len(problem.__notes__) == min(count, 5)
    assert (problem.__notes__[-1].endswith(": other reasons.")) == (count > 5)
    named = re.findall(r"r\d+c\d+", " ".join(problem.__notes__))
    more = sum(int(n) for note in problem.__notes__ for n in re.findall(r"and (\d+) more", note))
    assert len(set(named)) + more == 24


@pytest.mark.parametrize(
    ("reasons", "teach"),
    [
        (["something seems to lie over it"], False),
        (["its colour is unlike that of the other cells"], False),
        (["its lines are hidden"], False),
        (["it could be a 1 or a 7"], False),
        (["too little of the board can be told"], False),
        (["it shows something unknown"], True),
        (["it could be an unsure flag"], True),
        (["no other cell looks like it"], True),
        (["it may be a mine that was hit, or a wrong flag"], True),
        (["it cannot be told from another symbol"], True),
        (["no other cell looks like it", "something seems to lie over it"], True),
        (["no other cell looks like it", "it is hidden", "it is hidden"], False),
    ],
)
def test_the_remedy_is_that_of_what_is_wrong(reasons: list[str], teach: bool) -> None:
    """Uncovering a board helps nobody whose skin has signs that autosolve has never seen."""
    problem = refusal(toys.reading(["1111"] * 3, doubts=dict(enumerate(reasons))))
    assert problem is not None
    assert ("--save-doubtful DIR" in problem.remedy and "autosolve sites label DIR" in problem.remedy) == teach
    assert (problem.remedy == UNCOVER) != teach


# ---------------------------------------------------------------- the screen changes


def test_something_ticking_elsewhere_does_not_block(site: Callable[..., FakeSite]) -> None:
    assert play(site(clockwork=True)).laps == 2


@pytest.mark.parametrize("size", [(20 * 31, 60), (1280, 800)])
def test_what_is_just_being_drawn_at_the_first_look_is_looked_at_again(
    site: Callable[..., FakeSite], size: tuple[int, int]
) -> None:
    page = site()
    page.popup(Box(page.at.x - 5, page.at.y + 1, *size) if size[0] < 1280 else Box(0, 0, *size))
    page.after(lambda: page.popup(None), seconds=0.3)
    assert play(page).verified


def test_a_board_that_never_rests_is_refused(site: Callable[..., FakeSite]) -> None:
    page = site(restless=True)
    fails(page, errors.Unreadable, "does not come to rest")
    assert page.presses == []


def test_a_board_that_rests_no_more_is_given_up(site: Callable[..., FakeSite]) -> None:
    page = site()

    def stir() -> None:
        page.restless = True

    page.after(stir, clicks=12)
    fails(page, errors.Unreadable, "does not come to rest.*12 clicks were made", max_seconds=60)


def test_the_pointer_is_parked_off_the_board(site: Callable[..., FakeSite]) -> None:
    page = site(hover=True)
    page.hand_to(page.grid.centre(20))
    assert play(page).verified
    assert not page.grid.box.holds(page.position())
    assert 8 < page.position().x < 1272 and 8 < page.position().y < 792


@pytest.mark.parametrize("at", [0, 1, 7, 11, 40])
@pytest.mark.parametrize("by", [(33, 21), (31, 0), (62, -93)])
def test_a_moved_window_is_followed(site: Callable[..., FakeSite], at: int, by: tuple[int, int]) -> None:
    rows, mines = deal(Shape(12, 12), 40)
    page = site(rows)
    page.after(lambda: page.move_window(*by), clicks=at)
    assert play(page).verified
    assert page.flags == mines


@pytest.mark.parametrize("grab_time", [0.001, 0.01])
@pytest.mark.parametrize("by", [(31, 0), (-31, 0)])
def test_a_move_by_whole_cells_is_noticed(site: Callable[..., FakeSite], by: tuple[int, int], grab_time: float) -> None:
    """After such a move a covered cell stands where one was read: only the clues tell."""
    shape = Shape(4, 15)
    mines = cell_set([*(2 * 15 + c for c in range(0, 15, 2)), 1, 2, 5, 9, 10, 13])
    covered = shape.row(0) | shape.row(2)
    rows = [
        "".join(
            "." if covered >> c & 1 else str((shape.neighbours(c) & mines).bit_count())
            for c in range(r * 15, r * 15 + 15)
        )
        for r in range(4)
    ]
    page = site(rows, grab_time=grab_time)

    def ask(lap: Lap) -> bool:
        page.move_window(*by)
        return True

    assert play(page, confirm=ask).verified
    assert page.flags == mines
    assert not {c for c, _ in page.presses if not mines >> c & 1}


@pytest.mark.parametrize("at", [1, 7, 11])
def test_on_a_slow_screen_a_moved_window_gets_no_more_than_a_batch(site: Callable[..., FakeSite], at: int) -> None:
    rows, mines = deal(Shape(12, 12), 40)
    page = site(rows, grab_time=0.01)
    page.after(lambda: page.move_window(33, 21), clicks=at)
    assert play(page).verified
    assert page.flags == mines
    wrong = [c for c, _ in page.presses if not mines >> c & 1]
    assert len(wrong) + len(page.strays) < bot.BATCH
    page.strays.clear()


def test_a_screen_that_was_slow_once_is_not_trusted_for_ever(site: Callable[..., FakeSite]) -> None:
    rows, mines = deal(Shape(12, 12), 40)
    page = site(rows, grab_time=0.01)

    def hurry() -> None:
        page.grab_time = 0.001

    page.after(hurry, clicks=2)
    page.after(lambda: page.move_window(33, 21), clicks=21)
    assert play(page).verified
    assert page.flags == mines
    assert not [c for c, _ in page.presses if not mines >> c & 1]


def test_scrolling_is_followed(site: Callable[..., FakeSite]) -> None:
    rows, mines = deal(Shape(12, 12), 40)
    page = site(rows)
    page.after(lambda: page.move_board(0, -93), clicks=40)
    assert play(page).verified
    assert page.flags == mines


def test_a_board_scrolled_out_of_the_window_is_said(site: Callable[..., FakeSite]) -> None:
    rows, _ = deal(Shape(12, 12), 40)
    page = site(rows)
    page.after(lambda: page.move_board(0, -300), clicks=40)
    fails(page, errors.Unreadable, r"cut at the top.*40 clicks were made")


def test_a_board_that_keeps_moving_is_given_up(site: Callable[..., FakeSite]) -> None:
    rows, _ = deal(Shape(12, 12), 40)
    page = site(rows)
    for n in range(1, 40, 8):
        page.after(lambda: page.move_window(7, 3), clicks=n)
    fails(page, errors.ClicksFailed, "moved to another place 4 times")


def test_a_popup_during_the_clicks_stops_them(site: Callable[..., FakeSite]) -> None:
    rows, _ = deal(Shape(12, 12), 40)
    page = site(rows)
    page.after(lambda: page.popup(Box(page.at.x + 60, page.at.y + 60, 200, 150)), clicks=10)
    with pytest.raises(errors.Unreadable, match=r"cannot be read.*clicks were made"):
        play(page)
    assert len(page.presses) <= 40


def test_a_popup_that_goes_away_is_waited_for(site: Callable[..., FakeSite]) -> None:
    rows, mines = deal(Shape(12, 12), 40)
    page = site(rows)
    page.after(lambda: page.popup(Box(page.at.x + 60, page.at.y + 60, 200, 150)), clicks=40)
    page.after(lambda: page.popup(None), seconds=1.5)
    assert play(page).verified
    assert page.flags == mines


def test_a_board_that_is_gone_is_said(site: Callable[..., FakeSite]) -> None:
    page = site()
    page.after(lambda: page.popup(Box(0, 0, 1280, 800)), clicks=12)
    fails(page, errors.BoardNotFound, r"no longer to be seen. 12 clicks were made")


@pytest.mark.parametrize("shape", [Shape(6, 9), Shape(5, 7)])
def test_another_puzzle_is_not_clicked(site: Callable[..., FakeSite], shape: Shape) -> None:
    page = site()
    other, _ = deal(shape, 8, seed=99)
    page.after(lambda: page.load(other), clicks=8)
    fails(page, errors.ClicksFailed, "Another puzzle is shown now")
    assert not page.flags


def test_a_window_over_the_board_while_asked_takes_no_click(site: Callable[..., FakeSite]) -> None:
    page = site()

    def ask(lap: Lap) -> bool:
        page.popup(Box(page.at.x, page.at.y, 150, 120))
        page.sleep(5)
        return True

    fails(page, errors.Unreadable, "cannot be read", confirm=ask)
    assert page.presses == []


def test_the_hand_may_move_while_asked(site: Callable[..., FakeSite]) -> None:
    page = site(hover=True)
    page.hand_to(page.grid.centre(20))

    def ask(lap: Lap) -> bool:
        assert len(lap.plan) == 12
        page.hand(100, 80)
        return True

    assert play(page, confirm=ask).verified


def test_no_is_no(site: Callable[..., FakeSite]) -> None:
    page = site()
    assert fails(page, errors.Stopped, "Nothing was clicked", confirm=lambda lap: False).result is Result.STOPPED
    assert page.presses == []


# ---------------------------------------------------------------- the person stops it


def test_a_moved_mouse_stops(site: Callable[..., FakeSite]) -> None:
    page = site()
    page.after(lambda: page.hand(40, 5), clicks=5)
    outcome = fails(page, errors.Stopped, "moved by hand. 5 clicks were made")
    assert outcome.clicks == 5 == len(page.presses)


def test_a_mouse_moved_at_the_end_stops(site: Callable[..., FakeSite]) -> None:
    page = site()
    page.after(lambda: page.hand(-10, 5), clicks=12)
    fails(page, errors.Stopped, "moved by hand. 12 clicks were made")


def test_a_mouse_moved_between_laps_stops(site: Callable[..., FakeSite]) -> None:
    cells = [c for c in range(54) if MINES >> c & 1]
    page = site(deaf=1 << cells[0])
    page.after(lambda: page.hand(40, 5), seconds=0.5)
    fails(page, errors.Stopped, "moved by hand. 12 clicks were made")


@pytest.mark.parametrize("corner", [(0, 0), (1279, 0), (0, 799), (1279, 799)])
def test_a_corner_stops(site: Callable[..., FakeSite], corner: tuple[int, int]) -> None:
    page = site()
    page.after(lambda: page.hand_to(Point(*corner)), clicks=3)
    fails(page, errors.Stopped, "in a corner of the screen.* 3 clicks were made")
    page = site()
    page.hand_to(Point(*corner))
    fails(page, errors.Stopped, "in a corner of the screen.* Nothing was clicked")


def test_ctrl_c_stops(site: Callable[..., FakeSite]) -> None:
    page = site()

    def interrupt() -> None:
        raise KeyboardInterrupt

    page.after(interrupt, clicks=4)
    outcome = fails(page, errors.Stopped, "by the keyboard")
    assert outcome.result is Result.STOPPED
    assert outcome.clicks in (3, 4)


def test_the_time_is_over(site: Callable[..., FakeSite]) -> None:
    fails(site(), errors.Stopped, "time of 0.1 seconds is over", max_seconds=0.1)


# ---------------------------------------------------------------- where it looks


TWO = (Monitor(1, Box(0, 0, 1280, 800)), Monitor(2, Box(-1000, -200, 1000, 700), scale=2.0))


def test_a_board_on_a_monitor_left_of_the_main_one(site: Callable[..., FakeSite]) -> None:
    page = site(screens=TWO, window=Box(-980, -150, 900, 600), at=Point(-600.5, -20.25), pitch=20.4)
    outcome = play(page)
    assert outcome.verified
    assert page.flags == MINES
    assert outcome.reading is not None
    assert outcome.reading.frame.scale == 2.0


def test_monitors_without_a_board_are_counted(site: Callable[..., FakeSite]) -> None:
    page = site(screens=TWO, window=Box(-980, -150, 900, 600), at=Point(-600, -20), pitch=20)
    page.popup(Box(-980, -150, 900, 600))
    fails(page, errors.BoardNotFound, r"^There is no board on any of 2 monitors\. No toy board is to be seen\.$")


def test_only_the_chosen_monitor_is_looked_at(site: Callable[..., FakeSite]) -> None:
    page = site(screens=TWO, window=Box(-980, -150, 900, 600), at=Point(-600, -20), pitch=20)
    fails(page, errors.BoardNotFound, "No toy board", monitor=1)
    assert play(page, monitor=2).verified
    fails(page, errors.WrongUse, "There is no monitor 3", monitor=3)


def test_a_region_limits_the_look(site: Callable[..., FakeSite]) -> None:
    page = site()
    fails(page, errors.BoardNotFound, "No toy board", region=Box(0, 0, 300, 300))
    assert play(page, region=Box(400, 200, 500, 400)).verified


def test_wrong_use_is_refused(site: Callable[..., FakeSite]) -> None:
    page = site()
    with pytest.raises(errors.WrongUse, match="no mouse"):
        bot.play(page.profile, page)
    with pytest.raises(errors.WrongUse, match="no site"):
        bot.play((), page, page)


def test_clicks_stay_on_proven_cells_whatever_happens(site: Callable[..., FakeSite]) -> None:
    """Chance of everything at once: however a run ends, no safe cell was ever pressed while it was covered."""
    for seed in range(12):
        dice = random.Random(seed)
        rows, mines = deal(Shape(9, 11), 20, seed=seed, covered=1)
        page = site(rows, swallow=0.1, double=0.1, delay=dice.choice([0, 0.1]), hover=True, seed=seed)
        page.after(lambda p=page: p.move_window(13, 9), clicks=dice.randint(0, 30))  # type: ignore[misc]
        try:
            assert play(page).verified
            assert page.flags == mines
        except errors.ClicksFailed:
            pass
        wrong = {c for c, _ in page.presses if not mines >> c & 1}
        assert not wrong


def test_the_click_type_is_what_the_mouse_gets(site: Callable[..., FakeSite]) -> None:
    page = site()
    seen: list[Click] = []
    click = page.click

    class Spy:
        position, move = page.position, page.move

        def click(self, one: Click) -> None:
            seen.append(one)
            click(one)

    assert bot.play(page.profile, page, Spy(), clock=page.clock, sleep=page.sleep).verified
    assert all(page.grid.box.holds(one.at) for one in seen)


# ---------------------------------------------------------------- with the real eye


@pytest.mark.parametrize("pitch", [26.0, 31.0, 46.5])
@pytest.mark.parametrize(
    ("what", "kind", "said"),
    [
        ({}, None, ""),
        ({"swallow": 0.1, "seed": 2}, None, ""),
        ({"double": 0.1, "seed": 2}, None, ""),
        ({"delay": 0.4}, None, ""),
        ({"work": 0.03}, None, ""),
        ({"clockwork": True, "hover": True}, None, ""),
        ({"moved": (40, 20)}, None, ""),
        ({"scrolled": (0, -60)}, None, ""),
        ({"scrolled": (0, -200)}, errors.Unreadable, "cut at the top"),
        ({"popup": 1}, errors.Unreadable, "cannot be read"),
        ({"other": 1}, errors.ClicksFailed, "Another puzzle"),
        ({"deaf": MINES}, errors.ClicksFailed, "did not take"),
    ],
)
def test_the_real_eye_and_site(
    pitch: float, what: dict[str, Any], kind: type[errors.AutosolveError] | None, said: str
) -> None:
    given = dict(what)
    moved, scrolled, popup, other = (given.pop(name, None) for name in ("moved", "scrolled", "popup", "other"))
    page = FakeSite(profiles.load("puzzle-minesweeper"), ROWS, pitch=pitch, variant="dejavu", **given)
    events: list[Callable[[], None]] = []
    if moved:
        events.append(lambda: page.move_window(*moved))
    if scrolled:
        events.append(lambda: page.move_board(*scrolled))
    if popup:
        events.append(lambda: page.popup(Box(page.at.x + 50, page.at.y + 40, 120, 90)))
    if other:
        events.append(lambda: page.load(deal(Shape(6, 9), 12, seed=8)[0]))
    for event in events:
        page.after(event, clicks=7)
    if kind is None:
        outcome = play(page)
        page.sleep(10)
        assert outcome.verified
        assert page.flags == MINES
    else:
        outcome = fails(page, kind, said)
    assert page.strays == []
    assert not {c for c, _ in page.presses if not MINES >> c & 1}
