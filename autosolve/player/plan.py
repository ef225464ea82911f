"""Owns boards whose cells are to be opened, and the plan of hints that a page without a server carries.

A *plan* is every step from the first to the last, each of which needs only the ones before it: the next hint is the
first step that the player's marks do not show yet.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from autosolve.board.notation import Position, grid_lines, write
from autosolve.board.puzzle import Puzzle, Totals
from autosolve.board.shape import MAX_SIDE, Cell, CellSet, Shape, cell_set, cells_in
from autosolve.errors import Clash, WrongUse
from autosolve.player.answers import hint
from autosolve.player.steps import step_json
from autosolve.solver.deduction import Deduction, Verdict
from autosolve.solver.hybrid import solve

# a page is written while a person waits: beyond so many cells it carries no plan
CELLS, GAME_CELLS = 10_000, 4_096
# and beyond so many no chances where it is stuck
COUNTED_CELLS = 900


@dataclass(frozen=True, slots=True)
class HiddenGame:
    """A board whose cells show their clue only once they are opened.

    ``mines``  the mined cells
    ``start``  the cell that is opened before the player's first click, None where the first click is the player's

    Raises WrongUse for mines outside the board, and for a start that is none of its cells or holds a mine."""

    shape: Shape
    mines: CellSet
    start: Cell | None = None

    def __post_init__(self) -> None:
        if self.mines & ~self.shape.all or self.mines < 0:
            raise WrongUse(f"A mine lies outside the {self.shape} board.", "Give cells of the board.")
        if self.start is not None and (not 0 <= self.start < self.shape.size or self.mines >> self.start & 1):
            raise WrongUse("The start is no safe cell of the board.", "Give one that holds no mine.")

    def opened_by(self, cells: CellSet, opened: CellSet = 0) -> CellSet:
        """What is open after ``cells`` are opened too: around a 0 everything, and so on."""
        todo = list(cells_in(cells & ~opened))
        opened |= cells
        while todo:
            around = self.shape.neighbours(todo.pop())
            if not around & self.mines:
                todo += cells_in(around & ~opened)
                opened |= around
        return opened

    def seen(self, opened: CellSet) -> Puzzle:
        """What a player sees of it."""
        clues = {cell: (self.shape.neighbours(cell) & self.mines).bit_count() for cell in cells_in(opened)}
        return Puzzle(self.shape, clues, self.shape.all & ~opened, Totals(mines=self.mines.bit_count()))

    @property
    def text(self) -> str:
        """One JSON object that ``hidden_game`` and the page read."""
        bits = format(self.mines, f"0{self.shape.size}b")[::-1]
        rows = [bits[i : i + self.shape.cols] for i in range(0, self.shape.size, self.shape.cols)]
        told: dict[str, Any] = {
            "rows": self.shape.rows,
            "cols": self.shape.cols,
            "grid": grid_lines(self.seen(0)),
            "solution": rows,
        }
        return json.dumps(told | {"start": None if self.start is None else list(self.shape.at(self.start))})


def hidden_game(text: str) -> HiddenGame | None:
    """The game in a JSON object as ``generate noguess --json`` writes it, with its ``solution`` and ``start``; None for
    any other text."""
    try:
        told = json.loads(text)
        rows, start = told["solution"], told["start"]
        shape = Shape(told["rows"], told["cols"])
        bits = "".join(rows)
        wrong = len(bits) != shape.size or not set(bits) <= {"0", "1"} or max(shape.rows, shape.cols) > MAX_SIDE
        if wrong or not (start is None or isinstance(start, list)):
            return None
        at = None if start is None else shape.cell(*start)
        return HiddenGame(shape, cell_set(i for i, bit in enumerate(bits) if bit == "1"), at)
    except (ValueError, TypeError, KeyError, IndexError, RecursionError, WrongUse):
        return None


# ---------------------------------------------------------------- plans


def plan(puzzle: Puzzle) -> dict[str, Any]:
    """All steps of a board that shows all its clues; ``status`` "unique", "undecided" or "contradiction"."""
    if puzzle.shape.size > CELLS:
        return _none(puzzle)
    try:
        solution = solve(puzzle, explain=True)
    except Clash as clash:
        cells = [list(at) for at in clash.cells]
        return {"status": "contradiction", "steps": [], "mines": [], "safe": [], "cells": cells, "text": str(clash)}
    told = _plan(puzzle, solution.status, [step_json(puzzle, s) for s in solution.steps], solution.mines, solution.safe)
    return told if solution.unique else told | _stuck("puzzle", puzzle, solution.mines, solution.safe)


def plan_of_game(game: HiddenGame) -> dict[str, Any]:
    """All steps of a game from its start on, as far as proof goes. Of every look at the board only what is new is
    told: mines as they are proven, and safe cells, which are opened before the next look."""
    if game.shape.size > GAME_CELLS:
        return _none(game.seen(0))
    steps: list[dict[str, Any]] = []
    opened = game.opened_by(1 << game.start) if game.start is not None else 0
    mines = 0
    while opened:
        puzzle = game.seen(opened)
        found = solve(puzzle, explain=True)
        new = [*_new(found.steps, mines)]
        steps += [step_json(puzzle, step) for step in new]
        mines |= cell_set(c for step in new if step.verdict is Verdict.MINE for c in cells_in(step.cells))
        if not found.safe:
            break
        opened = game.opened_by(found.safe, opened)
    done = bool(opened) and opened == game.shape.all & ~game.mines
    safe = game.shape.all & ~game.mines
    told = _plan(game.seen(0), "unique" if done else "undecided", steps, game.mines, safe)
    return told if done or not opened else told | _stuck("reveal", game.seen(opened), mines, 0)


def _stuck(kind: str, puzzle: Puzzle, flags: CellSet, crosses: CellSet) -> dict[str, Any]:
    """What a hint says once all that is certain is marked, the chances among it."""
    if puzzle.shape.size > COUNTED_CELLS:
        return {}
    pairs = puzzle.shape.pairs
    marks = {"flags": [list(at) for at in pairs(flags)], "crosses": [list(at) for at in pairs(crosses)]}
    said = hint({"kind": kind, "board": write(Position(puzzle)), **marks})
    return {"stuck": said} if said["status"] == "stuck" else {}


def _new(steps: tuple[Deduction, ...], mines: CellSet) -> Iterator[Deduction]:
    """The steps that say more than which mines are known already."""
    return (step for step in steps if step.verdict is Verdict.SAFE or step.cells & ~mines)


def _none(puzzle: Puzzle) -> dict[str, Any]:
    large = f"Hints for a board as large as {puzzle.shape} come from the local server: start 'autosolve play'."
    return _plan(puzzle, "undecided", [], 0, 0) | {"text": large}


def _plan(puzzle: Puzzle, status: str, steps: list[dict[str, Any]], mines: CellSet, safe: CellSet) -> dict[str, Any]:
    pairs = puzzle.shape.pairs
    return {
        "status": status,
        "steps": steps,
        "mines": [list(at) for at in pairs(mines)],
        "safe": [list(at) for at in pairs(safe)],
        "text": "",
    }
