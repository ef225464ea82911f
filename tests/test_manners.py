"""What the command line does when its input or output fails under it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BOARD = Path(__file__).resolve().parent.parent / "fixtures" / "boards" / "unique-10x10.txt"


def shell(script: str) -> subprocess.CompletedProcess[str]:
    command = script.replace("autosolve", f"'{sys.executable}' -m autosolve")
    return subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize(
    ("script", "code"),
    [
        ("autosolve solve - <&-", 2),
        (f"autosolve solve {BOARD} > /dev/full", 2),
        (f"autosolve solve --json {BOARD} > /dev/full", 2),
        (f"autosolve solve --explain {BOARD} | head -1; exit ${{PIPESTATUS[0]}}", 0),
        ("printf '1.\\n..\\n\\n1.\\n..\\n' | autosolve solve -", 2),
        ("printf '10\\n..\\n' | autosolve hint -", 6),
        ("autosolve no-such-command", 2),
        ("autosolve solve --no-such-option", 2),
        ("autosolve --version", 0),
    ],
)
def test_a_failing_pipe_ends_in_a_sentence(script: str, code: int) -> None:
    done = shell(script)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    assert "internal error" not in done.stderr


def test_an_output_never_replaces_its_input(tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    board.write_bytes(BOARD.read_bytes())
    picture = tmp_path / "shot.png"
    picture.write_bytes((BOARD.parent.parent / "screens" / "local-player" / "100-notosans.png").read_bytes())
    for given, script in (
        (board, f"autosolve play --no-open -o {board} {board}"),
        (picture, f"autosolve read --overlay {picture} {picture}"),
        (picture, f"autosolve run --image {picture} --overlay {picture}"),
    ):
        before = given.read_bytes()
        assert shell(script).returncode == 2, script
        assert given.read_bytes() == before
