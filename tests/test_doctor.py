"""Tests of what the doctor finds: on machines made up here, without a display, and on a virtual screen."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from rig import Rig

from autosolve.cli.main import run_command
from autosolve.desktop import facts
from autosolve.desktop.environment import Session
from autosolve.desktop.facts import State
from autosolve.desktop.screen import Still
from autosolve.errors import EnvironmentProblem, Stopped
from autosolve.vision.frame import Box, Frame, Monitor, Point

NAMES = [
    "system", "libraries", "display server", "permissions", "monitors", "capture", "pointer", "sites", "settings",
    "records",
]  # fmt: skip
RETINA = Monitor(1, Box(0, 0, 1440, 900), 2.0, "Built-in")
LEFT = Monitor(2, Box(-1920, -100, 1920, 1080))


# ---------------------------------------------------------------- made-up machines


def test_monitors_in_pixels_and_points() -> None:
    check = facts.monitors([RETINA, LEFT])
    assert "1 (Built-in): 2880x1800 pixels, 1440x900 points at 0,0 (2 pixels a point), the main one" in check.said
    assert "2: 1920x1080 pixels at -1920,-100 (1 pixel a point)" in check.said
    assert check.data["monitors"][0]["pixels"] == [2880, 1800]
    assert check.data["monitors"][1]["points"] == [-1920, -100, 1920, 1080]


@pytest.mark.parametrize(
    ("here", "state", "said", "remedy"),
    [
        (Session("linux"), State.PROBLEM, "DISPLAY is not set", "desktop session"),
        (Session("linux", wayland=True), State.PROBLEM, "Wayland", "X11"),
        (Session("linux", ":0", wayland=True), State.WARNING, "inside a Wayland session", "X11"),
        (Session("linux", ":0"), State.GOOD, "X11, display :0", ""),
        (Session("windows"), State.GOOD, "Windows", ""),
    ],
)
def test_display_servers(here: Session, state: State, said: str, remedy: str) -> None:
    check = facts.display(here, {"XDG_CURRENT_DESKTOP": "GNOME"})
    assert check.state is state and said in check.said and remedy in check.remedy
    assert bool(check.remedy) == (state is not State.GOOD)
    assert ("GNOME" in check.said) == (here.system == "linux")


def test_permissions_of_macos() -> None:
    def load(screen: bool, mouse: bool) -> Callable[[str], Any]:
        def answer(value: bool) -> Any:
            def ask() -> bool:
                return value

            return ask

        return lambda name: SimpleNamespace(
            CGPreflightScreenCaptureAccess=answer(screen), AXIsProcessTrusted=answer(mouse)
        )

    mac = Session("darwin")
    assert facts.permissions(mac, load(True, True)).state is State.GOOD
    both = facts.permissions(mac, load(False, False))
    assert both.state is State.PROBLEM
    assert "Screen Recording" in both.remedy and "Accessibility" in both.remedy
    assert facts.permissions(mac, load(True, False)).data == {"screen": True, "mouse": False}


def test_a_picture_of_one_colour_is_a_warning() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (90, 160, 3), np.uint8)
    ticks = iter(range(100))
    good = facts.capture(Still(Frame(noise)), lambda: next(ticks) / 100)
    assert good.state is State.GOOD and good.said == "monitor 1 in 10 ms."
    black = facts.capture(Still(Frame(np.zeros_like(noise))), lambda: 0.0)
    assert black.state is State.WARNING and "all one colour" in black.said and black.remedy


def test_a_picture_that_is_refused_is_a_problem() -> None:
    """As under Wayland, where an X display is there but shows nothing."""

    class Refusing(Still):
        def grab(self, box: Box) -> Frame:
            raise EnvironmentProblem("It is all black.", "Log in to X11.")

    check = facts.capture(Refusing(Frame(np.zeros((9, 9, 3), np.uint8))), lambda: 0.0)
    assert (check.state, check.said, check.remedy) == (State.PROBLEM, "It is all black.", "Log in to X11.")


class Hand:
    """A pointer that ends up ``off`` points from where it is put."""

    def __init__(self, at: Point, off: float = 0.0, scale: float = 1.0) -> None:
        self.at, self.off, self.scale, self.moves = at, off, scale, 0

    def position(self) -> Point:
        return self.at

    def move(self, to: Point) -> None:
        self.moves += 1
        self.at = Point(to.x * self.scale + self.off, to.y * self.scale)


@pytest.mark.parametrize("at", [Point(0, 0), Point(1439, 899), Point(-1, -50), Point(700, 400), Point(9000, 9000)])
def test_the_pointer_is_moved_read_and_put_back(at: Point) -> None:
    hand = Hand(at)
    check = facts.pointer(hand, [RETINA, LEFT], lambda: 0.0)
    assert check.state is State.GOOD
    assert hand.at == at and hand.moves == 2
    assert 10 < math.dist(check.data["asked"], at) < 100


def test_a_pointer_in_other_units_is_told() -> None:
    check = facts.pointer(Hand(Point(100, 100), scale=2.0), [RETINA], lambda: 0.0)
    assert check.state is State.PROBLEM and "140,140" in check.said and "280,280" in check.said and check.remedy


@pytest.mark.parametrize("problem", [Stopped("A hand is on it.", "Again."), EnvironmentProblem("It cannot.", "Do.")])
def test_a_pointer_that_cannot_be_moved_is_told(problem: Exception) -> None:
    class Held(Hand):
        def move(self, to: Point) -> None:
            raise problem

    check = facts.pointer(Held(Point(5, 5)), [RETINA], lambda: 0.0)
    assert check.state is State.PROBLEM and check.said == str(problem) and check.remedy


def test_the_short_form() -> None:
    assert "2 monitors (2880x1800 at 2x, 1920x1080 at 1x)" in facts.short(Session("darwin"), [RETINA, LEFT])
    assert facts.short(Session("linux")).endswith(", no display")
    assert facts.short(Session("linux", wayland=True)).endswith(", Wayland without an X display")
    assert "X11 display :0 inside Wayland" in facts.short(Session("linux", ":0", wayland=True))


def test_the_short_form_never_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(session: Session) -> Any:
        raise RuntimeError("anything")

    monkeypatch.setattr("autosolve.desktop.screen.Desktop", broken)
    assert "Python" in facts.here_in_short()


# ---------------------------------------------------------------- the command


@pytest.fixture
def call(
    capsys: pytest.CaptureFixture[str], tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[int, str, str]]:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("AUTOSOLVE_CONFIG", "off")

    def make(*args: str) -> tuple[int, str, str]:
        code = run_command(args)
        out, err = capsys.readouterr()
        assert "Traceback" not in err and "internal error" not in err
        return code, out, err

    return make


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        ({}, "DISPLAY is not set"),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "Wayland"),
        ({"XDG_SESSION_TYPE": "wayland"}, "Wayland"),
        ({"DISPLAY": ":7777"}, ":7777"),
    ],
)
def test_without_a_screen(
    call: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], said: str
) -> None:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    code, out, err = call("doctor")
    assert code == 3 and said in out and "Saved screenshots and board texts can" in err
    assert [line[11:25].strip() for line in out.splitlines() if line[11:12].strip()] == NAMES
    code, out, err = call("doctor", "--json", "--probe")
    data = json.loads(out)
    assert (code, err, data["schema"], data["ready"]) == (3, "", 1, False)
    assert [check["name"] for check in data["checks"]] == NAMES
    assert all(check["remedy"] for check in data["checks"] if check["state"] == "problem")
    # the same facts stand under the errors that a screen is the reason for
    code, _, err = call("run", "--record", "off", "--site", "plain-player")
    assert code == 3 and f"Here: {facts.here_in_short()}." in err


def test_a_board_not_found_is_told_with_the_machine(call: Callable[..., tuple[int, str, str]], tmp_path: Any) -> None:
    from autosolve.vision import picture

    picture.save(tmp_path / "white.png", np.full((300, 400, 3), 255, np.uint8))
    code, _, err = call("read", str(tmp_path / "white.png"), "--site", "plain-player")
    assert code == 4 and "Here: " in err and "autosolve doctor" in err


def test_a_missing_library_is_a_problem(
    call: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(facts, "versions", lambda: {"mss": "missing", "click": "8"})
    checks = json.loads(call("doctor", "--json")[1])["checks"]
    (found,) = [check for check in checks if check["name"] == "libraries"]
    assert found["state"] == "problem" and "mss" in found["remedy"]


def test_a_broken_site_of_the_user_is_a_warning(call: Callable[..., tuple[int, str, str]], tmp_path: Any) -> None:
    folder = tmp_path / "autosolve" / "sites" / "mine"
    folder.mkdir(parents=True)
    (folder / "site.toml").write_text("nonsense")
    checks = json.loads(call("doctor", "--json")[1])["checks"]
    (found,) = [check for check in checks if check["name"] == "sites"]
    assert found["state"] == "warning" and "mine" in found["text"] and "plain-player" in found["sites"]


@pytest.mark.screen
@pytest.mark.xdist_group("screen")
def test_on_a_screen_the_pointer_obeys(rig: Rig) -> None:
    before = rig.pointer()
    done = rig.autosolve("doctor", "--probe", "--json")
    data = json.loads(done.stdout)
    assert done.returncode == 0 and data["ready"]
    checks = {check["name"]: check for check in data["checks"]}
    assert checks["monitors"]["monitors"][0]["pixels"] == list(rig.size)
    assert checks["capture"]["captures"][0]["plain"] is False
    assert checks["pointer"]["state"] == "good"
    assert rig.pointer() == before
