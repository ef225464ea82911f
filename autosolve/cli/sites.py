"""Owns the command sites: which sites can be read and played, and how new ones are learned and checked."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from autosolve.board.words import counted, verb
from autosolve.cli import options, say

if TYPE_CHECKING:
    from autosolve.vision.frame import Box, Frame
    from autosolve.vision.labels import Labels
    from autosolve.vision.profile import Profile, Symbol
    from autosolve.vision.read import Reading


@click.group(invoke_without_command=True)
@options.as_json
@click.pass_context
def sites(ctx: click.Context, as_json: bool) -> None:
    """List the sites that can be read and played, your own among them; learn and check new ones."""
    if ctx.invoked_subcommand is not None:
        return
    from autosolve.errors import ProfileError
    from autosolve.vision import profile

    own = options.user_sites()
    rows: list[dict[str, Any]] = []
    broken: list[ProfileError] = []
    for name, folder in profile.site_folders(own).items():
        row: dict[str, Any] = {"name": name, "folder": str(folder), "own": folder.parent == own}
        try:
            site = profile.load_folder(folder)
            row |= {"title": site.title, "kind": site.kind}
        except ProfileError as problem:
            broken.append(problem)
            row["error"] = str(problem)
        rows.append(row)
    if as_json:
        say.json_result({"sites": rows, "own_folder": str(own)})
    else:
        width = max((len(row["name"]) for row in rows), default=0)
        for row in rows:
            said = row.get("title", "cannot be used, see below") + (" (your own)" if row["own"] else "")
            say.result(f"{row['name']:<{width}}  {said}")
        say.note(f"Your own sites lie in {own}.")
    if broken:
        for earlier in broken[:-1]:
            say.error(earlier)
        raise broken[-1]


LONGEST = 60  # characters of a site's name
LABEL_STATES = 10_000  # of work to find out whether labels are a position

_look = click.option(
    "--look", default="", metavar="LOOK", help="The look these cells belong to, as 'dark', where the site has several."
)


@sites.command()
@click.argument("shot")
@click.option("--labels", required=True, metavar="BOARD", help="What the screenshot shows, as board text; - for stdin.")
@click.option("--name", metavar="NAME", help="The site's name.  [default: that of the screenshot]")
@click.option("--title", metavar="TEXT", help="What people call it.  [default: its name]")
@click.option(
    "--kind", type=click.Choice(["reveal", "clues"]), help="Whether a click opens cells; else told by labels."
)
@options.region
@_look
@options.as_json
def learn(
    shot: str,
    labels: str,
    name: str | None,
    title: str | None,
    kind: str | None,
    region: Box | None,
    look: str,
    as_json: bool,
) -> None:
    """Learn a site from the screenshot SHOT of a board and the board it shows.

    BOARD is one line of characters for each row: . covered, 0-8 clue, F flag, ? question mark, x marked safe, * mine,
    ! the mine that was hit, X wrong flag, and ~ for a cell you say nothing about. The cells' pictures and a site.toml
    go to your own sites. Learn again under the same name, from a screenshot of other symbols, to add to a site.
    """
    from autosolve.vision import labels as labelling
    from autosolve.vision import learn as learning
    from autosolve.vision import picture, profile

    frame = picture.load(shot)
    said = labelling.parse_labels(say.read_text(labels))
    name = _name(name) if name is not None else _name_from(shot)
    _check_look(look)
    folder = _own_folder(name)
    known = _known(folder)
    shipped = [profile.load_folder(place) for place in profile.site_folders(None).values()]
    reading = learning.as_known(frame, said.shape, shipped, region)
    grid = learning.find(frame, said.shape, region, reading)
    _say_impossible(said)
    counter = learning.counter_of(reading, grid)
    toml = learning.site_toml(title or name, kind or labelling.kind_of(said), said, counter)
    start = time.perf_counter()
    site, found = learning.teach(folder, frame, said, grid, toml, known, look, region=region, reading=reading)
    assert found.proof is not None
    row = _row(shot, said, found.proof, time.perf_counter() - start)
    added = {symbol: len(some) for symbol, some in found.pictures.items()}
    data = {
        "site": name,
        "folder": str(folder),
        "kind": site.kind,
        "added": {symbol.file_name: count for symbol, count in added.items()},
        "misfits": [list(said.shape.at(cell)) for cell in found.misfits],
        **_missing_json(site),
        "check": row,
    }
    if as_json:
        say.json_result(data)
    else:
        say.result(str(folder))
    say.note(f"Learned {_pictures(added)}; {name} is a {_kinds(site)}.")
    for cell in found.misfits:
        say.note(f"  {said.shape.name(cell)} looks like cells with another label; nothing was learned from it.")
    _say_missing(site)
    _say_counter(site)
    _table([row])
    _demand_learned(name, said, found.proof, row, reading)


@sites.command()
@click.argument("name")
@click.argument("shots", nargs=-1, required=True, metavar="SHOT...")
@click.option(
    "--labels", multiple=True, metavar="BOARD", help="What each screenshot shows, in the same order; one for each."
)
@options.region
@options.as_json
def check(name: str, shots: Sequence[str], labels: Sequence[str], region: Box | None, as_json: bool) -> None:
    """Prove the site NAME on screenshots whose boards are known.

    Give --labels BOARD once for each SHOT; without any, SHOT.txt or SHOT.json beside each screenshot is taken. Ends
    with 0 only when every labelled cell of all of them is read, and read rightly.
    """
    from autosolve.errors import WrongUse
    from autosolve.vision import labels as labelling

    if labels and len(labels) != len(shots):
        raise WrongUse(
            f"{counted(len(shots), 'screenshot')} and {counted(len(labels), 'board')} for them do not go together.",
            "Give --labels once for each.",
        )
    files = list(labels) or [_beside(shot) for shot in shots]
    said = [labelling.parse_labels(say.read_text(file)) for file in files]
    site = options.profiles(name)[0] if name != options.AUTO else None
    if site is None:
        raise WrongUse("'auto' is no site to check.", "Give the name of one site.")
    rows = [_check_one(site, shot, board, region) for shot, board in zip(shots, said, strict=True)]
    if as_json:
        say.json_result({"site": site.name, "checks": rows, **_missing_json(site)})
    else:
        for row in rows:
            say.result(f"{row['shot']}: {row['told']}")
    _table(rows)
    _demand(site, rows)


@sites.command()
@click.argument("folder", metavar="DIR")
@click.option("--name", required=True, metavar="NAME", help="The site of yours to add them to.")
@_look
@options.as_json
def label(folder: str, name: str, look: str, as_json: bool) -> None:
    """Add the labelled cells of DIR to a site of yours.

    DIR is what 'autosolve read SHOT --save-doubtful DIR' wrote: a picture of each cell that could not be told, all of
    them on one sheet, and cells.txt, in which you write what each shows.
    """
    from autosolve.errors import UnknownSite
    from autosolve.vision import learn as learning

    _check_look(look)
    place = _own_folder(
        _name(name),
        "Make one of your own first, 'autosolve sites learn SHOT --labels BOARD --name MINE': 'autosolve read SHOT "
        f"--site {name}' writes the BOARD, in which you replace each doubtful cell by what it shows.",
    )
    known = _known(place)
    if known is None:
        raise UnknownSite(
            f"You have no site called {name!r}.", "'autosolve sites learn SHOT --labels BOARD' makes one."
        )
    new = learning.new_looks(known, learning.read_labelled(Path(folder)), look)
    site = learning.save(place, new, None, look) if new else known
    added = {symbol.file_name: len(some) for symbol, some in new.items()}
    if as_json:
        say.json_result({"site": site.name, "folder": str(place), "added": added, **_missing_json(site)})
    else:
        say.result(str(place))
    say.note(f"Added {_pictures({symbol: len(some) for symbol, some in new.items()})} to {site.name}.")
    _say_missing(site)


# ---------------------------------------------------------------- names and folders


def _name(text: str) -> str:
    """A site's name as a person gives it, which becomes that of its folder; WrongUse where it cannot be one."""
    from autosolve.errors import WrongUse

    if text.lower() == options.AUTO or len(text) > LONGEST or not re.fullmatch(r"[A-Za-z0-9]+(-[A-Za-z0-9]+)*", text):
        raise WrongUse(
            f"{text!r} cannot be a site's name.",
            f"Use letters a to z, digits, and hyphens between them, at most {LONGEST}; 'auto' means every site.",
        )
    return text.lower()


