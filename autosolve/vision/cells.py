"""Owns what a cell looks like, whatever the zoom: cells brought to one size, and the few features read off them.

Legend: ``n`` cells, row-major; every cell is brought to ``T`` x ``T`` pixels, from the middle of one grid line
to the middle of the next. Sides come in the order top, left, bottom, right; depth 0 lies on the grid line and
grows inwards. Templates pass through the very same code, so a template and a cell at any zoom are alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from autosolve.vision.frame import Pixels

F32 = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]

T = 32  # pixels: side of a normalised cell
DEPTH = 6  # pixels of it that hold grid line and bevel
G_H, G_W = 20, 24  # a glyph's normalised picture; its height fills G_H
WARPED = 8  # times the pixels wanted: in a picture that has more, four channels take longer to make than they save
INK_FLOOR = 14.0  # grey levels: less than this from the body is no ink


@dataclass(frozen=True, slots=True, eq=False)
class Surfaces:
    """What n cells are made of, leaving out what is drawn on them.

    ``body``   (n, 3) BGR of the even part between border and glyph
    ``rough``  (n, 4) grey levels: mean deviation from it along each side; high where something lies over it
    ``sides``  (n, 4, DEPTH, 3) mean colour along each side at each depth, less the body
    """

    body: F32
    rough: F32
    sides: F32


class Inks(NamedTuple):
    """What is drawn on n cells.

    ``contrast`` (n,) grey levels: ink against body, 0 where there is no ink
    ``colour``   (n, 3) BGR of the strongest ink
    ``blend``    (n, 3) BGR mean of all ink, which tells a picture of several colours
    ``box``      (n, 4) left, top, right, bottom of the ink as parts of the cell, 0..1
    ``glyph``    (n, G_H * G_W) the ink's shape at one height, zero mean, unit length; zeros without ink
    """

    contrast: F32
    colour: F32
    blend: F32
    box: F32
    glyph: F32


def normalise(
    pixels: Pixels,
    left: float,
    top: float,
    pitch_x: float,
    pitch_y: float,
    rows: int,
    cols: int,
    *,
    apart: bool = False,
) -> Pixels:
    """Cells of a lattice (pixels of the picture) at one size: uint8 (rows * cols, T, T, 3).

    One sub-pixel shift to a whole pitch, then one area-true resize of all cells at once. What lies outside the
    picture repeats its edge. ``apart``: no cell is mixed with the next where cells grow, as it is with templates."""
    whole_x, whole_y = max(2, round(pitch_x)), max(2, round(pitch_y))
    step_x, step_y = pitch_x / whole_x, pitch_y / whole_y
    even = resampled(pixels, left, top, step_x, step_y, whole_x * cols, whole_y * rows)
    shrinks = whole_x > T and whole_y > T
    if apart and not shrinks:
        sized = _wider(_wider(even, whole_x, cols, 1), whole_y, rows, 0)
    else:
        how = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
        sized = np.asarray(cv2.resize(even, (T * cols, T * rows), interpolation=how), np.uint8)
    stack = sized.reshape(rows, T, cols, T, 3).swapaxes(1, 2).reshape(rows * cols, T, T, 3)
    return np.ascontiguousarray(stack)


def resampled(pixels: Pixels, left: float, top: float, step_x: float, step_y: float, width: int, height: int) -> Pixels:
    """A part of a picture, (height, width, 3), from a corner on at steps of about a pixel; beyond the picture its edge
    repeats."""
    x, y = round(left), round(top)
    exact = max(abs(left - x) + abs(step_x - 1) * width, abs(top - y) + abs(step_y - 1) * height) <= 1e-3
    if exact and x >= 0 and y >= 0 and x + width <= pixels.shape[1] and y + height <= pixels.shape[0]:
        return pixels[y : y + height, x : x + width]
    # warpAffine takes pixel centres: output x + 0.5 lies at left + (x + 0.5) * step
    place = np.array([[step_x, 0, left + 0.5 * step_x - 0.5], [0, step_y, top + 0.5 * step_y - 0.5]], np.float64)
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    # it takes less than half as long over four channels as over three
    four = WARPED * width * height > pixels.shape[0] * pixels.shape[1]
    seen = cv2.cvtColor(pixels, cv2.COLOR_BGR2BGRA) if four else pixels
    out = cv2.warpAffine(seen, place, (width, height), flags=how, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.cvtColor(out, cv2.COLOR_BGRA2BGR) if four else out, np.uint8)


def _wider(pixels: Pixels, whole: int, count: int, axis: int) -> Pixels:
    """Cells of ``whole`` pixels along an axis brought to T, between pixels of their own alone."""
    size = (T * count, pixels.shape[0]) if axis else (pixels.shape[1], T * count)
    out = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_LINEAR), np.uint8)
    to, of = (out, pixels) if axis == 0 else (out.swapaxes(0, 1), pixels.swapaxes(0, 1))
    for k in range(int(np.ceil(T / whole / 2 - 0.5))):  # these lie less than half a pixel within their cell
        to[k::T], to[T - 1 - k :: T] = of[::whole], of[whole - 1 :: whole]
    return out


_ring = np.zeros((T, T), bool)
_ring[DEPTH - 1 : T - DEPTH + 1, DEPTH - 1 : T - DEPTH + 1] = True
_ring[DEPTH + 1 : T - DEPTH - 1, DEPTH + 1 : T - DEPTH - 1] = False
_RING = np.flatnonzero(_ring)
# along a side: neither the corners, which belong to two sides, nor the middle, where a tall digit may reach
_ALONG = np.r_[4:10, T - 10 : T - 4]


def planar(stack: Pixels) -> Pixels:
    """The channels of cells (n, T, T, 3), or of parts of them, one by one: (3, n, T, T). Whatever runs along pixels is
    quicker so."""
    lines = stack.reshape(len(stack), -1, 3) if len(stack) else np.zeros((1, 0, 3), np.uint8)
    return np.asarray(cv2.split(lines), np.uint8).reshape(3, *stack.shape[:-1])


def strips(stack: Pixels, depth: int, along: npt.NDArray[np.int64] = _ALONG) -> F32:
    """What runs along the sides of normalised cells, uint8 (n, T, T, 3), on average over the places ``along``: float32
    (n, 4, depth, 3)."""
    planes = planar(stack)
    out = np.empty((len(stack), 4, depth, 3), np.float32)
    for side, part in ((0, planes[:, :, :depth]), (2, planes[:, :, : -depth - 1 : -1])):
        out[:, side] = _over(part[..., along], 3)
    for side, part in ((1, planes[..., :depth]), (3, planes[..., : -depth - 1 : -1])):
        out[:, side] = _over(part[:, :, along], 2)
    out /= len(along)
    return out


def _over(planes: Pixels, axis: int) -> F32:
    """Sums (n, depth, 3) over one axis of (3, n, ...)."""
    return np.asarray(np.add.reduce(planes, axis=axis, dtype=np.float32).transpose(1, 2, 0), np.float32)


def surfaces(stack: Pixels) -> Surfaces:
    """Reads the surfaces of normalised cells, uint8 (n, T, T, 3)."""
    n = len(stack)
    planes = planar(stack)
    body = np.ascontiguousarray(medians(planes.reshape(3, n, T * T)[:, :, _RING]).T)
    last = DEPTH - 1
    edges = (
        planes[:, :, last][..., _ALONG],
        planes[..., last][..., _ALONG],
        planes[:, :, -DEPTH][..., _ALONG],
        planes[..., -DEPTH][..., _ALONG],
    )
    rough = np.stack([np.abs(e - body.T[:, :, None]).max(0).mean(1) for e in edges], axis=1)
    sides = strips(stack, DEPTH) - body[:, None, None]
    return Surfaces(body, rough.astype(np.float32), sides)


def medians(values: Pixels | F32) -> F32:
    """The median along the last axis."""
    half, odd = divmod(values.shape[-1], 2)
    ordered = values.copy()
    if values.dtype == np.float32:  # quicker than to part them, as many are alike
        ordered.sort(axis=-1)
    else:
        ordered.partition(half if odd else (half - 1, half), axis=-1)
    upper = ordered[..., half].astype(np.float32)
    return upper if odd else np.asarray((ordered[..., half - 1] + upper) / 2, np.float32)


_reach = np.minimum(*np.meshgrid(*[np.minimum(np.arange(T), np.arange(T)[::-1])] * 2)).ravel()
_BLOCK = 256  # cells
_INSIDE = np.stack([_reach >= border for border in range(T // 2 + 1)]).astype(np.float32)  # by pixels along the edge


def inks(stack: npt.NDArray[np.uint8] | F32, body: F32, border: npt.NDArray[np.int64], *, floor: float = 0.0) -> Inks:
    """Reads what is drawn on normalised cells; ``border`` (n,) is how many pixels along the edge are not
    looked at, since grid line and bevel are there. ``floor`` 0..1, a part of the ink's own contrast: what is fainter
    belongs to the ground."""
    # in blocks that stay in the processor's cache
    blocks = [slice(start, start + _BLOCK) for start in range(0, max(1, len(stack)), _BLOCK)]
    parts = [_inks(stack[some], body[some], border[some], floor) for some in blocks]
    return parts[0] if len(parts) == 1 else Inks(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def _inks(stack: npt.NDArray[np.uint8] | F32, body: F32, border: npt.NDArray[np.int64], floor: float) -> Inks:
    n = len(stack)
    flat = np.zeros((n, T * T), np.float32)
    away = np.empty((n, T * T), np.float32)
    for k in range(3):  # a channel at a time: three times as quick as a maximum over the last axis
        np.subtract(stack[..., k].reshape(n, T * T), body[:, k, None], out=away)
        np.maximum(flat, np.abs(away, out=away), out=flat)
    flat *= _INSIDE[border]
    contrast = np.zeros(n, np.float32)
    colour = np.zeros((n, 3), np.float32)
    blend = np.zeros((n, 3), np.float32)
    box = np.zeros((n, 4), np.float32)
    glyph = np.zeros((n, G_H * G_W), np.float32)
    some = np.flatnonzero(np.count_nonzero(flat > INK_FLOOR, axis=1) >= 4)  # a stray pixel is no ink
    if not len(some):
        return Inks(contrast, colour, blend, box, glyph)
    part = flat[some]
    usual, most = T * T - T // 2, T * T - 4  # the places of the strongest pixels, in order of strength
    strongest = np.sort(part, axis=1)  # quicker than to part them, as many are alike
    level = np.maximum(strongest[:, usual], 0.75 * strongest[:, most])
    inked = part > 0
    alpha = part
    alpha /= level[:, None]
    if floor:
        alpha -= floor
        alpha /= 1 - floor
        np.clip(alpha, 0, 1, out=alpha)
    else:
        np.minimum(alpha, 1, out=alpha)
    strong = np.maximum(alpha - np.float32(0.8), 0) + np.float32(1e-6) * inked
    for k in range(3):
        paint = stack[..., k].reshape(n, T * T)[some].astype(np.float32)
        colour[some, k] = np.einsum("np,np->n", strong, paint)
        blend[some, k] = np.einsum("np,np->n", alpha, paint)
    colour[some] /= strong.sum(1, keepdims=True)
    blend[some] /= alpha.sum(1, keepdims=True)
    contrast[some] = level
    box[some], glyph[some] = _shape(alpha.reshape(-1, T, T))
    return Inks(contrast, colour, blend, box, glyph)


def glyphs(alpha: F32) -> F32:
    """Shapes of ink 0..1 (k, T, T) as ``Inks.glyph`` gives them."""
    return _shape(alpha)[1]


def _shape(alpha: F32) -> tuple[F32, F32]:
    """Box (k, 4) as parts of the cell, and glyph (k, G_H * G_W), of ink 0..1 (k, T, T)."""
    y0, y1 = _extent(alpha.max(2))
    x0, x1 = _extent(alpha.max(1))
    box = np.stack([x0, y0, x1, y1], axis=1).astype(np.float32) / np.float32(T)
    return np.asarray(box, np.float32), _upright(alpha, x0, y0, x1, y1)


def _extent(profile: F32) -> tuple[F32, F32]:
    """Where a profile (k, m) first and last passes one half, to a part of a pixel."""
    m = profile.shape[1]
    over = profile > 0.5
    first, last = over.argmax(1), m - 1 - over[:, ::-1].argmax(1)
    rows = np.arange(len(profile))

    def beyond(index: npt.NDArray[np.int64], step: int) -> F32:
        out = index + step
        inside = np.where((out >= 0) & (out < m), profile[rows, np.clip(out, 0, m - 1)], 0.0)
        here = profile[rows, index]
        return ((here - 0.5) / np.maximum(here - inside, 1e-3)).clip(0, 1).astype(np.float32)

    return (first + 0.5 - beyond(first, -1)).astype(np.float32), (last + 0.5 + beyond(last, 1)).astype(np.float32)


# a slight blur of every glyph at once, as products with these
_SOFT_H, _SOFT_W = (
    np.asarray(cv2.GaussianBlur(np.eye(n, dtype=np.float32), (0, 0), sigmaX=0.01, sigmaY=0.8), np.float32)
    for n in (G_H, G_W)
)


def _between(places: F32, m: int) -> F32:
    """(k, places, m): the share that each of m pixels has in what is seen at places (k, ...) between their middles;
    beyond the outermost there is nothing."""
    share = np.abs(np.subtract(places[:, :, None], np.arange(m, dtype=np.float32), dtype=np.float32))
    return np.asarray(np.maximum(np.subtract(1, share, out=share), 0, out=share), np.float32)


def _upright(alpha: F32, x0: F32, y0: F32, x1: F32, y1: F32) -> F32:
    """Shapes (k, m, m) at height G_H, centred, in their own proportions; flattened, zero mean, unit length."""
    k, m = len(alpha), alpha.shape[1]
    height = np.maximum(y1 - y0, 1.0)
    unit = height / G_H
    ys = y0[:, None] + (np.arange(G_H) + 0.5) * unit[:, None] - 0.5
    xs = ((x0 + x1) / 2)[:, None] + (np.arange(G_W) + 0.5 - G_W / 2) * unit[:, None] - 0.5
    seen = _between(ys, m) @ alpha @ _between(xs, m).transpose(0, 2, 1)
    vectors = (_SOFT_H @ seen @ _SOFT_W.T).reshape(k, -1)
    vectors -= vectors.mean(1, keepdims=True)
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(length, 1e-6), np.float32)
