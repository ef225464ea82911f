"""Owns work on many processors: here, in processes of this machine, or on a dask cluster, through one interface.

    with Jobs(4) as jobs:
        for item, result in jobs.each(work, items): ...         # as they come
        for result in jobs.in_order(work, items): ...           # in the order of the items

``work`` is a function at the top of a module, its items and results can be pickled, and it gives the same result for
the same item whenever and wherever it is run. So a piece that was lost with its worker is simply run again, and what
comes out is the same, bit for bit, however many workers there are. ``Jobs(1)`` runs everything in this process.

Every kind is a ``concurrent.futures.Executor`` underneath (``jobs.executor``): anything that takes one can be given it.
"""

from __future__ import annotations

import os
import re
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import suppress
from types import TracebackType
from typing import Any, TypeVar

from autosolve.errors import AutosolveError, EnvironmentProblem, WrongUse

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 3  # pieces given out per worker: enough that none waits, few enough that little is lost
TRIES = 3  # times a piece may lose its worker; one that always does is at fault itself
CONNECT_SECONDS = 10


class _Here(Executor):
    """Runs a piece when its result is asked for, in this process."""

    def submit(self, fn: Callable[..., Result], /, *args: Any, **kwargs: Any) -> Future[Result]:
        future: Future[Result] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as problem:
            future.set_exception(problem)
        return future


