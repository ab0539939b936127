"""Resource names of all APIs, and of what they share: one table of patterns, by which names are read and written.

A pattern is one kind of resource: `PLAYBOOKS.parse(text)` reads a name, `PLAYBOOKS.child(agent, id)` makes one, and
`str(name)` gives it in full. A variable segment is any 1 to 128 printable characters without blank or slash: longer
than Google makes them (36 for a session), so that ids of other systems fit.
"""

import functools
import re
import uuid
from dataclasses import dataclass

from openplaybook.resources.errors import InvalidName

DRAFT = "-"
"""Id of the environment that is the agent as it stands now."""

_SEGMENT = re.compile(r"[^\s/]{1,128}")
_DRAFT_SPELLINGS = (DRAFT, "draft")


def new_id() -> str:
    """A fresh resource id: a random UUID, as Google gives them."""
    return str(uuid.uuid4())


def is_valid_id(text: str) -> bool:
    """Whether `text` can stand as one segment of a resource name."""
    return _SEGMENT.fullmatch(text) is not None and text.isprintable()


def root_of(name: str) -> str:
    """Resource name of the agent, or the app, that a resource belongs to; its own where it is one."""
    return "/".join(name.split("/")[:6])


@dataclass(frozen=True, slots=True)
class ResourceName:
    """The name of one resource; `str` gives it in full."""

    parent: str
    """Resource name of what it is listed under."""
    collection: str
    """Such as `tools`."""
    id: str
    """Empty where its parent has one such resource alone."""

    @property
    def project(self) -> str:
        """Id of the project that it belongs to."""
        return self.parent.split("/")[1]

    @property
    def location(self) -> str:
        """Resource name of the location that it belongs to; its own where it is one."""
        return "/".join(str(self).split("/")[:4])

    @property
    def root(self) -> str:
        """Resource name of the agent, or the app, that it belongs to; its own where it is one."""
        return root_of(str(self))

    def __str__(self) -> str:
        return f"{self.parent}/{self.collection}/{self.id}" if self.id else f"{self.parent}/{self.collection}"


@dataclass(frozen=True, slots=True)
class NamePattern:
    """How the names of one kind of resource look."""

    kind: str
    """The word under which the store keeps such resources; empty where it keeps none."""
    templates: tuple[str, ...]
    """Such as `projects/{project}/locations/{location}`. A text is read by the one that has as many segments as it
    has, else by the last."""

    @property
    def template(self) -> str:
        """The last template: the only one, nearly always."""
        return self.templates[-1]

    def parse(self, text: str) -> ResourceName:
        """The name that `text` spells. Raises `InvalidName`.

        The draft environment has three spellings (`-`, `draft`, none at all): its sessions have one name.
        """
        depth = text.count("/")
        template = next((each for each in self.templates if each.count("/") == depth), self.template)
        if not _matches(template, text):
            raise InvalidName(text, template)
        if "{environment}" in template:
            text = _with_one_draft(text)
        if not template.endswith("}"):
            parent, collection = text.rsplit("/", 1)
            return ResourceName(parent, collection, "")
        parent, collection, id = text.rsplit("/", 2)
        return ResourceName(parent, collection, id)

    def child(self, parent: str, id: str = "") -> ResourceName:
        """The name of a resource by its parent's name and its id. Raises `InvalidName` about the parent."""
        for template in self.templates:
            above, collection = _above(template)
            if _matches(above, parent):
                return ResourceName(parent, collection, id)
        raise InvalidName(parent, _above(self.template)[0])

    def fits(self, text: str) -> bool:
        """Whether `text` spells such a name."""
        return any(_matches(template, text) for template in self.templates)


def conversation_of(session: str) -> ResourceName:
    """Dialogflow CX's name for a session of the past, by the session's: `AGENT/conversations/SESSION_ID`."""
    name = SESSIONS.parse(session)
    return CONVERSATIONS.child(name.root, name.id)


def settings_record(agent: str, language: str) -> str:
    """Name of the record of an agent's generative settings in one language: the API has one name for all of them."""
    return f"{GENERATIVE_SETTINGS.child(agent)}/{language}"


def _matches(template: str, text: str) -> bool:
    return _expression(template).fullmatch(text) is not None and text.isprintable()


@functools.cache
def _expression(template: str) -> re.Pattern[str]:
    words = (_SEGMENT.pattern if word.startswith("{") else re.escape(word) for word in template.split("/"))
    return re.compile("/".join(words))


@functools.cache
def _above(template: str) -> tuple[str, str]:
    """The template of the parent, and the collection."""
    parent, collection, *_ = template.rsplit("/", 2 if template.endswith("}") else 1)
    return parent, collection


def _with_one_draft(text: str) -> str:
    """A name in an agent's environment; in the draft, the agent's own."""
    segments = text.split("/")
    if segments[7] not in _DRAFT_SPELLINGS:
        return text
    draft = ["environments", DRAFT] if len(segments) == 8 else []
    return "/".join([*segments[:6], *draft, *segments[8:]])


_PROJECT = "projects/{project}"
_LOCATION = _PROJECT + "/locations/{location}"
_AGENT = _LOCATION + "/agents/{agent}"
_ENVIRONMENT = _AGENT + "/environments/{environment}"
_APP = _LOCATION + "/apps/{app}"

