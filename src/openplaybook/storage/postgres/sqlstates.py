"""PostgreSQL's failures: which may pass, and the others in words that say what to do."""

from psycopg import Error, InterfaceError, OperationalError

from openplaybook.storage.errors import StoreFault, StoreUnusable


class NotConnected(OperationalError):
    """There was no connection to be had."""


_REASONS = {
    "25006": "it accepts no writes; connect to the primary server",
    "28": "the user or password is refused; check the URL, PGPASSWORD or ~/.pgpass, and pg_hba.conf",
    "3D000": "the database does not exist; create it (createdb)",
    "42501": "a right is missing; let the user create the schema openplaybook (GRANT CREATE ON DATABASE … TO …), "
    "or make it for the user (CREATE SCHEMA openplaybook AUTHORIZATION …)",
    "40": "transactions kept conflicting; try again",
    "53100": "its disk is full; free some space there",
    "53200": "it is out of memory",
    "53300": "it accepts no more connections; raise max_connections or lower --database-connections",
    "55P03": "a lock was not available in time; try again",
    "57014": "it cancelled the statement; see statement_timeout",
    "58": "its system failed; see its log",
    "XX": "its data are damaged; see its log, and restore a backup",
}
"""By SQLSTATE, or by its first two characters (postgresql.org/docs/current/errcodes-appendix.html)."""

_FAULTS = {
    "25006": StoreFault.READ_ONLY,
    "53100": StoreFault.FULL,
    "55P03": StoreFault.BUSY,
    "57014": StoreFault.SLOW,
    "58": StoreFault.FAILING,
    "XX": StoreFault.DAMAGED,
}
"""What callers are told, by the same codes; for all others that the server's log has it."""

_LOST = {"25006", "53300", "57P01", "57P02", "57P03", "57P05"}
"""Shut down, not up yet, or a standby by now: another connection may do better."""

_PASSING = {"40001", "40P01"}
"""Serialization failure and deadlock: nothing was done, and it may be tried again."""

_CONNECTING = {
    "password authentication failed": _REASONS["28"],
    "no password supplied": _REASONS["28"],
    "no pg_hba.conf entry": _REASONS["28"],
    "too many clients": _REASONS["53300"],
    "session is read-only": _REASONS["25006"],
}
"""By libpq's words: it has no code for what happens before there is a connection."""


def lost(error: Error) -> bool:
    """Whether the connection went, so that nobody knows whether the statement was carried out."""
    if error.sqlstate is None:
        return isinstance(error, OperationalError | InterfaceError)
    return error.sqlstate in _LOST or error.sqlstate.startswith("08")


def sent_nothing(error: Error) -> bool:
    """Whether certainly nothing was carried out."""
    return isinstance(error, NotConnected) or error.sqlstate in _PASSING


def may_pass(error: Error) -> bool:
    """Whether trying again is worth it."""
    return lost(error) or sent_nothing(error)


def translate(error: Error, place: str) -> Exception:
    """`StoreUnusable` for what the machine did; any other error (a fault of ours) comes back as it is."""
    state = error.sqlstate
    if state is None:
        return StoreUnusable(f"{place}: {_without_connection(error)}", StoreFault.UNREACHABLE) if lost(error) else error
    reason = _REASONS.get(state) or _REASONS.get(state[:2])
    if reason is None:
        if not may_pass(error):
            return error
        return StoreUnusable(f"{place}: the connection was lost ({_said(error)})", StoreFault.UNREACHABLE)
    fault = (
        _FAULTS.get(state) or _FAULTS.get(state[:2]) or (StoreFault.UNREACHABLE if lost(error) else StoreFault.UNUSABLE)
    )
    return StoreUnusable(f"{place}: {reason} (PostgreSQL: {_said(error)})", fault)


def _without_connection(error: Error) -> str:
    text = _said(error)
    reason = next((reason for words, reason in _CONNECTING.items() if words in text), None)
    if reason is None and "database" in text and "does not exist" in text:
        reason = _REASONS["3D000"]
    return f"{reason or 'cannot be reached; is it running there?'} ({text})"


def _said(error: Error) -> str:
    """Its own words, on one line."""
    return " ".join(str(error).split())
