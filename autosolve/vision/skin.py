"""Owns boards of a look nobody prepared: cells grouped by what they are made of and drawn with, named by what fits
together.

1. *Grounds*: cells of about the same body colour and relief. 2. *Marks*: what is drawn on a ground, grouped by shape
and colour; digits are told by shape alone, in the hand that fits the whole board best, whatever their colour. 3.
*Open or covered*: a ground with digits on it is open; of the others that which makes a possible position. Every cell
is then held against its like, and against the position; what fails is doubtful. A site's templates, where there are
some, add what its grounds and colours are; they are never needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from autosolve.vision import position, twins
from autosolve.vision.cells import DEPTH, F32, Bools, Inks, T, inks, medians, planar, strips
from autosolve.vision.frame import Pixels
from autosolve.vision.match import Match
from autosolve.vision.position import MAYBE_QUESTION, MINES, SAME_SIGN, Board, broken, near, unbounded
from autosolve.vision.profile import ENDED, Profile, Symbol
from autosolve.vision.shapes import FAINT, Shapes, shapes

Ints = npt.NDArray[np.int64]

GROUND_STEP = 6.0  # grey levels: cells whose grounds differ by about this are of one ground
SAME_BORDER, OTHER_BORDER = 8.0, 24.0  # grey levels along the sides between cells of one ground, and of others
RELIEF = 15.0  # grey levels between lit and shaded sides of a raised cell
SURE_RELIEF = 50.0  # the same where a drawing may be what is lit and shaded
BEVEL = 4.0  # grey levels by which a bevel is lighter than the body on two sides, and darker on the others
LIKE = 0.9  # correlation of two drawings of one group
SAME_INK = 45.0  # BGR distance of two drawings of one group
DIGIT = 0.76  # correlation with a known shape from which a drawing is one
DIGIT_ALONE = 0.85  # the same for a cell that has no like on the board
NO_DIGIT = 0.66  # correlation with any digit below which a drawing is none
MARGIN = 0.02  # to the next digit of any hand
CLEAR = 0.3  # part of the way from another digit of the same hand
STRONG = 0.85  # a digit without doubt
PLAIN = 0.9  # a digit that nothing else can be
SHAPE_TIE = 0.08  # shapes closer than this are told apart by colour
OTHER_INK = 120.0  # BGR distance from which two inks are not of the same digit
SAME_HUE = 0.8  # cosine between the ways from their grounds to two inks of the same digit
HUED = 25.0  # BGR distance of an ink from its ground from which it has a hue
USUAL_INK = 60.0  # BGR distance from a digit's usual colour
SYMBOL = 0.8  # correlation with a known shape from which a drawing is a mine or a question mark
OWN_CLEAR = 0.12  # as CLEAR, for a single cell of a group
NOUGHT_TIE = 0.03  # by which a digit must be more like itself than like a nought
DISC = 0.93  # and for a dot that stands for a digit
FLAG = 0.8  # the same for a flag
FLAG_RED = 0.55  # and for one that is partly red
FLAG_TIE = 0.05  # by which a drawing on flat ground may be less like a digit than like a flag
BLOCK = 0.4  # of a cell: side of a drawing that may be an even rectangle, and no sign
SOLID, BLOCK_SHARE = 0.5, 0.95  # of such a drawing's contrast, and the share of it that has so much
DOT = 0.22  # of a cell: a drawing smaller than this is a mere dot
SMALL_SIGN = 0.15  # of a cell: such a dot may be a small sign
SMALL_SIGNS = 3  # cells that show the very same one, from which it is
FEW = 0.03  # of all cells: a ground smaller than this, without a drawing, may be anything
BROKEN = 0.15  # of all cells that do not fit those around them: the board is not what it was taken for
BROKEN_PUZZLE = 0.03  # the same where blanks are taken for covered, as in a puzzle that shows all its clues
MISFIT, MISFIT_SHARE = 5, 0.05  # cells that do not fit even as the board is best taken, and the same of all its cells
UNFLAGGED = 6.0  # the most that it can say against a covered ground that no flag stands on it
TINT = 48.0  # grey levels between two grounds that are covered, or open, from which the rarer is a mark of some kind
ONE_DIGIT = 20  # digits of a board are hardly ever all the same, while half as many drawings cannot be told
SEVENS = 0.2  # of a board's digits may be 7 or 8: there is hardly ever one
TWO_SHADES = 2.5  # grey levels between the bodies of cells that are all covered
EVEN = 12.0  # grey levels between the reliefs of cells that are all covered
SAME_SITE = 22.0  # grey levels between a board's grounds and a site's
MANY_CELLS = 500  # cells of a ground from which what is usual is told
NOISE = 0.22  # of the usual contrast of drawings: less than this is no drawing
MANY = 0.15  # of all cells, from which a ground is one of the board's usual ones
MORE_THAN_MINES = 0.4  # of all cells: no board has so many mines
SHARP = 0.2  # of a drawing's contrast from a pixel to the next: more than a gloss has
LINE_SHARE = 0.2  # of a side's usual line
LINED = 8.0  # grey levels: a ground with less at its sides has neither lines nor bevels
LAWN_CELLS = 12  # of each shade of a lawn, at least
LAWN_SHARE = 0.75  # of them stand on every second place
LAWN_SHADES = 40.0  # grey levels between the two
REDDENED = 120.0  # grey levels by which red leads, up to which a cross over a mine may be why
CROSS_TIE = 0.08  # by which a drawing may be more like a mine crossed out than like a mine
CROSSED = 90.0  # the same of the ground alone
RED_GROUND = 60.0  # grey levels by which red leads on ground that shows a mine as such
WON_GROUND = 6.0  # grey levels along a side, or of the body, by which a ground is another than the digits'
ALL_RED = 3  # mines of one look, all of them red, from which red says nothing
CENTRAL = 0.15  # of a cell: a sign's middle is no further from the cell's
HIT = 0.9  # of the redness of the reddest mine: with less, it was perhaps not hit
SAME_SHADE = 1.5  # grey levels between two cells of one shade
SHADES = 3.0  # grey levels between the two shades of a lawn, at least


@dataclass(frozen=True, slots=True, eq=False)
class Grounds:
    """What n cells are made of.

    ``body``     (n, 3) BGR
    ``sides``    (n, 4, DEPTH, 3) along each side at each depth, less the body
    ``lift``     (n,) grey levels: lit sides less shaded ones
    ``kind``     (n,) index of the ground, the largest first
    ``bodies``, ``rims``  (grounds, ...) the usual body and sides of each ground
    ``relief``   (grounds,) the usual lift of each ground
    """

    body: F32
    sides: F32
    lift: F32
    kind: Ints
    bodies: F32
    rims: F32
    relief: F32

    @property
    def count(self) -> int:
        """How many grounds there are."""
        return len(self.relief)


def grounds(stack: Pixels) -> Grounds:
    """Groups normalised cells, uint8 (n, T, T, 3), by body colour and relief."""
    body = bodies(stack)
    sides = strips(stack, DEPTH) - body[:, None, None]
    # a bevel is about three of these deep, and the lattice may be a little off
    grey = sides[:, :, :5].mean((2, 3)) * 5 / 3
    relief = ((grey[:, 0] + grey[:, 1] - grey[:, 2] - grey[:, 3]) / 4).astype(np.float32)
    features = np.concatenate([body, 0.4 * relief.clip(-60, 60)[:, None]], axis=1)  # outlines bend it a little
    kind = _rejoined(_ranked(_split(_linked(features), relief)), body, sides)
    every = [kind == k for k in range(int(kind.max()) + 1)]
    return Grounds(
        body,
        sides,
        relief,
        kind,
        np.stack([_middle(body[mine]) for mine in every]),
        np.stack([_middle(sides[mine]) for mine in every]),
        np.stack([_middle(relief[mine]) for mine in every]),
    )


def _rejoined(kind: Ints, body: F32, sides: F32) -> Ints:
    """The same groups, but for cells of rare ones that show along all sides what those of a usual one do, and of no
    other: a large drawing hides their body."""
    sizes = np.bincount(kind)
    usual = np.flatnonzero(sizes >= MANY * len(kind))
    rare = np.flatnonzero(sizes[kind] < max(3, FEW * len(kind)))
    if not len(rare) or not len(usual):
        return kind
    border = body[:, None, None] + sides[:, :, 1:4]  # further in a drawing may be
    known = np.stack([_middle(border[kind == k]) for k in usual])
    away = np.abs(border[rare][:, None] - known).max(4).mean(3).max(2)  # (rare, usual)
    order = np.sort(away, axis=1)
    same = order[:, 0] <= SAME_BORDER
    if len(usual) > 1:
        same &= order[:, 1] >= OTHER_BORDER
    out = kind.copy()
    out[rare[same]] = usual[away[same].argmin(1)]
    return _ranked(np.unique(out, return_inverse=True)[1].ravel())


def _middle(values: F32) -> F32:
    """The median of what several cells have, (n, ...)."""
    return medians(np.moveaxis(values, 0, -1))


def _split(kind: Ints, lift: F32) -> Ints:
    """Grounds of one colour told apart by their relief, where that falls into two tight groups."""
    out = kind.copy()
    for k in range(int(kind.max()) + 1):
        mine = np.flatnonzero(kind == k)
        upper = twins.parted(lift[mine], 6.0)
        if upper is not None:
            out[mine[upper]] = int(out.max()) + 1
    return out


def _ranked(kind: Ints) -> Ints:
    """The same groups numbered by size, the largest 0."""
    order = np.argsort(-np.bincount(kind), kind="stable")
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return rank[kind]


def bodies(stack: Pixels) -> F32:
    """(n, 3) BGR: what most corners of a cell agree on, inside the bevel; digits reach into some of them."""
    a, b = 4, 9
    spans = slice(a, b), slice(T - b, T - a)
    planes = planar(stack)
    corners = np.stack([medians(planes[:, :, y, x].reshape(3, len(stack), -1)) for y in spans for x in spans])
    apart = np.abs(corners[:, None] - corners[None]).max(2)  # (4, 4, n)
    chosen = np.minimum(apart, 24).sum(1).argmin(0)
    weight = (apart[chosen, :, np.arange(len(stack))] <= 8).astype(np.float32)  # (n, 4)
    return np.asarray(np.einsum("ckn,nc->nk", corners, weight) / weight.sum(1, keepdims=True), np.float32)


def _linked(features: F32) -> Ints:
    """Groups by single linkage on a lattice of GROUND_STEP: (n,), the largest group 0, of equals the first.

    Only places where several cells lie link further (as in DBSCAN): a few cells with something on them, between the
    colours of two grounds, must not make one of both."""
    voxels, of = np.unique(np.round(features / GROUND_STEP).astype(np.int32), axis=0, return_inverse=True)
    of = of.ravel()
    weight = np.bincount(of)
    core = weight >= max(2, 0.01 * len(features))
    label = np.arange(len(voxels))
    cores = np.flatnonzero(core)
    if len(cores):
        apart = _steps_apart(voxels, voxels[cores])
        near, lowest = apart[cores] <= 1, np.arange(len(cores))
        while True:
            lower = np.where(near, lowest[None], len(cores)).min(1)
            lower = lower[lower]
            if (lower == lowest).all():
                break
            lowest = lower
        label[cores] = cores[lowest]
        closest = apart.min(1)
        edge = np.flatnonzero(~core & (closest <= 1))
        label[edge] = label[cores[apart[edge].argmin(1)]]
        far = np.flatnonzero(~core & (closest > 1))  # among themselves they may still be alike
        for beside in _steps_apart(voxels[far], voxels[far]) <= 1:
            mates = far[beside]
            label[mates] = label[mates].min()
    return _ranked(np.unique(label, return_inverse=True)[1].ravel()[of])


def _steps_apart(a: npt.NDArray[np.int32], b: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """(n, k): how many steps places of a lattice, (n, d) and (k, d), are apart in whichever direction they are most."""
    return np.asarray(np.abs(a.T[:, :, None] - b.T[:, None]).max(0), np.int32)


# ---------------------------------------------------------------- marks


@dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """What is drawn on n cells, in groups.

    ``drawn``  per cell          ``group`` (n,) index of the group, -1 without ink
    ``glyph``  (groups, ...) mean shape, unit length      ``colour``, ``blend`` (groups, 3) medians      ``size``
    (groups,)
    ``like``   (n,) correlation of a cell with its group
    """

    drawn: Inks
    group: Ints
    glyph: F32
    colour: F32
    blend: F32
    size: Ints
    like: F32


def marks(stack: Pixels, ground: Grounds, known: Shapes) -> Marks:
    """Groups what is drawn on normalised cells by shape and colour."""
    n = len(stack)
    border = np.full(n, 3, np.int64)
    plain = stack
    for k in range(ground.count):
        mine = ground.kind == k
        border[mine] = _border(ground.rims[k], float(ground.relief[k]))
        large = float(mine.mean()) >= MANY  # a few cells of a ground of their own may all show the same flag
        grain = float(ground.relief[k]) >= RELIEF and float(mine.mean()) >= MORE_THAN_MINES
        usual = _usual(stack[mine], ground.body[mine], int(border[mine][0]), known, grain) if large else None
        if usual is not None:
            plain = plain if plain is not stack else stack.copy()
            plain[mine] = (stack[mine].astype(np.float32) - usual).clip(0, 255).astype(np.uint8)
    drawn = inks(plain, ground.body, border, floor=FAINT)
    strong = np.percentile(drawn.contrast[drawn.contrast > 0], 75) if (drawn.contrast > 0).any() else 0.0
    dot = (drawn.box[:, 2] - drawn.box[:, 0] < DOT) & (drawn.box[:, 3] - drawn.box[:, 1] < DOT)
    some = np.flatnonzero((drawn.contrast > NOISE * strong) & (~dot | _small_signs(drawn, dot, ground)))
    group = np.full(n, -1, np.int64)
    some = some[np.argsort(-drawn.contrast[some], kind="stable")]
    glyphs, paints = drawn.glyph[some], np.concatenate([drawn.colour[some], drawn.blend[some]], axis=1)
    left = np.ones(len(some), bool)
    count = 0
    while left.any() and count < 200:
        first = int(left.argmax())
        same = left & (glyphs @ glyphs[first] >= LIKE)
        away = (paints - paints[first]) ** 2
        same &= (away[:, :3].sum(1) <= SAME_INK**2) & (away[:, 3:].sum(1) <= SAME_INK**2)
        same[first] = True
        for part in twins.kinds(glyphs, np.flatnonzero(same)):
            group[some[part]] = count
            count += 1
        left &= ~same
    glyph = np.zeros((count, drawn.glyph.shape[1]), np.float32)
    colour = np.zeros((count, 3), np.float32)
    blend = np.zeros((count, 3), np.float32)
    for g in range(count):
        mine = group == g
        glyph[g] = drawn.glyph[mine].mean(0)
        colour[g], blend[g] = _middle(drawn.colour[mine]), _middle(drawn.blend[mine])
    glyph /= np.maximum(np.linalg.norm(glyph, axis=1, keepdims=True), 1e-6)
    like = np.ones(n, np.float32)
    has = group >= 0
    like[has] = (drawn.glyph[has] * glyph[group[has]]).sum(1)
    return Marks(drawn, group, glyph, colour, blend, np.bincount(group[has], minlength=count), like)


def _small_signs(drawn: Inks, dot: Bools, ground: Grounds) -> Bools:
    """(n,) the mere dots that are signs all the same: several cells of a ground show the very same one, all at one
    place, while most of the board's cells show none."""
    out = np.zeros(len(dot), bool)
    tall = drawn.box[:, 3] - drawn.box[:, 1] >= SMALL_SIGN
    for k in range(ground.count):
        mine = ground.kind == k
        dots = np.flatnonzero(mine & dot & tall & (drawn.contrast > 0))
        if len(dots) < SMALL_SIGNS or len(dots) > MORE_THAN_MINES * len(dot):
            continue
        usual = np.median(drawn.box[dots], axis=0)
        glyph = drawn.glyph[dots[int((drawn.glyph[dots] @ drawn.glyph[dots].T).sum(1).argmax())]]
        same = (np.abs(drawn.box[dots] - usual).max(1) <= SMALL_SIGN / 2) & (drawn.glyph[dots] @ glyph >= LIKE)
        if same.sum() >= SMALL_SIGNS:
            out[dots[same]] = True
    return out


