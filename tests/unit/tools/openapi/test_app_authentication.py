import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.openapi.app_authentication import v3beta1_authentication

SECRET = "projects/p/secrets/s/versions/1"


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ({}, {}),
        (
            {"apiKeyConfig": {"keyName": "X-Key", "apiKeySecretVersion": SECRET, "requestLocation": "HEADER"}},
            {"apiKeyConfig": {"keyName": "X-Key", "secretVersionForApiKey": SECRET, "requestLocation": "HEADER"}},
        ),
        (
            {"oauthConfig": {"clientId": "c", "clientSecretVersion": SECRET, "tokenEndpoint": "https://t"}},
            {
                "oauthConfig": {
                    "oauthGrantType": "CLIENT_CREDENTIAL",
                    "clientId": "c",
                    "secretVersionForClientSecret": SECRET,
                    "tokenEndpoint": "https://t",
                }
            },
        ),
        ({"serviceAgentIdTokenAuthConfig": {}}, {"serviceAgentAuthConfig": {"serviceAgentAuth": "ID_TOKEN"}}),
        (
            {"serviceAccountAuthConfig": {"serviceAccount": "a@b", "scopes": ["s"]}},
            {"serviceAccountAuthConfig": {"serviceAccount": "a@b", "scopes": ["s"]}},
        ),
        (
            {"bearerTokenConfig": {"token": "$context.variables.token"}},
            {"bearerTokenConfig": {"token": "$session.params.token"}},
        ),
    ],
)
def test_every_authentication_of_apps_is_one_of_dialogflows(given: JsonObject, made: JsonObject) -> None:
    assert v3beta1_authentication(given) == made
