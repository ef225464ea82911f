"""Owns how fast the compiled kernels are: each figure with its limit, every answer asserted, the machine on top.

    python benchmarks/kernels.py [--rounds N] [--boards N] [--seed N]

Boards to solve are fixtures. Positions to count are those where a player who opens whatever is certain has to guess,
on Expert boards (16x30, 99 mines, the middle and the cells around it without) dealt from the seed; and, where they lie
beside the checkout, another 150. Everything is called one by one from Python, in one thread. A round is one pass over
the whole set; a figure is the median over the rounds, by the clock and by the processor time of the thread, which
other programs on the machine disturb less and which the limits are held against. Importing and compiling are not in
it. ms_toollib counts the same positions in the same run where it is installed. Exit code 1 when an answer is wrong or
a limit is passed.
"""

from __future__ import annotations

import argparse
import math
import os
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import numpy as np

from autosolve.board.notation import Position, parse_board, parse_collection, solution_hash
from autosolve.board.puzzle import Puzzle, Totals
from autosolve.board.shape import Cell, Shape, cell_set, cells_in
from autosolve.kernels import BulkOdds, BulkSolver, Counted, Proven, Sheet, sheet, warm_up
from autosolve.solver.count import odds
from autosolve.solver.hybrid import solve

ROOT = Path(__file__).resolve().parent.parent
EXPERT, MINES = Shape(16, 30), 99
SOLVE_LIMIT = 0.004  # seconds a board
COUNT_LIMIT = 100_000  # positions a second


class Times(NamedTuple):
    """Seconds a piece: by the clock, and of the processor."""

    clock: float
    cpu: float


def expect(what: str, good: bool) -> None:
    """Ends the run where an answer is wrong: its time is worth nothing."""
    if not good:
        sys.exit(f"wrong answer: {what}")


def timed(job: Callable[[], None], pieces: int, rounds: int) -> Times:
    """The median over some rounds, after one that does not count."""
    job()
    clock, cpu = [], []
    for _ in range(rounds):
        start, start_cpu = time.perf_counter(), time.thread_time()
        job()
        cpu.append((time.thread_time() - start_cpu) / pieces)
        clock.append((time.perf_counter() - start) / pieces)
    return Times(statistics.median(clock), statistics.median(cpu))


# ---------------------------------------------------------------- solve


def solving(rounds: int) -> bool:
    boards = [
        p for p in parse_collection((ROOT / "fixtures/boards/hard.txt").read_text()) if p.puzzle.shape.size == 2500
    ]
    kernel = BulkSolver(boards[0].puzzle.shape)
    times: list[Times] = []
    plain: list[Times] = []
    conflicts = []
    for position in boards:
        board = sheet(position.puzzle)
        check_proof(kernel, board, position)
        conflicts.append(kernel.conflicts)
        times.append(timed(lambda b=board: kernel.solve(b.clue, b.cover), 1, rounds))  # type: ignore[misc]
        plain.append(timed(lambda p=position.puzzle: solve(p), 1, 3))  # type: ignore[misc]
    kept = statistics.median(t.cpu for t in times) <= SOLVE_LIMIT
    print(
        f"solve and prove, 50x50, no clue to spare: {ms(times)} over {len(boards)} boards, "
        f"at most {max(conflicts)} conflicts (limit {1e3 * SOLVE_LIMIT:.0f} ms){'' if kept else '  TOO SLOW'}\n"
        f"  solver.hybrid in the same run: {ms(plain)}"
    )
    return kept


def check_proof(kernel: BulkSolver, board: Sheet, position: Position) -> None:
    expect("a board with one solution", kernel.solve(board.clue, board.cover) is Proven.UNIQUE)
    mines = cell_set(np.flatnonzero(kernel.value == 2).tolist())
    expect("hash of the solution", solution_hash(position.puzzle.shape, mines) == position.sha256)


def ms(times: Iterable[Times]) -> str:
    times = list(times)
    clock, cpu = (statistics.median(t[i] for t in times) for i in (0, 1))
    return f"median {1e3 * clock:.2f} ms (processor {1e3 * cpu:.2f}), slowest {1e3 * max(t.cpu for t in times):.2f}"


# ---------------------------------------------------------------- count


