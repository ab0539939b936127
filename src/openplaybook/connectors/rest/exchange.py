"""One request to a system and its reply: credential, limits, records for traces, errors in our words.

Trying again is the transport's: it waits as `Retry-After` says, at most twice, and sends what may not be repeated only
where the system has said that it did nothing.
"""

from collections.abc import Collection
from dataclasses import replace
from time import monotonic
from urllib.parse import unquote_plus

from openplaybook.connectors.base import Rehearsed, SystemCall
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import (
    ConnectorError,
    PermissionRefused,
    SystemUnavailable,
    WriteInDoubt,
    WriteRefused,
)
from openplaybook.connectors.http_messages import (
    MOST_BYTES,
    NOTHING,
    check_length,
    json_reply,
    with_callers_headers,
    written_reply,
)
from openplaybook.connectors.recorded_exchange import RecordedExchange
from openplaybook.connectors.rest.addresses import SystemAddress
from openplaybook.connectors.rest.authentication import ConnectionAuthentication, RequestCredential
from openplaybook.connectors.rest.bodies import query_string
from openplaybook.connectors.rest.failures import failure_of
from openplaybook.connectors.rest.manifest.model import EntityManifest, SystemManifest
from openplaybook.connectors.rest.manifest.placeholders import filled
from openplaybook.connectors.rest.system_pages import local_address
from openplaybook.connectors.rest.system_request import SystemReply, SystemRequest
from openplaybook.connectors.settings import ConnectionSettings
from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse
from openplaybook.egress.errors import AddressRefused, EgressError
from openplaybook.jsonvalues import ReadJson
from openplaybook.telemetry.redaction import without

MOST_XML_BYTES = 40_000_000
"""Of a description in XML."""
_LEAST_S = 0.05
_UNAUTHORIZED = 401
_REDIRECTS = (301, 302, 303, 307, 308)


