"""Owns what the player's page is told of a board: its next step, all its steps, its odds, in plain JSON values.

Each answer takes the object a page sent and gives the object it gets; all thinking is the solver's. Cells are
``[row, column]`` from 0. What a hand has drawn is held against what is proven, and is never taken for a fact.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from autosolve.board.notation import Position, parse
from autosolve.board.puzzle import Marks, Puzzle
from autosolve.board.shape import Cell, CellSet, Shape, cell_set, cells_in
from autosolve.errors import Clash, Undecided, WrongUse
from autosolve.player.steps import step_json
from autosolve.solver.count import odds as count
from autosolve.solver.deduction import Odds, Solution
from autosolve.solver.hybrid import next_step, solve

Asked = Mapping[str, Any]
Answer = dict[str, Any]

KINDS = ("puzzle", "reveal", "lines", "mosaic")
MOST_CELLS = 10_000
_NAMED = 12
_RUNS_OUT = "That takes more work than is allowed."


# ---------------------------------------------------------------- what was asked


def asked_kind(asked: Asked) -> str:
    """The kind of board; WrongUse for any other word."""
    kind = asked.get("kind")
    if kind not in KINDS:
        raise WrongUse("There is no such kind of board.", f"Kinds are {', '.join(KINDS)}.")
    return str(kind)


def asked_number(asked: Asked, name: str, low: int, high: int, default: int | None = None) -> int:
    """A whole number from ``low`` to ``high``; WrongUse for anything else, and where it is missing without a
    default."""
    value = asked.get(name)
    if value is None and default is not None:
        return default
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise WrongUse(f"{name!r} is not a number from {low} to {high}.", "Give such a number.")
    return value


def asked_cell(value: Any, shape: Shape) -> Cell:
    """The cell of a pair [row, column]; WrongUse for anything else."""
    if (
        not isinstance(value, list)
        or len(value) != 2
        or not all(isinstance(n, int) and not isinstance(n, bool) for n in value)
        or not (0 <= value[0] < shape.rows and 0 <= value[1] < shape.cols)
    ):
        raise WrongUse(f"A cell that was given is none of the {shape} board.", "Give [row, column], counted from 0.")
    return shape.cell(value[0], value[1])


def asked_board(asked: Asked) -> Position:
    """The board; NotationError for one that cannot be read, WrongUse for one that is too large."""
    text = asked.get("board")
    if not isinstance(text, str):
        raise WrongUse("There is no board in what was sent.", "Give its text as 'board'.")
    position = parse(text)
    shape = position.puzzle.shape
    if shape.size > MOST_CELLS:
        raise WrongUse(
            f"A board of {shape} cells is too large for the player.", f"It takes {MOST_CELLS} cells at the most."
        )
    return position


def asked_solution(asked: Asked, shape: Shape) -> CellSet:
    """The mines of a list of strings of 0 and 1, one a row; WrongUse for anything else."""
    rows = asked.get("solution")
    if (
        not isinstance(rows, list)
        or len(rows) != shape.rows
        or not all(isinstance(row, str) and len(row) == shape.cols and set(row) <= {"0", "1"} for row in rows)
    ):
        raise WrongUse(f"'solution' does not fit the {shape} board.", "Give one string of 0 and 1 for each row.")
    return cell_set(i for i, digit in enumerate("".join(rows)) if digit == "1")


def _marks(asked: Asked, position: Position) -> Marks:
    """What is marked in the board's text and beside it, on covered cells alone."""
    puzzle = position.puzzle

    def cells(name: str) -> CellSet:
        given = asked.get(name)
        if given is None:
            return 0
        if not isinstance(given, list) or len(given) > puzzle.shape.size:
            raise WrongUse(f"{name!r} is not a list of cells.", "Give a list of [row, column].")
        return cell_set(asked_cell(value, puzzle.shape) for value in given)

    flags = (position.marks.flags | cells("flags")) & puzzle.covered
    crosses = (position.marks.crosses | cells("crosses")) & puzzle.covered
    if flags & crosses:
        raise WrongUse("A cell has a flag and a cross at once.", "Give one of the two.")
    return Marks(flags, crosses)


# ---------------------------------------------------------------- answers


