"""Owns labels: what a person says that each cell of a screenshot shows, and where the picture itself contradicts it.

Legend: *labels* are board text with one character a cell, and ``~`` for a cell nothing is said about.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from autosolve.board.notation import BOARD_CHARACTERS
from autosolve.board.puzzle import Puzzle, Totals, Variant
from autosolve.board.shape import Cell, CellSet, Shape, cell_set
from autosolve.errors import NotationError
from autosolve.vision import skin
from autosolve.vision.frame import Frame
from autosolve.vision.grid import Grid
from autosolve.vision.placing import Cells
from autosolve.vision.profile import ENDED, Symbol
from autosolve.vision.read import Reading
from autosolve.vision.shapes import shapes

UNSAID = "~"
SAME_CELLS = 0.4  # of a cell: as far two lattices of the same cells may lie beside each other
ALIKE = 0.1  # by which a drawing must be more like a digit than like anything else
PLAIN_DIGITS = range(2, 9)  # digits that nothing else looks like: a bar is not only a 1
CELLS_OF_ONE = 2  # that show such a digit, at least


@dataclass(frozen=True, slots=True)
class Labels:
    """What each cell of a screenshot shows, row-major; None where nothing is said."""

    shape: Shape
    symbols: tuple[Symbol | None, ...]

    def where(self, *symbols: Symbol) -> CellSet:
        """The cells labelled as one of these."""
        return cell_set(Cell(i) for i, s in enumerate(self.symbols) if s in symbols)

    @property
    def puzzles(self) -> tuple[Puzzle, Puzzle]:
        """What they say as facts, of a game or puzzle, and of a mosaic: cells left out may hold mines."""
        clues = {Cell(i): s.number for i, s in enumerate(self.symbols) if s is not None and s.number is not None}
        mines = self.where(Symbol.MINE, Symbol.EXPLODED)
        left = self.shape.all & ~mines
        return (
            Puzzle(self.shape, clues, left & ~cell_set(clues), Totals(), mines),
            Puzzle(self.shape, clues, left, Totals(), mines, Variant.MOSAIC),
        )


def parse_labels(text: str) -> Labels:
    """Labels from board text, or from one JSON object with a ``grid``; headers and comments are passed over.

    Raises NotationError with line and column for a character that is no symbol, and for rows of unequal length."""
    if text.lstrip().startswith("{"):
        try:
            grid = json.loads(text).get("grid")
        except json.JSONDecodeError as problem:
            raise NotationError(f"This is no JSON: {problem.msg}.", "Mend it.", line=problem.lineno) from None
        if not isinstance(grid, list) or not all(isinstance(row, str) for row in grid):
            raise NotationError("The object has no 'grid' of strings.", "Give one string for each row.", line=1)
        rows = [(number, row) for number, row in enumerate(grid, 1)]
    else:
        rows = []
        for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
            content = line.strip()
            comment = content.startswith("#") and not set(content) <= BOARD_CHARACTERS | {UNSAID}
            if content and not comment and not re.match(r"[A-Za-z][\w-]*\s*:", content):
                rows.append((number, content))
    if not rows or not rows[0][1]:
        raise NotationError("There are no labels in this text.", "Write one line of characters for each row.", line=1)
    out: list[Symbol | None] = []
    for number, row in rows:
        if len(row) != len(rows[0][1]):
            raise NotationError(
                f"Line {number}: this row has {len(row)} cells, the first one {len(rows[0][1])}.",
                "Give every row the same number of cells.",
                line=number,
            )
        for column, char in enumerate(row, 1):
            if char not in BOARD_CHARACTERS | {UNSAID}:
                raise NotationError(
                    f"Line {number}, column {column}: {char!r} is no character of a board.",
                    "Use . 0-8 F x ? * ! X, and ~ for a cell you say nothing about.",
                    line=number,
                    column=column,
                )
            out.append(None if char == UNSAID else Symbol("." if char == "#" else char))
    return Labels(Shape(len(rows), len(rows[0][1])), tuple(out))


def kind_of(labels: Labels) -> str:
    """ "reveal" or "clues": what kind of board labels show. On one where a click opens cells, an opened blank has no
    covered neighbour; a printed 0 may."""
    shape = labels.shape
    if labels.where(*ENDED):
        return "reveal"
    if labels.where(Symbol.SAFE):
        return "clues"
    hidden = labels.where(Symbol.COVERED, Symbol.FLAG, Symbol.QUESTION)
    blanks = labels.where(Symbol.CLUE_0)
    if any(blanks >> c & 1 and shape.neighbours(c) & hidden for c in range(shape.size)):
        return "clues"
    if blanks or not hidden:
        return "reveal"
    # without a blank: opened cells lie together, printed clues are strewn
    clues = [c for c, s in enumerate(labels.symbols) if s is not None and s.number is not None]
    alone = sum(not any(shape.neighbours(c) >> d & 1 for d in clues) for c in clues)
    return "clues" if len(clues) > 3 and alone > 0.2 * len(clues) else "reveal"


# ---------------------------------------------------------------- labels and the picture


def contradicted(frame: Frame, grid: Grid, labels: Labels, reading: Reading | None = None) -> dict[Cell, Symbol]:
    """The cells that surely show something else than their label says, each with what it shows.

    ``reading``  the board as sites that are known already read it, where they do

    Only what is told without doubt contradicts. Digits are told by their shape on any board. What is no digit may be
    called by another name than ours, as long as the person always calls it so: then it is no contradiction."""
    cells = Cells(frame, grid, known=True)
    told = skin.tell(cells.stack, grid.shape.rows, grid.shape.cols, cells.pitch, cut=cells.running_on).match
    out: dict[Cell, Symbol] = dict(_by_glyphs(cells, labels, told.doubts))
    seen = [None if doubt else symbol for symbol, doubt in zip(told.symbols, told.doubts, strict=True)]
    out |= {cell: symbol for cell, symbol in _otherwise(labels, seen) if _digit_in(labels, cell, symbol)}
    if reading is not None and same_cells(reading.grid, grid):
        known = [None if c in reading.doubts else symbol for c, symbol in enumerate(reading.symbols)]
        out |= dict(_otherwise(labels, known))
    return dict(sorted(out.items()))


def same_cells(one: Grid, other: Grid) -> bool:
    """Whether two lattices are of the same cells, each of one over the same of the other."""
    slack = SAME_CELLS * min(one.pitch_x, one.pitch_y)
    ends = (0, one.shape.size - 1)
    return one.shape == other.shape and all(
        abs(one.centre(end).x - other.centre(end).x) <= slack and abs(one.centre(end).y - other.centre(end).y) <= slack
        for end in ends
    )


def _digit_in(labels: Labels, cell: Cell, seen: Symbol) -> bool:
    """Whether a digit is what a cell's label says, or what it shows."""
    label = labels.symbols[cell]
    return bool(seen.number) or (label is not None and bool(label.number))


