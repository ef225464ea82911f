"""Owns the pictures the reader is held against: photographs our own pages in Chromium, each with its exact truth.

Per picture NAME there are NAME.png, NAME.txt (board text of what is shown; ``~`` for a cell that is partly hidden)
and NAME.json: ``left``/``top`` (middle of the outermost grid lines) and ``pitch`` in pixels of the picture, ``flags``
(the cells marked as mines: in mosaic a clue may be one), and how the page was drawn.

    python tools/make_screens.py tuning FOLDER            some hundred pictures to tune the reader on
    python tools/make_screens.py negatives FOLDER         boards of which something is hidden; pages without a board
    python tools/make_screens.py golden fixtures/screens  the small set that is committed
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from chromium import Chromium, wait_until  # noqa: E402
from PIL import Image  # noqa: E402

from autosolve.board import notation  # noqa: E402
from autosolve.player.page import page  # noqa: E402

DOUBLE = ROOT / "tests" / "double.html"

# what fontconfig may be told: smoothed in grey, in colour (LCD), or not at all; outlines fitted to pixels or not
RENDERINGS = {
    "grey": {"antialias": "true", "rgba": "none", "hintstyle": "hintslight"},
    "lcd": {"antialias": "true", "rgba": "rgb", "hintstyle": "hintslight"},
    "hard": {"antialias": "false", "rgba": "none", "hintstyle": "hintfull"},
    "fitted": {"antialias": "true", "rgba": "none", "hintstyle": "hintfull"},
}

# a font that is not installed is named by what the system puts in its place
FONTS = (
    "Tahoma",
    "Arial",
    "DejaVu Sans",
    "Liberation Sans",
    "Noto Sans",
    "Verdana",
    "Roboto",
    "Open Sans",
    "Lato",
    "FreeSans",
    "Carlito",
)

RATIOS = (0.67, 0.75, 0.8, 0.9, 1, 1.1, 1.25, 1.33, 1.5, 1.65, 1.75, 1.875, 2, 2.2, 2.5, 2.66, 3)
SIZES = ((5, 5), (5, 9), (7, 7), (10, 10), (15, 15), (20, 20), (12, 31), (30, 18), (40, 40), (50, 50))
WINDOWS = ((1280, 900), (1920, 1080), (2560, 1440))
SMALLEST_PITCH = 20.0

# wine's Tahoma Bold has wide letters but thin strokes: this gives its digits the weight of the real one
BOLD_TAHOMA = ".number{-webkit-text-stroke:1.25px}"

# digit colours as a display profile on macOS shifts them
MAC = {
    1: (0, 60, 249),
    2: (0, 151, 35),
    3: (255, 0, 8),
    4: (0, 32, 149),
    5: (162, 0, 2),
    6: (0, 154, 153),
    8: (158, 24, 149),
}


@dataclass(frozen=True)
class Shot:
    """One picture to take: the board's rows, the page's parameters, the window, and what is put over it."""

    name: str
    rows: tuple[str, ...]
    ratio: float = 1.0  # device scale, at least 1: what is smaller is the browser's zoom
    window: tuple[int, int] = (1280, 900)
    query: dict[str, Any] = field(default_factory=dict)
    css: str = ""
    script: str = ""
    rendering: str = "grey"
    site: str = "puzzle-minesweeper"
    zoom: float = 1.0  # the browser's own; below 1 it snaps boxes to pixels, and lines between cells get lost


def board(rng: random.Random, rows: int, cols: int, density: float, shown: float = 0.35) -> list[list[str]]:
    """Rows of board text: a random deal with ``shown`` of the safe cells' numbers."""
    mines = [[rng.random() < density for _ in range(cols)] for _ in range(rows)]
    out = [["."] * cols for _ in range(rows)]
    for r in range(rows):
        for c in range(cols):
            if not mines[r][c] and rng.random() < shown:
                near = [mines[i][j] for i, j in around(r, c, rows, cols)]
                out[r][c] = str(sum(near))
    return out


def around(r: int, c: int, rows: int, cols: int) -> Iterator[tuple[int, int]]:
    """The up to eight neighbours."""
    for i in range(max(0, r - 1), min(rows, r + 2)):
        for j in range(max(0, c - 1), min(cols, c + 2)):
            if (i, j) != (r, c):
                yield i, j


def marked(rng: random.Random, rows: list[list[str]], share: float) -> list[list[str]]:
    """The board with a share of its covered cells flagged or marked safe, right or wrong: some clues then clash."""
    return [["Fx"[rng.random() < 0.4] if s == "." and rng.random() < share else s for s in row] for row in rows]


