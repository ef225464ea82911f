"""Owns where pictures of measurements go: PNG or SVG by the name's ending, and what is said where they cannot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from autosolve.errors import WrongUse

KINDS = (".png", ".svg")


def check_place(place: Path) -> None:
    """WrongUse where no picture can be written there, as far as can be told without writing."""
    if place.suffix.lower() not in KINDS:
        raise WrongUse(f"{str(place)!r} is neither PNG nor SVG.", "Let the name end in .png or .svg.")
    if not place.absolute().parent.is_dir():
        raise WrongUse(f"There is no folder to write {str(place)!r} into.", "Make it, or give another place.")


def save(figure: Any, place: Path) -> None:
    """Writes a figure of matplotlib; WrongUse where it cannot be written."""
    check_place(place)
    try:
        figure.savefig(place)
    except OSError as problem:
        raise WrongUse(
            f"The picture cannot be written to {str(place)!r}: {problem.strerror}.", "Give another place."
        ) from None
