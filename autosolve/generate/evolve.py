"""Owns puzzles made hard by evolution: clues restored in a region and taken away in another order, the hardest kept.

A *lineage* is a pool of puzzles over one solution. Now and then the mines of the hardest puzzle change a little, which
starts another lineage; there are few, each has its time to grow, and the weakest makes room for the next. All choices
come from one seeded stream and no clock is looked at, so an evolution that is stopped and resumed ends as if it had
not been.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import numpy as np

from autosolve.board.puzzle import Puzzle
from autosolve.board.shape import Shape
from autosolve.errors import UnreadableFile, WrongUse
from autosolve.generate.deal import SplitMix64
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
from autosolve.solver.logic import Thinker

POOL = 16
LINEAGES = 3
# children between two changes of mines
PERIOD = 600
# clues restored for a child, at most: more make larger steps, each of which takes longer
RESTORED = 8
_BEGIN = 4
_VERSION = 1


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
        self.maker = Maker(recipe)
        self.random = SplitMix64.of_game(seed, 0)
        self.children = self.kept = self.founded = 0
        self.lineages: list[Lineage] = []
        mines = deal(self.random, recipe)
        if mines is None:
            raise no_deal(recipe)
        first = self._found(mines, np.flatnonzero(mines == 0))
        # from here on the stream is the evolution's own
        self.lineages.append(first)
        for _ in range(_BEGIN - 1):
            self._join(first, self._thinned(first.mines, (1 - mines).astype(np.int8), [np.flatnonzero(mines == 0)]))

    # ------------------------------------------------------------ children

    def step(self) -> bool:
        """Makes a child; whether it is the hardest puzzle so far."""
        before = self.best.rank
        self.children += 1
        if self.children % PERIOD == 0:
            self._change_mines()
        else:
            lineage = self.lineages[self.random.below(len(self.lineages))]
            parent = lineage.pool[self.random.below(len(lineage.pool))]
            child = self._child(lineage, parent)
            if child is not None:
                self.kept += self._join(lineage, child)
        return self.best.rank > before

    @property
    def lineage(self) -> Lineage:
        """That of the hardest puzzle; the oldest of equals."""
        return max(self.lineages, key=lambda line: (line.best.rank, -line.number))

    @property
    def best(self) -> Member:
        """The hardest puzzle so far."""
        return self.lineage.best

    def _child(self, lineage: Lineage, parent: Member) -> Member | None:
        region = self._region(lineage, parent)
        if region is None:
            return None
        shown = parent.shown.copy()
        hidden = np.flatnonzero(region & (lineage.mines == 0) & (shown == 0))
        shown[shuffled(self.random, hidden)[: 1 + self.random.below(RESTORED)]] = 1
        memory = parent.memory.copy()
        inside = np.flatnonzero(region & (shown == 1))
        outside = np.flatnonzero(~region & (shown == 1))
        weakest = min(m.score for m in lineage.pool) if len(lineage.pool) >= POOL else 0
        return self._thinned(lineage.mines, shown, [inside, outside], memory, parent, weakest)

    def _region(self, lineage: Lineage, parent: Member) -> Any:
        """Cells around one that is easy, three times out of four, with a clue to restore among them; None where a
        few trials found none."""
        shape, below = self.recipe.shape, self.random.below
        hidden = (lineage.mines == 0) & (parent.shown == 0)
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

    def _thinned(
        self,
        mines: Bytes,
        shown: Bytes,
        parts: list[Any],
        memory: Ints | None = None,
        parent: Member | None = None,
        least: int = 0,
    ) -> Member | None:
        """The puzzle that is left when the clues of each part in turn are taken away in a random order; None for one
        that is its parent again. Below a score of ``least`` it need not be known exactly."""
        order = np.concatenate([shuffled(self.random, part) for part in parts])
        if memory is None:
            memory = self.maker.remover.memory()
        self.maker.thin(mines, shown, order, memory)
        if parent is not None and (shown == parent.shown).all():
            return None
        return self._member(mines, shown, memory, least, parent is not None and parent.turned)

    def _member(self, mines: Bytes, shown: Bytes, memory: Ints, least: int, turned: bool) -> Member:
        clue, cover = clues_and_cover(self.recipe.shape, mines, shown)
        if self.score is Score.SAT:
            score, turned = effort(self.maker, clue, cover, least, turned)
        else:
            score = depth(puzzle_of(self.recipe.shape, mines, shown), unique=self.score is Score.UNIQUE)
        self.maker.solver.rules(clue, cover)
        easy = np.flatnonzero(self.maker.solver.value).astype(np.int32)
        return Member(shown, score, easy, memory, turned)

    def _join(self, lineage: Lineage, child: Member | None) -> bool:
        """Takes a child into a pool, in place of the weakest one; whether it is fit to."""
        if child is None or any((child.shown == m.shown).all() for m in lineage.pool):
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

    def _found(self, mines: Bytes, *parts: Any) -> Lineage:
        """A lineage over these mines with one puzzle."""
        lineage = Lineage(self.founded, mines, self.children)
        self.founded += 1
        self._join(lineage, self._thinned(mines, (1 - mines).astype(np.int8), list(parts)))
        return lineage

    def _change_mines(self) -> None:
        """Deals the mines in a small region of the hardest puzzle again; the clues that it does not show go first, so
        that elsewhere it stays much as it is."""
        line, best = self.lineage, self.best
        mines = self._moved(line.mines)
        if mines is None:
            return
        free = mines == 0
        lineage = self._found(mines, np.flatnonzero(free & (best.shown == 0)), np.flatnonzero(free & (best.shown == 1)))
        if len(self.lineages) >= LINEAGES:
            grown = [x for x in self.lineages if x is not line]
            self.lineages.remove(min(grown, key=lambda x: (x.best.rank, -x.number)))
        self.lineages.append(lineage)

    def _moved(self, mines: Bytes) -> Bytes | None:
        shape, below = self.recipe.shape, self.random.below
        least, most = self.recipe.bounds
        chance = np.uint64(int(self.recipe.density * (1 << 53)))
        for _ in range(50):
            row, col, reach = below(shape.rows), below(shape.cols), 1 + below(2)
            trial = mines.reshape(shape.rows, shape.cols).copy()
            part = trial[max(0, row - reach) : row + reach + 1, max(0, col - reach) : col + reach + 1]
            part[:] = ((words(self.random, part.size) >> np.uint64(11)) < chance).reshape(part.shape)
            out = trial.ravel()
            if least <= out.sum() <= most and not ringed(shape, out).size and (out != mines).any():
                return out
        return None

    # ------------------------------------------------------------ in and out

    def record(self) -> Record:
        """The hardest puzzle so far, proven by the one solver."""
        line, best, recipe = self.lineage, self.best, self.recipe
        self.maker.prove(line.mines, best.shown)
        puzzle = puzzle_of(recipe.shape, line.mines, best.shown)
        reached = self.maker.reached(line.mines, best.shown, puzzle)
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
            "random": self.random.state,
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
            out.maker = Maker(out.recipe)
            out.random = SplitMix64(int(data["random"]))
            out.children, out.kept, out.founded = (int(data[key]) for key in ("children", "kept", "founded"))
            out.lineages = []
            for line in data["lineages"]:
                mines = _array(line["mines"], shape)
                lineage = Lineage(int(line["number"]), mines, int(line["born"]))
                for kept in line["pool"]:
                    shown = _array(kept["shown"], shape)
                    clue, cover = clues_and_cover(shape, mines, shown)
                    if (shown & mines).any() or out.maker.solver.solve(clue, cover) is Proven.UNDECIDED:
                        raise ValueError
                    out.maker.solver.rules(clue, cover)
                    easy = np.flatnonzero(out.maker.solver.value).astype(np.int32)
                    memory = out.maker.remover.memory()
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


def depth(puzzle: Puzzle, *, unique: bool = False, budget: Budget | None = None) -> int:
    """Passes by the layers people use, those of ONE counted once and all others twice; without ``unique`` the depth of
    a grade. With it, UNIQUE comes before whatever looks at more than two clues."""
    thinker = Thinker(puzzle, _EASY, budget or Budget(), explain=False)
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
