"""Owns the live assistant: it looks at a board again and again and says what is certain there, and clicks nothing.

``advise`` is the thinking, one reading at a time. ``watch`` is the looking: it reads anew only when the picture of the
board has changed and come to rest. What it says is shown by a ``Window``, which must never be read itself: where it
lies beside the board its rectangle is painted out of every picture, where it lies over the board it is hidden before
the board is read.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from types import MappingProxyType
from typing import Protocol

from autosolve.board.puzzle import Puzzle, Totals
from autosolve.board.shape import Cell, CellSet, Shape, cells_in
from autosolve.bot.desk import POLL, Desk
from autosolve.bot.think import think
from autosolve.bot.watch import around, same, stands
from autosolve.clicks import plan as planner
from autosolve.clicks.plan import ClickPlan, Purpose
from autosolve.errors import BoardNotFound, Clash, Undecided
from autosolve.solver import hybrid
from autosolve.solver.count import odds as count_odds
from autosolve.solver.deduction import Solution
from autosolve.solver.guess import Policy
from autosolve.vision import read as eye
from autosolve.vision.frame import Box, Frame, Monitor, Point, Screen
from autosolve.vision.profile import Profile, Symbol
from autosolve.vision.read import Reading
from autosolve.vision.refusal import name_cells, refusal

LOOK = 0.15  # seconds between two looks at a board that is known
SEARCH = 0.5  # the same while there is none; a search takes far longer than a look
SETTLE = 0.25  # seconds in which a page paints again what a window over it had hidden
FADE = 1.0  # seconds that a window may take to come up
PATIENT = 2.0  # seconds between two looks at most, where marks have come and gone for nothing
REST = 3.0  # seconds after which a board that never comes to rest is read as it is
_NOTHING = 127  # grey
DOUBT = 0.25  # share of cells that may be unreadable, a pointer on them for example; beyond it nothing is said


class Standing(Enum):
    """How things stand on the board.

    ``NONE``     no board is to be seen              ``UNREADABLE``  too much of it cannot be read
    ``SURE``     something is certain                ``ODDS``        nothing is, there are chances
    ``OPEN``     nothing is, and nothing is counted: too much work, or a board with more than one solution
    ``DONE``     all that is certain is there        ``LOST``        a mine was opened
    ``CLASH``    the clues contradict each other
    """

    NONE = "no-board"
    UNREADABLE = "unreadable"
    SURE = "sure"
    ODDS = "odds"
    OPEN = "open"
    DONE = "done"
    LOST = "lost"
    CLASH = "contradiction"


@dataclass(frozen=True, slots=True)
class Advice:
    """What there is to say.

    ``mines``     cells proven to be mines that have no flag yet
    ``safe``      cells proven to be safe, where a click opens them
    ``wrong``     flags on cells proven to be safe
    ``chances``   of a mine in every covered cell, where nothing is certain
    ``guess``     the cell with the least chance of a mine then; ``free`` where the site makes a first click safe
    ``solution``  all that is certain, and ``plan`` the clicks that a bot would make of it
    """

    standing: Standing
    text: str
    reading: Reading | None = None
    mines: CellSet = 0
    safe: CellSet = 0
    wrong: CellSet = 0
    chances: Mapping[Cell, float] = field(default_factory=lambda: MappingProxyType({}))
    guess: Cell | None = None
    free: bool = False
    solution: Solution | None = None
    plan: ClickPlan = field(default_factory=ClickPlan)


class Window(Protocol):
    """What shows the advice; stands beside it."""

    def boxes(self) -> Sequence[Box]:
        """What it covers of the screen while it is shown, in screen points; nothing there is ever read."""
        ...

    def over(self) -> bool:
        """Whether it lies over the board, so that it must be hidden before the board is read."""
        ...

    def show(self, advice: Advice, monitors: Sequence[Monitor]) -> None:
        """Shows this, and shows itself."""
        ...

    def hide(self) -> None:
        """Takes itself off the screen until the next ``show``."""
        ...

    def alive(self) -> bool:
        """Lets the window react; whether a person has left it open."""
        ...


# ---------------------------------------------------------------- thinking


def advise(reading: Reading, size: Shape | None = None, mines: int | None = None) -> Advice:
    """What a reading comes to.

    ``size``   as ``refusal`` has it    ``mines``  on the whole board, where the site does not show it

    Cells that cannot be told, as few as there are under a pointer, are taken for covered, which spoils no proof."""
    shape, games = reading.grid.shape, reading.profile.kind != "clues"
    if lost := reading.where(Symbol.EXPLODED):
        return Advice(Standing.LOST, f"A mine was opened at {name_cells(shape, lost)}.", reading)
    refused = refusal(reading, size)
    if refused is not None and (reading.grid.cut or len(reading.doubts) > DOUBT * shape.size):
        return Advice(Standing.UNREADABLE, f"{refused} {refused.remedy}", reading)
    puzzle = _facts(reading, mines)
    try:
        advice = _advise_game(reading, puzzle) if games else _advise_clues(reading, puzzle)
    except Clash as clash:
        return Advice(Standing.CLASH, f"{clash} {clash.remedy}", reading)
    if refused is not None:
        return replace(advice, text=f"{advice.text} Not read: {name_cells(shape, reading.doubtful)}.")
    return advice


def _facts(reading: Reading, mines: int | None) -> Puzzle:
    known = (mines, reading.totals.mines, reading.profile.play.sizes.get(reading.grid.shape))
    total = next((number for number in known if number is not None), None)
    return replace(reading.puzzle, totals=replace(reading.totals, mines=total))


def _advise_clues(reading: Reading, puzzle: Puzzle) -> Advice:
    """On a board that shows all its clues: which flags are missing, and which are wrong."""
    solution = hybrid.solve(puzzle)
    plan = planner.make(reading, solution.mines, solution.safe)
    missing, wrong = plan.where(Purpose.FLAG), plan.where(Purpose.UNDO)
    shape = reading.grid.shape
    said = [
        f"{_count(cells, what)}: {name_cells(shape, cells)}."
        for cells, what in ((wrong, "wrong flag"), (missing, "mine"))
        if cells
    ]
    standing = Standing.SURE if said else Standing.DONE if solution.unique else Standing.OPEN
    text = {
        Standing.SURE: " ".join(said),
        Standing.DONE: "All mines are flagged.",
        Standing.OPEN: f"Nothing more is certain; not decided: {name_cells(shape, solution.undecided)}.",
    }[standing]
    return Advice(standing, text, reading, missing, 0, wrong, solution=solution, plan=plan)


def _advise_game(reading: Reading, puzzle: Puzzle) -> Advice:
    """Where a click opens a cell: what is safe, else the chances."""
    shape = reading.grid.shape
    first = not puzzle.clues and not puzzle.mines
    if first:
        return _advise_first(reading, puzzle)
    solution = _solved(puzzle)
    flags = reading.marks.flags
    safe, wrong = solution.safe & ~flags & ~reading.doubtful, flags & solution.safe
    mines = solution.mines & ~flags & ~reading.doubtful
    plan = planner.advance(reading, solution.mines, solution.safe)
    said = [
        f"{_count(cells, what)}: {name_cells(shape, cells)}."
        for cells, what in ((wrong, "wrong flag"), (safe, "safe cell"), (mines, "mine"))
        if cells
    ]
    more = {"mines": mines, "safe": safe, "wrong": wrong, "solution": solution, "plan": plan}
    if solution.safe or not solution.undecided:
        if not solution.safe:
            return Advice(Standing.DONE, "Every safe cell is open.", reading, **more)  # type: ignore[arg-type]
        return Advice(Standing.SURE, " ".join(said), reading, **more)  # type: ignore[arg-type]
    try:
        found = count_odds(puzzle)
    except Undecided:
        text = " ".join(["Nothing is certain to be safe, and the chances take too much work.", *said])
        return Advice(Standing.OPEN, text, reading, **more)  # type: ignore[arg-type]
    chances = {cell: mined / found.models for cell, mined in found.mined_in.items()}
    guess = min(cells_in(solution.undecided & ~reading.doubtful), key=lambda c: chances[c], default=None)
    least = "" if guess is None else f" The least risk is {100 * chances[guess]:.1f} %, at {shape.name(guess)}."
    unknown = "" if puzzle.totals.mines is not None else " The number of mines is not known; --mines N tells it."
    text = " ".join([f"Nothing is certain to be safe.{least}{unknown}", *said])
    return Advice(Standing.ODDS, text, reading, chances=chances, guess=guess, **more)  # type: ignore[arg-type]


def _solved(puzzle: Puzzle) -> Solution:
    """What is certain. The number of mines is asked last, as ``think`` has it: a wrong one spoils no proof."""
    bare = hybrid.solve(replace(puzzle, totals=Totals()))
    if bare.safe or not bare.undecided or puzzle.totals.mines is None:
        return bare
    return hybrid.solve(puzzle)


def _advise_first(reading: Reading, puzzle: Puzzle) -> Advice:
    thought = think(puzzle, Policy.SAFETY, reading.profile.play.first)
    if thought.guess is None:
        return Advice(Standing.DONE, "Every safe cell is open.", reading, solution=thought.solution)
    cell = thought.guess.cell
    name = reading.grid.shape.name(cell)
    if thought.free:
        text = f"The first click is safe here; {name} is a good one."
    else:
        text = (
            f"Nothing is open yet. {name} is a good first click, a mine with {100 * float(thought.guess.risk):.1f} %."
        )
    chances: dict[Cell, float] = {}
    if thought.odds is not None and not thought.free:
        chances = {c: mined / thought.odds.models for c, mined in thought.odds.mined_in.items()}
    return Advice(
        Standing.ODDS, text, reading, chances=chances, guess=cell, free=thought.free, solution=thought.solution
    )


def _count(cells: CellSet, what: str) -> str:
    number = cells.bit_count()
    return f"{number} {what}{'' if number == 1 else 's'}"


# ---------------------------------------------------------------- looking


def watch(
    profiles: Profile | Sequence[Profile],
    screen: Screen,
    window: Window | None = None,
    *,
    monitor: int | None = None,
    region: Box | None = None,
    size: Shape | None = None,
    mines: int | None = None,
    on_advice: Callable[[Advice], None] | None = None,
    max_seconds: float | None = None,
    clock: Callable[[], float] = time.perf_counter,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Looks, reads when something has changed, shows and tells what follows, until the window is closed or the time is
    over.

    ``window``     may be None: then advice is only told    ``on_advice``  told of each advice that says something new

    All else is as ``bot.play`` has it. A board that is not there is waited for. Raises EnvironmentProblem, and WrongUse
    for a monitor that does not exist; KeyboardInterrupt passes through."""
    sites = (profiles,) if isinstance(profiles, Profile) else tuple(profiles)
    desk = Desk(sites, _Unseen(screen, window), None, region, size, mines, None, clock, sleep, monitor)
    desk.began = clock()
    watching = _Watch(desk, sites, window, on_advice, max_seconds)
    try:
        while not watching.over:
            watching.round()
    finally:
        if window is not None:
            window.hide()


