"""Requests to a system some of whose hosts speaks SOAP: there a request is an operation, its JSON becomes a message in
the order of the service's schema, and the reply is JSON again.

A manifest writes them as `POST soap:/{service}/{operation}`; parameters of the query are paths in the message. `GET
soap:/{service}` gives the operations of a service, `GET soap:/{service}/{operation}` what one takes and gives. What
there is the service's WSDL says, which is fetched from the connection's own host and kept for a day; the address in it
is not used.
"""

import re
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from time import monotonic
from typing import TypeVar
from urllib.parse import quote, unquote

from openplaybook.connectors.base import SystemCall
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import (
    InvalidValue,
    OperationUnsupported,
    SystemFault,
    SystemUnavailable,
    UnknownName,
    WriteInDoubt,
)
from openplaybook.connectors.http_messages import MOST_BYTES, NOTHING, check_length
from openplaybook.connectors.rest.authentication import RequestCredential
from openplaybook.connectors.rest.exchange import SystemClient
from openplaybook.connectors.rest.field_sources import KEPT_S
from openplaybook.connectors.rest.manifest.model import SoapManifest, SystemManifest
from openplaybook.connectors.rest.manifest.placeholders import filled
from openplaybook.connectors.rest.reply_paths import put_at
from openplaybook.connectors.rest.soap.envelopes import CONTENT_TYPE, envelope_value, enveloped, message_headers
from openplaybook.connectors.rest.soap.message_reader import MessageReader
from openplaybook.connectors.rest.soap.message_shapes import MessageShapes
from openplaybook.connectors.rest.soap.message_writer import MessageWriter
from openplaybook.connectors.rest.soap.schema_model import SoapOperation, SoapService
from openplaybook.connectors.rest.soap.wsdl_reader import read_wsdl
from openplaybook.connectors.rest.soap.xml_elements import UnreadableXml
from openplaybook.connectors.rest.system_request import SystemReply, SystemRequest
from openplaybook.connectors.settings import ConnectionSettings
from openplaybook.egress.base import HttpRequest, HttpResponse
from openplaybook.jsonvalues import JsonObject, JsonValue, ReadJson, as_object, loads
from openplaybook.workers.errors import WorkError
from openplaybook.workers.lanes import Lane

ResultT = TypeVar("ResultT")

