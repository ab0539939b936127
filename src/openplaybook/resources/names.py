"""Resource names of Dialogflow CX: typed, parsed and formatted in one place.

Every class below is one kind of resource. `str(name)` is the full resource name, `X.parse(text)` its inverse;
`kind` is the word under which the store keeps such records, `parent` the name it lists them by.
A segment is any 1 to 128 printable characters without blank or slash: longer than Google makes them (36 for a
session), so that ids of other systems fit.
"""

import functools
import re
import uuid
from dataclasses import dataclass
from typing import ClassVar

from openplaybook.resources.errors import InvalidName

DRAFT = "-"
"""Id of the environment that is the agent as it stands now."""

_SEGMENT = re.compile(r"[^\s/]{1,128}")
_DRAFT_SPELLINGS = ("", DRAFT, "draft")


def new_id() -> str:
    """A fresh resource id: a random UUID, as Google gives them."""
    return str(uuid.uuid4())


def is_valid_id(text: str) -> bool:
    """Whether `text` can stand as one segment of a resource name."""
    return _SEGMENT.fullmatch(text) is not None and text.isprintable()


def root_of(name: str) -> str:
    """Resource name of the agent, or the app, that a resource belongs to; its own where it is one."""
    return "/".join(name.split("/")[:6])


def _ids(text: str, template: str) -> list[str]:
    """The variable segments of `text` by a template such as `projects/{project}`; `InvalidName` if it differs."""
    found = _pattern(template).fullmatch(text)
    if found is None or not text.isprintable():
        raise InvalidName(text, template)
    return list(found.groups())


@functools.cache
def _pattern(template: str) -> re.Pattern[str]:
    """What the names of a template look like; a template is one of this module's."""
    words = (f"({_SEGMENT.pattern})" if word.startswith("{") else re.escape(word) for word in template.split("/"))
    return re.compile("/".join(words))


@dataclass(frozen=True, slots=True)
class LocationName:
    """`projects/P/locations/L`: the parent of agents and operations."""

    template: ClassVar[str] = "projects/{project}/locations/{location}"

    project: str
    location: str

    @classmethod
    def parse(cls, text: str) -> "LocationName":
        """The name that `text` spells; `InvalidName` otherwise."""
        return cls(*_ids(text, cls.template))

    def __str__(self) -> str:
        return f"projects/{self.project}/locations/{self.location}"


@dataclass(frozen=True, slots=True)
class AgentName:
    """`projects/P/locations/L/agents/A`: the root of everything within an agent."""

    kind: ClassVar[str] = "agent"
    template: ClassVar[str] = LocationName.template + "/agents/{agent}"

    location: LocationName
    id: str

    @classmethod
    def parse(cls, text: str) -> "AgentName":
        """The name that `text` spells; `InvalidName` otherwise."""
        project, location, agent = _ids(text, cls.template)
        return cls(LocationName(project, location), agent)

    @property
    def agent(self) -> "AgentName":
        """This agent: every name within an agent, and its own, has one."""
        return self

    @property
    def parent(self) -> str:
        """The location's name."""
        return str(self.location)

    def __str__(self) -> str:
        return f"{self.location}/agents/{self.id}"


@dataclass(frozen=True, slots=True)
class PlaybookName:
    """`AGENT/playbooks/B`."""

    kind: ClassVar[str] = "playbook"
    template: ClassVar[str] = AgentName.template + "/playbooks/{playbook}"

    agent: AgentName
    id: str

    @classmethod
    def parse(cls, text: str) -> "PlaybookName":
        """The name that `text` spells; `InvalidName` otherwise."""
        project, location, agent, playbook = _ids(text, cls.template)
        return cls(AgentName(LocationName(project, location), agent), playbook)

    @property
    def parent(self) -> str:
        """The agent's name."""
        return str(self.agent)

    def __str__(self) -> str:
        return f"{self.agent}/playbooks/{self.id}"


