"""Tests of the live assistant: what it says is true and exact, it follows the picture, never reads itself, and clicks
nothing."""

from __future__ import annotations

import dataclasses
import json
import random
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest
import toys
from chromium import Chromium, wait_until
from click.testing import CliRunner
from rig import Rig

from autosolve import bot
from autosolve.board.notation import parse
from autosolve.board.puzzle import Totals
from autosolve.board.shape import Cell, Shape, cell_set, cells_in
from autosolve.bot.assistant import Advice, Standing, advise, watch
from autosolve.cli import watch as command
from autosolve.cli.main import app
from autosolve.clicks.plan import Click, Purpose
from autosolve.clicks.veil import veil
from autosolve.desktop.fake import FakeSite
from autosolve.desktop.window import Over, room_beside
from autosolve.errors import EnvironmentProblem, WrongUse
from autosolve.generate.game import Field, Game
from autosolve.solver.count import odds
from autosolve.solver.hybrid import solve
from autosolve.vision import picture
from autosolve.vision.frame import Box, Frame, Monitor, Point
from autosolve.vision.grid import Grid
from autosolve.vision.profile import Play, Profile, Symbol, load
from autosolve.vision.read import Reading, read

ROWS = [".11.", "1.22", "..1."]
MINES = {(0, 0), (0, 3), (2, 3)}
GAME: Profile = toys.profile(kind="reveal", play=Play(first="opening"))


def pairs(advice: Advice, name: str) -> set[tuple[int, int]]:
    assert advice.reading is not None
    return set(advice.reading.grid.shape.pairs(getattr(advice, name)))


# ---------------------------------------------------------------- what it says


def test_on_a_board_of_clues_it_names_missing_and_wrong_flags() -> None:
    advice = advise(toys.reading(ROWS))
    assert advice.standing is Standing.SURE
    assert (pairs(advice, "mines"), advice.safe, advice.wrong) == (MINES, 0, 0)
    assert advice.text == "3 mines: r1c1 r1c4 r3c4."
    advice = advise(toys.reading(["F11.", "1F22", "..1F"]))
    assert (pairs(advice, "mines"), pairs(advice, "wrong")) == ({(0, 3)}, {(1, 1)})
    assert advice.text == "1 wrong flag: r2c2. 1 mine: r1c4."
    advice = advise(toys.reading(["F11F", "1.22", "..1F"]))
    assert (advice.standing, advice.text) == (Standing.DONE, "All mines are flagged.")


def test_where_clues_do_not_suffice_it_says_what_is_open() -> None:
    advice = advise(toys.reading(["1.", ".."]))
    assert advice.standing is Standing.OPEN
    assert advice.text.startswith("Nothing more is certain; not decided: ")
    assert not advice.mines | advice.safe


def test_in_a_game_it_names_safe_cells_and_mines() -> None:
    advice = advise(toys.reading(["11.", "1F.", "..."], GAME), mines=1)
    assert advice.standing is Standing.SURE
    # that r3c3 is safe too only the number of mines says, which is asked last
    assert pairs(advice, "safe") == {(0, 2), (1, 2), (2, 0), (2, 1)}
    assert (advice.mines, advice.wrong) == (0, 0)
    advice = advise(toys.reading(["02.", "02F"], GAME))
    assert (advice.text, pairs(advice, "mines")) == ("Every safe cell is open.", {(0, 2)})
    advice = advise(toys.reading(["01.", "01F", "00."], GAME))
    assert (pairs(advice, "wrong"), pairs(advice, "safe"), pairs(advice, "mines")) == ({(1, 2)}, {(2, 2)}, {(0, 2)})
    assert advice.text == "1 wrong flag: r2c3. 1 safe cell: r3c3. 1 mine: r1c3."


