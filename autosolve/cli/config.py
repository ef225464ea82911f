"""Owns the command config: where a person's settings are, what is set and by what, and a file to start from."""

from __future__ import annotations

from typing import Any

import click

from autosolve.cli import options, say, settings
from autosolve.errors import WrongUse


@click.group()
def config() -> None:
    """Show and start your settings.

    Settings come from config.toml, the environment (AUTOSOLVE_...) and the command line; the later one wins.
    """


@config.command()
@click.argument("words", nargs=-1, metavar="[COMMAND]...")
@click.option("--origin", is_flag=True, help="Say where each value comes from.")
@click.option("--all", "everything", is_flag=True, help="List what is not set, too, with its default.")
@options.as_json
@click.pass_context
def show(ctx: click.Context, words: tuple[str, ...], origin: bool, everything: bool, as_json: bool) -> None:
    """Say what is set, of all commands or of COMMAND alone.

    An unknown key, or a value that its option does not take, ends this and every other command with 2.
    """
    app = ctx.find_root().command
    assert isinstance(app, click.Group)
    known = settings.Known(app)
    if words and known.command(words) is None:
        raise WrongUse(f"There is no command {' '.join(words)!r}.", "'autosolve --help' lists them.")
    found = settings.load(app)
    rows: list[dict[str, Any]] = []
    for path in known.paths():
        if path[: len(words)] != words:
            continue
        for name, option in known.options(path).items():
            setting = found.get((path, name))
            if setting is None and not everything:
                continue
            value = settings.default_of(option) if setting is None else setting.value
            source = "default" if setting is None else setting.origin
            rows.append({"command": " ".join(path), "name": name, "value": value, "origin": source})
    file = settings.config_file()
    if as_json:
        say.json_result({"file": None if file is None else str(file), "settings": rows})
        return
    table = ""
    width = max((len(f"{row['name']} = {settings.toml_value(row['value'])}") for row in rows), default=0)
    for row in rows:
        if row["command"] != table:
            table = row["command"]
            say.result(f"[{table.replace(' ', '.')}]")
        line = f"{row['name']} = {settings.toml_value(row['value'])}"
        if row["value"] is None:
            line = f"# {row['name']} has no default"
        say.result(f"{line:<{width}}  # {row['origin']}" if origin else line)
    if not rows:
        where = (
            "which is switched off" if file is None else f"{file}{'' if file.exists() else ', which does not exist'}"
        )
        say.note(f"Nothing is set: neither in the environment nor in the file, {where}.")


@config.command()
def path() -> None:
    """Print where the file of your settings is, whether it exists or not."""
    file = settings.config_file()
    if file is None:
        raise WrongUse(f"The file of settings is switched off by {settings.FILE}.", "Unset it.")
    say.result(str(file))


@config.command()
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@click.pass_context
def init(ctx: click.Context, force: bool) -> None:
    """Write a file with every setting there is, all commented out, and print its path."""
    app = ctx.find_root().command
    assert isinstance(app, click.Group)
    file = settings.config_file()
    if file is None:
        raise WrongUse(f"The file of settings is switched off by {settings.FILE}.", "Unset it.")
    if file.exists() and not force:
        raise WrongUse(f"{str(file)!r} is there already.", "Mend it by hand, or give --force to write over it.")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(settings.template(app), encoding="utf-8")
    except OSError as problem:
        raise WrongUse(f"{str(file)!r} cannot be written: {problem.strerror}.", "Check the folder.") from None
    say.result(str(file))
