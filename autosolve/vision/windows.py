"""Owns what lies over a board: straight edges that run across its cells, as no cell has them, and what they enclose."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from autosolve.board.shape import Shape
from autosolve.vision.cells import F32, Bools
from autosolve.vision.frame import Frame, Pixels
from autosolve.vision.grid import Grid, in_pixels, steps
from autosolve.vision.profile import ENDED, Symbol

STEP = 9  # grey levels from a pixel to the next across a window's edge
LENGTH = 1.1  # pitches: an edge that long runs over a line between two cells
WITHIN = 0.17  # of a pitch: what is nearer to the lattice's lines is part of the cells
OUTER = 0.25  # the same at the board's own sides
OWN = 2  # more lines of cells than that with an edge at one and the same depth: so the cells are drawn
LINE = 0.06  # of a pitch: a drawn line is no wider
SAME, ALL = 12, 0.85  # grey levels between its two sides, on that part of its length
SEEN = 6.0  # grey levels: where the edges between cells are weaker than this, a board has none
MISSING, FLAT = 0.15, 6.0  # of their usual strength, and grey levels: where they are weaker than both they are missing
FALLEN = 0.9  # share of a line between cells
ACROSS = 0.75  # of the cells across a window, by which it goes on
DENSE = 0.5  # of a rectangle's cells: where so many are doubtful, something lies over all of it
FULL = 0.75  # of a rectangle's cells: where so many are hidden, those with a drawing are too
NEAR = 0.16  # of a pitch from the line between two cells to their edges: there may be a gap
DOT = 0.06  # of a pitch between the dots of a dotted line, at most twice
MOST = 500  # edges that are looked at, the longest first
CORNER = 2.0  # the same of two that run towards one corner
MEETS = 0.3  # of a pitch between the ends of two edges of one window


Ints = npt.NDArray[np.int64]
Chars = npt.NDArray[np.str_]
_Run = tuple[float, float, float]  # y, from x, to x
_Span = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class _Edge:
    """A straight edge in pixels of the picture: along x (``level``) or along y, from ``start`` to ``end``."""

    level: bool
    at: float
    start: float
    end: float

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom."""
        return (self.start, self.at, self.end, self.at) if self.level else (self.at, self.start, self.at, self.end)


@dataclass(frozen=True, slots=True, eq=False)
class Over:
    """What of a board something may lie over.

    ``boxes``   first row, last row, first column, last column of the cells that a rectangle lies over, even in part
    ``within``  the same of the cells that it covers from side to side; the last may be before the first
    ``shown``   (rows, cols - 1) and (rows - 1, cols): how strong the edge between two cells is, grey levels
    """

    boxes: tuple[_Span, ...]
    within: tuple[_Span, ...]
    shown: tuple[F32, F32]


def overlaid(frame: Frame, grid: Grid) -> Over:
    """Looks for straight edges over a board's cells, and for where the edges between cells are missing."""
    rows, cols = grid.shape.rows, grid.shape.cols
    left, top, px, py = in_pixels(frame, grid)
    x0, y0 = max(0, int(left)), max(0, int(top))
    x1 = min(frame.width, int(np.ceil(left + cols * px)) + 1)
    y1 = min(frame.height, int(np.ceil(top + rows * py)) + 1)
    part = frame.pixels[y0:y1, x0:x1]
    empty = np.full((rows, cols - 1), 255.0, np.float32), np.full((rows - 1, cols), 255.0, np.float32)
    if min(part.shape[:2]) < 2 * min(px, py):
        return Over((), (), empty)
    down = steps(part[1:], part[:-1])
    across = np.asarray(cv2.transpose(steps(part[:, 1:], part[:, :-1])), np.uint8)
    edges = [_Edge(True, y, a, b) for y, a, b in _runs(part, down, top - y0, py, rows, px)]
    edges += [_Edge(False, x, a, b) for x, a, b in _runs(part.swapaxes(0, 1), across, left - x0, px, cols, py)]
    boxes, within = [], []
    for b in _boxes(edges, max(2.0, MEETS * min(px, py)), CORNER * min(px, py)):
        over_x, in_x = _span((b[0] - left + x0) / px, (b[2] - left + x0) / px, 1.01 / px, cols)
        over_y, in_y = _span((b[1] - top + y0) / py, (b[3] - top + y0) / py, 1.01 / py, rows)
        boxes.append((*over_y, *over_x))
        within.append((*in_y, *in_x))
    shown = (
        _shown(across, left - x0, px, cols, top - y0, py, rows).T,
        _shown(down, top - y0, py, rows, left - x0, px, cols),
    )
    return Over(tuple(boxes), tuple(within), shown)


