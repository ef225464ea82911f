"""Owns the commands on boards given as text: solve, hint and odds."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

from autosolve.board.notation import Position, grid_lines, parse, solution_hash, solved_lines
from autosolve.board.puzzle import Constraint, Kind, Puzzle
from autosolve.board.shape import Cell, CellSet
from autosolve.cli import say
from autosolve.cli.options import as_json, layers_allowed
from autosolve.errors import Clash, Undecided
from autosolve.solver.deduction import Budget, Deduction, Solution, Technique, Verdict
from autosolve.solver.hybrid import next_step
from autosolve.solver.hybrid import solve as find_solution

Command = TypeVar("Command", bound=Callable[..., Any])

_MANY = 12
# programs that read JSON give up on longer numbers, Python's own among them
_NUMBER_BITS = 4096
_POLICIES = ("safety", "progress", "tree")


# ---------------------------------------------------------------- words and JSON


def _pairs(puzzle: Puzzle, cells: CellSet) -> list[list[int]]:
    return [list(at) for at in puzzle.shape.pairs(cells)]


def _names(puzzle: Puzzle, cells: CellSet) -> str:
    """Names of a set of cells, cut short where there are very many."""
    names = puzzle.shape.names(cells).split()
    more = f" and {len(names) - _MANY} more" if len(names) > _MANY else ""
    return " ".join(names[:_MANY]) + more


def _count(cells: CellSet) -> str:
    """``1 cell``, ``7 cells``."""
    number = cells.bit_count()
    return f"{number} cell{'' if number == 1 else 's'}"


def _because(puzzle: Puzzle, constraint: Constraint) -> dict[str, Any]:
    source = constraint.source
    at: dict[Kind, Any] = {Kind.CLUE: list(puzzle.shape.at(source.at)), Kind.BOARD: None}
    return {
        "kind": source.kind.value,
        "at": at.get(source.kind, source.at),
        "cells": _pairs(puzzle, constraint.cells),
        "mines": constraint.mines,
    }


def _step(puzzle: Puzzle, step: Deduction) -> dict[str, Any]:
    return {
        "cells": _pairs(puzzle, step.cells),
        "verdict": step.verdict.value,
        "technique": step.technique.word,
        "because": [_because(puzzle, c) for c in step.because],
        "text": step.text,
        "pattern": step.pattern or None,
        "wave": step.wave,
    }


def _sentence(step: Deduction) -> str:
    return f"{step.text[0].upper()}{step.text[1:]}."


# ---------------------------------------------------------------- options


def _shared(command: Command) -> Command:
    """What all commands on boards take."""
    command = click.option(
        "--states",
        type=click.IntRange(1),
        default=Budget().states,
        show_default=True,
        help="Work the exact count may do.",
    )(command)
    command = as_json(command)
    return click.argument("file")(command)


# ---------------------------------------------------------------- solve


def _solution_json(position: Position, solution: Solution | None, states: int) -> dict[str, Any]:
    """``solution`` is None where the clues contradict each other."""
    puzzle = position.puzzle
    shape = puzzle.shape
    undecided = solution.undecided if solution else puzzle.covered
    out: dict[str, Any] = {
        "status": solution.status if solution else "contradiction",
        "rows": shape.rows,
        "cols": shape.cols,
        "mines": _pairs(puzzle, solution.mines | puzzle.mines if solution else puzzle.mines),
        "safe": _pairs(puzzle, solution.safe if solution else 0),
        "undecided": _pairs(puzzle, undecided),
        "solutions": _solutions(puzzle, solution, states) if solution else 0,
        "hash": solution_hash(shape, solution.mines | puzzle.mines) if solution and solution.unique else None,
        "hardest": solution.hardest.word if solution and solution.hardest else None,
    }
    if solution and solution.guess is not None:
        out["guess"] = list(shape.at(solution.guess))
    return out


def _solutions(puzzle: Puzzle, solution: Solution, states: int) -> int | None:
    """How many there are; None where they are too many to count within the budget, or to be read as a number."""
    from autosolve.solver.count import odds as count

    if solution.unique:
        return 1
    try:
        models = count(puzzle, budget=Budget(states=states)).models
    except Undecided:
        return None
    return models if models.bit_length() <= _NUMBER_BITS else None


@click.command()
@_shared
@click.option("--explain", is_flag=True, help="Every step with its reason.")
@layers_allowed
@click.option("--guess", type=click.Choice(_POLICIES), help="Name the best cell to open where nothing is certain.")
def solve(
    file: str, as_json: bool, states: int, explain: bool, layers: frozenset[Technique] | None, guess: str | None
) -> None:
    """Find the mines of the board in FILE ('-' for standard input) and prove them.

    The board comes back with F on every mine and x on every safe cell.
    """
    from autosolve.solver.guess import Policy

    position = parse(say.read_text(file))
    puzzle = position.puzzle
    policy = Policy(guess) if guess else None
    try:
        solution = find_solution(puzzle, layers=layers, budget=Budget(states=states), explain=explain, guess=policy)
    except Clash as clash:
        if as_json:
            steps: dict[str, Any] = {"steps": []} if explain else {}
            named = {"named": [list(at) for at in clash.cells]}
            say.json_result({**_solution_json(position, None, states), **steps, **say.error_json(clash), **named})
        raise
    found = solution_hash(puzzle.shape, solution.mines | puzzle.mines) if solution.unique else None
    matches = None if position.sha256 is None or found is None else position.sha256 == found
    if as_json:
        steps = {"steps": [_step(puzzle, s) for s in solution.steps]} if explain else {}
        given = {} if matches is None else {"hash_matches": matches}
        say.json_result({**_solution_json(position, solution, states), **given, **steps})
    else:
        for step in solution.steps:
            say.result(f"# {step.wave}. {step.technique.word}: {_sentence(step)}")
        say.result("\n".join(solved_lines(puzzle, solution.mines, solution.safe)))
    if solution.guess is not None:
        say.note(f"The best guess by {guess} is to open {puzzle.shape.name(solution.guess)}.")
    elif guess and solution.undecided and solution.safe:
        say.note("No guess is needed yet: the safe cells come first.")
    elif guess and solution.undecided:
        say.note(f"A best guess needs more than the {states} states allowed; allow more with --states.")
    if not solution.unique:
        raise _undecided(puzzle, solution)
    if matches is False:
        raise Clash(
            "The board has one solution, but its hash is not the one given.",
            "The hash belongs to another board, or a clue is mistyped.",
        )


def _undecided(puzzle: Puzzle, solution: Solution) -> Undecided:
    cells = solution.undecided
    remedy = "Only what is certain is shown."
    if solution.hardest is Technique.UNIQUE:
        message = "The board was solved on the assumption that it has one solution, which is not proven."
        remedy = "Leave the layer 'unique' out to have it proven."
    elif not solution.complete:
        message = f"The budget of work ran out with {_count(cells)} undecided."
    elif solution.other is None:
        message = f"The layers allowed leave {_count(cells)} undecided ({_names(puzzle, cells)})."
    else:
        message = f"The board has more than one solution: {_count(cells)} undecided ({_names(puzzle, cells)})."
        first = solution.differing & solution.other[0]
        second = solution.differing & solution.other[1]
        remedy = (
            f"Two solutions differ in {_names(puzzle, solution.differing)}: the mines among them are "
            f"{_names(puzzle, first) or 'none'}, or {_names(puzzle, second) or 'none'}."
        )
    return Undecided(message, remedy, cells=puzzle.shape.pairs(cells))


# ---------------------------------------------------------------- hint


@click.command()
@_shared
def hint(file: str, as_json: bool, states: int) -> None:
    """Say the next step of the board in FILE in one sentence.

    What the board's flags (F) and crosses (x) already show is passed over; they are never taken for facts.
    """
    nothing: dict[str, Any] = {
        "cells": [],
        "verdict": None,
        "technique": None,
        "because": [],
        "text": "Nothing is certain.",
    }
    if as_json:
        say.want_json(**nothing)
    position = parse(say.read_text(file))
    puzzle, marks = position.puzzle, position.marks
    solution = find_solution(puzzle, budget=Budget(states=states))  # a board that clashes has no next step
    step = next_step(puzzle, marks, budget=Budget(states=states))
    if step is not None and as_json:
        say.json_result(_step(puzzle, step))
    elif step is not None:
        wrong = step.cells & (marks.crosses if step.verdict is Verdict.MINE else marks.flags)
        text = _sentence(step)
        say.result(f"{text} The mark at {_names(puzzle, wrong)} is wrong." if wrong else text)
    elif not solution.unique:
        raise _undecided(puzzle, solution)
    elif as_json:
        say.json_result({**nothing, "text": "Nothing is left."})
    else:
        say.result("Nothing is left to find.")


# ---------------------------------------------------------------- odds


@click.command()
@_shared
def odds(file: str, as_json: bool, states: int) -> None:
    """Give the exact chance of a mine in every covered cell of the board in FILE, in per cent.

    All solutions count as equally likely.
    """
    from autosolve.solver.count import odds as count

    if as_json:
        say.want_json(solutions=None, odds=None)
    puzzle = parse(say.read_text(file)).puzzle
    try:
        found = count(puzzle, budget=Budget(states=states))
    except Clash:
        if as_json:
            say.want_json(solutions="0", odds=None)
        raise
    # the number of solutions of a large open board has thousands of digits, and all of them are given
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    models = str(found.models)
    sys.set_int_max_str_digits(digits)
    rows, cols = puzzle.shape.rows, puzzle.shape.cols
    known: dict[int, float] = {}  # by identity: cells alike have the very same number, and long ones take long

    def chance(cell: Cell) -> float:
        # a quotient of two ints is rounded once, and rightly, however long they are
        number = found.mined_in[cell]
        if id(number) not in known:
            known[id(number)] = number / found.models
        return known[id(number)]

    if as_json:
        table = [
            [chance(c) if c in found.mined_in else None for c in map(Cell, range(r * cols, (r + 1) * cols))]
            for r in range(rows)
        ]
        say.json_result({"solutions": models, "odds": table})
        return
    shown = "".join(grid_lines(puzzle))
    say.result(f"# solutions: {models}")
    for r in range(rows):
        words = [
            f"{100 * chance(c):.2f}" if c in found.mined_in else shown[c]
            for c in map(Cell, range(r * cols, (r + 1) * cols))
        ]
        say.result(" ".join(f"{word:>6}" for word in words))
