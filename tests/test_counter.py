"""The mine counter: displays and printed numbers, drawn here and photographed from real games. Never a wrong one."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from autosolve.board.shape import Shape
from autosolve.errors import ProfileError
from autosolve.vision.counter import DIGITS, read_counter
from autosolve.vision.frame import Frame, Pixels, Point
from autosolve.vision.grid import Grid
from autosolve.vision.profile import CounterPlace, Profile, load, load_folder

PLAIN = load("puzzle-minesweeper")
LED = replace(PLAIN, counter=CounterPlace("segments", "top", "left", 4.0))
ATLAS = cv2.imread(str(Path(__file__).parent.parent / "autosolve/vision/digits.png"), cv2.IMREAD_GRAYSCALE)
assert ATLAS is not None
SEGMENTS = {char: segments for segments, char in reversed(DIGITS.items())}
RED, CYAN, GREEN = (0, 0, 255), (255, 255, 0), (40, 240, 60)


# ---------------------------------------------------------------- painted displays


def display(text: str, lit: tuple[int, int, int], unlit: float, high: int = 84) -> Pixels:
    """A seven-segment display on its black panel, large; ``unlit`` is the share of light in segments that are off."""
    wide, thick, step = round(0.52 * high), round(0.145 * high), round(0.62 * high)
    edge = round(0.05 * high)
    panel = np.zeros((high + 2 * edge, step * len(text), 3), np.uint8)
    m, g = high // 2, max(1, high // 40)
    side = [(0, g), (thick, thick + g), (thick, m - thick // 2 - g), (thick // 2, m - g), (0, m - thick // 2)]
    bar = [(g, 0), (wide - g, 0), (wide - thick - g, thick), (thick + g, thick)]
    middle = [(thick // 2, m), (thick + g, m - thick // 2), (wide - thick - g, m - thick // 2), (wide - thick // 2, m)]
    middle += [(wide - thick - g, m + thick // 2), (thick + g, m + thick // 2)]
    mirror = [(wide - x, y) for x, y in side]
    below, mirrored = [(x, high - y) for x, y in side], [(x, high - y) for x, y in mirror]
    floor = [(x, high - y) for x, y in bar]
    shapes = dict(zip("abcdefg", (bar, mirror, mirrored, floor, below, side, middle), strict=True))
    for k, char in enumerate(text):
        at = np.array([k * step + (step - wide) // 2, edge])
        for name, points in shapes.items():
            share = 1.0 if name in SEGMENTS[char] else unlit
            cv2.fillPoly(panel, [np.array(points) + at], [round(share * c) for c in lit])
    return panel


def scene(panel: Pixels, pitch: float, page: int = 192, at: float = 0.4) -> tuple[Frame, Grid]:
    """A header with a display of 1.44 cells' height above a board of 9 x 14 cells."""
    height = round(1.44 * pitch)
    width = round(panel.shape[1] * height / panel.shape[0])
    small = cv2.resize(panel, (width, height), interpolation=cv2.INTER_AREA)
    picture = np.full((round(13 * pitch), round(17 * pitch), 3), page, np.uint8)
    y, x = round(0.9 * pitch), round((1 + at) * pitch)
    picture[y - 1 : y + height + 1, x - 1 : x + width + 1] = 0
    picture[y : y + height, x : x + width] = small
    picture[round(3.2 * pitch) :, round(pitch) :] = max(0, page - 60)
    return Frame(picture), Grid(Shape(9, 14), pitch, 3.4 * pitch, pitch, pitch)


@pytest.mark.parametrize("text", ["000", "012", "345", "678", "999", "-05", "0137", " 40"])
@pytest.mark.parametrize(("lit", "unlit"), [(RED, 0.25), (RED, 0.0), (CYAN, 0.25), (GREEN, 0.15)])
@pytest.mark.parametrize("pitch", [16.0, 21.3, 40.0])
def test_a_display_is_read_in_any_colour_and_size(
    text: str, lit: tuple[int, int, int], unlit: float, pitch: float
) -> None:
    if text[0] == " " and unlit < 0.2:
        pytest.skip("a blank that shows next to nothing is no digit of three")
    frame, grid = scene(display(text, lit, unlit), pitch)
    assert read_counter(frame, grid, LED) == int(text)


