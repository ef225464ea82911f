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

BEVEL_SHARE = 0.55  # of a frame's contrast: more than any bevel has
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
    if profile.frame:
        grey = stack[:, T // 4 : -T // 4, T // 4 : -T // 4].mean(3)
        cut = _open_sides(frame, grid, float(np.median(grey)))
    else:
        cut = _unfinished_sides(wide)
    grid = replace(grid, cut=frozenset(cut))
    size = (shape.rows, shape.cols)
    reading = Reading(
        frame, grid, profile, tuple(told.symbols), told.scores.reshape(size), told.margins.reshape(size), doubts
    )
    return reading, shape.size if told.dimmed else shape.size - len(doubts)


def _open_sides(frame: Frame, grid: Grid, body: float) -> list[str]:
    """The sides of the board along which no closed frame runs: there the board goes on, or something hides it.

    ``body`` is the grey level of the cells. A frame is about three times as wide as a grid line and of its colour;
    outside a cut there is only a line, and then a cell's bevel, which is half as dark. Measured in whole pixels of
    the picture, and held against the lines inside this very board: zooms soften lines or snap them to pixels."""
    left, top = frame.to_pixel(Point(grid.left, grid.top))
    px, py = grid.pitch_x * frame.scale, grid.pitch_y * frame.scale
    rows, cols = grid.shape.rows, grid.shape.cols
    turned = frame.pixels.swapaxes(0, 1)
    # side -> (picture, first edge, edge, outwards, along from, pitch along, cells along, pitch across, cells across)
    ways = {
        "top": (frame.pixels, top, top, -1, left, px, cols, py, rows),
        "bottom": (frame.pixels, top, top + rows * py, 1, left, px, cols, py, rows),
        "left": (turned, left, left, -1, top, py, rows, px, cols),
        "right": (turned, left, left + cols * px, 1, top, py, rows, px, cols),
    }
    bands = {
        side: _band(picture, edge, step, start, along, cells, across)
        for side, (picture, _, edge, step, start, along, cells, across, _) in ways.items()
    }
    usual = [np.median(band - body, axis=1) for band in bands.values() if band.size]
    darkest = -min((float(u.min()) for u in usual), default=0.0)
    lightest = max((float(u.max()) for u in usual), default=0.0)
    # the frame has the sign of the lines; a light page around a dark board would outshine it further out
    near = [u[: max(2, len(u) // 3)] for u in usual]
    dark = -min((float(u.min()) for u in near), default=0.0) >= 0.5 * max((float(u.max()) for u in near), default=0.0)
    contrast = darkest if dark else lightest

    def widths(band: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        strength = (body - band if dark else band - body) / contrast
        return np.asarray(((strength - BEVEL_SHARE) / (1 - BEVEL_SHARE)).clip(0, 1).sum(0), np.float32)

    out = []
    for side, (picture, first, _, step, start, along, cells, across, count) in ways.items():
        band = bands[side]
        if not band.size or contrast < 12:
            out.append(side)
            continue
        inner = [
            float(np.median(widths(b)))
            for k in range(1, count, max(1, count // 10))
            if (b := _band(picture, first + k * across, step, start, along, cells, across)).size
        ]
        wide = widths(band) >= max(0.8 * across / 31, 1.25 * max(inner, default=0.0) + 0.15)
        # At small zooms a frame is hardly two pixels wide. It is still wider than any line, and what follows is
        # the even page, not a cell.
        strength = np.median((body - band if dark else band - body) / contrast, axis=1)
        peak = int(strength.argmax())
        page = band[-2:] - body
        within = ((strength[:peak] - BEVEL_SHARE) / (1 - BEVEL_SHARE)).clip(0, 1).sum()
        thin = within + strength[peak : peak + 3].clip(0, 1).sum() >= 1.2 and abs(float(np.median(page))) > 8
        thin = thin and float(np.median(np.abs(page - np.median(page)))) < 3
        if float(wide.mean()) < 0.7 and not (thin and float((widths(band) >= 0.9).mean()) >= 0.7):
            out.append(side)
    return out


def _band(
    pixels: npt.NDArray[np.uint8], edge: float, step: int, start: float, pitch: float, cells: int, depth: float
) -> npt.NDArray[np.float32]:
    """Grey levels (pixels from just inside the edge outwards, cells along it): each the mean over a cell's middle."""
    inward, outward = round(0.06 * depth + 0.5), round(0.16 * depth + 1)
    at = [int(np.floor(edge)) + step * i for i in range(-inward, outward + 1)]
    at = [y for y in at if 0 <= y < pixels.shape[0]]
    columns = []
    for c in range(cells):
        x0, x1 = round(start + (c + 0.25) * pitch), round(start + (c + 0.75) * pitch)
        part = pixels[at][:, max(0, x0) : max(1, x1)].astype(np.float32)
        if part.size:
            columns.append(part.mean((1, 2)))
    return np.stack(columns, axis=1) if columns and at else np.zeros((0, 0), np.float32)


def _unfinished_sides(wide: npt.NDArray[np.uint8]) -> list[str]:
    """The sides beyond which the lines between the cells run on: there the board is cut.

    For boards without a frame. ``wide`` are normalised cells with one ring of outside cells, (rows + 2, cols + 2,
    T, T, 3). Looked at is a strip a few of a cell's 32 pixels beyond the
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
