"""Owns pictures in files: a saved screenshot becomes a frame, a drawn picture becomes a file."""

from __future__ import annotations

import os
import struct
import sys
from pathlib import Path

import cv2
import numpy as np

from autosolve.errors import UnreadableFile, WrongUse
from autosolve.vision.frame import Frame, Pixels

MAX_PIXELS = 100_000_000  # three 8K monitors side by side
MAX_BYTES = 400_000_000
STDIN = "Standard input"
_KINDS = "PNG, JPEG, WebP, BMP or GIF"


def load(file: str | Path) -> Frame:
    """The picture in a file, ``-`` for standard input: any depth, grey or colour; what is transparent is laid on white.

    Its origin is (0, 0) and its scale 1. Raises UnreadableFile for a file that is missing, no picture of a known
    kind, broken, or larger than 100 million pixels."""
    if str(file) == "-":
        return decode(_standard_input(), STDIN)
    path = Path(file)
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UnreadableFile(f"{str(file)!r} is too large for a screenshot.", "Give the screenshot itself.")
        raw = path.read_bytes()
    except FileNotFoundError:
        raise UnreadableFile(f"There is no file {str(file)!r}.", "Check the name.") from None
    except OSError as problem:
        raise UnreadableFile(f"{str(file)!r} cannot be read: {problem.strerror}.", "Check the file.") from None
    return decode(raw, repr(str(file)))


_given: list[tuple[object, bytes]] = []  # the standard input that was read last: a command may look at it twice


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise UnreadableFile(f"{STDIN} is closed.", "Give a file, or pipe a screenshot into it.")
    if not _given or _given[0][0] is not sys.stdin:
        try:
            _given[:] = [(sys.stdin, sys.stdin.buffer.read(MAX_BYTES + 1))]
        except OSError as problem:
            raise UnreadableFile(f"{STDIN} cannot be read: {problem.strerror}.", "Give a file.") from None
    raw = _given[0][1]
    if not raw:
        raise UnreadableFile(f"{STDIN} is empty.", "Pipe a screenshot into it.")
    if len(raw) > MAX_BYTES:
        raise UnreadableFile(f"{STDIN} is too large for a screenshot.", "Give the screenshot itself.")
    return raw


def decode(raw: bytes, name: str = "The picture") -> Frame:
    """The same from a file's bytes; ``name`` is what the errors call it."""
    size = _size(raw)
    if size is None:
        raise UnreadableFile(f"{name} is no picture of a known kind.", f"Give a screenshot as {_KINDS}.")
    width, height = size
    if min(width, height) < 1 or width * height > MAX_PIXELS:
        raise UnreadableFile(
            f"{name} says it has {width} x {height} pixels.", f"A screenshot has 1 to {MAX_PIXELS:,} pixels."
        )
    level = cv2.utils.logging.getLogLevel()
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)  # what is broken is said below
    try:
        pixels = cv2.imdecode(np.frombuffer(raw, np.uint8), cv2.IMREAD_UNCHANGED)
    except cv2.error:
        pixels = None
    finally:
        cv2.utils.logging.setLogLevel(level)
    if pixels is None:
        raise UnreadableFile(f"{name} is broken: it cannot be decoded.", "Save the screenshot again.")
    return Frame(_bgr(pixels))


def save(file: str | Path, pixels: Pixels) -> Path:
    """Writes a BGR picture to ``target(file)``, in a folder that is made where there is none; returns its whole path.

    Raises WrongUse when it cannot be written there."""
    path = target(file)
    try:
        known, data = cv2.imencode(path.suffix, pixels)
    except cv2.error:
        known = False
    if not known:
        raise _no_kind(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.tobytes())
    except OSError as problem:
        raise WrongUse(f"{str(path)!r} cannot be written: {problem.strerror}.", "Give another place.") from None
    return path.resolve()


def target(file: str | Path) -> Path:
    """Where a picture of that name is written: as what the name's ending says, PNG where it has none.

    Raises WrongUse for a folder, and for an ending that is no kind of picture."""
    path = Path(file)
    if path.is_dir() or str(file).endswith(("/", os.sep)):
        raise WrongUse(
            f"{str(file)!r} is a folder, not a file for a picture.",
            f"Name a file in it, as in {str(path / 'seen.png')!r}.",
        )
    if not path.suffix:
        path = path.with_suffix(".png")
        if path.is_dir():
            raise WrongUse(f"{str(path)!r} is a folder, not a file for a picture.", "Give another name.")
    try:
        known = cv2.haveImageWriter(path.name)
    except cv2.error:
        known = False
    if not known:
        raise _no_kind(path)
    return path


def _no_kind(path: Path) -> WrongUse:
    return WrongUse(f"{path.suffix!r} is no kind of picture.", "Let the name end in .png.")


def _bgr(pixels: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> Pixels:
    """Any decoded picture as 8 bit BGR."""
    if pixels.dtype == np.uint16:
        pixels = ((pixels.astype(np.uint32) + 128) // 257).astype(np.uint8)
    elif pixels.dtype != np.uint8:
        pixels = (np.clip(pixels.astype(np.float32), 0, 1) * 255 + 0.5).astype(np.uint8)
    if pixels.ndim == 2:
        pixels = pixels[:, :, None]
    channels = pixels.shape[2]
    if channels in (2, 4):
        alpha = pixels[:, :, -1:].astype(np.uint16)
        colour = pixels[:, :, :-1].astype(np.uint16)
        pixels = pixels[:, :, :-1] if alpha.min() == 255 else ((colour * alpha + 255 * (255 - alpha) + 127) // 255)
    if pixels.shape[2] == 1:
        pixels = np.repeat(pixels, 3, axis=2)
    return np.ascontiguousarray(pixels, dtype=np.uint8)


def _size(raw: bytes) -> tuple[int, int] | None:
    """Width and height as the head of the file says, so that nothing huge is decoded; None for an unknown kind."""
    try:
        if raw[:8] == b"\x89PNG\r\n\x1a\n":
            return struct.unpack(">II", raw[16:24])
        if raw[:3] == b"GIF":
            return struct.unpack("<HH", raw[6:10])
        if raw[:2] == b"BM":
            width, height = struct.unpack("<ii", raw[18:26])
            return abs(width), abs(height)
        if raw[:4] == b"RIFF" and raw[8:12] == b"WEBP":
            return _webp_size(raw)
        if raw[:3] == b"\xff\xd8\xff":
            return _jpeg_size(raw)
    except (struct.error, IndexError):
        return 0, 0
    return None


def _webp_size(raw: bytes) -> tuple[int, int]:
    kind = raw[12:16]
    if kind == b"VP8X":
        return int.from_bytes(raw[24:27], "little") + 1, int.from_bytes(raw[27:30], "little") + 1
    if kind == b"VP8L":
        bits = int.from_bytes(raw[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    width, height = struct.unpack("<HH", raw[26:30])
    return width & 0x3FFF, height & 0x3FFF


def _jpeg_size(raw: bytes) -> tuple[int, int]:
    at = 2
    while True:
        while raw[at] == 0xFF:
            at += 1
        marker, length = raw[at], int.from_bytes(raw[at + 1 : at + 3], "big")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", raw[at + 4 : at + 8])
            return width, height
        if length < 2:
            return 0, 0
        at += 1 + length