def mosaic(rng: random.Random, rows: int, cols: int, shown: float, filled: float) -> tuple[list[list[str]], list[int]]:
    """Rows of a mosaic: a random deal, half of it black, with a share of its clues, which count their own cells; and
    the numbers of the cells that are filled already."""
    black = [[rng.random() < 0.5 for _ in range(cols)] for _ in range(rows)]
    out = [["."] * cols for _ in range(rows)]
    for r in range(rows):
        for c in range(cols):
            if rng.random() < shown:
                out[r][c] = str(black[r][c] + sum(black[i][j] for i, j in around(r, c, rows, cols)))
    return out, [r * cols + c for r in range(rows) for c in range(cols) if black[r][c] and rng.random() < filled]


def all_digits(rng: random.Random, rows: list[list[str]]) -> list[list[str]]:
    """The board with some clues replaced by any digit, so that 0 to 8 all occur: pixels, not a playable puzzle."""
    return [[str(rng.randrange(9)) if s.isdigit() and rng.random() < 0.5 else s for s in row] for row in rows]


def mac_css() -> str:
    """A style sheet that shifts the digits as the display profile does."""
    return "".join(f".number-{n}{{color:rgb{c}!important}}" for n, c in MAC.items())


def fontconfig(folder: Path, rendering: str) -> Path:
    """A fontconfig file: the system's fonts, wine's free Tahoma where installed, one way of drawing."""
    fonts = folder / "fonts"
    fonts.mkdir(exist_ok=True)
    for name in ("tahoma.ttf", "tahomabd.ttf"):
        source, link = Path("/usr/share/wine/fonts") / name, fonts / name
        if source.exists() and not link.exists():
            link.symlink_to(source)

    def value(key: str, text: str) -> str:
        return f"<bool>{text}</bool>" if key == "antialias" else f"<const>{text}</const>"

    edits = "".join(
        f'<edit name="{key}" mode="assign">{value(key, text)}</edit>' for key, text in RENDERINGS[rendering].items()
    )
    file = folder / f"{rendering}.conf"
    file.write_text(
        '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>'
        '<include ignore_missing="yes">/etc/fonts/fonts.conf</include>'
        f"<dir>{fonts}</dir><cachedir>{folder / 'cache'}</cachedir>"
        f'<match target="pattern">{edits}</match><match target="font">{edits}</match></fontconfig>'
    )
    return file


# the lattice as the page knows it, in CSS pixels, and how much of each cell something else covers
GEOMETRY = """
(() => {
  const cells = [...document.querySelectorAll('.minesweeper-cell-back .cell, .board .cell')];
  const [R, C] = [ROWS, COLS];
  const a = cells[0].getBoundingClientRect(), z = cells[cells.length - 1].getBoundingClientRect();
  const px = (z.left - a.left) / (C - 1), py = (z.top - a.top) / (R - 1);
  const panes = [...document.querySelectorAll('.over, #anchorAd')].map(o => o.getBoundingClientRect());
  const everything = document.querySelector('#consent') !== null;
  const hidden = [];
  cells.forEach((e, i) => {
    const b = e.getBoundingClientRect();
    const part = (l, t, r, m) => Math.max(0, Math.min(b.right, r) - Math.max(b.left, l)) *
      Math.max(0, Math.min(b.bottom, m) - Math.max(b.top, t)) / (b.width * b.height);
    let share = everything ? 1 : 1 - part(0, 0, innerWidth, innerHeight);
    for (const p of panes) share = Math.max(share, part(p.left, p.top, p.right, p.bottom));
    if (share > 1e-4) hidden.push([Math.floor(i / C), i % C, Math.round(share * 1000) / 1000]);
  });
  const bad = e => e.classList.contains('error') || e.classList.contains('wrong');
  return {left: a.left - (px - a.width) / 2, top: a.top - (py - a.height) / 2, px, py, dpr: devicePixelRatio, hidden,
    errors: cells.flatMap((e, i) => bad(e) ? [[Math.floor(i / C), i % C]] : []),
    state: (window.mock || window.autosolve).state(), flags: (window.mock || window.autosolve).flags()};
})()
"""

# what a person would set on the player: the theme, the size of the cells; and the font that the system has
DRESS_PLAYER = """
(() => {
  const root = document.documentElement, wish = WISH;
  if (wish.theme) root.dataset.theme = wish.theme;
  if (wish.pitch) root.style.setProperty('--pitch', wish.pitch + 'px');
  if (wish.font) root.style.setProperty('--figures', wish.font);
})()
"""


