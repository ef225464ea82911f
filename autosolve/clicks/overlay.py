"""Owns the pictures for people: a plan or a reading drawn on the frame it came from.

The board is cut out of the frame, enlarged until a cell has room for a symbol, and framed with the numbers of its
rows and columns; title and legend stand beside or below it, never on it. Every meaning has its own shape as well
as its own colour. Sizes here are pixels of the drawn picture.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from autosolve.board.puzzle import Variant
from autosolve.board.shape import Cell, CellSet, cell_set, cells_in
from autosolve.clicks.plan import ClickPlan, Purpose
from autosolve.solver.deduction import Solution
from autosolve.vision.frame import Box, Pixels
from autosolve.vision.profile import ENDED, FLAGS, Symbol
from autosolve.vision.read import Reading

Colour = tuple[int, int, int]

PLAN_CELL = 34  # pixels a cell should have at least where a plan is drawn
READ_CELL = 46  # the same where its symbol and certainty are written into it
MAX_PIXELS = 40_000_000

# BGR; told apart by people who see red and green alike (after Okabe and Ito).
_BLUE: Colour = (178, 114, 0)
_GREEN: Colour = (115, 158, 0)
_RED: Colour = (0, 94, 213)
_PURPLE: Colour = (150, 50, 150)
_SKY: Colour = (233, 180, 86)
_YELLOW: Colour = (40, 170, 240)
_WHITE: Colour = (255, 255, 255)
_INK: Colour = (40, 36, 32)
_GREY: Colour = (120, 116, 112)
_PAPER: Colour = (245, 247, 247)
_GAP: Colour = (214, 216, 216)

_TEXT = 15  # text height of the legend
_RULER = 34  # room for row and column numbers
_ROW = 27  # height of a legend's line
_EDGE = 16
_TITLE = 34
_HEAD = 17  # text height of the title
_SMALL = 12  # text height of row and column numbers
_LARGE = (1600, 1300)  # pixels across and down from which a board is large, and what is written beside it grows too
_LARGEST = 6.0  # times, at most


Drawing = Callable[[Pixels, float, float, float], None]  # on a picture, around x, y, for a cell of this side


@dataclass(frozen=True, slots=True)
class _Kind:
    """One meaning: what it says, the cells it is drawn on, and how."""

    text: str
    cells: CellSet
    draw: Drawing
    sample: Drawing | None = None  # for the legend, where it is not drawn as on the board
    wide: bool = False
    legend: bool = True


def draw_plan(reading: Reading, solution: Solution | None, plan: ClickPlan, title: str = "") -> Pixels:
    """What is to be clicked, as BGR: flags to place, flags that are right, flags to take away, marks to change,
    cells that cannot be read, and where there is no single solution the cells that are open."""
    flagged = reading.where(*FLAGS)
    placing, undoing = plan.where(Purpose.FLAG), plan.where(Purpose.UNDO)
    changing = placing & reading.where(Symbol.SAFE, Symbol.QUESTION)
    mines, open_cells, safe = (0, 0, 0) if solution is None else (solution.mines, solution.undecided, solution.safe)
    kinds = [
        _Kind("flag to place", placing & ~changing, _flag),
        _Kind("mark to change into a flag", changing, _change),
        _Kind("flag that is right", flagged & mines, _tick, _big_tick),
        _Kind("wrong flag, to be taken away", undoing, _cross),
        _Kind("wrong flag", flagged & safe & ~undoing, _cross),
        _Kind("flag that is not proven", flagged & ~mines & ~safe, _diamond),
        _Kind("safe, to be opened", plan.where(Purpose.OPEN) & ~open_cells, _ring),
        _Kind("number to be chorded", plan.where(Purpose.CHORD), _outlined),
        _Kind("mine, without a flag", mines & ~flagged & ~placing & ~reading.doubtful, _mine),
        _Kind("safe, stays as it is", safe & ~flagged & ~reading.doubtful & ~plan.where(Purpose.OPEN), _dot),
        _Kind("not decided by the clues", open_cells & ~flagged & ~reading.doubtful, _diamond),
        _Kind("cannot be read", reading.doubtful, _hatch),
    ]
    return _marked(reading, title or _headline(reading, solution), kinds)


def draw_odds(reading: Reading, chances: Mapping[Cell, float], guess: Cell | None, title: str = "") -> Pixels:
    """The chance of a mine in every covered cell, in per cent, as BGR: the redder, the likelier; the cell to open is
    framed."""
    likely = [cell_set(c for c, p in chances.items() if low <= p < high) for low, high in _LIKELY]
    best = "" if guess is None else f", the best guess {reading.grid.shape.name(guess)} at {100 * chances[guess]:.1f} %"
    kinds = [
        _Kind(text, cells, _patch(colour))
        for text, cells, colour in zip(_LIKELY_TEXT, likely, _LIKELY_COLOUR, strict=True)
    ]
    by_word: dict[str, CellSet] = {}
    for cell, chance in chances.items():
        word = _in_percent(chance)
        by_word[word] = by_word.get(word, 0) | 1 << cell
    kinds += [_Kind(word, cells, _word(word), legend=False) for word, cells in by_word.items()]
    if guess is not None:
        kinds.append(_Kind("the best guess", 1 << guess, _frame))
    return _marked(reading, title or f"{_start(reading)}{best}", kinds)


_LIKELY = ((0.0, 1e-12), (1e-12, 0.1), (0.1, 0.25), (0.25, 0.5), (0.5, 1 - 1e-12), (1 - 1e-12, 2.0))
_LIKELY_TEXT = ("certainly safe", "below 10 %", "10 to 25 %", "25 to 50 %", "50 % or more", "certainly a mine")
_LIKELY_COLOUR: tuple[Colour, ...] = (
    (196, 214, 150),
    (214, 226, 190),
    (205, 228, 236),
    (150, 205, 243),
    (110, 160, 240),
    (120, 120, 220),
)


def _patch(colour: Colour) -> Drawing:
    def draw(picture: Pixels, x: float, y: float, side: float) -> None:
        _square(picture, colour, x, y, 0.47 * side)

    return draw


def _word(text: str) -> Drawing:
    """A short word in the middle of a cell, as large as it has room."""

    def draw(picture: Pixels, x: float, y: float, side: float) -> None:
        size = max(6, round(0.42 * side))
        while size > 6 and _width(text, size) > 0.86 * side:
            size -= 1
        _write(picture, text, round(x - _width(text, size) / 2), round(y + 0.36 * size), size, _INK)

    return draw


def _in_percent(chance: float) -> str:
    """A chance for a cell: 0 and 100 only where it is certain."""
    if chance in (0.0, 1.0):
        return f"{100 * chance:.0f}"
    return f"{min(max(100 * chance, 0.1), 99.9):.{1 if chance < 0.0995 or chance > 0.9905 else 0}f}"


def draw_clash(reading: Reading, blamed: Sequence[tuple[int, int]], title: str = "") -> Pixels:
    """Clues that contradict each other, 0-based (row, column), as BGR."""
    shape = reading.grid.shape
    cells = cell_set(shape.cell(*at) for at in blamed)
    kinds = [
        _Kind("clues that contradict each other", cells, _frame),
        _Kind("cannot be read", reading.doubtful, _hatch),
    ]
    return _marked(reading, title or "The clues contradict each other", kinds)


def draw_reading(reading: Reading) -> Pixels:
    """What was read, as BGR: every cell of the board apart, and under it the symbol as in board text, its certainty
    in percent, and a bar as long as its lead on the next best. A doubtful cell is framed, with what it may be at most.
    Totals of rows and columns stand where the site prints them, each under its part of the picture."""
    grid, frame, shape = reading.grid, reading.frame, reading.grid.shape
    pitch = max(grid.pitch_x, grid.pitch_y) * frame.scale
    most = math.sqrt(0.8 * MAX_PIXELS / (1.45 * shape.size))
    side = max(4, round(min(max(READ_CELL, pitch), most)))
    gap, strip = max(1, round(0.08 * side)), max(2, round(0.36 * side))
    across, down = side + gap, side + strip + gap
    margins, totals = reading.profile.margins, reading.totals
    deep = round(margins.reach * side) if margins is not None else 0
    beside = margins.rows if margins is not None and totals.rows else None
    above = margins.columns if margins is not None and totals.columns else None
    left, top = (deep + gap) * (beside == "left"), (deep + strip + gap) * (above == "top")
    width = gap + shape.cols * across + (deep + gap) * (beside is not None)
    height = gap + shape.rows * down + (deep + strip + gap) * (above is not None)
    board: Pixels = np.full((height, width, 3), _GAP, np.uint8)

    def place(view: Box, x: int, y: int, size: tuple[int, int], doubtful: bool) -> Pixels:
        """Puts a part of the picture there, framed outside of itself if doubtful; returns the label under it."""
        wide, high = size
        if doubtful:
            board[y - gap : y + high + strip + gap, x - gap : x + wide + gap] = _PURPLE
        seen = view.clipped(frame.box)
        if seen.width > 0 and seen.height > 0:
            picture = frame.crop(seen).pixels
            how = cv2.INTER_AREA if picture.shape[0] > high else cv2.INTER_CUBIC
            board[y : y + high, x : x + wide] = cv2.resize(picture, (wide, high), interpolation=how)
        label: Pixels = board[y + high : y + high + strip, x : x + wide]
        label[:] = _PURPLE if doubtful else _WHITE
        return label

    for cell in range(shape.size):
        row, col = shape.at(cell)
        x, y = left + gap + col * across, top + gap + row * down
        doubtful = cell in reading.doubts
        label = place(grid.cell_box(cell), x, y, (side, side), doubtful)
        if doubtful:
            _suspect(label, reading.symbols[cell])
        else:
            score, margin = float(reading.scores[row, col]), float(reading.margins[row, col])
            _tell(label, reading.symbols[cell], score, margin)
    for row, total in enumerate(totals.rows if beside else ()):
        line = grid.cell_box(shape.cell(row, 0))
        reach = deep / side * grid.pitch_x
        start = grid.box.x - reach if beside == "left" else grid.box.right
        x = gap if beside == "left" else gap + shape.cols * across
        doubtful = total is None and bool(reading.unread)
        view = Box(start, line.y, reach, line.height)
        _total(place(view, x, top + gap + row * down, (deep, side), doubtful), total, doubtful)
    for col, total in enumerate(totals.columns if above else ()):
        line = grid.cell_box(shape.cell(0, col))
        reach = deep / side * grid.pitch_y
        start = grid.box.y - reach if above == "top" else grid.box.bottom
        y = gap if above == "top" else gap + shape.rows * down
        doubtful = total is None and bool(reading.unread)
        view = Box(line.x, start, line.width, reach)
        _total(place(view, left + gap + col * across, y, (side, deep), doubtful), total, doubtful)
    middles_x = [left + gap + col * across + side / 2 for col in range(shape.cols)]
    middles_y = [top + gap + row * down + side / 2 for row in range(shape.rows)]
    return _sheet(board, middles_x, middles_y, _account(reading), _notation(reading))


_MEANING = {
    Symbol.COVERED: "covered",
    Symbol.FLAG: "flag",
    Symbol.SAFE: "marked safe",
    Symbol.QUESTION: "question mark",
    Symbol.MINE: "mine that is shown",
    Symbol.EXPLODED: "mine that was hit",
    Symbol.WRONG_FLAG: "wrong flag",
}


def _notation(reading: Reading) -> list[_Kind]:
    """The legend of a reading: how a cell is told, the characters of board text that occur, and doubt."""

    def sample(fill: Callable[[Pixels], None], colour: Colour = _WHITE) -> Drawing:
        def draw(picture: Pixels, x: float, y: float, side: float) -> None:
            u = side / 24
            label = picture[round(y - 8 * u) : round(y + 9 * u), round(x - 14 * u) : round(x + 32 * u)]
            label[:] = colour
            fill(label)

        return draw

    def explain(text: str, cells: CellSet, fill: Callable[[Pixels], None], colour: Colour = _WHITE) -> _Kind:
        return _Kind(text, cells, sample(fill, colour), wide=True)

    def shown(text: str) -> Callable[[Pixels], None]:
        return lambda label: _label(label, text, _INK)

    lines = [
        explain("read as 3, certainty 98 %", 0, lambda label: _tell(label, Symbol.CLUE_3, 0.98, 0.6)),
        explain("bar: lead on the next best", 0, lambda label: _bar(label, 0.98, 0.6)),
        explain("certainty below 90 % or small lead", 0, lambda label: _bar(label, 0.8, 0.3)),
        explain("below 75 % or very small lead", 0, lambda label: _bar(label, 0.6, 0.15)),
    ]
    clues = reading.where(*(s for s in Symbol if s.number is not None and s not in FLAGS))
    filled = reading.where(*(s for s in FLAGS if s is not Symbol.FLAG))
    for symbol, text in _MEANING.items():
        if cells := reading.where(symbol):
            lines.append(explain(text, cells, shown(symbol.char)))
        if symbol is Symbol.COVERED and clues:
            lines.append(explain("clue", clues, shown(f"0-{8 + (reading.profile.variant is Variant.MOSAIC)}")))
        if symbol is Symbol.FLAG and filled:
            lines.append(explain("clue in a filled cell, 3 in board text", filled, shown("F3")))
    if reading.doubts:
        text = "cannot be read, perhaps a 3"
        lines.append(explain(text, reading.doubtful, lambda label: _suspect(label, Symbol.CLUE_3), _PURPLE))
    if reading.totals.rows or reading.totals.columns:
        text = "total of a row or column"
        lines.append(explain(text, 0, lambda label: _total(label, 3, False)))
        if reading.unread:
            lines.append(explain("total that cannot be read", 0, lambda label: _total(label, None, True), _PURPLE))
    return lines


def _account(reading: Reading) -> str:
    """What a reading comes to, and on a second line what the mine counter told."""
    profile, unread, cut = reading.profile, len(reading.doubts), reading.grid.cut
    parts = [_start(reading)]
    if unread:
        parts.append(f"{unread} cell{'s' * (unread != 1)} cannot be read")
    else:
        parts.append(f"every cell read, the least certain with {math.floor(100 * reading.certainty)} %")
    if cut:
        parts.append("cut at the " + " and ".join(side for side in ("top", "bottom", "left", "right") if side in cut))
    title = ", ".join(parts)
    if profile.counter is None:
        return title if profile.kind == "clues" else f"{title}\nOf this site no mine counter is read"
    mines, flags = reading.totals.mines, reading.where(*FLAGS).bit_count()
    if mines is None:
        why = ""
        if reading.where(*ENDED):
            why = ": the game is over"
        elif unread:
            why = ": it counts only beside a board that is read whole"
        return f"{title}\nMine counter not read{why}"
    split = f" ({mines - flags} left and {flags} flag{'s' * (flags != 1)})" if profile.counter.flags and flags else ""
    return f"{title}\nMine counter: {mines} mine{'s' * (mines != 1)}{split}"


def _headline(reading: Reading, solution: Solution | None) -> str:
    start = _start(reading)
    if solution is None:
        return f"{start}, not solved"
    if solution.unique:
        mines = solution.mines.bit_count()
        return f"{start}, {mines} mine{'s' * (mines != 1)}, one solution"
    undecided = solution.undecided.bit_count()
    return f"{start}, {undecided} cell{'s' * (undecided != 1)} not decided"


def _start(reading: Reading) -> str:
    """Site and size, with which a title begins."""
    profile = reading.profile
    known = profile.reader != "skin" or bool(profile.skins)
    return f"{profile.title if known else 'Minesweeper of no known site'}: {reading.grid.shape}"


# ---------------------------------------------------------------- the sheet


def _marked(reading: Reading, title: str, kinds: Sequence[_Kind]) -> Pixels:
    """A sheet of the board as it looks, enlarged where its cells are small, with marks on its cells."""
    grid, frame, shape = reading.grid, reading.frame, reading.grid.shape
    cut = frame.crop(grid.box.grown(0.6 * max(grid.pitch_x, grid.pitch_y)))
    pitch = min(grid.pitch_x, grid.pitch_y) * frame.scale
    factor = max(1.0, math.ceil(PLAN_CELL / pitch * 2) / 2)
    factor = max(min(factor, math.sqrt(MAX_PIXELS / (cut.width * cut.height))), 0.05)
    size = max(1, round(cut.width * factor)), max(1, round(cut.height * factor))
    board = cv2.resize(cut.pixels, size, interpolation=cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC)
    # paler, so that what is drawn on it stands out
    pale: Pixels = np.asarray(cv2.addWeighted(board, 0.72, np.full(board.shape, 255, np.uint8), 0.28, 0), np.uint8)

    def middle(cell: int) -> tuple[float, float]:
        x, y = cut.to_pixel(grid.centre(cell))
        return x * factor, y * factor

    for kind in kinds:
        for cell in cells_in(kind.cells):
            kind.draw(pale, *middle(cell), pitch * factor)
    middles_x = [middle(shape.cell(0, col))[0] for col in range(shape.cols)]
    middles_y = [middle(shape.cell(row, 0))[1] for row in range(shape.rows)]
    return _sheet(pale, middles_x, middles_y, title, [kind for kind in kinds if kind.cells and kind.legend])


def _sheet(
    board: Pixels, middles_x: Sequence[float], middles_y: Sequence[float], title: str, lines: Sequence[_Kind]
) -> Pixels:
    """A drawn board with the numbers of its columns and rows at these places, a title and a legend. What is written
    grows with a very large board, which is looked at as a whole."""
    height, width = board.shape[:2]
    unit: float = min(max(1.0, width / _LARGE[0], height / _LARGE[1]), _LARGEST)

    def px(length: float) -> int:
        return round(unit * length)

    edge, ruler, text, small, head = px(_EDGE), px(_RULER), px(_TEXT), px(_SMALL), px(_HEAD)
    title, _, rest = title.partition("\n")
    indent = px(max((60 if line.wide else 40 for line in lines), default=40))
    legend_width = edge * 2 + indent + max((_width(_said(line), text) for line in lines), default=0)
    legend_height = px(_ROW) * len(lines) + edge
    board_width, board_height = ruler + width + edge, ruler + height + edge
    above = px(_TITLE) + (px(_ROW) if rest else 0)
    beside = board_width < legend_width or board_height >= legend_height
    headed = edge * 2 + max(_width(title, head, True), _width(rest, text))
    sheet_width = max(board_width + (legend_width if beside else 0), legend_width, headed)
    sheet_height = above + (max(board_height, legend_height) if beside else board_height + legend_height)
    sheet: Pixels = np.full((sheet_height, sheet_width, 3), _PAPER, np.uint8)
    _write(sheet, title, edge, px(25), head, _INK, bold=True)
    _write(sheet, rest, edge, px(25 + _ROW - 3), text, _INK)
    top, left = above + ruler, ruler
    sheet[top : top + height, left : left + width] = board
    for row in _numbered(middles_y, unit):
        word = str(row + 1)
        _write(sheet, word, left - px(6) - _width(word, small), round(top + middles_y[row]) + px(4), small, _GREY)
    for col in _numbered(middles_x, unit):
        word = str(col + 1)
        _write(sheet, word, round(left + middles_x[col] - _width(word, small) / 2), top - px(8), small, _GREY)
    x, y = (board_width + edge // 2, top) if beside else (edge, above + board_height)
    for i, line in enumerate(lines):
        middle = y + px(_ROW) * i + px(_ROW) / 2
        (line.sample or line.draw)(sheet, x + 14.0 * unit, middle, 24.0 * unit)
        _write(sheet, _said(line), x + indent, round(middle) + px(5), text, _INK)
    return sheet


def _said(kind: _Kind) -> str:
    count = kind.cells.bit_count()
    return f"{kind.text} ({count})" if count else kind.text


def _numbered(middles: Sequence[float], unit: float = 1.0) -> list[int]:
    """The rows or columns that have room for a number: all, or every second, fifth, tenth ..., and the first."""
    side = middles[1] - middles[0] if len(middles) > 1 else 100.0 * unit
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 500, 1000) if s * side >= 26 * unit)
    return [i for i in range(len(middles)) if i == 0 or (i + 1) % step == 0]


# ---------------------------------------------------------------- shapes: centre, side of the cell

_SHIFT = 4


def _points(*points: tuple[float, float]) -> Any:
    return np.round(np.array(points) * (1 << _SHIFT)).astype(np.int32)


def _polygon(picture: Pixels, colour: Colour, *points: tuple[float, float]) -> None:
    cv2.fillPoly(picture, [_points(*points)], colour, cv2.LINE_AA, _SHIFT)


def _stroke(picture: Pixels, colour: Colour, thickness: float, *points: tuple[float, float]) -> None:
    cv2.polylines(picture, [_points(*points)], False, colour, max(1, round(thickness)), cv2.LINE_AA, _SHIFT)


def _disc(picture: Pixels, colour: Colour, x: float, y: float, radius: float, thickness: int = -1) -> None:
    centre = round(x * (1 << _SHIFT)), round(y * (1 << _SHIFT))
    cv2.circle(picture, centre, round(radius * (1 << _SHIFT)), colour, thickness, cv2.LINE_AA, _SHIFT)


def _square(picture: Pixels, colour: Colour, x: float, y: float, half: float) -> None:
    _polygon(picture, colour, (x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))


def _flag(picture: Pixels, x: float, y: float, side: float) -> None:
    """A white flag on a blue disc."""
    _disc(picture, _WHITE, x, y, 0.45 * side)
    _disc(picture, _BLUE, x, y, 0.41 * side)
    _pennant(picture, _WHITE, x, y, side)


def _pennant(picture: Pixels, colour: Colour, x: float, y: float, side: float) -> None:
    u = side / 24
    _polygon(picture, colour, (x - 3.4 * u, y - 6.4 * u), (x + 5.6 * u, y - 2.9 * u), (x - 3.4 * u, y + 0.8 * u))
    _polygon(
        picture,
        colour,
        (x - 4.4 * u, y - 6.6 * u),
        (x - 2.8 * u, y - 6.6 * u),
        (x - 2.8 * u, y + 6.4 * u),
        (x - 4.4 * u, y + 6.4 * u),
    )


def _change(picture: Pixels, x: float, y: float, side: float) -> None:
    """A flag on a blue square: a mark of another kind stands there."""
    _square(picture, _WHITE, x, y, 0.44 * side)
    _square(picture, _BLUE, x, y, 0.40 * side)
    _pennant(picture, _WHITE, x, y, side)


def _tick(picture: Pixels, x: float, y: float, side: float) -> None:
    """A white tick on a green disc, small enough to leave the flag in view."""
    u = side / 24
    _big_tick(picture, x + 5.2 * u, y + 5.2 * u, 0.6 * side)


def _big_tick(picture: Pixels, x: float, y: float, side: float) -> None:
    u = side / 14
    _disc(picture, _WHITE, x, y, 6.2 * u)
    _disc(picture, _GREEN, x, y, 5.4 * u)
    _stroke(
        picture, _WHITE, 1.9 * u, (x - 2.6 * u, y + 0.1 * u), (x - 0.7 * u, y + 2.1 * u), (x + 2.7 * u, y - 2.1 * u)
    )


def _cross(picture: Pixels, x: float, y: float, side: float) -> None:
    """A red cross over the whole cell."""
    a = 0.30 * side
    for colour, width in ((_WHITE, 0.26), (_RED, 0.15)):
        _stroke(picture, colour, width * side, (x - a, y - a), (x + a, y + a))
        _stroke(picture, colour, width * side, (x - a, y + a), (x + a, y - a))


def _dot(picture: Pixels, x: float, y: float, side: float) -> None:
    """A small ring."""
    _disc(picture, _WHITE, x, y, 0.15 * side)
    _disc(picture, _SKY, x, y, 0.11 * side)


def _ring(picture: Pixels, x: float, y: float, side: float) -> None:
    """A green ring."""
    _disc(picture, _WHITE, x, y, 0.36 * side)
    _disc(picture, _GREEN, x, y, 0.32 * side)
    _disc(picture, _WHITE, x, y, 0.17 * side)


def _outlined(picture: Pixels, x: float, y: float, side: float) -> None:
    """A green frame around a clue, which stays in view."""
    _outline(picture, _WHITE, x, y, 0.45 * side, 0.2 * side)
    _outline(picture, _GREEN, x, y, 0.45 * side, 0.12 * side)


def _mine(picture: Pixels, x: float, y: float, side: float) -> None:
    """A mine with its spikes."""
    r = 0.2 * side
    _disc(picture, _WHITE, x, y, 1.7 * r)
    _disc(picture, _INK, x, y, r)
    for i in range(4):
        dx, dy = 1.45 * r * math.cos(i * math.pi / 4), 1.45 * r * math.sin(i * math.pi / 4)
        _stroke(picture, _INK, 0.07 * side, (x - dx, y - dy), (x + dx, y + dy))


def _diamond(picture: Pixels, x: float, y: float, side: float) -> None:
    """A hollow diamond with a question mark's dot: nothing is known here."""
    for colour, reach, inner in ((_WHITE, 0.46, 0.0), (_YELLOW, 0.42, 0.0), (_WHITE, 0.27, 0.0)):
        a = reach * side - inner
        _polygon(picture, colour, (x, y - a), (x + a, y), (x, y + a), (x - a, y))
    _disc(picture, _YELLOW, x, y, 0.08 * side)