@dataclass(frozen=True, slots=True)
class _Unseen:
    """A screen on whose pictures the window is painted out: one flat colour, nothing that could be read."""

    screen: Screen
    window: Window | None

    def monitors(self) -> tuple[Monitor, ...]:
        return self.screen.monitors()

    def grab(self, box: Box) -> Frame:
        frame = self.screen.grab(box)
        for own in self.window.boxes() if self.window is not None else ():
            inside = own.clipped(frame.box)
            if inside.width > 0 and inside.height > 0:
                frame = _painted_out(frame, inside)
        return frame


def _painted_out(frame: Frame, box: Box) -> Frame:
    left, top = frame.to_pixel(Point(box.x, box.y))
    right, bottom = frame.to_pixel(Point(box.right, box.bottom))
    pixels = frame.pixels.copy()
    pixels[math.floor(top) : math.ceil(bottom), math.floor(left) : math.ceil(right)] = _NOTHING
    return Frame(pixels, frame.origin, frame.scale)


@dataclass(slots=True)
class _Watch:
    """One time of watching: what was seen last, and what was said of it.

    ``seen``      the pictures in which nothing has changed since: of the board, or of all views where there is none
    ``patience``  seconds to the next look; longer after each for which marks had to be hidden in vain
    """

    desk: Desk
    sites: tuple[Profile, ...]
    window: Window | None
    on_advice: Callable[[Advice], None] | None
    max_seconds: float | None
    reading: Reading | None = None
    seen: list[Frame] = field(default_factory=list)
    said: Advice | None = None
    patience: float = LOOK

    @property
    def over(self) -> bool:
        late = self.max_seconds is not None and self.desk.clock() - self.desk.began > self.max_seconds
        return late or (self.window is not None and not self.window.alive())

    def round(self) -> None:
        """One look, and what follows where something has changed."""
        if not self._changed():
            self.patience = LOOK
            self._pause(LOOK if self.reading is not None else SEARCH)
            return
        hidden = self._hide()
        began = self.desk.clock()
        last, self.reading = self.reading, None
        if last is not None:
            self.reading = self._read_there(last)
        if self.reading is None:
            self.reading = self._find()
        news = self._say(self.reading)
        self.seen = self._rested()
        # marks that come and go for nothing, as for a cell that lights up under the pointer, are worse than late ones
        self.patience = min(PATIENT, 2 * self.patience) if hidden and not news else LOOK
        # a search that takes long on a screen that never rests may take no more than half of the machine's time
        self._pause(min(3.0, self.desk.clock() - began) if self.reading is None else self.patience)

    def _rested(self) -> list[Frame]:
        """The pictures with the window in them, once it has come up: some desktops fade windows in."""
        frames = self._look()
        if self.window is None or not self.window.over():
            return frames
        end = self.desk.clock() + FADE
        while self.desk.clock() < end:
            self._pause(2 * POLL)
            before, frames = frames, self._look()
            if all(same(one, other, one.box) for one, other in zip(before, frames, strict=True)):
                break
        return frames

    def _look(self) -> list[Frame]:
        if self.reading is None:
            return [self.desk.grab(view) for view in self.desk.views()]
        return [self.desk.grab(around(self.reading.grid, self.reading.profile.margins))]

    def _changed(self) -> bool:
        frames = self._look()
        return len(frames) != len(self.seen) or not all(
            same(one, other, one.box) for one, other in zip(self.seen, frames, strict=True)
        )

    def _read_there(self, last: Reading) -> Reading | None:
        """The board where it was, once it rests; None where it is there no longer."""
        frame, began = self._look_at(last), self.desk.clock()
        while self.desk.clock() - began < REST:
            self._pause(POLL)
            before, frame = frame, self._look_at(last)
            if same(before, frame, last.grid.box):
                break
        # a board all of whose cells are covered again is a new one: its counter may say something else
        if not stands(last, frame):
            return None
        try:
            found = eye.read(frame, last.profile, grid=last.grid)
        except BoardNotFound:
            return None
        if len(found.doubts) > DOUBT * last.grid.shape.size:
            return None
        # what is printed far from the board was read with the whole screen
        totals = found.totals if found.totals.mines is not None else replace(found.totals, mines=last.totals.mines)
        return _remembered(last, replace(found, totals=totals))

    def _look_at(self, last: Reading) -> Frame:
        return self.desk.grab(around(last.grid, last.profile.margins))

    def _find(self) -> Reading | None:
        self.desk.sites = self.sites
        try:
            return self.desk.find()
        except BoardNotFound:
            return None

    def _say(self, reading: Reading | None) -> bool:
        """Shows and tells what there is to say; whether that is new."""
        if reading is None:
            advice = Advice(Standing.NONE, "No board yet.")
        else:
            advice = advise(reading, self.desk.size, self.desk.mines)
        news = self.said is None or _new(self.said, advice)
        if self.on_advice is not None and news:
            self.on_advice(advice)
        self.said = advice
        if self.window is not None:
            self.window.show(advice, self.desk.screen.monitors())
            self._pause(POLL)
        return news

    def _hide(self) -> bool:
        """What lies over the board goes, and what was under it is painted again; whether there was any."""
        if self.window is None or not self.window.over():
            return False
        self.window.hide()
        self._pause(SETTLE)
        return True

    def _pause(self, seconds: float) -> None:
        """Waits; the window reacts meanwhile."""
        end = self.desk.clock() + seconds
        while (left := end - self.desk.clock()) > 0 and not self.over:
            self.desk.sleep(min(left, POLL))


def _remembered(last: Reading, found: Reading) -> Reading:
    """The reading with what single cells showed before, where they cannot be told now: most often a pointer lies on
    them. Only where all clues of before that can be told are there still, so that it is the same board: on it a clue
    stays, and a cell that was covered may have been opened since, which taking it for covered spoils no proof of."""
    cells = [c for c in found.doubts if c not in last.doubts]
    told = [c for c, s in enumerate(last.symbols) if s.number is not None and c not in last.doubts and c not in cells]
    if not cells or not all(found.symbols[c].number == last.symbols[c].number for c in told if c not in found.doubts):
        return found
    symbols = list(found.symbols)
    for c in cells:
        symbols[c] = last.symbols[c]
    return replace(
        found, symbols=tuple(symbols), doubts={c: why for c, why in found.doubts.items() if c in last.doubts}
    )


def _new(one: Advice, two: Advice) -> bool:
    """Whether two pieces of advice tell a person different things."""

    def told(advice: Advice) -> object:
        return advice.standing, advice.text, advice.mines, advice.safe, advice.wrong, advice.guess, dict(advice.chances)

    return told(one) != told(two)
