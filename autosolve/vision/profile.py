"""Owns what a site is: loads and validates ``templates/<site>/site.toml`` and its pictures.

Legend: a site is a folder. ``site.toml`` says how it behaves and how its board is built; ``<symbol>.png`` or
``<symbol>.<variant>.png`` show its cells, one whole cell each (from the middle of one grid line to the middle
of the next). ``<symbol>.<look>.<variant>.png`` belongs to one of several looks of a site, such as its dark one;
a board is drawn in one look throughout. Symbols are called as in ``Symbol``, in lower case with hyphens:
``covered``, ``clue-0`` to ``clue-9``, ``flag``, ``safe``, ``question``, ``mine``, ``exploded``, ``wrong-flag``; in
mosaic, where a clue's own cell may be marked as a mine, ``filled-0`` to ``filled-9`` too.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal

import cv2
import msgspec
import numpy as np

from autosolve.board.puzzle import Variant
from autosolve.board.shape import MAX_SIDE, Shape
from autosolve.errors import ProfileError, UnknownSite
from autosolve.vision.frame import Pixels


class Symbol(Enum):
    """What a cell can show; the value begins with its character in board text."""

    COVERED = "."
    CLUE_0 = "0"
    CLUE_1 = "1"
    CLUE_2 = "2"
    CLUE_3 = "3"
    CLUE_4 = "4"
    CLUE_5 = "5"
    CLUE_6 = "6"
    CLUE_7 = "7"
    CLUE_8 = "8"
    CLUE_9 = "9"
    FLAG = "F"
    SAFE = "x"
    QUESTION = "?"
    MINE = "*"
    EXPLODED = "!"
    WRONG_FLAG = "X"
    FILLED_0 = "F0"
    FILLED_1 = "F1"
    FILLED_2 = "F2"
    FILLED_3 = "F3"
    FILLED_4 = "F4"
    FILLED_5 = "F5"
    FILLED_6 = "F6"
    FILLED_7 = "F7"
    FILLED_8 = "F8"
    FILLED_9 = "F9"

    number: int | None
    """The number of a clue, filled or not; None for other symbols."""

    char: str
    """Its character in board text. A filled clue shows its number: that is a fact, the mark is none."""

    def __init__(self, text: str) -> None:
        self.char = text[-1]
        self.number = int(self.char) if self.char.isdigit() else None

    @property
    def file_name(self) -> str:
        """The stem of its template files: ``clue-3``, ``wrong-flag``."""
        return self.name.lower().replace("_", "-")

    @property
    def mark(self) -> Symbol:
        """What a hand has drawn there, whatever number is printed: COVERED for a clue, FLAG for a filled one."""
        if self.number is None:
            return self
        return Symbol.FLAG if self in FLAGS else Symbol.COVERED


FLAGS = (Symbol.FLAG, *(Symbol(f"F{n}") for n in range(10)))
ENDED = (Symbol.MINE, Symbol.EXPLODED, Symbol.WRONG_FLAG)  # what only an ended game shows
SYMBOLS = MappingProxyType({s.file_name: s for s in Symbol})
BUTTONS = ("left", "right", "middle")


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """One picture of a symbol: ``pixels`` uint8 (height, width, 3) BGR, at least 8x8; ``look`` "" where a site
    has only one."""

    symbol: Symbol
    variant: str
    pixels: Pixels
    look: str = ""


@dataclass(frozen=True, slots=True)
class CounterPlace:
    """Where and how a site shows its mine counter.

    ``digits`` "segments": a seven-segment display; "text": printed digits
    ``side``   of the board on which it stands          ``reach``  cells from the board's edge it is within
    ``shows``  "left": mines less flags; "left time": the same, followed by a clock of three digits;
               "flags/mines": both, as in 7/40
    ``flags``  whether a flag makes it go down; where not, it shows all mines at any time
    """

    digits: Literal["segments", "text"] = "segments"
    side: Literal["top", "bottom", "left", "right"] = "top"
    shows: Literal["left", "left time", "flags/mines"] = "left"
    reach: float = 4.0
    flags: bool = True


@dataclass(frozen=True, slots=True)
class Margins:
    """Where a site prints the totals of rows and columns: the side of each, None where it prints none, and how
    many cells from the board's edge they are within."""

    rows: Literal["left", "right"] | None = None
    columns: Literal["top", "bottom"] | None = None
    reach: float = 2.0


