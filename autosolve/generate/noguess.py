"""Owns boards that are won without a guess from a given start: how one is asked for, made, proven again and measured.

The compiled code makes them (``kernels/noguess.py``), by dealing until one is good, or by changing a board where the
solver is stuck. ``replay`` plays a board by the plain solver, which has no code in common with it, and opens nothing
but what that solver proves.

Legend: a *game* is one play from the start, everything covered. *Work* counts cells looked at, not seconds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from enum import Enum
from functools import lru_cache
from threading import get_ident
from types import MappingProxyType

from autosolve.board.notation import Position, write, write_digits
from autosolve.board.puzzle import Puzzle, Totals
from autosolve.board.shape import Cell, CellSet, Shape, cells_in
from autosolve.board.words import article, counted, sentence, up_to, verb
from autosolve.errors import WrongUse
from autosolve.generate.deal import SplitMix64
from autosolve.generate.game import Field, Game, State
from autosolve.generate.record import Record
from autosolve.kernels.game import FirstClick, check_room
from autosolve.kernels.noguess import Maker, Making
from autosolve.solver.deduction import Technique
from autosolve.solver.hybrid import solve

T = Technique
# cells of the games that are played at a stretch: between two stretches Ctrl-C is heard
_SLICE = 2_000_000
_PILOT_SEED = 20_261_130
_PILOT_DEALS, _PILOT_BOARDS, _PILOT_GAMES, _PILOT_WORK = 256, 12, 64, 4_000_000
# a deal that is good as it is, is a fair draw of all good boards: worth so much more work
_FAIR = 2.0
_MOST_GAMES = 10_000


class Rules(Enum):
    """What a player may be asked to see.

    ``TWO``    the two local rules on one clue: all its mines are found, or all its covered cells are mines
    ``PAIRS``  and two clues that share cells
    ``FULL``   all that is certain, by however many clues and the number of mines
    """

    TWO = "two"
    PAIRS = "pairs"
    FULL = "full"

    @property
    def level(self) -> int:
        """Its number in the kernels."""
        return (Rules.TWO, Rules.PAIRS, Rules.FULL).index(self) + 1

    @property
    def ladder(self) -> tuple[frozenset[Technique], ...]:
        """The sets of layers a player tries, easiest first."""
        steps = (T.ONE, T.TWO, T.SUBSET, T.CONTRADICTION, T.TOTAL, T.SAT)
        return tuple(frozenset(steps[: i + 1]) for i in range(self.level if self is not Rules.FULL else len(steps)))


class Method(Enum):
    """How a board is made: ``REDEAL`` until one is good, ``PERTURB`` what is stuck, ``AUTO`` what takes less work."""

    AUTO = "auto"
    REDEAL = "redeal"
    PERTURB = "perturb"


@dataclass(frozen=True, slots=True)
class Wish:
    """A kind of board.

    ``start``   the cell of the first click
    ``first``   what the first click may meet
    ``budget``  games a board may take, 1 and up; None for what suits its size

    Raises WrongUse for a start outside the board, and for mines that leave no safe start or do not fit.
    """

    shape: Shape
    mines: int
    start: Cell
    rules: Rules = Rules.FULL
    first: FirstClick = FirstClick.OPENING
    method: Method = Method.AUTO
    budget: int | None = None

    def __post_init__(self) -> None:
        check_room(self.shape, self.mines, self.start, self.first)
        if self.mines >= self.shape.size:
            raise WrongUse(
                f"{counted(self.mines, 'mine')} {verb(self.mines, 'leaves', 'leave')} no safe start on "
                f"{article(self.shape)}.",
                sentence(up_to(self.shape.size - 1, "mine")),
            )
        if self.budget is not None and self.budget < 1:
            raise WrongUse("A budget of work must be above 0.", "Give a number of games from 1 up.")

    @property
    def games(self) -> int:
        """The budget: games a board may take."""
        if self.budget is not None:
            return self.budget
        return max(200, min(_MOST_GAMES, 25 * _SLICE // self.shape.size))


# ---------------------------------------------------------------- which way


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a board is expected to take, from a few boards of its kind dealt beforehand, always the same ones.

    ``deals``    looked at
    ``share``    of them that were good as dealt
    ``redeal``, ``perturb``  work a board, None where none came of it
    ``choice``   REDEAL or PERTURB
    """

    deals: int
    share: float
    redeal: float | None
    perturb: float | None
    choice: Method

    @property
    def text(self) -> str:
        """The estimate in a sentence."""

        def said(work: float | None) -> str:
            return "too much to see" if work is None else f"about {work:,.0f}"

        way = (
            "Dealing until a board is good" if self.choice is Method.REDEAL else "Changing boards where they are stuck"
        )
        return (
            f"{way}: {100 * self.share:.1f} % of {counted(self.deals, 'deal')} were good as dealt; cells to "
            "look at per board: "
            f"{said(self.redeal)} by dealing again, {said(self.perturb)} by changing."
        )


