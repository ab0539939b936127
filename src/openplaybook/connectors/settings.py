"""What a connection is made of: its connector, address, credential, limits; secrets among them are resolved already.

Settings are compared as a whole: an opened connection is used again only for equal settings, so that neither a changed
password nor another user's token ever finds the connection of before.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from openplaybook.connectors.base import DEFAULT_WRITE_CAP
from openplaybook.connectors.errors import CredentialAbsent, InvalidConnection

ConfigValue: TypeAlias = str | int | bool


@dataclass(frozen=True, slots=True)
class UserPassword:
    """A user and a password: of a database, or for HTTP's basic authentication."""

    user: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class AccessToken:
    """A token as it is sent (RFC 6750); one that a session gives stands for whatever the connection has."""

    token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class OAuthClient:
    """OAuth's client credentials grant (RFC 6749 §4.4)."""

    client_id: str
    client_secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class OAuthRefresh:
    """A refresh token that a user has consented to (RFC 6749 §6)."""

    client_id: str
    client_secret: str = field(repr=False)
    refresh_token: str = field(repr=False)
    """As the user's consent gave it: it tells consents apart. `SystemAccess.refresh_tokens` has the one of now."""
    token_url: str = ""
    """Where the connection's own settings name it; else the connector's."""


@dataclass(frozen=True, slots=True)
class JwtBearer:
    """A signed assertion for an access token (RFC 7523 §2.1)."""

    issuer: str
    subject: str
    client_key: str = field(repr=False)
    """PEM, PKCS #8."""
    audience: str = ""


@dataclass(frozen=True, slots=True)
class SshKey:
    """A user's private key for SFTP (RFC 4252 §7)."""

    user: str
    private_key: str = field(repr=False)
    """PEM."""
    passphrase: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class GoogleAccount:
    """A Google service account that this server may act as; empty: the server's own."""

    service_account: str = ""


Authentication: TypeAlias = (
    UserPassword | AccessToken | OAuthClient | OAuthRefresh | JwtBearer | SshKey | GoogleAccount | None
)


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a system is reached."""

    host: str
    port: int = 0
    """0 for the usual one."""


@dataclass(frozen=True, slots=True)
class TlsSettings:
    """How the system proves itself, and we to it (`sslConfig`)."""

    is_used: bool = False
    """Whether it must be used; HTTP systems always use it unless the operator lets a plain address through."""
    ca_certificate: str = ""
    """PEM, in place of the machine's; of trust model PRIVATE."""
    skips_verification: bool = False
    """Trust model INSECURE."""
    client_certificate: str = ""
    client_key: str = field(default="", repr=False)
    client_key_passphrase: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class ConnectionSettings:
    """A connection as it is opened."""

    name: str
    """Resource name, `projects/P/locations/L/connections/C`."""
    connector: str
    """Id of the connector in the catalogue, such as `postgresql`."""
    config: Mapping[str, ConfigValue] = field(default_factory=dict[str, ConfigValue], repr=False)
    """`configVariables` by key, those of the authentication (`additionalVariables`) included; secrets are in plain."""
    authentication: Authentication = None
    destinations: Mapping[str, Destination] = field(default_factory=dict[str, Destination])
    """`destinationConfigs`: the first destination of each key."""
    tls: TlsSettings = TlsSettings()
    allows_override: bool = False
    """`authOverrideEnabled`."""
    is_overridden: bool = False
    """Whether the authentication is a session's: then nothing may use another credential."""

    def text(self, key: str, default: str = "") -> str:
        """A config variable as text."""
        value = self.config.get(key, default)
        return str(value).lower() if isinstance(value, bool) else str(value)

    def number(self, key: str, default: int) -> int:
        """A config variable as a whole number. Raises `InvalidConnection`."""
        value = self.config.get(key, default)
        try:
            return int(value)
        except ValueError:
            raise InvalidConnection(f"configVariables.{key}", f"must be a whole number, not {value!r}") from None

    def flag(self, key: str) -> bool:
        """A config variable as true or false; false where it is absent. Raises `InvalidConnection`."""
        value = self.config.get(key, False)
        if isinstance(value, str) and value.lower() not in ("true", "false", ""):
            raise InvalidConnection(f"configVariables.{key}", f"must be true or false, not {value!r}")
        return value.lower() == "true" if isinstance(value, str) else bool(value)

    @property
    def is_read_only(self) -> bool:
        """Whether nothing may be changed: the config variable `read_only`."""
        return self.flag("read_only")

    @property
    def write_cap(self) -> int:
        """The most entities that one write by condition may change: the config variable of this name. Raises
        `InvalidConnection`."""
        cap = self.number("write_cap", DEFAULT_WRITE_CAP)
        if cap < 1:
            raise InvalidConnection("configVariables.write_cap", f"must be at least 1, not {cap}")
        return cap

    def destination(self, default_port: int = 0) -> Destination:
        """Host and port: of the first destination, else of the config variables `host` and `port`. Raises
        `InvalidConnection` without a host."""
        given = next(iter(self.destinations.values()), None) or Destination(self.text("host"), self.number("port", 0))
        if not given.host:
            raise InvalidConnection("configVariables.host", "is required (or a destination in destinationConfigs)")
        return given if given.port else replace(given, port=default_port)

    def login(self) -> UserPassword:
        """User and password; a session's token stands for the password of the config variable `user`. Raises
        `CredentialAbsent` and `InvalidConnection`."""
        given = self.authentication
        if isinstance(given, UserPassword):
            return given
        if given is None:
            raise CredentialAbsent("the system needs a user and a password")
        if not isinstance(given, AccessToken):
            kind = type(given).__name__
            raise InvalidConnection("authConfig.authType", f"{kind} is no credential of this system; USER_PASSWORD is")
        user = self.text("user")
        if not user:
            raise InvalidConnection("configVariables.user", "is required where a token stands for the password")
        return UserPassword(user, given.token)

    def overridden(self, authentication: Authentication) -> "ConnectionSettings":
        """The same with a session's credential in place of the connection's own, which is not in it any more, nor is
        its client certificate, which proves the connection as a password does."""
        tls = replace(self.tls, client_certificate="", client_key="", client_key_passphrase="")
        return replace(self, authentication=authentication, tls=tls, is_overridden=True)
