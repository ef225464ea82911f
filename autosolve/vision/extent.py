"""Owns how far a board reaches: lines of cells that the lattice missed, and lines it took that are none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from autosolve.board.shape import MAX_SIDE
from autosolve.vision.cells import F32, Bools, T, inks, normalise, strips
from autosolve.vision.frame import Frame, Pixels
from autosolve.vision.grid import MIN_SIDE, Grid, in_pixels
from autosolve.vision.shapes import FAINT, shapes
from autosolve.vision.skin import bodies, grounds

SHARE = 0.04  # of the board's cells, from which a ground is one of its usual ones
SAME_BODY = 12.0  # grey levels between a cell's body and its ground's, at most
PLAIN = 8.0  # the same for a known cell
FAINT_LINE = 6.0  # grey levels by which the rims of faint lines may differ: a lattice is never quite in place
SIDES = ("top", "left", "bottom", "right")  # as in cells.strips
RIM = 5  # pixels along the sides of a normalised cell: grid line and bevel
PAGE = 0.7  # share of a line's cells that are plain, from which it is the page
EVEN, STRAY = 6.0, 0.3  # grey levels from the page's colour, but for that many pixels in a hundred at either end
DIGIT = 0.8  # correlation with a known digit
INSIDE = 0.1  # of a cell, to its sides: nearer nothing is drawn that belongs to one cell
PLACE = 0.12  # of a cell, by which a digit may stand elsewhere than the board's usually do
FILL, FILLED = 40.0, 0.5  # grey levels from its body, within which that much of a cell without lines is
MOSTLY, BODIES = 0.4, 0.95  # the same where nearly all of them have the body of the board's cells
GROWS, STAYS = 0.8, 0.3  # share of a line's cells that must look like the board's to be added, and not to be taken away


@dataclass(frozen=True, slots=True, eq=False)
class _Kind:
    """A usual ground: its body and how much that varies, its rim, and how far from that rim (grey levels) a cell of
    it may be: less than to having no lines at all."""

    body: F32
    spread: float
    rim: F32
    slack: float


def fitted(frame: Frame, grid: Grid, plain: F32 | None = None, *, stack: Pixels | None = None) -> Grid:
    """The lattice with the lines added that look like its cells, and those taken off that do not.

    A cell looks like the board's when its body and the lines and bevels around it are those of one of the board's usual
    grounds; what is drawn on it does not matter. ``plain`` (k, 3) BGR are bodies of known
    cells without lines, which may be missing from the part that was found; ``stack`` the lattice's normalised cells,
    where somebody has them."""
    rows, cols = grid.shape.rows, grid.shape.cols
    inner = np.zeros((rows, cols), bool)
    off_r, off_c = int(rows > 4), int(cols > 4)
    inner[off_r : rows - off_r, off_c : cols - off_c] = True
    if stack is None:
        stack = _cells(frame, grid, 0, rows, 0, cols)
    kinds = _kinds(stack[inner.ravel()])
    if not kinds:
        return grid
    kinds += [
        _Kind(body, PLAIN, np.zeros((4, RIM, 3), np.float32), np.inf) for body in (() if plain is None else plain)
    ]
    # the outermost lines have other neighbours: there only the body is asked
    like = _like(stack, kinds, rims=False).reshape(rows, cols)
    r0, r1, c0, c1 = 0, rows, 0, cols
    while r1 - r0 > MIN_SIDE or c1 - c0 > MIN_SIDE:
        part = like[r0:r1, c0:c1]
        shares = {
            "top": part[0].mean(),
            "bottom": part[-1].mean(),
            "left": part[:, 0].mean(),
            "right": part[:, -1].mean(),
        }
        if r1 - r0 <= MIN_SIDE:
            del shares["top"], shares["bottom"]
        if c1 - c0 <= MIN_SIDE:
            del shares["left"], shares["right"]
        worst = min(shares, key=lambda side: shares[side])
        if shares[worst] >= STAYS:
            break
        r0, r1 = r0 + (worst == "top"), r1 - (worst == "bottom")
        c0, c1 = c0 + (worst == "left"), c1 - (worst == "right")
    grown = True
    while grown:
        grown = False
        for side in SIDES:
            line = {
                "top": (r0 - 1, r0, c0, c1),
                "bottom": (r1, r1 + 1, c0, c1),
                "left": (r0, r1, c0 - 1, c0),
                "right": (r0, r1, c1, c1 + 1),
            }[side]
            if max(line[1] - line[0] + r1 - r0, line[3] - line[2] + c1 - c0) > MAX_SIDE or not _inside(
                frame, grid, *line
            ):
                continue
            stack = _cells(frame, grid, *line)
            share = _like(stack, kinds, outer=SIDES.index(side)).mean()
            # off the middle the lattice may be off its lines
            alike = share >= GROWS or (share >= MOSTLY and _like(stack, kinds, rims=False).mean() >= BODIES)
            if alike and not (
                _page(frame, grid, line, stack, kinds) and not _clues(frame, grid, (r0, r1, c0, c1), stack)
            ):
                r0, r1 = min(r0, line[0]), max(r1, line[1])
                c0, c1 = min(c0, line[2]), max(c1, line[3])
                grown = True
    return grid if (r0, r1, c0, c1) == (0, rows, 0, cols) else grid.part(r0, r1, c0, c1)


def shorter(grid: Grid) -> Iterator[tuple[frozenset[str], Grid]]:
    """The lattices with a line less at some sides, and which sides these are, the fewest first: of a board's outermost
    lines some may be headings, a counter or a palette that is drawn like its cells."""
    for count in (1, 2, 4):
        for sides in combinations(SIDES, count):
            top, left, bottom, right = (side in sides for side in SIDES)
            rows, cols = grid.shape.rows - bottom, grid.shape.cols - right
            if min(rows - top, cols - left) >= MIN_SIDE:
                yield frozenset(sides), grid.part(top, rows, left, cols)


def _page(frame: Frame, grid: Grid, line: tuple[int, int, int, int], stack: Pixels, kinds: list[_Kind]) -> bool:
    """Whether a line of cells is the page, of which opened cells may be: no cell of it has lines or a bevel, and beyond
    its ends the page goes on in its colour."""
    r0, r1, c0, c1 = line
    lined = [kind for kind in kinds if np.isfinite(kind.slack)]
    ends = (
        ((r0, r1, c0 - 1, c0), (r0, r1, c1, c1 + 1)) if r1 - r0 == 1 else ((r0 - 1, r0, c0, c1), (r1, r1 + 1, c0, c1))
    )
    beyond = [_cells(frame, grid, *end) for end in ends if _inside(frame, grid, *end)]
    if not beyond:
        return False
    low, page, high = np.percentile(np.concatenate(beyond).reshape(-1, 3), (STRAY, 50, 100 - STRAY), axis=0)
    if (high - low > 2 * EVEN).any():
        return False
    # at three of its sides at least: the fourth may show the board's own edge
    flat = (np.abs(_rims(stack) - page).max((2, 3)) <= EVEN).sum(1) >= 3
    bare = np.abs(bodies(stack) - page).max(1) <= EVEN  # round cells touch their sides nowhere, a heading crosses them
    flat &= bare
    return bool(bare.mean() >= PAGE and not (_like(stack, lined) & ~flat).any())


def _clues(frame: Frame, grid: Grid, board: tuple[int, int, int, int], stack: Pixels) -> bool:
    """Whether there are digits in a line of cells like those of the board, and nothing that runs across cells."""
    known = shapes(in_pixels(frame, grid)[3])

    def digits(some: Pixels) -> tuple[Bools, Bools, F32]:
        body = bodies(some)
        drawn = inks(some, body, np.full(len(some), 3), floor=FAINT)
        fit = (drawn.glyph @ known.digits[:, 1:9].reshape(-1, drawn.glyph.shape[1]).T).max(1)
        return np.asarray(drawn.contrast > 0), np.asarray(fit >= DIGIT), drawn.box

    inked, told, box = digits(stack)
    # a heading runs across cells
    reach = np.minimum(box[:, :2].min(1), 1 - box[:, 2:].max(1))
    if not (inked & told).any() or (reach[inked] < INSIDE).any():
        return False
    inked &= told
    usual = digits(_cells(frame, grid, *board))
    if usual[1].sum() < MIN_SIDE:
        return False
    # digits are of different widths: held against the board's are their tops, bottoms and middles
    places = [np.stack([b[:, 1], b[:, 3], (b[:, 0] + b[:, 2]) / 2], 1) for b in (box[inked], usual[2][usual[1]])]
    return bool((np.abs(places[0] - np.median(places[1], axis=0)) <= PLACE).all())


def _cells(frame: Frame, grid: Grid, r0: int, r1: int, c0: int, c1: int) -> Pixels:
    """Normalised cells of a block on the lattice, which may lie outside the board."""
    left, top, px, py = in_pixels(frame, grid)
    return normalise(frame.pixels, left + c0 * px, top + r0 * py, px, py, r1 - r0, c1 - c0)


def _inside(frame: Frame, grid: Grid, r0: int, r1: int, c0: int, c1: int) -> bool:
    """Whether a block of cells lies in the picture, but for a thin line at its edge."""
    left, top, px, py = in_pixels(frame, grid)
    return (
        left + c0 * px >= -0.06 * px
        and top + r0 * py >= -0.06 * py
        and left + c1 * px <= frame.width + 0.06 * px
        and top + r1 * py <= frame.height + 0.06 * py
    )


def _rims(stack: Pixels) -> F32:
    """(n, 4, RIM, 3) colours along the sides of cells, at each depth the mean over the side's two ends: there no
    drawing reaches."""
    along = np.r_[3:9, T - 9 : T - 3]
    return strips(stack, RIM, along)


def _kinds(stack: Pixels) -> list[_Kind]:
    ground = grounds(stack)
    rims = _rims(stack)
    out = []
    for k in range(ground.count):
        mine = ground.kind == k
        if mine.sum() < max(2, SHARE * len(stack)):
            break
        rim, body = np.median(rims[mine], axis=0), ground.bodies[k]
        strength = float(np.abs(rim - body).mean(2).max())
        own = float(np.percentile(_away(rims[mine], rim), 90))
        slack = max(0.5 * strength, min(1.2 * own, 0.6 * strength), min(0.75 * strength, FAINT_LINE), 4.0)
        if strength < 8:  # without lines the colour must do: what shows at the sides are the neighbours
            slack = np.inf
        spread = float(np.percentile(np.abs(ground.body[mine] - body).max(1), 95))
        out.append(_Kind(body, float(np.clip(1.5 * spread, 4, SAME_BODY)), rim, slack))
    return out


def _away(rims: F32, rim: F32) -> F32:
    """(n,) grey levels: the furthest that any side differs from a ground's at any depth."""
    return np.asarray(np.abs(rims - rim).mean(3).max((1, 2)), np.float32)


def _like(stack: Pixels, kinds: list[_Kind], *, rims: bool = True, outer: int | None = None) -> Bools:
    """(n,) whether cells look like one of the kinds, in their body, and with ``rims`` in what runs along their
    sides, but for the ``outer`` one of a board's last line, beyond which there is no neighbour."""
    body, sides = bodies(stack), _rims(stack)
    asked = [side for side in range(4) if side != outer]
    out = np.zeros(len(stack), bool)
    for kind in kinds:
        near = (np.abs(body - kind.body).max(1) <= kind.spread) & ~out
        if rims and not np.isfinite(kind.slack):  # a strip of the board's own page is no cell
            some = np.flatnonzero(near)
            even = np.abs(stack[some] - kind.body).max(3) <= FILL
            near[some] = even.mean((1, 2)) >= FILLED
        out |= near & (_away(sides[:, asked], kind.rim[asked]) <= kind.slack) if rims else near
    return np.asarray(out, bool)
