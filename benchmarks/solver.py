"""Owns how fast the solver is: each figure with its limit, every answer asserted, the machine on top.

    python benchmarks/solver.py [--repeat N] [--setups]

Boards are fixtures, made from fixed seeds by tools/, or made here from the seeds named. Imports are excluded. A board's
time is the processor time of the fastest of its repeats, which a busy machine spoils least; a figure is the median, and
the slowest, over its boards.
``--setups`` measures the SAT solvers of python-sat on the same boards instead. Exit code 1 when an answer is wrong
or a limit is passed.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.metadata import version
from itertools import combinations
from pathlib import Path
from typing import Any

from autosolve.analysis.grade import grade
from autosolve.board.notation import Position, parse_board, parse_collection, solution_hash
from autosolve.board.puzzle import Puzzle
from autosolve.board.shape import Cell
from autosolve.errors import Clash
from autosolve.solver.count import odds
from autosolve.solver.hybrid import solve

ROOT = Path(__file__).resolve().parent.parent
HARD = parse_collection((ROOT / "fixtures" / "boards" / "hard.txt").read_text())
LARGE = [p for p in HARD if p.puzzle.shape.size == 2500]
SAMPLE = "50x50, no clue to spare"
SOLVERS = ("minicard", "gluecard3", "gluecard4", "minisat22", "glucose4", "cadical153", "cadical195", "maplechrono")


def expect(what: str, seen: object, known: object) -> None:
    """Ends the run unless both are the same: the time of a wrong answer is worth nothing."""
    if seen != known:
        sys.exit(f"{what}: {seen!r} instead of {known!r}")


def each(jobs: list[Callable[[], Any]], repeat: int) -> list[float]:
    """The fastest of some runs of every job, in seconds, after one that does not count."""
    out = []
    for job in jobs:
        job()
        times = []
        for _ in range(repeat):
            start = time.process_time()
            job()
            times.append(time.process_time() - start)
        out.append(min(times))
    return out


def proven(position: Position, **how: Any) -> Callable[[], None]:
    def job() -> None:
        solution = solve(position.puzzle, **how)
        expect("unique", solution.unique, True)
        expect("hash", solution_hash(position.puzzle.shape, solution.mines), position.sha256)

    return job


def counted(puzzle: Puzzle, number: int) -> Callable[[], None]:
    return lambda: expect("solutions", odds(puzzle).models, number)


def table() -> list[tuple[Puzzle, int]]:
    """The counting table, boards without a solution left out."""
    lines = (ROOT / "fixtures" / "counts.txt").read_text().splitlines()
    rows = [line.split(" | ") for line in lines if not line.startswith("#")]
    return [(parse_board(r[3].replace(";", "\n").replace("/", "\n")), int(r[0])) for r in rows if r[0] != "0"]


def shared_odds() -> list[tuple[Puzzle, list[float]]]:
    """Stalled Expert positions with their chances, where they lie beside the checkout."""
    file = ROOT.parent / "shared" / "puzzles" / "odds.txt"
    out = []
    for line in file.read_text().splitlines() if file.is_file() else ():
        if not line.startswith("#"):
            cells, _, wanted = line.partition(" ")
            rows = [cells[i : i + 30].replace("F", "*") for i in range(0, 480, 30)]
            out.append((parse_board("\n".join(["mines: 99", *rows])), [float(w) for w in wanted.split(",")]))
    return out


def chances(puzzle: Puzzle, wanted: list[float]) -> Callable[[], None]:
    def job() -> None:
        found = odds(puzzle)
        far = [c for c, n in found.mined_in.items() if abs(n / found.models - wanted[c]) > 1e-9]
        expect("cells with other odds", far, [])

    return job


def sparse(seed: int, sides: int, shown: float) -> tuple[str, int]:
    """A square of cells, a fifth of them mines, with that share of its clues; and how many mines it has."""
    rng = random.Random(seed)
    mines = [[rng.random() < 0.2 for _ in range(sides)] for _ in range(sides)]

    def cell(r: int, c: int) -> str:
        if mines[r][c] or rng.random() >= shown:
            return "."
        return str(sum(sum(row[max(0, c - 1) : c + 2]) for row in mines[max(0, r - 1) : r + 2]))

    return "\n".join("".join(cell(r, c) for c in range(sides)) for r in range(sides)), sum(map(sum, mines))


def clash(text: str, mines: int) -> Callable[[], None]:
    """One clue made 8 that can be no such: the first that has a 0 beside it."""
    good = parse_board(f"mines: {mines}\n{text}")
    clues = good.clues
    wrong = next(c for c in clues if clues[c] and any(clues.get(Cell(c + d)) == 0 for d in (1, 2)))
    board = replace(good, clues={**clues, wrong: 8})

    def job() -> None:
        try:
            solve(board)
        except Clash as found:
            expect("the wrong clue is named", board.shape.at(wrong) in found.cells, True)
            expect("and what would mend it", board.shape.name(wrong) in found.remedy, True)
        else:
            sys.exit("a clash was not found")

    return job


def wrong_total(text: str, told: int) -> Callable[[], None]:
    board = parse_board(f"mines: {told}\n{text}")

    def job() -> None:
        try:
            solve(board)
        except Clash as found:
            expect("the total is named", f"total of {told} mines" in str(found), True)
        else:
            sys.exit("a clash was not found")

    return job


def undecided(text: str, mines: int) -> Callable[[], None]:
    board = parse_board(f"mines: {mines}\n{text}")

    def job() -> None:
        found = solve(board)
        expect("all told", found.complete, True)
        expect("mines of two solutions", [m.bit_count() for m in found.other or ()], [mines, mines])

    return job


def figures(repeat: int) -> Iterator[tuple[str, list[float], float, float]]:
    """Name, seconds per board, limit of the median, limit of the slowest."""
    none = float("inf")
    yield f"solve and prove, {SAMPLE}", each([proven(p) for p in LARGE], repeat), 0.030, 0.150
    yield f"explain every step, {SAMPLE}", each([proven(p, explain=True) for p in LARGE[:8]], 1), none, none
    yield f"grade, {SAMPLE}", each([lambda p=p: grade(p.puzzle) for p in LARGE[:8]], 1), none, none  # type: ignore[misc]
    for sides in (50, 100):
        boards = [sparse(seed, sides, shown) for seed in range(1, 5) for shown in (0.15, 0.3, 0.6)]
        what = f"{sides}x{sides}, 15 to 60 % of the clues and the total, seeds 1-4"
        yield f"solve, {what}", each([undecided(*b) for b in boards], 1), none, 3.0
        yield f"name a wrong clue, {what}", each([clash(*b) for b in boards], 1), none, 2.0
        yield f"name a total of a tenth, {what}", each([wrong_total(t, n // 10) for t, n in boards], 1), none, 2.0
    yield "exact count, fixtures/counts.txt", each([counted(p, n) for p, n in table()], repeat), none, none
    if positions := shared_odds():
        yield (
            "exact odds, stalled 16x30 with 99 mines",
            each([chances(p, w) for p, w in positions], repeat),
            none,
            none,
        )


def setups(repeat: int) -> None:
    """What each SAT solver takes for the whole board without any rule: setting up, one solution, no second one."""
    from pysat.solvers import Solver

    from autosolve.solver.state import State

    for name in SOLVERS:
        setup, search = [], []
        for position in LARGE:
            state = State(position.puzzle)
            best = [float("inf"), float("inf")]
            for _ in range(repeat):
                start = time.process_time()
                with Solver(name) as solver:
                    for members, mines in zip(state.members, state.need, strict=True):
                        cells = [c + 1 for c in members]
                        if "card" in name:
                            solver.add_atmost(cells, mines)
                            solver.add_atmost([-c for c in cells], len(cells) - mines)
                        else:
                            for some in combinations(cells, mines + 1):
                                solver.add_clause([-c for c in some])
                            for some in combinations(cells, len(cells) - mines + 1):
                                solver.add_clause(list(some))
                    ready = time.process_time()
                    expect("solvable", solver.solve(), True)
                    covered = {c + 1 for c in state.where}
                    solver.add_clause([-x for x in solver.get_model() if abs(x) in covered])
                    expect("a second solution", solver.solve(), False)
                best = [min(best[0], ready - start), min(best[1], time.process_time() - ready)]
            setup.append(best[0])
            search.append(best[1])
        print(
            f"{name:12} set up {1e3 * statistics.median(setup):6.1f} ms, "
            f"search {1e3 * statistics.median(search):6.1f} ms, slowest {1e3 * max(search):6.1f} ms"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description="How fast the solver is.")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--setups", action="store_true", help="compare the SAT solvers instead")
    args = parser.parse_args()
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}, "
        f"python-sat {version('python-sat')}; load {os.getloadavg()[0]:.1f}"
    )
    if args.setups:
        setups(args.repeat)
        return 0
    kept = True
    for name, times, median, slowest in figures(args.repeat):
        here = statistics.median(times) <= median and max(times) <= slowest
        kept = kept and here
        limit = f" (limits {1e3 * median:.0f} and {1e3 * slowest:.0f})" if median < 1e9 else ""
        limit = limit or (f" (limit {1e3 * slowest:.0f})" if slowest < 1e9 else "")
        print(
            f"{name}: median {1e3 * statistics.median(times):.2f} ms, slowest {1e3 * max(times):.2f} ms "
            f"over {len(times)} boards{limit}{'' if here else '  TOO SLOW'}"
        )
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
