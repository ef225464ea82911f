"""With --json there is an answer whatever comes of a command: its result, or an object that says what was wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from autosolve.cli import measure
from autosolve.cli.main import run_command

EASY = {"rows": 1, "cols": 4, "grid": ["1..."], "totals": {"rows": [1]}, "solution": ["0100"]}
Ask = Callable[..., tuple[int, list[dict[str, Any]], str]]


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Runs a command in an empty folder: exit code, the objects it printed, standard error."""
    monkeypatch.chdir(tmp_path)
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    def run(*args: str) -> tuple[int, list[dict[str, Any]], str]:
        code = run_command(args)
        said = capsys.readouterr()
        objects = [json.loads(line) for line in said.out.splitlines()]
        assert all(one["schema"] == 1 for one in objects)
        return code, objects, said.err

    return run


READERS = ("solve", "hint", "odds", "grade", "audit", "judge", "rating", "trophies")


@pytest.mark.parametrize("command", READERS)
@pytest.mark.parametrize("text", [None, "", "what", '{"rows": 1}', b"\x89PNG\x00\xff"], ids=str)
def test_a_file_that_is_none_is_an_object(command: str, text: str | bytes | None, ask: Ask, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / "file").write_bytes(text.encode() if isinstance(text, str) else text)
    code, objects, err = ask(command, "file", "--json")
    assert code == 2 and len(objects) == 1 and err.startswith("autosolve: ")
    assert objects[0]["status"] == "error" and objects[0]["exit_code"] == 2
    assert objects[0]["error"] in err and objects[0]["remedy"] in err


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("census", "--resume"), 2),
        (("census", "--show", "none"), 2),
        (("census", "--size", "2x2", "--mines", "4"), 2),
        (("census", "--boards", "many"), 2),
        (("census", "--no-such-option"), 2),
        (("first-click", "--size", "2x2", "--mines", "5"), 2),
        (("first-click", "--size", "big"), 2),
        (("generate", "puzzle", "--resume", "none"), 2),
        (("generate", "lines", "--mines", "30-40", "--seed", "1", "--size", "3x3"), 2),
        (("generate", "noguess", "--mines", "99", "--size", "3x3", "--seed", "1"), 2),
        (("generate", "noguess", "-o", "no/such/folder", "--seed", "1"), 2),
        (("read", "none.png"), 2),
        (("run",), 3),
        (("report", "none"), 2),
        (("audit", "file", "--jobs", "0"), 2),
        (("grade", "file", "--weights", "x"), 2),
        (("audit",), 2),
        (("audit", "file", "--layers", " , "), 2),
    ],
    ids=str,
)
def test_every_error_is_an_object(args: Sequence[str], code: int, ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "file").write_text(json.dumps(EASY))
    found, objects, _ = ask(*args, "--json")
    assert found == code and len(objects) == 1
    assert objects[0]["status"] == "error" and objects[0]["exit_code"] == code and objects[0]["error"]
    found, objects, err = ask(*args)
    assert found == code and not objects and err


def test_no_error_follows_an_answer(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "two").write_text("rows: 1 1\ncolumns: 1 1\n..\n..")
    for command in ("solve", "grade"):
        code, objects, _ = ask(command, "two", "--json")
        assert code == 7 and len(objects) == 1 and "error" not in objects[0]


def test_an_error_ends_what_was_answered_so_far(ask: Ask, tmp_path: Path) -> None:
    play = {**EASY, "moves": [["mine", [0, 1]]]}
    (tmp_path / "plays").write_text(f"{json.dumps(play)}\n{json.dumps({**play, 'moves': [['mine']]})}")
    code, objects, _ = ask("judge", "plays", "--json")
    assert code == 2 and [one.get("clean") for one in objects] == [True, None]
    assert objects[1]["status"] == "error" and objects[1]["line"] == 2


@pytest.mark.parametrize(
    ("fault", "status", "code"), [(KeyboardInterrupt(), "stopped", 130), (ValueError("a bug"), "error", 1)], ids=str
)
def test_also_a_stop_and_a_fault_of_ours_are_objects(
    fault: BaseException, status: str, code: int, ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> object:
        raise fault

    (tmp_path / "file").write_text(json.dumps(EASY))
    monkeypatch.setattr(measure, "_replay", broken)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    found, objects, _ = ask("audit", "file", "--json")
    assert found == code and objects[-1]["status"] == status and objects[-1]["exit_code"] == code


def test_json_asked_for_by_a_setting_or_a_format_counts(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    code, objects, _ = ask("generate", "lines", "--format", "json", "--set", "a", "--count", "2", "--seed", "1")
    assert code == 2 and objects[0]["status"] == "error"
    monkeypatch.setenv("AUTOSOLVE_AUDIT_JSON", "yes")
    code, objects, _ = ask("audit", "none")
    assert code == 2 and objects[0]["status"] == "error"
