"""Owns the templates of the Debian programs: plays them on a virtual screen, with layouts of its own choice, and cuts
out their cells; photographs further boards to hold the reader against.

    python tools/cut_templates.py cut [SITE ...]            writes templates/<site>/*.png
    python tools/cut_templates.py shots FOLDER [SITE ...]   labelled pictures: NAME.png and NAME.json
    python tools/cut_templates.py golden FOLDER             the small set that is committed: fixtures/screens

A template is called SYMBOL.LOOK.SET.png or SYMBOL.LOOK.SET+EXTRA.png: LOOK a theme (left out where there is only one),
SET the pixels from cell to cell it was drawn at, with "-lost" where a lost board is drawn in other colours and
"-enlarged" where the program's own scale draws it otherwise, EXTRA what a single cell may look like beside that (hover,
red). Each is the median of all cells of one picture that show the same, so that no background comes along. The programs
are free software; they and their versions are named in
templates/<site>/ORIGIN.txt.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

import cv2  # noqa: E402
import games  # noqa: E402
import numpy as np  # noqa: E402
from games import Game, GnomeMines, KMines, Layout, SgtMines, Shot, Xdemineur, dense_layout  # noqa: E402
from rig import Rig  # noqa: E402

from autosolve.board.shape import Shape  # noqa: E402
from autosolve.vision.enlarged import drawn  # noqa: E402
from autosolve.vision.frame import Frame  # noqa: E402
from autosolve.vision.grid import Grid, in_pixels  # noqa: E402
from autosolve.vision.profile import Symbol  # noqa: E402

ROWS = ("+top", "+high", "+low", "+bottom")
LARGEST = 48  # pixels: side of a template
# beside the one that is installed as "sans": what other systems draw Simon Tatham's numbers in
FONTS = ("liberation", "liberation-bold", "dejavu", "dejavu-bold")

# board text of what a game shows, to a symbol
SYMBOL = {s.value: s for s in Symbol} | {"#": Symbol.COVERED}

Step = tuple[Game, Shot, str]


def playing(rig: Rig, make: Callable[[], Game], *, wait: bool = True) -> Iterator[Step]:
    """One game from its start to its loss, photographed on the way: (game, shot, state)."""
    game = make()
    try:
        yield game, game.photograph(state="fresh"), "fresh"
        mines, spare = sorted(game.layout.mines), game.spare()
        common = [p for p in spare if game.layout.number(p) <= 4]  # the rare numbers are wanted
        kept = common[:: max(1, len(common) // 4)][-4:]
        game.open_all(but=kept)
        flags, questions = mines[: len(mines) // 3], mines[len(mines) // 3 : len(mines) // 3 + 3]
        wrong = kept[:2]
        game.mark(*flags, *wrong)
        if game.model.question:
            game.mark(*questions, *questions, *kept[-1:], *kept[-1:])
        yield game, game.photograph(state="mid"), "mid"
        if isinstance(game, GnomeMines):
            yield game, hovering(game, mines[-2]), "hover"
        game.lose(mines[-1])
        if isinstance(game, KMines) and wait:
            time.sleep(games.POPUP_SECONDS)
        yield game, game.photograph(state="lost"), "lost"
        if isinstance(game, SgtMines):
            game.show_mines()
            yield game, game.photograph(state="solved"), "solved"
    finally:
        game.end()


def hovering(game: Game, at: tuple[int, int]) -> Shot:
    """The pointer over a covered cell: where the pointer itself is, nothing can be told."""
    x, y = game.at(at)
    game.rig.point(x, y)
    time.sleep(0.4)
    return Shot(game.pixels(), game.model.rows(), game.box, {**game.notes, "state": "hover", "pointer": [*at]})


def crowded(rig: Rig, make: Callable[[], SgtMines]) -> Iterator[Step]:
    """Numbers with too many flags around them, which Simon Tatham's Mines paints red."""
    game = make()
    try:
        free = [p for p in game.layout.cells if p not in game.layout.mines]
        lone = [p for p in free if game.layout.number(p) and p[0] % 3 == 1 and p[1] % 3 == 1]
        for at in lone:
            game.open(at)
        beside = {n for at in lone for n in game.layout.around(at)}
        game.mark(*sorted(n for n in beside if game.model.shown.get(n, "#") == "#"))
        yield game, game.photograph(state="red"), "red"
    finally:
        game.end()


# ---------------------------------------------------------------- cutting


