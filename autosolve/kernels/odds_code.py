"""Owns the compiled code of the exact odds: the count of solver/count.py over flat arrays, in doubles.

Imported late, by ``kernels.odds`` only, for it imports numba. Read ``solver/count.py`` first: groups, fronts, the
count forward and backward, the binomial weights of the rest of the board are the same. What differs:

* A board is first packed into words of bits, so that cells next to no clue cost next to nothing.
* A group is found by its first clue and a mask of where its other clues lie from there; no list is compared.
* A sentence has a *slot* of four bits in the state only from its first group to its last, so that a state fits
  one int of 64 bits however long the front: SLOTS slots below, the mines so far above.
* Every way from one state to the next is kept as an *edge*; the way back walks the edges in reverse.
* All sums are of positive terms, so a chance is good to about 1e-13 of itself, and one that is 0 or 1 is
  exactly that.

All that is fixed in size is checked, and the code says ``FULL`` where something does not fit.

Legend: everything lies in four flat buffers, for one array each would cost more in the call than the count:

    board   int32    rows, columns, mosaic, results; then per clue its sentence + 1, and the cells beside a clue
    small   int32    per group, per sentence, per front, per state and per edge: see the offsets below
    keys    int64    states, the table that finds them, and the board in words
    real    float64  counts, weights, chances
"""

from __future__ import annotations

from math import lgamma, log

import numpy as np
from numba import njit

from autosolve.kernels.bits import lowest, ones

# answers
DONE, CLASH, FULL, MISFIT = 0, 1, 2, 3

# limits
GROUPS = 1024
SENTENCES = 1024
STATES = 1 << 16
EDGES = 1 << 17
TABLE = 1 << 17
POLYNOMIALS = 1 << 16
SLOTS = 12
MINES_BIT = 4 * SLOTS
# a weight below this beside the largest could vanish in a product with another one
FAINT = 1e-200
# an order that is thought to make more states than this is worth looking for a better one
MANY = 20_000
STARTS = 6
HOPELESS = 1 << 60

PER = 9  # cells a clue counts, and clues that count a cell, at most
BLOCK = 62  # columns a word of bits holds beside one more on either side

# board: head, then three arrays of one int a cell: sentence + 1 of a clue, the cells beside a clue, their groups
B_ROWS, B_COLS, B_MOSAIC, B_SENTENCES, B_GROUPS, B_FREE, B_BESIDE, B_FRONTS, B_STATES, B_TOP = range(10)
BOARD_HEAD = 16

# small
LOGS = 0  # [n]: 16 times the binary logarithm of n + 1
G_SIZE = 16  # cells
G_MASK = G_SIZE + GROUPS  # where its clues lie from the first of them
G_NEXT = G_MASK + GROUPS  # next group with the same first clue, + 1
G_DEG = G_NEXT + GROUPS  # how many sentences it is in
G_IN = G_DEG + GROUPS  # which: PER a group
G_VALUE = G_IN + PER * GROUPS  # -1 undecided, 0 safe, 1 mines
G_SEEN = G_VALUE + GROUPS  # 0 not met, else the last walk that met it
LIST = G_SEEN + GROUPS  # the groups of one front
WAIT = LIST + GROUPS  # groups, or sentences, that wait
TRIAL = WAIT + GROUPS + SENTENCES  # an order on trial
ORDER = TRIAL + GROUPS  # groups, front after front, in the order they are counted
LAYER = ORDER + GROUPS  # per place in the order: its first state
F_PLACE = LAYER + 2 * GROUPS  # per front: its first place
F_LAST = F_PLACE + GROUPS + 1  # per front: first and last of its final states
F_END = F_LAST + GROUPS
F_LOW = F_END + GROUPS  # per front: least mines, how many numbers of mines, where its polynomial begins
F_SPAN = F_LOW + GROUPS
F_POLY = F_SPAN + GROUPS
P_POLY = F_POLY + GROUPS  # the same of all fronts before one
P_LOW = P_POLY + GROUPS + 1
P_SPAN = P_LOW + GROUPS + 1
A_POLY = P_SPAN + GROUPS + 1  # the same of all from one on
A_LOW = A_POLY + GROUPS + 1
A_SPAN = A_LOW + GROUPS + 1
S_NEED = A_SPAN + GROUPS + 1  # mines missing
S_SIZE = S_NEED + SENTENCES  # cells undecided
S_LEFT = S_SIZE + SENTENCES  # cells not placed yet
S_LOG = S_LEFT + SENTENCES  # its share in the width of the order on trial
S_SLOT = S_LOG + SENTENCES  # lowest bit of its slot, -1 before it has one
S_SEEN = S_SLOT + SENTENCES  # last walk that met it
S_HEAD = S_SEEN + SENTENCES  # first of the groups whose first clue it is, + 1
S_DEG = S_HEAD + SENTENCES
S_OF = S_DEG + SENTENCES  # its groups: PER a sentence
S_CELL = S_OF + PER * SENTENCES
E_TO = S_CELL + SENTENCES  # where an edge leads
N_EDGE = E_TO + EDGES  # per state: its first edge, and the mines that this edge stands for; each next one more
N_LOW = N_EDGE + STATES + 1
SMALL = N_LOW + STATES

