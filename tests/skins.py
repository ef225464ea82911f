"""Paints click-to-reveal boards in looks of its own, for the tests of the reader that knows none."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]
Colour = tuple[int, int, int]

CLASSIC: tuple[Colour, ...] = (
    (255, 0, 0),
    (0, 128, 0),
    (0, 0, 255),
    (128, 0, 0),
    (0, 0, 128),
    (128, 128, 0),
    (0, 0, 0),
    (128, 128, 128),
)


@dataclass(frozen=True)
class Look:
    """Colours are B, G, R; ``covered`` and ``opened`` have two where the board is a lawn of two shades."""

    covered: tuple[Colour, ...]
    opened: tuple[Colour, ...]
    page: Colour
    line: Colour | None = None
    bevel: int = 0
    inks: tuple[Colour, ...] = CLASSIC
    flag: Colour = (0, 0, 255)
    face: int = cv2.FONT_HERSHEY_DUPLEX


LOOKS = {
    "bevelled": Look(((192, 192, 192),), ((192, 192, 192),), (236, 233, 216), (128, 128, 128), 3),
    "dark": Look(((96, 88, 80),), ((60, 52, 48),), (20, 20, 24), (30, 26, 24), 2, ((230, 200, 120),) * 8),
    "lawn": Look(((81, 215, 170), (73, 209, 162)), ((159, 194, 229), (153, 184, 215)), (255, 255, 255)),
    "tiles": Look(((178, 116, 0),), ((226, 205, 188),), (250, 250, 250), (250, 250, 250)),
    "night": Look(((40, 30, 90),), ((24, 20, 20),), (0, 0, 0), (70, 60, 60), 0, ((90, 220, 90),) * 8, (60, 200, 250)),
}


def paint(rows: list[str], look: Look, pitch: int = 32, margin: int = 40) -> Picture:
    """A board in board text (``.`` covered, ``F`` flag, digits, ``0`` an opened blank) in the middle of a page."""
    height, width = len(rows), len(rows[0])
    picture = np.full((2 * margin + height * pitch, 2 * margin + width * pitch, 3), look.page, np.uint8)
    for r, text in enumerate(rows):
        for c, char in enumerate(text):
            x, y = margin + c * pitch, margin + r * pitch
            covered = char in ".F"
            bodies = look.covered if covered else look.opened
            cell = picture[y : y + pitch, x : x + pitch]
            cell[:] = bodies[(r + c) % len(bodies)]
            if covered and look.bevel:
                _bevel(cell, look.bevel)
            if look.line is not None and not (covered and look.bevel):
                cell[:1] = look.line
                cell[:, :1] = look.line
            if char == "F":
                _flag(cell, look.flag)
            elif char in "12345678":
                _digit(cell, char, look.inks[int(char) - 1], look.face)
    return picture


def _bevel(cell: Picture, deep: int) -> None:
    body = cell[0, 0].astype(int)
    light = np.clip(body + 60, 0, 255).astype(np.uint8)
    dark = np.clip(body - 60, 0, 255).astype(np.uint8)
    cell[-deep:] = dark
    cell[:, -deep:] = dark
    cell[:deep, : cell.shape[1] - deep] = light
    cell[: cell.shape[0] - deep, :deep] = light


def _flag(cell: Picture, colour: Colour) -> None:
    n = cell.shape[0]
    pole = [(0.42, 0.2), (0.5, 0.2), (0.5, 0.8), (0.42, 0.8)]
    cloth = [(0.5, 0.2), (0.8, 0.34), (0.5, 0.5)]
    for points, ink in ((pole, (20, 20, 20)), (cloth, colour)):
        cv2.fillPoly(cell, [np.array([(round(x * n), round(y * n)) for x, y in points])], ink, cv2.LINE_AA)


def _digit(cell: Picture, char: str, ink: Colour, face: int) -> None:
    n = cell.shape[0]
    scale = 0.6 * n / cv2.getTextSize("8", face, 1.0, 2)[0][1]
    thick = max(1, round(n / 14))
    (w, h), _ = cv2.getTextSize(char, face, scale, thick)
    cv2.putText(cell, char, ((n - w) // 2, (n + h) // 2), face, scale, ink, thick, cv2.LINE_AA)


# A position of a real game: opened regions end at digits, every digit has room for its mines.
WIDE = [
    ".....2..........",
    "......2212......",
    "....F21001......",
    "....310001......",
    ".2..200001111...",
    "....211111001..F",
    ".........1011...",
    "FF.......101....",
]
