"""Owns what the cells of a run have looked like, so that later looks tell only those anew that look like none of them.

A cell whose pixels are those of a cell that was read before, every one of them, shows the same symbol. What was
doubtful is not remembered, and pixels that were read as two symbols are forgotten for good.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np

from autosolve.board.shape import Cell
from autosolve.vision.frame import Frame
from autosolve.vision.grid import Grid, lines
from autosolve.vision.profile import Symbol
from autosolve.vision.read import Reading

RIM = 0.04  # of a cell on each side, which its neighbours may touch
MOST = 4096  # looks that are remembered
FEW_NEW, SHARE_NEW = 8, 0.04  # cells, or this share of them, that may be new before the whole is read again
NEW = "it looks like no cell before"

Look = tuple[int, int, bytes]


class Memory:
    """Looks and what they showed, for one lattice on one screen."""

    def __init__(self) -> None:
        self._known: dict[Look, tuple[Symbol, float, float]] = {}
        self._unclear: set[Look] = set()
        self.hits = self.misses = 0

    def learn(self, reading: Reading) -> None:
        """Remembers every cell that was told for sure."""
        for cell, look in enumerate(_looks(reading.frame, reading.grid)):
            if look is None or cell in reading.doubts or look in self._unclear:
                continue
            symbol = reading.symbols[cell]
            if look in self._known:
                if self._known[look][0] is not symbol:
                    del self._known[look]
                    self._unclear.add(look)
            elif len(self._known) < MOST:
                at = divmod(cell, reading.grid.shape.cols)
                self._known[look] = symbol, float(reading.scores[at]), float(reading.margins[at])

    def read(self, last: Reading, frame: Frame) -> Reading | None:
        """The board in a fresh picture, its lattice and totals being those of ``last``. A cell that looks like none
        before is doubtful: what the others say is true all the same. None where too many are."""
        shape = last.grid.shape
        symbols, doubts = list(last.symbols), dict[Cell, str]()
        scores, margins = np.zeros(shape.size, np.float32), np.zeros(shape.size, np.float32)
        most = max(FEW_NEW, round(SHARE_NEW * shape.size))
        for cell, look in enumerate(_looks(frame, last.grid)):
            known = self._known.get(look) if look is not None else None
            if known is None:
                doubts[Cell(cell)] = NEW
                if len(doubts) > most:
                    self.misses += 1
                    return None
            else:
                symbols[cell], scores[cell], margins[cell] = known
        self.hits += 1
        size = shape.rows, shape.cols
        return replace(
            last,
            frame=frame,
            symbols=tuple(symbols),
            scores=scores.reshape(size),
            margins=margins.reshape(size),
            doubts=doubts,
        )


def unseen(reading: Reading) -> bool:
    """Whether all that is doubtful in a reading merely looks like nothing before, and would be told by a full look."""
    return bool(reading.doubts) and all(reason == NEW for reason in reading.doubts.values())


def _looks(frame: Frame, grid: Grid) -> Iterator[Look | None]:
    """The pixels of every cell without its rim; None for a cell that is not wholly in the picture."""
    cols, rows = (
        [(math.ceil(a + RIM * (b - a)), math.floor(b - RIM * (b - a))) for a, b in pairwise(at)]
        for at in lines(frame, grid)
    )
    pixels = frame.pixels
    for top, bottom in rows:
        for left, right in cols:
            if top < 0 or left < 0 or bottom > frame.height or right > frame.width:
                yield None
            else:
                yield bottom - top, right - left, pixels[top:bottom, left:right].tobytes()
