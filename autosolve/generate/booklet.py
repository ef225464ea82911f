"""Owns the printed booklet: boards on A4 pages, as many as stay large enough to write in, solutions at the end.

Legend: lengths are millimetres, fonts are points. Everything is drawn with the font every PDF reader has, so nothing is
embedded; and no clock is looked at, so the same boards make the same file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import ceil

from fpdf import FPDF

from autosolve.board.notation import grid_lines
from autosolve.board.puzzle import Variant
from autosolve.generate.record import Record

_PAGE = (210.0, 297.0)
_MARGIN = 14.0
_HEAD, _FOOT = 12.0, 9.0
_GAP = 9.0
_CAPTION = 7.0
_POINT = 72 / 25.4
# a cell to write in: comfortable, and the least; what does not fit by then is cut into several pages
_LARGE, _SMALL = 6.9, 3.5
_SOLVED = 3.2
# the height of a capital letter of the font, against its size
_CAPITAL = 0.718
_INK, _GREY, _FAINT = 25, 120, 190
_CLUE = 238
_HOW = "A number says how many of the cells around it hold a mine. Find every mine; there is exactly one solution."
_HOW_MOSAIC = "A number says how many are filled of its own cell and those around it. There is exactly one solution."


@dataclass(frozen=True, slots=True)
class _Part:
    """A rectangle of a board, all of it or what goes on one page; ``name`` where there are several."""

    record: Record
    number: int
    top: int
    left: int
    rows: int
    cols: int
    name: str = ""


def booklet(records: Sequence[Record], title: str = "Minesweeper puzzles") -> bytes:
    """The PDF file of a booklet, the boards in the order given and numbered from 1."""
    pdf = _Book(title)
    pdf.boards(records)
    pdf.solutions(records)
    return bytes(pdf.output())


class _Book(FPDF):
    """Pages with a heading and a number."""

    def __init__(self, title: str) -> None:
        super().__init__(format="A4")
        self.heading = self.name = title
        self.set_title(title)
        self.set_creator("autosolve")
        self.set_creation_date(datetime(2000, 1, 1, tzinfo=UTC))
        self.set_auto_page_break(False)
        self.set_margin(_MARGIN)

    def header(self) -> None:
        self._say(self.heading, _MARGIN, _MARGIN - 2, 11, _INK, bold=True)

    def footer(self) -> None:
        text = str(self.page_no())
        self.set_font("Helvetica", size=9)
        self._say(text, (self.w - self.get_string_width(text)) / 2, self.h - _FOOT, 9, _GREY)

    @property
    def room(self) -> tuple[float, float]:
        """Width and height between the margins."""
        return self.w - 2 * _MARGIN, self.h - 2 * _MARGIN - _HEAD - _FOOT

    # ------------------------------------------------------------ layout

    def boards(self, records: Sequence[Record]) -> None:
        """All boards, one after the other: those of one size fill pages together."""
        shelf = _Shelf(self)
        for number, record in enumerate(records, 1):
            width, height = _spaces(record)
            wide, cell = _paper(width, height)
            if cell >= _SMALL:
                shelf.put(width * cell, height * cell + _CAPTION, wide)
                part = _Part(record, number, 0, 0, record.puzzle.shape.rows, record.puzzle.shape.cols)
                self._board(part, shelf.x, shelf.y, cell)
            else:
                for part in _cut(record, number):
                    shelf.new_page(part.cols > part.rows)
                    self._board(part, shelf.x, shelf.y, self._whole(part))
        if records and records[0].puzzle.clues:
            self.page = 1
            mosaic = records[0].puzzle.variant is Variant.MOSAIC
            self._say(_HOW_MOSAIC if mosaic else _HOW, _MARGIN, _MARGIN + 3.2, 8, _GREY)
            self.page = len(self.pages)

    def solutions(self, records: Sequence[Record]) -> None:
        """All solutions, small."""
        self.heading = "Solutions"
        shelf = _Shelf(self)
        for number, record in enumerate(records, 1):
            shape = record.puzzle.shape
            width, height = _PAGE[0] - 2 * _MARGIN, _PAGE[1] - 2 * _MARGIN - _HEAD - _FOOT - _CAPTION
            cell = min(_SOLVED, width / shape.cols, height / shape.rows)
            text = f"{number}   {record.sha256[:8]}"
            self.set_font("Helvetica", size=8)
            shelf.put(max(shape.cols * cell, self.get_string_width(text)), shape.rows * cell + _CAPTION, False)
            self._say(text, shelf.x, shelf.y + 2, 8, _GREY)
            self._solution(record, shelf.x, shelf.y + _CAPTION - 2, cell)

    def _whole(self, part: _Part) -> float:
        width, height = self.room
        return min(_LARGE, width / (part.cols + 2), (height - _CAPTION) / (part.rows + 2))

    # ------------------------------------------------------------ drawing

    def _board(self, part: _Part, x: float, y: float, cell: float) -> None:
        record, shape = part.record, part.record.puzzle.shape
        totals = record.puzzle.totals
        self._say(_caption(part), x, y + 2.5, 9, _INK)
        y += _CAPTION
        if part.name:
            x, y = x + cell, y + cell
        elif totals.rows or totals.columns:
            x, y = x + cell * bool(totals.rows), y + cell * bool(totals.columns)
            for i, number in enumerate(totals.rows):
                self._digit("" if number is None else str(number), x - cell, y + i * cell, cell, _INK, bold=True)
            for j, number in enumerate(totals.columns):
                self._digit("" if number is None else str(number), x + j * cell, y - cell, cell, _INK, bold=True)
        lines = grid_lines(record.puzzle)
        rows, cols = range(part.top, part.top + part.rows), range(part.left, part.left + part.cols)

        def place(r: int, c: int) -> tuple[float, float]:
            return x + (c - part.left) * cell, y + (r - part.top) * cell

        self.set_fill_color(_CLUE)
        for r in rows:
            for start, end in _runs([lines[r][c] != "." for c in cols]):
                self.rect(x + start * cell, y + (r - part.top) * cell, (end - start) * cell, cell, style="F")
        self._lattice(x, y, part.rows, part.cols, cell, _GREY)
        for r in rows:
            for c in cols:
                if lines[r][c] == "*":
                    self._mine(*place(r, c), cell)
                elif lines[r][c].isdigit():
                    self._digit(lines[r][c], *place(r, c), cell, _INK)
        if part.name:
            # the cells of the neighbouring pages, so that no clue is cut off from what it counts
            for r in range(max(0, part.top - 1), min(shape.rows, part.top + part.rows + 1)):
                for c in range(max(0, part.left - 1), min(shape.cols, part.left + part.cols + 1)):
                    if (r not in rows or c not in cols) and lines[r][c] != ".":
                        self._digit(lines[r][c], *place(r, c), cell, _FAINT)

    def _solution(self, record: Record, x: float, y: float, cell: float) -> None:
        shape = record.puzzle.shape
        mines = record.solution_rows
        self.set_fill_color(_INK)
        for r in range(shape.rows):
            for start, end in _runs([bit == "1" for bit in mines[r]]):
                self.rect(x + start * cell, y + r * cell, (end - start) * cell, cell, style="F")
        if cell >= 1.5:
            self._lattice(x, y, shape.rows, shape.cols, cell, _FAINT)
        else:
            self.set_draw_color(_GREY)
            self.set_line_width(0.15)
            self.rect(x, y, shape.cols * cell, shape.rows * cell)
        if cell >= 2.6:
            for at, number in record.puzzle.clues.items():
                r, c = shape.at(at)
                self._digit(str(number), x + c * cell, y + r * cell, cell, _GREY)

    def _lattice(self, x: float, y: float, rows: int, cols: int, cell: float, shade: int) -> None:
        self.set_draw_color(shade)
        self.set_line_width(0.12)
        for i in range(1, rows):
            self.line(x, y + i * cell, x + cols * cell, y + i * cell)
        for j in range(1, cols):
            self.line(x + j * cell, y, x + j * cell, y + rows * cell)
        self.set_draw_color(_INK if shade == _GREY else _GREY)
        self.set_line_width(0.35 if shade == _GREY else 0.15)
        self.rect(x, y, cols * cell, rows * cell)

    def _mine(self, x: float, y: float, cell: float) -> None:
        self.set_fill_color(_INK)
        self.ellipse(x + 0.25 * cell, y + 0.25 * cell, cell / 2, cell / 2, style="F")

    def _digit(self, text: str, x: float, y: float, cell: float, shade: int, bold: bool = False) -> None:
        """A number in the middle of a cell."""
        size = 0.62 * cell * _POINT / (1 if len(text) < 2 else 1.25)
        self.set_font("Helvetica", "B" if bold else "", size)
        width = self.get_string_width(text)
        self.set_text_color(shade)
        self.text(x + (cell - width) / 2, y + (cell + _CAPITAL * size / _POINT) / 2, text)

    def _say(self, text: str, x: float, y: float, size: float, shade: int, bold: bool = False) -> None:
        """A line of text, ``y`` being its foot."""
        self.set_font("Helvetica", "B" if bold else "", size)
        self.set_text_color(shade)
        self.text(x, y, text)


class _Shelf:
    """Fills pages from the left and from the top: what is put stands at ``x``, ``y``."""

    def __init__(self, book: _Book) -> None:
        self.book = book
        self.x = self.y = self.right = self.deep = 0.0
        self.begun = self.wide = self.open = False

    def new_page(self, wide: bool) -> None:
        """A new page, on its side if ``wide``."""
        self.book.add_page(orientation="landscape" if wide else "portrait")
        self.x = self.right = _MARGIN
        self.y, self.deep = _MARGIN + _HEAD, 0.0
        self.begun, self.wide, self.open = False, wide, True

    def put(self, width: float, height: float, wide: bool) -> None:
        """Makes room."""
        book = self.book
        if not self.open or self.wide is not wide:
            self.new_page(wide)
        if self.begun and self.right + width > book.w - _MARGIN + 0.01:
            self.y += self.deep + _GAP
            self.right, self.deep = _MARGIN, 0.0
        if self.begun and self.y + height > book.h - _MARGIN - _FOOT + 0.01:
            self.new_page(wide)
        self.x = self.right
        self.right += width + _GAP
        self.deep = max(self.deep, height)
        self.begun = True


def _caption(part: _Part) -> str:
    record = part.record
    words = [str(part.number), str(record.puzzle.shape).replace("x", " × ")]
    reached = record.extra.get("reached", record.difficulty)
    words += [str(reached)] if reached else []
    count = record.mines.bit_count()
    words.append(f"{count} mine{'' if count == 1 else 's'}")
    return "   ".join(words + ([part.name] if part.name else []))


def _spaces(record: Record) -> tuple[int, int]:
    """Columns and rows that a board takes, its totals included."""
    shape, totals = record.puzzle.shape, record.puzzle.totals
    return shape.cols + bool(totals.rows), shape.rows + bool(totals.columns)


def _paper(width: int, height: int) -> tuple[bool, float]:
    """Whether a page should lie on its side for so many cells, and the size of a cell: only where it gains a lot."""

    def cell(page: tuple[float, float]) -> float:
        across, down = page[0] - 2 * _MARGIN, page[1] - 2 * _MARGIN - _HEAD - _FOOT - _CAPTION
        return min(_LARGE, across / width, down / height)

    upright, lying = cell(_PAGE), cell((_PAGE[1], _PAGE[0]))
    return (True, lying) if lying > 1.15 * upright else (False, upright)


def _cut(record: Record, number: int) -> Iterator[_Part]:
    """A board that is too large for a page in parts of nearly equal size, row by row; a ring of the neighbouring
    cells fits around each."""
    shape = record.puzzle.shape
    across = int((_PAGE[0] - 2 * _MARGIN) / _SMALL) - 2
    down = int((_PAGE[1] - 2 * _MARGIN - _HEAD - _FOOT - _CAPTION) / _SMALL) - 2
    high, wide = ceil(shape.rows / down), ceil(shape.cols / across)
    for i in range(high):
        for j in range(wide):
            top, left = i * shape.rows // high, j * shape.cols // wide
            end, right = (i + 1) * shape.rows // high, (j + 1) * shape.cols // wide
            name = f"rows {top + 1} to {end}, columns {left + 1} to {right}"
            yield _Part(record, number, top, left, end - top, right - left, name)


def _runs(flags: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Where flags that are set begin and end."""
    start = None
    for i, flag in enumerate([*flags, False]):
        if flag and start is None:
            start = i
        elif not flag and start is not None:
            yield start, i
            start = None