def url_of(shot: Shot, scratch: Path) -> str:
    """The page's address with its board; the player's page is written to ``scratch`` first."""
    if shot.site != "local-player":
        return f"{DOUBLE.as_uri()}?{urlencode({'rows': '/'.join(shot.rows), **shot.query})}"
    file = scratch / "player.html"
    file.write_text(page(notation.parse("\n".join(shot.rows))), encoding="utf-8", newline="\n")
    return file.as_uri()


def take(browser: Chromium, shot: Shot, folder: Path, scratch: Path, *, hidden_ok: bool = False) -> bool:
    """Photographs one page; False, and nothing written, when the board does not fit the window."""
    width, height = shot.window
    browser.metrics(round(width / shot.ratio), round(height / shot.ratio))
    browser.open(url_of(shot, scratch))
    # a loaded machine may show the page before it has applied the zoom
    wait_until(lambda: abs(browser.js("devicePixelRatio") - shot.ratio * shot.zoom) < 0.01, 20, f"zoom {shot.zoom}")
    if shot.css:
        browser.js(f"document.head.insertAdjacentHTML('beforeend', `<style>{shot.css}</style>`)")
    if shot.site == "local-player":
        browser.js(DRESS_PLAYER.replace("WISH", json.dumps(shot.query)))
    browser.js("document.querySelector('#game, .board').scrollIntoView({block: 'nearest', inline: 'nearest'})")
    if shot.script:
        browser.js(shot.script)
    browser.js("document.fonts.ready.then(() => 1)")
    browser.settle()
    rows, cols = len(shot.rows), len(shot.rows[0])
    truth = browser.js(GEOMETRY.replace("ROWS", str(rows)).replace("COLS", str(cols)))
    if truth["hidden"] and not hidden_ok:
        return False
    text = [list(row) for row in truth["state"]]
    for r, c, _ in truth["hidden"]:
        text[r][c] = "~"
    ratio = truth["dpr"]
    folder.mkdir(parents=True, exist_ok=True)
    pack(browser.screenshot(), folder / f"{shot.name}.png")
    (folder / f"{shot.name}.txt").write_text("".join("".join(row) + "\n" for row in text))
    facts = {
        "rows": rows,
        "cols": cols,
        "left": round(truth["left"] * ratio, 3),
        "top": round(truth["top"] * ratio, 3),
        "pitch": [round(truth["px"] * ratio, 4), round(truth["py"] * ratio, 4)],
        "ratio": round(ratio, 4),
        "zoom": shot.zoom,
        "window": list(shot.window),
        "rendering": shot.rendering,
        "query": shot.query,
        "css": shot.css,
        "errors": truth["errors"],
    }
    if shot.query.get("mosaic"):
        facts["flags"] = truth["flags"]
    if truth["hidden"]:
        # [row, column, how much of it is hidden], and what stands below
        facts.update(hidden=truth["hidden"], below=truth["state"])
    (folder / f"{shot.name}.json").write_text(json.dumps(facts) + "\n")
    return True


def pack(png: bytes, file: Path) -> None:
    """Writes a PNG as small as it gets without losing anything."""
    Image.open(io.BytesIO(png)).convert("RGB").save(file, optimize=True)


def real(ratio: float) -> dict[str, Any]:
    """How a person comes to a device pixel ratio: by the screen's scale, or below 1 by the browser's zoom."""
    return {"ratio": ratio} if ratio >= 1 else {"zoom": ratio}


def fits(rows: int, cols: int, ratio: float, k: float, window: tuple[int, int], side: bool) -> bool:
    """Whether the double's board is wholly in the window, by its measured page layout."""
    left = (204 + 188 + 12 + 20) if side else 30
    return (left + (31 * cols + 15) * k + 10) * ratio <= window[0] and ((31 * rows + 15) * k + 20) * ratio <= window[1]


