"""Draws the pictures of docs/how-it-thinks.md: ``python tools/draw_essay.py``, into docs/pictures/thinking/.

Nothing in them is drawn by hand: each panel is a board as text, and a step that the solver took on it, or the chances
it counted. The sentences a step rests on are outlined, one colour each; their clues are framed in the same colour.
Pictures are SVG, the same on every machine, so that a test can hold them against the program.

Legend: a *panel* is one board with what is told of it; a *scene* is one picture, panels side by side.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from autosolve.board import notation
from autosolve.board.puzzle import Constraint, Kind, Puzzle, Source
from autosolve.board.shape import CellSet, cells_in
from autosolve.solver import hybrid
from autosolve.solver.count import odds
from autosolve.solver.deduction import Deduction, Technique, Verdict

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures" / "thinking"
BOARDS = ROOT / "fixtures" / "boards"

SIDE = 46  # of a cell
GAP = 34  # between panels
EDGE = 14
LINE = 20  # of a caption
TOTAL = 30  # room for a row's total

# told apart by people who see red and green alike (after Okabe and Ito)
COLOURS = ("#0072b2", "#d55e00", "#8a5a9e", "#007a5a", "#946500", "#3f8fc0")
DIGITS = ("#8b949c", "#1f4fd0", "#1a7a34", "#c62222", "#1a237e", "#7a1f1f", "#0b7f86", "#222", "#666")

# boards as they stand in the essay
SENTENCE = "...\n.2.\n...\n"
ONE = "..10\n..10\n1110\n"
TWO = "...\n121\n"
THREE = ".1.1\n1...\n.11.\n"
LINES = "rows: 2 0 1\ncolumns: 1 1 1\n..1\n...\n...\n"
BOARD = "mines: 3\n12..\n...2\n..3.\n"
OPEN = "1...\n....\n...1\n"
COIN = "2.1\n..1\n"


@dataclass(frozen=True)
class Panel:
    """A board and what is drawn on it: ``outlined`` sentences, cells found now and before, and chances in per cent."""

    puzzle: Puzzle
    caption: str
    outlined: tuple[Constraint, ...] = ()
    mines: CellSet = 0
    safe: CellSet = 0
    old_mines: CellSet = 0
    old_safe: CellSet = 0
    chances: dict[int, str] = field(default_factory=dict)


def puzzle(text: str) -> Puzzle:
    """The facts of a board text."""
    return notation.parse(text).puzzle


def step(text: str, number: int, caption: str, layers: Sequence[Technique] | None = None) -> Panel:
    """The panel of one of the solver's steps, from 1, with what the steps before it found."""
    board = puzzle(text)
    taken = hybrid.solve(board, explain=True, layers=None if layers is None else frozenset(layers)).steps
    now = taken[number - 1]
    earlier = taken[: number - 1]
    return Panel(
        board,
        caption,
        now.because,
        now.cells if now.verdict is Verdict.MINE else 0,
        now.cells if now.verdict is Verdict.SAFE else 0,
        _found(earlier, Verdict.MINE),
        _found(earlier, Verdict.SAFE),
    )


def counted(text: str) -> Panel:
    """The panel of a board's chances, and of the number of its solutions."""
    board = puzzle(text)
    found = odds(board)
    chances = {int(cell): f"{float(100 * found.probability(cell)):.0f}" for cell in found.mined_in}
    total = board.totals.mines
    told = "mines not told" if total is None else f"{total} mines"
    return Panel(board, f"{told}: {found.models} solutions", chances=chances)


def _found(steps: Sequence[Deduction], verdict: Verdict) -> CellSet:
    cells = 0
    for taken in steps:
        if taken.verdict is verdict:
            cells |= taken.cells
    return cells


def _clue(text: str) -> Panel:
    board = puzzle(text)
    return Panel(board, "2 at r2c2: two mines among these eight", board.constraints)


SCENES: dict[str, Callable[[], str]] = {
    "sentence": lambda: scene([_clue(SENTENCE)]),
    "one": lambda: scene(
        [
            step(ONE, 1, "one cell left: a mine"),
            step(ONE, 2, "has its mine: the rest is safe"),
            step(ONE, 3, "and so is this"),
        ]
    ),
    "two": lambda: scene([step(TWO, 1, "1 and 2"), step(TWO, 2, "2 and 1"), step(TWO, 3, "what is left")]),
    "three": lambda: scene([step(THREE, 1, "three sentences at once"), step(THREE, 2, "and three others")]),
    "lines": lambda: scene([step(LINES, 1, "a row of 0"), step(LINES, 2, "a row of 2, one clue in it")]),
    "board": lambda: scene(
        [step(BOARD, 1, "3 mines in all, 3 around the 3"), step(BOARD, 4, "the 1 and the 2 make 3")]
    ),
    "chances": lambda: scene([counted(OPEN), counted(f"mines: 3\n{OPEN}"), counted(f"mines: 2\n{OPEN}")]),
    "coin": lambda: scene([counted(COIN)]),
    "reach": lambda: reach(),
}


# ---------------------------------------------------------------- drawing


