"""Owns the rating of a player: the Rasch model over the depths of boards that were cleared cleanly or not.

The chance that a player of ability ``theta`` clears a board of depth ``b`` cleanly is taken to be
``1 / (1 + exp(-SLOPE (theta - b)))`` (G. Rasch, 1960; the slope is one for all boards). Ability and depth are on one
scale; people see abilities times 100.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, sqrt

from autosolve.errors import WrongUse

SLOPE = 0.3
STEEPEST = 100  # from there on the chance is a step; far beyond it numbers overflow
SCALE, TOP = 100, 4400
SHOWN_FROM, SETTLED_FROM = 20, 60
# mild: before the first attempt a player is thought to be somewhere among the tiers, and ten attempts outweigh it
PRIOR_MEAN, PRIOR_DEVIATION = 10.0, 10.0
_STEPS = 100


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt at a board of some ``depth``, at least 0; ``clean`` as ``audit.Judged`` has it."""

    depth: float
    clean: bool

    def __post_init__(self) -> None:
        if not 0 <= self.depth < 1e6:
            raise WrongUse(f"A depth of {self.depth} is not possible.", "Depths are numbers from 0, below a million.")


@dataclass(frozen=True, slots=True)
class Rating:
    """What attempts say about a player.

    ``ability``    on the scale of depths: the most likely one, the prior counted in
    ``deviation``  its standard error
    """

    ability: float
    deviation: float
    attempts: int
    clean: int

    @property
    def points(self) -> int:
        """The ability times 100, from 0 to 4,400."""
        return min(TOP, max(0, round(SCALE * self.ability)))

    @property
    def interval(self) -> tuple[int, int]:
        """Points between which the ability lies in 95 of 100 cases."""
        low, high = (SCALE * (self.ability + z * self.deviation) for z in (-1.96, 1.96))
        return min(TOP, max(0, round(low))), min(TOP, max(0, round(high)))

    @property
    def shown(self) -> bool:
        """Whether there are attempts enough to show it."""
        return self.attempts >= SHOWN_FROM

    @property
    def settled(self) -> bool:
        """Whether there are attempts enough to rely on it."""
        return self.attempts >= SETTLED_FROM


def chance(ability: float, depth: float, slope: float = SLOPE) -> float:
    """The chance of a clean clear, 0 to 1."""
    x = slope * (ability - depth)
    # of the two equal forms the one that cannot overflow
    return 1 / (1 + exp(-x)) if x >= 0 else exp(x) / (1 + exp(x))


def rate(attempts: Iterable[Attempt], slope: float = SLOPE) -> Rating:
    """The most likely ability, by Newton's method on the logarithm of the posterior.

    That is concave, so its slope changes sign once. A step that would leave the range in which it does, or that is not
    less than half of the one before, gives way to the middle of that range: so the method cannot run in circles."""
    seen: Sequence[Attempt] = list(attempts)
    if not 0 < slope <= STEEPEST:
        raise WrongUse(f"The slope must be above 0, and {STEEPEST} at most.", f"It is {SLOPE} if not given.")

    def gradient(ability: float) -> tuple[float, float]:
        rise = (PRIOR_MEAN - ability) / PRIOR_DEVIATION**2
        bend = 1 / PRIOR_DEVIATION**2
        for a in seen:
            p = chance(ability, a.depth, slope)
            rise += slope * (a.clean - p)
            bend += slope**2 * p * (1 - p)
        return rise, bend

    # beyond this the prior pulls back harder than all attempts together can push
    reach = slope * PRIOR_DEVIATION**2 * len(seen) + 1
    low, high = PRIOR_MEAN - reach, PRIOR_MEAN + reach
    ability, before = PRIOR_MEAN, high - low
    for _ in range(_STEPS):
        rise, bend = gradient(ability)
        if rise == 0:
            break
        low, high = (ability, high) if rise > 0 else (low, ability)
        step = rise / bend
        if not low < ability + step < high or 2 * abs(step) > before:
            step = (low + high) / 2 - ability
        ability, before = ability + step, abs(step)
        if before < 1e-12:
            break
    return Rating(ability, 1 / sqrt(gradient(ability)[1]), len(seen), sum(a.clean for a in seen))
