"""Owns the commands that play very many boards: census, and what a first click meets."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from autosolve.board.shape import Cell, Shape
from autosolve.board.words import article, counted, sentence, up_to, verb
from autosolve.cli import kept, say
from autosolve.cli.measuring import cluster_option, jobs_option, tell_compiling, working
from autosolve.cli.options import as_json, parse_size, parse_start, start_on
from autosolve.errors import AutosolveError, WrongUse

if TYPE_CHECKING:
    from autosolve.analysis.census import Chunk, Spec, Summary
    from autosolve.analysis.firstclick import Kind
    from autosolve.kernels.census import Tally

_RULES = ("random", "safe", "opening", "moved")
_BARS = " ▁▂▃▄▅▆▇█"
_ADDS = {
    "AB": "what the odds of a front add",
    "BC": "what the number of mines on the board adds",
    "CD": "what choosing among equals adds",
}


# ---------------------------------------------------------------- options


def _policies(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Letters of policies, each once."""
    if value is None:
        return None
    letters = value.upper()
    if not letters or set(letters) - set("ABCD"):
        raise click.BadParameter(f"{value!r} are not letters of A, B, C and D.")
    return "".join(sorted(set(letters)))


_size = click.option("--size", "shape", callback=parse_size, metavar="RxC", help="Rows x columns.  [default: 16x30]")
_mines = click.option(
    "--mines",
    type=click.IntRange(0),
    metavar="N",
    help="Mines; if not given 10, 40 and 99 on the well-known sizes, a fifth of the cells on others.",
)
_at = click.option(
    "--start",
    callback=parse_start,
    metavar="R,C",
    help="The first click, counted from 0, or its name such as r9c16; if not given the centre.",
)


# ---------------------------------------------------------------- census


@click.command()
@click.option("--boards", type=click.IntRange(1, 10**15), default=10_000, show_default=True, help="Boards to play.")
@click.option(
    "--seed",
    type=click.IntRange(0, 2**64 - 1),
    metavar="S",
    help="Names the run: the same boards everywhere.  [default: 1]",
)
@_size
@_mines
@_at
@click.option(
    "--first-click",
    "rule",
    type=click.Choice(_RULES),
    help="Where mines may lie: anywhere, not on the first click, nor around it; or moved from there to the top left.  "
    "[default: opening]",
)
@click.option(
    "--policies",
    callback=_policies,
    metavar="LETTERS",
    help="A a random cell, B the best of its front, C the best of the board, D the same and among equals the one most "
    "likely to make another safe, as the bot plays.  [default: ABC]",
)
@jobs_option
@cluster_option
@kept.options
@click.option(
    "--first",
    type=click.IntRange(0, 2**61),
    default=0,
    metavar="N",
    help="The number of the first board.  [default: 0]",
)
@click.option(
    "--chunk", type=click.IntRange(1, 1 << 20), metavar="N", help="Boards a chunk; if not given, by --boards."
)
@click.option(
    "--plot", "plots", multiple=True, metavar="FILE", help="Draw the result, as PNG or SVG; may be given again."
)
@click.option("--show", metavar="FILE", help="Play nothing: add up the chunks of FILE, or - for standard input.")
@click.option(
    "--check", is_flag=True, help="Hold the engine against a slow one in exact numbers, and against broken ones."
)
@as_json
def census(
    boards: int,
    seed: int | None,
    shape: Shape | None,
    mines: int | None,
    start: tuple[int, int] | None,
    rule: str | None,
    policies: str | None,
    jobs: int,
    cluster: str | None,
    output: str | None,
    resume: bool,
    first: int,
    chunk: int | None,
    plots: tuple[str, ...],
    show: str | None,
    check: bool,
    as_json: bool,
) -> int:
    """Play very many boards: win rates of policies of guessing, and how often a guess is forced.

    Everything that can be proven is played first, with the number of mines; a policy only chooses when nothing is
    certain. Board k of a seed is the same on every machine, so any split of a run adds up to the same. With --json the
    last line is the result; without --output the chunks come before it.
    """
    from autosolve.analysis.census import add_up, read_record, run, summary
    from autosolve.analysis.pictures import check_place

    if check:
        return _check(as_json)
    for place in plots:
        check_place(Path(place))
    given = {"seed": seed, "shape": shape, "mines": mines, "start": start, "rule": rule, "policies": policies}
    if show is not None:
        spec, done = read_record(say.read_text(show).splitlines(keepends=True))
        if spec is None:
            raise WrongUse(f"{show!r} holds no census.", "Give the --output of one.")
        _finish(spec, summary(spec, add_up(done)), plots, as_json)
        return 0
    spec, done = _begin(given, output, resume)
    total = add_up(done)
    stopped = False
    began = time.monotonic()
    with _record(spec, output, as_json) as write:
        try:
            if cluster is None:
                _warm_up(spec)
                began = time.monotonic()
            with working(jobs, cluster) as workers, _bar(boards, total) as step:
                for piece in run(spec, boards, workers, first=first, done=done, size=chunk):
                    write(piece.line())
                    total += piece.tally
                    step(piece, total)
        except KeyboardInterrupt:
            stopped = True
    played = total.boards - add_up(done).boards
    if played:
        seconds = time.monotonic() - began
        say.note(f"{counted(played, 'board')} in {seconds:,.1f} s: {played / max(seconds, 1e-9):,.0f} a second.")
    if total.boards:
        _finish(spec, summary(spec, total), plots, as_json)
    if stopped:
        raise kept.stopped(total.boards, None, output)
    if total.wrong:
        raise AutosolveError(
            f"{counted(total.wrong, 'cell')} {verb(total.wrong, 'contradicts', 'contradict')} the hidden "
            "boards: what was "
            "taken for certain was not.",
            "Run 'autosolve census --check' and report what it says.",
        )
    return 0


