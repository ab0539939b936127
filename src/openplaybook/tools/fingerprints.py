"""By what a tool's resource is recognised: all that it is compiled from."""

from dataclasses import dataclass, field
from hashlib import sha256

from openplaybook.documents.encoded_text import LONG, EncodedText
from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, dumps
from openplaybook.resources.tool_kinds import tool_kinds
from openplaybook.tools.base import AgentScope


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Of a resource within a scope; equal only for what is equal."""

    digest: bytes
    size: int
    """Bytes of the resource as JSON, about."""
    text: EncodedText | None = field(default=None, compare=False, repr=False)
    """The text in its specification, where that is a long one."""


def fingerprint_of(resource: JsonObject, scope: AgentScope) -> Fingerprint:
    """The fingerprint of a tool as the toolbox takes it."""
    holder = tool_kinds().field(resource)
    place = holder.texts[0].keys if holder and holder.texts else ()
    name, member = (holder.name, place[0]) if holder and len(place) == 1 else ("", "")
    spec = as_object(resource.get(name))
    text = spec.get(member)
    if not isinstance(text, str) or len(text) <= LONG:
        told = dumps([_in_order(resource), scope.client_certificate])
        return Fingerprint(sha256(told).digest(), len(told))
    encoded = EncodedText(text)
    rest = _in_order({**resource, name: {**spec, member: None}})
    told = dumps([rest, scope.client_certificate, len(text)])
    return Fingerprint(sha256(told + encoded.digest).digest(), len(told) + len(encoded.data), encoded)


def _in_order(resource: JsonObject) -> JsonObject:
    """With the fields of the resource and of its specification in one order, whoever wrote them. Below, order may have
    a meaning: models read the properties of a schema as they come."""
    return {name: _fields_in_order(value) for name, value in sorted(resource.items())}


def _fields_in_order(value: JsonValue) -> JsonValue:
    return dict(sorted(as_object(value).items())) if isinstance(value, dict) else value