def _name_from(shot: str) -> str:
    """A site's name after the file of a screenshot."""
    from autosolve.errors import WrongUse

    stem = Path(shot).stem
    name = re.sub(r"[^a-z0-9]+", "-", stem.lower())[:LONGEST].strip("-")
    if not name or name == options.AUTO:
        raise WrongUse(f"{stem!r} makes no name for a site.", "Give one with --name.")
    return name


def _check_look(look: str) -> None:
    from autosolve.errors import WrongUse

    if look and not re.fullmatch(r"[a-z0-9-]{1,40}", look):
        raise WrongUse(f"{look!r} cannot be a look's name.", "Use small letters, digits and hyphens.")


def _own_folder(name: str, remedy: str = "Choose another --name.") -> Path:
    """Where a site of one's own lies, whether it exists or not; WrongUse for the name of a site that ships."""
    from autosolve.errors import WrongUse
    from autosolve.vision import profile

    folder = options.user_sites() / name
    if not folder.is_dir() and name in profile.site_folders(None):
        raise WrongUse(f"{name!r} is a site that ships with autosolve and is not changed.", remedy)
    return folder


def _known(folder: Path) -> Profile | None:
    """The site in a folder as it is so far; None where there is none."""
    from autosolve.vision import profile

    return profile.load_folder(folder) if (folder / "site.toml").is_file() else None


