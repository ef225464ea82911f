"""Owns what a site is: loads and validates ``templates/<site>/site.toml`` and its pictures.

Legend: a site is a folder. ``site.toml`` says how it behaves, ``<symbol>.png`` or ``<symbol>.<variant>.png``
show its cells, one whole cell each. Symbols are called as in ``Symbol``, in lower case with hyphens:
``covered``, ``clue-0`` to ``clue-9``, ``flag``, ``safe``, ``question``, ``mine``, ``exploded``, ``wrong-flag``.
"""

from __future__ import annotations

from enum import Enum


class Symbol(Enum):
    """What a cell can show; the value is its character in board text."""

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

    @property
    def file_name(self) -> str:
        """The stem of its template files: ``clue-3``, ``wrong-flag``."""
        return self.name.lower().replace("_", "-")

    @property
    def number(self) -> int | None:
        """The number of a clue, None for other symbols."""
        return int(self.value) if self.value.isdigit() else None
