"""Learning a site from a labelled screenshot, proving it, and labelling the cells it could not tell."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from autosolve.board.shape import Shape
from autosolve.cli.main import run_command
from autosolve.errors import BoardNotFound, NotationError, ProfileError, WrongUse
from autosolve.vision import learn, picture
from autosolve.vision import skin as look
from autosolve.vision.frame import Box, Frame, Pixels
from autosolve.vision.grid import Grid
from autosolve.vision.labels import Labels, contradicted, kind_of, parse_labels, same_cells
from autosolve.vision.profile import CounterPlace, Profile, Symbol, load, load_folder, site_folders
from autosolve.vision.read import read

# 6 x 9, every clue consistent; a game in which a click opens a cell
FIRST = ["F21100000", "13F200000", "13F212210", "1F212FF10", "....2F310", "....11100"]
SECOND = ["000000000", "111000011", "1F101111F", "22313F211", ".F.F3F200", ".F..21100"]
ODD = ["000000000", "111000011", "1?101111F", "22313*211", ".F.F3!200", ".F..21100"]
INKS = {"1": (200, 30, 30), "2": (20, 130, 20), "3": (30, 30, 220)}


def skin(rows: list[str], pitch: int = 30, left: int = 47, top: int = 33, page: int = 250) -> Pixels:
    """A skin nobody prepared: greenish bevelled cells, lilac open ones, digits in a stroke font."""
    height, width = top + len(rows) * pitch + 40, left + len(rows[0]) * pitch + 50
    out = np.full((height, width, 3), page, np.uint8)
    for r, row in enumerate(rows):
        for c, char in enumerate(row):
            y, x = top + r * pitch, left + c * pitch
            cell = out[y : y + pitch, x : x + pitch]
            hidden = char in ".F?"
            cell[:] = (150, 190, 140) if hidden else (235, 215, 225)
            cell[0], cell[:, 0] = (120, 120, 130), (120, 120, 130)
            if hidden:
                cell[1:4, 1:], cell[1:, 1:4] = (200, 235, 190), (200, 235, 190)
                cell[-3:, 3:], cell[3:, -3:] = (90, 130, 80), (90, 130, 80)
            middle = (x + pitch // 2, y + pitch // 2)
            if char == "F":
                points = np.array([[-4, -8], [8, -3], [-4, 2]]) * pitch // 30 + middle
                cv2.fillPoly(out, [points], (40, 40, 230))
                cv2.line(out, (middle[0] - 4 * pitch // 30, y + 6), (middle[0] - 4 * pitch // 30, y + pitch - 6), 0, 2)
            elif char in "*!":
                if char == "!":
                    cell[1:, 1:] = (60, 60, 240)
                cv2.circle(out, middle, pitch // 4, (20, 20, 20), -1, cv2.LINE_AA)
            elif char not in ".0":
                ink = INKS.get(char, (20, 20, 20))
                at = (x + round(0.3 * pitch), y + round(0.76 * pitch))
                cv2.putText(out, char, at, cv2.FONT_HERSHEY_SIMPLEX, 0.024 * pitch, ink, 2, cv2.LINE_AA)
    out[top + len(rows) * pitch, left : width - 49] = out[top : height - 39, left + len(rows[0]) * pitch] = (
        120,
        120,
        130,
    )
    return out


def labels(rows: list[str]) -> Labels:
    return parse_labels("\n".join(rows))


def learned(
    folder: Path, rows: list[str] = FIRST, pixels: Pixels | None = None, known: Profile | None = None
) -> Profile:
    frame, said = Frame(skin(rows) if pixels is None else pixels), labels(rows)
    toml = learn.site_toml("A skin", kind_of(said), said)
    return learn.teach(folder, frame, said, learn.find(frame, said.shape), toml, known)[0]


# ---------------------------------------------------------------- labels


def test_labels_are_board_text_and_may_leave_cells_out() -> None:
    said = parse_labels("# a comment\nmines: 9\nsite: x\n#1~\n  F?!  \n")
    assert said.shape == Shape(2, 3)
    assert said.symbols == (
        Symbol.COVERED, Symbol.CLUE_1, None, Symbol.FLAG, Symbol.QUESTION, Symbol.EXPLODED,
    )  # fmt: skip
    assert parse_labels(json.dumps({"rows": 2, "grid": ["1.", "~0"]})).symbols[2] is None


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [("1.\n1..\n", 2, 0), ("1.\n\n1q\n", 3, 2), ("# nothing\n", 1, 0), ("", 1, 0), ('{"rows": 1}', 1, 0), ("{", 1, 0)],
)
def test_a_fault_in_labels_is_named(text: str, line: int, column: int) -> None:
    with pytest.raises(NotationError) as fault:
        parse_labels(text)
    assert (fault.value.line, fault.value.column) == (line, column)


@pytest.mark.parametrize(
    ("rows", "kind"),
    [
        (FIRST, "reveal"),
        (["..1", "1.*"], "reveal"),
        (["..1", "0.x"], "clues"),
        (["0..", ".2.", "..."], "clues"),  # a printed 0 beside covered cells
        (["1..1", "....", ".1..", "...2"], "clues"),
        (["1...", "11..", "11..", ".1.."], "reveal"),
        ([".....", "....."], "reveal"),
    ],
)
def test_what_kind_of_board_it_is_follows_from_the_labels(rows: list[str], kind: str) -> None:
    assert kind_of(labels(rows)) == kind


# ---------------------------------------------------------------- learning


def test_a_learned_site_reads_its_own_and_other_screenshots(tmp_path: Path) -> None:
    site = learned(tmp_path / "mine")
    assert site.kind == "reveal"
    assert site.buttons == {"right": (Symbol.COVERED, Symbol.FLAG)}
    assert site.reader == "pictures"
    for rows in (FIRST, SECOND):
        for pixels in (skin(rows), skin(rows, left=91, top=70, page=60)):
            reading = read(Frame(pixels), site)
            assert reading.doubts == {}
            assert reading.text == rows


def test_another_size_of_the_same_skin_is_read(tmp_path: Path) -> None:
    site = learned(tmp_path / "mine")
    for pitch in (24, 45):
        sized = cv2.resize(skin(SECOND), None, fx=pitch / 30, fy=pitch / 30, interpolation=cv2.INTER_AREA)
        reading = read(Frame(np.asarray(sized, np.uint8)), site)
        verdict = learn.judge(reading, labels(SECOND))
        assert not verdict.wrong
        assert len(verdict.doubtful) <= 2


def test_what_was_never_shown_is_doubtful_and_can_be_learned_later(tmp_path: Path) -> None:
    site = learned(tmp_path / "mine")
    needed, welcome = learn.missing(site)
    assert [s.value for s in needed] == ["4", "5", "6", "7", "8"]
    assert [s.value for s in welcome] == ["?", "*", "!", "X"]
    verdict = learn.judge(read(Frame(skin(ODD)), site), labels(ODD))
    assert not verdict.wrong
    assert {(2, 1), (3, 5), (4, 5)} <= {Shape(6, 9).at(c) for c in verdict.doubtful}
    before = {file.name: file.read_bytes() for file in site.folder.glob("*.png")}
    site = learned(site.folder, ODD, known=site)
    assert learn.judge(read(Frame(skin(ODD)), site), labels(ODD)).exact
    assert learn.judge(read(Frame(skin(FIRST)), site), labels(FIRST)).exact
    after = {file.name: file.read_bytes() for file in site.folder.glob("*.png")}
    assert before.items() <= after.items()
    assert {name.partition(".")[0] for name in after.keys() - before.keys()} >= {"question", "mine", "exploded"}
    site = learned(site.folder, ODD, known=site)  # nothing new in it
    assert {file.name for file in site.folder.glob("*.png")} == after.keys()


def test_each_look_of_a_symbol_is_kept(tmp_path: Path) -> None:
    pixels = skin(FIRST)
    for row in range(0, 6, 2):  # every second row of open cells is yellow, as on a checkered board
        part = pixels[33 + 30 * row : 63 + 30 * row, 47:317]
        part[(part == (235, 215, 225)).all(2)] = (190, 240, 245)
    site = learned(tmp_path / "mine", pixels=pixels)
    assert len(site.templates[Symbol.CLUE_0]) >= 2
    assert (site.folder / "clue-0.+2.png").is_file()
    assert read(Frame(pixels), site).text == FIRST


def test_a_wrong_label_is_noticed_and_not_learned_from() -> None:
    rows = [*FIRST[:1], "13F220000", *FIRST[2:]]  # one blank is said to be a 2
    frame, said = Frame(skin(FIRST)), labels(rows)
    found = learn.learn(frame, said, learn.find(frame, said.shape))
    assert [said.shape.at(c) for c in found.misfits] == [(1, 4)]
    with pytest.raises(WrongUse, match="labels do not fit"):
        learn.learn(frame, labels(SECOND), learn.find(frame, said.shape))


def test_a_board_of_another_size_is_not_learned_from() -> None:
    frame = Frame(skin(FIRST))
    with pytest.raises(BoardNotFound, match="no board of 6x8 cells"):
        learn.find(frame, Shape(6, 8))
    assert learn.find(frame, Shape(6, 8), Box(47, 33, 240, 180)).pitch_x == pytest.approx(30, abs=0.2)
    with pytest.raises(WrongUse, match="covered"):
        learn.learn(frame, labels([r.replace(".", "~") for r in FIRST]), learn.find(frame, Shape(6, 9)))


def test_a_faulty_site_is_never_left_half_done(tmp_path: Path) -> None:
    site = learned(tmp_path / "mine")
    before = {file.name: file.read_bytes() for file in site.folder.iterdir()}
    with pytest.raises(ProfileError):
        learn.save(
            site.folder, {Symbol.CLUE_4: [np.zeros((30, 30, 3), np.uint8)]}, look="dark"
        )  # no covered cell of it
    assert {file.name: file.read_bytes() for file in site.folder.iterdir()} == before
    assert [p.name for p in tmp_path.iterdir()] == ["mine"]


def test_a_site_may_have_several_looks(tmp_path: Path) -> None:
    site = learned(tmp_path / "mine")
    dark = 255 - skin(FIRST)[:, :, ::-1] // 2
    frame, said = Frame(np.ascontiguousarray(dark)), labels(FIRST)
    site, found = learn.teach(site.folder, frame, said, learn.find(frame, said.shape), "", site, "dark")
    assert set(site.looks) == {"", "dark"}
    assert set(found.pictures) == {Symbol(c) for c in ".F0123"}
    assert {t.variant.partition("+")[0] for t in site.templates[Symbol.CLUE_1] if t.look == "dark"} == {"seen"}
    for pixels in (frame.pixels, skin(FIRST)):
        assert read(Frame(pixels), site).text == FIRST
    unseen = labels([r.replace(".", "~") for r in FIRST])
    with pytest.raises(WrongUse, match="covered"):
        learn.learn(frame, unseen, learn.find(frame, said.shape), site, "sepia")


# ---------------------------------------------------------------- labels that do not fit

DOTS = ["." * 9] * 6


def teach(folder: Path, rows: list[str], said: list[str], known: Profile | None = None) -> Profile:
    """Learns what ``rows`` show by the labels ``said``."""
    frame, given = Frame(skin(rows)), labels(said)
    toml = learn.site_toml("A skin", kind_of(given), given)
    reading = learn.as_known(frame, given.shape, shipped())
    return learn.teach(folder, frame, given, learn.find(frame, given.shape), toml, known, reading=reading)[0]


def lawn(rows: list[str]) -> Pixels:
    """The skin with every second covered and opened cell of another shade."""
    out = skin(rows)
    for r in range(len(rows)):
        for c in range(r % 2, len(rows[0]), 2):
            cell = out[33 + 30 * r : 63 + 30 * r, 47 + 30 * c : 77 + 30 * c]
            for body, shade in (((150, 190, 140), (140, 178, 130)), ((235, 215, 225), (215, 195, 205))):
                cell[(cell == body).all(2)] = shade
    return out


@pytest.mark.parametrize(
    ("said", "named"),
    [
        (DOTS, "r1c2 is labelled '.' and shows '2'"),  # one label for all
        ([r.replace("1", ".") for r in FIRST], "is labelled '.' and shows '1'"),
        ([r.replace("0", ".") for r in FIRST], "is labelled '.' and shows '0'"),
        ([FIRST[1], FIRST[0], *FIRST[2:]], "r1c2 is labelled '3' and shows '2'"),  # two rows swapped
        ([*FIRST[:4], "....3F310", FIRST[5]], "r5c5 is labelled '3' and shows '2'"),  # one digit, alone
        ([FIRST[0], "12F200000", *FIRST[2:]], "r2c2 is labelled '2' and shows '3'"),
        ([r[1:] + r[:1] for r in FIRST], "labels do not fit"),  # a column off
        (SECOND, "labels do not fit"),
    ],
    ids=["all-dots", "dots-for-ones", "dots-for-blanks", "swapped", "digit", "digit-of-many", "shifted", "other-board"],
)
def test_labels_that_the_picture_contradicts_are_refused(tmp_path: Path, said: list[str], named: str) -> None:
    with pytest.raises(WrongUse, match="labels do not fit") as fault:
        teach(tmp_path / "mine", FIRST, said)
    assert named in str(fault.value)
    assert "nothing was saved" in fault.value.remedy
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("paint", "rows"), [(skin, FIRST), (skin, SECOND), (skin, ODD), (lawn, FIRST), (lawn, ODD)])
def test_labels_that_fit_are_not_contradicted(paint: Callable[[list[str]], Pixels], rows: list[str]) -> None:
    frame, said = Frame(paint(rows)), labels(rows)
    grid = learn.find(frame, said.shape)
    assert contradicted(frame, grid, said, learn.as_known(frame, said.shape, shipped())) == {}
    left_out = labels(["~" + r[1:] for r in rows])
    assert contradicted(frame, grid, left_out) == {}


def shipped() -> list[Profile]:
    return [load_folder(folder) for folder in site_folders(None).values()]


def test_two_lattices_of_the_same_cells() -> None:
    grid = Grid(Shape(6, 30), 40, 30, 20, 20)
    assert same_cells(grid, Grid(Shape(6, 30), 43, 27, 19.9, 20.1))
    for other in (
        Grid(Shape(6, 30), 60, 30, 20, 20),  # a column off
        Grid(Shape(6, 30), 40, 10, 20, 20),
        Grid(Shape(6, 30), 40, 30, 20.6, 20),  # a column off at its end
        Grid(Shape(5, 30), 40, 30, 20, 20),
    ):
        assert not same_cells(grid, other)


def test_another_name_for_a_mark_is_no_contradiction() -> None:
    """What a game means by a mark the person knows, not we; a digit is a digit."""
    frame = Frame(skin(FIRST))
    grid = learn.find(frame, Shape(6, 9))
    reading = learn.as_known(frame, Shape(6, 9), shipped())
    assert reading is not None
    assert contradicted(frame, grid, labels([r.replace("F", "?") for r in FIRST]), reading) == {}
    assert contradicted(frame, grid, labels([r.replace("F", "8") for r in FIRST]), reading).keys() == {
        i for i, char in enumerate("".join(FIRST)) if char == "F"
    }
    threes = [r.replace("3", "@").replace("2", "3").replace("@", "2") for r in FIRST]  # wrong throughout
    assert set(contradicted(frame, grid, labels(threes)).values()) == {Symbol.CLUE_2, Symbol.CLUE_3}


def untellable(monkeypatch: pytest.MonkeyPatch) -> None:
    """No board can be told by its look any more."""
    tell = look.tell

    def nothing(*args: Any, **more: Any) -> look.Told:
        told = tell(*args, **more)
        doubts = ["it may be anything"] * len(told.match.symbols)
        return dataclasses.replace(told, match=dataclasses.replace(told.match, doubts=doubts))

    monkeypatch.setattr(look, "tell", nothing)


def test_one_label_for_several_digits_is_refused_on_any_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    untellable(monkeypatch)
    with pytest.raises(WrongUse, match="labels do not fit"):
        teach(tmp_path / "mine", FIRST, DOTS)
    with pytest.raises(WrongUse, match="labels do not fit"):
        teach(tmp_path / "mine", FIRST, [r.replace("3", "2") for r in FIRST])
    assert not list(tmp_path.iterdir())
    assert read(Frame(skin(FIRST)), teach(tmp_path / "mine", FIRST, FIRST)).text == FIRST


def drawn(rows: list[str], covers: int = 1) -> Pixels:
    """The skin with figures that are no digits, and up to three kinds of covered cells in turn."""
    out = skin([row.replace("1", "0").replace("2", "0").replace("3", "0") for row in rows])
    for r, row in enumerate(rows):
        for c, char in enumerate(row):
            x, y = 62 + 30 * c, 48 + 30 * r
            if char == "1":
                cv2.ellipse(out, (x, y), (9, 4), 30, 0, 360, (200, 40, 140), 2)
            elif char == "2":
                star = np.array([[-8, 6], [0, -8], [8, 6], [-8, -3], [8, -3]]) + np.array([x, y])
                cv2.polylines(out, [star], True, (30, 90, 0), 2)
            elif char == "3":
                cv2.rectangle(out, (x - 8, y - 2), (x + 8, y + 3), (0, 120, 230), -1)
            elif char == "." and (r + 2 * c) % 3 % covers == 1:
                cv2.line(out, (x - 6, y - 6), (x + 6, y + 6), (60, 90, 60), 2)
            elif char == "." and (r + 2 * c) % 3 % covers == 2:
                cv2.circle(out, (x, y), 6, (60, 90, 60), 2)
    return out


def test_one_label_for_many_drawings_is_refused(tmp_path: Path) -> None:
    """Also where no drawing is known; several pictures of a covered cell may be."""
    frame, said = Frame(drawn(FIRST, 3)), labels(FIRST)
    grid = learn.find(frame, said.shape)
    for rows in (DOTS, [r.replace("F", ".").replace("1", ".").replace("2", ".").replace("3", ".") for r in FIRST]):
        with pytest.raises(WrongUse, match=r"cells labelled '\.' show [4-7] unlike drawings"):
            learn.learn(frame, labels(rows), grid)
    site, _ = learn.teach(tmp_path / "mine", frame, said, grid, learn.site_toml("x", "reveal"))
    assert len(site.templates[Symbol.COVERED]) >= 3
    assert read(frame, site).text == FIRST


def test_a_site_that_reads_its_own_screenshot_otherwise_is_not_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learn, "contradicted", lambda *_: {})
    slip = [FIRST[0], "13F210000", *FIRST[2:]]
    with pytest.raises(WrongUse, match="r2c5 is labelled '1' and looks like '0'"):
        teach(tmp_path / "mine", FIRST, slip)
    assert not list(tmp_path.iterdir())
    site = teach(tmp_path / "mine", FIRST, FIRST)
    before = {file.name: file.read_bytes() for file in site.folder.iterdir()}
    with pytest.raises(WrongUse, match="looks like"):
        teach(site.folder, ODD, [ODD[0], "111100011", *ODD[2:]], site)
    assert {file.name: file.read_bytes() for file in site.folder.iterdir()} == before


# ---------------------------------------------------------------- stopped half-way


@pytest.mark.parametrize(
    ("owner", "name", "at"), [(learn, "read", 1), (learn, "read", 2), (Path, "rename", 1), (Path, "rename", 2)]
)
@pytest.mark.parametrize("again", [False, True], ids=["new", "known"])
def test_learning_that_is_stopped_leaves_all_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, at: int, again: bool
) -> None:
    """Ctrl-C as the board is read back, or as its pictures are put in their place."""
    site = learned(tmp_path / "mine")
    before = {file.name: file.read_bytes() for file in site.folder.iterdir()}
    real, calls = getattr(owner, name), 0

    def stopped(*args: Any, **more: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == at:
            raise KeyboardInterrupt
        return real(*args, **more)

    monkeypatch.setattr(owner, name, stopped)
    if owner is Path and at > 1 and not again:  # a new site is put there in one step
        learned(tmp_path / "new")
        assert calls == 1
        return
    with pytest.raises(KeyboardInterrupt):
        learned(tmp_path / ("mine" if again else "new"), ODD if again else FIRST, known=site if again else None)
    assert [p.name for p in tmp_path.iterdir()] == ["mine"]
    assert {file.name: file.read_bytes() for file in site.folder.iterdir()} == before


def test_labelling_that_is_stopped_leaves_all_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = learned(tmp_path / "mine")
    before = {file.name: file.read_bytes() for file in site.folder.iterdir()}
    frame = Frame(skin(ODD))
    grid = learn.find(frame, Shape(6, 9))
    new = {Symbol.QUESTION: [learn.cut(frame, grid, 19)], Symbol.MINE: [learn.cut(frame, grid, 32)]}
    real, calls = Path.rename, 0

    def stopped(self: Path, target: Path) -> Path:
        nonlocal calls
        calls += 1
        done = real(self, target)
        if calls == 2:  # both are there, but nobody knows yet that it is done
            raise KeyboardInterrupt
        return done

    monkeypatch.setattr(Path, "rename", stopped)
    with pytest.raises(KeyboardInterrupt):
        learn.save(site.folder, new)
    assert {file.name: file.read_bytes() for file in site.folder.iterdir()} == before
    monkeypatch.setattr(Path, "rename", real)
    assert set(learn.save(site.folder, new).templates) == {*site.templates, Symbol.QUESTION, Symbol.MINE}


def test_cut_cells_are_as_large_as_on_the_screen() -> None:
    pixels = skin(FIRST)
    grid = Grid(Shape(6, 9), 47 / 2 - 800, 33 / 2, 15, 15)
    frame = Frame(pixels, picture_origin := Frame(pixels).origin._replace(x=-800.0), 2.0)
    assert picture_origin.x == -800
    part = learn.cut(frame, grid, 10)
    assert part.shape == (30, 30, 3)
    assert (part == pixels[63:93, 77:107]).all()
    small = Frame(cv2.resize(pixels, None, fx=0.2, fy=0.2, interpolation=cv2.INTER_AREA).astype(np.uint8))
    assert learn.cut(small, Grid(Shape(6, 9), 9.4, 6.6, 6, 6), 0).shape == (8, 8, 3)


# ---------------------------------------------------------------- the commands


@pytest.fixture
def call(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[int, str, str]]:
    """Runs a command line in a folder with first.png/.txt, second.png/.txt and odd.png/.txt."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for name, rows in (("first", FIRST), ("second", SECOND), ("odd", ODD)):
        picture.save(tmp_path / f"{name}.png", skin(rows))
        (tmp_path / f"{name}.txt").write_text("\n".join(rows) + "\n", encoding="utf-8")

    def make(*args: str) -> tuple[int, str, str]:
        code = run_command(args)
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return code, out, err

    return make


