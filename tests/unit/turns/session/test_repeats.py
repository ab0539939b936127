from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.turns.session.repeats import fingerprint_of

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
PARAMETERS = st.dictionaries(st.text(), VALUES, max_size=4)


def begin(parameters: JsonObject, sealed: tuple[str, ...] = (), **more: JsonValue) -> JsonObject:
    return {
        "at": 1,
        "snapshot": "s",
        "input": {"text": "yes"},
        "parameters": parameters,
        "sealed": list(sealed),
        "payload": {},
        **more,
    }


def turned(value: JsonValue) -> JsonValue:
    """The same with the keys of its objects the other way round."""
    if isinstance(value, dict):
        entries: list[tuple[str, JsonValue]] = list(value.items())
        return {name: turned(inner) for name, inner in reversed(entries)}
    return value


@given(PARAMETERS)
def test_equal_requests_have_equal_fingerprints_whatever_the_order_of_keys(parameters: JsonObject) -> None:
    assert fingerprint_of(begin(parameters)) == fingerprint_of(begin(turned(parameters)))


@given(st.dictionaries(st.text(), st.text()), st.dictionaries(st.text(), st.text()))
def test_requests_that_differ_have_other_fingerprints(one: JsonObject, other: JsonObject) -> None:
    assert (fingerprint_of(begin(one)) == fingerprint_of(begin(other))) == (one == other)


def test_when_it_came_and_what_the_agent_was_then_make_no_difference() -> None:
    assert fingerprint_of(begin({})) == fingerprint_of(begin({}, at=2, snapshot="t"))


def test_secret_parameters_are_not_in_it() -> None:
    assert fingerprint_of(begin({"token": "one"}, ("token",))) == fingerprint_of(begin({"token": "two"}, ("token",)))
    assert fingerprint_of(begin({"token": "one"})) != fingerprint_of(begin({"token": "two"}))