def scene(panels: Sequence[Panel]) -> str:
    """Panels side by side as one SVG text."""
    out: list[str] = []
    x = EDGE
    below = 0
    for panel in panels:
        drawn, width, height = _panel(panel, x, EDGE)
        out.append(drawn)
        x += width + GAP
        below = max(below, height)
    return _sheet(x - GAP + EDGE, EDGE + below + EDGE, "; ".join(panel.caption for panel in panels), "".join(out))


def _sheet(width: float, height: float, words: str, inside: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" role="img" font-family="system-ui, sans-serif"><title>{html.escape(words)}</title>'
        f'<rect width="{width:g}" height="{height:g}" rx="8" fill="#fff"/>{inside}</svg>\n'
    )


def _panel(panel: Panel, left: float, top: float) -> tuple[str, float, float]:
    """A panel's drawing, and its width and height."""
    board, shape = panel.puzzle, panel.puzzle.shape
    words = max(len(panel.caption) * 7.2, 60)
    margin_x = TOTAL if board.totals.rows else 0
    margin_y = TOTAL if board.totals.columns else 0
    wide = margin_x + shape.cols * SIDE
    x0, y0 = left + margin_x + max(0.0, words - wide) / 2, top + margin_y
    out = [_cell(panel, cell, x0, y0) for cell in range(shape.size)]
    for i, number in enumerate(board.totals.rows):
        out.append(_text(x0 - 14, y0 + (i + 0.5) * SIDE + 6, "?" if number is None else str(number), 17, "#565f68"))
    for i, number in enumerate(board.totals.columns):
        out.append(_text(x0 + (i + 0.5) * SIDE, y0 - 9, "?" if number is None else str(number), 17, "#565f68"))
    for i, constraint in enumerate(panel.outlined):
        colour = COLOURS[i % len(COLOURS)]
        if constraint.source.kind is not Kind.BOARD:
            out.append(_outline(panel, constraint.cells, colour, 3.5 + 3.5 * (i % 3), x0, y0))
        out.append(_source(panel, constraint.source, colour, x0, y0))
    out += [_mark(cell, shape.cols, True, cell in set(cells_in(panel.mines)), x0, y0) for cell in _both(panel, True)]
    out += [_mark(cell, shape.cols, False, cell in set(cells_in(panel.safe)), x0, y0) for cell in _both(panel, False)]
    height = margin_y + shape.rows * SIDE
    out.append(_text(left + max(wide, words) / 2, top + height + LINE, panel.caption, 14, "#1c2126"))
    return "".join(out), max(wide, words), height + LINE + 4


def _both(panel: Panel, mine: bool) -> list[int]:
    cells = panel.mines | panel.old_mines if mine else panel.safe | panel.old_safe
    return [int(cell) for cell in cells_in(cells)]


def _cell(panel: Panel, cell: int, x0: float, y0: float) -> str:
    row, col = panel.puzzle.shape.at(cell)
    x, y = x0 + col * SIDE, y0 + row * SIDE
    number = {int(c): n for c, n in panel.puzzle.clues.items()}.get(cell)
    fill = "#d3d9de" if number is None else "#f4f6f7"
    out = f'<rect x="{x:g}" y="{y:g}" width="{SIDE}" height="{SIDE}" fill="{fill}" stroke="#9aa4ad"/>'
    if number is not None:
        return out + _text(x + SIDE / 2, y + SIDE / 2 + 8, str(number), 23, DIGITS[number], bold=True)
    if cell in panel.chances:
        return out + _text(x + SIDE / 2, y + SIDE / 2 + 5, f"{panel.chances[cell]} %", 13, "#1c2126")
    return out


def _text(x: float, y: float, text: str, size: int, colour: str, bold: bool = False) -> str:
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{colour}" text-anchor="middle"{weight}>'
        f"{html.escape(text)}</text>"
    )


def _source(panel: Panel, source: Source, colour: str, x0: float, y0: float) -> str:
    """A frame around what says a sentence: a clue, a total at the edge, or the whole board."""
    shape = panel.puzzle.shape
    if source.kind is Kind.CLUE:
        row, col = shape.at(source.at)
        x, y, width, height = x0 + col * SIDE + 7, y0 + row * SIDE + 7, SIDE - 14.0, SIDE - 14.0
    elif source.kind is Kind.ROW:
        x, y, width, height = x0 - 26, y0 + source.at * SIDE + 10, 24.0, SIDE - 20.0
    elif source.kind is Kind.COLUMN:
        x, y, width, height = x0 + source.at * SIDE + 10, y0 - 27, SIDE - 20.0, 24.0
    else:
        x, y, width, height = x0 - 4, y0 - 4, shape.cols * SIDE + 8.0, shape.rows * SIDE + 8.0
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="5" fill="none" stroke="{colour}" '
        f'stroke-width="2.5"/>'
    )