@pytest.mark.parametrize("page", [40, 70, 225])
def test_the_page_around_it_may_be_dark_or_light(page: int) -> None:
    frame, grid = scene(display("058", RED, 0.25), 24.0, page)
    assert read_counter(frame, grid, LED) == 58


def test_places_in_points_are_not_pixels() -> None:
    frame, grid = scene(display("058", RED, 0.25), 32.0)
    moved = replace(
        grid, left=grid.left / 2 - 700, top=grid.top / 2 + 9, pitch_x=grid.pitch_x / 2, pitch_y=grid.pitch_y / 2
    )
    assert read_counter(Frame(frame.pixels, Point(-700, 9), 2.0), moved, LED) == 58


@pytest.mark.parametrize(
    ("name", "x", "y", "wide", "high", "colour"),
    [
        ("a window over the first digit", -0.9, -0.3, 1.0, 2.2, (240, 240, 240)),
        ("one of the page's colour over it", -0.5, -0.3, 0.75, 2.2, (192, 192, 192)),
        ("a black one over it", -0.5, -0.3, 0.75, 2.2, (0, 0, 0)),
        ("a window over the last digit", 1.7, -0.3, 2.0, 2.2, (90, 60, 20)),
        ("a black patch over half of the middle digit", 0.85, 0.0, 0.8, 0.72, (0, 0, 0)),
        ("a lit patch across it", 0.2, 0.5, 1.6, 0.3, RED),
        ("a grey patch in it", 1.0, 0.4, 0.4, 0.5, (128, 128, 128)),
    ],
)
def test_a_display_that_is_hidden_in_part_is_no_number(
    name: str, x: float, y: float, wide: float, high: float, colour: tuple[int, int, int]
) -> None:
    pitch = 24.0
    frame, grid = scene(display("138", RED, 0.25), pitch)
    assert read_counter(frame, grid, LED) == 138
    x0, y0 = round((1.4 + x) * pitch), round((0.9 + y) * pitch)
    hidden = frame.pixels.copy()
    hidden[max(0, y0) : round(y0 + high * pitch), max(0, x0) : round(x0 + wide * pitch)] = colour
    assert read_counter(Frame(hidden), grid, LED) is None


def test_what_stands_elsewhere_is_no_mine_counter() -> None:
    frame, grid = scene(display("138", RED, 0.25), 20.0, at=11.5)  # the clock, at the right
    assert read_counter(frame, grid, LED) is None
    frame, grid = scene(display("138", RED, 0.25), 20.0)
    assert read_counter(frame, grid, PLAIN) is None
    assert read_counter(frame, replace(grid, cut=frozenset({"top"})), LED) is None
    below = replace(LED, counter=CounterPlace("segments", "bottom"))
    assert read_counter(frame, grid, below) is None


# ---------------------------------------------------------------- painted text


def write(picture: Pixels, text: str, x: float, y: float, tall: float, font: int, ink: int = 30) -> float:
    """Writes digits and strokes, ``tall`` pixels high, from x on; returns where they end."""
    for char in text:
        if char == " ":
            x += 0.35 * tall
            continue
        if char == "/":
            line = np.zeros((round(tall * 8), round(tall * 4)), np.uint8)
            cv2.line(
                line,
                (round(tall * 0.6), round(tall * 7.6)),
                (round(tall * 3.4), round(tall * 0.4)),
                255,
                round(tall * 0.8),
            )
            glyph = cv2.resize(line, (round(tall / 2), round(tall)), interpolation=cv2.INTER_AREA)
        else:
            square = ATLAS[font * 32 : font * 32 + 32, int(char) * 32 : int(char) * 32 + 32]
            columns = np.flatnonzero(square.max(0) > 60)
            cut = square[4:28, columns[0] : columns[-1] + 1]
            wide = max(2, round(cut.shape[1] * tall / 24))
            glyph = cv2.resize(cut, (wide, round(tall)), interpolation=cv2.INTER_AREA)
        x0, y0 = round(x), round(y)
        part = picture[y0 : y0 + glyph.shape[0], x0 : x0 + glyph.shape[1]].astype(np.float32)
        share = glyph[:, :, None].astype(np.float32) / 255
        picture[y0 : y0 + glyph.shape[0], x0 : x0 + glyph.shape[1]] = np.round(part * (1 - share) + ink * share)
        x += glyph.shape[1] + max(2, 0.16 * tall)
    return x


