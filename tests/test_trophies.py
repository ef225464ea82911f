"""Best and worst scores: held against every order there is, and the two ways against each other."""

import itertools
import json
import random
from functools import cache

import pytest
from lines import lines_boards

from autosolve.analysis.trophies import Route, score, trophies
from autosolve.board.notation import Position, parse_board, write
from autosolve.board.puzzle import Marks, Puzzle, Totals, Variant
from autosolve.board.shape import Cell, Shape, cell_set, cells_in
from autosolve.cli.main import run_command
from autosolve.errors import EnvironmentProblem, Undecided, WrongUse
from autosolve.kernels.trophies import ClosedSets, SubsetTable, Task, TooLarge, parts
from autosolve.solver.deduction import Technique


def lines_board(rows, cols, mines, clues, seed, lines=True, mosaic=False):
    """A board with row and column totals and some clues, and its hidden mines; it may have other solutions."""
    rng = random.Random(seed)
    shape = Shape(rows, cols)
    hidden = cell_set(rng.sample(range(shape.size), mines))
    at = rng.sample([c for c in range(shape.size) if mosaic or not hidden >> c & 1], clues)
    variant = Variant.MOSAIC if mosaic else Variant.MINESWEEPER
    around = [shape.neighbours(c) | (1 << c if mosaic else 0) for c in at]
    totals = Totals(
        tuple((shape.row(r) & hidden).bit_count() for r in range(rows)),
        tuple((shape.column(c) & hidden).bit_count() for c in range(cols)),
    )
    covered = shape.all if mosaic else shape.all & ~cell_set(at)
    clue = {Cell(c): (mask & hidden).bit_count() for c, mask in zip(at, around, strict=True)}
    return Puzzle(shape, clue, covered, totals if lines else Totals(), variant=variant), hidden


BOARDS = [
    # rows, columns, mines, clues, lines, mosaic: long, tall, thin, tiny, without lines, in independent parts
    *[(4, 4, 5, 4, True, False)] * 6,
    *[(3, 7, 6, 5, True, False)] * 4,
    *[(7, 3, 6, 4, True, False)] * 4,
    *[(1, 9, 4, 3, True, False), (9, 1, 5, 2, True, False), (1, 1, 1, 0, True, False), (2, 2, 4, 0, True, False)],
    *[(5, 6, 6, 7, False, False)] * 6,
    *[(2, 20, 7, 9, False, False)] * 3,
    *[(4, 5, 6, 5, False, True)] * 4,
    (4, 4, 0, 3, True, False),
]


class Rule:
    """The rule itself on sets of cells, without any of what makes it quick."""

    def __init__(self, puzzle, mines):
        self.mines = list(cells_in(mines))
        self.all = mines
        self.conditions = [(c.cells & mines, c.cells & ~mines) for c in puzzle.constraints]
        self.gain, self.rest = cache(self.gain), cache(self.rest)

    def told(self, found):
        complete = [cells for mask, cells in self.conditions if not mask & ~found]
        return len(set().union(*(cells_in(c) for c in complete))), len(complete)

    def gain(self, found, mine):
        before, after = self.told(found), self.told(found | 1 << mine)
        return 100 + 50 * (after[0] - before[0]) * (after[1] - before[1])

    def left(self, found):
        return [m for m in self.mines if not found >> m & 1]

    def rest(self, found):
        return max((self.gain(found, m) + self.rest(found | 1 << m) for m in self.left(found)), default=0)

    def keeps(self, found):
        return {m for m in self.left(found) if self.gain(found, m) + self.rest(found | 1 << m) == self.rest(found)}

    def best_sets(self):
        seen, ahead = {0}, [0]
        for found in ahead:
            for m in self.keeps(found):
                if found | 1 << m not in seen:
                    seen.add(found | 1 << m)
                    ahead.append(found | 1 << m)
        return seen

    def free_to_the_end(self, mine):
        seen, ahead = {0}, [0]
        for found in ahead:
            if mine not in self.keeps(found):
                continue
            if found | 1 << mine == self.all:
                return True
            for m in self.keeps(found) - {mine}:
                if found | 1 << m not in seen:
                    seen.add(found | 1 << m)
                    ahead.append(found | 1 << m)
        return False


@pytest.mark.parametrize("kind", BOARDS[:8] + BOARDS[14:18] + BOARDS[18:], ids=str)
@pytest.mark.parametrize("route", Route)
def test_equals_all_orders(kind, route):
    rows, cols, mines, clues, lines, mosaic = kind
    puzzle, hidden = lines_board(rows, cols, mines, clues, rows * cols + clues, lines, mosaic)
    scores = [score(puzzle, hidden, order) for order in itertools.permutations(cells_in(hidden))]
    found = trophies(puzzle, mines=hidden, route=route, free=False, jobs=2)
    assert (found.highest, found.lowest) == (max(scores), min(scores))
    for order, wanted in ((found.best, found.highest), (found.worst, found.lowest)):
        assert cell_set(order) == hidden and len(order) == mines
        assert score(puzzle, hidden, order) == wanted


