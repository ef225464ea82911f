"""Owns the second reader: a reading held against logic, since what a board shows must be a possible position."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from autosolve.board.puzzle import Totals
from autosolve.board.shape import Cell
from autosolve.errors import Clash
from autosolve.solver.deduction import Budget
from autosolve.solver.hybrid import solve

if TYPE_CHECKING:
    from autosolve.vision.read import Reading

ROUNDS = 12  # clashes looked for one after another; a board with more is not the board it was taken for
WORK = Budget(states=20_000)


def doubted(reading: Reading) -> Reading:
    """The reading, with the cells doubtful whose clues cannot all be true: a smallest set of them, and so on until the
    rest is possible. Each reason names the set and the likeliest misread clue with what would fit instead. Nothing is
    read anew and nothing changed; the totals printed beside the board are left out, as they are no cells."""
    doubts = dict(reading.doubts)
    certainty = {Cell(c): float(s) for c, s in enumerate(reading.scores.ravel())}
    for _ in range(ROUNDS):
        puzzle = replace(reading, doubts=doubts, totals=Totals(), unread=()).puzzle
        try:
            solve(puzzle, budget=WORK, certainty=certainty)
        except Clash as clash:
            new = [puzzle.shape.cell(*at) for at in clash.cells]
            new = [c for c in new if c not in doubts]
            if not new:
                break
            words = str(clash)
            reason = f"{words[:1].lower()}{words[1:].rstrip('.')}. {clash.remedy}".strip()
            doubts.update(dict.fromkeys(new, reason))
        else:
            break
    return reading if len(doubts) == len(reading.doubts) else replace(reading, doubts=doubts)
