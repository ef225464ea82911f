"""Owns the Debian Minesweeper programs under test: started on a virtual screen with a layout of our choice, played
by clicks, photographed together with what they must show.

The truth is never read off the picture. Simon Tatham's Mines takes its layout on the command line; the others are
given their dice by ``games_shim.c``, preloaded, so the layout is known as well, and a few lines of rules say what
is open after which clicks. Coordinates are (row, column), pictures are BGR in device pixels.
"""

from __future__ import annotations

import math
import random
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import mss
import numpy as np
from chromium import ChromiumFailed, wait_until
from rig import Rig

from autosolve.vision.frame import Frame
from autosolve.vision.grid import EDGES, Grid, lattices

HERE = Path(__file__).resolve().parent
GAMES = Path("/usr/games")
PROGRAMS = ("sgt-mines", "gnome-mines", "kmines", "xdemineur")
KMINES_THEMES = ("default", "classic", "green", "graveyard-mayhem")
GNOME_THEMES = ("bgcolors", "classic", "default")
GNOME_SIZES = {"small": (8, 8, 10), "medium": (16, 16, 40), "big": (16, 30, 99)}

POPUP_SECONDS = 11.0  # that KMines covers its board with what the outcome was

Place = tuple[int, int]
Mines = frozenset[Place]


def missing_games() -> list[str]:
    """Which programs are not installed here, a C compiler and wmctrl among them."""
    out = [name for name in PROGRAMS if not (GAMES / name).exists()]
    return out + [name for name in ("cc", "wmctrl", "xdotool") if shutil.which(name) is None]


# ---------------------------------------------------------------- layouts and rules


@dataclass(frozen=True)
class Layout:
    """Where the mines lie; ``first`` is a 0 that is opened first, where it matters which."""

    rows: int
    cols: int
    mines: Mines
    first: Place | None = None

    def around(self, at: Place) -> list[Place]:
        """The cell itself and its neighbours."""
        return [
            (r, c)
            for r in range(max(0, at[0] - 1), min(self.rows, at[0] + 2))
            for c in range(max(0, at[1] - 1), min(self.cols, at[1] + 2))
        ]

    def number(self, at: Place) -> int:
        """The mines around a cell."""
        return sum(n in self.mines for n in self.around(at) if n != at)

    @property
    def cells(self) -> list[Place]:
        """All cells, row by row."""
        return [(r, c) for r in range(self.rows) for c in range(self.cols)]


def dense_layout(rows: int, cols: int, seed: int, mines: int | None = None) -> Layout:
    """Few mines at the left, nearly only mines at the right, so that all numbers occur; one 8 with few mines.

    There is always a 0, in the left columns, for a first click that programs keep free of mines."""
    dice = random.Random(seed)
    full, eight = Layout(rows, cols, frozenset()), (dice.randrange(1, rows - 1), cols - 2)
    while True:
        share = [0.02 + 0.75 * max(0.0, (c - 1.5) / (cols - 1.5)) ** 1.2 for c in range(cols)]
        chosen = {p for p in full.cells if dice.random() < share[p[1]]}
        if mines is None or mines >= 40:
            chosen |= set(full.around(eight))
        chosen.discard(eight)
        chosen -= {p for p in full.cells if p[1] < 2 and p[0] < 3}
        if mines is not None:
            spare = sorted(chosen - set(full.around(eight)), key=lambda p: (p[1], dice.random()))
            while len(chosen) > mines and spare:
                chosen.discard(spare.pop(dice.randrange(len(spare))))
            free = [p for p in full.cells if p[1] > 2 and p not in chosen and p != eight]
            dice.shuffle(free)
            while len(chosen) < mines:
                chosen.add(free.pop())
        layout = Layout(rows, cols, frozenset(chosen))
        numbers = {layout.number(p) for p in full.cells if p not in chosen}
        whole = numbers == set(range(9)) or len(chosen) < 40
        if (mines is None or len(chosen) == mines) and whole and layout.number((0, 0)) == 0 and (0, 0) not in chosen:
            return layout


