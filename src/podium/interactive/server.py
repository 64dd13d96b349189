"""A server for one explorer on this machine: the page, models of other replications, and updates of a run.

It listens on the loopback interface only. Every request needs the token of the address that `Server.url` gives; a
request that names another host, or that a page of another origin has made, is refused. Requests only read: none of them
changes anything or names code to run. See `page` for what the page requests.
"""

from __future__ import annotations

import json
import secrets
import socket
import threading
import time
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

from podium.checks import check_call, check_count, expect
from podium.errors import InputError, PodiumError, named
from podium.interactive.page import as_html, page_scripts, policy
from podium.interactive.payload import absences_payload, models_payload, whole_payload
from podium.interactive.run_state import Follower, RunState
from podium.interactive.space import Space

HOST = "127.0.0.1"
INTERVAL = 1.0  # seconds between two polls of a run
HEARTBEAT = 15.0  # seconds after which a silent stream sends a sign of life
MOST_STREAMS = 16  # pages that follow at once
PATIENCE = 60.0  # seconds that a connection may be silent


class State:
    """What the server shows: the newest payload, and the state of the run if there is one to follow."""

    def __init__(self, space: Space, title: str, seed: int) -> None:
        self._title, self._seed = title, seed
        self._changed = threading.Condition()
        self._fitting = threading.Lock()  # fits share random generators and thread limits: one at a time
        self.space = space
        self.run: RunState | None = None
        self.trouble = ""
        self.stopped = False
        self.payload = self._payload(space, version=0)

    def _payload(self, space: Space, version: int) -> dict[str, Any]:
        payload = whole_payload(space, self._title, "none", seed=self._seed, server=True)
        return payload | {"version": version}

    def replace(self, space: Space, run: RunState) -> None:
        """Take newer results."""
        payload = self._payload(space, self.payload["version"] + 1)
        with self._changed:
            self.space, self.payload, self.run, self.trouble = space, payload, run, ""
            self._changed.notify_all()

    def warn(self, trouble: str) -> None:
        """Keep the current state, and say why there is nothing newer."""
        with self._changed:
            if trouble != self.trouble:
                self.trouble = trouble
                self._changed.notify_all()

    def stop(self) -> None:
        """End all streams."""
        with self._changed:
            self.stopped = True
            self._changed.notify_all()

    def updates(
        self, version: int, seen: object, seconds: float
    ) -> tuple[dict[str, Any] | None, object, dict[str, Any]]:
        """Wait for something newer than a version and a key of the state; return payload, key and status."""
        with self._changed:
            self._changed.wait_for(lambda: self.stopped or self._key() != seen, seconds)
            payload = self.payload if self.payload["version"] > version else None
            return payload, self._key(), self._status()

    def _key(self) -> object:
        return self.payload["version"], self.trouble

    def _status(self) -> dict[str, Any]:
        if self.trouble:
            return {"state": "The run cannot be followed at the moment", "progress": self.trouble, "failures": []}
        if self.run is None:
            return {}
        state = "Complete" if self.run.complete else "Following the run"
        return {"state": state, "progress": self.run.progress, "failures": [str(one) for one in self.run.failures]}

    def models(self, dataset: int, replication: int) -> dict[str, Any] | None:
        """Fit the models of a replication, by position; None where there is no such position."""
        space = self.space
        if not 0 <= dataset < len(space.results.datasets):
            return None
        name = space.results.datasets[dataset]
        labels = space.replications(name)
        if not 0 <= replication < len(labels):
            return None
        with self._fitting:
            models = models_payload(space, name, labels[replication])
        return {"models": models, "absences": absences_payload(space)}


@check_call
class Server:
    """A running explorer; `Explorer.show` makes one. It stops with the process, or by `stop`.

    Attributes
    ----------
    url : str
        The address, with the token that every request needs. Whoever has it can read what the explorer shows, from
        this machine.
    """

    def __init__(self, space: Space, *, title: str = "", seed: int = 0, port: int = 0) -> None:
        check_count(port, "port", least=0, most=65_535)
        self._state = State(expect(space, Space, "space"), title, seed)
        self._token = secrets.token_urlsafe(24)
        self._stopping = threading.Event()
        self._http = _bind(port, self._state, self._token)
        self._threads = [threading.Thread(target=self._http.serve_forever, daemon=True, name="podium explorer")]
        if space.source.address:
            self._threads.append(threading.Thread(target=self._follow, daemon=True, name="podium follower"))
        for thread in self._threads:
            thread.start()

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self._http.server_address[1])

    @property
    def url(self) -> str:
        """The address of the page, with its token."""
        return f"http://{HOST}:{self.port}/?token={self._token}"

    def wait(self) -> None:
        """Wait until the server is stopped, or the user interrupts."""
        try:
            while not self._stopping.wait(0.5):
                pass
        finally:
            self.stop()

    def stop(self) -> None:
        """Stop the server and close its port; a second call does nothing."""
        if self._stopping.is_set():
            return
        self._stopping.set()
        self._state.stop()
        self._http.shutdown()
        self._http.server_close()
        for thread in self._threads:
            thread.join(10)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"Server of an explorer on port {self.port}{': stopped' if self._stopping.is_set() else ''}"

    def _follow(self) -> None:
        """Poll the warehouse until the server stops; after a poll that fails, try again."""
        follower: Follower | None = None
        pause = 0.0
        while not self._stopping.wait(pause):
            started = time.monotonic()
            try:
                if follower is None:
                    follower = Follower(self._state.space.source.address)
                found = follower.poll()
                if found is not None:
                    results, run = found
                    self._state.replace(self._state.space.with_results(results), run)
            except (PodiumError, OSError) as error:
                self._state.warn(str(error))
                if follower is not None:
                    follower.close()
                    follower = None
            pause = max(INTERVAL, 3 * (time.monotonic() - started))  # a large experiment is polled less often
        if follower is not None:
            follower.close()


