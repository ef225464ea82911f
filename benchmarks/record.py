"""How much a record costs a run: ``python benchmarks/record.py [REPEATS]``.

An Expert board on a painted site, two looks, 99 clicks, with a recorder and without. The median of so many runs, in
processor time of this process; the record is read back and held against the run.
"""

from __future__ import annotations

import platform
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

from autosolve.board.shape import Shape, cell_set
from autosolve.bot import Lap, Outcome, Result, play
from autosolve.desktop.fake import FakeSite
from autosolve.record import files
from autosolve.record.recorder import Recorder
from autosolve.record.report import page
from autosolve.vision import profile
from autosolve.vision.frame import Point

SEED, SHAPE, MINES = 3, Shape(16, 30), 99


def deal() -> list[str]:
    """A board that shows all its clues; every mine touches one."""
    dice = random.Random(SEED)
    while True:
        mined = cell_set(dice.sample(range(SHAPE.size), MINES))
        if all(SHAPE.neighbours(c) & ~mined for c in range(SHAPE.size) if mined >> c & 1):
            break
    chars = ["." if mined >> c & 1 else str((SHAPE.neighbours(c) & mined).bit_count()) for c in range(SHAPE.size)]
    return ["".join(chars[i : i + SHAPE.cols]) for i in range(0, SHAPE.size, SHAPE.cols)]


def run(folder: Path | None) -> float:
    """Processor seconds of one run."""
    site = FakeSite(profile.load("puzzle-minesweeper"), deal(), variant="dejavu", at=Point(340, 160), pitch=26.0)
    laps: list[Lap] = []
    ends: list[Outcome] = []
    began = time.process_time()
    with Recorder(folder, clock=site.clock) as recorder:
        play(
            site.profile,
            recorder.screen(site),
            recorder.mouse(site),
            on_lap=recorder.laps(laps.append),
            on_end=recorder.ends(ends.append),
            clock=site.clock,
            sleep=site.sleep,
        )
    took = time.process_time() - began
    assert ends[0].result is Result.SOLVED and ends[0].verified and ends[0].clicks == MINES
    if folder is not None:
        kept = files.load(folder)
        assert len(kept.clicks) == MINES and len(kept.looks) == len(laps) and kept.run["verified"]
    return took


def main() -> None:
    """Prints the medians."""
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    print(f"{platform.machine()}, Python {platform.python_version()}; {SHAPE}, {MINES} mines, seed {SEED}")
    run(None)
    with tempfile.TemporaryDirectory() as home:
        plain, kept = [], []
        for number in range(repeats):
            plain.append(run(None))
            place = Path(home) / str(number)
            place.mkdir()
            kept.append(run(place))
        size = sum(file.stat().st_size for file in place.iterdir())
        began = time.process_time()
        text = page(files.load(place))
        drawn = time.process_time() - began
    without, with_record = statistics.median(plain), statistics.median(kept)
    print(f"without a record {1000 * without:.0f} ms, with one {1000 * with_record:.0f} ms; it has {size / 1e6:.2f} MB")
    print(f"its page takes {1000 * drawn:.0f} ms and has {len(text) / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
