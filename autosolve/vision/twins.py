"""Owns whether what is taken for one thing is one: values and drawings that fall into two kinds, and flags of which one
has a mark that the others have not.

Drawings of one kind differ by noise and by a part of a pixel in place; those of two kinds differ always, and always
alike, however little."""

from __future__ import annotations

from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from autosolve.vision.cells import F32, Bools, T, medians, planar
from autosolve.vision.frame import Pixels

Ints = npt.NDArray[np.int64]

PARTED = 12  # values from which it can be told that they fall into two groups
APART = 0.2  # distance of the means of two kinds of drawings, of unit length, that are much alike
QUIET = 12.0  # grey levels by which a cell may differ from its like in a small patch
SAMPLE = 24  # flags that all others are held against
SOME, MOST = 0.3, 0.8  # of the other flags: one is like so many of them; a second kind is less than the rest
ODD, FEW_ODD = 1.8, 1.6  # times what flags differ by: more, and it is by more than their places
HALVES = 4.5  # times as far to most as to the nearest: there are two kinds
MANY_ODD = 0.25  # of all flags: more that differ from the rest, and two kinds of flags look alike
MANY, ONE = 6, 1.5  # flags that are surely of one kind, and times what they differ by from the nearest ones
INSIDE = 4  # of a cell's T pixels along its sides: lines and bevels


def parted(values: F32, least: float) -> Bools | None:
    """(n,) the upper of two tight groups that the values fall into, their means ``least`` apart or more; None where
    they do not."""
    if len(values) < PARTED:
        return None
    low, high = (float(v) for v in np.percentile(values, (5, 95)))
    if high - low < least:
        return None
    for _ in range(8):
        upper = values > (low + high) / 2
        if not upper.any() or upper.all():
            return None
        low, high = float(values[~upper].mean()), float(values[upper].mean())
    within = max(float(np.std(values[upper])), float(np.std(values[~upper])))
    apart = min(upper.mean(), (~upper).mean()) >= 0.1 and high - low >= max(least, 5 * within)
    return np.asarray(upper, bool) if apart else None


def kinds(glyphs: F32, alike: Ints) -> list[Ints]:
    """Drawings that are alike, ``alike`` of the glyphs (n, k), each of unit length, as the one or more kinds they are:
    digits of a few pixels differ by little."""
    rest = glyphs[alike] - glyphs[alike].mean(0)
    far = np.einsum("nk,nk->n", rest, rest)
    if len(alike) < PARTED or far.max(initial=0) < (APART / 2) ** 2:
        return [alike]
    along = rest[far.argmax()]  # where they differ most: the first principal direction, by power iteration
    for _ in range(6):
        along = (rest @ along) @ rest
        along /= max(float(np.linalg.norm(along)), 1e-9)
    upper = parted(rest @ along, APART)
    return [alike] if upper is None else [*kinds(glyphs, alike[upper]), *kinds(glyphs, alike[~upper])]


def away(stack: Pixels, body: F32) -> F32:
    """(3, n, ...): how far cells, or parts of them, are from their bodies, channel by channel."""
    return np.asarray(planar(stack) - body.T[:, :, None, None], np.float32)


def median(planes: F32) -> F32:
    """(3, ...): the usual one of cells (3, n, ...)."""
    lines = np.asarray([cv2.transpose(plane) for plane in planes.reshape(3, planes.shape[1], -1)], np.float32)
    return medians(lines).reshape(3, *planes.shape[2:])


def beyond(planes: F32, usual: F32) -> F32:
    """(3, n, ...): by how much cells lie outside of what the usual one, (3, ...), shows within a pixel around: where it
    changes, its like differ by the part of a pixel that they lie aside."""
    around = np.ones((3, 3), np.uint8)
    lowest, highest = (
        np.stack([change(plane, around) for plane in usual])[:, None] for change in (cv2.erode, cv2.dilate)
    )
    return np.asarray(planes - planes.clip(lowest, highest), np.float32)


def patches(planes: F32) -> F32:
    """(n, 36) means of the 4 x 4 pixel patches of the inner parts of cells."""
    n, side = len(planes), T // 4 - 2
    return np.asarray(planes.reshape(n, side, 4, side, 4).mean((2, 4)).reshape(n, -1), np.float32)


def odd_flags(stack: Pixels, body: F32, flags: Bools) -> tuple[Ints, bool]:
    """Which flags have something on them that most others have not: a small mark makes an unsure flag of one, or a
    crossed one. Where many differ it is all: which kind they are cannot be told. And whether all are surely of one
    kind: none is odd, and they differ from most others hardly more than from the nearest.

    ``stack`` normalised cells (n, T, T, 3), ``body`` (n, 3) BGR, ``flags`` (n,)"""
    mine = np.flatnonzero(flags)
    if len(mine) < 2:
        return mine[:0], False
    others = np.arange(0, len(mine), 1 + len(mine) // SAMPLE)

    # means of 4 x 4 pixels from each pixel on
    tall = cv2.blur(stack[mine].reshape(-1, T, 3).astype(np.float32), (4, 4), anchor=(0, 0))
    means = tall.reshape(len(mine), T, T, 3)

    def prints(dy: int, dx: int) -> tuple[F32, F32]:
        """(flags, patches): what each shows at a small step aside, and how far that is from its body."""
        down, across = (slice(INSIDE + by, T - INSIDE + by, 4) for by in (dy, dx))
        seen = means[:, down, across]
        bare = seen - body[mine][:, None, None]
        return np.asarray(seen.reshape(len(mine), -1), np.float32), np.asarray(bare.reshape(len(mine), -1), np.float32)

    usual = [values[others] for values in prints(0, 0)]
    apart = np.full((len(mine), len(others)), np.inf, np.float32)
    near, most = (int(share * (len(others) - 2)) for share in (SOME, MOST))
    for ring in range(3):  # a screen has whole pixels, so that a drawing may lie a part of one aside
        for step in product(range(-ring, ring + 1), repeat=2):
            if max(np.abs(step)) == ring:
                # on another shade of ground a flag's own colour is the same, and the ground as far from its body
                ways = [np.abs(values[:, None] - known) for values, known in zip(prints(*step), usual, strict=True)]
                apart = np.minimum(apart, np.minimum(*ways).max(2))
        apart[others, np.arange(len(others))] = np.inf
        # to the nearest third of the others, as of the same flag several look the same, and to most of them
        far, further = np.partition(apart, (near, most), axis=1)[:, [near, most]].T
        noise, spread = float(np.median(far)), float(np.median(further))
        halves = noise <= QUIET / 2 and spread > max(QUIET, HALVES * noise)
        if far.max() <= QUIET and not halves:
            return mine[:0], spread <= QUIET
    odd = far > max(QUIET, ODD * noise)
    if odd.any():  # where there are two kinds, smaller marks count too
        odd |= far > max(QUIET / 2, FEW_ODD * noise)
    one = not odd.any() and len(mine) >= MANY and spread <= ONE * noise
    return mine if halves or odd.mean() > MANY_ODD else mine[odd], one
