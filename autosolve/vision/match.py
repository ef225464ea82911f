"""Owns which symbol a normalised cell shows: surface, shape and colour against a site's templates.

Three pieces of evidence, each held against the board's own other cells before it counts:

1. the *surface*: raised (a bevel: covered, flag) or flat (a clue, marked safe), from the colours along the four
   sides, scaled by the bevel's strength on this very board;
2. the *shape* of what is drawn on it, by correlation at one height with every template of that surface;
3. the *colour* it is drawn in, which may decide between shapes that are close, but never against the shape.

A cell is doubtful when any piece is missing or contradicts: doubt is a result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from autosolve.vision.cells import DEPTH, F32, Bools, Inks, Surfaces, inks, normalise, surfaces
from autosolve.vision.frame import Pixels
from autosolve.vision.profile import Profile, Symbol, Template

Ints = npt.NDArray[np.int64]

DIMMED = "the whole board is dimmed, as by a dialog over the page"  # why a cell is doubtful
BEVEL = slice(1, DEPTH - 1)  # depths that tell a bevel; 0 is the grid line, the last is body

# Bounds, found on several hundred boards drawn by Chromium at pitches 20 to 93 px (benchmarks/reader.py)
RAISED_RANGE = (0.45, 1.7)  # a side's bevel against the board's own
FLAT_RANGE = (-1.0, 0.35)  # a grid line drawn two pixels wide darkens the sides it falls on
SAME_BODY = 18.0  # grey levels between the bodies of two cells of one kind
PALE_BEVEL = 8.0  # grey levels between opposite sides of a cell of a site without bevels
DIM = 0.85  # brightness of the cells against the templates' above which no veil darkens them
PALE = 1.12  # brightness of the cells against the templates' from which a veil is likelier than a display profile
HALF_RAISED = 0.2  # mean share of the usual bevel that an open, empty cell does not reach
EXACT_BODY = 3.0  # the same for empty cells, of a picture whose cells are all alike
SMOOTH = 9.0  # grey levels along the even part of a cell
REACH = 0.24  # of the cell: ink nearer to a side than this may be what disturbs its even part
LINE = 10.0  # grey levels between a body and the line around it from which that is surely lighter, or darker
LINES_TOLD = 6  # boundaries of one kind from which its usual line is told
LINE_SHARE = 0.25  # of the board's usual grid line
SHAPE_FLOOR = 0.74  # correlation below which a shape is unknown
SHAPE_SURE = 0.86  # and above which it needs no colour beside it
SHAPE_TIE = 0.06  # shapes closer than this are told apart by colour
RELIEF = 300.0  # mean squared grey levels between opposite sides from which a cell counts as raised
SAME_FONT = 0.01  # mean correlation by which the font a board is drawn in may be behind the best fitting one
ENOUGH_DIGITS = 6  # digits from which a board's font can be told
MARGIN = 0.06  # between the best symbol and the next, all evidence together
VERY_LIKE, LEAST_MARGIN, CLEARLY = 0.965, 0.035, 0.65  # correlation and margin of a digit that is told by less, and the
# same margin as a share of what the two templates are apart
COLOUR_WEIGHT = 0.25
COLOUR_NEAR = 70.0  # distance in BGR at which a colour no longer speaks for a symbol


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """The outcome for n cells: symbols, scores and margins in 0..1, and the reason of each doubt or "".

    ``dimmed``  the board is the site's, but darkened as a whole, and every cell is doubtful for that
    ``shifts``  by how many of T pixels each row and each column was found beside its even place; None for none"""

    symbols: list[Symbol]
    scores: F32
    margins: F32
    doubts: list[str]
    dimmed: bool = False
    shifts: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]] | None = None

    @property
    def count(self) -> int:
        """How many cells look like cells of the site."""
        return len(self.doubts) if self.dimmed else sum(not doubt for doubt in self.doubts)


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """What cells of a site are made of: raised or flat, the body's colour, the line around it against the body
    (grey levels, and grey levels times depths by which such a line shows), and what an empty one is."""

    raised: bool
    body: F32  # (3,) BGR
    line: float
    line_weight: float
    empty: Symbol | None


@dataclass(frozen=True, slots=True, eq=False)
class Library:
    """A site's templates at one zoom, as features; the arrays run over the templates that have ink.

    ``names``  their symbols, each once      ``of`` (templates,) index into them
    ``inks``   per name (k, 3) BGR in which it may be drawn      ``tall`` per name its height as a part of the cell"""

    kinds: tuple[Kind, ...]
    bevel: F32  # (4, depths, 3): raised less flat, zeros where no cell is raised
    flat_sides: F32  # (4, depths, 3)
    above_bevel: float  # grey levels from a body that a grid line reaches and no bevel does
    symbols: tuple[Symbol, ...]
    kind: Ints
    glyphs: F32
    names: tuple[Symbol, ...]
    of: Ints
    inks: tuple[F32, ...]
    tall: F32
    fonts: tuple[str, ...]

    @property
    def raised(self) -> Bools:
        """Which templates are of a raised kind."""
        return np.array([self.kinds[k].raised for k in self.kind], bool)


@lru_cache(maxsize=32)
def _library(profile_key: ByIdentity, look: str, pitch: int) -> Library:
    """Templates drawn down to ``pitch`` pixels first, so that they are as soft as what a screen shows there."""
    profile = profile_key.profile
    templates = [t for s in profile.templates.values() for t in s if t.look == look]
    stack = []
    for t in templates:
        h, w = t.pixels.shape[:2]
        small = cv2.resize(t.pixels, (min(pitch, w), min(pitch, h)), interpolation=cv2.INTER_AREA)
        stack.append(normalise(small.astype(np.uint8), 0, 0, small.shape[1], small.shape[0], 1, 1)[0])
    cells = np.stack(stack)
    seen = surfaces(cells)
    # light from one corner: grid lines look the same on all sides, a bevel does not
    slope = seen.sides[:, 0] + seen.sides[:, 1] - seen.sides[:, 2] - seen.sides[:, 3]
    power = (slope[:, BEVEL] ** 2).mean((1, 2))
    raised = power > max(4.0 * float(power.min()), RELIEF)
    flat_sides = seen.sides[~raised].mean(0)
    bevel = seen.sides[raised].mean(0) - flat_sides if raised.any() else np.zeros_like(flat_sides)
    drawn = inks(cells, seen.body, np.where(raised, DEPTH, 3))
    some = drawn.contrast > 0
    kinds: list[Kind] = []
    kind = np.zeros(len(templates), np.int64)
    for i, t in enumerate(templates):
        for k, known in enumerate(kinds):
            if known.raised == raised[i] and np.abs(known.body - seen.body[i]).max() < 5:
                kind[i] = k
                break
        else:
            kind[i] = len(kinds)
            line = float(_line_around(seen.sides[i : i + 1])[0])
            kinds.append(Kind(bool(raised[i]), seen.body[i], line, 0.0, None))
        if not some[i]:
            kinds[kind[i]] = replace(kinds[kind[i]], empty=t.symbol)
    for k, known in enumerate(kinds):
        around = seen.sides[kind == k].mean(0)
        kinds[k] = replace(known, line_weight=float(2 * np.abs(around[:, :2].mean(2).sum(1)).mean()))
    symbols = tuple(t.symbol for t, s in zip(templates, some, strict=True) if s)
    names = tuple(dict.fromkeys(symbols))
    of = np.array([names.index(s) for s in symbols], np.int64)
    # a digit is drawn in one colour, a picture in several
    own = [(drawn.colour if s.number is not None else drawn.blend)[some][of == i] for i, s in enumerate(names)]
    named = [np.array(profile.inks.get(s, ()), np.float32).reshape(-1, 3) for s in names]
    heights = (drawn.box[:, 3] - drawn.box[:, 1])[some]
    return Library(
        tuple(kinds),
        bevel[:, BEVEL],
        flat_sides[:, BEVEL],
        _above_bevel(templates, seen.body, raised),
        symbols,
        kind[some],
        drawn.glyph[some],
        names,
        of,
        tuple(np.unique(said if len(said) else seen, axis=0) for said, seen in zip(named, own, strict=True)),
        np.array([heights[of == i].mean() for i in range(len(names))], np.float32),
        tuple(t.variant for t, s in zip(templates, some, strict=True) if s),
    )


def _above_bevel(templates: Sequence[Template], body: F32, raised: Bools) -> float:
    """Grey levels from the body that tell a grid line from the dark or light of a bevel, on sharp templates."""
    lines, bevels = [0.0], [0.0]
    for t, own, is_raised in zip(templates, body, raised, strict=True):
        h, w = t.pixels.shape[:2]
        away = np.abs(t.pixels[h // 4 : -h // 4, :].astype(np.float32) - own).mean(2)
        lines.append(float(away[:, 0].mean()))
        if is_raised:
            reach = max(2, round(0.09 * w))
            sign = np.sign(t.pixels[h // 2, 0].astype(np.float32).mean() - own.mean())
            signed = sign * (t.pixels[h // 4 : -h // 4, 2:reach].astype(np.float32) - own).mean(2)
            far = sign * (t.pixels[h // 4 : -h // 4, w - reach : w - 2].astype(np.float32) - own).mean(2)
            bevels.append(float(max(signed.mean(0).max(), far.mean(0).max())))
    line, bevel = max(lines), max(bevels)
    return bevel + 0.35 * max(line - bevel, 20.0)


class ByIdentity:
    """A profile as a cache key: profiles hold arrays and are not hashable."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile

    def __hash__(self) -> int:
        return hash(self.profile.folder)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ByIdentity) and self.profile is other.profile


