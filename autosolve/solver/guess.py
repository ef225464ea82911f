"""Owns the best cell to open when nothing is certain, by policies that are named and chosen.

All solutions count as equally likely, as ``count.py`` has them. A guess is never a deduction.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction

from autosolve.board.puzzle import Puzzle
from autosolve.board.shape import Cell, cell_set, cells_in
from autosolve.errors import Undecided
from autosolve.solver.clash import clashing
from autosolve.solver.count import Counter
from autosolve.solver.deduction import Budget, OutOfWork
from autosolve.solver.even import even_guesses
from autosolve.solver.state import CLEAR, MINED, Contradiction, State


class Policy(Enum):
    """How a cell is chosen among the undecided ones.

    ``SAFETY``    the least chance of a mine; the first such cell
    ``PROGRESS``  the least chance of a mine; among equals the best chance that what is opened makes another cell
                  certainly safe
    ``TREE``      the best chance to win the whole game, every continuation tried; where there are too many
                  solutions for that, PROGRESS
    ``AHEAD``     the same; where there are too many solutions, the best chance to survive this click and the best one
                  after it, and to be spared an even guess later on (``even.py``)
    """

    SAFETY = "safety"
    PROGRESS = "progress"
    TREE = "tree"
    AHEAD = "look-ahead"


# more solutions than this make a game tree too large to be tried whole, as a rule
TREE_SOLUTIONS = 200
# equally safe cells that are compared by progress; those with most covered neighbours, then the first
COMPARED = 24
# looking ahead: cells that survive less often than this share of the best are not looked at, nor are more than so many,
# or more than so many of those beside no clue. docs/how-it-plays.md tells what was tried. kernels/play_code.py has the
# same.
NEAR = Fraction(88, 100)
LOOKED_AT = 14
LOOKED_AT_FREE = 5
# every certain cell that follows, up to so many, counts for so much more than a next click that had no risk
CERTAIN = Fraction(9, 1000)
CERTAIN_MOST = 8


@dataclass(frozen=True, slots=True)
class Guess:
    """A cell to open, and why.

    ``policy``    the policy that chose it, which is not the one asked for where that was out of reach
    ``risk``      the chance of a mine, 0 to 1
    ``progress``  the chance, if it is no mine, that another cell becomes certainly safe; None where not worked out
    ``win``       the chance to win the game from here with the best play; None where not worked out
    """

    cell: Cell
    policy: Policy
    risk: Fraction
    progress: Fraction | None = None
    win: Fraction | None = None


def best_guess(puzzle: Puzzle, policy: Policy = Policy.TREE, *, budget: Budget | None = None) -> Guess | None:
    """The cell to open next where a guess is forced; None where no cell is undecided.

    Raises Clash when there is no solution, Undecided when the budget of states does not suffice to count."""
    budget = budget or Budget()
    state = State(puzzle)
    try:
        state.propagate()
        counter = Counter(state, budget.states)
        shares = {Cell(c): share for cells, share in counter.shares() for c in cells}
        models = counter.models
        open_ = {c: share for c, share in shares.items() if 0 < share < models}
        if not open_:
            return None
        whole = policy in (Policy.TREE, Policy.AHEAD) and models <= TREE_SOLUTIONS
        if whole and (found := _by_tree(puzzle, counter, budget)):
            return found
        if policy is Policy.AHEAD:
            return _by_two(puzzle, state, shares, models, budget)
        least = min(open_.values())
        safest = [c for c in sorted(open_) if open_[c] == least]
        risk = Fraction(least, models)
        if policy is Policy.SAFETY:
            return Guess(safest[0], policy, risk)
        safe = cell_set(c for c, share in shares.items() if share == 0) | state.mask(CLEAR)
        return _by_progress(puzzle, safest, risk, safe, models - least, budget)
    except Contradiction:
        raise clashing(puzzle) from None
    except OutOfWork:
        raise Undecided(
            f"A best guess needs more than the {budget.states} states it was allowed.", "Allow more with --states."
        ) from None


def opened(puzzle: Puzzle, cell: Cell, number: int) -> Puzzle:
    """The board once ``cell`` was opened and shows ``number``."""
    return replace(puzzle, clues={**puzzle.clues, cell: number}, covered=puzzle.covered & ~(1 << cell))


def _after(puzzle: Puzzle, cell: Cell, budget: Budget) -> Iterator[tuple[State, Counter]]:
    """What is certain, and the solutions counted, for every number that ``cell`` may show once it was opened."""
    for number in range(9):
        try:
            state = State(opened(puzzle, cell, number))
            state.propagate()
            counter = Counter(state, budget.states)
        except Contradiction:
            continue
        yield state, counter


def _by_progress(puzzle: Puzzle, cells: list[Cell], risk: Fraction, safe: int, alive: int, budget: Budget) -> Guess:
    """The one of equally safe cells with the best chance to make another cell safe; ``safe`` are safe already,
    ``alive`` is the number of solutions in which the cell is no mine."""
    shape = puzzle.shape

    def covered_around(cell: Cell) -> int:
        return (shape.neighbours(cell) & puzzle.covered).bit_count()

    best: tuple[Fraction, Cell] | None = None
    for cell in sorted(cells, key=lambda c: (-covered_around(c), c))[:COMPARED]:
        good = 0
        for state, counter in _after(puzzle, cell, budget):
            new = state.mask(CLEAR) | cell_set(c for group, share in counter.shares() if not share for c in group)
            if new & ~safe & ~(1 << cell) or counter.models == 1:
                good += counter.models
        chance = Fraction(good, alive)
        if best is None or chance > best[0]:
            best = chance, cell
    assert best is not None
    return Guess(best[1], Policy.PROGRESS, risk, progress=best[0])


def _by_two(puzzle: Puzzle, state: State, shares: dict[Cell, int], models: int, budget: Budget) -> Guess:
    """The best of the safer cells by the chance to survive two clicks and to be spared an even guess.

    ``shares``  of the cells that ``state`` leaves undecided: in how many of all solutions each is a mine"""
    shape, covered = puzzle.shape, puzzle.covered
    open_ = {c: share for c, share in shares.items() if 0 < share < models}
    beside = cell_set(c for c in open_ if any(d in puzzle.clues for d in cells_in(shape.neighbours(c))))
    most = models - min(open_.values())
    near = [c for c, mined in open_.items() if models - mined >= NEAR * most]
    # those that show a 0 most often first
    near.sort(key=lambda c: (open_[c], (shape.neighbours(c) & covered).bit_count(), c))
    chance = {c: float(state.known[c] == MINED) for c in cells_in(covered)}
    chance.update((c, share / models) for c, share in shares.items())
    evens = even_guesses(puzzle, chance, budget.states)
    best: tuple[Fraction, Cell] | None = None
    looked, free = 0, 0
    for cell in near:
        if not beside >> cell & 1:
            free += 1
            if free > LOOKED_AT_FREE:
                continue
        alive = models - open_[cell]
        if looked == LOOKED_AT or (best is not None and (1 + CERTAIN * CERTAIN_MOST) * alive <= best[0] * models):
            break
        looked += 1
        value = _two(puzzle, cell, models, budget)
        for even in evens:
            # of the games that hold it, half are lost
            value *= 1 - Fraction(even.beside(cell), 2 * alive)
        if best is None or value > best[0]:
            best = value, cell
    assert best is not None
    return Guess(best[1], Policy.AHEAD, Fraction(open_[best[1]], models))


def _two(puzzle: Puzzle, cell: Cell, models: int, budget: Budget) -> Fraction:
    """The chance to survive a click on a cell and the best one after it, and a little more for every certain one."""
    value = Fraction(0)
    for state, counter in _after(puzzle, cell, budget):
        certain, least = state.mask(CLEAR).bit_count(), counter.models
        for cells, share in counter.shares():
            certain += len(cells) if not share else 0
            least = min(least, share)
        if least == counter.models and not certain:
            certain = CERTAIN_MOST  # the game is won
        here = 1 + CERTAIN * min(certain, CERTAIN_MOST) if certain else 1 - Fraction(least, counter.models)
        value += Fraction(counter.models, models) * here
    return value


class _Game:
    """All continuations of a game over a list of solutions, sets of which are bit masks.

    ``mined``   per covered cell the solutions in which it is a mine
    ``showing`` per covered cell the solutions by the number it would show
    """

    def __init__(self, puzzle: Puzzle, solutions: list[int], states: int) -> None:
        self.left = states
        self.known: dict[int, int] = {}
        self.cells = list(cells_in(puzzle.covered))
        self.mined: dict[Cell, int] = {}
        self.showing: dict[Cell, list[int]] = {}
        for cell in self.cells:
            around = puzzle.around(cell)
            mined, showing = 0, [0] * 10
            for k, mines in enumerate(solutions):
                if mines >> cell & 1:
                    mined |= 1 << k
                else:
                    showing[((mines | puzzle.mines) & around).bit_count()] |= 1 << k
            self.mined[cell] = mined
            self.showing[cell] = [s for s in showing if s]

    def wins(self, left: int) -> int:
        """In how many of the solutions ``left`` the best play wins."""
        if not left & (left - 1):
            return 1
        if left in self.known:
            return self.known[left]
        self.left -= 1
        if self.left < 0:
            raise OutOfWork
        best = 0
        options = []
        for cell in self.cells:
            alive = left & ~self.mined[cell]
            if alive == left:
                parts = [part for s in self.showing[cell] if (part := s & left)]
                if len(parts) > 1:
                    # a safe cell that tells something costs nothing
                    best = sum(self.wins(part) for part in parts)
                    break
            elif alive:
                options.append((alive.bit_count(), cell))
        else:
            for most, cell in sorted(options, key=lambda o: (-o[0], o[1])):
                if most <= best:
                    break
                best = max(best, self.after(cell, left))
        self.known[left] = best
        return best

    def after(self, cell: Cell, left: int) -> int:
        """The same once ``cell`` is opened."""
        return sum(self.wins(part) for s in self.showing[cell] if (part := s & left))


def _by_tree(puzzle: Puzzle, counter: Counter, budget: Budget) -> Guess | None:
    """The cell that wins most games; None where trying them all takes too much."""
    decided = cell_set(c for c in counter.state.trail if counter.state.known[c] != CLEAR)
    solutions = [decided | mines for mines in counter.solutions()]
    game = _Game(puzzle, solutions, budget.states)
    everything = (1 << len(solutions)) - 1
    best: tuple[int, int, Cell] | None = None
    try:
        for cell in game.cells:
            mined = game.mined[cell].bit_count()
            if 0 < mined < len(solutions):
                option = (-game.after(cell, everything), mined, cell)
                best = min(best, option) if best else option
    except OutOfWork:
        return None
    if best is None:
        return None
    return Guess(best[2], Policy.TREE, Fraction(best[1], len(solutions)), win=Fraction(-best[0], len(solutions)))