def hint(asked: Asked) -> Answer:
    """What comes next: marks that are proven wrong before all; else the engine's next step; else the odds.

    ``status`` is step, wrong, stuck, done or contradiction."""
    kind, position = asked_kind(asked), asked_board(asked)
    puzzle, marks = position.puzzle, _marks(asked, position)
    try:
        solution = solve(puzzle)
        if wrong := marks.flags & solution.safe | marks.crosses & solution.mines:
            are = "mark at {} is" if wrong.bit_count() == 1 else "marks at {} are"
            text = f"The {are.format(_names(puzzle, wrong))} wrong."
            return {"status": "wrong", "cells": _pairs(puzzle, wrong), "text": text}
        step = next_step(puzzle, marks)
        if step is None and kind == "reveal" and solution.safe:
            # a cross opens nothing: what it is drawn on is still to be opened
            step = next_step(puzzle, Marks(flags=marks.flags))
    except Clash as clash:
        return _contradiction(clash)
    if step is not None:
        return {"status": "step", **step_json(puzzle, step)}
    if solution.unique:
        return {"status": "done", "text": "Nothing is left to find."}
    return {"status": "stuck", **_stuck(puzzle, kind, solution)}


def explain(asked: Asked) -> Answer:
    """Every step of the position as it stands. ``status`` is unique, undecided or contradiction."""
    asked_kind(asked)
    puzzle = asked_board(asked).puzzle
    nothing: Answer = {"steps": [], "mines": [], "safe": []}
    try:
        solution = solve(puzzle, explain=True)
    except Clash as clash:
        return {**nothing, **_contradiction(clash)}
    return {
        "status": solution.status,
        "steps": [step_json(puzzle, step) for step in solution.steps],
        "mines": _pairs(puzzle, solution.mines),
        "safe": _pairs(puzzle, solution.safe),
        "text": "" if solution.unique else _open_end(solution),
    }


def odds(asked: Asked) -> Answer:
    """The chance of a mine in every covered cell, all solutions being equally likely."""
    puzzle = asked_board(asked).puzzle
    try:
        found = count(puzzle)
    except Clash as clash:
        return {"solutions": "0", "odds": None, **_contradiction(clash)}
    except Undecided:
        return {"solutions": None, "odds": None, "text": _RUNS_OUT}
    return {"solutions": _digits(found.models), "odds": _table(puzzle, _chances(found)), "text": ""}


# ---------------------------------------------------------------- in words and plain values


def _stuck(puzzle: Puzzle, kind: str, solution: Solution) -> Answer:
    try:
        found = count(puzzle)
    except Undecided:
        return {"odds": None, "solutions": None, "best": [], "text": f"{_open_end(solution)} {_RUNS_OUT}"}
    chances = _chances(found)
    least = min(chances[cell] for cell in cells_in(solution.undecided))
    best = cell_set(cell for cell in cells_in(solution.undecided) if chances[cell] == least)
    text = _open_end(solution)
    if kind == "reveal":
        cells = "cell" if best.bit_count() == 1 else "cells"
        text = f"Nothing is certain. The least risk is {_percent(least)}, at the {cells} {_names(puzzle, best)}."
    return {
        "odds": _table(puzzle, chances),
        "solutions": _digits(found.models),
        "best": _pairs(puzzle, best),
        "text": text,
    }


def _open_end(solution: Solution) -> str:
    if not solution.complete:
        return "Nothing more was found within the work allowed."
    return "Nothing more is certain: the board has more than one solution."


def _contradiction(clash: Clash) -> Answer:
    return {"status": "contradiction", "cells": [list(at) for at in clash.cells], "text": str(clash)}


def _chances(found: Odds) -> dict[Cell, float]:
    known: dict[int, float] = {}  # by identity: cells alike have the very same number, and long ones take long
    for number in found.mined_in.values():
        if id(number) not in known:
            known[id(number)] = number / found.models
    return {cell: known[id(number)] for cell, number in found.mined_in.items()}


def _table(puzzle: Puzzle, chances: Mapping[Cell, float]) -> list[list[float | None]]:
    rows, cols = puzzle.shape.rows, puzzle.shape.cols
    return [[chances.get(puzzle.shape.cell(r, c)) for c in range(cols)] for r in range(rows)]


def _digits(number: int) -> str:
    """All digits, though of a large open board they are thousands."""
    most = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        return str(number)
    finally:
        sys.set_int_max_str_digits(most)


def _percent(chance: float) -> str:
    percent = 100 * chance
    return f"{percent:.0f} %" if percent >= 10 else f"{percent:.2g} %"


def _pairs(puzzle: Puzzle, cells: CellSet) -> list[list[int]]:
    return [list(at) for at in puzzle.shape.pairs(cells)]


def _names(puzzle: Puzzle, cells: CellSet) -> str:
    names = puzzle.shape.names(cells).split()
    return " ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