def cut(rig: Rig, sites: list[str]) -> None:
    """Writes the templates anew."""
    for site in sites:
        folder = ROOT / "templates" / site
        fresh: dict[str, np.ndarray[Any, Any]] = {}
        for look, steps in _sessions(rig, site):
            found: dict[str, np.ndarray[Any, Any]] = {}
            for game, shot, state in steps:
                size, cells = _cells_of(game, shot, state)
                covered = f"covered.{size}"
                apart = isinstance(game, GnomeMines) and covered in found and covered in cells
                apart = apart and np.abs(cells[covered] - found[covered]).mean() > 6
                for name, pixels in cells.items():
                    if state == "lost" and apart:
                        name = f"{name}-lost"
                    elif (
                        isinstance(game, GnomeMines)
                        and state == "lost"
                        and name in found
                        and np.abs(pixels - found[name]).mean() > 6
                    ):
                        name = f"{name}+lost"
                    found.setdefault(name, pixels)
            found = {name.replace(".", f".{look}.", 1) if look else name: p for name, p in found.items()}
            fresh |= found
            print(site, look, len(found), file=sys.stderr, flush=True)
        for old in folder.glob("*.png"):
            old.unlink()
        for name, pixels in fresh.items():
            whole = pixels.round().astype(np.uint8)
            cv2.imwrite(str(folder / f"{name}.png"), whole, [cv2.IMWRITE_PNG_COMPRESSION, 9])
        (folder / "ORIGIN.txt").write_text(_origin(site))


def _sessions(rig: Rig, site: str) -> Iterator[tuple[str, Iterator[Step]]]:
    if site == "sgt-mines":
        for tile in (12, 14, 16, 18, 20, 24, 30, 40):
            yield "", playing(rig, lambda tile=tile: SgtMines(rig, dense_layout(12, 16, 11), tile=tile))
            yield "", crowded(rig, lambda tile=tile: SgtMines(rig, _speckled(14, 20, 5), tile=tile))
        for font in FONTS:
            for tile in (20, 32):
                yield (
                    font,
                    playing(
                        rig, lambda tile=tile, font=font: SgtMines(rig, dense_layout(12, 16, 11), tile=tile, font=font)
                    ),
                )
    elif site == "gnome-mines":
        for theme in games.GNOME_THEMES:
            for size, window, scale in (
                ("medium", None, 1),
                ("big", (1000, 640), 1),
                ("medium", (700, 600), 1),
                ("big", (1240, 720), 1),
                ("medium", (900, 760), 1),
                ("medium", (1100, 900), 1),
                # gaps stay as wide as they are, so that large tiles look unlike small ones, and twice as fine ones too
                ("medium", (1400, 1320), 1),
                ("medium", (1780, 1700), 1),
                ("medium", None, 2),
            ):
                rows, cols, mines = games.GNOME_SIZES[size]
                yield (
                    theme,
                    playing(
                        rig,
                        lambda theme=theme, window=window, scale=scale, rows=rows, cols=cols, mines=mines: GnomeMines(
                            rig, dense_layout(rows, cols, 21, mines), theme=theme, window=window, scale=scale
                        ),
                    ),
                )
    elif site == "kmines":
        for theme in games.KMINES_THEMES:
            # the default theme's bevels are drawn on whole pixels, and unlike at every size
            more = ((1200, 1020),) if theme == "default" else ()
            at_one = [(window, 1.0) for window in (None, (620, 515), (750, 620), (880, 720), *more)]
            # enlarged, it draws the same sizes otherwise
            enlarged = [((720, 690), 1.5), ((850, 795), 1.5), ((1015, 920), 1.5)] if theme == "default" else []
            for window, scale in at_one + enlarged:
                yield (
                    theme,
                    playing(
                        rig,
                        lambda theme=theme, window=window, scale=scale: KMines(
                            rig, dense_layout(12, 16, 31), theme=theme, window=window, scale=scale
                        ),
                    ),
                )
    else:
        yield "", playing(rig, lambda: Xdemineur(rig, dense_layout(16, 24, 41)))


def _speckled(rows: int, cols: int, seed: int) -> Layout:
    """Mines around single cells that are three apart, each with a number of its own, none of them 8."""
    full = Layout(rows, cols, frozenset())
    mines, wanted = set(), seed
    for r in range(1, rows - 1, 3):
        for c in range(1, cols - 1, 3):
            around = [p for p in full.around((r, c)) if p != (r, c)]
            mines |= set(around[: wanted % 8])
            wanted += 1
    mines -= set(full.around((rows - 1, cols - 1)))
    return Layout(rows, cols, frozenset(mines))


