"""Owns the command ``generate puzzle``: boards that show all their clues, dealt or evolved."""

from __future__ import annotations

import functools
import json
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from autosolve.board.puzzle import Variant
from autosolve.board.shape import Shape
from autosolve.board.words import article, counted
from autosolve.cli import made, say
from autosolve.cli.measuring import cluster_option, jobs_option, tell_compiling, working
from autosolve.errors import Stopped, UnreadableFile, WrongUse

if TYPE_CHECKING:
    from autosolve.analysis.jobs import Jobs
    from autosolve.generate.evolve import Evolution
    from autosolve.generate.record import Record
    from autosolve.generate.unique import PuzzleMaker, Recipe

_DIFFICULTIES = ("easy", "medium", "hard", "expert", "extreme")
_CHILDREN = 8000
_TRIES = 1000
# seconds between two saves; what is made does not depend on it
_SAVE_EVERY = 2.0


@click.command()
@made.options(size="10x10")
@click.option(
    "--difficulty",
    type=click.Choice(_DIFFICULTIES),
    help="easy: one clue at a time. medium: two. hard: three and more. expert: six at once. extreme: twelve at once.  "
    "[default: medium, with --evolve hard]",
)
@click.option(
    "--density",
    type=click.FloatRange(0, 100, min_open=True, max_open=True),
    metavar="PERCENT",
    help="Share of mines; the board may differ by 5 points.  [default: 25, of a mosaic 50]",
)
@click.option(
    "--variant",
    type=click.Choice([variant.value for variant in Variant]),
    default=Variant.MINESWEEPER.value,
    show_default=True,
    help="How a clue counts: the cells around it, or in a mosaic its own cell too.",
)
@click.option("--exact", is_flag=True, help="Deal again until the board is as hard as asked.")
@click.option(
    "--tries",
    type=click.IntRange(1),
    default=_TRIES,
    show_default=True,
    help="Deals that --exact may take for a board.",
)
@click.option("--evolve", is_flag=True, help="Make each board harder by evolution. Ctrl-C keeps the best so far.")
@click.option(
    "--children", type=click.IntRange(1), metavar="N", help=f"Of an evolution, in all.  [default: {_CHILDREN}]"
)
@click.option(
    "--score",
    type=click.Choice(("sat", "depth", "unique")),
    default="sat",
    show_default=True,
    help="What evolution makes large: the work of a SAT solver; passes by a person's layers; the same for a person who "
    "takes it for granted that there is one solution.",
)
@click.option("--save", metavar="FILE", help="Where an evolution is saved; else in your data folder.")
@click.option("--resume", metavar="FILE", help="Go on with a saved evolution, whatever --size and --seed say.")
@jobs_option
@cluster_option
def puzzle(
    shape: Shape,
    seed: int,
    count: int,
    out: made.Outlet,
    difficulty: str | None,
    density: float | None,
    variant: str,
    exact: bool,
    tries: int,
    evolve: bool,
    children: int | None,
    score: str,
    save: str | None,
    resume: str | None,
    jobs: int,
    cluster: str | None,
) -> None:
    """Make puzzles that show all their clues and have one solution.

    No clue can be taken away: without any one of them there would be a second solution, or an easy or medium board
    would need more than one or two clues at a time. Where a board is not as hard as asked, it says so.
    """
    from autosolve.generate.unique import Difficulty, Recipe

    mosaic = variant == Variant.MOSAIC.value
    share = (density or (50 if mosaic else 25)) / 100
    if resume is not None or evolve:
        if mosaic:
            raise WrongUse("--evolve changes Minesweeper boards, and no mosaics.", "Leave one of the two out.")
        if exact:
            raise WrongUse("--exact deals boards again, --evolve changes them.", "Choose one of the two.")
        if resume is not None and count > 1:
            raise WrongUse("One saved evolution makes one board.", "Leave --count out.")
        if save is not None and count > 1:
            raise WrongUse("One file saves one evolution.", "Leave --save or --count out.")
        out.apart(*{resume, save})
        if resume is None:
            recipe = Recipe(shape, Difficulty(difficulty or "hard"), share)
        _warm_up()
        with out:
            if resume is not None:
                runs = [_resumed(resume, children, save)]
            else:
                runs = [_begun(recipe, seed + k, score, children, save) for k in range(count)]
            _evolve(runs, jobs, cluster, out)
        return
    told = click.get_current_context().get_parameter_source("score") is click.core.ParameterSource.COMMANDLINE
    for name, value in (("--children", children), ("--save", save), ("--score", score if told else None)):
        if value is not None:
            raise WrongUse(f"{name} belongs to --evolve.", "Add --evolve, or leave it out.")
    recipe = Recipe(shape, Difficulty(difficulty or "medium"), share)
    if not mosaic:
        _warm_up()
    _make(recipe, Variant(variant), seed, count, tries if exact else None, jobs, cluster, out)


