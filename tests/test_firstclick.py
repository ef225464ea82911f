"""First clicks: closed forms against every layout there is, samples against closed forms, what simple rules finish."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autosolve.analysis.firstclick import KINDS, opening_chance, safe_chance, sample
from autosolve.analysis.rates import mean_interval, paired_gap, wilson
from autosolve.board.shape import Cell, Shape, cell_set
from autosolve.cli.main import run_command
from autosolve.errors import WrongUse
from autosolve.kernels.game import FirstClick

pytest.importorskip("numba")


def every_layout(shape: Shape, mines: int, start: Cell, rule: FirstClick) -> tuple[Fraction, Fraction]:
    """(safe, opens) by counting all layouts that the rule can deal."""
    near = shape.neighbours(start)
    barred = {FirstClick.SAFE: 1 << start, FirstClick.OPENING: 1 << start | near}.get(rule, 0)
    free = [c for c in range(shape.size) if not barred >> c & 1]
    safe = opens = total = 0
    for cells in combinations(free, mines):
        mined = cell_set(Cell(c) for c in cells)
        if rule is FirstClick.MOVED and mined >> start & 1:
            target = next(c for c in range(shape.size) if not mined >> c & 1)
            mined ^= 1 << start | 1 << target
        total += 1
        safe += not mined >> start & 1
        opens += not mined & (near | 1 << start)
    return Fraction(safe, total), Fraction(opens, total)


@pytest.mark.parametrize("rule", FirstClick)
@pytest.mark.parametrize("size", [(1, 1), (1, 7), (7, 1), (2, 2), (3, 4), (4, 3), (2, 6)])
def test_closed_forms_count_every_layout(size: tuple[int, int], rule: FirstClick) -> None:
    shape = Shape(*size)
    for start in map(Cell, range(shape.size)):
        for mines in range(min(rule.room(shape, start), 5) + 1):
            exact = safe_chance(shape, mines, start, rule), opening_chance(shape, mines, start, rule)
            assert exact == every_layout(shape, mines, start, rule), (start, mines)


def test_the_published_figures() -> None:
    expected = {"Beginner": (0.2855, 0.3257), "Intermediate": (0.2110, 0.2501), "Expert": (0.1226, 0.1545)}
    for kind in KINDS[:3]:
        at = kind.shape.middle
        got = [float(opening_chance(kind.shape, kind.mines, at, rule)) for rule in (FirstClick.RANDOM, FirstClick.SAFE)]
        assert got == pytest.approx(expected[kind.name], abs=5e-5)


@pytest.mark.parametrize("rule", FirstClick)
@pytest.mark.parametrize("kind", [*KINDS[:3]], ids=str)
def test_samples_agree_with_closed_forms(kind, rule: FirstClick) -> None:
    for start in (kind.shape.middle, Cell(0), Cell(1)):
        boards = 40_000
        seen = sample(kind.shape, kind.mines, start, rule, boards=boards, seed=9)
        for rate, exact in (
            (seen.safe, safe_chance(kind.shape, kind.mines, start, rule)),
            (seen.opening, opening_chance(kind.shape, kind.mines, start, rule)),
        ):
            error = (float(exact * (1 - exact)) / boards) ** 0.5
            assert abs(rate.share - float(exact)) <= 5 * error
        assert seen.cleared is None


# share of boards finished by the two rules on one number: seeds 003 (2,000 boards) and 002 (4,000 boards)
@pytest.mark.parametrize(
    ("name", "share", "told"),
    [("Beginner", 0.637, 2000), ("Intermediate", 0.241, 2000), ("Expert", 0.001, 2000), ("Beginner", 0.657, 4000),
     ("Normal", 0.266, 4000), ("Hard", 0.016, 4000)],
)  # fmt: skip
def test_what_single_numbers_finish(name: str, share: float, told: int) -> None:
    kind = next(k for k in KINDS if k.name == name)
    seen = sample(kind.shape, kind.mines, kind.shape.middle, FirstClick.OPENING, boards=20_000, seed=3, level=1)
    assert seen.cleared is not None
    error = (share * (1 - share) * (1 / told + 1 / 20_000)) ** 0.5
    assert abs(seen.cleared.share - share) <= 4 * error + 0.0005


def test_pairs_finish_more() -> None:
    kind = KINDS[2]
    one, two = (
        sample(kind.shape, kind.mines, kind.shape.middle, FirstClick.OPENING, boards=4000, seed=3, level=level).cleared
        for level in (1, 2)
    )
    assert one is not None and two is not None
    # 0.0950 on 200,000 boards
    assert 0.075 < two.share < 0.115 and one.count < two.count


def test_wilson_of_few_successes() -> None:
    # the published formula, worked by hand for 1 of 10: (0.1 + 0.19207 -+ 1.96 sqrt(0.009 + 0.0096)) / 1.38414
    low, high = wilson(1, 10)
    assert (low, high) == pytest.approx((0.01788, 0.40415), abs=1e-4)
    assert wilson(0, 50)[0] == 0.0 and 0 < wilson(0, 50)[1] < 0.1
    assert wilson(50, 50)[1] == 1.0 and wilson(0, 0) == (0.0, 1.0)


@given(st.integers(1, 10**9), st.data())
@settings(max_examples=100, deadline=None)
def test_wilson_holds_the_share(trials: int, data) -> None:
    successes = data.draw(st.integers(0, trials))
    low, high = wilson(successes, trials)
    assert 0 <= low <= successes / trials <= high <= 1


def test_intervals_of_means_and_gaps() -> None:
    mean, half = mean_interval(6, 14, 3)  # 1, 2, 3: variance 1
    assert mean == 2 and half == pytest.approx(1.96 / 3**0.5, abs=1e-3)
    gap, half = paired_gap(30, 40, 50, 100)  # 10 only the first, 20 only the second
    assert gap == pytest.approx(0.1) and half == pytest.approx(
        1.96 * ((31 / 102 - (10 / 102) ** 2) / 102) ** 0.5, abs=1e-4
    )
    assert paired_gap(5, 5, 5, 10)[0] == 0 and paired_gap(5, 5, 5, 10)[1] > 0.1


def test_too_many_mines_are_said() -> None:
    with pytest.raises(WrongUse, match="does not fit on a 3x3 board"):
        opening_chance(Shape(3, 3), 1, Cell(4), FirstClick.OPENING)
    with pytest.raises(WrongUse):
        safe_chance(Shape(3, 3), 1, Cell(9), FirstClick.SAFE)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["first-click", "--size", "4x9", "--mines", "6", "--start", "r1c1", "--boards", "3000", "--json"]
    assert run_command(line) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == 1 and found["start"] == [0, 0] and set(found["rules"]) == {
        "random", "safe", "opening", "moved",
    }  # fmt: skip
    safe = found["rules"]["safe"]
    assert safe["opens"] == pytest.approx(float(opening_chance(Shape(4, 9), 6, Cell(0), FirstClick.SAFE)))
    assert safe["interval"][0] <= safe["sampled"] <= safe["interval"][1]
    assert found["finished"]["one"]["count"] <= found["finished"]["two"]["count"]
    assert run_command(["first-click", "--size", "2x3", "--mines", "6"]) == 0
    text = capsys.readouterr().out
    assert "2x3" in text and "nor around it" not in text  # there is no room for that rule
    assert run_command(["first-click", "--size", "2x3", "--mines", "7"]) == 2
