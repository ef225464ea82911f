"""Owns the search through all cases: what holds in every solution, a second solution, the sentences to blame.

It speaks of *sentences* as ``(cells, mines)``: exactly so many mines among these cells, cells being any ints.
The only file that imports pysat. MiniCard is used because it takes "at most k of these" as it stands: setting up
a 50x50 board costs a tenth of the same in clauses, and its searches are as short (see ``benchmarks/``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pysat.solvers import Minicard

from autosolve.solver.deduction import OutOfWork

Sentence = tuple[Sequence[int], int]

# a guess at the smallest set to blame that takes more than this is not worth waiting for
_PICKER_CONFLICTS = 20_000


class Effort:
    """Conflicts that may still be spent, shared by all searches of one ``solve``.

    A conflict on a large board takes longer than one on a small board, and a search without any takes time too: so
    many propagations count as one, and so many cells in the sentences that a solver is set up with."""

    PROPAGATIONS = 200
    # cells told to a solver that cost as much to set up
    CELLS = 60

    __slots__ = ("conflicts",)

    def __init__(self, conflicts: int) -> None:
        self.conflicts = conflicts

    def spend(self, conflicts: int) -> None:
        """Raises OutOfWork where fewer are left."""
        self.conflicts -= conflicts
        if self.conflicts < 0:
            raise OutOfWork

    def run(self, card: Minicard, assumptions: Sequence[int] = ()) -> bool:
        """Whether there is a solution. Raises OutOfWork."""
        if self.conflicts <= 0:
            raise OutOfWork
        before = card.accum_stats()
        card.conf_budget(self.conflicts)
        card.prop_budget(self.conflicts * self.PROPAGATIONS)
        found: bool | None = card.solve_limited(assumptions)
        after = card.accum_stats()
        work = after["propagations"] - before["propagations"] + len(assumptions)
        self.conflicts -= max(after["conflicts"] - before["conflicts"], work // self.PROPAGATIONS)
        if found is None:
            raise OutOfWork
        return found


@dataclass(frozen=True, slots=True)
class Backbone:
    """What all solutions have in common.

    ``forced``    cell to True for a mine, False for none
    ``models``    the mines of the solutions met on the way, at least one; every cell that is not forced differs in two
    ``complete``  False where the budget ran out: ``forced`` is empty then, and nothing is proven
    """

    forced: dict[int, bool]
    models: tuple[frozenset[int], ...]
    complete: bool = True

    @property
    def model(self) -> frozenset[int]:
        """The mines of one solution."""
        return self.models[0]

    @property
    def second(self) -> frozenset[int] | None:
        """The mines of another, None where none was met."""
        return self.models[1] if len(self.models) > 1 else None


class _Solver:
    """MiniCard over cells, with its work counted."""

    def __init__(self, sentences: Iterable[Sentence], effort: Effort) -> None:
        if effort.conflicts <= 0:
            raise OutOfWork
        self.cells: list[int] = []
        self.variable: dict[int, int] = {}
        self.effort = effort
        self.card = Minicard()
        self.possible = True
        variable, cells, told = self.variable, self.cells, 0
        for members, mines in sentences:
            told += len(members)
            literals = []
            for cell in members:
                v = variable.get(cell)
                if v is None:
                    cells.append(cell)
                    v = variable[cell] = len(cells)
                literals.append(v)
            if not 0 <= mines <= len(literals):
                self.possible = False
            elif mines == 0:
                for v in literals:
                    self.card.add_clause([-v])
            elif mines == len(literals):
                for v in literals:
                    self.card.add_clause([v])
            else:
                self.card.add_atmost(literals, mines)
                self.card.add_atmost([-v for v in literals], len(literals) - mines)
        effort.conflicts -= told // effort.CELLS  # where none are left, the search will say so

    def __enter__(self) -> _Solver:
        return self

    def __exit__(self, *_: object) -> None:
        self.card.delete()

    def solve(self, assumptions: Sequence[int] = ()) -> list[int] | None:
        """The literals of a solution, one a variable in order; None where there is none. Raises OutOfWork."""
        if not self.possible:
            return None
        if not self.effort.run(self.card, assumptions):
            return None
        model: list[int] = self.card.get_model()[: len(self.cells)]
        return model

    def mines(self, model: Iterable[int]) -> frozenset[int]:
        return frozenset(self.cells[v - 1] for v in model if v > 0)


def backbone(sentences: Sequence[Sentence], effort: Effort) -> Backbone | None:
    """What holds in every solution of the sentences; None where there is no solution.

    Raises OutOfWork only where not even one solution was found within the budget."""
    with _Solver(sentences, effort) as solver:
        first = solver.solve()
        if first is None:
            return None
        models = [solver.mines(first)]
        # literals that held in every solution so far; each round asks for one that breaks any of them
        common = first
        try:
            while common:
                solver.card.set_phases([-x for x in common])
                solver.card.add_clause([-x for x in common])
                model = solver.solve()
                if model is None:
                    break
                models.append(solver.mines(model))
                common = [x for x in common if model[abs(x) - 1] == x]
        except OutOfWork:
            return Backbone({}, tuple(models), complete=False)
        cells = solver.cells
        return Backbone({cells[abs(x) - 1]: x > 0 for x in common}, tuple(models))


class Search:
    """Solutions of some sentences, one after the other, each as near to one that is known as may be."""

    def __init__(self, sentences: Sequence[Sentence], effort: Effort) -> None:
        self._solver = _Solver(sentences, effort)

    def __enter__(self) -> Search:
        return self

    def __exit__(self, *_: object) -> None:
        self._solver.__exit__()

    def between(self, least: int, most: int) -> None:
        """From now on the cells hold so many mines, all together."""
        n = len(self._solver.cells)
        if most < 0 or least > n:
            self._solver.possible = False
        if 0 <= most < n:
            self._solver.card.add_atmost(list(range(1, n + 1)), most)
        if 0 < least <= n:
            self._solver.card.add_atmost([-v for v in range(1, n + 1)], n - least)

    def near(self, mines: Collection[int]) -> None:
        """From now on solutions are looked for near this one."""
        self._solver.card.set_phases([v if c in mines else -v for v, c in enumerate(self._solver.cells, 1)])

    def solution(self, claim: Mapping[int, bool]) -> frozenset[int] | None:
        """The mines of a solution in which these cells are as claimed; None where there is none. Raises OutOfWork."""
        variable = self._solver.variable
        model = self._solver.solve([variable[c] if mine else -variable[c] for c, mine in claim.items()])
        return None if model is None else self._solver.mines(model)


def possible(sentences: Sequence[Sentence], effort: Effort) -> bool:
    """Whether all the sentences can be true together. Raises OutOfWork."""
    with _Solver(sentences, effort) as solver:
        return solver.solve() is not None


def count_models(sentences: Sequence[Sentence], effort: Effort, most: int) -> int:
    """The number of solutions, or ``most`` where there are at least so many. Raises OutOfWork."""
    found = 0
    with _Solver(sentences, effort) as solver:
        while found < most and (model := solver.solve()) is not None:
            found += 1
            if not model:
                break
            solver.card.add_clause([-x for x in model])
    return found


class Blame:
    """Finds which sentences are to blame: every sentence can be switched on and off.

    A sentence over n cells that needs k has n - k helpers that the switch sets, so that "at most n of its cells
    and helpers" means "at most k of its cells" while it is on and nothing while it is off; and k for "at least".
    """

    def __init__(self, sentences: Sequence[Sentence], effort: Effort) -> None:
        self.effort = effort
        self.sentences = sentences
        self.clauses: list[list[int]] = []
        self.atmosts: list[tuple[list[int], int]] = []
        self.card = Minicard()
        self.variable: dict[int, int] = {}
        variable = self.variable
        for members, _ in sentences:
            for cell in members:
                variable.setdefault(cell, len(variable) + 1)
        top = len(variable)
        self.switch: list[int] = []
        for members, mines in sentences:
            literals = [variable[c] for c in members]
            n = len(literals)
            top += 1
            switch = top
            self.switch.append(switch)
            if not 0 <= mines <= n:
                self._clause([-switch])
                continue
            for signed, most in ((literals, mines), ([-v for v in literals], n - mines)):
                if most == 0:
                    for v in signed:
                        self._clause([-switch, -v])
                elif most < n:
                    helpers = list(range(top + 1, top + n - most + 1))
                    top += n - most
                    for helper in helpers:
                        self._clause([-switch, helper])
                    self._at_most(signed + helpers, n)
        effort.conflicts -= sum(len(members) for members, _ in sentences) // effort.CELLS
        # MiniCard grows with what it is told; a switch no clause names must be known too
        self._clause([self.switch[-1], -self.switch[-1]] if self.switch else [1, -1])
        self.position = {s: i for i, s in enumerate(self.switch)}

    def __enter__(self) -> Blame:
        return self

    def __exit__(self, *_: object) -> None:
        self.card.delete()

    def _clause(self, clause: list[int]) -> None:
        self.clauses.append(clause)
        self.card.add_clause(clause)

    def _at_most(self, literals: list[int], most: int) -> None:
        self.atmosts.append((literals, most))
        self.card.add_atmost(literals, most)

    def _literals(self, claim: dict[int, bool]) -> list[int]:
        return [self.variable[c] if mine else -self.variable[c] for c, mine in claim.items()]

    def within(self, most: int) -> bool:
        """Whether leaving out at most so many sentences allows a solution. Raises OutOfWork."""
        with Minicard() as card:
            for clause in self.clauses:
                card.add_clause(clause)
            for literals, limit in self.atmosts:
                card.add_atmost(literals, limit)
            card.add_atmost([-switch for switch in self.switch], most)
            card.set_phases(self.switch)
            return self.effort.run(card)

    def cheapest(self, costs: Sequence[float]) -> Iterator[tuple[list[int], float]]:
        """Sets of sentences without which the others allow a solution, cheapest first, none part of another;
        ``costs`` per sentence, above 0. By MaxSAT (RC2), which knows no budget: ask ``within`` first."""
        from pysat.examples.rc2 import RC2
        from pysat.formula import WCNFPlus

        formula = WCNFPlus()
        for clause in self.clauses:
            formula.append(clause)
        for literals, most in self.atmosts:
            formula.append([literals, most], is_atmost=True)
        for switch, cost in zip(self.switch, costs, strict=True):
            formula.append([switch], weight=cost)
        with RC2(formula, solver="mc") as search:
            for model in search.enumerate(block=1):
                off = [i for i, switch in enumerate(self.switch) if model[switch - 1] < 0]
                yield off, sum(costs[i] for i in off)

    def core(self, among: Iterable[int], claim: dict[int, bool]) -> list[int] | None:
        """Sentences among those given that already clash with a claim about cells; None where none do.

        Raises OutOfWork."""
        if self.effort.run(self.card, self._literals(claim) + [self.switch[i] for i in among]):
            return None
        position = self.position
        return sorted(position[x] for x in self.card.get_core() or () if x in position)

    def minimal(self, among: Iterable[int], claim: dict[int, bool]) -> list[int] | None:
        """Sentences that clash with the claim, none of which can be spared; None where none do.

        Raises OutOfWork."""
        core = self.core(among, claim)
        if core is None:
            return None
        sure: list[int] = []
        while core:
            trial = core.pop()
            smaller = self.core(sure + core, claim)
            if smaller is None:
                sure.append(trial)
            else:
                core = [i for i in core if i in smaller]
        return sorted(sure)

    def smallest(self, claim: dict[int, bool], most: int, rounds: int = 200) -> list[int] | None:
        """A set of sentences that clashes with the claim and is as small as any; None where every such set has
        more than ``most`` sentences.

        Whatever clashes must take one sentence out of every set whose absence would allow a solution. So: guess
        the smallest set that does so with the sets known, and as long as it does not clash, learn another one.
        Raises OutOfWork, also after ``rounds`` guesses."""
        count = len(self.switch)
        self.card.set_phases(self.switch)
        hitting: list[list[int]] = []
        for size in range(1, min(most, count) + 1):
            with Minicard() as picker:
                picker.add_atmost(list(range(1, count + 1)), size)
                picker.set_phases([-v for v in range(1, count + 1)])
                for known in hitting:
                    picker.add_clause(known)
                while True:
                    picker.conf_budget(_PICKER_CONFLICTS)
                    found = picker.solve_limited()
                    rounds -= 1
                    if found is None or rounds < 0:
                        raise OutOfWork
                    if not found:
                        break
                    picked = [v - 1 for v in picker.get_model() if v > 0]
                    if self.core(picked, claim) is not None:
                        return sorted(picked)
                    hitting.append(self._spared(picked, claim))
                    picker.add_clause(hitting[-1])
        return None

    def _spared(self, picked: list[int], claim: dict[int, bool]) -> list[int]:
        """Sentences, counted from 1, without which the others allow a solution: few of them, none of ``picked``."""
        kept = set(picked)
        rest = self._false(kept)
        while rest:
            trial = rest.pop()
            # each success may satisfy more of what is left by chance
            if self.core([*kept, trial], claim) is None:
                kept |= set(range(len(self.switch))) - set(self._false(kept | {trial}))
                rest = [i for i in rest if i not in kept]
        return sorted(i + 1 for i in range(len(self.switch)) if i not in kept)

    def _false(self, kept: set[int]) -> list[int]:
        """The sentences that the solution just found breaks, ``kept`` left out."""
        model = self.card.get_model()
        variable = self.variable
        return [
            i
            for i, (members, mines) in enumerate(self.sentences)
            if i not in kept and sum(model[variable[c] - 1] > 0 for c in members) != mines
        ]
