"""The compiled kernels: held against their readable twins in solver/, against brute force, and at their limits."""

from __future__ import annotations

import math
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reference import always, covered, sentences, solutions
from strategies import puzzles

from autosolve.board.notation import parse_board, parse_collection, solution_hash
from autosolve.board.puzzle import Puzzle, Totals, Variant
from autosolve.board.shape import Cell, Shape, cell_set
from autosolve.errors import Clash, EnvironmentProblem, WrongUse
from autosolve.kernels import BulkOdds, BulkSolver, Counted, Proven, sheet, warm_up
from autosolve.solver.count import odds
from autosolve.solver.hybrid import solve
from autosolve.solver.state import CLEAR, MINED, Contradiction, State

ROOT = Path(__file__).resolve().parent.parent
BOARDS = ROOT / "fixtures" / "boards"
EXPERT = Shape(16, 30)

try:
    import numba  # noqa: F401
except ImportError:
    compiled = pytest.mark.skip(reason="numba is not installed; 'pip install numba' brings it")
else:

    def compiled(test):
        return test


many = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    with suppress(EnvironmentProblem):
        warm_up()  # outside the time of any one test


# one object a shape, as in real use: what one board leaves in the buffers must not reach the next
@cache
def _kernels(shape: Shape, variant: Variant) -> tuple[BulkOdds, BulkSolver]:
    return BulkOdds(shape, variant), BulkSolver(shape, variant)


def counter(shape: Shape, variant: Variant = Variant.MINESWEEPER) -> BulkOdds:
    return _kernels(shape, variant)[0]


def solver(shape: Shape, variant: Variant = Variant.MINESWEEPER) -> BulkSolver:
    return _kernels(shape, variant)[1]


def count(puzzle: Puzzle) -> Counted:
    board = sheet(puzzle)
    assert board.lines is None
    return counter(puzzle.shape, puzzle.variant).count(board.clue, board.cover, board.mines)


def prove(puzzle: Puzzle, **how) -> tuple[Proven, BulkSolver]:
    board, kernel = sheet(puzzle), solver(puzzle.shape, puzzle.variant)
    return kernel.solve(board.clue, board.cover, mines=board.mines, lines=board.lines, **how), kernel


def cells(row: np.ndarray, value: int) -> frozenset[int]:
    return frozenset(np.flatnonzero(row == value).tolist())


def mask(row: np.ndarray, value: int) -> int:
    return cell_set(cells(row, value))


def no_lines(puzzle: Puzzle) -> Puzzle:
    return replace(puzzle, totals=Totals(mines=puzzle.totals.mines))


def idle_clue_is_wrong(puzzle: Puzzle) -> bool:
    """Whether a clue with no covered cell beside it lies: those the odds take for true."""
    said = [s for s in sentences(puzzle) if not s[0]]
    return any(number for _, number in said)


def same_odds(puzzle: Puzzle) -> None:
    """The kernel says of every cell what the exact counter says, certain cells exactly."""
    kernel = counter(puzzle.shape, puzzle.variant)
    answer = count(puzzle)
    try:
        exact = odds(puzzle)
    except Clash:
        assert answer is Counted.CLASH or idle_clue_is_wrong(puzzle)
        return
    assert answer is Counted.DONE
    for c in range(puzzle.shape.size):
        chance = float(kernel.chance[c])
        if not puzzle.covered >> c & 1:
            assert chance == (puzzle.mines >> c & 1)
            continue
        p = exact.probability(Cell(c))
        assert (chance == 0, chance == 1) == (p == 0, p == 1), puzzle.shape.name(c)
        assert math.isclose(chance, float(p), rel_tol=1e-9), puzzle.shape.name(c)
    assert math.isclose(kernel.log_models, math.log(exact.models), rel_tol=1e-9, abs_tol=1e-9)


