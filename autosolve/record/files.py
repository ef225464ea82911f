"""Owns the folder of a record: the names of its files, how they are written and read, which records there are.

Legend: a *record* is a folder that holds

    run.json         one object: how the run began and how it ended ("result" is "running" until then)
    events.jsonl     one object a line, in the order of time: "start", "look", "click", "end"
    board-N.png      the board as look N saw it, cut out of the screen; of a long run the first and the last ones
    overlay.png      what the first look led to, drawn for people
    board.txt        the facts of the last look, as board text
    screen-N.png     whole pictures of the screen, only where they were asked for

``t`` is in seconds since the run began; cells are [row, column] from 0; places and boxes are in screen points,
``corner`` and ``pitch`` in pixels of the look's picture.
"""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autosolve.errors import UnreadableFile

SCHEMA = 1
KEPT = 50  # records kept in the user's data folder; older ones are removed
RUN, EVENTS = "run.json", "events.jsonl"
RUNNING = "running"


@dataclass(frozen=True, slots=True)
class Record:
    """A record as it was read: ``run`` is run.json, ``events`` the lines of events.jsonl."""

    folder: Path
    run: dict[str, Any]
    events: tuple[dict[str, Any], ...]

    @property
    def looks(self) -> list[dict[str, Any]]:
        """The looks, in order."""
        return [event for event in self.events if event["event"] == "look"]

    @property
    def clicks(self) -> list[dict[str, Any]]:
        """The clicks that were made, in order."""
        return [event for event in self.events if event["event"] == "click"]


def write_json(file: Path, data: dict[str, Any]) -> None:
    """Writes an object so that a reader finds the old one or the new one, never a half; OSError."""
    part = file.with_suffix(".part")
    part.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    part.replace(file)


def load(folder: Path) -> Record:
    """The record in a folder. A last line that was not written whole is left out. Raises UnreadableFile."""
    try:
        run = json.loads((folder / RUN).read_text(encoding="utf-8"))
        lines = (folder / EVENTS).read_text(encoding="utf-8").splitlines() if (folder / EVENTS).exists() else []
    except FileNotFoundError:
        raise UnreadableFile(
            f"There is no record of a run in {str(folder)!r}.", "'autosolve report' without a name lists the records."
        ) from None
    except (OSError, ValueError) as problem:
        raise UnreadableFile(f"The record in {str(folder)!r} cannot be read: {problem}.", "Choose another.") from None
    if not isinstance(run, dict) or run.get("schema") != SCHEMA or "result" not in run:
        raise UnreadableFile(
            f"{str(folder / RUN)!r} is no record of a run that this version knows.", "Choose another record."
        )
    events: list[dict[str, Any]] = []
    for number, line in enumerate(lines, 1):
        try:
            event = json.loads(line)
        except ValueError:
            if number == len(lines):
                break
            raise UnreadableFile(
                f"Line {number} of {str(folder / EVENTS)!r} is broken.", "Choose another record."
            ) from None
        if not isinstance(event, dict) or not isinstance(event.get("event"), str):
            raise UnreadableFile(f"Line {number} of {str(folder / EVENTS)!r} is no event.", "Choose another record.")
        events.append(event)
    return Record(folder, run, tuple(events))


def records(home: Path) -> list[Path]:
    """The folders of records in and under a folder, the newest first."""
    try:
        found = [place for place in (home, *home.iterdir()) if (place / RUN).is_file()]
    except OSError:
        return []
    return sorted(found, key=lambda place: (_begun(place), place.name), reverse=True)


def _begun(place: Path) -> str:
    try:
        return str(json.loads((place / RUN).read_text(encoding="utf-8")).get("started", ""))
    except (OSError, ValueError, AttributeError):
        return ""


def new_folder(home: Path, name: str) -> Path:
    """A new folder of that name, or of one like it where that is taken; only its owner may look in. OSError."""
    home.mkdir(parents=True, exist_ok=True)
    number = 1
    while True:
        place = home / (name if number == 1 else f"{name}-{number}")
        try:
            place.mkdir(mode=0o700)
        except FileExistsError:
            number += 1
        else:
            return place


def prune(home: Path, kept: int = KEPT) -> list[Path]:
    """Removes the oldest records in a folder until ``kept`` are left; returns those that are gone. What is no
    record is left alone, and so is what another run is writing to."""
    gone = []
    for place in records(home)[kept:]:
        if place == home or _is_running(place):
            continue
        shutil.rmtree(place, ignore_errors=True)
        gone.append(place)
    return gone


def _is_running(place: Path) -> bool:
    """Whether a process still writes there; one that is gone may have left "running" behind."""
    try:
        run = json.loads((place / RUN).read_text(encoding="utf-8"))
        if run["result"] != RUNNING or os.name == "nt":
            return bool(run["result"] == RUNNING)
        os.kill(int(run["process"]), 0)
    except PermissionError:
        return True
    except (OSError, ValueError, KeyError, TypeError):
        return False
    return True
