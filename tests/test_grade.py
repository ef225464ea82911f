"""Depth and its weights, and the summaries of collections."""

import json
import random
from itertools import pairwise
from math import inf

import pytest
from lines import lines_boards

from autosolve.analysis.grade import GRID, Grade, Weights, fit_weights, grade
from autosolve.analysis.tables import ALL, Box, box_lines, draw_boxes, summarize
from autosolve.board.notation import parse_board
from autosolve.cli.main import run_command
from autosolve.errors import WrongUse
from autosolve.solver.deduction import Technique

T = Technique
LAYERS = "one,two,contradiction"


def graded(one=0, two=0, contradiction=0, unique=True):
    waves = {t: n for t, n in ((T.ONE, one), (T.TWO, two), (T.CONTRADICTION, contradiction)) if n}
    return Grade(max(waves, default=None), waves, unique)


@pytest.fixture
def ask(tmp_path, capfd):
    def run(text, *args):
        file = tmp_path / "boards.jsonl"
        file.write_text(text, encoding="utf-8")
        code = run_command(["grade", str(file), *args])
        return code, *capfd.readouterr()

    return run


@pytest.fixture(scope="module")
def tiers():
    """Two tiers of real boards, as the lines of a collection."""
    easy = lines_boards(6, 1, ((4, 4), (3, 5)), (T.ONE,))
    hard = lines_boards(6, 2, ((5, 5), (4, 6)), (T.ONE, T.TWO), needed=True)
    return [{**board, "tier": name} for name, some in (("easy", easy), ("hard", hard)) for board in some]


def text_of(boards):
    return "\n".join(map(json.dumps, boards))


# ---------------------------------------------------------------- depth


def test_the_depth_counts_waves_by_their_weights():
    found = graded(5, 3, 2)
    assert found.depth == 5 + 2 * 3 + 2 * 2
    assert found.depth_by(Weights(3, 6)) == 5 + 3 * 3 + 6 * 2
    assert found.depth_by(Weights(0.5, 0)) == 6.5
    # every layer beyond pairs counts as a contradiction does
    assert Grade(T.SAT, {T.SUBSET: 1, T.TOTAL: 1, T.SAT: 1}, True).depth_by(Weights(2, 7)) == 21
    for wrong in ((-1, 2), (2, inf), (float("nan"), 2)):
        with pytest.raises(WrongUse):
            Weights(*wrong)


def test_a_wave_makes_every_move_of_the_lowest_layer():
    # the clues of both ends at once, then the total of the row
    found = grade(parse_board("rows: 3\n1.....1"), layers=(T.ONE, T.TWO))
    assert (found.waves, found.depth) == ({T.ONE: 1}, 1)
    assert not found.unique


# ---------------------------------------------------------------- fitting the weights


def test_the_pair_with_the_most_even_steps_is_found():
    """Tiers made so that the medians rise evenly under one pair of weights alone."""
    for pair, contradiction in ((3, 8), (6, 2), (4, 4)):
        # depths 10, 20, 30, 40, each reached by another mix of the layers
        tiers = [
            [graded(10), graded(10 - pair, 1), graded(9)],
            [graded(20 - 2 * pair, 2)] * 3,
            [graded(30 - 2 * contradiction, 0, 2)] * 3 + [graded(40, 9, 9)],
            [graded(40 - pair - 3 * contradiction, 1, 3)] * 2,
        ]
        best = fit_weights(tiers)[0]
        assert best.weights == Weights(pair, contradiction)
        assert best.medians == (10, 20, 30, 40) and best.unevenness == 0 and best.monotone


def test_the_whole_grid_is_tried_and_equals_the_definition():
    rng = random.Random(5)
    tiers = [[graded(rng.randint(1, 6), rng.randint(0, k), rng.randint(0, k)) for _ in range(9)] for k in range(4)]
    fits = fit_weights(tiers)
    assert {(f.weights.pair, f.weights.contradiction) for f in fits} == {(a, b) for a in GRID for b in GRID}
    for fit in fits:
        medians = [sorted(g.depth_by(fit.weights) for g in tier)[4] for tier in tiers]
        assert list(fit.medians) == medians
        steps = [b - a for a, b in pairwise(medians)]
        assert fit.monotone == (min(steps) >= 0 and max(steps) > 0)
    assert [f.unevenness for f in fits] == sorted(f.unevenness for f in fits)


