"""Dealing: the plain dealer and the compiled one agree bit for bit, and the first-click rules hold."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb

import pytest

from autosolve.board.shape import Cell, Shape, cell_set
from autosolve.errors import WrongUse
from autosolve.generate.deal import SplitMix64, deal, spared
from autosolve.kernels.game import FirstClick, Table, check_room


def test_the_numbers_are_those_of_splitmix64() -> None:
    # the first words that the reference implementation gives for the seed 1234567
    numbers = SplitMix64(1234567)
    assert [numbers.next() for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_below_is_even() -> None:
    numbers = SplitMix64(5)
    for n in (1, 2, 3, 7, 480):
        counts = Counter(numbers.below(n) for _ in range(20_000))
        assert set(counts) <= set(range(n))
        expected = 20_000 / n
        chi = sum((counts[i] - expected) ** 2 / expected for i in range(n))
        assert chi < n + 5 * (2 * n) ** 0.5 + 5


@pytest.mark.parametrize("rule", FirstClick)
@pytest.mark.parametrize(
    ("size", "mines"),
    [((9, 9), 10), ((16, 30), 99), ((30, 16), 400), ((1, 12), 4), ((12, 1), 8), ((2, 3), 1), ((3, 7), 12), ((5, 4), 0)],
)
def test_the_kernel_deals_the_same_bits(size: tuple[int, int], mines: int, rule: FirstClick) -> None:
    shape = Shape(*size)
    table = Table(shape)
    for seed in range(12):
        start = Cell((seed * 37) % shape.size)
        if mines > rule.room(shape, start):
            continue
        table.deal(mines, start, rule, seed=seed, number=seed * seed)
        assert table.mine_set == deal(shape, mines, start, rule, SplitMix64.of_game(seed, seed * seed))


@pytest.mark.parametrize("rule", FirstClick)
def test_rules_keep_what_they_promise(rule: FirstClick) -> None:
    shape = Shape(3, 5)
    for seed in range(60):
        start = seed % shape.size
        most = rule.room(shape, Cell(start))
        for mines in (0, 1, most // 2, most):
            mined = deal(shape, mines, start, rule, SplitMix64(seed))
            assert mined.bit_count() == mines
            assert not mined & spared(shape, start, rule)
            assert rule is FirstClick.RANDOM or not mined >> start & 1


def test_every_layout_is_as_likely() -> None:
    shape = Shape(2, 3)
    numbers = SplitMix64(11)
    for rule, layouts in ((FirstClick.RANDOM, comb(6, 2)), (FirstClick.SAFE, comb(5, 2))):
        counts = Counter(deal(shape, 2, 4, rule, numbers) for _ in range(6000))
        assert len(counts) == layouts
        expected = 6000 / layouts
        assert sum((n - expected) ** 2 / expected for n in counts.values()) < 45


def test_the_old_windows_rule_moves_to_the_first_free_cell() -> None:
    shape = Shape(2, 3)
    numbers = SplitMix64(2)
    counts = Counter(deal(shape, 2, 4, FirstClick.MOVED, numbers) for _ in range(9000))
    expected: Counter[int] = Counter()
    for layout in combinations(range(6), 2):
        mined = set(layout)
        if 4 in mined:
            mined.discard(4)
            # the mine leaves its cell last: a cell is free that had none before
            mined.add(next(c for c in range(6) if c not in layout))
        expected[cell_set(mined)] += 600
    assert set(counts) == set(expected)
    assert sum((counts[k] - n) ** 2 / n for k, n in expected.items()) < 40


@pytest.mark.parametrize(
    ("size", "mines", "start", "rule", "remedy"),
    [
        ((3, 3), 1, 4, FirstClick.OPENING, "Give 0 mines, or the first-click rule 'safe'."),
        ((3, 3), 9, 4, FirstClick.SAFE, "Give 0 to 8 mines."),
        ((2, 7), 15, 0, FirstClick.RANDOM, "Give 0 to 14 mines."),
        ((2, 7), 3, 14, FirstClick.SAFE, "Rows go from 0 to 1, columns from 0 to 6."),
        ((2, 7), -1, 0, FirstClick.MOVED, "Give 0 to 13 mines."),
    ],
)
def test_what_cannot_be_dealt_is_said_with_what_can(size, mines, start, rule, remedy) -> None:
    with pytest.raises(WrongUse) as problem:
        check_room(Shape(*size), mines, start, rule)
    assert problem.value.remedy == remedy
