"""Owns how fast the main job is: each figure with its limit, every answer asserted, the machine on top.

    python benchmarks/main_job.py [--json] [--repeat N] [--without-screen]

Nothing is random: the boards are fixtures, made from a fixed seed. A time is the median of its repeats, with the
fastest beside it; the limits are for two cores. Exit code 1 when an answer is wrong or a limit is passed.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

SITE = "puzzle-minesweeper"
SCREENS = ROOT / "fixtures" / "screens" / SITE
BOARDS = ROOT / "fixtures" / "boards"
SEED = "the size of the board, see tools/make_boards.py"


@dataclass(frozen=True)
class Figure:
    """One measured time in seconds, its limit, and what was asserted about the answer."""

    name: str
    median: float
    fastest: float
    limit: float
    repeats: int
    answer: str

    @property
    def kept(self) -> bool:
        """Whether the median stays within the limit."""
        return self.median <= self.limit


class WrongAnswer(Exception):
    """A result that is not the known one: its time is worth nothing."""


def expect(what: str, seen: object, known: object) -> None:
    """WrongAnswer unless both are the same."""
    if seen != known:
        raise WrongAnswer(f"{what}: {seen!r} instead of {known!r}"[:300])


def timed(name: str, limit: float, repeats: int, answer: str, job: Callable[[], Any]) -> Figure:
    """The median and the fastest of some runs of ``job``, after one that does not count."""
    job()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        job()
        times.append(time.perf_counter() - start)
    return Figure(name, statistics.median(times), min(times), limit, repeats, answer)


def program(*args: str) -> subprocess.CompletedProcess[str]:
    """The whole program in a process of its own, without any screen."""
    env = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return subprocess.run(
        [sys.executable, "-m", "autosolve", *args], env=env, capture_output=True, text=True, timeout=60, check=False
    )


def rows_of(size: str) -> list[str]:
    """The board's rows."""
    return (BOARDS / f"unique-{size}.txt").read_text().split()


def contradicted(rows: list[str], mines: set[tuple[int, int]]) -> list[tuple[int, int]]:
    """The clues that a set of mines does not fulfil, counted here and not by the solver that is measured."""
    wrong = []
    for r, row in enumerate(rows):
        for c, s in enumerate(row):
            near = {(i, j) for i in (r - 1, r, r + 1) for j in (c - 1, c, c + 1)}
            if s.isdigit() and len(mines & near) != int(s):
                wrong.append((r, c))
    return wrong


def check_mines(rows: list[str], mines: set[tuple[int, int]], count: int) -> None:
    """WrongAnswer unless the mines lie on covered cells, are that many, and fulfil every clue."""
    expect("mines", len(mines), count)
    expect("mines on clues", [m for m in mines if rows[m[0]][m[1]] != "."], [])
    expect("clues not fulfilled", contradicted(rows, mines), [])


def without_screen(repeats: int) -> Iterator[Figure]:
    """Help, a saved picture to its solution, reading, solving."""
    import cv2
    import numpy as np

    from autosolve.board import notation
    from autosolve.board.shape import cells_in
    from autosolve.solver.hybrid import solve
    from autosolve.vision.frame import Frame
    from autosolve.vision.profile import load
    from autosolve.vision.read import read

    def ask_help() -> None:
        done = program("--help")
        expect("exit code", done.returncode, 0)
        expect("names the run command", "run" in done.stdout, True)

    yield timed("autosolve --help, whole process", 0.3, repeats, "exit 0", ask_help)

    rows = rows_of("20x20")

    def picture_to_solution() -> None:
        done = program("run", "--site", SITE, "--image", str(SCREENS / "size-20x20.png"), "--json")
        expect(f"exit code ({done.stderr.strip()})", done.returncode, 0)
        check_mines(rows, {(r, c) for r, c in json.loads(done.stdout)["mines"]}, 96)

    answer = "96 mines, every clue fulfilled"
    yield timed("1920x1080 picture of 20x20 to its solution, whole process", 0.8, repeats, answer, picture_to_solution)

    profile = load(SITE)
    for size, limit in (("20x20", 0.15), ("50x50", 0.5)):
        pixels = cv2.imread(str(SCREENS / f"size-{size}.png"), cv2.IMREAD_COLOR)
        if pixels is None:
            raise WrongAnswer(f"no picture of {size}")
        frame = Frame(pixels.astype(np.uint8))
        known = rows_of(size)

        def look(frame: Frame = frame, known: list[str] = known) -> None:
            reading = read(frame, profile)
            expect("board", reading.text, known)
            expect("doubtful cells", len(reading.doubts), 0)

        name = f"{frame.width}x{frame.height} picture of {size} read"
        yield timed(name, limit, repeats, f"all {len(known) * len(known[0])} cells right", look)

    rows50 = rows_of("50x50")
    text = "\n".join(rows50)

    def think() -> None:
        solution = solve(puzzle)
        expect("unique", solution.unique, True)
        check.append({puzzle.shape.at(c) for c in cells_in(solution.mines)})

    puzzle, check = notation.parse(text).puzzle, list[set[tuple[int, int]]]()
    # the first solve of a process counts as well: nothing may be compiled in it
    start = time.perf_counter()
    think()
    first = time.perf_counter() - start
    yield Figure("50x50 solved with proof, the first in its process", first, first, 0.03, 1, "unique, 678 mines")
    yield timed("50x50 solved with proof", 0.03, max(repeats, 9), "unique, 678 mines", think)
    for mines in check:
        check_mines(rows50, mines, 678)


