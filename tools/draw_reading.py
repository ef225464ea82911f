"""Draws the pictures of docs/how-it-reads.md: ``python tools/draw_reading.py``.

Each is what ``autosolve read --overlay`` makes of a picture of the project's own: a photograph from fixtures/screens,
and a board painted by tests/skins.py with another window over it. Writes into docs/pictures/reading.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import cv2

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from skins import LOOKS, paint  # noqa: E402

OUT = ROOT / "docs" / "pictures" / "reading"
BOARD = [
    "...1.1..F...",
    "1111F3.22...",
    "00012F...F2.",
    "000012211..F",
    "110000001...",
    ".22221112F..",
    "...F.F...32.",
    "...22111.1..",
]


def altered(file: Path) -> None:
    """Writes the photograph of a board in which the picture of one digit is copied over another: a 2 over r2c7."""
    side, left, top = 20, 60, 60  # as in its JSON
    pixels = cv2.imread(str(ROOT / "fixtures/screens/sgt-mines/20-mid.png"))

    def cell(row: int, col: int) -> tuple[slice, slice]:
        y, x = top + (row - 1) * side, left + (col - 1) * side
        return slice(y, y + side), slice(x, x + side)

    pixels[cell(2, 7)] = pixels[cell(2, 9)]
    cv2.imwrite(str(file), pixels)


def read(source: Path, name: str) -> None:
    """Runs the command; a doubtful cell ends it with 5, which is what one picture shows."""
    overlay = str(OUT / f"{name}.png")
    command = [sys.executable, "-m", "autosolve", "read", str(source), "--overlay", overlay]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    print(f"{name}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    if done.returncode not in (0, 5):
        sys.exit(1)
    cv2.imwrite(overlay, cv2.imread(overlay), [cv2.IMWRITE_PNG_COMPRESSION, 9])


def main() -> None:
    """Draws both."""
    OUT.mkdir(parents=True, exist_ok=True)
    read(ROOT / "fixtures/screens/kmines/green-mid.png", "kmines")
    with tempfile.TemporaryDirectory() as folder:
        look = paint(BOARD, LOOKS["night"], 34)
        file = Path(folder) / "board.png"
        cv2.rectangle(look, (270, 190), (440, 290), (240, 240, 240), -1)
        cv2.rectangle(look, (270, 190), (440, 208), (200, 120, 40), -1)
        cv2.putText(look, "3 updates ready", (282, 250), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
        cv2.imwrite(str(file), look)
        read(file, "window")


if __name__ == "__main__":
    main()