def test_tiers_that_no_weights_can_order():
    assert not any(f.monotone for f in fit_weights([[graded(9)], [graded(3)]]))
    assert not any(f.monotone for f in fit_weights([[graded(9)], [graded(9)]]))
    for tiers in ([], [[graded(1)]], [[graded(1)], []]):
        with pytest.raises(WrongUse):
            fit_weights(tiers)


# ---------------------------------------------------------------- summaries


def test_quartiles():
    assert Box.of([7]) == Box(7, 7, 7, 7, 7)
    assert Box.of([4, 1, 3, 2]) == Box(1, 1.75, 2.5, 3.25, 4)
    assert Box.of([0, 10, 20, 30, 100]) == Box(0, 10, 20, 30, 100)


def test_what_is_summed_up():
    easy, hard = [graded(3), graded(5)], [graded(4, 2), graded(6, 1, 3), graded(0, unique=False)]
    first, second, both = summarize([("easy", easy), ("none", []), ("hard", hard)])
    assert (first.name, first.boards, dict(first.using), dict(first.most)) == ("easy", 2, {T.ONE: 2}, {T.ONE: 5})
    assert dict(second.needing) == {None: 1, T.TWO: 1, T.CONTRADICTION: 1} and second.unique == 2
    assert dict(second.using) == {T.ONE: 2, T.TWO: 2, T.CONTRADICTION: 1}
    assert dict(second.most) == {T.ONE: 6, T.TWO: 2, T.CONTRADICTION: 3} and second.deepest == 1
    assert both.name == ALL and both.boards == 5 and both.depth.most == 6 + 2 + 6
    assert [t.name for t in summarize([("", easy)])] == [ALL]
    with pytest.raises(WrongUse):
        summarize([("a", [])])


def test_boxes_as_text():
    tiers = summarize([("one", [graded(0), graded(10), graded(20), graded(30), graded(40)]), ("two", [graded(40)] * 2)])
    lines = box_lines(tiers[:2], width=41)
    assert lines[0] == "one  ├─────────██████████┃██████████─────────┤"
    assert lines[1].endswith("┃") and len(lines[1]) == 5 + 41
    assert lines[2].split() == ["0", "5", "10", "15", "20", "25", "30", "35", "40"]
    assert box_lines(summarize([("", [graded(0)])]))[0].split() == [ALL, "┃"]


def test_boxes_as_a_picture(tmp_path):
    import cv2
    import numpy as np

    tiers = summarize([("one", [graded(3), graded(9)]), ("two", [graded(20), graded(30), graded(34)])])
    draw_boxes(tiers, tmp_path / "boxes.png", "Depth")
    picture = cv2.imread(str(tmp_path / "boxes.png"))
    assert picture.shape[1] == 960
    # one blue box a row, each further to the right than the one before, the last over both
    blue = np.abs(picture.astype(int) - (0xF3, 0xE0, 0xCF)).sum(axis=2) < 12
    rows = np.flatnonzero(blue.any(axis=1))
    boxes = np.split(rows, np.flatnonzero(np.diff(rows) > 5) + 1)
    left = [np.flatnonzero(blue[box].any(axis=0)).min() for box in boxes]
    assert len(boxes) == 3 and left[0] < left[2] < left[1]
    draw_boxes(tiers, tmp_path / "boxes.svg", "Depth")
    assert (tmp_path / "boxes.svg").read_text().lstrip().startswith("<?xml")
    with pytest.raises(WrongUse):
        draw_boxes(tiers, tmp_path / "none" / "boxes.png", "Depth")
    with pytest.raises(WrongUse):
        draw_boxes(tiers, tmp_path / "boxes.doc", "Depth")


