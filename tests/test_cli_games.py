"""Tests of the command run where a click opens a cell: what it says, prints, draws and ends with."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import toys
from test_games_play import MARKS, dealer, forced, good

from autosolve import bot
from autosolve.board.shape import Shape
from autosolve.cli import options
from autosolve.cli import run as run_module
from autosolve.cli.main import run_command
from autosolve.desktop.fake import FakeSite
from autosolve.vision import picture
from autosolve.vision.profile import Play, Symbol

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[..., tuple[int, str, str]]:
    """Runs a command line in an empty folder: exit code, standard output, standard error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))

    def run(*args: str) -> tuple[int, str, str]:
        code = run_command([*args, "--record", "off"])
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.fixture
def painted(monkeypatch: pytest.MonkeyPatch) -> Callable[..., FakeSite]:
    """Puts a painted game in the place of screen, mouse and keyboard."""

    def make(shape: Shape, deal: Any, **play: Any) -> FakeSite:
        given = {"first": "opening", "new_key": "F2", "chord": "left"} | play
        site = toys.profile(MARKS, kind="reveal", play=Play(**given))
        page = FakeSite(site, ["." * shape.cols] * shape.rows, deal=deal, pitch=20.0)
        monkeypatch.setattr(options, "profiles", lambda name, variant=None: [site])
        monkeypatch.setattr(run_module, "_devices", lambda sites, image, dry, delay: (page, None if dry else page))
        monkeypatch.setattr(bot.eye, "read", toys.Eye(page).read, raising=False)
        run = bot.play
        monkeypatch.setattr(bot, "play", lambda *a, **k: run(*a, **k, clock=page.clock, sleep=page.sleep))
        return page

    return make


def test_a_won_game(call: Call, painted: Callable[..., FakeSite]) -> None:
    field = good(Shape(9, 9), 10, seed=1)
    page = painted(Shape(9, 9), lambda n, c: field)
    code, out, err = call("--mines", "10")
    assert (code, out.split()) == (0, page.text)
    assert "First click: r3c3, which is safe by the site's rule." in err
    assert f"Won, {len(page.presses)} clicks (3BV {field.three_bv})" in err
    assert not list(Path().glob("*.png"))


def test_a_won_game_as_json(call: Call, painted: Callable[..., FakeSite]) -> None:
    field = good(Shape(9, 9), 10, seed=1)
    page = painted(Shape(9, 9), lambda n, c: field)
    code, out, _ = call("--mines", "10", "--json", "--style", "noflag")
    data = json.loads(out)
    assert (code, data["result"], data["verified"], data["schema"]) == (0, "solved", True, 1)
    assert data["total"] == {"mines": 10, "from": "given"}
    (game,) = data["games"]
    assert (game["result"], game["lost_by"], game["risks"], game["three_bv"]) == ("won", None, [], field.three_bv)
    assert game["clicks"] == data["clicks"] == len(page.presses)


def test_a_guess_that_is_not_allowed(call: Call, painted: Callable[..., FakeSite]) -> None:
    page = painted(Shape(2, 4), forced)
    code, out, err = call("--mines", "1", "--no-guess")
    assert code == 7
    assert "Nothing is certain: the best guess is r1c4, a mine with 50.0 %" in err
    assert out.splitlines() == ["    0     0     1  50.0", "    0     0     1  50.0"]
    assert len(page.presses) == 1
    page.load(["...."] * 2)
    code, out, _ = call("--mines", "1", "--max-risk", "0.2", "--json", "--overlay", "odds.png")
    data = json.loads(out)
    assert (code, data["result"], data["guess"]["risk"], data["guess"]["cell"]) == (7, "undecided", 0.5, [0, 3])
    assert data["odds"] == [[None, None, None, 0.5]] * 2
    drawn = picture.load("odds.png")
    assert drawn.width > 100
    page.load(["...."] * 2)
    assert call("--mines", "1", "--max-risk", "0.5", "--style", "noflag")[0] in (0, 9)


