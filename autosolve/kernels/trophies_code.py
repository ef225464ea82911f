"""Owns the compiled code of the trophies: the highest and lowest score over all orders of finding mines.

Imported late, by ``kernels.trophies`` only, for it imports numba. Everything here lets go of the interpreter's lock, so
that plain threads share the work; each writes its own part alone.

Two ways, which the tests hold against each other; ``docs/trophies.md`` says why both are right.

*Subsets.* One entry for every set S of mines found, its bits the index:

    opened, done   cells opened and conditions completed once S is found; sums over subsets ("zeta")
    high, low      best and worst sum of ``cells x conditions`` over all orders of S

The sets that share all but their low bits are a *block*; blocks with equally many high bits are a layer, which rests
on the layer before alone, so its blocks can be shared among threads.

*Closed sets.* Only sets S that are a union of whole conditions. A record of three ints in a hash table:

    KEY   the set + 1; 0 where the slot is free
    TOLD  cells opened << 32 | conditions completed
    REST  highest << 32 | lowest sum that can still be made from here
"""

from __future__ import annotations

import numpy as np
from numba import njit

from autosolve.kernels.bits import lowest, ones

KEY, TOLD, REST, WORDS = 0, 1, 2, 3
LOW_BITS = 12
ROW_BITS = 4
MOST_PER_MINE = 11  # conditions that can speak of one mine: eight clues, its own in mosaic, a row, a column
MOST = 1 << MOST_PER_MINE

_MIX = np.int64(-7046029254386353131)  # 2^64 over the golden ratio, odd
_LOW32 = np.int64(0xFFFFFFFF)


# ---------------------------------------------------------------- subsets


@njit(cache=True, nogil=True)
def zeta_low(values, low_bits, first, last):
    """Adds up subsets over the low bits, in the blocks first to last."""
    for block in range(first, last):
        base = block << low_bits
        for bit in range(low_bits):
            half = 1 << bit
            for start in range(base, base + (1 << low_bits), 2 * half):
                without = values[start : start + half]
                with_it = values[start + half : start + 2 * half]
                for j in range(half):
                    with_it[j] += without[j]


@njit(cache=True, nogil=True)
def zeta_high(values, low_bits, bits, first, last):
    """Adds up subsets over the high bits, in the columns first to last of a block's entries."""
    width = last - first
    for bit in range(low_bits, bits):
        half = 1 << (bit - low_bits)
        for block in range(1 << (bits - low_bits)):
            if block & half:
                a = ((block ^ half) << low_bits) + first
                b = (block << low_bits) + first
                without = values[a : a + width]
                with_it = values[b : b + width]
                for j in range(width):
                    with_it[j] += without[j]


@njit(cache=True, nogil=True, inline="always")
def _from(high, low, opened, done, at, before, width):
    """The orders of the sets at ``at`` that come through those at ``before``."""
    h, g = high[at : at + width], high[before : before + width]
    m, n = low[at : at + width], low[before : before + width]
    o, p = opened[at : at + width], opened[before : before + width]
    d, e = done[at : at + width], done[before : before + width]
    for j in range(width):
        gain = np.uint16(np.uint16(np.uint16(o[j]) - np.uint16(p[j])) * np.uint16(np.uint16(d[j]) - np.uint16(e[j])))
        up, down = np.uint16(g[j] + gain), np.uint16(n[j] + gain)
        h[j] = up if up > h[j] else h[j]
        m[j] = down if down < m[j] else m[j]


