"""Owns exact odds in bulk: the chance of every cell of a position, some hundred thousand positions a second.

Exact up to doubles: every chance is good to 1e-9 of itself, and 0 and 1 are said of certain cells alone.
"""

from __future__ import annotations

from enum import IntEnum
from math import comb, inf, lgamma, log, log2

import numpy as np
from numpy.typing import NDArray

from autosolve.board.puzzle import Variant
from autosolve.board.shape import Shape
from autosolve.kernels.code import odds_code
from autosolve.kernels.sheet import Bytes, unfit


class Counted(IntEnum):
    """What came of a count.

    ``DONE``     ``chance`` holds
    ``CLASH``    there is no solution
    ``TOO_BIG``  the position does not fit the buffers: ask ``solver.count.odds``
    """

    DONE = 0
    CLASH = 1
    TOO_BIG = 2


_COUNTED = tuple(Counted)


class BulkOdds:
    """Exact odds of many positions of one shape, one after the other; twin of ``solver.count.odds``.

    Holds its buffers, so one object serves one thread. Raises EnvironmentProblem without numba.

    Totals of rows and columns are not told to it: boards with such go to ``solver.count.odds``, and what is TOO_BIG:
    a front with more than 12 clues half done at once, or too many states, as wide half-open boards have. The plain twin
    goes further there: it carries polynomials in the number of mines where this counts a state for each number.

    ``chance``  float64 per cell, row-major, after a count that was DONE and until the next one: 0 for open cells,
                1 for shown mines
    """

    def __init__(self, shape: Shape, variant: Variant = Variant.MINESWEEPER) -> None:
        code = odds_code()
        self.shape = shape
        self._misfit = code.MISFIT
        self._odds = code.odds
        self._board = np.zeros(code.BOARD_HEAD + 3 * shape.size, np.int32)
        self._small = np.zeros(code.SMALL, np.int32)
        self._keys = np.zeros(code.WORDS + 3 * (shape.rows + 2) * -(-shape.cols // code.BLOCK), np.int64)
        self._real = np.zeros(code.REAL + shape.size, np.float64)
        self._at = code.B_FREE, code.B_TOP, code.B_STATES
        self._beside, self._end = code.BOARD_HEAD + shape.size, code.B_BESIDE
        self._told = False
        self._board[code.B_ROWS], self._board[code.B_COLS] = shape.rows, shape.cols
        self._board[code.B_MOSAIC] = variant is Variant.MOSAIC
        for n in range(10):
            self._small[code.LOGS + n] = round(16 * log2(n + 1))
            for k in range(n + 1):
                self._real[code.WAYS + 10 * n + k] = comb(n, k)
        self.chance: NDArray[np.float64] = self._real[code.REAL :]

    def count(self, clue: Bytes, cover: Bytes, mines: int = -1) -> Counted:
        """Counts a position; its odds are then in ``chance``.

        ``clue``   flat int8: the number shown, -1 for none
        ``cover``  flat int8: 0 open, 1 covered, 2 a mine; nothing else, which is not checked
        ``mines``  on the whole board, shown ones too; -1 where not told: all solutions then count alike

        A clue with no covered cell beside it is taken for true. Raises WrongUse for other arrays."""
        try:
            answer: int = self._odds(clue, cover, mines, self._board, self._small, self._keys, self._real)
        except TypeError:
            raise unfit(clue, cover, self.shape.size) from None
        if answer == self._misfit:
            raise unfit(clue, cover, self.shape.size)
        self._told = mines >= 0
        return _COUNTED[answer]

    @property
    def buffers(self) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64], NDArray[np.float64]]:
        """The arrays that ``odds_code.odds`` takes after the position, for compiled code that calls it itself."""
        return self._board, self._small, self._keys, self._real

    @property
    def log_models(self) -> float:
        """The natural logarithm of the number of solutions, after a count that was DONE."""
        free, top, _ = (int(self._board[i]) for i in self._at)
        total = float(self._real[0])
        if total <= 0:
            return -inf
        if not self._told:
            return log(total) + free * log(2)
        return log(total) + lgamma(free + 1) - lgamma(top + 1) - lgamma(free - top + 1)

    @property
    def beside(self) -> NDArray[np.int32]:
        """The covered cells beside a clue, after a count that was DONE; the others all have one chance."""
        return self._board[self._beside : self._board[self._end]]

    @property
    def states(self) -> int:
        """How many states the last count that was DONE made: its work, whatever the machine."""
        return int(self._board[self._at[2]])