@dataclass(frozen=True, slots=True)
class Skin:
    """One look of a site whose cells are told without templates: what it is made of, to know it again.

    ``covered``, ``opened``  bodies (B, G, R); several where a board alternates or themes differ
    ``raised``               whether covered cells have a bevel
    """

    covered: tuple[tuple[int, int, int], ...]
    opened: tuple[tuple[int, int, int], ...]
    raised: bool = False


@dataclass(frozen=True, slots=True)
class Play:
    """How a site is played where a click opens a cell.

    ``open``      the button that opens a covered cell
    ``chord``     the button that opens all around a number with its flags set, "both" for left and right together;
                  None where the site has no such click
    ``first``     what its first click meets: "random" a mine as likely as anywhere, "safe" never a mine, "opening"
                  never a mine nor one beside it
    ``settle``    seconds without a change until an opening has run its course
    ``popup``     seconds in which a message about the end may lie over the board and go away by itself
    ``new_key``   the key that begins a new game, as in "F2" or "ctrl+n"; None where there is none
    ``new_at``    or where a click does: x, y in cells from the middle of the board's upper edge
    ``close_key`` the key that closes the message about the end; None where it goes by itself, or does no harm
    ``sizes``     boards the site is known to have, and their mines
    """

    open: Literal["left", "right", "middle"] = "left"
    chord: Literal["left", "right", "middle", "both"] | None = None
    first: Literal["random", "safe", "opening"] = "random"
    settle: float = 0.03
    popup: float = 2.0
    new_key: str | None = None
    new_at: tuple[float, float] | None = None
    close_key: str | None = None
    sizes: Mapping[Shape, int] = field(default_factory=dict)

    @property
    def renews(self) -> bool:
        """Whether a new game can be begun."""
        return self.new_key is not None or self.new_at is not None


@dataclass(frozen=True, slots=True)
class Profile:
    """A site as data.

    ``variant``    how a clue counts: mosaic counts its own cell too, and every cell can be marked
    ``kind``       "clues": every clue is shown and mines are marked; "reveal": a click opens a cell
    ``lines``      a line runs between all cells        ``frame``  a closed frame runs around the board
    ``buttons``    per button the cycle of symbols its presses step through, the last back to the first
    ``steps``      single presses outside the cycles: (from, button, to)
    ``inks``       colours (B, G, R) in which a symbol may be drawn; evidence beside its shape
    ``hold``       seconds a button is held           ``gap``  seconds from release to the next press
    ``zoom_pitch`` pixels from cell to cell at 100 % zoom on a scale of 1, or 0 where unknown
    ``reader``     how its cells are told: "shapes" by surface, shape and ink of what is drawn on them; "pictures"
                   by the whole picture of a cell; "skin" by how the board's own cells fall into groups
    ``skins``      what its boards are made of, for the reader "skin"; a site without any takes every board
    ``play``       how it is played, where a click opens a cell
    ``also``       sites whose boards the same page or program shows: whoever looks for this one looks for them too
    """

    name: str
    title: str
    folder: Path
    kind: Literal["clues", "reveal"]
    templates: Mapping[Symbol, tuple[Template, ...]]
    buttons: Mapping[str, tuple[Symbol, ...]]
    steps: tuple[tuple[Symbol, str, Symbol], ...] = ()
    inks: Mapping[Symbol, tuple[tuple[int, int, int], ...]] = field(default_factory=dict)
    lines: bool = True
    frame: bool = True
    hold: float = 0.004
    gap: float = 0.004
    zoom_pitch: float = 0.0
    reader: Literal["shapes", "pictures", "skin"] = "shapes"
    counter: CounterPlace | None = None
    margins: Margins | None = None
    skins: tuple[Skin, ...] = ()
    play: Play = field(default_factory=Play)
    also: tuple[str, ...] = ()
    variant: Variant = Variant.MINESWEEPER

    @property
    def looks(self) -> tuple[str, ...]:
        """The names of the site's looks, ("",) where it has only one."""
        return tuple(dict.fromkeys(t.look for some in self.templates.values() for t in some))

    def routes(self, seen: Symbol, wanted: Symbol) -> tuple[tuple[str, ...], ...]:
        """Ways from one symbol to another as the buttons pressed: the shortest, then, where that one relies on
        a single step, which a site may not honour, the shortest over cycles alone. Empty where there is none. In
        mosaic a clue's cell takes marks like any other, so symbols count by their mark."""
        if self.variant is Variant.MOSAIC:
            seen, wanted = seen.mark, wanted.mark
        cycles = [
            (a, button, cycle[(i + 1) % len(cycle)])
            for button, cycle in self.buttons.items()
            for i, a in enumerate(cycle)
        ]
        ways = [_shortest([*self.steps, *cycles], seen, wanted), _shortest(cycles, seen, wanted)]
        return tuple(dict.fromkeys(way for way in ways if way is not None))


