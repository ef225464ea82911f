"""Owns the compiled ground of whole games: random numbers, dealing, clues, opening cells, and the two local rules.

Imported late, for it imports numba. ``kernels.game`` calls it from Python; other compiled code calls it directly.
Everything is deterministic, nothing allocates: the caller brings the buffers (``kernels.game.Table`` makes them).

How to call it from compiled code::

    from autosolve.kernels import game_code as game

    seed_game(seed, number, rng)  # game ``number`` of a run: its own random stream
    deal(rows, cols, mines, start, rule, rng, mine, mined)  # hidden mines; ``mined`` lists them
    number(rows, cols, mines, mine, mined, clue)  # every clue
    opened = play(rows, cols, start, level, clue, cover, need, hid, opn, stack, pairs, mark, tally)
    if opened == rows * cols - mines:
        ...  # the level clears the board from ``start``
    # else ``cover`` shows where it is stuck: COVERED cells are undecided, FLAG cells are proven mines

``play`` starts over each time, so after moving mines: ``number`` again (or mend ``clue`` around them), ``play`` again.
To go on in a stuck game instead: ``open_cell`` or ``flag_cell`` for what you know, then ``settle``. The start must be
no mine (rule RANDOM alone can deal one there).

Legend: a board has a rim of one cell all around. A cell is its index ``p`` in the padded board, ``stride = cols + 2``
and ``p = (r + 1) * stride + c + 1``; its neighbours are ``p + step`` for the eight steps of ``steps(stride)``, numbered
0-7 in reading order, so that a cell is neighbour ``7 - k`` of its neighbour ``k``. Arrays have one entry a padded cell:

    mine   uint8   1 a mine                      mined  int32   the mines, in the order dealt (one entry a mine)
    clue   int8    mines beside it, mines too    cover  uint8   OPEN, COVERED, FLAG (a proven mine) or RIM
    need   int8    clue less the flags beside it
    hid    uint8   bit k: neighbour k is COVERED
    opn    uint8   bit k: neighbour k is OPEN
    stack  int32   9 a cell: clues that ONE has something to say about; whatever waits is in tally[WAITING]
    pairs  int32   one a cell, clues that TWO has not seen as they are now; ``mark`` uint8: 1 is in it,
           2 is in it but was seen since (0 is not)
    tally  int64   counts: OPENED, FLAGGED, WAITING, FRESH
    rng    uint64  one entry: the state of a splitmix64 stream

Levels: 1 is ONE (one clue: no mine missing, or as many as covered cells), 2 is ONE and TWO (two clues that share cells,
everything the two together say), exactly the rules of ``solver/state.py``, run to their fixed point. A clue of 0 opens
its surroundings by ONE, so that an opening needs no code of its own. The number of mines on the board is not used.

Source of the random numbers: Steele, Lea, Flood, Fast splittable pseudorandom number generators (2014).
"""

from __future__ import annotations

import numpy as np

from autosolve.kernels.bits import apart, compiled, inlined, lowest, ones, pointer

OPEN, COVERED, FLAG, RIM = 0, 1, 2, 3
# tally
OPENED, FLAGGED, WAITING, FRESH = 0, 1, 2, 3
TALLY = 4
# first-click rules: mines anywhere; not on the start; not on or beside the start; on the start moves to the first
# cell in reading order that is free (as Windows did before Vista)
RANDOM, SAFE, OPENING, MOVED = 0, 1, 2, 3

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_U1, _U27, _U30, _U31, _U32 = np.uint64(1), np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
_LOW32 = np.uint64(0xFFFFFFFF)


