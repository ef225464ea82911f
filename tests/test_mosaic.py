"""Tests of made mosaics: one solution, no clue too many, as hard as they say, the same for the same seed."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from autosolve.board.notation import parse
from autosolve.board.puzzle import Puzzle, Variant
from autosolve.board.shape import Cell, CellSet, Shape
from autosolve.cli.main import app
from autosolve.errors import WrongUse
from autosolve.generate.mosaic import MosaicMaker
from autosolve.generate.unique import Difficulty, Recipe
from autosolve.solver.deduction import Technique
from autosolve.solver.hybrid import solve

EASY, TWO = frozenset({Technique.ONE}), frozenset({Technique.ONE, Technique.TWO})


def generate(*args: str) -> Result:
    return CliRunner().invoke(app, ["generate", "puzzle", "--variant", "mosaic", *args])


def solutions(puzzle: Puzzle) -> list[CellSet]:
    """Every filling that fits all clues, by looking at each of them."""
    out = []
    for bits in itertools.product((0, 1), repeat=puzzle.shape.size):
        filled = sum(bit << i for i, bit in enumerate(bits))
        if all((puzzle.around(c) & filled).bit_count() == n for c, n in puzzle.clues.items()):
            out.append(filled)
    return out


@pytest.mark.parametrize("seed", range(4))
def test_a_mosaic_has_its_solution_and_no_other_and_no_clue_to_spare(seed: int) -> None:
    """Held against all fillings there are, with no solver in between."""
    record = MosaicMaker(Recipe(Shape(3, 4), Difficulty.HARD, 0.5)).make(seed)
    puzzle = record.puzzle
    assert puzzle.variant is Variant.MOSAIC
    assert puzzle.covered == puzzle.shape.all
    assert solutions(puzzle) == [record.mines]
    for cell in puzzle.clues:
        assert len(solutions(_without(puzzle, cell))) > 1


def _without(puzzle: Puzzle, cell: Cell) -> Puzzle:
    return replace(puzzle, clues={c: n for c, n in puzzle.clues.items() if c != cell})


@pytest.mark.parametrize(("difficulty", "layers"), [(Difficulty.EASY, EASY), (Difficulty.MEDIUM, TWO)])
@pytest.mark.parametrize("size", [(5, 6), (8, 8)])
def test_easy_and_medium_ones_need_every_clue_by_their_rules(
    difficulty: Difficulty, layers: frozenset[Technique], size: tuple[int, int]
) -> None:
    record = MosaicMaker(Recipe(Shape(*size), difficulty, 0.5)).make(1)
    found = solve(record.puzzle, layers=layers)
    assert found.unique
    assert found.mines == record.mines
    for cell in record.puzzle.clues:
        assert not solve(_without(record.puzzle, cell), layers=layers).unique


def test_what_is_reached_is_said() -> None:
    maker = MosaicMaker(Recipe(Shape(5, 5), Difficulty.HARD, 0.5))
    for seed in range(6):
        record = maker.make(seed)
        by_rules = solve(record.puzzle, layers=TWO).unique
        assert record.extra.get("reached", "hard") == ("hard" if not by_rules else "medium")
    record, found = maker.exact(0, 200)
    assert found
    assert not solve(record.puzzle, layers=TWO).unique


def test_the_share_of_filled_cells_is_kept_to() -> None:
    for density in (0.3, 0.5, 0.65):
        recipe = Recipe(Shape(6, 6), Difficulty.HARD, density)
        least, most = recipe.bounds
        assert least <= MosaicMaker(recipe).make(2).mines.bit_count() <= most


def test_what_no_mosaic_can_be_is_refused() -> None:
    # one filled cell of two: both places have the same clues
    with pytest.raises(WrongUse, match="No hard mosaic was found among 2000 of 1x2 cells"):
        MosaicMaker(Recipe(Shape(1, 2), Difficulty.HARD, 0.5)).make(0)


def test_the_command_makes_mosaics_in_every_form(tmp_path: Path) -> None:
    made = generate("--size", "5x6", "--seed", "4", "--json", "--print", str(tmp_path / "book.pdf"))
    assert made.exit_code == 0, made.output
    told = json.loads(made.stdout)
    assert (told["variant"], told["rows"], told["cols"]) == ("mosaic", 5, 6)
    assert (tmp_path / "book.pdf").read_bytes().startswith(b"%PDF")
    text = generate("--size", "5x6", "--seed", "4").stdout
    position, again = parse(text), parse(made.stdout)
    assert position.puzzle == again.puzzle
    assert position.sha256 == told["hash"]
    filled = "".join(told["solution"])
    assert [i for i, digit in enumerate(filled) if digit == "1"] == [
        c for c in range(30) if solve(position.puzzle).mines >> c & 1
    ]
    told_twice = generate("--size", "5x6", "--seed", "3", "--count", "2", "--json").stdout.splitlines()
    assert json.loads(told_twice[1]) == told
    graded = CliRunner().invoke(app, ["grade", "-", "--json"], input=text)
    assert {k: json.loads(graded.stdout)[k] for k in told["grade"]} == told["grade"]


def test_the_command_says_what_it_cannot_do() -> None:
    for args, words in (
        (["--evolve"], "--evolve changes Minesweeper boards"),
        (["--format", "digits", "--size", "4x4"], "cannot be written in digits"),
    ):
        result = generate(*args, "--seed", "1")
        assert isinstance(result.exception, WrongUse)
        assert words in str(result.exception)
