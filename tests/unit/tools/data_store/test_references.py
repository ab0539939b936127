"""Values of the session and of the user in filters, which they can never end."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonValue
from openplaybook.retrieval.filters.parser import parsed_filter
from openplaybook.retrieval.filters.syntax import AnyOf
from openplaybook.tools.data_store.references import ReferencedValues, UnresolvedReference
from tests.kit.thoroughness import examples

VALUES = ReferencedValues(
    {"country": 'Ca"na\\da', "most": 9.5, "sizes": ["S", "M"], "on": True, "user": {"plan": "pro"}, "a.b": "dotted"},
    {"tier": "gold", "user-id": 7},
)


@pytest.mark.parametrize(
    ("text", "resolved"),
    [
        ('country: ANY("$session.params.country")', 'country: ANY("Ca\\"na\\\\da")'),
        ("country: ANY($session.params.country)", 'country: ANY("Ca\\"na\\\\da")'),
        ("price <= $session.params.most", "price <= 9.5"),
        ("size: ANY($session.params.sizes)", 'size: ANY("S", "M")'),
        ("on = $session.params.on", 'on = "true"'),
        ('plan: ANY("$session.params.user.plan/$request.end-user-metadata.tier")', 'plan: ANY("pro/gold")'),
        ("id = $request.end-user-metadata.user-id", "id = 7"),
        ('x: ANY("$session.params.a.b")', 'x: ANY("dotted")'),
        ('x: ANY("$session")', 'x: ANY("$session")'),
    ],
)
def test_references_are_filled_in(text: str, resolved: str) -> None:
    assert VALUES.resolve(text) == resolved


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = $session.params.none", "$session.params.none has no value"),
        ('a: ANY("$session.params.sizes")', "$session.params.sizes is no single value"),
        ("a: ANY($session.params.user)", "an item is no single value"),
    ],
)
def test_what_cannot_be_filled_in_is_told(text: str, message: str) -> None:
    with pytest.raises(UnresolvedReference) as caught:
        VALUES.resolve(text)
    assert str(caught.value) == message


def test_a_filter_of_any_length_and_lists_of_any_length_are_refused() -> None:
    with pytest.raises(UnresolvedReference, match="it has 10,001 characters; a filter takes 10,000"):
        VALUES.resolve("x" * 10_001)
    long = ReferencedValues({"x": ["y" * 900] * 100})
    with pytest.raises(UnresolvedReference, match="a list has 90,398 characters; a filter takes 10,000"):
        long.resolve("a: ANY($session.params.x)")


@settings(max_examples=examples(200))
@given(st.text(max_size=50), st.booleans())
def test_no_value_can_be_more_than_a_literal(value: JsonValue, quoted: bool) -> None:
    text = 'a: ANY("$session.params.x")' if quoted else "a: ANY($session.params.x)"
    node = parsed_filter(ReferencedValues({"x": value}).resolve(text))
    assert node == AnyOf("a", (str(value),))
