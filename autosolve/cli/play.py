"""Owns the command ``play``: a puzzle becomes a page on this machine, and the page opens in the browser."""

from __future__ import annotations

import os
import re
import sys
import webbrowser
from pathlib import Path

import click
import platformdirs

from autosolve.board import notation
from autosolve.cli import say
from autosolve.errors import NotationError, WrongUse
from autosolve.player.page import page


@click.command()
@click.argument("file", required=False, metavar="[FILE]")
@click.option("--output", "-o", metavar="FILE", help="Where the page is written; else in your data folder.")
@click.option("--open/--no-open", "show", default=True, help="Open the page in the browser (the default), or not.")
def play(file: str | None, output: str | None, show: bool) -> int:
    """Write a puzzle as one offline web page, print its path, and open it in the browser.

    FILE is a board in any format, - for standard input; marks in it are drawn on the board. Without FILE the
    page asks for a puzzle and offers an example.
    """
    say.keep_input(file, output)
    name, position = "Minesweeper puzzle", None
    if file is not None:
        text = say.read_text(file)
        try:
            position = notation.parse(text)
        except NotationError as problem:
            source = "standard input" if file == "-" else file
            raise NotationError(
                f"{source}: {problem}", problem.remedy, line=problem.line, column=problem.column
            ) from None
        name = name if file == "-" else Path(file).stem
    content = page(position, title=f"{name} · autosolve")
    target = Path(output).absolute() if output else _default_place(file)
    _write(target, content)
    say.result(str(target))
    if show:
        _open(target)
    return 0


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


def _open(target: Path) -> None:
    """Opens the page; where no browser can be opened the path that was printed is what is left to the person."""
    screenless = sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.environ.get("BROWSER")
    )
    if screenless or not webbrowser.open(target.as_uri()):
        say.note("No browser could be opened; open the page yourself.")
