"""Owns what is written while a run goes on: every event as it happens, so that nothing is lost when it is stopped.

The recorder looks on: it is told of laps and ends by the bot, and sits between the bot and its mouse and screen.
Where it cannot write, the run goes on without it.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TextIO

from autosolve.board import notation
from autosolve.board.notation import Position
from autosolve.board.shape import Shape
from autosolve.clicks.plan import Click, Mouse
from autosolve.errors import AutosolveError, Clash
from autosolve.record import files
from autosolve.vision.frame import Box, Frame, Monitor, Point, Screen

if TYPE_CHECKING:
    from autosolve.bot import GameTold, Lap, Outcome
    from autosolve.solver.deduction import Solution

PICTURES = 12  # looks of which a picture is kept: the first, and the last ones; each is written as it comes
_MARGIN = 0.6  # cells of its surroundings that are kept around the board


class Recorder:
    """Writes one run into a folder; a context manager, whose end closes the record.

    ``folder``   where it is written, which must exist; None writes nothing
    ``about``    what is known beforehand, for run.json: command, site, options, environment
    ``screens``  keep whole pictures of the screen too
    ``warn``     told once, in a sentence, where writing fails
    ``clock``    seconds; ``now`` the time of day
    """

    def __init__(
        self,
        folder: Path | None,
        about: Mapping[str, Any] | None = None,
        *,
        screens: bool = False,
        warn: Callable[[str], None] = lambda text: None,
        clock: Callable[[], float] = time.perf_counter,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.folder = folder
        self._screens, self._warn, self._clock, self._now = screens, warn, clock, now
        self._began = clock()
        self._events: TextIO | None = None
        self._last: Lap | None = None
        self._pictures: list[int] = []
        self._outcome: Outcome | None = None
        self._problem: BaseException | None = None
        self._grabs = 0
        self._closed = False
        self._run: dict[str, Any] = {
            "schema": files.SCHEMA,
            "result": files.RUNNING,
            "started": now().isoformat(timespec="milliseconds"),
            "process": os.getpid(),
            **(about or {}),
        }
        if folder is not None:
            self._do(lambda: self._open(folder))

    # ------------------------------------------------------------ what the run is told

    def screen(self, screen: Screen) -> Screen:
        """The same screen; where whole pictures are wanted, one that keeps the first it takes."""
        return _KeepingScreen(screen, self._keep_screen) if self._screens and self.folder is not None else screen

    def mouse(self, mouse: Mouse | None) -> Mouse | None:
        """The same mouse, whose clicks are written down."""
        return mouse if mouse is None or self.folder is None else _WatchedMouse(mouse, self.clicked, self._clock)

    def laps(self, tell: Callable[[Lap], None]) -> Callable[[Lap], None]:
        """``tell``, and the lap is written down."""

        def both(lap: Lap) -> None:
            self.lap(lap)
            tell(lap)

        return both

    def ends(self, tell: Callable[[Outcome], None]) -> Callable[[Outcome], None]:
        """``tell``, and the end is kept for the record."""

        def both(outcome: Outcome) -> None:
            self._outcome = outcome
            tell(outcome)

        return both

    # ------------------------------------------------------------ what happens

    @property
    def seconds(self) -> float:
        """Since the run began."""
        return self._clock() - self._began

    def lap(self, lap: Lap) -> None:
        """A look and what follows from it."""
        self._last = lap
        self._do(lambda: self._write_lap(lap))

    def clicked(self, click: Click, began: float, took: float) -> None:
        """A click that was made; ``began`` by the recorder's clock."""
        cols = self._last.reading.grid.shape.cols if self._last is not None else 0
        self._do(
            lambda: self._event(
                "click",
                began - self._began,
                cell=list(divmod(click.cell, cols)) if cols else None,
                button=click.button,
                purpose=click.purpose.value,
                at=[round(click.at.x, 1), round(click.at.y, 1)],
                took=round(took, 4),
            )
        )

    def failed(self, problem: BaseException | None) -> None:
        """What the run ends with, where it does not end well."""
        self._problem = problem

    def close(self, problem: BaseException | None = None) -> None:
        """Writes how the run ended; a second time nothing."""
        if self._closed:
            return
        self._closed = True
        self._do(lambda: self._finish(problem or self._problem))
        if self._events is not None:
            self._events.close()

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close(error)

    # ------------------------------------------------------------ writing

    def _do(self, write: Callable[[], None]) -> None:
        """Writes, or gives up writing for good: a record is no reason to stop a run."""
        if self.folder is None:
            return
        try:
            write()
        except (OSError, AutosolveError) as problem:
            place, self.folder = self.folder, None
            reason = problem.strerror if isinstance(problem, OSError) else problem
            self._warn(f"This run is recorded no further: {str(place)!r} cannot be written: {reason}.")

    def _open(self, folder: Path) -> None:
        files.write_json(folder / files.RUN, self._run)
        self._events = (folder / files.EVENTS).open("w", encoding="utf-8")
        self._event("start", 0.0)

    def _event(self, name: str, when: float | None = None, /, **data: Any) -> None:
        assert self._events is not None
        line = {"t": round(self.seconds if when is None else when, 4), "event": name, **data}
        self._events.write(json.dumps(line, ensure_ascii=False) + "\n")
        self._events.flush()

    def _write_lap(self, lap: Lap) -> None:
        assert self.folder is not None
        reading, grid, shape = lap.reading, lap.reading.grid, lap.reading.grid.shape
        cut = _cut(lap)
        corner = cut.to_pixel(Point(grid.left, grid.top))
        puzzle = lap.solution.puzzle if lap.solution is not None else reading.puzzle
        name = f"board-{lap.number}.png"
        self._event(
            "look",
            lap=lap.number,
            site=reading.profile.name,
            rows=shape.rows,
            cols=shape.cols,
            grid=reading.text,
            puzzle=notation.write(Position(puzzle, reading.marks)),
            picture=name,
            box=[round(v, 2) for v in cut.box],
            corner=[round(v, 2) for v in corner],
            pitch=[round(grid.pitch_x * cut.scale, 4), round(grid.pitch_y * cut.scale, 4)],
            certainty=(reading.scores * 100).round().astype(int).tolist(),
            lead=(reading.margins * 100).round().astype(int).tolist(),
            doubtful=[[*shape.at(cell), reason] for cell, reason in sorted(reading.doubts.items())],
            plan=[[*shape.at(c.cell), c.purpose.value, c.button] for c in lap.plan.clicks],
            **_solved(lap.solution, shape),
            **_guessed(lap),
        )
        (self.folder / "board.txt").write_text(notation.write(Position(puzzle, reading.marks)), encoding="utf-8")
        self._picture(name, lap)

    def _picture(self, name: str, lap: Lap) -> None:
        from autosolve.vision import picture

        assert self.folder is not None
        picture.save(self.folder / name, _cut(lap).pixels)
        if not self._pictures:
            self._overlay(lap)
        self._pictures.append(lap.number)
        if len(self._pictures) > PICTURES:
            (self.folder / f"board-{self._pictures.pop(1)}.png").unlink(missing_ok=True)

    def _overlay(self, lap: Lap) -> None:
        from autosolve.clicks import overlay
        from autosolve.vision import picture

        assert self.folder is not None
        picture.save(self.folder / "overlay.png", overlay.draw_plan(lap.reading, lap.solution, lap.plan))

    def _keep_screen(self, frame: Frame, monitor: int) -> None:
        from autosolve.vision import picture

        def write() -> None:
            assert self.folder is not None
            picture.save(self.folder / f"screen-{monitor}.png", frame.pixels)
            self._event("screen", monitor=monitor, file=f"screen-{monitor}.png", box=[round(v, 2) for v in frame.box])

        self._do(write)

    def _finish(self, problem: BaseException | None) -> None:
        assert self.folder is not None
        done, last = self._outcome, self._last
        if isinstance(problem, Clash) and last is not None:
            from autosolve.clicks import overlay
            from autosolve.vision import picture

            picture.save(self.folder / "overlay.png", overlay.draw_clash(last.reading, problem.cells))
        end: dict[str, Any] = {"result": _result(done, problem), "exit_code": _exit_code(problem)}
        if done is not None:
            end |= {
                "verified": done.verified,
                "laps": done.laps,
                "clicks": done.clicks,
                "seconds": {name: round(spent, 4) for name, spent in done.seconds.items()},
            }
            if done.games:
                end["games"] = [_game(told) for told in done.games]
        if problem is not None:
            end |= {"message": str(problem) or type(problem).__name__, "remedy": getattr(problem, "remedy", "")}
            end["cells"] = [list(at) for at in getattr(problem, "cells", ())]
        self._event("end", **end)
        self._run |= {"ended": self._now().isoformat(timespec="milliseconds"), "took": round(self.seconds, 3), **end}
        if last is not None:
            self._run |= {"site": last.reading.profile.name, "size": str(last.reading.grid.shape)}
        files.write_json(self.folder / files.RUN, self._run)


