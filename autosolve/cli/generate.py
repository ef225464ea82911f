"""Owns the group of commands that make boards; each kind has a module of its own."""

from __future__ import annotations

import click

from autosolve.cli.groups import LazyGroup

KINDS = {
    "puzzle": ("autosolve.cli.generate_puzzle:puzzle", "All clues shown: every mine follows from them."),
    "lines": ("autosolve.cli.generate_lines:lines", "Totals of rows and columns, and some clues."),
    "noguess": ("autosolve.cli.generate_noguess:noguess", "Click to reveal: can be won without a guess."),
}


@click.group(cls=LazyGroup, table=KINDS)
def generate() -> None:
    """Make new puzzles, each proven to have one solution, or to be winnable without a guess.

    The same seed gives the same boards on every machine.
    """
