"""Owns what a made board carries with it, and the texts it is written as: JSON, board text, digits, an address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from autosolve.board.notation import Position, grid_lines, solution_hash, write, write_digits
from autosolve.board.puzzle import Puzzle, Totals, Variant
from autosolve.board.shape import CellSet
from autosolve.errors import WrongUse


@dataclass(frozen=True, slots=True)
class Record:
    """A board that was made.

    ``puzzle``      what a player sees
    ``mines``       its solution: every mine of the board
    ``seed``        the number that makes this very board again
    ``difficulty``  what was asked for
    ``grade``       how hard it is, as ``grade --json`` says it; empty until it is graded
    ``extra``       what else belongs into the JSON of its kind, such as ``start``; plain JSON values
    """

    puzzle: Puzzle
    mines: CellSet
    seed: int
    difficulty: str
    grade: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    extra: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        if self.mines & ~(self.puzzle.covered | self.puzzle.mines):
            raise WrongUse("A mine lies on an open cell.", "Give the solution of this very board.")

    def __reduce__(self) -> tuple[type[Record], tuple[Any, ...]]:
        """Goes from process to process; the views of its dictionaries could not."""
        return Record, (self.puzzle, self.mines, self.seed, self.difficulty, dict(self.grade), dict(self.extra))

    @property
    def sha256(self) -> str:
        """See ``notation.solution_hash``."""
        return solution_hash(self.puzzle.shape, self.mines)

    @property
    def position(self) -> Position:
        """The board with the hash of its solution."""
        return Position(self.puzzle, sha256=self.sha256)

    @property
    def solution_rows(self) -> list[str]:
        """One string of 0 and 1 a row, 1 for a mine."""
        size, cols = self.puzzle.shape.size, self.puzzle.shape.cols
        bits = format(self.mines, f"0{size}b")[::-1]
        return [bits[i : i + cols] for i in range(0, size, cols)]

    def graded(self, grade: Mapping[str, Any]) -> Record:
        """The same board with its grade."""
        return replace(self, grade=MappingProxyType(dict(grade)))

    def to_json(self) -> dict[str, Any]:
        """One object of ``generate --json``, without its schema number."""
        puzzle, totals = self.puzzle, self.puzzle.totals
        out: dict[str, Any] = {
            "rows": puzzle.shape.rows,
            "cols": puzzle.shape.cols,
            "grid": grid_lines(puzzle),
            "solution": self.solution_rows,
            "hash": self.sha256,
            "seed": self.seed,
            "mines": self.mines.bit_count(),
            "difficulty": self.difficulty,
            "grade": dict(self.grade),
        }
        if puzzle.variant is not Variant.MINESWEEPER:
            out["variant"] = puzzle.variant.value
        if totals != Totals():
            told: dict[str, Any] = {"rows": list(totals.rows), "columns": list(totals.columns)}
            told = {key: value for key, value in told.items() if value}
            out["totals"] = told if totals.mines is None else {**told, "mines": totals.mines}
        return {**out, **self.extra}

    def to_text(self) -> str:
        """Board text that ``parse`` reads back, its seed and difficulty as a comment on top."""
        count = self.mines.bit_count()
        words = f"# {self.difficulty}, seed {self.seed}, {count} mine{'' if count == 1 else 's'}"
        if self.grade:
            words += f"; needs {self.grade.get('hardest') or 'nothing'}, depth {self.grade.get('depth')}"
        return f"{words}\n{write(self.position)}"

    def to_line(self) -> str:
        """The one-line puzzle ``RxC:digits:sha256``; WrongUse for totals and mosaics, which digits cannot say."""
        return write_digits(self.position)

    def to_address(self, page: str) -> str:
        """The address that opens the board in the local player's page, itself given as an address."""
        said = self.puzzle.totals != Totals() or self.puzzle.variant is not Variant.MINESWEEPER
        return f"{page}#{quote(write(self.position) if said else self.to_line(), safe=':')}"
