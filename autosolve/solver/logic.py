"""Owns thinking step by step: the layers as one table, cheapest first, back to the cheapest after any progress.

A pass makes every move that the lowest productive layer has, so what is found, and in how many passes, does not
depend on where a cell stands. The moves of a pass are told one after the other, each with the reasons that it still
needs once those before it are made; where that is less than its layer would take, it is told as the easier move that
it has become. Each layer is a function from the thinker to its finds:

ONE, TWO        see ``state.py``
SUBSET          three to five sentences that together leave a cell no choice; the smallest number first
CONTRADICTION   a cell assumed to be a mine, or safe; ONE and TWO for at most 64 passes; a clash proves the opposite
NESTED          the same where no clash came: some second cell clashes both as a mine and as safe. At most 400 such
                trials for an assumption, nearest cells first, none at a distance that cannot be tried whole
TOTAL           what only the number of mines on the whole board decides
SAT             all that holds in every solution of the other sentences
UNIQUE          cells that stand in exactly the same sentences could be swapped in any solution. If there is but
                one, they are all mines or all safe; where a sentence cannot take one of these, the other holds.
                So three cells that touch nothing but one 2 are safe; and of the four cells of a 3 at the edge,
                two that nothing but it and the 5 beside it sees are mines, for the other two cannot hold three

That a cell can be decided at all is asked of the SAT solver first, which changes nothing but the time it takes:
only such cells can be decided by SUBSET, CONTRADICTION and NESTED.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from autosolve.board.puzzle import Constraint, Kind, Puzzle, Source
from autosolve.board.shape import cell_set
from autosolve.errors import Undecided
from autosolve.solver import patterns, wording
from autosolve.solver.deduction import Budget, Deduction, OutOfWork, Technique, Verdict
from autosolve.solver.sat import Backbone, Blame, Effort, Sentence, backbone, possible
from autosolve.solver.state import Contradiction, State
from autosolve.solver.tally import known, tally

SUBSET_SIZES = (3, 4, 5)
ASSUMED_PASSES = 64
NESTED_TRIALS = 400
# conflicts for finding out which of a step's reasons earlier steps of its pass have made needless
_TRIMMING = 5_000


@dataclass(frozen=True, slots=True)
class Find:
    """Cells that a layer decides, and the sentences it follows from (by index, the board's total last)."""

    cells: tuple[int, ...]
    mine: bool
    reasons: tuple[int, ...]
    pattern: str = ""


class SubsetMemory:
    """What SUBSET found, or did not find, for those who think about many boards that are much alike: it depends on the
    sentences near a cell alone. Changes no answer, nor where a budget runs out."""

    MOST = 20_000  # questions; some 20 MB

    def __init__(self) -> None:
        self._known: dict[bytes, tuple[list[int] | None, int]] = {}
        self._asked = b""

    def recall(
        self, sentences: Iterable[Sentence], claim: dict[int, bool], size: int
    ) -> tuple[list[int] | None, int] | None:
        """What came of the question and what it cost; None where it is new."""
        words = array("i", [size])
        for cell, mine in claim.items():
            words.extend((cell, mine))
        for cells, mines in sentences:
            words.extend((-1, mines))
            words.extend(cells)
        self._asked = words.tobytes()
        return self._known.get(self._asked)

    def keep(self, found: list[int] | None, spent: int) -> None:
        """What came of the question asked last."""
        if len(self._known) >= self.MOST:
            self._known.clear()
        self._known[self._asked] = found, spent


class Thinker:
    """Solves a puzzle by the layers allowed and remembers how.

    ``steps``     the deductions, with reasons and sentences where ``explain`` is set, else empty
    ``waves``     passes by technique
    ``hardest``   the hardest technique used
    ``complete``  False where the budget ran out somewhere
    """

    def __init__(
        self,
        puzzle: Puzzle,
        layers: Collection[Technique],
        budget: Budget,
        explain: bool,
        memory: SubsetMemory | None = None,
    ) -> None:
        self.memory = memory
        self.puzzle, self.layers, self.budget, self.explain = puzzle, frozenset(layers), budget, explain
        self.state = State(puzzle)
        # SUBSET must not spend what the proofs need
        self.effort = Effort(max(1, budget.conflicts // 2))
        self.guesses = Effort(max(1, 3 * budget.conflicts // 4))
        self.why = Effort(budget.conflicts)
        self.steps: list[Deduction] = []
        self.waves: dict[Technique, int] = {}
        self.hardest: Technique | None = None
        self.complete = True
        self.board = len(self.state.members)
        self.clue_at = {s.at: i for i, s in enumerate(self.state.sources) if s.kind is Kind.CLUE}
        # pass in which each sentence last changed, and in which a cell was last tried in vain, by what trial
        self.now = 0
        self.changed = [0] * (self.board + 1)
        self.tried: dict[tuple[str, int, bool], tuple[int, frozenset[int]]] = {}
        self._truth: dict[int, bool] | None = None
        # solutions met on the way to the truth, front by front
        self.models: list[tuple[frozenset[int], ...]] = []
        self._blind: frozenset[int] = frozenset()

    def run(self, passes: int | None = None) -> None:
        """Thinks until nothing more follows, or for so many passes. Raises Contradiction where the sentences
        clash, Undecided where UNIQUE was allowed and the puzzle proves to have no single solution."""
        try:
            while self.state.undecided and (passes is None or self.now < passes):
                if not any(self._pass(t, layer) for t, layer in LAYERS if t in self.layers):
                    break
            if not self.state.undecided:
                self.state.check()
        except Contradiction:
            if self.waves.get(Technique.UNIQUE):
                raise _not_unique() from None
            raise

    def _pass(self, technique: Technique, layer: Callable[[Thinker], list[Find]]) -> bool:
        known = self.state.known
        finds = layer(self)
        if not finds:
            return False
        self.now += 1
        self.waves[technique] = self.waves.get(technique, 0) + 1
        self.hardest = max(technique, self.hardest or technique)
        if self.explain:
            # safe cells first: a shape that has a name keeps it until its mines are known
            for find in sorted(finds, key=lambda f: f.mine):
                left = Find(tuple(c for c in find.cells if not known[c]), find.mine, find.reasons, find.pattern)
                while left.cells:
                    step, easiest = self._least(left, technique)
                    self.steps.append(self._deduction(step, easiest))
                    self._put(step)
                    left = replace(left, cells=tuple(c for c in left.cells if not known[c]))
        else:
            for find in finds:
                self._put(find)
        if technique in (Technique.TOTAL, Technique.UNIQUE):
            # more is known now than the other sentences say, and more may follow from them
            self._truth = None
        return True

    def _put(self, find: Find) -> None:
        known, where = self.state.known, self.state.where
        for cell in find.cells:
            if not known[cell]:
                for i, _ in where.get(cell, ()):
                    self.changed[i] = self.now
                self.changed[self.board] = self.now
        self.state.put(find.cells, find.mine, find.reasons)

    def _least(self, find: Find, technique: Technique) -> tuple[Find, Technique]:
        """A find of this pass, or the part of its cells that follows from the fewest of its reasons, less the reasons
        that earlier steps of the pass have made needless; and the easiest technique that these are now enough for."""
        reasons = find.reasons
        minimal = technique is not Technique.TWO or Technique.ONE in self.layers
        if len(reasons) < 2 or (minimal and all(self.changed[i] < self.now for i in reasons)):
            return find, technique
        # cells that stand in the same of these sentences follow from the same of them
        sentences = [self.sentence(i) for i in reasons]
        inside = [set(cells) for cells, _ in sentences]
        alike: dict[tuple[bool, ...], list[int]] = {}
        for cell in find.cells:
            alike.setdefault(tuple(cell in cells for cells in inside), []).append(cell)
        by: dict[tuple[int, ...], list[int]] = {}
        try:
            with Blame(sentences, Effort(_TRIMMING)) as blame:
                for cells in alike.values():
                    needed = blame.minimal(range(len(reasons)), {cells[0]: not find.mine})
                    assert needed is not None
                    by.setdefault(tuple(reasons[k] for k in needed), []).extend(cells)
        except OutOfWork:
            return find, technique
        least = min(by, key=lambda some: (len(some), some))
        if least == reasons:
            return find, technique
        easiest = technique
        if self.board not in least:
            enough = Technique.ONE if len(least) == 1 else Technique.TWO if len(least) == 2 else Technique.SUBSET
            if enough in self.layers and len(least) <= SUBSET_SIZES[-1]:
                easiest = min(enough, technique)
        return Find(tuple(sorted(by[least])), find.mine, least), easiest

    def _deduction(self, find: Find, technique: Technique) -> Deduction:
        return Deduction(
            cells=cell_set(find.cells),
            verdict=Verdict.MINE if find.mine else Verdict.SAFE,
            technique=technique,
            because=tuple(self.constraint(i) for i in find.reasons),
            text=wording.sentence(self, find, technique),
            pattern=find.pattern,
            wave=self.now,
        )

    # ------------------------------------------------------------ sentences

    def source(self, i: int) -> Source:
        return Source(Kind.BOARD) if i == self.board else self.state.sources[i]

    def sentence(self, i: int) -> Sentence:
        """A sentence as it stands: undecided cells, mines missing among them."""
        state = self.state
        if i == self.board:
            assert state.total is not None
            return [c for c in state.covered if not state.known[c]], state.total - state.mined
        return state.open_cells(i), state.need[i]

    def constraint(self, i: int) -> Constraint:
        cells, need = self.sentence(i)
        return Constraint(cell_set(cells), need, self.source(i))

    def rings(self, cell: int) -> Iterator[list[int]]:
        """The sentences a cell stands in, those that share cells with them, and so on outwards."""
        state = self.state
        ring = [i for i, _ in state.where.get(cell, ())]
        seen = set(ring)
        while ring:
            yield ring
            outer = []
            for i in ring:
                left = state.left[i]
                for j, shared in state.common[i].items():
                    if j not in seen and left & shared:
                        seen.add(j)
                        outer.append(j)
            ring = outer

    # ------------------------------------------------------------ what can be decided

    def truth(self) -> dict[int, bool]:
        """What every solution of the sentences, the board's total apart, has in common."""
        if self._truth is None:
            self._truth, self.models, blind = {}, [], set()
            for cells, sentences in self.state.components():
                found: Backbone | None
                try:
                    found = backbone([self.sentence(i) for i in sentences], self.effort)
                except OutOfWork:
                    blind.update(cells)
                    continue
                if found is None:
                    raise Contradiction(tuple(sentences))
                self._truth |= found.forced
                self.models.append(found.models)
                if not found.complete:
                    blind.update(cells)
            self._blind = frozenset(blind)
            self.complete = self.complete and not blind
        return self._truth

    def claims(self) -> Iterator[tuple[list[int], bool]]:
        """Groups of undecided cells that stand in the same sentences, and what each of them may prove to be."""
        truth, blind = self.truth(), self._blind
        for _, cells in self.state.groups():
            if cells[0] in truth:
                yield cells, truth[cells[0]]
            elif cells[0] in blind:
                yield cells, True
                yield cells, False

    def idle(self, trial: str, cell: int, value: bool) -> bool:
        """Whether a trial failed before and nothing it looked at has changed since."""
        when, seen = self.tried.get((trial, cell, value), (-1, frozenset()))
        return when >= 0 and all(self.changed[i] <= when for i in seen)

    def failed(self, trial: str, cell: int, value: bool, seen: Iterable[int]) -> None:
        self.tried[trial, cell, value] = self.now, frozenset(seen)

    def reasons(self, cell: int, mine: bool, among: Iterable[int] | None = None) -> tuple[int, ...]:
        """Sentences from which a cell follows and of which none can be spared, near the cell where possible.
        Where the budget runs out, some may be spared after all."""
        near = sorted(among or ())
        try:
            if among is None:
                for ring in self.rings(cell):
                    near += ring
                    if not possible([*map(self.sentence, near), ([cell], int(not mine))], self.why):
                        break
                near.sort()
            with Blame([self.sentence(i) for i in near], self.why) as blame:
                found = blame.minimal(range(len(near)), {cell: not mine})
        except OutOfWork:
            return tuple(near if among is not None else sorted(i for ring in self.rings(cell) for i in ring))
        assert found is not None
        return tuple(near[k] for k in found)

    # ------------------------------------------------------------ assuming

    def assume(
        self, cell: int, mine: bool, passes: int = ASSUMED_PASSES
    ) -> tuple[frozenset[int] | None, frozenset[int]]:
        """Assumes a cell and thinks ONE and TWO from there. The sentences a clash was made from, None where there
        is none; and the sentences looked at on the way. Everything is taken back."""
        state = self.state
        common = state.common  # made before anything is assumed: it leaves out what is decided
        start = len(state.trail)
        fresh, stale = set(state.fresh), set(state.stale)
        clash: frozenset[int] | None = None
        try:
            state.put([cell], mine, ())
            state.propagate(passes=passes)
        except Contradiction as contradiction:
            clash = state.behind(contradiction.reasons, start)
        touched = {i for c in state.trail[start:] for i, _ in state.where.get(c, ())}
        seen = frozenset(touched | {j for i in touched for j in common[i]})
        state.take_back(start)
        state.fresh, state.stale = fresh, stale
        return clash, seen


def _not_unique() -> Undecided:
    return Undecided(
        "The puzzle does not have exactly one solution, as UNIQUE takes for granted.", "Solve it without that layer."
    )


# ---------------------------------------------------------------- the layers


def one(thinker: Thinker) -> list[Find]:
    return [Find(tuple(cells), mine, why) for cells, mine, why in thinker.state.moves_one()]


def two(thinker: Thinker) -> list[Find]:
    state = thinker.state
    finds = []
    for cells, mine, (i, j) in state.moves_two():
        name = patterns.name(state, i, j, thinker.clue_at) if thinker.explain else ""
        finds.append(Find(tuple(cells), mine, (i, j), name))
    return finds


def _gathered(finds: list[Find]) -> list[Find]:
    """The same with cells taken together that follow from the same sentences."""
    by: dict[tuple[bool, tuple[int, ...]], list[int]] = {}
    for find in finds:
        by.setdefault((find.mine, find.reasons), []).extend(find.cells)
    return [Find(tuple(sorted(cells)), mine, reasons) for (mine, reasons), cells in by.items()]


def subset(thinker: Thinker) -> list[Find]:
    for size in SUBSET_SIZES:
        finds = []
        for cells, mine in thinker.claims():
            cell, trial = cells[0], f"subset {size}"
            if thinker.idle(trial, cell, mine):
                continue
            if thinker.guesses.conflicts <= 0:
                thinker.complete = False
                break
            near: list[int] = []
            for ring, _ in zip(thinker.rings(cell), range(size), strict=False):
                near += ring
            near.sort()
            claim = {cell: not mine}
            sentences = [thinker.sentence(i) for i in near]
            found, before = None, thinker.guesses.conflicts
            kept = None if thinker.memory is None else thinker.memory.recall(sentences, claim, size)
            # what was remembered is charged for; where that is too much it ends as it would have without memory
            if kept is not None and kept[1] < before:
                found, spent = kept
                thinker.guesses.conflicts -= spent
            else:
                thinker.guesses.conflicts -= len(near) // 20
                try:
                    if not possible([*sentences, ([cell], int(not mine))], thinker.guesses):
                        with Blame(sentences, thinker.guesses) as blame:
                            found = blame.smallest(claim, size, rounds=2000)
                    if thinker.memory is not None:
                        thinker.memory.keep(found, before - thinker.guesses.conflicts)
                except OutOfWork:
                    thinker.complete = False
            if found is None:
                thinker.failed(trial, cell, mine, near)
            else:
                finds.append(Find(tuple(cells), mine, tuple(near[k] for k in found)))
        if finds:
            return _gathered(finds)
    return []


def contradiction(thinker: Thinker) -> list[Find]:
    finds = []
    for cells, mine in thinker.claims():
        if thinker.idle("assume", cells[0], mine):
            continue
        clash, seen = thinker.assume(cells[0], not mine)
        if clash is None:
            thinker.failed("assume", cells[0], mine, seen)
        else:
            reasons = thinker.reasons(cells[0], mine, clash) if thinker.explain else tuple(sorted(clash))
            finds.append(Find(tuple(cells), mine, reasons))
    return finds


def nested(thinker: Thinker) -> list[Find]:
    state = thinker.state
    common = state.common  # made before anything is assumed
    finds = []
    for cells, mine in thinker.claims():
        cell = cells[0]
        if thinker.idle("nested", cell, mine):
            continue
        start = len(state.trail)
        fresh, stale = set(state.fresh), set(state.stale)
        left, seen, proven = NESTED_TRIALS, set[int](), False
        try:
            state.put([cell], not mine, ())
            state.propagate(passes=ASSUMED_PASSES)
        except Contradiction:
            proven = True
        looked, tried = [], set[int]()
        for ring in thinker.rings(cell):
            looked += ring
            layer = sorted({c for i in ring for c in state.open_cells(i)} - tried)
            tried.update(layer)
            if 2 * len(layer) > left or proven:
                break
            left -= 2 * len(layer)
            for second in layer:
                clash, saw = thinker.assume(second, True)
                seen |= saw
                if clash is not None:
                    clash, saw = thinker.assume(second, False)
                    seen |= saw
                    if clash is not None:
                        proven = True
                        break
        seen.update(i for c in state.trail[start:] for i, _ in state.where.get(c, ()))
        seen.update(looked)
        state.take_back(start)
        state.fresh, state.stale = fresh, stale
        if proven:
            reasons = thinker.reasons(cell, mine) if thinker.explain else ()
            finds.append(Find(tuple(cells), mine, reasons))
        else:
            thinker.failed("nested", cell, mine, seen | {j for i in seen for j in common[i]})
    return finds


def total(thinker: Thinker) -> list[Find]:
    state, board = thinker.state, thinker.board
    if state.total is None:
        return []
    rest, missing = thinker.sentence(board)
    if not 0 <= missing <= len(rest):
        raise Contradiction((board,))
    if missing in (0, len(rest)):
        return [Find(tuple(rest), missing > 0, (board,))]
    truth = thinker.truth()
    found = tally(state, known(state, thinker.models), truth, thinker.effort, thinker.budget.states)
    thinker.complete = thinker.complete and found.complete
    finds = []
    for _, cells in state.groups():
        if (mine := found.forced.get(cells[0])) is not None:
            reasons: tuple[int, ...] = (board,)
            if thinker.explain:
                live = [i for i in range(board) if state.size[i]]
                reasons = thinker.reasons(cells[0], mine, (*live, board))
            finds.append(Find(tuple(cells), mine, reasons))
    return finds


def sat(thinker: Thinker) -> list[Find]:
    truth = thinker.truth()
    finds = []
    for _, cells in thinker.state.groups():
        if (mine := truth.get(cells[0])) is not None:
            reasons: tuple[int, ...] = ()
            if thinker.explain:
                reasons = thinker.reasons(cells[0], mine)
            finds.append(Find(tuple(cells), mine, reasons))
    return _gathered(finds)


def unique(thinker: Thinker) -> list[Find]:
    state, board = thinker.state, thinker.board
    finds = []
    for key, cells in state.groups():
        told = [*key, board] if state.total is not None else list(key)
        for i in told:
            others, need = thinker.sentence(i)
            too_many, too_few = len(cells) > need, need > len(others) - len(cells)
            if len(cells) > 1 and (too_many or too_few):
                if too_many and too_few:
                    raise _not_unique()
                finds.append(Find(tuple(cells), too_few, (i,)))
                break
    return finds


LAYERS: tuple[tuple[Technique, Callable[[Thinker], list[Find]]], ...] = (
    (Technique.ONE, one),
    (Technique.TWO, two),
    (Technique.SUBSET, subset),
    (Technique.CONTRADICTION, contradiction),
    (Technique.NESTED, nested),
    (Technique.TOTAL, total),
    (Technique.SAT, sat),
    (Technique.UNIQUE, unique),
)
