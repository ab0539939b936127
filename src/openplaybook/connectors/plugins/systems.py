"""The kinds of systems of this room, and how a connection to one is opened. No driver is loaded for telling of them."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import cast

from openplaybook.connectors.base import EntityOperation, SystemConnection
from openplaybook.connectors.definitions import (
    AuthenticationKind,
    AuthenticationTemplate,
    ConfigTemplate,
    ConnectorDefinition,
    ConsentEndpoints,
    Engine,
    Evidence,
    SystemAccess,
    ValueType,
)
from openplaybook.connectors.errors import DriverAbsent, InvalidConnection
from openplaybook.connectors.plugins.base import EntitySource
from openplaybook.connectors.rest.manifest.authentication_keys import google_ways
from openplaybook.connectors.settings import ConnectionSettings

_EXTRA = "connectors"
_HOST = ConfigTemplate("host", "Host", "Name or address of the server, unless a destination says it.")
_PORT = ConfigTemplate("port", "Port", "Of the server; the usual one where it is empty.", ValueType.INT)
_READ_ONLY = ConfigTemplate(
    "read_only", "Read only", "Whether nothing may be changed.", ValueType.BOOL, default="false"
)
_WRITE_CAP = ConfigTemplate(
    "write_cap", "Write cap", "Entities that one write by condition may change.", ValueType.INT, default="50"
)
_USER = ConfigTemplate("user", "User", "The user whose password a session's token stands for.")
_LIMITS = (_READ_ONLY, _WRITE_CAP)
_PASSWORD = AuthenticationTemplate(AuthenticationKind.USER_PASSWORD, "User and password")

FTP = ConnectorDefinition(
    id="ftp",
    title="FTP",
    engine=Engine.PLUGIN,
    evidence=Evidence.REAL_PRODUCT,
    evidence_note="Tested with pyftpdlib 2 (FTP) and the server of asyncssh 2 (SFTP); FTPS with a server of our own.",
    authentications=(
        _PASSWORD,
        AuthenticationTemplate(AuthenticationKind.SSH_PUBLIC_KEY, "Private key (SFTP)"),
    ),
    config=(
        _HOST,
        _PORT,
        ConfigTemplate(
            "protocol",
            "Protocol",
            "FTPS is FTP that is made secure before the login (AUTH TLS).",
            ValueType.ENUM,
            options=("ftp", "ftps", "sftp"),
            default="ftps",
        ),
        ConfigTemplate(
            "root", "Root folder", "Nothing outside of it can be reached; empty for the folder a login begins in."
        ),
        ConfigTemplate(
            "host_key",
            "Host key",
            "Fingerprints of the server's key as ssh-keygen -l shows them (SHA256:…), comma separated; for SFTP.",
        ),
        ConfigTemplate(
            "trust_any_host_key",
            "Trust any host key",
            "Whether any server is taken for the one that is meant, which lets others read the password; for SFTP.",
            ValueType.BOOL,
            default="false",
        ),
        _USER,
        *_LIMITS,
    ),
    description="Files on a server that speaks FTP, FTPS or SFTP.",
    category="Files",
    documentation="https://www.rfc-editor.org/rfc/rfc3659",
    default_port=21,
    operations=(EntityOperation.LIST, EntityOperation.GET, EntityOperation.DELETE),
    extra=_EXTRA,
)


def _google(*scopes: str) -> tuple[AuthenticationTemplate, ...]:
    """What all systems of Google take."""
    consent = next(each for each in google_ways(scopes) if each.authorize and each.request is not None)
    endpoints = ConsentEndpoints(consent.authorize, consent.request.url if consent.request else "", consent.scopes)
    return (
        AuthenticationTemplate(AuthenticationKind.GOOGLE_AUTHENTICATION, "Google service account"),
        AuthenticationTemplate(AuthenticationKind.OAUTH2_AUTH_CODE_FLOW, "OAuth2 auth code", consent=endpoints),
        AuthenticationTemplate(AuthenticationKind.OAUTH2_JWT_BEARER, "JWT bearer"),
    )


CLOUD_STORAGE = ConnectorDefinition(
    id="cloud-storage",
    title="Cloud Storage",
    engine=Engine.PLUGIN,
    evidence=Evidence.VENDOR_DOCUMENT,
    evidence_note="Requests are held against Google's discovery document of Cloud Storage v1 of 9 October 2026.",
    authentications=_google("https://www.googleapis.com/auth/devstorage.read_write"),
    config=(
        ConfigTemplate("project", "Project", "Whose buckets are listed; needed unless there is a bucket."),
        ConfigTemplate("bucket", "Bucket", "The only one that can be reached; empty for all of the project."),
        *_LIMITS,
    ),
    description="Buckets and objects of Google Cloud Storage.",
    category="Files",
    documentation="https://cloud.google.com/storage/docs/json_api/v1",
    operations=(EntityOperation.LIST, EntityOperation.GET, EntityOperation.UPDATE, EntityOperation.DELETE),
)

FIRESTORE = ConnectorDefinition(
    id="firestore",
    title="Firestore",
    engine=Engine.PLUGIN,
    evidence=Evidence.VENDOR_DOCUMENT,
    evidence_note="Requests are held against Google's discovery document of Firestore v1 of 28 September 2026.",
    authentications=_google("https://www.googleapis.com/auth/datastore"),
    config=(
        ConfigTemplate("project", "Project", is_required=True),
        ConfigTemplate("database", "Database", default="(default)"),
        ConfigTemplate("collections", "Collections", "The only ones there are, comma separated; empty for all."),
        *_LIMITS,
    ),
    description="Collections of documents in Google's Firestore (native mode).",
    category="Databases",
    documentation="https://firebase.google.com/docs/firestore/reference/rest",
)

MONGODB = ConnectorDefinition(
    id="mongodb",
    title="MongoDB",
    version=2,
    engine=Engine.PLUGIN,
    evidence=Evidence.COMPILED_ONLY,
    evidence_note=(
        "MongoDB's driver is tested with a small server of its wire protocol that mongomock answers for, not with "
        "MongoDB itself."
    ),
    authentications=(_PASSWORD, AuthenticationTemplate(AuthenticationKind.NONE, "None")),
    config=(
        _HOST,
        _PORT,
        ConfigTemplate("database", "Database", is_required=True),
        ConfigTemplate("auth_source", "Authentication database", "Where the user is kept.", default="admin"),
        ConfigTemplate("collections", "Collections", "The only ones there are, comma separated; empty for all."),
        ConfigTemplate(
            "without_login", "Without login", "Whether the server asks for no user.", ValueType.BOOL, default="false"
        ),
        _USER,
        *_LIMITS,
    ),
    description="A database of one MongoDB server: the primary, or a mongos. Other members are not looked for.",
    category="Databases",
    documentation="https://www.mongodb.com/docs/manual/",
    default_port=27017,
    extra=_EXTRA,
)

NEO4J = ConnectorDefinition(
    id="neo4j",
    title="Neo4j",
    engine=Engine.PLUGIN,
    evidence=Evidence.COMPILED_ONLY,
    evidence_note=(
        "Neo4j's driver is tested with a small server of Bolt that knows the connector's own statements; Cypher is "
        "compared with what Neo4j's manual shows, not run by Neo4j."
    ),
    authentications=(_PASSWORD,),
    config=(
        _HOST,
        _PORT,
        ConfigTemplate("database", "Database", "Empty for the user's own."),
        ConfigTemplate(
            "labels",
            "Labels",
            "The only ones there are, comma separated; empty for all. Then there are no custom queries.",
        ),
        _USER,
        *_LIMITS,
    ),
    description="A graph in one Neo4j server, version 5 or later. Other members of a cluster are not looked for.",
    category="Databases",
    documentation="https://neo4j.com/docs/cypher-manual/current/",
    default_port=7687,
    takes_queries=True,
    extra=_EXTRA,
)

COUCHBASE = ConnectorDefinition(
    id="couchbase",
    title="Couchbase",
    engine=Engine.PLUGIN,
    evidence=Evidence.COMPILED_ONLY,
    evidence_note=(
        "Requests and SQL++ are compared with what Couchbase's manual shows, and answered by a small stand-in that "
        "knows the connector's own statements; no Couchbase server runs in the tests."
    ),
    authentications=(_PASSWORD,),
    config=(
        _HOST,
        _PORT,
        ConfigTemplate("bucket", "Bucket", is_required=True),
        ConfigTemplate("scope", "Scope", default="_default"),
        ConfigTemplate(
            "collections",
            "Collections",
            "The only ones there are, comma separated; empty for all of the scope. Then there are no custom queries.",
        ),
        ConfigTemplate(
            "durability",
            "Durability",
            "Of what custom queries change; empty for the server's own default, which a server without replicas may "
            "not be able to keep.",
            ValueType.ENUM,
            options=("none", "majority", "majorityAndPersistActive", "persistToMajority"),
        ),
        _USER,
        *_LIMITS,
    ),
    description="Collections of one scope, by the query service (HTTPS); a collection needs an index to be listed.",
    category="Databases",
    documentation="https://docs.couchbase.com/server/current/n1ql/n1ql-rest-api/index.html",
    default_port=18093,
    takes_queries=True,
)

BIGQUERY = ConnectorDefinition(
    id="bigquery",
    title="BigQuery",
    engine=Engine.PLUGIN,
    evidence=Evidence.VENDOR_DOCUMENT,
    evidence_note=(
        "Requests are held against Google's discovery document bigquery v2 of 9 October 2026; statements run on SQLite."
    ),
    authentications=_google("https://www.googleapis.com/auth/bigquery"),
    config=(
        ConfigTemplate("project", "Project", "That pays for queries and has the dataset.", is_required=True),
        ConfigTemplate("dataset", "Dataset", is_required=True),
        ConfigTemplate("location", "Location", "Where the dataset is, such as EU; found out where it is empty."),
        ConfigTemplate("tables", "Tables", "The only ones there are, comma separated; then there are no queries."),
        ConfigTemplate(
            "most_bytes", "Most bytes", "That one statement may be billed for; 0 for any.", ValueType.INT, default="0"
        ),
        *_LIMITS,
    ),
    description=(
        "Tables and views of one dataset. Rows of tables without a primary key can be listed and added; those with "
        "NULL in their key are not listed."
    ),
    category="Databases",
    documentation="https://cloud.google.com/bigquery/docs/reference/rest",
    takes_queries=True,
)

SPANNER = ConnectorDefinition(
    id="cloud-spanner",
    title="Cloud Spanner",
    engine=Engine.PLUGIN,
    evidence=Evidence.VENDOR_DOCUMENT,
    evidence_note=(
        "Requests are held against Google's discovery document spanner v1 of 6 October 2026; statements run on SQLite."
    ),
    authentications=_google("https://www.googleapis.com/auth/spanner.data"),
    config=(
        ConfigTemplate("project", "Project", is_required=True),
        ConfigTemplate("instance", "Instance", is_required=True),
        ConfigTemplate("database", "Database", "Of the GoogleSQL dialect.", is_required=True),
        ConfigTemplate("schema", "Schema", "Empty for the default one."),
        ConfigTemplate("tables", "Tables", "The only ones there are, comma separated; then there are no queries."),
        *_LIMITS,
    ),
    description="Tables of one database of Cloud Spanner. Rows with NULL in their key are not listed.",
    category="Databases",
    documentation="https://cloud.google.com/spanner/docs/reference/rest",
    takes_queries=True,
)

DEFINITIONS: tuple[ConnectorDefinition, ...] = (
    BIGQUERY,
    CLOUD_STORAGE,
    COUCHBASE,
    FIRESTORE,
    FTP,
    MONGODB,
    NEO4J,
    SPANNER,
)


@dataclass(frozen=True, slots=True)
class _Opening:
    """Where a source is made, and the driver's package; empty without one."""

    module: str
    package: str = ""


