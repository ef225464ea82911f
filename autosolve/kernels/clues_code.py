"""Owns the compiled code that takes clues away: the question whether a clue can be spared, asked thousands of times.

Imported late, by ``kernels.clues`` only, for it imports numba. The solution is known here, so a second solution is
thought of as a *difference*: cells turned into mines, cells turned clear, such that every clue left keeps its sum. As
long as the board with the clue has one solution, a second one without it must break that very clue or put a mine on
its cell. So the search (``_second``) starts there, and decides only cells around clues that are out of balance: it
never looks at the rest of the board. What a clash teaches it learns, as any search for satisfiability does: the clause
of the reasons met on the way back to the last decision alone.

Where only the rules ONE and TWO may be used (``thin_by_rules``), every cell remembers the one or two clues it follows
from. Without a clue, all that rests on it falls and is derived anew; the clue can go if everything comes back. Both
rules only say more where more is known, so a clue that was needed once stays needed when others go, and every clue
is asked for once.

Legend: a *value* is 0 unknown, 1 clear, 2 mine; a *literal* ``2 * cell + 1`` for "is a mine", ``2 * cell`` for "is
none". A reason is a clue (by its cell), a clause as ``-2 - reference``, or NONE. ``around[c]`` are the nine cells of
the block around c in reading order, ``wide[c]`` the 25 around it; those outside the board are the cell ``size + 1``,
which is never a clue.
The cell ``size`` is no cell: while a clue is asked for, it stands for "too many mines around it" against "too few".
``shown``: 0 covered, 1 a clue. *Bits* are those of the nine cells. All numbers are integers, so that every machine
counts alike.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from autosolve.kernels.bits import lowest, ones

UNKNOWN, CLEAR, MINED = 0, 1, 2
NONE = -1
# answers of ``_second``; what the search does most is put inline, which saves a tenth of its time
SPARED, NEEDED, GAVE_UP = 0, 1, 2

# columns of ``cell`` while a clue is asked for
(
    VALUE,
    LEVEL,
    PLACE,  # in the trail
    REASON,
    SEEN,  # the last stamp that marked it
    TRAIL,
    START,  # per level: where its part of the trail begins
    LEARNT,
    WATCH,  # two columns: per literal the first of the clauses that watch it
    _,
    CLUES,  # bits of the cells around it that are clues
    MINES,  # bits of the cells around it that are mines
    HIDDEN,  # bits of the cells around it that are covered
    OPEN,  # the same of those that are unknown; kept for clues, and for all while nothing is decided
    NEED,  # of a clue: mines missing among them
    OFF,  # of a clue: mines missing now, less those that the known solution has among them
    UNEVEN,  # the clues whose OFF is not 0, in no order
    AT,  # place in there, -1 outside
    QUEUE,
    QUEUED,
    TOUCHED,  # cells whose activity is not 0
    MARKED,  # the last stamp of a second solution of before that it differs in
) = range(22)
CELL_PARTS = 22
# places in ``now``
DEPTH, TRAILED, HEAD, TAIL, WATCHED, TOP, STAMP, UNEVENS, CONFLICTS, TOUCHES, STEP = range(11)
NOW = 12

# columns of ``cell`` while rules are followed
R_VALUE, R_PLACE, FROM, ALSO, BITS, R_NEED, ONE_QUEUE, ONE_QUEUED, TWO_QUEUE, TWO_QUEUED, NEWS = range(11)
RULE_PARTS = 11
# places in ``now`` while rules are followed
ONE_HEAD, ONE_TAIL, TWO_HEAD, TWO_TAIL, CLOCK, UNDECIDED, FALLEN, FRESH = range(8)

_RESTART = 50
_LARGE = 1 << 40


# ---------------------------------------------------------------- a difference, from one clue on


@njit(cache=True, forceinline=True)
def _balance(s, now, cell):
    """Keeps the list of clues that are out of balance."""
    at = cell[s, AT]
    if cell[s, OFF]:
        if at < 0:
            cell[s, AT] = now[UNEVENS]
            cell[now[UNEVENS], UNEVEN] = s
            now[UNEVENS] += 1
    elif at >= 0:
        now[UNEVENS] -= 1
        last = cell[now[UNEVENS], UNEVEN]
        cell[at, UNEVEN] = last
        cell[last, AT] = at
        cell[s, AT] = -1


@njit(cache=True, forceinline=True)
def _enqueue(s, now, cell):
    if not cell[s, QUEUED]:
        cell[s, QUEUED] = 1
        cell[now[TAIL], QUEUE] = s
        now[TAIL] = now[TAIL] + 1 if now[TAIL] + 1 < cell.shape[0] else 0


@njit(cache=True, forceinline=True)
def _full(s, cell):
    """Whether all cells still unknown around a clue must be alike."""
    return cell[s, NEED] == 0 or cell[s, NEED] == ones(np.int64(cell[s, OPEN]))


@njit(cache=True, forceinline=True)
def _put(c, value, reason, asked, now, cell, around, wide, shown, mines):
    """Decides a cell; a clue that cannot be true any more, or NONE."""
    place = now[TRAILED]
    cell[c, VALUE], cell[c, LEVEL], cell[c, PLACE], cell[c, REASON] = value, now[DEPTH], place, reason
    cell[place, TRAIL] = c
    now[TRAILED] = place + 1
    clash = np.int64(NONE)
    if c == asked or c == mines.size:
        _enqueue(asked, now, cell)
        if c == mines.size:
            return clash
    mine = np.int64(value == MINED)
    change = mines[c] - mine
    # all are told, also after a clash: taking the cell back tells all of them too
    clues = np.int64(cell[c, CLUES])
    while clues:
        k = lowest(clues)
        clues &= clues - 1
        s = np.int64(around[c, k])
        left, need = np.int64(cell[s, OPEN]) ^ (256 >> k), cell[s, NEED] - mine
        cell[s, OPEN], cell[s, NEED] = left, need
        if s == asked:
            cell[s, OFF] += change
            _enqueue(s, now, cell)
            continue
        if change:
            even = cell[s, OFF] == 0
            cell[s, OFF] += change
            _balance(s, now, cell)
            if even:
                # what clues near it force was of no interest until now
                for m in range(25):
                    t = np.int64(wide[s, m])
                    if shown[t] == 1 and cell[t, OPEN] and _full(t, cell):
                        _enqueue(t, now, cell)
        free = ones(left)
        if need < 0 or need > free:
            clash = s
        elif free and (need == 0 or need == free):
            _enqueue(s, now, cell)
    return clash


@njit(cache=True)
def _take_back(to, asked, now, cell, around, shown, mines):
    """Undoes all decided after the first ``to``, and asks nothing more of the clues that wait."""
    while now[HEAD] != now[TAIL]:
        cell[cell[now[HEAD], QUEUE], QUEUED] = 0
        now[HEAD] = now[HEAD] + 1 if now[HEAD] + 1 < cell.shape[0] else 0
    while now[TRAILED] > to:
        now[TRAILED] -= 1
        c = np.int64(cell[now[TRAILED], TRAIL])
        mine = np.int64(cell[c, VALUE] == MINED)
        cell[c, VALUE] = UNKNOWN
        if c == mines.size:
            continue
        change = mines[c] - mine
        clues = np.int64(cell[c, CLUES])
        while clues:
            k = lowest(clues)
            clues &= clues - 1
            s = np.int64(around[c, k])
            cell[s, OPEN] |= 256 >> k
            cell[s, NEED] += mine
            if change:
                cell[s, OFF] -= change
                if s != asked:
                    _balance(s, now, cell)
    now[WATCHED] = min(now[WATCHED], to)


@njit(cache=True, forceinline=True)
def _forced(s, asked, now, cell, around, wide, shown, mines):
    """What a clue makes of the cells still unknown around it: a value, UNKNOWN for nothing, NONE for a clash."""
    free, need = ones(np.int64(cell[s, OPEN])), cell[s, NEED]
    if s != asked:
        return UNKNOWN if free == 0 else CLEAR if need == 0 else MINED if need == free else UNKNOWN
    # the clue asked for binds only while its own cell is clear, and then it must be broken
    if cell[asked, VALUE] != CLEAR:
        return UNKNOWN
    many, few = need < free, need > 0  # whether too many, or too few, is still possible
    side = np.int64(cell[mines.size, VALUE])
    if side == UNKNOWN:
        if not many or not few:
            if not many and not few:
                return NONE
            _put(mines.size, MINED if many else CLEAR, s, asked, now, cell, around, wide, shown, mines)
        return UNKNOWN
    if side == MINED:
        return NONE if not many else MINED if need + 1 == free else UNKNOWN
    return NONE if not few else CLEAR if need == 1 and free else UNKNOWN


@njit(cache=True, forceinline=True)
def _idle(s, asked, cell, wide):
    """Whether no clue that shares cells with this one is out of balance. One in balance only forces cells to be what
    they were; without this such news would flood the board, and nobody there asks for it."""
    for m in range(25):
        t = np.int64(wide[s, m])
        if t == asked or cell[t, AT] >= 0:
            return False
    return True


@njit(cache=True)
def _propagate(asked, now, cell, around, wide, shown, mines, arena):
    """All that follows from what is decided, by one clue or one clause at a time; what clashes, or NONE."""
    while True:
        while now[HEAD] != now[TAIL]:
            s = np.int64(cell[now[HEAD], QUEUE])
            now[HEAD] = now[HEAD] + 1 if now[HEAD] + 1 < cell.shape[0] else 0
            cell[s, QUEUED] = 0
            value = _forced(s, asked, now, cell, around, wide, shown, mines)
            if value == NONE:
                return s
            if value == UNKNOWN or (cell[s, OFF] == 0 and s != asked and _idle(s, asked, cell, wide)):
                continue
            bits = np.int64(cell[s, OPEN])
            while bits:
                c = np.int64(around[s, lowest(bits)])
                bits &= bits - 1
                clash = _put(c, value, s, asked, now, cell, around, wide, shown, mines)
                if clash != NONE:
                    return clash
        if now[WATCHED] == now[TRAILED]:
            return np.int64(NONE)
        c = np.int64(cell[now[WATCHED], TRAIL])
        now[WATCHED] += 1
        wrong = 2 * c + (cell[c, VALUE] == CLEAR)
        node = np.int64(cell[c, WATCH + (wrong & 1)])
        before = np.int64(0)  # the watch before this one in the list, 0 at its head
        while node:
            ref, which = node >> 1, node & 1
            after = np.int64(arena[ref + 1 + which])
            other = np.int64(arena[ref + 4 - which])
            held = cell[other >> 1, VALUE]
            if held == 1 + (other & 1):
                before, node = node, after
                continue
            moved = False
            for k in range(ref + 5, ref + 3 + arena[ref]):
                literal = arena[k]
                seen = cell[literal >> 1, VALUE]
                if seen == UNKNOWN or seen == 1 + (literal & 1):
                    arena[k], arena[ref + 3 + which] = wrong, literal
                    arena[ref + 1 + which] = cell[literal >> 1, WATCH + (literal & 1)]
                    cell[literal >> 1, WATCH + (literal & 1)] = node
                    moved = True
                    break
            if moved:
                if before:
                    arena[(before >> 1) + 1 + (before & 1)] = after
                else:
                    cell[c, WATCH + (wrong & 1)] = after
                node = after
                continue
            if held != UNKNOWN:
                return -2 - ref
            clash = _put(other >> 1, 1 + (other & 1), -2 - ref, asked, now, cell, around, wide, shown, mines)
            if clash != NONE:
                return clash
            before, node = node, after


@njit(cache=True, forceinline=True)
def _watch(ref, which, cell, arena):
    literal = arena[ref + 3 + which]
    arena[ref + 1 + which] = cell[literal >> 1, WATCH + (literal & 1)]
    cell[literal >> 1, WATCH + (literal & 1)] = 2 * ref + which


@njit(cache=True, forceinline=True)
def _meet(c, now, cell, active):
    """Takes a reason's cell into what is learnt; 1 if it was decided since the last decision, else 0."""
    if cell[c, SEEN] == now[STAMP] or cell[c, LEVEL] == 0:
        return 0
    cell[c, SEEN] = now[STAMP]
    if active[c] == 0:
        cell[now[TOUCHES], TOUCHED] = c
        now[TOUCHES] += 1
    active[c] += now[STEP]
    if cell[c, LEVEL] == now[DEPTH]:
        return 1
    cell[now[TOP], LEARNT] = c
    now[TOP] += 1
    return 0


