"""Tests of the commands run, read and sites as a person or a script meets them: output, messages, exit codes."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from autosolve import bot
from autosolve.cli import run as run_command_module
from autosolve.cli.main import run_command
from autosolve.desktop.fake import FakeSite
from autosolve.errors import UnreadableFile, WrongUse
from autosolve.vision import picture, profile
from autosolve.vision.frame import Box, Point

ROWS = ["1.1.", "2210", "F321", "..2.", "2221"]
MINES = [[0, 1], [2, 0], [3, 0], [3, 1], [3, 3]]
SOLVED = ["1F1x", "2210", "F321", "FF2F", "2221"]
UNDECIDED = ["..20", "..20", "2210", "0000"]  # the corner touches no clue; the other three are mines


def site(rows: list[str] = ROWS, **more: Any) -> FakeSite:
    return FakeSite(profile.load("puzzle-minesweeper"), rows, variant="dejavu", **more)


@pytest.fixture
def shot(tmp_path: Path) -> Callable[..., str]:
    """Saves a screenshot of a painted site, and returns its name."""

    def make(rows: list[str] = ROWS, popup: Box | None = None, name: str = "shot.png", **more: Any) -> str:
        page = site(rows, **more)
        page.popup(popup)
        return str(picture.save(tmp_path / name, page.grab(Box(0, 0, 1280, 800)).pixels))

    return make


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Runs a command line in an empty folder: exit code, standard output, standard error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    def make(*args: str) -> tuple[int, str, str]:
        code = run_command(args)
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return code, out, err

    return make


# ---------------------------------------------------------------- read


def test_read_prints_the_board(call: Callable[..., Any], shot: Callable[..., str]) -> None:
    code, out, err = call("read", shot())
    assert (code, out.split(), err) == (0, ROWS, "")


def test_read_gives_json(call: Callable[..., Any], shot: Callable[..., str]) -> None:
    code, out, err = call("read", shot(at=Point(301, 203), pitch=37.5), "--json", "--site", "puzzle-minesweeper")
    data = json.loads(out)
    assert (code, err) == (0, "")
    assert data["schema"] == 1
    assert (data["site"], data["rows"], data["cols"], data["grid"]) == ("puzzle-minesweeper", 5, 4, ROWS)
    assert data["bbox"] == pytest.approx([301, 203, 150, 187.5], abs=1.5)
    assert data["pitch"] == pytest.approx([37.5, 37.5], abs=0.3)
    assert 0.5 < data["certainty"] <= 1
    assert data["doubtful"] == []
    assert data["totals"] == {"rows": [], "columns": [], "mines": None}


def test_read_lists_what_it_cannot_tell(call: Callable[..., Any], shot: Callable[..., str]) -> None:
    image = shot(popup=Box(420 + 31 * 2 + 3, 230 + 31 + 3, 26, 26))
    code, out, err = call("read", image)
    assert code == 5
    assert out.split()[0] == ROWS[0]
    assert "1 cell of the 5x4 board cannot be read: r2c3, because" in err
    code, out, _ = call("read", image, "--json")
    assert (code, json.loads(out)["doubtful"], json.loads(out)["certainty"]) == (5, [[1, 2]], 0)


def test_read_draws_what_it_read(call: Callable[..., Any], shot: Callable[..., str], tmp_path: Path) -> None:
    code, out, err = call("read", shot(), "--overlay", "deep/er/reading.png")
    assert (code, out.split()) == (0, ROWS)
    drawn = tmp_path / "deep" / "er" / "reading.png"
    assert str(drawn) in err
    assert picture.load(drawn).width > 200


@pytest.mark.parametrize("folder", ["kept", "kept/", "new/", ".", "dotted.d"])
@pytest.mark.parametrize("command", [["read"], ["--image"]])
def test_a_folder_is_no_place_for_a_picture(
    call: Callable[..., Any], shot: Callable[..., str], tmp_path: Path, folder: str, command: list[str]
) -> None:
    image = shot()
    (tmp_path / "kept").mkdir()
    (tmp_path / "dotted.d").mkdir()
    before = sorted(tmp_path.rglob("*.png"))
    code, out, err = call(*command, image, "--overlay", folder)
    assert (code, out) == (2, "")
    assert f"autosolve: {folder!r} is a folder, not a file for a picture.\n  Name a file in it, as in " in err
    assert sorted(tmp_path.rglob("*.png")) == before
    assert not (tmp_path / "new").exists()


def test_a_new_folder_is_named(call: Callable[..., Any], shot: Callable[..., str]) -> None:
    image = shot()
    assert "seen.png, in a new folder.\n" in call("read", image, "--overlay", "new/seen.png")[2]
    assert "seen.png.\n" in call("read", image, "--overlay", "new/seen.png")[2]


@pytest.mark.parametrize("command", [["read"], ["--image"]])
def test_a_picture_is_not_drawn_over_its_own_screenshot(
    call: Callable[..., Any], shot: Callable[..., str], command: list[str]
) -> None:
    """Also where the name is given without its ending."""
    whole = Path(shot()).read_bytes()
    code, _, err = call(*command, "shot.png", "--overlay", "shot")
    assert (code, Path("shot.png").read_bytes()) == (2, whole)
    assert "is the input and would be overwritten" in err


class Piped:
    """A standard input that holds these bytes."""

    def __init__(self, raw: bytes) -> None:
        self.buffer = io.BytesIO(raw)

    def isatty(self) -> bool:
        return False


@pytest.mark.parametrize("command", [["read"], ["run", "--image"]])
def test_a_screenshot_comes_from_standard_input(
    call: Callable[..., Any], shot: Callable[..., str], monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    image = shot()
    wanted = call(*command, image)
    Path(image).unlink()
    monkeypatch.setattr(sys, "stdin", Piped(encoded(".png", site().grab(Box(0, 0, 1280, 800)).pixels)))
    assert call(*command, "-")[:2] == wanted[:2] != (2, "")


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "Standard input is empty."),
        (b"..1\n", "Standard input is no picture of a known kind."),
        (b"\x89PNG\r\n\x1a\n", "Standard input says it has 0 x 0 pixels."),
        (None, "Standard input is closed."),
    ],
)
def test_standard_input_that_is_no_picture_is_said_plainly(
    call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, raw: bytes | None, said: str
) -> None:
    monkeypatch.setattr(sys, "stdin", None if raw is None else Piped(raw))
    code, out, err = call("read", "-")
    assert (code, out) == (2, "")
    assert f"autosolve: {said}\n  " in err


def test_the_picture_on_standard_input_can_be_looked_at_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """``sites learn`` reads what it learned from once more."""
    monkeypatch.setattr(sys, "stdin", Piped(encoded(".png", COLOURS)))
    for _ in range(2):
        assert (picture.load("-").pixels == COLOURS).all()
    monkeypatch.setattr(sys, "stdin", Piped(encoded(".png", COLOURS[:, ::-1])))
    assert (picture.load("-").pixels == COLOURS[:, ::-1]).all()


def test_read_looks_where_it_is_told(call: Callable[..., Any], shot: Callable[..., str]) -> None:
    assert call("read", shot(), "--region", "400,200,300,300", "--size", "5x4")[0] == 0
    code, out, err = call("read", shot(), "--region", "0,0,300,300")
    assert (code, out) == (4, "")
    code, out, err = call("read", shot(), "--size", "9x9", "--site", "puzzle-minesweeper")
    assert (code, out) == (4, "")
    assert "5x4" in err
    code, _, err = call("read", shot(), "--region", "5000,0,10,10")
    assert code == 2
    assert "outside the picture" in err


def test_a_board_read_as_another_site_is_noted(call: Callable[..., Any]) -> None:
    """It is read all the same; without a word where it may be that site, or where any would do."""
    file = Path(__file__).parent.parent / "fixtures/screens/xdemineur/small-mid.png"
    boards = set()
    for name, noted in (("google", True), ("classic", False), ("any", False), ("auto", False), ("xdemineur", False)):
        code, out, err = call("read", str(file), "--site", name, "--json")
        assert code == 0, err
        boards.add(tuple(json.loads(out)["grid"]))
        assert ("This does not look like Google's Minesweeper" in err) == noted == bool(err), name
    assert len(boards) == 1


def test_a_picture_without_a_board(call: Callable[..., Any], tmp_path: Path) -> None:
    picture.save(tmp_path / "sky.png", np.full((300, 400, 3), 200, np.uint8))
    code, out, err = call("read", "sky.png")
    assert (code, out) == (4, "")
    assert "no board" in err


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["read", "gone.png"], "There is no file 'gone.png'"),
        (["read", "."], "cannot be read"),
        (["read", "text.png"], "no picture of a known kind"),
        (["read", "empty.png"], "no picture of a known kind"),
        (["read", "half.png"], "is broken"),
        (["read", "shot.png", "--site", "puzzle-minesweper"], "Did you mean puzzle-minesweeper"),
        (["read", "shot.png", "--overlay", "x.xyz"], "no kind of picture"),
        (["read", "shot.png", "--size", "0x5"], "rows x columns"),
        (["read", "shot.png", "--size", "9"], "rows x columns"),
        (["read", "shot.png", "--region", "1,2,3"], "X,Y,WIDTH,HEIGHT"),
        (["read", "shot.png", "--region", "1,2,0,4"], "above 0"),
        (["read", "shot.png", "--region", "nan,2,3,4"], "X,Y,WIDTH,HEIGHT"),
        (["read"], "Missing argument"),
        (["--image", "gone.png"], "There is no file"),
        (["--site", "nowhere", "--image", "shot.png"], "no site called 'nowhere'"),
        (["--monitor", "0"], "monitor"),
        (["--countdown", "nan", "--image", "shot.png"], "no number of seconds"),
        (["--delay", "-1", "--image", "shot.png"], "no number of seconds"),
        (["--mines", "-3", "--image", "shot.png"], "mines"),
        (["run", "--nonsense"], "No such option"),
    ],
)
def test_wrong_use_is_said_plainly(
    call: Callable[..., Any], shot: Callable[..., str], tmp_path: Path, args: list[str], said: str
) -> None:
    whole = Path(shot()).read_bytes()
    (tmp_path / "half.png").write_bytes(whole[: len(whole) // 40])
    (tmp_path / "text.png").write_text("..1\n")
    (tmp_path / "empty.png").write_bytes(b"")
    code, out, err = call(*args)
    assert (code, out) == (2, "")
    assert said in err


# ---------------------------------------------------------------- saved pictures


def encoded(kind: str, pixels: np.ndarray[Any, Any]) -> bytes:
    return cv2.imencode(kind, pixels)[1].tobytes()


COLOURS = np.dstack([np.full((9, 12), v, np.uint8) for v in (200, 100, 30)])


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (encoded(".png", COLOURS), COLOURS),
        (encoded(".bmp", COLOURS), COLOURS),
        (encoded(".png", COLOURS[:, :, 0]), np.repeat(COLOURS[:, :, :1], 3, axis=2)),
        (encoded(".png", COLOURS.astype(np.uint16) * 257), COLOURS),
        (encoded(".png", COLOURS[:, :, 0].astype(np.uint16) * 257), np.repeat(COLOURS[:, :, :1], 3, axis=2)),
        (encoded(".png", np.dstack([COLOURS, np.full((9, 12), 255, np.uint8)])), COLOURS),
        (encoded(".png", np.dstack([COLOURS, np.zeros((9, 12), np.uint8)])), np.full_like(COLOURS, 255)),
    ],
)
def test_pictures_of_any_depth_are_the_same(raw: bytes, expected: np.ndarray[Any, Any]) -> None:
    assert np.array_equal(picture.decode(raw).pixels, expected)


@pytest.mark.parametrize("kind", [".jpg", ".webp"])
def test_pictures_with_loss_are_read(kind: str) -> None:
    frame = picture.decode(encoded(kind, COLOURS))
    assert frame.pixels.shape == COLOURS.shape
    assert np.abs(frame.pixels.astype(int) - COLOURS).max() < 12


def huge(kind: str) -> bytes:
    raw = bytearray(encoded(kind, COLOURS))
    if kind == ".png":
        raw[16:24] = (60000).to_bytes(4, "big") * 2
    elif kind == ".bmp":
        raw[18:26] = (60000).to_bytes(4, "little") * 2
    else:
        at = raw.index(b"\xff\xc0")
        raw[at + 5 : at + 9] = (60000).to_bytes(2, "big") * 2
    return bytes(raw)


@pytest.mark.parametrize("kind", [".png", ".bmp", ".jpg"])
def test_a_huge_picture_is_refused_before_it_is_decoded(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cv2, "imdecode", None)
    with pytest.raises(UnreadableFile, match="60000 x 60000"):
        picture.decode(huge(kind))


@pytest.mark.parametrize("kind", [".png", ".bmp", ".jpg", ".webp", ".gif"])
def test_a_picture_cut_short_anywhere_is_no_crash(kind: str) -> None:
    raw = encoded(kind, COLOURS)
    for end in range(0, len(raw), max(1, len(raw) // 60)):
        try:
            picture.decode(raw[:end])
        except UnreadableFile:
            continue


def test_a_picture_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(WrongUse, match="cannot be written"):
        picture.save(tmp_path / "file" / "x.png", COLOURS)
    assert picture.save(tmp_path / "plain", COLOURS).name == "plain.png"


# ---------------------------------------------------------------- run on a saved screenshot


def test_an_image_is_solved_and_drawn(call: Callable[..., Any], shot: Callable[..., str], tmp_path: Path) -> None:
    code, out, err = call("--site", "puzzle-minesweeper", "--image", shot())
    assert (code, out.split()) == (0, SOLVED)
    assert "One solution with 5 mines; 4 clicks would be made" in err
    assert str(tmp_path / "autosolve-preview.png") in err
    assert picture.load(tmp_path / "autosolve-preview.png").width > 200


def test_an_image_gives_json_and_nothing_else(call: Callable[..., Any], shot: Callable[..., str]) -> None:
    code, out, err = call("--image", shot(), "--json", "-v", "--overlay", "o.png")
    data = json.loads(out)
    assert code == 0
    assert data["schema"] == 1
    assert (data["result"], data["laps"], data["clicks"], data["verified"]) == ("dry-run", 1, 0, False)
    assert set(data["seconds"]) == {"capture", "read", "solve", "click"}
    assert (data["grid"], data["mines"]) == (ROWS, MINES)
    assert Path(data["overlay"]).name == "o.png"
    assert "Lap 1: puzzle-minesweeper, 5x4" in err


@pytest.mark.parametrize(
    ("rows", "popup", "code", "result", "said"),
    [
        (["1.1.", "2210", "F381", "..2.", "2221"], None, 6, "clash", "r3c3"),
        (UNDECIDED, None, 7, "undecided", "more than one solution"),
        (ROWS, Box(400, 200, 200, 240), 4, "not-found", "no board"),
        (ROWS, Box(420 + 65, 230 + 34, 26, 26), 5, "unreadable", "r2c3"),
    ],
)
def test_bad_boards_end_in_their_code(
    call: Callable[..., Any],
    shot: Callable[..., str],
    rows: list[str],
    popup: Box | None,
    code: int,
    result: str,
    said: str,
) -> None:
    got, out, err = call("--image", shot(rows, popup), "--json", "--site", "puzzle-minesweeper")
    data = json.loads(out)
    assert (got, data["result"], data["clicks"], data["verified"]) == (code, result, 0, False)
    assert said in err
    if code:
        assert data["message"] in err
    assert bool(data["overlay"]) == (code != 4)


def test_a_screen_is_needed_for_the_rest(call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE"):
        monkeypatch.delenv(name, raising=False)
    for args in (["--site", "puzzle-minesweeper"], ["--dry-run"], ["run", "--json"]):
        code, out, err = call(*args)
        assert code == 3
        assert json.loads(out)["exit_code"] == 3 if "--json" in args else out == ""
        assert "--image" in err


# ---------------------------------------------------------------- run on a painted screen


@pytest.fixture
def painted(monkeypatch: pytest.MonkeyPatch) -> Callable[..., FakeSite]:
    """Puts a painted site in the place of screen and mouse."""

    def make(**more: Any) -> FakeSite:
        page = site(**more)
        monkeypatch.setattr(
            run_command_module, "_devices", lambda profiles, image, dry, delay: (page, None if dry else page)
        )
        play = bot.play
        monkeypatch.setattr(
            bot, "play", lambda *args, **named: play(*args, **named, clock=page.clock, sleep=page.sleep)
        )
        return page

    return make


def test_the_main_job(call: Callable[..., Any], painted: Callable[..., FakeSite], tmp_path: Path) -> None:
    page = painted()
    code, out, err = call("--site", "puzzle-minesweeper")
    assert (code, out.split()) == (0, SOLVED)
    assert page.text == [row.replace("x", ".") for row in SOLVED]
    assert "Solved and verified: 5 mines, 4 clicks, 2 looks" in err
    assert list(tmp_path.glob("*.png")) == []
    code, out, _ = call("--json")
    data = json.loads(out)
    assert (data["result"], data["clicks"], data["laps"], data["verified"]) == ("solved", 0, 1, True)


def test_a_dry_run_clicks_nothing(call: Callable[..., Any], painted: Callable[..., FakeSite], tmp_path: Path) -> None:
    page = painted()
    assert call("--site", "puzzle-minesweeper", "--dry-run")[0] == 0
    assert page.presses == []
    assert (tmp_path / "autosolve-preview.png").exists()


@pytest.mark.parametrize(("answer", "code", "clicks"), [("y\n", 0, 4), ("n\n", 130, 0), ("", 130, 0)])
def test_confirm_asks_first(
    call: Callable[..., Any],
    painted: Callable[..., FakeSite],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    answer: str,
    code: int,
    clicks: int,
) -> None:
    import io

    page = painted()
    monkeypatch.setattr(sys, "stdin", io.StringIO(answer))
    got, out, err = call("--site", "puzzle-minesweeper", "--confirm", "--json")
    assert "Make 4 clicks?" in err
    assert (got, len(page.presses)) == (code, clicks)
    assert (tmp_path / "autosolve-preview.png").exists()
    assert json.loads(out)["result"] == ("stopped" if code else "solved")


def test_a_stopped_run_says_what_was_done(call: Callable[..., Any], painted: Callable[..., FakeSite]) -> None:
    page = painted()
    page.after(lambda: page.hand(50, 50), clicks=2)
    code, out, err = call("--json")
    data = json.loads(out)
    assert (code, data["result"], data["clicks"]) == (130, "stopped", 2)
    assert "2 clicks were made" in err


def test_clicks_that_do_not_take(call: Callable[..., Any], painted: Callable[..., FakeSite]) -> None:
    page = painted(swallow=1.0)
    code, out, err = call("--json")
    assert (code, json.loads(out)["result"]) == (8, "clicks-failed")
    assert "did not take in 3 attempts" in err
    assert not page.flags & ~(1 << 8)


def test_partial_ends_with_the_reason(call: Callable[..., Any], painted: Callable[..., FakeSite]) -> None:
    page = painted(rows=UNDECIDED)
    code, out, err = call("--partial", "--json")
    data = json.loads(out)
    assert (code, data["result"], data["clicks"], data["verified"]) == (7, "undecided", 3, True)
    assert page.flags == 0b110010
    assert "What is certain is flagged" in err


def test_the_devices_take_the_site_s_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    from autosolve.desktop import mouse, screen

    made: list[tuple[float, float]] = []
    monkeypatch.setattr(screen, "Desktop", lambda: "screen")
    monkeypatch.setattr(mouse, "Hand", lambda hold, gap: made.append((hold, gap)))
    sites = [profile.load("puzzle-minesweeper")]
    run_command_module._devices(sites, None, False, None)
    run_command_module._devices(sites, None, False, 0.05)
    assert made == [(0.004, 0.004), (0.004, 0.05)]
    assert run_command_module._devices(sites, None, True, None) == ("screen", None)
    assert len(made) == 2


def test_a_countdown_is_said(call: Callable[..., Any], painted: Callable[..., FakeSite]) -> None:
    painted()
    code, _, err = call("--countdown", "0.05")
    assert code == 0
    assert "Looking in 1 s" in err


# ---------------------------------------------------------------- sites


def test_sites_are_listed(call: Callable[..., Any]) -> None:
    code, out, _ = call("sites")
    assert code == 0
    assert "puzzle-minesweeper" in out and "local-player" in out
    code, out, _ = call("sites", "--json")
    data = json.loads(out)
    assert data["schema"] == 1
    names = {row["name"]: row for row in data["sites"]}
    assert names["puzzle-minesweeper"]["kind"] == "clues"
    assert not names["puzzle-minesweeper"]["own"]


def test_a_broken_site_of_one_s_own_is_named_and_left_out(
    call: Callable[..., Any], shot: Callable[..., str], tmp_path: Path
) -> None:
    folder = tmp_path / "data" / "autosolve" / "sites" / "mine"
    folder.mkdir(parents=True)
    (folder / "site.toml").write_text('schema = 1\ntitle = "Mine"\nkind = "sudoku"\n')
    code, out, err = call("sites")
    assert code == 2
    assert "puzzle-minesweeper" in out
    assert "line 3" in err and "kind" in err
    code, out, err = call("read", shot())
    assert (code, out.split()) == (0, ROWS)
    assert "left out" in err
    assert call("read", shot(), "--site", "mine")[0] == 2


# ---------------------------------------------------------------- the whole process


def test_help_needs_no_heavy_library() -> None:
    code = (
        "import sys; from autosolve.cli.main import run_command; run_command(['--help']);"
        "print([n for n in ('numpy', 'cv2', 'pysat', 'mss', 'pyautogui') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
    code = code.replace("['--help']", "['run', '--help']")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_process_on_a_machine_without_a_display(shot: Callable[..., str]) -> None:
    env = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    done = subprocess.run(
        [sys.executable, "-m", "autosolve", "read", shot()], env=env, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, ROWS, "")
    done = subprocess.run(
        [sys.executable, "-m", "autosolve", "--site", "puzzle-minesweeper"],
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("autosolve: There is no display")