_OPENINGS: Mapping[str, _Opening] = {
    BIGQUERY.id: _Opening("google_sql.bigquery"),
    SPANNER.id: _Opening("google_sql.spanner"),
    CLOUD_STORAGE.id: _Opening("cloud_storage"),
    COUCHBASE.id: _Opening("couchbase.document_source"),
    FIRESTORE.id: _Opening("firestore"),
    FTP.id: _Opening("file_transfer.file_connection", "asyncssh"),
    MONGODB.id: _Opening("mongodb.mongo_source", "pymongo"),
    NEO4J.id: _Opening("neo4j_graph.graph_source", "neo4j"),
}
_KNOWN: Mapping[str, ConnectorDefinition] = {each.id: each for each in DEFINITIONS}

ConnectionMaker = Callable[[ConnectorDefinition, ConnectionSettings, SystemAccess], SystemConnection]
SourceMaker = Callable[[ConnectorDefinition, ConnectionSettings, SystemAccess], EntitySource]
"""Each module has one, by the name `opened_source`. Raises `InvalidConnection` and `CredentialAbsent`."""


async def open_plugin(settings: ConnectionSettings, access: SystemAccess) -> SystemConnection:
    """A connection to one of these systems; nothing is sent yet. Raises `InvalidConnection`, `CredentialAbsent` and
    `DriverAbsent`."""
    if settings.connector not in _KNOWN:
        raise InvalidConnection("connectorVersion", f"{settings.connector} is none of {', '.join(_KNOWN)}")
    # In a thread, and only now: drivers are large, and many servers have no such system.
    made = await asyncio.to_thread(_maker, _OPENINGS[settings.connector])
    return made(_KNOWN[settings.connector], settings, access)


def _maker(opening: _Opening) -> ConnectionMaker:
    from openplaybook.connectors.plugins.plugin_connection import PluginConnection

    try:
        module = import_module(f"openplaybook.connectors.plugins.{opening.module}")
    except ModuleNotFoundError as error:
        if not opening.package or error.name is None or error.name.startswith("openplaybook"):
            raise
        raise DriverAbsent(opening.package, _EXTRA) from error
    source = cast(SourceMaker, module.opened_source)
    return lambda definition, settings, access: PluginConnection(settings, source(definition, settings, access))
