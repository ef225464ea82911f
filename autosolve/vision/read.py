"""Owns what the board shows: every cell with its certainty, and the refusal of what cannot be told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from autosolve.board.puzzle import Marks, Puzzle, Totals, Variant
from autosolve.board.shape import Cell, CellSet, Shape, cell_set
from autosolve.errors import BoardNotFound
from autosolve.vision import choice, looking, period, position, skin, windows
from autosolve.vision.cells import surfaces
from autosolve.vision.counter import all_mines
from autosolve.vision.frame import Box, Frame
from autosolve.vision.grid import EDGES, FAINT, Grid, in_pixels, lattices, overlap
from autosolve.vision.looking import TINY, UNTOLD, Way
from autosolve.vision.margins import read_margins
from autosolve.vision.match import DIMMED, Match, darkened, match
from autosolve.vision.placing import NEARLY, TILES, Cells, by_templates
from autosolve.vision.profile import ENDED, FLAGS, Profile, Symbol
from autosolve.vision.rims import along, at_picture_edge, cut_sides, frame_hidden, outside, unframed
from autosolve.vision.tint import whitened

Scores = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A board as it was seen.

    ``symbols``  per cell, row-major, the best symbol; for a doubtful cell it is a mere suspicion
    ``scores``   float32 (rows, cols), 0..1: how well the best symbol fits
    ``margins``  float32 (rows, cols), 0..1: how far the next best is behind
    ``doubts``   doubtful cell to the reason, in words that go after "because"
    ``totals``   totals read around the board
    ``unread``   totals printed around the board that cannot be told, in words
    ``others``   where further boards are in the picture, the best first
    """

    frame: Frame
    grid: Grid
    profile: Profile
    symbols: tuple[Symbol, ...]
    scores: Scores
    margins: Scores
    doubts: Mapping[Cell, str] = field(default_factory=dict)
    totals: Totals = field(default_factory=Totals)
    unread: tuple[str, ...] = ()
    others: tuple[Grid, ...] = ()

    @property
    def doubtful(self) -> CellSet:
        """The cells that cannot be told."""
        return cell_set(self.doubts)

    @property
    def certainty(self) -> float:
        """0..1: the certainty of the least certain cell; 0 when a cell is doubtful."""
        return 0.0 if self.doubts else float(self.scores.min())

    def where(self, *symbols: Symbol) -> CellSet:
        """The undoubted cells that show one of ``symbols``."""
        doubts = self.doubts
        return cell_set(c for c, s in enumerate(self.symbols) if s in symbols and c not in doubts)

    @property
    def text(self) -> list[str]:
        """The board in board text, one string a row; a doubtful cell is ``.``"""
        cols = self.grid.shape.cols
        chars = [Symbol.COVERED.char if c in self.doubts else s.char for c, s in enumerate(self.symbols)]
        return ["".join(chars[i : i + cols]) for i in range(0, len(chars), cols)]

    @property
    def puzzle(self) -> Puzzle:
        """The facts only. A doubtful cell counts as covered: it may hold a mine or not, so every sentence
        stays true. On a side where the board is cut, no clue of the last line is used."""
        shape = self.grid.shape
        shown = self.where(Symbol.MINE, Symbol.EXPLODED)
        clues: dict[Cell, int] = {}
        for c, symbol in enumerate(self.symbols):
            if symbol.number is not None and c not in self.doubts:
                clues[Cell(c)] = symbol.number
        # in mosaic a clue stands on its cell, which may hold a mine all the same
        mosaic = self.profile.variant is Variant.MOSAIC
        covered = shape.all & ~shown if mosaic else shape.all & ~cell_set(clues) & ~shown
        edge = cell_set(Cell(c) for side in self.grid.cut for c in along(side, shape))
        return Puzzle(
            shape,
            {c: n for c, n in clues.items() if not edge >> c & 1},
            covered,
            self.totals,
            shown,
            self.profile.variant,
        )

    @property
    def marks(self) -> Marks:
        """What a hand has drawn."""
        return Marks(self.where(*FLAGS), self.where(Symbol.SAFE), self.where(Symbol.QUESTION))


# ---------------------------------------------------------------- reading

MIN_TOLD = 0.4  # share of the cells that must be told, or the lattice is no board of this site
OVER = 0.3  # overlap of two lattices, of which only one can be a board
OWN = 0.7  # share of told cells from which a board may be a prepared site's, where several are possible
FALSE_CLUES = 1  # clues of a mosaic that cannot be true, of which more are no misreading
OTHER = 0.8  # share of told cells with which another board of the picture is named
HEADED = 3  # lattices, the largest, that are looked at for headings where nothing was read
OPENED = 0.1  # of a board's cells that are opened blanks, from which it is a game of uncovering
BESIDE_CUT = "the board is cut beside it"
CUT = 0.9  # of the worth of a board of which nothing is cut