@dataclass(frozen=True, slots=True)
class ExampleName:
    """`AGENT/playbooks/B/examples/X`."""

    kind: ClassVar[str] = "example"
    template: ClassVar[str] = PlaybookName.template + "/examples/{example}"

    playbook: PlaybookName
    id: str

    @classmethod
    def parse(cls, text: str) -> "ExampleName":
        """The name that `text` spells; `InvalidName` otherwise."""
        *_, example = _ids(text, cls.template)
        return cls(PlaybookName.parse(_above(text)), example)

    @property
    def agent(self) -> AgentName:
        """The agent it belongs to."""
        return self.playbook.agent

    @property
    def parent(self) -> str:
        """The playbook's name."""
        return str(self.playbook)

    def __str__(self) -> str:
        return f"{self.playbook}/examples/{self.id}"


@dataclass(frozen=True, slots=True)
class PlaybookVersionName:
    """`AGENT/playbooks/B/versions/V`."""

    kind: ClassVar[str] = "playbook_version"
    template: ClassVar[str] = PlaybookName.template + "/versions/{version}"

    playbook: PlaybookName
    id: str

    @classmethod
    def parse(cls, text: str) -> "PlaybookVersionName":
        """The name that `text` spells; `InvalidName` otherwise."""
        *_, version = _ids(text, cls.template)
        return cls(PlaybookName.parse(_above(text)), version)

    @property
    def agent(self) -> AgentName:
        """The agent it belongs to."""
        return self.playbook.agent

    @property
    def parent(self) -> str:
        """The playbook's name."""
        return str(self.playbook)

    def __str__(self) -> str:
        return f"{self.playbook}/versions/{self.id}"


@dataclass(frozen=True, slots=True)
class ToolName:
    """`AGENT/tools/T`."""

    kind: ClassVar[str] = "tool"
    template: ClassVar[str] = AgentName.template + "/tools/{tool}"

    agent: AgentName
    id: str

    @classmethod
    def parse(cls, text: str) -> "ToolName":
        """The name that `text` spells; `InvalidName` otherwise."""
        *_, tool = _ids(text, cls.template)
        return cls(AgentName.parse(_above(text)), tool)

    @property
    def parent(self) -> str:
        """The agent's name."""
        return str(self.agent)

    def __str__(self) -> str:
        return f"{self.agent}/tools/{self.id}"


@dataclass(frozen=True, slots=True)
class ToolVersionName:
    """`AGENT/tools/T/versions/V`."""

    kind: ClassVar[str] = "tool_version"
    template: ClassVar[str] = ToolName.template + "/versions/{version}"

    tool: ToolName
    id: str

    @classmethod
    def parse(cls, text: str) -> "ToolVersionName":
        """The name that `text` spells; `InvalidName` otherwise."""
        *_, version = _ids(text, cls.template)
        return cls(ToolName.parse(_above(text)), version)

    @property
    def agent(self) -> AgentName:
        """The agent it belongs to."""
        return self.tool.agent

    @property
    def parent(self) -> str:
        """The tool's name."""
        return str(self.tool)

    def __str__(self) -> str:
        return f"{self.tool}/versions/{self.id}"


@dataclass(frozen=True, slots=True)
class EnvironmentName:
    """`AGENT/environments/E`; the id `-` (also spelled `draft`) is the draft."""

    kind: ClassVar[str] = "environment"
    template: ClassVar[str] = AgentName.template + "/environments/{environment}"

    agent: AgentName
    id: str

    @classmethod
    def parse(cls, text: str) -> "EnvironmentName":
        """The name that `text` spells; `InvalidName` otherwise."""
        *_, environment = _ids(text, cls.template)
        return cls(AgentName.parse(_above(text)), DRAFT if environment in _DRAFT_SPELLINGS else environment)

    @property
    def parent(self) -> str:
        """The agent's name."""
        return str(self.agent)

    @property
    def is_draft(self) -> bool:
        """Whether this is the agent as it stands now."""
        return self.id == DRAFT

    def __str__(self) -> str:
        return f"{self.agent}/environments/{self.id}"


