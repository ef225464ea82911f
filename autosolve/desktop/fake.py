"""Owns a painted desktop with a painted site on it: a screen, a mouse and a clock that need no machine.

The site is drawn with a profile's templates and behaves by its buttons. It can be told to go wrong as real pages
do: to swallow, double or delay clicks, to open a popup, move, scroll or load another puzzle, and a person's hand
can take the mouse. On a site where a click opens a cell it deals, opens, chords, wins and loses as a game does. Chance
comes from a seed and time from its own clock, so every run is the same.

Legend: lengths and places are screen points unless pixels are named, times are seconds of its own clock.
"""

from __future__ import annotations

import dataclasses
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from autosolve.board.shape import Cell, CellSet, Shape, cell_set, cells_in
from autosolve.clicks.plan import Click
from autosolve.desktop.places import place
from autosolve.errors import WrongUse
from autosolve.generate.game import Field, Game, State
from autosolve.vision.frame import Box, Frame, Monitor, Pixels, Point
from autosolve.vision.grid import Grid
from autosolve.vision.profile import Profile, Symbol

_PAGE = (255, 255, 255)
_INK = (70, 70, 70)


@dataclass(slots=True)
class FakeSite:
    """A site on a desktop; implements Screen and Mouse, and hands out ``clock`` and ``sleep``.

    ``rows``      the board in board text
    ``at``        left top corner of the first cell
    ``pitch``     points from cell to cell, a fraction above 4
    ``window``    the page's window: of the board only the part inside shows and can be clicked
    ``screens``   the monitors; each has its own pixels per point
    ``variant``   which drawing of a symbol is used, where a site has several
    ``swallow``   share of clicks that get lost, 0..1      ``double``  share that count twice
    ``delay``     seconds from a click to its effect      ``work``  seconds of work a click makes for the page: they
                  queue up, and nothing is painted until the last is done
    ``deaf``      cells that never react                   ``hover``   the cell under the pointer lights up
    ``restless``  the board never stops changing           ``clockwork``  something else on the page does
    ``grab_time`` seconds a picture takes                  ``seed``   of the chance in swallow and double

    Where a click opens a cell (``rows`` then only gives the size):

    ``deal``      the hidden board of game 1, 2, ..., given the cell that is opened first
    ``flood``     seconds an opening takes to run its course
    ``message``   seconds a message lies over the board when a game has ended, if the profile's ``close_key`` does not
                  close it before; None: none does
    ``opens``     a game begins with a region open

    ``presses``   every press that reached a cell, as (cell, button)
    ``strays``    every press that hit anything else
    """

    profile: Profile
    rows: Sequence[str]
    at: Point = Point(420.0, 230.0)
    pitch: float = 31.0
    window: Box = Box(60, 40, 1160, 720)
    screens: tuple[Monitor, ...] = (Monitor(1, Box(0, 0, 1280, 800)),)
    variant: str = ""
    swallow: float = 0.0
    double: float = 0.0
    delay: float = 0.0
    work: float = 0.0
    deaf: CellSet = 0
    hover: bool = False
    restless: bool = False
    clockwork: bool = False
    grab_time: float = 0.001
    seed: int = 0
    deal: Callable[[int, Cell], Field] | None = None
    flood: float = 0.0
    message: float | None = None
    opens: bool = False
    presses: list[tuple[Cell, str]] = field(default_factory=list)
    strays: list[Point] = field(default_factory=list)
    grabs: int = 0
    games: int = 1
    game: Game | None = None
    _symbols: list[Symbol] = field(default_factory=list)
    _shape: Shape = Shape(1, 1)
    _pointer: Point = Point(900.0, 760.0)
    _time: float = 0.0
    _clicks: int = 0
    _popup: Box | None = None
    _due: list[tuple[float, Cell, str]] = field(default_factory=list)
    _events: list[tuple[str, float, Callable[[], None]]] = field(default_factory=list)
    _pictures: dict[tuple[Symbol, int, int], Pixels] = field(default_factory=dict)
    _canvas: dict[int, Pixels] = field(default_factory=dict)
    _painted: list[Symbol | None] = field(default_factory=list)
    _random: random.Random = field(default_factory=random.Random)

    def __post_init__(self) -> None:
        if not self.pitch > 4:
            raise WrongUse("The cells of a painted site are too small.", "Give a pitch above 4 points.")
        self._random.seed(self.seed)
        self.load(self.rows)

    # ------------------------------------------------------------ what happens to the page

    def after(self, do: Callable[[], None], *, clicks: int | None = None, seconds: float | None = None) -> None:
        """Calls ``do`` once, after so many clicks or so much time."""
        if clicks is not None:
            self._events.append(("clicks", clicks, do))
        if seconds is not None:
            self._events.append(("time", seconds, do))

    def load(self, rows: Sequence[str]) -> None:
        """Shows another board, in board text."""
        self._shape = Shape(len(rows), len(rows[0]))
        self._symbols = [Symbol(char) for row in rows for char in row]
        self._due.clear()
        self.game = None
        if self.opens and self.deal is not None:
            self._play(Cell(0), self.profile.play.open)
        self.repaint()

    def renew(self) -> None:
        """Begins a new game."""
        self.games += 1
        self._popup = None
        self.load(["." * self._shape.cols] * self._shape.rows)

    def move(self, to: Point) -> None:
        """Puts the pointer somewhere, as a Mouse does."""
        self._pointer = Point(round(to.x), round(to.y))
        self._pass(0.0005)

    def move_board(self, dx: float, dy: float) -> None:
        """Moves the board inside its window, as scrolling does."""
        self.at = Point(self.at.x + dx, self.at.y + dy)
        self.repaint()

    def move_window(self, dx: float, dy: float) -> None:
        """Moves the window with the board in it."""
        self.window = self.window._replace(x=self.window.x + dx, y=self.window.y + dy)
        self.move_board(dx, dy)

    def popup(self, box: Box | None) -> None:
        """Opens a popup over everything, or closes it (None)."""
        self._popup = box
        self.repaint()

    def hand(self, dx: float, dy: float) -> None:
        """A person moves the mouse."""
        self._pointer = Point(self._pointer.x + dx, self._pointer.y + dy)

    def hand_to(self, to: Point) -> None:
        """A person moves the mouse to a place."""
        self._pointer = to

    def press(self, keys: str) -> None:
        """Presses keys, as a Keyboard does."""
        self._pass(0.03)
        if keys == self.profile.play.new_key:
            self.renew()
        elif keys == self.profile.play.close_key:
            self.popup(None)

    # ------------------------------------------------------------ what can be asked of it

    @property
    def grid(self) -> Grid:
        """Where the cells truly are; ``cut`` names the sides that do not show whole."""
        whole = Grid(self._shape, self.at.x, self.at.y, self.pitch, self.pitch)
        box, view = whole.box, self.window
        sides = (
            ("top", box.y < view.y),
            ("bottom", box.bottom > view.bottom),
            ("left", box.x < view.x),
            ("right", box.right > view.right),
        )
        return dataclasses.replace(whole, cut=frozenset(side for side, beyond in sides if beyond))

    @property
    def text(self) -> list[str]:
        """The board as it is now, in board text."""
        cols = self._shape.cols
        chars = "".join(symbol.value for symbol in self._symbols)
        return [chars[i : i + cols] for i in range(0, len(chars), cols)]

    @property
    def flags(self) -> CellSet:
        """The cells that are flagged now."""
        return cell_set(c for c, symbol in enumerate(self._symbols) if symbol is Symbol.FLAG)

    @property
    def popped(self) -> Box | None:
        """Where a popup covers the screen."""
        return self._popup

    # ------------------------------------------------------------ clock

    def clock(self) -> float:
        """Seconds since the beginning."""
        return self._time

    def sleep(self, seconds: float) -> None:
        """Lets time pass."""
        self._pass(seconds)

    def _pass(self, seconds: float) -> None:
        self._time += seconds
        happened = [e for e in self._events if e[1] <= (self._clicks if e[0] == "clicks" else self._time)]
        self._events = [e for e in self._events if e not in happened]
        for _, _, do in happened:
            do()
        arrived = [d for d in self._due if d[0] <= self._time]
        self._due = [d for d in self._due if d[0] > self._time]
        for _, cell, button in arrived:
            self._press(cell, button)

    # ------------------------------------------------------------ screen

    def monitors(self) -> tuple[Monitor, ...]:
        """The monitors."""
        return self.screens

    def grab(self, box: Box) -> Frame:
        """A picture of ``box`` as it looks now."""
        self.grabs += 1
        self._pass(self.grab_time)
        monitor, inside = place(box, self.screens)
        pixels = self._paint(monitor)
        whole = Frame(pixels, Point(monitor.box.x, monitor.box.y), monitor.scale)
        part = whole.crop(inside)
        return Frame(part.pixels.copy(), part.origin, part.scale)

    # ------------------------------------------------------------ mouse

    def position(self) -> Point:
        """Where the pointer is."""
        return self._pointer

    def click(self, click: Click) -> None:
        """One press where the click says, held and released in the profile's time."""
        self.move(click.at)
        self._clicks += 1
        at = self._pointer
        cell = self._cell_at(at)
        if cell is None and self._renews(at):
            self.renew()
        elif cell is None:
            self.strays.append(at)
        else:
            self.presses.append((cell, click.button))
            lost = self._random.random() < self.swallow or self.deaf >> cell & 1
            times = 2 if self._random.random() < self.double else 1
            for _ in range(0 if lost else times):
                idle = max([self._time, *(due for due, _, _ in self._due)]) if self.work else self._time
                self._due.append((idle + self.delay + self.work, cell, click.button))
        self._pass(self.profile.hold + self.profile.gap)

    def _cell_at(self, at: Point) -> Cell | None:
        if (self._popup is not None and self._popup.holds(at)) or not self.window.holds(at):
            return None
        grid = self.grid
        row, col = math.floor((at.y - grid.top) / grid.pitch_y), math.floor((at.x - grid.left) / grid.pitch_x)
        if not (0 <= row < self._shape.rows and 0 <= col < self._shape.cols):
            return None
        return self._shape.cell(row, col)

    def _renews(self, at: Point) -> bool:
        """Whether a click hits what begins a new game."""
        spot, grid = self.profile.play.new_at, self.grid
        if spot is None:
            return False
        x, y = grid.left + grid.box.width / 2 + spot[0] * self.pitch, grid.top + spot[1] * self.pitch
        return math.dist(at, (x, y)) < 0.8 * self.pitch

    def _play(self, cell: Cell, button: str) -> bool:
        """A press in a game; whether it was a move, and not a mark."""
        assert self.deal is not None
        play, seen = self.profile.play, self._symbols[cell]
        opens = button == play.open and seen in (Symbol.COVERED, Symbol.QUESTION)
        if not opens and not (button == play.chord and seen.number):
            return self.game is not None and self.game.state is not State.PLAYING
        if self.game is None:
            self.game = Game(self.deal(self.games, cell))
        flags = self.flags
        before = dataclasses.replace(self.game, flags=flags)
        after = before.reveal(cell) if opens else before.chord(cell)
        self.game = after
        new = [*cells_in(after.opened & ~before.opened)]
        row, col = self._shape.at(cell)
        new.sort(key=lambda c: max(abs(c // self._shape.cols - row), abs(c % self._shape.cols - col)))
        for i, one in enumerate(new):
            symbol = Symbol(str(after.field.clue(one)))
            if self.flood and len(new) > 1:
                self.after(self._shows(one, symbol), seconds=self._time + self.flood * i / (len(new) - 1))
            else:
                self._symbols[one] = symbol
        if after.state is State.LOST:
            final = after.final
            for one in cells_in(final.mines):
                self._symbols[one] = Symbol.EXPLODED if after.exploded >> one & 1 else Symbol.MINE
            for one in cells_in(flags & ~after.field.mines):
                self._symbols[one] = Symbol.WRONG_FLAG
        if after.state is not State.PLAYING and self.message is not None:
            middle = self.grid.box.grown(-0.2 * min(self.grid.box.width, self.grid.box.height))
            self.after(lambda: self.popup(middle), seconds=self._time + self.flood)
            self.after(lambda: self.popup(None), seconds=self._time + self.flood + self.message)
        return True

    def _shows(self, cell: Cell, symbol: Symbol) -> Callable[[], None]:
        def show() -> None:
            self._symbols[cell] = symbol

        return show

    def _press(self, cell: Cell, button: str) -> None:
        if self.deal is not None and self._play(cell, button):
            return
        seen = self._symbols[cell]
        for before, pressed, after in self.profile.steps:
            if before is seen and pressed == button:
                self._symbols[cell] = after
                return
        cycle = self.profile.buttons.get(button, ())
        if seen in cycle:
            self._symbols[cell] = cycle[(cycle.index(seen) + 1) % len(cycle)]

    # ------------------------------------------------------------ paint

    def repaint(self) -> None:
        """Forgets what was painted; to be called after a field was changed by hand."""
        self._canvas.clear()
        self._pictures.clear()
        self._painted = []

    def _paint(self, monitor: Monitor) -> Pixels:
        canvas = self._canvas.get(monitor.number)
        if canvas is None:
            canvas = self._background(monitor)
            self._canvas[monitor.number] = canvas
            self._painted = [None] * self._shape.size
        grid = self.grid
        if monitor is not place(grid.box, self.screens)[0]:
            return canvas
        if self.work and self._due and None not in self._painted:
            return canvas
        base = Frame(canvas, Point(monitor.box.x, monitor.box.y), monitor.scale)
        lit = self._cell_at(self._pointer) if self.hover else None
        for c, symbol in enumerate(self._symbols):
            if symbol is not self._painted[c] or c == lit:
                self._paint_cell(base, grid, Cell(c), symbol)
                self._painted[c] = symbol
        if lit is not None:
            part = base.crop(grid.cell_box(lit).clipped(self.window))
            part.pixels[:] = cv2.addWeighted(part.pixels, 0.6, np.full_like(part.pixels, 255), 0.4, 0)
            self._painted[lit] = None
        moment = int(self._time / 0.02)
        if self.restless:
            part = base.crop(grid.cell_box(moment % self._shape.size))
            part.pixels[:] = 255 - part.pixels
            self._painted[moment % self._shape.size] = None
        if self.clockwork:
            corner = base.crop(Box(self.window.x + 20, self.window.bottom - 30, 60, 20))
            corner.pixels[:] = (moment * 37) % 256
        if self._popup is not None:
            over = self._popup.clipped(monitor.box)
            if over.width and over.height:
                _popup(base.crop(over).pixels)
        return canvas

    def _paint_cell(self, base: Frame, grid: Grid, cell: Cell, symbol: Symbol) -> None:
        """One cell, from the nearest pixel of its left top corner to that of the next cell's."""
        box = grid.cell_box(cell)
        x0, y0 = (round(v) for v in base.to_pixel(Point(box.x, box.y)))
        x1, y1 = (round(v) for v in base.to_pixel(Point(box.right, box.bottom)))
        picture = self._picture(symbol, x1 - x0, y1 - y0)
        view = self.window.clipped(base.box)
        left, top = (round(v) for v in base.to_pixel(Point(view.x, view.y)))
        right, bottom = (round(v) for v in base.to_pixel(Point(view.right, view.bottom)))
        cx0, cy0, cx1, cy1 = max(x0, left), max(y0, top), min(x1, right), min(y1, bottom)
        if cx0 < cx1 and cy0 < cy1:
            base.pixels[cy0:cy1, cx0:cx1] = picture[cy0 - y0 : cy1 - y0, cx0 - x0 : cx1 - x0]

    def _picture(self, symbol: Symbol, width: int, height: int) -> Pixels:
        key = symbol, width, height
        if key not in self._pictures:
            drawn = self.profile.templates.get(symbol)
            if not drawn:
                raise WrongUse(
                    f"{self.profile.title} has no picture of {symbol.file_name!r}.", "Paint a board without it."
                )
            template = next((t for t in drawn if t.variant == self.variant), drawn[0])
            shrinks = width < template.pixels.shape[1] or height < template.pixels.shape[0]
            how = cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC
            self._pictures[key] = cv2.resize(template.pixels, (width, height), interpolation=how).astype(np.uint8)
        return self._pictures[key]

    def _background(self, monitor: Monitor) -> Pixels:
        """A desktop with another window, this page's window, a menu, an advertisement and the board's frame."""
        box, scale = monitor.box, monitor.scale
        height, width = round(box.height * scale), round(box.width * scale)
        shade = np.linspace(0, 1, height)[:, None, None]
        pixels = np.broadcast_to(120 + shade * np.array([70, 20, -60]), (height, width, 3)).astype(np.uint8)
        pixels = np.ascontiguousarray(pixels)

        def fill(x: float, y: float, w: float, h: float, colour: tuple[int, int, int]) -> None:
            part = Box(x, y, w, h).clipped(box)
            left, top = round((part.x - box.x) * scale), round((part.y - box.y) * scale)
            pixels[top : top + round(part.height * scale), left : left + round(part.width * scale)] = colour

        def write(x: float, y: float, text: str, size: float = 0.4) -> None:
            spot = round((x - box.x) * scale), round((y - box.y) * scale)
            cv2.putText(pixels, text, spot, cv2.FONT_HERSHEY_SIMPLEX, size * scale, _INK, 1, cv2.LINE_AA)

        fill(box.x + 12, box.y + box.height - 190, 330, 170, (48, 40, 36))
        view = self.window
        if place(view, self.screens)[0].number == monitor.number:
            fill(view.x - 1, view.y - 35, view.width + 2, view.height + 36, (160, 160, 160))
            fill(view.x, view.y - 34, view.width, 34, (225, 222, 220))
            write(view.x + 12, view.y - 12, self.profile.title, 0.5)
            fill(view.x, view.y, view.width, view.height, _PAGE)
            for i, size in enumerate((5, 7, 10, 15, 20)):
                write(view.x + 14, view.y + 40 + 22 * i, f"{size}x{size} Easy Minesweeper")
            fill(view.x + 14, view.y + 180, 170, 240, (238, 238, 238))
            write(view.x + 40, view.y + 300, "advertisement")
            board = self.grid.box
            write(board.x, max(view.y + 14, board.y - 34), "Puzzle ID: 1 234 567")
            line = 3 * self.pitch / 31
            colour = self.profile.templates[Symbol.COVERED][0].pixels[0, 0]
            ring = board.grown(line).clipped(view)
            fill(*ring, colour=(int(colour[0]), int(colour[1]), int(colour[2])))
        return pixels


def _popup(pixels: Pixels) -> None:
    """A box with a rim, some lines of text and a button, over what was there."""
    height, width = pixels.shape[:2]
    pixels[:] = (250, 248, 245)
    cv2.rectangle(pixels, (0, 0), (width - 1, height - 1), (90, 90, 90), 1)
    for y in range(14, max(15, height - 30), 18):
        cv2.line(pixels, (12, y), (max(12, width - 20 - 37 * (y % 3)), y), (150, 150, 150), 3)
    if height > 50 and width > 90:
        cv2.rectangle(pixels, (width - 80, height - 32), (width - 12, height - 10), (180, 120, 40), -1)