def library(profile: Profile, look: str, pitch: float) -> Library:
    """The features of a site's templates of one look, for boards of that pitch (pixels)."""
    return _library(ByIdentity(profile), look, int(min(max(8, round(pitch)), 200)))


def _look_of(bodies: F32, profile: Profile, pitch: float) -> Library:
    """The look whose cell bodies are most like these."""
    libraries = [library(profile, look, pitch) for look in profile.looks]

    def far(lib: Library) -> float:
        return float(np.median(np.min([np.abs(bodies - k.body).max(1) for k in lib.kinds], axis=0)))

    return min(libraries, key=far) if len(libraries) > 1 else libraries[0]


# ---------------------------------------------------------------- what cells are made of


@dataclass(frozen=True, slots=True, eq=False)
class _Ground:
    """What n cells are made of: the kind each is nearest to, and what speaks against it."""

    kind: Ints
    raised: Bools  # surely
    flat: Bools  # surely
    leans_raised: Bools
    share: F32  # (n, 4) of the board's usual bevel along each side
    odd: Bools  # of another colour than the others of its kind
    strange: Bools  # of a slightly other colour, which an empty cell must not be
    mixed: Bools  # between the colours of two kinds
    smooth: Bools
    usual: float  # brightness of the most usual kind against its template's, 1 = the same
    gain: float  # strength of the bevel's strongest side against the templates', 1 = the same


