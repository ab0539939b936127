"""By what a tool's resource is recognised: all that it is compiled from."""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

from openplaybook.jsonvalues import PIECE, JsonObject, JsonValue, as_object, dumps
from openplaybook.resources.tool_kinds import tool_kinds
from openplaybook.tools.base import AgentScope


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Of a resource within a scope; equal only for what is equal."""

    digest: bytes
    size: int
    """Bytes of the resource as JSON, about."""


def fingerprint_of(resource: JsonObject, scope: AgentScope) -> Fingerprint:
    """The fingerprint of a tool as the toolbox takes it."""
    field = tool_kinds().field(resource)
    place = field.texts[0].keys if field and field.texts else ()
    name, member = (field.name, place[0]) if field and len(place) == 1 else ("", "")
    spec = as_object(resource.get(name))
    text = spec.get(member)
    if not isinstance(text, str) or len(text) <= PIECE:
        told = dumps([_in_order(resource), scope.client_certificate])
        return Fingerprint(sha256(told).digest(), len(told))
    # The text a piece at a time: no other thread runs while one of megabytes is written as JSON, or copied.
    rest = _in_order({**resource, name: {**spec, member: None}})
    told = dumps([rest, scope.client_certificate, len(text)])
    digest = sha256(told)
    for piece in _pieces(text):
        digest.update(piece)
    return Fingerprint(digest.digest(), len(told) + len(text))


def _in_order(resource: JsonObject) -> JsonObject:
    """With the fields of the resource and of its specification in one order, whoever wrote them. Below, order may have
    a meaning: models read the properties of a schema as they come."""
    return {name: _fields_in_order(value) for name, value in sorted(resource.items())}


def _fields_in_order(value: JsonValue) -> JsonValue:
    return dict(sorted(as_object(value).items())) if isinstance(value, dict) else value


def _pieces(text: str) -> Iterator[bytes]:
    for start in range(0, len(text), PIECE):
        yield text[start : start + PIECE].encode("utf-8", "surrogatepass")
