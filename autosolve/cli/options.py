"""Owns what several commands ask for in the same way: sites, sizes, regions, monitors, layers."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from autosolve.board.puzzle import Variant
from autosolve.board.shape import MAX_SIDE, Cell, Shape
from autosolve.board.words import counted
from autosolve.cli import say
from autosolve.errors import WrongUse
from autosolve.solver.deduction import Technique

if TYPE_CHECKING:
    from autosolve.vision.frame import Box
    from autosolve.vision.profile import Profile
    from autosolve.vision.read import Reading

Command = TypeVar("Command", bound=Callable[..., Any])
AUTO = "auto"


def parse_size(ctx: click.Context, param: click.Parameter, value: str | None) -> Shape | None:
    """``RxC`` to a Shape."""
    if value is None:
        return None
    match = re.fullmatch(r"\s*(\d{1,4})\s*[xX×*]\s*(\d{1,4})\s*", value)
    if not match or not all(1 <= int(side) <= MAX_SIDE for side in match.groups()):
        raise click.BadParameter(f"{value!r} is not rows x columns, as in 16x30 (1 to {MAX_SIDE} each).")
    return Shape(int(match[1]), int(match[2]))


def parse_start(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, int] | None:
    """``R,C`` from 0, or ``r9c16`` from 1."""
    if value is None:
        return None
    if match := re.fullmatch(r"\s*(\d{1,4})\s*,\s*(\d{1,4})\s*", value):
        return int(match[1]), int(match[2])
    if match := re.fullmatch(r"\s*r0*([1-9]\d{0,3})c0*([1-9]\d{0,3})\s*", value, re.IGNORECASE):
        return int(match[1]) - 1, int(match[2]) - 1
    raise click.BadParameter(f"{value!r} is neither row,column counted from 0 nor a name such as r9c16.")


def start_on(shape: Shape, start: tuple[int, int] | None) -> Cell:
    """The cell of the first click: as given, else in the middle. Raises WrongUse where it lies outside."""
    if start is None:
        return shape.middle
    try:
        return shape.cell(*start)
    except IndexError:
        raise WrongUse(
            f"The start {start[0]},{start[1]} lies outside the {shape} board.",
            f"Rows go from 0 to {shape.rows - 1}, columns from 0 to {shape.cols - 1}.",
        ) from None


def _region(ctx: click.Context, param: click.Parameter, value: str | None) -> Box | None:
    """``X,Y,W,H`` to a Box; X and Y may be negative."""
    if value is None:
        return None
    from autosolve.vision.frame import Box

    parts = re.split(r"\s*,\s*", value.strip())
    if len(parts) != 4 or not all(re.fullmatch(r"[+-]?\d{1,6}(\.\d{1,6})?", part) for part in parts):
        raise click.BadParameter(f"{value!r} is not four numbers X,Y,WIDTH,HEIGHT.")
    x, y, width, height = (float(part) for part in parts)
    if width <= 0 or height <= 0:
        raise click.BadParameter("Width and height must be above 0.")
    return Box(x, y, width, height)


def _monitor(ctx: click.Context, param: click.Parameter, value: str) -> int | None:
    """A monitor's number from 1; None for ``all``."""
    if value == "all":
        return None
    if not re.fullmatch(r"[1-9]\d{0,2}", value):
        raise click.BadParameter(f"{value!r} is neither a monitor's number nor 'all'.")
    return int(value)


def _layers(ctx: click.Context, param: click.Parameter, value: str | None) -> frozenset[Technique] | None:
    """Names of layers to a set of them."""
    if value is None:
        return None
    known = {t.word: t for t in Technique}
    out = set()
    for word in value.replace(",", " ").split():
        if word.lower() not in known:
            raise click.BadParameter(f"there is no layer {word!r}; layers are {', '.join(known)}")
        out.add(known[word.lower()])
    if not out:
        raise click.BadParameter(f"no layer is named; layers are {', '.join(known)}")
    return frozenset(out)


