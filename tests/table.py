"""Owns a puzzle on the table under test: the player's page in a browser, and the hand over it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from chromium import Chromium

from autosolve.board import notation
from autosolve.player import page
from autosolve.player.plan import HiddenGame

Picture = npt.NDArray[np.float64]
KEY_CODES = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32}


class Browser(Chromium):
    """A browser that keeps what it is told about consoles and networks."""

    events: list[dict[str, Any]]

    def command(self, method: str, **params: Any) -> dict[str, Any]:
        return self.commands((method, params))[-1]

    def commands(self, *calls: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
        """Sends all calls at once, then waits for all answers."""
        assert self._socket is not None
        self.__dict__.setdefault("events", [])
        waiting = {}
        for method, params in calls:
            self._number += 1
            waiting[self._number] = method
            self._socket.send(json.dumps({"id": self._number, "method": method, "params": params}))
        answers: list[dict[str, Any]] = []
        while waiting:
            message = json.loads(self._socket.recv())
            if "method" in message:
                self.events.append(message)
                continue
            method = waiting.pop(message["id"])
            assert "error" not in message, (method, message)
            answers.append(message["result"])
        return answers


class Table:
    """A puzzle on the table: the page in the browser and the hand over it."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self.browser = browser
        self.file = folder / "page.html"

    def show(
        self,
        text: str | None = None,
        address: str = "",
        size: tuple[int, int] | None = (1000, 900),
        dark: bool = False,
        game: HiddenGame | None = None,
    ) -> None:
        """Opens a page made for ``text`` or ``game``, with ``address`` behind its file name, in a window of ``size``
        CSS pixels or in the window as it is."""
        position = None if text is None else notation.parse(text)
        self.file.write_text(page(position, game=game), encoding="utf-8", newline="\n")
        theme = "dark" if dark else "light"
        self.browser.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
        if size:
            self.browser.metrics(*size, 1)
        self.go(address)

    def go(self, address: str) -> None:
        if "#" in address:  # else the same document would only move
            self.browser.open("about:blank")
        self.browser.open(self.file.as_uri() + address)

    def js(self, expression: str) -> Any:
        return self.browser.js(expression)

    @property
    def state(self) -> list[str]:
        out: list[str] = self.js("autosolve.state()")
        return out

    @property
    def solved(self) -> bool:
        return bool(self.js("autosolve.solved"))

    @property
    def message(self) -> str:
        return str(self.js("document.getElementById('message').textContent"))

    @property
    def wrong(self) -> list[int]:
        out: list[int] = self.js("[...document.querySelectorAll('.cell.wrong')].map(cell => cell.index)")
        return out

    def box(self, selector: str) -> dict[str, float]:
        out: dict[str, float] = self.js(f"document.querySelector({selector!r}).getBoundingClientRect().toJSON()")
        return out

    def centre(self, row: int, col: int) -> tuple[float, float]:
        """CSS pixels of the window."""
        cell = self.box(f".row:nth-child({row + 1}) .cell:nth-child({col + 1})")
        return cell["x"] + cell["width"] / 2, cell["y"] + cell["height"] / 2

    def press(self, row: int, col: int, button: str = "left") -> None:
        self.browser.click(*self.centre(row, col), button)

    def click(self, selector: str) -> None:
        box = self.box(selector)
        self.browser.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def key(self, key: str, modifiers: int = 0) -> None:
        code = KEY_CODES.get(key, ord(key.upper()) if len(key) == 1 else 0)
        more = {"text": key} if len(key) == 1 and not modifiers else {}
        for kind in ("keyDown", "keyUp"):
            self.browser.command(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                windowsVirtualKeyCode=code,
                modifiers=modifiers,
                **(more if kind == "keyDown" else {}),
            )

    def fill(self, selector: str, text: str) -> None:
        self.js(f"(f => {{ f.focus(); f.select(); }})(document.querySelector({selector!r}))")
        self.browser.command("Input.insertText", text=text)

    def picture(self) -> Picture:
        """Float (rows, columns, BGR) in device pixels."""
        self.browser.settle()
        return decoded(self.browser.screenshot())


def decoded(png: bytes) -> Picture:
    pixels = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    assert pixels is not None
    return pixels.astype(np.float64)
