"""Owns the command watch: it introduces the live assistant to the screen and to a window, and clicks nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from autosolve.board.shape import Cell, Shape, cell_set
from autosolve.cli import options, say

if TYPE_CHECKING:
    from autosolve.bot.assistant import Advice
    from autosolve.desktop.window import Beside, Over
    from autosolve.vision.frame import Box, Monitor, Pixels

_TITLE = "autosolve watch"


def _seconds(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:
    if value is not None and not 0 <= value <= 1e6:  # nan neither
        raise click.BadParameter(f"{value} is no number of seconds.")
    return value


@click.command()
@options.site(required=False)
@options.monitor
@options.region
@options.size
@options.variant
@click.option("--mines", type=click.IntRange(0), metavar="N", help="Mines on the whole board, if the site hides it.")
@click.option("--overlay-window", is_flag=True, help="Marks over the board itself; needs the extra autosolve[watch].")
@click.option("--text", is_flag=True, help="No window: a line on standard output for every change.")
@options.as_json
@click.option(
    "--max-seconds", type=float, callback=_seconds, metavar="S", help="Stop watching after this time, up to 1e6."
)
def watch(
    site: str,
    monitor: int | None,
    region: Box | None,
    size: Shape | None,
    variant: str | None,
    mines: int | None,
    overlay_window: bool,
    text: bool,
    as_json: bool,
    max_seconds: float | None,
) -> int:
    """Watch a board and show the next sure cells, or the chances where nothing is sure. Clicks nothing.

    The screen is read anew whenever the board has changed. What is sure stands in a window beside the board, or over it
    with --overlay-window. Close the window or press Ctrl-C to end.
    """
    from autosolve.bot import assistant
    from autosolve.desktop.screen import Desktop
    from autosolve.errors import EnvironmentProblem

    profiles = options.profiles(site, variant)
    window: _Beside | _Over | None = None
    with Desktop() as screen:
        if overlay_window:
            from autosolve.desktop.window import Over

            window = _Over(Over(_TITLE))
        elif not (text or as_json):
            from autosolve.desktop.window import Beside

            try:
                window = _Beside(Beside(_TITLE))
            except EnvironmentProblem as problem:
                text = True
                say.note(f"{problem} Advice is printed instead.")
        say.note("Watching; nothing is clicked. Ctrl-C ends it.")
        tell = _tell_json if as_json else _tell_text if text else None
        try:
            assistant.watch(
                profiles,
                screen,
                window,
                monitor=monitor,
                region=region,
                size=size,
                mines=mines,
                on_advice=tell,
                max_seconds=max_seconds,
            )
        finally:
            if window is not None:
                window.device.close()
    return 0


def _tell_text(advice: Advice) -> None:
    say.result(advice.text)


def _tell_json(advice: Advice) -> None:
    data: dict[str, Any] = {"status": advice.standing.value, "text": advice.text}
    if (reading := advice.reading) is not None:
        shape = reading.grid.shape
        data |= {"site": reading.profile.name, "rows": shape.rows, "cols": shape.cols, "grid": reading.text}
        for name in ("mines", "safe", "wrong"):
            data[name] = [list(at) for at in shape.pairs(getattr(advice, name))]
        flat = [advice.chances.get(c) for c in map(Cell, range(shape.size))]
        table = [flat[i : i + shape.cols] for i in range(0, shape.size, shape.cols)]
        data |= {"odds": table if advice.chances else None}
        data["best"] = None if advice.guess is None else list(shape.at(advice.guess))
    say.json_result(data)


class _Beside:
    """Advice as a picture of the board with a sentence under it; implements Window."""

    def __init__(self, device: Beside) -> None:
        self.device = device

    def boxes(self) -> Sequence[Box]:
        return self.device.boxes()

    def over(self) -> bool:
        return False

    def show(self, advice: Advice, monitors: Sequence[Monitor]) -> None:
        board = None
        if advice.reading is not None:
            grid = advice.reading.grid
            board = grid.box.grown(max(grid.pitch_x, grid.pitch_y))  # what is looked at
        self.device.show(_picture(advice), advice.text, board, monitors)

    def hide(self) -> None:
        self.device.hide()

    def alive(self) -> bool:
        return self.device.alive()


class _Over:
    """Advice as marks on the board itself; implements Window."""

    def __init__(self, device: Over) -> None:
        self.device = device

    def boxes(self) -> Sequence[Box]:
        return ()

    def over(self) -> bool:
        return self.device.visible()

    def show(self, advice: Advice, monitors: Sequence[Monitor]) -> None:
        from autosolve.clicks.veil import veil

        if advice.reading is None:
            self.device.hide()
            return
        grid, scale = advice.reading.grid, advice.reading.frame.scale
        marks = veil(
            grid,
            scale,
            safe=advice.safe,
            mines=advice.mines,
            wrong=advice.wrong,
            chances=_telling(advice),
            best=advice.guess,
        )
        self.device.show(*marks, grid.box, scale)

    def hide(self) -> None:
        self.device.hide()

    def alive(self) -> bool:
        return self.device.alive()


def _telling(advice: Advice) -> dict[Cell, float]:
    """The chances that are worth a mark on the board: beside a number, and of the best cell. Away from all numbers they
    are all alike, and what is certain has marks of its own."""
    assert advice.reading is not None
    shape, clues = advice.reading.grid.shape, cell_set(advice.reading.puzzle.clues)
    return {
        cell: chance
        for cell, chance in advice.chances.items()
        if 0 < chance < 1 and (shape.neighbours(cell) & clues or cell == advice.guess)
    }


def _picture(advice: Advice) -> Pixels | None:
    from autosolve.clicks import overlay

    reading = advice.reading
    if reading is None:
        return None
    if advice.chances:
        return overlay.draw_odds(reading, advice.chances, advice.guess)
    if advice.solution is not None:
        return overlay.draw_plan(reading, advice.solution, advice.plan)
    return None
