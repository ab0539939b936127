"""Requests of systems that are reached over HTTP: credential, limits, records, errors by status."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from time import monotonic
from typing import Protocol
from urllib.parse import quote

from openplaybook.connectors.base import Rehearsed, SystemCall
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import (
    AuthenticationRefused,
    ConnectorError,
    EntityConflict,
    EntityNotFound,
    InvalidValue,
    OperationUnsupported,
    PermissionRefused,
    RateLimited,
    SystemFault,
    SystemUnavailable,
    WriteInDoubt,
)
from openplaybook.connectors.http_messages import (
    MOST_BYTES,
    json_reply,
    trusted_and_own,
    with_callers_headers,
    written_reply,
)
from openplaybook.connectors.plugins.exchange import Asked, refuse_write, unanswered
from openplaybook.connectors.recorded_exchange import RecordedExchange
from openplaybook.connectors.settings import ConnectionSettings
from openplaybook.egress.base import (
    HttpLimits,
    HttpRequest,
    HttpResponse,
)
from openplaybook.egress.errors import AddressRefused, EgressError
from openplaybook.egress.retries import retry_after
from openplaybook.jsonvalues import JsonValue, dumps
from openplaybook.telemetry.redaction import excerpt, without

_MOST_TOLD = 400
_LEAST_S = 0.05
_STATUSES: dict[int, type[ConnectorError]] = {
    401: AuthenticationRefused,
    403: PermissionRefused,
    404: EntityNotFound,
    405: OperationUnsupported,
    409: EntityConflict,
    410: EntityNotFound,
    412: EntityConflict,
    501: OperationUnsupported,
    503: SystemUnavailable,
}


class HttpLogin(Protocol):
    """What proves who asks."""

    async def authorization(self, timeout_s: float) -> str:
        """Value of the `Authorization` header. Raises `AuthenticationRefused` and `SystemUnavailable`."""
        ...

    def refused(self, authorization: str) -> bool:
        """Told that the system answered 401: whether another may be had now."""
        ...

    def secrets(self) -> Sequence[str]:
        """What nobody may be shown, besides the header's value."""
        ...


@dataclass(frozen=True, slots=True)
class HttpAsked:
    """A request before it is sent."""

    method: str
    url: str
    """Without a query."""
    query: Sequence[tuple[str, str]] = ()
    body: bytes | None = None
    content_type: str = "application/json"
    is_write: bool = False
    is_repeatable: bool = False
    """Of a write: whether twice is as good as once."""
    is_description: bool = False

    @property
    def may_repeat(self) -> bool:
        """Whether sending it twice is as good as once."""
        return self.is_repeatable or not self.is_write

    @property
    def whole_url(self) -> str:
        """With the query."""
        pairs = "&".join(f"{quote(name, safe='.')}={quote(value, safe='')}" for name, value in self.query)
        return f"{self.url}?{pairs}" if pairs else self.url


