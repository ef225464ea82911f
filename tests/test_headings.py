"""Lines beside a board that are drawn like its cells: headings, a counter, a palette. They are none of the board's."""

from __future__ import annotations

import random

import numpy as np
import pytest
from skins import LOOKS, paint

from autosolve.board.shape import Cell, Shape
from autosolve.vision.extent import shorter
from autosolve.vision.frame import Frame
from autosolve.vision.grid import Grid
from autosolve.vision.profile import Profile, load, site_folders
from autosolve.vision.read import read

SITES: list[Profile] = [load(name) for name in site_folders()]
PITCH, MARGIN = 32, 40


def game(rows: int, cols: int, seed: int) -> list[str]:
    """A game of which a good part is open, as board text; half of the mines beside what is open have a flag."""
    dice, shape = random.Random(seed), Shape(rows, cols)
    mined = set(dice.sample(range(shape.size), shape.size // 7))
    count = {c: sum(shape.neighbours(Cell(c)) >> m & 1 for m in mined) for c in range(shape.size)}
    opened = {c for c in range(shape.size) if c not in mined and c % cols < 2 * cols // 3}
    while more := {
        n
        for c in opened
        if count[c] == 0
        for n in range(shape.size)
        if shape.neighbours(Cell(c)) >> n & 1 and n not in opened
    }:
        opened |= more
    flagged = {m for m in mined if any(shape.neighbours(Cell(m)) >> c & 1 for c in opened) and dice.random() < 0.5}
    flat = [str(count[c]) if c in opened else "F" if c in flagged else "." for c in range(shape.size)]
    return ["".join(flat[r * cols : (r + 1) * cols]) for r in range(rows)]


def beside(rows: list[str], where: str) -> tuple[list[str], int, int]:
    """A board with lines beside it, and how many of its own are above and before it."""
    numbers = "12345678"
    top, left = [numbers[: len(rows[0])]], [*numbers, *numbers]
    if where == "top":
        return top + rows, 1, 0
    if where == "left":
        return [n + row for n, row in zip(left, rows, strict=False)], 0, 1
    if where == "both":
        return ["0" + top[0], *(n + row for n, row in zip(left, rows, strict=False))], 1, 1
    if where == "counter":
        return ["01" + "0" * (len(rows[0]) - 4) + "42", *rows], 1, 0
    return rows + top, 0, 0  # a palette


@pytest.mark.parametrize("where", ["top", "left", "both", "counter", "palette"])
@pytest.mark.parametrize("name", ["dark", "tiles", "lawn", "bevelled"])
def test_lines_beside_a_board_are_none_of_its_own(name: str, where: str) -> None:
    for seed, (high, wide) in enumerate(((9, 8), (12, 8))):
        rows = game(high, wide, 2 * seed)
        shown, above, before = beside(rows, where)
        frame = Frame(paint(shown, LOOKS[name], PITCH, MARGIN))
        reading = read(frame, SITES)
        for cell in range(reading.grid.shape.size):
            if cell in reading.doubts:
                continue
            at = reading.grid.centre(cell)
            row, col = (at.y - MARGIN) / PITCH - above, (at.x - MARGIN) / PITCH - before
            assert 0 < row < high and 0 < col < wide
            assert reading.symbols[cell].char == rows[int(row)][int(col)]
        assert reading.grid.shape == Shape(high, wide) or reading.grid.cut
        assert len(reading.doubts) <= 0.15 * high * wide
        if seed == 0:  # what is known of the lattice holds when it is read again
            again = read(frame, reading.profile, grid=reading.grid)
            assert again.text == reading.text and again.grid.cut == reading.grid.cut


def test_a_lattice_may_lose_a_line_at_some_sides() -> None:
    grid = Grid(Shape(4, 6), 10.0, 20.0, 30.0, 40.0)
    found = {tuple(sorted(sides)): less for sides, less in shorter(grid)}
    assert len(found) == 9 and [len(sides) for sides in found] == [1] * 4 + [2] * 5  # too few rows for one at each side
    less = found[("left", "top")]
    assert (less.shape, less.left, less.top) == (Shape(3, 5), 40.0, 60.0)
    assert found[("bottom",)].top == 20.0 and found[("bottom",)].shape == Shape(3, 6)
    assert all(min(less.shape.rows, less.shape.cols) >= 3 for _, less in shorter(Grid(Shape(3, 3), 0, 0, 9, 9)))


@pytest.mark.parametrize("name", ["tiles", "dark", "night"])
def test_two_boards_a_cell_apart_are_two(name: str) -> None:
    """And neither says anything of the cells of the other, or ends for sure where the other may be the rest of it."""
    look = LOOKS[name]
    boards = [game(9, 8, 0), game(9, 8, 3)]
    one, other = (paint(rows, look, PITCH, MARGIN) for rows in boards)
    wide = 8 * PITCH
    picture = np.full((one.shape[0], one.shape[1] + wide + PITCH, 3), look.page, np.uint8)
    picture[:, : one.shape[1]] = one
    picture[:, MARGIN + wide + PITCH : MARGIN + 2 * wide + PITCH] = other[:, MARGIN : MARGIN + wide]
    reading = read(Frame(picture), SITES)
    second = reading.grid.left > MARGIN + wide
    rows = boards[second]
    assert reading.grid.shape == Shape(9, 8) and len(reading.others) == 1
    assert reading.grid.cut == {"left" if second else "right"}
    wrong = [c for c, s in enumerate(reading.symbols) if c not in reading.doubts and s.char != rows[c // 8][c % 8]]
    assert not wrong and len(reading.doubts) <= 9
    # a bar in another colour hides a part of one board
    bar = np.array(one)
    bar[MARGIN + 4 * PITCH : MARGIN + 5 * PITCH] = (60, 90, 130)
    reading = read(Frame(bar), SITES)
    assert reading.grid.shape == Shape(9, 8) or reading.grid.cut
    assert not any(c not in reading.doubts for c in range(32, 40) if reading.grid.shape == Shape(9, 8))
