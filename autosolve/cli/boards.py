"""Owns the commands on boards given as text: solve and hint."""

from __future__ import annotations

from typing import Any

import click

from autosolve.board.notation import Position, parse, solution_hash, solved_lines
from autosolve.board.puzzle import Puzzle
from autosolve.cli import say
from autosolve.errors import Clash, Undecided
from autosolve.solver.deduction import Solution
from autosolve.solver.hybrid import solve as find_solution

_MANY = 12


def _pairs(puzzle: Puzzle, cells: int) -> list[list[int]]:
    return [list(at) for at in puzzle.shape.pairs(cells)]


def _names(puzzle: Puzzle, cells: int) -> str:
    """Names of a set of cells, cut short where there are very many."""
    names = puzzle.shape.names(cells).split()
    more = f" and {len(names) - _MANY} more" if len(names) > _MANY else ""
    return " ".join(names[:_MANY]) + more


def _count(cells: int) -> str:
    """``1 cell``, ``7 cells``."""
    number = cells.bit_count()
    return f"{number} cell{'' if number == 1 else 's'}"


def _solution_json(position: Position, solution: Solution) -> dict[str, Any]:
    puzzle = position.puzzle
    return {
        "status": solution.status,
        "rows": puzzle.shape.rows,
        "cols": puzzle.shape.cols,
        "mines": _pairs(puzzle, solution.mines | puzzle.mines),
        "safe": _pairs(puzzle, solution.safe),
        "undecided": _pairs(puzzle, solution.undecided),
        "solutions": 1 if solution.unique else None,
        "hash": solution_hash(puzzle.shape, solution.mines | puzzle.mines) if solution.unique else None,
        "hardest": solution.hardest.word if solution.hardest else None,
    }


@click.command()
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of board text.")
def solve(file: str, as_json: bool) -> None:
    """Find the mines of the board in FILE ('-' for standard input) and prove them.

    The board comes back with F on every mine and x on every safe cell.
    """
    position = parse(say.read_text(file))
    puzzle = position.puzzle
    try:
        solution = find_solution(puzzle)
    except Clash:
        if as_json:
            say.json_result(
                {
                    "status": "contradiction",
                    "rows": puzzle.shape.rows,
                    "cols": puzzle.shape.cols,
                    "mines": [],
                    "safe": [],
                    "undecided": _pairs(puzzle, puzzle.covered),
                    "solutions": 0,
                    "hash": None,
                    "hardest": None,
                }
            )
        raise
    if as_json:
        say.json_result(_solution_json(position, solution))
    else:
        say.result("\n".join(solved_lines(puzzle, solution.mines, solution.safe)))
    if not solution.unique:
        raise _undecided(puzzle, solution)
    found = solution_hash(puzzle.shape, solution.mines | puzzle.mines)
    if position.sha256 is not None and position.sha256 != found:
        raise Clash(
            "The board has one solution, but its hash is not the one given.",
            "The hash belongs to another board, or a clue is mistyped.",
        )


def _undecided(puzzle: Puzzle, solution: Solution) -> Undecided:
    cells = solution.undecided
    if not solution.complete:
        message = f"The budget of work ran out with {_count(cells)} undecided."
    else:
        message = f"The board has more than one solution: {_count(cells)} undecided ({_names(puzzle, cells)})."
    remedy = "Only what is certain is shown."
    if solution.other is not None:
        first = solution.differing & solution.other[0]
        second = solution.differing & solution.other[1]
        remedy = (
            f"Two solutions differ in {_names(puzzle, solution.differing)}: "
            f"the mines among them are {_names(puzzle, first) or 'none'}, or {_names(puzzle, second) or 'none'}."
        )
    return Undecided(message, remedy, cells=puzzle.shape.pairs(cells))
