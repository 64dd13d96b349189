"""URLs of PostgreSQL databases whose password is not escaped."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

import podium
from podium.errors import InputError
from podium.store.address import Address
from podium.store.location import is_warehouse


@pytest.mark.parametrize(
    "where",
    [
        "postgresql://me:sec@ret@host/db",
        "postgresql://me:sec/ret@host/db",
        "postgresql://me:sec?ret@host/db",
        "postgresql://me:sec#ret@host/db",
        "postgres+psycopg://me:se/c@ret@host:5432/db?sslmode=require",
    ],
)
def test_an_unescaped_password_is_refused_and_not_shown(where: str) -> None:
    with pytest.raises(InputError, match="Write %40") as caught:
        Address(where)
    assert "sec" not in str(caught.value) and "ret" not in str(caught.value)


@pytest.mark.parametrize(
    ("where", "name"),
    [
        ("postgresql://me:sec%40%2Fret@host:5432/db", "host:5432/db"),
        ("postgresql://one:5432,two:5433/db?user=me@server", "one:5432,two:5433/db"),
        ("postgresql://me@[::1]:5432/db", "[::1]:5432/db"),
        ("postgresql:///db?host=/run/postgresql&user=me@server", "/run/postgresql/db"),
    ],
)
def test_other_addresses_are_taken(where: str, name: str) -> None:
    assert Address(where).name == name.lstrip("/")


@pytest.mark.parametrize(
    "where",
    [
        "host=db.lab dbname='my runs' user=me password=geheim",
        "user = me@lab password = 'geh eim' host=db.lab",
        "sslmode=require host=db.lab password=geheim",
        "Host=db.lab;Password=geheim",
    ],
)
def test_a_connection_string_of_keys_is_refused(where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would become the name of a file, with the password in it."""
    monkeypatch.chdir(tmp_path)
    experiment = podium.Experiment("iris", ["constant"], podium.Bootstrap(1), "accuracy")
    for refused in (podium.Warehouse, partial(podium.run, experiment), partial(podium.preview, experiment)):
        with pytest.raises(InputError, match="Write postgresql://user@host:port/database") as caught:
            refused(where)
        assert "geh" not in str(caught.value)
    with pytest.raises(InputError) as caught:
        podium.read(where)
    assert "geh" not in str(caught.value)
    assert is_warehouse(where)  # so a command opens it as one
    assert not list(tmp_path.iterdir())
