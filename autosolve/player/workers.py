"""Owns the processes that compute answers beside the server: so many at a time, each with a limit of time.

A process that takes too long, or that nobody waits for any more, is ended and a new one takes its place when it is
needed. Ctrl-C is left to the server.
"""

from __future__ import annotations

import multiprocessing
import queue
import signal
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from autosolve.errors import AutosolveError, Undecided

Compute = Callable[[Mapping[str, Any]], dict[str, Any]]

# seconds between two looks at whether an answer is still wanted, and for which one is finished all the same
_LOOK = 0.1
_GRACE = 1.0
# in which a new process must be there
_START = 60.0
_READY = "ready"


class Failed(Exception):
    """An answer failed by a fault of ours; the text names it."""


class Wanted:
    """Whether an answer is still waited for; set by the one who asks, looked at by the one who computes."""

    __slots__ = ("_dropped",)

    def __init__(self) -> None:
        self._dropped = threading.Event()

    def drop(self) -> None:
        """The answer is not wanted any more."""
        self._dropped.set()

    def __bool__(self) -> bool:
        return not self._dropped.is_set()


class Workers:
    """``count`` processes that know ``answers`` by name; functions of a module, so that they can be named to another
    process. ``seconds`` is what one answer may take. Nothing is started before the first question."""

    def __init__(self, count: int, answers: Mapping[str, Compute], seconds: float) -> None:
        self.threads = ThreadPoolExecutor(count, thread_name_prefix="answers")
        self._answers, self._seconds = dict(answers), seconds
        self._idle: queue.LifoQueue[_Worker] = queue.LifoQueue()
        for _ in range(count):
            self._idle.put(_Worker(self._answers))
        self._closed = threading.Event()

    def warm(self) -> None:
        """Starts one process now, so that the first answer does not wait for it."""
        self.threads.submit(self._warm)

    def _warm(self) -> None:
        worker = self._idle.get()
        try:
            if not self._closed.is_set():
                worker.started()
        finally:
            self._idle.put(worker)

    def ask(self, name: str, asked: Mapping[str, Any], wanted: Wanted) -> dict[str, Any]:
        """The answer; to be called in one of ``threads``. Raises what the answer raises, Undecided where it takes too
        long, Failed for a fault."""
        worker = self._idle.get()
        try:
            return worker.ask(name, asked, self._seconds, lambda: bool(wanted) and not self._closed.is_set())
        finally:
            self._idle.put(worker)

    def close(self) -> None:
        """Ends all processes; what is asked from now on fails."""
        self._closed.set()
        self.threads.shutdown(wait=True, cancel_futures=True)
        while not self._idle.empty():
            self._idle.get().end()


class _Worker:
    """One process, started when it is first asked."""

    def __init__(self, answers: Mapping[str, Compute]) -> None:
        self._answers = answers
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None

    def ask(self, name: str, asked: Mapping[str, Any], seconds: float, wanted: Callable[[], bool]) -> dict[str, Any]:
        if not wanted():
            raise Undecided("Nobody waits for the answer any more.")
        try:
            pipe = self.started()
            pipe.send((name, dict(asked)))
            end = time.monotonic() + seconds
            while not pipe.poll(max(0.0, min(_LOOK, end - time.monotonic()))):
                if time.monotonic() >= end:
                    self.end()
                    raise Undecided("That takes more work than is allowed.", "Take a smaller or an easier board.")
                if not wanted():
                    end = min(end, time.monotonic() + _GRACE)
            said = pipe.recv()
        except (EOFError, OSError) as problem:
            self.end()
            raise Failed(f"the process that computes ended: {problem!r}") from None
        match said:
            case AutosolveError():
                raise said
            case str():
                raise Failed(said)
        answer: dict[str, Any] = said
        return answer

    def started(self) -> Connection:
        """The pipe to its process, which is started where there is none."""
        if self._pipe is None or self._process is None or not self._process.is_alive():
            self.end()
            # fresh processes, alike on every system; a fork would copy the server's threads and sockets
            context = multiprocessing.get_context("spawn")
            self._pipe, theirs = context.Pipe()
            self._process = context.Process(target=_compute, args=(theirs, self._answers), daemon=True)
            self._process.start()
            theirs.close()
            if not self._pipe.poll(_START) or self._pipe.recv() != _READY:
                raise OSError("it did not start")
        return self._pipe

    def end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = None


def _compute(pipe: Connection, answers: Mapping[str, Compute]) -> None:
    """What such a process does until the other end of its pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        pipe.send(_READY)
        while True:
            name, asked = pipe.recv()
            pipe.send(_answer(answers[name], asked))
    except (EOFError, OSError):
        return


def _answer(compute: Compute, asked: Mapping[str, Any]) -> dict[str, Any] | AutosolveError | str:
    """The answer, or what is wrong with what was asked, or the fault it failed by."""
    try:
        return compute(asked)
    except AutosolveError as problem:
        return problem
    except Exception as problem:
        return f"{type(problem).__name__}: {problem}"
