"""What the catalogue says of a kind of system: how a connection to it is set up, what it can do, how that is known."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Protocol, TypeAlias

from openplaybook.connectors.base import EntityOperation, SystemConnection
from openplaybook.connectors.settings import ConnectionSettings
from openplaybook.credentials.base import Identity, NoIdentity
from openplaybook.credentials.token_cache import TokenCache
from openplaybook.egress.base import Resolver, Transport


class Engine(Enum):
    """What speaks to the system."""

    SQL = "sql"
    REST = "rest"
    ODATA = "odata"
    GRAPHQL = "graphql"
    PLUGIN = "plugin"


class Evidence(Enum):
    """What the connector's tests stand on: how far one can trust that it works with the vendor's system."""

    REAL_PRODUCT = "real product"
    """The system itself runs in the tests."""
    WIRE_COMPATIBLE = "wire-compatible server"
    """A real server that speaks the same protocol runs in the tests."""
    VENDOR_DOCUMENT = "vendor document"
    """Requests are held against the API document that the vendor publishes."""
    THIRD_PARTY_DOCUMENT = "third-party document"
    """The same with a document that others wrote or edited, or that is a part or an old version."""
    COMPILED_ONLY = "compiled only"
    """What would be sent is compared with what the vendor's documentation shows."""


class AuthenticationKind(Enum):
    """`AuthConfig.AuthType` of Integration Connectors."""

    USER_PASSWORD = "USER_PASSWORD"
    OAUTH2_JWT_BEARER = "OAUTH2_JWT_BEARER"
    OAUTH2_CLIENT_CREDENTIALS = "OAUTH2_CLIENT_CREDENTIALS"
    SSH_PUBLIC_KEY = "SSH_PUBLIC_KEY"
    OAUTH2_AUTH_CODE_FLOW = "OAUTH2_AUTH_CODE_FLOW"
    GOOGLE_AUTHENTICATION = "GOOGLE_AUTHENTICATION"
    NONE = "AUTH_TYPE_UNSPECIFIED"
    """No credential, or one in config variables such as an API key."""


class ValueType(Enum):
    """`ConfigVariableTemplate.ValueType` of Integration Connectors."""

    STRING = "STRING"
    INT = "INT"
    BOOL = "BOOL"
    SECRET = "SECRET"
    ENUM = "ENUM"


@dataclass(frozen=True, slots=True)
class ConfigTemplate:
    """A config variable that a connection may have."""

    key: str
    display_name: str
    description: str = ""
    value_type: ValueType = ValueType.STRING
    is_required: bool = False
    pattern: str = ""
    """Regular expression that the whole value meets; empty for any."""
    options: tuple[str, ...] = ()
    """Of an ENUM."""
    default: str = ""


@dataclass(frozen=True, slots=True)
class ConsentEndpoints:
    """Where a user consents, and where the code of it is exchanged (RFC 6749 §3); `{config.KEY}` in a URL stands for a
    config variable."""

    authorize_url: str
    token_url: str
    scopes: tuple[str, ...] = ()
    client_in: str = "body"
    """`body` or `basic` (RFC 6749 §2.3.1)."""


@dataclass(frozen=True, slots=True)
class AuthenticationTemplate:
    """A way in which a connection may prove itself."""

    kind: AuthenticationKind
    display_name: str
    variables: tuple[ConfigTemplate, ...] = ()
    """`additionalVariables` that it needs besides those of its kind."""
    consent: ConsentEndpoints | None = None
    """Of OAUTH2_AUTH_CODE_FLOW."""


@dataclass(frozen=True, slots=True)
class ConnectorDefinition:
    """A kind of system."""

    id: str
    """Lower case letters, digits and hyphens: a segment of resource names."""
    title: str
    engine: Engine
    evidence: Evidence
    evidence_note: str
    """One sentence: which server, or which document of which date."""
    authentications: tuple[AuthenticationTemplate, ...]
    """The default first."""
    config: tuple[ConfigTemplate, ...] = ()
    version: int = 1
    description: str = ""
    category: str = ""
    documentation: str = ""
    """URL of the vendor's documentation."""
    default_port: int = 0
    """Of a system that is dialled; 0 for one that is reached by URL."""
    has_own_host: bool = False
    """Of a system that is reached by URL: whether whoever runs it chooses the host, whatever its domain."""
    has_entities: bool = True
    operations: tuple[EntityOperation, ...] = tuple(EntityOperation)
    """What its entity types take together; a type may take fewer."""
    has_actions: bool = True
    """Whether it has actions of its own, queries apart."""
    takes_queries: bool = False
    """Whether `ExecuteCustomQuery` is among its actions."""
    extra: str = ""
    """Extra of openplaybook that brings its driver; empty where none is needed."""

    @property
    def takes_destination(self) -> bool:
        """Whether a connection may say where it is reached, and how TLS proves both sides there: people run it
        themselves. All others are where their vendor has them, with TLS as HTTP has it."""
        return self.default_port > 0 or self.has_own_host


class RefreshTokens(Protocol):
    """The refresh tokens of connections that are good now: many systems give another one at each use, and the one that
    was used is good for nothing from then on (RFC 6749 §6).

    They are not in the settings, which would change with each: an opened connection and its access token stay good.
    """

    async def current(self, connection: str) -> str:
        """The refresh token of a connection, by its resource name; empty where none is kept."""
        ...

    async def replaced(self, connection: str, token: str) -> None:
        """Keep the one that a system gave in place of the one that was used."""
        ...


@dataclass(frozen=True, slots=True)
class SystemAccess:
    """What connections reach their systems with; one for a server."""

    transport: Transport
    """For all HTTP."""
    resolver: Resolver
    """For drivers that are not HTTP: its addresses are checked, and exactly these must be dialled."""
    tokens: TokenCache = field(default_factory=TokenCache)
    identity: Identity = field(default_factory=NoIdentity)
    files: Mapping[str, Path] = field(default_factory=dict[str, Path])
    """SQLite files that the operator lets connections open, by the name that a connection's `database` gives."""
    refresh_tokens: RefreshTokens | None = None
    """None: refresh tokens are as settings have them, and what systems give in their place is lost."""
    documents: Path | None = None
    """A folder of vendors' API documents, from which fields are read besides those that are known without."""


Opener: TypeAlias = Callable[[ConnectionSettings, SystemAccess], Awaitable[SystemConnection]]
"""Makes a connection usable; nothing need be sent yet. Raises `InvalidConnection` and `DriverAbsent`."""


def config_problems(
    definition: ConnectorDefinition, kind: AuthenticationKind, given: Collection[str]
) -> list[tuple[str, str]]:
    """Key and sentence for each config variable that is missing or not known; `given` are the keys of a connection."""
    chosen = next((each for each in definition.authentications if each.kind is kind), None)
    templates = {each.key: each for each in (*definition.config, *(chosen.variables if chosen else ()))}
    known = ", ".join(templates) or "none"
    unknown = [(key, f"is no config variable of {definition.title}; there are: {known}") for key in given]
    missing = [(key, "is required") for key, each in templates.items() if each.is_required and key not in given]
    return [each for each in unknown if each[0] not in templates] + missing
