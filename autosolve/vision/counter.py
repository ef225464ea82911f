"""Owns the number a board's mine counter shows: seven-segment displays and printed digits beside the board.

A number is told only when everything about it is whole: the display's black panel with the same page on all four
sides, every segment clearly lit or unlit, every digit one of the known patterns, and the display drawn again from
what was read like the one that was seen. Whatever falls short is no number, never a likely one.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from autosolve.vision.digits import Digit, join, row, tell
from autosolve.vision.frame import Frame, Pixels
from autosolve.vision.grid import Grid, in_pixels, steps
from autosolve.vision.profile import Profile

F32 = npt.NDArray[np.float32]
Edges = tuple[float, float, float, float]  # left, top, right, bottom; pixels

# Segments in the usual order: a top, then clockwise b c d e f, g the middle one
_SHAPES = {
    "abcdef": "0",
    "bc": "1",
    "abged": "2",
    "abgcd": "3",
    "fgbc": "4",
    "afgcd": "5",
    "afgedc": "6",
    "fgedc": "6",
    "abc": "7",
    "abcf": "7",
    "abcdefg": "8",
    "abcdfg": "9",
    "abcfg": "9",
    "g": "-",
    "": " ",
}
DIGITS = {frozenset(segments): char for segments, char in _SHAPES.items()}

# Measures of displays, in heights of a digit
MIN_HEIGHT = 9.0  # pixels
WIDE = (0.43, 0.70)  # a digit's width
STEP = (1.10, 1.36)  # from digit to digit, in widths of a digit
THICK = 0.148
FEWEST, MOST = 3, 5  # digits of a display
TALL = (0.7, 2.7)  # the display's digits, in cells

FAINT = 40.0  # grey levels between the channels of a lit segment, at least
INK = 0.16  # of that: what is coloured at all
LIT, UNLIT = 0.72, 0.52  # of the usual lit segment: at least, at most
ALIKE = 0.2  # unlit segments of one display differ by no more, of the usual lit one
HOLLOW = 0.45  # the two fields inside a digit are darker than this
LIKENESS = 0.86  # correlation of the display seen with the one drawn from what was read
FIRST_LIKENESS = 0.6  # from which it is worth to look for the edges more closely
APART = 0.04  # another number's likeness is lower by this
FOREIGN = 0.42  # distance from the line between black and lit, in lit: a pixel of something else
FOREIGN_SHARE = 0.012
BLACK = 0.3  # of the lit segments' brightness: the panel is darker
BORDER, PAGE = 0.05, 0.2  # heights of a digit from a panel's end: its border, and what is surely page
SAME_PAGE = 30.0  # grey levels between what lies beyond two sides of a panel

_H, _T = 42, 6  # pixels: height and thickness of a digit drawn


def read_counter(frame: Frame, grid: Grid, profile: Profile) -> int | None:
    """The number the counter shows, as mines less flags: it may be below 0. None where the site shows none or it
    cannot be told for sure.

    On a site that shows flags and mines (7/40) it is their difference. Where the site's counter does not go down
    with the flags (``profile.counter.flags`` False) it is the number of all mines.

    A number that comes back was seen whole: hidden, cut, blurred or foreign parts give None."""
    place = profile.counter
    if place is None:
        return None
    window = _window(frame, grid, place.side, place.reach, place.digits)
    if window is None:
        return None
    pixels, pitch = window
    if place.digits == "segments":
        return _segments(pixels, pitch)
    return _printed(pixels, place.shows, grid.shape.size)


def all_mines(frame: Frame, grid: Grid, profile: Profile, flags: int) -> int | None:
    """The mines of the whole board by the counter, ``flags`` standing on it; None where it tells none it can have."""
    shown = read_counter(frame, grid, profile)
    if shown is None or profile.counter is None:
        return None
    mines = shown + (flags if profile.counter.flags else 0)
    return mines if 0 <= mines <= grid.shape.size else None


def _window(frame: Frame, grid: Grid, side: str, reach: float, kind: str) -> tuple[Pixels, float] | None:
    """The part of the picture where the counter may stand, and the pixels from cell to cell."""
    left, top, px, py = in_pixels(frame, grid)
    right, bottom = left + px * grid.shape.cols, top + py * grid.shape.rows
    if side in grid.cut:
        return None
    if kind == "segments":  # the mines stand left, the clock right
        left, right = left - 1.0 * px, left + max(0.46 * (right - left), 3.2 * px)
    elif side in ("top", "bottom"):
        left, right = left - reach * px, right + reach * px
    box = {
        "top": (left, top - reach * py, right, top - 0.1 * py),
        "bottom": (left, bottom + 0.1 * py, right, bottom + reach * py),
        "left": (left - reach * px, top - py, left - 0.1 * px, bottom + py),
        "right": (right + 0.1 * px, top - py, right + reach * px, bottom + py),
    }[side]
    x0, y0 = max(0, int(box[0])), max(0, int(box[1]))
    x1, y1 = min(frame.width, int(np.ceil(box[2]))), min(frame.height, int(np.ceil(box[3])))
    if x1 - x0 < 8 or y1 - y0 < 8:
        return None
    return frame.pixels[y0:y1, x0:x1], (px + py) / 2


# ---------------------------------------------------------------- seven segments


def _segments(pixels: Pixels, pitch: float) -> int | None:
    """The number on the leftmost seven-segment display of a region."""
    plain = pixels.astype(np.float32)
    ways: list[F32] = [plain, np.asarray(cv2.GaussianBlur(plain, (0, 0), 0.8), np.float32)]
    page = np.maximum(np.median(plain.reshape(-1, 3), axis=0), 8.0)
    if 1.1 * page.min() < page.max() < 2.5 * page.min():  # a night tint colours the page too: take it for grey
        ways.append(np.asarray(plain * (page.mean() / page), np.float32))
    for colour in ways:
        chroma = _chroma(colour)
        for box in _panels(colour, pitch):
            told = _panel(colour, chroma, box)
            if told is not None:
                return told
    return None


def _chroma(colour: F32) -> F32:
    """How far the channels of a picture are apart."""
    a, b, c = cv2.split(colour)
    return np.asarray(cv2.max(cv2.max(a, b), c) - cv2.min(cv2.min(a, b), c), np.float32)


def _brightest(colour: F32) -> F32:
    """The largest channel of every pixel."""
    a, b, c = cv2.split(colour)
    return np.asarray(cv2.max(cv2.max(a, b), c), np.float32)


def _strongest(values: F32, count: int, least: float) -> float:
    """The ``count``-th largest of a picture's values; 0 where that is below ``least``."""
    columns = values.max(0)
    if len(columns) >= count:  # so many values at least are as large as the strongest of so many columns
        least = max(least, float(np.partition(columns, -count)[-count]))
    above = values[values > least]
    if len(above) >= count:
        return float(np.partition(above, -count)[-count])
    return least if np.count_nonzero(values >= least) >= count else 0.0


