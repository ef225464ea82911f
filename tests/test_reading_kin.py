"""Boards of several sites that one page shows: each is read as its own site's, however much they look alike."""

from __future__ import annotations

from pathlib import Path

import pytest
from chromium import Chromium

from autosolve.board.shape import Shape, cell_set
from autosolve.cli import options
from autosolve.player.page import page
from autosolve.player.plan import HiddenGame
from autosolve.vision import picture
from autosolve.vision.read import read

AROUND = (30, 31, 32, 39, 40, 41, 48, 49, 50)


@pytest.mark.parametrize("mines", [(22, 24, 29, 34, 57, 58, 60, 61), (0, 8, 72, 80), (20, 21, 22, 23, 29, 38, 56, 65)])
def test_a_game_with_few_blanks_is_no_board_of_clues(
    headless: Chromium, tmp_path: Path, mines: tuple[int, ...]
) -> None:
    """Its opened blanks are all that a board of clues has not: a twentieth of the cells, or less."""
    shape = Shape(9, 9)
    game = HiddenGame(shape, cell_set(mines), shape.cell(4, 4))
    assert not set(mines) & set(AROUND)
    file = tmp_path / "game.html"
    file.write_text(page(game=game), encoding="utf-8")
    headless.open(file.as_uri())
    headless.settle()
    headless.screenshot(tmp_path / "game.png")
    found = read(picture.load(str(tmp_path / "game.png")), options.profiles("local-player"))
    assert (found.profile.name, found.doubts) == ("local-player-reveal", {})
    seen = game.seen(game.opened_by(1 << 40))
    assert found.puzzle.clues == seen.clues
