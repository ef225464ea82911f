"""Owns the census once more, slow and plain: the same contract in exact numbers, cell by cell, with nothing kept.

What ``kernels/census_code.py`` does with groups, states and copies of games is done here the long way: every policy
plays its own game from the first click; every front is tried out cell by cell; every chance is a fraction. So the two
share what a game is and nothing of how it is worked out. ``check`` holds one against the other over a battery of small
boards, over two planted boards, and over two ways to split a run of full-sized ones.

A check that has never failed is a claim, no evidence: every ``Fault`` makes a twin that is broken on purpose, and the
battery must notice each.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, fields
from enum import Enum
from fractions import Fraction
from functools import partial
from math import comb, floor
from typing import NamedTuple

from autosolve.board.puzzle import Puzzle, Totals
from autosolve.board.shape import Cell, CellSet, Shape, cells_in
from autosolve.generate.deal import SplitMix64, deal, mixed
from autosolve.kernels.census import BINS, SURVIVAL_UNIT, BulkCensus, Policy, Tally
from autosolve.kernels.game import FirstClick
from autosolve.solver.guess import Policy as Guessing
from autosolve.solver.guess import best_guess

_OF_A = 0x9E3779B97F4A7C15  # tells A's random numbers from those the board was dealt by
EXPERT, EXPERT_MINES = Shape(16, 30), 99


class Fault(Enum):
    """A way to be wrong that a check should notice.

    ``WEIGHTS``  C forgets in how many ways the cells beside no clue can be filled
    ``TOTAL``    the number of mines on the board proves nothing
    ``TIES``     of equal cells the last one is taken
    ``FLAGS``    A may pick a flag as well, and opens it as if it were none
    ``SPLIT``    every clue is a front of its own
    """

    WEIGHTS = "weights"
    TOTAL = "total"
    TIES = "ties"
    FLAGS = "flags"
    SPLIT = "split"


class Front(NamedTuple):
    """Undecided cells that hang together: per number of mines the solutions, and per cell those it is a mine in."""

    cells: list[int]
    ways: dict[int, int]
    mined: dict[int, dict[int, int]]


class Known(NamedTuple):
    """A position in which all is decided that can be: per undecided cell the solutions of the board it is a mine in,
    of how many, and the fronts."""

    mined: dict[int, Fraction]
    models: int
    fronts: list[Front]


class Game:
    """One board, played by one policy from the first click."""

    def __init__(self, shape: Shape, mines: CellSet, start: int, fault: Fault | None = None) -> None:
        self.shape, self.mines, self.start, self.fault = shape, mines, start, fault
        self.total = mines.bit_count()
        self.opened: set[int] = set()
        self.flags: set[int] = set()
        self.wrong = 0
        self.chances: list[Fraction] = []  # to survive, at every guess, the best there was

    def near(self, cell: int) -> list[int]:
        return list(cells_in(self.shape.neighbours(Cell(cell))))

    def clue(self, cell: int) -> int:
        return sum(self.mines >> n & 1 for n in self.near(cell))

    def covered(self) -> list[int]:
        return [c for c in range(self.shape.size) if c not in self.opened and c not in self.flags]

    def play(self, policy: Policy, numbers: SplitMix64) -> bool:
        """To the end; whether it was won."""
        cell = self.start
        while not self.mines >> cell & 1:
            self.opened.add(cell)
            known = self.think()
            if known is None:
                return True
            if not known.mined:
                return False  # only a broken twin gets here, with good cells flagged
            self.chances.append(1 - min(known.mined.values()) / known.models)
            cell = self.choose(policy, known, numbers)
        return False

    def think(self) -> Known | None:
        """Opens and flags all that is certain; what is left then, None where the game is won."""
        while len(self.opened) < self.shape.size - self.total:
            known = self.look()
            safe = [c for c, n in known.mined.items() if n == 0]
            mines = [c for c, n in known.mined.items() if n == known.models]
            self.wrong += sum(self.mines >> c & 1 for c in safe) + sum(not self.mines >> c & 1 for c in mines)
            if not safe and not mines:
                return known
            self.opened.update(safe)
            self.flags.update(mines)
        return None

    def look(self) -> Known:
        """Every undecided cell by all solutions."""
        sentences = []
        for cell in sorted(self.opened):
            cells = [n for n in self.near(cell) if n not in self.opened and n not in self.flags]
            if cells:
                sentences.append((cells, self.clue(cell) - sum(n in self.flags for n in self.near(cell))))
        fronts = [solve_front(cells, told) for cells, told in self.split(sentences)]
        if self.fault is not Fault.TOTAL:
            return self.weigh(fronts)
        alone = {c: sum(f.mined[c].values()) for f in fronts for c in f.cells}
        sure = {c: Fraction(0) for f in fronts for c in f.cells if alone[c] == 0}
        sure |= {c: Fraction(1) for f in fronts for c in f.cells if alone[c] == sum(f.ways.values())}
        return Known(sure, 1, fronts) if sure else self.weigh(fronts, all_open=True)

    def split(self, sentences: list[tuple[list[int], int]]) -> Iterator[tuple[list[int], list[tuple[list[int], int]]]]:
        """Sentences that hang together through cells, with their cells."""
        left = list(sentences)
        while left:
            some, cells = [left.pop(0)], set()
            grown = True
            while grown and self.fault is not Fault.SPLIT:
                cells = {c for told, _ in some for c in told}
                touching = [s for s in left if cells & set(s[0])]
                left = [s for s in left if not cells & set(s[0])]
                some += touching
                grown = bool(touching)
            yield sorted({c for told, _ in some for c in told}), some

    def weigh(self, fronts: list[Front], all_open: bool = False) -> Known:
        """The fronts together, with the cells beside no clue and the number of mines. ``all_open``: nothing of it is
        taken as certain."""
        covered = self.covered()
        rest = [c for c in covered if not any(c in f.cells for f in fronts)]
        missing = self.total - len(self.flags)

        def ways(free: int, mines: int) -> int:
            if not 0 <= mines <= free:
                return 0
            return 1 if self.fault is Fault.WEIGHTS else comb(free, mines)

        whole = multiply([f.ways for f in fronts])
        models = sum(n * ways(len(rest), missing - m) for m, n in whole.items())
        mined: dict[int, Fraction] = {}
        for i, front in enumerate(fronts):
            others = multiply([f.ways for k, f in enumerate(fronts) if k != i])
            for cell in front.cells:
                mined[cell] = Fraction(
                    sum(
                        n * k * ways(len(rest), missing - m - o)
                        for m, n in front.mined[cell].items()
                        for o, k in others.items()
                    )
                )
        for cell in rest:
            in_rest = sum(n * ways(len(rest), missing - m) * (missing - m) for m, n in whole.items())
            mined[cell] = Fraction(in_rest, len(rest))
        if all_open:
            # what only the total makes certain is a hair's breadth from it
            hair = Fraction(models, 10**9)
            mined = {c: min(max(n, hair), models - hair) for c, n in mined.items()}
        return Known(mined, models, fronts)

    def choose(self, policy: Policy, known: Known, numbers: SplitMix64) -> int:
        """The cell the policy opens."""
        covered = self.covered()
        if policy is Policy.RANDOM:
            if self.fault is Fault.FLAGS:
                covered = sorted({*covered, *self.flags})
            return covered[numbers.below(len(covered))]
        if policy is Policy.LOCAL:
            alone = {c: Fraction(sum(f.mined[c].values()), sum(f.ways.values())) for f in known.fronts for c in f.cells}
            return self.least(alone) if alone else covered[0]
        if policy is Policy.PROGRESS and self.fault is None:
            clues = {Cell(c): self.clue(c) for c in self.opened}
            left = self.shape.all & ~sum(1 << c for c in self.opened)
            guess = best_guess(Puzzle(self.shape, clues, left, totals=Totals(mines=self.total)), Guessing.PROGRESS)
            assert guess is not None
            return guess.cell
        chance = {c: n / known.models for c, n in known.mined.items()}
        return self.least(chance, {c for front in known.fronts for c in front.cells})

    def least(self, chance: dict[int, Fraction], preferred: Collection[int] = ()) -> int:
        best = min(chance.values())
        equal = [c for c, p in chance.items() if p == best]
        return max(equal) if self.fault is Fault.TIES else first_of(equal, preferred)


def first_of(equal: Collection[int], preferred: Collection[int]) -> int:
    """The first of equally good cells, of those preferred where some are."""
    return min([c for c in equal if c in preferred] or equal)


def solve_front(cells: list[int], sentences: list[tuple[list[int], int]]) -> Front:
    """All solutions of some sentences, a cell at a time, given up where a sentence can no longer hold."""
    count: dict[int, int] = {}
    mined: dict[int, dict[int, int]] = {c: {} for c in cells}
    value: dict[int, int] = {}
    of = {c: [s for s in sentences if c in s[0]] for c in cells}

    def holds(cell: int) -> bool:
        for told, mines in of[cell]:
            have = sum(value.get(c, 0) for c in told)
            if have > mines or have + sum(c not in value for c in told) < mines:
                return False
        return True

    def place(i: int) -> None:
        if i == len(cells):
            m = sum(value.values())
            count[m] = count.get(m, 0) + 1
            for c, mine in value.items():
                if mine:
                    mined[c][m] = mined[c].get(m, 0) + 1
            return
        for mine in (0, 1):
            value[cells[i]] = mine
            if holds(cells[i]):
                place(i + 1)
            del value[cells[i]]

    place(0)
    return Front(cells, count, mined)


def multiply(counts: list[dict[int, int]]) -> dict[int, int]:
    """Solutions by mines of several things together."""
    whole = {0: 1}
    for count in counts:
        product: dict[int, int] = {}
        for m, n in whole.items():
            for o, k in count.items():
                product[m + o] = product.get(m + o, 0) + n * k
        whole = product
    return whole


def play_board(
    shape: Shape, mines: CellSet, start: int, policies: Collection[Policy], stream: int, fault: Fault | None = None
) -> Tally:
    """One board by every policy; ``stream`` is the state A's random numbers begin from."""
    won, guesses, survival, bins = 0, [0] * 4, [], [0] * BINS
    wrong, unforced = 0, True
    for policy in policies:
        game = Game(shape, mines, start, fault)
        if game.play(policy, SplitMix64(stream)):
            won |= 1 << policy.index
        guesses[policy.index] = len(game.chances)
        unforced = unforced and not game.chances
        wrong += game.wrong
        if policy is Policy.GLOBAL:
            survival = game.chances
    for chance in survival:
        bins[min(int(chance * BINS), BINS - 1)] += 1
    return Tally(
        boards=1,
        unforced=int(unforced),
        wrong=wrong,
        survival=sum(floor(chance * SURVIVAL_UNIT + Fraction(1, 2)) for chance in survival),
        survivals=len(survival),
        guesses=tuple(guesses),
        squares=tuple(n * n for n in guesses),
        won=tuple(int(who == won) for who in range(16)),
        bins=tuple(bins),
    )


