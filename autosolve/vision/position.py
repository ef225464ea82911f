"""Owns what can be a Minesweeper position, by what each digit says alone: the cells that break one, and what a drawing
of unknown shape can only be where it stands.

Legend: a board has n cells, row-major; ``shape`` is its rows and columns; of cells that are not ``whole`` (n,) some
neighbours are unseen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from autosolve.vision.cells import F32, Bools
from autosolve.vision.profile import Symbol

Ints = npt.NDArray[np.int64]
MINES = (Symbol.MINE, Symbol.EXPLODED)
PROVEN = 3  # cells with a sign that are mines by a digit beside them, from which the sign is a flag
PROVEN_SHARE = 0.2  # of the cells with it beside digits, at least
PROVEN_FEW = 0.5  # the same where it is one cell less
COUNTED = 8  # digits that count a sign, from which it is a mine
SAME_SIGN = 0.75  # correlation of two drawings of one sign
OTHER_SIGNS = 0.1  # of the cells with the sign: more with another one, and neither is told
MAYBE_QUESTION = 0.62  # correlation with a question mark from which a sign may be one
SOME_DIGIT = 0.7  # correlation with a digit from which a drawing is one, where the position leaves no other
NO_OTHER = 0.3  # by which a digit may fit worse than the best and still be what is drawn
NOUGHT = 0.8  # correlation with a nought from which a drawing may be one
BETTER = 0.03  # by which the best digit must fit better than a mine or a flag
CLOSED_WORLD = 6  # digits beside shown mines and flags that count these and no more: the game has shown all its mines


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """A board told in part.

    ``told``    what each cell is, None where that is unknown
    ``number``  (n,) the digit of an open cell, -1 otherwise
    ``group``   (n,) which drawing a cell shows, -1 none      ``glyph``  (drawings, ...) each at unit length
    """

    shape: tuple[int, int]
    whole: Bools
    told: Sequence[Symbol | None]
    number: Ints
    group: Ints
    glyph: F32

    @property
    def unknown(self) -> Bools:
        """(n,) the cells that are not told."""
        return np.array([s is None for s in self.told])

    def of(self, *symbols: Symbol) -> Bools:
        """(n,) the cells that are told to be one of these."""
        return np.array([s in symbols for s in self.told])

    def alike(self, group: int) -> Bools:
        """(n,) the cells whose drawing is that of a group, or nearly so."""
        same = np.asarray(self.glyph @ self.glyph[group] >= SAME_SIGN)
        return np.asarray((self.group >= 0) & same[self.group], bool)


def around(board: Ints) -> Ints:
    """For each cell of a board (rows, cols) the sum over its up to eight neighbours."""
    wide = np.zeros((board.shape[0] + 2, board.shape[1] + 2), np.int64)
    wide[1:-1, 1:-1] = board
    lines = wide[:-2] + wide[1:-1] + wide[2:]
    return np.asarray(lines[:, :-2] + lines[:, 1:-1] + lines[:, 2:] - board, np.int64)


def near(cells: Bools, shape: tuple[int, int]) -> Ints:
    """(n,) how many of a cell's up to eight neighbours are among ``cells``."""
    return around(cells.reshape(shape).astype(np.int64)).ravel()


def broken(number: Ints, covered: Bools, maybe: Bools, shape: tuple[int, int], whole: Bools) -> Bools:
    """The cells (n,) by which a naming of all cells is no position.

    ``number`` (n,) is the digit of an open cell, 0 for an open blank, -1 otherwise; ``covered`` cells may hold mines,
    as may those that ``maybe`` are covered."""
    short = (number > 0) & (near(covered | maybe, shape) < number) & whole
    bare = (number == 0) & (near(covered, shape) > 0)
    return np.asarray(short | bare, bool)


def unbounded(board: Ints, shape: tuple[int, int], seen: Bools | None = None) -> int:
    """How much the surroundings of a board's opened blanks, those that are ``seen``, lack digits: what a blank opened
    ends at digits."""
    blank = board == 0
    if not blank.any():
        return 0
    beside = (near(blank, shape) > 0) & ~blank
    if seen is not None:
        beside &= seen
    digits = int((beside & (board > 0)).sum())
    return max(0, int(beside.sum()) - 2 * digits) if digits else 10 + int(beside.sum())


