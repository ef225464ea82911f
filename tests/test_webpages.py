"""The pages that boards are drawn on for the reader: what they show is a position of the game."""

from __future__ import annotations

import re

import pytest

from tests.webpages import PAGES, dealt, html


@pytest.mark.parametrize("state", ["fresh", "start", "mid", "marks", "lost", "won"])
@pytest.mark.parametrize(("rows", "cols", "mines"), [(9, 9, 10), (8, 12, 14)])
def test_what_is_dealt_is_a_position(rows: int, cols: int, mines: int, state: str) -> None:
    board = dealt(rows, cols, mines, state, 3)
    assert board == dealt(rows, cols, mines, state, 3)
    assert (len(board), {len(row) for row in board}) == (rows, {cols})
    for r, row in enumerate(board):
        for c, char in enumerate(row):
            if not char.isdigit():
                continue
            near = "".join(board[i][max(0, c - 1) : c + 2] for i in range(max(0, r - 1), min(rows, r + 2)))
            shown = sum(near.count(mark) for mark in "F*!")
            assert shown <= int(char) <= shown + near.count(".") + near.count("?")
    if state == "won":
        assert "".join(board).count("F") == mines
    if state == "lost":
        assert ("".join(board).count("!"), "".join(board).count("X")) == (1, 1)


@pytest.mark.parametrize("name", list(PAGES))
def test_a_page_has_every_cell_once(name: str) -> None:
    board = dealt(8, 12, 14, "lost", 1)
    page = html(board, PAGES[name])
    cells = re.findall(r'<div class="(cell [^"]*)">', page)
    assert len(cells) == 96
    opened = [("open" in classes.split()) for classes in cells]
    assert opened == [char not in ".F?" for char in "".join(board)]
    alike = "!" not in "".join(PAGES[name].shown(board))
    assert alike is (dict(PAGES[name].signs)["!"] == dict(PAGES[name].signs)["*"] and ".exploded" not in page)
