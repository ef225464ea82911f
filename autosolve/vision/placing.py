"""Owns a lattice's cells as they are cut out of a picture, and how a lattice that nearly fits a prepared site is
brought onto the site's own cells: moved, grown, or taken as it was drawn before it was enlarged."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

import numpy as np

from autosolve.board.shape import MAX_SIDE
from autosolve.vision import enlarged, pictures, rims, uneven, windows
from autosolve.vision.cells import T, normalise
from autosolve.vision.extent import fitted
from autosolve.vision.frame import Frame, Pixels
from autosolve.vision.grid import Grid, in_pixels
from autosolve.vision.match import Match, match
from autosolve.vision.profile import ENDED, Profile, Symbol

NEARLY = 0.05  # share of doubtful cells with which a board is not searched for in every way
WIDE_LINES = 45.0  # pixels: the lines of such cells are two wide, and a lattice may lie on the second
TILES = 0.8  # share of the cells that stand out as tiles


class Cells:
    """The cells of a lattice, cut out of the picture once for whoever reads them.

    ``known``  they are just there: no place beside this one is tried"""

    def __init__(self, frame: Frame, grid: Grid, *, known: bool = False) -> None:
        self.frame, self.grid, self.known, shape = frame, grid, known, grid.shape
        _, _, pitch_x, pitch_y = in_pixels(frame, grid)
        self.pitch = (pitch_x + pitch_y) / 2
        # one ring of cells more: what lies around the board tells whether it is whole
        self.wide = self._cut(apart=False)
        self.stack = np.ascontiguousarray(self.wide[1:-1, 1:-1]).reshape(shape.size, T, T, 3)

    def _cut(self, *, apart: bool) -> Pixels:
        if self.grid.uneven:
            return uneven.cut(self.frame, self.grid, apart=apart)
        left, top, pitch_x, pitch_y = in_pixels(self.frame, self.grid)
        rows, cols = self.grid.shape.rows + 2, self.grid.shape.cols + 2
        cells = normalise(self.frame.pixels, left - pitch_x, top - pitch_y, pitch_x, pitch_y, rows, cols, apart=apart)
        return cells.reshape(rows, cols, T, T, 3)

    @cached_property
    def apart(self) -> Pixels:
        """``wide`` with cells that are not mixed with the next, as pictures of single cells are not."""
        return self._cut(apart=True) if self.pitch < T + 1 else self.wide

    @cached_property
    def over(self) -> windows.Over:
        """What may lie over them."""
        return windows.overlaid(*self.even)

    @cached_property
    def running_on(self) -> set[str]:
        """The sides beyond which they are seen to go on."""
        return rims.running_on(self.frame, self.grid, self.wide, known=self.known) - self.grid.ends

    @cached_property
    def even(self) -> tuple[Frame, Grid]:
        """The picture and where they lie in it, or, where they are not all equally wide, a picture where they are."""
        return uneven.evened(self.frame, self.grid) if self.grid.uneven else (self.frame, self.grid)

    @cached_property
    def drawn(self) -> Frame | None:
        """The board as it was drawn, where it has been enlarged."""
        return enlarged.drawn(self.frame, self.grid)


_Way = tuple[Cells, Match]
_Tell = Callable[[Cells], _Way]


def by_templates(cells: Cells, profile: Profile) -> _Way:
    """A lattice read with a site's templates; one that only nearly fits the site's cells is moved onto them first."""
    if profile.reader != "pictures":
        shape = cells.grid.shape
        return cells, match(cells.stack, shape.rows, shape.cols, profile, cells.pitch)
    if cells.drawn is None:
        return _by_pictures(cells, profile)
    small, told = _by_pictures(Cells(cells.drawn, cells.grid, known=cells.known), profile)
    best = Cells(cells.frame, small.grid, known=cells.known), told
    return max(best, _by_pictures(cells, profile), key=_told) if any(told.doubts) else best


def _by_pictures(cells: Cells, profile: Profile) -> _Way:
    def tell(some: Cells) -> _Way:
        shape = some.grid.shape
        stack = np.ascontiguousarray(some.apart[1:-1, 1:-1]).reshape(shape.size, T, T, 3)
        return some, pictures.match(stack, shape.rows, shape.cols, profile, some.pitch, around=some.apart)

    best = tell(cells)
    if cells.known or best[1].doubts[0] == pictures.STRANGE:
        return best
    if pictures.uneven(best[1]) or 2 * _told(best) <= cells.grid.shape.size:
        bent = uneven.bent(cells.frame, cells.grid) if cells.grid.tiles else None
        if bent is not None:
            better = tell(Cells(cells.frame, bent))
            # of a window that is just being drawn too, some may be told so, but not nearly all
            if _told(better) >= max(_told(best), (1 - NEARLY) * bent.shape.size):
                return _surely_marked(better, profile)
    if any(best[1].doubts):
        # a lattice lies on the middle of the lines, half a pixel off the pixels that templates were cut at
        place, frame = on_whole_pixels(cells.frame, cells.grid, slack=2), cells.frame
        if place != cells.grid and _told(better := tell(Cells(frame, place))) > _told(best):
            cells, best = better[0], better
        wide = cells.pitch >= WIDE_LINES and 2 * _told(best) <= cells.grid.shape.size
        for x, y in ((0, 1), (1, 0), (1, 1)) if wide else ():
            before = replace(place, left=place.left - x / frame.scale, top=place.top - y / frame.scale)
            if _told(better := tell(Cells(frame, before))) > _told(best):
                cells, best = better[0], better
    if 2 * _told(best) <= cells.grid.shape.size:
        return best
    reaching = fitted(cells.frame, cells.grid, stack=cells.stack)
    if reaching.shape != cells.grid.shape:
        best = max(best, tell(Cells(cells.frame, reaching)), key=_told)
    roughly = cells.grid.tiles == 0  # found by repetition, which tells the pitch but hardly the place
    size = best[0].grid.shape.size
    surely = cells.grid.tiles >= TILES * size and _told(best) >= (1 - NEARLY) * size
    if not surely and (any(best[1].doubts) or roughly) and 2 * _told(best) > size:
        moved = pictures.settle(cells.frame, cells.grid, profile)
        if moved != cells.grid:
            # of two that read alike the one moved onto the cells
            best = max(tell(Cells(cells.frame, moved)), best, key=_told)
    best = _grown(_replaced(best, tell), profile, tell)
    return _surely_marked(best, profile)


def _told(way: _Way) -> int:
    return way[1].count


def _replaced(way: _Way, tell: _Tell) -> _Way:
    """A board moved and stretched to where its cells were found, where it reads as well there."""
    frame = way[0].frame
    moved = pictures.replaced(frame, way[0].grid, way[1])
    if moved != way[0].grid:
        way = max(tell(Cells(frame, moved)), way, key=_told)
    if any(way[1].doubts):  # what the templates tell of the place is nearer to the pixels on which cells begin
        place = on_whole_pixels(frame, way[0].grid, slack=2)
        if place != way[0].grid:
            way = max(way, tell(Cells(frame, place)), key=_told)
    return way


def _surely_marked(way: _Way, profile: Profile) -> _Way:
    """Tiles of unlike widths show the small sign of an unsure flag unlike too. After the end of a game, when no mark is
    of use any more, flags among them are doubtful."""
    cells, told = way
    ended = any(s in ENDED for s in told.symbols)
    mixed = cells.grid.uneven or pictures.uneven(told)
    if not ended or Symbol.QUESTION not in profile.templates or not mixed:
        return way
    marks = [s is Symbol.FLAG and not doubt for s, doubt in zip(told.symbols, told.doubts, strict=True)]
    doubts = ["it could be an unsure flag" if mark else d for mark, d in zip(marks, told.doubts, strict=True)]
    return cells, replace(told, doubts=doubts)


def _grown(way: _Way, profile: Profile, tell: _Tell) -> _Way:
    """A board with the lines beside it that read as well as it does: open cells without lines may be no tiles. Where
    only some cells of such a line are told, the board is cut."""
    found = True
    while found:
        found, perhaps = False, set[str]()
        for side in pictures.goes_on(way[0].apart, profile, way[0].pitch):
            grid = _with_line(way[0].grid, side)
            if grid is None or not _holds(way[0].frame, grid):
                continue
            more = tell(Cells(way[0].frame, grid))
            fits = np.array([not doubt for doubt in more[1].doubts]).reshape(grid.shape.rows, grid.shape.cols)
            line = {"top": fits[0], "bottom": fits[-1], "left": fits[:, 0], "right": fits[:, -1]}[side]
            if line.mean() >= pictures.ADDED and _told(more) >= _told(way) + pictures.ADDED * line.size:
                way, found = _replaced(more, tell), True
            elif line.mean() >= pictures.PERHAPS:
                perhaps.add(side)
    if not perhaps:
        return way
    return Cells(way[0].frame, replace(way[0].grid, cut=frozenset(perhaps))), way[1]


def _with_line(grid: Grid, side: str) -> Grid | None:
    """A lattice with one more line of cells at a side; None where boards are not that large."""
    top, left = -int(side == "top"), -int(side == "left")
    rows, cols = grid.shape.rows + (side == "bottom"), grid.shape.cols + (side == "right")
    return None if max(rows - top, cols - left) > MAX_SIDE else grid.part(top, rows, left, cols)


def _holds(frame: Frame, grid: Grid) -> bool:
    """Whether a picture shows all of a lattice, but for a thin line at its edge."""
    box, slack = frame.box, 0.06 * max(grid.pitch_x, grid.pitch_y)
    inside = grid.box.clipped(box.grown(slack))
    return abs(inside.width - grid.box.width) < 1e-6 and abs(inside.height - grid.box.height) < 1e-6


def on_whole_pixels(frame: Frame, grid: Grid, slack: float = 0.5) -> Grid:
    """A lattice of a whole pitch, to ``slack`` pixels over all of it, moved so that its cells begin on pixels; others
    as they are."""
    x, y, pitch_x, pitch_y = in_pixels(frame, grid)
    off = abs(pitch_x - round(pitch_x)) * grid.shape.cols, abs(pitch_y - round(pitch_y)) * grid.shape.rows
    if max(off) > slack:
        return grid
    # the middle of a line of one pixel is half a pixel after where its cell begins
    left = math.floor(x + (pitch_x - round(pitch_x)) * grid.shape.cols / 2 + 0.25)
    top = math.floor(y + (pitch_y - round(pitch_y)) * grid.shape.rows / 2 + 0.25)
    scale = pitch_x / grid.pitch_x
    return replace(
        grid,
        left=grid.left + (left - x) / scale,
        top=grid.top + (top - y) / scale,
        pitch_x=round(pitch_x) / scale,
        pitch_y=round(pitch_y) / scale,
    )