@dataclass(frozen=True, slots=True)
class GenerativeSettingsName:
    """`AGENT/generativeSettings`: one set per language under one name."""

    kind: ClassVar[str] = "generative_settings"
    template: ClassVar[str] = AgentName.template + "/generativeSettings"

    agent: AgentName
    language_code: str = ""
    """Not part of the resource name; the API carries it beside."""

    @classmethod
    def parse(cls, text: str) -> "GenerativeSettingsName":
        """The name that `text` spells, without a language; `InvalidName` otherwise."""
        _ids(text, cls.template)
        return cls(AgentName.parse(_above(text, 1)))

    @property
    def parent(self) -> str:
        """The agent's name."""
        return str(self.agent)

    @property
    def record(self) -> str:
        """The name of the stored record, which also says the language."""
        return f"{self}/{self.language_code}"

    def __str__(self) -> str:
        return f"{self.agent}/generativeSettings"


@dataclass(frozen=True, slots=True)
class SessionName:
    """`AGENT/sessions/S` or `AGENT/environments/E/sessions/S`.

    The draft environment (`-`, `draft`, or none) is folded away: its three spellings are one session.
    """

    template: ClassVar[str] = AgentName.template + "/sessions/{session}"
    template_with_environment: ClassVar[str] = EnvironmentName.template + "/sessions/{session}"

    agent: AgentName
    environment: str | None
    """Environment id; None for the draft."""
    session_id: str

    @classmethod
    def parse(cls, text: str) -> "SessionName":
        """The name that `text` spells; `InvalidName` otherwise."""
        if text.count("/") == cls.template.count("/"):
            project, location, agent, session = _ids(text, cls.template)
            return cls(AgentName(LocationName(project, location), agent), None, session)
        *_, session = _ids(text, cls.template_with_environment)
        environment = EnvironmentName.parse(_above(text))
        return cls(environment.agent, None if environment.is_draft else environment.id, session)

    @property
    def parent(self) -> str:
        """The environment's name, or the agent's for the draft."""
        return str(self.agent) if self.environment is None else str(EnvironmentName(self.agent, self.environment))

    def __str__(self) -> str:
        return f"{self.parent}/sessions/{self.session_id}"


@dataclass(frozen=True, slots=True)
class SessionFileName:
    """`SESSION/files/F`: a file that a conversation has. The draft environment is folded away as in `SessionName`."""

    template: ClassVar[str] = SessionName.template + "/files/{file}"
    template_with_environment: ClassVar[str] = SessionName.template_with_environment + "/files/{file}"

    session: SessionName
    id: str

    @classmethod
    def parse(cls, text: str) -> "SessionFileName":
        """The name that `text` spells; `InvalidName` otherwise."""
        has_environment = text.count("/") == cls.template_with_environment.count("/")
        *_, file = _ids(text, cls.template_with_environment if has_environment else cls.template)
        return cls(SessionName.parse(_above(text)), file)

    @property
    def parent(self) -> str:
        """The session's name."""
        return str(self.session)

    def __str__(self) -> str:
        return f"{self.session}/files/{self.id}"


@dataclass(frozen=True, slots=True)
class OperationName:
    """`projects/P/locations/L/operations/O`, or `projects/P/operations/O`."""

    kind: ClassVar[str] = "operation"
    template: ClassVar[str] = LocationName.template + "/operations/{operation}"
    template_of_project: ClassVar[str] = "projects/{project}/operations/{operation}"

    parent: str
    """Name of the location, or of the project."""
    id: str

    @classmethod
    def parse(cls, text: str) -> "OperationName":
        """The name that `text` spells; `InvalidName` otherwise."""
        of_project = text.count("/") == cls.template_of_project.count("/")
        *_, operation = _ids(text, cls.template_of_project if of_project else cls.template)
        return cls(_above(text), operation)

    def __str__(self) -> str:
        return f"{self.parent}/operations/{self.id}"


def _above(text: str, segments: int = 2) -> str:
    """`text` without its last segments."""
    return text.rsplit("/", segments)[0]