def _result(done: Outcome | None, problem: BaseException | None) -> str:
    """The word of the outcome; where the run did not come to one, what the error is."""
    if done is not None:
        return done.result.value
    return "stopped" if isinstance(problem, KeyboardInterrupt) or _exit_code(problem) == 130 else "failed"


def _exit_code(problem: BaseException | None) -> int:
    if problem is None:
        return 0
    if isinstance(problem, KeyboardInterrupt):
        return 130
    return int(getattr(problem, "exit_code", 1))


def _solved(solution: Solution | None, shape: Shape) -> dict[str, Any]:
    if solution is None:
        return {"status": None, "mines": [], "safe": [], "undecided": []}
    return {
        "status": solution.status,
        "mines": [list(at) for at in shape.pairs(solution.mines)],
        "safe": [list(at) for at in shape.pairs(solution.safe)],
        "undecided": [list(at) for at in shape.pairs(solution.undecided)],
    }


def _guessed(lap: Lap) -> dict[str, Any]:
    """What a game adds to a look: its number, and where nothing is certain the guess and the chances."""
    shape = lap.reading.grid.shape
    out: dict[str, Any] = {"game": lap.game}
    if lap.guess is not None:
        out["guess"] = {
            "cell": list(shape.at(lap.guess.cell)),
            "risk": round(float(lap.guess.risk), 6),
            "policy": lap.guess.policy.value,
            "free": lap.free,
        }
    if lap.odds is not None:
        out["chances"] = [[*shape.at(c), round(n / lap.odds.models, 4)] for c, n in sorted(lap.odds.mined_in.items())]
    return out


