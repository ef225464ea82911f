"""What a hostile person does to the commands that make and measure boards."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from autosolve.analysis import firstclick
from autosolve.analysis.jobs import Jobs
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