def _warm_up() -> None:
    """Loads the compiled code, so that it is compiled once and not by each process, and that is said."""
    from autosolve.generate.unique import Maker, Recipe

    tell_compiling()
    Maker(Recipe(Shape(3, 4))).make(0)


def _make(
    recipe: Recipe,
    variant: Variant,
    seed: int,
    count: int,
    tries: int | None,
    jobs: int,
    cluster: str | None,
    out: made.Outlet,
) -> None:
    asked = recipe.difficulty.value
    missed = 0
    with out, working(min(jobs, count), cluster) as workers, out.progress("boards", count) as step:
        alone = workers.workers == 1 and cluster is None
        work = functools.partial(_one, recipe, variant, tries, (lambda words: step(0, words)) if alone else None)
        for record in workers.in_order(work, range(seed, seed + count)):
            if reached := record.extra.get("reached"):
                missed += 1
                if count == 1:
                    say.note(f"This board is {reached}, not {asked}. --exact deals again until one is.")
            _unsure(record)
            out.put(record)
            step()
    if missed and count > 1:
        are = "is" if missed == 1 else "are"
        say.note(f"{missed} of {count} boards {are} not {asked} but what their grade says. --exact deals those again.")


@functools.lru_cache(maxsize=32)
def _maker(recipe: Recipe, variant: Variant, _thread: int) -> PuzzleMaker:
    """One a thread, for its buffers are its own: workers of a cluster may have many."""
    from autosolve.generate.mosaic import MosaicMaker
    from autosolve.generate.unique import Maker

    return MosaicMaker(recipe) if variant is Variant.MOSAIC else Maker(recipe)


def _one(recipe: Recipe, variant: Variant, tries: int | None, tell: Callable[[str], None] | None, seed: int) -> Record:
    """The board of a seed with its grade; where ``tries`` are given, the first that is as hard as asked."""
    maker, asked = _maker(recipe, variant, threading.get_ident()), recipe.difficulty
    record = maker.make(seed)
    if tries is None or "reached" not in record.extra:
        return made.graded(record)
    nearest: tuple[int, str] | None = None
    for attempt in range(tries):
        if tell is not None:
            tell(f"deal {attempt + 1} of {tries}")
        record = maker.make(seed, attempt)
        if "reached" not in record.extra:
            return made.graded(record)
        reached = type(asked)(record.extra["reached"])
        far = abs(reached.rank - asked.rank)
        nearest = min(nearest or (far, reached.value), (far, reached.value))
    assert nearest is not None
    raise WrongUse(
        f"None of {counted(tries, 'deal')} of {article(recipe.shape)} was {asked.value} (seed {seed}).",
        f"The nearest that came up was {nearest[1]}. Take a larger board, more --tries, or --evolve.",
    )


def _unsure(record: Record) -> None:
    if unsure := record.extra.get("unsure"):
        say.note(f"Whether {len(unsure)} of the clues could go was not known within the budget; they stay.")


# ---------------------------------------------------------------- evolution


class _Run:
    """An evolution, how far it is to go, and where it is saved (None: nowhere, there is a longer one)."""

    def __init__(self, evolution: Evolution, wanted: int, target: Path | None) -> None:
        self.evolution, self.wanted, self.target = evolution, wanted, target

    @property
    def left(self) -> int:
        return max(0, self.wanted - self.evolution.children)

    def save(self) -> None:
        if self.target is not None:
            _save(self.evolution, self.wanted, self.target)


def _evolve(runs: list[_Run], jobs: int, cluster: str | None, out: made.Outlet) -> None:
    for run in runs:
        run.save()
        if run.target is not None:
            say.note(f"Saved in {run.target} as it goes.")
    together = sum(run.wanted for run in runs)
    # a child is never left half made, so that what is saved is whole
    with _stoppable() as stopped, working(jobs, cluster) as workers, out.progress("children", together) as step:
        step(together - sum(run.left for run in runs))
        for run in runs:
            if not stopped:
                _further(run, workers, step, stopped)
    for run in runs:
        if stopped and len(runs) > 1 and not run.evolution.children:
            continue
        record = run.evolution.record()
        if reached := record.extra.get("reached"):
            say.note(f"This board is {reached}, not {record.difficulty}.")
        out.put(made.graded(record))
    if not stopped:
        return
    children = sum(run.evolution.children for run in runs)
    open_ = [run for run in runs if run.left and run.target is not None]
    raise Stopped(
        f"Stopped after {children:,} of {counted(together, 'child', 'children')}; the best so far is given and "
        "nothing is lost.",
        f"Go on with: autosolve generate puzzle --resume {str(open_[0].target)!r}"
        if len(runs) == 1 and open_
        else "Give the same command again to go on.",
    )


