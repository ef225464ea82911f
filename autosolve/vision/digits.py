"""Owns printed numbers: which digits stand in a small picture of ink, in fonts nobody has named.

Legend: ink is a float32 picture, 0 for the page and 1 for full ink. A digit is brought to one height and held against
the digits of two dozen fonts (``digits.png``, drawn by ``tools/draw_digits.py``), softened as much as its own size
makes it soft. What fits none well, or two alike, is no digit.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

F32 = npt.NDArray[np.float32]

SIDE, HEIGHT = 32, 24  # pixels: a digit's square, and the digit in it
LEAST = 6.6  # pixels: smaller digits are not told
LIKE = 0.86  # correlation with the best font's digit, at least
APART = 0.045  # by which the next digit fits worse, at least
TOUCH = 0.3  # ink between two strokes from which they belong together
WHOLE = 0.35  # ink from which a pixel belongs to a digit
EVEN = 0.16  # of a digit's height: digits of one number differ by less
MERGED = 0.72  # correlation with any one digit from which a shape is not two of them
WIDEST = 1.05  # of its height: what is wider is more than one digit
NARROW = 0.5  # of its height: a part cut off that is no 1 is wider
TOUCHING = 9.0  # pixels: smaller digits are not cut apart
GAP = 0.55  # of a digit's height: digits of one number stand closer


class Digit(NamedTuple):
    """One digit: ``char`` "0" to "9", or "" where it is none; its box in pixels; how well it fits, 0..1, and how
    much worse the next does."""

    char: str
    left: float
    top: float
    right: float
    bottom: float
    likeness: float
    margin: float


class Number(NamedTuple):
    """A printed number and the box of its digits, in pixels of the ink it was read from."""

    value: int
    text: str
    left: float
    top: float
    right: float
    bottom: float
    certainty: float


def number(ink: F32) -> Number | None:
    """The one number that a picture of ink (h, w) holds; None where it holds anything else, or no number for sure.

    The number must stand free: ink at the picture's edge is a number that goes on."""
    told = row(ink)
    return join(told) if told else None


def row(ink: F32) -> list[Digit]:
    """The digits in a picture of ink from left to right; empty where something in it is none for sure."""
    spans = _spans(ink.max(0) > TOUCH)
    if not spans or spans[0][0] == 0 or spans[-1][1] == ink.shape[1]:
        return []
    told: list[Digit] = []
    for span in spans:
        digit = tell(ink, span)
        if digit.likeness < MERGED:
            ways = [way for way in (_all(ink, parts) for parts in cuts(ink, span)) if way]
            if len(ways) != 1:  # it may be cut in two ways that both make digits
                return []
            told += ways[0]
        else:
            told.append(digit)
    return told if all(digit.char for digit in told) else []


def join(told: Sequence[Digit]) -> Number | None:
    """Digits that stand in a row as one number; None where they are not of one size, or do not stand together."""
    heights = [d.bottom - d.top for d in told]
    tall = max(heights)
    slack = max(1.0, EVEN * tall)
    if tall - min(heights) > slack or max(d.top for d in told) - min(d.top for d in told) > slack:
        return None
    if any(b.left - a.right > GAP * tall for a, b in pairwise(told)):
        return None
    text = "".join(d.char for d in told)
    box = told[0].left, min(d.top for d in told), told[-1].right, max(d.bottom for d in told)
    return Number(int(text), text, *box, min(d.likeness for d in told))


def _all(ink: F32, spans: Sequence[tuple[int, int]]) -> list[Digit]:
    """The digits in all of these spans; empty where one is none."""
    told = [tell(ink, span) for span in spans]
    wide = [(d.right - d.left) / max(1.0, d.bottom - d.top) for d in told]
    return told if all(d.char and (w > NARROW or d.char == "1") for d, w in zip(told, wide, strict=True)) else []


def cuts(ink: F32, span: tuple[int, int]) -> list[list[tuple[int, int]]]:
    """The ways to cut digits that touch apart, where there is least ink; none where a span is too narrow for two."""
    rows = np.flatnonzero((ink > WHOLE).any(1))
    tall = float(rows[-1] - rows[0] + 1)
    if tall < TOUCHING:
        return []
    first, last = span
    out = []
    for parts in sorted({round((last - first) / (wide * tall)) for wide in (0.6, 0.75, 0.95)}):
        if parts < 2 or last - first < WIDEST * tall:
            continue
        edges = [first]
        for k in range(1, parts):
            middle, slack = first + (last - first) * k / parts, max(1, round(0.12 * tall))
            low, high = max(first + 1, round(middle) - slack), min(last - 1, round(middle) + slack)
            edges.append(low + int(ink[:, low : high + 1].sum(0).argmin()))
        out.append(list(zip(edges, [*edges[1:], last], strict=True)))
    return out


