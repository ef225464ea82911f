"""Owns the command report: a recorded run as one page, and the list of the runs that are recorded."""

from __future__ import annotations

import os
import sys
import webbrowser
from pathlib import Path
from typing import Any

import click

from autosolve.cli import options, say
from autosolve.cli.record import names, runs_home
from autosolve.errors import UnreadableFile, WrongUse
from autosolve.record import files
from autosolve.record.files import Record

LAST = "last"


@click.command()
@click.argument("run", required=False, metavar="[RUN]", shell_complete=names)
@click.option("--output", "-o", metavar="FILE", help="Where the page is written; else into the record's folder.")
@click.option("--open/--no-open", "show", default=True, help="Open the page in the browser (the default), or not.")
@options.as_json
def report(run: str | None, output: str | None, show: bool, as_json: bool) -> None:
    """Write the record of a run as one page that works offline, print its path, and open it.

    RUN is a folder, the name of a record in your data folder or its beginning, or 'last'. Without RUN the records
    are listed, the newest first; each run keeps one, see 'autosolve run --help'.
    """
    if run is None:
        _list(as_json)
        return
    from autosolve.record.report import page

    record = files.load(find(run))
    content = page(record)
    target = Path(output).absolute() if output else record.folder.absolute() / "report.html"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content, encoding="utf-8", newline="\n")
    except OSError as problem:
        raise WrongUse(
            f"The page cannot be written to {str(target)!r}: {problem.strerror}.", "Give another place with --output."
        ) from None
    if as_json:
        say.json_result({"report": str(target), "record": str(record.folder.absolute()), **_summary(record)})
    else:
        say.result(str(target))
    if show and not as_json:
        _open(target)


def find(run: str) -> Path:
    """The folder of a record by its path, its name or a beginning of it, or 'last'. UnreadableFile where there is none,
    WrongUse where several begin so."""
    home = runs_home()
    if run != LAST and Path(run).is_dir():
        inside = files.records(Path(run))
        return inside[0] if inside else Path(run)
    known = files.records(home)
    if not known:
        raise UnreadableFile(
            f"No run is recorded in {str(home)!r}.", "Runs are recorded unless --record says otherwise; make one first."
        )
    if run == LAST:
        return known[0]
    fits = [place for place in known if place.name == run] or [place for place in known if place.name.startswith(run)]
    if not fits:
        raise UnreadableFile(
            f"There is no record {run!r}.", f"'autosolve report' lists them; the newest is {known[0].name!r}."
        )
    if len(fits) > 1:
        names = ", ".join(place.name for place in fits[:4])
        raise WrongUse(f"{len(fits)} records begin with {run!r}: {names}.", "Give more of the name.")
    return fits[0]


def _summary(record: Record) -> dict[str, Any]:
    run = record.run
    return {
        "name": record.folder.name,
        "started": run.get("started"),
        "site": run.get("site"),
        "size": run.get("size"),
        "result": run["result"],
        "verified": bool(run.get("verified")),
        "clicks": len(record.clicks),
    }


def _list(as_json: bool) -> None:
    known = []
    for place in files.records(runs_home()):
        try:
            known.append(_summary(files.load(place)))
        except UnreadableFile as problem:
            say.note(f"autosolve: left out: {problem}")
    if as_json:
        say.json_result({"folder": str(runs_home()), "runs": known})
        return
    if not known:
        say.note(f"No run is recorded in {runs_home()}.")
        return
    width = max(len(str(run["name"])) for run in known)
    for run in known:
        done = f"{run['result']}{', verified' if run['verified'] else ''}"
        clicks = f"{run['clicks']} click{'s' * (run['clicks'] != 1)}"
        say.result(f"{run['name']:<{width}}  {run['size'] or '-':>7}  {clicks:>11}  {done}")
    say.note("'autosolve report NAME' or 'autosolve report last' makes the page of one.")


def _open(target: Path) -> None:
    screenless = sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.environ.get("BROWSER")
    )
    if screenless or not webbrowser.open(target.as_uri()):
        say.note("No browser could be opened; open the page yourself.")
