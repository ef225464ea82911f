"""The reader of looks nobody prepared: painted ones, real ones, and what must not be read."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from autosolve.board.shape import Shape
from autosolve.clicks.second import doubted
from autosolve.errors import BoardNotFound
from autosolve.vision import cells, extent, grid, position, skin, twins
from autosolve.vision.frame import Frame, Point
from autosolve.vision.profile import Profile, Symbol, builtin_folder, load, site_folders
from autosolve.vision.read import Reading, read
from autosolve.vision.shapes import shapes
from tests.skins import CLASSIC, LOOKS, WIDE, Look, paint

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"
SITES: list[Profile] = [load(name) for name in site_folders()]
BY_LOOK = [p for p in SITES if p.reader == "skin"]

# as in skins.WIDE, narrow
TALL = ["....", "....", "113.", "0011", "0000", "0000", "0000", "1110", "..10", "F.10", "..11", "..F.", "...."]


def shown(reading: Reading) -> list[str]:
    return reading.text


@pytest.mark.parametrize("pitch", [20, 32, 47])
@pytest.mark.parametrize("name", list(LOOKS))
def test_any_look_at_any_zoom(name: str, pitch: int) -> None:
    rows = WIDE
    reading = read(Frame(paint(rows, LOOKS[name], pitch)), BY_LOOK)
    assert shown(reading) == rows, reading.doubts
    assert not reading.doubts
    assert not reading.grid.cut


def test_a_board_that_is_narrow() -> None:
    reading = read(Frame(paint(TALL, LOOKS["bevelled"], 28)), BY_LOOK)
    assert (reading.grid.shape.rows, reading.grid.shape.cols) == (13, 4)
    assert shown(reading) == TALL


def test_a_fresh_board_is_covered_only_when_its_cells_are_raised_or_known() -> None:
    fresh = ["." * 9] * 7
    for name in ("bevelled", "lawn"):
        assert shown(read(Frame(paint(fresh, LOOKS[name], 30)), BY_LOOK)) == fresh
    with pytest.raises(BoardNotFound):  # squares of one colour may be anything, a calendar or a table
        read(Frame(paint(fresh, LOOKS["tiles"], 30)), BY_LOOK)


def test_blanks_of_a_puzzle_that_shows_all_clues_are_covered() -> None:
    # one ground for digits and blanks: opened, the blanks would leave the digits without mines
    look = Look(((225, 225, 225),), ((225, 225, 225),), (255, 255, 255), (120, 120, 120))
    rows = ["1.2.1", ".3.2.", "2.3.2", ".2.1.", "1.1.1", ".1.1."]
    assert shown(read(Frame(paint(rows, look, 34)), BY_LOOK)) == rows


@pytest.mark.parametrize("colour", [(255, 255, 255), (192, 192, 192), (60, 60, 60), (240, 240, 240)])
def test_nothing_under_a_window_is_told(colour: tuple[int, int, int]) -> None:
    rows = WIDE
    picture = paint(rows, LOOKS["bevelled"], 32)
    box = (150, 90, 150, 90)  # x, y, width, height
    cv2.rectangle(picture, box[:2], (box[0] + box[2], box[1] + box[3]), colour, -1)
    cv2.rectangle(picture, box[:2], (box[0] + box[2], box[1] + 12), (200, 120, 40), -1)
    cv2.putText(picture, "Save it? 1 2 3", (158, 140), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (0, 0, 0), 1, cv2.LINE_AA)
    try:
        reading = read(Frame(picture), BY_LOOK)
    except BoardNotFound:
        return
    for cell in range(reading.grid.shape.size):
        if cell in reading.doubts:
            continue
        at = reading.grid.centre(cell)
        inside = box[0] + 8 < at.x < box[0] + box[2] - 8 and box[1] + 8 < at.y < box[1] + box[3] - 8
        assert not inside  # by more than a quarter of a cell
        row, col = int((at.y - 40) // 32), int((at.x - 40) // 32)
        assert reading.symbols[cell].value == rows[row][col]


def test_a_digit_at_the_edge_that_lacks_cells_says_that_the_board_goes_on() -> None:
    picture = paint(WIDE, LOOKS["bevelled"], 32)
    cut = np.ascontiguousarray(picture[:, : 40 + 32 * 12])  # at the very line between two cells, through the digits 1
    reading = read(Frame(cut), BY_LOOK)
    assert reading.grid.shape.cols == 12
    assert reading.grid.cut == {"right"}
    assert not read(Frame(picture), BY_LOOK).grid.cut


# ---------------------------------------------------------------- parts


def test_hands_tell_their_own_digits() -> None:
    known = shapes(32)
    for digit in range(1, 9):
        likeness = np.einsum("hd,gkd->hgk", known.digits[:, digit], known.digits[:, 1:9]).max(1)
        assert (likeness.argmax(1) + 1 == digit).all()


def test_grounds_of_one_colour_are_told_apart_by_their_bevel() -> None:
    rows = ["....", ".110", ".100", ".100"]
    picture = paint(rows, LOOKS["bevelled"], 32)
    from autosolve.vision.cells import normalise

    stack = normalise(picture, 40, 40, 32, 32, 4, 4)
    ground = skin.grounds(stack)
    raised = np.array([c == "." for r in rows for c in r])
    assert len(set(ground.kind[raised])) == 1
    assert not set(ground.kind[raised]) & set(ground.kind[~raised])


def test_a_lattice_settles_on_the_cells_edges() -> None:
    picture = paint(WIDE, LOOKS["bevelled"], 32)
    off = grid.Grid(grid.Shape(8, 16), 40.9, 39.2, 31.95, 32.04)
    placed = grid.settled(Frame(picture), off)
    assert placed.left == pytest.approx(40, abs=0.45)
    assert placed.pitch_x == pytest.approx(32, abs=0.03)
    assert placed.top == pytest.approx(40, abs=0.45)
    scaled = grid.settled(Frame(picture, Point(-100, 50), 2.0), grid.Grid(grid.Shape(8, 16), -79.6, 69.6, 15.98, 16.02))
    assert scaled.left == pytest.approx(-80, abs=0.25)


def test_a_board_reaches_as_far_as_its_cells() -> None:
    picture = paint(WIDE, LOOKS["bevelled"], 32)
    part = grid.Grid(grid.Shape(6, 14), 40 + 64, 40, 32, 32)
    grown = extent.fitted(Frame(picture), part)
    assert (grown.shape.rows, grown.shape.cols) == (8, 16)
    assert (grown.left, grown.top) == (40, 40)
    wide = grid.Grid(grid.Shape(9, 16), 40, 40 - 32, 32, 32)  # one line of page above
    assert extent.fitted(Frame(picture), wide).top == pytest.approx(40)


@pytest.mark.parametrize("pitch", [24, 37])
def test_a_board_whose_opened_cells_are_the_page_ends_with_its_tiles(pitch: int) -> None:
    look = Look(((192, 107, 92),), ((255, 255, 255),), (255, 255, 255), (255, 255, 255))
    board = paint(WIDE, look, pitch)
    page = np.full((900, 1400, 3), 255, np.uint8)
    page[200 : 200 + board.shape[0], 100 : 100 + board.shape[1]] = board
    cv2.putText(page, "Minesweeper", (140, 190), cv2.FONT_HERSHEY_DUPLEX, 1.2, (0, 0, 0), 2, cv2.LINE_AA)
    part = grid.Grid(grid.Shape(6, 12), 140 + 2 * pitch, 240 + pitch, pitch, pitch)
    grown = extent.fitted(Frame(page), part)
    assert (grown.shape.rows, grown.shape.cols) == (8, 16)
    assert (grown.left, grown.top) == (140, 240)
    assert shown(read(Frame(page), BY_LOOK)) == WIDE


@pytest.mark.parametrize("pitch", [27, 36, 48])
def test_the_outermost_cells_have_no_neighbour_beyond(pitch: int) -> None:
    rows = [row.replace("F", ".") for row in FLAGGED]  # opened along the left and the bottom
    # every cell draws its own line, so that two lie side by side but for the board's edge
    picture = np.full((80 + len(rows) * pitch, 80 + len(rows[0]) * pitch, 3), 255, np.uint8)
    for r, row in enumerate(rows):
        for c, char in enumerate(row):
            cell = picture[40 + r * pitch : 40 + (r + 1) * pitch, 40 + c * pitch : 40 + (c + 1) * pitch]
            cell[:] = (205, 201, 199)
            cell[2:-2, 2:-2] = (219, 213, 209) if char == "." else (255, 255, 255)
            if char in "12345678":
                spot = paint([char], replace(LOOKS["tiles"], line=None), pitch, 0)
                ink = np.abs(spot.astype(int) - LOOKS["tiles"].opened[0]).max(2) > 60
                cell[ink] = CLASSIC[int(char) - 1]
    some = grid.Grid(grid.Shape(6, 9), 40 + 3 * pitch, 40 + pitch, pitch, pitch)
    grown = extent.fitted(Frame(picture), some)
    assert (grown.shape.rows, grown.shape.cols, grown.left, grown.top) == (len(rows), len(rows[0]), 40, 40)


@pytest.mark.parametrize(("pitch", "frame"), [(32, 10), (44, 8), (25, 12)])
def test_the_frame_in_the_colour_of_opened_cells_is_no_line_of_them(pitch: int, frame: int) -> None:
    look = replace(LOOKS["bevelled"], opened=((119, 119, 119),), line=None)
    rows = FLAGGED
    picture = paint(rows, look, pitch)
    board = picture[40:-40, 40:-40].copy()
    picture[40 - frame : frame - 40, 40 - frame : frame - 40] = look.opened[0]
    picture[40:-40, 40:-40] = board
    some = grid.Grid(grid.Shape(6, 9), 40 + 3 * pitch, 40 + pitch, pitch, pitch)
    grown = extent.fitted(Frame(picture), some)
    assert (grown.shape.rows, grown.shape.cols, grown.left, grown.top) == (len(rows), len(rows[0]), 40, 40)


@pytest.mark.parametrize("pitch", [34, 45])
def test_digits_on_the_bare_page_belong_to_the_board_and_a_heading_does_not(pitch: int) -> None:
    height, width, inner = 7, 9, ((2, 2), (2, 4), (2, 6), (4, 2), (4, 4))
    mined = {(r, c) for r in (1, 5) for c in range(1, 8, 2)} | {(3, 1), (3, 7)}
    rows = []  # the outermost cells are opened, all of which see mines, and some within
    for r in range(height):
        clues = [sum(max(abs(r - i), abs(c - j)) == 1 for i, j in mined) for c in range(width)]
        within = [0 < r < height - 1 and 0 < c < width - 1 and (r, c) not in inner for c in range(width)]
        rows.append("".join("." if hidden else str(n) for hidden, n in zip(within, clues, strict=True)))
    look = replace(LOOKS["tiles"], opened=((250, 250, 250),), line=None)
    picture = paint(rows, look, pitch, 3 * pitch)
    for r, row in enumerate(rows):  # tiles apart from each other
        for c in (c for c, char in enumerate(row) if char in ".F"):
            y, x = (3 + r) * pitch, (3 + c) * pitch
            picture[y : y + 2, x : x + pitch] = picture[y : y + pitch, x : x + 2] = 250
    cv2.putText(
        picture, "Mines: 10   Time: 042", (3 * pitch, 3 * pitch - 12), cv2.FONT_HERSHEY_DUPLEX, 0.6, (0, 0, 0), 1
    )
    some = grid.Grid(grid.Shape(5, 7), 4 * pitch, 4 * pitch, pitch, pitch)
    grown = extent.fitted(Frame(picture), some)
    assert (grown.shape.rows, grown.shape.cols) == (height, width)
    assert (grown.left, grown.top) == (3 * pitch, 3 * pitch)


@pytest.mark.parametrize("pitch", [30, 44])
def test_flat_cells_without_lines_do_not_run_on_over_a_page_of_their_colour(pitch: int) -> None:
    look = Look(((246, 244, 243), (235, 231, 229)), ((255, 255, 255),), (255, 255, 255))
    board = paint(FLAGGED, look, pitch)
    page = np.full((900, 1300, 3), 255, np.uint8)
    page[100 : 100 + board.shape[0], 100 : 100 + board.shape[1]] = board
    some = grid.Grid(grid.Shape(8, 13), 140 + pitch, 140, pitch, pitch)
    grown = extent.fitted(Frame(page), some)
    assert grown.shape.rows <= len(FLAGGED) and grown.shape.cols <= len(FLAGGED[0])
    try:
        reading = read(Frame(page), BY_LOOK)
    except BoardNotFound:
        return
    for cell, symbol in enumerate(reading.symbols):
        at = reading.grid.centre(cell)
        row, col = int((at.y - 140) // pitch), int((at.x - 140) // pitch)
        inside = 0 <= row < len(FLAGGED) and 0 <= col < len(FLAGGED[0])
        assert cell in reading.doubts or (inside and symbol.value == FLAGGED[row][col])


def test_a_ground_with_faint_lines_on_all_sides_is_the_boards_own() -> None:
    # every digit has a body of its own, so that no opened blank shows what belongs to the board but its lines
    picture = paint(WIDE, Look(((139, 125, 96),), ((241, 239, 236),), (255, 255, 255), (255, 255, 255)), 40)
    for r, row in enumerate(WIDE):
        for c, char in enumerate(row):
            if char in "123":
                cell = picture[40 + 40 * r : 80 + 40 * r, 40 + 40 * c : 80 + 40 * c]
                cell[(cell == (241, 239, 236)).all(2)] = {"1": (196, 249, 255), "2": (130, 224, 255)}.get(
                    char, (77, 183, 255)
                )
    for k in range(17):
        picture[:, 40 * (k + 1) : 40 * (k + 1) + 2] = 255
    for k in range(9):
        picture[40 * (k + 1) : 40 * (k + 1) + 2] = 255
    reading = read(Frame(picture), BY_LOOK)
    assert shown(reading) == WIDE
    assert not reading.doubts


def test_covered_cells_that_lie_apart_are_one_board() -> None:
    rows = [
        "..1000001..",
        "111000001..",
        "00000000111",
        "00000000000",
        "01110000000",
        "01.10000000",
        "11211000011",
        "..100000 1.",
        "..1000001..",
    ]
    rows = [row.replace(" ", "0")[:11] for row in rows]
    look = Look(((150, 110, 70),), ((220, 215, 205),), (120, 120, 120), None, 2)
    picture = paint(rows, look, 32)
    found = grid.lattices(Frame(picture))
    assert [(g.shape.rows, g.shape.cols) for g in found] == [(9, 11)]
    assert (found[0].left, found[0].top) == (pytest.approx(40, abs=1), pytest.approx(40, abs=1))


def test_clues_that_cannot_all_be_true_are_doubtful() -> None:
    rows = ["000000", "011100", "01.100", "011211", "0001..", "0001.."]
    reading = read(Frame(paint(rows, LOOKS["bevelled"], 32)), BY_LOOK)
    assert not doubted(reading).doubts
    symbols = list(reading.symbols)
    symbols[7] = Symbol.CLUE_2  # as if the 1 at r2c2 had been misread
    wrong = Reading(
        reading.frame, reading.grid, reading.profile, tuple(symbols), reading.scores, reading.margins, reading.doubts
    )
    told = doubted(wrong)
    assert 7 in told.doubts
    assert "r2c2" in told.doubts[7]
    assert told.symbols == wrong.symbols  # nothing is changed silently


# ---------------------------------------------------------------- signs nobody has seen

# a game half played: its flags stand on mines, and are fewer than those
FLAGGED = [
    "0000001.......",
    "0000002F......",
    "1100002F3.....",
    "F100001112F...",
    "110000000112F.",
    "00000011100111",
    "0111001F100000",
    "01F10011100111",
    "011100000001F1",
]


def hearts(rows: list[str], on: str, look: Look = LOOKS["bevelled"], pitch: int = 32) -> np.ndarray:
    """A board that shows a heart, which stands for nothing known, in the cells marked ``on``; those are covered."""
    picture = paint(["".join("." if c in on else c for c in row) for row in rows], look, pitch)
    for r, row in enumerate(rows):
        for c in (c for c, char in enumerate(row) if char in on):
            x, y, n = 40 + c * pitch, 40 + r * pitch, pitch / 32
            for dx in (12, 20):
                cv2.circle(picture, (round(x + dx * n), round(y + 13 * n)), round(4 * n), (30, 30, 30), -1, cv2.LINE_AA)
            drop = np.array([(x + 8 * n, y + 15 * n), (x + 24 * n, y + 15 * n), (x + 16 * n, y + 25 * n)])
            cv2.fillPoly(picture, [drop.round().astype(np.int32)], (30, 30, 30), cv2.LINE_AA)
    return picture


@pytest.mark.parametrize(("name", "pitch"), [("bevelled", 32), ("tiles", 26), ("lawn", 41)])
def test_a_sign_that_stands_on_mines_alone_is_a_flag(name: str, pitch: int) -> None:
    reading = read(Frame(hearts(FLAGGED, "F", LOOKS[name], pitch)), BY_LOOK)
    assert shown(reading) == FLAGGED
    assert not reading.doubts


def test_a_sign_on_every_mine_may_be_the_mines_of_a_lost_game() -> None:
    rows = ["00000000000", "01110001110", "01F10001F10", "01110001110", "00000000000", "00111000000", "001F1000000"]
    reading = read(Frame(hearts(rows, "F")), BY_LOOK)
    assert {c for c, char in enumerate("".join(rows)) if char == "F"} <= set(reading.doubts)


# a game lost: every mine is shown
LOST = [
    "011100000000",
    "01*210001110",
    "012*10001*10",
    "001110012210",
    "00000001*100",
    "111000011100",
    "1*1001110000",
    "111001*10111",
    "0000011101*1",
    "000000000111",
    "000000000000",
]


def test_a_sign_that_every_digit_counts_is_the_mines_of_a_lost_game() -> None:
    flat = "".join(LOST)
    number = np.array([int(c) if c.isdigit() else -1 for c in flat])
    signs, whole = number < 0, np.ones(len(flat), bool)
    told = [None if c == "*" else Symbol(c) for c in flat]
    shape, group = (len(LOST), len(LOST[0])), np.where(signs, 0, -1)
    board = position.Board(shape, whole, told, number, group, np.array([[1.0, 0.0]], np.float32))
    assert position.mines(board, signs, whole) == [i for i, c in enumerate(flat) if c == "*"]
    number[flat.index("2")] = 1  # a digit that counts fewer: the sign stands for something else
    assert not position.mines(board, signs, whole)


def test_a_sign_where_no_mine_can_be_is_no_flag() -> None:
    rows = [list(row) for row in FLAGGED]
    rows[0][7] = "F"  # the digits beside it have their mines
    rows[0][8] = rows[1][9] = "F"
    reading = read(Frame(hearts(["".join(row) for row in rows], "F")), BY_LOOK)
    assert {c for c, char in enumerate("".join(map("".join, rows))) if char == "F"} <= set(reading.doubts)


@pytest.mark.parametrize("char", ["F", "P"])
def test_a_letter_may_stand_for_a_flag(char: str) -> None:
    picture = paint([row.replace("F", ".") for row in WIDE], LOOKS["bevelled"], 32)
    (w, h), _ = cv2.getTextSize(char, cv2.FONT_HERSHEY_DUPLEX, 0.75, 2)
    at = [(r, c) for r, row in enumerate(WIDE) for c, mark in enumerate(row) if mark == "F"]
    for r, c in at:
        corner = (40 + 32 * c + (32 - w) // 2, 40 + 32 * r + (32 + h) // 2)
        cv2.putText(picture, char, corner, cv2.FONT_HERSHEY_DUPLEX, 0.75, (0, 0, 0), 2, cv2.LINE_AA)
    reading = read(Frame(picture), BY_LOOK)
    assert shown(reading) == WIDE
    assert not reading.doubts


@pytest.mark.parametrize("name", ["bevelled", "tiles"])
def test_a_digit_that_stands_for_a_flag_is_no_question_mark(name: str) -> None:
    """A seven has the bow of a question mark; beside real ones too."""
    rows = [row.replace("F", "7") for row in WIDE]
    rows[0] = rows[0].replace("..", "?.", 1)
    picture = paint([row.replace("7", ".").replace("?", ".") for row in rows], LOOKS[name], 32)
    for r, c, char in ((r, c, mark) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark in "7?"):
        (w, h), _ = cv2.getTextSize(char, cv2.FONT_HERSHEY_DUPLEX, 0.75, 2)
        corner = (40 + 32 * c + (32 - w) // 2, 40 + 32 * r + (32 + h) // 2)
        cv2.putText(picture, char, corner, cv2.FONT_HERSHEY_DUPLEX, 0.75, (90, 70, 60), 2, cv2.LINE_AA)
    reading = read(Frame(picture), BY_LOOK)
    sevens = [i for i, char in enumerate("".join(rows)) if char == "7"]
    assert len(sevens) >= 3
    assert not [i for i in sevens if i not in reading.doubts and reading.symbols[i] is not Symbol.FLAG]


def test_ones_that_look_like_flags_are_none() -> None:
    strip = cv2.imread(str(builtin_folder() / "shapes" / "digits.pixel-wide-square.png"), cv2.IMREAD_GRAYSCALE)
    one = cv2.resize(strip[:, 48:96], (40, 40), interpolation=cv2.INTER_AREA)[:, :, None] / 255
    rows = [
        "001......",
        "00123.211",
        "000011100",
        "000000011",
        "01221001.",
        "01..1002.",
        "12321001.",
        "...100011",
        "...100000",
    ]
    picture = paint([row.translate(str.maketrans("12", "00")) for row in rows], LOOKS["bevelled"], 40)
    for r, row in enumerate(rows):
        for c, char in enumerate(row):
            cell = picture[42 + 40 * r : 78 + 40 * r, 42 + 40 * c : 78 + 40 * c]
            if char == "1":
                cell[:] = cell * (1 - one[2:38, 2:38]) + one[2:38, 2:38] * (255, 0, 0)
            elif char in "23":  # as good as filled with ink
                cell[:] = (0, 130, 0) if char == "2" else (14, 14, 250)
                cell[8:12, 4:22] = cell[18:22, 14:32] = 192
    reading = read(Frame(picture), SITES)
    assert reading.grid.shape.size == 81
    for cell, symbol in enumerate(reading.symbols):
        assert cell in reading.doubts or symbol.value == "".join(rows)[cell]


def test_covered_cells_of_another_colour_are_doubtful() -> None:
    picture = paint([row.replace("F", ".") for row in FLAGGED], LOOKS["tiles"], 32)
    body = np.array(LOOKS["tiles"].covered[0])
    for r, row in enumerate(FLAGGED):
        for c in (c for c, char in enumerate(row) if char == "F"):  # a flag may be nothing but a colour
            cell = picture[40 + 32 * r : 72 + 32 * r, 40 + 32 * c : 72 + 32 * c]
            cell[(cell == body).all(2)] = (0, 215, 255)
    reading = read(Frame(picture), BY_LOOK)
    assert set(reading.doubts) == {c for c, char in enumerate("".join(FLAGGED)) if char == "F"}
    assert [row.replace("F", ".") for row in FLAGGED] == shown(reading)


def test_a_mine_that_looks_crossed_out_is_no_plain_mine() -> None:
    def named(mine: list[float], cross: list[float], glyph: list[list[float]]) -> list[Symbol | None]:
        n = len(mine)
        grey = np.full((n, 3), 30, np.float32)
        others = {"disc": [0.5] * n, "mine": mine, "wrong-flag": cross, "flag": [0.3] * n, "question": [0.3] * n}
        names = skin.Names(
            np.full((n, 8), 0.4, np.float32),
            {k: np.array(v, np.float32) for k, v in others.items()},
            np.ones(n, np.int64),
            np.zeros(n, bool),
            np.zeros(n, np.float32),
        )
        sizes = np.array([9, *[1] * (n - 1)])
        drawn = skin.Marks(None, None, np.array(glyph, np.float32), grey, grey, sizes, None)  # type: ignore[arg-type]
        return skin._as_open(names, drawn)[0]

    assert named([0.9], [0.8], [[1, 0]]) == [Symbol.MINE]
    assert named([0.7], [0.85], [[1, 0]]) == [None]
    assert named([0.9, 0.85], [0.8, 0.85], [[1, 0], [0.6, 0.8]]) == [Symbol.MINE, None]  # of another shape
    assert named([0.9, 0.85], [0.8, 0.85], [[1, 0], [1, 0]]) == [Symbol.MINE, Symbol.MINE]


def test_a_lone_crossed_mine_may_be_the_one_that_was_hit() -> None:
    picture = paint(FLAGGED, LOOKS["bevelled"], 32)
    for row, col, crossed in ((6, 7, False), (7, 2, True)):
        cell = picture[40 + 32 * row : 72 + 32 * row, 40 + 32 * col : 72 + 32 * col]
        cell[1:, 1:] = LOOKS["bevelled"].opened[0]
        cell[:1] = cell[:, :1] = 128
        cv2.circle(cell, (16, 16), 8, (20, 20, 20), -1, cv2.LINE_AA)
        for ends in (((16, 5), (16, 27)), ((5, 16), (27, 16))):
            cv2.line(cell, *ends, (20, 20, 20), 3, cv2.LINE_AA)
        for ends in (((5, 5), (27, 27)), ((5, 27), (27, 5))):
            cv2.line(cell, *ends, (0, 0, 255) if crossed else (20, 20, 20), 3, cv2.LINE_AA)
    reading = read(Frame(picture), BY_LOOK)
    assert 7 * 14 + 2 in reading.doubts


def test_a_drawing_that_stands_for_two_things_is_doubtful() -> None:
    def doubted_of(group: list[int], told: list[Symbol | None]) -> list[int]:
        sizes = np.bincount(group)
        seen = skin.Marks(None, np.array(group), np.zeros((len(sizes), 2), np.float32), None, None, sizes, None)  # type: ignore[arg-type]
        return skin._two_things(seen, told)

    flag, one = Symbol.FLAG, Symbol.CLUE_1
    assert doubted_of([0, 0, 0, 0, 1], [flag, flag, flag, one, one]) == [3]
    assert doubted_of([0, 0, 0, 1], [flag, flag, one, one]) == [0, 1, 2]
    assert doubted_of([0, 0, 1, 1], [flag, flag, one, one]) == []


@pytest.mark.parametrize("step", [3, 4, 5, 7, 12])
def test_covered_and_opened_cells_of_nearly_one_colour_are_not_confused(step: int) -> None:
    body = 236 + step
    look = Look(((236, 236, 236),), ((body, body, body),), (255, 255, 255), (200, 200, 200))
    try:
        reading = read(Frame(paint(FLAGGED, look, 32)), BY_LOOK)
    except BoardNotFound:
        return
    for cell, symbol in enumerate(reading.symbols):
        assert cell in reading.doubts or symbol.value == "".join(FLAGGED)[cell]


def test_blanks_fall_into_two_tight_groups_or_do_not() -> None:
    dice = np.random.default_rng(1)
    noise = dice.normal(0, 0.3, 40).astype(np.float32)
    upper = twins.parted(noise + np.where(np.arange(40) < 12, 240, 236).astype(np.float32), 2.5)
    assert upper is not None
    assert np.flatnonzero(upper).tolist() == list(range(12))
    assert twins.parted(noise + 240, 2.5) is None
    assert twins.parted(np.linspace(230, 240, 40, dtype=np.float32), 2.5) is None  # a gradient is one ground


def test_a_code_of_squares_is_no_board() -> None:
    rows = ["8.8.F..8F", "..F8..F..", "F8...8..F", "...F.F8..", "8F...F.F8"]
    with pytest.raises(BoardNotFound):
        read(Frame(paint(rows, LOOKS["bevelled"], 30)), BY_LOOK)


def test_a_small_digit_of_another_hue_is_doubtful() -> None:
    faint = replace(LOOKS["bevelled"], inks=((200, 130, 130), *CLASSIC[1:]))  # blue, mixed with its ground
    picture, red = paint(WIDE, faint, 32), paint(WIDE, replace(faint, inks=((130, 130, 200),) * 8), 32)
    y, x = 40 + 5 * 32, 40 + 6 * 32
    picture[y : y + 32, x : x + 32] = red[y : y + 32, x : x + 32]
    reading = read(Frame(picture), BY_LOOK)
    assert list(reading.doubts) == [5 * 16 + 6]


def test_a_grey_board_is_no_darkened_page_of_a_site() -> None:
    inks = ((220, 3, 29), (220, 3, 109), (220, 3, 188), (164, 3, 220)) * 2
    grey = Look(((172, 170, 172),), ((228, 226, 228),), (240, 240, 240), None, 1, inks)
    reading = read(Frame(paint(WIDE, grey, 32)), SITES)
    assert shown(reading) == WIDE
    assert not reading.doubts


# ---------------------------------------------------------------- real pictures

# Read whole and right, each by the site it is of.
EXACT = (
    "arbiter-01",
    "classicweb-01",
    "coteh-01",
    "desktop-01",
    "gnomemines-01",
    "google-02",
    "google-03",
    "google-05",
    "google-07",
    "kmines-01",
    "linearity-01",
    "metasweeper-01",
    "minesweeperonline-01",
    "minesweeperonline-03",
    "minesweeperonline-04",
    "minesweeperonline-05",
    "minesweeperonline-07",
    "minesweeperonline-08",
    "minesweeperonline-12",
    "msonline-01",
    "msonline-03",
    "mzrg-01",
    "puzzle-01",
    "pygame-02",
    "sgtmines-01",
    "viennasweeper-01",
    "winxp-02",
    "winxp-03",
    "winxp-05",
    "winxp-08",
    "zsakai-01",
    "zsakai-04",
)
DOUBTFUL = ("minesweeperonline-10", "minesweeperx-03", "privacyfriendly-01", "win7-01")


def real(name: str) -> tuple[Frame, dict[str, object], list[str]]:
    file = SHARED / "screens" / f"{name}.json"
    if not file.exists():
        pytest.skip("the shared pictures are not here")
    told = json.loads(file.read_text())
    rows = told["grid"] if isinstance(told["grid"], list) else told["grid"].split("\n")
    return Frame(cv2.imread(str(file.with_suffix(".png")))), told, ["".join(rows).replace("#", ".")]


@pytest.mark.parametrize("name", EXACT)
def test_real_boards_are_read_whole(name: str) -> None:
    frame, told, (truth,) = real(name)
    reading = read(frame, SITES)
    assert (reading.grid.shape.rows, reading.grid.shape.cols) == (told["rows"], told["cols"])
    assert "".join(shown(reading)) == truth
    assert not reading.doubts
    assert not reading.grid.cut


@pytest.mark.parametrize("name", DOUBTFUL)
def test_real_boards_with_doubt_have_no_wrong_cell(name: str) -> None:
    frame, told, (truth,) = real(name)
    reading = read(frame, SITES)
    assert (reading.grid.shape.rows, reading.grid.shape.cols) == (told["rows"], told["cols"])
    wrong = [c for c, s in enumerate(reading.symbols) if c not in reading.doubts and s.value != truth[c]]
    assert not wrong


@pytest.mark.parametrize("scale", [0.8, 1.3, 2.0])
@pytest.mark.parametrize("name", ["winxp-05", "google-05", "minesweeperonline-04"])
def test_scaled_real_boards_have_no_wrong_cell(name: str, scale: float) -> None:
    frame, told, (truth,) = real(name)
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    reading = read(Frame(cv2.resize(frame.pixels, None, fx=scale, fy=scale, interpolation=how)), SITES)
    assert (reading.grid.shape.rows, reading.grid.shape.cols) == (told["rows"], told["cols"])
    wrong = [c for c, s in enumerate(reading.symbols) if c not in reading.doubts and s.value != truth[c]]
    assert not wrong
    assert len(reading.doubts) < 0.1 * len(truth)


def test_further_boards_of_a_picture_are_named() -> None:
    one, two = paint(WIDE, LOOKS["bevelled"], 32), paint(TALL, LOOKS["bevelled"], 28, margin=24)
    tall = max(one.shape[0], two.shape[0])
    page = np.full((tall, one.shape[1] + two.shape[1], 3), LOOKS["bevelled"].page, np.uint8)
    page[: one.shape[0], : one.shape[1]] = one
    page[: two.shape[0], one.shape[1] :] = two
    reading = read(Frame(page), BY_LOOK)
    assert shown(reading) == WIDE
    assert [(g.shape.rows, g.shape.cols) for g in reading.others] == [(13, 4)]


def test_what_cells_are_made_of_is_the_same_in_blocks_and_channel_by_channel() -> None:
    dice = np.random.default_rng(5)
    stack = cv2.blur(dice.integers(0, 256, (300 * cells.T, cells.T, 3), np.uint8), (5, 5)).reshape(
        300, cells.T, cells.T, 3
    )
    body, border = skin.bodies(stack), np.arange(300) % 7
    whole = cells.inks(stack, body, border, floor=0.25)
    for i in (0, 255, 256, 299):
        one = slice(i, i + 1)
        for a, b in zip(whole, cells.inks(stack[one], body[one], border[one], floor=0.25), strict=True):
            assert a[i] == pytest.approx(b[0], abs=1e-3)
    along = np.array([4, 9, 20])
    seen = cells.strips(stack, 2, along)
    assert seen[7, 0, 1] == pytest.approx(stack[7, 1, along].mean(0))  # the second row from the top
    assert seen[7, 3, 0] == pytest.approx(stack[7, along, -1].mean(0))  # the last column
    odd, even = dice.integers(0, 256, (4, 5, 25), np.uint8), dice.integers(0, 256, (4, 24), np.uint8)
    assert (cells.medians(odd) == np.median(odd, axis=-1)).all()
    assert (cells.medians(even) == np.median(even, axis=-1)).all()


def test_a_known_lattice_is_taken_as_it_is() -> None:
    frame = Frame(paint(WIDE, LOOKS["lawn"], 32))
    first = read(frame, BY_LOOK)
    again = read(frame, first.profile, grid=first.grid)
    assert again.grid.box == first.grid.box
    assert again.text == first.text


def test_a_digit_in_the_ink_of_another_is_doubtful() -> None:
    picture, red = paint(WIDE, LOOKS["bevelled"], 32), replace(LOOKS["bevelled"], inks=((0, 0, 255),) * 8)
    other = paint(WIDE, red, 32)
    y, x = 40 + 5 * 32, 40 + 6 * 32  # one of the many digits 1
    picture[y : y + 32, x : x + 32] = other[y : y + 32, x : x + 32]
    reading = read(Frame(picture), BY_LOOK)
    assert list(reading.doubts) == [5 * 16 + 6]


def test_a_nought_is_no_eight() -> None:
    picture = paint(WIDE, LOOKS["bevelled"], 32)
    y, x = 40 + 3 * 32, 40 + 8 * 32  # an opened blank
    cv2.putText(picture, "0", (x + 8, y + 25), cv2.FONT_HERSHEY_DUPLEX, 0.8, (128, 128, 128), 2, cv2.LINE_AA)
    reading = read(Frame(picture), BY_LOOK)
    assert 3 * 16 + 8 in reading.doubts


@pytest.mark.parametrize(("name", "pitch"), [("bevelled", 16), ("lawn", 30)])
def test_a_board_drawn_small_is_found(name: str, pitch: int) -> None:
    small = cv2.resize(paint(WIDE, LOOKS[name], pitch), None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)
    reading = read(Frame(np.asarray(small, np.uint8)), BY_LOOK)
    assert (reading.grid.shape.rows, reading.grid.shape.cols) == (8, 16)
    for cell, symbol in enumerate(reading.symbols):
        assert cell in reading.doubts or symbol.value == "".join(WIDE)[cell]


@pytest.mark.parametrize("name", list(LOOKS))
def test_a_board_of_the_size_that_was_said_is_found(name: str) -> None:
    assert read(Frame(paint(WIDE, LOOKS[name], 29)), SITES, size=Shape(8, 16)).text == WIDE


@pytest.mark.parametrize("size", [(8, 17), (9, 16), (8, 15), (7, 16), (16, 8)])
@pytest.mark.parametrize("name", list(LOOKS))
def test_a_board_of_another_size_than_was_said_is_not_found(name: str, size: tuple[int, int]) -> None:
    with pytest.raises(BoardNotFound) as caught:
        read(Frame(paint(WIDE, LOOKS[name], 29)), SITES, size=Shape(*size))
    assert "8x16 squares of 29 pixels" in caught.value.remedy
    assert f"not {size[0]}x{size[1]}" in caught.value.remedy