class HttpDesk:
    """Sends the requests of one connection."""

    def __init__(
        self,
        settings: ConnectionSettings,
        access: SystemAccess,
        login: HttpLogin,
        words: Callable[[JsonValue], str],
        refusal: Callable[[JsonValue, str], ConnectorError | None] = lambda reply, said: None,
    ) -> None:
        """`words` finds in the reply to a failed request what the system says of it; `refusal` the error that it is
        (given these words, masked and cut), where the status says too little. Raises `InvalidConnection`."""
        self._settings = settings
        self._access = access
        self._login = login
        self._words = words
        self._refusal = refusal
        self._trusted, self._certificate = trusted_and_own(settings.tls)

    async def json(self, asked: HttpAsked, call: SystemCall) -> JsonValue:
        """The JSON of the reply; None for an empty one. Raises `WriteInDoubt` where that of a write cannot be read."""
        response = await self.send(asked, call)
        read = await (written_reply(response) if asked.is_write else json_reply(response, is_required=True))
        return read.value

    async def send(self, asked: HttpAsked, call: SystemCall) -> HttpResponse:
        """The reply, which is no failure. Raises a subclass of `ConnectorError`, and `Rehearsed` in a rehearsal."""
        refuse_write(self._settings, is_write=asked.is_write)
        if call.is_rehearsal and not asked.is_description:
            call.exchanged.append(self._record(self._request(asked, "", call), ""))
            raise Rehearsed
        authorization = await self._login.authorization(call.timeout_s)
        response = await self._sent(asked, authorization, call)
        # The login is told in any case: the next request, which may be any, would meet the same refusal.
        if response.status == 401 and self._login.refused(authorization) and asked.may_repeat:
            authorization = await self._login.authorization(call.timeout_s)
            response = await self._sent(asked, authorization, call)
        if not 200 <= response.status < 300:
            raise await self._failure(asked, response, authorization)
        return response

    async def _sent(self, asked: HttpAsked, authorization: str, call: SystemCall) -> HttpResponse:
        request = self._request(asked, authorization, call)
        left_s = max(call.timeout_s, _LEAST_S)
        limits = HttpLimits(read_s=left_s, total_s=left_s, max_bytes=MOST_BYTES, caller=call.caller)
        started = monotonic()
        try:
            response = await self._access.transport.send(request, limits)
        except EgressError as error:
            said = without(str(error), self._secrets(authorization))
            call.exchanged.append(self._record(request, authorization, error))
            if isinstance(error, AddressRefused):
                raise PermissionRefused(f"this server may not reach the system: {said}") from error
            raise unanswered(Asked(asked.method, "", is_write=asked.is_write and error.sent), said) from error
        finally:
            call.timeout_s -= monotonic() - started
        call.exchanged.append(self._record(request, authorization, response))
        return response

    def _request(self, asked: HttpAsked, authorization: str, call: SystemCall) -> HttpRequest:
        headers = {"accept": ("Accept", "application/json"), "user-agent": ("User-Agent", "openplaybook")}
        if authorization:
            headers["authorization"] = ("Authorization", authorization)
        if asked.body is not None:
            headers["content-type"] = ("Content-Type", asked.content_type)
        return HttpRequest(
            asked.method,
            asked.whole_url,
            with_callers_headers(headers, call.headers),
            asked.body,
            ca_certificates=self._trusted,
            client_certificate=self._certificate,
            repeatable=asked.may_repeat,
            follows_redirects=False,
        )

    async def _failure(self, asked: HttpAsked, response: HttpResponse, authorization: str) -> ConnectorError:
        try:
            reply = (await json_reply(response, is_required=False)).value
        except SystemFault:
            # Of one that is too long, or too deep, the status alone tells what it means.
            reply = None
        told = excerpt(" ".join(self._words(reply).split()), _MOST_TOLD, self._secrets(authorization))
        known = self._refusal(reply, told)
        if known is not None:
            return known
        said = f"the system answered {response.status}" + (f": {told}" if told else "")
        if response.status == 429:
            seconds = retry_after(response, datetime.now(UTC))
            when = f"; it may be asked again in {math.ceil(seconds)} s" if seconds is not None else ""
            return RateLimited(f"the system asks to wait{f': {told}' if told else ''}{when}", seconds)
        if response.status in _STATUSES:
            return _STATUSES[response.status](said)
        if 400 <= response.status < 500:
            return InvalidValue("", told or said)
        if not asked.may_repeat:
            return WriteInDoubt(f"{said}; whether the write was done is not known, and it is not tried again")
        return SystemUnavailable(said) if response.status in (502, 504) else SystemFault(said)

    def _secrets(self, authorization: str) -> list[str]:
        token = authorization.partition(" ")[2]
        return [each for each in (*self._login.secrets(), token) if each]

    def _record(
        self, request: HttpRequest, authorization: str, outcome: HttpResponse | EgressError | None = None
    ) -> RecordedExchange:
        return RecordedExchange(request, outcome, self._secrets(authorization))


def json_body(value: JsonValue) -> bytes:
    """A body. Raises `InvalidValue`."""
    try:
        return dumps(value)
    except (TypeError, ValueError):
        raise InvalidValue("", "holds what JSON cannot") from None