def tuning() -> Iterator[Shot]:
    """Every font at every ratio, everything else drawn at random; then sizes, marks, and the odd looks."""
    rng = random.Random(20241)
    number = 0
    looks = [{}, {}, {}, {"seams": 0}, {"sub": 0.17}, {"sub": 0.5}, {"night": 1}, {"night": 2}, {"errors": 0}]
    for font in FONTS:
        for ratio in RATIOS:
            window = rng.choice(WINDOWS)
            k = rng.choice([1, 1, 1, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65])
            if 31 * ratio * k < SMALLEST_PITCH:
                k = 1
            side = rng.random() < 0.6
            sizes = [s for s in SIZES if fits(*s, ratio, k, window, side)] or [(5, 5)]
            rows, cols = rng.choice(sizes[-4:])
            cells = board(rng, rows, cols, rng.uniform(0.2, 0.32))
            if rng.random() < 0.6:
                cells = all_digits(rng, cells)
            if rng.random() < 0.6:
                cells = marked(rng, cells, rng.uniform(0.05, 0.7))
            query: dict[str, Any] = {"font": f"{font},sans-serif", **rng.choice(looks)}
            if k != 1 or rng.random() < 0.5:
                query["scale"] = k
            if not side:
                query["side"] = 0
            number += 1
            yield Shot(
                name=f"t{number:03d}-{font.replace(' ', '')}-{ratio:g}x{k:g}-{rows}x{cols}",
                rows=tuple(map("".join, cells)),
                **real(ratio),
                window=window,
                query=query,
                css=mac_css() if rng.random() < 0.2 else "",
                rendering=rng.choice(["grey", "grey", "grey", "lcd", "lcd", "hard", "fitted"]),
            )
    # the listed sizes whole, at pitches where lines go soft
    for rows, cols in SIZES:
        for ratio, k in ((0.67, 1), (1, 0.65), (1, 0.69), (1, 0.74), (1, 0.87), (1.25, 0.7), (1.5, 1), (1, 1), (2, 1)):
            window = next((w for w in (*WINDOWS, (3840, 2160)) if fits(rows, cols, ratio, k, w, False)), None)
            if window is None:
                continue
            font = rng.choice(FONTS[:6])
            cells = board(rng, rows, cols, rng.uniform(0.2, 0.32))
            if rng.random() < 0.4:
                cells = marked(rng, all_digits(rng, cells), 0.4)
            number += 1
            yield Shot(
                name=f"t{number:03d}-{font.replace(' ', '')}-{ratio:g}x{k:g}-{rows}x{cols}",
                rows=tuple(map("".join, cells)),
                **real(ratio),
                window=window,
                query={"font": f"{font},sans-serif", "scale": k, "side": 0, **rng.choice([{}, {"sub": 0.17}])},
                rendering=rng.choice(["grey", "lcd"]),
            )

    # Tahoma as bold as the site shows it
    for ratio in RATIOS:
        for k in (1, 0.87, 0.7):
            if 31 * ratio * k < SMALLEST_PITCH:
                continue
            window = rng.choice(WINDOWS)
            rows, cols = rng.choice([s for s in SIZES if fits(*s, ratio, k, window, False)][-4:] or [(5, 5)])
            cells = marked(rng, all_digits(rng, board(rng, rows, cols, 0.25)), 0.25)
            number += 1
            yield Shot(
                name=f"t{number:03d}-TahomaBold-{ratio:g}x{k:g}-{rows}x{cols}",
                rows=tuple(map("".join, cells)),
                **real(ratio),
                window=window,
                query={"font": "Tahoma,sans-serif", "scale": k, "side": 0, **rng.choice(looks)},
                css=BOLD_TAHOMA + (mac_css() if rng.random() < 0.3 else ""),
                rendering=rng.choice(["grey", "lcd", "fitted", "hard"]),
            )


def player_tuning() -> Iterator[Shot]:
    """The local player in both themes, every font, at every ratio and many sizes of its cells."""
    rng = random.Random(4242)
    number = 0
    for font in FONTS:
        for ratio in rng.sample(RATIOS, 9):
            window = rng.choice(WINDOWS)
            pitch = rng.choice([20, 24, 28, 32, 32, 32, 36, 40, 48, 64])
            while pitch * ratio < SMALLEST_PITCH:
                pitch += 4
            across, down = (window[0] / ratio - 60) / pitch, (window[1] / ratio - 30) / pitch
            sizes = [s for s in SIZES if s[1] < across and s[0] < down] or [(5, 5)]
            rows, cols = rng.choice(sizes[-4:])
            if cols > across or rows > down:
                continue
            cells = board(rng, rows, cols, rng.uniform(0.2, 0.32))
            if rng.random() < 0.5:
                cells = all_digits(rng, cells)
            if rng.random() < 0.6:
                cells = marked(rng, cells, rng.uniform(0.05, 0.7))
            number += 1
            theme = rng.choice(["light", "light", "dark"])
            yield Shot(
                name=f"p{number:03d}-{font.replace(' ', '')}-{ratio:g}x{pitch}-{theme}-{rows}x{cols}",
                rows=tuple(map("".join, cells)),
                **real(ratio),
                window=window,
                query={"theme": theme, "pitch": pitch, "font": f"{font},sans-serif"},
                css=BOLD_TAHOMA.replace(".number", ".cell") if font == "Tahoma" else "",
                rendering=rng.choice(["grey", "grey", "lcd", "hard", "fitted"]),
                site="local-player",
            )


