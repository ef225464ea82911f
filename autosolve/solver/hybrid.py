"""Owns ``solve``: rules first, then a search on the sentences without the board's total, then the total.

Nothing it says is likely: every cell it decides is the same in all solutions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from autosolve.board.puzzle import Kind, Puzzle, Source
from autosolve.board.shape import Cell, CellSet, Shape, cell_set
from autosolve.errors import Clash
from autosolve.solver.deduction import Budget, OutOfWork, Solution, Technique
from autosolve.solver.state import CLEAR, MINED, Contradiction, State
from autosolve.solver.sat import Backbone, Blame, Effort, Sentence, backbone

QUICK = frozenset({Technique.ONE, Technique.TWO, Technique.TOTAL, Technique.SAT})

ENOUGH = Budget()


def solve(
    puzzle: Puzzle,
    *,
    layers: Collection[Technique] = QUICK,
    budget: Budget = ENOUGH,
    explain: bool = False,
) -> Solution:
    """All cells of a puzzle that are certain, by the layers allowed.

    Raises Clash, naming a few clues that cannot all be true, when the puzzle has no solution and the layers
    allowed find out."""
    effort = Effort(budget.conflicts)
    state = State(puzzle)
    hardest: Technique | None = None
    other: tuple[CellSet, CellSet] | None = None
    complete = True
    try:
        if Technique.ONE in layers:
            ones, twos = state.propagate(two=Technique.TWO in layers)
            if ones:
                hardest = Technique.ONE
            if twos:
                hardest = Technique.TWO
        if Technique.SAT in layers and len(state.trail) < len(state.covered):
            hardest, other, complete = _search(state, effort, hardest, Technique.TOTAL in layers)
    except Contradiction as clash:
        raise clashing(puzzle, clash.reasons) from None
    return Solution(puzzle, state.mask(MINED), state.mask(CLEAR), other=other, hardest=hardest, complete=complete)


def _search(
    state: State, effort: Effort, hardest: Technique | None, with_total: bool
) -> tuple[Technique | None, tuple[CellSet, CellSet] | None, bool]:
    """Decides all that is certain of what the rules have left; the hardest technique needed, two solutions that
    differ, and whether the budget sufficed. Raises Contradiction."""
    complete = True
    models: list[Backbone] = []
    for _, sentences in state.components():
        try:
            found = backbone([(state.open_cells(i), state.need[i]) for i in sentences], effort)
        except OutOfWork:
            complete = False
            continue
        if found is None:
            raise Contradiction(tuple(sentences))
        models.append(found)
        complete = complete and found.complete
        if found.forced:
            hardest = Technique.SAT
            _decide(state, found.forced)
    if with_total and state.total is not None:
        return _with_total(state, effort, hardest, complete)
    other = None
    base = frozenset[int]().union(*(m.model for m in models))
    spoken = [m for m in models if m.second is not None]
    silent = [c for c in state.covered if not state.known[c] and c not in state.where]
    if complete and spoken:
        assert spoken[0].second is not None
        other = base, (base - spoken[0].model) | spoken[0].second
    elif complete and silent:
        other = base, base | {silent[0]}
    return hardest, _pair(state, other), complete


def _with_total(
    state: State, effort: Effort, hardest: Technique | None, complete: bool
) -> tuple[Technique | None, tuple[CellSet, CellSet] | None, bool]:
    """The same once the mines of the whole board are told."""
    assert state.total is not None
    board = len(state.members)
    rest = [c for c in state.covered if not state.known[c]]
    missing = state.total - state.mined
    if not 0 <= missing <= len(rest):
        raise Contradiction((board,))
    if not rest:
        return hardest, None, complete
    live = [i for i, n in enumerate(state.size) if n]
    try:
        found = backbone([*((state.open_cells(i), state.need[i]) for i in live), (rest, missing)], effort)
    except OutOfWork:
        return hardest, None, False
    if found is None:
        raise Contradiction((*live, board))
    if found.forced:
        hardest = max(Technique.TOTAL, hardest or Technique.TOTAL)
        _decide(state, found.forced)
    other = (found.model, found.second) if found.second is not None else None
    return hardest, _pair(state, other), complete and found.complete


def _decide(state: State, forced: dict[int, bool]) -> None:
    for mine in (False, True):
        state.put([c for c, value in forced.items() if value is mine], mine, ())


def _pair(state: State, models: tuple[Iterable[int], Iterable[int]] | None) -> tuple[CellSet, CellSet] | None:
    """Two whole solutions from the mines each has among the cells that a search was about."""
    if models is None:
        return None
    decided = state.mask(MINED)
    return decided | cell_set(models[0]), decided | cell_set(models[1])