@dataclass
class Model:
    """What a board shows after clicks, in board text; ``question`` whether a right click goes on to a ``?``."""

    layout: Layout
    question: bool = True
    shown: dict[Place, str] = field(default_factory=dict)

    def open(self, at: Place) -> None:
        """A left click on a covered cell."""
        if self.shown.get(at, "#") not in "#?":
            return
        if at in self.layout.mines:
            self.shown[at] = "!"
            return
        todo = [at]
        while todo:
            here = todo.pop()
            if self.shown.get(here, "#") in "#?":
                number = self.layout.number(here)
                self.shown[here] = str(number)
                if number == 0:
                    todo += self.layout.around(here)

    def mark(self, at: Place) -> None:
        """A right click."""
        seen = self.shown.get(at, "#")
        after = {"#": "F", "F": "?" if self.question else "#", "?": "#"}.get(seen)
        if after:
            self.shown[at] = after

    def rows(self) -> list[str]:
        """The board, a string a row, ``#`` for covered."""
        size = self.layout
        return ["".join(self.shown.get((r, c), "#") for c in range(size.cols)) for r in range(size.rows)]


# ---------------------------------------------------------------- programs


@dataclass
class Shot:
    """A picture of the screen and the truth: ``grid`` a string a row, ``box`` left, top, width, height (pixels)."""

    pixels: np.ndarray[Any, Any]
    grid: list[str]
    box: tuple[float, float, float, float]
    notes: dict[str, Any] = field(default_factory=dict)

    @property
    def pitch(self) -> tuple[float, float]:
        """Pixels from cell to cell, across and down."""
        return self.box[2] / len(self.grid[0]), self.box[3] / len(self.grid)


_shim: list[Path] = []


def _shim_path() -> Path:
    if not _shim:
        file = Path(tempfile.mkdtemp(prefix="autosolve-shim-")) / "dice.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", str(file), str(HERE / "games_shim.c")], check=True)
        _shim.append(file)
    return _shim[0]