def texts(text: str, tall: float = 11, font: int = 9, page: int = 240) -> tuple[Frame, Grid]:
    """A line of text below a board of 6 x 10 cells of 24 pixels."""
    picture = np.full((300, 420, 3), page, np.uint8)
    picture[60:204, 60:300] = 150
    write(picture, text, 90, 240, tall, font)
    return Frame(picture), Grid(Shape(6, 10), 60, 60, 24, 24)


STATUS = replace(PLAIN, counter=CounterPlace("text", "bottom", "flags/mines", 5.0))


@pytest.mark.parametrize("font", range(0, 24, 3))
@pytest.mark.parametrize(("text", "value"), [("7/40", 33), ("12 / 40", 28), ("0/9", 9), ("17/13", -4), ("6/58", 52)])
def test_flags_and_mines_are_read_as_their_difference(text: str, value: int, font: int) -> None:
    frame, grid = texts(text, 14, font)
    assert read_counter(frame, grid, STATUS) == value


@pytest.mark.parametrize("text", ["7/", "/40", "7 40", "740", "7/4/40", "7/40 3/40", "7/99", "/", "7/0"])
def test_other_texts_are_no_flags_and_mines(text: str) -> None:
    frame, grid = texts(text, 14)  # 99 mines do not fit on 60 cells
    assert read_counter(frame, grid, STATUS) is None


def test_a_number_before_a_clock() -> None:
    header = replace(PLAIN, counter=CounterPlace("text", "bottom", "left time", 5.0))
    for text, value in (("10   011", 10), ("0   999", 0), ("7   040", 7)):
        frame, grid = texts(text, 15, 11)
        assert read_counter(frame, grid, header) == value
    for text in ("10", "10  11", "011", "010   011", "10   011   012"):
        frame, grid = texts(text, 15, 11)
        assert read_counter(frame, grid, header) is None, text


def test_one_number_alone() -> None:
    alone = replace(PLAIN, counter=CounterPlace("text", "bottom", "left", 5.0))
    frame, grid = texts("38", 13, 4)
    assert read_counter(frame, grid, alone) == 38
    frame, grid = texts("38   2", 13, 4)
    assert read_counter(frame, grid, alone) is None


def test_a_digit_behind_a_window_makes_no_smaller_number() -> None:
    frame, grid = texts("7/40", 14)
    assert read_counter(frame, grid, STATUS) == 33
    inked = np.flatnonzero((frame.pixels[240:254, 80:] < 200).any((0, 2))) + 80
    told = set()
    for edge in range(int(inked[0]) - 6, int(inked[-1]) + 8):
        for colour in (255, 200, 0):
            for picture in (frame.pixels.copy(), frame.pixels.copy()):
                picture[230:270, edge:] = colour
                told.add(read_counter(Frame(picture), grid, STATUS))
            left = frame.pixels.copy()
            left[230:270, :edge] = colour
            told.add(read_counter(Frame(left), grid, STATUS))
        told.add(read_counter(Frame(np.ascontiguousarray(frame.pixels[:, :edge])), grid, STATUS))
    assert told == {33, None}


# ---------------------------------------------------------------- real games