def _cells_of(game: Game, shot: Shot, state: str) -> tuple[str, dict[str, np.ndarray[Any, Any]]]:
    """The set's name, and SYMBOL.SET or SYMBOL.SET+EXTRA to picture (float32)."""
    groups: dict[tuple[str, str], list[np.ndarray[Any, Any]]] = {}
    pixels, place, size = shot.pixels, game.cell_box, round((shot.pitch[0] + shot.pitch[1]) / 2)
    name = str(size)
    enlarged = _as_drawn(game, shot) if game.notes.get("scale", 1) % 1 else None
    if enlarged is not None:
        pixels, left, top, size = enlarged
        name = f"{size}-enlarged"

        def place(cell: games.Place) -> tuple[float, float, float, float]:
            x, y = left + cell[1] * size, top + cell[0] * size
            return x, y, x + size, y + size

    side = min(LARGEST, size)
    pointer = tuple(shot.notes.get("pointer", ()))
    for r, row in enumerate(shot.grid):
        for c, seen in enumerate(row):
            if state != "hover" or (r, c) == pointer:
                cell = _cell(pixels, *place((r, c)), side)
                extra = _extra(game, state, seen, (r, c))
                groups.setdefault((seen, extra), []).append(cell)
                if extra in ROWS:
                    groups.setdefault((seen, ""), []).append(cell)
    return name, {
        f"{SYMBOL[seen].file_name}.{name}{extra}": np.median(np.stack(cells[:60]), axis=0).astype(np.float32)
        for (seen, extra), cells in groups.items()
    }


def _as_drawn(game: Game, shot: Shot) -> tuple[np.ndarray[Any, Any], float, float, int]:
    """A board that is shown enlarged, as the program draws it: picture, left, top and pixels from cell to cell."""
    left, top, width, height = shot.box
    rows, cols = game.layout.rows, game.layout.cols
    grid = Grid(Shape(rows, cols), left, top, width / cols, height / rows)
    small = drawn(Frame(shot.pixels), grid)
    if small is None:
        raise RuntimeError(f"{game.name} does not show an enlarged board")
    x, y, pitch, _ = in_pixels(small, grid)
    return small.pixels, float(round(x)), float(round(y)), round(pitch)


