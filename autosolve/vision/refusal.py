"""Owns the judgement of a reading: how good it is beside others, and how a board that cannot be read whole is
refused: which cells, which side, and at which zoom it would fit."""

from __future__ import annotations

import math
from collections import Counter

from autosolve.board.shape import CellSet, Shape
from autosolve.errors import Unreadable
from autosolve.vision.grid import Grid
from autosolve.vision.profile import Profile
from autosolve.vision.read import Reading

# The zoom steps of Chromium, in percent; Firefox has most of them.
ZOOM_STEPS = (25, 33, 50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200, 250, 300)
# The line around a board and a little air, in cells.
_AROUND = 0.5
_SIDES = ("top", "bottom", "left", "right")


def name_cells(shape: Shape, cells: CellSet, most: int = 12) -> str:
    """A set of cells for people: whole rows and columns as such, then single cells, at most ``most`` of them.

    ``row 10 (all 10 cells), r2c3 r2c4 and 5 more``; "no cell" for the empty set."""
    if cells == shape.all and shape.size > 1:
        return f"all {shape.size} cells"
    parts, left = [], cells
    for kind, count, other, line in (
        ("row", shape.rows, shape.cols, shape.row),
        ("column", shape.cols, shape.rows, shape.column),
    ):
        full = [i for i in range(count) if other > 1 and cells & line(i) == line(i)]
        for i in full:
            left &= ~line(i)
        for first, last in _runs(full):
            each = f"all {other} cells"
            parts.append(
                f"{kind} {first + 1} ({each})" if first == last else f"{kind}s {first + 1} to {last + 1} ({each} each)"
            )
    if left:
        names = shape.names(left).split()
        more = f" and {len(names) - most} more" if len(names) > most else ""
        parts.append(" ".join(names[:most]) + more)
    return ", ".join(parts) or "no cell"


def _runs(numbers: list[int]) -> list[tuple[int, int]]:
    """Rising numbers as (first, last) of each stretch without a gap."""
    out: list[tuple[int, int]] = []
    for number in numbers:
        if out and out[-1][1] == number - 1:
            out[-1] = (out[-1][0], number)
        else:
            out.append((number, number))
    return out


def and_more(words: tuple[str, ...], most: int = 3) -> str:
    """``a; b; c and 2 more``."""
    more = f" and {len(words) - most} more" if len(words) > most else ""
    return "; ".join(words[:most]) + more


def refusal(reading: Reading, size: Shape | None = None) -> Unreadable | None:
    """Why a reading cannot be acted on; None when every cell of a whole board is read.

    ``size``  the rows and columns the board is known to have; without it a cut board is taken for a square"""
    shape, grid = reading.grid.shape, reading.grid
    messages, remedies = [], []
    if count := len(reading.doubts):
        reason, _ = Counter(reading.doubts.values()).most_common(1)[0]
        messages.append(
            f"{count} cell{'s' * (count > 1)} of the {shape} board cannot be read:"
            f" {name_cells(shape, reading.doubtful)}, because {reason.rstrip('.')}."
        )
        remedies.append("Uncover the board (close bars, popups and windows over it) or zoom in.")
    if grid.cut:
        message, remedy = _cut(grid, reading.profile, size)
        messages.append(message)
        remedies.append(remedy)
    if reading.unread:
        messages.append(f"Around the board {and_more(reading.unread)}.")
        remedies.append("Zoom in, or give the totals by hand in a board file.")
    if not messages:
        return None
    return Unreadable(" ".join(messages), " ".join(remedies), cells=shape.pairs(reading.doubtful))


def _cut(grid: Grid, profile: Profile, size: Shape | None) -> tuple[str, str]:
    shape = grid.shape
    sides = " and ".join(f"at the {side}" for side in _SIDES if side in grid.cut)
    message = f"The board is cut {sides}: {shape.rows} rows and {shape.cols} columns of it are to be seen"
    upright, level = bool(grid.cut & {"top", "bottom"}), bool(grid.cut & {"left", "right"})
    whole = size  # puzzles are square more often than not, games are not
    if (
        whole is None
        and profile.kind == "clues"
        and upright != level
        and (shape.rows < shape.cols if upright else shape.cols < shape.rows)
    ):
        whole = Shape(max(shape.rows, shape.cols), max(shape.rows, shape.cols))
    if whole is None or (whole.rows < shape.rows or whole.cols < shape.cols):
        return f"{message}.", "Zoom out or enlarge the window until the whole board shows."
    share = 1.0
    for cut, seen, needed in ((upright, shape.rows, whole.rows), (level, shape.cols, whole.cols)):
        if cut:
            share = min(share, seen / (needed + _AROUND))
    percent = math.floor(100 * share)
    browser = ""
    if profile.zoom_pitch:
        present = 100 * grid.pitch_y / profile.zoom_pitch
        steps = [step for step in ZOOM_STEPS if step <= present * share * 1.005]
        if steps:
            browser = f"; for a browser on an unscaled display that is the zoom step {steps[-1]} %"
    return (
        f"{message}; a {whole} board would fit at {percent} % of the present zoom.",
        f"Zoom out to {percent} % of the present zoom or less{browser}, or enlarge the window.",
    )
