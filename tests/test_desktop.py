"""Tests of the outside world: what a machine allows, its screen and mouse, and the painted site that stands in."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
import toys

from autosolve.board.shape import Cell
from autosolve.clicks.plan import Click, Purpose
from autosolve.desktop import environment
from autosolve.desktop.environment import Session
from autosolve.desktop.fake import FakeSite
from autosolve.desktop.mouse import Hand
from autosolve.desktop.places import place
from autosolve.desktop.screen import Desktop, Still, monitors_of
from autosolve.errors import EnvironmentProblem, Stopped, WrongUse
from autosolve.vision.frame import Box, Frame, Monitor, Point
from autosolve.vision.profile import Symbol

# ---------------------------------------------------------------- what the machine allows


@pytest.mark.parametrize(
    ("environ", "platform", "said"),
    [
        ({"DISPLAY": ":0"}, "linux", None),
        ({"DISPLAY": ":0", "XDG_SESSION_TYPE": "x11"}, "linux", None),
        ({}, "linux", "no display: DISPLAY is not set"),
        ({"DISPLAY": ""}, "linux", "no display"),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", "Wayland session"),
        ({"XDG_SESSION_TYPE": "Wayland"}, "linux", "Wayland session"),
        # an X display in a Wayland session may be a real one (Xvfb): the first picture tells
        ({"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}, "linux", None),
        ({}, "win32", None),
        ({}, "freebsd14", "no display"),
    ],
)
def test_a_session_without_a_screen_is_told(environ: dict[str, str], platform: str, said: str | None) -> None:
    problem = environment.screen_problem(environment.session(environ, platform))
    if said is None:
        assert problem is None
    else:
        assert said in str(problem)
        assert problem is not None
        assert "--image" in problem.remedy
        assert problem.exit_code == 3


def library(**functions: bool) -> Callable[[str], Any]:
    """A stand-in for the loader of system libraries, with these functions only."""

    def function(value: bool) -> Callable[[], bool]:
        def answer() -> bool:
            return value

        return answer

    return lambda name: SimpleNamespace(**{n: function(v) for n, v in functions.items()})


def missing(name: str) -> Any:
    raise OSError(f"{name}: cannot open shared object file")


def test_missing_permissions_of_macos_are_told() -> None:
    mac = environment.session({}, "darwin")
    assert mac == Session("darwin")
    no = environment.screen_problem(mac, library(CGPreflightScreenCaptureAccess=False))
    assert "Screen Recording" in (no.remedy if no else "")
    assert environment.screen_problem(mac, library(CGPreflightScreenCaptureAccess=True)) is None
    assert environment.screen_problem(mac, library()) is None  # macOS before 10.15
    assert environment.screen_problem(mac, missing) is None
    no = environment.mouse_problem(mac, library(AXIsProcessTrusted=False))
    assert "Accessibility" in (no.remedy if no else "")
    assert environment.mouse_problem(mac, library(AXIsProcessTrusted=True)) is None
    assert environment.mouse_problem(Session("linux", ":0"), library(AXIsProcessTrusted=False)) is None


@pytest.mark.parametrize(
    ("works", "way"),
    [
        (("SetProcessDpiAwarenessContext", "SetProcessDpiAwareness"), "SetProcessDpiAwarenessContext"),
        (("SetProcessDpiAwareness", "SetProcessDPIAware"), "SetProcessDpiAwareness"),
        (("SetProcessDPIAware",), "SetProcessDPIAware"),
        ((), ""),
    ],
)
def test_windows_is_told_once_that_points_are_pixels(works: tuple[str, ...], way: str) -> None:
    asked: list[str] = []

    def load(name: str) -> Any:
        def function(called: str) -> Callable[..., int]:
            def ask(*arguments: object) -> int:
                asked.append(called)
                return 0 if called == "SetProcessDpiAwareness" else 1

            return ask

        return SimpleNamespace(**{n: function(n) for n in works})

    assert environment.be_dpi_aware(Session("windows"), load) == way
    assert asked == ([way] if way else [])
    asked.clear()
    assert environment.be_dpi_aware(Session("linux", ":0"), load) == ""
    assert asked == []


# ---------------------------------------------------------------- monitors


def listed(*boxes: tuple[int, int, int, int], primary: int | None = None) -> list[dict[str, Any]]:
    """Monitors as mss lists them, the whole desktop first."""
    out = [dict(zip(("left", "top", "width", "height"), b, strict=True)) for b in boxes]
    left, top = min(m["left"] for m in out), min(m["top"] for m in out)
    whole = {"left": left, "top": top, "width": 5000, "height": 3000}
    return [whole, *({**m, "is_primary": i == primary, "name": f"m{i}"} for i, m in enumerate(out))]


@pytest.mark.parametrize(
    ("given", "lefts"),
    [
        (listed((0, 0, 1920, 1080), primary=0), [0]),
        (listed((-1280, 0, 1280, 1024), (0, 0, 1920, 1080), primary=1), [0, -1280]),
        (listed((0, 0, 1920, 1080), (1920, 0, 1280, 1024), primary=1), [1920, 0]),
        (listed((-1280, 0, 1280, 1024), (0, 0, 1920, 1080)), [0, -1280]),
        (listed((0, -900, 1600, 900), (0, 0, 1920, 1080)), [0, 0]),
        ([{"left": 0, "top": 0, "width": 800, "height": 600}], [0]),  # X11 without RandR names the whole only
    ],
)
def test_the_main_monitor_comes_first(given: list[dict[str, Any]], lefts: list[int]) -> None:
    found = monitors_of(given)
    assert [m.box.x for m in found] == lefts
    assert [m.number for m in found] == list(range(1, len(lefts) + 1))
    assert (found[0].box.x, found[0].box.y) == (lefts[0], 0)


TWO = (Monitor(1, Box(0, 0, 1920, 1080)), Monitor(2, Box(-1280, -200, 1280, 1024)))


@pytest.mark.parametrize(
    ("box", "number", "inside"),
    [
        (Box(10, 20, 30, 40), 1, Box(10, 20, 30, 40)),
        (Box(10.4, 20.6, 30, 40), 1, Box(10, 20, 31, 41)),  # grown to whole points
        (Box(-100, 50, 60, 60), 2, Box(-100, 50, 60, 60)),
        (Box(-10, 50, 60, 60), 1, Box(0, 50, 50, 60)),  # clipped to where most of it is
        (Box(-50, 50, 60, 60), 2, Box(-50, 50, 50, 60)),
        (Box(1900, 1070, 100, 100), 1, Box(1900, 1070, 20, 10)),
        (Box(-1280, -200, 1280, 1024), 2, Box(-1280, -200, 1280, 1024)),
    ],
)
def test_a_box_is_placed_on_one_monitor(box: Box, number: int, inside: Box) -> None:
    monitor, clipped = place(box, TWO)
    assert (monitor.number, clipped) == (number, inside)


@pytest.mark.parametrize("box", [Box(3000, 0, 10, 10), Box(0, 1080, 10, 10), Box(5, 5, 0, 10)])
def test_a_box_outside_all_monitors_is_refused(box: Box) -> None:
    with pytest.raises(WrongUse, match="outside every monitor"):
        place(box, TWO)


# ---------------------------------------------------------------- the screen


class FakeMss(ModuleType):
    """Stands in for mss: a desktop whose pixels hold their own coordinates."""

    def __init__(self, monitors: list[dict[str, Any]], scale: int = 1, black: bool = False, error: str = "") -> None:
        super().__init__("mss")
        self.shots: list[dict[str, int]] = []
        fake = self

        class ScreenShotError(Exception):
            pass

        class MSS:
            def __init__(self) -> None:
                if error == "open":
                    raise ScreenShotError("Unable to open display: b':77'.")
                self.monitors = monitors

            def grab(self, box: dict[str, int]) -> Any:
                if error == "grab":
                    raise ScreenShotError("XGetImage() failed")
                if error == "gone":
                    raise AssertionError
                fake.shots.append(box)
                height, width = box["height"] * scale, box["width"] * scale
                pixels = np.zeros((height, width, 4), np.uint8)
                if not black:
                    y, x = np.mgrid[0:height, 0:width]
                    pixels[:] = np.stack([x % 251 + 1, y % 241, 0 * x + 7, 0 * x + 255], axis=2)
                return SimpleNamespace(raw=bytearray(pixels.tobytes()), width=width, height=height)

            def close(self) -> None:
                fake.shots.clear()

        self.MSS = MSS
        self.exception = ModuleType("mss.exception")
        self.exception.ScreenShotError = ScreenShotError  # type: ignore[attr-defined]


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Desktop, FakeMss]]:
    """Opens a Desktop on a stand-in for mss."""

    def make(session: Session, *boxes: tuple[int, int, int, int], **more: Any) -> tuple[Desktop, FakeMss]:
        fake = FakeMss(listed(*boxes), **more)
        monkeypatch.setitem(sys.modules, "mss", fake)
        monkeypatch.setitem(sys.modules, "mss.exception", fake.exception)
        return Desktop(session), fake

    return make


X11 = Session("linux", ":0")


def test_a_picture_knows_its_place_and_is_clipped(desk: Callable[..., tuple[Desktop, FakeMss]]) -> None:
    desktop, fake = desk(X11, (0, 0, 300, 200), (-100, 50, 100, 80))
    with desktop:
        frame = desktop.grab(Box(-60.5, 60.25, 90, 500))
        assert frame.box == Box(-61, 60, 61, 70)
        assert frame.scale == 1
        assert fake.shots == [{"left": -61, "top": 60, "width": 61, "height": 70}]
        assert frame.pixels.shape == (70, 61, 3)
        assert frame.pixels[5, 9].tolist() == [10, 5, 7]  # BGR, as it was
        with pytest.raises(WrongUse):
            desktop.grab(Box(900, 900, 10, 10))
    assert fake.shots == []  # closed


def test_a_retina_screen_has_two_pixels_a_point(desk: Callable[..., tuple[Desktop, FakeMss]]) -> None:
    desktop, _ = desk(Session("darwin"), (0, 0, 1440, 900), scale=2)
    assert [m.scale for m in desktop.monitors()] == [2.0]
    frame = desktop.grab(Box(100, 50, 20, 10))
    assert (frame.width, frame.height, frame.scale) == (40, 20, 2.0)
    assert frame.box == Box(100, 50, 20, 10)
    assert frame.to_point(40, 20) == Point(120, 60)


@pytest.mark.parametrize(
    ("session", "said"),
    [
        (Session("linux", ":0", wayland=True), "Wayland"),
        (Session("darwin"), "all black"),
        (X11, None),  # an empty X screen is black, and simply has no board on it
        (Session("windows"), None),
    ],
)
def test_a_black_picture_is_explained(
    desk: Callable[..., tuple[Desktop, FakeMss]], session: Session, said: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "be_dpi_aware", lambda here: "")
    desktop, _ = desk(session, (0, 0, 300, 200), black=True)
    assert not desktop.grab(Box(0, 0, 20, 20)).pixels.any()  # a small black part says nothing
    if said is None:
        assert not desktop.grab(Box(0, 0, 300, 200)).pixels.any()
    else:
        with pytest.raises(EnvironmentProblem, match=said):
            desktop.grab(Box(0, 0, 300, 200))


def test_a_screen_that_has_gone_away_is_said_to_be(desk: Callable[..., tuple[Desktop, FakeMss]]) -> None:
    with pytest.raises(EnvironmentProblem, match=r"The display :0 cannot be looked at: it does not answer\."):
        desk(X11, (0, 0, 300, 200), error="gone")[0].grab(Box(0, 0, 10, 10))


def test_a_display_that_does_not_open_is_told(desk: Callable[..., tuple[Desktop, FakeMss]]) -> None:
    with pytest.raises(EnvironmentProblem, match=r"The display :0 cannot be looked at: Unable to open display") as no:
        desk(X11, (0, 0, 300, 200), error="open")
    assert "--image" in no.value.remedy
    with pytest.raises(EnvironmentProblem, match="Wayland"):
        desk(Session("linux", ":0", wayland=True), (0, 0, 300, 200), error="open")
    desktop, _ = desk(X11, (0, 0, 300, 200), error="grab")
    with pytest.raises(EnvironmentProblem, match=r"XGetImage\(\) failed"):
        desktop.grab(Box(0, 0, 10, 10))


def test_no_display_is_told_before_anything_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mss", None)  # importing it would fail
    with pytest.raises(EnvironmentProblem, match="no display"):
        Desktop(Session("linux", ""))


def test_a_saved_picture_is_a_screen() -> None:
    pixels = np.arange(40 * 60 * 3, dtype=np.uint32).reshape(40, 60, 3).astype(np.uint8)
    still = Still(Frame(pixels))
    assert still.monitors()[0].box == Box(0, 0, 60, 40)
    part = still.grab(Box(10, 5, 100, 10))
    assert part.box == Box(10, 5, 50, 10)
    assert np.array_equal(part.pixels, pixels[5:15, 10:60])


# ---------------------------------------------------------------- the mouse


class Gui:
    """Stands in for pyautogui: keeps a log, and time passes while it works."""

    def __init__(self, cost: float = 0.0) -> None:
        self.log: list[tuple[Any, ...]] = []
        self.at = (500.0, 500.0)
        self.time, self.cost = 0.0, cost
        self.frozen_until = -1.0
        self.goal: tuple[float, float] | None = None
        self.pull = (0.0, 0.0)
        self.stuck = False

    def position(self) -> tuple[float, float]:
        if self.goal is not None and self.time >= self.frozen_until:
            self.at, self.goal = self.goal, None
        return self.at

    def moveTo(self, x: int, y: int, _pause: bool = True) -> None:  # noqa: N802
        self.time += self.cost
        self.log.append(("move", x, y, _pause))
        if not self.stuck:
            self.goal = (x + self.pull[0], y + self.pull[1])

    def mouseDown(self, x: int, y: int, button: str = "", _pause: bool = True) -> None:  # noqa: N802
        self.time += self.cost
        self.log.append(("down", x, y, button, self.time))

    def mouseUp(self, x: int, y: int, button: str = "", _pause: bool = True) -> None:  # noqa: N802
        self.log.append(("up", x, y, button, self.time))

    def clock(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.time += seconds


def hand(gui: Gui, hold: float = 0.004, gap: float = 0.004) -> Hand:
    return Hand(hold, gap, gui=gui, clock=gui.clock, sleep=gui.sleep)


CLICK = Click(Cell(3), Purpose.FLAG, "right", Point(100.4, 200.6))


@pytest.mark.parametrize(("hold", "gap", "cost"), [(0.004, 0.004, 0.0), (0.004, 0.004, 0.0004), (0.03, 0.01, 0.001)])
def test_a_click_takes_its_hold_and_its_gap_and_no_more(hold: float, gap: float, cost: float) -> None:
    gui = Gui(cost)
    hand(gui, hold, gap).click(CLICK)
    assert gui.log[0] == ("move", 100, 201, False)
    (down, *_, pressed), (up, *_, released) = gui.log[1:]
    assert (down, up) == ("down", "up")
    assert gui.log[1][1:4] == gui.log[2][1:4] == (100, 201, "right")
    assert released - pressed == pytest.approx(hold)
    assert gui.time == pytest.approx(hold + gap)


def test_the_pointer_is_moved_once_a_click() -> None:
    """pyautogui moves it again for the press and for the release, through its platform's module."""
    moves: list[tuple[int, int]] = []

    def move(x: int, y: int) -> None:
        moves.append((x, y))

    class Moving(Gui):
        platformModule = SimpleNamespace(_moveTo=move)  # noqa: N815

        def moveTo(self, x: int, y: int, _pause: bool = True) -> None:  # noqa: N802
            self.platformModule._moveTo(x, y)
            super().moveTo(x, y, _pause)

        def mouseDown(self, x: int, y: int, button: str = "", _pause: bool = True) -> None:  # noqa: N802
            self.platformModule._moveTo(x, y)
            super().mouseDown(x, y, button, _pause)

    gui = Moving()
    hand(gui).click(CLICK)
    hand(gui).click(CLICK)
    assert moves == [(100, 201), (100, 201)]
    assert gui.platformModule._moveTo is move


