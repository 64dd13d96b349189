"""URLs of PostgreSQL databases whose password is not escaped."""

from __future__ import annotations

import pytest

from podium.errors import InputError
from podium.warehouse.address import Address


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