def played(rng: random.Random, shape: Shape, mines: int, opened: float, told: float, variant: Variant) -> Puzzle:
    """A board with some of its cells opened, and some of its mines known."""
    hidden = set(rng.sample(range(shape.size), mines))
    mosaic = variant is Variant.MOSAIC

    def around(c: int) -> int:
        return sum(shape.neighbours(c) >> m & 1 or (mosaic and m == c) for m in hidden)

    open_ = {c for c in range(shape.size) if (mosaic or c not in hidden) and rng.random() < opened}
    shown = {m for m in sorted(hidden) if rng.random() < told}
    hid = set(range(shape.size)) - shown - (set() if mosaic else open_)
    clues = {Cell(c): around(c) for c in sorted(open_)}
    return Puzzle(shape, clues, cell_set(hid), Totals(mines=mines), cell_set(shown), variant)


# ------------------------------------------------------------ odds


@compiled
@many
@given(puzzles(), st.booleans())
def test_odds_are_those_of_the_exact_counter(puzzle: Puzzle, total: bool) -> None:
    same_odds(no_lines(puzzle) if total else replace(puzzle, totals=Totals()))


@compiled
@many
@given(puzzles(honest=False))
def test_odds_of_boards_that_may_clash(puzzle: Puzzle) -> None:
    same_odds(no_lines(puzzle))


@compiled
@many
@given(puzzles(covered=9))
def test_odds_are_those_of_brute_force(puzzle: Puzzle) -> None:
    puzzle = no_lines(puzzle)
    found = solutions(puzzle)
    assert count(puzzle) is Counted.DONE
    kernel = counter(puzzle.shape, puzzle.variant)
    for c in covered(puzzle):
        assert kernel.chance[c] == pytest.approx(sum(c in m for m in found) / len(found), rel=1e-12)
    assert kernel.chance.sum() == pytest.approx(sum(map(len, found)) / len(found) + puzzle.mines.bit_count(), rel=1e-12)
    assert kernel.log_models == pytest.approx(math.log(len(found)), abs=1e-12)


@compiled
@pytest.mark.parametrize("variant", list(Variant))
@pytest.mark.parametrize(
    ("shape", "mines"),
    [
        (Shape(16, 30), 99),
        (Shape(9, 9), 10),
        (Shape(40, 3), 25),
        (Shape(3, 62), 30),  # a word of bits holds 62 columns
        (Shape(3, 63), 30),
        (Shape(4, 130), 100),
        (Shape(1, 200), 40),
        (Shape(130, 1), 30),
        (Shape(2, 500), 300),
    ],
    ids=str,
)
def test_odds_of_boards_of_every_form(shape: Shape, mines: int, variant: Variant) -> None:
    rng = random.Random(f"{shape} {variant}")
    done = 0
    for k in range(6):
        puzzle = played(rng, shape, mines, opened=(0.15, 0.45, 0.8)[k % 3], told=(0, 0.5)[k % 2], variant=variant)
        if count(puzzle) is Counted.TOO_BIG:
            continue
        done += 1
        same_odds(puzzle)
        same_odds(replace(puzzle, totals=Totals()))
    assert done >= 3


def shared_odds(shared: Path) -> Iterator[tuple[Puzzle, list[float]]]:
    for line in (shared / "puzzles" / "odds.txt").read_text().splitlines():
        if not line.startswith("#"):
            chars, _, wanted = line.partition(" ")
            rows = [chars[i : i + 30].replace("F", "*") for i in range(0, 480, 30)]
            yield parse_board("\n".join(["mines: 99", *rows])), [float(w) for w in wanted.split(",")]


@compiled
def test_odds_of_stalled_expert_positions(shared: Path) -> None:
    positions = list(shared_odds(shared))
    assert len(positions) == 150
    for puzzle, wanted in positions:
        assert count(puzzle) is Counted.DONE
        # they are written with nine decimals
        assert np.abs(counter(EXPERT).chance - wanted).max() < 1e-9
        same_odds(puzzle)


def table() -> list[tuple[Puzzle, list[int]]]:
    lines = (ROOT / "fixtures" / "counts.txt").read_text().splitlines()
    rows = [line.split(" | ") for line in lines if not line.startswith("#")]
    return [(parse_board(r[3].replace(";", "\n").replace("/", "\n")), [int(n) for n in r[:3]]) for r in rows]