# keys
K_BASE = 0  # entries of the table below this are of an earlier count
KEY = 1
HASH = KEY + STATES
WORDS = HASH + TABLE  # then three words a row and block: covered, mined, clues

# real
R_SUM, R_FREE = 0, 1  # solutions, in parts of the ways to put B_TOP mines on the free cells; chance of a free cell
WAYS = 2  # [n * 10 + k]: choices of k among n cells
CHANCE = WAYS + 100  # per group
FORWARD = CHANCE + GROUPS
BACKWARD = FORWARD + STATES
POLY = BACKWARD + STATES
WEIGHT = POLY + POLYNOMIALS  # per number of mines in all fronts: ways of the rest of the board, in parts of the most
REAL = WEIGHT + POLYNOMIALS  # then a chance per cell

_HASH_FACTOR = np.uint64(0x9E3779B97F4A7C15)


@njit(cache=True, forceinline=True)
def _pack(clue, cover, board, keys):
    """The board in words of bits: covered cells, mines, clues, with a frame of nothing around it."""
    rows, cols, mosaic = board[B_ROWS], board[B_COLS], board[B_MOSAIC]
    blocks = (cols + BLOCK - 1) // BLOCK
    whole = (rows + 2) * blocks
    for b in range(blocks):
        begin, end = max(b * BLOCK - 1, 0), min(b * BLOCK + BLOCK + 1, cols)
        bit0 = begin - (b * BLOCK - 1)
        for r in range(rows):
            covered, mined, clues = np.int64(0), np.int64(0), np.int64(0)
            bit = bit0
            for i in range(r * cols + begin, r * cols + end):
                what = np.int64(cover[i])
                covered |= (what & 1) << bit
                mined |= (what >> 1) << bit
                clues |= np.int64(clue[i] >= 0) << bit
                bit += 1
            if not mosaic:
                clues &= ~(covered | mined)
            at = WORDS + (r + 1) * blocks + b
            keys[at] = covered
            keys[at + whole] = mined
            keys[at + 2 * whole] = clues


