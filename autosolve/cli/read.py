"""Owns the command read: a saved screenshot to a board."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from autosolve.board.shape import Shape
from autosolve.cli import options, say

if TYPE_CHECKING:
    from autosolve.vision.frame import Box, Frame
    from autosolve.vision.profile import Profile
    from autosolve.vision.read import Reading


@click.command()
@click.argument("image")
@options.site(required=False)
@options.region
@options.size
@click.option("--overlay", metavar="FILE", help="Write a picture of what was read, cell by cell.")
@options.save_doubtful
@options.as_json
def read(
    image: str,
    site: str,
    region: Box | None,
    size: Shape | None,
    overlay: str | None,
    save_doubtful: str | None,
    as_json: bool,
) -> None:
    """Read a board from the saved screenshot IMAGE.

    The board comes out as text, a character a cell. Cells that cannot be told are listed on standard error, and
    the command then ends with 5.
    """
    say.keep_input(image, overlay)
    from autosolve.vision import picture
    from autosolve.vision.refusal import refusal

    frame = picture.load(image)
    reading = best_reading(frame, options.profiles(site), region, size)
    drawn = None
    if overlay:
        from autosolve.clicks import overlay as painter

        drawn = str(picture.save(overlay, painter.draw_reading(reading)))
    if as_json:
        say.json_result(reading_json(reading))
    else:
        say.result("\n".join(reading.text))
    if drawn is not None:
        say.note(f"The picture of the reading is {drawn}.")
    options.keep_doubtful(reading, save_doubtful, Path(image).stem)
    problem = refusal(reading, size)
    if problem is not None:
        raise problem


def best_reading(frame: Frame, profiles: list[Profile], region: Box | None, size: Shape | None) -> Reading:
    """The reading of the site that fits best; BoardNotFound where none does."""
    from autosolve.errors import BoardNotFound
    from autosolve.vision.read import read as read_board
    from autosolve.vision.refusal import rank

    found: list[Reading] = []
    misses: list[BoardNotFound] = []
    for profile in profiles:
        try:
            found.append(read_board(frame, profile, region=region, size=size))
        except BoardNotFound as miss:
            misses.append(miss)
    if not found:
        if len(misses) == 1:
            raise misses[0]
        names = ", ".join(profile.name for profile in profiles)
        raise BoardNotFound(f"There is no board of any site here; looked for {names}.", misses[0].remedy)
    return max(found, key=rank)


def reading_json(reading: Reading) -> dict[str, Any]:
    """A reading as ``read --json`` gives it: places and pitch in pixels of the picture."""
    grid, frame, totals = reading.grid, reading.frame, reading.totals
    left, top = frame.to_pixel(frame.to_point(0, 0)._replace(x=grid.left, y=grid.top))
    shape = grid.shape
    return {
        "site": reading.profile.name,
        "rows": shape.rows,
        "cols": shape.cols,
        "grid": reading.text,
        "bbox": [
            round(left, 2),
            round(top, 2),
            round(grid.box.width * frame.scale, 2),
            round(grid.box.height * frame.scale, 2),
        ],
        "pitch": [round(grid.pitch_x * frame.scale, 4), round(grid.pitch_y * frame.scale, 4)],
        "certainty": round(reading.certainty, 4),
        "doubtful": [list(at) for at in shape.pairs(reading.doubtful)],
        "cut": sorted(grid.cut),
        "totals": {"rows": list(totals.rows), "columns": list(totals.columns), "mines": totals.mines},
    }
