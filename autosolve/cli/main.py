"""Owns the table of commands, and turns every error into its message and exit code."""

from __future__ import annotations

import os
from collections.abc import Sequence

import click

from autosolve import __version__
from autosolve.cli import say
from autosolve.cli.groups import LazyGroup
from autosolve.errors import AutosolveError, BoardNotFound, EnvironmentProblem, Stopped, WrongUse

# command -> (where it is defined, its line in --help). Read only when it is called, so that --help stays quick.
COMMANDS: dict[str, tuple[str, str]] = {
    "run": ("autosolve.cli.run:run", "Find the board on the screen, solve it, click, look again."),
    "watch": ("autosolve.cli.watch:watch", "Watch a board; show what is sure, click nothing."),
    "read": ("autosolve.cli.read:read", "Read a board from a saved screenshot."),
    "solve": ("autosolve.cli.boards:solve", "Find the mines of a board and prove them."),
    "hint": ("autosolve.cli.boards:hint", "Say the next step of a board in one sentence."),
    "odds": ("autosolve.cli.boards:odds", "Give the exact chance of a mine in every covered cell."),
    "grade": ("autosolve.cli.grade:grade", "Say how hard a board is."),
    "audit": ("autosolve.cli.measure:audit", "Replay boards by proof alone; report what the rules do not clear."),
    "judge": ("autosolve.cli.measure:judge", "Decide whether boards were cleared without a guess."),
    "rating": ("autosolve.cli.measure:rating", "Rate players from their attempts."),
    "trophies": ("autosolve.cli.measure:trophies", "Compute the best and worst score over all orders of finding."),
    "generate": ("autosolve.cli.generate:generate", "Make new puzzles."),
    "census": ("autosolve.cli.census:census", "Play very many boards; report win rates and forced guesses."),
    "first-click": ("autosolve.cli.census:first_click", "Say what a first click meets, and what simple rules finish."),
    "play": ("autosolve.cli.play:play", "Open a puzzle in the browser: the local player."),
    "report": ("autosolve.cli.report:report", "Show a recorded run as one page; list what is recorded."),
    "sites": ("autosolve.cli.sites:sites", "List the sites that can be read and played."),
    "doctor": ("autosolve.cli.doctor:doctor", "Say what this machine can and cannot do."),
    "config": ("autosolve.cli.config:config", "Show and start your settings."),
    "completion": ("autosolve.cli.completion:completion", "Print the script for completion in a shell."),
}
# commands that work whatever the settings say
UNSET = frozenset(["config", "completion", "doctor"])
# commands that look at no screen: this machine cannot be why they find no board
UNSCREENED = frozenset(["sites"])
COMPLETE = "_AUTOSOLVE_COMPLETE"  # what a shell asks us by


class _Commands(LazyGroup):
    """All commands; takes ``run`` for granted before an option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0].startswith("-") and args[0] not in ("--help", "-h", "--version"):
            args = ["run", *args]
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        found = super().resolve_command(ctx, args)
        if found[0] not in UNSET and not ctx.resilient_parsing and not {"-h", "--help"} & set(args):
            from autosolve.cli import settings

            if settings.is_set():
                ctx.default_map = settings.default_map(self)
        return found


@click.group(
    cls=_Commands,
    table=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="'autosolve --site NAME' is short for 'autosolve run --site NAME'.",
)
@click.version_option(__version__, prog_name="autosolve")
def app() -> None:
    """Reads Minesweeper from the screen, proves where the mines are, and clicks.

    Exit codes: 0 done and verified · 1 internal error · 2 wrong use · 3 environment · 4 no board found ·
    5 cells unreadable · 6 clues contradict · 7 not unique · 8 clicks did not take · 9 game lost · 130 stopped.
    """


def run_command(args: Sequence[str]) -> int:
    """Runs one command line and returns its exit code; never lets a person's mistake end in a traceback."""
    if asked := os.environ.get(COMPLETE):
        from autosolve.cli.completion import answer

        return answer(app, asked)
    say.begin_answer(args)
    try:
        with app.make_context("autosolve", list(args)) as context:  # app.main would end the process on a broken pipe
            result = app.invoke(context)
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except BrokenPipeError:
        say.drop_output()
        return 0
    except click.ClickException as error:
        error.show()
        problem: AutosolveError = WrongUse(error.format_message(), "'autosolve COMMAND --help' says how it is used.")
    except AutosolveError as error:
        problem = error
        say.error(problem)
    except (click.Abort, KeyboardInterrupt):
        problem = Stopped("Stopped.")
        say.error(problem)
    except ImportError as error:
        problem = EnvironmentProblem(
            f"A library cannot be loaded: {error}.", "Install autosolve again with 'pip install .'."
        )
        say.error(problem)
    except Exception as error:
        problem = AutosolveError(f"Internal error: {type(error).__name__}: {error}", "Please report it.")
        say.crash(error)
    if not UNSCREENED & set(args[:1]):
        _tell_machine(problem)
    try:
        say.answer_error(problem)
    except (BrokenPipeError, AutosolveError):  # nobody reads it; the exit code still says what it was
        say.drop_output()
    return problem.exit_code


def _tell_machine(problem: AutosolveError) -> None:
    """The facts of this machine in a line, where they may be why: no screen, or no board on it."""
    if isinstance(problem, EnvironmentProblem | BoardNotFound):
        from autosolve.desktop import facts

        say.note(f"  Here: {facts.here_in_short()}. More: 'autosolve doctor'.")
