"""Owns what the commands that measure many boards share: their options, their progress, and work over processes."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, TypeVar

import click

from autosolve.cli import kept, say

if TYPE_CHECKING:
    from autosolve.analysis.jobs import Jobs

Item = TypeVar("Item")
Result = TypeVar("Result")

jobs_option = click.option(
    "--jobs", type=click.IntRange(1, 256), default=1, show_default=True, metavar="J", help="Processes that work at it."
)
cluster_option = click.option(
    "--cluster", metavar="ADDRESS", help="Work on a dask cluster, as tcp://10.0.0.5:8786, instead of here."
)
_PIECE = 8


@contextmanager
def progress(label: str | None, total: float) -> Iterator[Callable[[float], None]]:
    """A bar on standard error, where that is a terminal; call what it yields with how much was done since. Without a
    ``label`` there is none."""
    if label is None or not (sys.stderr is not None and sys.stderr.isatty()):
        yield lambda _done: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    bar = Progress(
        TextColumn(label),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    with bar:
        task = bar.add_task("", total=total)
        yield lambda done: bar.advance(task, done)


def tell_compiling() -> None:
    """From here on it is said when code has to be compiled first, which makes a command wait once a machine."""
    from autosolve.kernels.code import on_compiling

    on_compiling(functools.partial(say.note, "Compiling for this machine; up to a minute, the first time only ..."))


@contextmanager
def working(jobs: int, cluster: str | None) -> Iterator[Jobs]:
    """Workers: processes, or a cluster; says in the end how many were lost. More processes than twice the processors
    would only take memory from each other."""
    from autosolve.analysis.jobs import Jobs, processors

    most = 2 * processors()
    if cluster is None and jobs > most:
        say.note(f"{jobs} processes are too many for this machine; {most} do the work.")
        jobs = most
    workers = Jobs(jobs, cluster)
    try:
        with workers:
            yield workers
    finally:
        if workers.lost:
            say.note(f"Workers lost: {workers.lost}. What they had was done again.")


def spread(
    work: Callable[[Item], Result], items: Sequence[Item], jobs: int, cluster: str | None, label: str | None
) -> Iterator[Result]:
    """``work`` of every item, in their order, over processes or a cluster, with a bar. ``work`` must be of a module's
    top level."""
    size = 1 if jobs == 1 and cluster is None else _PIECE
    some = [items[i : i + size] for i in range(0, len(items), size)]
    with progress(label, len(items)) as step, working(min(jobs, len(some)), cluster) as workers:
        for results in workers.in_order(functools.partial(_each, work), some):
            yield from results
            step(len(results))


def measured(
    work: Callable[[tuple[Any, ...]], dict[str, Any]],
    tasks: Sequence[tuple[Any, ...]],
    label: str | None,
    where: Mapping[str, Any],
    head: dict[str, Any],
) -> Iterator[dict[str, Any]]:
    """``work`` of every task, which begins with the line of its board: an object with this ``line`` each, in their
    order. What the --output file has of the run that ``head`` names is taken from there; what it has not goes there.

    ``where``  the command's ``jobs``, ``cluster``, ``output`` and ``resume``"""
    output: str | None = where["output"]
    done = kept.results(kept.begun(output, where["resume"]), output, head)
    left = [task for task in tasks if task[0] not in done]
    keeping = nullcontext(None) if output is None else kept.writing(output, say.json_text(head))
    with keeping as write:
        fresh = spread(work, left, where["jobs"], where["cluster"], label)
        for task in tasks:
            if task[0] in done:
                yield done[task[0]]
                continue
            found = next(fresh)
            if write is not None:
                write(say.json_text(found))
            yield found


def _each(work: Callable[[Any], Any], items: Sequence[Any]) -> list[Any]:
    return [work(item) for item in items]
