"""Tests of the player's server: whom it refuses, what it survives, and that its answers are the engine's."""

from __future__ import annotations

import asyncio
import hashlib
import http.client
import json
import random
import re
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import engines
import psutil
import pytest
from click.testing import CliRunner

from autosolve.board.notation import Position, parse, write
from autosolve.board.puzzle import Marks
from autosolve.board.shape import Cell, CellSet, Shape, cell_set, cells_in
from autosolve.cli import playing
from autosolve.cli.main import app, run_command
from autosolve.errors import WrongUse
from autosolve.generate.game import Field, Game
from autosolve.player.server import Engine, Limits, Server
from autosolve.solver.hybrid import solve

SMALL = ".11.\n1.22\n..1.\n"
SMALL_SOLUTION = ["1001", "0000", "0001"]
STUCK = "1.\n..\n"
Reply = tuple[int, dict[str, str], Any]


@contextmanager
def serving(engine: Engine | None = None, limits: Limits | None = None) -> Iterator[Server]:
    """A server in a thread of this process."""
    real = Engine(playing.new, playing.judge, playing.rating)
    server = Server(lambda token: f"<!DOCTYPE html>{token}", engine or real, limits=limits)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join(20)
        assert not thread.is_alive()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


def call(
    server: Server,
    path: str,
    body: Any = None,
    *,
    method: str = "POST",
    without: str = "",
    **headers: str,
) -> Reply:
    """One call as the page makes it, with other headers or ``without`` one; ``Sec_Fetch_Site`` is Sec-Fetch-Site."""
    given = {
        "Host": f"127.0.0.1:{server.port}",
        "Origin": f"http://127.0.0.1:{server.port}",
        "Content-Type": "application/json",
        "X-Autosolve-Token": server.token,
    }
    given |= {name.replace("_", "-"): value for name, value in headers.items()}
    given.pop(without, None)
    sent = body if isinstance(body, bytes) else json.dumps(body).encode()
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    try:
        connection.request(method, path, sent if method == "POST" else None, given)
        answer = connection.getresponse()
        text = answer.read()
        told = {name.lower(): value for name, value in answer.getheaders()}
        is_json = told.get("content-type", "").startswith("application/json")
        return answer.status, told, json.loads(text) if is_json else text.decode()
    finally:
        connection.close()


def ask(server: Server, name: str, **asked: Any) -> dict[str, Any]:
    status, _, answer = call(server, f"/api/{name}", asked)
    assert status == 200, answer
    assert isinstance(answer, dict)
    return answer


def refused(reply: Reply, status: int) -> str:
    """The sentence of a refusal, which is one, with another on what to do."""
    assert reply[0] == status, reply
    assert set(reply[2]) == {"error", "remedy"}
    for words in reply[2].values():
        assert re.fullmatch(r"[A-Z'].*[.]", words), words
        assert "Traceback" not in words
    return str(reply[2]["error"])


# ---------------------------------------------------------------- the page and whom it is for


def test_the_page_comes_with_its_token_and_the_headers_of_safety(server: Server) -> None:
    status, headers, text = call(server, "/", method="GET", without="Origin")
    assert (status, text) == (200, f"<!DOCTYPE html>{server.token}")
    assert headers["content-type"] == "text/html; charset=utf-8"
    for _, told, _ in (call(server, "/", method="GET"), call(server, "/api/hint", {}), call(server, "/nowhere", {})):
        assert told["x-content-type-options"] == "nosniff"
        assert told["referrer-policy"] == "no-referrer"
        assert told["cache-control"] == "no-store"
        assert "frame-ancestors 'none'" in told["content-security-policy"]
        assert not [name for name in told if name.startswith("access-control-")]
        assert "server" not in told
    assert "connect-src 'self'" in headers["content-security-policy"]
    assert call(server, "/", method="GET", Host=f"localhost:{server.port}")[0] == 200
    assert call(server, "/favicon.ico", method="GET")[0] == 204
    assert len(server.token) >= 32


