"""Owns the best and worst order of finding mines, in bulk: all sets of mines, or the closed ones alone.

    task = Task(bits=3, conditions=(0b011, 0b110), weights=(1, 1), cells=(0b01, 0b10))
    with ClosedSets(task, memory=10**9) as table:
        table.high, table.low

Both ways are exact. ``SubsetTable`` has one entry per set of mines; ``ClosedSets`` only those that are a union of whole
conditions, which are a few thousandths of them or less. ``docs/trophies.md`` says why that is enough.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from types import ModuleType, TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from autosolve.kernels.code import trophies_code

Ints = NDArray[np.int64]
Progress = Callable[[float], None]

MAX_BITS = 62  # a set + 1 must fit an int64
_SLICE = 4096
_STEPS = 2_000_000
_FIRST_SLOTS = 1 << 12
LARGEST_SUM = 65535


class TooLarge(Exception):
    """It needs more memory than allowed: ``need`` bytes, of which ``bound`` says whether that is "at least ", "up to "
    or "" just so much."""

    def __init__(self, need: int, bound: str) -> None:
        super().__init__(need, bound)
        self.need, self.bound = need, bound


@dataclass(frozen=True, slots=True)
class Task:
    """One board, or an independent part of one.

    ``bits``        mines, 1 to 62; mine ``i`` is bit ``i``, and every one stands in some condition
    ``conditions``  per condition its mines as bits; none empty, none twice
    ``weights``     per condition how many of the board's conditions it stands for, at least 1
    ``cells``       per condition the cells that it opens when complete, as bits of an int of any length
    """

    bits: int
    conditions: tuple[int, ...]
    weights: tuple[int, ...]
    cells: tuple[int, ...]

    @property
    def opened(self) -> int:
        """Cells opened in the end."""
        union = 0
        for cells in self.cells:
            union |= cells
        return union.bit_count()

    @property
    def bound(self) -> int:
        """No sum is larger."""
        most = (
            sum(weight for mask, weight in zip(self.conditions, self.weights, strict=True) if mask >> bit & 1)
            for bit in range(self.bits)
        )
        return self.opened * max(most)


class _Shared:
    """Work shared among threads, and what is common to both ways."""

    def __init__(self, task: Task, jobs: int | None, on_progress: Progress | None) -> None:
        self.task = task
        self._code: ModuleType = trophies_code()
        self._jobs = jobs or os.cpu_count() or 1
        self._pool = ThreadPoolExecutor(self._jobs)
        self._on_progress = on_progress

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _share(self, work: Callable[[int, int], Any], size: int, least: int = 1) -> None:
        """Calls ``work(first, last)`` for slices of ``range(size)``, at least ``least`` long."""
        step = max(least, -(-size // (4 * self._jobs)))
        slices = [(first, min(first + step, size)) for first in range(0, size, step)]
        if len(slices) == 1:
            work(*slices[0])
            return
        try:
            for _ in self._pool.map(lambda part: work(*part), slices):
                pass
        except BaseException:
            self._pool.shutdown(wait=True, cancel_futures=True)
            raise

    def _report(self, share: float) -> None:
        if self._on_progress is not None:
            self._on_progress(share)


class SubsetTable(_Shared):
    """Best and worst sums over all orders of every set of mines: 2^bits entries.

    ``high, low``  best and worst sum of ``cells opened x conditions completed`` over all orders
    Raises TooLarge before anything is begun; ValueError where a sum may not fit 16 bits.
    """

    def __init__(
        self, task: Task, memory: int, *, jobs: int | None = None, on_progress: Progress | None = None
    ) -> None:
        if task.bound > LARGEST_SUM:
            raise ValueError(f"a sum may reach {task.bound}, more than {LARGEST_SUM}")
        if (need := self.need(task)) > memory:
            raise TooLarge(need, "")
        super().__init__(task, jobs, on_progress)
        code, bits = self._code, task.bits
        self._low_bits = min(code.LOW_BITS, bits)
        blocks = 1 << (bits - self._low_bits)
        self._opened, self._done = self._counts()
        for counts in (self._opened, self._done):
            self._share(partial(code.zeta_low, counts, self._low_bits), blocks)
            self._share(partial(code.zeta_high, counts, self._low_bits, bits), 1 << self._low_bits, 256)
        self._high, self._low = np.zeros(1 << bits, np.uint16), np.zeros(1 << bits, np.uint16)
        order = np.arange(blocks, dtype=np.int64)
        sizes = np.bitwise_count(order)
        filled = 0
        for size in range(bits - self._low_bits + 1):
            layer = order[sizes == size]
            # slices are kept short, for Ctrl-C waits for them
            for part in range(0, len(layer), 4096):
                some = layer[part : part + 4096]
                self._share(partial(self._fill, some), len(some))
                filled += len(some)
                self._report(filled / blocks)
        self.high, self.low = int(self._high[-1]), int(self._low[-1])

    @staticmethod
    def _types(task: Task) -> tuple[type[np.unsignedinteger[Any]], type[np.unsignedinteger[Any]]]:
        return (
            np.uint8 if task.opened < 256 else np.uint16,
            np.uint8 if sum(task.weights) < 256 else np.uint16,
        )

    @classmethod
    def need(cls, task: Task) -> int:
        """Bytes."""
        return (2 * 2 + sum(np.dtype(kind).itemsize for kind in cls._types(task))) << task.bits

    def _fill(self, blocks: Ints, first: int, last: int) -> None:
        told = self._opened, self._done, self._low_bits, self.task.bits
        self._code.subsets(self._high, self._low, *told, blocks[first:last])

    def _counts(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """What, added up over all subsets of a set, gives the cells it opens and the conditions it completes.

        A cell is open when one of its conditions is complete, counted by inclusion and exclusion; that terms go below
        0 is no matter, for numbers without sign wrap around and the sums do not go below 0."""
        task = self.task
        opened, done = (np.zeros(1 << task.bits, kind) for kind in self._types(task))
        groups: dict[tuple[int, ...], int] = {}
        for cell in range(max((cells.bit_length() for cells in task.cells), default=0)):
            key = tuple(m for m, cells in zip(task.conditions, task.cells, strict=True) if cells >> cell & 1)
            if key:
                groups[key] = groups.get(key, 0) + 1
        terms: dict[int, int] = {}
        for key, number in groups.items():
            unions: dict[int, int] = {}
            for mask in key:
                more = {mask: 1}
                for union, sign in unions.items():
                    more[union | mask] = more.get(union | mask, 0) - sign
                for union, sign in more.items():
                    unions[union] = unions.get(union, 0) + sign
            for union, sign in unions.items():
                terms[union] = terms.get(union, 0) + sign * number
        whole = 1 << 8 * opened.itemsize
        for union, value in terms.items():
            opened[union] = value % whole
        for mask, weight in zip(task.conditions, task.weights, strict=True):
            done[mask] = weight
        return opened, done

    def order(self, *, lowest: bool = False) -> list[int]:
        """The mines in an order that makes the best sum, or the worst."""
        best, opened, done = (self._low if lowest else self._high), self._opened, self._done
        at, out = (1 << self.task.bits) - 1, []
        while at:
            for bit in range(self.task.bits):
                before = at & ~(1 << bit)
                gain = (int(opened[at]) - int(opened[before])) * (int(done[at]) - int(done[before]))
                if before != at and int(best[before]) + gain == int(best[at]):
                    out.append(bit)
                    at = before
                    break
            else:
                raise AssertionError("the table does not hold together")
        return out[::-1]


class ClosedSets(_Shared):
    """The same over closed sets: those that are a union of whole conditions, the empty one among them.

    ``sets``       how many there are
    ``high, low``  best and worst sum over all orders
    Raises TooLarge as soon as more memory is needed than allowed, which is before the sums are begun.
    """

    def __init__(
        self, task: Task, memory: int, *, jobs: int | None = None, on_progress: Progress | None = None
    ) -> None:
        if task.bits > MAX_BITS:
            raise TooLarge(self.need(1 << task.bits), "up to ")
        super().__init__(task, jobs, on_progress)
        self._memory = memory
        words = max(1, -(-max(cells.bit_length() for cells in task.cells) // 64))
        cells = [[c >> 64 * w & (1 << 64) - 1 for w in range(words)] for c in task.cells]
        speak = [[i for i, mask in enumerate(task.conditions) if mask >> bit & 1] for bit in range(task.bits)]
        self._conditions = np.array(task.conditions, np.int64)
        self._weights = np.array(task.weights, np.int64)
        self._cells = np.array(cells, np.uint64).view(np.int64)
        self._start = np.cumsum([0, *map(len, speak)], dtype=np.int64)
        self._speak = np.array([i for some in speak for i in some], np.int64)
        self._all = np.int64((1 << task.bits) - 1)
        keys = self._list()
        self.sets = len(keys)
        self._fill(keys)
        high, low = self._code.scores(self._table, 0)
        self.high, self.low = int(high), int(low)

    @staticmethod
    def need(sets: int) -> int:
        """Bytes for so many sets, at the least."""
        slots = max(_FIRST_SLOTS, 1 << (sets * 8 // 5).bit_length())
        return 24 * slots + 16 * sets

    def _list(self) -> Ints:
        """All closed sets, by size."""
        code = self._code
        slots = _FIRST_SLOTS
        table, keys = np.zeros((slots, code.WORDS), np.int64), np.zeros(slots * 5 // 8, np.int64)
        at = np.array([1, 0, 0, 1], np.int64)
        code.place(table, keys, 1)
        conditions = np.array(sorted(self.task.conditions), np.int64)
        while not code.unite(table, keys, conditions, at, len(keys), _STEPS):
            if at[0] == len(keys):
                slots *= 2
                if (need := self.need(len(keys) + 1)) > self._memory:
                    raise TooLarge(need, "at least ")
                del table
                table, more = np.zeros((slots, code.WORDS), np.int64), np.zeros(slots * 5 // 8, np.int64)
                more[: len(keys)] = keys
                keys = more
                code.place(table, keys, at[0])
            self._report(0.0)
        self._table = table
        count = int(at[0])
        ordered, self._starts = np.zeros(count, np.int64), np.zeros(self.task.bits + 2, np.int64)
        code.by_size(keys[:count], ordered, self._starts)
        return ordered

    def _fill(self, keys: Ints) -> None:
        code, table, count = self._code, self._table, len(keys)
        told = (self._conditions, self._weights, self._cells)
        self._share(lambda a, b: code.tell(table, keys[a:b], *told), count, _SLICE)
        filled = 0
        for size in range(self.task.bits, -1, -1):
            layer = keys[self._starts[size] : self._starts[size + 1]]
            step = 16 * _SLICE * self._jobs
            for part in range(0, len(layer), step):
                some = layer[part : part + step]
                self._share(partial(self._rest, some), len(some), 64)
                filled += len(some)
                self._report(filled / count)

    def _rest(self, keys: Ints, first: int, last: int) -> None:
        self._code.rest(self._table, keys[first:last], *self._told)

    @property
    def _told(self) -> tuple[Any, ...]:
        return self._all, self._conditions, self._weights, self._start, self._speak

    def ways(self, found: int, *, lowest: bool = False) -> list[tuple[int, int]]:
        """What may come next on a best way from the closed set ``found``: the closed set after it, and a mine that
        can be the last one found on the way there."""
        left = self.task.bits - found.bit_count()
        out = np.empty((max(1, left) * self._code.MOST, 2), np.int64)
        number = self._code.ways(self._table, found, lowest, out, *self._told)
        return [(int(a), int(b)) for a, b in out[:number].tolist()]

    def order(self, *, lowest: bool = False) -> list[int]:
        """The mines in an order that makes the best sum, or the worst."""
        found, out = 0, list[int]()
        while found != self._all:
            after, last = min(self.ways(found, lowest=lowest))
            out += [bit for bit in _bits(after & ~found) if bit != last]
            out.append(last)
            found = after
        return out


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def parts(conditions: Sequence[int], cells: Sequence[int]) -> list[list[int]]:
    """Conditions in groups that share neither mine nor cell with each other, by index."""
    out: list[tuple[int, int, list[int]]] = []
    for i, (mines, opens) in enumerate(zip(conditions, cells, strict=True)):
        group = [i]
        rest = []
        for their_mines, their_cells, members in out:
            if mines & their_mines or opens & their_cells:
                mines, opens = mines | their_mines, opens | their_cells
                group += members
            else:
                rest.append((their_mines, their_cells, members))
        out = [*rest, (mines, opens, sorted(group))]
    return [members for _, _, members in sorted(out, key=lambda part: part[2])]
