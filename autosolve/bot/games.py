"""Owns the run on a site where a click opens a cell: from the first click to won or lost, and on to the next game.

Opened are only cells that are proven safe, and where there are none, a guess whose risk is told before. A board that
moves or is covered gets no click: each cell is looked at right before its press, and a guess needs the whole board to
look as it was read.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from autosolve.board.puzzle import Puzzle, Totals
from autosolve.board.shape import Cell, CellSet, cell_set, cells_in
from autosolve.bot.desk import BATCH, LONG_PATIENCE, MOVES, PATIENCE, POLL, RECOVERY, RESTLESS, Desk
from autosolve.bot.memory import RIM, Memory, unseen
from autosolve.bot.think import Thought, think
from autosolve.bot.told import Defect, GameTold, Lap, Outcome, Result
from autosolve.bot.watch import around, inside, same, stands
from autosolve.clicks import plan as planner
from autosolve.clicks.plan import Click, ClickPlan, Keyboard, Purpose, Style
from autosolve.errors import (
    AutosolveError,
    BoardNotFound,
    Clash,
    ClicksFailed,
    GameLost,
    Stopped,
    Undecided,
    Unreadable,
)
from autosolve.generate.game import Field
from autosolve.solver import hybrid
from autosolve.solver.guess import Policy
from autosolve.vision import read as eye
from autosolve.vision.counter import all_mines
from autosolve.vision.frame import Box, Frame, Point
from autosolve.vision.grid import Grid
from autosolve.vision.profile import ENDED, Symbol
from autosolve.vision.read import Reading
from autosolve.vision.refusal import name_cells, refusal

QUICK_POLL = 0.015  # seconds between two looks at a board after clicks
FEW = 6  # numbers that must show for them to witness that a board has not moved
FRESH = 6.0  # seconds a new game may take to appear
KNOWN, TIMES_SLOWEST = 3, 4.0  # answers from which a program's pace is known; times the slowest one may take
LEAST_SLACK, MOST_SLACK = 0.04, 0.08  # seconds more after every click for programs that lose some
WITNESSES = 3  # so often the counter is looked at again, until it could be read
CLOSINGS = 3  # so often the key that closes a message is pressed


@dataclass(frozen=True, slots=True)
class Rules:
    """What a run of games may do: see ``bot.play``."""

    style: Style = Style.FLAG
    policy: Policy = Policy.TREE
    guesses: bool = True
    max_risk: float | None = None
    games: int = 1


@dataclass(slots=True)
class GameRun(Desk):
    """One run on a site where a click opens a cell."""

    rules: Rules = field(default_factory=Rules)
    keyboard: Keyboard | None = None
    memory: Memory = field(default_factory=Memory)
    total: int | None = None
    total_from: str | None = None
    counts: bool = True  # whether the site's counter is believed in
    witnesses: int = 0  # looks at the counter after the first; see ``witness``
    chords: bool = True  # whether the site's chord is believed in
    told_games: list[GameTold] = field(default_factory=list)
    risks: list[Fraction] = field(default_factory=list)
    last: Lap | None = None
    number: int = 1
    pressed_in: dict[Cell, Lap] = field(default_factory=dict)  # what a cell was opened in
    slack: float = 0.0  # seconds more after every click, since one was lost twice
    answers: list[float] = field(default_factory=list)  # seconds from clicks until all of them showed
    partial: Reading | None = None  # the last reading of a board that something lies over

    def outcome(self, result: Result) -> Outcome:
        return dataclasses.replace(
            Desk.outcome(self, result),
            games=tuple(self.told_games),
            last=self.last,
            total=self.total,
            total_from=self.total_from,
        )

    # ------------------------------------------------------------ the loop

    def walk(
        self,
        reading: Reading,
        dry_run: bool,
        confirm: Callable[[Lap], bool] | None,
        on_lap: Callable[[Lap], None] | None,
        on_game: Callable[[GameTold], None] | None,
    ) -> Result:
        """Plays from a first reading on. GameLost at the end where a game was lost."""
        self.memory.learn(reading)
        for number in range(1, self.rules.games + 1):
            self.number = number
            told = self.play_one(reading, dry_run, confirm, on_lap)
            if told is None:
                return Result.DRY_RUN
            self.told_games.append(told)
            self.verified = told.verified
            if on_game is not None:
                on_game(told)
            if told.defect is not None:
                break
            if number < self.rules.games:
                reading = self.new_game(self.reading or reading)
        lost = [told for told in self.told_games if not told.won]
        if lost:
            raise _lost(lost, len(self.told_games))
        return Result.SOLVED

    def play_one(
        self,
        reading: Reading,
        dry_run: bool,
        confirm: Callable[[Lap], bool] | None,
        on_lap: Callable[[Lap], None] | None,
    ) -> GameTold | None:
        """One game to its end; None after the first lap of a dry run."""
        began, clicks, laps = self.clock(), self.clicks, self.laps
        self.risks, self.attempts, idle = [], type(self.attempts)(), 0
        self.pressed_in = {}
        lap: Lap | None = None
        clashed = False

        def told(won: bool, verified: bool, after: Reading | None) -> GameTold:
            blow = None if won else self.blamed(after) or lap
            guessed = blow is not None and blow.guess is not None
            return GameTold(
                self.number,
                won,
                verified,
                self.clicks - clicks,
                self.laps - laps,
                self.clock() - began,
                tuple(self.risks),
                by_guess=None if won else guessed,
                risk=blow.guess.risk if blow is not None and blow.guess is not None else None,
                three_bv=_three_bv(after) if won and verified and after is not None else None,
                defect=_defect(blow, after) if blow is not None and after is not None and not guessed else None,
            )

        for count in itertools.count(1):
            self.reading, self.plan = reading, ClickPlan()
            self.laps += 1
            self.check_time()
            if lost := reading.where(*ENDED):
                if lap is None:
                    where = name_cells(reading.grid.shape, lost)
                    self.tell(Lap(count, reading, None, self.plan, game=self.number), on_lap)
                    raise GameLost(
                        f"This game is lost already: a mine shows at {where}.", "Start a new game and run again."
                    )
                return told(False, True, reading)
            refused = refusal(reading, self.size) if not unseen(reading) else None
            if refused is not None:
                self.tell(Lap(count, reading, None, self.plan, game=self.number), on_lap)
                raise self.told(refused)
            puzzle = self.facts(reading)
            try:
                with self.spent("solve"):
                    thought = think(puzzle, self.rules.policy, reading.profile.play.first)
            except Clash:
                if lap is None or clashed:
                    raise
                # what has just come over the board was taken for a part of it
                clashed, self.memory = True, Memory()
                try:
                    reading = self.look_again(lap.reading, (), whole=True)
                except (BoardNotFound, Unreadable):
                    if lap.solution is not None and self.must_be_won(lap, lap.solution.puzzle):
                        return told(True, False, None)
                    raise
                continue
            clashed = False
            if unseen(reading) and not thought.solution.safe & ~reading.doubtful:
                # what is new has to be told now
                self.laps -= 1
                try:
                    reading = self.complete(reading)
                except (BoardNotFound, Unreadable):
                    if self.must_be_won(lap, puzzle):
                        return told(True, False, None)
                    raise
                continue
            self.solution = thought.solution
            if not thought.over:
                self.plan = planner.advance(
                    reading,
                    thought.solution.mines,
                    thought.opening,
                    style=Style.NOFLAG if thought.guess else self.rules.style,
                    chords=self.chords,
                    attempts=self.attempts,
                    start=self.pointer(),
                )
            lap = Lap(
                count,
                reading,
                thought.solution,
                self.plan,
                thought.guess,
                thought.odds,
                thought.free,
                self.total,
                self.number,
            )
            self.tell(lap, on_lap)
            if thought.over:
                if dry_run:
                    return None
                final = self.look_closely(reading) if reading.doubts else reading
                return told(True, True, final)
            if thought.guess is not None and not thought.free:
                self.check_guess(thought)
            if dry_run:
                return None
            asked = confirm is not None and ((count == 1 and self.number == 1) or thought.guess is not None)
            if asked and confirm is not None:
                if not confirm(lap):
                    raise Stopped(f"Stopped before a click. {self.done}", "Run again to go on.")
                self.left_at = None  # a hand was needed to answer
            self.refuse_hopeless(reading)
            pressed = self.perform(reading, thought)
            for cell in cells_in(self.touched(reading, pressed)):
                self.pressed_in[cell] = lap
            if pressed and thought.guess is not None and not thought.free:
                self.risks.append(thought.guess.risk)
            idle = 0 if pressed else idle + 1
            if idle > MOVES:
                raise ClicksFailed(
                    f"The board changes again and again between the look and the click. {self.done}",
                    "Close what moves or covers it, then run again.",
                )
            if not pressed:
                self.wait(POLL * 2**idle)
            try:
                reading = self.look_again(reading, pressed)
                if unseen(reading) and not all(_answered(lap.reading, reading.frame, click) for click in pressed):
                    reading = self.complete(reading)  # before a click is taken for lost, everything is told
            except (BoardNotFound, Unreadable):
                if self.must_be_won(lap, puzzle):
                    return told(True, False, None)
                raise
            self.check_chords(lap.reading, reading, pressed)
            if any(
                self.attempts[click.cell, lap.reading.symbols[click.cell]] > 1
                and not _answered(lap.reading, reading.frame, click)
                for click in pressed
            ):
                self.slack = min(MOST_SLACK, max(LEAST_SLACK, 2 * self.slack))
        raise AssertionError("the laps do not end by themselves")

    def tell(self, lap: Lap, on_lap: Callable[[Lap], None] | None) -> None:
        self.last = lap
        if on_lap is not None:
            on_lap(lap)

    def facts(self, reading: Reading) -> Puzzle:
        """What is told, with the number of mines from the person, the counter, or the sizes the site has."""
        if self.total_from == "counter":
            self.witness(reading)
        if self.total is None:
            sizes = reading.profile.play.sizes
            for origin, number in (
                ("given", self.mines),
                ("counter", reading.totals.mines),
                ("size", sizes.get(reading.grid.shape)),
            ):
                if number is not None and (origin != "counter" or self.counts):
                    self.total, self.total_from = number, origin
                    break
        return dataclasses.replace(reading.puzzle, totals=Totals(mines=self.total))

    def witness(self, reading: Reading) -> None:
        """Looks at the counter a second time once flags stand, which is before its number has proven a cell. A display
        that something lies over in part shows another number, but goes down with no flag: then it is not believed."""
        if self.witnesses >= WITNESSES or reading.doubts or not (flags := reading.where(Symbol.FLAG)):
            return
        self.witnesses += 1
        place = reading.profile.counter
        reach = 1.0 if place is None else place.reach + 1
        for look in range(2):  # once more where it may not have caught up with the flags
            frame = self.grab(reading.grid.box.grown(reach * max(reading.grid.pitch_x, reading.grid.pitch_y)))
            mines = all_mines(frame, reading.grid, reading.profile, flags.bit_count())
            if mines == self.total:
                self.witnesses = WITNESSES
            if mines in (None, self.total):
                return
            if look == 0:
                self.wait(POLL)
        self.total, self.total_from, self.counts = None, None, False

    def check_guess(self, thought: Thought) -> None:
        """Undecided where the guess that is needed is not allowed."""
        assert thought.guess is not None
        shape, guess = thought.solution.puzzle.shape, thought.guess
        most = self.rules.max_risk
        if self.rules.guesses and (most is None or guess.risk <= most):
            return
        unknown = "" if self.total is not None else ", the number of mines not being known"
        why = "guessing is not allowed" if not self.rules.guesses else f"the most allowed is {100 * (most or 0):.4g} %"
        remedy = "Leave out --no-guess to take it" if not self.rules.guesses else "Allow more with --max-risk"
        raise self.told(
            Undecided(
                f"Nothing is certain. The best guess is {shape.name(guess.cell)} with a risk of"
                f" {100 * float(guess.risk):.1f} %{unknown}; {why}.",
                f"{remedy}, or open a cell of your own choice and run again.",
                cells=[shape.at(guess.cell)],
            )
        )

    def check_chords(self, last: Reading, reading: Reading, pressed: Sequence[Click]) -> None:
        """Gives the site's chord up where one did nothing although its flags stood: its cells are opened one by one."""
        shape = reading.grid.shape
        flags = reading.where(Symbol.FLAG)
        for click in pressed:
            if click.purpose is Purpose.CHORD and last.symbols[click.cell] is reading.symbols[click.cell]:
                near = shape.neighbours(click.cell)
                still = near & reading.where(Symbol.COVERED, Symbol.QUESTION)
                if still and (near & flags).bit_count() == reading.symbols[click.cell].number:
                    self.chords = False

    def must_be_won(self, lap: Lap | None, puzzle: Puzzle) -> bool:
        """Whether the certain clicks just made have ended the game, a message lying over the board for good: with all
        numbers that were seen, every cell is decided, and none is safe but those that were pressed."""
        if lap is None or lap.guess is not None:
            return False
        # whatever was pressed in this game is open, read or not: the last look knew of no mine among it
        opened = cell_set(self.pressed_in)
        for seen in (self.partial, None):  # what shows beside a message may be misread
            clues = dict(puzzle.clues)
            if seen is not None and seen.grid.shape == puzzle.shape:
                clues |= seen.puzzle.clues
            known = dataclasses.replace(puzzle, clues=clues, covered=puzzle.covered & ~(opened | cell_set(clues)))
            try:
                solution = hybrid.solve(known)
            except Clash:
                continue
            if solution.unique and not solution.safe:
                return True
        return False

    def touched(self, reading: Reading, pressed: Sequence[Click]) -> CellSet:
        """The cells that some clicks opened, apart from what hangs on them."""
        opened = cell_set(click.cell for click in pressed if click.purpose is Purpose.OPEN)
        for click in pressed:
            if click.purpose is Purpose.CHORD:
                opened |= reading.grid.shape.neighbours(click.cell) & self.solution_safe
        return opened

    def blamed(self, after: Reading | None) -> Lap | None:
        """The lap in which the mine was opened that shows now."""
        blown = after.where(Symbol.EXPLODED) if after is not None else 0
        return next((self.pressed_in[cell] for cell in cells_in(blown) if cell in self.pressed_in), None)

    def complete(self, reading: Reading) -> Reading:
        """The same picture told whole; a fresh look where that is not possible."""
        with self.spent("read"):
            try:
                whole = eye.read(reading.frame, reading.profile, grid=reading.grid)
            except BoardNotFound:
                whole = None
        if whole is None or whole.doubts or _another(reading, whole):
            return self.look_again(reading, (), whole=True)
        self.memory.learn(whole)
        return whole

    # ------------------------------------------------------------ looking

    def look_closely(self, reading: Reading) -> Reading:
        """The end of a game, every cell told anew; the reading before where a message has come over it."""
        frame = self.grab(around(reading.grid))
        try:
            with self.spent("read"):
                fresh = eye.read(frame, reading.profile, grid=reading.grid)
        except BoardNotFound:
            return reading
        if fresh.doubts or _another(reading, fresh):
            return reading
        self.reading = fresh
        return fresh

    def look_again(self, last: Reading, pressed: Sequence[Click], whole: bool = False) -> Reading:
        """A fresh reading after clicks, once the board is at rest; where it went, if it moved. ``whole``: every cell
        is told.

        Unreadable or BoardNotFound where it is covered for longer than a message about the end may be."""
        self.park(last)
        frame = self.rest(last, pressed)
        reading = self.read_there(last, frame, whole) if frame is not None else None
        if reading is not None and self.usable(last, reading):
            return reading
        closing, looks = CLOSINGS if self.pressed_in and self.closes(last) else 0, 0
        end = self.clock() + max(RECOVERY, last.profile.play.popup)
        problem: AutosolveError | None = None
        while True:
            self.check_time()
            frame = self.rest(last, ())
            reading = self.read_there(last, frame, not pressed or looks > 1) if frame is not None else None
            looks += 1
            if reading is not None and (self.usable(last, reading) or reading.where(*ENDED)):
                return reading
            self.partial = reading
            # however slow the looks are, a message is closed and looked under before the board is given up
            if closing and looks > 1:
                self.close(last)
                closing, end = closing - 1, max(end, self.clock() + RECOVERY)
            elif self.clock() >= end:
                break
            self.wait(4 * POLL)
        try:
            reading = self.first_look()
        except BoardNotFound as miss:
            raise BoardNotFound(
                f"The board is no longer to be seen. {self.done} {miss}",
                "Bring the board back to the front, then run again: it goes on from there.",
            ) from None
        problem = refusal(reading, self.size)
        if problem is not None:
            raise self.told(problem)
        if _another(last, reading):
            raise ClicksFailed(
                f"Another game is shown now than the one that was played. {self.done}", "Run again to play the new one."
            )
        if self.has_moved(last, reading):
            self.memory = Memory()
        self.memory.learn(reading)
        return reading

    def usable(self, last: Reading, reading: Reading) -> bool:
        told, pressed = not reading.doubtful or unseen(reading), cell_set(self.pressed_in)
        return (
            told
            and reading.grid.cut <= last.grid.cut
            and not _another(last, reading)
            and not _half_open(reading, pressed)
        )

    def rest(self, last: Reading, pressed: Sequence[Click]) -> Frame | None:
        """A picture of the place of the board once nothing changes there and every click shows, or has had its time;
        None where it never comes to rest."""
        settle, began = last.profile.play.settle, self.clock()

        def enough(frame: Frame, still: float) -> bool:
            if still < settle:
                return False
            shown = [_answered(last, frame, click) for click in pressed]
            if all(shown):
                if pressed:
                    self.answers.append(self.clock() - began)
                return True
            return still >= (PATIENCE if shown[-1] else self.patience)

        most = RESTLESS + LONG_PATIENCE + last.profile.play.popup
        return self.at_rest(last.grid, around(last.grid), QUICK_POLL, most, enough)

    @property
    def patience(self) -> float:
        """Seconds without a change after which the last click is taken for lost: a program that has always answered at
        once is not waited for as long as one of which that is not known."""
        if len(self.answers) < KNOWN:
            return LONG_PATIENCE
        return min(LONG_PATIENCE, max(PATIENCE, TIMES_SLOWEST * max(self.answers)))

    def read_there(self, last: Reading, frame: Frame, whole: bool = False) -> Reading | None:
        """The board at the place it was: what looks like a cell that was read before shows the same, and only where
        much is new, or ``whole`` is wanted, all is read again. None where there is none."""
        with self.spent("read"):
            reading = self.memory.read(last, frame)
            if reading is None or (whole and reading.doubts):
                try:
                    reading = eye.read(frame, last.profile, grid=last.grid)
                except BoardNotFound:
                    return None
                if not _another(last, reading):
                    self.memory.learn(reading)
        return reading

    def closes(self, reading: Reading) -> bool:
        """Whether there is a key that closes a message about the end."""
        return reading.profile.play.close_key is not None and self.keyboard is not None

    def close(self, reading: Reading) -> None:
        """Presses that key. A window that has just come up may not hear it yet."""
        key = reading.profile.play.close_key
        assert key is not None and self.keyboard is not None
        self.check_hand()
        self.keyboard.press(key)
        self.wait(4 * POLL)

    def new_game(self, last: Reading) -> Reading:
        """Begins a new game and returns its first reading; ClicksFailed where none appears."""
        self.begin(last)
        reading = self.new_board(last)
        if reading is None and self.closes(last):  # a message has kept the key from the game
            self.close(last)
            self.begin(last)
            reading = self.new_board(last)
        if reading is None:
            raise ClicksFailed(
                f"No new game appears. {self.done}",
                "Give its window the keyboard by a click, or begin one by hand, then run again; new_key or new_at in"
                " the site's site.toml says how it is begun.",
            )
        return reading

    def begin(self, last: Reading) -> None:
        """Presses or clicks what begins a new game."""
        play, grid = last.profile.play, last.grid
        assert self.mouse is not None
        self.check_hand()
        if play.new_key is not None and self.keyboard is not None:
            self.keyboard.press(play.new_key)
        elif play.new_at is not None:
            x, y = play.new_at
            spot = Point(grid.box.x + grid.box.width / 2 + x * grid.pitch_x, grid.top + y * grid.pitch_y)
            self.mouse.click(Click(grid.shape.cell(0, 0), Purpose.OPEN, "left", spot))
            self.left_at = spot
            self.park(last)

    def new_board(self, last: Reading) -> Reading | None:
        """The first reading of a new game, at the place of the one before; None where none appears in time."""
        end, looks = self.clock() + FRESH, 0
        while self.clock() < end or looks < 2:
            looks += 1
            self.wait(4 * POLL)
            self.check_time()
            frame = self.rest(last, ())
            reading = self.read_there(last, frame, True) if frame is not None else None
            if reading is None or reading.doubts or reading.where(*ENDED):
                continue
            # a program may open a region itself: a new game is one in which a number that showed is gone
            if not reading.where(Symbol.FLAG) and (_another(last, reading) or not last.puzzle.clues):
                return reading
        return None

    # ------------------------------------------------------------ the hand

    def perform(self, reading: Reading, thought: Thought) -> list[Click]:
        """Makes the clicks of the plan whose cells still look as they were read, and returns those; none, or not all,
        where the board itself has changed. A cell that an opening has opened meanwhile needs no click any more."""
        assert self.mouse is not None
        grid, made = reading.grid, list[Click]()
        numbers = cell_set(c for c, symbol in enumerate(reading.symbols) if symbol.number is not None)
        whole = thought.guess is not None or numbers.bit_count() < FEW
        for first in range(0, len(self.plan.clicks), BATCH):
            batch = self.plan.clicks[first : first + BATCH]
            frame = self.grab(grid.box)
            if not stands(reading, frame) or (whole and not made and not same(reading.frame, frame, grid.box)):
                break
            for click in batch:
                self.check_time()
                self.check_hand()
                near = self.grab(grid.cell_box(click.cell).grown(max(grid.pitch_x, grid.pitch_y)).clipped(grid.box))
                beside = grid.shape.neighbours(click.cell)
                if not all(same(reading.frame, near, inside(grid, c)) for c in cells_in(beside & numbers)):
                    return made  # no click of ours changes a number
                if not same(reading.frame, near, _whole(grid, click.cell)):
                    continue
                # openings may have been where a chord would go
                shut = cells_in(beside & self.solution_safe)
                if click.purpose is Purpose.CHORD and not any(
                    same(reading.frame, near, _whole(grid, cell)) for cell in shut
                ):
                    continue
                with self.spent("click"):
                    self.mouse.click(click)
                self.left_at = click.at
                self.attempts[click.cell, reading.symbols[click.cell]] += 1
                self.clicks += 1
                made.append(click)
                if self.slack:
                    self.wait(self.slack)
        return made

    @property
    def solution_safe(self) -> CellSet:
        return self.solution.safe if self.solution is not None else 0


