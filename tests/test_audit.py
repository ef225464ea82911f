"""Replay by proof alone, and the judging of what a player did."""

import json

import pytest
from lines import lines_boards

from autosolve.analysis.audit import Fate, Move, Play, fits, judge, provable, replay
from autosolve.analysis.collection import entries, entry, is_collection, pieces
from autosolve.board.notation import parse_board
from autosolve.board.shape import Cell, cell_set
from autosolve.cli.main import run_command
from autosolve.errors import Clash, NotationError, WrongUse
from autosolve.solver.deduction import Technique
from autosolve.solver.hybrid import solve

T = Technique
ONE_TWO = frozenset({T.ONE, T.TWO})
# the 1 has one covered cell beside it; the row then has all its mines
EASY = {"rows": 1, "cols": 4, "grid": ["1..."], "totals": {"rows": [1]}, "solution": ["0100"]}


def board(data=EASY, **more):
    return entry(1, json.dumps({**data, **more}))


@pytest.fixture
def ask(tmp_path, capfd):
    def run(text, *args):
        file = tmp_path / "boards.jsonl"
        file.write_text(text, encoding="utf-8")
        code = run_command([args[0], str(file), *args[1:]])
        out, err = capfd.readouterr()
        return code, out, err

    return run


@pytest.fixture(scope="module")
def collection():
    """Line-total boards that are cleared, from the little generator of the tests."""
    return lines_boards(
        count=12, seed=3, sizes=((4, 4), (3, 6), (6, 3), (5, 5)), layers=(T.ONE, T.TWO, T.CONTRADICTION)
    )


def test_a_board_is_cleared_by_what_is_confirmed():
    found = replay(board())
    assert (found.fate, found.left, found.held) == (Fate.CLEARED, 0, True)
    assert found.rounds == ((T.ONE, 1),) and found.hardest is T.ONE


def test_taking_the_last_mine_of_a_condition_opens_the_rest_of_it():
    play = Play(board(), 0b0010)
    play.take(0b0010)
    assert play.puzzle.covered == 0 and not play.left
    assert Play(board(totals={"rows": [1]}), 0b0010).left == 0b0010


def test_crosses_are_not_confirmed(collection):
    """A conclusion that a cell is safe may not be built upon, unless it is asked for: then all is cleared that the
    solver clears by the same layers."""
    stuck = 0
    for data in lines_boards(count=40, seed=11, sizes=((6, 6), (5, 7)), layers=(T.ONE, T.TWO)):
        strict, loose = (replay(board(data), ONE_TWO, crosses=crosses) for crosses in (False, True))
        assert loose.fate is Fate.CLEARED
        assert strict.fate in (Fate.CLEARED, Fate.STUCK)
        if strict.fate is Fate.STUCK:
            stuck += 1
            # nothing that is confirmed by then proves one of the mines left
            play = Play(board(data), strict.entry.solution)
            play.take(strict.entry.solution & ~strict.left)
            assert not any(mines & play.puzzle.covered for _, mines, _ in provable(play.puzzle, ONE_TWO))
    assert stuck, "a seed is wanted with a board where it matters"


def test_every_deduction_is_held_against_the_stored_solution(collection):
    for data in collection:
        assert replay(board(data)).fate is Fate.CLEARED
        # the same board with one mine moved in what is stored
        rows = [list(row) for row in data["solution"]]
        cells = [(r, c) for r in range(len(rows)) for c in range(len(rows[0])) if data["grid"][r][c] == "."]
        mine = next(at for at in cells if rows[at[0]][at[1]] == "1")
        safe = next(at for at in cells if rows[at[0]][at[1]] == "0")
        rows[mine[0]][mine[1]], rows[safe[0]][safe[1]] = "0", "1"
        found = replay(board(data, solution=["".join(row) for row in rows]))
        assert found.fate is Fate.WRONG and found.left


def test_a_deduction_that_is_wrong_is_noticed(monkeypatch):
    from autosolve.analysis import audit

    monkeypatch.setattr(audit, "provable", lambda *_: iter([(T.ONE, 0b0100, 0)]))
    found = replay(board())
    assert (found.fate, found.left) == (Fate.WRONG, 0b0100)


def test_boards_that_are_not_cleared():
    two = {"rows": 2, "cols": 2, "grid": ["..", ".."], "totals": {"rows": [1, 1], "columns": [1, 1]}}
    assert replay(board(two, solution=["10", "01"])).fate is Fate.STUCK
    not_unique = replay(board(two))
    assert (not_unique.fate, not_unique.held) == (Fate.STUCK, False)
    assert replay(board(EASY, grid=["3..."], totals={}, solution=None)).fate is Fate.CLASH
    assert replay(board(EASY, solution=["0010"])).fate is Fate.WRONG
    assert replay(board(EASY, solution=None)).held is False
    assert replay(board(EASY, solution=None, hash="0" * 64)).fate is Fate.WRONG