def _panels(colour: F32, pitch: float) -> list[tuple[int, int, int, int]]:
    """Boxes (left, top, right, bottom) of coloured ink that may be a display, the leftmost first."""
    # a little softened: in few colours a plain grey is a pattern of coloured pixels
    soft = np.asarray(cv2.GaussianBlur(colour, (0, 0), max(0.5, 0.05 * pitch)), np.float32)
    chroma = _chroma(soft)
    peak = _strongest(chroma, 12, FAINT)
    if peak < FAINT:
        return []
    ink = (chroma > INK * peak).astype(np.uint8)
    reach = max(3, round(0.4 * pitch)) | 1
    joined = cv2.morphologyEx(
        cv2.copyMakeBorder(ink, reach, reach, reach, reach, cv2.BORDER_CONSTANT),
        cv2.MORPH_CLOSE,
        np.ones((reach, reach), np.uint8),
    )[reach:-reach, reach:-reach]
    _, _, stats, _ = cv2.connectedComponentsWithStats(joined)
    bright = _brightest(soft)
    bright = bright / max(1.0, float(bright[chroma >= peak].mean()))
    out: list[tuple[int, int, int, int]] = []
    for x, y, w, h, _ in sorted(stats[1:].tolist()):
        if not (h >= MIN_HEIGHT and TALL[0] * pitch <= h <= TALL[1] * pitch):
            continue
        if out:  # where no unlit segment shows, a 1 stands far from its neighbour, on the same black panel
            x0, y0, x1, y1 = out[-1]
            between = bright[max(y, y0) + 2 : min(y + h, y1) - 2, x1 + 1 : x - 1]
            level = max(abs(y - y0), abs(y + h - y1)) <= 0.15 * h
            if level and x - x1 < h and between.size and float(np.quantile(between, 0.95)) < BLACK:
                out[-1] = x0, min(y, y0), x + w, max(y + h, y1)
                continue
        out.append((x, y, x + w, y + h))
    return [(x0, y0, x1, y1) for x0, y0, x1, y1 in out if x1 - x0 > 1.2 * (y1 - y0)]


