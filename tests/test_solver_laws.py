"""Laws that hold on every board, against a brute force that shares no code with the solver."""

from __future__ import annotations

import dataclasses
from collections import Counter

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st
from reference import always, covered, models, sentences, smallest_clash, solutions
from strategies import puzzles

from autosolve.board.puzzle import Kind, Puzzle, Totals, Variant
from autosolve.board.shape import Cell, Shape, cell_set, cells_in
from autosolve.errors import Clash, Undecided
from autosolve.solver import clash, count, tally
from autosolve.solver.count import odds
from autosolve.solver.deduction import Budget, Technique, Verdict
from autosolve.solver.hybrid import FULL, QUICK, solve
from autosolve.solver.sat import Effort
from autosolve.solver.state import Contradiction, State

T = Technique
law = settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
ALL = FULL | {T.NESTED}


def decided(solution) -> tuple[set[int], set[int]]:
    return set(cells_in(solution.mines)), set(cells_in(solution.safe))


@law
@given(puzzles())
def test_what_is_decided_is_exactly_what_all_solutions_share(puzzle):
    found, solution = solutions(puzzle), solve(puzzle)
    assert decided(solution) == always(puzzle)
    assert solution.unique == (len(found) == 1)
    assert (solution.other is None) == solution.unique
    if solution.other:
        assert {frozenset(cells_in(m)) for m in solution.other} <= set(found)
        assert solution.differing and solution.differing & ~solution.undecided == 0


@law
@given(puzzles(), st.booleans())
def test_without_the_exact_sets_the_total_decides_the_same_or_says_that_it_cannot(puzzle, explain):
    """A budget of one state lets no front be walked: exchanges and the search must do."""
    found, solution = solutions(puzzle), solve(puzzle, budget=Budget(states=1), explain=explain)
    mines, safe = decided(solution)
    truly_mines, truly_safe = always(puzzle)
    assert mines <= truly_mines and safe <= truly_safe
    if solution.complete:
        assert (mines, safe) == (truly_mines, truly_safe)
    if solution.other:
        assert {frozenset(cells_in(m)) for m in solution.other} <= set(found) and solution.differing
    event("complete" if solution.complete else "not complete")


@law
@given(puzzles(), st.sets(st.sampled_from(sorted(ALL))))
def test_every_layer_stays_within_what_all_solutions_share(puzzle, layers):
    mines, safe = decided(solve(puzzle, layers=layers))
    truly_mines, truly_safe = always(puzzle)
    assert mines <= truly_mines and safe <= truly_safe


@law
@given(puzzles(), st.sets(st.sampled_from(sorted(ALL))), st.sets(st.sampled_from(sorted(ALL))))
def test_fewer_layers_never_decide_more(puzzle, some, more):
    few, many = solve(puzzle, layers=some), solve(puzzle, layers=some | more)
    assert few.mines & ~many.mines == 0 and few.safe & ~many.safe == 0


@law
@given(puzzles())
def test_explaining_decides_the_same_and_tells_each_cell_once(puzzle):
    quick, told = solve(puzzle), solve(puzzle, explain=True)
    assert decided(quick) == decided(told)
    seen = {Verdict.MINE: 0, Verdict.SAFE: 0}
    for step in told.steps:
        assert step.cells and not step.cells & (seen[Verdict.MINE] | seen[Verdict.SAFE])
        seen[step.verdict] |= step.cells
    assert seen == {Verdict.MINE: told.mines, Verdict.SAFE: told.safe}
    assert told.hardest == max((s.technique for s in told.steps), default=None)
    # a pass begins with a step of its own layer; later ones may have become easier by then
    first = {}
    for step in told.steps:
        assert step.technique <= first.setdefault(step.wave, step.technique)
    assert dict(told.waves) == Counter(first.values())


REASONING = [ALL, {T.SAT, T.TOTAL}, {T.TWO}, {T.ONE, T.TWO, T.CONTRADICTION}, {T.ONE, T.SUBSET, T.TOTAL}, {T.NESTED}]


@settings(law, max_examples=300)
@given(puzzles(), st.sampled_from(REASONING), st.sampled_from([1, 20, 10_000]))
def test_every_reason_implies_its_deduction_given_the_steps_before_and_no_part_of_it_does(puzzle, layers, conflicts):
    known: dict[int, bool] = {}
    facts = {frozenset(cells): number for cells, number in sentences(puzzle)}
    for step in solve(puzzle, layers=layers, budget=Budget(conflicts), explain=True).steps:
        said = [(frozenset(cells_in(c.cells)), c.mines) for c in step.because]
        # each is a sentence of the board less what the steps before it have found
        stands = {(cells.difference(known), n - sum(known.get(c, False) for c in cells)) for cells, n in facts.items()}
        assert set(said) <= stands, step.text
        cells = sorted(frozenset().union(*(s for s, _ in said)) | set(cells_in(step.cells)))
        assert len(cells) <= 11

        def holds(some, step=step, cells=cells):
            found = models(cells, some)
            return all((c in m) == (step.verdict is Verdict.MINE) for m in found for c in cells_in(step.cells))

        assert holds(said), step.text
        for i in range(len(said) if conflicts > 20 else 0):
            assert not holds(said[:i] + said[i + 1 :]), step.text
        size = {T.ONE: (1,), T.TWO: (2,), T.SUBSET: (3, 4, 5)}.get(step.technique)
        assert size is None or conflicts <= 20 or not layers >= {T.ONE, T.TWO} or len(said) in size, step.text
        known |= dict.fromkeys(cells_in(step.cells), step.verdict is Verdict.MINE)