@njit(cache=True, forceinline=True)
def _gather(clue, board, small, keys):
    """Groups and sentences out of the words; DONE, CLASH or FULL."""
    rows, cols = board[B_ROWS], board[B_COLS]
    cells = rows * cols
    blocks = (cols + BLOCK - 1) // BLOCK
    whole = (rows + 2) * blocks
    of_clue, beside = BOARD_HEAD, BOARD_HEAD + cells
    sentences, groups, free = 0, 0, 0
    own = ((np.int64(1) << BLOCK) - 1) << 1
    for b in range(blocks):
        for r in range(rows):
            at = WORDS + (r + 1) * blocks + b
            covered = keys[at] & own
            if covered == 0:
                continue
            at += 2 * whole
            above, here, below = keys[at - blocks], keys[at], keys[at + blocks]
            near = above | here | below
            near = covered & (near | near << 1 | near >> 1)
            free += ones(covered ^ near)
            while near:
                bit = lowest(near) - 1
                near &= near - 1
                clues = (above >> bit & 7) | (here >> bit & 7) << 5 | (below >> bit & 7) << 10
                place = lowest(clues)
                mask = (clues << 2) >> place
                corner = (r - 1) * cols + b * BLOCK + bit - 1
                p = corner + place // 5 * cols + place % 5
                group = -1
                s = board[of_clue + p] - 1
                if s >= 0:
                    group = small[S_HEAD + s] - 1
                    while group >= 0 and small[G_MASK + group] != mask:
                        group = small[G_NEXT + group] - 1
                if group < 0:
                    if groups == GROUPS or sentences + PER > SENTENCES:
                        board[B_SENTENCES] = sentences
                        return FULL
                    group = groups
                    groups += 1
                    deg = 0
                    while clues:
                        place = lowest(clues)
                        clues &= clues - 1
                        dr, dc = place // 5, place % 5
                        p = corner + dr * cols + dc
                        s = board[of_clue + p] - 1
                        if s < 0:
                            s = sentences
                            sentences += 1
                            board[of_clue + p] = sentences
                            col = b * BLOCK + bit - 1 + dc
                            block = col // BLOCK
                            shift = col - block * BLOCK
                            w = WORDS + whole + (r + dr) * blocks + block
                            need = np.int64(clue[p])
                            need -= ones(keys[w - blocks] >> shift & 7) + ones(keys[w] >> shift & 7)
                            need -= ones(keys[w + blocks] >> shift & 7)
                            small[S_NEED + s] = need
                            small[S_SIZE + s] = 0
                            small[S_HEAD + s] = 0
                            small[S_DEG + s] = 0
                            small[S_CELL + s] = p
                        if deg == 0:
                            small[G_NEXT + group] = small[S_HEAD + s]
                            small[S_HEAD + s] = group + 1
                        small[G_IN + PER * group + deg] = s
                        small[S_OF + PER * s + small[S_DEG + s]] = group
                        small[S_DEG + s] += 1
                        deg += 1
                    small[G_DEG + group] = deg
                    small[G_MASK + group] = mask
                    small[G_SIZE + group] = 0
                    small[G_VALUE + group] = -1
                    small[G_SEEN + group] = 0
                small[G_SIZE + group] += 1
                board[beside] = corner + cols + 1
                board[beside + cells] = group
                beside += 1
    board[B_SENTENCES] = sentences
    board[B_GROUPS] = groups
    board[B_FREE] = free
    board[B_BESIDE] = beside
    for g in range(groups):
        size = small[G_SIZE + g]
        for k in range(PER * g, PER * g + small[G_DEG + g]):
            small[S_SIZE + small[G_IN + k]] += size
    for s in range(sentences):
        if small[S_NEED + s] < 0 or small[S_NEED + s] > small[S_SIZE + s]:
            return CLASH
    return DONE


@njit(cache=True, forceinline=True)
def _one(board, small, real):
    """ONE to the end; the mines found, or -1 where the sentences clash."""
    mined, head, tail = 0, 0, 0
    for s in range(board[B_SENTENCES]):
        need = small[S_NEED + s]
        if need == 0 or need == small[S_SIZE + s]:
            small[WAIT + tail] = s
            tail += 1
    while head < tail:
        s = small[WAIT + head]
        head += 1
        if small[S_SIZE + s] == 0:
            continue
        mine = small[S_NEED + s] > 0
        for j in range(small[S_DEG + s]):
            g = small[S_OF + PER * s + j]
            if small[G_VALUE + g] >= 0:
                continue
            size = small[G_SIZE + g]
            small[G_VALUE + g] = mine
            real[CHANCE + g] = 1.0 if mine else 0.0
            if mine:
                mined += size
            for k in range(small[G_DEG + g]):
                t = small[G_IN + PER * g + k]
                before = small[S_NEED + t] == 0 or small[S_NEED + t] == small[S_SIZE + t]
                small[S_SIZE + t] -= size
                if mine:
                    small[S_NEED + t] -= size
                need, left = small[S_NEED + t], small[S_SIZE + t]
                if need < 0 or need > left:
                    return -1
                # it stands in the queue from the first time this holds, and holds it does ever after
                if not before and (need == 0 or need == left):
                    small[WAIT + tail] = t
                    tail += 1
    return mined


