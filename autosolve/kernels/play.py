"""Owns games in bulk, played to the end by exact odds and the guesses of three policies: a thousand and more a minute.

    player = BulkPlayer(Shape(16, 30), 99, Ways.AHEAD)
    player.play(Cell(0), FirstClick.SAFE, seed=7, first=0, games=1000)       # a Played

Twin: ``bot.blind`` with the policies of ``solver.guess``. What a policy is stands in ``play_code.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from autosolve.board.shape import Cell, Shape
from autosolve.kernels.code import game_code, play_code
from autosolve.kernels.game import FirstClick, Table, check_room, words
from autosolve.kernels.odds import BulkOdds, Counted
from autosolve.kernels.sheet import Bytes

BUCKETS = 20


class Ways(IntEnum):
    """How a cell is chosen where nothing is certain: ``SAFETY``, ``PROGRESS``, ``AHEAD`` as in ``solver.guess``."""

    SAFETY = 0
    PROGRESS = 1
    AHEAD = 2


@dataclass(frozen=True, slots=True)
class Played:
    """What came of some games.

    ``games``    dealt     ``won``  of them    ``guesses``  made in all    ``trees``  of them, every continuation tried
    ``capped``   games given up because a count did not fit: neither won nor lost
    ``wrong``    cells that were certain and were not: must be 0
    ``cells``    per 5 % from 0 to 1: cells whose chance was such when a guess was made; ``mined``: mines among them
    """

    games: int
    won: int
    guesses: int
    trees: int
    capped: int
    wrong: int
    cells: tuple[int, ...]
    mined: tuple[int, ...]

    def __add__(self, other: Played) -> Played:
        return Played(
            self.games + other.games,
            self.won + other.won,
            self.guesses + other.guesses,
            self.trees + other.trees,
            self.capped + other.capped,
            self.wrong + other.wrong,
            tuple(a + b for a, b in zip(self.cells, other.cells, strict=True)),
            tuple(a + b for a, b in zip(self.mined, other.mined, strict=True)),
        )


class BulkPlayer:
    """Plays many games of one shape; one object serves one thread. Raises EnvironmentProblem without numba."""

    def __init__(self, shape: Shape, mines: int, way: Ways = Ways.AHEAD) -> None:
        code = self._code = play_code()
        game_code()
        self.shape, self.mines, self.way = shape, mines, way
        self._odds = BulkOdds(shape)
        self._table = Table(shape)
        longest = max(code.WORK, 9 * shape.size)
        dice = np.random.default_rng(20_111)
        sets = np.zeros((3, max(code.SOLUTIONS, code.CELLS)), np.uint64)
        sets[2] = dice.integers(1, 1 << 63, sets.shape[1], dtype=np.uint64) * np.uint64(2) + np.uint64(1)
        self._scratch = (
            np.zeros(shape.size, np.float64),
            np.zeros(shape.size, np.float64),
            np.zeros((9, longest), np.int64),
            sets,
            np.zeros(code.SLOTS, np.uint64),
            np.zeros(code.SLOTS, np.int64),
            np.zeros(2, np.float64),
        )
        self._clue = np.zeros(shape.size, np.int8)
        self._cover = np.zeros(shape.size, np.int8)

    def play(self, start: Cell, rule: FirstClick, *, seed: int, first: int, games: int, told: bool = True) -> Played:
        """Plays ``games`` games of a run from number ``first`` on; ``told``: whether the number of mines is used.

        The same on every machine. WrongUse where the mines do not fit, or numbers are out of range."""
        check_room(self.shape, self.mines, start, rule)
        code, table = self._code, self._table
        out = np.zeros(code.OUT, np.int64)
        code.play_many(
            self.shape.rows, self.shape.cols, self.mines, start, int(rule), int(self.way), *words(seed, first), games,
            self.mines if told else -1, out, table.rng, table.mine, table.mined, table.clue, self._clue, self._cover,
            *self._odds.buffers, *self._scratch,
        )  # fmt: skip
        n = [int(v) for v in out]
        return Played(
            n[code.O_GAMES],
            n[code.O_WON],
            n[code.O_GUESSES],
            n[code.O_TREES],
            n[code.O_CAPPED],
            n[code.O_WRONG],
            tuple(n[code.O_CELLS : code.O_CELLS + BUCKETS]),
            tuple(n[code.O_MINED : code.O_MINED + BUCKETS]),
        )

    def guess(self, clue: Bytes, cover: Bytes, mines: int = -1) -> tuple[Cell, float, bool] | None:
        """The cell opened in a position where none is certainly safe, what was best in it, and whether every
        continuation was tried. None where the count does not fit or there is no solution.

        Arrays as for ``BulkOdds.count``; mines that are proven must be told in ``cover`` as such."""
        if self._odds.count(clue, cover, mines) is not Counted.DONE:
            return None
        cell = self._code.guess(
            int(self.way), self.shape.rows, self.shape.cols, mines, clue, cover, *self._odds.buffers, *self._scratch
        )  # fmt: skip
        score = self._scratch[-1]
        return Cell(int(cell)), float(score[0]), bool(score[1])
