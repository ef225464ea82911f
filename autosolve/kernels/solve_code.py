"""Owns the compiled code of the bulk solver: ONE and TWO to the end, then a search that learns, front by front.

Imported late, by ``kernels.solve`` only, for it imports numba. The rules are those of ``solver/state.py``, the
question put to the search is that of ``solver/sat.py``: a solution, then one that differs from what all had in
common so far, until there is none. The search knows sentences as they stand: a sentence with all its mines clears
the rest, one that needs all its cells fills them, and either time the cells that made it so are the reason. From a
clash it learns the clause of the reasons met on the way back to the last decision alone, and jumps back.

Legend: a *value* is 0 unknown, 1 clear, 2 mine; a *literal* is ``2 * cell + 1`` for "is a mine", ``2 * cell`` for
"is none". A reason is a sentence from 0 up, a clause as ``-2 - reference``, or NONE. Arrays of many rows hold one
row for each thing known of a cell or a sentence; ``now`` holds what is single.
"""

from __future__ import annotations

import numpy as np
from numba import njit

# answers
UNIQUE, UNDECIDED, CLASH, GAVE_UP, MISFIT = 0, 1, 2, 3, 4
# what is asked for, bits
SEARCH = 1  # search what the rules leave
ALL = 2  # every certain cell of an undecided board, not only two solutions
TOTAL = 4  # take the total of the board into the search

UNKNOWN, CLEAR, MINED = 0, 1, 2
NONE = -1
IN = 12  # sentences a cell can be in: 9 clues, row, column, board

# rows of ``cell``
(
    VALUE,
    DEGREE,  # sentences it is in
    LEVEL,  # decisions that stood when it was decided
    PLACE,  # in the trail
    REASON,
    SEEN,  # the last stamp that marked it
    TRAIL,  # the cells decided, in order
    START,  # per level: where its part of the trail begins
    HEAP,  # the cells of a front, the most active first
    AT,  # place in the heap, -1 outside
    PHASE,  # the value to try first
    COMMON,  # the value in all solutions so far, 0 where they differ
    FRONT,  # the cells of a front
    LEARNT,  # cells of the clause being learnt
    WATCH,  # two rows: per literal the first of the clauses that watch it
) = range(15)
CELL_ROWS = 16
# rows of ``sentence``
FIRST, NEED, SIZE, QUEUE, QUEUED, STALE, WAITING, SHARED, MARK = range(9)
SENTENCE_ROWS = 9
# places in ``now``
SENTENCES, DEPTH, TRAILED, HEAD, TAIL, STALE_HEAD, STALE_TAIL, WATCHED, TOP, HEAPED, STAMP, CONFLICTS, OVER = range(13)
NOW = 16

_GROWTH = 1.0 / 0.95
_HUGE = 1e100


# ---------------------------------------------------------------- sentences


@njit(cache=True)
def _add(cells_from, cells_to, need, now, cell, sentence, of, members):
    """Makes the cells written at the end of ``members`` a sentence."""
    s = now[SENTENCES]
    sentence[FIRST, s], sentence[FIRST, s + 1] = cells_from, cells_to
    sentence[NEED, s] = need
    sentence[SIZE, s] = cells_to - cells_from
    sentence[QUEUED, s] = sentence[STALE, s] = sentence[MARK, s] = 0
    for k in range(cells_from, cells_to):
        c = members[k]
        of[c, cell[DEGREE, c]] = s
        cell[DEGREE, c] += 1
    now[SENTENCES] = s + 1
    return need >= 0 and need <= cells_to - cells_from


