"""Numbers of things in messages: one mine, not 1 mines; no range from 0 to 0."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from autosolve.board.shape import Shape
from autosolve.board.words import article, counted, sentence, up_to, verb
from autosolve.cli.main import run_command

BOARD = '{"rows": 1, "cols": 4, "grid": ["1..."], "totals": {"rows": [1]}, "solution": ["0100"]}'
# what no message may say: one thing in the plural, and a range with nothing in it
FAULT = re.compile(r"(?<![\d.,^x])1 (?!is\b|has\b|does\b|as\b|this\b|across\b)[a-z]+s\b|\b(\d+) to \1\b")


def test_words_of_numbers() -> None:
    assert [counted(n, "mine") for n in (0, 1, 2, 2000)] == ["0 mines", "1 mine", "2 mines", "2,000 mines"]
    assert counted(2, "child", "children") == "2 children" and counted(1, "child", "children") == "1 child"
    assert [verb(n, "is", "are") for n in (0, 1, 2)] == ["are", "is", "are"]
    assert [up_to(n, "mine") for n in (7, 1, 0)] == ["give 0 to 7 mines", "give 0 to 1 mine", "give 0 mines"]
    assert up_to(0, "mine", 1) == "there is room for no mine at all" and up_to(1, "mine", 1) == "give 1 mine"
    assert sentence("give 0 mines") == "Give 0 mines."
    assert [article(Shape(*s)) for s in ((8, 8), (9, 9), (11, 2), (18, 2), (80, 1), (1, 8))] == [
        "an 8x8 board", "a 9x9 board", "an 11x2 board", "an 18x2 board", "an 80x1 board", "a 1x8 board",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "args",
    [
        ("census", "--size", "1x1", "--mines", "1"),
        ("census", "--size", "2x2", "--mines", "1", "--first-click", "opening"),
        ("census", "--size", "1x2", "--boards", "1", "--first-click", "safe", "--mines", "1"),
        ("census", "--size", "1x5", "--boards", "1"),
        ("first-click", "--size", "1x1", "--mines", "1", "--boards", "1"),
        ("first-click", "--size", "1x1", "--mines", "2", "--boards", "1"),
        ("first-click", "--size", "2x2", "--mines", "1", "--boards", "1"),
        ("generate", "noguess", "--size", "3x3", "--mines", "1", "--seed", "1"),
        ("generate", "noguess", "--size", "1x1", "--mines", "1", "--seed", "1"),
        ("generate", "noguess", "--size", "1x1", "--mines", "1", "--seed", "1", "--first-click", "random"),
        (
            "generate",
            "noguess",
            "--size",
            "2x2",
            "--mines",
            "1",
            "--budget",
            "1",
            "--first-click",
            "safe",
            "--seed",
            "1",
        ),
        ("generate", "lines", "--size", "1x1", "--mines", "2", "--seed", "1"),
        ("generate", "lines", "--size", "1x2", "--mines", "1", "--clues", "2", "--seed", "1", "--needs", "one"),
        ("generate", "lines", "--size", "4x4", "--tries", "1", "--waves", "9", "--count", "1", "--seed", "1"),
        ("generate", "puzzle", "--size", "1x1", "--seed", "1"),
        ("generate", "puzzle", "--size", "2x3", "--difficulty", "extreme", "--exact", "--tries", "1", "--seed", "1"),
        ("generate", "puzzle", "--size", "3x4", "--seed", "1", "--evolve", "--children", "1", "--save", "saved"),
        ("grade", "board", "--boxplot", "b.png"),
        ("audit", "board"),
        ("judge", "play"),
        ("rating", "tries"),
        ("trophies", "board"),
    ],
    ids=" ".join,
)
def test_no_message_has_one_in_the_plural_or_an_empty_range(
    args: Sequence[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("board").write_text(BOARD)
    Path("play").write_text(BOARD[:-1] + ', "moves": [["hint"], ["mine", [0, 1]]]}')
    Path("tries").write_text('{"depth": 3, "clean": true, "hash": "a"}\n' * 2)
    code = run_command(args)
    said = capsys.readouterr()
    assert code in (0, 2, 7)
    assert not FAULT.search(said.out + said.err), said.out + said.err