def _ground(seen: Surfaces, lib: Library, rows: int) -> _Ground:
    n = len(seen.body)
    gain = np.ones(4, np.float32)
    share = np.zeros((n, 4), np.float32)
    if any(k.raised for k in lib.kinds):
        away = seen.sides[:, :, BEVEL] - lib.flat_sides
        bevel = (away * lib.bevel).sum((2, 3)) / np.maximum((lib.bevel**2).sum((1, 2)), 1e-3)
        high = bevel.mean(1) > 0.3
        if high.any():
            gain = np.maximum(np.median(bevel[high], axis=0), 0.25).astype(np.float32)
        share = (bevel / _gains_by_line(bevel, high, gain, rows)).astype(np.float32)
    raised = np.asarray(((share > RAISED_RANGE[0]) & (share < RAISED_RANGE[1])).all(1), bool)
    level = (share > FLAT_RANGE[0]) & (share < FLAT_RANGE[1])
    # a large digit may reach into one side
    flat = np.asarray((level.sum(1) >= 3) & (share.mean(1) > -0.5) & (share.mean(1) < FLAT_RANGE[1]), bool)
    leans_raised = share.mean(1) > 0.5
    smooth = seen.rough.max(1) <= SMOOTH
    kind, odd, mixed, strange = np.zeros(n, np.int64), *(np.zeros(n, bool) for _ in range(3))
    usual: dict[int, F32] = {}
    for is_raised in (True, False):
        group = [k for k, known in enumerate(lib.kinds) if known.raised is is_raised]
        mine = leans_raised if is_raised else ~leans_raised
        if not group or not mine.any():
            continue
        bodies = np.stack([lib.kinds[k].body for k in group])
        apart = np.abs(seen.body[mine][:, None] - bodies[None]).max(2)
        kind[mine] = np.array(group)[apart.argmin(1)]
        if len(group) > 1:
            gaps = np.abs(bodies[:, None] - bodies[None]).max(2)
            slack = 0.35 * float(gaps[gaps > 0].min())
            # colours may be shifted as a whole, and one kind look like the other: the lines around must fit too
            around = _line_around(seen.sides[mine])
            lines = np.array([lib.kinds[k].line for k in group])
            strong, weak = int(np.abs(lines).argmax()), int(np.abs(lines).argmin())
            # a line may be softened, or lie half on the neighbour; one that is not there shows nothing
            by_line = np.where(around / (lines[strong] or 1.0) > 0.3, strong, weak)
            mixed[mine] = (np.sort(apart, axis=1)[:, 1] - apart.min(1) < slack) | (by_line != apart.argmin(1))
        else:
            slack = SAME_BODY
        for k in group:
            # colours may be shifted as a whole: the board's own cells tell what is usual
            own = mine & (kind == k)
            near = own & (np.abs(seen.body - lib.kinds[k].body).max(1) <= slack) if len(group) > 1 else own
            sample = near & smooth if (near & smooth).any() else near
            expected = [np.asarray(np.median(seen.body[sample], axis=0), np.float32)] if sample.any() else []
            if not is_raised and usual and len(group) == 1:
                # most flat cells may be highlighted: the covered ones tell what is usual too
                first = next(iter(usual))
                expected.append(usual[first] + lib.kinds[k].body - lib.kinds[first].body)
            if not expected:
                odd |= own
                continue
            usual[k] = expected[0]
            odd |= own & (np.min([np.abs(seen.body - e).max(1) for e in expected], axis=0) > min(SAME_BODY, slack))
            # an empty cell has nothing but its colour to show that it is one: held to what the board itself varies by
            apart_from = np.abs(seen.body - expected[-1]).max(1)
            spread = float(np.median(apart_from[sample])) if sample.any() else 0.0
            strange |= own & (apart_from > min(SAME_BODY, slack, EXACT_BODY + 6 * spread))
    most = max(usual, key=lambda k: int((kind == k).sum()) + (n if lib.kinds[k].raised else 0)) if usual else None
    bright = 1.0 if most is None else float(usual[most].mean() / max(1.0, float(lib.kinds[most].body.mean())))
    return _Ground(kind, raised, flat, leans_raised, share, odd, strange, mixed, smooth, bright, float(gain.max()))