def _begin(given: dict[str, Any], output: str | None, resume: bool) -> tuple[Spec, list[Chunk]]:
    """The run that is asked for, and what of it is there already."""
    from autosolve.analysis.census import read_record

    lines = kept.begun(output, resume)
    old, done = read_record(lines)
    if lines and old is None:
        raise WrongUse(f"{output!r} holds no census.", "Give another name.")
    spec = _spec(given, old)
    if old is not None and not old.same(spec):
        differ = ", ".join(k for k, v in spec.as_dict().items() if old.as_dict()[k] != v)
        raise WrongUse(
            f"The run in {output!r} is another one: it differs in {differ}.",
            "Leave these options out to go on with it, or give another --output.",
        )
    return spec, done


def _spec(given: dict[str, Any], old: Spec | None) -> Spec:
    """What was asked for; what was not is as in the run to go on with."""
    from autosolve.analysis.census import EXPERT, Spec
    from autosolve.generate.deal import standard_mines
    from autosolve.kernels.census import Policy
    from autosolve.kernels.game import FirstClick, check_room

    told = {name for name, value in given.items() if value is not None}
    like = old if old is not None and "shape" not in told else None
    shape: Shape = given["shape"] or (old.shape if old else EXPERT)
    rule = FirstClick[given["rule"].upper()] if "rule" in told else (old.rule if old else FirstClick.OPENING)
    cell = like.cell if like and "start" not in told else start_on(shape, given["start"])
    if "mines" in told:
        mines = given["mines"]
    elif like:
        mines = like.mines
    else:
        mines = min(standard_mines(shape), rule.room(shape, cell))
    check_room(shape, mines, cell, rule)
    seed = given["seed"] if "seed" in told else (old.seed if old else 1)
    letters = given["policies"] or ("".join(p.value for p in old.policies) if old else "ABC")
    return Spec(shape, mines, seed, cell, rule, tuple(Policy(letter) for letter in letters))


@contextmanager
def _record(spec: Spec, output: str | None, as_json: bool) -> Iterator[Callable[[str], None]]:
    """Where the lines of the chunks go: the file, whole and at once; standard output with --json; else nowhere."""
    from autosolve.analysis.census import header

    if output is None:
        if as_json:
            say.result(header(spec))
        yield say.result if as_json else lambda _line: None
        return
    with kept.writing(output, header(spec)) as write:
        yield write


def _warm_up(spec: Spec) -> None:
    """Loads the compiled census, so that it is compiled once and not by each process, and that is said."""
    from autosolve.analysis.census import kernel

    tell_compiling()
    kernel(spec).play(seed=spec.seed, first=0, boards=0)


