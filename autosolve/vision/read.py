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
SAME_PAGE = 10.0  # grey levels between what lies beyond two sides of a board
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
            elif len(reading.grid.cut) == 4:
                misses.append(f"{where}, which goes on or is covered on all sides")
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
    rims = _rims(frame, grid)
    if profile.frame:
        grey = stack[:, T // 4 : -T // 4, T // 4 : -T // 4].mean(3)
        cut = _open_sides(rims, float(np.median(grey)))
    else:
        cut = set(_unfinished_sides(wide))
    strange = _strange_pages(rims)
    if profile.frame:  # a frame that ends with the picture is a frame
        strange = {side for side in strange if rims[side].whole or len(strange) > 2}
    grid = replace(grid, cut=frozenset(cut | strange))
    size = (shape.rows, shape.cols)
    reading = Reading(
        frame, grid, profile, tuple(told.symbols), told.scores.reshape(size), told.margins.reshape(size), doubts
    )
    return reading, shape.size if told.dimmed else shape.size - len(doubts)


@dataclass(frozen=True, slots=True, eq=False)
class _Rim:
    """What runs along one side of a board, from just inside it outwards.

    ``band``   (depths, cells, 3) BGR, each the mean over a cell's middle, one depth a pixel; ends at a picture's edge
    ``inner``  the same at lines inside the board, in the same direction
    ``across`` pixels from cell to cell in that direction
    """

    band: npt.NDArray[np.float32]
    inner: list[npt.NDArray[np.float32]]
    across: float

    @property
    def whole(self) -> bool:
        """Whether the picture goes on far enough to show what lies beyond."""
        return len(self.band) >= sum(_reach(self.across)) + 1

    @property
    def page(self) -> npt.NDArray[np.float32]:
        """(3,) BGR of what lies furthest out."""
        return np.asarray(np.median(self.band[-2:].reshape(-1, 3), axis=0), np.float32)


def _rims(frame: Frame, grid: Grid) -> dict[str, _Rim]:
    left, top = frame.to_pixel(Point(grid.left, grid.top))
    px, py = grid.pitch_x * frame.scale, grid.pitch_y * frame.scale
    rows, cols = grid.shape.rows, grid.shape.cols
    turned = frame.pixels.swapaxes(0, 1)
    out = {}
    for side, picture, first, edge, step, start, along, cells, across, count in (
        ("top", frame.pixels, top, top, -1, left, px, cols, py, rows),
        ("bottom", frame.pixels, top, top + rows * py, 1, left, px, cols, py, rows),
        ("left", turned, left, left, -1, top, py, rows, px, cols),
        ("right", turned, left, left + cols * px, 1, top, py, rows, px, cols),
    ):
        inner = [
            _band(picture, first + k * across, step, start, along, cells, across)
            for k in range(1, count, max(1, count // 10))
        ]
        band = _band(picture, edge, step, start, along, cells, across)
        out[side] = _Rim(band, [b for b in inner if b.size], across)
    return out


def _reach(across: float) -> tuple[int, int]:
    """Pixels looked at inside and outside an edge."""
    return round(0.06 * across + 0.5), round(0.16 * across + 1)


def _band(
    pixels: npt.NDArray[np.uint8], edge: float, step: int, start: float, pitch: float, cells: int, depth: float
) -> npt.NDArray[np.float32]:
    """(depths, cells, 3); shorter where the picture ends, empty where it ends almost at the edge."""
    inward, outward = _reach(depth)
    at = [int(np.floor(edge)) + step * i for i in range(-inward, outward + 1)]
    at = [y for y in at if 0 <= y < pixels.shape[0]]
    if len(at) < inward + 3:
        return np.zeros((0, 0, 3), np.float32)
    columns = []
    for c in range(cells):
        x0, x1 = round(start + (c + 0.25) * pitch), round(start + (c + 0.75) * pitch)
        columns.append(pixels[at][:, max(0, x0) : max(1, x1)].astype(np.float32).mean(1))
    return np.stack(columns, axis=1)


def _strange_pages(rims: Mapping[str, _Rim]) -> set[str]:
    """The sides where something else lies beyond the board than on the others, or nothing at all: a page is the
    same all around, a bar or a window over the board is not."""
    out = {side for side, rim in rims.items() if not rim.whole}
    if len(out) > 2:
        return set(rims)
    usual = np.median([rim.page for side, rim in rims.items() if side not in out], axis=0)
    for side, rim in rims.items():
        if side not in out:
            far = np.abs(rim.band[-2:] - usual).max(2)
            if np.abs(rim.page - usual).max() > SAME_PAGE or float((far <= 2 * SAME_PAGE).all(0).mean()) < 0.7:
                out.add(side)
    return out


def _open_sides(rims: Mapping[str, _Rim], body: float) -> set[str]:
    """The sides of the board along which no closed frame runs: there the board goes on, or something hides it.

    ``body`` is the grey level of the cells. A frame is about three times as wide as a grid line and of its colour;
    outside a cut there is only a line, and then a cell's bevel, which is half as dark. Measured in whole pixels of
    the picture, and held against the lines inside this very board: zooms soften lines or snap them to pixels."""
    usual = {side: np.median(rim.band.mean(2) - body, axis=1) for side, rim in rims.items() if rim.band.size}
    if not usual:
        return set(rims)
    for side, u in usual.items():
        # what is the page's colour, or on the way to it, is no frame: a dark page is darker than its frames
        page = float(rims[side].page.mean()) - body
        if rims[side].whole:
            u[np.abs(u - page) < 0.25 * abs(page)] = 0.0
    # the frame has the sign of the lines
    near = {side: _reach(rims[side].across)[0] + 1 + max(1, round(0.07 * rims[side].across)) for side in usual}
    darkest = max(-float(u[: near[side]].min()) for side, u in usual.items())
    dark = darkest >= 0.5 * max(float(u[: near[side]].max()) for side, u in usual.items())
    sign = -1.0 if dark else 1.0
    peaks = {side: float((sign * u[: near[side]]).max()) for side, u in usual.items()}
    contrast = float(np.median(list(peaks.values())))
    if contrast < 12:
        return set(rims)

    def widths(band: npt.NDArray[np.float32], seen: npt.NDArray[np.bool_] | None = None) -> npt.NDArray[np.float32]:
        strength = sign * (band.mean(2) - body) / contrast
        share = ((strength - BEVEL_SHARE) / (1 - BEVEL_SHARE)).clip(0, 1)
        return np.asarray((share if seen is None else share[seen]).sum(0), np.float32)

    out = set(rims) - set(usual)
    owns = {side: widths(rims[side].band, u != 0) for side, u in usual.items()}
    common = float(np.median([np.median(own) for own in owns.values()]))
    for side, u in usual.items():
        rim = rims[side]
        inner = max((float(np.median(widths(b))) for b in rim.inner), default=0.0)
        own = owns[side]
        wide = own >= max(0.8 * rim.across / 31, 1.25 * inner + 0.15)
        # At small zooms a frame is hardly two pixels wide. It is still wider than any line.
        strength = sign * u / contrast
        peak = int(strength[: near[side]].argmax())
        within = ((strength[:peak] - BEVEL_SHARE) / (1 - BEVEL_SHARE)).clip(0, 1).sum()
        thin = within + strength[peak : peak + 3].clip(0, 1).sum() >= 1.2
        thin = thin and float((own >= 0.9).mean()) >= 0.7
        # of one colour and width all around, and the page follows
        alike = abs(peaks[side] - contrast) <= 0.15 * contrast + 6
        alike = alike and float(np.median(own)) >= (0.4 if rim.whole else 0.75) * common
        ends = not rim.whole or not u[-2:].any()
        if not (alike and ends and (float(wide.mean()) >= 0.7 or thin)):
            out.add(side)
    return out


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
