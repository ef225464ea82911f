"""What is installed: the wheel holds all the program needs and nothing else, and works far from the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "fixtures" / "screens" / "puzzle-minesweeper" / "size-5x9.png"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel's files, unpacked as an installer would."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)], cwd=ROOT, check=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def run(installed: Path, *args: str) -> subprocess.CompletedProcess[str]:
    env = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(installed)!r})\nimport autosolve.__main__ as m\n"
         f"assert m.__file__.startswith({str(installed)!r}), m.__file__\nm.main()", *args],
        cwd=installed.parent, env=env, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


def test_the_wheel_holds_what_is_needed_and_no_more(installed: Path) -> None:
    package = installed / "autosolve"
    for tracked in (ROOT / "templates").rglob("*"):
        if tracked.is_file():
            inside = package / "templates" / tracked.relative_to(ROOT / "templates")
            assert inside.read_bytes() == tracked.read_bytes()
    for tracked in (ROOT / "autosolve" / "player" / "web").iterdir():
        assert (package / "player" / "web" / tracked.name).is_file()
    assert {p.name for p in installed.iterdir() if not p.name.endswith(".dist-info")} == {"autosolve"}
    (entry,) = installed.glob("*.dist-info/entry_points.txt")
    assert "autosolve = autosolve.__main__:main" in entry.read_text()


def test_it_reads_and_solves_a_picture_from_there(installed: Path) -> None:
    done = run(installed, "read", str(PICTURE))
    assert (done.returncode, done.stdout) == (0, PICTURE.with_suffix(".txt").read_text()), done.stderr


def test_it_writes_the_player_from_there(installed: Path, tmp_path: Path) -> None:
    done = run(installed, "play", "--no-open", "--output", str(tmp_path / "page.html"))
    assert done.returncode == 0, done.stderr
    assert "</html>" in (tmp_path / "page.html").read_text(encoding="utf-8")