@njit(cache=True, forceinline=True)
def _logs(need, size, left, small):
    """16 times the binary logarithm of how many values a sentence can have with ``left`` of its cells to come."""
    return small[LOGS + min(need, left) - max(0, need - size + left)]


@njit(cache=True)
def _walk(start, walk, size, bound, small):
    """Puts ``size`` groups of a front on trial from ``start`` on, always next the waiting group that leaves the
    fewest values open; how many states that is thought to make, HOPELESS where they are ``bound`` or more, or do not
    fit the slots."""
    for at in range(size):
        g = small[LIST + at]
        for k in range(PER * g, PER * g + small[G_DEG + g]):
            s = small[G_IN + k]
            small[S_LEFT + s] = small[S_SIZE + s]
            small[S_LOG + s] = 0
    small[WAIT] = start
    small[G_SEEN + start] = walk
    waiting, place = 1, 0
    width, states, half_done = 0, 0, 0
    while True:
        best, best_cost = 0, 1 << 30
        for w in range(waiting):
            g = small[WAIT + w]
            cells, cost = small[G_SIZE + g], 0
            for k in range(PER * g, PER * g + small[G_DEG + g]):
                s = small[G_IN + k]
                cost += _logs(small[S_NEED + s], small[S_SIZE + s], small[S_LEFT + s] - cells, small) - small[S_LOG + s]
            if cost < best_cost:
                best, best_cost = w, cost
        g = small[WAIT + best]
        waiting -= 1
        for w in range(best, waiting):
            small[WAIT + w] = small[WAIT + w + 1]
        small[TRIAL + place] = g
        place += 1
        width += best_cost
        states += 1 << min(width >> 4, 40)
        if states >= bound:
            return HOPELESS
        if place == size:
            return states
        for k in range(PER * g, PER * g + small[G_DEG + g]):
            s = small[G_IN + k]
            half_done += small[S_LEFT + s] == small[S_SIZE + s]
        if half_done > SLOTS:
            return HOPELESS
        for k in range(PER * g, PER * g + small[G_DEG + g]):
            s = small[G_IN + k]
            small[S_LEFT + s] -= small[G_SIZE + g]
            half_done -= small[S_LEFT + s] == 0
            small[S_LOG + s] = _logs(small[S_NEED + s], small[S_SIZE + s], small[S_LEFT + s], small)
            if small[S_SEEN + s] != walk:
                small[S_SEEN + s] = walk
                for j in range(PER * s, PER * s + small[S_DEG + s]):
                    h = small[S_OF + j]
                    if small[G_SEEN + h] != walk and small[G_VALUE + h] < 0:
                        small[G_SEEN + h] = walk
                        small[WAIT + waiting] = h
                        waiting += 1


