"""Owns one step of reasoning as the page reads it, in plain JSON values."""

from __future__ import annotations

from typing import Any

from autosolve.board.puzzle import Constraint, Kind, Puzzle
from autosolve.solver.deduction import Deduction


def step_json(puzzle: Puzzle, step: Deduction) -> dict[str, Any]:
    """One step in plain values; cells are [row, column], from 0.

    ``where`` is the part of the board to look at: the cells of the step's sentences with the clues that say them."""
    pairs = puzzle.shape.pairs
    where = step.cells
    for sentence in step.because:
        where |= sentence.cells
        if sentence.source.kind is Kind.CLUE:
            where |= 1 << sentence.source.at
    return {
        "where": [list(at) for at in pairs(where)],
        "clues": [_sentence(puzzle, sentence) for sentence in step.because],
        "cells": [list(at) for at in pairs(step.cells)],
        "verdict": step.verdict.value,
        "technique": step.technique.word,
        "pattern": step.pattern or None,
        "wave": step.wave,
        "text": f"{step.text[:1].upper()}{step.text[1:]}.",
    }


def _sentence(puzzle: Puzzle, sentence: Constraint) -> dict[str, Any]:
    """Which sentence of the board it is, what is left of it to decide, and how many mines of that."""
    at: Any = sentence.source.at
    if sentence.source.kind is Kind.CLUE:
        at = list(puzzle.shape.at(at))
    elif sentence.source.kind is Kind.BOARD:
        at = True
    cells = [list(pair) for pair in puzzle.shape.pairs(sentence.cells)]
    return {sentence.source.kind.value: at, "cells": cells, "mines": sentence.mines}
