"""Owns ``solve``: rules first, then a search on the sentences without the board's total, then the total.

Nothing it says is likely: every cell it decides is the same in all solutions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from autosolve.board.puzzle import Kind, Puzzle, Source
from autosolve.board.shape import Cell, CellSet, Shape, cell_set
from autosolve.errors import Clash
from autosolve.solver.deduction import Budget, Solution, Technique
from autosolve.solver.logic import CLEAR, MINED, Contradiction, State
from autosolve.solver.sat import Backbone, Blame, Effort, OutOfWork, Sentence, backbone

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
        raise _clash(puzzle, clash.reasons, effort) from None
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


# ---------------------------------------------------------------- clashes


def name_source(shape: Shape, source: Source, mines: int) -> str:
    """What a sentence is called: ``the 3 at r4c7``, ``the total 5 of row 2``."""
    if source.kind is Kind.CLUE:
        return f"the {mines} at {shape.name(source.at)}"
    if source.kind is Kind.BOARD:
        return f"the board's total of {mines} mines"
    return f"the total {mines} of {source.kind.value} {source.at + 1}"


def _clash(puzzle: Puzzle, near: Sequence[int], effort: Effort) -> Clash:
    """The error that names a small set of sentences that clash, looked for around the sentences ``near``."""
    state = State(puzzle)
    sentences: list[Sentence] = list(zip(state.members, state.need, strict=True))
    sources = list(state.sources)
    if state.total is not None:
        sentences.append((state.covered, state.total))
        sources.append(Source(Kind.BOARD))
    blamed = _blame(state, sentences, near)
    said = [puzzle.clues[Cell(s.at)] if s.kind is Kind.CLUE else _told(puzzle, s) for s in (sources[i] for i in blamed)]
    names = [name_source(puzzle.shape, sources[i], n) for i, n in zip(blamed, said, strict=True)]
    cells = [puzzle.shape.at(sources[i].at) for i in blamed if sources[i].kind is Kind.CLUE]
    if len(names) == 1:
        message = f"{names[0][0].upper()}{names[0][1:]} cannot be true."
    else:
        message = f"These contradict each other: {', '.join(names[:-1])} and {names[-1]}."
    return Clash(message, "One of them was misread or mistyped; check them.", cells=cells)


def _told(puzzle: Puzzle, source: Source) -> int:
    totals = puzzle.totals
    if source.kind is Kind.BOARD:
        return totals.mines or 0
    return (totals.rows if source.kind is Kind.ROW else totals.columns)[source.at] or 0


def _blame(state: State, sentences: Sequence[Sentence], near: Sequence[int]) -> list[int]:
    """Indices of sentences that clash and of which none can be spared."""
    effort = Effort(ENOUGH.conflicts)
    with Blame(sentences, effort) as blame:
        ball = {i for i in near if i < len(sentences)}
        ring = set(ball)
        try:
            # a clash is local: grow outwards, so that what is named lies close together
            while ring:
                if (found := blame.minimal(sorted(ball), {})) is not None:
                    return found
                ring = {j for i in ring if i < len(state.members) for j in state.common[i]} - ball
                ball |= ring
            return blame.minimal(range(len(sentences)), {}) or sorted(near)
        except OutOfWork:
            return sorted(near)
