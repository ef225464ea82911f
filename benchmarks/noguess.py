"""Owns how fast boards without a guess are made: each figure with its limit, proofs asserted, the machine on top.

    python benchmarks/noguess.py [--boards N] [--rounds N] [--seed N]

Expert boards (16x30, 99 mines, start in the middle, an opening there), one after the other from Python in one thread,
by each set of rules and by both methods. A round makes the same boards again; a figure is the median over the rounds,
by the clock and by the processor time of the thread, which other programs disturb less and which the limit is held
against. The set of mines is taken out of every board; importing and compiling are not in it. Every board must have been
proven, and a dozen of each kind are won again by the plain solver. Also: what one board of ``generate noguess`` costs
with its second proof and its grade. Exit code 1 when a board is not proven or a limit is passed.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import sys
import time
from importlib.metadata import version

from autosolve.board.shape import Shape
from autosolve.generate.game import Field
from autosolve.generate.noguess import Factory, Rules, Wish, replay
from autosolve.kernels.game import FirstClick
from autosolve.kernels.noguess import Maker

EXPERT, MINES = Shape(16, 30), 99
LIMIT = 2000  # boards a second, by the faster method


def expect(what: str, good: bool) -> None:
    """Ends the run where an answer is wrong: its time is worth nothing."""
    if not good:
        sys.exit(f"wrong: {what}")


def speed(maker: Maker, rules: Rules, perturb: bool, boards: int, rounds: int, seed: int) -> float:
    """Prints boards a second, and gives those by the processor."""
    start = EXPERT.middle
    clock, cpu = [], []
    first, work, games = [], 0, 0
    for number in range(rounds + 1):
        begin, begin_cpu = time.perf_counter(), time.thread_time()
        for k in range(boards):
            made = maker.make(
                MINES, start, FirstClick.OPENING,
                level=rules.level, seed=seed + k, perturb=perturb, budget=1_000_000,
            )  # fmt: skip
            mines = maker.mine_set
            if number == 0:
                expect("a board is proven", made.proven and mines.bit_count() == MINES)
                first.append(mines)
                work, games = work + made.work, games + made.games
        if number:  # the first one also proves
            cpu.append(boards / (time.thread_time() - begin_cpu))
            clock.append(boards / (time.perf_counter() - begin))
    for mines in first[:12]:
        expect("a board is won by the plain solver", replay(Field(EXPERT, mines), start, rules).won)
    by_cpu = statistics.median(cpu)
    spread = f"{min(cpu):,.0f} to {max(cpu):,.0f}"
    print(
        f"  {rules.value:<5} {'perturb' if perturb else 'redeal':<7} {statistics.median(clock):>7,.0f}/s by the clock,"
        f" {by_cpu:>7,.0f}/s by the processor ({spread}); {games / boards:.1f} games a board"
    )
    return by_cpu


def main() -> int:
    parser = argparse.ArgumentParser(description="How fast boards without a guess are made.")
    parser.add_argument("--boards", type=int, default=1000, help="boards a round; a tenth of it where dealing is slow")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}, "
        f"numba {version('numba')}; seed {args.seed}, {args.rounds} rounds; load {os.getloadavg()[0]:.1f}"
    )
    begin = time.perf_counter()
    maker = Maker(EXPERT)
    for level in (1, 2, 3):
        maker.make(MINES, EXPERT.middle, level=level, seed=0)
    print(f"importing, and compiling where that was to do: {time.perf_counter() - begin:.1f} s")
    print(f"Expert boards without a guess, {args.boards} a round (limit {LIMIT:,}/s):")
    kept = True
    for rules in Rules:
        slow = rules is Rules.TWO
        best = max(
            speed(maker, rules, True, args.boards, args.rounds, args.seed),
            speed(maker, rules, False, max(1, args.boards // (10 if slow else 1)), args.rounds, args.seed),
        )
        if best < LIMIT:
            kept = False
            print("  TOO SLOW")
    print("one request, made, proven again by the plain solver and graded:")
    for rules in Rules:
        factory = Factory(Wish(EXPERT, MINES, EXPERT.middle, rules))
        begin = time.thread_time()
        choice = factory.estimate.choice
        pilot = time.thread_time() - begin
        begin = time.thread_time()
        for k in range(20):
            board = factory.make(args.seed + k)
            again = replay(board.field, EXPERT.middle, rules)
            expect("a board is won by the plain solver", again.won and board.record(again).extra["no_guess"] is True)
        took = (time.thread_time() - begin) / 20
        print(f"  {rules.value:<5} {1e3 * took:.1f} ms, {choice.value} (after {1e3 * pilot:.1f} ms to choose)")
    print(f"load at the end {os.getloadavg()[0]:.1f}")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
