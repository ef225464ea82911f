"""Tests of games played in bulk: the compiled guesses against the readable ones, the rates, and the chances told."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from positions import stuck

from autosolve.analysis.rates import wilson
from autosolve.board.puzzle import Puzzle
from autosolve.board.shape import Cell, Shape
from autosolve.bot.blind import play_blind
from autosolve.errors import Clash
from autosolve.generate.deal import SplitMix64, deal
from autosolve.generate.game import Field
from autosolve.kernels.game import FirstClick
from autosolve.kernels.play import BulkPlayer, Played, Ways
from autosolve.kernels.sheet import sheet
from autosolve.solver import guess as plain
from autosolve.solver.count import odds
from autosolve.solver.deduction import Budget
from autosolve.solver.even import even_guesses
from autosolve.solver.guess import Policy, best_guess

SHAPES = ((Shape(8, 8), 12), (Shape(5, 12), 14), (Shape(1, 16), 5), (Shape(16, 30), 99))


def worth(puzzle: Puzzle, cell: Cell) -> Fraction:
    """What looking ahead says of a cell, by the exact counts of the plain solver."""
    whole, value = odds(puzzle), Fraction(0)
    for number in range(9):
        try:
            after = odds(plain.opened(puzzle, cell, number))
        except Clash:
            continue
        # a game that is won is worth as much as one with many certain cells
        left = [m for m in after.mined_in.values() if m < after.models] or [0] * plain.CERTAIN_MOST
        certain = min(left.count(0), plain.CERTAIN_MOST)
        here = 1 - Fraction(min(left), after.models) + plain.CERTAIN * certain
        value += Fraction(after.models, whole.models) * here
    alive = whole.models - whole.mined_in[cell]
    chance = {c: mined / whole.models for c, mined in whole.mined_in.items()}
    for even in even_guesses(puzzle, chance, Budget().states):
        value *= 1 - Fraction(even.beside(cell), 2 * alive)
    return value


@pytest.mark.parametrize("way", list(Ways))
@pytest.mark.parametrize(("shape", "mines"), SHAPES[:3])
def test_the_compiled_guess_is_as_good_as_the_plain_one(shape: Shape, mines: int, way: Ways) -> None:
    policy = (Policy.SAFETY, Policy.PROGRESS, Policy.AHEAD)[way]
    player = BulkPlayer(shape, mines, way)
    told = 0
    for seed in range(70):
        puzzle = stuck(shape, mines, seed)
        if puzzle is None:
            continue
        clue, cover, total, _ = sheet(puzzle)
        found, ours = player.guess(clue, cover, total), best_guess(puzzle, policy)
        assert found is not None and ours is not None
        cell, best, whole = found
        told += 1
        theirs = puzzle.covered >> cell & 1
        assert theirs
        if way is Ways.AHEAD and whole and ours.win is not None:
            assert best == pytest.approx(float(ours.win), abs=1e-9)
        elif way is Ways.AHEAD and not whole and ours.win is None:
            assert float(worth(puzzle, cell)) == pytest.approx(best, abs=1e-9)
            assert float(worth(puzzle, ours.cell)) == pytest.approx(best, abs=1e-9)
        elif way is Ways.SAFETY:
            assert cell == ours.cell
        elif way is Ways.PROGRESS:
            models = odds(puzzle)
            assert models.mined_in[cell] == models.mined_in[ours.cell]
            alive = models.models - models.mined_in[cell]
            again = plain._by_progress(puzzle, [cell], ours.risk, 0, alive, Budget())
            assert again.progress == ours.progress
    assert told >= 10


def test_the_same_games_as_without_the_compiler() -> None:
    shape, mines = Shape(9, 9), 10
    bulk = BulkPlayer(shape, mines, Ways.SAFETY).play(Cell(0), FirstClick.SAFE, seed=4, first=0, games=150)
    games = [
        play_blind(
            shape,
            lambda c, k=k: Field(shape, deal(shape, mines, c, FirstClick.SAFE, SplitMix64.of_game(4, k))),  # type: ignore[misc]
            policy=Policy.SAFETY,
        )
        for k in range(150)
    ]
    assert bulk.won == sum(bool(game.won) for game in games)
    assert bulk.guesses == sum(len(game.risks) for game in games)


def test_chunks_add_up() -> None:
    player = BulkPlayer(Shape(8, 9), 13)
    whole = player.play(Cell(0), FirstClick.SAFE, seed=4, first=0, games=60)
    parts = [player.play(Cell(0), FirstClick.SAFE, seed=4, first=i, games=20) for i in (0, 20, 40)]
    assert sum(parts[1:], parts[0]) == whole
    assert isinstance(whole, Played)


@pytest.mark.parametrize(
    ("rule", "start", "way", "low", "high"),
    [
        (FirstClick.SAFE, 0, Ways.SAFETY, 0.33, 0.44),
        (FirstClick.SAFE, 0, Ways.AHEAD, 0.36, 0.47),
        (FirstClick.OPENING, 2 * 30 + 2, Ways.AHEAD, 0.49, 0.60),
    ],
)
def test_expert_is_won_as_often_as_is_published(
    rule: FirstClick, start: int, way: Ways, low: float, high: float
) -> None:
    played = BulkPlayer(Shape(16, 30), 99, way).play(Cell(start), rule, seed=11, first=0, games=600)
    assert played.wrong == played.capped == 0
    assert low < played.won / played.games < high


def test_of_the_cells_given_a_chance_so_many_are_mines() -> None:
    played = BulkPlayer(Shape(16, 16), 40).play(Cell(0), FirstClick.SAFE, seed=3, first=0, games=3000)
    for bucket, (cells, mined) in enumerate(zip(played.cells, played.mined, strict=True)):
        if cells < 200:
            continue
        # cells of one position depend on each other: the interval of a tenth as many
        low, high = wilson(mined // 10, cells // 10, z=4)
        assert low < (bucket + 1) / 20 and high > bucket / 20


def test_what_does_not_fit_is_said() -> None:
    player = BulkPlayer(Shape(3, 3), 1)
    assert player.guess(np.array([8] + [-1] * 8, np.int8), np.array([0] + [1] * 8, np.int8), 1) is None
