from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.turns.session.repeats import fingerprint_of
from tests.kit.happenings import begun

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
PARAMETERS = st.dictionaries(st.text(), VALUES, max_size=4)


def turned(value: JsonValue) -> JsonValue:
    """The same with the keys of its objects the other way round."""
    if isinstance(value, dict):
        entries: list[tuple[str, JsonValue]] = list(value.items())
        return {name: turned(inner) for name, inner in reversed(entries)}
    return value


@given(PARAMETERS)
def test_equal_requests_have_equal_fingerprints_whatever_the_order_of_keys(parameters: JsonObject) -> None:
    assert fingerprint_of(begun(parameters=parameters)) == fingerprint_of(begun(parameters=turned(parameters)))


@given(st.dictionaries(st.text(), st.text()), st.dictionaries(st.text(), st.text()))
def test_requests_that_differ_have_other_fingerprints(one: JsonObject, other: JsonObject) -> None:
    assert (fingerprint_of(begun(parameters=one)) == fingerprint_of(begun(parameters=other))) == (one == other)


def test_when_it_came_and_what_the_agent_was_then_make_no_difference() -> None:
    assert fingerprint_of(begun()) == fingerprint_of(begun(at=2, snapshot="t"))


def with_token(token: str, *sealed: str) -> str:
    return fingerprint_of(begun(parameters={"token": token}, sealed=sealed))


def test_secret_parameters_are_not_in_it() -> None:
    assert with_token("one", "token") == with_token("two", "token")
    assert with_token("one") != with_token("two")