def _game(told: GameTold) -> dict[str, Any]:
    return {
        "number": told.number,
        "won": told.won,
        "verified": told.verified,
        "clicks": told.clicks,
        "laps": told.laps,
        "seconds": round(told.seconds, 3),
        "risks": [round(float(risk), 6) for risk in told.risks],
        "by_guess": told.by_guess,
        "three_bv": told.three_bv,
        "defect": told.defect is not None,
    }


def _cut(lap: Lap) -> Frame:
    grid = lap.reading.grid
    return lap.reading.frame.crop(grid.box.grown(_MARGIN * max(grid.pitch_x, grid.pitch_y)))


class _WatchedMouse:
    """A mouse whose clicks are told; implements Mouse, and whatever more the mouse can do."""

    def __init__(self, mouse: Mouse, told: Callable[[Click, float, float], None], clock: Callable[[], float]) -> None:
        self._mouse, self._told, self._clock = mouse, told, clock

    def position(self) -> Point:
        return self._mouse.position()

    def move(self, to: Point) -> None:
        self._mouse.move(to)

    def click(self, click: Click) -> None:
        began = self._clock()
        self._mouse.click(click)
        self._told(click, began, self._clock() - began)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._mouse, name)


class _KeepingScreen:
    """A screen whose first picture of each monitor is kept; implements Screen, and whatever more it can do."""

    def __init__(self, screen: Screen, keep: Callable[[Frame, int], None]) -> None:
        self._screen, self._keep = screen, keep
        self._seen: set[int] = set()

    def monitors(self) -> tuple[Monitor, ...]:
        return self._screen.monitors()

    def grab(self, box: Box) -> Frame:
        frame = self._screen.grab(box)
        for monitor in self._screen.monitors():
            if monitor.number not in self._seen and monitor.box.clipped(frame.box) == monitor.box:
                self._seen.add(monitor.number)
                self._keep(frame, monitor.number)
        return frame

    def __getattr__(self, name: str) -> Any:
        return getattr(self._screen, name)