def _spread():
    """Eight bits of neighbours to their places in a square of bits with eight bits a row."""
    table = np.zeros(256, np.int64)
    for mask in range(256):
        for k in range(8):
            if mask >> k & 1:
                square = k + (k > 3)
                table[mask] |= 1 << (square // 3 * 8 + square % 3)
    return table


SPREAD = _spread()


@inlined
def mix(x):
    """The output function of splitmix64: a good hash of 64 bits, and a bijection."""
    x = (x ^ (x >> _U30)) * _MIX1
    x = (x ^ (x >> _U27)) * _MIX2
    return x ^ (x >> _U31)


@inlined
def draw(rng):
    """The next 64 bits of the stream."""
    rng[0] += _GOLDEN
    return mix(rng[0])


@inlined
def below(n, rng):
    """A number of 0 .. n-1, all equally likely; 1 <= n < 2**31. Lemire's method: a draw that would favour some
    number is thrown away."""
    span = np.uint64(n)
    while True:
        product = (draw(rng) >> _U32) * span
        rest = product & _LOW32
        # the division is worth it only where the draw could be one of the few too many
        if rest >= span or rest >= (_LOW32 + _U1 - span) % span:
            return np.int64(product >> _U32)


@compiled
def seed_game(seed, number, rng):
    """Puts the stream where game ``number`` of the run ``seed`` begins: hashed twice, so that neither neighbouring
    numbers nor neighbouring seeds give overlapping streams."""
    rng[0] = mix(mix(np.uint64(seed) + _GOLDEN) + np.uint64(number) * _MIX2 + _MIX1)


@inlined
def padded(cell, cols):
    """The padded index of a row-major cell."""
    return (cell // cols + 1) * (cols + 2) + cell % cols + 1


@inlined
def steps(stride):
    """From a cell to its neighbours 0-7."""
    return (-stride - 1, -stride, -stride + 1, -1, 1, stride - 1, stride, stride + 1)


@compiled
def deal(rows, cols, mines, start, rule, rng, mine, mined):
    """Deals ``mines`` so that every layout the rule allows is equally likely (MOVED: every layout before the move).

    ``start``  padded. The caller has checked that there is room: ``mines`` <= cells the rule leaves."""
    stride = cols + 2
    for p in range((rows + 2) * stride):
        mine[p] = 0
    barred = np.int64(0)
    if rule == SAFE:
        mine[start] = 2
        barred = 1
    elif rule == OPENING:
        row, col = start // stride, start % stride
        for r in range(max(row - 1, 1), min(row + 1, rows) + 1):
            for c in range(max(col - 1, 1), min(col + 1, cols) + 1):
                mine[r * stride + c] = 2
                barred += 1
    free = rows * cols - barred
    # cells are drawn until there are enough new ones; of a board that is mostly mines, the others are drawn instead
    few = 2 * mines <= free
    wanted = mines if few else free - mines
    size = rows * cols
    placed = np.int64(0)
    while placed < wanted:
        cell = below(size, rng)
        p = cell + 2 * (cell // cols) + stride + 1
        if mine[p] == 0:
            mine[p] = 1
            mined[placed] = p
            placed += 1
    if rule == SAFE:
        mine[start] = 0
    elif rule == OPENING:
        for r in range(max(row - 1, 1), min(row + 1, rows) + 1):
            for c in range(max(col - 1, 1), min(col + 1, cols) + 1):
                mine[r * stride + c] = 0
    if not few:
        placed = 0
        for r in range(1, rows + 1):
            for p in range(r * stride + 1, r * stride + cols + 1):
                near = abs(r - start // stride) <= 1 and abs(p % stride - start % stride) <= 1
                if mine[p] or (rule == SAFE and p == start) or (rule == OPENING and near):
                    mine[p] = 0
                else:
                    mine[p] = 1
                    mined[placed] = p
                    placed += 1
    if rule == MOVED and mine[start] and mines < size:
        p = np.int64(stride + 1)
        while mine[p] or p % stride == 0 or p % stride > cols:
            p += 1
        mine[start], mine[p] = 0, 1
        for k in range(mines):
            if mined[k] == start:
                mined[k] = p


@compiled
def number(rows, cols, mines, mine, mined, clue):
    """Every cell's number of mines beside it, out of the list of mines."""
    stride = cols + 2
    for p in range((rows + 2) * stride):
        clue[p] = 0
    for k in range(mines):
        p = np.int64(mined[k])
        for d in steps(stride):
            clue[p + d] += 1


@inlined
def reset(rows, cols, clue, cover, need, hid, opn, mark, tally):
    """Everything covered again."""
    stride = cols + 2
    size = (rows + 2) * stride
    for p in range(size):
        need[p] = clue[p]
        opn[p] = 0
        mark[p] = 0
        cover[p] = COVERED
        hid[p] = 255
    for p in range(stride):
        cover[p] = RIM
        cover[size - 1 - p] = RIM
        hid[p + stride] &= 0b11111000
        hid[size - 1 - stride - p] &= 0b00011111
    for p in range(stride, size - stride, stride):
        cover[p] = RIM
        cover[p + cols + 1] = RIM
        hid[p + 1] &= 0b11010110
        hid[p + cols] &= 0b01101011
    tally[OPENED] = 0
    tally[FLAGGED] = 0
    tally[WAITING] = 0
    tally[FRESH] = 0


@inlined
def _look(n, two, need, hid, stack, pairs, mark, tally):
    """An open clue changed: it waits for ONE if ONE has something to say, and for TWO."""
    h = np.int64(hid[n])
    if h:
        missing = np.int64(need[n])
        if missing == 0 or missing == ones(h):
            stack[tally[WAITING]] = n
            tally[WAITING] += 1
        elif two and mark[n] != 1:
            if mark[n] == 0:
                pairs[tally[FRESH]] = n
                tally[FRESH] += 1
            mark[n] = 1


@inlined
def open_cell(p, two, stride, cover, need, hid, opn, stack, pairs, mark, tally):
    """Opens a covered cell, which is no mine. ``two``: keep the list for TWO as well."""
    cover[p] = OPEN
    tally[OPENED] += 1
    bit = np.int64(128)
    for d in steps(stride):
        n = p + d
        hid[n] &= ~bit
        opn[n] |= bit
        bit >>= 1
        if cover[n] == OPEN:
            _look(n, two, need, hid, stack, pairs, mark, tally)
    _look(p, two, need, hid, stack, pairs, mark, tally)


@inlined
def flag_cell(p, two, stride, cover, need, hid, stack, pairs, mark, tally):
    """Flags a covered cell, which is a mine."""
    cover[p] = FLAG
    tally[FLAGGED] += 1
    bit = np.int64(128)
    for d in steps(stride):
        n = p + d
        hid[n] &= ~bit
        need[n] -= 1
        bit >>= 1
        if cover[n] == OPEN:
            _look(n, two, need, hid, stack, pairs, mark, tally)


@compiled
def one(two, stride, cover, need, hid, opn, stack, pairs, mark, tally):
    """ONE to its fixed point."""
    near = steps(stride)
    while tally[WAITING]:
        tally[WAITING] -= 1
        p = np.int64(stack[tally[WAITING]])
        h = np.int64(hid[p])
        if need[p] == 0:
            while h:
                q = p + near[lowest(h)]
                h &= h - 1
                open_cell(q, two, stride, cover, need, hid, opn, stack, pairs, mark, tally)
        else:
            while h:
                q = p + near[lowest(h)]
                h &= h - 1
                flag_cell(q, two, stride, cover, need, hid, stack, pairs, mark, tally)


@inlined
def _decide(corner, bits, mine, stride, cover, need, hid, opn, stack, pairs, mark, tally):
    while bits:
        t = lowest(bits)
        bits &= bits - 1
        q = corner + (t >> 3) * stride + (t & 7)
        if mine:
            flag_cell(q, True, stride, cover, need, hid, stack, pairs, mark, tally)
        else:
            open_cell(q, True, stride, cover, need, hid, opn, stack, pairs, mark, tally)


@inlined
def _two(p, stride, cover, need, hid, opn, stack, pairs, mark, tally):
    """TWO for one clue and every other that shares cells with it, until something is found. Where ONE has nothing to
    say it all comes down to one test (see solver/state.py): b - a mines more in B need all of B's own cells."""
    near = steps(stride)
    corner = p - 3 * stride - 3
    # squares of bits, eight a row, the clue itself in row and column 3: its cells, and the clues that share some
    a_bits = SPREAD[hid[p]] << 18
    a = np.int64(need[p])
    h, others = np.int64(hid[p]), np.int64(0)
    while h:
        k = lowest(h)
        h &= h - 1
        square = k + (k > 3)
        others |= SPREAD[opn[p + near[k]]] << (square // 3 * 8 + square % 3 + 9)
    others &= ~(np.int64(1) << 27)
    while others:
        t = lowest(others)
        others &= others - 1
        n = corner + (t >> 3) * stride + (t & 7)
        b_bits = SPREAD[hid[n]] << (t - 9)
        more = need[n] - a
        a_own, b_own = a_bits & ~b_bits, b_bits & ~a_bits
        if (a_own | b_own) == 0:
            continue
        if more == ones(b_own):
            _decide(corner, b_own, True, stride, cover, need, hid, opn, stack, pairs, mark, tally)
            _decide(corner, a_own, False, stride, cover, need, hid, opn, stack, pairs, mark, tally)
            return
        if -more == ones(a_own):
            _decide(corner, a_own, True, stride, cover, need, hid, opn, stack, pairs, mark, tally)
            _decide(corner, b_own, False, stride, cover, need, hid, opn, stack, pairs, mark, tally)
            return


@compiled
def settle(level, stride, cover, need, hid, opn, stack, pairs, mark, tally):
    """The rules of the level to their fixed point, from where the game stands."""
    _settle(
        level, stride, pointer(cover), pointer(need), pointer(hid), pointer(opn), pointer(stack), pointer(pairs),
        pointer(mark), pointer(tally),
    )  # fmt: skip


@apart
def _settle(level, stride, cover, need, hid, opn, stack, pairs, mark, tally):
    if level < 2:
        one(False, stride, cover, need, hid, opn, stack, pairs, mark, tally)
        return
    while True:
        one(True, stride, cover, need, hid, opn, stack, pairs, mark, tally)
        if tally[FRESH] == 0:
            return
        tally[FRESH] -= 1
        p = np.int64(pairs[tally[FRESH]])
        mark[p] = 0
        if hid[p]:
            _two(p, stride, cover, need, hid, opn, stack, pairs, mark, tally)


@compiled
def play(rows, cols, start, level, clue, cover, need, hid, opn, stack, pairs, mark, tally):
    """A game from the start: everything covered, ``start`` opened, the rules of the level to their fixed point.
    How many cells are open then."""
    reset(rows, cols, clue, cover, need, hid, opn, mark, tally)
    open_cell(start, level > 1, cols + 2, cover, need, hid, opn, stack, pairs, mark, tally)
    settle(level, cols + 2, cover, need, hid, opn, stack, pairs, mark, tally)
    return tally[OPENED]


@compiled
def check_many(
    rows, cols, mines, start, rule, level, seed, first, boards, out,
    rng, mine, mined, clue, cover, need, hid, opn, stack, pairs, mark, tally,
):  # fmt: skip
    """Deals games ``first`` .. ``first + boards - 1`` of a run and plays each by the local rules alone.

    ``out``  int64, added to: boards whose start is no mine, whose start shows 0, that the level clears, cells opened"""
    for game in range(first, first + boards):
        seed_game(seed, game, rng)
        deal(rows, cols, mines, start, rule, rng, mine, mined)
        if mine[start]:
            continue
        number(rows, cols, mines, mine, mined, clue)
        out[0] += 1
        out[1] += clue[start] == 0
        if level:
            opened = play(rows, cols, start, level, clue, cover, need, hid, opn, stack, pairs, mark, tally)
            out[2] += opened == rows * cols - mines
            out[3] += opened