def _panel(colour: F32, chroma: F32, box: tuple[int, int, int, int]) -> int | None:
    x0, y0, x1, y1 = box
    part = colour[y0:y1, x0:x1]
    own = chroma[y0:y1, x0:x1]
    lit = _lit_colour(part, own)
    way = lit - lit.mean()
    level = (colour @ way) / max(1.0, float(lit @ way))  # grey has none, whatever its brightness
    edges = _edges(level, box)
    if edges is None or not _whole(colour, level, lit, edges):
        return None
    # in JPEG pictures colour is coarse and brightness fine; inside the panel either tells what is lit
    told = _best(level, edges)
    return told if told is not None else _best(colour.mean(2) / max(1.0, float(lit.mean())), edges)


def _best(level: F32, edges: Edges) -> int | None:
    """The number of a display whose segments fill ``edges``, over all numbers and widths of its digits."""
    found: dict[int, float] = {}
    height = edges[3] - edges[1]
    for digits in range(FEWEST, MOST + 1):
        for lead in (0.0, 1.0 - 2 * THICK):  # a display that begins with a 1 begins at that digit's right side
            scored = []
            for step in np.linspace(*STEP, 14):
                width = (edges[2] - edges[0]) / ((digits - 1) * step + 1 - lead)
                if WIDE[0] <= width / height <= WIDE[1]:
                    scored.append((*_decode(level, edges, digits, step, lead), step))
            if not scored:
                continue
            number, likeness, step = max(scored, key=lambda s: s[1])
            if FIRST_LIKENESS <= likeness < LIKENESS:  # soft pictures have soft edges: look a little around
                number, likeness = _refine(level, edges, digits, step, lead, (number, likeness))
            if number is not None:
                found[number] = max(found.get(number, 0.0), likeness)
    best = sorted(((likeness, number) for number, likeness in found.items()), reverse=True)
    if not best or best[0][0] < LIKENESS or (len(best) > 1 and best[1][0] > best[0][0] - APART):
        return None
    return best[0][1]


def _refine(
    level: F32, edges: Edges, digits: int, step: float, lead: float, start: tuple[int | None, float]
) -> tuple[int | None, float]:
    number, likeness = start
    for by in (1.0, 0.5):
        for side in range(4):
            for sign in (1, -1):
                moved = list(edges)
                moved[side] += sign * by
                tried, better = _decode(level, (moved[0], moved[1], moved[2], moved[3]), digits, step, lead)
                if better > likeness:
                    edges, number, likeness = (moved[0], moved[1], moved[2], moved[3]), tried, better
                    break
    return number, likeness


def _lit_colour(part: F32, chroma: F32) -> F32:
    """(3,) BGR of the lit segments of a display: the mean of its most coloured eighth."""
    bound = np.quantile(chroma, 0.93)
    return np.asarray(np.median(part[chroma >= bound], axis=0), np.float32)


