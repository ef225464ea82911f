"""Owns board text: parses and writes boards, one-line puzzles of digits and lines of a collection, both ways.

Legend: board text is one character a cell under optional headers (``mines: 99``, ``rows: 1 2 ? 3``,
``columns: ...``, ``variant: mosaic``, ``hash: ...``) and comments (``# ...``).

    .  #   covered                      0-8  clue (9 too in mosaic)
    F x ?  covered, with a mark on it   * !  a mine that is shown
    X      a wrong flag: the cell is shown not to hold a mine, its number is not

A one-line puzzle is ``RxC:digits[:sha256]`` with 9 for a covered cell. A line of a collection is a JSON object
with ``rows``, ``cols`` and ``puzzle`` (digits) or ``grid`` (rows of board text), and as far as it is told ``variant``,
``hash``, ``mines`` (on the whole board) and ``totals`` (``rows``, ``columns``, ``mines``). Made boards also carry
``solution``, ``seed``, ``difficulty`` and ``grade``: these say nothing a player sees, and beside a solution ``mines``
is but the number of mines in it. Other keys are a collection's own.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeGuard

from autosolve.board.puzzle import Marks, Puzzle, Totals, Variant
from autosolve.board.shape import MAX_SIDE, Cell, CellSet, Shape, cell_set
from autosolve.errors import NotationError, WrongUse

COVERED = ".#"
MARKS = {"F": "flags", "x": "crosses", "?": "questions"}
SHOWN_MINE = "*!"
WRONG_FLAG = "X"
DIGITS = "0123456789"
BOARD_CHARACTERS = frozenset(COVERED + "".join(MARKS) + SHOWN_MINE + WRONG_FLAG + DIGITS)

_HEADER = re.compile(r"\s*([A-Za-z][\w-]*)\s*:(.*)")
_LINE_PUZZLE = re.compile(r"\s*(\d+)\s*[xX×]\s*(\d+)\s*:")
_HASH = re.compile(r"[0-9a-fA-F]{64}")
_LEGEND = "Use . or # for covered, 0-8 for clues, F x ? for marks, * ! for mines, X for a wrong flag."


@dataclass(frozen=True, slots=True)
class Position:
    """A board as it was written down: its facts, the marks on it, and the hash of its solution if given.

    ``sha256``  64 lower-case hexadecimal digits, see ``solution_hash``; None where not given
    """

    puzzle: Puzzle
    marks: Marks = field(default_factory=Marks)
    sha256: str | None = None


def solution_hash(shape: Shape, mines: CellSet) -> str:
    """SHA-256, in hexadecimal, of the row-major string of the board with 1 for a mine and 0 for none."""
    return hashlib.sha256(_bits(mines, shape.size).encode("ascii")).hexdigest()


def _bits(mask: CellSet, size: int) -> str:
    """A mask as a string of 0 and 1, cell 0 first."""
    return format(mask, f"0{size}b")[::-1]


# ---------------------------------------------------------------- reading


def parse_board(text: str) -> Puzzle:
    """The facts of a board in any of the formats; NotationError as in ``parse``."""
    return parse(text).puzzle


def parse(text: str, first_line: int = 1) -> Position:
    """A board in board text, as a one-line puzzle or as one JSON object.

    ``first_line``  where the text begins in its file, for what is said of a line
    Raises NotationError with line and column, counted from 1, for anything that is not such a board."""
    if text.startswith("\ufeff"):
        text = text[1:]
    lines = text.splitlines()
    said = [(number, line) for number, line in enumerate(lines, first_line) if line.strip()]
    plain = [(number, line) for number, line in said if not line.lstrip().startswith("#")]
    if plain and plain[0][1].lstrip().startswith("{"):
        start = plain[0][0]
        return _parse_json_text("\n".join(lines[start - first_line :]), start)
    if plain and _LINE_PUZZLE.match(plain[0][1]):
        if len(plain) > 1:
            raise _fault("There is more than one puzzle here.", "Give one puzzle at a time.", plain[1][0], 1)
        return _parse_line(plain[0][1], plain[0][0])
    return _parse_text(lines, first_line)


def parse_collection(text: str) -> list[Position]:
    """Every board of a collection: one JSON object or one-line puzzle a line; blank lines and ``#`` lines are
    passed over. Raises NotationError that names the line."""
    out = []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        content = line.strip()
        if not content or content.startswith("#"):
            continue
        if content.startswith("{"):
            out.append(_parse_json_text(line, number))
        elif _LINE_PUZZLE.match(line):
            out.append(_parse_line(line, number))
        else:
            raise _fault(
                "This line of a collection is neither a JSON object nor RxC:digits.",
                'Write for example {"rows": 2, "cols": 2, "grid": ["1.", ".."]}.',
                number,
                1,
            )
    if not out:
        raise _fault("The collection is empty.", "Give one JSON object a line.", 1, 1)
    return out


def _fault(message: str, remedy: str, line: int, column: int) -> NotationError:
    where = f"Line {line}, column {column}: " if column else f"Line {line}: "
    return NotationError(where + message[0].lower() + message[1:], remedy, line=line, column=column)


def _shape(rows: int, cols: int, line: int, column: int = 0) -> Shape:
    try:
        return Shape(rows, cols)
    except WrongUse as problem:
        raise _fault(str(problem), problem.remedy, line, column) from None


def _parse_text(lines: Sequence[str], first_line: int) -> Position:
    headers: dict[str, tuple[int, int, str]] = {}
    rows: list[tuple[int, int, str]] = []
    bare: list[tuple[int, int, str]] = []
    gap = False  # a blank line below a row
    for number, line in enumerate(lines, first_line):
        content = line.strip()
        column = len(line) - len(line.lstrip()) + 1
        if not content:
            gap = bool(rows)
            continue
        if header := _HEADER.fullmatch(line):
            key = header[1].lower()
            if key not in _HEADERS:
                raise _fault(
                    f"There is no header {_short(header[1])!r}.", f"Headers are {', '.join(_HEADERS)}.", number, column
                )
            if key in headers:
                raise _fault(f"{key!r} is said a second time.", "Say it once.", number, column)
            if rows:
                raise _fault(f"{key!r} stands below the board.", "Put headers above the board.", number, column)
            headers[key] = (number, header.start(2) + 1, header[2])
        elif content == "#":
            # alone it is a covered cell on a board one column wide, an empty comment on any other
            bare.append((number, column, content))
        elif content[0] != "#" or BOARD_CHARACTERS.issuperset(content):
            if gap:
                raise _fault("A second board begins here, after a blank line.", "Give one board.", number, column)
            rows.append((number, column, content))
    if bare and all(len(content) == 1 for _, _, content in rows):
        rows = sorted(rows + bare)
    if not rows:
        raise _fault("There is no board in this text.", "Write one line of characters for each row.", first_line, 0)

    mosaic = False
    if "variant" in headers:
        mosaic = _variant(*headers["variant"]) is Variant.MOSAIC
    top = 9 if mosaic else 8
    width = len(rows[0][2])
    for number, column, content in rows:
        for i, char in enumerate(content):
            if char not in BOARD_CHARACTERS:
                raise _fault(f"{char!r} is not a character of a board.", _LEGEND, number, column + i)
            if char in DIGITS and int(char) > top:
                raise _fault(
                    f"The clue {char} is not possible.",
                    f"Clues go from 0 to {top}; a covered cell is '.', and 'variant: mosaic' allows 9.",
                    number,
                    column + i,
                )
        if len(content) != width:
            raise _fault(
                f"This row has {len(content)} cells, the first one {width}.",
                "Give every row the same number of cells.",
                number,
                column + min(len(content), width),
            )
    shape = _shape(len(rows), width, rows[0][0])

    def totals(key: str, count: int, most: int) -> tuple[int | None, ...]:
        return _line_totals(key, *headers[key], count, most) if key in headers else ()

    mines = _mines(*headers["mines"], shape) if "mines" in headers else None
    digest = _digest(*headers["hash"]) if "hash" in headers else None
    return _position(
        shape,
        "".join(content for _, _, content in rows),
        Totals(totals("rows", shape.rows, shape.cols), totals("columns", shape.cols, shape.rows), mines),
        Variant.MOSAIC if mosaic else Variant.MINESWEEPER,
        digest,
    )


_HEADERS = ("mines", "rows", "columns", "variant", "hash")


def _variant(line: int, column: int, text: str) -> Variant:
    try:
        return Variant(text.strip().lower())
    except ValueError:
        known = " or ".join(v.value for v in Variant)
        raise _fault(f"There is no variant {_short(text.strip())!r}.", f"Write {known}.", line, column) from None


def _short(word: str) -> str:
    """A word as it goes into a message."""
    return word if len(word) <= 24 else f"{word[:20]}..."


def _number(text: str) -> int | None:
    """A plain decimal number, None for anything else; long ones are capped, for they are out of range anyway."""
    return int(text[:9]) if text.isascii() and text.isdigit() else None


def _mines(line: int, column: int, text: str, shape: Shape) -> int | None:
    word = text.strip()
    column += len(text) - len(text.lstrip())
    if word == "?":
        return None
    count = _number(word)
    if count is None:
        raise _fault(f"{_short(word)!r} is not a number of mines.", "Write 'mines: 99'.", line, column)
    if count > shape.size:
        raise _fault(
            f"There are {_short(word)} mines, more than the {shape.size} cells of the board.", "Mend it.", line, column
        )
    return count


def _line_totals(key: str, line: int, column: int, text: str, count: int, most: int) -> tuple[int | None, ...]:
    out: list[int | None] = []
    for word in re.finditer(r"[^\s,]+", text):
        at = column + word.start()
        value = None if word[0] == "?" else _number(word[0])
        if value is None and word[0] != "?":
            raise _fault(f"{_short(word[0])!r} is not a total.", "Write numbers, and ? where unknown.", line, at)
        if value is not None and value > most:
            raise _fault(
                f"A total of {_short(word[0])} is more than the {most} cells it counts.",
                "Mend it or write ?.",
                line,
                at,
            )
        out.append(value)
    if len(out) != count:
        raise _fault(
            f"There are {len(out)} totals for {count} {key}.",
            "Give one for each, ? where unknown.",
            line,
            column,
        )
    return tuple(out)


def _digest(line: int, column: int, text: str) -> str:
    word = text.strip()
    if not _HASH.fullmatch(word):
        raise _fault("This is not a SHA-256 hash.", "Give 64 hexadecimal digits, or none.", line, column)
    return word.lower()


def _position(shape: Shape, chars: str, totals: Totals, variant: Variant, digest: str | None) -> Position:
    """A board from its characters, row-major, all of them known to be good."""
    clues = {Cell(i): int(char) for i, char in enumerate(chars) if char in DIGITS}

    def where(wanted: Iterable[str]) -> CellSet:
        kinds = set(wanted)
        return int("".join("1" if char in kinds else "0" for char in reversed(chars)), 2)

    mines = where(SHOWN_MINE)
    # in mosaic a clue stands on its cell, which may hold a mine all the same
    open_cells = where(WRONG_FLAG) if variant is Variant.MOSAIC else where(WRONG_FLAG + DIGITS)
    puzzle = Puzzle(shape, clues, shape.all & ~mines & ~open_cells, totals, mines, variant)
    return Position(puzzle, Marks(**{name: where(char) for char, name in MARKS.items()}), digest)


def _parse_line(text: str, line: int) -> Position:
    size = _LINE_PUZZLE.match(text)
    assert size is not None
    shape = _shape(int(size[1][:9]), int(size[2][:9]), line, 1)
    digits, colon, digest = text[size.end() :].rstrip().partition(":")
    start = size.end() + 1 + len(digits) - len(digits.lstrip())
    digits = digits.strip()
    chars = _covered_nines(digits, shape, line, start)
    found = _digest(line, size.end() + len(text[size.end() :].partition(":")[0]) + 2, digest) if colon else None
    return _position(shape, chars, Totals(), Variant.MINESWEEPER, found)


def _covered_nines(digits: str, shape: Shape, line: int, start: int) -> str:
    """The characters of a puzzle of digits; ``start`` is the column of the first, 0 where that says nothing."""
    for i, char in enumerate(digits):
        if char not in DIGITS:
            raise _fault(
                f"{char!r} is not a digit (cell {i + 1} of the puzzle).",
                "Write 0-8 for clues and 9 for a covered cell.",
                line,
                start + i if start else 0,
            )
    if len(digits) != shape.size:
        raise _fault(
            f"There are {len(digits)} digits for the {shape.size} cells of a {shape} board.",
            "Give one digit for each cell.",
            line,
            start + min(len(digits), shape.size) if start else 0,
        )
    return digits.replace("9", ".")


# ---------------------------------------------------------------- JSON


def _parse_json_text(text: str, line: int) -> Position:
    lines = [(n, part) for n, part in enumerate(text.splitlines(), line) if part.strip()]
    try:
        data = json.loads(text)
    except json.JSONDecodeError as problem:
        if problem.msg == "Extra data" and len(lines) > 1:
            raise _fault(
                "There is more than one puzzle here.",
                "Give one object at a time; 'autosolve audit' reads a whole collection.",
                line + problem.lineno - 1,
                problem.colno,
            ) from None
        raise _fault(
            f"This is not JSON: {problem.msg}.", "Mend the line.", line + problem.lineno - 1, problem.colno
        ) from None
    except ValueError:  # Python's own limit
        raise _fault("This JSON has a number of thousands of digits.", "Mend the object.", line, 0) from None
    except RecursionError:
        raise _fault("This JSON is nested too deeply.", "Give one flat object.", line, 1) from None
    return _from_json(data, line)


def _whole(value: object) -> TypeGuard[int]:
    """A JSON integer: true and false are none, although Python counts them so."""
    return isinstance(value, int) and not isinstance(value, bool)


def _from_json(data: dict[str, Any], line: int) -> Position:
    def wrong(key: str, wanted: str) -> NotationError:
        return _fault(f"{key!r} must be {wanted}.", "Mend the object.", line, 0)

    grid, puzzle = data.get("grid"), data.get("puzzle")
    if (schema := data.get("schema", 1)) != 1 or isinstance(schema, bool):
        raise _fault(f"There is no schema {_short(json.dumps(schema))}.", "This version reads schema 1.", line, 0)
    if isinstance(grid, str):
        grid = grid.split()
    if grid is not None and not (isinstance(grid, list) and grid and all(isinstance(r, str) for r in grid)):
        raise wrong("grid", "a list of rows in board text")
    if puzzle is not None and not isinstance(puzzle, str):
        raise wrong("puzzle", "a string of digits")
    if grid is None and puzzle is None:
        raise _fault("The object has no board.", "Give 'puzzle' or 'grid'.", line, 0)
    if grid is not None and puzzle is not None:
        raise _fault("The object has two boards, 'puzzle' and 'grid'.", "Give one of them.", line, 0)

    rows, cols = data.get("rows"), data.get("cols")
    for key, value in (("rows", rows), ("cols", cols)):
        if (value is not None or grid is None) and not (_whole(value) and 1 <= value <= MAX_SIDE):
            raise wrong(key, f"a number from 1 to {MAX_SIDE}")
    if grid is not None:
        rows, cols = rows or len(grid), cols or len(grid[0])
    shape = _shape(int(rows or 0), int(cols or 0), line)

    variant = Variant.MINESWEEPER
    if (name := data.get("variant")) is not None:
        if not isinstance(name, str):
            raise wrong("variant", "a string")
        variant = _variant(line, 0, name)
    mosaic = variant is Variant.MOSAIC

    if grid is not None:
        if len(grid) != rows:
            raise _fault(f"'grid' has {len(grid)} rows, 'rows' says {rows}.", "Mend the object.", line, 0)
        for number, row in enumerate(grid, 1):
            if len(row) != cols:
                raise _fault(f"Row {number} of 'grid' has {len(row)} cells, not {cols}.", "Mend the object.", line, 0)
            for at, char in enumerate(row, 1):
                if char not in BOARD_CHARACTERS:
                    raise _fault(f"{char!r} at r{number}c{at} is not a character of a board.", _LEGEND, line, 0)
                if char == "9" and not mosaic:
                    raise _fault(
                        f"The clue 9 at r{number}c{at} is not possible.",
                        "Clues go from 0 to 8; a covered cell of a grid is '.'.",
                        line,
                        0,
                    )
        chars = "".join(grid)
    else:
        assert puzzle is not None
        if mosaic:
            raise _fault("Mosaic cannot be written in digits.", "Give its rows as 'grid'.", line, 0)
        chars = _covered_nines(puzzle, shape, line, 0)

    digest = data.get("hash")
    if digest is not None:
        if not isinstance(digest, str):
            raise wrong("hash", "a string")
        digest = _digest(line, 0, digest)
    totals = _json_totals(data.get("totals"), shape, wrong)
    if data.get("columns") is not None:
        raise _fault("'columns' stands outside 'totals'.", "Write 'totals': {'columns': [...]}.", line, 0)
    solution = _json_solution(data.get("solution"), shape, line, wrong)
    mines = data.get("mines")
    if _pairs_inside(mines, shape):
        mines = None  # what a solver found, as 'run --json' has it
    if mines is not None:
        if not (_whole(mines) and 0 <= mines <= shape.size):
            raise wrong("mines", f"a number from 0 to {shape.size}")
        if totals.mines is not None and totals.mines != mines:
            raise _fault(f"'mines' says {mines}, 'totals.mines' {totals.mines}.", "Mend the object.", line, 0)
        if solution is None:
            totals = Totals(totals.rows, totals.columns, mines)
        elif mines != solution:
            raise _fault(f"'mines' says {mines}, 'solution' has {solution}.", "Mend the object.", line, 0)
    if data.get("seed") is not None and not (_whole(data["seed"]) and data["seed"] >= 0):
        raise wrong("seed", "a whole number")
    if data.get("difficulty") is not None and not (isinstance(data["difficulty"], str) or _whole(data["difficulty"])):
        raise wrong("difficulty", "a word or a whole number")
    if data.get("grade") is not None and not isinstance(data["grade"], dict):
        raise wrong("grade", "an object as 'grade --json' writes it")
    return _position(shape, chars, totals, variant, digest)


def _pairs_inside(value: object, shape: Shape) -> bool:
    """Whether this is a list of [row, column], counted from 0, inside the board."""
    return isinstance(value, list) and all(
        isinstance(at, list)
        and len(at) == 2
        and all(_whole(i) and 0 <= i < side for i, side in zip(at, (shape.rows, shape.cols), strict=True))
        for at in value
    )


def _json_solution(given: Any, shape: Shape, line: int, wrong: Callable[[str, str], NotationError]) -> int | None:
    """How many mines a stored solution has; None where there is none. Whether it is right is not asked here."""
    if given is None:
        return None
    rows = given.split() if isinstance(given, str) else given
    if not (isinstance(rows, list) and all(isinstance(row, str) for row in rows)):
        raise wrong("solution", "one string a row, with 1 for a mine and 0 for none")
    chars = "".join(rows)
    if len(chars) != shape.size or (len(rows) != 1 and any(len(row) != shape.cols for row in rows)):
        raise _fault(
            f"'solution' does not have one character for each of the {shape.size} cells.",
            "Give one string a row, with 1 for a mine and 0 for none.",
            line,
            0,
        )
    for at, char in enumerate(chars):
        if char not in BOARD_CHARACTERS:
            raise _fault(f"{char!r} at {shape.name(at)} of 'solution' is not a character of a board.", _LEGEND, line, 0)
    # a solved board in board text has its mines as F, * or !; only where there is none of these does 1 stand for one
    marked = sum(chars.count(char) for char in "F" + SHOWN_MINE)
    return marked or (chars.count("1") if set(chars) <= {"0", "1"} else 0)


def _json_totals(given: Any, shape: Shape, wrong: Callable[[str, str], NotationError]) -> Totals:
    if given is None:
        return Totals()
    if not (isinstance(given, dict) and given.keys() <= {"rows", "columns", "mines"}):
        raise wrong("totals", "an object with rows, columns and mines")
    found: list[tuple[int | None, ...]] = []
    for key, count, most in (("rows", shape.rows, shape.cols), ("columns", shape.cols, shape.rows)):
        values = [] if given.get(key) is None else given[key]
        if not isinstance(values, list) or len(values) not in (0, count):
            raise wrong(f"totals.{key}", f"a list of {count} numbers, null where unknown")
        for value in values:
            if value is not None and not (_whole(value) and 0 <= value <= most):
                raise wrong(f"totals.{key}", f"numbers from 0 to {most}, null where unknown")
        found.append(tuple(values))
    mines = given.get("mines")
    if mines is not None and not (_whole(mines) and 0 <= mines <= shape.size):
        raise wrong("totals.mines", f"a number from 0 to {shape.size}")
    return Totals(found[0], found[1], mines)


# ---------------------------------------------------------------- writing


def grid_lines(puzzle: Puzzle, marks: Marks | None = None) -> list[str]:
    """The board in board text, one string a row. A mark is drawn on a covered cell that shows no clue."""
    chars = _characters(puzzle)
    if marks is not None:
        for mark, name in MARKS.items():
            for i, bit in enumerate(_bits(getattr(marks, name) & puzzle.covered, puzzle.shape.size)):
                if bit == "1" and chars[i] == ".":
                    chars[i] = mark
    return _rows(chars, puzzle.shape)


def solved_lines(puzzle: Puzzle, mines: CellSet, safe: CellSet) -> list[str]:
    """The board with what is proven of its covered cells: F for a mine, x for a safe cell, the rest as it is.
    In mosaic, where a clue's own cell may be filled, F stands in place of its number."""
    chars = _characters(puzzle)
    size = puzzle.shape.size
    for i, (mine, clear) in enumerate(
        zip(_bits(mines & puzzle.covered, size), _bits(safe & puzzle.covered, size), strict=True)
    ):
        if mine == "1":
            chars[i] = "F"
        elif clear == "1" and chars[i] == ".":
            chars[i] = "x"
    return _rows(chars, puzzle.shape)


