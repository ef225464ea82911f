"""Owns boards whose columns or rows are not all equally wide: where each begins, and such a board made even.

Programs that share a window's pixels among their columns make the first ones a pixel wider than the rest. Over half a
wide board that adds up to a good part of a cell, by which an even lattice lies beside its columns there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np

from autosolve.board.shape import MAX_SIDE, Shape
from autosolve.vision.cells import T, normalise, resampled
from autosolve.vision.frame import Frame, Pixels, Point
from autosolve.vision.grid import EDGES, Floats, Grid, lines, tiles_in

BESIDE = 0.05  # of a pitch, and pixels, that a line must lie beside an even lattice's, at least
PIXELS = 1.0
APART = 0.06  # of a pitch, but a pixel always: what columns that share pixels may differ in width
FEWEST = 2  # tiles of a column that tell where it is
TOLD = 0.7  # share of the columns that are told so, at least
WIDEST, NARROWEST = 1.06, 0.6  # of a pitch: a tile's sides
MORE, SLACK, FULL = 2, 0.15, 0.9  # lines of cells beyond a board that may belong to it, how far beside the last one's
# distance, of a cell, they may lie, and how many of their tiles, of those that are usual, must be there
FEWEST_RUNS, RUNS = (
    3,
    0.15,
)  # of neighbours that are equally wide, and of a board's lines: more, and they are no columns
AROUND = 3  # cells around a board that are made even with it
ALIKE = 0.01  # pixels: widths that differ less are one


def bent(frame: Frame, grid: Grid) -> Grid | None:
    """The same lattice with every line where the tiles of its columns and rows have it; None where they are all equally
    wide, or where too few tiles tell."""
    part = frame.crop(grid.box.grown((MORE + 0.5) * max(grid.pitch_x, grid.pitch_y)).clipped(frame.box))
    tiles = np.concatenate([tiles_in(part, edge) for edge in EDGES])
    for size, pitch in ((2, grid.pitch_x * frame.scale), (3, grid.pitch_y * frame.scale)):
        tiles = tiles[(tiles[:, size] >= NARROWEST * pitch) & (tiles[:, size] <= WIDEST * pitch)]
    at_x, at_y = lines(part, replace(grid, beside_x=(), beside_y=()))
    found_x = _lines_of(_between(tiles, at_y, 1)[:, 0::2], at_x)
    found_y = _lines_of(_between(tiles, at_x, 0)[:, 1::2], at_y)
    if found_x is None or found_y is None:
        return None
    for found in (found_x, found_y):
        if not _shared(np.diff(found)):
            return None
        # lines that were never on whole pixels come out ragged
        if len(list(_runs(found))) > max(FEWEST_RUNS, RUNS * len(found)):
            return None
    (left, pitch_x, beside_x), (top, pitch_y, beside_y) = _even(found_x), _even(found_y)
    off = np.abs(beside_x).max() / pitch_x, np.abs(beside_y).max() / pitch_y
    if max(off[0] * pitch_x, off[1] * pitch_y) < PIXELS or max(off) < BESIDE:
        return None
    corner = part.to_point(left, top)
    return replace(
        grid,
        shape=Shape(len(found_y) - 1, len(found_x) - 1),
        left=corner.x,
        top=corner.y,
        pitch_x=pitch_x / frame.scale,
        pitch_y=pitch_y / frame.scale,
        beside_x=tuple((beside_x / frame.scale).tolist()),
        beside_y=tuple((beside_y / frame.scale).tolist()),
    )


def _shared(widths: Floats) -> bool:
    """Whether columns are as wide as where they share pixels: all alike but for one. Where a column of covered cells
    lies beside opened ones, each kind has its tiles elsewhere in its cells, which makes one wider and one narrower."""
    most = max(PIXELS, APART * float(widths.mean()))
    # the outermost lines are no middles between two tiles, and may be a pixel off
    return bool(np.ptp(widths[1:-1]) <= most and np.ptp(widths) <= most + PIXELS)


def _between(tiles: Floats, at: Floats, axis: int) -> Floats:
    """The tiles that lie between the first and the last of some lines."""
    return np.asarray(tiles[(tiles[:, axis] > at[0]) & (tiles[:, axis] < at[-1])], np.float64)


def _lines_of(tiles: Floats, at: Floats) -> Floats | None:
    """Where columns begin, and the last ends, on whole pixels: in the middle between the tiles (n, 2: centre and size)
    of one and those of the next. ``at`` is where they would if all were equally wide; beyond these there may be more,
    as far as whole lines of tiles go on."""
    pitch = float(at[1] - at[0])
    count = len(at) - 1
    index = np.floor((tiles[:, 0] - at[0]) / pitch).astype(np.int64)
    sides = tiles[:, 0] - tiles[:, 1] / 2, tiles[:, 0] + tiles[:, 1] / 2
    columns = {c: mine for c in range(count) if (mine := index == c).sum() >= FEWEST}
    if len(columns) < max(3, TOLD * count) or not {0, count - 1} <= columns.keys():
        return None
    told = np.array(sorted(columns))
    first, last = (
        np.interp(np.arange(count), told, [float(np.median(side[columns[c]])) for c in told]) for side in sides
    )
    usual = float(np.median([mine.sum() for mine in columns.values()]))
    for step in (-1, 1):
        for _ in range(min(MORE, MAX_SIDE - len(first))):
            end = 0 if step < 0 else -1
            width = float(first[1] - first[0] if step < 0 else first[-1] - first[-2])
            near = np.abs(tiles[:, 0] - (first[end] + last[end]) / 2 - step * width) < SLACK * pitch
            if near.sum() < FULL * usual:
                break
            beyond = [float(np.median(side[near])) for side in sides]
            first, last = (
                np.concatenate(([new], old) if step < 0 else (old, [new]))
                for old, new in zip((first, last), beyond, strict=True)
            )
    gap = float(np.median(first[1:] - last[:-1]))
    inner = (last[:-1] + first[1:]) / 2
    # a line of one pixel belongs to the cell after it
    return np.floor(np.array([first[0] - gap / 2, *inner, last[-1] + gap / 2]) + 0.25)


def _even(at: Floats) -> tuple[float, float, Floats]:
    """The even lattice that lies nearest to some lines: its first, its pitch, and how far each lies beside it."""
    index = np.arange(len(at))
    pitch, start = (float(v) for v in np.polyfit(index, at, 1))
    return start, pitch, np.asarray(at - start - index * pitch, np.float64)


def cut(frame: Frame, grid: Grid, *, apart: bool) -> Pixels:
    """The cells of an uneven lattice and one ring of cells around it, each from its own place: uint8 (rows + 2,
    cols + 2, T, T, 3), as ``cells.normalise`` gives those of an even one."""
    at_x, at_y = (_ringed(at, 1) for at in lines(frame, grid))
    out = np.empty((len(at_y) - 1, len(at_x) - 1, T, T, 3), np.uint8)
    for r, rows, y, pitch_y in _runs(at_y):
        for c, cols, x, pitch_x in _runs(at_x):
            cells = normalise(frame.pixels, x, y, pitch_x, pitch_y, rows, cols, apart=apart)
            out[r : r + rows, c : c + cols] = cells.reshape(rows, cols, T, T, 3)
    return out


def evened(frame: Frame, grid: Grid) -> tuple[Frame, Grid]:
    """An uneven board and some cells around it, drawn as if all its cells were equally wide, and where it lies there:
    for whoever looks along its lines."""
    at_x, at_y = (_ringed(at, AROUND) for at in lines(frame, grid))
    wide, high = (max(2, round(float(np.diff(at).mean()))) for at in (at_x, at_y))
    parts = []
    for _, rows, y, pitch_y in _runs(at_y):
        row = [
            resampled(frame.pixels, x, y, pitch_x / wide, pitch_y / high, wide * cols, high * rows)
            for _, cols, x, pitch_x in _runs(at_x)
        ]
        parts.append(np.concatenate(row, axis=1))
    place = Grid(grid.shape, float(AROUND * wide), float(AROUND * high), float(wide), float(high), tiles=grid.tiles)
    return Frame(np.concatenate(parts), Point(0, 0), 1.0), place


def _ringed(at: Floats, more: int) -> Floats:
    """Lines with ``more`` before and after them, as far apart as the outermost."""
    before, after = at[1] - at[0], at[-1] - at[-2]
    return np.concatenate([at[0] + np.arange(-more, 0) * before, at, at[-1] + np.arange(1, more + 1) * after])


def _runs(at: Floats) -> Iterator[tuple[int, int, float, float]]:
    """The first, the number, the place and the width of neighbours that are equally wide."""
    widths = np.diff(at)
    starts = [0, *(np.flatnonzero(np.abs(np.diff(widths)) > ALIKE) + 1), len(widths)]
    for a, b in pairwise(starts):
        yield int(a), int(b - a), float(at[a]), float((at[b] - at[a]) / (b - a))