def own(tmp_path: Path) -> Path:
    return tmp_path / "data" / "autosolve" / "sites"


def test_learn_check_label(call: Callable[..., Any], tmp_path: Path) -> None:
    """The whole way, as a person walks it."""
    code, out, err = call(
        "sites", "learn", "first.png", "--labels", "first.txt", "--name", "Lilac", "--title", "Lilac!"
    )
    assert code == 0, err
    assert out.strip() == str(own(tmp_path) / "lilac")
    assert "Still missing: clue-4, clue-5, clue-6, clue-7, clue-8." in err
    assert load_folder(own(tmp_path) / "lilac").title == "Lilac!"

    code, out, err = call("sites", "check", "lilac", "first.png", "second.png")
    assert code == 0
    assert out.splitlines() == ["first.png: every cell is right", "second.png: every cell is right"]
    assert err.splitlines()[0].split() == ["screenshot", "found", "exact", "cells", "wrong", "doubtful", "seconds"]
    assert err.splitlines()[2].split()[:6] == ["second.png", "yes", "yes", "54", "0", "0"]

    code, out, err = call("sites", "check", "lilac", "odd.png", "--labels", "odd.txt", "--json")
    told = json.loads(out)
    assert code == 5
    assert told["schema"] == 1
    (row,) = told["checks"]
    assert (row["found"], row["exact"], row["wrong"]) == (True, False, [])
    assert [2, 1] in row["doubtful"]
    assert "r3c2 is ?" in row["told"]

    code, out, err = call("read", "odd.png", "--site", "lilac", "--save-doubtful", "cells")
    assert code == 5
    (kept,) = re.findall(r"^(\d+) cells that cannot be told are in cells.*; see cells\.png", err, re.M)
    assert re.findall(r"^autosolve: (\d+) cells", err, re.M) == [kept]
    index = tmp_path / "cells" / "cells.txt"
    text = index.read_text(encoding="utf-8")
    assert "autosolve sites label cells --name lilac" in text
    for cell, symbol in (("r3c2", "?"), ("r4c6", "*"), ("r5c6", "!")):
        assert f"odd_{cell}.png = " in text
        text = text.replace(f"odd_{cell}.png = ", f"odd_{cell}.png = {symbol}")
    assert cv2.imread(str(tmp_path / "cells" / "odd_r3c2.png")).shape == (30, 30, 3)
    assert min(cv2.imread(str(tmp_path / "cells" / "cells.png")).shape[:2]) > 90
    index.write_text(text, encoding="utf-8")

    # asking again keeps what is labelled
    assert call("read", "odd.png", "--site", "lilac", "--save-doubtful", "cells")[0] == 5
    assert index.read_text(encoding="utf-8") == text
    code, out, err = call("sites", "label", "cells", "--name", "lilac")
    assert code == 0, err
    assert "Added 3 pictures of 3 symbols to lilac." in err
    assert call("sites", "check", "lilac", "first.png", "second.png", "odd.png")[0] == 0
    assert "Added 0 pictures" in call("sites", "label", "cells", "--name", "lilac")[2]


