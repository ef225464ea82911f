"""Owns rates out of counts, and how far they can be trusted."""

from __future__ import annotations

from math import sqrt

Z95 = 1.959963984540054


def wilson(successes: int, trials: int, z: float = Z95) -> tuple[float, float]:
    """The Wilson interval of a share: good also where there were few successes, or none. (0, 1) without trials.

    Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference (1927)."""
    if not trials:
        return 0.0, 1.0
    share = successes / trials
    centre = share + z * z / (2 * trials)
    half = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    whole = 1 + z * z / trials
    low = 0.0 if successes == 0 else max(0.0, (centre - half) / whole)
    high = 1.0 if successes == trials else min(1.0, (centre + half) / whole)
    return low, high


def mean_interval(total: int, squares: int, count: int, z: float = Z95) -> tuple[float, float]:
    """The mean of whole numbers and half the width of its 95 % interval, from their sum and the sum of squares."""
    if not count:
        return 0.0, 0.0
    mean = total / count
    variance = max(0.0, squares / count - mean * mean) * count / max(1, count - 1)
    return mean, z * sqrt(variance / count)


def paired_gap(both: int, first: int, second: int, trials: int, z: float = Z95) -> tuple[float, float]:
    """How much more often the second succeeds than the first on the same trials, and half the width of the 95 %
    interval: only trials on which they differ widen it. Half a trial is added to each kind of outcome, so that it is
    not 0 where they never differed.

    Source: A. Agresti, Y. Min, Simple improved confidence intervals for comparing matched proportions (2005)."""
    if not trials:
        return 0.0, 0.0
    only_first, only_second = first - both + 0.5, second - both + 0.5
    n = trials + 2
    gap = (only_second - only_first) / n
    return (second - first) / trials, z * sqrt(((only_first + only_second) / n - gap * gap) / n)
