"""Owns what a board tells: the facts, and the sentences "exactly N mines among these cells" they say.

Facts, marks and guesses are different types: a flag somebody placed is a ``Marks``, never part of a ``Puzzle``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType

from autosolve.board.shape import Cell, CellSet, Shape
from autosolve.errors import WrongUse


class Variant(Enum):
    """How a clue counts: the eight cells around it, or in mosaic its own cell too."""

    MINESWEEPER = "minesweeper"
    MOSAIC = "mosaic"


class Kind(Enum):
    """Where a sentence comes from."""

    CLUE = "clue"
    ROW = "row"
    COLUMN = "column"
    BOARD = "board"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a sentence comes from; ``at`` is the clue's cell, the 0-based row or column, or 0 for the board."""

    kind: Kind
    at: int = 0


@dataclass(frozen=True, slots=True)
class Constraint:
    """Exactly ``mines`` mines among ``cells``. ``mines`` may be impossible (below 0 or above the number of
    cells) when a board's clues clash: that is for the solver to say."""

    cells: CellSet
    mines: int
    source: Source


@dataclass(frozen=True, slots=True)
class Totals:
    """Mine totals a board states: per row and column (None where unknown), and for the whole board."""

    rows: tuple[int | None, ...] = ()
    columns: tuple[int | None, ...] = ()
    mines: int | None = None


@dataclass(frozen=True, slots=True)
class Marks:
    """What a hand has drawn on covered cells; never a fact."""

    flags: CellSet = 0
    crosses: CellSet = 0
    questions: CellSet = 0


@dataclass(frozen=True, slots=True)
class Puzzle:
    """The facts of a board.

    ``clues``    number printed in a cell: 0-8, or 0-9 in mosaic
    ``covered``  cells that may hold a mine and are not known to; marked cells are among them
    ``mines``    cells shown to be mines (a lost game, or given)
    ``totals``   row, column and board totals, counting shown mines too

    Raises WrongUse for a clue outside its range, a clue on a shown mine, or totals of the wrong length.
    """

    shape: Shape
    clues: Mapping[Cell, int]
    covered: CellSet
    totals: Totals = field(default_factory=Totals)
    mines: CellSet = 0
    variant: Variant = Variant.MINESWEEPER

    def __post_init__(self) -> None:
        object.__setattr__(self, "clues", MappingProxyType(dict(sorted(self.clues.items()))))
        shape, mosaic = self.shape, self.variant is Variant.MOSAIC
        top = 9 if mosaic else 8
        for cell, number in self.clues.items():
            if not 0 <= cell < shape.size:
                raise WrongUse(f"A clue lies outside the {shape} board.", "Check rows and columns.")
            if not 0 <= number <= top:
                raise WrongUse(
                    f"The clue {number} at {shape.name(cell)} is not possible.",
                    f"Clues here go from 0 to {top}.",
                )
            if not mosaic and (self.covered | self.mines) >> cell & 1:
                raise WrongUse(
                    f"{shape.name(cell)} cannot be a clue and a covered cell at once.", "Give one of the two."
                )
        if (self.covered | self.mines) & ~shape.all or self.covered & self.mines:
            raise WrongUse("Covered cells and shown mines must be different cells of the board.", "Check the sets.")
        for name, given, wanted in (
            ("rows", self.totals.rows, shape.rows),
            ("columns", self.totals.columns, shape.cols),
        ):
            if given and len(given) != wanted:
                raise WrongUse(
                    f"The board has {wanted} {name} but {len(given)} totals for them.",
                    "Give one total for each.",
                )

    def __hash__(self) -> int:
        return hash((self.shape, tuple(self.clues.items()), self.covered, self.totals, self.mines, self.variant))

    def __reduce__(self) -> tuple[object, ...]:
        # a read-only mapping cannot be pickled, and boards travel between processes
        return Puzzle, (self.shape, dict(self.clues), self.covered, self.totals, self.mines, self.variant)

    def around(self, cell: int) -> CellSet:
        """The cells that a clue at ``cell`` counts."""
        mask = self.shape.neighbours(cell)
        return mask | 1 << cell if self.variant is Variant.MOSAIC else mask

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """Every sentence the board says over its covered cells: clues first, then rows, columns, the board."""
        shape, covered, mines, totals = self.shape, self.covered, self.mines, self.totals

        def sentence(cells: CellSet, number: int, source: Source) -> Constraint:
            return Constraint(cells & covered, number - (cells & mines).bit_count(), source)

        out = [sentence(self.around(c), n, Source(Kind.CLUE, c)) for c, n in self.clues.items()]
        out += [sentence(shape.row(i), n, Source(Kind.ROW, i)) for i, n in enumerate(totals.rows) if n is not None]
        out += [
            sentence(shape.column(i), n, Source(Kind.COLUMN, i)) for i, n in enumerate(totals.columns) if n is not None
        ]
        if totals.mines is not None:
            out.append(sentence(shape.all, totals.mines, Source(Kind.BOARD)))
        return tuple(out)
