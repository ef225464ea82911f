"""Owns what the hand does next: only the marks still missing, in a short path over the board."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from autosolve.board.shape import Cell
from autosolve.vision.frame import Point


class Purpose(Enum):
    """Why a cell is clicked."""

    FLAG = "flag"
    UNDO = "undo"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Click:
    """One press of ``button`` ("left", "right", "middle") at a screen point inside the board."""

    cell: Cell
    purpose: Purpose
    button: str
    at: Point


@dataclass(frozen=True, slots=True)
class ClickPlan:
    """Clicks in the order they are made, no cell twice; empty means nothing is left to do."""

    clicks: tuple[Click, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.clicks)

    def __len__(self) -> int:
        return len(self.clicks)


class Mouse(Protocol):
    """A device that moves and presses."""

    def position(self) -> Point:
        """Where the pointer is now."""
        ...

    def move(self, to: Point) -> None:
        """Puts the pointer there without pressing; raises Stopped when a person interferes."""
        ...

    def click(self, click: Click) -> None:
        """Makes one click, held for the site's time; raises Stopped when a person interferes."""
        ...
