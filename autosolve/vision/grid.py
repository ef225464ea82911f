"""Owns where the cells are: finds lattices of any size, place, zoom and fractional pitch in a picture.

How it looks: a cell's body is a *tile*, a patch of even colour closed off by edges (a grid line, a bevel, a
neighbour of another shade). A board is many tiles of one size at regular distances, so no colour, no pixel
position and no grid line needs to be known beforehand. Soft grid lines, which a scaled page draws over two
pixels, still close tiles off; a tile that leaks into its neighbour is missing from the lattice, not fatal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from autosolve.board.shape import MAX_SIDE, Shape
from autosolve.vision.frame import Box, Frame, Pixels, Point

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

MIN_TILE, MAX_TILE = 5, 160  # pixels: the sides of a tile, for pitches from 8 to 165
MIN_SIDE = 3  # cells: fewer in a row or column is no board
EDGES = (12, 5)  # grey levels between two neighbouring pixels of one tile, at most; the second for faint lines
ISLANDS, SPARSE = 9, 0.12  # tiles, and share of the cells, from which tiles that lie apart may be a board's
EXACT = 0.06  # of a pitch from the comb to each of them, at most
FURTHER = 5.0  # pixels by which a lattice may be too wide or too narrow
PHASES = 64  # places within a pitch at which edges are held against each other
FAINT = (*EDGES, 2)  # the same where nothing else was found: two shades of a lawn that is drawn small


@dataclass(frozen=True, slots=True)
class Grid:
    """Where a board's cells are, in screen points.

    ``left``, ``top``         outer corner of the first cell: the middle of its grid line, where there are lines
    ``pitch_x``, ``pitch_y``  distance from a cell to the next, a fraction above 0
    ``cut``                   sides on which the board goes on unseen: any of "top", "bottom", "left", "right"
    ``ends``                  sides at which it ends, though what is drawn beyond looks like its cells
    ``tiles``                 how many cells stood out as a tile of their own, for judging a find
    ``beside_x``, ``beside_y``  how far the line before each column (row), and that after the last, lies beside this
                              even place; empty where all are equally wide
    """

    shape: Shape
    left: float
    top: float
    pitch_x: float
    pitch_y: float
    cut: frozenset[str] = frozenset()
    tiles: int = 0
    ends: frozenset[str] = frozenset()
    beside_x: tuple[float, ...] = ()
    beside_y: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        for beside, count in ((self.beside_x, self.shape.cols), (self.beside_y, self.shape.rows)):
            if len(beside) not in (0, count + 1):
                raise ValueError(f"{len(beside)} lines for {count} rows or columns")

    @property
    def box(self) -> Box:
        """The rectangle of all cells, as an even lattice has it."""
        return Box(self.left, self.top, self.pitch_x * self.shape.cols, self.pitch_y * self.shape.rows)

    @property
    def uneven(self) -> bool:
        """Whether some rows or columns are wider than others."""
        return bool(self.beside_x or self.beside_y)

    def part(self, r0: int, r1: int, c0: int, c1: int) -> Grid:
        """The lattice of these rows and columns, which may lie beyond the board: there they are as wide as its pitch.
        Neither what is cut nor how many tiles there are changes."""
        beside = [
            tuple(known[min(max(line, 0), len(known) - 1)] for line in range(first, last + 1)) if known else ()
            for known, first, last in ((self.beside_x, c0, c1), (self.beside_y, r0, r1))
        ]
        return replace(
            self,
            shape=Shape(r1 - r0, c1 - c0),
            left=self.left + c0 * self.pitch_x,
            top=self.top + r0 * self.pitch_y,
            beside_x=beside[0],
            beside_y=beside[1],
        )

    def cell_box(self, cell: int) -> Box:
        """The rectangle of one cell."""
        row, col = self.shape.at(cell)
        x, y = self.left + col * self.pitch_x, self.top + row * self.pitch_y
        if not self.uneven:
            return Box(x, y, self.pitch_x, self.pitch_y)
        before_x, after_x = self.beside_x[col : col + 2] or (0.0, 0.0)
        before_y, after_y = self.beside_y[row : row + 2] or (0.0, 0.0)
        return Box(x + before_x, y + before_y, self.pitch_x + after_x - before_x, self.pitch_y + after_y - before_y)

    def centre(self, cell: int) -> Point:
        """Where to click a cell."""
        box = self.cell_box(cell)
        return Point(box.x + box.width / 2, box.y + box.height / 2)


class InPixels(NamedTuple):
    """A lattice in pixels of a picture: its outer corner, and the distances from a cell to the next."""

    left: float
    top: float
    pitch_x: float
    pitch_y: float


def in_pixels(frame: Frame, grid: Grid) -> InPixels:
    """Where a lattice lies in a picture."""
    left, top = frame.to_pixel(Point(grid.left, grid.top))
    return InPixels(left, top, grid.pitch_x * frame.scale, grid.pitch_y * frame.scale)


def lines(frame: Frame, grid: Grid) -> tuple[Floats, Floats]:
    """Where a lattice's columns, and its rows, begin and the last ends, in pixels of a picture."""
    left, top, pitch_x, pitch_y = in_pixels(frame, grid)
    out = []
    for start, pitch, count, beside in (
        (left, pitch_x, grid.shape.cols, grid.beside_x),
        (top, pitch_y, grid.shape.rows, grid.beside_y),
    ):
        off = np.array(beside, np.float64) if beside else np.zeros(count + 1)
        out.append(np.asarray(start + pitch * np.arange(count + 1) + frame.scale * off, np.float64))
    return out[0], out[1]