def test_a_slow_machine_is_not_hurried() -> None:
    gui = Gui(0.02)
    hand(gui).click(CLICK)
    assert gui.time == pytest.approx(0.044)


def test_the_button_comes_up_even_when_interrupted() -> None:
    gui = Gui()

    def interrupt(seconds: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Hand(gui=gui, clock=gui.clock, sleep=interrupt).click(CLICK)
    assert [entry[0] for entry in gui.log] == ["move", "down", "up"]


def test_a_hand_that_pulls_the_pointer_away_stops_before_the_press() -> None:
    gui = Gui()
    gui.pull = (9, 0)
    with pytest.raises(Stopped, match="hand is on the mouse"):
        hand(gui).click(CLICK)
    assert [entry[0] for entry in gui.log] == ["move"]
    gui.pull = (2, -1)  # a desktop may round
    hand(gui).click(CLICK)


def test_a_window_manager_that_holds_the_pointer_is_waited_for() -> None:
    gui = Gui()
    gui.frozen_until = 0.3
    hand(gui).click(CLICK)
    assert gui.log[1][-1] >= 0.3


def test_a_pointer_that_does_not_move_is_an_environment_problem() -> None:
    gui = Gui()
    gui.stuck = True
    with pytest.raises(EnvironmentProblem, match="cannot be moved"):
        hand(gui).click(CLICK)


def run_python(code: str, **environ: str) -> subprocess.CompletedProcess[str]:
    env = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY")} | environ
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], env=env, capture_output=True, text=True, timeout=60, check=False
    )


