"""Owns whole games in bulk: boards dealt from a seed, and what the two local rules make of them.

    table = Table(Shape(16, 30))
    table.deal(99, start, FirstClick.OPENING, seed=7, number=0)
    table.play(start, level=2)          # cells opened
    table.hidden                        # cells still covered and not flagged: where it is stuck

Twin of the compiled code: the rules are ONE and TWO of solver/state.py, and dealing is written out again, slowly, in
analysis/census_reference.py.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from autosolve.board.shape import MAX_SIDE, Cell, CellSet, Shape, cell_set
from autosolve.board.words import article, counted, sentence, up_to, verb
from autosolve.errors import WrongUse
from autosolve.kernels.code import game_code


class FirstClick(IntEnum):
    """Where mines may lie, given the cell that is opened first.

    ``RANDOM``   anywhere, the first cell too
    ``SAFE``     anywhere but on the first cell
    ``OPENING``  neither on it nor beside it, so that it shows 0
    ``MOVED``    anywhere; a mine on the first cell moves to the first cell without one, in reading order
    """

    RANDOM = 0
    SAFE = 1
    OPENING = 2
    MOVED = 3

    def room(self, shape: Shape, start: Cell) -> int:
        """How many mines there can be at most."""
        barred = (0, 1, 1 + shape.neighbours(start).bit_count(), 1)[self]
        return shape.size - barred


class Checked(NamedTuple):
    """What came of many boards: how many there were, how many of them had a start without a mine, a start that shows
    0, and were cleared; and cells opened in all."""

    boards: int
    safe: int
    opening: int
    cleared: int
    opened: int


class Table:
    """One board's buffers, for one game after the other; one object serves one thread.

    The arrays of ``game_code`` by name (``mine``, ``clue``, ``cover``, ...), padded by a rim of one cell.
    Raises EnvironmentProblem without numba."""

    def __init__(self, shape: Shape) -> None:
        self._code = game_code()
        self.shape = shape
        self.stride = shape.cols + 2
        size = (shape.rows + 2) * self.stride
        self.rng = np.zeros(1, np.uint64)
        self.mine = np.zeros(size, np.uint8)
        self.mined = np.zeros(shape.size, np.int32)
        self.clue = np.zeros(size, np.int8)
        self.cover = np.zeros(size, np.uint8)
        self.need = np.zeros(size, np.int8)
        self.hid = np.zeros(size, np.uint8)
        self.opn = np.zeros(size, np.uint8)
        self.stack = np.zeros(9 * size, np.int32)
        self.pairs = np.zeros(size, np.int32)
        self.mark = np.zeros(size, np.uint8)
        self.tally = np.zeros(self._code.TALLY, np.int64)
        self.mines = 0

    def _state(self) -> tuple[NDArray[np.generic], ...]:
        return (self.cover, self.need, self.hid, self.opn, self.stack, self.pairs, self.mark, self.tally)

    def padded(self, cell: Cell) -> int:
        """The index of a cell in the padded arrays."""
        row, col = divmod(cell, self.shape.cols)
        return (row + 1) * self.stride + col + 1

    def deal(self, mines: int, start: Cell, rule: FirstClick, *, seed: int, number: int) -> None:
        """Deals game ``number`` of the run ``seed``; the same on every machine. WrongUse where there is no room."""
        check_room(self.shape, mines, start, rule)
        rows, cols = self.shape.rows, self.shape.cols
        self.mines = mines
        self._code.seed_game(*words(seed, number), self.rng)
        self._code.deal(rows, cols, mines, self.padded(start), int(rule), self.rng, self.mine, self.mined)
        self._code.number(rows, cols, mines, self.mine, self.mined, self.clue)

    def play(self, start: Cell, level: int) -> int:
        """Plays the board dealt from ``start`` by ONE (level 1) or ONE and TWO (2); how many cells are open then.

        WrongUse where the start is a mine, which the rule RANDOM allows."""
        if self.mine[self.padded(start)]:
            raise WrongUse("The first cell of this board is a mine.", "Deal by a rule that keeps it safe.")
        shape = self.shape
        opened: int = self._code.play(
            shape.rows, shape.cols, self.padded(start), level, self.clue, *self._state()
        )  # fmt: skip
        return opened

    @property
    def cleared(self) -> bool:
        """Whether every cell without a mine is open."""
        return int(self.tally[0]) == self.shape.size - self.mines

    def _cells(self, padded: NDArray[np.bool_]) -> CellSet:
        inner = padded.reshape(-1, self.stride)[1:-1, 1:-1].ravel()
        return cell_set(Cell(int(c)) for c in np.flatnonzero(inner))

    @property
    def hidden(self) -> CellSet:
        """The cells that are neither open nor flagged."""
        return self._cells(self.cover == self._code.COVERED)

    @property
    def flagged(self) -> CellSet:
        """The cells proven to be mines."""
        return self._cells(self.cover == self._code.FLAG)

    @property
    def mine_set(self) -> CellSet:
        """Where the mines are."""
        return self._cells(self.mine == 1)

    def check_many(
        self, mines: int, start: Cell, rule: FirstClick, level: int, *, seed: int, first: int, boards: int
    ) -> Checked:
        """Deals ``boards`` games of a run from number ``first`` on and plays each; level 0 deals only."""
        check_room(self.shape, mines, start, rule)
        out = np.zeros(4, np.int64)
        shape = self.shape
        self._code.check_many(
            shape.rows, shape.cols, mines, self.padded(start), int(rule), level, *words(seed, first), boards, out,
            self.rng, self.mine, self.mined, self.clue, *self._state(),
        )  # fmt: skip
        self.mines = mines
        return Checked(boards, *(int(n) for n in out))


def words(seed: int, number: int) -> tuple[np.uint64, int]:
    """A seed and a game's number as the kernels take them; WrongUse where they are out of range."""
    if not 0 <= seed < 1 << 64:
        raise WrongUse(f"The seed {seed} is out of range.", "Give a whole number from 0 to 2^64 - 1.")
    if not 0 <= number < 1 << 62:
        raise WrongUse(f"There is no board number {number}.", "Give a number from 0 to 2^62.")
    return np.uint64(seed), number


_SPARED = {
    FirstClick.RANDOM: "",
    FirstClick.SAFE: " with the start left free",
    FirstClick.OPENING: " with the start and the cells around it left free",
    FirstClick.MOVED: " with a mine at the start moved away",
}


def check_room(shape: Shape, mines: int, start: Cell, rule: FirstClick) -> None:
    """WrongUse where the mines do not fit beside the first click, or the first click is not on the board."""
    if not 0 <= start < shape.size:
        raise WrongUse(
            f"The start lies outside the {shape} board.",
            f"Rows go from 0 to {shape.rows - 1}, columns from 0 to {shape.cols - 1}.",
        )
    most = rule.room(shape, start)
    if not 0 <= mines <= most:
        other = ", or the first-click rule 'safe'" if 0 <= mines <= FirstClick.SAFE.room(shape, start) else ""
        raise WrongUse(
            f"{counted(mines, 'mine')} {verb(mines, 'does', 'do')} not fit on {article(shape)}{_SPARED[rule]}.",
            sentence(f"{up_to(most, 'mine')}{other}"),
        )
    assert shape.rows <= MAX_SIDE and shape.cols <= MAX_SIDE
