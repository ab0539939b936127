"""Envelopes of SOAP 1.1: what is sent around a message, and what comes back."""

from xml.sax.saxutils import escape

from openplaybook.connectors.rest.soap.message_reader import MessageReader
from openplaybook.connectors.rest.soap.xml_elements import UnreadableXml, XmlElement, parsed_xml
from openplaybook.jsonvalues import JsonObject, JsonValue

CONTENT_TYPE = "text/xml; charset=utf-8"
_ENVELOPE = "http://schemas.xmlsoap.org/soap/envelope/"
_SECURITY = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"
_PASSWORD_TEXT = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0#PasswordText"
_MOST_ELEMENTS = 300_000


def enveloped(message: bytes, user: str = "", password: str = "") -> bytes:
    """A message in its envelope, with a UsernameToken of WS-Security (OASIS, profile 1.0) where a user is given."""
    token = _username_token(user, password) if user else ""
    header = f"<env:Header>{token}</env:Header>" if token else ""
    head = f'<?xml version="1.0" encoding="UTF-8"?><env:Envelope xmlns:env="{_ENVELOPE}">{header}<env:Body>'
    return head.encode() + message + b"</env:Body></env:Envelope>"


def _username_token(user: str, password: str) -> str:
    return (
        f'<wsse:Security xmlns:wsse="{_SECURITY}" env:mustUnderstand="1"><wsse:UsernameToken>'
        f"<wsse:Username>{escape(user)}</wsse:Username>"
        f'<wsse:Password Type="{_PASSWORD_TEXT}">{escape(password)}</wsse:Password>'
        "</wsse:UsernameToken></wsse:Security>"
    )


def message_headers(action: str) -> tuple[tuple[str, str], ...]:
    """The headers beside an envelope; `action` is a stranger's, so that what a header cannot carry is left out."""
    told = "".join(each for each in action if " " < each < "\x7f" and each != '"')
    return (("Accept", "text/xml"), ("SOAPAction", f'"{told}"'))


def envelope_value(data: bytes, reader: MessageReader) -> JsonValue:
    """The JSON of the message in an envelope; of an empty body an empty object. A fault is `{"fault": {"code",
    "message", "detail": {NAME: …}}}`: the code without its prefix, each part of the detail as the service describes it.
    Raises `UnreadableXml`."""
    root = parsed_xml(data, most_elements=_MOST_ELEMENTS)
    body = root.first(f"{{{_ENVELOPE}}}Body")
    if root.name != f"{{{_ENVELOPE}}}Envelope" or body is None:
        raise UnreadableXml(f"is no envelope of SOAP 1.1: its root is {root.local[:80]!r}")
    if not body.children:
        return {}
    message = body.children[0]
    return _fault_value(message, reader) if message.name == f"{{{_ENVELOPE}}}Fault" else reader.read(message)


def _fault_value(fault: XmlElement, reader: MessageReader) -> JsonObject:
    code, said, detail = (fault.first(each) for each in ("faultcode", "faultstring", "detail"))
    parts = {each.local: reader.read(each) for each in (detail.children if detail is not None else ())}
    return {
        "fault": {
            "code": code.text.strip().rpartition(":")[2] if code is not None else "",
            "message": " ".join(said.text.split()) if said is not None else "",
            "detail": parts,
        }
    }
