"""What manifests say of how connections prove themselves."""

from openplaybook.connectors.rest.manifest.authentication_keys import read_authentications
from openplaybook.connectors.rest.manifest.manifest_node import ManifestNode
from openplaybook.jsonvalues import JsonObject

TOKENS = "https://oauth2.googleapis.com/token"


def test_a_system_of_google_takes_a_users_consent_and_a_service_accounts_key_too() -> None:
    google, consent, key = (way for way, _ in read_authentications([node({"kind": "google", "scopes": ["s"]})]))
    assert (google.kind, google.request) == ("google", None)
    assert consent.kind == "oauth2_auth_code"
    assert consent.request is not None
    assert consent.request.url == TOKENS
    assert "access_type=offline" in consent.authorize
    assert key.kind == "jwt_bearer"
    assert key.request is not None
    assert key.request.url == TOKENS
    assert google.scopes == consent.scopes == key.scopes == ("s",)


def test_what_a_manifest_says_itself_stands() -> None:
    own = node({"kind": "jwt_bearer", "token_url": "https://acme.example/token"})
    ways = [way for way, _ in read_authentications([node({"kind": "google"}), own])]
    assert [way.kind for way in ways] == ["google", "jwt_bearer", "oauth2_auth_code"]
    assert ways[1].request is not None
    assert ways[1].request.url == "https://acme.example/token"


def node(members: JsonObject) -> ManifestNode:
    return ManifestNode(members, "acme.auth")