def turned(puzzle: Puzzle, turn: int) -> tuple[Puzzle, dict[int, int]]:
    """The board under one of the eight symmetries, and where each cell went."""
    rows, cols = puzzle.shape.rows, puzzle.shape.cols
    swap, flip_r, flip_c = turn & 1, turn & 2, turn & 4
    shape = Shape(cols, rows) if swap else puzzle.shape
    to = {}
    for cell in range(puzzle.shape.size):
        r, c = divmod(cell, cols)
        r, c = (rows - 1 - r if flip_r else r), (cols - 1 - c if flip_c else c)
        to[cell] = c * rows + r if swap else r * cols + c
    lines = [puzzle.totals.rows[::-1] if flip_r else puzzle.totals.rows]
    lines.append(puzzle.totals.columns[::-1] if flip_c else puzzle.totals.columns)
    if swap:
        lines.reverse()
    moved = Puzzle(
        shape,
        {Cell(to[c]): n for c, n in puzzle.clues.items()},
        cell_set(to[c] for c in cells_in(puzzle.covered)),
        Totals(lines[0], lines[1], puzzle.totals.mines),
        cell_set(to[c] for c in cells_in(puzzle.mines)),
        puzzle.variant,
    )
    return moved, to


@law
@given(puzzles(), st.integers(1, 7), st.sampled_from([QUICK, FULL, ALL, {T.ONE, T.TWO, T.CONTRADICTION}]))
def test_turning_or_mirroring_a_board_changes_nothing(puzzle, turn, layers):
    moved, to = turned(puzzle, turn)
    here, there = solve(puzzle, layers=layers), solve(moved, layers=layers)
    assert cell_set(to[c] for c in cells_in(here.mines)) == there.mines
    assert cell_set(to[c] for c in cells_in(here.safe)) == there.safe
    assert here.waves == there.waves
    one, other = odds(puzzle), odds(moved)
    assert one.models == other.models
    assert all(one.mined_in[c] == other.mined_in[to[c]] for c in one.mined_in)


@law
@given(puzzles())
def test_two_is_complete_as_the_long_form_says(puzzle):
    state = State(puzzle)
    state.propagate(two=False)
    wanted: dict[int, bool] = {}
    for i in range(len(state.members)):
        for j in range(i + 1, len(state.members)):
            a_cells, b_cells = set(state.open_cells(i)), set(state.open_cells(j))
            both = a_cells & b_cells
            a, b = state.need[i], state.need[j]
            if not both:
                continue
            low = max(0, a - len(a_cells - both), b - len(b_cells - both))
            high = min(a, b, len(both))
            for cells, least, most in (
                (both, low, high),
                (a_cells - both, a - high, a - low),
                (b_cells - both, b - high, b - low),
            ):
                if most == 0:
                    wanted |= dict.fromkeys(cells, False)
                if least == len(cells):
                    wanted |= dict.fromkeys(cells, True)
    got = {c: mine for cells, mine, _ in state.moves_two() for c in cells}
    assert got == wanted


# ---------------------------------------------------------------- counts


def disagreements(puzzle: Puzzle) -> list[str]:
    """What the counter says otherwise than brute force: the battery the broken twins below must not pass."""
    found = solutions(puzzle)
    got = odds(puzzle)
    out = []
    if got.models != len(found):
        out.append("models")
    out += [str(c) for c in covered(puzzle) if got.mined_in.get(Cell(c)) != sum(c in m for m in found)]
    return out


@law
@given(puzzles())
def test_counts_equal_brute_force(puzzle):
    assert disagreements(puzzle) == []
    counter = count.Counter(State(puzzle), 10**6)
    listed = [frozenset(cells_in(m)) for m in counter.solutions()]
    assert len(listed) == len(set(listed))
    assert set(listed) == set(solutions(puzzle))


@law
@given(puzzles())
def test_probabilities_sum_to_the_mines_and_are_certain_where_the_solver_is(puzzle):
    got, solution = odds(puzzle), solve(puzzle)
    if puzzle.totals.mines is not None:
        wanted = puzzle.totals.mines - puzzle.mines.bit_count()
        assert sum(got.probability(c) for c in got.mined_in) == wanted
    assert cell_set(c for c, n in got.mined_in.items() if n == got.models) == solution.mines
    assert cell_set(c for c, n in got.mined_in.items() if n == 0) == solution.safe


BATTERY = [
    "mines: 3\n1...\n....\n",
    "rows: 1 ? 2\n.1..\n....\n..2.\n",
    "mines: 4\n.2.\n...\n.3.\n...\n",
    "variant: mosaic\n2.1\n...\n",
    ".1.1.\n.....\n",
]