def _span(start: float, end: float, slack: float, count: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """First and last of the ``count`` cells that lie between two places, wholly or in part, and wholly. What reaches
    over a cell by less than ``slack`` hides nothing of it."""
    if end - start <= 2 * slack:  # a single edge
        over = int(start), int(end)
    else:
        over = int(start + slack), int(end - slack)
    inner = int(np.ceil(start - slack)), int(np.floor(end + slack)) - 1
    return (max(0, over[0]), min(count - 1, over[1])), (max(0, inner[0]), min(count - 1, inner[1]))


def _shown(strong: Pixels, first: float, across: float, lines: int, start: float, along: float, cells: int) -> F32:
    """(lines - 1, cells): how strong the edges between lines of cells are, over most of each cell's length."""
    reach = max(1, round(NEAR * across))
    at = np.round(first + np.arange(1, lines) * across).astype(np.int64)[:, None] - 1 + np.arange(-reach, reach + 1)
    best = strong[at.clip(0, len(strong) - 1)].max(1)  # (lines - 1, pixels along)
    best = cv2.dilate(best, np.ones((1, 2 * max(1, round(DOT * along)) + 1), np.uint8))
    place = start + (np.arange(cells)[:, None] + np.linspace(0.2, 0.8, 7)[None]) * along
    some = best[:, np.floor(place).astype(np.int64).clip(0, best.shape[1] - 1)]  # (lines - 1, cells, 7)
    return np.asarray(np.sort(some, axis=2)[:, :, 2], np.float32)


def _runs(part: Pixels, change: Pixels, first: float, across: float, lines: int, along: float) -> list[_Run]:
    """Level edges in a picture whose lines of cells begin at ``first`` and are ``across`` high; ``change`` from each
    of its rows to the next."""
    place = (np.arange(len(change)) + 1 - first) / across
    depth = place % 1.0
    inside = np.minimum(depth, 1 - depth) >= max(WITHIN, 1.6 / across)
    inside &= np.minimum(place, lines - place) >= OUTER  # where a lattice is a little off, the board's own end
    at = np.flatnonzero(inside)
    strong = cv2.threshold(change[at], STEP - 1, 1, cv2.THRESH_BINARY)[1]
    length = max(6, round(LENGTH * along))
    some = np.flatnonzero(strong.sum(1, dtype=np.int32) >= length)
    at, strong = at[some], np.pad(strong[some], ((0, 0), (1, 1))).ravel()  # no run goes on in the next row
    turns = np.flatnonzero(strong[1:] != strong[:-1]).reshape(-1, 2)
    turns = turns[turns[:, 1] - turns[:, 0] >= length]
    row, starts = np.divmod(turns[:, 0], change.shape[1] + 2)
    stops = starts + turns[:, 1] - turns[:, 0]
    found: list[_Run] = [(float(y + 1), float(a), float(b)) for y, a, b in zip(at[row], starts, stops, strict=True)]
    return _foreign([run for run in found if not _drawn(part, run, 2 + round(LINE * across))], first, across)


def _drawn(part: Pixels, run: _Run, beside: int) -> bool:
    """Whether an edge is one of a line drawn on the board: on both sides of it, every pixel is the same."""
    y, a, b = (int(v) for v in run)
    above, below = part[max(0, y - 1 - beside), a:b], part[min(len(part) - 1, y + beside), a:b]
    return bool((np.abs(above.astype(np.int16) - below).max(1) < SAME).mean() > ALL)


def _foreign(runs: list[_Run], first: float, across: float) -> list[_Run]:
    """Those edges that do not lie at the same depth in one line of cells as in the next: the cells' own do."""
    lines: dict[int, set[int]] = {}
    for y, _, _ in runs:
        lines.setdefault(round((y - first) % across), set()).add(int((y - first) // across))

    def many(y: float) -> int:
        depth = round((y - first) % across)
        return len(set().union(*(lines.get(d, set()) for d in (depth - 1, depth, depth + 1))))

    return [run for run in runs if many(run[0]) <= OWN]


def _boxes(edges: list[_Edge], reach: float, corner: float) -> list[tuple[float, float, float, float]]:
    """The rectangles around edges that meet: left, top, right, bottom. Near a corner an edge may be broken off, where
    what is under the window has its colour: those that run towards one meet further away."""
    if not edges:
        return []
    edges = sorted(edges, key=lambda e: e.start - e.end)[:MOST]
    box = np.array([edge.box for edge in edges])
    apart = np.maximum(box[:, None, :2] - box[None, :, 2:], box[None, :, :2] - box[:, None, 2:]).max(2)
    level = np.array([edge.level for edge in edges])
    near, label = apart <= np.where(level[:, None] != level[None], max(reach, corner), reach), np.arange(len(box))
    while True:
        lowest = np.where(near, label[None], len(box)).min(1)
        if (lowest == label).all():
            break
        label = lowest
    groups = [box[label == k] for k in np.unique(label)]
    return [(*(float(v) for v in g[:, :2].min(0)), *(float(v) for v in g[:, 2:].max(0))) for g in groups]  # type: ignore[misc]


PLAIN = (Symbol.COVERED, Symbol.CLUE_0, Symbol.SAFE)  # which may show nothing
CLOSED = tuple(s.value for s in (Symbol.COVERED, Symbol.FLAG, Symbol.QUESTION))
GONE = tuple(s.value for s in ENDED)


def hidden(
    over: Over, symbols: Sequence[Symbol], doubts: Collection[int], shape: Shape, *, lines: bool = True
) -> list[int]:
    """The cells that something lies over: those under a rectangle, those that lack the edges between cells (unless
    ``lines`` have been looked at already), and all without a drawing between those and the doubtful ones. A window is a
    rectangle, and where it has the colour of a cell only its border shows."""
    size = shape.rows, shape.cols
    chars = np.array([s.value for s in symbols]).reshape(size)
    missing = _missing(over.shown, chars) if lines else None
    known = np.zeros(size, bool) if missing is None else _beside(missing).sum(0) >= 2
    for r0, r1, c0, c1 in over.boxes:
        known[r0 : r1 + 1, c0 : c1 + 1] = True
    out = known.copy()
    out.ravel()[list(doubts)] = True
    if missing is not None:  # where a window ends within a cell, that one lacks the edge to the next only
        out |= _beside(missing, known).any(0)
    for box, inner in zip(over.boxes, over.within, strict=True):
        _stretch(out, box, inner)
    plain = np.isin(chars, [s.value for s in PLAIN])
    before = np.zeros_like(out)
    while (out != before).any():
        before = out.copy()
        beside = np.pad(out, 1, constant_values=True)
        inside = plain | (beside[:-2, 1:-1] & beside[2:, 1:-1] & beside[1:-1, :-2] & beside[1:-1, 2:])
        count, labels = cv2.connectedComponents(out.astype(np.uint8), connectivity=8)
        for k in range(1, count):
            mine = labels == k
            ys, xs = np.nonzero(mine)
            part = slice(ys.min(), ys.max() + 1), slice(xs.min(), xs.max() + 1)
            if known[mine].any() or mine[part].mean() > DENSE:
                out[part] |= inside[part]
    out |= _full(out)
    out |= _enclosed(out)
    return [int(i) for i in np.flatnonzero(out.ravel()) if i not in doubts]


def _enclosed(out: Bools) -> Bools:
    """The cells that hidden ones part from all of the board's sides, but for the most of them that hang together: a
    window may show cells of its own."""
    count, labels = cv2.connectedComponents((~out).astype(np.uint8), connectivity=4)
    sizes = np.bincount(labels.ravel(), minlength=count)
    sizes[0] = 0
    free = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1], [int(sizes.argmax())]])
    return np.asarray(~np.isin(labels, free) & ~out, bool)


