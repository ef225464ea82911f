"""Owns what a file of boards says beyond the boards: tiers, stored solutions, whether cells are opened to be seen."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from autosolve.board.notation import Position, parse, parse_collection
from autosolve.board.puzzle import Puzzle
from autosolve.board.shape import CellSet, Shape, cell_set
from autosolve.errors import NotationError

TIER_KEYS = ("tier", "difficulty", "level")
_MINES = "1F*!"
_NO_JSON = (ValueError, RecursionError)  # the latter where brackets are nested too deep for Python's reader


@dataclass(frozen=True, slots=True)
class Entry:
    """One board of a file.

    ``line``      where it stands, from 1
    ``position``  the board
    ``tier``      the name it goes by among the levels of its collection, "" for none
    ``solution``  the mines stored with it, shown ones too; None where none are. May be wrong
    ``reveals``   whether its open cells show a number only once they are opened
    ``data``      the whole object it was read from; empty for other notations
    """

    line: int
    position: Position
    tier: str = ""
    solution: CellSet | None = None
    reveals: bool = False
    data: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def puzzle(self) -> Puzzle:
        """The board's facts."""
        return self.position.puzzle


def is_collection(text: str) -> bool:
    """Whether a text has more than one board, one a line, or is a set of boards."""
    if _rounds(text) is not None:
        return True
    lines = _content(text)
    return len(lines) > 1 and all(line[0] == "{" or _is_line_puzzle(line) for _, line in lines) and _whole(lines[0][1])


def pieces(text: str) -> list[tuple[int, str]]:
    """The boards of a text, each as it was written and with its line, from 1, for ``entry``: one for a single board in
    any notation; of a set, an object with ``rounds``, each with its number. All are known to be good. Raises
    NotationError naming the line."""
    if (rounds := _rounds(text)) is not None:
        parse_collection("\n".join(rounds))
        return list(enumerate(rounds, 1))
    if is_collection(text):
        parse_collection(text)
        return _content(text)
    parse(text)
    return [(next((number for number, _ in _content(text)), 1), text)]  # a board of # alone has no such line


def entry(number: int, text: str, tier_key: str | None = None) -> Entry:
    """One board, from ``pieces``.

    ``tier_key``  the key of the object that names the tier; the first of ``TIER_KEYS`` that is there if not given
    Raises NotationError."""
    position = parse(text, number)
    text = text.removeprefix("\ufeff").strip()
    if not text.startswith("{"):
        return Entry(number, position)
    data: dict[str, Any] = json.loads(text)
    keys = (tier_key,) if tier_key else TIER_KEYS
    tier = next((str(data[key]) for key in keys if data.get(key) not in (None, "")), "")
    solution = _solution(data.get("solution"), position.puzzle.shape, number)
    return Entry(number, position, tier, solution, "start" in data, MappingProxyType(data))


def entries(text: str, tier_key: str | None = None) -> list[Entry]:
    """Every board of a text; NotationError naming the line."""
    return [entry(number, piece, tier_key) for number, piece in pieces(text)]


def objects(text: str) -> list[tuple[int, dict[str, Any]]]:
    """Every JSON object of a text that has one a line, with its line, from 1; NotationError for anything else."""
    out = []
    for number, line in _content(text):
        try:
            data = json.loads(line)
        except _NO_JSON:
            data = None
        if not isinstance(data, dict):
            raise NotationError(
                f"Line {number}: this is not a JSON object.", "Give one object a line.", line=number, column=1
            )
        out.append((number, data))
    return out


def _rounds(text: str) -> list[str] | None:
    """The boards of a set, as ``generate lines --set`` writes it; None for anything else."""
    text = text.removeprefix("\ufeff").strip()
    if not text.startswith("{") or '"rounds"' not in text:
        return None
    try:
        rounds = json.loads(text).get("rounds")
    except _NO_JSON:
        return None
    if not isinstance(rounds, list) or not all(isinstance(board, dict) for board in rounds):
        return None
    return [json.dumps(board) for board in rounds]


def _content(text: str) -> list[tuple[int, str]]:
    lines = enumerate(text.removeprefix("\ufeff").splitlines(), 1)
    return [(n, line.strip()) for n, line in lines if line.strip() and not line.strip().startswith("#")]


def _is_line_puzzle(line: str) -> bool:
    head, colon, _ = line.partition(":")
    return bool(colon) and head.strip()[:1].isdigit()


def _whole(line: str) -> bool:
    if line[0] != "{":
        return True
    try:
        json.loads(line)
    except _NO_JSON:
        return False
    return True


def _solution(given: Any, shape: Shape, number: int) -> CellSet | None:
    """The mines of a stored solution: one string a row, or one in all, with 1, F, * or ! for a mine."""
    if given is None:
        return None
    rows = given.split() if isinstance(given, str) else given
    text = "".join(rows) if isinstance(rows, list) and all(isinstance(row, str) for row in rows) else ""
    if len(text) != shape.size:
        raise NotationError(
            f"Line {number}: 'solution' does not have one character for each of the {shape.size} cells.",
            "Give one string a row, with 1 for a mine and 0 for none.",
            line=number,
        )
    # digits of a solved board are clues; only where there is no F or * does 1 stand for a mine
    mines = _MINES[1:] if any(char in text for char in _MINES[1:]) else _MINES
    return cell_set(i for i, char in enumerate(text) if char in mines)