def _shortest(edges: list[tuple[Symbol, str, Symbol]], seen: Symbol, wanted: Symbol) -> tuple[str, ...] | None:
    """The fewest presses from one symbol to another, breadth first; None where there is no way."""
    open_ways: list[tuple[Symbol, tuple[str, ...]]] = [(seen, ())]
    known = {seen}
    while open_ways:
        at, presses = open_ways.pop(0)
        if at is wanted:
            return presses
        for before, button, after in edges:
            if before is at and after not in known:
                known.add(after)
                open_ways.append((after, (*presses, button)))
    return None


# ---------------------------------------------------------------- the file


_Name = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]


class _Board(msgspec.Struct, forbid_unknown_fields=True):
    lines: bool = True
    frame: bool = True
    zoom_pitch: Annotated[float, msgspec.Meta(ge=0, le=1000)] = 0.0
    reader: Literal["shapes", "pictures", "skin"] = "shapes"
    variant: Variant = Variant.MINESWEEPER


_Cycle = Annotated[list[_Name], msgspec.Meta(min_length=2)]


class _Buttons(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    left: _Cycle | None = None
    right: _Cycle | None = None
    middle: _Cycle | None = None


class _Step(msgspec.Struct, forbid_unknown_fields=True):
    seen: _Name
    press: Literal["left", "right", "middle"]
    becomes: _Name


class _Skin(msgspec.Struct, forbid_unknown_fields=True):
    covered: Annotated[list[str], msgspec.Meta(min_length=1)]
    opened: Annotated[list[str], msgspec.Meta(min_length=1)]
    raised: bool = False


class _Pace(msgspec.Struct, forbid_unknown_fields=True):
    hold_ms: Annotated[float, msgspec.Meta(ge=0, le=1000)] = 4.0
    gap_ms: Annotated[float, msgspec.Meta(ge=0, le=1000)] = 4.0


class _Counter(msgspec.Struct, forbid_unknown_fields=True):
    digits: Literal["segments", "text"]
    side: Literal["top", "bottom", "left", "right"] = "top"
    shows: Literal["left", "left time", "flags/mines"] = "left"
    reach: Annotated[float, msgspec.Meta(gt=0, le=40)] = 4.0
    flags: bool = True


class _Margins(msgspec.Struct, forbid_unknown_fields=True):
    rows: Literal["left", "right"] | None = None
    columns: Literal["top", "bottom"] | None = None
    reach: Annotated[float, msgspec.Meta(gt=0, le=10)] = 2.0


class _Play(msgspec.Struct, forbid_unknown_fields=True):
    open: Literal["left", "right", "middle"] = "left"
    chord: Literal["left", "right", "middle", "both"] | None = None
    first: Literal["random", "safe", "opening"] = "random"
    settle_ms: Annotated[float, msgspec.Meta(ge=0, le=10_000)] = 30.0
    popup_s: Annotated[float, msgspec.Meta(ge=0, le=60)] = 2.0
    new_key: Annotated[str, msgspec.Meta(min_length=1, max_length=40)] | None = None
    new_at: tuple[float, float] | None = None
    close_key: Annotated[str, msgspec.Meta(min_length=1, max_length=40)] | None = None
    sizes: dict[str, Annotated[int, msgspec.Meta(ge=0)]] = msgspec.field(default_factory=dict)


class _Site(msgspec.Struct, forbid_unknown_fields=True):
    schema: Literal[1]
    title: _Name
    kind: Literal["clues", "reveal"]
    buttons: _Buttons
    board: _Board = msgspec.field(default_factory=_Board)
    steps: list[_Step] = msgspec.field(default_factory=list)
    pace: _Pace = msgspec.field(default_factory=_Pace)
    inks: dict[str, list[str]] = msgspec.field(default_factory=dict)
    skins: list[_Skin] = msgspec.field(default_factory=list)
    counter: _Counter | None = None
    margins: _Margins | None = None
    play: _Play = msgspec.field(default_factory=_Play)
    also: list[_Name] = msgspec.field(default_factory=list)


def builtin_folder() -> Path:
    """Where the sites that ship with the program lie: inside the package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "templates"
    return inside if inside.is_dir() else package.parent / "templates"


def site_folders(user_folder: Path | None = None) -> dict[str, Path]:
    """Name to folder of every site: the built-in ones, then the user's own, which win by name."""
    out: dict[str, Path] = {}
    for root in (builtin_folder(), user_folder):
        if root is not None and root.is_dir():
            for folder in sorted(root.iterdir()):
                if (folder / "site.toml").is_file():
                    out[folder.name] = folder
    return out


def load(name: str, user_folder: Path | None = None) -> Profile:
    """The site of that name; a path to a site folder works too.

    Raises UnknownSite (with the nearest names) or ProfileError (file, line, key)."""
    folders = site_folders(user_folder)
    if name in folders:
        return load_folder(folders[name])
    if ("/" in name or "\\" in name) and Path(name).is_dir():
        return load_folder(Path(name))
    nearest = difflib.get_close_matches(name.lower(), list(folders), n=3, cutoff=0.3)
    remedy = f"Did you mean {' or '.join(nearest)}? " if nearest else ""
    raise UnknownSite(
        f"There is no site called {name!r}.", f"{remedy}'autosolve sites' lists them all.", nearest=nearest
    )


def load_folder(folder: Path) -> Profile:
    """The site in a folder; ProfileError names file, line and key of what is wrong."""
    file = folder / "site.toml"
    text = _text_of(file)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        where = re.search(r"at line (\d+)", str(error))
        line = int(where[1]) if where else 0
        reason = str(error).split(" (at ")[0]
        raise ProfileError(
            f"{file}, line {line}: this is not TOML: {reason}.", "Mend the line.", file=str(file), line=line
        ) from None
    try:
        site = msgspec.convert(data, _Site)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `")
        key = path.rstrip("`").removeprefix("$.")
        unknown = re.search(r"unknown field `(\w+)`", reason)
        missing = re.search(r"missing required field `(\w+)`", reason)
        if unknown:
            key = f"{key}.{unknown[1]}".replace("$.", "").lstrip("$.")
        elif missing:
            key = missing[1] if key in ("", "$") else f"{key}.{missing[1]}"
        if key.endswith("[...]"):
            key = key.removesuffix("[...]")
        raise _fault(file, text, key, reason) from None
    buttons: dict[str, tuple[Symbol, ...]] = {
        button: tuple(_symbol(file, text, f"buttons.{button}", n) for n in cycle)
        for button in BUTTONS
        if (cycle := getattr(site.buttons, button)) is not None
    }
    if not buttons:
        raise _fault(file, text, "buttons", "no button has a cycle of symbols")
    for button, cycle in buttons.items():
        if len(set(cycle)) != len(cycle):
            raise _fault(file, text, f"buttons.{button}", "a symbol stands twice in this cycle")
    steps = tuple(
        (_symbol(file, text, "steps.seen", s.seen), s.press, _symbol(file, text, "steps.becomes", s.becomes))
        for s in site.steps
    )
    inks = {
        _symbol(file, text, f"inks.{name}", name): tuple(_bgr(file, text, f"inks.{name}", c) for c in colours)
        for name, colours in site.inks.items()
    }
    skins = tuple(
        Skin(
            tuple(_bgr(file, text, "skins.covered", c) for c in skin.covered),
            tuple(_bgr(file, text, "skins.opened", c) for c in skin.opened),
            skin.raised,
        )
        for skin in site.skins
    )
    counter, margins = site.counter, site.margins
    if counter is not None and counter.digits == "segments" and counter.shows == "flags/mines":
        raise _fault(file, text, "counter.shows", "a seven-segment display has no stroke to show flags/mines with")
    if margins is not None and margins.rows is None and margins.columns is None:
        raise _fault(file, text, "margins", "neither rows nor columns are given a side")
    return Profile(
        name=folder.name,
        title=site.title,
        folder=folder,
        kind=site.kind,
        templates=_pictures(folder) if site.board.reader != "skin" else MappingProxyType({}),
        skins=skins,
        buttons=MappingProxyType(buttons),
        steps=steps,
        inks=MappingProxyType(inks),
        lines=site.board.lines,
        frame=site.board.frame,
        hold=site.pace.hold_ms / 1000,
        gap=site.pace.gap_ms / 1000,
        zoom_pitch=site.board.zoom_pitch,
        reader=site.board.reader,
        variant=site.board.variant,
        counter=CounterPlace(**msgspec.structs.asdict(counter)) if counter else None,
        margins=Margins(**msgspec.structs.asdict(margins)) if margins else None,
        play=_how_played(file, text, site.play),
        also=tuple(site.also),
    )


def _how_played(file: Path, text: str, given: _Play) -> Play:
    sizes = {}
    for name, mines in given.sizes.items():
        match = re.fullmatch(r"(\d{1,3})x(\d{1,3})", name)
        if not match or not all(1 <= int(side) <= MAX_SIDE for side in match.groups()):
            raise _fault(file, text, "play.sizes", f"{name!r} is not rows x columns, as in 16x30")
        shape = Shape(int(match[1]), int(match[2]))
        if mines > shape.size:
            raise _fault(file, text, "play.sizes", f"{mines} mines do not fit on {name}")
        sizes[shape] = mines
    return Play(
        open=given.open,
        chord=given.chord,
        first=given.first,
        settle=given.settle_ms / 1000,
        popup=given.popup_s,
        new_key=given.new_key,
        new_at=given.new_at,
        close_key=given.close_key,
        sizes=MappingProxyType(sizes),
    )


def _text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except FileNotFoundError:
        message, remedy = f"{file} does not exist.", "A site folder needs a site.toml."
    except UnicodeDecodeError as error:
        message, remedy = f"{file} is not UTF-8 text ({error.reason}).", "Save it as UTF-8."
    except OSError as error:
        message, remedy = f"{file} cannot be read: {error.strerror}.", "Check the file and its rights."
    raise ProfileError(message, remedy, file=str(file))


def _symbol(file: Path, text: str, key: str, name: str) -> Symbol:
    if name in SYMBOLS:
        return SYMBOLS[name]
    near = difflib.get_close_matches(name, list(SYMBOLS), n=1, cutoff=0.4)
    raise _fault(file, text, key, f"no symbol is called {name!r}" + (f"; the nearest is {near[0]!r}" if near else ""))


def _fault(file: Path, text: str, key: str, reason: str) -> ProfileError:
    line = _line_of(text, key)
    where = f", line {line}" if line else ""
    reason = reason.strip().rstrip(".")
    return ProfileError(
        f"{file}{where}, key {key!r}: {reason[:1].lower()}{reason[1:]}.",
        "docs/adding-a-site.md describes every key.",
        file=str(file),
        line=line,
        key=key,
    )


def _line_of(text: str, key: str) -> int:
    """The 1-based line where a dotted key is set, or its table begins; 0 where it stands nowhere."""
    parts = [re.sub(r"\[.*?\]", "", p) for p in key.split(".")]
    table, best = "", 0
    for number, line in enumerate(text.splitlines(), 1):
        header = re.match(r"\s*\[\[?\s*([^\]]+?)\s*\]\]?", line)
        if header:
            table = header[1].replace('"', "")
            if table == parts[0]:
                best = best or number
            continue
        entry = re.match(r"\s*([\w\"'.-]+)\s*=", line)
        if entry:
            full = f"{table}.{entry[1]}".strip(".").replace('"', "").replace("'", "")
            if full == ".".join(parts):
                return number
            if full == parts[0]:
                best = best or number
    return best


def _bgr(file: Path, text: str, key: str, colour: str) -> tuple[int, int, int]:
    if not re.fullmatch("#[0-9a-fA-F]{6}", colour):
        raise _fault(file, text, key, f"{colour!r} is no colour like '#00a0ff'")
    return int(colour[5:7], 16), int(colour[3:5], 16), int(colour[1:3], 16)


def _pictures(folder: Path) -> Mapping[Symbol, tuple[Template, ...]]:
    out: dict[Symbol, list[Template]] = {}
    for file in sorted(folder.glob("*.png")):
        stem, _, variant = file.stem.partition(".")
        if stem not in SYMBOLS:
            near = difflib.get_close_matches(stem, list(SYMBOLS), n=1, cutoff=0.4)
            hint = f"; did you mean {near[0]}.png?" if near else "."
            raise ProfileError(f"{file} is named after no symbol{hint}", "Rename or remove it.", file=str(file))
        raw = np.frombuffer(file.read_bytes(), np.uint8)
        pixels = cv2.imdecode(raw, cv2.IMREAD_COLOR) if raw.size else None
        if pixels is None:
            raise ProfileError(f"{file} is not a picture.", "Replace it by a PNG of one cell.", file=str(file))
        if min(pixels.shape[:2]) < 8:
            raise ProfileError(
                f"{file} is too small: {pixels.shape[1]}x{pixels.shape[0]} pixels.",
                "A cell's picture needs at least 8x8 pixels.",
                file=str(file),
            )
        look, _, rest = variant.rpartition(".")
        out.setdefault(SYMBOLS[stem], []).append(Template(SYMBOLS[stem], rest, pixels.astype(np.uint8), look))
    looks = {t.look for some in out.values() for t in some}
    covered = {t.look for t in out.get(Symbol.COVERED, ())}
    if not covered:
        raise ProfileError(
            f"{folder} has no covered.png.", "A site needs a picture of a covered cell.", file=str(folder)
        )
    if looks - covered:
        missing = sorted(looks - covered)[0]
        raise ProfileError(
            f"{folder} has pictures of the look {missing!r} but no covered cell of it.",
            f"Add covered.{missing}.NAME.png, or rename the others.",
            file=str(folder),
        )
    return MappingProxyType({s: tuple(t) for s, t in out.items()})
