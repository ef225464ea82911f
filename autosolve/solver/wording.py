"""Owns the sentences that tell a person why: one for each deduction, to be checked against the board."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from autosolve.solver.clash import and_list, name_source, told
from autosolve.solver.deduction import Technique
from autosolve.solver.state import Contradiction, State

if TYPE_CHECKING:
    from autosolve.solver.logic import Find, Thinker

# a longer chain of "then" helps nobody
_CHAIN = 12


def sentence(thinker: Thinker, find: Find, technique: Technique) -> str:
    """Why ``find`` follows, in the state before it is made."""
    words = _WORDS[technique]
    if len(find.reasons) == 1 and find.reasons[0] != thinker.board and technique is not Technique.UNIQUE:
        words = _one  # whatever found it
    text = words(thinker, find)
    return f"{find.pattern}: {text}" if find.pattern else text


def _cells(thinker: Thinker, cells: Iterable[int]) -> str:
    return " ".join(thinker.state.shape.name(c) for c in cells)


def _so(thinker: Thinker, find: Find, alike: str = "") -> str:
    """``r1c2 is a mine``, ``r1c2 r1c3 are safe``."""
    one = len(find.cells) == 1
    verdict = ("is a mine" if one else "are mines") if find.mine else ("is safe" if one else "are safe")
    return f"{_cells(thinker, find.cells)}{alike} {verdict}"


def _name(thinker: Thinker, i: int) -> str:
    source = thinker.source(i)
    return name_source(thinker.state.shape, source, told(thinker.puzzle, source))


def _names(thinker: Thinker, reasons: Iterable[int]) -> str:
    return and_list([_name(thinker, i) for i in reasons])


def _mines(number: int) -> str:
    return f"{number} mine{'' if number == 1 else 's'}"


def _covered(number: int) -> str:
    return f"{number} covered cell{'' if number == 1 else 's'}"


def _one(thinker: Thinker, find: Find) -> str:
    (i,) = find.reasons
    cells, need = thinker.sentence(i)
    if not find.mine:
        return f"{_name(thinker, i)} has all its mines: {_so(thinker, find)}"
    return f"{_name(thinker, i)} still needs {_mines(need)} and has {_covered(len(cells))} left: {_so(thinker, find)}"


def _two(thinker: Thinker, find: Find) -> str:
    i, j = find.reasons
    own = {*thinker.sentence(i)[0]}
    # the full one's own cells are all mines, the spent one's own are all safe
    full, spent = (i, j) if own.issuperset(find.cells) is find.mine else (j, i)
    cells_full, need_full = thinker.sentence(full)
    cells_spent, need_spent = thinker.sentence(spent)
    shared = [c for c in cells_full if c in set(cells_spent)]
    head = f"{_name(thinker, full)} and {_name(thinker, spent)} share {_cells(thinker, shared)}"
    if find.mine:
        return (
            f"{head}: the second still needs {need_spent}, so the shared cells hold at most {need_spent} of the "
            f"{_mines(need_full)} the first still needs, and {_so(thinker, find)}"
        )
    rest = len(cells_full) - len(shared)
    if not rest:
        return (
            f"{head}: the first still needs {need_full} and has no other cell, so the shared cells hold all "
            f"that the second needs, and {_so(thinker, find)}"
        )
    return (
        f"{head}: outside them the first has room for {rest} of the {need_full} it still needs, so the shared "
        f"cells hold the {need_spent} that the second needs, and {_so(thinker, find)}"
    )


def _subset(thinker: Thinker, find: Find) -> str:
    return f"{_names(thinker, find.reasons)} taken together leave no other way: {_so(thinker, find)}"


def _contradiction(thinker: Thinker, find: Find) -> str:
    state, cell = thinker.state, find.cells[0]
    what = "safe" if find.mine else "a mine"
    head = f"suppose {state.shape.name(cell)} were {what}"
    alike = ", which no clue tells apart," if len(find.cells) > 1 else ""
    chain = _chain(thinker, find)
    if chain is None or len(chain) > _CHAIN:
        return f"{head}: {_names(thinker, find.reasons)} could not all be true; so {_so(thinker, find, alike)}"
    return f"{head}: {'; '.join(chain)}; so {_so(thinker, find, alike)}"


def _chain(thinker: Thinker, find: Find) -> list[str] | None:
    """What follows from assuming the opposite, by ONE and TWO on the reasons alone, down to the clash; None where
    these do not get there."""
    part = State.part(thinker.state, find.reasons)
    out: list[str] = []

    def by(reasons: tuple[int, ...]) -> str:
        return _names(thinker, (find.reasons[k] for k in reasons))

    try:
        part.put([find.cells[0]], not find.mine, ())
        while moves := (part.fresh and part.moves_one()) or (part.stale and part.moves_two()) or []:
            for cells, mine, reasons in moves:
                new = [c for c in cells if not part.known[c]]
                part.put(cells, mine, reasons)
                if new:
                    verdict = "mines" if mine and len(new) > 1 else "a mine" if mine else "safe"
                    out.append(f"then {_cells(thinker, new)} {verdict} ({by(reasons)})")
    except Contradiction as clash:
        last = clash.reasons
        if len(last) == 1:
            k = last[0]
            out.append(f"and {by(last)} would have {'too many mines' if part.need[k] < 0 else 'too few cells left'}")
        else:
            out.append(f"and {by(last)} could not both be true")
        return out
    return None


def _total(thinker: Thinker, find: Find) -> str:
    if thinker.board not in find.reasons:
        return _subset(thinker, find)
    cells, missing = thinker.sentence(thinker.board)
    others = [i for i in find.reasons if i != thinker.board]
    if not others:
        if not missing:
            return f"all mines of the board are found: {_so(thinker, find)}"
        return f"the board still needs {_mines(missing)} and has {_covered(len(cells))} left: {_so(thinker, find)}"
    return (
        f"the whole board still needs {_mines(missing)}; with {_names(thinker, others)} that leaves no other "
        f"way: {_so(thinker, find)}"
    )


def _sat(thinker: Thinker, find: Find) -> str:
    what = "without" if find.mine else "with"
    shape, cell = thinker.state.shape, find.cells[0]
    at = shape.name(cell) if len(find.cells) == 1 else "any of these"
    return f"no solution of {_names(thinker, find.reasons)} exists {what} a mine at {at}: {_so(thinker, find)}"


def _unique(thinker: Thinker, find: Find) -> str:
    (i,) = find.reasons
    neither = "be all safe" if find.mine else "be all mines"
    return (
        f"if the puzzle has one solution, {_cells(thinker, find.cells)}, which no clue tells apart, are alike; "
        f"{_name(thinker, i)} does not let them {neither}: {_so(thinker, find)}"
    )


_WORDS = {
    Technique.ONE: _one,
    Technique.TWO: _two,
    Technique.SUBSET: _subset,
    Technique.CONTRADICTION: _contradiction,
    Technique.NESTED: _contradiction,
    Technique.TOTAL: _total,
    Technique.SAT: _sat,
    Technique.UNIQUE: _unique,
}
