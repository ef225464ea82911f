"""Saved pictures against their boards: every cell right at every zoom, and nothing accepted that is hidden.

``--update`` rewrites NAME.txt from what is read, for a person to look at in the diff.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from autosolve.errors import AutosolveError, BoardNotFound, Unreadable
from autosolve.vision.frame import Frame
from autosolve.vision.profile import Profile, load
from autosolve.vision.read import Reading, read

SCREENS = Path(__file__).resolve().parent.parent / "fixtures" / "screens"
SITES = ("puzzle-minesweeper", "local-player")
WHOLE = [(site, f.stem) for site in SITES for f in sorted((SCREENS / site).glob("*.png"))]
HIDDEN = [(site, f"hidden/{f.stem}") for site in SITES for f in sorted((SCREENS / site / "hidden").glob("*.png"))]


def pictures(pairs: list[tuple[str, str]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("site", "name"), [pytest.param(*pair, id="/".join(pair)) for pair in pairs])


@cache
def profile(site: str) -> Profile:
    return load(site)


def frame(file: Path) -> Frame:
    pixels = cv2.imread(str(file), cv2.IMREAD_COLOR)
    assert pixels is not None, file
    return Frame(pixels.astype(np.uint8))


@cache
def whole(site: str, name: str) -> Reading:
    return read(frame(SCREENS / site / f"{name}.png"), profile(site))


def facts(site: str, name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((SCREENS / site / f"{name}.json").read_text())
    return data


def differences(expected: list[str], seen: list[str]) -> str:
    if [len(r) for r in expected] != [len(r) for r in seen]:
        return f"{len(seen)}x{len(seen[0])} cells instead of {len(expected)}x{len(expected[0])}"
    wrong = [
        f"r{r + 1}c{c + 1} is {e!r}, read as {s!r}"
        for r, (want, got) in enumerate(zip(expected, seen, strict=True))
        for c, (e, s) in enumerate(zip(want, got, strict=True))
        if e != s
    ]
    return "; ".join(wrong)


def test_there_are_enough_pictures() -> None:
    zooms: dict[tuple[str, int], int] = {}
    for site, name in WHOLE:
        known = facts(site, name)
        key = (site, round(100 * known["ratio"]))
        zooms[key] = zooms.get(key, 0) + known["rows"] * known["cols"]
    for site in SITES:
        assert len([z for s, z in zooms if s == site]) >= 17
    assert min(n for n in zooms.values()) >= 300
    assert len(HIDDEN) >= 12


@pictures(WHOLE)
def test_every_cell_is_read(site: str, name: str, request: pytest.FixtureRequest) -> None:
    text = SCREENS / site / f"{name}.txt"
    reading = whole(site, name)
    if request.config.getoption("--update"):
        text.write_text("".join(f"{row}\n" for row in reading.text))
    assert not differences(text.read_text().split(), reading.text)
    assert not reading.doubts, {reading.grid.shape.name(c): reason for c, reason in reading.doubts.items()}
    assert not reading.grid.cut


@pictures(WHOLE)
def test_the_lattice_is_where_it_is(site: str, name: str) -> None:
    """Every click must land well inside its cell: within a tenth of a cell of the middle, at all four corners."""
    known = facts(site, name)
    grid = whole(site, name).grid
    for row in (0, known["rows"] - 1):
        for col in (0, known["cols"] - 1):
            centre = grid.centre(grid.shape.cell(row, col))
            pitch_x, pitch_y = known["pitch"]
            assert abs(centre.x - (known["left"] + (col + 0.5) * pitch_x)) < 0.1 * pitch_x
            assert abs(centre.y - (known["top"] + (row + 0.5) * pitch_y)) < 0.1 * pitch_y


def wrong_cells(reading: Reading, known: dict[str, Any]) -> list[str]:
    """Accepted cells that show something else, lie where no cell is, or are wholly hidden."""
    share = {(r, c): s for r, c, s in known["hidden"]}
    pitch_x, pitch_y = known["pitch"]
    shape, out = reading.grid.shape, []
    for cell, symbol in enumerate(reading.symbols):
        if cell in reading.doubts:
            continue
        centre = reading.grid.centre(cell)
        col, row = (centre.x - known["left"]) / pitch_x - 0.5, (centre.y - known["top"]) / pitch_y - 0.5
        at = (round(row), round(col))
        if not (0 <= at[0] < known["rows"] and 0 <= at[1] < known["cols"]):
            out.append(f"{shape.name(cell)} lies outside the board and was read as {symbol.value!r}")
        elif max(abs(row - at[0]), abs(col - at[1])) > 0.25:
            out.append(f"{shape.name(cell)} lies between cells and was read as {symbol.value!r}")
        elif symbol.value != known["below"][at[0]][at[1]]:
            out.append(f"{shape.name(cell)} is {known['below'][at[0]][at[1]]!r}, read as {symbol.value!r}")
        elif share.get(at, 0) > 0.95:
            out.append(f"{shape.name(cell)} is hidden and was read as {symbol.value!r}")
    return out


@pictures(HIDDEN)
def test_what_is_hidden_is_not_accepted(site: str, name: str) -> None:
    known = facts(site, name)
    try:
        reading = read(frame(SCREENS / site / f"{name}.png"), profile(site))
    except (BoardNotFound, Unreadable):
        return
    assert not wrong_cells(reading, known)
    assert reading.doubts or reading.grid.cut, "read as a whole board without doubt"


@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize("other", SITES)
def test_a_site_does_not_read_the_other_wrongly(site: str, other: str) -> None:
    """A board of another site may be refused; where it is read, it is read right."""
    for owner, name in [w for w in WHOLE if w[0] == other and w[1].startswith(("100-", "150-"))]:
        expected = (SCREENS / owner / f"{name}.txt").read_text().split()
        try:
            reading = read(frame(SCREENS / owner / f"{name}.png"), profile(site))
        except AutosolveError:
            assert site != other, "its own board was refused"
            continue
        accepted = [
            (reading.grid.shape.name(cell), symbol.value, expected[cell // len(expected[0])][cell % len(expected[0])])
            for cell, symbol in enumerate(reading.symbols)
            if cell not in reading.doubts
        ]
        assert [a for a in accepted if a[1] != a[2]] == []


def test_the_real_site_at_150_percent(shared: Path) -> None:
    known = json.loads((shared / "screens" / "puzzle-01.json").read_text())
    reading = read(frame(shared / "screens" / "puzzle-01.png"), profile("puzzle-minesweeper"))
    assert not differences([row.replace("#", ".") for row in known["grid"]], reading.text)
    assert not reading.doubts
    assert len(reading.puzzle.clues) == 34