@njit(cache=True)
def _collect(rows, cols, mosaic, clue, cover, lines, now, cell, sentence, of, members):
    """Every sentence of the board but its total; False where one cannot be true."""
    cells = rows * cols
    for c in range(cells):
        cell[VALUE, c] = UNKNOWN
        cell[DEGREE, c] = cell[LEVEL, c] = cell[SEEN, c] = 0
        cell[AT, c] = -1
        cell[WATCH, c] = cell[WATCH + 1, c] = 0
    now[:] = 0
    fine = True
    end = 0
    for r in range(rows):
        for c in range(cols):
            number = np.int64(clue[r * cols + c])
            if number < 0:
                continue
            begin = end
            for rr in range(max(r - 1, 0), min(r + 2, rows)):
                for cc in range(max(c - 1, 0), min(c + 2, cols)):
                    p = rr * cols + cc
                    if (rr == r and cc == c and not mosaic) or cover[p] == 0:
                        continue
                    if cover[p] == 1:
                        members[end] = p
                        end += 1
                    else:
                        number -= 1
            fine = _add(begin, end, number, now, cell, sentence, of, members) and fine
    for i in range(rows + cols):
        if lines[i] < 0:
            continue
        number, begin = np.int64(lines[i]), end
        if i < rows:
            p, step, count = i * cols, 1, cols
        else:
            p, step, count = i - rows, cols, rows
        for _ in range(count):
            if cover[p] == 1:
                members[end] = p
                end += 1
            elif cover[p] == 2:
                number -= 1
            p += step
        fine = _add(begin, end, number, now, cell, sentence, of, members) and fine
    return fine


@njit(cache=True)
def _put(c, value, reason, now, cell, sentence, of):
    """Decides a cell; a sentence that cannot be true any more, or NONE."""
    place = now[TRAILED]
    cell[VALUE, c], cell[LEVEL, c], cell[PLACE, c], cell[REASON, c] = value, now[DEPTH], place, reason
    cell[TRAIL, place] = c
    now[TRAILED] = place + 1
    clash = NONE
    # all are told, also after a clash: taking the cell back tells all of them too
    for k in range(cell[DEGREE, c]):
        s = of[c, k]
        size = sentence[SIZE, s] - 1
        need = sentence[NEED, s] - (value == MINED)
        sentence[SIZE, s], sentence[NEED, s] = size, need
        if need < 0 or need > size:
            clash = np.int64(s)
        elif size and (need == 0 or need == size) and not sentence[QUEUED, s]:
            sentence[QUEUED, s] = 1
            sentence[QUEUE, now[TAIL]] = s
            now[TAIL] = now[TAIL] + 1 if now[TAIL] + 1 < sentence.shape[1] else 0
        if now[DEPTH] == 0 and not sentence[STALE, s]:
            sentence[STALE, s] = 1
            sentence[WAITING, now[STALE_TAIL]] = s
            now[STALE_TAIL] = now[STALE_TAIL] + 1 if now[STALE_TAIL] + 1 < sentence.shape[1] else 0
    return clash


@njit(cache=True)
def _take_back(to, now, cell, sentence, of, active):
    """Undoes all decided after the first ``to``, and asks nothing more of the sentences that wait."""
    while now[HEAD] != now[TAIL]:
        sentence[QUEUED, sentence[QUEUE, now[HEAD]]] = 0
        now[HEAD] = now[HEAD] + 1 if now[HEAD] + 1 < sentence.shape[1] else 0
    while now[TRAILED] > to:
        now[TRAILED] -= 1
        c = np.int64(cell[TRAIL, now[TRAILED]])
        value = cell[VALUE, c]
        cell[PHASE, c] = value
        cell[VALUE, c] = UNKNOWN
        if cell[AT, c] < 0:
            _heap_add(c, now, cell, active)
        for k in range(cell[DEGREE, c]):
            s = of[c, k]
            sentence[SIZE, s] += 1
            sentence[NEED, s] += value == MINED
    now[WATCHED] = min(now[WATCHED], to)