@pytest.mark.parametrize("seed", range(12))
def test_chances_are_the_exact_ones_and_what_is_sure_is_true(seed: int) -> None:
    dice = random.Random(seed)
    shape = Shape(5, 6)
    mined = cell_set(dice.sample(range(30), 7))
    game = Game(Field(shape, mined))
    for cell in dice.sample([*cells_in(shape.all & ~mined)], 5):
        game = game.reveal(cell)
    rows = [
        "".join(
            "." if game.puzzle.covered >> c & 1 else str(game.puzzle.clues[Cell(c)]) for c in range(r * 6, r * 6 + 6)
        )
        for r in range(5)
    ]
    # one cell is under the pointer
    doubts = {dice.randrange(30): "the pointer is on it"} if seed % 2 else {}
    reading = toys.reading(rows, GAME, doubts)
    advice = advise(reading, mines=7)
    assert not advice.safe & mined
    assert not advice.mines & ~mined
    puzzle = dataclasses.replace(reading.puzzle, totals=Totals(mines=7))
    if advice.standing is Standing.ODDS:
        exact = odds(puzzle)
        assert advice.chances == {c: m / exact.models for c, m in exact.mined_in.items()}
        assert advice.guess is not None
        assert advice.chances[advice.guess] == min(
            p for c, p in advice.chances.items() if 0 < p < 1 and not reading.doubtful >> c & 1
        )
    else:
        assert advice.safe
    assert ("Not read: " in advice.text) == bool(doubts)


def test_chances_without_a_number_of_mines_say_so() -> None:
    rows = ["1....", "....."]
    unknown, known = advise(toys.reading(rows, GAME)), advise(toys.reading(rows, GAME), mines=2)
    assert "The number of mines is not known" in unknown.text
    assert unknown.chances[Cell(4)] == 0.5
    # one beside the 1, and one of the six others
    assert known.text == "Nothing is certain to be safe. The least risk is 16.7 %, at r1c3."
    assert known.chances[Cell(4)] == 1 / 6
    # on the board itself only what is beside a number is marked, and the best cell
    assert command._telling(known) == {Cell(1): 1 / 3, Cell(5): 1 / 3, Cell(6): 1 / 3, Cell(2): 1 / 6}


def test_a_wrong_number_of_mines_spoils_no_proof() -> None:
    advice = advise(toys.reading(["01.", "01.", "00."], GAME), mines=9)
    assert (pairs(advice, "safe"), pairs(advice, "mines")) == ({(1, 2), (2, 2)}, {(0, 2)})


@pytest.mark.parametrize(
    ("first", "words"),
    [("opening", "The first click is safe here"), ("random", "Nothing is open yet. r1c1 is a good first click")],
)
def test_before_the_first_click_it_says_what_that_meets(first: Any, words: str) -> None:
    advice = advise(toys.reading(["....."] * 5, toys.profile(kind="reveal", play=Play(first=first))), mines=5)
    assert advice.standing is Standing.ODDS
    assert advice.text.startswith(words)
    assert bool(advice.chances) == (first == "random")
    assert all(chance == 0.2 for chance in advice.chances.values())


def test_what_cannot_be_read_or_cannot_be_is_said() -> None:
    many = dict.fromkeys(range(6), "a popup lies over it")
    assert advise(toys.reading(ROWS, doubts=many)).standing is Standing.UNREADABLE
    assert advise(toys.reading(["!1.", "...", "..."], GAME)).text == "A mine was opened at r1c1."
    clash = advise(toys.reading(["10", "..", "..", ".."]))
    assert clash.standing is Standing.CLASH
    few = advise(toys.reading(ROWS, doubts={4: "the pointer is on it"}))
    assert few.text.endswith("Not read: r2c1.")
    assert pairs(few, "mines") <= MINES


# ---------------------------------------------------------------- how it looks


class FakeWindow:
    """A window that is drawn on the pictures of the screen while it is shown; closes after so many rounds."""

    def __init__(self, box: Box | None = None, *, over: bool = False, rounds: int = 10**9) -> None:
        self.box, self.lies_over, self.rounds = box, over, rounds
        self.shown: list[Advice] = []
        self.visible = False
        self.hidden = 0

    def boxes(self) -> Sequence[Box]:
        return [self.box] if self.visible and self.box is not None and not self.lies_over else []

    def over(self) -> bool:
        return self.lies_over and self.visible

    def show(self, advice: Advice, monitors: Sequence[Monitor]) -> None:
        self.shown.append(advice)
        self.visible = True

    def hide(self) -> None:
        self.visible = False
        self.hidden += 1

    def alive(self) -> bool:
        self.rounds -= 1
        return self.rounds > 0


