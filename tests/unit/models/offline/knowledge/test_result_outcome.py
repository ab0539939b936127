"""What a result says, whichever tool it comes from."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import FunctionResult
from openplaybook.models.offline.knowledge.result_outcome import ResultOutcome, items_in, message_in, read_outcome


def outcome(output: JsonValue, *, is_error: bool = False) -> ResultOutcome:
    return read_outcome(FunctionResult("1", "f", output, is_error))


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ({"200": {"a": 1}}, ResultOutcome("200", False, {"a": 1}, "")),
        ({"default": [1]}, ResultOutcome("default", False, [1], "")),
        ({"204": None}, ResultOutcome("204", False, None, "")),
        ({"600": 1}, ResultOutcome("", False, {"600": 1}, "")),
        ({"200": 1, "201": 2}, ResultOutcome("", False, {"200": 1, "201": 2}, "")),
        ({"a": 1}, ResultOutcome("", False, {"a": 1}, "")),
        ([1, 2], ResultOutcome("", False, [1, 2], "")),
        ("text", ResultOutcome("", False, "text", "")),
        (None, ResultOutcome("", False, None, "")),
        ({"404": "gone"}, ResultOutcome("404", True, "gone", "gone")),
        ({"500": None}, ResultOutcome("500", True, None, "")),
        ({"302": {"a": 1}}, ResultOutcome("302", False, {"a": 1}, "")),
    ],
)
def test_a_response_code_is_taken_off_and_decides(output: JsonValue, expected: ResultOutcome) -> None:
    assert outcome(output) == expected


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ({"error": {"code": "TIMEOUT", "message": "too slow"}}, "too slow"),
        ({"error": {"message": "tool"}, "output": {"404": {"detail": "service"}}}, "service"),
        ({"error": {"message": "tool"}, "output": {"404": {"n": 1}}}, "tool"),
        ({"message": "plain"}, "plain"),
        ("text", ""),
        (None, ""),
    ],
)
def test_a_failure_has_the_message_of_the_service_else_of_the_tool(output: JsonValue, message: str) -> None:
    found = outcome(output, is_error=True)
    assert (found.is_error, found.message) == (True, message)


@pytest.mark.parametrize(
    "code", ["ADDRESS_REFUSED", "CREDENTIAL_MISSING", "SECRET_NOT_FOUND", "NO_SUCH_ACTION", "UNIMPLEMENTED"]
)
def test_users_do_not_read_what_an_operator_has_to_mend(code: str) -> None:
    found = outcome({"error": {"code": code, "message": "set OPENPLAYBOOK_EGRESS_ALLOW"}}, is_error=True)
    assert (found.is_error, found.message) == (True, "")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"message": " spaced "}, "spaced"),
        ({"message": "", "detail": "d"}, "d"),
        ({"message": {"message": {"message": "deep"}}}, "deep"),
        ({"title": "t", "message": "m"}, "m"),
        ({"error": "e"}, "e"),
        ({"error_description": "d", "error": "code"}, "d"),
        ({"errors": ["first", "second"]}, "first"),
        ({"errors": [{"reason": "r"}]}, "r"),
        ({"errors": []}, ""),
        ({"message": 5}, ""),
    ],
)
def test_a_message_stands_under_a_usual_name(body: JsonObject, message: str) -> None:
    assert message_in(body) == message


@pytest.mark.parametrize(
    ("body", "items"),
    [
        ([], []),
        ([1], [1]),
        ({"rows": [{"a": 1}], "page": 1}, [{"a": 1}]),
        ({"rows": [], "total": 0}, []),
        ({"rows": [], "total": 0, "page": 1}, None),
        ({"tags": ["a"]}, None),
        ({"rows": [{"a": 1}, 2]}, None),
        ({"rows": [{"a": 1}], "tags": []}, None),
        ({"a": 1}, None),
        ("text", None),
        (None, None),
    ],
)
def test_a_body_is_a_list_when_it_holds_one_list_of_objects(body: JsonValue, items: list[JsonValue] | None) -> None:
    assert items_in(body) == items


VALUES: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["200", "404", "message", "errors", "error", "output", "a"]), inner, max_size=3
        )
    ),
)


@given(VALUES, st.booleans())
def test_any_output_is_read(output: JsonValue, is_error: bool) -> None:
    found = outcome(output, is_error=is_error)
    assert found.is_error or not (is_error or found.status.startswith(("4", "5")))
    assert isinstance(found.message, str)
    assert found.message == "" or found.is_error