@njit(cache=True)
def _propagate(now, cell, sentence, of, members, arena):
    """All that follows from what is decided, by one sentence or one clause at a time; what clashes, or NONE."""
    while True:
        while now[HEAD] != now[TAIL]:
            s = sentence[QUEUE, now[HEAD]]
            now[HEAD] = now[HEAD] + 1 if now[HEAD] + 1 < sentence.shape[1] else 0
            sentence[QUEUED, s] = 0
            need = sentence[NEED, s]
            if sentence[SIZE, s] == 0 or (need != 0 and need != sentence[SIZE, s]):
                continue
            value = MINED if need else CLEAR
            for k in range(sentence[FIRST, s], sentence[FIRST, s + 1]):
                c = np.int64(members[k])
                if cell[VALUE, c] == UNKNOWN:
                    clash = _put(c, value, np.int64(s), now, cell, sentence, of)
                    if clash != NONE:
                        return clash
        if now[WATCHED] == now[TRAILED]:
            return NONE
        c = cell[TRAIL, now[WATCHED]]
        now[WATCHED] += 1
        wrong = 2 * c + (cell[VALUE, c] == CLEAR)
        node = cell[WATCH + (wrong & 1), c]
        before = np.int64(0)  # the watch before this one in the list, 0 at its head
        while node:
            ref, which = np.int64(node) >> 1, np.int64(node) & 1
            after = arena[ref + 1 + which]
            other = np.int64(arena[ref + 4 - which])
            held = cell[VALUE, other >> 1]
            if held == 1 + (other & 1):
                before, node = np.int64(node), after
                continue
            moved = False
            for k in range(ref + 5, ref + 3 + arena[ref]):
                literal = arena[k]
                seen = cell[VALUE, literal >> 1]
                if seen == UNKNOWN or seen == 1 + (literal & 1):
                    arena[k], arena[ref + 3 + which] = wrong, literal
                    arena[ref + 1 + which] = cell[WATCH + (literal & 1), literal >> 1]
                    cell[WATCH + (literal & 1), literal >> 1] = node
                    moved = True
                    break
            if moved:
                if before:
                    arena[(before >> 1) + 1 + (before & 1)] = after
                else:
                    cell[WATCH + (wrong & 1), c] = after
                node = after
                continue
            if held != UNKNOWN:
                return -2 - ref
            clash = _put(other >> 1, 1 + (other & 1), -2 - ref, now, cell, sentence, of)
            if clash != NONE:
                return clash
            before, node = np.int64(node), after


@njit(cache=True)
def _rules(now, cell, sentence, of, members, arena):
    """ONE and TWO to the end; False where sentences clash. Twin of ``State.propagate``."""
    count = now[SENTENCES]
    now[HEAD] = now[TAIL] = now[STALE_HEAD] = 0
    for s in range(count):
        need, size = sentence[NEED, s], sentence[SIZE, s]
        if size and (need == 0 or need == size):
            sentence[QUEUED, s] = 1
            sentence[QUEUE, now[TAIL]] = s
            now[TAIL] += 1
        sentence[STALE, s] = 1
        sentence[WAITING, s] = s
    now[STALE_TAIL] = count
    while True:
        if _propagate(now, cell, sentence, of, members, arena) != NONE:
            return False
        if now[STALE_HEAD] == now[STALE_TAIL]:
            return True
        i = sentence[WAITING, now[STALE_HEAD]]
        now[STALE_HEAD] = now[STALE_HEAD] + 1 if now[STALE_HEAD] + 1 < sentence.shape[1] else 0
        sentence[STALE, i] = 0
        if sentence[SIZE, i] == 0:
            continue
        # how many undecided cells each other sentence shares with this one
        now[STAMP] += 1
        stamp = now[STAMP]
        for k in range(sentence[FIRST, i], sentence[FIRST, i + 1]):
            c = members[k]
            if cell[VALUE, c] == UNKNOWN:
                for d in range(cell[DEGREE, c]):
                    j = of[c, d]
                    if sentence[MARK, j] != stamp:
                        sentence[MARK, j] = stamp
                        sentence[SHARED, j] = 0
                    sentence[SHARED, j] += 1
        moved = False
        for k in range(sentence[FIRST, i], sentence[FIRST, i + 1]):
            c = members[k]
            if cell[VALUE, c] != UNKNOWN:
                continue
            for d in range(cell[DEGREE, c]):
                j = of[c, d]
                both = sentence[SHARED, j]
                if j == i or both == 0:
                    continue
                sentence[SHARED, j] = 0  # looked at
                spare_b = sentence[SIZE, j] - both - sentence[NEED, j] + sentence[NEED, i]
                spare_a = sentence[SIZE, i] - both - sentence[NEED, i] + sentence[NEED, j]
                if spare_a > 0 and spare_b > 0:
                    continue
                if spare_a < 0 or spare_b < 0:
                    return False
                if sentence[SIZE, i] == both and sentence[SIZE, j] == both:
                    continue
                now[STAMP] += 2
                mine_a, mine_b = now[STAMP] - 1, now[STAMP]
                for m in range(sentence[FIRST, i], sentence[FIRST, i + 1]):
                    cell[SEEN, members[m]] = mine_a
                for m in range(sentence[FIRST, j], sentence[FIRST, j + 1]):
                    c2 = np.int64(members[m])
                    if cell[SEEN, c2] == mine_a:
                        cell[SEEN, c2] = mine_b
                    elif (
                        cell[VALUE, c2] == UNKNOWN
                        and _put(c2, MINED if spare_b == 0 else CLEAR, np.int64(j), now, cell, sentence, of) != NONE
                    ):
                        return False
                for m in range(sentence[FIRST, i], sentence[FIRST, i + 1]):
                    c2 = np.int64(members[m])
                    if (
                        cell[SEEN, c2] == mine_a
                        and cell[VALUE, c2] == UNKNOWN
                        and _put(c2, MINED if spare_a == 0 else CLEAR, np.int64(i), now, cell, sentence, of) != NONE
                    ):
                        return False
                moved = True
                break
            if moved:
                break
        if moved and not sentence[STALE, i]:
            sentence[STALE, i] = 1
            sentence[WAITING, now[STALE_TAIL]] = i
            now[STALE_TAIL] = now[STALE_TAIL] + 1 if now[STALE_TAIL] + 1 < sentence.shape[1] else 0


