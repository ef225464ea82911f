"""Tests of the page that people play on: every kind to its end by a person's steps and by the bot, advice, look."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chromium import Chromium, wait_until
from rig import Rig
from table import Table

from autosolve.board import notation
from autosolve.board.puzzle import Marks, Puzzle, Totals, Variant
from autosolve.board.shape import CellSet, Shape, cell_set, cells_in
from autosolve.cli import options
from autosolve.generate.game import Field, Game, State
from autosolve.generate.noguess import NoGuessRecord
from autosolve.player import EXAMPLE, page
from autosolve.player.plan import HiddenGame, hidden_game, plan, plan_of_game
from autosolve.player.steps import step_json
from autosolve.solver.count import odds
from autosolve.solver.hybrid import next_step, solve
from autosolve.vision import picture
from autosolve.vision.frame import Frame
from autosolve.vision.read import read

WIDTHS = (320, 768, 1440, 2560)
THEMES = ("light", "dark")

# 6x6, its mines at r1c6, r2c1, r4c4, r6c1; opened at r6c6 nothing has to be guessed
GAME = HiddenGame(Shape(6, 6), cell_set([5, 6, 21, 30]), Shape(6, 6).cell(5, 5))


def mosaic_of(mines: CellSet, shape: Shape, keep: float, rng: random.Random) -> Puzzle:
    clues = {
        c: ((shape.neighbours(c) | 1 << c) & mines).bit_count() for c in cells_in(shape.all) if rng.random() < keep
    }
    return Puzzle(shape, clues, shape.all, variant=Variant.MOSAIC)


@cache
def board(kind: str) -> str:
    """A board of a kind that shows its clues, as text, with one solution."""
    shape, rng = Shape(6, 7), random.Random(11)
    while True:
        mines = cell_set(c for c in range(shape.size) if rng.random() < 0.28)
        puzzle = mosaic_of(mines, shape, 0.6, rng)
        if kind != "mosaic":
            clues = {c: n - (mines >> c & 1) for c, n in puzzle.clues.items() if not mines >> c & 1}
            totals = Totals()
            if kind == "lines":
                clues = {c: n for c, n in clues.items() if rng.random() < 0.4}
                totals = Totals(
                    tuple((shape.row(r) & mines).bit_count() for r in range(shape.rows)),
                    tuple((shape.column(c) & mines).bit_count() for c in range(shape.cols)),
                )
            puzzle = Puzzle(shape, clues, shape.all & ~cell_set(clues), totals)
        if solve(puzzle).unique:
            return notation.write(notation.Position(puzzle))


def solution(text: str) -> list[tuple[int, int]]:
    puzzle = notation.parse(text).puzzle
    return puzzle.shape.pairs(solve(puzzle).mines)


def opened_like(kind: str, table: Table, **more: Any) -> None:
    """Opens a board of any kind on the table."""
    if kind == "reveal":
        table.show(game=GAME, **more)
    else:
        table.show(board(kind), **more)


KINDS = ("puzzle", "reveal", "lines", "mosaic")


def words(table: Table, name: str) -> str:
    return str(table.js(f"document.getElementById('{name}').textContent"))


def shown(table: Table, name: str) -> bool:
    return bool(table.js(f"document.getElementById('{name}').checkVisibility()"))


def waits(table: Table, expression: str) -> None:
    """Until the page says yes."""
    wait_until(lambda: table.js(f"Boolean({expression})"), 30, expression)


# ---------------------------------------------------------------- each kind to its end, as a person plays


@pytest.mark.parametrize("kind", ["puzzle", "lines"])
def test_a_board_is_solved_with_the_mouse(table: Table, kind: str) -> None:
    table.show(board(kind))
    assert table.js("autosolve.kind") == kind
    for at in solution(board(kind)):
        assert not table.solved
        table.press(*at, "right")
    assert table.solved
    assert table.message.startswith("Solved in")


def test_a_mosaic_is_solved_with_the_mouse(table: Table) -> None:
    table.show(board("mosaic"))
    assert table.js("autosolve.kind") == "mosaic"
    for at in solution(board("mosaic")):
        assert not table.solved
        table.press(*at, "left")
    assert table.solved
    assert table.js("autosolve.flags()") == [list(at) for at in solution(board("mosaic"))]


@pytest.mark.parametrize("kind", ["puzzle", "lines", "mosaic"])
def test_a_board_is_solved_with_keys(table: Table, kind: str) -> None:
    table.show(board(kind))
    table.js("document.querySelector('.cell').focus()")
    at = (0, 0)
    for row, col in solution(board(kind)):
        for key, count in (("ArrowDown", row - at[0]), ("ArrowRight", col - at[1]), ("ArrowLeft", at[1] - col)):
            for _ in range(count):
                table.key(key)
        at = (row, col)
        table.key("f")
    assert table.solved
    assert table.js("autosolve.clicks") == []


def test_a_game_is_opened_with_the_mouse(table: Table) -> None:
    table.show(game=GAME)
    opened = GAME.opened_by(1 << GAME.shape.cell(5, 5))
    assert table.state == notation.grid_lines(GAME.seen(opened))
    left = GAME.shape.all & ~GAME.mines & ~opened
    for row, col in GAME.shape.pairs(left):
        if table.state[row][col] == ".":  # not opened together with another
            assert not table.solved
            table.press(row, col)
    assert table.solved
    assert table.js("autosolve.flags()") == [list(at) for at in GAME.shape.pairs(GAME.mines)]  # set by the page
    assert table.message.startswith("Solved in")


def test_a_game_is_opened_with_keys(table: Table) -> None:
    table.show(game=GAME)
    table.js("document.querySelector('.cell').focus()")
    for row in range(6):
        for col in range(6):
            if not GAME.mines >> GAME.shape.cell(row, col) & 1:
                table.key(" ")
            table.key("ArrowRight")
        table.key("Home")
        table.key("ArrowDown")
    assert table.solved


def test_a_mine_loses_and_can_be_taken_back(table: Table) -> None:
    table.show(game=GAME)
    before = table.state
    table.press(0, 4, "right")  # a wrong flag
    table.press(1, 0)
    assert table.js("autosolve.lost")
    after = table.state
    assert (after[1][0], after[0][4], after[0][5], after[3][3]) == ("!", "X", "*", "*")
    assert "mine" in table.message
    table.press(0, 0)
    assert table.state == after  # a lost board keeps still
    table.click("#undo")
    assert not table.js("autosolve.lost")
    assert table.state[0][4] == "F"
    table.click("#redo")
    assert table.state == after
    table.click("#restart")
    assert table.state == before
    assert not table.js("autosolve.lost")


def test_a_clue_with_its_flags_opens_the_rest(table: Table) -> None:
    # a wall of mines on the right, opened at r2c2, which is a 1
    game = HiddenGame(Shape(3, 7), cell_set([0, 4, 11, 18]), Shape(3, 7).cell(1, 1))
    table.show(game=game)
    before = [".......", ".1.....", "......."]
    assert table.state == before
    table.press(1, 1)
    assert table.state == before  # no flag yet
    table.press(0, 0, "right")
    table.press(1, 1)
    assert table.state == ["F102...", "1103...", "0002..."]
    table.press(1, 4, "right")
    table.press(1, 3)  # one flag of three
    assert table.state[1] == "1103F.."
    table.press(0, 4, "right")
    table.press(2, 4, "right")
    table.press(1, 6)
    assert table.solved


def test_a_wrong_flag_costs_the_game_when_the_rest_is_opened(table: Table) -> None:
    table.show(game=HiddenGame(Shape(3, 5), cell_set([0, 4]), 6))
    table.press(0, 1, "right")
    table.press(1, 1)
    assert table.js("autosolve.lost")


def test_the_first_cell_is_never_a_mine(table: Table) -> None:
    for col in range(6):
        table.show(address="#deal=6x6:34")  # two safe cells
        table.press(2, col)
        assert not table.js("autosolve.lost")
        assert table.state[2][col] in "12345678"
    # an opening, where there is room for one
    table.show(address="#deal=9x9:10")
    table.press(4, 4)
    assert table.state[4][4] == "0"
    assert words(table, "flag-count").endswith("/ 10")
    # of a board that came with its mines too
    table.show(game=HiddenGame(Shape(2, 3), cell_set([4])))
    table.press(1, 1)
    assert not table.js("autosolve.lost")


@pytest.mark.parametrize("kind", KINDS)
def test_undo_and_redo(table: Table, kind: str) -> None:
    opened_like(kind, table)
    states = [table.state]
    safe = {"reveal": (0, 0)}.get(kind, (0, 0))
    for (row, col), button in ((safe, "left"), ((0, 1), "right"), ((0, 5), "right"), ((1, 0), "right")):
        table.press(row, col, button)
        if table.state != states[-1]:
            states.append(table.state)
    assert len(states) > 2
    for before in states[-2::-1]:
        table.key("z", modifiers=2)
        assert table.state == before
    assert table.js("document.getElementById('undo').disabled")
    for after in states[1:]:
        table.key("y", modifiers=2)
        assert table.state == after
    table.key("z", modifiers=2)
    table.key("Z", modifiers=2 + 8)
    assert table.state == states[-1]
    table.click("#undo")
    assert table.state == states[-2]
    table.click("#redo")
    assert table.state == states[-1]


PLAYED = """
(presses => presses.map(([cell, button]) => {
  const target = document.querySelectorAll('.cell')[cell];
  if (button === 'undo' || button === 'redo') document.getElementById(button).click();
  else target.dispatchEvent(new MouseEvent('mousedown', {bubbles: true, button}));
  const those = name => [...document.querySelectorAll(name)].map(one => one.index);
  return [autosolve.state(), autosolve.solved, autosolve.lost, those('.cell.wrong'), those('.cell.done')];
}))(PRESSES)
"""


def played(table: Table, presses: list[tuple[int, int | str]]) -> list[Any]:
    """State, solved, lost, wrong and done clues after each press; buttons are 0, 2, undo or redo."""
    return list(table.js(PLAYED.replace("PRESSES", json.dumps(presses))))


@pytest.mark.parametrize("seed", range(6))
def test_a_game_goes_as_pythons_game_goes(table: Table, seed: int) -> None:
    rng = random.Random(seed)
    shape = Shape(rng.randint(4, 8), rng.randint(4, 8))
    start = rng.randrange(shape.size)
    mines = cell_set(c for c in range(shape.size) if c != start and rng.random() < 0.15)
    table.show(game=HiddenGame(shape, mines, shape.cell(*shape.at(start))))
    presses: list[tuple[int, int | str]] = []
    for _ in range(60):  # seldom a mine, so that games last
        cell = rng.randrange(shape.size)
        right = rng.random() < 0.3
        mine = bool(mines >> cell & 1)
        presses.append((cell, 2 if right == mine or rng.random() < 0.1 else 0) if right or not mine else (cell, 2))
    game = Game(Field(shape, mines)).reveal(start)
    for (cell, button), (state, solved, lost, *_) in zip(presses, played(table, presses), strict=True):
        if button == 2:
            game = game.flag(cell)
        else:
            game = game.chord(cell) if game.opened >> cell & 1 else game.reveal(cell)
        assert (solved, lost) == (game.state is State.WON, game.state is State.LOST)
        if solved or lost:
            break
        assert state == notation.grid_lines(game.puzzle, game.marks)


@pytest.mark.parametrize("kind", ["puzzle", "lines", "mosaic"])
def test_what_is_counted_step_by_step_is_what_is_counted_afresh(table: Table, kind: str) -> None:
    rng = random.Random(3)
    puzzle = notation.parse(board(kind)).puzzle
    table.show(board(kind))
    buttons: list[int | str] = [0, 0, 2, 2, 2, "undo", "redo"]
    mines, mark = solve(puzzle).mines, 0 if kind == "mosaic" else 2
    # what is right in the upper rows, then anything
    right = [(cell, mark if mines >> cell & 1 else 2 - mark) for cell in cells_in(puzzle.covered) if cell < 28]
    presses = [(rng.randrange(puzzle.shape.size), rng.choice(buttons)) for _ in range(90)]
    seen = played(table, [*right, *presses])
    assert any(wrong for *_, wrong, _ in seen)
    assert any(done for *_, done in seen)
    if kind == "mosaic":  # board text cannot hold marks on its clues: the sentences are counted here
        state, *_, wrong, done = seen[-1]
        flags = cell_set(i for i, char in enumerate("".join(state)) if char == "F")
        left = cell_set(i for i, char in enumerate("".join(state)) if char not in "Fx")
        for cell, number in puzzle.clues.items():
            around = puzzle.around(cell)
            have, free = (around & flags).bit_count(), (around & left).bit_count()
            assert (cell in wrong) == (not have <= number <= have + free), cell
            assert (cell in done) == (have == number and not free), cell
        return
    for at in (30, 60, len(seen) - 1):
        state, _, _, wrong, done = seen[at]
        headers = [line for line in board(kind).splitlines() if ":" in line]
        table.show("\n".join([*headers, *state]))
        fresh = played(table, [(0, "redo")])[0]
        assert fresh[0] == state
        assert (fresh[3], fresh[4]) == (wrong, done)


# ---------------------------------------------------------------- hints, check, explain, from the plan of the page


def take_hint(table: Table) -> str:
    """Three presses and the move; what the last one said."""
    table.js("document.getElementById('hint').click()")
    waits(table, "document.getElementById('advice').checkVisibility()")
    if words(table, "advice-title").startswith("Hint 1"):
        table.js("document.getElementById('hint').click(); document.getElementById('hint').click()")
    said = words(table, "advice-text")
    if shown(table, "advice-make"):
        table.js("document.getElementById('advice-make').click()")
    return said


@pytest.mark.parametrize("kind", KINDS)
def test_a_hint_comes_in_three_presses(table: Table, kind: str) -> None:
    opened_like(kind, table)
    wanted = (plan_of_game(GAME) if kind == "reveal" else plan(notation.parse(board(kind)).puzzle))["steps"][0]
    cols = GAME.shape.cols if kind == "reveal" else 7

    def marked(name: str) -> list[list[int]]:
        found = table.js(f"[...document.querySelectorAll('.cell.{name}')].map(cell => cell.index)")
        return [[i // cols, i % cols] for i in found]

    before = table.state
    table.click("#hint")
    waits(table, "document.getElementById('advice').checkVisibility()")
    assert words(table, "advice-title").startswith("Hint 1 of 3")
    assert (marked("region"), marked("because"), marked("proven")) == (wanted["where"], [], [])
    table.click("#hint")
    clues = [source["clue"] for source in wanted["clues"] if "clue" in source]
    assert words(table, "advice-title").startswith("Hint 2 of 3")
    assert (marked("region"), marked("because"), marked("proven")) == (wanted["where"], sorted(clues), [])
    for r, c in clues:
        assert f"at r{r + 1}c{c + 1}" in words(table, "advice-text")
    table.click("#advice-more")
    assert words(table, "advice-title").startswith("Hint 3 of 3")
    assert words(table, "advice-text") == wanted["text"]
    assert marked("proven") == wanted["cells"]
    assert table.state == before  # a hint makes no move by itself
    table.click("#advice-make")
    assert marked("region") == marked("proven") == []
    for r, c in wanted["cells"]:
        assert table.state[r][c] == ("F" if wanted["verdict"] == "mine" else "x") or (
            kind == "reveal" and table.state[r][c].isdigit()
        )
    table.key("h")
    waits(table, "document.getElementById('advice').checkVisibility()")
    table.key("Escape")
    assert not shown(table, "advice")


@pytest.mark.parametrize("kind", KINDS)
def test_hints_lead_to_the_end(table: Table, kind: str) -> None:
    opened_like(kind, table)
    said = []
    while not table.solved and len(said) < 100:
        said.append(take_hint(table))
    assert table.solved
    steps = (plan_of_game(GAME) if kind == "reveal" else plan(notation.parse(board(kind)).puzzle))["steps"]
    assert set(said) <= {step["text"] for step in steps}
    assert not shown(table, "clean")


def test_a_total_is_named_beside_the_board(table: Table) -> None:
    table.show("rows: 2 1\n..\n..\n")
    table.js("document.getElementById('hint').click()")
    waits(table, "document.getElementById('advice').checkVisibility()")
    table.js("document.getElementById('hint').click()")
    assert table.js("[...document.querySelectorAll('.totals .named')].map(s => s.textContent)") == ["2"]
    assert "The total of row 1 proves it." in words(table, "advice-text")


@pytest.mark.parametrize("kind", KINDS)
def test_a_wrong_mark_is_said_by_hint_and_check(table: Table, kind: str) -> None:
    opened_like(kind, table)
    if kind == "reveal":
        covered = [(0, 0)]
    else:
        puzzle = notation.parse(board(kind)).puzzle
        covered = puzzle.shape.pairs(solve(puzzle).safe)
    row, col = covered[0]
    table.press(row, col, "left" if kind == "mosaic" else "right")
    for button in ("#hint", "#check"):
        table.click(button)
        waits(table, "document.querySelector('.faulty')")
        assert "wrong" in words(table, "advice-text")
        cols = GAME.shape.cols if kind == "reveal" else 7
        assert table.js("[...document.querySelectorAll('.faulty')].map(cell => cell.index)") == [row * cols + col]
        table.click("#advice-close")
    table.key("z", modifiers=2)
    table.click("#check")
    waits(table, "document.getElementById('advice').checkVisibility()")
    assert "no mark" in words(table, "advice-text")


def test_the_solution_is_explained_step_by_step(table: Table) -> None:
    table.show(board("puzzle"))
    steps = plan(notation.parse(board("puzzle")).puzzle)["steps"]
    table.click("#explain")
    waits(table, "document.getElementById('advice').checkVisibility()")
    for number, step in enumerate(steps, 1):
        assert words(table, "advice-title").startswith(f"Step {number} of {len(steps)}")
        assert words(table, "advice-text") == step["text"]
        proven = table.js("[...document.querySelectorAll('.cell.proven')].map(cell => cell.index)")
        assert [[i // 7, i % 7] for i in proven] == step["cells"]
        ghosts = table.js("document.querySelectorAll('.ghost-mine, .ghost-safe').length")
        assert ghosts == sum(len(one["cells"]) for one in steps[: number - 1])
        table.js("document.getElementById('advice-next').click()")
    assert table.js("document.getElementById('advice-next').disabled")
    table.click("#advice-back")
    assert words(table, "advice-text") == steps[-2]["text"]
    table.click("#advice-close")
    assert table.js("document.querySelectorAll('.proven, .region, .ghost-mine, .ghost-safe').length") == 0
    assert notation.grid_lines(notation.parse(board("puzzle")).puzzle) == table.state


def test_of_a_game_only_what_is_open_is_explained(table: Table) -> None:
    table.show(game=GAME)
    table.js("document.getElementById('explain').click()")
    waits(table, "document.getElementById('advice').checkVisibility()")
    opened = GAME.seen(GAME.opened_by(1 << 35))
    last = int(words(table, "advice-title").split(" of ")[1].split(":")[0])
    assert 1 <= last <= len(solve(opened, explain=True).steps)
    for _ in range(last):
        for r, c in table.js("[...document.querySelectorAll('.because')].map(c => [c.index / 6 | 0, c.index % 6])"):
            assert table.state[r][c].isdigit()
        table.js("document.getElementById('advice-next').click()")


def test_a_plan_ends_with_the_chances_where_it_is_stuck(table: Table) -> None:
    # one mine in the two cells on the left; the wall of mines is proven, what lies behind it is not
    game = HiddenGame(Shape(2, 7), cell_set([0, 5, 12]), Shape(2, 7).cell(0, 2))
    table.show(game=game)
    assert table.state == [".1002..", ".1002.."]
    for _ in range(9):
        take_hint(table)
        if table.js("document.querySelectorAll('.odds').length"):
            break
    told = plan_of_game(game)["stuck"]
    assert told["odds"][0][0] == 0.5
    chances = {
        r * 7 + c: chance for r, row in enumerate(told["odds"]) for c, chance in enumerate(row) if chance is not None
    }
    shown_chances = table.js(
        "[...document.querySelectorAll('.odds')].map(one => [one.parentElement.index, one.textContent])"
    )
    assert shown_chances == [
        [cell, f"{100 * chance:.1f}".removesuffix(".0")] for cell, chance in sorted(chances.items())
    ]
    best = table.js("[...document.querySelectorAll('.best')].map(cell => [cell.index / 7 | 0, cell.index % 7])")
    assert best == told["best"]
    assert 0 < len(best) < len(chances)
    table.press(1, 0)  # a guess: now they are others
    table.click("#hint")
    assert table.js("document.querySelectorAll('.odds').length") == 0
    # of a board that shows its clues too
    assert plan(notation.parse("1.\n1.\n").puzzle)["stuck"]["odds"] == [[None, 0.5], [None, 0.5]]
    assert "stuck" not in plan(notation.parse(EXAMPLE).puzzle)


def test_a_pasted_board_has_no_hints_without_a_server(table: Table) -> None:
    table.show(address="#2x2:1999")
    table.click("#hint")
    waits(table, "document.getElementById('advice').checkVisibility()")
    assert "local server" in words(table, "advice-text")


# ---------------------------------------------------------------- plans, against the engine


def boards_by_the_hundred(shared: Path | None) -> Iterator[Puzzle]:
    """Boards of all kinds that show their clues, small and random, and the shared ones."""
    if shared is not None:
        for name in ("puzzles.jsonl", "site.jsonl"):
            for line in (shared / "puzzles" / name).read_text(encoding="utf-8").splitlines():
                puzzle = notation.parse(line).puzzle
                if puzzle.shape.size <= 100:  # larger ones take as long as all others together
                    yield puzzle
    rng = random.Random(2024)
    for number in range(190):
        shape = Shape(rng.randint(3, 6), rng.randint(3, 7))
        mines = cell_set(c for c in range(shape.size) if rng.random() < 0.24)
        filled = mosaic_of(mines, shape, rng.uniform(0.3, 0.9), rng)
        if number % 3 == 0:
            yield filled
            continue
        clues = {c: n for c, n in filled.clues.items() if not mines >> c & 1}
        totals = Totals()
        if number % 3 == 1:
            totals = Totals(
                tuple((shape.row(r) & mines).bit_count() for r in range(shape.rows)),
                tuple((shape.column(c) & mines).bit_count() for c in range(shape.cols)),
            )
        yield Puzzle(shape, clues, shape.all & ~cell_set(clues), totals)


def cells_of(puzzle: Puzzle, step: dict[str, Any]) -> CellSet:
    return cell_set(puzzle.shape.cell(*at) for at in step["cells"])


def marks_after(puzzle: Puzzle, steps: list[dict[str, Any]]) -> Marks:
    flags = crosses = 0
    for step in steps:
        if step["verdict"] == "mine":
            flags |= cells_of(puzzle, step)
        else:
            crosses |= cells_of(puzzle, step)
    return Marks(flags, crosses)


def test_the_hints_of_200_puzzles_are_the_engines_and_true() -> None:
    shared = Path(__file__).resolve().parent.parent.parent / "shared"
    rng = random.Random(5)
    number = hints = 0
    for puzzle in boards_by_the_hundred(shared if shared.is_dir() else None):
        number += 1
        told = plan(puzzle)
        steps, end = told["steps"], marks_after(puzzle, told["steps"])
        # the engine's own next step, somewhere and at the end
        for made in (rng.randint(0, len(steps)), len(steps)):
            found = next_step(puzzle, marks_after(puzzle, steps[:made]))
            assert (None if found is None else step_json(puzzle, found)) == (steps[made] if made < len(steps) else None)
            hints += 1
        # true, by counting all solutions where that is quick, by another way of solving where not
        assert told["status"] in ("unique", "undecided")
        if puzzle.shape.size <= 64:
            counted = odds(puzzle)
            certain = {c: n == counted.models for c, n in counted.mined_in.items() if n in (0, counted.models)}
            mines = cell_set(c for c, mine in certain.items() if mine)
            safe = cell_set(c for c, mine in certain.items() if not mine)
        else:
            found_quickly = solve(puzzle)
            mines, safe = found_quickly.mines, found_quickly.safe
        assert (end.flags, end.crosses) == (mines, safe)
    assert number >= (200 if shared.is_dir() else 190)
    assert hints == 2 * number


def test_the_hints_of_games_are_the_engines_and_true() -> None:
    rng = random.Random(9)
    whole = 0
    for _ in range(40):
        shape = Shape(rng.randint(4, 8), rng.randint(4, 8))
        start = rng.randrange(shape.size)
        mines = cell_set(c for c in range(shape.size) if c != start and rng.random() < 0.15)
        game = HiddenGame(shape, mines, shape.cell(*shape.at(start)))
        told = plan_of_game(game)
        opened, flags = game.opened_by(1 << start), 0
        for step in told["steps"]:
            puzzle = game.seen(opened)
            cells = cells_of(puzzle, step)
            if step["verdict"] == "mine":
                assert not cells & ~mines
                flags |= cells
            else:
                assert not cells & mines
                opened = game.opened_by(cells, opened)
            for source in step["clues"]:  # nothing that is not open by then is a reason
                assert "clue" not in source or opened >> shape.cell(*source["clue"]) & 1
        # and where they end nothing more is certain
        last = solve(game.seen(opened))
        assert not last.safe
        assert last.mines == flags
        whole += told["status"] == "unique"
        assert (told["status"] == "unique") == (opened == shape.all & ~mines)
    assert 5 < whole < 40


def test_a_board_that_clashes_has_a_plan_that_says_so(table: Table) -> None:
    clashing = "1.\n3.\n.0\n"
    assert plan(notation.parse(clashing).puzzle)["status"] == "contradiction"
    table.show(clashing)
    table.click("#hint")
    waits(table, "document.getElementById('advice').checkVisibility()")
    assert words(table, "advice-title") == "The clues clash"


def test_a_game_is_read_back_from_its_text() -> None:
    assert hidden_game(GAME.text) == GAME
    unstarted = HiddenGame(Shape(2, 3), 5)
    assert hidden_game(unstarted.text) == unstarted
    told = json.loads(GAME.text)
    for wrong in (
        "",
        "[]",
        "12",
        '{"rows": 2, "cols": 2, "grid": ["..", ".."]}',
        json.dumps(told | {"solution": ["01"]}),
        json.dumps(told | {"solution": ["2" * 36]}),
        json.dumps(told | {"start": [0, 5]}),  # a mine
        json.dumps(told | {"start": [6, 0]}),
        json.dumps(told | {"start": "r1c1"}),
        json.dumps(told | {"rows": "6"}),
    ):
        assert hidden_game(wrong) is None, wrong


# ---------------------------------------------------------------- paste, link, share


@pytest.mark.parametrize("kind", KINDS)
def test_a_shared_link_brings_the_same_board(table: Table, kind: str) -> None:
    opened_like(kind, table)
    before = table.state
    table.press(0, 0, "right")
    table.click("#share")
    link = table.js("document.getElementById('share-link').value")
    table.key("Escape")
    assert link.startswith("file://") and "#" in link
    table.show()
    table.fill("#puzzle", link)
    assert "6 ×" in words(table, "verdict")
    table.click("#form .primary")
    waits(table, "autosolve.state().length")
    assert (table.js("autosolve.kind"), table.state) == (kind, before)
    table.go(link[link.index("#") :])
    assert (table.js("autosolve.kind"), table.state) == (kind, before)


def test_a_game_dealt_here_can_be_shared_once_it_began(table: Table) -> None:
    table.show(address="#deal=9x9:10")
    table.press(4, 4)
    opened = table.state
    table.click("#share")
    link = table.js("document.getElementById('share-link').value")
    table.go(link[link.index("#") :])
    assert table.state == opened


def test_the_address_of_a_made_game_opens_it(table: Table) -> None:
    shape, start = Shape(5, 7), 17
    mines = cell_set([0, 6, 20, 34])
    game = HiddenGame(shape, mines, shape.cell(2, 3))
    seen = game.seen(game.opened_by(1 << start))
    made = NoGuessRecord(seen, mines, 1, "two", extra={"start": [2, 3], "no_guess": True})
    table.show(address=made.to_address(""))
    assert table.state == notation.grid_lines(seen)
    table.press(0, 0)
    assert table.js("autosolve.lost")


@pytest.mark.parametrize("kind", ["puzzle", "lines", "mosaic"])
def test_the_shared_text_is_read_back(table: Table, kind: str) -> None:
    table.show(board(kind))
    table.press(0, 0, "right")
    table.click("#share")
    text = table.js("document.getElementById('share-text').value")
    assert notation.parse(text).puzzle == notation.parse(board(kind)).puzzle
    table.show()
    table.fill("#puzzle", text)
    table.click("#form .primary")
    waits(table, "autosolve.state().length")
    assert table.state == notation.grid_lines(notation.parse(board(kind)).puzzle)


@pytest.mark.parametrize(
    "address", ["#game=2x2:ff", "#game=2x2:g", "#game=2x2:8:0", "#game=2x2:8:9", "#deal=2x2:9", "#deal=0x2:1"]
)
def test_an_address_that_is_no_game(table: Table, address: str) -> None:
    table.show(address=address)
    assert table.state == []
    assert words(table, "verdict") != ""


# ---------------------------------------------------------------- fingers


class Finger:
    """Fingers on a screen that is touched."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def send(self, kind: str, *points: tuple[float, float]) -> None:
        where = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        self.table.browser.command("Input.dispatchTouchEvent", type=kind, touchPoints=where)

    def tap(self, row: int, col: int, hold: float = 0.05) -> None:
        self.send("touchStart", self.table.centre(row, col))
        self.table.js(f"new Promise(done => setTimeout(done, {hold * 1000}))")
        self.send("touchEnd")