def _hatch(picture: Pixels, x: float, y: float, side: float) -> None:
    """Purple stripes in a purple frame."""
    half = 0.44 * side
    _square(picture, _WHITE, x, y, half)
    for i in range(-3, 4):
        d = i * half / 2
        low, high = max(-half, -half - d), min(half, half - d)
        if high > low:
            _stroke(picture, _PURPLE, 0.06 * side, (x + low, y - low - d), (x + high, y - high - d))
    _outline(picture, _PURPLE, x, y, half, 0.08 * side)


def _frame(picture: Pixels, x: float, y: float, side: float) -> None:
    """A red frame around a clue, which stays in view."""
    _outline(picture, _WHITE, x, y, 0.45 * side, 0.2 * side)
    _outline(picture, _RED, x, y, 0.45 * side, 0.12 * side)


def _outline(picture: Pixels, colour: Colour, x: float, y: float, half: float, width: float) -> None:
    corners = [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
    _stroke(picture, colour, width, *corners, corners[0])


def _tell(label: Pixels, symbol: Symbol, score: float, margin: float) -> None:
    """Fills a label: symbol on the left, certainty on the right, the bar of the margin along the bottom."""
    percent = "100" if score >= 0.995 else str(max(0, math.floor(100 * score)))
    _label(label, symbol.value, _INK, percent)
    _bar(label, score, margin)


def _suspect(label: Pixels, symbol: Symbol) -> None:
    """The label of a doubtful cell: what it may be. A number would look like certainty."""
    _label(label, f"{symbol.value}?", _WHITE, middle=True)


def _total(label: Pixels, total: int | None, doubtful: bool) -> None:
    """The label of a row's or column's total, as in board text."""
    _label(label, "?" if total is None else str(total), _WHITE if doubtful else _INK, middle=True)


def _label(label: Pixels, text: str, ink: Colour, right: str = "", middle: bool = False) -> None:
    """Writes into a label, where it has room, above its bar; a second word on the right and paler."""
    height, width = label.shape[:2]
    size = round(0.78 * height)
    base = height - _thick(height) - max(1, round(0.14 * height))
    if size >= 7:
        x = round((width - _width(text, size, True)) / 2) if middle else round(0.05 * width)
        _write(label, text, max(1, x), base, size, ink, bold=True)
        _write(label, right, width - 1 - _width(right, size), base, size, _GREY)


def _bar(label: Pixels, score: float, margin: float) -> None:
    """The bar of a margin along the bottom of a label."""
    height, width = label.shape[:2]
    colour = _GREEN if score >= 0.9 and margin >= 0.15 else _YELLOW if score >= 0.75 and margin >= 0.05 else _RED
    label[height - _thick(height) :, : round(width * min(1.0, max(0.0, margin)))] = colour


def _thick(height: int) -> int:
    return max(1, round(0.18 * height))


# ---------------------------------------------------------------- text


def _write(picture: Pixels, text: str, x: int, y: int, size: int, colour: Colour, bold: bool = False) -> None:
    """A line of text, (x, y) the left end of its base line, ``size`` about the height of a capital and a half."""
    if not text:
        return
    if hasattr(cv2, "FontFace"):
        cv2.putText(picture, text, (x, y), colour, cv2.FontFace("sans"), size, 600 if bold else 400)
    else:  # OpenCV 4 has stroke fonts only
        cv2.putText(picture, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size / 32, colour, 2 if bold else 1, cv2.LINE_AA)


def _width(text: str, size: int, bold: bool = False) -> int:
    """How wide that line is, in pixels."""
    if not text:
        return 0
    if hasattr(cv2, "FontFace"):
        box = cv2.getTextSize((0, 0), text, (0, 0), cv2.FontFace("sans"), size, 600 if bold else 400)
        return int(box[0] + box[2])
    (width, _), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size / 32, 2 if bold else 1)
    return int(width)
