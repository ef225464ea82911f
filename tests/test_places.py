"""Places that cannot be written to: said in words, before the work where that can be, and nothing there is harmed."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from autosolve.cli import say
from autosolve.cli.main import run_command

BOARD = {"rows": 1, "cols": 4, "grid": ["1..."], "totals": {"rows": [1]}, "solution": ["0100"], "tier": "a"}
Ask = Callable[..., tuple[int, str, str]]
FULL = Path("/dev/full")


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "boards").write_text(f"{json.dumps(BOARD)}\n{json.dumps(BOARD)}\n")
    (tmp_path / "folder").mkdir()

    def run(*args: str) -> tuple[int, str, str]:
        code = run_command(args)
        said = capsys.readouterr()
        assert "internal" not in said.err and "Traceback" not in said.err and "Errno" not in said.err
        return code, said.out, said.err

    return run


CENSUS = ("census", "--boards", "3", "--size", "4x4")
MADE = ("--size", "4x4", "--seed", "1")
WRITERS: list[tuple[str, ...]] = [
    ("audit", "boards", "-o"),
    ("grade", "boards", "-o"),
    ("trophies", "boards", "-o"),
    (*CENSUS, "-o"),
    ("generate", "lines", *MADE, "--json", "-o"),
    ("generate", "puzzle", *MADE, "-o"),
    ("generate", "noguess", *MADE, "-o"),
    ("generate", "lines", *MADE, "--print"),
    ("generate", "lines", "--seed", "1", "--rounds", "1", "--set"),
]


@pytest.mark.parametrize("place", ["folder", "no/such/x", ""])
@pytest.mark.parametrize("args", WRITERS, ids=" ".join)
def test_no_file_can_be_written_there(args: Sequence[str], place: str, ask: Ask) -> None:
    code, out, err = ask(*args, place)
    assert code == 2 and not out.startswith("#") and ("cannot be written" in err or "no folder" in err)


@pytest.mark.skipif(not FULL.exists(), reason="no device that is always full")
@pytest.mark.parametrize("args", WRITERS[:-1], ids=" ".join)
def test_a_full_disk_is_said(args: Sequence[str], ask: Ask) -> None:
    code, _, err = ask(*args, str(FULL))
    assert code == 2 and "No space left" in err
    assert stat.S_ISCHR(FULL.stat().st_mode)


def test_a_device_is_written_to_and_stays_one(tmp_path: Path) -> None:
    """Whoever may replace files in /dev must not do so."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    end = os.open(pipe, os.O_RDWR)
    try:
        say.put_file(pipe, "whole\n")
        assert os.read(end, 99) == b"whole\n" and stat.S_ISFIFO(pipe.stat().st_mode)
    finally:
        os.close(end)
    assert [one.name for one in tmp_path.iterdir()] == ["pipe"]


@pytest.mark.parametrize("place", ["folder", "no/such.png", "", "name.txt", "."])
@pytest.mark.parametrize("args", [("grade", "boards", "--boxplot"), (*CENSUS, "--plot")], ids=" ".join)
def test_a_picture_that_cannot_be_is_said_before_the_work(args: Sequence[str], place: str, ask: Ask) -> None:
    code, out, err = ask(*args, place)
    assert code == 2 and not out and ("neither PNG nor SVG" in err or "no folder" in err)


@pytest.mark.parametrize("args", [("grade", "boards", "--boxplot"), (*CENSUS, "--plot")], ids=" ".join)
def test_a_picture_that_fails_loses_no_result(args: Sequence[str], ask: Ask) -> None:
    Path("taken.png").mkdir()
    for more, begins in ((), ("Boards", "4x4")), (("--json",), '{"schema": 1'):
        code, out, err = ask(*args, "taken.png", *more)
        assert code == 2 and out.startswith(begins) and "cannot be written to 'taken.png'" in err


def test_more_memory_than_any_number_is_refused(ask: Ask) -> None:
    assert ask("trophies", "boards", "--memory", "1e300")[0] == 2