# ---------------------------------------------------------------- pure parts


def _answered(last: Reading, frame: Frame, click: Click) -> bool:
    """Whether a click has taken some effect: its cell looks unlike it was read, or after a chord one beside it."""
    cells = [click.cell]
    if click.purpose is Purpose.CHORD:
        shut = last.where(Symbol.COVERED, Symbol.QUESTION)
        cells = [*cells_in(last.grid.shape.neighbours(click.cell) & shut)]
    return any(not same(last.frame, frame, _whole(last.grid, c)) for c in cells)


def _whole(grid: Grid, cell: int) -> Box:
    """A cell with its bevel, for many programs draw a covered cell and an open one alike but for that."""
    return grid.cell_box(cell).grown(-RIM * min(grid.pitch_x, grid.pitch_y))


def _another(one: Reading, two: Reading) -> bool:
    """Whether a reading cannot be a later look at the same game: a number that showed shows no more, or another."""
    if one.grid.shape != two.grid.shape:
        return True
    hidden = one.doubtful | two.doubtful
    return any(
        a.number is not None and a is not b
        for c, (a, b) in enumerate(zip(one.symbols, two.symbols, strict=True))
        if not hidden >> c & 1
    )


def _half_open(reading: Reading, pressed: CellSet) -> bool:
    """Whether a 0 shows beside a covered cell, which is no position of a game at rest: an opening is on its way, or the
    cell is being pressed, which looks like a 0 in many programs. Of a cell that was just ``pressed`` nothing around may
    be untold either."""
    shut = reading.where(Symbol.COVERED, Symbol.QUESTION, Symbol.FLAG)
    untold, neighbours = reading.doubtful, reading.grid.shape.neighbours
    return any(
        neighbours(cell) & (shut | (untold if pressed >> cell & 1 else 0))
        for cell in cells_in(reading.where(Symbol.CLUE_0))
    )


