from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.resources.conditions.environment import Environment
from openplaybook.resources.conditions.errors import CannotEvaluate
from openplaybook.resources.conditions.text_templates import MAX_LENGTH, filled_text, filled_value, template_problems

PARAMETERS: JsonObject = {"name": "Ann", "n": 3.0, "list": [1, 2], "user-age": 20}
ENVIRONMENT = Environment({"session": {"params": PARAMETERS}})


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("Hello!", "Hello!"),
        ("", ""),
        ("Hello $session.params.name.", "Hello Ann."),
        ("$session.params.name's age: $session.params.user-age-", "Ann's age: 20-"),
        ("$session.params.n of $session.params.list", "3 of [1,2]"),
        ("Nobody is called '$session.params.missing'", "Nobody is called ''"),
        ("It costs $5 or $five, $$ or $", "It costs $5 or $five, $$ or $"),
        ("1 + 2 = $sys.func.ADD(1, 2)!", "1 + 2 = 3!"),
        ("$sys.func.NOPE(1) stays", "$sys.func.NOPE(1) stays"),
    ],
)
def test_references_in_a_text_are_filled(text: str, filled: str) -> None:
    assert filled_text(text, ENVIRONMENT) == filled


@pytest.mark.parametrize(
    ("value", "filled"),
    [
        ("$session.params.list", [1, 2]),
        (" $session.params.list", " [1,2]"),
        ({"a": ["$session.params.n", None], "$session.params.name": 1}, {"a": [3.0, None], "$session.params.name": 1}),
        (5, 5),
    ],
)  # fmt: skip
def test_values_are_filled_at_every_depth_and_keep_the_type_of_a_single_reference(
    value: JsonValue, filled: JsonValue
) -> None:
    assert filled_value(value, ENVIRONMENT) == filled


def test_where_only_texts_fit_references_become_texts() -> None:
    value = {"audioUri": "$session.params.n"}
    assert filled_value(value, ENVIRONMENT, texts_only=True) == {"audioUri": "3"}


def test_a_value_that_cannot_be_computed_is_told() -> None:
    with pytest.raises(CannotEvaluate, match="is not a number"):
        filled_text("$sys.func.ADD($session.params.name)", ENVIRONMENT)


def test_what_looks_like_a_function_and_is_none_is_told_with_its_place() -> None:
    problems = [(each.start, each.message) for each in template_problems("$x, $sys.func.ADD(1), $sys.func.NOPE(1)")]
    assert problems == [(22, "system function NOPE does not exist")]
    long = "$" + "x" * MAX_LENGTH
    assert filled_text(long, ENVIRONMENT) == long
    assert [each.start for each in template_problems(long)] == [0]


@given(st.text(alphabet="$sesion.param(fuc)AD1,[]\"' ", max_size=200))
def test_any_text_can_be_filled_or_is_refused(text: str) -> None:
    with suppress(CannotEvaluate):
        assert "$session.params.name" not in filled_text(text, ENVIRONMENT)