@lru_cache(maxsize=4)  # several sites are tried on one picture
def lattices(
    frame: Frame,
    *,
    region: Box | None = None,
    most: int = 6,
    edges: tuple[int, ...] = EDGES[:1],
    halved: bool = False,
    doubled: bool = False,
) -> tuple[Grid, ...]:
    """Every lattice of tiles in a picture, the one with the most tiles first, at most ``most``.

    ``region`` (screen points) limits the search. ``edges`` are the steps in grey levels that close a tile off;
    tiles found with any of them count; ``halved``: at half the size too, where blurred edges are sharper and dithered
    colours even; ``doubled``: at double the size alone, for tiles of three or four pixels. A lattice has at least 3x3
    cells; lattices that overlap a better one are left out. Nothing is said yet about what the tiles show."""
    part = frame.crop(region) if region else frame
    if min(part.width, part.height) < MIN_SIDE * MIN_TILE:
        return ()
    seen = [_tiles_of(frame, region, edge, 0.5 if doubled else 1) for edge in edges]
    if halved:
        seen.append(_tiles_of(frame, region, edges[-1], 2))
    tiles = np.concatenate(seen)
    tiles = tiles[(tiles[:, 2:] <= MAX_TILE).all(1)]
    if len(seen) > 1:  # the same tile, seen twice
        tiles = tiles[np.unique(np.round(tiles * 2).astype(np.int64), axis=0, return_index=True)[1]]
    found: list[tuple[_Lattice, Grid]] = []
    for lattice in _lattices_of(tiles):
        corner = part.to_point(lattice.left, lattice.top)
        grid = Grid(
            Shape(lattice.rows, lattice.cols),
            corner.x,
            corner.y,
            lattice.pitch_x / part.scale,
            lattice.pitch_y / part.scale,
            tiles=lattice.tiles,
        )
        found.append((lattice, grid))
    found.sort(key=lambda pair: -pair[1].tiles)
    best: list[Grid] = []
    for _, grid in found:
        if all(overlap(grid.box, other.box) < 0.3 for other in best):
            best.append(grid)
    return tuple(best[:most])


