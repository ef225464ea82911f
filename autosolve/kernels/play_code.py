"""Owns the compiled play of whole games by exact odds, and the guesses of three policies.

Imported late, by ``kernels.play`` only, for it imports numba. The odds are those of ``odds_code``, the boards those of
``game_code``. A position lies in two flat arrays as ``odds`` takes them: ``clue`` int8, -1 where none shows; ``cover``
int8, 0 open, 1 covered, 2 a mine that is proven.

The guesses, as in ``solver/guess.py``, which is the readable twin:

    SAFETY    the least chance of a mine; the first such cell
    PROGRESS  the same; among equals the best chance that what is opened makes another cell certainly safe
    AHEAD     where few solutions are left, the cell that wins most of them, every continuation tried; else the best
              chance to survive this click and the best next one, and to be spared an even guess later on

Legend: ``u`` is the place of an undecided cell in the list of such cells, at most 64; a solution is a word of bits
over them. ``S`` is a set of solutions, a stretch of ``work``. What is known after some clicks is the set of solutions
left and nothing else, so it is remembered by a hash of the set (the sum of one random word a solution).
"""

from __future__ import annotations

from math import exp, log

import numpy as np
from numba import njit

from autosolve.kernels import even_code as even
from autosolve.kernels import game_code as game
from autosolve.kernels import odds_code as count
from autosolve.kernels.bits import ones

SAFETY, PROGRESS, AHEAD = 0, 1, 2

# Limits of the endgame: solutions, cells, positions looked at, nodes of the listing. Six times as many solutions take
# seven times as long and win no more: 7,245 and 7,250 of the same 17,750 Expert games.
SOLUTIONS = 512
CELLS = 64
POSITIONS = 30_000
NODES = 400_000
SLOTS = 1 << 16
WORK = 1 << 18
# Limits of looking two clicks ahead
NEAR = 0.88  # of the best chance to survive: what is less safe is not looked at
MOST = 14  # cells looked at
FREE = 5  # of them, cells beside no clue
CERTAIN = 0.009  # what a certain cell that follows counts beside a next click without risk,
CERTAIN_MOST = 8  # and up to how many
COMPARED = 24  # equally safe cells compared by progress

# out: results of a run
O_WON, O_GAMES, O_GUESSES, O_CAPPED, O_WRONG, O_TREES, O_TREE_MISSES = range(7)
O_CELLS, O_MINED = 8, 28  # 20 buckets of 5 %: cells given such a chance, and mines among them
OUT = 48


@njit(cache=True)
def _around(rows, cols, cell, out):
    """The neighbours of a cell into ``out``; how many."""
    n = 0
    row, col = cell // cols, cell % cols
    for r in range(max(0, row - 1), min(rows, row + 2)):
        for c in range(max(0, col - 1), min(cols, col + 2)):
            if r != row or c != col:
                out[n] = r * cols + c
                n += 1
    return n


@njit(cache=True)
def _outcomes(cell, rows, cols, mines, root, clue, cover, board, small, keys, real, near, out):
    """What opening ``cell`` leads to: out[0] the chance to survive this click and the best next one, and a little more
    for every certain one; out[1] the chance that a certain next cell appears. False where a count did not fit."""
    out[0], out[1] = 0.0, 0.0
    low, high = 0, 0
    for k in range(_around(rows, cols, cell, near)):
        low += cover[near[k]] == 2
        high += cover[near[k]] != 0
    cells = rows * cols
    cover[cell] = 0
    good = True
    for n in range(low, high + 1):
        clue[cell] = n
        answer = count.odds(clue, cover, mines, board, small, keys, real)
        if answer == count.FULL:
            good = False
            break
        if answer != count.DONE:
            continue
        share = exp(count.log_models(board, real, mines >= 0) - root)
        least, undecided, certain = 2.0, 0, 0
        for c in range(cells):
            if cover[c] == 1:
                least = min(least, real[count.REAL + c])
                undecided += real[count.REAL + c] < 1.0
                certain += real[count.REAL + c] == 0.0
        if undecided == 0:  # the game is won
            least, certain = 0.0, CERTAIN_MOST
        out[0] += share * (1.0 - least + CERTAIN * min(certain, CERTAIN_MOST))
        if least == 0.0:
            out[1] += share
    clue[cell] = -1
    cover[cell] = 1
    return good


