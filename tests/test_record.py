"""Tests of what a run leaves behind: every event as it happens, a record that reads back, old ones removed."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import toys
from chromium import wait_until
from rig import Rig
from test_bot import deal

from autosolve import bot
from autosolve.board import notation
from autosolve.board.shape import Shape
from autosolve.cli.main import run_command
from autosolve.desktop.fake import FakeSite
from autosolve.errors import AutosolveError, Stopped, Unreadable, UnreadableFile
from autosolve.player.page import page as player_page
from autosolve.record import files
from autosolve.record.recorder import Recorder
from autosolve.record.report import page as report_page
from autosolve.vision import picture, profile
from autosolve.vision.frame import Box


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., FakeSite]]:
    """Paints a toy site and lets the bot's eye read it."""

    def make(rows: list[str], **more: Any) -> FakeSite:
        out = FakeSite(toys.profile(), rows, **more)
        toys_eye = toys.Eye(out)
        for module in {bot, *(m for m in vars(bot).values() if getattr(m, "__name__", "").startswith("autosolve.bot"))}:
            if hasattr(module, "eye"):
                monkeypatch.setattr(module.eye, "read", toys_eye.read)
        return out

    yield make


def record(site: FakeSite, folder: Path, *, screens: bool = False, **more: Any) -> files.Record:
    """A run of the painted site with its record; an error of the run is swallowed, the record has it."""
    folder.mkdir(parents=True, exist_ok=True)
    site.sleep(100)  # the clock does not begin with the run
    try:
        with Recorder(folder, {"version": "x", "options": {}}, screens=screens, clock=site.clock) as recorder:
            bot.play(
                site.profile,
                recorder.screen(site),
                recorder.mouse(site),
                on_lap=recorder.laps(lambda lap: None),
                on_end=recorder.ends(lambda outcome: None),
                clock=site.clock,
                sleep=site.sleep,
                **more,
            )
    except AutosolveError:
        pass
    return files.load(folder)


