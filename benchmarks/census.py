"""Owns how fast the census is: each figure with its limit, every answer asserted, the machine on top.

    python benchmarks/census.py [--rounds N] [--no-processes]

Expert boards (16x30, 99 mines, the middle and the cells around it without), seed 1. A figure is the median over the
rounds by the processor time of the thread, which other programs on the machine disturb less than the clock; the limits
are held against it. Compiling is not in it. Two processes against one is by the clock, and means something only on a
machine with two free processors: it is held against its limit where the load says so. Exit code 1 when an answer is
wrong or a limit is passed.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from autosolve.analysis.census import Spec, add_up, play_chunk, run
from autosolve.analysis.jobs import Jobs, processors
from autosolve.board.shape import Shape
from autosolve.kernels.census import ABC, BulkCensus, Policy, Tally
from autosolve.kernels.game import FirstClick, Table

EXPERT, MINES, SEED = Shape(16, 30), 99, 1
# boards a second: the least allowed
LIMITS = {"one": 100_000, "abc": 10_000, "c": 15_000}
TWICE = 1.8
START_LIMIT = 1.0  # seconds


def expect(what: str, good: bool) -> None:
    """Ends the run where an answer is wrong: its time is worth nothing."""
    if not good:
        sys.exit(f"wrong answer: {what}")


def rate(job: Callable[[], object], boards: int, rounds: int) -> float:
    """Boards a second of processor time: the median over some rounds, after one that does not count."""
    job()
    times = []
    for _ in range(rounds):
        start = time.thread_time()
        job()
        times.append(time.thread_time() - start)
    return boards / statistics.median(times)


def say(what: str, figure: float, limit: float | None = None, unit: str = "boards/s") -> bool:
    """One line; whether the figure keeps its limit."""
    kept = limit is None or figure >= limit
    print(
        f"{what:<52}{figure:>12,.0f} {unit}"
        + (f"  (limit {limit:,.0f}){'' if kept else '  TOO SLOW'}" if limit is not None else "")
    )
    return kept


def local_rules(rounds: int) -> bool:
    """Dealing, and boards played by the local rules alone."""
    table, start = Table(EXPERT), EXPERT.middle

    def check(level: int, boards: int) -> Callable[[], tuple[int, int]]:
        def job() -> tuple[int, int]:
            seen = table.check_many(MINES, start, FirstClick.OPENING, level, seed=SEED, first=0, boards=boards)
            return seen.cleared, seen.opened

        return job

    expect("boards that ONE clears", check(1, 20_000)() == (21, 3_183_733))
    expect("boards that ONE and TWO clear", check(2, 20_000)() == (1896, 5_795_408))
    say("dealt, with all clues", rate(check(0, 100_000), 100_000, rounds))
    kept = say("played by the two rules on one number", rate(check(1, 20_000), 20_000, rounds), LIMITS["one"])
    say("played by these and pairs of numbers", rate(check(2, 20_000), 20_000, rounds))
    return kept


def policies(rounds: int) -> bool:
    """Games to the end."""
    boards, kept = 10_000, True
    wins = {Policy.RANDOM: 3748, Policy.LOCAL: 4440, Policy.GLOBAL: 5096, Policy.PROGRESS: 5125}
    for name, some, limit in (
        ("A, B and C", ABC, LIMITS["abc"]),
        ("C alone", (Policy.GLOBAL,), LIMITS["c"]),
        ("D alone, as the bot plays", (Policy.PROGRESS,), None),
        ("A, B, C and D", tuple(Policy), None),
    ):
        engine = BulkCensus(EXPERT, MINES, policies=some)
        tally = engine.play(seed=SEED, first=0, boards=boards)
        expect(f"boards won by {name}", all(tally.wins(p) == wins[p] for p in some))
        expect(f"no contradiction, no limit hit by {name}", tally.wrong == tally.capped == 0)

        def job(engine: BulkCensus = engine) -> Tally:
            return engine.play(seed=SEED, first=0, boards=boards)

        kept &= say(f"played to the end by {name}", rate(job, boards, rounds), limit)
    return kept


def start() -> bool:
    """From the command to the end of the first chunk, compiled before."""
    line = [sys.executable, "-m", "autosolve", "census", "--boards", "1000", "--seed", str(SEED), "--json"]
    seconds = []
    for _ in range(4):
        before = os.times()
        subprocess.run(line, check=True, capture_output=True)
        after = os.times()
        seconds.append(after.children_user + after.children_system - before.children_user - before.children_system)
    median = statistics.median(seconds[1:])
    kept = median <= START_LIMIT
    print(
        f"{'from the command to 1,000 boards played':<52}{median:>12.2f} s of processor time"
        f"  (limit {START_LIMIT:.0f}){'' if kept else '  TOO SLOW'}"
    )
    return kept


def processes() -> bool:
    """Two processes against one, by the clock; and that they agree."""
    spec, boards, size = Spec(EXPERT, MINES, SEED), 200_000, 2000
    play_chunk((spec, 0, 1))

    def clock(jobs: int) -> tuple[float, Tally]:
        with Jobs(jobs) as workers:
            for _ in run(spec, 8 * size, workers, first=10**9, size=size):
                pass  # the processes are up and have loaded everything
            begin = time.perf_counter()
            chunks = list(run(spec, boards, workers, size=size))
            return time.perf_counter() - begin, add_up(chunks)

    load = os.getloadavg()[0]
    (one, a), (two, b) = clock(1), clock(2)
    expect("two processes count what one counts", a == b)
    free = load < 0.5 and processors() >= 2
    kept = one / two >= TWICE or not free
    judged = f"(limit {TWICE}){'' if kept else '  TOO SLOW'}" if free else f"(not judged: load {load:.1f} before)"
    print(f"{'two processes against one':<52}{one / two:>12.2f} times  {judged}")
    print(f"  {boards / one:,.0f} and {boards / two:,.0f} boards/s by the clock")
    return kept


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--no-processes", action="store_true")
    args = parser.parse_args()
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = (line.split(":")[1].strip() for line in info.read_text().splitlines() if line.startswith("model name"))
        model = next(names, model)
    print(
        f"{model}, {processors()} processors, load {os.getloadavg()[0]:.1f}; Python {platform.python_version()}, "
        f"numba {version('numba')}; seed {SEED}"
    )
    kept = local_rules(args.rounds)
    kept &= policies(args.rounds)
    kept &= start()
    if not args.no_processes:
        kept &= processes()
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