@njit(cache=True)
def _by_progress(chance, rows, cols, mines, root, clue, cover, board, small, keys, real, near, two, order):
    least = 2.0
    cells = rows * cols
    for c in range(cells):
        if cover[c] == 1:
            least = min(least, chance[c])
    n = 0
    for c in range(cells):
        if cover[c] == 1 and chance[c] <= least + 1e-12:
            shut = 0
            for k in range(_around(rows, cols, c, near)):
                shut += cover[near[k]] == 1
            order[n] = (9 - shut) * cells + c
            n += 1
    order[:n].sort()
    best, best_cell = -1.0, order[0] % cells
    if n == 1:
        return best_cell
    for k in range(min(n, COMPARED)):
        c = order[k] % cells
        if not _outcomes(c, rows, cols, mines, root, clue, cover, board, small, keys, real, near, two):
            continue
        if two[1] > best + 1e-12:
            best, best_cell = two[1], c
    return best_cell


@njit(cache=True)
def _by_two(
    chance, beside, rows, cols, mines, root, clue, cover, board, small, keys, real, near, two, order, score, spared
):
    """The best of the safer cells by the chance to survive two clicks and to be spared an even guess."""
    cells = rows * cols
    even.spared(rows, cols, mines, root, chance, clue, cover, board, small, keys, real, spared)
    least = 2.0
    for c in range(cells):
        if cover[c] == 1:
            least = min(least, chance[c])
    n, free = 0, 0
    # by chance, then by few covered neighbours: those show a 0 most often
    for c in range(cells):
        if cover[c] == 1 and 1.0 - chance[c] >= NEAR * (1.0 - least):
            shut = 0
            for k in range(_around(rows, cols, c, near)):
                shut += cover[near[k]] == 1
            order[n] = (np.int64(chance[c] * 1e9) * 16 + shut) * cells + c
            n += 1
    order[:n].sort()
    best, best_cell, looked = -1.0, order[0] % cells, 0
    for k in range(n):
        c = order[k] % cells
        if beside[c] == 0:
            free += 1
            if free > FREE:
                continue
        if looked == MOST:
            break
        if (1.0 - chance[c]) * (1.0 + CERTAIN * CERTAIN_MOST) <= best:
            break
        looked += 1
        if not _outcomes(c, rows, cols, mines, root, clue, cover, board, small, keys, real, near, two):
            continue
        value = two[0] * spared[c]
        if value > best + 1e-12:
            best, best_cell = value, c
    score[0] = best
    return best_cell


# ---------------------------------------------------------------- the endgame


