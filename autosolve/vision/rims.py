"""Owns the rims of a board: what runs along its sides tells whether the whole board is to be seen."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from autosolve.board.shape import Shape
from autosolve.vision.cells import T
from autosolve.vision.frame import Frame
from autosolve.vision.grid import Grid, in_pixels
from autosolve.vision.profile import Profile

BEVEL_SHARE = 0.55  # of a frame's contrast: more than any bevel has
OUTSIDE = 0.12  # of a cell: where less is missing nothing of its drawing is
SAME_PAGE = 10.0  # grey levels between what lies beyond two sides of a board
FURTHER = 7 / T  # of a cell: where less of one would show, lines beyond a board tell nothing
STRIP = 6  # of a cell's T pixels beyond a board that are held against those beyond its lines
LIKE, UNLIKE = 6.0, 12.0  # grey levels between the edge of a cell and that of another
FAINT = 6.0  # grey levels: lines between cells that are no darker than this tell nothing
GOES_ON = 0.4  # of the darkness of lines inside a board: less than that is no line beyond it
LEAST_STEP = 2.0  # grey levels between neighbours on a checkerboard
EVEN = 24.0  # grey levels along a line of one colour
OTHER_FRAME = 30.0  # grey levels from the usual colour of a frame, or of the page, along one side
STANDS_OUT = 24.0  # grey levels between a frame and the page, at least
PURE = 8.0  # grey levels between rows of pixels of one frame
FRAME = (0.065, 0.16)  # of a cell: how wide a frame is; a line is half as wide as that
_OPPOSITE = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}


def cut_sides(
    frame: Frame, grid: Grid, wide: npt.NDArray[np.uint8], profile: Profile, filled: npt.NDArray[np.bool_]
) -> set[str]:
    """The sides ("top", "bottom", "left", "right") on which a board that shows all its clues goes on unseen, or is
    covered by something.

    ``wide``    the board's normalised cells with one ring of what lies around them, (rows + 2, cols + 2, T, T, 3)
    ``filled``  (rows, cols) the cells of another body than the board's usual one, which tell nothing about its lines"""
    rims = _rims(frame, grid, filled)
    if profile.frame:
        plain = wide[1:-1, 1:-1][~filled] if not filled.all() else wide[1:-1, 1:-1]
        grey = plain[..., T // 4 : -T // 4, T // 4 : -T // 4, :].mean(-1)
        cut = _open_sides(rims, float(np.median(grey)))
    else:
        cut = set(_unfinished_sides(wide))
    strange = _strange_pages(rims)
    if profile.frame:  # a frame that ends with the picture is a frame
        strange = {side for side in strange if rims[side].whole or len(strange) > 2}
    return cut | strange


def running_on(frame: Frame, grid: Grid, wide: npt.NDArray[np.uint8], *, known: bool = False) -> set[str]:
    """The sides beyond which a board goes on: there lines between cells, or cells themselves, run on, or the board ends
    with the picture and on the other side it does not.

    ``wide`` is as for ``cut_sides``; where the lattice is ``known``, so is whether it ends with the picture. Pictures
    are cut to a board, and boards fill windows, on both sides alike; a window that hangs out of the screen is cut on
    one. A board as wide as the picture may begin or end with it above or below."""
    room = _room(frame, grid)
    lines = _unfinished_sides(wide)
    out, ends = set(), set()
    for side, towards in _towards(wide).items():
        if room[side] > FURTHER:
            if side in lines or _same_cells(towards):
                out.add(side)
        elif not known and not _page(towards, room[side], T / (grid.pitch_x * frame.scale)):
            ends.add(side)
    if ends >= {"left", "right"}:
        return out
    return out | {side for side in ends if _OPPOSITE[side] not in ends}


def at_picture_edge(frame: Frame, grid: Grid) -> set[str]:
    """The sides at which a board and the picture end together: it may go on beyond."""
    return {side for side, room in _room(frame, grid).items() if room < 8 / T}


def outside(frame: Frame, grid: Grid) -> list[int]:
    """The cells a good part of which lies outside of the picture."""
    room = _room(frame, grid)
    return sorted({cell for side in room if room[side] < -OUTSIDE for cell in along(side, grid.shape)})


def along(side: str, shape: Shape) -> range:
    """The outermost cells of a board on one side, "top", "bottom", "left" or "right", in row-major order."""
    return {
        "left": range(0, shape.size, shape.cols),
        "right": range(shape.cols - 1, shape.size, shape.cols),
        "top": range(shape.cols),
        "bottom": range(shape.size - shape.cols, shape.size),
    }[side]


def frame_hidden(frame: Frame, grid: Grid, cut: Collection[str]) -> list[int]:
    """The outer cells beside which a board's frame, or the page beyond it, is not what it is along most of that side:
    something lies over it there, and perhaps over the cell. A side that is ``cut`` has no frame."""
    out: set[int] = set()
    for side, rim in _rims(frame, grid, np.zeros((grid.shape.rows, grid.shape.cols), bool)).items():
        outer = rim.band[_reach(rim.across)[0] + 1 :]
        if len(outer) < 2 or side in cut:
            continue
        away = np.abs(outer - np.median(outer, axis=1, keepdims=True)).max(2)  # (depths, cells)
        other = (away > OTHER_FRAME).sum(0) >= 2
        out.update(cell for cell, is_other in zip(along(side, grid.shape), other, strict=True) if is_other)
    return sorted(out)


def _room(frame: Frame, grid: Grid) -> dict[str, float]:
    """How many cells would fit between each side of the board and the picture's edge."""
    left, top, px, py = in_pixels(frame, grid)
    return {
        "left": left / px,
        "top": top / py,
        "right": (frame.width - left) / px - grid.shape.cols,
        "bottom": (frame.height - top) / py - grid.shape.rows,
    }


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


def _rims(frame: Frame, grid: Grid, filled: npt.NDArray[np.bool_]) -> dict[str, _Rim]:
    left, top, px, py = in_pixels(frame, grid)
    rows, cols = grid.shape.rows, grid.shape.cols
    turned = frame.pixels.swapaxes(0, 1)
    out = {}
    for side, picture, first, edge, step, start, along, cells, across, count in (
        ("top", frame.pixels, top, top, -1, left, px, cols, py, rows),
        ("bottom", frame.pixels, top, top + rows * py, 1, left, px, cols, py, rows),
        ("left", turned, left, left, -1, top, py, rows, px, cols),
        ("right", turned, left, left + cols * px, 1, top, py, rows, px, cols),
    ):
        lines = filled if picture is frame.pixels else filled.T
        inner = []
        for k in range(1, count, max(1, count // 10)):
            band = _band(picture, first + k * across, step, start, along, cells, across)
            inner.append(band[:, ~(lines[k - 1] | lines[k])] if band.size else band)
        band = _band(picture, edge, step, start, along, cells, across)
        own = lines[0 if step < 0 else -1]
        out[side] = _Rim(band[:, ~own] if band.size and not own.all() else band, [b for b in inner if b.size], across)
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
    ends = start + (np.arange(cells)[:, None] + np.array([0.25, 0.75])) * pitch
    ends = np.round(ends).astype(np.int64).clip((0, 1), pixels.shape[1])
    low = min(int(ends.min()), pixels.shape[1] - 1)
    sums = np.cumsum(pixels[at, low : int(ends.max())], axis=1, dtype=np.uint32)
    sums = np.concatenate([np.zeros_like(sums[:, :1]), sums], axis=1)
    first, last = ends[:, 0] - low, ends[:, 1] - low
    means = (sums[:, last] - sums[:, first]) / np.maximum(last - first, 1)[:, None]
    return np.asarray(means, np.float32)


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


def unframed(frame: Frame, grid: Grid) -> set[str]:
    """The sides along which no frame runs, of a board that has one in the colour of its lines and cells of many kinds.

    A frame is three times as wide as a line, of one colour on all sides, and the page follows."""
    rims = _rims(frame, grid, np.zeros((grid.shape.rows, grid.shape.cols), bool))
    # a lattice may be a pixel off
    bands = {side: rim.band[_reach(rim.across)[0] - 1 :] for side, rim in rims.items() if rim.band.size}
    rows = {side: np.median(band, axis=1) for side, band in bands.items() if band.size}
    even = {
        side: np.percentile(np.abs(bands[side] - row[:, None]).max(2), 90, axis=1) <= EVEN for side, row in rows.items()
    }
    widths: dict[str, float] = {}
    for side, colours in rows.items():
        for colour in colours[even[side]]:
            far = float(np.abs(colour - rims[side].page).max())
            if far < STANDS_OUT:
                continue
            framed = {}
            for other, row in rows.items():
                away = np.abs(row - colour).max(1)
                like = (1 - away / (far / 2)).clip(0, 1) * even[other]
                pure = even[other] & (away <= PURE)
                # a frame may end within a pixel, which then is as much of it as it is not of the page
                share = 1 - away / far
                blend = colour * share[:, None] + rims[other].page * (1 - share[:, None])
                ends = (np.abs(row - blend).max(1) <= PURE) & even[other] & (share > 0)
                ends[1:] &= pure[:-1]
                ends[0] = False
                like = np.where(ends, np.maximum(like, share), like)
                width = float(like.sum()) / rims[other].across
                if pure.any() and FRAME[0] <= width <= FRAME[1] and not (rims[other].whole and like[-1]):
                    framed[other] = width
            if (len(framed), sum(framed.values())) > (len(widths), sum(widths.values())):
                widths = framed
    return set(rims) - set(widths)


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


def _towards(wide: npt.NDArray[np.uint8]) -> dict[str, npt.NDArray[np.uint8]]:
    """A board's cells with one ring around them, turned for each side: lines of cells away from it, the ring first;
    cells along it; depth towards the board; place along a cell; BGR."""
    turned = wide.transpose(1, 0, 3, 2, 4)
    return {"top": wide, "bottom": wide[::-1, :, ::-1], "left": turned, "right": turned[::-1, :, ::-1]}


def _edges(
    towards: npt.NDArray[np.uint8], first: int, last: int
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """What lies ``first`` to ``last`` of T pixels beyond a side, (cells, depth, T, 3), and beyond the lines next to it
    inside the board, (lines, cells, depth, T, 3)."""
    strips = towards[:4, 1:-1, T - last : T - first].astype(np.float32)
    return strips[0], strips[1 : min(4, len(towards) - 2)]


def _page(towards: npt.NDArray[np.uint8], room: float, pixel: float) -> bool:
    """Whether what little of the picture lies beyond a side, ``room`` of a cell, is surely none of a cell's; ``pixel``
    one of the picture's in T-ths of a cell."""
    first, last = int(np.ceil(pixel)), int(room * T)
    if last <= first:
        return False
    beyond, inside = _edges(towards, first, last)
    away = np.abs(beyond[:, None] - inside.reshape(1, -1, *inside.shape[2:])).mean((2, 3, 4)).min(1)
    return bool((away > UNLIKE).mean() >= 0.7)


def _step(colours: npt.NDArray[np.float32]) -> float:
    """Grey levels from one cell to the next along a line, (cells, 3), in the median."""
    return float(np.median(np.abs(np.diff(colours, axis=0)).max(1)))


def _same_cells(towards: npt.NDArray[np.uint8]) -> bool:
    """Whether cells without lines, but of more than one ground, go on beyond a side."""
    outer = towards[0, 1:-1, T - STRIP : T - 2].astype(np.float32).mean((1, 2))
    step = _step(outer)
    if step < LEAST_STEP:  # a page, mostly
        return False
    inner = _edges(towards, 2, STRIP)[1].mean((2, 3))
    if step < 0.6 * min(_step(line) for line in inner):
        return False
    away = np.abs(outer[:, None] - inner.reshape(1, -1, 3)).max(2).min(1)
    return bool((away <= LIKE).mean() >= 0.8)


def _unfinished_sides(wide: npt.NDArray[np.uint8]) -> list[str]:
    """The sides beyond which the lines between the cells run on: there the board is cut.

    For boards without a frame. ``wide`` are normalised cells with one ring of outside cells, (rows + 2, cols + 2,
    T, T, 3). Looked at is a strip a few of a cell's 32 pixels beyond the
    board, where only a further cell would have a line at its corner."""
    out = []
    for side, lines in _towards(wide).items():

        def at_corners(strip: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
            line = np.minimum(strip[1:-2, :, -1], strip[2:-1, :, 0])
            middle = (strip[1:-2, :, T // 4] + strip[2:-1, :, -T // 4]) / 2
            return np.asarray((line - middle).mean(1), np.float32)

        beyond = at_corners(lines[0][:, T - 7 : T - 3].astype(np.float32).mean(3))
        inside = float(np.median(at_corners(lines[1][:, 4:8].astype(np.float32).mean(3))))
        if abs(inside) > FAINT and float((beyond / inside > GOES_ON).mean()) > 0.45:
            out.append(side)
    return out
