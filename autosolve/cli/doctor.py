"""Owns the command doctor: what this machine can and cannot do, in words that say what to do about it."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from autosolve import __version__
from autosolve.cli import options, say
from autosolve.errors import AutosolveError, EnvironmentProblem

if TYPE_CHECKING:
    from autosolve.desktop.facts import Check
    from autosolve.vision.frame import Monitor

# without these no screen can be looked at and nothing clicked
_NEEDED = ("display server", "permissions", "monitors", "capture", "pointer")
_INDENT = 27  # where answers begin
_COLOURS = {"good": "green", "warning": "yellow", "problem": "red", "not tried": None}


@click.command()
@click.option("--probe", is_flag=True, help="Move the pointer a little, read it back, and put it back; press nothing.")
@options.as_json
def doctor(probe: bool, as_json: bool) -> int:
    """Say what this machine can and cannot do: display, monitors, permissions, versions, sites.

    Takes a picture of each monitor, keeps none, and clicks nothing. Ends with 3 where boards on the screen cannot be
    read or clicked.
    """
    from autosolve.desktop.facts import State

    checks: list[Check] = []
    for check in _checks(probe):
        checks.append(check)
        if not as_json:
            _print(check)
    broken = [check for check in checks if check.state is State.PROBLEM]
    unable = [check for check in broken if check.name in (*_NEEDED, "libraries")]
    if as_json:
        say.json_result(
            {
                "ready": not unable,
                "version": __version__,
                "checks": [
                    {"name": c.name, "state": c.state.value, "text": c.said, "remedy": c.remedy or None, **c.data}
                    for c in checks
                ],
            }
        )
    elif unable:
        say.note("Boards on the screen cannot be solved here. Saved screenshots and board texts can: 'autosolve read'.")
    elif broken:
        say.note("Boards on the screen can be solved here, but see the problem above.")
    elif probe:
        say.note("Boards on the screen can be read and solved here.")
    else:
        say.note("Boards on the screen can be read here; whether the mouse obeys is tried with --probe.")
    return EnvironmentProblem.exit_code if unable else 0


def _print(check: Check) -> None:
    """A check as a line; on a terminal wrapped to its width, below the answer's own beginning."""
    state = click.style(f"{check.state.value:<9}", fg=_COLOURS[check.state.value], bold=check.state.value == "problem")
    terminal = sys.stdout.isatty()
    width = max(72, shutil.get_terminal_size().columns) - _INDENT if terminal else 10_000
    lines = [
        line
        for text in (check.said, check.remedy)
        for line in textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)
    ]
    for number, line in enumerate(lines):
        say.result(f"{' ' * _INDENT}{line}" if number else f"{state}  {check.name:<14}  {line}")


def _checks(probe: bool) -> Iterator[Check]:
    """One after another, so that what was found before something hangs is seen."""
    from autosolve.desktop import environment, facts
    from autosolve.desktop.facts import Check, State

    about = facts.system()
    words = f"autosolve {__version__} on {about['system']} {about['machine']}, Python {about['python']}."
    yield Check("system", State.GOOD, words, "", about)
    versions = facts.versions()
    missing = [name for name, version in versions.items() if version == "missing"]
    yield Check(
        "libraries",
        State.PROBLEM if missing else State.GOOD,
        ", ".join(f"{name} {version}" for name, version in versions.items()) + ".",
        f"Install {', '.join(missing)}: 'pip install .' brings all." if missing else "",
        {"libraries": versions},
    )
    here = environment.session()
    yield facts.display(here)
    yield facts.permissions(here)
    yield from _screen(probe)
    yield _sites()
    yield _settings()
    yield _records()


def _screen(probe: bool) -> Iterator[Check]:
    from autosolve.desktop import environment, facts
    from autosolve.desktop.facts import Check, State

    here = environment.session()
    try:
        from autosolve.desktop.screen import Desktop

        with Desktop(here) as screen:
            found = screen.monitors()
            yield facts.monitors(found)
            yield facts.capture(screen, time.perf_counter)
    except AutosolveError as problem:
        for name in ("monitors", "capture", "pointer"):
            first = name == "monitors"
            yield Check(
                name,
                State.PROBLEM if first else State.UNTRIED,
                str(problem) if first else "Not tried without a screen.",
                problem.remedy if first else "",
            )
        return
    yield _pointer(probe, found)


def _pointer(probe: bool, found: tuple[Monitor, ...]) -> Check:
    from autosolve.desktop import facts
    from autosolve.desktop.facts import Check, State

    try:
        from autosolve.desktop.mouse import Hand

        hand = Hand()
        at = hand.position()
    except AutosolveError as problem:
        return Check("pointer", State.PROBLEM, str(problem), problem.remedy)
    if probe:
        return facts.pointer(hand, found, time.perf_counter)
    words = f"It stands at {at.x:g},{at.y:g}. Whether it can be moved was not tried."
    return Check("pointer", State.UNTRIED, words, "'autosolve doctor --probe' moves it a little.", {"read": list(at)})


def _sites() -> Check:
    from autosolve.desktop.facts import Check, State
    from autosolve.vision import profile

    own = options.user_sites()
    good, broken, remedies = [], [], []
    for name, folder in profile.site_folders(own).items():
        try:
            profile.load_folder(folder)
            good.append(name)
        except AutosolveError as problem:
            broken.append(f"{name}: {problem}")
            remedies.append(problem.remedy)
    said = f"{len(good)} can be used ({', '.join(good)})" if good else "none can be used"
    state = State.WARNING if broken else State.GOOD if good else State.PROBLEM
    if not good and not broken:
        remedies.append("The templates are missing: install autosolve again with 'pip install .'.")
    data = {"sites": good, "broken": broken, "own_folder": str(own)}
    return Check("sites", state, f"{said}{'; '.join(['', *broken])}.", " ".join(remedies), data)


def _settings() -> Check:
    from autosolve.cli import settings
    from autosolve.desktop.facts import Check, State

    app = click.get_current_context().find_root().command
    assert isinstance(app, click.Group)
    file = settings.config_file()
    data: dict[str, Any] = {"file": None if file is None else str(file)}
    try:
        found = settings.load(app)
    except AutosolveError as problem:
        return Check("settings", State.PROBLEM, str(problem), problem.remedy, data)
    there = "switched off" if file is None else str(file) if file.exists() else f"no file {file}"
    count = f"{len(found)} setting{'s' * (len(found) != 1)}"
    return Check("settings", State.GOOD, f"{count}; {there}.", "", data)


def _records() -> Check:
    from autosolve.cli.record import runs_home
    from autosolve.desktop.facts import Check, State
    from autosolve.record.files import KEPT, records

    home = runs_home()
    place = home
    while not place.exists() and place != place.parent:
        place = place.parent
    data = {"folder": str(home)}
    if not os.access(place, os.W_OK):
        return Check(
            "records", State.WARNING, f"{home} cannot be written: runs leave no record.",
            "Make the folder yours, or give another with --record DIR.", data,
        )  # fmt: skip
    known = len(records(home))
    return Check("records", State.GOOD, f"{known} of at most {KEPT} runs are kept in {home}.", "", data)
