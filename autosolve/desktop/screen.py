"""Owns the real screen: pictures of any part of the desktop, taken with mss.

Legend: boxes are in screen points, which mss calls pixels on X11 and Windows and points on macOS. A picture knows
its pixels per point: 2 on a Retina screen, 1 elsewhere.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import TracebackType
from typing import Any

import cv2
import numpy as np

from autosolve.desktop import environment
from autosolve.desktop.places import place
from autosolve.errors import EnvironmentProblem
from autosolve.vision.frame import Box, Frame, Monitor, Point

_WHOLE = 0.9  # share of a monitor a picture covers to be judged as one of the whole monitor


class Desktop:
    """The desktop this process runs on; implements Screen.

    Raises EnvironmentProblem, with the way out, where there is no desktop or it may not be looked at."""

    def __init__(self, session: environment.Session | None = None) -> None:
        self._session = session or environment.session()
        environment.be_dpi_aware(self._session)
        refused = environment.screen_problem(self._session)
        if refused is not None:
            raise refused
        try:
            import mss
            from mss.exception import ScreenShotError

            self._error: type[Exception] = ScreenShotError
            if sys.platform == "darwin":
                import mss.darwin as darwin

                # without its "nominal resolution" a Retina screen comes in all its pixels
                darwin.IMAGE_OPTIONS = darwin.kCGWindowImageBoundsIgnoreFraming | darwin.kCGWindowImageShouldBeOpaque
            self._mss = mss.MSS() if hasattr(mss, "MSS") else mss.mss()
            listed = self._mss.monitors
        except ImportError:
            raise
        except Exception as problem:  # ScreenShotError, or an OSError of a library that is missing
            raise self._closed(problem) from None
        self._monitors = monitors_of(listed)
        if not self._monitors:
            raise EnvironmentProblem("There is no monitor.", f"Connect one, or run under Xvfb. {environment.WAY_OUT}")
        if self._session.system == "darwin":
            self._monitors = tuple(self._measured(monitor) for monitor in self._monitors)

    def __enter__(self) -> Desktop:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Lets go of the screen."""
        self._mss.close()

    def monitors(self) -> tuple[Monitor, ...]:
        """The monitors, the main one first, numbered from 1."""
        return self._monitors

    def grab(self, box: Box) -> Frame:
        """A picture of ``box``, clipped to the monitor it mostly lies on.

        Raises WrongUse for a box outside all monitors, EnvironmentProblem where we may not look."""
        monitor, inside = place(box, self._monitors)
        frame = self._shoot(inside)
        whole = inside.width * inside.height >= _WHOLE * monitor.box.width * monitor.box.height
        if whole and not frame.pixels.any():
            problem = environment.black_problem(self._session)
            if problem is not None:
                raise problem
        return frame

    def _shoot(self, box: Box) -> Frame:
        try:
            shot = self._mss.grab(
                {"left": int(box.x), "top": int(box.y), "width": int(box.width), "height": int(box.height)}
            )
        except (self._error, AssertionError) as problem:  # mss asserts that the X server answers
            raise self._closed(problem) from None
        pixels = np.frombuffer(shot.raw, np.uint8).reshape(shot.height, shot.width, 4)
        bgr = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGRA2BGR), np.uint8)
        return Frame(bgr, Point(box.x, box.y), shot.width / box.width)

    def _measured(self, monitor: Monitor) -> Monitor:
        """The monitor with its pixels per point, from a small picture of its middle."""
        box = monitor.box
        spot = Box(box.x + box.width // 2, box.y + box.height // 2, 16, 16)
        return Monitor(monitor.number, box, self._shoot(spot).scale, monitor.name)

    def _closed(self, problem: Exception) -> EnvironmentProblem:
        if self._session.system == "linux" and self._session.wayland:
            return environment.wayland_problem()
        where = f" {self._session.display}" if self._session.display else ""
        return EnvironmentProblem(
            f"The display{where} cannot be looked at: {str(problem).rstrip('.') or 'it does not answer'}.",
            f"Check DISPLAY and your right to use it (xauth). {environment.WAY_OUT}",
        )


class Still:
    """A saved picture in place of a screen; implements Screen."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame

    def monitors(self) -> tuple[Monitor, ...]:
        """One monitor: the picture."""
        return (Monitor(1, self.frame.box, self.frame.scale, "picture"),)

    def grab(self, box: Box) -> Frame:
        """The part of the picture inside ``box``; WrongUse where there is none."""
        _, inside = place(box, self.monitors())
        return self.frame.crop(inside)


def monitors_of(listed: list[Mapping[str, Any]] | Any) -> tuple[Monitor, ...]:
    """The monitors as mss lists them: the whole desktop, then each one where it can tell. The main one first."""
    single = [m for m in listed[1:] if m["width"] > 0 and m["height"] > 0] or list(listed[:1])
    single.sort(key=lambda m: not (m.get("is_primary") or False))
    if not any(m.get("is_primary") for m in single):
        # the main monitor of X11 without one, of Windows and of macOS holds the origin
        single.sort(key=lambda m: (m["left"], m["top"]) != (0, 0))
    return tuple(
        Monitor(
            number,
            Box(float(m["left"]), float(m["top"]), float(m["width"]), float(m["height"])),
            1.0,
            str(m.get("name") or m.get("output") or ""),
        )
        for number, m in enumerate(single, 1)
        if m["width"] > 0 and m["height"] > 0
    )
