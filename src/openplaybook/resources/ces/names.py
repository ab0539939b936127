"""Resource names of CX Agent Studio, `projects/P/locations/L/apps/A/…`: parsed and made in one place."""

from dataclasses import dataclass

from openplaybook.resources.errors import InvalidName
from openplaybook.resources.names import LocationName, is_valid_id, root_of

_APPS = LocationName.template + "/apps/{app}"


@dataclass(frozen=True, slots=True)
class CesName:
    """One resource, by its parent and its id."""

    parent: str
    """Resource name of what it is listed under."""
    collection: str
    """Such as `tools`."""
    id: str

    @property
    def app(self) -> str:
        """Resource name of the app that it belongs to; its own where it is one."""
        return root_of(str(self))

    def __str__(self) -> str:
        return f"{self.parent}/{self.collection}/{self.id}"


@dataclass(frozen=True, slots=True)
class CesCollection:
    """All resources of one kind."""

    kind: str
    """The word under which the store keeps them."""
    template: str
    """Such as `projects/{project}/locations/{location}/apps/{app}`."""

    def parse(self, text: str) -> CesName:
        """The name that `text` spells. Raises `InvalidName`."""
        parts, expected = text.split("/"), self.template.split("/")
        fits = len(parts) == len(expected) and all(
            is_valid_id(part) if word.startswith("{") else part == word
            for part, word in zip(parts, expected, strict=True)
        )
        if not fits:
            raise InvalidName(text, self.template)
        return CesName("/".join(parts[:-2]), parts[-2], parts[-1])

    def child(self, parent: str, id: str) -> CesName:
        """The name of a resource by its parent's name and its id. Raises `InvalidName` about the parent."""
        above, collection, _ = self.template.rsplit("/", 2)
        try:
            return self.parse(f"{parent}/{collection}/{id}")
        except InvalidName as error:
            raise InvalidName(parent, above) from error

    def fits(self, text: str) -> bool:
        """Whether `text` spells such a name."""
        try:
            self.parse(text)
        except InvalidName:
            return False
        return True


APPS = CesCollection("app", _APPS)
AGENTS = CesCollection("app_agent", _APPS + "/agents/{agent}")
TOOLS = CesCollection("app_tool", _APPS + "/tools/{tool}")
TOOLSETS = CesCollection("app_toolset", _APPS + "/toolsets/{toolset}")
EXAMPLES = CesCollection("app_example", _APPS + "/examples/{example}")
GUARDRAILS = CesCollection("app_guardrail", _APPS + "/guardrails/{guardrail}")
DEPLOYMENTS = CesCollection("app_deployment", _APPS + "/deployments/{deployment}")
VERSIONS = CesCollection("app_version", _APPS + "/versions/{version}")
CHANGELOGS = CesCollection("app_changelog", _APPS + "/changelogs/{changelog}")
CONVERSATIONS = CesCollection("app_conversation", _APPS + "/conversations/{conversation}")
SESSIONS = CesCollection("app_session", _APPS + "/sessions/{session}")
