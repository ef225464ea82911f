"""Owns the windows that show things to a person while the screen is looked at: one beside the board, one over it.

The one beside it is drawn by tkinter. The one over it is drawn by Qt, takes no click and no key, and has the shape of
its marks: the rest of the board is not covered at all, so no compositor is needed. Both know where they are, so that
they are never taken for a part of the board. Legend: boxes are screen points.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from autosolve.errors import EnvironmentProblem
from autosolve.vision.frame import Box, Monitor, Pixels

EXTRA = "Install the extra with: pip install 'autosolve[watch]'"
_WIDE, _HIGH = 620, 760  # of the picture in the window beside the board, at most
_LEAST = 0.4  # share of its size below which a picture says nothing any more
_TEXT = 340  # width of a window that has no picture
_FRAME = 110  # height of the sentence under the picture and of what the desktop puts around a window
_GAP = 16.0
_AIR = 6.0  # around the window: shadows and rims that the desktop draws


def room_beside(
    width: float, height: float, board: Box | None, monitors: Sequence[Monitor]
) -> tuple[tuple[float, float], float]:
    """Where a window of this size stands so that it leaves the board free: its left top corner, and the share of its
    size that it may have there, at most 1.

    That is right or left of the board, below or above it, or on another monitor, where it can be largest. Without a
    board it is the right upper corner of the main monitor."""
    home = monitors[0].box if monitors else Box(0, 0, width, height)
    if board is None or not monitors:
        return (max(home.x, home.right - width - _GAP), home.y + _GAP), 1.0
    middle = Box(board.x + board.width / 2, board.y + board.height / 2, 0, 0)
    home = next((m.box for m in monitors if m.box.clipped(middle) == middle), home)
    near = board.grown(_GAP)
    free = [
        Box(near.right, home.y, home.right - near.right, home.height),
        Box(home.x, home.y, near.x - home.x, home.height),
        Box(home.x, near.bottom, home.width, home.bottom - near.bottom),
        Box(home.x, home.y, home.width, near.y - home.y),
        *(m.box for m in monitors if m.box != home),
    ]
    shares = [min(1.0, box.width / width, box.height / height) for box in free]
    best = max(range(len(free)), key=lambda i: shares[i])
    box, share = free[best], max(shares[best], _LEAST)
    wide, high = width * share, height * share
    # as near to the board as it can be
    x = min(max(board.x if best != 1 else box.right - wide, box.x), max(box.x, box.right - wide))
    y = min(max(board.y if best != 3 else box.bottom - high, box.y), max(box.y, box.bottom - high))
    return (x, y), share


class Beside:
    """A window beside the board with a picture and a sentence.

    Raises EnvironmentProblem where there is no tkinter or no display."""

    def __init__(self, title: str) -> None:
        try:
            import tkinter
        except ImportError:
            raise EnvironmentProblem(
                "There is no tkinter to show a window with.", "Install python3-tk, or give --text."
            ) from None
        try:
            self._root = tkinter.Tk()
        except tkinter.TclError as problem:
            raise EnvironmentProblem(f"No window can be opened: {problem}.", "Give --text.") from None
        self._tk = tkinter
        self._open = True
        root = self._root
        root.title(title)
        root.protocol("WM_DELETE_WINDOW", self._close)
        root.attributes("-topmost", True)
        root.resizable(False, False)
        root.minsize(_TEXT, 1)
        self._picture = tkinter.Label(root, borderwidth=0)
        self._words = tkinter.Label(root, justify="left", anchor="w", wraplength=_TEXT, padx=10, pady=8)
        self._words.pack(fill="x")
        self._image: Any = None
        self._placed = False
        root.withdraw()

    def show(self, picture: Pixels | None, text: str, board: Box | None, monitors: Sequence[Monitor]) -> None:
        """Shows a picture (BGR) and a sentence; the window moves off the board where it covers it, and else stays where
        a person has put it. The picture is made as small as it must be to leave the board free."""
        if not self._open:
            return
        over = board is not None and any(_meet(own, board) for own in self.boxes())
        if picture is None:
            self._image = None
            self._picture.pack_forget()
            self._words.configure(text=text, wraplength=_TEXT)
            place, _ = room_beside(_TEXT + 2 * _AIR, 120, board, monitors)
        else:
            high, wide = picture.shape[:2]
            place, share = room_beside(wide + 2 * _AIR, high + _FRAME, board, monitors)
            small = _fitted(picture, min(1.0, share, _WIDE / wide, _HIGH / high))
            ok, coded = cv2.imencode(".png", small)
            assert ok
            self._image = self._tk.PhotoImage(master=self._root, data=coded.tobytes())
            self._picture.configure(image=self._image)
            self._picture.pack(before=self._words)
            self._words.configure(text=text, wraplength=max(200, small.shape[1] - 20))
        if not self._placed or over:
            self._root.geometry(f"+{round(place[0])}+{round(place[1])}")
            self._placed = board is not None
        if self._root.state() == "withdrawn":
            self._root.deiconify()
        self._root.update()

    def boxes(self) -> list[Box]:
        """Where the window is, with the frame that the desktop puts around it; nothing while it is hidden."""
        if not self._open or self._root.state() != "normal":
            return []
        root = self._root
        x, y = root.winfo_rootx(), root.winfo_rooty()
        # a frame is as wide below as at the sides; its title is above
        side, top = max(0, x - root.winfo_x()), max(0, y - root.winfo_y())
        box = Box(x - side, y - top, root.winfo_width() + 2 * side, root.winfo_height() + top + side)
        return [box.grown(_AIR)]

    def alive(self) -> bool:
        """Lets the window react; False once a person has closed it."""
        if self._open:
            self._root.update()
        return self._open

    def hide(self) -> None:
        """Takes it off the screen."""
        if self._open:
            self._root.withdraw()
            self._root.update()

    def close(self) -> None:
        """Ends it."""
        if self._open:
            self._close()

    def _close(self) -> None:
        self._open = False
        self._root.destroy()


def _meet(one: Box, other: Box) -> bool:
    both = one.clipped(other)
    return both.width > 0 and both.height > 0


def _fitted(picture: Pixels, factor: float) -> Pixels:
    """The picture so many times as large."""
    size = max(1, round(picture.shape[1] * factor)), max(1, round(picture.shape[0] * factor))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


class Over:
    """Marks over the board, and nothing else of a window: clicks and keys go to what lies under it.

    Raises EnvironmentProblem where Qt is missing or cannot open a window."""

    def __init__(self, title: str) -> None:
        if sys.platform != "darwin":
            # one point of Qt is one pixel, as it is for the pictures of the screen
            os.environ["QT_ENABLE_HIGHDPI_SCALING"] = "0"
        try:
            from PySide6 import QtCore, QtGui, QtWidgets
        except ImportError:
            raise EnvironmentProblem("There is no Qt to lay marks over the board with.", f"{EXTRA}.") from None
        _try_qt()
        self._gui, core = QtGui, QtCore.Qt
        self._app = QtWidgets.QApplication.instance() or QtWidgets.QApplication([title])
        flags = (
            core.WindowType.FramelessWindowHint
            | core.WindowType.WindowStaysOnTopHint
            | core.WindowType.Tool
            | core.WindowType.WindowTransparentForInput
            | core.WindowType.WindowDoesNotAcceptFocus
        )
        if sys.platform == "linux":
            flags |= core.WindowType.BypassWindowManagerHint  # it must stand exactly where the board is
        self._label = QtWidgets.QLabel(None, flags)
        self._label.setWindowTitle(title)
        self._label.setAttribute(core.WidgetAttribute.WA_ShowWithoutActivating)

    def show(self, picture: Pixels, mask: npt.NDArray[np.bool_], box: Box, scale: float) -> None:
        """Lays the pixels of a BGR picture that ``mask`` names over a box of the screen."""
        if not mask.any():
            self.hide()
            return
        gui, height, width = self._gui, *mask.shape
        alpha = np.where(mask, 255, 0).astype(np.uint8)
        bgra = np.ascontiguousarray(np.dstack([picture, alpha]))
        image = gui.QImage(bgra.data, width, height, 4 * width, gui.QImage.Format.Format_ARGB32).copy()
        pixmap = gui.QPixmap.fromImage(image)
        if sys.platform == "darwin":
            pixmap.setDevicePixelRatio(scale)
        self._label.setPixmap(pixmap)
        self._label.setGeometry(round(box.x), round(box.y), round(box.width), round(box.height))
        self._label.setMask(pixmap.mask())
        self._label.show()
        self._label.raise_()
        self._settle()

    def visible(self) -> bool:
        """Whether anything of it is on the screen."""
        return bool(self._label.isVisible())

    def alive(self) -> bool:
        """Lets it react; there is nothing to close it by."""
        self._app.processEvents()
        return True

    def hide(self) -> None:
        """Takes it off the screen."""
        self._label.hide()
        self._settle()

    def close(self) -> None:
        """Ends it."""
        self._label.close()
        self._settle()

    def _settle(self) -> None:
        self._app.processEvents()
        self._gui.QGuiApplication.sync()


def _try_qt() -> None:
    """Raises EnvironmentProblem where Qt opens no window here: it would end the whole process, without a sentence."""
    tried = subprocess.run(
        [sys.executable, "-c", "from PySide6.QtWidgets import QApplication; QApplication(['autosolve'])"],
        capture_output=True,
        text=True,
        check=False,
    )
    if tried.returncode != 0:
        lines = [line.strip().rstrip(".") for line in tried.stderr.splitlines() if line.strip()]
        raise EnvironmentProblem(
            f"Qt cannot open a window here: {lines[0] if lines else f'it ends with {tried.returncode}'}.",
            "On Linux it needs libxcb-cursor0, among others; or leave --overlay-window out.",
        )
