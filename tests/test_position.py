"""What the digits of a board alone say of drawings that no shape tells."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from autosolve.vision import position, skin, twins
from autosolve.vision.cells import T
from autosolve.vision.frame import Frame
from autosolve.vision.position import Board
from autosolve.vision.profile import Profile, Symbol, load, site_folders
from autosolve.vision.read import read
from tests.skins import LOOKS, WIDE, _digit, paint
from tests.test_skin import FLAGGED

SITES: list[Profile] = [load(name) for name in site_folders()]
BY_LOOK = [p for p in SITES if p.reader == "skin"]


def board_of(rows: list[str], unknown: str = "") -> Board:
    """A board in board text of which the symbols in ``unknown`` are not told; each symbol is drawn in its own way."""
    flat = "".join(rows)
    drawings = sorted(set(flat) - set(".0"))
    told = [None if c in unknown else Symbol(c) for c in flat]
    number = np.array([s.number if s is not None and s.number is not None else -1 for s in told])
    group = np.array([drawings.index(c) if c in drawings else -1 for c in flat])
    glyph = np.eye(max(1, len(drawings)), dtype=np.float32)
    return Board((len(rows), len(rows[0])), np.ones(len(flat), bool), told, number, group, glyph)


def at(rows: list[str], char: str) -> list[int]:
    return [i for i, c in enumerate("".join(rows)) if c == char]


# ---------------------------------------------------------------- digits


def digits_of(rows: list[str], unknown: str, fits: dict[int, float], like: float = 0.3) -> dict[int, int]:
    board = board_of(rows, unknown)
    table = np.full((len(board.glyph), 8), 0.4, np.float32)
    group = int(board.group["".join(rows).index(unknown)])
    for digit, fit in fits.items():
        table[group, digit - 1] = fit
    signs = np.isin(np.arange(len(board.number)), at(rows, unknown))
    others = np.full(len(board.glyph), like, np.float32)
    return {d: g for d, g in position.digits(board, signs, board.number < 0, table, others).items() if d == group}


def test_an_odd_digit_is_told_where_the_position_leaves_no_other() -> None:
    odd = {2: 0.77, 3: 0.7, 8: 0.68}  # a 2 of an unknown hand, by its shape perhaps a 3 or an 8
    assert set(digits_of(FLAGGED, "2", odd).values()) == {2}
    assert not digits_of(FLAGGED, "2", odd | {2: 0.65})  # too little like any
    assert not digits_of(FLAGGED, "2", odd, like=0.76)  # as much like a mine
    assert not digits_of(FLAGGED, "2", odd | {1: 0.75, 2: 0.5, 8: 0.3})  # the best breaks the position
    wide = ["....", ".2..", "....", "...."]
    assert not digits_of(wide, "2", odd)  # here it may be a 3 as well


def test_printed_noughts_are_told_where_no_mine_is_beside_them() -> None:
    rows = FLAGGED
    board = board_of([row.replace("0", "?") for row in rows], "?")  # drawn, and not told
    signs, closed = board.unknown, np.isin(board.number, [-1])
    group = int(board.group[board.unknown][0])
    fits = np.where(np.arange(len(board.glyph)) == group, 0.9, 0.3).astype(np.float32)
    others = np.full(len(fits), 0.5, np.float32)
    assert position.noughts(board, signs, closed, fits, others) == at(rows, "0")
    assert not position.noughts(board, signs, closed, fits, others + 0.45)  # more like an 8, or a ball
    # noughts that stand where mines must be
    board = board_of([row.replace("0", "?").replace("F", "?") for row in rows], "?")
    fits = np.full(len(board.glyph), 0.9, np.float32)
    assert not position.noughts(board, board.unknown, board.number < 0, fits, fits - 0.4)


# ---------------------------------------------------------------- games that are lost

ENDED = [
    "001*1000",
    "00112110",
    "00001*10",
    "11101110",
    "1*100111",
    "111001!1",
    "00000111",
    "111.0000",
    "1F1X....",
]


def test_a_lost_game_tells_its_single_signs() -> None:
    rows = ["1F1001*1", "11100111", "00000000", "11100111", "1*1001!1", "11100111", "0000....", "11100X..", "1*100..."]
    board = board_of(rows, "!X")
    asked = board.unknown
    must, cannot = position.mined(board, asked)
    assert np.flatnonzero(must).tolist() == at(rows, "!")
    assert np.flatnonzero(cannot).tolist() == []  # no digit beside it says anything
    near = [row.replace("X", ".") for row in rows]
    near[3] = "111X0111"  # beside digits that have their mines
    board = board_of(near, "!X")
    assert np.flatnonzero(position.mined(board, board.unknown)[1]).tolist() == at(near, "X")


def test_a_game_that_has_not_shown_its_mines_tells_no_sign() -> None:
    rows = [row.replace("*", ".") for row in ENDED]
    board = board_of(rows, "!X")
    assert not any(part.any() for part in position.mined(board, board.unknown))
    fewer = [ENDED[0].replace("*", "."), *ENDED[1:]]  # one of its mines is not shown
    board = board_of(fewer, "!X")
    assert not any(part.any() for part in position.mined(board, board.unknown))


# ---------------------------------------------------------------- painted


def test_small_signs_on_several_covered_cells_are_drawings() -> None:
    rows = FLAGGED
    picture = paint([row.replace("F", ".") for row in rows], LOOKS["tiles"], 34)
    for cell in at(rows, "F"):
        r, c = divmod(cell, len(rows[0]))
        x, y = 40 + 34 * c + 15, 40 + 34 * r + 14
        cv2.rectangle(picture, (x, y), (x, y + 6), (20, 20, 20), -1)
        cv2.fillPoly(picture, [np.array([(x, y), (x + 6, y + 2), (x, y + 4)])], (0, 0, 255))
    reading = read(Frame(picture), BY_LOOK)
    for cell, symbol in enumerate(reading.symbols):
        wanted = "".join(rows)[cell]
        assert cell in reading.doubts or symbol.value == wanted
        assert wanted == "F" or cell not in reading.doubts
    assert sum(s is Symbol.FLAG and i not in reading.doubts for i, s in enumerate(reading.symbols)) >= 6


def test_two_drawings_of_which_none_is_clearly_a_flag_are_doubtful() -> None:
    glyph = np.array([[1, 0, 0], [0, 1, 0], [0.98, 0.2, 0]], np.float32)

    def doubted(flag: list[float], group: list[int]) -> list[int]:
        sizes = np.bincount(group)
        seen = skin.Marks(None, np.array(group), glyph[: len(sizes)], None, None, sizes, None)  # type: ignore[arg-type]
        others = {"flag": np.array(flag, np.float32)}
        names = skin.Names(
            np.zeros((len(flag), 8), np.float32),
            others,
            np.zeros(len(flag), np.int64),
            np.zeros(1, bool),
            np.zeros(len(flag), np.float32),
        )
        return skin._two_flags(seen, names, [Symbol.FLAG] * len(group))

    assert doubted([0.6, 0.65], [0, 0, 1, 1]) == [0, 1, 2, 3]
    assert doubted([0.9, 0.65], [0, 0, 1, 1]) == [2, 3]
    assert doubted([0.6, 0.65], [0, 0, 0, 0, 1]) == [4]  # one that something else lies on
    assert doubted([0.6, 0.3, 0.6], [0, 0, 2, 2]) == []  # nearly the same drawing


def test_mines_that_are_all_red_alike_are_mines() -> None:
    rows = [
        "0000000000",
        "1110011100",
        "1*1001*111",
        "1110011.*1",
        "0000000111",
        "0111000000",
        "01*1000000",
        "0111......",
    ]
    picture = paint([row.replace("*", "0") for row in rows], LOOKS["tiles"], 36)
    for cell in at(rows, "*"):
        r, c = divmod(cell, len(rows[0]))
        spot = picture[40 + 36 * r + 1 : 76 + 36 * r, 40 + 36 * c + 1 : 76 + 36 * c]
        spot[:] = (90, 90, 250)
        cv2.circle(spot, (17, 17), 9, (20, 20, 20), -1, cv2.LINE_AA)
        for ends in (((17, 4), (17, 30)), ((4, 17), (30, 17)), ((8, 8), (26, 26)), ((8, 26), (26, 8))):
            cv2.line(spot, *ends, (20, 20, 20), 2, cv2.LINE_AA)
    reading = read(Frame(picture), BY_LOOK)
    assert all(reading.symbols[cell] is Symbol.MINE and cell not in reading.doubts for cell in at(rows, "*"))


def test_a_flag_that_hides_its_ground_stands_on_it() -> None:
    body = np.array([[10, 20, 30]] * 20 + [[200, 200, 200]] * 20 + [[90, 90, 90]], np.float32)
    sides = np.zeros((41, 4, 6, 3), np.float32)
    sides[-1, :, :4] = np.array([200, 200, 200]) - 90  # along its sides what the lighter cells show
    kind = np.array([0] * 20 + [1] * 20 + [2])
    assert skin._rejoined(kind, body, sides).tolist() == [1] * 20 + [0] * 21  # the larger is 0
    sides[-1, 2, :4] += 60  # but not along all of them
    assert skin._rejoined(kind, body, sides).tolist() == kind.tolist()
    sides[-1, 2, :4] -= 60
    sides[:20] += np.array([190, 180, 170], np.float32)  # a frame that all cells have says nothing
    assert skin._rejoined(kind, body, sides).tolist() == kind.tolist()


@pytest.mark.parametrize("pitch", [26, 37])
def test_a_heading_above_tiles_on_a_bare_page_is_no_line_of_cells(pitch: int) -> None:
    look = LOOKS["tiles"]
    rows = WIDE
    picture = np.full((40 + 6 * pitch + len(rows) * pitch, 80 + 16 * pitch, 3), look.page, np.uint8)
    board = paint(rows, look, pitch)
    for r, row in enumerate(rows):  # what is opened is gone
        for c, char in enumerate(row):
            cell = board[40 + r * pitch : 40 + (r + 1) * pitch, 40 + c * pitch : 40 + (c + 1) * pitch]
            if char not in ".F":
                cell[(np.abs(cell.astype(int) - look.opened[0]).max(2) < 9) | (cell > 245).all(2)] = look.page
    picture[6 * pitch - 10 : 6 * pitch - 10 + len(board) - 40] = board[30:-10, :]
    cv2.putText(picture, "Minesweeper", (44, 3 * pitch), cv2.FONT_HERSHEY_DUPLEX, pitch / 22, (0, 0, 0), 2, cv2.LINE_AA)
    cv2.putText(picture, "Mines: 10", (44, 5 * pitch - 6), cv2.FONT_HERSHEY_DUPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
    reading = read(Frame(picture), BY_LOOK)
    top = 6 * pitch
    for cell in range(reading.grid.shape.size):
        if cell not in reading.doubts:
            middle = reading.grid.centre(cell)
            r, c = int((middle.y - top) // pitch), int((middle.x - 40) // pitch)
            assert 0 <= r < len(rows)
            assert reading.symbols[cell].value == rows[r][c]


def test_signs_of_red_cloth_on_a_proven_mine_are_flags() -> None:
    rows = FLAGGED
    board = board_of(rows, "F")
    signs, strange = board.unknown, np.zeros(len(board.number), bool)
    question = np.zeros(len(board.glyph), np.float32)
    like, unlike = np.ones(len(board.glyph), bool), np.zeros(len(board.glyph), bool)
    assert position.flags(board, signs, strange, question, like) == at(rows, "F")
    assert position.flags(board, signs, strange, question, unlike) == at(rows, "F")
    few = [row.replace("F", ".") for row in rows]
    few[8] = rows[8]  # a single one, and one more where nothing is proven
    few[3] = few[3][:13] + "F"
    board = board_of(few, "F")
    assert position.flags(board, board.unknown, strange, question[: len(board.glyph)], like[: len(board.glyph)])
    assert not position.flags(board, board.unknown, strange, question[: len(board.glyph)], unlike[: len(board.glyph)])


@pytest.mark.parametrize("few", [1, 4, 9])
def test_one_flag_on_two_shades_of_ground_is_one_flag(few: int) -> None:
    rows = ["F" * 12, "F" * few + "." * (12 - few)]
    look = replace(LOOKS["tiles"], covered=((81, 155, 120), (61, 130, 98)), line=None)
    one = replace(look, covered=look.covered[:1])
    two = replace(look, covered=look.covered[1:])
    cells = [paint([row], some, T, 0) for row, some in zip(rows, (one, two), strict=True)]
    stack = np.concatenate([np.stack(np.split(part, 12, axis=1)) for part in cells])
    flags = np.array([char == "F" for char in "".join(rows)])
    assert not len(twins.odd_flags(stack, skin.bodies(stack), flags)[0])


@pytest.mark.parametrize("pitch", [28, 41])
def test_a_board_that_prints_its_noughts_is_read(pitch: int) -> None:
    look = replace(LOOKS["tiles"], line=(90, 90, 90))
    picture = paint(FLAGGED, look, pitch)
    for cell in at(FLAGGED, "0"):
        r, c = divmod(cell, len(FLAGGED[0]))
        _digit(
            picture[40 + r * pitch : 40 + (r + 1) * pitch, 40 + c * pitch : 40 + (c + 1) * pitch], "0", (40, 40, 40), 2
        )
    reading = read(Frame(picture), BY_LOOK)
    assert reading.text == FLAGGED
    assert not reading.doubts
