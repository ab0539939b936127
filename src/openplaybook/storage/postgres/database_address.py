"""Where the database is: the URL that an operator gives, checked, completed and nameable without its password."""

from dataclasses import dataclass, field
from urllib.parse import quote

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from openplaybook.storage.errors import StoreUnusable

_DEFAULTS: dict[str, str] = {
    "application_name": "openplaybook",
    "connect_timeout": "5",
    # With several hosts, the one that takes writes; after a failover that is another one.
    "target_session_attrs": "read-write",
    # A peer that vanished without a word is noticed within some ten seconds rather than hours.
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
    "client_encoding": "utf8",
}
"""Parameters of libpq that hold where the URL does not say otherwise."""

_HOW = "write postgresql://USER:PASSWORD@HOST:PORT/DATABASE, with %40 for @, %2F for / and %3A for : in the password"


@dataclass(frozen=True, slots=True)
class DatabaseAddress:
    """A database, and how to connect to it."""

    conninfo: str = field(repr=False)
    """For libpq; may hold a password."""
    place: str
    """For people: no password in it."""


def read_address(url: str) -> DatabaseAddress:
    """What a URL says; the variables of libpq (PGPASSWORD, PGSSLMODE, …) and `~/.pgpass` fill in what it does not.

    Raises `StoreUnusable` without a word of the URL: what is wrong there may be a piece of the password.
    """
    if not url.startswith(("postgresql://", "postgres://")):
        raise StoreUnusable(f"the database URL does not begin with postgresql://; {_HOW}")
    try:
        parameters = {name: str(value) for name, value in conninfo_to_dict(url).items()}
    except ProgrammingError:
        raise StoreUnusable(f"the database URL cannot be read; {_HOW}") from None
    # A password with one of these in it cuts the URL elsewhere than its writer meant.
    if "@" in parameters.get("host", "") or not parameters.get("port", "0").replace(",", "0").isdecimal():
        raise StoreUnusable(f"the database URL names no host and port that could be; {_HOW}")
    return DatabaseAddress(make_conninfo("", **{**_DEFAULTS, **parameters}), _place(parameters))


def _place(parameters: dict[str, str]) -> str:
    host, port = parameters.get("host") or parameters.get("hostaddr", ""), parameters.get("port", "")
    name = parameters.get("dbname", "")
    return f"postgresql://{quote(host, safe=',:[]')}{':' if port else ''}{port}/{quote(name)}"
