"""Owns how fast the best and worst scores are: each figure with its limit, every answer asserted, the machine on top.

    python benchmarks/trophies.py [--seed N] [--jobs N] [--large]

Boards are squares with all totals of rows and columns and some clues, mines and clues drawn from the seed. The table of
all sets is held against the closed sets, and both orders against the rule. Times are the clock's, with those of the
processor (all threads together) beside them: on a machine that is busy otherwise the latter says more, and the limits
are held against the smaller of the clock's and the processor's over the threads. A *transition* is a set of mines
followed by one more: there are G x 2^(G-1). Compiling is not in it. With --large, free mines and diagrams, by closed
sets, up to G = 36. Exit code 1 when an answer is wrong or a limit is passed.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import resource
import sys
import time
from importlib.metadata import version

from autosolve.analysis.trophies import Route, Trophies, score, trophies
from autosolve.board.puzzle import Puzzle, Totals
from autosolve.board.shape import Cell, CellSet, Shape, cell_set

LIMITS = {24: 10.0, 28: 180.0}  # seconds, two cores
SEED_NS = 100.0  # a transition and core, of the C program of the game, to be four times cheaper than


def board(side: int, mines: int, clues: int, seed: int) -> tuple[Puzzle, CellSet]:
    """A board, and its hidden mines."""
    rng = random.Random(f"{side} {mines} {clues} {seed}")
    shape = Shape(side, side)
    hidden = cell_set(rng.sample(range(shape.size), mines))
    at = rng.sample([c for c in range(shape.size) if not hidden >> c & 1], clues)
    lines = [tuple((line(i) & hidden).bit_count() for i in range(side)) for line in (shape.row, shape.column)]
    clue = {Cell(c): (shape.neighbours(c) & hidden).bit_count() for c in at}
    return Puzzle(shape, clue, shape.all & ~cell_set(at), Totals(*lines)), hidden


def timed(puzzle: Puzzle, hidden: CellSet, route: Route, free: bool, jobs: int) -> tuple[Trophies, float, float]:
    """What was found, seconds by the clock, seconds of the processor."""
    start, start_cpu = time.perf_counter(), time.process_time()
    found = trophies(puzzle, mines=hidden, route=route, free=free, jobs=jobs)
    return found, time.perf_counter() - start, time.process_time() - start_cpu


def main() -> int:
    """Runs all and returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--large", action="store_true")
    given = parser.parse_args()
    print(f"# {platform.platform()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print(f"# Python {platform.python_version()}, numba {version('numba')}, seed {given.seed}, {given.jobs} threads")
    for route in Route:
        timed(*board(5, 7, 5, 0), route, route is Route.CLOSED, given.jobs)
    wrong = late = False
    print("  G clues  way      highest lowest      states   clock     cpu  ns/transition and core   limit")
    for side, mines, clues in ((8, 24, 16), (9, 28, 16)):
        puzzle, hidden = board(side, mines, clues, given.seed)
        scores = []
        for route in Route:
            found, clock, cpu = timed(puzzle, hidden, route, False, given.jobs)
            scores.append((found.highest, found.lowest))
            wrong |= score(puzzle, hidden, found.best) != found.highest
            wrong |= score(puzzle, hidden, found.worst) != found.lowest
            nanos = cpu * 1e9 / (mines << mines - 1)
            seconds = min(clock, cpu / given.jobs)
            late |= seconds > LIMITS[mines] or nanos > SEED_NS / 4
            print(
                f"{mines:3} {clues:5}  {route.value:7} {found.highest:8,} {found.lowest:6,} {found.states:11,} "
                f"{clock:6.1f}s {cpu:6.1f}s {nanos:12.2f} {LIMITS[mines]:17.0f}s",
                flush=True,
            )
        wrong |= scores[0] != scores[1]
    if given.large:
        print("  G clues  nodes     free, to the end         states   clock     cpu")
        for side, mines, clues in ((8, 24, 16), (9, 28, 16), (9, 33, 20), (9, 36, 22)):
            puzzle, hidden = board(side, mines, clues, given.seed)
            found, clock, cpu = timed(puzzle, hidden, Route.CLOSED, True, given.jobs)
            wrong |= score(puzzle, hidden, found.best) != found.highest
            assert found.diagrams is not None and found.free is not None and found.free_to_the_end is not None
            nodes = sum(len(diagram.nodes) for diagram in found.diagrams)
            print(
                f"{mines:3} {clues:5} {nodes:6,} {found.free.bit_count():14} "
                f"{found.free_to_the_end.bit_count():8} {found.states:11,} {clock:6.1f}s {cpu:6.1f}s",
                flush=True,
            )
    print(f"# at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.1f} GB of memory")
    if wrong or late:
        print("WRONG" if wrong else "TOO SLOW", file=sys.stderr)
    return int(wrong or late)


if __name__ == "__main__":
    sys.exit(main())
