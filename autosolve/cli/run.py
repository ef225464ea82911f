"""Owns the main command, run: it introduces the bot to the screen and the mouse, and says what came of it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeGuard

import click

from autosolve.board.shape import Shape
from autosolve.board.words import counted
from autosolve.cli import games as told_games
from autosolve.cli import options, say, stopping
from autosolve.cli import record as recording

if TYPE_CHECKING:
    from autosolve.bot import GameTold, Lap, Outcome
    from autosolve.clicks.plan import Keyboard, Mouse
    from autosolve.errors import AutosolveError
    from autosolve.vision.frame import Box, Screen
    from autosolve.vision.profile import Profile

PREVIEW = "autosolve-preview.png"


def _seconds(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:
    if value is not None and not (math.isfinite(value) and 0 <= value <= 1e6):
        raise click.BadParameter(f"{value} is no number of seconds.")
    return value


@click.command()
@options.site(required=False)
@click.option("--dry-run", is_flag=True, help="Make a picture of what would be clicked; click nothing.")
@click.option("--confirm", is_flag=True, help="Make that picture, then ask before the first click.")
@click.option("--image", metavar="FILE", help="Use a saved screenshot for a screen; clicks nothing.")
@click.option("--overlay", metavar="FILE", help=f"Where the picture goes.  [default: {PREVIEW}, where one is made]")
@options.monitor
@options.region
@options.size
@options.variant
@options.save_doubtful
@click.option("--mines", type=click.IntRange(0), metavar="N", help="Mines on the whole board, if the site hides it.")
@click.option("--partial", is_flag=True, help="Click what is certain even if the rest is not; ends with 5 or 7 then.")
@click.option("--countdown", type=float, default=0, callback=_seconds, metavar="S", help="Wait before looking.")
@click.option("--delay", type=float, callback=_seconds, metavar="S", help="Seconds between two clicks.")
@click.option("--max-seconds", type=float, callback=_seconds, metavar="S", help="Stop after this time.")
@click.option(
    "--style",
    type=click.Choice(told_games.STYLES),
    default="flag",
    show_default=True,
    help="Games: flag every mine and chord, only open cells, or as few clicks as possible.",
)
@click.option(
    "--policy",
    type=click.Choice(told_games.POLICIES),
    default="look-ahead",
    show_default=True,
    help="Games: how a cell is chosen where nothing is certain.",
)
@click.option("--no-guess", is_flag=True, help="Games: stop where nothing is certain; ends with 7 then.")
@click.option(
    "--max-risk", type=click.FloatRange(0, 1), metavar="P", help="Games: take no guess riskier than P, 0 to 1."
)
@click.option(
    "--games", type=click.IntRange(1), default=1, metavar="N", help="Games: play N of them, with a table at the end."
)
@stopping.option
@recording.options
@options.as_json
@click.option("-v", "--verbose", is_flag=True, help="Say what every lap sees and does.")
def run(
    site: str,
    dry_run: bool,
    confirm: bool,
    image: str | None,
    overlay: str | None,
    monitor: int | None,
    region: Box | None,
    size: Shape | None,
    variant: str | None,
    save_doubtful: str | None,
    mines: int | None,
    partial: bool,
    countdown: float,
    delay: float | None,
    max_seconds: float | None,
    style: str,
    policy: str,
    no_guess: bool,
    max_risk: float | None,
    games: int,
    stop_key: str | None,
    record: str | None,
    record_screen: bool,
    as_json: bool,
    verbose: bool,
) -> None:
    """Find the board on the screen, solve it, click, and look again until nothing is missing.

    Where a click opens a cell, the game is played to its end: ends with 0 when all games are won, with 9 when one is
    lost.

    Move the mouse, push it into a corner of the screen or press Ctrl-C to stop.
    """
    from autosolve import bot
    from autosolve.errors import AutosolveError

    profiles = options.profiles(site, variant)
    dry_run = dry_run or image is not None
    recorder = recording.start(record, site, screens=record_screen)
    screen, mouse = _devices(profiles, image, dry_run, delay)
    stopper = stopping.start(stop_key, mouse is not None, delay)
    _count_down(countdown if image is None else 0)
    if overlay:
        from autosolve.vision import picture

        say.keep_input(image, str(picture.target(overlay)))
    report = _Report(overlay or (PREVIEW if dry_run or confirm else None), verbose, save_doubtful, games > 1)
    report.pace = getattr(mouse, "pace", None) if delay is None else None
    problem: AutosolveError | None = None
    try:
        bot.play(
            profiles,
            recorder.screen(screen),
            recorder.mouse(mouse),
            keyboard=stopper.keyboard(mouse) if _types(mouse) else None,
            monitor=monitor,
            region=region,
            size=size,
            mines=mines,
            dry_run=dry_run,
            partial=partial,
            style=bot.Style(style),
            policy=bot.Policy(policy),
            guesses=not no_guess,
            max_risk=max_risk,
            games=games,
            confirm=report.ask if confirm else None,
            on_game=report.game,
            on_lap=recorder.laps(stopper.laps(report.lap)),
            on_end=recorder.ends(report.end),
            max_seconds=max_seconds,
        )
    except AutosolveError as failure:
        problem = failure
    report.draw(problem)
    if report.outcome is not None:
        if as_json:
            kept = None if recorder.folder is None else str(recorder.folder.absolute())
            say.json_result({**_outcome_json(report.outcome, report.drawn, problem), "record": kept})
        else:
            _print(report.outcome)
    report.keep_defects()
    if problem is not None:
        recording.point_to(recorder, problem)
        raise problem
    report.summary()


def _devices(
    profiles: list[Profile], image: str | None, dry_run: bool, delay: float | None
) -> tuple[Screen, Mouse | None]:
    """The screen to look at and the mouse to click with: none in a dry run."""
    if image is not None:
        from autosolve.desktop.screen import Still
        from autosolve.vision import picture

        return Still(picture.load(image)), None
    from autosolve.desktop.screen import Desktop

    screen = Desktop()
    if dry_run:
        return screen, None
    from autosolve.desktop.mouse import Hand

    hold = max(profile.hold for profile in profiles)
    return screen, Hand(hold, max(profile.gap for profile in profiles) if delay is None else delay)


def _types(mouse: Mouse | None) -> TypeGuard[Keyboard]:
    """Whether the mouse comes with a keyboard."""
    return hasattr(mouse, "press")


def _count_down(seconds: float) -> None:
    """Waits, and says so, a line a second."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        say.note(f"Looking in {math.ceil(left)} s ...")
        time.sleep(min(left, 1.0))


