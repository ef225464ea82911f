"""Owns the compiled making of boards that need no guess: deal, think from the start, change what is stuck, prove again.

Imported late, by ``kernels.noguess`` only, for it imports numba. Legend and buffers are those of ``game_code``.

A stuck board is *changed* where it is stuck. The undecided cells around one open clue are all emptied, or all filled,
and their mines change places with undecided cells elsewhere, so that the number of mines stays and the clue says at
once what it counts. Nothing that is open or flagged becomes untrue: it only may no longer follow. By ONE and TWO it
does: a clue that ONE has used has no undecided cell left to change, and two that TWO has used share all they have left,
so that both change alike. The odds use clues that change apart, and one changed board in some thousands then fails.
Where there is nowhere to change places with, or no clue sees what is left, a mine goes to, or comes from, the part that
is settled, and the game starts over.

A board counts as proven only after a game from the start, everything covered, in which nothing was changed. The idea
is Simon Tatham's ("Mines" in his Portable Puzzle Collection), the code and the choices are ours.

Levels: 1 and 2 as in ``game_code``; 3 is 2 and then all that is certain, by the exact odds with the number of mines.
"""

from __future__ import annotations

import numpy as np

from autosolve.kernels import game_code as game
from autosolve.kernels import odds_code
from autosolve.kernels.bits import compiled, inlined, lowest, ones

REDEAL, PERTURB = 0, 1
# results: what came of it
PROVEN, DEALS, GAMES, CHANGES, COUNTS, WORK, OPENED = range(7)
OUT = 8
# what a change leaves to do
GO_ON, AGAIN, HOPELESS = 1, 0, -1

# a deal is given up after so many games from the start none of which got further than one before
VAIN_GAMES = 16
# in cells looked at: what a change costs besides the thinking, measured
CHANGE_WORK = 64

_COVERED, _OPEN, _FLAG = game.COVERED, game.OPEN, game.FLAG


# what to look for: an open clue with undecided cells; undecided cells without and with a mine, anywhere or beside no
# open clue; flagged mines beside undecided cells, and those beside an open cell too; any flagged mine, any open cell
CLUE, CLEAR, MINED, CLEAR_FAR, MINED_FAR, WALL, WALL_SEEN, ANY_FLAG, ANY_OPEN = range(9)


