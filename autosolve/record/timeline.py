"""Owns the drawing of a run over time: when it looked, and when it clicked."""

from __future__ import annotations

import html
from typing import Any

from autosolve.record.files import Record

_TABLE = 500  # clicks that are listed


def drawing(record: Record) -> str:
    """HTML of the time line, and the same as a table for whoever cannot see it. Widths are shares of the whole, so that
    it fits any screen."""
    events = [event for event in record.events if event["event"] in ("look", "click", "end")]
    if not record.looks:
        return "<p>Nothing was seen or clicked.</p>"
    whole = max(event["t"] + event.get("took", 0) for event in events) or 1.0

    def at(seconds: float) -> str:
        return f"{100 * min(1.0, seconds / whole):.3f}%"

    out = []
    step = _step(whole)
    ticks = int(whole / step + 1e-9)
    for i in range(ticks + 1):
        x = at(i * step)
        out.append(f'<line class="tick" x1="{x}" x2="{x}" y1="0" y2="96"/>')
        if i < ticks or i * step < 0.93 * whole:
            out.append(f'<text class="second" x="{x}" y="112" dx="3">{i * step:g} s</text>')
    since = 0.0
    total, number = len(record.clicks), 0
    for event in events:
        if event["event"] == "look":
            width = max(0.0, event["t"] - since)
            out.append(
                f'<rect class="looking" x="{at(since)}" y="6" width="{100 * width / whole:.3f}%" height="22">'
                f"<title>Look {event['lap']}: {since:.2f} to {event['t']:.2f} s</title></rect>"
            )
            since = event["t"]
        elif event["event"] == "click":
            number += 1
            y = 92 - 50 * number / total
            name = _name(event)
            out.append(
                f'<circle class="click" cx="{at(event["t"])}" cy="{y:.1f}" r="2.6">'
                f"<title>Click {number}: {name}, {event['button']}, at {event['t']:.3f} s</title></circle>"
            )
            since = event["t"] + event.get("took", 0)
    words = f"Time line of {whole:.1f} seconds: {len(record.looks)} looks and {total} clicks"
    svg = (
        f'<svg class="timeline" width="100%" height="118" role="img" aria-label="{html.escape(words)}">'
        f"{''.join(out)}</svg>"
        '<ul class="legend"><li><span class="key looking"></span>waiting, looking, reading, solving</li>'
        '<li><span class="key click"></span>a click; higher: more clicks made</li></ul>'
    )
    return svg + _table(record.clicks)


def _step(whole: float) -> float:
    """A round distance of ticks: at most six on the whole."""
    size = 0.001
    while True:
        for factor in (1, 2, 5):
            if whole / (size * factor) <= 6:
                return size * factor
        size *= 10


def _name(click: dict[str, Any]) -> str:
    cell = click.get("cell")
    return f"r{cell[0] + 1}c{cell[1] + 1}" if cell else "elsewhere"


def _table(clicks: list[dict[str, Any]]) -> str:
    if not clicks:
        return "<p>Nothing was clicked.</p>"
    rows = "".join(
        f"<tr><td>{i}</td><td>{c['t']:.3f}</td><td>{_name(c)}</td><td>{html.escape(str(c['button']))}</td>"
        f"<td>{html.escape(str(c['purpose']))}</td><td>{1000 * c['took']:.1f}</td></tr>"
        for i, c in enumerate(clicks[:_TABLE], 1)
    )
    more = f"<p>The first {_TABLE} of {len(clicks)} clicks; events.jsonl has all.</p>" if len(clicks) > _TABLE else ""
    return (
        f"<details><summary>Every click ({len(clicks)})</summary>{more}"
        '<div class="wide" tabindex="0" role="region" aria-label="Every click"><table><thead><tr>'
        "<th scope=col>click</th><th scope=col>at, s</th><th scope=col>cell</th><th scope=col>button</th>"
        f"<th scope=col>why</th><th scope=col>took, ms</th></tr></thead><tbody>{rows}</tbody></table></div></details>"
    )
