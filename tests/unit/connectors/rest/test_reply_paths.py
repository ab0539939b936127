"""Paths lead into replies, and make what leads to a value in a body."""

from openplaybook.connectors.rest.reply_paths import put_at, value_at
from openplaybook.jsonvalues import JsonObject, JsonValue

MAIL: JsonObject = {"headers": [{"name": "from", "value": "a@b.c"}, {"name": "Subject", "value": "Hello"}]}


def test_a_path_leads_to_the_object_of_an_array_whose_member_says_so() -> None:
    assert value_at(MAIL, "headers[name=Subject].value") == "Hello"
    assert value_at(MAIL, "headers[name=From].value") == "a@b.c"
    assert value_at(MAIL, "headers[name=To].value") is None
    assert value_at({"headers": {"name": "Subject"}}, "headers[name=Subject].value") is None


def test_members_of_an_arrays_first_object_are_put_into_one_object() -> None:
    made: JsonObject = {}
    put_at(made, "names[0].given", "Ann")
    put_at(made, "names[0].family", "Lee")
    assert made == {"names": [{"given": "Ann", "family": "Lee"}]}


def test_each_value_of_a_list_becomes_an_object() -> None:
    made: JsonObject = {"emails": [{"value": "old"}]}
    put_at(made, "emails[*].value", ["a", "b"])
    assert made == {"emails": [{"value": "a"}, {"value": "b"}]}
    put_at(made, "tags[*]", ["x"])
    assert made["tags"] == ["x"]


def test_a_value_is_put_into_the_object_that_a_member_names_or_a_new_one() -> None:
    made: JsonObject = {}
    put_at(made, "fields[id=7].value", "a")
    put_at(made, "fields[id=8].value", "b")
    put_at(made, "fields[id=7].value", "c")
    assert made == {"fields": [{"id": "7", "value": "c"}, {"id": "8", "value": "b"}]}


def test_an_index_far_away_makes_no_large_array() -> None:
    made: JsonObject = {}
    put_at(made, "a[999999999].b", 1)
    assert len(made["a"]) == 101


def test_a_name_with_brackets_that_are_no_place_stays_a_name() -> None:
    made: JsonObject = {}
    put_at(made, "created[gte]", 1)
    assert made == {"created[gte]": 1}


def test_a_path_that_begins_with_a_dot_is_a_name() -> None:
    made: JsonObject = {}
    put_at(made, ".tag", "file")
    assert made == {".tag": "file"}
    assert value_at(made, ".tag") == "file"


def test_a_star_leads_to_the_first_member_whatever_its_name() -> None:
    reply: JsonValue = {"logs-2026.11": {"mappings": {"properties": {"a": 1}}}}
    assert value_at(reply, "*.mappings.properties") == {"a": 1}
    assert value_at({}, "*.mappings") is None
    assert value_at([1], "*") is None