def test_no_gui_library_is_loaded_before_it_is_needed() -> None:
    done = run_python(
        """
        import sys
        import autosolve.desktop.mouse, autosolve.desktop.screen, autosolve.desktop.fake, autosolve.bot
        from autosolve.cli.main import run_command
        run_command(["sites"])
        print([name for name in ("mss", "pyautogui", "mouseinfo", "Xlib", "tkinter") if name in sys.modules])
        """
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "[]"


def test_without_a_display_the_mouse_says_so() -> None:
    done = run_python(
        """
        from autosolve.desktop import mouse
        from autosolve.errors import EnvironmentProblem
        try:
            mouse.load_pyautogui()
        except EnvironmentProblem as problem:
            print(problem, problem.remedy)
        """
    )
    assert "There is no display" in done.stdout
    assert "--image" in done.stdout


@pytest.mark.screen
def test_the_real_screen_and_mouse_work_without_tkinter_and_xauthority(rig: Any) -> None:
    env = {k: v for k, v in rig.env.items() if k != "XAUTHORITY"} | {"HOME": "/nonexistent"}
    code = """
        import sys
        sys.modules["tkinter"] = None  # as on a machine without it
        from autosolve.desktop.mouse import Hand
        from autosolve.desktop.screen import Desktop
        from autosolve.vision.frame import Box, Point
        hand, desktop = Hand(), Desktop()
        hand.move(Point(321.4, 123.6))
        frame = desktop.grab(Box(10, 20, 100, 50))
        print(*hand.position(), *frame.pixels.shape, frame.scale, len(desktop.monitors()))
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], env=env, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout == "321.0 124.0 50 100 3 1.0 1\n", done.stderr
    assert rig.pointer() == (321, 124)


@pytest.mark.screen
def test_a_real_click_is_quick_and_moves_once(rig: Any) -> None:
    """Against the real pyautogui: its private mover is where we expect it."""
    code = """
        import statistics, time
        from autosolve.board.shape import Cell
        from autosolve.clicks.plan import Click, Purpose
        from autosolve.desktop.mouse import Hand
        from autosolve.vision.frame import Point
        hand = Hand()
        module = hand._gui.platformModule
        move, moves = module._moveTo, []
        module._moveTo = lambda x, y: (moves.append((x, y)), move(x, y))
        taken = []
        for i in range(40):
            began = time.perf_counter()
            hand.click(Click(Cell(i), Purpose.FLAG, "middle", Point(1500 + i % 7, 1200)))
            taken.append(time.perf_counter() - began)
        print(len(moves), f"{statistics.median(taken):.4f}")
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env=rig.env,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    moves, median = done.stdout.split()
    assert moves == "40", done.stderr
    assert 0.008 <= float(median) < 0.02


# ---------------------------------------------------------------- the painted site


def press(site: FakeSite, row: int, col: int, button: str = "right") -> None:
    cell = site.grid.shape.cell(row, col)
    site.click(Click(cell, Purpose.FLAG, button, site.grid.centre(cell)))


def seen(site: FakeSite) -> list[str]:
    """The board as the pixels show it."""
    frame = site.grab(site.grid.box.grown(5))
    return toys.Eye(site).read(frame, site.profile, grid=site.grid).text


@pytest.mark.parametrize("pitch", [9.0, 17.3, 20.4, 31.0, 46.5, 62.7])
def test_what_is_painted_is_what_the_board_is(pitch: float) -> None:
    rows = ["1.F", "x?2", "*!X", "089"]
    site = FakeSite(toys.profile(), rows, pitch=pitch, at=Point(300.3, 200.6))
    assert seen(site) == rows == site.text


def test_buttons_step_through_their_cycles() -> None:
    site = FakeSite(toys.profile(steps=((Symbol.SAFE, "right", Symbol.FLAG),)), ["..1"])
    press(site, 0, 0)
    press(site, 0, 1, "left")
    press(site, 0, 2)
    assert site.text == ["Fx1"] == seen(site)
    press(site, 0, 1)
    press(site, 0, 0)
    assert site.text == [".F1"] == seen(site)
    assert [cell for cell, _ in site.presses] == [0, 1, 2, 1, 0]


def test_a_click_can_be_late() -> None:
    site = FakeSite(toys.profile(), ["..."], delay=0.1)
    press(site, 0, 1)
    assert seen(site) == ["..."]
    site.sleep(0.1)
    assert seen(site) == [".F."]


def test_a_busy_page_paints_only_when_it_is_done() -> None:
    site = FakeSite(toys.profile(), ["..."], work=0.1)
    seen(site)
    press(site, 0, 0)
    press(site, 0, 1)
    site.sleep(0.1)
    assert (site.text, seen(site)) == (["F.."], ["..."])
    site.sleep(0.1)
    assert site.text == seen(site) == ["FF."]


def test_chance_comes_from_the_seed() -> None:
    def flags(seed: int, **chance: float) -> int:
        site = FakeSite(toys.profile(), ["." * 40], pitch=10, at=Point(300, 200), seed=seed, **chance)
        for col in range(40):
            press(site, 0, col)
        return site.flags

    assert flags(1, swallow=0.5) == flags(1, swallow=0.5) != flags(2, swallow=0.5)
    assert 8 < flags(1, swallow=0.5).bit_count() < 32
    assert 8 < flags(1, double=0.5).bit_count() < 32
    assert flags(1).bit_count() == 40


def test_what_lies_over_the_board_takes_the_click() -> None:
    site = FakeSite(toys.profile(), ["...", "..."])
    site.popup(site.grid.cell_box(1))
    press(site, 0, 1)
    press(site, 1, 1)
    assert (site.text, len(site.strays)) == (["...", ".F."], 1)
    site.popup(None)
    site.move_board(0, -400)
    assert "top" in site.grid.cut
    press(site, 0, 0)
    assert len(site.strays) == 2


def test_events_happen_once_and_in_time() -> None:
    site = FakeSite(toys.profile(), ["..."])
    said: list[str] = []
    site.after(lambda: said.append("clicks"), clicks=2)
    site.after(lambda: said.append("time"), seconds=1.0)
    press(site, 0, 0)
    assert said == []
    press(site, 0, 1)
    assert said == ["clicks"]
    site.sleep(1)
    site.sleep(1)
    assert said == ["clicks", "time"]


def test_a_site_without_a_picture_says_which() -> None:
    bare = toys.profile(templates={Symbol.COVERED: toys.profile().templates[Symbol.COVERED]})
    site = FakeSite(bare, [".1."])
    with pytest.raises(WrongUse, match=r"no picture of 'clue-1'"):
        site.grab(Box(0, 0, 1280, 800))