# ---------------------------------------------------------------- the command


def test_one_board_keeps_its_form(ask, tiers):
    one = json.dumps(tiers[0])
    code, out, _ = ask(one, "--json", "--layers", LAYERS)
    data = json.loads(out)
    assert code == 0 and list(data) == ["schema", "hardest", "layer", "depth", "waves", "unique"]
    assert data["depth"] == data["waves"]["one"] and isinstance(data["depth"], int)
    two = lines_boards(1, 4, ((5, 5),), (T.ONE, T.TWO), needed=True)[0]
    plain = json.loads(ask(json.dumps(two), "--json", "--layers", LAYERS)[1])
    heavy = json.loads(ask(json.dumps(two), "--json", "--layers", LAYERS, "--weights", "8,2.5")[1])
    assert heavy["depth"] - plain["depth"] == 6 * plain["waves"].get("two", 0) > 0


def test_a_collection_as_json_lines(ask, tiers):
    code, out, _ = ask(text_of(tiers), "--json", "--layers", LAYERS)
    *lines, last = map(json.loads, out.splitlines())
    assert code == 0 and [line["line"] for line in lines] == list(range(1, 13))
    assert [line["tier"] for line in lines] == ["easy"] * 6 + ["hard"] * 6
    easy, hard, both = last["summary"]
    assert (easy["tier"], hard["tier"], both["tier"], both["boards"]) == ("easy", "hard", ALL, 12)
    assert easy["needing"] == {"one": 6}
    for tier, some in ((easy, lines[:6]), (hard, lines[6:]), (both, lines)):
        assert tier["depth"]["most"] == max(line["depth"] for line in some)
        assert tier["hardest"] == {
            word: sum(line["hardest"] == word for line in some) for word in {line["hardest"] for line in some}
        }
    assert ask(text_of(tiers), "--json", "--layers", LAYERS, "--jobs", "2")[1] == out


def test_a_collection_as_a_table_with_fitted_weights(ask, tiers, tmp_path):
    picture = tmp_path / "boxes.png"
    code, out, err = ask(text_of(tiers), "--layers", LAYERS, "--fit-weights", "--boxplot", str(picture))
    assert code == 0 and picture.stat().st_size > 5000 and "written" in err
    head = out.splitlines()[1].split()
    assert head[:3] == ["tier", "boards", "unique"] and head[-1] == "most"
    assert any(line.startswith("easy       6       6") for line in out.splitlines())
    assert "most even steps" in out
    fit = json.loads(ask(text_of(tiers), "--layers", LAYERS, "--fit-weights", "--json")[1].splitlines()[-1])["fit"]
    assert len(fit["tried"]) == 25 and fit["best"] == fit["tried"][0]
    # turned around, no weights can help
    code, out, _ = ask(text_of(tiers), "--layers", LAYERS, "--fit-weights", "--tiers", "hard, easy")
    assert code == 0 and "No weights make the medians of hard, easy rise." in out


def test_mistakes_are_said(ask, tiers):
    for args, words in (
        (("--fit-weights", "--tiers", "easy"), "'hard', which --tiers does not name"),
        (("--tiers", "easy,hard,awful"), "no board of the tier 'awful'"),
        (("--fit-weights", "--tier", "mood"), "not two of them"),
        (("--weights", "2"), "not two numbers"),
        (("--weights", "2,-1"), "a number from 0"),
    ):
        code, _, err = ask(text_of(tiers), "--layers", LAYERS, *args)
        assert code == 2 and words in err, args


def test_a_board_that_clashes_does_not_stop_the_others(ask, tiers):
    wrong = '{"rows": 1, "cols": 2, "grid": ["2."]}'
    code, out, err = ask(f"{wrong}\n{text_of(tiers)}", "--json", "--layers", LAYERS)
    first, *_, last = map(json.loads, out.splitlines())
    assert code == 6 and "error" in first and "1 of 13" in err and last["summary"][-1]["boards"] == 12
    assert ask(wrong)[0] == 6
