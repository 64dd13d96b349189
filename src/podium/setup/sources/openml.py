"""OpenML: data sets by their number, fetched once and kept.

The description comes from the JSON interface (``/data/61``), the data as ARFF, or as Parquet where a data set has no
ARFF file. Both are kept in the cache; the second time no network is needed.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import re
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pandas as pd

from podium.errors import FetchError, InputError
from podium.setup.dataset import Dataset
from podium.setup.sources.arff import read_arff
from podium.setup.sources.cache import Cache, default_folder
from podium.setup.sources.frame import Roles, from_frame
from podium.setup.sources.tables import read_parquet

SERVER = "https://www.openml.org/api/v1/json"
SECONDS = 60.0


def from_openml(
    number: int, roles: Roles, *, name: str | None = None, server: str | None = None, cache: Cache | None = None
) -> Dataset:
    """Fetch a data set by its number.

    Parameters
    ----------
    number : int
        The number of the data set (not of a task): 61 is iris.
    roles : Roles
        What differs from OpenML's own account: the response (default: its default target attribute), attributes
        left out (besides row identifiers and those it says to ignore), nominal ones, the task.
    name : str, optional
        Another name than OpenML's.
    server : str, optional
        Address of the JSON interface; default ``PODIUM_OPENML``, or else www.openml.org.
    cache : Cache, optional
        Where to keep the files; default ``PODIUM_CACHE``, or else podium's folder in the user's cache.
    """
    server = (server or os.environ.get("PODIUM_OPENML") or SERVER).rstrip("/")
    store = _store(server, cache)
    description = _description(number, server, store)
    frame = _rows(number, description, store)
    target = roles.target or _target(description, number, needed=roles.task != "unsupervised")
    drop = [*roles.drop, *(c for c in _left_out(description) if c in frame.columns and c not in roles.drop)]
    if roles.target is None and roles.task == "unsupervised" and target in frame.select_dtypes("number"):
        target, drop = None, [*drop, str(target)]  # a quantity is no known grouping
    told = replace(roles, target=target, drop=drop)
    title = f"OpenML data set {number}, {description.get('name')}, version {description.get('version')}"
    spec = {"openml": number, **roles.as_spec(), **({} if name is None else {"name": name})}
    data = from_frame(frame, told, name=name or str(description.get("name") or number), origin=title, spec=spec)
    licence = str(description.get("licence") or "")
    return replace(data, source=f"{title}, https://www.openml.org/d/{number}", licence=licence)


def _store(server: str, cache: Cache | None) -> Cache:
    """Keep the files of each server apart."""
    host = re.sub(r"[^A-Za-z0-9.-]+", "_", server.partition("://")[2])
    return Cache((default_folder() if cache is None else cache.folder) / "openml" / host)


def _description(number: int, server: str, store: Cache) -> Mapping[str, Any]:
    file = f"{number}/description.json"
    if not store.holds(file):
        content = _fetch(f"{server}/data/{number}", number, store)
        _described(content, number)  # nothing is kept that cannot be read
        store.store(file, content)
    return _described(store.path(file).read_bytes(), number)


def _described(content: bytes, number: int) -> Mapping[str, Any]:
    try:
        described = json.loads(content)["data_set_description"]
    except (ValueError, KeyError, TypeError):
        raise FetchError(f"OpenML's answer for data set {number} is no description: {content[:60]!r}.") from None
    if not isinstance(described, Mapping):
        raise FetchError(f"OpenML's answer for data set {number} is no description: {content[:60]!r}.")
    return described


def _rows(number: int, description: Mapping[str, Any], store: Cache) -> pd.DataFrame:
    kind = str(description.get("format") or "ARFF").lower()
    if kind == "sparse_arff":
        raise InputError(
            f"OpenML data set {number} is stored as sparse ARFF, which podium does not read. "
            "Fetch it with another tool and hand in a frame."
        )
    if kind == "arff" and description.get("url"):
        file, address = f"{number}/data.arff", str(description["url"])
    elif description.get("parquet_url"):
        file, address = f"{number}/data.parquet", str(description["parquet_url"])
    else:
        raise InputError(f"OpenML data set {number} has the format {kind!r}; podium reads ARFF and Parquet.")
    if not store.holds(file):
        content = _fetch(address, number, store)
        expected = str(description.get("md5_checksum") or "")
        found = hashlib.md5(content, usedforsecurity=False).hexdigest()
        if file.endswith(".arff") and expected and found != expected:
            raise FetchError(
                f"The data of OpenML data set {number} arrived damaged: their checksum is {found}, OpenML says "
                f"{expected}. Try again."
            )
        store.store(file, content)
    return read_arff(store.path(file)).frame if file.endswith(".arff") else read_parquet(store.path(file))


def _target(description: Mapping[str, Any], number: int, *, needed: bool) -> str | None:
    target = description.get("default_target_attribute")
    if not target:
        if not needed:
            return None
        raise InputError(f"OpenML data set {number} names no default target attribute. Say target=.")
    if "," in str(target):
        raise InputError(
            f"OpenML data set {number} has several target attributes, {target}. Say target= one of them, and drop= the "
            "others."
        )
    return str(target)


def _left_out(description: Mapping[str, Any]) -> list[str]:
    """Return the row identifier and the attributes to be ignored; each may be absent, one name, or a list."""
    names: list[str] = []
    for key in ("row_id_attribute", "ignore_attribute"):
        entry = description.get(key) or []
        names += entry.split(",") if isinstance(entry, str) else list(entry)
    return [name.strip() for name in names]


def _fetch(address: str, number: int, store: Cache) -> bytes:
    if not address.startswith(("http://", "https://")):
        raise FetchError(f"The address {address!r} of OpenML data set {number} is neither http nor https.")
    request = urllib.request.Request(address, headers={"User-Agent": "podium", "Accept": "*/*"})
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            content: bytes = answer.read()
            return content
    except urllib.error.HTTPError as error:
        raise FetchError(_refused(error, address, number)) from None
    except (OSError, http.client.HTTPException) as error:  # URLError and timeouts are OSErrors
        reason = getattr(error, "reason", None) or error
        raise FetchError(
            f"OpenML data set {number} is not in the cache ({store.folder}), and {address} cannot be reached: "
            f"{reason}. Connect to the network once, or set PODIUM_CACHE to a folder that holds it."
        ) from None


def _refused(error: urllib.error.HTTPError, address: str, number: int) -> str:
    """Say what the server said; OpenML answers 412 with a code and a message, 111 being an unknown data set."""
    try:
        told = json.loads(error.read())["error"]
        code, message = str(told["code"]), str(told["message"])
    except (ValueError, KeyError, TypeError):
        return f"{address} answered with status {error.code} for OpenML data set {number}."
    if code == "111":
        return f"OpenML has no data set {number}. A number of a task is not the number of its data set."
    return f"OpenML refused data set {number}: {message} (code {code})."