def settled(frame: Frame, grid: Grid) -> Grid:
    """The same lattice moved and stretched by up to a pixel or so, to where the picture's own edges are strongest: the
    middles of tiles are only near the middles of cells whose sides differ."""
    return _placed(frame, grid, _settle)


def repeating(frame: Frame, grid: Grid) -> Grid:
    """The same lattice stretched by a few pixels to where the picture's edges repeat most sharply, whatever they are
    of, then moved as a whole: cells may have gaps between them, whose edges lie far from where a cell ends."""
    return _placed(frame, grid, _repeat)


def _placed(frame: Frame, grid: Grid, place: Callable[[Floats, float, float, int], tuple[float, float]]) -> Grid:
    """A lattice placed anew, in each direction by the strength of the edges across it."""
    left, top, px, py = in_pixels(frame, grid)
    rows, cols = grid.shape.rows, grid.shape.cols
    y0, y1 = max(0, round(top)), min(frame.height, round(top + rows * py))
    x0, x1 = max(0, round(left)), min(frame.width, round(left + cols * px))
    # a little of what lies around, where the comb may come to lie
    by, bx = max(0, y0 - 8), max(0, x0 - 8)
    wide, high = frame.pixels[y0:y1, bx : x1 + 8], frame.pixels[by : y1 + 8, x0:x1]
    across = steps(wide[:, 1:], wide[:, :-1]).mean(0)
    down = steps(high[1:], high[:-1]).mean(1)
    left, px = place(np.asarray(across, np.float64), left - bx, px, cols)
    top, py = place(np.asarray(down, np.float64), top - by, py, rows)
    left, top = left + bx, top + by
    corner = frame.to_point(left, top)
    return replace(grid, left=corner.x, top=corner.y, pitch_x=px / frame.scale, pitch_y=py / frame.scale)


def steps(a: Pixels, b: Pixels) -> Pixels:
    """(h, w): how far two pictures are apart, the largest of the three channels."""
    blue, green, red = cv2.split(cv2.absdiff(a, b))
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)


def _settle(edges: Floats, start: float, pitch: float, cells: int) -> tuple[float, float]:
    """Where a comb of ``cells`` + 1 lines lies best on edge strengths; ``edges[i]`` lies between pixels i and i + 1."""
    reach = min(1.5, 0.08 * pitch)
    ends = np.linspace(-reach, reach, 21)
    first, last = (v.ravel() for v in np.meshgrid(ends, ends))
    return _comb(_softened(edges, pitch), start, pitch, cells, first, last)