@njit(cache=True, nogil=True)
def subsets(high, low, opened, done, low_bits, bits, blocks):
    """Fills ``high`` and ``low`` for blocks of one layer, those of all layers before being filled. Entry 0 must be
    0 in both; the rest may hold anything."""
    size = 1 << low_bits
    row = 1 << min(ROW_BITS, low_bits)
    for k in range(len(blocks)):
        block = np.int64(blocks[k])
        base = block << low_bits
        for i in range(base, base + size):
            if i:
                high[i] = 0
                low[i] = 65535
        rest = block
        while rest:
            bit = rest & -rest
            rest ^= bit
            _from(high, low, opened, done, base, (block ^ bit) << low_bits, size)
        for start in range(base, base + size, row):
            inside = start - base
            while inside:
                bit = inside & -inside
                inside ^= bit
                _from(high, low, opened, done, start, start ^ bit, row)
            for i in range(start, start + row):
                rest = i - start
                h, m = high[i], low[i]
                while rest:
                    bit = rest & -rest
                    rest ^= bit
                    j = i ^ bit
                    gain = (np.int64(opened[i]) - np.int64(opened[j])) * (np.int64(done[i]) - np.int64(done[j]))
                    up, down = np.uint16(high[j] + gain), np.uint16(low[j] + gain)
                    h = up if up > h else h
                    m = down if down < m else m
                high[i] = h
                low[i] = m


# ---------------------------------------------------------------- closed sets


@njit(cache=True, nogil=True, inline="always")
def _slot(table, key):
    """The slot that holds a set, or the free one where it belongs."""
    mask = np.int64(len(table) - 1)
    mixed = key * _MIX
    at = (mixed ^ ((mixed >> np.int64(29)) & np.int64(0x7FFFFFFFF))) & mask
    while table[at, KEY] and table[at, KEY] != key + 1:
        at = (at + 1) & mask
    return at


@njit(cache=True, nogil=True)
def place(table, keys, count):
    """Puts sets into an empty table."""
    for i in range(count):
        table[_slot(table, keys[i]), KEY] = keys[i] + 1


@njit(cache=True, nogil=True)
def unite(table, keys, conditions, at, limit, steps):
    """Goes on listing all unions of conditions into ``keys``.

    ``at``     [sets so far, condition, next of the sets before it, how many those are]; begins as [1, 0, 0, 1] with
               the empty set in place
    ``limit``  sets that fit; ``steps`` that may be made. True when all are listed."""
    count, condition, i, before = at[0], at[1], at[2], at[3]
    while condition < len(conditions):
        add = conditions[condition]
        while i < before:
            if steps == 0 or count >= limit:
                at[0], at[1], at[2], at[3] = count, condition, i, before
                return False
            steps -= 1
            key = keys[i] | add
            i += 1
            slot = _slot(table, key)
            if table[slot, KEY] == 0:
                table[slot, KEY] = key + 1
                keys[count] = key
                count += 1
        condition += 1
        i, before = 0, count
    at[0], at[1], at[2], at[3] = count, condition, i, before
    return True


@njit(cache=True, nogil=True)
def by_size(keys, out, starts):
    """Sorts sets by how many bits they have: those with n bits go to ``out[starts[n]:starts[n + 1]]``."""
    for key in keys:
        starts[ones(key) + 1] += 1
    for n in range(len(starts) - 1):
        starts[n + 1] += starts[n]
    fill = starts.copy()
    for key in keys:
        n = ones(key)
        out[fill[n]] = key
        fill[n] += 1


@njit(cache=True, nogil=True)
def tell(table, keys, conditions, weight, cells):
    """Counts, for sets that are in the table, the cells opened and the conditions completed."""
    words = cells.shape[1]
    open_ = np.zeros(words, np.int64)
    for key in keys:
        open_[:] = 0
        done = np.int64(0)
        for c in range(len(conditions)):
            if conditions[c] & ~key == 0:
                done += weight[c]
                for w in range(words):
                    open_[w] |= cells[c, w]
        opened = np.int64(0)
        for w in range(words):
            opened += ones(open_[w])
        table[_slot(table, key), TOLD] = opened << np.int64(32) | done


