"""Owns the counting table: boards with their number of solutions and of cells that are certain.

    python tools/make_counts.py >fixtures/counts.txt

The solver takes no part: small boards are counted by the plain brute force of the tests, larger ones by a formula
that stands beside them here.
"""

from __future__ import annotations

import random
import sys
from math import comb
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

# rows separated by /, headers before them by ;
BY_HAND = [
    ".",
    "1.",
    "...",
    "1.1/1.1",
    ".1./.1.",
    "...../12221",
    "......./0111110",
    ".../.8./...",
    "mines: 2;..../1221",
    "mines: 1;.1.../.1...",
    "mines: 0;..../....",
    "rows: 1 2 0;columns: 1 1 1;.../.../...",
    "rows: 2 ? 1;columns: ? 1 ? 2;..../.2../....",
    "rows: 1 1 1 1;..../..../..../....",
    "variant: mosaic;1./..",
    "variant: mosaic;.../.9./...",
    "variant: mosaic;2.1/.3./...",
    "variant: mosaic;mines: 3;...2/.3../....",
    "*1../11../....",
    "X1./..1",
    "mines: 3;*2.!/....",
    "..../2335/....",
    "3.../35../....",
]
FORMULAS = [
    ("mines: 99;" + "/".join(["." * 30] * 16), comb(480, 99), 0, 0),
    ("/".join(["." * 31] * 9), 2 ** (9 * 31), 0, 0),
    # 24 pairs of cells, each with two clues of its own that see nothing else
    ("/".join(["..", "11", "11", ".."] * 12), 2**24, 0, 0),
]
SEED, RANDOM = 7, 40


def compact(rows: list[str], *headers: str) -> str:
    return ";".join([*headers, "/".join(rows)])


def dealt(rng: random.Random) -> str:
    """A small board with some clues, and totals now and then."""
    rows, cols = rng.randint(1, 5), rng.randint(2, 6)
    mines = {(r, c) for r in range(rows) for c in range(cols) if rng.random() < 0.3}
    safe = [(r, c) for r in range(rows) for c in range(cols) if (r, c) not in mines]
    rng.shuffle(safe)
    shown = set(safe[: max(len(safe) * 3 // 5, rows * cols - 15)])
    board = [
        "".join(
            str(sum(max(abs(r - i), abs(c - j)) == 1 for i, j in mines)) if (r, c) in shown else "."
            for c in range(cols)
        )
        for r in range(rows)
    ]
    headers = []
    if rng.random() < 0.5:
        headers.append(f"mines: {len(mines)}")
    if rng.random() < 0.3:
        headers.append("rows: " + " ".join(str(sum(i == r for i, _ in mines)) for r in range(rows)))
    return compact(board, *headers)


def main() -> None:
    from reference import always, solutions

    from autosolve.board.notation import parse_board

    rng = random.Random(SEED)
    print("# solutions | certain mines | certain safe cells | board, made by tools/make_counts.py")
    for text in BY_HAND + [dealt(rng) for _ in range(RANDOM)]:
        puzzle = parse_board(text.replace(";", "\n").replace("/", "\n"))
        found = solutions(puzzle)
        mines, safe = always(puzzle) if found else (set(), set())
        print(f"{len(found)} | {len(mines)} | {len(safe)} | {text}")
    for text, number, certain, clear in FORMULAS:
        print(f"{number} | {certain} | {clear} | {text}")


if __name__ == "__main__":
    main()
