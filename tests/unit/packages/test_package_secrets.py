from copy import deepcopy

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.packages.package_secrets import (
    how_to_give,
    missing_secrets,
    named_secrets,
    raw_secrets,
    without_secrets,
)
from openplaybook.resources.secret_names import SecretName


def auth(config: JsonObject) -> JsonObject:
    return {"displayName": "t", "openApiSpec": {"authentication": config}}


def schemes(*configs: JsonObject) -> JsonObject:
    listed = [{"scheme": str(index), "authentication": config} for index, config in enumerate(configs)]
    return {"displayName": "t", "openApiSpec": {"securitySchemeAuthentications": listed}}


@pytest.mark.proves("A9")
@pytest.mark.parametrize(
    ("resource", "path", "without"),
    [
        (
            auth({"apiKeyConfig": {"keyName": "k", "apiKey": "s3cret"}}),
            "$.openApiSpec.authentication.apiKeyConfig.apiKey",
            auth({"apiKeyConfig": {"keyName": "k"}}),
        ),
        (
            auth({"oauthConfig": {"clientSecret": "s3cret", "secretVersionForClientSecret": "v"}}),
            "$.openApiSpec.authentication.oauthConfig.clientSecret",
            auth({"oauthConfig": {"secretVersionForClientSecret": "v"}}),
        ),
        (
            auth({"bearerTokenConfig": {"token": "Bearer $session.params.t"}}),
            "$.openApiSpec.authentication.bearerTokenConfig.token",
            auth({"bearerTokenConfig": {}}),
        ),
        (
            auth({"basicAuthConfig": {"username": "u", "password": "s3cret"}}),
            "$.openApiSpec.authentication.basicAuthConfig.password",
            auth({"basicAuthConfig": {"username": "u"}}),
        ),
        (
            schemes({"bearerTokenConfig": {"token": "$session.params.t"}}, {"bearerTokenConfig": {"token": "s3cret"}}),
            "$.openApiSpec.securitySchemeAuthentications[1].authentication.bearerTokenConfig.token",
            schemes({"bearerTokenConfig": {"token": "$session.params.t"}}, {"bearerTokenConfig": {}}),
        ),
        (
            {"connectorSpec": {"endUserAuthConfig": {"oauth2AuthCodeConfig": {"oauthToken": "s3cret"}}}},
            "$.connectorSpec.endUserAuthConfig.oauth2AuthCodeConfig.oauthToken",
            {"connectorSpec": {"endUserAuthConfig": {"oauth2AuthCodeConfig": {}}}},
        ),
        (
            {"connectorSpec": {"endUserAuthConfig": {"oauth2JwtBearerConfig": {"clientKey": "s3cret"}}}},
            "$.connectorSpec.endUserAuthConfig.oauth2JwtBearerConfig.clientKey",
            {"connectorSpec": {"endUserAuthConfig": {"oauth2JwtBearerConfig": {}}}},
        ),
        (
            {"gitIntegrationSettings": {"githubSettings": {"accessToken": "s3cret"}}},
            "$.gitIntegrationSettings.githubSettings.accessToken",
            {"gitIntegrationSettings": {"githubSettings": {}}},
        ),
    ],
)
def test_raw_secrets_are_found_and_removed(resource: JsonObject, path: str, without: JsonObject) -> None:
    assert [place.path for place in raw_secrets(resource)] == [path]
    before = deepcopy(resource)
    assert without_secrets(resource) == without
    assert resource == before


@pytest.mark.parametrize(
    "resource",
    [
        {},
        {"openApiSpec": 5},
        auth({"bearerTokenConfig": {"token": "$session.params.token"}}),
        auth({"bearerTokenConfig": {"token": "$request.payload.user-token"}}),
        auth({"apiKeyConfig": {"apiKey": "", "secretVersionForApiKey": "projects/p/secrets/s/versions/1"}}),
    ],
)
def test_expressions_and_secret_versions_stay(resource: JsonObject) -> None:
    assert list(raw_secrets(resource)) == []
    assert without_secrets(resource) == resource


@pytest.mark.parametrize(
    ("resource", "paths"),
    [
        (auth({"apiKeyConfig": {"keyName": "k"}}), ["$.openApiSpec.authentication.apiKeyConfig.apiKey"]),
        (auth({"bearerTokenConfig": {}}), ["$.openApiSpec.authentication.bearerTokenConfig.token"]),
        (auth({"apiKeyConfig": {"secretVersionForApiKey": "v"}}), []),
        (auth({"oauthConfig": {"clientSecret": "s"}}), []),
        (auth({"serviceAgentAuthConfig": {}}), []),
        ({"functionSpec": {}}, []),
    ],
)
def test_a_missing_secret_is_found(resource: JsonObject, paths: list[str]) -> None:
    assert [place.path for place in missing_secrets(resource)] == paths


@pytest.mark.parametrize(
    ("resource", "message", "command"),
    [
        (
            auth({"apiKeyConfig": {}}),
            "the tool needs apiKey; store it as a secret, and set secretVersionForApiKey to "
            "projects/p/secrets/find-a-pet-api-key/versions/latest",
            "openplaybook secrets set projects/p/secrets/find-a-pet-api-key",
        ),
        (
            schemes({"oauthConfig": {}}),
            "the tool needs clientSecret; store it as a secret, and set secretVersionForClientSecret to "
            "projects/p/secrets/find-a-pet-client-secret-0/versions/latest",
            "openplaybook secrets set projects/p/secrets/find-a-pet-client-secret-0",
        ),
        (
            {"connectorSpec": {"endUserAuthConfig": {"oauth2JwtBearerConfig": {}}}},
            "the tool needs clientKey; set it in this field, where it is encrypted",
            "",
        ),
    ],
)
def test_it_is_told_how_a_missing_secret_is_given(resource: JsonObject, message: str, command: str) -> None:
    [place] = missing_secrets(resource)
    assert how_to_give(place, "p", "Find a pet!") == (message, command)


def test_a_proposed_name_is_one_that_a_secret_may_have() -> None:
    [place] = missing_secrets(auth({"apiKeyConfig": {}}))
    for display_name in ("", "日本", "a" * 300, "-_-"):
        proposed = how_to_give(place, "p", display_name)[1].removeprefix("openplaybook secrets set ")
        assert str(SecretName.parse(proposed)) == proposed


def test_named_secrets_stand_with_their_places() -> None:
    config: JsonObject = {"apiKeyConfig": {"secretVersionForApiKey": "projects/q/secrets/s/versions/3"}}
    path = "$.openApiSpec.authentication.apiKeyConfig.secretVersionForApiKey"
    assert list(named_secrets(auth(config))) == [(path, "projects/q/secrets/s")]
    assert list(named_secrets(auth({"apiKeyConfig": {"secretVersionForApiKey": ""}}))) == []