class Screen:
    """The painted site's screen, with the window on it in the colours of a flag."""

    def __init__(self, site: FakeSite, window: FakeWindow) -> None:
        self.site, self.window = site, window

    def monitors(self) -> tuple[Monitor, ...]:
        return self.site.monitors()

    def grab(self, box: Box) -> Frame:
        frame = self.site.grab(box)
        if self.window.visible and self.window.box is not None:
            inside = self.window.box.clipped(frame.box)
            if inside.width > 0 and inside.height > 0:
                left, top = (int(n) for n in frame.to_pixel(Point(inside.x, inside.y)))
                frame.pixels[top : top + int(inside.height), left : left + int(inside.width)] = toys.COLOURS[
                    Symbol.FLAG
                ]
        return frame


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., FakeSite]]:
    """Paints a toy site; at the end nothing may have been pressed, and the pointer be where it was."""
    made: list[tuple[FakeSite, Point]] = []

    def make(rows: list[str] = ROWS, profile: Profile | None = None, **more: Any) -> FakeSite:
        out = FakeSite(profile or toys.profile(), rows, **more)
        reader = toys.Eye(out)
        readings: list[Reading] = []

        def counted(*args: Any, **named: Any) -> Reading:
            readings.append(reader.read(*args, **named))
            return readings[-1]

        monkeypatch.setattr(bot.eye, "read", counted, raising=False)
        monkeypatch.setattr(out, "presses", [])
        READINGS[id(out)] = readings
        made.append((out, out.position()))
        return out

    yield make
    for one, pointer in made:
        assert (one.presses, one.strays) == ([], [])
        assert one.position() == pointer
    READINGS.clear()


READINGS: dict[int, list[Reading]] = {}


def watched(page: FakeSite, seconds: float, window: FakeWindow | None = None, **more: Any) -> list[Advice]:
    told: list[Advice] = []
    screen: Any = page if window is None else Screen(page, window)
    watch(
        page.profile, screen, window, on_advice=told.append, max_seconds=seconds, clock=page.clock, sleep=page.sleep,
        **more,
    )  # fmt: skip
    return told


def test_it_reads_when_the_picture_changes_and_only_then(site: Callable[..., FakeSite]) -> None:
    page = site()
    page.after(lambda: page.load(["F11.", "1.22", "..1."]), seconds=5)
    page.after(lambda: page.load(["F11F", "1.22", "..1F"]), seconds=9)
    told = watched(page, 20)
    assert [advice.text for advice in told] == [
        "3 mines: r1c1 r1c4 r3c4.",
        "2 mines: r1c4 r3c4.",
        "All mines are flagged.",
    ]
    assert len(READINGS[id(page)]) == 3
    assert page.grabs > 60  # while it looked on


def test_a_board_that_is_not_there_is_waited_for(site: Callable[..., FakeSite]) -> None:
    page = site()
    all_of_it = Box(0, 0, 1280, 800)
    page.popup(all_of_it)
    page.after(lambda: page.popup(None), seconds=5)
    page.after(lambda: page.popup(all_of_it), seconds=10)
    page.after(lambda: page.popup(None), seconds=15)
    said = [advice.text for advice in watched(page, 20)]
    assert said == ["No board yet.", "3 mines: r1c1 r1c4 r3c4."] * 2


def test_it_follows_a_board_that_moves_and_one_of_another_size(site: Callable[..., FakeSite]) -> None:
    page = site()
    page.after(lambda: page.move_window(120, 35), seconds=5)
    page.after(lambda: page.load(["1.", "..", "11"]), seconds=10)
    told = watched(page, 20)
    assert [advice.standing for advice in told] == [Standing.SURE, Standing.OPEN]
    assert told[-1].reading is not None
    assert told[-1].reading.grid.left == pytest.approx(page.at.x)


