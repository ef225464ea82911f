"""Owns how well and how fast boards are read: every labelled picture against its board, the machine on top.

    python benchmarks/reader.py [--only NAME ...] [--logic] [--seed N]
    python benchmarks/reader.py --augment [NAME ...] [--only NAME ...]
    python benchmarks/reader.py --pages [--only NAME ...]
    python benchmarks/reader.py --speed

Pictures are those under fixtures/screens and, where they lie beside the checkout, under ../shared/screens and
../shared/rig/shots. Each is read with all built-in sites, as ``read --site auto`` does, but without the logic that
comes after it there (``--logic`` adds it). Cells are judged by place: the middle of every accepted cell must lie near
the middle of a true cell that shows the same. ``--only`` takes parts of names. ``--augment`` reads every picture
changed: smaller, larger, JPEG, gamma, a night's tint, blurred, shifted, cropped, another window over it; what is
random depends only on the seed, the picture's name and the change. ``--pages`` reads boards on web pages in the looks
of tests/webpages.py, which a browser draws: no site has them, and no picture of them is kept. ``--speed`` measures only
the cases that have a limit, on one core. Seconds are processor time. Exit code 1 when a wrong cell was accepted or a
limit is passed.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import statistics
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

for _threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_threads, "1")  # read when numpy is imported

import cv2  # noqa: E402
import numpy as np  # noqa: E402
import numpy.typing as npt  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

import webpages  # noqa: E402
from chromium import Chromium  # noqa: E402
from skins import LOOKS, paint  # noqa: E402

from autosolve.board.shape import Shape, cell_set, cells_in  # noqa: E402
from autosolve.bot.memory import Memory  # noqa: E402
from autosolve.clicks.second import doubted  # noqa: E402
from autosolve.errors import AutosolveError  # noqa: E402
from autosolve.generate.game import Field  # noqa: E402
from autosolve.vision import picture  # noqa: E402
from autosolve.vision.frame import Box, Frame  # noqa: E402
from autosolve.vision.profile import Profile, load, site_folders  # noqa: E402
from autosolve.vision.read import Reading, read  # noqa: E402

Pixels = npt.NDArray[np.uint8]

OWN, SCREENS, SHOTS = ROOT / "fixtures/screens", ROOT.parent / "shared/screens", ROOT.parent / "shared/rig/shots"
PLACED = 0.3  # of a cell: how far a board's corners may lie from where they are
ON_CELL = 0.35  # of a cell: an accepted cell whose middle is further off lies between cells
COVERED = ("hidden", "lost-popup")  # tags of pictures where something lies over the board
HIDDEN = "~"  # in a label: something lies over the cell
WHOLLY = 0.95  # share from which a cell of which the hidden share is known counts as hidden
MOST_PIXELS = 9_000_000  # a changed picture that is larger is left out

FULL_HD, ANY_SITE = (1920, 1080), 0.25  # pixels, seconds of one core
WIDE_QHD, LARGE = (2560, 1440), 1.0
AGAIN = 0.05  # a 16x30 board whose lattice is known
FEW, FEW_AGAIN = 8, 0.01  # cells of it that show something else than before, as another one did
DESKTOP = (120, 104, 58)  # B, G, R around a picture that is smaller than the screen
REPEATS = 5

# By the first part of a shared picture's name: the built-in site that draws so. All others are looks nobody prepared.
CLASSIC = "arbiter classicweb metasweeper minesweeperonline minesweeperx msonline pygame viennasweeper winxp zsakai"
SITE_OF = dict.fromkeys(CLASSIC.split(), "classic") | {
    "gnomemines": "gnome-mines",
    "google": "google",
    "kmines": "kmines",
    "puzzle": "puzzle-minesweeper",
    "sgtmines": "sgt-mines",
    "win7": "windows7",
    "pygame-minesweeper": "classic",
}
UNPREPARED = "(none)"


@dataclass(frozen=True)
class Labelled:
    """A picture and what it shows: ``truth`` one symbol's value a cell, row-major; ``box`` of all cells in pixels.

    ``covers`` is a window laid over the picture, in pixels: a cell whose middle is under it is hidden."""

    name: str
    pixels: Pixels
    rows: int
    cols: int
    truth: Sequence[str]
    box: Box
    site: str
    tags: tuple[str, ...]
    hidden: frozenset[int] = frozenset()
    covers: Box | None = None

    @property
    def uncovered(self) -> bool:
        """Whether nothing lies over the board, not even over part of a cell."""
        return self.covers is None and not set(COVERED) & set(self.tags)


@dataclass
class Verdict:
    """What became of one picture. ``wrong`` counts (truth, read) pairs of accepted cells."""

    labelled: Labelled
    seconds: float
    site: str = "-"
    found: bool = False
    exact: bool = False
    wrong: Counter[tuple[str, str]] = field(default_factory=Counter)
    accepted: int = 0
    doubtful: int = 0
    where: str = ""

    @property
    def result(self) -> str:
        """In a word or two: ``in part``: another lattice, each accepted cell right; ``useless``: none accepted."""
        if self.wrong:
            return "WRONG"
        if self.exact:
            return "exact"
        return "doubts" if self.found else "in part" if self.accepted else "useless" if self.doubtful else "missed"


# ---------------------------------------------------------------- pictures and their labels


def shared(folder: Path) -> Iterator[Labelled]:
    """Pictures labelled by one JSON object each."""
    for file in sorted(folder.glob("*.json")):
        told: dict[str, Any] = json.loads(file.read_text())
        rows = told["grid"] if isinstance(told["grid"], list) else told["grid"].split()
        tags = told.get("tags") or [told[k] for k in ("state", "theme") if told.get(k)]
        kind = told.get("program") or file.stem.rsplit("-", 1)[0]
        site = SITE_OF.get(kind, kind if kind in site_folders() else UNPREPARED)
        if kind == "minesweeperonline" and {"dark", "dim", "dots"} & set(tags):
            site = "minesweeper-online"
        yield Labelled(
            f"{'rig/' if 'program' in told else ''}{file.stem}",
            picture.load(file.with_suffix(".png")).pixels,
            told["rows"],
            told["cols"],
            "".join(rows).replace("#", "."),
            Box(*map(float, told["bbox"])),
            site,
            tuple(tags),
        )


def own() -> Iterator[Labelled]:
    """The project's photographs: the board as text, the lattice in JSON."""
    for file in sorted(OWN.rglob("*.txt")):
        told = json.loads(file.with_suffix(".json").read_text())
        rows = file.read_text().split()
        (high, wide), (pitch_x, pitch_y) = (len(rows), len(rows[0])), told["pitch"]
        hidden = frozenset(i for i, c in enumerate("".join(rows)) if c == HIDDEN)
        marked = [COVERED[0]] if hidden else []
        if "below" in told:
            rows = told["below"]
            hidden = frozenset(r * wide + c for r, c, share in told["hidden"] if share > WHOLLY)
        truth = list("".join(rows))
        for r, c in told.get("flags", ()):  # in mosaic a clue's own cell may be filled
            at = r * wide + c
            truth[at] = "F" + truth[at].removeprefix("F")
        name = file.relative_to(OWN).with_suffix("")
        tags = [str(told[k]) for k in ("state", "theme") if told.get(k)] + marked
        yield Labelled(
            f"own/{name}",
            picture.load(file.with_suffix(".png")).pixels,
            high,
            wide,
            truth,
            Box(told["left"], told["top"], wide * pitch_x, high * pitch_y),
            name.parts[0],
            tuple(tags),
            hidden,
        )


