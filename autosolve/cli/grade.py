"""Owns the command grade: how hard a board is."""

from __future__ import annotations

import click

from autosolve.board.notation import parse
from autosolve.cli import say
from autosolve.cli.options import as_json, layers_allowed
from autosolve.solver.deduction import Budget, Technique
from autosolve.solver.hybrid import FULL


@click.command()
@click.argument("file")
@as_json
@click.option(
    "--states", type=click.IntRange(1), default=Budget().states, show_default=True, help="Work the exact count may do."
)
@layers_allowed
def grade(file: str, as_json: bool, states: int, layers: frozenset[Technique] | None) -> None:
    """Say how hard the board in FILE is: the layers it needs, how often, and how deep that goes."""
    from autosolve.analysis.grade import grade as measure

    puzzle = parse(say.read_text(file)).puzzle
    found = measure(puzzle, layers=FULL if layers is None else layers, budget=Budget(states=states))
    hardest = found.hardest.word if found.hardest else None
    waves = {technique.word: number for technique, number in found.waves.items()}
    if as_json:
        say.json_result(
            {"hardest": hardest, "layer": found.layer, "depth": found.depth, "waves": waves, "unique": found.unique}
        )
    else:
        passes = ", ".join(f"{word} {number}" for word, number in waves.items()) or "none"
        say.result(f"hardest: {hardest or 'nothing'} (layer {found.layer})")
        say.result(f"depth: {found.depth}")
        say.result(f"waves: {passes}")
        say.result(f"unique: {'yes' if found.unique else 'no' if found.complete else 'not proven within the budget'}")
