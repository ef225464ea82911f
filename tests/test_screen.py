"""The main job for real: a browser on a virtual screen, real pictures, a real pointer, the program as a person runs it.

The page itself is asked for the truth: what is flagged, whether that solves it, and every press it was given.
"""

from __future__ import annotations

import json
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from chromium import Chromium, wait_until
from rig import Rig

from autosolve.board import notation
from autosolve.board.shape import Cell, cells_in
from autosolve.player.page import page
from autosolve.solver.hybrid import solve
from autosolve.vision import picture
from autosolve.vision.profile import load
from autosolve.vision.read import read

pytestmark = [pytest.mark.screen, pytest.mark.xdist_group("screen")]

HERE = Path(__file__).resolve().parent
BOARDS = HERE.parent / "fixtures" / "boards"
SITE = ("--site", "puzzle-minesweeper")

SCALES = (1.0, 1.25, 1.5, 2.0)
ZOOMS = (0.67, 0.75, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0)
SIZES = ((5, 5), (5, 9), (7, 7), (10, 10), (12, 31), (15, 15), (20, 20), (30, 18), (40, 40), (50, 50))

# presses beside the board are counted; every nth press on it can be swallowed before the page sees it
SPY = """
(() => {
  window.spy = {outside: 0, seen: 0, swallowed: 0, every: EVERY};
  addEventListener('mousedown', e => {
    if (!e.target.closest('.minesweeper-cell-back, .board')) { spy.outside++; return; }
    spy.seen++;
    if (spy.every && spy.seen % spy.every === 0) { spy.swallowed++; e.stopImmediatePropagation(); e.preventDefault(); }
  }, true);
})()
"""


def rows_of(rows: int, cols: int) -> list[str]:
    return (BOARDS / f"unique-{rows}x{cols}.txt").read_text().split()


def mines_of(rows: list[str]) -> set[tuple[int, int]]:
    puzzle = notation.parse("\n".join(rows)).puzzle
    solution = solve(puzzle)
    assert solution.unique
    return {puzzle.shape.at(c) for c in cells_in(solution.mines)}


def with_marks(rows: list[str], flags: set[tuple[int, int]], safe: set[tuple[int, int]]) -> list[str]:
    return [
        "".join("F" if (r, c) in flags else "x" if (r, c) in safe else s for c, s in enumerate(row))
        for r, row in enumerate(rows)
    ]


@dataclass
class Desk:
    """The screen with one browser on it, which is kept as long as the same scale and zoom are asked for."""

    rig: Rig
    browser: Chromium | None = None
    key: tuple[float, float] = (0.0, 0.0)

    def show(self, url: str, scale: float = 1.0, zoom: float = 1.0, *, swallow: int = 0) -> Chromium:
        if self.browser is not None and self.key != (scale, zoom):
            self.clear()
        if self.browser is None:
            self.browser = self.rig.browser(url, scale=scale, zoom=zoom)
            self.key = (scale, zoom)
        else:
            self.browser.open(url)
        shown = self.browser
        # a loaded machine may show the page before it has applied the zoom
        wait_until(lambda: abs(shown.js("devicePixelRatio") - scale * zoom) < 0.01, 20, f"zoom {zoom}")
        self.browser.js(SPY.replace("EVERY", str(swallow)))
        self.browser.settle()
        return self.browser

    def double(
        self, rows: list[str], device: float = 1.0, zoom: float = 1.0, swallow: int = 0, **query: Any
    ) -> Chromium:
        url = f"{(HERE / 'double.html').as_uri()}?{urlencode({'rows': '/'.join(rows), **query})}"
        return self.show(url, device, zoom, swallow=swallow)

    def clear(self) -> None:
        if self.browser is not None:
            self.rig.close_browser(self.browser)
            self.browser = None

    def run(self, *args: str, timeout: float = 120) -> subprocess.CompletedProcess[str]:
        return self.rig.autosolve(*args, timeout=timeout)