# Ways to look for lattices, each slower than the one before and only for where that one falls short.
_LOOKS: tuple[Callable[[Frame, Box | None], tuple[Grid, ...]], ...] = (
    lambda frame, region: lattices(frame, region=region),
    lambda frame, region: lattices(frame, region=region, edges=EDGES),
    lambda frame, region: lattices(frame, region=region, edges=EDGES, halved=True),
    lambda frame, region: period.lattices(frame, region=region),
    lambda frame, region: lattices(frame, region=region, edges=FAINT, doubled=True),
)


def read(
    frame: Frame,
    profile: Profile | Sequence[Profile],
    *,
    grid: Grid | None = None,
    region: Box | None = None,
    size: Shape | None = None,
) -> Reading:
    """Reads the board of a site, or of whichever of several sites it is, in a picture.

    ``grid``    where the cells are, when that is known; otherwise the board is searched for
    ``region``  screen points: search only there
    ``size``    the board's size, as an assertion: lattices of another size are no board

    Raises BoardNotFound, naming the nearest miss. Doubt raises nothing: it is in ``Reading.doubts``."""
    profiles = [profile] if isinstance(profile, Profile) else list(profile)
    try:
        found, fault = _found(frame, profiles, grid, region, size), None
    except BoardNotFound as missed:
        found, fault = None, missed
    prepared = found is not None and (found.profile.reader != "skin" or bool(found.profile.skins))
    if (found is None or found.doubts or not prepared) and (undone := whitened(frame)) is not None:
        try:
            other = _found(undone, profiles, grid, region, size)
        except BoardNotFound:
            other = None
        if other is not None and (found is None or rank(other) > rank(found) or _as_good(other, found)):
            return replace(other, frame=frame)
    if found is None:
        assert fault is not None
        raise fault
    return found


def _as_good(other: Reading, reading: Reading) -> bool:
    """Whether a reading is of a prepared site, and tells no less than another one that is not."""
    return other.profile.reader != "skin" and len(other.doubts) <= len(reading.doubts)


def _found(
    frame: Frame, profiles: Sequence[Profile], grid: Grid | None, region: Box | None, size: Shape | None
) -> Reading:
    """As ``read``, of the picture as it is."""
    if grid is not None:
        found = list(_readings(Cells(frame, grid, known=True), profiles))
        if not found:
            raise BoardNotFound(
                f"There is no board of {_names(profiles)} where one was.", "Make the whole board visible."
            )
        return _with_totals(max(found, key=lambda f: rank(f[0]))[0])
    misses: list[str] = []
    best: Reading | None = None
    boards: list[Reading] = []
    unsized: list[Reading] = []  # boards of another size than the wanted one
    lost: list[Way] = []  # lattices that no site and no look tells
    tried: list[Grid] = []

    def take(place: Grid, readings: Iterable[tuple[Reading, int]]) -> None:
        nonlocal best
        where = _squares(frame, place)
        for reading, told in readings:
            if told < MIN_TOLD * place.shape.size:
                misses.append(f"{where}, of which {told} look like cells of {reading.profile.name}")
            elif len(reading.grid.cut) == 4:
                misses.append(f"{where}, which goes on or is covered on all sides")
            elif size is not None and reading.grid.shape != size:
                unsized.append(reading)
            else:
                if size is not None and reading.profile.kind == "reveal":  # a person's word
                    seen = {c: why for c, why in reading.doubts.items() if why != BESIDE_CUT}
                    reading = replace(reading, grid=replace(reading.grid, cut=frozenset()), doubts=seen)
                boards.append(reading)
                best = reading if best is None or rank(reading) > rank(best) else best

    for look in _LOOKS:
        if look is _LOOKS[-2] and best is not None and _all_tiles(best):
            break  # what repeats says no more than tiles do, and is dear
        if look is _LOOKS[-1] and best is not None and not best.grid.cut:
            break  # tiles of a few pixels are looked for where nothing else is
        for place in look(frame, region):
            if any(looking.same_place(place, other) for other in tried):
                continue
            whole = [b for b in boards if not b.grid.cut and not b.doubts]
            if any(overlap(place.box, b.grid.box) > OVER for b in whole):
                continue  # nothing else is where a whole board was read
            tried.append(place)
            better = all(place.shape.size > b.grid.shape.size for b in whole)
            take(place, _readings(Cells(frame, place), profiles, lost if better else None))
        if best is not None and not best.grid.cut and (_read(best) or _all_tiles(best)):
            break
    if best is None or not _read(best) or _clues_cut(best):
        for way in sorted(lost, key=lambda w: -w[0].grid.shape.size)[:HEADED]:
            headed = list(_headed(way, profiles))
            if best is not None and _clues_cut(best) and any(_has_look(one) for one in headed):
                boards.remove(best)  # a page that shows all clues has no opened blanks
                best = None
            take(way[0].grid, headed)
            if best is not None and _read(best) and not best.grid.cut:
                break
    # a size that is asserted may be wrong: then a lattice of that size has lines that are none of the board's
    if best is not None and best.doubts and any(_is_that(other, best) for other in unsized):
        best = None
    if best is None and unsized:  # the best of them is what the person means
        misses.insert(0, f"a board of {_squares(frame, max(unsized, key=rank).grid)}, not {size}")
    if best is not None:
        return replace(_with_totals(best), others=_others(best, boards))
    there = "here" if region is None else f"in the region {','.join(f'{v:g}' for v in region)}"
    looked = f"a lattice of at least 3x3 cells that look like {_names(profiles)}"
    if misses:
        nearest = f"The best near miss: {misses[0]}."
    elif tried:
        largest = max(tried, key=lambda g: g.shape.size)
        nearest = f"The best near miss: {_squares(frame, largest)}, which look like nothing of that."
    else:
        nearest = f"Nothing in the {'picture' if region is None else 'region'} is laid out in equal squares."
    show = "Make the whole board visible" if region is None else "Make the region hold the whole board"
    other = "choose another --site"
    if not choice.of_one_page(profiles):
        other = "leave --variant out" if _mosaics(profiles) else "teach autosolve its site with 'autosolve sites learn'"
    raise BoardNotFound(f"There is no board {there}; looked for {looked}.", f"{nearest} {show}, or {other}.")