@pytest.mark.parametrize("kind", KINDS)
def test_taps_and_long_presses(table: Table, kind: str) -> None:
    opened_like(kind, table)
    finger = Finger(table)
    free = next(
        (r, c) for r in range(6) for c in range(6) if table.state[r][c] in ("." if kind != "mosaic" else ".012345")
    )
    tapped, held = {"puzzle": "xF", "lines": "xF", "mosaic": "Fx", "reveal": "1F"}[kind]
    finger.tap(*free, hold=0.6)
    assert table.state[free[0]][free[1]] == held
    table.key("z", modifiers=2)
    table.click("#tap")
    assert table.js("document.getElementById('tap').getAttribute('aria-pressed')") == "true"
    finger.tap(*free)
    assert table.state[free[0]][free[1]] == held
    table.key("z", modifiers=2)
    table.click("#tap")
    finger.tap(*free)
    assert table.state[free[0]][free[1]] == tapped


def test_two_fingers_make_the_cells_larger(table: Table) -> None:
    table.show(board("puzzle"))
    x, y = table.centre(2, 2)
    finger = Finger(table)
    before = table.state
    finger.send("touchStart", (x, y))
    finger.send("touchStart", (x, y), (x + 60, y))
    finger.send("touchMove", (x - 15, y), (x + 75, y))
    finger.send("touchEnd")
    assert table.box(".cell")["width"] == 48
    assert table.state == before