def labelled(only: list[str]) -> Iterator[Labelled]:
    """All pictures, one in memory at a time; what is missing is said."""
    for folder, source in ((SCREENS, shared), (SHOTS, shared)):
        if not any(folder.glob("*.json")):
            print(f"missing: {os.path.relpath(folder, ROOT)}; its pictures are left out")
            continue
        yield from (one for one in source(folder) if wanted(one.name, only))
    yield from (one for one in own() if wanted(one.name, only))


def wanted(name: str, only: list[str]) -> bool:
    return not only or any(part in name for part in only)


STATES, SIZES = ("mid", "start", "marks", "lost", "won"), ((9, 9, 10), (16, 16, 40), (12, 9, 15), (8, 12, 14))
SCALES = (1, 1.25, 1.5, 2, 0.9, 1.1)  # device pixels a CSS pixel


def drawn(only: list[str], seed: int) -> Iterator[Labelled]:
    """Boards on pages, two of each look: one half played, one in another state, at any zoom."""
    window = 1400, 1100
    with Chromium.start(size=window) as browser, tempfile.TemporaryDirectory() as folder:
        for name, page in webpages.PAGES.items():
            for kind in ("mid", "any"):
                dice = random.Random(f"{seed} {name} {kind}")
                state = kind if kind in STATES else dice.choice(STATES)
                rows, cols, mines = dice.choice(SIZES)
                scale = dice.choice(SCALES)
                board = webpages.dealt(rows, cols, mines, state, seed)
                file = Path(folder, f"{name}-{kind}.html")
                file.write_text(webpages.html(board, page), encoding="utf-8")
                if not wanted(f"page/{name}-{state}", only):
                    continue
                browser.metrics(*window, scale)
                browser.open(file.as_uri())
                browser.settle()
                left, top, right, bottom = (scale * float(v) for v in browser.js(webpages.WHERE))
                shot = np.frombuffer(browser.screenshot(), np.uint8)
                pixels = np.asarray(cv2.imdecode(shot, cv2.IMREAD_COLOR), np.uint8)
                gap = page.gap / 2 * scale
                box = Box(left - gap, top - gap, right - left + 2 * gap, bottom - top + 2 * gap)
                truth = "".join(page.shown(board))
                yield Labelled(f"page/{name}-{state}", pixels, rows, cols, truth, box, UNPREPARED, (state,))