def test_labels_that_are_no_position_are_named(call: Callable[..., Any], tmp_path: Path) -> None:
    """A slip of a person is learned from like all else, and said."""
    good = (tmp_path / "first.txt").read_text(encoding="utf-8")
    assert "no possible position" not in call("sites", "learn", "first.png", "--labels", "first.txt")[2]
    rows = good.splitlines()
    at = next((r, c) for r, row in enumerate(rows) for c, s in enumerate(row) if s == "1")
    rows[at[0]] = rows[at[0]][: at[1]] + "8" + rows[at[0]][at[1] + 1 :]
    (tmp_path / "slip.txt").write_text("\n".join(rows), encoding="utf-8")
    err = call("sites", "learn", "first.png", "--labels", "slip.txt", "--name", "slip")[2]
    assert f"The labels are no possible position: The 8 at r{at[0] + 1}c{at[1] + 1} cannot be true" in err


def test_learning_again_adds_to_a_site(call: Callable[..., Any], tmp_path: Path) -> None:
    assert call("sites", "learn", "first.png", "--labels", "first.txt")[0] == 0
    code, out, _ = call("sites", "learn", "odd.png", "--labels", "odd.txt", "--name", "first", "--json")
    told = json.loads(out)
    assert code == 0
    assert set(told["added"]) >= {"question", "mine", "exploded"}
    assert told["never_seen"] == ["wrong-flag"]
    assert told["check"]["exact"] is True
    assert call("sites", "check", "first", "first.png", "second.png", "odd.png")[0] == 0
    assert "first" in call("sites")[1]


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["learn", "first.png"], 2, "--labels"),
        (["learn", "first.png", "--labels", "none.txt"], 2, "none.txt"),
        (["learn", "none.png", "--labels", "first.txt"], 2, "none.png"),
        (["learn", "first.png", "--labels", "second.txt"], 2, "labels do not fit"),
        (["learn", "first.png", "--labels", "first.txt", "--name", "google"], 2, "ships with autosolve"),
        (["learn", "first.png", "--labels", "first.txt", "--name", "§"], 2, "cannot be a site's name"),
        (
            ["learn", "first.png", "--labels", "first.txt", "--name", "../evil"],
            2,
            "letters a to z, digits, and hyphens",
        ),
        (["learn", "first.png", "--labels", "first.txt", "--name", "a b"], 2, "letters a to z, digits, and hyphens"),
        (["learn", "first.png", "--labels", "first.txt", "--name", "Auto"], 2, "'auto' means every site"),
        (["learn", "first.png", "--labels", "dots.txt"], 2, "is labelled '.' and shows"),
        (["learn", "first.png", "--labels", "swapped.txt"], 2, "r1c2 is labelled '3' and shows '2'"),
        (["learn", "first.png", "--labels", "digit.txt"], 2, "r5c5 is labelled '3' and shows '2'"),
        (["learn", "first.png", "--labels", "short.txt"], 4, "Boards of 6x9 cells were found"),
        (["learn", "first.png", "--labels", "first.txt", "--look", "../x"], 2, "cannot be a look's name"),
        (["check", "nosuch", "first.png"], 2, "no site called 'nosuch'"),
        (["check", "puzzle-minesweeper", "first.png", "second.png", "--labels", "first.txt"], 2, "2 screenshots and 1"),
        (["check", "puzzle-minesweeper", "first.png"], 4, "No board of the site was found in first.png"),
        (["label", "cells", "--name", "lilac"], 2, "no site called 'lilac'"),
        (["label", "cells", "--name", "google"], 2, "autosolve sites learn SHOT --labels BOARD --name MINE"),
        (["label", "cells", "--name", "../google"], 2, "cannot be a site's name"),
    ],
)
def test_mistakes_end_in_two_sentences(
    call: Callable[..., Any], tmp_path: Path, args: list[str], code: int, said: str
) -> None:
    for name, rows in (
        ("dots", DOTS),
        ("swapped", [FIRST[1], FIRST[0], *FIRST[2:]]),
        ("digit", [*FIRST[:4], "....3F310", FIRST[5]]),
        ("short", FIRST[:5]),
    ):
        (tmp_path / f"{name}.txt").write_text("\n".join(rows), encoding="utf-8")
    ended, _, err = call("sites", *args)
    assert ended == code
    assert said in err
    wrong, *remedy = err.splitlines()[-2:]
    if not err.startswith("Usage"):  # click says itself how a command is used
        assert wrong.startswith("autosolve: ")
        assert remedy[0].startswith("  ")
    assert "Here: " not in err
    assert not own(tmp_path).exists() or not list(own(tmp_path).iterdir())