def _characters(puzzle: Puzzle) -> list[str]:
    size = puzzle.shape.size
    chars = [
        "*" if mine == "1" else "." if covered == "1" else WRONG_FLAG
        for mine, covered in zip(_bits(puzzle.mines, size), _bits(puzzle.covered, size), strict=True)
    ]
    for cell, number in puzzle.clues.items():
        chars[cell] = str(number)
    return chars


def _rows(chars: list[str], shape: Shape) -> list[str]:
    return ["".join(chars[i : i + shape.cols]) for i in range(0, shape.size, shape.cols)]


def write(position: Position) -> str:
    """Board text that ``parse`` reads back as the same position.

    Two things board text has no character for are lost: marks on the clues of a mosaic, and whether a shown
    mine exploded."""
    out = headers(position.puzzle)
    if position.sha256 is not None:
        out.append(f"hash: {position.sha256}")
    return "\n".join([*out, *grid_lines(position.puzzle, position.marks)]) + "\n"


def headers(puzzle: Puzzle) -> list[str]:
    """The lines above the grid of a board text: the totals that are known, and the variant unless it is the usual."""
    out, totals = [], puzzle.totals
    if totals.mines is not None:
        out.append(f"mines: {totals.mines}")
    for key, values in (("rows", totals.rows), ("columns", totals.columns)):
        if values:
            out.append(f"{key}: {' '.join('?' if v is None else str(v) for v in values)}")
    if puzzle.variant is not Variant.MINESWEEPER:
        out.append(f"variant: {puzzle.variant.value}")
    return out


def write_digits(position: Position) -> str:
    """The one-line puzzle ``RxC:digits[:sha256]``. Marks are dropped.

    Raises WrongUse for a board that has totals, shown mines, wrong flags or mosaic clues: digits cannot say it."""
    puzzle = position.puzzle
    unsaid = puzzle.mines or puzzle.totals != Totals() or puzzle.variant is not Variant.MINESWEEPER
    if unsaid or (puzzle.covered | cell_set(puzzle.clues)) != puzzle.shape.all:
        raise WrongUse(
            "This board cannot be written in digits.", "Write board text: it holds totals, shown mines and mosaic."
        )
    digits = "".join(grid_lines(puzzle)).replace(".", "9")
    return f"{puzzle.shape}:{digits}" + (f":{position.sha256}" if position.sha256 else "")