def test_a_board_without_mines_is_cleared():
    assert replay(board({"rows": 1, "cols": 2, "grid": [".."], "totals": {"rows": [0]}, "solution": ["00"]})).fate is (
        Fate.CLEARED
    )


def test_boards_to_open():
    # opened at r1c1; what lies beyond the 1s is seen only when it is opened
    data = {"rows": 3, "cols": 3, "grid": ["01.", "01.", "01."], "solution": ["000", "001", "000"], "start": [0, 0]}
    found = replay(board({**data, "grid": ["01.", "02.", "01."], "solution": ["001", "000", "001"]}))
    assert found.fate is Fate.CLEARED and found.rounds == ((T.ONE, 1), (T.TWO, 1))
    assert replay(board({**data, "totals": {"mines": 1}})).fate is Fate.CLEARED
    hidden = entry(1, json.dumps({**data, "grid": ["...", "...", "..."]}))
    assert replay(hidden).fate is Fate.STUCK


def test_puzzles_of_the_shelf(shelf):
    text = "\n".join(shelf.read_text(encoding="utf-8").splitlines()[:16])
    fates = [replay(e).fate for e in entries(text)]
    assert fates.count(Fate.CLEARED) >= 15 and Fate.WRONG not in fates and Fate.CLASH not in fates


@pytest.fixture
def shelf():
    from pathlib import Path

    place = Path(__file__).parents[2] / "shared" / "puzzles" / "puzzles.jsonl"
    if not place.exists():
        pytest.skip("no shared puzzles beside the repository")
    return place


# ---------------------------------------------------------------- the command


def test_the_number_of_unsolved_boards_is_the_exit_code(ask, collection):
    good = [json.dumps(data) for data in collection]
    bad = json.dumps({**EASY, "solution": ["0010"]})
    code, out, _ = ask("\n".join(good), "audit")
    assert (code, out) == (0, "12 measured, 0 unsolved\n")
    code, out, _ = ask("\n".join([*good, bad, "# a comment", bad]), "audit", "--json")
    *lines, last = map(json.loads, out.splitlines())
    assert code == 2 and [line["fate"] for line in lines] == ["cleared"] * 12 + ["wrong"] * 2
    assert lines[-1]["line"] == 15 and lines[-1]["left"] == [[0, 2]]
    assert last == {
        "schema": 1, "boards": 14, "unsolved": 2, "cleared": 12, "stuck": 0, "wrong": 2, "clash": 0, "not_held": 0,
    }  # fmt: skip
    code, out, _ = ask("\n".join([bad] * 140), "audit")
    assert code == 125 and out.endswith("140 measured, 140 unsolved\n")


def test_processes_give_the_same(ask, collection):
    text = "\n".join(json.dumps(data) for data in collection)
    assert ask(text, "audit", "--json", "--jobs", "2") == ask(text, "audit", "--json")


def test_audit_says_what_nothing_proves_and_what_is_not_stored(ask):
    code, out, err = ask("rows: 1 1\ncolumns: 1 1\n..\n..", "audit")
    assert code == 1 and "stuck: nothing proves r1c1 r1c2 r2c1 r2c2" in out and "no stored solution" in err
    code, out, err = ask('{"rows": 1}', "audit")
    assert code == 2 and not out and "autosolve:" in err


# ---------------------------------------------------------------- judging

PAIR = {  # two rows of two: r1 is told by the clue, r2 by a total that only the columns resolve
    "rows": 2, "cols": 3, "grid": ["...", "2.."], "totals": {"rows": [2, 1], "columns": [1, 1, 1]},
    "solution": ["101", "010"],
}  # fmt: skip


def moves(*cells, what="mine"):
    return [Move(what, Cell(c)) for c in cells]


def test_a_clean_clear():
    found = judge(board(), 0b0010, moves(1))
    assert found.clean and found.cleared and found.catches == 1
    assert not judge(board(), 0b0010, moves(1), attempt=2).clean
    assert not judge(board(), 0b0010, [Move("hint"), *moves(1)]).clean
    assert not judge(board(), 0b0010, []).clean


def test_marks_are_no_moves_and_prove_nothing():
    assert judge(board(), 0b0010, [*moves(2, 3, what="mark"), *moves(1)]).clean
    assert judge(board(), 0b0010, [*moves(2, what="open"), *moves(1)]).clean


def test_a_lucky_guess_loses_the_mark():
    two = board({"rows": 2, "cols": 2, "grid": ["..", ".."], "totals": {"rows": [1, 1], "columns": [1, 1]}})
    found = judge(two, 0b1001, moves(0, 3))
    assert found.cleared and not found.clean
    # once the first is taken, which confirms it, the second is proven
    assert found.unproven == (0,) and not found.misses


def test_a_miss_confirms_that_the_cell_is_safe():
    two = board({"rows": 2, "cols": 2, "grid": ["..", ".."], "totals": {"rows": [1, 1], "columns": [1, 1]}})
    found = judge(two, 0b1001, moves(1, 0, 3))
    assert (found.misses, found.unproven, found.catches, found.cleared) == ((0,), (0,), 2, True)


