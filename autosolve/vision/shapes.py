"""Owns the shapes of digits, flags and mines in many hands, without colour: what is drawn in a cell, in any look.

Legend: a *hand* is one font or one way of drawing; the digits of a board are of one hand. The pictures lie in
``templates/shapes/`` (tools/draw_shapes.py draws them): white ink on black, 48 pixels square, ``digits.HAND.png`` with
the digits 0 to 9 side by side, and one picture for every other shape, ``flag.HAND.png``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from autosolve.errors import ProfileError
from autosolve.vision.cells import F32, T, glyphs
from autosolve.vision.profile import builtin_folder

SIDE = 48  # pixels of a shape's picture
FAINT = 0.25  # part of a drawing's contrast below which what is seen belongs to the ground
KINDS = ("digits", "disc", "flag", "mine", "question", "wrong-flag")


@dataclass(frozen=True, slots=True, eq=False)
class Shapes:
    """The shapes as soft as a screen shows them at one pitch.

    ``digits``  (hands, 10, G_H * G_W) glyph vectors as in cells.Inks
    ``apart``   (hands, 8, 8) one less the correlation of the digits 1 to 8 of a hand with each other
    ``others``  kind to (variants, G_H * G_W)
    """

    digits: F32
    apart: F32
    others: dict[str, F32]


@lru_cache(maxsize=1)
def _pictures() -> tuple[npt.NDArray[np.uint8], dict[str, npt.NDArray[np.uint8]]]:
    """The pictures as they lie in the folder: (hands, 10, SIDE, SIDE) and kind to (variants, SIDE, SIDE)."""
    folder = builtin_folder() / "shapes"
    found: dict[str, list[npt.NDArray[np.uint8]]] = {kind: [] for kind in KINDS}
    for file in sorted(folder.glob("*.png")):
        kind = file.stem.partition(".")[0]
        picture = cv2.imdecode(np.frombuffer(file.read_bytes(), np.uint8), cv2.IMREAD_GRAYSCALE)
        if kind in found and picture is not None:
            found[kind].append(np.asarray(picture, np.uint8))
    if not all(found.values()):
        raise ProfileError(f"{folder} holds no shapes.", "Install autosolve again.", file=str(folder))
    digits = np.stack([p.reshape(SIDE, 10, SIDE).swapaxes(0, 1) for p in found.pop("digits")])
    return digits, {kind: np.stack(some) for kind, some in found.items()}


def shapes(pitch: float) -> Shapes:
    """All shapes for cells of that pitch (pixels, 5 and more)."""
    return _shapes(int(np.clip(round(pitch), 8, SIDE)))


@lru_cache(maxsize=8)
def _shapes(pitch: int) -> Shapes:
    digits, others = _pictures()
    soft = _softened(digits.reshape(-1, SIDE, SIDE), pitch)
    known = glyphs(soft).reshape(*digits.shape[:2], -1)
    return Shapes(
        known,
        np.asarray(1 - known[:, 1:9] @ known[:, 1:9].transpose(0, 2, 1), np.float32),
        {kind: glyphs(_softened(some, pitch)) for kind, some in others.items()},
    )


def _softened(pictures: npt.NDArray[np.uint8], pitch: int) -> F32:
    """Ink 0..1 (n, T, T), drawn down to the pitch first: a small cell is blown up soft."""
    out = np.empty((len(pictures), T, T), np.float32)
    for i, picture in enumerate(pictures):
        small = cv2.resize(picture, (pitch, pitch), interpolation=cv2.INTER_AREA)
        out[i] = cv2.resize(small, (T, T), interpolation=cv2.INTER_AREA if pitch > T else cv2.INTER_LINEAR)
    ink = out / np.maximum(out.max((1, 2), keepdims=True), 1.0)
    return np.asarray(((ink - FAINT) / (1 - FAINT)).clip(0, 1), np.float32)