# ---------------------------------------------------------------- judging


def judge(one: Labelled, sites: list[Profile], logic: bool = False) -> Verdict:
    """Reads a picture and holds every accepted cell against the true cell at its place."""
    start = time.process_time()
    try:
        reading = read(Frame(one.pixels), sites)
        if logic:
            reading = doubted(reading)
    except AutosolveError:
        return Verdict(one, time.process_time() - start)
    return hold(one, reading, time.process_time() - start)


def hold(one: Labelled, reading: Reading, seconds: float) -> Verdict:
    """A reading against the labels."""
    grid, box = reading.grid, one.box
    wide, high = box.width / one.cols, box.height / one.rows
    out = Verdict(one, seconds, reading.profile.name, doubtful=len(reading.doubts))
    off = max(
        abs(grid.left - box.x) / wide,
        abs(grid.top - box.y) / high,
        abs(grid.box.right - box.right) / wide,
        abs(grid.box.bottom - box.bottom) / high,
    )
    out.found = (grid.shape.rows, grid.shape.cols) == (one.rows, one.cols) and off < PLACED
    out.where = f"{grid.shape} at {grid.left:.0f},{grid.top:.0f}" + (f" cut {sorted(grid.cut)}" if grid.cut else "")
    for cell, symbol in enumerate(reading.symbols):
        if cell in reading.doubts:
            continue
        out.accepted += 1
        middle = grid.centre(cell)
        col, row = (middle.x - box.x) / wide - 0.5, (middle.y - box.y) / high - 0.5
        at = round(row) * one.cols + round(col)
        if not (0 <= round(row) < one.rows and 0 <= round(col) < one.cols):
            out.wrong["no cell", symbol.value] += 1
        elif max(abs(row - round(row)), abs(col - round(col))) > ON_CELL:
            out.wrong["between cells", symbol.value] += 1
        elif at in one.hidden or (one.covers is not None and one.covers.holds(middle)):
            out.wrong["hidden", symbol.value] += 1
        elif symbol.value != one.truth[at]:
            out.wrong[one.truth[at], symbol.value] += 1
    nothing_over = not one.hidden and one.covers is None
    told = not out.doubtful if nothing_over else out.accepted == len(one.truth) - len(one.hidden)
    out.exact = out.found and told and not grid.cut and not out.wrong
    return out


