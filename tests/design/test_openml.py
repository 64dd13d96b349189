"""OpenML through scikit-learn, against recorded answers of its server, served on this machine.

The answers come with scikit-learn, which recorded them for its own tests; long data are cut off there, and their
checksums adapted. Requests to OpenML are sent to a server on the loopback interface instead.
"""

from __future__ import annotations

import gzip
import http.client
import json
import threading
import urllib.request
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from podium.design.dataset import Dataset
from podium.design.sources.spec import dataset_from_spec
from podium.errors import FetchError, InputError

UNKNOWN = b'{"error": {"code": "111", "message": "Unknown dataset", "additional_information": ""}}'
API = "/api/v1/json/data"


def recorded(number: int, start: str) -> bytes:
    folder = resources.files("sklearn.datasets.tests.data.openml") / f"id_{number}"
    (file,) = (file for file in folder.iterdir() if file.name.startswith(start))
    return gzip.decompress(file.read_bytes())


class Server:
    """OpenML on this machine: recorded answers."""

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
        # How often it looks whether it is to stop: that is how long a test waits for it at its end.
        threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True).start()

    def hold(self, number: int, **changes: Any) -> str:
        """Answer for one data set as recorded, but for the changes; return the path of its data."""
        document = json.loads(recorded(number, f"api-v1-jd-{number}.json"))
        document["data_set_description"] |= changes
        about = {key: value for key, value in document["data_set_description"].items() if value is not None}
        self.answers[f"{API}/{number}"] = (200, json.dumps({"data_set_description": about}).encode())
        self.answers[f"{API}/features/{number}"] = (200, recorded(number, f"api-v1-jdf-{number}.json"))
        if about["format"] != "Sparse_ARFF":  # scikit-learn does not ask for it
            self.answers[f"{API}/qualities/{number}"] = (200, recorded(number, f"api-v1-jdq-{number}.json"))
        path = urllib.request.urlparse(about["url"]).path  # type: ignore[attr-defined]
        for address in (path, f"/data/v1/download/{about['file_id']}"):  # older versions of scikit-learn: by number
            self.answers[address] = (200, recorded(number, "data-v1-dl"))
        return str(path)

    def close(self) -> None:
        self.http.shutdown()
        self.http.server_close()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Server]:
    server = Server()

    class ToThisMachine(urllib.request.HTTPSHandler):
        def https_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
            assert request.full_url.startswith(("https://www.openml.org/", "https://api.openml.org/"))
            request.host = f"127.0.0.1:{server.http.server_port}"
            return self.do_open(http.client.HTTPConnection, request)  # type: ignore[arg-type]

    monkeypatch.setattr(urllib.request, "_opener", urllib.request.build_opener(ToThisMachine()))
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path / "cache"))
    yield server
    server.close()


# Reading


def test_iris(server: Server) -> None:
    server.hold(61)
    data = Dataset.named("openml:61")
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
    data = Dataset.named("openml:42585")
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
    data = Dataset.named("openml:40945", drop=text)
    assert (len(data), data.nominal, data.classes) == (1309, ("sex", "embarked"), ("0", "1"))


def test_the_row_identifier_and_ignored_attributes_are_left_out(server: Server) -> None:
    server.hold(40966)
    data = Dataset.named("openml:40966", target="DYRK1A_N")  # the recorded rows are of one class
    assert not {"MouseID", "Genotype", "Treatment", "Behavior"} & set(data.X.columns)
    assert len(data.X.columns) == 77  # 77 proteins, one of them now the response, and the class
    server.hold(62)
    zoo = Dataset.named("openml:62").renamed("animals")
    assert "animal" not in zoo.X.columns
    assert zoo.name == "animals"


def test_a_regression_problem_and_another_target(server: Server) -> None:
    server.hold(561)
    data = Dataset.named("openml:561", task="regression")
    assert (data.task, len(data), data.y.name) == ("regression", 209, "class")
    other = Dataset.named("openml:561", target="MYCT", task="regression", drop=["vendor"])
    assert other.y.name == "MYCT"
    assert "class" in other.X.columns


def test_unsupervised(server: Server) -> None:
    server.hold(61)
    data = Dataset.named("openml:61", task="unsupervised")
    assert (len(data.X.columns), data.classes) == (4, ())
    assert data.y.nunique() == 3
    server.hold(561)
    data = Dataset.named("openml:561", task="unsupervised")
    assert data.y is None
    assert "class" not in data.X.columns
    server.hold(62, default_target_attribute=None)
    assert Dataset.named("openml:62", task="unsupervised").y is None


# The cache


def test_the_second_time_no_request_is_made(server: Server) -> None:
    path = server.hold(61)
    first = Dataset.named("openml:61")
    assert server.asked[path] == server.asked[f"{API}/61"] == 1
    server.close()
    assert Dataset.named("openml:61").fingerprint == first.fingerprint


# What goes wrong


def refused(kind: type[Exception], source: Any, **arguments: Any) -> str:
    with pytest.raises(kind) as error:
        Dataset.named(source, **arguments)
    return str(error.value)


def test_an_unknown_number(server: Server) -> None:
    assert refused(FetchError, "openml:7777777") == (
        "OpenML has no data set 7777777 for download. The number of a task is not the number of its data set."
    )


@pytest.mark.filterwarnings("ignore:A network error occurred")
def test_without_a_network(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda seconds: None)  # scikit-learn waits between its attempts
    server.close()
    assert refused(FetchError, "openml:61").startswith(
        f"OpenML data set 61 is not in the cache ({tmp_path / 'cache'}), and OpenML cannot be reached: "
    )


@pytest.mark.filterwarnings("ignore:Invalid cache")
def test_data_that_arrive_damaged_are_refused_and_fetched_again(server: Server) -> None:
    path = server.hold(61)
    whole = server.answers[path]
    server.answers[path] = (200, whole[1][:-1])
    assert refused(FetchError, "openml:61").startswith("The download of OpenML data set 61 failed: The md5 checksum")
    server.answers[path] = whole
    assert len(Dataset.named("openml:61")) == 150


@pytest.mark.filterwarnings("ignore:Invalid cache")
def test_an_answer_that_is_not_a_description_is_refused(server: Server) -> None:
    server.answers[f"{API}/61"] = (200, b"<html>sign in</html>")
    assert refused(FetchError, "openml:61").startswith("The download of OpenML data set 61 failed: Expecting value")


@pytest.mark.parametrize(
    ("number", "changes", "words"),
    [
        (292, {}, "is sparse, and a data set must be dense"),
        (61, {"default_target_attribute": None}, "has no default target attribute"),
        (61, {"default_target_attribute": "a,b"}, "has several target attributes, a,b"),
    ],
)
@pytest.mark.filterwarnings("ignore:Multiple active versions", "ignore:Version 1 of dataset", "ignore:OpenML")
def test_what_cannot_be_used(server: Server, number: int, changes: dict[str, Any], words: str) -> None:
    server.hold(number, **changes)
    assert words in refused(InputError, f"openml:{number}")


# Written down


def test_a_data_set_written_down_is_read_again(server: Server) -> None:
    server.hold(561)
    spec = {"openml": 561, "target": "class", "task": "regression", "drop": ["vendor"], "name": "machines"}
    data = dataset_from_spec(spec)
    assert data.spec == spec
    assert data.name == "machines"
    server.hold(61)
    assert dataset_from_spec("openml:61").spec == {"openml": 61}
    assert dataset_from_spec({"openml": 61}).fingerprint == Dataset.named("OpenML:61").fingerprint