@contextmanager
def _bar(boards: int, total: Tally) -> Iterator[Callable[[Chunk, Tally], None]]:
    """A bar on standard error, where that is a terminal, with the win rates so far."""
    if not (sys.stderr is not None and sys.stderr.isatty()):
        yield lambda _chunk, _total: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    from autosolve.kernels.census import Policy

    bar = Progress(
        TextColumn("boards"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rates]}"),
        TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn(), console=Console(stderr=True), transient=True,
    )  # fmt: skip
    with bar:
        task = bar.add_task("", total=max(boards, total.boards), completed=total.boards, rates="")

        def step(chunk: Chunk, so_far: Tally) -> None:
            rates = "  ".join(
                f"{p.value} {100 * so_far.wins(p) / so_far.boards:.1f} %" for p in Policy if so_far.guesses[p.index]
            )
            bar.update(task, advance=chunk.boards, rates=rates)

        yield step


def _finish(spec: Spec, found: Summary, plots: tuple[str, ...], as_json: bool) -> None:
    """The result, then its pictures."""
    from autosolve.analysis.census_plot import draw

    if as_json:
        say.json_result(found.as_dict())
    else:
        say.result(table(spec, found))
    for place in plots:
        draw(spec, found, Path(place))
        say.note(f"Drawn to {place}.")


def _percent(share: float, digits: int = 2) -> str:
    return f"{100 * share:.{digits}f} %"


def table(spec: Spec, found: Summary) -> str:
    """The result for people."""
    from autosolve.analysis.census_plot import NAMES

    lines = [
        f"{spec.shape}, {counted(spec.mines, 'mine')}, first click {spec.shape.name(spec.cell)} "
        f"({spec.rule.name.lower()}): "
        f"{counted(found.boards, 'board')}, seed {found.seed}",
        "",
        f"{'':<28}{'won':>10}{'95 % interval':>22}{'guesses a board':>20}",
    ]
    for p in found.policies:
        interval = f"{_percent(p.interval[0])} to {_percent(p.interval[1])}"
        guesses = f"{p.guesses:.3f} ± {p.guesses_half:.3f}"
        lines.append(f"{NAMES[p.policy]:<28}{_percent(p.win_rate):>10}{interval:>22}{guesses:>20}")
    if found.gaps:
        lines.append("")
    for worse, better, gap, half in found.gaps:
        pair = worse.value + better.value
        why = f"  {_ADDS[pair]}" if pair in _ADDS else ""
        lines.append(f"{worse.value} to {better.value}  {100 * gap:+.2f} % ± {100 * half:.2f} %{why}")
    low, high = found.unforced_interval
    lines += [
        "",
        f"No guess was forced on {_percent(found.unforced)} of the boards ({_percent(low)} to {_percent(high)}).",
    ]
    if found.best_survival is not None:
        top = max(found.bins)
        marks = "".join(_BARS[0 if not n else max(1, round(n / top * (len(_BARS) - 1)))] for n in found.bins)
        lines += [
            f"The best chance to survive at a forced guess of C, {found.best_survival:.3f} on average:",
            f"  0 {marks} 1",
        ]
    lines.append(f"Contradictions with the hidden boards: {found.contradictions}. Limits hit: {found.capped}.")
    return "\n".join(lines)


def _check(as_json: bool) -> int:
    """The checks, one line each; exit code 1 where one fails."""
    from autosolve.analysis.census import Spec
    from autosolve.analysis.census_reference import checks

    _warm_up(Spec())
    bad = 0
    for check in checks():
        found = check()
        bad += not found.good
        if as_json:
            say.json_line({"check": found.what, "good": found.good, "detail": found.detail})
        else:
            say.result(f"{'good' if found.good else 'BAD ':<5} {found.what}: {found.detail}")
    if bad:
        raise AutosolveError(
            f"{counted(bad, 'check')} failed.", "The figures of this census cannot be trusted; please report it."
        )
    return 0


# ---------------------------------------------------------------- first click


