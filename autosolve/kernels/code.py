"""Owns the way to the compiled code: imports it late, and says plainly where that is not possible."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from autosolve.errors import EnvironmentProblem

_tell: Callable[[], None] | None = None
_listens = False


def on_compiling(tell: Callable[[], None] | None) -> None:
    """``tell`` is called, once, where this process begins to compile code that was not kept from an earlier run: to
    load what was kept takes a second at most, to compile half a minute. None: nobody is told."""
    global _tell
    _tell = tell


def _listen() -> None:
    """Hears of numba when it compiles, which it tells only where its cache does not have the code."""
    global _listens
    if _listens:
        return
    from numba.core import event

    class Compiling(event.Listener):
        def on_start(self, _event: object) -> None:
            global _tell
            tell, _tell = _tell, None
            if tell is not None:
                tell()

        def on_end(self, _event: object) -> None:
            pass

    register: Any = event.register
    register("numba:compile", Compiling())
    _listens = True


@contextmanager
def _needs_numba() -> Iterator[None]:
    try:
        _listen()
        yield
    except ImportError as problem:
        if (problem.name or "").split(".")[0] not in ("numba", "llvmlite"):
            raise
        raise EnvironmentProblem(
            "The bulk kernels need numba, which is not installed here.", "Install it: pip install numba."
        ) from problem
    except RuntimeError as problem:
        if "cannot cache" not in str(problem):
            raise
        raise EnvironmentProblem(
            "There is no folder in which the bulk kernels can keep what they compiled.",
            "Set NUMBA_CACHE_DIR to a folder that can be written to.",
        ) from problem


def odds_code() -> ModuleType:
    """The compiled odds; EnvironmentProblem without numba."""
    with _needs_numba():
        from autosolve.kernels import odds_code

        return odds_code


def solve_code() -> ModuleType:
    """The compiled solver; EnvironmentProblem without numba."""
    with _needs_numba():
        from autosolve.kernels import solve_code

        return solve_code


def game_code() -> ModuleType:
    """The compiled ground of whole games; EnvironmentProblem without numba."""
    with _needs_numba():
        from autosolve.kernels import game_code

        return game_code


def clues_code() -> ModuleType:
    """The compiled removal of clues; EnvironmentProblem without numba."""
    with _needs_numba():
        from autosolve.kernels import clues_code

        return clues_code


def trophies_code() -> ModuleType:
    """The compiled trophies; EnvironmentProblem without numba."""
    with _needs_numba():
        from autosolve.kernels import trophies_code

        return trophies_code


def noguess_code() -> ModuleType:
    """The compiled making of boards that need no guess; EnvironmentProblem without numba."""
    with _needs_numba():
        from autosolve.kernels import noguess_code

        return noguess_code


def census_code() -> ModuleType:
    """The compiled census; EnvironmentProblem without numba."""
    with _needs_numba():
        from autosolve.kernels import census_code

        return census_code


def play_code() -> ModuleType:
    """The compiled play of whole games; EnvironmentProblem without numba."""
    with _needs_numba():
        from autosolve.kernels import play_code

        return play_code


def warm_up() -> None:
    """Imports all compiled code, and compiles it where this machine has not done so yet, which takes half a minute.

    Raises EnvironmentProblem without numba."""
    odds_code()
    solve_code()
    clues_code()