# ---------------------------------------------------------------- changed pictures

Change = Callable[[Labelled, random.Random], Labelled]


def changed(one: Labelled, pixels: npt.ArrayLike, scale: float = 1.0, dx: float = 0.0, dy: float = 0.0) -> Labelled:
    """The same board in another picture: scaled, then moved by pixels."""
    b = one.box
    box = Box(b.x * scale + dx, b.y * scale + dy, b.width * scale, b.height * scale)
    return _with(one, pixels=np.asarray(pixels, np.uint8), box=box)


def _with(one: Labelled, **new: Any) -> Labelled:
    return Labelled(**{**{k: getattr(one, k) for k in one.__dataclass_fields__}, **new})


def scaled(by: float) -> Change:
    """Resized; the true factor differs a little, as pictures have whole pixels."""

    def change(one: Labelled, dice: random.Random) -> Labelled:
        how = cv2.INTER_AREA if by < 1 else cv2.INTER_LINEAR
        return changed(one, cv2.resize(one.pixels, None, fx=by, fy=by, interpolation=how), by)

    return change


def toned(tone: Callable[[Pixels], npt.ArrayLike]) -> Change:
    """Other pixels in the same places."""
    return lambda one, dice: changed(one, tone(one.pixels))


def jpeg(pixels: Pixels) -> npt.ArrayLike:
    data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 70])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR))


def gamma(power: float) -> Callable[[Pixels], npt.ArrayLike]:
    table = (255 * (np.arange(256) / 255) ** power).round().astype(np.uint8)
    return lambda pixels: table[pixels]


def night(pixels: Pixels) -> npt.ArrayLike:
    """A warm tint: less blue, a little less green."""
    return np.asarray((pixels * np.array([0.6, 0.85, 1.0])).round())


def shifted(one: Labelled, dice: random.Random) -> Labelled:
    dx, dy = dice.uniform(0.2, 0.8), dice.uniform(0.2, 0.8)
    move = np.array([[1, 0, dx], [0, 1, dy]])
    size = one.pixels.shape[1::-1]
    return changed(one, cv2.warpAffine(one.pixels, move, size, borderMode=cv2.BORDER_REPLICATE), 1, dx, dy)


def cropped(one: Labelled, dice: random.Random) -> Labelled:
    """Cut at the left and at the top, outside or inside of the board."""
    x = max(0, int(one.box.x + dice.uniform(-0.1, 0.4) * one.box.width))
    y = max(0, int(one.box.y + dice.uniform(-0.1, 0.4) * one.box.height))
    return changed(one, one.pixels[y:, x:].copy(), 1, -x, -y)


