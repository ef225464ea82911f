"""Owns the names of shapes that players know: 1-1 at a wall, 1-2, 1-2-1 and 1-2-2-1, in every rotation and
reflection, and in the forms that are left once flags are taken off the numbers.

All of them are TWO, seen at a glance. Legend: clues stand side by side in a straight line; the covered cells
they still speak of lie in the straight line beside them; numbers are those of the mines still missing::

    1-1 at a wall    the first clue has two cells, both seen by the second, whose third cell is safe
    1-2              the cell that only the 2 sees is a mine, a cell that only the 1 sees is safe
    1-2-1            a 1-2 from both ends        1-2-2-1   the same, one clue longer
"""

from __future__ import annotations

from collections.abc import Mapping

from autosolve.board.puzzle import Kind
from autosolve.board.shape import Shape
from autosolve.solver.state import State


def name(state: State, first: int, second: int, clue_at: Mapping[int, int]) -> str:
    """What the shape of two sentences, between which TWO finds something, is called; "" if it has no name.

    ``clue_at``  from the cell of a clue to its sentence"""
    for a, b in ((first, second), (second, first)):
        for view in _views(state, a, b):
            if found := _name(state, view, clue_at):
                return found
    return ""


class _View:
    """Two clues side by side, seen with the covered line above them and the second clue to the right."""

    __slots__ = ("at", "shape", "side", "step")

    def __init__(self, shape: Shape, at: tuple[int, int], step: tuple[int, int], side: tuple[int, int]) -> None:
        self.shape, self.at, self.step, self.side = shape, at, step, side

    def clue(self, k: int) -> int:
        """The cell k steps to the right of the first clue, -1 outside the board."""
        return self._cell(k, 0)

    def cell(self, k: int) -> int:
        """The cell above it, -1 outside the board."""
        return self._cell(k, 1)

    def _cell(self, k: int, up: int) -> int:
        row = self.at[0] + k * self.step[0] + up * self.side[0]
        col = self.at[1] + k * self.step[1] + up * self.side[1]
        inside = 0 <= row < self.shape.rows and 0 <= col < self.shape.cols
        return row * self.shape.cols + col if inside else -1


def _views(state: State, a: int, b: int) -> list[_View]:
    """The two clues seen from either side, where they are clues and stand side by side."""
    one, two = state.sources[a], state.sources[b]
    if one.kind is not Kind.CLUE or two.kind is not Kind.CLUE:
        return []
    at, to = state.shape.at(one.at), state.shape.at(two.at)
    step = to[0] - at[0], to[1] - at[1]
    if abs(step[0]) + abs(step[1]) != 1:
        return []
    return [_View(state.shape, at, step, (step[1] * s, step[0] * s)) for s in (1, -1)]


def _beside(state: State, view: _View, k: int, needs: int, clue_at: Mapping[int, int]) -> set[int] | None:
    """The steps at which the clue k steps on still has cells, if all of them lie in the line and it needs so
    many mines; else None."""
    i = clue_at.get(view.clue(k), -1)
    if i < 0 or state.need[i] != needs or not state.size[i]:
        return None
    line = {view.cell(k + d): k + d for d in (-1, 0, 1)}
    cells = state.open_cells(i)
    return {line[c] for c in cells} if all(c in line for c in cells) else None


def _name(state: State, view: _View, clue_at: Mapping[int, int]) -> str:
    first = _beside(state, view, 0, 1, clue_at)
    if first is None:
        return ""
    if first == {0, 1} and _beside(state, view, 1, 1, clue_at) == {0, 1, 2}:
        return "1-1 at a wall"
    if not (first >= {0, 1} and _beside(state, view, 1, 2, clue_at) == {0, 1, 2}):
        return ""
    third = _beside(state, view, 2, 1, clue_at)
    if third is not None and third >= {1, 2}:
        return "1-2-1"
    fourth = _beside(state, view, 3, 1, clue_at)
    if _beside(state, view, 2, 2, clue_at) == {1, 2, 3} and fourth is not None and fourth >= {2, 3}:
        return "1-2-2-1"
    return "1-2"
