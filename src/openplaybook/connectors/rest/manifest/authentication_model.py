"""What a manifest says of how connections prove themselves."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class HeaderCredential:
    """What proves us in each request, made of placeholders."""

    place: str
    """`header`, `query`, `basic` for a value `USER:PASSWORD` that is sent in base64 (RFC 7617), or `envelope` for user
    and password, on a line each, in SOAP's envelopes (WS-Security, UsernameToken)."""
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class TokenRequest:
    """How an access token is asked for."""

    url: str
    method: str = "POST"
    params: Mapping[str, str] = field(default_factory=dict[str, str])
    """Members of the form, besides those of the grant."""
    json: Mapping[str, str] = field(default_factory=dict[str, str])
    """Members of a JSON body, in place of a form (`two_step`)."""
    client_in: str = "body"
    """`body` or `basic` (RFC 6749 §2.3.1)."""
    token: str = "access_token"
    """Path of the token; empty where the reply is the token."""
    life: str = "expires_in"
    life_s: float = 0.0
    """Seconds, where the reply does not say it."""
    audience: str = ""
    """Of `jwt_bearer`: the assertion's `aud`, where the connection names none."""


@dataclass(frozen=True, slots=True)
class AuthenticationManifest:
    """One way in which connections prove themselves."""

    kind: str
    """`none`, `bearer`, `api_key`, `basic`, `username_token`, `oauth2_client_credentials`, `oauth2_auth_code`,
    `jwt_bearer`, `google` or `two_step`."""
    credentials: tuple[HeaderCredential, ...]
    override: str = ""
    """What a session's token stands for in `credentials`: the key of a config variable, or `password`; empty: it is
    sent as `Authorization: Bearer …`."""
    scopes: tuple[str, ...] = ()
    request: TokenRequest | None = None
    authorize: str = ""
    """Of `oauth2_auth_code`: where a user consents."""
