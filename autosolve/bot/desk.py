"""Owns what every run does with screen and mouse: find the board, look at it until it rests, keep the hand safe.

Legend: a *view* is a rectangle of the screen that is looked at, in screen points. No device, clock or sleep is named
here: a run is handed them, and does the same with the same pictures.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType

from autosolve.board.shape import Cell, Shape, cell_set
from autosolve.bot.told import Outcome, Result
from autosolve.bot.watch import around, moved, parking, same
from autosolve.clicks.plan import ClickPlan, Mouse
from autosolve.errors import AutosolveError, BoardNotFound, ClicksFailed, Stopped, Unreadable, WrongUse
from autosolve.solver.deduction import Solution
from autosolve.vision import read as eye
from autosolve.vision.frame import Box, Frame, Point, Screen
from autosolve.vision.grid import Grid
from autosolve.vision.profile import Profile, Symbol
from autosolve.vision.read import Reading, rank
from autosolve.vision.refusal import name_cells, refusal

ATTEMPTS = 3  # a click that failed so often is not made again
MOVES = 3  # so often a board may move to another place during one run
LOOKS = 12  # so often a board that changes while it is read is looked at again
BATCH = 8  # clicks between two checks that their cells still look as they were read

POLL = 0.03  # seconds between two pictures that must be equal
PATIENCE = 0.5  # seconds without a change after which a click is taken for lost when a later one has shown
LONG_PATIENCE = 3.0  # the same for the last click: the page may just be slow
RESTLESS = 4.0  # seconds after which a board that never comes to rest is given up
RECOVERY = 2.0  # seconds in which a board that went away may come back
NUDGE = 3.0  # points the pointer may stray from where it was put without a hand at the mouse
CORNER = 1.5  # points from a monitor's corner that count as the corner


@dataclass(slots=True)
class Desk:
    """One run: what was seen, done and spent so far."""

    sites: tuple[Profile, ...]
    screen: Screen
    mouse: Mouse | None
    region: Box | None
    size: Shape | None
    mines: int | None
    max_seconds: float | None
    clock: Callable[[], float]
    sleep: Callable[[float], None]
    monitor: int | None = None
    began: float = 0.0
    reading: Reading | None = None
    solution: Solution | None = None
    plan: ClickPlan = field(default_factory=ClickPlan)
    clicks: int = 0
    laps: int = 0
    verified: bool = False
    moves: int = 0
    spot: Point | None = None  # where the pointer waits while the board is looked at
    left_at: Point | None = None  # where the hand of the bot left the pointer
    attempts: Counter[tuple[Cell, Symbol]] = field(default_factory=Counter)
    seconds: dict[str, float] = field(default_factory=lambda: dict.fromkeys(("capture", "read", "solve", "click"), 0.0))

    def outcome(self, result: Result) -> Outcome:
        return Outcome(
            result,
            self.reading,
            self.solution,
            self.plan,
            self.clicks,
            self.laps,
            self.verified,
            MappingProxyType(dict(self.seconds)),
        )

    @property
    def done(self) -> str:
        """What was done so far, as a sentence."""
        if not self.clicks:
            return "Nothing was clicked."
        return f"{self.clicks} click{'s' * (self.clicks > 1)} {'were' if self.clicks > 1 else 'was'} made."

    @contextmanager
    def spent(self, on: str) -> Iterator[None]:
        began = self.clock()
        try:
            yield
        finally:
            self.seconds[on] += self.clock() - began

    def told(self, problem: AutosolveError) -> AutosolveError:
        """A problem with what was done before it."""
        return added(problem, self.done) if self.clicks else problem

    # ------------------------------------------------------------ looking

    def grab(self, view: Box) -> Frame:
        with self.spent("capture"):
            return self.screen.grab(view)

    def wait(self, seconds: float) -> None:
        with self.spent("capture"):
            self.sleep(seconds)

    def views(self) -> list[Box]:
        if self.region is not None:
            return [self.region]
        monitors = self.screen.monitors()
        chosen = [m for m in monitors if self.monitor in (None, m.number)]
        if not chosen:
            known = ", ".join(str(m.number) for m in monitors)
            raise WrongUse(f"There is no monitor {self.monitor}.", f"Monitors here: {known}, or 'all'.")
        return [m.box for m in chosen]

    def find(self) -> Reading:
        """The best reading of any site on any view; BoardNotFound where there is none."""
        best: tuple[tuple[float, ...], Reading] | None = None
        misses: list[BoardNotFound] = []
        views = self.views()
        for view in views:
            frame = self.grab(view)
            try:
                with self.spent("read"):
                    found = eye.read(frame, self.sites[0] if len(self.sites) == 1 else self.sites, size=self.size)
            except BoardNotFound as miss:
                misses.append(miss)
                continue
            key = rank(found)
            if best is None or key > best[0]:
                best = key, found
            if refusal(best[1]) is None:
                break
        if best is not None:
            return best[1]
        if len(misses) == 1:
            raise misses[0]
        raise BoardNotFound(f"There is no board on any of {len(views)} monitors. {misses[0]}", misses[0].remedy)

    def has_moved(self, last: Reading, reading: Reading) -> bool:
        """Whether the board lies elsewhere than before; ClicksFailed where it does so too often."""
        if not moved(last.grid, reading.grid):
            return False
        self.moves += 1
        if self.moves > MOVES:
            raise ClicksFailed(
                f"The board moved to another place {self.moves} times. {self.done}",
                "Keep its window still, then run again.",
            )
        return True

    def first_look(self) -> Reading:
        """A reading of a board at rest, wherever it is, with the pointer off it. What cannot be found or read may just
        be being drawn: it is looked at again a moment later."""
        missed = False
        for _ in range(LOOKS):
            self.check_time()
            try:
                reading = self.find()
            except BoardNotFound:
                if missed:
                    raise
                missed = True
                self.wait(PATIENCE)
                continue
            self.sites = (reading.profile,)
            if self.mouse is not None:
                self.spot = parking(reading.grid, self.screen.monitors(), reading.frame)
            self.park(reading)
            self.wait(POLL)
            # what moves elsewhere on the screen is no matter
            if not same(reading.frame, self.grab(around(reading.grid)), reading.grid.box):
                continue
            if refusal(reading, self.size) is not None:
                self.wait(PATIENCE)
                if not same(reading.frame, self.grab(around(reading.grid)), reading.grid.box):
                    continue
            return reading
        raise Unreadable(
            f"The board does not come to rest: it changed under {LOOKS} looks. {self.done}",
            "Wait until the page has loaded and nothing moves over the board, then run again.",
        )

    def at_rest(
        self, grid: Grid, view: Box, poll: float, most: float, enough: Callable[[Frame, float], bool]
    ) -> Frame | None:
        """A picture of a view once the board there has stood still for as long as is ``enough``: that is asked with the
        picture and the seconds since a change. ``poll`` seconds lie between two looks. None where it still changes
        after ``most`` seconds."""
        began = changed = self.clock()
        previous: Frame | None = None
        while True:
            self.check_time()
            frame = self.grab(view)
            now = self.clock()
            if previous is None or not same(previous, frame, grid.box):
                changed = now
                if now - began > most:
                    return None
            elif enough(frame, now - changed):
                return frame
            previous = frame
            self.wait(poll)

    # ------------------------------------------------------------ the hand

    def pointer(self) -> Point | None:
        return None if self.mouse is None else self.mouse.position()

    def refuse_hopeless(self, reading: Reading) -> None:
        """ClicksFailed for the clicks that have had all their attempts."""
        hopeless = cell_set(
            click.cell
            for click in self.plan.clicks
            if self.attempts[click.cell, reading.symbols[click.cell]] >= ATTEMPTS
        )
        if hopeless:
            count = hopeless.bit_count()
            raise ClicksFailed(
                f"{count} click{'s' * (count > 1)} did not take in {ATTEMPTS} attempts:"
                f" {name_cells(reading.grid.shape, hopeless)}. {self.done}",
                "See whether the page takes right clicks by hand, slow down with --delay 0.03, then run again.",
            )

    def park(self, reading: Reading) -> None:
        """Takes the pointer off the board, where it might hide a cell or light it up."""
        grid = reading.grid
        if self.mouse is None or self.spot is None:
            return
        if grid.box.grown(max(grid.pitch_x, grid.pitch_y) / 2).holds(self.mouse.position()):
            self.check_hand()
            self.mouse.move(self.spot)
            self.left_at = self.spot

    def check_hand(self) -> None:
        """Stopped where a person has taken the mouse."""
        assert self.mouse is not None
        at = self.mouse.position()
        for monitor in self.screen.monitors():
            box = monitor.box
            if min(abs(at.x - box.x), abs(at.x - (box.right - 1))) <= CORNER and (
                min(abs(at.y - box.y), abs(at.y - (box.bottom - 1))) <= CORNER
            ):
                raise Stopped(
                    f"The pointer is in a corner of the screen, the sign to stop. {self.done}",
                    "Move it out of the corner and run again to go on.",
                )
        if self.left_at is not None and math.dist(at, self.left_at) > NUDGE:
            raise Stopped(
                f"The mouse was moved by hand. {self.done}", "Run again to go on; leave the mouse alone meanwhile."
            )

    def check_time(self) -> None:
        if self.max_seconds is not None and self.clock() - self.began > self.max_seconds:
            raise Stopped(
                f"The time of {self.max_seconds:g} seconds is over. {self.done}", "Give more with --max-seconds."
            )


def added(problem: AutosolveError, more: str) -> AutosolveError:
    """The same problem with a sentence added."""
    problem.args = (f"{problem} {more}",)
    return problem
