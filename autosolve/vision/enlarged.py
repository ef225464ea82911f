"""Owns boards that were enlarged by repeating pixels: whether one was, and how it was drawn before.

A program that knows nothing of the screen's scale is drawn small and enlarged afterwards. At a scale of 1.5 every
second line of pixels is there twice: lines of one pixel are now one, now two wide, and no two cells are alike. Without
the repeated lines the cells are as the program drew them.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from autosolve.vision.frame import Frame, Pixels, Point
from autosolve.vision.grid import Grid, in_pixels, steps

Bools = npt.NDArray[np.bool_]

# pixels shown per pixels drawn
SCALES = ((2, 1), (3, 2), (3, 1), (4, 3), (5, 2), (5, 4), (4, 1), (5, 3), (7, 4))
QUIET = 0.02  # of the usual change from a line of pixels to the next: where there is less, the line was repeated
LEAST = 8.0  # pixels drawn from cell to cell
SAMPLED = 160  # pixels of a line that are looked at
AROUND = 3  # cells around a board that are brought back with it


def drawn(frame: Frame, grid: Grid) -> Frame | None:
    """A board and some cells around it as they were drawn; None where no pixels are repeated. Screen points stay what
    they are: the picture that comes back has fewer pixels per point."""
    left, top, pitch_x, pitch_y = in_pixels(frame, grid)
    x0, y0 = max(0, round(left)), max(0, round(top))
    x1 = min(frame.width, round(left + grid.shape.cols * pitch_x))
    y1 = min(frame.height, round(top + grid.shape.rows * pitch_y))
    part = frame.pixels[y0:y1, x0:x1]
    if min(part.shape[:2]) < 4 * max(p for p, _ in SCALES):
        return None
    down = _changes(part)
    pairs = [(p, q) for p, q in SCALES if min(pitch_x, pitch_y) * q >= LEAST * p]
    for p, q in pairs:
        again_y = _repeated(down, p, q)
        if again_y is None:
            continue
        again_x = _repeated(_changes(part.swapaxes(0, 1)), p, q)
        if again_x is None:
            return None
        near_x, near_y = AROUND * pitch_x, AROUND * pitch_y
        a, keep_x = _kept(again_x, x0, left - near_x, left + grid.shape.cols * pitch_x + near_x, frame.width)
        b, keep_y = _kept(again_y, y0, top - near_y, top + grid.shape.rows * pitch_y + near_y, frame.height)
        corner = frame.to_point(a, b)
        return Frame(
            np.ascontiguousarray(frame.pixels[keep_y][:, keep_x]), Point(corner.x, corner.y), frame.scale * q / p
        )
    return None


def _changes(part: Pixels) -> npt.NDArray[np.float64]:
    """How much changes from each row of a picture to the next, on some of its columns."""
    some = np.ascontiguousarray(part[:, :: max(1, part.shape[1] // SAMPLED)])
    change = steps(some[1:], some[:-1])
    return np.asarray(np.where(change > 1, np.minimum(change, 32), 0).sum(1), np.float64)


def _repeated(change: npt.NDArray[np.float64], p: int, q: int) -> Bools | None:
    """(p,) which of p lines in turn show what the line before them shows, where p are shown for q that were drawn."""
    share = np.array([change[k::p].mean() for k in range(p)])
    quiet = share < QUIET * share.mean()
    if int(quiet.sum()) != p - q:
        return None
    drawn_at = np.arange(p + 1) * q // p
    same = drawn_at[1:] == drawn_at[:-1]
    # the first change is that from line 0 to line 1
    return np.roll(quiet, 1) if any((np.roll(same, by) == quiet).all() for by in range(p)) else None


def _kept(again: Bools, start: int, first: float, last: float, size: int) -> tuple[float, npt.NDArray[np.int64]]:
    """Where the lines begin that were drawn between two places, and which lines show them; ``again`` counts from
    ``start``."""
    lines = np.arange(max(0, round(first)), min(size, round(last)))
    kept = lines[~again[(lines - start) % len(again)]]
    scale = len(again) / float((~again).sum())
    # lines that were drawn lie evenly; those that are shown begin up to half a pixel beside that
    return float((kept - np.arange(len(kept)) * scale).mean()), kept
