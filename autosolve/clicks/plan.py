"""Owns what the hand does next: only the marks and openings still missing, in a short path over the board.

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

from autosolve.board.shape import Cell, CellSet, Shape, cell_set, cells_in
from autosolve.errors import ClicksFailed
from autosolve.vision.frame import Point
from autosolve.vision.grid import Grid
from autosolve.vision.profile import FLAGS, Symbol
from autosolve.vision.read import Reading

Attempts = Mapping[tuple[Cell, Symbol], int]
NO_ATTEMPTS: Attempts = MappingProxyType({})


class Purpose(Enum):
    """Why a cell is clicked."""

    FLAG = "flag"
    UNDO = "undo"
    OPEN = "open"
    CHORD = "chord"


class Style(Enum):
    """How a game is clicked where a click opens a cell.

    ``FLAG``    every proven mine gets its flag; a chord wherever it opens two cells or more
    ``NOFLAG``  cells are only opened
    ``FEWEST``  flags are set only where the chords they allow save more clicks than the flags cost
    """

    FLAG = "flag"
    NOFLAG = "noflag"
    FEWEST = "fewest"


@dataclass(frozen=True, slots=True)
class Click:
    """One press of ``button`` ("left", "right", "middle", or "both" at once) at a screen point inside the board."""

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


class Keyboard(Protocol):
    """A device that presses keys."""

    def press(self, keys: str) -> None:
        """Presses keys together and lets go of them: ``F2``, ``ctrl+n``."""
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
        (mines & ~reading.where(*FLAGS, Symbol.MINE, Symbol.EXPLODED), Symbol.FLAG, Purpose.FLAG),
        (safe & reading.where(*FLAGS), Symbol.COVERED, Purpose.UNDO),
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


def advance(
    reading: Reading,
    mines: CellSet,
    safe: CellSet,
    *,
    style: Style = Style.NOFLAG,
    chords: bool = True,
    attempts: Attempts = NO_ATTEMPTS,
    start: Point | None = None,
) -> ClickPlan:
    """The clicks that open what is safe, on a site where a click opens a cell: flags first, then openings and chords.

    ``mines``, ``safe``  cells proven to be so; no other is clicked
    ``chords``           whether the site's chord may be used, where it has one

    A chord is planned only on a number around which every cell is proven and no flag is wrong: whichever of the flags
    are not set in the end, it opens no mine. A flag on a safe cell is taken away; the next look's plan opens the cell.
    """
    profile, shape, grid = reading.profile, reading.grid.shape, reading.grid
    chord = profile.play.chord if chords and style is not Style.NOFLAG else None
    flags, safe = reading.where(Symbol.FLAG), safe & ~reading.doubtful
    shut = reading.where(Symbol.COVERED, Symbol.QUESTION, Symbol.SAFE, Symbol.FLAG)
    known = {Cell(c): n for c, s in enumerate(reading.symbols) if (n := s.number) and not reading.doubtful >> c & 1}
    opening, chording, flagging = chosen(
        shape, known, shut | reading.doubtful, flags, mines, safe, style, chord is not None
    )
    marks = make(reading, flagging | flags & mines, safe & flags, attempts=attempts, start=start)
    # first what may be a 0: what its opening opens needs no click
    opening &= shut & ~flags
    early = opening & maybe_zero(shape, mines, opening)
    tour: list[Cell] = []
    for cells in (early, opening & ~early | chording):
        begin = grid.centre(tour[-1]) if tour else marks.clicks[-1].at if marks else start
        tour += short_path(grid, [*cells_in(cells)], begin)
    clicks = [
        Click(c, Purpose.CHORD, chord, grid.centre(c))
        if chord is not None and chording >> c & 1
        else Click(c, Purpose.OPEN, profile.play.open, grid.centre(c))
        for c in tour
    ]
    return ClickPlan((*marks.clicks, *clicks))


def maybe_zero(shape: Shape, mines: CellSet, cells: CellSet) -> CellSet:
    """Those of some safe cells that touch no mine known of."""
    return cell_set(c for c in cells_in(cells) if not shape.neighbours(c) & mines)


def chosen(
    shape: Shape,
    clues: Mapping[Cell, int],
    shut: CellSet,
    flags: CellSet,
    mines: CellSet,
    safe: CellSet,
    style: Style,
    chords: bool,
) -> tuple[CellSet, CellSet, CellSet]:
    """Which safe cells are opened one by one, which numbers are chorded, and which mines are flagged, by style.

    ``clues``  the numbers that show, 0 left out or not      ``shut``   cells that do not show a number, flagged or not
    ``flags``  cells with a flag                              ``chords`` whether there are chords at all

    The chord that saves most is taken first, and again, as long as one saves a click."""
    opening, chording = safe & ~flags, 0
    flagging = mines & ~flags if style is Style.FLAG else 0
    if not chords or style is Style.NOFLAG:
        return opening, 0, flagging
    wrong = flags & ~mines
    offers: list[tuple[Cell, CellSet, CellSet]] = []
    for cell, number in clues.items():
        around = shape.neighbours(cell) & shut
        here = around & mines
        if number and here.bit_count() == number and around & opening and not around & (wrong | ~(mines | safe)):
            offers.append((cell, around & opening, here))
    while offers:
        worth = []
        for cell, gain, needs in offers:
            if gain := gain & opening:
                cost = 1 + (needs & ~(flags | flagging)).bit_count()
                worth.append((gain.bit_count() - cost, -cell, gain, needs))
        offers = [(Cell(-cell), gain, needs) for _, cell, gain, needs in worth]
        saved, cell_, gain, needs = max(worth, default=(0, 0, 0, 0))
        if saved <= 0:
            break
        opening &= ~gain
        chording |= 1 << -cell_
        flagging |= needs & ~flags
    return opening, chording, flagging


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