# ---------------------------------------------------------------- how it looks, and to whom


@pytest.mark.parametrize("width", WIDTHS)
def test_no_page_is_wider_than_its_window(table: Table, width: int) -> None:
    for kind in (None, *KINDS):
        if kind is None:
            table.show(size=(width, 800))
        else:
            opened_like(kind, table, size=(width, 800))
        assert table.js("document.documentElement.scrollWidth") <= width, kind
        take = "for (let i = 0; i < 3; i++) document.getElementById('hint').click()"
        if kind is not None:
            table.js(f"{take}; new Promise(done => setTimeout(done, 50))")
            assert shown(table, "advice")
            assert table.js("document.documentElement.scrollWidth") <= width, f"{kind} with a hint"
    for dialog in ("settings", "share"):
        table.click(f"#{dialog}")
        box = table.box("dialog[open]")
        assert box["left"] >= 0
        assert box["right"] <= width
        table.key("Escape")
    # a large board moves inside its box
    table.show("\n".join(["." * 100] * 60), size=(width, 800))
    assert table.js("document.documentElement.scrollWidth") <= width
    assert table.box(".field")["height"] <= 800
    assert table.js("document.getElementById('field').scrollWidth") > 3200


def test_no_width_in_between_is_too_narrow(table: Table) -> None:
    table.show("\n".join(["." * 30] * 16))
    for width in (*range(320, 640, 23), *range(640, 1400, 47), 899, 900):
        table.browser.metrics(width, 800, 1)
        table.browser.settle()
        assert table.js("document.documentElement.scrollWidth") <= width, width
        table.js("document.getElementById('open').click()")
        assert table.js("document.documentElement.scrollWidth") <= width, width
        table.js("document.getElementById('back').click()")


