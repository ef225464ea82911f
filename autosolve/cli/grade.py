"""Owns the command grade: how hard a board is, or a whole collection of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from autosolve.analysis.grade import PLAIN, Fit, Grade, Weights
from autosolve.board.words import counted
from autosolve.cli import kept, say
from autosolve.cli.measuring import cluster_option, jobs_option, measured
from autosolve.cli.options import as_json, layers_allowed
from autosolve.errors import Clash, Undecided, WrongUse
from autosolve.solver.deduction import Budget, Technique
from autosolve.solver.hybrid import FULL

if TYPE_CHECKING:
    from autosolve.analysis.tables import Tier


def _weights(ctx: click.Context, param: click.Parameter, value: str | None) -> Weights:
    if value is None:
        return PLAIN
    try:
        pair, contradiction = (float(part) for part in value.split(","))
    except ValueError:
        raise click.BadParameter(f"{value!r} is not two numbers PAIR,CONTRADICTION.") from None
    return Weights(pair, contradiction)


@click.command()
@click.argument("file")
@as_json
@click.option(
    "--states", type=click.IntRange(1), default=Budget().states, show_default=True, help="Work the exact count may do."
)
@layers_allowed
@click.option(
    "--weights",
    callback=_weights,
    metavar="PAIR,CONTRADICTION",
    help="What a wave of pairs, and one of any layer beyond, counts in the depth.  [default: 2,2]",
)
@click.option("--fit-weights", is_flag=True, help="Find the weights that make the tiers' medians a straight staircase.")
@click.option("--tier", "tier_key", metavar="KEY", help="The key of each board's object that names its tier.")
@click.option("--tiers", metavar="A,B,C", help="The tiers, easiest first; as they come in FILE if not given.")
@click.option("--boxplot", metavar="FILE.png", help="Write box plots of the depth per tier (PNG or SVG).")
@kept.options
@jobs_option
@cluster_option
def grade(
    file: str,
    as_json: bool,
    states: int,
    layers: frozenset[Technique] | None,
    weights: Weights,
    fit_weights: bool,
    tier_key: str | None,
    tiers: str | None,
    boxplot: str | None,
    **where: Any,
) -> None:
    """Say how hard the board in FILE is: the layers it needs, how often, and how deep that goes.

    The depth counts waves: those of single conditions once, those of pairs and of all layers beyond twice, or as
    --weights say. FILE may be a collection, one board a line: then every tier is summed up, with box plots. The weights
    of the collections this measure comes from were fitted with --layers one,two,contradiction.
    """
    from autosolve.analysis.collection import is_collection, pieces
    from autosolve.analysis.pictures import check_place

    if as_json:
        say.want_json(hardest=None, layer=0, depth=0, waves={}, unique=False)
    say.keep_input(file, boxplot)
    if boxplot is not None:
        check_place(Path(boxplot))
    allowed = FULL if layers is None else layers
    text = say.read_text(file)
    boards = pieces(text)
    if not is_collection(text) and not fit_weights and boxplot is None and where["output"] is None:
        found = _grade((*boards[0], allowed, states, tier_key))
        if "error" in found:
            raise Clash(found["error"], found["remedy"], cells=found["named"])
        graded = _of(found)
        if as_json:
            say.json_result(_json(graded, weights))
        else:
            _one(graded, weights)
        if not graded.unique:
            raise _not_unique(graded, layers)
        return
    wanted = [name.strip() for name in tiers.split(",")] if tiers else []
    by_tier: dict[str, list[Grade]] = {name: [] for name in wanted}
    clashes, stopped = 0, False
    tasks = [(*board, allowed, states, tier_key) for board in boards]
    asked = {"layers": sorted(layer.word for layer in allowed), "states": states, "tier": tier_key}
    try:
        for found in measured(_grade, tasks, "Grading", where, kept.heading("grade", text, asked)):
            line, tier = found["line"], found["tier"]
            if "error" in found:
                clashes += 1
                say.note(f"autosolve: line {line}: {found['error']}")
                if as_json:
                    say.json_line({"line": line, "tier": tier, "error": found["error"]})
                continue
            by_tier.setdefault(tier, []).append(_of(found))
            if as_json:
                say.json_line({"line": line, "tier": tier, **_json(_of(found), weights)})
    except KeyboardInterrupt:
        stopped = True
    done = clashes + sum(map(len, by_tier.values()))
    if wanted and (unknown := [name for name in by_tier if name not in wanted]):
        raise WrongUse(f"There are boards of the tier {unknown[0]!r}, which --tiers does not name.", "Name all tiers.")
    if not stopped and (missing := [name for name in wanted if not by_tier[name]]):
        raise WrongUse(f"There is no board of the tier {missing[0]!r}.", "Name the tiers as the boards do.")
    if done > clashes or not stopped:
        some = [(name, grades) for name, grades in by_tier.items() if grades]
        _summary(some, weights, fit_weights and not stopped, boxplot, as_json)
    if stopped:
        raise kept.stopped(done, len(boards), where["output"])
    if clashes:
        raise Clash(
            f"The clues of {clashes:,} of {counted(len(boards), 'board')} contradict each other.",
            "The others are summed up above.",
        )


def _grade(task: tuple[Any, ...]) -> dict[str, Any]:
    """The grade of one board as JSON, or why it has none."""
    from autosolve.analysis.collection import entry
    from autosolve.analysis.grade import grade as measure

    line, text, layers, states, tier_key = task
    board = entry(line, text, tier_key)
    out: dict[str, Any] = {"line": line, "tier": board.tier}
    try:
        found = measure(board.puzzle, layers=layers, budget=Budget(states=states))
    except Clash as clash:
        return {**out, "error": str(clash), "remedy": clash.remedy, "named": [list(at) for at in clash.cells]}
    return {**out, **_json(found, PLAIN), "complete": found.complete}


def _of(data: Mapping[str, Any]) -> Grade:
    """A grade out of its JSON."""
    by_word = {technique.word: technique for technique in Technique}
    hardest = data["hardest"]
    return Grade(
        hardest=by_word[hardest] if hardest else None,
        waves={by_word[word]: number for word, number in data["waves"].items()},
        unique=data["unique"],
        complete=data["complete"],
    )


def _json(found: Grade, weights: Weights) -> dict[str, Any]:
    depth = found.depth_by(weights)
    return {
        "hardest": found.hardest.word if found.hardest else None,
        "layer": found.layer,
        "depth": int(depth) if depth == int(depth) else depth,
        "waves": {technique.word: number for technique, number in found.waves.items()},
        "unique": found.unique,
    }


def _not_unique(found: Grade, layers: frozenset[Technique] | None) -> Undecided:
    remedy = "The grade is of what is certain."
    if not found.complete:
        return Undecided("The budget of work ran out before the board was solved.", remedy)
    if layers is not None:
        return Undecided("The layers allowed do not solve the board.", remedy)
    return Undecided("The board has more than one solution.", remedy)


def _one(found: Grade, weights: Weights) -> None:
    passes = ", ".join(f"{technique.word} {number}" for technique, number in found.waves.items()) or "none"
    say.result(f"hardest: {found.hardest.word if found.hardest else 'nothing'} (layer {found.layer})")
    say.result(f"depth: {found.depth_by(weights):g}")
    say.result(f"waves: {passes}")
    say.result(f"unique: {'yes' if found.unique else 'no' if found.complete else 'not proven within the budget'}")


# ---------------------------------------------------------------- collections


def _summary(
    by_tier: Sequence[tuple[str, Sequence[Grade]]],
    weights: Weights,
    fit: bool,
    boxplot: str | None,
    as_json: bool,
) -> None:
    from autosolve.analysis.grade import fit_weights
    from autosolve.analysis.tables import draw_boxes, summarize

    fits: list[Fit] = []
    if fit:
        fits = fit_weights([grades for _, grades in by_tier])
        if fits[0].monotone:
            weights = fits[0].weights
    tiers = summarize(by_tier, weights)
    if as_json:
        out: dict[str, Any] = {
            "summary": [tier.to_json() for tier in tiers],
            "weights": [weights.pair, weights.contradiction],
        }
        if fit:
            out["fit"] = {"best": _fit(fits[0]) if fits[0].monotone else None, "tried": [_fit(f) for f in fits]}
        say.json_result(out)
    else:
        _tell(tiers, weights, fits, [name for name, _ in by_tier])
    if boxplot is not None:
        draw_boxes(tiers, Path(boxplot), f"Logic depth, weights {weights.pair:g} and {weights.contradiction:g}")
        say.note(f"Box plots written to {boxplot}.")


def _fit(fit: Fit) -> dict[str, Any]:
    return {
        "weights": [fit.weights.pair, fit.weights.contradiction],
        "medians": list(fit.medians),
        "unevenness": round(fit.unevenness, 4) if fit.monotone else None,
    }


def _tell(tiers: Sequence[Tier], weights: Weights, fits: Sequence[Fit], names: Sequence[str]) -> None:
    from autosolve.analysis.tables import box_lines

    used = sorted({technique for tier in tiers for technique in tier.using})
    rows = [["tier", "boards", "unique", *(t.word for t in used), "least", "lower", "median", "upper", "most"]]
    for tier in tiers:
        depth = tier.depth
        cells = [f"{tier.using.get(t, 0)} ({tier.most.get(t, 0)})" for t in used]
        five = (depth.least, depth.lower, depth.median, depth.upper, depth.most)
        rows.append([tier.name, f"{tier.boards:,}", f"{tier.unique:,}", *cells, *(f"{value:g}" for value in five)])
    say.result("Boards that need a layer (most waves of it), and the depth")
    for line in _table(rows):
        say.result(line)
    say.result("")
    say.result(f"Depth, weights {weights.pair:g} and {weights.contradiction:g}")
    for line in box_lines(tiers):
        say.result(line)
    if not fits:
        return
    say.result("")
    if not fits[0].monotone:
        say.result(f"No weights make the medians of {', '.join(names)} rise.")
        return
    say.result("Weights with the most even steps between the tiers' medians")
    rows = [["pair", "contradiction", "unevenness", *names]]
    for fit in fits[:5]:
        if fit.monotone:
            told = [f"{fit.weights.pair:g}", f"{fit.weights.contradiction:g}", f"{fit.unevenness:.3f}"]
            rows.append([*told, *(f"{m:g}" for m in fit.medians)])
    for line in _table(rows):
        say.result(line)


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Columns under their heads: the first to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join([row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))])
        for row in rows
    ]
