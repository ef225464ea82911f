"""Owns a game that is played: the hidden mines, what a click opens, what a player has seen, won and lost.

A ``Field`` is the truth and never changes; a ``Game`` is a position in it, and a move gives the next one:

    game = Game(Field(shape, mines)).reveal(cell)
    game.puzzle, game.marks      # all a player sees: ask the solver about these, never about the field

Legend: an *opening* is a patch of cells with the clue 0 that hang together, with the clues along its rim; one click
opens it whole. *3BV* is the number of left clicks a field takes without flags: one an opening, and one for every clue
on no rim.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum

from autosolve.board.notation import solution_hash
from autosolve.board.puzzle import Marks, Puzzle, Totals
from autosolve.board.shape import Cell, CellSet, Shape, cells_in
from autosolve.errors import WrongUse


class State(Enum):
    """How a game stands."""

    PLAYING = "playing"
    WON = "won"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Field:
    """Where the mines are: ``mines`` is the set of mined cells, any number of them from none to all.

    Raises WrongUse for mines outside the board."""

    shape: Shape
    mines: CellSet

    def __post_init__(self) -> None:
        if self.mines & ~self.shape.all or self.mines < 0:
            raise WrongUse(f"A mine lies outside the {self.shape} board.", "Give cells of the board.")

    @property
    def safe(self) -> CellSet:
        """The cells without a mine: those that must be opened to win."""
        return self.shape.all & ~self.mines

    @property
    def sha256(self) -> str:
        """The hash of the solution, as in every format."""
        return solution_hash(self.shape, self.mines)

    def clue(self, cell: int) -> int:
        """The mines around a cell, 0 to 8; its own does not count."""
        return (self.shape.neighbours(cell) & self.mines).bit_count()

    def clues(self, cells: CellSet) -> dict[Cell, int]:
        """The clues of a set of cells, in rising order."""
        return {cell: self.clue(cell) for cell in cells_in(cells)}

    def flood(self, cell: int, blocked: CellSet = 0) -> CellSet:
        """What a click on ``cell`` opens: the cell and, where it is a 0, all around it, and so on. ``blocked`` cells
        stay shut, and the flood does not run through them."""
        opened: CellSet = 1 << cell
        todo = [cell]
        while todo:
            at = todo.pop()
            around = self.shape.neighbours(at)
            if around & self.mines or self.mines >> at & 1:
                continue
            new = around & ~opened & ~blocked
            opened |= new
            todo += cells_in(new)
        return opened

    @property
    def openings(self) -> tuple[CellSet, ...]:
        """Every opening with its rim, by its first cell that is a 0; rims may share clues."""
        zeros = sum(1 << c for c, number in self.clues(self.safe).items() if number == 0)
        found = []
        while zeros:
            patch = self.flood((zeros & -zeros).bit_length() - 1)
            found.append(patch)
            zeros &= ~patch
        return tuple(found)

    @property
    def three_bv(self) -> int:
        """Left clicks the field takes without flags; 0 where every cell is a mine."""
        openings = self.openings
        rest = self.safe
        for patch in openings:
            rest &= ~patch
        return len(openings) + rest.bit_count()


@dataclass(frozen=True, slots=True)
class Game:
    """A position in a field.

    ``opened``    safe cells that are open
    ``flags``     covered cells with a flag: what the player believes, right or wrong
    ``exploded``  the mines that were opened: none while the game is not lost, several after a chord

    A move that does nothing gives the same position back: one on a cell that is open or has a flag, and every move
    after the end. Moves raise WrongUse for a cell outside the board.
    """

    field: Field
    opened: CellSet = 0
    flags: CellSet = 0
    exploded: CellSet = 0

    def __post_init__(self) -> None:
        shut = self.field.shape.all & ~(self.opened | self.exploded)
        if self.opened & ~self.field.safe or self.exploded & ~self.field.mines or self.flags & ~shut:
            raise WrongUse("This is no position of the game.", "Open safe cells, and flag covered ones.")

    @property
    def state(self) -> State:
        """Lost once a mine was opened, won once all safe cells are open. A field of mines alone is won at once."""
        if self.exploded:
            return State.LOST
        return State.WON if self.opened == self.field.safe else State.PLAYING

    @property
    def covered(self) -> CellSet:
        """The cells that are not open, exploded mines apart."""
        return self.field.shape.all & ~(self.opened | self.exploded)

    @property
    def missing(self) -> int:
        """What the counter of the game shows: mines less flags; below 0 where there are too many flags."""
        return self.field.mines.bit_count() - self.flags.bit_count()

    # ------------------------------------------------------------ moves

    def reveal(self, cell: int) -> Game:
        """A left click: opens a cell, and what hangs on it where it is a 0. Flags are left alone."""
        bit = self._bit(cell)
        if self.state is not State.PLAYING or (self.opened | self.flags) & bit:
            return self
        return self._open((cell,))

    def flag(self, cell: int) -> Game:
        """A right click: puts a flag on a covered cell, or takes it off."""
        bit = self._bit(cell)
        if self.state is not State.PLAYING or self.opened & bit:
            return self
        return replace(self, flags=self.flags ^ bit)

    def chord(self, cell: int) -> Game:
        """A click with both buttons: on a clue with as many flags around it as it says, opens all else around it.
        A wrong flag costs the game."""
        bit = self._bit(cell)
        around = self.field.shape.neighbours(cell)
        if (
            self.state is not State.PLAYING
            or not self.opened & bit
            or (around & self.flags).bit_count() != self.field.clue(cell)
        ):
            return self
        return self._open(tuple(cells_in(around & ~self.flags & ~self.opened)))

    def _bit(self, cell: int) -> CellSet:
        if not 0 <= cell < self.field.shape.size:
            raise WrongUse(f"There is no cell {cell} on a {self.field.shape} board.", "Give a cell of the board.")
        return 1 << cell

    def _open(self, cells: tuple[int, ...]) -> Game:
        opened, exploded = self.opened, 0
        for cell in cells:
            if self.field.mines >> cell & 1:
                exploded |= 1 << cell
            elif not opened >> cell & 1:
                opened |= self.field.flood(cell, blocked=opened | self.flags)
        return replace(self, opened=opened, exploded=exploded)

    # ------------------------------------------------------------ what is seen

    @property
    def puzzle(self) -> Puzzle:
        """The facts a player sees: the clues of the open cells and the number of mines; exploded mines are shown."""
        return Puzzle(
            self.field.shape,
            self.field.clues(self.opened),
            self.covered,
            Totals(mines=self.field.mines.bit_count()),
            self.exploded,
        )

    @property
    def marks(self) -> Marks:
        """The flags a player sees, which are no facts."""
        return Marks(flags=self.flags)

    @property
    def final(self) -> Puzzle:
        """What a site shows after a loss: every mine without a flag, and which flags were wrong (open, with no
        number). The same as ``puzzle`` before the end and after a win."""
        if self.state is not State.LOST:
            return self.puzzle
        shown = self.field.mines & ~self.flags
        wrong = self.flags & ~self.field.mines
        return replace(self.puzzle, covered=self.covered & ~shown & ~wrong, mines=shown)

    @property
    def progress(self) -> Mapping[str, int]:
        """How far the game is: ``opened`` of ``safe`` cells, ``clicks`` still needed without flags."""
        left = self.field.safe & ~self.opened
        clicks = 0
        for patch in self.field.openings:
            zeros = sum(1 << c for c in cells_in(patch) if self.field.clue(c) == 0)
            clicks += bool(zeros & left)
            left &= ~patch
        return {
            "opened": self.opened.bit_count(),
            "safe": self.field.safe.bit_count(),
            "clicks": clicks + left.bit_count(),
        }
