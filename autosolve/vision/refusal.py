"""Owns the judgement of a reading: how good it is beside others, and how a board that cannot be read whole is
refused: which cells, which side, and at which zoom it would fit."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from autosolve.board.shape import Cell, CellSet, Shape, cell_set, cells_in
from autosolve.errors import Unreadable
from autosolve.vision.grid import Grid
from autosolve.vision.profile import Profile
from autosolve.vision.read import Reading

# The zoom steps of Chromium, in percent; Firefox has most of them.
ZOOM_STEPS = (25, 33, 50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200, 250, 300)
# The line around a board and a little air, in cells.
_AROUND = 0.5
_SIDES = ("top", "bottom", "left", "right")
# Reasons of doubt that are named one by one; where there are more, the others are one.
_REASONS = 5
_OTHER = "other reasons"
# Reasons that speak of a sign nobody has shown to autosolve; the others of what hides it or makes it too small.
_STRANGE = re.compile(
    r"unknown|looks? like it|may be|unsure|another (symbol|drawing)|the same drawing|other flags|not th(is|e) program's"
)
_UNCOVER = "Uncover the board (close bars, popups and windows over it) or zoom in."
_TEACH = (
    "Zoom in, or teach it these signs: --save-doubtful DIR saves them, and 'autosolve sites label DIR --name NAME' adds"
    " them to a site of yours, which 'autosolve sites learn' makes."
)


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
    """Why a reading cannot be acted on; None when every cell of a whole board is read. Where there are several reasons
    of doubt, the cells of each are noted with the error.

    ``size``  the rows and columns the board is known to have; without it a cut board is taken for a square"""
    shape, grid = reading.grid.shape, reading.grid
    messages, remedies = [], []
    reasons = _in_short(_by_reason(reading.doubts))
    if count := len(reading.doubts):
        messages.append(f"{count} cell{'s' * (count > 1)} of the {shape} board cannot be read{_why(shape, reasons)}.")
        strange = sum(bool(_STRANGE.search(why)) for why in reading.doubts.values())
        remedies.append(_TEACH if 2 * strange >= count else _UNCOVER)
    if grid.cut:
        message, remedy = _cut(grid, reading.profile, size)
        messages.append(message)
        remedies.append(remedy)
    if reading.unread:
        messages.append(f"Around the board {and_more(reading.unread)}.")
        remedies.append("Zoom in, or give the totals by hand in a board file.")
    if not messages:
        return None
    problem = Unreadable(" ".join(messages), " ".join(remedies), cells=shape.pairs(reading.doubtful))
    for reason, cells in reasons.items() if len(reasons) > 1 else ():
        problem.add_note(f"{name_cells(shape, cells)}: {reason.rstrip('.')}.")
    return problem


def _by_reason(doubts: Mapping[Cell, str]) -> dict[str, CellSet]:
    """The doubtful cells of each reason, the commonest first, of as common ones that of the first cell."""
    out: dict[str, CellSet] = {}
    for cell in sorted(doubts):
        out[doubts[cell]] = out.get(doubts[cell], 0) | 1 << cell
    return dict(sorted(out.items(), key=lambda item: -item[1].bit_count()))


def _in_short(reasons: Mapping[str, CellSet]) -> dict[str, CellSet]:
    """The commonest reasons, and the others as one."""
    named = dict(reasons)
    if len(named) > _REASONS:
        parts = list(named.items())
        rest = parts[_REASONS - 1 :]
        named = dict(parts[: _REASONS - 1]) | {_OTHER: cell_set(c for _, cells in rest for c in cells_in(cells))}
    return named


def _why(shape: Shape, reasons: Mapping[str, CellSet]) -> str:
    """``: r2c3 r2c4, because it is hidden``, or for several reasons the commonest and how many cells have it."""
    reason, cells = next(iter(reasons.items()))
    if len(reasons) == 1:
        return f": {name_cells(shape, cells)}, because {reason.rstrip('.')}"
    return f", {cells.bit_count()} because {reason.partition('. ')[0].rstrip('.')}, the rest for other reasons"


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