@njit(cache=True)
def _list(chance, rows, cols, mines, clue, cover, near, cell_of, place_of, solution, beside, base):
    """Every solution as a word of bits over the undecided cells. How many, and how many cells; -1 where there are too
    many of either."""
    cells = rows * cols
    m = 0
    missing = mines
    for c in range(cells):
        place_of[c] = -1
        if cover[c] == 2 or (cover[c] == 1 and chance[c] == 1.0):
            missing -= 1
    for c in range(cells):
        if cover[c] == 1 and 0.0 < chance[c] < 1.0:
            if m == CELLS:
                return -1, m
            place_of[c] = m
            cell_of[m] = c
            m += 1
    # cells in an order in which neighbours come close to each other
    need = np.zeros(cells, np.int64)
    left = np.zeros(cells, np.int64)
    todo = np.zeros(m, np.int64)
    seen = np.zeros(m, np.int64)
    n = 0
    for first in range(m):
        if seen[first]:
            continue
        seen[first] = 1
        todo[n] = cell_of[first]
        at = n
        n += 1
        while at < n:
            c = todo[at]
            at += 1
            row, col = c // cols, c % cols
            for r in range(max(0, row - 2), min(rows, row + 3)):
                for k in range(max(0, col - 2), min(cols, col + 3)):
                    p = place_of[r * cols + k]
                    if p >= 0 and not seen[p]:
                        seen[p] = 1
                        todo[n] = cell_of[p]
                        n += 1
    for u in range(m):
        cell_of[u] = todo[u]
        place_of[todo[u]] = u
    for c in range(cells):
        if clue[c] >= 0 and cover[c] == 0:
            need[c] = clue[c]
            for k in range(_around(rows, cols, c, near)):
                d = near[k]
                if cover[d] == 2 or (cover[d] == 1 and chance[d] == 1.0):
                    need[c] -= 1
                elif place_of[d] >= 0:
                    left[c] += 1
    for u in range(m):
        c = cell_of[u]
        beside[u] = 0
        base[u] = 0
        for k in range(_around(rows, cols, c, near)):
            d = near[k]
            if place_of[d] >= 0:
                beside[u] |= np.uint64(1) << np.uint64(place_of[d])
            elif cover[d] == 2 or (cover[d] == 1 and chance[d] == 1.0):
                base[u] += 1
    # depth first, one cell after the other: first as no mine, then as one
    value = np.full(m, -1, np.int64)
    found, nodes, u = 0, 0, 0
    word = np.uint64(0)
    while u >= 0:
        nodes += 1
        if nodes > NODES:
            return -1, m
        if u == m:
            if missing == 0:
                if found == SOLUTIONS:
                    return -1, m
                solution[found] = word
                found += 1
            u -= 1
            continue
        c = cell_of[u]
        around = _around(rows, cols, c, near)
        if value[u] >= 0:  # take back
            for k in range(around):
                d = near[k]
                if clue[d] >= 0 and cover[d] == 0:
                    left[d] += 1
                    need[d] += value[u]
            missing += value[u]
            if value[u]:
                word &= ~(np.uint64(1) << np.uint64(u))
        if value[u] == 1:
            value[u] = -1
            u -= 1
            continue
        value[u] += 1
        fits = True
        for k in range(around):
            d = near[k]
            if clue[d] >= 0 and cover[d] == 0:
                left[d] -= 1
                need[d] -= value[u]
                if need[d] < 0 or need[d] > left[d]:
                    fits = False
        missing -= value[u]
        if value[u]:
            word |= np.uint64(1) << np.uint64(u)
        if fits and 0 <= missing <= m - u - 1:
            u += 1
    return found, m


@njit(cache=True)
def _split(u, begin, end, to, solution, beside, base, work, parts):
    """Those of a set of solutions in which ``u`` is no mine, from ``to`` on, by the number it shows: parts[n] where
    the part of the number n ends; the end of all."""
    bit = np.uint64(1) << np.uint64(u)
    at = to
    for n in range(9):
        for k in range(begin, end):
            s = solution[work[k]]
            if s & bit == 0 and base[u] + ones(np.int64(s & beside[u])) == n:
                work[at] = work[k]
                at += 1
        parts[n] = at
    return at


@njit(cache=True)
def _apart(begin, end, free, work):
    """Copies a part behind everything else in ``work``, where it may be split in its turn; its new end."""
    for k in range(end - begin):
        work[free + k] = work[begin + k]
    return free + end - begin