def stalls(kernel: BulkOdds, rng: random.Random) -> list[Puzzle]:
    """Plays one Expert board to its end, opening all that is certain and else what is safest; where it guessed."""
    middle = EXPERT.cell(EXPERT.rows // 2, EXPERT.cols // 2)
    clear = EXPERT.neighbours(middle) | 1 << middle
    hidden = cell_set(rng.sample([c for c in range(EXPERT.size) if not clear >> c & 1], MINES))
    clue, cover = np.full(EXPERT.size, -1, np.int8), np.ones(EXPERT.size, np.int8)
    found = []
    todo = [int(middle)]
    while True:
        while todo:
            cell = todo.pop()
            if cover[cell] == 1:
                around = EXPERT.neighbours(cell)
                clue[cell], cover[cell] = (around & hidden).bit_count(), 0
                if not around & hidden:
                    todo += cells_in(around)
        if (cover != 0).sum() == MINES:
            return found
        expect("the odds of a position that was played", kernel.count(clue, cover, MINES) is Counted.DONE)
        chance = kernel.chance.copy()
        expect("what is certain of a position", not any(hidden >> int(c) & 1 for c in np.flatnonzero(chance == 0)))
        mined = (cover == 1) & (chance == 1)
        cover[mined] = 2
        todo = np.flatnonzero((cover == 1) & (chance == 0)).tolist()
        if not todo:
            covered, shown = (cell_set(np.flatnonzero(cover == k).tolist()) for k in (1, 2))
            clues = {Cell(int(c)): int(clue[c]) for c in np.flatnonzero(clue >= 0)}
            found.append(Puzzle(EXPERT, clues, covered, Totals(mines=MINES), shown))
            guess = int(np.where(cover == 1, chance, 2).argmin())
            if hidden >> guess & 1:
                return found
            todo = [guess]


def shared_positions() -> list[tuple[Puzzle, list[float]]]:
    """Positions with their chances, where they lie beside the checkout."""
    file = ROOT.parent / "shared" / "puzzles" / "odds.txt"
    out = []
    for line in file.read_text().splitlines() if file.is_file() else ():
        if not line.startswith("#"):
            chars, _, wanted = line.partition(" ")
            rows = [chars[i : i + 30].replace("F", "*") for i in range(0, 480, 30)]
            out.append((parse_board("\n".join([f"mines: {MINES}", *rows])), [float(w) for w in wanted.split(",")]))
    return out


def check_odds(kernel: BulkOdds, puzzle: Puzzle) -> int:
    """Holds the kernel against the exact counter; how many states it took."""
    board = sheet(puzzle)
    expect("a position that can be counted", kernel.count(board.clue, board.cover, board.mines) is Counted.DONE)
    exact = odds(puzzle)
    for cell in exact.mined_in:
        p, chance = exact.probability(cell), float(kernel.chance[cell])
        same = math.isclose(chance, float(p), rel_tol=1e-9) and (chance in (0, 1)) == (p in (0, 1))
        expect(f"the chance of {puzzle.shape.name(cell)}", same)
    return kernel.states


def counting(name: str, kernel: BulkOdds, positions: list[Puzzle], rounds: int) -> bool:
    states = [check_odds(kernel, puzzle) for puzzle in positions]
    boards = [sheet(puzzle) for puzzle in positions]

    def all_of_them() -> None:
        for clue, cover, _, _ in boards:
            kernel.count(clue, cover, MINES)

    took = timed(all_of_them, len(boards), rounds)
    kept = 1 / took.cpu >= COUNT_LIMIT
    print(
        f"exact odds, {name}: {1 / took.clock:,.0f} positions/s by the clock, {1 / took.cpu:,.0f} by the processor, "
        f"over {len(boards)} positions of {statistics.median(states):.0f} states (median; most {max(states)}) "
        f"(limit {COUNT_LIMIT:,}){'' if kept else '  TOO SLOW'}"
    )
    plain = timed(lambda: [odds(p) for p in positions[:100]] and None, len(positions[:100]), 1)
    print(f"  solver.count in the same run: {1 / plain.cpu:,.0f} positions/s")
    other_library(kernel, boards)
    return kept


def other_library(kernel: BulkOdds, boards: list[Sheet]) -> None:
    """The same positions by ms_toollib: known mines as its flags, so that it has the same facts."""
    try:
        import ms_toollib
    except ImportError:
        print("  ms_toollib is not installed here")
        return
    grids = [
        np.where(b.cover == 0, b.clue, np.where(b.cover == 2, 11, 10)).reshape(EXPERT.rows, EXPERT.cols).tolist()
        for b in boards
    ]
    far = 0.0
    for board, grid in zip(boards, grids, strict=True):
        kernel.count(board.clue, board.cover, MINES)
        theirs = np.array(ms_toollib.cal_probability_onboard(grid, MINES)[0]).ravel()
        far = max(far, float(np.abs(theirs - kernel.chance).max()))

    def all_of_them() -> None:
        for grid in grids:
            ms_toollib.cal_probability_onboard(grid, MINES)

    took = timed(all_of_them, len(grids), 1)
    print(
        f"  ms_toollib {version('ms_toollib')} in the same run: {1 / took.clock:,.0f} positions/s by the clock, "
        f"{1 / took.cpu:,.0f} by the processor, largest difference {far:.0e}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="How fast the compiled kernels are.")
    parser.add_argument("--rounds", type=int, default=101)
    parser.add_argument("--boards", type=int, default=300, help="Expert boards to play for positions")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}, "
        f"numba {version('numba')}; seed {args.seed}, {args.rounds} rounds; load {os.getloadavg()[0]:.1f}"
    )
    start = time.perf_counter()
    warm_up()
    print(f"importing the kernels, and compiling them where that was to do: {time.perf_counter() - start:.1f} s")
    kept = solving(args.rounds)
    kernel = BulkOdds(EXPERT)
    rng = random.Random(args.seed)
    positions = [puzzle for _ in range(args.boards) for puzzle in stalls(kernel, rng)]
    kept = counting(f"stalled on {args.boards} played Expert boards", kernel, positions, args.rounds) and kept
    if shared := shared_positions():
        for puzzle, wanted in shared:
            board = sheet(puzzle)
            kernel.count(board.clue, board.cover, board.mines)
            expect("a chance of a shared position", np.abs(kernel.chance - wanted).max() < 1e-9)
        kept = counting("150 given positions", kernel, [puzzle for puzzle, _ in shared], args.rounds) and kept
    print(f"load at the end {os.getloadavg()[0]:.1f}")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