def _otherwise(labels: Labels, seen: Sequence[Symbol | None]) -> Iterator[tuple[Cell, Symbol]]:
    """The cells that are seen as something else than their label, and not because of another name for it."""
    pairs = Counter(
        (label, symbol.char)
        for label, symbol in zip(labels.symbols, seen, strict=True)
        if label is not None and symbol is not None
    )
    for i, (label, symbol) in enumerate(zip(labels.symbols, seen, strict=True)):
        if label is None or symbol is None or symbol.char == label.char:
            continue
        if not (symbol.number or label.number):
            plain = (Symbol.COVERED, Symbol.CLUE_0)
            if symbol not in plain and label not in plain:
                continue  # one mark or another: what a game means by it, the person knows
            usual = max((n, char) for (other, char), n in pairs.items() if other is label)[1]
            own_name = pairs[label, label.char] or any(pairs[other, symbol.char] for other in _named(pairs, symbol))
            if symbol.char == usual and not own_name:
                continue
        yield Cell(i), symbol


def _named(pairs: Counter[tuple[Symbol, str]], symbol: Symbol) -> list[Symbol]:
    """The label that is a symbol's own, where cells have it."""
    return [label for label, _ in pairs if label.char == symbol.char]


def _by_glyphs(cells: Cells, labels: Labels, doubts: Sequence[str]) -> Iterator[tuple[Cell, Symbol]]:
    """Where a board cannot be told by its look: cells with one label that show two digits or more, each of them a digit
    without doubt by its shape alone. One digit alone may be another's in an unusual hand, as an 8 is a printed 0."""
    if not any(doubts):
        return
    known = shapes(cells.pitch)
    ground = skin.grounds(cells.stack)
    seen = skin.marks(cells.stack, ground, known)
    if not len(seen.size):
        return
    names = skin.name(seen, known)
    shown: dict[Symbol, dict[int, list[int]]] = {}
    for i, label in enumerate(labels.symbols):
        group, plain = int(seen.group[i]), label in (Symbol.COVERED, Symbol.CLUE_0)
        if label is None or group < 0 or not (plain or label.number):
            continue
        digit = int(names.digit[group])
        fit = float(names.digits[group, digit - 1])
        clear = fit >= skin.STRONG and fit >= ALIKE + max(float(fits[group]) for fits in names.others.values())
        if digit in PLAIN_DIGITS and clear and names.sure[group]:
            shown.setdefault(label, {}).setdefault(digit, []).append(i)
    for label, digits in shown.items():
        surely = {digit: some for digit, some in digits.items() if len(some) >= CELLS_OF_ONE}
        if len(surely) < 2:
            continue
        for digit, some in surely.items():
            if digit != label.number:
                yield from ((Cell(i), Symbol(str(digit))) for i in some if doubts[i])