@njit(cache=True)
def _meet_asked(c, asked, now, cell, around, shown, mines, active):
    """The same for the cells by which the clue asked for decided ``c``, or clashed where that is -1: its own cell, the
    side on which it is broken, and the cells around it that stand against that side."""
    side_at = mines.size
    before = np.int64(cell[c, PLACE]) if c >= 0 else now[TRAILED]
    side = np.int64(cell[side_at, VALUE])
    if side != UNKNOWN and cell[side_at, PLACE] > before:
        side = np.int64(UNKNOWN)
    open_ = _meet(asked, now, cell, active)
    if c == side_at:
        # one side was impossible: the cells that made it so
        hurts = np.int64(CLEAR if cell[side_at, VALUE] == CLEAR else MINED)
    elif side == UNKNOWN:
        hurts = np.int64(UNKNOWN)  # both were
    else:
        hurts = np.int64(CLEAR if side == MINED else MINED)
        open_ += _meet(side_at, now, cell, active)
    bits = np.int64(cell[asked, HIDDEN]) & ~np.int64(cell[asked, OPEN])
    while bits:
        d = np.int64(around[asked, lowest(bits)])
        bits &= bits - 1
        if cell[d, PLACE] < before and (hurts == UNKNOWN or cell[d, VALUE] == hurts):
            open_ += _meet(d, now, cell, active)
    return open_