def play_slowly(
    shape: Shape,
    mines: int,
    *,
    seed: int,
    first: int,
    boards: int,
    start: Cell | None = None,
    rule: FirstClick = FirstClick.OPENING,
    policies: Collection[Policy] = tuple(Policy),
    fault: Fault | None = None,
) -> Tally:
    """What ``BulkCensus.play`` says, the slow way."""
    at = shape.middle if start is None else start
    whole = Tally()
    for number in range(first, first + boards):
        numbers = SplitMix64.of_game(seed, number)
        stream = mixed(numbers.state ^ _OF_A)
        whole += play_board(shape, deal(shape, mines, at, rule, numbers), at, policies, stream, fault)
    return whole


# ---------------------------------------------------------------- the check


@dataclass(frozen=True, slots=True)
class Row:
    """Small boards of one kind."""

    rows: int
    cols: int
    mines: int
    boards: int
    rule: FirstClick = FirstClick.OPENING
    start: tuple[int, int] | None = None

    def __str__(self) -> str:
        where = "centre" if self.start is None else "r{}c{}".format(*self.start)
        return f"{self.rows}x{self.cols}, {self.mines} mines, {self.rule.name.lower()} at {where}"

    @property
    def cell(self) -> Cell:
        shape = Shape(self.rows, self.cols)
        return shape.middle if self.start is None else shape.cell(*self.start)


