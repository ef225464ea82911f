"""Owns how made boards leave: the options that every ``generate KIND`` shares, and the files they are written to.

@made.options(size="10x10")
def kind(shape: Shape, seed: int, count: int, out: made.Outlet) -> None:
    with out, out.progress("boards", count) as step:
        for k in range(count):
            out.put(made.graded(make(shape, seed + k)))
            step()
"""

from __future__ import annotations

import functools
import secrets
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, TypeVar, cast

import click

from autosolve.board.words import counted
from autosolve.cli import say
from autosolve.cli.options import parse_size
from autosolve.errors import WrongUse

if TYPE_CHECKING:
    from autosolve.generate.record import Record

Command = TypeVar("Command", bound=Callable[..., Any])
FORMATS = ("text", "json", "digits", "address")


_SHARED = {
    "seed": click.option(
        "--seed", type=click.IntRange(0), metavar="N", help="The same seed gives the same boards everywhere."
    ),
    "count": click.option(
        "--count", type=click.IntRange(1), metavar="K", default=1, show_default=True, help="How many boards."
    ),
    "form": click.option(
        "--format",
        "form",
        type=click.Choice(FORMATS),
        default="text",
        show_default=True,
        help="Board text, a JSON object a line, a line RxC:digits:hash, or the address in the local player.",
    ),
    "as_json": click.option(
        "--json", "as_json", is_flag=True, is_eager=True, callback=say.json_option, help="The same as --format json."
    ),
    "output": click.option("--output", "-o", metavar="FILE", help="Write the boards to a file."),
    "booklet": click.option(
        "--print", "booklet", metavar="FILE.pdf", help="A booklet to print, its solutions at the end."
    ),
}


def options(size: str, *, count: bool = True) -> Callable[[Command], Command]:
    """--size, --seed, --count, --format, --json, -o and --print. The command gets ``shape``, ``seed``, ``count`` (if
    wanted) and ``out``, an Outlet. Board k of ``--seed N`` is to be the board of ``--seed N+k`` alone."""

    def wrap(command: Command) -> Command:
        @functools.wraps(command)
        def run(
            *, form: str, as_json: bool, output: str | None, booklet: str | None, seed: int | None, **more: Any
        ) -> Any:
            if form == "json":
                say.want_json()
            if seed is None and (more.get("day") or more.get("resume")):
                seed = 0  # a day's board, and one that was begun, have a seed of their own
            if seed is None:
                seed = secrets.randbelow(10**9)
                say.note(f"Seed {seed}.")
            return command(seed=seed, out=Outlet("json" if as_json else form, output, booklet), **more)

        shape = click.option(
            "--size",
            "shape",
            callback=parse_size,
            metavar="RxC",
            default=size,
            show_default=True,
            help="Rows x columns.",
        )
        wanted = [shape, *(option for name, option in _SHARED.items() if count or name != "count")]
        out: Any = run
        for option in reversed(wanted):
            out = option(out)
        return cast(Command, out)

    return wrap


class Outlet:
    """Writes records as they come, so that nothing is lost when a person stops; the booklet at the end.

    A context manager; the booklet holds what was made also when it is left by Ctrl-C."""

    def __init__(self, form: str, output: str | None, booklet: str | None) -> None:
        self.form, self.output, self.booklet = form, output, booklet
        self.records: list[Record] = []
        self.written = 0
        self._file: IO[bytes] | None = None
        self._page = ""

    def __enter__(self) -> Outlet:
        if self.form == "address":
            self._page = _player_page()
        self.apart()
        for place in (self.output, self.booklet):
            if place is not None:
                say.check_place(Path(place))
        return self

    def apart(self, *others: str | None) -> None:
        """WrongUse where two of its files, or one of them and another, are the same one."""
        places = [place for place in (self.output, self.booklet, *others) if place is not None]
        if len({Path(place).resolve() for place in places}) < len(places):
            twice = next(p for p in places if sum(Path(p).resolve() == Path(q).resolve() for q in places) > 1)
            raise WrongUse(f"{twice!r} is given for two things, and one would overwrite the other.", "Give two files.")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()
            say.note(f"{counted(self.written, 'board')} written to {self.output}.")
        if self.booklet is not None and self.records and (kind is None or not issubclass(kind, WrongUse)):
            self._print()

    def put(self, record: Record) -> None:
        """Writes one board at once."""
        if self.form == "json" and self.output is None:
            say.json_result(record.to_json())
        elif self.output is None:
            say.result(self._text(record))
        else:
            self._append(f"{self._text(record)}\n")
        self.written += 1
        if self.booklet is not None:
            self.records.append(record)

    def _text(self, record: Record) -> str:
        if self.form == "json":
            return say.json_text(record.to_json())
        if self.form == "digits":
            return record.to_line()
        if self.form == "address":
            return record.to_address(self._page)
        return ("\n" if self.written else "") + record.to_text().rstrip("\n")

    def _append(self, text: str) -> None:
        assert self.output is not None
        try:
            if self._file is None:
                # only now: what is there stays where no board comes of it
                self._file = Path(self.output).open("wb", buffering=0)  # noqa: SIM115 - closed below
            say.append(self._file, text)
        except OSError as problem:
            raise say.unwritable(Path(self.output), problem) from None

    @contextmanager
    def progress(self, what: str, total: int) -> Iterator[Callable[..., None]]:
        """A bar on standard error where that is a terminal and there is something to wait for; yields the function
        that moves it: ``step()``, ``step(n)``, ``step(0, "words")``."""
        if not sys.stderr.isatty() or (
            self.output is None and sys.stdout.isatty() and self.form == "text" and total < 2
        ):
            yield lambda by=1, words="": None
            return
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        bar = Progress(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
            TextColumn("{task.fields[words]}"), console=Console(stderr=True), transient=True,
        )  # fmt: skip
        with bar:
            task = bar.add_task(what, total=total, words="")

            def step(by: int = 1, words: str | None = None) -> None:
                bar.update(task, advance=by)
                if words is not None:
                    bar.update(task, words=words)

            yield step

    def _print(self) -> None:
        from autosolve.generate.booklet import booklet

        assert self.booklet is not None
        try:
            Path(self.booklet).write_bytes(booklet(self.records))
        except OSError as problem:
            raise say.unwritable(Path(self.booklet), problem) from None
        say.note(f"A booklet of {counted(len(self.records), 'board')} written to {self.booklet}.")


def graded(record: Record) -> Record:
    """The record with its grade, as ``autosolve grade --json`` gives it."""
    from autosolve.analysis.grade import grade

    found = grade(record.puzzle)
    return record.graded(
        {
            "hardest": found.hardest.word if found.hardest else None,
            "layer": found.layer,
            "depth": found.depth,
            "waves": {technique.word: number for technique, number in found.waves.items()},
            "unique": found.unique,
        }
    )


def _player_page() -> str:
    """The address of the local player's page, written where ``autosolve play`` without a file puts it."""
    from autosolve.cli.play import _default_place, _write
    from autosolve.player.page import page

    target = _default_place(None)
    content = page(None)
    with suppress(OSError):
        if target.read_text(encoding="utf-8") == content:
            return target.as_uri()
    _write(target, content)
    return target.as_uri()