# ---------------------------------------------------------------- which cell next


@njit(cache=True)
def _heap_up(at, cell, active):
    c = cell[HEAP, at]
    while at > 0:
        parent = (at - 1) >> 1
        other = cell[HEAP, parent]
        if active[other] >= active[c]:
            break
        cell[HEAP, at] = other
        cell[AT, other] = at
        at = parent
    cell[HEAP, at] = c
    cell[AT, c] = at


@njit(cache=True)
def _heap_add(c, now, cell, active):
    at = now[HEAPED]
    now[HEAPED] = at + 1
    cell[HEAP, at] = c
    _heap_up(at, cell, active)


@njit(cache=True)
def _heap_take(now, cell, active):
    """The most active cell of the heap, taken out of it."""
    first = cell[HEAP, 0]
    cell[AT, first] = -1
    now[HEAPED] -= 1
    count = now[HEAPED]
    if count:
        c = cell[HEAP, count]
        at = 0
        while 2 * at + 1 < count:
            child = 2 * at + 1
            if child + 1 < count and active[cell[HEAP, child + 1]] > active[cell[HEAP, child]]:
                child += 1
            other = cell[HEAP, child]
            if active[c] >= active[other]:
                break
            cell[HEAP, at] = other
            cell[AT, other] = at
            at = child
        cell[HEAP, at] = c
        cell[AT, c] = at
    return first


# ---------------------------------------------------------------- search


@njit(cache=True)
def _watch(ref, which, cell, arena):
    literal = arena[ref + 3 + which]
    arena[ref + 1 + which] = cell[WATCH + (literal & 1), literal >> 1]
    cell[WATCH + (literal & 1), literal >> 1] = 2 * ref + which


@njit(cache=True)
def _meet(c, stamp, step, now, cell, active):
    """Takes a reason's cell into what is learnt; whether it was decided since the last decision."""
    if cell[SEEN, c] == stamp or cell[LEVEL, c] == 0:
        return False
    cell[SEEN, c] = stamp
    active[c] += step
    if active[c] > _HUGE:
        now[OVER] = 1
    if cell[AT, c] >= 0:
        _heap_up(np.int64(cell[AT, c]), cell, active)
    if cell[LEVEL, c] == now[DEPTH]:
        return True
    cell[LEARNT, now[TOP]] = c
    now[TOP] += 1
    return False


@njit(cache=True)
def _known(c, stamp, cell, sentence, members, arena):
    """Whether a cell follows from other cells of the clause being learnt, and so can be left out of it."""
    reason = np.int64(cell[REASON, c])
    if reason == NONE:
        return False
    if reason >= 0:
        value = MINED if cell[VALUE, c] == CLEAR else CLEAR
        for k in range(sentence[FIRST, reason], sentence[FIRST, reason + 1]):
            d = members[k]
            if (
                cell[VALUE, d] == value
                and cell[PLACE, d] < cell[PLACE, c]
                and cell[LEVEL, d]
                and cell[SEEN, d] != stamp
            ):
                return False
        return True
    ref = -2 - reason
    for k in range(ref + 3, ref + 3 + arena[ref]):
        d = np.int64(arena[k] >> 1)
        if d != c and cell[LEVEL, d] and cell[SEEN, d] != stamp:
            return False
    return True


