"""OpenML against recorded answers of its server, served on this machine.

The answers come with scikit-learn, which recorded them for its own tests; long data are cut off there, and their
checksums adapted.
"""

from __future__ import annotations

import gzip
import json
import os
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from podium.errors import FetchError, InputError
from podium.setup.sources import dataset, dataset_from_spec
from podium.setup.sources.cache import Cache, default_folder
from podium.setup.sources.frame import Roles
from podium.setup.sources.openml import from_openml

UNKNOWN = b'{"error": {"code": "111", "message": "Unknown dataset", "additional_information": ""}}'


def recorded(number: int, start: str) -> bytes:
    folder = resources.files("sklearn.datasets.tests.data.openml") / f"id_{number}"
    (file,) = (file for file in folder.iterdir() if file.name.startswith(start))
    return gzip.decompress(file.read_bytes())


class Server:
    """OpenML on this machine: recorded answers, with the addresses of the data turned to itself."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self.answers: dict[str, tuple[int, bytes]] = {}
        asked, answers = self.asked, self.answers

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked[self.path] += 1
                status, content = answers.get(self.path, (412, UNKNOWN))
                self.send_response(status)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *arguments: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.root = f"http://127.0.0.1:{self.http.server_port}"
        self.url = f"{self.root}/api/v1/json"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def hold(self, number: int, **changes: Any) -> None:
        """Answer for one data set as recorded, but for the address of the data and the changes."""
        document = json.loads(recorded(number, f"api-v1-jd-{number}.json"))
        about = document["data_set_description"]
        about["url"] = f"{self.root}/data/{number}.arff"
        about |= changes
        document["data_set_description"] = {key: value for key, value in about.items() if value is not None}
        self.answers[f"/api/v1/json/data/{number}"] = (200, json.dumps(document).encode())
        self.answers[f"/data/{number}.arff"] = (200, recorded(number, "data-v1-dl"))

    def close(self) -> None:
        self.http.shutdown()
        self.http.server_close()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Server]:
    server = Server()
    monkeypatch.setenv("PODIUM_OPENML", server.url)
    monkeypatch.setenv("PODIUM_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    yield server
    server.close()


# Reading


def test_iris(server: Server) -> None:
    server.hold(61)
    data = dataset("openml:61")
    assert repr(data) == "Dataset 'iris': classification, 150 observations, 4 numeric attributes, 3 classes"
    assert data.classes == ("Iris-setosa", "Iris-versicolor", "Iris-virginica")
    assert data.X.mean().round(4).to_list() == [5.8433, 3.054, 3.7587, 1.1987]  # mean values in OpenML's description
    assert data.origin == (
        "OpenML data set 61, iris, version 1; classification, because the response 'class' holds categories"
    )
    assert data.source == "OpenML data set 61, iris, version 1, https://www.openml.org/d/61"
    assert data.licence == "Public"


def test_nominal_attributes_and_missing_values(server: Server) -> None:
    server.hold(42585)
    data = dataset("openml:42585")
    assert repr(data) == (
        "Dataset 'penguins': classification, 344 observations, 10 incomplete, 4 numeric and 2 nominal attributes, 3 "
        "classes"
    )  # the collectors (Horst, Hill & Gorman 2020) have 344 birds, 11 incomplete; OpenML writes the sex of one as '_'
    assert list(data.X["sex"].cat.categories) == ["FEMALE", "MALE", "_"]
    assert data.X.isna().sum().to_dict()["sex"] == 10


def test_identifiers_are_refused_and_can_be_left_out(server: Server) -> None:
    server.hold(40945)
    assert refused(InputError, "openml:40945").startswith(
        "The column 'name' of 'Titanic' holds 1307 different texts in 1309"
    )
    text = ["name", "ticket", "cabin", "boat", "body", "home.dest"]
    data = dataset("openml:40945", drop=text)
    assert (len(data), data.nominal, data.classes) == (1309, ("sex", "embarked"), ("0", "1"))


def test_the_row_identifier_and_ignored_attributes_are_left_out(server: Server) -> None:
    server.hold(40966)
    data = dataset("openml:40966", target="DYRK1A_N")  # the recorded rows are of one class
    assert not {"MouseID", "Genotype", "Treatment", "Behavior"} & set(data.X.columns)
    assert len(data.X.columns) == 77  # 77 proteins, one of them now the response, and the class
    server.hold(62)
    zoo = dataset("openml:62", name="animals")
    assert "animal" not in zoo.X.columns
    assert zoo.name == "animals"


def test_a_regression_problem_and_another_target(server: Server) -> None:
    server.hold(561)
    data = dataset("openml:561", task="regression")
    assert (data.task, len(data), data.y.name) == ("regression", 209, "class")
    other = dataset("openml:561", target="MYCT", task="regression", drop=["vendor"])
    assert other.y.name == "MYCT"
    assert "class" in other.X.columns


def test_unsupervised(server: Server) -> None:
    server.hold(61)
    data = dataset("openml:61", task="unsupervised")
    assert (len(data.X.columns), data.classes) == (4, ())
    assert data.y.nunique() == 3
    server.hold(561)
    data = dataset("openml:561", task="unsupervised")
    assert data.y is None
    assert "class" not in data.X.columns
    server.hold(62, default_target_attribute=None)
    assert dataset("openml:62", task="unsupervised").y is None


def test_parquet_where_there_is_no_arff(server: Server, tmp_path: Path) -> None:
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0], "kind": pd.Categorical(["u", "v", "u"])})
    frame.to_parquet(tmp_path / "data.pq")
    server.hold(61, format="parquet", parquet_url=f"{server.root}/data.pq", default_target_attribute="kind")
    server.answers["/data.pq"] = (200, (tmp_path / "data.pq").read_bytes())
    data = dataset("openml:61")
    assert data.classes == ("u", "v")
    np.testing.assert_array_equal(data.X["x"], [1, 2, 3])


# The cache


def test_the_second_time_nothing_is_asked(server: Server) -> None:
    server.hold(61)
    first = dataset("openml:61")
    assert dict(server.asked) == {"/api/v1/json/data/61": 1, "/data/61.arff": 1}
    server.close()
    assert dataset("openml:61").fingerprint == first.fingerprint


def test_a_damaged_file_is_fetched_again(server: Server, tmp_path: Path) -> None:
    server.hold(61)
    first = dataset("openml:61")
    (kept,) = (tmp_path / "cache").rglob("data.arff")
    kept.write_bytes(kept.read_bytes()[:-20])
    assert dataset("openml:61").fingerprint == first.fingerprint
    assert server.asked["/data/61.arff"] == 2
    assert server.asked["/api/v1/json/data/61"] == 1


def test_no_temporary_file_is_left(server: Server, tmp_path: Path) -> None:
    server.hold(61)
    dataset("openml:61")
    files = sorted(path.name for path in (tmp_path / "cache").rglob("*") if path.is_file())
    assert files == ["data.arff", "data.arff.sha256", "description.json", "description.json.sha256"]


def test_servers_are_kept_apart(server: Server, tmp_path: Path) -> None:
    server.hold(61)
    dataset("openml:61")
    other = Server()
    other.hold(61, name="other iris")
    assert from_openml(61, Roles(), server=other.url, cache=Cache(tmp_path / "cache")).name == "other iris"
    assert dataset("openml:61").name == "iris"
    other.close()


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(tmp_path)
    cache.store("a", b"old")

    def broken(*arguments: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", broken)
    with pytest.raises(OSError, match="disk full"):
        cache.store("a", b"new")
    assert cache.holds("a")
    assert cache.path("a").read_bytes() == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "a.sha256"]


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {"PODIUM_CACHE": "/somewhere"}, "/somewhere"),
        ("linux", {"XDG_CACHE_HOME": "/xdg"}, "/xdg/podium"),
        ("linux", {"HOME": "/home/me"}, "/home/me/.cache/podium"),
        ("darwin", {"HOME": "/Users/me"}, "/Users/me/Library/Caches/podium"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/podium/cache"),
    ],
)
def test_where_the_cache_is(
    platform: str, variables: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PODIUM_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.platform", platform)
    assert default_folder() == Path(expected)


# What goes wrong


def refused(kind: type[Exception], source: Any, **arguments: Any) -> str:
    with pytest.raises(kind) as error:
        dataset(source, **arguments)
    return str(error.value)


def test_an_unknown_number(server: Server, tmp_path: Path) -> None:
    assert refused(FetchError, "openml:7777777") == (
        "OpenML has no data set 7777777. A number of a task is not the number of its data set."
    )
    assert not (tmp_path / "cache").exists()


def test_another_refusal_and_a_server_in_trouble(server: Server) -> None:
    server.answers["/api/v1/json/data/5"] = (412, b'{"error": {"code": "112", "message": "No access granted"}}')
    assert refused(FetchError, "openml:5") == "OpenML refused data set 5: No access granted (code 112)."
    server.answers["/api/v1/json/data/5"] = (503, b"<html>later</html>")
    address = f"{server.url}/data/5"
    assert refused(FetchError, "openml:5") == f"{address} answered with status 503 for OpenML data set 5."


def test_without_a_network(server: Server, tmp_path: Path) -> None:
    server.close()
    folder = tmp_path / "cache" / "openml" / f"127.0.0.1_{server.http.server_port}_api_v1_json"
    assert refused(FetchError, "openml:61") == (
        f"OpenML data set 61 is not in the cache ({folder}), and {server.url}/data/61 cannot be reached: [Errno 111] "
        "Connection refused. Connect to the network once, or set PODIUM_CACHE to a folder that holds it."
    )


def test_data_that_arrive_damaged_are_not_kept(server: Server, tmp_path: Path) -> None:
    server.hold(61)
    whole = server.answers["/data/61.arff"][1]
    server.answers["/data/61.arff"] = (200, whole[:-1])
    message = refused(FetchError, "openml:61")
    assert message.startswith("The data of OpenML data set 61 arrived damaged: their checksum is ")
    assert message.endswith(", OpenML says ad484452702105cbf3d30f8deaba39a9. Try again.")
    assert not list((tmp_path / "cache").rglob("data.arff"))
    server.answers["/data/61.arff"] = (200, whole)
    assert len(dataset("openml:61")) == 150


def test_an_answer_that_is_no_description_is_not_kept(server: Server, tmp_path: Path) -> None:
    server.answers["/api/v1/json/data/61"] = (200, b"<html>sign in</html>")
    assert refused(FetchError, "openml:61") == (
        "OpenML's answer for data set 61 is no description: b'<html>sign in</html>'."
    )
    assert not (tmp_path / "cache").exists()


def test_other_addresses_than_http_are_not_opened(server: Server, tmp_path: Path) -> None:
    server.hold(61, url=f"file://{tmp_path}/secret")
    assert refused(FetchError, "openml:61") == (
        f"The address 'file://{tmp_path}/secret' of OpenML data set 61 is neither http nor https."
    )


@pytest.mark.parametrize(
    ("number", "changes", "message"),
    [
        (
            292,
            {},
            "OpenML data set 292 is stored as sparse ARFF, which podium does not read. Fetch it with another tool and "
            "hand in a frame.",
        ),
        (61, {"format": "csv"}, "OpenML data set 61 has the format 'csv'; podium reads ARFF and Parquet."),
        (61, {"default_target_attribute": None}, "OpenML data set 61 names no default target attribute. Say target=."),
        (
            61,
            {"default_target_attribute": "a,b"},
            "OpenML data set 61 has several target attributes, a,b. Say target= one of them, and drop= the others.",
        ),
    ],
)
def test_what_cannot_be_used(server: Server, number: int, changes: dict[str, Any], message: str) -> None:
    server.hold(number, **changes)
    assert refused(InputError, f"openml:{number}") == message


# Written down


def test_a_data_set_written_down_is_read_again(server: Server) -> None:
    server.hold(561)
    spec = {"openml": 561, "target": "class", "task": "regression", "drop": ["vendor"], "name": "machines"}
    data = dataset_from_spec(spec)
    assert data.spec == spec
    assert data.name == "machines"
    server.hold(61)
    assert dataset_from_spec("openml:61").spec == {"openml": 61}
    assert dataset_from_spec({"openml": 61}).fingerprint == dataset("OpenML:61").fingerprint
