"""Owns work spread over processes: the same results in the same order, however many there are."""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Protocol, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

_AHEAD = 4  # pieces given out before the first is back, per process


class Workers(Protocol):
    """Whatever spreads work, such as ``analysis.jobs.Jobs``: processes here, or a cluster."""

    def in_order(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """``work`` of every item, in their order."""
        ...


def in_order(work: Callable[[Item], Result], items: Iterable[Item], jobs: int | Workers) -> Iterator[Result]:
    """``work`` of every item, in their order. With one job in this process; else ``work``, the items and the results
    must be picklable. What waits is dropped when the caller stops, be it by an error."""
    if not isinstance(jobs, int):
        yield from jobs.in_order(work, items)
        return
    if jobs <= 1:
        yield from map(work, items)
        return
    # fresh processes, alike on every system; a fork would copy locks that a bar's thread holds
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), initializer=_deaf)
    try:
        waiting: deque[Future[Result]] = deque()
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) >= _AHEAD * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _deaf() -> None:
    """Leaves Ctrl-C to the process that gave out the work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
