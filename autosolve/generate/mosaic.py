"""Owns mosaics: every cell may be filled, a clue counts its own cell too, and clues go while one solution stays proven.

A set of clues that suffices still does with more clues in it. So clues are asked for in a shuffled order, several at a
time, and one by one only where several cannot go: the board is the same as if each had been asked for alone. The plain
solver answers; it takes a few seconds for 20x20 cells, and a minute for 30x30.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from autosolve.board.puzzle import Puzzle, Variant
from autosolve.board.shape import Cell, CellSet, Shape
from autosolve.errors import WrongUse
from autosolve.generate.deal import SplitMix64
from autosolve.generate.record import Record
from autosolve.generate.unique import Difficulty, PuzzleMaker, mask, measure, shuffled, words
from autosolve.solver.deduction import Technique
from autosolve.solver.hybrid import QUICK, solve

DENSITY = 0.5
_LAYERS = {
    Difficulty.EASY: frozenset({Technique.ONE}),
    Difficulty.MEDIUM: frozenset({Technique.ONE, Technique.TWO}),
}
# pictures dealt until one is told by all of its clues together
_DEALS = 2000
_TOGETHER = 8


class MosaicMaker(PuzzleMaker):
    """Makes mosaics by one recipe, one a seed."""

    def make(self, seed: int, attempt: int = 0) -> Record:
        """The mosaic of a seed. ``extra`` says what was reached, where that is not the difficulty of the recipe.

        Raises WrongUse where no picture that was dealt is told by its clues."""
        recipe, shape = self.recipe, self.recipe.shape
        random = SplitMix64.of_game(seed, attempt)
        for filled in self._dealt(random):
            clues = {Cell(c): (shape.neighbours(c) | 1 << c) & filled for c in range(shape.size)}
            whole = _mosaic(shape, {c: among.bit_count() for c, among in clues.items()})
            if self._suffices(whole):
                break
        else:
            raise WrongUse(
                f"No {recipe.difficulty.value} mosaic was found among {_DEALS} of {shape} cells.",
                "Take another size, a harder level, or a density nearer to 50 %.",
            )
        puzzle = self._thin(whole, [Cell(int(c)) for c in shuffled(random, np.arange(shape.size))])
        reached = _reached(puzzle, recipe.difficulty)
        extra = {} if reached is recipe.difficulty else {"reached": reached.value}
        return Record(puzzle, filled, seed, recipe.difficulty.value, extra=extra)

    def _dealt(self, random: SplitMix64) -> Iterator[CellSet]:
        """Pictures by the recipe, each as likely as any other."""
        least, most = self.recipe.bounds
        chance = np.uint64(int(self.recipe.density * (1 << 53)))
        for _ in range(_DEALS):
            filled = mask((words(random, self.recipe.shape.size) >> np.uint64(11)) < chance)
            if least <= filled.bit_count() <= most:
                yield filled

    def _suffices(self, puzzle: Puzzle) -> bool:
        return solve(puzzle, layers=_LAYERS.get(self.recipe.difficulty, QUICK)).unique

    def _thin(self, puzzle: Puzzle, order: list[Cell]) -> Puzzle:
        """The puzzle without the clues that can go, asked for in this order."""
        for i in range(0, len(order), _TOGETHER):
            puzzle = self._without(puzzle, order[i : i + _TOGETHER])
        return puzzle

    def _without(self, puzzle: Puzzle, some: list[Cell]) -> Puzzle:
        less = _mosaic(puzzle.shape, {c: n for c, n in puzzle.clues.items() if c not in some})
        if self._suffices(less):
            return less
        if len(some) > 1:
            half = len(some) // 2
            for part in (some[:half], some[half:]):
                puzzle = self._without(puzzle, part)
        return puzzle


def _mosaic(shape: Shape, clues: Mapping[Cell, int]) -> Puzzle:
    return Puzzle(shape, clues, shape.all, variant=Variant.MOSAIC)


def _reached(puzzle: Puzzle, asked: Difficulty) -> Difficulty:
    """How hard it is; above HARD only where more was asked for, for to know that takes longer."""
    for difficulty, layers in _LAYERS.items():
        if solve(puzzle, layers=layers).unique:
            return difficulty
    return Difficulty.HARD if asked.rank <= Difficulty.HARD.rank else measure(puzzle)
