"""What the records of kinds say of their fields is what the messages of the APIs have."""

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor

from openplaybook.resources.tool_kinds import KindField, ToolMessage, tool_kinds
from openplaybook.wire.api import load_api

POOL = load_api().pool
MESSAGES = {
    ToolMessage.TOOL: ("google.cloud.dialogflow.cx.v3beta1.Tool", "specification"),
    ToolMessage.APP_TOOL: ("google.cloud.ces.v1beta.Tool", "tool_type"),
    ToolMessage.APP_TOOLSET: ("google.cloud.ces.v1beta.Toolset", "toolset_type"),
}


def message_of(message: ToolMessage) -> Descriptor:
    return POOL.FindMessageTypeByName(MESSAGES[message][0])


def below(descriptor: Descriptor, keys: tuple[str, ...]) -> FieldDescriptor:
    """The field that keys end at."""
    field = descriptor.fields_by_camelcase_name[keys[0]]
    return below(held_by(field), keys[1:]) if len(keys) > 1 else field


def held_by(field: FieldDescriptor) -> Descriptor:
    assert field.message_type is not None, field.full_name
    return field.message_type


def fields() -> list[KindField]:
    return [field for message in ToolMessage for field in tool_kinds().fields(message)]


@pytest.mark.parametrize("message", ToolMessage)
def test_every_field_of_the_messages_has_a_kind(message: ToolMessage) -> None:
    held = message_of(message).oneofs_by_name[MESSAGES[message][1]]
    assert {field.name for field in tool_kinds().fields(message)} == {field.json_name for field in held.fields}


def test_every_place_that_a_kind_names_is_there() -> None:
    for field in fields():
        whole = message_of(field.message)
        own = held_by(whole.fields_by_camelcase_name[field.name])
        for secret in field.secrets:
            assert secret.holder[0] == field.name
            holder = held_by(below(whole, secret.holder))
            assert {secret.key, secret.version_key or secret.key} <= set(holder.fields_by_camelcase_name), secret
        members = {*field.credentials, *field.free, *(field.toolset.shared if field.toolset else ())}
        assert members <= set(own.fields_by_camelcase_name), field.name
        places = [place.keys for place in field.texts] + [keys for keys, _ in field.references]
        for keys in (*places, *([field.service] if field.service else ())):
            assert below(own, keys).type == FieldDescriptor.TYPE_STRING, (field.name, keys)


def test_every_tool_of_a_toolset_has_a_field_of_tools() -> None:
    tools = {field.name for field in tool_kinds().fields(ToolMessage.APP_TOOL)}
    toolsets = [field.toolset for field in tool_kinds().fields(ToolMessage.APP_TOOLSET)]
    assert {each.field for each in toolsets if each is not None} <= tools
    assert None not in toolsets
