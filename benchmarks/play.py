"""Owns how well and how fast games are played: win rates with their intervals, calibration, milliseconds a game.

    python benchmarks/play.py [--games N] [--seed N] [--first N] [--level NAME] [--starts] [--clicks N] [--thinks N]

Beginner (9x9, 10 mines), Intermediate (16x16, 40) and Expert (16x30, 99), by each policy, with a safe first cell in the
corner and with a guaranteed opening three cells in; without pixels, in one thread, compiled. ``--starts`` compares
first cells on Expert, ``--clicks`` counts the clicks of each style on N games of a level that the plain bot plays, and
``--thinks`` times the plain bot's thoughts in N Expert games, as a run on a screen has them. ``--first`` begins with a
later game of the same run, so that many games can be played in pieces.
Importing and compiling are not timed. No cell that is certain may be wrong, every count must fit, and of the cells with
a chance that share must be mines. Exit code 1 when an answer is wrong or, from 20,000 games on, a limit is passed.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from functools import cache
from importlib.metadata import version

from autosolve.analysis.rates import wilson
from autosolve.board.shape import Cell, Shape, cells_in
from autosolve.bot.blind import play_blind
from autosolve.bot.think import think
from autosolve.clicks.plan import Style
from autosolve.generate.deal import SplitMix64, deal
from autosolve.generate.game import Field, Game, State
from autosolve.kernels.game import FirstClick
from autosolve.kernels.play import BulkPlayer, Played, Ways
from autosolve.solver.guess import Policy

LEVELS = {"Beginner": (Shape(9, 9), 10), "Intermediate": (Shape(16, 16), 40), "Expert": (Shape(16, 30), 99)}
# Expert, as published: with a safe first cell 38.6 to 41.1 %, with a guaranteed opening 52.8 to 54.3 %, by policy
TARGET, LIMIT_MS = 0.41, 60.0


def expect(what: str, good: bool) -> None:
    """Ends the run where an answer is wrong: its time is worth nothing."""
    if not good:
        sys.exit(f"wrong: {what}")


def run(
    shape: Shape, mines: int, way: Ways, start: Cell, rule: FirstClick, games: int, seed: int, first: int = 0
) -> tuple[Played, float]:
    """The games, and milliseconds a game of processor time."""
    player = BulkPlayer(shape, mines, way)
    player.play(start, rule, seed=seed ^ 1, first=0, games=1)
    begin = time.thread_time()
    played = player.play(start, rule, seed=seed, first=first, games=games)
    taken = 1000 * (time.thread_time() - begin) / games
    expect("a certain cell is certain", played.wrong == 0)
    expect("every count fits", played.capped == 0)
    return played, taken


def line(name: str, played: Played, taken: float) -> None:
    low, high = wilson(played.won, played.games)
    print(
        f"  {name:<44} {100 * played.won / played.games:6.2f} %  ({100 * low:.2f} to {100 * high:.2f})"
        f"  {played.guesses / played.games:5.2f} guesses  {taken:6.2f} ms a game",
        flush=True,
    )


def calibration(played: Played) -> None:
    print("  chance told    cells     mines among them")
    for bucket, (cells, mined) in enumerate(zip(played.cells, played.mined, strict=True)):
        if cells:
            print(f"  {5 * bucket:3} to {5 * bucket + 5:3} % {cells:10} {100 * mined / cells:8.2f} %")
            low, high = wilson(mined // 10, max(1, cells // 10), z=5)
            expect("chances are those met", cells < 500 or (low < (bucket + 1) / 20 and high > bucket / 20))


def clicks(name: str, games: int, seed: int, first: int = 0) -> None:
    """Clicks by style on games that are won, beside their 3BV. Every game is thought through once for all styles."""
    shape, mines = LEVELS[name]
    sums = {style: [0, 0, 0] for style in Style}
    for k in range(first, first + games):

        def dealt(cell: Cell, k: int = k) -> Field:
            return Field(shape, deal(shape, mines, cell, FirstClick.OPENING, SplitMix64.of_game(seed, k)))

        thinking = cache(think)
        for style in Style:
            game = play_blind(shape, dealt, first="opening", policy=Policy.SAFETY, style=style, thinking=thinking)
            expect("games are lost by guesses alone", bool(game.won or game.by_guess))
            if game.won:
                told = (1, game.clicks, game.field.three_bv)
                sums[style] = [a + b for a, b in zip(sums[style], told, strict=True)]
    for style, (won, total, bv) in sums.items():
        print(
            f"  {name:<13} {style.value:<7} {won:5} won games, 3BV {bv / max(1, won):6.1f},"
            f" {total / max(1, won):6.1f} clicks, {total / max(1, bv):.2f} a 3BV",
            flush=True,
        )


def thinks(games: int, seed: int) -> None:
    """Milliseconds of processor time per thought of the plain bot, guesses apart."""
    shape, mines = LEVELS["Expert"]
    spent: dict[bool, list[float]] = {False: [], True: []}
    for k in range(games):
        board = Field(shape, deal(shape, mines, Cell(0), FirstClick.SAFE, SplitMix64.of_game(seed, k)))
        game = Game(board).reveal(Cell(0))
        while game.state is State.PLAYING:
            begin = time.thread_time()
            thought = think(game.puzzle, Policy.AHEAD, "safe")
            spent[thought.guess is not None].append(1000 * (time.thread_time() - begin))
            for cell in cells_in(thought.opening):
                game = game.reveal(cell)
    for guessing, name in ((False, "something certain"), (True, "a guess")):
        times = sorted(spent[guessing])
        print(
            f"  {name:<18} {len(times):5} thoughts, median {times[len(times) // 2]:7.2f} ms, nine of ten below"
            f" {times[9 * len(times) // 10]:7.1f} ms, most {times[-1]:7.1f} ms"
        )
    every = sorted(spent[False] + spent[True])
    print(f"  {'all':<18} {len(every):5} thoughts, median {every[len(every) // 2]:7.2f} ms")


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--games", type=int, default=2000)
    ask.add_argument("--seed", type=int, default=5)
    ask.add_argument("--starts", action="store_true")
    ask.add_argument("--clicks", type=int, default=0)
    ask.add_argument("--thinks", type=int, default=0)
    ask.add_argument("--first", type=int, default=0)
    ask.add_argument("--level", choices=list(LEVELS))
    given = ask.parse_args()
    print(
        f"Python {platform.python_version()}, numba {version('numba')}, {platform.machine()}, {os.cpu_count()} cores,"
    )
    print(f"load {os.getloadavg()[0]:.1f}; seed {given.seed}, {given.games} games a line")
    if given.starts:
        shape, mines = LEVELS["Expert"]
        for rule in (FirstClick.SAFE, FirstClick.OPENING):
            for at in ((0, 0), (0, 15), (1, 1), (2, 2), (3, 3), (8, 15)):
                name = f"Expert, {rule.name.lower()}, first {shape.name(shape.cell(*at))}"
                line(name, *run(shape, mines, Ways.AHEAD, shape.cell(*at), rule, given.games, given.seed))
        return
    if given.clicks:
        for name in [given.level] if given.level else LEVELS:
            clicks(name, given.clicks, given.seed, given.first)
        return
    if given.thinks:
        thinks(given.thinks, given.seed)
        return
    failed = False
    for name, (shape, mines) in LEVELS.items():
        if given.level not in (None, name):
            continue
        for rule, at in ((FirstClick.SAFE, (0, 0)), (FirstClick.OPENING, (2, 2))):
            for way in Ways:
                played, taken = run(shape, mines, way, shape.cell(*at), rule, given.games, given.seed, given.first)
                line(f"{name}, {rule.name.lower()}, {way.name.lower()}", played, taken)
                if name == "Expert" and way is Ways.AHEAD and rule is FirstClick.SAFE:
                    calibration(played)
                    short = played.won / played.games < TARGET or taken > LIMIT_MS
                    failed = given.games >= 20_000 and short
    if failed:
        sys.exit(f"Expert with a safe first corner: below {100 * TARGET:.0f} % or above {LIMIT_MS:.0f} ms a game")


if __name__ == "__main__":
    main()
