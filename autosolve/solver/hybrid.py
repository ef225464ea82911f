"""Owns ``solve``: rules first, then a search on the sentences without the board's total, then the total.

Nothing it says is likely: every cell it decides is the same in all solutions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from autosolve.board.puzzle import Marks, Puzzle
from autosolve.board.shape import Cell, CellSet, cell_set
from autosolve.errors import Undecided
from autosolve.solver.clash import clashing
from autosolve.solver.deduction import Budget, Deduction, OutOfWork, Solution, Technique, Verdict
from autosolve.solver.sat import Effort, backbone
from autosolve.solver.state import CLEAR, MINED, Contradiction, State
from autosolve.solver.tally import known, tally

if TYPE_CHECKING:
    from autosolve.solver.guess import Policy

T = Technique
# what proves most in the least time, and what a person could follow as well
QUICK = frozenset({T.ONE, T.TWO, T.TOTAL, T.SAT})
FULL = frozenset({T.ONE, T.TWO, T.SUBSET, T.CONTRADICTION, T.TOTAL, T.SAT})
ENOUGH = Budget()


def solve(
    puzzle: Puzzle,
    *,
    layers: Collection[Technique] | None = None,
    budget: Budget = ENOUGH,
    explain: bool = False,
    guess: Policy | None = None,
    certainty: Mapping[Cell, float] | None = None,
) -> Solution:
    """All cells of a puzzle that are certain, by the layers allowed: QUICK if none are given, FULL to explain.

    With ``explain`` the solution holds every step with its reasons and its sentence; with ``guess`` the cell
    that the policy would open, where cells are undecided, none of the safe ones is still to be opened, and the budget
    suffices to count.
    ``certainty`` says how surely each clue was read, 0 to 1: it changes nothing but which clue a clash doubts first.
    Raises Clash, naming a few clues that cannot all be true, when the puzzle has no solution and the layers
    allowed find out; Undecided when UNIQUE was allowed and there is not one solution."""
    if layers is None:
        layers = FULL if explain else QUICK
    try:
        if explain or not QUICK.issuperset(layers) or T.ONE not in layers:
            solution = _think(puzzle, layers, budget, explain)
        else:
            solution = _quick(puzzle, layers, budget)
    except Contradiction:
        raise clashing(puzzle, certainty) from None
    if guess is not None and solution.undecided and not solution.safe:
        from autosolve.solver.guess import best_guess

        try:
            found = best_guess(puzzle, guess, budget=budget)
        except Undecided:
            return solution
        return replace(solution, guess=found.cell if found else None)
    return solution


def next_step(puzzle: Puzzle, marks: Marks | None = None, *, budget: Budget = ENOUGH) -> Deduction | None:
    """The easiest deduction that ``marks`` does not show yet; None where nothing more is certain.

    Raises Clash when the puzzle has no solution."""
    from autosolve.solver.logic import Thinker

    marks = marks or Marks()
    thinker = Thinker(puzzle, FULL, budget, explain=True)
    seen = 0
    try:
        while thinker.state.undecided:
            before = thinker.now
            thinker.run(passes=before + 1)
            for step in thinker.steps[seen:]:
                shown = marks.flags if step.verdict is Verdict.MINE else marks.crosses
                if step.cells & ~shown:
                    return step
            seen = len(thinker.steps)
            if thinker.now == before:
                break
    except Contradiction:
        raise clashing(puzzle) from None
    return None


def _think(puzzle: Puzzle, layers: Collection[Technique], budget: Budget, explain: bool) -> Solution:
    """Step by step, every pass told apart."""
    from autosolve.solver.logic import Thinker

    thinker = Thinker(puzzle, layers, budget, explain)
    thinker.run()
    state, other = thinker.state, None
    if state.undecided and T.SAT in layers and T.UNIQUE not in thinker.waves:
        other = _Search(state, thinker.effort, budget, T.TOTAL in layers).other
    return Solution(
        puzzle,
        state.mask(MINED),
        state.mask(CLEAR),
        steps=tuple(thinker.steps),
        other=other,
        hardest=thinker.hardest,
        complete=thinker.complete,
        waves=tuple(sorted(thinker.waves.items())),
    )


def _quick(puzzle: Puzzle, layers: Collection[Technique], budget: Budget) -> Solution:
    """The same cells, without a word on how."""
    state = State(puzzle)
    ones, twos = state.propagate(two=T.TWO in layers)
    waves = {T.ONE: ones, T.TWO: twos}
    other, complete = None, True
    if state.undecided and T.SAT in layers:
        search = _Search(state, Effort(budget.conflicts), budget, T.TOTAL in layers)
        other, complete = search.other, search.complete
        waves |= search.waves
    elif T.TOTAL in layers and state.total is not None:
        waves[T.TOTAL] = int(_bare_total(state))
    waves = {technique: number for technique, number in waves.items() if number}
    return Solution(
        puzzle,
        state.mask(MINED),
        state.mask(CLEAR),
        other=other,
        hardest=max(waves, default=None),
        complete=complete,
        waves=tuple(sorted(waves.items())),
    )


def _bare_total(state: State) -> bool:
    """Decides what the number of missing mines says without any other sentence; whether it said anything."""
    assert state.total is not None
    state.check()
    missing, undecided = state.total - state.mined, state.undecided
    if undecided and missing in (0, undecided):
        state.put([c for c in state.covered if not state.known[c]], missing > 0, (len(state.members),))
        state.check()
        return True
    return False


class _Search:
    """Decides all that is certain of what the rules have left in a state.

    ``other``     two solutions that differ, where cells stay undecided and the budget sufficed
    ``complete``  whether the budget sufficed
    ``waves``     what was of use
    Raises Contradiction where there is no solution.
    """

    def __init__(self, state: State, effort: Effort, budget: Budget, with_total: bool) -> None:
        self.state, self.effort, self.complete = state, effort, True
        self.other: tuple[CellSet, CellSet] | None = None
        self.waves: dict[Technique, int] = {}
        models = self._fronts()
        if with_total and state.total is not None:
            self._total(models, budget)
        elif self.complete:
            base = frozenset[int]().union(*(m[0] for m in models))
            for m in models:
                if len(m) > 1:
                    self._pair(base, (base - m[0]) | m[1])
                    return
            if free := state.free:
                self._pair(base, base | {free[0]})

    def _fronts(self) -> list[tuple[frozenset[int], ...]]:
        """Decides what each front says by itself; the solutions met, front by front."""
        state = self.state
        models: list[tuple[frozenset[int], ...]] = []
        for _, sentences in state.components():
            try:
                found = backbone([(state.open_cells(i), state.need[i]) for i in sentences], self.effort)
            except OutOfWork:
                self.complete = False
                continue
            if found is None:
                raise Contradiction(tuple(sentences))
            models.append(found.models)
            self.complete = self.complete and found.complete
            self._decide(found.forced, T.SAT)
        return models

    def _total(self, models: list[tuple[frozenset[int], ...]], budget: Budget) -> None:
        state = self.state
        if _bare_total(state):
            self.waves[T.TOTAL] = 1
            return
        if not state.undecided:
            return
        found = tally(state, known(state, models), (), self.effort, budget.states)
        if found.pair:
            self._pair(*found.pair)
        self.complete = found.complete
        self._decide(found.forced, T.TOTAL)

    def _decide(self, forced: dict[int, bool], technique: Technique) -> None:
        if forced:
            self.waves[technique] = 1
            for mine in (False, True):
                self.state.put([c for c, value in forced.items() if value is mine], mine, ())

    def _pair(self, first: Iterable[int] | CellSet, second: Iterable[int] | CellSet) -> None:
        decided = self.state.mask(MINED)
        self.other = (
            decided | (first if isinstance(first, int) else cell_set(first)),
            decided | (second if isinstance(second, int) else cell_set(second)),
        )
