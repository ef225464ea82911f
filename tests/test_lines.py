"""Row-and-column boards: what they need is what was asked for, held against brute force; sets; what cannot be had."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner
from reference import models, sentences

from autosolve.analysis.audit import Fate, replay
from autosolve.analysis.collection import Entry
from autosolve.board.notation import Position, parse, parse_collection, solution_hash
from autosolve.board.puzzle import Puzzle, Totals
from autosolve.board.shape import Shape, cell_set, cells_in
from autosolve.cli.generate_lines import lines
from autosolve.errors import WrongUse
from autosolve.generate.deal import SplitMix64
from autosolve.generate.lines import (
    LAYERS,
    TIERS,
    Lines,
    Missed,
    Needs,
    Wish,
    clues_band,
    draw,
    make,
    make_set,
    mines_band,
    missed,
    places,
    summary,
    takeable,
)
from autosolve.solver.deduction import Technique
from autosolve.solver.hybrid import solve

SIZES = [(4, 5), (5, 4), (5, 5), (3, 8), (6, 7), (9, 9)]


def made(wish: Wish, seed: int) -> Lines:
    found = make(wish, seed, tries=4000)
    assert isinstance(found, Lines)
    return found


# ---------------------------------------------------------------- the layers, written again with sets


class Clash(Exception):
    pass


def thought(puzzle: Puzzle, mines: set[int], safe: set[int], two: bool) -> tuple[set[int], set[int]]:
    """What one condition at a time says, and if ``two`` two that overlap, by their bounds in the long form."""
    said = sentences(puzzle)
    mines, safe = set(mines), set(safe)
    while True:
        before = len(mines) + len(safe)
        now = [(cells - mines - safe, number - len(cells & mines)) for cells, number in said]
        for cells, need in now:
            if not 0 <= need <= len(cells):
                raise Clash
            if need == 0:
                safe |= cells
            elif need == len(cells):
                mines |= cells
        if len(mines) + len(safe) == before and two:
            for a, need_a in now:
                for b, need_b in now:
                    both = a & b
                    if not both or a == b:
                        continue
                    low = max(0, need_a - len(a - b), need_b - len(b - a))
                    high = min(need_a, need_b, len(both))
                    if low > high:
                        raise Clash
                    for own, least, most in (
                        (a - b, need_a - high, need_a - low),
                        (b - a, need_b - high, need_b - low),
                        (both, low, high),
                    ):
                        if most == 0:
                            safe |= own
                        elif least == len(own):
                            mines |= own
        if mines & safe:
            raise Clash
        if len(mines) + len(safe) == before:
            return mines, safe


def needs(puzzle: Puzzle) -> Needs | None:
    """What a board needs, by the rules above; None where they do not clear it."""
    covered = set(cells_in(puzzle.covered))
    mines, safe = thought(puzzle, set(), set(), two=False)
    if mines | safe == covered:
        return Needs.ONE
    mines, safe = thought(puzzle, set(), set(), two=True)
    if mines | safe == covered:
        return Needs.TWO
    first = True
    while mines | safe != covered:
        proven = []
        for cell in covered - mines - safe:
            for mine in (True, False):
                try:
                    thought(puzzle, mines | ({cell} if mine else set()), safe | (set() if mine else {cell}), two=True)
                except Clash:
                    proven.append((cell, not mine))
        if not proven:
            return None
        for cell, mine in proven if first else ():
            more = thought(puzzle, mines | ({cell} if mine else set()), safe | (set() if mine else {cell}), two=True)
            if more[0] | more[1] == covered:
                return Needs.CONTRADICTION
        first = False
        mines |= {cell for cell, mine in proven if mine}
        safe |= {cell for cell, mine in proven if not mine}
        mines, safe = thought(puzzle, mines, safe, two=True)
    return Needs.CONTRADICTIONS


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("wanted", Needs)
def test_boards_need_what_was_asked_for(size: tuple[int, int], wanted: Needs) -> None:
    for seed in range(3):
        board = made(Wish(Shape(*size), wanted), seed)
        found = needs(board.puzzle)
        assert found is wanted or (wanted is Needs.CONTRADICTIONS and found is Needs.CONTRADICTION)
        waves = dict(board.solution.waves)
        assert (Technique.CONTRADICTION in waves) == (wanted in (Needs.CONTRADICTION, Needs.CONTRADICTIONS))
        assert wanted is not Needs.CONTRADICTION or waves[Technique.CONTRADICTION] == 1


def test_some_boards_need_more_than_one_contradiction_and_are_told_apart() -> None:
    wish = Wish(Shape(9, 9), Needs.CONTRADICTIONS, depth=(18, 60), mines=(20, 28), clues=(20, 24))
    found = [needs(made(wish, seed).puzzle) for seed in range(3)]
    assert Needs.CONTRADICTIONS in found
    alone = Wish(Shape(9, 9), Needs.CONTRADICTION, mines=(20, 28), clues=(20, 24))
    assert {needs(made(alone, seed).puzzle) for seed in range(3)} == {Needs.CONTRADICTION}


@pytest.mark.parametrize("size", [(3, 4), (4, 4), (4, 5), (2, 6)])
def test_small_boards_have_one_solution_by_brute_force(size: tuple[int, int]) -> None:
    wish = Wish(Shape(*size), Needs.ONE)
    for seed in range(6):
        board = made(wish, seed)
        covered = [c for c in range(wish.shape.size) if board.puzzle.covered >> c & 1]
        assert len(covered) <= 17
        assert models(covered, sentences(board.puzzle)) == [frozenset(cells_in(board.mines))]


@pytest.mark.parametrize("size", [*SIZES, (1, 9), (9, 1), (12, 5), (20, 20)])
def test_draws_keep_to_their_bands_and_tell_the_truth(size: tuple[int, int]) -> None:
    shape = Shape(*size)
    wish = Wish(shape, Needs.ONE)
    mines, clues = wish.bands
    numbers = SplitMix64(3)
    drawn = [found for _ in range(60) if (found := draw(wish, numbers))]
    assert drawn, "the bands suit the size"
    for puzzle, mined in drawn:
        assert mines[0] <= mined.bit_count() <= mines[1]
        assert clues[0] <= len(puzzle.clues) <= clues[1]
        assert all((shape.neighbours(c) & mined).bit_count() == n for c, n in puzzle.clues.items())
        assert not cell_set(puzzle.clues) & (mined | puzzle.covered)
        assert cell_set(puzzle.clues) | puzzle.covered == shape.all
        rows = tuple((shape.row(i) & mined).bit_count() for i in range(shape.rows))
        columns = tuple((shape.column(j) & mined).bit_count() for j in range(shape.cols))
        assert puzzle.totals == Totals(rows, columns)
        assert (*rows, *columns, *puzzle.clues.values()).count(0) <= 3


def test_the_bands_are_those_of_the_sizes() -> None:
    assert mines_band(Shape(5, 5)) == (4, 7)
    assert mines_band(Shape(9, 9)) == (18, 26)
    sizes = [Shape(n, m) for n in range(5, 10) for m in (n, n + 1)]
    for smaller, larger in pairwise(sizes):
        assert mines_band(smaller) <= mines_band(larger)
        assert clues_band(smaller, Needs.TWO) <= clues_band(larger, Needs.TWO)


@pytest.mark.parametrize("band", [(3, 3), (5, 6), (9, 12)])
def test_waves_and_depth_are_met(band: tuple[int, int]) -> None:
    low, high = band
    waves = made(Wish(Shape(6, 7), waves=band), 1)
    assert low <= sum(n for _, n in waves.solution.waves) <= high
    depth = made(Wish(Shape(6, 7), Needs.ONE, depth=band), 1)
    assert low <= depth.grade["depth"] <= high
    again = solve(depth.puzzle, layers=LAYERS)
    assert dict(again.waves) == {Technique.ONE: depth.depth}


NOTES = """
rows: 1 2 3 3 2 4 1 3 2
columns: 1 2 3 2 3 3 2 3 2
.011...11
....43...
1.....22.
......3..
2...3..3.
..2......
....1.3..
.23......
.......3.
"""


def test_a_board_that_needs_notes_is_told_apart() -> None:
    puzzle = parse(NOTES).puzzle
    found = solve(puzzle, layers=LAYERS)
    assert found.unique
    assert not takeable(puzzle, found.mines)
    assert replay(Entry(1, parse(NOTES))).fate is Fate.STUCK
    wish = Wish(Shape(9, 9), Needs.CONTRADICTIONS, depth=(17, 60), mines=(20, 28), clues=(20, 24))
    for board in (made(wish, 1), made(Wish(Shape(5, 7)), 1)):
        assert takeable(board.puzzle, board.mines)


# ---------------------------------------------------------------- sets


def test_a_set_climbs_and_repeats_nothing(tmp_path: Path) -> None:
    rounds = list(make_set(5, 20))
    assert [r.place.tier for r in rounds] == [t for t in range(10) for _ in range(2)]
    for one in rounds:
        tier, board = TIERS[one.place.tier], one.lines
        assert tier.depth[0] <= board.depth <= tier.depth[1]
        assert (board.puzzle.shape.rows, board.puzzle.shape.cols) in tier.sizes
        assert board.solution.unique
        assert board.solution.mines == board.mines
        # the seed of a round makes its board alone
        assert make(tier.wish(one.place.slot), board.seed) == board
        assert replay(Entry(1, Position(board.puzzle), solution=board.mines)).fate is Fate.CLEARED
    assert len({one.lines.puzzle for one in rounds}) == 20
    middles = [entry.depth[1] for entry in summary(rounds)]
    assert middles == sorted(middles)
    assert [len([p for p in places(1, 2003) if p.tier == t]) for t in (0, 2, 3, 9)] == [201, 201, 200, 200]


def test_a_set_is_one_file_and_the_same_in_other_processes(tmp_path: Path) -> None:
    def run(name: str, jobs: str, hash_seed: str) -> str:
        command = [sys.executable, "-m", "autosolve", "generate", "lines", "--set", name, "--rounds", "12"]
        done = subprocess.run(
            [*command, "--seed", "3", "--jobs", jobs],
            capture_output=True, text=True, timeout=120, check=False, cwd=tmp_path,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert done.stdout == ""
        return (tmp_path / name).read_text(encoding="utf-8")

    text = run("one.json", "1", "1")
    data = json.loads(text)
    assert (data["schema"], data["kind"], data["seed"], data["complete"]) == (1, "lines", 3, True)
    assert [tier["rounds"] for tier in data["tiers"]] == [2, 2, 1, 1, 1, 1, 1, 1, 1, 1]
    assert [one["round"] for one in data["rounds"]] == list(range(1, 13))
    collection = run("two.jsonl", "2", "2")
    assert [json.loads(line) for line in collection.splitlines()] == data["rounds"]
    for position, one in zip(parse_collection(collection), data["rounds"], strict=True):
        found = solve(position.puzzle, layers=LAYERS)
        assert found.unique
        assert solution_hash(position.puzzle.shape, found.mines) == position.sha256 == one["hash"]
        assert one["grade"]["depth"] == sum(n * (1 if t is Technique.ONE else 2) for t, n in found.waves)


# ---------------------------------------------------------------- the command, and what cannot be had


def call(*args: str):
    return CliRunner().invoke(lines, [*args], standalone_mode=False)


def test_the_command_gives_the_board_of_each_seed() -> None:
    two = call("--size", "5x7", "--seed", "8", "--count", "2", "--json").stdout.splitlines()
    assert call("--size", "5x7", "--seed", "9", "--json").stdout.splitlines() == two[1:]
    board = json.loads(two[0])
    assert (board["schema"], board["rows"], board["cols"], board["difficulty"]) == (1, 5, 7, "two")
    assert board["grade"]["hardest"] == "two"
    text = call("--size", "5x7", "--seed", "8").stdout
    position = parse(text)
    assert position.sha256 == board["hash"]
    assert position.puzzle == parse(two[0]).puzzle


@pytest.mark.parametrize(
    ("args", "message", "remedy"),
    [
        (("--mines", "30", "--clues", "10"), "30 mines and 10 clues do not fit on a 6x6 board", "room for 6 clues"),
        (("--mines", "40"), "do not fit", "36 cells"),
        (("--clues", "36"), "do not fit", "Beside 7 mines there is room for 29 clues"),
        (("--waves", "9-3"), "no band of waves", "from 1 up"),
        (("--depth", "0"), "no band of depth", "from 1 up"),
        (["--size", "1x9"], "more than one condition", "--needs one"),
        (["--size", "2x3"], "None of 600 tries", "needs one"),
        (("--size", "9x9", "--waves", "60"), "None of 600 tries", "The nearest found needs two"),
        (("--size", "15x15", "--clues", "5", "--tries", "40"), "None of 40 tries", "--clues"),
    ],
)
def test_what_cannot_be_had_is_said_with_the_nearest(args, message: str, remedy: str) -> None:
    problem = call("--seed", "1", *args).exception
    assert isinstance(problem, WrongUse)
    assert message in str(problem)
    assert remedy in problem.remedy


def test_boards_found_are_kept_where_others_are_not() -> None:
    done = call("--size", "4x5", "--needs", "contradiction", "--seed", "0", "--count", "8", "--tries", "250", "--json")
    assert isinstance(done.exception, WrongUse)
    assert 0 < len(done.stdout.splitlines()) < 8
    assert "boards were made" in done.stderr


def test_a_set_takes_no_options_of_single_boards(tmp_path: Path) -> None:
    for args in (("--size", "5x5"), ("--needs", "one"), ("--count", "3")):
        assert isinstance(call("--set", str(tmp_path / "x.json"), *args).exception, WrongUse)
    assert isinstance(call("--set", str(tmp_path / "none" / "x.json"), "--seed", "1").exception, WrongUse)
    assert not (tmp_path / "x.json").exists()


def test_a_miss_counts_what_was_solved() -> None:
    found = make(Wish(Shape(6, 6), Needs.ONE, depth=(50, 60)), 1, 100)
    assert isinstance(found, Missed)
    assert 0 < found.solved <= 100
    assert found.nearest is not None
    assert "at depth" in missed(found).remedy
