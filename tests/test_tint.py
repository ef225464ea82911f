"""Pictures with a night tint: read as they were before it; and what is no tint."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from autosolve.vision import picture
from autosolve.vision.frame import Frame
from autosolve.vision.profile import load, site_folders
from autosolve.vision.read import read
from autosolve.vision.tint import whitened
from tests.skins import LOOKS, WIDE, paint

OWN = Path(__file__).resolve().parent.parent / "fixtures/screens"
SITES = [load(name) for name in site_folders()]
Pixels = npt.NDArray[np.uint8]


def warm(pixels: Pixels, blue: float, green: float) -> Pixels:
    return np.asarray((pixels * np.array([blue, green, 1.0])).round(), np.uint8)


@pytest.mark.parametrize(("blue", "green"), [(0.6, 0.85), (0.45, 0.75), (0.82, 0.94)])
@pytest.mark.parametrize("name", ["puzzle-minesweeper/size-5x9", "mosaic/m010-Arial-1.5x1-10x10"])
def test_a_page_with_a_night_tint_is_read_as_without(name: str, blue: float, green: float) -> None:
    plain = picture.load(OWN / f"{name}.png")
    before = read(plain, SITES)
    assert not before.doubts
    tinted = Frame(warm(plain.pixels, blue, green))
    after = read(tinted, SITES)
    assert (after.profile, after.symbols, after.totals) == (before.profile, before.symbols, before.totals)
    assert not after.doubts and not after.grid.cut
    assert after.frame is tinted  # what is kept and drawn on is what was seen
    again = read(tinted, after.profile, grid=after.grid)
    assert again.symbols == before.symbols and not again.doubts


def test_what_is_no_tint() -> None:
    page = paint(WIDE, LOOKS["tiles"], 30)
    assert whitened(Frame(page)) is None
    veiled = np.asarray(page // 2, np.uint8)  # a dialog's veil takes as much from every channel
    assert whitened(Frame(veiled)) is None
    cold = np.asarray(warm(page[:, :, ::-1], 0.6, 0.85)[:, :, ::-1], np.uint8)
    assert whitened(Frame(np.ascontiguousarray(cold))) is None
    beige = np.asarray(np.where(page > 240, np.array([180, 215, 240]), page), np.uint8)
    beige[5:35, 5:60] = 255  # something white is there: beige is beige
    assert whitened(Frame(beige)) is None


def test_white_is_white_again() -> None:
    page = np.full((90, 140, 3), 250, np.uint8)
    cv2.circle(page, (60, 40), 20, (90, 140, 30), -1)
    undone = whitened(Frame(warm(page, 0.6, 0.85)))
    assert undone is not None
    assert np.abs(undone.pixels.astype(int) - page).max() <= 2


def test_a_page_under_a_veil_stays_doubtful_with_a_tint() -> None:
    plain = picture.load(OWN / "puzzle-minesweeper/hidden/consent-1.png")
    assert len(read(plain, SITES).doubts) == 100
    try:
        reading = read(Frame(warm(plain.pixels, 0.6, 0.85)), SITES)
    except Exception as fault:  # or it is no board at all
        assert type(fault).__name__ == "BoardNotFound"
    else:
        assert len(reading.doubts) == 100
