"""Owns the demonstration: the main job for real, on this screen or on a virtual one where there is none.

Writes a puzzle as the local player's page, opens it in a browser, lets ``autosolve --site local-player`` find, read,
solve and flag it, asks the page whether it is solved, and leaves the pictures under ``demo/``. Everything it started
is ended on every way out. Exit codes are those of autosolve; 0 only when the page agrees.
"""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from chromium import ChromiumFailed  # noqa: E402
from rig import Rig, missing_programs, usable_screen  # noqa: E402

BOARD = ROOT / "fixtures" / "boards" / "unique-20x20.txt"
FOLDER = ROOT / "demo"
COUNTDOWN = 3  # seconds in which a person can let go of the mouse
SHOWN = 4  # seconds a person can look at the solved board


def say(text: str) -> None:
    """A line for people."""
    print(f"demo: {text}", file=sys.stderr, flush=True)


def play(rig: Rig) -> int:
    """Opens the puzzle, runs the bot, checks; the exit code."""
    puzzle = FOLDER / "puzzle.html"
    written = rig.autosolve("play", str(BOARD), "--output", str(puzzle), "--no-open")
    if written.returncode:
        say(written.stderr.strip())
        return written.returncode
    position = (80, 40) if rig.virtual else (0, 0)
    browser = rig.browser(puzzle.as_uri(), position=position)
    browser.js("document.querySelector('.board').scrollIntoView({block: 'nearest'})")
    if not rig.virtual:
        say(f"the bot takes the mouse in {COUNTDOWN} seconds; moving it stops the bot.")
        time.sleep(COUNTDOWN)
    overlay = FOLDER / "overlay.png"
    command = ["run", "--site", "local-player", "--overlay", str(overlay), "--json"]
    say(f"autosolve {' '.join(command[:3])}")
    done = rig.autosolve(*command)
    solved = FOLDER / "solved.png"
    rig.photograph(solved)
    if done.returncode:
        say(done.stderr.strip() or f"autosolve ended with {done.returncode}.")
        say(f"the screen as it was: {solved}")
        return done.returncode
    said = json.loads(done.stdout)
    if not said["verified"] or not browser.js("autosolve.solved"):
        say("autosolve says it is done, but the page does not agree.")
        return 1
    seconds = sum(said["seconds"].values())
    say(f"{len(said['mines'])} mines found, flagged with {said['clicks']} clicks and verified in {seconds:.1f} s.")
    say(f"what was planned:  {overlay}")
    say(f"the solved board:  {solved}")
    say(f"the puzzle itself: {puzzle}")
    if not overlay.is_file():
        say("the overlay picture is missing.")
        return 1
    if not rig.virtual:
        time.sleep(SHOWN)
    return 0


def main() -> int:
    """Chooses the screen and plays; the exit code."""
    # being ended from outside leaves by the same way as everything else, so that nothing stays behind
    for sign in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(sign, lambda number, _: sys.exit(128 + number))
    missing = missing_programs()
    virtual = not usable_screen()
    if missing and (virtual or "chromium" in missing):
        say(f"these programs are missing: {', '.join(missing)}.")
        say("'make setup' installs them.")
        return 3
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    say("no screen here that can be used; starting a virtual one." if virtual else "using your screen.")
    try:
        with Rig(1600, 1100, virtual=virtual) as rig:
            return play(rig)
    except KeyboardInterrupt:
        say("stopped.")
        return 130
    except (ChromiumFailed, subprocess.TimeoutExpired, OSError) as problem:
        say(f"{problem}")
        return 3


if __name__ == "__main__":
    sys.exit(main())