def test_controls_stand_on_the_side_of_the_hand(table: Table) -> None:
    table.show(board("puzzle"), size=(1440, 800))
    assert table.box("#tools")["left"] > table.box(".board")["right"]
    table.click("#settings")
    table.js("document.querySelector('[name=setting-hand][value=left]').click()")
    table.key("Escape")
    assert table.box("#tools")["right"] < table.box(".board")["left"]
    table.go("")
    assert table.box("#tools")["right"] < table.box(".board")["left"]  # kept
    table.js("localStorage.clear()")


def test_controls_give_way_to_a_wide_board(table: Table) -> None:
    table.show("\n".join(["." * 30] * 16), size=(1200, 900))
    assert table.box("#tools")["bottom"] <= table.box(".board")["top"]
    assert table.js("(f => f.scrollWidth <= f.clientWidth)(document.getElementById('field'))")


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_dark_in_the_dark(table: Table, kind: str) -> None:
    grounds = []
    for dark in (False, True):
        opened_like(kind, table, dark=dark)
        grounds.append(table.picture().mean())
    assert grounds[0] > 200
    assert grounds[1] < 80
    # the system's wish is followed until a theme is chosen
    assert table.js("document.querySelector('[name=setting-theme]:checked').value") == "system"


def test_clues_are_told_done(table: Table) -> None:
    table.show("1..\n1..\n", dark=False)
    table.press(0, 1, "right")
    assert table.js("document.querySelectorAll('.done').length") == 0  # a cell is left
    table.press(1, 1)
    assert table.js("document.querySelectorAll('.done').length") == 2
    label = "document.querySelector('.cell').getAttribute('aria-label')"
    assert table.js(label) == "row 1, column 1: clue 1, done"
    shaded = table.js("getComputedStyle(document.querySelector('.cell')).backgroundColor")
    table.js("document.querySelector('[name=setting-finished]').click()")
    assert table.js("getComputedStyle(document.querySelector('.cell')).backgroundColor") != shaded
    table.js("localStorage.clear()")


