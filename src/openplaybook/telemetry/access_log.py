"""The access log: one line for each RPC that was answered.

Its fields are names and numbers of our own, so in JSON they are written as they are: what other lines go through to
have secrets masked would cost more than all else that a request's line does.
"""

import logging
from datetime import UTC, datetime

from openplaybook.jsonvalues import JsonObject, dumps

_LOG = logging.getLogger("openplaybook.access")

_FIELDS = ("rpc", "code", "ms", "transport", "session", "response_id", "trace", "principal", "principal_kind", "client")


def log_rpc(
    *,
    rpc: str,
    code: str,
    seconds: float,
    transport: str,
    session: str = "",
    response_id: str = "",
    trace: str = "",
    principal: str = "",
    principal_kind: str = "",
    client: str = "",
) -> None:
    """Write the line of an RPC: full name, name of its google.rpc.Code, and what is known of the rest.

    `trace` is a W3C trace id, `principal` who called, never a key or a token, `principal_kind` how it was told, and
    `client` the address it called from.
    """
    level = logging.DEBUG if rpc.startswith("grpc.health.") else logging.INFO
    if not _LOG.isEnabledFor(level):
        return
    known = {
        "session": session,
        "response_id": response_id,
        "trace": trace,
        "principal": principal,
        "principal_kind": principal_kind,
        "client": client,
    }
    said = {name: value for name, value in known.items() if value}
    fields = {"rpc": rpc, "code": code, "ms": round(seconds * 1000, 2), "transport": transport, **said}
    _LOG.log(level, "answered", extra=fields)


class WithAccessLines(logging.Formatter):
    """Formats the lines of the access log as JSON, and leaves all others to another formatter."""

    def __init__(self, others: logging.Formatter) -> None:
        super().__init__()
        self._others = others

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        if record.name != _LOG.name:
            return self._others.format(record)
        said = vars(record)
        line: JsonObject = {
            "timestamp": f"{datetime.fromtimestamp(record.created, UTC):%Y-%m-%dT%H:%M:%S.%f}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.msg,
            **{name: said[name] for name in _FIELDS if name in said},
        }
        return dumps(line).decode()
