"""Owns what the player's page asks of more than the solver: new boards, whether a clear was clean, a rating.

Plain JSON values in, plain JSON values out, as ``player.answers`` has it; functions that other processes call by name.
"""

from __future__ import annotations

import functools
import secrets
from collections.abc import Mapping
from typing import Any

from autosolve.board.notation import Position, write
from autosolve.board.shape import Shape
from autosolve.board.words import counted, sentence, up_to, verb
from autosolve.errors import WrongUse
from autosolve.generate.record import Record
from autosolve.player.answers import Answer, Asked, asked_board, asked_cell, asked_kind, asked_number, asked_solution
from autosolve.solver.deduction import Technique

DIFFICULTIES = ("easy", "medium", "hard", "expert")
# the longest sides; the page shows larger boards, but they take long to make
_SIDES = {"puzzle": 60, "mosaic": 20, "lines": 15, "reveal": 100}
_EXPERT_CELLS = 900
_EXPERT_DEALS = 40
_LINES_TRIES = 3000
# dealt in all for one board: a mosaic of 20x20 takes some seconds
_MOSAIC_CELLS = 2000
# boards dealt to find one that needs what was asked for: the rules allow it, and most boards need less
_REVEAL_BOARDS = 40
_REVEAL_CELLS = 20_000
_SEEDS = 2**53 - 1
# what is certain at all, by the shortest way: the others prove nothing that these do not
_ALL = frozenset({Technique.ONE, Technique.TOTAL, Technique.SAT})
_MOST_MOVES = 20_000
_MOST_ATTEMPTS = 20_000


# ---------------------------------------------------------------- new boards


def new(asked: Asked) -> Answer:
    """A new board of a kind, a size and a difficulty, from a seed."""
    kind = asked_kind(asked)
    most = _SIDES[kind]
    shape = Shape(asked_number(asked, "rows", 2, most), asked_number(asked, "cols", 2, most))
    difficulty = asked.get("difficulty")
    if difficulty not in DIFFICULTIES[: 3 if kind == "reveal" else 4]:
        known = ", ".join(DIFFICULTIES)
        raise WrongUse("There is no such difficulty.", f"They are {known}; a board to reveal is hard at most.")
    seed = asked_number(asked, "seed", 0, _SEEDS, secrets.randbelow(10**9))
    mines = asked_number(asked, "mines", 0, shape.size, -1)
    make = {"puzzle": _puzzle, "mosaic": _mosaic, "lines": _lines, "reveal": _reveal}[kind]
    record = make(asked, shape, difficulty, seed, None if mines < 0 else mines)
    reached = record.extra.get("reached", difficulty)
    text = "" if reached == difficulty else f"No {difficulty} board was found; this one is {reached}."
    return {
        "kind": kind,
        "board": write(Position(record.puzzle)),
        "solution": record.solution_rows,
        "mines": record.mines.bit_count(),
        "hash": record.sha256,
        "seed": record.seed,
        "difficulty": reached,
        "asked": difficulty,
        "grade": dict(record.grade),
        "start": record.extra.get("start"),
        "text": text,
    }


def _puzzle(asked: Asked, shape: Shape, difficulty: str, seed: int, mines: int | None) -> Record:
    from autosolve.generate.unique import Difficulty, Recipe

    if mines is None:
        recipe = Recipe(shape, Difficulty(difficulty))
    else:
        recipe = Recipe(shape, Difficulty(difficulty), _share(mines, shape), 0)
    if difficulty == "expert" and shape.size > _EXPERT_CELLS:
        raise WrongUse(
            f"An expert board of {shape} cells takes too long to find.", f"Take {_EXPERT_CELLS} cells at the most."
        )
    record, _ = _maker(recipe).exact(seed, _EXPERT_DEALS)
    return _graded(record)


def _share(mines: int, shape: Shape) -> float:
    if not 0 < mines < shape.size:
        raise WrongUse(
            f"{counted(mines, 'mine')} {verb(mines, 'makes', 'make')} no puzzle of {shape} cells.",
            sentence(up_to(shape.size - 1, "mine", 1)),
        )
    return mines / shape.size


@functools.lru_cache(maxsize=8)
def _maker(recipe: Any) -> Any:
    """Keeps the buffers of the last few sizes."""
    from autosolve.generate.unique import Maker

    return Maker(recipe)


def _graded(record: Record) -> Record:
    from autosolve.cli.made import graded

    return graded(record)


