"""How a connection proves itself: which of the manifest's ways it takes, and what that puts into each request.

With a session's credential nothing else is used: the connection's secret config variables do not even reach the
placeholders.
"""

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

from openplaybook.connectors.definitions import ConfigTemplate, SystemAccess, ValueType
from openplaybook.connectors.errors import AuthenticationRefused, CredentialAbsent, InvalidConnection, SystemUnavailable
from openplaybook.connectors.rest.manifest.authentication_model import AuthenticationManifest, HeaderCredential
from openplaybook.connectors.rest.manifest.model import SystemManifest
from openplaybook.connectors.rest.manifest.placeholders import filled, text_placeholders
from openplaybook.connectors.rest.manifest.reader import KINDS
from openplaybook.connectors.rest.token_requests import TokenSource, token_source
from openplaybook.connectors.settings import (
    AccessToken,
    Authentication,
    ConnectionSettings,
    GoogleAccount,
    JwtBearer,
    OAuthClient,
    OAuthRefresh,
    UserPassword,
)
from openplaybook.credentials.errors import CredentialError, CredentialUnavailable
from openplaybook.telemetry.redaction import MASK

_TOKEN = "{auth.token}"
_BEARER = (HeaderCredential("header", "Authorization", "Bearer {auth.token}"),)
_KINDS: Mapping[type, tuple[str, ...]] = {
    UserPassword: ("basic", "username_token"),
    OAuthClient: ("oauth2_client_credentials",),
    OAuthRefresh: ("oauth2_auth_code",),
    JwtBearer: ("jwt_bearer",),
    GoogleAccount: ("google",),
    type(None): ("none", "bearer", "api_key", "two_step"),
}
_TOKEN_KINDS = ("oauth2_auth_code", "oauth2_client_credentials", "jwt_bearer", "google", "bearer", "api_key")


@dataclass(frozen=True, slots=True)
class RequestCredential:
    """What a request gets."""

    headers: tuple[tuple[str, str], ...] = ()
    query: tuple[tuple[str, str], ...] = ()
    username_token: tuple[str, str] = field(default=("", ""), repr=False)
    """User and password in envelopes of SOAP; empty where nothing stands there."""
    secrets: tuple[str, ...] = field(default=(), repr=False)
    """Everything in it that may be shown to nobody."""
    token: str = field(default="", repr=False)
    """One that was fetched and can be fetched anew; empty for what is written in the settings."""


class ConnectionAuthentication:
    """The credential of one connection."""

    def __init__(self, manifest: SystemManifest, settings: ConnectionSettings, access: SystemAccess) -> None:
        """Raises `InvalidConnection` and `CredentialAbsent` where the settings do not suit."""
        self._access = access
        self._settings = settings
        self.way = chosen_way(manifest, settings)
        self.values = config_values(manifest, settings)
        """What placeholders stand for, `config.…` and `auth.…`."""
        self._credentials = self._with_override(settings.authentication)
        self._secrets = _secrets(manifest, settings)
        self._check(manifest)
        self._source: TokenSource | None = None
        if any(_TOKEN in each.value for each in self._credentials) and "auth.token" not in self.values:
            self._source = token_source(self.way, settings, access, self.values)

    async def current(self, timeout_s: float) -> RequestCredential:
        """What the next request gets. Raises `AuthenticationRefused` and `SystemUnavailable` where no token is to be
        had."""
        if self._source is None:
            return self._made("", is_fetched=False)
        try:
            token = await self._access.tokens.get(self._source.key, self._source.fetch, timeout_s)
        except CredentialUnavailable as error:
            raise SystemUnavailable(str(error)) from error
        except CredentialError as error:
            raise AuthenticationRefused(str(error)) from error
        return self._made(token, is_fetched=True)

    def rehearsed(self) -> RequestCredential:
        """The same for a request that is only told; no token is fetched."""
        return self._made(MASK, is_fetched=False)

    def refused(self, credential: RequestCredential) -> bool:
        """Told that the system answered 401: whether another token may be had now."""
        if not credential.token:
            return False
        self._access.tokens.forget(credential.token)
        self._access.identity.forget(credential.token)
        return True

    def _with_override(self, given: Authentication) -> tuple[HeaderCredential, ...]:
        """The manifest's credentials; a given token takes its place in them, or is a bearer token."""
        credentials = self.way.credentials
        if not isinstance(given, AccessToken):
            return credentials
        self.values["auth.token"] = given.token
        if any(_TOKEN in each.value for each in credentials):
            return credentials
        if self.way.override:
            name = "auth.password" if self.way.override == "password" else f"config.{self.way.override}"
            self.values[name] = given.token
            return credentials
        return _BEARER

    def _check(self, manifest: SystemManifest) -> None:
        """Raises `CredentialAbsent` for a credential with a part that nobody gave."""
        for each in self._credentials:
            for name in text_placeholders(each.value):
                if name != "auth.token" and not self.values.get(name):
                    where = name.replace("config.", "configVariables.").replace("auth.", "authConfig.")
                    raise CredentialAbsent(f"{manifest.definition.title} needs {where} to prove who asks")

    def _made(self, token: str, *, is_fetched: bool) -> RequestCredential:
        values = {**self.values, "auth.token": token} if token else self.values
        headers: list[tuple[str, str]] = []
        query: list[tuple[str, str]] = []
        envelope = ("", "")
        secrets = [*self._secrets, token if is_fetched else ""]
        for each in self._credentials:
            text = filled(each.value, values)
            if each.place == "query":
                query.append((each.name, text))
            elif each.place == "envelope":
                user, _, password = text.partition("\n")
                secrets.append(escape(password))
                envelope = (user, password)
            elif each.place == "basic":
                pair = b64encode(text.encode()).decode()
                secrets.append(pair)
                headers.append((each.name, f"Basic {pair}"))
            else:
                headers.append((each.name, _header_value(text, each.name)))
        kept = tuple(secret for secret in secrets if secret and secret != MASK)
        return RequestCredential(tuple(headers), tuple(query), envelope, kept, token if is_fetched else "")