def test_no_two_servers_have_the_same_token(server: Server) -> None:
    with serving() as other:
        assert other.token != server.token
        refused(call(other, "/api/hint", {}, X_Autosolve_Token=server.token), 403)


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost", "localhost.evil:{port}",
                                  "127.0.0.1:{port}.evil", "[::1]:{port}", ""])  # fmt: skip
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_foreign_host_is_refused(server: Server, host: str, method: str) -> None:
    """A name that somebody has made to point at this machine is not ours."""
    host = host.format(port=server.port)
    refused(call(server, "/" if method == "GET" else "/api/hint", {}, method=method, Host=host), 403)


def test_two_hosts_are_refused(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port)) as raw:
        raw.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nHost: evil.example\r\n\r\n".encode())
        assert raw.recv(100).split()[1] in (b"400", b"403")


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1", "http://127.0.0.1:1", "file://"],
)
def test_a_foreign_origin_is_refused(server: Server, origin: str) -> None:
    origin = origin.format(port=server.port)
    for method in ("POST", "GET", "OPTIONS"):
        reply = call(server, "/api/hint", {"kind": "puzzle", "board": SMALL}, method=method, Origin=origin)
        assert refused(reply, 403) == "Other pages are not answered."
        assert not [name for name in reply[1] if name.startswith("access-control-")]


def test_a_call_that_the_browser_says_is_from_elsewhere_is_refused(server: Server) -> None:
    for site in ("cross-site", "same-site"):
        refused(call(server, "/api/hint", {}, without="Origin", Sec_Fetch_Site=site), 403)
    assert call(server, "/", method="GET", without="Origin", Sec_Fetch_Site="cross-site")[0] == 200  # a link to it


def test_a_call_without_the_token_is_refused(server: Server) -> None:
    refused(call(server, "/api/hint", {}, without="X-Autosolve-Token"), 403)
    refused(call(server, "/api/hint", {}, X_Autosolve_Token=""), 403)
    refused(call(server, "/api/hint", {}, X_Autosolve_Token=server.token[:-1] + "~"), 403)
    refused(call(server, "/api/hint", {}, X_Autosolve_Token="é"), 403)


# ---------------------------------------------------------------- what is sent


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_what_forms_and_other_pages_can_send_is_no_json(server: Server, kind: str) -> None:
    refused(call(server, "/api/hint", {"kind": "puzzle", "board": SMALL}, Content_Type=kind), 415)
    assert call(server, "/api/hint", {}, Content_Type="application/json; charset=utf-8")[0] == 400


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"nothing", b"[]", b'"text"', b"null", b"12", b'{"kind": NaN}', b"\xff\xfe", b'{"a":' * 200_000,
        b"[" * 100_000, b'{"kind": 1' + b"0" * 5000 + b"}", b'{"kind": "puzzle"} {}', b"\x00" * 100,
    ],
)  # fmt: skip
def test_broken_json_is_refused_with_a_sentence(server: Server, body: bytes) -> None:
    assert refused(call(server, "/api/hint", body), 400) == "What was sent is no JSON object."


BAD_BOARDS = [
    {},
    {"kind": "puzzle"},
    {"kind": "chess", "board": SMALL},
    {"kind": ["puzzle"], "board": SMALL},
    {"kind": "puzzle", "board": 3},
    {"kind": "puzzle", "board": ""},
    {"kind": "puzzle", "board": "12\n1\n"},
    {"kind": "puzzle", "board": "\ud800"},
    {"kind": "puzzle", "board": SMALL, "flags": [[9, 9]]},
    {"kind": "puzzle", "board": SMALL, "flags": [[0, -1]]},
    {"kind": "puzzle", "board": SMALL, "flags": [[True, 0]]},
    {"kind": "puzzle", "board": SMALL, "flags": "F"},
    {"kind": "puzzle", "board": SMALL, "flags": [[0, 0, 0]]},
    {"kind": "puzzle", "board": SMALL, "flags": [[0, 0]], "crosses": [[0, 0]]},
    {"kind": "puzzle", "board": SMALL, "flags": [[0, 0]] * 13},
    {"kind": "puzzle", "board": ("." * 101 + "\n") * 100},
    {"kind": "puzzle", "board": ("." * 501 + "\n") * 501},
]


