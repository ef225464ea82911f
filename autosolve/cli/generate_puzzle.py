"""Owns the command ``generate puzzle``: boards that show all their clues, dealt or evolved."""

from __future__ import annotations

import json
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from autosolve.board.shape import Shape
from autosolve.cli import made, say
from autosolve.errors import Stopped, UnreadableFile, WrongUse

if TYPE_CHECKING:
    from autosolve.generate.evolve import Evolution
    from autosolve.generate.record import Record
    from autosolve.generate.unique import Recipe

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
    default=25,
    show_default=True,
    metavar="PERCENT",
    help="Share of mines; the board may differ by 5 points.",
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
def puzzle(
    shape: Shape,
    seed: int,
    count: int,
    out: made.Outlet,
    difficulty: str | None,
    density: float,
    exact: bool,
    tries: int,
    evolve: bool,
    children: int | None,
    score: str,
    save: str | None,
    resume: str | None,
) -> None:
    """Make puzzles that show all their clues and have one solution.

    No clue can be taken away: without any one of them there would be a second solution, or an easy or medium board
    would need more than one or two clues at a time. Where a board is not as hard as asked, it says so.
    """
    from autosolve.generate.unique import Difficulty, Recipe

    if resume is not None or evolve:
        if exact:
            raise WrongUse("--exact deals boards again, --evolve changes them.", "Choose one of the two.")
        if resume is not None and count > 1:
            raise WrongUse("One saved evolution makes one board.", "Leave --count out.")
        if save is not None and count > 1:
            raise WrongUse("One file saves one evolution.", "Leave --save or --count out.")
        given = None if resume is not None else Recipe(shape, Difficulty(difficulty or "hard"), density / 100)
        _warm_up()
        with out:
            for k in range(count):
                _evolve(given, seed + k, score, children, save, resume, out)
        return
    for name, value in (("--children", children), ("--save", save)):
        if value is not None:
            raise WrongUse(f"{name} belongs to --evolve.", "Add --evolve, or leave it out.")
    recipe = Recipe(shape, Difficulty(difficulty or "medium"), density / 100)
    _warm_up()
    _make(recipe, seed, count, tries if exact else None, out)


def _warm_up() -> None:
    """Loads the compiled code; says so where it has to be compiled first."""
    from autosolve.generate.unique import Maker, Recipe

    said = "Compiling for this machine. That takes up to a minute, the first time only ..."
    patience = threading.Timer(4.0, say.note, [said])
    patience.daemon = True
    patience.start()
    try:
        Maker(Recipe(Shape(3, 4))).make(0)
    finally:
        patience.cancel()


def _make(recipe: Recipe, seed: int, count: int, tries: int | None, out: made.Outlet) -> None:
    from autosolve.generate.unique import Maker

    maker = Maker(recipe)
    asked = recipe.difficulty.value
    missed = 0
    with out, out.progress("boards", count) as step:
        for k in range(count):
            record = maker.make(seed + k)
            if tries is not None and "reached" in record.extra:
                record = _exact(maker, seed + k, tries, step)
            if reached := record.extra.get("reached"):
                missed += 1
                if count == 1:
                    say.note(f"This board is {reached}, not {asked}. --exact deals again until one is.")
            _unsure(record)
            out.put(made.graded(record))
            step()
    if missed and count > 1:
        are = "is" if missed == 1 else "are"
        say.note(f"{missed} of {count} boards {are} not {asked} but what their grade says. --exact deals those again.")


def _exact(maker: Any, seed: int, tries: int, step: Any) -> Record:
    """The first board of a seed that is as hard as asked."""
    asked = maker.recipe.difficulty
    nearest: tuple[int, str] | None = None
    for attempt in range(tries):
        step(0, f"deal {attempt + 1} of {tries}")
        record: Record = maker.make(seed, attempt)
        if "reached" not in record.extra:
            return record
        reached = type(asked)(record.extra["reached"])
        far = abs(reached.rank - asked.rank)
        nearest = min(nearest or (far, reached.value), (far, reached.value))
    assert nearest is not None
    raise WrongUse(
        f"None of {tries} deals of {made.said_shape(maker.recipe.shape)} was {asked.value} (seed {seed}).",
        f"The nearest that came up was {nearest[1]}. Take a larger board, more --tries, or --evolve.",
    )


def _unsure(record: Record) -> None:
    if unsure := record.extra.get("unsure"):
        say.note(f"Whether {len(unsure)} of the clues could go was not known within the budget; they stay.")


# ---------------------------------------------------------------- evolution


def _evolve(
    recipe: Recipe | None,
    seed: int,
    score: str,
    children: int | None,
    save: str | None,
    resume: str | None,
    out: made.Outlet,
) -> None:
    from autosolve.generate.evolve import Evolution, Score

    if resume is not None:
        evolution, wanted = _load(resume)
        wanted = children or wanted
        target = Path(save or resume)
        if evolution.children >= wanted:
            say.note(f"It has its {wanted} children already; --children takes it further.")
    else:
        assert recipe is not None
        evolution, wanted = Evolution(recipe, seed, Score(score)), children or _CHILDREN
        target = Path(save) if save else _place(evolution)
    _save(evolution, wanted, target)
    say.note(f"Saved in {target} as it goes.")
    with _stoppable() as stopped, out.progress("children", wanted) as step:
        saved = time.monotonic()
        step(evolution.children, _words(evolution))
        while evolution.children < wanted and not stopped:
            better = evolution.step()
            step(1, _words(evolution) if better else None)
            if time.monotonic() - saved > _SAVE_EVERY:
                _save(evolution, wanted, target)
                saved = time.monotonic()
    _save(evolution, wanted, target)
    record = evolution.record()
    if reached := record.extra.get("reached"):
        say.note(f"This board is {reached}, not {record.difficulty}.")
    out.put(made.graded(record))
    if stopped:
        raise Stopped(
            f"Stopped after {evolution.children} of {wanted} children; the best so far is given and nothing is lost.",
            f"Go on with: autosolve generate puzzle --resume '{target}'",
        )


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
    beside = target.with_name(target.name + ".new")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(text, encoding="utf-8")
        beside.replace(target)
    except OSError as problem:
        raise WrongUse(
            f"The evolution cannot be saved to {str(target)!r}: {problem.strerror}.", "Give another place with --save."
        ) from None


def _load(file: str) -> tuple[Evolution, int]:
    from autosolve.generate.evolve import Evolution

    try:
        data = json.loads(say.read_text(file))
        wanted = int(data.get("wanted", _CHILDREN))
    except (ValueError, AttributeError, TypeError):
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
