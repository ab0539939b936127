"""Which of Google's packages hold the API."""

from dataclasses import dataclass


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
    ),
)
"""Of a large API the part that fills and searches stores."""

SOURCES = (DIALOGFLOW_V3, DIALOGFLOW_V3BETA1, CES_V1, CES_V1BETA, DISCOVERY_ENGINE)
"""Every API version served."""

BETA_OF = ((DIALOGFLOW_V3, DIALOGFLOW_V3BETA1), (CES_V1, CES_V1BETA))
"""Stable version and the beta version that contains it: the server works on beta shapes alone."""