@njit(cache=True)
def _follows(c, asked, now, cell, around, shown, mines, arena):
    """Whether a cell follows from other cells of the clause being learnt, and so can be left out of it."""
    reason = np.int64(cell[c, REASON])
    if reason == NONE:
        return False
    if reason == asked:
        return False
    if reason >= 0:
        value = MINED if cell[c, VALUE] == CLEAR else CLEAR
        bits = np.int64(cell[reason, HIDDEN]) & ~np.int64(cell[reason, OPEN])
        while bits:
            d = np.int64(around[reason, lowest(bits)])
            bits &= bits - 1
            if (
                cell[d, VALUE] == value
                and cell[d, PLACE] < cell[c, PLACE]
                and cell[d, LEVEL]
                and cell[d, SEEN] != now[STAMP]
            ):
                return False
        return True
    ref = -2 - reason
    for k in range(ref + 3, ref + 3 + arena[ref]):
        d = np.int64(arena[k] >> 1)
        if d != c and cell[d, LEVEL] and cell[d, SEEN] != now[STAMP]:
            return False
    return True


@njit(cache=True)
def _learn(clash, asked, free, now, cell, around, wide, shown, mines, arena, active):
    """Learns from a clash, goes back and draws the conclusion. ``free``: where in the arena there is room. The place
    after what was learnt; NONE without room; -2 where the conclusion is a clash in itself, and so there is no second
    solution; -3 - clash where it makes another clash."""
    now[STAMP] += 1
    now[TOP] = 0
    open_, place, c = np.int64(0), now[TRAILED] - 1, np.int64(-1)
    reason = np.int64(clash)
    while True:
        if reason == asked:
            open_ += _meet_asked(c, asked, now, cell, around, shown, mines, active)
        elif reason >= 0:
            # a clue: the cells that used up its mines, or its room
            if c >= 0:
                value = MINED if cell[c, VALUE] == CLEAR else CLEAR
                before = np.int64(cell[c, PLACE])
            else:
                value = MINED if cell[reason, NEED] < 0 else CLEAR
                before = now[TRAILED]
            bits = np.int64(cell[reason, HIDDEN]) & ~np.int64(cell[reason, OPEN])
            while bits:
                d = np.int64(around[reason, lowest(bits)])
                bits &= bits - 1
                if cell[d, VALUE] == value and cell[d, PLACE] < before:
                    open_ += _meet(d, now, cell, active)
        else:
            ref = -2 - reason
            for k in range(ref + 3, ref + 3 + arena[ref]):
                d = np.int64(arena[k] >> 1)
                if d != c:
                    open_ += _meet(d, now, cell, active)
        while cell[cell[place, TRAIL], SEEN] != now[STAMP]:
            place -= 1
        c = np.int64(cell[place, TRAIL])
        place -= 1
        open_ -= 1
        if open_ == 0:
            break
        reason = np.int64(cell[c, REASON])
    if free + 4 + now[TOP] > arena.size:
        return np.int64(NONE)
    size, level, second = np.int64(1), np.int64(0), np.int64(0)
    arena[free + 3] = 2 * c + (cell[c, VALUE] == CLEAR)
    for k in range(now[TOP]):
        d = np.int64(cell[k, LEARNT])
        if _follows(d, asked, now, cell, around, shown, mines, arena):
            continue
        arena[free + 3 + size] = 2 * d + (cell[d, VALUE] == CLEAR)
        if cell[d, LEVEL] > level:
            level, second = np.int64(cell[d, LEVEL]), np.int64(size)
        size += 1
    _take_back(np.int64(cell[level + 1, START]), asked, now, cell, around, shown, mines)
    now[DEPTH] = level
    literal = np.int64(arena[free + 3])
    if size == 1:
        clash = _put(literal >> 1, 1 + (literal & 1), NONE, asked, now, cell, around, wide, shown, mines)
        return np.int64(free) if clash == NONE else np.int64(-2)
    arena[free] = size
    arena[free + 4], arena[free + 3 + second] = arena[free + 3 + second], arena[free + 4]
    _watch(free, 0, cell, arena)
    _watch(free, 1, cell, arena)
    clash = _put(literal >> 1, 1 + (literal & 1), -2 - free, asked, now, cell, around, wide, shown, mines)
    return np.int64(free + 3 + size) if clash == NONE else np.int64(-3 - clash)