@pytest.mark.parametrize("shape", [Shape(6, 9), Shape(3, 20), Shape(14, 4)])
def test_a_run_is_written_whole(site: Callable[..., FakeSite], tmp_path: Path, shape: Shape) -> None:
    rows, mines = deal(shape, shape.size // 5)
    page = site(rows)
    kept = record(page, tmp_path)
    run = kept.run
    assert (run["schema"], run["result"], run["verified"], run["exit_code"]) == (1, "solved", True, 0)
    assert (run["laps"], run["clicks"], run["size"]) == (2, mines.bit_count(), str(shape))
    assert [event["event"] for event in kept.events][:2] == ["start", "look"]
    assert kept.events[-1]["event"] == "end"
    times = [event["t"] for event in kept.events]
    assert times == sorted(times) and times[0] == 0 and 0 < times[-1] <= run["took"] < 60
    # what was clicked is what the page felt, in that order
    assert [shape.cell(*c["cell"]) for c in kept.clicks] == [cell for cell, _ in page.presses]
    assert [c["button"] for c in kept.clicks] == [button for _, button in page.presses]
    assert all(c["took"] > 0 for c in kept.clicks)
    first, last = kept.looks
    assert first["grid"] == rows and last["grid"] == page.text
    assert {shape.cell(*at) for at in first["mines"]} == {c for c in range(shape.size) if mines >> c & 1}
    assert notation.parse(first["puzzle"]).puzzle.clues == notation.parse("\n".join(rows)).puzzle.clues
    assert (tmp_path / "board.txt").read_text().split() == page.text
    assert {place.name for place in tmp_path.iterdir()} == {
        "run.json", "events.jsonl", "board.txt", "board-1.png", "board-2.png", "overlay.png",
    }  # fmt: skip


def test_the_picture_and_the_numbers_fit(site: Callable[..., FakeSite], tmp_path: Path) -> None:
    """The cell's place as it is written down holds the cell's colour in the picture that is kept."""
    rows, _ = deal(Shape(5, 8), 8)
    kept = record(site(rows, pitch=23.4), tmp_path, dry_run=True)
    look = kept.looks[0]
    pixels = picture.load(tmp_path / "board-1.png").pixels
    (left, top), (across, down) = look["corner"], look["pitch"]
    for r, line in enumerate(rows):
        for c, char in enumerate(line):
            colour = pixels[round(top + (r + 0.5) * down), round(left + (c + 0.5) * across)]
            symbol = next(s for s in toys.COLOURS if s.value == char)
            assert abs(colour.astype(int) - toys.COLOURS[symbol]).max() <= 3, (r, c)


def test_whole_screens_only_where_asked(site: Callable[..., FakeSite], tmp_path: Path) -> None:
    rows, _ = deal(Shape(6, 9), 12)
    record(site(rows), tmp_path / "plain")
    assert not list((tmp_path / "plain").glob("screen*"))
    record(site(rows), tmp_path / "asked", screens=True)
    assert picture.load(tmp_path / "asked" / "screen-1.png").width == 1280


def test_a_stop_loses_nothing(site: Callable[..., FakeSite], tmp_path: Path) -> None:
    rows, _ = deal(Shape(6, 9), 12)
    page = site(rows)
    page.after(lambda: page.hand(200, 90), clicks=5)
    kept = record(page, tmp_path)
    assert (kept.run["result"], kept.run["exit_code"]) == ("stopped", Stopped.exit_code)
    assert len(kept.clicks) == kept.run["clicks"] == len(page.presses) >= 5
    assert "hand" in kept.run["message"]


def test_what_is_written_is_there_before_the_end(site: Callable[..., FakeSite], tmp_path: Path) -> None:
    """Even a process that is killed in the middle leaves what it did."""
    rows, _ = deal(Shape(6, 9), 12)
    page = site(rows)
    seen: list[files.Record] = []
    page.after(lambda: seen.append(files.load(tmp_path)), clicks=6)
    record(page, tmp_path)
    assert seen[0].run["result"] == files.RUNNING
    assert len(seen[0].clicks) == 5 and len(seen[0].looks) == 1  # the sixth is under way


def test_a_keyboard_interrupt_anywhere_is_a_stop(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), Recorder(tmp_path):
        raise KeyboardInterrupt
    assert files.load(tmp_path).run["result"] == "stopped"
    assert files.load(tmp_path).run["exit_code"] == 130


def test_doubts_are_kept_with_their_reasons(site: Callable[..., FakeSite], tmp_path: Path) -> None:
    rows, _ = deal(Shape(6, 9), 12)
    page = site(rows)
    page.popup(Box(page.at.x + 10, page.at.y + 10, 60, 50))
    kept = record(page, tmp_path)
    assert kept.run["exit_code"] == Unreadable.exit_code
    assert kept.looks[0]["doubtful"] and all(len(doubt) == 3 for doubt in kept.looks[0]["doubtful"])
    assert kept.run["message"] and kept.run["cells"]


def test_a_record_that_cannot_be_written_does_not_stop_the_run(site: Callable[..., FakeSite], tmp_path: Path) -> None:
    rows, mines = deal(Shape(6, 9), 12)
    page = site(rows)
    warned: list[str] = []
    recorder = Recorder(tmp_path / "missing", warn=warned.append, clock=page.clock)
    with recorder:
        outcome = bot.play(
            page.profile,
            recorder.screen(page),
            recorder.mouse(page),
            on_lap=recorder.laps(lambda lap: None),
            on_end=recorder.ends(lambda end: None),
            clock=page.clock,
            sleep=page.sleep,
        )
    assert outcome.verified and page.flags == mines
    assert len(warned) == 1 and "missing" in warned[0]
    assert not (tmp_path / "missing").exists()


def test_a_torn_last_line_is_left_out_and_others_are_not(tmp_path: Path) -> None:
    with Recorder(tmp_path):
        pass
    whole = len(files.load(tmp_path).events)
    log = tmp_path / files.EVENTS
    log.write_text(log.read_text() + '{"t": 1, "eve')
    assert len(files.load(tmp_path).events) == whole
    log.write_text('{"t": 1, "eve\n' + log.read_text())
    with pytest.raises(UnreadableFile, match="Line 1"):
        files.load(tmp_path)


def make(home: Path, name: str, day: int, **more: Any) -> Path:
    place = home / name
    with Recorder(_new(place), now=lambda: datetime(2026, 1, day, tzinfo=UTC)):
        pass
    if more:
        run = json.loads((place / files.RUN).read_text())
        files.write_json(place / files.RUN, run | more)
    return place


def _new(place: Path) -> Path:
    place.mkdir(parents=True)
    return place


def test_the_oldest_records_go_and_nothing_else(tmp_path: Path) -> None:
    for day in range(1, 9):
        make(tmp_path, f"run-{9 - day}", day)  # names in the other order: the date decides
    live = make(tmp_path, "live", 1, result=files.RUNNING, process=os.getpid())
    dead = make(tmp_path, "dead", 1, result=files.RUNNING, process=2**22 + 12345)
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.png").write_text("no record")
    gone = files.prune(tmp_path, kept=3)
    assert {place.name for place in files.records(tmp_path)} == {"run-1", "run-2", "run-3", "live"}
    assert dead in gone and live.exists()
    assert (tmp_path / "photos" / "cat.png").exists()


def test_new_folders_never_meet(tmp_path: Path) -> None:
    names = [files.new_folder(tmp_path / "runs", "a").name for _ in range(3)]
    assert names == ["a", "a-2", "a-3"]
    assert (tmp_path / "runs" / "a").stat().st_mode & 0o077 == 0


# ---------------------------------------------------------------- the command


@pytest.fixture(scope="module")
def shot(tmp_path_factory: pytest.TempPathFactory) -> str:
    rows = ["1.1.", "2210", "F321", "..2.", "2221"]
    page = FakeSite(profile.load("puzzle-minesweeper"), rows, variant="dejavu")
    file = tmp_path_factory.mktemp("shot") / "shot.png"
    return str(picture.save(file, page.grab(Box(0, 0, 1280, 800)).pixels))


def test_runs_are_recorded_where_they_should_be(
    shot: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("AUTOSOLVE_RECORD")
    run = ["run", "--site", "puzzle-minesweeper", "--image", shot]
    home = tmp_path / "data" / "autosolve" / "runs"
    assert run_command([*run, "--record", "off"]) == 0 and not home.exists()
    assert run_command(run) == 0
    (kept,) = files.records(home)
    data = files.load(kept).run
    assert (data["result"], data["options"]["site"]) == ("dry-run", "puzzle-minesweeper")
    assert data["environment"]["python"] and data["environment"]["libraries"]["click"]
    monkeypatch.setattr(files, "KEPT", 3)
    for _ in range(4):
        assert run_command(run) == 0
    assert len(files.records(home)) == 3
    # a folder that is asked for holds the record itself, and further ones inside it
    assert run_command([*run, "--record", "mine"]) == 0
    assert run_command([*run, "--record", "mine"]) == 0
    assert (tmp_path / "mine" / files.RUN).exists() and len(files.records(tmp_path / "mine")) == 2
    (tmp_path / "file").write_text("x")
    capsys.readouterr()
    # JSON names the record, and an error says how to see it
    assert run_command([*run, "--json"]) == 0
    assert Path(json.loads(capsys.readouterr().out)["record"]).parent == home
    assert run_command(["run", "--site", "plain-player", "--image", shot]) == 4
    assert f"autosolve report {files.records(home)[0].name}" in capsys.readouterr().err
    assert run_command([*run, "--json", "--record", "off"]) == 0
    assert json.loads(capsys.readouterr().out)["record"] is None
    assert run_command([*run, "--record", "file"]) == 2
    words = capsys.readouterr().err  # options that know how to complete themselves see it first
    assert "cannot be written" in words or "is a file" in words


def test_of_a_long_run_the_first_and_the_last_pictures_are_kept(
    site: Callable[..., FakeSite], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autosolve.record.recorder.PICTURES", 2)
    rows, _ = deal(Shape(6, 9), 12)
    kept = record(site(rows, swallow=0.3), tmp_path)
    names = {place.name for place in tmp_path.glob("board-*.png")}
    assert kept.run["laps"] > 2 and names == {"board-1.png", f"board-{kept.run['laps']}.png"}
    assert report_page(kept).count('class="photo"') == 2


def test_a_game_keeps_its_guesses_and_how_it_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from test_games_play import MARKS, dealer

    from autosolve.vision.profile import Play

    shape = Shape(5, 8)
    lost = won = guessed = 0
    for seed in range(1, 9):
        toy = toys.profile(MARKS, kind="reveal", play=Play(first="opening"))
        page = FakeSite(toy, ["." * 8] * 5, deal=dealer(shape, 10, "opening", seed), pitch=20.0)
        monkeypatch.setattr(bot.eye, "read", toys.Eye(page).read)
        kept = record(page, tmp_path / str(seed))
        (told,) = kept.run["games"]
        assert told["won"] == (kept.run["result"] == "solved") and told["clicks"] == len(kept.clicks)
        assert kept.looks[0]["guess"]["free"]
        risky = [look["guess"] for look in kept.looks if "guess" in look and not look["guess"]["free"]]
        assert [guess["risk"] for guess in risky] == told["risks"]
        for look in kept.looks:
            if "guess" in look and not look["guess"]["free"]:
                chances = {(r, c): chance for r, c, chance in look["chances"]}
                assert chances[tuple(look["guess"]["cell"])] == pytest.approx(look["guess"]["risk"], abs=1e-4)
        text = report_page(kept)
        assert ("is a guess by" in text) == bool(risky)
        assert (">Won<" if told["won"] else ">Lost<") in text
        won, lost, guessed = won + told["won"], lost + (not told["won"]), guessed + bool(risky)
    assert won and lost and guessed


# ---------------------------------------------------------------- on a screen


@pytest.mark.screen
@pytest.mark.xdist_group("screen")
@pytest.mark.parametrize("how", ["end", "ctrl-c", "kill"])
def test_a_run_on_a_screen_is_recorded_however_it_ends(rig: Rig, tmp_path: Path, how: str) -> None:
    board = (Path(__file__).parent.parent / "fixtures" / "boards" / "unique-10x10.txt").read_text()
    html = tmp_path / "player.html"
    html.write_text(player_page(notation.parse(board)), encoding="utf-8", newline="\n")
    browser = rig.browser(html.as_uri())
    place = tmp_path / "kept"
    rig.point(900, 1200)
    args = ["run", "--site", "local-player", "--record", str(place), "--record-screen", "--delay", "0.05"]
    process = rig.start_autosolve(*args)
    try:
        if how != "end":
            log = place / files.EVENTS
            wait_until(lambda: log.exists() and log.read_text().count('"click"') > 5, 60, "clicks")
            process.send_signal(signal.SIGINT if how == "ctrl-c" else signal.SIGKILL)
        _, words = process.communicate(timeout=90)
    finally:
        process.kill()
        process.wait()
        rig.point(900, 1200)
        rig.close_browser(browser)
    kept = files.load(place)
    assert picture.load(place / "screen-1.png").width == rig.size[0]
    assert kept.run["environment"]["monitors"][0]["pixels"] == list(rig.size)
    mines = {tuple(at) for at in kept.looks[0]["mines"]}
    clicked = {tuple(c["cell"]) for c in kept.clicks}
    assert clicked <= mines
    expected = {"end": (0, "solved"), "ctrl-c": (130, "stopped"), "kill": (-signal.SIGKILL, files.RUNNING)}[how]
    assert (process.returncode, kept.run["result"]) == expected, words
    assert (how == "end") == (clicked == mines) == bool(kept.run.get("verified"))
    assert report_page(kept).startswith("<!DOCTYPE html>")
