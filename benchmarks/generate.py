"""Owns how fast puzzles are made: each figure with its limit, every board proven, the machine and the seeds on top.

    python benchmarks/generate.py [--seeds N] [--children N] [--quick]

A figure is the median over the seeds of the processor time of one thread, which other programs on the machine disturb
less than the clock (the clock stands beside it): mines dealt, clues taken away, the board proven to have one solution
and its difficulty told. Importing and compiling are not in it. The limits are those that were set against a public
generator in C++ with CaDiCaL on a machine of this kind: hard 10x10 2.1 ms, 20x20 32 ms, 30x30 226 ms, 50x50 2.0 s,
100x100 60 s; easy and medium 50x50 0.39 and 0.95 s; 8,000 children of a 20x20 board in 73 to 118 s. A sample of the
boards is held against the plain solver, and every clue of some is shown to be needed. Exit code 1 when an answer is
wrong or a limit is passed.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import sys
import time
from importlib.metadata import version
from typing import NamedTuple

import numpy as np

from autosolve.board.shape import Shape
from autosolve.generate.evolve import Evolution, Score
from autosolve.generate.record import Record
from autosolve.generate.unique import Difficulty, Maker, Recipe, clues_and_cover
from autosolve.kernels import BulkSolver, Proven, warm_up
from autosolve.solver.hybrid import solve

E, M, H = Difficulty.EASY, Difficulty.MEDIUM, Difficulty.HARD


class Wish(NamedTuple):
    """A kind of board and the seconds it may take; None where no limit was set."""

    shape: Shape
    difficulty: Difficulty
    limit: float | None


WISHES = (
    Wish(Shape(10, 10), H, None),
    Wish(Shape(20, 20), H, None),
    Wish(Shape(30, 30), H, 0.030),
    Wish(Shape(16, 30), H, None),
    Wish(Shape(50, 50), E, 0.050),
    Wish(Shape(50, 50), M, 0.250),
    Wish(Shape(50, 50), H, 0.350),
    Wish(Shape(100, 100), H, 4.0),
)
# five times the slowest and the fastest of the public evolution
CHILDREN_LIMITS = (5 * 8000 / 118, 5 * 8000 / 73)


def expect(what: str, good: bool) -> None:
    """Ends the run where an answer is wrong: its time is worth nothing."""
    if not good:
        sys.exit(f"wrong answer: {what}")


def check(record: Record, kernel: BulkSolver, every_clue: bool) -> None:
    """Holds a board against the plain solver; and each clue against the bulk solver, without it."""
    shape = record.puzzle.shape
    found = solve(record.puzzle)
    expect(f"one solution of {shape}, seed {record.seed}", found.unique and found.mines == record.mines)
    if not every_clue:
        return
    mines, shown = np.zeros(shape.size, np.int8), np.zeros(shape.size, np.int8)
    mines[[c for c in range(shape.size) if record.mines >> c & 1]] = 1
    shown[list(record.puzzle.clues)] = 1
    for cell in record.puzzle.clues:
        shown[cell] = 0
        clue, cover = clues_and_cover(shape, mines, shown)
        if record.difficulty == H.value:
            expect(f"clue {shape.name(cell)} is needed", kernel.solve(clue, cover, every=False) is Proven.UNDECIDED)
        else:
            rules = kernel.rules(clue, cover) if record.difficulty == M.value else None
            expect(f"clue {shape.name(cell)} is needed", rules in (None, Proven.GAVE_UP))
        shown[cell] = 1


def making(wish: Wish, seeds: int) -> bool:
    maker = Maker(Recipe(wish.shape, wish.difficulty))
    kernel = BulkSolver(wish.shape)
    maker.make(seeds + 1)  # does not count
    clock, cpu, clues, reached = [], [], [], 0
    for seed in range(seeds):
        start, start_cpu = time.perf_counter(), time.thread_time()
        record = maker.make(seed)
        cpu.append(time.thread_time() - start_cpu)
        clock.append(time.perf_counter() - start)
        check(record, kernel, every_clue=seed == 0 and wish.shape.size <= 900)
        clues.append(len(record.puzzle.clues))
        reached += "reached" not in record.extra
    middle = statistics.median(cpu)
    kept = wish.limit is None or middle <= wish.limit
    limit = "" if wish.limit is None else f" (limit {1e3 * wish.limit:.0f})"
    print(
        f"{wish.difficulty.value:>6} {wish.shape!s:>7}: median {1e3 * middle:7.2f} ms of the processor, "
        f"{1e3 * statistics.median(clock):7.2f} by the clock, slowest {1e3 * max(cpu):7.2f}{limit}"
        f"{'' if kept else '  TOO SLOW'}; {statistics.median(clues):.0f} clues, {reached} of {seeds} as hard as asked",
        flush=True,
    )
    return kept


def evolving(seeds: int, children: int) -> bool:
    rates, bests = [], []
    for seed in range(seeds):
        evolution = Evolution(Recipe(Shape(20, 20)), seed, Score.SAT)
        first, start = evolution.best.score, time.thread_time()
        best = first
        for _ in range(children):
            evolution.step()
            expect("the best never gets worse", evolution.best.score >= best)
            best = evolution.best.score
        rates.append(children / (time.thread_time() - start))
        bests.append((first, best))
        check(evolution.record(), BulkSolver(Shape(20, 20)), every_clue=True)
        print(f"   seed {seed}: {rates[-1]:.0f} children/s, effort {first} to {best}", flush=True)
    middle = statistics.median(rates)
    low, high = CHILDREN_LIMITS
    kept = middle >= low
    print(
        f"evolution of 20x20, {children} children: median {middle:.0f} children/s "
        f"(limits {low:.0f} and {high:.0f}: five times the public one's slowest and fastest)"
        f"{'' if kept else '  TOO SLOW'}"
    )
    return kept


def main() -> int:
    parser = argparse.ArgumentParser(description="How fast puzzles are made.")
    parser.add_argument("--seeds", type=int, default=9)
    parser.add_argument("--children", type=int, default=8000)
    parser.add_argument("--evolutions", type=int, default=3, help="seeds of the evolution, which takes longest")
    parser.add_argument("--quick", action="store_true", help="no evolution")
    args = parser.parse_args()
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}, "
        f"numba {version('numba')}; seeds 0 to {args.seeds - 1}; load {os.getloadavg()[0]:.1f}"
    )
    start = time.perf_counter()
    warm_up()
    Maker(Recipe(Shape(3, 4))).make(0)
    print(f"importing the kernels, and compiling them where that was to do: {time.perf_counter() - start:.1f} s")
    kept = True
    for wish in WISHES:
        kept = making(wish, args.seeds) and kept
    if not args.quick:
        kept = evolving(args.evolutions, args.children) and kept
    print(f"load at the end {os.getloadavg()[0]:.1f}")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
