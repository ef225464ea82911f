"""Owns what the board shows: every cell with its certainty, and the refusal of what cannot be told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from autosolve.board.puzzle import Marks, Puzzle, Totals
from autosolve.board.shape import Cell, CellSet, Shape, cell_set
from autosolve.errors import BoardNotFound
from autosolve.vision.cells import T, normalise
from autosolve.vision.frame import Box, Frame, Point
from autosolve.vision.grid import EDGES, Grid, lattices
from autosolve.vision.match import match
from autosolve.vision.profile import Profile, Symbol

Scores = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A board as it was seen.

    ``symbols``  per cell, row-major, the best symbol; for a doubtful cell it is a mere suspicion
    ``scores``   float32 (rows, cols), 0..1: how well the best symbol fits
    ``margins``  float32 (rows, cols), 0..1: how far the next best is behind
    ``doubts``   doubtful cell to the reason, in words that go after "because"
    ``totals``   totals read around the board
    """

    frame: Frame
    grid: Grid
    profile: Profile
    symbols: tuple[Symbol, ...]
    scores: Scores
    margins: Scores
    doubts: Mapping[Cell, str] = field(default_factory=dict)
    totals: Totals = field(default_factory=Totals)

    @property
    def doubtful(self) -> CellSet:
        """The cells that cannot be told."""
        return cell_set(self.doubts)

    @property
    def certainty(self) -> float:
        """0..1: the certainty of the least certain cell; 0 when a cell is doubtful."""
        return 0.0 if self.doubts else float(self.scores.min())

    def where(self, *symbols: Symbol) -> CellSet:
        """The undoubted cells that show one of ``symbols``."""
        doubts = self.doubts
        return cell_set(c for c, s in enumerate(self.symbols) if s in symbols and c not in doubts)

    @property
    def text(self) -> list[str]:
        """The board in board text, one string a row; a doubtful cell is ``.``"""
        cols = self.grid.shape.cols
        chars = [Symbol.COVERED.value if c in self.doubts else s.value for c, s in enumerate(self.symbols)]
        return ["".join(chars[i : i + cols]) for i in range(0, len(chars), cols)]

    @property
    def puzzle(self) -> Puzzle:
        """The facts only. A doubtful cell counts as covered: it may hold a mine or not, so every sentence
        stays true. On a side where the board is cut, no clue of the last line is used."""
        shape = self.grid.shape
        shown = self.where(Symbol.MINE, Symbol.EXPLODED)
        clues: dict[Cell, int] = {}
        for c, symbol in enumerate(self.symbols):
            if symbol.number is not None and c not in self.doubts:
                clues[Cell(c)] = symbol.number
        covered = shape.all & ~cell_set(clues) & ~shown
        edge = 0
        for side in self.grid.cut:
            edge |= {
                "top": shape.row(0),
                "bottom": shape.row(shape.rows - 1),
                "left": shape.column(0),
                "right": shape.column(shape.cols - 1),
            }[side]
        return Puzzle(
            shape,
            {c: n for c, n in clues.items() if not edge >> c & 1},
            covered,
            self.totals,
            shown,
        )

    @property
    def marks(self) -> Marks:
        """What a hand has drawn."""
        return Marks(self.where(Symbol.FLAG), self.where(Symbol.SAFE), self.where(Symbol.QUESTION))


# ---------------------------------------------------------------- reading

MIN_TOLD = 0.4  # share of the cells that must be told, or the lattice is no board of this site


def read(
    frame: Frame, profile: Profile, *, grid: Grid | None = None, region: Box | None = None, size: Shape | None = None
) -> Reading:
    """Reads the board of a site in a picture.

    ``grid``    where the cells are, when that is known; otherwise the board is searched for
    ``region``  screen points: search only there
    ``size``    the board's size, as an assertion: lattices of another size are no board

    Raises BoardNotFound, naming the nearest miss. Doubt raises nothing: it is in ``Reading.doubts``."""
    if grid is not None:
        return _read_at(frame, profile, grid)[0]
    misses: list[str] = []
    best: Reading | None = None
    best_told = 0
    for steps in range(1, len(EDGES) + 1):  # faint lines cost a second look, so only where the first falls short
        for found in lattices(frame, region=region, edges=EDGES[:steps]):
            reading, told = _read_at(frame, profile, found)
            where = f"{found.shape} squares of {found.pitch_x * frame.scale:.0f} pixels at {_place(frame, found)}"
            if told < MIN_TOLD * found.shape.size:
                misses.append(f"{where}, of which {told} look like cells of {profile.name}")
            elif profile.frame and len(reading.grid.cut) == 4:
                misses.append(f"{where}, which no frame surrounds")
            elif size is not None and found.shape != size:
                misses.append(f"a board of {where}, not {size}")
            elif told > best_told:
                best, best_told = reading, told
        if best is not None and not best.grid.cut and not best.doubts:
            break
    if best is not None:
        return best
    looked = f"a lattice of at least 3x3 cells that look like {profile.title}"
    nearest = f"The best near miss: {misses[0]}." if misses else "Nothing in the picture is laid out in equal squares."
    raise BoardNotFound(
        f"There is no board here; looked for {looked}.",
        f"{nearest} Make the whole board visible, or choose another --site.",
    )