def hold(mined: Bools, closed: Bools, digit: Bools, number: Ints, shape: tuple[int, int]) -> bool:
    """Whether the digits can be true if these closed cells are mines, by what each digit alone says, over and over."""
    mined, left = mined.copy(), closed & ~mined  # known mines, and cells that may be either
    while True:
        have, room = near(mined, shape), near(left, shape)
        if (digit & ((have > number) | (have + room < number))).any():
            return False
        safe = left & (near(digit & (have == number), shape) > 0)
        more = left & ~safe & (near(digit & (have + room == number), shape) > 0)
        if not safe.any() and not more.any():
            return True
        left &= ~safe & ~more
        mined |= more


def impossible(number: Ints, shape: tuple[int, int], own: bool) -> int:
    """How many digits count more mines than there are cells around them, themselves among these if ``own``."""
    room = near(np.ones(len(number), bool), shape) + own
    return int((number > room).sum())


def won(number: Ints, blank: Bools, signs: Bools, shape: tuple[int, int]) -> bool:
    """Whether a board is a game that was won: its signs, but for a few that are none, are just the mines that its
    digits count, and hardly one is beside a blank, which then is an opened cell. A puzzle leaves cells without mines
    covered beside others with."""
    have = near(signs, shape)
    digit = number >= 0
    if blank.sum() < PROVEN or (digit & (have > 0)).sum() < COUNTED:
        return False
    return bool((have == number)[digit].mean() >= 1 - OTHER_SIGNS and (have > 0)[blank].mean() <= OTHER_SIGNS / 2)


# ---------------------------------------------------------------- signs by what they do


def flags(board: Board, signs: Bools, strange: Bools, question: F32, like: Bools) -> list[int]:
    """The cells of a sign of unknown shape that can only be a flag: it stands where mines are proven, nowhere too
    often, and not on all of them, as the mines of a lost game would.

    ``signs`` (n,) covered cells with something drawn on them; ``strange`` those of grounds that are neither covered nor
    open; ``question`` (drawings,) how much like a question mark each is; ``like`` (drawings,) which may be flags by
    their shape and colour: of these one that stands on a proven mine will do."""
    unknown = signs & board.unknown
    if unknown.sum() < PROVEN - 1:
        return []
    group = int(np.bincount(board.group[unknown]).argmax())
    found = unknown & board.alike(group)
    if (unknown & ~found).sum() > OTHER_SIGNS * found.sum() or question[group] >= MAYBE_QUESTION:
        return []
    number, shape = board.number, board.shape
    digit = (number > 0) & board.whole
    if not (near(signs | strange, shape) < number)[digit].any():
        return []
    closed = (number < 0) | strange
    marked = found | board.of(Symbol.FLAG)
    proven = found & (near(digit & (near(closed, shape) == number), shape) > 0)
    beside = found & (near(digit, shape) > 0)
    share = PROVEN_SHARE if proven.sum() >= PROVEN else PROVEN_FEW
    least = 1 if like[group] else max(PROVEN - 1, share * beside.sum())
    if proven.sum() < least or not hold(marked, closed, digit, number, shape):
        return []
    return [int(i) for i in np.flatnonzero(found)]


def mines(board: Board, signs: Bools, printed: Bools) -> list[int]:
    """The cells of a sign of unknown shape that can only be the mines of a lost game: every digit counts them and the
    flags beside it, neither more nor less.

    ``signs`` (n,) opened cells with something drawn on them; ``printed`` (n,) cells of grounds that show digits, which
    no flag stands on."""
    unknown = signs & printed & board.unknown
    if unknown.sum() < PROVEN:
        return []
    number, shape = board.number, board.shape
    found = unknown & board.alike(int(np.bincount(board.group[unknown]).argmax()))
    digit = (number > 0) & board.whole
    marked = board.of(Symbol.FLAG, *MINES)
    # each of these may be a mine, one that was hit too, or none
    others = ~found & ~marked & (board.unknown | board.of(Symbol.QUESTION))
    sure = near(found | marked, shape)
    right = (sure <= number) & (sure + near(others, shape) >= number)
    counted = (digit & (near(found, shape) > 0)).sum()
    few = others.sum() <= OTHER_SIGNS * found.sum() + 2
    return [int(i) for i in np.flatnonzero(found)] if few and right[digit].all() and counted >= COUNTED else []


