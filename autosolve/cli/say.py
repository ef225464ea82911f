"""Owns what leaves the program: results to standard output, messages for people to standard error."""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import click

from autosolve.errors import AutosolveError, UnreadableFile, WrongUse


def result(text: str) -> None:
    """One piece of the result, to standard output; UnreadableFile when it cannot be written there."""
    try:
        click.echo(text)
    except BrokenPipeError:
        raise
    except OSError as problem:
        drop_output()  # what is left in the buffer would fail again as the process ends, and change its exit code
        raise UnreadableFile(
            f"The result cannot be written to standard output: {problem.strerror}.", "Send it somewhere else."
        ) from None


def json_result(data: dict[str, Any]) -> None:
    """The answer as one line of JSON with its schema number first."""
    _answer.given = True
    json_line(data)


def json_line(data: dict[str, Any]) -> None:
    """One line of JSON on the way to an answer that is still to come."""
    result(json_text(data))


def json_text(data: dict[str, Any]) -> str:
    """An object as one line of JSON with its schema number first."""
    return json.dumps({"schema": 1, **data}, ensure_ascii=False)


# ---------------------------------------------------------------- one answer in JSON whatever comes of it


@dataclass(slots=True)
class _Answer:
    """What was promised to a reader of JSON: whether it is ``wanted`` at all, whether it was ``given``, and ``empty``,
    what of it is known before anything is."""

    wanted: bool = False
    given: bool = False
    empty: dict[str, Any] = field(default_factory=dict)


_answer = _Answer()


def begin_answer(args: Sequence[str]) -> None:
    """A command line begins; also one that is wrong is answered in JSON where it asks for that."""
    _answer.wanted, _answer.given, _answer.empty = "--json" in args, False, {}


def want_json(**empty: Any) -> None:
    """The command that runs answers in JSON; where an error comes first, with ``empty`` beside the error."""
    _answer.wanted, _answer.empty = True, empty


def json_option(ctx: click.Context, param: click.Parameter, value: bool) -> bool:
    """What an option --json is called back with, wherever it was set."""
    if value and not ctx.resilient_parsing:
        want_json()
    return value


def answer_error(problem: AutosolveError) -> None:
    """The error as the answer, where JSON is wanted and no answer was given."""
    if not _answer.wanted or _answer.given:
        return
    status = {6: "contradiction", 7: "undecided", 130: "stopped"}.get(problem.exit_code, "error")
    named = [list(at) for at in getattr(problem, "cells", ())]
    line = getattr(problem, "line", 0)
    where = {"line": line} if line else {}
    json_result({"status": status, **_answer.empty, **error_json(problem), **where, "named": named})


def error_json(problem: AutosolveError) -> dict[str, Any]:
    """What JSON says of an error."""
    return {"error": str(problem), "remedy": problem.remedy or None, "exit_code": problem.exit_code}


def note(text: str) -> None:
    """A message for people, to standard error."""
    click.echo(text, err=True)


def error(problem: AutosolveError) -> None:
    """An error as two plain sentences: what is wrong, what to do; and what else was noted with it, a line each."""
    note(f"autosolve: {problem}")
    for line in (problem.remedy, *getattr(problem, "__notes__", ())):
        if line:
            note(f"  {line}")


def crash(problem: BaseException) -> None:
    """A fault of ours: the short form, and the long one in a file to send."""
    import tempfile

    file = Path(tempfile.gettempdir()) / "autosolve-crash.txt"
    try:
        file.write_text("".join(traceback.format_exception(problem)), encoding="utf-8")
        where = f"The details are in {file}; please report them."
    except OSError:
        where = "Run again with AUTOSOLVE_DEBUG=1 to see the details."
    note(f"autosolve: internal error: {type(problem).__name__}: {problem}")
    note(f"  {where}")
    if os.environ.get("AUTOSOLVE_DEBUG"):
        traceback.print_exception(problem)


def drop_output() -> None:
    """Lets the process end quietly after the reader of our output has gone."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def keep_input(given: str | None, written: str | None) -> None:
    """WrongUse when what is to be written would replace what was given."""
    both = given and written and given != "-" and Path(written).exists() and Path(given).exists()
    if both and Path(str(given)).samefile(str(written)):
        raise WrongUse(f"{written!r} is the input and would be overwritten.", "Write to another file.")


def append(file: IO[bytes], text: str) -> None:
    """Writes text at once to a file opened without a buffer: nothing is left to fail when it is closed."""
    data = memoryview(text.encode())
    while data:
        data = data[file.write(data) :]


def put_file(place: Path, text: str) -> None:
    """Writes a whole file beside its place and puts it there, so that there is a whole one at any time; a device or a
    pipe is written to as it is. Raises OSError."""
    if place.exists() and not place.is_file():
        place.write_text(text, encoding="utf-8", newline="\n")
        return
    draft = place.with_name(f".{place.name}.{os.getpid()}")
    try:
        draft.write_text(text, encoding="utf-8", newline="\n")
        draft.replace(place)
    except OSError:
        draft.unlink(missing_ok=True)
        raise


def check_place(place: Path) -> None:
    """UnreadableFile where a file cannot be written; leaves it as it is."""
    if not place.absolute().parent.is_dir():
        raise UnreadableFile(f"There is no folder to write {str(place)!r} into.", "Make it, or give another place.")
    try:
        if not place.exists():
            if not os.access(place.absolute().parent, os.W_OK):
                raise PermissionError(0, "Permission denied")
        elif place.is_file() or place.is_dir():  # a pipe or a device would take the opening for the beginning
            place.open("a").close()
    except OSError as problem:
        raise unwritable(place, problem) from None


def unwritable(place: Path, problem: OSError) -> UnreadableFile:
    """What to say of a file that cannot be written."""
    return UnreadableFile(f"{str(place)!r} cannot be written: {problem.strerror}.", "Give another place.")


def read_text(file: str) -> str:
    """The text of a file, ``-`` for standard input; UnreadableFile when it is missing or not text."""
    try:
        if file == "-" and sys.stdin is None:
            raise UnreadableFile("Standard input is closed.", "Give a file, or pipe a board into it.")
        raw = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except FileNotFoundError:
        raise UnreadableFile(f"There is no file {file!r}.", "Check the name.") from None
    except OSError as problem:
        raise UnreadableFile(f"{file!r} cannot be read: {problem.strerror}.", "Check the file.") from None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UnreadableFile(
            f"{'Standard input' if file == '-' else repr(file)} is not text.",
            "Give a board as text; a screenshot goes to 'autosolve read'.",
        ) from None
