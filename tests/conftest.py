"""Owns what all tests share: the options of a run, and the browser and screen that are started once for many tests."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import Chromium, find_chromium
from rig import Rig, missing_programs
from table import Browser, Table

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"

# some machines have it set for everybody, which hides what a person's shell would meet: output that is buffered
os.environ.pop("PYTHONUNBUFFERED", None)
# a developer's own settings must not change what is tested, and tests not push out the records of their runs
os.environ |= {"AUTOSOLVE_CONFIG": "off", "AUTOSOLVE_RECORD": "off"}


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # started in the background: commands under test would inherit deafness to Ctrl-C
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    """The project's own options."""
    parser.addoption("--update", action="store_true", help="rewrite the expected board of the golden pictures")
    parser.addoption("--all-zooms", action="store_true", help="the virtual screen's whole matrix, not a part of it")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keeps the tests of the virtual screen on one worker, and leaves tests out that this machine cannot run, unless
    the run is one that must not leave any out."""
    for item in items:
        if item.get_closest_marker("screen") and not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group("screen"))
    if os.environ.get("AUTOSOLVE_NEED_SCREEN"):
        return
    missing = missing_programs()
    if missing:
        reason = pytest.mark.skip(reason=f"not installed: {', '.join(missing)}; 'make setup' installs them")
        for item in items:
            if item.get_closest_marker("screen"):
                item.add_marker(reason)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of material that lies beside some checkouts; tests that read it are left out elsewhere."""
    if not SHARED.is_dir():
        pytest.skip("no ../shared here")
    return SHARED


@pytest.fixture(scope="session")
def rig() -> Iterator[Rig]:
    """A virtual screen of 1920x1280 with a window manager and another program's window, partly behind ours."""
    with Rig() as screen:
        screen.note("Shopping list\n\n 2  apples\n 13 eggs\n 1  bread\n\n(1) (2) (3)", "+6+400")
        yield screen


@pytest.fixture(scope="session")
def headless() -> Iterator[Chromium]:
    """A browser without a window, for pages that are only looked at from inside."""
    need_chromium()
    with Chromium.start() as browser:
        yield browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The same, for the player's page: it keeps what it is told about consoles and networks."""
    need_chromium()
    with Browser.start() as started:
        assert isinstance(started, Browser)
        yield started


@pytest.fixture
def table(browser: Browser, tmp_path: Path) -> Table:
    """The player's page, and the hand over it."""
    return Table(browser, tmp_path)


def need_chromium() -> None:
    """Leaves the test out where there is no Chromium, unless the run is one that must not leave any out."""
    if find_chromium() is None and not os.environ.get("AUTOSOLVE_NEED_SCREEN"):
        pytest.skip("no Chromium here; 'make setup' installs it")
