"""Long runs over a file of boards: what Ctrl-C leaves, and how they are gone on with."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from autosolve.cli import grade, measure
from autosolve.cli.main import run_command

BOARD = {"rows": 1, "cols": 4, "grid": ["1..."], "totals": {"rows": [1]}, "solution": ["0100"]}
STUCK = {"rows": 2, "cols": 2, "grid": ["..", ".."], "totals": {"rows": [1, 1], "columns": [1, 1]}}
BOARDS = [
    {**BOARD, "tier": "a"},
    {**BOARD, "tier": "a", "grid": ["....1"], "cols": 5, "totals": {"rows": [1]}, "solution": ["00010"]},
    {**STUCK, "tier": "b", "solution": ["10", "01"]},
    {**BOARD, "tier": "b", "grid": [".2."], "cols": 3, "totals": {}, "solution": ["101"]},
    {**BOARD, "tier": "b"},
]
Ask = Callable[..., tuple[int, str, str]]
# command, what it does with a board
RUNS = {
    "audit": (measure, "_replay"),
    "grade": (grade, "_grade"),
    "trophies": (measure, "_measure"),
}


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Runs a command in a folder with a file of boards: exit code, standard output, standard error."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "boards").write_text("\n".join(map(json.dumps, BOARDS)))

    def run(*args: str) -> tuple[int, str, str]:
        code = run_command(args)
        said = capsys.readouterr()
        assert "Traceback" not in said.err and "internal" not in said.err
        return code, said.out, said.err

    return run


def stop_at(monkeypatch: pytest.MonkeyPatch, command: str, board: int | None) -> list[object]:
    """Lets Ctrl-C come in the midst of a board, counted from 0; returns what is then worked at."""
    module, name = RUNS[command]
    work, done = getattr(module, name), list[object]()

    def stopping(*args: Any) -> Any:
        done.append(args)
        if board is not None and len(done) > board:
            raise KeyboardInterrupt
        return work(*args)

    monkeypatch.setattr(module, name, stopping)
    return done


@pytest.mark.parametrize("json_too", [(), ("--json",)], ids=["text", "json"])
@pytest.mark.parametrize("command", RUNS)
def test_a_run_that_was_stopped_goes_on_where_it_was(
    command: str, json_too: Sequence[str], ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    if command == "trophies":  # has no answer for a board with two solutions
        Path("boards").write_text("\n".join(json.dumps(board) for board in BOARDS if board["rows"] == 1) + "\n")
    number = len(Path("boards").read_text().splitlines())
    whole = ask(command, "boards", *json_too)
    with monkeypatch.context() as patch:
        done = stop_at(patch, command, 2)
        code, out, err = ask(command, "boards", *json_too, "-o", "run.jsonl")
        assert code == 130 and len(done) == 3
        assert f"Stopped after 2 of {number} boards" in err and "--resume --output run.jsonl" in err
        assert out and len(Path("run.jsonl").read_text().splitlines()) == 3
    with monkeypatch.context() as patch:
        done = stop_at(patch, command, None)
        assert ask(command, "boards", *json_too, "-o", "run.jsonl", "--resume") == whole
        assert len(done) == number - 2
        assert ask(command, "boards", *json_too, "-o", "run.jsonl", "--resume") == whole
        assert len(done) == number - 2
    lines = [json.loads(line) for line in Path("run.jsonl").read_text().splitlines()]
    assert [line.get("line") for line in lines] == [None, *range(1, number + 1)]


def test_what_was_measured_is_told_when_it_is_stopped(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        stop_at(patch, "audit", 3)
        code, out, err = ask("audit", "boards")
        assert code == 130 and out.endswith("3 measured, 1 unsolved\n") and "line 3 (b): stuck" in out
        assert "Keep a run with --output" in err
    with monkeypatch.context() as patch:
        stop_at(patch, "audit", 3)
        *_, last = map(json.loads, ask("audit", "boards", "--json")[1].splitlines())
        assert (last["boards"], last["unsolved"], last["stopped"]) == (3, 1, True)
    with monkeypatch.context() as patch:
        stop_at(patch, "grade", 4)
        code, out, _ = ask("grade", "boards", "--fit-weights", "--tiers", "a,b")
        assert code == 130 and "a" in out and "median" in out
    stop_at(monkeypatch, "grade", 0)
    code, out, _ = ask("grade", "boards", "--json")
    assert code == 130 and json.loads(out)["status"] == "stopped"


def test_a_line_cut_off_as_it_was_written_is_done_again(ask: Ask) -> None:
    whole = ask("audit", "boards", "--json", "-o", "run.jsonl")
    kept = Path("run.jsonl").read_text()
    Path("run.jsonl").write_text(kept[:-9])
    assert ask("audit", "boards", "--json", "-o", "run.jsonl", "--resume") == whole
    assert Path("run.jsonl").read_text() == kept


def test_another_run_is_not_gone_on_with(ask: Ask) -> None:
    assert ask("audit", "boards", "-o", "run.jsonl")[0] == 1
    kept = Path("run.jsonl").read_text()
    more = ("-o", "run.jsonl", "--resume")
    for args, words in (
        (("audit", "boards", "-o", "run.jsonl"), "Go on with it by --resume"),
        (("audit", "boards", "--resume"), "Name the file"),
        (("audit", "boards", "--layers", "one", *more), "differs in layers"),
        (("audit", "boards", "--crosses", *more), "differs in crosses"),
        (("grade", "boards", *more), "no run of 'grade'"),
        (("trophies", "boards", *more), "no run of 'trophies'"),
        (("census", "--boards", "5", *more), "holds no census"),
    ):
        code, out, err = ask(*args)
        assert code == 2 and not out and words in err
    Path("boards").write_text(json.dumps(BOARD))
    code, _, err = ask("audit", "boards", *more)
    assert code == 2 and "differs in boards" in err
    assert Path("run.jsonl").read_text() == kept


@pytest.mark.parametrize("command", [("audit", "boards"), ("grade", "boards"), ("census", "--boards", "5")], ids=str)
@pytest.mark.parametrize(
    "content", [b"a letter", b"a letter\n", b"[1]\n", b"{}\n", b'{"line": 1}\n', b"\xff\xfe\x00\n", None], ids=str
)
def test_a_file_of_something_else_stays_as_it_is(command: Sequence[str], content: bytes | None, ask: Ask) -> None:
    place = Path("other")
    if content is None:
        place.mkdir()
    else:
        place.write_bytes(content)
    code, out, err = ask(*command, "-o", "other", "--resume")
    assert code == 2 and not out and err
    assert content is None or place.read_bytes() == content
    assert ask(*command, "-o", "no/such/folder")[0] == 2


def test_a_device_takes_a_record(ask: Ask) -> None:
    assert ask("audit", "boards", "-o", "/dev/null")[0] == 1