@njit(cache=True)
def _next(asked, now, cell, around, shown, mines, active):
    """What to decide next, as a literal: a cell that brings a clue nearer to its sum, of the clue with the fewest
    such cells; -1 where every clue is in balance and the one asked for is broken."""
    side_at = mines.size
    if cell[asked, VALUE] == UNKNOWN:
        return np.int64(2 * asked + 1)
    best, fewest, most = np.int64(-1), np.int64(99), np.int64(-1)
    first = np.int64(0)
    if cell[asked, VALUE] == CLEAR:
        if cell[side_at, VALUE] == UNKNOWN:
            return np.int64(2 * side_at + 1)
        off = cell[asked, OFF]
        if (off >= 0) if cell[side_at, VALUE] == MINED else (off <= 0):
            first = np.int64(-1)
    for i in range(first, now[UNEVENS]):
        if i < 0:
            s, wanted = np.int64(asked), np.int64(cell[side_at, VALUE] == CLEAR)
        else:
            s = np.int64(cell[i, UNEVEN])
            wanted = np.int64(cell[s, OFF] < 0)
        # cells that are as they were, and would change the sum the right way
        bits = np.int64(cell[s, OPEN])
        bits &= np.int64(cell[s, MINES]) if wanted else ~np.int64(cell[s, MINES])
        count, found, top = np.int64(ones(bits)), np.int64(-1), np.int64(-1)
        if count > fewest:
            continue
        while bits:
            c = np.int64(around[s, lowest(bits)])
            bits &= bits - 1
            if active[c] > top:
                top, found = active[c], 2 * c + (1 - wanted)
        if count < fewest or (count == fewest and top > most):
            best, fewest, most = found, count, top
    return best