def _clues_cut(reading: Reading) -> bool:
    """Whether a board was taken for a page that shows all clues, of which not all is to be seen."""
    return reading.profile.kind == "clues" and bool(reading.grid.cut)


def _is_that(other: Reading, reading: Reading) -> bool:
    """Whether the board of a reading is another one's, which is read whole."""
    there = overlap(other.grid.box, reading.grid.box) > 0.8
    return there and not other.grid.cut and _read(other) and rank(other) > rank(reading)


def _read(reading: Reading) -> bool:
    """Whether nearly all of a board was read."""
    return len(reading.doubts) <= NEARLY * reading.grid.shape.size


def _all_tiles(reading: Reading) -> bool:
    """Whether a board was found by nearly all of its cells, flat ones or each at its own place, and read, or mostly so
    if nothing cuts it: there is no more to find."""
    size, flat = reading.grid.shape.size, reading.profile.reader != "pictures" or reading.grid.uneven
    mostly = not reading.grid.cut and len(reading.doubts) <= (1 - OTHER) * size
    return flat and reading.grid.tiles >= TILES * size and (mostly or _read(reading))


def rank(reading: Reading) -> tuple[float, ...]:
    """How good a reading is beside others of the same screen; larger is better."""
    shape = reading.grid.shape
    share = 1 - len(reading.doubts) / shape.size
    plain = not any(s.number for s in reading.symbols)  # any wall of tiles looks like a fresh board
    return (
        # a board is read whole or nearly so; what is half a board is mostly something else
        share**6 * float(np.sqrt(shape.size)) * (0.25 if plain else 1.0) * (CUT if reading.grid.cut else 1.0),
        -len(reading.grid.cut),
        float(np.mean(reading.scores) + np.mean(reading.margins)),
    )


def _others(best: Reading, boards: Sequence[Reading]) -> tuple[Grid, ...]:
    """Where the further boards of a picture are, the best first: most of their cells are told, and they lie apart."""
    out: list[Grid] = []
    for reading in sorted(boards, key=rank, reverse=True):
        told = reading.grid.shape.size - len(reading.doubts)
        apart = all(overlap(reading.grid.box, other.box) < 0.1 for other in (best.grid, *out))
        if apart and told >= OTHER * reading.grid.shape.size:
            out.append(reading.grid)
    return tuple(out)


def _names(profiles: Sequence[Profile]) -> str:
    """What is looked for, in words: of many sites only their kind."""
    if len(profiles) == 1:
        return profiles[0].title
    if choice.of_one_page(profiles):
        return "one of " + ", ".join(p.name for p in profiles)
    return "any known mosaic" if _mosaics(profiles) else "any known Minesweeper"