@pytest.fixture(scope="module")
def desk(rig: Rig) -> Iterator[Desk]:
    desk = Desk(rig)
    yield desk
    desk.clear()


@pytest.fixture
def player(tmp_path: Path) -> Callable[[list[str]], str]:
    def write(rows: list[str]) -> str:
        file = tmp_path / "player.html"
        file.write_text(page(notation.parse("\n".join(rows))), encoding="utf-8", newline="\n")
        return file.as_uri()

    return write


def flags(browser: Chromium) -> set[tuple[int, int]]:
    return {(r, c) for r, c in browser.js("(window.mock || window.autosolve).flags()")}


def presses(browser: Chromium) -> list[Any]:
    found: list[Any] = browser.js("(window.mock || window.autosolve).clicks")
    return found


def agrees(browser: Chromium) -> bool:
    """Whether the page itself calls the board solved; until then nobody may have submitted it."""
    if browser.js("Boolean(window.mock)"):
        assert not browser.js("mock.solved"), "the score was submitted"
        browser.js("document.querySelector('#btnReady').click()")
        return bool(browser.js("mock.solved"))
    return bool(browser.js("autosolve.solved"))


def assert_solved(browser: Chromium, done: subprocess.CompletedProcess[str], rows: list[str]) -> dict[str, Any]:
    assert done.returncode == 0, done.stderr
    said: dict[str, Any] = json.loads(done.stdout)
    assert (said["schema"], said["result"], said["verified"]) == (1, "solved", True)
    assert flags(browser) == mines_of(rows)
    assert {tuple(cell) for cell in said["mines"]} == mines_of(rows)
    assert agrees(browser)
    assert browser.js("spy.outside") == 0, "a press beside the board"
    return said