@njit(cache=True)
def _learn(clash, step, now, free, cell, sentence, of, members, arena, active):
    """Learns from a clash, goes back and draws the conclusion. ``free``: where in the arena there is room; the
    place after what was learnt, or NONE where there is no room left."""
    now[STAMP] += 1
    stamp = now[STAMP]
    now[TOP] = 0
    open_, place, c = 0, now[TRAILED] - 1, np.int64(-1)
    reason = clash
    while True:
        if reason >= 0:
            # a sentence: the cells that used up its mines, or its room
            if c >= 0:
                value = MINED if cell[VALUE, c] == CLEAR else CLEAR
                before = np.int64(cell[PLACE, c])
            else:
                value = MINED if sentence[NEED, reason] < 0 else CLEAR
                before = now[TRAILED]
            for k in range(sentence[FIRST, reason], sentence[FIRST, reason + 1]):
                d = np.int64(members[k])
                if cell[VALUE, d] == value and cell[PLACE, d] < before:
                    open_ += _meet(d, stamp, step, now, cell, active)
        else:
            ref = -2 - reason
            for k in range(ref + 3, ref + 3 + arena[ref]):
                d = np.int64(arena[k] >> 1)
                if d != c:
                    open_ += _meet(d, stamp, step, now, cell, active)
        while cell[SEEN, cell[TRAIL, place]] != stamp:
            place -= 1
        c = np.int64(cell[TRAIL, place])
        place -= 1
        open_ -= 1
        if open_ == 0:
            break
        reason = np.int64(cell[REASON, c])
    size, level, second = 1, np.int64(0), np.int64(0)
    if free + 4 + now[TOP] > arena.size:
        return np.int64(NONE)
    arena[free + 3] = 2 * c + (cell[VALUE, c] == CLEAR)
    for k in range(now[TOP]):
        d = np.int64(cell[LEARNT, k])
        if _known(d, stamp, cell, sentence, members, arena):
            continue
        arena[free + 3 + size] = 2 * d + (cell[VALUE, d] == CLEAR)
        if cell[LEVEL, d] > level:
            level, second = np.int64(cell[LEVEL, d]), np.int64(size)
        size += 1
    _take_back(np.int64(cell[START, level + 1]), now, cell, sentence, of, active)
    now[DEPTH] = level
    literal = np.int64(arena[free + 3])
    if size == 1:
        return free if _put(literal >> 1, 1 + (literal & 1), NONE, now, cell, sentence, of) == NONE else np.int64(-2)
    arena[free] = size
    arena[free + 4], arena[free + 3 + second] = arena[free + 3 + second], arena[free + 4]
    _watch(free, 0, cell, arena)
    _watch(free, 1, cell, arena)
    clash = _put(literal >> 1, 1 + (literal & 1), -2 - free, now, cell, sentence, of)
    free += 3 + size
    return free if clash == NONE else -3 - clash


@njit(cache=True)
def _search(count, free, now, cell, sentence, of, members, arena, active):
    """Looks for a solution of the front at hand: whether there is one, or NONE where the work allowed did not
    suffice; and the free place in the arena."""
    step, limit, since = 1.0, 64, 0
    clash = _propagate(now, cell, sentence, of, members, arena)
    while True:
        if clash != NONE:
            if now[DEPTH] == 0:
                return 0, free
            now[CONFLICTS] -= 1
            since += 1
            if now[CONFLICTS] < 0:
                return NONE, free
            step *= _GROWTH
            after = _learn(clash, step, now, free, cell, sentence, of, members, arena, active)
            if now[OVER] or step > _HUGE:
                now[OVER] = 0
                step /= _HUGE
                for k in range(count):
                    active[cell[FRONT, k]] /= _HUGE
            if after == NONE:
                return NONE, free
            if after == -2:
                return 0, free
            if after < 0:
                # the conclusion itself clashes with a sentence
                clash = -3 - after
                ref = -2 - np.int64(cell[REASON, cell[TRAIL, now[TRAILED] - 1]])
                free = ref + 3 + arena[ref]
                continue
            free = after
        else:
            if since >= limit:
                since = 0
                limit += limit >> 1
                if now[DEPTH]:
                    _take_back(np.int64(cell[START, 1]), now, cell, sentence, of, active)
                    now[DEPTH] = 0
            c = np.int64(-1)
            while now[HEAPED]:
                c = np.int64(_heap_take(now, cell, active))
                if cell[VALUE, c] == UNKNOWN:
                    break
                c = np.int64(-1)
            if c < 0:
                return 1, free
            now[DEPTH] += 1
            cell[START, now[DEPTH]] = now[TRAILED]
            _put(c, np.int64(cell[PHASE, c]), NONE, now, cell, sentence, of)
        clash = _propagate(now, cell, sentence, of, members, arena)