def test_motion_is_left_out_where_it_is_unwanted(table: Table) -> None:
    table.show(board("puzzle"))
    longest = (
        "Math.max(...[...document.querySelectorAll('*')].map(e => parseFloat(getComputedStyle(e).transitionDuration)))"
    )
    assert table.js(longest) > 0
    features = [{"name": "prefers-reduced-motion", "value": "reduce"}]
    table.browser.command("Emulation.setEmulatedMedia", features=features)
    assert table.js(longest) == 0
    assert table.js("document.getAnimations().length") == 0


def test_a_screen_reader_hears_moves(table: Table) -> None:
    table.show("mines: 3\n.11.\n1.22\n..1.\n")
    table.js("document.querySelector('.cell').focus()")
    table.key("f")
    assert words(table, "spoken") == "row 1, column 1: flag. Flags 1 / 3."
    assert table.js("document.getElementById('spoken').getAttribute('role')") == "status"
    tree = table.browser.command("Accessibility.getFullAXTree")["nodes"]
    roles = [node["role"]["value"] for node in tree if "role" in node]
    assert roles.count("grid") == 1
    assert roles.count("row") == 3
    assert roles.count("gridcell") == 12
    assert len(table.js("[...document.querySelectorAll('.board [tabindex=\"0\"]')]")) == 1


