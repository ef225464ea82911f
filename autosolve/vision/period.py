"""Owns the second way of finding boards: by what repeats in a picture, for cells that are no even tiles.

How it looks, where textures, dithering or patterns leave no even patch to a cell:

1. edges are summed up along bands of the picture; where the sums repeat at a distance, across and down at once, a
   board may lie, its pitch roughly known (autocorrelation of short windows, in three sizes of the picture);
2. the pitch is fitted to a part of a pixel by the strength of its first harmonics over the whole place;
3. cells are cut at that pitch, at several phases. A board shows few symbols, many times: a cell that belongs to it
   looks like another one in another row and column. The phase at which most cells do is the board's, and the block
   of cells that do is its extent. Text and icons repeat in pitch but not in pictures, and fall away here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from autosolve.board.shape import MAX_SIDE, Shape
from autosolve.vision.cells import resampled
from autosolve.vision.frame import Box, Frame, Pixels
from autosolve.vision.grid import Grid, overlap

F32 = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]

WINDOW = 96  # pixels of the (reduced) picture in which a profile must repeat
HOP = 16
SCALES = ((1, 8, 28), (2, 25, 56), (4, 50, 130))  # reduced by; pitches looked for there, in pixels of the picture
REPEATS = 0.42  # of a window's power that comes back one pitch away
MIN_SIDE = 4  # cells
SIDE = 8  # pixels: side of a cell as it is compared
FINE = 2 * SIDE  # phases tried in a cell
FEW, MANY = 50, 200  # cells that all are compared with, while a phase is searched and in the end
ALIKE = 0.38  # of the contrast among cells: two that differ by less look alike
ENOUGH = 0.62  # of a block's cells that look like another


def lattices(frame: Frame, *, region: Box | None = None, most: int = 4) -> tuple[Grid, ...]:
    """Boards found by what repeats, the largest first; ``region`` in screen points.

    A board has at least 4x4 cells, a pitch of 8 to 130 pixels, cells at most 1.5 times as wide as high or the other
    way round. What the cells show is not asked."""
    part = frame.crop(region) if region else frame
    if min(part.width, part.height) < MIN_SIDE * SCALES[0][1]:
        return ()
    found: list[_Lattice] = []
    for place in _places(part.pixels):
        if any(overlap(place.box, f.box) > 0.5 for f in found):  # its multiples repeat as well
            continue
        lattice = _lattice(part.pixels, place)
        if lattice is not None:
            found.append(lattice)
    found.sort(key=lambda f: -f.alike)
    best: list[_Lattice] = []
    for one in found:
        if all(overlap(one.box, other.box) < 0.3 for other in best):
            best.append(one)
    out = []
    for one in best[:most]:
        corner = part.to_point(one.left, one.top)
        pitch_x, pitch_y = one.pitch_x / part.scale, one.pitch_y / part.scale
        out.append(Grid(Shape(one.rows, one.cols), corner.x, corner.y, pitch_x, pitch_y))
    return tuple(out)


# ---------------------------------------------------------------- where something repeats


@dataclass(frozen=True, slots=True)
class _Place:
    """A part of the picture (pixels) that repeats at about these distances."""

    box: Box
    pitch_x: float
    pitch_y: float


def _places(pixels: Pixels) -> Iterator[_Place]:
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    seen: list[_Place] = []
    for reduced, low, high in SCALES:
        small = grey
        if reduced > 1:
            size = (max(1, grey.shape[1] // reduced), max(1, grey.shape[0] // reduced))
            small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
        if min(small.shape) < WINDOW // 2:
            break
        edges_x = np.asarray(cv2.absdiff(small[:, 1:], small[:, :-1]), np.uint8)
        edges_y = np.asarray(cv2.absdiff(small[1:], small[:-1]), np.uint8)
        across = _repeats(edges_x, low / reduced, high / reduced)
        down = _repeats(edges_y.T, low / reduced, high / reduced)
        for place in _common(across, down, reduced, small.shape):
            if all(overlap(place.box, p.box) < 0.5 or abs(place.pitch_x / p.pitch_x - 1) > 0.1 for p in seen):
                seen.append(place)
                yield place


@dataclass(frozen=True, slots=True, eq=False)
class _Repeats:
    """Per band and window the pitch (0 where nothing repeats), and how strongly it does."""

    pitch: F32
    power: F32


def _repeats(edges: Pixels, low: float, high: float) -> _Repeats:
    """What repeats along the rows of a picture of edges, band by band."""
    height, width = edges.shape
    bands = max(1, height // HOP)
    rows = min(HOP, height)
    profile = np.stack(
        [cv2.reduce(edges[b * rows : (b + 1) * rows], 0, cv2.REDUCE_AVG, dtype=cv2.CV_32F)[0] for b in range(bands)]
    )
    profile[:-1] = (profile[:-1] + profile[1:]) / 2  # bands overlap by half
    profile = np.sqrt(profile)
    if width < WINDOW:
        profile = np.pad(profile, ((0, 0), (0, WINDOW - width)))
    windows = np.lib.stride_tricks.sliding_window_view(profile, WINDOW, axis=1)[:, ::HOP].astype(np.float32)
    # one strong edge, such as a frame's, must not stand for all
    windows = np.minimum(windows, 2.0 * windows.mean(2, keepdims=True))
    windows = windows - windows.mean(2, keepdims=True)
    pitch, power = (np.zeros(windows.shape[:2], np.float32) for _ in range(2))
    full = np.einsum("bwk,bwk->bw", windows, windows) > 0.05 * WINDOW  # most of a screen is empty
    if not full.any():
        return _Repeats(pitch, power)
    spectrum = np.fft.rfft(windows[full], 2 * WINDOW, axis=1)
    back = np.fft.irfft(np.abs(spectrum) ** 2, axis=1)[:, :WINDOW].astype(np.float32)
    lags = np.arange(WINDOW)
    share = back / np.maximum(back[:, :1], 1e-3) * (WINDOW / np.maximum(WINDOW - lags, WINDOW // 4))
    lo, hi = max(4, int(low)), min(WINDOW // 2, int(np.ceil(high)) + 1)
    inner = share[:, lo:hi]
    peak = (inner >= share[:, lo - 1 : hi - 1]) & (inner >= share[:, lo + 1 : hi + 1]) & (inner > REPEATS)
    strongest = np.where(peak, inner, 0).max(1)
    # the first peak that is nearly the strongest: its multiples repeat as well
    good = peak & (inner >= 0.85 * strongest[:, None]) & (strongest[:, None] > 0)
    some = good.any(1)
    # to a part of a pixel, by the parabola through three values
    at = good.argmax(1) + lo
    a, b, c = (np.take_along_axis(share, (at + d)[:, None], axis=1)[:, 0] for d in (-1, 0, 1))
    bend = a - 2 * b + c
    part = np.where(np.abs(bend) > 1e-6, 0.5 * (a - c) / np.where(np.abs(bend) > 1e-6, bend, 1), 0).clip(-0.5, 0.5)
    pitch[full], power[full] = np.where(some, at + part, 0), np.where(some, strongest, 0)
    return _Repeats(pitch, power)


def _common(across: _Repeats, down: _Repeats, reduced: int, shape: tuple[int, ...]) -> Iterator[_Place]:
    """Where the picture repeats across and down: connected places of one pitch."""
    height, width = shape[0] // HOP, shape[1] // HOP
    px, py = _map(across, height, width), _map(down, width, height).T
    both = (px > 0) & (py > 0) & (px < 1.5 * py) & (py < 1.5 * px)
    for _ in range(4):
        if both.sum() < 4:
            return
        values = px[both]
        usual = float(np.median(values[np.abs(values - _mode(values)) < 1.5]))
        mine = both & (np.abs(px - usual) < 0.06 * usual + 0.5)
        high = float(np.median(py[mine])) if mine.any() else usual
        mine &= np.abs(py - high) < 0.06 * high + 0.5
        closed = cv2.morphologyEx(mine.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
        for i in range(1, count):
            x, y, w, h, area = (int(v) for v in stats[i][:5])
            if area >= 4:
                own = mine & (labels == i)
                if own.any():
                    pitch_x, pitch_y = float(np.median(px[own])), float(np.median(py[own]))
                    box = Box(x * HOP * reduced, y * HOP * reduced, w * HOP * reduced, h * HOP * reduced)
                    yield _Place(box, pitch_x * reduced, pitch_y * reduced)
        taken = mine | (closed > 0)
        both = both & ~taken


def _mode(values: F32) -> float:
    counts = np.bincount(np.round(values).astype(np.int64))
    return float(counts.argmax())


def _map(repeats: _Repeats, bands: int, places: int) -> F32:
    """Pitch per square of HOP pixels: of the strongest window that covers it."""
    pitch, power = repeats.pitch, repeats.power
    out = np.zeros((bands, places), np.float32)
    best = np.zeros((bands, places), np.float32)
    rows = min(bands, len(pitch))
    for k in range(WINDOW // HOP):
        n = min(places - k, pitch.shape[1])
        if n <= 0:
            break
        part, strength = out[:rows, k : k + n], best[:rows, k : k + n]
        better = power[:rows, :n] > strength
        part[better] = pitch[:rows, :n][better]
        strength[better] = power[:rows, :n][better]
    return out


# ---------------------------------------------------------------- the lattice there


@dataclass(frozen=True, slots=True)
class _Lattice:
    rows: int
    cols: int
    left: float
    top: float
    pitch_x: float
    pitch_y: float
    alike: int

    @property
    def box(self) -> Box:
        return Box(self.left, self.top, self.cols * self.pitch_x, self.rows * self.pitch_y)


def _lattice(pixels: Pixels, place: _Place) -> _Lattice | None:
    height, width = pixels.shape[:2]
    box = place.box.clipped(Box(0, 0, width, height))
    core = pixels[int(box.y) : int(box.bottom), int(box.x) : int(box.right)]
    if min(core.shape[:2]) < 2 * max(place.pitch_x, place.pitch_y):
        return None
    grey = cv2.cvtColor(np.ascontiguousarray(core), cv2.COLOR_BGR2GRAY).astype(np.float32)
    pitch_x = _fine(np.abs(np.diff(grey, axis=1)).mean(0), place.pitch_x)
    pitch_y = _fine(np.abs(np.diff(grey, axis=0)).mean(1), place.pitch_y)
    # a look around: the windows may have missed a part of the board
    beyond = 1.3 * WINDOW * max(1.0, place.pitch_x / 28)
    x0, y0 = max(0.0, box.x - beyond), max(0.0, box.y - beyond)
    x1, y1 = min(float(width), box.right + beyond), min(float(height), box.bottom + beyond)
    cols, rows = int((x1 - x0) / pitch_x), int((y1 - y0) / pitch_y)
    if min(rows, cols) < MIN_SIDE or rows * cols > 40_000:
        return None
    soft = _even(pixels, x0, y0, pitch_x, pitch_y, rows, cols)
    inside = Box((box.x - x0) / pitch_x, (box.y - y0) / pitch_y, box.width / pitch_x, box.height / pitch_y)
    phase = [0, 0]
    for turn in (0, 1):  # across, then down
        scores = np.zeros(FINE)
        for k in range(0, FINE, 2):
            phase[turn] = k
            scores[k] = _block(soft, rows, cols, phase, inside, FEW)[0]
        if scores.max() <= 0:
            return None
        phase[turn] = _middle_of_best(scores[::2]) * 2
    for turn in (0, 1):  # and closer, with the other one known
        middle = phase[turn]
        scores = np.zeros(FINE)
        for k in (middle + d for d in (-2, -1, 0, 1, 2)):
            phase[turn] = k % FINE
            scores[k % FINE] = _block(soft, rows, cols, phase, inside, FEW)[0]
        phase[turn] = _middle_of_best(scores)
    _, block = _block(soft, rows, cols, phase, inside, MANY)
    if block is None:
        return None
    r0, r1, c0, c1, alike = block
    rows, cols = r1 - r0, c1 - c0
    left, top = x0 + (phase[0] / FINE + c0) * pitch_x, y0 + (phase[1] / FINE + r0) * pitch_y
    part = pixels[int(top) : int(top + rows * pitch_y), int(left) : int(left + cols * pitch_x)]
    grey = cv2.cvtColor(np.ascontiguousarray(part), cv2.COLOR_BGR2GRAY).astype(np.float32)
    across, down = np.abs(np.diff(grey, axis=1)).mean(0), np.abs(np.diff(grey, axis=0)).mean(1)
    # the whole board tells the pitch better than the place it was found at; its middle stays
    middle_x, middle_y = left + cols * pitch_x / 2, top + rows * pitch_y / 2
    pitch_x, pitch_y = _fine(across, pitch_x, 0.4 / cols), _fine(down, pitch_y, 0.4 / rows)
    x, y = middle_x - cols * pitch_x / 2, middle_y - rows * pitch_y / 2
    left = int(left) + _snapped(across, x - int(left), pitch_x)
    top = int(top) + _snapped(down, y - int(top), pitch_y)
    # once more with the better pitch, and a little further around: lines at the edge are in reach now
    ring_x, ring_y = min(2, int(left / pitch_x)), min(2, int(top / pitch_y))
    more_x = min(2, int((width - left) / pitch_x - cols + 0.01))
    more_y = min(2, int((height - top) / pitch_y - rows + 0.01))
    # from a sixteenth of a cell before on, so that the place may move by that to either side
    x, y = left - (ring_x + 1 / FINE) * pitch_x, top - (ring_y + 1 / FINE) * pitch_y
    high, wide = rows + ring_y + max(0, more_y), cols + ring_x + max(0, more_x)
    soft = _even(pixels, x, y, pitch_x, pitch_y, high + 1, wide + 1)
    inside = Box(ring_x, ring_y, cols, rows)
    phase = [1, 1]
    for turn in (0, 1):
        near = [
            _block(soft, high + 1, wide + 1, [k, phase[1]] if turn == 0 else [phase[0], k], inside, FEW)[0]
            for k in (0, 1, 2)
        ]
        phase[turn] = int(np.argmax(np.array(near) * (1.0, 1.02, 1.0)))
    _, block = _block(soft, high + (phase[1] > 0), wide + (phase[0] > 0), phase, inside, MANY)
    if block is None:
        return _Lattice(rows, cols, left, top, pitch_x, pitch_y, alike)
    r0, r1, c0, c1, alike = block
    return _Lattice(
        r1 - r0,
        c1 - c0,
        x + (phase[0] / FINE + c0) * pitch_x,
        y + (phase[1] / FINE + r0) * pitch_y,
        pitch_x,
        pitch_y,
        alike,
    )


def _middle_of_best(scores: npt.NDArray[np.float64]) -> int:
    """The middle of the (cyclic) run of phases that are nearly the best."""
    best = int(scores.argmax())
    near, count = scores >= 0.97 * scores[best], len(scores)
    if near.all():
        return best
    before = next(k for k in range(count) if not near[(best - k - 1) % count])
    after = next(k for k in range(count) if not near[(best + k + 1) % count])
    return (best + (after - before) // 2) % count


def _snapped(edges: F32, start: float, pitch: float) -> float:
    """A start moved to the line that runs between the cells, where one does, a few parts of a cell away at most."""
    n = len(edges)
    steps = np.arange(start, n, pitch)
    shifts = np.arange(-0.14 * pitch, 0.14 * pitch + 0.01, 0.5)
    at = steps[None] + shifts[:, None] - 0.5  # the edge between pixels k and k + 1 lies at k + 1
    power = np.interp(at.ravel(), np.arange(n) + 0.5, edges, left=0, right=0).reshape(at.shape).mean(1)
    if power.max() < 1.8 * max(float(edges.mean()), 1e-3):
        return start
    strong = power > 0.6 * power.max()
    return start + float((shifts * power * strong).sum() / (power * strong).sum())


def _fine(profile: F32, pitch: float, slack: float = 0.012) -> float:
    """The pitch near a rough one, ``slack`` a part of it, at which a profile's first harmonics are strongest."""
    n = len(profile)
    profile = np.minimum(profile, 2.5 * float(profile.mean()))  # no frame or title outweighs the cells
    signal = profile - cv2.blur(profile.reshape(1, -1), (2 * int(pitch) + 1, 1), borderType=cv2.BORDER_REFLECT)[0]
    at = np.arange(n)
    # what a whole wavelength more or less over the profile would be bounds the step
    step = max(0.005, 0.1 * pitch * pitch / n)
    reach = slack * pitch + 0.1
    tried = np.arange(pitch - reach, pitch + reach, step)
    power = np.zeros(len(tried))
    for k in range(1, 7):  # fine drawings show in the higher ones
        waves = np.exp(-2j * np.pi * k * at[None] / tried[:, None])
        power += np.abs(waves @ signal) ** 2
    return float(tried[power.argmax()])


