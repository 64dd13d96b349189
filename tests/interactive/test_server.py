"""The served explorer: which requests are accepted, what is answered, and a run that is followed to its end."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sysconfig
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import podium
from podium.errors import InputError
from podium.interactive import RunState, Server, server
from podium.interactive.run_state import Follower

EXPERIMENT = podium.Experiment(
    ["iris", "monks3"],
    ["lda", "nb", "constant"],
    podium.Bootstrap(replications=4),
    ["misclassification", "fit time"],
    name="followed",
)
FAST: dict[str, Any] = {"executor": "threads", "workers": 1}


def interrupted(path: Path) -> Path:
    """Make a warehouse with the first nine of 24 trials, as a run that was interrupted leaves it."""
    with podium.Warehouse(":memory:") as whole, podium.Warehouse(path) as part:
        podium.run(EXPERIMENT, whole, **FAST)
        part.set_design(whole.design, "interrupted")
        order = {key: at for at, key in enumerate(EXPERIMENT.trials())}
        part.append(sorted(whole.records(), key=lambda record: order[tuple(record.key)])[:9])
    return path


@pytest.fixture(scope="module")
def half_done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that was interrupted."""
    return interrupted(tmp_path_factory.mktemp("live") / "followed.db")


@pytest.fixture(scope="module")
def served() -> Iterator[Server]:
    """A server of scores only."""
    with podium.explorer(podium.datasets.load_pima()).show(browser=False) as found:
        yield found


def ask(where: Server, path: str, *, token: bool = True, method: str = "GET", **headers: str) -> tuple[int, str, Any]:
    query = urlsplit(where.url).query
    connection = http.client.HTTPConnection("127.0.0.1", where.port, timeout=60)
    connection.request(
        method, f"{path}?{query}" if token else path, headers={k.replace("_", "-"): v for k, v in headers.items()}
    )
    answer = connection.getresponse()
    found = answer.status, answer.read().decode(), answer.headers
    connection.close()
    return found


def test_the_page_is_served_to_whoever_has_the_token(served: Server) -> None:
    status, text, headers = ask(served, "/")
    assert status == 200
    assert text.startswith("<!DOCTYPE html>")
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "connect-src 'self'" in policy and "frame-ancestors 'none'" in policy
    assert headers["Cache-Control"] == "no-store"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Access-Control-Allow-Origin"] is None


@pytest.mark.parametrize("path", ["/", "/events", "/models/0/0", "/nothing"])
def test_nothing_is_served_without_the_token(served: Server, path: str) -> None:
    assert ask(served, path, token=False)[0] == 403
    assert ask(served, f"{path}?token=wrong", token=False)[0] == 403
    assert ask(served, f"{path}?token=", token=False)[0] == 403
    assert ask(served, f"{path}?token=%C3%A4%00", token=False)[0] == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://example.org"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Host": "example.org"},
        {"Host": "127.0.0.1"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site", "Sec_Fetch_Dest": "iframe"},
    ],
)
def test_another_origin_is_refused_even_with_the_token(served: Server, headers: dict[str, str]) -> None:
    status, text, _ = ask(served, "/", **headers)
    assert (status, text) == (403, "Use the address that podium printed, with its token.\n")


def test_its_own_origin_and_a_user_who_opens_a_link_are_served(served: Server) -> None:
    assert ask(served, "/", Origin=f"http://127.0.0.1:{served.port}")[0] == 200
    assert ask(served, "/", Sec_Fetch_Site="cross-site", Sec_Fetch_Dest="document")[0] == 200
    assert ask(served, "/models/0/0", Sec_Fetch_Site="cross-site", Sec_Fetch_Dest="document")[0] == 403


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE"])
def test_requests_that_send_something_are_refused(served: Server, method: str) -> None:
    assert ask(served, "/", method=method)[0] == 501


@pytest.mark.parametrize(
    "path",
    ["/nothing", "/../../etc/passwd", "/models", "/models/0", "/models/0/0/0", "/models/-1/0", "/models/9/0", "/models/0/999999", "/models/٣/0", "/models/x/0", "//", "/models/0/99999999999999999999"],
)  # fmt: skip
def test_other_addresses_are_not_found(served: Server, path: str) -> None:
    quoted = path.replace("٣", "%D9%A3")
    assert ask(served, quoted)[0] == (200 if path == "//" else 404)


def test_an_address_that_cannot_be_read_is_refused(served: Server, capsys: pytest.CaptureFixture[str]) -> None:
    assert ask(served, "x://[nowhere/")[0] == 400
    assert capsys.readouterr().err == ""


