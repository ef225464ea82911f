"""Owns the summaries of graded collections: what each tier needs, how deep it goes, and box plots of that.

Legend: a *box* is the middle half of the values with the median in it; the whiskers go to the least and the most.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autosolve.analysis.grade import PLAIN, Grade, Weights
from autosolve.analysis.pictures import save
from autosolve.errors import WrongUse
from autosolve.solver.deduction import Technique

ALL = "all"


@dataclass(frozen=True, slots=True)
class Box:
    """Five numbers of a set of values, quartiles by linear interpolation between neighbours."""

    least: float
    lower: float
    median: float
    upper: float
    most: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Box:
        """Of at least one value."""
        ordered = sorted(values)

        def at(share: float) -> float:
            place = share * (len(ordered) - 1)
            low = int(place)
            high = min(low + 1, len(ordered) - 1)
            return ordered[low] + (place - low) * (ordered[high] - ordered[low])

        return cls(*(at(share) for share in (0, 0.25, 0.5, 0.75, 1)))


@dataclass(frozen=True, slots=True)
class Tier:
    """A tier of a collection, or all of it.

    ``needing``  boards by the hardest technique they need
    ``using``    boards that need a technique at all, by technique
    ``most``     the most passes of it that a board takes, by technique
    ``deepest``  the number of the deepest board among those given, from 0
    """

    name: str
    boards: int
    unique: int
    needing: Mapping[Technique | None, int]
    using: Mapping[Technique, int]
    most: Mapping[Technique, int]
    depth: Box
    deepest: int

    def to_json(self) -> dict[str, Any]:
        """Plain values; techniques by their words."""
        depth = self.depth
        return {
            "tier": self.name,
            "boards": self.boards,
            "unique": self.unique,
            "hardest": {t.word if t else "nothing": n for t, n in self.needing.items()},
            "needing": {t.word: n for t, n in self.using.items()},
            "most_waves": {t.word: n for t, n in self.most.items()},
            "depth": {
                "least": depth.least,
                "lower": depth.lower,
                "median": depth.median,
                "upper": depth.upper,
                "most": depth.most,
            },
        }


def summarize(tiers: Sequence[tuple[str, Sequence[Grade]]], weights: Weights = PLAIN) -> list[Tier]:
    """Per tier and, last, for all boards together: WrongUse where there is none."""
    parts = [(name, grades) for name, grades in tiers if grades]
    if not parts:
        raise WrongUse("There is no board to sum up.", "Give at least one that can be graded.")
    if len(parts) > 1 or not parts[0][0]:
        parts = [(name or "(no tier)", grades) for name, grades in parts] if len(parts) > 1 else []
        parts.append((ALL, [g for _, grades in tiers for g in grades]))
    return [_tier(name, grades, weights) for name, grades in parts]


def _tier(name: str, grades: Sequence[Grade], weights: Weights) -> Tier:
    needing: dict[Technique | None, int] = {}
    using: dict[Technique, int] = {}
    most: dict[Technique, int] = {}
    for g in grades:
        needing[g.hardest] = needing.get(g.hardest, 0) + 1
        for technique, number in g.waves.items():
            using[technique] = using.get(technique, 0) + 1
            most[technique] = max(most.get(technique, 0), number)
    depths = [g.depth_by(weights) for g in grades]
    return Tier(
        name,
        len(grades),
        sum(g.unique for g in grades),
        dict(sorted(needing.items(), key=lambda item: int(item[0] or 0))),
        dict(sorted(using.items())),
        dict(sorted(most.items())),
        Box.of(depths),
        max(range(len(depths)), key=depths.__getitem__),
    )


# ---------------------------------------------------------------- pictures


def box_lines(tiers: Sequence[Tier], width: int = 60) -> list[str]:
    """Box plots as text, ``width`` characters for the values: ``|---[==|==]---|``, and an axis below."""
    top = max([tier.depth.most for tier in tiers] + [1.0])
    names = max(len(tier.name) for tier in tiers)

    def column(value: float) -> int:
        return round(value / top * (width - 1))

    out = []
    for tier in tiers:
        box = tier.depth
        line = [" "] * width
        for at in range(column(box.least), column(box.most) + 1):
            line[at] = "─"
        for at in range(column(box.lower), column(box.upper) + 1):
            line[at] = "█"
        line[column(box.least)] = "├" if line[column(box.least)] == "─" else "█"
        line[column(box.most)] = "┤" if line[column(box.most)] == "─" else "█"
        line[column(box.median)] = "┃"
        out.append(f"{tier.name:<{names}}  {''.join(line).rstrip()}")
    axis, place = [" "] * (width + 8), 0
    for value in _ticks(top):
        label = f"{value:g}"
        place = column(value)
        axis[place : place + len(label)] = label
    out.append(f"{'':<{names}}  {''.join(axis).rstrip()}")
    return out


def _ticks(top: float) -> list[float]:
    """At most eight round values from 0 to ``top``."""
    step = 1.0
    while top / step > 8:
        step *= 2.5 if str(step).startswith("2") else 2
    return [step * i for i in range(int(top / step) + 1)]


def draw_boxes(tiers: Sequence[Tier], place: Path, title: str) -> None:
    """The same as a picture, PNG or SVG by the name's ending. WrongUse where it cannot be written."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 1.6 + 0.42 * len(tiers)), dpi=120, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    boxes = [
        {
            "whislo": t.depth.least,
            "q1": t.depth.lower,
            "med": t.depth.median,
            "q3": t.depth.upper,
            "whishi": t.depth.most,
            "label": f"{t.name}  ({t.boards:,})",
        }
        for t in tiers
    ]
    axes.bxp(
        boxes,
        orientation="horizontal",
        showfliers=False,
        patch_artist=True,
        widths=0.6,
        boxprops={"facecolor": "#cfe0f3", "edgecolor": "#33597f"},
        medianprops={"color": "#d95f02", "linewidth": 2},
        whiskerprops={"color": "#33597f"},
        capprops={"color": "#33597f"},
    )
    for number, tier in enumerate(tiers, 1):
        axes.annotate(
            f"{tier.depth.median:g}",
            (tier.depth.most, number),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            color="#d95f02",
            fontsize=9,
        )
    axes.invert_yaxis()
    axes.set_xlim(left=0)
    axes.margins(x=0.08)
    axes.set_xlabel("depth   (box: middle half, orange: median, whiskers: least and most)")
    axes.set_title(title, loc="left", fontsize=11)
    axes.grid(axis="x", color="#dddddd")
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(axis="y", length=0)
    save(figure, place)
