from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonValue
from openplaybook.resources.compiled_forms import InstructionStep, Reference, ReferenceKind
from openplaybook.turns.errors import SessionTooLarge
from openplaybook.turns.steps.session_parameters import MAX_ADDED, fill, known_values


def filled(text: str, **values: str) -> str:
    return fill(text, (), tuple(sorted(values.items())))[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello {name}.", "Hello Ann."),
        ("Hello {{name}}!", "Hello Ann!"),
        ("{name}{name} {other}", "AnnAnn {other}"),
        ("{ name } {} {1} {name!r} {{name} {a b}", "{ name } {} {1} {name!r} {Ann {a b}"),
        ('{"name": "{name}"}', '{"name": "Ann"}'),
        ("{@TOOL: name} and ${TOOL: name}", "{@TOOL: name} and ${TOOL: name}"),
    ],
)
def test_names_between_braces_are_replaced_and_all_else_stays(text: str, expected: str) -> None:
    assert filled(text, name="Ann") == expected


def test_a_value_is_data_whatever_it_looks_like() -> None:
    assert filled("{a} {b}", a="{b}", b="{@TOOL: pay} {a}") == "{b} {@TOOL: pay} {a}"


def step(text: str) -> InstructionStep:
    """A step whose references are the words in angle brackets."""
    references: list[Reference] = []
    start = text.find("<")
    while start >= 0:
        end = text.index(">", start) + 1
        references.append(Reference(ReferenceKind.TOOL, text[start:end], start, end))
        start = text.find("<", end)
    return InstructionStep(text, tuple(references))


@given(st.lists(st.sampled_from(["{a}", "{{b}}", "<tool>", "<{a}>", " x ", "{no}"])), st.text(), st.text())
def test_references_keep_their_places_and_their_names(parts: list[str], a: str, b: str) -> None:
    before = step("".join(parts))
    _, (after,) = fill("", (before,), (("a", a), ("b", b)))
    assert [each.name for each in after.references] == [each.name for each in before.references]
    assert [after.text[each.start : each.end] for each in after.references] == [each.name for each in after.references]


def test_nested_steps_are_filled() -> None:
    outer = InstructionStep("{a}", (), (InstructionStep("x {a}"),))
    assert fill("{a}!", (outer,), (("a", "1"),)) == ("1!", (InstructionStep("1", (), (InstructionStep("x 1"),)),))


def test_equal_values_give_the_identical_objects() -> None:
    steps = (InstructionStep("for {a}"),)
    first, second = (fill("goal {a}", steps, (("a", value),)) for value in ("1", "1"))
    assert first[1] is second[1]
    assert fill("goal {a}", steps, (("a", "2"),))[1] != first[1]


@pytest.mark.parametrize(
    ("parameters", "declared", "secret", "expected"),
    [
        ({"a": "text"}, None, set[str](), {"a": "text"}),
        (
            {"a": 1.5, "b": True, "c": {"x": [1, None]}},
            None,
            set[str](),
            {"a": "1.5", "b": "true", "c": '{"x":[1,null]}'},
        ),
        ({"a": None}, None, set[str](), {"a": ""}),
        ({}, {"a": "default", "b": None}, set[str](), {"a": "", "b": ""}),
        ({"a": "sealed"}, None, {"a", "c"}, {"a": "[redacted]"}),
        ({}, {}, set[str](), {}),
    ],
)
def test_what_stands_for_each_name(
    parameters: Mapping[str, JsonValue],
    declared: Mapping[str, JsonValue] | None,
    secret: set[str],
    expected: dict[str, str],
) -> None:
    assert dict(known_values(["a", "b", "c"], parameters, declared or {}, secret)) == expected


def test_a_large_text_is_filled_and_not_kept() -> None:
    values = (("a", "x" * MAX_ADDED),)
    first, second = (fill("say {a}", (), values)[0] for _ in range(2))
    assert first == second == "say " + "x" * MAX_ADDED
    assert first is not second


def test_values_named_again_and_again_must_not_fill_the_memory() -> None:
    with pytest.raises(SessionTooLarge) as refusal:
        fill("", (InstructionStep("{a}" * 1000),), (("a", "x" * MAX_ADDED),))
    assert str(refusal.value) == (
        "Instructions with the session's parameters in them would be 1,000,000,000 characters longer than without; "
        "allowed are 1,000,000."
    )