_COLLECTION = _LOCATION + "/collections/{collection}"
_DATA_STORE = _COLLECTION + "/dataStores/{data_store}"

LOCATIONS = NamePattern("", (_LOCATION,))
OPERATIONS = NamePattern(
    "operation",
    tuple(
        f"{parent}/operations/{{operation}}"
        for parent in (
            _PROJECT,
            _COLLECTION,
            _DATA_STORE,
            _DATA_STORE + "/branches/{branch}",
            _DATA_STORE + "/siteSearchEngine",
            _LOCATION,
        )
    ),
)

# Dialogflow CX
AGENTS = NamePattern("agent", (_AGENT,))
PLAYBOOKS = NamePattern("playbook", (_AGENT + "/playbooks/{playbook}",))
PLAYBOOK_VERSIONS = NamePattern("playbook_version", (_AGENT + "/playbooks/{playbook}/versions/{version}",))
EXAMPLES = NamePattern("example", (_AGENT + "/playbooks/{playbook}/examples/{example}",))
TOOLS = NamePattern("tool", (_AGENT + "/tools/{tool}",))
TOOL_VERSIONS = NamePattern("tool_version", (_AGENT + "/tools/{tool}/versions/{version}",))
TEST_CASES = NamePattern("", (_AGENT + "/testCases/{test_case}",))
TEST_CASE_RESULTS = NamePattern("test_case_result", (_AGENT + "/testCases/{test_case}/results/{result}",))
GENERATIVE_SETTINGS = NamePattern("generative_settings", (_AGENT + "/generativeSettings",))
ENVIRONMENTS = NamePattern("environment", (_ENVIRONMENT,))
SESSIONS = NamePattern("", (_AGENT + "/sessions/{session}", _ENVIRONMENT + "/sessions/{session}"))
SESSION_FILES = NamePattern(
    "", (_ENVIRONMENT + "/sessions/{session}/files/{file}", _AGENT + "/sessions/{session}/files/{file}")
)
CONVERSATIONS = NamePattern("", (_AGENT + "/conversations/{conversation}",))

DEFAULT_FLOW = "00000000-0000-0000-0000-000000000000"
"""Id of the default start flow of every agent."""
DEFAULT_FLOW_NAME = "Default Start Flow"

# CX Agent Studio
APPS = NamePattern("app", (_APP,))
APP_AGENTS = NamePattern("app_agent", (_APP + "/agents/{agent}",))
APP_TOOLS = NamePattern("app_tool", (_APP + "/tools/{tool}",))
APP_TOOLSETS = NamePattern("app_toolset", (_APP + "/toolsets/{toolset}",))
APP_EXAMPLES = NamePattern("app_example", (_APP + "/examples/{example}",))
APP_GUARDRAILS = NamePattern("app_guardrail", (_APP + "/guardrails/{guardrail}",))
APP_DEPLOYMENTS = NamePattern("app_deployment", (_APP + "/deployments/{deployment}",))
APP_VERSIONS = NamePattern("app_version", (_APP + "/versions/{version}",))
APP_CHANGELOGS = NamePattern("app_changelog", (_APP + "/changelogs/{changelog}",))
EVALUATIONS = NamePattern("evaluation", (_APP + "/evaluations/{evaluation}",))
EVALUATION_DATASETS = NamePattern("evaluation_dataset", (_APP + "/evaluationDatasets/{evaluation_dataset}",))
EVALUATION_EXPECTATIONS = NamePattern(
    "evaluation_expectation", (_APP + "/evaluationExpectations/{evaluation_expectation}",)
)
EVALUATION_RESULTS = NamePattern("evaluation_result", (_APP + "/evaluations/{evaluation}/results/{evaluation_result}",))
EVALUATION_RUNS = NamePattern("evaluation_run", (_APP + "/evaluationRuns/{evaluation_run}",))
SCHEDULED_EVALUATION_RUNS = NamePattern(
    "scheduled_evaluation_run", (_APP + "/scheduledEvaluationRuns/{scheduled_evaluation_run}",)
)
APP_CONVERSATIONS = NamePattern("app_conversation", (_APP + "/conversations/{conversation}",))
APP_SESSIONS = NamePattern("app_session", (_APP + "/sessions/{session}",))

# Discovery Engine
DATA_STORES = NamePattern("data_store", (_DATA_STORE,))
TARGET_SITES = NamePattern("target_site", (_DATA_STORE + "/siteSearchEngine/targetSites/{target_site}",))

# Integration Connectors
CONNECTIONS = NamePattern("connection", (_LOCATION + "/connections/{connection}",))
SCHEMA_METADATA = NamePattern("", (_LOCATION + "/connections/{connection}/connectionSchemaMetadata",))
PROVIDERS = NamePattern("", (_LOCATION + "/providers/{provider}",))
CONNECTORS = NamePattern("", (_LOCATION + "/providers/{provider}/connectors/{connector}",))
CONNECTOR_VERSIONS = NamePattern("", (_LOCATION + "/providers/{provider}/connectors/{connector}/versions/{version}",))