_Block = tuple[int, int, int, int, int]  # first row, end row, first column, end column, cells that look like others


def _block(
    soft: Pixels, rows: int, cols: int, phase: list[int], inside: Box, others: int
) -> tuple[float, _Block | None]:
    """How much the cells of the best block look like others, for one phase across and down, and that block."""
    rows, cols = rows - (phase[1] > 0), cols - (phase[0] > 0)
    at = soft[phase[1] : phase[1] + rows * FINE : 2, phase[0] : phase[0] + cols * FINE : 2]
    cells = at.reshape(rows, SIDE, cols, SIDE, 3).swapaxes(1, 2).reshape(rows * cols, -1).astype(np.float32)
    core = np.zeros((rows, cols), bool)
    core[
        max(0, round(inside.y)) : max(1, round(inside.bottom)), max(0, round(inside.x)) : max(1, round(inside.right))
    ] = True
    alike = _alike(cells, rows, cols, core, others)
    member = alike > 0
    if not member.any():
        return 0.0, None
    r0, r1, c0, c1 = _densest(member)
    part = alike[r0:r1, c0:c1]
    if min(part.shape) < MIN_SIDE or max(part.shape) > MAX_SIDE or float((part > 0).mean()) < ENOUGH:
        return 0.0, None
    return float(part.sum()), (r0, r1, c0, c1, int((part > 0).sum()))