@pytest.mark.parametrize("number", range(len(BOARDS)))
def test_free_mines_and_diagram(number):
    rows, cols, mines, clues, lines, mosaic = BOARDS[number]
    puzzle, hidden = lines_board(rows, cols, mines, clues, number, lines, mosaic)
    rule, found = Rule(puzzle, hidden), trophies(puzzle, mines=hidden)
    assert found.highest == rule.rest(0)
    alive = rule.best_sets()
    free = {m for m in rule.mines if all(s >> m & 1 or m in rule.keeps(s) for s in alive)}
    assert found.free == cell_set(free)
    assert found.free_to_the_end == cell_set(m for m in rule.mines if rule.free_to_the_end(m))
    for some in itertools.product((0, 1), repeat=len(rule.mines)):
        mask = cell_set(m for m, taken in zip(rule.mines, some, strict=True) if taken)
        assert all(d.on_best_way(mask) for d in found.diagrams) == (mask in alive)
        assert found.keepers(mask) == (cell_set(rule.keeps(mask)) if mask in alive else 0)


def test_the_rule_by_hand():
    # found first, r1c2 completes the clue, which opens r1c4; r1c5 then completes the row, which opens r1c1
    puzzle = parse_board("rows: 2\n..1..")
    hidden = cell_set([1, 4])
    assert score(puzzle, hidden, [Cell(1), Cell(4)]) == 100 + 50 * 1 * 1 + 100 + 50 * 1 * 1
    # found last it completes both at once: two cells times two conditions
    assert score(puzzle, hidden, [Cell(4), Cell(1)]) == 100 + 100 + 50 * 2 * 2
    found = trophies(puzzle, mines=hidden)
    assert (found.highest, found.best, found.lowest) == (400, (4, 1), 300)


def test_the_boards_total_is_no_condition_and_shown_mines_are_not_found_again():
    text = "rows: 2 1\n.2.*\n2..1"
    hidden = cell_set([0, 5])
    plain, told = parse_board(text), parse_board(f"mines: 3\n{text}")
    first, second = trophies(plain, mines=hidden), trophies(told, mines=hidden)
    assert (first.highest, first.lowest) == (second.highest, second.lowest)
    assert len(first.best) == 2


@pytest.mark.parametrize("seed", range(12))
def test_both_ways_agree(seed):
    mines = 9 + seed % 5
    puzzle, hidden = lines_board(5, 5 + seed % 3, mines, 6, seed)
    one = trophies(puzzle, mines=hidden, route=Route.SUBSETS, free=False)
    other = trophies(puzzle, mines=hidden, free=False)
    assert (one.highest, one.lowest) == (other.highest, other.lowest)
    assert one.states == 1 << mines and other.states < one.states


def test_sums_too_large_for_the_table_are_refused():
    with pytest.raises(ValueError, match="90000"):
        SubsetTable(Task(2, (0b01, 0b11), (200, 100), (0b1, (1 << 300) - 1)), 10**9)


def test_more_cells_than_a_byte_holds():
    task = Task(14, (*(1 << i for i in range(13)), (1 << 14) - 1), (1,) * 14, (0,) * 13 + ((1 << 400) - 1,))
    with SubsetTable(task, 10**9) as table, ClosedSets(task, 10**9) as closed:
        assert (table.high, table.low) == (closed.high, closed.low) == (800, 400)


def test_independent_parts_add_up():
    puzzle, hidden = lines_board(4, 30, 12, 22, 1, lines=False)
    split = trophies(puzzle, mines=hidden)
    assert len(split.diagrams) > 1
    assert split.states < 1 << 6
    rule = Rule(puzzle, hidden)
    assert split.highest == rule.rest(0)


def test_parts():
    assert parts([0b1, 0b10, 0b100], [0b1, 0b10, 0b10]) == [[0], [1, 2]]
    assert parts([0b11, 0b100, 0b110], [0, 0, 0]) == [[0, 1, 2]]


