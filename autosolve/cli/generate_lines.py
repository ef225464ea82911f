"""Owns ``generate lines``: row-and-column boards one by one, or a whole set of them in ten tiers as one JSON file."""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autosolve.board.shape import Shape
from autosolve.board.words import counted, verb
from autosolve.cli import made, say
from autosolve.cli.measuring import cluster_option, jobs_option, working
from autosolve.errors import WrongUse

if TYPE_CHECKING:
    from autosolve.generate.lines import Missed, Round

Band = tuple[int, int]


def _band(_: click.Context, __: click.Parameter, value: str | None) -> Band | None:
    """``7`` or ``4-7``."""
    if value is None:
        return None
    match = re.fullmatch(r"\s*(\d{1,6})(?:\s*(?:-|\.\.)\s*(\d{1,6}))?\s*", value)
    if not match:
        raise click.BadParameter(f"{value!r} is neither a number nor a band such as 4-7.")
    low = int(match[1])
    return low, low if match[2] is None else int(match[2])


@click.command()
@made.options(size="6x6")
@click.option(
    "--needs",
    type=click.Choice(["one", "two", "contradiction", "contradictions"]),
    default="two",
    show_default=True,
    help="What it must need: single conditions; pairs of them; exactly one proof by contradiction; or any number.",
)
@click.option("--waves", callback=_band, metavar="N|A-B", help="Passes it must take.")
@click.option("--depth", callback=_band, metavar="N|A-B", help="Its depth: passes, all but the easiest counted twice.")
@click.option("--mines", callback=_band, metavar="N|A-B", help="How many mines; if not given what suits the size.")
@click.option("--clues", callback=_band, metavar="N|A-B", help="How many clues; if not given what suits the size.")
@click.option(
    "--zeros",
    type=click.IntRange(0),
    default=3,
    show_default=True,
    metavar="Z",
    help="At most so many conditions of 0.",
)
@click.option(
    "--tries", type=click.IntRange(1), default=600, show_default=True, metavar="T", help="Boards drawn for each wanted."
)
@click.option(
    "--set",
    "place",
    metavar="FILE.json",
    help="Make a whole set instead: rounds in ten tiers as one JSON file, or a round a line if it ends in .jsonl.",
)
@click.option(
    "--rounds", type=click.IntRange(1, 100_000), default=2000, show_default=True, metavar="N", help="Rounds of the set."
)
@jobs_option
@cluster_option
def lines(
    shape: Shape,
    seed: int,
    count: int,
    out: made.Outlet,
    needs: str,
    waves: Band | None,
    depth: Band | None,
    mines: Band | None,
    clues: Band | None,
    zeros: int,
    tries: int,
    place: str | None,
    rounds: int,
    jobs: int,
    cluster: str | None,
) -> None:
    """Make boards with totals of rows and columns and a few clues, whose mines follow from them.

    Everything is open from the start. What a board needs is measured with three layers: one condition at a time, two
    that overlap, and a proof by contradiction.
    """
    from autosolve.generate import lines as boards

    if place is not None:
        _set(place, seed, rounds, jobs, cluster, out)
        return
    wish = boards.Wish(shape, boards.Needs(needs), waves, depth, mines, clues, zeros)
    failed: list[Missed] = []
    with out, working(min(jobs, count), cluster) as workers, out.progress("boards", count) as step:
        work = functools.partial(boards.make, wish, tries=tries)
        for found in workers.in_order(work, range(seed, seed + count)):
            if isinstance(found, boards.Missed):
                failed.append(found)
            else:
                out.put(found.record(needs))
            step()
    if failed:
        problem = boards.missed(failed[0])
        if count > 1:
            good = count - len(failed)
            say.note(f"{good} of {count} boards {verb(good, 'was', 'were')} made.")
        raise problem


def _set(place: str, seed: int, rounds: int, jobs: int, cluster: str | None, out: made.Outlet) -> None:
    from autosolve.generate.lines import make_set

    context = click.get_current_context()
    alone = (
        "shape",
        "count",
        "needs",
        "waves",
        "depth",
        "mines",
        "clues",
        "zeros",
        "tries",
        "output",
        "booklet",
        "form",
    )
    for name in alone:
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            raise WrongUse(
                "A set has its own kinds of boards.", "With --set give --seed, --rounds, --jobs and --cluster alone."
            )
    say.check_place(Path(place))
    there = Path(place).exists()
    found: list[Round] = []
    try:
        with working(jobs, cluster) as workers, out.progress("rounds", rounds) as step:
            for one in make_set(seed, rounds, workers):
                found.append(one)
                step()
    finally:
        # what was made is kept when a person stops, but never in the place of a file that was there before
        if found:
            if there and len(found) < rounds:
                place = str(Path(place).with_name(f"{Path(place).stem}.partial{Path(place).suffix}"))
            _write(place, seed, found, len(found) == rounds)


def _write(place: str, seed: int, found: list[Round], complete: bool) -> None:
    """One JSON object, or a round a line and nothing else where the name ends in .jsonl."""
    from autosolve.generate.lines import TIERS, summary

    tiers = summary(found)
    head = {"schema": 1, "kind": "lines", "seed": seed, "complete": complete, "tiers": [one.to_json() for one in tiers]}
    rows = []
    for number, one in enumerate(found, 1):
        tier = TIERS[one.place.tier]
        record = one.lines.record(tier.name, round=number, tier=one.place.tier + 1, needs=tier.needs.value)
        rows.append(json.dumps({"schema": 1, **record.to_json()}))
    if place.lower().endswith(".jsonl"):
        text = "\n".join(rows) + "\n"
    else:
        text = json.dumps(head)[:-1] + ', "rounds": [\n' + ",\n".join(rows) + "\n]}\n"
    try:
        say.put_file(Path(place), text)
    except OSError as problem:
        raise say.unwritable(Path(place), problem) from None
    say.note(f"{counted(len(found), 'round')}{'' if complete else ', not all,'} written to {place}:")
    for number, tier, count, (low, middle, high) in tiers:
        say.note(
            f"  {number:>2} {tier.name:<9} {count:>4} {verb(count, 'round', 'rounds')}, depth {low} to {high}, "
            f"median {middle:g}"
        )