def _even(pixels: Pixels, left: float, top: float, pitch_x: float, pitch_y: float, rows: int, cols: int) -> Pixels:
    """The picture from a corner on with cells of FINE x FINE pixels, each the mean of 2 x 2."""
    many_x, many_y = max(1, round(pitch_x / FINE)), max(1, round(pitch_y / FINE))
    step_x, step_y = pitch_x / (FINE * many_x), pitch_y / (FINE * many_y)
    even = resampled(pixels, left, top, step_x, step_y, FINE * many_x * cols, FINE * many_y * rows)
    if many_x > 1 or many_y > 1:
        even = np.asarray(cv2.resize(even, (FINE * cols, FINE * rows), interpolation=cv2.INTER_AREA), np.uint8)
    return np.asarray(cv2.blur(even, (2, 2), anchor=(0, 0)), np.uint8)


def _alike(cells: F32, rows: int, cols: int, core: Bools, most: int) -> F32:
    """(rows, cols): 0..1, how alike a cell is to one of the core in another row and column; 0 for not."""
    n = len(cells)
    within = np.flatnonzero(core.ravel())
    if not len(within):
        return np.zeros((rows, cols), np.float32)
    others = within[np.unique(np.linspace(0, len(within) - 1, min(len(within), most)).astype(np.int64))]
    square = np.einsum("nk,nk->n", cells, cells)
    apart = square[:, None] + square[others][None] - 2 * (cells @ cells[others].T)
    apart = np.sqrt(np.maximum(apart, 0) / cells.shape[1])
    row, col = np.divmod(np.arange(n), cols)
    for line in (row, col):  # a cell's own row and column prove nothing
        apart[line[:, None] == line[others]] = np.inf
    nearest = apart.min(1)
    # a cell that is even within itself says nothing of where cells are
    means = cells @ np.tile(np.eye(3, dtype=np.float32), (SIDE * SIDE, 1)) / (SIDE * SIDE)
    contrast = np.sqrt(np.maximum(square / cells.shape[1] - (means**2).mean(1), 0))
    usual = float(np.median(contrast[within]))
    alike = 1 - nearest / max(ALIKE * usual, 1e-3)
    alike[contrast < 0.3 * usual] = 0
    if usual < 2.5:
        alike[:] = 0
    return np.asarray(alike.clip(0, 1).reshape(rows, cols), np.float32)


def _densest(member: Bools) -> tuple[int, int, int, int]:
    """The largest block of members: first row, end row, first column, end column."""
    joined = cv2.morphologyEx(member.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    _, labels = cv2.connectedComponents(joined, connectivity=4)
    sizes = np.bincount(labels[member], minlength=2)
    sizes[0] = 0
    block = (labels == int(sizes.argmax())) & member
    ys, xs = np.flatnonzero(block.any(1)), np.flatnonzero(block.any(0))
    r0, r1, c0, c1 = int(ys[0]), int(ys[-1]) + 1, int(xs[0]), int(xs[-1]) + 1
    while r1 - r0 > 1 and c1 - c0 > 1:  # a border line must be half full
        part = block[r0:r1, c0:c1]
        fill = (float(part[0].mean()), float(part[-1].mean()), float(part[:, 0].mean()), float(part[:, -1].mean()))
        worst = int(np.argmin(fill))
        if fill[worst] >= 0.5:
            break
        r0, r1 = r0 + (worst == 0), r1 - (worst == 1)
        c0, c1 = c0 + (worst == 2), c1 - (worst == 3)
    return r0, r1, c0, c1
