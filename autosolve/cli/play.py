"""Owns the command ``play``: a puzzle becomes a page in the browser, from a server on this machine or from a file."""

from __future__ import annotations

import functools
import os
import re
import sys
import webbrowser
from collections.abc import Callable
from pathlib import Path

import click
import platformdirs

from autosolve.board import notation
from autosolve.cli import say
from autosolve.errors import NotationError, WrongUse
from autosolve.player.page import page
from autosolve.player.plan import hidden_game


@click.command()
@click.argument("file", required=False, metavar="[FILE]")
@click.option(
    "--export",
    "--output",
    "-o",
    "output",
    metavar="FILE",
    help="Write the page to a file that needs no server, print its path, and end.",
)
@click.option(
    "--open/--no-open",
    "show",
    default=True,
    help="Open a page that is written in the browser (the default), or not. --no-open alone writes it into your data"
    " folder.",
)
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Of the local server.  [default: a free one]")
@click.option("--no-browser", is_flag=True, help="Print the address of the local server, and do not open it.")
def play(file: str | None, output: str | None, show: bool, port: int, no_browser: bool) -> int:
    """Play a puzzle in the browser, with hints and new puzzles from a small server on this machine.

    FILE is a board in any format, - for standard input; marks in it are drawn on the board. One that 'generate noguess
    --json' wrote is opened cell by cell. Without FILE the page asks for a puzzle and makes new ones. Nothing leaves
    this machine. Ctrl-C ends the server.

    With --export the page is written to a file instead: it plays without a server, its hints are in it.
    """
    say.keep_input(file, output)
    name, position, game = "Minesweeper puzzle", None, None
    if file is not None:
        text = say.read_text(file)
        game = hidden_game(text)
        try:
            position = notation.parse(text) if game is None else None
        except NotationError as problem:
            source = "standard input" if file == "-" else file
            raise NotationError(
                f"{source}: {problem}", problem.remedy, line=problem.line, column=problem.column
            ) from None
        name = name if file == "-" else Path(file).stem
    shown = functools.partial(page, position, title=f"{name} · autosolve", game=game)
    if output is None and show:
        _serve(lambda token: shown(token=token), port, not no_browser)
        return 0
    if port:
        raise WrongUse("A page that is written to a file has no port.", "Leave --port out, or --export and --no-open.")
    content = shown()
    target = Path(output).absolute() if output else _default_place(file)
    _write(target, content)
    say.result(str(target))
    if show and not no_browser:
        _open(target.as_uri())
    return 0


def _serve(shown: Callable[[str], str], port: int, show: bool) -> None:
    """Answers the page until a person stops it."""
    from autosolve.cli import playing
    from autosolve.player.server import Engine, Server

    engine = Engine(playing.new, playing.judge, playing.rating)
    server = Server(shown, engine, port)
    say.note(f"The player is at {server.address}. Ctrl-C ends it.")
    if show:
        # its port listens already: a browser that is quicker than the server waits
        _open(server.address)
    server.run()


def _default_place(file: str | None) -> Path:
    """One page a puzzle's name, so that a page left open is not replaced by another puzzle."""
    stem = "player" if file is None else "puzzle" if file == "-" else Path(file).stem
    safe = re.sub(r"[^\w.-]+", "-", stem).strip("-.")[:80] or "puzzle"
    return Path(platformdirs.user_data_dir("autosolve", appauthor=False)) / "player" / f"{safe}.html"


def _write(target: Path, content: str) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        # newlines as they are: the page's policy names its script by its bytes
        target.write_text(content, encoding="utf-8", newline="\n")
    except OSError as problem:
        raise WrongUse(
            f"The page cannot be written to {str(target)!r}: {problem.strerror}.", "Give another place with --output."
        ) from None


def _open(address: str) -> None:
    """Opens the page; where no browser can be opened the address that was printed is what is left to the person."""
    screenless = sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.environ.get("BROWSER")
    )
    if screenless or not webbrowser.open(address):
        say.note("No browser could be opened; open the page yourself.")
