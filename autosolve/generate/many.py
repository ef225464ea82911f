"""Owns what is asked of those who spread work: the same results in the same order, however many there are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class Workers(Protocol):
    """Whatever spreads work, such as ``analysis.jobs.Jobs``: this process, processes here, or a cluster."""

    def in_order(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """``work`` of every item, in their order; items are taken as they are needed. ``work``, items and results can
        be pickled."""
        ...


class Alone:
    """One worker: the caller itself."""

    def in_order(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """``work`` of every item, in their order."""
        return map(work, items)
