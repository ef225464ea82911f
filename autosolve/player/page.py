"""Owns the local player's page: puts a puzzle, the styles and the scripts of ``web/`` into one HTML text.

The page loads nothing: its policy allows the one script and the one style sheet inside it, and no connection, or none
but to the local server that sent it.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from importlib.resources import files
from typing import Any

from autosolve.board import notation
from autosolve.board.notation import Position
from autosolve.errors import WrongUse
from autosolve.player.plan import HiddenGame, plan, plan_of_game

# in the order in which they build on each other; together they are one script
SCRIPTS = (
    "sha256.js",
    "notation.js",
    "history.js",
    "rules.js",
    "settings.js",
    "view.js",
    "sources.js",
    "hints.js",
    "record.js",
    "input.js",
    "main.js",
)

# ours, 24 mines; counting around one clue at a time is enough for it
EXAMPLE = (
    "9x12:199999119199921291199291959399222921999319922929293999929992929910992492199999999493999121299949909919222999"
    ":daba38e4537e586a032291e90974fc7a634f3703afa09f44d226af59beda9dfe"
)

_PLACE = re.compile(r"@@([A-Z]+)@@")


def page(
    position: Position | None = None,
    *,
    title: str = "Minesweeper puzzle",
    game: HiddenGame | None = None,
    token: str | None = None,
) -> str:
    """The whole HTML text of the player.

    ``position``  the puzzle it opens with, its marks drawn
    ``game``      or the board to open it opens with; with neither it asks for a puzzle
    ``title``     of the browser's tab, plain text
    ``token``     what the local server that sends the page wants to hear with every question; None for a page that
                  stands alone: it carries a plan of hints for its puzzle instead

    Raises WrongUse where both a puzzle and a game are given."""
    if position is not None and game is not None:
        raise WrongUse("A page opens with one board.", "Give a puzzle or a game, not both.")
    text = game.text if game is not None else None if position is None else notation.write(position)
    hints: dict[str, Any] | None = None
    if token is None:
        hints = plan_of_game(game) if game is not None else plan(position.puzzle) if position is not None else None
    script = "\n".join(["", '"use strict";', "(() => {", *map(_part, SCRIPTS), "})();", ""])
    script = _fill(script, {"EXAMPLE": EXAMPLE})
    style = _part("page.css")
    connections = "" if token is None else "connect-src 'self'; "
    return _fill(
        _part("page.html"),
        {
            "POLICY": f"default-src 'none'; script-src {_digest(script)}; style-src {_digest(style)}; "
            f"img-src data:; {connections}base-uri 'none'; form-action 'none'",
            "TITLE": html.escape(title),
            "STYLE": style,
            "START": _data(text),
            "PLAN": _data(hints),
            "CONFIG": _data({"server": token is not None, "token": token}),
            "SCRIPT": script,
        },
    )


def _part(name: str) -> str:
    return (files("autosolve.player") / "web" / name).read_text(encoding="utf-8")


def _fill(text: str, values: dict[str, str]) -> str:
    """A text with every ``@@NAME@@`` filled, in one pass: what is filled in is not looked at again."""
    return _PLACE.sub(lambda place: values[place[1]], text)


def _digest(text: str) -> str:
    """How a content security policy names a script or a style sheet."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _data(value: object) -> str:
    """JSON that cannot end the element it stands in."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")
