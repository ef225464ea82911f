"""Tests of the even guesses a game may hold: by trying every solution, and on boards where they are seen at once."""

from __future__ import annotations

from fractions import Fraction

import pytest
from positions import stuck

from autosolve.board.notation import parse_board
from autosolve.board.puzzle import Puzzle, Totals, Variant
from autosolve.board.shape import Cell, CellSet, Shape, cells_in
from autosolve.solver.count import Counter, odds
from autosolve.solver.deduction import Budget
from autosolve.solver.even import Even, even_guesses
from autosolve.solver.guess import Policy, best_guess
from autosolve.solver.state import State


def solutions(puzzle: Puzzle) -> list[CellSet]:
    """All of them, by listing."""
    state = State(puzzle)
    return list(Counter(state, Budget().states).solutions())


def held(puzzle: Puzzle) -> list[Even]:
    found = odds(puzzle)
    return even_guesses(puzzle, {c: m / found.models for c, m in found.mined_in.items()}, Budget().states)


def test_two_cells_that_no_number_tells_apart_are_an_even_guess() -> None:
    # the two mines of the middle column wall the last one off
    puzzle = parse_board("mines: 3\n2..\n2..")
    (even,) = held(puzzle)
    assert even.models == odds(puzzle).models == 2
    assert even.sets == (1 << 2, 1 << 5) and even.walls == 0
    # in two rows every column may be one: surely the second, and in 4 of 8 solutions the third
    puzzle = parse_board("mines: 2\n1...\n1...")
    assert odds(puzzle).models == 8
    found = {e.sets: e for e in held(puzzle)}
    assert found[1 << 1, 1 << 5].models == 8
    third = found[1 << 2, 1 << 6]
    assert third.models == 4
    # of those solutions the second column's upper cell is no mine in two; what is beside it in none is itself
    assert [third.beside(Cell(c)) for c in (1, 5, 2, 6, 3, 7)] == [2, 2, 0, 0, 4, 4]
    # both diagonals of the square of the second and third columns, one mine in each of two columns
    assert found[1 << 1 | 1 << 6, 1 << 2 | 1 << 5].models == 2


@pytest.mark.parametrize(("shape", "mines"), [(Shape(5, 5), 7), (Shape(3, 8), 8), (Shape(2, 9), 6), (Shape(6, 5), 10)])
def test_it_is_held_by_as_many_solutions_as_are_found_by_trying_all(shape: Shape, mines: int) -> None:
    pairs = squares = 0
    for seed in range(60):
        puzzle = stuck(shape, mines, seed)
        if puzzle is None or odds(puzzle).models > 800:
            continue
        every = solutions(puzzle)
        for even in held(puzzle):
            a, b = even.sets
            holds = [s for s in every if not even.walls & ~s and s & (a | b) in (a, b)]
            assert even.models == len(holds) > 0
            for cell in cells_in(puzzle.covered):
                settled = (a | b | even.walls) >> cell & 1
                assert even.beside(cell) == (0 if settled else sum(not s >> cell & 1 for s in holds))
            # no cell without a mine would show another number the other way round
            for s in holds:
                one, other = s | puzzle.mines, s ^ a ^ b | puzzle.mines
                assert s ^ a ^ b in holds
                for cell in cells_in(shape.all & ~(one | a | b)):
                    around = shape.neighbours(cell)
                    assert (around & one).bit_count() == (around & other).bit_count()
            pairs += a.bit_count() == 1
            squares += a.bit_count() == 2
    assert pairs >= 5 and squares >= 1


def test_what_a_total_may_tell_apart_is_none() -> None:
    puzzle = parse_board("mines: 3\n2..\n2..")
    assert held(puzzle)
    shape = puzzle.shape
    rows = Puzzle(shape, puzzle.clues, puzzle.covered, Totals(rows=(2, None), mines=3))
    assert held(rows) == []
    assert even_guesses(Puzzle(shape, {}, shape.all, variant=Variant.MOSAIC), {}, 1000) == []


@pytest.mark.parametrize("seed", [17, 132])
def test_of_equally_safe_cells_the_one_is_opened_that_spares_an_even_guess(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle = stuck(Shape(6, 8), 12, seed)
    assert puzzle is not None
    evens = held(puzzle)
    better = best_guess(puzzle, Policy.AHEAD)
    monkeypatch.setattr("autosolve.solver.guess.even_guesses", lambda *_: [])
    other = best_guess(puzzle, Policy.AHEAD)
    assert better is not None and other is not None
    assert better.cell != other.cell and better.risk == other.risk == Fraction(1, 8)
    assert sum(e.beside(better.cell) for e in evens) < sum(e.beside(other.cell) for e in evens)