def _place(frame: Frame, grid: Grid) -> str:
    x, y = frame.to_pixel(Point(grid.left, grid.top))
    return f"x={x:.0f}, y={y:.0f}"


def _read_at(frame: Frame, profile: Profile, grid: Grid) -> tuple[Reading, int]:
    """The reading at a known place, and how many cells look like cells of the site."""
    shape, scale = grid.shape, frame.scale
    left, top = frame.to_pixel(Point(grid.left, grid.top))
    pitch_x, pitch_y = grid.pitch_x * scale, grid.pitch_y * scale
    # one ring of cells more: what lies around the board tells whether it is whole
    wide = normalise(
        frame.pixels, left - pitch_x, top - pitch_y, pitch_x, pitch_y, shape.rows + 2, shape.cols + 2
    ).reshape(shape.rows + 2, shape.cols + 2, T, T, 3)
    stack = np.ascontiguousarray(wide[1:-1, 1:-1]).reshape(shape.size, T, T, 3)
    told = match(stack, shape.rows, shape.cols, profile, (pitch_x + pitch_y) / 2)
    doubts = {Cell(i): reason for i, reason in enumerate(told.doubts) if reason}
    cut = _open_sides(wide) if profile.frame else _unfinished_sides(wide)
    grid = replace(grid, cut=frozenset(cut))
    size = (shape.rows, shape.cols)
    reading = Reading(
        frame, grid, profile, tuple(told.symbols), told.scores.reshape(size), told.margins.reshape(size), doubts
    )
    return reading, shape.size if told.dimmed else shape.size - len(doubts)


def _open_sides(wide: npt.NDArray[np.uint8]) -> list[str]:
    """The sides of the board along which no closed frame runs: there the board goes on, or something hides it.

    ``wide`` are normalised cells with one ring of outside cells, (rows + 2, cols + 2, T, T, 3). The frame lies
    within the first two of a cell's 32 pixels outside the board; it is solid, and unlike the cells' bodies."""
    grey = wide.astype(np.float32).mean(4)
    body = float(np.median(grey[1:-1, 1:-1, T // 4 : -T // 4, T // 4 : -T // 4]))
    bands = {
        "top": grey[0, 1:-1, -2:, :].swapaxes(0, 1).reshape(2, -1),
        "bottom": grey[-1, 1:-1, :2, :].swapaxes(0, 1).reshape(2, -1),
        "left": grey[1:-1, 0, :, -2:].reshape(-1, 2).T,
        "right": grey[1:-1, -1, :, :2].reshape(-1, 2).T,
    }
    levels = {side: np.median(band) for side, band in bands.items()}
    usual = float(np.median([abs(v - body) for v in levels.values()]))
    out = []
    for side, band in bands.items():
        away = np.abs(band - body).min(0)
        steady = np.abs(band - levels[side]).max(0) < 0.35 * abs(levels[side] - body) + 6
        solid = (away > max(0.5 * usual, 12.0)) & steady
        if solid.mean() < 0.9:
            out.append(side)
    return out


def _unfinished_sides(wide: npt.NDArray[np.uint8]) -> list[str]:
    """The sides beyond which the lines between the cells run on: there the board is cut.

    For boards without a frame. ``wide`` as above. Looked at is a strip a few of a cell's 32 pixels beyond the
    board, where only a further cell would have a line at its corner."""
    grey = wide.astype(np.float32).mean(4)
    out = []
    for side, turned in (
        ("top", grey),
        ("bottom", grey[::-1, :, ::-1]),
        ("left", grey.transpose(1, 0, 3, 2)),
        ("right", grey.transpose(1, 0, 3, 2)[::-1, :, ::-1]),
    ):
        # turned: (lines away from the side, cells along it, depth towards the board, place along a cell)
        def at_corners(strip: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
            line = np.minimum(strip[1:-2, :, -1], strip[2:-1, :, 0])
            middle = (strip[1:-2, :, T // 4] + strip[2:-1, :, -T // 4]) / 2
            return np.asarray((line - middle).mean(1), np.float32)

        beyond = at_corners(turned[0][:, T - 7 : T - 3])
        inside = float(np.median(at_corners(turned[1][:, 4:8])))
        if abs(inside) > 3 and float((beyond / inside > 0.4).mean()) > 0.5:
            out.append(side)
    return out