def test_scores_alone_have_no_models(served: Server) -> None:
    found = json.loads(ask(served, "/models/0/0")[1])
    assert found["models"] == []
    assert found["absences"][0].startswith("data, samples, models: these are only scores")


def test_a_token_is_not_used_twice(served: Server) -> None:
    with podium.explorer(podium.datasets.load_pima()).show(browser=False) as other:
        assert urlsplit(other.url).query != urlsplit(served.url).query
        assert len(urlsplit(other.url).query) > 30


def test_a_port_that_is_taken(served: Server) -> None:
    with pytest.raises(InputError, match=rf"^`port` {served.port} cannot be used: .* Choose another, or 0"):
        podium.explorer(podium.datasets.load_pima()).show(port=served.port, browser=False)
    with pytest.raises(InputError, match="`port`"):
        podium.explorer(podium.datasets.load_pima()).show(port=99_999, browser=False)


def test_stopping_frees_the_port_and_leaves_no_thread() -> None:
    found = podium.explorer(podium.datasets.load_pima()).show(browser=False)
    port = found.port
    stream = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    stream.request("GET", f"/events?{urlsplit(found.url).query}")
    assert stream.getresponse().status == 200
    with socket.create_connection(("127.0.0.1", port), timeout=60) as silent:
        silent.sendall(b"GET /")
        found.stop()
        found.stop()
        with suppress(ConnectionResetError):  # where it had not been taken yet
            assert silent.recv(1) == b""  # it has ended, although nothing was requested
    assert repr(found) == f"Server of an explorer on port {port}: stopped"
    assert not [thread for thread in found._threads if thread.is_alive()]
    with pytest.raises(ConnectionRefusedError):
        ask(found, "/")
    stream.close()


def test_models_are_those_of_the_run(half_done: Path) -> None:
    whole = podium.explorer(half_done, models="all").payload
    assert whole["datasets"][0]["models"], "the run has trials of the first data set"
    with podium.explorer(half_done).show(browser=False) as found:
        models = json.loads(ask(found, "/models/0/0")[1])
        assert models["models"] == whole["datasets"][0]["models"]["0"]
        assert models["absences"] == []


def events(where: Server, last: str | None = None) -> Iterator[dict[str, Any]]:
    """The events of the stream, one after the other."""
    connection = http.client.HTTPConnection("127.0.0.1", where.port, timeout=60)
    headers = {} if last is None else {"Last-Event-ID": last}
    connection.request("GET", f"/events?{urlsplit(where.url).query}", headers=headers)
    answer = connection.getresponse()
    try:
        for line in answer:
            if line.startswith(b"data: "):
                yield json.loads(line[6:])
    finally:
        connection.close()


def wait(page: Any, expression: str) -> None:
    """Wait until something holds on the page, for a minute at most."""
    # `wait_for_function` would evaluate text inside the page, which its policy forbids.
    for _ in range(600):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"not within a minute: {expression}; it says {page.inner_text('#live')!r}")


@pytest.fixture
def conftest(pytestconfig: pytest.Config) -> Any:
    """The top-level conftest, which starts programs."""
    return pytestconfig.pluginmanager.get_plugin(str(Path(__file__).parents[2] / "conftest.py"))


# In its own process, as on a system that cannot fork: how trials run is not the subject, and a fork server starts slowly.
RUN = """
import sys
from podium.execution import tasks
from podium.cli import main

tasks.supported = lambda: False
sys.exit(main(["run", *sys.argv[1:], "--workers", "1", "--progress", "quiet"]))
"""


