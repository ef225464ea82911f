"""Owns bulk solving: what is certain of a board, and whether it has one solution, in a millisecond or so."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from autosolve.board.puzzle import Variant
from autosolve.board.shape import Shape
from autosolve.errors import WrongUse
from autosolve.kernels.code import solve_code
from autosolve.kernels.odds import BulkOdds, Counted
from autosolve.kernels.sheet import Bytes, Ints, unfit

# of the search, over all of one board; the hardest boards known to us take some hundred
CONFLICTS = 20_000
# ints for what the search learns
_ROOM = 1 << 20


class Proven(IntEnum):
    """What is proven of a board.

    ``UNIQUE``     it has one solution, and ``value`` is it
    ``UNDECIDED``  it has several: ``first`` and ``second`` are two of them
    ``CLASH``      it has none
    ``GAVE_UP``    not known within the work allowed; what ``value`` decides is certain all the same. Ask
                   ``solver.hybrid.solve``
    """

    UNIQUE = 0
    UNDECIDED = 1
    CLASH = 2
    GAVE_UP = 3


_PROVEN = tuple(Proven)


class BulkSolver:
    """Solves many boards of one shape, one after the other; twin of ``solver.hybrid.solve``.

    Holds its buffers, so one object serves one thread. Raises EnvironmentProblem without numba.

    The total of a board is taken in by ``BulkOdds``. Where that finds it TOO_BIG, or lines are told as well, the search
    gets the total, and on wide half-open boards it may well give up: the twin, which keeps the total out of its search,
    answers then.

    All three are int8 per cell, row-major, and hold until the next call (after CLASH they mean nothing):

    ``value``   of the covered cells: 0 undecided, 1 safe, 2 a mine
    ``first``   a solution, 1 for a mine among the covered cells; after UNIQUE and UNDECIDED
    ``second``  after UNDECIDED another solution
    """

    def __init__(self, shape: Shape, variant: Variant = Variant.MINESWEEPER) -> None:
        code = self._code = solve_code()
        size = shape.size
        # one for every clue, row and column, one for the board, and one place more
        sentences = size + shape.rows + shape.cols + 2
        self.shape, self.variant = shape, variant
        self._buffers = (
            np.zeros(code.NOW, np.int64),
            np.zeros((code.CELL_ROWS, size + 1), np.int32),
            np.zeros((code.SENTENCE_ROWS, sentences), np.int32),
            np.zeros((size, code.IN), np.int32),
            np.zeros(code.IN * size, np.int32),
            np.zeros(_ROOM, np.int32),
            np.zeros(size, np.float64),
        )
        self._out = np.zeros((3, size), np.int8)
        self._no_lines = np.full(shape.rows + shape.cols, -1, np.int32)
        self._odds: BulkOdds | None = None
        self._allowed = 0
        self.value: Bytes = self._out[0]
        self.first: Bytes = self._out[1]
        self.second: Bytes = self._out[2]

    def solve(
        self,
        clue: Bytes,
        cover: Bytes,
        *,
        mines: int = -1,
        lines: Ints | None = None,
        every: bool = True,
        conflicts: int = CONFLICTS,
    ) -> Proven:
        """What is certain of a board.

        ``clue``       flat int8: the number shown, -1 for none
        ``cover``      flat int8: 0 open, 1 covered, 2 a mine; nothing else, which is not checked
        ``mines``      on the whole board, shown ones too; -1 where not told
        ``lines``      flat int32: totals of the rows, then of the columns, each -1 where not told
        ``every``      False: stop at two solutions, and leave cells undecided that a longer search would decide
        ``conflicts``  how much work the search may do, in clashes

        Raises WrongUse for other arrays."""
        code = self._code
        lines = self._no_lines if lines is None else lines
        if mines < 0:
            ask = code.SEARCH | (code.ALL if every else 0)
            return _PROVEN[self._run(ask, clue, cover, -1, lines, conflicts)]
        # as in hybrid: what the clues alone say first, for with the total in it the search may be long
        answer = self._run(code.SEARCH | code.ALL, clue, cover, mines, lines, conflicts)
        if answer in (Proven.UNIQUE, Proven.CLASH):
            return _PROVEN[answer]
        return self._total(clue, cover, mines, lines, every, conflicts)

    def rules(self, clue: Bytes, cover: Bytes, *, lines: Ints | None = None) -> Proven:
        """What ONE and TWO alone decide; twin of ``State.propagate``. GAVE_UP where they leave cells undecided."""
        return _PROVEN[self._run(0, clue, cover, -1, self._no_lines if lines is None else lines, 0)]

    @property
    def conflicts(self) -> int:
        """How many clashes the last search met: its work, whatever the machine."""
        return self._allowed - int(self._buffers[0][self._code.CONFLICTS])

    def _run(self, ask: int, clue: Bytes, cover: Bytes, mines: int, lines: Ints, conflicts: int) -> int:
        shape = self.shape
        mosaic = self.variant is Variant.MOSAIC
        self._allowed = conflicts
        try:
            answer: int = self._code.solve(
                shape.rows, shape.cols, mosaic, ask, mines, conflicts, clue, cover, lines, *self._buffers, self._out
            )
        except TypeError:
            answer = self._code.MISFIT
        if answer == self._code.MISFIT:
            if isinstance(lines, np.ndarray) and lines.dtype == np.int32 and lines.shape == self._no_lines.shape:
                raise unfit(clue, cover, shape.size)
            raise WrongUse(
                "These are no totals of rows and columns.",
                f"Give a flat array of int32 with {shape.rows} and then {shape.cols} numbers, -1 where not told.",
            )
        return answer

    def _total(self, clue: Bytes, cover: Bytes, mines: int, lines: Ints, every: bool, conflicts: int) -> Proven:
        """Takes the total into what the clues have left undecided: by a count, and where that does not do by a
        search, which may well give up."""
        code = self._code
        known = self.value.copy()
        left = cover.copy()
        _settle(left, known)
        if not (lines >= 0).any():
            if self._odds is None:
                self._odds = BulkOdds(self.shape, self.variant)
            counted = self._odds.count(clue, left, mines)
            if counted is Counted.CLASH:
                return Proven.CLASH
            if counted is Counted.DONE:
                chance = self._odds.chance
                known[(left == 1) & (chance == 0)] = code.CLEAR
                known[(left == 1) & (chance == 1)] = code.MINED
                _settle(left, known)
                self.value[:] = known
                return self._pair(clue, cover, left, mines)
        ask = code.SEARCH | code.TOTAL | (code.ALL if every else 0)
        answer = self._run(ask, clue, left, mines, lines, conflicts)
        self._out[0] |= known
        self._out[1:] |= known == code.MINED
        return _PROVEN[answer]

    def _pair(self, clue: Bytes, cover: Bytes, left: Bytes, mines: int) -> Proven:
        """Two solutions that differ in a cell, by counting on with that cell decided either way."""
        undecided = np.flatnonzero(left == 1)
        if not undecided.size:
            self._out[1:] = (left == 2) & (cover == 1)
            return Proven.UNIQUE
        for row, what in ((1, 2), (2, 0)):
            board = left.copy()
            board[undecided[0]] = what
            if not self._complete(clue, board, mines):
                return Proven.GAVE_UP
            self._out[row] = (board == 2) & (cover == 1)
        return Proven.UNDECIDED

    def _complete(self, clue: Bytes, board: Bytes, mines: int) -> bool:
        """Decides one cell after the other as its chance leans, until ``board`` is a solution; whether it is."""
        odds = self._odds
        assert odds is not None
        while odds.count(clue, board, mines) is Counted.DONE:
            chance, beside = odds.chance, odds.beside
            board[(board == 1) & (chance == 0)] = 0
            board[(board == 1) & (chance == 1)] = 2
            open_ = beside[board[beside] == 1]
            if not open_.size:
                # cells beside no clue: any will do
                free = np.flatnonzero(board == 1)
                count = mines - int((board == 2).sum())
                board[free[:count]] = 2
                board[free[count:]] = 0
                return True
            cell = open_[np.abs(chance[open_] - 0.5).argmax()]
            board[cell] = 2 if chance[cell] > 0.5 else 0
        return False


def _settle(board: Bytes, known: Bytes) -> None:
    """Opens the cells known to be safe, and shows the mines known."""
    board[known == 1] = 0
    board[known == 2] = 2