class SystemClient:
    """Sends the requests of one connection."""

    def __init__(self, manifest: SystemManifest, settings: ConnectionSettings, access: SystemAccess) -> None:
        """Raises `InvalidConnection` and `CredentialAbsent`."""
        self._manifest = manifest
        self._settings = settings
        self._access = access
        self._authentication = ConnectionAuthentication(manifest, settings, access)
        self.values = self._authentication.values
        """What placeholders stand for."""
        self._params = [(name, filled(text, self.values)) for name, text in manifest.params.items()]
        self._headers = [(name, text) for name, each in manifest.headers.items() if (text := filled(each, self.values))]
        self.is_keyed = bool(manifest.idempotency_header)
        """Whether the system honours idempotency keys."""
        self.is_in_envelope = self._authentication.way.kind == "username_token"
        """Whether the credential stands in envelopes of SOAP, and nowhere else."""
        self._address = SystemAddress(manifest, settings, self._authentication.way.kind, self.values)

    def proves_itself(self, entity: EntityManifest) -> bool:
        """Whether lists of an entity are sent with the credential."""
        line = entity.list or entity.search
        soap = self._manifest.soap
        return not self.is_in_envelope or (line is not None and soap is not None and line.http.host == soap.host)

    async def authenticate(self, call: SystemCall) -> None:
        """Have a credential for what is sent next. Raises `AuthenticationRefused` and `SystemUnavailable`."""
        await self._authentication.current(call.timeout_s)

    async def send(self, request: SystemRequest, call: SystemCall) -> SystemReply:
        """The reply. Raises a subclass of `ConnectorError`, and `Rehearsed` instead of sending in a rehearsal."""
        if request.is_write and self._settings.is_read_only:
            raise WriteRefused("this connection is read-only (the config variable read_only): nothing was sent")
        if call.is_rehearsal and not request.is_description:
            credential = self._authentication.rehearsed()
            call.exchanged.append(_record(self._request(request, credential, call), credential))
            raise Rehearsed
        ends = monotonic() + call.timeout_s
        credential = await self._authentication.current(call.timeout_s)
        response, record = await self._sent(request, credential, call, ends)
        if response.status == _UNAUTHORIZED and self._authentication.refused(credential) and request.is_repeatable:
            credential = await self._authentication.current(max(ends - monotonic(), _LEAST_S))
            response, record = await self._sent(request, credential, call, ends)
        if response.status in _REDIRECTS and not request.is_write and request.method == "GET":
            # Within the origin only, and once: such as GitHub's for a repository that was renamed.
            path = local_address(response.header("Location"), self._address.url_of(request))
            if path is not None:
                moved = replace(request, path=path, is_absolute=True)
                response, record = await self._sent(moved, credential, call, ends)
        try:
            return await self._read(request, credential, response)
        except ConnectorError as error:
            record.fail(str(error))
            raise

    def without_credential(self, address: str) -> str:
        """A path and query that a system gave, without what proves us: it goes into page tokens, and is sent with the
        credential of then."""
        path, _, query = address.partition("?")
        names = {each.name for each in self._authentication.way.credentials if each.place == "query"} | {"access_token"}
        kept = [pair for pair in query.split("&") if pair and unquote_plus(pair.partition("=")[0]) not in names]
        return f"{path}?{'&'.join(kept)}" if kept else path

    async def _sent(
        self, request: SystemRequest, credential: RequestCredential, call: SystemCall, ends: float
    ) -> tuple[HttpResponse, RecordedExchange]:
        asked = self._request(request, credential, call)
        left_s = max(ends - monotonic(), _LEAST_S)
        limits = HttpLimits(
            read_s=left_s,
            total_s=left_s,
            max_bytes=MOST_XML_BYTES if request.is_xml else MOST_BYTES,
            max_concurrent=self._manifest.most_concurrent,
            caller=call.caller,
        )
        try:
            response = await self._access.transport.send(asked, limits)
        except EgressError as error:
            call.exchanged.append(_record(asked, credential, error))
            raise _translated(error, request, credential.secrets) from error
        record = _record(asked, credential, response)
        call.exchanged.append(record)
        return response, record

    def _request(self, request: SystemRequest, credential: RequestCredential, call: SystemCall) -> HttpRequest:
        given = [] if request.is_absolute else [*self._params, *request.query]
        query = query_string([*given, *credential.query])
        url = self._address.url_of(request)
        url += ("&" if "?" in url else "?") + query if query else ""
        headers: dict[str, tuple[str, str]] = {}
        for name, value in (*self._own_headers(request, call), *request.headers, *credential.headers):
            headers[name.lower()] = (name, value)
        return HttpRequest(
            request.method,
            url,
            with_callers_headers(headers, call.headers),
            request.body,
            ca_certificates=self._address.ca_certificates,
            client_certificate=self._address.client_certificate,
            repeatable=request.is_repeatable,
            follows_redirects=False,
        )

    def _own_headers(self, request: SystemRequest, call: SystemCall) -> list[tuple[str, str]]:
        kind = "application/xml" if request.is_xml else "application/json"
        headers = [("Accept", kind), ("User-Agent", "openplaybook"), *self._headers]
        if request.content_type:
            headers.append(("Content-Type", request.content_type))
        if request.is_write and call.idempotency_key and self._manifest.idempotency_header:
            headers.append((self._manifest.idempotency_header, call.idempotency_key))
        return headers

    async def _read(self, request: SystemRequest, credential: RequestCredential, response: HttpResponse) -> SystemReply:
        is_good = 200 <= response.status < 300
        read = await self._value(request, response, is_good=is_good)
        error = failure_of(self._manifest.failures, request, response, read.value, credential.secrets)
        if error is not None:
            raise error
        return SystemReply(self._address.url_of(request), response, read.value, read.has_large)

    async def _value(self, request: SystemRequest, response: HttpResponse, *, is_good: bool) -> ReadJson:
        """What a reply says, in JSON; `is_good` where its status says that it is no error."""
        if request.is_write and is_good:
            return await _of_write(response)
        if request.is_xml and is_good:
            check_length(response, MOST_XML_BYTES)
            return NOTHING
        return await json_reply(response, is_required=is_good)


def _record(
    asked: HttpRequest, credential: RequestCredential, outcome: HttpResponse | EgressError | None = None
) -> RecordedExchange:
    hidden = [name for name, _ in (*credential.headers, *credential.query)]
    return RecordedExchange(asked, outcome, credential.secrets, hidden)


def _translated(error: EgressError, request: SystemRequest, secrets: Collection[str]) -> ConnectorError:
    said = without(str(error), secrets)
    if request.is_write and error.sent:
        return WriteInDoubt(f"the write was sent, and no reply came ({said}); whether it was done is not known")
    if isinstance(error, AddressRefused):
        return PermissionRefused(f"this server may not reach the system: {said}")
    return SystemUnavailable(f"the system does not answer: {said}")


async def _of_write(response: HttpResponse) -> ReadJson:
    """What the system says of a write that it has taken; null where it says it in another format than JSON."""
    is_json = not response.body.strip() or "json" in response.header("Content-Type").lower()
    return await written_reply(response) if is_json else NOTHING
