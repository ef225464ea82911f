"""A site simple enough to read by eye: every symbol is one flat colour. For tests of what stands on a reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import numpy as np

from autosolve.board.shape import Shape
from autosolve.desktop.fake import FakeSite
from autosolve.errors import BoardNotFound
from autosolve.vision.frame import Box, Frame, Pixels
from autosolve.vision.grid import Grid
from autosolve.vision.profile import Profile, Symbol, Template
from autosolve.vision.read import Reading

LINE = (102, 102, 102)
COLOURS: Mapping[Symbol, tuple[int, int, int]] = MappingProxyType(
    {symbol: ((20 + 13 * i) % 256, (240 - 12 * i) % 256, (90 + 57 * i) % 256) for i, symbol in enumerate(Symbol)}
)
BUTTONS = MappingProxyType(
    {"right": (Symbol.COVERED, Symbol.FLAG), "left": (Symbol.COVERED, Symbol.SAFE)},
)


def picture_of(symbol: Symbol, side: int = 16) -> Pixels:
    """One cell: a flat colour with half a grid line around it."""
    pixels = np.full((side, side, 3), LINE, np.uint8)
    pixels[1:-1, 1:-1] = COLOURS[symbol]
    return pixels


def profile(
    buttons: Mapping[str, tuple[Symbol, ...]] = BUTTONS,
    steps: tuple[tuple[Symbol, str, Symbol], ...] = (),
    **more: object,
) -> Profile:
    """The toy site; ``more`` are further fields of Profile."""
    given: dict[str, object] = {
        "templates": MappingProxyType({s: (Template(s, "", picture_of(s)),) for s in Symbol}),
        "kind": "clues",
        "hold": 0.004,
        "gap": 0.004,
        "zoom_pitch": 16.0,
        **more,
    }
    return Profile(
        name="toy",
        title="Toy",
        folder=Path("toy"),
        buttons=buttons,
        steps=steps,
        **given,  # type: ignore[arg-type]
    )


def reading(
    rows: Sequence[str],
    site: Profile | None = None,
    doubts: Mapping[int, str] | None = None,
    grid: Grid | None = None,
    margins: float = 0.5,
) -> Reading:
    """A reading of a board in board text, at 100, 50 with cells of 20 points."""
    shape = Shape(len(rows), len(rows[0]))
    grid = grid or Grid(shape, 100.0, 50.0, 20.0, 20.0)
    return Reading(
        Frame(np.zeros((1200, 1600, 3), np.uint8)),
        grid,
        site or profile(),
        tuple(Symbol(char) for row in rows for char in row),
        np.full((shape.rows, shape.cols), 0.9, np.float32),
        np.full((shape.rows, shape.cols), margins, np.float32),
        dict(doubts or {}),  # type: ignore[arg-type]
    )


class Eye:
    """A reader of painted toy sites: it is told where the cells are, and reads what the pixels show there."""

    def __init__(self, site: FakeSite) -> None:
        self.site = site
        self.finds = 0

    def read(
        self,
        frame: Frame,
        site: Profile,
        *,
        grid: Grid | None = None,
        region: Box | None = None,
        size: Shape | None = None,
    ) -> Reading:
        if grid is None:
            self.finds += 1
            grid = self.find(frame)
        colours = {colour: symbol for symbol, colour in COLOURS.items()}
        shape = grid.shape
        symbols, doubts = [], {}
        for c in range(shape.size):
            symbol = None
            x, y = frame.to_pixel(grid.centre(c))
            if 0 <= y < frame.height and 0 <= x < frame.width:
                b, g, r = (int(v) for v in frame.pixels[int(y), int(x)])
                symbol = colours.get((b, g, r))
            if symbol is None:
                doubts[c] = "something covers it"
            symbols.append(symbol or Symbol.COVERED)
        ones = np.ones((shape.rows, shape.cols), np.float32)
        return Reading(frame, grid, site, tuple(symbols), ones, 0.5 * ones, doubts)  # type: ignore[arg-type]

    def find(self, frame: Frame) -> Grid:
        """The part of the board that shows; BoardNotFound where less than half of it does."""
        whole, view = self.site.grid, self.site.window.clipped(frame.box)
        rows = [r for r in range(whole.shape.rows) if view.y <= whole.top + (r + 0.5) * whole.pitch_y < view.bottom]
        cols = [c for c in range(whole.shape.cols) if view.x <= whole.left + (c + 0.5) * whole.pitch_x < view.right]
        hidden = self.site.popped.clipped(whole.box) if self.site.popped else Box(0, 0, 0, 0)
        if not rows or not cols or hidden.width * hidden.height > 0.5 * whole.box.width * whole.box.height:
            raise BoardNotFound("No toy board is to be seen.", "Show it.")
        return Grid(
            Shape(len(rows), len(cols)),
            whole.left + cols[0] * whole.pitch_x,
            whole.top + rows[0] * whole.pitch_y,
            whole.pitch_x,
            whole.pitch_y,
            whole.cut,
        )
