"""Owns night tints: in a picture made warm, as filters for the evening do, white is made white again."""

from __future__ import annotations

import cv2
import numpy as np

from autosolve.vision.frame import Frame

EVERY = 3  # pixels, across and down: enough to tell a page's colour
OFTEN = 0.02  # of a picture's pixels: a colour that may be the page's white
BRIGHT = 200  # grey levels of red, which no such tint takes away
WARM, DARK = 0.88, 0.35  # of red: a tinted white has no more blue than that, and no less
ABOVE, FEW = 8, 0.005  # grey levels, and share of the pixels that may lie as far above the white in any channel


def whitened(frame: Frame) -> Frame | None:
    """The picture with its white white again; None where none is tinted.

    The white is the brightest of the colours that are often seen, and nothing is brighter: a tint takes as much from
    every colour as from white. What darkens all channels alike, such as a dialog's veil, is no tint."""
    some = frame.pixels[::EVERY, ::EVERY].reshape(-1, 3)
    steps = (some >> 3).astype(np.int32)
    names = (steps[:, 2] << 10) | (steps[:, 1] << 5) | steps[:, 0]
    often = np.flatnonzero(np.bincount(names, minlength=1 << 15) >= OFTEN * len(some))
    if not len(often):
        return None
    name = max(often.tolist(), key=lambda k: (k >> 10) + (k >> 5 & 31) + (k & 31))
    white = np.median(some[names == name], axis=0)
    blue, green, red = (float(v) for v in white)
    if red < BRIGHT or not DARK * red <= blue <= WARM * red or not blue <= green <= red:
        return None
    if float((some > white + ABOVE).any(1).mean()) > FEW:
        return None
    table = np.arange(256)[:, None] * (red / white)
    return Frame(
        np.asarray(cv2.LUT(frame.pixels, table.round().clip(0, 255).astype(np.uint8)[None]), np.uint8),
        frame.origin,
        frame.scale,
    )
