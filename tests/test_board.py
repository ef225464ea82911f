"""Board text, one-line puzzles and collections: read, written, refused."""

from __future__ import annotations

import hashlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import puzzles

from autosolve.board.notation import (
    Position,
    grid_lines,
    parse,
    parse_board,
    parse_collection,
    solution_hash,
    solved_lines,
    write,
    write_digits,
)
from autosolve.board.puzzle import Marks, Puzzle, Totals, Variant
from autosolve.board.shape import Cell, Shape, cell_set, cells_in
from autosolve.errors import NotationError, WrongUse

HASH = "6649a7ea42b3d1ce731c4e5aa0114459eb8972d41c2e59564c61b2b5842be6ab"


def test_every_character_says_what_it_should():
    position = parse(".#1F\nx?*!\nX028\n")
    puzzle = position.puzzle
    assert puzzle.shape == Shape(3, 4)
    assert dict(puzzle.clues) == {2: 1, 9: 0, 10: 2, 11: 8}
    assert puzzle.covered == cell_set([0, 1, 3, 4, 5])
    assert puzzle.mines == cell_set([6, 7])
    assert position.marks == Marks(flags=1 << 3, crosses=1 << 4, questions=1 << 5)
    # a wrong flag is neither covered nor a mine, and its number is not shown
    assert not (puzzle.covered | puzzle.mines) >> 8 & 1 and 8 not in puzzle.clues


def test_headers():
    puzzle = parse_board("# an example\nMines: 4\nrows: 1 ? 2\ncolumns: 2, 1\n\n..\n.1\n..\n")
    assert puzzle.totals == Totals((1, None, 2), (2, 1), 4)
    assert parse_board("mines: ?\n..\n").totals == Totals()
    mosaic = parse_board("variant: mosaic\n9.\n..\n")
    assert mosaic.variant is Variant.MOSAIC
    assert mosaic.covered == mosaic.shape.all


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("# a comment\n..\n", [".."]),
        ("#\n..\n#\n11\n", ["..", "11"]),
        ("##\n#1\n", ["..", ".1"]),
        ("#1#\n1..\n", [".1.", "1.."]),
        ("#\n1\n#\n", [".", "1", "."]),
        ("#\n", ["."]),
        ("  ..\n  11\n\n", ["..", "11"]),
        ("\ufeff..\r\n11\r\n", ["..", "11"]),
    ],
)
def test_a_sharp_is_a_covered_cell_or_a_comment(text, rows):
    assert grid_lines(parse_board(text)) == rows


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("", 1, 0, "no board"),
        ("# only a comment\n", 1, 0, "no board"),
        ("..\n.\n", 2, 2, "1 cells, the first one 2"),
        ("..\n...\n", 2, 3, "3 cells, the first one 2"),
        ("..\n.a\n", 2, 2, "'a'"),
        (". .\n", 1, 2, "' '"),
        ("1.\n9.\n", 2, 1, "clue 9 is not possible"),
        ("mines: 5\n..\n..\n", 1, 8, "5 mines, more than the 4 cells"),
        ("mines: -1\n..\n", 1, 8, "'-1'"),
        ("mines: " + "9" * 5000 + "\n..\n", 1, 8, "more than"),
        ("rows: 1 2\n..\n", 1, 6, "2 totals for 1 rows"),
        ("rows: 1\ncolumns: 1\n..\n", 2, 9, "1 totals for 2 columns"),
        ("rows: 3\n..\n", 1, 7, "total of 3 is more than the 2"),
        ("rows: 1 b\n..\n..\n", 1, 9, "'b'"),
        ("variant: hexagons\n..\n", 1, 9, "'hexagons'"),
        ("colour: red\n..\n", 1, 1, "'colour'"),
        ("mines: 1\nmines: 1\n..\n", 2, 1, "second time"),
        ("..\nmines: 1\n", 2, 1, "below the board"),
        ("hash: 123\n..\n", 1, 6, "SHA-256"),
        ("2x2:129\n", 1, 8, "3 digits for the 4 cells"),
        ("2x2:12999\n", 1, 9, "5 digits for the 4 cells"),
        ("2x2:1.99\n", 1, 6, "'.'"),
        ("2x2:1299:abc\n", 1, 10, "SHA-256"),
        ("0x2:\n", 1, 1, "0x2"),
        ("1x501:" + "9" * 501, 1, 1, "501"),
        ("2x2:1299\n2x2:1299\n", 2, 1, "more than one puzzle"),
        ("." * 501, 1, 0, "501"),
        ('{"rows": 1,\n "cols": }', 2, 10, "not JSON"),
        ('{"rows": 1, "cols": 2}', 1, 0, "no board"),
        ('{"rows": 1, "cols": 2, "puzzle": "9"}', 1, 0, "1 digits for the 2 cells"),
        ('{"rows": 2, "grid": [".."]}', 1, 0, "'grid' has 1 rows"),
        ('{"grid": ["..", "."]}', 1, 0, "Row 2 of 'grid'".lower()),
        ('{"grid": ["9."]}', 1, 0, "clue 9 at r1c1"),
        ('{"grid": ["~."]}', 1, 0, "'~' at r1c1"),
        ('{"grid": 3}', 1, 0, "'grid' must be"),
        ('{"rows": true, "cols": 2, "puzzle": "99"}', 1, 0, "'rows' must be"),
        ('{"grid": [".."], "totals": {"rows": [3]}}', 1, 0, "'totals.rows'"),
        ('{"grid": [".."], "totals": {"mines": 3}}', 1, 0, "'totals.mines'"),
        ('{"grid": [".."], "hash": "zz"}', 1, 0, "SHA-256"),
        ('{"grid": [".."], "mines": 3}', 1, 0, "'mines' must be"),
        ('{"grid": [".."], "mines": "1"}', 1, 0, "'mines' must be"),
        ('{"grid": [".."], "mines": true}', 1, 0, "'mines' must be"),
        ('{"grid": [".."], "mines": 1.0}', 1, 0, "'mines' must be"),
        ('{"grid": [".."], "mines": [[0, 2]]}', 1, 0, "'mines' must be"),
        ('{"grid": [".."], "mines": 1, "totals": {"mines": 2}}', 1, 0, "'totals.mines' 2"),
        ('{"grid": [".."], "mines": 1, "solution": ["11"]}', 1, 0, "'solution' has 2"),
        ('{"grid": [".."], "totals": {"cols": [1, 1]}}', 1, 0, "'totals' must be"),
        ('{"grid": [".."], "totals": {"rows": 0}}', 1, 0, "'totals.rows'"),
        ('{"grid": [".."], "columns": [1, 1]}', 1, 0, "outside 'totals'"),
        ('{"grid": [".."], "solution": ["1"]}', 1, 0, "each of the 2 cells"),
        ('{"grid": [".", "."], "solution": ["10", ""]}', 1, 0, "each of the 2 cells"),
        ('{"grid": [".."], "solution": ["1?a"]}', 1, 0, "each of the 2 cells"),
        ('{"grid": [".."], "solution": ["1a"]}', 1, 0, "'a' at r1c2"),
        ('{"grid": [".."], "solution": [1, 0]}', 1, 0, "'solution' must be"),
        ('{"grid": [".."], "seed": "x"}', 1, 0, "'seed' must be"),
        ('{"grid": [".."], "seed": -1}', 1, 0, "'seed' must be"),
        ('{"grid": [".."], "difficulty": []}', 1, 0, "'difficulty' must be"),
        ('{"grid": [".."], "grade": 3}', 1, 0, "'grade' must be"),
        ('{"grid": [".."], "schema": 2}', 1, 0, "schema 2"),
        ('{"grid": [".."], "puzzle": "99"}', 1, 0, "two boards"),
        ('{"grid": [".."]}\n{"grid": [".."]}', 2, 1, "more than one puzzle"),
        ('\n# made\n{"grid": [".."],\n "mines": ?}', 4, 11, "not JSON"),
        ('{"grid": [".."], "mines": ' + "9" * 5000 + "}", 1, 0, "thousands of digits"),
        ("[" * 100_000, 1, 1, "'['"),
        ('{"grid":' + "[" * 100_000, 1, 1, "nested too deeply"),
    ],
)
def test_what_cannot_be_read_is_named(text, line, column, words):
    with pytest.raises(NotationError) as caught:
        parse(text)
    assert words in str(caught.value)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert f"Line {line}" in str(caught.value)
    assert caught.value.remedy
    assert len(str(caught.value)) < 200