def _full(out: Bools) -> Bools:
    """The rectangles of which nearly all cells are hidden, and no line of cells mostly not: a clear window lets some
    drawings through."""
    found = np.zeros_like(out)
    some = np.flatnonzero(out.sum(1) >= 2)
    sums = np.concatenate([np.zeros((1, out.shape[1]), np.int64), np.cumsum(out, axis=0)])
    for at, r0 in enumerate(some):
        for r1 in some[at + 1 :] + 1:
            hidden = sums[r1] - sums[r0]
            turns = np.flatnonzero(np.diff(np.pad(2 * hidden >= r1 - r0, 1))).reshape(-1, 2)
            for start, stop in turns[turns[:, 1] - turns[:, 0] >= 2].tolist():
                wholly = np.flatnonzero(hidden[start:stop] == r1 - r0)  # from one such column to another
                if len(wholly) < 2:
                    continue
                c0, c1 = start + int(wholly[0]), start + int(wholly[-1]) + 1
                if hidden[c0:c1].sum() > FULL * (r1 - r0) * (c1 - c0):
                    found[r0:r1, c0:c1] = True
    return found


def _missing(shown: tuple[F32, F32], symbols: Chars) -> tuple[Bools, Bools]:
    """(rows, cols - 1) and (rows - 1, cols): where the edges between cells are missing that run between most cells of
    their kind.

    A board of which all covered cells are drawn alike shows where each ends; opened ones may run into each other."""
    group = np.where(np.isin(symbols, CLOSED), 1, np.where(np.isin(symbols, GONE), 16, 4))
    pairs = [(symbols[:, 1:], symbols[:, :-1]), (symbols[1:], symbols[:-1])]
    kinds = [group[:, 1:] + group[:, :-1], group[1:] + group[:-1]]
    out: list[Bools] = []
    for along in (0, 1):  # cells may have gaps above and below that are wider than those beside them
        strong, kind, a, b = shown[along], kinds[along], *pairs[along]
        usually = _usual(strong)
        missing = np.zeros(strong.shape, bool)
        for one in np.unique(kind):
            mine = kind == one
            usual = _usual(strong[mine])
            # a line too thin for a pixel may fall away all along the board; a raised cell shows it all the same
            part = np.ones_like(mine) if one == 2 else mine
            fallen = ((strong < FLAT) & part).sum(along, keepdims=True) >= FALLEN * part.sum(along, keepdims=True)
            for plain in PLAIN:
                both = mine & (a == plain.value) & (b == plain.value)
                # a window in the colour of such cells may be most of them
                least = usually if plain is Symbol.COVERED else usual
                missing |= both & ~fallen & _weak(strong, max(_usual(strong[both]), least))
                mine = mine & ~both
            missing |= mine & ~fallen & _weak(strong, usual)
        out.append(missing)
    return out[0], out[1]


