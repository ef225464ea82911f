"""Real programs played to the end on a virtual screen: one short game of each; ``tools/play_matrix.py`` plays many."""

from __future__ import annotations

import json
from collections.abc import Callable

import games
import pytest
from games import Layout, Program, SgtMines
from rig import Rig

pytestmark = [pytest.mark.screen, pytest.mark.xdist_group("screen")]

# a click into the first row opens all but the last rows, and every number there tells its mine
EASY = Layout(9, 9, frozenset({(7, 1), (7, 5), (8, 8)}), first=(0, 0))


def known(rig: Rig) -> Program:
    return SgtMines(rig, EASY, tile=24)


def gnome(rig: Rig) -> Program:
    program = Program(rig, "gnome-mines")
    program.gnome_mines("small")
    return program


def kde(rig: Rig) -> Program:
    program = Program(rig, "kmines")
    program.kmines(9, 9, 5, window=(620, 515))
    return program


def xde(rig: Rig) -> Program:
    program = Program(rig, "xdemineur")
    program.xdemineur(9, 12, 8)
    return program


@pytest.mark.parametrize(
    ("site", "start", "more"),
    [
        ("sgt-mines", known, ("--no-guess", "--mines", "3")),
        ("gnome-mines", gnome, ()),
        ("kmines", kde, ()),
        ("xdemineur", xde, ()),
    ],
)
def test_a_game_is_played_to_its_end(
    rig: Rig, site: str, start: Callable[[Rig], Program], more: tuple[str, ...]
) -> None:
    if games.missing_games():
        pytest.skip(f"not installed: {' '.join(games.missing_games())}")
    program = start(rig)
    rig.point(rig.size[0] // 2, rig.size[1] - 30)
    try:
        done = rig.autosolve("run", "--site", site, "--json", *more)
    finally:
        program.end()
    assert done.returncode in (0, 9), done.stderr
    (game,) = json.loads(done.stdout)["games"]
    if "--no-guess" in more:
        assert game["result"] == "won"
    # nothing but a guess may lose a game, and its risk was told
    assert game["result"] == "won" or (game["lost_by"] == "guess" and game["risk"] > 0), done.stderr