def _mosaics(profiles: Sequence[Profile]) -> bool:
    return all(p.variant is Variant.MOSAIC for p in profiles)


def _squares(frame: Frame, grid: Grid) -> str:
    """A lattice in words."""
    x, y, pitch, _ = in_pixels(frame, grid)
    return f"{grid.shape} squares of {pitch:.0f} pixels at x={x:.0f}, y={y:.0f}"


def _readings(
    cells: Cells, profiles: Sequence[Profile], lost: list[Way] | None = None
) -> Iterator[tuple[Reading, int]]:
    """Each site's reading of a lattice, and how many of its cells are told: the site of whose colours it is first, and
    no further one where that reads every cell. With a list for what is ``lost``, lattices that no look tells, places
    beside the lattice's are tried by look."""
    several = len(profiles) > 1
    kin = choice.of_one_page(profiles)
    by_look = [p for p in profiles if p.reader == "skin"]
    told_by_look: skin.Told | None = None
    for profile in choice.in_order(cells.stack, profiles):
        if profile.reader == "skin":
            if told_by_look is not None:
                continue
            way = placed, told_by_look = looking.told_by_look(cells, by_look, lost)
            parts = [] if cells.known else list(_parts(way, by_look))
            if parts:
                yield from parts
                return
            by_own = _by_own(way, by_look, None if several else profile)
            if several and not _has_look(by_own) and (veiled := _veiled(cells, profiles)) is not None:
                yield veiled  # no look of its own: a site's page under a dialog's veil
                return
            if by_own is None:
                continue
            reading, count = by_own
        else:
            placed, told = by_templates(cells, profile)
            if not kin and told.count < OWN * placed.grid.shape.size:
                continue
            reading, count = _reading(placed, profile, told)
        if not kin and not _possible(reading):
            continue
        yield reading, count
        # boards of one page look much alike: only one that is read whole is surely of this site
        enough = NEARLY if several and not kin else 0
        if not reading.grid.cut and len(reading.doubts) <= enough * reading.grid.shape.size:
            return


def _by_own(way: Way, by_look: Sequence[Profile], site: Profile | None = None) -> tuple[Reading, int] | None:
    """The reading of a board told by its own look, as a site or as the one of several whose colours it has."""
    placed, told = way
    if site is None:
        site = choice.of_look(told, by_look)
        if site is not None and site.frame and len(unframed(placed.frame, placed.grid)) == 4:
            site = next((p for p in by_look if not p.skins), site)  # its colours alone say little
    return None if site is None else _reading(placed, site, told.match, told.beyond)


def _parts(whole: Way, by_look: Sequence[Profile]) -> Iterator[tuple[Reading, int]]:
    """The readings of several boards that one lattice holds."""
    for way in looking.parts(whole, skin.lore_of(by_look)):
        found = _by_own(way, by_look)
        if found is not None and _possible(found[0]):
            yield found


def _headed(whole: Way, profiles: Sequence[Profile]) -> Iterator[tuple[Reading, int]]:
    """The reading of a board that nobody could tell, without the lines beside it that are none of its own."""
    by_look = [p for p in profiles if p.reader == "skin"]
    way = looking.without_headings(whole, skin.lore_of(by_look))
    found = None if way is whole else _by_own(way, by_look, None if len(profiles) > 1 else by_look[0])
    if found is not None and _possible(found[0]):
        yield found


def _has_look(told: tuple[Reading, int] | None) -> bool:
    """Whether a board read by look is surely one: of a known site's colours, or with opened blanks, which no page that
    shows all clues has."""
    if told is None:
        return False
    reading, _ = told
    opened = sum(s is Symbol.CLUE_0 and c not in reading.doubts for c, s in enumerate(reading.symbols))
    return bool(reading.profile.skins) or opened >= OPENED * reading.grid.shape.size


def _veiled(cells: Cells, profiles: Sequence[Profile]) -> tuple[Reading, int] | None:
    """The reading as a prepared site whose page is darkened as a whole, bodies and inks alike, every cell doubtful;
    None if it is no such page. (A paled one cannot be told from a page of paler cells.)"""
    rows, cols = cells.grid.shape.rows, cells.grid.shape.cols
    seen = surfaces(cells.stack)
    for profile in profiles:
        if profile.reader == "shapes" and darkened(seen, rows, profile, cells.pitch):
            told = match(cells.stack, rows, cols, profile, cells.pitch)
            if told.dimmed and DIMMED in told.doubts:
                return _reading(cells, profile, told)
    return None