def test_comments_may_stand_above_an_object():
    assert parse('\ufeff# made\n\n{"grid": ["1."]}\n') == parse("1.\n")


def test_lines_are_counted_from_where_the_text_begins():
    for text in ("..\n.", '{"grid": [".", ".."]}', "1x2:129"):
        with pytest.raises(NotationError) as caught:
            parse(text, first_line=40)
        assert caught.value.line == 40 + text.count("\n")


def test_one_line_puzzles():
    position = parse(f"# comment\n2x3:129990:{HASH.upper()}\n")
    assert grid_lines(position.puzzle) == ["12.", "..0"]
    assert position.sha256 == HASH
    assert write_digits(position) == f"2x3:129990:{HASH}"
    assert parse(write_digits(Position(position.puzzle))) == Position(position.puzzle)


@pytest.mark.parametrize("text", ["mines: 1\n..\n", "rows: 1\n..\n", "*1\n", "X1\n", "variant: mosaic\n1.\n"])
def test_digits_refuse_what_they_cannot_say(text):
    with pytest.raises(WrongUse):
        write_digits(parse(text))


def test_json_says_the_same_as_text():
    text = parse("mines: 3\nrows: 1 ?\ncolumns: 1 1 1\n.F1\nx.*\n")
    data = {
        "schema": 1,
        "rows": 2,
        "cols": 3,
        "grid": [".F1", "x.*"],
        "totals": {"rows": [1, None], "columns": [1, 1, 1], "mines": 3},
        "level": 2,
    }
    assert parse(json.dumps(data)) == text
    assert parse(json.dumps({"rows": 1, "cols": 3, "puzzle": "919", "hash": None})) == parse("1x3:919")
    assert parse('{"grid": ".1.\\n..."}') == parse(".1.\n...\n")
    assert parse('{"grid": ["9."], "variant": "mosaic"}') == parse("variant: mosaic\n9.\n")
    assert parse('{"grid": [".."], "totals": {"rows": [], "columns": null, "mines": null}}') == parse("..\n")


