"""That compiling is told where code is compiled, and not where it was kept."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from autosolve.cli.main import run_command
from autosolve.kernels import code

pytest.importorskip("numba")

KERNEL = """
from numba import njit

@njit(cache=True)
def twice(n):
    return n + n
"""


@pytest.fixture
def told() -> Iterator[list[str]]:
    """What was told of compiling."""
    out: list[str] = []
    code._listen()
    code.on_compiling(lambda: out.append("compiling"))
    yield out
    code.on_compiling(None)


def _loaded(file: Path) -> Any:
    """A module anew, as another process would load it."""
    spec = importlib.util.spec_from_file_location("kept", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_only_what_is_compiled_for_real_is_told(tmp_path: Path, told: list[str]) -> None:
    file = tmp_path / "kept.py"
    file.write_text(KERNEL)
    assert _loaded(file).twice(2) == 4 and told == ["compiling"]
    again: list[str] = []
    code.on_compiling(lambda: again.append("compiling"))
    kept = _loaded(file)
    assert kept.twice(2) == 4 and again == []
    assert kept.twice(0.5) == 1 and kept.twice(1j) == 2j and again == ["compiling"]


@pytest.mark.parametrize(
    "args",
    [
        ("census", "--size", "4x4", "--boards", "5"),
        ("first-click", "--size", "4x4", "--boards", "5"),
        ("trophies", "board"),
        ("generate", "puzzle", "--size", "3x4", "--seed", "1"),
        ("generate", "noguess", "--size", "5x5", "--seed", "1"),
        ("generate", "noguess", "--size", "5x5", "--seed", "1", "--method", "redeal"),
    ],
    ids=" ".join,
)
def test_every_command_that_may_compile_tells(
    args: Sequence[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    board = {"rows": 1, "cols": 4, "grid": ["1..."], "totals": {"rows": [1]}, "solution": ["0100"]}
    Path("board").write_text(json.dumps(board))
    heard: list[Any] = []
    monkeypatch.setattr(code, "on_compiling", heard.append)
    assert run_command(args) == 0
    capsys.readouterr()
    assert len(heard) == 1
    heard[0]()
    assert "Compiling" in capsys.readouterr().err
