"""Owns the page that shows a record: one HTML text that loads nothing and works without a network.

The picture of the board stands in an SVG of its own pixels; everything on it (marks, maps, the path of the clicks) is
drawn over it by the record's numbers, so that each can be shown or hidden. The reasons are thought again when the page
is made: the run itself asks only for what is certain.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files as resources
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from autosolve.board import notation
from autosolve.board.puzzle import Constraint, Kind, Puzzle
from autosolve.board.shape import Cell, CellSet, Shape, cell_set
from autosolve.errors import AutosolveError
from autosolve.record import files, timeline
from autosolve.record.bugreport import bug_report, wording
from autosolve.record.files import Record
from autosolve.solver import hybrid
from autosolve.solver.count import odds
from autosolve.solver.deduction import Budget, Deduction

EXPLAINED = 4000  # covered cells up to which the reasons are thought again
NUMBERED = 400  # clicks up to which their order is written on the board
_STATES = 300_000  # of the exact counter, for the chances on an undecided board

Colour = tuple[int, int, int]
_BLUE, _YELLOW, _ORANGE, _PURPLE = (0, 114, 178), (240, 200, 60), (213, 94, 0), (130, 50, 150)
# value and colour (RGB): what is sure is blue, what is not is orange; purple cannot be read
_RAMPS: dict[str, tuple[tuple[float, Colour], ...]] = {
    "certainty": ((0.5, _ORANGE), (0.8, _YELLOW), (1.0, _BLUE)),
    "lead": ((0.0, _ORANGE), (0.15, _YELLOW), (0.6, _BLUE)),
    "chance": ((0.0, _BLUE), (0.5, _YELLOW), (1.0, _ORANGE)),
}
_PLACE = re.compile(r"@@([A-Z]+)@@")
_MARKS = {
    "flag": "flag to place",
    "undo": "mark to take away",
    "open": "cell to open",
    "chord": "number to open the rest of",
    "guess": "guess to open",
}


@dataclass(slots=True)
class _Look:
    """One look as the page needs it."""

    event: dict[str, Any]
    shape: Shape
    steps: list[Deduction] = field(default_factory=list)
    note: str = ""
    chances: dict[Cell, float] = field(default_factory=dict)

    @property
    def number(self) -> int:
        return int(self.event["lap"])

    @property
    def doubtful(self) -> set[int]:
        return {self.shape.cell(r, c) for r, c, *_ in self.event["doubtful"]}


def page(record: Record) -> str:
    """The whole HTML text of a record's page. Raises UnreadableFile for a record that holds something else than it
    should."""
    from autosolve.errors import UnreadableFile

    try:
        return _page(record)
    except (KeyError, TypeError, ValueError, IndexError) as problem:
        raise UnreadableFile(
            f"The record in {str(record.folder)!r} is broken: {type(problem).__name__} {problem}.", "Choose another."
        ) from None


def _page(record: Record) -> str:
    looks = _looks(record)
    words = wording(record)
    script, style = _part("report.js"), _part("report.css")
    picture = next((look for look in looks if _photo(record, look)), None)
    shown = [look for look in looks if _photo(record, look)]
    parts = {
        "POLICY": f"default-src 'none'; script-src {_digest(script)}; style-src {_digest(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'",
        "TITLE": _e(f"{words.headline} · autosolve"),
        "STYLE": style,
        "SCRIPT": script,
        "STATE": words.state,
        "HEADLINE": _e(words.headline),
        "SUBTITLE": _e(words.subtitle),
        "SAID": "".join(f"<p>{_e(text)}</p>" for text in words.said),
        "FIGURES": "".join(f"<div><dt>{_e(name)}</dt><dd>{_e(value)}</dd></div>" for name, value in words.figures),
        "BOARD": _board(record, shown) if picture else _no_picture(looks),
        "STEPS": _steps(looks),
        "TIMELINE": timeline.drawing(record),
        "VERIFICATION": _verification(record, looks),
        "ENVIRONMENT": _environment(record),
        "FILES": _file_list(record),
        "REPORT": _e(bug_report(record)),
        "DATA": json.dumps([_data(look, record) for look in shown], separators=(",", ":")).replace("<", "\\u003c"),
    }
    return _PLACE.sub(lambda place: parts[place[1]], _part("report.html"))


def _part(name: str) -> str:
    return (resources("autosolve.record") / "web" / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _e(text: object) -> str:
    return html.escape(str(text))


# ---------------------------------------------------------------- thinking again


def _looks(record: Record) -> list[_Look]:
    """The looks with the reasons for what was new in each, and with chances where the last one leaves cells open."""
    looks: list[_Look] = []
    told: CellSet = 0
    game = 1
    for event in record.looks:
        look = _Look(event, Shape(event["rows"], event["cols"]))
        looks.append(look)
        look.chances = {look.shape.cell(r, c): chance for r, c, chance in event.get("chances", [])}
        if event.get("game", 1) != game:
            game, told = event["game"], 0
        decided = _mask(look.shape, event["mines"]) | _mask(look.shape, event["safe"])
        if event["status"] is None or not decided & ~told:
            continue
        try:
            puzzle = notation.parse(event["puzzle"]).puzzle
            if puzzle.covered.bit_count() > EXPLAINED:
                look.note = f"The reasons of boards with more than {EXPLAINED:,} covered cells are not listed."
                continue
            solution = hybrid.solve(puzzle, explain=True)
        except AutosolveError as problem:
            look.note = str(problem)
            continue
        look.steps = [step for step in solution.steps if step.cells & ~told]
        told |= decided
    if looks and looks[-1].event["undecided"] and not looks[-1].chances:
        _count(looks[-1])
    return looks


def _count(look: _Look) -> None:
    try:
        puzzle: Puzzle = notation.parse(look.event["puzzle"]).puzzle
        if puzzle.covered.bit_count() <= EXPLAINED:
            found = odds(puzzle, budget=Budget(states=_STATES))
            look.chances = {cell: found.mined_in[cell] / found.models for cell in found.mined_in}
    except AutosolveError:
        pass  # too much to count; the map is left out


def _mask(shape: Shape, cells: Sequence[Sequence[int]]) -> CellSet:
    return cell_set(shape.cell(row, col) for row, col in cells)


# ---------------------------------------------------------------- the board


def _photo(record: Record, look: _Look) -> Path | None:
    name = look.event.get("picture") or f"board-{look.number}.png"
    file = record.folder / Path(str(name)).name
    return file if file.is_file() else None


def _png(pixels: npt.NDArray[np.uint8]) -> str:
    """A picture (BGR or BGRA) as an address that holds it."""
    return "data:image/png;base64," + base64.b64encode(cv2.imencode(".png", pixels)[1].tobytes()).decode()


def _ramp(name: str, values: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
    """Values to opaque colours, BGRA."""
    stops = _RAMPS[name]
    places = [value for value, _ in stops]
    out = np.full((*values.shape, 4), 255, np.uint8)
    for channel in range(3):
        out[..., 2 - channel] = np.interp(values, places, [colour[channel] for _, colour in stops]).round()
    return out


def _map(look: _Look, name: str) -> str | None:
    """A map with one pixel a cell; None where there is nothing to show."""
    shape = look.shape
    if name == "chance":
        if not look.chances:
            return None
        values = np.zeros(shape.size)
        for cell, chance in look.chances.items():
            values[cell] = chance
        pixels = _ramp(name, values)
        pixels[[cell for cell in range(shape.size) if cell not in look.chances], 3] = 0
    else:
        pixels = _ramp(name, np.asarray(look.event[name], float).ravel() / 100)
        pixels[sorted(look.doubtful), :3] = _PURPLE[::-1]
    return _png(pixels.reshape(shape.rows, shape.cols, 4))


def _scale(name: str, least: str, most: str, more: str = "") -> str:
    stops = _RAMPS[name]
    strip = _ramp(name, np.linspace(stops[0][0], stops[-1][0], 64)[None, :])
    return (
        f'<p class="scale" data-map="{name}" hidden><span>{_e(least)}</span>'
        f'<img alt="from orange over yellow to blue" src="{_png(strip)}"><span>{_e(most)}</span>{_e(more)}</p>'
    )


def _board(record: Record, looks: Sequence[_Look]) -> str:
    names = [name for name in _RAMPS if any(_map(look, name) for look in looks)]
    titles = {"certainty": "certainty", "lead": "lead on the next best", "chance": "chance of a mine"}
    radios = "".join(
        f'<label><input type="radio" name="map" value="{name}"{" checked" if not name else ""}> {_e(title)}</label>'
        for name, title in [("", "none"), *((name, titles[name]) for name in names)]
    )
    tabs = ""
    if len(looks) > 1:
        buttons = "".join(
            f'<button type="button" data-look="{i}" aria-pressed="{"false" if i else "true"}">{look.number}</button>'
            for i, look in enumerate(looks)
        )
        tabs = f'<div class="tabs" role="group" aria-label="Look"><span>Look</span>{buttons}</div>'
    scales = (
        _scale("certainty", "50 % or less", "100 % certain", "; purple: cannot be read")
        + _scale("lead", "no lead", "60 % or more", "; purple: cannot be read")
        + _scale("chance", "safe", "mine")
    )
    return (
        f'{tabs}<div class="tools"><fieldset><legend>Show</legend>'
        '<label><input type="checkbox" id="show-photo" checked> picture</label>'
        '<label><input type="checkbox" id="show-marks" checked> overlay</label>'
        '<label><input type="checkbox" id="show-order"> order of clicks</label></fieldset>'
        f"<fieldset><legend>Map</legend>{radios}</fieldset></div>"
        + "".join(_figure(record, look, i) for i, look in enumerate(looks))
        + scales
        + '<p id="cell" class="cell" aria-live="polite">Point at a cell, or use the arrow keys on the board.</p>'
        + _legend(looks)
    )


def _figure(record: Record, look: _Look, index: int) -> str:
    file = _photo(record, look)
    assert file is not None
    raw = file.read_bytes()
    width, height = (int.from_bytes(raw[i : i + 4], "big") for i in (16, 20))
    event, shape = look.event, look.shape
    (left, top), (across, down) = event["corner"], event["pitch"]
    place = f'x="{left}" y="{top}" width="{shape.cols * across:.2f}" height="{shape.rows * down:.2f}"'
    maps = "".join(
        f'<image class="map" data-map="{name}" {place} preserveAspectRatio="none" href="{found}"/>'
        for name in _RAMPS
        if (found := _map(look, name))
    )
    cells: dict[str, list[tuple[int, int]]] = {}
    flagged = {(r, c) for r, line in enumerate(event["grid"]) for c, char in enumerate(line) if char == "F"}
    planned = {(r, c) for r, c, *_ in event["plan"]}
    for r, c, purpose, _ in event["plan"]:
        cells.setdefault(_kind(event, r, c, purpose), []).append((r, c))
    cells["mine"] = [(r, c) for r, c in event["mines"] if (r, c) not in flagged | planned]
    cells["right"] = [(r, c) for r, c in event["mines"] if (r, c) in flagged]
    cells["doubt"] = [(r, c) for r, c, *_ in event["doubtful"]]
    doubted = set(cells["doubt"])
    cells["open-question"] = [(r, c) for r, c in event["undecided"] if (r, c) not in doubted]
    marks = "".join(
        f'<use href="#m-{name}" x="{left + c * across:.1f}" y="{top + r * down:.1f}" width="{across}" height="{down}"/>'
        for name, some in cells.items()
        for r, c in some
    )
    side = min(across, down)
    clicks = [c for c in _clicks_of(record, look) if c.get("cell")]
    points = [(left + (c["cell"][1] + 0.5) * across, top + (c["cell"][0] + 0.5) * down) for c in clicks]
    order = ""
    if points:
        order = (
            f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}" stroke-width="{side * 0.07:.2f}"/>'
        )
        if len(points) <= NUMBERED:
            order += "".join(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{side * 0.36:.1f}"/>'
                f'<text x="{x:.1f}" y="{y + side * 0.13:.1f}" font-size="{side * 0.38:.1f}">{i}</text>'
                for i, (x, y) in enumerate(points, 1)
            )
    words = (
        f"Look {look.number}: a board of {shape.rows} rows and {shape.cols} columns, {len(event['plan'])} clicks to"
        f" make, {len(event['doubtful'])} cells that cannot be read"
    )
    return (
        f'<figure class="look" data-look="{index}"{" hidden" if index else ""}>'
        f'<svg class="board" viewBox="0 0 {width} {height}" width="{width}" height="{height}" tabindex="0" role="img" '
        f'aria-label="{_e(words)}" aria-describedby="cell">'
        f'<image class="photo" width="{width}" height="{height}" href="data:image/png;base64,'
        f'{base64.b64encode(raw).decode()}"/>{maps}<g class="marks">{marks}</g><g class="order">{order}</g>'
        f'<g class="told"></g><rect class="pick" width="{across}" height="{down}" hidden/></svg></figure>'
    )


def _clicks_of(record: Record, look: _Look) -> list[dict[str, Any]]:
    """The clicks between a look and the next one."""
    out: list[dict[str, Any]] = []
    inside = False
    for event in record.events:
        if event["event"] == "look":
            inside = event["lap"] == look.number
        elif event["event"] == "click" and inside:
            out.append(event)
    return out


def _legend(looks: Sequence[_Look]) -> str:
    kinds = {
        **_MARKS,
        "right": "flag that is right",
        "mine": "mine, without a flag",
        "open-question": "not decided",
        "doubt": "cannot be read",
    }
    items = "".join(
        f'<li><svg width="22" height="22" aria-hidden="true"><use href="#m-{name}" width="22" height="22"/></svg>'
        f"{_e(title)}</li>"
        for name, title in kinds.items()
        if any(_drawn(look, name) for look in looks)
    )
    return f'<ul class="legend">{items}</ul>' if items else ""


def _kind(event: dict[str, Any], row: int, col: int, purpose: str) -> str:
    """What a click is drawn as."""
    guess = event.get("guess")
    if purpose == "open" and guess is not None and guess["cell"] == [row, col] and not guess["free"]:
        return "guess"
    return purpose if purpose in _MARKS else "open"


def _drawn(look: _Look, name: str) -> bool:
    event = look.event
    flagged = {(r, c) for r, line in enumerate(event["grid"]) for c, char in enumerate(line) if char == "F"}
    if name in _MARKS:
        return any(_kind(event, r, c, purpose) == name for r, c, purpose, _ in event["plan"])
    if name == "doubt":
        return bool(event["doubtful"])
    if name == "open-question":
        return bool(event["undecided"])
    planned = {(r, c) for r, c, *_ in event["plan"]}
    return any(((r, c) in flagged) == (name == "right") and (r, c) not in planned for r, c in event["mines"])


def _no_picture(looks: Sequence[_Look]) -> str:
    if not looks:
        return "<p>No board was found, so there is no picture of one.</p>"
    return f'<pre tabindex="0" aria-label="The board as text">{_e(chr(10).join(looks[-1].event["grid"]))}</pre>'


def _data(look: _Look, record: Record) -> dict[str, Any]:
    """What the script needs to tell about cells: as small as it can be."""
    event, shape = look.event, look.shape
    return {
        "look": look.number,
        "rows": shape.rows,
        "cols": shape.cols,
        "corner": event["corner"],
        "pitch": event["pitch"],
        "grid": event["grid"],
        "certainty": event["certainty"],
        "lead": event["lead"],
        "doubts": {shape.cell(r, c): why for r, c, why in event["doubtful"]},
        "plan": {shape.cell(r, c): purpose for r, c, purpose, _ in event["plan"]},
        "mines": [shape.cell(r, c) for r, c in event["mines"]],
        "safe": [shape.cell(r, c) for r, c in event["safe"]],
        "chances": {cell: round(100 * chance, 2) for cell, chance in look.chances.items()},
    }


# ---------------------------------------------------------------- words


def _steps(looks: Sequence[_Look]) -> str:
    out = []
    for look in looks:
        if not look.steps and not look.note and not look.event.get("guess"):
            continue
        items = "".join(_step(look, step) for step in look.steps)
        head = f"<h3>Look {look.number}</h3>" if len(looks) > 1 else ""
        note = f"<p>{_e(look.note)}</p>" if look.note else ""
        note += _guess(look)
        out.append(f'{head}{note}<ol class="steps">{items}</ol>' if items else head + note)
    return "".join(out) or "<p>Nothing was deduced.</p>"


def _guess(look: _Look) -> str:
    guess = look.event.get("guess")
    if not guess:
        return ""
    row, col = guess["cell"]
    name = look.shape.name(look.shape.cell(row, col))
    if guess["free"]:
        return f"<p>{name} is opened first, which the site makes safe.</p>"
    return (
        f"<p>Nothing more is certain, so {name} is a guess by {_e(guess['policy'])}:"
        f" the chance of a mine there is {100 * guess['risk']:.2f} %.</p>"
    )


def _step(look: _Look, step: Deduction) -> str:
    shape = look.shape
    cells = " ".join(str(cell) for cell in _cells(step.cells))
    reasons = " ".join(str(cell) for cell in _sources(step.because, shape))
    text = step.text[:1].upper() + step.text[1:]
    pattern = f" · {step.pattern}" if step.pattern else ""
    return (
        f'<li><button type="button" class="step" data-lap="{look.number}" data-cells="{cells}" '
        f'data-because="{reasons}" data-verdict="{step.verdict.value}">{_e(text)}.</button> '
        f"<small>{_e(step.technique.word)}{_e(pattern)}</small></li>"
    )


def _cells(mask: CellSet) -> list[int]:
    from autosolve.board.shape import cells_in

    return [int(cell) for cell in cells_in(mask)]


def _sources(because: Sequence[Constraint], shape: Shape) -> list[int]:
    """The clues a step rests on; rows and columns by their first cell, which shows where they are."""
    out = []
    for constraint in because:
        source = constraint.source
        if source.kind is Kind.CLUE:
            out.append(source.at)
        elif source.kind is Kind.ROW:
            out.append(source.at * shape.cols)
        elif source.kind is Kind.COLUMN:
            out.append(source.at)
    return out


def _verification(record: Record, looks: Sequence[_Look]) -> str:
    run = record.run
    if not looks:
        return "<p>Nothing was seen, so nothing could be verified.</p>"
    event = looks[-1].event
    flagged = {(r, c) for r, line in enumerate(event["grid"]) for c, char in enumerate(line) if char == "F"}
    mines = {(r, c) for r, c in event["mines"]}
    if run.get("games") and run.get("verified"):
        said = "A fresh look at the end of each game showed how it came out."
    elif run.get("verified"):
        said = "A fresh look after the last click showed what is proven on the board, and nothing else."
    elif run["result"] == "dry-run":
        said = "This was a preview: nothing was clicked, so there is nothing to verify."
    elif run["result"] == files.RUNNING:
        said = "The run has not ended, or was ended from outside: nothing is verified."
    else:
        said = "The run ended before a look could verify it."
    rows: list[tuple[str, object]] = [
        *_games(run.get("games", [])),
        ("proven mines", len(mines)),
        ("flags seen at the last look", len(flagged)),
        ("proven mines without a flag", len(mines - flagged)),
        ("flags on cells that are not proven mines", len(flagged - mines)),
        ("cells not decided", len(event["undecided"])),
        ("cells that could not be read", len(event["doubtful"])),
    ]
    table = "".join(f"<tr><th scope=row>{_e(name)}</th><td>{value}</td></tr>" for name, value in rows)
    doubts = "".join(
        f"<li>{looks[-1].shape.name(looks[-1].shape.cell(r, c))}: because {_e(why)}</li>"
        for r, c, why in event["doubtful"][:40]
    )
    more = f"<ul>{doubts}</ul>" if doubts else ""
    return f"<p>{_e(said)}</p><table>{table}</table>{more}"


def _games(games: Sequence[dict[str, Any]]) -> list[tuple[str, object]]:
    """A line for each game that was played to its end."""
    out: list[tuple[str, object]] = []
    for told in games:
        guesses = f"{len(told['risks'])} guess{'es' * (len(told['risks']) != 1)}"
        how = "won" if told["won"] else "lost by a guess" if told["by_guess"] else "lost on a cell that was certain"
        seen = "" if told["verified"] else ", not seen to the end"
        out.append(
            (f"game {told['number']}", f"{how}{seen}: {told['clicks']} clicks, {guesses}, {told['seconds']:.1f} s")
        )
    return out


def _environment(record: Record) -> str:
    here = record.run.get("environment", {})
    rows: list[tuple[str, str]] = [
        ("autosolve", str(record.run.get("version", "unknown"))),
        ("system", f"{here.get('system', 'unknown')} {here.get('machine', '')}"),
        ("Python", str(here.get("python", "unknown"))),
    ]
    if here.get("display") or here.get("wayland"):
        rows.append(("display", f"{here.get('display') or 'none'}{', Wayland' if here.get('wayland') else ''}"))
    if here.get("desktop"):
        rows.append(("desktop", str(here["desktop"])))
    rows += [
        (
            f"monitor {m['number']}",
            f"{m['pixels'][0]}x{m['pixels'][1]} pixels, {m['points'][2]:g}x{m['points'][3]:g} points,"
            f" {m['scale']:g} pixels a point",
        )
        for m in here.get("monitors", [])
    ]
    if here.get("problem"):
        rows.append(("screen", str(here["problem"])))
    for name, value in record.run.get("options", {}).items():
        rows.append((f"--{name}", str(value)))
    rows += [(name, str(version)) for name, version in here.get("libraries", {}).items()]
    return "".join(f"<div><dt>{_e(name)}</dt><dd>{_e(value)}</dd></div>" for name, value in rows)


def _file_list(record: Record) -> str:
    names = sorted(place.name for place in record.folder.iterdir() if place.is_file() and place.suffix != ".html")
    return f"<p>{_e(record.folder)}</p><ul>{''.join(f'<li>{_e(name)}</li>' for name in names)}</ul>"
