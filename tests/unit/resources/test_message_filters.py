"""List filters over the fields of a message."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.errors import InvalidFilter
from openplaybook.resources.message_filters import message_test
from openplaybook.wire.api import load_api

API = load_api()
APP = API.message("google.cloud.ces.v1beta.App")
GUARDRAIL = API.message("google.cloud.ces.v1beta.Guardrail")
CHANGELOG = API.message("google.cloud.ces.v1beta.Changelog")

ZOO: JsonObject = {
    "displayName": "Zoo Keeper",
    "pinned": True,
    "deploymentCount": 3,
    "toolExecutionMode": "SEQUENTIAL",
    "guardrails": ["a/polite", "a/safe"],
    "languageSettings": {"defaultLanguageCode": "de"},
    "variableDeclarations": [{"name": "user"}, {"name": "order"}],
    "createTime": "2026-01-02T03:04:05.5Z",
}


def passes(text: str, value: JsonObject = ZOO) -> bool:
    app = APP()
    API.codec.from_json(value, app)
    return message_test(text, APP.DESCRIPTOR)(app)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", True),
        ('display_name = "Zoo Keeper"', True),
        ('displayName = "zoo keeper"', False),
        ("display_name:KEEP", True),
        ('display_name != "Zoo Keeper"', False),
        ("description = x", False),
        ('description = ""', True),
        ("description != x", True),
        ("pinned = true", True),
        ("pinned != true", False),
        ("locked = false", True),
        ("deployment_count >= 3", True),
        ("deployment_count < 3", False),
        ("tool_execution_mode = SEQUENTIAL", True),
        ("tool_execution_mode != SEQUENTIAL", False),
        ("guardrails:polite", True),
        ('guardrails = "a/safe"', True),
        ('guardrails != "a/safe"', False),
        ("guardrails = other", False),
        ("language_settings.default_language_code = de", True),
        ("languageSettings.defaultLanguageCode = en", False),
        ("variable_declarations.name = order", True),
        ("variable_declarations.name = other", False),
        ("language_settings:*", True),
        ("model_settings:*", False),
        ("model_settings.model = x", False),
        ('create_time > "2026-01-02T03:04:05Z"', True),
        ('create_time <= "2026-01-02T04:04:05+01:00"', False),
        ('update_time > "2026-01-01T00:00:00Z"', False),
        ("pinned = true AND NOT display_name:cat", True),
        ("display_name:cat OR pinned = true", True),
    ],
)
def test_a_filter_holds_for_what_it_says(text: str, expected: bool) -> None:
    assert passes(text) is expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("colour = red", "filter: 'colour' at character 1 cannot be used in a filter; allowed are "),
        ("metadata = red", "filter: 'metadata' at character 1 cannot be used in a filter; allowed are "),
        ("pinned = true AND display_name.x = y", "filter: 'display_name.x' at character 19 cannot be used in a filter"),
        ("display_name < x", "filter: display_name cannot be compared by <; use = != :"),
        ("pinned = maybe", "filter: pinned is compared with 'maybe'; it must be true or false"),
        ("pinned > true", "filter: pinned cannot be compared by >; use = !="),
        ("tool_execution_mode = FAST", "filter: tool_execution_mode is compared with 'FAST'; it is one of "),
        ("deployment_count = many", "filter: deployment_count is compared with 'many'; it is a number"),
        ("create_time > yesterday", "filter: create_time is compared with 'yesterday'; write a time in RFC 3339"),
        (
            "language_settings = de",
            "filter: language_settings can only be used as language_settings:*, whether it is there",
        ),
    ],
)
def test_what_cannot_be_asked_is_refused(text: str, reason: str) -> None:
    with pytest.raises(InvalidFilter) as refused:
        message_test(text, APP.DESCRIPTOR)
    assert str(refused.value).startswith(reason)


def test_a_field_may_go_by_another_name() -> None:
    entry = CHANGELOG(resource="a/agents/greeter")
    aliases: Mapping[str, str] = {"resource_name": "resource"}
    assert message_test("resource_name:GREETER", CHANGELOG.DESCRIPTOR, aliases)(entry)
    with pytest.raises(InvalidFilter):
        message_test("resource_name:GREETER", CHANGELOG.DESCRIPTOR)


def test_a_boolean_of_an_enabled_guardrail_is_compared() -> None:
    test = message_test("enabled = true", GUARDRAIL.DESCRIPTOR)
    assert [test(GUARDRAIL(enabled=each)) for each in (True, False)] == [True, False]


@given(st.text(max_size=20), st.text(alphabet=st.characters(exclude_characters='"\\'), max_size=20))
def test_equality_is_that_of_texts(value: str, asked: str) -> None:
    app = APP(display_name=value.encode("utf-8", "ignore").decode())
    asked = asked.encode("utf-8", "ignore").decode()
    assert message_test(f'display_name = "{asked}"', APP.DESCRIPTOR)(app) is (app.display_name == asked)
