"""Owns what the hand does next: only the marks still missing, in a short path over the board.

Legend: *seen* is the symbol a cell shows now, *wanted* the one it should show. An *attempt* is a press that was
made on a cell while it showed a certain symbol; it failed if the next look shows that symbol again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Protocol

import numpy as np

from autosolve.board.shape import Cell, CellSet, cells_in
from autosolve.errors import ClicksFailed
from autosolve.vision.frame import Point
from autosolve.vision.grid import Grid
from autosolve.vision.profile import Symbol
from autosolve.vision.read import Reading

Attempts = Mapping[tuple[Cell, Symbol], int]
NO_ATTEMPTS: Attempts = MappingProxyType({})


class Purpose(Enum):
    """Why a cell is clicked."""

    FLAG = "flag"
    UNDO = "undo"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Click:
    """One press of ``button`` ("left", "right", "middle") at a screen point inside the board."""

    cell: Cell
    purpose: Purpose
    button: str
    at: Point


@dataclass(frozen=True, slots=True)
class ClickPlan:
    """Clicks in the order they are made; empty means nothing is left to do. ValueError when a cell stands in it
    twice: no cell is clicked again without a fresh look."""

    clicks: tuple[Click, ...] = ()

    def __post_init__(self) -> None:
        if len({click.cell for click in self.clicks}) != len(self.clicks):
            raise ValueError("a plan clicks a cell twice")

    def __bool__(self) -> bool:
        return bool(self.clicks)

    def __len__(self) -> int:
        return len(self.clicks)

    def where(self, purpose: Purpose) -> CellSet:
        """The cells clicked for one purpose."""
        mask = 0
        for click in self.clicks:
            if click.purpose is purpose:
                mask |= 1 << click.cell
        return mask


class Mouse(Protocol):
    """A device that moves and presses."""

    def position(self) -> Point:
        """Where the pointer is now."""
        ...

    def move(self, to: Point) -> None:
        """Puts the pointer there without pressing; raises Stopped when a person interferes."""
        ...

    def click(self, click: Click) -> None:
        """Makes one click, held for the site's time; raises Stopped when a person interferes."""
        ...


def make(
    reading: Reading,
    mines: CellSet,
    safe: CellSet,
    *,
    attempts: Attempts = NO_ATTEMPTS,
    start: Point | None = None,
) -> ClickPlan:
    """The clicks that bring the board seen closer to the board wanted, one press a cell.

    ``mines``     cells proven to be mines: each gets a flag unless it shows one, or shows the mine itself
    ``safe``      cells proven to be safe: a flag on one is taken away; other marks there are left alone
    ``attempts``  presses made so far per (cell, symbol seen); after a failed one the next route is taken
    ``start``     screen point from where the path begins

    A cell in neither set, and a doubtful one, is not touched. Where a route takes two presses only the first is
    made: the next look decides on the second. Raises ClicksFailed when no button leads to the symbol wanted.
    """
    profile, shape = reading.profile, reading.grid.shape
    wishes: list[tuple[CellSet, Symbol, Purpose]] = [
        (mines & ~reading.where(Symbol.FLAG, Symbol.MINE, Symbol.EXPLODED), Symbol.FLAG, Purpose.FLAG),
        (safe & reading.where(Symbol.FLAG), Symbol.COVERED, Purpose.UNDO),
    ]
    routes: dict[tuple[Symbol, Symbol], tuple[tuple[str, ...], ...]] = {}
    buttons: dict[Cell, tuple[Purpose, str]] = {}
    for cells, wanted, purpose in wishes:
        for cell in cells_in(cells & ~reading.doubtful):
            seen = reading.symbols[cell]
            if (seen, wanted) not in routes:
                routes[seen, wanted] = profile.routes(seen, wanted)
            ways = routes[seen, wanted]
            if not ways:
                raise ClicksFailed(
                    f"No button of {profile.title} turns {seen.file_name!r} into {wanted.file_name!r},"
                    f" which {shape.name(cell)} needs.",
                    "Clear the mark by hand, or add the step to the site's site.toml.",
                )
            buttons[cell] = (purpose, ways[attempts.get((cell, seen), 0) % len(ways)][0])
    grid = reading.grid
    return ClickPlan(
        tuple(Click(cell, *buttons[cell], grid.centre(cell)) for cell in short_path(grid, list(buttons), start))
    )


# Strips higher than this never won on boards with a mine in fifty cells or more.
_HIGHEST_STRIP = 6


def short_path(grid: Grid, cells: Sequence[Cell], start: Point | None = None) -> list[Cell]:
    """The cells in an order whose path from ``start`` over their centres is short.

    Runs to and fro over strips of 1 to 6 rows, and of as many columns, and takes the shortest by measure: at 27 %
    mines a bit more than half as long as row by row, for a hundredth of the time of a real tour search.
    """
    if len(cells) < 2:
        return list(cells)
    numbers = np.asarray(cells, dtype=np.int64)
    rows, cols = np.divmod(numbers, grid.shape.cols)
    places = np.stack([(cols + 0.5) * grid.pitch_x + grid.left, (rows + 0.5) * grid.pitch_y + grid.top], axis=1)
    best, best_length = np.arange(len(numbers)), float("inf")
    for across, along in ((rows, cols), (cols, rows)):
        for height in range(1, _HIGHEST_STRIP + 1):
            strip = across // height
            there = np.lexsort((across, np.where(strip % 2 == 0, along, -along), strip))
            for order in (there, there[::-1]):
                path = places[order]
                length = float(np.hypot(*np.diff(path, axis=0).T).sum())
                if start is not None:
                    length += float(np.hypot(*(path[0] - start)))
                if length < best_length:
                    best, best_length = order, length
    return [cells[i] for i in best.tolist()]