def test_without_the_number_of_mines_it_says_so(call: Call, painted: Callable[..., FakeSite]) -> None:
    painted(Shape(2, 4), forced)
    _, out, err = call("--no-guess", "--json")
    assert "The number of mines is not known and not used; --mines N tells it." in err
    assert json.loads(out)["total"] == {"mines": None, "from": None}


def test_a_lost_game(call: Call, painted: Callable[..., FakeSite]) -> None:
    codes = {}
    page = painted(Shape(2, 4), forced)
    for number in (1, 2):
        page.games = number
        page.load(["...."] * 2)
        code, out, err = call("--mines", "1", "--json")
        codes[code] = json.loads(out), err
    data, err = codes[9]
    assert data["result"] == "lost"
    assert (data["games"][0]["lost_by"], data["games"][0]["risk"]) == ("guess", 0.5)
    assert "the last click was a guess with a risk of 50.0 %" in err
    assert codes[0][0]["games"][0]["risks"] == [0.5]


@pytest.mark.parametrize(
    ("answers", "code", "clicks"), [("y\ny\n", (0, 9), 3), ("y\nn\n", (130,), 1), ("n\n", (130,), 0)]
)
def test_every_guess_is_asked_for(
    call: Call,
    painted: Callable[..., FakeSite],
    monkeypatch: pytest.MonkeyPatch,
    answers: str,
    code: tuple[int, ...],
    clicks: int,
) -> None:
    page = painted(Shape(2, 4), forced)
    monkeypatch.setattr(sys, "stdin", io.StringIO(answers))
    got, _, err = call("--mines", "1", "--confirm")
    assert got in code
    assert len(page.presses) <= clicks
    assert err.count("Take the guess?") == answers.count("\n")
    assert Path("autosolve-preview.png").exists()


def test_games_end_in_a_table(call: Call, painted: Callable[..., FakeSite]) -> None:
    page = painted(Shape(8, 8), dealer(Shape(8, 8), 12, "opening", 3))
    code, out, err = call("--mines", "12", "--games", "5")
    lines = out.splitlines()
    assert len(lines) == 7
    assert lines[0].split()[:2] == ["game", "result"]
    won = sum(" won " in line for line in lines[1:-1])
    assert f"{won} of 5 won" in lines[-1]
    assert code == (0 if won == 5 else 9)
    assert err.count("Game ") == 5
    assert page.games == 5


def test_a_certain_cell_that_was_a_mine_is_kept(call: Call, painted: Callable[..., FakeSite]) -> None:
    fields = [good(Shape(9, 9), 14, seed=0)]
    page = painted(Shape(9, 9), lambda n, c: fields[-1])
    for seed in range(40):
        fields.append(good(Shape(9, 9), 14, seed=seed))
        page.load(["." * 9] * 9)

        def lie() -> None:
            twos = [c for c, s in enumerate(page._symbols) if s is Symbol.CLUE_2]
            if twos:
                page._symbols[twos[0]] = Symbol.CLUE_1

        page.after(lambda: page.after(lie, seconds=page.clock() + 0.001), clicks=page._clicks + 1)
        code, _, err = call("--mines", "14")
        if "This is a defect" in err:
            break
    assert code == 9
    assert "All that is needed to see why is in autosolve-defect." in err
    folder = Path("autosolve-defect")
    assert {f.name for f in folder.iterdir()} == {
        "before.png", "after.png", "before.txt", "after.txt", "reasons.txt", "defect.json",
    }  # fmt: skip
    about = json.loads((folder / "defect.json").read_text())
    row, col = about["opened"][0]
    assert (folder / "after.txt").read_text().split()[row][col] == "!"
    assert f"r{row + 1}c{col + 1}" in (folder / "reasons.txt").read_text()


def test_a_dry_run_draws_the_first_click(call: Call, painted: Callable[..., FakeSite]) -> None:
    page = painted(Shape(9, 9), dealer(Shape(9, 9), 10, "opening"))
    code, out, err = call("--dry-run", "--mines", "10")
    assert (code, page.presses) == (0, [])
    assert "1 click would be made" in err
    assert Path("autosolve-preview.png").exists()
    assert len(out.splitlines()) == 9