def _possible(reading: Reading) -> bool:
    """Whether there is something to play or to have played: opened blanks alone, or marks alone, are no board."""
    told = (s for c, s in enumerate(reading.symbols) if c not in reading.doubts)
    return any(s in (Symbol.COVERED, Symbol.FLAG) or s.number for s in told)


def _with_totals(reading: Reading) -> Reading:
    """The reading with what the site prints beside the board: its mine counter, the totals of rows and columns."""
    profile = reading.profile
    rows: tuple[int | None, ...] = ()
    columns: tuple[int | None, ...] = ()
    unread: tuple[str, ...] = ()
    if profile.margins is not None:
        rows, columns, unread = read_margins(reading.frame, reading.grid, profile)
    mines = None
    ended = any(s in ENDED for s in reading.symbols)
    if profile.counter is not None and not reading.doubts and not ended:
        flags = sum(s is Symbol.FLAG for s in reading.symbols)
        mines = all_mines(reading.frame, reading.grid, profile, flags)
    return replace(reading, totals=Totals(rows, columns, mines), unread=unread)


def _no_puzzle(
    told: Match, doubts: Mapping[Cell, str], shape: tuple[int, int], mosaic: bool
) -> Iterator[tuple[int, str]]:
    """The cells of what was taken for a puzzle that shows all its clues, where it cannot be one, each with the reason:
    a table of numbers, or a game that was won, whose blanks are opened cells."""
    doubtful = np.isin(np.arange(len(told.symbols)), list(doubts))
    number = np.array([-1 if s.number is None else s.number for s in told.symbols])
    number[doubtful] = -1
    blank = np.array([s is Symbol.COVERED for s in told.symbols]) & ~doubtful
    if mosaic and position.impossible(number, shape, own=True) > FALSE_CLUES:
        yield from ((i, "what the board shows is no position of the game") for i in range(len(number)))
    elif not mosaic:
        signs = doubtful | np.array([s is Symbol.FLAG for s in told.symbols])
        if position.won(number, blank, signs, shape):
            yield from ((int(i), "it may be covered or open") for i in np.flatnonzero(blank))


def _reading(cells: Cells, profile: Profile, told: Match, beyond: frozenset[str] = frozenset()) -> tuple[Reading, int]:
    """The reading of a lattice as one site, and how many cells look like cells of the site."""
    shape = cells.grid.shape
    doubts = {Cell(i): reason for i, reason in enumerate(told.doubts) if reason}
    alike = shape.size if told.dimmed else shape.size - len(doubts)
    size = (shape.rows, shape.cols)
    if profile.kind == "reveal":
        cut = cells.running_on | cells.grid.cut
        cut |= unframed(cells.frame, cells.grid) if profile.frame else set()
    else:
        filled = np.array([s in FLAGS and profile.variant is Variant.MOSAIC for s in told.symbols]).reshape(size)
        cut = cut_sides(cells.frame, cells.grid, cells.wide, profile, filled)
    # what hides the rest of a board may reach into cells that show nothing, so that nothing says they are to be seen
    hidden = (beyond | cut) - at_picture_edge(cells.frame, cells.grid) if profile.kind == "reveal" else set()
    for i in (i for side in hidden for i in along(side, shape)):
        if told.symbols[i] in windows.PLAIN:
            doubts.setdefault(Cell(i), BESIDE_CUT)
    for i in outside(cells.frame, cells.grid):
        doubts.setdefault(Cell(i), "the picture ends within it")
    for i in frame_hidden(cells.frame, cells.grid, cut) if profile.frame else ():
        doubts.setdefault(Cell(i), "something lies over the frame beside it")
    for i in windows.hidden(cells.over, told.symbols, doubts, shape, lines=profile.reader != "shapes"):
        doubts.setdefault(Cell(i), "a window seems to lie over it")
    if profile.kind == "clues":
        for i, reason in _no_puzzle(told, doubts, size, profile.variant is Variant.MOSAIC):
            doubts.setdefault(Cell(i), reason)
    tiny = cells.pitch < TINY and bool(doubts)  # a few pixels a digit: one that cannot be told speaks for all
    if profile.reader == "skin" and (tiny or len(doubts) > UNTOLD * shape.size):
        for i in range(shape.size):  # by look cells are told by each other
            doubts.setdefault(Cell(i), "too little of the board can be told")
    grid = replace(cells.grid, cut=beyond | cut)
    reading = Reading(
        cells.frame, grid, profile, tuple(told.symbols), told.scores.reshape(size), told.margins.reshape(size), doubts
    )
    return reading, alike