TEXT = {
    "google": CounterPlace("text", "top", "left time", 2.6),
    "gnome": CounterPlace("text", "right", "flags/mines", 8.0),
    "kmines": CounterPlace("text", "bottom", "flags/mines", 8.0),
    "sgt": CounterPlace("text", "bottom", "flags/mines", 4.0),
}
# read by eye off the pictures; None where there is none, or not a whole one
SHOWN: dict[str, tuple[str, int | None]] = {
    **{f"screens/{name}": ("led", value) for name, value in {
        "arbiter-01": 26, "classicweb-01": 5, "metasweeper-01": 90, "minesweeperonline-01": 67,
        "minesweeperonline-03": 67, "minesweeperonline-04": 30, "minesweeperonline-05": 130,
        "minesweeperonline-07": 40, "minesweeperonline-08": 15, "minesweeperonline-10": 40,
        "minesweeperonline-12": None, "minesweeperx-01": 0, "msonline-01": 3, "msonline-03": 0, "pygame-02": 89,
        "viennasweeper-01": 0, "winxp-02": 0, "winxp-03": 0, "winxp-05": 3, "winxp-08": 27,
        "desktop-01": None, "linearity-01": None, "mzrg-01": None, "google-02": None, "google-03": None,
        "google-05": None, "google-07": None, "google-08": None, "puzzle-01": None, "zsakai-01": None,
        "sgtmines-01": None, "kmines-01": None, "win7-01": None, "gnomemines-01": None, "privacyfriendly-01": None,
    }.items()},
    **{f"rig/shots/{name}": ("led", value) for name, value in {
        "xdemineur-01": 99, "xdemineur-03": 90, "xdemineur-05": 32, "xdemineur-07": 12, "xdemineur-09": 9,
        "pygame-minesweeper-01": 99, "pygame-minesweeper-03": 90, "pygame-minesweeper-05": 2,
        "pygame-minesweeper-07": 40, "pygame-minesweeper-09": 31, "pygame-minesweeper-13": 10,
        "pygame-minesweeper-15": 1, "pygame-minesweeper-19": 10,
    }.items()},
    "screens/google-03 ": ("google", 10), "screens/google-05 ": ("google", 10), "screens/google-07 ": ("google", 21),
    "screens/google-02 ": ("google", None), "screens/gnomemines-01 ": ("gnome", 24),
    "screens/kmines-01 ": ("kmines", 9), "screens/sgtmines-01 ": ("sgt", 20),
    **{f"rig/shots/gnome-mines-{n}": ("gnome", value) for n, value in {
        "01": 10, "03": 5, "05": 33, "07": 99, "09": 92, "11": 33, "13": 10, "15": 8, "17": 0}.items()},
    **{f"rig/shots/kmines-{n}": ("kmines", value) for n, value in {
        "01": 10, "03": 5, "05": 8, "07": 40, "09": 33, "11": 92, "13": 8}.items()},
    **{f"rig/shots/sgt-mines-{n}": ("sgt", value) for n, value in {
        "03": None, "05": 33, "07": 99, "09": None, "11": 34}.items()},
}  # fmt: skip
# shown, but too small a picture, too few colours or a form that is refused
SOMETIMES: dict[str, tuple[str, int]] = {
    "screens/minesweeperx-03": ("led", 17),
    "screens/coteh-01": ("led", 10),
    "screens/google-08 ": ("google", 40),
    "rig/shots/pygame-minesweeper-11": ("led", 2),
    "rig/shots/pygame-minesweeper-17": ("led", 8),
    "rig/shots/sgt-mines-01": ("sgt", 10),
}


def real(shared: Path, name: str, kind: str) -> tuple[Pixels, Grid, Profile]:
    file = shared / f"{name.strip()}.json"
    if not file.exists():
        pytest.skip(f"no {file.name} here")
    data = json.loads(file.read_text(encoding="utf-8"))
    pixels = cv2.imread(str(file.with_suffix(".png")), cv2.IMREAD_COLOR)
    assert pixels is not None
    x, y, w, h = data["bbox"]
    shape = Shape(data["rows"], data["cols"])
    grid = Grid(shape, x, y, w / shape.cols, h / shape.rows)
    place = LED.counter if kind == "led" else TEXT[kind]
    return np.asarray(pixels, np.uint8), grid, replace(PLAIN, counter=place)


@pytest.mark.parametrize("name", SHOWN)
def test_the_counters_of_real_games(shared: Path, name: str) -> None:
    kind, value = SHOWN[name]
    pixels, grid, profile = real(shared, name, kind)
    assert read_counter(Frame(pixels), grid, profile) == value


