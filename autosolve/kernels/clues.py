"""Owns taking clues away in bulk: which clues a board with a known solution can do without."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from autosolve.board.shape import Shape
from autosolve.errors import WrongUse
from autosolve.kernels.code import clues_code
from autosolve.kernels.sheet import Bytes, Ints

# of one search; at a quarter of mines the hardest question known to us took some hundred
CONFLICTS = 20_000
# ints for what one search learns
_ROOM = 1 << 19
# cells in which a second solution that is kept may differ
_KEPT = 48

# Whether a clue can be spared (its cell, the clues shown): asked where the search here gave up
Judge = Callable[[int, Bytes], bool]


class Work(NamedTuple):
    """What taking clues away took: searches and their clashes, and questions that a second solution found before
    answered."""

    searches: int
    conflicts: int
    known: int


class ClueRemover:
    """Takes clues away from boards of one shape, where the solution is known; twin of asking ``solver.hybrid.solve``
    about every board with a clue less.

    Holds its buffers, so one object serves one thread. Raises EnvironmentProblem without numba.
    """

    def __init__(self, shape: Shape) -> None:
        code = self._code = clues_code()
        size = shape.size
        self.shape = shape
        self._around, self._wide, self._beyond = _tables(shape)
        self._now = np.zeros(code.NOW, np.int64)
        self._cell = np.zeros((size + 2, max(code.CELL_PARTS, code.RULE_PARTS)), np.int32)
        self._arena = np.zeros(_ROOM, np.int32)
        self._active = np.zeros(size + 2, np.int64)
        self._fallen = np.zeros((5, size + 2), np.int32)
        self._shown = np.zeros(size + 2, np.int8)
        self._nothing = np.zeros((size, 1), np.int32)

    def memory(self) -> Ints:
        """Room for a second solution per clue, see ``thin``; empty."""
        return np.zeros((self.shape.size, _KEPT), np.int32)

    def thin(
        self,
        mines: Bytes,
        shown: Bytes,
        order: Ints,
        *,
        judge: Judge,
        memory: Ints | None = None,
        conflicts: int = CONFLICTS,
    ) -> Work:
        """Takes away each clue that the board's one solution does not need, in that order; afterwards none in
        ``order`` can go without a second solution.

        ``mines``      int8 per cell, 1 for a mine
        ``shown``      int8 per cell, 1 for a clue; a board that has one solution. Changed in place
        ``order``      int32: cells, each at most once; what is no clue is passed over
        ``judge``      decides where a search took more than ``conflicts`` clashes
        ``memory``     per clue a second solution of a board without it: those that still are one answer at once, and
                       those found are put there

        Raises WrongUse for arrays of another size, a clue on a mine, or a mine that no clue touches alone."""
        self._begin(mines, shown)
        counts = np.zeros(3, np.int64)
        change = self._nothing if memory is None else memory
        if memory is None:
            change[:] = 0
        code, now, cell, around, board = self._code, self._now, self._cell, self._around, self._shown
        code.set_up(now, cell, around, board, mines)
        at = 0
        while True:
            at = code.thin(
                order, at, conflicts, now, cell, around, self._wide, board, mines,
                self._arena, self._active, change, counts,
            )  # fmt: skip
            if at == order.size:
                break
            asked = int(order[at])
            if judge(asked, board[: self.shape.size]):
                code.cover(asked, cell, around, board)
            at += 1
        shown[:] = self._shown[: self.shape.size]
        return Work(*counts.tolist())

    def thin_by_rules(self, mines: Bytes, shown: Bytes, order: Ints, *, two: bool) -> bool:
        """The same where ONE, or ONE and TWO, must solve the board: takes away each clue they do not need. False,
        and nothing taken, where they do not solve it to begin with."""
        self._begin(mines, shown)
        done: bool = self._code.thin_by_rules(
            order, two, self.shape.cols, self._now, self._cell,
            self._around, self._wide, self._beyond, self._shown, mines, self._fallen,
        )  # fmt: skip
        shown[:] = self._shown[: self.shape.size]
        return done

    def _begin(self, mines: Bytes, shown: Bytes) -> None:
        size = self.shape.size
        for array in (mines, shown):
            if not (isinstance(array, np.ndarray) and array.dtype == np.int8 and array.shape == (size,)):
                raise WrongUse(f"This is no board of {size} cells.", "Give flat arrays of int8 with one entry a cell.")
        if (mines & shown).any():
            raise WrongUse("A clue stands on a mine.", "Show clues on other cells only.")
        self._shown[:size] = shown


def numbers(shape: Shape, mines: Bytes) -> Bytes:
    """How many mines touch each cell, int8."""
    grid = np.pad(mines.reshape(shape.rows, shape.cols), 1)
    out = -grid[1:-1, 1:-1]
    for r in range(3):
        for c in range(3):
            out = out + grid[r : r + shape.rows, c : c + shape.cols]
    return out.astype(np.int8).ravel()


_made: dict[Shape, tuple[Ints, Ints, NDArray[np.int64]]] = {}


def _tables(shape: Shape) -> tuple[Ints, Ints, NDArray[np.int64]]:
    """Per cell the 9 of its block and the 25 around it, ``size + 1`` for those outside; and for each of the 25 which
    of the 9 bits its block does not share with that of the middle."""
    if shape not in _made:
        size, outside = shape.size, shape.size + 1

        def blocks(reach: int) -> Ints:
            grid = np.full((shape.rows + 2 * reach, shape.cols + 2 * reach), outside, np.int32)
            grid[reach : reach + shape.rows, reach : reach + shape.cols] = np.arange(size).reshape(shape.rows, -1)
            side = range(2 * reach + 1)
            parts = [grid[r : r + shape.rows, c : c + shape.cols].ravel() for r in side for c in side]
            out = np.full((size + 2, len(parts)), outside, np.int32)
            out[:size] = np.stack(parts, axis=1)
            return out

        beyond = [
            sum(1 << 3 * r + c for r in range(3) for c in range(3) if abs(r - 1 - down) > 1 or abs(c - 1 - right) > 1)
            for down in range(-2, 3)
            for right in range(-2, 3)
        ]
        if len(_made) > 16:
            _made.clear()
        _made[shape] = blocks(1), blocks(2), np.array(beyond, np.int64)
    return _made[shape]