def _mosaic(asked: Asked, shape: Shape, difficulty: str, seed: int, mines: int | None) -> Record:
    from autosolve.generate import mosaic
    from autosolve.generate.unique import Difficulty, Recipe

    if mines is None:
        recipe = Recipe(shape, Difficulty(difficulty), mosaic.DENSITY)
    else:
        recipe = Recipe(shape, Difficulty(difficulty), _share(mines, shape), 0)
    record, _ = mosaic.MosaicMaker(recipe).exact(seed, max(1, _MOSAIC_CELLS // shape.size))
    return _graded(record)


def _lines(asked: Asked, shape: Shape, difficulty: str, seed: int, mines: int | None) -> Record:
    from autosolve.generate import lines

    needs = list(lines.Needs)[DIFFICULTIES.index(difficulty)]
    band = None if mines is None else (mines, mines)
    found = lines.make(lines.Wish(shape, needs, mines=band), seed, _LINES_TRIES)
    if isinstance(found, lines.Lines):
        return found.record(difficulty)
    if found.nearest is None:
        raise WrongUse(
            f"No {difficulty} board of {shape} cells was found.", "Take another size, difficulty or number of mines."
        )
    hardest = found.nearest.solution.hardest or Technique.ONE
    return found.nearest.record(difficulty, reached=_reached(hardest))


def _reveal(asked: Asked, shape: Shape, difficulty: str, seed: int, mines: int | None) -> Record:
    from autosolve.generate.deal import standard_mines
    from autosolve.generate.noguess import Order, Rules, Wish, made
    from autosolve.kernels.game import FirstClick

    given, first = asked.get("start"), FirstClick.OPENING
    start = shape.middle if given is None else asked_cell(given, shape)
    if mines is None:
        mines = min(standard_mines(shape), first.room(shape, start), shape.size - 1)
    rules = list(Rules)[DIFFICULTIES.index(difficulty)]
    wish, best = Wish(shape, mines, start, rules, first), None
    for number in range(max(1, min(_REVEAL_BOARDS, _REVEAL_CELLS // shape.size))):
        board, again = made(Order(wish, (seed + number) % _SEEDS))
        if not (board.proven and again.won):
            break
        record = board.record(again, reached=_reached(again.hardest or Technique.ONE))
        if best is None or DIFFICULTIES.index(record.extra["reached"]) > DIFFICULTIES.index(best.extra["reached"]):
            best = record
        if best.extra["reached"] == difficulty:
            break
    if best is None:
        raise WrongUse(
            f"No {difficulty} board of {shape} cells with {counted(mines, 'mine')} was found that needs no guess.",
            "Take fewer mines, or a harder level.",
        )
    return best


def _reached(hardest: Technique) -> str:
    return DIFFICULTIES[min(hardest, 3) - 1]


# ---------------------------------------------------------------- clears and ratings


def judge(asked: Asked) -> Answer:
    """Whether a board was cleared cleanly: every move provable, by whatever layer, when it was made."""
    from autosolve.analysis.audit import Move
    from autosolve.analysis.audit import judge as decide
    from autosolve.analysis.collection import Entry

    kind, position = asked_kind(asked), asked_board(asked)
    shape = position.puzzle.shape
    solution, given = asked_solution(asked, shape), asked.get("moves")
    if not isinstance(given, list) or len(given) > _MOST_MOVES:
        raise WrongUse("'moves' is not a list of moves.", f"Give {_MOST_MOVES} at the most.")
    moves = list[Move]()
    for move in given:
        what = move.get("what") if isinstance(move, dict) else None
        if what not in ("mine", "open", "mark", "hint"):
            raise WrongUse("There is a move of no known kind.", "A move is mine, open, mark or hint.")
        moves.append(Move(what, None if what == "hint" else asked_cell(move.get("cell"), shape)))
    entry = Entry(1, position, solution=solution, reveals=kind == "reveal")
    attempt = asked_number(asked, "attempt", 1, _SEEDS, 1)
    found = decide(entry, solution, moves, attempt=attempt, layers=_ALL)
    faults = [] if found.cleared else ["it was not cleared"]
    faults += [f"it was attempt {found.attempt}"] if found.attempt > 1 else []
    for number, what in ((found.hints, "hint"), (len(found.misses), "miss"), (len(found.unproven), "guess")):
        plural = {"miss": "misses", "guess": "guesses"}.get(what, f"{what}s")
        faults += [f"{number} {what if number == 1 else plural}"] if number else []
    return {
        "clean": found.clean,
        "cleared": found.cleared,
        "catches": found.catches,
        "misses": list(found.misses),
        "unproven": list(found.unproven),
        "hints": found.hints,
        "text": "A clean clear: every move was provable."
        if found.clean
        else f"Not a clean clear: {', '.join(faults)}.",
    }


def rating(asked: Asked) -> Answer:
    """The rating of a player from all attempts."""
    from autosolve.analysis.rating import Attempt, rate

    given = asked.get("attempts")
    if not isinstance(given, list) or len(given) > _MOST_ATTEMPTS:
        raise WrongUse("'attempts' is not a list of attempts.", f"Give {_MOST_ATTEMPTS} at the most.")
    attempts = list[Attempt]()
    for attempt in given:
        told: Mapping[str, Any] = attempt if isinstance(attempt, dict) else {}
        depth, clean = told.get("depth"), told.get("clean")
        if not isinstance(depth, int | float) or isinstance(depth, bool) or not isinstance(clean, bool):
            raise WrongUse("There is an attempt without a depth or without a word on how it went.", "Give both.")
        attempts.append(Attempt(depth, clean))
    found = rate(attempts)
    low, high = found.interval
    return {
        "rating": found.points,
        "low": low,
        "high": high,
        "attempts": found.attempts,
        "clean": found.clean,
        "settled": found.settled,
        "shown": found.shown,
    }
