"""Holds what is said of the reader against it: the examples of its documents, and how benchmarks/reader.py judges."""

from __future__ import annotations

import random
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from autosolve.cli.main import run_command
from autosolve.vision.frame import Box, Frame
from autosolve.vision.grid import Grid
from autosolve.vision.profile import load
from autosolve.vision.read import Reading, read

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "benchmarks")]
import draw_reading  # noqa: E402 - neither is a package
import reader  # noqa: E402

PAGES = {name: (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/how-it-reads.md")}
EXAMPLES = [
    (image, re.sub("^    ", "", said, flags=re.M))
    for text in PAGES.values()
    for image, said in re.findall(r"^ *\$ autosolve read (\S+)\n((?:(?!```| *\$|\n).*\n)+)", text, re.M)
]


def test_no_example_is_missed() -> None:
    assert len(EXAMPLES) == sum(text.count("$ autosolve read ") for text in PAGES.values()) == 4


@pytest.mark.parametrize(("image", "said"), EXAMPLES, ids=range(len(EXAMPLES)))
def test_every_example_says_what_the_page_says(
    image: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AUTOSOLVE_CONFIG", "off")
    monkeypatch.chdir(ROOT)
    if image == "altered.png":
        draw_reading.altered(tmp_path / image)
        image = str(tmp_path / image)
    run_command(["read", image])
    out, err = capsys.readouterr()
    assert out + err.partition("\n  Here:")[0].rstrip("\n") == said.rstrip("\n") + ("" if err else "\n")


def test_every_picture_and_link_exists() -> None:
    page = PAGES["docs/how-it-reads.md"]
    places = re.findall(r"\]\(([^)#]+)[^)]*\)", page)
    assert len(places) >= 4
    for place in places:
        assert (ROOT / "docs" / place).is_file(), place


# ---------------------------------------------------------------- the benchmark's judge


@pytest.fixture(scope="module")
def board() -> tuple[reader.Labelled, Reading]:
    one = reader.painted("bevelled", 7, 11, 12, 24, (420, 300), 1)
    return one, read(Frame(one.pixels), load("any"))


def test_a_right_reading_is_exact(board: tuple[reader.Labelled, Reading]) -> None:
    verdict = reader.hold(*board, 0.0)
    assert verdict.result == "exact"
    assert (verdict.accepted, verdict.doubtful, verdict.wrong.total()) == (77, 0, 0)


def test_a_wrong_cell_is_counted_and_a_doubtful_one_is_not(board: tuple[reader.Labelled, Reading]) -> None:
    one, reading = board
    at = one.truth.index("1")
    other = reader._with(one, truth=one.truth[:at] + "2" + one.truth[at + 1 :])
    assert dict(reader.hold(other, reading, 0.0).wrong) == {("2", "1"): 1}
    verdict = reader.hold(other, replace(reading, doubts={at: "it is hidden"}), 0.0)
    assert (verdict.result, verdict.doubtful, verdict.accepted) == ("doubts", 1, 76)


def moved(grid: Grid, cells: float) -> Grid:
    return replace(grid, left=grid.left + cells * grid.pitch_x)


def test_cells_are_judged_by_place(board: tuple[reader.Labelled, Reading]) -> None:
    one, reading = board
    beside = reader.hold(one, replace(reading, grid=moved(reading.grid, 1)), 0.0)
    assert not beside.found
    assert sum(n for (truth, _), n in beside.wrong.items() if truth == "no cell") == one.rows
    between = reader.hold(one, replace(reading, grid=moved(reading.grid, 0.5)), 0.0)
    assert sum(n for (truth, _), n in between.wrong.items() if truth in ("between cells", "no cell")) == 77


def test_what_lies_under_a_window_is_wrong_whatever_it_is_read_as(board: tuple[reader.Labelled, Reading]) -> None:
    one, reading = board
    covers = Box(one.box.x, one.box.y, 2 * 24, 3 * 24)
    verdict = reader.hold(reader._with(one, covers=covers), reading, 0.0)
    assert sum(n for (truth, _), n in verdict.wrong.items() if truth == "hidden") == verdict.wrong.total() == 6


@pytest.mark.parametrize("name", [n for n in reader.CHANGES if not n.startswith("window")])
def test_changed_pictures_keep_their_labels_in_place(name: str, board: tuple[reader.Labelled, Reading]) -> None:
    """The corner pixels of the labelled box still part the board from the page, unless it was cropped away."""
    one, _ = board
    other = reader.CHANGES[name](one, random.Random(5))
    again = reader.CHANGES[name](one, random.Random(5))
    assert (other.pixels == again.pixels).all()
    wide, high = other.box.width / other.cols, other.box.height / other.rows
    outside = other.pixels[int(other.box.bottom + 0.4 * high), int(other.box.right + 0.4 * wide)].astype(int)
    inside = other.pixels[int(other.box.bottom - 0.4 * high), int(other.box.right - 0.4 * wide)].astype(int)
    assert abs(outside - inside).max() > 15


def test_a_window_lies_where_it_is_said(board: tuple[reader.Labelled, Reading]) -> None:
    one, _ = board
    for seed in range(5):
        other = reader.CHANGES["window-dark"](one, random.Random(seed))
        box = other.covers
        ys, xs = (other.pixels != one.pixels).any(2).nonzero()
        assert (box.x, box.y) <= (xs.min(), ys.min())
        assert box.right >= xs.max() and box.bottom >= ys.max()
        assert len(xs) > 0.5 * box.clipped(Frame(one.pixels).box).width * box.clipped(Frame(one.pixels).box).height


def test_dealt_boards_are_possible() -> None:
    rows = reader.deal(5, 23, 20, random.Random(2))
    text = "".join(rows)
    assert {len(r) for r in rows} == {23} and 0.3 < sum(c in "012345678" for c in text) / 115 < 0.9
    for i, char in enumerate(text):
        if char in "012345678":
            r, c = divmod(i, 23)
            near = [
                rows[y][x] for y in range(max(0, r - 1), min(5, r + 2)) for x in range(max(0, c - 1), min(23, c + 2))
            ]
            assert near.count("F") <= int(char) <= near.count("F") + near.count(".")
