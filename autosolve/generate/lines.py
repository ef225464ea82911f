"""Owns row-and-column boards: totals of every row and column, a few clues, and mines that follow from them.

A board is drawn and thrown away until one is hard in just the way that was asked for. It is measured by the one solver
with the layers ONE, TWO and CONTRADICTION alone: what they clear to the end has one solution. No board needs notes:
its mines can also be taken one after the other, each proven from those taken before (``takeable``).

Legend: a *condition* is a total or a clue; a *wave* is a pass that makes every move its layer has; the *depth* counts
waves of ONE once and all others twice. A *try* is one board drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from statistics import median
from types import MappingProxyType
from typing import NamedTuple

from autosolve.board.puzzle import Puzzle, Totals
from autosolve.board.shape import Cell, CellSet, Shape, cell_set
from autosolve.board.words import article, counted, verb
from autosolve.errors import WrongUse
from autosolve.generate.deal import SplitMix64
from autosolve.generate.many import Alone, Workers
from autosolve.generate.record import Record
from autosolve.solver.deduction import Solution, Technique, Verdict
from autosolve.solver.hybrid import ENOUGH, solve
from autosolve.solver.logic import LAYERS as TABLE
from autosolve.solver.logic import Thinker

TRIES = 600
ZEROS = 3
SIDES = 5, 9  # of the boards the bands were measured on
RULES = frozenset({Technique.ONE, Technique.TWO})
LAYERS = RULES | {Technique.CONTRADICTION}
SEARCH = RULES | {Technique.SAT}

Band = tuple[int, int]


class Needs(Enum):
    """What a board must need, and must need no more than.

    ``ONE``             one condition at a time
    ``TWO``             two overlapping conditions
    ``CONTRADICTION``   exactly one proof by contradiction: ONE and TWO do not suffice, and with one cell proven by
                        assuming the opposite they do
    ``CONTRADICTIONS``  at least one such proof, however many
    """

    ONE = "one"
    TWO = "two"
    CONTRADICTION = "contradiction"
    CONTRADICTIONS = "contradictions"


def mines_band(shape: Shape) -> Band:
    """How many mines suit a size: 4 to 7 on 5x5, 18 to 26 on 9x9, and in between by the number of cells. On thin boards
    more, so that lines without a mine stay few."""
    n = shape.size
    low = min(4 + (n - 25) * 14 / 56, 0.24 * n)
    high = min(7 + (n - 25) * 19 / 56, 0.33 * n)
    for lines, length in ((shape.rows, shape.cols), (shape.cols, shape.rows)):
        # so many of the lines are expected to be empty at a density of 1 - (ZEROS / lines) ** (1 / length)
        if lines > ZEROS:
            low = max(low, n * (1 - (ZEROS / lines) ** (1 / length)))
    high = max(high, 1.2 * low)
    return min(n, max(1, round(low))), min(n, max(1, round(high)))


def clues_band(shape: Shape, needs: Needs) -> Band:
    """How many clues suit a size: larger boards take more for their size, boards of one layer more again. Measured on
    5x5 to 15x15, where they make boards in the fewest tries."""
    n = min(shape.size, 225)
    share = {Needs.ONE: 0.26, Needs.TWO: 0.24, Needs.CONTRADICTION: 0.22, Needs.CONTRADICTIONS: 0.22}[needs]
    share += max(0, min(n, 81) - 25) * 0.0022 + max(0, n - 81) * 0.0009
    return max(1, round((share - 0.05) * shape.size)), max(1, round((share + 0.05) * shape.size))


@dataclass(frozen=True, slots=True)
class Wish:
    """A kind of board. Bands are (least, most), both counted in.

    ``waves``  passes of all layers, None for any number
    ``depth``  as ``grade`` has it, None for any
    ``mines``, ``clues``  how many; None for what suits the size
    ``zeros``  the most conditions that are 0, which give too much away

    Raises WrongUse for what no board can have, naming the nearest that one can.
    """

    shape: Shape
    needs: Needs = Needs.TWO
    waves: Band | None = None
    depth: Band | None = None
    mines: Band | None = None
    clues: Band | None = None
    zeros: int = ZEROS

    def __post_init__(self) -> None:
        shape, size = self.shape, self.shape.size
        for name, band in (("waves", self.waves), ("depth", self.depth)):
            if band is not None and not 1 <= band[0] <= band[1]:
                raise WrongUse(f"{band[0]} to {band[1]} is no band of {name}.", "Give two numbers from 1 up.")
        mines, clues = self.bands
        if not 0 <= mines[0] <= mines[1]:
            raise WrongUse(f"{mines[0]} to {mines[1]} is no band of mines.", "Give two numbers from 0 up.")
        if not 0 <= clues[0] <= clues[1]:
            raise WrongUse(f"{clues[0]} to {clues[1]} is no band of clues.", "Give two numbers from 0 up.")
        if mines[0] > size:
            raise WrongUse(
                f"{counted(mines[0], 'mine')} {verb(mines[0], 'does', 'do')} not fit on {article(shape)}.",
                f"It has {counted(size, 'cell')}.",
            )
        if mines[0] + clues[0] > size:
            raise WrongUse(
                f"{counted(mines[0], 'mine')} and {counted(clues[0], 'clue')} do not fit on {article(shape)}.",
                f"Beside {counted(mines[0], 'mine')} there is room for {counted(size - mines[0], 'clue')}.",
            )
        if self.needs is not Needs.ONE and (1 in (shape.rows, shape.cols) or size < 6):
            raise WrongUse(
                f"No {shape} board needs more than one condition at a time.",
                "The nearest that works is --needs one, or a board such as 4x5.",
            )

    @property
    def bands(self) -> tuple[Band, Band]:
        """The bands of mines and of clues."""
        size = self.shape.size
        mines = self.mines or mines_band(self.shape)
        clues = self.clues
        if clues is None:
            low, high = clues_band(self.shape, self.needs)
            room = max(0, size - mines[0])
            clues = min(low, room), min(high, room)
        return mines, clues


@dataclass(frozen=True, slots=True)
class Lines:
    """A row-and-column board.

    ``mines``     its solution
    ``seed``      makes it again, with the same wish
    ``tries``     boards drawn for it
    ``solution``  of the three layers
    """

    puzzle: Puzzle
    mines: CellSet
    seed: int
    tries: int
    solution: Solution

    @property
    def waves(self) -> int:
        """Passes of all layers."""
        return sum(number for _, number in self.solution.waves)

    @property
    def depth(self) -> int:
        """Waves, those of ONE counted once and all others twice."""
        return _depth(self.solution)

    @property
    def grade(self) -> Mapping[str, object]:
        """As ``grade --layers one,two,contradiction --json`` has it."""
        hardest = self.solution.hardest
        return MappingProxyType(
            {
                "hardest": hardest.word if hardest else None,
                "layer": int(hardest or 0),
                "depth": self.depth,
                "waves": {technique.word: number for technique, number in self.solution.waves},
                "unique": self.solution.unique,
            }
        )

    def record(self, difficulty: str, **extra: object) -> Record:
        """The board as it is written, with its grade and its tries."""
        more = MappingProxyType({"tries": self.tries, **extra})
        return Record(self.puzzle, self.mines, self.seed, difficulty, self.grade, more)


@dataclass(frozen=True, slots=True)
class Missed:
    """No board within the tries.

    ``solved``   how many of the boards drawn were cleared by the layers that were allowed
    ``nearest``  of those the one that comes nearest to the wish, None where there is none
    """

    wish: Wish
    tries: int
    solved: int
    nearest: Lines | None


def make(wish: Wish, seed: int, tries: int = TRIES) -> Lines | Missed:
    """The first board of a seed that is as wished, among so many tries."""
    numbers = SplitMix64(seed)
    solved, nearest, least = 0, None, (9, 0)
    for count in range(1, tries + 1):
        drawn = draw(wish, numbers)
        if drawn is None:
            continue
        found = _measure(wish, *drawn)
        if found is None:
            continue
        solved += 1
        made = Lines(*drawn, seed, count, found)
        off = _off(wish, made)
        if off == (0, 0):
            if takeable(made.puzzle, made.mines):
                return made
            continue
        if off < least:
            nearest, least = made, off
    return Missed(wish, tries, solved, nearest)


def draw(wish: Wish, numbers: SplitMix64) -> tuple[Puzzle, CellSet] | None:
    """A board at random within the bands, and its mines; None where too many conditions would be 0.

    Clues are drawn from the cells without a mine, and those that are 0 are passed over once there are enough of them.
    """
    shape = wish.shape
    (fewest, most), (few, many) = wish.bands
    mined = fewest + numbers.below(min(most, shape.size - few) - fewest + 1)
    clued = few + numbers.below(min(many, shape.size - mined) - few + 1)
    cells = list(range(shape.size))
    numbers.some(cells, mined)
    mines = cell_set(cells[:mined])
    rows = tuple((shape.row(i) & mines).bit_count() for i in range(shape.rows))
    columns = [0] * shape.cols
    for cell in cells[:mined]:
        columns[cell % shape.cols] += 1
    zeros = rows.count(0) + columns.count(0)
    if zeros > wish.zeros:
        return None
    rest, clues = cells[mined:], dict[Cell, int]()
    for i in range(len(rest)):
        if len(clues) == clued:
            break
        j = i + numbers.below(len(rest) - i)
        rest[i], rest[j] = rest[j], rest[i]
        number = (shape.neighbours(rest[i]) & mines).bit_count()
        if number or zeros < wish.zeros:
            clues[Cell(rest[i])] = number
            zeros += not number
    if len(clues) < clued:
        return None
    puzzle = Puzzle(shape, clues, shape.all & ~cell_set(clues), Totals(rows, tuple(columns)))
    return puzzle, mines


def _measure(wish: Wish, puzzle: Puzzle, mines: CellSet) -> Solution | None:
    """What the layers allowed make of a board; None where they do not clear it."""
    if wish.needs is Needs.ONE:
        found = solve(puzzle, layers={Technique.ONE})
    elif wish.needs is Needs.TWO:
        found = solve(puzzle, layers=RULES)
    else:
        # most boards have more than one solution, which a search says soonest
        found = solve(puzzle, layers=SEARCH)
        if found.unique and found.hardest is Technique.SAT:
            found = solve(puzzle, layers=LAYERS)
    if not found.unique:
        return None
    assert found.mines == mines, "the solver and the deal disagree"
    return found


def _off(wish: Wish, made: Lines) -> tuple[int, int]:
    """How far a board is from what was wished: in what it needs, then in waves and depth; (0, 0) for none."""
    hardest = made.solution.hardest or Technique.ONE
    if wish.needs in (Needs.ONE, Needs.TWO):
        needs = abs(hardest - (Technique.ONE if wish.needs is Needs.ONE else Technique.TWO))
    else:
        needs = abs(hardest - Technique.CONTRADICTION)
        if not needs and wish.needs is Needs.CONTRADICTION and not _one_suffices(made):
            needs = 1
    size = 0
    for value, band in ((made.waves, wish.waves), (made.depth, wish.depth)):
        if band is not None:
            size += max(band[0] - value, value - band[1], 0)
    return needs, size


def takeable(puzzle: Puzzle, mines: CellSet) -> bool:
    """Whether the mines can be taken one after the other, each proven from the board and the mines taken before it by
    one layer alone; a condition whose mines are all taken clears its other cells.

    So a player needs no notes. It is more than the layers ask: they build upon cells proven to be safe, too."""
    layers = [layer for technique, layer in TABLE if technique in LAYERS]
    taken = 0
    while taken != mines:
        told = replace(puzzle, covered=puzzle.covered & ~taken, mines=taken)
        done = 0
        for condition in told.constraints:
            done |= 0 if condition.mines else condition.cells
        told = replace(told, covered=told.covered & ~done)
        for layer in layers:
            found = cell_set(
                cell for find in layer(Thinker(told, LAYERS, ENOUGH, explain=False)) if find.mine for cell in find.cells
            )
            if found:
                taken |= found
                break
        else:
            return False
    return True


def _one_suffices(made: Lines) -> bool:
    """Whether there is a cell that, proven by contradiction, leaves the rest to ONE and TWO."""
    if dict(made.solution.waves).get(Technique.CONTRADICTION) != 1:
        return False
    puzzle = made.puzzle
    for step in solve(puzzle, layers=LAYERS, explain=True).steps:
        if step.technique is Technique.CONTRADICTION:
            if step.verdict is Verdict.MINE:
                told = replace(puzzle, covered=puzzle.covered & ~step.cells, mines=step.cells)
            else:
                told = replace(puzzle, covered=puzzle.covered & ~step.cells)
            if solve(told, layers=RULES).unique:
                return True
    return False


def _depth(solution: Solution) -> int:
    return sum(number * (1 if technique is Technique.ONE else 2) for technique, number in solution.waves)


# ---------------------------------------------------------------- a set in tiers


@dataclass(frozen=True, slots=True)
class Tier:
    """One step of a set: boards of several sizes that are about as deep as each other."""

    name: str
    needs: Needs
    depth: Band
    sizes: tuple[tuple[int, int], ...]
    mines: Band | None = None
    clues: Band | None = None

    def wish(self, slot: int) -> Wish:
        """The wish of a round: the sizes take turns."""
        return Wish(Shape(*self.sizes[slot % len(self.sizes)]), self.needs, None, self.depth, self.mines, self.clues)


# sizes and bands of each were measured so that a round takes some 600 tries at most on average
TIERS = (
    Tier("gentle", Needs.ONE, (2, 3), ((5, 5), (5, 6), (6, 5))),
    Tier("easy", Needs.ONE, (3, 4), ((5, 6), (6, 5), (6, 6))),
    Tier("light", Needs.ONE, (4, 5), ((6, 6), (6, 7), (7, 6))),
    Tier("steady", Needs.ONE, (5, 7), ((6, 7), (7, 7), (8, 7))),
    Tier("brisk", Needs.ONE, (7, 9), ((7, 7), (7, 8), (8, 8))),
    Tier("paired", Needs.TWO, (8, 10), ((6, 6), (6, 7), (7, 7))),
    Tier("woven", Needs.TWO, (10, 12), ((7, 7), (8, 7), (8, 8))),
    Tier("knotted", Needs.TWO, (12, 14), ((8, 8), (8, 9), (9, 9))),
    Tier("supposed", Needs.CONTRADICTION, (14, 17), ((8, 9), (9, 8), (9, 9)), (18, 27), (20, 26)),
    Tier("deep", Needs.CONTRADICTIONS, (17, 60), ((9, 9),), (20, 28), (20, 24)),
)
ROUNDS = 2000
# a round that is out of luck starts over with another seed, so often at most
_CHANCES = 40


@dataclass(frozen=True, slots=True)
class Place:
    """Where a round stands in a set: the set's seed, tier and slot, both from 0; ``again`` counts the times its board
    was one that the set already has."""

    seed: int
    tier: int
    slot: int
    again: int = 0


@dataclass(frozen=True, slots=True)
class Round:
    """A round of a set: where it stands and its board. ``tries`` counts the boards drawn for it in all."""

    place: Place
    lines: Lines
    tries: int


def places(seed: int, rounds: int = ROUNDS) -> list[Place]:
    """Where the rounds of a set stand: as many in each tier, one more in the first ones where it does not divide."""
    each, rest = divmod(rounds, len(TIERS))
    return [Place(seed, t, slot) for t in range(len(TIERS)) for slot in range(each + (t < rest))]


def make_round(place: Place) -> Round | Missed:
    """The board of a place; ``Missed`` after so many tries that its tier is as good as impossible."""
    wish, tries = TIERS[place.tier].wish(place.slot), 0
    found: Lines | Missed = Missed(wish, 0, 0, None)
    numbers = SplitMix64.of_game(place.seed, (place.tier << 40) + (place.again << 32) + place.slot)
    for _ in range(_CHANCES):
        # a seed that JSON readers take for a whole number
        found = make(wish, numbers.next() >> 11)
        tries += found.tries
        if isinstance(found, Lines):
            return Round(place, found, tries)
    assert isinstance(found, Missed)
    return replace(found, tries=tries)


def make_set(seed: int, rounds: int = ROUNDS, workers: Workers | None = None) -> Iterator[Round]:
    """The rounds of a set in order, no board twice; the same whatever the number of jobs.

    Raises WrongUse where a tier cannot be filled."""
    seen: set[Puzzle] = set()
    for found in (workers or Alone()).in_order(make_round, places(seed, rounds)):
        while isinstance(found, Round) and found.lines.puzzle in seen and found.place.again < _CHANCES:
            found = make_round(replace(found.place, again=found.place.again + 1))
        if isinstance(found, Missed) or found.lines.puzzle in seen:
            if isinstance(found, Missed):
                raise missed(found)
            raise WrongUse(
                f"There are no more new boards for the tier {TIERS[found.place.tier].name}.", "Ask for fewer."
            )
        seen.add(found.lines.puzzle)
        yield found


def missed(found: Missed) -> WrongUse:
    """What to say where no board was found, with the nearest that works."""
    wish = found.wish
    asked = f"needs {wish.needs.value}" if wish.needs is not Needs.CONTRADICTION else "needs exactly one contradiction"
    for name, band in (("waves", wish.waves), ("depth", wish.depth)):
        if band is not None:
            asked += f" in {said(band)} waves" if name == "waves" else f" at depth {said(band)}"
    mines, clues = wish.bands
    message = (
        f"None of {counted(found.tries, 'try', 'tries')} of {article(wish.shape)} with {said(mines, 'mine')} "
        f"and {said(clues, 'clue')}"
        f" gave one that {asked}."
    )
    if found.nearest is not None:
        hardest = found.nearest.solution.hardest or Technique.ONE
        waves = found.nearest.waves
        return WrongUse(
            message,
            f"The nearest found needs {hardest.word}, in {waves} wave{'' if waves == 1 else 's'} at depth"
            f" {found.nearest.depth} (seed {found.nearest.seed}).",
        )
    return WrongUse(message, nearest(wish))


def nearest(wish: Wish) -> str:
    """What comes nearest to a wish none of whose boards the layers clear: more clues, or fewer mines."""
    mines, clues = wish.bands
    room = wish.shape.size - mines[0]
    for tenth in range(1, 11):
        more = clues[0] + (room - clues[0]) * tenth // 10
        if more > clues[1]:
            other = replace(wish, clues=(more, more), mines=mines, waves=None, depth=None)
            found = make(other, 0, 60)
            if isinstance(found, Lines) or found.nearest is not None:
                return f"With --clues {more} there are boards that the layers clear."
    return "No number of clues helps: give fewer mines, or another size."


class Summary(NamedTuple):
    """What became of a tier: its number from 1, its rounds, and the least, middle and greatest depth."""

    number: int
    tier: Tier
    rounds: int
    depth: tuple[int, float, int]

    def to_json(self) -> dict[str, object]:
        """One entry of ``tiers`` in the file of a set."""
        tier = self.tier
        about = {"tier": self.number, "name": tier.name, "needs": tier.needs.value, "rounds": self.rounds}
        return {**about, "depth": list(self.depth)}


def summary(rounds: Sequence[Round]) -> list[Summary]:
    """What became of each tier that has rounds."""
    out = []
    for number, tier in enumerate(TIERS):
        depths = [r.lines.depth for r in rounds if r.place.tier == number]
        if depths:
            out.append(Summary(number + 1, tier, len(depths), (min(depths), median(depths), max(depths))))
    return out


def said(band: Band, what: str = "") -> str:
    """``4 to 7``, ``1 mine``, ``5 mines``."""
    low, high = band
    number = f"{low}" if low == high else f"{low} to {high}"
    return number if not what else f"{number} {what}{'' if low == high == 1 else 's'}"
