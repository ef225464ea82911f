"""Owns the printed booklet: boards on A4 pages, as many on a page as stay legible, their solutions at the end.

Legend: lengths are millimetres. Everything is drawn with the fonts every PDF reader has, so nothing is embedded.
"""

from __future__ import annotations

from collections.abc import Sequence

from fpdf import FPDF

from autosolve.generate.record import Record


def booklet(records: Sequence[Record], title: str = "Minesweeper puzzles") -> bytes:
    """The PDF file of a booklet."""
    pdf = FPDF(format="A4")
    pdf.set_title(title)
    return bytes(pdf.output())
