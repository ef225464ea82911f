"""Owns the one loop: look, read, solve, plan, click, look again.

Legend: a *lap* is one look and the clicks that follow from it. A *view* is a rectangle of the screen that is looked
at, in screen points. The loop ends well when a fresh look shows every wanted flag and no other: then the plan is
empty. A swallowed click is simply missing again.

The bot names no device, no clock and no sleep of its own: it is handed a ``Screen``, a ``Mouse``, ``clock`` and
``sleep``, and does the same with the same pictures.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from types import MappingProxyType

import cv2

from autosolve.board.puzzle import Puzzle
from autosolve.board.shape import Cell, Shape, cell_set
from autosolve.clicks import plan as planner
from autosolve.clicks.plan import Click, ClickPlan, Mouse
from autosolve.errors import (
    AutosolveError,
    BoardNotFound,
    Clash,
    ClicksFailed,
    GameLost,
    Stopped,
    Undecided,
    Unreadable,
    WrongUse,
)
from autosolve.solver import hybrid
from autosolve.solver.deduction import Solution
from autosolve.vision import read as eye
from autosolve.vision.frame import Box, Frame, Monitor, Point, Screen
from autosolve.vision.grid import Grid
from autosolve.vision.profile import Profile, Symbol
from autosolve.vision.read import Reading
from autosolve.vision.refusal import name_cells, rank, refusal

ATTEMPTS = 3  # a click that failed so often is not made again
MOVES = 3  # so often a board may move to another place during one run
LOOKS = 12  # so often a board that changes while it is read is looked at again
BATCH = 8  # clicks between two checks that their cells still look as they were read
WINDOW = 24  # clicks the page may be behind before it is waited for
WITNESSES = 24  # clues that are looked at with every batch
QUICK_LOOK = 0.003  # seconds a look at one cell may take to be made before every click
TRUST = 3  # a look that takes longer is trusted for so many times what it took, then made again
TOLERANCE = 8  # levels of 255 by which a pixel may differ and still be the same

POLL = 0.03  # seconds between two pictures that must be equal
PATIENCE = 0.5  # seconds without a change after which a click is taken for lost when a later one has shown
LONG_PATIENCE = 3.0  # the same for the last click: the page may just be slow
RESTLESS = 4.0  # seconds after which a board that never comes to rest is given up
RECOVERY = 2.0  # seconds in which a board that went away may come back
NUDGE = 3.0  # points the pointer may stray from where it was put without a hand at the mouse
CORNER = 1.5  # points from a monitor's corner that count as the corner


class Result(Enum):
    """How a run ended; the value is its word in JSON."""

    SOLVED = "solved"
    UNDECIDED = "undecided"
    LOST = "lost"
    DRY_RUN = "dry-run"
    STOPPED = "stopped"
    NOT_FOUND = "not-found"
    UNREADABLE = "unreadable"
    CLASH = "clash"
    CLICKS_FAILED = "clicks-failed"
    FAILED = "failed"


_RESULT_OF: tuple[tuple[type[BaseException], Result], ...] = (
    (Stopped, Result.STOPPED),
    (Undecided, Result.UNDECIDED),
    (Unreadable, Result.UNREADABLE),
    (BoardNotFound, Result.NOT_FOUND),
    (Clash, Result.CLASH),
    (ClicksFailed, Result.CLICKS_FAILED),
    (GameLost, Result.LOST),
)


@dataclass(frozen=True, slots=True)
class Lap:
    """One look and what follows from it; ``solution`` is None where the reading is refused before any thinking."""

    number: int
    reading: Reading
    solution: Solution | None
    plan: ClickPlan


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run came to.

    ``reading``   the last look, None where no board was found
    ``solution``  the last solution, None where it did not come to that
    ``plan``      the last plan: what was still missing
    ``clicks``    presses made
    ``laps``      looks made
    ``verified``  whether a fresh look showed every flag that is certain, and nothing else
    ``seconds``   per "capture", "read", "solve", "click"; waiting for the page counts as capture
    """

    result: Result
    reading: Reading | None = None
    solution: Solution | None = None
    plan: ClickPlan = field(default_factory=ClickPlan)
    clicks: int = 0
    laps: int = 0
    verified: bool = False
    seconds: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))


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
    run = _Run(sites, screen, None if dry_run else mouse, region, size, mines, max_seconds, clock, sleep)
    run.monitor = monitor
    result = Result.FAILED
    try:
        result = run.walk(dry_run, partial, confirm, on_lap)
    except KeyboardInterrupt:
        result = Result.STOPPED
        raise Stopped(f"Stopped by the keyboard. {run.done}", "Run again to go on from here.") from None
    except AutosolveError as problem:
        result = next((r for kind, r in _RESULT_OF if isinstance(problem, kind)), Result.FAILED)
        raise
    finally:
        outcome = run.outcome(result)
        if on_end is not None:
            on_end(outcome)
    return outcome


