"""Owns the census in bulk: very many boards played to the end by policies of guessing, ten thousand a second.

    census = BulkCensus(Shape(16, 30), 99)
    census.play(seed=7, first=0, boards=1000)         # a Tally, the same on every machine
    census.replay(mines)                              # one board of one's own

Twin: ``analysis/census_reference.py``. What a policy is, and what is counted, stands in ``census_code.py``.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, fields
from enum import Enum
from math import comb
from typing import Any

import numpy as np

from autosolve.board.shape import Cell, CellSet, Shape, cells_in
from autosolve.errors import WrongUse
from autosolve.kernels.code import census_code
from autosolve.kernels.game import FirstClick, Table, check_room, words

BINS = 50
SURVIVAL_UNIT = 1 << 32
# boards of one call: no sum can then leave 64 bits
MOST_BOARDS = 1 << 20


class Policy(Enum):
    """What is opened when nothing is certain.

    ``RANDOM``    A: any covered cell that is no flag
    ``LOCAL``     B: the least chance of a mine by the cell's front alone
    ``GLOBAL``    C: the least chance of a mine by all solutions of the board
    ``PROGRESS``  D: as C; among equals the best chance that another cell becomes safe (``solver.guess``)
    """

    RANDOM = "A"
    LOCAL = "B"
    GLOBAL = "C"
    PROGRESS = "D"

    @property
    def index(self) -> int:
        return "ABCD".index(self.value)


ABC = (Policy.RANDOM, Policy.LOCAL, Policy.GLOBAL)


@dataclass(frozen=True, slots=True)
class Tally:
    """What came of some boards: whole numbers only, so that any split of a run adds up to the same.

    ``boards``     played
    ``unforced``   of them, those on which no guess was forced
    ``wrong``      cells opened or flagged against the hidden board by what should have been certain: must be 0
    ``capped``     times something did not fit the buffers: 0 is the goal
    ``states``     states of all counts, the work done; an engine's own affair, not the contract's
    ``survival``   the best chance to survive, summed over C's forced guesses, in parts of 2**-32
    ``survivals``  how many those are
    ``guesses``    per policy; ``squares``: of the number of guesses on one board
    ``won``        per set of policies, as bits: boards that exactly these won
    ``bins``       C's forced guesses by the best chance to survive, 50 bins from 0 to 1
    """

    boards: int = 0
    unforced: int = 0
    wrong: int = 0
    capped: int = 0
    states: int = field(default=0, compare=False)
    survival: int = 0
    survivals: int = 0
    guesses: tuple[int, ...] = (0,) * 4
    squares: tuple[int, ...] = (0,) * 4
    won: tuple[int, ...] = (0,) * 16
    bins: tuple[int, ...] = (0,) * BINS

    def __add__(self, other: Tally) -> Tally:
        def plus(a: Any, b: Any) -> Any:
            return tuple(x + y for x, y in zip(a, b, strict=True)) if isinstance(a, tuple) else a + b

        sums: dict[str, Any] = {f.name: plus(getattr(self, f.name), getattr(other, f.name)) for f in fields(Tally)}
        return Tally(**sums)

    def wins(self, policy: Policy) -> int:
        """Boards the policy won."""
        return sum(n for who, n in enumerate(self.won) if who >> policy.index & 1)

    def wins_of_both(self, one: Policy, other: Policy) -> int:
        """Boards that both won."""
        both = 1 << one.index | 1 << other.index
        return sum(n for who, n in enumerate(self.won) if who & both == both)

    @classmethod
    def of(cls, data: dict[str, Any]) -> Tally:
        """Out of what ``as_dict`` gave; WrongUse where it is something else."""
        try:
            given: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in data.items()}
            made = cls(**given)
        except TypeError as problem:
            raise WrongUse(f"This is no tally of a census: {problem}.", "Start the run anew.") from None
        like = cls()
        for f in fields(cls):
            value, model = getattr(made, f.name), getattr(like, f.name)
            numbers = value if isinstance(value, tuple) else (value,)
            right = type(value) is type(model) and all(type(n) is int and n >= 0 for n in numbers)
            if not right or (isinstance(model, tuple) and len(value) != len(model)):
                raise WrongUse(f"This is no tally of a census: {f.name} is {value!r}.", "Start the run anew.")
        return made

    def as_dict(self) -> dict[str, Any]:
        """As JSON takes it."""
        values = ((f.name, getattr(self, f.name)) for f in fields(self))
        return {name: list(v) if isinstance(v, tuple) else v for name, v in values}


class BulkCensus:
    """Plays boards of one kind; one object serves one thread. ``rule`` and ``start`` say what the first click meets.

    Raises EnvironmentProblem without numba, WrongUse where the mines do not fit."""

    def __init__(
        self,
        shape: Shape,
        mines: int,
        *,
        start: Cell | None = None,
        rule: FirstClick = FirstClick.OPENING,
        policies: Collection[Policy] = ABC,
    ) -> None:
        self.shape, self.mines, self.rule = shape, mines, rule
        self.start = shape.middle if start is None else start
        check_room(shape, mines, self.start, rule)
        self._code = census_code()
        self.policies = tuple(sorted(set(policies), key=lambda p: p.value))
        if not self.policies:
            raise WrongUse("No policy is asked for.", "Give some of A, B, C and D.")
        self._who = sum(1 << p.index for p in self.policies)
        self._table = Table(shape)
        self._work = _buffers(self._code, self._table)
        self._start = self._table.padded(self.start)

    def play(self, *, seed: int, first: int, boards: int) -> Tally:
        """Plays boards ``first`` to ``first + boards - 1`` of the run ``seed``."""
        if not 0 <= boards <= MOST_BOARDS:
            raise WrongUse(f"{boards} boards are too many at once.", f"Give at most {MOST_BOARDS}.")
        return self._run(int(self.rule), seed, first, boards)

    def replay(self, mines: CellSet, *, seed: int = 0) -> Tally:
        """Plays one board, given by its mines; A guesses by the seed. WrongUse for another number of mines."""
        cells = list(cells_in(mines))
        if mines >> self.shape.size or len(cells) != self.mines:
            raise WrongUse(f"These are not {self.mines} mines on this board.", "Give the mines as a set of cells.")
        work = self._work
        work.mine[:] = 0
        for i, cell in enumerate(cells):
            work.mined[i] = self._table.padded(cell)
            work.mine[work.mined[i]] = 1
        return self._run(self._code.GIVEN, seed, 0, 1)

    def _run(self, rule: int, seed: int, first: int, boards: int) -> Tally:
        code, shape = self._code, self.shape
        out = np.zeros(code.OUT, np.int64)
        word, number = words(seed, first)
        code.census(
            shape.rows, shape.cols, self.mines, self._start, rule, self._who, word, number, boards, self._work, out
        )  # fmt: skip
        n = [int(x) for x in out]
        return Tally(
            boards=n[code.BOARDS],
            unforced=n[code.UNFORCED],
            wrong=n[code.WRONG],
            capped=n[code.CAPPED],
            states=n[code.STATES_MADE],
            survival=n[code.SURVIVAL],
            survivals=n[code.SURVIVALS],
            guesses=tuple(n[code.GUESSES : code.GUESSES + 4]),
            squares=tuple(n[code.SQUARES : code.SQUARES + 4]),
            won=tuple(n[code.WON : code.WON + 16]),
            bins=tuple(n[code.BINS : code.BINS + BINS]),
        )


def _buffers(code: Any, table: Table) -> Any:
    """Everything the census works in: some 30 MB, most of it never touched."""
    size, waiting = table.cover.size, code.POLICIES + 1
    ways = np.zeros(100)
    for n in range(10):
        for k in range(n + 1):
            ways[10 * n + k] = comb(n, k)

    def ints(n: int) -> Any:
        return np.zeros(n, np.int32)

    def longs(n: int) -> Any:
        return np.zeros(n, np.int64)

    def reals(n: int) -> Any:
        return np.zeros(n, np.float64)

    kept = max(1 << 16, 16 * size)
    return code.Work(
        rng=np.zeros(1, np.uint64),
        rng_a=np.zeros(1, np.uint64),
        sizes=np.array([kept, 2 * kept, 16 * kept]),
        mine=table.mine,
        mined=table.mined,
        clue=table.clue,
        cover=table.cover,
        need=table.need,
        hid=table.hid,
        opn=table.opn,
        stack=table.stack,
        pairs=table.pairs,
        mark=table.mark,
        tally=table.tally,
        at=np.full(size, -1, np.int32),
        front=ints(size),
        g_size=ints(code.GROUPS),
        g_mask=longs(code.GROUPS),
        g_deg=ints(code.GROUPS),
        g_in=ints(8 * code.GROUPS),
        g_seen=np.zeros(code.GROUPS, np.uint8),
        g_first=ints(code.GROUPS),
        s_cell=ints(code.SENTENCES),
        s_deg=ints(code.SENTENCES),
        s_of=ints(8 * code.SENTENCES),
        s_need=ints(code.SENTENCES),
        s_size=ints(code.SENTENCES),
        s_left=ints(code.SENTENCES),
        s_slot=ints(code.SENTENCES),
        s_seen=np.zeros(code.SENTENCES, np.uint8),
        c_cell=ints(code.CELLS),
        c_group=ints(code.CELLS),
        order=ints(code.GROUPS),
        layer=ints(code.GROUPS + 1),
        key=longs(code.STATES),
        forward=reals(code.STATES),
        n_edge=ints(code.STATES + 1),
        n_low=ints(code.STATES),
        e_to=ints(code.EDGES),
        hash=longs(code.TABLE),
        base=longs(1),
        back=reals(2 * code.BACK),
        share=reals(code.BACK),
        spare=reals(code.BACK),
        poly=reals(code.BACK),
        ways=ways,
        counts=longs(code.COUNTS),
        fronts=ints(code.FRONT * code.FRONTS),
        live=ints(code.FRONTS + 2),
        k_size=ints(kept),
        k_first=ints(kept),
        k_cell=ints(2 * kept),
        k_group=ints(2 * kept),
        k_real=reals(16 * kept),
        before=reals(code.SPANS),
        after=reals(code.AFTER),
        others=reals(code.SPANS),
        weight=reals(code.SPANS),
        place=ints(2 * code.FRONTS + 4),
        chance=reals(max(code.SPANS, kept)),
        tied=ints(size),
        todo=ints(size),
        asked=ints(size),
        ahead=reals(code.SPANS),
        saved=np.zeros(waiting * 4 * size, np.uint8),
        saved_front=ints(waiting * size),
        saved_live=ints(waiting * (code.FRONTS + 2)),
        saved_head=longs(waiting * 8),
    )
