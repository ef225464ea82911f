"""Tests of the local player: its page in a real browser, pressed by real events, and the command that writes it."""

from __future__ import annotations

import hashlib
import json
import math
import random
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from chromium import wait_until
from click.testing import CliRunner, Result
from table import Browser, Picture, Table

from autosolve.board import notation
from autosolve.board.notation import Position
from autosolve.board.shape import Shape, cells_in
from autosolve.cli import play as play_module
from autosolve.cli.main import app, run_command
from autosolve.errors import NotationError, UnreadableFile, WrongUse
from autosolve.player import EXAMPLE, page
from autosolve.player.plan import HiddenGame
from autosolve.solver.hybrid import solve

ROOT = Path(__file__).resolve().parent.parent

# 3x4: its mines are r1c1, r1c4 and r3c4
SMALL = ".11.\n1.22\n..1.\n"
SMALL_MINES = [(0, 0), (0, 3), (2, 3)]
SMALL_HASH = hashlib.sha256(b"100100000001").hexdigest()


def position_of(text: str) -> dict[str, Any]:
    """A position in the words of the page's own parser."""
    found = notation.parse(text)
    totals = found.puzzle.totals
    return {
        "rows": found.puzzle.shape.rows,
        "cols": found.puzzle.shape.cols,
        "chars": "".join(notation.grid_lines(found.puzzle, found.marks)),
        "totals": {"rows": list(totals.rows), "columns": list(totals.columns), "mines": totals.mines},
        "variant": found.puzzle.variant.value,
        "sha256": found.sha256,
        "hidden": None,
    }


# ---------------------------------------------------------------- the page as a file


def test_the_page_opens_offline_and_without_a_complaint(browser: Browser, tmp_path: Path) -> None:
    table = Table(browser, tmp_path)
    browser.events = []
    for domain in ("Runtime", "Log", "Network"):
        browser.command(f"{domain}.enable")
    table.show(SMALL)
    table.press(0, 0, "right")
    table.press(1, 1, "left")
    table.go("#2x2:1999")
    browser.settle()
    wanted = [e["params"]["request"]["url"] for e in browser.events if e["method"] == "Network.requestWillBeSent"]
    assert [url for url in wanted if url.startswith("file:")], "the events are not heard"
    assert not [url for url in wanted if not url.startswith(("file:", "data:", "about:"))]
    spoken = ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")
    assert not [e for e in browser.events if e["method"] in spoken]
    # the policy is what keeps it offline: a connection it tries on purpose is refused by it
    assert table.js(
        "new Promise(done => { addEventListener('securitypolicyviolation', e => done(e.effectiveDirective));"
        " fetch('http://127.0.0.1:9/').catch(() => {}); })"
    ).startswith("connect-src")
    for domain in ("Runtime", "Log", "Network"):
        browser.command(f"{domain}.disable")


def test_a_title_or_a_puzzle_cannot_break_out_of_the_page() -> None:
    text = page(notation.parse(SMALL), title="</title><script>alert(1)</script>")
    assert "<script>alert" not in text
    assert text.count("</script>") == 4  # the puzzle, its plan, the page's settings, the script


def test_a_page_opens_with_one_board() -> None:
    with pytest.raises(WrongUse, match="one board"):
        page(notation.parse(SMALL), game=HiddenGame(Shape(2, 2), 1))


def test_the_example_is_a_puzzle_with_one_solution() -> None:
    position = notation.parse(EXAMPLE)
    solution = solve(position.puzzle)
    shape = position.puzzle.shape
    assert shape.rows != shape.cols
    assert not solution.undecided
    assert notation.solution_hash(shape, solution.mines) == position.sha256


# ---------------------------------------------------------------- SHA-256 and notation, against Python's


def test_sha256_equals_pythons(table: Table) -> None:
    table.show()
    rng = random.Random(1)
    texts = ["a" * n for n in range(140)]
    texts += ["".join(rng.choices("01", k=n)) for n in (25, 100, 400, 2500, 250_000)]
    texts += ["é×漢🚩" * n for n in (1, 7, 40)]
    found = table.js(f"{json.dumps(texts)}.map(autosolve.sha256)")
    assert found == [hashlib.sha256(text.encode()).hexdigest() for text in texts]


READ_ALIKE = [
    SMALL,
    EXAMPLE,
    "2x3:199919",
    f"3x4:911919229919:{SMALL_HASH.upper()}",
    "# a comment\n\n 1x3 : 199 \n",
    ".1.2\nF4x.\n",
    "#1#\n...\n",
    "#\n1\n#\n",
    "#\n##\n1#\n",
    "\ufeff.1\r\n..\r\n",
    "mines: 3\nrows: 1 ? 0\ncolumns: 2,1\n..\n1.\n..\n",
    f"Mines: ?\nhash: {SMALL_HASH}\nvariant: minesweeper\n1.\n..\n",
    "*1?\n1XF\n",
    '{"rows": 2, "cols": 3, "puzzle": "199919"}',
    '{"grid": [".1", "x."], "hash": null, "totals": {"rows": [1, null], "mines": 1}}',
    '{"grid": ".1 ..", "level": 4}',
    "variant: mosaic\n9.\n.4\n",
    '{"grid": ["9.", "F4"], "variant": "mosaic"}',
]
REFUSED_ALIKE = [
    "",
    "# nothing",
    "..\n.\n",
    "19\n..\n",
    "1a\n..\n",
    "2x2:123",
    "2x2:12345",
    "2x2:12a4",
    "2x2:1999:abc",
    "0x2:",
    "501x1:9",
    "2x2:1999\n2x2:1999",
    "2x2:1999::",
    "mines: many\n1.\n",
    "mines: 9\n1.\n..\n",
    "rows: 1\n1.\n..\n",
    "rows: 3 0\n1.\n..\n",
    "name: x\n1.\n",
    "mines: 1\nmines: 1\n1.\n",
    "1.\nmines: 1\n",
    "variant: hexagons\n1.\n",
    '{"rows": 1, "cols": 2, "puzzle": "19", "variant": "mosaic"}',
    "{",
    "{}",
    '{"rows": 2, "puzzle": "1999"}',
    '{"rows": 2, "cols": 2, "puzzle": 1999}',
    '{"rows": 3, "grid": ["1.", ".."]}',
    '{"grid": ["1.", "."]}',
    '{"grid": ["1.", ".."], "totals": {"rows": [1]}}',
    '{"grid": ["1.", ".."], "totals": {"mines": 5}}',
]