def axe_source() -> str:
    found = find_spec("axe_core_python")
    if found is None or not found.submodule_search_locations:
        pytest.skip("no axe-core-python here; 'make setup' installs it")
    return (Path(found.submodule_search_locations[0]) / "axe.min.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("width", [320, 1440])
def test_an_accessibility_checker_finds_nothing(table: Table, theme: str, width: int) -> None:
    axe = axe_source()

    def faults() -> list[Any]:
        table.browser.settle()
        table.js(axe + ";1")
        return list(
            table.js(
                "axe.run(document, {resultTypes: ['violations']}).then(found => found.violations.map("
                "one => [one.id, one.nodes.slice(0, 3).map(node => node.html.slice(0, 200) + node.failureSummary)]))"
            )
        )

    dark, size = theme == "dark", (width, 900)
    table.show(size=size, dark=dark)
    assert faults() == []
    for kind in KINDS:
        opened_like(kind, table, size=size, dark=dark)
        take_hint(table)
        table.js("document.getElementById('hint').click()")
        waits(table, "document.getElementById('advice').checkVisibility()")
        table.js("document.getElementById('hint').click(); document.getElementById('hint').click()")
        assert faults() == [], kind
    for dialog in ("settings", "share"):
        table.js(f"document.getElementById('{dialog}').click()")
        assert faults() == [], dialog
        table.key("Escape")


def test_a_large_game_repaints_only_what_changed(table: Table) -> None:
    rng = random.Random(4)
    shape = Shape(100, 100)
    mines = cell_set(c for c in range(shape.size) if rng.random() < 0.2 and c > 300)
    table.show(game=HiddenGame(shape, mines, shape.cell(0, 0)), size=(1200, 900))
    table.js(
        "window.touched = new Set();"
        " new MutationObserver(all => all.forEach(m => touched.add(m.target.closest('.cell'))))"
        ".observe(document.querySelector('.board'), {subtree: true, childList: true, attributes: true,"
        " attributeFilter: ['class', 'aria-label']})"
    )
    row, col = next((r, c) for r in range(100) for c in range(3, 30) if table.js("autosolve.state()")[r][c] == ".")
    table.js(f"document.querySelectorAll('.cell')[{row * 100 + col}].scrollIntoView({{block: 'center'}})")
    table.press(row, col, "right")
    assert table.state[row][col] == "F"
    assert 1 <= table.js("touched.size") <= 9


# ---------------------------------------------------------------- with the local server


class Served:
    """The page from a server of its own."""

    def __init__(self, folder: Path) -> None:
        surroundings = {**os.environ, "BROWSER": "true", "XDG_DATA_HOME": str(folder)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "autosolve", "play", "--no-browser"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=surroundings,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
        assert self.process.stdout is not None
        said = ""
        while "http://" not in said:
            line = self.process.stdout.readline()
            assert line, said
            said += line
        self.address = re.findall(r"http://[\d.:]+/", said)[0]

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = Served(tmp_path_factory.mktemp("served"))
    yield server
    server.stop()


@pytest.fixture
def serving(table: Table, served: Served) -> Table:
    table.browser.metrics(1200, 900, 1)
    table.browser.open("about:blank")
    table.browser.open(served.address)
    table.js("localStorage.clear()")
    table.browser.open("about:blank")
    table.browser.open(served.address)
    return table


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_puzzle_is_made_hinted_and_solved(serving: Table, kind: str) -> None:
    table = serving
    table.js(f"document.querySelector('[name=kind][value={kind}]').click()")
    assert table.js("document.getElementById('new-size').options.length") > 2
    table.js("document.getElementById('make').click()")
    waits(table, f"autosolve.kind === '{kind}' && autosolve.state().length > 0")
    assert table.js("location.hash") != ""
    for _ in range(3):
        take_hint(table)
    assert not table.solved
    # the rest by the solver, from what is seen
    while not table.solved:
        chars = "\n".join(table.state)
        if kind == "reveal":
            mines = int(words(table, "flag-count").split("/")[1])
            puzzle = notation.parse(f"mines: {mines}\n{chars}").puzzle
            todo = [(*at, "left") for at in puzzle.shape.pairs(solve(puzzle).safe)]
            todo = [at for at in todo if table.state[at[0]][at[1]] == "."]
        else:
            table.click("#share")
            puzzle = notation.parse(table.js("document.getElementById('share-text').value")).puzzle
            table.key("Escape")
            have = {tuple(at) for at in table.js("autosolve.flags()")}
            button = "left" if kind == "mosaic" else "right"
            todo = [(*at, button) for at in puzzle.shape.pairs(solve(puzzle).mines) if at not in have]
        assert todo
        for row, col, button in todo:
            table.press(row, col, button)
    waits(table, "document.getElementById('judged-text').textContent")
    assert "hint" in words(table, "judged-text")
    assert not shown(table, "clean")
    table.js("document.getElementById('another').click()")
    waits(table, "!autosolve.solved")


def test_a_clean_clear_is_marked_and_kept(serving: Table) -> None:
    table = serving
    table.js("location.hash = '#3x4:911919229919'")
    waits(table, "autosolve.state().length === 3")
    for row, col in ((0, 0), (0, 3), (2, 3)):
        table.press(row, col, "right")
    waits(table, "document.getElementById('judged-text').textContent")
    assert shown(table, "clean")
    attempts = table.js("JSON.parse(localStorage.getItem('autosolve-attempts'))")
    assert [(one["kind"], one["clean"]) for one in attempts] == [("puzzle", True)]
    # the same board once more is no first attempt
    table.click("#restart")
    assert not shown(table, "clean")
    for row, col in ((0, 0), (0, 3), (2, 3)):
        table.press(row, col, "right")
    waits(table, "document.getElementById('judged-text').textContent")
    assert not shown(table, "clean")
    assert len(table.js("JSON.parse(localStorage.getItem('autosolve-attempts'))")) == 1


def test_a_flag_that_nothing_proved_is_not_clean(serving: Table) -> None:
    table = serving
    table.js("location.hash = '#3x4:911919229919'")
    waits(table, "autosolve.state().length === 3")
    table.press(1, 1, "right")
    table.press(1, 1, "right")
    for row, col in ((0, 0), (0, 3), (2, 3)):
        table.press(row, col, "right")
    waits(table, "document.getElementById('judged-text').textContent")
    assert table.solved
    assert not shown(table, "clean")


def test_the_rating_is_shown_after_twenty_boards(serving: Table) -> None:
    table = serving
    attempts = [{"id": str(i), "kind": "puzzle", "depth": 8, "clean": i % 3 > 0, "seconds": 60} for i in range(25)]
    table.js(f"localStorage.setItem('autosolve-attempts', JSON.stringify({json.dumps(attempts[:5])}))")
    table.js("location.reload()")
    waits(table, "document.getElementById('record-text')?.textContent.includes('there are 5')")
    table.js(f"localStorage.setItem('autosolve-attempts', JSON.stringify({json.dumps(attempts)}))")
    table.js("location.reload()")
    waits(table, "/Rating \\d+/.test(document.getElementById('record-text')?.textContent)")
    assert "25 boards finished at the first attempt, 16 of them clean." in words(table, "record-text")
    table.click("#forget")
    assert table.js("localStorage.getItem('autosolve-attempts')") == "[]"


def test_chances_are_shown_where_a_game_is_stuck(serving: Table) -> None:
    table = serving
    # the two cells on the left: one mine, and nothing tells which
    table.js("location.hash = '#game=2x5:800:4'")
    waits(table, "autosolve.state().length === 2")
    assert table.state == [".1000", ".1000"]
    table.click("#hint")
    waits(table, "document.querySelector('.odds')")
    assert table.js("[...document.querySelectorAll('.odds')].map(one => one.textContent)") == ["50", "50"]
    assert table.js("document.querySelectorAll('.best').length") == 0  # one is as good as the other
    assert "50 per cent" in table.js("document.querySelector('.chance').getAttribute('aria-label')")
    axe = axe_source()
    table.js(axe + ";1")
    assert table.js("axe.run().then(found => found.violations.map(one => one.id))") == []
    table.press(1, 0)
    assert table.solved
    assert table.js("document.querySelectorAll('.odds').length") == 0


def test_a_pasted_board_is_explained_and_checked_by_the_server(serving: Table) -> None:
    table = serving
    table.fill("#puzzle", EXAMPLE)
    table.click("#form .primary")
    waits(table, "autosolve.state().length === 9")
    table.js("document.getElementById('explain').click()")
    waits(table, "/^Step 1 of/.test(document.getElementById('advice-title').textContent)")
    table.js("document.getElementById('advice-close').click()")
    wrong = notation.parse(EXAMPLE).puzzle
    row, col = wrong.shape.pairs(solve(wrong).safe)[0]
    table.press(row, col, "right")
    table.js("document.getElementById('check').click()")
    waits(table, "document.querySelector('.faulty')")


def test_a_server_that_is_gone_is_said(table: Table, tmp_path: Path) -> None:
    server = Served(tmp_path)
    try:
        table.browser.open("about:blank")
        table.browser.open(server.address + "#2x2:1999")
    finally:
        server.stop()
    table.js("document.getElementById('hint').click()")
    waits(table, "document.getElementById('advice').checkVisibility()")
    assert "Start 'autosolve play' again" in words(table, "advice-text")


def test_without_a_server_only_dealt_games_are_new(table: Table) -> None:
    table.show()
    kinds = table.js(
        "[...document.querySelectorAll('.tile')].filter(t => t.checkVisibility()).map(t => "
        "t.querySelector('input').value)"
    )
    assert kinds == ["reveal"]
    table.click("#make")
    assert table.state == ["." * 9] * 9
    assert "connect-src" not in table.file.read_text(encoding="utf-8")
    assert "connect-src 'self';" in page(token="abc")
    assert "abc" not in page()


def test_the_next_game_begins_with_a_key_once_this_one_is_over(table: Table) -> None:
    table.show(game=GAME)
    before, size = table.js("location.hash"), [GAME.shape.cols * "."] * GAME.shape.rows
    table.press(0, 0)
    table.key("n")
    assert table.state != size  # a game that is played goes on
    mine = next(cell for cell in range(GAME.shape.size) if GAME.mines >> cell & 1)
    table.press(*divmod(mine, GAME.shape.cols))
    table.key("n")
    assert table.state == size
    assert table.js("location.hash") == f"#deal={GAME.shape}:{GAME.mines.bit_count()}" != before


# ---------------------------------------------------------------- by the bot


@pytest.mark.parametrize("theme", THEMES)
def test_the_eye_reads_every_mark_of_a_mosaic(table: Table, theme: str, tmp_path: Path) -> None:
    """Digits on filled cells and on cells marked empty, clues that are done and clues that are wrong."""
    text = board("mosaic")
    table.show(text, dark=theme == "dark")
    for _ in range(6):
        take_hint(table)
    for row, col in ((5, 0), (5, 1), (5, 2)):
        table.press(row, col)
    for name in ("done", "wrong", "clear", "filled"):
        assert table.js(f"document.querySelectorAll('.clue.{name}').length") > 0, name
    table.browser.settle()
    table.browser.screenshot(tmp_path / "mosaic.png")
    found = read(picture.load(str(tmp_path / "mosaic.png")), options.profiles("local-player"))
    assert (found.profile.name, found.doubts) == ("local-mosaic", {})
    assert dict(found.puzzle.clues) == dict(notation.parse(text).puzzle.clues)
    assert found.puzzle.shape.pairs(found.marks.flags) == [tuple(at) for at in table.js("autosolve.flags()")]


def open_game(shape: Shape, seed: int, start: tuple[int, int]) -> HiddenGame:
    """A game with a mine in every seventh cell and none beside ``start``."""
    row, col = start
    away = [c for c in range(shape.size) if max(abs(shape.at(c)[0] - row), abs(shape.at(c)[1] - col)) > 1]
    return HiddenGame(shape, cell_set(random.Random(seed).sample(away, shape.size // 7)), shape.cell(row, col))


def opened_board(table: Table, game: HiddenGame, theme: str, zoom: float) -> Frame:
    """The page with a game that has been begun, and a flag in its corner."""
    table.show(game=game, dark=theme == "dark")
    table.browser.metrics(1000, 900, zoom)
    table.press(0, game.shape.cols - 1, "right")
    table.browser.settle()
    return picture.decode(table.browser.screenshot(), "page")


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("zoom", [0.67, 0.8, 1.25])
def test_the_frame_of_a_board_to_open_is_seen_where_it_ends_within_a_pixel(
    table: Table, theme: str, zoom: float
) -> None:
    game = open_game(Shape(12, 16), 5, (5, 8))
    seen = read(opened_board(table, game, theme, zoom), options.profiles("local-player"))
    assert (seen.profile.name, seen.grid.shape, seen.grid.cut) == ("local-player-reveal", Shape(12, 16), frozenset())
    assert not seen.doubts


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("zoom", "seed"), [(0.67, 3), (1.25, 15)])
def test_a_board_to_open_that_runs_out_of_its_window_is_cut(table: Table, theme: str, zoom: float, seed: int) -> None:
    """Its frame is missing there, whatever lies beyond: the desktop, a scroll bar, the page, or nothing; also where its
    clues count mines beyond."""
    whole = opened_board(table, open_game(Shape(7, 12), seed, (3, 5)), theme, zoom)
    sites = options.profiles("local-player")
    seen = read(whole, sites)
    assert (seen.profile.name, seen.grid.shape, seen.grid.cut) == ("local-player-reveal", Shape(7, 12), frozenset())
    box, pitch = seen.grid.box, seen.grid.pitch_x
    for side, edge in (("left", box.x), ("right", box.right), ("top", box.y), ("bottom", box.bottom)):
        inwards = 1 if side in ("left", "top") else -1
        for lost, beyond in ((0.02, 0), (0.9, 255), (1.0, None), (1.05, 0)):
            at = round(edge + inwards * lost * pitch)
            part = slice(None, at) if inwards > 0 else slice(at, None)
            pixels = whole.pixels.copy()
            place = pixels[:, part] if side in ("left", "right") else pixels[part]
            if beyond is None:
                left = slice(at, None) if inwards > 0 else slice(None, at)
                pixels = np.ascontiguousarray(pixels[:, left] if side in ("left", "right") else pixels[left])
            else:
                place[:] = beyond
            found = read(Frame(pixels), sites)
            assert side in found.grid.cut or found.doubts, (side, lost, beyond)


HINTED = """
(async () => {
  for (let press = 0; press < 3; press++) {
    document.getElementById('hint').click();
    await new Promise(done => setTimeout(done, 20));
  }
  document.getElementById('advice-make').click();
})()
"""


@pytest.mark.screen
def test_the_bot_plays_every_kind_it_reads(rig: Rig, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text("<title>wait</title>")
    browser: Chromium = rig.browser(file.as_uri())
    try:
        # boards that show their clues are played on many screens elsewhere
        for kind, theme in (("reveal", "light"), ("reveal", "dark"), ("lines", "dark"), ("mosaic", "light")):
            position = None if kind == "reveal" else notation.parse(board(kind))
            file.write_text(page(position, game=GAME if kind == "reveal" else None), encoding="utf-8", newline="\n")
            browser.open(file.as_uri())
            browser.js(f"document.querySelector('[name=setting-theme][value={theme}]').click()")
            for _ in range(4):  # goes on from what a person has marked: dots, flags, clues that are done
                browser.js(HINTED)
            browser.settle()
            done = rig.autosolve("--site", "local-player", "--json")
            assert done.returncode == 0, (kind, theme, done.stdout, done.stderr)
            assert json.loads(done.stdout)["verified"], (kind, theme)
            assert browser.js("[autosolve.kind, autosolve.solved]") == [kind, True]
    finally:
        rig.close_browser(browser)


@pytest.mark.screen
def test_the_bot_begins_the_next_game_itself(rig: Rig, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(page(None), encoding="utf-8", newline="\n")
    browser: Chromium = rig.browser(f"{file.as_uri()}#deal=6x11:5")
    try:
        browser.settle()
        done = rig.autosolve("--site", "local-player", "--games", "3", "--json")
        games = json.loads(done.stdout)["games"]
        assert done.returncode in (0, 9) and len(games) == 3, (done.stdout, done.stderr)
        assert all(game["result"] == "won" or game["lost_by"] == "guess" for game in games)
    finally:
        rig.close_browser(browser)
