"""The keys of `auth`: how connections prove themselves, and how tokens are asked for."""

from collections.abc import Iterable

from openplaybook.connectors.rest.manifest.authentication_model import (
    AuthenticationManifest,
    HeaderCredential,
    TokenRequest,
)
from openplaybook.connectors.rest.manifest.manifest_node import ManifestNode
from openplaybook.jsonvalues import JsonObject

_BEARER = "Bearer {auth.token}"
_PLACES = ("header", "query")


_GOOGLE: dict[str, JsonObject] = {
    # A refresh token is given for offline access only, and anew only where the user is asked anew.
    "oauth2_auth_code": {
        "authorize_url": "https://accounts.google.com/o/oauth2/v2/auth?access_type=offline&prompt=consent",
        "token_url": "https://oauth2.googleapis.com/token",
    },
    "jwt_bearer": {"token_url": "https://oauth2.googleapis.com/token"},
}
"""What all systems of Google take besides `google`: a user's consent, and the key of a service account, which may act
for a user of its domain."""


def read_authentications(nodes: list[ManifestNode]) -> list[tuple[AuthenticationManifest, ManifestNode]]:
    """The ways of a manifest; `google` brings those that all systems of Google take."""
    ways = [read_authentication(each) for each in nodes]
    kinds = {way.kind for way, _ in ways}
    for way, node in list(ways):
        if way.kind == "google":
            more = [
                ManifestNode({"kind": kind, "scopes": [*way.scopes], **keys}, node.path)
                for kind, keys in _GOOGLE.items()
            ]
            ways += [read_authentication(each) for each in more if each.take("kind") not in kinds]
    return ways


def google_ways(scopes: Iterable[str]) -> list[AuthenticationManifest]:
    """The ways that all systems of Google take, with these scopes."""
    return [way for way, _ in read_authentications([ManifestNode({"kind": "google", "scopes": [*scopes]}, "google")])]


def read_authentication(node: ManifestNode) -> tuple[AuthenticationManifest, ManifestNode]:
    """A way, and the node, of which `variables` and `title` are left to be read."""
    kind = node.required_text("kind")
    credentials = _credentials(kind, node) + tuple(_credential(each, "") for each in node.children("also"))
    made = AuthenticationManifest(
        kind=kind,
        credentials=credentials,
        override=node.text("override"),
        scopes=node.texts("scopes"),
        request=_token_request(kind, node) if "token_url" in node else None,
        authorize=node.text("authorize_url"),
    )
    if kind in ("oauth2_client_credentials", "two_step", "jwt_bearer") and made.request is None:
        node.fail("token_url", f"is required for {kind}")
    return made, node


def _credentials(kind: str, node: ManifestNode) -> tuple[HeaderCredential, ...]:
    if kind == "none":
        return ()
    if kind == "basic":
        pair = f"{node.text('user', '{auth.user}')}:{node.text('password', '{auth.password}')}"
        return (HeaderCredential("basic", "Authorization", pair),)
    if kind == "username_token":
        pair = f"{node.text('user', '{auth.user}')}\n{node.text('password', '{auth.password}')}"
        return (HeaderCredential("envelope", "", pair),)
    if kind == "bearer":
        token = node.text("token", "{auth.token}")
        return (HeaderCredential("header", "Authorization", f"Bearer {token}"),)
    if kind == "api_key":
        return (_credential(node, "{config.api_key}"),)
    return (_credential(node, _BEARER),)


def _credential(node: ManifestNode, default: str) -> HeaderCredential:
    place = node.text("in", "header")
    if place not in _PLACES:
        node.fail("in", f"is {place!r}; one of {', '.join(_PLACES)} is expected")
    return HeaderCredential(place, node.text("name", "Authorization"), node.text("value", default))


def _token_request(kind: str, node: ManifestNode) -> TokenRequest:
    where = node.text("client_in", "body")
    if where not in ("body", "basic"):
        node.fail("client_in", f"is {where!r}; body or basic is expected")
    return TokenRequest(
        url=node.required_text("token_url"),
        method=node.text("token_method", "POST"),
        params=_texts(node.mapping("token_params")),
        json=_texts(node.mapping("token_json")),
        client_in=where,
        token=node.text("token_path", "access_token"),
        life=node.text("life_path", "expires_in"),
        life_s=float(node.number("life_s", 3600 if kind == "two_step" else 0)),
        audience=node.text("audience"),
    )


def _texts(members: JsonObject) -> dict[str, str]:
    return {str(name): str(value) for name, value in members.items()}
