"""`SoapMock`: a transport behind which services stand that refuse what the schema of their WSDL does not allow.

It reads envelopes with lxml, apart from what makes them; what is refused is answered with a fault and noted.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse
from tests.kit.soap.xsd_samples import ETREE, XSD, XsdSamples

ENVELOPE = "http://schemas.xmlsoap.org/soap/envelope/"
SECURITY = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"
_WSDL = "{http://schemas.xmlsoap.org/wsdl/}"
_ADDRESS = re.compile(r".*/(\w+)/v[\d.]+")


class SoapFault(Exception):
    """What a service answers instead."""

    def __init__(self, code: str, message: str, detail: Any = None) -> None:
        super().__init__(message)
        self.code, self.message, self.detail = code, message, detail


class WsdlDocument:
    """A WSDL with one schema, as a peer needs it."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        root = ETREE.fromstring(data)
        self.node = root.find(f"{_WSDL}types/{XSD}schema")
        self.namespace: str = self.node.get("targetNamespace")
        self.schema = ETREE.XMLSchema(self.node)
        self.samples = XsdSamples(self.node)
        elements = {
            each.get("name"): each.find(f"{_WSDL}part").get("element", "").rpartition(":")[2]
            for each in root.findall(f"{_WSDL}message")
            if each.find(f"{_WSDL}part") is not None
        }
        self.operations: dict[str, tuple[str, str]] = {}
        """Name → elements of request and reply."""
        for each in root.findall(f"{_WSDL}portType/{_WSDL}operation"):
            ends = [each.find(f"{_WSDL}{end}").get("message").rpartition(":")[2] for end in ("input", "output")]
            self.operations[each.get("name")] = (elements.get(ends[0], ""), elements.get(ends[1], ""))


Answer = Callable[[Any], Any]
"""The element of a request → that of its reply; raises `SoapFault`."""


@dataclass
class SoapMock:
    """Services by name."""

    services: Mapping[str, WsdlDocument]
    answers: dict[str, Answer] = field(default_factory=dict[str, Answer])
    """By the element of the request; all others are answered with a sample of the reply."""
    user: str = ""
    password: str = ""
    token: str = ""
    """What proves who asks: a UsernameToken, or a bearer token."""
    requests: list[HttpRequest] = field(default_factory=list[HttpRequest])
    messages: list[Any] = field(default_factory=list[Any])
    """Elements of requests that were let through."""
    replies: list[bytes] = field(default_factory=list[bytes])
    """Bodies of replies."""
    instead: list[HttpResponse] = field(default_factory=list[HttpResponse])
    """What comes instead of the next replies."""
    fetched: int = 0
    """How often a description was."""

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        """The system's reply."""
        del limits
        parts = urlsplit(request.url)
        found = _ADDRESS.fullmatch(parts.path)
        if found is None or found[1] not in self.services:
            return HttpResponse(404, (), b"<html>not found</html>", False, 0.0)
        service = self.services[found[1]]
        if request.method == "GET" and parts.query == "wsdl":
            self.fetched += 1
            return self.instead.pop(0) if self.instead else _reply(200, service.data)
        self.requests.append(request)
        if self.instead:
            return self.instead.pop(0)
        try:
            message = self._checked(request, service)
            self.messages.append(message)
            body, status = self._answer(service, message), 200
        except SoapFault as fault:
            body, status = _fault(fault), 500
        self.replies.append(body)
        return _reply(status, body)

    async def aclose(self) -> None:
        """Nothing is held."""

    def _checked(self, request: HttpRequest, service: WsdlDocument) -> Any:
        headers = {name.lower(): value for name, value in request.headers}
        if request.method != "POST" or not headers.get("content-type", "").startswith("text/xml"):
            raise SoapFault("Client", "a POST of text/xml is expected")
        if "soapaction" not in headers:
            raise SoapFault("Client", "there is no SOAPAction")
        root = ETREE.fromstring(request.body or b"", ETREE.XMLParser(resolve_entities=False, no_network=True))
        body = root.find(f"{{{ENVELOPE}}}Body")
        if root.tag != f"{{{ENVELOPE}}}Envelope" or body is None or len(body) != 1:
            raise SoapFault("Client", "there is no envelope with one element in its body")
        self._authenticate(root, headers)
        message = body[0]
        if ETREE.QName(message).localname not in [ends[0] for ends in service.operations.values()]:
            raise SoapFault("Client", f"{message.tag} is no request")
        # Apart from its envelope, whose declarations it must not need.
        message = ETREE.fromstring(ETREE.tostring(message))
        if not service.schema.validate(message):
            error = service.schema.error_log[0]
            raise SoapFault("Client.validationError", f"SCHEMA: {error.message} ({error.path})")
        return message

    def _authenticate(self, root: Any, headers: Mapping[str, str]) -> None:
        token = f"{{{ENVELOPE}}}Header/{{{SECURITY}}}Security/{{{SECURITY}}}UsernameToken/{{{SECURITY}}}"
        pair = (root.findtext(f"{token}Username") or "", root.findtext(f"{token}Password") or "")
        is_user = bool(self.user) and pair == (self.user, self.password)
        is_bearer = bool(self.token) and headers.get("authorization") == f"Bearer {self.token}"
        if not is_user and not is_bearer:
            raise SoapFault("Client.authenticationError", "invalid username or password")

    def _answer(self, service: WsdlDocument, message: Any) -> bytes:
        name = ETREE.QName(message).localname
        if name in self.answers:
            return _envelope(self.answers[name](message))
        output = next(ends[1] for ends in service.operations.values() if ends[0] == name)
        return _envelope(service.samples.element(output) if output else None)


def _envelope(message: Any) -> bytes:
    root = ETREE.Element(f"{{{ENVELOPE}}}Envelope", nsmap={"SOAP-ENV": ENVELOPE})
    body = ETREE.SubElement(root, f"{{{ENVELOPE}}}Body")
    if message is not None:
        body.append(message)
    return ETREE.tostring(root, xml_declaration=True, encoding="UTF-8")


def _fault(fault: SoapFault) -> bytes:
    made = ETREE.Element(f"{{{ENVELOPE}}}Fault", nsmap={"SOAP-ENV": ENVELOPE})
    ETREE.SubElement(made, "faultcode").text = f"SOAP-ENV:{fault.code}"
    ETREE.SubElement(made, "faultstring").text = fault.message
    if fault.detail is not None:
        ETREE.SubElement(made, "detail").append(fault.detail)
    return _envelope(made)


def _reply(status: int, body: bytes) -> HttpResponse:
    return HttpResponse(status, (("Content-Type", "text/xml; charset=utf-8"),), body, False, 0.0)
