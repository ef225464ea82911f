"""Owns the compiled census: whole games played to the end by several policies of guessing, board after board.

Imported late, by ``kernels.census`` only, for it imports numba. Read ``game_code`` first: cells, clues and ONE are its.
Readable twin, in exact numbers: ``analysis/census_reference.py``.

A game goes on like this:

1. ONE to its fixed point.
2. Every *front* (covered cells that hang together through clues) in which a clue changed since it was last counted is
   counted alone. What is certain by that is opened or flagged, and it goes on at 1. What was counted and did not change
   is kept from guess to guess.
3. The number of mines on the board: which numbers of mines in each front it leaves. What is certain by that: 1.
4. A guess is forced. Every policy names its cell; policies that name the same one play on as one game, the others
   later, from a copy of the game as it stands here.

Counting a front: cells in the same clues are one *group*. Groups are placed one after the other; a *state* is what
the clues half placed still miss, three bits each (ONE leaves none that misses more than 7), and the mines so far.
Forward every state gets the ways that lead to it; backward, per number of mines in the whole front, the ways that lead
on. Where they meet is the share of each group:

    poly[j]      solutions of the front with ``low + j`` mines
    share[g][j]  mines of group g in all of them together (``spare``: cells that are none)

Counts are sums and products of positive numbers: a share is 0 exactly where there is no such solution, and up to
2**53 all are exact. Chances are good to about 1e-13; nearer than 1e-11 counts as equal, and the first cell is taken.

Policies:

    A  any covered cell that is no flag, all equally likely, by the board's own random stream
    B  the least chance of a mine by the front's solutions alone, among the cells of the fronts
    C  the least chance of a mine by all solutions of the board, among all covered cells
    D  as C; among equals the best chance that what is opened makes another cell certainly safe: PROGRESS of
       ``solver/guess.py``, to the letter

Ties go to the first cell in reading order, C's to one in a front before all others (what it shows is of use); B with
no front left takes the first cell.

Whatever does not fit its buffer is counted in CAPPED: that front's cells then count as if no clue named them, and the
number of mines proves nothing as long as such a front is there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from autosolve.kernels import game_code as game
from autosolve.kernels.bits import apart, compiled, inlined, lowest, merged, ones, pointer
from autosolve.kernels.game_code import COVERED, FLAG, FLAGGED, FRESH, OPEN, OPENED

# policies, as bits
A, B, C, D = 1, 2, 4, 8
POLICIES = 4

# what a run adds up: all integers, so that any split into chunks adds up to the same
BOARDS, UNFORCED, WRONG, CAPPED, STATES_MADE, SURVIVAL, SURVIVALS = 0, 1, 2, 3, 4, 5, 6
GUESSES = 7  # per policy
SQUARES = GUESSES + POLICIES  # per policy: of the guesses on one board
WON = SQUARES + POLICIES  # per set of policies: boards that exactly these won
BINS = WON + (1 << POLICIES)
BIN_COUNT = 50
OUT = BINS + BIN_COUNT
SURVIVAL_UNIT = 1 << 32

# limits of one front
GROUPS = 1024
SENTENCES = 1024
CELLS = 8192
STATES = 1 << 17
EDGES = 1 << 18
TABLE = 1 << 17
BACK = 1 << 19
# of one game
FRONTS = 8192
SPANS = 1 << 14
AFTER = 1 << 20
# sizes
K_GROUPS, K_CELLS, K_REAL = 0, 1, 2

SLOTS = 17
NUMBER_BIT = 3 * SLOTS  # four bits: mines beside a cell of which it is asked what it would show
MINES_BIT = NUMBER_BIT + 4
MOST_MINES = (1 << (63 - MINES_BIT)) - 1
NUMBERS = 9

SAME = 1e-11
TRIALS = 8  # orders tried for a front that does not fit
COMPARED = 24
EXACT = float(1 << 50)

# a front's record
F_GROUP, F_GROUPS, F_CELL, F_CELLS, F_POLY, F_LOW, F_SPAN, F_BIG, F_ALIVE = range(9)
FRONT = 9
# answers of a count
NOTHING, FOUND, FULL, CLASH = 0, 1, 2, 3
# how many fronts, groups, cells and numbers are kept; where a game that waits may not free them; this game's walk
N_FRONTS, N_GROUPS, N_CELLS, N_REAL, B_FRONTS, B_GROUPS, B_CELLS, B_REAL, N_TODO, N_FORGOT = range(10)
COUNTS = 10

_HASH = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(47)


class Work(NamedTuple):
    """The buffers, inside as addresses (``_pointers``). Per cell, padded: see ``game_code``; ``at`` -1, or where a
    cell or clue stands in the front that is being counted; ``front`` 1 + the front a clue was last counted in.

    ``g_`` per group: cells, mask of its clues around the clue that found it, clues (8 a group)
    ``s_`` per clue: cell, groups (8 a clue), mines missing, cells, cells not placed yet, slot
    """

    rng: np.ndarray
    rng_a: np.ndarray
    sizes: np.ndarray
    mine: np.ndarray
    mined: np.ndarray
    clue: np.ndarray
    cover: np.ndarray
    need: np.ndarray
    hid: np.ndarray
    opn: np.ndarray
    stack: np.ndarray
    pairs: np.ndarray
    mark: np.ndarray
    tally: np.ndarray
    at: np.ndarray
    front: np.ndarray
    # the front that is being counted
    g_size: np.ndarray
    g_mask: np.ndarray
    g_deg: np.ndarray
    g_in: np.ndarray
    g_seen: np.ndarray
    g_first: np.ndarray
    s_cell: np.ndarray
    s_deg: np.ndarray
    s_of: np.ndarray
    s_need: np.ndarray
    s_size: np.ndarray
    s_left: np.ndarray
    s_slot: np.ndarray
    s_seen: np.ndarray
    c_cell: np.ndarray
    c_group: np.ndarray
    order: np.ndarray
    layer: np.ndarray
    key: np.ndarray
    forward: np.ndarray
    n_edge: np.ndarray
    n_low: np.ndarray
    e_to: np.ndarray
    hash: np.ndarray
    base: np.ndarray
    back: np.ndarray
    share: np.ndarray
    spare: np.ndarray
    poly: np.ndarray
    ways: np.ndarray
    # fronts that are kept
    counts: np.ndarray
    fronts: np.ndarray
    live: np.ndarray
    k_size: np.ndarray
    k_first: np.ndarray
    k_cell: np.ndarray
    k_group: np.ndarray
    k_real: np.ndarray
    # the board as a whole
    before: np.ndarray
    after: np.ndarray
    others: np.ndarray
    weight: np.ndarray
    place: np.ndarray
    chance: np.ndarray
    tied: np.ndarray
    todo: np.ndarray
    asked: np.ndarray
    ahead: np.ndarray
    # games that wait
    saved: np.ndarray
    saved_front: np.ndarray
    saved_live: np.ndarray
    saved_head: np.ndarray


# ---------------------------------------------------------------- one front


@inlined
def _gather(start, stride, w):
    """The front of the clue ``start`` into groups and sentences: (groups, sentences, cells), groups -1 if too many."""
    near = game.steps(stride)
    w.s_cell[0] = start
    w.at[start] = 0
    sentences, groups, cells = np.int64(1), np.int64(0), np.int64(0)
    w.s_deg[0] = 0
    s = np.int64(0)
    full = False
    while s < sentences and not full:
        p = np.int64(w.s_cell[s])
        h = np.int64(w.hid[p])
        w.s_need[s] = w.need[p]
        w.s_size[s] = ones(h)
        w.s_slot[s] = -1
        w.s_seen[s] = 0
        first = groups
        while h:
            k = lowest(h)
            h &= h - 1
            q = p + near[k]
            if w.at[q] >= 0:
                continue
            square = k + (k > 3)
            o = np.int64(w.opn[q])
            mask = game.SPREAD[o] << (square // 3 * 8 + square % 3)
            g = first
            while g < groups and w.g_mask[g] != mask:
                g += 1
            if g == groups:
                if groups == GROUPS or sentences + 8 > SENTENCES or cells + 8 > CELLS:
                    full = True
                    break
                groups += 1
                w.g_mask[g] = mask
                w.g_size[g] = 0
                w.g_seen[g] = 0
                w.g_first[g] = q
                deg = np.int64(0)
                while o:
                    n = q + near[lowest(o)]
                    o &= o - 1
                    t = np.int64(w.at[n])
                    if t < 0:
                        t = sentences
                        w.at[n] = t
                        w.s_cell[t] = n
                        w.s_deg[t] = 0
                        sentences += 1
                    w.g_in[8 * g + deg] = t
                    w.s_of[8 * t + w.s_deg[t]] = g
                    w.s_deg[t] += 1
                    deg += 1
                w.g_deg[g] = deg
            w.g_size[g] += 1
            w.g_first[g] = min(w.g_first[g], q)
            w.at[q] = g
            w.c_cell[cells] = q
            w.c_group[cells] = g
            cells += 1
        s += 1
    for t in range(sentences):
        w.at[w.s_cell[t]] = -1
    for c in range(cells):
        w.at[w.c_cell[c]] = -1
    return (np.int64(-1) if full else groups), sentences, cells


@inlined
def _order(groups, w):
    """The order of placing: breadth first from an end, which keeps few clues half placed along a front."""
    if groups < 3:
        for g in range(groups):
            w.order[g] = g
        return
    # the group found last is far from where the search began
    w.order[0] = groups - 1
    w.g_seen[groups - 1] = 1
    size, i = 1, 0
    while i < size:
        g = w.order[i]
        i += 1
        for k in range(8 * g, 8 * g + w.g_deg[g]):
            s = w.g_in[k]
            if not w.s_seen[s]:
                w.s_seen[s] = 1
                for j in range(8 * s, 8 * s + w.s_deg[s]):
                    h = w.s_of[j]
                    if not w.g_seen[h]:
                        w.g_seen[h] = 1
                        w.order[size] = h
                        size += 1


@inlined
def _order_narrow(groups, sentences, start, w):
    """Another order, for a front too broad for the first one: from the group ``start`` on, always next the group that
    leaves fewest clues half placed, and of equals the one that has waited longest."""
    for s in range(sentences):
        w.s_left[s] = 0  # groups placed
        w.s_slot[s] = -1
        w.s_seen[s] = 0
    for g in range(groups):
        w.g_seen[g] = 0
    w.g_seen[start] = 1
    w.order[0] = start
    waiting, place = np.int64(1), np.int64(0)
    while place < waiting:
        best, best_more = place, np.int64(1) << 30
        for i in range(place, waiting):
            g = np.int64(w.order[i])
            more = np.int64(0)
            for k in range(8 * g, 8 * g + w.g_deg[g]):
                s = w.g_in[k]
                if w.s_left[s] == 0:
                    more += 1
                if w.s_left[s] + 1 == w.s_deg[s]:
                    more -= 1
            if more < best_more:
                best, best_more = i, more
        g = np.int64(w.order[best])
        for i in range(best, place, -1):
            w.order[i] = w.order[i - 1]
        w.order[place] = g
        place += 1
        for k in range(8 * g, 8 * g + w.g_deg[g]):
            s = w.g_in[k]
            w.s_left[s] += 1
            if not w.s_seen[s]:
                w.s_seen[s] = 1
                for j in range(8 * s, 8 * s + w.s_deg[s]):
                    h = w.s_of[j]
                    if not w.g_seen[h]:
                        w.g_seen[h] = 1
                        w.order[waiting] = h
                        waiting += 1


@inlined
def _forward(groups, sentences, asked, w):
    """Places the groups; how many states that made, 0 where there is no room, -1 without a solution. ``asked``: the
    first sentence misses nothing known; how many mines it gets is kept in the state instead."""
    for s in range(sentences):
        w.s_left[s] = w.s_size[s]
    w.key[0] = 0
    w.forward[0] = 1.0
    first, after, edge = np.int64(0), np.int64(1), np.int64(0)
    used = np.int64(0)
    shifts = np.int64(0)  # of this group's sentences, a byte each; and their cells to come
    lefts = np.int64(0)
    for place in range(groups):
        g = np.int64(w.order[place])
        size = np.int64(w.g_size[g])
        w.layer[place] = first
        opened = np.int64(0)
        delta = np.int64(1) << MINES_BIT
        shifts, lefts, deg = np.int64(0), np.int64(0), np.int64(0)
        done = np.int64(0)
        for k in range(8 * g, 8 * g + w.g_deg[g]):
            s = np.int64(w.g_in[k])
            if asked and s == 0:
                delta += np.int64(1) << NUMBER_BIT
                continue
            slot = np.int64(w.s_slot[s])
            if slot < 0:
                slot = lowest(~used)
                if slot >= SLOTS:
                    return np.int64(0)
                used |= np.int64(1) << slot
                w.s_slot[s] = slot
                opened += np.int64(w.s_need[s]) << (3 * slot)
            w.s_left[s] -= size
            if w.s_left[s] == 0:
                done |= np.int64(1) << slot
            delta -= np.int64(1) << (3 * slot)
            shifts |= (3 * slot) << (8 * deg)
            lefts |= np.int64(w.s_left[s]) << (8 * deg)
            deg += 1
        used &= ~done
        begin = after
        bound = (size + 1) * (begin - first)
        if after + bound > STATES or edge + bound > EDGES:
            return np.int64(0)
        # a few states are searched one by one, many by a table at most half full
        many = bound > 12
        room = np.int64(64)
        if many:
            while room < 2 * bound:
                room *= 2
            if room > TABLE:
                return np.int64(0)
            w.base[0] += STATES
        table = w.base[0]
        for here in range(first, begin):
            at = w.key[here] + opened
            low, high = np.int64(0), size
            sh, le = shifts, lefts
            for _ in range(deg):
                miss = (at >> (sh & 63)) & 7
                high = min(high, miss)
                low = max(low, miss - (le & 15))
                sh >>= 8
                le >>= 8
            w.n_edge[here] = edge
            w.n_low[here] = low
            number = w.forward[here]
            to = at + low * delta
            for k in range(low, high + 1):
                if many:
                    h = np.int64((np.uint64(to) * _HASH) >> _SHIFT) & (room - 1)
                    while True:
                        found = w.hash[h] - table
                        if found < begin:
                            found = after
                            w.hash[h] = table + found
                            break
                        if w.key[found] == to:
                            break
                        h = (h + 1) & (room - 1)
                else:
                    found = begin
                    while found < after and w.key[found] != to:
                        found += 1
                if found == after:
                    w.key[found] = to
                    w.forward[found] = 0.0
                    after += 1
                w.forward[found] += number * w.ways[10 * size + k]
                w.e_to[edge] = found
                edge += 1
                to += delta
        if after == begin:
            return np.int64(-1)
        first = begin
        if place == groups - 1:
            break
    w.layer[groups] = first
    w.n_edge[first] = edge
    return after


@inlined
def _backward(groups, states, asked, w):
    """The way back: (least mines, numbers of mines, whether counts may be too large to be exact), numbers 0 where there
    is no room. ``poly`` and ``share`` are told per number the asked cell shows and number of mines, else per mines."""
    first = np.int64(w.layer[groups])
    low, high = np.int64(MOST_MINES), np.int64(0)
    for f in range(first, states):
        mines = w.key[f] >> MINES_BIT
        low, high = min(low, mines), max(high, mines)
    mines_span = high - low + 1
    span = mines_span * NUMBERS if asked else mines_span
    if (groups + 1) * span > BACK:
        return low, np.int64(0), False
    for j in range(span):
        w.poly[j] = 0.0
    now, then = np.int64(0), np.int64(BACK)
    if (states - first) * span > BACK:
        return low, np.int64(0), False
    total = 0.0
    for f in range(first, states):
        j = (w.key[f] >> MINES_BIT) - low
        if asked:
            j += ((w.key[f] >> NUMBER_BIT) & 15) * mines_span
        w.poly[j] = w.forward[f]
        total += w.forward[f]
        for i in range(span):
            w.back[now + (f - first) * span + i] = 0.0
        w.back[now + (f - first) * span + j] = 1.0
    big = total > EXACT
    for place in range(groups - 1, -1, -1):
        g = np.int64(w.order[place])
        size = np.int64(w.g_size[g])
        begin, end = np.int64(w.layer[place]), np.int64(w.layer[place + 1])
        if (end - begin) * span > BACK:
            return low, np.int64(0), False
        now, then = then, now
        share = g * span
        for j in range(share, share + span):
            w.share[j] = 0.0
            w.spare[j] = 0.0
        for here in range(begin, end):
            k = np.int64(w.n_low[here])
            number = w.forward[here]
            row = now + (here - begin) * span
            for j in range(span):
                w.back[row + j] = 0.0
            for e in range(w.n_edge[here], w.n_edge[here + 1]):
                ways = w.ways[10 * size + k]
                to = then + (w.e_to[e] - end) * span
                mined = number * ways * k
                for j in range(span):
                    ahead = w.back[to + j]
                    w.back[row + j] += ways * ahead
                    w.share[share + j] += mined * ahead
                if big:
                    clear = number * ways * (size - k)
                    for j in range(span):
                        w.spare[share + j] += clear * w.back[to + j]
                k += 1
    return low, mines_span, big


@merged
def _certain(q, mine, w):
    """Puts a cell on the list of those to be opened or flagged."""
    w.todo[w.counts[N_TODO]] = 2 * q + mine
    w.counts[N_TODO] += 1


@inlined
def _forget(rows, cols, w):
    """Frees the fronts that no waiting game needs; those of this game are to be counted again."""
    stride = cols + 2
    w.counts[N_FORGOT] = 1
    for i in range(w.live[0]):
        w.fronts[FRONT * w.live[1 + i] + F_ALIVE] = 0
    w.live[0] = 0
    for n in range(4):
        w.counts[N_FRONTS + n] = w.counts[B_FRONTS + n]
    for p in range(stride + 1, (rows + 1) * stride - 1):
        w.front[p] = 0
        if w.cover[p] == OPEN and w.hid[p] and w.mark[p] != 1:
            if w.mark[p] == 0:
                w.pairs[w.tally[FRESH]] = p
                w.tally[FRESH] += 1
            w.mark[p] = 1


@apart
def _keep(groups, sentences, cells, low, span, big, rows, cols, w):
    """Keeps the front just counted, until one of its clues changes; False where there is no room even so."""
    numbers = span * (1 + groups * (2 if big else 1))
    for trial in range(2):
        c = w.counts
        fits = c[N_FRONTS] < FRONTS and c[N_GROUPS] + groups <= w.sizes[K_GROUPS]
        if fits and c[N_CELLS] + cells <= w.sizes[K_CELLS] and c[N_REAL] + numbers <= w.sizes[K_REAL]:
            break
        # forgetting twice with nothing found in between would never end: they do not all fit
        if trial or w.counts[N_FORGOT]:
            return False
        _forget(rows, cols, w)
    f = np.int64(w.counts[N_FRONTS])
    at = f * FRONT
    group, cell, real = np.int64(w.counts[N_GROUPS]), np.int64(w.counts[N_CELLS]), np.int64(w.counts[N_REAL])
    w.fronts[at + F_GROUP], w.fronts[at + F_GROUPS] = group, groups
    w.fronts[at + F_CELL], w.fronts[at + F_CELLS] = cell, cells
    w.fronts[at + F_POLY], w.fronts[at + F_LOW], w.fronts[at + F_SPAN] = real, low, span
    w.fronts[at + F_BIG], w.fronts[at + F_ALIVE] = big, 1
    for g in range(groups):
        w.k_size[group + g] = w.g_size[g]
        w.k_first[group + g] = w.g_first[g]
    for k in range(cells):
        w.k_cell[cell + k] = w.c_cell[k]
        w.k_group[cell + k] = w.c_group[k]
    for j in range(span):
        w.k_real[real + j] = w.poly[j]
    real += span
    for j in range(groups * span):
        w.k_real[real + j] = w.share[j]
    if big:
        for j in range(groups * span):
            w.k_real[real + groups * span + j] = w.spare[j]
    w.counts[N_FRONTS] += 1
    w.counts[N_GROUPS] += groups
    w.counts[N_CELLS] += cells
    w.counts[N_REAL] += numbers
    w.live[1 + w.live[0]] = f
    w.live[0] += 1
    for s in range(sentences):
        w.front[w.s_cell[s]] = f + 1
    return True


@apart
def _solve(start, stride, asked, w):
    """The front of the clue ``start``, counted: (groups, clues, cells, least mines, numbers of mines, whether counts
    may be too large to be exact, states). No numbers of mines where there is no room; -1 states without a solution."""
    groups, sentences, cells = _gather(start, stride, w)
    low, span, big, states = np.int64(0), np.int64(0), False, np.int64(0)
    if groups > 0:
        _order(groups, w)
        end = np.int64(w.order[groups - 1])
        trial = np.int64(0)
        while True:
            states = _forward(groups, sentences, asked, w)
            if states > 0:
                low, span, big = _backward(groups, states, asked, w)
            if states < 0 or span > 0 or trial == TRIALS:
                break
            # from both ends, then from groups in between
            start = groups - 1 if trial == 0 else (end if trial == 1 else trial * groups // TRIALS - 1)
            _order_narrow(groups, sentences, start, w)
            trial += 1
    return groups, sentences, cells, low, span, big, states


@merged
def _count(start, rows, cols, w, out):
    """Counts the front of the clue ``start`` alone. FOUND: what was certain is done. NOTHING: it is kept."""
    groups, sentences, cells, low, span, big, states = _solve(start, cols + 2, np.int64(0), w)
    for s in range(sentences):
        p = w.s_cell[s]
        if w.front[p]:
            w.fronts[FRONT * (w.front[p] - 1) + F_ALIVE] = 0
            w.front[p] = 0
        if w.mark[p]:
            w.mark[p] = 2
    if states < 0:
        return CLASH
    out[STATES_MADE] += states
    if span == 0:
        out[CAPPED] += 1
        w.g_size[0] = 0
        return NOTHING if _keep(max(groups, np.int64(0)), sentences, cells, low, span, big, rows, cols, w) else FULL
    found = False
    for g in range(groups):
        size = np.int64(w.g_size[g])
        safe, mine = True, True
        for j in range(g * span, g * span + span):
            safe = safe and w.share[j] == 0.0
            if big:
                mine = mine and w.spare[j] == 0.0
            else:
                mine = mine and w.share[j] == size * w.poly[j - g * span]
        w.g_seen[g] = 1 if safe else (2 if mine else 0)
        found = found or safe or mine
    if found:
        for k in range(cells):
            what = w.g_seen[w.c_group[k]]
            if what:
                _certain(w.c_cell[k], what == 2, w)
        return FOUND
    if not _keep(groups, sentences, cells, low, span, big, rows, cols, w):
        out[CAPPED] += 1
        return NOTHING if _keep(groups * 0, sentences, groups * 0, low, span * 0, big, rows, cols, w) else FULL
    return NOTHING


# ---------------------------------------------------------------- the board as a whole


@merged
def _sweep(w):
    """Drops the fronts that are no more; (least mines in all of them, most, their cells, whether one is blind)."""
    low, high, cells, blind, n = np.int64(0), np.int64(0), np.int64(0), False, np.int64(0)
    for i in range(w.live[0]):
        f = np.int64(w.live[1 + i])
        at = FRONT * f
        alive = w.fronts[at + F_ALIVE] != 0
        if alive and w.fronts[at + F_CELLS]:
            alive = w.cover[w.k_cell[w.fronts[at + F_CELL]]] == COVERED
        if not alive:
            w.fronts[at + F_ALIVE] = 0
            continue
        n += 1
        w.live[n] = f
        if w.fronts[at + F_SPAN] == 0:
            blind = True
            continue
        low += w.fronts[at + F_LOW]
        high += w.fronts[at + F_LOW] + w.fronts[at + F_SPAN] - 1
        cells += w.fronts[at + F_CELLS]
    w.live[0] = n
    return low, high, cells, blind


@inlined
def _value(at, sign, w):
    """A number of solutions; where only the sign matters, 0 or 1."""
    x = w.k_real[at]
    if sign:
        return 1.0 if x > 0.0 else 0.0
    return x


@inlined
def _times(a, a_size, a_at, f, sign, to, to_at, w):
    """The numbers ``a`` times the front ``f``'s, into ``to``; scaled so that they stay in range."""
    at, span = np.int64(w.fronts[FRONT * f + F_POLY]), np.int64(w.fronts[FRONT * f + F_SPAN])
    for x in range(a_size + span - 1):
        to[to_at + x] = 0.0
    for y in range(span):
        v = _value(at + y, sign, w)
        for x in range(a_size):
            to[to_at + x + y] += a[a_at + x] * v
    most = 0.0
    for x in range(a_size + span - 1):
        most = max(most, to[to_at + x])
    for x in range(a_size + span - 1):
        if sign:
            to[to_at + x] = 1.0 if to[to_at + x] > 0.0 else 0.0
        elif most > 1e30:
            to[to_at + x] /= most