def parsed_by_page(table: Table, texts: list[str]) -> list[Any]:
    return list(
        table.js(
            f"{json.dumps(texts)}.map(text => {{ try {{ return autosolve.parse(text); }}"
            " catch (problem) { return problem.remedy === undefined ? String(problem) : 'refused'; } })"
        )
    )


def test_the_page_reads_what_python_reads(table: Table) -> None:
    table.show()
    for text, found in zip(READ_ALIKE, parsed_by_page(table, READ_ALIKE), strict=True):
        # a question mark is no mark of the page: it stays in the text and shows as covered
        assert found == position_of(text), text


def test_the_page_refuses_what_python_refuses(table: Table) -> None:
    table.show()
    for text, found in zip(REFUSED_ALIKE, parsed_by_page(table, REFUSED_ALIKE), strict=True):
        with pytest.raises(NotationError):
            notation.parse(text)
        assert found == "refused", text


def test_the_page_reads_the_shared_puzzles(table: Table, shared: Path) -> None:
    lines = [
        line
        for name in ("puzzles.jsonl", "site.jsonl", "two_solutions.jsonl")
        for line in (shared / "puzzles" / name).read_text(encoding="utf-8").splitlines()
    ]
    table.show()
    assert parsed_by_page(table, lines) == [position_of(line) for line in lines]


# ---------------------------------------------------------------- presses


def test_right_flags_and_left_marks_safe(table: Table) -> None:
    table.show(SMALL)
    steps = [
        ("right", "F"),
        ("left", "F"),
        ("right", "."),
        ("left", "x"),
        ("left", "."),
        ("left", "x"),
        ("right", "F"),
        ("middle", "F"),
    ]
    for button, becomes in steps:
        table.press(2, 1, button)
        assert table.state[2][1] == becomes, (button, becomes)
    assert table.state == [".11.", "1.22", ".F1."]
    assert table.js("autosolve.flags()") == [[2, 1]]
    assert table.js("autosolve.clicks") == [[2, 1, button] for button, _ in steps]


def test_the_page_does_what_its_site_says(table: Table) -> None:
    site = tomllib.loads((ROOT / "templates" / "local-player" / "site.toml").read_text(encoding="utf-8"))
    becomes = {(seen, button): seen for seen in ("covered", "flag", "safe") for button in ("left", "right")}
    for button, cycle in site["buttons"].items():
        for i, seen in enumerate(cycle):
            becomes[seen, button] = cycle[(i + 1) % len(cycle)]
    for step in site["steps"]:
        becomes[step["seen"], step["press"]] = step["becomes"]
    chars = {"covered": ".", "flag": "F", "safe": "x"}
    for (seen, button), after in becomes.items():
        table.show(f"2{chars[seen]}\n..\n")
        table.press(0, 1, button)
        assert table.state[0][1] == chars[after], (seen, button)
    css = (ROOT / "autosolve" / "player" / "web" / "page.css").read_text(encoding="utf-8")
    for name, inks in site["inks"].items():
        variable = name.replace("clue-", "n").replace("flag", "cloth")
        assert inks == re.findall(rf"--{variable}: (#[0-9a-f]+);", css), name
    assert f"--pitch: {site['board']['zoom_pitch']:g}px" in css


def test_left_on_a_fulfilled_clue_marks_the_rest_around_it(table: Table) -> None:
    table.show(SMALL)
    table.press(1, 0, "left")
    assert table.state == notation.grid_lines(notation.parse(SMALL).puzzle)  # no flag yet
    table.press(0, 0, "right")
    table.press(1, 0, "right")
    assert table.state == ["F11.", "1.22", "..1."]  # a right press on a clue does nothing
    table.press(1, 0, "left")
    assert table.state == ["F11.", "1x22", "xx1."]
    table.press(1, 1, "right")  # two flags around it are not its number
    table.press(2, 0, "left")
    table.press(1, 0, "left")
    assert table.state == ["F11.", "1F22", ".x1."]


def test_a_shown_mine_counts_as_found_and_stays(table: Table) -> None:
    table.show("*2.\n...\n..2\n")
    table.press(0, 0, "right")
    table.press(0, 0, "left")
    table.press(0, 2, "right")
    table.press(0, 1, "left")
    assert table.state == ["*2F", "xxx", "..2"]