@pytest.mark.parametrize("name", SOMETIMES)
def test_what_cannot_be_told_is_not_told_wrongly(shared: Path, name: str) -> None:
    kind, value = SOMETIMES[name]
    pixels, grid, profile = real(shared, name, kind)
    assert read_counter(Frame(pixels), grid, profile) in (value, None)


def changed(pixels: Pixels, grid: Grid, rng: random.Random) -> Iterator[tuple[Pixels, Grid]]:
    """A picture as other machines would show it: scaled, compressed, blurred, tinted, with a window over a part."""
    for scale in (0.6, 0.83, 1.5, 2.37):
        how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        sized = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=how)
        box = [v * scale for v in (grid.left, grid.top, grid.pitch_x, grid.pitch_y)]
        yield np.asarray(sized, np.uint8), Grid(grid.shape, *box)
    for quality in (70, 90):
        done, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])
        assert done
        yield np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8), grid
    yield np.asarray(cv2.GaussianBlur(pixels, (0, 0), 1.0), np.uint8), grid
    yield np.round(255 * (pixels / 255.0) ** 0.7).astype(np.uint8), grid
    yield np.round(pixels * np.array([0.55, 0.75, 0.95])).astype(np.uint8), grid
    for _ in range(6):
        over = pixels.copy()
        x = round(grid.left + rng.uniform(-1, 5) * grid.pitch_x)
        y = round(grid.top - rng.uniform(0, 3.2) * grid.pitch_y)
        w, h = round(rng.uniform(0.2, 4) * grid.pitch_x), round(rng.uniform(0.2, 3) * grid.pitch_y)
        over[max(0, y) : max(0, y + h), max(0, x) : max(0, x + w)] = rng.choice([0, 60, 190, 255])
        yield over, grid


@pytest.mark.parametrize(
    "name",
    ["screens/winxp-05", "screens/minesweeperonline-04", "rig/shots/xdemineur-07", "screens/google-05 ",
     "rig/shots/gnome-mines-03", "rig/shots/kmines-05", "screens/sgtmines-01 "],
)  # fmt: skip
def test_no_change_of_the_picture_makes_a_wrong_number(shared: Path, name: str) -> None:
    kind, value = SHOWN[name]
    pixels, grid, profile = real(shared, name, kind)
    told = [read_counter(Frame(p), g, profile) for p, g in changed(pixels, grid, random.Random(name))]
    assert set(told) <= {value, None}
    assert told.count(value) >= 5


# ---------------------------------------------------------------- site.toml


def site(tmp_path: Path, tables: str) -> Path:
    picture = np.full((20, 20, 3), 200, np.uint8)
    for name in ("covered", "clue-1"):
        cv2.imwrite(str(tmp_path / f"{name}.png"), picture)
    head = 'schema = 1\ntitle = "t"\nkind = "reveal"\n[buttons]\nright = ["covered", "flag"]\n'
    (tmp_path / "site.toml").write_text(head + tables, encoding="utf-8")
    return tmp_path


def test_a_site_says_where_its_counter_stands(tmp_path: Path) -> None:
    assert load_folder(site(tmp_path, "")).counter is None
    told = load_folder(site(tmp_path, '[counter]\ndigits = "text"\nside = "right"\nshows = "flags/mines"\nreach = 8'))
    assert told.counter == CounterPlace("text", "right", "flags/mines", 8.0, True)


@pytest.mark.parametrize(
    ("tables", "key", "line"),
    [
        ("[counter]\n", "counter.digits", 6),
        ('[counter]\ndigits = "led"\n', "counter.digits", 7),
        ('[counter]\ndigits = "text"\nreach = 0\n', "counter.reach", 8),
        ('[counter]\ndigits = "segments"\nshows = "flags/mines"\n', "counter.shows", 8),
        ('[margins]\nrows = "top"\n', "margins.rows", 7),
        ("[margins]\nreach = 1\n", "margins", 6),
    ],
)
def test_a_fault_in_these_tables_is_named(tmp_path: Path, tables: str, key: str, line: int) -> None:
    with pytest.raises(ProfileError) as fault:
        load_folder(site(tmp_path, tables))
    assert (fault.value.key, fault.value.line) == (key, line)