def mosaic_tuning(share: float = 1.0) -> Iterator[Shot]:
    """The puzzle site's mosaic in every font, at sampled ratios, fresh and partly filled; a ``share`` of them all."""
    rng = random.Random(909)
    number = 0
    for font in FONTS:
        for ratio in rng.sample(RATIOS, 7):
            window = rng.choice(WINDOWS)
            k = rng.choice([1, 1, 1, 0.87, 0.75]) if 31 * ratio > 29 else 1
            sizes = [s for s in SIZES if fits(*s, ratio, k, window, False)] or [(5, 5)]
            rows, cols = rng.choice(sizes[-4:])
            cells, filled = mosaic(rng, rows, cols, rng.uniform(0.25, 0.7), rng.choice([0, 0, 0.2, 0.6, 1]))
            look = rng.choice([{}, {}, {"sub": 0.17}, {"night": 1}])
            bold = BOLD_TAHOMA if font == "Tahoma" else ""
            number += 1
            rendering = rng.choice(["grey", "grey", "lcd", "hard", "fitted"])
            if rng.random() > share or (share < 1 and rows * cols > 700):
                continue
            if share < 1:
                window = (round((31 * k * cols + 90) * ratio), round((31 * k * rows + 170) * ratio))
            yield Shot(
                name=f"m{number:03d}-{font.replace(' ', '')}-{ratio:g}x{k:g}-{rows}x{cols}",
                rows=tuple(map("".join, cells)),
                **real(ratio),
                window=window,
                query={
                    "mosaic": 1,
                    "filled": ",".join(map(str, filled)),
                    "font": f"{font},sans-serif",
                    "side": 0,
                    "scale": k,
                    **look,
                },
                css=bold,
                rendering=rendering,
                site="mosaic",
            )


GOLDEN_FONTS = ("Tahoma", "DejaVu Sans", "Arial", "Noto Sans")


