"""The puzzle site's mosaic: photographs against their boards, the variant on the command line, and its clicks."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from autosolve.board import notation
from autosolve.board.puzzle import Variant
from autosolve.board.shape import cells_in
from autosolve.cli.main import run_command
from autosolve.clicks import plan as planner
from autosolve.clicks.plan import Purpose
from autosolve.errors import BoardNotFound
from autosolve.vision.frame import Frame
from autosolve.vision.profile import FLAGS, Profile, Symbol, load, site_folders
from autosolve.vision.read import Reading, read

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"
SHOTS = sorted((FIXTURES / "screens" / "mosaic").glob("*.png"))
# At these zooms the browser lets so many lines between cells fall away that the lattice stays short: they are refused.
SHORT = ("m027-LiberationSans-0.8x1-30x18", "m077-Carlito-0.75x1-30x18")
# Fonts of which a 6 and an 8 are near each other, and no colour tells them.
NEAR = ("m064-FreeSans-1.1x0.87-15x15", "m026-LiberationSans-1x0.75-12x31", "m042-Verdana-0.8x1-30x18")
EXACT = [f for f in SHOTS if f.stem not in SHORT]


@cache
def site() -> Profile:
    return load("mosaic")


def frame(file: Path) -> Frame:
    pixels = cv2.imread(str(file), cv2.IMREAD_COLOR)
    assert pixels is not None, file
    return Frame(pixels.astype(np.uint8))


@cache
def whole(file: Path) -> Reading:
    return read(frame(file), site())


def truth(file: Path) -> tuple[list[str], set[tuple[int, int]]]:
    facts: dict[str, Any] = json.loads(file.with_suffix(".json").read_text())
    return file.with_suffix(".txt").read_text().split(), {(r, c) for r, c in facts["flags"]}


def wrong(file: Path, reading: Reading) -> list[str]:
    """The cells that were told and are another."""
    rows, filled = truth(file)
    shape = reading.grid.shape
    out = []
    for cell in cells_in(shape.all & ~reading.doubtful):
        r, c = shape.at(cell)
        symbol = reading.symbols[cell]
        if symbol.char != rows[r][c] or ((r, c) in filled) is not (symbol in FLAGS):
            out.append(f"{shape.name(cell)} is {rows[r][c]}{' filled' * ((r, c) in filled)}, read as {symbol.name}")
    return out


def test_there_are_enough_pictures() -> None:
    assert len(EXACT) >= 20
    assert sum(bool(truth(f)[1]) for f in SHOTS) >= 8  # partly filled
    assert any(len(truth(f)[0]) != len(truth(f)[0][0]) for f in EXACT)


@pytest.mark.parametrize("file", EXACT, ids=lambda f: f.stem)
def test_every_cell_is_read(file: Path) -> None:
    reading = whole(file)
    rows, filled = truth(file)
    assert (reading.text, wrong(file, reading), reading.doubts, reading.grid.cut) == (rows, [], {}, frozenset())
    shape = reading.grid.shape
    assert set(map(tuple, shape.pairs(reading.marks.flags))) == filled
    puzzle = reading.puzzle
    assert (puzzle.variant, puzzle.covered) == (Variant.MOSAIC, shape.all)
    assert {shape.at(c): n for c, n in puzzle.clues.items()} == {
        (r, c): int(s) for r, row in enumerate(rows) for c, s in enumerate(row) if s.isdigit()
    }


@pytest.mark.parametrize("share", [0.4, 0.5, 0.6])
@pytest.mark.parametrize("file", [f for f in SHOTS if f.stem in NEAR], ids=lambda f: f.stem)
def test_a_digit_half_way_between_two_is_doubtful(file: Path, share: float) -> None:
    """Neither the one nor the other, however near the two are in the font."""
    reading, pixels, rows = whole(file), frame(file).pixels.copy(), truth(file)[0]
    grid, filled = reading.grid, truth(file)[1]

    def inside(r: int, c: int) -> tuple[slice, slice]:
        centre, half = grid.centre(grid.shape.cell(r, c)), int(0.4 * grid.pitch_x)
        x, y = round(centre.x), round(centre.y)
        return slice(y - half, y + half), slice(x - half, x + half)

    at = {d: [(r, c) for r, row in enumerate(rows) for c, s in enumerate(row) if s == d] for d in "68"}
    pairs = [(one, other) for one in at["6"] for other in at["8"] if (one in filled) is (other in filled)]
    assert pairs
    one, other = pairs[0]
    mixed = share * pixels[inside(*one)].astype(np.float32) + (1 - share) * pixels[inside(*other)].astype(np.float32)
    pixels[inside(*one)] = mixed.round().astype(np.uint8)
    assert grid.shape.cell(*one) in read(Frame(pixels), site()).doubts


@pytest.mark.parametrize("file", EXACT[::5], ids=lambda f: f.stem)
def test_it_is_found_among_all_sites(file: Path) -> None:
    reading = read(frame(file), [load(name) for name in site_folders()])
    assert (reading.profile.name, wrong(file, reading), len(reading.doubts)) == ("mosaic", [], 0)


def test_a_puzzle_board_is_no_mosaic() -> None:
    sites = [load("mosaic"), load("puzzle-minesweeper")]
    for name in ("size-20x20", "150z-dejavusans", "100x0.65-tahoma"):
        file = FIXTURES / "screens" / "puzzle-minesweeper" / f"{name}.png"
        reading = read(frame(file), sites)
        assert (reading.profile.name, reading.text) == (
            "puzzle-minesweeper",
            file.with_suffix(".txt").read_text().split(),
        )


PUZZLES = FIXTURES / "screens" / "puzzle-minesweeper"


@pytest.mark.parametrize(
    "file", [*sorted((PUZZLES / "hidden").glob("*.png")), PUZZLES / "133-arial.png"], ids=lambda f: f.stem
)
def test_looking_for_mosaics_too_takes_nothing_from_puzzles(file: Path) -> None:
    def said(sites: list[Profile]) -> Any:
        try:
            reading = read(frame(file), sites)
        except BoardNotFound:
            return None
        return reading.profile.name, reading.text, dict(reading.doubts), reading.grid.cut

    one = load("puzzle-minesweeper")
    assert one.also == ("mosaic",)
    assert said([one, site()]) == said([one])


def covered_by(pixels: Any, reading: Reading, at: tuple[float, float, float, float], colour: int) -> Frame:
    """The picture with a plain patch over cells: row, column, height and width in cells."""
    x, y, px, py = reading.grid.left, reading.grid.top, reading.grid.pitch_x, reading.grid.pitch_y
    r, c, h, w = at
    out = pixels.copy()
    out[round(y + r * py) : round(y + (r + h) * py), round(x + c * px) : round(x + (c + w) * px)] = colour
    return Frame(out)


@pytest.mark.parametrize("colour", [255, 0xCC, 0x66, 0x22, 0])
@pytest.mark.parametrize("at", [(1.4, 2.3, 2.0, 3.0), (3.5, 0.5, 1.2, 5.5), (0.2, 4.3, 3.1, 1.6)])
def test_nothing_under_a_patch_is_accepted(at: tuple[float, float, float, float], colour: int) -> None:
    file = next(f for f in EXACT if "NotoSans-1.5" in f.stem)
    clear = whole(file)
    reading = read(covered_by(clear.frame.pixels, clear, at, colour), site(), grid=clear.grid)
    r, c, h, w = at
    shape = clear.grid.shape
    hidden = [
        shape.cell(i, j)
        for i in range(int(r), int(np.ceil(r + h)))
        for j in range(int(c), int(np.ceil(c + w)))
        if (min(r + h, i + 1) - max(r, i)) * (min(c + w, j + 1) - max(c, j)) > 0.5
    ]
    assert hidden
    taken = {cell for cell in hidden if cell not in reading.doubts}
    # on a filled cell without a clue a patch of its very colour shows what is there
    assert [shape.name(c) for c in taken if colour != 0x22 or clear.symbols[c] is not Symbol.FLAG] == []
    assert wrong(file, reading) == []


# ---------------------------------------------------------------- clicks


def test_clue_cells_are_filled_like_any_other() -> None:
    file = next(f for f in EXACT if truth(f)[1])
    reading = whole(file)
    shape, filled = reading.grid.shape, reading.marks.flags
    clues = [c for c in cells_in(shape.all) if reading.symbols[c].number is not None]
    blank = next(c for c in cells_in(shape.all & ~filled) if reading.symbols[c] is Symbol.COVERED)
    bare = next(c for c in clues if not filled >> c & 1)
    done = next(c for c in clues if filled >> c & 1)
    plan = planner.make(reading, 1 << bare | 1 << done | 1 << blank, 0)
    assert {(k.cell, k.purpose, k.button) for k in plan.clicks} == {
        (bare, Purpose.FLAG, "left"),
        (blank, Purpose.FLAG, "left"),
    }
    plan = planner.make(reading, 0, 1 << done)
    assert [(k.cell, k.purpose, k.button) for k in plan.clicks] == [(done, Purpose.UNDO, "left")]


# ---------------------------------------------------------------- the command line


Ask = Callable[..., tuple[int, str, str]]


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Ask:
    """Runs a command: exit code, standard output, standard error."""

    def run(*args: str) -> tuple[int, str, str]:
        code = run_command(list(args))
        out = capsys.readouterr()
        return code, out.out, out.err

    return run


def test_read_says_the_variant_and_solve_takes_it(ask: Ask) -> None:
    file = next(f for f in EXACT if truth(f)[1] and f.stem.endswith("7x7"))
    rows, filled = truth(file)
    code, out, _ = ask("read", str(file), "--site", "puzzle-minesweeper", "--variant", "mosaic")
    assert (code, out.split("\n")) == (0, ["variant: mosaic", *rows, ""])
    puzzle = notation.parse(out).puzzle
    assert (puzzle.variant, dict(puzzle.clues)) == (Variant.MOSAIC, dict(whole(file).puzzle.clues))
    said = json.loads(ask("read", str(file), "--site", "mosaic", "--json")[1])
    assert (said["site"], said["variant"], said["grid"]) == ("mosaic", "mosaic", rows)
    assert {tuple(at) for at in said["flags"]} == filled


def test_a_site_without_the_variant_says_so(ask: Ask) -> None:
    code, _, said = ask("read", str(EXACT[0]), "--site", "kmines", "--variant", "mosaic")
    assert code == 2
    assert "The site kmines shows no mosaic boards." in said
    fixed = ("--site", "puzzle-minesweeper", "--variant", "minesweeper")
    assert ask("read", str(EXACT[0]), *fixed)[0] in (4, 5), "a mosaic is no minesweeper board"