@njit(cache=True)
def _hide(c, cell, around):
    """Tells the clues around a cell that it is covered. No cell is decided."""
    for k in range(9):
        if k != 4:
            s = around[c, k]
            cell[s, HIDDEN] |= 256 >> k
            cell[s, OPEN] |= 256 >> k


@njit(cache=True)
def _unhide(c, cell, around):
    """Tells them that it is not."""
    for k in range(9):
        if k != 4:
            s = around[c, k]
            cell[s, HIDDEN] &= ~(256 >> k)
            cell[s, OPEN] &= ~(256 >> k)


@njit(cache=True)
def _second(asked, conflicts, now, cell, around, wide, shown, mines, arena, active, change):
    """Whether the board without a clue has a second solution: SPARED if not, NEEDED if so (``change``: how many cells
    differ in it, then which), or GAVE_UP after so many conflicts. The clue is left as it was."""
    _hide(asked, cell, around)
    now[TRAILED] = now[DEPTH] = now[HEAD] = now[TAIL] = now[WATCHED] = now[TOUCHES] = now[UNEVENS] = 0
    now[CONFLICTS], now[STEP] = conflicts, 1
    free, since, limit = np.int64(1), 0, _RESTART
    clash = np.int64(NONE)
    answer = GAVE_UP
    while True:
        if clash != NONE:
            if now[DEPTH] == 0:
                answer = SPARED
                break
            now[CONFLICTS] -= 1
            if now[CONFLICTS] < 0:
                break
            since += 1
            after = _learn(clash, asked, free, now, cell, around, wide, shown, mines, arena, active)
            now[STEP] += (now[STEP] >> 4) + 1
            if now[STEP] > _LARGE:
                now[STEP] >>= 20
                for k in range(now[TOUCHES]):
                    active[cell[k, TOUCHED]] = (active[cell[k, TOUCHED]] >> 20) + 1
            if after == NONE:
                break
            if after == -2:
                answer = SPARED
                break
            if after < 0:
                clash = -3 - after
                ref = -2 - np.int64(cell[cell[now[TRAILED] - 1, TRAIL], REASON])
                free = ref + 3 + arena[ref]
                continue
            free = after
        else:
            if since >= limit:
                since = 0
                limit += limit >> 1
                if now[DEPTH]:
                    _take_back(np.int64(cell[1, START]), asked, now, cell, around, shown, mines)
                    now[DEPTH] = 0
            literal = _next(asked, now, cell, around, shown, mines, active)
            if literal < 0:
                answer = NEEDED
                break
            now[DEPTH] += 1
            cell[now[DEPTH], START] = now[TRAILED]
            clash = _put(literal >> 1, 1 + (literal & 1), NONE, asked, now, cell, around, wide, shown, mines)
            if clash != NONE:
                continue
        clash = _propagate(asked, now, cell, around, wide, shown, mines, arena)
    if answer == NEEDED:
        count = 0
        for k in range(now[TRAILED]):
            c = np.int64(cell[k, TRAIL])
            if c < mines.size and (cell[c, VALUE] == MINED) != mines[c]:
                count += 1
                if count < change.size:
                    change[count] = c
        change[0] = count
    _take_back(np.int64(0), asked, now, cell, around, shown, mines)
    for k in range(now[TOUCHES]):
        active[cell[k, TOUCHED]] = 0
    ref = np.int64(1)
    while ref < free:
        for k in range(ref + 3, ref + 3 + arena[ref]):
            cell[arena[k] >> 1, WATCH + (arena[k] & 1)] = 0
        ref += 3 + arena[ref]
    _unhide(asked, cell, around)
    return answer