@njit(cache=True)
def _wins(begin, end, m, solution, beside, base, random, work, table, known, ctl):
    """In how many of a set of solutions the best play wins; -1 where there is too much to try."""
    size = end - begin
    if size == 1:
        return 1
    key = np.uint64(0)
    for k in range(begin, end):
        key += random[work[k]]
    slot = np.int64(key & np.uint64(SLOTS - 1))
    while table[slot] != 0:
        if table[slot] == key:
            return known[slot]
        slot = (slot + 1) & (SLOTS - 1)
    ctl[0] += 1
    if ctl[0] > POSITIONS or end + m + 2 * size > WORK:
        return -1
    best = 0
    options = 0
    top = end + m  # options lie in between
    parts = np.zeros(9, np.int64)
    sure = -1
    for u in range(m):
        bit = np.uint64(1) << np.uint64(u)
        alive, first, differs = 0, -1, False
        for k in range(begin, end):
            s = solution[work[k]]
            if s & bit == 0:
                alive += 1
                shows = base[u] + ones(np.int64(s & beside[u]))
                if first < 0:
                    first = shows
                elif shows != first:
                    differs = True
        if alive == size:
            if differs:
                sure = u
                break
        elif alive > 0:
            work[end + options] = (size - alive) * 64 + u
            options += 1
    if sure >= 0:
        _split(sure, begin, end, top, solution, beside, base, work, parts)
        at = top
        for n in range(9):
            if parts[n] > at:
                to = _apart(at, parts[n], parts[8], work)
                won = _wins(parts[8], to, m, solution, beside, base, random, work, table, known, ctl)
                if won < 0:
                    return -1
                best += won
            at = parts[n]
    else:
        work[end : end + options].sort()
        for o in range(options):
            u = work[end + o] % 64
            alive = size - work[end + o] // 64
            if alive <= best:
                break
            _split(u, begin, end, top, solution, beside, base, work, parts)
            total, at = 0, top
            for n in range(9):
                if total + parts[8] - at <= best:
                    break  # not even if all that is left were won
                if parts[n] > at:
                    to = _apart(at, parts[n], parts[8], work)
                    won = _wins(parts[8], to, m, solution, beside, base, random, work, table, known, ctl)
                    if won < 0:
                        return -1
                    total += won
                at = parts[n]
            best = max(best, total)
    slot = np.int64(key & np.uint64(SLOTS - 1))
    while table[slot] != 0 and table[slot] != key:
        slot = (slot + 1) & (SLOTS - 1)
    table[slot] = key
    known[slot] = best
    return best


@njit(cache=True)
def _by_tree(found, m, cell_of, solution, beside, base, random, work, table, known, ctl, score):
    """The cell that wins most of all solutions, the safer one among equals; -1 where there is too much to try."""
    table[:] = 0
    ctl[0] = 0
    for k in range(found):
        work[k] = k
    parts = np.zeros(9, np.int64)
    options = np.zeros(m, np.int64)
    for u in range(m):
        bit = np.uint64(1) << np.uint64(u)
        mined = 0
        for k in range(found):
            mined += (solution[k] & bit) != 0
        options[u] = (mined * 64 + u) * 1024 + cell_of[u]
    options.sort()
    best, best_cell = -1, np.int64(-1)
    for o in range(m):
        mined, u = options[o] // 1024 // 64, options[o] // 1024 % 64
        if found - mined <= best:
            break
        _split(u, 0, found, found, solution, beside, base, work, parts)
        total, at = 0, found
        for n in range(9):
            if total + parts[8] - at <= best:
                break
            if parts[n] > at:
                to = _apart(at, parts[n], parts[8], work)
                won = _wins(parts[8], to, m, solution, beside, base, random, work, table, known, ctl)
                if won < 0:
                    return np.int64(-1)
                total += won
            at = parts[n]
        if total > best:
            best, best_cell = total, np.int64(cell_of[u])
    score[0] = best / found
    return best_cell


# ---------------------------------------------------------------- a guess, a game, many games


