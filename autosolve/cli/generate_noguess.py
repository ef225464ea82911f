"""Owns ``generate noguess``: click-to-reveal boards that are won without a guess from a start everybody is told."""

from __future__ import annotations

import datetime

import click

from autosolve.board.shape import Shape
from autosolve.board.words import article, counted
from autosolve.cli import made, say
from autosolve.cli.measuring import cluster_option, jobs_option, tell_compiling, working
from autosolve.cli.options import parse_start, start_on
from autosolve.errors import Undecided, WrongUse
from autosolve.generate.deal import standard_mines
from autosolve.generate.noguess import Factory, Method, Order, Rules, Wish, daily
from autosolve.generate.noguess import made as make_one
from autosolve.kernels.game import FirstClick

_FIRST = {rule.name.lower(): rule for rule in FirstClick}


def _day(_: click.Context, __: click.Parameter, value: str | None) -> datetime.date | None:
    if value is None:
        return None
    if value.strip().lower() == "today":
        return datetime.datetime.now(datetime.UTC).date()
    try:
        return datetime.date.fromisoformat(value.strip())
    except ValueError:
        raise click.BadParameter(f"{value!r} is no date such as 2026-11-30, nor 'today'.") from None


@click.command()
@made.options(size="16x30")
@click.option(
    "--mines",
    type=click.IntRange(0),
    metavar="N",
    help="Mines of the board; if not given 10, 40 and 99 on the well-known sizes, a fifth of the cells on others.",
)
@click.option(
    "--start",
    callback=parse_start,
    metavar="R,C",
    help="The cell of the first click, counted from 0, or its name such as r9c16; if not given the middle.",
)
@click.option(
    "--rules",
    type=click.Choice([rules.value for rules in Rules]),
    default=Rules.FULL.value,
    show_default=True,
    help="What must suffice: the two local rules on one clue; pairs of clues too; or all that is certain.",
)
@click.option(
    "--first-click",
    type=click.Choice(list(_FIRST)),
    default="opening",
    show_default=True,
    help="Where mines may lie: anywhere, not on the start, nor around it; or moved from there to the top left.",
)
@click.option(
    "--method",
    type=click.Choice([method.value for method in Method]),
    default=Method.AUTO.value,
    show_default=True,
    help="Deal until a board is good; change boards where they are stuck; or what is expected to take less work.",
)
@click.option(
    "--budget",
    type=click.IntRange(1),
    metavar="GAMES",
    help="Games from the start a board may take; if not given 10000, less on boards above 70x70.",
)
@click.option(
    "--daily",
    "day",
    callback=_day,
    metavar="DATE",
    help="The board of a day, such as 2026-11-30 or today (UTC), with a start of its own; --count adds the next.",
)
@jobs_option
@cluster_option
def noguess(
    shape: Shape,
    seed: int,
    count: int,
    out: made.Outlet,
    mines: int | None,
    start: tuple[int, int] | None,
    rules: str,
    first_click: str,
    method: str,
    budget: int | None,
    day: datetime.date | None,
    jobs: int,
    cluster: str | None,
) -> None:
    """Make click-to-reveal boards that are won from their start without a guess.

    What is shown is the position after the first click; --json holds the mines too. Every board is played again by the
    plain solver before it leaves. Where the budget ends without a proof, the board says that it needs a guess, and the
    exit code is 7.
    """
    tell_compiling()
    first = _FIRST[first_click]
    cell = start_on(shape, start)
    if mines is None:
        mines = min(standard_mines(shape), first.room(shape, cell), shape.size - 1)
    wish = Wish(shape, mines, cell, Rules(rules), first, Method(method), budget)
    factory = Factory(wish)
    factory.warm_up()  # once, and not by each process
    if wish.method is Method.AUTO:
        say.note(factory.estimate.text)
        wish = Wish(shape, mines, cell, wish.rules, first, factory.method, budget)
    orders = [Order(wish, seed + k) for k in range(count)]
    days: list[dict[str, str]] = [{}] * count
    if day is not None:
        dates = [_later(day, k) for k in range(count)]
        orders = [Order(*daily(date, wish, None if start is None else cell)) for date in dates]
        days = [{"day": date.isoformat()} for date in dates]
    unproven = 0
    jobs = min(jobs, count)
    with out, working(jobs, cluster) as workers, out.progress("boards", count) as step:
        work = workers.in_order(make_one, orders)
        for (board, again), extra in zip(work, days, strict=True):
            record = board.record(again, **extra)
            out.put(record)
            unproven += not record.extra["no_guess"]
            step()
    if unproven:
        raise _unproven(factory, unproven, count)


def _later(day: datetime.date, days: int) -> datetime.date:
    try:
        return day + datetime.timedelta(days)
    except OverflowError:
        raise WrongUse("There are not so many days left in the calendar.", "Give an earlier date.") from None


def _unproven(factory: Factory, unproven: int, count: int) -> Undecided:
    wish = factory.wish
    which = "The board" if count == 1 else f"{unproven} of {count} boards"
    nearest = factory.nearest()
    if nearest is None:
        remedy = "No number of mines was found that works on this size; give it more rows or columns, or other rules."
    else:
        remedy = f"The nearest that works here is --mines {nearest}; --budget allows more work."
    return Undecided(
        f"{which} ({article(wish.shape)} with {counted(wish.mines, 'mine')}) could not be proven by the rules "
        f"{wish.rules.value}"
        f" in {counted(wish.games, 'game')}, and {'is' if unproven == 1 else 'are'} marked as needing a guess.",
        remedy,
    )
