"""Owns games played without a screen: the thinking and the plans of the bot, the moves made on a hidden board."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from autosolve.board.puzzle import Puzzle, Totals
from autosolve.board.shape import Cell, Shape, cells_in
from autosolve.bot.think import First, Thought, first_cell, think
from autosolve.clicks.plan import Style, chosen, maybe_zero
from autosolve.generate.game import Field, Game, State
from autosolve.solver.guess import Policy


@dataclass(frozen=True, slots=True)
class BlindGame:
    """How a game went.

    ``won``       None where it was stopped because a guess was not allowed
    ``by_guess``  whether a lost game was lost by a guess: anything else is a defect
    ``risks``     of every guess      ``clicks``  of all kinds, those that do nothing left out
    """

    field: Field
    won: bool | None
    by_guess: bool | None
    risks: tuple[Fraction, ...]
    clicks: int
    laps: int


def play_blind(
    shape: Shape,
    deal: Callable[[Cell], Field],
    *,
    first: First = "safe",
    policy: Policy = Policy.PROGRESS,
    style: Style = Style.NOFLAG,
    chords: bool = True,
    told_mines: bool = True,
    guesses: bool = True,
    on_thought: Callable[[Thought, Field], None] | None = None,
    thinking: Callable[[Puzzle, Policy, First], Thought] = think,
) -> BlindGame:
    """Plays one game to its end.

    ``deal``        the hidden board, given the first cell opened    ``first``  what its rule is said to be
    ``told_mines``  whether the number of mines is told
    ``on_thought``  told of every position's thought together with the truth, before its moves
    ``thinking``    what comes to the thoughts: one that remembers serves a game that is played in several styles"""
    field = deal(first_cell(shape, first))
    game, clicks, laps = Game(field), 0, 0
    risks: list[Fraction] = []
    while True:
        puzzle = game.puzzle if told_mines else replace(game.puzzle, totals=Totals())
        thought = thinking(puzzle, policy, first)
        laps += 1
        if on_thought is not None:
            on_thought(thought, field)
        if game.state is not State.PLAYING or thought.over:
            return BlindGame(field, game.state is State.WON, None, tuple(risks), clicks, laps)
        if thought.guess is not None and not thought.free:
            if not guesses:
                return BlindGame(field, None, None, tuple(risks), clicks, laps)
            risks.append(thought.guess.risk)
        opening, chording, flagging = chosen(
            shape,
            puzzle.clues,
            puzzle.covered,
            game.flags,
            thought.solution.mines,
            thought.opening,
            Style.NOFLAG if thought.guess else style,
            chords,
        )
        for cell in cells_in(flagging):
            game, clicks = game.flag(cell), clicks + 1
        early = maybe_zero(shape, thought.solution.mines, opening)
        for move, cells in ((Game.reveal, early), (Game.chord, chording), (Game.reveal, opening & ~early)):
            for cell in cells_in(cells):
                after = move(game, cell)
                clicks += after is not game
                game = after
        if game.state is State.LOST:
            return BlindGame(field, False, thought.guess is not None, tuple(risks), clicks, laps)
