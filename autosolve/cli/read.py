"""Owns the command read: a saved screenshot to a board."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from autosolve.board import notation
from autosolve.board.shape import Shape
from autosolve.cli import options, say

if TYPE_CHECKING:
    from autosolve.vision.frame import Box, Frame
    from autosolve.vision.grid import Grid
    from autosolve.vision.profile import Profile
    from autosolve.vision.read import Reading


@click.command()
@click.argument("image")
@options.site(required=False)
@options.region
@options.size
@options.variant
@click.option("--overlay", metavar="FILE", help="Write a picture of what was read, cell by cell.")
@options.save_doubtful
@options.as_json
def read(
    image: str,
    site: str,
    region: Box | None,
    size: Shape | None,
    variant: str | None,
    overlay: str | None,
    save_doubtful: str | None,
    as_json: bool,
) -> None:
    """Read a board from the saved screenshot IMAGE ('-' for standard input).

    The board comes out as text, a character a cell, after the totals that stand around it. Cells that cannot be told
    are listed on standard error, and the command then ends with 5.
    """
    from autosolve.clicks.second import doubted
    from autosolve.vision import picture
    from autosolve.vision.read import read as read_board
    from autosolve.vision.refusal import refusal

    place = picture.target(overlay) if overlay else None
    say.keep_input(image, str(place or ""))
    new_folder = place is not None and not place.absolute().parent.is_dir()
    frame = picture.load(image)
    asked = options.profiles(site, variant)
    reading = doubted(read_board(frame, asked, region=region, size=size))
    drawn = None
    if place is not None:
        from autosolve.clicks import overlay as painter

        drawn = str(picture.save(place, painter.draw_reading(reading)))
    if as_json:
        say.json_result(reading_json(reading))
    else:
        say.result("\n".join([*notation.headers(reading.puzzle), *reading.text]))
    if drawn is not None:
        say.note(f"The picture of the reading is {drawn}{', in a new folder' if new_folder else ''}.")
    if site != options.AUTO and _foreign(reading, asked):
        say.note(f"This does not look like {asked[0].title}: its colours are another site's. --site auto tries all.")
    for other in reading.others:
        x, y, width, height = (round(v) for v in _bbox(frame, other))
        say.note(f"There is another board, {other.shape}: --region {x},{y},{width},{height} reads that one.")
    options.keep_doubtful(reading, save_doubtful, Path(image).stem)
    problem = refusal(reading, size)
    if problem is not None:
        raise problem


def _foreign(reading: Reading, asked: Sequence[Profile]) -> bool:
    """Whether a board has the colours of another site than those it was read as."""
    from autosolve.vision import choice
    from autosolve.vision.placing import Cells

    cells = Cells(reading.frame, reading.grid, known=True)
    return choice.foreign(cells.stack, asked, lambda: options.profiles(options.AUTO))


def reading_json(reading: Reading) -> dict[str, Any]:
    """A reading as ``read --json`` gives it: places and pitch in pixels of the picture."""
    grid, frame, totals = reading.grid, reading.frame, reading.totals
    shape = grid.shape
    return {
        "site": reading.profile.name,
        "variant": reading.profile.variant.value,
        "rows": shape.rows,
        "cols": shape.cols,
        "grid": reading.text,
        "flags": [list(at) for at in shape.pairs(reading.marks.flags)],
        "bbox": _bbox(frame, grid),
        "pitch": [round(grid.pitch_x * frame.scale, 4), round(grid.pitch_y * frame.scale, 4)],
        "certainty": round(reading.certainty, 4),
        "doubtful": [list(at) for at in shape.pairs(reading.doubtful)],
        "cut": sorted(grid.cut),
        "totals": {"rows": list(totals.rows), "columns": list(totals.columns), "mines": totals.mines},
        "others": [
            {"rows": other.shape.rows, "cols": other.shape.cols, "bbox": _bbox(frame, other)}
            for other in reading.others
        ],
    }


def _bbox(frame: Frame, grid: Grid) -> list[float]:
    """Left, top, width and height of a board in pixels of the picture."""
    left, top = frame.to_pixel(frame.to_point(0, 0)._replace(x=grid.left, y=grid.top))
    return [round(v, 2) for v in (left, top, grid.box.width * frame.scale, grid.box.height * frame.scale)]
