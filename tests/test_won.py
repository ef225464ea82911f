"""Games that were won, their flags drawn in ways nobody knows: nothing is left by which covered cells could be told."""

from __future__ import annotations

import random
from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from autosolve.board.shape import Shape
from autosolve.errors import BoardNotFound
from autosolve.vision import position
from autosolve.vision.frame import Frame
from autosolve.vision.profile import Profile, Symbol, load, site_folders
from autosolve.vision.read import Reading, read

SITES: list[Profile] = [load(name) for name in site_folders()]
Picture = npt.NDArray[np.uint8]
Sign = Callable[[Picture], None]


def won(shape: Shape, mines: int, seed: int) -> list[str]:
    """A game in which every cell without a mine is open and every mine has a flag, as board text."""
    mined = set(random.Random(seed).sample(range(shape.size), mines))
    count = {c: sum(shape.neighbours(c) >> m & 1 for m in mined) for c in range(shape.size)}
    flat = ["F" if c in mined else str(count[c]) for c in range(shape.size)]
    return ["".join(flat[r * shape.cols : (r + 1) * shape.cols]) for r in range(shape.rows)]


def _letter(char: str, colour: tuple[int, int, int] = (20, 20, 20)) -> Sign:
    def draw(cell: Picture) -> None:
        size = cell.shape[0]
        face, scale, thick = cv2.FONT_HERSHEY_DUPLEX, size / 40, 2
        (w, h), _ = cv2.getTextSize(char, face, scale, thick)
        cv2.putText(cell, char, ((size - w) // 2, (size + h) // 2), face, scale, colour, thick, cv2.LINE_AA)

    return draw


def _shape(points: list[tuple[float, float]], colour: tuple[int, int, int]) -> Sign:
    def draw(cell: Picture) -> None:
        corners = np.array([(round(x * cell.shape[1] * 16), round(y * cell.shape[0] * 16)) for x, y in points])
        cv2.fillPoly(cell, [corners.astype(np.int32)], colour, cv2.LINE_AA, 4)

    return draw


_TURNS = np.linspace(-np.pi / 2, 1.5 * np.pi, 11)[:-1]
STAR = [(0.5 + r * np.cos(t), 0.5 + r * np.sin(t)) for t, r in zip(_TURNS, [0.22, 0.09] * 5, strict=True)]
HEART = [(0.5, 0.76), (0.26, 0.5), (0.26, 0.36), (0.38, 0.29), (0.5, 0.4), (0.62, 0.29), (0.74, 0.36), (0.74, 0.5)]
SIGNS: dict[str, Sign] = {
    "!": _letter("!"),
    "M": _letter("M"),
    "X": _letter("X"),
    "star": _shape(STAR, (50, 50, 50)),
    "heart": _shape(HEART, (40, 40, 210)),
}


def page(rows: list[str], sign: Sign, raised: bool, pitch: int = 36) -> Frame:
    """A page of buttons: opened ones are flat and grey, those with a flag shaded from top to bottom, or ``raised``."""
    high, wide = len(rows), len(rows[0])
    pixels = np.full((high * pitch + 120, wide * pitch + 90, 3), 242, np.uint8)
    for r, row in enumerate(rows):
        for c, char in enumerate(row):
            cell = np.full((pitch, pitch, 3), 238, np.uint8)
            if char == "F":
                if raised:
                    cell[:] = 225
                    cell[:3], cell[:, :3], cell[-3:], cell[:, -3:] = 250, 250, 160, 160
                else:
                    cell[:] = np.linspace(255, 205, pitch)[:, None, None].astype(np.uint8)
                sign(cell)
            elif char != "0":
                _letter(char, (150, 150, 150))(cell)
            cv2.rectangle(cell, (0, 0), (pitch - 1, pitch - 1), (205, 205, 205), 1)
            y, x = 70 + r * pitch, 40 + c * pitch
            pixels[y : y + pitch, x : x + pitch] = cell
    return Frame(pixels)


def told(reading: Reading, rows: list[str], pitch: int = 36) -> list[tuple[str, str]]:
    """What was told wrongly, as (truth, told), by where the cells lie."""
    out = []
    for cell, symbol in enumerate(reading.symbols):
        centre = reading.grid.centre(cell)
        r, c = int((centre.y - 70) // pitch), int((centre.x - 40) // pitch)
        inside = 0 <= r < len(rows) and 0 <= c < len(rows[0])
        truth = rows[r][c] if inside else "no cell"
        if cell not in reading.doubts and symbol.char != truth:
            out.append((truth, symbol.char))
    return out


@pytest.mark.parametrize("raised", [True, False])
@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_won_game_with_flags_of_any_kind_gives_nothing_wrong(sign: str, raised: bool, seed: int) -> None:
    """Its blanks are no covered cells, and its flags neither mines nor plain."""
    rows = won(Shape(10, 13), 20, seed)
    try:
        reading = read(page(rows, SIGNS[sign], raised), SITES)
    except BoardNotFound:
        return
    assert told(reading, rows) == []


def test_a_sudoku_is_no_mosaic() -> None:
    """Drawn in the very cells of the site, its digits count more than there is around them."""
    dice, site = random.Random(3), load("mosaic")
    looks = {s: [t.pixels for t in some if t.look == ""] for s, some in site.templates.items()}
    looks = {s: some or [site.templates[s][0].pixels] for s, some in looks.items()}
    side = looks[Symbol.COVERED][0].shape[0]
    rows = [[(3 * (r % 3) + r // 3 + c) % 9 + 1 for c in range(9)] for r in range(9)]
    cells = [
        [looks[Symbol(str(d)) if dice.random() < 0.45 else Symbol.COVERED][0][:side, :side] for d in row]
        for row in rows
    ]
    board = np.vstack([np.hstack(line) for line in cells])
    board = cv2.copyMakeBorder(board, 3, 3, 3, 3, cv2.BORDER_CONSTANT, value=(102, 102, 102))
    pixels = cv2.copyMakeBorder(board, 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=(255, 255, 255))
    reading = read(Frame(np.asarray(pixels, np.uint8)), [site])
    assert reading.grid.shape == Shape(9, 9)
    assert len(reading.doubts) == reading.grid.shape.size


def of(rows: list[str]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], tuple[int, int]]:
    """The digits, blanks and signs of a board in board text."""
    flat = np.array(list("".join(rows)))
    number = np.array([int(c) if c.isdigit() else -1 for c in flat])
    return number, flat == ".", flat == "F", (len(rows), len(rows[0]))


def test_what_a_won_game_is() -> None:
    rows = [row.replace("0", ".") for row in won(Shape(9, 11), 14, 5)]
    assert position.won(*of(rows))
    one_off = rows.copy()
    at = next(c for c, s in enumerate(rows[4]) if s in "12")
    one_off[4] = rows[4][:at] + "?" + rows[4][at + 1 :]
    assert position.won(*of(one_off))  # a cell that cannot be told says nothing against it
    puzzle = [row.replace("1", ".") for row in rows]  # a puzzle solved: cells without mines are covered too
    assert not position.won(*of(puzzle))
    assert not position.won(*of([row.replace("F", ".") for row in rows]))


def test_a_digit_cannot_count_more_than_there_is() -> None:
    number = of(["4.6.4", "..9..", "4...4"])[0]
    assert position.impossible(number, (3, 5), own=True) == 0
    assert position.impossible(number, (3, 5), own=False) == 6
