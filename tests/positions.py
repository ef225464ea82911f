"""Owns positions of games in which nothing is certain, by seed."""

from __future__ import annotations

import random

from autosolve.board.puzzle import Puzzle
from autosolve.board.shape import Cell, Shape, cells_in
from autosolve.generate.deal import SplitMix64, deal
from autosolve.generate.game import Field, Game, State
from autosolve.kernels.game import FirstClick
from autosolve.solver.hybrid import solve


def stuck(shape: Shape, mines: int, seed: int) -> Puzzle | None:
    """A position where nothing is certain, with its proven mines shown; None where the game ends without one."""
    dice = random.Random(seed)
    start = Cell(dice.randrange(shape.size))
    game = Game(Field(shape, deal(shape, mines, start, FirstClick.SAFE, SplitMix64(seed)))).reveal(start)
    skip = dice.randrange(3)
    while game.state is State.PLAYING:
        solution = solve(game.puzzle)
        if solution.safe:
            for cell in cells_in(solution.safe):
                game = game.reveal(cell)
            continue
        if skip and (more := [*cells_in(game.covered & ~game.field.mines)]):
            skip -= 1
            game = game.reveal(dice.choice(more))
            continue
        puzzle = game.puzzle
        return Puzzle(shape, puzzle.clues, puzzle.covered & ~solution.mines, puzzle.totals, solution.mines)
    return None
