"""Owns Minesweeper pages as people make them: looks written as web pages, for the tests of the reader that knows none.

A page is drawn by a browser, so that its fonts, corners, shadows and signs are those of pages. No look here copies
anybody's; each stands for a habit: bevels out of borders, gaps, rounded tiles, one ink for all digits, a body for each
digit, signs out of letters. Boards are in board text (``tests/skins.py``)."""

from __future__ import annotations

import random
from dataclasses import dataclass

from autosolve.board.shape import Shape, cell_set, cells_in
from autosolve.generate.game import Field

EMOJI = {"F": "\U0001f6a9", "*": "\U0001f4a3", "!": "\U0001f4a5", "X": "❌", "?": "❓"}
LETTERS = {"F": "F", "*": "*", "!": "*", "X": "X", "?": "?"}
SIGNS = {"F": "⚑", "*": "●", "!": "●", "X": "✗", "?": "?"}
BLACK_FLAG = SIGNS | {"F": "⚐"}
DRAWN_FLAG = (
    '<svg viewBox="0 0 20 20" width="62%" height="62%"><path d="M7 2v16M4 18h8" stroke="#222" stroke-width="2"/>'
    '<path d="M7 2l9 4-9 5z" fill="#e33"/></svg>'
)
DRAWN_MINE = (
    '<svg viewBox="0 0 20 20" width="70%" height="70%"><path d="M10 1v18M1 10h18M4 4l12 12M16 4L4 16" '
    'stroke="#111" stroke-width="1.6"/><circle cx="10" cy="10" r="6" fill="#111"/>'
    '<circle cx="8" cy="8" r="1.6" fill="#fff"/></svg>'
)
DRAWN_WRONG = DRAWN_MINE.replace("</svg>", '<path d="M2 2l16 16M18 2L2 18" stroke="#e11" stroke-width="2.4"/></svg>')
DRAWN = {"F": DRAWN_FLAG, "*": DRAWN_MINE, "!": DRAWN_MINE, "X": DRAWN_WRONG, "?": "?"}

CLASSIC = ("#0000ff", "#008000", "#ff0000", "#000080", "#800000", "#008080", "#000000", "#808080")
NAMED = ("blue", "green", "red", "navy", "brown", "teal", "black", "gray")
TAILWIND = ("#3b82f6", "#22c55e", "#ef4444", "#a855f7", "#f59e0b", "#06b6d4", "#ec4899", "#94a3b8")
NEON = ("#4fc3f7", "#81c784", "#e57373", "#64b5f6", "#ba68c8", "#4db6ac", "#f06292", "#ffb74d")
FLAT = ("#3498db", "#2ecc71", "#e74c3c", "#9b59b6", "#e67e22", "#1abc9c", "#34495e", "#7f8c8d")
MATERIAL = ("#1976d2", "#388e3c", "#d32f2f", "#7b1fa2", "#ff8f00", "#0097a7", "#424242", "#9e9e9e")


@dataclass(frozen=True)
class Page:
    """``css`` may use .board, .cell, .covered, .open, .n1 ... .n8, .odd, .mine, .exploded, .flag; ``cell`` and
    ``gap`` are CSS pixels; ``body`` is what stands before the board."""

    css: str
    cell: tuple[int, int] = (32, 32)
    gap: int = 0
    inks: tuple[str, ...] = CLASSIC
    signs: tuple[tuple[str, str], ...] = tuple(EMOJI.items())
    body: str = "<h1>Minesweeper</h1><p>Mines: 10 &nbsp; Time: 042</p>"

    def shown(self, rows: list[str]) -> list[str]:
        """The board as the page shows it: on many the mine that was hit looks like the others."""
        signs = dict(self.signs)
        alike = signs["!"] == signs["*"] and ".exploded" not in self.css
        return [row.replace("!", "*") if alike else row for row in rows]


def html(rows: list[str], page: Page) -> str:
    """The whole page; its cells are the elements of class ``cell``, row by row."""
    signs = dict(page.signs)
    cells = []
    for r, text in enumerate(rows):
        for c, char in enumerate(text):
            classes = ["cell", "odd" if (r + c) % 2 else "even"]
            classes += {"F": ["covered", "flag"], "?": ["covered", "question"], ".": ["covered"]}.get(char, ["open"])
            shown = ""
            if char in "12345678":
                classes.append("n" + char)
                shown = char
            elif char in signs:
                shown = signs[char]
                classes += {"*": ["mine"], "!": ["mine", "exploded"], "X": ["mine", "wrong"]}.get(char, [])
            cells.append(f'<div class="{" ".join(classes)}">{shown}</div>')
    wide, high = page.cell
    inks = "".join(f".n{i + 1}{{color:{ink}}}" for i, ink in enumerate(page.inks))
    base = (
        "body{margin:24px;font-family:Arial,sans-serif}"
        f".board{{display:inline-grid;grid-template-columns:repeat({len(rows[0])},{wide}px);"
        f"grid-auto-rows:{high}px;gap:{page.gap}px;user-select:none}}"
        ".cell{box-sizing:border-box;display:flex;align-items:center;justify-content:center;overflow:hidden;"
        f"line-height:1;font-weight:bold;font-size:{round(0.6 * high)}px}}"
    )
    return (
        f"<!doctype html><meta charset=utf-8><title>board</title><style>{base}{inks}{page.css}</style>"
        f'<body>{page.body}<div class="board">{"".join(cells)}</div></body>'
    )