def test_mines_are_a_total_but_beside_a_solution_their_number():
    assert parse('{"grid": ["..1"], "mines": 1}') == parse("mines: 1\n..1\n")
    assert parse('{"grid": ["..1"], "mines": 1, "totals": {"rows": [1]}}') == parse("mines: 1\nrows: 1\n..1\n")
    made = '{"rows": 1, "cols": 3, "grid": ["..1"], "solution": ["010"], "seed": 4, "mines": 1, "difficulty": "easy"}'
    assert parse(made) == parse("..1\n")
    assert parse('{"grid": ["..1"], "solution": [".F1"], "mines": 1, "totals": {"mines": 1}}') == parse(
        "mines: 1\n..1\n"
    )
    # what 'run --json' found is no fact
    assert parse('{"grid": ["..1"], "mines": [[0, 1]]}') == parse("..1\n")


def test_collections():
    text = '# made up\n\n{"rows": 1, "cols": 2, "puzzle": "19"}\n1x2:91\n{"grid": ["1."]}\n'
    first, second, third = parse_collection(text)
    assert first == third == parse("1.\n")
    assert second == parse(".1\n")
    with pytest.raises(NotationError) as caught:
        parse_collection('{"grid": [".."]}\n\n{"grid": ["a."]}\n')
    assert caught.value.line == 3
    for bad in ("", "1.\n"):
        with pytest.raises(NotationError):
            parse_collection(bad)


def test_the_hash_is_of_zeros_and_ones_row_by_row():
    assert solution_hash(Shape(2, 3), cell_set([0, 5])) == hashlib.sha256(b"100001").hexdigest()


def test_what_is_proven_is_drawn():
    puzzle = parse_board(".1.\n*X.\n")
    assert solved_lines(puzzle, cell_set([0]), cell_set([2])) == ["F1x", "*X."]
    mosaic = parse_board("variant: mosaic\n1.\n")
    assert solved_lines(mosaic, cell_set([0]), cell_set([1])) == ["Fx"]
    assert solved_lines(mosaic, cell_set([1]), cell_set([0])) == ["1F"]


@settings(max_examples=200, deadline=None)
@given(puzzles(honest=False), st.data())
def test_boards_are_read_back_as_they_were_written(puzzle: Puzzle, data):
    free = [c for c in range(puzzle.shape.size) if puzzle.covered >> c & 1 and c not in puzzle.clues]
    kinds = data.draw(st.lists(st.sampled_from(["", "F", "x", "?"]), min_size=len(free), max_size=len(free)))
    marks = Marks(*(cell_set(c for c, k in zip(free, kinds, strict=True) if k == kind) for kind in "Fx?"))
    position = Position(puzzle, marks, data.draw(st.sampled_from([None, HASH])))
    text = write(position)
    assert parse(text) == position
    assert write(parse(text)) == text


def test_shared_collections_have_the_hashes_they_name(shared):
    for line in (shared / "puzzles" / "puzzles.jsonl").read_text().splitlines():
        position = parse(line)
        assert parse(write_digits(position)) == position
        assert position.sha256 == json.loads(line)["hash"]


def test_facts_that_cannot_be_are_refused():
    shape = Shape(2, 3)
    for clues, covered, totals, mines in (
        ({Cell(0): 9}, 0, Totals(), 0),
        ({Cell(6): 1}, 0, Totals(), 0),
        ({Cell(0): 1}, 1, Totals(), 0),
        ({}, 1, Totals(), 1),
        ({}, 1 << 6, Totals(), 0),
        ({}, 1, Totals(rows=(1,)), 0),
        ({}, 1, Totals(columns=(1, 1)), 0),
    ):
        with pytest.raises(WrongUse):
            Puzzle(shape, clues, covered, totals, mines)


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 7), (6, 1), (3, 5), (64, 64), (70, 90)])
def test_neighbours_are_the_cells_one_step_away(rows, cols):
    shape = Shape(rows, cols)
    for cell in {0, cols - 1, shape.size // 2, shape.size - cols, shape.size - 1}:
        r, c = shape.at(cell)
        near = {(i, j) for i in range(rows) for j in range(cols) if max(abs(i - r), abs(j - c)) == 1}
        assert set(shape.pairs(shape.neighbours(cell))) == near


def test_neighbours_on_the_largest_board_take_no_room():
    import tracemalloc

    tracemalloc.start()
    assert Shape(500, 500).neighbours(0).bit_count() == 3
    assert tracemalloc.get_traced_memory()[1] < 1_000_000
    tracemalloc.stop()


@given(st.sets(st.integers(0, 3000), max_size=200))
def test_cells_go_into_a_set_and_come_out_in_order(cells):
    mask = cell_set(cells)
    assert mask == sum(1 << c for c in cells)
    assert list(cells_in(mask)) == sorted(cells)
