"""Owns what cells show on sites whose cells are best known as whole pictures: textures, tiles and coloured drawings.

Legend: ``n`` normalised cells of a board, row-major, ``T`` x ``T`` pixels; ``m`` templates of one *set*: one look of
the site at one size. A board is drawn in one set throughout. Five steps, each on all cells at once:

1. the set whose coarse pictures are nearest, and how the board's colours differ from it: one curve per channel for
   the whole board (gamma, tint), never one per cell;
2. the place of every row and column, since tiles may be a pixel wider in one column than in the next;
3. per cell a few candidates by coarse distance;
4. the *excess* of a cell over a candidate: by how many levels a pixel lies outside of what the other picture shows
   within one pixel around, both ways. A small shift or blur costs nothing, a stroke that is missing costs its whole
   contrast. Colour is compared a little softer than brightness, since pictures store it so;
5. a cell is told when its excess is small in itself and beside the distance from its template to those of every other
   symbol, so that none of those can be nearer; all else is doubtful.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from autosolve.board.shape import Shape
from autosolve.vision.cells import F32, Bools, T, normalise, planar
from autosolve.vision.frame import Frame, Pixels
from autosolve.vision.grid import Grid, in_pixels
from autosolve.vision.match import ByIdentity, Match
from autosolve.vision.profile import Profile, Symbol, Template

Ints = npt.NDArray[np.int64]

SOFTER = 0.75  # of the templates' change from pixel to pixel: below that a board is blurred
COARSE = 8  # pixels: side of a coarse picture
STEP = T // COARSE
REACH = 7  # of T pixels: how far a row or column may lie beside its place in an even lattice
CANDIDATES = 4  # templates per cell that are compared in full
MOST_TOLD = 0.48  # of the distance to the nearest other symbol: a cell's own excess at most, to be told
MOST_OVERLAID = 0.5  # the same of the distance when both are laid over each other
# a little more than that, where the next other symbol is far behind on this very cell, and that fits well in levels
TOLD_BESIDE, CLEAR_MARGIN, CLEAR_COST = 1.6, 0.37, 8.0
SMALL = 6.0  # levels of excess between two symbols that are too few to tell them by
LEAST_MARGIN = 0.3  # of the next other symbol's distance: by how much the own one is smaller
COST_FLOOR, PEAK_FLOOR, TIMES = 4.0, 14.0, 2.5  # levels beside that many times what is usual on the board, at most
BUSY, BUSY_PEAK = (
    0.08,
    0.5,
)  # beside a part of how much the template changes from pixel to pixel: resized, fine drawings differ most
OWN_SHARE = 0.5  # of a board's cells that must be told, or none is: another program's may look like a few of ours
# levels between cells and the nearest coarse templates, on average, from which no such share of them is told, before
# and after rows and columns were put in their places
HOPELESS = 34.0, 28.0
FOREIGN = "most of the board is not this program's"  # why a cell is doubtful
STRANGE = "the board is not this program's"  # the same where no other place of the lattice would help
SAME_COLOUR = 5.0  # levels between the means of two cells that show the same
FRESH_FAR = 4.0  # levels between cells and the nearest templates, on average, beyond which a board without any drawing
# on it must have the program's own colours
ASKEW = 0.03  # share of cells that do not fit their template, from which small marks are not trusted
ANCHORS = 3  # numbers that must be told before open cells are, on a board in other colours
CLOSE = 14.0  # levels of excess between two symbols that a change of all colours may turn into each other
LIKENESS = 0.6  # correlation with the own template, at least
# of the pattern that the board's other cells of the symbol share, and correlation with it: enough where a cell falls
# short of its template, which neither knows what lies behind a board nor which of its lines fall on a pixel
PATTERN, PATTERN_LIKENESS, ALIKE = 0.75, 0.6, 4
RIM = 5  # of T pixels at a board's sides, where its frame may be drawn instead of a cell's line
MOST_COST = 12.0  # levels, root mean square over a cell
MOST_PEAK = 60.0  # levels, mean of a 3 x 3 patch
UNTOLD = MOST_COST + 0.1 * MOST_PEAK
AS_IT_IS = 2.0  # levels between cells and the nearest coarse templates: below that a board's colours are the program's
SCENERY = 10.0  # levels by which a part of a board may be lighter or darker than the rest
LEAN = 20.0  # levels from the middle of a board to its edge that its background may grow lighter
LIGHTEST, DARKEST = 0.66, 1.5  # gammas that a board may be drawn at
SAME_WITHIN = 4.0  # levels: a curve that differs less is none
_HANKEL = np.add.outer(np.arange(3), np.arange(3))  # which power stands where in the sums of squares
_RAMP = np.repeat(np.linspace(0, 255, 9, dtype=np.float32)[:, None], 3, axis=1)
_LIGHTEST = 255 * (_RAMP[1:-1, :1] / 255.0) ** LIGHTEST + 6
# night colours take blue away, and some green; nothing takes away red
_DARKEST = 255 * (_RAMP[1:-1, :1] / 255.0) ** DARKEST * np.array([[0.5, 0.72, 1.0]]) - 8
# curves are held towards "the same" where a board shows too few colours to tell
_HOLD = np.diag([0.02, 0.01, 0.02])


@dataclass(frozen=True, slots=True, eq=False)
class Set:
    """The templates of one look and size, as soft as a picture of that pitch shows them."""

    look: str
    size: str
    symbols: tuple[Symbol, ...]
    cells: Pixels  # (m, T, T, 3)
    coarse: F32  # (m, COARSE * COARSE * 3)
    of: Ints  # (m,) which of the symbols, as a number
    hover: Bools  # (m,) how a cell looks while the pointer is over it: at most one of a board


@lru_cache(maxsize=32)
def _sets(key: ByIdentity, pitch: int) -> tuple[Set, ...]:
    """The site's templates drawn down to ``pitch`` pixels and brought to T again, by look and size."""
    groups: dict[tuple[str, str], list[Template]] = {}
    for some in key.profile.templates.values():
        for t in some:
            groups.setdefault((t.look, t.variant.partition("+")[0]), []).append(t)
    out = []
    for (look, size), templates in groups.items():
        stack = []
        for t in templates:
            h, w = t.pixels.shape[:2]
            small = cv2.resize(t.pixels, (min(pitch, w), min(pitch, h)), interpolation=cv2.INTER_AREA)
            stack.append(normalise(small.astype(np.uint8), 0, 0, small.shape[1], small.shape[0], 1, 1)[0])
        cells = np.stack(stack)
        hover = np.array([t.variant.endswith("+hover") for t in templates])
        symbols = tuple(t.symbol for t in templates)
        of = np.unique([s.value for s in symbols], return_inverse=True)[1].astype(np.int64)
        out.append(Set(look, size, symbols, cells, _coarse(cells), of, hover))
    return tuple(out)


def sets(profile: Profile, pitch: float) -> tuple[Set, ...]:
    """A site's templates for boards of that pitch (pixels)."""
    return _sets(ByIdentity(profile), int(min(max(8, round(pitch)), 2 * T)))


# ---------------------------------------------------------------- coarse


def _coarse(cells: Pixels) -> F32:
    """(n, COARSE * COARSE * 3): means of square patches."""
    return _coarse_of(_board(cells, len(cells), 1), len(cells), 1)


