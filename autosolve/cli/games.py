"""Owns what is said of games where a click opens a cell: guesses before they are taken, a table of games, and all that
is needed to see why a certain cell was none."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autosolve.board.words import counted
from autosolve.cli import say

if TYPE_CHECKING:
    from autosolve.board.shape import Shape
    from autosolve.bot import Defect, GameTold, Lap, Outcome
    from autosolve.solver.deduction import Odds

POLICIES = ("safety", "progress", "look-ahead")
STYLES = ("flag", "noflag", "fewest")
DEFECT = "autosolve-defect"


def say_guess(lap: Lap) -> None:
    """The guess of a lap and its risk, before it is taken."""
    guess = lap.guess
    if guess is None:
        return
    name = lap.reading.grid.shape.name(guess.cell)
    if lap.free:
        say.note(f"First click: {name}, which is safe by the site's rule.")
        return
    unknown = "" if lap.total is not None else " The number of mines is not known and not used; --mines N tells it."
    win = "" if guess.win is None else f", {100 * float(guess.win):.1f} % to win from here"
    say.note(
        f"Nothing is certain: the best guess is {name}, a mine with {100 * float(guess.risk):.1f} %"
        f" (by {guess.policy.value}{win}).{unknown}"
    )


def say_game(told: GameTold, several: bool) -> None:
    """How a game ended, in one sentence."""
    bv = f" (3BV {told.three_bv})" if told.three_bv is not None else ""
    number = f"Game {told.number}: " if several else ""
    guesses = len(told.risks)
    risked = f", {guesses} guess{'es' * (guesses > 1)} with a risk of {100 * told.risk_taken:.1f} %" if guesses else ""
    if told.won:
        seen = "" if told.verified else ", as far as can be told: a message covers the board"
        said = f"won{seen}, {counted(told.clicks, 'click')}{bv}, {told.seconds:.1f} s{risked}."
    elif told.by_guess:
        risk = f" of {100 * float(told.risk):.1f} %" if told.risk is not None else ""
        said = f"lost by a guess{risk}, {counted(told.clicks, 'click')}, {told.seconds:.1f} s{risked}."
    else:
        said = f"lost on a cell that was certain, {counted(told.clicks, 'click')}, {told.seconds:.1f} s{risked}."
    say.note(f"{number}{said}" if several else said[:1].upper() + said[1:])


def table(games: tuple[GameTold, ...]) -> list[str]:
    """The games one by one, and all of them together, as lines."""
    head = f"{'game':>5} {'result':<15} {'guesses':>7} {'risk taken':>10} {'clicks':>6} {'3BV':>4} {'seconds':>8}"
    lines = [head]
    for told in games:
        result = "won" if told.won else "lost by guess" if told.by_guess else "lost, DEFECT"
        lines.append(
            f"{told.number:>5} {result:<15} {len(told.risks):>7} {100 * told.risk_taken:>8.1f} % {told.clicks:>6}"
            f" {told.three_bv if told.three_bv is not None else '-':>4} {told.seconds:>8.1f}"
        )
    won = sum(told.won for told in games)
    count = len(games)
    lines.append(
        f"{'all':>5} {f'{won} of {count} won':<15} {sum(len(t.risks) for t in games):>7}"
        f" {100 * sum(t.risk_taken for t in games) / count:>8.1f} % {sum(t.clicks for t in games) / count:>6.0f}"
        f" {'':>4} {sum(t.seconds for t in games) / count:>8.1f}"
    )
    return lines


def chances(shape: Shape, odds: Odds) -> list[list[float | None]]:
    """The chance of every covered cell by rows, null for others."""
    flat = [odds.mined_in[c] / odds.models if c in odds.mined_in else None for c in range(shape.size)]  # type: ignore[index]
    return [flat[i : i + shape.cols] for i in range(0, shape.size, shape.cols)]


def odds_lines(lap: Lap) -> list[str]:
    """The board with the chance of every covered cell in per cent."""
    assert lap.odds is not None
    shown = "".join(lap.reading.text)
    cols = lap.reading.grid.shape.cols
    return [
        " ".join(f"{shown[r * cols + c] if p is None else f'{100 * p:.1f}':>5}" for c, p in enumerate(row))
        for r, row in enumerate(chances(lap.reading.grid.shape, lap.odds))
    ]


def outcome_json(outcome: Outcome) -> dict[str, Any]:
    """What JSON says more of games."""
    last = outcome.last
    if last is None:
        return {}
    shape = last.reading.grid.shape
    data: dict[str, Any] = {"total": {"mines": outcome.total, "from": outcome.total_from}, "guess": None, "odds": None}
    if last.guess is not None:
        guess = last.guess
        data["guess"] = {
            "cell": list(shape.at(guess.cell)),
            "risk": float(guess.risk),
            "policy": guess.policy.value,
            "win": None if guess.win is None else float(guess.win),
            "safe_by_rule": last.free,
        }
    if last.odds is not None:
        data["odds"] = chances(shape, last.odds)
    data["games"] = [
        {
            "number": told.number,
            "result": "won" if told.won else "lost",
            "verified": told.verified,
            "lost_by": None if told.won else "guess" if told.by_guess else "certain cell",
            "risk": None if told.risk is None else float(told.risk),
            "risks": [float(risk) for risk in told.risks],
            "risk_taken": told.risk_taken,
            "clicks": told.clicks,
            "three_bv": told.three_bv,
            "laps": told.laps,
            "seconds": round(told.seconds, 3),
        }
        for told in outcome.games
    ]
    return data


def keep_defect(defect: Defect, home: Path = Path()) -> Path:
    """Saves what is needed to see why a certain cell was a mine into a new folder, and returns it: the pictures and the
    readings before and after, the facts, the clicks, and every step of the proof with its reasons."""
    from autosolve.errors import Clash
    from autosolve.solver.hybrid import solve
    from autosolve.vision import picture

    folder, number = home / DEFECT, 1
    while folder.exists():
        number += 1
        folder = home / f"{DEFECT}-{number}"
    folder.mkdir(parents=True)
    shape = defect.before.grid.shape
    for name, reading in (("before", defect.before), ("after", defect.after)):
        picture.save(str(folder / f"{name}.png"), reading.frame.pixels)
        (folder / f"{name}.txt").write_text("\n".join(reading.text) + "\n", encoding="utf-8")
    try:
        steps = solve(defect.puzzle, explain=True).steps
        reasons = [f"{shape.names(step.cells)} {step.verdict.value}: {step.text}" for step in steps]
    except Clash as clash:
        reasons = [str(clash)]
    (folder / "reasons.txt").write_text("\n".join(reasons) + "\n", encoding="utf-8")
    grid = defect.before.grid
    about = {
        "schema": 1,
        "site": defect.before.profile.name,
        "opened": [list(at) for at in shape.pairs(defect.cells)],
        "mines": defect.puzzle.totals.mines,
        "grid": {f.name: str(getattr(grid, f.name)) for f in dataclasses.fields(grid)},
        "scale": defect.before.frame.scale,
        "clicks": [
            {"cell": list(shape.at(c.cell)), "for": c.purpose.value, "button": c.button} for c in defect.plan.clicks
        ],
        "scores": [[round(float(v), 4) for v in row] for row in defect.before.scores],
        "margins": [[round(float(v), 4) for v in row] for row in defect.before.margins],
    }
    (folder / "defect.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    return folder
