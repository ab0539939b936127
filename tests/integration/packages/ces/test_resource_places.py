"""Places of references and texts are places that the API's messages have."""

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from openplaybook.packages.ces.app_reader import MESSAGES
from openplaybook.packages.ces.resource_places import Pattern, reference_places, text_places
from openplaybook.wire.api import load_api


def field_at(message: Descriptor | None, pattern: Pattern) -> FieldDescriptor:
    """The field that a pattern ends at; `*` stands exactly behind fields that are lists."""
    names = list(pattern)
    assert message is not None, pattern
    field = {each.json_name: each for each in message.fields}[names.pop(0)]
    assert field.is_repeated == (names[:1] == ["*"]), pattern
    rest = tuple(names[1:] if field.is_repeated else names)
    return field_at(field.message_type, rest) if rest else field


def test_every_place_is_a_text_field_of_its_message() -> None:
    pool = load_api().pool
    for collection, message in MESSAGES.items():
        descriptor = pool.FindMessageTypeByName(message)
        for pattern in (*reference_places(collection), *text_places(collection)):
            assert field_at(descriptor, pattern).type == FieldDescriptor.TYPE_STRING, (message, pattern)


def test_every_python_code_and_openapi_schema_of_a_resource_is_a_file_of_its_own() -> None:
    pool = load_api().pool
    for collection, message in MESSAGES.items():
        found = set(texts_in(pool.FindMessageTypeByName(message), ()))
        assert found <= set(text_places(collection)), collection


def texts_in(message: Descriptor, at: Pattern) -> list[Pattern]:
    """Every place of code or of a description, however deep."""
    found: list[Pattern] = []
    for field in message.fields:
        here = (*at, field.json_name, *(["*"] if field.is_repeated else []))
        if field.json_name in ("pythonCode", "openApiSchema"):
            found.append(here)
        elif len(here) < 12 and field.message_type is not None and not field.message_type.GetOptions().map_entry:
            found += texts_in(field.message_type, here)
    return found
