"""Owns what the number of mines on the whole board decides beyond what the other sentences say.

A search with that number in it is slow, so it comes last. The solutions of the other sentences that are known
anyway say most of it. Where two of them differ, the cells that differ fall into *exchanges*: sets of cells that share
no sentence with each other, each of which can be turned by itself, whatever the others do, at the price of so many
mines more or fewer. Starting from one whole solution with the right number of mines, every cell in an exchange that
the cells no sentence names can make up for is open; so is one whose price another exchange makes up for.

What is left is asked of the exact sets of numbers that each front can have (``count.Front``), and where a front is
too large for that, of the SAT solver with the number in it. What none of them can tell within the budget is said
to be unknown.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from autosolve.board.shape import CellSet, cell_set
from autosolve.solver.count import Front, Sets, Work, less, places, plus
from autosolve.solver.deduction import OutOfWork
from autosolve.solver.sat import Effort, Search
from autosolve.solver.state import Contradiction, State

# of the budget of states, for all fronts together: a set of numbers takes less than a count
_SHARE = 4
# states where only numbers of mines are asked for
_STATES = 200_000
# flips of single cells asked of the SAT solver for each front
_FLIPS = 400
# exchanges of one price that are kept to make up for others
_ALIKE = 8


@dataclass(frozen=True, slots=True)
class Exchange:
    """Cells that can all be turned at once, the sentences they stand in, and how many mines more that makes."""

    front: int
    cells: frozenset[int]
    touches: frozenset[int]
    more: int


@dataclass(slots=True)
class Known:
    """A front as the search on its own sentences left it: its cells, its sentences, solutions as sets of mines."""

    cells: list[int]
    sentences: list[int]
    models: list[frozenset[int]]


@dataclass(slots=True)
class Tally:
    """What the number of mines decides.

    ``forced``    cell to True for a mine, False for none; nothing that the other sentences say by themselves
    ``pair``      two whole solutions, as mines among the undecided cells; None where there is one only, or not known
    ``complete``  False where the budget ran out
    """

    forced: dict[int, bool] = field(default_factory=dict)
    pair: tuple[CellSet, CellSet] | None = None
    complete: bool = True


def known(state: State, models: Iterable[Sequence[frozenset[int]]]) -> list[Known]:
    """The fronts of a state as it is now, with what is known of them: solutions of fronts they were part of."""
    at = {cell: some for some in models for cell in frozenset[int]().union(*some)}
    out = []
    for cells, sentences in state.components():
        some = next((at[c] for c in cells if c in at), None)
        here = frozenset(cells)
        out.append(Known(cells, sentences, list(dict.fromkeys(m & here for m in some or ()))))
    return out


def tally(state: State, fronts: Sequence[Known], truth: Collection[int], effort: Effort, states: int) -> Tally:
    """What the number of mines on the whole board decides in a state.

    ``fronts`` of the state, with solutions in which every cell differs, but for those of ``truth``
    ``truth``  cells that the other sentences decide
    ``states`` of the exact count

    Raises Contradiction where no solution has that number."""
    assert state.total is not None
    work = Work(max(1, states // _SHARE))
    narrow: list[Front] = []
    wide: list[Known] = []
    for front in fronts:
        _sort(state, front, work, narrow, wide)
    free, missing = state.free, state.total - state.mined
    sets = Sets(narrow, free, missing)
    if not all(front.models for front in wide):
        return Tally(complete=False)
    if wide:
        try:
            return _Wide(state, wide, sets, truth, effort).tally()
        except OutOfWork:
            return Tally(complete=False)
    if not sets.possible:
        raise _clash(state, [i for front in narrow for i in front.sentences])
    return Tally(_forced(sets, truth), sets.pair())


def _sort(state: State, front: Known, work: Work, narrow: list[Front], wide: list[Known]) -> None:
    """Puts a front to the narrow ones, walked, or to the wide ones."""
    allowed = max(1, work.left // 2)  # none may use up what is there for all
    part = Work(allowed)
    try:
        narrow.append(Front(state, front.cells, front.sentences, part).walk())
    except OutOfWork:
        wide.append(front)
    work.left -= allowed - max(0, part.left)


def _clash(state: State, sentences: Iterable[int]) -> Contradiction:
    return Contradiction((*sorted(sentences), len(state.members)))


def _forced(sets: Sets, truth: Collection[int]) -> dict[int, bool]:
    return {
        c: mine for cells, mine, safe in sets.decided() if mine is not safe and cells[0] not in truth for c in cells
    }


class _Wide:
    """The same where some fronts are too large for sets of numbers: first one solution with the right number.

    Raises OutOfWork where none is found within the budget, Contradiction where there is none."""

    def __init__(self, state: State, wide: list[Known], sets: Sets, truth: Collection[int], effort: Effort) -> None:
        self.state, self.wide, self.sets, self.truth, self.effort = state, wide, sets, truth, effort
        self.missing = sets.missing or 0
        self.sentences = [[(state.open_cells(i), state.need[i]) for i in front.sentences] for front in wide]
        # numbers of mines that the wide fronts may have together
        elsewhere = (1 << len(sets.free) + 1) - 1
        for front in sets.fronts:
            elsewhere = plus(elsewhere, front.mines)
        self.fits = less(self.missing, elsewhere)
        if not self.fits:
            raise _clash(state, self._named())
        self.base = [front.models[0] for front in wide]
        self._find_base()
        # per cell that is known to be open the exchanges, one or two, that turn it
        self.open: dict[int, tuple[Exchange, ...]] = {}
        self.prices: dict[int, list[Exchange]] = {}
        self.second: frozenset[int] | None = None

    def tally(self) -> Tally:
        """All that can be told within the budget."""
        for k, front in enumerate(self.wide):
            closed = set(front.cells) - self.open.keys() - set(self.truth)
            for model in front.models:
                if closed.isdisjoint(self.base[k] ^ model):
                    continue
                self._open_cells(self._between(k, model))
                closed -= self.open.keys()
        return self._decide(*self._ask(self._flip()))

    def _named(self) -> list[int]:
        """All sentences that still say something."""
        return [i for i, size in enumerate(self.state.size) if size]

    @property
    def sum(self) -> int:
        return sum(map(len, self.base))

    def _right(self, number: int) -> bool:
        return number >= 0 and bool(self.fits >> number & 1)

    def _between(self, k: int, model: frozenset[int]) -> list[Exchange]:
        """The exchanges that lead from the base to another solution of a wide front."""
        base, where = self.base[k], self.state.where
        left = set(base ^ model)
        self.effort.spend(len(left) // 100)
        at: dict[int, list[int]] = {}
        for cell in left:
            for i, _ in where[cell]:
                at.setdefault(i, []).append(cell)
        out = []
        while left:
            found = [left.pop()]
            for cell in found:
                for i, _ in where[cell]:
                    for other in at.pop(i, ()):
                        if other in left:
                            left.remove(other)
                            found.append(other)
            touches = frozenset(i for c in found for i, _ in where[c])
            out.append(Exchange(k, frozenset(found), touches, sum(1 if c in model else -1 for c in found)))
        return sorted(out, key=lambda e: min(e.cells))

    def _turn(self, exchange: Exchange) -> None:
        self.base[exchange.front] ^= exchange.cells

    def _find_base(self) -> None:
        """A solution of the wide fronts whose number of mines fits. Raises OutOfWork, Contradiction."""
        for k, front in enumerate(self.wide):
            for model in front.models[1:]:
                if self._nudge(self._between(k, model)):
                    return
        for k in range(len(self.wide)):
            with Search(self.sentences[k], self.effort) as search:
                # few mines, or many, as is wanted
                search.near(() if self.fits >> self.sum == 0 else self.wide[k].cells)
                extreme = search.solution({})
                assert extreme is not None
                if self._nudge(self._between(k, extreme)):
                    return
        if self._right(self.sum):
            return
        with self._bounded() as search:
            search.near(frozenset[int]().union(*self.base))
            found = search.solution({})
            if found is None:
                raise _clash(self.state, self._named())
            self.base = [found.intersection(front.cells) for front in self.wide]
        if not self._right(self.sum):  # a gap in what fits
            raise OutOfWork

    def _nudge(self, exchanges: Sequence[Exchange]) -> bool:
        """Makes those exchanges that bring the number of mines nearer to one that fits; whether it then does."""
        low, high = (self.fits & -self.fits).bit_length() - 1, self.fits.bit_length() - 1
        for exchange in exchanges:
            number = self.sum
            if self._right(number):
                return True
            aim = low if number < low else high
            if abs(number + exchange.more - aim) < abs(number - aim):
                self._turn(exchange)
        return self._right(self.sum)

    def _bounded(self) -> Search:
        """A search on the wide fronts with the least and the greatest number of mines that fit."""
        search = Search([s for sentences in self.sentences for s in sentences], self.effort)
        search.between((self.fits & -self.fits).bit_length() - 1, self.fits.bit_length() - 1)
        return search

    def _open_cells(self, exchanges: Sequence[Exchange]) -> None:
        """Takes up exchanges, and finds the cells that they show to be open."""
        number = self.sum
        for exchange in exchanges:
            some = self.prices.setdefault(exchange.more, [])
            if len(some) < _ALIKE:
                some.append(exchange)
        for exchange in exchanges:
            if all(c in self.open for c in exchange.cells):
                continue
            here = number + exchange.more
            how: tuple[Exchange, ...] | None = (exchange,) if self._right(here) else None
            for more, others in self.prices.items() if how is None else ():
                if self._right(here + more):
                    apart = (other for other in others if exchange.touches.isdisjoint(other.touches))
                    if other := next(apart, None):
                        how = exchange, other
                        break
            for c in exchange.cells if how else ():
                self.open.setdefault(c, how or ())

    def _flip(self) -> list[int]:
        """Turns single cells that are not known to be open, looking for exchanges near by; those that stay unknown."""
        left: list[int] = []
        for k, front in enumerate(self.wide):
            closed = [c for c in front.cells if c not in self.open and c not in self.truth]
            if not closed:
                continue
            tried = 0
            with Search(self.sentences[k], self.effort) as search:
                search.near(self.base[k])
                for cell in closed:
                    if cell in self.open or tried == _FLIPS:
                        continue
                    tried += 1
                    try:
                        if (model := search.solution({cell: cell not in self.base[k]})) is not None:
                            self._open_cells(self._between(k, model))
                    except OutOfWork:
                        break
            left += [c for c in closed if c not in self.open]
        return left

    def _ask(self, cells: Sequence[int]) -> tuple[dict[int, bool], bool]:
        """Asks the SAT solver of each cell, the number in it: the forced ones, and whether all were told."""
        forced: dict[int, bool] = {}
        if not cells:
            return forced, True
        base = frozenset[int]().union(*self.base)
        unknown = set(cells)
        with self._bounded() as search:
            search.near(base)
            for cell in cells:
                if cell not in unknown:
                    continue
                try:
                    model = search.solution({cell: cell not in base})
                except OutOfWork:
                    break
                if model is None:
                    forced[cell] = cell in base
                    unknown.remove(cell)
                elif self._right(len(model)):
                    self.second = model
                    unknown -= model ^ base
        return forced, not unknown

    def _decide(self, forced: dict[int, bool], told: bool) -> Tally:
        """Draws all together: what the narrow fronts and the free cells can be with what the wide ones have."""
        number, sets = self.sum, self.sets
        numbers = 1 << number
        for exchanges in self.open.values():
            numbers |= 1 << number + sum(e.more for e in exchanges)
        if self.second is not None:
            numbers |= 1 << len(self.second)
        # the wide fronts can have these numbers for certain, and none beyond their cells
        sure = Sets(sets.fronts, sets.free, self.missing, numbers)
        every = Sets(sets.fronts, sets.free, self.missing, (1 << sum(len(f.cells) for f in self.wide) + 1) - 1)
        forced |= _forced(every, self.truth)
        for cells, mine, safe in sure.decided():
            told = told and ((mine and safe) or cells[0] in forced or cells[0] in self.truth)
        return Tally(forced, self._pair(), told)

    def _pair(self) -> tuple[CellSet, CellSet] | None:
        base, sets = frozenset[int]().union(*self.base), self.sets
        first = Sets(sets.fronts, sets.free, self.missing - len(base))
        if (pair := first.pair()) is not None:
            return pair[0] | cell_set(base), pair[1] | cell_set(base)
        other = base
        for exchange in next(iter(self.open.values()), ()):
            other = other ^ exchange.cells
        if other == base and self.second is not None:
            other = self.second
        if other == base:
            return None
        rest = Sets(sets.fronts, sets.free, self.missing - len(other))
        return next(first.solutions()) | cell_set(base), next(rest.solutions()) | cell_set(other)


def numbers(state: State, effort: Effort, states: int = _STATES) -> list[int]:
    """The numbers of mines among the covered cells that the other sentences of a fresh state leave room for; none where
    that takes too much work. Raises Contradiction where they clash by themselves."""
    state.propagate()
    work = Work(states)
    try:
        _models(state, effort)
        fronts = [Front(state, cells, sentences, work) for cells, sentences in state.components()]
        mask = (1 << len(state.free) + 1) - 1
        for front in fronts:
            mask = plus(mask, front.walk().mines)
    except OutOfWork:
        return []
    return [state.mined + n for n in places(mask)]


def goes(state: State, effort: Effort, states: int = _STATES) -> bool:
    """Whether a fresh state has a solution; False where that takes too much work."""
    try:
        effort.spend(len(state.covered) // 10)
        state.propagate()
        state.check()
        models = _models(state, effort)
        if state.total is None:
            return True
        effort.spend(len(state.covered) // 10)
        free, missing = state.free, state.total - state.mined
        if missing - len(free) <= sum(map(len, models)) <= missing:
            return True
        work = Work(states)
        narrow: list[Front] = []
        wide: list[Known] = []
        for front in known(state, [[m] for m in models]):
            _sort(state, front, work, narrow, wide)
        sets = Sets(narrow, free, missing)
        if wide:
            _Wide(state, wide, sets, (), effort)
            return True
        return sets.possible
    except (Contradiction, OutOfWork):
        return False


def _models(state: State, effort: Effort) -> list[frozenset[int]]:
    """One solution of each front. Raises Contradiction where one has none, and OutOfWork."""
    out = []
    for _, sentences in state.components():
        with Search([(state.open_cells(i), state.need[i]) for i in sentences], effort) as search:
            model = search.solution({})
        if model is None:
            raise Contradiction(tuple(sentences))
        out.append(model)
    return out