@njit(cache=True)
def cover(c, cell, around, shown):
    """Takes a clue away."""
    shown[c] = 0
    _hide(c, cell, around)
    for k in range(9):
        cell[around[c, k], CLUES] &= ~(256 >> k)


@njit("void(int64[::1], int32[:, ::1], int32[:, ::1], int8[::1], int8[::1])", cache=True)
def set_up(now, cell, around, shown, mines):
    """Begins with a board: every cell that is not shown is covered."""
    size = mines.size
    now[:] = 0
    cell[:, :] = 0
    cell[:, AT] = -1
    for s in range(size):
        for k in range(9):
            c = around[s, k]
            if k != 4 and c < size:
                cell[s, NEED] += mines[c]
                cell[s, MINES] |= mines[c] << k
                cell[s, CLUES] |= shown[c] << k
                cell[s, HIDDEN] |= (1 - shown[c]) << k
        cell[s, OPEN] = cell[s, HIDDEN]


@njit(cache=True)
def _still(s, stamp, cell, around, shown, mines, change):
    """Whether a second solution of before is one still, clue ``s`` aside: no clue has come in its way."""
    count = change[0]
    if count < 1 or count >= change.size:
        return False
    for i in range(1, count + 1):
        if shown[change[i]] and change[i] != s:
            return False
        cell[change[i], MARKED] = stamp
    for i in range(1, count + 1):
        for k in range(9):
            t = np.int64(around[change[i], k])
            if not shown[t] or t == s:
                continue
            total = 0
            for j in range(9):
                d = around[t, j]
                if d < mines.size and cell[d, MARKED] == stamp:
                    total += 1 - 2 * mines[d]
            if total:
                return False
    return True


@njit(
    "int64(int32[::1], int64, int64, int64[::1], int32[:, ::1], int32[:, ::1], int32[:, ::1], int8[::1], int8[::1],"
    " int32[::1], int64[::1], int32[:, ::1], int64[::1])",
    cache=True,
)
def thin(order, begin, conflicts, now, cell, around, wide, shown, mines, arena, active, change, counts):
    """Takes clues away in that order from place ``begin``, each that one solution can do without. The place of the
    first one that the search gave up on, or the length of ``order``.

    ``change``  per cell a second solution of the board without that clue, where one is known: the number of cells
                that differ, then these
    ``counts``  searches, searches' conflicts, answers from ``change``; added to"""
    for i in range(begin, order.size):
        c = np.int64(order[i])
        if not shown[c]:
            continue
        now[STAMP] += 1
        if _still(c, now[STAMP], cell, around, shown, mines, change[c]):
            counts[2] += 1
            continue
        answer = _second(c, conflicts, now, cell, around, wide, shown, mines, arena, active, change[c])
        counts[0] += 1
        counts[1] += conflicts - max(now[CONFLICTS], 0)
        if answer == GAVE_UP:
            return i
        if answer == SPARED:
            cover(c, cell, around, shown)
            change[c, 0] = 0
    return order.size


# ---------------------------------------------------------------- by the rules ONE and TWO


@njit(cache=True)
def _touch(s, two, now, cell):
    """Has a clue looked at again."""
    room = cell.shape[0]
    if not cell[s, ONE_QUEUED]:
        cell[s, ONE_QUEUED] = 1
        cell[now[ONE_TAIL], ONE_QUEUE] = s
        now[ONE_TAIL] = now[ONE_TAIL] + 1 if now[ONE_TAIL] + 1 < room else 0
    if two and not cell[s, TWO_QUEUED]:
        cell[s, TWO_QUEUED] = 1
        cell[now[TWO_TAIL], TWO_QUEUE] = s
        now[TWO_TAIL] = now[TWO_TAIL] + 1 if now[TWO_TAIL] + 1 < room else 0


@njit(cache=True)
def _decide(c, value, place, first, second, two, now, cell, around, shown):
    """Decides a cell by one or two clues."""
    cell[c, R_VALUE], cell[c, R_PLACE], cell[c, FROM], cell[c, ALSO] = value, place, first, second
    now[UNDECIDED] -= 1
    for k in range(9):
        s = np.int64(around[c, k])
        if k == 4 or not shown[s]:
            continue
        cell[s, BITS] &= ~(1 << (8 - k))
        cell[s, R_NEED] -= value == MINED
        _touch(s, two, now, cell)