@pytest.mark.parametrize("asked", BAD_BOARDS, ids=range(len(BAD_BOARDS)))
def test_a_board_that_cannot_be_used_is_refused_with_a_sentence(server: Server, asked: dict[str, Any]) -> None:
    refused(call(server, "/api/hint", asked), 400)


BAD_WISHES: list[dict[str, Any]] = [
    {"rows": 501},
    {"rows": 1},
    {"rows": "9"},
    {"rows": 9.5},
    {"rows": True},
    {"cols": 10**40},
    {"difficulty": "extreme"},
    {"difficulty": None},
    {"difficulty": {}},
    {"seed": -1},
    {"seed": 2**60},
    {"mines": 82},
    {"mines": -1},
    {"start": [9, 9]},
    {"start": "middle"},
    {"difficulty": "expert"},
]


@pytest.mark.parametrize("more", BAD_WISHES, ids=range(len(BAD_WISHES)))
def test_a_board_that_nobody_can_make_is_refused_with_a_sentence(more: dict[str, Any]) -> None:
    with pytest.raises(WrongUse):
        playing.new({"kind": "reveal", "rows": 9, "cols": 9, "difficulty": "easy", **more})
    for kind in ("puzzle", "lines", "mosaic"):
        if not {"start", "difficulty"} & set(more):
            with pytest.raises(WrongUse):
                playing.new({"kind": kind, "rows": 9, "cols": 9, "difficulty": "easy", **more})


def test_addresses_and_ways_of_asking_that_do_not_exist(server: Server) -> None:
    refused(call(server, "/nowhere", method="GET"), 404)
    refused(call(server, "/api/nothing", {}), 404)
    refused(call(server, "/api/../etc/passwd", method="GET"), 404)
    refused(call(server, "/api/hint", method="GET"), 405)
    refused(call(server, "/", {}), 405)
    refused(call(server, "/api/hint", method="OPTIONS"), 405)
    refused(call(server, "/api/hint", method="DELETE"), 405)


# ---------------------------------------------------------------- large, slow, many


def head(server: Server, *lines: str) -> bytes:
    """The head of a call as the page makes it, with more lines."""
    return "\r\n".join(
        [
            "POST /api/hint HTTP/1.1",
            f"Host: 127.0.0.1:{server.port}",
            "Content-Type: application/json",
            f"X-Autosolve-Token: {server.token}",
            *lines,
            "",
            "",
        ]
    ).encode()


def first_line(raw: socket.socket) -> bytes:
    raw.settimeout(20)
    return raw.recv(4096).partition(b"\r\n")[0]


def test_a_body_of_ten_megabytes_is_refused_before_it_is_read(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port)) as raw:
        raw.sendall(head(server, "Content-Length: 10000000") + b" " * 1000)
        assert b" 413 " in first_line(raw)
    # and who sends all of it before listening still hears why
    assert refused(call(server, "/api/hint", b" " * 10_000_000), 413) == "What was sent is too large."
    assert call(server, "/api/hint", b" " * 10_000_000, without="X-Autosolve-Token")[0] == 403


def test_a_body_that_does_not_say_how_large_it_is_ends_at_the_limit(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port)) as raw:
        raw.sendall(head(server, "Transfer-Encoding: chunked"))
        for _ in range(20):
            raw.sendall(b"10000\r\n" + b" " * 0x10000 + b"\r\n")
        assert b" 413 " in first_line(raw)


@pytest.mark.parametrize("length", ["-1", "1e3", "99999999999999999999", "many"])
def test_a_length_that_is_none_is_refused(server: Server, length: str) -> None:
    with socket.create_connection(("127.0.0.1", server.port)) as raw:
        raw.sendall(head(server, f"Content-Length: {length}"))
        assert first_line(raw).split()[1] in (b"400", b"413")


