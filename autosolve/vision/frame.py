"""Owns pictures and where they were taken: the only place where pixels and screen points meet.

Legend: a *pixel* is a column and row of a picture; a *point* is a unit of the mouse's coordinate system. On a
Retina screen one point is two pixels, on X11 and on a DPI-aware Windows one point is one pixel. Both may be
fractions. Points may be negative: monitors stand left of or above the main one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from autosolve.errors import WrongUse

Pixels = npt.NDArray[np.uint8]


class Point(NamedTuple):
    """A place in screen points."""

    x: float
    y: float


class Box(NamedTuple):
    """An upright rectangle; whether pixels or points is said where one is used."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    def holds(self, point: Point) -> bool:
        """Whether a point lies inside."""
        return self.x <= point.x < self.right and self.y <= point.y < self.bottom

    def grown(self, by: float) -> Box:
        """The box with ``by`` added on each side."""
        return Box(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)

    def clipped(self, to: Box) -> Box:
        """The part inside ``to``; width or height 0 where they do not meet."""
        x, y = max(self.x, to.x), max(self.y, to.y)
        return Box(x, y, max(0, min(self.right, to.right) - x), max(0, min(self.bottom, to.bottom) - y))


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture of the screen, or a saved one.

    ``pixels``  uint8, shape (height, width, 3), BGR
    ``origin``  screen point of the picture's top left corner; (0, 0) for a saved picture
    ``scale``   pixels per point, above 0; 1 for a saved picture
    """

    pixels: Pixels
    origin: Point = Point(0.0, 0.0)
    scale: float = 1.0

    def __post_init__(self) -> None:
        p = self.pixels
        if p.ndim != 3 or p.shape[2] != 3 or p.dtype != np.uint8 or not p.size:
            raise WrongUse("A picture must be rows x columns x 3 bytes.", "Convert it to 8 bit BGR first.")
        if not self.scale > 0:
            raise WrongUse("A picture's scale must be above 0.", "Give pixels per screen point.")

    @property
    def width(self) -> int:
        """Pixels."""
        return int(self.pixels.shape[1])

    @property
    def height(self) -> int:
        """Pixels."""
        return int(self.pixels.shape[0])

    @property
    def box(self) -> Box:
        """What the picture covers, in screen points."""
        return Box(self.origin.x, self.origin.y, self.width / self.scale, self.height / self.scale)

    def to_point(self, x: float, y: float) -> Point:
        """The screen point of a pixel position."""
        return Point(self.origin.x + x / self.scale, self.origin.y + y / self.scale)

    def to_pixel(self, point: Point) -> tuple[float, float]:
        """The pixel position (x, y) of a screen point."""
        return (point.x - self.origin.x) * self.scale, (point.y - self.origin.y) * self.scale

    def crop(self, box: Box) -> Frame:
        """The part of the picture inside ``box`` (screen points), grown to whole pixels; WrongUse if empty."""
        inside = box.clipped(self.box)
        x0, y0 = self.to_pixel(Point(inside.x, inside.y))
        x1, y1 = self.to_pixel(Point(inside.right, inside.bottom))
        left, top = int(np.floor(x0 + 1e-6)), int(np.floor(y0 + 1e-6))
        right, bottom = int(np.ceil(x1 - 1e-6)), int(np.ceil(y1 - 1e-6))
        if right <= left or bottom <= top:
            raise WrongUse("The region lies outside the picture.", "Give X,Y,WIDTH,HEIGHT inside it.")
        return Frame(self.pixels[top:bottom, left:right], self.to_point(left, top), self.scale)

    def same_as(self, other: Frame) -> bool:
        """Whether two pictures show the same, pixel by pixel, at the same place."""
        return (
            self.origin == other.origin
            and self.pixels.shape == other.pixels.shape
            and bool(np.array_equal(self.pixels, other.pixels))
        )


@dataclass(frozen=True, slots=True)
class Monitor:
    """One monitor: ``box`` in screen points, ``scale`` in pixels per point, ``name`` for people."""

    number: int
    box: Box
    scale: float = 1.0
    name: str = ""


class Screen(Protocol):
    """A device that takes pictures."""

    def monitors(self) -> tuple[Monitor, ...]:
        """The monitors, the main one first, numbered from 1."""
        ...

    def grab(self, box: Box) -> Frame:
        """A picture of ``box`` (screen points), clipped to the monitor it mostly lies on.

        Raises EnvironmentProblem when the machine does not let us look."""
        ...