def digits(board: Board, signs: Bools, closed: Bools, fits: F32, others: F32) -> dict[int, int]:
    """Drawings of unknown shape that can only be one digit: drawing to digit. It fits best, and every other one that it
    might be by its shape would break the position.

    ``signs`` (n,) opened cells with something drawn on them; ``closed`` (n,) cells that may hold a mine; ``fits``
    (drawings, 8) how well the digits 1 to 8 fit; ``others`` (drawings,) how well anything else does."""
    out: dict[int, int] = {}
    unknown = signs & board.unknown
    room = near(closed, board.shape)
    for group in np.unique(board.group[unknown]).tolist():
        best = int(fits[group].argmax()) + 1
        least = float(fits[group, best - 1])
        cells = unknown & (board.group == group)
        if least < max(SOME_DIGIT, float(others[group]) + BETTER) or not (cells & board.whole).any():
            continue

        def possible(number: int, cells: Bools = cells) -> bool:
            numbers = np.where(cells, number, board.number)
            digit = (numbers > 0) & board.whole
            # mostly some cell has too few cells around it
            few = bool((room < number)[cells & board.whole].any())
            return not few and hold(np.zeros_like(cells), closed & ~cells, digit, numbers, board.shape)

        likely = [e for e in range(1, 9) if e != best and fits[group, e - 1] >= least - NO_OTHER]
        if possible(best) and not any(possible(e) for e in likely):
            out[group] = best
    return out


def noughts(board: Board, signs: Bools, closed: Bools, fits: F32, others: F32) -> list[int]:
    """The cells of drawings that are noughts by their shape and by the position, in which no mine is beside them.

    ``signs`` (n,) opened cells with something drawn on them; ``closed`` (n,) cells that may hold a mine; ``fits``
    (drawings,) how well a nought fits, ``others`` how well anything else does."""
    if not len(fits):
        return []
    found = signs & board.unknown & ((fits >= NOUGHT) & (fits >= others))[np.maximum(board.group, 0)]
    if (
        found.sum() < PROVEN or (board.number > 0).sum() < PROVEN
    ):  # boxes in a table look like noughts, and are no digits
        return []
    number = np.where(found, 0, board.number)
    digit = (number >= 0) & board.whole
    if not hold(np.zeros_like(found), closed & ~found, digit, number, board.shape):
        return []
    return [int(i) for i in np.flatnonzero(found)]


def mined(board: Board, cells: Bools) -> tuple[Bools, Bools]:
    """Of a game that has shown all its mines, which of these cells must be further ones, and which cannot: two times
    (n,), of other games none. What is neither told nor among ``cells`` may be either."""
    none = np.zeros(len(cells), bool)
    shown = board.of(Symbol.FLAG, *MINES) & ~cells
    if not board.of(*MINES).any() or not cells.any():
        return none, none
    digit = (board.number > 0) & board.whole
    open_ended = cells | (board.unknown & ~shown)
    have, room = near(shown, board.shape), near(open_ended, board.shape)
    closed_world = digit & (room == 0)
    if (have != board.number)[closed_world].any() or (closed_world & (have > 0)).sum() < CLOSED_WORLD:
        return none, none
    must, cannot = none.copy(), none.copy()
    for i in np.flatnonzero(cells & (near(digit, board.shape) > 0)).tolist():
        one = none.copy()
        one[i] = True
        as_mine = hold(shown | one, open_ended | shown, digit, board.number, board.shape)
        as_none = hold(shown, (open_ended & ~one) | shown, digit, board.number, board.shape)
        must[i], cannot[i] = as_mine and not as_none, as_none and not as_mine
    return must, cannot


def with_told(board: Board, told: Sequence[Symbol | None]) -> Board:
    """The board with what has been told since."""
    number = np.array([s.number if s is not None and s.number is not None else -1 for s in told], np.int64)
    return replace(board, told=told, number=number)
