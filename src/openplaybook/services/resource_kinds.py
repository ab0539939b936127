"""Kinds of resources as declarations: what the shared create, get, list, patch and delete must know of each."""

from dataclasses import dataclass

from openplaybook.resources.names import (
    AGENTS,
    APP_AGENTS,
    APP_CHANGELOGS,
    APP_DEPLOYMENTS,
    APP_EXAMPLES,
    APP_GUARDRAILS,
    APP_TOOLS,
    APP_TOOLSETS,
    APP_VERSIONS,
    APPS,
    CONNECTIONS,
    DATA_STORES,
    EVALUATION_DATASETS,
    EVALUATION_EXPECTATIONS,
    EVALUATION_RESULTS,
    EVALUATION_RUNS,
    EVALUATIONS,
    EXAMPLES,
    PLAYBOOK_VERSIONS,
    PLAYBOOKS,
    SCHEDULED_EVALUATION_RUNS,
    TARGET_SITES,
    TEST_CASE_RESULTS,
    TOOL_VERSIONS,
    TOOLS,
    NamePattern,
)

CX = "google.cloud.dialogflow.cx.v3beta1."
"""The package whose messages handlers see, whatever version the caller speaks."""

CES = "google.cloud.ces.v1beta."
"""The same of CX Agent Studio."""

DISCOVERY = "google.cloud.discoveryengine.v1."
"""The same of the Discovery Engine, of which only this version is served."""

CONNECTORS = "google.cloud.connectors.v1."
"""The package of connections. What they do is in another one, of v2."""


@dataclass(frozen=True, slots=True)
class ResourceKind:
    """One kind of resource. Names of messages and fields follow from its noun, as they do in Google's APIs."""

    noun: str
    """For sentences: `Playbook version`."""
    package: str
    """Of its messages."""
    names: NamePattern
    has_unique_names: bool = False
    """Whether no two under one parent may have the same display name."""
    is_apart: bool = False
    """Whether the records under one parent have a root of their own, so that their agent or app is neither read with
    them nor stale when they change."""
    writable: frozenset[str] = frozenset()
    """OUTPUT_ONLY fields that a client may set here all the same."""
    optional: frozenset[str] = frozenset()
    """REQUIRED fields that we can fill, or do without; by their paths, without positions in lists."""

    @property
    def record(self) -> str:
        """The store's word for it."""
        return self.names.kind

    @property
    def message(self) -> str:
        """Full name of its message."""
        return self.package + self._camel

    @property
    def field(self) -> str:
        """Its field in create and update requests."""
        return self.noun.lower().replace(" ", "_")

    @property
    def listed(self) -> str:
        """Its field in list responses."""
        return f"{self.field}s"

    @property
    def list_response(self) -> str:
        """Full name of the list response."""
        return f"{self.package}List{self._camel}sResponse"

    @property
    def _camel(self) -> str:
        return self.noun.title().replace(" ", "")


AGENT = ResourceKind("Agent", CX, AGENTS)
PLAYBOOK = ResourceKind(
    "Playbook",
    CX,
    PLAYBOOKS,
    has_unique_names=True,
    writable=frozenset({"referenced_playbooks", "referenced_flows"}),
)
PLAYBOOK_VERSION = ResourceKind("Playbook version", CX, PLAYBOOK_VERSIONS, writable=frozenset({"playbook", "examples"}))
EXAMPLE = ResourceKind("Example", CX, EXAMPLES)
TOOL = ResourceKind("Tool", CX, TOOLS, has_unique_names=True)
TEST_CASE_RESULT = ResourceKind("Test case result", CX, TEST_CASE_RESULTS, is_apart=True)
TOOL_VERSION = ResourceKind("Tool version", CX, TOOL_VERSIONS, optional=frozenset({"tool"}))

# Google's own tools declare variables without a description.
APP = ResourceKind("App", CES, APPS, optional=frozenset({"variable_declarations.description"}))
APP_AGENT = ResourceKind("Agent", CES, APP_AGENTS, has_unique_names=True)
APP_TOOL = ResourceKind("Tool", CES, APP_TOOLS, has_unique_names=True)
APP_TOOLSET = ResourceKind("Toolset", CES, APP_TOOLSETS, has_unique_names=True)
APP_EXAMPLE = ResourceKind("Example", CES, APP_EXAMPLES)
APP_GUARDRAIL = ResourceKind("Guardrail", CES, APP_GUARDRAILS, has_unique_names=True)
APP_DEPLOYMENT = ResourceKind("Deployment", CES, APP_DEPLOYMENTS)
APP_VERSION = ResourceKind("App version", CES, APP_VERSIONS, is_apart=True)
APP_CHANGELOG = ResourceKind("Changelog", CES, APP_CHANGELOGS, is_apart=True)
EVALUATION = ResourceKind("Evaluation", CES, EVALUATIONS, has_unique_names=True, is_apart=True)
EVALUATION_DATASET = ResourceKind("Evaluation dataset", CES, EVALUATION_DATASETS, has_unique_names=True, is_apart=True)
EVALUATION_EXPECTATION = ResourceKind(
    "Evaluation expectation", CES, EVALUATION_EXPECTATIONS, has_unique_names=True, is_apart=True
)
EVALUATION_RUN = ResourceKind("Evaluation run", CES, EVALUATION_RUNS, is_apart=True)
SCHEDULED_EVALUATION_RUN = ResourceKind(
    "Scheduled evaluation run", CES, SCHEDULED_EVALUATION_RUNS, has_unique_names=True, is_apart=True
)
EVALUATION_RESULT = ResourceKind("Evaluation result", CES, EVALUATION_RESULTS, is_apart=True)

DATA_STORE = ResourceKind("Data store", DISCOVERY, DATA_STORES, is_apart=True)
TARGET_SITE = ResourceKind("Target site", DISCOVERY, TARGET_SITES, is_apart=True)

# The name of a connection is OUTPUT_ONLY at Google.
CONNECTION = ResourceKind("Connection", CONNECTORS, CONNECTIONS, is_apart=True, writable=frozenset({"name"}))