_MESSAGES = Lane("SOAP messages", threads=2, waiting=128, seconds=60)
_AT_ONCE = 16 * 1024
"""Bytes that are read or written on the event loop; more are in a lane."""
_MOST_SERVICES = 8
"""Services whose descriptions are kept: of one connection, and read of all."""
_MOST_LISTED = 200
_SERVICE = re.compile(r"[A-Za-z][\w.-]{0,80}")
_VERSION = re.compile(r"[\w.-]{0,20}")
_VERSION_PARAMETER = "version"
_DESCRIBED = HttpResponse(200, (), b"", False, 0.0)
"""For what is known without asking."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SoapRequest(SystemRequest):
    """A message to a service; `body` has no envelope yet."""

    service: SoapService


class ReadServices:
    """Descriptions that were read, by what they are: connections to one system share them. Those that were used last
    are kept."""

    def __init__(self) -> None:
        self._kept: OrderedDict[bytes, SoapService] = OrderedDict()

    async def of(self, data: bytes) -> SoapService:
        """The service that a WSDL describes. Raises `UnreadableXml` and `SystemUnavailable`."""
        digest = sha256(data).digest()
        found = self._kept.pop(digest, None) or await _in_lane(lambda: read_wsdl(data))
        self._kept[digest] = found
        while len(self._kept) > _MOST_SERVICES:
            self._kept.popitem(last=False)
        return found


_READ = ReadServices()


class SoapClient(SystemClient):
    """Makes requests for operations into messages; sends all others as they are."""

    def __init__(
        self, manifest: SystemManifest, soap: SoapManifest, settings: ConnectionSettings, access: SystemAccess
    ) -> None:
        """Raises `InvalidConnection` and `CredentialAbsent`."""
        super().__init__(manifest, settings, access)
        self._soap = soap
        self._version = filled(soap.version, self.values)
        self._reads = re.compile(soap.reads)
        self._services: OrderedDict[str, tuple[float, SoapService]] = OrderedDict()

    async def send(self, request: SystemRequest, call: SystemCall) -> SystemReply:
        """The reply; of an operation the JSON of its message."""
        if request.host != self._soap.host or request.is_xml:
            if self.is_in_envelope and not request.is_xml:
                raise OperationUnsupported("user and password prove who asks to the SOAP services only, not for this")
            return await super().send(request, call)
        service, _, operation = (unquote(part) for part in request.path.removeprefix("/").partition("/"))
        if not _SERVICE.fullmatch(service):
            raise InvalidValue("service", f"is {service[:80]!r}, which is no name of a service")
        query = dict(request.query)
        version = query.get(_VERSION_PARAMETER) or self._version
        if not _VERSION.fullmatch(version):
            raise InvalidValue("version", f"is {version[:40]!r}; letters, digits, dots, - and _ are expected")
        described = await self._service(service, version, call)
        if request.method == "GET" and not operation:
            return SystemReply("", _DESCRIBED, self._listed(described, query.get("words", "")))
        found = described.operations.get(operation)
        if found is None:
            raise UnknownName("operation", operation, sorted(described.operations))
        if request.method == "GET":
            shapes = await _in_lane(lambda: _shapes(described, found, query.get("part", ""), query.get("path", "")))
            return SystemReply("", _DESCRIBED, {**shapes, "readOnly": self._is_reading(operation)})
        return await super().send(await self._message(request, service, version, described, found), call)

    def _listed(self, service: SoapService, words: str) -> JsonObject:
        """The operations whose names or descriptions have all these words."""
        wanted = words.lower().replace("_", " ").split()
        rows: list[JsonValue] = [
            {"operation": name, "readOnly": self._is_reading(name), "description": each.documentation[:300]}
            for name, each in sorted(service.operations.items())
            if all(word in f"{name.replace('_', ' ')} {each.documentation}".lower() for word in wanted)
        ]
        return {"operations": rows[:_MOST_LISTED]}

    def _is_reading(self, operation: str) -> bool:
        """Whether an operation changes nothing: by its name, as the manifest says."""
        return self._reads.match(operation) is not None

    async def _message(
        self, request: SystemRequest, service: str, version: str, described: SoapService, operation: SoapOperation
    ) -> SoapRequest:
        changes = not self._is_reading(operation.name)
        if changes and not request.is_write:
            raise InvalidValue("operation", f"{operation.name} changes something in the system, so it is no reading")
        data = request.body or b"{}"
        value = as_object(loads(data))
        for name, text in request.query:
            if name != _VERSION_PARAMETER:
                put_at(value, name, text)
        work: Callable[[], str] = lambda: MessageWriter(described.schema).written(operation.input, value)  # noqa: E731
        text = (work() if len(data) <= _AT_ONCE else await _in_lane(work)) if operation.input else ""
        return SoapRequest(
            "POST",
            _located(self._soap.address, service, version),
            headers=message_headers(operation.action),
            content_type=CONTENT_TYPE,
            body=text.encode(),
            is_write=changes,
            is_repeatable=not changes or request.is_repeatable,
            host=self._soap.host,
            service=described,
        )

    async def _service(self, name: str, version: str, call: SystemCall) -> SoapService:
        path = _located(self._soap.wsdl, name, version)
        kept = self._services.pop(path, None)
        if kept is None or monotonic() >= kept[0]:
            request = SystemRequest("GET", path, host=self._soap.host, is_description=True, is_xml=True)
            reply = await super().send(request, call)
            try:
                kept = (monotonic() + KEPT_S, await _READ.of(reply.response.body))
            except UnreadableXml as error:
                raise SystemFault(f"the description of {name} {error}") from error
        self._services[path] = kept
        while len(self._services) > _MOST_SERVICES:
            self._services.popitem(last=False)
        return kept[1]

    def _request(self, request: SystemRequest, credential: RequestCredential, call: SystemCall) -> HttpRequest:
        if isinstance(request, SoapRequest):
            request = replace(request, body=enveloped(request.body or b"", *credential.username_token))
        return super()._request(request, credential, call)

    async def _value(self, request: SystemRequest, response: HttpResponse, *, is_good: bool) -> ReadJson:
        if not isinstance(request, SoapRequest):
            return await super()._value(request, response, is_good=is_good)
        work: Callable[[], JsonValue] = lambda: envelope_value(response.body, MessageReader(request.service.schema))  # noqa: E731
        try:
            check_length(response, MOST_BYTES)
            value = work() if len(response.body) <= _AT_ONCE else await _in_lane(work)
        except (UnreadableXml, SystemFault, SystemUnavailable) as error:
            if not is_good:
                return NOTHING
            said = f"the system's reply {error}" if isinstance(error, UnreadableXml) else str(error)
            if request.is_write:
                raise WriteInDoubt(f"the system took the write (status {response.status}), but {said}") from error
            raise SystemFault(said) from error
        return ReadJson(value, has_large=False)


def _shapes(service: SoapService, operation: SoapOperation, part: str, path: str) -> JsonObject:
    """What an operation takes and gives, or one of the two. Raises `InvalidValue` and `UnknownName`."""
    if part not in ("", "input", "output") or (path and not part):
        raise InvalidValue("part", "must be input or output, and is needed with a path")
    shapes = MessageShapes(service.schema)
    names = {"input": operation.input, "output": operation.output}
    made: JsonObject = {
        each: shapes.described(name, path, is_request=each == "input") if name else {}
        for each, name in names.items()
        if part in ("", each)
    }
    return {"operation": operation.name, "description": operation.documentation, **made}


def _located(template: str, service: str, version: str) -> str:
    return template.replace("{service}", quote(service, safe="")).replace("{version}", quote(version, safe=""))


async def _in_lane(work: Callable[[], ResultT]) -> ResultT:
    try:
        return await _MESSAGES.run(work)
    except WorkError as error:
        raise SystemUnavailable(f"a SOAP message cannot be read or written now: {error}") from error
