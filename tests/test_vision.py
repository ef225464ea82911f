"""The eye: pictures, profiles, lattices and cells, from painted boards to the real site."""

from __future__ import annotations

import json
import random
import re
import shutil
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest
import skins

from autosolve.board.puzzle import Variant
from autosolve.board.shape import Shape, cells_in
from autosolve.errors import BoardNotFound, ProfileError, UnknownSite, WrongUse
from autosolve.vision.frame import Box, Frame, Pixels, Point
from autosolve.vision.grid import Grid, lattices
from autosolve.vision.match import library
from autosolve.vision.profile import SYMBOLS, Profile, Symbol, builtin_folder, load, load_folder, site_folders
from autosolve.vision.read import read

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"
ROWS = ["1.F..2.0", ".3x..4..", "8..7.6.5", "...1F..2", "0.2...3."]  # 5 x 8: never only square
SITE = load("puzzle-minesweeper")


def paint(
    rows: list[str],
    pitch: float,
    left: float,
    top: float,
    *,
    size: tuple[int, int] = (700, 500),
    page: int = 255,
    profile: Profile = SITE,
    font: str = "dejavu",
    look: str = "",
) -> Pixels:
    """A board in the site's look at a fractional place: drawn four times as large, then averaged down."""
    fine, cell = 4, 62
    width, height = size
    big = np.full((height * fine, width * fine, 3), page, np.uint8)
    board = np.full((len(rows) * cell + 12, len(rows[0]) * cell + 12, 3), 102, np.uint8)
    if look == "dark":
        board[:] = (11, 8, 6)
    for r, row in enumerate(rows):
        for c, char in enumerate(row):
            own = [t for t in profile.templates[Symbol(char)] if t.look == look]
            pictures = {t.variant: t.pixels for t in own}
            picture = pictures.get(font, own[0].pixels)
            picture = cv2.resize(picture, (cell, cell), interpolation=cv2.INTER_AREA)
            board[6 + r * cell : 6 + (r + 1) * cell, 6 + c * cell : 6 + (c + 1) * cell] = picture
    scale = pitch * fine / cell
    half = (scale - 1) / 2  # warpAffine counts from pixel centres
    place = np.array([[scale, 0, left * fine - 6 * scale + half], [0, scale, top * fine - 6 * scale + half]])
    cv2.warpAffine(
        board, place, (width * fine, height * fine), big, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT
    )
    return cv2.resize(big, (width, height), interpolation=cv2.INTER_AREA).astype(np.uint8)


# ---------------------------------------------------------------- frames


@pytest.mark.parametrize(("origin", "scale"), [((0, 0), 1), ((-1920, 200), 1), ((100, -50), 2), ((-3, -7), 1.25)])
def test_pixels_and_points_are_each_others_inverse(origin: tuple[float, float], scale: float) -> None:
    frame = Frame(np.zeros((60, 80, 3), np.uint8), Point(*origin), scale)
    assert frame.to_pixel(frame.to_point(31, 7)) == pytest.approx((31, 7))
    assert frame.to_point(0, 0) == origin
    assert frame.box == pytest.approx((origin[0], origin[1], 80 / scale, 60 / scale))


def test_a_crop_keeps_its_place() -> None:
    pixels = np.arange(60 * 80 * 3, dtype=np.uint32).astype(np.uint8).reshape(60, 80, 3)
    frame = Frame(pixels, Point(-10, 5), 2)
    part = frame.crop(Box(-5, 10, 10, 8))
    assert part.pixels.shape == (16, 20, 3)
    assert part.origin == (-5, 10)
    assert (part.pixels[0, 0] == pixels[10, 10]).all()
    with pytest.raises(WrongUse, match="outside the picture"):
        frame.crop(Box(500, 500, 10, 10))


@pytest.mark.parametrize(
    "bad", [np.zeros((4, 4), np.uint8), np.zeros((4, 4, 4), np.uint8), np.zeros((0, 4, 3), np.uint8)]
)
def test_a_frame_refuses_what_is_no_picture(bad: Pixels) -> None:
    with pytest.raises(WrongUse):
        Frame(bad)


# ---------------------------------------------------------------- lattices