def _three_bv(reading: Reading) -> int | None:
    """Left clicks a board takes without flags, once it was won."""
    shape = reading.grid.shape
    board = Field(shape, shape.all & ~cell_set(reading.puzzle.clues))
    if any(board.clue(cell) != number for cell, number in reading.puzzle.clues.items()):
        return None
    return board.three_bv


def _defect(lap: Lap, after: Reading) -> Defect:
    puzzle = lap.solution.puzzle if lap.solution is not None else lap.reading.puzzle
    blown = after.where(Symbol.EXPLODED) or after.where(Symbol.MINE)
    return Defect(lap.reading, after, puzzle, lap.plan, blown)


def _lost(lost: Sequence[GameTold], played: int) -> GameLost:
    """How games were lost, in words."""
    wrong = [told for told in lost if told.defect is not None]
    if wrong and wrong[0].defect is not None:
        defect = wrong[0].defect
        where = name_cells(defect.before.grid.shape, defect.cells)
        return GameLost(
            f"A mine was opened at {where}, which was proven to be none. This is a defect of autosolve, or a cell was"
            " misread.",
            "Everything to see why is saved; please report it.",
        )
    if played > 1:
        return GameLost(
            f"{len(lost)} of {played} games were lost, {'each' if len(lost) > 1 else 'it'} by a guess.",
            "Nothing else could have been done, but for another guess.",
        )
    risk = lost[0].risk
    said = f" with a risk of {100 * float(risk):.1f} %" if risk is not None and math.isfinite(float(risk)) else ""
    return GameLost(
        f"The game is lost: the last click was a guess{said}.", "Nothing was certain there; run again for a new game."
    )
