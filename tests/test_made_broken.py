"""What a hostile person does to the commands that make and measure boards."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from autosolve.analysis import firstclick
from autosolve.analysis.jobs import Jobs
from autosolve.board.puzzle import Variant
from autosolve.board.shape import Cell, Shape
from autosolve.cli.main import run_command
from autosolve.errors import WrongUse
from autosolve.kernels.game import FirstClick, Table

PLAY = {"rows": 1, "cols": 3, "grid": [".10"], "solution": ["100"], "moves": [["mine", [0, 0]]]}


def lines(text: str) -> list[dict[str, object]]:
    """The objects of JSON lines, each with its schema."""
    out = [json.loads(line) for line in text.splitlines()]
    assert all(one["schema"] == 1 for one in out)
    return out


def stopped(args: Sequence[str], ready: Path | None, seconds: float = 2.0) -> tuple[int, str, str]:
    """A command that Ctrl-C stops: once a file is there, or after some seconds."""
    process = subprocess.Popen(
        [sys.executable, "-m", "autosolve", *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True, env=os.environ | {"NO_COLOR": "1"},
    )  # fmt: skip
    try:
        end = time.monotonic() + 60
        while ready is not None and not ready.exists() and process.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
        time.sleep(seconds)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=30)
    finally:
        process.kill()
    assert "Traceback" not in err
    return process.returncode, out, err


# ---------------------------------------------------------------- wrong types


@pytest.mark.parametrize("grade", [None, {}, {"depth": "x"}, {"depth": True}])
def test_a_judge_measures_the_depth_where_no_number_is_stored(
    grade: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "plays.jsonl"
    file.write_text(json.dumps({**PLAY, "grade": grade}) + "\n")
    assert run_command(["judge", "--json", str(file)]) == 0
    answer = capsys.readouterr().out
    assert lines(answer)[0]["depth"] == 1
    file.write_text(answer)
    assert run_command(["rating", "--json", str(file)]) == 0


@pytest.mark.parametrize("move", [["mine", [False, True]], ["mine", [0, 0.0]], ["mine", [0, -1]], ["mine"], [], "mine"])
def test_a_move_is_two_whole_numbers(move: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "plays.jsonl"
    file.write_text(json.dumps({**PLAY, "moves": [move]}) + "\n")
    assert run_command(["judge", "--json", str(file)]) == 2
    assert "list of moves" in capsys.readouterr().err


@pytest.mark.parametrize(
    "args",
    [
        ("rating", "--slope", "1e308"),
        ("rating", "--slope", "nan"),
        ("rating", "--slope", "inf"),
        ("trophies", "--memory", "nan"),
        ("trophies", "--memory", "inf"),
    ],
)
def test_numbers_that_are_none_are_refused(
    args: Sequence[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "attempts.jsonl"
    file.write_text('{"depth": 7, "clean": true}\n' * 30)
    assert run_command([*args, str(file)]) == 2
    assert "internal" not in capsys.readouterr().err


@pytest.mark.parametrize("address", ["nonsense", "tcp://host", "", "10.0.0.5:", "tcp://a b:1"])
def test_what_is_no_address_is_said_before_anybody_waits(address: str) -> None:
    pytest.importorskip("distributed")
    with pytest.raises(WrongUse, match="no address"), Jobs(cluster=address):
        pass


# ---------------------------------------------------------------- Ctrl-C


@pytest.mark.parametrize("shape", [Shape(9, 9), Shape(3, 11), Shape(1, 30)], ids=str)
def test_a_sample_is_the_same_in_pieces(shape: Shape, monkeypatch: pytest.MonkeyPatch) -> None:
    mines = shape.size // 6
    whole = Table(shape).check_many(mines, Cell(0), FirstClick.SAFE, 2, seed=5, first=0, boards=1000)
    monkeypatch.setattr(firstclick, "PIECE", 70 * shape.size)
    seen = firstclick.sample(shape, mines, Cell(0), FirstClick.SAFE, boards=1000, seed=5, level=2)
    assert seen.cleared is not None
    assert (seen.safe.count, seen.opening.count, seen.cleared.count) == (whole.safe, whole.opening, whole.cleared)


def test_ctrl_c_stops_a_sample_of_a_first_click() -> None:
    code, _, err = stopped(["first-click", "--boards", "1000000000"], None, 3)
    assert code == 130 and "Stopped" in err


# ---------------------------------------------------------------- files that were there before


@pytest.mark.parametrize("option", ["-o", "--print"])
def test_a_file_stays_where_no_board_comes_of_it(option: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.pdf"
    file.write_text("kept")
    wish = ["generate", "puzzle", "--size", "2x3", "--difficulty", "extreme", "--exact", "--tries", "2", "--seed", "1"]
    assert run_command([*wish, option, str(file)]) == 2
    assert file.read_text() == "kept"


@pytest.mark.parametrize("option", ["-o", "--print"])
def test_what_cannot_be_written_is_said_before_the_work(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["generate", "lines", "--seed", "1", option, str(tmp_path)]) == 2
    said = capsys.readouterr()
    assert not said.out and "cannot be written" in said.err


def test_no_file_is_given_for_two_things(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "saved.json"
    evolve = ["generate", "puzzle", "--size", "4x5", "--seed", "3", "--json"]
    assert run_command([*evolve, "--evolve", "--children", "3", "--save", str(saved)]) == 0
    kept = saved.read_text()
    for args in (
        ["--resume", str(saved), "-o", str(saved)],
        ["--resume", str(saved), "--print", str(tmp_path / "." / "saved.json")],
        ["--evolve", "--save", str(saved), "-o", str(saved)],
        ["--evolve", "-o", str(saved), "--print", str(saved)],
    ):
        assert run_command(["generate", "puzzle", "--size", "4x5", "--seed", "3", *args]) == 2
        assert saved.read_text() == kept
    assert "two things" in capsys.readouterr().err


def test_an_evolution_begun_again_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def evolved(children: int, *more: str, seed: str = "3", code: int = 0) -> str:
        wish = [
            "generate",
            "puzzle",
            "--evolve",
            "--size",
            "5x8",
            "--seed",
            seed,
            "--children",
            str(children),
            "--json",
        ]
        assert run_command([*wish, *more]) == code
        return capsys.readouterr().out

    saved, other = tmp_path / "a.json", tmp_path / "b.json"
    whole = evolved(40, "--save", str(other))
    evolved(15, "--save", str(saved))
    assert evolved(40, "--save", str(saved)) == whole
    assert saved.read_text() == other.read_text()
    # a shorter one leaves the longer one alone, and is what it always is
    short = evolved(15, "--save", str(saved))
    assert lines(short)[0]["evolved"]["children"] == 15  # type: ignore[index]
    assert saved.read_text() == other.read_text()
    # another evolution, and something else, are not written over
    evolved(15, "--save", str(saved), seed="4", code=2)
    assert saved.read_text() == other.read_text()
    saved.write_text("a letter")
    evolved(15, "--save", str(saved), code=2)
    assert saved.read_text() == "a letter"


def test_a_set_that_was_stopped_leaves_a_whole_one_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from autosolve.generate import lines as boards

    file = tmp_path / "set.json"
    assert run_command(["generate", "lines", "--set", str(file), "--rounds", "10", "--seed", "1"]) == 0
    kept, make_set = file.read_text(), boards.make_set

    def short(*args: object) -> object:
        for number, one in enumerate(make_set(*args)):  # type: ignore[arg-type]
            if number == 4:
                raise KeyboardInterrupt
            yield one

    monkeypatch.setattr(boards, "make_set", short)
    assert run_command(["generate", "lines", "--set", str(file), "--rounds", "10", "--seed", "2"]) == 130
    assert file.read_text() == kept
    partial = json.loads((tmp_path / "set.partial.json").read_text())
    assert len(partial["rounds"]) == 4 and not partial["complete"]


# ---------------------------------------------------------------- files that are broken in odd ways


@pytest.mark.parametrize(
    "args",
    [
        ("audit", "deep"), ("grade", "deep"), ("judge", "deep"), ("trophies", "deep"), ("rating", "deep"),
        ("census", "--show", "deep"), ("census", "--resume", "-o", "deep"),
        ("audit", "board", "--resume", "-o", "deep"), ("generate", "puzzle", "--resume", "deep"),
    ],
    ids=" ".join,
)  # fmt: skip
@pytest.mark.parametrize("content", ["[" * 100_000 + "\n", '{"rounds": ' + "[" * 100_000 + "\n"], ids=["list", "set"])
def test_brackets_nested_too_deep_are_no_json(
    args: Sequence[str],
    content: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("deep").write_text(content)
    Path("board").write_text(json.dumps(PLAY))
    code, said = run_command(args), capsys.readouterr().err
    if args[:2] == ("census", "--show"):
        assert code == 2 and "holds no census" in said  # taken for a line that was cut off
    assert code == 2 and "internal" not in said
    assert Path("deep").read_text() == content


def test_an_audit_has_words_where_no_cell_can_be_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "boards.jsonl"
    file.write_text('{"grid": ["1"]}\n' + json.dumps({"rows": 1, "cols": 2, "grid": ["00"], "hash": "0" * 64}) + "\n")
    assert run_command(["audit", str(file)]) == 2
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "line 1: clash: the clues contradict each other"
    assert out[1] == "line 2: wrong: what is stored belongs to another board"


def test_attempts_that_cannot_be_are_named_by_their_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "attempts.jsonl"
    for depth in ("-1", "1e400", "NaN", "1000000000000"):
        file.write_text('{"depth": 3, "clean": true}\n{"depth": ' + depth + ', "clean": true}\n')
        assert run_command(["rating", str(file)]) == 2
        assert "Line 2: a depth of" in capsys.readouterr().err
    file.write_text('{"depth": 3, "clean": true, "player": null}\n' * 2)
    assert run_command(["rating", "--json", str(file)]) == 0
    assert "player" not in capsys.readouterr().out


# ---------------------------------------------------------------- processes and clusters


MADE = [
    ("puzzle", "--size", "3x8", "--count", "3"),
    ("puzzle", "--size", "4x6", "--count", "2", "--evolve", "--children", "120"),
    ("lines", "--size", "4x7", "--count", "3"),
    ("noguess", "--size", "9x5", "--count", "3"),
]


@pytest.mark.parametrize("kind", MADE, ids=lambda kind: kind[0] + str(len(kind)))
def test_two_processes_make_what_one_makes(
    kind: Sequence[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = []
    for jobs in ("1", "2"):
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / jobs))
        assert run_command(["generate", *kind, "--seed", "8", "--json", "--jobs", jobs]) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1] and len(lines(said[0])) == int(kind[kind.index("--count") + 1])


def test_threads_of_one_worker_do_not_share_what_they_work_with() -> None:
    from autosolve.cli.generate_puzzle import _one
    from autosolve.generate.noguess import Order, Wish, made
    from autosolve.generate.unique import Difficulty, Recipe

    recipe, wish = Recipe(Shape(9, 14), Difficulty.HARD), Wish(Shape(9, 14), 24, Cell(60))

    def both(seed: int) -> tuple[object, object]:
        return _one(recipe, Variant.MINESWEEPER, None, None, seed).to_json(), made(Order(wish, seed))[0]

    seeds = range(24)
    alone = [both(seed) for seed in seeds]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(4) as threads:
            assert list(threads.map(both, seeds)) == alone
    finally:
        sys.setswitchinterval(interval)


# ---------------------------------------------------------------- large boards, broken files, one record for two


@pytest.mark.parametrize(
    "shape", [Shape(*s) for s in ((1, 1), (1, 7), (6, 1), (2, 5), (3, 2), (4, 7), (7, 5))], ids=str
)
@pytest.mark.parametrize("rule", list(FirstClick), ids=lambda rule: rule.name)
def test_a_range_of_first_clicks_is_that_over_all_cells(shape: Shape, rule: FirstClick) -> None:
    for mines in range(shape.size + 1):
        cells = [Cell(c) for c in range(shape.size) if mines <= rule.room(shape, Cell(c))]
        if not cells:
            with pytest.raises(WrongUse):
                firstclick.opening_range(shape, mines, rule)
            continue
        chances = [firstclick.opening_chance(shape, mines, cell, rule) for cell in cells]
        assert firstclick.opening_range(shape, mines, rule) == (min(chances), max(chances))


@pytest.mark.parametrize("value", ["x", -1, float("inf")])
def test_a_saved_evolution_that_is_broken_is_refused(
    value: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "saved.json"
    wish = ["generate", "puzzle", "--evolve", "--size", "3x4", "--seed", "3", "--children", "2", "--save", str(file)]
    assert run_command(wish) == 0
    data = json.loads(file.read_text())
    for key in data:
        file.write_text(json.dumps({**data, key: value}))
        code = run_command(["generate", "puzzle", "--resume", str(file), "--children", "3", "--json"])
        assert code in (0, 2), key
    assert "internal" not in capsys.readouterr().err


def test_two_censuses_do_not_write_one_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fcntl = pytest.importorskip("fcntl")
    record = tmp_path / "run.jsonl"
    wish = ["census", "--size", "5x6", "--boards", "40", "--policies", "C", "-o", str(record)]
    assert run_command(wish) == 0
    kept = record.read_text()
    with record.open("r+") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        assert run_command([*wish, "--resume"]) == 2
        assert "Another process" in capsys.readouterr().err
        assert record.read_text() == kept
    assert run_command([*wish, "--resume"]) == 0


def test_no_more_processes_than_the_machine_can_bear(capsys: pytest.CaptureFixture[str]) -> None:
    from autosolve.analysis.jobs import processors
    from autosolve.cli.measuring import working

    most = 2 * processors()
    for jobs in (1, most, most + 1, 256):
        with working(jobs, None) as workers:
            assert workers.jobs == min(jobs, most)
        assert ("too many" in capsys.readouterr().err) == (jobs > most)