@compiled
def test_the_counting_table() -> None:
    for puzzle, (models, mines, safe) in table():
        answer, kernel = prove(puzzle)
        assert answer is (Proven.CLASH if not models else Proven.UNIQUE if models == 1 else Proven.UNDECIDED), puzzle
        if models:
            assert (len(cells(kernel.value, MINED)), len(cells(kernel.value, CLEAR))) == (mines, safe), puzzle
        if sheet(puzzle).lines is None and models:
            assert count(puzzle) is Counted.DONE
            assert counter(puzzle.shape, puzzle.variant).log_models == pytest.approx(math.log(models), rel=1e-9)


@compiled
def test_what_does_not_fit_is_said_and_leaves_no_trace() -> None:
    rng = random.Random(1)
    big = played(rng, Shape(60, 60), 700, opened=0.3, told=0, variant=Variant.MINESWEEPER)
    small = played(rng, Shape(60, 60), 200, opened=0.97, told=0.98, variant=Variant.MINESWEEPER)
    for _ in range(2):
        assert count(big) is Counted.TOO_BIG
        same_odds(small)


@compiled
def test_weights_too_far_apart_are_said() -> None:
    # every "1.1" apart from all others holds one mine or two
    shape = Shape(150, 60)
    clues = {Cell(r * 60 + c): 1 for r in range(1, 150, 6) for c in (1, 3, 9, 11, 17, 19, 25, 27, 33, 35)}
    fronts = len(clues) // 2
    puzzle = Puzzle(shape, clues, shape.all & ~cell_set(clues), Totals(mines=2 * fronts))
    assert count(puzzle) is Counted.TOO_BIG
    # without a total there is nothing to weigh
    same_odds(replace(puzzle, totals=Totals()))


@compiled
def test_a_total_that_cannot_be() -> None:
    for text in ("mines: 3\n1.\n1.", "mines: 0\n1.\n1.", "mines: 1\n*.\n..\n*1", "mines: 9\n..\n.."):
        text_puzzle = parse_board(text.replace("mines: 9\n..\n..", "mines: 4\n..\n.1"))
        assert count(text_puzzle) is Counted.CLASH, text
        assert prove(text_puzzle)[0] is Proven.CLASH, text


# ------------------------------------------------------------ solve


@compiled
@many
@given(puzzles(honest=False), st.booleans())
def test_what_is_proven_is_what_brute_force_says(puzzle: Puzzle, every: bool) -> None:
    found = solutions(puzzle)
    answer, kernel = prove(puzzle, every=every)
    if not found:
        assert answer is Proven.CLASH
        return
    mines, safe = always(puzzle)
    if every or len(found) == 1:
        assert cells(kernel.value, MINED) == mines
        assert cells(kernel.value, CLEAR) == safe
    else:
        assert cells(kernel.value, MINED) <= mines
        assert cells(kernel.value, CLEAR) <= safe
    assert cells(kernel.first, 1) in found
    if len(found) == 1:
        assert answer is Proven.UNIQUE
        assert cells(kernel.first, 1) == found[0]
    else:
        assert answer is Proven.UNDECIDED
        assert cells(kernel.second, 1) in found
        assert cells(kernel.second, 1) != cells(kernel.first, 1)


@compiled
@many
@given(puzzles(covered=18, honest=False))
def test_the_rules_are_those_of_the_plain_solver(puzzle: Puzzle) -> None:
    puzzle = replace(puzzle, totals=replace(puzzle.totals, mines=None))
    board, kernel = sheet(puzzle), solver(puzzle.shape, puzzle.variant)
    answer = kernel.rules(board.clue, board.cover, lines=board.lines)
    state = State(puzzle)
    try:
        state.check()
        state.propagate()
    except Contradiction:
        assert answer is Proven.CLASH
        return
    assert answer is (Proven.GAVE_UP if state.undecided else Proven.UNIQUE)
    assert (mask(kernel.value, MINED), mask(kernel.value, CLEAR)) == (state.mask(MINED), state.mask(CLEAR))