@njit(cache=True)
def _differ(count, free, now, cell, sentence, of, arena):
    """Asks for a solution that breaks with what is common to all so far; the free place in the arena, NONE where
    there is no room, -2 where no such solution is left to look for."""
    size = 0
    if free + 3 + count > arena.size:
        return np.int64(NONE)
    for k in range(count):
        c = np.int64(cell[FRONT, k])
        common = cell[COMMON, c]
        if common == UNKNOWN or cell[VALUE, c] == common:
            continue
        if cell[VALUE, c] != UNKNOWN:
            return free  # it differs already
        cell[PHASE, c] = 3 - common
        arena[free + 3 + size] = 2 * c + (common == CLEAR)
        size += 1
    if size == 0:
        return np.int64(-2)
    if size == 1:
        literal = np.int64(arena[free + 3])
        clash = _put(literal >> 1, 1 + (literal & 1), NONE, now, cell, sentence, of)
        return free if clash == NONE else np.int64(-2)
    arena[free] = size
    _watch(free, 0, cell, arena)
    _watch(free, 1, cell, arena)
    return free + 3 + size


@njit(cache=True)
def _front(start, stamp, now, cell, sentence, of, members):
    """The cells that hang together with ``start`` through sentences, into FRONT; how many."""
    cell[FRONT, 0] = start
    cell[SEEN, start] = stamp
    count, at = 1, 0
    while at < count:
        c = cell[FRONT, at]
        at += 1
        for k in range(cell[DEGREE, c]):
            s = of[c, k]
            if sentence[MARK, s] == stamp:
                continue
            sentence[MARK, s] = stamp
            for m in range(sentence[FIRST, s], sentence[FIRST, s + 1]):
                d = members[m]
                if cell[VALUE, d] == UNKNOWN and cell[SEEN, d] != stamp:
                    cell[SEEN, d] = stamp
                    cell[FRONT, count] = d
                    count += 1
    return count


@njit(cache=True)
def _decide_front(count, ask, differs, now, cell, sentence, of, members, arena, active, first, second):
    """Searches one front and decides what is certain of it. UNIQUE where that is all of it; UNDECIDED, with two
    solutions if ``differs`` was not known before; CLASH; or GAVE_UP, with a solution at least, or with none."""
    root = now[TRAILED]
    now[HEAPED], now[DEPTH], now[WATCHED] = 0, 0, root
    for k in range(count):
        c = np.int64(cell[FRONT, k])
        cell[WATCH, c] = cell[WATCH + 1, c] = 0
        cell[PHASE, c] = CLEAR
        active[c] = 0.0
        cell[AT, c] = -1
    for k in range(count):
        _heap_add(np.int64(cell[FRONT, k]), now, cell, active)
    answer = UNIQUE
    found, free = _search(count, np.int64(1), now, cell, sentence, of, members, arena, active)
    if found != 1:
        answer = CLASH if found == 0 else GAVE_UP
    else:
        for k in range(count):
            c = np.int64(cell[FRONT, k])
            value = cell[VALUE, c]
            cell[COMMON, c] = value
            first[c] = second[c] = value == MINED
        while not differs or ask & ALL:
            if now[DEPTH]:
                _take_back(np.int64(cell[START, 1]), now, cell, sentence, of, active)
                now[DEPTH] = 0
            free = _differ(count, free, now, cell, sentence, of, arena)
            if free == -2:
                break
            if free != NONE:
                found, free = _search(count, free, now, cell, sentence, of, members, arena, active)
                if found == 0:
                    break
            if free == NONE or found == NONE:
                answer = GAVE_UP
                break
            if answer == UNIQUE:
                for k in range(count):
                    c = np.int64(cell[FRONT, k])
                    second[c] = cell[VALUE, c] == MINED
            answer = UNDECIDED
            for k in range(count):
                c = np.int64(cell[FRONT, k])
                if cell[VALUE, c] != cell[COMMON, c]:
                    cell[COMMON, c] = UNKNOWN
            if not ask & ALL:
                break
        else:
            answer = UNDECIDED
    now[DEPTH] = 0
    _take_back(root, now, cell, sentence, of, active)
    for k in range(count):
        cell[AT, cell[FRONT, k]] = -1
    now[HEAPED] = 0
    if answer == UNIQUE or (answer == UNDECIDED and ask & ALL):
        for k in range(count):
            c = np.int64(cell[FRONT, k])
            if cell[COMMON, c] != UNKNOWN:
                _put(c, np.int64(cell[COMMON, c]), NONE, now, cell, sentence, of)
        _take_back(now[TRAILED], now, cell, sentence, of, active)
    return answer


