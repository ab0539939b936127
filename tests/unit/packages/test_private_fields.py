import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject
from openplaybook.packages.private_fields import ExportField, every_field, fields_in, merge_private, split_private

FIELDS = {
    "Tool": {
        "name": ExportField(),
        "kind": ExportField(values=frozenset({"A", "B"})),
        "spec": ExportField(message="Spec"),
        "connections": ExportField(message="Spec"),
        "free": ExportField(),
    },
    "Spec": {"title": ExportField(), "spec": ExportField(message="Spec")},
}


def fields(message: str, key: str) -> ExportField | None:
    return FIELDS[message].get(key)


@pytest.mark.parametrize(
    ("resource", "known", "private"),
    [
        ({"name": "x"}, {"name": "x"}, {}),
        ({"name": "x", "odd": {"a": 1}}, {"name": "x"}, {"odd": {"a": 1}}),
        ({"kind": "A"}, {"kind": "A"}, {}),
        ({"kind": 7}, {"kind": 7}, {}),
        ({"kind": ["A", "B"]}, {"kind": ["A", "B"]}, {}),
        ({"kind": "C"}, {}, {"kind": "C"}),
        ({"kind": ["A", "C"]}, {}, {"kind": ["A", "C"]}),
        ({"spec": {"odd": 1}}, {"spec": {}}, {"spec": {"odd": 1}}),
        (
            {"spec": {"spec": {"title": "t", "odd": 1}}},
            {"spec": {"spec": {"title": "t"}}},
            {"spec": {"spec": {"odd": 1}}},
        ),
        ({"free": {"odd": 1}}, {"free": {"odd": 1}}, {}),
        (
            {"connections": [{"title": "t"}, {"title": "u", "odd": 1}]},
            {"connections": [{"title": "t"}, {"title": "u"}]},
            {"connections": {"#": 2, "1": {"odd": 1}}},
        ),
        ({"spec": 5}, {"spec": 5}, {}),
    ],
)
def test_what_a_message_lacks_is_split_off_and_put_back(
    resource: JsonObject, known: JsonObject, private: JsonObject
) -> None:
    assert split_private(resource, "Tool", fields) == (known, private)
    assert merge_private(known, private) == resource


def test_a_list_that_has_changed_gets_nothing_back() -> None:
    private = {"connections": {"#": 2, "1": {"odd": 1}}}
    assert merge_private({"connections": [{"title": "t"}]}, private) == {"connections": [{"title": "t"}]}
    # What is left of the list is not what it belonged to.
    private = {"connections": {"#": 2, "0": {"odd": 1}}}
    assert merge_private({"connections": [{"title": "t"}]}, private) == {"connections": [{"title": "t"}]}


def test_a_member_that_the_resource_has_got_stays() -> None:
    assert merge_private({"odd": 2}, {"odd": 1}) == {"odd": 2}
    assert merge_private({"odd": {"a": 2}}, {"odd": {"a": 1, "b": 1}}) == {"odd": {"a": 2, "b": 1}}


def test_without_descriptors_nothing_is_private() -> None:
    assert split_private({"odd": {"a": 1}}, "Tool", every_field) == ({"odd": {"a": 1}}, {})


resources = st.recursive(
    st.fixed_dictionaries({}, optional={"title": st.text(max_size=3), "odd": st.integers() | st.text(max_size=3)}),
    lambda inner: st.fixed_dictionaries({}, optional={"spec": inner, "odd": st.integers(), "title": st.none()}),
    max_leaves=5,
)


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "spec": resources,
            "connections": st.lists(resources, max_size=4),
            "kind": st.sampled_from(["A", "C"]),
            "odd": resources,
        },
    )
)
def test_nothing_is_lost_between_splitting_and_merging(resource: JsonObject) -> None:
    known, private = split_private(resource, "Tool", fields)
    assert merge_private(known, private) == resource
    assert split_private(known, "Tool", fields) == (known, {})


def test_descriptors_tell_messages_enums_and_maps() -> None:
    pool = DescriptorPool()
    file = FileDescriptorProto(name="t.proto", package="t", syntax="proto3")
    file.enum_type.add(name="Kind").value.add(name="KIND_A", number=0)
    message = file.message_type.add(name="Tool")
    entry = message.nested_type.add(name="LabelsEntry")
    entry.options.map_entry = True
    entry.field.add(name="key", number=1, type="TYPE_STRING", label="LABEL_OPTIONAL")
    entry.field.add(name="value", number=2, type="TYPE_STRING", label="LABEL_OPTIONAL")
    message.field.add(name="display_name", number=1, type="TYPE_STRING", label="LABEL_OPTIONAL")
    message.field.add(name="kind", number=2, type="TYPE_ENUM", type_name=".t.Kind", label="LABEL_OPTIONAL")
    message.field.add(name="inner", number=3, type="TYPE_MESSAGE", type_name=".t.Tool", label="LABEL_REPEATED")
    message.field.add(
        name="labels", number=4, type="TYPE_MESSAGE", type_name=".t.Tool.LabelsEntry", label="LABEL_REPEATED"
    )
    pool.AddSerializedFile(file.SerializeToString())
    lookup = fields_in(pool)
    assert lookup("t.Tool", "displayName") == ExportField()
    assert lookup("t.Tool", "kind") == ExportField(values=frozenset({"KIND_A"}))
    assert lookup("t.Tool", "inner") == ExportField(message="t.Tool")
    assert lookup("t.Tool", "labels") == ExportField()
    assert lookup("t.Tool", "display_name") is None