def _beside(shot: str) -> str:
    """The file with a screenshot's labels that lies beside it."""
    from autosolve.errors import WrongUse

    for ending in (".txt", ".json"):
        if (file := Path(shot).with_suffix(ending)).is_file():
            return str(file)
    raise WrongUse(f"What {shot!r} shows is not known.", "Give --labels BOARD once for each screenshot.")


# ---------------------------------------------------------------- what is said


def _check_one(site: Profile, shot: str, said: Labels, region: Box | None) -> dict[str, Any]:
    """One screenshot read and judged, as a row of the table."""
    from autosolve.errors import BoardNotFound
    from autosolve.vision import picture
    from autosolve.vision.read import read

    frame = picture.load(shot)
    start = time.perf_counter()
    try:
        reading = read(frame, site, region=region, size=said.shape)
    except BoardNotFound as miss:
        seconds = round(time.perf_counter() - start, 3)
        other = _other_size(frame, site, said, region)
        return {
            "shot": shot, "found": False, "exact": False, "cells": sum(s is not None for s in said.symbols),
            "wrong": [], "doubtful": [], "seconds": seconds, "told": other or str(miss), "other_size": bool(other),
        }  # fmt: skip
    return _row(shot, said, reading, time.perf_counter() - start)


def _other_size(frame: Frame, site: Profile, said: Labels, region: Box | None) -> str:
    """What to say where a site finds a board of another size than labels have; "" where it finds none."""
    from autosolve.errors import BoardNotFound
    from autosolve.vision.read import read

    try:
        shape = read(frame, site, region=region).grid.shape
    except BoardNotFound:
        return ""
    if shape == said.shape:
        return ""
    return (
        f"the board has {counted(shape.rows, 'row')} of {counted(shape.cols, 'cell')},"
        f" the labels {counted(said.shape.rows, 'row')} of {said.shape.cols}"
    )


def _row(shot: str, said: Labels, reading: Reading, seconds: float) -> dict[str, Any]:
    """A reading of a screenshot held against its labels, as a row of the table."""
    from autosolve.vision import learn as learning

    verdict = learning.judge(reading, said)
    parts = [f"{len(some)} {word}" for some, word in ((verdict.wrong, "wrong"), (verdict.doubtful, "doubtful")) if some]
    for cell in (*verdict.wrong, *verdict.doubtful)[:6]:
        wanted = said.symbols[cell]
        seen = reading.doubts.get(cell) or f"read as {reading.symbols[cell].value}"
        parts.append(f"{said.shape.name(cell)} is {wanted.value if wanted else '~'}, {seen}")
    return {
        "shot": shot,
        "found": True,
        "exact": verdict.exact,
        "cells": verdict.cells,
        "wrong": [list(said.shape.at(c)) for c in verdict.wrong],
        "doubtful": [list(said.shape.at(c)) for c in verdict.doubtful],
        "seconds": round(seconds, 3),
        "told": "every cell is right" if verdict.exact else "; ".join(parts),
    }


def _table(rows: Iterable[dict[str, Any]]) -> None:
    """The rows as a table for people."""
    rows, yes = list(rows), {True: "yes", False: "no"}
    width = max(10, *(len(_short(row["shot"])) for row in rows))
    say.note(f"{'screenshot':<{width}}  found  exact  cells  wrong  doubtful  seconds")
    for row in rows:
        say.note(
            f"{_short(row['shot']):<{width}}  {yes[row['found']]:<5}  {yes[row['exact']]:<5}"
            f"  {row['cells']:>5}  {len(row['wrong']):>5}  {len(row['doubtful']):>8}  {row['seconds']:>7.2f}"
        )


def _short(file: str) -> str:
    return Path(file).name