def _coarse_of(board: Pixels, rows: int, cols: int) -> F32:
    """The same of a whole board, T pixels a cell."""
    small = cv2.resize(board, (cols * COARSE, rows * COARSE), interpolation=cv2.INTER_AREA)
    cells = small.reshape(rows, COARSE, cols, COARSE, 3).swapaxes(1, 2).reshape(rows * cols, -1)
    return np.ascontiguousarray(cells, dtype=np.float32)


def _distances(a: F32, b: F32) -> F32:
    """(n, m) root mean square difference."""
    square = np.einsum("nk,nk->n", a, a)[:, None] + np.einsum("nk,nk->n", b, b)[None] - 2 * (a @ b.T)
    return np.asarray(np.sqrt(np.maximum(square, 0) / a.shape[1]), np.float32)


def _spread(n: int, most: int) -> Ints:
    """At most ``most`` of n cells, all over the board."""
    return np.unique(np.linspace(0, n - 1, min(n, most)).round().astype(np.int64))


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """How a board's colours follow from the templates': per channel a + b x + c x**2, in levels; (3, 3)."""

    factors: F32

    def __call__(self, values: F32) -> F32:
        """Template colours (..., 3) as this board shows them."""
        if values.ndim < 3:
            a, b, c = self.factors
            return np.asarray(a + values * (b + values * c), np.float32)
        size = values.shape[-2:]  # whole lines at once, and not three values
        a, b, c = np.broadcast_to(self.factors[:, None], (3, *size)).reshape(3, size[0] * 3)
        lines = values.reshape(*values.shape[:-2], -1)
        return np.asarray(a + lines * (b + lines * c), np.float32).reshape(values.shape)

    @property
    def sane(self) -> bool:
        """Whether gamma, tint or a display's profile could do that: brighter stays brighter, and not by far."""
        shown = self(_RAMP[1:-1])
        brighter = shown[1:] > shown[:-1]
        return bool(brighter.all() and (shown <= _LIGHTEST).all() and (shown >= _DARKEST).all())


SAME = Curve(np.array([[0] * 3, [1] * 3, [0] * 3], np.float32))


def _curve(wanted: F32, seen: F32, start: Curve = SAME) -> Curve:
    """The curve from template colours to the board's, (k, 3) each; outliers weigh little."""
    levels = np.ascontiguousarray(wanted.T)  # (3, k)
    x, y = levels / np.float32(255), np.ascontiguousarray(seen.T) / np.float32(255)
    powers = np.empty((3, 5, x.shape[1]), np.float32)
    powers[:, 0], powers[:, 1] = 1, x
    for k in (2, 3, 4):
        np.multiply(powers[:, k - 1], x, out=powers[:, k])
    change = y - x
    a, b, c = start.factors[:, :, None]
    rest = y - (a + levels * (b + levels * c)) / np.float32(255)
    best = np.zeros((3, 3))
    for _ in range(3):
        weight = 1 / (1 + (rest * np.float32(1 / 0.06)) ** 2)
        sums = (powers @ weight[:, :, None])[:, :, 0].astype(np.float64)
        left = sums[:, _HANKEL] + _HOLD * max(0.05 * x.shape[1], float(sums[:, 0].sum()) / 3)
        right = (powers[:, :3] @ (weight * change)[:, :, None]).astype(np.float64)
        best = np.linalg.solve(left, right)[:, :, 0]
        rest = change - (best.astype(np.float32)[:, None] @ powers[:, :3])[:, 0]
    best[:, 0] *= 255
    best[:, 1] += 1
    best[:, 2] /= 255
    return Curve(np.ascontiguousarray(best.T.astype(np.float32)))


@dataclass(frozen=True, eq=False)
class _Fit:
    """A set with the curve under which it is nearest to a board, and how far it stays: levels."""

    set: Set
    curve: Curve
    far: float
    soft: bool = False  # its templates were blurred for this board

    @cached_property
    def coarse(self) -> F32:
        """The set's coarse templates as this board shows them."""
        plain = self.set.coarse
        return plain if self.curve is SAME else self.curve(plain.reshape(len(plain), -1, 3)).reshape(len(plain), -1)

    @cached_property
    def known(self) -> _Known:
        """The set's templates as this board shows them, made ready for comparison."""
        if self.curve is SAME and not self.soft:
            return _known(self.set)
        return _Known(self.planes, self.set.symbols)

    @cached_property
    def planes(self) -> _Planes:
        """The same, as planes."""
        return _known(self.set).planes if self.curve is SAME and not self.soft else _planes(self.shown)

    @cached_property
    def shown(self) -> Pixels:
        """The set's templates as this board shows them."""
        return np.asarray(self.curve(self.set.cells.astype(np.float32)).clip(0, 255).round(), np.uint8)


