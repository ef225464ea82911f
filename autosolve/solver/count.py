"""Owns exact numbers: how many solutions a puzzle has, and in how many of them each cell is a mine.

Cells that stand in exactly the same sentences form a *group*: only how many of them are mines matters. A *front*
is a set of groups that hang together through sentences. It is counted group by group in a fixed order; all that
the past can mean to the future is what each sentence still needs, so partial solutions with equal needs are
counted as one *state*. A state is one int: a field of bits for each sentence's need, and above them the mines so
far, which are counted only where the mines of the whole board are told. Fronts then meet in that number alone.

Counts run forward from the start and backward from the end; where they meet is the share of each cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from math import comb, prod
from typing import TypeVar

from autosolve.board.puzzle import Puzzle
from autosolve.board.shape import Cell, CellSet, cell_set
from autosolve.errors import Undecided
from autosolve.solver.clash import clashing
from autosolve.solver.deduction import Budget, Odds, OutOfWork
from autosolve.solver.state import MINED, Contradiction, State

Counts = dict[int, int]
T = TypeVar("T")


class _Step:
    """One group in a front's order.

    ``fields``  per sentence it is in: lowest bit and mask of its field, and the cells it still has later on
    ``delta``   what one mine adds to a state
    ``ways``    ``ways[k]``: choices of k mines among the cells
    """

    __slots__ = ("cells", "delta", "fields", "ways")

    def __init__(self, cells: list[int], fields: list[tuple[int, int, int]], delta: int) -> None:
        self.cells, self.fields, self.delta = cells, fields, delta
        self.ways = [comb(len(cells), k) for k in range(len(cells) + 1)]

    def choices(self, state: int) -> range:
        """How many of the cells can be mines without failing a sentence."""
        low, high = 0, len(self.cells)
        for bit, mask, later in self.fields:
            need = state >> bit & mask
            if need < high:
                high = need
            if need - later > low:
                low = need - later
        return range(low, high + 1)


class _Front:
    """Groups that hang together through sentences, counted forward; ``totals`` is mines to solutions."""

    def __init__(self, state: State, cells: list[int], sentences: list[int], tell_mines: bool, work: _Work) -> None:
        groups: dict[tuple[int, ...], list[int]] = {}
        for cell in cells:
            groups.setdefault(tuple(i for i, _ in state.where[cell]), []).append(cell)
        keys = _order(list(groups), {k: len(v) for k, v in groups.items()}, state.need)
        later = {i: state.size[i] for i in sentences}
        start, bit = 0, 0
        field: dict[int, tuple[int, int]] = {}
        for i in sentences:
            width = max(1, state.need[i].bit_length())
            field[i] = bit, (1 << width) - 1
            start |= state.need[i] << bit
            bit += width
        self.bit = bit
        self.steps: list[_Step] = []
        for key in keys:
            members = groups[key]
            for i in key:
                later[i] -= len(members)
            delta = (1 << bit if tell_mines else 0) - sum(1 << field[i][0] for i in key)
            self.steps.append(_Step(members, [(*field[i], later[i]) for i in key], delta))
        self.forward: list[Counts] = [{start: 1}]
        for step in self.steps:
            here = self.forward[-1]
            ahead: Counts = {}
            ways, delta = step.ways, step.delta
            for at, number in here.items():
                for k in step.choices(at):
                    to = at + k * delta
                    ahead[to] = ahead.get(to, 0) + number * ways[k]
            work.spend(len(ahead))
            self.forward.append(ahead)
        self.totals: Counts = {at >> bit: number for at, number in self.forward[-1].items()}
        self.backward: list[Counts] = []

    def look_back(self, weights: Mapping[int, int]) -> None:
        """Counts backward, a solution with m mines here counting ``weights[m]`` times."""
        back: Counts = {at: weights.get(at >> self.bit, 0) for at in self.forward[-1]}
        self.backward = [back]
        for step, here in zip(reversed(self.steps), reversed(self.forward[:-1]), strict=True):
            ways, delta = step.ways, step.delta
            back = {
                at: sum(ways[k] * after for k in step.choices(at) if (after := back.get(at + k * delta, 0)))
                for at in here
            }
            self.backward.append(back)
        self.backward.reverse()

    def shares(self) -> Iterator[tuple[list[int], int]]:
        """Per group its cells, and in how many solutions, weighted, each of them is a mine."""
        for step, here, after in zip(self.steps, self.forward, self.backward[1:], strict=False):
            n, delta, total = len(step.cells), step.delta, 0
            for at, number in here.items():
                for k in step.choices(at):
                    if k and (rest := after.get(at + k * delta, 0)):
                        total += number * comb(n - 1, k - 1) * rest
            yield step.cells, total

    def paths(self, largest_first: bool = False) -> Iterator[list[int]]:
        """Every way to share out mines among the groups, in order, that some whole solution has."""

        def options(chosen: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
            step, after = self.steps[len(chosen)], self.backward[len(chosen) + 1]
            at = chosen[-1][1] if chosen else next(iter(self.forward[0]))
            numbers = step.choices(at)
            for k in reversed(numbers) if largest_first else numbers:
                if after.get(to := at + k * step.delta, 0):
                    yield k, to

        return ([k for k, _ in chosen] for chosen in _descend(options, len(self.steps)))


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


class _Work:
    """The states that may still be made."""

    def __init__(self, states: int) -> None:
        self.left = states

    def spend(self, states: int) -> None:
        self.left -= states
        if self.left < 0:
            raise OutOfWork


def _order(keys: list[tuple[int, ...]], sizes: Mapping[tuple[int, ...], int], need: list[int]) -> list[tuple[int, ...]]:
    """The groups in an order that keeps few sentences half done at any time: greedy, from several ends."""
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
    best: tuple[float, list[int]] = (float("inf"), [])
    for start in starts:
        cost, chosen = walk(start, best[0])
        if len(chosen) == len(keys) and cost < best[0]:
            best = cost, chosen
    order = best[1] or walk(0, float("inf"))[1]
    return [keys[g] for g in order]


class Counter:
    """The solutions of a state: their number, shares and the solutions themselves.

    Raises OutOfWork when the budget does not suffice, Contradiction when there is no solution."""

    def __init__(self, state: State, states: int) -> None:
        work = _Work(states)
        self.state = state
        components = state.components()
        live = {i for _, sentences in components for i in sentences}
        for i, need in enumerate(state.need):
            if not 0 <= need <= state.size[i] or (need and i not in live):
                raise Contradiction((i,))
        self.free = [c for c in state.covered if not state.known[c] and c not in state.where]
        self.missing = None if state.total is None else state.total - state.mined
        told = self.missing is not None
        self.fronts = [_Front(state, cells, sentences, told, work) for cells, sentences in components]
        # mines so far -> solutions, over the fronts before and after each one
        before: list[Counts] = [{0: 1}]
        for front in self.fronts:
            before.append(_merge(before[-1], front.totals))
        after: list[Counts] = [{0: 1}]
        for front in reversed(self.fronts):
            after.append(_merge(after[-1], front.totals))
        after.reverse()
        self.models = sum(number * self._free_ways(mines) for mines, number in before[-1].items())
        if not self.models:
            raise Contradiction((*sorted(live), *([len(state.members)] if told else ())))
        self._all = before[-1]
        self._after = after
        for k, front in enumerate(self.fronts):
            others = _merge(before[k], after[k + 1])
            front.look_back(
                {m: sum(n * self._free_ways(m + o) for o, n in others.items()) for m in front.totals},
            )

    def _free_ways(self, mines: int) -> int:
        """Ways to place what is missing once ``mines`` are placed in the fronts, among cells no sentence names."""
        if self.missing is None:
            return 1 << len(self.free)
        rest = self.missing - mines
        return comb(len(self.free), rest) if rest >= 0 else 0

    def shares(self) -> Iterator[tuple[list[int], int]]:
        """Groups of undecided cells, and in how many solutions each of their cells is a mine."""
        for front in self.fronts:
            yield from front.shares()
        if self.free:
            if self.missing is None:
                share = self.models // 2
            else:
                share = sum(
                    number * comb(len(self.free) - 1, rest - 1)
                    for mines, number in self._all.items()
                    if (rest := self.missing - mines) > 0
                )
            yield self.free, share

    def pair(self) -> tuple[CellSet, CellSet] | None:
        """Two solutions, as mines among the undecided cells, that differ; None where there is only one."""
        if self.models == 1:
            return None
        return next(self._expand(last=False)), next(self._expand(last=True))

    def solutions(self) -> Iterator[CellSet]:
        """Every solution, as mines among the undecided cells, each once."""
        return self._expand(last=False)

    def _expand(self, last: bool) -> Iterator[CellSet]:
        """Every solution in an order, or in the opposite order."""

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
            front = self.fronts[depth]
            for path in front.paths(largest_first=last):
                # without a total nobody counts the mines of a front, and any number goes
                here = mines + sum(path) if self.missing is not None else 0
                if any(self._free_ways(here + m) for m in self._after[depth + 1]):
                    steps = [(step.cells, k) for step, k in zip(front.steps, path, strict=True)]
                    yield from ((here, mask) for mask in fill(steps))

        return (sum(mask for _, mask in chosen) for chosen in _descend(options, len(self.fronts) + 1))


def _merge(a: Counts, b: Counts) -> Counts:
    """Counts by mines of two things that do not touch, taken together."""
    out: Counts = {}
    for m, x in a.items():
        for n, y in b.items():
            out[m + n] = out.get(m + n, 0) + x * y
    return out


def odds(puzzle: Puzzle, *, budget: Budget | None = None) -> Odds:
    """The number of solutions and the share of every covered cell, exactly.

    Raises Clash when there is no solution, Undecided when the budget of states does not suffice."""
    budget = budget or Budget()
    state = State(puzzle)
    try:
        state.propagate()
        counter = Counter(state, budget.states)
    except Contradiction as clash:
        raise clashing(puzzle, clash.reasons) from None
    except OutOfWork:
        raise Undecided(
            f"The exact count needs more than the {budget.states} states it was allowed.",
            "Allow more with --states.",
        ) from None
    mined = {Cell(c): counter.models if state.known[c] == MINED else 0 for c in state.covered}
    for cells, share in counter.shares():
        for c in cells:
            mined[Cell(c)] = share
    return Odds(counter.models, mined)
