"""Tests of what stops a run: the key, and the line that tells before the first click what works here."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from chromium import wait_until
from rig import Rig

from autosolve.board import notation
from autosolve.cli import stopping
from autosolve.desktop import stopkey
from autosolve.desktop.stopkey import StopKey
from autosolve.errors import EnvironmentProblem, WrongUse
from autosolve.player.page import page

BOARDS = Path(__file__).resolve().parent.parent / "fixtures" / "boards"


class Keyboard:
    """Stands in for pynput.keyboard; ``press`` is a person's finger."""

    Key = SimpleNamespace(esc="<esc>", f12="<f12>")
    KeyCode = SimpleNamespace(from_char=lambda char: f"'{char}'")

    def __init__(self, problem: Exception | None = None) -> None:
        self.problem, self.running, self.heard = problem, False, []  # type: ignore[var-annotated]
        self.press: Callable[[str], None] = lambda key: None

    def Listener(self, on_press: Callable[[str], None]) -> Any:  # noqa: N802 - pynput's name
        def start() -> None:
            if self.problem:
                raise self.problem
            self.running, self.press = True, on_press

        def stop() -> None:
            self.running = False

        return SimpleNamespace(start=start, stop=stop, wait=lambda: None)


@pytest.mark.parametrize(("key", "pressed"), [("esc", "<esc>"), ("F12", "<f12>"), ("q", "'q'"), ("Q", "'q'")])
def test_the_key_interrupts_once_and_no_other_does(key: str, pressed: str) -> None:
    board, stops = Keyboard(), []
    with StopKey(key, lambda: stops.append(1), keyboard=board).start():
        assert board.running
        for other in ("<f1>", "'x'", None):
            board.press(other)  # type: ignore[arg-type]
        assert stops == []
        board.press(pressed)
        board.press(pressed)
        assert stops == [1]
    assert not board.running


@pytest.mark.parametrize(("key", "heard", "own"), [("esc", "<esc>", "escape"), ("n", "'n'", "ctrl+N")])
def test_a_key_that_the_bot_presses_itself_does_not_stop_it(key: str, heard: str, own: str) -> None:
    board, stops, now = Keyboard(), [], [0.0]
    with StopKey(key, lambda: stops.append(1), keyboard=board, clock=lambda: now[0]).start() as stop:

        class Typing:
            def press(self, keys: str) -> None:
                board.press(heard)

        keys = stopping.Stopping(["a", "b"], key=stop).keyboard(Typing())
        keys.press(own)
        keys.press(own)
        assert stops == []
        stop.expect("f2")  # another key
        board.press(heard)
        assert stops == [1]


def test_an_own_key_that_is_never_heard_excuses_no_later_press() -> None:
    board, stops, now = Keyboard(), [], [0.0]
    with StopKey("esc", lambda: stops.append(1), keyboard=board, clock=lambda: now[0]).start() as stop:
        stop.expect("esc")
        now[0] = stopkey.OWN + 0.1
        board.press("<esc>")
        assert stops == [1]


def test_keys_that_cannot_be() -> None:
    with pytest.raises(WrongUse, match="no key 'escape'"):
        StopKey("escape", keyboard=Keyboard())
    with pytest.raises(EnvironmentProblem, match="may not listen"):
        StopKey("esc", keyboard=Keyboard(OSError("may not listen"))).start()


def test_names_as_they_stand_on_a_keyboard() -> None:
    assert [StopKey(key, keyboard=Keyboard()).shown for key in ("esc", "f12", "q")] == ["Esc", "F12", "Q"]


def test_a_missing_library_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pynput", None)
    with pytest.raises(EnvironmentProblem, match="pynput is not installed") as caught:
        stopkey.load_keyboard()
    assert "autosolve[stopkey]" in caught.value.remedy


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "0.1 s"),
        (0.34, "0.3 s"),
        (9.94, "9.9 s"),
        (9.96, "10 s"),
        (99.4, "99 s"),
        (100, "1 min 40 s"),
        (125, "2 min 05 s"),
    ],
)
def test_durations(seconds: float, said: str) -> None:
    assert stopping.duration(seconds) == said


def lap(clicks: int, kind: str = "clues") -> Any:
    profile = SimpleNamespace(kind=kind, hold=0.004, gap=0.013)
    return SimpleNamespace(plan=range(clicks), reading=SimpleNamespace(profile=profile))


def test_the_line_is_said_once_and_before_the_clicks(capsys: pytest.CaptureFixture[str]) -> None:
    told: list[Any] = []
    tell = stopping.Stopping(["move the mouse", "press Esc"]).laps(told.append)
    tell(lap(0))
    assert capsys.readouterr().err == ""
    tell(lap(100))
    tell(lap(3))
    assert capsys.readouterr().err == "100 clicks to make, in at least 2.0 s. To stop: move the mouse or press Esc.\n"
    assert len(told) == 3


def test_the_delay_that_was_asked_for_counts_and_a_game_has_no_number(capsys: pytest.CaptureFixture[str]) -> None:
    stopping.Stopping(["a", "b"], delay=0.493).laps(lambda lap: None)(lap(100))
    assert "in at least 50 s." in capsys.readouterr().err
    stopping.Stopping(["a", "b"]).laps(lambda lap: None)(lap(1, "reveal"))
    assert capsys.readouterr().err == "A game begins. To stop: a or b.\n"
    stopping.Stopping(["a", "b"], silent=True).laps(lambda lap: None)(lap(5))
    assert capsys.readouterr().err == ""


# ---------------------------------------------------------------- on a screen


@pytest.mark.screen
@pytest.mark.xdist_group("screen")
def test_the_key_stops_a_run_from_another_window(rig: Rig, tmp_path: Path) -> None:
    pytest.importorskip("evdev", reason="pynput is not installed")
    html = tmp_path / "player.html"
    board = (BOARDS / "unique-15x15.txt").read_text()
    html.write_text(page(notation.parse(board)), encoding="utf-8", newline="\n")
    browser = rig.browser(html.as_uri())
    rig.point(900, 1200)
    process = rig.start_autosolve("run", "--site", "local-player", "--record", str(tmp_path / "kept"), "--delay", "0.1",
                                  "--stop-key", "f9")  # fmt: skip
    try:
        log = tmp_path / "kept" / "events.jsonl"
        wait_until(lambda: log.exists() and log.read_text().count('"click"') > 5, 60, "clicks")
        subprocess.run(["xdotool", "key", "F9"], env=rig.env, check=True, timeout=10)
        _, words = process.communicate(timeout=30)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
        rig.point(900, 1200)
        rig.close_browser(browser)
    assert process.returncode == 130, words
    assert "Stopped by the keyboard" in words
    assert re.search(r"\d+ clicks to make, in at least \d+(\.\d)? s\. To stop: move the mouse, .* or press F9\.", words)
