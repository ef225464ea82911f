"""Owns the file in which a long run keeps what it has done, and how it is gone on with after any stop: JSON lines, one
that names the run and then one a piece, each written whole as soon as the piece is done.

    @kept.options
    def command(..., output: str | None, resume: bool) -> None:
        lines = kept.begun(output, resume)
        with kept.writing(output, head) as write:
            write(line)
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TypeVar

import click

from autosolve.board.words import counted
from autosolve.cli import say
from autosolve.errors import Stopped, WrongUse

Command = TypeVar("Command", bound=Callable[..., Any])
Write = Callable[[str], None]


def options(command: Command) -> Command:
    """--output and --resume."""
    command = click.option(
        "--resume", is_flag=True, help="Go on with the run in the --output file: what is there is not done again."
    )(command)
    return click.option(
        "--output", "-o", metavar="FILE", help="Keep every result there, as a line of JSON, as soon as it is done."
    )(command)


def begun(output: str | None, resume: bool) -> list[str]:
    """The lines of the run that is to be gone on with, whole ones; none where it begins.

    Raises WrongUse where it can neither begin nor be gone on with."""
    if output is None:
        if resume:
            raise WrongUse("There is nothing to go on with.", "Name the file of the run with --output.")
        return []
    file = Path(output)
    say.check_place(file)
    if not file.is_file() or not file.stat().st_size:
        return []
    if not resume:
        raise WrongUse(f"There is a file {output!r} already.", "Go on with it by --resume, or give another name.")
    lines = [line for line in say.read_text(output).splitlines(keepends=True) if line.endswith("\n")]
    if not lines:
        raise WrongUse(f"{output!r} holds no run to go on with.", "Give another name.")
    return lines


@contextmanager
def writing(output: str, head: str) -> Iterator[Write]:
    """Writes lines behind those that are there, each whole and at once, the first of all being ``head``.

    Raises WrongUse where another process writes to the same file, UnreadableFile where it cannot be written."""
    place = Path(output)
    try:
        mode = "xb" if not place.exists() else "r+b" if place.is_file() else "wb"  # a device, or a pipe
        file: IO[bytes] = place.open(mode, buffering=0)
    except OSError as problem:
        raise say.unwritable(place, problem) from None
    with file:
        _alone(file, output)
        try:
            there = file.read() if mode == "r+b" else b""
            if there and not there.endswith(b"\n"):  # a line cut off as it was written
                there = there[: there.rfind(b"\n") + 1]
                file.seek(len(there))
                file.truncate()
        except OSError as problem:
            raise say.unwritable(place, problem) from None

        def write(line: str) -> None:
            try:
                say.append(file, f"{line}\n")
            except OSError as problem:
                raise say.unwritable(place, problem) from None

        if not there:
            write(head)
        yield write


def stopped(done: int, total: int | None, output: str | None) -> Stopped:
    """What to say of a run over boards that was stopped."""
    boards = counted(done, "board") if total is None else f"{done:,} of {counted(total, 'board')}"
    return Stopped(
        f"Stopped after {boards}.",
        f"Go on with --resume --output {output}." if output else "Keep a run with --output to go on with it.",
    )


def _alone(file: IO[bytes], output: str) -> None:
    """WrongUse where another process writes the same record; what keeps it out ends with this process."""
    try:
        import fcntl
    except ImportError:  # Windows; twice the same piece would be seen when it is read
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise WrongUse(
            f"Another process is writing to {output!r}.", "Wait for it, or give each a file of its own."
        ) from None
    except OSError:
        return  # a file system without locks


# ---------------------------------------------------------------- runs over the boards of a file


def heading(what: str, text: str, asked: Mapping[str, Any]) -> dict[str, Any]:
    """What names a run over boards: the command, the boards (by a hash of their text) and what was ``asked``."""
    return {what: {"boards": hashlib.sha256(text.encode()).hexdigest(), **asked}}


def results(lines: Sequence[str], output: str | None, head: Mapping[str, Any]) -> dict[int, dict[str, Any]]:
    """What is done of a run over boards: its objects by the number of their board, their ``line``.

    Raises WrongUse for the record of another run, and for a line that is none."""
    done: dict[int, dict[str, Any]] = {}
    named = False
    for number, text in enumerate(lines, 1):
        try:
            data = json.loads(text)
            known = data.keys() - {"schema"}
        except (ValueError, AttributeError, RecursionError):
            raise WrongUse(f"Line {number} of {output!r} is no JSON object.", "Give another file.") from None
        if "line" not in known:
            _same_run(data, output, head)
            named = True
        elif named and type(data["line"]) is int:
            done[data["line"]] = data
        else:
            raise WrongUse(f"Line {number} of {output!r} belongs to no run.", "Give another file.")
    return done


def _same_run(data: Mapping[str, Any], output: str | None, head: Mapping[str, Any]) -> None:
    (what, asked), *_ = head.items()
    there = data.get(what)
    if not isinstance(there, dict):
        raise WrongUse(f"{output!r} holds no run of '{what}'.", "Give another name.")
    if differ := [key for key, value in asked.items() if there.get(key) != value]:
        raise WrongUse(
            f"The run in {output!r} is another one: it differs in {', '.join(differ)}.",
            "Give the same file and options to go on with it, or another --output.",
        )