@njit(
    "int64(int64, int64, boolean, int64, int64, int64, int8[::1], int8[::1], int32[::1], int64[::1], int32[:, ::1],"
    " int32[:, ::1], int32[:, ::1], int32[::1], int32[::1], float64[::1], int8[:, ::1])",
    cache=True,
)
def solve(
    rows, cols, mosaic, ask, mines, conflicts, clue, cover, lines, now, cell, sentence, of, members, arena, active, out
):
    """Decides what is certain. ``out`` gets three rows: the values of the covered cells, and two solutions (1 for a
    mine), where UNDECIDED was proven by two. ``mines`` on the whole board, or -1; ``lines`` the totals of rows, then
    of columns, or -1.

    Where ``ask`` does not hold TOTAL, the board's total is only held against a board that is decided without it."""
    cells = rows * cols
    if clue.size != cells or cover.size != cells or lines.size != rows + cols:
        return MISFIT
    fine = _collect(rows, cols, mosaic, clue, cover, lines, now, cell, sentence, of, members)
    now[CONFLICTS] = conflicts
    if not fine or not _rules(now, cell, sentence, of, members, arena):
        return CLASH
    if ask & TOTAL and mines >= 0:
        begin = sentence[FIRST, now[SENTENCES]] if now[SENTENCES] else 0
        end, need = begin, mines
        for c in range(cells):
            if cover[c] == 2 or (cover[c] == 1 and cell[VALUE, c] == MINED):
                need -= 1
            elif cover[c] == 1 and cell[VALUE, c] == UNKNOWN:
                members[end] = c
                end += 1
        if not _add(begin, end, need, now, cell, sentence, of, members):
            return CLASH
        if not _rules(now, cell, sentence, of, members, arena):
            return CLASH
    answer = UNIQUE
    for c in range(cells):
        out[1, c] = out[2, c] = cell[VALUE, c] == MINED
    free = -1
    if ask & SEARCH:
        gave_up, differs = False, False
        for c in range(cells):
            if cover[c] != 1 or cell[VALUE, c] != UNKNOWN or cell[SEEN, c] == -1:
                continue
            if cell[DEGREE, c] == 0:
                free = c
                continue
            now[STAMP] += 1
            count = _front(c, now[STAMP], now, cell, sentence, of, members)
            found = _decide_front(count, ask, differs, now, cell, sentence, of, members, arena, active, out[1], out[2])
            for k in range(count):
                cell[SEEN, cell[FRONT, k]] = -1
            if found == CLASH:
                return CLASH
            gave_up = gave_up or found == GAVE_UP
            differs = differs or found == UNDECIDED
        if gave_up:
            answer = GAVE_UP
        elif differs or free >= 0:
            answer = UNDECIDED
            if not differs:
                out[2, free] = 1
    mined, undecided = 0, 0
    for c in range(cells):
        out[0, c] = cell[VALUE, c]
        if cover[c] == 2 or cell[VALUE, c] == MINED:
            mined += 1
        undecided += cover[c] == 1 and cell[VALUE, c] == UNKNOWN
    if undecided and answer == UNIQUE:
        answer = GAVE_UP
    if mines >= 0 and (mined > mines or mined + undecided < mines):
        return CLASH
    return answer
