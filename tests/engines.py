"""Engines for the tests of the player's server: functions that its processes find by name, and nothing heavy."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def echo(asked: Mapping[str, Any]) -> dict[str, Any]:
    """What was asked."""
    return dict(asked)


def sleep(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Takes as long as it is told to; leaves a file when it begins."""
    if "begun" in asked:
        Path(asked["begun"]).touch()
    time.sleep(asked["seconds"])
    return {"slept": asked["seconds"], "process": os.getpid()}


def die(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Ends its process, as one out of memory is ended; or fails by a fault."""
    if asked.get("fault"):
        raise RuntimeError("a fault")
    os._exit(1)
