"""Owns the one loop: look, read, solve, plan, click, look again.

Legend: a *lap* is one look and the clicks that follow from it. Sites that show all their clues are flagged
(``clues``), sites where a click opens a cell are played (``games``); ``think`` is what the latter come to, without a
screen. The bot names no device, no clock and no sleep of its own: it is handed a ``Screen``, a ``Mouse``, ``clock``
and ``sleep``, and does the same with the same pictures.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence
from typing import Any

from autosolve.board.shape import Shape
from autosolve.bot.clues import WINDOW, ClueRun
from autosolve.bot.desk import BATCH, Desk
from autosolve.bot.games import GameRun, Rules
from autosolve.bot.told import RESULT_OF, Defect, GameTold, Lap, Outcome, Result
from autosolve.clicks.plan import Keyboard, Mouse, Style
from autosolve.errors import AutosolveError, Stopped, WrongUse
from autosolve.solver.guess import Policy
from autosolve.vision import read as eye
from autosolve.vision.frame import Box, Screen
from autosolve.vision.profile import Profile

__all__ = [
    "BATCH",
    "WINDOW",
    "Defect",
    "GameTold",
    "Lap",
    "Outcome",
    "Policy",
    "Result",
    "Style",
    "eye",
    "play",
]


def play(
    profiles: Profile | Sequence[Profile],
    screen: Screen,
    mouse: Mouse | None = None,
    *,
    keyboard: Keyboard | None = None,
    monitor: int | None = None,
    region: Box | None = None,
    size: Shape | None = None,
    mines: int | None = None,
    dry_run: bool = False,
    partial: bool = False,
    style: Style = Style.FLAG,
    policy: Policy = Policy.TREE,
    guesses: bool = True,
    max_risk: float | None = None,
    games: int = 1,
    confirm: Callable[[Lap], bool] | None = None,
    on_lap: Callable[[Lap], None] | None = None,
    on_game: Callable[[GameTold], None] | None = None,
    on_end: Callable[[Outcome], None] | None = None,
    max_seconds: float | None = None,
    clock: Callable[[], float] = time.perf_counter,
    sleep: Callable[[float], None] = time.sleep,
) -> Outcome:
    """Finds the board, reads and solves it, makes the clicks and looks again until nothing is missing.

    ``profiles``     the site, or several to try: the best reading wins
    ``mouse``        may be None in a dry run, which moves and clicks nothing
    ``monitor``      number of the monitor to look at; None looks at all of them, the main one first
    ``region``       look only here (screen points)
    ``size``         rows and columns the board is known to have
    ``mines``        number of mines on the whole board, where the site does not show it
    ``partial``      click what is certain even where cells are unreadable or undecided, then raise for those
    ``confirm``      asked once before the first click, and before every guess; False stops
    ``on_lap``       told of every lap before its clicks, refused readings included
    ``on_end``       told what was done, once, whatever the ending: also right before an error leaves
    ``max_seconds``  stops the run after this time

    Where a click opens a cell, the game is played to its end:

    ``keyboard``     presses the key for a new game, where that is how the site begins one
    ``style``        what is flagged, and whether numbers are chorded
    ``policy``       how a cell is chosen where nothing is certain
    ``guesses``      whether one may be opened at all     ``max_risk``  the largest risk that may be taken, 0 to 1
    ``games``        so many are played                   ``on_game``   told of each when it ends

    Raises BoardNotFound, Unreadable, Clash, Undecided (nothing was clicked, unless ``partial``; or a guess is needed
    that is not allowed), GameLost, ClicksFailed, Stopped (Ctrl-C, a moved mouse, a pointer in a corner of the screen,
    ``max_seconds``), EnvironmentProblem, and WrongUse for a monitor that does not exist, or for several games on a
    site of which it is not known how a new one is begun.
    """
    sites = (profiles,) if isinstance(profiles, Profile) else tuple(profiles)
    if not sites or (mouse is None and not dry_run):
        raise WrongUse("There is no site or no mouse to play with.", "Give both, or make a dry run.")
    hand = None if dry_run else mouse
    run: Desk = Desk(sites, screen, hand, region, size, mines, max_seconds, clock, sleep, monitor)
    result = Result.FAILED
    try:
        run.began = clock()
        reading = run.first_look()
        if reading.profile.kind == "clues":
            clues = run = ClueRun(**_carried(run))
            result = clues.walk(reading, dry_run, partial, confirm, on_lap)
        else:
            _check_games(reading.profile, games, keyboard)
            rules = Rules(style, policy, guesses, max_risk, games)
            game = run = GameRun(**_carried(run), rules=rules, keyboard=keyboard)
            result = game.walk(reading, dry_run, confirm, on_lap, on_game)
    except KeyboardInterrupt:
        result = Result.STOPPED
        raise Stopped(f"Stopped by the keyboard. {run.done}", "Run again to go on from here.") from None
    except AutosolveError as problem:
        result = next((r for kind, r in RESULT_OF if isinstance(problem, kind)), Result.FAILED)
        raise
    finally:
        outcome = run.outcome(result)
        if on_end is not None:
            on_end(outcome)
    return outcome


def _carried(desk: Desk) -> dict[str, Any]:
    """What a run of one kind takes over from the first look."""
    return {f.name: getattr(desk, f.name) for f in dataclasses.fields(Desk)}


def _check_games(site: Profile, games: int, keyboard: Keyboard | None) -> None:
    play = site.play
    if games < 1 or (games > 1 and play.new_at is None and (play.new_key is None or keyboard is None)):
        raise WrongUse(
            f"It is not known how {site.title} begins a new game." if games > 0 else "There is no game to play.",
            "Play one game, or say how with new_key or new_at in the site's site.toml.",
        )
