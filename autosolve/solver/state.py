"""Owns the state of a board while it is solved, and the two rules that are cheap enough to run all the time.

Legend: a *sentence* is a constraint by its index in the order of ``Puzzle.constraints``; its cells have bits of
their own, ``left[i]`` being the mask of those still undecided and ``need[i]`` the mines still missing among
them. A *pass* makes every move that a layer has on the state the pass began with, so that what is found does
not depend on the order of cells: rotating a board changes nothing. A *move* is ``(cells, mine, reasons)``.

ONE   a sentence with no mine missing clears its cells; one that misses as many as it has cells fills them.

TWO   sentences A and B with ``a`` and ``b`` missing share the cells C. The mines in C lie between
      ``max(0, a-|A only|, b-|B only|)`` and ``min(a, b, |C|)``, which decides whichever part is thereby empty
      or full. Where ONE has nothing left to say this comes down to one test: if ``b - a = |B only|``, then B's
      own cells are all mines and A's own are all safe. The tests hold it against the long form.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from autosolve.board.puzzle import Kind, Puzzle, Source, Variant
from autosolve.board.shape import CellSet

UNKNOWN, CLEAR, MINED = 0, 1, 2

Move = tuple[list[int], bool, tuple[int, ...]]


class Contradiction(Exception):
    """The sentences ``reasons`` cannot all be true in the present state."""

    def __init__(self, reasons: tuple[int, ...]) -> None:
        super().__init__(reasons)
        self.reasons = reasons


class State:
    """What is decided so far, and what each sentence still says. Cells are ints, row-major.

    ``members``  per sentence its cells         ``sources``  where it comes from
    ``where``    per cell the (sentence, bit) it is in
    ``known``    per cell UNKNOWN, CLEAR or MINED; only covered cells are ever decided
    ``trail``    the cells decided, in order, so that they can be taken back; ``causes`` the sentences each
                 decision was made by
    ``mined``    how many of the cells decided are mines
    ``total``    mines among the covered cells of the whole board, None where not told: no sentence here, for
                 its turn comes last
    """

    __slots__ = (
        "_common",
        "causes",
        "covered",
        "fresh",
        "known",
        "left",
        "members",
        "mined",
        "need",
        "shape",
        "size",
        "sources",
        "stale",
        "total",
        "trail",
        "where",
    )

    def __init__(self, puzzle: Puzzle) -> None:
        self.shape = puzzle.shape
        self.known = bytearray(puzzle.shape.size)
        self.members: list[list[int]] = []
        self.sources: list[Source] = []
        self.need: list[int] = []
        self.total: int | None = None
        self._collect(puzzle)
        self._link()

    @classmethod
    def part(cls, whole: State, sentences: Iterable[int]) -> State:
        """A state that knows only some sentences of another, as they stand there now."""
        state = cls.__new__(cls)
        state.shape, state.total = whole.shape, None
        state.known = bytearray(whole.shape.size)
        chosen = list(sentences)
        state.members = [whole.open_cells(i) for i in chosen]
        state.sources = [whole.sources[i] for i in chosen]
        state.need = [whole.need[i] for i in chosen]
        state.covered = sorted({c for cells in state.members for c in cells})
        state._link()
        return state

    def _link(self) -> None:
        """Everything that follows from the sentences."""
        self.trail: list[int] = []
        self.causes: list[tuple[int, ...]] = []
        self.mined = 0
        self._common: list[dict[int, int]] | None = None
        self.size = [len(cells) for cells in self.members]
        self.left = [(1 << n) - 1 for n in self.size]
        self.where: dict[int, list[tuple[int, int]]] = {}
        where = self.where
        for i, cells in enumerate(self.members):
            bit = 1
            for cell in cells:
                if cell in where:
                    where[cell].append((i, bit))
                else:
                    where[cell] = [(i, bit)]
                bit += bit
        # sentences that changed since ONE, and since TWO, last looked at them
        self.fresh = set(range(len(self.members)))
        self.stale = set(range(len(self.members)))

    def _collect(self, puzzle: Puzzle) -> None:
        """The sentences of ``puzzle.constraints``, without their board-wide masks, which are slow to split."""
        rows, cols = self.shape.rows, self.shape.cols
        # a frame of one cell around the board spares every test for its edge
        wide = cols + 2
        covered = bytearray(wide * (rows + 2))
        mined = bytearray(wide * (rows + 2))
        bits = format(puzzle.covered, f"0{self.shape.size}b")[::-1]
        shown = format(puzzle.mines, f"0{self.shape.size}b")[::-1] if puzzle.mines else ""
        self.covered = [c for c, bit in enumerate(bits) if bit == "1"]
        for r in range(rows):
            start = (r + 1) * wide + 1
            covered[start : start + cols] = bytes(map(int, bits[r * cols : (r + 1) * cols]))
            if shown:
                mined[start : start + cols] = bytes(map(int, shown[r * cols : (r + 1) * cols]))
        around = [dr * wide + dc for dr in (-1, 0, 1) for dc in (-1, 0, 1) if dr or dc]
        inside = [dr * cols + dc for dr in (-1, 0, 1) for dc in (-1, 0, 1) if dr or dc]
        if puzzle.variant is Variant.MOSAIC:
            around.append(0)
            inside.append(0)
        steps = list(zip(around, inside, strict=True))
        for cell, number in puzzle.clues.items():
            at = cell + 2 * (cell // cols) + wide + 1
            self.members.append([cell + step for far, step in steps if covered[at + far]])
            if shown:
                number -= sum(mined[at + far] for far in around)
            self.need.append(number)
            self.sources.append(Source(Kind.CLUE, cell))
        for kind, totals, first, step, length in (
            (Kind.ROW, puzzle.totals.rows, cols, 1, cols),
            (Kind.COLUMN, puzzle.totals.columns, 1, cols, rows),
        ):
            for at, total in enumerate(totals):
                if total is not None:
                    line = range(at * first, at * first + step * length, step)
                    self.members.append([c for c in line if bits[c] == "1"])
                    self.need.append(total - sum(shown[c] == "1" for c in line) if shown else total)
                    self.sources.append(Source(kind, at))
        if puzzle.totals.mines is not None:
            self.total = puzzle.totals.mines - puzzle.mines.bit_count()

    # ------------------------------------------------------------ deciding

    def put(self, cells: Iterable[int], mine: bool, reasons: tuple[int, ...]) -> None:
        """Decides cells; Contradiction when one is already decided the other way."""
        known, value = self.known, MINED if mine else CLEAR
        where, left, size, need = self.where, self.left, self.size, self.need
        fresh, stale, trail, causes = self.fresh, self.stale, self.trail, self.causes
        for cell in cells:
            if known[cell]:
                if known[cell] != value:
                    raise Contradiction(reasons)
                continue
            known[cell] = value
            trail.append(cell)
            causes.append(reasons)
            if mine:
                self.mined += 1
            for i, bit in where.get(cell, ()):
                left[i] ^= bit
                size[i] -= 1
                if mine:
                    need[i] -= 1
                fresh.add(i)
                stale.add(i)

    def take_back(self, to: int) -> None:
        """Undoes every decision after the first ``to``; all sentences count as looked at."""
        known, trail = self.known, self.trail
        where, left, size, need = self.where, self.left, self.size, self.need
        while len(trail) > to:
            cell = trail.pop()
            self.causes.pop()
            mine = known[cell] == MINED
            known[cell] = UNKNOWN
            if mine:
                self.mined -= 1
            for i, bit in where.get(cell, ()):
                left[i] ^= bit
                size[i] += 1
                if mine:
                    need[i] += 1
        self.fresh.clear()
        self.stale.clear()

    def behind(self, reasons: Iterable[int], start: int = 0) -> frozenset[int]:
        """The sentences that some go back to, themselves too, through what was decided since ``start``."""
        cause = dict(zip(self.trail[start:], self.causes[start:], strict=True))
        found = set(reasons)
        open_ = [i for i in found if i < len(self.members)]
        while open_:
            for c in self.members[open_.pop()]:
                for i in cause.get(c, ()):
                    if i not in found:
                        found.add(i)
                        open_.append(i)
        return frozenset(found)

    def pick(self, sentence: int, bits: int) -> list[int]:
        """The cells of a sentence under a mask of its own bits."""
        members, out = self.members[sentence], []
        while bits:
            low = bits & -bits
            out.append(members[low.bit_length() - 1])
            bits ^= low
        return out

    def open_cells(self, sentence: int) -> list[int]:
        """The undecided cells of a sentence."""
        return self.pick(sentence, self.left[sentence])

    @property
    def undecided(self) -> int:
        """How many covered cells are left."""
        return len(self.covered) - len(self.trail)

    @property
    def free(self) -> list[int]:
        """The undecided cells that no sentence names."""
        return [c for c in self.covered if not self.known[c] and c not in self.where]

    def check(self) -> None:
        """Contradiction where a sentence, or the board's total, cannot be true any more."""
        for i, need in enumerate(self.need):
            if not 0 <= need <= self.size[i]:
                raise Contradiction((i,))
        if self.total is not None and not 0 <= self.total - self.mined <= self.undecided:
            raise Contradiction((len(self.members),))

    def groups(self) -> Iterator[tuple[tuple[int, ...], list[int]]]:
        """The undecided cells in groups that stand in exactly the same sentences, and those sentences; first
        cells rising. Cells that no sentence names come last, under an empty tuple."""
        found: dict[tuple[int, ...], list[int]] = {}
        for cell in self.covered:
            if not self.known[cell]:
                found.setdefault(tuple(i for i, _ in self.where.get(cell, ())), []).append(cell)
        free = found.pop((), None)
        yield from found.items()
        if free:
            yield (), free

    @property
    def common(self) -> list[dict[int, int]]:
        """Per sentence the sentences it shares cells with, and which, as a mask of its own bits. Cells decided
        before the first call may be missing from it, so that must not come while something is assumed."""
        if self._common is None:
            known = self.known
            common: list[dict[int, int]] = [{} for _ in self.members]
            for cell, places in self.where.items():
                if known[cell] or len(places) < 2:
                    continue
                for i, bit in places:
                    mine = common[i]
                    for j, _ in places:
                        mine[j] = mine.get(j, 0) | bit
            for i, others in enumerate(common):
                others.pop(i, None)
            self._common = common
        return self._common

    # ------------------------------------------------------------ passes

    def moves_one(self) -> list[Move]:
        """Every move of ONE on the sentences that changed; Contradiction where one cannot be true any more."""
        need, size = self.need, self.size
        moves: list[Move] = []
        changed = sorted(self.fresh)
        self.fresh.clear()
        for i in changed:
            n, s = need[i], size[i]
            if n < 0 or n > s:
                raise Contradiction((i,))
            if s and (n == 0 or n == s):
                moves.append((self.open_cells(i), n > 0, (i,)))
        return moves

    def moves_two(self) -> list[Move]:
        """Every move of TWO on the sentences that changed, ONE having nothing left to say."""
        need, size, left, common, stale = self.need, self.size, self.left, self.common, self.stale
        moves: list[Move] = []
        changed = sorted(stale)
        seen: set[int] = set()
        for i in changed:
            na = size[i]
            if na == 0:
                continue
            a, mask = need[i], left[i]
            seen.add(i)
            for j, shared in common[i].items():
                both = (mask & shared).bit_count()
                if not both or j in seen:
                    continue
                b, nb = need[j], size[j]
                # mines that B's own cells could hold beyond those that it must, and the same for A
                spare_b = nb - both - b + a
                spare_a = na - both - a + b
                if spare_b > 0 and spare_a > 0:
                    continue
                if spare_b < 0 or spare_a < 0:
                    raise Contradiction((i, j))
                own_a = self.pick(i, mask & ~shared)
                own_b = self.pick(j, left[j] & ~common[j][i])
                # both are 0 only where neither has cells of its own: the two say the same
                if own_a:
                    moves.append((own_a, spare_a == 0, (i, j)))
                if own_b:
                    moves.append((own_b, spare_b == 0, (i, j)))
        stale.clear()
        return moves

    def apply(self, moves: Sequence[Move]) -> list[Move]:
        """Makes moves, and returns them less what an earlier one of them had already decided."""
        done: list[Move] = []
        known = self.known
        for cells, mine, reasons in moves:
            new = [c for c in cells if not known[c]]
            self.put(cells, mine, reasons)
            if new:
                done.append((new, mine, reasons))
        return done

    def propagate(self, two: bool = True, passes: int | None = None) -> tuple[int, int]:
        """ONE and TWO until neither says anything, at most ``passes`` passes; how many passes each took.

        Raises Contradiction where the sentences clash."""
        ones = twos = 0
        while passes is None or ones + twos < passes:
            if self.fresh and (moves := self.moves_one()):
                ones += 1
            elif two and self.stale and (moves := self.moves_two()):
                twos += 1
            else:
                break
            self.apply(moves)
        return ones, twos

    # ------------------------------------------------------------ what is left

    def mask(self, value: int) -> CellSet:
        """The cells that are CLEAR or MINED as a set of cells."""
        wanted = ord(str(value))
        text = bytes(b + 48 for b in reversed(self.known))
        return int("".join("1" if b == wanted else "0" for b in text), 2)

    def components(self) -> list[tuple[list[int], list[int]]]:
        """The undecided cells that some sentence speaks of, in groups that share no sentence: per group its
        cells and its sentences, each in rising order."""
        where, members, known = self.where, self.members, self.known
        seen_cells, seen_sentences = set(), set()
        out = []
        for start in sorted(where):
            if known[start] or start in seen_cells:
                continue
            cells, sentences = [start], []
            seen_cells.add(start)
            for cell in cells:
                for i, _ in where[cell]:
                    if i not in seen_sentences:
                        seen_sentences.add(i)
                        sentences.append(i)
                        for other in members[i]:
                            if not known[other] and other not in seen_cells:
                                seen_cells.add(other)
                                cells.append(other)
            out.append((sorted(cells), sorted(sentences)))
        return out
