"""What an agent's tools can do: each tool compiled as the server compiles it, and read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from openplaybook.cli.api_client import ApiClient
from openplaybook.cli.resource_lookup import is_app
from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse
from openplaybook.egress.errors import EgressError
from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.ces.toolbox_forms import toolbox_resource, toolset_resource
from openplaybook.resources.tool_kinds import BUILT_IN_TYPE, tool_kinds
from openplaybook.tools.base import Action, ExecutionPlace, InvalidTool
from openplaybook.tools.toolbox import Toolbox


@dataclass(frozen=True, slots=True)
class ListedTool:
    """A tool, or a toolset, with its actions."""

    resource: JsonObject
    """As the API has it."""
    kind: str
    """In words."""
    actions: Sequence[Action]
    is_servers: bool = False
    """Whether the server does it itself."""
    problem: str = ""
    """Why it cannot be used, and has no actions; empty where it can."""

    @property
    def title(self) -> str:
        """Its display name, else its id."""
        return str(self.resource.get("displayName") or self.resource["name"].rpartition("/")[2])

    def to_json(self) -> JsonObject:
        """The tool and its actions, with all schemas."""
        members: JsonObject = {
            "name": self.resource["name"],
            "displayName": self.title,
            "description": str(self.resource.get("description", "")),
            "kind": self.kind,
            "actions": [_action_json(action) for action in self.actions],
        }
        return {**members, "problem": self.problem} if self.problem else members


def reading_toolbox() -> Toolbox:
    """Compiles tools to read their actions; nothing is sent."""
    return Toolbox(_NoWayOut())


def listed_tools(api: ApiClient, agent: str) -> Iterator[ListedTool]:
    """Every tool of an agent, or app (full name), built-in ones too; of an app, its toolsets last."""
    toolbox = reading_toolbox()
    if not is_app(agent):
        for tool in api.list(f"v3beta1/{agent}/tools", "tools"):
            yield _listed(toolbox, tool, tool)
        return
    for tool in api.list(f"v1beta/{agent}/tools", "tools"):
        yield _listed(toolbox, tool, toolbox_resource(tool))
    for toolset in api.list(f"v1beta/{agent}/toolsets", "toolsets"):
        yield _listed(toolbox, toolset, toolset_resource(toolset))


def _listed(toolbox: Toolbox, resource: JsonObject, translated: JsonObject | None) -> ListedTool:
    field = tool_kinds().field(resource)
    title = field.title if field else "unknown kind"
    kind = "built in" if resource.get("toolType") == BUILT_IN_TYPE else title
    if translated is None:
        # What the server does itself, such as ending the session, is no tool of the toolbox.
        return ListedTool(resource, kind, (), is_servers=True)
    try:
        return ListedTool(resource, kind, toolbox.build(translated).actions())
    except InvalidTool as error:
        return ListedTool(resource, kind, (), problem=str(error))


def _action_json(action: Action) -> JsonObject:
    return {
        "action": action.action,
        "description": action.description,
        "runBy": "client" if action.place is ExecutionPlace.CLIENT else "server",
        "readOnly": action.is_read_only,
        "inputSchema": action.input_schema,
        "outputSchema": action.output_schema,
    }


class _NoWayOut:
    """In place of the door: a tool is only read here."""

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        raise EgressError("a list of tools sends nothing")

    async def aclose(self) -> None:
        """There is nothing to close."""