def _beside(missing: tuple[Bools, Bools], only: Bools | None = None) -> Bools:
    """(4, rows, cols): whether a cell's edge to the right, to the left, below and above is missing; ``only`` those to
    some cells."""
    across, down = missing
    shape = len(across), down.shape[1]
    there = np.ones(shape, bool) if only is None else only
    out = np.zeros((4, *shape), bool)
    out[0, :, :-1], out[1, :, 1:] = across & there[:, 1:], across & there[:, :-1]
    out[2, :-1], out[3, 1:] = down & there[1:], down & there[:-1]
    return out


def _usual(values: F32) -> float:
    """How strong edges are where they are to be seen at more than half of the places; 0 for few values."""
    ordered = np.sort(values, axis=None)
    if len(ordered) < 6:
        return 0.0
    at, part = divmod(0.4 * (len(ordered) - 1), 1)
    below, above = ordered[int(at)], ordered[int(at) + 1]
    return float(below + (above - below) * part)


def _weak(strong: F32, usual: float) -> Bools:
    """Where an edge is missing that is usually there."""
    return np.asarray((strong < min(MISSING * usual, FLAT)) & (usual >= SEEN), bool)


def _stretch(out: Bools, box: _Span, inner: _Span) -> None:
    """Goes on with a rectangle of which only a part shows: as far as most cells across it are hidden."""
    r0, r1, c0, c1 = box
    for rows in (range(r1 + 1, out.shape[0]), range(r0 - 1, -1, -1)):
        for r in rows:
            if inner[3] < inner[2] or out[r, inner[2] : inner[3] + 1].mean() < ACROSS:
                break
            out[r, c0 : c1 + 1] = True
    for cols in (range(c1 + 1, out.shape[1]), range(c0 - 1, -1, -1)):
        for c in cols:
            if inner[1] < inner[0] or out[inner[0] : inner[1] + 1, c].mean() < ACROSS:
                break
            out[r0 : r1 + 1, c] = True
