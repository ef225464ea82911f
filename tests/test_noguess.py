"""Boards without a guess: published shares, proofs again by the plain solver and by brute force, budgets, days."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from datetime import date, timedelta
from itertools import combinations
from math import sqrt

import pytest
from click.testing import CliRunner
from reference import always

from autosolve.board.notation import parse, solution_hash
from autosolve.board.shape import Cell, Shape, cell_set, cells_in
from autosolve.cli.generate_noguess import noguess
from autosolve.errors import Undecided, WrongUse
from autosolve.generate.deal import SplitMix64, deal, spared, standard_mines
from autosolve.generate.game import Field, Game, State
from autosolve.generate.noguess import Factory, Method, Rules, Wish, daily, replay
from autosolve.kernels.game import FirstClick
from autosolve.kernels.noguess import Maker


def wilson(good: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a share."""
    z, p = 1.96, good / of
    centre, half = p + z * z / 2 / of, z * sqrt(p * (1 - p) / of + z * z / 4 / of / of)
    return (centre - half) / (1 + z * z / of), (centre + half) / (1 + z * z / of)


# ---------------------------------------------------------------- how many deals are good


@pytest.mark.parametrize(
    ("size", "mines", "share", "boards"),
    [
        # 4,000 boards each, by a game that opens the first cell with a free neighbourhood
        ((9, 9), 10, 0.657, 4000),
        ((12, 16), 30, 0.266, 4000),
        ((14, 20), 55, 0.016, 4000),
        # 2,000 boards each, from the middle, nine cells free
        ((9, 9), 10, 0.637, 2000),
        ((16, 16), 40, 0.241, 2000),
        ((16, 30), 99, 0.001, 2000),
    ],
)
def test_the_two_local_rules_clear_the_published_share(size, mines, share, boards) -> None:
    shape, of = Shape(*size), 20_000
    maker = Maker(shape)
    good = sum(
        maker.make(mines, shape.middle, level=1, seed=1, number=k, perturb=False, budget=1).proven for k in range(of)
    )
    low, high = wilson(round(share * boards), boards)
    assert low <= good / of <= high


# ---------------------------------------------------------------- proven again


