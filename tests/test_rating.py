"""The Rasch model: held against a search over a fine grid, and against players whose ability is known."""

import json
import random
from math import exp, log1p

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autosolve.analysis.rating import PRIOR_DEVIATION, PRIOR_MEAN, SLOPE, Attempt, chance, rate
from autosolve.cli.main import run_command
from autosolve.errors import WrongUse

attempts = st.lists(st.builds(Attempt, st.floats(0, 44), st.booleans()), max_size=40)


def posterior(ability, seen, slope=SLOPE):
    # the logarithm of a chance that may be too small for a float
    xs = [slope * (ability - a.depth) * (1 if a.clean else -1) for a in seen]
    odds = sum(min(x, 0) - log1p(exp(-abs(x))) for x in xs)
    return odds - ((ability - PRIOR_MEAN) / PRIOR_DEVIATION) ** 2 / 2


def test_the_chance():
    assert chance(12, 12) == 0.5
    assert chance(15, 5) == pytest.approx(1 / (1 + 2.718281828459045**-3))
    assert chance(-1e9, 5) == 0 and chance(1e9, 5) == 1
    assert chance(3, 7) == pytest.approx(1 - chance(11, 7))


@given(attempts, st.sampled_from([0.05, SLOPE, 2.0]))
def test_nothing_is_more_likely(seen, slope):
    found = rate(seen, slope)
    best = posterior(found.ability, seen, slope)
    for step in (1e-4, 0.01, 1, 10, 100):
        assert best >= posterior(found.ability - step, seen, slope) - 1e-9
        assert best >= posterior(found.ability + step, seen, slope) - 1e-9


def test_the_prior_alone_and_what_it_holds_back():
    nobody = rate([])
    assert (nobody.ability, nobody.deviation) == (PRIOR_MEAN, PRIOR_DEVIATION)
    # without a prior 60 clean clears in a row would say: without limit
    lucky = rate([Attempt(10, True)] * 60)
    assert 20 < lucky.ability < 40 and rate([Attempt(10, False)] * 60).ability == pytest.approx(20 - lucky.ability)


@pytest.mark.parametrize("ability", [2.0, 11.0, 25.0, 38.0])
def test_players_of_known_ability(ability):
    """Of 200 players with 120 attempts each: no bias to speak of, and the intervals hold in about 95 of 100 cases."""
    rng = random.Random(round(ability))
    error, inside = 0.0, 0
    for _ in range(200):
        depths = [rng.uniform(max(0, ability - 8), ability + 8) for _ in range(120)]
        found = rate(Attempt(depth, rng.random() < chance(ability, depth)) for depth in depths)
        error += (found.ability - ability) / 200
        inside += abs(found.ability - ability) <= 1.96 * found.deviation
    assert abs(error) < 0.25
    assert 180 <= inside <= 199


def test_points_and_when_they_are_shown():
    found = rate([Attempt(10, True), Attempt(10, False)] * 10)
    assert (found.points, found.shown, found.settled, found.clean) == (1000, True, False, 10)
    assert found.interval[0] < 1000 < found.interval[1]
    assert not rate([Attempt(10, True)] * 19).shown and rate([Attempt(10, True)] * 60).settled
    assert rate([Attempt(44, True)] * 500).points == 4400 and rate([Attempt(0, False)] * 500).points == 0


def test_what_is_no_attempt():
    for depth in (-1, float("nan"), float("inf")):
        with pytest.raises(WrongUse):
            Attempt(depth, True)
    with pytest.raises(WrongUse):
        rate([], slope=0)


@pytest.fixture
def ask(tmp_path, capfd):
    def run(lines, *args):
        file = tmp_path / "attempts.jsonl"
        file.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))
        code = run_command(["rating", str(file), *args])
        return code, *capfd.readouterr()

    return run


def test_the_command(ask):
    lines = [{"player": "Ada", "hash": str(n), "depth": n % 20, "clean": n % 20 < 12} for n in range(60)]
    lines += [{"player": "Bob", "grade": {"depth": 4}, "clean": False}] * 5
    # a second attempt at the same board, by its number or because the board came before
    lines += [{"player": "Ada", "hash": "3", "depth": 3, "clean": False}, {**lines[0], "hash": "x", "attempt": 2}]
    code, out, err = ask(lines, "--json")
    ada, bob = map(json.loads, out.splitlines())
    assert code == 0 and "2 later attempts" in err
    assert (ada["player"], ada["attempts"], ada["clean"], ada["settled"]) == ("Ada", 60, 36, True)
    assert ada["rating"] == round(100 * ada["ability"]) and ada["interval"][0] < ada["rating"] < ada["interval"][1]
    assert (bob["rating"], bob["shown"], bob["attempts"]) == (None, False, 5)
    code, out, _ = ask(lines)
    assert out.splitlines()[0].startswith(f"Ada: {ada['rating']:,} (") and "settled" in out
    assert out.splitlines()[1] == "Bob: no rating yet: 5 of 20 attempts"


def test_the_slope_matters(ask):
    lines = [{"depth": 10, "clean": n % 4 > 0} for n in range(40)]
    flat, steep = (json.loads(ask(lines, "--json", "--slope", slope)[1])["ability"] for slope in ("0.1", "1"))
    assert flat > steep > 10


@pytest.mark.parametrize("line", ["no", "[]", {"depth": 3}, {"depth": "3", "clean": True}, {"depth": 3, "clean": 1}])
def test_what_cannot_be_read_is_named(ask, line):
    code, out, err = ask([{"depth": 3, "clean": True}, line])
    assert code == 2 and not out and "Line 2" in err


def test_an_empty_file(ask):
    assert ask([""])[0] == 2