class Program:
    """One program on a rig, with a home of its own. Without ``dice`` it deals as it does for a person."""

    def __init__(self, rig: Rig, name: str) -> None:
        self.rig, self.name = rig, name
        self.notes: dict[str, Any] = {"program": name}
        self._process: subprocess.Popen[bytes] | None = None
        self.window = ""
        self.home = Path(tempfile.mkdtemp(prefix="home-", dir=rig.folder))

    # -- starting and ending

    def sgt_mines(self, game: str, tile: int = 20, font: str = "") -> None:
        """Simon Tatham's Mines; ``game`` is a layout, or as in 30x16n99 (columns first)."""
        env = {"MINES_TILESIZE": str(tile)}
        if font:
            env["FONTCONFIG_FILE"] = str(_only_font(font, self.home))
        self._launch([str(GAMES / "sgt-mines"), *(["--game"] if ":" in game else []), game], env)

    def gnome_mines(
        self,
        size: str,
        *,
        theme: str = "bgcolors",
        window: tuple[int, int] | None = None,
        scale: int = 1,
        gtk_theme: str = "",
        dice: Iterable[int] = (),
    ) -> None:
        """GNOME Mines in one of its sizes, without animations."""
        settings = {"theme": f"'{theme}'", "use-question-marks": "true", "use-animations": "false"}
        if window:
            settings |= {"window-width": str(window[0]), "window-height": str(window[1])}
        file = self.home / ".config/glib-2.0/settings/keyfile"
        file.parent.mkdir(parents=True)
        file.write_text("[org/gnome/Mines]\n" + "".join(f"{k}={v}\n" for k, v in settings.items()))
        env = {"GSETTINGS_BACKEND": "keyfile", "GDK_SCALE": str(scale)}
        if gtk_theme:
            env["GTK_THEME"] = gtk_theme
        self._launch([str(GAMES / "gnome-mines"), f"--{size}"], env, dice=dice)
        time.sleep(0.8)

    def kmines(
        self,
        rows: int,
        cols: int,
        mines: int,
        *,
        theme: str = "default",
        window: tuple[int, int] | None = None,
        scale: float = 1.0,
        dice: Iterable[int] = (),
    ) -> None:
        """KMines with a custom field, which asks nothing before it begins anew."""
        plain = "kmines_reset=false\nquestion mark=true\n"
        (self.home / ".config").mkdir()
        (self.home / ".config/kminesrc").write_text(
            f"[General]\n{plain}[Options]\n{plain}custom width={cols}\ncustom height={rows}\n"
            f"custom mines={mines}\n[KgTheme]\nTheme=themes/{theme}.desktop\n[KgDifficulty]\nLevel=Custom\n"
        )
        env = {"QT_QPA_PLATFORM": "xcb", "KDE_FORK_SLAVES": "1", "QT_SCALE_FACTOR": str(scale)}
        self._launch(["dbus-run-session", "--", str(GAMES / "kmines")], env, dice=dice)
        time.sleep(0.8)
        if window:
            self.resize(*window)

    def xdemineur(self, rows: int, cols: int, mines: int, *, dice: Iterable[int] = ()) -> None:
        """xdemineur, which has one size of cells; 12 columns at least."""
        self._launch([str(GAMES / "xdemineur"), "-geometry", f"{cols}x{rows}", "-m", str(mines)], {}, dice=dice)

    def _launch(self, argv: Sequence[str], env: dict[str, str], *, dice: Iterable[int] = ()) -> None:
        for part in (".config", ".local/share", ".cache", "runtime"):
            (self.home / part).mkdir(parents=True, exist_ok=True)
        (self.home / "runtime").chmod(0o700)
        own = {
            "HOME": str(self.home),
            "XDG_CONFIG_HOME": str(self.home / ".config"),
            "XDG_DATA_HOME": str(self.home / ".local/share"),
            "XDG_CACHE_HOME": str(self.home / ".cache"),
            "XDG_RUNTIME_DIR": str(self.home / "runtime"),
            "LC_ALL": "C.UTF-8",
            "NO_AT_BRIDGE": "1",
            **env,
        }
        rolled = ",".join(map(str, dice))
        if rolled:
            own["LD_PRELOAD"], own["AUTOSOLVE_DICE"] = str(_shim_path()), rolled
        for attempt in range(3):
            before = set(self.rig.windows())
            kept, self.rig.env = self.rig.env, {**self.rig.env, **own}
            for name in ("DBUS_SESSION_BUS_ADDRESS", "SESSION_MANAGER"):
                self.rig.env.pop(name, None)
            try:
                self._process = self.rig.launch(["env", *argv])
            finally:
                self.rig.env = kept
            try:
                fresh = wait_until(lambda: set(self.rig.windows()) - before, 40, f"{self.name} window")  # noqa: B023
                self.window = next(iter(fresh))
                break
            except ChromiumFailed:  # now and then the window manager misses a window
                self.end()
                if attempt == 2:
                    raise
        time.sleep(1.2)

    def end(self) -> None:
        """Ends the program."""
        if self._process:
            self.rig.end(self._process)
        time.sleep(0.2)

    # -- the window

    def client(self) -> tuple[int, int, int, int]:
        """x, y, width, height of the window's inside on the screen."""
        # xdotool would count the window's frame twice
        asked = subprocess.run(["xwininfo", "-id", self.window], env=self.rig.env, capture_output=True, check=True)
        said = asked.stdout.decode(errors="replace")
        keys = ("Absolute upper-left X", "Absolute upper-left Y", "Width", "Height")
        x, y, width, height = (int(re.search(rf"{k}:\s+(-?\d+)", said)[1]) for k in keys)  # type: ignore[index]
        return x, y, width, height

    def resize(self, width: int, height: int, x: int = 20, y: int = 40) -> None:
        """Places the inside of the window."""
        self.rig.tell("wmctrl", "-i", "-r", self.window, "-e", f"10,{x},{y},{width},{height}")
        time.sleep(0.7)

    def pixels(self) -> np.ndarray[Any, Any]:
        """The whole screen, BGR."""
        with mss.MSS(display=self.rig.env["DISPLAY"]) as camera:
            return np.ascontiguousarray(np.asarray(camera.grab(camera.monitors[0]))[:, :, :3])


