"""Owns what the board shows: every cell with its certainty, and the refusal of what cannot be told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from autosolve.board.puzzle import Marks, Puzzle, Totals
from autosolve.board.shape import Cell, CellSet, cell_set
from autosolve.vision.frame import Frame
from autosolve.vision.grid import Grid
from autosolve.vision.profile import Profile, Symbol

Scores = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A board as it was seen.

    ``symbols``  per cell, row-major, the best symbol; for a doubtful cell it is a mere suspicion
    ``scores``   float32 (rows, cols), 0..1: how well the best symbol fits
    ``margins``  float32 (rows, cols), 0..1: how far the next best is behind
    ``doubts``   doubtful cell to the reason, in words that go after "because"
    ``totals``   totals read around the board
    """

    frame: Frame
    grid: Grid
    profile: Profile
    symbols: tuple[Symbol, ...]
    scores: Scores
    margins: Scores
    doubts: Mapping[Cell, str] = field(default_factory=dict)
    totals: Totals = field(default_factory=Totals)

    @property
    def doubtful(self) -> CellSet:
        """The cells that cannot be told."""
        return cell_set(self.doubts)

    @property
    def certainty(self) -> float:
        """0..1: the certainty of the least certain cell; 0 when a cell is doubtful."""
        return 0.0 if self.doubts else float(self.scores.min())

    def where(self, *symbols: Symbol) -> CellSet:
        """The undoubted cells that show one of ``symbols``."""
        doubts = self.doubts
        return cell_set(c for c, s in enumerate(self.symbols) if s in symbols and c not in doubts)

    @property
    def text(self) -> list[str]:
        """The board in board text, one string a row; a doubtful cell is ``.``"""
        cols = self.grid.shape.cols
        chars = [Symbol.COVERED.value if c in self.doubts else s.value for c, s in enumerate(self.symbols)]
        return ["".join(chars[i : i + cols]) for i in range(0, len(chars), cols)]

    @property
    def puzzle(self) -> Puzzle:
        """The facts only. A doubtful cell counts as covered: it may hold a mine or not, so every sentence
        stays true. On a side where the board is cut, no clue of the last line is used."""
        shape = self.grid.shape
        shown = self.where(Symbol.MINE, Symbol.EXPLODED)
        clues: dict[Cell, int] = {}
        for c, symbol in enumerate(self.symbols):
            if symbol.number is not None and c not in self.doubts:
                clues[Cell(c)] = symbol.number
        covered = shape.all & ~cell_set(clues) & ~shown
        edge = 0
        for side in self.grid.cut:
            edge |= {
                "top": shape.row(0),
                "bottom": shape.row(shape.rows - 1),
                "left": shape.column(0),
                "right": shape.column(shape.cols - 1),
            }[side]
        return Puzzle(
            shape,
            {c: n for c, n in clues.items() if not edge >> c & 1},
            covered,
            self.totals,
            shown,
        )

    @property
    def marks(self) -> Marks:
        """What a hand has drawn."""
        return Marks(self.where(Symbol.FLAG), self.where(Symbol.SAFE), self.where(Symbol.QUESTION))