@dataclass(slots=True)
class _Report:
    """What is told of a run while it goes on, and drawn of it."""

    overlay: str | None
    verbose: bool
    doubtful: str | None = None
    several: bool = False
    pace: Callable[[float, float], None] | None = None
    first: Lap | None = None
    outcome: Outcome | None = None
    drawn: str | None = None
    started: float = field(default_factory=time.monotonic)

    def lap(self, lap: Lap) -> None:
        if self.first is None and self.pace is not None:
            self.pace(lap.reading.profile.hold, lap.reading.profile.gap)
        self.first = self.first or lap
        options.keep_doubtful(lap.reading, self.doubtful, f"lap{lap.number}")
        if self.verbose:
            grid = lap.reading.grid
            say.note(
                f"Lap {lap.number}: {lap.reading.profile.name}, {grid.shape} at {grid.left:.1f}, {grid.top:.1f},"
                f" pitch {grid.pitch_x:.2f} x {grid.pitch_y:.2f}, certainty {lap.reading.certainty:.2f};"
                f" {len(lap.plan)} clicks to make."
            )

        told_games.say_guess(lap)

    def game(self, told: GameTold) -> None:
        told_games.say_game(told, self.several)

    def keep_defects(self) -> None:
        """Saves what is needed to see why a game was lost on a certain cell, and says where."""
        for told in self.outcome.games if self.outcome is not None else ():
            if told.defect is not None:
                say.note(f"All that is needed to see why is in {told_games.keep_defect(told.defect)}.")

    def ask(self, lap: Lap) -> bool:
        if lap.guess is not None:
            self.first, self.drawn = lap, None  # each guess has its own picture
        self.draw(None)
        count = len(lap.plan)
        asked = "Take the guess?" if lap.guess is not None else f"Make {count} click{'s' * (count != 1)}?"
        try:
            return click.confirm(asked, err=True)
        except click.Abort:
            return False

    def end(self, outcome: Outcome) -> None:
        self.outcome = outcome

    def draw(self, problem: AutosolveError | None) -> None:
        """The picture of the first lap: its plan, or what is wrong with it. Once."""
        from autosolve.clicks import overlay as painter
        from autosolve.errors import Clash, Undecided
        from autosolve.vision import picture

        if self.overlay is None or self.drawn is not None or self.first is None:
            return
        lap = self.first
        last = self.outcome.last if self.outcome is not None else None
        if isinstance(problem, Undecided) and last is not None:
            lap = last
        if isinstance(problem, Clash):
            pixels = painter.draw_clash(lap.reading, problem.cells)
        elif lap.odds is not None:
            chances = {cell: mined / lap.odds.models for cell, mined in lap.odds.mined_in.items()}
            pixels = painter.draw_odds(lap.reading, chances, lap.guess.cell if lap.guess is not None else None)
        else:
            pixels = painter.draw_plan(lap.reading, lap.solution, lap.plan)
        self.drawn = str(picture.save(self.overlay, pixels))
        say.note(f"The picture is {self.drawn}.")

    def summary(self) -> None:
        """The good end in one sentence."""
        done = self.outcome
        if done is None or done.solution is None:
            return
        if not done.games:  # each was told as it ended
            self.solved(done)
        if self.verbose:
            say.note(", ".join(f"{name} {spent:.2f} s" for name, spent in done.seconds.items()))

    def solved(self, done: Outcome) -> None:
        """What came of a board that shows its clues."""
        from autosolve.bot import Result

        assert done.solution is not None
        mines = done.solution.mines.bit_count()
        took = time.monotonic() - self.started
        if done.result is Result.DRY_RUN and done.last is not None:
            count = len(done.plan)
            say.note(f"{count} click{'s' * (count != 1)} would be made." if count else "The game is over: it is won.")
        elif done.result is Result.DRY_RUN:
            say.note(f"One solution with {mines} mines; {len(done.plan)} clicks would be made.")
        else:
            made = f"{counted(mines, 'mine')}, {counted(done.clicks, 'click')}, {counted(done.laps, 'look')}"
            say.note(f"Solved and verified: {made}, {took:.1f} s.")


