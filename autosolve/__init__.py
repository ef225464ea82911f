"""autosolve reads Minesweeper from the screen, proves where the mines are, and clicks.

The names below are the public ones; each is imported when it is first used, so that ``import autosolve`` is
quick and needs no screen::

    puzzle = autosolve.parse_board("1.1\\n1.1\\n")
    autosolve.solve(puzzle).mines
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from autosolve.analysis.grade import Grade, grade
    from autosolve.board.notation import Position, parse, parse_board, parse_collection, solution_hash, write
    from autosolve.board.puzzle import Marks, Puzzle, Totals, Variant
    from autosolve.board.shape import Shape
    from autosolve.bot import Lap, Outcome, Result, play
    from autosolve.errors import AutosolveError, Clash, NotationError
    from autosolve.solver.count import odds
    from autosolve.solver.deduction import Budget, Deduction, Odds, Solution, Technique, Verdict
    from autosolve.solver.guess import Guess, Policy, best_guess
    from autosolve.solver.hybrid import next_step, solve
    from autosolve.vision.read import Reading, read

__version__ = "0.1.0"

_HOMES = {
    "autosolve.board.notation": ("Position", "parse", "parse_board", "parse_collection", "solution_hash", "write"),
    "autosolve.board.puzzle": ("Marks", "Puzzle", "Totals", "Variant"),
    "autosolve.board.shape": ("Shape",),
    "autosolve.bot": ("Lap", "Outcome", "Result", "play"),
    "autosolve.errors": ("AutosolveError", "Clash", "NotationError"),
    "autosolve.solver.count": ("odds",),
    "autosolve.solver.deduction": ("Budget", "Deduction", "Odds", "Solution", "Technique", "Verdict"),
    "autosolve.solver.guess": ("Guess", "Policy", "best_guess"),
    "autosolve.solver.hybrid": ("next_step", "solve"),
    "autosolve.analysis.grade": ("Grade", "grade"),
    "autosolve.vision.read": ("Reading", "read"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "AutosolveError",
    "Budget",
    "Clash",
    "Deduction",
    "Grade",
    "Guess",
    "Lap",
    "Marks",
    "NotationError",
    "Odds",
    "Outcome",
    "Policy",
    "Position",
    "Puzzle",
    "Reading",
    "Result",
    "Shape",
    "Solution",
    "Technique",
    "Totals",
    "Variant",
    "Verdict",
    "__version__",
    "best_guess",
    "grade",
    "next_step",
    "odds",
    "parse",
    "parse_board",
    "parse_collection",
    "play",
    "read",
    "solution_hash",
    "solve",
    "write",
]


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'autosolve' has no attribute {name!r}")
    value: object = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value