@click.command("first-click")
@_size
@_mines
@_at
@click.option(
    "--boards", type=click.IntRange(1, 10**9), default=100_000, show_default=True, help="Boards sampled a figure."
)
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), default=42, show_default=True, metavar="S")
@as_json
def first_click(
    shape: Shape | None, mines: int | None, start: tuple[int, int] | None, boards: int, seed: int, as_json: bool
) -> int:
    """How likely a first click is safe and opens a region, exactly and sampled, by four rules of dealing; and how many
    boards the simple rules finish from there.

    Without --size: the boards people know."""
    from autosolve.analysis.firstclick import KINDS, Kind
    from autosolve.generate.deal import standard_mines

    tell_compiling()
    kinds: tuple[Kind, ...] = KINDS
    if shape is not None or mines is not None or start is not None:
        shape = shape or Shape(16, 30)
        kinds = (Kind("Board", shape, standard_mines(shape) if mines is None else mines),)
    for number, kind in enumerate(kinds):
        found = _first_click(kind, start_on(kind.shape, start), boards, seed)
        if as_json:
            say.json_line(found)
        else:
            say.result(("" if not number else "\n") + _first_click_text(found))
    return 0


def _first_click(kind: Kind, cell: Cell, boards: int, seed: int) -> dict[str, Any]:
    """All figures of a kind of board."""
    from autosolve.analysis.firstclick import opening_chance, opening_range, safe_chance, sample
    from autosolve.kernels.game import FirstClick

    shape, mines = kind.shape, kind.mines
    rules: dict[str, Any] = {}
    for rule in FirstClick:
        if mines > rule.room(shape, cell):
            continue
        seen = sample(shape, mines, cell, rule, boards=boards, seed=seed)
        rules[rule.name.lower()] = {
            "safe": float(safe_chance(shape, mines, cell, rule)),
            "opens": float(opening_chance(shape, mines, cell, rule)),
            "sampled": seen.opening.share,
            "interval": list(seen.opening.interval),
            "range": [float(chance) for chance in opening_range(shape, mines, rule)],
        }
    finished: dict[str, Any] = {}
    if mines <= FirstClick.OPENING.room(shape, cell):
        for level, name in ((1, "one"), (2, "two")):
            cleared = sample(shape, mines, cell, FirstClick.OPENING, boards=boards, seed=seed, level=level).cleared
            assert cleared is not None
            finished[name] = {"rate": cleared.share, "interval": list(cleared.interval), "count": cleared.count}
    if not rules:
        raise WrongUse(
            f"{counted(mines, 'mine')} {verb(mines, 'does', 'do')} not fit on {article(shape)}.",
            sentence(up_to(shape.size, "mine")),
        )
    return {
        "board": kind.name, "rows": shape.rows, "cols": shape.cols, "mines": mines, "start": list(shape.at(cell)),
        "boards": boards, "seed": seed, "rules": rules, "finished": finished,
    }  # fmt: skip


def _first_click_text(found: dict[str, Any]) -> str:
    row, col = found["start"]
    lines = [
        f"{found['board']} {found['rows']}x{found['cols']}, {counted(found['mines'], 'mine')}, first click "
        f"r{row + 1}c{col + 1} "
        f"({counted(found['boards'], 'board')} a figure, seed {found['seed']})",
        f"  {'mines may lie':<28}{'safe':>9}{'opens':>9}{'sampled':>9}{'95 % interval':>22}{'other first clicks':>24}",
    ]
    says = {
        "random": "anywhere",
        "safe": "not on the first click",
        "opening": "nor around it",
        "moved": "anywhere, then moved away",
    }
    for name, figures in found["rules"].items():
        interval = f"{_percent(figures['interval'][0])} to {_percent(figures['interval'][1])}"
        span = f"{_percent(figures['range'][0])} to {_percent(figures['range'][1])}"
        lines.append(
            f"  {says[name]:<28}{_percent(figures['safe']):>9}{_percent(figures['opens']):>9}"
            f"{_percent(figures['sampled']):>9}{interval:>22}{span:>24}"
        )
    words = {"one": "the two rules on one number", "two": "these and pairs of numbers"}
    for name, figures in found["finished"].items():
        low, high = figures["interval"]
        lines.append(
            f"  finished by {words[name]}: {_percent(figures['rate'], 3)} ({_percent(low, 3)} to {_percent(high, 3)})"
        )
    return "\n".join(lines)
