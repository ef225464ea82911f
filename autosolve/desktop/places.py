"""Owns arithmetic with monitors: which one a rectangle lies on, and the whole points of it that can be grabbed."""

from __future__ import annotations

import math
from collections.abc import Sequence

from autosolve.errors import WrongUse
from autosolve.vision.frame import Box, Monitor


def place(box: Box, monitors: Sequence[Monitor]) -> tuple[Monitor, Box]:
    """The monitor a box (screen points) mostly lies on, and the box grown to whole points and clipped to it.

    Raises WrongUse when it lies on none."""

    def shared(monitor: Monitor) -> float:
        both = box.clipped(monitor.box)
        return both.width * both.height

    home = max(monitors, key=shared, default=None)
    if home is None or shared(home) <= 0:
        raise WrongUse("The region lies outside every monitor.", "Give X,Y,WIDTH,HEIGHT inside a monitor.")
    left, top = math.floor(box.x + 1e-6), math.floor(box.y + 1e-6)
    right, bottom = math.ceil(box.right - 1e-6), math.ceil(box.bottom - 1e-6)
    return home, Box(left, top, right - left, bottom - top).clipped(home.box)
