"""The census: games by the local rules, the compiled policies against a slow twin, and the command with its records."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autosolve.analysis import census_reference as reference
from autosolve.analysis.census import Chunk, Spec, add_up, header, missing, play_chunk, read_record, run, summary
from autosolve.analysis.jobs import Jobs
from autosolve.board.puzzle import Puzzle
from autosolve.board.shape import Cell, CellSet, Shape, cells_in
from autosolve.cli.main import run_command
from autosolve.errors import WrongUse
from autosolve.generate.deal import SplitMix64, deal
from autosolve.kernels import BulkOdds, Counted
from autosolve.kernels.census import BulkCensus, Policy, Tally
from autosolve.kernels.game import FirstClick, Table
from autosolve.solver.state import CLEAR, MINED, State

pytest.importorskip("numba")
pytestmark = pytest.mark.timeout(900)  # the first test waits until the census is compiled, on a busy machine for long

ROOT = Path(__file__).resolve().parent.parent
EXPERT = Shape(16, 30)
EVERY = tuple(Policy)


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    BulkCensus(Shape(2, 2), 1, rule=FirstClick.SAFE).play(seed=1, first=0, boards=1)  # outside the time of any test


# ---------------------------------------------------------------- the local rules


def by_the_book(shape: Shape, mines: CellSet, start: Cell, level: int) -> tuple[CellSet, CellSet]:
    """(open, flagged) by ONE, or ONE and TWO, of solver/state.py, from a first click."""
    opened = 1 << start
    while True:
        clues = {c: (shape.neighbours(c) & mines).bit_count() for c in cells_in(opened)}
        state = State(Puzzle(shape, clues, shape.all & ~opened))
        state.propagate(two=level > 1)
        new = state.mask(CLEAR)
        assert not new & mines
        if not new:
            return opened, state.mask(MINED)
        opened |= new


@pytest.mark.parametrize("size", [(1, 1), (1, 9), (9, 1), (2, 7), (7, 2), (5, 5), (8, 8), (7, 12), (12, 5)])
def test_local_rules_are_those_of_the_solver(size: tuple[int, int]) -> None:
    shape, some = Shape(*size), random.Random(repr(size))
    table = Table(shape)
    for number in range(30):
        start, rule = Cell(some.randrange(shape.size)), some.choice(list(FirstClick))
        room = rule.room(shape, start)
        mines = min(room, some.choice([some.randint(0, shape.size // 4), some.randint(0, shape.size)]))
        table.deal(mines, start, rule, seed=5, number=number)
        mined = table.mine_set
        assert mined == deal(shape, mines, start, rule, SplitMix64.of_game(5, number))
        if mined >> start & 1:
            with pytest.raises(WrongUse, match="is a mine"):
                table.play(start, 1)
            continue
        for level in (1, 2, 1):  # a game leaves nothing behind for the next one
            opened, flagged = by_the_book(shape, mined, start, level)
            assert table.play(start, level) == opened.bit_count()
            assert (shape.all & ~table.hidden & ~table.flagged, table.flagged) == (opened, flagged)
            assert table.cleared == (opened.bit_count() == shape.size - mines)


# ---------------------------------------------------------------- the policies


@pytest.mark.parametrize("row", reference.BATTERY, ids=str)
def test_policies_are_those_of_the_slow_twin(row: reference.Row) -> None:
    found = reference.check_battery(row)
    assert found.good, found.detail


@pytest.mark.parametrize("planted", reference.PLANTED, ids=lambda p: p.name)
def test_planted_boards_end_as_they_must(planted: reference.Planted) -> None:
    found = reference.check_planted(planted)
    assert found.good, found.detail


def test_the_planted_proof_needs_trying_out_and_no_total() -> None:
    shape, mines, start = reference.PLANTED[0].parts()
    opened, _ = by_the_book(shape, mines, start, 2)
    assert opened.bit_count() < shape.size - mines.bit_count()
    alone = reference.play_board(shape, mines, start, EVERY, 1, reference.Fault.TOTAL)
    assert alone.unforced == 1 and alone.won[-1] == 1


@pytest.mark.parametrize("fault", reference.Fault, ids=lambda f: f.value)
def test_broken_twins_are_noticed(fault: reference.Fault) -> None:
    assert reference.check_fault(fault).good


def test_a_wrong_planted_end_is_noticed() -> None:
    toss = reference.PLANTED[1]
    assert not reference.check_planted(toss._replace(chances=())).good


@pytest.mark.parametrize("size", [(1, 200), (200, 1), (3, 60), (40, 44)])
def test_odd_shapes_are_played_without_a_contradiction(size: tuple[int, int]) -> None:
    shape = Shape(*size)
    engine = BulkCensus(shape, shape.size // 6, policies=EVERY)
    tally = engine.play(seed=3, first=0, boards=20)
    assert (tally.boards, tally.wrong, tally.capped) == (20, 0, 0)
    # once more in buffers that are not fresh
    assert engine.play(seed=3, first=0, boards=20) == tally


def test_a_split_run_adds_up_to_the_same() -> None:
    found = reference.check_splits(600)
    assert found.good, found.detail


def test_policies_do_not_disturb_each_other() -> None:
    together = BulkCensus(EXPERT, 99, policies=EVERY).play(seed=8, first=0, boards=400)
    for policy in EVERY:
        alone = BulkCensus(EXPERT, 99, policies=(policy,)).play(seed=8, first=0, boards=400)
        assert alone.wins(policy) == together.wins(policy)
        assert alone.guesses[policy.index] == together.guesses[policy.index]
        assert alone.unforced == together.unforced
    assert sum(together.won) == together.boards and sum(together.bins) == together.survivals == together.guesses[2]


def test_kept_fronts_may_be_forgotten() -> None:
    alone = (Policy.GLOBAL,)  # with no game waiting, whose fronts are never freed
    expected = BulkCensus(EXPERT, 99, policies=alone).play(seed=8, first=0, boards=200)
    engine = BulkCensus(EXPERT, 99, policies=alone)
    engine._work.sizes[:] = 90, 200, 1500  # room for all fronts of a position, not for those of a whole game
    again = engine.play(seed=8, first=0, boards=200)
    assert again == expected and again.states > expected.states
    engine._work.sizes[:] = 25, 60, 200  # not even that: it is counted, and nothing is taken as certain that is not
    again = engine.play(seed=8, first=0, boards=200)
    assert again.capped > 0 and again.wrong == 0 and again.boards == 200
    engine._work.sizes[:] = BulkCensus(EXPERT, 99, policies=alone)._work.sizes
    assert engine.play(seed=8, first=0, boards=200) == expected


def test_expert_games_are_those_of_the_exact_odds() -> None:
    """C again over kernels.BulkOdds, which counts every position from the start: nothing kept, nothing shared."""
    engine, odds, table = BulkCensus(EXPERT, 99, policies=(Policy.GLOBAL,)), BulkOdds(EXPERT), Table(EXPERT)
    start = EXPERT.middle
    near = [list(cells_in(EXPERT.neighbours(Cell(c)))) for c in range(EXPERT.size)]
    for number in range(40):
        table.deal(99, start, FirstClick.OPENING, seed=21, number=number)
        mines = table.mine_set
        clue, cover = np.full(EXPERT.size, -1, np.int8), np.ones(EXPERT.size, np.int8)
        cells, guesses, alive, bins = [int(start)], 0, True, [0] * 50
        while True:
            for cell in cells:
                clue[cell], cover[cell] = sum(mines >> n & 1 for n in near[cell]), 0
            if cover.sum() == 99:
                break
            assert odds.count(clue, cover, 99) is Counted.DONE
            chance = odds.chance
            cells = [c for c in range(EXPERT.size) if cover[c] and chance[c] == 0.0]
            if cells:
                continue
            guesses += 1
            least = min(chance[c] for c in range(EXPERT.size) if cover[c])
            bins[min(int((1 - least) * 50 + 1e-9), 49)] += 1
            equal = [c for c in range(EXPERT.size) if cover[c] and chance[c] <= least + 1e-9]
            cell = reference.first_of(equal, [c for c in equal if any(not cover[n] for n in near[c])])
            if mines >> cell & 1:
                alive = False
                break
            cells = [cell]
        tally = engine.play(seed=21, first=number, boards=1)
        assert (tally.wins(Policy.GLOBAL), tally.guesses[2], list(tally.bins)) == (int(alive), guesses, bins)
        assert tally == engine.replay(mines)


def test_expert_rates_are_the_published_ones() -> None:
    """An independent C program on 1,000,000 boards; their error and ours together, four of them."""
    n = 12_000
    tally = BulkCensus(EXPERT, 99).play(seed=77, first=0, boards=n)
    published = {Policy.RANDOM: (0.3702, 2.058), Policy.LOCAL: (0.4346, 2.258), Policy.GLOBAL: (0.5027, 2.709)}
    for policy, (share, guesses) in published.items():
        assert abs(tally.wins(policy) / n - share) < 4 * (share * (1 - share) / n + 0.0005**2) ** 0.5
        assert abs(tally.guesses[policy.index] / n - guesses) < 4 * 2.8 / n**0.5
    assert abs(tally.unforced / n - 0.1578) < 4 * (0.1578 * 0.8422 / n) ** 0.5
    assert abs(tally.survival / 2**32 / tally.survivals - 0.816) < 0.005
    assert (tally.wrong, tally.capped) == (0, 0)


def test_what_cannot_be_played_is_said() -> None:
    with pytest.raises(WrongUse, match="does not fit on a 3x3 board"):
        BulkCensus(Shape(3, 3), 1)
    with pytest.raises(WrongUse, match="No policy"):
        BulkCensus(EXPERT, 99, policies=())
    engine = BulkCensus(Shape(4, 4), 3)
    with pytest.raises(WrongUse, match="not 3 mines"):
        engine.replay(0b11)
    with pytest.raises(WrongUse, match="out of range"):
        engine.play(seed=-1, first=0, boards=1)


# ---------------------------------------------------------------- runs and records


SMALL = Spec(Shape(5, 8), 7, seed=4)


def test_a_run_is_the_same_in_any_chunks_and_processes() -> None:
    with Jobs(1) as here:
        one = list(run(SMALL, 3000, here, size=3000))
        many = list(run(SMALL, 3000, here, size=170))
    with Jobs(2) as here:
        spread = list(run(SMALL, 3000, here, size=170))
    assert add_up(one) == add_up(many) == add_up(spread)
    assert {c.first: c.tally for c in many} == {c.first: c.tally for c in spread}


def test_a_record_is_read_back_whole() -> None:
    chunks = [play_chunk((SMALL, first, 20)) for first in (40, 0, 20)]
    lines = [f"{line}\n" for line in (header(SMALL), *(c.line() for c in chunks), chunks[0].line(), header(SMALL))]
    spec, got = read_record([*lines, '{"schema": 1, "fir'])
    assert spec is not None and spec.same(SMALL)
    assert [(c.first, c.tally) for c in got] == [(c.first, c.tally) for c in sorted(chunks, key=lambda c: c.first)]
    assert add_up(got).states == add_up(chunks).states


def test_records_that_do_not_belong_together_are_refused() -> None:
    one, other = play_chunk((SMALL, 0, 20)), play_chunk((SMALL, 10, 20))
    head = header(SMALL) + "\n"
    with pytest.raises(WrongUse, match="two different runs"):
        read_record([head, header(Spec(Shape(5, 8), 7, seed=5)) + "\n"])
    with pytest.raises(WrongUse, match="in two chunks"):
        read_record([head, one.line() + "\n", other.line() + "\n"])
    with pytest.raises(WrongUse, match="there twice"):
        read_record([head, one.line() + "\n", Chunk(0, 20, other.tally).line() + "\n"])
    with pytest.raises(WrongUse, match="does not add up"):
        read_record([head, Chunk(0, 30, one.tally).line() + "\n"])
    with pytest.raises(WrongUse, match="no tally"):
        read_record([head, one.line().replace('"won": [', '"won": [1, ') + "\n"])
    with pytest.raises(WrongUse, match="is no JSON"):
        read_record([head, "{\n", one.line() + "\n"])
    with pytest.raises(WrongUse, match="does not say"):
        read_record([one.line() + "\n"])


@given(
    st.lists(st.tuples(st.integers(0, 60), st.integers(1, 15)), max_size=6),
    st.integers(0, 30), st.integers(1, 60), st.integers(1, 25),
)  # fmt: skip
@settings(max_examples=200, deadline=None)
def test_what_is_missing_is_every_board_once(some: list[tuple[int, int]], first: int, boards: int, size: int) -> None:
    done, taken = [], set()
    for begin, count in some:
        if not taken & set(range(begin, begin + count)):
            taken |= set(range(begin, begin + count))
            done.append(Chunk(begin, count, Tally()))
    pieces = list(missing(done, first, boards, size))
    played = [n for begin, count in pieces for n in range(begin, begin + count)]
    assert all(1 <= count <= size for _, count in pieces)
    assert played == [n for n in range(first, first + boards) if n not in taken]


def test_figures_of_a_summary() -> None:
    won = [0] * 16
    won[0], won[4], won[6], won[7] = 50, 20, 10, 20
    tally = Tally(boards=100, unforced=20, survival=3 << 31, survivals=2, guesses=(100, 150, 200, 0),
                  squares=(100, 300, 500, 0), won=tuple(won), bins=(0,) * 25 + (1,) + (0,) * 23 + (1,))  # fmt: skip
    found = summary(Spec(), tally).as_dict()
    assert found["policies"]["A"]["win_rate"] == 0.2 and found["policies"]["C"]["win_rate"] == 0.5
    assert found["policies"]["B"]["guesses"] == 1.5 and found["no_forced_guess"] == 0.2
    assert found["best_survival"]["mean"] == 0.75 and len(found["best_survival"]["bins"]) == 50
    low, high = found["policies"]["C"]["interval"]
    assert (low, high) == pytest.approx((0.4038, 0.5962), abs=1e-3)
    with pytest.raises(WrongUse, match="No board"):
        summary(Spec(), Tally())


# ---------------------------------------------------------------- the command


def census(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, list[str], str]:
    code = run_command(["census", *args])
    out, err = capsys.readouterr()
    return code, out.splitlines(), err


def test_the_last_line_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, lines, _ = census(capsys, "--boards", "500", "--seed", "3", "--json", "--chunk", "200")
    assert code == 0
    objects = [json.loads(line) for line in lines]
    assert all(o["schema"] == 1 for o in objects) and len(objects) == 5
    last = objects[-1]
    assert list(last) == [
        "schema", "boards", "seed", "policies", "no_forced_guess", "best_survival", "contradictions", "capped",
    ]  # fmt: skip
    assert last["boards"] == 500 and last["seed"] == 3 and list(last["policies"]) == ["A", "B", "C"]
    for figures in last["policies"].values():
        assert list(figures) == ["win_rate", "interval", "guesses"]
        assert figures["interval"][0] <= figures["win_rate"] <= figures["interval"][1]
    assert len(last["best_survival"]["bins"]) == 50 and last["contradictions"] == last["capped"] == 0
    # the chunks before it are a record of their own
    spec, chunks = read_record([f"{line}\n" for line in lines])
    assert spec is not None and add_up(chunks).boards == 500


def test_a_stopped_run_goes_on(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    size, record = (
        ("--size", "6x9", "--mines", "10", "--policies", "ABCD", "--chunk", "60"),
        str(tmp_path / "run.jsonl"),
    )
    _, (*_, whole), _ = census(capsys, "--boards", "400", *size, "--json")
    assert census(capsys, "--boards", "150", *size, "-o", record)[0] == 0
    text = Path(record).read_text()
    Path(record).write_text(text[:-40])  # as if the machine had stopped in the middle of a line
    code, _, err = census(capsys, "--boards", "400", "-o", record)
    assert code == 2 and "already" in err
    code, lines, _ = census(capsys, "--boards", "400", "-o", record, "--resume", "--chunk", "60", "--json")
    assert code == 0 and lines == [whole]
    # nothing is left to play: the same again, and by --show
    assert census(capsys, "--boards", "400", "-o", record, "--resume", "--json")[1] == [whole]
    assert census(capsys, "--show", record, "--json")[1] == [whole]
    code, _, err = census(capsys, "-o", record, "--resume", "--seed", "9")
    assert code == 2 and "differs in seed" in err


def test_runs_of_several_machines_are_put_together(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    size = ("--size", "3x14", "--mines", "6")
    _, (*_, whole), _ = census(capsys, "--boards", "300", *size, "--json")
    _, first, _ = census(capsys, "--boards", "200", *size, "--json")
    _, second, _ = census(capsys, "--first", "200", "--boards", "100", *size, "--json")
    both = tmp_path / "both.jsonl"
    both.write_text("\n".join([*second, *first]) + "\n")
    assert census(capsys, "--show", str(both), "--json")[1] == [whole]


def test_the_table_and_the_pictures(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    png, svg = tmp_path / "a.png", tmp_path / "b.svg"
    code, lines, err = census(capsys, "--boards", "300", "--policies", "dcba", "--plot", str(png), "--plot", str(svg))
    assert code == 0 and "300 boards in" in err
    text = "\n".join(lines)
    assert all(f"\n{letter}  " in text for letter in "ABCD") and "B to C" in text and "Contradictions" in text
    assert png.read_bytes().startswith(b"\x89PNG") and "<svg" in svg.read_text()
    assert census(capsys, "--boards", "3", "--plot", str(tmp_path / "c.txt"))[0] == 2
    # without C there is no histogram, and without a forced guess none either
    assert census(capsys, "--boards", "30", "--policies", "A", "--plot", str(png), "--size", "9x9")[0] == 0
    code, lines, _ = census(capsys, "--boards", "5", "--size", "4x3", "--mines", "0", "--json", "--plot", str(png))
    assert code == 0 and json.loads(lines[-1])["best_survival"] == {"mean": None, "bins": [0] * 50}


def test_mistakes_are_said_in_words(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for args, words in (
        (("--resume",), "nothing to go on with"),
        (("--size", "3x3", "--mines", "8"), "do not fit"),
        (("--start", "20,3"), "outside"),
        (("--policies", "ABX"), "letters"),
        (("-o", str(tmp_path / "no" / "run.jsonl")), "no folder"),
        (("--show", str(tmp_path / "none")), "no file"),
    ):
        code, out, err = census(capsys, *args)
        assert (code, out) == (2, []) and words in err and "Traceback" not in err


def test_the_check_passes(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    few = reference.BATTERY[0], reference.BATTERY[10]
    monkeypatch.setattr(reference, "BATTERY", few)
    code, lines, _ = census(capsys, "--check")
    assert code == 0 and len(lines) == len(few) + len(reference.PLANTED) + 1 + len(reference.Fault)
    assert all(line.startswith("good") for line in lines)
    # an engine that gets something wrong is told on, and the exit code says so
    right = BulkCensus.play
    monkeypatch.setattr(BulkCensus, "play", lambda self, **k: right(self, **k) + Tally(survival=1))
    code, lines, err = census(capsys, "--check", "--json")
    assert code == 1 and "failed" in err and not json.loads(lines[0])["good"]


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_loses_nothing(tmp_path: Path) -> None:
    record = tmp_path / "run.jsonl"
    process = subprocess.Popen(
        [sys.executable, "-m", "autosolve", "census", "--boards", "100000000", "--chunk", "500", "-o", str(record)],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ},
    )  # fmt: skip
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and (not record.exists() or record.read_text().count("\n") < 4):
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130 and "--resume" in err and "Traceback" not in err
    spec, chunks = read_record(record.read_text().splitlines(keepends=True))
    assert spec is not None and len(chunks) >= 3
    assert f"{add_up(chunks).boards:,} boards" in out