def _repeat(edges: Floats, start: float, pitch: float, cells: int) -> tuple[float, float]:
    """The pitch at which edges repeat best, and the place about which they lie alike on both sides."""
    soft = _softened(edges, pitch)
    near = pitch + np.linspace(-FURTHER, FURTHER, 81) / cells
    firsts = start + cells * (pitch - near) / 2
    at = firsts[:, None, None] + near[:, None, None] * (np.arange(cells)[:, None] + np.arange(PHASES)[None] / PHASES)
    # laid over each other, cells whose edges fall on each other keep them, and others blur
    folded = np.interp(at, np.arange(len(soft)) + 1.0, soft).mean(1)
    best = int((folded**2).sum(1).argmax())
    reach = int(0.06 * PHASES)
    away = np.arange(-PHASES // 4, PHASES // 4 + 1)
    both = [
        float(folded[best][(k + away) % PHASES] @ folded[best][(k - away) % PHASES]) for k in range(-reach, reach + 1)
    ]
    return float(firsts[best] + (int(np.argmax(both)) - reach) / PHASES * near[best]), float(near[best])


def _softened(edges: Floats, pitch: float) -> Floats:
    soft = cv2.GaussianBlur(edges.reshape(1, -1), (0, 0), max(0.5, 0.02 * pitch)).ravel()
    return np.asarray(np.minimum(soft, 2 * np.percentile(soft, 90) + 1e-6), np.float64)


def _comb(soft: Floats, start: float, pitch: float, cells: int, first: Floats, last: Floats) -> tuple[float, float]:
    """The best of combs whose ends are moved by ``first`` and ``last``, pixels."""
    share = np.arange(cells + 1) / cells
    at = start + np.arange(cells + 1) * pitch + first[:, None] * (1 - share) + last[:, None] * share
    fit = np.interp(at, np.arange(len(soft)) + 1.0, soft).sum(1)
    fit -= 1e-3 * fit.max() * (first**2 + last**2) / np.abs(first).max() ** 2  # rather where it was
    i = int(fit.argmax())
    return float(start + first[i]), float(pitch + (last[i] - first[i]) / cells)


def overlap(a: Box, b: Box) -> float:
    """The shared area as a part of the smaller box."""
    both = a.clipped(b)
    return both.width * both.height / min(a.width * a.height, b.width * b.height)


# ---------------------------------------------------------------- tiles


@lru_cache(maxsize=6)  # every look for lattices begins with those of the one before
def _tiles_of(frame: Frame, region: Box | None, edge: int, reduced: float) -> Floats:
    """The tiles of a picture, or of its region, as they are to be seen where that is ``reduced`` (2, 1 or 0.5)."""
    if reduced != 2:
        across, down = _steps_of(frame, region)
        return reduced * _tiles(across, down, edge, doubled=reduced < 1)
    part = (frame.crop(region) if region else frame).pixels
    h, w = part.shape[0] // 2, part.shape[1] // 2
    small = np.asarray(cv2.resize(part[: 2 * h, : 2 * w], (w, h), interpolation=cv2.INTER_AREA), np.uint8)
    return reduced * _tiles(*_steps_in(small), edge)


def tiles_in(frame: Frame, edge: int) -> Floats:
    """The patches of even colour in a picture that might be cell bodies, closed off by steps of more than ``edge`` grey
    levels: float (n, 4) of centre x, centre y, width, height, in its pixels."""
    return _tiles(*_steps_in(frame.pixels), edge)


@lru_cache(maxsize=1)
def _steps_of(frame: Frame, region: Box | None) -> tuple[Pixels, Pixels]:
    return _steps_in((frame.crop(region) if region else frame).pixels)


def _steps_in(pixels: Pixels) -> tuple[Pixels, Pixels]:
    """How far each pixel is from the one to its right, and from the one below; 0 at the picture's edge."""
    across, down = np.zeros(pixels.shape[:2], np.uint8), np.zeros(pixels.shape[:2], np.uint8)
    across[:, :-1] = steps(pixels[:, 1:], pixels[:, :-1])
    down[:-1] = steps(pixels[1:], pixels[:-1])
    return across, down


def _tiles(across: Pixels, down: Pixels, edge: int, *, doubled: bool = False) -> Floats:
    """Patches of even colour that might be cell bodies, from the steps between pixels: float (n, 4) of centre x, centre
    y, width, height, in pixels of a picture twice as large where that is ``doubled``."""
    flat = cv2.inRange(cv2.max(across, down), 0, edge)
    # only what has edges, and a little of what is empty around it: that is no tile, or it is looked at whole
    rows, cols = np.flatnonzero(flat.min(1) == 0), np.flatnonzero(flat.min(0) == 0)
    if not len(rows):
        return np.zeros((0, 4))
    (height, width), room = flat.shape, 2 if min(flat.shape) > MAX_TILE else MAX_TILE
    left, right = max(0, int(cols[0]) - room), min(width, int(cols[-1]) + room + 1)
    top, bottom = max(0, int(rows[0]) - room), min(height, int(rows[-1]) + room + 1)
    own = np.s_[top:bottom, left:right]
    part = flat[own]
    if doubled:  # each pixel is four, with no steps between them
        part = np.full((2 * part.shape[0], 2 * part.shape[1]), 255, np.uint8)
        part[::2, 1::2] = cv2.inRange(across[own], 0, edge)
        part[1::2, ::2] = cv2.inRange(down[own], 0, edge)
        part[1::2, 1::2] = flat[own]
    _, _, stats, _ = cv2.connectedComponentsWithStats(part, connectivity=4, ltype=cv2.CV_32S)
    x, y, w, h, area = (stats[1:, i].astype(np.float64) for i in range(5))
    around = ((x == 0) & (left > 0)) | ((x + w == part.shape[1]) & (right < width))
    around |= ((y == 0) & (top > 0)) | ((y + h == part.shape[0]) & (bottom < height))
    if doubled:
        left, top = 2 * left, 2 * top
    x, y = x + left, y + top
    w, h = w + 1, h + 1  # the last pixel before an edge belongs to the tile too
    ok = ~around & (w >= MIN_TILE) & (h >= MIN_TILE) & (w <= MAX_TILE) & (h <= MAX_TILE)
    ok &= (area > 0.4 * w * h) & (w < 2 * h) & (h < 2 * w)
    x, y, w, h = x[ok], y[ok], w[ok], h[ok]
    return np.stack([x + w / 2, y + h / 2, w, h], axis=1)


def _families(tiles: Floats) -> Iterator[npt.NDArray[np.bool_]]:
    """Masks of tiles of about the same size, the largest family first."""
    left = np.ones(len(tiles), bool)
    for _ in range(10):
        sizes = np.round(tiles[left, 2:]).astype(int)
        if len(sizes) < MIN_SIDE * MIN_SIDE // 2:
            return
        counts = np.zeros((MAX_TILE + 2, MAX_TILE + 2), np.float32)
        np.add.at(counts, (sizes[:, 0], sizes[:, 1]), 1)
        near = cv2.blur(counts, (3, 3), borderType=cv2.BORDER_CONSTANT) * 9 + counts
        w, h = divmod(int(near.argmax()), MAX_TILE + 2)
        slack = max(1.0, 0.05 * max(w, h))
        family = left & (abs(tiles[:, 2] - w) <= slack) & (abs(tiles[:, 3] - h) <= slack)
        if family.sum() < 5:
            return
        yield family
        left &= ~family


# ---------------------------------------------------------------- lattices


@dataclass(frozen=True, slots=True)
class _Lattice:
    rows: int
    cols: int
    left: float
    top: float
    pitch_x: float
    pitch_y: float
    tiles: int

    @property
    def share(self) -> float:
        """How many of its places have a tile, 0..1."""
        return self.tiles / (self.rows * self.cols)


WIDENED, WIDE_SLACK = 4, 0.2  # times that a lattice of tiles is laid anew from what it holds, and how far beside it, of
# a cell, further ones may lie
AS_FULL = 0.95  # of the share of its places that have a tile, at least, in the larger one


def _lattices_of(tiles: Floats) -> Iterator[_Lattice]:
    for family in _families(tiles):
        mine = tiles[family]
        for _ in range(3):  # tiles of one size may belong to several boards
            axes = _axis(mine[:, 0], mine[:, 2]), _axis(mine[:, 1], mine[:, 3])
            if axes[0] is None or axes[1] is None:
                break
            lattice, used = _grow(tiles, mine, axes[0], axes[1])
            lattice = lattice or _islands(mine, axes[0], axes[1])
            if lattice is not None:
                lattice, used = _widened(tiles, mine, lattice, used)
                yield lattice
            if not used.any() or used.all():
                break
            mine = mine[~used]


def _widened(
    tiles: Floats, mine: Floats, lattice: _Lattice, used: npt.NDArray[np.bool_]
) -> tuple[_Lattice, npt.NDArray[np.bool_]]:
    """A lattice laid anew from what it holds while it grows, and which of ``mine`` it used: tiles that are not all
    of one size drift off a comb, which reaches further from the block found."""
    for _ in range(WIDENED):
        across = lattice.left + lattice.pitch_x / 2, lattice.pitch_x
        down = lattice.top + lattice.pitch_y / 2, lattice.pitch_y
        wider, more = _grow(tiles, mine, across, down, WIDE_SLACK)
        if wider is None or wider.rows * wider.cols <= lattice.rows * lattice.cols:
            break
        if wider.share < AS_FULL * lattice.share:
            break  # what lies there is no more of this board
        lattice, used = wider, used | more
    return lattice, used


def _axis(centres: Floats, sizes: Floats) -> tuple[float, float] | None:
    """(first centre, pitch) of the comb that most centres along one axis lie on, or None."""
    order = np.sort(centres)
    size = float(np.median(sizes))
    # centres of one column differ by less than a pixel or two; columns by more than a tile's size
    groups = np.split(order, np.flatnonzero(np.diff(order) > max(1.5, 0.15 * size)) + 1)
    at = np.array([g.mean() for g in groups])
    weight = np.array([len(g) for g in groups], np.float64)
    if len(at) < 2:
        return None
    steps, step_weight = np.diff(at), np.minimum(weight[1:], weight[:-1])
    # cells without lines between them are as wide as their distance
    fits = (steps > 0.93 * size) & (steps < 2 * size + 4)
    if not fits.any():
        return None
    pitch = _weighted_median(steps[fits], step_weight[fits])
    heavy = int(weight.argmax())
    # widen step by step: a small error of the pitch would grow to a whole cell over a wide board
    start, reach = float(at[heavy]), 4
    last: npt.NDArray[np.bool_] | None = None
    while True:
        index = np.round((at - start) / pitch)
        near = (abs(index) <= reach) & (abs(at - start - index * pitch) < 0.2 * pitch)
        if last is not None and (near == last).all() and reach >= abs(index).max():
            break  # nothing more will come
        last = near
        if near.sum() >= 2 and np.ptp(index[near]) > 0:
            pitch, start = _line(index[near], at[near], weight[near])
        if reach > 2 * MAX_SIDE:
            break
        reach *= 2
    return (start, pitch) if pitch > 0.93 * size else None


def _islands(mine: Floats, across: tuple[float, float], down: tuple[float, float]) -> _Lattice | None:
    """The block that holds all tiles of one size, where they lie apart but on one comb: covered cells of a board whose
    opened cells show no lines."""
    (x0, px), (y0, py) = across, down
    col, row = np.round((mine[:, 0] - x0) / px), np.round((mine[:, 1] - y0) / py)
    off = np.maximum(abs(mine[:, 0] - x0 - col * px) / px, abs(mine[:, 1] - y0 - row * py) / py)
    n_rows, n_cols = int(np.ptp(row)) + 1, int(np.ptp(col)) + 1
    if min(n_rows, n_cols) < MIN_SIDE or max(n_rows, n_cols) > MAX_SIDE:
        return None
    if len(mine) < ISLANDS or off.max() > EXACT or len(mine) < SPARSE * n_rows * n_cols:
        return None
    left, top = x0 + (col.min() - 0.5) * px, y0 + (row.min() - 0.5) * py
    return _Lattice(n_rows, n_cols, float(left), float(top), px, py, len(mine))


def _line(x: Floats, y: Floats, weight: Floats) -> tuple[float, float]:
    """Slope, and value at 0, of the line through weighted points."""
    share = weight / weight.sum()
    middle_x, middle_y = float(share @ x), float(share @ y)
    away = share * (x - middle_x)
    slope = float(away @ (y - middle_y)) / float(away @ (x - middle_x))
    return slope, middle_y - slope * middle_x


def _weighted_median(values: Floats, weights: Floats) -> float:
    order = values.argsort()
    total = weights[order].cumsum()
    return float(values[order][np.searchsorted(total, total[-1] / 2)])


def _on(points: Floats, start: float, pitch: float, slack: float) -> tuple[Ints, npt.NDArray[np.bool_]]:
    index = np.round((points - start) / pitch).astype(np.int64)
    return index, abs(points - start - index * pitch) < slack * pitch + 0.5


def _grow(
    tiles: Floats, mine: Floats, across: tuple[float, float], down: tuple[float, float], slack: float = 0.15
) -> tuple[_Lattice | None, npt.NDArray[np.bool_]]:
    """The densest block of cells on a comb in both directions, and which of ``mine`` it used; ``slack`` of a cell they
    may lie beside it."""
    (x0, px), (y0, py) = across, down
    sized = (tiles[:, 2] >= 0.4 * px) & (tiles[:, 2] <= 1.06 * px) & (tiles[:, 3] >= 0.4 * py)
    every = tiles[sized & (tiles[:, 3] <= 1.06 * py)]
    col, on_x = _on(every[:, 0], x0, px, slack)
    row, on_y = _on(every[:, 1], y0, py, slack)
    col, row = col[on_x & on_y], row[on_x & on_y]
    mine_col, ok_x = _on(mine[:, 0], x0, px, slack)
    mine_row, ok_y = _on(mine[:, 1], y0, py, slack)
    on = ok_x & ok_y
    if on.sum() < 5 or not col.size:  # a comb may fit places whose squares are of another size
        return None, on
    low_c, low_r = int(col.min()), int(row.min())
    seen = np.zeros((int(row.max()) - low_r + 1, int(col.max()) - low_c + 1), np.uint8)
    seen[row - low_r, col - low_c] = 1
    # a missing tile (a pointer, a leak) must not tear the block apart: join over gaps of one cell
    joined = cv2.dilate(cv2.copyMakeBorder(seen, 1, 1, 1, 1, cv2.BORDER_CONSTANT), np.ones((3, 3), np.uint8))
    _, labels = cv2.connectedComponents(joined[1:-1, 1:-1], connectivity=4)
    sizes = np.bincount(labels.ravel(), weights=(seen * (labels > 0)).ravel().astype(float))
    block = (labels == int(sizes.argmax())) & (seen > 0)
    rows, cols = np.flatnonzero(block.any(1)), np.flatnonzero(block.any(0))
    r0, r1, c0, c1 = int(rows[0]), int(rows[-1]), int(cols[0]), int(cols[-1])
    while True:  # trim stray tiles that touch the block: a border line must be half full
        part = block[r0 : r1 + 1, c0 : c1 + 1]
        if min(part.shape) < MIN_SIDE:
            break
        fill = {"r0": part[0].mean(), "r1": part[-1].mean(), "c0": part[:, 0].mean(), "c1": part[:, -1].mean()}
        worst = min(fill, key=lambda k: fill[k])
        if fill[worst] >= 0.34:
            break
        r0, r1 = r0 + (worst == "r0"), r1 - (worst == "r1")
        c0, c1 = c0 + (worst == "c0"), c1 - (worst == "c1")
    used = on.copy()
    index_r, index_c = mine_row - low_r, mine_col - low_c
    used &= (index_r >= r0) & (index_r <= r1) & (index_c >= c0) & (index_c <= c1)
    if not used.any():
        used = on
    part = block[r0 : r1 + 1, c0 : c1 + 1]
    n_rows, n_cols = part.shape
    if min(n_rows, n_cols) < MIN_SIDE or max(n_rows, n_cols) > MAX_SIDE or part.mean() < 0.45:
        return None, used
    # a last fit over the tiles of this block alone, all sizes
    inside = (row - low_r >= r0) & (row - low_r <= r1) & (col - low_c >= c0) & (col - low_c <= c1)
    xs, ys = every[on_x & on_y][inside, 0], every[on_x & on_y][inside, 1]
    even = np.ones(len(xs))
    px, x0 = _line((col[inside] - low_c - c0).astype(np.float64), xs, even)
    py, y0 = _line((row[inside] - low_r - r0).astype(np.float64), ys, even)
    return _Lattice(n_rows, n_cols, x0 - px / 2, y0 - py / 2, px, py, int(part.sum())), used