def _edges(level: F32, box: tuple[int, int, int, int]) -> Edges | None:
    """Left, top, right and bottom of the segments, lit or not, to a part of a pixel."""
    x0, y0, x1, y1 = box
    grown = level[max(0, y0 - 3) : y1 + 3, max(0, x0 - 3) : x1 + 3]
    across, down = np.sort(grown, axis=0)[-max(3, (y1 - y0) // 5) :].mean(0), np.sort(grown, axis=1)[:, -6:].mean(1)
    spans = []
    for run, off in ((across, max(0, x0 - 3)), (down, max(0, y0 - 3))):
        high = float(np.quantile(run, 0.9))
        if high < 0.3:
            return None
        weak = np.flatnonzero(run > 0.1 * high)  # an unlit outer segment is an edge too
        first, last = int(weak[0]), int(weak[-1])
        spans.append((off + _cross(run, first, -1, high), off + _cross(run, last, 1, high)))
    return spans[0][0], spans[1][0], spans[0][1], spans[1][1]


def _cross(run: F32, at: int, step: int, high: float) -> float:
    """Where a run of levels rises from nothing, going inwards from ``at``: half way up its first plateau."""
    inner = run[np.clip([at, at - step, at - 2 * step], 0, len(run) - 1)]
    plateau = float(max(inner.max(), 0.1 * high))
    here = float(run[at])
    share = min(1.0, here / plateau)
    return at + (1 - share) if step < 0 else at + share


def _whole(colour: F32, level: F32, lit: F32, edges: Edges) -> bool:
    """Whether a display stands whole on its black panel, with the same page on its four sides and nothing over it."""
    left, top, right, bottom = edges
    height = bottom - top
    x0, y0, x1, y1 = round(left), round(top), round(right), round(bottom)
    inside = colour[y0:y1, x0:x1]
    away = np.linalg.norm(inside - level[y0:y1, x0:x1, None].clip(0, 1.2) * lit, axis=2)
    if float((away > FOREIGN * np.linalg.norm(lit)).mean()) > FOREIGN_SHARE:
        return False
    margins, pages = [], []
    bright = colour.max(2) / max(1.0, float(lit.max()))
    black = min(BLACK, float(np.median(bright)) / 2)  # half way to the page, which may be dark too
    for run in (
        colour[y0:y1, :x0][:, ::-1],
        colour[:y0, x0:x1][::-1].swapaxes(0, 1),
        colour[y0:y1, x1:],
        colour[y1:, x0:x1].swapaxes(0, 1),
    ):
        along = np.median(run.max(2), axis=0) / max(1.0, float(lit.max()))
        out = np.flatnonzero(along > black)
        edge = int(out[0]) if len(out) else len(along)
        near = edge + max(1, round(BORDER * height))
        beyond = run[:, near : edge + max(2, round(PAGE * height)) + 1]
        if edge > 0.6 * height or not beyond.size:
            return False
        margins.append(edge)
        pages.append(np.median(beyond, axis=0))
    if max(abs(margins[0] - margins[2]), abs(margins[1] - margins[3])) > max(2.0, 0.12 * height):
        return False
    usual = np.median(pages[2], axis=0)  # to the right there is most of it
    return all(float(np.abs(page - usual).max(1).min()) <= SAME_PAGE for page in pages)


def _decode(level: F32, edges: Edges, digits: int, step: float, lead: float) -> tuple[int | None, float]:
    """The number a display shows if its digits stand just so, and how like it the display drawn again is."""
    left, top, right, bottom = edges
    width, height = (right - left) / ((digits - 1) * step + 1 - lead), bottom - top
    wide = round(_H * width / height)
    left -= lead * width
    place = np.array([[width / wide, 0, 0], [0, height / _H, top + 0.5 * height / _H - 0.5]], np.float32)
    seen = []
    for k in range(digits):
        place[0, 2] = left + k * step * width + 0.5 * width / wide - 0.5
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        seen.append(cv2.warpAffine(level, place, (wide, _H), flags=flags, borderMode=cv2.BORDER_REPLICATE))
    stack = np.stack(seen)
    masks, cores, holes = _drawing(wide)
    value = np.einsum("nhw,shw->ns", stack, cores)
    hollow = np.einsum("nhw,shw->ns", stack, holes)
    high = value[value > 0.5 * value.max()]
    usual = float(np.median(high))
    if usual < 0.45:
        return None, 0.0
    share = value / usual
    lit, unlit = share >= LIT, share <= UNLIT
    if not (lit | unlit).all() or float(hollow.max()) > HOLLOW * usual:
        return None, 0.0
    if unlit.any() and float(np.ptp(share[unlit])) > 2 * ALIKE:
        return None, 0.0
    text = "".join(DIGITS.get(frozenset(s for s, on in zip("abcdefg", row, strict=True) if on), "?") for row in lit)
    number = _number(text)
    if number is None:
        return None, 0.0
    dim = float(np.median(share[unlit])) if unlit.any() else 0.0
    drawn = np.einsum("ns,shw->nhw", np.where(lit, 1.0, dim).astype(np.float32), masks)
    soft = max(0.6, 0.5 * _H / height)  # as soft as pixels of the picture are
    drawn = np.stack([cv2.GaussianBlur(d, (0, 0), soft) for d in drawn.astype(np.float32)])
    smooth = np.stack([cv2.GaussianBlur(d, (0, 0), 1.2) for d in stack])
    a, b = drawn.ravel() - drawn.mean(), smooth.ravel() - smooth.mean()
    return number, float(a @ b / max(1e-6, float(np.linalg.norm(a) * np.linalg.norm(b))))


def _number(text: str) -> int | None:
    """A display's characters as a number: blanks only in front, at most one minus before the digits."""
    body = text.lstrip(" ")
    sign = -1 if body.startswith("-") else 1
    body = body.removeprefix("-")
    return sign * int(body) if body.isdigit() else None


@lru_cache(maxsize=16)
def _drawing(wide: int) -> tuple[F32, F32, F32]:
    """Seven segments (7, _H, wide) drawn with mitred ends, their cores and the two fields inside a digit, each of
    the latter two as weights that add up to 1."""
    h, w, t = float(_H), float(wide), float(_T)
    m, gap = h / 2, 1.0
    side = [(0, gap), (t, t + gap), (t, m - t / 2 - gap), (t / 2, m - gap), (0, m - t / 2)]
    bar = [(gap, 0), (w - gap, 0), (w - t - gap, t), (t + gap, t)]
    middle = [(t / 2, m), (t + gap, m - t / 2), (w - t - gap, m - t / 2), (w - t / 2, m)]
    middle += [(w - t - gap, m + t / 2), (t + gap, m + t / 2)]
    mirror = [(w - x, y) for x, y in side]
    polygons = (
        bar,
        mirror,
        [(x, h - y) for x, y in mirror],
        [(x, h - y) for x, y in bar],
        [(x, h - y) for x, y in side],
        side,
        middle,
    )
    fine = 8
    masks = []
    for polygon in polygons:
        picture = np.zeros((_H * fine, wide * fine), np.uint8)
        cv2.fillPoly(picture, [np.round(np.array(polygon) * fine).astype(np.int32)], 255)
        masks.append(cv2.resize(picture, (wide, _H), interpolation=cv2.INTER_AREA).astype(np.float32) / 255)
    cores = []
    q = t / 4
    for x0, y0, x1, y1 in (
        (0.3 * w, q, 0.7 * w, t - q),
        (w - t + q, 0.17 * h, w - q, 0.38 * h),
        (w - t + q, 0.62 * h, w - q, 0.83 * h),
        (0.3 * w, h - t + q, 0.7 * w, h - q),
        (q, 0.62 * h, t - q, 0.83 * h),
        (q, 0.17 * h, t - q, 0.38 * h),
        (0.32 * w, m - t / 2 + q, 0.68 * w, m + t / 2 - q),
    ):
        cores.append(_weight(wide, x0, y0, x1, y1))
    holes = [_weight(wide, 0.42 * w, y0 * h, 0.58 * w, y1 * h) for y0, y1 in ((0.23, 0.36), (0.64, 0.77))]
    return np.stack(masks), np.stack(cores), np.stack(holes)


def _weight(wide: int, x0: float, y0: float, x1: float, y1: float) -> F32:
    """(_H, wide): the share each pixel has in a box, adding up to 1."""
    xs = np.clip(np.minimum(np.arange(wide) + 1, x1) - np.maximum(np.arange(wide), x0), 0, 1)
    ys = np.clip(np.minimum(np.arange(_H) + 1, y1) - np.maximum(np.arange(_H), y0), 0, 1)
    box = np.outer(ys, xs).astype(np.float32)
    return np.asarray(box / max(1e-6, float(box.sum())), np.float32)


# ---------------------------------------------------------------- printed digits

AROUND = 31  # pixels: the middle colour of so wide a square is the page, wherever text is printed on it
_BLOCK = 16  # pixels: at least half of that
STRONG = 55.0  # grey levels of ink against the page
GLYPH = (6, 30)  # pixels: heights of glyphs looked at; larger text is looked at on a picture of half the size
ROOM = (0.42, 0.52, 0.3)  # heights of a digit before, behind, and above and below a number, in which nothing stands
PLAIN = 9.0  # grey levels: what differs more from the page there is something,
SPECKLED = 2.5  # where the page itself does not differ by so many times less from its middle colour
WORD = 0.55  # heights of a digit between two digits of one number, at most
BESIDES = 1.1  # and between a number and the stroke of 7 / 40
ROW = 9.0  # heights of a digit between the mines left and the clock


class _Glyph(NamedTuple):
    """One connected piece of ink: the digit it is (``char`` "" where it is none, "/" for a stroke) and its box."""

    digit: Digit
    char: str

    @property
    def tall(self) -> float:
        return self.digit.bottom - self.digit.top


class _Word(NamedTuple):
    """A number as it is printed, with its box in pixels."""

    text: str
    left: float
    top: float
    right: float
    bottom: float

    @property
    def tall(self) -> float:
        return self.bottom - self.top


def _printed(pixels: Pixels, shows: str, cells: int) -> int | None:
    """The one number of the wanted form that stands in a region; None where there is none or more than one."""
    for _ in range(3):
        glyphs = _glyphs(_away(pixels))
        words = _words(glyphs, pixels)
        if words:
            found = _numbers(words, glyphs, shows, cells)
            return found.pop() if len(found) == 1 else None
        if min(pixels.shape[:2]) < 40:
            break
        size = pixels.shape[1] // 2, pixels.shape[0] // 2  # no number at all: they may be too large
        pixels = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
    return None


def _away(pixels: Pixels) -> Pixels:
    """(h, w) grey levels of a picture from its page, as far as some of them may be ink; 0 elsewhere."""
    out = np.zeros(pixels.shape[:2], np.uint8)
    blocks = cv2.copyMakeBorder(
        pixels, 0, -pixels.shape[0] % _BLOCK, 0, -pixels.shape[1] % _BLOCK, cv2.BORDER_REPLICATE
    )
    lines = blocks.reshape(blocks.shape[0] // _BLOCK, _BLOCK, -1)
    # what is nowhere far from what stands around it is not far from its middle colour either
    near = np.ones((3, 3), np.uint8)
    most = cv2.dilate(lines.max(1).reshape(len(lines), -1, _BLOCK, 3).max(2), near)
    least = cv2.erode(lines.min(1).reshape(len(lines), -1, _BLOCK, 3).min(2), near)
    ys, xs = np.nonzero(cv2.absdiff(most, least).max(2) > STRONG)
    if len(ys):
        reach = _BLOCK + AROUND // 2
        y0, y1 = max(0, int(ys.min()) * _BLOCK - reach), (int(ys.max()) + 1) * _BLOCK + reach
        x0, x1 = max(0, int(xs.min()) * _BLOCK - reach), (int(xs.max()) + 1) * _BLOCK + reach
        part = np.ascontiguousarray(pixels[y0:y1, x0:x1])
        out[y0:y1, x0:x1] = steps(part, np.asarray(cv2.medianBlur(part, AROUND), np.uint8))
    return out


def _numbers(words: list[_Word], glyphs: list[_Glyph], shows: str, cells: int) -> set[int]:
    """The numbers of mines left that some printed numbers may mean."""
    out: set[int] = set()
    if shows == "flags/mines":
        for stroke in (g.digit for g in glyphs if g.char == "/"):
            beside = [_beside(words, stroke, side) for side in (-1, 1)]
            flags, mines = beside
            if flags is None or mines is None:
                continue
            alike = abs(flags.tall - mines.tall) <= 0.16 * mines.tall and abs(flags.bottom - mines.bottom) <= 1.5
            if alike and len(mines.text) <= 4 and 0 < int(mines.text) < cells and int(flags.text) <= cells:
                out.add(int(mines.text) - int(flags.text))
        return out
    free = [w for w in words if not any(g.char == "/" and _near(w, g.digit) for g in glyphs)]
    counts = [w for w in free if w.text == str(int(w.text)) and int(w.text) < cells]
    if shows == "left":
        return {int(w.text) for w in counts} if len(free) == 1 else out
    for word in counts:
        line = [w for w in free if min(w.bottom, word.bottom) - max(w.top, word.top) > 0.5 * word.tall]
        if len(line) != 2:
            continue
        clock = max(line, key=lambda w: w.left)
        alike = abs(clock.tall - word.tall) <= 0.16 * word.tall and abs(clock.bottom - word.bottom) <= 1.5
        if len(clock.text) == 3 and alike and 0 < clock.left - word.right < ROW * word.tall:
            out.add(int(word.text))
    return out


def _glyphs(away: Pixels) -> list[_Glyph]:
    """The pieces of ink in a picture of grey levels from the page."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats((away > STRONG).astype(np.uint8), connectivity=8)
    out = []
    for k in range(1, count):
        x, y, w, h, area = (int(v) for v in stats[k])
        x0, y0, x1, y1 = max(0, x - 2), max(0, y - 2), x + w + 2, y + h + 2
        none = Digit("", x, y, x + w, y + h, 0.0, 0.0)
        whole = x > 1 and y > 1 and x + w < away.shape[1] - 1 and y + h < away.shape[0] - 1
        if not whole or not GLYPH[0] <= h <= GLYPH[1] or w > 3.5 * h or area < h:
            out.append(_Glyph(none, ""))
            continue
        part = away[y0:y1, x0:x1].astype(np.float32)
        other = (labels[y0:y1, x0:x1] > 0) & (labels[y0:y1, x0:x1] != k)
        part[cv2.dilate(other.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0] = 0
        ink = (part / max(1.0, float(np.partition(part.ravel(), -4)[-4]))).clip(0, 1)
        if _is_stroke(ink):
            out.append(_Glyph(none, "/"))
            continue
        several = row(ink) if w > 0.9 * h else []
        if len(several) > 1:  # digits that touch
            for d in several:
                moved = d._replace(left=x0 + d.left, top=y0 + d.top, right=x0 + d.right, bottom=y0 + d.bottom)
                out.append(_Glyph(moved, d.char))
            continue
        digit = tell(ink, (0, ink.shape[1]))
        box = digit._replace(left=x0 + digit.left, top=y0 + digit.top, right=x0 + digit.right, bottom=y0 + digit.bottom)
        out.append(
            _Glyph(box if digit.char else none._replace(likeness=digit.likeness, margin=digit.margin), digit.char)
        )
    return out


def _is_stroke(ink: F32) -> bool:
    """Whether a piece of ink is a thin stroke that leans to the right."""
    weight = ink.sum(1)
    rows = np.flatnonzero(weight > 0.25 * weight.max())
    if len(rows) < GLYPH[0]:
        return False
    xs = np.arange(ink.shape[1])
    middle = (ink[rows] @ xs) / weight[rows]
    lean = float(middle[0] - middle[-1]) / len(rows)
    if not 0.18 < lean < 0.7:
        return False
    spread = np.sqrt(np.maximum((ink[rows] @ xs**2) / weight[rows] - middle**2, 0))
    straight = float(np.corrcoef(rows, middle)[0, 1])
    return bool(straight < -0.97 and float(spread.mean()) < 0.14 * len(rows))


def _words(glyphs: list[_Glyph], pixels: Pixels) -> list[_Word]:
    """The numbers that stand free: digits side by side, nothing but page around them."""
    digits = sorted((g for g in glyphs if g.char.isdigit()), key=lambda g: g.digit.left)
    used: set[int] = set()
    out = []
    for i, first in enumerate(digits):
        if i in used:
            continue
        run = [first]
        used.add(i)
        for j in range(i + 1, len(digits)):
            last, other = run[-1].digit, digits[j].digit
            if j in used or abs(digits[j].tall - first.tall) > 0.2 * first.tall:
                continue
            if -0.1 * first.tall <= other.left - last.right <= WORD * first.tall and (
                abs(other.bottom - last.bottom) <= max(1.0, 0.12 * first.tall)
            ):
                run.append(digits[j])
                used.add(j)
        number = join([g.digit for g in run])
        if number is None:
            continue
        word = _Word(number.text, number.left, number.top, number.right, number.bottom)
        if _free(word, run, glyphs, pixels):
            out.append(word)
    return out


def _free(word: _Word, own: list[_Glyph], glyphs: list[_Glyph], pixels: Pixels) -> bool:
    """Whether nothing but page and a stroke stands close to a number: no further digit, and no edge of a window that
    may hide one."""
    before, after, over = (max(2.0, share * word.tall) for share in ROOM)
    strokes = [g.digit for g in glyphs if g.char == "/" and _near(word, g.digit)]
    # up to a stroke nothing stands either; beyond it is the other number, which is looked at in its turn
    for stroke in strokes:
        if stroke.left >= word.right - 1:
            after = max(0.0, stroke.left - word.right - 1)
        else:
            before = max(0.0, word.left - stroke.right - 1)
    for g in glyphs:
        d = g.digit
        if g in own or d in strokes or d.bottom <= word.top or d.top >= word.bottom:
            continue
        if max(g.tall, (d.right - d.left) / 2) > 2 * word.tall:  # a frame around it, for example
            continue
        if d.left < word.right + max(after, 1.0) and d.right > word.left - max(before, 1.0):
            return False
    y0, y1, x0, x1 = round(word.top), round(word.bottom), round(word.left), round(word.right)
    high, wide = pixels.shape[:2]
    top, bottom, left, right = (round(v) for v in (y0 - over, y1 + over, x0 - before, x1 + after))
    if top < 0 or left < 0 or bottom > high or right > wide:
        return False
    over_under = [pixels[top : y0 - 1, x0:x1], pixels[y1 + 1 : bottom, x0:x1]]
    beside = [pixels[y0:y1, left : x0 - 1], pixels[y0:y1, x1 + 1 : right]]
    parts = [(part, axis) for some, axis in ((over_under, 1), (beside, 0)) for part in some if part.size]
    if any(not part.size for part in over_under):
        return False
    # the page is what lies above and below; beside it a window may begin
    usual = np.median(np.concatenate([part.reshape(-1, 3) for part in over_under]).astype(np.float32), axis=0)
    # line by line along each side: a picture of few colours is speckled all over, but an edge runs along one side
    lines = [np.abs(part.astype(np.float32) - usual).max(2).mean(axis) for part, axis in parts]
    usually = sorted(float(np.median(along)) for along in lines)
    speckled = usually[(len(usually) - 1) // 2]
    return max(float(along.max()) for along in lines) <= PLAIN + SPECKLED * speckled


def _near(word: _Word, stroke: Digit) -> bool:
    """Whether a stroke stands right beside a number, at its height."""
    level = stroke.top < word.bottom - 0.5 * word.tall and stroke.bottom > word.top + 0.5 * word.tall
    gap = max(stroke.left - word.right, word.left - stroke.right)
    return level and gap <= BESIDES * word.tall and 0.85 <= (stroke.bottom - stroke.top) / word.tall <= 1.7


def _beside(words: list[_Word], stroke: Digit, side: int) -> _Word | None:
    """The one number right beside a stroke: before it (-1) or after it (1)."""
    near = [w for w in words if _near(w, stroke) and (w.left + w.right - stroke.left - stroke.right) * side > 0]
    return near[0] if len(near) == 1 else None