def _border(rims: F32, relief: float) -> int:
    """Pixels along the edge of a ground's cells that belong to grid line and bevel."""
    deep = np.flatnonzero(np.abs(rims).max(2).max(0) > 15)
    raised = relief >= RELIEF  # a raised cell has no digit, which might reach out
    return int(np.clip((deep[-1] + 2) if len(deep) else 3, 3, DEPTH + 1 if raised else DEPTH))


def _usual(stack: Pixels, body: F32, border: int, known: Shapes, grain: bool) -> F32 | None:
    """What every empty cell of a ground shows beside its body (T, T, 3), such as a gloss or a grain; None where nothing
    does, or where it may be a sign that all of them show. ``grain``: raised cells, more than flags could stand on."""
    if len(stack) < 6:
        return None
    some = slice(None, None, 1 + len(stack) // MANY_CELLS)  # they say as much as thousands
    within = slice(border, T - border)
    apart = twins.away(stack[some, within, within], body[some])
    loud = np.abs(apart).max(0).mean((1, 2))
    quiet = np.argsort(loud, kind="stable")[: max(3, int(0.3 * len(loud)))]
    apart = apart[:, quiet]
    usual = np.zeros((3, T, T), np.float32)
    usual[:, within, within] = twins.median(apart)
    shown = inks(usual.transpose(1, 2, 0)[None] + 128.0, np.full((1, 3), 128, np.float32), np.array([border]))
    if not shown.contrast[0]:
        return None
    solid = np.abs(usual).max(0)[T // 4 : -T // 4, T // 4 : -T // 4]
    if float((solid > 0.7 * shown.contrast[0]).mean()) > 0.95:  # a plain field is a ground's middle, no drawing
        return usual.transpose(1, 2, 0)
    spread = np.abs(apart - usual[:, None, within, within]).mean((0, 2, 3))
    if np.median(spread) > 4:
        return None
    step = max(float(np.abs(np.diff(usual[:, within, within], axis=a)).max()) for a in (1, 2))
    if step >= SHARP * float(shown.contrast[0]):  # a gloss is soft
        left, top, right, bottom = shown.box[0] * T
        full = max(left, top) <= border + 2 and min(right, bottom) >= T - border - 2
        return usual.transpose(1, 2, 0) if full and grain else None
    best = max(
        float((known.digits[:, 1:9] @ shown.glyph[0]).max()),
        *(float((some @ shown.glyph[0]).max()) for some in known.others.values()),
    )
    return None if best > 0.7 else usual.transpose(1, 2, 0)


# ---------------------------------------------------------------- names


@dataclass(frozen=True, slots=True, eq=False)
class Names:
    """What the groups of marks may be.

    ``digits`` (groups, 8) how well each digit fits      ``others`` kind of shape to (groups,), the same
    ``nought`` (groups,) how well a 0 fits, which few boards print
    ``digit``  (groups,) the best digit                  ``sure``   (groups,) whether no other digit is possible
    """

    digits: F32
    others: dict[str, F32]
    digit: Ints
    sure: Bools
    nought: F32

    def best(self, *kinds: str) -> F32:
        """(groups,) the best fit of some kinds of shape."""
        return np.asarray(np.max([self.others[k] for k in kinds], axis=0), np.float32)


# ink of the digits 1 to 8 (B, G, R) as most looks have it, after the first program's
CLASSIC = np.array(
    [
        (255, 0, 0),
        (0, 128, 0),
        (0, 0, 255),
        (128, 0, 0),
        (0, 0, 128),
        (128, 128, 0),
        (0, 0, 0),
        (128, 128, 128),
    ],
    np.float32,
)


def name(seen: Marks, known: Shapes, palettes: Sequence[F32] = ()) -> Names:
    """Names the groups by their shapes, in the hands that fit the board best, and where the board has the colours of
    one of the palettes, (8, 3) BGR of the digits 1 to 8, or the usual ones, by these too."""
    count = len(seen.size)
    others = {k: np.asarray((seen.glyph @ some.T).max(1), np.float32) for k, some in known.others.items()}
    if not count:
        none = np.zeros(0, np.float32)
        return Names(np.zeros((0, 8), np.float32), others, np.zeros(0, np.int64), np.zeros(0, bool), none)
    hands = _hands(seen.glyph, known)
    fit = (np.minimum(seen.size, 6)[:, None] * (hands.max(2) - 0.6).clip(0, None)).sum(0)
    fitting = np.argsort(-fit, kind="stable")[:4]
    score = np.maximum(hands[:, fitting].max(1), hands.max(1) - 0.04)
    every = np.arange(count)
    order = np.argsort(-score, axis=1, kind="stable")
    digit = order[:, 0] + 1
    top, margin = score[every, order[:, 0]], score[every, order[:, 0]] - score[every, order[:, 1]]
    clear = _clearness(hands, digit, known)
    sure = (top >= np.where(seen.size > 1, DIGIT, DIGIT_ALONE)) & (margin >= MARGIN) & (clear >= CLEAR)
    told = sure & (top > STRONG)
    best = 0
    for palette in (CLASSIC, *palettes):
        apart = np.linalg.norm(seen.colour[:, None] - palette[None], axis=2)
        usual = apart.argmin(1) + 1
        near = (apart.min(1) < USUAL_INK) & (np.sort(apart, axis=1)[:, 1] > 1.5 * apart.min(1))
        agree = usual == digit
        votes = int(agree[told & near].sum())
        if votes < 2 or agree[told].mean() <= 0.7 or votes <= best:
            continue
        best = votes
        fits = np.where(near & ~agree & (clear <= 0.5), False, sure)
        named = digit.copy()
        for g in np.flatnonzero(near & ~sure):  # colour decides between shapes that are close
            likely = usual[g]
            if score[g, likely - 1] >= max(0.66, top[g] - SHAPE_TIE):
                named[g], fits[g] = likely, True
    if best:
        digit, sure = named, fits
    nought = np.asarray((seen.glyph @ known.digits[:, 0].T).max(1), np.float32)
    return Names(np.asarray(score, np.float32), others, digit.astype(np.int64), np.asarray(sure, bool), nought)


def _hands(glyph: F32, known: Shapes) -> F32:
    """(groups, hands, 8): how well drawings fit the digits 1 to 8 of each hand."""
    digits = known.digits[:, 1:9]
    return (glyph @ digits.reshape(-1, digits.shape[2]).T).reshape(len(glyph), *digits.shape[:2])


def _clearness(hands: F32, digit: Ints, known: Shapes) -> F32:
    """(groups,) how clearly a drawing is its best digit and no other of the same hand: 1 for the very shape, 0 for
    one half way to another digit. Two digits of one hand may differ in a few pixels only, and then a small margin
    says all."""
    every = np.arange(len(hands))
    hand = hands[every, :, digit - 1].argmax(1)
    fits = hands[every, hand]  # (groups, 8)
    margin = fits[every, digit - 1][:, None] - fits
    apart = known.apart[hand, digit - 1]
    clear = np.where(apart > 1e-3, margin / np.maximum(apart, 1e-3), np.inf)
    return np.asarray(clear.min(1), np.float32)


def _unevenly(flagged: Ints, others: Ints) -> float:
    """What speaks against it that these grounds are all covered, by the cells of each that have a flag, and by those
    beside digits that have none: were they, flags would stand on all of them. The cost is the number of flags that a
    ground without one should have, as they come about like rare events, up to a bound."""
    flags, places = int(flagged.sum()), int(flagged.sum() + others.sum())
    missing = others[flagged == 0] * (flags / max(1, places))
    return float(np.minimum(missing, UNFLAGGED).sum())


@dataclass(frozen=True, slots=True, eq=False)
class _Naming:
    """One way to take a board: which grounds are open, and whether blanks on them are opened (or the covered cells of
    a puzzle whose clues are all shown); how many cells do not fit, and what speaks against it in all."""

    opened: tuple[bool, ...]
    blanks: bool
    faults: int
    cost: float


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """A board of any look, told: the cells, and what the board is made of.

    ``covered``, ``opened``  (k, 3) BGR, k 0 or 1: the bodies of the covered and the opened cells' largest grounds
    ``raised``               whether covered cells have a bevel
    ``digits``               how many cells show a digit
    ``lawn``                 whether every second cell is of another shade
    ``beyond``               the sides at which digits have too few cells around them: there the board is cut
    """

    match: Match
    covered: F32
    opened: F32
    raised: bool
    digits: int
    lawn: bool
    beyond: frozenset[str]

    @property
    def doubtful(self) -> int:
        """How many cells are doubtful."""
        return sum(bool(doubt) for doubt in self.match.doubts)


def tell(
    stack: Pixels, rows: int, cols: int, pitch: float, lore: Lore | None = None, cut: Collection[str] = ()
) -> Told:
    """Tells what each normalised cell of a rows x cols board shows, whatever its look.

    ``stack`` uint8 (rows * cols, T, T, 3), ``pitch`` pixels in the picture it comes from; ``lore`` what is known of
    sites; ``cut`` the sides on which the board may go on unseen."""
    lore = lore or lore_of(())
    known = shapes(pitch)
    ground = grounds(stack)
    seen = marks(stack, ground, known)
    whole = np.ones((rows, cols), bool)
    whole[0] &= "top" not in cut
    whole[-1] &= "bottom" not in cut
    whole[:, 0] &= "left" not in cut
    whole[:, -1] &= "right" not in cut
    told = _told(stack, (rows, cols), ground, seen, name(seen, known, lore.palettes), known, whole.ravel(), lore)
    covered: list[tuple[int, F32]] = []
    opened: list[tuple[int, F32]] = []
    lifted = 0.0
    for k in range(ground.count):
        mine = ground.kind == k
        shown = [told.symbols[i] for i in np.flatnonzero(mine) if not told.doubts[i]]
        closed = sum(s in (Symbol.COVERED, Symbol.FLAG) for s in shown)
        if len(shown) >= 3:
            part = covered if closed > len(shown) / 2 else opened
            part.append((len(shown), ground.bodies[k]))
            if part is covered:
                rim = ground.rims[k][:, :5].mean((1, 2))
                lit, shaded = (rim[0] + rim[1]) / 2, (rim[2] + rim[3]) / 2
                if lit > BEVEL and shaded < -BEVEL:  # a line along two sides is no bevel
                    lifted = max(lifted, float(ground.relief[k]))
    digits = sum(bool(s.number) and not d for s, d in zip(told.symbols, told.doubts, strict=True))
    return Told(
        told,
        _usual_bodies(covered),
        _usual_bodies(opened),
        lifted >= RELIEF,
        digits,
        _alternates(ground.body, (rows, cols)),
        _beyond(told, (rows, cols), cut),
    )


def _alternates(body: F32, shape: tuple[int, int]) -> bool:
    """Whether every second cell of a board is of another shade."""
    odd = np.add.outer(np.arange(shape[0]), np.arange(shape[1])).ravel() % 2 == 1
    return bool(np.abs(np.median(body[odd], axis=0) - np.median(body[~odd], axis=0)).max() >= SHADES)


def _beyond(told: Match, shape: tuple[int, int], cut: Collection[str]) -> frozenset[str]:
    """The sides along which digits count more mines than they have cells around them to hold them: one where the board
    may be cut, several elsewhere."""
    pairs = list(zip(told.symbols, told.doubts, strict=True))
    number = np.array([s.number or 0 if not d else 0 for s, d in pairs])
    may = np.array([s.number is None or bool(d) for s, d in pairs])
    short = (number > near(may, shape)).reshape(shape)
    unfit = np.array([bool(s.number) and d == UNFIT for s, d in pairs]).reshape(shape)
    out = set()
    for side, turned in (("top", 0), ("left", 3), ("bottom", 2), ("right", 1)):
        few = np.rot90(short, turned)[0].any() and side in cut
        if few or np.rot90(unfit, turned)[0, 1:-1].sum() >= SHORT:
            out.add(side)
    return frozenset(out)


@dataclass(frozen=True, slots=True, eq=False)
class Lore:
    """What is known of sites beforehand: inks of the digits 1 to 8, (8, 3) BGR each, and the bodies, (k, 3) BGR, of
    cells that have neither lines nor bevels."""

    palettes: tuple[F32, ...]
    plain: F32


def lore_of(profiles: Sequence[Profile]) -> Lore:
    """What the sites say of their inks, where they name them all, one palette a look, and of their grounds."""
    palettes = []
    for profile in profiles:
        inks_of = [profile.inks.get(Symbol(str(d)), ()) for d in range(1, 9)]
        palettes += [np.array([c[i] for c in inks_of], np.float32) for i in range(min(len(c) for c in inks_of))]
    plain = [c for p in profiles if not p.lines for skin in p.skins for c in (*skin.covered, *skin.opened)]
    return Lore(tuple(palettes), np.array(plain, np.float32).reshape(-1, 3))


def _near(body: F32, known: F32) -> bool:
    """Whether a body is one of the known ones."""
    return len(known) > 0 and float(np.abs(known - body).max(1).min()) <= SAME_SITE / 2


def _usual_bodies(grounds: list[tuple[int, F32]]) -> F32:
    """(1, 3) or (0, 3): the body of the largest ground; a highlight or a large digit makes others."""
    return np.array([body for _, body in sorted(grounds, key=lambda g: -g[0])[:1]], np.float32).reshape(-1, 3)


RIVAL = 1.0  # namings that cost no more than this beyond the best may be true as well
WELL, WORSE, MOST_RIVAL = 2.5, 1.1, 8.0  # or than so many times what the best costs beyond the first, up to the last:
# what fits badly itself says little
UNTOLD = frozenset(  # doubts that the count of a lost game's mines may settle
    (
        "it shows something unknown",
        "it may be a mine that was hit, or a wrong flag",
        "it may be a mine that was hit, or any",
        "its colour is unlike that of the other cells",
    )
)
UNFIT, SHORT = "the cells around it do not fit", 2  # of a digit, and such digits along a side at which a board goes on
SHADED = "its shade is that of the cells beside it"
HIDDEN, MOST_HIDDEN = ("something seems to lie over it", "its lines are hidden", SHADED), 0.25  # of a board's cells
COVERED_BY = ("it shows something unknown", "something seems to lie over it", "its lines are hidden")
MOST_GROUNDS = 8  # grounds that are decided; of the others those that are a shade of one of them stand with it
SHADE = 24.0  # grey levels between a ground and one that is decided


def _rival(cost: float) -> float:
    """How much more than the best naming one may cost that is as likely."""
    return min(max(RIVAL, WORSE * (cost - WELL)), MOST_RIVAL)


def _reddish(colour: F32) -> npt.NDArray[np.float32]:
    """(k,) grey levels by which red leads in BGR colours."""
    return np.asarray(colour[:, 2] - colour[:, :2].max(1), np.float32)


def _red_inks(seen: Marks) -> npt.NDArray[np.float32]:
    """(groups,) grey levels by which red leads in a drawing, or in the strongest of it."""
    return np.maximum(_reddish(seen.blend), _reddish(seen.colour))


def _as_open(names: Names, seen: Marks) -> tuple[list[Symbol | None], F32]:
    """What each group is on open ground, and how well that fits."""
    count = len(names.digit)
    out: list[Symbol | None] = [None] * count
    score = np.zeros(count, np.float32)
    red = _reddish(seen.blend)
    disc, ball, cross = names.others["disc"], names.others["mine"], names.others["wrong-flag"]
    digit = names.digits.max(1) if count else score
    dots = [g for g in range(count) if disc[g] >= DISC and disc[g] >= max(ball[g], cross[g], digit[g]) + 0.03]
    dotted = _by_colour(seen.colour[dots]) if len(dots) > 1 else {}
    balls: list[int] = []
    for g in range(count):
        round_ = max(ball[g], cross[g])
        score[g] = max(digit[g], round_, disc[g]) - 0.2
        if g in dots:
            number = dotted.get(dots.index(g))
            if number is not None:
                out[g], score[g] = Symbol(str(number)), disc[g]
        elif names.nought[g] >= max(DIGIT, digit[g], round_):  # which the position must bear out
            score[g] = names.nought[g]
        elif names.sure[g] and digit[g] >= max(round_, disc[g]) + 0.03:
            out[g], score[g] = Symbol(str(names.digit[g])), digit[g]
        elif round_ >= SYMBOL and round_ >= digit[g] + 0.03 and round_ >= disc[g] - 0.1:
            balls.append(g)
            score[g] = round_
    if balls:  # the most usual ball is a mine; one with more red in it is crossed out
        usual = max(balls, key=lambda g: int(seen.size[g]))
        for g in balls:
            other = g != usual and float(seen.glyph[g] @ seen.glyph[usual]) < LIKE
            if red[g] <= red[usual] + 20 and (other or cross[g] > ball[g] + CROSS_TIE):
                continue  # of another shape, or like a cross, and no colour says why
            crossed = red[g] > red[usual] + 20 and red[g] < 150
            out[g] = (Symbol.WRONG_FLAG if cross[g] >= ball[g] - 0.05 else None) if crossed else Symbol.MINE
    return out, score


def _by_colour(colour: F32) -> dict[int, int]:
    """Coloured dots that stand for digits: index to number, of those whose colour leaves no other; a board that has
    fewer than two colours says nothing."""
    apart = np.linalg.norm(colour[:, None] - CLASSIC[None], axis=2)
    order = np.sort(apart, axis=1)
    told = {
        int(i): int(apart[i].argmin()) + 1
        for i in np.flatnonzero((order[:, 0] < USUAL_INK) & (order[:, 1] > 1.5 * order[:, 0]))
    }
    return told if len(set(told.values())) > 1 else {}


def _as_covered(names: Names, seen: Marks) -> tuple[list[Symbol | None], F32]:
    """What each group is on covered ground, and how well that fits. A mine is never shown on it: a program that draws
    balls there means flags, and which cannot be told."""
    count = len(names.digit)
    out: list[Symbol | None] = []
    score = np.zeros(count, np.float32)
    red = _red_inks(seen)
    for g in range(count):
        flag, question = float(names.others["flag"][g]), float(names.others["question"][g])
        ball = float(names.best("mine", "wrong-flag", "disc")[g])
        score[g] = max(flag, question)
        if question >= SYMBOL and question >= max(flag + 0.05, ball + 0.05, float(names.digits[g].max()) - 0.05):
            out.append(Symbol.QUESTION)
        elif names.sure[g] and red[g] <= 40 and names.digits[g].max() >= flag + 0.03:
            out.append(None)  # a digit, and the ground is none of covered cells
            score[g] -= 0.2
        elif flag >= (FLAG_RED if red[g] > 40 else FLAG) and flag >= max(question, ball) + 0.08:
            out.append(Symbol.FLAG)
        else:
            out.append(None)
            score[g] -= 0.2
    return out, score


def _blocks(stack: Pixels, ground: Grounds, seen: Marks) -> list[int]:
    """The groups of drawings that are nothing but an even rectangle, as large as the middle of a cell: the cells of a
    lattice that lies aside, mostly, and no sign."""
    out = []
    left, top, right, bottom = seen.drawn.box.T
    for g in range(len(seen.size)):
        mine = np.flatnonzero(seen.group == g)[:5]
        solid = []
        for i in mine[(right - left > BLOCK)[mine] & (bottom - top > BLOCK)[mine]].tolist():
            x0, y0 = (int(np.ceil(v * T)) + 1 for v in (left[i], top[i]))
            x1, y1 = (int(v * T) - 1 for v in (right[i], bottom[i]))
            part = np.abs(stack[i, y0:y1, x0:x1] - ground.body[i]).max(2)
            solid.append(float((part > SOLID * seen.drawn.contrast[i]).mean()) > BLOCK_SHARE)
        if 2 * sum(solid) > len(mine):
            out.append(g)
    return out


def _two_things(seen: Marks, told: Sequence[Symbol | None]) -> list[int]:
    """The cells whose drawing stands for two things, as by a ground that was taken for another: the fewer of them, or
    all where neither are few."""
    out: list[int] = []
    for g in range(len(seen.size)):
        cells = np.flatnonzero(seen.group == g).tolist()
        counts = Counter(told[i] for i in cells if told[i] is not None)
        if len(counts) < 2:
            continue
        (usual, most), (_, next_most) = counts.most_common(2)
        out += [i for i in cells if told[i] is not usual or most < 3 * next_most]
    return out


def _two_flags(seen: Marks, names: Names, told: Sequence[Symbol | None]) -> list[int]:
    """The cells of drawings that are taken for flags by little more than their red, while another drawing is too: a
    board has one flag. What is clearly one stays."""
    flags = np.array([s is Symbol.FLAG for s in told]) & (seen.group >= 0)
    groups, sizes = np.unique(seen.group[flags], return_counts=True)
    alike = seen.glyph[groups] @ seen.glyph[groups].T >= SAME_SIGN
    few = (alike * sizes).sum(1) < 3 * (~alike * sizes).sum(1)
    vague = groups[(names.others["flag"][groups] < FLAG) & few]
    return [int(i) for i in np.flatnonzero(flags & np.isin(seen.group, vague))]


def _stand_ins(ground: Grounds) -> tuple[Ints, dict[int, Ints]]:
    """(grounds,) the ground among the decided ones whose shade each is, as on a board that fades from side to side, -1
    where there is none; and of each that stands with another those that it is nearly as much a shade of."""
    out, rivals = np.arange(ground.count), {}
    for k in range(MOST_GROUNDS, ground.count):
        away = np.abs(ground.bodies[:MOST_GROUNDS] - ground.bodies[k]).max(1)
        best = int(away.argmin())
        out[k] = best if away[best] <= SHADE else -1
        rivals[k] = np.flatnonzero(away <= 2 * away[best] + 10)
    return out, rivals


def _passes(one: F32, other: F32) -> bool:
    """Whether some cells of two grounds, of which these are the bodies, differ by a shade only."""
    beside = ((one >= other.min(0) - SHADE) & (one <= other.max(0) + SHADE)).all(1)
    if beside.sum() <= 0.2 * (len(one) - 1):  # too few, whatever is nearest to them
        return False
    nearest = np.abs(one.T[:, :, None] - other.T[:, None]).max(0).min(1)
    return float(np.percentile(nearest, 20)) <= SHADE


def _tinted(ground: Grounds, opened: Sequence[bool]) -> Bools:
    """(n,) cells of another colour than most of the covered cells, or of the opened: programs that mark a flag, or a
    mine that was hit, by nothing but a colour do so."""
    out = np.zeros(len(ground.kind), bool)
    alike = np.abs(ground.bodies[:, None] - ground.bodies[None]).max(2) <= TINT
    body = [ground.body[ground.kind == k][:MANY_CELLS] for k in range(ground.count)]
    for state in (True, False):
        left = [k for k, is_open in enumerate(opened) if is_open is state]
        usual = left[:1]  # the largest, and what passes into it by degrees
        while left:
            near = [k for k in left if any(alike[k, j] or _passes(body[k], body[j]) for j in usual)]
            if not near:
                break
            usual += near
            left = [k for k in left if k not in near]
        out |= np.isin(ground.kind, left)
    return out


def _told(
    stack: Pixels,
    shape: tuple[int, int],
    ground: Grounds,
    seen: Marks,
    names: Names,
    known: Shapes,
    whole: Bools,
    lore: Lore,
) -> Match:
    n = len(stack)
    inked = seen.group >= 0
    open_name, open_fit = _as_open(names, seen)
    sides = (seen.drawn.box[:, 2:] - seen.drawn.box[:, :2]).max(1)
    for k, what in enumerate(open_name):  # a mere dot is no mine
        if what in ENDED and np.median(sides[seen.group == k]) < DOT:
            open_name[k] = None
    covered_name, covered_fit = _as_covered(names, seen)
    blocks = _blocks(stack, ground, seen)
    for k in blocks:  # coloured dots that stand for digits are as even
        covered_name[k] = None
    signs = inked & ~np.isin(seen.group, blocks)
    sign = np.array([d.max() < NO_DIGIT for d in names.digits] or [False])
    for g in np.flatnonzero(sign[: len(seen.size)]):  # what looks like nothing known says nothing of its ground
        if open_name[g] is None and covered_name[g] is None:
            open_fit[g] = covered_fit[g] = max(open_fit[g], covered_fit[g])
    kinds = range(min(ground.count, MOST_GROUNDS))
    # a drawing alone may look like a bevel: of a ground that has no empty cell only a strong one is believed
    bare = np.bincount(ground.kind[~inked], minlength=ground.count) > 0
    lifted = np.where(bare | (ground.relief >= SURE_RELIEF), ground.relief, 0).tolist()
    group = np.where(inked, seen.group, 0)
    digit_of = np.array([s.number if s is not None and s.number else -1 for s in open_name] or [-1], np.int64)
    mine_of = np.array([s in (Symbol.MINE, Symbol.WRONG_FLAG) for s in open_name] or [False])
    stands, rivals = _stand_ins(ground)
    kin = stands[ground.kind]
    strange = kin < 0

    groups = len(seen.size)
    # how many cells of each ground show each group
    drawn_on = np.bincount(ground.kind[inked] * groups + seen.group[inked], minlength=ground.count * groups)
    drawn_on = drawn_on.reshape(ground.count, groups)

    def drawn_cost(k: int, fit: F32, some: F32 | float = 1.0) -> float:
        away = (np.maximum(open_fit, covered_fit) - fit) * some
        worse = 5 * float((np.minimum(drawn_on[k], 4) * away).sum())
        return min(worse, 2.5 if lifted[k] >= RELIEF else 12.0)  # a bevel says more than what is drawn

    cost_open = [drawn_cost(k, open_fit) for k in kinds]
    cost_covered = [drawn_cost(k, covered_fit) for k in kinds]
    empties = [int((~inked & (ground.kind == k)).sum()) for k in kinds]
    top = max([lifted[k] for k in kinds], default=0.0)
    for k in kinds:
        if lifted[k] < RELIEF:
            for g in np.flatnonzero(drawn_on[k] >= 2):
                if names.digits[g].max() >= PLAIN and names.sure[g] and open_fit[g] >= covered_fit[g] + 0.1:
                    cost_covered[k] += 20.0  # no flag looks so like a digit
        if lifted[k] >= RELIEF:
            cost_open[k] += 3.0  # a raised ground is covered, and where one is raised the flat ones are not
        elif top >= RELIEF:
            cost_covered[k] += 3.0
        elif empties[k] >= 4:
            # That blanks are open can be told: were they covered, calling them open would leave digits without mines.
            # The contrary cannot: every position allows more covered cells.
            # It is one question for all of a colour, of which some cells at an edge may have another relief.
            twin = any(
                empties[j] >= 4 and np.abs(ground.bodies[k] - ground.bodies[j]).max() <= GROUND_STEP for j in range(k)
            )
            cost_covered[k] += 0.0 if twin else 1.5
    # in a puzzle that shows all its clues the covered cells look alike
    ways = (True, False) if sum(empties) == max(empties, default=0) else (True,)
    only = int(np.argmax(empties)) if empties else 0
    printed = np.array([bool(names.sure[np.flatnonzero(row)].any()) for row in drawn_on])  # grounds with digits
    blank_too = np.bincount(ground.kind[~inked], minlength=ground.count) >= 3  # grounds that have empty cells
    flag_of = np.array([s is Symbol.FLAG for s in covered_name] or [False])
    flagged = np.bincount(ground.kind[inked & flag_of[group]], minlength=ground.count)
    digits = inked & np.array([s is not None and bool(s.number) for s in open_name] or [False])[group]
    unflagged = np.bincount(ground.kind[~inked & (position.near(digits, shape) > 0)], minlength=ground.count)
    namings: list[_Naming] = []
    choices = list(product((False, True), repeat=len(kinds)))
    costs = np.zeros(len(choices))
    for k, opens in zip(kinds, np.array(choices).T, strict=True):
        costs += np.where(opens, cost_open[k], cost_covered[k])
    least = np.inf
    for at in np.argsort(costs, kind="stable"):
        cost, choice = float(costs[at]), choices[at]
        if cost >= least + _rival(least):  # faults only add to it
            break
        is_open = np.array([*choice, False])[kin]
        number = np.where(is_open & inked, digit_of[group], -1)
        maybe = strange | (is_open & inked & (number < 0)) | (~is_open & inked)
        # flags stand on covered cells, which look alike in a puzzle
        astray = min(3, int((inked & ~is_open & (ground.kind != only)).sum()))
        shut = [k for k in kinds if not choice[k] and bare[k]]  # a flag alone makes a ground of its own
        cost += _unevenly(flagged[shut], unflagged[shut])
        for blanks in ways:
            shown = np.where(is_open & ~inked & blanks & ~strange, 0, number)
            hidden = ~inked & ~strange & (~is_open | (not blanks))
            hidden |= is_open & inked & mine_of[group]  # no blank lies beside a mine either
            faults = int(broken(shown, hidden, maybe, shape, whole).sum()) + unbounded(shown, shape)
            # nor does a flag, or a mine of whatever look; beside digits it may be one that is not clear
            marked = inked & blank_too[ground.kind] & (~is_open | (sign[group] & ~printed[ground.kind]))
            empty = is_open & ~inked & ~strange  # of whatever kind the game is
            faults += int((empty & (near(marked, shape) > 0)).sum())
            namings.append(_Naming(choice, blanks, faults, cost + faults + (0.0 if blanks else 0.7 + astray)))
            least = min(least, namings[-1].cost)
    namings.sort(key=lambda x: (x.cost, x.opened, not x.blanks))
    best = namings[0]

    def opened_by(way: _Naming) -> Bools:
        return np.array([*way.opened, False])[kin]

    def named(way: _Naming) -> list[Symbol | None]:
        blank = Symbol.CLUE_0 if way.blanks else Symbol.COVERED
        ways = ([*covered_name, Symbol.COVERED], [*open_name, blank])
        pairs = zip(opened_by(way).tolist(), seen.group.tolist(), strict=True)
        return [ways[is_open][g] for is_open, g in pairs]  # without ink the group is -1

    first = named(best)
    told = list(first)
    opened = np.array([*best.opened, False])[stands]  # of every ground
    is_open = opened[ground.kind]
    between = [k for k, some in rivals.items() if opened[some].any() and not opened[some].all()]
    strange |= np.isin(ground.kind, between)
    number = np.array([s.number if s is not None and s.number is not None else -1 for s in told])
    board = Board(shape, whole, told, number, seen.group, seen.glyph)
    by_deed = position.digits(board, inked & is_open, (number < 0) | strange, names.digits, names.best(*names.others))
    for i in np.flatnonzero(inked & is_open).tolist():
        if told[i] is None and (digit := by_deed.get(int(seen.group[i]))) is not None:
            told[i], number[i] = Symbol(str(digit)), digit
    if not (is_open & ~inked & ~strange).any() or not best.blanks:  # opened blanks show noughts all, or none does
        like = np.maximum(names.best(*names.others), names.digits.max(1, initial=0))
        for i in position.noughts(board, inked & is_open, (number < 0) | strange, names.nought, like):
            told[i], number[i] = Symbol.CLUE_0, 0
    flag_like = np.array(
        [f >= FLAG_RED and r > 40 for f, r in zip(names.others["flag"], _red_inks(seen), strict=True)], bool
    )
    proven = position.flags(board, signs & ~is_open, strange, names.others["question"], flag_like)
    for i in proven:
        told[i] = Symbol.FLAG
    # what the digits prove of a drawing takes back what its shape said against its ground
    unlikely = np.isin(np.arange(groups), seen.group[proven]).astype(np.float32)
    shut_costs = [min(cost_covered[k], drawn_cost(k, covered_fit, unlikely)) for k in kinds if not best.opened[k]]
    taken_back = float(np.sum(shut_costs))
    counted = position.mines(board, signs & is_open, printed[ground.kind])
    for i in counted:
        told[i] = Symbol.MINE
    doubts = ["" if s is not None else "it shows something unknown" for s in told]
    symbols = [s or Symbol.COVERED for s in told]
    odd, alike = twins.odd_flags(stack, ground.body, np.array([s is Symbol.FLAG for s in told]))
    for i in odd.tolist():
        doubts[i] = doubts[i] or "it is unlike the other flags"
    for i in _two_flags(seen, names, told) if not alike else ():
        doubts[i] = doubts[i] or "another drawing may be the flag"
    for i in _two_things(seen, told):
        doubts[i] = doubts[i] or "the same drawing stands for something else elsewhere"
    clear = np.append(names.others["flag"] >= FLAG, False)
    for k in kinds:  # a flag on a ground of its own may be crossed out, or hit
        usual = next((j for j in kinds if not best.opened[j]), k)  # the largest covered ground
        shade = usual != k and np.abs(ground.bodies[k] - ground.bodies[usual]).max() <= SHADE
        if (ground.kind == k).sum() < 3 and not best.opened[k]:
            for i in np.flatnonzero((ground.kind == k) & ~(shade & clear[group])).tolist():
                doubts[i] = doubts[i] or "no other cell looks like it"
    for k in kinds:  # a ball on what is raised a little may be a mine, or a flag that looks like one
        if best.opened[k] and not bare[k] and ground.relief[k] >= RELIEF:
            for i in np.flatnonzero(ground.kind == k).tolist():
                if told[i] is Symbol.MINE:
                    doubts[i] = doubts[i] or "it may be covered or open"
    flat_flag = np.array([s is Symbol.FLAG for s in told]) & (ground.relief < RELIEF)[ground.kind]
    digit_like = names.sure & (names.digits.max(1, initial=0) >= names.others["flag"] - FLAG_TIE)
    unsure = [i for i in np.flatnonzero(flat_flag).tolist() if digit_like[seen.group[i]]]
    if len(unsure) >= (number > 0).sum():  # where hardly a digit is told, flags on flat cells may as well be ones
        for i in np.flatnonzero(np.isin(ground.kind, ground.kind[unsure])).tolist() if unsure else ():
            doubts[i] = doubts[i] or "it may be covered or open"
    for i in np.flatnonzero(_tinted(ground, opened.tolist()) & ~inked).tolist():
        doubts[i] = doubts[i] or "its colour is unlike that of the other cells"
    flat = any(best.opened[k] and printed[k] and lifted[k] < RELIEF for k in kinds)
    for k in kinds:  # where an opened cell is flat, none is raised
        if flat and best.opened[k] and lifted[k] >= RELIEF:
            for i in np.flatnonzero(~inked & (ground.kind == k)).tolist():
                doubts[i] = doubts[i] or "covered and open cells look alike"
    for k in kinds:  # digits on what was taken for covered: the ground is two
        if not best.opened[k] and best.blanks:
            here = inked & (ground.kind == k)
            wrong = [g for g in np.unique(seen.group[here]) if names.sure[g] and covered_name[g] is None]
            if len({int(names.digit[g]) for g in wrong}) >= 2:
                for i in np.flatnonzero(ground.kind == k).tolist():
                    doubts[i] = doubts[i] or "covered and open cells look alike"
    blank = np.flatnonzero(~inked & ~strange)
    uneven = len(blank) > 0 and np.ptp(np.percentile(ground.lift[blank], (10, 90))) > EVEN
    if not best.blanks and (uneven or twins.parted(ground.body[blank].mean(1), TWO_SHADES) is not None):
        for i in blank.tolist():  # as they would all be, were they all covered
            doubts[i] = doubts[i] or "covered and open cells look alike"
    for i in np.flatnonzero(strange).tolist():
        doubts[i] = "its colour is unlike that of the other cells"
    for way in namings[1:]:
        if way.cost - best.cost >= _rival(best.cost - taken_back):
            break
        otherwise = opened_by(way)
        for i, s in enumerate(named(way)):  # where it may as well be otherwise, nothing is told
            if s is not first[i] or (
                told[i] is not first[i] and told[i] is not Symbol.FLAG and otherwise[i] != is_open[i]
            ):
                doubts[i] = doubts[i] or "it may be covered or open"
    for i, reason in _unlike(stack, shape, ground, seen, symbols, known, lore, set(by_deed)).items():
        doubts[i] = doubts[i] or reason
    shown = np.array([s.number or 0 for s in symbols])
    for digit in range(1, 9):  # each has one ink all over a board
        mine = np.flatnonzero(shown == digit)
        if not len(mine):
            continue
        colours = seen.colour[seen.group[mine]]
        usual = seen.colour[np.bincount(seen.group[mine]).argmax()]
        away = colours - ground.body[mine]  # a digit of few pixels is mixed with its ground, its hue stays
        toward = np.median(away[np.abs(colours - usual).max(1) < 1], axis=0)
        turned = away @ toward < SAME_HUE * np.linalg.norm(away, axis=1) * np.linalg.norm(toward)
        turned &= np.linalg.norm(away, axis=1) > HUED
        for i in mine[(np.linalg.norm(colours - usual, axis=1) > OTHER_INK) | turned].tolist():
            doubts[i] = doubts[i] or "its ink is unlike that of the same digit elsewhere"
    red = np.maximum(_reddish(ground.body), np.where(inked, _reddish(seen.drawn.colour), 0))
    plain = _all_red(red, ground, seen, symbols)
    for i, s in enumerate(symbols):  # the mine that was hit stands out in red
        on_red = s is Symbol.WRONG_FLAG and _reddish(ground.body[i : i + 1])[0] > RED_GROUND
        if on_red or (s is Symbol.MINE and red[i] > 60 and not plain[i]):
            symbols[i] = Symbol.EXPLODED
    hit = [i for i, s in enumerate(symbols) if s is Symbol.EXPLODED]
    for i in hit:  # a cross over a small cell reddens it too, but less
        if _reddish(ground.body[i : i + 1])[0] < CROSSED or red[i] < max(REDDENED, HIT * max(red[j] for j in hit)):
            doubts[i] = doubts[i] or "it may be a mine that was hit, or a wrong flag"
    crossed = [i for i, s in enumerate(symbols) if s is Symbol.WRONG_FLAG]
    for i in crossed if len(crossed) == 1 and all(doubts[j] for j in hit) else ():  # one mine was hit, where mines are
        doubts[i] = doubts[i] or "it may be a mine that was hit, or a wrong flag"
    if len(hit) > 1 and Symbol.MINE not in symbols:  # some show all mines in red
        for i in hit:
            doubts[i] = doubts[i] or "it may be a mine that was hit, or any"
    mines = np.flatnonzero(np.array([s is Symbol.MINE for s in symbols]))
    if len(mines):  # and it may stand out in any colour
        usual = ground.bodies[np.bincount(ground.kind[mines]).argmax()]
        for i in mines[np.abs(ground.bodies[ground.kind[mines]] - usual).max(1) > TINT].tolist():
            doubts[i] = doubts[i] or "it may be a mine that was hit, or a wrong flag"
    clear_mines = [i for i, s in enumerate(symbols) if s in MINES and not doubts[i]]
    nameless = inked & np.array([s is None for s in told])
    if len(clear_mines) < nameless.sum():  # most of a lost game's mines look alike
        for i in clear_mines:
            doubts[i] = "it may be a mine that was hit, or a wrong flag"
    for i, s in _by_count(board, symbols, doubts, red, ground, seen.drawn, names):
        symbols[i], doubts[i] = s, ""
    for i in _won_flags(ground, symbols, doubts, counted) if Symbol.COVERED not in told else ():
        doubts[i] = doubts[i] or "it may be the flag of a game that was won"
    number = np.array([s.number if s.number is not None else -1 for s in symbols])
    if not best.blanks:  # beside a nought that a puzzle prints there are covered cells
        number[inked & (number == 0)] = -1
    hidden = np.array([(s is Symbol.COVERED and not inked[i]) or s in MINES for i, s in enumerate(symbols)])
    maybe = np.array([bool(d) for d in doubts]) | (np.array([s.number is None for s in symbols]) & ~hidden)
    faults = best.faults
    behind = np.array([d in HIDDEN for d in doubts])
    if behind.any() and behind.mean() <= MOST_HIDDEN:  # what something lies over says nothing of the position
        number[behind] = -1
        maybe |= behind
        hidden &= ~behind
        marked = np.array([s is Symbol.FLAG for s in symbols]) & ~behind
        again = broken(number, hidden | marked, maybe, shape, whole)
        faults = min(faults, int(again.sum()) + unbounded(number, shape, ~behind))
    unfit = broken(number, hidden, maybe, shape, whole)
    for i in np.flatnonzero(unfit).tolist():
        doubts[i] = doubts[i] or UNFIT
    misfit = faults >= max(MISFIT, MISFIT_SHARE * n)
    misfit |= not best.blanks and any(s in ENDED for s in symbols)  # a puzzle shows no mines
    if misfit or unfit.mean() > (BROKEN if best.blanks else BROKEN_PUZZLE):
        doubts = [d or "what the board shows is no position of the game" for d in doubts]
    large = [s.number for i, s in enumerate(symbols) if s.number and not doubts[i]]
    if len(large) >= 4 and sum(n >= 7 for n in large) > SEVENS * len(large):
        doubts = [d or "what the board shows is no position of the game" for d in doubts]
    for i in _page_lines(shape, ground, symbols, doubts):
        doubts[i] = doubts[i] or "it may be no cell of the board"
    over = np.array([d in COVERED_BY for d in doubts])  # something lies there, perhaps here too
    alone = inked & (np.append(seen.size, 0)[seen.group] == 1) & (position.near(over, shape) >= 2)
    for i in np.flatnonzero(alone).tolist():
        doubts[i] = doubts[i] or "no other cell looks like it, and what is beside it cannot be told"
    failed = inked & np.array([bool(d) for d in doubts])
    mines = failed & is_open & printed[ground.kind]  # of a lost game, of a look nobody knows
    one_sign = np.bincount(seen.group[mines]).max() if mines.any() else 0
    one_digit = len(large) >= ONE_DIGIT and len(set(large)) == 1 and failed.sum() > len(large) / 2
    if one_digit or (
        inked.sum() >= 5 and failed.sum() - one_sign > 0.4 * inked.sum()
    ):  # a lattice beside the cells, or no board
        doubts = [d or "most of what is drawn on the board cannot be told" for d in doubts]
    # how well each cell's drawing fits its shape, and how far the next shape is behind
    fits = np.array([max(o, c) for o, c in zip(open_fit, covered_fit, strict=True)] or [1.0], np.float32)
    second = np.sort(names.digits, axis=1)[:, -2] if len(names.digits) else np.zeros(1, np.float32)
    scores = np.where(inked, (fits[group] * seen.like).clip(0, 1), 1.0)
    margins = np.where(inked, (fits[group] - second[group]).clip(0, 1), 1.0)
    return Match(symbols, scores.astype(np.float32), margins.astype(np.float32), doubts)


def _won_flags(ground: Grounds, symbols: Sequence[Symbol], doubts: Sequence[str], counted: Sequence[int]) -> list[int]:
    """The mines of a game of which no covered cell is left and none was hit, that may as well be the flags of one that
    was won: those of unknown shape, ``counted`` by the digits, and all that stand on other ground than the digits."""
    left = {s for s, d in zip(symbols, doubts, strict=True) if not d}
    # on red are mines
    mines = [i for i, s in enumerate(symbols) if s is Symbol.MINE and _reddish(ground.body[i : i + 1])[0] <= RED_GROUND]
    digits = [i for i, s in enumerate(symbols) if s.number and not doubts[i]]
    if not mines or not digits or left & {Symbol.EXPLODED, Symbol.WRONG_FLAG}:
        return []
    border = (ground.body[:, None, None] + ground.sides[:, :, 1:4]).mean(2)  # (n, 4, 3)
    apart = np.abs(_middle(border[mines]) - _middle(border[digits])).max()
    return mines if apart > WON_GROUND else [i for i in mines if i in counted]


def _all_red(red: F32, ground: Grounds, seen: Marks, symbols: Sequence[Symbol]) -> Bools:
    """(n,) the mines of one look where all mines are red: red is what mines are, not what a hit one is."""
    out = np.zeros(len(symbols), bool)
    mines = np.flatnonzero(np.array([s is Symbol.MINE for s in symbols]))
    if len(mines) and (red[mines] > 60).all():
        looks = ground.kind[mines] * len(seen.size) + seen.group[mines]
        alike = mines[looks == np.bincount(looks).argmax()]
        out[alike] = len(alike) >= ALL_RED
    return out


def _by_count(
    board: Board,
    symbols: Sequence[Symbol],
    doubts: Sequence[str],
    red: F32,
    ground: Grounds,
    drawn: Inks,
    names: Names,
) -> list[tuple[int, Symbol]]:
    """The single drawings of a lost game that its digits tell, all its mines being shown: one more mine, of another
    look than the others, is the one that was hit; a crossed or red sign where no mine is, is a flag that was wrong."""
    left, top, right, bottom = drawn.box.T
    central = (np.abs(left + right - 1) <= 2 * CENTRAL) & (np.abs(top + bottom - 1) <= 2 * CENTRAL)
    central &= (right - left >= DOT) & (bottom - top >= DOT)
    asked = np.array([d in UNTOLD for d in doubts]) & (drawn.contrast > 0) & central
    known = position.with_told(board, [None if d else s for s, d in zip(symbols, doubts, strict=True)])
    must, cannot = position.mined(known, asked)
    out: list[tuple[int, Symbol]] = []
    flags, mines, bright = known.of(Symbol.FLAG), known.of(*MINES), red > REDDENED / 2
    if must.sum() == 1 and not known.of(Symbol.EXPLODED).any():
        i = int(must.argmax())  # it may be a flag that was right, where no other says what flags look like
        other = bool(flags.any()) and board.group[i] >= 0 and not (board.alike(int(board.group[i])) & flags).any()
        closed = (ground.kind == ground.kind[i]) & known.of(Symbol.COVERED, Symbol.FLAG)
        if (other or _reddish(ground.body[i : i + 1])[0] > CROSSED) and not closed.any():
            out.append((i, Symbol.EXPLODED))
    signs = board.glyph[np.unique(board.group[flags | mines])]
    for i in np.flatnonzero(cannot).tolist():
        g = int(board.group[i])
        if g < 0:  # a red cross on red is hardly seen
            beside = ~asked & (ground.kind == ground.kind[i])
            wrong = bool(bright[i]) and bool(beside.any()) and bool(mines[beside].all())
        elif names.others["question"][g] >= MAYBE_QUESTION or names.digits[g].max() >= NO_DIGIT:
            continue
        else:
            like = max(float(names.others["wrong-flag"][g]), float((signs @ board.glyph[g]).max(initial=0)))
            wrong = bool(bright[i]) or like >= SAME_SIGN
        out += [(i, Symbol.WRONG_FLAG)] if wrong else []
    return out


def _unlike(
    stack: Pixels,
    shape: tuple[int, int],
    ground: Grounds,
    seen: Marks,
    symbols: list[Symbol],
    known: Shapes,
    lore: Lore,
    by_deed: Collection[int] = (),
) -> dict[int, str]:
    """Cells that are unlike the other cells of their symbol, with the reason: something lies over them, or their
    drawing is not the one it was taken for. ``by_deed``: drawings that the position tells, and not their shape."""
    out: dict[int, str] = {}
    inked = seen.group >= 0
    numbers = np.array([s.number or -1 for s in symbols])
    # digits: each cell's own drawing must be its digit, of the height and place of the others
    digits = np.flatnonzero(inked & (numbers > 0))
    if len(digits):
        glyph = seen.drawn.glyph[digits]
        dotted = (known.others["disc"] @ glyph.T).max(0) >= DISC
        hands = _hands(glyph, known)
        clear = _clearness(hands, numbers[digits], known)
        box = seen.drawn.box[digits]
        height, middle = box[:, 3] - box[:, 1], (box[:, 1] + box[:, 3]) / 2
        centre = (box[:, 0] + box[:, 2]) / 2
        own = hands[np.arange(len(digits)), :, numbers[digits] - 1].max(1)
        nought = (glyph @ known.digits[:, 0].T).max(1)  # which a puzzle prints
        wrong = (
            ((clear < OWN_CLEAR) | (nought > own - NOUGHT_TIE)) & ~dotted & ~np.isin(seen.group[digits], list(by_deed))
        )
        set_wrong = (np.abs(height - np.median(height)) > 0.12) | (np.abs(middle - np.median(middle)) > 0.09)
        set_wrong |= np.abs(centre - np.median(centre)) > 0.14
        aside = (np.abs(centre - 0.5) > 0.2) | (np.abs(middle - 0.5) > 0.2)  # a stray line of the lattice
        for at, i in enumerate(digits):
            if wrong[at] or aside[at]:
                out[int(i)] = "its digit is not clear"
            elif set_wrong[at] and len(digits) >= 3:
                out[int(i)] = "its digit is of another size or place than the others"
    for i in np.flatnonzero(_off_lawn(ground, shape)):
        out.setdefault(int(i), SHADED)
    # empty cells against the usual one of their ground, in small patches
    inner = stack[:, 4:-4, 4:-4]
    often = np.bincount(ground.kind, minlength=ground.count) / len(stack) >= MANY
    strongest = max((float(np.abs(rims).mean(2).max()) for rims in ground.rims[often]), default=0.0)
    told = np.array([bool(numbers[i] > 0 or symbols[i] is Symbol.FLAG) and i not in out for i in range(len(stack))])
    for k in range(ground.count):
        mine = np.flatnonzero((ground.kind == k) & ~inked)
        if not len(mine):
            continue
        # a ground is the board's own where digits or flags stand on it, or where a known site has it
        plain = _near(ground.bodies[k], lore.plain)
        drawn = int((told & (ground.kind == k)).sum()) >= 3
        power = (ground.rims[k][:, :4] ** 2).sum((1, 2))
        framed = power.max() > LINED**2 and bool((power >= 0.1 * power.max()).all())  # a bevel on all four sides
        if not (drawn or framed or plain) and (ground.kind == k).mean() < FEW:
            out.update({int(i): "few other cells look like it" for i in mine})
            continue
        few = len(mine) < 3  # too few to be held against each other; on a known ground they must be plain
        if few and not (drawn or plain):
            out.update({int(i): "no other cell looks like it" for i in mine})
            continue
        for i in mine[_unlined(ground, k, mine, shape, drawn or framed, plain, strongest)]:
            out[int(i)] = "its lines are hidden"
        apart = twins.away(inner[mine], ground.body[mine])
        if not few:
            apart = twins.beyond(apart, twins.median(apart[:, :: 1 + len(mine) // MANY_CELLS]))
        patch = twins.patches(np.abs(apart, out=apart).max(0))
        worst = patch.max(1)
        bound = twins.QUIET if few else max(twins.QUIET, 3.0 * float(np.median(worst)))
        for i, w in zip(mine, worst, strict=True):
            if w > bound:
                out[int(i)] = "something seems to lie over it"
    return out


def _page_lines(shape: tuple[int, int], ground: Grounds, symbols: Sequence[Symbol], doubts: Sequence[str]) -> list[int]:
    """The cells of a board's outermost lines in which nothing is told but opened blanks that have no lines around them,
    beside something that is doubtful: a heading on a page that opened cells are made of looks so too."""
    bare = np.array([float(np.abs(rims).mean(2).max()) < LINED for rims in ground.rims])[ground.kind].reshape(shape)
    blank = np.array([s is Symbol.CLUE_0 and not d for s, d in zip(symbols, doubts, strict=True)]).reshape(shape)
    doubtful = np.array([bool(d) for d in doubts]).reshape(shape)
    page = doubtful | (blank & bare)
    out = np.zeros(shape, bool)
    for turns in range(4):
        lines, unclear, mark = (np.rot90(a, turns) for a in (page, doubtful, out))
        for line, some, to in zip(lines, unclear, mark, strict=True):
            if not line.all() or not some.any():
                break
            to[:] = True
    return [int(i) for i in np.flatnonzero(out)]


def _off_lawn(ground: Grounds, shape: tuple[int, int]) -> Bools:
    """(n,) cells of a lawn of two shades that have the shade of the places between theirs, and those beside them that
    have it too, as all under a plain window would."""
    odd = np.add.outer(np.arange(shape[0]), np.arange(shape[1])).ravel() % 2 == 1
    out = np.zeros(len(odd), bool)
    many = [k for k in range(ground.count) if (ground.kind == k).sum() >= LAWN_CELLS]
    leans = {k: float(odd[ground.kind == k].mean()) for k in many}
    for k in many:
        for j in many:
            alike = float(np.abs(ground.bodies[k] - ground.bodies[j]).max()) <= LAWN_SHADES
            if alike and leans[k] >= LAWN_SHARE and leans[j] <= 1 - LAWN_SHARE:
                out |= ((ground.kind == k) & ~odd) | ((ground.kind == j) & odd)
        out |= _of_other_shade(ground.body, ground.kind == k, odd)
    if out.any():
        wrong, body = np.pad(out.reshape(shape), 1), np.pad(ground.body.reshape(*shape, 3), ((1, 1), (1, 1), (0, 0)))
        for by in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            moved, theirs = np.roll(wrong, by, (0, 1)), np.roll(body, by, (0, 1))
            same = np.abs(body - theirs).max(2) <= SAME_SHADE
            out |= (moved & same)[1:-1, 1:-1].ravel()
    return out


def _of_other_shade(body: F32, mine: Bools, odd: Bools) -> Bools:
    """(n,) which cells of a ground that is itself of two shades, so close that it counts as one, have the other one."""
    out = np.zeros(len(odd), bool)
    if min((mine & odd).sum(), (mine & ~odd).sum()) < LAWN_CELLS:
        return out
    usual = [np.median(body[mine & place], axis=0) for place in (odd, ~odd)]
    away = [np.abs(body - shade).max(1) for shade in usual]
    apart = float(np.abs(usual[0] - usual[1]).max())
    noise = float(np.median(np.where(odd, away[0], away[1])[mine]))
    if apart >= SHADES and noise <= apart / 4:
        out = mine & np.where(odd, away[1] < away[0], away[0] < away[1])
    return out


def _unlined(
    ground: Grounds, k: int, mine: Ints, shape: tuple[int, int], drawn: bool, plain: bool, strongest: float
) -> Bools:
    """Which of a ground's empty cells ``mine`` lack the lines and bevels that its cells have: a plain window in the
    colour of a cell lies over them. A ground that has none at all shows its cells by alternating with another.
    ``strongest`` grey levels at the sides of the board's usual cells."""
    rims = ground.rims[k]
    power = (rims[:, :4] ** 2).sum((1, 2))
    strong = power >= 0.25 * power.max()
    both = bool((strong[0] or strong[2]) and (strong[1] or strong[3]))  # a window's edge runs one way
    bound = max(LINED, 0.25 * strongest) if not (drawn or plain) else LINED
    if float(np.abs(rims).mean(2).max()) < bound or not both:
        rows, cols = np.divmod(mine, shape[1])
        odd = (rows + cols) % 2 == 1
        if drawn or not (odd.any() and (~odd).any()):
            return np.full(len(mine), not (drawn or plain) and len(mine) <= 3)
        step = np.abs(np.median(ground.body[mine[odd]], axis=0) - np.median(ground.body[mine[~odd]], axis=0)).max()
        return np.full(len(mine), bool(step < 2))
    # the share of each side's usual line that a cell shows; what a neighbour adds to it does not matter
    usual = rims[:, :4]
    share = (ground.sides[mine][:, :, :4] * usual).sum((2, 3)) / np.maximum(power, 1e-3)
    whole = (share * power).sum(1) / max(float(power.sum()), 1e-3)
    hidden = (whole < 2 * LINE_SHARE) | ((share[:, strong] < LINE_SHARE).sum(1) >= min(2, strong.sum()))
    return np.asarray(hidden, bool)
