"""Owns puzzles that show all their clues: mines dealt, clues taken away while the one solution stays proven.

A clue that one solution needs is needed all the more when others are gone. So every clue is asked for once, in a
shuffled order, and in the end none can go: the board is a function of the seed, whatever answers the questions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import Enum
from math import ceil, floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autosolve.board.puzzle import Puzzle
from autosolve.board.shape import Cell, CellSet, Shape, cells_in
from autosolve.errors import AutosolveError, WrongUse
from autosolve.generate.deal import SplitMix64
from autosolve.generate.record import Record
from autosolve.kernels.clues import CONFLICTS, ClueRemover, numbers
from autosolve.kernels.sheet import Bytes, Ints
from autosolve.kernels.solve import BulkSolver, Proven
from autosolve.solver.deduction import Budget, OutOfWork, Technique
from autosolve.solver.hybrid import FULL, solve
from autosolve.solver.sat import Blame, Effort

DENSITY = 0.25
TOLERANCE = 0.05
TRIES = 1000
# one question to the SAT solver
_SAT_CONFLICTS = 500_000
# cells dealt before boards are mended instead of dealt again, and mended before giving up
_DEALT = 300_000
_MENDED = 20
_ROUNDS = 200


class Difficulty(Enum):
    """How hard a puzzle is to be.

    ``EASY``     one clue at a time
    ``MEDIUM``   two clues at a time
    ``HARD``     whatever one solution allows: three and more clues at a time
    ``EXPERT``   some step needs six clues at once, or more
    ``EXTREME``  some step needs twelve clues at once, or more, and at least four passes need more than two
    """

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    EXPERT = "expert"
    EXTREME = "extreme"

    @property
    def rank(self) -> int:
        """0 for EASY, and on."""
        return list(Difficulty).index(self)


EXPERT_REASON = 6
EXTREME_REASON = 12
EXTREME_PASSES = 4


@dataclass(frozen=True, slots=True)
class Recipe:
    """What puzzles are made by.

    ``density``    share of mines dealt, above 0 and below 1
    ``tolerance``  by how much the share on the board may differ from it

    Raises WrongUse where no number of mines lies so near.
    """

    shape: Shape
    difficulty: Difficulty = Difficulty.HARD
    density: float = DENSITY
    tolerance: float = TOLERANCE

    def __post_init__(self) -> None:
        if not (0 < self.density < 1 and 0 <= self.tolerance <= 1):
            raise WrongUse(
                f"A board with {_percent(self.density)} of mines is not possible.",
                "Give a share above 0 and below 100 %.",
            )
        least, most = self.bounds
        if least > most:
            size = self.shape.size
            near = max(1, round(self.density * size)) if size > 1 else 0
            if not 0 < near < size:
                raise WrongUse(
                    f"A board of {self.shape} cells is too small for a puzzle.",
                    "The smallest is 1x2 with a density of 50.",
                )
            raise WrongUse(
                f"No number of mines on {self.shape} cells lies within {_percent(self.tolerance)} of "
                f"{_percent(self.density)}.",
                f"The nearest that works is a density of {_percent(near / size, 1)}: {near} "
                f"mine{'' if near == 1 else 's'}.",
            )

    @property
    def bounds(self) -> tuple[int, int]:
        """The fewest and the most mines allowed, at least one."""
        size = self.shape.size
        # a hair of room, so that 20 % of 25 cells is 5
        least = ceil((self.density - self.tolerance) * size - 1e-9)
        return max(1, least), min(size - 1, floor((self.density + self.tolerance) * size + 1e-9))


def _percent(share: float, digits: int = 0) -> str:
    number = f"{100 * share:.{digits or 3}f}"
    return (number.rstrip("0").rstrip(".") if "." in number else number) + " %"


# ---------------------------------------------------------------- dealing

_GOLDEN, _MIX1, _MIX2 = (np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))


def words(random: SplitMix64, count: int) -> NDArray[np.uint64]:
    """The next ``count`` words of a stream, at once."""
    with np.errstate(over="ignore"):
        word = np.uint64(random.state) + _GOLDEN * np.arange(1, count + 1, dtype=np.uint64)
        random.state = int(np.uint64(random.state) + _GOLDEN * np.uint64(count))
        word = (word ^ word >> np.uint64(30)) * _MIX1
        word = (word ^ word >> np.uint64(27)) * _MIX2
        mixed: NDArray[np.uint64] = word ^ word >> np.uint64(31)
    return mixed


def shuffled(random: SplitMix64, cells: NDArray[Any]) -> Ints:
    """These cells in a random order, int32."""
    return cells[np.argsort(words(random, cells.size), kind="stable")].astype(np.int32)


def deal(random: SplitMix64, recipe: Recipe) -> Bytes | None:
    """Mines by the recipe, int8 per cell, none of them touching only mines; None where the work allowed found none.

    Whole boards are dealt again until one fits, so that all that fit are equally likely; where that takes too long, as
    on large or crowded boards, ringed mines are dealt again together with the cells around them, and mines that are
    missing then are added where they can be."""
    shape, size = recipe.shape, recipe.shape.size
    least, most = recipe.bounds
    chance = np.uint64(int(recipe.density * (1 << 53)))

    def some(count: int) -> Bytes:
        return ((words(random, count) >> np.uint64(11)) < chance).astype(np.int8)

    for _ in range(max(20, min(5_000, _DEALT // size))):
        mines = some(size)
        if least <= mines.sum() <= most and not ringed(shape, mines).size:
            return mines
    for _ in range(_MENDED):
        mines = some(size)
        for _ in range(_ROUNDS):
            bad = ringed(shape, mines)
            if not bad.size:
                break
            again = np.zeros(size, bool)
            again[bad] = True
            again = _spread(shape, again)
            mines[again] = some(int(again.sum()))
        if not ringed(shape, mines).size:
            # mending takes mines away
            for cell in shuffled(random, np.flatnonzero(mines == 0)):
                if mines.sum() >= least:
                    break
                mines[cell] = 1
                if ringed(shape, mines).size:
                    mines[cell] = 0
            if least <= mines.sum() <= most:
                return mines
    return None


def ringed(shape: Shape, mines: Bytes) -> NDArray[np.intp]:
    """The mines that touch mines only: with every clue shown, nothing is said of them."""
    return np.flatnonzero((mines == 1) & (numbers(shape, (1 - mines).astype(np.int8)) == 0))


def _spread(shape: Shape, cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """These cells and all that touch them."""
    return cells | (numbers(shape, cells.astype(np.int8)) > 0)


# ---------------------------------------------------------------- boards


def clues_and_cover(shape: Shape, mines: Bytes, shown: Bytes) -> tuple[Bytes, Bytes]:
    """The board as the kernels read it (see ``kernels``): its numbers, -1 where covered, and what is covered."""
    return np.where(shown == 1, numbers(shape, mines), -1).astype(np.int8), (1 - shown).astype(np.int8)


def puzzle_of(shape: Shape, mines: Bytes, shown: Bytes) -> Puzzle:
    """The board as all else reads it."""
    around = numbers(shape, mines)
    cells = np.flatnonzero(shown)
    return Puzzle(shape, dict(zip(map(Cell, cells.tolist()), around[cells].tolist(), strict=True)), mask(1 - shown))


def mask(cells: NDArray[Any]) -> CellSet:
    """An array with an entry a cell as a set: those that are not 0."""
    return int.from_bytes(np.packbits(cells != 0, bitorder="little").tobytes(), "little")


class Judge:
    """Answers by SAT whether a clue can be spared, where the local search gave up; its solver is kept between
    questions about one board, and what it has learnt with it.

    ``unsure``  clues about which it had to give up as well: they stay
    """

    def __init__(self, shape: Shape, mines: Bytes) -> None:
        self.shape, self.mines = shape, mines
        self.unsure: list[int] = []
        self._blame: Blame | None = None
        self._told: list[int] = []

    def __call__(self, cell: int, shown: Bytes) -> bool:
        shape, around = self.shape, numbers(self.shape, self.mines)
        if self._blame is None:
            self._told = np.flatnonzero(self.mines == 0).tolist()
            sentences = [(list(cells_in(shape.neighbours(c))), int(around[c])) for c in self._told]
            self._blame = Blame(sentences, Effort(_SAT_CONFLICTS))
        blame = self._blame
        among = [i for i, c in enumerate(self._told) if shown[c] and c != cell]
        clear = {c: False for c in self._told if shown[c] and c != cell and c in blame.variable}
        # another solution breaks this clue, or has a mine in its place: either way a cell here is another one
        for c in (cell, *cells_in(shape.neighbours(cell))):
            if shown[c] and c != cell:
                continue
            if c not in blame.variable:
                return False
            blame.effort.conflicts = _SAT_CONFLICTS
            try:
                if blame.core(among, {**clear, c: not self.mines[c]}) is None:
                    return False
            except OutOfWork:
                self.unsure.append(cell)
                return False
        return True


class PuzzleMaker(ABC):
    """Makes puzzles by one recipe, one a seed."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe

    @abstractmethod
    def make(self, seed: int, attempt: int = 0) -> Record:
        """The board of a seed, or a further one of it. ``extra`` says what was reached, where that is not the
        difficulty of the recipe. Raises WrongUse where the work allowed found none."""

    def exact(self, seed: int, tries: int = TRIES) -> tuple[Record, bool]:
        """The first board of a seed, among so many, that is as hard as the recipe says; else the nearest one, and
        False."""
        best: tuple[int, Record] | None = None
        for attempt in range(tries):
            record = self.make(seed, attempt)
            far = abs(Difficulty(record.extra.get("reached", record.difficulty)).rank - self.recipe.difficulty.rank)
            if best is None or far < best[0]:
                best = far, record
            if far == 0:
                return record, True
        assert best is not None
        return best[1], False


