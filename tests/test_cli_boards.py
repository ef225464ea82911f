"""The commands on boards: what they print, their JSON, their exit codes."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from autosolve.board.notation import parse_board, solution_hash
from autosolve.cli.main import run_command

SOLVED = "...../X121X/XXXXX\n"
PAIR = "1.1\n1.1\n"


@pytest.fixture
def ask(monkeypatch, capsys):
    """Runs a command on a board from standard input: exit code, standard output, standard error."""

    def run(board: str, *args: str) -> tuple[int, str, str]:
        data = io.TextIOWrapper(io.BytesIO(board.replace("/", "\n").encode()))
        monkeypatch.setattr(sys, "stdin", data)
        code = run_command([args[0], "-", *args[1:]])
        out = capsys.readouterr()
        return code, out.out, out.err

    return run


def test_solve_prints_the_board_with_its_mines(ask):
    assert ask(SOLVED, "solve") == (0, "xFxFx\nX121X\nXXXXX\n", "")


def test_solve_from_a_file(tmp_path: Path, capsys):
    (tmp_path / "board.txt").write_text(PAIR.replace("1.1\n", "1.\n", 1).replace("1.1", "1F"))
    assert run_command(["solve", str(tmp_path / "none.txt")]) == 2
    assert "none.txt" in capsys.readouterr().err


def test_solve_json(ask):
    code, out, _ = ask(SOLVED, "solve", "--json", "--explain")
    data = json.loads(out)
    assert code == 0
    assert data["schema"] == 1 and data["status"] == "unique" and data["solutions"] == 1
    assert (data["rows"], data["cols"]) == (3, 5)
    assert data["mines"] == [[0, 1], [0, 3]]
    assert data["safe"] == [[0, 0], [0, 2], [0, 4]] and data["undecided"] == []
    assert data["hash"] == solution_hash(parse_board(SOLVED.replace("/", "\n")).shape, 0b01010)
    assert data["hardest"] == "two"
    first = data["steps"][0]
    assert set(first) >= {"cells", "verdict", "technique", "because", "text"}
    assert first["technique"] == "two" and first["pattern"] == "1-2-1"
    assert {tuple(b["at"]) for b in first["because"]} <= {(1, 1), (1, 2), (1, 3)}
    assert "steps" not in json.loads(ask(SOLVED, "solve", "--json")[1])


def test_explained_steps_are_comments_above_a_board_that_can_be_read(ask):
    code, out, _ = ask(SOLVED, "solve", "--explain")
    assert code == 0
    assert out.splitlines()[0].startswith("# 1. two: 1-2-1: ")
    assert parse_board(out).clues == parse_board(SOLVED.replace("/", "\n")).clues


def test_more_than_one_solution_ends_with_7_and_shows_the_cells(ask):
    code, out, err = ask(PAIR, "solve")
    assert (code, out) == (7, PAIR)
    assert "2 cells undecided (r1c2 r2c2)" in err
    assert "the mines among them are r1c2, or r2c2" in err or "are r2c2, or r1c2" in err
    code, out, _ = ask(PAIR, "solve", "--json")
    data = json.loads(out)
    assert code == 7
    assert (data["status"], data["solutions"], data["hash"]) == ("undecided", 2, None)
    assert data["undecided"] == [[0, 1], [1, 1]]


def test_a_clash_ends_with_6_and_names_the_clues(ask):
    code, out, err = ask("1./2.", "solve")
    assert (code, out) == (6, "")
    assert "1 at r1c1 and 2 at r2c1" in err
    code, out, _ = ask("1./2.", "solve", "--json", "--explain")
    assert code == 6
    assert json.loads(out)["status"] == "contradiction" and json.loads(out)["solutions"] == 0
    for command in ("hint", "odds", "grade"):
        assert ask("1./2.", command)[0] == 6


@pytest.mark.parametrize("board", ["#", "##/##", ".", "F", "?", "X", "*", "0", "mines: 1/.", "variant: mosaic/1"])
@pytest.mark.parametrize("command", ["solve", "hint", "odds", "grade"])
def test_the_smallest_boards_get_an_answer(ask, board, command):
    code, out, err = ask(board, command)
    assert code in (0, 7) and "internal" not in err and (out or code == 7)
    assert json.loads(ask(board, command, "--json")[1])["schema"] == 1


def test_a_wrong_hash_is_said(ask):
    code, _, err = ask(f"1x2:19:{'0' * 64}", "solve")
    assert code == 6 and "hash" in err
    assert json.loads(ask(f"1x2:19:{'0' * 64}", "solve", "--json")[1])["hash_matches"] is False
    good = solution_hash(parse_board("1.").shape, 0b10)
    assert ask(f"1x2:19:{good}", "solve")[0] == 0


@pytest.mark.parametrize(
    ("board", "words"),
    [
        ("1.\n9.\n", "Line 2, column 1"),
        ("1.\n1\n", "Line 2, column 2"),
        ("1z\n", "'z'"),
        ("rows: 1\n1.\n..\n", "1 totals for 2 rows"),
        ("mines: 9\n1.\n", "more than the 2 cells"),
        ("", "no board"),
        ("{", "not JSON"),
    ],
)
@pytest.mark.parametrize("command", ["solve", "hint", "odds", "grade"])
def test_bad_boards_end_with_2_and_one_message(ask, board, words, command):
    code, out, err = ask(board, command)
    assert (code, out) == (2, "")
    assert words in err and "Traceback" not in err
    assert len(err.splitlines()) == 2


def test_hint(ask):
    code, out, err = ask(SOLVED, "hint")
    assert (code, err) == (0, "") and len(out.splitlines()) == 1 and out.startswith("1-2-1: ")
    data = json.loads(ask(SOLVED, "hint", "--json")[1])
    assert data["technique"] == "two" and data["cells"] and data["verdict"] in ("mine", "safe")
    assert ask("xFxFx/X121X/XXXXX", "hint")[:2] == (0, "Nothing is left to find.\n")
    code, out, _ = ask("xF.Fx/X121X/XXXXX", "hint")
    assert code == 0 and "r1c3 is safe" in out
    code, out, _ = ask("FF.../X121X/XXXXX", "hint")
    assert code == 0 and "The mark at r1c1 is wrong" in out
    assert ask(PAIR, "hint")[0] == 7


def test_odds(ask):
    code, out, _ = ask(PAIR, "odds")
    assert code == 0
    assert out.splitlines()[0] == "# solutions: 2"
    assert out.splitlines()[1].split() == ["1", "50.00", "1"]
    data = json.loads(ask("mines: 99\n" + ("." * 30 + "\n") * 16, "odds", "--json")[1])
    assert len(data["solutions"]) == 105 and data["odds"][15][29] == 99 / 480
    assert json.loads(ask(PAIR, "odds", "--json")[1])["odds"] == [[None, 0.5, None]] * 2
    code, out, err = ask("1..../2.3../.....", "odds", "--states", "1")
    assert (code, out) == (7, "") and "1 states" in err


def test_grade(ask):
    data = json.loads(ask(SOLVED, "grade", "--json")[1])
    assert data == {
        "schema": 1,
        "hardest": "two",
        "layer": 2,
        "depth": 3,
        "waves": {"one": 1, "two": 1},
        "unique": True,
    }
    assert "hardest: two (layer 2)" in ask(SOLVED, "grade")[1]
    assert json.loads(ask("1.", "grade", "--json")[1])["layer"] == 1
    code, out, err = ask(PAIR, "grade", "--json")
    assert code == 7 and json.loads(out)["unique"] is False and "more than one solution" in err
    code, out, err = ask(PAIR, "grade")
    assert code == 7 and "unique: no" in out and "more than one solution" in err
    code, out, err = ask(SOLVED, "grade", "--layers", "one")
    assert code == 7 and "hardest: nothing" in out and "layers allowed" in err


def test_layers_and_guesses_are_chosen(ask):
    code, out, err = ask(SOLVED, "solve", "--layers", "one")
    assert code == 7 and "layers allowed" in err and out.startswith(".....")
    assert ask(SOLVED, "solve", "--layers", "one,magic")[0] == 2
    code, _, err = ask("mines: 1\n......", "solve", "--guess", "progress")
    assert code == 7 and "r1c2" in err
    data = json.loads(ask("mines: 1\n......", "solve", "--guess", "tree", "--json")[1])
    assert len(data["guess"]) == 2
    code, _, err = ask(".../.2./111", "solve", "--layers", "unique")
    assert code == 7


@pytest.mark.parametrize("command", ["solve", "hint", "odds", "grade"])
@pytest.mark.parametrize(
    ("board", "code", "status"),
    [("1./2.", 6, "contradiction"), ("1z", 2, "error"), ('{"grid": 3}', 2, "error"), ("", 2, "error")],
)
def test_json_is_one_object_whatever_comes_of_it(ask, command, board, code, status):
    got, out, err = ask(board, command, "--json")
    data = json.loads(out)
    assert (got, data["schema"], data["status"], data["exit_code"]) == (code, 1, status, code)
    assert data["error"] in err and data["remedy"] in err
    if code == 6:
        assert data["named"] == [[0, 0], [1, 0]]


def test_json_is_one_object_where_nothing_is_certain_or_work_runs_out(ask):
    code, out, _ = ask(PAIR, "hint", "--json")
    assert code == 7 and json.loads(out)["cells"] == [] and json.loads(out)["status"] == "undecided"
    code, out, _ = ask("1..../2.3../.....", "odds", "--states", "1", "--json")
    data = json.loads(out)
    assert code == 7 and data["odds"] is None and data["solutions"] is None and "1 states" in data["error"]
    assert json.loads(ask("1./2.", "odds", "--json")[1])["solutions"] == "0"


def test_a_guess_that_takes_too_much_leaves_the_board(ask):
    board = ".2..2./......"
    for policy in ("safety", "progress", "tree"):
        code, out, err = ask(board, "solve", "--guess", policy, "--states", "1")
        assert (code, out) == (7, board.replace("/", "\n") + "\n") and "more than the 1 states" in err
        code, out, err = ask(board, "solve", "--guess", policy, "--states", "1", "--json")
        data = json.loads(out)
        assert code == 7 and len(data["undecided"]) == 10 and data["solutions"] is None and "guess" not in data


def test_what_a_board_shows_beside_a_clash_is_named(ask):
    code, _, err = ask("0*", "solve")
    assert code == 6
    assert "The 0 at r1c1 cannot be true, beside the mine shown at r1c2." in err
    assert "the 0 at r1c1 (1 would fit), or the mine shown at r1c2." in err
    _, _, err = ask("1X", "solve")
    assert "beside the wrong flag shown at r1c2" in err and "the 1 at r1c1 (0 would fit)" in err
    # a mine that has nothing to do with it is not
    _, _, err = ask("1./2./.*", "solve")
    assert "mine shown" not in err


def test_a_position_read_from_a_picture_can_be_solved(ask):
    reading = {"schema": 1, "site": "x", "rows": 1, "cols": 3, "grid": ["F2."], "totals": {"rows": [], "mines": None}}
    assert ask(json.dumps(reading), "solve")[:2] == (0, "F2F\n")


def test_numbers_with_thousands_of_digits(ask):
    board = ("." * 150 + "\n") * 120
    code, out, _ = ask(board, "solve", "--json")
    assert code == 7 and json.loads(out)["solutions"] is None
    code, out, _ = ask(board, "odds", "--json")
    data = json.loads(out)
    assert code == 0 and int(data["solutions"][-6:]) == pow(2, 120 * 150, 10**6) and data["odds"][0][0] == 0.5
