"""Tests of the page of a recorded run: what it says, that it is true, and that it works offline in a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import test_record
from chromium import Chromium
from test_bot import deal

from autosolve.board import notation
from autosolve.board.shape import Shape
from autosolve.cli.main import run_command
from autosolve.desktop.fake import FakeSite
from autosolve.errors import UnreadableFile
from autosolve.record import files, timeline
from autosolve.record.bugreport import bug_report, wording
from autosolve.record.report import page
from autosolve.solver import hybrid
from autosolve.vision.frame import Box

site = test_record.site
SHAPE = Shape(6, 9)


class _Tags(HTMLParser):
    """Sees that every element is closed in order, and keeps the attributes of all."""

    VOID = frozenset(["meta", "img", "input", "br", "link", "hr"])

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def tags(text: str) -> list[tuple[str, dict[str, str | None]]]:
    parser = _Tags()
    parser.feed(text)
    assert parser.open == []
    return parser.tags


@pytest.fixture
def solved(site: Callable[..., FakeSite], tmp_path: Path) -> files.Record:
    rows, _ = deal(SHAPE, 12)
    return test_record.record(site(rows), tmp_path / "solved")


def test_the_page_is_whole_and_loads_nothing(solved: files.Record) -> None:
    text = page(solved)
    seen = tags(text)
    for tag, attributes in seen:
        for name in ("src", "href"):
            if address := attributes.get(name):
                assert address.startswith(("data:image/png;base64,", "#")), (tag, address)
    ids = [attributes["id"] for _, attributes in seen if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert "@@" not in re.sub(r"base64,[\w+/=]+", "", text)
    assert "default-src 'none'" in text


def test_the_page_says_what_happened(solved: files.Record) -> None:
    words = wording(solved)
    assert (words.headline, words.state) == ("Solved and verified", "good")
    assert dict(words.figures)["clicks"] == "12"
    text = page(solved)
    assert "showed what is proven on the board, and nothing else" in text
    assert text.count('class="click"') == 12
    marks = [a for tag, a in tags(text) if tag == "use" and a["href"] == "#m-flag"]
    assert len(marks) >= 12


def test_the_reasons_are_the_solver_s_and_reach_every_cell(solved: files.Record) -> None:
    steps = [a for tag, a in tags(page(solved)) if tag == "button" and a.get("class") == "step"]
    puzzle = notation.parse(solved.looks[0]["puzzle"]).puzzle
    told = {int(cell) for step in steps for cell in (step["data-cells"] or "").split()}
    solution = hybrid.solve(puzzle)
    assert told == {c for c in range(SHAPE.size) if (solution.mines | solution.safe) >> c & 1}
    for step in steps:
        mine = step["data-verdict"] == "mine"
        for cell in (step["data-cells"] or "").split():
            assert (solution.mines if mine else solution.safe) >> int(cell) & 1
        for clue in (step["data-because"] or "").split():
            assert int(clue) in puzzle.clues


def test_what_cannot_be_read_is_said(site: Callable[..., FakeSite], tmp_path: Path) -> None:
    rows, _ = deal(SHAPE, 12)
    page_site = site(rows)
    page_site.popup(Box(page_site.at.x + 10, page_site.at.y + 10, 60, 50))
    kept = test_record.record(page_site, tmp_path / "hidden")
    text = page(kept)
    assert wording(kept).headline == "Cells cannot be read"
    assert "#m-doubt" in text and kept.looks[0]["doubtful"][0][2] in text
    assert "Cannot be read: r" in bug_report(kept)


def test_an_undecided_board_shows_chances(site: Callable[..., FakeSite], tmp_path: Path) -> None:
    kept = test_record.record(site(["..20", "..20", "2210", "0000"]), tmp_path / "open")
    assert kept.run["result"] == "undecided"
    data = json.loads(re.search(r'id="data">(.*?)</script>', page(kept), re.S)[1])  # type: ignore[index]
    assert data[0]["chances"] == {"0": 50.0, "1": 100.0, "4": 100.0, "5": 100.0}


def test_a_run_that_found_no_board_has_a_page(tmp_path: Path) -> None:
    from autosolve.errors import BoardNotFound
    from autosolve.record.recorder import Recorder

    with pytest.raises(BoardNotFound), Recorder(tmp_path):
        raise BoardNotFound("There is no <board> here.", "Open one & run again.")
    text = page(files.load(tmp_path))
    tags(text)
    assert "There is no &lt;board&gt; here." in text and "Open one &amp; run again." in text


def test_what_was_read_cannot_break_the_page(solved: files.Record) -> None:
    evil = "</script><script>alert(1)</script>"
    run = solved.run | {"message": evil, "site": evil, "options": {"site": evil}, "version": evil}
    looks = [dict(event) for event in solved.events]
    looks[1]["doubtful"] = [[0, 0, evil]]
    text = page(files.Record(solved.folder, run, tuple(looks)))
    assert text.count("<script") == 2
    tags(text)


@pytest.mark.parametrize("hurt", [{"corner": None}, {"rows": "x"}, {"certainty": [[1]]}, {"plan": [[1]]}])
def test_a_broken_record_is_said_to_be_broken(solved: files.Record, hurt: dict[str, Any]) -> None:
    events = [event | hurt if event["event"] == "look" else event for event in solved.events]
    with pytest.raises(UnreadableFile, match="broken"):
        page(files.Record(solved.folder, solved.run, tuple(events)))


def test_the_bug_report_holds_no_home(solved: files.Record, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/somebody")
    run = solved.run | {"options": {"record": "/home/somebody/x"}, "command": "autosolve run"}
    text = bug_report(files.Record(solved.folder, run, solved.events))
    assert "somebody" not in text and "--record ~/x" in text
    assert "\n".join(solved.looks[-1]["grid"]) in text


@pytest.mark.parametrize(("whole", "step"), [(0.004, 0.001), (1.5, 0.5), (7, 2), (61, 20), (600, 100)])
def test_ticks_are_round_and_few(whole: float, step: float) -> None:
    assert timeline._step(whole) == pytest.approx(step)


# ---------------------------------------------------------------- the command


def test_report_by_name_beginning_and_last(
    site: Callable[..., FakeSite],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    home = tmp_path / "data" / "autosolve" / "runs"

    def call(*args: str) -> tuple[int, str, str]:
        code = run_command(["report", *args])
        return code, *capsys.readouterr()

    assert call()[:2] == (0, "")
    assert call("last")[0] == 2
    first = test_record.make(home, "20260101-a", 1)
    test_record.make(home, "20260102-b", 2)
    code, out, _ = call()
    assert code == 0 and [line.split()[0] for line in out.splitlines()] == ["20260102-b", "20260101-a"]
    assert [run["name"] for run in json.loads(call("--json")[1])["runs"]] == ["20260102-b", "20260101-a"]
    assert call("last", "--no-open")[1].strip() == str(home / "20260102-b" / "report.html")
    assert call("20260101", "--no-open")[1].strip() == str(first / "report.html")
    assert call(str(first), "--no-open", "-o", str(tmp_path / "x.html"))[0] == 0
    assert (tmp_path / "x.html").read_text().startswith("<!DOCTYPE html>")
    code, _, err = call("2026", "--no-open")
    assert code == 2 and "20260101-a" in err
    assert call("nothing")[0] == 2


# ---------------------------------------------------------------- in a browser


@pytest.fixture
def shown(solved: files.Record, headless: Chromium) -> Iterator[Chromium]:
    file = solved.folder / "report.html"
    file.write_text(page(solved), encoding="utf-8", newline="\n")
    headless.open(file.as_uri())
    headless.wait_loaded()
    yield headless
    headless.metrics(1280, 800)


@pytest.mark.parametrize("width", [320, 1400])
def test_the_page_fits_any_width(shown: Chromium, width: int) -> None:
    shown.metrics(width, 900, 1)
    shown.settle()
    assert shown.js("document.documentElement.scrollWidth") <= width
    small = (
        "[...document.querySelectorAll('button:not(.step)')].filter(b => b.getBoundingClientRect().height < 32).length"
    )
    assert shown.js(small) == 0


def test_layers_steps_cells_and_the_theme_work(shown: Chromium) -> None:
    def visible(selector: str) -> bool:
        return bool(shown.js(f"getComputedStyle(document.querySelector('{selector}')).display !== 'none'"))

    assert visible(".marks") and visible(".photo") and not visible("image[data-map=certainty]")
    shown.js("document.querySelector('#show-marks').click()")
    assert not visible(".marks")
    shown.js("document.querySelector('input[value=certainty]').click()")
    assert visible("image[data-map=certainty]") and visible("p.scale[data-map=certainty]")
    shown.js("document.querySelector('.step').click()")
    cells = shown.js("document.querySelector('.step').dataset.cells").split()
    assert shown.js("document.querySelectorAll('.told rect:not(.because)').length") == len(cells)
    press = "document.querySelector('svg.board').dispatchEvent(new KeyboardEvent('keydown', {key: '%s'}))"
    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
        shown.js(press % key)
    assert shown.js("document.querySelector('#cell').textContent").startswith("r2c2: read as")
    before = shown.js("getComputedStyle(document.body).backgroundColor")
    shown.js("document.querySelector('#theme').click()")
    assert shown.js("getComputedStyle(document.body).backgroundColor") != before
    shown.js("document.querySelectorAll('.tabs button')[1].click()")
    assert not visible("figure.look") and visible("figure.look ~ figure.look")


def test_a_cell_under_the_pointer_is_told(shown: Chromium, solved: files.Record) -> None:
    """The place on the page where a cell is drawn tells that cell, at any width."""
    shown.metrics(500, 900, 1)
    shown.settle()
    look = solved.looks[0]
    box = shown.js("(b => [b.x, b.y, b.width])(document.querySelector('svg.board').getBoundingClientRect())")
    ratio = box[2] / shown.js("document.querySelector('svg.board').viewBox.baseVal.width")
    x = box[0] + ratio * (look["corner"][0] + 3.5 * look["pitch"][0])
    y = box[1] + ratio * (look["corner"][1] + 4.5 * look["pitch"][1])
    shown.click(x, y)
    assert shown.js("document.querySelector('#cell').textContent").startswith("r5c4: ")


def test_the_text_for_a_bug_report_is_copied(shown: Chromium, solved: files.Record) -> None:
    shown.js("document.querySelector('#copy').scrollIntoView()")
    box = shown.js(
        "(b => [b.x + b.width / 2, b.y + b.height / 2])(document.querySelector('#copy').getBoundingClientRect())"
    )
    shown.click(*box)
    shown.settle()
    assert shown.js("document.querySelector('#copied').textContent") == "Copied."
