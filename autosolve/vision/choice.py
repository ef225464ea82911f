"""Owns which site a picture shows: in what order sites are tried on a lattice, and whose the look of a board is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from autosolve.vision.cells import F32, normalise
from autosolve.vision.frame import Pixels
from autosolve.vision.match import ByIdentity
from autosolve.vision.profile import Profile
from autosolve.vision.skin import SAME_SITE, Told, bodies

AKIN = 0.5  # share of cells whose body must be one of a site's, or its templates are not compared at all
OWN_BODY = 5.0  # grey levels: colours no nearer than this are not a site's very own
SAME_BODY = 30.0  # grey levels between such bodies: displays and night modes shift them
FRESH = 0.03  # of the cells of a board without a digit that may be doubtful


def of_one_page(profiles: Sequence[Profile]) -> bool:
    """Whether these are the sites of one page or program, or a single one. What it shows is held to its sites whatever
    its colours, and named even where little of it can be told."""
    return all(p.name in profiles[0].also for p in profiles[1:])


def in_order(stack: Pixels, profiles: Sequence[Profile]) -> list[Profile]:
    """The sites to try on normalised cells, uint8 (n, T, T, 3): those whose colours they may have, the likeliest first;
    of one page's sites none is left out but for one whose very colours they are."""
    if len(profiles) == 1:
        return list(profiles)
    body = bodies(stack)
    return _of_a_page(body, profiles) if of_one_page(profiles) else _of_all(body, profiles)


def likely(stack: Pixels, profiles: Sequence[Profile]) -> bool:
    """Whether normalised cells, uint8 (n, T, T, 3), may have the colours of one of some sites."""
    if not profiles:
        return False
    body = bodies(stack)
    return any(float((_apart(body, p) <= SAME_BODY).mean()) >= AKIN for p in profiles)


def foreign(stack: Pixels, asked: Sequence[Profile], known: Callable[[], Sequence[Profile]]) -> bool:
    """Whether normalised cells, uint8 (n, T, T, 3), have none of the colours of the sites that were asked for, and the
    very own ones of another. ``known`` gives all sites, and is only called where it matters."""
    if any(p.reader == "skin" and not p.skins for p in asked) or likely(stack, asked):
        return False
    body = bodies(stack)
    others = (p for p in known() if p.reader != "skin" or p.skins)
    return any(float((_apart(body, p) <= OWN_BODY).mean()) >= AKIN for p in others)


def _of_all(body: F32, profiles: Sequence[Profile]) -> list[Profile]:
    """First the prepared sites whose very colours these are, then any look, then prepared ones whose colours a display
    or a night mode may have shifted."""
    order: list[tuple[int, float, Profile]] = []
    for profile in profiles:
        by_look = profile.reader == "skin"
        if by_look and not profile.skins:
            order.append((1, np.inf, profile))
            continue
        apart = _apart(body, profile)
        if by_look or float((apart <= SAME_BODY).mean()) >= AKIN:
            far = float(np.median(apart))
            order.append((1 if by_look else 0 if far <= OWN_BODY else 2, far, profile))
    # a prepared site whose colours are no nearer than those of a look comes after it
    nearest = min((far for rank, far, _ in order if rank == 1), default=np.inf)
    order = [(2 if rank == 0 and far >= nearest else rank, far, profile) for rank, far, profile in order]
    return [profile for *_, profile in sorted(order, key=lambda o: o[:2])]


def _of_a_page(body: F32, profiles: Sequence[Profile]) -> list[Profile]:
    """Those in whose very colours most of the cells are; all, where a display, a night mode or a veil shifts them."""
    own = [p for p in profiles if float((_apart(body, p) <= OWN_BODY).mean()) >= AKIN]
    return own or list(profiles)


def _apart(body: F32, profile: Profile) -> F32:
    """(n,) grey levels from each cell's body to the nearest ground of a site."""
    return np.asarray(np.abs(body[:, None] - _grounds(ByIdentity(profile))[None]).max(2).min(1), np.float32)


@lru_cache(maxsize=64)
def _grounds(key: ByIdentity) -> F32:
    """(k, 3) BGR of the grounds of a site's cells."""
    if key.profile.reader == "skin":
        return np.array([c for s in key.profile.skins for c in (*s.covered, *s.opened)], np.float32)
    some = [t.pixels for templates in key.profile.templates.values() for t in templates]
    stack = np.concatenate([normalise(p, 0, 0, p.shape[1], p.shape[0], 1, 1) for p in some])
    return np.unique(np.round(bodies(stack) / 4) * 4, axis=0).astype(np.float32)


def of_look(told: Told, profiles: Sequence[Profile]) -> Profile | None:
    """The site of the reader "skin" whose boards are made of this; where none is, one that takes every board.

    A board without any digit is one only if its cells are raised or a site's very own."""
    best: tuple[float, Profile] | None = None
    for profile in profiles:
        for skin in profile.skins:
            parts = []
            for seen, known in ((told.covered, skin.covered), (told.opened, skin.opened)):
                if len(seen):
                    wanted = np.array(known, np.float32)
                    parts.append(float(np.abs(seen[:, None] - wanted[None]).max(2).min(1).max()))
            if len(told.covered) and skin.raised is not told.raised:
                continue
            if not (told.digits or skin.raised or profile.lines or told.lawn):
                continue  # a fresh board that has neither bevels nor lines shows its cells by their shades
            if parts and max(parts) <= SAME_SITE and (best is None or max(parts) < best[0]):
                best = max(parts), profile
    if best is not None:
        return best[1]
    if told.digits or (told.raised and told.doubtful <= FRESH * len(told.match.symbols)):
        return next((p for p in profiles if not p.skins), None)
    return None
