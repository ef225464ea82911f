"""Owns the matrix of real programs: Debian's four Minesweepers played to the end on a virtual screen, and a table.

    python tools/play_matrix.py [PROGRAM ...] [--games N] [--size NAME] [--scale X] [--show]

Each program is started at two sizes and two scales, as it is for a person, and ``autosolve run --games N`` plays it.
Simon Tatham's boards need no guess: its own with ``--no-guess``, and as many with a layout given on the command line,
one start each. A game that is stopped counts as played; the program is then begun anew. ``--show`` prints what the
runs say. Exit code 1 when a game is lost on a cell that was certain, or one that needs no guess is not won.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

import games  # noqa: E402
from games import Layout, Program, SgtMines  # noqa: E402
from rig import Rig  # noqa: E402

from autosolve.board.shape import Shape, cells_in  # noqa: E402
from autosolve.kernels.noguess import Maker  # noqa: E402

KEPT = ROOT / "build" / "play-matrix"  # pictures of stopped games, and what defects left
SCREEN = (1900, 1200)
PATIENCE = 280  # seconds a run of games may take
HEAD = (
    f"{'program':<12} {'size':<10} {'scale':<11} {'games':>5} {'won':>4} {'guess':>6} {'stopped':>7} {'defects':>7}"
    f" {'seconds':>8} {'clicks':>7} {'per click':>9}"
)


@dataclass(frozen=True)
class Case:
    """A program at one size and scale. ``start`` begins it; ``certain``: its boards need no guess; ``once``: each game
    is a start of its own; ``more``: options of the run."""

    program: str
    size: str
    scale: str
    start: Callable[[Rig, int], Program]
    certain: bool = False
    once: bool = False
    more: tuple[str, ...] = ()


@dataclass
class Tally:
    """What came of a case; ``risks`` of the guesses that lost, ``notes`` what the stopped games said."""

    games: list[dict[str, Any]] = field(default_factory=list)
    stopped: list[str] = field(default_factory=list)
    certain: bool = False

    @property
    def played(self) -> int:
        return len(self.games) + len(self.stopped)

    @property
    def won(self) -> int:
        return sum(g["result"] == "won" for g in self.games)

    @property
    def guessed(self) -> list[float]:
        return [g["risk"] for g in self.games if g["lost_by"] == "guess"]

    @property
    def defects(self) -> int:
        return sum(g["result"] == "lost" and g["lost_by"] != "guess" for g in self.games)

    @property
    def wrong(self) -> bool:
        return bool(self.defects or any(not risk for risk in self.guessed) or (self.certain and self.won < self.played))


def shape_of(size: str) -> tuple[int, int, int]:
    """Rows, columns and mines of a size as in 9x12n10."""
    rows, rest = size.split("x")
    cols, mines = rest.split("n")
    return int(rows), int(cols), int(mines)


def certain_layout(size: str, number: int, seed: int) -> Layout:
    """A layout that certain steps clear from a 0 in its middle. The program is told that 0 as its first click."""
    rows, cols, mines = shape_of(size)
    shape = Shape(rows, cols)
    maker = Maker(shape)
    middle = shape.cell(rows // 2, cols // 2)
    if not maker.make(mines, middle, level=3, seed=seed, number=number).proven:
        raise SystemExit(f"no board of {size} that needs no guess was made")
    return Layout(rows, cols, frozenset(shape.at(c) for c in cells_in(maker.mine_set)), first=shape.at(middle))


# ---------------------------------------------------------------- the cases


def sgt(size: str, tile: int) -> Case:
    """Its own boards: every one can be won from wherever it is begun."""
    rows, cols, mines = shape_of(size)

    def start(rig: Rig, number: int) -> Program:
        program = Program(rig, "sgt-mines")
        program.sgt_mines(f"{cols}x{rows}n{mines}", tile)
        return program

    return Case("sgt-mines", size, f"tile {tile}", start, certain=True, more=("--no-guess", "--mines", str(mines)))


def sgt_known(size: str, tile: int, seed: int) -> Case:
    """Boards of ours by their description, the first click made."""

    def start(rig: Rig, number: int) -> Program:
        return SgtMines(rig, certain_layout(size, number, seed), tile=tile)

    more = ("--no-guess", "--mines", str(shape_of(size)[2]))
    return Case("sgt-mines", size, f"tile {tile}, id", start, certain=True, once=True, more=more)


def gnome(size: str, scale: int, name: str) -> Case:
    """GNOME Mines; ``name`` is what it calls the size."""

    def start(rig: Rig, number: int) -> Program:
        program = Program(rig, "gnome-mines")
        program.gnome_mines(name, scale=scale)
        return program

    return Case("gnome-mines", size, f"x{scale}", start)


def kde(size: str, scale: float, window: tuple[int, int]) -> Case:
    """KMines; ``window`` in points."""

    def start(rig: Rig, number: int) -> Program:
        program = Program(rig, "kmines")
        program.kmines(*shape_of(size), scale=scale, window=(round(window[0] * scale), round(window[1] * scale)))
        return program

    rows, cols, _ = shape_of(size)
    cell = scale * int(min(window[0] / (cols + 2), (window[1] - 85) / (rows + 2)))
    return Case("kmines", size, f"x{scale:g}, {cell:g} px", start)


def xde(size: str) -> Case:
    """xdemineur, whose cells have one size."""

    def start(rig: Rig, number: int) -> Program:
        program = Program(rig, "xdemineur")
        program.xdemineur(*shape_of(size))
        return program

    return Case("xdemineur", size, "21 px", start)


def cases(seed: int) -> list[Case]:
    """All there are: programs by sizes by scales."""
    return [
        *(sgt(size, tile) for size in ("9x9n10", "16x30n99") for tile in (20, 32)),
        *(sgt_known(size, tile, seed) for size in ("9x9n10", "16x30n99") for tile in (20, 32)),
        *(gnome(size, scale, name) for size, name in (("8x8n10", "small"), ("16x16n40", "medium")) for scale in (1, 2)),
        *(
            kde(size, scale, window)
            for size, scale, window in (
                ("9x9n10", 1.0, (620, 515)),
                ("9x9n10", 1.0, (720, 810)),
                ("9x9n10", 1.5, (430, 520)),
                ("16x16n40", 1.0, (760, 760)),
                ("16x16n40", 1.5, (460, 540)),
                ("16x16n40", 2.0, (470, 510)),
            )
        ),
        *(xde(size) for size in ("9x12n14", "16x30n99")),
    ]


# ---------------------------------------------------------------- playing them


def play(rig: Rig, case: Case, count: int, show: bool) -> Tally:
    """Plays ``count`` games of a case, beginning the program anew where a run is stopped before."""
    tally = Tally(certain=case.certain)
    while tally.played < count:
        program = case.start(rig, tally.played)
        rig.point(rig.size[0] // 2, rig.size[1] - 30)
        left = 1 if case.once else count - tally.played
        try:
            done = rig.autosolve(
                "run", "--site", case.program, "--games", str(left), "--json", *case.more, timeout=PATIENCE
            )
            if done.returncode not in (0, 9):
                KEPT.mkdir(parents=True, exist_ok=True)
                rig.photograph(KEPT / f"{case.program}-{case.size}-{case.scale.replace(' ', '')}-{tally.played}.png")
        finally:
            program.end()
        if show:
            print(done.stderr, file=sys.stderr, flush=True)
        try:
            said = json.loads(done.stdout)
        except ValueError:
            said = {"message": (done.stderr.strip().splitlines() or ["no word"])[-1]}
        told = said.get("games", [])
        tally.games += told
        if len(told) < left:
            tally.stopped.append(f"exit {done.returncode}: {said.get('message') or said.get('result')}")
        for kept in sorted(rig.folder.glob("autosolve-defect*")):
            KEPT.mkdir(parents=True, exist_ok=True)
            shutil.move(kept, KEPT / f"{case.program}-{case.size}-{kept.name}")
    return tally


def line(case: Case, tally: Tally) -> str:
    seconds = [g["seconds"] for g in tally.games if g["result"] == "won"]
    clicks = [g["clicks"] for g in tally.games if g["result"] == "won"]
    each = f"{1000 * sum(seconds) / sum(clicks):7.0f}ms" if sum(clicks) else "-"
    return (
        f"{case.program:<12} {case.size:<10} {case.scale:<11} {tally.played:>5} {tally.won:>4} {len(tally.guessed):>6}"
        f" {len(tally.stopped):>7} {tally.defects:>7} {mean(seconds):>8} {mean(clicks):>7} {each:>9}"
    )


def mean(values: list[float]) -> str:
    return f"{sum(values) / len(values):.1f}" if values else "-"


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("programs", nargs="*", metavar="PROGRAM", help=f"of {', '.join(games.PROGRAMS)}")
    ask.add_argument("--games", type=int, default=10)
    ask.add_argument("--size", help="only this size, as in 16x30n99")
    ask.add_argument("--scale", help="only scales that begin so")
    ask.add_argument("--seed", type=int, default=5, help="of the layouts by description")
    ask.add_argument("--show", action="store_true")
    given = ask.parse_args()
    missing = games.missing_games()
    if missing:
        sys.exit(f"not installed: {', '.join(missing)}")
    chosen = [
        case
        for case in cases(given.seed)
        if (not given.programs or case.program in given.programs)
        and given.size in (None, case.size)
        and case.scale.startswith(given.scale or "")
    ]
    if not chosen:
        sys.exit("no such case: see docs/how-it-plays.md for the programs, sizes and scales")
    print(f"{given.games} games each; seconds and clicks are means of the games that were won\n{HEAD}", flush=True)
    wrong = False
    for case in chosen:
        began = time.monotonic()
        with Rig(*SCREEN) as rig:
            tally = play(rig, case, given.games, given.show)
        print(line(case, tally), flush=True)
        if tally.guessed:
            print("    lost by guesses with risks of " + ", ".join(f"{100 * r:.1f} %" for r in tally.guessed))
        for reason in tally.stopped:
            print(f"    stopped, {reason}")
        if given.show:
            print(f"    {time.monotonic() - began:.0f} s in all", file=sys.stderr)
        wrong = wrong or tally.wrong
    if wrong:
        sys.exit("a certain cell was a mine, or a board that needs no guess was not won")


if __name__ == "__main__":
    main()