def test_provable_is_judged_when_it_was_made(collection):
    """Every catch in the order of a replay is proven; the mines a replay takes last, taken first, are not always."""
    early = 0
    for data in collection:
        one = board(data)
        taken, play = [], Play(one, one.solution)
        while play.left:
            mines = next(m for _, m, _ in provable(play.puzzle) if m)
            taken += [c for c in range(one.puzzle.shape.size) if mines >> c & 1]
            play.take(mines)
        assert judge(one, one.solution, moves(*taken)).clean
        early += len(judge(one, one.solution, moves(*taken[::-1]), layers=frozenset({T.ONE})).unproven)
    assert early


def test_games_to_open_are_judged_by_what_is_opened():
    data = {"rows": 1, "cols": 5, "grid": ["01..."], "solution": ["00100"], "start": [0, 0], "totals": {"mines": 1}}
    game = board(data)
    assert judge(game, 0b00100, [Move("mine", Cell(2)), *moves(3, 4, what="open")]).clean
    lost = judge(game, 0b00100, moves(2, 3, what="open"))
    assert lost.misses == (0,) and not lost.cleared and lost.catches == 0
    told_less = board({**data, "totals": {}, "grid": ["0" + "1..."]})
    assert judge(told_less, 0b00100, moves(4, what="open")).unproven == ()
    blind = board({"rows": 1, "cols": 3, "grid": ["..."], "solution": ["001"], "start": [0, 0]})
    assert judge(blind, 0b100, moves(0, what="open")).unproven == (0,)


def test_a_solution_that_is_none_is_refused():
    with pytest.raises(WrongUse, match="none of this board"):
        judge(board(), 0b0100, [])


def test_judge_writes_attempts_that_rating_reads(ask):
    played = {**EASY, "moves": [["mine", [0, 1]]], "hash": None, "player": "Ada"}
    guessed = {**played, "moves": [["hint"], ["mine", [0, 2]], ["mine", [0, 1]]], "attempt": 2}
    code, out, _ = ask(f"{json.dumps(played)}\n{json.dumps(guessed)}", "judge", "--json")
    first, second = map(json.loads, out.splitlines())
    assert code == 0 and first["clean"] is True and first["depth"] == 2
    assert second["clean"] is False and second["hints"] == 1 and second["misses"] == [1]
    assert "Ada: no rating yet: 1 of 20 attempts" in ask(out, "rating")[1]
    code, out, _ = ask(f"{json.dumps(played)}\n{json.dumps(guessed)}", "judge")
    assert out.splitlines() == [
        "line 1: clean",
        "line 2: not clean: attempt 2, 1 hint, move 2 (r1c3) missed",
    ]


@pytest.mark.parametrize(
    "wrong", [None, "mine", [["mine", [0, 9]]], [["dig", [0, 0]]], [["mine"]], [["mine", [0, "1"]]]]
)
def test_moves_that_are_none(ask, wrong):
    code, out, err = ask(json.dumps({**EASY, "moves": wrong}), "judge")
    assert code == 2 and not out and "'moves' must be a list" in err


# ---------------------------------------------------------------- collections


def test_what_a_collection_says():
    text = '\ufeff# tiers\n{"rows": 1, "cols": 2, "puzzle": "19", "level": 0, "solution": "01"}\n\n1x2:91\n'
    assert is_collection(text)
    first, second = entries(text)
    assert (first.line, first.tier, first.solution, first.reveals) == (2, "0", 0b10, False)
    assert (second.line, second.tier, second.solution) == (4, "", None)
    assert entries('{"grid": ["1."], "tier": "A", "mood": "B"}', "mood")[0].tier == "B"
    assert not is_collection('{"grid":\n ["1."]}') and len(pieces('{"grid":\n ["1."]}')) == 1
    rounds = json.dumps({"rounds": [EASY, EASY]})
    assert is_collection(rounds) and [e.line for e in entries(rounds)] == [1, 2]


def test_stored_solutions_in_any_of_the_notations():
    grid = {"grid": ["1.", ".."]}
    for given in (["0F", "xx"], "0F xx", "01\n00", ["01", "00"], ["1*", ".."]):
        assert entry(1, json.dumps({**grid, "solution": given})).solution == 0b10
    with pytest.raises(NotationError, match="Line 7"):
        entry(7, json.dumps({**grid, "solution": ["01"]}))


def test_fits():
    puzzle = parse_board("rows: 2\n.1*.")
    assert fits(puzzle, 0b1100)
    # a clue too many, the shown mine missing, the row's total short
    assert not fits(puzzle, 0b0101) and not fits(puzzle, 0b1001) and not fits(puzzle, 0b0100)
    assert fits(parse_board("rows: 2\n.2*."), 0b0101)


def test_provable_raises_a_clash():
    with pytest.raises(Clash):
        list(provable(parse_board("3..")))
    assert {t: m for t, m, _ in provable(parse_board("1."))}[T.ONE] == cell_set([1])
    assert solve(parse_board("1.")).mines == 2
