"""Owns how hard a puzzle is: the layers it needs, how often, and how deep that goes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from autosolve.board.puzzle import Puzzle
from autosolve.solver.deduction import Budget, Technique
from autosolve.solver.hybrid import FULL, solve


@dataclass(frozen=True, slots=True)
class Grade:
    """The difficulty of a puzzle.

    ``hardest``  the hardest technique needed, None where nothing was to be decided
    ``waves``    passes by technique, each pass making every move of the lowest layer that has one
    ``unique``   whether it was solved to the end, and so has one solution
    ``complete`` False where the budget of work ran out
    """

    hardest: Technique | None
    waves: Mapping[Technique, int]
    unique: bool
    complete: bool = True

    @property
    def layer(self) -> int:
        """1 where ONE suffices, 2 for TWO, and on along the table of layers; 0 where nothing was needed."""
        return int(self.hardest or 0)

    @property
    def depth(self) -> int:
        """Passes, those of ONE counted once and all others twice."""
        return sum(number * (1 if technique is Technique.ONE else 2) for technique, number in self.waves.items())


def grade(puzzle: Puzzle, *, layers: Collection[Technique] = FULL, budget: Budget | None = None) -> Grade:
    """How hard a puzzle is by the layers allowed. Raises Clash when it has no solution."""
    solution = solve(puzzle, layers=layers, budget=budget or Budget())
    return Grade(
        solution.hardest, MappingProxyType(dict(solution.waves)), unique=solution.unique, complete=solution.complete
    )