def window(colour: tuple[int, int, int] | None) -> Change:
    """Another window over a corner or the middle, in one colour (B, G, R) or that of one of the board's cells."""

    def change(one: Labelled, dice: random.Random) -> Labelled:
        pixels, b = one.pixels.copy(), one.box
        wide, high = int(b.width * dice.uniform(0.2, 0.5)), int(b.height * dice.uniform(0.2, 0.5))
        places = [
            (b.x, b.y),
            (b.right, b.y),
            (b.x, b.bottom),
            (b.right, b.bottom),
            (b.x + b.width / 2, b.y + b.height / 2),
        ]
        at = dice.choice(places)
        x, y = max(0, int(at[0] - wide / 2)), max(0, int(at[1] - high / 2))
        cell = dice.randrange(one.rows), dice.randrange(one.cols)
        body = colour or cell_colour(one, *cell)
        ink = (0, 0, 0) if sum(body) > 300 else (255, 255, 255)
        over = np.full((high, wide, 3), body, np.uint8)
        over[: max(3, high // 8)] = (200, 120, 40)
        cv2.putText(over, "Save the file? 1 2 3", (6, high // 2), cv2.FONT_HERSHEY_SIMPLEX, 0.4, ink, 1, cv2.LINE_AA)
        place = pixels[y : y + high, x : x + wide]
        place[:] = over[: place.shape[0], : place.shape[1]]
        return _with(one, pixels=pixels, covers=Box(x, y, wide, high))

    return change


def cell_colour(one: Labelled, row: int, col: int) -> tuple[int, int, int]:
    """The commonest colour of a cell's inner part, B, G, R."""
    wide, high = one.box.width / one.cols, one.box.height / one.rows
    x0, y0 = one.box.x + col * wide, one.box.y + row * high
    ys, xs = slice(int(y0 + 0.2 * high), int(y0 + 0.8 * high)), slice(int(x0 + 0.2 * wide), int(x0 + 0.8 * wide))
    part = one.pixels[ys, xs]
    if not part.size:  # the cell lies outside of the picture
        part = one.pixels
    colours, counts = np.unique(part.reshape(-1, 3), axis=0, return_counts=True)
    b, g, r = (int(v) for v in colours[counts.argmax()])
    return b, g, r


CHANGES: dict[str, Change] = {
    "scale-0.6": scaled(0.6),
    "scale-0.8": scaled(0.8),
    "scale-1.3": scaled(1.3),
    "scale-2": scaled(2),
    "scale-3": scaled(3),
    "jpeg-70": toned(jpeg),
    "gamma-0.6": toned(gamma(0.6)),
    "gamma-1.6": toned(gamma(1.6)),
    "night": toned(night),
    "blur": toned(lambda pixels: cv2.GaussianBlur(pixels, (0, 0), 1.0)),
    "shift": shifted,
    "crop": cropped,
    "window-white": window((255, 255, 255)),
    "window-grey": window((192, 192, 192)),
    "window-dark": window((60, 60, 60)),
    "window-own": window(None),
}


# ---------------------------------------------------------------- what is printed


def machine() -> str:
    """What a figure depends on."""
    load_now = "load " + " ".join(f"{v:.1f}" for v in os.getloadavg()) if hasattr(os, "getloadavg") else ""
    parts = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    return f"{parts}, OpenCV {cv2.__version__}, numpy {np.__version__}; one thread; {load_now}"


def line(v: Verdict) -> str:
    """One picture."""
    extra = ""
    if v.wrong:
        extra = "  " + ", ".join(f"{n}x {a!r} read {b!r}" for (a, b), n in v.wrong.most_common(4))
    elif v.where and not v.exact:
        extra = f"  {v.where}"
    one = v.labelled
    return (
        f"{one.name:42.42} {one.rows:3}x{one.cols:<3} {v.site:18} {v.result:9}"
        f" {v.wrong.total():5} {v.doubtful:5} {v.seconds:6.2f}{extra}"
    )


HEAD = f"{'picture':42} {'board':>7} {'read as':18} {'result':9} {'wrong':>5} {'doubt':>5} {'s':>6}"


def table(title: str, groups: dict[str, list[Verdict]]) -> None:
    """Sums over groups of pictures."""
    columns = ("pictures", "found", "exact", "missed", "wrong", "doubtful", "cells")
    print(f"\n{title:22}" + "".join(f"{c:>10}" for c in columns) + f"{'median s':>10}{'most s':>8}")
    for name in sorted(groups):
        some = groups[name]
        numbers = (
            len(some),
            sum(v.found for v in some),
            sum(v.exact for v in some),
            sum(v.result == "missed" for v in some),
            sum(v.wrong.total() for v in some),
            sum(v.doubtful for v in some),
            sum(len(v.labelled.truth) for v in some),
        )
        times = [v.seconds for v in some]
        spent = f"{statistics.median(times):10.2f}{max(times):8.2f}"
        print(f"{name:22.22}" + "".join(f"{n:10}" for n in numbers) + spent)


def grouped(verdicts: Iterable[Verdict], by: Callable[[Verdict], Iterable[str]]) -> dict[str, list[Verdict]]:
    out: dict[str, list[Verdict]] = defaultdict(list)
    for v in verdicts:
        for key in by(v):
            out[key].append(v)
    return out


def source(v: Verdict) -> str:
    """The folder a picture is from."""
    first = v.labelled.name.split("/")[0]
    return {"own": "fixtures/screens", "rig": "shared/rig/shots", "page": "pages"}.get(first, "shared/screens")


def plain(sites: list[Profile], pictures: Iterable[Labelled], logic: bool) -> bool:
    """Every picture as it is; whether no wrong cell was accepted."""
    print(HEAD)
    verdicts = []
    for one in pictures:
        verdicts.append(judge(one, sites, logic))
        print(line(verdicts[-1]), flush=True)
    if not verdicts:
        sys.exit("no picture of such a name")
    table("true site", grouped(verdicts, lambda v: [v.labelled.site]))
    table("tag", grouped(verdicts, lambda v: v.labelled.tags))
    table("from", grouped(verdicts, lambda v: [source(v)]) | {"total": verdicts})
    for title, some in (
        ("of the built-in sites", [v for v in verdicts if v.labelled.site != UNPREPARED and v.labelled.uncovered]),
        ("of looks nobody prepared", [v for v in verdicts if v.labelled.site == UNPREPARED]),
    ):
        if some:
            good = sum(v.exact for v in some)
            print(f"\nexact {title}, nothing over the board: {good} of {len(some)} ({good / len(some):.0%})", end="")
    wrong = sum(v.wrong.total() for v in verdicts)
    print(f"\nwrong cells accepted: {wrong}, in {sum(bool(v.wrong) for v in verdicts)} of {len(verdicts)} pictures")
    return wrong == 0


def augmented(sites: list[Profile], only: list[str], names: list[str], logic: bool, seed: int) -> bool:
    """Every picture changed in every way; whether no wrong cell was accepted. Only wrong ones are printed singly."""
    print(HEAD)
    verdicts: dict[str, list[Verdict]] = defaultdict(list)
    left_out: Counter[str] = Counter()
    for one in labelled(only):
        for name in names:
            other = CHANGES[name](one, random.Random(f"{seed} {one.name} {name}"))
            if other.pixels.shape[0] * other.pixels.shape[1] > MOST_PIXELS:
                left_out[name] += 1
                continue
            verdict = judge(_with(other, name=f"{name} {one.name}"), sites, logic)
            verdicts[name].append(verdict)
            if verdict.wrong:
                print(line(verdict), flush=True)
    if not verdicts:
        sys.exit("no picture of such a name")
    everything = [v for some in verdicts.values() for v in some]
    table("change", dict(verdicts) | {"total": everything})
    if left_out:
        told = ", ".join(f"{n} of {k}" for k, n in left_out.items())
        print(f"\nleft out, as they would have more than {MOST_PIXELS:,} pixels: {told}")
    wrong = sum(v.wrong.total() for v in everything)
    print(f"\nwrong cells accepted: {wrong}, in {sum(bool(v.wrong) for v in everything)} of {len(everything)} pictures")
    return wrong == 0


# ---------------------------------------------------------------- speed


def deal(rows: int, cols: int, mines: int, dice: random.Random) -> list[str]:
    """A position of a click-to-reveal game: about half of it opened from zeros, some mines flagged."""
    cells = [(r, c) for r in range(rows) for c in range(cols)]
    mined = set(dice.sample(cells, mines))
    shape = Shape(rows, cols)
    field = Field(shape, cell_set(shape.cell(*at) for at in mined))

    def around(r: int, c: int) -> list[tuple[int, int]]:
        return [(i, j) for i in (r - 1, r, r + 1) for j in (c - 1, c, c + 1) if 0 <= i < rows and 0 <= j < cols]

    clue = {at: sum(n in mined for n in around(*at)) for at in cells}
    opened: set[tuple[int, int]] = set()
    for start in dice.sample(cells, len(cells)):
        if start in mined or len(opened) > 0.5 * len(cells):
            continue
        opened.update(shape.at(cell) for cell in cells_in(field.flood(shape.cell(*start))))
    # nothing is flagged that no open cell speaks of
    flagged = {at for at in sorted(mined) if opened & set(around(*at)) and dice.random() < 0.5}
    show = {at: str(clue[at]) if at in opened else "F" if at in flagged else "." for at in cells}
    return ["".join(show[r, c] for c in range(cols)) for r in range(rows)]


def painted(look: str, rows: int, cols: int, mines: int, pitch: int, screen: tuple[int, int], seed: int) -> Labelled:
    """A board in one of the looks of tests/skins.py, in the middle of a screen."""
    board = deal(rows, cols, mines, random.Random(f"{seed} {look} {rows}x{cols}"))
    margin = 10
    box = Box(margin, margin, cols * pitch, rows * pitch)
    one = Labelled(f"painted {look}", paint(board, LOOKS[look], pitch, margin), rows, cols, "".join(board), box, "", ())
    return on_screen(one, screen)


def on_screen(one: Labelled, screen: tuple[int, int]) -> Labelled:
    """The picture in the middle of a screen of so many pixels, cut around the board where it is larger."""
    (wide, high), (height, width) = screen, one.pixels.shape[:2]
    x0 = 0 if width <= wide else int(min(max(0, one.box.x - (wide - one.box.width) / 2), width - wide))
    y0 = 0 if height <= high else int(min(max(0, one.box.y - (high - one.box.height) / 2), height - high))
    part = one.pixels[y0 : y0 + high, x0 : x0 + wide]
    page = np.empty((high, wide, 3), np.uint8)
    page[:] = DESKTOP
    left, top = (wide - part.shape[1]) // 2, (high - part.shape[0]) // 2
    page[top : top + part.shape[0], left : left + part.shape[1]] = part
    return changed(one, page, 1, left - x0, top - y0)


def measured(one: Labelled, job: Callable[[Frame], Reading]) -> Verdict:
    """The median of some readings, each of a frame of its own, as what was found in a frame is kept; after one that
    does not count. The last one is judged."""
    reading = job(Frame(one.pixels.copy()))
    times = []
    for _ in range(REPEATS):
        frame = Frame(one.pixels.copy())
        start = time.process_time()
        reading = job(frame)
        times.append(time.process_time() - start)
    return hold(one, reading, statistics.median(times))


def speed(sites: list[Profile], seed: int) -> bool:
    """The cases with a limit; whether all are kept and right."""
    good = True

    def case(one: Labelled, limit: float, job: Callable[[Frame], Reading]) -> None:
        nonlocal good
        try:
            v = measured(one, job)
        except AutosolveError as fault:
            print(f"  {one.name:44.44} not read: {fault}")
            good = False
            return
        kept = v.seconds <= limit
        good = good and kept and v.found and not v.wrong
        told = f"{v.wrong.total()} wrong, {v.doubtful} doubtful" + ("" if v.found else ", MISPLACED")
        print(f"  {one.name:44.44} {v.site:18} {v.seconds:7.3f}  {'' if kept else 'OVER  '}{told}", flush=True)

    def anything(frame: Frame) -> Reading:
        return read(frame, sites)

    everything = [one for one in labelled([]) if one.uncovered]
    first: dict[str, Labelled] = {}
    for one in sorted(everything, key=lambda o: not o.name.startswith("own/")):
        if one.box.width < FULL_HD[0] and one.box.height < FULL_HD[1]:
            first.setdefault(one.site, one)
    desktops = [one for one in everything if one.pixels.shape[1::-1] == FULL_HD and one not in first.values()]

    print(f"\nfound and read among all sites, {FULL_HD[0]}x{FULL_HD[1]}: limit {ANY_SITE} s")
    for one in [*(on_screen(o, FULL_HD) for o in first.values()), *desktops]:
        case(one, ANY_SITE, anything)
    expert = [painted(look, 16, 30, 99, 32, FULL_HD, seed) for look in LOOKS]
    for one in expert:
        case(one, ANY_SITE, anything)

    print(f"\n60x100 found and read among all sites, {WIDE_QHD[0]}x{WIDE_QHD[1]}: limit {LARGE:g} s")
    for look in ("bevelled", "dark"):
        case(painted(look, 60, 100, 1200, 22, WIDE_QHD, seed), LARGE, anything)
    for one in everything:
        if (one.rows, one.cols) == (60, 100):
            case(on_screen(one, WIDE_QHD), LARGE, anything)

    print(f"\n16x30 read again at a known lattice: limit {AGAIN} s")
    known: dict[str, Labelled] = {one.name: one for one in expert}
    for one in everything:
        if (one.rows, one.cols) == (16, 30):
            known.setdefault(f"site {one.site}", one)
    for one in known.values():
        try:
            before = read(Frame(one.pixels), sites)
        except AutosolveError as fault:
            print(f"  {one.name:44.44} not found: {fault}")
            continue
        case(one, AGAIN, lambda frame, b=before: read(frame, b.profile, grid=b.grid))  # type: ignore[misc]

    print(
        f"\n16x30 where {FEW} cells show what others showed before, by what is remembered of them: limit {FEW_AGAIN} s"
    )
    for one in expert:
        before, memory = read(Frame(one.pixels), sites), Memory()
        memory.learn(before)
        case(played_on(one, random.Random(seed)), FEW_AGAIN, lambda frame, b=before, m=memory: remembered(m, b, frame))  # type: ignore[misc]
    return good


def remembered(memory: Memory, last: Reading, frame: Frame) -> Reading:
    """What memory tells of a picture without a reader, as it must."""
    reading = memory.read(last, frame)
    assert reading is not None
    return reading


def played_on(one: Labelled, dice: random.Random) -> Labelled:
    """The board with some covered cells opened: they show what open cells show."""
    pixels, truth = one.pixels.copy(), list(one.truth)
    wide, high = round(one.box.width / one.cols), round(one.box.height / one.rows)

    def cell(at: int) -> tuple[slice, slice]:
        y, x = round(one.box.y) + at // one.cols * high, round(one.box.x) + at % one.cols * wide
        return slice(y, y + high), slice(x, x + wide)

    covered = dice.sample([i for i, c in enumerate(truth) if c == "."], FEW)
    opened = dice.sample([i for i, c in enumerate(truth) if c.isdigit()], FEW)
    for to, of in zip(covered, opened, strict=True):
        pixels[cell(to)], truth[to] = one.pixels[cell(of)], truth[of]
    return _with(one, pixels=pixels, truth=truth)


def main() -> None:
    """See the module's sentence."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--only", nargs="+", default=[], metavar="NAME", help="pictures with one of these in their name"
    )
    parser.add_argument("--augment", nargs="*", choices=list(CHANGES), metavar="NAME", help=", ".join(CHANGES))
    parser.add_argument("--logic", action="store_true", help="hold each reading against logic, as the command does")
    parser.add_argument("--pages", action="store_true", help="boards on web pages of many looks, drawn now")
    parser.add_argument("--speed", action="store_true", help="only the cases with a limit")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    sites = [load(name) for name in site_folders()]
    print(f"{machine()}; seed {args.seed}")
    print(f"sites: {', '.join(s.name for s in sites)}" + ("; with logic" if args.logic else "; without logic"))
    read(Frame(painted("bevelled", 9, 9, 10, 32, FULL_HD, args.seed).pixels), sites)  # templates are prepared here
    if args.augment is not None:
        good = augmented(sites, args.only, args.augment or list(CHANGES), args.logic, args.seed)
    elif args.pages:
        good = plain(sites, drawn(args.only, args.seed), args.logic)
    elif args.speed:
        good = speed(sites, args.seed)
    else:
        good = plain(sites, labelled(args.only), args.logic)
        if not args.only:
            good = speed(sites, args.seed) and good
    print(f"\nload now {' '.join(f'{v:.1f}' for v in os.getloadavg())}" if hasattr(os, "getloadavg") else "")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