@njit(cache=True, forceinline=True)
def _order(start, place, walk, small):
    """Puts the front that ``start`` belongs to into the order from ``place`` on; the place after it, and the
    number of the next walk."""
    # breadth first: the last group met is an end of the front
    small[LIST] = start
    small[G_SEEN + start] = walk
    size = 1
    at = 0
    while at < size:
        g = small[LIST + at]
        at += 1
        for k in range(PER * g, PER * g + small[G_DEG + g]):
            s = small[G_IN + k]
            if small[S_SEEN + s] != walk:
                small[S_SEEN + s] = walk
                for j in range(PER * s, PER * s + small[S_DEG + s]):
                    h = small[S_OF + j]
                    if small[G_SEEN + h] != walk and small[G_VALUE + h] < 0:
                        small[G_SEEN + h] = walk
                        small[LIST + size] = h
                        size += 1
    if size < 4:
        for k in range(size):
            small[ORDER + place + k] = small[LIST + size - 1 - k]
        return place + size, walk + 1
    best = HOPELESS
    trials = 1
    t = 0
    while t < trials:
        walk += 1
        states = _walk(small[LIST + size - 1 - t * (size - 1) // STARTS], walk, size, best, small)
        if t == 0 and states > MANY:
            trials = STARTS + 1
        if states < best:
            best = states
            for k in range(size):
                small[ORDER + place + k] = small[TRIAL + k]
        t += 1
    return (place + size if best < HOPELESS else -1), walk + 1


@njit(cache=True, forceinline=True)
def _forward(front, state, edge, most, small, keys, real):
    """Counts a front forward; the next free state and edge. A state of -1: there is no room; of -2: no solution."""
    table = keys[K_BASE]
    keys[KEY + state] = 0
    real[FORWARD + state] = 1.0
    first, after = state, state + 1
    used = np.int64(0)
    for place in range(small[F_PLACE + front], small[F_PLACE + front + 1]):
        g = small[ORDER + place]
        size, deg = np.int64(small[G_SIZE + g]), small[G_DEG + g]
        small[LAYER + place + front] = first
        opened = np.int64(0)
        delta = np.int64(1) << MINES_BIT
        # the slots of this group's sentences and the cells they have left, side by side
        for k in range(deg):
            s = small[G_IN + PER * g + k]
            shift = np.int64(small[S_SLOT + s])
            if shift < 0:
                shift = 4 * lowest(~used)
                if shift == 4 * SLOTS:
                    return -1, edge
                used |= np.int64(1) << (shift >> 2)
                small[S_SLOT + s] = shift
                small[S_LEFT + s] = small[S_SIZE + s]
                opened += np.int64(small[S_NEED + s]) << shift
            small[S_LEFT + s] -= size
            delta -= np.int64(1) << shift
            small[WAIT + k] = shift
            small[WAIT + PER + k] = small[S_LEFT + s]
        # a table of at least twice the states there can be keeps every search short
        bound = (size + 1) * (after - first)
        room = np.int64(64)
        while room < 2 * bound:
            room *= 2
        if room > TABLE or after + bound > STATES or edge + bound > EDGES:
            return -1, edge
        begin = after
        for here in range(first, begin):
            at = keys[KEY + here] + opened
            low, high = np.int64(0), size
            for k in range(deg):
                need = (at >> small[WAIT + k]) & 15
                high = min(high, need)
                low = max(low, need - small[WAIT + PER + k])
            if most >= 0:
                high = min(high, most - (at >> MINES_BIT))
            small[N_EDGE + here] = edge
            small[N_LOW + here] = low
            number = real[FORWARD + here]
            to = at + low * delta
            for k in range(low, high + 1):
                h = np.int64((np.uint64(to) * _HASH_FACTOR) >> np.uint64(47)) & (room - 1)
                while True:
                    found = keys[HASH + h] - table
                    if found < begin:
                        found = after
                        keys[HASH + h] = table + found
                        keys[KEY + found] = to
                        real[FORWARD + found] = 0.0
                        after += 1
                        break
                    if keys[KEY + found] == to:
                        break
                    h = (h + 1) & (room - 1)
                real[FORWARD + found] += number * real[WAYS + 10 * size + k]
                small[E_TO + edge] = found
                edge += 1
                to += delta
        if after == begin:
            return -2, edge
        first = begin
        for k in range(deg):
            if small[WAIT + PER + k] == 0:
                used &= ~(np.int64(1) << (small[WAIT + k] >> 2))
    small[LAYER + small[F_PLACE + front + 1] + front] = first
    small[N_EDGE + first] = edge
    small[F_LAST + front] = first
    small[F_END + front] = after
    return after, edge


@njit(cache=True, forceinline=True)
def _multiply(a, a_span, b, b_span, to, real):
    """The polynomials at ``a`` and ``b``, multiplied into ``to``."""
    for x in range(a_span + b_span - 1):
        real[POLY + to + x] = 0.0
    for x in range(a_span):
        for y in range(b_span):
            real[POLY + to + x + y] += real[POLY + a + x] * real[POLY + b + y]


@njit(cache=True, forceinline=True)
def _weigh(low, span, missing, free, board, real):
    """Ways to fill the ``free`` cells for ``low``, ``low + 1``, ... mines in the fronts, in parts of the most there
    are. DONE, CLASH where no number fits, FULL where the least is too faint beside the most."""
    if missing < 0:
        for x in range(span):
            real[WEIGHT + x] = 1.0
        return DONE
    # mines left for the free cells: from ``most`` down to ``least``
    most, least = min(free, missing - low), max(0, missing - low - span + 1)
    if most < least:
        return CLASH
    for x in range(span):
        real[WEIGHT + x] = 0.0
    top = min(max(free // 2, least), most)
    board[B_TOP] = top
    real[WEIGHT + missing - low - top] = 1.0
    weight = 1.0
    for r in range(top, least, -1):
        weight *= r / (free - r + 1)
        real[WEIGHT + missing - low - r + 1] = weight
    faint = weight
    weight = 1.0
    for r in range(top, most):
        weight *= (free - r) / (r + 1)
        real[WEIGHT + missing - low - r - 1] = weight
    return DONE if min(faint, weight) > FAINT else FULL


@njit(cache=True, forceinline=True)
def _backward(front, room, low, small, keys, real):
    """Counts a front backward, and with it the chance of every group. ``room``: where a polynomial may lie."""
    span_before, span_after = small[P_SPAN + front], small[A_SPAN + front + 1]
    _multiply(small[P_POLY + front], span_before, small[A_POLY + front + 1], span_after, room, real)
    shift = small[P_LOW + front] + small[A_LOW + front + 1] - low
    span = span_before + span_after - 1
    for at in range(small[F_LAST + front], small[F_END + front]):
        mines = (keys[KEY + at] >> MINES_BIT) + shift
        total = 0.0
        for x in range(span):
            total += real[POLY + room + x] * real[WEIGHT + mines + x]
        real[BACKWARD + at] = total
    for place in range(small[F_PLACE + front + 1] - 1, small[F_PLACE + front] - 1, -1):
        g = small[ORDER + place]
        size = small[G_SIZE + g]
        mined, safe = 0.0, 0.0
        for at in range(small[LAYER + place + front], small[LAYER + place + front + 1]):
            total, mines = 0.0, 0.0
            k = small[N_LOW + at]
            for e in range(small[N_EDGE + at], small[N_EDGE + at + 1]):
                rest = real[WAYS + 10 * size + k] * real[BACKWARD + small[E_TO + e]]
                total += rest
                mined += rest * k * real[FORWARD + at]
                safe += rest * (size - k) * real[FORWARD + at]
                k += 1
            real[BACKWARD + at] = total
        real[CHANCE + g] = mined / (mined + safe)


@njit(cache=True, forceinline=True)
def _count(missing, board, small, keys, real):
    """The chance of every group, and of the cells in none, once the groups stand."""
    groups, free = board[B_GROUPS], board[B_FREE]
    keys[K_BASE] += STATES  # whatever the table holds is of an earlier count
    if missing >= 0:
        mined = _one(board, small, real)
        if mined < 0 or mined > missing:
            return CLASH
        missing -= mined
    elif _one(board, small, real) < 0:
        return CLASH
    for s in range(board[B_SENTENCES]):
        small[S_SLOT + s] = -1
        small[S_SEEN + s] = 0
    fronts, place, state, edge, poly, walk = 0, 0, 0, 0, 0, 1
    for g in range(groups):
        if small[G_VALUE + g] >= 0 or small[G_SEEN + g]:
            continue
        small[F_PLACE + fronts] = place
        place, walk = _order(g, place, walk, small)
        if place < 0:
            return FULL
        small[F_PLACE + fronts + 1] = place
        state, edge = _forward(fronts, state, edge, missing, small, keys, real)
        if state == -1:
            return FULL
        if state == -2:
            return CLASH
        # its final states differ in their mines alone
        low, high = np.int64(1) << 40, np.int64(0)
        for at in range(small[F_LAST + fronts], small[F_END + fronts]):
            mines = keys[KEY + at] >> MINES_BIT
            low, high = min(low, mines), max(high, mines)
        span = high - low + 1
        if poly + span > POLYNOMIALS:
            return FULL
        for x in range(span):
            real[POLY + poly + x] = 0.0
        for at in range(small[F_LAST + fronts], small[F_END + fronts]):
            real[POLY + poly + (keys[KEY + at] >> MINES_BIT) - low] = real[FORWARD + at]
        small[F_LOW + fronts], small[F_SPAN + fronts], small[F_POLY + fronts] = low, span, poly
        poly += span
        fronts += 1
    board[B_FRONTS] = fronts
    board[B_STATES] = state
    # the fronts before each one, and those from each one on
    if poly + 1 > POLYNOMIALS:
        return FULL
    real[POLY + poly] = 1.0
    small[P_POLY], small[P_LOW], small[P_SPAN] = poly, 0, 1
    small[A_POLY + fronts], small[A_LOW + fronts], small[A_SPAN + fronts] = poly, 0, 1
    poly += 1
    for f in range(fronts):
        span = small[P_SPAN + f] + small[F_SPAN + f] - 1
        if poly + span > POLYNOMIALS:
            return FULL
        _multiply(small[P_POLY + f], small[P_SPAN + f], small[F_POLY + f], small[F_SPAN + f], poly, real)
        small[P_POLY + f + 1], small[P_SPAN + f + 1] = poly, span
        small[P_LOW + f + 1] = small[P_LOW + f] + small[F_LOW + f]
        poly += span
    for f in range(fronts - 1, 0, -1):
        span = small[A_SPAN + f + 1] + small[F_SPAN + f] - 1
        if poly + span > POLYNOMIALS:
            return FULL
        _multiply(small[A_POLY + f + 1], small[A_SPAN + f + 1], small[F_POLY + f], small[F_SPAN + f], poly, real)
        small[A_POLY + f], small[A_SPAN + f] = poly, span
        small[A_LOW + f] = small[A_LOW + f + 1] + small[F_LOW + f]
        poly += span
    low, span, all_ = small[P_LOW + fronts], small[P_SPAN + fronts], small[P_POLY + fronts]
    if poly + span > POLYNOMIALS:
        return FULL
    answer = _weigh(low, span, missing, free, board, real)
    if answer != DONE:
        return answer
    total, mined, safe = 0.0, 0.0, 0.0
    for x in range(span):
        here = real[POLY + all_ + x] * real[WEIGHT + x]
        total += here
        rest = missing - low - x
        mined += here * rest
        safe += here * (free - rest)
    real[R_SUM] = total
    if total == 0.0:
        return CLASH
    if not total < 1e290:
        return FULL
    real[R_FREE] = 0.5
    if free and missing >= 0:
        real[R_FREE] = mined / (mined + safe)
    for f in range(fronts):
        _backward(f, poly, low, small, keys, real)
    return DONE


@njit("int64(int8[::1], int8[::1], int64, int32[::1], int32[::1], int64[::1], float64[::1])", cache=True)
def odds(clue, cover, mines, board, small, keys, real):
    """The chance of every cell to be a mine, into the end of ``real``; DONE, CLASH, FULL or MISFIT.

    ``mines``  on the whole board, shown ones too; -1 where not told"""
    cells = board[B_ROWS] * board[B_COLS]
    if clue.size != cells or cover.size != cells:
        return MISFIT
    _pack(clue, cover, board, keys)
    answer = _gather(clue, board, small, keys)
    if answer == DONE:
        missing = mines
        if mines >= 0:
            for i in range(cells):
                missing -= cover[i] >> 1
        if mines >= 0 and missing < 0:
            answer = CLASH
        else:
            answer = _count(missing, board, small, keys, real)
    for s in range(board[B_SENTENCES]):
        board[BOARD_HEAD + small[S_CELL + s]] = 0
    if answer == DONE:
        free = real[R_FREE]
        for i in range(cells):
            what = np.int64(cover[i])
            real[REAL + i] = (what & 1) * free + (what >> 1)
        for at in range(BOARD_HEAD + cells, board[B_BESIDE]):
            real[REAL + board[at]] = real[CHANCE + board[at + cells]]
    return answer


@njit(cache=True)
def log_models(board, real, told):
    """The logarithm of the number of solutions after a count that was DONE; ``told``: with the number of mines."""
    total = real[R_SUM]
    free, top = board[B_FREE], board[B_TOP]
    if total <= 0.0:
        return -1e300
    if not told:
        return log(total) + free * log(2.0)
    return log(total) + lgamma(free + 1.0) - lgamma(top + 1.0) - lgamma(free - top + 1.0)
