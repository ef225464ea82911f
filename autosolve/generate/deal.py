"""Owns how mines are dealt: their usual number, the seeded numbers, and what the rules on a first click spare
(``FirstClick``).

The numbers come from splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014), so a
seed gives the same board on every machine and Python; ``kernels/game_code.py`` deals the same boards, bit for bit.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import TypeVar

from autosolve.board.shape import Cell, CellSet, Shape
from autosolve.kernels.game import FirstClick, check_room

Item = TypeVar("Item")

_WORD = (1 << 64) - 1
_HALF = (1 << 32) - 1
_GOLDEN, _MIX1, _MIX2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def mixed(word: int) -> int:
    """The output function of splitmix64: one 64-bit word well mixed to another, one to one."""
    word = (word ^ word >> 30) * _MIX1 & _WORD
    word = (word ^ word >> 27) * _MIX2 & _WORD
    return word ^ word >> 31


class SplitMix64:
    """A row of seeded numbers; ``state`` is one word of 64 bits, and any int may be its seed."""

    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        self.state = seed & _WORD

    @classmethod
    def of_game(cls, seed: int, number: int = 0) -> SplitMix64:
        """The numbers of game ``number`` of a run: hashed twice, so that neither neighbouring seeds nor neighbouring
        games share them."""
        return cls(mixed((mixed((seed + _GOLDEN) & _WORD) + number * _MIX2 + _MIX1) & _WORD))

    def next(self) -> int:
        """The next word, 0 to 2**64 - 1."""
        self.state = (self.state + _GOLDEN) & _WORD
        return mixed(self.state)

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, each exactly as likely as the others; n from 1 to 2**32 - 1.

        The high half of a product, but for the few words that would favour some numbers: Lemire, "Fast random
        integer generation in an interval", 2019."""
        product = (self.next() >> 32) * n
        if product & _HALF < n:
            floor = (1 << 32) % n
            while product & _HALF < floor:
                product = (self.next() >> 32) * n
        return product >> 32

    def some(self, items: MutableSequence[Item], count: int) -> None:
        """Moves ``count`` items, drawn without putting back, to the front, in the order they were drawn."""
        for i in range(count):
            j = i + self.below(len(items) - i)
            items[i], items[j] = items[j], items[i]


def spared(shape: Shape, start: int, rule: FirstClick) -> CellSet:
    """The cells that no mine is dealt to."""
    if rule is FirstClick.SAFE:
        return 1 << start
    if rule is FirstClick.OPENING:
        return 1 << start | shape.neighbours(start)
    return 0


def standard_mines(shape: Shape) -> int:
    """The mines of the well-known levels, a fifth of the cells on other boards, and always fewer than would leave no
    opening in the middle."""
    known = {(9, 9): 10, (16, 16): 40, (16, 30): 99, (30, 16): 99}
    return known.get((shape.rows, shape.cols), round(shape.size / 5))


def deal(shape: Shape, mines: int, start: int, rule: FirstClick, numbers: SplitMix64) -> CellSet:
    """The mined cells of a new board, dealt for a first click at ``start``: every placing the rule allows is as likely
    (MOVED: before the move). Raises WrongUse as ``check_room`` does."""
    check_room(shape, mines, Cell(start), rule)
    barred = spared(shape, start, rule)
    free = shape.size - barred.bit_count()
    # of a board that is mostly mines the other cells are drawn: each draw then soon meets a new cell
    few = 2 * mines <= free
    left = mines if few else free - mines
    drawn = 0
    while left:
        bit = 1 << numbers.below(shape.size)
        if not (drawn | barred) & bit:
            drawn |= bit
            left -= 1
    mined = drawn if few else shape.all & ~(drawn | barred)
    if rule is FirstClick.MOVED and mined >> start & 1 and mined != shape.all:
        place = shape.all & ~mined
        mined ^= 1 << start | place & -place
    return mined