@compiled
def _find(what, but, rows, cols, rng, mine, cover, hid, opn):
    """The first cell of a kind from a random place on in reading order, -1 where there is none. Of undecided cells
    none beside ``but`` (padded; -1 for no such bar)."""
    stride = cols + 2
    size = rows * cols
    cell = game.below(size, rng)
    p = game.padded(cell, cols)
    for _ in range(size):
        state = cover[p]
        if what == CLUE:
            good = state == _OPEN and hid[p] != 0
        elif what <= MINED_FAR:
            wanted = 1 if what in (MINED, MINED_FAR) else 0
            good = state == _COVERED and mine[p] == wanted and (what <= MINED or opn[p] == 0)
            if good and but >= 0:
                good = abs(p // stride - but // stride) > 1 or abs(p % stride - but % stride) > 1
        elif what <= WALL_SEEN:
            good = state == _FLAG and hid[p] != 0 and (what == WALL or opn[p] != 0)
        else:
            good = state == (_FLAG if what == ANY_FLAG else _OPEN)
        if good:
            return p
        cell += 1
        p += 1
        if cell == size:
            cell = np.int64(0)
            p = np.int64(stride + 1)
        elif p % stride == cols + 1:
            p += 2
    return np.int64(-1)


@inlined
def _put(p, laid, stride, mine, clue, need):
    """Lays a mine, or takes it away."""
    by = 1 if laid else -1
    mine[p] = 1 if laid else 0
    for d in game.steps(stride):
        clue[p + d] += by
        need[p + d] += by


@inlined
def _tell(p, two, stride, cover, need, hid, stack, pairs, mark, tally):
    """Lets the open clues around a changed cell be looked at again."""
    for d in game.steps(stride):
        if cover[p + d] == _OPEN:
            game._look(p + d, two, need, hid, stack, pairs, mark, tally)


@compiled
def _far(what, start, rule, rows, cols, rng, mine, cover, hid, opn):
    """A settled cell that may change; -1 after some vain looks. No mine goes to a cell that the first click spares."""
    stride = cols + 2
    reach = 1 if rule == game.OPENING else 0
    for _ in range(20):
        r = _find(what, np.int64(-1), rows, cols, rng, mine, cover, hid, opn)
        if r < 0 or what == ANY_FLAG:
            return r
        if abs(r // stride - start // stride) > reach or abs(r % stride - start % stride) > reach:
            return r
    return np.int64(-1)


@compiled
def _swap(p, fill, rows, cols, rng, mine, clue, need, cover, hid, opn, moved):
    """Fills or empties the undecided cells around ``p``, changing places with undecided cells elsewhere; how many
    entries of ``moved`` are cells that changed, 0 where there are not enough places and nothing was done."""
    stride = cols + 2
    near = game.steps(stride)
    left, count = np.int64(hid[p]), np.int64(0)
    while left:
        q = p + near[lowest(left)]
        left &= left - 1
        if (mine[q] == 1) == fill:
            continue
        # rather a cell that no clue speaks of yet
        r = _find(MINED_FAR if fill else CLEAR_FAR, p, rows, cols, rng, mine, cover, hid, opn)
        if r < 0:
            r = _find(MINED if fill else CLEAR, p, rows, cols, rng, mine, cover, hid, opn)
        if r < 0:
            while count:
                count -= 2
                _put(np.int64(moved[count]), not fill, stride, mine, clue, need)
                _put(np.int64(moved[count + 1]), fill, stride, mine, clue, need)
            return count
        _put(q, fill, stride, mine, clue, need)
        _put(r, not fill, stride, mine, clue, need)
        moved[count], moved[count + 1] = q, r
        count += 2
    return count


@compiled
def _change(
    rows, cols, start, rule, two, rng, mine, clue, cover, need, hid, opn, stack, pairs, mark, tally, moved
):  # fmt: skip
    """Changes a stuck board in one place: GO_ON, AGAIN from the start, or HOPELESS where nothing can be changed."""
    stride = cols + 2
    p = _find(CLUE, np.int64(-1), rows, cols, rng, mine, cover, hid, opn)
    if p >= 0:
        # what takes fewer moves, so that little of what was used before changes
        has, lacks = np.int64(need[p]), np.int64(ones(np.int64(hid[p]))) - np.int64(need[p])
        fill = has > lacks or (has == lacks and game.below(2, rng) == 1)
        for _ in range(2):
            count = _swap(p, fill, rows, cols, rng, mine, clue, need, cover, hid, opn, moved)
            if count:
                for k in range(count):
                    _tell(np.int64(moved[k]), two, stride, cover, need, hid, stack, pairs, mark, tally)
                return GO_ON
            fill = not fill
        fill = game.below(2, rng) == 1
        for _ in range(2):
            near = game.steps(stride)
            left = np.int64(hid[p])
            while left:
                q = p + near[lowest(left)]
                left &= left - 1
                if (mine[q] == 1) != fill:
                    r = _far(ANY_FLAG if fill else ANY_OPEN, start, rule, rows, cols, rng, mine, cover, hid, opn)
                    if r >= 0:
                        _put(q, fill, stride, mine, clue, need)
                        _put(r, not fill, stride, mine, clue, need)
                        return AGAIN
            fill = not fill
        return HOPELESS
    # no clue sees what is left: take a mine out of the wall around it
    r = _find(WALL_SEEN, np.int64(-1), rows, cols, rng, mine, cover, hid, opn)
    if r < 0:
        r = _find(WALL, np.int64(-1), rows, cols, rng, mine, cover, hid, opn)
    if r < 0:
        return HOPELESS
    q = np.int64(-1)
    if game.below(2, rng) == 1:
        q = _far(ANY_OPEN, start, rule, rows, cols, rng, mine, cover, hid, opn)
    if q < 0:
        q = _find(CLEAR, np.int64(-1), rows, cols, rng, mine, cover, hid, opn)
    if q < 0:
        return HOPELESS
    _put(r, False, stride, mine, clue, need)
    _put(q, True, stride, mine, clue, need)
    return AGAIN


@compiled
def _certain(
    rows, cols, mines, clue, cover, need, hid, opn, stack, pairs, mark, tally, flat_clue, flat_cover, board, small,
    keys, real, out,
):  # fmt: skip
    """Opens and flags all that is certain now, by the exact odds; whether there was anything."""
    stride = cols + 2
    c = np.int64(0)
    for r in range(1, rows + 1):
        for p in range(r * stride + 1, r * stride + cols + 1):
            what = cover[p]
            flat_cover[c] = what
            flat_clue[c] = clue[p] if what == _OPEN else -1
            c += 1
    out[COUNTS] += 1
    out[WORK] += c // 2
    if odds_code.odds(flat_clue, flat_cover, mines, board, small, keys, real) != odds_code.DONE:
        return False
    found = False
    c = np.int64(0)
    for r in range(1, rows + 1):
        for p in range(r * stride + 1, r * stride + cols + 1):
            if cover[p] == _COVERED:
                chance = real[odds_code.REAL + c]
                if chance == 0.0:
                    game.open_cell(p, True, stride, cover, need, hid, opn, stack, pairs, mark, tally)
                    found = True
                elif chance == 1.0:
                    game.flag_cell(p, True, stride, cover, need, hid, stack, pairs, mark, tally)
                    found = True
            c += 1
    return found


@compiled
def _think(
    rows, cols, mines, level, clue, cover, need, hid, opn, stack, pairs, mark, tally, flat_clue, flat_cover, board,
    small, keys, real, out,
):  # fmt: skip
    """All that the level says from where the game stands; whether the board is cleared."""
    goal = rows * cols - mines
    while True:
        game.settle(level, cols + 2, cover, need, hid, opn, stack, pairs, mark, tally)
        if tally[game.OPENED] == goal:
            return True
        if level < 3:
            return False
        if not _certain(
            rows, cols, mines, clue, cover, need, hid, opn, stack, pairs, mark, tally, flat_clue, flat_cover, board,
            small, keys, real, out,
        ):  # fmt: skip
            return False


@compiled
def make(
    rows, cols, mines, start, rule, level, method, budget, seed, number, rng, mine, mined, clue, cover, need, hid, opn,
    stack, pairs, mark, tally, flat_clue, flat_cover, board, small, keys, real, moved, best, out,
):  # fmt: skip
    """Makes one board into ``mine``, from the random stream of game ``number`` of the run ``seed``.

    ``budget``  games from the start there may be in all
    ``best``    uint8 per padded cell: scratch
    ``out``     set: PROVEN 1 or 0 (then ``mine`` is the board that got furthest), OPENED its cells opened; DEALS,
                GAMES from the start, CHANGES, COUNTS of odds; WORK in cells looked at"""
    size = (rows + 2) * (cols + 2)
    stride, two, goal = cols + 2, level > 1, rows * cols - mines
    game.seed_game(seed, number, rng)
    for k in range(OUT):
        out[k] = 0
    out[OPENED] = -1
    while out[GAMES] < budget:
        game.deal(rows, cols, mines, start, rule, rng, mine, mined)
        out[DEALS] += 1
        out[WORK] += mines
        if mine[start]:
            out[GAMES] += 1
            if out[OPENED] < 0:
                out[OPENED] = 0
                for p in range(size):
                    best[p] = mine[p]
            continue
        game.number(rows, cols, mines, mine, mined, clue)
        furthest, vain = np.int64(0), np.int64(0)
        while vain < VAIN_GAMES and out[GAMES] < budget:
            out[GAMES] += 1
            game.reset(rows, cols, clue, cover, need, hid, opn, mark, tally)
            game.open_cell(start, two, stride, cover, need, hid, opn, stack, pairs, mark, tally)
            done = _think(
                rows, cols, mines, level, clue, cover, need, hid, opn, stack, pairs, mark, tally, flat_clue,
                flat_cover, board, small, keys, real, out,
            )  # fmt: skip
            out[WORK] += size // 4 + tally[game.OPENED]
            if done:
                out[PROVEN] = 1
                out[OPENED] = goal
                return
            vain += 1
            if tally[game.OPENED] > furthest:
                furthest, vain = tally[game.OPENED], np.int64(0)
            if tally[game.OPENED] > out[OPENED]:
                out[OPENED] = tally[game.OPENED]
                for p in range(size):
                    best[p] = mine[p]
            if method == REDEAL:
                break
            # a change that lets the game go on opens or flags something, so this ends
            then = GO_ON
            while not done and then == GO_ON:
                before = tally[game.OPENED]
                then = _change(
                    rows, cols, start, rule, two, rng, mine, clue, cover, need, hid, opn, stack, pairs, mark, tally,
                    moved,
                )  # fmt: skip
                out[CHANGES] += 1
                if then == GO_ON:
                    done = _think(
                        rows, cols, mines, level, clue, cover, need, hid, opn, stack, pairs, mark, tally, flat_clue,
                        flat_cover, board, small, keys, real, out,
                    )  # fmt: skip
                    out[WORK] += CHANGE_WORK + tally[game.OPENED] - before
            if then == HOPELESS:
                break
    for p in range(size):
        mine[p] = best[p]