def single_point(field: Field, start: int) -> set[int]:
    """What the two local rules open, cell by cell, with lists: ``shut`` and ``missing`` are the covered cells and the
    mines not yet flagged around a clue."""
    rows, cols = field.shape.rows, field.shape.cols
    mined = set(cells_in(field.mines))

    def near(cell: int) -> list[int]:
        r, c = divmod(cell, cols)
        beside = [(r + i, c + j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
        return [i * cols + j for i, j in beside if 0 <= i < rows and 0 <= j < cols]

    opened: set[int] = set()
    flags: set[int] = set()
    look, todo = [start], [start]
    while todo or look:
        if todo:
            cell = todo.pop()
            if cell not in opened:
                assert cell not in mined
                opened.add(cell)
                look += [cell, *(n for n in near(cell) if n in opened)]
            continue
        clue = look.pop()
        if clue not in opened:
            continue
        beside = near(clue)
        shut = [n for n in beside if n not in opened and n not in flags]
        missing = sum(n in mined for n in beside) - sum(n in flags for n in beside)
        if shut and missing == 0:
            todo += shut
        elif shut and missing == len(shut):
            flags.update(shut)
            look += [n for cell in shut for n in near(cell) if n in opened]
    return opened


def brute_force(field: Field, start: int) -> bool:
    """Whether a player wins who opens exactly what is safe in every layout that agrees with what is seen."""
    game = Game(field).reveal(start)
    while game.state is State.PLAYING:
        _, safe = always(game.puzzle)
        if not safe:
            return False
        for cell in safe:
            game = game.reveal(cell)
    return game.state is State.WON


@pytest.mark.parametrize("size", [(3, 4), (4, 3), (2, 6), (1, 9), (5, 2)])
def test_every_small_board_is_judged_as_by_hand(size: tuple[int, int]) -> None:
    shape = Shape(*size)
    maker = Maker(shape)
    seen = {(rules, won): 0 for rules in Rules for won in (False, True)}
    for mines in (1, 2, 3):
        for start in {0, shape.middle, shape.size - 1}:
            for number in range(14):
                for rules in Rules:
                    made = maker.make(
                        mines, start, FirstClick.SAFE,
                        level=rules.level, seed=3, number=number, perturb=False, budget=1,
                    )  # fmt: skip
                    field = Field(shape, maker.mine_set)
                    again = replay(field, start, rules)
                    assert made.proven == again.won
                    assert made.opened == again.game.opened.bit_count()
                    if rules is Rules.TWO:
                        assert made.opened == len(single_point(field, start))
                    if rules is Rules.FULL:
                        assert made.proven == brute_force(field, start)
                    seen[rules, made.proven] += 1
    # where the rules are weak and the board thin, no board may be good by them
    assert all(seen[Rules.FULL, won] for won in (False, True))
    assert seen[Rules.TWO, True] <= seen[Rules.PAIRS, True] <= seen[Rules.FULL, True]


@pytest.mark.parametrize("rules", Rules)
@pytest.mark.parametrize("method", [Method.REDEAL, Method.PERTURB])
def test_boards_are_won_again_by_the_plain_solver(rules: Rules, method: Method) -> None:
    for size, mines in (((16, 30), 99), ((7, 12), 14), ((12, 7), 20), ((3, 20), 9), ((9, 9), 10)):
        if method is Method.REDEAL and (rules is Rules.TWO and mines > 14):
            continue
        shape = Shape(*size)
        factory = Factory(Wish(shape, mines, shape.middle, rules, method=method))
        for seed in range(3):
            board = factory.make(seed)
            assert board.proven
            assert board.field.mines.bit_count() == mines
            assert not board.field.mines & spared(shape, shape.middle, FirstClick.OPENING)
            again = replay(board.field, shape.middle, rules)
            assert again.won
            assert not again.game.opened & board.field.mines
            if rules is Rules.TWO:
                assert single_point(board.field, shape.middle) == set(cells_in(board.field.safe))


@pytest.mark.parametrize(
    ("size", "mines", "seeds"),
    [((4, 8), 10, (179, 2441, 5745)), ((6, 6), 10, (1739,)), ((9, 9), 25, (1784,))],
)
def test_a_board_is_proven_after_its_last_change_not_before(size, mines, seeds) -> None:
    # where these are first cleared, a change has undone a step that rested on the odds
    shape = Shape(*size)
    maker = Maker(shape)
    for seed in seeds:
        assert maker.make(mines, shape.middle, level=3, seed=seed, budget=500).proven
        assert replay(Field(shape, maker.mine_set), shape.middle, Rules.FULL).won


@pytest.mark.parametrize("rule", FirstClick)
def test_a_changed_board_keeps_its_mines_and_the_first_click(rule: FirstClick) -> None:
    for size, mines in (((1, 20), 5), ((2, 20), 12), ((6, 9), 22), ((13, 4), 9), ((4, 4), 6), ((5, 3), 4)):
        shape = Shape(*size)
        maker = Maker(shape)
        for start in (0, shape.size - 1, int(shape.middle)):
            if mines > rule.room(shape, Cell(start)):
                continue
            for seed in range(120):
                made = maker.make(mines, Cell(start), rule, level=2, seed=seed, budget=400)
                field = Field(shape, maker.mine_set)
                assert made.games <= 400
                assert field.mines.bit_count() == mines
                assert not field.mines & spared(shape, start, rule)
                assert seed > 3 or replay(field, Cell(start), Rules.PAIRS).won == made.proven


def test_redealing_gives_the_first_good_deal_and_leaves_it_alone() -> None:
    shape = Shape(5, 6)
    start = shape.middle
    for seed in range(20):
        board = Factory(Wish(shape, 5, start, Rules.TWO, FirstClick.SAFE, Method.REDEAL)).make(seed)
        numbers = SplitMix64.of_game(seed)
        deals = [deal(shape, 5, start, FirstClick.SAFE, numbers) for _ in range(board.making.deals)]
        good = [len(single_point(Field(shape, mined), start)) == shape.size - 5 for mined in deals]
        assert (good.index(True), deals[-1]) == (len(deals) - 1, board.field.mines)


def test_all_layouts_of_a_board_can_come_out_as_good_ones() -> None:
    shape, start = Shape(2, 4), Cell(0)
    good = set()
    for layout in combinations(range(1, 8), 2):
        field = Field(shape, cell_set(layout))
        if replay(field, start, Rules.FULL).won:
            good.add(field.mines)
    maker = Maker(shape)
    found = set()
    for seed in range(600):
        assert maker.make(2, start, FirstClick.SAFE, level=3, seed=seed, perturb=False).proven
        found.add(maker.mine_set)
    assert found == good


# ---------------------------------------------------------------- the budget, the days, the same board everywhere


def test_where_the_budget_ends_the_board_is_not_called_proven() -> None:
    shape = Shape(2, 20)
    wish = Wish(shape, 5, shape.middle, Rules.FULL, budget=300)
    factory = Factory(wish)
    board = factory.make(1)
    again = replay(board.field, wish.start, wish.rules)
    assert (board.proven, again.won, board.making.games) == (False, False, 300)
    assert board.record(again).extra["no_guess"] is False
    assert "NEEDS A GUESS" in board.record(again).to_text()
    near = factory.nearest()
    assert near is not None
    assert Factory(Wish(shape, near, wish.start, Rules.FULL)).make(1).proven
    # hardly any board is this dense
    dense = Wish(Shape(16, 30), 300, Cell(15), Rules.TWO, budget=200)
    assert not Factory(dense).make(1).proven
    near = Factory(dense).nearest()
    assert near is not None
    assert Factory(replace(dense, mines=near)).make(1).proven


def test_the_way_taken_is_the_one_that_takes_less() -> None:
    easy = Factory(Wish(Shape(9, 9), 10, Cell(40), Rules.TWO)).estimate
    assert easy.choice is Method.REDEAL
    assert 0.55 < easy.share < 0.75
    expert = Factory(Wish(Shape(16, 30), 99, Cell(255), Rules.TWO)).estimate
    assert expert.choice is Method.PERTURB
    assert expert.perturb is not None
    assert "Changing boards" in expert.text
    assert Factory(Wish(Shape(9, 9), 10, Cell(40), method=Method.PERTURB)).make(1).method is Method.PERTURB


def test_a_day_has_one_board() -> None:
    wish = Wish(Shape(9, 12), 18, Cell(0))
    day = date(2026, 11, 30)
    first, seed = daily(day, wish)
    other, same = daily(day, Wish(Shape(9, 12), 18, Cell(5), method=Method.REDEAL, budget=9))
    assert (first.start, seed) == (other.start, same)
    days = [daily(day + timedelta(k), wish) for k in range(30)]
    assert len({seed for _, seed in days}) == 30
    assert len({of_day.start for of_day, _ in days}) > 20
    assert daily(day, wish, Cell(7))[0].start == 7
    assert daily(day, Wish(Shape(9, 12), 19, Cell(0)))[1] != seed
    # a start is drawn from where the mines leave room
    for k in range(20):
        full, _ = daily(day + timedelta(k), Wish(Shape(3, 4), 8, Cell(0)))
        assert full.start in (0, 3, 8, 11)


GOLDEN = {
    # --seed 7 on any machine: rules, size, mines -> the first 16 digits of the hash
    ("full", "16x30", 99): "a2df417febb04565",
}


def run(*args: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "autosolve", "generate", "noguess", *args]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=False, env={**os.environ, **(env or {})}
    )


def test_other_processes_make_the_same_boards() -> None:
    args = ("--size", "8x13", "--mines", "20", "--seed", "40", "--count", "4", "--json")
    one = run(*args, env={"PYTHONHASHSEED": "1"})
    two = run(*args, "--jobs", "2", env={"PYTHONHASHSEED": "2"})
    assert one.returncode == two.returncode == 0, one.stderr + two.stderr
    assert one.stdout == two.stdout
    alone = CliRunner().invoke(noguess, ["--size", "8x13", "--mines", "20", "--seed", "42", "--json"])
    assert json.loads(one.stdout.splitlines()[2]) == json.loads(alone.stdout)


# ---------------------------------------------------------------- the command


def call(*args: str):
    return CliRunner().invoke(noguess, [*args], standalone_mode=False)


def test_json_holds_all_that_is_needed_to_play_and_to_check() -> None:
    for (rules, size, mines), digest in GOLDEN.items():
        done = call("--rules", rules, "--size", size, "--mines", str(mines), "--seed", "7", "--json")
        board = json.loads(done.stdout)
        assert board["hash"].startswith(digest)
        shape = Shape(board["rows"], board["cols"])
        field = Field(shape, cell_set(i for i, bit in enumerate("".join(board["solution"])) if bit == "1"))
        assert solution_hash(shape, field.mines) == board["hash"]
        assert (board["schema"], board["mines"], board["seed"], board["rules"]) == (1, mines, 7, rules)
        assert board["no_guess"] is True
        assert board["three_bv"] == field.three_bv
        start = shape.cell(*board["start"])
        seen = parse(json.dumps(board)).puzzle
        assert seen == Game(field).reveal(start).puzzle
        again = replay(field, start, Rules(rules))
        assert board["grade"] == dict(again.grade)
        assert board["grade"]["unique"] is True


def test_text_and_digits_read_back() -> None:
    text = call("--size", "6x11", "--mines", "9", "--seed", "3", "--start", "r2c3").stdout
    assert "start r2c3" in text
    position = parse(text)
    assert position.puzzle.clues[Cell(13)] == 0
    assert call("--size", "6x11", "--mines", "9", "--seed", "3", "--start", "1,2").stdout == text
    digits = parse(call("--size", "6x11", "--mines", "9", "--seed", "3", "--start", "1,2", "--format", "digits").stdout)
    assert digits.sha256 == position.sha256 == solution_hash(Shape(6, 11), digits.puzzle.covered)
    assert all(digits.puzzle.clues[cell] == number for cell, number in position.puzzle.clues.items())


def test_days_go_on_from_a_day() -> None:
    lines = call("--daily", "2026-12-31", "--size", "5x7", "--count", "2", "--json").stdout.splitlines()
    days = [json.loads(line) for line in lines]
    assert [board["day"] for board in days] == ["2026-12-31", "2027-01-01"]
    assert json.loads(call("--daily", "2027-01-01", "--size", "5x7", "--json").stdout) == days[1]
    assert call("--daily", "9999-12-31", "--count", "2").exception.exit_code == 2


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("--start", "16,0"), "lies outside the 16x30 board"),
        (("--start", "r17c1"), "lies outside the 16x30 board"),
        (("--mines", "472"), "472 mines do not fit"),
        (("--size", "1x2", "--first-click", "random", "--mines", "2"), "leave no safe start"),
        (("--size", "3x3", "--mines", "1"), "1 mine does not fit on a 3x3 board"),
    ],
)
def test_what_cannot_be_is_said(args: tuple[str, ...], sentence: str) -> None:
    problem = call(*args).exception
    assert isinstance(problem, WrongUse)
    assert sentence in str(problem)
    assert problem.remedy


def test_what_is_not_proven_ends_with_7_and_the_nearest() -> None:
    done = call("--size", "2x20", "--mines", "5", "--budget", "50", "--seed", "1", "--json")
    assert isinstance(done.exception, Undecided)
    assert "--mines 4" in done.exception.remedy
    assert json.loads(done.stdout)["no_guess"] is False


@pytest.mark.parametrize("size", [(1, 1), (1, 2), (2, 1), (1, 5), (2, 2), (3, 3)])
def test_tiny_boards_have_something(size: tuple[int, int]) -> None:
    shape = Shape(*size)
    for mines in range(shape.size):
        board = Factory(Wish(shape, mines, Cell(0), Rules.FULL, FirstClick.SAFE, budget=100)).make(2)
        assert replay(board.field, Cell(0), Rules.FULL).won == board.proven
    assert standard_mines(shape) < shape.size


def test_a_huge_board_is_made_and_won() -> None:
    shape = Shape(80, 500)
    board = Factory(Wish(shape, 6_000, shape.middle, Rules.TWO, method=Method.PERTURB)).make(1)
    assert board.proven
    assert single_point(board.field, shape.middle) == set(cells_in(board.field.safe))