def test_a_run_is_followed_to_its_end(
    half_done: Path,
    browser: Any,
    monkeypatch: pytest.MonkeyPatch,
    run_python: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    monkeypatch.setattr(server, "INTERVAL", 0.3)
    design = half_done.with_suffix(".yaml")
    EXPERIMENT.to_file(design)
    with podium.explorer(half_done).show(browser=False) as found:
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        messages: list[str] = []
        requests: list[str] = []
        page.on(
            "console", lambda message: messages.append(message.text) if message.type in ("error", "warning") else None
        )
        page.on("pageerror", lambda error: messages.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(found.url)
        wait(page, "document.documentElement.dataset.ready === 'true'")
        wait(page, "document.getElementById('live').textContent.startsWith('Following the run: 9 of 24 trials')")
        page.evaluate("podium.change({view: 'data', d: 1})")

        done = run_python(RUN, str(design), "--warehouse", str(half_done))
        assert done.returncode == 0, done.stderr
        wait(page, "document.getElementById('live').textContent === 'Complete: 24 of 24 trials'")

        shown = page.evaluate("Array.from(podium.here().measures[0].values)")
        results = podium.Warehouse(half_done, readonly=True).results()
        stored = results.select(dataset="monks3", measure="misclassification").values.ravel().tolist()
        assert shown == stored
        assert page.evaluate("[podium.state.view, podium.state.d]") == ["data", 1]  # updates leave the view as it is

        page.evaluate("podium.select([2])")  # a replication comes into focus: its models are fitted again
        wait(page, "podium.here().models.has(2)")
        assert page.evaluate("podium.here().models.get(2).length") == 3
        assert messages == []
        assert {urlsplit(url).netloc for url in requests} == {f"127.0.0.1:{found.port}"}
        page.close()

        # A page that connects again gets what it has missed, and nothing twice.
        first = next(events(found))
        assert first["payload"]["version"] > 0
        again = next(events(found, last=str(first["payload"]["version"])))
        assert again == {"status": {"state": "Complete", "progress": "24 of 24 trials", "failures": []}}


@pytest.mark.usefixtures("in_this_process")
def test_a_run_that_ends_during_a_poll_is_complete_when_its_values_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = interrupted(tmp_path / "w.db")
    ended: list[bool] = []

    def run_afterwards(read: Callable[..., Any]) -> Callable[..., Any]:
        def reading(*arguments: Any) -> Any:
            found = read(*arguments)
            if not ended:
                ended.append(True)
                podium.run(EXPERIMENT, path, **FAST)
            return found

        return reading

    follower = Follower(str(path))
    for name in ("results", "status"):
        monkeypatch.setattr(podium.Warehouse, name, run_afterwards(getattr(podium.Warehouse, name)))
    results, state = follower.poll()
    assert ended and (results.present.all() or not state.complete)
    results, state = follower.poll()
    assert results.present.all() and state.complete
    assert follower.poll() is None
    follower.close()


def test_a_lost_warehouse_is_reported_and_the_view_stays(
    tmp_path: Path, half_done: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "INTERVAL", 0.05)
    path = tmp_path / "copy.db"
    path.write_bytes(half_done.read_bytes())
    found = podium.explorer(path)
    path.unlink()
    with found.show(browser=False) as served:
        told = next(events(served))
        assert told["status"]["state"] == "The run cannot be followed at the moment"
        assert ask(served, "/")[0] == 200


def test_failures_are_named() -> None:
    state = RunState(counts={"done": 5, "failed": 2, "stopped": 3, "left": 0}, failures=())
    assert (state.complete, state.progress) == (True, "10 of 10 trials, 2 failed, 3 stopped")


def test_the_verb_serves_until_it_is_interrupted(half_done: Path, tmp_path: Path, conftest: Any) -> None:
    output, errors = tmp_path / "output", tmp_path / "errors"
    for file in (output, errors):
        file.touch()
    script = str(Path(sysconfig.get_path("scripts"), "podium"))
    words = [script, "explorer", str(half_done), "--no-browser"]
    program = conftest.Program(words, os.environ, str(output), str(errors))
    guard = threading.Timer(120, os.kill, (program.pid, signal.SIGKILL))
    guard.start()
    try:
        while "Press" not in output.read_text() and guard.is_alive():
            time.sleep(0.02)
        address = urlsplit(output.read_text().splitlines()[0])
        connection = http.client.HTTPConnection("127.0.0.1", address.port or 0, timeout=60)
        connection.request("GET", f"/?{address.query}")
        assert connection.getresponse().status == 200
        connection.close()
    finally:
        os.kill(program.pid, signal.SIGINT)
        status = program.wait()
        guard.cancel()
    rest = output.read_text().partition("\n")[2]
    assert (status, rest, errors.read_text()) == (0, "Press Ctrl+C to stop.\nStopped.\n", "")


def test_the_verb_writes_a_file(tmp_path: Path, half_done: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from podium.cli import main

    target = tmp_path / "explorer.html"
    assert main(["explorer", str(half_done), "--out", str(target), "--models", "none"]) == 0
    assert target.stat().st_size < 3_000_000
    assert capsys.readouterr().out.startswith(f"{target}  1.")
    assert main(["explorer", str(half_done), "--out", str(tmp_path / "explorer.pdf")]) == 2
    assert "must end in .html" in capsys.readouterr().err