@njit(cache=True, nogil=True)
def _unions(key, mine, conditions, weight, start, speak, needs, unions, within, counts):
    """All distinct sets that must be found besides ``key`` for some conditions with ``mine`` to be complete, the
    empty one first. How many.

    ``counts``  per set how many of those conditions it completes
    ``within``  which ones, as bits, and above them the condition that was added last

    Every set is made once: a condition is added only if that completes no other with a lower number."""
    first, last = start[mine], start[mine + 1]
    number = last - first
    for j in range(number):
        needs[j] = conditions[speak[first + j]] & ~key
    unions[0], within[0], counts[0] = 0, 0, 0
    count, i = 1, 0
    while i < count:
        union, inside = unions[i], within[i] & 0xFFFF
        for j in range(within[i] >> 16, number):
            if inside >> j & 1:
                continue
            both = union | needs[j]
            complete, told = np.int64(0), np.int64(0)
            for k in range(number):
                if needs[k] & ~both == 0:
                    if k < j and not inside >> k & 1:
                        told = -1
                        break
                    complete |= 1 << k
                    told += weight[speak[first + k]]
            if told > 0:
                unions[count] = both
                within[count] = complete | (j + 1) << 16
                counts[count] = told
                count += 1
        i += 1
    return count


@njit(cache=True, nogil=True)
def rest(table, keys, everything, conditions, weight, start, speak):
    """Fills REST for sets of one size, all larger ones being filled.

    ``start, speak``  the conditions that speak of a mine: ``speak[start[mine]:start[mine + 1]]``"""
    needs = np.zeros(MOST_PER_MINE, np.int64)
    unions, within, counts = np.zeros(MOST, np.int64), np.zeros(MOST, np.int64), np.zeros(MOST, np.int64)
    for key in keys:
        here = _slot(table, key)
        told = table[here, TOLD]
        opened, done = told >> np.int64(32), told & _LOW32
        high, low = np.int64(-1), np.int64(1) << 31
        left = everything & ~key
        if left == 0:
            high, low = np.int64(0), np.int64(0)
        while left:
            mine = lowest(left)
            left &= left - 1
            for u in range(1, _unions(key, mine, conditions, weight, start, speak, needs, unions, within, counts)):
                with_it = counts[u]
                there = _slot(table, key | unions[u])
                told = table[there, TOLD]
                if (told & _LOW32) - done == with_it:
                    # every condition that this completes has the mine, so it can be the last one found
                    gain = ((told >> np.int64(32)) - opened) * with_it
                    after = table[there, REST]
                    high = max(high, gain + (after >> np.int64(32)))
                    low = min(low, gain + (after & _LOW32))
        table[here, REST] = high << np.int64(32) | low


@njit(cache=True, nogil=True)
def ways(table, key, lowest_score, out, everything, conditions, weight, start, speak):
    """What may come next on a best way from a closed set: rows of ``out`` with the set after it and the mine found
    last before that. How many; ``out`` must have ``MOST`` rows per mine that is left."""
    needs = np.zeros(MOST_PER_MINE, np.int64)
    unions, within, counts = np.zeros(MOST, np.int64), np.zeros(MOST, np.int64), np.zeros(MOST, np.int64)
    shift = np.int64(0 if lowest_score else 32)
    here = _slot(table, key)
    told = table[here, TOLD]
    opened, done = told >> np.int64(32), told & _LOW32
    wanted = (table[here, REST] >> shift) & _LOW32
    found = 0
    left = everything & ~key
    while left:
        mine = lowest(left)
        left &= left - 1
        for u in range(1, _unions(key, mine, conditions, weight, start, speak, needs, unions, within, counts)):
            there = _slot(table, key | unions[u])
            told = table[there, TOLD]
            if (told & _LOW32) - done == counts[u]:
                gain = ((told >> np.int64(32)) - opened) * counts[u]
                if gain + ((table[there, REST] >> shift) & _LOW32) == wanted:
                    out[found, 0], out[found, 1] = key | unions[u], mine
                    found += 1
    return found


@njit(cache=True, nogil=True)
def scores(table, key):
    """The highest and the lowest sum that can still be made from a closed set."""
    after = table[_slot(table, key), REST]
    return after >> np.int64(32), after & _LOW32
