"""Owns how a lattice is told by its own look: where it lies best, how far it reaches, which of its outermost lines are
none of the board's, and which boards it holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from itertools import product

import numpy as np
import numpy.typing as npt

from autosolve.vision import choice, position, skin
from autosolve.vision.extent import SIDES, fitted, shorter
from autosolve.vision.grid import MIN_SIDE, Grid, repeating, settled
from autosolve.vision.placing import NEARLY, Cells, on_whole_pixels
from autosolve.vision.profile import Profile, Symbol
from autosolve.vision.rims import along, at_picture_edge, unframed

GROWTHS = 6  # times that a lattice is placed anew and made larger
UNTOLD = 0.3  # share of doubtful cells of a board read by look from which nothing of it is told
TINY = 9.5  # pixels from cell to cell: of smaller boards read by look nothing is told where something is doubtful
HELD_BY = 4  # digits, and opened blanks, that a board must show to be told from the lines beside it
UNTRUE = 3  # digits of such a line that cannot be true, from which it is none of the board's
PAGE = 6.0  # grey levels from the page around a board to that between two boards

Way = tuple[Cells, skin.Told]  # a lattice and what was told of it


def same_place(a: Grid, b: Grid, slack: float = 0.1) -> bool:
    """Whether two lattices are one, to a part of a cell."""
    return a.shape == b.shape and max(abs(u - v) for u, v in zip(a.box, b.box, strict=True)) < slack * a.pitch_x


def _tell(some: Cells, lore: skin.Lore, open_: Set[str] = frozenset()) -> Way:
    """A lattice read by its own look as it lies; it may go on at ``open_`` sides too."""
    shape = some.grid.shape
    cut = open_ | some.running_on | at_picture_edge(some.frame, some.grid)
    return some, skin.tell(some.stack, shape.rows, shape.cols, some.pitch, lore, cut)


def _good(way: Way) -> float:
    """How much of a board is told, and how well."""
    size = way[0].grid.shape.size
    return (size - way[1].doubtful) * (1 - way[1].doubtful / size) ** 2


def told_by_look(cells: Cells, profiles: Sequence[Profile], lost: list[Way] | None) -> Way:
    """A lattice read by its own look, after trying whether more or fewer lines, or if what is ``lost`` is wanted a
    place a little off, read better."""
    lore = skin.lore_of(profiles)
    if cells.known:
        return _tell(cells, lore)
    frame = cells.frame
    placed = settled(frame, cells.grid)
    best = _tell(Cells(frame, placed), lore)
    reaching = fitted(frame, placed, lore.plain, stack=best[0].stack)
    for _ in range(
        GROWTHS if reaching.shape != placed.shape else 0
    ):  # a larger lattice is better placed, and sees more
        wider = fitted(frame, settled(frame, reaching), lore.plain)
        if wider.shape == reaching.shape:
            break
        reaching = wider
    wholes = [best]
    if reaching.shape != placed.shape:
        wholes = [_tell(Cells(frame, reaching), lore), best]
        best, placed = max(wholes, key=_good), reaching
    if lost is None:
        return best
    ways = [placed]
    if best[1].doubtful:  # lines as wide as a good part of a cell draw a lattice to one of their edges
        start = replace(
            cells.grid,
            shape=placed.shape,
            left=cells.grid.left + round((placed.left - cells.grid.left) / placed.pitch_x) * cells.grid.pitch_x,
            top=cells.grid.top + round((placed.top - cells.grid.top) / placed.pitch_y) * cells.grid.pitch_y,
        )
        # most programs draw cells of whole pixels, which matters where a bevel is two of them
        ways += [start, on_whole_pixels(frame, start)]
        movable = 2 * best[1].doubtful <= placed.shape.size  # what hardly looks like a board stays where it is
        for at, other in enumerate(ways[1:], 1):
            if best[1].doubtful and not any(same_place(other, some, 0.002) for some in ways[:at]):
                best = max(best, _tell(Cells(frame, other), lore), key=_good)
        if movable and best[1].doubtful > NEARLY * placed.shape.size:
            ways.append(repeating(frame, placed))
            best = max(best, _tell(Cells(frame, ways[-1]), lore), key=_good)
    if _lost(best) and choice.likely(best[0].stack, [p for p in profiles if p.frame]):
        for other in ways:  # it may go on where a frame is missing
            if 0 < len(open_ := unframed(frame, other)) < 4:
                way = _tell(Cells(frame, other), lore, open_)
                site = choice.of_look(way[1], profiles)
                if site is not None and site.frame:
                    best = max(best, way, key=_good)
    if best[1].doubtful and not _lost(best):
        best = without_headings(best, lore)
    lost += [way for way in {id(way): way for way in (best, *wholes)}.values() if way[1].doubtful]
    return best


def _lost(way: Way) -> bool:
    """Whether too little of a board is told by its look for it to be one."""
    return way[1].doubtful > UNTOLD * way[0].grid.shape.size


def without_headings(whole: Way, lore: skin.Lore) -> Way:
    """A board read by its look, without outermost lines that are none of its own: headings, a counter, a palette, all
    drawn like its cells. It ends before those whose digits cannot be true; where they might, it may go on there."""
    cells, told = whole
    if cells.pitch < TINY:  # there one digit that cannot be told speaks for all
        return whole
    lost = _lost(whole)
    none, false = frozenset[str](), set[str]()
    # where a board may go on, its digits count what is beyond
    closed = set(SIDES) - cells.running_on - at_picture_edge(cells.frame, cells.grid) if told.doubtful else set()
    for side in closed:
        digits, every = (_untrue(whole, whole, side, none, blanks=too) for too in (False, True))
        if every >= (UNTRUE - 1 if digits else UNTRUE):
            false.add(side)
    best, fewest = whole, 4
    for sides, grid in shorter(cells.grid) if false or lost else ():
        if len(sides) > fewest or not sides <= closed or (sides != false and not lost):
            continue
        grid, most = settled(cells.frame, grid), NEARLY * grid.shape.size
        way = _tell(Cells(cells.frame, grid), lore)
        opened = sum(
            s is Symbol.CLUE_0 and not d for s, d in zip(way[1].match.symbols, way[1].match.doubts, strict=True)
        )
        if way[1].doubtful > most or min(way[1].digits, opened) < HELD_BY:
            continue
        ends = frozenset(side for side in sides if _untrue(whole, way, side, sides) >= UNTRUE)
        if ends and (ended := _tell(Cells(cells.frame, replace(grid, ends=ends)), lore))[1].doubtful <= most:
            way = ended
        fewest = len(sides)
        if _good(way) > _good(best) or (sides == false and way[1].doubtful < told.doubtful):
            best = way
    return best


def _untrue(whole: Way, way: Way, side: str, sides: Set[str], *, blanks: bool = False) -> int:
    """How many digits of an outermost line count more mines than there may be around them, and with ``blanks`` how many
    opened blanks have covered cells beside them: in what was told without some ``sides`` of the whole board, and in
    those as they were told with it."""
    told, shape = whole[1], whole[0].grid.shape
    number = np.array([-1 if s.number is None else s.number for s in told.match.symbols])
    number[(number == 0) & np.array([doubt in skin.HIDDEN for doubt in told.match.doubts])] = -1
    may = (number < 0).reshape(shape.rows, shape.cols)
    if sides:
        own, inner = way[1].match, way[0].grid.shape
        top, left = int("top" in sides), int("left" in sides)
        may[top : top + inner.rows, left : left + inner.cols] = np.array(
            [s.number is None or bool(doubt) for s, doubt in zip(own.symbols, own.doubts, strict=True)]
        ).reshape(inner.rows, inner.cols)
    room = position.near(may.ravel(), (shape.rows, shape.cols))
    line = np.array(along(side, shape))
    bare = blanks * ((number[line] == 0) & (room[line] > 0))
    return int(((number[line] > room[line]) | bare).sum())


def parts(whole: Way, lore: skin.Lore) -> Iterator[Way]:
    """The several boards that lie so that one lattice holds them all: between them are whole lines in which only the
    page is to be seen. A bar in its colour may hide some as well: the parts are cut there."""
    cells, told = whole
    grid, size = cells.grid, (cells.grid.shape.rows, cells.grid.shape.cols)
    ring = np.concatenate([cells.wide[0], cells.wide[-1], cells.wide[:, 0], cells.wide[:, -1]])
    page = np.median(ring.reshape(-1, 3), axis=0)
    bare = np.abs(np.median(cells.stack, axis=(1, 2)) - page).max(1) <= PAGE
    hidden = (np.array([bool(doubt) for doubt in told.match.doubts]) & bare).reshape(size)
    if not (hidden[1:-1].all(1).any() or hidden[:, 1:-1].all(0).any()):
        return
    rows, cols = (_blocks(np.asarray(hidden.all(axis))) for axis in (1, 0))
    for (r0, r1), (c0, c1) in product(rows, cols):
        ends = {"top": r0 > 0, "bottom": r1 < size[0], "left": c0 > 0, "right": c1 < size[1]}
        cut = frozenset(side for side, inner in ends.items() if inner)
        place = replace(settled(cells.frame, grid.part(r0, r1, c0, c1)), cut=cut)
        way = _tell(Cells(cells.frame, place), lore, cut)
        if not _lost(way):
            yield way


def _blocks(gap: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The first and the end of every run of lines that are no gap, as long as a board's sides may be."""
    turns = np.flatnonzero(np.diff(np.concatenate([[True], gap, [True]]).astype(np.int8))).reshape(-1, 2)
    return [(int(a), int(b)) for a, b in turns if b - a >= MIN_SIDE]