def with_screen() -> Iterator[Figure]:
    """678 flags on a 50x50 board in a browser on a virtual screen, placed and verified."""
    from urllib.parse import urlencode

    from rig import Rig

    rows = rows_of("50x50")
    query = {"rows": "/".join(rows), "side": 0, "scale": 0.65, "font": "DejaVu Sans,sans-serif"}
    times = []
    with Rig(1920, 1280) as rig:
        browser = rig.browser("about:blank")
        for _ in range(3):
            browser.open(f"{(ROOT / 'tests' / 'double.html').as_uri()}?{urlencode(query)}")
            browser.settle()
            start = time.perf_counter()
            done = rig.autosolve("run", "--site", SITE, "--json")
            times.append(time.perf_counter() - start)
            expect(f"exit code ({done.stderr.strip()})", done.returncode, 0)
            expect("verified", json.loads(done.stdout)["verified"], True)
            flags = {(r, c) for r, c in browser.js("mock.flags()")}
            check_mines(rows, flags, 678)
            browser.js("document.querySelector('#btnReady').click()")
            expect("the page calls it solved", browser.js("mock.solved"), True)
    yield Figure(
        "678 flags on 50x50 placed and verified on a virtual screen, whole process",
        statistics.median(times),
        min(times),
        12.0,
        len(times),
        "the page calls it solved",
    )


def machine() -> dict[str, str]:
    """What the figures were measured on."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.is_file():
        names = [line.split(":", 1)[1].strip() for line in info.read_text().splitlines() if "model name" in line]
        model = names[0] if names else model
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "machine": f"{model}, {cores} cores",
        "system": platform.platform(),
        "python": platform.python_version(),
        "opencv": version("opencv-python-headless"),
        "python-sat": version("python-sat"),
        "seed": SEED,
    }


def main() -> int:
    """The command line; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="JSON on standard output, and nothing else")
    parser.add_argument("--repeat", type=int, default=5, help="runs of each job, of which the median is taken")
    parser.add_argument("--without-screen", action="store_true", help="leave out what needs a virtual screen")
    asked = parser.parse_args()
    about, figures = machine(), []

    def jobs() -> Iterator[Figure]:
        yield from without_screen(asked.repeat)
        if not asked.without_screen:
            yield from with_screen()

    if not asked.json:
        print("\n".join(f"{key:>11}: {value}" for key, value in about.items()))
        print(f"\n{'median':>9} {'fastest':>9} {'limit':>9}")
    try:
        for figure in jobs():
            figures.append(figure)
            if not asked.json:
                mark = "" if figure.kept else "  TOO SLOW"
                numbers = " ".join(f"{v * 1000:7.1f}ms" for v in (figure.median, figure.fastest, figure.limit))
                print(f"{numbers}  {figure.name}: {figure.answer}{mark}", flush=True)
    except WrongAnswer as wrong:
        sys.stdout.flush()
        print(f"wrong answer: {wrong}", file=sys.stderr)
        return 1
    if asked.json:
        print(json.dumps({"schema": 1, **about, "figures": [{**asdict(f), "kept": f.kept} for f in figures]}))
    return 0 if all(figure.kept for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