def _weights_forgotten(real):
    def broken(self, weights, bits):
        return real(self, weights and [1] * len(weights), bits)

    return broken


def _an_edge_forgotten(real):
    def broken(self):
        for step in real(self).steps:
            step.edges = step.edges[1:] or step.edges
        return self

    return broken


@pytest.mark.parametrize(
    ("where", "name", "twin"),
    [
        (count, "comb", lambda n, k: 1 if 0 <= k <= n else 0),
        (count.Front, "shares", _weights_forgotten(count.Front.shares)),
        (count.Front, "walk", _an_edge_forgotten(count.Front.walk)),
        (count.Counter, "_free_ways", lambda self, low, number: [1] * number),
    ],
    ids=["a group's choices", "the mines elsewhere", "a state not met", "the cells no clue names"],
)
def test_a_broken_counter_is_caught(monkeypatch, where, name, twin):
    from autosolve.board.notation import parse_board

    boards = [parse_board(text) for text in BATTERY]
    assert [disagreements(b) for b in boards] == [[]] * len(boards)
    monkeypatch.setattr(where, name, twin)
    assert any(disagreements(b) for b in boards)


# ---------------------------------------------------------------- clashes


@law
@given(puzzles(honest=False))
def test_a_board_without_solutions_is_a_clash_and_no_other_is(puzzle):
    if solutions(puzzle):
        assert decided(solve(puzzle)) == always(puzzle)
        return
    with pytest.raises(Clash):
        solve(puzzle)
    with pytest.raises(Clash):
        solve(puzzle, explain=True)
    with pytest.raises(Clash):
        odds(puzzle)


@settings(law, max_examples=60)
@given(puzzles(covered=8, variants=(Variant.MINESWEEPER,), totals=False, honest=False))
def test_a_clash_names_a_smallest_set_of_clues(puzzle):
    assume(not solutions(puzzle))
    with pytest.raises(Clash) as caught:
        solve(puzzle)
    named = {Cell(r * puzzle.shape.cols + c) for r, c in caught.value.cells}
    only = dataclasses.replace(
        puzzle, clues={c: n for c, n in puzzle.clues.items() if c in named}, covered=puzzle.covered
    )
    assert not models(covered(puzzle), sentences(only))
    assert len(named) == smallest_clash(puzzle)


@settings(law, max_examples=60)
@given(puzzles(covered=8, variants=(Variant.MINESWEEPER,), totals=False, honest=False))
def test_single_repairs_are_all_found_and_all_work(puzzle):
    assume(not solutions(puzzle))
    wanted = {}
    for cell in puzzle.clues:
        fits = tuple(n for n in range(9) if solutions(dataclasses.replace(puzzle, clues={**puzzle.clues, cell: n})))
        if fits:
            wanted[cell] = fits
    got = {r.sources[0].at: r.fits for r in clash.repairs(puzzle, most=30) if len(r.sources) == 1}
    assert got == wanted


@law
@given(puzzles(honest=False), st.sampled_from([1, 10_000]))
def test_the_totals_that_go_with_a_board_are_all_found_or_none_is_named(puzzle, states):
    bare = dataclasses.replace(puzzle, totals=dataclasses.replace(puzzle.totals, mines=None))
    wanted = sorted({len(m) for m in solutions(bare)})
    if not wanted:
        with pytest.raises(Contradiction):
            tally.numbers(State(bare), Effort(1000), states)
        return
    got = tally.numbers(State(bare), Effort(1000), states)
    assert got == wanted or (states == 1 and not got)
    for n in range(puzzle.covered.bit_count() + 2):
        told = dataclasses.replace(
            puzzle, totals=dataclasses.replace(puzzle.totals, mines=n + puzzle.mines.bit_count())
        )
        goes = tally.goes(State(told), Effort(1000), states)
        assert goes == (n in wanted) or (states == 1 and not goes)


# ---------------------------------------------------------------- assumed uniqueness


@settings(law, max_examples=200)
@given(puzzles())
def test_assumed_uniqueness_is_sound_where_there_is_one_solution(puzzle):
    found = solutions(puzzle)
    layers = {T.ONE, T.TWO, T.UNIQUE}
    if len(found) == 1:
        solution = solve(puzzle, layers=layers)
        assert set(cells_in(solution.mines)) <= found[0]
        assert not set(cells_in(solution.safe)) & found[0]
    else:
        try:
            solution = solve(puzzle, layers=layers)
        except Undecided:
            return
        assert not solution.unique


def test_states_are_taken_back_exactly():
    from autosolve.board.notation import parse_board

    state = State(parse_board("mines: 3\n.2.1\n....\n1..1\n"))
    before = (bytes(state.known), list(state.left), list(state.need), list(state.size), state.mined)
    with pytest.raises(Contradiction):
        for cell in state.covered:
            state.put([cell], True, ())
            state.propagate()
    state.take_back(0)
    assert before == (bytes(state.known), list(state.left), list(state.need), list(state.size), state.mined)
    assert all(s.kind is Kind.CLUE for s in state.sources)
