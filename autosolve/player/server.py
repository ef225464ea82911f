"""Owns the small server on 127.0.0.1 behind the player's page: whom it answers, how much it reads, how long it waits.

It answers its own page and nobody else: a page of another origin, or a name that was made to point here, is refused
before anything is read, and whoever calls must know the token that stands in the page. What it answers is computed in
processes of their own (``workers``), so a long answer holds up no short one. Nothing is kept between two calls.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from autosolve.errors import AutosolveError, Undecided, WrongUse
from autosolve.player import answers
from autosolve.player.workers import Compute, Failed, Wanted, Workers

HOST = "127.0.0.1"
_PAGE_POLICY = "connect-src 'self'; object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
_ANSWER_POLICY = "default-src 'none'; frame-ancestors 'none'"
_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
    # one call a connection, so that its time is measured from its first byte
    "connection": "close",
}


@dataclass(frozen=True, slots=True)
class Limits:
    """How much the server takes on.

    ``body``     bytes of a call
    ``waiting``  calls at a time, those that wait for a free process included; short ones and long ones apart
    ``reading``  seconds in which a call must have come in whole
    ``quick``    seconds that a hint may take, and all else but those
    ``long``     seconds that may be taken by what makes or replays whole boards
    ``drain``    bytes, and seconds, of a call too large that are read and thrown away so that its sender hears why
    """

    body: int = 1_000_000
    waiting: int = 256
    reading: float = 10.0
    quick: float = 30.0
    long: float = 180.0
    drain: tuple[int, float] = (64_000_000, 3.0)


@dataclass(frozen=True, slots=True)
class Engine:
    """What the server cannot compute itself, because it stands above it: functions of a module, from plain JSON values
    to plain JSON values, which raise WrongUse for what cannot be used."""

    new: Compute
    judge: Compute
    rating: Compute


class Server:
    """The player's server. Its port is taken when it is made, a free one for 0; ``run`` answers until it is stopped.

    ``page``  the HTML text for a token
    Raises WrongUse where the port cannot be had."""

    def __init__(self, page: Callable[[str], str], engine: Engine, port: int = 0, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.token = secrets.token_urlsafe(24)
        self.socket = _listen(port)
        self.port = int(self.socket.getsockname()[1])
        self._html = page(self.token)
        quick: dict[str, Compute] = {"hint": answers.hint, "explain": answers.explain, "odds": answers.odds}
        quick["rating"] = engine.rating
        long = {"new": engine.new, "judge": engine.judge}
        self._workers = dict.fromkeys(quick, Workers(2, quick, self.limits.quick))
        self._workers |= dict.fromkeys(long, Workers(1, long, self.limits.long))
        self._waiting = dict.fromkeys(self._workers.values(), 0)
        self._server = uvicorn.Server(
            uvicorn.Config(
                self._app(),
                http=_Timely.within(self.limits.reading),
                loop="asyncio",
                ws="none",
                lifespan="off",
                log_config=None,
                log_level=logging.CRITICAL,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                timeout_graceful_shutdown=1,
            )
        )

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://{HOST}:{self.port}/"

    def run(self) -> None:
        """Answers until ``stop`` is called, or KeyboardInterrupt comes, which is raised again when all has ended."""
        # what a caller does wrong is told to the caller; a machine out of sockets is waited for, without a word
        logging.getLogger("asyncio").setLevel(logging.CRITICAL)
        self._workers["hint"].warm()
        try:
            self._server.run(sockets=[self.socket])
        finally:
            self.close()

    def stop(self) -> None:
        """Ends ``run``; may be called from another thread."""
        self._server.should_exit = True

    def close(self) -> None:
        """Gives back the port and ends all processes; ``run`` does so itself."""
        self.socket.close()
        for workers in set(self._workers.values()):
            workers.close()

    # ------------------------------------------------------------ the calls

    def _app(self) -> ASGIApp:
        hosts = frozenset(f"{name}:{self.port}" for name in (HOST, "localhost"))
        return Starlette(
            routes=[
                Route("/", self._page),
                Route("/favicon.ico", self._no_icon),
                Route("/api/{name}", self._call, methods=["POST"]),
            ],
            middleware=[Middleware(_Guard, hosts=hosts, drain=self.limits.drain)],
            exception_handlers={HTTPException: _http_refusal, Exception: _fault},
        )

    async def _page(self, request: Request) -> Response:
        return HTMLResponse(self._html, headers={"content-security-policy": _PAGE_POLICY})

    async def _no_icon(self, request: Request) -> Response:
        return Response(status_code=204)

    async def _call(self, request: Request) -> Response:
        name, limits = request.path_params["name"], self.limits
        if name not in self._workers:
            return refusal(404, f"There is no call {name[:40]!r}.", f"Calls are {', '.join(sorted(self._workers))}.")
        token = request.headers.get("x-autosolve-token", "")
        if not hmac.compare_digest(token.encode(), self.token.encode()):
            return refusal(403, "The call does not come from the page of this server.", "Load the page again.")
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            return refusal(415, "What was sent is not JSON.", "Send application/json.")
        workers = self._workers[name]
        if self._waiting[workers] >= limits.waiting:
            return refusal(503, "The server has too much to do.", "Try again in a moment.")
        self._waiting[workers] += 1
        try:
            return await self._answer(name, request)
        finally:
            self._waiting[workers] -= 1

    async def _answer(self, name: str, request: Request) -> Response:
        limits = self.limits
        try:
            async with asyncio.timeout(limits.reading):
                body = await _body(request, limits.body)
        except TimeoutError:
            return refusal(408, "The call came too slowly.", "Try again.")
        if body is None:
            remedy = f"Send {limits.body:,} bytes at the most."
            return refusal(413, "What was sent is too large.", remedy)
        try:
            asked = json.loads(body, parse_constant=_no_number)
        except (ValueError, RecursionError):
            asked = None
        if not isinstance(asked, dict):
            return refusal(400, "What was sent is no JSON object.", "Send one object.")
        try:
            return JSONResponse(await self._computed(name, asked, request))
        except Undecided as problem:
            return refusal(422, str(problem), problem.remedy)
        except AutosolveError as problem:
            return refusal(400, str(problem), problem.remedy)
        except Failed as problem:
            return refusal(500, f"The answer failed: {problem}.", "Please report it.")

    async def _computed(self, name: str, asked: Mapping[str, Any], request: Request) -> dict[str, Any]:
        """The answer; where its caller goes away nothing more is done for it."""
        workers, wanted = self._workers[name], Wanted()
        async with _listening(request, wanted):
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(workers.threads, workers.ask, name, asked, wanted)


@asynccontextmanager
async def _listening(request: Request, wanted: Wanted) -> AsyncIterator[None]:
    """Drops what is wanted when the caller hangs up, or when the server ends."""

    async def listen() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        wanted.drop()

    ear = asyncio.create_task(listen())
    try:
        yield
    except asyncio.CancelledError:
        wanted.drop()
        raise
    finally:
        ear.cancel()


async def _body(request: Request, most: int) -> bytes | None:
    """The body; None where it is larger than allowed, by its own word before any of it is read."""
    said = request.headers.get("content-length", "0")
    if not said.isascii() or not said.isdigit() or int(said) > most:
        return None
    pieces, size = list[bytes](), 0
    async for piece in request.stream():
        size += len(piece)
        if size > most:
            return None
        pieces.append(piece)
    return b"".join(pieces)


def _no_number(word: str) -> None:
    raise ValueError(word)


# ---------------------------------------------------------------- refusing


def refusal(status: int, error: str, remedy: str) -> JSONResponse:
    """An answer that says in a sentence what is wrong, and in another what to do."""
    return JSONResponse({"error": error, "remedy": remedy}, status)


async def _http_refusal(request: Request, problem: Exception) -> Response:
    status = problem.status_code if isinstance(problem, HTTPException) else 500
    words = {
        404: ("There is nothing at this address.", "The player is at '/'."),
        405: ("This address is not asked in that way.", "Pages are read with GET, calls are made with POST."),
    }
    return refusal(status, *words.get(status, ("The call cannot be answered.", "Load the page again.")))


async def _fault(request: Request, problem: Exception) -> Response:
    return refusal(500, f"The answer failed: {type(problem).__name__}.", "Please report it.")


class _Guard:
    """Refuses whoever does not call this server by its own name or comes from elsewhere, before anything is read; puts
    the headers of safety on every answer. There are no answers to other origins, and so no headers that allow any."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str], drain: tuple[int, float]) -> None:
        self.app, self.hosts, self.drain = app, hosts, drain

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        given: dict[str, list[str]] = {}
        for name, value in scope["headers"]:
            given.setdefault(name.decode("latin-1"), []).append(value.decode("latin-1"))
        unread = "expect" not in given

        async def heard() -> Message:
            nonlocal unread
            message = await receive()
            unread = unread and bool(message.get("more_body"))
            return message

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = {**_HEADERS, "content-security-policy": _ANSWER_POLICY}
                named = {name.decode() for name, _ in message["headers"]}
                more = [(n.encode(), v.encode()) for n, v in headers.items() if n not in named]
                message = {**message, "headers": [*message["headers"], *more]}
            elif unread and not message.get("more_body"):
                await send({**message, "more_body": True})
                message = {"type": "http.response.body", "body": b""}
                await self._drain(heard)
            await send(message)

        app = self._refused(given, scope["method"]) or self.app
        await app(scope, heard, guarded)

    async def _drain(self, receive: Receive) -> None:
        """Throws away for a while what still comes in of a call that was answered before it was read: a connection
        closed over it would take the answer with it."""
        most, seconds = self.drain
        try:
            async with asyncio.timeout(seconds):
                while most > 0:
                    message = await receive()
                    most -= len(message.get("body", b""))
                    if not message.get("more_body"):
                        break
        except TimeoutError:
            pass

    def _refused(self, given: Mapping[str, list[str]], method: str) -> ASGIApp | None:
        host, origin, site = (given.get(name, []) for name in ("host", "origin", "sec-fetch-site"))
        if len(host) != 1 or host[0].lower() not in self.hosts:
            return refusal(403, "This server is not called by that name.", "Use the address that was printed.")
        if any(o.lower() not in {f"http://{h}" for h in self.hosts} for o in origin):
            return refusal(403, "Other pages are not answered.", "Use the page of this server.")
        if method != "GET" and any(s not in ("same-origin", "none") for s in site):
            return refusal(403, "Other pages are not answered.", "Use the page of this server.")
        return None


class _Timely(H11Protocol):
    """A connection that is closed where its call has not begun in time."""

    seconds = 10.0

    @classmethod
    def within(cls, seconds: float) -> type[_Timely]:
        """The same with another time."""
        return type(cls.__name__, (cls,), {"seconds": seconds})

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.loop.call_later(self.seconds, self._close_if_silent)

    def _close_if_silent(self) -> None:
        # None until the head of a call has come in whole
        if getattr(self, "cycle", None) is None and not self.transport.is_closing():
            self.transport.close()


def _listen(port: int) -> socket.socket:
    out = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    out.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        out.bind((HOST, port))
        out.listen(2048)
    except OSError as problem:
        out.close()
        raise WrongUse(
            f"Port {port} of this machine cannot be used: {problem.strerror}.", "Give another one, or leave --port out."
        ) from None
    return out
