"""Owns the one loop: look, read, solve, plan, click, look again.

Legend: a *lap* is one look and the clicks that follow from it. Sites that show all their clues are flagged
(``clues``), sites where a click opens a cell are played (``games``); ``think`` is what the latter come to, without a
screen. The bot names no device, no clock and no sleep of its own: it is handed a ``Screen``, a ``Mouse``, ``clock``
and ``sleep``, and does the same with the same pictures.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from autosolve.board.shape import Shape
from autosolve.bot.clues import WINDOW, ClueRun
from autosolve.bot.desk import BATCH
from autosolve.bot.told import RESULT_OF, Lap, Outcome, Result
from autosolve.clicks.plan import Mouse
from autosolve.errors import AutosolveError, Stopped, WrongUse
from autosolve.vision import read as eye
from autosolve.vision.frame import Box, Screen
from autosolve.vision.profile import Profile

__all__ = ["BATCH", "WINDOW", "Lap", "Outcome", "Result", "eye", "play"]


def play(
    profiles: Profile | Sequence[Profile],
    screen: Screen,
    mouse: Mouse | None = None,
    *,
    monitor: int | None = None,
    region: Box | None = None,
    size: Shape | None = None,
    mines: int | None = None,
    dry_run: bool = False,
    partial: bool = False,
    confirm: Callable[[Lap], bool] | None = None,
    on_lap: Callable[[Lap], None] | None = None,
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
    ``confirm``      asked once before the first click; False stops
    ``on_lap``       told of every lap before its clicks, refused readings included
    ``on_end``       told what was done, once, whatever the ending: also right before an error leaves
    ``max_seconds``  stops the run after this time

    Raises BoardNotFound, Unreadable, Clash, Undecided (nothing was clicked, unless ``partial``), ClicksFailed,
    Stopped (Ctrl-C, a moved mouse, a pointer in a corner of the screen, ``max_seconds``), EnvironmentProblem, and
    WrongUse for a monitor that does not exist or a site that is played by opening cells.
    """
    given = (profiles,) if isinstance(profiles, Profile) else tuple(profiles)
    sites = tuple(site for site in given if site.kind == "clues")
    if given and not sites:
        raise WrongUse(
            f"{given[0].title} is played by opening cells, which is not done yet.",
            "Use a site that shows all its clues; 'autosolve sites' lists them.",
        )
    if not sites or (mouse is None and not dry_run):
        raise WrongUse("There is no site or no mouse to play with.", "Give both, or make a dry run.")
    run = ClueRun(sites, screen, None if dry_run else mouse, region, size, mines, max_seconds, clock, sleep)
    run.monitor = monitor
    result = Result.FAILED
    try:
        result = run.walk(dry_run, partial, confirm, on_lap)
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
