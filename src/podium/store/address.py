"""URLs of PostgreSQL databases, and how to show one without its password."""

from __future__ import annotations

import re
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

from podium.checks import hide_password
from podium.errors import InputError

# postgresql+psycopg:// is how SQLAlchemy writes it.
_SCHEMES = re.compile(r"\s*(postgres(?:ql)?)(?:\+\w+)?://", re.IGNORECASE)
_SECRETS = ("password", "passwd", "sslpassword", "passfile")
_KEYS = "|".join(("host", "hostaddr", "port", "dbname", "user", "service", *_SECRETS))
_KEY_VALUES = re.compile(rf"\s*(?=\w+\s*=)(?:.*[\s;])?(?:{_KEYS})\s*=", re.IGNORECASE | re.DOTALL)
HIDDEN = "***"


def is_address(where: str) -> bool:
    """Return whether a text is the URL of a PostgreSQL database.

    >>> is_address("postgresql+psycopg://user@host/db"), is_address("monks.db")
    (True, False)
    """
    return _SCHEMES.match(where) is not None


def is_key_values(where: str) -> bool:
    """Return whether a text is a connection string of the other form, which is not taken: it may hold a password.

    >>> is_key_values("sslmode=require;host=db.lab;password=secret"), is_key_values("a=1.db")
    (True, False)
    """
    return _KEY_VALUES.match(where) is not None


def without_password(where: str) -> str:
    """Return a URL without its password, for those who have the password elsewhere; other text as it is.

    >>> without_password("postgresql+psycopg://me:secret@host:5433/db?password=x&sslmode=require")
    'postgresql://me@host:5433/db?sslmode=require'
    """
    if not is_address(where):
        return hide_password(where)
    try:
        parts = urlsplit(_SCHEMES.sub("postgresql://", where))
        user, at, host = parts.netloc.rpartition("@")
        query = [(key, value) for key, value in parse_qsl(parts.query, True) if key.lower() not in _SECRETS]
    except ValueError:
        return hide_password(where)
    netloc = f"{user.partition(':')[0]}{at}{host}" if at else host
    return urlunsplit((parts.scheme, netloc, parts.path, urlencode(query), ""))


def _is_torn(parts: SplitResult, user: str) -> bool:
    """Return whether a character of the user or password was taken for the end of that part of the URL."""
    ports = [host.rpartition("]")[2].partition(":")[2] for host in parts.netloc.rpartition("@")[2].split(",")]
    outside = "@" in parts.query and not all(port.isdigit() or not port for port in ports)
    return "@" in user or "@" in parts.path or bool(parts.fragment) or outside


class Address:
    """The URL of a PostgreSQL database, with its password in one place only.

    Attributes
    ----------
    connection : str
        What the driver is given. A password that is not in it is read by the driver from ``PGPASSWORD`` or from the
        password file (``PGPASSFILE``, by default ``~/.pgpass``).
    name : str
        Host, port and database, for messages.
    """

    def __init__(self, where: str) -> None:
        self.connection = _SCHEMES.sub("postgresql://", where)
        try:
            parts = urlsplit(self.connection)
            query = dict(parse_qsl(parts.query, keep_blank_values=True))
            user, _, host = parts.netloc.rpartition("@")
        except ValueError as error:
            raise InputError(f"{hide_password(where)!r} is not the URL of a PostgreSQL database.") from error
        if _is_torn(parts, user):  # the URL is not shown: it is unclear where its password ends
            raise InputError(
                "The URL of the PostgreSQL database has @, /, ? or # inside its user or password. Write %40, %2F, "
                "%3F or %23 instead, or leave the password out and set PGPASSWORD."
            )
        host = host or query.get("host", "") + (f":{query['port']}" if "port" in query else "")
        self.name = f"{host}/{(parts.path.lstrip('/') or query.get('dbname', ''))}".lstrip("/") or "postgresql"
        secrets = [user.partition(":")[2], *(query.get(key, "") for key in _SECRETS if key != "passfile")]
        self._secrets = sorted(
            {
                form
                for secret in secrets
                if secret
                for form in (secret, unquote(secret), quote(secret), quote(unquote(secret)))
            },
            key=len,
            reverse=True,
        )

    def scrubbed(self, text: str) -> str:
        """Return a message of the driver on one line, without the password."""
        text = " ".join(text.split())
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        return hide_password(text)

    def __repr__(self) -> str:
        return f"Address({self.name!r})"
