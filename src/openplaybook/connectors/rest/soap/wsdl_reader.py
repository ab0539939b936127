"""What a service says of itself in WSDL 1.1: its operations and what their messages are made of.

Read are bindings to SOAP 1.1 with documents, literal, which is what services have that care for others (WS-I Basic
Profile 1.1). The address in it is not used: requests go to the connection's own host.
"""

from collections.abc import Mapping

from openplaybook.connectors.rest.soap.schema_model import SoapOperation, SoapService
from openplaybook.connectors.rest.soap.schema_reader import XSD, read_schemas
from openplaybook.connectors.rest.soap.xml_elements import UnreadableXml, XmlElement, local_name, parsed_xml

_WSDL = "{http://schemas.xmlsoap.org/wsdl/}"
_SOAP = "{http://schemas.xmlsoap.org/wsdl/soap/}"
_MOST_ELEMENTS = 300_000
_MOST_TEXT = 1_000
_LEFT_OUT = frozenset({f"{_WSDL}fault"})


def read_wsdl(data: bytes) -> SoapService:
    """The service of a document. Raises `UnreadableXml`."""
    root = parsed_xml(data, most_elements=_MOST_ELEMENTS, left_out=_LEFT_OUT)
    if root.name != f"{_WSDL}definitions":
        raise UnreadableXml(f"is no WSDL 1.1: its root is {root.local[:80]!r}")
    if root.first(f"{_WSDL}import") is not None:
        raise UnreadableXml("has parts in another document")
    types = root.first(f"{_WSDL}types")
    schema = read_schemas(types.all(f"{XSD}schema") if types is not None else [])
    target = root.attributes.get("targetNamespace", "")
    messages = {f"{{{target}}}{each.attributes.get('name', '')}": each for each in root.all(f"{_WSDL}message")}
    ports = {f"{{{target}}}{each.attributes.get('name', '')}": each for each in root.all(f"{_WSDL}portType")}
    operations: dict[str, SoapOperation] = {}
    for binding in root.all(f"{_WSDL}binding"):
        protocol = binding.first(f"{_SOAP}binding")
        port = ports.get(binding.expanded(binding.attributes.get("type", "")))
        if protocol is None or port is None:
            continue
        style = protocol.attributes.get("style", "document")
        for each in binding.all(f"{_WSDL}operation"):
            made = _operation(each, port, messages, style)
            operations[made.name] = made
    if not operations:
        raise UnreadableXml("has no operation that is bound to SOAP 1.1")
    return SoapService(operations, schema)


def _operation(node: XmlElement, port: XmlElement, messages: Mapping[str, XmlElement], style: str) -> SoapOperation:
    name = node.attributes.get("name", "")
    protocol = node.first(f"{_SOAP}operation")
    own_style = protocol.attributes.get("style", style) if protocol is not None else style
    if own_style != "document":
        raise UnreadableXml(f"has the operation {name[:80]} in the style {own_style[:20]}; only document is spoken")
    described = next((each for each in port.all(f"{_WSDL}operation") if each.attributes.get("name") == name), None)
    if described is None:
        raise UnreadableXml(f"binds the operation {name[:80]}, which it does not describe")
    documentation = described.first(f"{_WSDL}documentation")
    return SoapOperation(
        name,
        _body(described.first(f"{_WSDL}input"), node.first(f"{_WSDL}input"), messages),
        _body(described.first(f"{_WSDL}output"), node.first(f"{_WSDL}output"), messages),
        protocol.attributes.get("soapAction", "") if protocol is not None else "",
        " ".join(documentation.text.split())[:_MOST_TEXT] if documentation is not None else "",
    )


def _body(described: XmlElement | None, bound: XmlElement | None, messages: Mapping[str, XmlElement]) -> str:
    """Expanded name of the element that a message has in its body: that of the part which the binding names, or of the
    only one."""
    if described is None:
        return ""
    message = messages.get(described.expanded(described.attributes.get("message", "")))
    parts = message.all(f"{_WSDL}part") if message is not None else []
    body = bound.first(f"{_SOAP}body") if bound is not None else None
    named = (body.attributes.get("parts", "") if body is not None else "").split()
    if bound is not None and not named:
        headers = {each.attributes.get("part") for each in bound.all(f"{_SOAP}header")}
        parts = [each for each in parts if each.attributes.get("name") not in headers] or parts
    chosen = [each for each in parts if not named or each.attributes.get("name") in named]
    if len(chosen) > 1:
        where = local_name(described.attributes.get("message", ""))
        raise UnreadableXml(f"has the message {where[:80]} with several parts in its body")
    return chosen[0].expanded(chosen[0].attributes.get("element", "")) if chosen else ""
