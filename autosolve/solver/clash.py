"""Owns clashes: which sentences of a board contradict each other, and which of them was likely misread.

The total of the board is kept out of the search as long as may be. If the other sentences clash by themselves, they
do so in one place, and the search need not look beyond; if only the total does not fit, it is the numbers of mines
that the rest leaves room for that say so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import log

from autosolve.board.puzzle import Kind, Puzzle, Source, Variant
from autosolve.board.shape import Cell, CellSet, Shape, cells_in
from autosolve.errors import Clash
from autosolve.solver.deduction import OutOfWork
from autosolve.solver.sat import Blame, Effort, Sentence
from autosolve.solver.state import Contradiction, State
from autosolve.solver.tally import goes, numbers

# above this many, a person cannot use a list of clues, and a still shorter one is not worth the search
_FEW = 12
_SHOWN = 3
_DOUBTED = 2
# sentences among which a smallest set is looked for: all of them on a board with no more, else those near by
_NEAR = 150
# cells up to which the SAT solver is asked about the total too
_CELLS = 120
# conflicts spent on finding out what a clash comes from, on making that smaller, and on what would mend it
_WORK = 20_000


@dataclass(frozen=True, slots=True)
class Repair:
    """A way out of a clash: the sentences to doubt, and for a single one the numbers that would fit instead; or
    a mine, or a wrong flag, that the board shows at ``shown``.

    ``cost`` is the sum of what doubting each costs, lower being likelier: the log-odds of its being right.
    """

    sources: tuple[Source, ...]
    fits: tuple[int, ...]
    cost: float
    shown: Cell | None = None


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
        return f"total of {number} mine{'' if number == 1 else 's'}"
    return f"total {number} of {source.kind.value} {source.at + 1}"


def and_list(words: Sequence[str], last: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def number_list(numbers: Sequence[int]) -> str:
    """``3``, ``3 or 5``, ``3 to 7``, ``3, 5 to 7 or 9``, for rising numbers."""
    runs: list[list[int]] = []
    for n in numbers:
        if runs and runs[-1][-1] == n - 1:
            runs[-1].append(n)
        else:
            runs.append([n])
    words: list[str] = []
    for run in runs:
        words += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run)
    return and_list(words, "or")


def _sentences(state: State) -> tuple[list[Sentence], list[Source]]:
    """All sentences of a fresh state, that of the whole board last."""
    sentences: list[Sentence] = list(zip(state.members, state.need, strict=True))
    sources = list(state.sources)
    if state.total is not None:
        sentences.append((state.covered, state.total))
        sources.append(Source(Kind.BOARD))
    return sentences, sources


def clashing(puzzle: Puzzle, certainty: Mapping[Cell, float] | None = None) -> Clash:
    """The error for a puzzle without solutions: it names a few sentences that clash, and what was most likely
    misread."""
    case = _Case(puzzle, certainty)
    blamed = case.blamed
    names = [case.name(i) for i in blamed]
    room = case.room
    if room is not None:
        # so many clues are behind it that naming them would help nobody
        if room:
            message = f"The {names[0]} cannot be true: the rest of the board leaves room for {number_list(list(room))}."
        else:
            message = f"The {names[0]} cannot be true: the rest of the board leaves no room for it."
    else:
        if len(names) > _FEW:
            # the total, which comes last, is never among those left out
            last = names[-1:] if blamed[-1] == case.board else []
            names = [*names[: _FEW - len(last)], *last, f"{len(names) - _FEW} more"]
        message = (
            f"The {names[0]} cannot be true" if len(names) == 1 else f"These cannot all be true: {and_list(names)}"
        )
        shown = [case.name_shown(c) for c in case.shown]
        message += f", beside the {and_list(shown)}." if shown else "."
    cells = [puzzle.shape.at(case.sources[i].at) for i in blamed if case.sources[i].kind is Kind.CLUE]
    doubts = [case.say(repair) for repair in islice(case.singles(), _SHOWN + 1)]
    if not doubts:
        remedy = f"{'It' if len(names) == 1 else 'One of them'} was misread or mistyped; look again."
    elif len(doubts) > _SHOWN:
        remedy = f"One number was misread or mistyped; any of several would explain it, such as {doubts[0]}."
    else:
        remedy = f"Most likely misread or mistyped: {', or '.join(doubts)}."
    return Clash(message, remedy, cells=cells)


def repairs(puzzle: Puzzle, certainty: Mapping[Cell, float] | None = None, most: int = 3) -> list[Repair]:
    """The likeliest ways to make a puzzle without solutions possible again, at most ``most``, likeliest first:
    proposed, never applied. Single numbers come before pairs; a board that needs more than two is past repair,
    and there are none.

    ``certainty``  0..1 per clue, as it was read; all are taken for equally good where it is not given"""
    case = _Case(puzzle, certainty)
    return list(islice(case.singles(), most)) or case.pairs(most)


class _Case:
    """A puzzle without solutions, and what comes to light about it.

    ``blamed``  sentences that clash, as few as the budget lets us find, by index
    ``room``    None where these say it all; else they are but the total of the board, and this is the numbers of
                mines that the other sentences leave room for, empty where not known
    ``shown``   mines and wrong flags shown beside the blamed clues without which those would not clash
    """

    def __init__(self, puzzle: Puzzle, certainty: Mapping[Cell, float] | None) -> None:
        self.puzzle = puzzle
        self.state = State(puzzle)
        self.sentences, self.sources = _sentences(self.state)
        self.board = len(self.state.members)
        self.small = len(self.sentences) <= _NEAR and len(self.state.covered) <= _CELLS
        self.room: Sequence[int] | None = None
        self.costs = []
        for source in self.sources:
            sure = 0.9 if source.kind is not Kind.CLUE or certainty is None else certainty.get(Cell(source.at), 0.9)
            sure = min(max(sure, 0.501), 0.999)
            self.costs.append(log(sure / (1 - sure)))
        self.blamed = self._one_or_two() or self._beside() or self._total()
        self.shown = self._shown() if self.room is None else []

    def name(self, i: int) -> str:
        return name_source(self.puzzle.shape, self.sources[i], told(self.puzzle, self.sources[i]))

    def name_shown(self, cell: int) -> str:
        what = "mine" if self.puzzle.mines >> cell & 1 else "wrong flag"
        return f"{what} shown at {self.puzzle.shape.name(cell)}"

    def say(self, repair: Repair) -> str:
        if repair.shown is not None:
            return f"the {self.name_shown(repair.shown)}"
        source = repair.sources[0]
        name = name_source(self.puzzle.shape, source, told(self.puzzle, source))
        return f"the {name} ({number_list(repair.fits)} would fit)"

    # ------------------------------------------------------------ whom to blame

    def _one_or_two(self) -> list[int]:
        """A sentence that cannot be true, or two that cannot both be: found without any search."""
        state = self.state
        for i, (cells, need) in enumerate(self.sentences):
            if not 0 <= need <= len(cells):
                return [i]
        for i in range(self.board):
            for j, shared in state.common[i].items():
                # B's own cells cannot take all that A's share does not
                spare = state.need[i] - (state.left[i] & ~shared).bit_count()
                if spare > state.need[j]:
                    return sorted((i, j))
        if state.total is not None:
            for i, (cells, need) in enumerate(self.sentences[: self.board]):
                if not need <= state.total <= need + len(state.covered) - len(cells):
                    return [i, self.board]
        return []

    def _beside(self) -> list[int]:
        """More that clash, the total left out on a board that is not small; none where there are none."""
        wanted = len(self.sentences) if self.small else self.board
        known = frozenset[int]() if self.small else self._by_rules()
        found = self._minimal(sorted(known or range(wanted)))
        if found is None:
            return sorted(known)
        if len(found) <= 3:
            return found
        near = list(range(wanted)) if self.small else self._around(found)
        try:
            with Blame([self.sentences[i] for i in near], Effort(_WORK)) as blame:
                smallest = blame.smallest({}, min(len(found) - 1, _FEW))
        except OutOfWork:
            smallest = None
        return found if smallest is None else [near[k] for k in smallest]

    def _by_rules(self) -> frozenset[int]:
        """Sentences that clash by ONE and TWO, through all that follows from them; none where there is no clash."""
        state = State(self.puzzle)
        try:
            state.propagate()
        except Contradiction as clash:
            return state.behind(clash.reasons)
        return frozenset()

    def _minimal(self, pool: Sequence[int]) -> list[int] | None:
        """Sentences of some that clash, none of which can be spared; None where there is no clash, or none that can
        be found within the budget."""
        try:
            with Blame([self.sentences[i] for i in pool], Effort(_WORK)) as blame:
                found = blame.core(range(len(pool)), {})
                if found is None:
                    return None
            # once more among the few
            few = [pool[k] for k in found]
            with Blame([self.sentences[i] for i in few], Effort(_WORK)) as blame:
                found = blame.minimal(range(len(few)), {})
                return None if found is None else [few[k] for k in found]
        except OutOfWork:
            return None

    def _around(self, some: Sequence[int]) -> list[int]:
        """Sentences near some, these included: ring after ring, up to _NEAR."""
        ball, ring = set(some), set(some)
        while ring:
            ring = {j for i in ring for j in self.state.common[i]} - ball
            if len(ball) + len(ring) > _NEAR:
                break
            ball |= ring
        return sorted(ball)

    def _total(self) -> list[int]:
        """The total and what it does not go with, the other sentences being possible."""
        if self.state.total is not None:
            if found := self._packed():
                return found
            try:
                self.room = self._room(Effort(_WORK))
                return [self.board]
            except Contradiction as clash:
                return sorted(clash.reasons)
        # the rest does clash, but the search for where was not finished
        state = State(self.puzzle)
        state.propagate()
        return [i for i in range(self.board) if state.size[i]]

    def _room(self, effort: Effort) -> list[int]:
        """The totals of the board that the other sentences leave room for; none where not known."""
        least = told(self.puzzle, Source(Kind.BOARD)) - (self.state.total or 0)  # shown mines
        return [least + n for n in numbers(State(self.puzzle), effort)]

    def _packed(self) -> list[int]:
        """Sentences without a cell in common that need more mines than there are, or more safe cells; few of them."""
        assert self.state.total is not None
        best: list[int] = []
        for spared, limit in ((False, self.state.total), (True, len(self.state.covered) - self.state.total)):
            worth = [len(cells) - need if spared else need for cells, need in self.sentences[: self.board]]
            taken: set[int] = set()
            chosen: list[int] = []
            for i in sorted(range(self.board), key=lambda i: (-worth[i], len(self.sentences[i][0]), i)):
                cells = self.sentences[i][0]
                if len(chosen) == _FEW - 1 or not worth[i]:
                    break
                if taken.isdisjoint(cells):
                    taken.update(cells)
                    chosen.append(i)
                    limit -= worth[i]
                    if limit < 0:
                        break
            if limit < 0 and (not best or len(chosen) < len(best)):
                # none can be spared: the last was needed, and no other is worth less
                best = sorted(chosen)
        return [*best, self.board] if best else []

    def _shown(self) -> list[Cell]:
        """What is shown beside the blamed clues, and would it not be shown, they would not clash."""
        puzzle = self.puzzle
        out = []
        for cell in cells_in(self._odd_cells()):
            freed = _uncovered(puzzle, cell)
            trial = State(freed)
            again = {source: i for i, source in enumerate(trial.sources)}
            some = [
                (trial.covered, trial.total or 0)
                if s.kind is Kind.BOARD
                else (trial.members[again[s]], trial.need[again[s]])
                for s in (self.sources[i] for i in self.blamed)
            ]
            try:
                with Blame(some, Effort(_WORK)) as blame:
                    if blame.core(range(len(some)), {}) is None:
                        out.append(cell)
            except OutOfWork:
                continue
        return out

    def _odd_cells(self) -> CellSet:
        """Shown mines and wrong flags that the blamed clues count."""
        puzzle, near = self.puzzle, 0
        if len(self.blamed) > _FEW:
            return 0
        for i in self.blamed:
            if self.sources[i].kind is Kind.CLUE:
                near |= puzzle.around(self.sources[i].at)
        return near & (puzzle.mines | (puzzle.shape.all & ~puzzle.covered & ~sum(1 << c for c in puzzle.clues)))

    # ------------------------------------------------------------ what would mend it

    def singles(self) -> Iterator[Repair]:
        """The single numbers, and cells shown, that alone can be wrong, likeliest first."""
        if self.room is not None:
            if self.room:
                yield Repair((self.sources[self.board],), tuple(self.room), self.costs[self.board])
            return
        # whatever is wrong alone is part of every set that clashes
        some = sorted(self.blamed[: 2 * _FEW], key=lambda i: (self.costs[i], i))
        try:
            for i, fits in self._fitting(some, Effort(_WORK)):
                yield Repair((self.sources[i],), fits, self.costs[i])
            for cell in self.shown:
                if goes(State(_uncovered(self.puzzle, cell)), Effort(_WORK)):
                    yield Repair((), (), log(9), shown=cell)
        except OutOfWork:
            return

    def _fitting(self, some: Sequence[int], effort: Effort) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Sentences of some that can be wrong alone, and the numbers that could have been told instead. Raises
        OutOfWork."""
        top = 9 if self.puzzle.variant is Variant.MOSAIC else 8
        searched = len(self.sentences) if self.small else self.board
        others: list[Sentence] = list(self.sentences[:searched])
        trials: dict[
            int, list[tuple[int, int]]
        ] = {}  # per sentence the other numbers, and where they are in the search
        for i in some:
            if i >= searched:
                continue
            cells, need = self.sentences[i]
            number = told(self.puzzle, self.sources[i])
            least = number - need  # shown mines
            most = min(least + len(cells), top if self.sources[i].kind is Kind.CLUE else least + len(cells))
            for n in range(max(0, least), most + 1):
                if n != number:
                    trials.setdefault(i, []).append((n, len(others)))
                    others.append((cells, n - least))
        with Blame(others, effort) as blame:
            for i in some:
                if i >= searched:
                    if room := self._room(effort):
                        yield i, tuple(room)
                    continue
                rest = [j for j in range(searched) if j != i]
                if blame.core(rest, {}) is not None:
                    continue
                fits = [n for n, at in trials.get(i, ()) if blame.core([*rest, at], {}) is None]
                if not self.small and self.state.total is not None:
                    fits = [n for n in fits if goes(State(self._told_otherwise(i, n)), effort)]
                if fits:
                    yield i, tuple(fits)

    def _told_otherwise(self, i: int, number: int) -> Puzzle:
        puzzle, source = self.puzzle, self.sources[i]
        if source.kind is Kind.CLUE:
            return replace(puzzle, clues={**puzzle.clues, Cell(source.at): number})
        rows, columns = list(puzzle.totals.rows), list(puzzle.totals.columns)
        (rows if source.kind is Kind.ROW else columns)[source.at] = number
        return replace(puzzle, totals=replace(puzzle.totals, rows=tuple(rows), columns=tuple(columns)))

    def pairs(self, most: int) -> list[Repair]:
        """The cheapest pairs of sentences without which the others are possible, near the clash."""
        if self.room is not None:
            return []
        searched = len(self.sentences) if self.small else self.board
        near = list(range(searched)) if self.small else self._around([i for i in self.blamed if i < searched])
        out: list[Repair] = []
        try:
            with Blame([self.sentences[i] for i in near], Effort(_WORK)) as blame:
                if not blame.within(_DOUBTED):
                    return []
                # doubting two costs more than doubting the worst one alone only if every cost has a floor
                floor = max(self.costs)
                with Blame(self.sentences[:searched], Effort(_WORK)) as whole:
                    for off, cost in islice(blame.cheapest([self.costs[i] + floor for i in near]), 4 * most):
                        if len(off) > _DOUBTED or len(out) == most:
                            break
                        wrong = {near[k] for k in off}
                        if len(off) == _DOUBTED and whole.core(set(range(searched)) - wrong, {}) is None:
                            sources = tuple(self.sources[i] for i in sorted(wrong))
                            out.append(Repair(sources, (), cost - floor * len(off)))
        except OutOfWork:
            return out
        return out


def _uncovered(puzzle: Puzzle, cell: Cell) -> Puzzle:
    """The same with a shown mine or a wrong flag taken for a covered cell."""
    return replace(puzzle, covered=puzzle.covered | 1 << cell, mines=puzzle.mines & ~(1 << cell))
