import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.turns.agent.snapshot import secret_parameters, texts_in


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