class Maker(PuzzleMaker):
    """Makes Minesweeper puzzles. Holds the kernels' buffers, so one object serves one thread.

    ``conflicts``  clashes the local search may meet over one clue before SAT is asked; changes no board
    """

    def __init__(self, recipe: Recipe, *, conflicts: int = CONFLICTS) -> None:
        super().__init__(recipe)
        self.conflicts = conflicts
        self.remover = ClueRemover(recipe.shape)
        self.solver = BulkSolver(recipe.shape)

    def make(self, seed: int, attempt: int = 0) -> Record:
        """The board of a seed. ``extra`` says what was reached, where that is not the difficulty of the recipe.

        Raises WrongUse where no mines can be dealt by the recipe within the work allowed."""
        recipe, shape = self.recipe, self.recipe.shape
        random = SplitMix64.of_game(seed, attempt)
        mines = deal(random, recipe)
        if mines is None:
            raise no_deal(recipe)
        shown = (1 - mines).astype(np.int8)
        order = shuffled(random, np.flatnonzero(shown))
        unsure = self.thin(mines, shown, order)
        self.prove(mines, shown)
        puzzle = puzzle_of(shape, mines, shown)
        reached = self.reached(mines, shown, puzzle)
        extra: dict[str, Any] = {}
        if reached is not recipe.difficulty:
            extra["reached"] = reached.value
        if unsure:
            extra["unsure"] = [list(shape.at(c)) for c in unsure]
        return Record(puzzle, mask(mines), seed, recipe.difficulty.value, extra=extra)

    def thin(self, mines: Bytes, shown: Bytes, order: Ints, memory: Ints | None = None) -> list[int]:
        """Takes clues away as the recipe's difficulty allows; see ``ClueRemover``. Clues that stay because nobody
        could tell, which takes a board beyond all we know."""
        if self.recipe.difficulty in (Difficulty.EASY, Difficulty.MEDIUM):
            self.remover.thin_by_rules(mines, shown, order, two=self.recipe.difficulty is Difficulty.MEDIUM)
            return []
        judge = Judge(self.recipe.shape, mines)
        self.remover.thin(mines, shown, order, judge=judge, memory=memory, conflicts=self.conflicts)
        return judge.unsure

    def prove(self, mines: Bytes, shown: Bytes) -> None:
        """Has the one solver prove that the board has this solution and no other; AutosolveError where it has not,
        which would be a fault of ours."""
        clue, cover = clues_and_cover(self.recipe.shape, mines, shown)
        proven = self.solver.solve(clue, cover)
        if proven is Proven.UNIQUE and ((self.solver.value == 2) == (mines == 1)).all():
            return
        if proven is Proven.GAVE_UP:
            found = solve(puzzle_of(self.recipe.shape, mines, shown))
            if found.unique and found.mines == mask(mines):
                return
        raise AutosolveError(
            "A board that was made could not be proven to have one solution.", "Please report this with its seed."
        )

    def reached(self, mines: Bytes, shown: Bytes, puzzle: Puzzle | None = None) -> Difficulty:
        """How hard a board is. Above HARD only where the recipe asks for more, for to know that takes longer."""
        none = np.zeros(0, np.int32)
        if self.remover.thin_by_rules(mines, shown.copy(), none, two=False):
            return Difficulty.EASY
        if self.remover.thin_by_rules(mines, shown.copy(), none, two=True):
            return Difficulty.MEDIUM
        if self.recipe.difficulty.rank <= Difficulty.HARD.rank:
            return Difficulty.HARD
        return measure(puzzle or puzzle_of(self.recipe.shape, mines, shown))


