"""Owns exact numbers: how many solutions a puzzle has, and in how many of them each cell is a mine.

Cells that stand in exactly the same sentences form a *group*: only how many of them are mines matters. A *front*
is a set of groups that hang together through sentences. It is walked group by group in a fixed order; all that
the past can mean to the future is what each sentence still needs, so partial solutions with equal needs are
one *state*: an int with a field of bits for each sentence. An *edge* leads from a state to the next by a number
of mines in the group between them. Edges that no solution takes are dropped.

Every question is then a walk over the edges, forward or backward. Where the mines of the whole board are told,
what is carried along is a polynomial (the coefficient of x^m counts the ways with m mines), *packed* into one int
with so many bits a coefficient that none can run over; where only "is it possible" is asked, it is a set of
numbers of mines, as a mask. Fronts meet in the number of their mines alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from math import comb, prod
from typing import TypeVar

from autosolve.board.puzzle import Puzzle
from autosolve.board.shape import Cell, CellSet, cell_set
from autosolve.errors import Undecided
from autosolve.solver.deduction import Budget, Odds, OutOfWork
from autosolve.solver.state import MINED, Contradiction, State

Edge = tuple[int, int, int]
T = TypeVar("T")

# numbers of so many bits are worked on in the time that a state takes
_BITS = 4096
# an order that seems to make so many times the states allowed is not tried: states that cannot be are in what it seems
_HOPE = 8
# an order that makes so many states for a group is good enough: looking for a better one takes longer
_GOOD = 8


class Work:
    """What may still be done, in states and in what takes about as long."""

    def __init__(self, states: int) -> None:
        self.left = states

    def spend(self, states: int) -> None:
        self.left -= states
        if self.left < 0:
            raise OutOfWork


class _Step:
    """One group in a front's order, and the edges over it.

    ``fields``  per sentence it is in: lowest bit and mask of its field, and the cells it still has later on
    ``delta``   what one mine adds to a state
    ``ways``    ``ways[k]``: choices of k mines among the cells
    ``edges``   state before, mines, state after; states by their number among those ``before``, or ``after``, the group
    """

    __slots__ = ("after", "before", "cells", "delta", "edges", "fields", "ways")

    def __init__(self, cells: list[int], fields: list[tuple[int, int, int]], delta: int) -> None:
        self.cells, self.fields, self.delta = cells, fields, delta
        self.ways = [comb(len(cells), k) for k in range(len(cells) + 1)]
        self.edges: list[Edge] = []
        self.before = self.after = 0

    def walk(self, states: dict[int, int], work: Work) -> dict[int, int]:
        """Finds the edges from the states before; the states after, each with its number."""
        edges, delta, size = self.edges, self.delta, len(self.cells)
        after: dict[int, int] = {}
        room = work.left
        for state, here in states.items():
            low, high = 0, size
            for bit, mask, later in self.fields:
                need = state >> bit & mask
                if need < high:
                    high = need
                if need - later > low:
                    low = need - later
            for k in range(low, high + 1):
                edges.append((here, k, after.setdefault(state + k * delta, len(after))))
            if len(edges) > room:
                break
        work.spend(len(edges))
        self.before, self.after = len(states), len(after)
        return after


class Front:
    """Groups that hang together through sentences: first put into an order, then walked.

    Raises OutOfWork."""

    def __init__(self, state: State, cells: Sequence[int], sentences: Sequence[int], work: Work) -> None:
        self.state, self.sentences, self.work, self.size = state, sentences, work, len(cells)
        groups: dict[tuple[int, ...], list[int]] = {}
        for cell in cells:
            groups.setdefault(tuple(i for i, _ in state.where[cell]), []).append(cell)
        self._groups = groups
        self._keys = _order(list(groups), {k: len(v) for k, v in groups.items()}, state.need, work)
        self.steps: list[_Step] = []
        self.models = 0
        self._ahead: list[list[int]] | None = None

    def walk(self) -> Front:
        """Finds all states and edges, and ``models``: the solutions, however many mines they have; 0 where there
        is none."""
        need = self.state.need
        later = {i: self.state.size[i] for i in self.sentences}
        start, bit = 0, 0
        field: dict[int, tuple[int, int]] = {}
        for i in self.sentences:
            width = max(1, need[i].bit_length())
            field[i] = bit, (1 << width) - 1
            start |= need[i] << bit
            bit += width
        states = {start: 0}
        for key in self._keys:
            members = self._groups[key]
            for i in key:
                later[i] -= len(members)
            delta = -sum(1 << field[i][0] for i in key)
            step = _Step(members, [(*field[i], later[i]) for i in key], delta)
            states = step.walk(states, self.work)
            self.steps.append(step)
            if not states:
                return self
        # all needs are met now: there is one state
        alive = bytearray(b"\1")
        for step in reversed(self.steps):
            if not all(alive):
                step.edges = [edge for edge in step.edges if alive[edge[2]]]
            alive = bytearray(step.before)
            for at, _, _ in step.edges:
                alive[at] = 1
        self.models = self.forward(0)[-1][0][0]
        return self

    def forward(self, bits: int) -> list[tuple[list[int], int]]:
        """Per place in the order the ways to each state, and how many mines at least all of them have; packed with
        so many bits a coefficient, from that least on. Numbers of mines are not told apart where ``bits`` is 0."""
        values, low = [1], 0
        out = [(values, low)]
        for step in self.steps:
            ahead = [0] * step.after
            ways = step.ways
            for at, k, to in step.edges:
                ahead[to] += values[at] * ways[k] << k * bits
            values, low = self._lowered(ahead, low, bits)
            self._charge(step, values)
            out.append((values, low))
        return out

    def backward(self, bits: int) -> list[tuple[list[int], int]]:
        """The same from the end: per place the ways from each state on."""
        values, low = [1], 0
        out = [(values, low)]
        for step in reversed(self.steps):
            behind = [0] * step.before
            ways = step.ways
            for at, k, to in step.edges:
                behind[at] += values[to] * ways[k] << k * bits
            values, low = self._lowered(behind, low, bits)
            self._charge(step, values)
            out.append((values, low))
        out.reverse()
        return out

    def _charge(self, step: _Step, values: list[int]) -> None:
        self.work.spend(len(step.edges) * (_BITS + _longest(values)) // (2 * _BITS))

    @staticmethod
    def _lowered(values: list[int], low: int, bits: int) -> tuple[list[int], int]:
        """Packed polynomials less the power of x that all of them have."""
        if not bits:
            return values, 0
        spare = min((((v & -v).bit_length() - 1) // bits for v in values if v), default=0)
        return ([v >> spare * bits for v in values] if spare else values), low + spare

    def polynomial(self, bits: int) -> tuple[list[int], int]:
        """The solutions by their mines: the numbers, and the mines that the first of them stands for."""
        values, low = self.forward(bits)[-1]
        return _unpacked(values[0], bits), low

    def shares(self, weights: Sequence[int] | None, bits: int) -> Iterator[tuple[list[int], int]]:
        """Per group its cells, and in how many solutions each of them is a mine; one with m mines more than the least
        counts ``weights[m]`` times, once where none are given."""
        forward, backward = self.forward(bits), self.backward(bits)
        least = forward[-1][1]
        for step, (here, low), (after, rest) in zip(self.steps, forward, backward[1:], strict=False):
            n = len(step.cells)
            mined = [comb(n - 1, k - 1) if k else 0 for k in range(n + 1)]
            ahead = [0] * step.after
            for at, k, to in step.edges:
                if k:
                    ahead[to] += here[at] * mined[k] << k * bits
            self._charge(step, ahead)
            # a product takes longer than a sum of numbers as long
            self.work.spend(step.after * (_longest(ahead) * _longest(after) >> 21))
            total = sum(a * b for a, b in zip(ahead, after, strict=True))
            if weights is not None:
                ways = _unpacked(
                    total >> (least - low - rest) * bits
                    if least >= low + rest
                    else total << (low + rest - least) * bits,
                    bits,
                )
                total = sum(a * b for a, b in zip(ways, weights, strict=False))
            yield step.cells, total

    # ------------------------------------------------------------ sets of numbers of mines, in less time than the walk

    def _sets(self) -> list[list[int]]:
        """Per place and state, as masks, the numbers of mines that the groups from there on can have."""
        if self._ahead is None:
            values = [1]
            self._ahead = [values]
            for step in reversed(self.steps):
                behind = [0] * step.before
                for at, k, to in step.edges:
                    behind[at] |= values[to] << k
                values = behind
                self._ahead.append(values)
            self._ahead.reverse()
        return self._ahead

    @property
    def mines(self) -> int:
        """The numbers of mines its solutions have, as a mask; 0 where there is none."""
        return self._sets()[0][0] if self.models else 0

    def decided(self, allowed: int) -> Iterator[tuple[list[int], bool, bool]]:
        """Per group its cells, whether they can be mines, and whether they can be none, where the number of mines is
        in the mask ``allowed``."""
        fits = [allowed]
        layers = [fits]
        for step in reversed(self.steps):
            behind = [0] * step.before
            for at, k, to in step.edges:
                behind[at] |= fits[to] >> k
            fits = behind
            layers.append(fits)
        layers.reverse()
        here = [1]
        for step, after in zip(self.steps, layers[1:], strict=True):
            n = len(step.cells)
            ahead = [0] * step.after
            mine = safe = False
            for at, k, to in step.edges:
                so_far = here[at] << k
                ahead[to] |= so_far
                if so_far & after[to]:
                    mine = mine or k > 0
                    safe = safe or k < n
            here = ahead
            yield step.cells, mine, safe

    def paths(self, allowed: int | None, largest_first: bool = False) -> Iterator[list[int]]:
        """Every way to share out mines among the groups, in order, that some solution has whose number of mines is in
        the mask ``allowed``; any number goes where it is None."""
        sets = self._sets()
        leaving: list[list[list[tuple[int, int]]]] = []
        for step in self.steps:
            from_: list[list[tuple[int, int]]] = [[] for _ in range(step.before)]
            for at, k, to in sorted(step.edges, reverse=largest_first):
                from_[at].append((k, to))
            leaving.append(from_)

        def options(chosen: list[tuple[int, int, int]]) -> Iterator[tuple[int, int, int]]:
            """Mines of the next group, the state after it, and the mines so far."""
            depth = len(chosen)
            _, at, mines = chosen[-1] if chosen else (0, 0, 0)
            for k, to in leaving[depth][at]:
                if allowed is None or sets[depth + 1][to] << mines + k & allowed:
                    yield k, to, mines + k

        return ([k for k, _, _ in chosen] for chosen in _descend(options, len(self.steps)))


def _longest(values: Sequence[int]) -> int:
    """About how many bits the longest number has; numbers beside each other are about as long."""
    return max((v.bit_length() for v in values[:: 1 + len(values) // 16]), default=0)


def _unpacked(packed: int, bits: int) -> list[int]:
    """The coefficients of a packed polynomial; ``bits`` is a multiple of 8."""
    size = bits // 8
    data = packed.to_bytes(-(-packed.bit_length() // bits) * size, "little")
    return [int.from_bytes(data[i : i + size], "little") for i in range(0, len(data), size)]


def _descend(options: Callable[[list[T]], Iterator[T]], depth: int) -> Iterator[list[T]]:
    """Every list of ``depth`` choices, depth first; ``options`` gives the choices that may follow a beginning.
    The list is the same one each time. No recursion: a large board has more fronts than Python has stack."""
    chosen: list[T] = []
    if not depth:
        yield chosen
        return
    open_ = [options(chosen)]
    while open_:
        for item in open_[-1]:
            chosen.append(item)
            break
        else:
            open_.pop()
            if chosen:
                chosen.pop()
            continue
        if len(chosen) == depth:
            yield chosen
            chosen.pop()
        else:
            open_.append(options(chosen))


def _order(
    keys: list[tuple[int, ...]], sizes: Mapping[tuple[int, ...], int], need: list[int], work: Work
) -> list[tuple[int, ...]]:
    """The groups in an order that keeps few sentences half done at any time: greedy, from several ends.

    Raises OutOfWork where every order seems to make far more states than are left."""
    in_sentence: dict[int, list[int]] = {}
    for g, key in enumerate(keys):
        for i in key:
            in_sentence.setdefault(i, []).append(g)
    cells = {i: sum(sizes[keys[g]] for g in groups) for i, groups in in_sentence.items()}

    def walk(start: int, bound: float) -> tuple[float, list[int]]:
        left = {i: len(groups) for i, groups in in_sentence.items()}
        done = dict.fromkeys(in_sentence, 0)
        wide: dict[int, float] = {}
        chosen, waiting = [], {start}
        seen = {start}
        cost = 0.0
        while waiting:
            best, best_width = -1, (float("inf"), 0)
            for g in waiting:
                width = 1.0
                for i in keys[g]:
                    if left[i] == 1:
                        width /= wide.get(i, 1.0)
                    else:
                        have = done[i] + sizes[keys[g]]
                        width *= (1 + min(have, need[i], cells[i] - have)) / wide.get(i, 1.0)
                if (width, g) < best_width:
                    best, best_width = g, (width, g)
            waiting.discard(best)
            chosen.append(best)
            for i in keys[best]:
                left[i] -= 1
                done[i] += sizes[keys[best]]
                if left[i]:
                    wide[i] = 1 + min(done[i], need[i], cells[i] - done[i])
                else:
                    wide.pop(i, None)
                for g in in_sentence[i]:
                    if g not in seen:
                        seen.add(g)
                        waiting.add(g)
            cost += prod(wide.values())
            if cost >= bound:
                break
        return cost, chosen

    # ends of the front are good starts: groups in few sentences, spread over the board
    starts = sorted(range(len(keys)), key=lambda g: (len(keys[g]), g))[:24]
    best: tuple[float, list[int]] = (float(_HOPE * work.left), [])
    for start in starts:
        cost, chosen = walk(start, best[0])
        if cost < best[0]:
            best = cost, chosen
            if cost < _GOOD * len(keys):
                break
    if not best[1]:
        raise OutOfWork
    return [keys[g] for g in best[1]]


def places(mask: int) -> Iterator[int]:
    """The bits that are set."""
    text = format(mask, "b")[::-1]
    at = text.find("1")
    while at >= 0:
        yield at
        at = text.find("1", at + 1)


def plus(a: int, b: int) -> int:
    """Sums of a number in one mask and a number in the other."""
    out = 0
    if a.bit_count() > b.bit_count():
        a, b = b, a
    for m in places(a):
        out |= b << m
    return out


def minus(a: int, b: int) -> int:
    """Numbers to which one in mask ``b`` can be added to make one in mask ``a``."""
    out = 0
    for m in places(b):
        out |= a >> m
    return out


def less(number: int, mask: int) -> int:
    """What is left of a number, at least 0, when one in the mask is taken from it."""
    if number < 0:
        return 0
    return int(format(mask & (1 << number + 1) - 1, f"0{number + 1}b")[::-1], 2)


class Sets:
    """Which solutions fronts and cells that no sentence names have together: by sets of numbers of mines, uncounted.

    ``fronts``   walked, each with a solution
    ``free``     cells that no sentence names
    ``missing``  mines among all of them; None where not told
    ``beyond``   as a mask, the numbers of mines that may lie elsewhere, ``missing`` being with them
    """

    def __init__(self, fronts: Sequence[Front], free: list[int], missing: int | None, beyond: int = 1) -> None:
        self.fronts, self.free, self.missing, self.beyond = fronts, free, missing, beyond

    def _fits(self) -> list[int]:
        """Per front, and at the end, the numbers of mines before it with which the rest can go on, as masks."""
        assert self.missing is not None
        out = [less(self.missing, plus(self.beyond, (1 << len(self.free) + 1) - 1))]
        for front in reversed(self.fronts):
            out.append(minus(out[-1], front.mines))
        out.reverse()
        return out

    @property
    def possible(self) -> bool:
        """Whether there is a solution."""
        return self.missing is None or bool(self._fits()[0] & 1)

    def decided(self) -> Iterator[tuple[list[int], bool, bool]]:
        """Groups of cells, whether they can be mines, and whether they can be none; a number of mines being told."""
        assert self.missing is not None
        fits, so_far = self._fits(), 1
        for front, then in zip(self.fronts, fits[1:], strict=True):
            yield from front.decided(minus(then, so_far))
            so_far = plus(so_far, front.mines)
        if self.free:
            # how many mines the free cells can have
            numbers = less(self.missing, plus(so_far, self.beyond)) & (1 << len(self.free) + 1) - 1
            yield self.free, bool(numbers >> 1), bool(numbers & ~(1 << len(self.free)))

    def pair(self) -> tuple[CellSet, CellSet] | None:
        """Two solutions, as mines among the cells, that differ; None where there is only one."""
        first, last = next(self._expand(last=False)), next(self._expand(last=True))
        return (first, last) if first != last else None

    def solutions(self) -> Iterator[CellSet]:
        """Every solution, as mines among the undecided cells, each once."""
        return self._expand(last=False)

    def _expand(self, last: bool) -> Iterator[CellSet]:
        """Every solution in an order, or in the opposite order."""
        fits: list[int | None] = [None] * (len(self.fronts) + 1)
        if self.missing is not None:
            fits = [*self._fits()]

        def fill(steps: list[tuple[list[int], int]]) -> Iterator[CellSet]:
            """Every choice of so many cells out of each list."""

            def options(chosen: list[CellSet]) -> Iterator[CellSet]:
                cells, k = steps[len(chosen)]
                return (cell_set(some) for some in combinations(cells[::-1] if last else cells, k))

            return (sum(chosen) for chosen in _descend(options, len(steps)))

        def options(chosen: list[tuple[int, CellSet]]) -> Iterator[tuple[int, CellSet]]:
            """Mines so far and the mines of the next front; after the fronts, the cells no sentence names."""
            mines, depth = (chosen[-1][0] if chosen else 0), len(chosen)
            if depth == len(self.fronts):
                sizes = range(len(self.free) + 1)
                if self.missing is not None:
                    sizes = range(self.missing - mines, self.missing - mines + 1)
                for k in reversed(sizes) if last else sizes:
                    yield from ((mines, mask) for mask in fill([(self.free, k)]))
                return
            front, then = self.fronts[depth], fits[depth + 1]
            for path in front.paths(None if then is None else then >> mines, largest_first=last):
                steps = [(step.cells, k) for step, k in zip(front.steps, path, strict=True)]
                yield from ((mines + sum(path), mask) for mask in fill(steps))

        return (sum(mask for _, mask in chosen) for chosen in _descend(options, len(self.fronts) + 1))


class Counter(Sets):
    """The solutions of a state: their number, shares and the solutions themselves.

    Raises OutOfWork when the budget does not suffice, Contradiction when there is no solution."""

    def __init__(self, state: State, states: int) -> None:
        work = self.work = Work(states)
        self.state = state
        components = state.components()
        live = {i for _, sentences in components for i in sentences}
        for i, need in enumerate(state.need):
            if not 0 <= need <= state.size[i] or (need and i not in live):
                raise Contradiction((i,))
        missing = None if state.total is None else state.total - state.mined
        # all are put into order before the first is walked: a hopeless one is found out at once
        super().__init__([Front(state, cells, sentences, work) for cells, sentences in components], state.free, missing)
        told = missing is not None
        for front in self.fronts:
            if not front.walk().models:
                raise Contradiction(tuple(front.sentences))
        # a whole number of bytes, and one bit to spare
        self._bits = [(front.models.bit_length() // 8 + 1) * 8 if told else 0 for front in self.fronts]
        self._weights: list[Sequence[int] | None] = [None] * len(self.fronts)
        self.models, self._free_mines = self._meet() if told else (self._alike(), 0)
        if not self.models:
            raise Contradiction((*sorted(live), len(state.members)))

    def _alike(self) -> int:
        """The number of solutions where no total is told."""
        return prod([front.models for front in self.fronts]) << len(self.free)

    def _meet(self) -> tuple[int, int]:
        """Where the total is told: the number of solutions, and in how many of them a free cell is a mine. Sets the
        weights of the fronts' numbers of mines: the ways of all the rest."""
        assert self.missing is not None
        # a tree of products: two and two fronts together, up to one
        level = [front.polynomial(bits) for front, bits in zip(self.fronts, self._bits, strict=True)]
        tree = [level]
        while len(level) > 1:
            pairs = [self._times(level[i], level[i + 1]) for i in range(0, len(level) - 1, 2)]
            level = pairs + level[2 * len(pairs) :]
            tree.append(level)
        numbers, low = level[0] if level else ([1], 0)
        ways = self._free_ways(low, len(numbers))
        self.work.spend(len(numbers) * (_longest(numbers) * _longest(ways) >> 20))
        models = sum(a * b for a, b in zip(numbers, ways, strict=True))
        mined = 0
        if self.free:
            # each of the free cells is a mine in rest / free of the ways to fill them
            mined = sum(a * b * (self.missing - low - m) for m, (a, b) in enumerate(zip(numbers, ways, strict=True)))
            mined //= len(self.free)
        weights: list[list[int]] = [ways]
        for level in reversed(tree[:-1]):
            below: list[list[int]] = []
            for i, above in enumerate(weights):
                if 2 * i + 1 == len(level):
                    below.append(above)
                    continue
                left, right = level[2 * i][0], level[2 * i + 1][0]
                self.work.spend(len(left) * len(right) * (_BITS + _longest(above)) // (4 * _BITS))
                below.append([sum(map(int.__mul__, right, above[m : m + len(right)])) for m in range(len(left))])
                below.append([sum(map(int.__mul__, left, above[m : m + len(left)])) for m in range(len(right))])
            weights = below
        if self.fronts:
            self._weights = list(weights)
        return models, mined

    def _times(self, a: tuple[list[int], int], b: tuple[list[int], int]) -> tuple[list[int], int]:
        """The product of two polynomials."""
        longer, shorter = (a[0], b[0]) if len(a[0]) > len(b[0]) else (b[0], a[0])
        out = [0] * (len(longer) + len(shorter) - 1)
        self.work.spend(len(longer) * len(shorter) * (_BITS + longer[len(longer) // 2].bit_length()) // (8 * _BITS))
        for n, y in enumerate(shorter):
            for m, x in enumerate(longer, n):
                out[m] += x * y
        return out, a[1] + b[1]

    def _free_ways(self, low: int, count: int) -> list[int]:
        """For ``low``, ``low + 1``, ... mines in the fronts: the ways to place the rest among the free cells."""
        assert self.missing is not None
        free, rest = len(self.free), self.missing - low
        ways: list[int] = []
        while len(ways) < count:
            if not 0 <= rest <= free:
                ways.append(0)
            elif not ways or not ways[-1]:
                ways.append(comb(free, rest))
            else:
                self.work.spend(ways[-1].bit_length() // _BITS)
                ways.append(ways[-1] * (rest + 1) // (free - rest))
            rest -= 1
        return ways

    def shares(self) -> Iterator[tuple[list[int], int]]:
        """Groups of undecided cells, and in how many solutions each of their cells is a mine."""
        for front, weights, bits in zip(self.fronts, self._weights, self._bits, strict=True):
            others = 1 if weights is not None else self.models // front.models
            for cells, share in front.shares(weights, bits):
                yield cells, share * others
        if self.free:
            yield self.free, self.models // 2 if self.missing is None else self._free_mines


def odds(puzzle: Puzzle, *, budget: Budget | None = None) -> Odds:
    """The number of solutions and the share of every covered cell, exactly.

    Raises Clash when there is no solution, Undecided when the budget of states does not suffice."""
    from autosolve.solver.clash import clashing  # which counts, too

    budget = budget or Budget()
    state = State(puzzle)
    try:
        state.propagate()
        counter = Counter(state, budget.states)
        mined = {Cell(c): counter.models if state.known[c] == MINED else 0 for c in state.covered}
        for cells, share in counter.shares():
            for c in cells:
                mined[Cell(c)] = share
    except Contradiction:
        raise clashing(puzzle) from None
    except OutOfWork:
        raise Undecided(
            f"The exact count needs more than the {budget.states} states it was allowed.",
            "Allow more with --states.",
        ) from None
    return Odds(counter.models, mined)