class Game(Program):
    """A program dealt a layout. ``box`` is where the board is, on the screen; ``model`` is what it must show."""

    # seconds a program takes to show what a click did
    SETTLE = 0.25

    def __init__(self, rig: Rig, name: str, layout: Layout, *, question: bool = True) -> None:
        super().__init__(rig, name)
        self.layout = layout
        self.model = Model(layout, question)
        self.box = (0.0, 0.0, 0.0, 0.0)

    def _tiles(self) -> Grid:
        """The lattice of even tiles that has the layout's size, as the product finds it."""
        wanted = (self.layout.rows, self.layout.cols)
        for grid in lattices(Frame(self.pixels()), edges=EDGES):
            if (grid.shape.rows, grid.shape.cols) == wanted:
                return grid
        raise RuntimeError(f"{self.name} shows no board of {wanted}")

    def _box_of_tiles(self, tile: int) -> tuple[float, float, float, float]:
        """The board's box when its cells are ``tile`` whole pixels wide."""
        grid = self._tiles()
        middle = grid.left + grid.box.width / 2, grid.top + grid.box.height / 2
        width, height = tile * self.layout.cols, tile * self.layout.rows
        return (
            float(math.floor(middle[0] - width / 2 + 0.49)),
            float(math.floor(middle[1] - height / 2 + 0.49)),
            float(width),
            float(height),
        )

    # -- playing

    def at(self, cell: Place) -> tuple[int, int]:
        """The middle of a cell on the screen."""
        left, top, right, bottom = self.cell_box(cell)
        return round((left + right) / 2), round((top + bottom) / 2)

    def cell_box(self, cell: Place) -> tuple[float, float, float, float]:
        """left, top, right, bottom of a cell in pixels."""
        left, top, width, height = self.box
        px, py = width / self.layout.cols, height / self.layout.rows
        return left + cell[1] * px, top + cell[0] * py, left + (cell[1] + 1) * px, top + (cell[0] + 1) * py

    def click(self, cells: Sequence[Place], button: int = 1) -> None:
        """Presses a button on each cell in turn; the truth is not told of it."""
        for i in range(0, len(cells), 25):
            steps: list[str] = []
            for cell in cells[i : i + 25]:
                x, y = self.at(cell)
                steps += ["mousemove", str(x), str(y), "sleep", "0.015", "click", str(button), "sleep", "0.02"]
            self.rig.tell("xdotool", *steps)
        time.sleep(self.SETTLE)

    def open(self, *cells: Place) -> None:
        """Opens cells, which must not lie under a flag."""
        for cell in cells:
            if self.model.shown.get(cell, "#") == "#":
                self.click([cell])
                self.model.open(cell)

    def mark(self, *cells: Place) -> None:
        """Right-clicks cells."""
        self.click(cells, 3)
        for cell in cells:
            self.model.mark(cell)

    def first(self) -> Place:
        """A cell without mines around it."""
        if self.layout.first is not None:
            return self.layout.first
        return next(p for p in self.layout.cells if p not in self.layout.mines and self.layout.number(p) == 0)

    def spare(self) -> list[Place]:
        """Safe cells that no blank opens, so that they stay covered until they are clicked."""
        size = self.layout
        return [p for p in size.cells if p not in size.mines and all(size.number(n) for n in size.around(p))]

    def open_all(self, but: Iterable[Place] = ()) -> None:
        """Opens every cell that is safe, but those; a quick series of clicks."""
        kept = set(but)
        self.open(self.first())
        todo = []
        for cell in self.layout.cells:
            if cell not in self.layout.mines and cell not in kept and self.model.shown.get(cell, "#") == "#":
                todo.append(cell)
                self.model.open(cell)
        self.click(todo)

    def lose(self, at: Place) -> None:
        """Opens a mine; what the program shows then is told by ``_after_loss``."""
        assert at in self.layout.mines
        self.click([at])
        self.model.shown[at] = "!"
        self._after_loss(at)

    def _after_loss(self, hit: Place) -> None:
        raise NotImplementedError

    def park(self) -> None:
        """Takes the pointer off the board."""
        self.rig.point(self.rig.size[0] - 3, self.rig.size[1] - 3)
        time.sleep(0.25)

    def photograph(self, **notes: Any) -> Shot:
        """The whole screen with the truth."""
        self.park()
        return Shot(self.pixels(), self.model.rows(), self.box, {**self.notes, **notes})


