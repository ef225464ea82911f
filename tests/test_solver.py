"""Facts about solving: known boards, named shapes, sentences, hints, guesses, budgets."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from reference import best_win
from strategies import puzzles
from test_solver_laws import turned

from autosolve.analysis.grade import grade
from autosolve.board.notation import parse, parse_board, parse_collection, solution_hash, solved_lines
from autosolve.board.puzzle import Kind, Marks, Puzzle, Source, Totals, Variant
from autosolve.board.shape import Cell, Shape, cells_in
from autosolve.errors import Clash, Undecided, WrongUse
from autosolve.solver.clash import number_list, repairs
from autosolve.solver.count import odds
from autosolve.solver.deduction import Budget, Technique, Verdict
from autosolve.solver.guess import Policy, best_guess
from autosolve.solver.hybrid import next_step, solve
from autosolve.solver.sat import Effort, count_models
from autosolve.solver.state import State

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"
HARD = parse_collection((FIXTURES / "boards" / "hard.txt").read_text())
T = Technique


def board(text: str):
    return parse_board(text.replace(";", "\n").replace("/", "\n"))


def shown(puzzle, solution) -> str:
    return "/".join(solved_lines(puzzle, solution.mines, solution.safe))


# ---------------------------------------------------------------- known boards


def counting_table():
    for line in (FIXTURES / "counts.txt").read_text().splitlines():
        if not line.startswith("#"):
            number, mines, safe, text = line.split(" | ")
            yield pytest.param(int(number), int(mines), int(safe), text, id=text[:60])


@pytest.mark.parametrize(("number", "mines", "safe", "text"), list(counting_table()))
def test_the_counting_table(number, mines, safe, text):
    puzzle = board(text)
    if not number:
        for job in (solve, odds):
            with pytest.raises(Clash):
                job(puzzle)
        return
    solution = solve(puzzle)
    assert odds(puzzle).models == number
    assert (solution.mines.bit_count(), solution.safe.bit_count()) == (mines, safe)
    assert solution.unique == (number == 1)
    assert solution.status == ("unique" if number == 1 else "undecided")


@pytest.mark.parametrize("position", HARD, ids=lambda p: p.sha256[:8])
def test_hard_boards_are_solved_and_proven(position):
    solution = solve(position.puzzle)
    assert solution.unique and solution.hardest is T.SAT
    assert solution_hash(position.puzzle.shape, solution.mines) == position.sha256


def test_the_budget_is_enough_for_every_layer_on_the_hardest_boards():
    for position in [p for p in HARD if p.puzzle.shape.size < 2500]:
        assert grade(position.puzzle).complete


@pytest.mark.parametrize("number", [-1, -2])
def test_a_hard_board_is_explained_step_by_step(number):
    puzzle = HARD[number].puzzle
    solution = solve(puzzle, explain=True)
    assert solution_hash(puzzle.shape, solution.mines) == HARD[number].sha256
    # every step stands on the board as the steps before it have left it
    known = 0
    for step in solution.steps:
        assert not any(c.cells & known for c in step.because), step.text
        known |= step.cells
    assert grade(puzzle).waves == dict(solution.waves)


def test_shared_puzzles(shared):
    for line in (shared / "puzzles" / "puzzles.jsonl").read_text().splitlines():
        data, position = json.loads(line), parse(line)
        solution = solve(position.puzzle)
        assert solution.unique
        assert solution_hash(position.puzzle.shape, solution.mines) == data["hash"]
        assert min(2, int(solution.hardest) - 1) == data["level"]
        if data["rows"] <= 30:
            assert min(2, grade(position.puzzle).layer - 1) == data["level"]


def test_shared_boards_of_the_site(shared):
    for line in (shared / "puzzles" / "site.jsonl").read_text().splitlines():
        data, puzzle = json.loads(line), parse_board(line)
        solution = solve(puzzle)
        assert solution.unique and solution.hardest <= T.TWO
        assert solved_lines(puzzle, solution.mines, 0) == data["solution"]


def test_shared_boards_with_two_solutions(shared):
    for line in (shared / "puzzles" / "two_solutions.jsonl").read_text().splitlines():
        puzzle = parse_board(line)
        solution = solve(puzzle)
        assert not solution.unique
        assert odds(puzzle).models == json.loads(line)["solutions"]
        # a mine ringed by mines touches no clue
        (cell,) = cells_in(solution.undecided)
        assert puzzle.shape.neighbours(cell) & ~solution.mines == 0
        assert solution.differing == 1 << cell


def test_shared_odds(shared):
    for line in (shared / "puzzles" / "odds.txt").read_text().splitlines():
        if line.startswith("#"):
            continue
        cells, _, wanted = line.partition(" ")
        rows = [cells[i : i + 30].replace("F", "*") for i in range(0, 480, 30)]
        puzzle = parse_board("\n".join(["mines: 99", *rows]))
        found = odds(puzzle)
        for cell, chance in enumerate(map(float, wanted.split(","))):
            if puzzle.covered >> cell & 1:
                assert abs(float(found.probability(cell)) - chance) < 1e-9


# ---------------------------------------------------------------- layers

NESTED_BOARD = """rows: 3 2 1 3 4 4
columns: 2 3 2 3 3 4
...22.
......
3.4...
......
..4...
......
"""


@pytest.mark.parametrize(
    ("text", "technique", "solved"),
    [
        ("1.", T.ONE, "1F"),
        ("0../...", T.ONE, "0x./xx."),
        ("11./...", T.TWO, "11x/..x"),
        ("...../X121X", T.TWO, "xFxFx/X121X"),
        ("mines: 1;.1.....", T.TOTAL, ".1.xxxx"),
        ("mines: 1;.1.1./.....", T.TOTAL, "x1.1x/xx.xx"),
        ("mines: 0;....", T.TOTAL, "xxxx"),
        ("mines: 4;....", T.TOTAL, "FFFF"),
        ("rows: 2 ?;../..", T.ONE, "FF/.."),
        ("variant: mosaic;4./..", T.ONE, "FF/FF"),
        ("1.1/1.1", None, "1.1/1.1"),
    ],
)
@pytest.mark.parametrize("explain", [False, True])
def test_the_layer_a_board_needs(text, technique, solved, explain):
    solution = solve(board(text), explain=explain)
    assert solution.hardest is technique
    assert shown(board(text), solution) == solved


@pytest.mark.parametrize(
    ("layers", "undecided"),
    [
        ({T.ONE, T.TWO}, 236),
        ({T.ONE, T.TWO, T.SUBSET}, 81),
        ({T.ONE, T.TWO, T.CONTRADICTION}, 0),
        ({T.ONE, T.TWO, T.SAT}, 0),
    ],
)
def test_what_the_layers_decide_of_a_hard_board(layers, undecided):
    solution = solve(HARD[-1].puzzle, layers=layers)
    assert solution.undecided.bit_count() == undecided
    assert solution.hardest is max(layers)


def test_nested_decides_what_one_assumption_cannot():
    puzzle = board(NESTED_BOARD)
    stuck = solve(puzzle, layers={T.ONE, T.TWO, T.CONTRADICTION})
    assert stuck.undecided.bit_count() == 24
    solution = solve(puzzle, layers={T.ONE, T.TWO, T.CONTRADICTION, T.NESTED}, explain=True)
    assert solution.unique and solution.hardest is T.NESTED
    assert solution.mines == solve(puzzle).mines


def test_the_size_of_a_subset_is_the_number_of_its_reasons():
    sizes: dict[int, set[int]] = {}
    for step in solve(HARD[-2].puzzle, explain=True).steps + solve(HARD[-3].puzzle, explain=True).steps:
        if step.technique is T.SUBSET:
            sizes.setdefault(step.wave, set()).add(len(step.because))
    # all of one pass have the smallest size there is
    assert sizes and all(len(s) == 1 for s in sizes.values())
    assert set().union(*sizes.values()) >= {3, 4}


@pytest.mark.parametrize(
    ("text", "layers", "cells", "verdict"),
    [
        # three cells that touch nothing but one 2
        (".../.2./111", {T.UNIQUE}, "r1c1 r1c2 r1c3", Verdict.SAFE),
        # the two above a 3 and a 5 at the left edge: the 3's other two cells cannot hold three
        ("..../..../35../..1./1...", {T.ONE, T.UNIQUE}, "r2c1 r2c2", Verdict.MINE),
        # cells that only the board's total speaks of: both of them, or neither, or there are two solutions
        ("mines: 3;.1X..", {T.ONE, T.UNIQUE}, "r1c4 r1c5", Verdict.MINE),
        ("mines: 1;.1X..", {T.ONE, T.UNIQUE}, "r1c4 r1c5", Verdict.SAFE),
        ("mines: 2;.1X..", {T.ONE, T.UNIQUE}, "", None),
    ],
)
def test_uniqueness_assumed(text, layers, cells, verdict):
    puzzle = board(text)
    if verdict is None:
        with pytest.raises(Undecided):
            solve(puzzle, layers=layers)
        return
    solution = solve(puzzle, layers=layers, explain=True)
    found = {puzzle.shape.names(s.cells): s.verdict for s in solution.steps if s.technique is T.UNIQUE}
    assert found.get(cells) is verdict
    assert not solution.unique


def test_what_uniqueness_adds_opens_the_way_for_other_layers():
    puzzle = board("..../..2./...2/..2.")
    both = solve(puzzle, layers={T.CONTRADICTION, T.UNIQUE})
    assert dict(both.waves) == {T.CONTRADICTION: 1, T.UNIQUE: 1}
    assert both.undecided.bit_count() == 8
    assert solve(puzzle, layers={T.UNIQUE}).undecided.bit_count() > 8


# ---------------------------------------------------------------- names and sentences


@pytest.mark.parametrize("turn", range(8))
@pytest.mark.parametrize(
    ("pattern", "text", "first"),
    [
        ("1-1 at a wall", ".../11X/XXX", {2: Verdict.SAFE}),
        ("1-2", "..../X12X/XXXX", {0: Verdict.SAFE, 3: Verdict.MINE}),
        (
            "1-2-1",
            "...../X121X/XXXXX",
            {0: Verdict.SAFE, 1: Verdict.MINE, 3: Verdict.MINE, 4: Verdict.SAFE},
        ),
        (
            "1-2-2-1",
            "....../X1221X/XXXXXX",
            {0: Verdict.SAFE, 2: Verdict.MINE, 3: Verdict.MINE, 5: Verdict.SAFE},
        ),
        # the same once a mine that is known is taken off the numbers
        ("1-2", "..../X23X/X*XX", {0: Verdict.SAFE, 3: Verdict.MINE}),
        ("1-1 at a wall", ".../22X/*XX", {2: Verdict.SAFE}),
        ("1-2-1", "...../X232X/XX*XX", {0: Verdict.SAFE, 1: Verdict.MINE, 3: Verdict.MINE, 4: Verdict.SAFE}),
        # no shape: the clues do not stand side by side in a line with their cells
        ("", ".../X1X/X1./...", {3 * 3: Verdict.SAFE, 3 * 3 + 1: Verdict.SAFE}),
    ],
)
def test_shapes_that_players_know_are_called_by_name(pattern, text, first, turn):
    puzzle, to = turned(board(text), turn)
    steps = [s for s in solve(puzzle, layers={T.ONE, T.TWO}, explain=True).steps if s.wave == 1]
    if not pattern:
        assert all(not s.pattern for s in steps)
        return
    assert {s.pattern for s in steps} == {pattern}
    assert {c: s.verdict for s in steps for c in cells_in(s.cells)} == {to[c]: v for c, v in first.items()}
    assert all(s.text.startswith(f"{pattern}: ") for s in steps)


@pytest.mark.parametrize(
    ("text", "layers", "words"),
    [
        ("0.", {T.ONE}, "0 at r1c1 has all its mines: r1c2 is safe"),
        ("2./2.", {T.ONE}, "2 at r1c1 still needs 2 mines and has 2 covered cells left: r1c2 r2c2 are mines"),
        ("rows: 1;..", {T.ONE}, None),
        (
            "rows: 2;..",
            {T.ONE},
            "total 2 of row 1 still needs 2 mines and has 2 covered cells left: r1c1 r1c2 are mines",
        ),
        ("columns: 0 ?;..", {T.ONE}, "total 0 of column 1 has all its mines: r1c1 is safe"),
        (
            "11./...",
            {T.TWO},
            "1 at r1c1 and 1 at r1c2 share r2c1 r2c2: the first still needs 1 and has no other cell, so the shared "
            "cells hold all that the second needs, and r1c3 r2c3 are safe",
        ),
        ("mines: 0;..", {T.TOTAL}, "all mines of the board are found: r1c1 r1c2 are safe"),
        ("mines: 2;..", {T.TOTAL}, "the board still needs 2 mines and has 2 covered cells left: r1c1 r1c2 are mines"),
        (
            "mines: 1;.1..",
            {T.TOTAL},
            "the whole board still needs 1 mine; with 1 at r1c2 that leaves no other way: r1c4 is safe",
        ),
        (
            "...../X121X",
            {T.CONTRADICTION},
            "suppose r1c1 were a mine: then r1c2 r1c3 safe (1 at r2c2); and 2 at r2c3 would have too few cells "
            "left; so r1c1 is safe",
        ),
        (
            "...../X121X",
            {T.SAT},
            "no solution of 1 at r2c2 and 2 at r2c3 exists with a mine at r1c1: r1c1 is safe",
        ),
    ],
)
def test_sentences_say_what_a_person_can_check(text, layers, words):
    texts = [s.text for s in solve(board(text), layers=layers, explain=True).steps]
    if words is None:
        assert texts == []
    else:
        assert words in texts


def test_reasons_are_the_sentences_as_they_stood():
    steps = solve(board(".1./*2./..."), layers={T.ONE, T.TWO}, explain=True).steps
    for step in steps:
        for constraint in step.because:
            assert 0 <= constraint.mines <= constraint.cells.bit_count()
            assert constraint.source.kind is Kind.CLUE


# ---------------------------------------------------------------- hints


def test_hints_pass_over_what_the_marks_show_and_believe_none_of_them():
    puzzle = board("...../X121X")
    seen = []
    marks = Marks()
    for _ in range(9):
        step = next_step(puzzle, marks)
        if step is None:
            break
        seen.append((puzzle.shape.names(step.cells), step.verdict.value))
        if step.verdict is Verdict.MINE:
            marks = replace(marks, flags=marks.flags | step.cells)
        else:
            marks = replace(marks, crosses=marks.crosses | step.cells)
    assert sorted(seen) == [
        ("r1c1", "safe"),
        ("r1c2", "mine"),
        ("r1c3", "safe"),
        ("r1c4", "mine"),
        ("r1c5", "safe"),
    ]
    # wrong marks change nothing
    wrong = parse("FxFxF\nX121X\n")
    step = next_step(wrong.puzzle, wrong.marks)
    assert step is not None and step == next_step(puzzle)
    assert next_step(board("1.1/1.1")) is None


# ---------------------------------------------------------------- clashes


@pytest.mark.parametrize(
    ("text", "message", "remedy", "cells"),
    [
        ("1.1/3.1", "The 3 at r2c1 cannot be true.", "the 3 at r2c1 (1 would fit)", ((1, 0),)),
        (
            "1./2.",
            "These cannot all be true: 1 at r1c1 and 2 at r2c1.",
            "the 1 at r1c1 (2 would fit), or the 2 at r2c1 (1 would fit)",
            ((0, 0), (1, 0)),
        ),
        (
            "rows: 0 ? ?;.1./.../000",
            "These cannot all be true: 1 at r1c2, 0 at r3c2 and total 0 of row 1.",
            None,
            ((0, 1), (2, 1)),
        ),
    ],
)
def test_a_clash_names_what_clashes_and_what_would_mend_it(text, message, remedy, cells):
    with pytest.raises(Clash) as caught:
        solve(board(text))
    assert str(caught.value) == message
    assert caught.value.cells == cells
    assert caught.value.exit_code == 6
    assert remedy is None or remedy in caught.value.remedy


def test_a_misread_clue_of_a_large_board_is_among_those_doubted():
    position = HARD[0]
    cell = next(c for c, n in position.puzzle.clues.items() if n == 3)
    broken = replace(position.puzzle, clues={**position.puzzle.clues, cell: 8})
    with pytest.raises(Clash) as caught:
        solve(broken)
    assert position.puzzle.shape.at(cell) in caught.value.cells
    assert position.puzzle.shape.name(cell) in caught.value.remedy


def sparse(rows: int, cols: int, seed: int, shown: float, mosaic: bool = False) -> tuple[str, int]:
    """A large board with few clues, and how many mines it has."""
    rng = random.Random(seed)
    mines = {(r, c) for r in range(rows) for c in range(cols) if rng.random() < (0.5 if mosaic else 0.2)}

    def cell(r, c):
        if ((r, c) in mines and not mosaic) or rng.random() > shown:
            return "."
        near = [(i, j) for i in (r - 1, r, r + 1) for j in (c - 1, c, c + 1)]
        return str(sum(at in mines for at in near if mosaic or at != (r, c)))

    return "\n".join("".join(cell(r, c) for c in range(cols)) for r in range(rows)), len(mines)


def test_a_wrong_clue_on_a_large_sparse_board_with_a_total_is_named():
    text, mines = sparse(50, 60, 1, 0.15)
    puzzle = parse_board(f"mines: {mines}\n{text}")
    assert solve(puzzle).complete
    zero = next(c for c, n in puzzle.clues.items() if n == 0 and any(puzzle.clues.get(c + d) for d in (1, 2)))
    beside = next(c for c in (zero + 1, zero + 2) if puzzle.clues.get(c))
    with pytest.raises(Clash) as caught:
        solve(replace(puzzle, clues={**puzzle.clues, beside: 8}))
    assert puzzle.shape.at(beside) in caught.value.cells and len(caught.value.cells) <= 2
    assert f"the 8 at {puzzle.shape.name(beside)}" in caught.value.remedy


def test_a_wrong_total_of_a_large_sparse_board_is_named_with_the_totals_that_would_do():
    text, mines = sparse(60, 50, 2, 0.15)
    bare = parse_board(text)
    ranges = 0
    for told in (0, 45, mines // 10, mines // 3, 2500):
        with pytest.raises(Clash) as caught:
            solve(parse_board(f"mines: {told}\n{text}"))
        message = f"{caught.value} {caught.value.remedy}"
        assert f"total of {told} mine" in message
        if "leaves room for" in message:
            low, high = map(int, message.split("leaves room for ")[1].split(".")[0].split(" to "))
            ranges += 1
            for fits, n in ((True, low), (True, high), (False, low - 1), (False, high + 1)):
                puzzle = replace(bare, totals=replace(bare.totals, mines=n))
                if fits:
                    assert solve(puzzle).mines.bit_count() <= n
                else:
                    with pytest.raises(Clash):
                        solve(puzzle)
    assert ranges


def test_a_wrong_total_is_named_where_the_totals_that_would_do_are_too_much_work():
    text, mines = sparse(100, 90, 1, 0.3)
    with pytest.raises(Clash) as caught:
        solve(parse_board(f"mines: {mines // 10}\n{text}"))
    assert "total of" in str(caught.value) and "room for" in str(caught.value) and caught.value.remedy
    assert number_list([3]) == "3" and number_list([1, 3, 4, 6, 7, 8]) == "1, 3, 4 or 6 to 8"


def test_large_boards_with_a_total_get_an_answer_or_hear_that_the_work_is_too_much():
    text, mines = sparse(50, 40, 5, 0.3, mosaic=True)
    for told, complete in ((mines, True), (mines - 250, False)):
        solution = solve(parse_board(f"mines: {told}\nvariant: mosaic\n{text}"))
        assert solution.complete is complete
        if complete:
            assert [m.bit_count() for m in solution.other] == [mines, mines]
    with pytest.raises(Undecided):
        odds(parse_board(f"mines: {mines}\nvariant: mosaic\n{text}"))
    lines = "rows:" + " 8" * 20 + "\ncolumns:" + " 8" * 20 + "\n" + ("." * 20 + "\n") * 20
    assert solve(parse_board(lines)).complete
    with pytest.raises(Undecided):
        odds(parse_board(lines))


def test_certainty_decides_which_clue_is_doubted():
    puzzle = board("1./2.")
    for sure, doubted in ((0, 2), (2, 0)):
        certainty = {sure: 0.99, doubted: 0.6}
        found = repairs(puzzle, certainty)
        assert [r.sources for r in found] == [(Source(Kind.CLUE, doubted),), (Source(Kind.CLUE, sure),)]
        assert found[0].cost < found[1].cost
        with pytest.raises(Clash) as caught:
            solve(puzzle, certainty=certainty)
        name = puzzle.shape.name
        assert caught.value.remedy.index(name(doubted)) < caught.value.remedy.index(name(sure))


# ---------------------------------------------------------------- budgets


def test_a_budget_that_is_spent_is_said():
    puzzle = HARD[0].puzzle
    poor = solve(puzzle, budget=Budget(conflicts=1))
    assert not poor.complete and not poor.unique
    rich = solve(puzzle)
    assert rich.complete and poor.mines & ~rich.mines == 0 and poor.safe & ~rich.safe == 0
    with pytest.raises(Undecided) as caught:
        odds(puzzle, budget=Budget(states=5))
    assert "5 states" in str(caught.value)
    # where the total cannot be counted, it is searched: dearer, and the same
    text = board("mines: 1;.1.1./.....")
    assert solve(text, budget=Budget(states=1)).safe == solve(text).safe
    with pytest.raises(WrongUse):
        Budget(conflicts=0)


def test_counting_solutions_by_search_stops_at_its_cap():
    state = State(board("1.1/1.1/1.1"))
    sentences = list(zip(state.members, state.need, strict=True))
    assert count_models(sentences, Effort(100), 10) == odds(board("1.1/1.1/1.1")).models
    free = [([0, 1, 2, 3, 4, 5], 3)]
    assert count_models(free, Effort(1000), 100) == 20
    assert count_models(free, Effort(1000), 7) == 7


# ---------------------------------------------------------------- guesses


def test_guesses_by_each_policy():
    # one of two beside the 1, or one of the eight that no clue names
    puzzle = board("mines: 2;.1.X..../XXXX....")
    chances = odds(puzzle)
    assert chances.probability(0) == Fraction(1, 2) and chances.probability(4) == Fraction(1, 8)
    guess = best_guess(puzzle, Policy.SAFETY)
    assert guess is not None
    assert (guess.cell, guess.risk) == (4, Fraction(1, 8))
    assert solve(puzzle, guess=Policy.SAFETY).guess == 4
    assert best_guess(board("1.")) is None
    assert solve(HARD[-1].puzzle, guess=Policy.TREE).guess is None


def test_progress_prefers_a_cell_that_tells_something():
    puzzle = board("mines: 1;......")
    safe, more = best_guess(puzzle, Policy.SAFETY), best_guess(puzzle, Policy.PROGRESS)
    assert safe is not None and more is not None
    assert safe.risk == more.risk == Fraction(1, 6)
    assert safe.cell == 0 and more.cell == 1
    assert more.progress == 1


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(puzzles(covered=7, variants=(Variant.MINESWEEPER,)))
def test_the_game_tree_wins_as_often_as_any_play_can(puzzle):
    guess = best_guess(puzzle, Policy.TREE)
    found = odds(puzzle)
    if guess is None:
        assert all(n in (0, found.models) for n in found.mined_in.values())
        return
    assert guess.policy is Policy.TREE and guess.win is not None
    assert 0 < found.mined_in[guess.cell] < found.models
    if not any(n == 0 for n in found.mined_in.values()):
        assert abs(float(guess.win) - best_win(puzzle)) < 1e-12


def test_a_tree_too_large_falls_back_and_says_so():
    puzzle = board("mines: 5;....../......")
    guess = best_guess(puzzle, Policy.TREE)
    assert guess is not None and guess.policy is Policy.PROGRESS


def test_public_names_are_all_there():
    import autosolve

    for name in autosolve.__all__:
        assert getattr(autosolve, name) is not None
    with pytest.raises(AttributeError):
        _ = autosolve.nothing


def test_a_board_of_random_numbers_is_refused_in_no_time():
    rng = random.Random(3)
    rows = ["".join(str(rng.randint(0, 4)) if rng.random() < 0.35 else "." for _ in range(50)) for _ in range(50)]
    with pytest.raises(Clash) as caught:
        solve(parse_board("\n".join(["mines: 20", *rows])))
    assert caught.value.cells and repairs(parse_board("\n".join(rows))) == []


def test_a_reason_holds_though_nothing_but_nested_looked_at_what_sentences_share():
    """Found by chance: what clues share was first looked at while a cell was assumed, and was short for good."""
    clues = {Cell(0): 3, Cell(1): 3, Cell(2): 3, Cell(4): 2}
    puzzle = Puzzle(Shape(3, 2), clues, 63, Totals(), 0, Variant.MOSAIC)
    step = solve(puzzle, layers={Technique.NESTED}, budget=Budget(1), explain=True).steps[0]
    assert (step.cells, step.verdict) == (0b110000, Verdict.SAFE)
    fitting = [m for m in range(64) if all((m & c.cells).bit_count() == c.mines for c in step.because)]
    assert fitting and not any(m & step.cells for m in fitting)