# where the cells are: the outer corners of the first and the last, in CSS pixels of the window
WHERE = """(() => {const c=[...document.querySelectorAll('.cell')].map(e=>e.getBoundingClientRect());
const a=c[0], z=c[c.length-1]; return [a.left,a.top,z.right,z.bottom]})()"""


def dealt(rows: int, cols: int, mines: int, state: str, seed: int) -> list[str]:
    """A position of a click-to-reveal game in board text, by the seed alone.

    ``state`` ``fresh``; ``start``: one region opened; ``mid``: half opened, some mines flagged; ``marks``: with
    question marks too; ``lost``: all mines shown, one hit, a flag that was wrong; ``won``: all mines flagged."""
    dice = random.Random(f"{rows} {cols} {mines} {state} {seed}")
    cells = [(r, c) for r in range(rows) for c in range(cols)]
    if state == "fresh":
        return ["." * cols] * rows
    mined = set(dice.sample(cells, mines))
    shape = Shape(rows, cols)
    field = Field(shape, cell_set(shape.cell(*at) for at in mined))

    def around(at: tuple[int, int]) -> list[tuple[int, int]]:
        r, c = at
        return [(i, j) for i in (r - 1, r, r + 1) for j in (c - 1, c, c + 1) if (i, j) != at and (i, j) in inside]

    inside = set(cells)
    clue = {at: sum(n in mined for n in around(at)) for at in cells}
    opened: set[tuple[int, int]] = set()
    share = {"start": 0.1, "mid": 0.5, "marks": 0.5, "lost": 0.4, "won": 2.0}[state]
    order = sorted(dice.sample(cells, len(cells)), key=lambda at: clue[at] > 0 and state == "start")
    for start in order:
        if start in mined or len(opened) > share * len(cells):
            continue
        opened.update(shape.at(cell) for cell in cells_in(field.flood(shape.cell(*start))))
    show = {at: str(clue[at]) if at in opened else "." for at in cells}
    front = [at for at in sorted(mined) if opened & set(around(at))]
    if state in ("mid", "marks", "lost"):
        for at in front:
            if dice.random() < 0.5:
                show[at] = "F"
    if state == "marks":
        for at in dice.sample([at for at in cells if show[at] == "."], 4):
            show[at] = "?"
    if state == "lost":
        for at in mined:
            if show[at] != "F":
                show[at] = "*"
        show[dice.choice([at for at in sorted(mined) if show[at] == "*"])] = "!"
        show[dice.choice([at for at in cells if show[at] == "."])] = "X"
    if state == "won":
        for at in mined:
            show[at] = "F"
    return ["".join(show[r, c] for c in range(cols)) for r in range(rows)]


def _bevel(light: str, dark: str, wide: int = 3) -> str:
    return f"border:{wide}px solid;border-color:{light} {dark} {dark} {light}"