def test_memory_is_named_before_it_starts():
    puzzle, hidden = lines_board(9, 9, 34, 12, 1)
    with pytest.raises(EnvironmentProblem, match=r"103\.1 GB of memory, and 8\.0 GB") as caught:
        trophies(puzzle, mines=hidden, route=Route.SUBSETS, memory=8 * 10**9)
    assert caught.value.exit_code == 3
    with pytest.raises(EnvironmentProblem, match=r"at least [\d.]+ MB of memory, and 1\.0 MB"):
        trophies(puzzle, mines=hidden, memory=10**6)
    puzzle, hidden = lines_board(20, 20, 80, 100, 1)
    with pytest.raises(EnvironmentProblem, match=r"need up to 10\^\d+ PB of memory"):
        trophies(puzzle, mines=hidden)
    with pytest.raises(TooLarge):
        ClosedSets(Task(63, ((1 << 63) - 1,), (1,), (0,)), 10**12)


def test_what_is_no_board_for_it():
    with pytest.raises(Undecided):
        trophies(parse_board("mines: 1\n.."))
    with pytest.raises(WrongUse, match="no solution"):
        trophies(parse_board("rows: 1\n.."), mines=0b11)


def test_progress_ends_at_one():
    puzzle, hidden = lines_board(6, 6, 13, 6, 1)
    for route in Route:
        told = []
        trophies(puzzle, mines=hidden, route=route, free=False, on_progress=told.append)
        assert told == sorted(told) and told[-1] == 1.0


# ---------------------------------------------------------------- the command


@pytest.fixture
def ask(tmp_path, capfd):
    def run(text, *args):
        file = tmp_path / "board.txt"
        file.write_text(text, encoding="utf-8")
        code = run_command(["trophies", str(file), *args])
        return code, *capfd.readouterr()

    return run


@pytest.fixture(scope="module")
def unique():
    """A board with one solution, as an object of a collection."""
    return lines_boards(1, 6, ((5, 6),), (Technique.ONE, Technique.TWO), needed=True)[0]


def test_the_command(ask, unique):
    code, out, err = ask(json.dumps(unique), "--json")
    data = json.loads(out)
    assert code == 0 and not err
    hidden = cell_set(i for i, bit in enumerate("".join(unique["solution"])) if bit == "1")
    found = trophies(parse_board(json.dumps(unique)), mines=hidden)
    assert (data["highest"], data["lowest"], data["mines"]) == (found.highest, found.lowest, 7)
    assert data["best"] == [list(found.puzzle.shape.at(c)) for c in found.best]
    # the diagram as it is written down, walked by hand
    (diagram,) = data["diagrams"]
    node = diagram["alive"]
    while node > 1:
        node = diagram["nodes"][node][1]  # nothing is found yet
    assert node == 1
    # the solution need not be told
    without = {key: value for key, value in unique.items() if key != "solution"}
    assert ask(json.dumps(without), "--json")[1] == out
    assert json.loads(ask(json.dumps(unique), "--json", "--route", "subsets")[1])["highest"] == found.highest
    plain = json.loads(ask(json.dumps(unique), "--json", "--no-free")[1])
    assert plain["diagrams"] is plain["free"] is None and plain["lowest"] == found.lowest


def test_what_may_come_next_is_said_of_the_flags(ask, unique):
    puzzle = parse_board(json.dumps(unique))
    best = trophies(puzzle).best
    for taken in range(len(best) + 1):
        text = write(Position(puzzle, Marks(flags=cell_set(best[:taken]))))
        data = json.loads(ask(text, "--next", "--json")[1])
        if taken < len(best):
            assert list(puzzle.shape.at(best[taken])) in data["next"]
    assert data["next"] == [] and "all mines are found" in ask(text, "--next")[1]


def test_a_collection_and_its_faults(ask, unique):
    two = "\n".join([json.dumps(unique)] * 2)
    assert [json.loads(line)["line"] for line in ask(two, "--json")[1].splitlines()] == [1, 2]
    code, out, _ = ask(two)
    assert code == 0 and out.count("highest:") == 2 and "# line 2" in out
    code, out, err = ask(f'{json.dumps(unique)}\n{{"grid": [".."], "totals": {{"rows": [1]}}}}', "--json")
    assert (
        code == 7 and "Line 2: " in err and ["error" in json.loads(line) for line in out.splitlines()] == [False, True]
    )


def test_the_need_of_memory_is_said(ask, unique):
    code, out, err = ask(json.dumps(unique), "--route", "subsets", "--memory", "0.0000005")
    assert code == 3 and not out and "need 768 bytes of memory, and 500 bytes may be used" in err


def test_without_the_compiled_decision_diagrams(monkeypatch):
    """On systems where dd comes in plain Python alone, everything is the same but for the time."""
    import sys

    for number in (0, 9):
        rows, cols, mines, clues, lines, mosaic = BOARDS[number]
        puzzle, hidden = lines_board(rows, cols, mines, clues, number, lines, mosaic)
        found = trophies(puzzle, mines=hidden)
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, "dd.cudd", None)
            assert trophies(puzzle, mines=hidden) == found