def test_a_press_is_one_press(table: Table) -> None:
    """The menu that follows a right press, and the click that follows a left one, change nothing more."""
    table.show(SMALL)
    table.js(
        "window.heard = []; for (const name of ['mousedown', 'contextmenu', 'click', 'auxclick'])"
        " addEventListener(name, e => heard.push(name + (e.defaultPrevented ? ' stopped' : '')))"
    )
    table.press(0, 0, "right")
    table.press(2, 0, "left")
    assert "contextmenu stopped" in table.js("heard")
    assert table.state == ["F11.", "1.22", "x.1."]
    assert len(table.js("autosolve.clicks")) == 2


def test_presses_a_few_milliseconds_apart_all_count(table: Table) -> None:
    table.show("\n".join(["." * 25] * 16))
    box = table.box(".board")
    table.js("window.times = []; addEventListener('mousedown', e => times.push(e.timeStamp), true)")
    calls = []
    for i in range(16 * 25):
        x, y = box["x"] + 4 + 32 * (i % 25) + 15, box["y"] + 4 + 32 * (i // 25) + 15
        button = "right" if i % 2 else "left"
        press = {"x": x, "y": y, "button": button, "clickCount": 1}
        calls += [("Input.dispatchMouseEvent", {"type": kind, **press}) for kind in ("mousePressed", "mouseReleased")]
    table.browser.commands(*calls)
    gaps = np.diff(table.js("times"))
    assert len(gaps) == 16 * 25 - 1
    assert float(np.median(gaps)) <= 5
    assert "".join(table.state) == "xF" * 200
    assert len(table.js("autosolve.clicks")) == 400


def test_a_press_without_a_release_counts(table: Table) -> None:
    table.show(SMALL)
    x, y = table.centre(0, 3)
    table.browser.command("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button="right", clickCount=1)
    assert table.state[0] == ".11F"
    table.browser.command("Input.dispatchMouseEvent", type="mouseReleased", x=x, y=y, button="right", clickCount=1)
    assert table.state[0] == ".11F"


def test_a_tap_marks_safe_and_a_long_press_flags(table: Table) -> None:
    table.show(SMALL)

    def touch(row: int, col: int, hold: float) -> None:
        x, y = table.centre(row, col)
        table.browser.command("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        table.js(f"new Promise(done => setTimeout(done, {hold * 1000}))")
        table.browser.command("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        table.js("new Promise(done => setTimeout(done, 60))")

    touch(2, 1, 0.05)
    assert table.state[2] == ".x1."
    touch(2, 1, 0.05)
    assert table.state[2] == "..1."
    touch(0, 0, 0.6)
    assert table.state[0] == "F11."
    touch(1, 0, 0.05)
    assert table.state == ["F11.", "1x22", "xx1."]

    x, y = table.centre(0, 3)  # a finger that moves on scrolls
    table.browser.command("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
    table.browser.command("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": x + 30, "y": y + 30}])
    table.browser.command("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    assert table.state[0] == "F11."


def test_the_keyboard_plays(table: Table) -> None:
    table.show(SMALL)
    ring = "getComputedStyle(document.activeElement, '::after').borderTopStyle"
    table.press(1, 1, "left")
    assert table.js(ring) == "none"
    for key in ("ArrowUp", "ArrowLeft", "f", "ArrowDown", " "):
        table.key(key)
    assert table.state == ["F11.", "1x22", "xx1."]
    assert table.js(ring) == "solid"
    assert table.js("document.activeElement.getAttribute('aria-label')") == "row 2, column 1: clue 1, done"
    for key in ("End", "ArrowUp", "F", "PageDown", "x", "ArrowRight", "ArrowDown"):
        table.key(key)
    assert table.state == ["F11F", "1x22", "xx1x"]
    assert table.js("document.activeElement.getAttribute('aria-label')") == "row 3, column 4: marked safe"
    table.key("z", modifiers=2)
    table.key("z", modifiers=2)
    assert table.state == ["F11.", "1x22", "xx1."]
    table.key("Z", modifiers=2 + 8)
    assert table.state == ["F11F", "1x22", "xx1."]
    table.press(1, 0, "right")  # the mouse takes the keyboard's mark away
    assert table.js(ring) == "none"


def test_undo_redo_and_restart(table: Table) -> None:
    table.show("F11.\n1.22\nx.1.\n")
    table.press(1, 0, "left")
    table.press(0, 3, "right")
    played = ["F11F", "1x22", "xx1."]
    assert table.state == played
    table.click("#undo")
    table.click("#undo")
    assert table.state == ["F11.", "1.22", "x.1."]
    assert table.js("document.getElementById('undo').disabled")
    table.click("#redo")
    table.click("#redo")
    assert table.state == played
    table.click("#restart")
    assert table.state == [".11.", "1.22", "..1."]
    table.click("#undo")
    assert table.state == played
    table.press(0, 3, "right")
    assert table.js("document.getElementById('redo').disabled")


# ---------------------------------------------------------------- wrong, solved


def test_wrong_clues_are_highlighted(table: Table) -> None:
    table.show(SMALL)
    assert table.wrong == []
    table.press(0, 0, "right")
    table.press(1, 1, "right")  # now the 1s at r1c2 and r2c1 see two flags
    assert table.wrong == [1, 4]
    assert table.message == "2 numbers are wrong."
    assert table.js("document.querySelector('.cell.wrong').getAttribute('aria-label')").endswith("clue 1, wrong")
    table.press(1, 1, "right")
    assert table.wrong == []
    table.press(0, 3, "left")  # the 2 at r2c4 still has one cell, too few
    assert 7 in table.wrong
    table.press(0, 3, "left")
    assert table.wrong == []
    table.show("3.\n..\n")
    assert table.wrong == []
    table.show("4.\n..\n")
    assert table.wrong == [0]  # impossible from the start


@pytest.mark.parametrize("given", [True, False], ids=["with hash", "without"])
def test_solved_with_the_last_flag(table: Table, given: bool) -> None:
    table.show((f"hash: {SMALL_HASH}\n" if given else "") + SMALL)
    for row, col in SMALL_MINES:
        assert not table.solved
        table.press(row, col, "right")
    assert table.solved
    assert table.message == "Solved in 00:00."
    table.press(0, 0, "right")
    table.press(1, 1, "left")
    assert table.state == ["F11F", "1.22", "..1F"]  # a solved board keeps still
    table.click("#undo")
    assert not table.solved


def test_with_a_hash_only_its_solution_counts(table: Table) -> None:
    both = "1.\n1.\n"
    table.show(f"hash: {hashlib.sha256(b'0001').hexdigest()}\n{both}")
    table.press(0, 1, "right")
    assert not table.solved
    assert "another solution" in table.message
    table.press(0, 1, "right")
    table.press(1, 1, "right")
    assert table.solved
    table.show(both)  # without it either will do
    table.press(0, 1, "right")
    assert table.solved


def test_without_a_hash_nothing_may_be_left_undecided(table: Table) -> None:
    table.show("1.. \n")
    table.press(0, 1, "right")
    assert not table.solved  # r1c3 touches no clue
    assert table.message == "All numbers are right. They say nothing of 1 cell."
    table.press(0, 2, "left")
    assert table.solved
    table.show("..\n..\n")  # a board that says nothing is never solved
    for row, col in ((0, 0), (0, 1), (1, 0), (1, 1)):
        table.press(row, col, "left")
    assert not table.solved


def test_totals_are_sentences_too(table: Table) -> None:
    table.show("mines: 2\nrows: 2 0\ncolumns: 1 ? 1\n...\n...\n")
    assert table.js("[...document.querySelectorAll('.totals span')].map(s => s.textContent)") == [
        "1",
        "",
        "1",
        "2",
        "0",
    ]
    table.press(0, 1, "right")
    table.press(0, 0, "right")
    assert not table.solved
    table.press(1, 2, "right")
    assert table.js("[...document.querySelectorAll('.totals .wrong')].map(s => s.textContent)") == ["0"]
    assert table.message == "2 numbers are wrong."  # the row's and the board's
    table.press(1, 2, "right")
    table.press(0, 1, "right")
    table.press(0, 2, "right")
    assert table.solved
    assert table.js("document.getElementById('flag-count').textContent") == "2 / 2"


def test_the_example_is_solved_by_hand(table: Table) -> None:
    table.show()
    table.click("#example")
    table.browser.settle()
    position = notation.parse(EXAMPLE)
    mines = [position.puzzle.shape.at(c) for c in cells_in(solve(position.puzzle).mines)]
    for row, col in mines:
        assert not table.solved
        table.press(row, col, "right")
    assert table.solved
    assert table.js("autosolve.flags()") == [list(at) for at in mines]
    assert len(table.wrong) == 0


# ---------------------------------------------------------------- address and form


@pytest.mark.parametrize(
    "address",
    [
        f"#3x4:911919229919:{SMALL_HASH}",
        f"?3x4:911919229919:{SMALL_HASH}",
        f"?size=3x4&puzzle=911919229919&sha256={SMALL_HASH}",
        f"?rows=3&cols=4&puzzle=911919229919&hash={SMALL_HASH}",
        f"#size=3x4&puzzle=911919229919&sha256={SMALL_HASH}",
        f"#hash:{SMALL_HASH}%0A.11.%0A1.22%0A..1.",
    ],
)
def test_a_puzzle_in_the_address(table: Table, address: str) -> None:
    table.show(address=address)
    assert table.state == [".11.", "1.22", "..1."]
    for row, col in SMALL_MINES:
        table.press(row, col, "right")
    assert table.solved


def test_the_address_wins_and_the_puzzle_of_the_file_comes_back(table: Table) -> None:
    table.show(SMALL, "#1x2:19")
    assert table.state == ["1."]
    table.js("location.hash = '#2x1:91'")
    table.browser.settle()
    assert table.state == [".", "1"]
    table.js("location.hash = ''")
    table.browser.settle()
    assert table.state == [".11.", "1.22", "..1."]


def test_a_wrong_address_is_said_in_the_form(table: Table) -> None:
    table.show(SMALL, "#3x4:99")
    assert table.state == []
    assert table.js("document.getElementById('puzzle').value") == "3x4:99"
    assert table.js("document.getElementById('verdict').textContent") == (
        "There are 2 digits for the 12 cells of a 3x4 board. Give one digit for each cell."
    )


@pytest.mark.parametrize(
    ("size", "puzzle", "digest"),
    [
        ("3x4", "911919229919", SMALL_HASH),
        ("3 × 4", "9119\n1922\n9919", SMALL_HASH),
        ("", f"3x4:911919229919:{SMALL_HASH}", ""),
        ("", f"3x4\n911919229919\n{SMALL_HASH}", ""),
        ("", f"3x4 9119 1922 9919 {SMALL_HASH}", ""),
        ("", SMALL, SMALL_HASH),
        ("3x4", SMALL, SMALL_HASH),
        ("", f'{{"rows": 3, "cols": 4, "puzzle": "911919229919", "hash": "{SMALL_HASH}"}}', ""),
    ],
)
def test_a_pasted_puzzle(table: Table, size: str, puzzle: str, digest: str) -> None:
    table.show()
    table.fill("#puzzle", puzzle)
    table.fill("#size", size)
    table.fill("#digest", digest)
    assert table.js("document.getElementById('verdict').textContent").startswith("A board of 3 × 4 cells with 6 clues")
    table.click("#form .primary")
    table.browser.settle()
    assert table.state == [".11.", "1.22", "..1."]
    for row, col in SMALL_MINES:
        table.press(row, col, "right")
    assert table.solved
    # the address now holds it: a reload brings it again
    assert table.js("location.hash") == f"#3x4:911919229919:{SMALL_HASH}"


@pytest.mark.parametrize(
    ("size", "puzzle", "digest", "words"),
    [
        ("", "", "", "There is no puzzle yet."),
        ("", "911919229919", "", "without its size"),
        ("3x5", "911919229919", "", "There are 12 digits for the 15 cells"),
        ("3x5", SMALL, "", "The puzzle has 3x4 cells, the size says 3x5."),
        ("three", "911919229919", "", '"three" is not a size.'),
        ("3x4", "911919229919", "12ab", "This is not a SHA-256 hash."),
        ("", "variant: hexagons\n12\n", "", "no variant"),
        ("", "<b>1</b>", "", "is not a character of a board"),
    ],
)
def test_a_paste_that_is_no_puzzle(table: Table, size: str, puzzle: str, digest: str, words: str) -> None:
    table.show()
    table.fill("#size", size)
    table.fill("#digest", digest)
    table.fill("#puzzle", puzzle)
    table.click("#form .primary")
    assert words in table.js("document.getElementById('verdict').textContent")
    assert table.state == []


def test_pasted_marks_are_drawn(table: Table) -> None:
    table.show()
    table.fill("#puzzle", "F11.\n1x22\n..1.\n")
    table.click("#form .primary")
    table.browser.settle()
    assert table.state == ["F11.", "1x22", "..1."]
    table.click("#open")
    table.click("#back")
    assert table.state == ["F11.", "1x22", "..1."]


# ---------------------------------------------------------------- how it looks


def whole(edge: float) -> int:
    """The pixel a browser snaps an edge to."""
    return math.floor(edge + 0.5)


def luma(pixels: Picture) -> Picture:
    out: Picture = pixels @ np.array([0.114, 0.587, 0.299])
    return out


# every kind of cell beside the others; the 4 and the 0 are wrong
SHOWCASE = "0F12x.\n345678\n.F.x4.\nx....F\n"


def check_look(
    picture: Picture, cells: list[list[float]], board: list[float], rows: int, cols: int, ratio: float
) -> None:
    """The board as the bot's eye needs it. ``cells`` and ``board`` are [x, y, width, height] in device pixels."""
    grey = luma(picture)
    line = grey[whole(board[1]) + 1, whole(board[0]) + 1]
    x0, y0, x1, y1 = (whole(v) for v in (board[0], board[1], board[0] + board[2], board[1] + board[3]))
    paper = grey[y0 - round(8 * ratio), x0 - round(8 * ratio)]
    assert abs(paper - line) > 25
    # plain page around, a closed frame inside
    ring = round(8 * ratio)
    around = np.concatenate(
        [
            grey[y0 - ring : y0 - 1, x0 - ring : x1 + ring].ravel(),
            grey[y1 + 1 : y1 + ring, x0 - ring : x1 + ring].ravel(),
            grey[y0 - ring : y1 + ring, x0 - ring : x0 - 1].ravel(),
            grey[y0 - ring : y1 + ring, x1 + 1 : x1 + ring].ravel(),
        ]
    )
    assert np.ptp(around) == 0
    thick = math.floor(3 * ratio)
    for side in (
        grey[y0 + 1 : y0 + thick, x0 + 1 : x1 - 1],
        grey[y1 - thick : y1 - 1, x0 + 1 : x1 - 1],
        grey[y0 + 1 : y1 - 1, x0 + 1 : x0 + thick],
        grey[y0 + 1 : y1 - 1, x1 - thick : x1 - 1],
    ):
        assert np.ptp(side) == 0
        assert side.flat[0] == line
    # an unbroken line of at least one whole pixel between all cells, on one pitch
    pitch = cells[0][2]
    for c in range(cols - 1):
        x, y, width, height = cells[c]
        assert cells[c + 1][0] - x == pytest.approx(pitch, abs=0.05)
        band = grey[y0 + thick : y1 - thick, whole(x + width) - 2 : whole(x + width) + 2]
        assert (band == line).all(axis=0).any(), f"no line right of column {c}"
    for r in range(rows - 1):
        x, y, width, height = cells[r * cols]
        band = grey[whole(y + height) - 2 : whole(y + height) + 2, x0 + thick : x1 - thick]
        assert (band == line).all(axis=1).any(), f"no line below row {r}"


def geometry(table: Table, ratio: float) -> tuple[list[list[float]], list[float]]:
    rects = table.js(
        "[...document.querySelectorAll('.cell, .board')].map(e => { const b = e.getBoundingClientRect();"
        " return [b.x, b.y, b.width, b.height]; })"
    )
    scaled = [[v * ratio for v in rect] for rect in rects]
    return scaled[1:], scaled[0]


def inside(picture: Picture, cell: list[float], ratio: float) -> Picture:
    """A cell without its line."""
    x, y, width, height = cell
    edge = max(1, math.floor(ratio))
    return picture[whole(y) : whole(y + height) - edge, whole(x) : whole(x + width) - edge]


@pytest.fixture
def scaled(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Table]:
    """A page at a real device scale, or at a real zoom where that is below 1: what DevTools emulates instead is a
    picture of the page at scale 1, enlarged."""
    ratio: float = request.param
    home = tmp_path / "home"
    settings = home / "profile" / "Default"
    settings.mkdir(parents=True)
    level = math.log(min(1, ratio)) / math.log(1.2)
    (settings / "Preferences").write_text(json.dumps({"partition": {"default_zoom_level": {"x": level}}}))
    size = (round(700 * ratio), round(560 * ratio))
    with Browser.start(home=home, size=size, scale=max(1, ratio)) as browser:
        assert isinstance(browser, Browser)
        yield Table(browser, tmp_path)


@pytest.mark.parametrize("scaled", [0.67, 1.0, 1.25, 1.5, 2.0, 3.0], indirect=True)
def test_the_board_looks_as_the_eye_needs_it(scaled: Table, request: pytest.FixtureRequest) -> None:
    wanted = request.node.callspec.params["scaled"]
    for dark in (False, True):
        scaled.show(SHOWCASE, size=None, dark=dark)
        # a loaded machine may show the page before it has applied the zoom
        wait_until(lambda: abs(scaled.js("devicePixelRatio") - wanted) < 0.001, 20, f"zoom {wanted}")
        ratio = scaled.js("devicePixelRatio")
        check_cells(scaled.picture(), *geometry(scaled, ratio), ratio)
    scaled.press(0, 5, "right")
    assert scaled.state[0] == "0F12xF"


def check_cells(picture: Picture, cells: list[list[float]], board: list[float], ratio: float) -> None:
    """Every kind of cell of the showcase as the eye needs it."""
    check_look(picture, cells, board, 4, 6, ratio)
    pitch = 32 * ratio
    bevel = math.floor(3 * ratio)
    looks = [inside(picture, cell, ratio) for cell in cells]
    kind = dict(zip("".join(SHOWCASE.split()), looks, strict=True))  # the last of each kind

    for raised in (kind["."], kind["F"]):
        grey = luma(raised)
        middle = grey.shape[0] // 2
        body = grey[bevel + 1, bevel + 1]
        light, shade = grey[middle, :bevel], grey[middle, -bevel:]
        assert np.ptp(light) == 0
        assert np.ptp(shade) == 0
        assert light[0] > body + 20
        assert shade[0] < body - 20
        assert grey[0, middle] == light[0]
        assert grey[-1, middle] == shade[0]
    assert np.ptp(luma(kind["."])[bevel + 1 : -bevel - 1, bevel + 1 : -bevel - 1]) == 0

    flat = luma(kind["x"])
    dot = np.abs(flat - flat[0, 0]) > 8
    assert 0 < dot.mean() < 0.05  # tiny
    high, wide = (np.flatnonzero(dot.any(axis=a)) for a in (1, 0))
    assert abs(high.mean() - (flat.shape[0] - 1) / 2) <= ratio
    assert abs(wide.mean() - (flat.shape[1] - 1) / 2) <= ratio

    flag = kind["F"][bevel + 1 : -bevel - 1, bevel + 1 : -bevel - 1]
    drawn = np.abs(flag - flag[0, 0]).max(axis=2) > 12
    for axis in (0, 1):
        span = np.flatnonzero(drawn.any(axis=axis)) + bevel + 1
        assert span[0] >= 0.2 * pitch - 1
        assert span[-1] <= 0.8 * pitch + 1
        assert span[-1] - span[0] > 0.4 * pitch
    blue, green, red = (flag[..., i][drawn] for i in range(3))
    assert ((red > 180) & (green < 110) & (blue < 120)).mean() > 0.2  # the cloth
    assert ((red < 60) & (green < 60) & (blue < 60)).mean() > 0.1  # the pole

    for char in "012345678":
        body = kind[char]
        ground = body[1, 1]
        ink = np.abs(body - ground).max(axis=2)
        assert np.ptp(luma(body)[:2]) == 0  # no bevel
        rows_with_ink, columns_with_ink = (np.flatnonzero((ink > 0.5 * ink.max()).any(axis=a)) for a in (1, 0))
        height = rows_with_ink[-1] - rows_with_ink[0] + 1
        assert 0.45 * pitch - 1 <= height <= 0.55 * pitch + 1, char
        assert abs((columns_with_ink[0] + columns_with_ink[-1]) / 2 - (body.shape[1] - 1) / 2) <= 0.05 * pitch
        assert abs((rows_with_ink[0] + rows_with_ink[-1]) / 2 - (body.shape[0] - 1) / 2) <= 0.05 * pitch


def contrast(one: npt.NDArray[np.float64], two: npt.NDArray[np.float64]) -> float:
    """Of two BGR colours, 1 to 21, as WCAG defines it."""

    def light(colour: npt.NDArray[np.float64]) -> float:
        part = colour[::-1] / 255
        linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
        return float(linear @ np.array([0.2126, 0.7152, 0.0722]))

    low, high = sorted((light(one), light(two)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_numbers_stand_out_and_wrong_ones_keep_their_ink(table: Table, dark: bool) -> None:
    # every number twice: where it may come true, and where its cells are too few or its flags too many
    inks = {}
    for wrong, around, corner in ((False, ".", "."), (True, "x", "F")):
        top = corner + around * 26
        middle = "".join(f"{around}{number}{around}" for number in range(9))
        table.show(f"{top}\n{middle}\n{around * 27}\n", dark=dark)
        assert len(table.wrong) == (9 if wrong else 0)
        picture = table.picture()
        cells, _ = geometry(table, 1)
        for number in range(9):
            body = inside(picture, cells[27 + 3 * number + 1], 1)
            ground = body[1, 1]
            far = np.abs(body - ground).sum(axis=2)
            # the ink is the commonest colour that is not the ground
            colours, counts = np.unique(body[far > 0].reshape(-1, 3), axis=0, return_counts=True)
            ink = colours[counts.argmax()]
            inks[number, wrong] = (ink, ground)
            assert contrast(ink, ground) >= 3, (number, wrong, ink, ground)
    for number in range(9):
        assert (inks[number, False][0] == inks[number, True][0]).all()
        assert np.abs(inks[number, False][1] - inks[number, True][1]).max() >= 35
    assert len({tuple(inks[number, False][0]) for number in range(9)}) == 9


@pytest.mark.parametrize("width", [320, 420, 700, 1280])
def test_the_board_never_moves_and_nothing_covers_it(table: Table, width: int) -> None:
    table.show(f"hash: {hashlib.sha256(b'0001').hexdigest()}\n1.\n1.\n", size=(width, 640))
    first = table.box(".board")
    said = set()
    for row, col in ((0, 1), (1, 1), (0, 1)):  # another solution, wrong, solved
        table.press(row, col, "right")
        said.add(table.message)
        assert table.box(".board") == first
        assert table.js("document.getElementById('message').scrollHeight") <= table.box("#message")["height"] + 1
    assert len(said) == 3
    assert table.solved
    table.key("ArrowUp")
    on_top = table.js(
        "[...document.querySelectorAll('.cell')].every(cell => { const b = cell.getBoundingClientRect();"
        " return cell.contains(document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2)); })"
    )
    assert on_top
    assert table.js("document.documentElement.scrollWidth") <= width


def test_hovering_changes_no_pixel_of_the_board(table: Table) -> None:
    table.show(SHOWCASE)
    table.browser.command("Input.dispatchMouseEvent", type="mouseMoved", x=3, y=3)
    before = table.picture()
    for row, col in ((0, 5), (0, 1), (0, 4), (1, 1)):
        x, y = table.centre(row, col)
        table.browser.command("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        assert (table.picture() == before).all()


def test_a_wide_board_leaves_the_messages_in_the_window(table: Table) -> None:
    table.show("\n".join(["." * 60] * 3), size=(500, 500))
    x, y = table.centre(1, 2)
    table.browser.command("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=900, deltaY=0)
    table.js("new Promise(done => setTimeout(done, 300))")
    assert table.js("document.getElementById('field').scrollLeft") > 300
    assert table.js("document.documentElement.scrollWidth") <= 500
    for selector in (".bar", "#tools", "#message", ".notes"):
        box = table.box(selector)
        assert box["left"] >= 0
        assert box["right"] <= 500
    table.press(1, 30, "right")
    assert table.js("autosolve.flags()") == [[1, 30]]


def test_light_and_dark(table: Table) -> None:
    table.show(SMALL, dark=True)
    assert table.js("document.documentElement.dataset.theme") == "dark"
    table.click("#theme")
    assert table.js("document.documentElement.dataset.theme") == "light"
    table.go("")
    assert table.js("document.documentElement.dataset.theme") == "light"  # the wish is kept
    table.js("localStorage.clear()")
    table.go("")
    assert table.js("document.documentElement.dataset.theme") == "dark"


def test_cells_can_be_made_larger_and_smaller(table: Table) -> None:
    table.show(SMALL)
    table.click("#larger")
    assert table.box(".cell")["width"] == 36
    for _ in range(20):
        table.js("document.getElementById('smaller').click()")
    assert table.box(".cell")["width"] == 20
    table.press(0, 3, "right")
    assert table.state[0] == ".11F"


def test_a_board_fits_a_phone(table: Table) -> None:
    table.browser.command("Emulation.setTouchEmulationEnabled", enabled=True)
    try:
        table.show(EXAMPLE, size=(360, 700))
        assert table.box(".cell")["width"] == 28
        assert table.js("document.documentElement.scrollWidth") <= 360
        table.show("\n".join(["." * 40] * 2), size=(360, 700))
        assert table.box(".cell")["width"] == 28  # a finger needs that much
    finally:
        table.browser.command("Emulation.setTouchEmulationEnabled", enabled=False)
    table.show(EXAMPLE, size=(360, 700))
    assert table.box(".cell")["width"] == 32


# ---------------------------------------------------------------- speed


def test_a_press_repaints_only_what_it_touches_on_a_large_board(table: Table) -> None:
    rng = random.Random(3)
    rows = ["".join(rng.choice("1234....") for _ in range(50)) for _ in range(50)]
    table.show("\n".join(rows), size=(1800, 1800))
    assert table.state == rows
    took = table.js("(t => t.domComplete - t.responseEnd)(performance.getEntriesByType('navigation')[0])")
    assert took < 3000  # milliseconds, on a machine that does other things as well
    table.js(
        "window.touched = new Set();"
        " new MutationObserver(all => all.forEach(m => touched.add(m.target.closest('.cell'))))"
        ".observe(document.querySelector('.board'), {subtree: true, childList: true, attributes: true,"
        " attributeFilter: ['class', 'aria-label']})"
    )
    row = next(r for r in range(20, 30) if "." in rows[r][20:30])
    col = rows[row].index(".", 20)
    table.press(row, col, "right")
    assert table.state[row][col] == "F"
    assert 1 <= table.js("touched.size") <= 9


# ---------------------------------------------------------------- the command


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The addresses that a browser would be given; the data folder is in ``tmp_path``."""
    out: list[str] = []
    monkeypatch.setattr(play_module.webbrowser, "open", lambda url: out.append(url) is None)
    monkeypatch.setattr(play_module.platformdirs, "user_data_dir", lambda *_, **__: str(tmp_path / "data"))
    monkeypatch.setenv("BROWSER", "none")
    return out


def run(*args: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(app, ["play", *args], input=stdin)


def start_of(file: Path) -> Position | None:
    """The puzzle a written page opens with."""
    found = re.search(r'id="start">(.*?)</script>', file.read_text(encoding="utf-8"), re.S)
    assert found is not None
    text = json.loads(found[1])
    return None if text is None else notation.parse(text)


@pytest.mark.parametrize("option", ["--export", "--output", "-o"])
def test_play_writes_a_page_prints_its_path_and_opens_it(tmp_path: Path, opened: list[str], option: str) -> None:
    board = tmp_path / "my board.txt"
    board.write_text("mines: 3\nF11.\n1.22\nx.1.\n")
    written = tmp_path / "my page.html"
    result = run(str(board), option, str(written))
    assert result.exit_code == 0
    assert result.stdout == f"{written}\n"
    assert result.stderr == ""
    assert opened == [written.as_uri()]
    assert start_of(written) == notation.parse(board.read_text())
    assert "<title>my board · autosolve</title>" in written.read_text(encoding="utf-8")
    assert run(str(board), option, str(written), "--no-browser").exit_code == 0
    assert opened == [written.as_uri()]


def test_play_writes_into_the_data_folder_where_nothing_is_to_be_opened(tmp_path: Path, opened: list[str]) -> None:
    board = tmp_path / "my board.txt"
    board.write_text(SMALL)
    result = run(str(board), "--no-open")
    assert result.stdout == f"{tmp_path / 'data' / 'player' / 'my-board.html'}\n"
    assert start_of(Path(result.stdout.strip())) == notation.parse(SMALL)
    assert opened == []


def test_play_without_a_file_asks_for_a_puzzle(tmp_path: Path, opened: list[str]) -> None:
    result = run("--no-open")
    assert result.exit_code == 0
    assert Path(result.stdout.strip()) == tmp_path / "data" / "player" / "player.html"
    assert start_of(Path(result.stdout.strip())) is None
    assert opened == []


@pytest.mark.parametrize("text", READ_ALIKE)
def test_play_takes_every_format_from_standard_input(tmp_path: Path, opened: list[str], text: str) -> None:
    target = tmp_path / "deep" / "page.html"
    result = run("-", "--no-open", "--output", str(target), stdin=text.encode())
    assert result.exit_code == 0, result.output
    assert result.stdout == f"{target}\n"
    wanted = notation.parse(text)
    assert start_of(target) == wanted


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("..\n.\n", NotationError, "standard input: Line 2"),
        (b"\xff\xfe\x00", UnreadableFile, "not text"),
    ],
)
def test_play_refuses_what_is_no_puzzle(
    opened: list[str], tmp_path: Path, text: str | bytes, error: type[Exception], words: str
) -> None:
    result = run("-", stdin=text)
    assert isinstance(result.exception, error)
    assert words in str(result.exception)
    assert opened == []
    assert not (tmp_path / "data").exists()


def test_play_ends_with_2_and_two_sentences_for_a_persons_mistake(
    tmp_path: Path, opened: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    board = tmp_path / "board.txt"
    board.write_text(SMALL)
    taken = tmp_path / "taken"
    taken.write_text("a file, not a folder")
    for args, words in (
        ([str(tmp_path / "none.txt")], "There is no file"),
        ([str(board), "-o", str(tmp_path)], "cannot be written"),
        ([str(board), "-o", str(taken / "page.html")], "cannot be written"),
        ([str(board), "-o", str(tmp_path / "page.html"), "--port", "8000"], "has no port"),
    ):
        assert run_command(["play", *args]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert words in captured.err
        assert len(captured.err.splitlines()) == 2
    assert opened == []


def test_play_says_when_no_browser_opens(tmp_path: Path, opened: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_module.webbrowser, "open", lambda url: False)
    result = run("-", "-o", str(tmp_path / "page.html"), stdin=SMALL)
    assert result.exit_code == 0
    assert "open the page yourself" in result.stderr
    monkeypatch.setattr(play_module.sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(play_module.webbrowser, "open", lambda url: opened.append(url) is None)
    result = run("-", "-o", str(tmp_path / "page.html"), stdin=SMALL)
    assert result.exit_code == 0
    assert "open the page yourself" in result.stderr
    assert opened == []  # no text browser takes the terminal over