def _further(run: _Run, workers: Jobs, step: Callable[..., None], stopped: Sequence[int]) -> None:
    """All children of an evolution, or as many as there are when a person stops it; saved now and then, and in the end
    whatever comes."""
    evolution, saved = run.evolution, time.monotonic()
    step(0, _words(evolution))
    try:
        for better in evolution.run(run.left, workers):
            step(1, _words(evolution) if better else None)
            if time.monotonic() - saved > _SAVE_EVERY:
                run.save()
                saved = time.monotonic()
            if stopped:
                return
    finally:
        run.save()


def _begun(recipe: Recipe, seed: int, score: str, children: int | None, save: str | None) -> _Run:
    """An evolution as asked for; from where it was stopped, if it was."""
    from autosolve.generate.evolve import Evolution, Score

    wanted = children or _CHILDREN
    fresh = Evolution(recipe, seed, Score(score))
    target = Path(save) if save else _place(fresh)
    if not target.exists():
        return _Run(fresh, wanted, target)
    try:
        old, _ = _load(str(target))
        same = (old.recipe, old.seed, old.score) == (recipe, seed, fresh.score)
    except UnreadableFile:
        same = False
    if not same:
        if save:
            raise WrongUse(
                f"There is a file {save!r} already, of something else.", "Give another name, or --resume it."
            )
        target.replace(target.with_name(target.name + ".old"))  # of another version
        return _Run(fresh, wanted, target)
    if old.children > wanted:
        say.note(
            f"{target} has {counted(old.children, 'child', 'children')} already and stays as it is; --resume "
            "goes on with it."
        )
        return _Run(fresh, wanted, None)
    if old.children:
        say.note(f"Going on after {counted(old.children, 'child', 'children')} in {target}.")
    return _Run(old, wanted, target)


def _resumed(resume: str, children: int | None, save: str | None) -> _Run:
    if resume == "-" and save is None:
        raise WrongUse("An evolution from standard input has no file to go on in.", "Name one with --save.")
    evolution, wanted = _load(resume)
    wanted = children or wanted
    if evolution.children >= wanted:
        say.note(f"It has {counted(wanted, 'child', 'children')} already, as wanted; --children takes it further.")
    if save and Path(save).exists() and not (Path(resume).exists() and Path(save).samefile(resume)):
        raise WrongUse(f"There is a file {save!r} already.", "Give another name.")
    return _Run(evolution, wanted, Path(save or resume))


def _words(evolution: Evolution) -> str:
    best = evolution.best
    return f"{evolution.score.value} {best.score}, {int(best.shown.sum())} clues"


def _place(evolution: Evolution) -> Path:
    import platformdirs

    recipe = evolution.recipe
    name = f"{recipe.shape}-{recipe.difficulty.value}-{100 * recipe.density:g}-{evolution.score.value}-{evolution.seed}"
    return Path(platformdirs.user_data_dir("autosolve", appauthor=False)) / "evolve" / f"{name}.json"


def _save(evolution: Evolution, wanted: int, target: Path) -> None:
    """Writes it beside the file and puts it in its place, so that there is a whole one at any time."""
    text = json.dumps({"schema": 1, "wanted": wanted, **evolution.to_json()})
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        say.put_file(target, text)
    except OSError as problem:
        raise WrongUse(
            f"The evolution cannot be saved to {str(target)!r}: {problem.strerror}.", "Give another place with --save."
        ) from None


def _load(file: str) -> tuple[Evolution, int]:
    from autosolve.generate.evolve import Evolution

    try:
        data = json.loads(say.read_text(file))
        wanted = int(data.get("wanted", _CHILDREN))
    except (ValueError, AttributeError, TypeError, OverflowError, RecursionError):
        raise UnreadableFile(
            f"{file!r} does not hold an evolution.", "Give the file that --evolve said it saves to."
        ) from None
    return Evolution.from_json(data), wanted


@contextmanager
def _stoppable() -> Iterator[list[int]]:
    """Turns Ctrl-C into an entry of the list that is yielded, so that a child is never left half made; the second
    one stops at once."""
    stopped: list[int] = []

    def stop(number: int, _frame: object) -> None:
        if stopped:
            raise KeyboardInterrupt
        stopped.append(number)

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield stopped
    finally:
        signal.signal(signal.SIGINT, before)
