"""Owns the census: a run of very many boards in chunks that can be done anywhere, stopped, gone on with and added up.

    spec = Spec(Shape(16, 30), 99, seed=7)
    for chunk in run(spec, boards=100_000, jobs=jobs): ...
    summary(spec, total)

A run is named by its ``Spec``; board ``n`` of it is the same board everywhere. A chunk is a piece of the run,
``boards`` from ``first`` on; its tally holds whole numbers, so the tallies of any split of the run add up to the same.
The record of a run is JSON lines: one that names it, then one per chunk in any order:

    {"schema": 1, "census": {"rows": 16, "cols": 30, "mines": 99, "start": [8, 15], "rule": "opening",
     "policies": "ABC", "seed": 7}}
    {"schema": 1, "first": 0, "boards": 2000, "tally": {...}}

Records of one spec may simply be put one behind the other; a line cut off by a stop is left out.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from autosolve.analysis.jobs import Jobs
from autosolve.analysis.rates import mean_interval, paired_gap, wilson
from autosolve.board.shape import Cell, Shape
from autosolve.errors import WrongUse
from autosolve.kernels.census import ABC, BINS, MOST_BOARDS, SURVIVAL_UNIT, BulkCensus, Policy, Tally
from autosolve.kernels.game import FirstClick

EXPERT, EXPERT_MINES = Shape(16, 30), 99
LEAST_CHUNK, MOST_CHUNK = 1000, 100_000


@dataclass(frozen=True, slots=True)
class Spec:
    """What a run plays. ``start`` None: the centre. Can be pickled and compared."""

    shape: Shape = EXPERT
    mines: int = EXPERT_MINES
    seed: int = 1
    start: Cell | None = None
    rule: FirstClick = FirstClick.OPENING
    policies: tuple[Policy, ...] = ABC

    @property
    def cell(self) -> Cell:
        """The first click."""
        return self.shape.middle if self.start is None else self.start

    def as_dict(self) -> dict[str, Any]:
        """As the record names it."""
        return {
            "rows": self.shape.rows,
            "cols": self.shape.cols,
            "mines": self.mines,
            "start": list(self.shape.at(self.cell)),
            "rule": self.rule.name.lower(),
            "policies": "".join(sorted(p.value for p in self.policies)),
            "seed": self.seed,
        }

    @classmethod
    def of(cls, data: dict[str, Any]) -> Spec:
        """Out of what ``as_dict`` gave; WrongUse where it is something else."""
        try:
            shape = Shape(data["rows"], data["cols"])
            return cls(
                shape,
                data["mines"],
                data["seed"],
                shape.cell(*data["start"]),
                FirstClick[data["rule"].upper()],
                tuple(Policy(letter) for letter in data["policies"]),
            )
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as problem:
            raise WrongUse(f"This names no census: {problem!r}.", "Start the run anew.") from None

    def same(self, other: Spec) -> bool:
        """Whether both name the same run."""
        return self.as_dict() == other.as_dict()


@dataclass(frozen=True, slots=True)
class Chunk:
    """Boards ``first`` to ``first + boards - 1`` of a run, and what came of them; ``seconds`` of one processor."""

    first: int
    boards: int
    tally: Tally
    seconds: float = 0.0

    def line(self) -> str:
        """As one line of the record."""
        data = {"schema": 1, "first": self.first, "boards": self.boards, "tally": self.tally.as_dict()}
        return json.dumps({**data, "seconds": round(self.seconds, 4)})


class _Kept(threading.local):
    """The kernel of the run last worked on; a thread has its own, for its buffers are its own."""

    spec: Spec | None = None
    kernel: BulkCensus | None = None


_kept = _Kept()


def kernel(spec: Spec) -> BulkCensus:
    """The compiled census of a run; WrongUse where its mines do not fit."""
    if _kept.kernel is None or _kept.spec != spec:
        _kept.kernel = BulkCensus(
            spec.shape, spec.mines, start=spec.start, rule=spec.rule, policies=spec.policies
        )  # fmt: skip
        _kept.spec = spec
    return _kept.kernel


def play_chunk(piece: tuple[Spec, int, int]) -> Chunk:
    """Plays a piece of a run: (spec, first, boards). The same chunk whenever and wherever, but for its seconds."""
    import time

    spec, first, boards = piece
    begin = time.thread_time()
    tally = kernel(spec).play(seed=spec.seed, first=first, boards=boards)
    return Chunk(first, boards, tally, time.thread_time() - begin)


def missing(done: Iterable[Chunk], first: int, boards: int, size: int) -> Iterator[tuple[int, int]]:
    """What of a run is still to be done: (first, boards), at most ``size`` each."""
    end = first + boards
    at = first
    for begin, stop in [*sorted((c.first, c.first + c.boards) for c in done), (end, end)]:
        while at < min(begin, end):
            some = min(size, begin - at, end - at)
            yield at, some
            at += some
        at = max(at, stop)


def chunk_size(boards: int) -> int:
    """Boards a chunk: some thousand chunks in a long run, and something to see within the second in a short one."""
    return min(max(LEAST_CHUNK, boards // 1000), MOST_CHUNK)


def run(
    spec: Spec, boards: int, jobs: Jobs, *, first: int = 0, done: Iterable[Chunk] = (), size: int | None = None
) -> Iterator[Chunk]:
    """The chunks that are still missing, as they come."""
    size = size or chunk_size(boards)
    if not 1 <= size <= MOST_BOARDS:
        raise WrongUse(f"A chunk cannot have {size} boards.", f"Give 1 to {MOST_BOARDS}.")
    for _, chunk in jobs.each(play_chunk, ((spec, *piece) for piece in missing(done, first, boards, size))):
        yield chunk


def read_record(lines: Iterable[str]) -> tuple[Spec | None, list[Chunk]]:
    """The spec and the chunks of a record, each part of the run once.

    WrongUse for lines of different runs, and for chunks that overlap without being the same."""
    spec: Spec | None = None
    chunks: dict[tuple[int, int], Chunk] = {}
    rows = list(lines)
    for number, line in enumerate(rows, 1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
            if not isinstance(data, dict):
                raise ValueError("not an object")
        except (ValueError, RecursionError):
            if number == len(rows) or not line.endswith("\n"):
                continue  # cut off as it was written
            raise WrongUse(
                f"Line {number} of the record is no JSON.", "Remove it; its boards are played again."
            ) from None
        if "census" in data:
            named = Spec.of(data["census"])
            if spec is not None and not spec.same(named):
                raise WrongUse("The record holds chunks of two different runs.", "Keep each run in a file of its own.")
            spec = named
        elif "tally" in data:
            try:
                chunk = Chunk(data["first"], data["boards"], Tally.of(data["tally"]), float(data.get("seconds", 0)))
            except (KeyError, TypeError, ValueError, AttributeError) as problem:
                raise WrongUse(f"Line {number} is no chunk of a census: {problem!r}.", "Remove it.") from None
            if chunk.tally.boards != chunk.boards:
                raise WrongUse(f"Line {number} does not add up.", "Remove it; its boards are played again.")
            kept = chunks.setdefault((chunk.first, chunk.boards), chunk)
            if kept.tally != chunk.tally:
                raise WrongUse(
                    f"Boards {chunk.first} to {chunk.first + chunk.boards - 1} are there twice, and differ.",
                    "One of the two was made by another version of autosolve: start the run anew.",
                )
    ordered = sorted(chunks.values(), key=lambda c: c.first)
    for one, next_ in pairwise(ordered):
        if one.first + one.boards > next_.first:
            raise WrongUse(f"Board {next_.first} is in two chunks.", "Remove one of them from the record.")
    if spec is None and ordered:
        raise WrongUse("The record does not say what its boards are.", "Give the file the census wrote, with its head.")
    return spec, ordered


def header(spec: Spec) -> str:
    """The line that names a run."""
    return json.dumps({"schema": 1, "census": spec.as_dict()})


def add_up(chunks: Iterable[Chunk]) -> Tally:
    """All chunks together."""
    whole = Tally()
    for chunk in chunks:
        whole += chunk.tally
    return whole


@dataclass(frozen=True, slots=True)
class PolicyResult:
    """How a policy did: shares of all boards, with 95 % intervals (Wilson); guesses a board, plus or minus."""

    policy: Policy
    win_rate: float
    interval: tuple[float, float]
    guesses: float
    guesses_half: float


@dataclass(frozen=True, slots=True)
class Summary:
    """A census in figures.

    ``policies``       those played, A first
    ``gaps``           (worse, better, gap, half the 95 % interval): neighbours on the same boards
    ``unforced``       share of boards on which no guess was forced, and its interval
    ``best_survival``  the mean of the best chance to survive at C's forced guesses; None where there is none
    ``bins``           C's forced guesses by that chance, in 50 bins from 0 to 1
    """

    boards: int
    seed: int
    policies: tuple[PolicyResult, ...]
    gaps: tuple[tuple[Policy, Policy, float, float], ...]
    unforced: float
    unforced_interval: tuple[float, float]
    best_survival: float | None
    bins: tuple[int, ...]
    contradictions: int
    capped: int

    def as_dict(self) -> dict[str, Any]:
        """The last line of ``census --json``."""
        return {
            "boards": self.boards,
            "seed": self.seed,
            "policies": {
                p.policy.value: {"win_rate": p.win_rate, "interval": list(p.interval), "guesses": p.guesses}
                for p in self.policies
            },
            "no_forced_guess": self.unforced,
            "best_survival": {"mean": self.best_survival, "bins": list(self.bins)},
            "contradictions": self.contradictions,
            "capped": self.capped,
        }


def summary(spec: Spec, tally: Tally) -> Summary:
    """The figures of a tally; WrongUse where it holds no board."""
    n = tally.boards
    if not n:
        raise WrongUse("No board was played.", "Play some, with --boards.")
    played = sorted(spec.policies, key=lambda p: p.value)
    results = []
    for policy in played:
        wins = tally.wins(policy)
        guesses, half = mean_interval(tally.guesses[policy.index], tally.squares[policy.index], n)
        results.append(PolicyResult(policy, wins / n, wilson(wins, n), guesses, half))
    gaps = [(a, b, *paired_gap(tally.wins_of_both(a, b), tally.wins(a), tally.wins(b), n)) for a, b in pairwise(played)]
    mean = tally.survival / SURVIVAL_UNIT / tally.survivals if tally.survivals else None
    return Summary(
        boards=n,
        seed=spec.seed,
        policies=tuple(results),
        gaps=tuple(gaps),
        unforced=tally.unforced / n,
        unforced_interval=wilson(tally.unforced, n),
        best_survival=mean,
        bins=tally.bins if tally.survivals else (0,) * BINS,
        contradictions=tally.wrong,
        capped=tally.capped,
    )