def test_slow_callers_are_hung_up_on_and_hold_up_nobody() -> None:
    echo = Engine(engines.echo, engines.echo, engines.echo)
    with serving(echo, Limits(reading=0.5)) as server:
        silent, headless, bodyless = (socket.create_connection(("127.0.0.1", server.port)) for _ in range(3))
        headless.sendall(b"POST /api/hint HTTP/1.1\r\nHost:")
        bodyless.sendall(head(server, "Content-Length: 100") + b"{")
        assert ask(server, "rating", a=1) == {"a": 1}
        assert b" 408 " in first_line(bodyless)
        for raw in (silent, headless):
            assert first_line(raw) == b""
        for raw in (silent, headless, bodyless):
            raw.close()


@contextmanager
def hanging(server: Server, begun: Path) -> Iterator[None]:
    """While a call for something that takes ten minutes is computed; hangs up in the end."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    body = json.dumps({"seconds": 600, "begun": str(begun)})
    given = {"Content-Type": "application/json", "X-Autosolve-Token": server.token}
    connection.request("POST", "/api/new", body, given)
    while not begun.exists():
        time.sleep(0.02)
    yield
    connection.close()


def test_a_long_answer_holds_up_no_short_one_and_ends_when_nobody_waits(tmp_path: Path) -> None:
    with serving(Engine(engines.sleep, engines.echo, engines.echo)) as server:
        with hanging(server, tmp_path / "begun"):
            assert ask(server, "hint", kind="puzzle", board=SMALL)["status"] == "step"
        # the one process for long answers is free again
        assert ask(server, "new", seconds=0)["slept"] == 0


def test_what_takes_too_long_or_fails_is_answered_and_the_next_is_too() -> None:
    with serving(Engine(engines.sleep, engines.die, engines.echo), Limits(long=1.0)) as server:
        assert refused(call(server, "/api/new", {"seconds": 600}), 422).startswith("That takes more work")
        first = ask(server, "new", seconds=0)["process"]
        assert ask(server, "new", seconds=0)["process"] == first
        assert "a fault" in refused(call(server, "/api/judge", {"fault": True}), 500)
        refused(call(server, "/api/judge", {}), 500)
        assert ask(server, "new", seconds=0)["process"] != first


def test_a_queue_that_is_full_says_so(tmp_path: Path) -> None:
    with serving(Engine(engines.sleep, engines.echo, engines.echo), Limits(waiting=1)) as server:
        with hanging(server, tmp_path / "begun"):
            assert refused(call(server, "/api/judge", {}), 503) == "The server has too much to do."
            # short ones wait elsewhere
            assert ask(server, "hint", kind="puzzle", board=SMALL)["status"] == "step"
        while (reply := call(server, "/api/judge", {"a": 1}))[0] == 503:
            time.sleep(0.05)
        assert reply[2] == {"a": 1}


# ---------------------------------------------------------------- the command


class Command:
    """``autosolve play`` as a person starts it."""

    def __init__(self, *args: str, files: int = 1024) -> None:
        def limit() -> None:
            resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))

        self.process = subprocess.Popen(
            [sys.executable, "-m", "autosolve", "play", "--no-browser", *args],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=limit,
        )  # fmt: skip
        assert self.process.stderr is not None
        self.said = self.process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", self.said)
        assert found is not None, self.said
        self.port = int(found[1])
        self.token = ""
        page = call(self, "/", method="GET")[2]  # type: ignore[arg-type]
        token = re.search(r'"?token"?: *"([\w-]+)"', page)
        assert token is not None
        self.token = token[1]

    def interrupt(self) -> tuple[int, str, str]:
        self.process.send_signal(signal.SIGINT)
        out, err = self.process.communicate(timeout=30)
        return self.process.returncode, out, err


@contextmanager
def started(*args: str) -> Iterator[Command]:
    running = Command(*args)
    try:
        yield running
    finally:
        running.process.kill()
        running.process.communicate()


@pytest.fixture
def command() -> Iterator[Command]:
    with started() as running:
        yield running


def test_a_thousand_calls_at_once_are_all_answered_or_told_to_wait(command: Command) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 4096)), hard))
    body = json.dumps({"kind": "puzzle", "board": SMALL})
    call_bytes = head(command, f"Content-Length: {len(body)}") + body.encode()  # type: ignore[arg-type]

    async def one(together: asyncio.Barrier) -> tuple[bytes, bytes]:
        reader, writer = await asyncio.open_connection("127.0.0.1", command.port)
        await together.wait()
        writer.write(call_bytes)
        text = await reader.read()
        writer.close()
        line, _, rest = text.partition(b"\r\n")
        return line.split()[1], rest.rpartition(b"\r\n\r\n")[2]

    async def all_at_once() -> list[tuple[bytes, bytes]]:
        together = asyncio.Barrier(900)
        # some wait for sockets of the server, which has fewer than it would need
        return await asyncio.gather(*(one(together if i < 900 else asyncio.Barrier(1)) for i in range(1000)))

    found = asyncio.run(all_at_once())
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    counts = Counter(status for status, _ in found)
    assert set(counts) <= {b"200", b"503"}
    assert counts[b"200"] >= 256
    for status, text in found:
        assert json.loads(text).get("status" if status == b"200" else "remedy")
    assert ask(command, "hint", kind="puzzle", board=SMALL)["status"] == "step"  # type: ignore[arg-type]
    assert command.interrupt()[0] == 130


def test_ctrl_c_ends_it_with_130_and_leaves_nothing_behind() -> None:
    board = Path(__file__).parent.parent / "fixtures" / "boards" / "unique-5x5.txt"
    with started(str(board)) as command:
        assert ask(command, "hint", kind="puzzle", board=board.read_text())["status"] == "step"  # type: ignore[arg-type]
        children = psutil.Process(command.process.pid).children()
        assert children
        assert command.interrupt() == (130, "", "autosolve: Stopped.\n")
    while any(child.is_running() and child.status() != psutil.STATUS_ZOMBIE for child in children):
        time.sleep(0.05)
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", command.port))


def test_ctrl_c_is_heard_while_an_answer_is_computed(command: Command) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", command.port)
    body = json.dumps({"kind": "mosaic", "rows": 20, "cols": 20, "difficulty": "expert"})
    given = {"Content-Type": "application/json", "X-Autosolve-Token": command.token}
    connection.request("POST", "/api/new", body, given)
    ask(command, "hint", kind="puzzle", board=SMALL)  # type: ignore[arg-type]
    code, out, err = command.interrupt()
    assert (code, out, err) == (130, "", "autosolve: Stopped.\n")
    connection.close()


def test_a_port_that_is_taken_is_said_in_two_sentences(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["play", "--no-browser", "--port", str(server.port)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert re.fullmatch(rf"autosolve: Port {server.port} .* cannot be used: .*\.\n  Give another one, .*\.\n", err)


# ---------------------------------------------------------------- what it answers


def test_a_hint_says_where_to_look_then_the_clues_then_the_move(server: Server) -> None:
    found = ask(server, "hint", kind="puzzle", board=SMALL)
    assert found == {
        "status": "step",
        "where": [[0, 3], [1, 3], [2, 3]],
        "clues": [{"clue": [1, 3], "cells": [[0, 3], [2, 3]], "mines": 2}],
        "cells": [[0, 3], [2, 3]],
        "verdict": "mine",
        "technique": "one",
        "pattern": None,
        "wave": 1,
        "text": "2 at r2c4 still needs 2 mines and has 2 covered cells left: r1c4 r3c4 are mines.",
    }
    rows = "rows: 0 2\ncolumns: 1 1\nmines: 2\n..\n..\n"
    found = ask(server, "hint", kind="lines", board=rows)
    assert found["clues"] == [{"row": 0, "cells": [[0, 0], [0, 1]], "mines": 0}]
    assert ask(server, "hint", kind="lines", board="columns: 2 0\n..\n..\n")["clues"][0]["column"] in (0, 1)
    found = ask(server, "hint", kind="lines", board="mines: 4\n..\n..\n")
    assert found["clues"] == [{"board": True, "cells": [[0, 0], [0, 1], [1, 0], [1, 1]], "mines": 4}]


def test_marks_are_checked_against_what_is_proven_and_never_taken_for_facts(server: Server) -> None:
    wrong = ask(server, "hint", kind="puzzle", board=SMALL, flags=[[0, 3], [1, 1]], crosses=[[0, 0]])
    assert wrong == {"status": "wrong", "cells": [[0, 0], [1, 1]], "text": "The marks at r1c1 r2c2 are wrong."}
    one = ask(server, "hint", kind="puzzle", board=SMALL.replace("1.2", "1F2"))
    assert (one["status"], one["text"]) == ("wrong", "The mark at r2c2 is wrong.")
    # a flag where a mine may be, but need not, is neither wrong nor does it prove the other cells safe
    guess = ask(server, "hint", kind="puzzle", board=STUCK, flags=[[0, 1]])
    assert guess["status"] == "stuck"
    assert guess["odds"] == [[None, 1 / 3], [1 / 3, 1 / 3]]
    done = ask(server, "hint", kind="puzzle", board=SMALL, flags=[[0, 0], [0, 3], [2, 3]],
               crosses=[[1, 1], [2, 0], [2, 1]])  # fmt: skip
    assert done == {"status": "done", "text": "Nothing is left to find."}


def test_where_a_game_is_stuck_the_odds_come_with_the_least_risk(server: Server) -> None:
    found = ask(server, "hint", kind="reveal", board="mines: 2\n1...\n....\n")
    # one of three beside the 1, and one of the four others
    assert found["odds"] == [[None, 1 / 3, 0.25, 0.25], [1 / 3, 1 / 3, 0.25, 0.25]]
    assert (found["status"], found["solutions"]) == ("stuck", "12")
    assert found["best"] == [[0, 2], [0, 3], [1, 2], [1, 3]]
    assert found["text"] == "Nothing is certain. The least risk is 25 %, at the cells r1c3 r1c4 r2c3 r2c4."
    assert ask(server, "odds", board="mines: 2\n1...\n....\n") == {
        "solutions": "12", "odds": found["odds"], "text": ""
    }  # fmt: skip


def test_a_cross_on_a_safe_cell_of_a_game_still_has_it_to_be_opened(server: Server) -> None:
    board = "mines: 1\n11.\n1F.\n...\n"  # the flag is where the mine is, all else is safe
    safe = [[0, 2], [1, 2], [2, 0], [2, 1], [2, 2]]
    found = ask(server, "hint", kind="reveal", board=board, crosses=safe)
    assert (found["status"], found["verdict"]) == ("step", "safe")
    assert all(cell in safe for cell in found["cells"])
    assert ask(server, "hint", kind="puzzle", board=board, crosses=safe)["status"] == "done"


def test_clues_that_clash_are_named(server: Server) -> None:
    for name in ("hint", "explain", "odds"):
        found = ask(server, name, kind="puzzle", board="01\n..\n")
        assert found["status"] == "contradiction"
        assert found["cells"]
        assert found["text"].endswith(".")


def test_numbers_of_thousands_of_digits_are_given_whole(server: Server) -> None:
    found = ask(server, "odds", board=("." * 100 + "\n") * 100)
    assert found["solutions"] == str_of(2**10_000)
    assert found["odds"][0][0] == 0.5


def str_of(number: int) -> str:
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        return str(number)
    finally:
        sys.set_int_max_str_digits(digits)


# ---------------------------------------------------------------- equal to the engine's, and true


def played(kind: str, seed: int) -> tuple[Position, CellSet]:
    """A board of a kind some way into its play, its true marks drawn in part, and its solution."""
    dice = random.Random(f"{kind} {seed}")
    side, most = dice.randint(4, 7), 6 if kind == "mosaic" else 9
    size = {"rows": side, "cols": dice.randint(4, most), "mines": max(3, side * 4 // 5) if kind == "reveal" else None}
    difficulty = dice.choice(("easy", "medium", "medium" if kind == "mosaic" else "hard"))
    made = playing.new({"kind": kind, "difficulty": difficulty, "seed": seed, **size})
    position = parse(made["board"])
    shape = position.puzzle.shape
    mines = cell_set(i for i, digit in enumerate("".join(made["solution"])) if digit == "1")
    if kind == "reveal":
        game = Game(Field(shape, mines)).reveal(shape.cell(*made["start"]))
        for cell in cells_in(shape.all & ~mines):
            if dice.random() < 0.15:
                game = game.reveal(cell)
        position = Position(game.puzzle)
    covered = position.puzzle.covered
    known = cell_set(cell for cell in cells_in(covered) if dice.random() < dice.choice((0, 0.3, 0.9)))
    crosses = 0 if kind == "reveal" else known & ~mines & ~cell_set(position.puzzle.clues)
    return Position(position.puzzle, Marks(known & mines & ~cell_set(position.puzzle.clues), crosses)), mines


@pytest.mark.parametrize("kind", ["puzzle", "reveal", "lines", "mosaic"])
def test_hints_on_fifty_boards_of_each_kind_are_the_engines_and_true(server: Server, kind: str) -> None:
    statuses: Counter[str] = Counter()
    for seed in range(50):
        position, mines = played(kind, seed)
        board = write(position)
        found = ask(server, "hint", kind=kind, board=board)
        statuses[found["status"]] += 1
        told = CliRunner().invoke(app, ["hint", "-", "--json"], input=board)
        engine = json.loads(told.stdout)
        shape = position.puzzle.shape
        if found["status"] == "step":
            for key in ("cells", "verdict", "technique", "text", "pattern", "wave"):
                wanted = engine[key]
                if key == "text":
                    wanted = f"{wanted[0].upper()}{wanted[1:]}."
                assert found[key] == wanted, key
            assert [(c["cells"], c["mines"]) for c in found["clues"]] == [
                (b["cells"], b["mines"]) for b in engine["because"]
            ]
            for row, col in found["cells"]:
                assert bool(mines >> shape.cell(row, col) & 1) == (found["verdict"] == "mine")
                assert [row, col] in found["where"]
            for sentence in found["clues"]:
                cells = cell_set(shape.cell(*at) for at in sentence["cells"])
                assert (cells & mines).bit_count() >= sentence["mines"]
        else:
            assert engine["cells"] == []
            if found["status"] == "stuck":
                assert told.exit_code == 7
                table = json.loads(CliRunner().invoke(app, ["odds", "-", "--json"], input=board).stdout)
                assert (found["odds"], found["solutions"]) == (table["odds"], table["solutions"])
            else:
                assert (found["status"], told.exit_code) == ("done", 0)
    assert statuses["step"] >= 30
    assert not set(statuses) - {"step", "stuck", "done"}


def test_an_explanation_leads_to_the_solution(server: Server) -> None:
    for kind in ("puzzle", "lines", "mosaic"):
        position, mines = played(kind, 1)
        found = ask(server, "explain", kind=kind, board=write(position))
        assert found["status"] == "unique"
        shape = position.puzzle.shape
        told: dict[Cell, str] = {}
        for step in found["steps"]:
            assert step["clues"]
            assert step["text"].endswith(".")
            told |= {shape.cell(*at): step["verdict"] for at in step["cells"]}
        assert told == {c: "mine" if mines >> c & 1 else "safe" for c in cells_in(position.puzzle.covered)}
        assert cell_set(shape.cell(*at) for at in found["mines"]) == mines
    found = ask(server, "explain", kind="puzzle", board=STUCK)
    assert (found["status"], found["steps"], found["mines"]) == ("undecided", [], [])


@pytest.mark.parametrize(
    ("kind", "difficulty", "most"),
    [
        ("puzzle", "easy", 1),
        ("puzzle", "medium", 2),
        ("lines", "easy", 1),
        ("mosaic", "easy", 1),
        ("mosaic", "medium", 2),
    ],
)
def test_a_new_board_is_what_it_says(server: Server, kind: str, difficulty: str, most: int) -> None:
    asked = {"kind": kind, "rows": 6, "cols": 7, "difficulty": difficulty, "seed": 5}
    made = ask(server, "new", **asked)
    assert ask(server, "new", **asked) == made
    position = parse(made["board"])
    solution = solve(position.puzzle)
    assert solution.unique
    rows = "".join(made["solution"])
    assert cells_of(rows) == solution.mines
    assert made["mines"] == rows.count("1")
    assert made["hash"] == hashlib.sha256(rows.encode()).hexdigest()
    assert (made["difficulty"], made["asked"], made["text"]) == (difficulty, difficulty, "")
    assert made["grade"]["layer"] == most
    assert made["start"] is None


def cells_of(rows: str) -> CellSet:
    return cell_set(i for i, digit in enumerate(rows) if digit == "1")


def test_a_new_game_opens_at_its_start_and_needs_what_it_says(server: Server) -> None:
    made = ask(server, "new", kind="reveal", rows=9, cols=9, difficulty="medium", seed=3, start=[0, 8], mines=12)
    shape = Shape(9, 9)
    mines = cells_of("".join(made["solution"]))
    game = Game(Field(shape, mines)).reveal(shape.cell(0, 8))
    assert made["board"] == write(Position(game.puzzle))
    assert (made["mines"], made["start"], made["difficulty"]) == (12, [0, 8], "medium")
    assert made["grade"]["hardest"] == "two"


@pytest.mark.parametrize("seed", range(6))
def test_a_game_is_judged_as_all_layers_would(seed: int) -> None:
    """Cells opened in any order: those are guesses that not every solution of what was seen by then allows."""
    made = playing.new({"kind": "reveal", "rows": 6, "cols": 7, "difficulty": "hard", "seed": seed, "mines": 9})
    mines = cells_of("".join(made["solution"]))
    safe = [c for c in range(42) if not mines >> c & 1]
    random.Random(seed).shuffle(safe)
    moves = [{"what": "open", "cell": list(divmod(c, 7))} for c in safe]
    found = playing.judge({**made, "moves": moves})
    game = Game(Field(Shape(6, 7), mines)).reveal(made["start"][0] * 7 + made["start"][1])
    guesses = []
    for number, cell in enumerate(safe):
        if game.puzzle.covered >> cell & 1 and not solve(game.puzzle).safe >> cell & 1:
            guesses.append(number)
        game = game.reveal(cell)
    assert found["unproven"] == guesses
    assert (found["cleared"], found["misses"], found["clean"]) == (True, [], not guesses)


def test_a_clear_is_judged_and_rated_as_the_commands_do_it(server: Server) -> None:
    asked = {"kind": "puzzle", "board": SMALL, "solution": SMALL_SOLUTION}
    mines = [{"what": "mine", "cell": cell} for cell in ([0, 3], [2, 3], [0, 0])]
    clean = ask(server, "judge", **asked, moves=mines)
    assert (clean["clean"], clean["catches"], clean["text"]) == (True, 3, "A clean clear: every move was provable.")
    for moves, words in (
        (mines[:2], "it was not cleared"),
        ([{"what": "hint"}, *mines], "1 hint"),
        ([{"what": "mine", "cell": [1, 1]}, *mines], "1 miss, 1 guess"),
    ):
        found = ask(server, "judge", **asked, moves=moves)
        assert (found["clean"], found["text"]) == (False, f"Not a clean clear: {words}.")
    assert ask(server, "judge", **asked, moves=mines, attempt=2)["clean"] is False
    for bad in ({"moves": 1}, {"moves": [{"what": "fly"}]}, {"moves": [{"what": "mine"}]}, {"moves": [3]},
                {"moves": [], "solution": ["1"]}, {"moves": [], "solution": ["0000"] * 3}):  # fmt: skip
        refused(call(server, "/api/judge", {**asked, **bad}), 400)
    attempts = [{"depth": 10, "clean": i % 3 > 0} for i in range(30)]
    found = ask(server, "rating", attempts=attempts)
    assert (found["attempts"], found["clean"], found["shown"], found["settled"]) == (30, 20, True, False)
    # two in three at depth 10: above it by ln 2 / 0.3, a little less for the prior
    assert 1180 < found["rating"] < 1231
    for bad_attempts in (None, [1], [{"depth": "x", "clean": True}], [{"depth": 3}], [{"depth": -1, "clean": True}]):
        refused(call(server, "/api/rating", {"attempts": bad_attempts}), 400)
