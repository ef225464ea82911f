"""Owns how hard a puzzle is: the layers it needs, how often, how deep that goes, and what weights suit a collection."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf, sqrt
from statistics import fmean, median
from types import MappingProxyType

from autosolve.board.puzzle import Puzzle
from autosolve.errors import WrongUse
from autosolve.solver.deduction import Budget, Technique
from autosolve.solver.hybrid import FULL, solve

GRID = (2, 3, 4, 6, 8)


@dataclass(frozen=True, slots=True)
class Weights:
    """What a pass counts in the depth, one of ONE counting 1.

    ``pair``           of TWO
    ``contradiction``  of CONTRADICTION, and of every other layer beyond TWO
    """

    pair: float = 2
    contradiction: float = 2

    def __post_init__(self) -> None:
        if not all(0 <= weight < inf for weight in (self.pair, self.contradiction)):
            raise WrongUse("A weight is a number from 0.", "Write two of them, as in 2,3.")

    def of(self, technique: Technique) -> float:
        """What a pass of a technique counts."""
        if technique is Technique.ONE:
            return 1
        return self.pair if technique is Technique.TWO else self.contradiction


PLAIN = Weights()


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
        return int(self.depth_by(PLAIN))

    def depth_by(self, weights: Weights) -> float:
        """Passes, each counted as the weights say."""
        return sum(number * weights.of(technique) for technique, number in self.waves.items())


def grade(puzzle: Puzzle, *, layers: Collection[Technique] = FULL, budget: Budget | None = None) -> Grade:
    """How hard a puzzle is by the layers allowed. Raises Clash when it has no solution."""
    solution = solve(puzzle, layers=layers, budget=budget or Budget())
    return Grade(
        solution.hardest, MappingProxyType(dict(solution.waves)), unique=solution.unique, complete=solution.complete
    )


# ---------------------------------------------------------------- what weights suit a collection


@dataclass(frozen=True, slots=True)
class Fit:
    """A pair of weights tried on a collection.

    ``medians``     of the depth, per tier
    ``unevenness``  the standard deviation of the steps between them over their mean, 0 for a straight staircase;
                    infinite where a step leads down, or none leads up
    """

    weights: Weights
    medians: tuple[float, ...]
    unevenness: float

    @property
    def monotone(self) -> bool:
        """Whether no step leads down."""
        return self.unevenness < inf


def fit_weights(tiers: Sequence[Iterable[Grade]], grid: Sequence[float] = GRID) -> list[Fit]:
    """Every pair of weights of a grid, the best first: those with the most even steps between the tiers' medians, which
    must not fall; of equal ones the smaller weights.

    ``tiers``  the grades of each tier, the easiest first; at least two, none empty. Raises WrongUse for anything else.
    """
    grades = [list(tier) for tier in tiers]
    if len(grades) < 2 or not all(grades):
        raise WrongUse(
            "Weights are fitted to tiers, and there are not two of them.", "Give a collection whose boards name tiers."
        )
    fits = []
    for pair in grid:
        for contradiction in grid:
            weights = Weights(pair, contradiction)
            medians = tuple(median(g.depth_by(weights) for g in tier) for tier in grades)
            steps = [b - a for a, b in pairwise(medians)]
            mean = fmean(steps)
            uneven = inf
            if min(steps) >= 0 and mean > 0:
                uneven = sqrt(fmean((step - mean) ** 2 for step in steps)) / mean
            fits.append(Fit(weights, medians, uneven))
    return sorted(fits, key=lambda f: (f.unevenness, f.weights.pair + f.weights.contradiction, f.weights.pair))