def test_a_board_that_moves_by_a_whole_cell_is_not_read_where_it_was(site: Callable[..., FakeSite]) -> None:
    """There its cells would look like cells."""
    page = site(pitch=30.0)
    page.after(lambda: page.move_window(30, 0), seconds=5)
    told = watched(page, 12)
    assert [advice.text for advice in told] == ["3 mines: r1c1 r1c4 r3c4."]
    assert READINGS[id(page)][-1].grid.left == page.at.x


def test_a_game_is_followed_from_the_first_click_to_the_end(site: Callable[..., FakeSite]) -> None:
    field = Field(Shape(4, 5), cell_set([3, 16]))
    play = Play(first="opening", sizes={Shape(4, 5): 2})
    profile = toys.profile({"right": (Symbol.COVERED, Symbol.FLAG)}, kind="reveal", play=play)
    page = site(["....."] * 4, profile, deal=lambda *_: field)
    game = Game(field)

    def person(cell: int) -> None:
        """Somebody else's click: the page shows what it opens."""
        nonlocal game
        game = game.reveal(cell)
        rows = [["."] * 5 for _ in range(4)]
        for c, number in game.puzzle.clues.items():
            rows[c // 5][c % 5] = str(number)
        page.load(["".join(row) for row in rows])

    left = [c for c in range(20) if not field.mines >> c & 1]
    for number, cell in enumerate([10, *left]):
        page.after(lambda cell=cell: person(cell), seconds=3.0 * (number + 1))  # type: ignore[misc]
    told = watched(page, 80)
    assert told[0].text == "The first click is safe here; r2c3 is a good one."
    assert {advice.standing for advice in told[1:-1]} <= {Standing.SURE, Standing.ODDS}
    assert told[-1].text == "Every safe cell is open."
    for advice in told:
        assert not advice.safe & field.mines
        assert not advice.mines & ~field.mines


def test_a_window_beside_the_board_is_never_read(site: Callable[..., FakeSite]) -> None:
    """It has the colour of a flag: where it was read, cells would be flagged that are not."""
    page = site()
    corner = page.grid.cell_box(0)
    window = FakeWindow(corner)
    page.after(lambda: page.load(["11.", "1..", "..."]), seconds=5)
    watched(page, 15, window)
    texts = [advice.text for advice in window.shown]
    assert texts[0] == "3 mines: r1c1 r1c4 r3c4."  # before it was shown
    assert all("Not read: r1c1" in text for text in texts[1:])
    assert not any(reading.where(Symbol.FLAG) for reading in READINGS[id(page)])
    assert not window.visible


def test_a_window_over_the_board_is_hidden_before_the_board_is_read(site: Callable[..., FakeSite]) -> None:
    page = site()
    window = FakeWindow(page.grid.box.grown(-20), over=True)
    page.after(lambda: page.load(["F11.", "1.22", "..1."]), seconds=5)
    watched(page, 12, window)
    assert [advice.text for advice in window.shown] == ["3 mines: r1c1 r1c4 r3c4.", "2 mines: r1c4 r3c4."]
    assert len(READINGS[id(page)]) == 2  # its own appearance is no change
    assert not any(reading.doubts for reading in READINGS[id(page)])


def test_marks_do_not_flicker_where_nothing_new_comes_of_it(site: Callable[..., FakeSite]) -> None:
    """Something on the board never stops: were the marks hidden at every change, nobody could see them."""
    page = site(restless=True)
    window = FakeWindow(page.grid.cell_box(1).grown(-4), over=True)
    watched(page, 60, window)
    assert 5 <= window.hidden <= 30
    # from the second look on every cell has been seen once
    assert {advice.text for advice in window.shown[1:]} == {"3 mines: r1c1 r1c4 r3c4."}


def test_a_clue_that_is_covered_for_a_while_is_remembered_on_the_same_board_alone(
    site: Callable[..., FakeSite],
) -> None:
    page = site()
    over = page.grid.cell_box(4).grown(-2)  # r2c1, a 1
    page.after(lambda: page.popup(over), seconds=4)
    page.after(lambda: page.load([".11.", "1.21", "...."]), seconds=8)
    told = watched(page, 14)
    assert told[0].text == "3 mines: r1c1 r1c4 r3c4."
    assert len(told) == 2
    assert told[1].text.endswith("Not read: r2c1.")


def test_it_ends_when_the_window_is_closed_and_hides_it_however_it_ends(site: Callable[..., FakeSite]) -> None:
    page = site()
    window = FakeWindow(rounds=30)
    watched(page, 1e6, window)
    assert (window.visible, len(window.shown)) == (False, 1)

    def stop() -> None:
        raise KeyboardInterrupt

    page.after(stop, seconds=page.clock() + 3)
    window = FakeWindow()
    with pytest.raises(KeyboardInterrupt):
        watched(page, 1e6, window)
    assert window.hidden
    with pytest.raises(WrongUse, match="no monitor 7"):
        watched(page, 1, monitor=7)


def test_a_restless_page_is_read_all_the_same(site: Callable[..., FakeSite]) -> None:
    page = site(clockwork=True)
    told = watched(page, 10)
    assert [advice.text for advice in told] == ["3 mines: r1c1 r1c4 r3c4."]


# ---------------------------------------------------------------- what shows it


def test_the_veil_covers_what_it_marks_and_nothing_else() -> None:
    grid = Grid(Shape(3, 4), 100.5, 50.0, 30.0, 30.0)
    picture, mask = veil(
        grid, safe=1 << 0, mines=1 << 1, wrong=1 << 2, chances={Cell(5): 0.25, Cell(6): 0.5}, best=Cell(5)
    )
    assert picture.shape == (90, 120, 3)
    assert mask.shape == (90, 120)
    marked = {c for c in range(12) if mask[30 * (c // 4) : 30 * (c // 4) + 30, 30 * (c % 4) : 30 * (c % 4) + 30].any()}
    assert marked == {0, 1, 2, 5, 6}
    assert not mask[12:18, 12:18].any()  # what is framed is still to be seen
    assert not mask[29:31].any()  # no mark leaves its cell
    shapes = [picture[0:30, 30 * c : 30 * c + 30][mask[0:30, 30 * c : 30 * c + 30]] for c in range(3)]
    assert len({tuple(np.median(pixels, axis=0)) for pixels in shapes[:2]}) == 2
    none, empty = veil(grid, 2.0)
    assert none.shape == (180, 240, 3)
    assert not empty.any()


@pytest.mark.parametrize(
    ("board", "place"),
    [
        (Box(100, 100, 300, 300), "right"),
        (Box(900, 100, 300, 300), "left"),
        (Box(100, 20, 1100, 250), "below"),
        (Box(100, 520, 1100, 250), "above"),
    ],
)
def test_the_window_stands_where_it_leaves_the_board_free(board: Box, place: str) -> None:
    monitors = (Monitor(1, Box(0, 0, 1280, 800)),)
    (x, y), share = room_beside(600, 400, board, monitors)
    window = Box(x, y, 600 * share, 400 * share)
    both = window.clipped(board)
    assert both.width == 0 or both.height == 0
    assert window.clipped(monitors[0].box) == pytest.approx(window)
    assert {"right": x >= board.right, "left": x < board.x, "below": y >= board.bottom, "above": y < board.y}[place]


def test_a_board_that_fills_its_monitor_sends_the_window_to_another() -> None:
    monitors = (Monitor(1, Box(0, 0, 1280, 800)), Monitor(2, Box(1280, 0, 1000, 700)))
    (x, _), share = room_beside(600, 400, Box(10, 10, 1260, 780), monitors)
    assert (x >= 1280, share) == (True, 1.0)
    (x, y), share = room_beside(600, 400, None, monitors)
    assert (x + 600 <= 1280, y >= 0, share) == (True, True, 1.0)


# ---------------------------------------------------------------- the command


def test_without_a_display_it_ends_with_3(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    result = CliRunner().invoke(app, ["watch", "--site", "puzzle-minesweeper", "--text"])
    assert isinstance(result.exception, EnvironmentProblem)


@pytest.mark.parametrize("seconds", ["nan", "-1", "inf", "soon"])
def test_a_time_that_is_none_ends_with_2(seconds: str) -> None:
    result = CliRunner().invoke(app, ["watch", "--max-seconds", seconds])
    assert result.exit_code == 2
    assert "--max-seconds" in result.stderr


class Desk:
    """A painted desktop in place of the real one; a context manager."""

    def __init__(self, page: FakeSite) -> None:
        self.page = page

    def __enter__(self) -> FakeSite:
        return self.page

    def __exit__(self, *_: object) -> None:
        pass


def call(page: FakeSite, monkeypatch: pytest.MonkeyPatch, *args: str) -> Any:
    from autosolve.bot import assistant

    monkeypatch.setattr("autosolve.desktop.screen.Desktop", lambda: Desk(page))
    monkeypatch.setattr(command.options, "profiles", lambda *_: [page.profile])
    monkeypatch.setattr(assistant, "watch", lambda *a, **k: watch(*a, **k, clock=page.clock, sleep=page.sleep))
    return CliRunner().invoke(app, ["watch", "--max-seconds", "8", *args])


def test_lines_of_text_and_json(site: Callable[..., FakeSite], monkeypatch: pytest.MonkeyPatch) -> None:
    page = site()
    page.after(lambda: page.load(["F11.", "1.22", "..1."]), seconds=4)
    result = call(page, monkeypatch, "--text")
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines() == ["3 mines: r1c1 r1c4 r3c4.", "2 mines: r1c4 r3c4."]
    page = site()
    result = call(page, monkeypatch, "--json")
    (line,) = result.stdout.splitlines()
    told = json.loads(line)
    assert told == {
        "schema": 1, "status": "sure", "text": "3 mines: r1c1 r1c4 r3c4.", "site": "toy", "rows": 3, "cols": 4,
        "grid": ROWS, "mines": [[0, 0], [0, 3], [2, 3]], "safe": [], "wrong": [], "odds": None, "best": None,
    }  # fmt: skip
    assert parse("\n".join(told["grid"])).puzzle.clues


def test_without_tkinter_it_prints_and_without_qt_it_says_what_to_install(
    site: Callable[..., FakeSite], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tkinter", None)
    result = call(site(), monkeypatch)
    assert result.stdout == "3 mines: r1c1 r1c4 r3c4.\n"
    assert "There is no tkinter" in result.stderr
    monkeypatch.setitem(sys.modules, "PySide6", None)
    result = call(site(), monkeypatch, "--overlay-window")
    assert isinstance(result.exception, EnvironmentProblem)
    assert "autosolve[watch]" in result.exception.remedy


# ---------------------------------------------------------------- for real

PLAYED = (Path(__file__).resolve().parent.parent / "fixtures" / "boards" / "unique-10x10.txt").read_text().split()
DIAMOND = (213, 94, 0)
SPY = "window.presses = []; addEventListener('mousedown', e => presses.push([e.clientX, e.clientY]), true)"


@pytest.fixture
def shown(rig: Rig) -> Iterator[Chromium]:
    """A page with a board on the virtual screen, which counts every press."""
    url = f"{(Path(__file__).resolve().parent / 'double.html').as_uri()}?{urlencode({'rows': '/'.join(PLAYED)})}"
    browser = rig.browser(url, size=(1000, 900))
    browser.js(SPY)
    yield browser
    rig.close_browser(browser)


@contextmanager
def watching(rig: Rig, *args: str) -> Iterator[subprocess.Popen[str]]:
    process = rig.start_autosolve("watch", "--site", "puzzle-minesweeper", *args)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def told_next(process: subprocess.Popen[str]) -> dict[str, Any]:
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line, process.stderr.read() if process.stderr else ""
    out: dict[str, Any] = json.loads(line)
    return out


def middles(rig: Rig) -> Callable[[int, int], tuple[int, int]]:
    """Where the cells of the board are on the screen, by the reader that everything stands on."""
    file = rig.folder / "board.png"
    rig.photograph(file)
    grid = read(picture.load(str(file)), load("puzzle-minesweeper")).grid

    def middle(row: int, col: int) -> tuple[int, int]:
        at = grid.centre(grid.shape.cell(row, col))
        return round(at.x), round(at.y)

    return middle


def person_flags(rig: Rig, at: tuple[int, int]) -> None:
    rig.tell("xdotool", "mousemove", str(at[0]), str(at[1]), "click", "3")
    rig.point(rig.size[0] // 2, rig.size[1] - 40)


@pytest.mark.screen
@pytest.mark.xdist_group("screen")
def test_on_a_real_screen_it_follows_a_person_and_clicks_nothing(rig: Rig, shown: Chromium) -> None:
    puzzle = parse("\n".join(PLAYED)).puzzle
    mines = [list(at) for at in puzzle.shape.pairs(solve(puzzle).mines)]
    middle, pointer = middles(rig), rig.pointer()
    with watching(rig, "--json") as process:
        assert told_next(process)["mines"] == mines
        assert rig.pointer() == pointer
        assert shown.js("presses.length") == 0
        person_flags(rig, middle(*mines[0]))
        told = told_next(process)
        while "Not read" in told["text"]:  # the pointer may have been on it
            told = told_next(process)
        assert told["mines"] == mines[1:]
        assert shown.js("presses.length") == 1
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130


@pytest.mark.screen
@pytest.mark.xdist_group("screen")
def test_the_window_stands_beside_the_board_and_ends_it_when_it_is_closed(rig: Rig, shown: Chromium) -> None:
    pytest.importorskip("tkinter")
    middle, before = middles(rig), set(rig.windows())
    with watching(rig) as process:
        wait_until(lambda: set(rig.windows()) - before, 60, "the window")
        (window,) = set(rig.windows()) - before
        place = dict(line.split("=") for line in rig.tell("xdotool", "getwindowgeometry", "--shell", window).split())
        frame = re.findall(r"\d+", rig.tell("xprop", "-id", window, "_NET_FRAME_EXTENTS").partition("=")[2])
        # xdotool counts the frame twice
        x, y, width = (int(place[name]) for name in ("X", "Y", "WIDTH"))
        x, y = x - int(frame[0]), y - int(frame[2])
        assert x > middle(0, 9)[0] or x + width < middle(0, 0)[0]
        assert shown.js("presses.length") == 0
        # its button to close, as the window manager draws it
        rig.tell("xdotool", "mousemove", str(x + width - 11), str(y - int(frame[2]) // 2), "click", "1")
        assert process.wait(30) == 0


@pytest.mark.screen
@pytest.mark.xdist_group("screen")
def test_marks_over_the_board_let_clicks_through_and_follow(rig: Rig, shown: Chromium) -> None:
    pytest.importorskip("PySide6")
    puzzle = parse("\n".join(PLAYED)).puzzle
    first, second = puzzle.shape.pairs(solve(puzzle).mines)[:2]
    middle = middles(rig)

    def marked(cell: tuple[int, int]) -> bool:
        file = rig.folder / "over.png"
        rig.photograph(file)
        x, y = middle(*cell)
        return tuple(int(v) for v in picture.load(str(file)).pixels[y, x, ::-1]) == DIAMOND

    with watching(rig, "--overlay-window") as process:
        wait_until(lambda: marked(first) and marked(second), 60, "the marks")
        person_flags(rig, middle(*first))
        wait_until(lambda: shown.js("presses.length") == 1, 20, "the click that went through")
        wait_until(lambda: not marked(first) and marked(second), 30, "the mark that went")
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
    wait_until(lambda: not marked(second), 20, "marks that are gone")
    assert shown.js("presses.length") == 1


def test_a_qt_that_opens_no_window_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("PySide6")
    monkeypatch.setenv("QT_QPA_PLATFORM", "none-such")
    with pytest.raises(EnvironmentProblem, match=r"Qt cannot open a window here: .*none-such"):
        Over("test")


def test_plans_are_drawn_with_what_a_bot_would_click() -> None:
    advice = advise(toys.reading(ROWS))
    assert [click.purpose for click in advice.plan.clicks] == [Purpose.FLAG] * 3
    assert all(isinstance(click, Click) for click in advice.plan.clicks)
