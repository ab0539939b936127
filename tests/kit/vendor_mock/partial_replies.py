"""Google's partial replies: whether what `fields` asks for is there, by the schema of the whole reply.

`nextPageToken,items(id,start/dateTime)`: names with commas between them, `/` to a member, brackets around several.
"""

from collections.abc import Iterator

from openplaybook.jsonvalues import JsonValue, as_object
from tests.kit.vendor_mock.strict_schema import StrictSchema
from tests.kit.vendor_mock.vendor_document import VendorDocument


def absent_members(document: VendorDocument, schema: JsonValue, text: str) -> list[str]:
    """The paths of a `fields` parameter that lead nowhere."""
    found: list[str] = []
    for part in _parts(text):
        path, bracket, inner = part.partition("(")
        member: JsonValue = schema
        for step in path.split("/"):
            member = _member(document, member, step)
            if member is None:
                found.append(path)
                break
        else:
            found += absent_members(document, member, inner.removesuffix(")")) if bracket else []
    return found


def _parts(text: str) -> Iterator[str]:
    """Between the commas that are in no brackets."""
    depth, start = 0, 0
    for index, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if char == "," and not depth:
            yield text[start:index]
            start = index + 1
    yield text[start:]


def _member(document: VendorDocument, schema: JsonValue, name: str) -> JsonValue:
    members = StrictSchema(document).merged(document.resolved(schema))
    if members.get("type") == "array":
        return _member(document, members.get("items"), name)
    properties = as_object(members.get("properties"))
    return properties.get(name) or members.get("additionalProperties") if name != "*" else members
