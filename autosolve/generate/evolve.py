"""Owns puzzles made hard by evolution: clues restored in a region and taken away in another order, the hardest kept.

A *lineage* is a pool of puzzles over one solution. Now and then the mines of the hardest puzzle change a little, which
starts another lineage; there are few, each has its time to grow, and the weakest makes room for the next.

Every child has its own seeded stream and no clock is looked at: a child is a function of its number and its parent. So
an evolution that is stopped and resumed ends as if it had not been. Several children can be made at a time, anywhere
(``Evolution.run``): one is planned on the pools as they are, and made again in the few cases where a child before it
took the place of its parent. What comes out is the same, bit for bit, as made one by one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from threading import get_ident
from typing import Any

import numpy as np

from autosolve.board.puzzle import Puzzle
from autosolve.board.shape import Shape
from autosolve.errors import UnreadableFile, WrongUse
from autosolve.generate.deal import SplitMix64
from autosolve.generate.many import Workers
from autosolve.generate.record import Record
from autosolve.generate.unique import (
    Difficulty,
    Maker,
    Recipe,
    clues_and_cover,
    deal,
    mask,
    no_deal,
    puzzle_of,
    ringed,
    shuffled,
    words,
)  # fmt: skip
from autosolve.kernels.sheet import Bytes, Ints
from autosolve.kernels.solve import Proven
from autosolve.solver.deduction import Budget, Technique
from autosolve.solver.logic import SubsetMemory, Thinker

POOL = 16
LINEAGES = 3
# children between two changes of mines
PERIOD = 600
# clues restored for a child, at most: more make larger steps, each of which takes longer
RESTORED = 8
_BEGIN = 4
_VERSION = 2


class Score(Enum):
    """What is made as large as possible.

    ``SAT``     clashes that a fresh solver meets before it has proven the board, begun at its easier end
    ``DEPTH``   passes by the layers people use, those of ONE counted once and all others twice: the depth of a grade
    ``UNIQUE``  the same where people may also take for granted that there is one solution, right after TWO
    """

    SAT = "sat"
    DEPTH = "depth"
    UNIQUE = "unique"


@dataclass(slots=True)
class Member:
    """A puzzle of a pool: its clues, what it scored, and the cells that ONE and TWO decide by themselves. Two things
    save time and change nothing: second solutions found on the way (see ``ClueRemover.thin``), and whether the
    board is easier upside down."""

    shown: Bytes
    score: int
    easy: Ints
    memory: Ints
    turned: bool = False
    rank: tuple[int, int] = field(init=False)

    def __post_init__(self) -> None:
        """``rank``: the higher the better; of two equal scores the puzzle with fewer clues."""
        self.rank = self.score, -int(self.shown.sum())


@dataclass(slots=True)
class Lineage:
    """A pool of puzzles over one solution. ``born``: how many children there had been before it."""

    number: int
    mines: Bytes
    born: int
    pool: list[Member] = field(default_factory=list)

    @property
    def best(self) -> Member:
        return max(self.pool, key=lambda m: m.rank)


@dataclass(frozen=True, slots=True)
class Birth:
    """All that a child is made from.

    ``random``  the state of its stream, once its parent is chosen
    ``least``   a score below this need not be known exactly, for the child will come into no pool
    """

    recipe: Recipe
    score: Score
    random: int
    mines: Bytes
    parent: Member
    least: int

    def same(self, other: Birth) -> bool:
        """Whether the same child comes of both."""
        return self.parent is other.parent and self.random == other.random


def born(birth: Birth) -> Member | None:
    """The child of a birth, wherever it is made; None where it would be its parent again."""
    return _breeder(birth.recipe, birth.score, get_ident()).child(birth)


@lru_cache(maxsize=32)
def _breeder(recipe: Recipe, score: Score, _thread: int) -> Breeder:
    """One a thread, for its buffers are its own."""
    return Breeder(recipe, score)


class Breeder:
    """Makes puzzles and scores them; one object serves one thread."""

    def __init__(self, recipe: Recipe, score: Score) -> None:
        self.recipe, self.score = recipe, score
        self.maker = Maker(recipe)
        self.subsets = SubsetMemory()

    def child(self, birth: Birth) -> Member | None:
        """See ``born``."""
        random, parent, mines = SplitMix64(birth.random), birth.parent, birth.mines
        region = self._region(random, mines, parent)
        if region is None:
            return None
        shown = parent.shown.copy()
        hidden = np.flatnonzero(region & (mines == 0) & (shown == 0))
        shown[shuffled(random, hidden)[: 1 + random.below(RESTORED)]] = 1
        inside = np.flatnonzero(region & (shown == 1))
        outside = np.flatnonzero(~region & (shown == 1))
        memory = parent.memory.copy()
        self._thin(random, mines, shown, [inside, outside], memory)
        if (shown == parent.shown).all():
            return None
        return self.member(mines, shown, memory, birth.least, parent.turned)

    def first(self, random: SplitMix64, mines: Bytes, parts: list[Any]) -> Member:
        """A puzzle out of all clues, those of each part in turn taken away in a random order."""
        shown, memory = (1 - mines).astype(np.int8), self.maker.remover.memory()
        self._thin(random, mines, shown, parts, memory)
        return self.member(mines, shown, memory)

    def member(self, mines: Bytes, shown: Bytes, memory: Ints, least: int = 0, turned: bool = False) -> Member:
        """A puzzle with its score."""
        clue, cover = clues_and_cover(self.recipe.shape, mines, shown)
        if self.score is Score.SAT:
            score, turned = effort(self.maker, clue, cover, least, turned)
        else:
            puzzle = puzzle_of(self.recipe.shape, mines, shown)
            score = depth(puzzle, unique=self.score is Score.UNIQUE, memory=self.subsets)
        return Member(shown, score, self.easy(clue, cover), memory, turned)

    def easy(self, clue: Bytes, cover: Bytes) -> Ints:
        """The cells that ONE and TWO decide by themselves."""
        self.maker.solver.rules(clue, cover)
        return np.flatnonzero(self.maker.solver.value).astype(np.int32)

    def _thin(self, random: SplitMix64, mines: Bytes, shown: Bytes, parts: list[Any], memory: Ints) -> None:
        order = np.concatenate([shuffled(random, part) for part in parts])
        self.maker.thin(mines, shown, order, memory)

    def _region(self, random: SplitMix64, mines: Bytes, parent: Member) -> Any:
        """Cells around one that is easy, three times out of four, with a clue to restore among them; None where a
        few trials found none."""
        shape, below = self.recipe.shape, random.below
        hidden = (mines == 0) & (parent.shown == 0)
        for _ in range(8):
            aimed = below(4) and parent.easy.size
            middle = int(parent.easy[below(parent.easy.size)]) if aimed else below(shape.size)
            row, col = divmod(middle, shape.cols)
            reach = 1 + below(3)
            region = np.zeros((shape.rows, shape.cols), bool)
            region[max(0, row - reach) : row + reach + 1, max(0, col - reach) : col + reach + 1] = True
            if (hidden & region.ravel()).any():
                return region.ravel()
        return None


class Evolution:
    """An evolution, one ``step`` a child.

    ``children``  made so far
    ``kept``      of them, those that came into a pool
    """

    def __init__(self, recipe: Recipe, seed: int, score: Score = Score.SAT) -> None:
        if recipe.difficulty in (Difficulty.EASY, Difficulty.MEDIUM) and score is Score.SAT:
            raise WrongUse(
                f"A puzzle that is to stay {recipe.difficulty.value} leaves SAT nothing to do.",
                "Evolve it by depth, or take a harder difficulty.",
            )
        self.recipe, self.seed, self.score = recipe, seed, score
        self.breeder = Breeder(recipe, score)
        self.children = self.kept = self.founded = 0
        self.lineages: list[Lineage] = []
        random = self._stream(0)
        mines = deal(random, recipe)
        if mines is None:
            raise no_deal(recipe)
        first = self._found(random, mines, np.flatnonzero(mines == 0))
        self.lineages.append(first)
        for _ in range(_BEGIN - 1):
            self._join(first, self.breeder.first(random, mines, [np.flatnonzero(mines == 0)]))

    def _stream(self, child: int) -> SplitMix64:
        """The numbers of a child; of the beginning for 0."""
        return SplitMix64.of_game(self.seed, child)

    # ------------------------------------------------------------ children

    def step(self) -> bool:
        """Makes a child; whether it is the hardest puzzle so far."""
        number = self.children + 1
        if number % PERIOD == 0:
            return self._change(number)
        lineage, birth = self._plan(number)
        return self._take(number, lineage, born(birth))

    def run(self, children: int, workers: Workers) -> Iterator[bool]:
        """Makes so many children, as ``step`` does, several at a time if there are several workers."""
        end = self.children + children
        while self.children < end:
            first = self.children + 1
            if first % PERIOD == 0:
                yield self._change(first)
                continue
            numbers = range(first, min(end + 1, (first // PERIOD + 1) * PERIOD))
            planned: deque[Birth] = deque()
            made = workers.in_order(born, self._births(numbers, planned))
            for number, child in zip(numbers, made, strict=True):
                birth = planned.popleft()
                lineage, now = self._plan(number)
                yield self._take(number, lineage, child if now.same(birth) else born(now))

    def _births(self, numbers: range, planned: deque[Birth]) -> Iterator[Birth]:
        """A child after the other, planned when it is asked for."""
        for number in numbers:
            planned.append(self._plan(number)[1])
            yield planned[-1]

    def _plan(self, number: int) -> tuple[Lineage, Birth]:
        """What a child is made from by the pools as they are, and the lineage it belongs to."""
        random = self._stream(number)
        lineage = self.lineages[random.below(len(self.lineages))]
        parent = lineage.pool[random.below(len(lineage.pool))]
        least = min(m.score for m in lineage.pool) if len(lineage.pool) >= POOL else 0
        return lineage, Birth(self.recipe, self.score, random.state, lineage.mines, parent, least)

    def _take(self, number: int, lineage: Lineage, child: Member | None) -> bool:
        """Counts the next child in."""
        before = self.best.rank
        if child is not None:
            self.kept += self._join(lineage, child)
        self.children = number
        return self.best.rank > before

    def _change(self, number: int) -> bool:
        """In the place of the child at the end of a period the mines change."""
        before = self.best.rank
        self.children = number
        self._change_mines(self._stream(number))
        return self.best.rank > before

    @property
    def lineage(self) -> Lineage:
        """That of the hardest puzzle; the oldest of equals."""
        return max(self.lineages, key=lambda line: (line.best.rank, -line.number))

    @property
    def best(self) -> Member:
        """The hardest puzzle so far."""
        return self.lineage.best

    def _join(self, lineage: Lineage, child: Member) -> bool:
        """Takes a child into a pool, in place of the weakest one; whether it is fit to."""
        if any((child.shown == m.shown).all() for m in lineage.pool):
            return False
        if len(lineage.pool) >= POOL:
            weakest = min(range(len(lineage.pool)), key=lambda i: lineage.pool[i].rank)
            if child.rank <= lineage.pool[weakest].rank:
                return False
            lineage.pool[weakest] = child
        else:
            lineage.pool.append(child)
        return True

    # ------------------------------------------------------------ lineages

    def _found(self, random: SplitMix64, mines: Bytes, *parts: Any) -> Lineage:
        """A lineage over these mines with one puzzle."""
        lineage = Lineage(self.founded, mines, self.children)
        self.founded += 1
        self._join(lineage, self.breeder.first(random, mines, list(parts)))
        return lineage

    def _change_mines(self, random: SplitMix64) -> None:
        """Deals the mines in a small region of the hardest puzzle again; the clues that it does not show go first, so
        that elsewhere it stays much as it is."""
        line, best = self.lineage, self.best
        mines = self._moved(random, line.mines)
        if mines is None:
            return
        free = mines == 0
        lineage = self._found(
            random, mines, np.flatnonzero(free & (best.shown == 0)), np.flatnonzero(free & (best.shown == 1))
        )
        if len(self.lineages) >= LINEAGES:
            grown = [x for x in self.lineages if x is not line]
            self.lineages.remove(min(grown, key=lambda x: (x.best.rank, -x.number)))
        self.lineages.append(lineage)

    def _moved(self, random: SplitMix64, mines: Bytes) -> Bytes | None:
        shape, below = self.recipe.shape, random.below
        least, most = self.recipe.bounds
        chance = np.uint64(int(self.recipe.density * (1 << 53)))
        for _ in range(50):
            row, col, reach = below(shape.rows), below(shape.cols), 1 + below(2)
            trial = mines.reshape(shape.rows, shape.cols).copy()
            part = trial[max(0, row - reach) : row + reach + 1, max(0, col - reach) : col + reach + 1]
            part[:] = ((words(random, part.size) >> np.uint64(11)) < chance).reshape(part.shape)
            out = trial.ravel()
            if least <= out.sum() <= most and not ringed(shape, out).size and (out != mines).any():
                return out
        return None

    # ------------------------------------------------------------ in and out

    def record(self) -> Record:
        """The hardest puzzle so far, proven by the one solver."""
        line, best, recipe = self.lineage, self.best, self.recipe
        maker = self.breeder.maker
        maker.prove(line.mines, best.shown)
        puzzle = puzzle_of(recipe.shape, line.mines, best.shown)
        reached = maker.reached(line.mines, best.shown, puzzle)
        extra: dict[str, Any] = {} if reached is recipe.difficulty else {"reached": reached.value}
        extra["evolved"] = {
            "score": self.score.value, "value": best.score, "children": self.children, "lineage": line.number,
        }  # fmt: skip
        return Record(puzzle, mask(line.mines), self.seed, recipe.difficulty.value, extra=extra)

    def to_json(self) -> dict[str, Any]:
        """All it takes to go on from here."""
        recipe = self.recipe
        return {
            "evolution": _VERSION,
            "rows": recipe.shape.rows,
            "cols": recipe.shape.cols,
            "difficulty": recipe.difficulty.value,
            "density": recipe.density,
            "tolerance": recipe.tolerance,
            "score": self.score.value,
            "seed": self.seed,
            "children": self.children,
            "kept": self.kept,
            "founded": self.founded,
            "lineages": [
                {
                    "number": line.number,
                    "mines": _bits(line.mines),
                    "born": line.born,
                    "pool": [{"shown": _bits(m.shown), "score": m.score} for m in line.pool],
                }
                for line in self.lineages
            ],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Evolution:
        """The evolution that ``to_json`` wrote down.

        Raises UnreadableFile where it is none, or one of another version."""
        try:
            if data["evolution"] != _VERSION:
                raise UnreadableFile(
                    "The evolution was written by another version of autosolve.", "Resume it with that version."
                )
            shape = Shape(data["rows"], data["cols"])
            out = cls.__new__(cls)
            out.recipe = Recipe(shape, Difficulty(data["difficulty"]), data["density"], data["tolerance"])
            out.seed, out.score = int(data["seed"]), Score(data["score"])
            out.breeder = breeder = Breeder(out.recipe, out.score)
            out.children, out.kept, out.founded = (int(data[key]) for key in ("children", "kept", "founded"))
            out.lineages = []
            for line in data["lineages"]:
                mines = _array(line["mines"], shape)
                lineage = Lineage(int(line["number"]), mines, int(line["born"]))
                for kept in line["pool"]:
                    shown = _array(kept["shown"], shape)
                    clue, cover = clues_and_cover(shape, mines, shown)
                    if (shown & mines).any() or breeder.maker.solver.solve(clue, cover) is Proven.UNDECIDED:
                        raise ValueError
                    easy, memory = breeder.easy(clue, cover), breeder.maker.remover.memory()
                    lineage.pool.append(Member(shown, int(kept["score"]), easy, memory))
                if not lineage.pool:
                    raise ValueError
                out.lineages.append(lineage)
            if not out.lineages:
                raise ValueError
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
            raise UnreadableFile(
                "The file does not hold an evolution that can be resumed.", "Give the file an earlier run saved."
            ) from None
        return out


def _bits(cells: Bytes) -> str:
    return "".join(map(str, cells.tolist()))


def _array(bits: str, shape: Shape) -> Bytes:
    if len(bits) != shape.size or set(bits) - {"0", "1"}:
        raise ValueError
    return np.array([int(bit) for bit in bits], np.int8)


# ---------------------------------------------------------------- scores


def effort(maker: Maker, clue: Bytes, cover: Bytes, least: int = 0, turned: bool = False) -> tuple[int, bool]:
    """Clashes of a fresh solver on the board as it is or upside down, whichever are fewer, and whether that is upside
    down: where it begins is chance, and a board that is hard from one end only is not hard. Begins ``turned`` or not;
    where the first are below ``least`` they are the answer."""
    best, end = -1, turned
    for upside_down in (turned, not turned):
        way = -1 if upside_down else 1
        maker.solver.solve(np.ascontiguousarray(clue[::way]), np.ascontiguousarray(cover[::way]), every=False)
        if best < 0 or maker.solver.conflicts < best:
            best, end = maker.solver.conflicts, upside_down
        if best < least:
            break
    return best, end


_EASY = frozenset({Technique.ONE, Technique.TWO})
_HARDER = frozenset({Technique.SUBSET, Technique.CONTRADICTION, Technique.SAT})


def depth(
    puzzle: Puzzle, *, unique: bool = False, budget: Budget | None = None, memory: SubsetMemory | None = None
) -> int:
    """Passes by the layers people use, those of ONE counted once and all others twice; without ``unique`` the depth of
    a grade. With it, UNIQUE comes before whatever looks at more than two clues. ``memory`` saves time on boards that
    are alike."""
    thinker = Thinker(puzzle, _EASY, budget or Budget(), explain=False, memory=memory)
    quick = _EASY | {Technique.UNIQUE} if unique else _EASY
    while thinker.state.undecided:
        thinker.layers = quick
        thinker.run()
        before = thinker.now
        thinker.layers = _HARDER
        thinker.run(passes=before + 1)
        if thinker.now == before:
            break
    return sum(n * (1 if technique is Technique.ONE else 2) for technique, n in thinker.waves.items())