def assert_pressed_once(browser: Chromium, said: dict[str, Any], cells: set[tuple[int, int]]) -> None:
    """Each of the cells was pressed once as far as the page knows, and no other. A press that a busy machine lost
    between the bot and the page is made again and counted: seldom, and never one that the page had taken."""
    assert sorted((r, c) for r, c, _ in presses(browser)) == sorted(cells)
    seen, swallowed = browser.js("[spy.seen, spy.swallowed]")
    assert seen - swallowed == len(cells)
    assert 0 <= said["clicks"] - seen <= max(1, len(cells) // 100)


def assert_untouched(browser: Chromium) -> None:
    assert presses(browser) == []
    assert browser.js("spy.outside") == 0


# ---------------------------------------------------------------- sizes, scales and zooms


OFTEN = {(1.0, 0.67), (1.0, 1.0), (1.25, 0.9), (1.25, 1.1), (1.5, 1.0), (1.5, 1.25), (2.0, 0.75), (2.0, 1.5)}


def fitting(scale: float, zoom: float, side: bool) -> tuple[int, int]:
    """The largest board of the list that fits the window, browser chrome and page included."""
    ratio = scale * zoom
    down, across = 1280 - 90 - 95 * scale - 90 * ratio, 1920 - 90 - (470 if side else 60) * ratio
    return [s for s in SIZES if s[0] * 31 * ratio < down and s[1] * 31 * ratio < across][-1]


def matrix(everything: bool) -> Iterator[Any]:
    """Every scale with every zoom from 67 to 300 % together, and every size; a part of them in a usual run."""
    fonts = ("DejaVu Sans", "Arial", "Noto Sans")
    number = 0
    for scale in SCALES:
        for zoom in ZOOMS:
            if not 0.66 <= scale * zoom <= 3.01:
                continue
            number += 1
            side = scale * zoom < 2
            query: dict[str, Any] = {"font": f"{fonts[number % 3]},sans-serif"}
            if not side:
                query["side"] = 0
            if number % 4 == 1:
                query["sub"] = 0.17
            rows, cols = fitting(scale, zoom, side)
            if everything or (scale, zoom) in OFTEN:
                yield pytest.param(
                    rows, cols, scale, zoom, query, id=f"{rows}x{cols}-at-{scale:g}x{round(zoom * 100)}%"
                )
    for rows, cols in SIZES:
        k = min(1.0, 1000 / (31 * rows + 15))
        if everything or rows in (5, 12, 50):
            yield pytest.param(rows, cols, 1.0, 1.0, {"scale": round(k, 3)}, id=f"{rows}x{cols}")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """The matrix, whole with --all-zooms."""
    if "query" in metafunc.fixturenames:
        names = ("rows", "cols", "scale", "zoom", "query")
        metafunc.parametrize(names, list(matrix(metafunc.config.getoption("--all-zooms"))))


def test_the_main_job(desk: Desk, rows: int, cols: int, scale: float, zoom: float, query: dict[str, Any]) -> None:
    board = rows_of(rows, cols)
    browser = desk.double(board, scale, zoom, **query)
    done = desk.run(*SITE, "--json")
    said = assert_solved(browser, done, board)
    assert_pressed_once(browser, said, mines_of(board))


@pytest.mark.parametrize(
    ("rows", "cols", "scale", "zoom"),
    [(7, 7, 1.0, 1.0), (5, 9, 1.5, 1.5), (20, 20, 1.25, 0.8), (30, 18, 1.0, 1.0), (12, 31, 2.0, 0.67)],
)
def test_the_local_player(
    desk: Desk, player: Callable[[list[str]], str], rows: int, cols: int, scale: float, zoom: float
) -> None:
    board = rows_of(rows, cols)
    browser = desk.show(player(board), scale, zoom)
    assert_solved(browser, desk.run("--site", "local-player", "--json"), board)


@pytest.mark.parametrize(("size", "scale", "zoom", "left"), [("7x9", 1.0, 1.0, 0), ("15x20", 1.5, 0.9, 40)])
def test_the_mosaic_of_the_puzzle_site(desk: Desk, size: str, scale: float, zoom: float, left: int) -> None:
    """Cells with a clue are filled like the others; what is filled rightly is left alone, what is not is emptied."""
    puzzle = notation.parse((BOARDS / f"mosaic-{size}.txt").read_text()).puzzle
    rows = notation.grid_lines(puzzle)
    solution = solve(puzzle)
    black = {puzzle.shape.at(c) for c in cells_in(solution.mines)}
    filled = [*cells_in(solution.mines)][:left] + [*cells_in(solution.safe)][: left // 8]
    browser = desk.double(rows, scale, zoom, mosaic=1, side=0, filled=",".join(map(str, filled)))
    done = desk.run(*SITE, "--variant", "mosaic", "--json")
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert (said["result"], said["verified"]) == ("solved", True)
    assert flags(browser) == black
    assert agrees(browser)
    assert_pressed_once(browser, said, black ^ {puzzle.shape.at(c) for c in map(Cell, filled)})


@pytest.mark.parametrize(
    ("size", "scale", "zoom", "theme"),
    [("12x10", 1.0, 1.0, "light"), ("15x20", 1.25, 0.8, "dark"), ("5x5", 2.0, 1.25, "dark")],
)
def test_the_mosaic_of_the_local_player(
    desk: Desk, player: Callable[[list[str]], str], size: str, scale: float, zoom: float, theme: str
) -> None:
    board = (BOARDS / f"mosaic-{size}.txt").read_text().splitlines()
    puzzle = notation.parse("\n".join(board)).puzzle
    black = {puzzle.shape.at(c) for c in cells_in(solve(puzzle).mines)}
    browser = desk.show(player(board), scale, zoom)
    browser.js(f"document.documentElement.dataset.theme = '{theme}'")
    browser.settle()
    done = desk.run("--site", "local-player", "--json")
    assert done.returncode == 0, done.stderr
    assert flags(browser) == black
    assert agrees(browser)
    assert_pressed_once(browser, json.loads(done.stdout), black)


# ---------------------------------------------------------------- marks of an earlier run


def test_a_partly_flagged_board_gets_only_what_is_missing(desk: Desk) -> None:
    board = rows_of(15, 15)
    mines = sorted(mines_of(board))
    there = set(mines[::2])
    browser = desk.double(with_marks(board, there, set()))
    said = assert_solved(browser, desk.run(*SITE, "--json"), board)
    assert_pressed_once(browser, said, set(mines) - there)


def test_wrong_flags_are_undone(desk: Desk) -> None:
    board = rows_of(10, 10)
    mines = mines_of(board)
    covered = {(r, c) for r, row in enumerate(board) for c, s in enumerate(row) if s == "."}
    wrong, right = set(sorted(covered - mines)[::3]), set(sorted(mines)[::4])
    marked_safe = set(sorted(mines - right)[::3])
    browser = desk.double(with_marks(board, wrong | right, marked_safe))
    assert wrong and marked_safe
    assert_solved(browser, desk.run(*SITE, "--json"), board)


def test_a_second_run_finds_nothing_to_do(desk: Desk) -> None:
    board = rows_of(7, 7)
    browser = desk.double(with_marks(board, mines_of(board), set()))
    said = assert_solved(browser, desk.run(*SITE, "--json"), board)
    assert said["clicks"] == 0
    assert_untouched(browser)


# ---------------------------------------------------------------- what must be refused, with nothing clicked


def test_a_bar_over_the_bottom_row(desk: Desk) -> None:
    board = rows_of(20, 20)
    browser = desk.double(board, anchor=1)
    browser.js(
        "(() => {const last = [...document.querySelectorAll('.cell')].at(-1).getBoundingClientRect();"
        "document.querySelector('#anchorAd').style.height = `${innerHeight - last.top - 2}px`;})()"
    )
    browser.settle()
    done = desk.run(*SITE)
    assert done.returncode == 5, done.stderr
    assert re.search(r"\brow 20\b|\br20c\d", done.stderr), done.stderr
    assert not re.search(r"\brow 19\b|\br19c\d", done.stderr), done.stderr
    assert_untouched(browser)


def test_a_board_taller_than_the_window(desk: Desk) -> None:
    board = rows_of(50, 50)
    browser = desk.double(board, side=0, scale=1)
    done = desk.run(*SITE)
    assert done.returncode == 5, done.stderr
    assert "cut" in done.stderr
    zoom = re.search(r"(\d+) ?%", done.stderr)
    assert zoom, done.stderr
    assert_untouched(browser)
    # the zoom it names is one at which the board does fit
    browser = desk.double(board, 1.0, int(zoom[1]) / 100, side=0, scale=1)
    assert_solved(browser, desk.run(*SITE, "--json"), board)


@pytest.mark.parametrize("zoom", [1.0, 0.67])
def test_a_board_cut_anywhere(desk: Desk, zoom: float, tmp_path: Path) -> None:
    """The window's rim may lie anywhere in a cell, and right at a grid line look like the board's frame."""
    browser = desk.double(rows_of(50, 50), 1.0, zoom, side=0, scale=round(1 / zoom, 2))
    profile, file, wrong = load("puzzle-minesweeper"), tmp_path / "cut.png", []
    for shift in range(0, 31, 2):
        browser.js(f"document.body.style.paddingTop = '{shift}px'; 1")
        browser.settle()
        time.sleep(0.15)
        desk.rig.photograph(file)
        reading = read(picture.load(file), profile)
        last = reading.grid.shape.row(reading.grid.shape.rows - 1)
        if "bottom" not in reading.grid.cut and reading.doubtful & last != last:
            wrong.append((shift, sorted(reading.grid.cut), len(reading.doubts)))
        if reading.grid.cut - {"bottom"}:
            wrong.append((shift, sorted(reading.grid.cut), len(reading.doubts)))
    assert not wrong


def test_a_box_over_the_board(desk: Desk) -> None:
    browser = desk.double(rows_of(20, 20), consent=1)
    done = desk.run(*SITE)
    assert done.returncode in (4, 5), done.stderr
    assert_untouched(browser)


def test_another_window_over_the_board(desk: Desk) -> None:
    browser = desk.double(rows_of(20, 20))
    over = desk.rig.note("a window in front of the board", "+700+500")
    try:
        done = desk.run(*SITE)
    finally:
        desk.rig.end(over)
    assert done.returncode in (4, 5), done.stderr
    assert_untouched(browser)


def test_a_board_with_two_solutions(desk: Desk) -> None:
    # the first rows tell nothing, so their mines could lie otherwise
    board = [row if r > 2 else "." * len(row) for r, row in enumerate(rows_of(10, 10))]
    assert not solve(notation.parse("\n".join(board)).puzzle).unique
    browser = desk.double(board)
    done = desk.run(*SITE)
    assert done.returncode == 7, done.stderr
    assert_untouched(browser)


def test_clues_that_clash(desk: Desk) -> None:
    board = rows_of(10, 10)
    r, c = next((r, c) for r in range(1, 9) for c in range(1, 9) if board[r][c] == "2" and board[r][c + 1] == ".")
    board[r] = f"{board[r][:c]}8{board[r][c + 1 :]}"
    browser = desk.double(board)
    done = desk.run(*SITE)
    assert done.returncode == 6, done.stderr
    assert f"r{r + 1}c{c + 1}" in done.stderr
    assert_untouched(browser)


def test_a_screen_without_a_board(desk: Desk) -> None:
    browser = desk.show((HERE.parent / "README.md").as_uri())
    done = desk.run(*SITE)
    assert done.returncode == 4, done.stderr
    assert "Traceback" not in done.stderr
    assert browser.js("spy.outside") == 0


def test_a_dry_run_clicks_nothing_and_draws(desk: Desk, tmp_path: Path) -> None:
    board = rows_of(15, 15)
    browser = desk.double(board)
    overlay = tmp_path / "plan.png"
    before = desk.rig.pointer()
    done = desk.run(*SITE, "--dry-run", "--overlay", str(overlay), "--json")
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert (said["result"], said["clicks"], said["verified"]) == ("dry-run", 0, False)
    assert {tuple(cell) for cell in said["mines"]} == mines_of(board)
    assert overlay.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert desk.rig.pointer() == before
    assert_untouched(browser)


# ---------------------------------------------------------------- clicks that do not take


def test_swallowed_clicks_are_repeated(desk: Desk) -> None:
    board = rows_of(15, 15)
    browser = desk.double(board, swallow=7)
    said = assert_solved(browser, desk.run(*SITE, "--json"), board)
    assert browser.js("spy.swallowed") >= 7
    assert said["laps"] >= 3
    assert_pressed_once(browser, said, mines_of(board))


def test_a_page_that_takes_no_clicks(desk: Desk) -> None:
    browser = desk.double(rows_of(7, 7), swallow=1)
    done = desk.run(*SITE)
    assert done.returncode == 8, done.stderr
    assert flags(browser) == set()
    assert browser.js("spy.seen") <= 3 * len(mines_of(rows_of(7, 7)))


# ---------------------------------------------------------------- the person stops it


def interrupted(desk: Desk, stop: Callable[[subprocess.Popen[str]], None]) -> None:
    """Starts slowly, lets ``stop`` act once the first flags are there, and sees that it stops and says the truth."""
    board = rows_of(20, 20)
    browser = desk.double(board)
    desk.rig.point(900, 1200)
    process = desk.rig.start_autosolve(*SITE, "--delay", "0.1")
    try:
        wait_until(lambda: len(presses(browser)) > 8 or process.poll() is not None, 60, "first flags")
        stop(process)
        _, words = process.communicate(timeout=20)
    finally:
        process.kill()
        process.wait()
        desk.rig.point(900, 1200)
    assert process.returncode == 130, words
    count = len(presses(browser))
    assert 8 < count < len(mines_of(board))
    time.sleep(0.4)
    assert len(presses(browser)) == count, "it went on clicking"
    assert flags(browser) <= mines_of(board)
    assert "Traceback" not in words
    # the click that was in the making when it stopped may be in the page and not in the words
    said = re.search(r"\b(\d+) clicks were\b", words)
    assert said and count - int(said[1]) in (0, 1), (count, words)


def test_ctrl_c_stops_at_once(desk: Desk) -> None:
    interrupted(desk, lambda process: process.send_signal(signal.SIGINT))


def test_a_moved_mouse_stops_it(desk: Desk) -> None:
    interrupted(desk, lambda _: desk.rig.point(300, 1100))


def test_the_fail_safe_corner_stops_it(desk: Desk) -> None:
    interrupted(desk, lambda _: desk.rig.point(0, 0))


# ---------------------------------------------------------------- the board changes under the hand


def disturbed(desk: Desk, disturb: Callable[[Chromium], None]) -> tuple[Chromium, int, str]:
    """Starts slowly, lets ``disturb`` act once some flags are there; the browser, the exit code and the words.

    Whatever happens, no cell may be pressed that is no mine, and none twice: but for the one press that was on its
    way between the look at its cell and the board's change."""
    board = rows_of(15, 15)
    browser = desk.double(board)
    browser.js("document.body.style.paddingBottom = '2000px'")
    desk.rig.point(900, 1200)
    process = desk.rig.start_autosolve(*SITE, "--delay", "0.08")
    try:
        wait_until(lambda: len(presses(browser)) > 8 or process.poll() is not None, 60, "first flags")
        disturb(browser)
        _, words = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()
    assert "Traceback" not in words
    pressed = [(r, c) for r, c, _ in presses(browser)]
    assert len(set(pressed) - mines_of(board)) <= 1, "cells were pressed that are no mines"
    assert len(pressed) - len(set(pressed)) <= 1, "cells were pressed twice"
    return browser, process.returncode, words


def test_a_window_that_is_moved(desk: Desk) -> None:
    def move(_: Chromium) -> None:
        windows = desk.rig.tell("xdotool", "search", "--onlyvisible", "--class", "chromium").split()
        desk.rig.tell("xdotool", "windowmove", windows[-1], "137", "71")

    browser, code, words = disturbed(desk, move)
    seen = flags(browser)
    desk.clear()  # the next test wants its window where it was
    assert code == 0, words
    assert seen == mines_of(rows_of(15, 15))


def test_a_page_that_is_scrolled(desk: Desk) -> None:
    browser, code, words = disturbed(desk, lambda browser: browser.js("scrollBy(0, 47); 1"))
    assert code == 0, words
    assert flags(browser) == mines_of(rows_of(15, 15))


def test_a_box_that_comes_up(desk: Desk) -> None:
    box = "<div style='position:fixed;inset:20% 20% 20% 20%;background:#fff;z-index:9999'>We value your privacy</div>"
    browser, code, words = disturbed(
        desk, lambda browser: browser.js(f"document.body.insertAdjacentHTML('beforeend', {box!r}); 1")
    )
    assert code in (4, 5, 8), words
    # the press that was on its way when it came up may have hit it
    assert browser.js("spy.outside") <= 1


def test_the_local_player_in_the_dark_with_marks(desk: Desk, player: Callable[[list[str]], str]) -> None:
    board = rows_of(15, 15)
    mines = mines_of(board)
    covered = {(r, c) for r, row in enumerate(board) for c, s in enumerate(row) if s == "."}
    wrong, right = set(sorted(covered - mines)[::5]), set(sorted(mines)[::3])
    browser = desk.show(player(with_marks(board, wrong | right, set(sorted(covered - mines)[1::5]))))
    browser.js("document.documentElement.dataset.theme = 'dark'")
    browser.settle()
    assert_solved(browser, desk.run("--site", "auto", "--json"), board)