def _line_around(sides: F32) -> F32:
    """(n,) grey levels: the strongest line at any side of each cell, against its body."""
    grey = sides[:, :, :2].mean(3).reshape(len(sides), -1)
    return np.asarray(np.take_along_axis(grey, np.abs(grey).argmax(1)[:, None], axis=1)[:, 0], np.float32)


def _gains_by_line(bevel: F32, high: Bools, gain: F32, rows: int) -> F32:
    """(n, 4): the usual bevel along each side of each row and column.

    Browsers snap edges to whole pixels, so in one row of a board all bevels may be a pixel thinner than in the
    next. Rows and columns with too few raised cells to tell take the board's ``gain``."""
    out = np.tile(gain, (len(bevel), 1)).reshape(rows, -1, 4)
    values = np.where(high[:, None], bevel, np.nan).reshape(rows, -1, 4)
    for axis, sides in ((1, (0, 2)), (0, (1, 3))):
        ordered = np.sort(values[:, :, sides], axis=axis)  # those that are not told come last
        told = np.isfinite(ordered[:, :, :1]).sum(axis, keepdims=True)
        low, high = (np.take_along_axis(ordered, at.clip(0), axis) for at in ((told - 1) // 2, told // 2 - (told == 0)))
        own = ((low + high) / 2).clip(0.5 * gain[list(sides)], 1.8 * gain[list(sides)])
        out[:, :, sides] = np.where(told < 3, out[:, :, sides], own)
    return out.reshape(-1, 4)


# ---------------------------------------------------------------- what is drawn on them


def match(stack: Pixels, rows: int, cols: int, profile: Profile, pitch: float) -> Match:
    """Tells what each normalised cell of a rows x cols board shows.

    ``stack`` uint8 (rows * cols, T, T, 3), ``pitch`` pixels in the picture it comes from."""
    n = rows * cols
    doubts = [""] * n
    seen = surfaces(stack)
    lib = _look_of(seen.body, profile, pitch)
    ground = _ground(seen, lib, rows)
    raised, flat, odd = ground.raised, ground.flat, ground.odd
    drawn = inks(stack, seen.body, np.where(ground.leans_raised, DEPTH, 3))
    inked = drawn.contrast > 0

    shape, colour = _evidence(lib, seen.body, drawn, ground)
    if not profile.inks:
        shape = _in_one_font(lib, shape, inked & flat)
    single = shape
    names, shape, colour = list(lib.names), _per_symbol(lib, shape), _per_symbol(lib, colour)
    trusted = _palette_trusted(names, shape, colour, inked & flat)
    total = shape + COLOUR_WEIGHT * (colour if trusted else 0.0)
    best, second = _two_best(total)
    every = np.arange(n)
    own_shape, own_colour = shape[every, best], colour[every, best]
    margin = (total[every, best] - total[every, second]).clip(0, 1)
    sure = own_shape >= (SHAPE_FLOOR if trusted else SHAPE_SURE)
    sure &= (own_shape >= SHAPE_SURE) | (own_colour > 0.4)
    sure &= own_shape >= shape.max(1) - SHAPE_TIE
    if trusted:
        sure &= own_colour > 0.05
    clue_like = inked & flat
    numbers = np.array([s.number is not None for s in names])[best]
    told_apart = margin >= MARGIN
    near = np.flatnonzero(~told_apart & numbers & (own_shape >= VERY_LIKE))
    told_apart[near] = _clear(lib, single[near], best[near], second[near])
    well_set = _well_set(drawn.box, clue_like & sure & numbers & told_apart)

    empty = [lib.kinds[k].empty for k in ground.kind]
    fallback = Symbol.COVERED
    symbols = [names[best[i]] if inked[i] else (empty[i] or fallback) for i in range(n)]

    dimmed = _dimmed(profile, names, shape, drawn, seen.body, ground.usual, clue_like)
    if dimmed:
        _note(doubts, np.ones(n, bool), DIMMED)
    elif profile.inks and not trusted and not DIM < ground.usual < PALE:
        _note(doubts, np.ones(n, bool), "neither its cells nor its digits have the site's colours")
    elif ground.usual > PALE and any(k.raised for k in lib.kinds):
        dimmed = True
        _note(doubts, np.ones(n, bool), "the whole board is paled, as by a veil over the page")
    over = "something seems to lie over it"
    _note(doubts, ~raised & ~flat, over)
    _note(doubts, raised & ~ground.smooth, over)
    _note(
        doubts, (raised & odd) | (~inked & ground.strange), "its colour is unlike that of the other cells of its kind"
    )
    _note(doubts, ground.mixed, "its colour is between those of two kinds of cells")
    if sum(not k.raised for k in lib.kinds) > 1:
        _note(doubts, flat & odd, "its colour is unlike that of the other cells of its kind")
    # a large digit may itself reach the even part of a side
    reach = np.stack([drawn.box[:, 1], drawn.box[:, 0], 1 - drawn.box[:, 3], 1 - drawn.box[:, 2]], axis=1)
    disturbed = (seen.rough > SMOOTH) & ~(inked[:, None] & (reach < REACH))
    _note(doubts, flat & disturbed.any(1), over)
    _note(doubts, flat & ~inked & ((ground.share <= FLAT_RANGE[0]) | (ground.share >= FLAT_RANGE[1])).any(1), over)
    hidden_at = np.array([bool(d) for d in doubts]) & ~clue_like
    hidden = seen.body[hidden_at]
    if len(hidden):  # a veil darkens covered cells and clues alike; a highlight colours clues only
        like_hidden = np.abs(seen.body[:, None] - hidden[None, :50]).max(2).min(1) <= SAME_BODY
        _note(doubts, flat & odd & like_hidden, over)
        _note(doubts, flat & odd & _spread(hidden_at, rows), "its colour is unusual and the cells around it are hidden")
    if profile.lines:
        strength = min(1.0, ground.gain)
        floors = [0.25 * k.line_weight * strength for k in lib.kinds]
        signs = [k.line if abs(k.line) >= LINE else 0.0 for k in lib.kinds]
        on = np.where(flat, ground.kind, -1)
        lines, contrary = _lines(seen, rows, cols, on, floors, signs, lib.above_bevel * strength)
        if contrary:  # the colours of one look, made lighter or darker, may be those of another
            _note(doubts, np.ones(n, bool), "its grid lines are not those of the site")
        unlined = flat & (lines.min(1) < LINE_SHARE)
        _note(doubts, unlined, "its grid lines are hidden")
        # the last cell under a window may show the line that the next one has
        open_too = flat & ~inked & np.array([e is Symbol.SAFE for e in empty])
        _note(doubts, open_too & _spread(unlined, rows), "it is open but empty, and cells around it are hidden")
    _note(doubts, inked & ~sure, "it shows something unknown")
    for at in np.flatnonzero(inked & sure & ~told_apart):
        doubts[at] = doubts[at] or f"it could be {_word(names[best[at]])} or {_word(names[second[at]])}"
    _note(doubts, inked & ~numbers & ~_sized(lib, best, drawn.box), "it shows something of an unknown size")
    _note(doubts, clue_like & numbers & ~well_set, "its digit is of another size or place than the others")
    _note(doubts, ~inked & np.array([e is None for e in empty]), "it is open but empty")
    if not any(k.raised for k in lib.kinds):
        # a bevel, however pale, is none of this site's cells
        slope = seen.sides[:, :2, 2:4].mean((1, 2, 3)) - seen.sides[:, 2:, 2:4].mean((1, 2, 3))
        bent = ~inked & (np.abs(slope) > PALE_BEVEL)
        if bent.sum() > 0.15 * max(1, int((~inked).sum())):
            _note(doubts, bent, "it is raised, as no cell of this site is")
    if any(k.raised for k in lib.kinds):
        faint = "no covered cell is there to compare it with" if not raised.any() else over
        leans = ground.share.mean(1) > (-1.0 if not raised.any() else HALF_RAISED)
        _note(doubts, flat & ~inked & leans, faint)

    bend = np.abs(ground.share - ground.leans_raised[:, None]).max(1)
    plain = (1 - 0.5 * bend).clip(0, 1)
    scores = np.where(inked, own_shape.clip(0, 1), plain)
    margins = np.where(inked, margin, (np.abs(ground.share - 0.5).min(1) * 2).clip(0, 1))
    return Match(symbols, scores.astype(np.float32), margins.astype(np.float32), doubts, dimmed)


def darkened(seen: Surfaces, rows: int, profile: Profile, pitch: float) -> bool:
    """Whether a board's cells are so much darker than a site's that they may be its own under a veil."""
    return bool(profile.inks) and _ground(seen, _look_of(seen.body, profile, pitch), rows).usual <= DIM


def _word(symbol: Symbol) -> str:
    return (
        "a marked safe cell"
        if symbol is Symbol.SAFE
        else f"a {symbol.char if symbol.number is not None else symbol.file_name}"
    )


def _note(doubts: list[str], where: Bools, reason: str) -> None:
    for i in np.flatnonzero(where):
        doubts[i] = doubts[i] or reason


def _spread(cells: Bools, rows: int) -> Bools:
    """(n,) some cells of a board and all beside them."""
    board = cells.reshape(rows, -1).astype(np.uint8)
    return np.asarray(cv2.dilate(board, np.ones((3, 3), np.uint8)).ravel() > 0, bool)


def _evidence(lib: Library, body: F32, drawn: Inks, ground: _Ground) -> tuple[F32, F32]:
    """Shape and colour (n, templates): correlation, and 1 for the same colour down to 0 for a far one."""
    n, k = len(body), len(lib.symbols)
    shape = np.full((n, k), -1.0, np.float32)
    near = np.zeros((n, k), np.float32)
    some = np.flatnonzero(drawn.contrast > 0)
    shape[some] = drawn.glyph[some] @ lib.glyphs.T
    fits = ground.leans_raised[:, None] == lib.raised[None, :]
    if sum(not k.raised for k in lib.kinds) > 1:  # where colour tells the kinds apart, a template fits only its own
        fits &= ground.kind[:, None] == lib.kind[None, :]
    shape = np.where(fits, shape, -1.0).astype(np.float32)
    for i, (symbol, wanted) in enumerate(zip(lib.names, lib.inks, strict=True)):
        paint = drawn.colour if symbol.number is not None else drawn.blend
        distance = _colour_distance(body[some], paint[some], wanted)
        value = np.exp(-((distance / COLOUR_NEAR) ** 2))
        near[np.ix_(some, np.flatnonzero(lib.of == i))] = value[:, None]
    return shape, near


def _colour_distance(body: F32, ink: F32, wanted: F32) -> F32:
    """(n,) BGR distance of inks, (n, 3), to the nearest of those wanted, (k, 3); a thin stroke is mixed with its
    background, so the ink may be up to 30 % body."""
    away = (ink - body).T
    way = wanted.T[:, :, None] - body.T[:, None]  # (3, k, n)
    length = np.maximum((way**2).sum(0), 1.0)
    mix = ((away[:, None] * way).sum(0) / length).clip(0.7, 1.0)
    return np.asarray(np.sqrt(((away[:, None] - way * mix) ** 2).sum(0)).min(0), np.float32)


def _per_symbol(lib: Library, fits: F32) -> F32:
    """(n, names) the best of each symbol's templates, of (n, templates)."""
    return np.stack([fits[:, lib.of == i].max(1) for i in range(len(lib.names))], axis=1)


def _in_one_font(lib: Library, shape: F32, where: Bools) -> F32:
    """The shapes of the fonts alone in which the board's digits are most likely drawn: where no colour tells a 6 from
    an 8, one font's 6 may be as near to another's 8. All of them where there are few digits, or none fits well."""
    digit = np.array([s.number is not None for s in lib.symbols])
    at = np.flatnonzero(where & (shape[:, digit].max(1, initial=-1.0) > SHAPE_FLOOR))
    fonts = sorted({f for f, d in zip(lib.fonts, digit, strict=True) if d})
    if len(at) < ENOUGH_DIGITS or len(fonts) < 2:
        return shape
    own = {f: np.array([name == f for name in lib.fonts]) & digit for f in fonts}
    fit = {f: float(shape[np.ix_(at, np.flatnonzero(own[f]))].max(1).mean()) for f in fonts}
    best = max(fit.values())
    if best < SHAPE_SURE:
        return shape
    other = digit & ~np.any([own[f] for f in fonts if fit[f] >= best - SAME_FONT], axis=0)
    return np.where(other, np.float32(-1), shape).astype(np.float32)


def _clear(lib: Library, shape: F32, best: Ints, second: Ints) -> Bools:
    """(n,) whether a drawing is clearly one symbol's template and not the next one's: much nearer to it than to half
    way between the two. A 6 and an 8 of a small bold font differ so little that a margin alone asks for too much."""
    every = np.arange(len(shape))
    one, other = (np.where(lib.of[None] == some[:, None], shape, -2.0).argmax(1) for some in (best, second))
    margin = shape[every, one] - shape[every, other]
    apart = 1 - (lib.glyphs[one] * lib.glyphs[other]).sum(1)
    return np.asarray((margin >= LEAST_MARGIN) & (margin >= CLEARLY * apart), bool)


def _clear_digits(names: list[Symbol], shape: F32, where: Bools) -> tuple[Ints, Ints]:
    """Cells whose shape alone tells the digit, and which of ``names`` it is."""
    numbers = np.flatnonzero([s.number is not None for s in names])
    at = np.flatnonzero(where)
    if not len(at) or len(numbers) < 2:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    part = shape[np.ix_(at, numbers)]
    order = np.sort(part, axis=1)
    clear = (order[:, -1] > 0.8) & (order[:, -1] - order[:, -2] > 0.08)
    return at[clear], numbers[part.argmax(1)][clear]


def _palette_trusted(names: list[Symbol], shape: F32, colour: F32, where: Bools) -> bool:
    """Whether the board draws its digits in the site's colours: most of the clear shapes must say so."""
    cells, digits = _clear_digits(names, shape, where)
    return not len(cells) or bool((colour[cells, digits] > 0.3).mean() >= 0.8)


def _dimmed(
    profile: Profile, names: list[Symbol], shape: F32, drawn: Inks, body: F32, dim: float, where: Bools
) -> bool:
    """Whether the board is the site's own with all colours darkened alike, bodies and inks: a veil over it."""
    if not profile.inks:
        return False
    cells, digits = _clear_digits(names, shape, where)
    if dim > DIM or not len(cells):
        return False
    as_told, as_dimmed = np.zeros(len(cells)), np.zeros(len(cells))
    for digit in np.unique(digits):
        some = np.flatnonzero(digits == digit)
        at = cells[some]
        for out, k in ((as_told, 1.0), (as_dimmed, dim)):
            known = np.array(profile.inks.get(names[digit], ()), np.float32) * np.float32(k)
            if len(known):
                out[some] = _colour_distance(body[at], drawn.colour[at], known)
    return bool(np.median(as_dimmed) < min(30.0, 0.6 * float(np.median(as_told))))


def _two_best(total: F32) -> tuple[Ints, Ints]:
    if total.shape[1] < 2:
        return np.zeros(len(total), np.int64), np.zeros(len(total), np.int64)
    order = np.argsort(total, axis=1)
    return order[:, -1], order[:, -2]


def _sized(lib: Library, best: Ints, box: F32) -> Bools:
    """Whether a picture that is no digit is about as high as its template; digits are held against each other."""
    height = box[:, 3] - box[:, 1]
    return np.asarray(np.abs(height / np.maximum(lib.tall[best], 0.01) - 1) < 0.35, bool)


def _well_set(box: F32, sure: Bools) -> Bools:
    """Digits of one board have one height and one place; without three sure ones nothing is said."""
    if sure.sum() < 3:
        return np.ones(len(box), bool)
    height, middle = box[:, 3] - box[:, 1], (box[:, 3] + box[:, 1]) / 2
    centre = (box[:, 0] + box[:, 2]) / 2
    usual_height, usual_middle, usual_centre = (float(np.median(v[sure])) for v in (height, middle, centre))
    ok = np.abs(height / usual_height - 1) < 0.2
    ok &= (np.abs(middle - usual_middle) < 0.07) & (np.abs(centre - usual_centre) < 0.12)
    return np.asarray(ok, bool)


def _lines(
    seen: Surfaces,
    rows: int,
    cols: int,
    kind: Ints,
    floors: Sequence[float],
    signs: Sequence[float],
    strongest: float,
) -> tuple[F32, bool]:
    """(n, 4): how much of the board's usual grid line runs at each side of a flat cell; 1 where that cannot be told:
    beside a raised cell, whose bevel would outshine it, beside a flat one of another kind, whose body would, and where
    the whole line fell between two pixels.

    Summed over both halves of the boundary: a soft line and a sharp one weigh the same; and against the body: a line
    is dark beside a light body, light beside a dark one. ``kind`` is -1 for cells that are not flat; ``floors`` (grey
    levels times depths) is the least a usual line weighs beside each kind, ``strongest`` (grey levels) more than any
    bevel differs from a body, both from the templates."""
    grey = (seen.sides + seen.body[:, None, None]).mean(3).reshape(rows, cols, 4, -1)
    of = kind.reshape(rows, cols)
    out = np.ones((rows, cols, 4), np.float32)
    boundaries = []
    for turned, near, far, sides in (
        (grey[:, :, (1, 3)], of[:, :-1], of[:, 1:], (3, 1)),
        (grey[:, :, (0, 2)].swapaxes(0, 1), of[:-1].T, of[1:].T, (2, 0)),
    ):
        # turned: (along the boundary, across it, near and far side, depth)
        before, after = turned[:, :-1, 1], turned[:, 1:, 0]
        own = (turned[:, :-1, :, -1].mean(2) + turned[:, 1:, :, -1].mean(2)) / 2
        weight = before[..., :2].sum(2) + after[..., :2].sum(2) - 4 * own
        lowest = np.minimum(before[..., :2].min(2), after[..., :2].min(2))
        highest = np.maximum(before[..., :2].max(2), after[..., :2].max(2))
        bevel = (near < 0) | (far < 0)
        boundaries.append((weight, lowest - own, highest - own, np.where(near == far, near, -1), bevel, sides))
    usual: dict[int, float] = {}
    contrary = False
    for k, (floor, sign) in enumerate(zip(floors, signs, strict=True)):
        told = np.concatenate([weight[pair == k] for weight, _, _, pair, *_ in boundaries])
        if len(told):
            usual[k] = float(np.median(told))
            contrary |= abs(usual[k]) >= floor and len(told) >= LINES_TOLD and usual[k] * sign < 0
            if abs(usual[k]) < floor:
                usual[k] = floor * (np.sign(usual[k]) or -1.0)
    for weight, dark, light, pair, bevel, sides in boundaries:
        share = np.ones_like(weight)
        beyond_bevel = np.zeros_like(bevel)
        for k, u in usual.items():
            share = np.where(pair == k, weight / u, share)
            beyond_bevel |= bevel & ((-dark if u < 0 else light) > strongest)
        # Some lines are too thin for a pixel and fall away all along the board. A line is missed only where the
        # rest of its boundary shows one: between flat cells, or as more contrast than any bevel has.
        shown = ((pair >= 0) & (share > 0.5)).any(0) | (beyond_bevel.sum(0) >= np.maximum(2, 0.75 * bevel.sum(0)))
        share = np.where(shown[None], share, 1.0)
        if sides == (3, 1):
            out[:, :-1, 3] = np.minimum(out[:, :-1, 3], share)
            out[:, 1:, 1] = np.minimum(out[:, 1:, 1], share)
        else:
            out[:-1, :, 2] = np.minimum(out[:-1, :, 2], share.T)
            out[1:, :, 0] = np.minimum(out[1:, :, 0], share.T)
    return out.reshape(-1, 4), contrary