def measure(puzzle: Puzzle, budget: Budget | None = None) -> Difficulty:
    """The difficulty of any board with one solution: by the largest reason of a step, which is a set of clues none of
    which can be spared, and by the number of passes that need more than two clues."""
    budget = budget or Budget()
    hardest = solve(puzzle, layers=FULL, budget=budget).hardest or Technique.ONE
    if hardest <= Technique.TWO:
        return Difficulty.EASY if hardest is Technique.ONE else Difficulty.MEDIUM
    if hardest is Technique.SUBSET:
        return Difficulty.HARD  # five clues at most
    solution = solve(puzzle, layers=FULL, budget=budget, explain=True)
    reason = max(len(step.because) for step in solution.steps)
    beyond = sum(number for technique, number in solution.waves if technique > Technique.TWO)
    if reason >= EXTREME_REASON and beyond >= EXTREME_PASSES:
        return Difficulty.EXTREME
    return Difficulty.EXPERT if reason >= EXPERT_REASON else Difficulty.HARD


def no_deal(recipe: Recipe) -> WrongUse:
    """What to say where no mines can be dealt by a recipe: the nearest density that works."""
    step = 0.05
    density = floor(recipe.density / step - 1e-9) * step
    while density > 0:
        try:
            nearer = Recipe(recipe.shape, recipe.difficulty, round(density, 2), recipe.tolerance)
        except WrongUse:
            break
        if all(deal(SplitMix64.of_game(k), nearer) is not None for k in range(4)):
            return WrongUse(
                f"No board of {recipe.shape} with {_percent(recipe.density)} of mines was found in which every mine "
                "touches a clue.",
                f"The nearest density that works is {_percent(density)}.",
            )
        density -= step
    return WrongUse(
        f"No board of {recipe.shape} with {_percent(recipe.density)} of mines was found in which every mine touches "
        "a clue.",
        "Take a larger board or fewer mines.",
    )