@dataclass(slots=True)
class _Run:
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
    looked: float = 0.0  # when the last look at a cell about to be clicked ended
    look_cost: float = 0.0  # seconds it took
    unsure: bool = False  # whether clicks that do not show may still take effect
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

    # ------------------------------------------------------------ the loop

    def walk(
        self,
        dry_run: bool,
        partial: bool,
        confirm: Callable[[Lap], bool] | None,
        on_lap: Callable[[Lap], None] | None,
    ) -> Result:
        self.began = self.clock()
        reading = self.first_look()
        idle = 0
        for number in itertools.count(1):
            self.reading, self.laps, self.plan = reading, number, ClickPlan()
            self.check_time()
            solution, problem = self.consider(reading, partial)
            may_click = solution is not None and (problem is None or partial)
            if solution is not None and may_click:
                self.plan = planner.make(
                    reading, solution.mines, solution.safe, attempts=self.attempts, start=self.pointer()
                )
            lap = Lap(number, reading, solution, self.plan)
            if on_lap is not None:
                on_lap(lap)
            if problem is not None and (dry_run or not may_click):
                raise self.told(problem)
            if dry_run:
                return Result.DRY_RUN
            if not self.plan:
                self.verified = True
                if problem is not None:
                    raise _with(problem, f"What is certain is flagged. {self.done}")
                return Result.SOLVED
            if number == 1 and confirm is not None:
                if not confirm(lap):
                    raise Stopped("Stopped before the first click. Nothing was clicked.", "Run again to click.")
                self.left_at = None  # a hand was needed to answer
            self.refuse_hopeless(reading)
            pressed = self.perform(reading)
            # a lap in which nothing could be clicked because the board had changed is no progress
            idle = 0 if pressed else idle + 1
            if idle > MOVES:
                raise ClicksFailed(
                    f"The board changes again and again between the look and the click. {self.done}",
                    "Close what moves or covers it, then run again.",
                )
            reading = self.look_again(reading, pressed)
        raise AssertionError("the laps do not end by themselves")

    def consider(self, reading: Reading, partial: bool) -> tuple[Solution | None, AutosolveError | None]:
        """What follows from a reading, and what speaks against clicking; no solution where thinking is no use."""
        if lost := reading.where(Symbol.EXPLODED):
            where = name_cells(reading.grid.shape, lost)
            return None, GameLost(f"A mine was opened at {where}.", "Start a new game and run again.")
        refused = refusal(reading, self.size)
        if refused is not None and not partial:
            return None, refused
        puzzle = self.facts(reading)
        if self.solution is None or self.solution.puzzle != puzzle:
            try:
                with self.spent("solve"):
                    self.solution = hybrid.solve(puzzle)
            except Clash as clash:
                return None, _blame(clash, reading)
        if refused is None and not self.solution.unique:
            return self.solution, _undecided(self.solution)
        return self.solution, refused

    def told(self, problem: AutosolveError) -> AutosolveError:
        """A problem with what was done before it."""
        return _with(problem, self.done) if self.clicks else problem

    def facts(self, reading: Reading) -> Puzzle:
        puzzle = reading.puzzle
        if self.mines is not None:
            puzzle = dataclasses.replace(puzzle, totals=dataclasses.replace(puzzle.totals, mines=self.mines))
        return puzzle

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
            for site in self.sites:
                try:
                    with self.spent("read"):
                        found = eye.read(frame, site, size=self.size)
                except BoardNotFound as miss:
                    misses.append(miss)
                    continue
                key = rank(found)
                if best is None or key > best[0]:
                    best = key, found
            if best is not None and refusal(best[1]) is None:
                break
        if best is not None:
            return best[1]
        if len(misses) == 1:
            raise misses[0]
        where = f" on {len(views)} monitors" if len(views) > 1 else ""
        names = ", ".join(site.name for site in self.sites)
        raise BoardNotFound(f"No board of {names} was found{where}. {misses[0]}", misses[0].remedy)

    def first_look(self) -> Reading:
        """A reading of a board at rest, wherever it is, with the pointer off it."""
        for _ in range(LOOKS):
            self.check_time()
            reading = self.find()
            self.sites = (reading.profile,)
            if self.mouse is not None:
                self.spot = _parking(reading.grid, self.screen.monitors(), reading.frame)
            self.park(reading)
            self.wait(POLL)
            # what moves elsewhere on the screen is no matter
            if same(reading.frame, self.grab(_around(reading.grid)), reading.grid.box):
                return reading
        raise Unreadable(
            f"The board does not come to rest: it changed under {LOOKS} looks. {self.done}",
            "Wait until the page has loaded and nothing moves over the board, then run again.",
        )

    def look_again(self, last: Reading, pressed: Sequence[Click]) -> Reading:
        """A fresh reading after clicks: of the same place where the board is still there, else of where it went."""
        self.park(last)
        reading = self.look_there(last, pressed)
        if reading is not None and not (reading.doubtful & ~last.doubtful) and not _other_board(last, reading):
            return reading
        end = self.clock() + RECOVERY
        while True:
            try:
                reading = self.first_look()
            except BoardNotFound as miss:
                if self.clock() >= end:
                    raise BoardNotFound(
                        f"The board is no longer to be seen. {self.done} {miss}",
                        "Bring the board back to the front, then run again: it goes on from there.",
                    ) from None
            else:
                if refusal(reading) is None or self.clock() >= end:
                    break
            self.wait(4 * POLL)
        if _other_board(last, reading):
            refused = refusal(reading, self.size)
            if reading.grid.shape != last.grid.shape and refused is not None:
                raise self.told(refused)
            raise ClicksFailed(
                f"Another puzzle is shown now than the one that was solved. {self.done}",
                "Run again to solve the new one.",
            )
        if _moved(last.grid, reading.grid):
            self.moves += 1
            if self.moves > MOVES:
                raise ClicksFailed(
                    f"The board moved to another place {self.moves} times. {self.done}",
                    "Keep its window still, then run again.",
                )
        return reading

    def look_there(self, last: Reading, pressed: Sequence[Click]) -> Reading | None:
        """The board read at the place it was, once it is at rest and every click shows, or has had its time.

        None where it never comes to rest there, or is there no longer."""
        grid, view = last.grid, _around(last.grid)
        # Where clicks were made a second time without a sign that the first were lost, their late twins may still
        # undo them: then only a long quiet tells.
        twins = self.unsure and any(self.attempts[click.cell, last.symbols[click.cell]] > 1 for click in pressed)
        began = changed = self.clock()
        previous: Frame | None = None
        while True:
            self.check_time()
            frame = self.grab(view)
            now = self.clock()
            if previous is None or not same(previous, frame, grid.box):
                changed = now
                if now - began > RESTLESS + LONG_PATIENCE:
                    return None
            else:
                # A page handles clicks in their order: when the last one shows, one before it that does not is lost.
                shown = [_shows(last, frame, click) for click in pressed]
                if all(shown) and not twins:
                    self.unsure = False
                    break
                answered = not shown or shown[-1]
                if now - changed >= (LONG_PATIENCE + PATIENCE if twins else PATIENCE if answered else LONG_PATIENCE):
                    self.unsure = not answered
                    break
            previous = frame
            self.wait(POLL)
        if not stands(last, frame):
            return None
        with self.spent("read"):
            return eye.read(frame, last.profile, grid=grid)

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

    def perform(self, reading: Reading) -> list[Click]:
        """Makes the clicks of the plan, and returns those that were made: not all where the board changed, or
        where the page does not keep up."""
        assert self.mouse is not None
        made: list[Click] = []
        for first in range(0, len(self.plan.clicks), BATCH):
            batch = self.plan.clicks[first : first + BATCH]
            if not self.ready_for(reading, batch, made):
                break
            for click in batch:
                self.check_time()
                self.check_hand()
                if not self.cell_untouched(reading, click.cell):
                    return made
                with self.spent("click"):
                    self.mouse.click(click)
                self.left_at = click.at
                self.attempts[click.cell, reading.symbols[click.cell]] += 1
                self.clicks += 1
                made.append(click)
        return made

    def ready_for(self, reading: Reading, batch: Sequence[Click], made: Sequence[Click]) -> bool:
        """Whether a batch may be clicked: its cells look as they were read, the board stands where it stood, and
        the page has kept up with the clicks so far. A page that lags is waited for: it may show nothing at all
        while it works, and a click taken for lost would be made a second time."""
        recent = made[-WINDOW - BATCH :]
        view = _about(reading.grid, [click.cell for click in (*recent, *batch)])
        behind, least = len(recent), WINDOW
        changed = self.clock()
        while True:
            frame = self.grab(view)
            if not stands(reading, frame) or any(_shows(reading, frame, click) for click in batch):
                return False
            now, was = self.clock(), behind
            behind = next((i for i, click in enumerate(reversed(recent)) if _shows(reading, frame, click)), len(recent))
            if behind < least:
                return True
            if behind < was:
                changed = now
            elif now - changed >= LONG_PATIENCE:
                return False
            least = WINDOW // 2
            self.check_time()
            self.wait(POLL)

    def cell_untouched(self, reading: Reading, cell: int) -> bool:
        """The same for one cell right before its click; on screens that are slow to look at, not before every one."""
        began = self.clock()
        if self.look_cost > QUICK_LOOK and began - self.looked < TRUST * self.look_cost:
            return True
        box = _inside(reading.grid, cell)
        untouched = same(reading.frame, self.grab(box), box)
        self.looked = self.clock()
        self.look_cost = self.looked - began
        return untouched

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