@inlined
def _weights(low, span, missing, free, sign, w):
    """Ways to fill the free cells for ``low + y`` mines in the fronts, in parts of the most; the sign of it only, where
    asked."""
    for y in range(span):
        rest = missing - low - y
        w.weight[y] = 1.0 if 0 <= rest <= free else 0.0
    if sign:
        return
    most, least = min(free, missing - low), max(np.int64(0), missing - low - span + 1)
    top = min(max(free // 2, least), most)
    here = 1.0
    for r in range(top, least, -1):
        here *= r / (free - r + 1)
        w.weight[missing - low - r + 1] = here
    here = 1.0
    for r in range(top, most):
        here *= (free - r) / (r + 1)
        w.weight[missing - low - r - 1] = here


@inlined
def _chains(sign, w):
    """All fronts from each one on, multiplied: into ``after``, row by row (``place``). False where there is no room."""
    n = np.int64(w.live[0])
    room = np.int64(1)
    span = np.int64(1)
    w.after[0] = 1.0
    w.place[2 * n], w.place[2 * n + 1] = 0, 1
    for i in range(n - 1, -1, -1):
        f = np.int64(w.live[1 + i])
        own = np.int64(w.fronts[FRONT * f + F_SPAN])
        if own == 0:
            w.place[2 * i], w.place[2 * i + 1] = w.place[2 * i + 2], span
            continue
        if room + span + own > AFTER:
            return False
        _times(w.after, span, np.int64(w.place[2 * i + 2]), f, sign, w.after, room, w)
        w.place[2 * i] = room
        span += own - 1
        w.place[2 * i + 1] = span
        room += span
    return 2 * span < SPANS


@apart
def _by_total(low, high, cells, rows, cols, mines, w):
    """What the number of mines on the board makes certain: listed in ``todo``. FOUND, NOTHING, FULL or CLASH."""
    missing = mines - w.tally[FLAGGED]
    free = rows * cols - w.tally[OPENED] - w.tally[FLAGGED] - cells
    # every number of mines goes: nothing new about the fronts, and something about the rest only if there is but one
    any_number = missing - free <= low and high <= missing
    if any_number and (low != high or free == 0 or 0 < missing - low < free):
        return NOTHING
    if not _chains(True, w):
        return FULL
    n = np.int64(w.live[0])
    span = high - low + 1
    _weights(low, span, missing, free, True, w)
    # the rest first: how many mines it can have
    fewest, most = np.int64(1) << 40, np.int64(-1)
    for y in range(span):
        if w.after[w.place[0] + y] > 0.0 and w.weight[y] > 0.0:
            fewest, most = min(fewest, missing - low - y), max(most, missing - low - y)
    if most < 0:
        return CLASH
    # listed before anything is opened, which would give them clues
    rest_cells = _rest(rows, cols, w) if free and (most == 0 or fewest == free) else np.int64(0)
    found = False
    side, size = np.int64(0), np.int64(1)
    w.before[0] = 1.0
    half = SPANS // 2
    for i in range(n):
        f = FRONT * np.int64(w.live[1 + i])
        own, groups = np.int64(w.fronts[f + F_SPAN]), np.int64(w.fronts[f + F_GROUPS])
        rest, at = np.int64(w.place[2 * i + 3]), np.int64(w.place[2 * i + 2])
        for x in range(size + rest - 1):
            w.others[x] = 0.0
        for x in range(size):
            for y in range(rest):
                w.others[x + y] += w.before[side + x] * w.after[at + y]
        for j in range(own):
            w.chance[j] = 0.0
            for x in range(size + rest - 1):
                w.chance[j] += w.others[x] * w.weight[x + j]
        poly = np.int64(w.fronts[f + F_POLY])
        for g in range(groups):
            share = poly + own * (1 + g)
            cell_count = np.int64(w.k_size[w.fronts[f + F_GROUP] + g])
            safe, mine = True, True
            for j in range(own):
                if w.chance[j] > 0.0:
                    safe = safe and w.k_real[share + j] == 0.0
                    if w.fronts[f + F_BIG]:
                        mine = mine and w.k_real[share + own * groups + j] == 0.0
                    else:
                        mine = mine and w.k_real[share + j] == cell_count * w.k_real[poly + j]
            if safe or mine:
                found = True
                for k in range(w.fronts[f + F_CELL], w.fronts[f + F_CELL] + w.fronts[f + F_CELLS]):
                    if w.k_group[k] == g:
                        _certain(w.k_cell[k], mine, w)
        other = half - side
        _times(w.before, size, side, np.int64(w.live[1 + i]), True, w.before, other, w)
        side = other
        size += own - 1
    if rest_cells:
        for k in range(rest_cells):
            _certain(w.tied[k], fewest > 0, w)
        found = True
    return FOUND if found else NOTHING


@inlined
def _rest(rows, cols, w):
    """The covered cells beside no clue, into ``tied``; how many."""
    stride = cols + 2
    n = np.int64(0)
    for p in range(stride + 1, (rows + 1) * stride - 1):
        if w.cover[p] == COVERED and w.opn[p] == 0:
            w.tied[n] = p
            n += 1
    return n


@merged
def _first_rest(rows, cols, w):
    """The first covered cell that no front counted has, -1 for none."""
    stride = cols + 2
    first = np.int64(-1)
    for p in range(stride + 1, (rows + 1) * stride - 1):
        if w.cover[p] == COVERED and w.opn[p] == 0:
            first = p
            break
    for i in range(w.live[0]):
        f = FRONT * np.int64(w.live[1 + i])
        if w.fronts[f + F_SPAN] == 0:
            for s in range(w.fronts[f + F_CELL], w.fronts[f + F_CELL] + w.fronts[f + F_CELLS]):
                if first < 0 or w.k_cell[s] < first:
                    first = np.int64(w.k_cell[s])
    return first


@merged
def _random(rows, cols, w):
    """A: any covered cell."""
    stride = cols + 2
    left = game.below(rows * cols - w.tally[OPENED] - w.tally[FLAGGED], w.rng_a)
    for p in range(stride + 1, (rows + 1) * stride - 1):
        if w.cover[p] == COVERED:
            if left == 0:
                return np.int64(p)
            left -= 1
    return np.int64(-1)


@inlined
def _least_alone(rows, cols, w):
    """B: the least chance by each front alone."""
    best, cell = 2.0, np.int64(-1)
    for i in range(w.live[0]):
        f = FRONT * np.int64(w.live[1 + i])
        span, poly = np.int64(w.fronts[f + F_SPAN]), np.int64(w.fronts[f + F_POLY])
        if span == 0:
            continue
        total = 0.0
        for j in range(span):
            total += w.k_real[poly + j]
        for g in range(w.fronts[f + F_GROUPS]):
            mined = 0.0
            for j in range(span):
                mined += w.k_real[poly + span * (1 + g) + j]
            chance = mined / (total * w.k_size[w.fronts[f + F_GROUP] + g])
            first = np.int64(w.k_first[w.fronts[f + F_GROUP] + g])
            if chance < best - SAME or (chance <= best + SAME and first < cell):
                best, cell = chance, first
    return cell if cell >= 0 else _first_rest(rows, cols, w)


@apart
def _chances(low, high, cells, rows, cols, mines, w):
    """The chance of every group by all solutions of the board, into ``chance``, group after group of the live fronts;
    (the chance of the cells in no front, whether it was worked out)."""
    missing = mines - w.tally[FLAGGED]
    free = rows * cols - w.tally[OPENED] - w.tally[FLAGGED] - cells
    n = np.int64(w.live[0])
    if not _chains(False, w):
        return 0.0, False
    span = high - low + 1
    _weights(low, span, missing, free, False, w)
    rest_chance = 2.0
    if free:
        total, mined = 0.0, 0.0
        for y in range(span):
            here = w.after[w.place[0] + y] * w.weight[y]
            total += here
            mined += here * (missing - low - y)
        rest_chance = mined / (total * free)
    side, size = np.int64(0), np.int64(1)
    w.before[0] = 1.0
    half = SPANS // 2
    to = np.int64(0)
    for i in range(n):
        f = FRONT * np.int64(w.live[1 + i])
        own, groups = np.int64(w.fronts[f + F_SPAN]), np.int64(w.fronts[f + F_GROUPS])
        if own == 0:
            continue
        rest, at = np.int64(w.place[2 * i + 3]), np.int64(w.place[2 * i + 2])
        for x in range(size + rest - 1):
            w.others[x] = 0.0
        for x in range(size):
            for y in range(rest):
                w.others[x + y] += w.before[side + x] * w.after[at + y]
        poly = np.int64(w.fronts[f + F_POLY])
        total = 0.0
        for j in range(own):
            ways = 0.0
            for x in range(size + rest - 1):
                ways += w.others[x] * w.weight[x + j]
            w.poly[j] = ways
            total += ways * w.k_real[poly + j]
        for g in range(groups):
            mined = 0.0
            for j in range(own):
                mined += w.poly[j] * w.k_real[poly + own * (1 + g) + j]
            w.chance[to] = mined / (total * w.k_size[w.fronts[f + F_GROUP] + g])
            to += 1
        other = half - side
        _times(w.before, size, side, np.int64(w.live[1 + i]), False, w.before, other, w)
        side = other
        size += own - 1
    return rest_chance, True


@inlined
def _least(rest_chance, rows, cols, w):
    """C: the least chance of all: (chance, the cell to open)."""
    best, cell = rest_chance, np.int64(-1)
    to = np.int64(0)
    for i in range(w.live[0]):
        f = FRONT * np.int64(w.live[1 + i])
        if w.fronts[f + F_SPAN]:
            for _ in range(w.fronts[f + F_GROUPS]):
                best = min(best, w.chance[to])
                to += 1
    to = 0
    for i in range(w.live[0]):
        f = FRONT * np.int64(w.live[1 + i])
        if w.fronts[f + F_SPAN]:
            for g in range(w.fronts[f + F_GROUP], w.fronts[f + F_GROUP] + w.fronts[f + F_GROUPS]):
                if w.chance[to] <= best + SAME and (cell < 0 or w.k_first[g] < cell):
                    cell = np.int64(w.k_first[g])
                to += 1
    if cell < 0:
        cell = _first_rest(rows, cols, w)
    return best, cell


@inlined
def _ask(x, opened, stride, w):
    """Opens a cell without looking at its number, or covers it again."""
    bit = np.int64(128)
    for d in game.steps(stride):
        n = x + d
        if opened:
            w.hid[n] &= ~bit
            w.opn[n] |= bit
        else:
            w.hid[n] |= bit
            w.opn[n] &= ~bit
        bit >>= 1
    w.cover[x] = OPEN if opened else COVERED
    w.tally[OPENED] += 1 if opened else -1


@inlined
def _retire(sentences, w):
    """Marks the clues of the front just counted as seen, and the fronts they were in as gone."""
    for s in range(sentences):
        p = w.s_cell[s]
        w.mark[p] = 1
        if w.front[p]:
            w.fronts[FRONT * (w.front[p] - 1) + F_ALIVE] = 0


@inlined
def _stow(row, groups, cells, low, own, span, big, w):
    """Puts ``own`` numbers of mines, from ``row`` on, of the front just counted where fronts are kept, for a moment
    only: its number, -1 where there is no room. ``span``: numbers in a row of the scratch arrays."""
    c = w.counts
    fits = c[N_FRONTS] < FRONTS and c[N_GROUPS] + groups <= w.sizes[K_GROUPS] and c[N_CELLS] + cells <= w.sizes[K_CELLS]
    if not fits or c[N_REAL] + own * (1 + 2 * groups) > w.sizes[K_REAL]:
        return np.int64(-1)
    f = np.int64(c[N_FRONTS])
    at = f * FRONT
    group, cell, real = np.int64(c[N_GROUPS]), np.int64(c[N_CELLS]), np.int64(c[N_REAL])
    w.fronts[at + F_GROUP], w.fronts[at + F_GROUPS] = group, groups
    w.fronts[at + F_CELL], w.fronts[at + F_CELLS] = cell, cells
    w.fronts[at + F_POLY], w.fronts[at + F_LOW], w.fronts[at + F_SPAN] = real, low, own
    w.fronts[at + F_BIG], w.fronts[at + F_ALIVE] = big, 1
    for g in range(groups):
        w.k_size[group + g] = w.g_size[g]
        for j in range(own):
            w.k_real[real + own * (1 + g) + j] = w.share[g * span + row + j]
            if big:
                w.k_real[real + own * (1 + groups + g) + j] = w.spare[g * span + row + j]
    for k in range(cells):
        w.k_cell[cell + k] = w.c_cell[k]
        w.k_group[cell + k] = w.c_group[k]
    for j in range(own):
        w.k_real[real + j] = w.poly[row + j]
    c[N_FRONTS] += 1
    c[N_GROUPS] += groups
    c[N_CELLS] += cells
    c[N_REAL] += own * (1 + groups * (2 if big else 1))
    return f


@inlined
def _clears(row, own, groups, span, w):
    """Whether a group of the front just counted has no mine in any solution of a row that has solutions."""
    some = False
    for g in range(groups):
        mined = 0.0
        for j in range(own):
            mined += w.share[g * span + row + j]
        some = some or mined == 0.0
    return some


@apart
def _gain(x, rows, cols, mines, w):
    """The chance that the covered cell ``x``, if it is no mine, makes another cell certainly safe; -1 for no room.

    What it would show is left open: its covered neighbours are a sentence that misses an unknown number, and one count
    of the front tells them all apart."""
    stride = cols + 2
    keep = POLICIES  # a place of its own among the games that wait
    n = np.int64(w.live[0])
    for i in range(n + 1):
        w.saved_live[keep * (FRONTS + 2) + i] = w.live[i]
    for i in range(4):
        w.saved_head[8 * keep + 4 + i] = w.counts[N_FRONTS + i]
    _ask(x, True, stride, w)
    room = True
    clears = False
    asked_low, asked_span = np.int64(0), np.int64(1)
    pieces = np.int64(0)  # fronts that come of taking the cell away, kept behind the others
    # the clues beside the cell first: their fronts, in as far as they do not hang together with its own neighbours
    groups, sentences, cells, low, span, big, _ = _solve(x, stride, np.int64(1), w)
    mine_groups, mine_cells = groups, cells
    if groups > 0:
        room = span > 0
        asked_low, asked_span = low, span
    _retire(sentences, w)
    # a row per number shown: stowed as one front each, so that the total can rule on each
    width = asked_span * NUMBERS
    first_asked = np.int64(w.counts[N_FRONTS])
    asked_clears = np.int64(0)
    asked_some = np.int64(0)
    if groups > 0 and room:
        for number in range(NUMBERS):
            begin, end = np.int64(0), asked_span
            while begin < end and w.poly[number * asked_span + begin] == 0.0:
                begin += 1
            while begin < end and w.poly[number * asked_span + end - 1] == 0.0:
                end -= 1
            f = _stow(number * asked_span + begin, groups, cells, low + begin, end - begin, width, big, w)
            room = room and f >= 0
            if begin < end:
                asked_some |= np.int64(1) << number
                if _clears(number * asked_span + begin, end - begin, groups, width, w):
                    asked_clears |= np.int64(1) << number
    elif groups < 0:
        room = False
    else:
        # no covered neighbour: what it shows is known
        asked_some = np.int64(1)
        mine_groups, mine_cells = np.int64(0), np.int64(0)
        w.poly[0] = 1.0
        f = _stow(np.int64(0), mine_groups, mine_cells, np.int64(0), np.int64(1), np.int64(1), big, w)
        room = f >= 0
    first_piece = np.int64(w.counts[N_FRONTS])
    for d in game.steps(stride):
        p = x + d
        if room and w.cover[p] == OPEN and w.hid[p] and not w.mark[p]:
            groups, sentences, cells, low, span, big, _ = _solve(p, stride, np.int64(0), w)
            _retire(sentences, w)
            room = span > 0 and _stow(np.int64(0), groups, cells, low, span, span, big, w) >= 0
            clears = clears or (room and _clears(np.int64(0), span, groups, span, w))
            pieces += 1
    gain = -1.0
    if room:
        # the fronts of this position, the asked one last: first place is kept free for it
        count = np.int64(0)
        low, high, cells = np.int64(0), np.int64(0), np.int64(0)
        for i in range(n):
            f = np.int64(w.saved_live[keep * (FRONTS + 2) + 1 + i])
            if w.fronts[FRONT * f + F_ALIVE]:
                count += 1
                w.live[1 + count] = f
        for f in range(first_piece, first_piece + pieces):
            count += 1
            w.live[1 + count] = f
        for i in range(count):
            at = FRONT * np.int64(w.live[2 + i])
            low += w.fronts[at + F_LOW]
            high += w.fronts[at + F_LOW] + w.fronts[at + F_SPAN] - 1
            cells += w.fronts[at + F_CELLS]
        cells += mine_cells
        missing = mines - w.tally[FLAGGED]
        covered = rows * cols - w.tally[OPENED] - w.tally[FLAGGED]
        free = covered - cells
        for i in range(count):
            w.live[1 + i] = w.live[2 + i]
        w.live[0] = count
        room = _chains(False, w)
        if room:
            others = high - low + 1
            span = others + asked_span - 1
            _weights(low + asked_low, span, missing, free, False, w)
            at = np.int64(w.place[0])
            alive, good = 0.0, 0.0
            for y in range(others):
                w.others[y] = w.after[at + y]
            for j in range(asked_span):
                ways = 0.0
                for y in range(others):
                    ways += w.others[y] * w.weight[j + y]
                w.ahead[j] = ways
            for i in range(count - 1, -1, -1):
                w.live[2 + i] = w.live[1 + i]
            w.live[0] = count + 1
            for number in range(NUMBERS):
                if not asked_some >> number & 1:
                    continue
                f = first_asked + number
                head = FRONT * f
                begin = np.int64(w.fronts[head + F_LOW]) - asked_low
                own = np.int64(w.fronts[head + F_SPAN])
                here = 0.0
                for j in range(own):
                    here += w.k_real[w.fronts[head + F_POLY] + j] * w.ahead[begin + j]
                alive += here
                if here == 0.0:
                    continue
                better = clears or (asked_clears >> number & 1) != 0 or missing == covered
                if not better:
                    w.live[1] = f
                    least = low + w.fronts[head + F_LOW]
                    _by_total(least, high + w.fronts[head + F_LOW] + own - 1, cells, rows, cols, mines, w)
                    for i in range(w.counts[N_TODO]):
                        better = better or not w.todo[i] & 1
                    w.counts[N_TODO] = 0
                if better:
                    good += here
            gain = good / alive
    # everything as it was
    for p in range((rows + 2) * stride):
        w.mark[p] = 0
    _ask(x, False, stride, w)
    for i in range(n + 1):
        w.live[i] = w.saved_live[keep * (FRONTS + 2) + i]
    for i in range(n):
        w.fronts[FRONT * w.live[1 + i] + F_ALIVE] = 1
    for i in range(4):
        w.counts[N_FRONTS + i] = w.saved_head[8 * keep + 4 + i]
    return gain


@inlined
def _around(p, rows, cols, w):
    """Neighbours that are not open."""
    stride = cols + 2
    count = np.int64(0)
    for d in game.steps(stride):
        count += w.cover[p + d] == COVERED or w.cover[p + d] == FLAG
    return count


@merged
def _by_progress(least, rest_chance, first, rows, cols, mines, w, out):
    """D: among the cells of the least chance the one with the best gain."""
    stride = cols + 2
    to = np.int64(0)
    blind = False
    for i in range(w.live[0]):
        f = FRONT * np.int64(w.live[1 + i])
        if w.fronts[f + F_SPAN]:
            for k in range(w.fronts[f + F_CELL], w.fronts[f + F_CELL] + w.fronts[f + F_CELLS]):
                w.mark[w.k_cell[k]] = w.chance[to + w.k_group[k]] <= least + SAME
            to += w.fronts[f + F_GROUPS]
        else:
            blind = True
    rest = rest_chance <= least + SAME
    tied = np.int64(0)
    for p in range(stride + 1, (rows + 1) * stride - 1):
        if w.mark[p] or (rest and w.cover[p] == COVERED and w.opn[p] == 0):
            w.asked[tied] = p
            tied += 1
        w.mark[p] = 0
    best, cell = -1.0, first
    if tied < 2 or blind:
        return cell
    compared = np.int64(0)
    for around in range(8, -1, -1):
        for k in range(tied):
            p = np.int64(w.asked[k])
            if compared < COMPARED and _around(p, rows, cols, w) == around:
                compared += 1
                gain = _gain(p, rows, cols, mines, w)
                if gain < 0.0:
                    out[CAPPED] += 1
                elif gain > best + SAME:
                    best, cell = gain, p
    return cell


# ---------------------------------------------------------------- games

WIN, STUCK, BROKEN, LEFT = 0, 1, 2, 3
GIVEN = -1


@merged
def _advance(rows, cols, mines, w, out):
    """Everything certain, until the game is won or a guess is forced: (how it stands, least and most mines in all
    fronts, their cells)."""
    stride = cols + 2
    while True:
        for i in range(w.counts[N_TODO]):
            p = np.int64(w.todo[i] >> 1)
            if w.todo[i] & 1:
                game.flag_cell(p, True, stride, w.cover, w.need, w.hid, w.stack, w.pairs, w.mark, w.tally)
            else:
                game.open_cell(p, True, stride, w.cover, w.need, w.hid, w.opn, w.stack, w.pairs, w.mark, w.tally)
        w.counts[N_TODO] = 0
        w.counts[N_FORGOT] = 0
        game.one(True, stride, w.cover, w.need, w.hid, w.opn, w.stack, w.pairs, w.mark, w.tally)
        if w.tally[OPENED] >= rows * cols - mines:
            return WIN, np.int64(0), np.int64(0), np.int64(0)
        answer = NOTHING
        while w.tally[FRESH] and answer == NOTHING:
            w.tally[FRESH] -= 1
            p = np.int64(w.pairs[w.tally[FRESH]])
            changed = w.mark[p] == 1
            w.mark[p] = 0
            if changed and w.hid[p]:
                answer = _count(p, rows, cols, w, out)
        if answer in (CLASH, FULL):
            return (BROKEN if answer == CLASH else LEFT), np.int64(0), np.int64(0), np.int64(0)
        if answer == FOUND:
            continue
        low, high, cells, blind = _sweep(w)
        if not blind:
            answer = _by_total(low, high, cells, rows, cols, mines, w)
            if answer == FOUND:
                continue
            if answer == CLASH:
                return BROKEN, low, high, cells
            if answer == FULL:
                out[CAPPED] += 1
        return STUCK, low, high, cells


@merged
def _wrong(rows, cols, w):
    """Cells that contradict the hidden board."""
    wrong = np.int64(0)
    for p in range((rows + 2) * (cols + 2)):
        wrong += (w.mine[p] & (w.cover[p] == OPEN)) + ((1 - w.mine[p]) & (w.cover[p] == FLAG))
    return wrong


@merged
def _save(slot, who, cell, rows, cols, w):
    size = (rows + 2) * (cols + 2)
    for p in range(size):
        w.saved[(slot * 4 + 0) * size + p] = w.cover[p]
        w.saved[(slot * 4 + 1) * size + p] = w.need[p]
        w.saved[(slot * 4 + 2) * size + p] = w.hid[p]
        w.saved[(slot * 4 + 3) * size + p] = w.opn[p]
        w.saved_front[slot * size + p] = w.front[p]
    for i in range(w.live[0] + 1):
        w.saved_live[slot * (FRONTS + 2) + i] = w.live[i]
    w.saved_head[8 * slot + 0] = who
    w.saved_head[8 * slot + 1] = cell
    w.saved_head[8 * slot + 2] = w.tally[OPENED]
    w.saved_head[8 * slot + 3] = w.tally[FLAGGED]
    for n in range(4):
        w.saved_head[8 * slot + 4 + n] = w.counts[N_FRONTS + n]
        w.counts[B_FRONTS + n] = w.counts[N_FRONTS + n]


@merged
def _restore(slot, rows, cols, w):
    size = (rows + 2) * (cols + 2)
    for p in range(size):
        w.cover[p] = w.saved[(slot * 4 + 0) * size + p]
        w.need[p] = w.saved[(slot * 4 + 1) * size + p]
        w.hid[p] = w.saved[(slot * 4 + 2) * size + p]
        w.opn[p] = w.saved[(slot * 4 + 3) * size + p]
        w.mark[p] = 0
        w.front[p] = w.saved_front[slot * size + p]
    for i in range(w.saved_live[slot * (FRONTS + 2)] + 1):
        w.live[i] = w.saved_live[slot * (FRONTS + 2) + i]
    for i in range(w.live[0]):
        w.fronts[FRONT * w.live[1 + i] + F_ALIVE] = 1
    w.tally[OPENED] = w.saved_head[8 * slot + 2]
    w.tally[FLAGGED] = w.saved_head[8 * slot + 3]
    w.tally[game.WAITING] = 0
    w.tally[FRESH] = 0
    for n in range(4):
        w.counts[N_FRONTS + n] = w.saved_head[8 * slot + 4 + n]
        w.counts[B_FRONTS + n] = w.saved_head[8 * (slot - 1) + 4 + n] if slot else 0


@merged
def _game(rows, cols, mines, start, policies, w, out):
    """One board, dealt already, by all the policies asked for."""
    stride = cols + 2
    game.reset(rows, cols, w.clue, w.cover, w.need, w.hid, w.opn, w.mark, w.tally)
    for p in range((rows + 2) * stride):
        w.front[p] = 0
    w.live[0] = 0
    for n in range(COUNTS):
        w.counts[n] = 0
    g0, g1, g2, g3 = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    waiting = np.int64(0)
    who, cell = np.int64(policies), np.int64(start)
    won = np.int64(0)
    forced = False
    while True:
        _certain(cell, 0, w)
        stands, low, high, cells = _advance(rows, cols, mines, w, out)
        out[WRONG] += _wrong(rows, cols, w)
        going = np.int64(0)
        if stands == WIN:
            won |= who
        elif stands == BROKEN:
            out[WRONG] += 1
        elif stands == LEFT:
            out[CAPPED] += 1  # more fronts than can be kept: the board counts as lost
        else:
            forced = True
            a_cell, b_cell, c_cell, d_cell = np.int64(-1), np.int64(-1), np.int64(-1), np.int64(-1)
            if who & A:
                a_cell = _random(rows, cols, w)
                g0 += 1
            if who & B:
                b_cell = _least_alone(rows, cols, w)
                g1 += 1
            if who & (C | D):
                rest_chance, good = _chances(low, high, cells, rows, cols, mines, w)
                if good:
                    least, c_cell = _least(rest_chance, rows, cols, w)
                else:
                    out[CAPPED] += 1
                    least, c_cell = 0.5, _least_alone(rows, cols, w)
                d_cell = c_cell
                if who & D and good:
                    d_cell = _by_progress(least, rest_chance, c_cell, rows, cols, mines, w, out)
                if who & C:
                    g2 += 1
                    survival = 1.0 - least
                    out[SURVIVALS] += 1
                    out[SURVIVAL] += np.int64(survival * SURVIVAL_UNIT + 0.5)
                    out[BINS + min(np.int64(survival * BIN_COUNT + 1e-9), BIN_COUNT - 1)] += 1
                if who & D:
                    g3 += 1
            # those that name the same cell go on together; of those whose cell is no mine, one goes on here
            left = who
            while left:
                first = np.int64(1) << lowest(left)
                cell_now = a_cell if first == A else (b_cell if first == B else (c_cell if first == C else d_cell))
                same = first
                if left & B and b_cell == cell_now:
                    same |= B
                if left & C and c_cell == cell_now:
                    same |= C
                if left & D and d_cell == cell_now:
                    same |= D
                left &= ~same
                if cell_now < 0:
                    out[CAPPED] += 1  # all that is left is in fronts too large to be kept
                    continue
                if w.mine[cell_now]:
                    continue
                if going:
                    _save(waiting, going, cell, rows, cols, w)
                    waiting += 1
                going, cell = same, cell_now
        if going:
            who = going
            continue
        if waiting == 0:
            break
        waiting -= 1
        _restore(waiting, rows, cols, w)
        who, cell = w.saved_head[8 * waiting + 0], w.saved_head[8 * waiting + 1]
    out[BOARDS] += 1
    out[UNFORCED] += not forced
    out[WON + won] += 1
    out[GUESSES] += g0
    out[GUESSES + 1] += g1
    out[GUESSES + 2] += g2
    out[GUESSES + 3] += g3
    out[SQUARES] += g0 * g0
    out[SQUARES + 1] += g1 * g1
    out[SQUARES + 2] += g2 * g2
    out[SQUARES + 3] += g3 * g3


@merged
def _pointers(b):
    """The same buffers as addresses: see ``bits.pointer``."""
    return Work(
        pointer(b.rng),
        pointer(b.rng_a),
        pointer(b.sizes),
        pointer(b.mine),
        pointer(b.mined),
        pointer(b.clue),
        pointer(b.cover),
        pointer(b.need),
        pointer(b.hid),
        pointer(b.opn),
        pointer(b.stack),
        pointer(b.pairs),
        pointer(b.mark),
        pointer(b.tally),
        pointer(b.at),
        pointer(b.front),
        pointer(b.g_size),
        pointer(b.g_mask),
        pointer(b.g_deg),
        pointer(b.g_in),
        pointer(b.g_seen),
        pointer(b.g_first),
        pointer(b.s_cell),
        pointer(b.s_deg),
        pointer(b.s_of),
        pointer(b.s_need),
        pointer(b.s_size),
        pointer(b.s_left),
        pointer(b.s_slot),
        pointer(b.s_seen),
        pointer(b.c_cell),
        pointer(b.c_group),
        pointer(b.order),
        pointer(b.layer),
        pointer(b.key),
        pointer(b.forward),
        pointer(b.n_edge),
        pointer(b.n_low),
        pointer(b.e_to),
        pointer(b.hash),
        pointer(b.base),
        pointer(b.back),
        pointer(b.share),
        pointer(b.spare),
        pointer(b.poly),
        pointer(b.ways),
        pointer(b.counts),
        pointer(b.fronts),
        pointer(b.live),
        pointer(b.k_size),
        pointer(b.k_first),
        pointer(b.k_cell),
        pointer(b.k_group),
        pointer(b.k_real),
        pointer(b.before),
        pointer(b.after),
        pointer(b.others),
        pointer(b.weight),
        pointer(b.place),
        pointer(b.chance),
        pointer(b.tied),
        pointer(b.todo),
        pointer(b.asked),
        pointer(b.ahead),
        pointer(b.saved),
        pointer(b.saved_front),
        pointer(b.saved_live),
        pointer(b.saved_head),
    )


@compiled
def census(rows, cols, mines, start, rule, policies, seed, first, boards, buffers, out):
    """Plays boards ``first`` .. ``first + boards - 1`` of the run ``seed``, and adds to ``out``. A board whose first
    cell is a mine, which the rule RANDOM allows, is lost by every policy without a guess. Rule GIVEN: the one board in
    ``mine`` and ``mined``, A by the stream of the number ``first``."""
    w = _pointers(buffers)
    for number in range(first, first + boards):
        game.seed_game(seed, number, w.rng)
        w.rng_a[0] = game.mix(w.rng[0] ^ _HASH)
        if rule != GIVEN:
            game.deal(rows, cols, mines, start, rule, w.rng, w.mine, w.mined)
        if w.mine[start]:
            out[BOARDS] += 1
            out[UNFORCED] += 1
            out[WON] += 1
            continue
        game.number(rows, cols, mines, w.mine, w.mined, w.clue)
        _game(rows, cols, mines, start, policies, w, out)