@compiled
@pytest.mark.parametrize("variant", list(Variant))
@pytest.mark.parametrize(
    ("shape", "mines"), [(Shape(16, 30), 99), (Shape(31, 12), 80), (Shape(5, 70), 90), (Shape(1, 60), 20)], ids=str
)
def test_larger_boards_are_solved_as_by_the_plain_solver(shape: Shape, mines: int, variant: Variant) -> None:
    rng = random.Random(f"{shape} {variant}")
    answers, gave_up = set(), 0
    for k in range(8):
        puzzle = played(rng, shape, mines, opened=(0.4, 0.75, 0.98)[k % 3], told=0, variant=variant)
        rows = tuple(
            (puzzle.shape.row(i) & cell_set(puzzle.clues)).bit_count() if k == 7 else None for i in range(shape.rows)
        )
        for totals in (Totals(), puzzle.totals, Totals(rows=rows)):
            told = replace(puzzle, totals=totals)
            try:
                plain = solve(told)
            except Clash:
                assert prove(told)[0] is Proven.CLASH
                continue
            answer, kernel = prove(told)
            answers.add(answer)
            if answer is Proven.GAVE_UP:
                # the total joins all of a board: where it cannot be counted either, the search may be too long
                assert told.totals.mines is not None
                assert count(told) is Counted.TOO_BIG
                assert not mask(kernel.value, MINED) & ~plain.mines
                assert not mask(kernel.value, CLEAR) & ~plain.safe
                gave_up += 1
                continue
            assert answer is (Proven.UNIQUE if plain.unique else Proven.UNDECIDED)
            assert (mask(kernel.value, MINED), mask(kernel.value, CLEAR)) == (plain.mines, plain.safe)
            if answer is Proven.UNDECIDED:
                for row in (kernel.first, kernel.second):
                    mined = mask(row, 1)
                    assert all((c.cells & mined).bit_count() == c.mines for c in told.constraints)
                assert (kernel.first != kernel.second).any()
    assert Proven.UNDECIDED in answers
    assert gave_up <= 2


def collections() -> list[Path]:
    return sorted(BOARDS.glob("*.txt"))


@compiled
@pytest.mark.parametrize("file", collections(), ids=lambda f: f.stem)
def test_fixtures_are_solved_and_proven_unique(file: Path) -> None:
    text = file.read_text()
    positions = parse_collection(text) if file.stem == "hard" else []
    for position in positions:
        answer, kernel = prove(position.puzzle)
        assert answer is Proven.UNIQUE
        assert solution_hash(position.puzzle.shape, mask(kernel.value, MINED)) == position.sha256
        assert kernel.conflicts < 2_000
    if not positions:
        puzzle = parse_board(text)
        answer, kernel = prove(puzzle)
        assert answer is Proven.UNIQUE
        assert mask(kernel.value, MINED) == solve(puzzle).mines


@compiled
def test_the_shared_collections(shared: Path) -> None:
    for name in ("puzzles.jsonl", "site.jsonl"):
        for position in parse_collection((shared / "puzzles" / name).read_text()):
            for every in (True, False):
                answer, kernel = prove(position.puzzle, every=every)
                assert answer is Proven.UNIQUE
                if position.sha256:
                    assert solution_hash(position.puzzle.shape, mask(kernel.value, MINED)) == position.sha256
    for position in parse_collection((shared / "puzzles" / "two_solutions.jsonl").read_text()):
        answer, kernel = prove(position.puzzle)
        plain = solve(position.puzzle)
        assert answer is Proven.UNDECIDED
        assert (mask(kernel.value, MINED), mask(kernel.value, CLEAR)) == (plain.mines, plain.safe)