@njit(cache=True)
def _forget(c, two, now, cell, around, shown):
    """Takes back what was decided of a cell."""
    mine = cell[c, R_VALUE] == MINED
    cell[c, R_VALUE] = UNKNOWN
    now[UNDECIDED] += 1
    for k in range(9):
        s = np.int64(around[c, k])
        if k == 4 or not shown[s]:
            continue
        cell[s, BITS] |= 1 << (8 - k)
        cell[s, R_NEED] += mine
        _touch(s, two, now, cell)


@njit(cache=True)
def _all_of(bits, s, value, first, second, two, now, cell, around, shown):
    """Decides the cells around a clue whose bits are set."""
    while bits:
        c = np.int64(around[s, lowest(bits)])
        bits &= bits - 1
        cell[now[FRESH], NEWS] = c
        now[FRESH] += 1
        now[CLOCK] += 1
        _decide(c, value, now[CLOCK], first, second, two, now, cell, around, shown)


@njit(cache=True)
def _rules(two, now, cell, around, wide, beyond, shown):
    """ONE, and TWO if wanted, to the end. What is decided goes to NEWS."""
    room = cell.shape[0]
    while True:
        if now[ONE_HEAD] != now[ONE_TAIL]:
            s = np.int64(cell[now[ONE_HEAD], ONE_QUEUE])
            now[ONE_HEAD] = now[ONE_HEAD] + 1 if now[ONE_HEAD] + 1 < room else 0
            cell[s, ONE_QUEUED] = 0
            bits, need = np.int64(cell[s, BITS]), cell[s, R_NEED]
            if shown[s] and bits and (need == 0 or need == ones(bits)):
                _all_of(bits, s, MINED if need else CLEAR, s, NONE, two, now, cell, around, shown)
            continue
        if now[TWO_HEAD] == now[TWO_TAIL]:
            return
        s = np.int64(cell[now[TWO_HEAD], TWO_QUEUE])
        now[TWO_HEAD] = now[TWO_HEAD] + 1 if now[TWO_HEAD] + 1 < room else 0
        cell[s, TWO_QUEUED] = 0
        if not shown[s]:
            continue
        for k in range(25):
            t = np.int64(wide[s, k])
            a, b = np.int64(cell[s, BITS]), np.int64(cell[t, BITS])
            if k == 12 or not shown[t] or b == 0 or a == 0:
                continue
            own_a, own_b = a & beyond[k], b & beyond[24 - k]
            if own_a == a or (own_a == 0 and own_b == 0):
                continue
            more = cell[t, R_NEED] - cell[s, R_NEED]
            if more == ones(own_b):
                _all_of(own_b, t, MINED, s, t, two, now, cell, around, shown)
                _all_of(own_a, s, CLEAR, s, t, two, now, cell, around, shown)
            elif -more == ones(own_a):
                _all_of(own_a, s, MINED, s, t, two, now, cell, around, shown)
                _all_of(own_b, t, CLEAR, s, t, two, now, cell, around, shown)


