"""Owns the local player's page: puts a puzzle, the styles and the scripts of ``web/`` into one HTML text.

The page loads nothing: its policy allows the one script and the one style sheet inside it, and no connection.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from importlib.resources import files

from autosolve.board import notation
from autosolve.board.notation import Position
from autosolve.board.puzzle import Variant
from autosolve.errors import WrongUse

# in the order in which they build on each other; together they are one script
SCRIPTS = ("sha256.js", "notation.js", "rules.js", "view.js", "main.js")

# ours, 24 mines; counting around one clue at a time is enough for it
EXAMPLE = (
    "9x12:199999119199921291199291959399222921999319922929293999929992929910992492199999999493999121299949909919222999"
    ":daba38e4537e586a032291e90974fc7a634f3703afa09f44d226af59beda9dfe"
)

_PLACE = re.compile(r"@@([A-Z]+)@@")


def page(position: Position | None = None, *, title: str = "Minesweeper puzzle") -> str:
    """The whole HTML text of the player.

    ``position``  the puzzle it opens with, its marks drawn; None for the form where one is pasted
    ``title``     of the browser's tab, plain text

    Raises WrongUse for a mosaic board: the page does not show them."""
    if position is not None and position.puzzle.variant is Variant.MOSAIC:
        raise WrongUse("The player does not show mosaic boards.", "Give a Minesweeper board.")
    script = "\n".join(["", '"use strict";', "(() => {", *map(_part, SCRIPTS), "})();", ""])
    script = _fill(script, {"EXAMPLE": EXAMPLE})
    style = _part("page.css")
    return _fill(
        _part("page.html"),
        {
            "POLICY": f"default-src 'none'; script-src {_digest(script)}; style-src {_digest(style)}; "
            "img-src data:; base-uri 'none'; form-action 'none'",
            "TITLE": html.escape(title),
            "STYLE": style,
            "START": _start(position),
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


def _start(position: Position | None) -> str:
    """The puzzle as a JSON string of board text that cannot end the element it stands in."""
    text = None if position is None else notation.write(position)
    return json.dumps(text).replace("<", "\\u003c")