BATTERY = (
    Row(5, 5, 5, 40),
    Row(4, 7, 6, 40, FirstClick.SAFE, (0, 0)),
    Row(7, 4, 7, 40, FirstClick.MOVED),
    Row(1, 12, 4, 40, FirstClick.SAFE),
    Row(12, 1, 3, 40),
    Row(6, 6, 8, 40),
    Row(6, 6, 24, 20, FirstClick.SAFE),
    Row(5, 6, 9, 40, FirstClick.RANDOM),
    Row(3, 9, 7, 40, FirstClick.OPENING, (2, 8)),
    Row(2, 2, 1, 20, FirstClick.SAFE),
    Row(1, 1, 0, 1),
    Row(8, 8, 12, 15),
)
BATTERY_SEED = 11


class Planted(NamedTuple):
    """A board with a known end: ``S`` is the first click, ``*`` a mine. ``chances``: the best there are to survive, at
    the guesses every policy has to make."""

    name: str
    board: tuple[str, ...]
    chances: tuple[Fraction, ...]

    def parts(self) -> tuple[Shape, CellSet, Cell]:
        """Its shape, its mines and its first click."""
        text = "".join(self.board)
        mines = sum(1 << i for i, sign in enumerate(text) if sign == "*")
        return Shape(len(self.board), len(self.board[0])), mines, Cell(text.index("S"))