def open_browser(url: str) -> bool:
    """Open an address in the user's browser; False where there is none with a window of its own."""
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return False
    if type(browser) is webbrowser.GenericBrowser:  # it would take over the terminal
        return False
    return browser.open(url)


class _Http(ThreadingHTTPServer):
    """Keeps track of its open connections, so stopping leaves none, not even a silent one."""

    daemon_threads = True

    def __init__(self, *given: Any) -> None:
        self._open: set[Any] = set()
        super().__init__(*given)

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def server_close(self) -> None:
        super().server_close()
        for connection in tuple(self._open):
            with suppress(OSError):  # it has ended in the meantime
                connection.shutdown(socket.SHUT_RDWR)


def _bind(port: int, state: State, token: str) -> _Http:
    shared = {"state": state, "token": token, "streams": threading.Semaphore(MOST_STREAMS)}
    handler = type("Handler", (_Handler,), shared)
    try:
        server = _Http((HOST, port), handler)
    except OSError as error:
        raise InputError(
            f"{named('port')} {port} cannot be used: {error.strerror or error}. Choose another, or 0 for any that is "
            "free.",
            path=("port",),
        ) from error
    handler.port = int(server.server_address[1])  # type: ignore[attr-defined]
    return server


class _Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    state: State
    token: str
    streams: threading.Semaphore
    port: int
    timeout = PATIENCE
    server_version = "podium"
    sys_version = ""

    def do_GET(self) -> None:
        """Answer, or refuse."""
        try:
            parts = urlsplit(self.path)
            query = parse_qs(parts.query)
        except ValueError:
            self._send(HTTPStatus.BAD_REQUEST, "text/plain", "This is not a valid address.\n")
            return
        if not self._permitted(parts.path, query.get("token", [""])[-1]):
            self._send(HTTPStatus.FORBIDDEN, "text/plain", "Use the address that podium printed, with its token.\n")
            return
        answer = self._route(parts.path.strip("/").split("/"))
        if answer is None:
            self._send(HTTPStatus.NOT_FOUND, "text/plain", "There is nothing here.\n")
            return
        answer(query)

    def _route(self, path: Sequence[str]) -> Callable[[dict[str, list[str]]], None] | None:
        match path:
            case [""]:
                return self._page
            case ["events"]:
                return self._events
            case ["models", dataset, replication] if _is_position(dataset) and _is_position(replication):
                return lambda _: self._models(int(dataset), int(replication))
        return None

    def _permitted(self, path: str, token: str) -> bool:
        """Return whether a request has the token and comes from this page, or from a user who opens it."""
        hosts = [f"{name}:{self.port}" for name in (HOST, "localhost")]
        origin, site = self.headers.get("Origin"), self.headers.get("Sec-Fetch-Site", "none")
        opened = path == "/" and self.headers.get("Sec-Fetch-Dest") == "document"
        return (
            secrets.compare_digest(token.encode(), self.token.encode())
            and self.headers.get("Host") in hosts
            and (origin is None or origin in [f"http://{host}" for host in hosts])
            and (site in ("none", "same-origin") or opened)
        )

    def _page(self, _: dict[str, list[str]]) -> None:
        self._send(HTTPStatus.OK, "text/html", as_html(self.state.payload))

    def _models(self, dataset: int, replication: int) -> None:
        found = self.state.models(dataset, replication)
        if found is None:
            self._send(HTTPStatus.NOT_FOUND, "text/plain", "There is no such data set or replication.\n")
        else:
            self._send(HTTPStatus.OK, "application/json", json.dumps(found, allow_nan=False))

    def _events(self, query: dict[str, list[str]]) -> None:
        """Send updates for as long as the page is open."""
        shown = self.headers.get("Last-Event-ID") or query.get("version", ["0"])[-1]
        version = int(shown) if _is_position(shown) else 0
        if not self.streams.acquire(blocking=False):
            self._send(HTTPStatus.SERVICE_UNAVAILABLE, "text/plain", "Too many pages follow this explorer.\n")
            return
        try:
            self._stream(version)
        finally:
            self.streams.release()

    def _stream(self, version: int) -> None:
        self._head(HTTPStatus.OK, "text/event-stream")
        self.end_headers()
        seen: object = None
        while not self.state.stopped:
            payload, key, status = self.state.updates(version, seen, HEARTBEAT)
            if payload is not None:
                version = payload["version"]
                self._event({"payload": payload}, version)
            if key != seen and status:
                self._event({"status": status}, version)
            elif payload is None:
                self.wfile.write(b": still here\n\n")
            seen = key
            self.wfile.flush()

    def _event(self, news: dict[str, Any], version: int) -> None:
        self.wfile.write(f"id: {version}\ndata: {json.dumps(news, allow_nan=False)}\n\n".encode())

    def _send(self, status: HTTPStatus, kind: str, text: str) -> None:
        body = text.encode()
        self._head(status, f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _head(self, status: HTTPStatus, kind: str) -> None:
        self.send_response(status)
        for name, value in (
            ("Content-Type", kind),
            ("Cache-Control", "no-store"),
            ("Content-Security-Policy", policy(page_scripts(), server=True) + "; frame-ancestors 'none'"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Referrer-Policy", "no-referrer"),
            ("X-Content-Type-Options", "nosniff"),
        ):
            self.send_header(name, value)

    def handle(self) -> None:
        """Answer; it is not an error if the browser disconnects."""
        try:
            super().handle()
        except (ConnectionError, TimeoutError):
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Print nothing: addresses have the token."""


def _is_position(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10