class Factory:
    """Makes boards of one wish. Holds the buffers, so one object serves one thread; making them takes a moment, and
    the first time on a machine the code is compiled."""

    def __init__(self, wish: Wish) -> None:
        self.wish = wish
        self._maker = Maker(wish.shape)
        self._estimate: Estimate | None = None

    def warm_up(self) -> None:
        """Loads the compiled code, or compiles it, by one game."""
        self._call(_PILOT_SEED, 0, perturb=False, budget=1)

    @property
    def estimate(self) -> Estimate:
        """Which way takes less work; where they are near each other dealing again, whose boards are a fair draw."""
        if self._estimate is None:
            deals = self._pilot(perturb=False, budget=1, most=_PILOT_DEALS)
            good = sum(made.proven for made in deals)
            redeal = sum(made.work for made in deals) / good if good else None
            boards = self._pilot(
                perturb=True, budget=max(8, min(_PILOT_GAMES, _SLICE // self.wish.shape.size)), most=_PILOT_BOARDS
            )
            came = sum(made.proven for made in boards)
            perturb = sum(made.work for made in boards) / came if came else None
            fair = redeal is not None and (perturb is None or redeal <= _FAIR * perturb)
            choice = Method.REDEAL if fair else Method.PERTURB
            self._estimate = Estimate(len(deals), good / len(deals), redeal, perturb, choice)
        return self._estimate

    def _pilot(self, perturb: bool, budget: int, most: int) -> list[Making]:
        """Always the same boards, ``most`` of them or fewer where they are large."""
        out: list[Making] = []
        work = 0
        while len(out) < most and work < _PILOT_WORK:
            out.append(self._call(_PILOT_SEED, len(out), perturb, budget))
            work += out[-1].work
        return out

    @property
    def method(self) -> Method:
        """The way taken: the one asked for, or the one of the estimate."""
        return self.estimate.choice if self.wish.method is Method.AUTO else self.wish.method

    def make(self, seed: int) -> NoGuess:
        """The board of a seed; one that is not proven where the budget ends."""
        perturb, left = self.method is Method.PERTURB, self.wish.games
        step = max(1, _SLICE // self.wish.shape.size)
        total, best, mines, number = Making(False, -1, 0, 0, 0, 0, 0), -1, 0, 0
        while left > 0 and not total.proven:
            made = self._call(seed, number, perturb, min(step, left))
            total = Making(made.proven, *(a + b for a, b in zip(total[1:], made[1:], strict=True)))
            if made.proven or made.opened > best:
                best, mines = made.opened, self._maker.mine_set
            left -= made.games
            number += 1
        return NoGuess(self.wish, Field(self.wish.shape, mines), seed, total.proven, self.method, total)

    def nearest(self) -> int | None:
        """The number of mines nearest to the one wished for that a board was found for, in little work; None where
        there is none. Less is tried before more."""
        wish, room = self.wish, self.wish.first.room(self.wish.shape, self.wish.start)
        step, near = 1, 0
        while step <= wish.shape.size:
            for sign in (-1, 1):
                if 0 <= wish.mines + sign * step <= min(room, wish.shape.size - 1) and self._works(step * sign):
                    # between the last that did not work and this one
                    low, high = near, step
                    while high - low > 1:
                        half = (low + high) // 2
                        low, high = (low, half) if self._works(half * sign) else (half, high)
                    return wish.mines + sign * high
            step, near = step + max(1, step // 2), step
        return None

    def _works(self, more: int) -> bool:
        """Whether so many more mines, or fewer, gave a board every time it was tried."""
        wish = self.wish
        games = min(wish.games, max(24, min(200, _SLICE // wish.shape.size)))
        tried = (
            self._maker.make(
                wish.mines + more, wish.start, wish.first,
                level=wish.rules.level, seed=_PILOT_SEED, number=k, budget=games,
            )
            for k in range(4)
        )  # fmt: skip
        return all(made.proven for made in tried)

    def _call(self, seed: int, number: int, perturb: bool, budget: int) -> Making:
        wish = self.wish
        return self._maker.make(
            wish.mines, wish.start, wish.first,
            level=wish.rules.level, seed=seed, number=number, perturb=perturb, budget=budget,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class NoGuess:
    """A board and what is known of it.

    ``proven``  False where the budget ended: then it is to be called a board that needs a guess, by these rules
    ``method``  REDEAL or PERTURB
    ``making``  what it took
    """

    wish: Wish
    field: Field
    seed: int
    proven: bool
    method: Method
    making: Making

    def record(self, again: Replay, **extra: object) -> Record:
        """The board as it is written, graded by its replay. What is not proven is said on top of it."""
        wish, shape = self.wish, self.field.shape
        opened = Game(self.field).reveal(wish.start)
        said = {
            "start": list(shape.at(wish.start)),
            "rules": wish.rules.value,
            "first_click": wish.first.name.lower(),
            "no_guess": self.proven and again.won,
            "method": self.method.value,
            "deals": self.making.deals,
            "games": self.making.games,
            "three_bv": self.field.three_bv,
            **extra,
        }
        grade, more = MappingProxyType(dict(again.grade)), MappingProxyType(said)
        return NoGuessRecord(opened.puzzle, self.field.mines, self.seed, wish.rules.value, grade, more)


def made(order: Order) -> tuple[NoGuess, Replay]:
    """The board of an order, and how it is played again; what ``many.in_order`` hands out."""
    board = _factory(order.wish, get_ident()).make(order.seed)
    return board, replay(board.field, order.wish.start, order.wish.rules)


@lru_cache(maxsize=32)
def _factory(wish: Wish, _thread: int) -> Factory:
    """One a thread, for its buffers are its own: workers of a cluster may have many."""
    return Factory(wish)


class NoGuessRecord(Record):
    """A click-to-reveal board as it is written: what is seen after the first click, and the hash of the mines."""

    __slots__ = ()

    def to_text(self) -> str:
        """Board text of the position after the first click; on top what is proven, the start and the seed."""
        extra, shape = self.extra, self.puzzle.shape
        row, col = extra["start"]
        rules = f"by the rules {self.difficulty}"
        said = f"no guess {rules}" if extra["no_guess"] else f"NEEDS A GUESS {rules}: no proof within the budget"
        words = f"# {said}; start {shape.name(shape.cell(row, col))}, seed {self.seed}"
        if self.grade["unique"]:
            words += f"; needs {self.grade['hardest'] or 'the first click alone'}, depth {self.grade['depth']}"
        return f"{words}\n{write(self.position)}"

    def to_line(self) -> str:
        """The whole board in digits, 9 for a mine, and its hash."""
        shape, mines = self.puzzle.shape, self.mines
        whole = Puzzle(shape, Field(shape, mines).clues(shape.all & ~mines), mines)
        return write_digits(Position(whole, sha256=self.sha256))

    def to_address(self, page: str) -> str:
        """The address that opens the board cell by cell in the local player's page: its size, its mines in hexadecimal
        digits of four cells each, row-major, and the number of its first cell."""
        shape = self.puzzle.shape
        bits = "".join(self.solution_rows)
        bits += "0" * (-len(bits) % 4)
        digits = "".join(f"{int(bits[i : i + 4], 2):x}" for i in range(0, len(bits), 4))
        return f"{page}#game={shape}:{digits}:{shape.cell(*self.extra['start'])}"


@dataclass(frozen=True, slots=True)
class Order:
    """One board to make."""

    wish: Wish
    seed: int


# ---------------------------------------------------------------- proven again


@dataclass(frozen=True, slots=True)
class Replay:
    """A board played by the plain solver, a look at a time: all that the easiest layers prove safe is opened, then it
    looks again.

    ``game``     where it ended
    ``waves``    looks by the layer they needed
    """

    game: Game
    waves: Mapping[Technique, int]

    @property
    def won(self) -> bool:
        """Whether every safe cell was opened, none by a guess."""
        return self.game.state is State.WON

    @property
    def hardest(self) -> Technique | None:
        """The hardest layer that was needed; None where the first click opened everything."""
        return max(self.waves, default=None)

    @property
    def grade(self) -> Mapping[str, object]:
        """As ``grade --json`` has it; ``unique`` says whether the board is won without a guess."""
        hardest = self.hardest
        return MappingProxyType(
            {
                "hardest": hardest.word if hardest else None,
                "layer": int(hardest or 0),
                "depth": sum(number * (1 if t is T.ONE else 2) for t, number in self.waves.items()),
                "waves": {t.word: number for t, number in sorted(self.waves.items())},
                "unique": self.won,
            }
        )


def replay(field: Field, start: Cell, rules: Rules) -> Replay:
    """Plays a field from a start by the plain solver and nothing else; a mine at the start loses at once."""
    game, waves, found = Game(field).reveal(start), dict[Technique, int](), 0
    while game.state is State.PLAYING:
        for layers in rules.ladder:
            solution = solve(_front(game, found, T.TOTAL in layers), layers=layers)
            found |= solution.mines
            if solution.safe:
                break
        else:
            break
        top = max(layers)
        waves[top] = waves.get(top, 0) + 1
        for cell in cells_in(solution.safe):
            game = game.reveal(cell)
    return Replay(game, waves)


def _front(game: Game, found: CellSet, total: bool) -> Puzzle:
    """What is seen, without the clues that have nothing more to say; ``found`` are mines proven before."""
    field = game.field
    undecided = game.covered & ~found
    clues = field.clues(game.opened & _wider(field.shape, undecided))
    return Puzzle(field.shape, clues, undecided, Totals(mines=field.mines.bit_count() if total else None), found)


def _wider(shape: Shape, cells: CellSet) -> CellSet:
    """A set of cells and all around it."""
    beside = cells | (cells & ~shape.column(shape.cols - 1)) << 1 | (cells & ~shape.column(0)) >> 1
    return (beside | beside << shape.cols | beside >> shape.cols) & shape.all


# ---------------------------------------------------------------- one board a day


def daily(day: date, wish: Wish, start: Cell | None = None) -> tuple[Wish, int]:
    """The wish and the seed of a day's board: the same for everybody who asks for the same kind. The start is drawn
    too where none is given, among the cells that leave room for the mines.

    Raises WrongUse where no start does."""
    shape = wish.shape
    kind = f"autosolve daily 1 {day.isoformat()} {shape} {wish.mines} {wish.rules.value} {wish.first.name.lower()}"
    word = int.from_bytes(hashlib.sha256(kind.encode("ascii")).digest()[:8], "big")
    if start is None:
        fit = [Cell(c) for c in range(shape.size) if wish.mines <= wish.first.room(shape, Cell(c))]
        start = fit[SplitMix64(word).below(len(fit))] if fit else wish.start
    # what JSON readers take for a whole number
    return replace(wish, start=start), word >> 11