@pytest.mark.parametrize("pitch", [20.15, 21.5, 23.0, 26.97, 31.0, 34.1, 38.75, 46.5, 62.0, 71.3, 93.0])
def test_the_lattice_is_found_to_a_part_of_a_pixel(pitch: float) -> None:
    rows = ROWS[:4]
    left, top = 83.4, 61.7
    size = (round(left + 8 * pitch) + 90, round(top + 4 * pitch) + 90)
    grid = lattices(Frame(paint(rows, pitch, left, top, size=size)))[0]
    assert grid.shape == Shape(4, 8)
    # tiles end on whole pixels, so over a whole board the lattice may be off by less than one
    assert 8 * grid.pitch_x == pytest.approx(8 * pitch, abs=0.9)
    assert 4 * grid.pitch_y == pytest.approx(4 * pitch, abs=0.9)
    assert (grid.left, grid.top) == pytest.approx((left, top), abs=0.5)


def test_points_and_pixels_of_a_grid_differ_by_the_scale() -> None:
    pixels = paint(ROWS, 46.5, 120, 90)
    points = lattices(Frame(pixels, Point(-1000, 40), 2))[0]
    plain = lattices(Frame(pixels))[0]
    assert points.pitch_x == pytest.approx(plain.pitch_x / 2)
    assert points.left == pytest.approx(-1000 + plain.left / 2)
    assert points.centre(9) == pytest.approx((points.left + 1.5 * points.pitch_x, points.top + 1.5 * points.pitch_y))
    assert points.cell_box(9).x == pytest.approx(points.left + points.pitch_x)


def test_two_boards_are_two_lattices() -> None:
    one = paint(ROWS, 31, 60, 60, size=(420, 360))
    two = paint(ROWS[:4], 40, 60, 60, size=(520, 360))
    found = lattices(Frame(np.hstack([one, two])))
    assert [g.shape for g in found[:2]] == [Shape(5, 8), Shape(4, 8)]
    assert found[1].left > 420


def test_noise_text_and_emptiness_hold_no_lattice() -> None:
    rng = np.random.default_rng(3)
    noise = rng.integers(0, 255, (300, 400, 3)).astype(np.uint8)
    text = np.full((300, 400, 3), 255, np.uint8)
    for i in range(12):
        cv2.putText(text, "the quick brown fox jumps 1234567890", (5, 20 + 24 * i), 0, 0.55, (0, 0, 0), 1, cv2.LINE_AA)
    for pixels in (noise, text, np.full((300, 400, 3), 7, np.uint8), np.zeros((3, 3, 3), np.uint8)):
        assert lattices(Frame(pixels)) == ()


# ---------------------------------------------------------------- reading


@pytest.mark.parametrize("font", ["tahoma", "dejavu", "liberation", "noto", "roboto", "carlito", "liberation-regular"])
@pytest.mark.parametrize("pitch", [21.4, 31.0, 46.5, 88.0])
def test_every_symbol_is_told_in_every_font(font: str, pitch: float) -> None:
    size = (round(8 * pitch) + 160, round(5 * pitch) + 160)
    reading = read(Frame(paint(ROWS, pitch, 80.3, 79.6, size=size, font=font)), SITE)
    assert reading.doubts == {}
    assert reading.text == ROWS
    assert reading.grid.cut == frozenset()
    assert reading.certainty > 0.7


@pytest.mark.parametrize("look", ["light", "dark"])
def test_both_looks_of_the_local_player(look: str) -> None:
    player = load("local-player")
    pixels = paint(ROWS, 35.2, 70, 70, profile=player, look=look, page=60 if look == "dark" else 246)
    reading = read(Frame(pixels), player)
    assert (reading.text, reading.doubts) == (ROWS, {})


def test_facts_and_marks_are_apart() -> None:
    reading = read(Frame(paint(ROWS, 31, 80, 80)), SITE)
    puzzle, marks, shape = reading.puzzle, reading.marks, Shape(5, 8)
    assert puzzle.shape == shape
    assert {shape.at(c) for c in cells_in(marks.flags)} == {(0, 2), (3, 4)}
    assert {shape.at(c) for c in cells_in(marks.crosses)} == {(1, 2)}
    assert marks.flags & ~puzzle.covered == 0
    assert puzzle.clues[shape.cell(2, 0)] == 8
    assert len(puzzle.clues) + puzzle.covered.bit_count() == 40


