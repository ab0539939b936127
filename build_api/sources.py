"""Which of Google's packages hold the API, and which discovery documents stand in where there is no package."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import Any, TypeAlias

DocumentPart: TypeAlias = Mapping[str, Any]
"""A JSON object within a discovery document."""


@dataclass(frozen=True, slots=True)
class Source:
    """One version of one Google API, as a generated Python client package."""

    module: str
    """Import name of the client package."""
    package: str
    """Proto package of its messages and services."""
    version: str
    """Version segment of its REST paths."""
    host: str
    """Service name, the first part of its resource types."""
    discovery: str
    """Its discovery document in google-api-python-client."""
    served: tuple[str, ...] = ()
    """The RPCs that are taken, as `Service.Method`, `*` for any letters; messages that none of them needs are left out
    then. Empty: everything."""


@dataclass(frozen=True, slots=True)
class Document:
    """One version of a Google API that has no client package: its discovery document in google-api-python-client."""

    name: str
    package: str
    """Proto package that its messages and services get."""
    version: str
    host: str
    served: tuple[str, ...]
    """The RPCs that are taken, as for `Source`."""
    results: Mapping[str, str] = field(default_factory=dict[str, str])
    """What the operations of RPCs result in; a name without dots is a message of the package."""
    metadata: str = ""
    """The message that says how far an operation is."""
    choices: Mapping[str, Mapping[str, tuple[str, ...]]] = field(
        default_factory=dict[str, Mapping[str, tuple[str, ...]]]
    )
    """Members of which a message has one at most, by message and by the name of the choice. Google's reference pages
    call them union fields; the document does not say so."""

    def read(self) -> DocumentPart:
        """The document itself."""
        folder = resources.files("googleapiclient.discovery_cache.documents")
        return json.loads(folder.joinpath(f"{self.name}.json").read_bytes())


DIALOGFLOW_V3 = Source(
    "google.cloud.dialogflowcx_v3", "google.cloud.dialogflow.cx.v3", "v3", "dialogflow.googleapis.com", "dialogflow.v3"
)
DIALOGFLOW_V3BETA1 = Source(
    "google.cloud.dialogflowcx_v3beta1",
    "google.cloud.dialogflow.cx.v3beta1",
    "v3beta1",
    "dialogflow.googleapis.com",
    "dialogflow.v3beta1",
)
CES_V1 = Source("google.cloud.ces_v1", "google.cloud.ces.v1", "v1", "ces.googleapis.com", "ces.v1")
CES_V1BETA = Source("google.cloud.ces_v1beta", "google.cloud.ces.v1beta", "v1beta", "ces.googleapis.com", "ces.v1beta")
DISCOVERY_ENGINE = Source(
    "google.cloud.discoveryengine_v1",
    "google.cloud.discoveryengine.v1",
    "v1",
    "discoveryengine.googleapis.com",
    "discoveryengine.v1",
    served=(
        "ConversationalSearchService.AnswerQuery",
        "DataStoreService.*",
        "DocumentService.*Document",
        "DocumentService.*Documents",
        "GroundedGenerationService.CheckGrounding",
        "SchemaService.GetSchema",
        "SchemaService.ListSchemas",
        "SearchService.*",
        "SiteSearchEngineService.BatchCreateTargetSites",
        "SiteSearchEngineService.CreateTargetSite",
        "SiteSearchEngineService.DeleteTargetSite",
        "SiteSearchEngineService.GetSiteSearchEngine",
        "SiteSearchEngineService.GetTargetSite",
        "SiteSearchEngineService.ListTargetSites",
        "SiteSearchEngineService.RecrawlUris",
        "SiteSearchEngineService.UpdateTargetSite",
    ),
)
"""Of a large API the part that fills and searches stores."""

SOURCES = (DIALOGFLOW_V3, DIALOGFLOW_V3BETA1, CES_V1, CES_V1BETA, DISCOVERY_ENGINE)
"""Every API version served."""

BETA_OF = ((DIALOGFLOW_V3, DIALOGFLOW_V3BETA1), (CES_V1, CES_V1BETA))
"""Stable version and the beta version that contains it: the server works on beta shapes alone."""

CONNECTORS_V1 = Document(
    "connectors.v1",
    "google.cloud.connectors.v1",
    "v1",
    "connectors.googleapis.com",
    served=(
        "ConnectionSchemaMetadataService.*",
        "Connections.CreateConnection",
        "Connections.DeleteConnection",
        "Connections.GetConnection",
        "Connections.GetConnectionSchemaMetadata",
        "Connections.ListConnections",
        "Connections.SearchConnections",
        "Connections.UpdateConnection",
        "Connectors.*",
        "Locations.GetLocation",
        "Locations.ListLocations",
        "Operations.*",
        "Providers.GetProvider",
        "Providers.ListProviders",
        "RuntimeActionSchemas.*",
        "RuntimeEntitySchemas.*",
        "Versions.*",
    ),
    results={
        "CreateConnection": "Connection",
        "DeleteConnection": "google.protobuf.Empty",
        "GetAction": "RuntimeActionSchema",
        "GetEntityType": "RuntimeEntitySchema",
        "RefreshConnectionSchemaMetadata": "ConnectionSchemaMetadata",
        "UpdateConnection": "Connection",
    },
    metadata="OperationMetadata",
    choices={
        "AuthConfig": {
            "type": (
                "userPassword",
                "oauth2JwtBearer",
                "oauth2ClientCredentials",
                "sshPublicKey",
                "oauth2AuthCodeFlow",
                "oauth2AuthCodeFlowGoogleManaged",
            )
        },
        "ConfigVariable": {
            "value": ("intValue", "boolValue", "stringValue", "secretValue", "encryptionKeyValue"),
        },
        "Destination": {"destination": ("serviceAttachment", "host")},
    },
)
"""Of Integration Connectors: connections, what they reach, and the connectors that there are."""

CONNECTORS_V2 = Document(
    "connectors.v2",
    "google.cloud.connectors.v2",
    "v2",
    "connectors.googleapis.com",
    served=(
        "Actions.*",
        "Connections.CheckReadiness",
        "Connections.CheckStatus",
        "Connections.ExchangeAuthCode",
        "Connections.ExecuteSqlQuery",
        "Connections.ListToolsPost",
        "Connections.RefreshAccessToken",
        "Entities.*",
        "EntityTypes.*",
        "Tools.*",
    ),
)
"""Of Integration Connectors: what a connection does."""

DOCUMENTS = (CONNECTORS_V1, CONNECTORS_V2)
"""Every API version served that has no package."""
