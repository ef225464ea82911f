"""Boards for Hypothesis: small, seldom square, with and without totals, in both variants."""

from __future__ import annotations

from hypothesis import strategies as st

from autosolve.board.puzzle import Puzzle, Totals, Variant
from autosolve.board.shape import Cell, Shape, cell_set


@st.composite
def shapes(draw, most: int = 20) -> Shape:
    rows = draw(st.integers(1, min(5, most)))
    return Shape(rows, draw(st.integers(1, max(1, min(7, most // rows)))))


@st.composite
def puzzles(
    draw, covered: int = 11, variants=(Variant.MINESWEEPER, Variant.MOSAIC), totals=True, honest=True
) -> Puzzle:
    """A board with at most ``covered`` covered cells. It has a solution if ``honest``; else its numbers may lie."""
    variant = draw(st.sampled_from(variants))
    mosaic = variant is Variant.MOSAIC
    shape = draw(shapes(covered if mosaic else 20))
    cells = list(range(shape.size))
    mined = draw(st.sets(st.sampled_from(cells), max_size=shape.size))
    if mosaic:
        shown, unknown = set(), set(cells)
        clued = draw(st.sets(st.sampled_from(cells)))
    else:
        shown = draw(st.sets(st.sampled_from(sorted(mined)), max_size=2)) if mined else set()
        rest = [c for c in cells if c not in shown]
        safe = [c for c in rest if c not in mined]
        # what is not covered is a clue, but for a few cells shown safe without a number
        opened = set(draw(st.permutations(safe))[: max(len(rest) - covered, draw(st.integers(0, len(safe))))])
        shown |= set(sorted(mined - shown)[: max(0, len(rest) - len(opened) - covered)])
        unknown = set(cells) - opened - shown
        clued = opened - (draw(st.sets(st.sampled_from(sorted(opened)), max_size=1)) if opened else set())

    def around(cell):
        mask = shape.neighbours(cell) | (1 << cell if mosaic else 0)
        return sum(mask >> m & 1 for m in mined)

    clues = {Cell(c): around(c) for c in sorted(clued)}
    rows = columns = ()
    total = None
    if totals and draw(st.booleans()):
        rows = tuple(draw(st.sampled_from([None, sum(m // shape.cols == i for m in mined)])) for i in range(shape.rows))
        columns = tuple(
            draw(st.sampled_from([None, sum(m % shape.cols == j for m in mined)])) for j in range(shape.cols)
        )
    if totals and draw(st.booleans()):
        total = len(mined)
    if not honest:
        top = 9 if mosaic else 8
        for c in draw(st.sets(st.sampled_from(sorted(clues)), max_size=2)) if clues else ():
            clues[c] = draw(st.integers(0, min(top, 4)))
        if total is not None and draw(st.booleans()):
            total = draw(st.integers(0, shape.size))
    return Puzzle(shape, clues, cell_set(unknown), Totals(rows, columns, total), cell_set(shown), variant)