def test_hue_shifts_do_not_matter_but_contradicting_colours_raise_doubt() -> None:
    pixels = paint(ROWS, 40, 70, 70).astype(np.float32)
    warm = (pixels * (0.86, 0.96, 1.0)).clip(0, 255).astype(np.uint8)
    assert read(Frame(warm), SITE).text == ROWS
    swapped = paint(ROWS, 40, 70, 70)[:, :, ::-1].copy()  # every red digit blue: 3 in the colour of 1
    reading = read(Frame(swapped), SITE)
    for cell, symbol in enumerate(reading.symbols):
        row, col = reading.grid.shape.at(cell)
        assert cell in reading.doubts or symbol.value == ROWS[row][col]


def cover(pixels: Pixels, grid: Grid, rng: random.Random) -> Pixels:
    out = pixels.copy()
    x, y = int(rng.uniform(grid.left, grid.box.right)), int(rng.uniform(grid.top, grid.box.bottom))
    w, h = (int(rng.uniform(0.3, 3) * grid.pitch_x) for _ in range(2))
    colour = rng.choice([(255, 255, 255), (0, 0, 0), (225, 255, 255), tuple(rng.randrange(256) for _ in range(3))])
    if rng.random() < 0.6:
        cv2.rectangle(out, (x, y), (x + w, y + h), colour, -1)
    else:
        cv2.ellipse(out, (x, y), (w // 2 + 2, h // 2 + 2), rng.uniform(0, 180), 0, 360, colour, -1, cv2.LINE_AA)
    alpha = rng.choice([1.0, 1.0, 0.7, 0.45])
    return cv2.addWeighted(out, alpha, pixels, 1 - alpha, 0).astype(np.uint8)


@pytest.mark.parametrize("seed", range(40))
def test_no_wrong_cell_is_accepted_under_things_that_lie_over_the_board(seed: int) -> None:
    rng = random.Random(seed)
    rows = [
        "".join(rng.choice("....................FFx0112233456781223") for _ in range(rng.randint(9, 12)))
        for _ in range(1)
    ]
    rows = [
        "".join(rng.choice("....................FFx0112233456781223") for _ in rows[0])
        for _ in range(rng.randint(6, 9))
    ]
    pitch = rng.uniform(20, 45)
    pixels = paint(
        rows, pitch, 50.2, 50.7, size=(640, 520), font=rng.choice(["tahoma", "dejavu", "liberation", "noto"])
    )
    grid = lattices(Frame(pixels))[0]
    try:
        reading = read(Frame(cover(pixels, grid, rng)), SITE, grid=grid)
    except BoardNotFound:
        return
    wrong = [
        (reading.grid.shape.name(cell), rows[row][col], symbol.value)
        for cell, symbol in enumerate(reading.symbols)
        for row, col in [reading.grid.shape.at(cell)]
        if cell not in reading.doubts and symbol.value != rows[row][col]
    ]
    assert wrong == []
    whole = read(Frame(pixels), SITE)
    assert whole.text == rows


def test_a_popup_makes_what_it_hides_doubtful() -> None:
    pixels = paint(ROWS, 40, 70, 70)
    cv2.rectangle(pixels, (70 + 2 * 40 + 5, 70 + 45), (70 + 6 * 40, 70 + 3 * 40 - 6), (255, 255, 255), -1)
    reading = read(Frame(pixels), SITE)
    hidden = {(r, c) for r in (1, 2) for c in (2, 3, 4, 5)}
    assert hidden <= {reading.grid.shape.at(c) for c in reading.doubts}
    assert reading.certainty == 0


def test_a_bar_over_the_last_row_names_the_row() -> None:
    pixels = paint(ROWS, 40, 70, 70)
    top = 70 + 4 * 40
    pixels[top : top + 60] = (pixels[top : top + 60] * 0.4).astype(np.uint8)
    reading = read(Frame(pixels), SITE)
    assert {reading.grid.shape.at(c)[0] for c in reading.doubts} == {4}
    assert len(reading.doubts) == 8


def test_a_dimmed_board_is_refused_as_a_whole() -> None:
    rows = [row.replace("0", "1") for row in ROWS]
    pixels = (paint(rows, 40, 70, 70) * 0.5).astype(np.uint8)
    reading = read(Frame(pixels), SITE)
    assert len(reading.doubts) == 40
    assert "dimmed" in reading.doubts[next(iter(reading.doubts))]


@pytest.mark.parametrize(
    ("side", "part"),
    [
        ("bottom", (slice(0, 70 + 3 * 40 + 11), slice(None))),
        ("top", (slice(70 + 2 * 40 - 9, None), slice(None))),
        ("left", (slice(None), slice(70 + 2 * 40, None))),
        ("right", (slice(None), slice(0, 70 + 5 * 40 + 20))),
    ],
)
def test_a_cut_board_says_on_which_side(side: str, part: tuple[slice, slice]) -> None:
    pixels = paint(ROWS, 40, 70, 70)
    reading = read(Frame(np.ascontiguousarray(pixels[part])), SITE)
    assert reading.grid.cut == {side}
    whole = read(Frame(pixels), SITE)
    assert whole.grid.cut == frozenset()
    shape = reading.grid.shape
    edge = {
        "top": shape.row(0),
        "bottom": shape.row(shape.rows - 1),
        "left": shape.column(0),
        "right": shape.column(shape.cols - 1),
    }[side]
    assert not any(edge >> c & 1 for c in reading.puzzle.clues)  # it has neighbours nobody sees
    assert reading.puzzle.clues


def test_a_known_grid_and_a_wanted_size() -> None:
    frame = Frame(paint(ROWS, 31, 80, 80))
    grid = lattices(frame)[0]
    assert read(frame, SITE, grid=grid).text == ROWS
    assert read(frame, SITE, size=Shape(5, 8)).text == ROWS
    with pytest.raises(BoardNotFound) as caught:
        read(frame, SITE, size=Shape(8, 5))
    for size in (Shape(5, 9), Shape(6, 8), Shape(5, 7), Shape(4, 8)):
        with pytest.raises(BoardNotFound) as caught:
            read(frame, SITE, size=size)
        assert "5x8 squares" in caught.value.remedy
    assert "5x8" in caught.value.remedy
    assert read(frame, SITE, region=Box(40, 40, 500, 400)).text == ROWS


def test_a_picture_without_a_board_says_what_was_looked_for() -> None:
    with pytest.raises(BoardNotFound) as caught:
        read(Frame(np.full((300, 400, 3), 255, np.uint8)), SITE)
    assert "puzzle-minesweeper" in str(caught.value)
    assert "near miss" in caught.value.remedy or "equal squares" in caught.value.remedy


EVERY = [load(place.name) for place in sorted(site_folders().values())]
MOSAICS = [p for p in EVERY if p.variant is Variant.MOSAIC]


@pytest.mark.parametrize(
    ("profiles", "region", "said", "remedy"),
    [
        (
            EVERY,
            None,
            r"^There is no board here; .* any known Minesweeper\.$",
            r"Nothing in the picture .* 'autosolve sites",
        ),
        (MOSAICS, None, r" here; .* any known mosaic\.$", r"or leave --variant out\.$"),
        (
            EVERY,
            Box(0, 0, 100, 90.5),
            r" in the region 0,0,100,90\.5; ",
            r"^Nothing in the region is .* the region hold",
        ),
        ([SITE], None, r" look like puzzle-minesweeper\.com\.$", r"^Nothing in the picture is .* another --site\.$"),
    ],
)
def test_where_and_for_what_a_board_was_looked_for(
    profiles: list[Profile], region: Box | None, said: str, remedy: str
) -> None:
    with pytest.raises(BoardNotFound) as caught:
        read(Frame(np.full((300, 400, 3), 200, np.uint8)), profiles, region=region)
    assert re.search(said, str(caught.value))
    assert re.search(remedy, caught.value.remedy)
    assert len(str(caught.value)) < 140


@pytest.mark.parametrize("profiles", [MOSAICS, [load("mosaic")], [load("kmines")]])
def test_a_board_of_another_kind_is_named_as_a_near_miss(profiles: list[Profile]) -> None:
    """It is laid out in equal squares, whatever they show."""
    rows = ["0011......", "001F......", "1121......", "F1.0...2..", "..2.......", "......1..."]
    with pytest.raises(BoardNotFound) as caught:
        read(Frame(skins.paint(rows, skins.LOOKS["bevelled"], 24)), profiles)
    assert "equal squares" not in caught.value.remedy
    assert re.search(r"^The best near miss: \d+x\d+ squares of \d+ pixels at x=\d+, y=\d+,", caught.value.remedy)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared screenshots are not here")
def test_the_real_site_at_150_percent() -> None:
    known = json.loads((SHARED / "screens" / "puzzle-01.json").read_text())
    pixels = cv2.imread(str(SHARED / "screens" / "puzzle-01.png"))
    assert pixels is not None
    reading = read(Frame(pixels.astype(np.uint8)), SITE)
    assert reading.text == [row.replace("#", ".") for row in known["grid"]]
    assert reading.doubts == {}
    assert len(reading.puzzle.clues) == 34


# ---------------------------------------------------------------- profiles


def site(tmp_path: Path, text: str) -> Path:
    folder = tmp_path / "mine"
    folder.mkdir(exist_ok=True)
    shutil.copy(builtin_folder() / "puzzle-minesweeper" / "covered.png", folder / "covered.png")
    (folder / "site.toml").write_text(text)
    return folder


GOOD = 'schema = 1\ntitle = "mine"\nkind = "clues"\n\n[buttons]\nright = ["covered", "flag"]\n'


def test_built_in_sites_load_whole() -> None:
    for name in site_folders():
        profile = load(name)
        if profile.reader == "skin":
            assert not profile.templates
            continue
        assert set(profile.templates) >= {Symbol.COVERED, Symbol.FLAG}
        assert all(SYMBOLS[f"clue-{n}"] in profile.templates for n in range(1, 7))
        if profile.reader == "shapes":
            # how the puzzle site's mosaic draws a cell marked as empty is not known
            assert Symbol.SAFE in profile.templates or name == "mosaic"
            if profile.variant is Variant.MOSAIC:
                assert all(
                    SYMBOLS[f"{kind}-{n}"] in profile.templates for kind in ("clue", "filled") for n in range(10)
                )
            assert library(profile, profile.looks[0], 31).glyphs.shape[0] > 100


def test_a_good_profile_loads(tmp_path: Path) -> None:
    profile = load_folder(site(tmp_path, GOOD + '\n[pace]\nhold_ms = 30\n\n[inks]\nclue-1 = ["#0000ff"]\n'))
    assert profile.hold == pytest.approx(0.03)
    assert profile.inks[Symbol.CLUE_1] == ((255, 0, 0),)
    assert load(str(site(tmp_path, GOOD))).title == "mine"


@pytest.mark.parametrize(
    ("text", "line", "key"),
    [
        (GOOD.replace("schema = 1", "schema = 2"), 1, "schema"),
        (GOOD.replace('kind = "clues"', 'kind = "clue"'), 3, "kind"),
        (GOOD.replace('title = "mine"\n', ""), 0, "title"),
        (GOOD.replace('"flag"', '"flagg"'), 6, "buttons.right"),
        (GOOD.replace('["covered", "flag"]', '["covered"]'), 6, "buttons.right"),
        (GOOD.replace('["covered", "flag"]', '["covered", "covered"]'), 6, "buttons.right"),
        (GOOD.replace("right =", "rihgt ="), 6, "buttons.rihgt"),
        (GOOD.replace('right = ["covered", "flag"]\n', ""), 5, "buttons"),
        (GOOD + "\n[pace]\nhold_ms = -1\n", 9, "pace.hold_ms"),
        (GOOD + "\n[pace]\nhold = 4\n", 9, "pace.hold"),
        (GOOD + '\n[inks]\nclue-1 = ["blue"]\n', 9, "inks.clue-1"),
        (GOOD + '\n[inks]\nclue-12 = ["#000000"]\n', 9, "inks.clue-12"),
        (GOOD + '\n[[steps]]\nseen = "safe"\npress = "up"\nbecomes = "flag"\n', 10, "steps[0].press"),
    ],
)
def test_a_broken_profile_names_file_line_and_key(tmp_path: Path, text: str, line: int, key: str) -> None:
    folder = site(tmp_path, text)
    with pytest.raises(ProfileError) as caught:
        load_folder(folder)
    error = caught.value
    assert error.exit_code == 2
    assert error.file == str(folder / "site.toml")
    assert (error.line, error.key) == (line, key)
    assert str(folder / "site.toml") in str(error)


def test_toml_that_is_none_and_pictures_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="line 2"):
        load_folder(site(tmp_path, 'schema = 1\ntitle = "mine\n'))
    folder = site(tmp_path, GOOD)
    (folder / "flag.png").write_bytes(b"no picture")
    with pytest.raises(ProfileError, match="not a picture"):
        load_folder(folder)
    (folder / "flag.png").unlink()
    (folder / "flga.png").write_bytes(b"")
    with pytest.raises(ProfileError, match=r"did you mean flag\.png"):
        load_folder(folder)
    (folder / "flga.png").unlink()
    (folder / "covered.png").unlink()
    with pytest.raises(ProfileError, match=r"no covered\.png"):
        load_folder(folder)


def test_an_unknown_site_names_the_nearest() -> None:
    with pytest.raises(UnknownSite) as caught:
        load("puzle-minesweper")
    assert caught.value.nearest[0] == "puzzle-minesweeper"
    assert "puzzle-minesweeper" in caught.value.remedy


def test_routes_are_the_shortest_first() -> None:
    assert SITE.routes(Symbol.COVERED, Symbol.FLAG) == (("right",),)
    assert SITE.routes(Symbol.FLAG, Symbol.COVERED) == (("right",),)
    assert SITE.routes(Symbol.SAFE, Symbol.FLAG) == (("right",), ("left", "right"))
    assert SITE.routes(Symbol.CLUE_1, Symbol.FLAG) == ()
    assert SITE.routes(Symbol.FLAG, Symbol.FLAG) == ((),)


# ---------------------------------------------------------------- things that were once taken for a board


@pytest.mark.parametrize("colour", [(102, 102, 102), (32, 32, 32), (60, 60, 60), (128, 128, 128), (95, 58, 31)])
def test_a_bar_that_ends_near_a_grid_line_is_no_frame(colour: tuple[int, int, int]) -> None:
    pixels = paint(ROWS, 31, 80, 80)
    bottom = 80 + 5 * 31
    for height in range(1, 2 * 31):
        covered = pixels.copy()
        covered[bottom - height :] = colour
        try:
            reading = read(Frame(covered), SITE)
        except BoardNotFound:
            continue
        assert reading.grid.cut or reading.doubts, height


@pytest.mark.parametrize("share", [0.7, 0.8])
def test_a_pale_veil_is_a_veil(share: float) -> None:
    pixels = paint(ROWS, 40, 70, 70)
    veiled = (pixels * (1 - share) + 255 * share).astype(np.uint8)
    for name in site_folders():
        site = load(name)
        try:
            reading = read(Frame(veiled), site)
        except BoardNotFound:
            continue
        if site.reader == "skin":  # any colours are a look to it; what it tells must be true nonetheless
            truth = "".join(ROWS)
            assert [c for c, s in enumerate(reading.symbols) if c not in reading.doubts and s.value != truth[c]] == []
        else:
            assert len(reading.doubts) >= 10, name


def test_low_contrast_never_turns_covered_cells_into_open_ones() -> None:
    pixels = paint(ROWS, 40, 70, 70)
    for contrast in (0.5, 0.35, 0.25, 0.15):
        pale = (204 + (pixels.astype(np.float32) - 204) * contrast).astype(np.uint8)
        try:
            reading = read(Frame(pale), SITE)
        except BoardNotFound:
            continue
        for cell, symbol in enumerate(reading.symbols):
            row, col = reading.grid.shape.at(cell)
            assert cell in reading.doubts or symbol.value == ROWS[row][col], contrast


def test_a_picture_smaller_than_a_board_is_no_crash() -> None:
    for size in ((1, 1), (1, 500), (14, 14)):
        with pytest.raises(BoardNotFound):
            read(Frame(np.zeros((*size, 3), np.uint8)), SITE)


@pytest.mark.parametrize(("wide", "size"), [(9, 21), (16, 21), (22, 21), (12, 22), (20, 40)])
def test_tiles_that_are_not_all_of_one_size_are_one_board(wide: int, size: int) -> None:
    """Programs that share out the pixels of a window draw the first columns a pixel wider: none is left out."""
    edges = np.cumsum([0] + [size + 1] * wide + [size] * (30 - wide)).tolist()
    pixels = np.full((16 * size + 90, edges[-1] + 90, 3), 245, np.uint8)
    for r in range(16):
        for left, right in pairwise(edges):
            pixels[40 + r * size + 1 : 40 + (r + 1) * size - 2, 40 + left + 1 : 40 + right - 2] = 186
    first = next(iter(lattices(Frame(pixels))))
    assert first.shape == Shape(16, 30)
