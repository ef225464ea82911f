"""Owns clashes: which sentences of a board contradict each other, and which of them was likely misread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import log

from autosolve.board.puzzle import Kind, Puzzle, Source, Variant
from autosolve.board.shape import Cell, Shape
from autosolve.errors import Clash
from autosolve.solver.deduction import OutOfWork
from autosolve.solver.sat import Blame, Effort, Sentence
from autosolve.solver.state import State

# above this many, a person cannot use a list of clues, and a still shorter one is not worth the search
_FEW = 12
_SHOWN = 3
_DOUBTED = 2
# conflicts spent on finding out what a clash comes from
_WORK = 100_000


@dataclass(frozen=True, slots=True)
class Repair:
    """A way out of a clash: the sentences to doubt, and for a single one the numbers that would fit instead.

    ``cost`` is the sum of what doubting each costs, lower being likelier: the log-odds of its being right.
    """

    sources: tuple[Source, ...]
    fits: tuple[int, ...]
    cost: float


def told(puzzle: Puzzle, source: Source) -> int:
    """The number that the board shows there."""
    totals = puzzle.totals
    if source.kind is Kind.CLUE:
        return puzzle.clues[Cell(source.at)]
    if source.kind is Kind.BOARD:
        return totals.mines or 0
    return (totals.rows if source.kind is Kind.ROW else totals.columns)[source.at] or 0


def name_source(shape: Shape, source: Source, number: int) -> str:
    """What a sentence is called: ``3 at r4c7``, ``total 5 of row 2``."""
    if source.kind is Kind.CLUE:
        return f"{number} at {shape.name(source.at)}"
    if source.kind is Kind.BOARD:
        return f"total of {number} mines"
    return f"total {number} of {source.kind.value} {source.at + 1}"


def and_list(words: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _sentences(state: State) -> tuple[list[Sentence], list[Source]]:
    """All sentences of a fresh state, that of the whole board last."""
    sentences: list[Sentence] = list(zip(state.members, state.need, strict=True))
    sources = list(state.sources)
    if state.total is not None:
        sentences.append((state.covered, state.total))
        sources.append(Source(Kind.BOARD))
    return sentences, sources


def clashing(puzzle: Puzzle, near: Sequence[int], certainty: Mapping[Cell, float] | None = None) -> Clash:
    """The error for a puzzle without solutions: it names a few sentences that clash, looked for around the
    sentences ``near`` (by index, the board's total last), and the clues most likely misread."""
    state = State(puzzle)
    sentences, sources = _sentences(state)
    blamed = _blame(state, sentences, near)
    names = [name_source(puzzle.shape, sources[i], told(puzzle, sources[i])) for i in blamed]
    if len(names) > _FEW:
        names = [*names[:_FEW], f"{len(names) - _FEW} more"]
    if len(names) == 1:
        message = f"The {names[0]} cannot be true."
    else:
        message = f"These cannot all be true: {and_list(names)}."
    cells = [puzzle.shape.at(sources[i].at) for i in blamed if sources[i].kind is Kind.CLUE]
    doubts = [_say(puzzle, r) for r in repairs(puzzle, certainty, most=_SHOWN + 1) if len(r.sources) == 1]
    if not doubts:
        remedy = f"{'It' if len(names) == 1 else 'One of them'} was misread or mistyped; look again."
    elif len(doubts) > _SHOWN:
        remedy = f"One number was misread or mistyped; any of several would explain it, such as {doubts[0]}."
    else:
        remedy = f"Most likely misread or mistyped: {', or '.join(doubts)}."
    return Clash(message, remedy, cells=cells)


def _say(puzzle: Puzzle, repair: Repair) -> str:
    source = repair.sources[0]
    fits = " or ".join(map(str, repair.fits))
    return f"the {name_source(puzzle.shape, source, told(puzzle, source))}" + (f" ({fits} would fit)" if fits else "")


def _blame(state: State, sentences: Sequence[Sentence], near: Sequence[int]) -> list[int]:
    """Indices of sentences that clash, as few as the budget lets us find, none of which can be spared."""
    effort = Effort(_WORK)
    found: list[int] | None = None
    with Blame(sentences, effort) as blame:
        ball = {i for i in near if i < len(sentences)}
        ring = set(ball)
        try:
            # a clash is local: grow outwards, so that what is named lies close together
            while ring and found is None:
                found = blame.minimal(sorted(ball), {})
                ring = {j for i in ring if i < len(state.members) for j in state.common[i]} - ball
                ball |= ring
            found = found or blame.minimal(range(len(sentences)), {})
            if found is not None:
                found = blame.smallest({}, min(len(found) - 1, _FEW)) or found
        except OutOfWork:
            pass
    return found or sorted(near)


def repairs(puzzle: Puzzle, certainty: Mapping[Cell, float] | None = None, most: int = 3) -> list[Repair]:
    """The likeliest ways to make a puzzle without solutions possible again, at most ``most``, likeliest first:
    proposed, never applied. Single numbers come before pairs; a board that needs more than two is past repair,
    and there are none.

    ``certainty``  0..1 per clue, as it was read; all are taken for equally good where it is not given"""
    sentences, sources = _sentences(State(puzzle))
    top = 9 if puzzle.variant is Variant.MOSAIC else 8
    costs = []
    for source in sources:
        sure = 0.9 if source.kind is not Kind.CLUE or certainty is None else certainty.get(Cell(source.at), 0.9)
        sure = min(max(sure, 0.501), 0.999)
        costs.append(log(sure / (1 - sure)))
    effort = Effort(_WORK)
    out: list[Repair] = []
    with Blame(sentences, effort) as blame:
        try:
            if not blame.within(_DOUBTED):
                return []
        except OutOfWork:
            return []
        # doubting two costs more than doubting the worst one alone only if every cost has a floor
        floor = max(costs, default=1.0)
        for off, cost in islice(blame.cheapest([c + floor for c in costs]), 4 * most):
            if out and len(off) > len(out[0].sources):
                break
            fits: tuple[int, ...] = ()
            if len(off) == 1:
                (wrong,) = off
                members, need = sentences[wrong]
                number = told(puzzle, sources[wrong])
                limit = top if sources[wrong].kind is Kind.CLUE else len(members) + number - need
                others = [s for i, s in enumerate(sentences) if i != wrong]
                fits = _fitting(others, members, range(number - need, limit + number - need + 1), number - need, effort)
                fits = tuple(n for n in fits if 0 <= n <= limit)
                if not fits:
                    continue
            out.append(Repair(tuple(sources[i] for i in off), fits, cost - floor * len(off)))
            if len(out) == most:
                break
    return out


def _fitting(
    others: Sequence[Sentence], members: Sequence[int], numbers: range, offset: int, effort: Effort
) -> tuple[int, ...]:
    """Numbers that these cells could have been told to hold beside the other sentences."""
    trials = [n for n in numbers if 0 <= n - offset <= len(members)]
    with Blame([*others, *((members, n - offset) for n in trials)], effort) as blame:
        base = range(len(others))
        try:
            return tuple(n for k, n in enumerate(trials) if blame.core([*base, len(others) + k], {}) is None)
        except OutOfWork:
            return ()