def _site_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
    """The names of sites, for a shell that completes them."""
    from autosolve.cli.completion import sites

    return sites(ctx, param, incomplete)


def site(required: bool) -> Callable[[Command], Command]:
    """The option --site; where it is not required, every site is tried."""
    extra = "" if required else "  [default: auto]"
    return click.option(
        "--site",
        metavar="NAME|auto",
        required=required,
        default=None if required else AUTO,
        shell_complete=_site_names,
        help=f"What the board looks like; 'auto' tries all. 'autosolve sites' lists them.{extra}",
    )


variant = click.option(
    "--variant",
    type=click.Choice([v.value for v in Variant]),
    help="How clues count: in mosaic they count their own cell too.  [default: either]",
)
region = click.option(
    "--region", callback=_region, metavar="X,Y,W,H", help="Look for the board only in this part of the picture."
)
size = click.option("--size", callback=parse_size, metavar="RxC", help="The board has R rows and C columns.")
monitor = click.option(
    "--monitor", callback=_monitor, default="all", show_default=True, metavar="N|all", help="The monitor to look at."
)


def layers_option(default: str) -> Callable[[Command], Command]:
    """The option --layers of a command that allows ``default`` where it is not given."""
    return click.option("--layers", callback=_layers, metavar="A,B,C", help=f"Layers allowed.  [default: {default}]")


layers_allowed = layers_option("all but nested and unique")
save_doubtful = click.option(
    "--save-doubtful", metavar="DIR", help="Save each cell that cannot be told as a picture, ready to be labelled."
)
as_json = click.option(
    "--json",
    "as_json",
    is_flag=True,
    is_eager=True,
    callback=say.json_option,
    help="JSON on standard output, and nothing else.",
)


def keep_doubtful(reading: Reading, folder: str | None, name: str) -> None:
    """Saves the doubtful cells of a reading where the person wants them, and says what to do with them."""
    if folder is None or not reading.doubts:
        return
    from autosolve.vision.learn import INDEX, SHEET, save_doubtful

    own = reading.profile.folder.parent == user_sites()
    saved = save_doubtful(reading, Path(folder), name, site=reading.profile.name if own else "")
    count, pictures = len(reading.doubts), len(saved)
    one = count == 1
    alike = "" if pictures == count else f" (as {counted(pictures, 'picture')}: what looks alike is saved once)"
    say.note(
        f"{counted(count, 'cell')} that cannot be told {'is' if one else 'are'} in {folder}{alike};"
        f" see {SHEET} and write what {'it shows' if one else 'they show'} into {INDEX}."
    )


def user_sites() -> Path:
    """The folder of the user's own sites; need not exist."""
    import platformdirs

    return Path(platformdirs.user_data_dir("autosolve", appauthor=False)) / "sites"


def profiles(name: str, variant: str | None = None) -> list[Profile]:
    """The site of that name and those whose boards the same page shows, or all that can be used for ``auto``.

    ``variant``  how their clues count; where it is not given, any way

    Raises UnknownSite, ProfileError, or WrongUse where no such site is of that variant."""
    from autosolve.errors import ProfileError
    from autosolve.vision import profile

    folder = user_sites()
    if name != AUTO:
        site = profile.load(name, folder)
        shown = [site, *(profile.load(other, folder) for other in site.also)]
        fitting = [p for p in shown if variant in (None, p.variant.value)]
        if not fitting:
            raise WrongUse(
                f"The site {name} shows no {variant} boards.",
                "Leave --variant out, or give --site auto to try all sites.",
            )
        return fitting
    usable: list[Profile] = []
    broken: list[ProfileError] = []
    for place in profile.site_folders(folder).values():
        try:
            usable.append(profile.load_folder(place))
        except ProfileError as fault:
            broken.append(fault)
    usable = [p for p in usable if variant in (None, p.variant.value)]
    if not usable and broken:
        raise broken[0]
    for left_out in broken:
        say.note(f"autosolve: left out: {left_out}")
    return usable