def golden() -> Iterator[Shot]:
    """The committed set: some three hundred cells at every zoom, for both sites, and a few hard ones."""
    rng = random.Random(8)
    looks = ({}, {"sub": 0.17}, {"seams": 0}, {"night": 1}, {}, {"night": 2})
    scaled = ((1, 0.65), (1, 0.69), (1, 0.74), (1, 0.87), (1.25, 0.7), (1.5, 0.9))
    number = 0
    for ratio, k in (*((ratio, 1) for ratio in RATIOS), *scaled):
        for site in ("puzzle-minesweeper", "local-player"):
            if site == "local-player" and k != 1:
                continue
            number += 1
            font = GOLDEN_FONTS[(number // 2 + number) % 4]
            rows, cols = rng.choice([(15, 20), (18, 17), (22, 14), (13, 24)])
            cells = marked(rng, all_digits(rng, board(rng, rows, cols, 0.25)), rng.choice([0, 0.3, 0.6]))
            margin = (rng.randrange(30, 90), rng.randrange(110, 150))
            window = (round((31 * k * cols + 60 + margin[0]) * ratio), round((31 * k * rows + 60 + margin[1]) * ratio))
            if site == "puzzle-minesweeper":
                look = looks[number // 2 % len(looks)]
                query: dict[str, Any] = {"font": f"{font},sans-serif", "side": 0, "scale": k, **look}
                css = (BOLD_TAHOMA if font == "Tahoma" else "") + (mac_css() if number % 10 == 0 else "")
            else:
                query = {"font": f"{font},sans-serif", "theme": "dark" if number % 3 == 1 else "light", "pitch": 32}
                css = BOLD_TAHOMA.replace(".number", ".cell") if font == "Tahoma" else ""
                window = (round((32 * cols + 60) * ratio), round((32 * rows + 40) * ratio))
            # half of them by device scale, half by the browser's own zoom
            by_zoom = ratio < 1 or number // 2 % 2 == 0
            yield Shot(
                name=f"{round(ratio * 100)}{'z' * by_zoom}{f'x{k:g}' * (k != 1)}-{font.replace(' ', '').lower()}",
                rows=tuple(map("".join, cells)),
                ratio=1 if by_zoom else ratio,
                zoom=ratio if by_zoom else 1,
                window=window,
                query=query,
                css=css,
                rendering=("grey", "lcd", "grey", "fitted", "hard")[number // 2 % 5],
                site=site,
            )
    # boards with one solution, which is known from the board's file
    for rows, cols, ratio, k, window in (
        (50, 50, 1, 0.69, (1532, 1220)),
        (40, 40, 1, 0.87, (1532, 1230)),
        (20, 20, 1, 1, (1920, 1080)),
        (5, 5, 1, 1, (640, 300)),
        (5, 9, 1.25, 1, (899, 356)),
    ):
        yield Shot(
            name=f"size-{rows}x{cols}",
            rows=tuple((ROOT / "fixtures" / "boards" / f"unique-{rows}x{cols}.txt").read_text().split()),
            ratio=ratio,
            window=window,
            query={"font": "DejaVu Sans,sans-serif", "scale": k},
        )


def zoomed() -> Iterator[Shot]:
    """The browser's own zoom on screens of several device scales: where lines between cells get lost."""
    rng = random.Random(67)
    number = 0
    for zoom in (0.67, 0.75, 0.8, 0.9, 1.1, 1.25, 1.33, 1.5, 1.75, 2):
        for device in (1, 1, 1, 1.25, 1.5, 2):
            for site in ("puzzle-minesweeper", "local-player"):
                ratio = zoom * device
                if not 0.66 < ratio < 3.01:
                    continue
                k = rng.choice([1, 1, 1, 0.87, 0.75, 0.69]) if 31 * ratio > 29 and site == "puzzle-minesweeper" else 1
                window = rng.choice(WINDOWS)
                sizes = [s for s in SIZES if fits(*s, ratio, 1.04 * k, window, False)] or [(5, 5)]
                rows, cols = rng.choice(sizes[-3:])
                cells = marked(rng, all_digits(rng, board(rng, rows, cols, 0.25)), rng.choice([0, 0.25, 0.6]))
                font = rng.choice(FONTS)
                bold = BOLD_TAHOMA if font == "Tahoma" else ""
                number += 1
                if site == "local-player":
                    query = {"font": f"{font},sans-serif", "theme": rng.choice(["light", "dark"]), "pitch": 32}
                else:
                    look = rng.choice([{}, {}, {"sub": 0.17}, {"sub": 0.5}, {"seams": 0}, {"night": 2}])
                    query = {"font": f"{font},sans-serif", "side": 0, "scale": k, **look}
                yield Shot(
                    name=f"z{number:03d}-{font.replace(' ', '')}-{device:g}x{zoom:g}x{k:g}-{rows}x{cols}",
                    rows=tuple(map("".join, cells)),
                    ratio=device,
                    zoom=zoom,
                    window=window,
                    query=query,
                    css=bold if site != "local-player" else bold.replace(".number", ".cell"),
                    rendering=rng.choice(["grey", "lcd"]),
                    site=site,
                )


# a mouse pointer, a tooltip and a banner as elements of the page: the browser's own are not in its screenshots
POINTER = (
    "<svg class='over' style='position:fixed;left:{x}px;top:{y}px;width:12px;height:19px;z-index:9999' "
    "viewBox='0 0 12 19'><path d='M.5.5v15l3.6-3.3 2.5 5.8 2.3-1-2.5-5.7H11z' fill='{fill}' stroke='{edge}'/></svg>"
)
TOOLTIP = (
    "<div class='over' style='position:fixed;left:{x}px;top:{y}px;padding:3px 6px;background:#ffffe1;"
    "border:1px solid #767676;font:12px sans-serif;z-index:9999'>Right click puts a flag here</div>"
)
PANEL = (
    "<div class='over' style='position:fixed;left:{x}px;top:{y}px;width:{w}px;height:{h}px;background:{fill};"
    "z-index:9999'></div>"
)


def over(html: str, row: float, col: float, **more: Any) -> str:
    """A script that puts ``html`` over the board with its corner at a (fractional) cell."""
    return (
        "(() => {const b = document.querySelector('.minesweeper-cell-back').getBoundingClientRect(), "
        "z = document.querySelector('.cell').getBoundingClientRect().width / 30;"
        f"const x = b.left + (3 + 31 * {col}) * z, y = b.top + (3 + 31 * {row}) * z;"
        f"document.body.insertAdjacentHTML('beforeend', `{html.format(x='${x}', y='${y}', **more)}`);}})()"
    )


def negatives() -> Iterator[Shot]:
    """Boards of which something is hidden: those cells are ``~`` in the truth."""
    rng = random.Random(77)
    for ratio in (0.8, 1, 1.25, 1.5, 2):
        window = (1920, 1080) if ratio > 1 else (1280, 900)

        def cells(rows: int, cols: int, share: float = 0.2) -> tuple[str, ...]:
            return tuple(map("".join, marked(rng, board(rng, rows, cols, 0.25), share)))

        base: dict[str, Any] = {"scale": 1, "side": 0, "font": rng.choice(FONTS[:6]) + ",sans-serif"}
        r = f"{ratio:g}"
        yield Shot(f"consent-{r}", cells(10, 10), **real(ratio), window=window, query={**base, "consent": 1})
        rows = int(window[1] / ratio / 31) - 2
        yield Shot(f"bar-{r}", cells(rows, 12), **real(ratio), window=window, query={**base, "anchor": 1})
        yield Shot(
            f"bar-2rows-{r}",
            cells(rows, 9),
            **real(ratio),
            window=window,
            query={**base, "anchor": 1},
            css="#anchorAd{height:70px}",
        )
        for side, script in {
            "bottom": "scrollTo(0, 0)",
            "top": "document.body.style.marginBottom='3000px'; scrollTo(0, 230)",
            "right": "scrollTo(0, 0)",
            "left": "document.body.style.width='9000px'; scrollTo(137, 0)",
        }.items():
            big = int(window[1] / ratio / 31) + 6 if side == "bottom" else 10
            wide = int(window[0] / ratio / 31) + 5 if side == "right" else 12
            yield Shot(f"cut-{side}-{r}", cells(big, wide), **real(ratio), window=window, query=base, script=script)
        for fill, edge, name in (("#000", "#fff", "black"), ("#fff", "#000", "white")):
            script = over(POINTER, 3 + rng.random(), 4 + rng.random(), fill=fill, edge=edge)
            yield Shot(f"pointer-{name}-{r}", cells(10, 10), **real(ratio), window=window, query=base, script=script)
        yield Shot(
            f"tooltip-{r}", cells(10, 10), **real(ratio), window=window, query=base, script=over(TOOLTIP, 4.4, 3.3)
        )
        for fill, name in (("rgba(0,0,0,.6)", "dim"), ("#ccc", "plain"), ("rgba(255,255,255,.5)", "pale")):
            script = over(PANEL, 5, 2, w=130, h=62, fill=fill)
            yield Shot(f"panel-{name}-{r}", cells(10, 10), **real(ratio), window=window, query=base, script=script)


GOLDEN_HARD = (
    "consent-1",
    "bar-1",
    "bar-2rows-1.25",
    "cut-bottom-1",
    "cut-bottom-2",
    "cut-top-1.5",
    "cut-right-1",
    "cut-right-1.5",
    "cut-left-1.25",
    "pointer-black-1.5",
    "pointer-white-1",
    "tooltip-1.25",
    "panel-dim-1",
    "panel-pale-1",
    "panel-plain-1.25",
)

PAGES_WITHOUT_BOARD = {
    "text": "<h1>News</h1>" + "<p>" + "The quick brown fox jumps over the lazy dog, 123 times in 2024. " * 90 + "</p>",
    "table": "<table style='border-collapse:collapse;font:14px sans-serif'>"
    + "".join(
        "<tr>"
        + "".join(f"<td style='border:1px solid #666;padding:6px 14px'>{(r * 7 + c) % 113}</td>" for c in range(12))
        + "</tr>"
        for r in range(20)
    )
    + "</table>",
    "calendar": "<table style='border-collapse:collapse;background:#ccc;font:bold 20px Tahoma,sans-serif'>"
    + "".join(
        "<tr>"
        + "".join(
            f"<td style='border:1px solid #666;width:30px;height:30px;text-align:center'>{d if 0 < d < 32 else ''}</td>"
            for d in range(w * 7 - 2, w * 7 + 5)
        )
        + "</tr>"
        for w in range(5)
    )
    + "</table>",
    "keypad": "<div style='display:grid;grid-template-columns:repeat(4,60px);gap:1px;background:#666;width:243px;"
    "padding:3px'>"
    + "".join(
        f"<div style='background:#ccc;border:3px solid;border-color:#fff #999 #999 #fff;height:54px;text-align:center;"
        f"font:bold 22px/54px Tahoma,sans-serif'>{k}</div>"
        for k in "789/456*123-0.=+"
    )
    + "</div>",
    "sudoku": "<div style='display:grid;grid-template-columns:repeat(9,40px);gap:1px;background:#333;width:368px'>"
    + "".join(
        f"<div style='background:#fff;height:40px;text-align:center;font:24px/40px sans-serif'>"
        f"{(i * 5 + i // 9 * 2) % 9 + 1 if i % 3 else ''}</div>"
        for i in range(81)
    )
    + "</div>",
    "chess": "<div style='display:grid;grid-template-columns:repeat(8,60px);width:480px'>"
    + "".join(
        f"<div style='background:{'#b58863' if (i // 8 + i) % 2 else '#f0d9b5'};height:60px'></div>" for i in range(64)
    )
    + "</div>",
    "tiles": "<div style='display:grid;grid-template-columns:repeat(10,31px)'>"
    + "<div style='background:#ccc;border:3px outset #eee;width:25px;height:25px'></div>" * 60
    + "</div>",
    "white": "",
    "dark": "<style>body{background:#222;color:#ddd}</style><pre>"
    + "".join(f"{i:04d}  mov r{i % 8}, [r{i % 5} + {i * 4}]\n" for i in range(60))
    + "</pre>",
}


def take_all(shots: Sequence[Shot], folder: Path, *, hidden_ok: bool = False) -> int:
    """Photographs all, and returns how many pictures were written. Every scale and zoom has a browser of its own: a
    scale that is only pretended sets boxes on other pixels than a real one."""
    count = 0
    for rendering, ratio, zoom in sorted({(s.rendering, s.ratio, s.zoom) for s in shots}):
        with tempfile.TemporaryDirectory(prefix="autosolve-fonts-") as scratch:
            env = {**os.environ, "FONTCONFIG_FILE": str(fontconfig(Path(scratch), rendering))}
            flags = [] if rendering == "lcd" else ["--disable-lcd-text"]
            with Chromium.start(env=env, flags=flags, scale=ratio, zoom=zoom) as browser:
                # the player allows no style but its own
                browser.command("Page.setBypassCSP", enabled=True)
                for shot in shots:
                    if (shot.rendering, shot.ratio, shot.zoom) != (rendering, ratio, zoom):
                        continue
                    if take(browser, shot, folder, Path(scratch), hidden_ok=hidden_ok):
                        count += 1
                    else:
                        print(f"does not fit its window: {shot.name}", file=sys.stderr)
    return count


def take_pages(folder: Path) -> int:
    """Photographs pages without any board: no .txt beside them."""
    folder.mkdir(parents=True, exist_ok=True)
    with Chromium.start() as browser:
        for ratio in (1, 1.5):
            browser.metrics(round(1280 / ratio), round(900 / ratio), ratio)
            for name, html in PAGES_WITHOUT_BOARD.items():
                browser.open("about:blank")
                browser.js(f"document.write({json.dumps('<!DOCTYPE html><body>' + html)}); document.close()")
                browser.settle()
                browser.screenshot(folder / f"none-{name}-{ratio:g}.png")
    return 2 * len(PAGES_WITHOUT_BOARD)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", choices=["tuning", "negatives", "golden"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="only pictures whose name holds this")
    asked = parser.parse_args()
    start = time.monotonic()
    if asked.set == "tuning":
        count = take_all([s for s in tuning() if asked.only in s.name], asked.folder)
        count += take_all([s for s in player_tuning() if asked.only in s.name], asked.folder / "player")
        count += take_all([s for s in mosaic_tuning() if asked.only in s.name], asked.folder / "mosaic")
        for site in ("puzzle-minesweeper", "local-player"):
            shots = [s for s in zoomed() if asked.only in s.name and s.site == site]
            count += take_all(shots, asked.folder / "zoomed" / site)
    elif asked.set == "negatives":
        count = take_all([s for s in negatives() if asked.only in s.name], asked.folder, hidden_ok=True)
        count += 0 if asked.only else take_pages(asked.folder)
    else:
        count = 0
        shots = [s for s in (*golden(), *mosaic_tuning(0.3)) if asked.only in s.name]
        hard = [s for s in negatives() if asked.only in s.name and s.name in GOLDEN_HARD]
        for site in ("puzzle-minesweeper", "local-player", "mosaic"):
            count += take_all([s for s in shots if s.site == site], asked.folder / site)
        count += take_all(hard, asked.folder / "puzzle-minesweeper" / "hidden", hidden_ok=True)
    print(f"{count} pictures in {asked.folder} ({time.monotonic() - start:.0f} s)")


if __name__ == "__main__":
    main()
