"""Owns the run on a site that shows all its clues: flag what is proven, and look again until nothing is missing.

The loop ends well when a fresh look shows every wanted flag and no other: then the plan is empty. A swallowed click
is simply missing again.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from autosolve.board.puzzle import Puzzle
from autosolve.bot.desk import (
    BATCH,
    LONG_PATIENCE,
    MOVES,
    PATIENCE,
    POLL,
    RECOVERY,
    RESTLESS,
    Desk,
    added,
)
from autosolve.bot.told import Lap, Result
from autosolve.bot.watch import about, around, inside, other_board, same, shows, stands
from autosolve.clicks import plan as planner
from autosolve.clicks.plan import Click, ClickPlan
from autosolve.errors import AutosolveError, BoardNotFound, Clash, ClicksFailed, GameLost, Stopped, Undecided
from autosolve.solver import hybrid
from autosolve.solver.deduction import Solution
from autosolve.vision import read as eye
from autosolve.vision.frame import Frame
from autosolve.vision.profile import Symbol
from autosolve.vision.read import Reading
from autosolve.vision.refusal import name_cells, refusal

WINDOW = 24  # clicks the page may be behind before it is waited for
QUICK_LOOK = 0.003  # seconds a look at one cell may take to be made before every click
TRUST = 3  # a look that takes longer is trusted for so many times what it took, then made again


@dataclass(slots=True)
class ClueRun(Desk):
    """One run on a site that shows all its clues."""

    looked: float = 0.0  # when the last look at a cell about to be clicked ended
    look_cost: float = 0.0  # seconds it took
    unsure: bool = False  # whether clicks that do not show may still take effect

    # ------------------------------------------------------------ the loop

    def walk(
        self,
        reading: Reading,
        dry_run: bool,
        partial: bool,
        confirm: Callable[[Lap], bool] | None,
        on_lap: Callable[[Lap], None] | None,
    ) -> Result:
        """Flags from a first reading on."""
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
                    raise added(problem, f"What is certain is flagged. {self.done}")
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
                return None, blame(clash, reading)
        if refused is None and not self.solution.unique:
            return self.solution, undecided(self.solution)
        return self.solution, refused

    def facts(self, reading: Reading) -> Puzzle:
        puzzle = reading.puzzle
        if self.mines is not None:
            puzzle = dataclasses.replace(puzzle, totals=dataclasses.replace(puzzle.totals, mines=self.mines))
        return puzzle

    # ------------------------------------------------------------ looking

    def look_again(self, last: Reading, pressed: Sequence[Click]) -> Reading:
        """A fresh reading after clicks: of the same place where the board is still there, else of where it went."""
        self.park(last)
        reading = self.look_there(last, pressed)
        if reading is not None and not (reading.doubtful & ~last.doubtful) and not other_board(last, reading):
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
        if other_board(last, reading):
            refused = refusal(reading, self.size)
            if reading.grid.shape != last.grid.shape and refused is not None:
                raise self.told(refused)
            raise ClicksFailed(
                f"Another puzzle is shown now than the one that was solved. {self.done}",
                "Run again to solve the new one.",
            )
        self.has_moved(last, reading)
        return reading

    def look_there(self, last: Reading, pressed: Sequence[Click]) -> Reading | None:
        """The board read at the place it was, once it is at rest and every click shows, or has had its time.

        None where it never comes to rest there, or is there no longer."""
        grid, view = last.grid, around(last.grid, last.profile.margins)
        # Where clicks were made a second time without a sign that the first were lost, their late twins may still
        # undo them: then only a long quiet tells.
        twins = self.unsure and any(self.attempts[click.cell, last.symbols[click.cell]] > 1 for click in pressed)

        def enough(frame: Frame, still: float) -> bool:
            # A page handles clicks in their order: when the last one shows, one before it that does not is lost.
            shown = [shows(last, frame, click) for click in pressed]
            if all(shown) and not twins:
                self.unsure = False
                return True
            answered = not shown or shown[-1]
            if still < (LONG_PATIENCE + PATIENCE if twins else PATIENCE if answered else LONG_PATIENCE):
                return False
            self.unsure = not answered
            return True

        frame = self.at_rest(grid, view, POLL, RESTLESS + LONG_PATIENCE, enough)
        if frame is None or not stands(last, frame):
            return None
        with self.spent("read"):
            return eye.read(frame, last.profile, grid=grid)

    # ------------------------------------------------------------ the hand

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
        view = about(reading.grid, [click.cell for click in (*recent, *batch)])
        behind, least = len(recent), WINDOW
        changed = self.clock()
        while True:
            frame = self.grab(view)
            if not stands(reading, frame) or any(shows(reading, frame, click) for click in batch):
                return False
            now, was = self.clock(), behind
            behind = next((i for i, click in enumerate(reversed(recent)) if shows(reading, frame, click)), len(recent))
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
        box = inside(reading.grid, cell)
        untouched = same(reading.frame, self.grab(box), box)
        self.looked = self.clock()
        self.look_cost = self.looked - began
        return untouched


# ---------------------------------------------------------------- in words


def undecided(solution: Solution) -> Undecided:
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


def blame(clash: Clash, reading: Reading) -> Clash:
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