def chosen_way(manifest: SystemManifest, settings: ConnectionSettings) -> AuthenticationManifest:
    """The way that suits the connection's authentication. Raises `InvalidConnection`."""
    ways = {way.kind: way for way in manifest.authentications}
    given = settings.authentication
    wanted = _TOKEN_KINDS if isinstance(given, AccessToken) else _KINDS.get(type(given), ())
    found = next((ways[kind] for kind in wanted if kind in ways), None)
    if found is None and isinstance(given, AccessToken):
        return manifest.authentications[0]
    if found is None:
        known = ", ".join(KINDS[kind].value for kind in ways)
        raise InvalidConnection("authConfig.authType", f"does not suit {manifest.definition.title}; it takes: {known}")
    return found


def config_templates(manifest: SystemManifest, way: AuthenticationManifest) -> tuple[ConfigTemplate, ...]:
    """All config variables of a connection that proves itself in a way."""
    kind = KINDS[way.kind]
    own = next((each.variables for each in manifest.definition.authentications if each.kind is kind), ())
    return (*manifest.definition.config, *own)


def config_values(manifest: SystemManifest, settings: ConnectionSettings) -> dict[str, str]:
    """`config.KEY` and `auth.…` → text, with the defaults of what is not given; secrets only where they are the
    connection's own to use."""
    values: dict[str, str] = {}
    for template in config_templates(manifest, chosen_way(manifest, settings)):
        if template.value_type is ValueType.SECRET and settings.is_overridden:
            continue
        values[f"config.{template.key}"] = settings.text(template.key, template.default)
    given = settings.authentication
    if isinstance(given, UserPassword):
        values |= {"auth.user": given.user, "auth.password": given.password}
    return values


def _secrets(manifest: SystemManifest, settings: ConnectionSettings) -> list[str]:
    """Every secret of the settings, for masking: also what this call may not use."""
    given = settings.authentication
    found = [
        str(getattr(given, name))
        for name in ("password", "token", "client_secret", "refresh_token", "client_key")
        if hasattr(given, name)
    ]
    for way in manifest.authentications:
        for template in config_templates(manifest, way):
            if template.value_type is ValueType.SECRET:
                found.append(settings.text(template.key))
    return found


def _header_value(text: str, name: str) -> str:
    if any(ord(char) < 0x20 or ord(char) == 0x7F for char in text):
        raise InvalidConnection("authConfig", f"holds a line break or control character, which {name} cannot carry")
    return text
