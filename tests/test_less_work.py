"""The quick ways of the reader against the plain ones: less work, the same answer."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autosolve.vision import counter, grid
from autosolve.vision.cells import T, medians, normalise, planar
from autosolve.vision.frame import Frame, Pixels
from autosolve.vision.windows import _runs


def page(seed: int, height: int, width: int) -> Pixels:
    """An even page with rectangles, lines and a little text on it."""
    dice = np.random.default_rng(seed)
    pixels = np.full((height, width, 3), dice.integers(60, 220, 3), np.uint8)
    for _ in range(12):
        x, y = int(dice.integers(0, width)), int(dice.integers(0, height))
        w, h = (int(v) for v in dice.integers(1, 40, 2))
        pixels[y : y + h, x : x + w] = dice.integers(0, 256, 3)
    cv2.putText(pixels, "40", (width // 3, height // 2), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
    return pixels


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("size", [(90, 70), (240, 300)], ids=str)
def test_tiles_of_a_picture_twice_as_large_are_those_of_the_picture_repeated(seed: int, size: tuple[int, int]) -> None:
    pixels = page(seed, *size)
    twice = np.repeat(np.repeat(pixels, 2, axis=0), 2, axis=1)
    for edge in (12, 5, 2):
        plain = grid._tiles(*grid._steps_in(twice), edge)
        quick = grid._tiles(*grid._steps_in(pixels), edge, doubled=True)
        assert np.array_equal(plain, quick)
        assert np.array_equal(0.5 * quick, grid._tiles_of(Frame(pixels), None, edge, 0.5))


@pytest.mark.parametrize("seed", range(6))
def test_what_is_empty_around_tiles_is_no_tile(seed: int) -> None:
    pixels = page(seed, 220, 260)
    wide = cv2.copyMakeBorder(pixels, 300, 300, 300, 300, cv2.BORDER_CONSTANT, value=[9, 9, 9])
    own = grid._tiles(
        *grid._steps_in(cv2.copyMakeBorder(pixels, 170, 170, 170, 170, cv2.BORDER_CONSTANT, value=[9] * 3)), 12
    )
    assert np.array_equal(grid._tiles(*grid._steps_in(wide), 12), own + np.array([130, 130, 0, 0]))
    assert (own[:, 2:] <= grid.MAX_TILE).all()


@pytest.mark.parametrize("seed", range(8))
def test_ink_beside_the_page_is_found_wherever_it_is(seed: int) -> None:
    pixels = page(seed, 120, 310)
    plain = cv2.absdiff(pixels, cv2.medianBlur(pixels, counter.AROUND)).max(2)
    quick = counter._away(pixels)
    strong = plain > counter.STRONG
    assert np.array_equal(quick > counter.STRONG, strong)
    near = cv2.dilate(strong.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0  # what glyphs are cut with
    assert np.array_equal(quick[near], plain[near])


@given(st.integers(0, 99), st.integers(1, 30), st.integers(1, 30), st.integers(1, 20))
@settings(max_examples=60, deadline=None)
def test_the_strongest_values(seed: int, height: int, width: int, count: int) -> None:
    values = np.random.default_rng(seed).integers(0, 90, (height, width)).astype(np.float32)
    ordered = np.sort(values.ravel())
    wanted = float(ordered[-count]) if values.size >= count and ordered[-count] >= 40 else 0.0
    assert counter._strongest(values, count, 40.0) == wanted


@pytest.mark.parametrize("place", [(7, 5, 21, 21), (0, 0, 37, 40), (3, 9, 32, 32)], ids=str)
def test_cells_that_lie_on_pixels_are_taken_as_they_are(place: tuple[int, int, int, int]) -> None:
    pixels = page(1, 300, 300)
    x, y, wide, high = place
    shifted = normalise(pixels, x + 1e-7, y, wide, high, 5, 6)  # by so little no pixel changes
    cells = pixels[y : y + 5 * high, x : x + 6 * wide]
    shrinks = wide > T and high > T
    sized = cv2.resize(cells, (6 * T, 5 * T), interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR)
    middle = slice(4, -4)  # of a cell that grows, its neighbour is kept out
    plain = sized.reshape(5, T, 6, T, 3).swapaxes(1, 2).reshape(30, T, T, 3)
    assert np.array_equal(shifted[:, middle, middle], plain[:, middle, middle])


@pytest.mark.parametrize("kind", [np.uint8, np.float32])
@pytest.mark.parametrize("count", [1, 2, 7, 10])
def test_medians(kind: type, count: int) -> None:
    values = np.random.default_rng(count).integers(0, 30, (4, 5, count)).astype(kind)
    assert np.array_equal(medians(values), np.median(values, axis=-1))


def test_channels_one_by_one() -> None:
    stack = np.random.default_rng(3).integers(0, 256, (5, T, T, 3)).astype(np.uint8)
    assert np.array_equal(planar(stack), stack.transpose(3, 0, 1, 2))
    assert np.array_equal(planar(stack[:, 3:-3, 3:-3]), stack[:, 3:-3, 3:-3].transpose(3, 0, 1, 2))
    assert planar(stack[:0]).shape == (3, 0, T, T)


def test_edges_that_run_over_cells() -> None:
    """Two long runs in one row of pixels are two edges, and none goes on in the next row."""
    part = np.full((40, 100, 3), 90, np.uint8)
    part[10:, 4:40] = part[10:, 60:100] = 200
    change = np.zeros((39, 100), np.uint8)
    change[9, 4:40] = change[9, 60:100] = 110
    change[10, 0:5] = 110  # with the end of the row before, it would be long
    assert _runs(part, change, 0.0, 20.0, 2, 20.0) == [(10.0, 4.0, 40.0), (10.0, 60.0, 100.0)]
