"""Owns settings: what a person has written into config.toml and the environment, held against the options there are.

Legend: a *path* is the words of a command, such as ("generate", "puzzle"). A *name* is an option's long form without
its dashes. In the file an option stands in the table of its command, ``[generate.puzzle]``; in the environment it is
``AUTOSOLVE_GENERATE_PUZZLE_SEED``. What stands outside any table, and ``AUTOSOLVE_SITE`` without a command, is for
``run``, as on the command line. The command line wins over the environment, the environment over the file.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from autosolve.errors import UnreadableFile, WrongUse

Path_ = tuple[str, ...]

MAIN: Path_ = ("run",)
PREFIX = "AUTOSOLVE_"
FILE = "AUTOSOLVE_CONFIG"  # another file than the platform's; "off" for none
# read elsewhere, and no options
RESERVED = frozenset([FILE, "AUTOSOLVE_DEBUG", "AUTOSOLVE_NEED_SCREEN", "AUTOSOLVE_DICE"])
_OMITTED = frozenset(["help", "version"])


@dataclass(frozen=True, slots=True)
class Setting:
    """One option that is set: ``value`` as it was written, ``origin`` where (``config.toml:12``, a variable)."""

    path: Path_
    name: str
    value: Any
    origin: str


def config_file(environ: Mapping[str, str] = os.environ) -> Path | None:
    """The file that holds a person's settings, which need not exist; None where it is switched off."""
    given = environ.get(FILE, "")
    if given:
        return None if given.lower() == "off" else Path(given)
    import platformdirs

    return Path(platformdirs.user_config_dir("autosolve", appauthor=False)) / "config.toml"


def is_set(environ: Mapping[str, str] = os.environ) -> bool:
    """Whether there is anything to look at, asked without reading anything."""
    file = config_file(environ)
    return any(name.startswith(PREFIX) and name not in RESERVED for name in environ) or (
        file is not None and file.exists()
    )


def load(app: click.Group, environ: Mapping[str, str] = os.environ) -> dict[tuple[Path_, str], Setting]:
    """Everything that is set, by path and name; the environment over the file.

    Raises WrongUse for an unknown key or variable, with the nearest name, and for a value its option does not take;
    both name the file and line. Raises UnreadableFile for a file that cannot be read."""
    known = Known(app)
    out: dict[tuple[Path_, str], Setting] = {}
    for setting in (*_from_file(known, config_file(environ)), *_from_environment(known, environ)):
        out[setting.path, setting.name] = setting
    return out


