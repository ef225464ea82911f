"""Owns what to do next in a game where a click opens a cell: what is certain, and the guess where nothing is.

No pixels here: a screen and a game without one are thought about in the same way.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from autosolve.board.puzzle import Puzzle, Totals
from autosolve.board.shape import Cell, CellSet, Shape
from autosolve.solver import hybrid
from autosolve.solver.count import odds as count_odds
from autosolve.solver.deduction import Budget, Odds, Solution, Technique
from autosolve.solver.guess import Guess, Policy, best_guess

First = Literal["random", "safe", "opening"]
_EASY = frozenset({Technique.ONE, Technique.TWO})


@dataclass(frozen=True, slots=True)
class Thought:
    """What a position comes to; either something is certain, or there is a guess, or the game is over.

    ``solution``  what is certain; where openings were found by an easy rule, not all of it
    ``guess``     the cell to open where no safe one is known
    ``odds``      exact chances, where a guess was needed
    ``free``      the guess is the first click, and the site's rule makes it safe: no risk is taken
    """

    solution: Solution
    guess: Guess | None = None
    odds: Odds | None = None
    free: bool = False

    @property
    def over(self) -> bool:
        """Whether nothing is left to open: every covered cell is proven to be a mine."""
        return not self.solution.safe and not self.solution.undecided

    @property
    def opening(self) -> CellSet:
        """The cells to open: all that are safe, or the guess."""
        return self.solution.safe if self.guess is None else 1 << self.guess.cell


def think(puzzle: Puzzle, policy: Policy, first: First = "random", *, budget: Budget | None = None) -> Thought:
    """What follows from a position.

    ``first``  what the site's first click meets; used on a board where nothing is open

    The number of mines is asked last: a wrong one, out of a counter or a list of sizes, can then spoil no cell that the
    numbers prove. Raises Clash when the numbers contradict each other, Undecided when the budget does not suffice to
    count."""
    budget = budget or Budget()
    if not puzzle.clues and not puzzle.mines and puzzle.covered == puzzle.shape.all:
        return _begin(puzzle, first)
    bare = replace(puzzle, totals=Totals())
    solution = hybrid.solve(bare, layers=_EASY, budget=budget)
    if not solution.safe and solution.undecided:
        solution = hybrid.solve(bare, budget=budget)
        if not solution.safe and puzzle.totals.mines is not None:
            solution = hybrid.solve(puzzle, budget=budget)
    if solution.safe or not solution.undecided:
        return Thought(solution)
    return Thought(solution, best_guess(puzzle, policy, budget=budget), count_odds(puzzle, budget=budget))


def first_cell(shape: Shape, first: First) -> Cell:
    """Where a game is begun: in a corner, which shows a 0 most often; where an opening comes for free, off the rims,
    where it is large. ``docs/how-it-plays.md`` has how often other cells win."""
    if first != "opening":
        return Cell(0)
    return shape.cell(min(2, (shape.rows - 1) // 2), min(2, (shape.cols - 1) // 2))


def _begin(puzzle: Puzzle, first: First) -> Thought:
    cell, mines = first_cell(puzzle.shape, first), puzzle.totals.mines
    solution = Solution(puzzle, 0, 0)
    if mines is not None and mines >= puzzle.shape.size:
        return Thought(Solution(puzzle, puzzle.covered, 0))
    free = first != "random"
    chance = count_odds(puzzle)
    risk = Fraction(0) if free else chance.probability(cell)
    return Thought(solution, Guess(cell, Policy.SAFETY, risk), chance, free)
