"""OpenML: data sets by number.

scikit-learn fetches a data set, verifies its checksum and caches it. podium then reads the cached ARFF file itself,
because it declares the levels of nominal attributes and their order, which scikit-learn does not return.
"""

from __future__ import annotations

import socket
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any
from urllib.parse import urlparse

from podium.design.sources.arff import read_arff
from podium.design.sources.frame import Roles
from podium.errors import FetchError, InputError

OPENML = "openml:"
MAX_DOWNLOAD_BYTES = 2_000_000_000  # of all downloads for one data set
SECONDS = 900  # for all of them
SECONDS_WITHOUT_DATA = 60
_CHUNK = 1 << 20
_ONE_AT_A_TIME = Lock()  # the opener and the timeout belong to the whole process


def from_openml(number: int, roles: Roles, *, name: str | None = None) -> dict[str, Any]:
    """Fetch a data set by its number, or take it from scikit-learn's cache; return the arguments of `Dataset`.

    Parameters
    ----------
    number : int
        The number of the data set (not of a task): 61 is iris.
    roles : Roles
        What differs from OpenML's description: the response (default: its default target attribute), columns to be left
        out (besides row identifiers and the attributes it ignores), nominal attributes, the task.
    name : str, optional
        A name other than OpenML's.

    Notes
    -----
    The cache is in the folder of ``sklearn.datasets.get_data_home``; the environment variable ``SCIKIT_LEARN_DATA``
    moves it. scikit-learn checks the checksum of every download.
    """
    bunch = _fetch(number)
    details: Mapping[str, Any] = bunch.details
    if bunch.frame is None:
        raise InputError(
            f"OpenML data set {number} is sparse, and a data set must be dense. Fetch it with "
            "sklearn.datasets.fetch_openml and pass a dense frame."
        )
    frame = read_arff(_cached_file(details)).frame[list(bunch.frame.columns)]
    target = roles.target or _target(details, number, needed=roles.task != "unsupervised")
    drop = list(roles.drop)
    if roles.target is None and roles.task == "unsupervised" and target in frame.select_dtypes("number"):
        target, drop = None, [*drop, str(target)]  # a quantity is not a known grouping
    title = f"OpenML data set {number}, {details['name']}, version {details['version']}"
    return {
        "X": frame,
        **vars(replace(roles, target=target, drop=drop)),
        "name": name or str(details["name"]),
        "origin": title,
        "spec": {"openml": number, **roles.as_spec(), **({} if name is None else {"name": name})},
        "source": f"{title}, https://www.openml.org/d/{number}",
        "licence": str(details.get("licence") or ""),
    }


def openml_number(text: str) -> int:
    """Read the number in ``openml:61``."""
    number = text[len(OPENML) :].strip()
    if not number.isascii() or not number.isdigit():
        raise InputError(f"'openml:' must be followed by the number of a data set, as in openml:61; got {text!r}.")
    return int(number)


def _fetch(number: int) -> Any:
    from sklearn.datasets import fetch_openml, get_data_home

    try:
        with limited_downloads() as refusals:
            # With pandas 3, the other parser fails on nominal values that look like numbers or booleans.
            return fetch_openml(data_id=number, target_column=None, parser="liac-arff")
    except FetchError:
        raise
    except OSError as error:  # URLError, HTTPError and timeouts are OSErrors
        raise FetchError(
            f"OpenML data set {number} is not in the cache ({get_data_home()}), and OpenML cannot be reached: {error}. "
            "Connect to the network once, or set SCIKIT_LEARN_DATA to a folder that holds it."
        ) from error
    except (ValueError, KeyError, TypeError) as error:
        if refusals:
            raise FetchError(
                f"OpenML has no data set {number} for download. The number of a task is not the number of its data set."
            ) from None
        raise FetchError(f"The download of OpenML data set {number} failed: {error}. Try again later.") from error


@contextmanager
def limited_downloads() -> Iterator[list[str]]:
    """Limit the size and the time of all downloads through `urllib`, as scikit-learn makes them, inside the context.

    The context is a list, which gets the addresses that OpenML refuses.
    """
    refusals: list[str] = []
    earlier: Any = getattr(urllib.request, "_opener", None)  # None: the default one
    timeout = socket.getdefaulttimeout()
    current: Any = urllib.request.build_opener() if earlier is None else earlier
    with _ONE_AT_A_TIME:
        opener = urllib.request.OpenerDirector()
        for handler in current.handlers:
            opener.add_handler(copy(handler))
        opener.add_handler(_Downloads(refusals))
        urllib.request.install_opener(opener)
        socket.setdefaulttimeout(SECONDS_WITHOUT_DATA)
        try:
            yield refusals
        finally:
            urllib.request.install_opener(earlier)
            socket.setdefaulttimeout(timeout)


class _Downloads(urllib.request.BaseHandler):
    """Ends a download that is too large or too slow, and notes what OpenML refuses."""

    def __init__(self, refusals: list[str]) -> None:
        self._refusals = refusals
        self._end = monotonic() + SECONDS
        self._left = MAX_DOWNLOAD_BYTES

    def http_response(self, request: Any, response: Any) -> Any:
        """Count what is read of a response."""
        read = response.read

        def limited(amount: int | None = None) -> bytes:
            if amount is None or amount < 0:
                return b"".join(iter(lambda: limited(_CHUNK), b""))
            data: bytes = read(min(amount, _CHUNK))
            self._left -= len(data)
            if self._left < 0:
                raise FetchError(f"The download is larger than {MAX_DOWNLOAD_BYTES / 1e9:g} GB; it was stopped.")
            if monotonic() > self._end:
                raise FetchError(f"The download takes longer than {SECONDS} seconds; it was stopped.")
            return data

        response.read = limited
        return response

    https_response = http_response

    def http_error_412(self, request: Any, *response: Any) -> None:
        """Note the address: with this code OpenML answers that it has no such data set."""
        self._refusals.append(request.full_url)


def _cached_file(details: Mapping[str, Any]) -> Path:
    """Find the ARFF file in scikit-learn's cache, under the path of its address."""
    from sklearn.datasets import get_data_home

    folder = Path(get_data_home()) / "openml" / "openml.org"
    file = folder / f"{urlparse(str(details['url'])).path.lstrip('/')}.gz"
    if not file.is_file():
        raise FetchError(f"The data of OpenML data set {details['id']} are not in the cache of scikit-learn, {folder}.")
    return file


def _target(details: Mapping[str, Any], number: int, *, needed: bool) -> str | None:
    target = details.get("default_target_attribute")
    if not target:
        if not needed:
            return None
        raise InputError(f"OpenML data set {number} has no default target attribute. Name the response with `target`.")
    if "," in str(target):
        raise InputError(
            f"OpenML data set {number} has several target attributes, {target}. Name one of them with `target`, and "
            "leave the others out with `drop`."
        )
    return str(target)
