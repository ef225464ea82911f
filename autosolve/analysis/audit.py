"""Owns the replay of a board by nothing but proof: every mine taken must follow from what is confirmed by then.

*Confirmed* is what the board itself tells: its clues and totals, the mines that were taken, the cells that a condition
opened when its last mine was taken. What was merely concluded, a cross in a cell, is not: nothing can be built upon it
before it is confirmed. A proof may itself be long: the layer CONTRADICTION follows an assumption to the end.

On boards whose cells are opened to be seen, what they showed is confirmed, and so are mines that were proven: nothing
there ever confirms a flag.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from autosolve.analysis.collection import Entry
from autosolve.board.notation import solution_hash
from autosolve.board.puzzle import Puzzle
from autosolve.board.shape import Cell, CellSet, cells_in
from autosolve.errors import Clash, WrongUse
from autosolve.generate.game import Field, Game
from autosolve.solver.deduction import Budget, Technique
from autosolve.solver.hybrid import solve
from autosolve.solver.logic import LAYERS, Thinker
from autosolve.solver.state import Contradiction

RULES = frozenset({Technique.ONE, Technique.TWO, Technique.CONTRADICTION, Technique.TOTAL})


class Fate(Enum):
    """What came of a replay.

    ``CLEARED``   every mine was proven and taken
    ``STUCK``     mines are left that nothing confirmed proves
    ``WRONG``     a deduction disagrees with the stored solution, or that is no solution of the board
    ``CLASH``     the clues contradict each other
    """

    CLEARED = "cleared"
    STUCK = "stuck"
    WRONG = "wrong"
    CLASH = "clash"


@dataclass(frozen=True, slots=True)
class Replay:
    """One board replayed.

    ``left``     the mines not taken where it got stuck; the cells that disagree where it went wrong
    ``rounds``   how often mines were taken at once, or cells opened, by technique
    ``hardest``  the hardest technique that was needed
    ``held``     whether there was a stored solution, or its hash, to hold the deductions against
    """

    entry: Entry
    fate: Fate
    left: CellSet = 0
    rounds: tuple[tuple[Technique, int], ...] = ()
    held: bool = True

    @property
    def hardest(self) -> Technique | None:
        """None where nothing was taken."""
        return max((technique for technique, _ in self.rounds), default=None)

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "line": self.entry.line,
            "tier": self.entry.tier,
            "fate": self.fate.value,
            "left": [list(at) for at in self.entry.puzzle.shape.pairs(self.left)],
            "hardest": self.hardest.word if self.hardest else None,
            "rounds": {technique.word: number for technique, number in self.rounds},
            "held": self.held,
        }


class Play:
    """A board as it is played, with its solution at hand for what is opened.

    ``puzzle``  what is confirmed so far
    """

    def __init__(self, entry: Entry, solution: CellSet) -> None:
        self.solution = solution
        self._game: Game | None = None
        self.caught: CellSet = entry.puzzle.mines
        if entry.reveals:
            opened = entry.puzzle.shape.all & ~(entry.puzzle.covered | entry.puzzle.mines)
            self._game = Game(Field(entry.puzzle.shape, solution), opened)
        self._set(entry.puzzle)

    @property
    def reveals(self) -> bool:
        """Whether cells show their number only once they are opened."""
        return self._game is not None

    @property
    def left(self) -> CellSet:
        """What is still to be done: safe cells to open where cells are opened, else mines to take."""
        if self._game is not None:
            return self._game.field.safe & ~self._game.opened
        return self.solution & ~self.caught

    def take(self, cells: CellSet) -> None:
        """Takes mines, which must be some; conditions completed by it open their other cells."""
        assert not cells & ~self.solution, "only mines are taken"
        self.caught |= cells
        self._set(self.puzzle)

    def open(self, cells: CellSet) -> None:
        """Opens cells, which must be safe. On a board that shows all it has, they are confirmed and say no more."""
        assert not cells & self.solution, "only safe cells are opened"
        if self._game is None:
            self._set(replace(self.puzzle, covered=self.puzzle.covered & ~cells))
            return
        for cell in cells_in(cells):
            self._game = self._game.reveal(cell)
        self._set(self.puzzle)

    def _set(self, puzzle: Puzzle) -> None:
        if self._game is not None:
            puzzle = self._game.puzzle
        puzzle = replace(puzzle, covered=puzzle.covered & ~self.caught, mines=self.caught)
        if self._game is None:
            done = 0
            for sentence in puzzle.constraints:
                done |= 0 if sentence.mines else sentence.cells
            puzzle = replace(puzzle, covered=puzzle.covered & ~done)
        self.puzzle = puzzle


def provable(
    puzzle: Puzzle, layers: Collection[Technique] = RULES, budget: Budget | None = None
) -> Iterator[tuple[Technique, CellSet, CellSet]]:
    """What each layer proves of a board as it stands, the easiest layer first: the technique, mines, safe cells.

    No layer builds on what another found. Raises Clash where the board is found to have no solution."""
    for technique, layer in LAYERS:
        if technique not in layers:
            continue
        mines = safe = 0
        try:
            for find in layer(Thinker(puzzle, layers, budget or Budget(), explain=False)):
                for cell in find.cells:
                    if find.mine:
                        mines |= 1 << cell
                    else:
                        safe |= 1 << cell
        except Contradiction:
            raise Clash("The clues contradict each other.", "'autosolve solve' names a few that do.") from None
        if mines or safe:
            yield technique, mines, safe


def solution_of(entry: Entry, budget: Budget | None = None) -> CellSet | None:
    """The mines stored with a board, or of its one solution; None where there is no such. Raises Clash."""
    if entry.solution is not None:
        return entry.solution
    solution = solve(entry.puzzle, budget=budget or Budget())
    return solution.mines | entry.puzzle.mines if solution.unique else None


def fits(puzzle: Puzzle, mines: CellSet) -> bool:
    """Whether a set of mines, shown ones included, is a solution."""
    hidden = mines & ~puzzle.mines
    return (
        not puzzle.mines & ~mines
        and not hidden & ~puzzle.covered
        and all((sentence.cells & hidden).bit_count() == sentence.mines for sentence in puzzle.constraints)
    )


def replay(
    entry: Entry, layers: Collection[Technique] = RULES, budget: Budget | None = None, *, crosses: bool = False
) -> Replay:
    """Plays a board, taking at every turn all that the lowest layer proves that proves anything to take. With
    ``crosses``, cells proven to be safe count as confirmed too: then it clears whatever the layers clear."""
    held = entry.solution is not None or entry.position.sha256 is not None
    try:
        solution = solution_of(entry, budget)
        if solution is None:
            return Replay(entry, Fate.STUCK, entry.puzzle.covered & ~solve(entry.puzzle).safe, held=held)
        digest = entry.position.sha256
        if not fits(entry.puzzle, solution):
            return Replay(entry, Fate.WRONG, solution & entry.puzzle.covered, held=held)
        if digest is not None and digest != solution_hash(entry.puzzle.shape, solution):
            return Replay(entry, Fate.WRONG, solution & entry.puzzle.covered, held=held)
        return _replay(Play(entry, solution), Replay(entry, Fate.CLEARED, held=held), layers, budget, crosses)
    except Clash:
        return Replay(entry, Fate.CLASH, entry.puzzle.covered, held=held)


def _replay(play: Play, cleared: Replay, layers: Collection[Technique], budget: Budget | None, crosses: bool) -> Replay:
    rounds: dict[Technique, int] = {}

    def ended(fate: Fate, left: CellSet) -> Replay:
        return replace(cleared, fate=fate, left=left, rounds=tuple(sorted(rounds.items())))

    while play.left:
        for technique, mines, safe in provable(play.puzzle, layers, budget):
            if wrong := mines & ~play.solution | safe & play.solution:
                return ended(Fate.WRONG, wrong)
            opened = safe if play.reveals or crosses else 0
            if mines or opened:
                play.take(mines)
                play.open(opened)
                rounds[technique] = rounds.get(technique, 0) + 1
                break
        else:
            return ended(Fate.STUCK, play.left)
    return ended(Fate.CLEARED, 0)


# ---------------------------------------------------------------- judging what somebody did


@dataclass(frozen=True, slots=True)
class Move:
    """Something a player did: ``what`` is "mine", "open", "mark" or "hint"; ``cell`` is None for a hint."""

    what: str
    cell: Cell | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """How a board was cleared.

    ``cleared``   whether nothing was left in the end
    ``catches``   mines taken, and in boards to open, cells opened, that were right
    ``misses``    those that were wrong, by number of the move, from 0
    ``unproven``  moves that nothing confirmed proved, right or wrong, by number
    ``hints``     hints taken
    ``attempt``   which attempt at this board it was, from 1
    """

    cleared: bool
    catches: int
    misses: tuple[int, ...]
    unproven: tuple[int, ...]
    hints: int
    attempt: int

    @property
    def clean(self) -> bool:
        """A clean clear: at the first attempt, without a hint, every catch provable when it was made."""
        return self.cleared and self.attempt == 1 and not self.hints and not self.misses and not self.unproven


def judge(
    entry: Entry,
    solution: CellSet,
    moves: Collection[Move],
    *,
    attempt: int = 1,
    layers: Collection[Technique] = RULES,
    budget: Budget | None = None,
) -> Judged:
    """Whether every catch was provable when it was made. ``solution`` holds all mines, shown ones too.

    Marks are no catches and prove nothing: crosses, and flags where cells are opened, for there the catches are the
    cells that are opened. What is taken or open already is passed over. Raises WrongUse for a wrong solution."""
    if not fits(entry.puzzle, solution):
        raise WrongUse("The solution given is none of this board.", "Give the mines of its solution, or none.")
    play = Play(entry, solution)
    catches, hints, misses, unproven = 0, 0, list[int](), list[int]()
    for number, move in enumerate(moves):
        if move.what == "hint":
            hints += 1
            continue
        if move.cell is None or move.what != ("open" if play.reveals else "mine"):
            continue
        bit = 1 << move.cell
        if not bit & play.puzzle.covered:
            continue
        if not _is_proven(play, bit, layers, budget):
            unproven.append(number)
        if play.reveals == bool(bit & solution):
            misses.append(number)
            if play.reveals:
                break  # a mine was opened: the game is lost
            play.open(bit)  # the miss itself confirms that the cell is safe
        else:
            catches += 1
            (play.open if play.reveals else play.take)(bit)
    return Judged(not play.left, catches, tuple(misses), tuple(unproven), hints, attempt)


def _is_proven(play: Play, bit: CellSet, layers: Collection[Technique], budget: Budget | None) -> bool:
    """Whether a cell is proven to be what it is taken for."""
    while True:
        flags = 0
        for _, mines, safe in provable(play.puzzle, layers, budget):
            if bit & (safe if play.reveals else mines):
                return True
            flags |= mines
        if not (play.reveals and flags):
            return False
        play.take(flags)