def _deaf() -> None:
    """Leaves Ctrl-C to the process that gave out the work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class Jobs:
    """Workers, as a context manager.

    ``jobs``     processes on this machine; 1 is this process
    ``cluster``  the address of a dask scheduler, as ``tcp://10.0.0.5:8786``, instead of processes
    ``lost``     workers lost so far whose work was done again

    Raises WrongUse for less than one job; EnvironmentProblem, once entered, where there is no cluster."""

    def __init__(self, jobs: int = 1, cluster: str | None = None) -> None:
        if jobs < 1:
            raise WrongUse(f"{jobs} processes cannot work.", "Give --jobs 1 or more.")
        self.jobs, self.cluster, self.lost = jobs, cluster, 0
        self._client: Any = None
        self._executor: Executor | None = None

    def __enter__(self) -> Jobs:
        if self.cluster is not None:
            self._client = _connect(self.cluster)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        executor, self._executor = self._executor, None
        if executor is not None and self._client is None and self.jobs > 1:
            if kind is not None:
                # what they still do is wanted by nobody; a person who stopped does not want to wait for it
                processes: dict[int, Any] = getattr(executor, "_processes", None) or {}
                for process in list(processes.values()):
                    process.terminate()
            executor.shutdown(wait=True, cancel_futures=True)
        elif executor is not None:
            with suppress(Exception):  # of a scheduler that is gone nothing can be called off
                executor.shutdown(wait=False)
        if self._client is not None:
            with suppress(Exception):
                self._client.close()
            self._client = None

    @property
    def executor(self) -> Executor:
        """Where the work goes now; another one after a process was lost."""
        if self._executor is None:
            if self._client is not None:
                self._executor = self._client.get_executor(pure=False)
            elif self.jobs == 1:
                self._executor = _Here()
            else:
                import multiprocessing
                from concurrent.futures import ProcessPoolExecutor

                # fresh processes, alike on every system; a fork would copy the locks of this process's threads
                context = multiprocessing.get_context("spawn")
                self._executor = ProcessPoolExecutor(self.jobs, context, initializer=_deaf)
        return self._executor

    @property
    def workers(self) -> int:
        """How many pieces run at the same time."""
        if self._client is None:
            return self.jobs
        # empty where the scheduler is gone
        known: dict[str, dict[str, int]] = self._client.scheduler_info(n_workers=-1).get("workers", {})
        return max(1, sum(worker["nthreads"] for worker in known.values()))

    def each(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[tuple[Item, Result]]:
        """Every item with its result, as they come. Items are taken as they are needed."""
        for _, item, result in self._each(work, items):
            yield item, result

    def in_order(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Every result, in the order of the items."""
        early: dict[int, Result] = {}
        wanted = 0
        for number, _, result in self._each(work, items):
            early[number] = result
            while wanted in early:
                yield early.pop(wanted)
                wanted += 1

    def _each(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[tuple[int, Item, Result]]:
        source = iter(enumerate(items))
        again: deque[tuple[int, Item, int]] = deque()  # number, item, workers it has lost
        out: dict[Future[Result], tuple[int, Item, int]] = {}
        ended = False
        ahead = 1 if self.jobs == 1 and self.cluster is None else AHEAD
        while True:
            room = ahead * self.workers
            while len(out) < room and not (ended and not again):
                if again:
                    piece = again.popleft()
                else:
                    entry = next(source, None)
                    if entry is None:
                        ended = True
                        continue
                    piece = (*entry, 0)
                try:
                    out[self.executor.submit(work, piece[1])] = piece
                except BrokenExecutor:
                    again.appendleft(piece)
                    break
                except Exception as problem:
                    self._see_cluster(problem)
                    raise
            if not out and ended and not again:
                return
            done = wait(out, timeout=0.5, return_when=FIRST_COMPLETED).done
            broken = False
            for future in done:
                piece = out.pop(future)
                try:
                    result = future.result()
                except Exception as problem:
                    if not _lost(problem):
                        self._see_cluster(problem)
                        raise
                    broken = True
                    if piece[2] + 1 >= TRIES:
                        raise AutosolveError(
                            f"A piece of work lost its worker {TRIES} times.",
                            "Look whether the workers have enough memory; what was done before is kept.",
                        ) from problem
                    again.append((piece[0], piece[1], piece[2] + 1))
                    continue
                yield piece[0], piece[1], result
            self._see_cluster(None)
            if broken:
                self.lost += 1
                if self._client is None:
                    # one dead process breaks the whole pool: a new one, and all that was given out once more
                    again.extend(out.values())
                    out.clear()
                    if self._executor is not None:
                        self._executor.shutdown(wait=True, cancel_futures=True)
                    self._executor = None

    def _see_cluster(self, cause: BaseException | None) -> None:
        """EnvironmentProblem where the scheduler is gone; whatever came of that is its cause."""
        if self._client is not None and self._client.status not in ("running", "connecting"):
            raise EnvironmentProblem(
                f"The cluster at {self.cluster} is gone.",
                "Start it again and give the command again, with its --resume.",
            ) from cause


def _lost(problem: BaseException) -> bool:
    """Whether a piece failed with its worker, not by itself."""
    if isinstance(problem, BrokenExecutor | CancelledError):
        return True
    names = {kind.__name__ for kind in type(problem).__mro__}
    return bool(names & {"KilledWorker", "CommClosedError", "FutureCancelledError", "FuturesCancelledError"})


def _version() -> str:
    from importlib.metadata import version

    return version("autosolve")


def _connect(address: str) -> Any:
    """A client of the dask scheduler there; EnvironmentProblem where there is none, or none that can do this work."""
    try:
        from distributed import Client
    except ImportError:
        raise EnvironmentProblem(
            "Work on a cluster needs dask.distributed, which is not installed here.",
            "Install it: pip install 'autosolve[cluster]'.",
        ) from None
    connect: Any = Client
    if not re.fullmatch(r"(?:[a-z]+://)?(?:\[[0-9A-Fa-f:.]+\]|[^\s/:]+):\d{1,5}", address):
        # the client would try for long, and end with a traceback
        raise WrongUse(
            f"{address!r} is no address of a dask scheduler.", "Write for example --cluster tcp://10.0.0.5:8786."
        )
    ours = _version()
    try:
        client: Any = connect(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as problem:
        raise EnvironmentProblem(
            f"There is no dask scheduler at {address}: {str(problem).splitlines()[0]}",
            "Start one with 'dask scheduler', and workers with 'dask worker ADDRESS --nthreads 1'.",
        ) from None
    try:
        versions = set(client.run(_version).values())
    except Exception as problem:
        client.close()
        raise EnvironmentProblem(
            f"The workers of {address} cannot load autosolve {ours}: {type(problem).__name__}: {problem}.",
            "Install the same autosolve on every machine of the cluster.",
        ) from None
    if versions - {ours}:
        client.close()
        raise EnvironmentProblem(
            f"The workers of {address} have autosolve {', '.join(sorted(versions))}; here it is {ours}.",
            "Install the same autosolve on every machine of the cluster.",
        )
    if not versions:
        client.close()
        raise EnvironmentProblem(
            f"The scheduler at {address} has no workers.", f"Start some: dask worker {address} --nthreads 1."
        )
    return client


def processors() -> int:
    """Processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