class SgtMines(Game):
    """Simon Tatham's Mines: the layout is its game id, the tile any size."""

    def __init__(self, rig: Rig, layout: Layout, *, tile: int = 20, font: str = "") -> None:
        super().__init__(rig, "sgt-mines", layout, question=False)
        bits = "".join("1" if p in layout.mines else "0" for p in layout.cells)
        bits += "0" * (-len(bits) % 8)
        # four cells a digit, and no digit more
        code = int(bits, 2).to_bytes(len(bits) // 8, "big").hex()[: -(-len(layout.cells) // 4)]
        first = self.first()
        game = f"{layout.cols}x{layout.rows}:{first[1]},{first[0]},u{code}"
        self.notes |= {"game": game, "tile": tile}
        self.sgt_mines(game, tile, font)
        self.model.open(first)
        self.tile = tile
        self._place()

    def _place(self) -> None:
        self.box = self._box_of_tiles(self.tile)

    def _after_loss(self, hit: Place) -> None:
        pass  # nothing but the mine that was hit

    def show_mines(self) -> None:
        """After a loss: Solve, the last but one in the menu, shows all mines and crosses wrong flags."""
        x, y, _, _ = self.client()
        before = self.pixels()
        self.rig.tell("xdotool", "mousemove", str(x + 25), str(y + 12), "sleep", "0.2", "click", "1")
        time.sleep(0.5)
        self.rig.tell("xdotool", "key", "Up", "sleep", "0.1", "key", "Up", "sleep", "0.1", "key", "Return")
        self.park()
        time.sleep(0.5)
        if np.array_equal(before, self.pixels()):
            raise RuntimeError("sgt-mines did not show its mines")
        for cell in self.layout.cells:
            seen = self.model.shown.get(cell, "#")
            if cell in self.layout.mines and seen == "#":
                self.model.shown[cell] = "*"
            elif cell not in self.layout.mines and seen == "F":
                self.model.shown[cell] = "X"


_FONTS = {
    "liberation": "LiberationSans-Regular",
    "liberation-bold": "LiberationSans-Bold",
    "dejavu": "DejaVuSans",
    "dejavu-bold": "DejaVuSans-Bold",
}


def _only_font(name: str, folder: Path) -> Path:
    """A fontconfig file under which every text is drawn in one font."""
    found = next(Path("/usr/share/fonts").rglob(f"{_FONTS[name]}.ttf"))
    own = folder / "fonts"
    own.mkdir()
    shutil.copy(found, own)
    file = folder / "fonts.conf"
    file.write_text(f"<fontconfig><dir>{own}</dir><cachedir>{folder}/fontcache</cachedir></fontconfig>")
    return file


class GnomeMines(Game):
    """GNOME Mines in one of its three sizes; the window decides the tiles' size, a theme their look."""

    def __init__(
        self,
        rig: Rig,
        layout: Layout,
        *,
        theme: str = "bgcolors",
        window: tuple[int, int] | None = None,
        scale: int = 1,
        gtk_theme: str = "",
    ) -> None:
        super().__init__(rig, "gnome-mines", layout)
        sizes = {(r, c, n): name for name, (r, c, n) in GNOME_SIZES.items()}
        size = sizes[layout.rows, layout.cols, len(layout.mines)]
        self.notes |= {"theme": theme, "size": size, "scale": scale, "gtk": gtk_theme}
        dice = [n for r, c in sorted(layout.mines) for n in (c, r)]
        self.gnome_mines(size, theme=theme, window=window, scale=scale, gtk_theme=gtk_theme, dice=dice)
        grid = self._tiles()
        # its tiles differ by a pixel: their edges are where the gaps between them run through the whole board
        pixels = self.pixels()
        x0, y0 = round(grid.left), round(grid.top)
        x1, y1 = round(grid.box.right), round(grid.box.bottom)
        across = _middles(pixels[y0 + 3 : y1 - 3, x0 - 14 : x1 + 14], layout.cols)
        down = _middles(pixels[y0 - 14 : y1 + 14, x0 + 3 : x1 - 3].swapaxes(0, 1), layout.rows)
        self.across = [x0 - 14 + v for v in across]
        self.down = [y0 - 14 + v for v in down]
        self.box = (self.across[0], self.down[0], self.across[-1] - self.across[0], self.down[-1] - self.down[0])

    def cell_box(self, cell: Place) -> tuple[float, float, float, float]:
        r, c = cell
        return self.across[c], self.down[r], self.across[c + 1], self.down[r + 1]

    def _after_loss(self, hit: Place) -> None:
        _show_mines(self.model, covered="#")  # a question mark stays


def _middles(strip: np.ndarray[Any, Any], count: int) -> list[float]:
    """Where the gaps between ``count`` tiles run: their middles, and the same distance outside the outer tiles."""
    tile = np.median(strip.reshape(-1, 3), axis=0)
    full = (np.abs(strip.astype(np.int32) - tile).max(2) < 12).mean(0) > 0.5
    edges = np.flatnonzero(np.diff(full.astype(np.int8), prepend=0, append=0))
    spans = edges.reshape(-1, 2)
    if len(spans) != count:
        raise RuntimeError(f"{len(spans)} tiles instead of {count}")
    middles = [float(a + b) / 2 for a, b in zip(spans[:-1, 1], spans[1:, 0], strict=True)]
    half = float(np.median(spans[1:, 0] - spans[:-1, 1])) / 2
    return [float(spans[0, 0]) - half, *middles, float(spans[-1, 1]) + half]


class KMines(Game):
    """KMines with a custom field; its cells are as large as the window allows, a theme gives their look."""

    def __init__(
        self,
        rig: Rig,
        layout: Layout,
        *,
        theme: str = "default",
        window: tuple[int, int] | None = None,
        scale: float = 1.0,
    ) -> None:
        super().__init__(rig, "kmines", layout)
        cells, mines = layout.rows * layout.cols, sorted(layout.mines)
        # the program scales 32 bits down to the number of cells
        dice = [-(-((r * layout.cols + c) << 32) // cells) for r, c in mines]
        self.notes |= {"theme": theme, "scale": scale}
        self.kmines(layout.rows, layout.cols, len(mines), theme=theme, window=window, scale=scale, dice=dice)
        self.scale = scale
        self._place()

    def _place(self) -> None:
        x, y, width, height = self.client()
        above, below = round(self.ABOVE * self.scale), round(self.BELOW * self.scale)
        rows, cols = self.layout.rows, self.layout.cols
        inner = height - above - below
        # one cell's width is left free around the field
        k = self.scale
        cell = int(min(width / k / (cols + 2), inner / k / (rows + 2))) * k
        left = x + width / 2 - cell * cols / 2
        top = y + above + inner / 2 - cell * rows / 2
        self.box = (math.floor(left), math.floor(top), cell * cols, cell * rows)
        if k != 1:  # bars are not scaled evenly
            grid = self._tiles()
            self.box = (grid.left, grid.top, grid.box.width, grid.box.height)

    # menu and tool bar, status line: pixels at scale 1
    ABOVE, BELOW = 55, 30

    def _after_loss(self, hit: Place) -> None:
        _show_mines(self.model)


class Xdemineur(Game):
    """xdemineur: 21 pixels a cell, 12 columns at least; it opens a blank region itself."""

    def __init__(self, rig: Rig, layout: Layout) -> None:
        super().__init__(rig, "xdemineur", layout)
        left = list(layout.cells)
        dice = []
        for mine in sorted(layout.mines):
            dice.append(left.index(mine))
            left.remove(mine)
        self.xdemineur(layout.rows, layout.cols, len(layout.mines), dice=[*dice, 0])
        self.model.open(self.first())
        self.box = self._box_of_tiles(21)

    def _after_loss(self, hit: Place) -> None:
        _show_mines(self.model)


def _show_mines(model: Model, covered: str = "#?") -> None:
    """What most programs show of a lost game: mines without a flag, flags without a mine."""
    for cell in model.layout.cells:
        seen = model.shown.get(cell, "#")
        if cell in model.layout.mines and seen in covered:
            model.shown[cell] = "*"
        elif cell not in model.layout.mines and seen == "F":
            model.shown[cell] = "X"