def test_checking_says_what_helps(call: Callable[..., Any], tmp_path: Path) -> None:
    assert call("sites", "learn", "first.png", "--labels", "first.txt", "--name", "lilac")[0] == 0
    (tmp_path / "short.txt").write_text("\n".join(FIRST[:5]), encoding="utf-8")
    (tmp_path / "dots.txt").write_text("\n".join(DOTS), encoding="utf-8")
    code, out, err = call("sites", "check", "lilac", "first.png", "--labels", "short.txt")
    assert code == 4
    assert "the board has 6 rows of 9 cells, the labels 5 rows of 9" in out
    assert "of another size" in err
    assert "one line of labels for each row" in err
    code, _, err = call("sites", "check", "lilac", "first.png", "--labels", "dots.txt")
    assert code == 5
    assert "cells 46 are wrong" in err
    assert "Check the labels of these cells first" in err
    code, _, err = call("sites", "check", "lilac", "odd.png")
    assert code == 5
    assert "autosolve read SHOT --site lilac --save-doubtful DIR" in err
    assert "wrong" not in err.splitlines()[-2]


def test_what_a_site_doubts_of_its_own_screenshot_is_said(
    call: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is saved, with the reason; where a site that ships reads all of it, that one is named."""
    proof = learn._proof

    def doubting(*args: Any) -> Any:
        return dataclasses.replace(proof(*args), doubts={3: "it cannot be told from another symbol"})

    monkeypatch.setattr(learn, "_proof", doubting)
    code, _, err = call("sites", "learn", "first.png", "--labels", "first.txt", "--name", "lilac")
    assert code == 5
    assert "lilac is saved, but 1 cell of 54 stays doubtful even in this screenshot" in err
    assert "because it cannot be told from another symbol: r1c4." in err
    assert "The site any, which ships with autosolve, reads it whole" in err
    monkeypatch.setattr(learn, "as_known", lambda *_: None)
    assert "A larger screenshot" in call("sites", "learn", "first.png", "--labels", "first.txt", "--name", "lilac")[2]
    assert (own(tmp_path) / "lilac").is_dir()


def test_a_site_that_does_not_find_its_own_board_is_not_saved(
    call: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = learn.read

    def lost(frame: Frame, site: Any, **more: Any) -> Any:
        if isinstance(site, Profile) and more.get("grid") is None:
            raise BoardNotFound("There is no board here.")
        return real(frame, site, **more)

    monkeypatch.setattr(learn, "read", lost)
    command = ("sites", "learn", "first.png", "--labels", "first.txt", "--name", "lilac")
    code, _, err = call(*command)
    assert code == 4
    assert "does not find the board in it again, so nothing was saved" in err
    assert "The site any, which ships with autosolve, reads it whole" in err
    monkeypatch.setattr(learn, "as_known", lambda *_: None)
    assert re.search(r"--region 4[78],3[34],2(69|70),180\.", call(*command)[2])
    assert "at another zoom.\n" in call(*command, "--region", "40,30,280,190")[2]
    assert not list(own(tmp_path).iterdir())


def test_stopping_learns_nothing(call: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(learn, "_proof", stop)
    assert call("sites", "learn", "first.png", "--labels", "first.txt", "--name", "lilac")[0] == 130
    assert not list(own(tmp_path).iterdir())
    assert "lilac" not in call("sites")[1]


@pytest.mark.parametrize("counter", [CounterPlace(), CounterPlace("text", "right", "flags/mines", 8.0, False)])
def test_a_counter_is_written_down(tmp_path: Path, counter: CounterPlace) -> None:
    (tmp_path / "site.toml").write_text(learn.site_toml("A skin", "reveal", counter=counter), encoding="utf-8")
    picture.save(tmp_path / "covered.png", skin(FIRST)[153:183, 47:77])
    assert load_folder(tmp_path).counter == counter


def test_a_counter_is_known_where_a_site_that_ships_reads_it(
    call: Callable[..., Any], shared: Path, tmp_path: Path
) -> None:
    shot = shared / "screens/winxp-08.png"
    if not shot.exists():
        pytest.skip(f"no {shot.name} here")
    code, _, err = call("sites", "learn", str(shot), "--labels", str(shot.with_suffix(".json")), "--name", "xp")
    assert code == 0
    assert "mine counter" not in err
    assert load_folder(own(tmp_path) / "xp").counter == CounterPlace("segments", "top", "left")
    assert "mines: 99" in call("read", str(shot), "--site", "xp")[1]
    assert "No mine counter is known" in call("sites", "learn", "first.png", "--labels", "first.txt")[2]


def test_labels_of_cells_are_checked(call: Callable[..., Any], tmp_path: Path) -> None:
    assert call("sites", "learn", "first.png", "--labels", "first.txt")[0] == 0
    assert call("sites", "label", "cells", "--name", "first")[0] == 2
    cells = tmp_path / "cells"
    cells.mkdir()
    (cells / "cells.txt").write_text("# nothing\na.png = \n", encoding="utf-8")
    assert "No cell is labelled" in call("sites", "label", "cells", "--name", "first")[2]
    for line, said in (
        ("a.png = 7", "no picture a.png"),
        ("a.png = seven", "'seven' is no symbol"),
        ("../a.png = 7", "PICTURE.png"),
    ):
        (cells / "cells.txt").write_text(f"# nothing\n{line}\n", encoding="utf-8")
        code, _, err = call("sites", "label", "cells", "--name", "first")
        assert code == 2
        assert "line 2" in err
        assert said in err


def test_nothing_is_saved_where_nothing_is_doubtful(call: Callable[..., Any], tmp_path: Path) -> None:
    assert call("sites", "learn", "first.png", "--labels", "first.txt")[0] == 0
    assert call("read", "second.png", "--site", "first", "--save-doubtful", "cells")[0] == 0
    assert not (tmp_path / "cells").exists()


# ---------------------------------------------------------------- real games


def test_a_board_is_learned_where_it_is_read(shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no lattice has the size of the labels, it is where the sites that ship find it."""
    file = shared / "screens/google-02.json"
    if not file.exists():
        pytest.skip(f"no {file.name} here")
    frame, said = picture.load(file.with_suffix(".png")), parse_labels(file.read_text(encoding="utf-8"))
    with pytest.raises(BoardNotFound, match="no board of 20x24 cells"):
        learn.find(frame, said.shape)
    reading = learn.as_known(frame, said.shape, [load("google")])
    grid = learn.find(frame, said.shape, reading=reading)
    _, found = learn.teach(tmp_path / "x", frame, said, grid, learn.site_toml("x", "reveal"), reading=reading)
    assert found.proof is not None
    assert learn.judge(found.proof, said).exact


PAIRS = [
    ("rig/shots/xdemineur-03", ["rig/shots/xdemineur-01", "rig/shots/xdemineur-07", "rig/shots/xdemineur-09"], 1.0),
    ("rig/shots/sgt-mines-05", ["rig/shots/sgt-mines-01", "rig/shots/sgt-mines-11", "rig/shots/sgt-mines-03"], 0.95),
    ("screens/google-07", ["screens/google-05"], 0.95),
    ("rig/shots/kmines-05", ["rig/shots/kmines-13"], 0.7),
]


@pytest.mark.parametrize(("first", "others", "share"), PAIRS, ids=[p[0].rpartition("/")[2] for p in PAIRS])
def test_real_games_are_learned_from_one_screenshot(
    shared: Path, tmp_path: Path, first: str, others: list[str], share: float
) -> None:
    """Learned on one screenshot of a program, never wrong on the others, and right in most of their cells."""

    def load_shot(name: str) -> tuple[Frame, Labels]:
        file = shared / f"{name}.json"
        if not file.exists():
            pytest.skip(f"no {file.name} here")
        return picture.load(file.with_suffix(".png")), parse_labels(file.read_text(encoding="utf-8"))

    frame, said = load_shot(first)
    toml = learn.site_toml("x", kind_of(said), said)
    site, _ = learn.teach(tmp_path / "learned", frame, said, learn.find(frame, said.shape), toml)
    assert learn.judge(read(frame, site, size=said.shape), said).exact
    cells = told = 0
    for name in others:
        frame, said = load_shot(name)
        verdict = learn.judge(read(frame, site, size=said.shape), said)
        assert verdict.wrong == ()
        cells, told = cells + verdict.cells, told + verdict.cells - len(verdict.doubtful)
    assert told >= share * cells


def test_a_learned_site_stands_beside_the_built_in_ones(tmp_path: Path) -> None:
    learned(tmp_path / "sites" / "mine")
    assert load("mine", tmp_path / "sites").name == "mine"
