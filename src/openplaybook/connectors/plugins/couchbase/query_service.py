"""The query service of one Couchbase server (https://docs.couchbase.com/server/current/n1ql/n1ql-rest-api/index.html):
statements of SQL++, their parameters, transactions of those that write, what its errors mean.
"""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from contextlib import suppress

from openplaybook.connectors.base import SystemCall
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import (
    AuthenticationRefused,
    ConnectorError,
    EntityConflict,
    InvalidValue,
    PermissionRefused,
    SystemFault,
    SystemUnavailable,
    WriteInDoubt,
    WriteRefused,
)
from openplaybook.connectors.plugins.exchange import Asked, unanswered
from openplaybook.connectors.plugins.http_desk import HttpAsked, HttpDesk, json_body
from openplaybook.connectors.plugins.parameter_tests import Parameters
from openplaybook.connectors.settings import ConnectionSettings, UserPassword
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

_FAILURES: Mapping[int, type[ConnectorError]] = {
    10_000: AuthenticationRefused,
    13_014: PermissionRefused,
    12_009: EntityConflict,
    17_012: EntityConflict,
}
"""By the code of the query service."""
_READ_ONLY = 1_000
_TIMEOUT = 1_080


class BasicLogin:
    """A user and a password in each request."""

    def __init__(self, login: UserPassword) -> None:
        self._login = login
        self._pair = b64encode(f"{login.user}:{login.password}".encode()).decode("ascii")

    async def authorization(self, timeout_s: float) -> str:
        """Value of the `Authorization` header."""
        del timeout_s
        return f"Basic {self._pair}"

    def refused(self, authorization: str) -> bool:
        """There is no other."""
        del authorization
        return False

    def secrets(self) -> Sequence[str]:
        """The password."""
        return (self._login.password,)


class QueryService:
    """Runs statements in one scope."""

    def __init__(
        self, settings: ConnectionSettings, access: SystemAccess, login: UserPassword, url: str, context: str
    ) -> None:
        """`context` is the scope's path. Raises `InvalidConnection`."""
        self._desk = HttpDesk(settings, access, BasicLogin(login), _words, _refusal)
        self._url = url
        self._context = context
        self._cap = settings.write_cap
        self._durability = settings.text("durability")

    async def rows(
        self,
        text: str,
        parameters: Parameters,
        call: SystemCall,
        *,
        is_write: bool = False,
        is_description: bool = False,
    ) -> list[JsonValue]:
        """What a statement of ours gives. Unless it writes, the service itself refuses what would."""
        named = {f"${name}": value for name, value in parameters.items()}
        reply = await self._sent(
            text, {"readonly": not is_write, **named}, call, is_write=is_write, is_description=is_description
        )
        return as_list(reply.get("results"))

    async def read(self, text: str, values: Sequence[JsonValue], call: SystemCall) -> list[JsonValue]:
        """What a query of somebody else gives. Raises `WriteRefused` for one that would write."""
        return as_list((await self._sent(text, {"readonly": True, **_positional(values)}, call)).get("results"))

    async def changed(self, text: str, values: Sequence[JsonValue], call: SystemCall) -> tuple[list[JsonValue], int]:
        """What a statement of somebody else gives, and how many documents it changes, in a transaction: it is undone
        where these are more than the connection's cap. Raises `WriteRefused`."""
        begin: JsonObject = {"readonly": False, "txtimeout": _duration(call)}
        if self._durability:
            begin["durability_level"] = self._durability
        found = as_object(next(iter(as_list((await self._sent("BEGIN WORK", begin, call)).get("results"))), None))
        held: JsonObject = {"readonly": False, "txid": str(found.get("txid") or "")}
        try:
            reply = await self._sent(text, {**held, **_positional(values)}, call, is_write=True)
            count = int(as_object(reply.get("metrics")).get("mutationCount") or 0)
            if count > self._cap:
                raise WriteRefused(
                    f"the query changes {count} documents, and a write may change at most {self._cap}; nothing was "
                    "changed"
                )
        except ConnectorError as error:
            # One that is not ended ends by itself, undone.
            with suppress(ConnectorError):
                await self._sent("ROLLBACK WORK", held, call)
            if isinstance(error, WriteInDoubt):
                raise SystemUnavailable(
                    f"the transaction was not committed, so nothing was changed: {error}"
                ) from error
            raise
        await self._sent("COMMIT WORK", held, call, is_write=True)
        return as_list(reply.get("results")), count

    async def _sent(
        self, text: str, more: JsonObject, call: SystemCall, *, is_write: bool = False, is_description: bool = False
    ) -> JsonObject:
        body: JsonObject = {
            "statement": text,
            "query_context": self._context,
            "scan_consistency": "request_plus",
            "timeout": _duration(call),
            **more,
        }
        asked = HttpAsked("POST", self._url, (), json_body(body), is_write=is_write, is_description=is_description)
        reply = as_object(await self._desk.json(asked, call))
        failed = _failure(reply, Asked("POST", "", is_write=is_write))
        if failed is not None:
            raise failed
        return reply


def _duration(call: SystemCall) -> str:
    return f"{max(1, int(call.timeout_s * 1_000))}ms"


def _positional(values: Sequence[JsonValue]) -> JsonObject:
    return {"args": list(values)} if values else {}


def _words(reply: JsonValue) -> str:
    """What an error of the query service says."""
    errors = as_list(as_object(reply).get("errors"))
    return str(as_object(errors[0]).get("msg") or "") if errors else ""


def _refusal(reply: JsonValue, said: str) -> ConnectorError | None:
    """The error that a reply's code is, whatever its status."""
    first = as_object(next(iter(as_list(as_object(reply).get("errors"))), None))
    code = first.get("code")
    if code == _READ_ONLY:
        return WriteRefused(f"this connection only reads; the system says: {said}")
    return _FAILURES[code](f"the system says: {said}") if isinstance(code, int) and code in _FAILURES else None


def _failure(reply: JsonObject, asked: Asked) -> ConnectorError | None:
    """Of a reply with status 200, which may be one all the same."""
    errors = as_list(reply.get("errors"))
    if not errors and reply.get("status") in ("success", "completed"):
        return None
    said = " ".join(_words(reply).split())[:400]
    if errors and as_object(errors[0]).get("code") == _TIMEOUT:
        return unanswered(asked, said)
    known = _refusal(reply, said)
    if known is not None:
        return known
    return InvalidValue("", said) if said else SystemFault(f"the query ended with the status {reply.get('status')}")
