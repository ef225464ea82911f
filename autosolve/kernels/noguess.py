"""Owns boards that need no guess in bulk: some ten thousand Expert boards a second, each proven from its start.

maker = Maker(Shape(16, 30))
made = maker.make(99, start, FirstClick.OPENING, level=2, seed=7)
made.proven, maker.mine_set         # until the next one
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from autosolve.board.shape import Cell, CellSet, Shape
from autosolve.errors import WrongUse
from autosolve.kernels.code import noguess_code
from autosolve.kernels.game import FirstClick, Table, check_room, words
from autosolve.kernels.odds import BulkOdds

# ONE; ONE and TWO; all that is certain
LEVELS = (1, 2, 3)


class Making(NamedTuple):
    """What came of making a board.

    ``proven``   whether it is cleared from its start without a guess, seen in a game in which nothing was changed
    ``opened``   cells opened by that game, or by the one that got furthest
    ``deals``    boards dealt
    ``games``    games from the start
    ``changes``  places changed
    ``counts``   times the odds were counted (level 3 alone)
    ``work``     cells looked at, about: the same on every machine
    """

    proven: bool
    opened: int
    deals: int
    games: int
    changes: int
    counts: int
    work: int


class Maker:
    """Makes boards of one shape, one after the other; one object serves one thread.

    Raises EnvironmentProblem without numba."""

    def __init__(self, shape: Shape) -> None:
        self._code = noguess_code()
        self.shape = shape
        self._table = table = Table(shape)
        self._odds: BulkOdds | None = None
        self._moved = np.zeros(32, np.int32)
        self._best = np.zeros(table.mine.size, np.uint8)
        self._out = np.zeros(self._code.OUT, np.int64)
        self._flat = np.zeros(shape.size, np.int8), np.zeros(shape.size, np.int8)
        # levels 1 and 2 never look at the buffers of the odds
        self._none = (np.zeros(1, np.int32), np.zeros(1, np.int32), np.zeros(1, np.int64), np.zeros(1, np.float64))

    def make(
        self,
        mines: int,
        start: Cell,
        rule: FirstClick = FirstClick.OPENING,
        *,
        level: int,
        seed: int,
        number: int = 0,
        perturb: bool = True,
        budget: int = 10_000,
    ) -> Making:
        """Makes board ``number`` of the run ``seed``; the same on every machine.

        ``level``    what may be used: 1 ONE, 2 ONE and TWO, 3 all that is certain, the number of mines included
        ``perturb``  change boards where they are stuck; else deal until one is good, a fair draw of all good boards
        ``budget``   games from the start, 1 and up. Where it ends the board that got furthest is left, not proven

        Raises WrongUse for more mines than there is room for, and a start that is not on the board."""
        check_room(self.shape, mines, start, rule)
        if level not in LEVELS or budget < 1:
            raise WrongUse(f"Level {level} with {budget} games cannot be made.", "Give level 1, 2 or 3, and a game.")
        shape, t, odds = self.shape, self._table, self._none
        if level == 3:
            if self._odds is None:
                self._odds = BulkOdds(shape)
            odds = self._odds.buffers
        t.mines = mines
        self._code.make(
            shape.rows, shape.cols, mines, t.padded(start), int(rule), level, int(perturb), budget,
            *words(seed, number), t.rng, t.mine, t.mined, t.clue, t.cover, t.need, t.hid, t.opn, t.stack, t.pairs,
            t.mark, t.tally, *self._flat, *odds, self._moved, self._best, self._out,
        )  # fmt: skip
        code = self._code
        proven, *rest = (
            int(self._out[i])
            for i in (code.PROVEN, code.OPENED, code.DEALS, code.GAMES, code.CHANGES, code.COUNTS, code.WORK)
        )
        return Making(bool(proven), *rest)

    @property
    def mine_set(self) -> CellSet:
        """Where the mines of the last board are."""
        return self._table.mine_set