# name to look
PAGES: dict[str, Page] = {
    # borders that make a bevel, on pale grey; opened cells are darker and keep thin borders
    "bevel-pale": Page(
        f".covered{{background:#e7e7e7;{_bevel('#f7f5f5', '#bbb', 5)}}}"
        f".open{{background:#cecece;{_bevel('#bbb', '#ddd', 1)}}}",
        (40, 40),
    ),
    # flat squares in a thick frame, lines of a light colour
    "flat-framed": Page(
        ".board{border:10px solid darkgray;background:lightgray}.cell{border:1px solid whitesmoke;font-size:30px}"
        ".open{background:darkgray}",
        (50, 50),
        0,
        NAMED,
    ),
    # opened cells have no body of their own: the board shows
    "bare-open": Page(
        ".board{padding:10px;background:#777}"
        f".covered{{background:#bbb;{_bevel('#ddd', '#888', 2)}}}.mine{{background:#c33}}",
        (48, 48),
        0,
        ("black",) * 8,
        tuple(DRAWN.items()),
    ),
    # a night page: rounded tiles apart from each other
    "slate-cards": Page(
        "body{background:#0f172a;color:#e2e8f0}.cell{border-radius:6px}.covered{background:#475569}"
        ".open{background:#1e293b}.exploded{background:#991b1b}",
        (36, 36),
        4,
        TAILWIND,
    ),
    "airy-light": Page(
        ".cell{border:1px solid #e5e7eb;font-weight:600}.covered{background:#d1d5db}.open{background:#fff}",
        (32, 32),
        0,
        TAILWIND,
    ),
    # a table of buttons
    "table-buttons": Page(
        ".board{border:1px solid #dee2e6}.cell{border:1px solid #dee2e6}"
        ".covered{background:#6c757d;border:1px solid #565e64;border-radius:4px;color:#fff}"
        ".open{background:#f8f9fa;font-weight:400}",
        (34, 34),
        2,
        ("#212529",) * 8,
        tuple(SIGNS.items()),
    ),
    # a lawn in two shades of violet, a lawn in two of sand beneath
    "violet-lawn": Page(
        ".covered.even{background:#9f86d9}.covered.odd{background:#957ad2}"
        ".open.even{background:#efe3cf}.open.odd{background:#e6d8c0}",
        (30, 30),
        0,
        MATERIAL,
    ),
    "terminal": Page(
        "body{background:#000;color:#3f3;font-family:monospace}.cell{border:1px solid #1a5a1a;font-family:monospace}"
        ".covered{background:#0c3c0c}.open{background:#000}",
        (28, 28),
        0,
        ("#33ff33",) * 8,
        tuple(LETTERS.items()),
    ),
    "old-blue": Page(
        "body{background:#000084;color:#fff}"
        f".covered{{background:#3a6ea5;{_bevel('#9fc3ea', '#1b3b63')}}}"
        ".open{background:#001a4d;border:1px solid #123}",
        (30, 30),
        0,
        ("#ffff55", "#55ffff", "#ffffff", "#ff55ff", "#ffaa00", "#aaffaa", "#ff8888", "#cccccc"),
        tuple(DRAWN.items()),
    ),
    # a canvas in one ink: thin black lines, digits set left and high
    "canvas-plain": Page(
        ".board{border:1px solid #000}.cell{border-right:1px solid #000;border-bottom:1px solid #000;"
        "justify-content:flex-start;align-items:flex-start;padding:4px 0 0 6px;font-weight:400}"
        ".covered{background:#aaa}.open{background:#fff}.flag{padding-left:3px}",
        (26, 26),
        0,
        ("black",) * 8,
    ),
    "glossy": Page(
        "body{background:#f4f7fb}.cell{border-radius:4px}"
        ".covered{background:linear-gradient(135deg,#6db3f2,#1e69de)}.open{background:#e8eef8}",
        (38, 38),
        2,
        FLAT,
        tuple(DRAWN.items()),
    ),
    # raised and pressed in the page's own colour, by soft shadows
    "soft-raised": Page(
        "body,.board{background:#e0e5ec}.cell{border-radius:8px}"
        ".covered{background:#e0e5ec;box-shadow:3px 3px 6px #a3b1c6,-3px -3px 6px #fff}"
        ".open{background:#e0e5ec;box-shadow:inset 2px 2px 5px #b8c2d2,inset -2px -2px 5px #fff}",
        (36, 36),
        8,
        MATERIAL,
    ),
    # cells that are wider than high
    "wide-buttons": Page(
        f".covered{{background:#d9d9d9;{_bevel('#fff', '#8a8a8a', 2)}}}"
        f".open{{background:#d9d9d9;{_bevel('#8a8a8a', '#fff', 1)};font-weight:400}}",
        (38, 28),
        0,
        ("black",) * 8,
        tuple(LETTERS.items()),
    ),
    "low-contrast": Page(
        ".cell{border:1px solid #cfcfcf;font-family:Georgia,serif;font-weight:400}"
        ".covered{background:#dcdcdc}.open{background:#e8e8e8}",
        (32, 32),
        0,
        NAMED,
        tuple(SIGNS.items()),
    ),
    # grey buttons of a desktop toolkit: the opened ones are sunken, of the same grey
    "sunken": Page(
        f"body{{background:#d9d9d9}}.covered{{background:#d9d9d9;{_bevel('#fff', '#828282', 2)}}}"
        f".open{{background:#d9d9d9;{_bevel('#828282', '#fff', 2)}}}",
        (34, 34),
        0,
        CLASSIC,
        tuple(LETTERS.items()),
    ),
    # every digit on a body of its own
    "heat": Page(
        ".cell{border:1px solid #fff}.covered{background:#607d8b}.open{background:#eceff1;color:#263238}"
        ".n1{background:#fff9c4}.n2{background:#ffe082}.n3{background:#ffb74d}.n4{background:#ff8a65}"
        ".n5{background:#e57373}.n6{background:#ba68c8}",
        (34, 34),
        0,
        ("#263238",) * 8,
    ),
    # digits with an outline, as cartoons have
    "cartoon": Page(
        "body{background:#87ceeb}.cell{border:2px solid #5a3a1a;font-size:25px;"
        "-webkit-text-stroke:1px #fff;font-family:Verdana,sans-serif}"
        ".covered{background:#6abe30}.open{background:#d9a066}",
        (40, 40),
        0,
        CLASSIC,
    ),
    # a telephone in the hand
    "phone": Page(
        "body{margin:0;background:#263238;color:#fff}h1{background:#37474f;padding:24px}.board{margin:12px}"
        ".cell{border-radius:3px;font-weight:300;font-family:Roboto,sans-serif}.covered{background:#546e7a}"
        ".open{background:#cfd8dc}.flag{background:#546e7a}",
        (42, 42),
        2,
        MATERIAL,
    ),
    "tiny": Page(
        ".cell{border:1px solid #888}.covered{background:#bdbdbd}.open{background:#f5f5f5}",
        (16, 16),
        0,
        CLASSIC,
    ),
    # nothing but tiles on a white page: what is opened is gone
    "vanishing": Page(
        ".covered{background:#5c6bc0;border-radius:5px}.open{background:transparent}",
        (34, 34),
        3,
        FLAT,
        tuple(SIGNS.items()),
    ),
    "wood": Page(
        "body{background:#3e2723;color:#ffe0b2}.cell{border:1px solid #4e342e}"
        ".covered{background:repeating-linear-gradient(90deg,#a1662f,#a1662f 5px,#96602c 5px,#96602c 9px)}"
        ".open{background:#efdcc3}",
        (36, 36),
        0,
        ("#1a237e", "#1b5e20", "#b71c1c", "#4a148c", "#bf360c", "#006064", "#212121", "#616161"),
    ),
    "ice": Page(
        ".covered{background:linear-gradient(#9fd3f5,#5aa9dd);border:1px solid #3c87b8;"
        "box-shadow:inset 1px 1px 0 #dff2ff}.open{background:#f2fafe;border:1px solid #c9e4f5}",
        (30, 30),
        0,
        CLASSIC,
        tuple(DRAWN.items()),
    ),
    # pale signs out of the font, thin digits
    "paper": Page(
        "body{background:#fdf6e3;font-family:Georgia,serif}.cell{border:1px solid #93a1a1;font-weight:400;"
        "font-family:'Times New Roman',serif;font-size:22px}.covered{background:#eee8d5}.open{background:#fdf6e3}"
        ".flag{color:#dc322f}",
        (32, 32),
        0,
        ("#268bd2", "#859900", "#dc322f", "#6c71c4", "#cb4b16", "#2aa198", "#073642", "#586e75"),
        tuple(SIGNS.items()),
    ),
    # dark on dark, lines lighter than the cells
    "carbon": Page(
        "body{background:#121212;color:#ddd}.cell{border:1px solid #555}.covered{background:#333}"
        ".open{background:#1b1b1b}.exploded{background:#b00020}",
        (33, 33),
        0,
        NEON,
    ),
    # opened cells darker than covered ones, white digits
    "inverted": Page(
        "body{background:#222}.board{background:#111;padding:4px}.covered{background:#f1c40f;border-radius:2px}"
        ".open{background:#2c3e50}",
        (34, 34),
        1,
        ("#ffffff",) * 8,
        tuple(BLACK_FLAG.items()),
    ),
    "candy": Page(
        "body{background:#fff0f6}.cell{border-radius:50%}.covered{background:#f783ac}.open{background:#ffe3ec}",
        (36, 36),
        4,
        MATERIAL,
    ),
    # a mesh of dark lines three pixels wide
    "mesh": Page(
        ".board{background:#37474f;padding:3px}.covered{background:#b0bec5}.open{background:#eceff1}",
        (32, 32),
        3,
        CLASSIC,
        tuple(DRAWN.items()),
    ),
    "mono-bold": Page(
        ".cell{border:1px solid #999;font-family:'Courier New',monospace;font-weight:bold;font-size:24px}"
        ".covered{background:#c6c6c6;border:3px outset #eee}.open{background:#c6c6c6}",
        (32, 32),
        0,
        NAMED,
        tuple(LETTERS.items()),
    ),
}
