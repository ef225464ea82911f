"""Owns how a run is recorded: the options that ask for it, and where its record is written."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from autosolve.cli import say

if TYPE_CHECKING:
    from autosolve.errors import AutosolveError
    from autosolve.record.recorder import Recorder

Command = TypeVar("Command", bound=Callable[..., Any])
OFF = "off"


def options(command: Command) -> Command:
    """The options --record and --record-screen."""
    from autosolve.record.files import KEPT

    for option in (
        click.option("--record-screen", is_flag=True, help="Keep pictures of the whole screen in the record, too."),
        click.option(
            "--record",
            metavar="DIR|off",
            help=f"Where the record of the run goes; 'off' writes none.  [default: your data folder, last {KEPT} runs]",
        ),
    ):
        command = option(command)
    return command


def runs_home() -> Path:
    """The folder of the user's records; need not exist."""
    import platformdirs

    return Path(platformdirs.user_data_dir("autosolve", appauthor=False)) / "runs"


def start(where: str | None, site: str, *, screens: bool = False) -> Recorder:
    """The recorder of a run that begins now, closed as the command ends; call it inside a command.

    Raises WrongUse where a folder that was asked for cannot be written."""
    from autosolve.record.recorder import Recorder

    context = click.get_current_context()
    folder = None if where == OFF else _folder(where, site)
    about = _about(context, site) if folder is not None else {}
    recorder = Recorder(folder, about, screens=screens, warn=lambda text: say.note(f"autosolve: {text}"))
    return context.with_resource(recorder)


def point_to(recorder: Recorder, problem: AutosolveError) -> None:
    """Adds to an error how to see what happened, where there is a record of it."""
    folder = recorder.folder
    if folder is not None:
        name = folder.name if folder.parent == runs_home() else str(folder)
        problem.add_note(f"To see what happened: autosolve report {name}")


def names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
    """The names of records, for a shell that completes them."""
    from click.shell_completion import CompletionItem

    from autosolve.record import files

    known = ["last", *(place.name for place in files.records(runs_home()))]
    found: list[Any] = [CompletionItem(name) for name in known if name.startswith(incomplete)]
    return found or [CompletionItem(incomplete, type="dir")]


def _folder(where: str | None, site: str) -> Path | None:
    """A folder for one record: the one asked for, a new one inside it where it holds records already, or a new one
    in the user's data folder."""
    from autosolve.errors import WrongUse
    from autosolve.record import files

    name = f"{datetime.now():%Y%m%d-%H%M%S}-{re.sub(r'[^A-Za-z0-9_-]+', '-', site)[:40]}"
    home = runs_home() if where is None else Path(where)
    try:
        if where is not None and not files.records(home):
            home.mkdir(parents=True, exist_ok=True)
            return home
        folder = files.new_folder(home, name)
        if where is None:
            files.prune(home, files.KEPT - 1)  # this run's own is none yet: nothing is written in it
    except OSError as problem:
        if where is None:
            say.note(f"autosolve: This run is not recorded: {str(home)!r} cannot be written: {problem.strerror}.")
            return None
        raise WrongUse(
            f"The record cannot be written to {where!r}: {problem.strerror}.", "Give another folder, or --record off."
        ) from None
    return folder


def _about(context: click.Context, site: str) -> dict[str, Any]:
    """What run.json says before anything has happened."""
    from autosolve import __version__
    from autosolve.desktop import facts

    given = {
        option.opts[0].lstrip("-"): _plain(context.params[option.name])
        for option in context.command.params
        if option.name in context.params and context.params[option.name] not in (None, False)
    }
    return {
        "version": __version__,
        "command": context.command_path,
        "site": site,
        "options": given,
        "environment": facts.environment_of_run(),
    }


def _plain(value: Any) -> Any:
    """A value JSON can hold."""
    return (
        value
        if isinstance(value, str | int | float | bool)
        else list(value)
        if isinstance(value, tuple)
        else str(value)
    )