def _demand(site: Profile, rows: Sequence[dict[str, Any]]) -> None:
    """Raises what is wrong with the checked screenshots; nothing where all are exact."""
    from autosolve.errors import BoardNotFound, Unreadable

    own = site.folder.parent == options.user_sites()
    lost = [row for row in rows if not row["found"]]
    bad = [row for row in rows if row["found"] and not row["exact"]]
    if sized := [row for row in lost if row["other_size"]]:
        raise BoardNotFound(
            f"The labels of {_short(sized[0]['shot'])} are of another size: {sized[0]['told']}.",
            "Give one line of labels for each row of the board.",
        )
    if lost:
        raise BoardNotFound(
            f"No board of the site was found in {', '.join(_short(row['shot']) for row in lost)}: {lost[0]['told']}",
            "Learn the site from such a screenshot too, or give --region."
            if own
            else "Check that it shows a board of this site, or give --region.",
        )
    if not bad:
        return
    wrong, doubtful = (sum(len(row[key]) for row in bad) for key in ("wrong", "doubtful"))
    counts = [f"{n} {verb(n, 'is', 'are')} {word}" for n, word in ((wrong, "wrong"), (doubtful, "doubtful")) if n]
    add = "'autosolve sites learn SHOT --labels BOARD' makes a site of your own from it"
    if own:
        add = f"'autosolve sites learn SHOT --labels BOARD --name {site.name}' adds them"
    if wrong:
        remedy = f"Check the labels of these cells first; where the labels are right, {add}."
    elif own:
        remedy = f"Save and label them: 'autosolve read SHOT --site {site.name} --save-doubtful DIR'."
    else:
        remedy = f"Uncover the board or zoom in; or {add}."
    raise Unreadable(
        f"Of {counted(sum(row['cells'] for row in rows), 'cell')} {' and '.join(counts)};"
        f" {_short(bad[0]['shot'])}: {bad[0]['told']}.",
        remedy,
        cells=[(r, c) for row in bad for r, c in (*row["wrong"], *row["doubtful"])],
    )


def _demand_learned(name: str, said: Labels, proof: Reading, row: dict[str, Any], reading: Reading | None) -> None:
    """Raises what a site leaves doubtful on the very screenshot it was learned from; nothing where that is exact."""
    from autosolve.errors import Unreadable
    from autosolve.vision import learn as learning

    if row["exact"]:
        return
    doubtful = learning.judge(proof, said).doubtful
    reasons = Counter(proof.doubts[cell].rstrip(".") for cell in doubtful)
    reason, count = reasons.most_common(1)[0]
    more = " and others" if len(doubtful) > 4 else ""
    many = f"{counted(len(doubtful), 'cell')} of {row['cells']} {verb(len(doubtful), 'stays', 'stay')} doubtful"
    why = f"{'mostly ' if count < len(doubtful) else ''}because {reason}"
    known = reading is not None and not reading.doubts and learning.judge(reading, said).exact
    raise Unreadable(
        f"{name} is saved, but {many} even in this screenshot, {why}: "
        f"{' '.join(said.shape.name(cell) for cell in doubtful[:4])}{more}.",
        f"The site {reading.profile.name}, which ships with autosolve, reads it whole: use that one."
        if reading is not None and known
        else "They are never guessed. A larger screenshot (zoom in) with nothing over the board, learned under the same"
        " name, tells such cells apart better.",
        cells=[said.shape.at(cell) for cell in doubtful],
    )


def _pictures(added: Mapping[Symbol, int]) -> str:
    """``3 pictures of 2 symbols``."""
    return f"{counted(sum(added.values()), 'picture')} of {counted(len(added), 'symbol')}"


def _say_counter(site: Profile) -> None:
    if site.kind == "reveal" and site.counter is None:
        say.note(
            "No mine counter is known for it: give --mines N when you play, or add [counter] to its site.toml"
            " (docs/adding-a-site.md)."
        )


def _kinds(site: Profile) -> str:
    return "board that shows all its clues" if site.kind == "clues" else "game in which a click opens a cell"


def _missing_json(site: Profile) -> dict[str, list[str]]:
    from autosolve.vision.learn import missing

    needed, welcome = missing(site)
    return {"missing": _words(needed), "never_seen": _words(welcome)}


def _words(symbols: Iterable[Symbol]) -> list[str]:
    return [symbol.file_name for symbol in symbols]


def _say_impossible(said: Labels) -> None:
    """Says so where labels are no position of a game: a sheet of symbols is none either, but a slip makes one too."""
    from autosolve.errors import Clash
    from autosolve.solver.deduction import Budget
    from autosolve.solver.hybrid import solve

    clash: Clash | None = None
    for puzzle in said.puzzles:
        try:
            solve(puzzle, budget=Budget(states=LABEL_STATES))
            return
        except Clash as problem:
            clash = clash or problem
    say.note(f"The labels are no possible position: {clash} Look at them again if they come from a game.")


def _say_missing(site: Profile) -> None:
    from autosolve.vision.learn import missing

    needed, welcome = missing(site)
    if needed:
        say.note(f"Still missing: {', '.join(_words(needed))}. Such cells will be doubtful until they are learned.")
    if welcome:
        say.note(f"Not seen either, where the site has them: {', '.join(_words(welcome))}.")
