"""Holds docs/how-it-thinks.md against the program: its pictures are what it draws, its examples what it says."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from autosolve.board import notation
from autosolve.cli.main import run_command

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import draw_essay  # noqa: E402 - a tool is no package

ESSAY = (ROOT / "docs" / "how-it-thinks.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```console\n\$ printf '([^']+)' \| autosolve ([^\n]+)\n(.*?)```", ESSAY, re.S)


@pytest.mark.parametrize("name", draw_essay.SCENES)
def test_the_pictures_are_what_the_program_draws(name: str) -> None:
    """After a change that is meant: ``python tools/draw_essay.py``, and look at them."""
    drawn = draw_essay.SCENES[name]()
    assert (draw_essay.PICTURES / f"{name}.svg").read_text(encoding="utf-8") == drawn
    assert f"(pictures/thinking/{name}.svg)" in ESSAY


def test_every_picture_and_link_exists() -> None:
    places = re.findall(r"\]\(([^)#]+)\)", ESSAY)
    assert len(places) == len(draw_essay.SCENES)
    for place in places:
        assert (ROOT / "docs" / place).is_file(), place
    assert {file.stem for file in draw_essay.PICTURES.iterdir()} == {*draw_essay.SCENES}


def test_no_example_is_missed() -> None:
    assert len(EXAMPLES) == ESSAY.count("```console") == ESSAY.count("$ ") >= 8


@pytest.mark.parametrize(("board", "command", "said"), EXAMPLES, ids=range(len(EXAMPLES)))
def test_every_example_says_what_the_essay_says(
    board: str, command: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AUTOSOLVE_CONFIG", "off")
    typed = board.replace("\\n", "\n").encode()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(typed)))
    words, _, first = command.partition(" | ")
    run_command(words.split())
    out = capsys.readouterr().out
    if first:
        assert first == "head -1"
        out = out.splitlines(keepends=True)[0]
    assert out == said


def test_the_boards_that_are_drawn_are_the_ones_in_the_examples() -> None:
    shown = {board.replace("\\n", "\n") for board, _, _ in EXAMPLES}
    for name in ("ONE", "TWO", "THREE", "LINES", "BOARD", "COIN"):
        assert getattr(draw_essay, name) in shown, name
    assert f"mines: 3\n{draw_essay.OPEN}" in shown


def test_the_figures_in_the_text_are_those_of_the_bars() -> None:
    rows = draw_essay.told()
    whole = rows[0][2]
    assert f"{whole:,} covered cells" in ESSAY
    assert f"decides {rows[0][1]:,} of them, with pairs it is {rows[1][1]:,}" in ESSAY
    shares = [f"{100 * decided / whole:.1f}".removesuffix(".0") for _, decided, _ in rows]
    assert f"Bars: {', '.join(shares[:-1])} and {shares[-1]} per cent" in ESSAY
    # an idea more never decides less, and the cells it decides are those of the solution
    assert [row[1] for row in rows] == sorted(row[1] for row in rows)
    sizes = sorted(board.shape.size for board in draw_essay.boards())
    assert len(sizes) == 10 and (sizes[0], sizes[-1]) == (25, 2500)


def test_an_outline_keeps_inside_its_cells() -> None:
    """The rim of an L of three cells runs through six corners, each so far inside the cells as it should be."""
    board = notation.parse("...\n...\n").puzzle
    panel = draw_essay.Panel(board, "")
    drawn = draw_essay._outline(panel, 0b001011, "#000", 4.0, 0, 0)
    path = re.findall(r'd="(M[^"]+)" fill="none"', drawn)[0]
    side = draw_essay.SIDE
    # r1c1 r1c2 r2c1: the inner corner lies at the end of both edges that meet there
    assert f"M{2 * side - 4} 4V{side - 4}" in path  # right of r1c2
    assert f"M{side - 4} {side - 4}V{2 * side - 4}" in path  # right of r2c1, from the inner corner
    assert f"M{side - 4} {side - 4}H{2 * side - 4}" in path  # below r1c2, from the inner corner
