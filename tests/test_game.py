"""A game that is played: what a click opens, flags, chords, winning and losing, openings and 3BV."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import always
from strategies import shapes

from autosolve.board.notation import grid_lines
from autosolve.board.shape import Shape, cell_set, cells_in
from autosolve.errors import WrongUse
from autosolve.generate.game import Field, Game, State


def field(*rows: str) -> Field:
    """A field from rows of text, ``*`` a mine."""
    shape = Shape(len(rows), len(rows[0]))
    return Field(shape, cell_set(i for i, char in enumerate("".join(rows)) if char == "*"))


@st.composite
def fields(draw) -> Field:
    shape = draw(shapes())
    return Field(shape, cell_set(draw(st.sets(st.integers(0, shape.size - 1)))))


def neighbours(shape: Shape, cell: int) -> list[int]:
    r, c = divmod(cell, shape.cols)
    return [
        i * shape.cols + j
        for i in range(max(0, r - 1), min(shape.rows, r + 2))
        for j in range(max(0, c - 1), min(shape.cols, c + 2))
        if (i, j) != (r, c)
    ]


def by_hand(where: Field, cell: int) -> set[int]:
    """What a click opens, by the definition: cells that a chain of zeros leads to."""
    mined = set(cells_in(where.mines))
    opened: set[int] = set()
    todo = [cell]
    while todo:
        at = todo.pop()
        if at not in opened:
            opened.add(at)
            if at not in mined and not mined & set(neighbours(where.shape, at)):
                todo += neighbours(where.shape, at)
    return opened


@given(fields(), st.integers(0, 400))
def test_a_click_opens_what_hangs_together_by_zeros(where: Field, number: int) -> None:
    cell = number % where.shape.size
    after = Game(where).reveal(cell)
    if not where.safe:
        assert after.state is State.WON, "there is nothing to open"
    elif where.mines >> cell & 1:
        assert (after.state, after.exploded, after.opened) == (State.LOST, 1 << cell, 0)
    else:
        assert set(cells_in(after.opened)) == by_hand(where, cell)
        assert after.state is (State.WON if after.opened == where.safe else State.PLAYING)


@given(fields())
def test_3bv_is_the_least_number_of_clicks_that_win(where: Field) -> None:
    # openings first, then every safe cell still shut: no click of these opens what another one does
    game, clicks = Game(where), 0
    for cell in sorted(cells_in(where.safe), key=lambda c: (where.clue(c) > 0, c)):
        after = game.reveal(cell)
        clicks += after != game
        game = after
    assert game.opened == where.safe
    assert clicks == where.three_bv
    assert Game(where).progress["clicks"] == clicks
    assert game.progress == {"opened": where.safe.bit_count(), "safe": where.safe.bit_count(), "clicks": 0}


@pytest.mark.parametrize(
    ("rows", "three_bv", "openings"),
    [
        (("*....", ".....", "....."), 1, 1),
        (("..*..",), 2, 2),
        (("*", ".", ".", "."), 1, 1),
        (("*.*", ".*."), 3, 0),
        (("...", "...", "..."), 1, 1),
        (("**", "**"), 0, 0),
        ((".*.....*.",), 3, 1),
    ],
)
def test_3bv_and_openings_by_hand(rows: tuple[str, ...], three_bv: int, openings: int) -> None:
    where = field(*rows)
    assert (where.three_bv, len(where.openings)) == (three_bv, openings)


def test_a_flood_stops_at_flags_and_a_flag_guards_its_cell() -> None:
    where = field(".....", ".....", "....*")
    game = Game(where).flag(2)
    assert game.reveal(2) is game
    assert game.missing == 0
    opened = game.reveal(0)
    assert not opened.opened >> 2 & 1
    assert opened.flag(2).reveal(2).state is State.WON
    # a wall of flags keeps the flood on its side
    walled = Game(where).flag(2).flag(7).flag(12).reveal(0)
    assert set(cells_in(walled.opened)) == {0, 1, 5, 6, 10, 11}


def test_a_chord_opens_the_rest_and_a_wrong_flag_loses() -> None:
    where = field("*..", "...", "..*")
    game = Game(where).reveal(4)
    assert game.chord(4) is game, "no flags yet"
    right = game.flag(0).flag(8).chord(4)
    assert right.state is State.WON
    wrong = game.flag(1).flag(8).chord(4)
    assert (wrong.state, wrong.exploded) == (State.LOST, 1)
    assert wrong.opened >> 2 & 1, "the safe cells of the chord are open too"
    assert wrong.reveal(3) is wrong
    assert wrong.flag(3) is wrong
    assert wrong.chord(4) is wrong
    both = game.flag(1).flag(3).chord(4)
    assert both.exploded == 1 | 1 << 8
    assert grid_lines(both.final, both.marks) == ["*X0", "X21", "01*"]


def test_what_is_seen_is_true_and_no_more() -> None:
    where = field("*...", "....", "...*")
    game = Game(where).reveal(3).flag(4)
    puzzle = game.puzzle
    assert grid_lines(puzzle, game.marks) == [".100", "F111", "...."]
    assert puzzle.totals.mines == 2
    assert puzzle.mines == 0
    mines, _ = always(puzzle)
    assert mines <= set(cells_in(where.mines))
    lost = game.reveal(11)
    assert grid_lines(lost.puzzle, lost.marks) == [".100", "F111", "...*"]
    assert grid_lines(lost.final, lost.marks) == ["*100", "X111", "...*"]


@given(fields(), st.data())
def test_any_play_keeps_to_the_truth(where: Field, data) -> None:
    game = Game(where)
    for _ in range(data.draw(st.integers(0, 12))):
        move = data.draw(st.sampled_from(("reveal", "flag", "chord")))
        after = getattr(game, move)(data.draw(st.integers(0, where.shape.size - 1)))
        if game.state is not State.PLAYING:
            assert after is game
        assert not after.opened & where.mines
        assert not game.opened & ~after.opened
        game = after
    assert game.puzzle.covered | game.opened | game.exploded == where.shape.all
    assert all(where.clue(cell) == number for cell, number in game.puzzle.clues.items())


def test_bad_positions_and_cells_are_refused() -> None:
    where = field("*.", "..", "..")
    with pytest.raises(WrongUse):
        Field(Shape(2, 2), 1 << 4)
    with pytest.raises(WrongUse):
        Game(where, opened=1)
    with pytest.raises(WrongUse):
        Game(where, opened=2, flags=2)
    for cell in (-1, 6):
        with pytest.raises(WrongUse):
            Game(where).reveal(cell)
