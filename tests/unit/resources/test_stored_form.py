import pytest
from google.protobuf import json_format
from google.protobuf.message import Message
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue, dumps, loads
from openplaybook.resources.errors import EtagMismatch
from openplaybook.resources.stored_form import check_etag, etag_of, from_body, in_order_of, to_body, updated
from tests.unit.resources.library import Book


class _Proto3Json:
    """The JSON mapping by the protobuf library itself."""

    def to_json(self, message: Message) -> JsonObject:
        return json_format.MessageToDict(message)

    def from_json(self, value: JsonValue, message: Message) -> Message:
        return json_format.ParseDict(value, message)


def test_a_body_is_the_message_as_json() -> None:
    body = to_body(Book(display_name="Größe", page_count=3), _Proto3Json())
    assert loads(body) == {"displayName": "Größe", "pageCount": "3"}
    assert "Größe".encode() in body


def test_a_message_comes_back_as_it_was() -> None:
    book = Book(display_name="Emil", author={"pen_name": "B"}, chapters=[{"title": "One"}], labels={"a": "b"})
    assert from_body(to_body(book, _Proto3Json()), Book(), _Proto3Json()) == book


def test_members_are_put_in_the_order_of_a_model_at_every_depth() -> None:
    model = {"b": 0, "a": {"y": 0, "x": 0}, "gone": 1, "c": [{"q": 0, "p": 0}]}
    value = {"new": 9, "a": {"x": 1, "y": 2}, "more": 5, "c": [{"p": 1, "q": 2}, {"n": 1, "m": 2}], "b": 3}
    assert dumps(in_order_of(value, model)) == dumps(
        {"new": 9, "b": 3, "a": {"y": 2, "x": 1}, "more": 5, "c": [{"q": 2, "p": 1}, {"n": 1, "m": 2}]}
    )


@given(st.dictionaries(st.text("ab", max_size=2), st.integers()), st.dictionaries(st.text("ab", max_size=2), st.none()))
def test_no_member_is_lost_whatever_it_is_called(value: dict[str, int], model: dict[str, None]) -> None:
    ordered = in_order_of(value, model)
    assert ordered == value
    assert in_order_of(ordered, value) == value
    assert list(in_order_of(value, value)) == list(value)


def test_a_model_of_another_shape_changes_nothing() -> None:
    value = {"a": [1, {"b": 2}], "c": "text"}
    assert dumps(in_order_of(value, {"c": {}, "a": "text"})) == dumps({"c": "text", "a": [1, {"b": 2}]})
    assert in_order_of(value, None) == value


def test_numbers_are_spelled_as_in_the_model() -> None:
    value = {"a": 0.9, "b": 1.0, "e": 1.0, "f": [2.0], "g": 3.0, "h": 4}
    model = {"a": 0.89999998, "b": 1, "e": True, "f": [2], "g": "3", "h": 5}
    assert dumps(in_order_of(value, model)) == dumps({**value, "a": 0.89999998, "b": 1, "f": [2]})


def test_a_number_that_is_another_one_stands_as_it_is() -> None:
    stored = {"t": 0.89999998, "list": [1, 2], "big": 1700000001.0}
    before = {"t": 0.9, "list": [1.0, 2.0], "big": 1700000001.0}
    assert dumps(updated({"t": 0.9, "list": [1.0, 3.0], "big": 1700000002.0}, stored, before)) == dumps(
        {"t": 0.89999998, "list": [1, 3.0], "big": 1700000002.0}
    )
    assert dumps(updated({"t": 0.89999997}, stored, before)) == dumps({"t": 0.89999997})
    assert updated({"new": 1.0}, stored, before) == {"new": 1.0}


def test_a_tag_tells_contents_apart() -> None:
    assert etag_of(b"one") == etag_of(b"one")
    assert etag_of(b"one") != etag_of(b"two")


@pytest.mark.parametrize("tag", ["", etag_of(b"one")])
def test_no_tag_and_the_right_tag_pass(tag: str) -> None:
    check_etag(tag, b"one", "apps/1")


def test_the_tag_of_an_older_state_is_refused() -> None:
    with pytest.raises(EtagMismatch, match=r"^apps/1 has changed since it was read") as refused:
        check_etag(etag_of(b"one"), b"two", "apps/1")
    assert refused.value.code == "ETAG_MISMATCH"
