"""Owns what a record says in words: its headline and figures, and the text that goes into a bug report."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from autosolve.record import files
from autosolve.record.files import Record

_HEADLINES = {
    "solved": "Solved",
    "won": "Won",
    "undecided": "Not decided by the clues",
    "lost": "Lost",
    "dry-run": "Preview",
    "stopped": "Stopped",
    "not-found": "No board found",
    "unreadable": "Cells cannot be read",
    "clash": "The clues contradict each other",
    "clicks-failed": "Clicks did not take",
    "failed": "Failed",
    files.RUNNING: "Not ended",
}


@dataclass(frozen=True, slots=True)
class Wording:
    """What stands at the top of a page: ``state`` is "good", "open" or "bad"."""

    headline: str
    subtitle: str
    state: str
    said: tuple[str, ...]
    figures: tuple[tuple[str, str], ...]


def wording(record: Record) -> Wording:
    """The headline, the sentences and the figures of a record."""
    run, looks = record.run, record.looks
    result = str(run["result"])
    headline = _HEADLINES.get(result, result)
    if result == "solved" and run.get("verified"):
        headline = "Solved and verified"
    games = run.get("games", [])
    if games:
        won = sum(bool(told["won"]) for told in games)
        headline = ("Won" if won else "Lost") if len(games) == 1 else f"{won} of {len(games)} games won"
    size = f"{looks[-1]['rows']} rows, {looks[-1]['cols']} columns" if looks else ""
    subtitle = " · ".join(part for part in (str(run.get("site", "")), size, _when(run)) if part)
    good, open_ended = {"solved", "won"}, {"dry-run", "stopped", files.RUNNING}
    state = "good" if result in good and run.get("verified") else "open" if result in open_ended else "bad"
    said = tuple(str(run[key]) for key in ("message", "remedy") if run.get(key))
    if result == files.RUNNING:
        said = ("The run has not ended yet, or its process was ended from outside. What it did until then is here.",)
    clicks = len(record.clicks)
    figures = [("clicks", str(clicks)), ("looks", str(len(looks)))]
    if looks:
        figures.insert(0, ("proven mines", str(len(looks[-1]["mines"]))))
        figures.append(("certainty", f"{_least(looks[-1])} %"))
    if run.get("took") is not None:
        figures.append(("in all", f"{run['took']:.1f} s"))
    for name, spent in run.get("seconds", {}).items():
        figures.append((name, f"{spent:.2f} s"))
    return Wording(headline, subtitle, state, said, tuple(figures))


def _least(look: dict[str, Any]) -> int:
    """The certainty of the least certain cell, in per cent; 0 where one cannot be read."""
    return 0 if look["doubtful"] else min(value for row in look["certainty"] for value in row)


def _when(run: dict[str, Any]) -> str:
    try:
        return datetime.fromisoformat(str(run["started"])).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    except (KeyError, ValueError):
        return ""


def bug_report(record: Record) -> str:
    """Markdown for an issue: what happened, where, and the board as text. Holds no picture; a person's home folder
    is written as ``~``."""
    run, here, looks = record.run, record.run.get("environment", {}), record.looks
    words = wording(record)
    lines = [
        f"**{words.headline}** (`{run['result']}`, exit code {run.get('exit_code', 'none')})",
        *(f"> {text}" for text in words.said),
        "",
        f"- autosolve {run.get('version', '?')}, {here.get('system', '?')} {here.get('machine', '')},"
        f" Python {here.get('python', '?')}",
        f"- command: `{run.get('command', 'autosolve')}{_options(run)}`",
        f"- display: {here.get('display') or 'none'}{', Wayland' if here.get('wayland') else ''}"
        + (f", {here['desktop']}" if here.get("desktop") else ""),
    ]
    lines += [
        f"- monitor {m['number']}: {m['pixels'][0]}x{m['pixels'][1]} pixels at {m['scale']:g} pixels a point"
        for m in here.get("monitors", [])
    ]
    if here.get("problem"):
        lines.append(f"- screen: {here['problem']}")
    libraries = ", ".join(f"{name} {version}" for name, version in here.get("libraries", {}).items())
    lines.append(f"- libraries: {libraries}")
    lines.append("- " + ", ".join(f"{name} {value}" for name, value in words.figures))
    for look in looks[-1:]:
        lines += ["", f"Look {look['lap']} read this ({look['site']}, pitch {look['pitch'][0]:g} pixels):", "", "```"]
        lines += [*look["grid"], "```"]
        doubts = [f"r{r + 1}c{c + 1} because {why}" for r, c, why in look["doubtful"][:10]]
        if doubts:
            lines += ["", "Cannot be read: " + "; ".join(doubts)]
    home = str(Path.home())
    text = "\n".join(lines) + "\n"
    return text.replace(home, "~") if len(home) > 1 else text


def _options(run: dict[str, Any]) -> str:
    """The options as they would be typed."""
    return "".join(
        f" --{name}" + ("" if value is True else f" {value}") for name, value in run.get("options", {}).items()
    )
