"""Tests of settings: the file, the environment and the command line in rising order, every mistake told with its
place; and of completion in a shell."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from autosolve.cli import settings
from autosolve.cli.main import COMMANDS, UNSET, app, run_command

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the settings are in this test; nothing of the person's own is seen."""
    for name in [name for name in os.environ if name.startswith(settings.PREFIX)]:
        if name not in settings.RESERVED or name == settings.FILE:
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "board.txt").write_text("1.1\n111\n")
    monkeypatch.setenv(settings.FILE, str(tmp_path / "config.toml"))
    return tmp_path / "config.toml"


@pytest.fixture
def call(file: Path, capsys: pytest.CaptureFixture[str]) -> Call:
    def make(*args: str) -> tuple[int, str, str]:
        code = run_command(args)
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return code, out, err

    return make


def shown(call: Call) -> dict[str, tuple[Any, str]]:
    """What ``config show`` says: "command name" to value and origin."""
    code, out, _ = call("config", "show", "--json")
    assert code == 0
    return {f"{row['command']} {row['name']}": (row["value"], row["origin"]) for row in json.loads(out)["settings"]}


# ---------------------------------------------------------------- the order


def test_later_ones_win(call: Call, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def explained(*args: str) -> bool:
        code, out, _ = call("solve", "board.txt", *args)
        assert code == 0
        return out.startswith("{") and "steps" in json.loads(out)

    assert call("solve", "board.txt")[1].startswith("1F1")
    file.write_text("[solve]\njson = true\nexplain = true\n")
    assert explained()
    monkeypatch.setenv("AUTOSOLVE_SOLVE_EXPLAIN", "false")
    assert not explained()
    assert explained("--explain")


def test_origins(call: Call, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text('site = "plain-player"\n\n[run]\nmax-seconds = 5\ndelay = 0.1\n[generate.puzzle]\nseed = 7\n')
    monkeypatch.setenv("AUTOSOLVE_RUN_MAX_SECONDS", "9")
    monkeypatch.setenv("AUTOSOLVE_MAX_SECONDS", "8")  # the one with the command in it says more
    assert shown(call) == {
        "run site": ("plain-player", f"{file}:1"),
        "run delay": (0.1, f"{file}:5"),
        "run max-seconds": ("9", "AUTOSOLVE_RUN_MAX_SECONDS"),
        "generate puzzle seed": (7, f"{file}:7"),
    }
    code, out, _ = call("config", "show", "--origin")
    assert code == 0
    assert 'site = "plain-player"' in out and f"# {file}:1" in out and "[generate.puzzle]" in out
    assert tomllib.loads(out)["generate"]["puzzle"] == {"seed": 7}
    code, out, _ = call("config", "show", "run", "--all", "--origin")
    assert re.search(r'^monitor = "all" +# default$', out, re.M)
    assert call("config", "show", "nothing")[0] == 2


def test_a_setting_reaches_the_command(call: Call, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same seed in the file, in the environment and on the command line makes the same board."""
    make = ("generate", "puzzle", "--size", "6x9")
    asked = call(*make, "--seed", "5")[1]
    assert asked and call(*make, "--seed", "6")[1] != asked
    file.write_text("generate.puzzle.seed = 5\n")
    assert call(*make)[1] == asked
    file.unlink()
    monkeypatch.setenv("AUTOSOLVE_GENERATE_PUZZLE_SEED", "5")
    assert call(*make)[1] == asked


def test_lists_are_joined_or_repeated(call: Call, file: Path) -> None:
    file.write_text("[run]\nregion = [0, -5, 100.5, 80]\nmonitor = 2\nsize = '9x9'\n")
    assert shown(call)["run region"][0] == [0, -5, 100.5, 80]
    table = settings.default_map(app)["run"]
    assert table == {"region": "0,-5,100.5,80", "monitor": "2", "size": "9x9"}


# ---------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\nsitee = 'x'\n", "line 2: 'run' has no setting 'sitee'. Did you mean 'site'?"),
        ("[run]\nmaxseconds = 1\n", "line 2: 'run' has no setting 'maxseconds'. Did you mean 'max-seconds'?"),
        ("[rum]\nsite = 'x'\n", "line 1: there is no command 'rum'. Did you mean 'run'?"),
        ("[generate.puzle]\nseed = 1\n", "line 1: there is no command 'generate puzle'. Did you mean 'puzzle'?"),
        ("[generate.puzzle]\n# seed\nsead = 1\n", "line 3: 'generate puzzle' has no setting 'sead'"),
        ("run.dellay = 1\n", "line 1: 'run' has no setting 'dellay'. Did you mean 'delay'?"),
        ("[run]\nregion = '1,2,3'\n", "line 2: 'region': '1,2,3' is not four numbers"),
        ("[run]\nmax-seconds = 'soon'\n", "line 2: 'max-seconds': 'soon' is not a valid float."),
        ("[run]\ndry-run = 3\n", "line 2: 'dry-run' takes true or false."),
        ("[run]\nsite = true\n", "line 2: 'site' takes a value, not true or false."),
        ("[run]\nsite = \n", "line 2: this is not TOML"),
    ],
)
def test_every_mistake_names_its_place(call: Call, file: Path, text: str, said: str) -> None:
    file.write_text(text)
    for args in (("sites",), ("config", "show")):
        code, out, err = call(*args)
        assert (code, out) == (2, "")
        assert f"{file}, {said}" in err


def test_what_helps_works_whatever_is_set(call: Call, file: Path) -> None:
    file.write_text("[run]\nsitee = 1\n")
    assert {*UNSET} <= {*COMMANDS}
    assert call("--help")[0] == call("run", "--help")[0] == call("config", "path")[0] == 0
    assert call("completion", "bash")[0] == 0
    checks = json.loads(call("doctor", "--json")[1])["checks"]
    (found,) = [check for check in checks if check["name"] == "settings"]
    assert found["state"] == "problem" and "sitee" in found["text"]


def test_a_wrong_variable_is_told(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTOSOLVE_RUN_DELLAY", "1")
    code, _, err = call("sites")
    assert code == 2 and "AUTOSOLVE_RUN_DELLAY" in err and "'AUTOSOLVE_RUN_DELAY'" in err
    monkeypatch.delenv("AUTOSOLVE_RUN_DELLAY")
    monkeypatch.setenv("AUTOSOLVE_DELAY", "soon")
    code, _, err = call("sites")
    assert code == 2 and err.startswith("autosolve: AUTOSOLVE_DELAY: 'delay':")
    monkeypatch.setenv("AUTOSOLVE_DELAY", "")  # an empty variable sets nothing
    assert call("sites")[0] == 0


def test_a_file_that_is_no_text(call: Call, file: Path) -> None:
    file.write_bytes(b"\xff\xfe\x00")
    assert call("sites")[0] == 2
    file.unlink()
    file.mkdir()
    assert call("sites")[0] == 2


# ---------------------------------------------------------------- path and init


def test_path_and_init(call: Call, file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert call("config", "path")[1].strip() == str(file)
    monkeypatch.delenv(settings.FILE)
    place = tmp_path / "config" / "autosolve" / "config.toml"
    if sys.platform == "linux":
        assert call("config", "path")[1].strip() == str(place)
    code, out, _ = call("config", "init")
    assert code == 0 and Path(out.strip()).exists()
    assert shown(call) == {}
    assert call("config", "init")[0] == 2
    assert call("config", "init", "--force")[0] == 0
    monkeypatch.setenv(settings.FILE, "off")
    assert call("config", "path")[0] == call("config", "init")[0] == 2
    assert shown(call) == {}


def test_the_template_holds_every_setting_and_is_right(call: Call, file: Path) -> None:
    """With the '# ' taken away it is TOML, all its keys are known, and its defaults are what holds anyway."""
    text = settings.template(app)
    known = settings.Known(app)
    everything = tomllib.loads(re.sub(r"(?m)^# (?=[\w-]+ = )", "", text))
    for path in known.paths():
        if path[0] == "config" or not known.options(path):
            continue
        table: Any = everything
        for word in path:
            table = table[word]
        assert {key for key, value in table.items() if not isinstance(value, dict)} == {*known.options(path)}
    defaults = [
        f"# {name} = {settings.toml_value(settings.default_of(option))}"
        for path in known.paths()
        for name, option in known.options(path).items()
        if settings.default_of(option) is not None
    ]
    lines = [line.removeprefix("# ") if line in defaults else line for line in text.splitlines()]
    file.write_text("\n".join(lines))
    found = settings.load(app)
    assert len(found) == len(set(found)) > 30
    assert call("solve", "board.txt")[:2] == (0, "1F1\n111\n")


def test_without_settings_nothing_is_read(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not settings.is_set()
    monkeypatch.setenv("AUTOSOLVE_DEBUG", "1")
    assert not settings.is_set()
    file.write_text("")
    assert settings.is_set()


# ---------------------------------------------------------------- completion


def completions(line: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What bash would offer at the end of a line."""
    words = line.split(" ")
    monkeypatch.setenv("_AUTOSOLVE_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    assert run_command([]) == 0
    monkeypatch.delenv("_AUTOSOLVE_COMPLETE")
    return capsys.readouterr().out.split()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("autosolve re", {"plain,read", "plain,report"}),
        ("autosolve generate p", {"plain,puzzle"}),
        ("autosolve --reg", {"plain,--region"}),
        ("autosolve --dry-run --reg", {"plain,--region"}),
        ("autosolve --site local", {"plain,local-mosaic", "plain,local-player", "plain,local-player-reveal"}),
        ("autosolve run --site local", {"plain,local-mosaic", "plain,local-player", "plain,local-player-reveal"}),
        ("autosolve read sh", {"file,sh"}),
        ("autosolve --image sh", {"file,sh"}),
        ("autosolve run --record d", {"dir,d"}),
        ("autosolve completion z", {"plain,zsh"}),
        ("autosolve report la", {"plain,last"}),
        ("autosolve nothing x", set()),
    ],
)
def test_a_shell_completes(
    line: str, offered: set[str], file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert {*completions(line, capsys, monkeypatch)} == offered


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_one_the_shell_takes(shell: str, call: Call) -> None:
    code, out, _ = call("completion", shell)
    assert code == 0 and "_AUTOSOLVE_COMPLETE" in out
    if shutil.which(shell):
        assert subprocess.run([shell, "-n"], input=out, text=True, capture_output=True, check=False).returncode == 0


def test_completion_asks_for_a_shell_it_cannot_tell(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    assert call("completion")[0] == 2
    monkeypatch.setenv("SHELL", "/usr/bin/fish")
    assert "complete" in call("completion")[1]


def test_every_command_is_in_the_table_of_options() -> None:
    known = settings.Known(app)
    assert {path[0] for path in known.paths()} == {*COMMANDS}
    assert all(isinstance(option, click.Option) for path in known.paths() for option in known.options(path).values())