@compiled
def test_one_clue_less_is_noticed() -> None:
    """Boards with no clue to spare: without any one of them there are two solutions."""
    rng = random.Random(7)
    for position in parse_collection((BOARDS / "hard.txt").read_text())[20:]:
        puzzle = position.puzzle
        for cell in rng.sample(sorted(puzzle.clues), 12):
            clues = {c: n for c, n in puzzle.clues.items() if c != cell}
            fewer = replace(puzzle, clues=clues, covered=puzzle.covered | 1 << cell)
            answer, kernel = prove(fewer, every=False)
            assert answer is Proven.UNDECIDED
            for row in (kernel.first, kernel.second):
                mined = mask(row, 1)
                assert all((c.cells & mined).bit_count() == c.mines for c in fewer.constraints)
            assert (kernel.first != kernel.second).any()


@compiled
@pytest.mark.parametrize("conflicts", [0, 3, 30])
def test_too_little_work_is_said_and_what_was_decided_holds(conflicts: int) -> None:
    position = parse_collection((BOARDS / "hard.txt").read_text())[0]
    true = solve(position.puzzle)
    answer, kernel = prove(position.puzzle, conflicts=conflicts)
    assert answer is Proven.GAVE_UP
    assert 0 < mask(kernel.value, MINED).bit_count() < true.mines.bit_count()
    assert not mask(kernel.value, MINED) & ~true.mines
    assert not mask(kernel.value, CLEAR) & ~true.safe
    assert prove(position.puzzle)[0] is Proven.UNIQUE


# ------------------------------------------------------------ use


@compiled
def test_arrays_that_are_no_board_are_refused() -> None:
    clue, cover = np.full(480, -1, np.int8), np.ones(480, np.int8)
    bad = [
        (clue[:-1], cover),
        (clue, cover[:479]),
        (clue.astype(np.int64), cover),
        (clue.reshape(16, 30), cover),
        (clue, np.ones(960, np.int8)[::2]),
        ([-1] * 480, cover),
    ]
    for a, b in bad:
        with pytest.raises(WrongUse, match="no board of 480 cells"):
            counter(EXPERT).count(a, b, 99)
        with pytest.raises(WrongUse, match="no board of 480 cells"):
            solver(EXPERT).solve(a, b)
    for lines in (np.zeros(46), np.zeros(45, np.int32), [1] * 46):
        with pytest.raises(WrongUse, match="totals"):
            solver(EXPERT).solve(clue, cover, lines=lines)
    assert counter(EXPERT).count(clue, cover, 99) is Counted.DONE
    assert counter(EXPERT).chance == pytest.approx(99 / 480)


def test_a_sheet_holds_what_the_puzzle_tells() -> None:
    board = sheet(parse_board("mines: 4\nrows: 1 ?\n1*.\nX.0"))
    assert board.clue.tolist() == [1, -1, -1, -1, -1, 0]
    assert board.cover.tolist() == [0, 2, 1, 0, 1, 0]
    assert (board.mines, board.lines.tolist()) == (4, [1, -1, -1, -1, -1])
    bare = sheet(parse_board("..\n.."))
    assert (bare.clue.tolist(), bare.cover.tolist(), bare.mines, bare.lines) == ([-1] * 4, [1] * 4, -1, None)


def run(code: str) -> None:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


def test_nothing_imports_numba_before_a_kernel_is_made() -> None:
    run(
        "import sys, autosolve, autosolve.cli.main, autosolve.solver.hybrid, autosolve.kernels\n"
        "autosolve.solve(autosolve.parse_board('1.1'))\n"
        "assert 'numba' not in sys.modules and 'llvmlite' not in sys.modules"
    )


def test_without_numba_one_plain_error_when_used() -> None:
    run(
        "import sys\n"
        "sys.modules['numba'] = None\n"
        "from autosolve.board.shape import Shape\n"
        "from autosolve.errors import EnvironmentProblem\n"
        "from autosolve.kernels import BulkOdds, BulkSolver, warm_up\n"
        "for use in (lambda: BulkOdds(Shape(3, 4)), lambda: BulkSolver(Shape(3, 4)), warm_up):\n"
        "    try:\n"
        "        use()\n"
        "    except EnvironmentProblem as problem:\n"
        "        assert 'numba' in str(problem) and 'pip install' in problem.remedy and problem.exit_code == 3\n"
        "    else:\n"
        "        raise SystemExit('no error')\n"
    )
