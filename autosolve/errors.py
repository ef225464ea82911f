"""Every error autosolve raises on purpose, each with the exit code a command ends with.

::

    AutosolveError            1   something inside went wrong
    ├── WrongUse              2   what the person gave us cannot be used
    │   ├── NotationError         a board text; knows line and column
    │   ├── ProfileError          a site folder; knows file, line and key
    │   ├── UnknownSite           a site name; knows the nearest names
    │   └── UnreadableFile        a file that is missing or is not what it should be
    ├── EnvironmentProblem    3   this machine cannot do it: no display, Wayland, a permission
    ├── BoardNotFound         4   no board in the picture
    ├── Unreadable            5   a board, but some of its cells cannot be told
    ├── Clash                 6   the clues contradict each other
    ├── Undecided             7   more than one solution, or a guess that is not allowed
    ├── ClicksFailed          8   the same click was wanted a third time, or the screen changed under us
    ├── GameLost              9   a mine was opened
    └── Stopped             130   the person stopped it

A message is one plain sentence on what is wrong; ``remedy`` is one on what to do. Neither holds a traceback.
"""

from __future__ import annotations

from collections.abc import Sequence


class AutosolveError(Exception):
    """Base of all errors; ``exit_code`` is what the command ends with, ``remedy`` what a person can do."""

    exit_code = 1

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.remedy = remedy


class WrongUse(AutosolveError):
    """The person's input cannot be used as it is."""

    exit_code = 2


class NotationError(WrongUse):
    """A board text that cannot be parsed; ``line`` and ``column`` are 1-based, 0 where unknown."""

    def __init__(self, message: str, remedy: str = "", *, line: int = 0, column: int = 0) -> None:
        super().__init__(message, remedy)
        self.line = line
        self.column = column


class ProfileError(WrongUse):
    """A site folder that cannot be loaded; names the file, the 1-based line (0 if unknown) and the key."""

    def __init__(self, message: str, remedy: str = "", *, file: str = "", line: int = 0, key: str = "") -> None:
        super().__init__(message, remedy)
        self.file = file
        self.line = line
        self.key = key


class UnknownSite(WrongUse):
    """A site name nobody knows; ``nearest`` lists names that look alike, best first."""

    def __init__(self, message: str, remedy: str = "", *, nearest: Sequence[str] = ()) -> None:
        super().__init__(message, remedy)
        self.nearest = tuple(nearest)


class UnreadableFile(WrongUse):
    """A file that is missing, empty or of another kind than its use needs."""


class EnvironmentProblem(AutosolveError):
    """This machine cannot do what was asked: no display, Wayland, a missing permission or library."""

    exit_code = 3


class BoardNotFound(AutosolveError):
    """No board in the picture."""

    exit_code = 4


class Unreadable(AutosolveError):
    """A board whose cells cannot all be told; ``cells`` are (row, column), 0-based."""

    exit_code = 5

    def __init__(self, message: str, remedy: str = "", *, cells: Sequence[tuple[int, int]] = ()) -> None:
        super().__init__(message, remedy)
        self.cells = tuple(cells)


class Clash(AutosolveError):
    """The clues contradict each other; ``cells`` are the (row, column) of a small set that clashes."""

    exit_code = 6

    def __init__(self, message: str, remedy: str = "", *, cells: Sequence[tuple[int, int]] = ()) -> None:
        super().__init__(message, remedy)
        self.cells = tuple(cells)


class Undecided(AutosolveError):
    """More than one solution, or a guess is needed and not allowed; ``cells`` differ between solutions."""

    exit_code = 7

    def __init__(self, message: str, remedy: str = "", *, cells: Sequence[tuple[int, int]] = ()) -> None:
        super().__init__(message, remedy)
        self.cells = tuple(cells)


class ClicksFailed(AutosolveError):
    """Clicks did not take: the same one was wanted a third time, or the board changed under the hand."""

    exit_code = 8


class GameLost(AutosolveError):
    """A mine was opened."""

    exit_code = 9


class Stopped(AutosolveError):
    """The person stopped the run: Ctrl-C, the fail-safe corner or a moved mouse."""

    exit_code = 130
