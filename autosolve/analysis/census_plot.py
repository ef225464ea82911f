"""Owns the picture of a census: win rates with their intervals, and how good the best guess was."""

from __future__ import annotations

from pathlib import Path

from autosolve.analysis.census import Spec, Summary
from autosolve.analysis.pictures import save
from autosolve.kernels.census import BINS, Policy

NAMES = {
    Policy.RANDOM: "A  random guess",
    Policy.LOCAL: "B  best by its front",
    Policy.GLOBAL: "C  best by the whole board",
    Policy.PROGRESS: "D  C, ties by progress",
}
_BLUE, _PALE, _ORANGE = "#33597f", "#cfe0f3", "#d95f02"


def draw(spec: Spec, found: Summary, place: Path) -> None:
    """Writes the picture, PNG or SVG by the name's ending. WrongUse where it cannot be written."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.ticker import PercentFormatter

    rates = found.policies
    figure = Figure(figsize=(11, 4.4), dpi=120, layout="constrained")
    FigureCanvasAgg(figure)
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.25))
    figure.suptitle(
        f"{spec.shape.rows}×{spec.shape.cols}, {spec.mines} mines: {found.boards:,} boards, seed {found.seed}",
        x=0.01, ha="left", fontsize=12,
    )  # fmt: skip

    rows = range(len(rates))
    left.barh(rows, [r.win_rate for r in rates], color=_PALE, edgecolor=_BLUE, height=0.62)
    left.errorbar(
        [r.win_rate for r in rates], rows,
        xerr=[
            [r.win_rate - r.interval[0] for r in rates],
            [r.interval[1] - r.win_rate for r in rates],
        ],
        fmt="none", ecolor=_ORANGE, capsize=3, linewidth=1.5,
    )  # fmt: skip
    top = max(max(r.interval[1] for r in rates), found.unforced, 0.01)
    for row, rate in enumerate(rates):
        left.annotate(
            f"{100 * rate.win_rate:.2f} %\n{rate.guesses:.2f} guesses", (rate.interval[1], row), xytext=(6, 0),
            textcoords="offset points", va="center", fontsize=9,
        )  # fmt: skip
    left.axvline(found.unforced, color=_ORANGE, linestyle="--", linewidth=1)
    left.annotate(
        f"no guess forced: {100 * found.unforced:.2f} %", (found.unforced, -0.5), xytext=(4, 2),
        textcoords="offset points", color=_ORANGE, fontsize=9, va="bottom",
    )  # fmt: skip
    left.set_yticks(list(rows), [NAMES[r.policy] for r in rates])
    left.set_ylim(len(rates) - 0.5, -0.95)
    left.set_xlim(0, top * 1.32)
    left.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    left.set_xlabel("boards won (orange: 95 % interval)")

    total = sum(found.bins)
    if total:
        width = 1 / BINS
        right.bar(
            [(k + 0.5) * width for k in range(BINS)], [n / total for n in found.bins], width=width, color=_PALE,
            edgecolor=_BLUE, linewidth=0.7,
        )  # fmt: skip
        mean = found.best_survival
        assert mean is not None
        right.axvline(mean, color=_ORANGE, linestyle="--", linewidth=1)
        right.annotate(
            f"mean {mean:.3f}", (mean, 1.0), xycoords=("data", "axes fraction"), xytext=(-4, -4),
            textcoords="offset points", ha="right", va="top", color=_ORANGE, fontsize=9,
        )  # fmt: skip
    else:
        right.annotate("no forced guess", (0.5, 0.5), xycoords="axes fraction", ha="center")
    right.set_xlim(0, 1)
    right.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    right.set_xlabel("the best chance to survive at a forced guess of C")
    right.set_ylabel(f"share of {total:,} guesses")
    for axes in (left, right):
        axes.spines[["top", "right"]].set_visible(False)
    save(figure, place)