@njit(cache=True)
def _near(a, b, cols):
    """Whether two cells are the same or touch."""
    return abs(a // cols - b // cols) <= 1 and abs(a % cols - b % cols) <= 1


@njit(cache=True)
def _fall(c, value, place, cols, two, now, cell, around, wide, shown, fallen):
    """Has everything fall that rests on a cell's being decided, and notes it for later."""
    for k in range(9):
        s = np.int64(around[c, k])
        if k == 4 or not shown[s]:
            continue
        if not two:
            for j in range(9):
                d = np.int64(around[s, j])
                if cell[d, FROM] == s and cell[d, R_VALUE] and cell[d, R_PLACE] > place and cell[d, R_VALUE] != value:
                    _drop(d, two, now, cell, around, shown, fallen)
            continue
        for m in range(25):
            t = np.int64(wide[s, m])
            # what follows from s, or from s and a clue near it, lies around s or around such a clue; each cell is
            # met through one of the two
            if m != 12 and not shown[t]:
                continue
            for j in range(9):
                d = np.int64(around[t, j])
                if cell[d, R_VALUE] == UNKNOWN or cell[d, R_PLACE] <= place:
                    continue
                first, second = np.int64(cell[d, FROM]), np.int64(cell[d, ALSO])
                if second == NONE:
                    if first != s or m != 12 or cell[d, R_VALUE] == value:
                        continue
                else:
                    if first == s:
                        other = second
                    elif second == s:
                        other = first
                    else:
                        continue
                    if m != 12 and t != other:
                        continue
                    if c != other and _near(c, other, cols):
                        continue  # a cell that both count does not matter
                    # only cells that narrow the side of d matter: alike on the other side, unlike on its own
                    if _near(d, s, cols) == (cell[d, R_VALUE] == value):
                        continue
                _drop(d, two, now, cell, around, shown, fallen)


@njit(cache=True)
def _drop(c, two, now, cell, around, shown, fallen):
    at = now[FALLEN]
    fallen[0, at] = c
    fallen[1, at] = cell[c, R_VALUE]
    fallen[2, at] = cell[c, R_PLACE]
    fallen[3, at] = cell[c, FROM]
    fallen[4, at] = cell[c, ALSO]
    now[FALLEN] = at + 1
    _forget(c, two, now, cell, around, shown)


@njit(
    "boolean(int32[::1], boolean, int64, int64[::1], int32[:, ::1], int32[:, ::1], int32[:, ::1], int64[::1],"
    " int8[::1], int8[::1], int32[:, ::1])",
    cache=True,
)
def thin_by_rules(order, two, cols, now, cell, around, wide, beyond, shown, mines, fallen):
    """Takes clues away in that order, each that ONE, or ONE and TWO, can do without. False where they do not solve
    the board to begin with."""
    size = mines.size
    now[:] = 0
    cell[:, :] = 0
    for c in range(size):
        cell[c, FROM] = cell[c, ALSO] = NONE
        if shown[c]:
            cell[c, R_VALUE] = CLEAR
        else:
            now[UNDECIDED] += 1
    for s in range(size):
        if shown[s]:
            for k in range(9):
                c = around[s, k]
                if c < size and not shown[c]:
                    cell[s, BITS] |= 1 << k
                    cell[s, R_NEED] += mines[c]
            _touch(s, two, now, cell)
    _rules(two, now, cell, around, wide, beyond, shown)
    if now[UNDECIDED]:
        return False
    for i in range(order.size):
        c = np.int64(order[i])
        if not shown[c]:
            continue
        now[FALLEN] = now[FRESH] = 0
        # the clue goes: what follows from it falls, then what rests on its cell's being clear, then the rest
        shown[c] = 0
        for m in range(25):
            t = np.int64(wide[c, m])
            if m != 12 and (not two or not shown[t]):
                continue
            for j in range(9):
                d = np.int64(around[t, j])
                if cell[d, R_VALUE] and (cell[d, FROM] == c or cell[d, ALSO] == c):
                    _drop(d, two, now, cell, around, shown, fallen)
        _forget(c, two, now, cell, around, shown)
        _fall(c, CLEAR, 0, cols, two, now, cell, around, wide, shown, fallen)
        at = 0
        while at < now[FALLEN]:
            _fall(
                np.int64(fallen[0, at]), fallen[1, at], fallen[2, at],
                cols, two, now, cell, around, wide, shown, fallen,
            )  # fmt: skip
            at += 1
        _rules(two, now, cell, around, wide, beyond, shown)
        if now[UNDECIDED] == 0:
            continue
        # not everything came back: all as it was
        for k in range(now[FRESH]):
            if cell[cell[k, NEWS], R_VALUE]:
                _forget(np.int64(cell[k, NEWS]), two, now, cell, around, shown)
        _decide(c, CLEAR, 0, NONE, NONE, two, now, cell, around, shown)
        shown[c] = 1
        for at in range(now[FALLEN] - 1, -1, -1):
            _decide(
                np.int64(fallen[0, at]), fallen[1, at], fallen[2, at], fallen[3, at], fallen[4, at],
                two, now, cell, around, shown,
            )  # fmt: skip
        bits = need = 0
        for k in range(9):
            d = np.int64(around[c, k])
            if d < size and k != 4:
                need += mines[d] - (cell[d, R_VALUE] == MINED)
                if cell[d, R_VALUE] == UNKNOWN:
                    bits |= 1 << k
        cell[c, R_NEED], cell[c, BITS] = need, bits
        # nothing is new to the clues that were touched on the way
        while now[ONE_HEAD] != now[ONE_TAIL]:
            cell[cell[now[ONE_HEAD], ONE_QUEUE], ONE_QUEUED] = 0
            now[ONE_HEAD] = now[ONE_HEAD] + 1 if now[ONE_HEAD] + 1 < cell.shape[0] else 0
        while now[TWO_HEAD] != now[TWO_TAIL]:
            cell[cell[now[TWO_HEAD], TWO_QUEUE], TWO_QUEUED] = 0
            now[TWO_HEAD] = now[TWO_HEAD] + 1 if now[TWO_HEAD] + 1 < cell.shape[0] else 0
    return True