def _extra(game: Game, state: str, seen: str, at: tuple[int, int]) -> str:
    """What sets a cell apart from others that show the same symbol."""
    if state == "hover":
        return "+hover"
    if game.notes.get("theme") == "default" and isinstance(game, KMines) and seen.isdigit():
        # open cells show the board's background, which is lighter towards the top
        return ROWS[4 * at[0] // game.layout.rows]
    if state == "red" and seen in "1234567":
        flags = sum(game.model.shown.get(n) == "F" for n in game.layout.around(at))
        return "+red" if flags > int(seen) else ""
    return ""


def _cell(
    pixels: np.ndarray[Any, Any], left: float, top: float, right: float, bottom: float, side: int
) -> np.ndarray[Any, Any]:
    """One cell; whole pixels are copied, half ones are mixed, large cells made smaller."""
    if all(float(v).is_integer() for v in (left, top)) and right - left == bottom - top == side:
        return pixels[int(top) : int(bottom), int(left) : int(right)]
    scale_x, scale_y = (right - left) / side, (bottom - top) / side
    fine = 4  # area-true: drawn four times as large, then averaged
    place = np.array(
        [[scale_x / fine, 0, left + 0.5 * scale_x / fine - 0.5], [0, scale_y / fine, top + 0.5 * scale_y / fine - 0.5]]
    )
    big = cv2.warpAffine(pixels, place, (side * fine, side * fine), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    return cv2.resize(big, (side, side), interpolation=cv2.INTER_AREA)


PACKAGES = {"sgt-mines": "sgt-puzzles", "gnome-mines": "gnome-mines", "kmines": "kmines", "xdemineur": "xdemineur"}
LICENCES = {
    "sgt-mines": "MIT",
    "gnome-mines": "GPL-3.0-or-later, its themes CC-BY-SA-3.0 or GPL-3.0-or-later as its copyright file says",
    "kmines": "GPL-2.0-or-later",
    "xdemineur": "the permissive licence of its copyright file",
}


def _origin(site: str) -> str:
    asked = ["dpkg-query", "-W", "-f", "${Version}", PACKAGES[site]]
    version = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    return (
        f"The pictures in this folder were cut by tools/cut_templates.py from pictures of the program as it ran:\n"
        f"Debian package {PACKAGES[site]} {version}, licence: {LICENCES[site]}.\n"
    )


# ---------------------------------------------------------------- shots


def shots(rig: Rig, folder: Path, sites: list[str]) -> None:
    """Boards other than those the templates are cut from: other layouts, sizes and themes' sizes."""
    folder.mkdir(parents=True, exist_ok=True)
    makers: dict[str, list[Callable[[], Game]]] = {
        "sgt-mines": [
            *(
                lambda tile=tile, n=n: SgtMines(rig, dense_layout(*size_of(n), 100 + n), tile=tile)
                for n, tile in enumerate((13, 15, 17, 20, 22, 28, 33, 36, 52))
            ),
        ],
        "gnome-mines": [
            (
                lambda theme=theme, size=size, window=window, scale=scale, n=n: GnomeMines(
                    rig,
                    dense_layout(*games.GNOME_SIZES[size][:2], 200 + n, games.GNOME_SIZES[size][2]),
                    theme=theme,
                    window=window,
                    scale=scale,
                )
            )
            for n, (theme, size, window, scale) in enumerate(
                [
                    ("bgcolors", "small", None, 1),
                    ("bgcolors", "big", (1300, 800), 1),
                    ("bgcolors", "medium", (860, 720), 1),
                    ("classic", "medium", None, 1),
                    ("classic", "big", (1180, 760), 1),
                    ("classic", "small", (800, 700), 1),
                    ("default", "small", None, 1),
                    ("default", "medium", (740, 640), 1),
                    ("default", "big", (1060, 680), 1),
                    ("bgcolors", "small", None, 2),
                    ("default", "small", None, 2),
                ]
            )
        ],
        "kmines": [
            (
                lambda theme=theme, window=window, scale=scale, n=n: KMines(
                    rig, dense_layout(*size_of(n), 300 + n), theme=theme, window=window, scale=scale
                )
            )
            for n, (theme, window, scale) in enumerate(
                [(theme, window, 1.0) for theme in games.KMINES_THEMES for window in (None, (700, 540), (1150, 760))]
                + [("default", (1000, 800), 2.0), ("classic", (1000, 800), 1.5)]
            )
        ],
        "xdemineur": [
            lambda: Xdemineur(rig, dense_layout(16, 30, 401)),
            lambda: Xdemineur(rig, dense_layout(9, 12, 402)),
            lambda: Xdemineur(rig, dense_layout(20, 13, 403)),
        ],
    }
    for site in sites:
        for n, make in enumerate(makers[site]):
            for game, shot, state in playing(rig, make, wait=n % 2 == 0):
                name = f"{site}-{n:02d}-{state}"
                cv2.imwrite(str(folder / f"{name}.png"), shot.pixels)
                data = {
                    "site": site,
                    "rows": len(shot.grid),
                    "cols": len(shot.grid[0]),
                    "grid": shot.grid,
                    "bbox": list(shot.box),
                    **shot.notes,
                }
                if state == "lost" and isinstance(game, KMines) and n % 2:
                    data["state"] = "lost-popup"
                (folder / f"{name}.json").write_text(json.dumps(data, indent=1))
            print(site, n, file=sys.stderr, flush=True)


# ---------------------------------------------------------------- golden


def golden(rig: Rig, folder: Path) -> None:
    """The committed pictures: NAME.png, NAME.txt with ``~`` under what lies over it, NAME.json with the lattice."""
    for site, name, make, wanted in (
        ("sgt-mines", "20", lambda: SgtMines(rig, dense_layout(9, 14, 501), tile=20), ("mid", "solved")),
        ("sgt-mines", "34", lambda: SgtMines(rig, dense_layout(12, 10, 502), tile=34), ("fresh", "lost")),
        ("gnome-mines", "bgcolors", lambda: _gnome(rig, "medium", 503, theme="bgcolors", window=(780, 650)), ("mid",)),
        ("gnome-mines", "classic", lambda: _gnome(rig, "medium", 504, theme="classic"), ("fresh", "lost")),
        (
            "gnome-mines",
            "default",
            lambda: _gnome(rig, "big", 505, theme="default", window=(1150, 700)),
            ("hover", "lost"),
        ),
        ("kmines", "default", lambda: KMines(rig, dense_layout(9, 14, 506), window=(560, 430)), ("mid", "lost")),
        ("kmines", "classic", lambda: KMines(rig, dense_layout(10, 12, 507), theme="classic"), ("fresh", "mid")),
        (
            "kmines",
            "green",
            lambda: KMines(rig, dense_layout(8, 11, 508), theme="green", window=(600, 460)),
            ("fresh", "mid"),
        ),
        (
            "kmines",
            "graves",
            lambda: KMines(rig, dense_layout(8, 11, 509), theme="graveyard-mayhem", window=(640, 480)),
            ("mid", "lost"),
        ),
        ("xdemineur", "small", lambda: Xdemineur(rig, dense_layout(9, 13, 510)), ("mid", "lost")),
    ):
        for _, shot, state in playing(rig, make):
            if state in wanted:
                _write(folder / site / f"{name}-{state}", shot, shot.grid)
    for theme in ("default", "classic"):
        game = KMines(rig, dense_layout(9, 12, 511), theme=theme, window=(640, 520))
        game.open_all(but=game.spare()[:2])
        game.lose(max(game.layout.mines))
        hidden = game.photograph(state="lost")
        time.sleep(games.POPUP_SECONDS)
        _write(folder / "kmines" / f"popup-{theme}", hidden, _hidden(game, hidden, game.photograph()))
        game.end()
    game = _gnome(rig, "medium", 512, theme="bgcolors", window=(900, 760))
    game.open_all()
    hidden = game.photograph(state="won")
    rig.tell("xdotool", "key", "Escape")
    time.sleep(1.5)
    for cell in game.layout.mines:
        game.model.shown[cell] = "F"  # the program flags them itself
    hidden.grid = game.model.rows()
    _write(folder / "gnome-mines" / "dialog", hidden, _hidden(game, hidden, game.photograph()))
    game.end()


def _gnome(rig: Rig, size: str, seed: int, **how: Any) -> GnomeMines:
    rows, cols, mines = games.GNOME_SIZES[size]
    return GnomeMines(rig, dense_layout(rows, cols, seed, mines), **how)


def _hidden(game: Game, shot: Shot, bare: Shot) -> list[str]:
    """The board with ``~`` where two pictures of it differ."""
    differs = np.abs(shot.pixels.astype(np.int32) - bare.pixels).max(2) > 4
    rows = [list(row) for row in shot.grid]
    for r, row in enumerate(rows):
        for c in range(len(row)):
            left, top, right, bottom = (round(v) for v in game.cell_box((r, c)))
            if differs[top:bottom, left:right].any():
                row[c] = "~"
    return ["".join(row) for row in rows]


def _write(file: Path, shot: Shot, grid: list[str]) -> None:
    """A picture cut to the board and what is around it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    left, top, width, height = shot.box
    x0, y0 = max(0, int(left) - 60), max(0, int(top) - 60)
    part = shot.pixels[y0 : int(top + height) + 60, x0 : int(left + width) + 60]
    cv2.imwrite(f"{file}.png", part, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    Path(f"{file}.txt").write_text("\n".join(grid).replace("#", ".") + "\n")
    data = {"left": left - x0, "top": top - y0, "pitch": [round(p, 4) for p in shot.pitch], **shot.notes}
    Path(f"{file}.json").write_text(json.dumps(data, indent=1) + "\n")


def size_of(n: int) -> tuple[int, int]:
    """Rows and columns of the nth board; never only square."""
    return ((9, 14), (12, 10), (8, 16), (15, 15), (10, 22), (9, 9), (13, 17))[n % 7]


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(dest="kind", required=True)
    cutting = kinds.add_parser("cut")
    shooting = kinds.add_parser("shots")
    shooting.add_argument("folder", type=Path)
    kinds.add_parser("golden").add_argument("folder", type=Path)
    for one in (cutting, shooting):
        one.add_argument("sites", nargs="*", metavar="SITE", help=f"of {', '.join(games.PROGRAMS)}")
    asked = parser.parse_args()
    missing = games.missing_games()
    if missing:
        sys.exit(f"These programs are missing: {' '.join(missing)}. Install their Debian packages.")
    sites = getattr(asked, "sites", None) or list(games.PROGRAMS)
    with Rig(1900, 1800) as rig:
        if asked.kind == "cut":
            cut(rig, sites)
        elif asked.kind == "golden":
            golden(rig, asked.folder)
        else:
            shots(rig, asked.folder, sites)


if __name__ == "__main__":
    main()