# ---------------------------------------------------------------- pure parts


def same(one: Frame, other: Frame, box: Box) -> bool:
    """Whether two pictures show the same inside ``box`` (screen points), but for a few levels of noise. False
    where one of them does not reach over the box."""
    try:
        a, b = one.crop(box), other.crop(box)
    except WrongUse:
        return False
    if math.dist(a.origin, b.origin) > 0.1 or a.pixels.shape != b.pixels.shape:
        return False
    return float(cv2.norm(a.pixels, b.pixels, cv2.NORM_INF)) <= TOLERANCE


def stands(reading: Reading, frame: Frame) -> bool:
    """Whether a fresh picture of the board, or of a part of it, shows it where it was read: most of its clues look
    as they did.

    A clue may change its ground when a mark near it contradicts it; when the board moves all of them change, even
    where it moves by whole cells."""
    grid, box, cols = reading.grid, frame.box.grown(0.5), reading.grid.shape.cols
    down = range(math.ceil((box.y - grid.top) / grid.pitch_y), math.floor((box.bottom - grid.top) / grid.pitch_y))
    across = range(math.ceil((box.x - grid.left) / grid.pitch_x), math.floor((box.right - grid.left) / grid.pitch_x))
    clues = [c for c in _clues(reading) if c // cols in down and c % cols in across]
    witnesses = clues[:: max(1, len(clues) // WITNESSES)]
    kept = sum(same(reading.frame, frame, _inside(grid, cell)) for cell in witnesses)
    return 2 * kept >= len(witnesses)


@lru_cache(maxsize=2)
def _clues(reading: Reading) -> tuple[int, ...]:
    """The cells that show a number."""
    return tuple(c for c, symbol in enumerate(reading.symbols) if symbol.number is not None)


def _about(grid: Grid, cells: Sequence[int]) -> Box:
    """The part of the board that holds these cells and some clues around them."""
    boxes = [grid.cell_box(cell) for cell in cells]
    left, top = min(b.x for b in boxes), min(b.y for b in boxes)
    right, bottom = max(b.right for b in boxes), max(b.bottom for b in boxes)
    return Box(left, top, right - left, bottom - top).grown(3 * max(grid.pitch_x, grid.pitch_y)).clipped(grid.box)


def _shows(reading: Reading, frame: Frame, click: Click) -> bool:
    """Whether a click has taken some effect: its cell looks unlike it was read."""
    return not same(reading.frame, frame, _inside(reading.grid, click.cell))


def _around(grid: Grid) -> Box:
    """What is looked at to see a board again: it, and a cell's breadth of its surroundings."""
    return grid.box.grown(max(grid.pitch_x, grid.pitch_y))


def _inside(grid: Grid, cell: int) -> Box:
    """A cell without its rim, which its neighbours and the lines between may touch."""
    return grid.cell_box(cell).grown(-0.15 * min(grid.pitch_x, grid.pitch_y))


def _moved(one: Grid, other: Grid) -> bool:
    return (
        max(
            abs(one.left - other.left),
            abs(one.top - other.top),
            abs(one.box.right - other.box.right),
            abs(one.box.bottom - other.box.bottom),
        )
        > 0.2 * one.pitch_x
    )


def _parking(grid: Grid, monitors: Sequence[Monitor], frame: Frame) -> Point | None:
    """A place for the pointer: off the board, off the rims and corners of its monitor, and plain to look at.

    None where the board leaves no room at all."""
    board = grid.box
    centre = Point(board.x + board.width / 2, board.y + board.height / 2)
    home = [m.box for m in monitors if m.box.holds(centre)] or [m.box for m in monitors]
    pitch = max(grid.pitch_x, grid.pitch_y)
    spots: list[Point] = []
    for step in (1.0, 1.5, 2.5, 4.0):
        away = step * pitch
        for share in (0.5, 0.25, 0.75):
            x, y = board.x + share * board.width, board.y + share * board.height
            spots += [
                Point(board.right + away, y),
                Point(board.x - away, y),
                Point(x, board.bottom + away),
                Point(x, board.y - away),
            ]
    for box in home:
        spots += [
            Point(box.x + fx * box.width, box.y + fy * box.height)
            for fx, fy in ((0.97, 0.5), (0.03, 0.5), (0.5, 0.97), (0.5, 0.03), (0.97, 0.3), (0.03, 0.7))
        ]
    near = board.grown(0.5 * pitch)
    open_spots = [s for s in spots if not near.holds(s) and any(b.grown(-8).holds(s) for b in home)]
    if not open_spots:
        others = [m.box for m in monitors if m.box not in home]
        open_spots = [Point(b.x + b.width / 2, b.y + b.height / 2) for b in others]
    return min(open_spots, key=lambda s: _busyness(frame, s), default=None)


def _busyness(frame: Frame, spot: Point) -> float:
    """How much is drawn around a place: the spread of its pixels, in levels; a lot where the picture ends."""
    around = Box(spot.x - 12, spot.y - 12, 24, 24)
    if around.clipped(frame.box) != around:
        return 1000.0
    return round(float(frame.crop(around).pixels.std()))


def _other_board(one: Reading, two: Reading) -> bool:
    """Whether two readings are of different puzzles; a cell doubtful in one of them speaks for neither."""
    hidden = one.doubtful | two.doubtful
    return one.grid.shape != two.grid.shape or any(
        a.number != b.number
        for c, (a, b) in enumerate(zip(one.symbols, two.symbols, strict=True))
        if not hidden >> c & 1
    )


def _with(problem: AutosolveError, more: str) -> AutosolveError:
    """The same problem with a sentence added."""
    problem.args = (f"{problem} {more}",)
    return problem


def _undecided(solution: Solution) -> Undecided:
    shape = solution.puzzle.shape
    left = solution.undecided
    count = "1 cell is" if left.bit_count() == 1 else f"{left.bit_count()} cells are"
    if solution.other is None:
        return Undecided(
            f"{count} not decided by the work allowed: {name_cells(shape, left)}.",
            "--partial clicks what is certain.",
            cells=shape.pairs(left),
        )
    one, other = (mines & solution.differing for mines in solution.other)
    return Undecided(
        f"The board has more than one solution: {count} undecided. Two solutions differ here: with mines at"
        f" {name_cells(shape, one)}, or with mines at {name_cells(shape, other)}.",
        "Compare the clues near these cells with the screen; --mines N tells the total, --partial clicks what is"
        " certain.",
        cells=shape.pairs(solution.differing),
    )


def _blame(clash: Clash, reading: Reading) -> Clash:
    """A clash with the cells that were most likely misread: those the eye was least sure of."""
    shape = reading.grid.shape
    cells = sorted((float(reading.margins[at]), at) for at in clash.cells)
    if not cells:
        return clash
    named = ", ".join(
        f"{shape.name(shape.cell(*at))} (read as {reading.symbols[shape.cell(*at)].value}, margin {margin:.2f})"
        for margin, at in cells[:3]
    )
    return Clash(
        f"{clash} Most likely misread: {named}.",
        "Compare these cells with the screen; zoom in and run again. Nothing was clicked.",
        cells=clash.cells,
    )