@njit(cache=True)
def guess(
    policy, rows, cols, mines, clue, cover, board, small, keys, real, chance, spared, ints, words, table, known, score
):
    """The cell the policy opens, the odds having just been counted; their buffers are used up.

    ``score``  [0] what was best in it; [1] 1 where every continuation was tried"""
    cells = rows * cols
    score[0], score[1] = 0.0, 0.0
    root = count.log_models(board, real, mines >= 0)
    near, order, cell_of, place_of = ints[0], ints[1], ints[2], ints[3]
    beside_clue, work, ctl, base = ints[4], ints[5], ints[6], ints[7]
    beside_clue[:cells] = 0
    for at in range(count.BOARD_HEAD + cells, board[count.B_BESIDE]):
        beside_clue[board[at]] = 1
    for c in range(cells):
        chance[c] = real[count.REAL + c]
    two = np.zeros(2, np.float64)
    if policy == SAFETY:
        best = np.int64(-1)
        for c in range(cells):
            if cover[c] == 1 and (best < 0 or chance[c] < chance[best] - 1e-12):
                best = c
        return best
    if policy == PROGRESS:
        return _by_progress(chance, rows, cols, mines, root, clue, cover, board, small, keys, real, near, two, order)
    if mines >= 0 and root <= log(SOLUTIONS + 0.5):
        found, m = _list(
            chance, rows, cols, mines, clue, cover, near, cell_of, place_of, words[0], words[1], base
        )  # fmt: skip
        if found > 0:
            cell = _by_tree(found, m, cell_of, words[0], words[1], base, words[2], work, table, known, ctl, score)
            if cell >= 0:
                score[1] = 1.0
                return cell
    return _by_two(
        chance, beside_clue, rows, cols, mines, root, clue, cover, board, small, keys, real, near, two, order, score,
        spared,
    )  # fmt: skip


@njit(cache=True)
def play_many(
    rows, cols, mines, start, rule, policy, seed, first, games, told, out,
    rng, mine, mined, number, clue, cover, board, small, keys, real, chance, spared, ints, words, table, known, score,
):  # fmt: skip
    """Deals games of a run and plays each to its end; ``start`` row-major. Adds to ``out``."""
    cells = rows * cols
    stride = cols + 2
    padded = (start // cols + 1) * stride + start % cols + 1
    stack = ints[8]
    near = ints[0]
    for g in range(games):
        game.seed_game(seed, first + g, rng)
        game.deal(rows, cols, mines, padded, rule, rng, mine, mined)
        game.number(rows, cols, mines, mine, mined, number)
        clue[:] = -1
        cover[:] = 1
        opened = 0
        lost = False
        todo = 1
        stack[0] = start
        out[O_GAMES] += 1
        while True:
            # open what waits
            while todo > 0:
                todo -= 1
                c = stack[todo]
                if cover[c] == 0:
                    continue
                p = (c // cols + 1) * stride + c % cols + 1
                if mine[p] == 1:
                    lost = True
                    break
                cover[c] = 0
                clue[c] = number[p]
                opened += 1
                if number[p] == 0:
                    for k in range(_around(rows, cols, c, near)):
                        if cover[near[k]] != 0:
                            stack[todo] = near[k]
                            todo += 1
            if lost:
                break
            if opened == cells - mines:
                out[O_WON] += 1
                break
            answer = count.odds(clue, cover, told, board, small, keys, real)
            if answer != count.DONE:
                out[O_CAPPED] += 1
                break
            for c in range(cells):
                if cover[c] == 1:
                    p = (c // cols + 1) * stride + c % cols + 1
                    if real[count.REAL + c] == 0.0:
                        stack[todo] = c
                        todo += 1
                        out[O_WRONG] += mine[p] == 1
                    elif real[count.REAL + c] == 1.0:
                        out[O_WRONG] += mine[p] != 1
            if todo > 0:
                continue
            for c in range(cells):
                if cover[c] == 1 and real[count.REAL + c] == 1.0:
                    cover[c] = 2
                elif cover[c] == 1:
                    bucket = min(19, np.int64(real[count.REAL + c] * 20))
                    p = (c // cols + 1) * stride + c % cols + 1
                    out[O_CELLS + bucket] += 1
                    out[O_MINED + bucket] += mine[p] == 1
            cell = guess(
                policy, rows, cols, told, clue, cover, board, small, keys, real, chance, spared, ints, words, table,
                known, score,
            )  # fmt: skip
            out[O_TREES] += score[1] > 0
            out[O_GUESSES] += 1
            stack[0] = cell
            todo = 1