def tell(ink: F32, span: tuple[int, int]) -> Digit:
    """The digit in a span of columns."""
    first, last = max(0, span[0] - 1), min(ink.shape[1], span[1] + 1)
    part = ink[:, first:last].copy()
    if first < span[0]:
        part[:, 0] = np.minimum(part[:, 0], WHOLE)
    if last > span[1]:
        part[:, -1] = np.minimum(part[:, -1], WHOLE)
    x0, x1 = _extent(part.max(0))
    y0, y1 = _extent(part.max(1))
    box = first + x0, y0, first + x1, y1
    tall = y1 - y0
    if tall < LEAST or x1 - x0 > 1.1 * tall:
        return Digit("", *box, 0.0, 0.0)
    unit = tall / HEIGHT
    place = np.array(
        [
            [unit, 0, (x0 + x1) / 2 - SIDE / 2 * unit + 0.5 * unit - 0.5],
            [0, unit, (y0 + y1) / 2 - SIDE / 2 * unit + 0.5 * unit - 0.5],
        ],
        np.float32,
    )
    flags = (cv2.INTER_LINEAR if unit < 1.5 else cv2.INTER_AREA) | cv2.WARP_INVERSE_MAP
    if unit > 1.2:  # larger than the fonts' pictures: averaged down
        part = np.asarray(cv2.GaussianBlur(part, (0, 0), 0.4 * unit), np.float32)
    seen = cv2.warpAffine(part, place, (SIDE, SIDE), flags=flags, borderMode=cv2.BORDER_CONSTANT)
    flat = np.asarray(cv2.GaussianBlur(seen, (0, 0), 0.7), np.float32).ravel()
    flat = flat - flat.mean()
    size = float(np.linalg.norm(flat))
    if size < 1e-3:
        return Digit("", *box, 0.0, 0.0)
    fits = (_fonts(min(HEIGHT, round(tall))) @ (flat / size)).reshape(-1, 10).max(0)
    order = np.argsort(fits)
    best, margin = float(fits[order[-1]]), float(fits[order[-1]] - fits[order[-2]])
    # a digit that fits perfectly may have a neighbour that fits well
    sure = best >= LIKE and (margin >= APART or (margin >= APART / 2 and 1 - best < 0.3 * (1 - best + margin)))
    return Digit(str(order[-1]) if sure else "", *box, best, margin)


@lru_cache(maxsize=32)
def _fonts(tall: int) -> F32:
    """(fonts * 10, SIDE * SIDE): the digits of all fonts, as soft as those that are ``tall`` pixels high."""
    raw = (files("autosolve.vision") / "digits.png").read_bytes()
    atlas = cv2.imdecode(np.frombuffer(raw, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert atlas is not None
    squares = atlas.reshape(-1, SIDE, 10, SIDE).swapaxes(1, 2).reshape(-1, SIDE, SIDE).astype(np.float32) / 255
    soft = float(np.hypot(0.7, 0.42 * HEIGHT / tall))  # a pixel of the picture, and the blur of what is seen
    out = np.stack([cv2.GaussianBlur(s, (0, 0), soft) for s in squares]).reshape(len(squares), -1)
    out = out - out.mean(1, keepdims=True)
    return np.asarray(out / np.linalg.norm(out, axis=1, keepdims=True), np.float32)


def _spans(filled: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Stretches of True as (first, one past the last)."""
    steps = np.diff(np.concatenate([[0], filled.astype(np.int8), [0]]))
    return list(zip(np.flatnonzero(steps > 0).tolist(), np.flatnonzero(steps < 0).tolist(), strict=True))


def _extent(run: F32) -> tuple[float, float]:
    """Where a run of ink begins and ends, half way up, to a part of a pixel."""
    over = np.flatnonzero(run > 0.5)
    if not len(over):
        return 0.0, 0.0
    first, last = int(over[0]), int(over[-1])

    def beyond(at: int, step: int) -> float:
        there = float(run[at + step]) if 0 <= at + step < len(run) else 0.0
        return float(np.clip((run[at] - 0.5) / max(1e-3, float(run[at]) - there), 0, 1))

    return first + 0.5 - beyond(first, -1), last + 0.5 + beyond(last, 1)