def _outline(panel: Panel, cells: CellSet, colour: str, inset: float, x0: float, y0: float) -> str:
    """The rim of a set of cells, drawn so far inside it, over a thin wash of its colour."""
    shape = panel.puzzle.shape
    inside = {shape.at(cell) for cell in cells_in(cells)}
    wash = "".join(f"M{x0 + c * SIDE:g} {y0 + r * SIDE:g}h{SIDE}v{SIDE}h-{SIDE}z" for r, c in sorted(inside))
    rim: list[str] = []

    def reach(along: tuple[int, int], out: tuple[int, int], r: int, c: int) -> float:
        """How much longer an edge is at one end: shorter at an outer corner, longer at an inner one."""
        beside = (r + along[0], c + along[1])
        if beside not in inside:
            return -inset
        return inset if (beside[0] + out[0], beside[1] + out[1]) in inside else 0.0

    for r, c in sorted(inside):
        x, y = x0 + c * SIDE, y0 + r * SIDE
        for out in ((-1, 0), (1, 0)):
            if (r + out[0], c) not in inside:
                level = y + inset if out[0] < 0 else y + SIDE - inset
                start, end = x - reach((0, -1), out, r, c), x + SIDE + reach((0, 1), out, r, c)
                rim.append(f"M{start:g} {level:g}H{end:g}")
        for out in ((0, -1), (0, 1)):
            if (r, c + out[1]) not in inside:
                level = x + inset if out[1] < 0 else x + SIDE - inset
                start, end = y - reach((-1, 0), out, r, c), y + SIDE + reach((1, 0), out, r, c)
                rim.append(f"M{level:g} {start:g}V{end:g}")
    return (
        f'<path d="{wash}" fill="{colour}" opacity=".1"/>'
        f'<path d="{"".join(rim)}" fill="none" stroke="{colour}" stroke-width="2.5" stroke-linecap="round"/>'
    )


def _mark(cell: int, cols: int, mine: bool, new: bool, x0: float, y0: float) -> str:
    """A flag on a mine, a tick on a safe cell; paler where it was found before."""
    row, col = divmod(cell, cols)
    x, y = x0 + (col + 0.5) * SIDE, y0 + (row + 0.5) * SIDE
    pale = "" if new else ' opacity=".4"'
    disc = f'<circle cx="{x:g}" cy="{y:g}" r="13" fill="{"#0072b2" if mine else "#007a5a"}"/>'
    if mine:
        sign = f'<path d="M{x - 4.5:g} {y - 8:g}h2v16h-2zM{x - 3:g} {y - 7.5:g}l10 4.5-10 4.5z" fill="#fff"/>'
    else:
        sign = f'<path d="M{x - 6:g} {y:g}l4.5 5 7.5-9" fill="none" stroke="#fff" stroke-width="3"/>'
    return f"<g{pale}>{disc}{sign}</g>"


# ---------------------------------------------------------------- how far each idea gets

T = Technique
IDEAS: tuple[tuple[str, tuple[Technique, ...]], ...] = (
    ("one sentence at a time", (T.ONE,)),
    ("and two that overlap", (T.ONE, T.TWO)),
    ("and three to five at once", (T.ONE, T.TWO, T.SUBSET)),
    ("and contradictions", (T.ONE, T.TWO, T.SUBSET, T.CONTRADICTION)),
    ("one, two, and the SAT solver", (T.ONE, T.TWO, T.SAT)),
)


def boards() -> list[Puzzle]:
    """The boards of fixtures/boards that have one solution."""
    return [puzzle(file.read_text(encoding="utf-8")) for file in sorted(BOARDS.glob("unique-*.txt"))]


def told() -> list[tuple[str, int, int]]:
    """For each idea: its words, and how many of how many covered cells it decides on those boards."""
    some = boards()
    whole = sum(board.covered.bit_count() for board in some)
    out = []
    for words, layers in IDEAS:
        solutions = [hybrid.solve(board, layers=frozenset(layers)) for board in some]
        out.append((words, sum((s.mines | s.safe).bit_count() for s in solutions), whole))
    return out


def reach() -> str:
    """The bars of ``told``."""
    width, left, line = 620, 236, 34
    rows = told()
    out = []
    for i, (words, decided, whole) in enumerate(rows):
        y = EDGE + i * line
        long = (width - left - 130) * decided / whole
        colour = COLOURS[3] if i == len(rows) - 1 else COLOURS[0]
        out.append(
            f'<text x="{left - 10}" y="{y + 20}" font-size="14" fill="#1c2126" text-anchor="end">{words}</text>'
            f'<rect x="{left}" y="{y + 5}" width="{width - left - 130}" height="22" fill="#e9edf0"/>'
            f'<rect x="{left}" y="{y + 5}" width="{long:.1f}" height="22" fill="{colour}"/>'
            f'<text x="{width - 120}" y="{y + 21}" font-size="14" fill="#1c2126">{decided:,} '
            f"({100 * decided / whole:.1f} %)</text>"
        )
    words = f"covered cells decided, of {rows[0][2]:,} on {len(boards())} boards"
    bottom = EDGE + len(rows) * line
    out.append(f'<text x="{left}" y="{bottom + 20}" font-size="13" fill="#565f68">{words}</text>')
    return _sheet(width, bottom + 34, words, "".join(out))


def main() -> None:
    """Writes every picture."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name, draw in SCENES.items():
        (PICTURES / f"{name}.svg").write_text(draw(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
