"""Owns how numbers of things are put into words, for messages: one mine, two thousand mines, an 8x8 board."""

from __future__ import annotations

from autosolve.board.shape import Shape


def counted(number: int, thing: str, many: str = "") -> str:
    """``1 mine``, ``2,000 mines``, ``2 boxes``; ``many`` where that is not made by an s."""
    return f"{number:,} {thing if number == 1 else many or thing + 's'}"


def verb(number: int, one: str, many: str) -> str:
    """The verb that goes with a number of things: ``is`` or ``are``, ``does`` or ``do``."""
    return one if number == 1 else many


def up_to(most: int, thing: str, least: int = 0) -> str:
    """What to give where there is room for so many things, in a clause: ``give 0 to 7 mines``."""
    if most > least:
        return f"give {least:,} to {counted(most, thing)}"
    return f"give {counted(most, thing)}" if most == least else f"there is room for no {thing} at all"


def article(shape: Shape) -> str:
    """``a 9x9 board``, ``an 8x8 board``."""
    rows = str(shape.rows)
    return f"{'an' if rows[0] == '8' or rows in ('11', '18') else 'a'} {shape} board"


def sentence(clause: str) -> str:
    """A clause as a sentence."""
    return f"{clause[0].upper()}{clause[1:]}."
