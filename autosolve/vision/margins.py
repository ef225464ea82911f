"""Owns the totals of rows and columns that a site prints around its board.

Where they stand is the site's to say (``[margins]`` in site.toml); how large they are, in which colour and font, is
read off the picture. All totals of a side share one band beside the board, each in the middle of its line.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from autosolve.vision.digits import Number, number
from autosolve.vision.frame import Frame
from autosolve.vision.grid import Grid, in_pixels
from autosolve.vision.profile import Profile

F32 = npt.NDArray[np.float32]
Totals = tuple[int | None, ...]

FAINT = 14.0  # grey levels from the page's colour: less is no ink
FULL = 45.0  # the strongest ink of a total is at least this far from it
BAND = (0.18, 0.75)  # height of the band of totals, in cells, where they stand above one another in it
BESIDE = 1.1  # the same of a band beside the board, where several digits stand next to each other
MIDDLE = 0.055  # cells by which a total may stand beside the middle of its line, against the others
SIZE = 0.13  # part by which its height may differ from the others'
MOST = 0.6  # of what is printed in a band must be numbers, or it is no band of totals


@dataclass(frozen=True, slots=True)
class _Side:
    """One side of a board, turned so that its lines run along the picture's rows.

    ``ink``     (depth, along) grey levels from the page, depth 0 nearest the board
    ``first``   pixels along at which the first line begins     ``pitch``   of the lines
    ``across``  the pitch in the other direction                ``lines``   how many there are
    ``where``   the side
    """

    ink: F32
    first: float
    pitch: float
    across: float
    lines: int
    where: str

    @property
    def upright(self) -> bool:
        """Whether the totals stand beside one another, above or below the board."""
        return self.where in ("top", "bottom")

    def span(self, line: int) -> tuple[int, int]:
        """The pixels along that belong to a line."""
        low, high = self.first + line * self.pitch, self.first + (line + 1) * self.pitch
        return max(0, round(low)), min(self.ink.shape[1], round(high))

    def middle(self, line: int) -> float:
        """The middle of a line in the picture that ``line`` gives."""
        return self.first + (line + 0.5) * self.pitch - self.span(line)[0]

    def line(self, line: int, band: tuple[int, int]) -> F32:
        """The part of a band that belongs to a line, the way up it was on the screen, with a little page around."""
        low, high = self.span(line)
        part = self.ink[max(0, band[0] - 2) : band[1] + 2, low:high]
        if self.where in ("top", "left"):
            part = part[::-1]
        return np.ascontiguousarray(part if self.upright else part.T)


def read_margins(frame: Frame, grid: Grid, profile: Profile) -> tuple[Totals, Totals, tuple[str, ...]]:
    """The totals of rows and columns, and what is doubtful about them.

    A side's totals are () where the site prints none there or nothing there looks like totals, else one per line:
    the number, or None where none is printed or it cannot be told. Each that cannot be told is named among the
    doubts: "the total of row 3 cannot be read". A number is certain as a clue is: every digit fits one shape well and
    no other, and it stands in the middle of its line like the others. Where all rows and all columns are told and
    their sums differ, none of them is returned."""
    if profile.margins is None:
        return (), (), ()
    doubts: list[str] = []
    told: dict[str, Totals] = {}
    for name, where in (("row", profile.margins.rows), ("column", profile.margins.columns)):
        side = None if where is None or where in grid.cut else _side(frame, grid, where, profile.margins.reach)
        told[name] = () if side is None else _totals(side, name, doubts)
    rows, columns = told["row"], told["column"]
    for name, totals, most in (("row", rows, grid.shape.cols), ("column", columns, grid.shape.rows)):
        for i, total in enumerate(totals):
            if total is not None and total > most:
                doubts.append(f"the total of {name} {i + 1} is {total}, more than its {most} cells")
    rows = tuple(None if t is not None and t > grid.shape.cols else t for t in rows)
    columns = tuple(None if t is not None and t > grid.shape.rows else t for t in columns)
    known = [t for t in rows if t is not None], [t for t in columns if t is not None]
    whole = bool(rows and columns) and len(known[0]) == len(rows) and len(known[1]) == len(columns)
    if whole and sum(known[0]) != sum(known[1]):
        doubts.append(f"the totals of the rows add up to {sum(known[0])}, those of the columns to {sum(known[1])}")
        return (None,) * len(rows), (None,) * len(columns), tuple(doubts)
    return rows, columns, tuple(doubts)


def _side(frame: Frame, grid: Grid, where: str, reach: float) -> _Side | None:
    left, top, px, py = in_pixels(frame, grid)
    right, bottom = left + px * grid.shape.cols, top + py * grid.shape.rows
    if where in ("top", "bottom"):
        low, high = (top - reach * py, top) if where == "top" else (bottom, bottom + reach * py)
        x0, x1 = max(0, round(left - 0.3 * px)), min(frame.width, round(right + 0.3 * px))
        y0, y1 = max(0, round(low)), min(frame.height, round(high))
        part = frame.pixels[y0:y1, x0:x1]
        turned = part[::-1] if where == "top" else part
        first, pitch, across, lines = left - x0, px, py, grid.shape.cols
    else:
        low, high = (left - reach * px, left) if where == "left" else (right, right + reach * px)
        x0, x1 = max(0, round(low)), min(frame.width, round(high))
        y0, y1 = max(0, round(top - 0.3 * py)), min(frame.height, round(bottom + 0.3 * py))
        part = frame.pixels[y0:y1, x0:x1]
        turned = (part[:, ::-1] if where == "left" else part).swapaxes(0, 1)
        first, pitch, across, lines = top - y0, py, px, grid.shape.rows
    if min(turned.shape[:2]) < 8:
        return None
    colour = turned.astype(np.float32)
    # the page: what is most of the outer half
    page = np.median(colour[len(colour) // 2 :].reshape(-1, 3), axis=0)
    return _Side(np.abs(colour - page).max(2), first, pitch, across, lines, where)


def _totals(side: _Side, name: str, doubts: list[str]) -> Totals:
    band = _band(side)
    if band is None:
        return ()
    found: list[Number | None] = []
    inked: list[bool] = []
    for i in range(side.lines):
        ink = side.line(i, band)
        level = float(np.partition(ink.ravel(), -4)[-4]) if ink.size > 4 else 0.0
        inked.append(level > FAINT)
        found.append(number(ink / level) if level > FULL else None)
    told = [n for n in found if n is not None]
    if not told or len(told) < MOST * sum(inked):
        return ()
    middles = [(n.left + n.right) / 2 if side.upright else (n.top + n.bottom) / 2 for n in told]
    # line by line the picture was cut at a whole pixel: its middle against the true one
    lines = [side.middle(i) for i, n in enumerate(found) if n is not None]
    off = np.array(middles) - np.array(lines)
    # where the digits stand in the other direction
    rest = np.array([(n.top + n.bottom) / 2 if side.upright else (n.left + n.right) / 2 for n in told])
    tall = np.array([n.bottom - n.top for n in told])
    ok = np.abs(off - np.median(off)) <= MIDDLE * side.pitch
    ok &= np.abs(rest - np.median(rest)) <= max(1.0, MIDDLE * side.across)
    ok &= np.abs(tall / np.median(tall) - 1) <= SIZE
    ok &= bool(abs(float(np.median(off))) <= 0.15 * side.pitch)
    sure = iter(ok.tolist())
    out: list[int | None] = []
    for i, n in enumerate(found):
        good = n is not None and next(sure)
        out.append(n.value if n is not None and good else None)
        if inked[i] and not good:
            doubts.append(f"the total of {name} {i + 1} cannot be read")
    return tuple(out) if any(t is not None for t in out) else ()


def _band(side: _Side) -> tuple[int, int] | None:
    """Depths between which the totals of a side stand: the first ink beyond the board's own frame. None where there
    is none, or it is no band of their height with page on both sides."""
    inner = side.ink[:, max(0, round(side.first)) : round(side.first + side.lines * side.pitch)]
    covered = (inner > FAINT).mean(1)
    empty = np.flatnonzero((inner > FAINT).sum(1) <= 1)  # a stray pixel is no ink
    frame = int(np.argmax(covered < 0.5))  # the frame runs all along the board
    beyond = empty[empty >= frame]
    if covered[: round(0.4 * side.across)].min(initial=1.0) > 0.5 or not len(beyond):
        return None
    inked = np.flatnonzero(np.isin(np.arange(len(inner)), empty, invert=True))
    inked = inked[inked > beyond[0]]
    if not len(inked):
        return None
    # digits that stand beside each other leave narrow gaps
    gap = 1 if side.upright else max(1, round(0.3 * side.across))
    breaks = np.flatnonzero(np.diff(inked) > gap)
    low, high = int(inked[0]), int(inked[breaks[0] if len(breaks) else -1]) + 1
    least, most = BAND[0] * side.across, (BAND[1] if side.upright else BESIDE) * side.across
    return (low, high) if least <= high - low <= most and high < len(inner) else None
