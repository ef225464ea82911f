"""Owns shell completion: the script a shell loads, and the answers to what it then asks."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click
from click.shell_completion import CompletionItem, ShellComplete, get_completion_class

from autosolve.cli import say
from autosolve.errors import WrongUse

VARIABLE = "_AUTOSOLVE_COMPLETE"
SHELLS = {
    "bash": 'Add this to ~/.bashrc: eval "$(autosolve completion bash)"',
    "zsh": 'Add this to ~/.zshrc: eval "$(autosolve completion zsh)"',
    "fish": "Save it: autosolve completion fish > ~/.config/fish/completions/autosolve.fish",
}
_FILES = frozenset(["FILE", "IMAGE", "[FILE]", "[FILE]...", "FILE..."])
_FOLDERS = frozenset(["DIR", "DIR|off"])


@click.command()
@click.argument("shell", required=False, type=click.Choice(list(SHELLS)))
def completion(shell: str | None) -> None:
    """Print the script that lets a shell complete commands, options, sites and files.

    Without SHELL it is the one that SHELL in the environment names.
    """
    name = shell or Path(os.environ.get("SHELL", "")).name
    if name not in SHELLS:
        raise WrongUse("It cannot be told which shell this is for.", f"Name it: {', '.join(SHELLS)}.")
    kind: type[ShellComplete] | None = get_completion_class(name)
    assert kind is not None
    app = click.get_current_context().find_root().command
    # the base class's way: bash's own starts a bash to ask for its version
    asker: ShellComplete = kind(app, {}, "autosolve", VARIABLE)
    say.result(ShellComplete.source(asker))
    if sys.stdout.isatty():
        say.note(SHELLS[name])


def answer(app: click.Group, asked: str) -> int:
    """What a shell asks while a person types; a fault of ours must not disturb the line being typed."""
    shell, _, what = asked.partition("_")
    kind = get_completion_class(shell)
    if kind is None:
        return 1
    asker = kind(app, {}, "autosolve", VARIABLE)
    if what == "source":
        click.echo(ShellComplete.source(asker))
        return 0
    if what != "complete":
        return 1
    try:
        args, incomplete = asker.get_completion_args()
        items = _answers(asker, app, args, incomplete)
    except Exception:
        return 0
    click.echo("\n".join(asker.format_completion(item) for item in items))
    return 0


def _answers(asker: ShellComplete, app: click.Group, args: list[str], incomplete: str) -> list[CompletionItem[str]]:
    context = click.Context(app, info_name="autosolve", resilient_parsing=True)
    # before any command stand options of run
    of_run = (args[0] if args else incomplete).startswith("-")
    name = "run" if of_run else args[0] if args else ""
    command = app.get_command(context, name) if name in app.list_commands(context) else None
    if command is not None:
        _tell_files(command, context)
        if incomplete.startswith("-") and not args:
            # an option in the place of a command belongs to run
            return [*asker.get_completions(["run"], incomplete), *app.shell_complete(context, incomplete)]
    return asker.get_completions(args, incomplete)


def _tell_files(command: click.Command, context: click.Context) -> None:
    """Lets a shell complete names where an option or argument takes a file or a folder."""
    if isinstance(command, click.Group):
        for word in command.list_commands(context):
            inner = command.get_command(context, word)
            if inner is not None:
                _tell_files(inner, context)
    for param in command.params:
        shown = param.metavar or (param.human_readable_name.upper() if isinstance(param, click.Argument) else "")
        if shown in _FILES and isinstance(param.type, type(click.STRING)):
            param.type = click.Path()
        elif shown in _FOLDERS:
            param.type = click.Path(file_okay=False)


def sites(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """The names of sites."""
    from autosolve.cli import options
    from autosolve.vision.profile import site_folders

    names = [options.AUTO, *site_folders(options.user_sites())]
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]