def _print(outcome: Outcome) -> None:
    """The board as it came out: F on every proven mine, x on what is proven safe."""
    from autosolve.board.notation import solved_lines

    solution = outcome.solution
    if len(outcome.games) > 1:
        say.result("\n".join(told_games.table(outcome.games)))
    elif outcome.games and outcome.reading is not None:
        say.result("\n".join(outcome.reading.text))
    elif outcome.last is not None and outcome.last.odds is not None:
        say.result("\n".join(told_games.odds_lines(outcome.last)))
    elif solution is not None:
        say.result("\n".join(solved_lines(solution.puzzle, solution.mines, solution.safe)))
    elif outcome.reading is not None:
        say.result("\n".join(outcome.reading.text))


def _outcome_json(outcome: Outcome, drawn: str | None, problem: AutosolveError | None) -> dict[str, Any]:
    reading, solution = outcome.reading, outcome.solution
    data: dict[str, Any] = {
        "result": outcome.result.value,
        "laps": outcome.laps,
        "clicks": outcome.clicks,
        "verified": outcome.verified,
        "seconds": {name: round(spent, 4) for name, spent in outcome.seconds.items()},
        "grid": reading.text if reading is not None else None,
        "mines": [list(at) for at in solution.puzzle.shape.pairs(solution.mines)] if solution is not None else [],
        "overlay": drawn,
    }
    if reading is not None:
        data["site"] = reading.profile.name
    data |= told_games.outcome_json(outcome)
    if problem is not None:
        data["message"] = str(problem)
        data["cells"] = [list(at) for at in getattr(problem, "cells", ())]
    return data