def _fit(coarse: F32, choice: Set, start: Curve = SAME, rounds: int = 2) -> _Fit:
    """The curve for one set, over some cells of a board."""
    plain = choice.coarse.reshape(len(choice.cells), -1, 3)
    curve = start
    apart = _distances(coarse, curve(plain).reshape(len(plain), -1))
    for _ in range(rounds):
        best, far = apart.argmin(1), apart.min(1)
        near = far <= max(8.0, float(np.partition(far, int(0.7 * len(far)))[int(0.7 * len(far))]))
        wanted = plain[best[near]].reshape(-1, 3)
        seen = coarse[near].reshape(-1, 3)
        step = max(1, len(wanted) // 1200) | 1  # odd: no line of a cell is left out
        found = _curve(wanted[::step], seen[::step], curve)
        curve = found if found.sane else SAME
        apart = _distances(coarse, curve(plain).reshape(len(plain), -1))
    if np.abs(curve(_RAMP) - _RAMP).max() < SAME_WITHIN:
        curve = SAME
        apart = _distances(coarse, choice.coarse)
    return _Fit(choice, curve, float(np.minimum(apart.min(1), 40.0).mean()))


def _choice(coarse: F32, choices: tuple[Set, ...], most: int = 6) -> list[_Fit]:
    """The sets that may be a board's, the likeliest first: of each look the nearest as it is, and the next ones."""
    some = coarse[_spread(len(coarse), 90)]
    every = _distances(some, np.concatenate([c.coarse for c in choices]))
    starts = np.cumsum([0, *(len(c.cells) for c in choices)])[:-1]
    plain = np.minimum(np.minimum.reduceat(every, starts, axis=1), 40.0).mean(0)
    order = [int(i) for i in plain.argsort()]
    firsts = {choices[i].look: i for i in reversed(order)}
    picked = list(dict.fromkeys([*order[:2], *firsts.values(), *order]))[: max(most, len(firsts))]
    if plain[order[0]] < AS_IT_IS:  # the next sizes may fit as well, and looks that differ in a few drawings only
        picked = [i for i in order[:most] if plain[i] < 2 * AS_IT_IS]
    return _ranked([_fit(some, choices[i]) for i in picked], coarse)


def _various(coarse: F32, fit: _Fit, most: int) -> tuple[Ints, F32]:
    """Some cells of a board, at most ``most`` of each symbol that a set finds there, and their weights: every symbol
    counts alike. What most cells show, covered ones above all, tells neither font nor size."""
    at = _spread(len(coarse), 400)
    kind = fit.set.of[_distances(coarse[at], fit.coarse).argmin(1)]
    picked = [at[mine][_spread(len(mine), most)] for mine in (np.flatnonzero(kind == k) for k in np.unique(kind))]
    weights = np.concatenate([np.full(len(mine), 1 / len(mine), np.float32) for mine in picked])
    return np.concatenate(picked), np.asarray(weights / len(picked), np.float32)


def _ranked(fits: list[_Fit], coarse: F32) -> list[_Fit]:
    """The likeliest of some fits to a board: three by what most cells show, the last of which yields to the likeliest
    by every symbol alike."""
    fits = sorted(fits, key=lambda f: f.far)
    if len(fits) < 4:
        return fits
    picked, weights = _various(coarse, fits[0], 12)
    some = coarse[picked]
    alike = min(fits, key=lambda f: float(weights @ np.minimum(_distances(some, f.coarse).min(1), 40.0)))
    return fits[:3] if alike in fits[:3] else [*fits[:2], alike]


# ---------------------------------------------------------------- places


def _board(stack: Pixels, rows: int, cols: int) -> Pixels:
    return np.ascontiguousarray(stack.reshape(rows, cols, T, T, 3).swapaxes(1, 2).reshape(rows * T, cols * T, 3))


def _cells(board: Pixels, rows: int, cols: int, picked: Ints | None = None) -> Pixels:
    """The cells of a board, or some of them."""
    cells = board.reshape(rows, T, cols, T, 3).swapaxes(1, 2)
    if picked is not None:
        return cells[np.divmod(picked, cols)]
    return np.ascontiguousarray(cells).reshape(rows * cols, T, T, 3)


def _rimmed(board: Pixels) -> Pixels:
    """A board with REACH pixels around it, which are like its edge."""
    return np.asarray(cv2.copyMakeBorder(board, REACH, REACH, REACH, REACH, cv2.BORDER_REPLICATE), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class _Lines:
    """Some cells of every column (``along`` 1) or row (0) of a board as coarse pictures, at each place it may lie at:
    ``cells`` (places, lines, cells of a line, COARSE * COARSE * 3), ``squares`` their sums of squares."""

    cells: F32
    squares: F32
    along: int


def _lines(rimmed: Pixels, rows: int, cols: int) -> tuple[_Lines, _Lines]:
    """The columns of a board that has a rim, and its rows."""
    soft = cv2.blur(rimmed, (STEP, STEP), borderType=cv2.BORDER_REPLICATE)
    room = REACH + 1  # beyond the rim its edge repeats
    out = []
    for along, lines, others in ((1, cols, rows), (0, rows, cols)):
        picked = _spread(others, 20)
        # the blur's middle lies half a pixel after the pixel it is stored at
        across = (picked[:, None] * T + np.arange(COARSE) * STEP + STEP // 2).ravel() + REACH
        part = soft[across] if along else np.ascontiguousarray(soft[:, across].swapaxes(0, 1))
        part = cv2.copyMakeBorder(part, 0, 0, 1, 1, cv2.BORDER_REPLICATE)
        combs = [part[:, k::STEP].astype(np.float32) for k in range(STEP)]
        cells = np.empty((2 * REACH + 1, lines, len(picked), COARSE, COARSE * 3), np.float32)
        for i in range(len(cells)):
            start, comb = divmod(room + STEP // 2 + i - REACH, STEP)
            seen = combs[comb][:, start : start + lines * COARSE]
            cells[i] = seen.reshape(len(picked), COARSE, lines, COARSE * 3).transpose(2, 0, 1, 3)
        flat = cells.reshape(len(cells), lines, len(picked), -1)
        out.append(_Lines(flat, np.einsum("slpk,slpk->slp", flat, flat), along))
    return out[0], out[1]


def _shifts(lines: _Lines, shown: F32) -> Ints:
    """By how many of T pixels each column or row lies beside its even place."""
    if not lines.along:  # they run the other way
        shown = shown.reshape(-1, COARSE, COARSE, 3).swapaxes(1, 2).reshape(len(shown), -1)
    _, count, _, size = lines.cells.shape
    least = ((shown**2).sum(1)[:, None] - 2 * (shown @ lines.cells.reshape(-1, size).T)).min(0)
    far = np.sqrt(np.maximum(lines.squares + least.reshape(lines.squares.shape), 0) / size)
    cost = np.minimum(far, 40.0).mean(2)
    # lines are placed alike: half of the evidence is that of the neighbours
    joint = cost + 0.5 * (np.roll(cost, 1, 1) + np.roll(cost, -1, 1)) if count > 2 else cost
    joint = joint + 0.02 * np.abs(np.arange(-REACH, REACH + 1))[:, None]
    return np.asarray(joint.argmin(0) - REACH, np.int64)


def _moved(rimmed: Pixels, down: Ints, across: Ints) -> Pixels:
    """A board of which the rim is known, with each row and column taken from its own place."""
    out = np.empty((len(down) * T, rimmed.shape[1], 3), np.uint8)
    for i, by in enumerate(down):
        out[i * T : i * T + T] = rimmed[i * T + REACH + by :][:T]
    moved = np.empty((len(down) * T, len(across) * T, 3), np.uint8)
    for i, by in enumerate(across):
        moved[:, i * T : i * T + T] = out[:, i * T + REACH + by :][:, :T]
    return moved


# ---------------------------------------------------------------- a lattice's true place

RINGS = 2  # cells around a found lattice that may belong to the board
WORSE = 0.25  # by which the scores of a line that is added may lie below those of the board
NEAR_ENOUGH = 6.0  # levels by which cells beside a board may lie further from the templates than its own
UNEVEN = 0.06  # of a pitch that a row or column may lie beside its even place
ADDED, DROPPED = 0.7, 0.25  # share of a line's cells that are told, from which it is added, below which it is dropped
LOOKED_AT = 0.4  # the same of cells that are near to the templates at first sight, from which a line is tried
PERHAPS = 0.25  # the same of a line that is not added, from which a board may go on there


def settle(frame: Frame, grid: Grid, profile: Profile) -> Grid:
    """A lattice moved and stretched to where the site's own cells are, and grown or cut to as far as they go.

    For lattices that are right in pitch, to a few parts of a hundred, but not in place: found by texture, or by
    tiles that are only a part of each cell. What does not look like the site at all comes back as it was."""
    rows, cols = grid.shape.rows, grid.shape.cols
    left, top, pitch_x, pitch_y = in_pixels(frame, grid)
    choices = sets(profile, (pitch_x + pitch_y) / 2)
    every = np.concatenate([c.coarse for c in choices])

    high, wide = rows + 2, cols + 2
    around = normalise(frame.pixels, left - pitch_x, top - pitch_y, pitch_x, pitch_y, high, wide, apart=True)
    board = _board(around, high, wide)
    soft = cv2.blur(board, (STEP, STEP), borderType=cv2.BORDER_REPLICATE)[STEP // 2 :: STEP, STEP // 2 :: STEP]
    windows = np.lib.stride_tricks.sliding_window_view(soft, (COARSE, COARSE), axis=(0, 1)).transpose(0, 1, 3, 4, 2)
    r, c = np.divmod(_spread(rows * cols, 90), cols)
    steps = np.arange(-COARSE // 2, COARSE // 2 + 1) * STEP
    scores = np.zeros((len(steps), len(steps)), np.float32)
    for i, dy in enumerate(steps):
        for j, dx in enumerate(steps):
            cells = windows[(r + 1) * COARSE + dy // STEP, (c + 1) * COARSE + dx // STEP]
            far = _distances(cells.reshape(len(r), -1).astype(np.float32), every).min(1)
            scores[i, j] = np.minimum(far, 40.0).mean() + 0.005 * (abs(dx) + abs(dy))
    lowest = divmod(int(scores.argmin()), len(steps))
    left += float(steps[lowest[1]]) / T * pitch_x
    top += float(steps[lowest[0]]) / T * pitch_y

    for _ in range(2):  # the rest of the shift, and what the pitch is off by
        stack = normalise(frame.pixels, left, top, pitch_x, pitch_y, rows, cols, apart=True)
        board = _board(stack, rows, cols)
        coarse = _coarse_of(board, rows, cols)
        fit = _choice(coarse, choices)[0]
        shown = fit.coarse
        for lines, count in zip(_lines(_rimmed(board), rows, cols), (cols, rows), strict=True):
            slope, start = _even_place(_shifts(lines, shown), count)
            if lines.along:
                left, pitch_x = left + start * pitch_x, pitch_x * (1 + slope)
            else:
                top, pitch_y = top + start * pitch_y, pitch_y * (1 + slope)

    rows, cols = rows + 2 * RINGS, cols + 2 * RINGS
    corner_x, corner_y = left - RINGS * pitch_x, top - RINGS * pitch_y
    stack = normalise(frame.pixels, corner_x, corner_y, pitch_x, pitch_y, rows, cols, apart=True)
    found = match(stack, rows, cols, profile, (pitch_x + pitch_y) / 2, own_share=0.0)
    scores = found.scores.reshape(rows, cols)
    told = np.array([not doubt for doubt in found.doubts]).reshape(rows, cols)
    # beyond the picture its edge repeats, which is no cell
    down, across = top + (np.arange(rows) - RINGS + 0.5) * pitch_y, left + (np.arange(cols) - RINGS + 0.5) * pitch_x
    told[(down < 0) | (down > frame.height)] = False
    told[:, (across < 0) | (across > frame.width)] = False
    r0, r1, c0, c1 = RINGS, rows - RINGS, RINGS, cols - RINGS
    if float(told[r0:r1, c0:c1].mean()) < DROPPED:
        return grid
    while r1 - r0 > 3 and c1 - c0 > 3:
        part = told[r0:r1, c0:c1]
        ends = [part[0].mean(), part[-1].mean(), part[:, 0].mean(), part[:, -1].mean()]
        worst = int(np.argmin(ends))
        if ends[worst] >= DROPPED:
            break
        r0, r1, c0, c1 = r0 + (worst == 0), r1 - (worst == 1), c0 + (worst == 2), c1 - (worst == 3)
    usual = float(np.median(scores[r0:r1, c0:c1][told[r0:r1, c0:c1]])) - WORSE

    def belongs(line: Bools, score: F32) -> bool:
        """Whether a line beside the board looks as much like the site as the board does."""
        return bool(line.size) and float(line.mean()) >= ADDED and float(np.median(score)) >= usual

    for _ in range(RINGS):
        r0 -= r0 > 0 and belongs(told[r0 - 1, c0:c1], scores[r0 - 1, c0:c1])
        r1 += r1 < rows and belongs(told[r1 : r1 + 1, c0:c1], scores[r1 : r1 + 1, c0:c1])
        c0 -= c0 > 0 and belongs(told[r0:r1, c0 - 1], scores[r0:r1, c0 - 1])
        c1 += c1 < cols and belongs(told[r0:r1, c1 : c1 + 1], scores[r0:r1, c1 : c1 + 1])
    corner = frame.to_point(left + (c0 - RINGS) * pitch_x, top + (r0 - RINGS) * pitch_y)
    return replace(
        grid,
        shape=Shape(int(r1 - r0), int(c1 - c0)),
        left=corner.x,
        top=corner.y,
        pitch_x=pitch_x / frame.scale,
        pitch_y=pitch_y / frame.scale,
    )


def goes_on(wide: Pixels, profile: Profile, pitch: float) -> tuple[str, ...]:
    """At which sides of a board the line of cells beside it may belong to it: top, bottom, left, right.

    ``wide`` uint8 (rows + 2, cols + 2, T, T, 3), the board's cells and those around it. A first look only: many cells
    of the line are as near to the site's templates as cells of the board are."""
    rows, cols = wide.shape[0] - 2, wide.shape[1] - 2
    every = np.concatenate([c.coarse for c in sets(profile, pitch)])
    inside = np.ascontiguousarray(wide[1:-1, 1:-1]).reshape(rows * cols, T, T, 3)[_spread(rows * cols, 60)]
    usual = float(np.quantile(_distances(_coarse(inside), every).min(1), 0.8)) + NEAR_ENOUGH
    lines = {
        "top": wide[0, 1:-1],
        "bottom": wide[-1, 1:-1],
        "left": wide[1:-1, 0],
        "right": wide[1:-1, -1],
    }
    far = {side: _distances(_coarse(np.ascontiguousarray(line)), every).min(1) for side, line in lines.items()}
    return tuple(side for side, apart in far.items() if float((apart <= usual).mean()) >= LOOKED_AT)


def replaced(frame: Frame, grid: Grid, found: Match) -> Grid:
    """A lattice moved and stretched to where ``match`` found most of its rows and columns."""
    if found.shifts is None:
        return grid
    left, top, pitch_x, pitch_y = in_pixels(frame, grid)
    (slope_y, start_y), (slope_x, start_x) = (_even_place(shifts, len(shifts)) for shifts in found.shifts)
    corner = frame.to_point(left + start_x * pitch_x, top + start_y * pitch_y)
    return replace(
        grid,
        left=corner.x,
        top=corner.y,
        pitch_x=grid.pitch_x * (1 + slope_x),
        pitch_y=grid.pitch_y * (1 + slope_y),
    )


def _even_place(shifts: Ints, count: int) -> tuple[float, float]:
    """By what part of a pitch lines lie further apart than they should, and the first lies beside its place."""
    moves = shifts.astype(np.float64) / T
    return _line(moves) if count > 2 else (0.0, float(moves.mean()))


def uneven(found: Match) -> bool:
    """Whether rows or columns are not all equally wide: some lie beside the line that all should lie on."""
    out = False
    for moves in found.shifts or ():
        slope, start = _even_place(moves, len(moves))
        off = moves / T - start - slope * (np.arange(len(moves)) + 0.5)
        out |= bool(np.abs(off).max() > UNEVEN)
    return out


def _line(values: npt.NDArray[np.float64]) -> tuple[float, float]:
    """Slope per index and value at the start of the first cell of a line through values at cells' middles; outliers
    count little."""
    at = np.arange(len(values)) + 0.5
    slope, start = 0.0, float(np.median(values))
    for _ in range(3):
        weight = 1 / (1 + ((values - slope * at - start) / 0.04) ** 2)
        slope, start = (float(v) for v in np.polyfit(at, values, 1, w=np.sqrt(weight)))
    return slope, start


# ---------------------------------------------------------------- excess

_NEAR = np.ones((3, 3), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class _Planes:
    """Pictures as (count, 3, T, T) of brightness and two colour differences, with what lies around each pixel."""

    value: Pixels
    low: Pixels
    high: Pixels


def _planes(cells: Pixels) -> _Planes:
    """The planes of (n, T, T, 3) pictures, each by itself: what lies beside a cell is taken to be like its edge."""
    n, rim, side = len(cells), 4, T + 8
    row = np.empty((side, n, side, 3), np.uint8)  # in one row: whatever runs along lines is quicker where they are long
    row[rim:-rim, :, rim:-rim] = cells.swapaxes(0, 1)
    row[:rim], row[-rim:] = row[rim], row[-rim - 1]
    row[:, :, :rim], row[:, :, -rim:] = row[:, :, rim, None], row[:, :, -rim - 1, None]
    value = list(cv2.split(cv2.cvtColor(row.reshape(side, n * side, 3), cv2.COLOR_BGR2YCrCb)))
    value[1:] = [cv2.blur(v, (5, 5)) for v in value[1:]]

    def cut(planes: list[Any]) -> Pixels:
        out = np.empty((n, 3, T, T), np.uint8)
        for k, plane in enumerate(planes):
            out[:, k] = plane.reshape(side, n, side)[rim:-rim, :, rim:-rim].swapaxes(0, 1)
        return out

    return _Planes(cut(value), cut([cv2.erode(v, _NEAR) for v in value]), cut([cv2.dilate(v, _NEAR) for v in value]))


class _Known:
    """Templates made ready: ``of`` (m,) index into ``names``, ``cost`` and ``peak`` (m,) the excess between each and
    the nearest of another symbol, ``busy`` (m,) how much its brightness changes from pixel to pixel, in levels.

    ``cost`` and ``peak`` are only known of templates that were asked for with ``compare``."""

    def __init__(self, planes: _Planes, symbols: tuple[Symbol, ...]) -> None:
        self.planes = planes
        self.names = tuple(dict.fromkeys(symbols))
        self.of = np.array([self.names.index(s) for s in symbols])
        self.cost, self.peak = (np.full(len(symbols), np.nan, np.float32) for _ in range(2))
        change = (planes.high[:, 0].astype(np.float32) - planes.low[:, 0]) ** 2
        self.busy = np.sqrt(change.mean((1, 2)))
        self._laid: dict[int, _Laid] = {}

    def compare(self, templates: Ints) -> None:
        """Sees to it that ``cost`` and ``peak`` of these are known."""
        new = np.unique(templates[np.isnan(self.cost[templates])])
        at, j = np.nonzero(self.of[new][:, None] != self.of[None])
        cost, peak = _excess(self.planes, new[at], self.planes, j)
        for out, values in ((self.cost, cost), (self.peak, peak)):
            least = np.full(len(new), np.inf, np.float32)
            np.minimum.at(least, at, values)
            out[new] = least

    def laid(self, template: int) -> _Laid:
        """One of the templates made ready to be laid over others, and how far it lies from the nearest other symbol."""
        if template not in self._laid:
            self._laid[template] = _laid(self.planes.value, template, self.of)
        return self._laid[template]


@lru_cache(maxsize=32)
def _known(choice: Set) -> _Known:
    return _Known(_planes(choice.cells), choice.symbols)


def _excess(a: _Planes, ai: Ints | None, b: _Planes, bi: Ints) -> tuple[F32, F32]:
    """Per pair the root mean square and the highest 3 x 3 patch of the excess, in levels; without ``ai`` for all of
    ``a`` in their order."""
    cost, peak = np.zeros(len(bi), np.float32), np.zeros(len(bi), np.float32)
    block = 96  # as much as stays in the processor's cache
    for start in range(0, len(bi), block):
        j = bi[start : start + block]
        i = slice(start, start + len(j)) if ai is None else ai[start : start + block]
        flat = (len(j), 3 * T * T)
        av, al, ah = (p[i].reshape(flat) for p in (a.value, a.low, a.high))
        bv, bl, bh = (p[j].reshape(flat) for p in (b.value, b.low, b.high))
        one = cv2.max(cv2.subtract(av, bh), cv2.subtract(bl, av))
        two = cv2.max(cv2.subtract(bv, ah), cv2.subtract(al, bv))
        most = cv2.max(one, two).reshape(len(j), 3, T * T)
        single = np.maximum(np.maximum(most[:, 0], most[:, 1]), most[:, 2])
        levels = single.astype(np.float32)
        cost[start : start + block] = np.sqrt(np.einsum("np,np->n", levels, levels) / (T * T))
        peak[start : start + block] = _highest_patch(single.reshape(len(j), T, T))
    return cost, peak


def _highest_patch(maps: Pixels) -> F32:
    wide = maps.reshape(len(maps), -1).astype(np.uint16)
    rows = wide[:, : -2 * T] + wide[:, T:-T] + wide[:, 2 * T :]
    both = np.zeros_like(rows)
    both[:, :-2] = rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:]
    both.reshape(len(maps), -1, T)[:, :, -2:] = 0  # these go on in the next row
    return np.asarray(both.max(1) / 9.0, np.float32)


# ---------------------------------------------------------------- match


def match(
    stack: Pixels,
    rows: int,
    cols: int,
    profile: Profile,
    pitch: float,
    *,
    own_share: float = OWN_SHARE,
    around: Pixels | None = None,
) -> Match:
    """Tells what each normalised cell of a rows x cols board shows.

    ``stack`` uint8 (rows * cols, T, T, 3), ``pitch`` pixels in the picture it comes from; where less than
    ``own_share`` of the cells are told, none is. ``around`` uint8 (rows + 2, cols + 2, T, T, 3), the same cells and
    those beside them: what the outer ones show where they are not quite in their places."""
    n = rows * cols
    board = _board(stack, rows, cols)
    coarse = _coarse_of(board, rows, cols)
    fits = _choice(coarse, sets(profile, pitch))
    placed, best, rimmed = board, fits[0], None
    shifts: tuple[Ints, Ints] | None = None
    if own_share and best.far > HOPELESS[0]:
        return _nothing(n, STRANGE)
    lines: tuple[_Lines, _Lines] | None = None
    for _ in range(2):
        if _lies_right(coarse, rows, cols, best):
            break
        if rimmed is None:
            rimmed = _rimmed(board) if around is None else _rim_of(around, rows, cols)
        lines = lines or _lines(rimmed, rows, cols)
        across, down = (_shifts(some, best.coarse) for some in lines)
        if across.any() or down.any():
            placed, shifts = _moved(rimmed, down, across), (down, across)
            coarse = _coarse_of(placed, rows, cols)
        some = coarse[_spread(n, 150)]
        before, fits = best, _ranked([_fit(some, f.set, f.curve) for f in fits], coarse)
        best = fits[0]
        if best.set is before.set:
            break
    if own_share and best.far > HOPELESS[1]:
        return _nothing(n, FOREIGN)
    best = _softened(placed, rows, cols, _sharpest(placed, coarse, rows, cols, fits))
    placed = _levelled(placed, coarse, rows, cols, best)
    return replace(_tell(_cells(placed, rows, cols), rows, cols, best, own_share), shifts=shifts)


def _rim_of(around: Pixels, rows: int, cols: int) -> Pixels:
    """A board with REACH pixels of the cells beside it."""
    wide = _board(around.reshape(-1, T, T, 3), rows + 2, cols + 2)
    return np.ascontiguousarray(wide[T - REACH : REACH - T, T - REACH : REACH - T])


def _nothing(n: int, why: str) -> Match:
    """None of n cells is told."""
    none = np.zeros(n, np.float32)
    return Match([Symbol.COVERED] * n, none, none, [why] * n)


def _lies_right(coarse: F32, rows: int, cols: int, fit: _Fit) -> bool:
    """Whether every row and column is where an even lattice has it: most of its cells are near as they are."""
    picked = np.arange(rows * cols).reshape(rows, cols)
    high, wide = _spread(rows, 12), _spread(cols, 12)
    for part in (picked[:, wide], picked[high].T):
        far = _distances(coarse[part.ravel()], fit.coarse).min(1).reshape(part.shape)
        if np.median(far, axis=1).max() > 2.0:
            return False
    return True


def _sharpest(board: Pixels, coarse: F32, rows: int, cols: int, fits: list[_Fit]) -> _Fit:
    """Of several sets the one that fits best when some cells are compared in full: thin lines tell the size."""
    if len(fits) < 2 or fits[1].far > 2 * fits[0].far + 4:
        return fits[0]
    picked, weights = _various(coarse, fits[0], 4)
    most = _spread(rows * cols, 40)
    picked = np.concatenate([picked, most])
    weights = np.concatenate([weights, np.full(len(most), 1 / len(most), np.float32)])
    some = _cells(board, rows, cols, picked)
    seen, coarse = _planes(some), coarse[picked]
    best, least = fits[0], np.inf
    for fit in fits:
        order = _distances(coarse, fit.coarse).argsort(1)[:, :2]
        cost, peak = _excess(seen, np.repeat(np.arange(len(picked)), order.shape[1]), fit.planes, order.ravel())
        # a cell that no set tells says nothing of them
        worth = float(weights @ np.minimum((cost + 0.1 * peak).reshape(order.shape).min(1), UNTOLD))
        if worth < least:
            best, least = fit, worth
    return best


def _softened(board: Pixels, rows: int, cols: int, fit: _Fit) -> _Fit:
    """The fit with its templates as soft as the board is: a thin dark digit that is blurred must not pass for a pale
    one. Softness is how little brightness changes from pixel to pixel, over some cells and the templates nearest."""
    some = _cells(board, rows, cols, _spread(rows * cols, 80))
    used = _distances(_coarse(some), fit.coarse).argmin(1)
    wanted, templates = _change(some), fit.shown
    sharp = _change(templates[used])
    if wanted >= SOFTER * sharp:
        return fit
    best, least, cells = 0.0, abs(np.log((sharp + 1e-3) / (wanted + 1e-3))), fit.set.cells
    for sigma in (0.5, 0.7, 1.0, 1.4, 2.0, 2.8):
        softer = _blurred(templates, sigma)
        off = abs(np.log((_change(softer[used]) + 1e-3) / (wanted + 1e-3)))
        if off < least:
            best, least = sigma, off
    if not best:
        return fit
    cells = _blurred(fit.set.cells, best)
    return replace(fit, set=replace(fit.set, cells=cells, coarse=_coarse(cells)), soft=True)


def _blurred(cells: Pixels, sigma: float) -> Pixels:
    """Each cell blurred by itself; beyond its edge it is taken to go on as it ends."""
    return np.stack([cv2.GaussianBlur(c, (0, 0), sigma, borderType=cv2.BORDER_REPLICATE) for c in cells]).astype(
        np.uint8
    )


def _change(cells: Pixels) -> float:
    """Mean square of what changes from pixel to pixel."""
    blue, green, red = planar(cells).astype(np.float32)
    grey = (blue + green + red) / 3
    return float((np.diff(grey, axis=1) ** 2).mean() + (np.diff(grey, axis=2) ** 2).mean())


def _levelled(board: Pixels, coarse: F32, rows: int, cols: int, fit: _Fit) -> Pixels:
    """The board without what changes slowly over all of it, such as a picture behind transparent cells.

    A slope across and one down per channel: nothing that lies over a part of the board can hide in it."""
    shown = fit.coarse
    apart = _distances(coarse, shown)
    best = apart.argmin(1)
    rest = (coarse - shown[best]).reshape(len(coarse), -1, 3).mean(1)
    r, c = np.divmod(np.arange(rows * cols), cols)
    at = np.stack([np.ones(rows * cols), 2 * (r + 0.5) / rows - 1, 2 * (c + 0.5) / cols - 1], axis=1)
    slopes = np.zeros((3, 3))
    weight = (apart.min(1) < 20).astype(np.float64)
    if weight.sum() < 12:
        return board
    for k in range(3):
        left = rest[:, k].astype(np.float64)
        for _ in range(3):
            own = weight / (1 + (left / 5) ** 2)
            slopes[k] = np.linalg.solve(
                (at * own[:, None]).T @ at + 0.5 * np.eye(3), (at * own[:, None]).T @ rest[:, k]
            )
            left = rest[:, k] - at @ slopes[k]
    plane = at @ slopes.clip(-LEAN, LEAN).T  # (n, 3)
    # scenery: what the neighbours share beside that, within narrow bounds
    beside = (rest - plane).reshape(rows, cols, 3)
    beside[(apart.min(1) >= 20).reshape(rows, cols)] = np.nan
    scenery = np.zeros_like(beside)
    if float(np.nanquantile(np.abs(beside), 0.9)) >= 1.5:
        around = np.pad(beside, ((1, 1), (1, 1), (0, 0)), constant_values=np.nan)
        near = np.stack([around[r : r + rows, c : c + cols] for r in range(3) for c in range(3)])
        near.sort(axis=0)  # those that are not told last
        told = np.isfinite(near).sum(0)[None]
        middle = [np.take_along_axis(near, (told - 1 + k).clip(0) // 2, axis=0)[0] for k in (0, 1)]
        scenery = np.nan_to_num((middle[0] + middle[1]) / 2).clip(-SCENERY, SCENERY)
    field = (plane.reshape(rows, cols, 3) + scenery).astype(np.float32)
    if np.abs(field).max() < 1:
        return board
    wide = cv2.resize(field, (cols * T, rows * T), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.subtract(board, wide, dtype=cv2.CV_8U), np.uint8)


def _same(cells: Pixels) -> tuple[Ints, Ints]:
    """Which cells are the first of their kind, pixel by pixel, and of which kind each cell is."""
    words = cells.reshape(len(cells), -1).view(np.uint64)
    weights = np.random.default_rng(1).integers(1, 2**63, words.shape[1], dtype=np.uint64) | np.uint64(1)
    keys = (words * weights + (words >> np.uint64(32)) * weights[::-1]).sum(1, dtype=np.uint64)
    _, first, kind = np.unique(keys, return_index=True, return_inverse=True)
    return first, kind.ravel()


def _tell(all_cells: Pixels, rows: int, cols: int, fit: _Fit, own_share: float) -> Match:
    first, kind = _same(all_cells)
    cells = all_cells[first]
    n, m = len(cells), len(fit.set.cells)
    known = fit.known
    templates, of, names = known.planes, known.of, known.names
    seen = _planes(cells)

    far = _distances(_coarse(cells), fit.coarse)
    picks = min(CANDIDATES, m)
    order = np.argpartition(far, picks - 1, axis=1)[:, :picks] if picks < m else np.tile(np.arange(m), (n, 1))
    cost, peak = np.empty((n, picks), np.float32), np.empty((n, picks), np.float32)
    for pick in range(picks):
        cost[:, pick], peak[:, pick] = _excess(seen, None, templates, order[:, pick])
    total = cost + 0.1 * peak
    at = total.argmin(1)
    every = np.arange(n)
    chosen = order[every, at]
    own_cost, own_peak = cost[every, at], peak[every, at]
    # the next other symbol among the candidates; those left out are further off, by their own template's distance
    other = np.where(of[order] != of[chosen][:, None], total, np.inf).min(1)
    margin = np.where(np.isfinite(other), 1 - total[every, at] / np.maximum(other, 1e-3), 1.0).clip(0, 1)

    known.compare(chosen)
    share: F32 = np.maximum(
        own_cost / np.maximum(known.cost[chosen], 1e-3), own_peak / np.maximum(known.peak[chosen], 1e-3)
    )
    # small drawings differ by less than a shift of a pixel may change: they are laid over each other at the best shift
    unsure = (share > MOST_TOLD) | (margin < LEAST_MARGIN) | (known.cost[chosen] < SMALL)
    close = np.flatnonzero(unsure & (own_cost <= MOST_COST))
    if len(close):
        at, laid, beside = _overlaid(seen, close, known, order[close])
        # what was clear already must be the same symbol this way too
        agreed = ~((share > MOST_TOLD) | (margin < LEAST_MARGIN))[close]
        same = of[order[close, at]] == of[chosen[close]]
        share[close] = np.where(agreed, np.where(same, share[close], 1.0), laid)
        margin[close] = np.where(agreed, margin[close], beside)
        moved, to = close[~agreed], at[~agreed]
        chosen[moved] = order[moved, to]
        own_cost[moved], own_peak[moved] = cost[moved, to], peak[moved, to]
        known.compare(chosen)
    clear = (share <= TOLD_BESIDE * MOST_TOLD) & (margin >= CLEAR_MARGIN) & (own_cost <= CLEAR_COST)
    doubts = [""] * n
    # a board is as sharp and as noisy in one place as in another
    usual = float(np.median(own_cost[kind])), float(np.median(own_peak[kind]))
    busy = known.busy[chosen]
    over = own_cost > COST_FLOOR + TIMES * usual[0] + BUSY * busy
    over |= own_peak > np.minimum(MOST_PEAK, PEAK_FLOOR + TIMES * usual[1] + BUSY_PEAK * busy)
    unlike = ~_alike(seen, templates, chosen, of, kind, _outer(kind, rows, cols))
    _note(doubts, over | unlike, "something seems to lie over it")
    _note(doubts, own_cost > MOST_COST, "it shows something unknown")
    share[clear] = np.minimum(share[clear], MOST_TOLD)
    _note(doubts, share > MOST_TOLD, "it cannot be told from another symbol")
    _note(doubts, margin < LEAST_MARGIN, "it could be another symbol")
    _note(doubts, _unlike(cells, kind, chosen, known, fit.curve is SAME), "its colour is unlike that of its kind")
    pointed = fit.set.hover[chosen]
    if pointed.any() and (fit.curve is not SAME or int(pointed[kind].sum()) > 1):
        # in other colours, an open cell may look just like that
        _note(doubts, pointed, "it could be open, or under the pointer")
    fine = np.array([not doubt for doubt in doubts])[kind]
    shown = np.array([s.value for s in names])[of[chosen]]
    if fit.curve is not SAME and int((fine & np.isin(shown[kind], list("12345678"))).sum()) < ANCHORS:
        # a covered board, drawn lighter, looks like an open one: without numbers nothing says which it is
        _note(doubts, shown == Symbol.CLUE_0.value, "the board's colours are not the program's, and no number is there")
        fine = np.array([not doubt for doubt in doubts])[kind]
    # another look may share its empty cells with one of ours: the drawn ones tell
    drawn = np.array([s not in (Symbol.COVERED, Symbol.CLUE_0) for s in names])[of[chosen]][kind]
    strange = int(drawn.sum()) >= 4 and float(fine[drawn].mean()) < own_share
    # lines around plain cells are not enough, where not even the colours are the program's: a table is no fresh board
    foreign = own_share > 0 and fit.curve is not SAME and fit.far > FRESH_FAR and not drawn.any()
    if strange or foreign or float(fine.mean()) < own_share:
        _note(doubts, np.ones(n, bool), FOREIGN)
    if Symbol.QUESTION in names and float(over[kind].mean()) > ASKEW:
        # cells that lie askew may have lost the small mark by which an unsure flag differs from a sure one
        _note(doubts, (shown == Symbol.FLAG.value) & (known.cost[chosen] < CLOSE), "it could be an unsure flag")
    scores = (1 - own_cost / (2 * MOST_COST)).clip(0, 1)
    told = [names[of[c]] for c in chosen]
    return Match(
        [told[k] for k in kind],
        scores[kind].astype(np.float32),
        margin[kind].astype(np.float32),
        [doubts[k] for k in kind],
    )


def _unlike(cells: Pixels, kind: Ints, chosen: Ints, known: _Known, plain: bool) -> Bools:
    """Where another symbol looks almost the same: cells of another colour than the board's others with the same
    template, or, where those are few, all, if the board's colours are not the templates' own (not ``plain``)."""
    sums = cv2.reduce(planar(cells).reshape(3 * len(cells), -1), 1, cv2.REDUCE_SUM, dtype=cv2.CV_32F)
    means = np.asarray(sums, np.float32).reshape(3, -1).T / np.float32(T * T)
    count = np.bincount(kind, minlength=len(cells))
    out = np.zeros(len(cells), bool)
    for template in np.unique(chosen):
        mine = np.flatnonzero(chosen == template)
        close = known.cost[template] < CLOSE
        # without a drawing on it, a cell of another set of the site may look the same in other colours
        bare = not plain and known.names[known.of[template]] in (Symbol.COVERED, Symbol.CLUE_0)
        if count[mine].sum() < 4:
            out[mine] = close and not plain
            continue
        if not (close or bare):
            continue
        all_means = np.repeat(means[mine], count[mine], axis=0)
        usual = np.median(all_means, axis=0)
        spread = float(np.median(np.abs(all_means - usual).max(1)))
        far = np.abs(means[mine] - usual).max(1)
        out[mine] = far > (SAME_COLOUR + 4 * spread if plain else 0.7 * SAME_COLOUR + 2 * spread)
    return out


def _alike(seen: _Planes, templates: _Planes, chosen: Ints, of: Ints, kind: Ints, outer: Ints) -> Bools:
    """Whether each cell has the drawing of its template, or at least that of the board's other cells of its symbol;
    ``outer`` the sides, as bits, at which every cell of its kind ends the board: there the board's frame may run
    instead of a line."""
    out: Bools = _likeness(seen, templates, chosen) >= LIKENESS
    short = np.flatnonzero(~out)
    if not len(short):
        return out
    soft, symbol = _soft(seen.value[:, 0]), of[chosen]
    count = np.bincount(kind, minlength=len(soft))
    for some, sides in np.unique(np.stack([symbol[short], outer[short]]), axis=1).T:
        like = np.flatnonzero((symbol == some) & out)
        if count[like].sum() < ALIKE:
            continue
        usual = _flat(_without_rim(np.average(soft[like], axis=0, weights=count[like])[None], sides))[0]
        mine = short[(symbol[short] == some) & (outer[short] == sides)]
        cells = _flat(_without_rim(soft[mine], sides)).reshape(len(mine), -1)
        square = float((usual**2).sum())
        most, length = (cells @ _moved_a_little(usual).T).max(1), np.sqrt((cells**2).sum(1) * square)
        out[mine] = (square > T * T) & (most >= PATTERN * square) & (most >= PATTERN_LIKENESS * length)
    return out


def _outer(kind: Ints, rows: int, cols: int) -> Ints:
    """(kinds,) the sides at which every cell of a kind ends a board: 1 top, 2 bottom, 4 left, 8 right."""
    r, c = np.divmod(np.arange(rows * cols), cols)
    out = np.full(int(kind.max()) + 1, 15)
    np.bitwise_and.at(out, kind, (r == 0) + 2 * (r == rows - 1) + 4 * (c == 0) + 8 * (c == cols - 1))
    return out


def _without_rim(cells: F32, sides: int) -> F32:
    """Cells (n, T, T) that go on to those sides (bits as by _outer) as they are RIM pixels before."""
    out = cells.copy()
    for bit, turned in ((1, out), (2, out[:, ::-1]), (4, out.swapaxes(1, 2)), (8, out[:, :, ::-1].swapaxes(1, 2))):
        if sides & bit:
            turned[:, :RIM] = turned[:, RIM, None]
    return out


def _likeness(seen: _Planes, templates: _Planes, chosen: Ints) -> F32:
    """Correlation of each cell's brightness with its template's, at the best small shift: an even patch has the
    colour of an open cell, perhaps, but not its lines. How light a cell is, and becomes from one side to the other, is
    left out: transparent cells have that from what lies behind them."""
    cells = _flat(_soft(seen.value[:, 0]))
    length = np.sqrt((cells**2).sum((1, 2))) + 1e-3
    strength = np.ones(len(templates.value), np.float32)
    most = np.zeros(len(chosen), np.float32)
    for template in np.unique(chosen):
        soft = _flat(_soft(templates.value[template, 0][None]))[0]
        strength[template] = np.sqrt((soft**2).sum())
        mine = np.flatnonzero(chosen == template)
        alike = cells[mine].reshape(len(mine), -1) @ _moved_a_little(soft).T
        most[mine] = alike.max(1).clip(0) / (length[mine] * strength[template] + 1e-3)
    most[strength[chosen] / T < 1.0] = 1.0  # nothing to tell by
    return most


def _moved_a_little(cell: F32) -> F32:
    """(5, T * T) a cell as it is, and a pixel to each side."""
    return np.stack([np.roll(cell, by, (0, 1)).ravel() for by in ((0, 0), (0, 1), (0, -1), (1, 0), (-1, 0))])


def _soft(cells: Pixels) -> F32:
    """Cells (n, T, T), each blurred by itself: a line of one pixel that lies between two is as good as on one."""
    return np.stack([cv2.blur(cell, (3, 3), borderType=cv2.BORDER_REPLICATE) for cell in cells]).astype(np.float32)


def _flat(cells: F32) -> F32:
    """Cells (n, T, T) without their mean and without their slopes across and down."""
    at = np.arange(T, dtype=np.float32) - np.float32((T - 1) / 2)
    across, down = cells.mean(1), cells.mean(2)  # (n, T) each
    slopes = [(side @ at)[:, None] * at / np.float32((at**2).sum()) for side in (across, down)]
    return np.asarray(
        cells - cells.mean((1, 2), keepdims=True) - slopes[0][:, None, :] - slopes[1][:, :, None], np.float32
    )


def _overlaid(seen: _Planes, cells: Ints, known: _Known, order: Ints) -> tuple[Ints, F32, F32]:
    """Per cell which of its candidates (k, picks) lies nearest when laid over it, its distance as a part of that from
    there to the nearest other symbol, scaled to MOST_TOLD, and how far the next other symbol is behind."""
    k, picks = order.shape
    flat, squares = _ready(seen.value[cells])
    far = np.empty((k, picks), np.float32)
    for template in np.unique(order):
        row, pick = np.nonzero(order == template)
        far[row, pick] = known.laid(int(template)).far(flat[row], squares[row])
    at = far.argmin(1)
    every = np.arange(k)
    chosen, own = order[every, at], far[every, at]
    share = np.zeros(k, np.float32)
    for template in np.unique(chosen):
        mine = chosen == template
        share[mine] = own[mine] / max(known.laid(int(template)).apart, 1e-3) * MOST_TOLD / MOST_OVERLAID
    other = np.where(known.of[order] != known.of[chosen][:, None], far, np.inf).min(1)
    margin = np.where(np.isfinite(other), 1 - own / np.maximum(other, 1e-3), 1.0).clip(0, 1)
    return at, share, margin.astype(np.float32)


# how a template is moved over a cell: by up to a pixel, in halves
_RIM = 2
_STEPS = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
_INNER = [np.s_[:, _RIM + dy : T - _RIM + dy, _RIM + dx : T - _RIM + dx] for dy, dx in _STEPS]
_MIDDLE = 128.0  # grey levels: squares of what is near 0 are exact enough


def _ready(pictures: Pixels) -> tuple[F32, F32]:
    """Pictures (n, 3, T, T) as they are laid over each other, (n, 3 * T * T), and the squares of their inner parts
    (n, steps)."""
    n = len(pictures)
    flat = pictures.reshape(n, -1).astype(np.float32)
    flat -= _MIDDLE
    square = (flat**2).reshape(n, 3, T, T).sum(1)
    return flat, np.stack([square[inner].sum((1, 2)) for inner in _INNER], axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class _Laid:
    """A template at every step over a cell: ``flat`` (3 * T * T, steps * 4), the four halves of a pixel at each step;
    ``squares`` (4,) of its inner part; ``apart`` its distance to the nearest of another symbol."""

    flat: F32
    squares: F32
    apart: float

    def far(self, flat: F32, squares: F32) -> F32:
        """Per picture (as by _ready) the root mean square difference of the inner parts at the best step."""
        both = (flat @ self.flat).reshape(len(flat), len(_STEPS), 4)
        least = (squares[:, :, None] + self.squares - 2 * both).min((1, 2))
        return np.asarray(np.sqrt(np.maximum(least, 0) / (3 * (T - 2 * _RIM) ** 2)), np.float32)


def _laid(values: Pixels, template: int, of: Ints) -> _Laid:
    whole = values[template].astype(np.float32) - np.float32(_MIDDLE)
    right, below = np.roll(whole, -1, 2), np.roll(whole, -1, 1)
    halves = (whole, (whole + right) / 2, (whole + below) / 2, (whole + right + below + np.roll(right, -1, 1)) / 4)
    parts = [half[:, _RIM:-_RIM, _RIM:-_RIM] for half in halves]
    flat = np.zeros((len(_STEPS), 4, 3, T, T), np.float32)
    for step, inner in enumerate(_INNER):
        for half, part in enumerate(parts):
            flat[step, half][inner] = part
    squares = np.array([(part**2).sum() for part in parts], np.float32)
    out = _Laid(flat.reshape(len(_STEPS) * 4, -1).T, squares, np.inf)
    others = np.flatnonzero(of != of[template])
    return replace(out, apart=float(out.far(*_ready(values[others])).min(initial=np.inf)))


def _note(doubts: list[str], where: Bools, reason: str) -> None:
    for i in np.flatnonzero(where):
        doubts[i] = doubts[i] or reason
