"""Owns learning a site: cell pictures cut out of a labelled screenshot, the site.toml for them, and the cells a reading
could not tell, saved for a person to label.

Legend: a site that was learned reads whole pictures of cells (reader "pictures"); its templates are the looks each
symbol had, one file each: ``clue-3.png``, ``clue-3.+2.png`` and so on.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from autosolve.board.notation import BOARD_CHARACTERS
from autosolve.board.shape import Cell, Shape
from autosolve.errors import BoardNotFound, NotationError, WrongUse
from autosolve.vision import period
from autosolve.vision.cells import normalise
from autosolve.vision.counter import read_counter
from autosolve.vision.frame import Box, Frame, Pixels, Point
from autosolve.vision.grid import EDGES, Grid, in_pixels, lattices
from autosolve.vision.labels import CELLS_OF_ONE, UNSAID, Labels, contradicted, same_cells
from autosolve.vision.placing import Cells
from autosolve.vision.profile import CounterPlace, Profile, Symbol, load_folder
from autosolve.vision.read import Reading, read

F32 = npt.NDArray[np.float32]

MOST_LOOKS = 20  # templates of one symbol, at most
ONE_LOOK = 9.0  # grey levels, root mean square over a cell: cells nearer to each other have one look
ONE_PLACE = 30.0  # and no place of it, a SIDE-th of a cell wide, differs by more
TWIN = 4.0  # the same: nearer ones show the same symbol
SAME_DRAWING, OTHER_DRAWING = 6.0, 20.0  # the same, over the middle of a cell less its ground
MANY_DRAWINGS = 4  # kinds of drawings that covered cells, or blanks, never have: a theme may have some
MISFITS = 0.1  # of the cells that have another label than their twins: then the labels are another board's
ROUNDS = 3  # of reading a board back and adding what is still doubtful
MOST_NAMED = 4  # cells that a message names
SIDE = 16  # pixels: side of a cell as its look is compared

# what a game can show; what a site cannot show is never missed
NEEDED = {
    "reveal": [Symbol.COVERED, *(Symbol(str(n)) for n in range(9)), Symbol.FLAG],
    "clues": [Symbol.COVERED, *(Symbol(str(n)) for n in range(9)), Symbol.FLAG],
}
WELCOME = {
    "reveal": [Symbol.QUESTION, Symbol.MINE, Symbol.EXPLODED, Symbol.WRONG_FLAG],
    "clues": [Symbol.SAFE],
}


# ---------------------------------------------------------------- where the board is


def as_known(frame: Frame, shape: Shape, sites: Sequence[Profile], region: Box | None = None) -> Reading | None:
    """The board of that size as sites that are known already read it; None where none of them does."""
    try:
        reading = read(frame, sites, region=region, size=shape)
    except BoardNotFound:
        return None
    mostly = 2 * len(reading.doubts) <= shape.size and not reading.grid.cut
    return reading if mostly and reading.grid.shape == shape else None


def find(frame: Frame, shape: Shape, region: Box | None = None, reading: Reading | None = None) -> Grid:
    """The lattice of that size in a picture; with ``region`` (screen points) the one inside it or, where there is none,
    the region itself, cut into rows and columns. ``reading`` is the board as it is read already: where no lattice has
    the size, it is there.

    Raises BoardNotFound, naming the sizes that were found instead."""
    seen: dict[Shape, None] = {}
    for edges in (EDGES[:1], EDGES):
        for grid in lattices(frame, region=region, edges=edges):
            if grid.shape == shape:
                return grid
            seen[grid.shape] = None
    for grid in period.lattices(frame, region=region):
        if grid.shape == shape:
            return grid
        seen[grid.shape] = None
    if reading is not None:
        return reading.grid
    if region is not None:
        return Grid(shape, region.x, region.y, region.width / shape.cols, region.height / shape.rows)
    others = ", ".join(str(s) for s in list(seen)[:4])
    raise BoardNotFound(
        f"There is no board of {shape} cells here, as many as there are labels."
        + (f" Boards of {others} cells were found." if others else ""),
        "Check the labels, or give the place of all cells: --region X,Y,WIDTH,HEIGHT.",
    )


def cut(frame: Frame, grid: Grid, cell: int) -> Pixels:
    """One cell's picture, whole pixels at about its own size, at least 8x8."""
    box = grid.cell_box(cell)
    x, y = frame.to_pixel(Point(box.x, box.y))
    width, height = box.width * frame.scale, box.height * frame.scale
    wide, high = max(8, round(width)), max(8, round(height))
    place = np.array(
        [[width / wide, 0, x + 0.5 * width / wide - 0.5], [0, height / high, y + 0.5 * height / high - 0.5]], np.float64
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    out = cv2.warpAffine(frame.pixels, place, (wide, high), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out, np.uint8)


# ---------------------------------------------------------------- learning


@dataclass(frozen=True, slots=True)
class Learned:
    """What was learned from a screenshot.

    ``pictures``   symbol to its new cell pictures, the most usual look first
    ``misfits``    cells that look just like cells with another label; nothing was learned from them
    ``proof``      the screenshot as the site reads it then; None where it was not read back
    """

    grid: Grid
    pictures: Mapping[Symbol, tuple[Pixels, ...]]
    misfits: tuple[Cell, ...]
    proof: Reading | None = None


def learn(frame: Frame, labels: Labels, grid: Grid, known: Profile | None = None, look: str = "") -> Learned:
    """Cuts one picture for every look each symbol has on a board.

    ``known``  the site as it is so far: pictures that it has already are not cut again
    ``look``   the look of the site that the board is drawn in, "" where it has only one

    Raises WrongUse where the labels cannot belong to the picture: too many cells look just like others with another
    label."""
    looks = _looks(frame, grid)
    apart = _apart(looks, looks)
    np.fill_diagonal(apart, np.inf)
    said = [i for i, s in enumerate(labels.symbols) if s is not None]
    names = np.array([s.name if s is not None else "" for s in labels.symbols])
    misfits = []
    for i in said:
        twins = np.flatnonzero((apart[i] < TWIN) & (names != ""))
        if len(twins) and (names[twins] != names[i]).mean() > 0.5:
            misfits.append(Cell(i))
    if len(misfits) > max(2.0, MISFITS * len(said)):
        named = " ".join(labels.shape.name(c) for c in misfits[:6])
        raise WrongUse(
            f"The labels do not fit: {len(misfits)} cells look just like others with another label, as {named}.",
            "Check that they are of this board, row by row.",
        )
    for symbol in (Symbol.COVERED, Symbol.CLUE_0):
        cells = [i for i in said if labels.symbols[i] is symbol]
        kinds = [cells[k] for k in _drawings(looks[cells])] if cells else []
        if len(kinds) >= MANY_DRAWINGS:
            named = ", ".join(labels.shape.name(Cell(i)) for i in sorted(kinds[:MOST_NAMED]))
            raise WrongUse(
                f"The labels do not fit the picture: cells labelled {symbol.char!r} show {len(kinds)} unlike drawings,"
                f" as {named}.",
                "Check that they are of this board and of this moment, row by row; nothing was saved.",
            )
    old = {} if known is None else _pictures(known, look)
    if not labels.where(Symbol.COVERED) and not old.get(Symbol.COVERED):
        raise WrongUse(
            "No cell is labelled covered, and every site needs one.",
            "Learn from a game that is not over first, then add this screenshot under the same name.",
        )
    pictures: dict[Symbol, tuple[Pixels, ...]] = {}
    for symbol in dict.fromkeys(s for s in labels.symbols if s is not None):
        cells = [i for i in said if labels.symbols[i] is symbol and i not in misfits]
        had = [_look(p) for p in old.get(symbol, [])]
        chosen = _choose(looks[cells], np.stack(had) if had else looks[:0])
        if chosen:
            pictures[symbol] = tuple(cut(frame, grid, cells[k]) for k in chosen)
    return Learned(grid, pictures, tuple(misfits))


def _looks(frame: Frame, grid: Grid) -> F32:
    """(n, SIDE * SIDE * 3): every cell, small."""
    if grid.uneven:
        stack = Cells(frame, grid, known=True).stack
    else:
        stack = normalise(frame.pixels, *in_pixels(frame, grid), grid.shape.rows, grid.shape.cols)
    return np.stack([_small(cell) for cell in stack])


def _look(picture: Pixels) -> F32:
    return _small(normalise(picture, 0, 0, picture.shape[1], picture.shape[0], 1, 1)[0])


def _small(cell: Pixels) -> F32:
    return np.asarray(cv2.resize(cell, (SIDE, SIDE), interpolation=cv2.INTER_AREA), np.float32).ravel()


def _apart(a: F32, b: F32) -> F32:
    """(n, m): root mean square difference in grey levels."""
    square = (a**2).sum(1)[:, None] + (b**2).sum(1)[None] - 2 * (a @ b.T)
    return np.asarray(np.sqrt(np.maximum(square, 0) / max(1, a.shape[1])), np.float32)


def _drawings(looks: F32) -> list[int]:
    """Of some cells one for each kind of what is drawn in their middle, whatever its ground and its borders, which
    shades, gradients and neighbours change; only kinds that several cells have alike."""
    part = looks.reshape(len(looks), SIDE, SIDE, 3)[:, SIDE // 4 : -SIDE // 4, SIDE // 4 : -SIDE // 4]
    part = part.reshape(len(looks), -1, 3)
    inner = np.asarray((part - np.median(part, axis=1, keepdims=True)).reshape(len(looks), -1), np.float32)
    apart = _apart(inner, inner)
    near, left, out = apart <= SAME_DRAWING, np.ones(len(looks), bool), list[int]()
    while left.any():
        alike = np.where(left, (near & left).sum(1), -1)
        best = int(alike.argmax())
        if alike[best] < CELLS_OF_ONE:
            break
        if all(apart[best, other] > OTHER_DRAWING for other in out):
            out.append(best)
        left &= ~near[best]
    return out


def _choose(looks: F32, known: F32) -> list[int]:
    """Which of some cells of one symbol to keep so that each is near one of them or of those ``known``: again and
    again the one that most of the others are near to."""
    if not len(looks):
        return []
    left = np.ones(len(looks), bool)
    for one in known:
        left &= ~_alike(looks, one)
    near = _apart(looks, looks) <= ONE_LOOK
    out: list[int] = []
    while left.any() and len(out) < MOST_LOOKS:
        best = int(np.argmax(np.where(left, (near & left).sum(1), -1)))
        out.append(best)
        left &= ~_alike(looks, looks[best])
    return out


def _alike(looks: F32, one: F32) -> npt.NDArray[np.bool_]:
    """(n,): which looks are like one, as a whole and at every place."""
    away = np.abs(looks - one)
    return np.asarray((np.sqrt((away**2).mean(1)) <= ONE_LOOK) & (away.max(1) <= ONE_PLACE), bool)


def _pictures(site: Profile, look: str) -> dict[Symbol, list[Pixels]]:
    """The pictures a site has of one of its looks."""
    return {s: [t.pixels for t in some if t.look == look] for s, some in site.templates.items()}


def missing(profile: Profile) -> tuple[list[Symbol], list[Symbol]]:
    """The symbols a site has no picture of: those every board shows sooner or later, and those it may show."""
    return (
        [s for s in NEEDED[profile.kind] if s not in profile.templates],
        [s for s in WELCOME[profile.kind] if s not in profile.templates],
    )


# ---------------------------------------------------------------- the folder


def counter_of(reading: Reading | None, grid: Grid) -> CounterPlace | None:
    """Where the mine counter of a board stands, by the site that reads the same board already and its counter too."""
    if reading is None or not same_cells(reading.grid, grid):
        return None
    shown = read_counter(reading.frame, reading.grid, reading.profile)
    return None if shown is None else reading.profile.counter


def site_toml(title: str, kind: str, labels: Labels | None = None, counter: CounterPlace | None = None) -> str:
    """The site.toml of a learned site. Buttons step through covered and flag, and through the marks that were seen."""
    right = ["covered", "flag"]
    lines = [
        "# Learned by 'autosolve sites learn'. docs/adding-a-site.md says what else may stand here.",
        "schema = 1",
        f"title = {json.dumps(title, ensure_ascii=False)}",
        f'kind = "{kind}"',
        "",
        "[board]",
        'reader = "pictures"',
        "lines = false",
        "frame = false",
        "",
        "[buttons]",
    ]
    if labels is not None and labels.where(Symbol.QUESTION):
        right.append("question")
    lines.append(f"right = {json.dumps(right)}")
    if kind == "clues":
        lines.append('left = ["covered", "safe"]')
    if counter is not None:
        lines += ["", "[counter]"]
        for key, value in asdict(counter).items():
            lines.append(f"{key} = {json.dumps(value)}")
    return "\n".join(lines) + "\n"


def save(folder: Path, pictures: Mapping[Symbol, Sequence[Pixels]], toml: str | None = None, look: str = "") -> Profile:
    """Puts pictures into a site's folder, beside those it has, and ``toml`` as its site.toml where it has none.

    All of it or nothing: the site is put together and loaded beside its folder first. ``look`` names the look of the
    site the pictures belong to, "" where it has only one. Returns the site as it is then.

    Raises ProfileError where the site would not load, WrongUse where the folder cannot be written."""
    with _draft(folder) as draft:
        _add(draft, pictures, toml, look)
    return load_folder(folder)


@contextmanager
def _draft(folder: Path) -> Iterator[Path]:
    """A site's folder to work on, beside the real one: a copy of it, or empty where there is none. What is new in it at
    the end goes to the real one; whatever ends the work before, nothing does. Raises WrongUse where it cannot."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as scratch:
            draft = Path(scratch) / folder.name
            if folder.is_dir():
                shutil.copytree(folder, draft)
            else:
                draft.mkdir()
            yield draft
            _put(draft, folder)
    except OSError as problem:
        raise WrongUse(f"{str(folder)!r} cannot be written: {problem.strerror}.", "Check the folder.") from None


def _put(draft: Path, folder: Path) -> None:
    """A draft to its place, in one step where nothing is there. Otherwise files are only added, so that what was there
    is there at any time: first those without which others are no site, site.toml, without which all are none, last."""
    if not folder.is_dir():
        draft.rename(folder)
        return
    new = [file for file in draft.iterdir() if not (folder / file.name).exists()]
    new.sort(key=lambda file: (file.name == "site.toml", not file.name.startswith(Symbol.COVERED.file_name), file.name))
    put: list[Path] = []
    try:
        for file in new:
            put.append(folder / file.name)
            file.rename(put[-1])
    except BaseException:
        for file in put:
            file.unlink(missing_ok=True)
        raise


def _add(draft: Path, pictures: Mapping[Symbol, Sequence[Pixels]], toml: str | None, look: str) -> Profile:
    if toml is not None and not (draft / "site.toml").exists():
        (draft / "site.toml").write_text(toml, encoding="utf-8", newline="\n")
    for symbol, some in pictures.items():
        for picture in some:
            _write(_free_name(draft, symbol, look), picture)
    return load_folder(draft)


def _free_name(folder: Path, symbol: Symbol, look: str) -> Path:
    # what stands before a plus names the set of pictures that boards are drawn in together
    names = (f"{look}.seen" if look else "", f"{look}.seen+" if look else "+")
    file, number = folder / f"{symbol.file_name}{'.' * bool(look)}{names[0]}.png", 1
    while file.exists():
        number += 1
        file = folder / f"{symbol.file_name}.{names[1]}{number}.png"
    return file


def _write(file: Path, picture: Pixels) -> None:
    ok, data = cv2.imencode(".png", picture)
    assert ok
    file.write_bytes(data.tobytes())


def teach(
    folder: Path,
    frame: Frame,
    labels: Labels,
    grid: Grid,
    toml: str,
    known: Profile | None = None,
    look: str = "",
    *,
    region: Box | None = None,
    reading: Reading | None = None,
) -> tuple[Profile, Learned]:
    """Learns a board, reads it back, and adds the cells that are still doubtful, until none is or nothing more can be
    added; then it is saved. Returns the site as it is then, and all that was learned.

    ``region``   where the board is looked for, to read it back
    ``reading``  the board as sites that are known already read it, to hold the labels against

    A site that reads a cell otherwise than its label says is not saved; one that leaves cells doubtful is.

    Raises as ``learn`` and ``save`` do, WrongUse where the picture contradicts the labels, and BoardNotFound where the
    site does not find the board; then nothing is changed."""
    if slips := contradicted(frame, grid, labels, reading):
        raise _unfit(labels, slips, "shows")
    found = learn(frame, labels, grid, known, look)
    pictures = {symbol: list(some) for symbol, some in found.pictures.items()}
    with _draft(folder) as draft:
        site = _add(draft, found.pictures, toml, look)
        for anew in (False, True):  # where it was learned, then where the site finds it, which may be a little beside
            for _ in range(ROUNDS):
                back = _read_back(frame, site, labels, grid, region, anew=anew)
                if back is None:
                    break
                more: dict[Symbol, list[Pixels]] = {}
                for cell in back.doubts:
                    symbol = labels.symbols[cell]
                    if symbol is not None and cell not in found.misfits:
                        more.setdefault(symbol, []).append(cut(frame, back.grid, cell))
                new = new_looks(site, more, look)
                if not new:
                    break
                site = _add(draft, new, None, look)
                for symbol, some in new.items():
                    pictures.setdefault(symbol, []).extend(some)
        proof = _proof(frame, site, labels, grid, region, reading)
    chosen = {symbol: tuple(some) for symbol, some in pictures.items()}
    return load_folder(folder), Learned(grid, chosen, found.misfits, proof)


def _read_back(
    frame: Frame, site: Profile, labels: Labels, grid: Grid, region: Box | None, *, anew: bool
) -> Reading | None:
    """The cells of a lattice as a site reads them, there or, ``anew``, where it finds them; None where it does not."""
    try:
        back = read(frame, site, region=region, size=labels.shape) if anew else read(frame, site, grid=grid)
    except BoardNotFound:
        return None
    return back if same_cells(back.grid, grid) else None


def _proof(
    frame: Frame, site: Profile, labels: Labels, grid: Grid, region: Box | None, reading: Reading | None
) -> Reading:
    """The board as a site that was just learned from it finds and reads it.

    Raises BoardNotFound where it is not found, WrongUse where a cell is read otherwise than its label says."""
    try:
        back = read(frame, site, region=region, size=labels.shape)
    except BoardNotFound:
        x, y, width, height = (round(side) for side in grid.box)
        remedy = "Learn from a screenshot at another zoom"
        if region is None:
            remedy += f", or give the place of its cells: --region {x},{y},{width},{height}"
        if reading is not None and not reading.doubts and judge(reading, labels).exact:
            remedy = f"The site {reading.profile.name}, which ships with autosolve, reads it whole: use that one"
        raise BoardNotFound(
            "What was learned from this screenshot does not find the board in it again, so nothing was saved.",
            f"{remedy}.",
        ) from None
    if wrong := judge(back, labels).wrong:
        raise _unfit(labels, {cell: back.symbols[cell] for cell in wrong}, "looks like")
    return back


def _unfit(labels: Labels, slips: Mapping[Cell, Symbol], verb: str) -> WrongUse:
    """What to say where cells are surely something else than their labels say."""
    kinds: dict[tuple[Symbol | None, Symbol], Cell] = {}
    for cell, symbol in slips.items():  # of each kind of slip one, then more of them
        kinds.setdefault((labels.symbols[cell], symbol), cell)
    named = sorted(list(dict.fromkeys([*kinds.values(), *slips]))[:MOST_NAMED])
    some = [
        f"{labels.shape.name(cell)} is labelled {label.char!r} and {verb} {slips[cell].char!r}"
        for cell in named
        if (label := labels.symbols[cell]) is not None
    ]
    many = len(slips) > max(2.0, MISFITS * labels.shape.size)
    more = f"; {len(slips)} such cells in all" if len(slips) > len(some) else ""
    return WrongUse(
        f"The labels do not fit the picture: {', '.join(some)}{more}.",
        "Check that they are of this board and of this moment, row by row; nothing was saved."
        if many
        else "Mend the labels, or write ~ for a cell you want to leave out, and learn again; nothing was saved.",
    )


# ---------------------------------------------------------------- checking


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a reading does against labels; ``wrong`` and ``doubtful`` in cells that are labelled.

    ``exact``  whether every labelled cell was read, and rightly"""

    shape: Shape
    cells: int
    wrong: tuple[Cell, ...]
    doubtful: tuple[Cell, ...]

    @property
    def exact(self) -> bool:
        return not self.wrong and not self.doubtful


def judge(reading: Reading, labels: Labels) -> Verdict:
    """Holds a reading of a board against its labels; WrongUse where their sizes differ."""
    if reading.grid.shape != labels.shape:
        raise WrongUse(
            f"The labels are of {labels.shape} cells, the board that was read has {reading.grid.shape}.",
            "Check that they belong together.",
        )
    said = [Cell(i) for i, s in enumerate(labels.symbols) if s is not None]
    wrong = tuple(c for c in said if c not in reading.doubts and reading.symbols[c] is not labels.symbols[c])
    doubtful = tuple(c for c in said if c in reading.doubts)
    return Verdict(labels.shape, len(said), wrong, doubtful)


# ---------------------------------------------------------------- cells to label

INDEX = "cells.txt"
SHEET = "cells.png"
_HEAD = """\
# Cells that could not be told. Write what each shows after its =, and leave empty what you cannot tell either:
#   . covered   0-8 clue   F flag   ? question mark   x marked safe   * mine   ! the mine that was hit   X wrong flag
# {sheet} shows them all. Then: autosolve sites label {folder} --name {site}
"""
_ENTRY = re.compile(r"\s*([^\s=/\\]+\.png)\s*=\s*(\S*)\s*(?:#.*)?")


def save_doubtful(reading: Reading, folder: Path, name: str, site: str = "") -> list[Path]:
    """Saves every doubtful cell as ``NAME_r3c5.png`` (1-based), adds each to the index ``cells.txt`` and draws all of
    them, large and named, into ``cells.png``. What the index says of a cell already stays. Returns the pictures.

    Cells that look alike are saved once. ``site`` is the one they are to be added to, where that is known.

    Raises WrongUse where the folder cannot be written."""
    frame, grid = reading.frame, reading.grid
    cells = sorted(reading.doubts)
    if not cells:
        return []
    name = re.sub(r"[^\w.-]+", "-", name).strip("-.") or "cell"
    looks = _looks(frame, grid)
    kept = [cells[k] for k in _spread(looks[cells])]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        index = folder / INDEX
        text = index.read_text(encoding="utf-8") if index.exists() else ""
        if not text:
            text = _HEAD.format(sheet=SHEET, folder=folder, site=site or "NAME")
        known = {m[1] for line in text.splitlines() if (m := _ENTRY.fullmatch(line))}
        out = []
        for cell in kept:
            file = folder / f"{name}_{grid.shape.name(cell)}.png"
            _write(file, cut(frame, grid, cell))
            out.append(file)
            if file.name not in known:
                text += f"{file.name} =    # {reading.doubts[cell]}\n"
        index.write_text(text, encoding="utf-8", newline="\n")
        _write(folder / SHEET, _sheet(folder, [m[1] for line in text.splitlines() if (m := _ENTRY.fullmatch(line))]))
    except OSError as problem:
        raise WrongUse(f"{str(folder)!r} cannot be written: {problem.strerror}.", "Give another folder.") from None
    return out


def _spread(looks: F32) -> list[int]:
    """One cell of each look, all of them, in order."""
    out: list[int] = []
    for i in range(len(looks)):
        if not out or float(_apart(looks[i : i + 1], looks[out]).min()) > TWIN:
            out.append(i)
    return out


def _sheet(folder: Path, names: Sequence[str], side: int = 96, columns: int = 6) -> Pixels:
    """All pictures of an index, large, each with its name below."""
    high, wide = side + 34, side + 64
    rows = max(1, -(-len(names) // columns))
    sheet = np.full((rows * high + 10, columns * wide + 10, 3), 255, np.uint8)
    for k, name in enumerate(names):
        picture = cv2.imread(str(folder / name), cv2.IMREAD_COLOR)
        if picture is None:
            continue
        y, x = 10 + k // columns * high, 10 + k % columns * wide
        scale = side / max(picture.shape[:2])
        big = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_NEAREST)
        sheet[y : y + big.shape[0], x : x + big.shape[1]] = big
        text = name.removesuffix(".png")
        text = text if len(text) <= 20 else ".." + text[-18:]
        cv2.putText(sheet, text, (x, y + side + 14), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (40, 40, 40), 1, cv2.LINE_AA)
    return sheet


def read_labelled(folder: Path) -> dict[Symbol, list[Pixels]]:
    """The pictures of a folder's index that a person has labelled, by symbol.

    Raises WrongUse where there is no index or no label in it, and NotationError with the line of a label that is no
    symbol or of a picture that is missing."""
    index = folder / INDEX
    try:
        text = index.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise WrongUse(
            f"There is no {INDEX} to read in {str(folder)!r}.", "'autosolve read SHOT --save-doubtful DIR' writes one."
        ) from None
    out: dict[Symbol, list[Pixels]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        content = line.strip()
        if not content or content.startswith("#"):
            continue
        entry = _ENTRY.fullmatch(line)
        if not entry:
            raise NotationError(f"{index}, line {number}: this is not 'PICTURE.png = label'.", "Mend it.", line=number)
        name, label = entry[1], entry[2]
        if not label or label == UNSAID:
            continue
        if len(label) != 1 or label not in BOARD_CHARACTERS:
            raise NotationError(
                f"{index}, line {number}: {label!r} is no symbol.", "Use one of . 0-8 F x ? * ! X.", line=number
            )
        picture = cv2.imread(str(folder / name), cv2.IMREAD_COLOR)
        if picture is None:
            raise NotationError(f"{index}, line {number}: there is no picture {name}.", "Remove the line.", line=number)
        out.setdefault(Symbol("." if label == "#" else label), []).append(np.asarray(picture, np.uint8))
    if not out:
        raise WrongUse(f"No cell is labelled in {str(index)!r} yet.", "Write what each cell shows after its =.")
    return out


def new_looks(
    profile: Profile, pictures: Mapping[Symbol, Sequence[Pixels]], look: str = ""
) -> dict[Symbol, list[Pixels]]:
    """Those of some pictures that a site does not know yet in one of its looks, each once."""
    out: dict[Symbol, list[Pixels]] = {}
    had = _pictures(profile, look)
    for symbol, some in pictures.items():
        known = [_look(p) for p in had.get(symbol, [])]
        for picture in some:
            seen = _look(picture)
            if not known or float(_apart(seen[None], np.stack(known)).min()) > TWIN:
                out.setdefault(symbol, []).append(picture)
                known.append(seen)
    return out