PLANTED = (
    # ONE and TWO get stuck with 30 cells left, and the number of mines is not needed
    Planted("won by trying out alone", ("......*", ".*.**..", ".......", "*..S.**", ".......", "*.*...."), ()),
    Planted(
        "ends in a coin toss", ("..*....", "**....*", ".......", "*..S.*.", "**....*", "......."), (Fraction(1, 2),)
    ),
)


class Finding(NamedTuple):
    """One thing that was checked."""

    what: str
    good: bool
    detail: str


def check_battery(row: Row, fault: Fault | None = None) -> Finding:
    """The compiled census against the slow one, or against a broken twin of it, on small boards of one kind."""
    shape = Shape(row.rows, row.cols)
    engine = BulkCensus(shape, row.mines, start=row.cell, rule=row.rule, policies=tuple(Policy))
    fast = engine.play(seed=BATTERY_SEED, first=0, boards=row.boards)
    slow = play_slowly(
        shape, row.mines, seed=BATTERY_SEED, first=0, boards=row.boards, start=row.cell, rule=row.rule, fault=fault
    )  # fmt: skip
    differ = [f.name for f in fields(Tally) if f.compare and getattr(fast, f.name) != getattr(slow, f.name)]
    detail = f"differ in {', '.join(differ)}" if differ else f"{row.boards} boards, {sum(fast.guesses)} guesses"
    return Finding(str(row), not differ, detail)


def check_fault(fault: Fault) -> Finding:
    """Whether the battery notices a broken twin."""
    for row in BATTERY:
        found = check_battery(row, fault)
        if not found.good:
            return Finding(f"broken twin: {fault.value}", True, f"noticed on {found.what}: {found.detail}")
    return Finding(f"broken twin: {fault.value}", False, "not noticed")


def check_planted(planted: Planted) -> Finding:
    """Whether the engine and the slow twin need the guesses that the board is known to need."""
    shape, mines, start = planted.parts()
    engine = BulkCensus(shape, mines.bit_count(), start=start, policies=tuple(Policy))
    fast = engine.replay(mines, seed=BATTERY_SEED)
    stream = mixed(SplitMix64.of_game(BATTERY_SEED, 0).state ^ _OF_A)
    slow = play_board(shape, mines, start, tuple(Policy), stream)
    game = Game(shape, mines, start)
    game.play(Policy.GLOBAL, SplitMix64(0))
    guesses = len(planted.chances)
    good = fast == slow and tuple(game.chances) == planted.chances and fast.guesses == (guesses,) * len(Policy)
    good = good and (guesses > 0 or fast.won[-1] == 1)
    said = " and ".join(str(c) for c in game.chances) or "no guess"
    return Finding(f"planted: {planted.name}", good, f"{guesses} guesses, chances {said}" if guesses else said)


def check_splits(boards: int = 3000) -> Finding:
    """Whether a run of Expert boards adds up to the same however it is cut."""
    engine = BulkCensus(EXPERT, EXPERT_MINES, policies=tuple(Policy))
    whole = engine.play(seed=BATTERY_SEED, first=0, boards=boards)
    parts, first = Tally(), 0
    for size in (1, 7, boards // 3, boards):
        size = min(size, boards - first)
        parts += engine.play(seed=BATTERY_SEED, first=first, boards=size)
        first += size
    good = whole == parts and whole.states == parts.states and whole.wrong == 0 and whole.capped == 0
    return Finding(
        f"{boards} Expert boards, whole and in 4 parts", good,
        "the same, bit for bit" if good else f"{whole.wrong} contradictions, {whole.capped} capped"
        + ("" if whole == parts else ", and the sums differ"),
    )  # fmt: skip


def checks() -> Iterator[Callable[[], Finding]]:
    """All that is checked, one after the other."""
    for row in BATTERY:
        yield partial(check_battery, row)
    for planted in PLANTED:
        yield partial(check_planted, planted)
    yield check_splits
    for fault in Fault:
        yield partial(check_fault, fault)
