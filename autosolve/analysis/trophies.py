"""Owns the best and the worst score of a board over all orders of finding its mines, and which finds keep the best.

A *find* of a mine scores ``100 + 50 x cells x conditions``: the conditions whose last mine it is, and the covered cells
that these open and that were not open yet. Conditions are clues, row totals and column totals; the board's total is
none. A condition without a mine is complete from the start, and its cells are open from the start.

A mine is *free* when at every point of any best order, as long as it is not found, it can be found next without losing
the best score. It is *free to the end* when that holds along some best order that finds it last. In both, the rest may
then come in another order than it would have.

What makes this cheaper than a table of all sets of mines is told and proven in ``docs/trophies.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from autosolve.board.puzzle import Kind, Puzzle
from autosolve.board.shape import Cell, CellSet, cell_set, cells_in
from autosolve.errors import EnvironmentProblem, Undecided, WrongUse
from autosolve.kernels.trophies import LARGEST_SUM, ClosedSets, SubsetTable, Task, TooLarge, parts
from autosolve.solver.hybrid import solve

PER_FIND, PER_PRODUCT = 100, 50
MOST_STATES = 200_000  # of best ways, folded into the diagram

Progress = Callable[[float], None]


class Route(Enum):
    """How it is computed. Both give the same.

    ``CLOSED``   unions of whole conditions only
    ``SUBSETS``  every set of mines
    """

    CLOSED = "closed"
    SUBSETS = "subsets"


@dataclass(frozen=True, slots=True)
class Diagram:
    """For look-up, which finds keep the best score; a reduced ordered decision diagram for an independent part of a
    board. It asks, one after the other, whether groups of mines are all found.

    ``groups``  per variable the mines it stands for: all that stand in exactly the same conditions
    ``nodes``   (variable, next node where not all are found, next node where they are); node 0 says no and node 1
                yes, and stand here as (-1, 0, 0) and (-1, 1, 1)
    ``alive``   the node to begin at for "some best order comes through this set of mines"
    ``keeps``   per variable the node to begin at for "finding the last mine of this group now is a step of some best
                order that comes through here"
    """

    groups: tuple[CellSet, ...]
    nodes: tuple[tuple[int, int, int], ...]
    alive: int
    keeps: tuple[int, ...]

    def _ask(self, node: int, found: CellSet) -> bool:
        while node > 1:
            variable, without, with_it = self.nodes[node]
            group = self.groups[variable]
            node = with_it if group & found == group else without
        return node == 1

    def on_best_way(self, found: CellSet) -> bool:
        """Whether some best order finds just these of its mines first."""
        return self._ask(self.alive, found)

    def keepers(self, found: CellSet) -> CellSet:
        """The mines that can be found next on a best order through ``found``; none where there is no such order."""
        out = 0
        alive = self.on_best_way(found)
        for group, node in zip(self.groups, self.keeps, strict=True):
            left = group & ~found
            if left and (alive if left & (left - 1) else self._ask(node, found)):
                out |= left
        return out


@dataclass(frozen=True, slots=True)
class Trophies:
    """The scores of a board.

    ``highest, lowest``  over all orders of finding all mines
    ``best, worst``      an order that makes each
    ``free``             mines that can be taken at any point of every best order; None where not asked for
    ``free_to_the_end``  mines that can be taken at any point of some best order that finds them last; None likewise
    ``diagrams``         one per independent part of the board with a choice; None where not asked for
    ``loose``            mines that no order can go wrong with: of no condition, or of a part where all orders are equal
    ``states``           sets of mines that were looked at, of ``2 ** mines`` that there are
    """

    puzzle: Puzzle
    mines: CellSet
    highest: int
    lowest: int
    best: tuple[Cell, ...]
    worst: tuple[Cell, ...]
    free: CellSet | None
    free_to_the_end: CellSet | None
    diagrams: tuple[Diagram, ...] | None
    loose: CellSet
    states: int

    def keepers(self, found: CellSet) -> CellSet:
        """The mines that can be found next without losing the best score, if it can still be made after ``found``
        (the score so far being the best that these allow). None where it cannot be, or where nothing is left."""
        assert self.diagrams is not None
        if any(not diagram.on_best_way(found) for diagram in self.diagrams):
            return 0
        out = self.loose & ~found
        for diagram in self.diagrams:
            out |= diagram.keepers(found)
        return out


@dataclass(frozen=True, slots=True)
class _Part:
    """Conditions that depend on no other's, and the groups of mines that are their task's bits."""

    task: Task
    groups: tuple[CellSet, ...]

    def order(self, bits: Iterable[int]) -> list[Cell]:
        return [cell for bit in bits for cell in cells_in(self.groups[bit])]


def trophies(
    puzzle: Puzzle,
    *,
    mines: CellSet | None = None,
    route: Route = Route.CLOSED,
    free: bool = True,
    memory: int | None = None,
    jobs: int | None = None,
    on_progress: Progress | None = None,
) -> Trophies:
    """The best and worst score over all orders of finding the mines.

    ``mines``        the covered mines where they are known; else the board is solved
    ``route``        how; ``free`` goes the way of closed sets in any case
    ``free``         whether free mines and diagrams are wanted
    ``memory``       bytes that may be used; four fifths of what is free if not given
    ``jobs``         threads; one per core if not given
    ``on_progress``  told the share done, 0 to 1

    Raises Undecided where the board has no single solution, WrongUse where ``mines`` is none, and EnvironmentProblem
    that names the memory needed where that is too much: for ``SUBSETS`` before anything is begun, for ``CLOSED`` as
    soon as more closed sets are listed than fit, which is before any score is computed."""
    if mines is None:
        solution = solve(puzzle)
        if not solution.unique:
            raise Undecided(
                "The board does not have exactly one solution, so there are no mines to find in some order.",
                "Give a board with one solution; 'autosolve solve' says what is undecided.",
                cells=puzzle.shape.pairs(solution.undecided),
            )
        mines = solution.mines
    elif mines & ~puzzle.covered or any((c.cells & mines).bit_count() != c.mines for c in puzzle.constraints):
        raise WrongUse("The mines given are no solution of the board.", "Give those of its solution, or none.")
    split, loose = _split(puzzle, mines)
    allowed = _free_memory() if memory is None else memory
    if route is Route.SUBSETS:
        if any(part.task.bound > LARGEST_SUM for part in split):
            raise WrongUse("A table of all sets cannot hold sums as large as this board's.", "Go by closed sets.")
        if (need := max((SubsetTable.need(part.task) for part in split), default=0)) > allowed:
            raise _too_large(need, allowed, "")
    total_bits = sum(part.task.bits for part in split)
    high = low = PER_FIND * mines.bit_count()
    best, worst = list(cells_in(loose)), list(cells_in(loose))
    every, some, diagrams, states, done_bits = loose, loose, list[Diagram](), 0, 0
    for part in split:

        def report(share: float, part: _Part = part, before: int = done_bits) -> None:
            if on_progress is not None:
                on_progress((before + share * part.task.bits) / total_bits)

        done_bits += part.task.bits
        try:
            if route is Route.SUBSETS:
                with SubsetTable(part.task, allowed, jobs=jobs, on_progress=report) as table:
                    high, low = high + PER_PRODUCT * table.high, low + PER_PRODUCT * table.low
                    best += part.order(table.order())
                    worst += part.order(table.order(lowest=True))
                    states += 1 << part.task.bits
                    choice = table.high != table.low
            if route is Route.CLOSED or free:
                with ClosedSets(part.task, allowed, jobs=jobs, on_progress=report) as closed:
                    if route is Route.CLOSED:
                        high, low = high + PER_PRODUCT * closed.high, low + PER_PRODUCT * closed.low
                        best += part.order(closed.order())
                        worst += part.order(closed.order(lowest=True))
                        states += closed.sets
                        choice = closed.high != closed.low
                    if free and choice:
                        folded = _Ways(part, closed).fold()
                        every, some = every | folded[0], some | folded[1]
                        diagrams.append(folded[2])
            if not choice:
                whole = _union(part.groups)
                loose, every, some = loose | whole, every | whole, some | whole
        except TooLarge as problem:
            raise _too_large(problem.need, allowed, problem.bound) from None
    return Trophies(
        puzzle,
        mines,
        high,
        low,
        tuple(best),
        tuple(worst),
        every if free else None,
        some if free else None,
        tuple(diagrams) if free else None,
        loose,
        states,
    )


def score(puzzle: Puzzle, mines: CellSet, order: Sequence[Cell]) -> int:
    """What finding all mines in this order scores; the rule itself, to hold everything else against."""
    conditions = [(c.cells & mines, c.cells & ~mines) for c in puzzle.constraints if c.source.kind is not Kind.BOARD]
    open_ = 0
    for their_mines, cells in conditions:
        open_ |= 0 if their_mines else cells
    found, total = 0, 0
    for cell in order:
        found |= 1 << cell
        new = [cells for their_mines, cells in conditions if their_mines >> cell & 1 and not their_mines & ~found]
        before = open_
        for cells in new:
            open_ |= cells
        total += PER_FIND + PER_PRODUCT * (open_ ^ before).bit_count() * len(new)
    return total


def _split(puzzle: Puzzle, mines: CellSet) -> tuple[list[_Part], CellSet]:
    """The independent parts of a board, and the mines that no condition speaks of."""
    sentences = [c.cells for c in puzzle.constraints if c.source.kind is not Kind.BOARD]
    open_ = 0
    for cells in sentences:
        open_ |= 0 if cells & mines else cells
    merged: dict[CellSet, tuple[int, CellSet]] = {}
    for cells in sentences:
        if key := cells & mines:
            number, opens = merged.get(key, (0, 0))
            merged[key] = number + 1, opens | cells & ~mines & ~open_
    masks = list(merged)
    out = []
    for group in parts(masks, [merged[m][1] for m in masks]):
        named: dict[tuple[int, ...], CellSet] = {}
        for cell in cells_in(_union(masks[i] for i in group)):
            key_of = tuple(i for i in group if masks[i] >> cell & 1)
            named[key_of] = named.get(key_of, 0) | 1 << cell
        numbers = {cell: n for n, cell in enumerate(cells_in(_union(merged[masks[i]][1] for i in group)))}
        task = Task(
            len(named),
            tuple(cell_set(bit for bit, key_of in enumerate(named) if i in key_of) for i in group),
            tuple(merged[masks[i]][0] for i in group),
            tuple(cell_set(numbers[cell] for cell in cells_in(merged[masks[i]][1])) for i in group),
        )
        out.append(_Part(task, tuple(named.values())))
    return out, mines & ~_union(masks)


def _union(masks: Iterable[CellSet]) -> CellSet:
    out = 0
    for mask in masks:
        out |= mask
    return out


# ---------------------------------------------------------------- memory


def _free_memory() -> int:
    """Bytes that may be used: four fifths of what is free."""
    import psutil

    return int(psutil.virtual_memory().available) * 4 // 5


def _too_large(need: int, allowed: int, bound: str) -> EnvironmentProblem:
    return EnvironmentProblem(
        f"Best and worst score of this board need {bound}{_size(need)} of memory, and {_size(allowed)} may be used.",
        "Use a machine with more memory free, or allow more with --memory.",
    )


def _size(number: int) -> str:
    """``512.0 MB``."""
    if number < 1000:
        return f"{number} bytes"
    unit = min((len(str(number)) - 1) // 3, len(_UNITS))
    whole = 1000**unit
    if number < 1000 * whole:
        return f"{number / whole:.1f} {_UNITS[unit - 1]}"
    return f"10^{len(str(number // whole)) - 1} {_UNITS[unit - 1]}"


_UNITS = ("kB", "MB", "GB", "TB", "PB")


# ---------------------------------------------------------------- best ways, folded


class _Ways:
    """The best ways of one part, symbolically.

    Let K be closed and X more mines that complete nothing. A best way from K stays one after X was taken early if none
    of X is the last find of a condition on it, for then every condition is still completed by the same find. So one
    diagram per closed set on a best way says all: ``after[K]``, true for X when some best way from K finds none of X
    last."""

    def __init__(self, part: _Part, closed: ClosedSets) -> None:
        self.part, self.closed = part, closed
        self.all = (1 << part.task.bits) - 1
        try:
            from dd.cudd import BDD
        except ImportError:
            from dd.autoref import BDD
        self.bdd: Any = BDD()
        self.names = [f"g{bit}" for bit in range(part.task.bits)]
        self.bdd.declare(*self.names)
        self.vars = [self.bdd.var(name) for name in self.names]

    def fold(self) -> tuple[CellSet, CellSet, Diagram]:
        """The free mines, those free to the end, and the diagram."""
        alive, keeps = self._fold_arcs(self._arcs())
        every = some = 0
        for bit, group in enumerate(self.part.groups):
            # of mines in the same conditions only the last one found is of any weight
            if alive & ~self.vars[bit] & ~keeps[bit] == self.bdd.false:
                every |= group
            if self._holds(keeps[bit], self.all & ~(1 << bit)) and (group & (group - 1) or self._joins_up(bit, keeps)):
                some |= group
        return every, some, self._diagram(alive, keeps)

    def _arcs(self) -> dict[int, list[tuple[int, int]]]:
        """Per closed set on a best way, what comes next: the set after it, and the mine found last."""
        arcs: dict[int, list[tuple[int, int]]] = {}
        ahead = [0]
        seen = {0}
        number = 0
        while ahead:
            here = ahead.pop()
            arcs[here] = self.closed.ways(here)
            number += len(arcs[here])
            if number > MOST_STATES:
                raise EnvironmentProblem(
                    f"There are more than {MOST_STATES:,} steps on best orders, too many to fold into a diagram.",
                    "Ask for the scores alone with --no-free.",
                )
            for after, _ in arcs[here]:
                if after not in seen:
                    seen.add(after)
                    ahead.append(after)
        return arcs

    def _cube(self, mask: int) -> Any:
        return self.bdd.cube({self.names[bit]: True for bit in _bits(mask)})

    def _holds(self, function: Any, found: int) -> bool:
        point = {name: bool(found >> bit & 1) for bit, name in enumerate(self.names)}
        return bool(self.bdd.let(point, function) == self.bdd.true)

    def _fold_arcs(self, arcs: dict[int, list[tuple[int, int]]]) -> tuple[Any, list[Any]]:
        bdd, variables = self.bdd, self.vars
        conditions = self.part.task.conditions
        incomplete = [~self._cube(mask) for mask in conditions]
        after: dict[int, Any] = {}
        through: dict[int, Any] = {}  # per closed set the sets of mines found that hold it and no other, on a best way
        for here in sorted(arcs, key=lambda mask: (-mask.bit_count(), mask)):
            way = bdd.true if here == self.all else bdd.false
            for there, last in arcs[here]:
                way |= ~variables[last] & after[there]
            after[here] = way
            inside = self._cube(here)
            for mask, open_ in zip(conditions, incomplete, strict=True):
                if mask & ~here:
                    inside &= open_
            through[here] = inside & way
        alive = bdd.false
        for way in through.values():
            alive |= way
        keeps = []
        for bit, (variable, name) in enumerate(zip(variables, self.names, strict=True)):
            keep = bdd.false
            for here, way in through.items():
                if not here >> bit & 1:
                    keep |= bdd.let({name: True}, way)  # it completes nothing yet
                for there, last in arcs[here]:
                    if last == bit:
                        keep |= bdd.let({name: True}, through[there])  # it completes all that leads from here to there
            keeps.append(keep & ~variable)
        return alive, keeps

    def _joins_up(self, bit: int, keeps: list[Any]) -> bool:
        """Whether the sets in which the mine may be taken join up from nothing found to all others found."""
        bdd, allowed = self.bdd, keeps[bit]
        if not self._holds(allowed, 0):
            return False
        reached = bdd.cube(dict.fromkeys(self.names, False))
        steps = [
            (name, variable, keep & allowed)
            for other, (name, variable, keep) in enumerate(zip(self.names, self.vars, keeps, strict=True))
            if other != bit
        ]
        while True:
            before = reached
            for name, variable, keep in steps:
                # ``keep`` says that the mine is not found yet
                reached |= bdd.let({name: False}, reached & keep) & variable & allowed
            if reached == before:
                return self._holds(reached, self.all & ~(1 << bit))

    def _diagram(self, alive: Any, keeps: list[Any]) -> Diagram:
        nodes: list[tuple[int, int, int]] = [(-1, 0, 0), (-1, 1, 1)]
        number: dict[Any, int] = {self.bdd.false: 0, self.bdd.true: 1}
        bit_of = {name: bit for bit, name in enumerate(self.names)}
        root = _place(alive, nodes, number, bit_of)
        roots = tuple(_place(keep, nodes, number, bit_of) for keep in keeps)
        return Diagram(self.part.groups, tuple(nodes), root, roots)


def _place(function: Any, nodes: list[tuple[int, int, int]], number: dict[Any, int], bit_of: dict[str, int]) -> int:
    """Writes a function into ``nodes``, what it leads to before itself; its number."""
    known = number.get(function)
    if known is None:
        low, high = function.low, function.high
        if function.negated:
            low, high = ~low, ~high
        entry = bit_of[function.var], _place(low, nodes, number, bit_of), _place(high, nodes, number, bit_of)
        known = number[function] = len(nodes)
        nodes.append(entry)
    return known


def _bits(mask: int) -> list[int]:
    return [int(cell) for cell in cells_in(mask)]