def default_map(app: click.Group, environ: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """The settings as click takes them: a table a command, by the names of its parameters."""
    known = Known(app)
    out: dict[str, Any] = {}
    for (path, name), setting in load(app, environ).items():
        table = out
        for word in path:
            table = table.setdefault(word, {})
        option = known.options(path)[name]
        assert option.name is not None
        table[option.name] = plain(option, setting.value)
    return out


class Known:
    """The commands and their options, each command loaded only when it is asked for."""

    def __init__(self, app: click.Group) -> None:
        self._app = app
        self._context = click.Context(app, info_name="autosolve", resilient_parsing=True)
        self._options: dict[Path_, dict[str, click.Option]] = {}

    def command(self, path: Path_) -> click.Command | None:
        """The command of a path; None where there is none."""
        command: click.Command | None = self._app
        for word in path:
            if not isinstance(command, click.Group):
                return None
            command = command.get_command(self._context, word)
        return command

    def children(self, path: Path_) -> list[str]:
        """The words that may follow a path."""
        command = self.command(path)
        return command.list_commands(self._context) if isinstance(command, click.Group) else []

    def options(self, path: Path_) -> dict[str, click.Option]:
        """Name to option of a command, in the order of its --help."""
        if path not in self._options:
            command = self.command(path)
            params = command.params if command is not None and path else []
            self._options[path] = {
                name: option
                for option in params
                if isinstance(option, click.Option)
                for name in (_name(option),)
                if name
            }
        return self._options[path]

    def paths(self, path: Path_ = ()) -> Iterator[Path_]:
        """Every command's path."""
        if path:
            yield path
        for word in self.children(path):
            yield from self.paths((*path, word))


def _name(option: click.Option) -> str:
    """An option's name in settings; "" for one that cannot be set."""
    longest = max((opt for opt in option.opts if opt.startswith("--")), key=len, default="").lstrip("-")
    return "" if longest in _OMITTED else longest


def plain(option: click.Option, value: Any) -> Any:
    """A value of TOML as an option takes it: a list is one value an entry, or joined where the option takes one."""
    if isinstance(value, list):
        return [str(entry) for entry in value] if option.multiple else ",".join(str(entry) for entry in value)
    if option.multiple:
        return option.type.split_envvar_value(value) if isinstance(value, str) else [value]
    return value if isinstance(value, bool) and option.is_flag else str(value)


# ---------------------------------------------------------------- the file


def _from_file(known: Known, file: Path | None) -> Iterator[Setting]:
    if file is None or not file.exists():
        return
    import tomllib

    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else "it is not text"
        raise UnreadableFile(f"{file} cannot be read: {reason}.", "Mend the file, or move it away.") from None
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        where = re.search(r"at line (\d+)", str(problem))
        line = f", line {where[1]}" if where else ""
        reason = re.sub(r" \(at .*\)", "", str(problem))
        raise WrongUse(f"{file}{line}: this is not TOML: {reason}.", "Mend the line.") from None
    yield from _table(known, (), data, file, text)


def _table(known: Known, path: Path_, table: Mapping[str, Any], file: Path, text: str) -> Iterator[Setting]:
    for key, value in table.items():
        line = _line_of(text, (*path, key))
        where = f"{file}, line {line}" if line else str(file)
        if isinstance(value, dict):
            if key not in known.children(path):
                raise _unknown(f"{where}: there is no command {' '.join((*path, key))!r}", key, known.children(path))
            yield from _table(known, (*path, key), value, file, text)
            continue
        owner = path or MAIN
        options = known.options(owner)
        if key not in options:
            names = [*options, *known.children(path)] if not path else list(options)
            raise _unknown(f"{where}: {' '.join(owner)!r} has no setting {key!r}", key, names)
        setting = Setting(owner, key, value, f"{file}:{line}" if line else str(file))
        _check(known, setting, where)
        yield setting


def _line_of(text: str, path: Path_) -> int:
    """The 1-based line on which a key is set or its table begins; 0 where that cannot be told."""
    table: Path_ = ()
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[\[?\s*([^\]]+?)\s*\]", line):
            table = _words(header[1])
            if table[: len(path)] == path:
                return number
        elif (entry := re.match(r"\s*([\w\"'.-]+)\s*=", line)) and (*table, *_words(entry[1]))[: len(path)] == path:
            return number
    return 0


def _words(dotted: str) -> Path_:
    return tuple(word.strip().strip("\"'") for word in dotted.split("."))


def _unknown(said: str, name: str, names: list[str]) -> WrongUse:
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return WrongUse(f"{said}.{hint}", "'autosolve config init' writes a file with every setting there is.")


def _check(known: Known, setting: Setting, where: str) -> None:
    """WrongUse where the option does not take the value."""
    option = known.options(setting.path)[setting.name]
    command = known.command(setting.path)
    assert command is not None
    flag = option.is_flag and not isinstance(setting.value, bool | str)
    if flag or isinstance(setting.value, dict) or (isinstance(setting.value, bool) and not option.is_flag):
        wanted = "true or false" if option.is_flag else "a value, not true or false"
        raise WrongUse(f"{where}: {setting.name!r} takes {wanted}.", "Mend the value.")
    try:
        context = click.Context(command, info_name=" ".join(setting.path), resilient_parsing=False)
        with context.scope(cleanup=False):
            option.process_value(context, plain(option, setting.value))
    except click.BadParameter as problem:
        raise WrongUse(f"{where}: {setting.name!r}: {problem.message}", "Mend the value.") from None


# ---------------------------------------------------------------- the environment


def variable(path: Path_, name: str) -> str:
    """The variable that sets an option."""
    return PREFIX + "_".join((*path, name)).upper().replace("-", "_")


def _from_environment(known: Known, environ: Mapping[str, str]) -> Iterator[Setting]:
    found: dict[tuple[Path_, str], Setting] = {}
    for key in sorted(environ):
        if not key.startswith(PREFIX) or key in RESERVED or not environ[key]:
            continue
        path, name = _of_variable(known, key)
        setting = Setting(path, name, environ[key], key)
        _check(known, setting, key)
        # AUTOSOLVE_RUN_SITE says more than AUTOSOLVE_SITE
        if (path, name) not in found or key == variable(path, name):
            found[path, name] = setting
    yield from found.values()


def _of_variable(known: Known, key: str) -> tuple[Path_, str]:
    """The option that a variable means; WrongUse where it means none."""
    names = {variable((), name): (MAIN, name) for name in known.options(MAIN)}
    if key in names:
        return names[key]
    first = [word for word in known.children(()) if key.startswith(variable((), word) + "_")]
    for word in first:
        for path in known.paths((word,)):
            names |= {variable(path, name): (path, name) for name in known.options(path)}
    if key in names:
        return names[key]
    raise _unknown(f"The environment has {key}, which is no setting", key, list(names))


# ---------------------------------------------------------------- a file to start from


def template(app: click.Group) -> str:
    """A file with every setting there is, each with its default and its line of --help, all commented out."""
    known = Known(app)
    out = [
        "# Settings of autosolve. Take the '# ' away from a line and give it a value to set it; what is in capitals",
        "# stands for a value and has no default.",
        "# The environment (AUTOSOLVE_RUN_SITE, or AUTOSOLVE_SITE for short) wins over this file,",
        "# the command line over both. 'autosolve config show --origin' says what is set where.",
    ]
    for path in known.paths():
        options = known.options(path)
        if not options or path[0] == "config":
            continue
        out += ["", f"[{'.'.join(path)}]"]
        for name, option in options.items():
            help_line = re.sub(r"\s*\[default: .*\]$", "", " ".join((option.help or "").split()))
            out.append(f"## {help_line}")
            value = default_of(option)
            out.append(f"# {name} = {toml_value(option.metavar or name.upper() if value is None else value)}")
    return "\n".join(out) + "\n"


def default_of(option: click.Option) -> Any:
    """What holds where nothing is set; None where there is no default."""
    value = option.to_info_dict().get("default")
    if option.is_flag:
        return bool(value)
    if value in (None, ()) or callable(value):
        return None
    return list(value) if isinstance(value, tuple) else value


def toml_value(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml_value, value))}]"
    import json

    return json.dumps("" if value is None else str(value), ensure_ascii=False)
