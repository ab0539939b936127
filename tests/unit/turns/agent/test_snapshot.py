import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.turns.agent.snapshot import (
    NO_CLIENT_EXECUTION,
    ClientExecution,
    client_execution,
    secret_parameters,
    texts_in,
)


def test_an_agent_that_says_nothing_makes_its_calls_itself_and_waits_and_takes_whatever_comes() -> None:
    assert client_execution([{}, {"displayName": "Shop"}]) == NO_CLIENT_EXECUTION == ClientExecution()


@pytest.mark.proves("C1")
@pytest.mark.parametrize(
    ("levels", "always"),
    [
        ([{}, {"playbookExecutionMode": "ALWAYS_CLIENT_EXECUTION"}], True),
        ([{"playbookExecutionMode": "ALWAYS_CLIENT_EXECUTION"}, {}], True),
        (
            [
                {"playbookExecutionMode": "DEFAULT_EXECUTION"},
                {"playbookExecutionMode": "ALWAYS_CLIENT_EXECUTION"},
            ],
            False,
        ),
    ],
)
def test_the_first_level_that_says_something_wins(levels: list[JsonObject], always: bool) -> None:
    assert client_execution(levels).always == always


def test_levels_may_say_different_things() -> None:
    levels: list[JsonObject] = [
        {"toolResultValidation": "STRICT"},
        {"toolResultValidation": "REMARK", "toolCallResultTimeout": "30s"},
    ]
    assert client_execution(levels) == ClientExecution(strict=True, timeout_us=30_000_000)


@pytest.mark.parametrize(
    ("text", "microseconds"),
    [
        ("1s", 1_000_000),
        ("3.5s", 3_500_000),
        ("3.500s", 3_500_000),
        ("0.000000001s", 1),
        ("315576000000s", 315576 * 10**12),
    ],
)
def test_a_wait_of_any_length_has_one(text: str, microseconds: int) -> None:
    assert client_execution([{"toolCallResultTimeout": text}]).timeout_us == microseconds


def bearer(token: str) -> JsonObject:
    return {"bearerTokenConfig": {"token": token}}


@pytest.mark.proves("A6")
def test_every_place_that_says_how_calls_are_authenticated_is_read() -> None:
    schemes = [{"scheme": "s", "authentication": {"apiKeyConfig": {"keyName": "k", "apiKey": "$session.params.key"}}}]
    end_user = {"oauth2AuthCodeConfig": {"oauthToken": "$session.params.crm.token"}}
    tools: list[JsonObject] = [
        {"openApiSpec": {"authentication": bearer("$session.params.user-token")}},
        {"openApiSpec": {"securitySchemeAuthentications": schemes}},
        {"connectorSpec": {"endUserAuthConfig": end_user}},
        {"functionSpec": {"inputSchema": {"default": "$session.params.harmless"}}},
        {"openApiSpec": {"textSchema": "$session.params.harmless", "authentication": None}},
        {"openApiSpec": 5},
    ]
    assert secret_parameters(tools) == {"user-token", "key", "crm.token"}


@pytest.mark.parametrize("name", ["my token", "tökén", "a/b", "a.b-c_d"])
def test_a_name_may_have_any_characters(name: str) -> None:
    assert name in secret_parameters([{"openApiSpec": {"authentication": bearer(f"$session.params.{name}")}}])


def test_the_texts_in_a_value_are_found_at_any_depth() -> None:
    assert list(texts_in({"a": ["x", {"b": "y"}, ""], "c": 1, "d": None})) == ["x", "y"]
