"""A small app of CX Agent Studio in a store, with tools that only remember."""

from collections.abc import Callable

from openplaybook.jsonvalues import JsonObject, JsonValue, dumps
from openplaybook.resources.names import APP_AGENTS, APP_GUARDRAILS, APP_TOOLS, APPS, NamePattern
from openplaybook.storage.base import Put, Store
from openplaybook.tools.base import Action, Call, ExecutionPlace, Outcome, Success, ToolContext
from tests.kit.agents import RememberedTool, ToolShelf

APP = "projects/p/locations/global/apps/a"
APP_SESSION = f"{APP}/sessions/s"
END_SESSION = "end_session"


class AppDraft:
    """An app that grows resource by resource and is then put into a store. The first agent is the root."""

    def __init__(self, **app: JsonValue) -> None:
        self.shelf = ToolShelf()
        self._app: JsonObject = {"displayName": "Test", "languageSettings": {"defaultLanguageCode": "en"}, **app}
        self._documents: list[tuple[NamePattern, str, JsonObject]] = []

    def agent(self, id: str, instruction: str = "Help.", **more: JsonValue) -> str:
        """Add an agent and give its name."""
        name = f"{APP}/agents/{id}"
        self._app.setdefault("rootAgent", name)
        document: JsonObject = {"name": name, "displayName": id, "instruction": instruction, "llmAgent": {}, **more}
        self._documents.append((APP_AGENTS, name, document))
        return name

    def tool(
        self,
        id: str,
        *,
        answer: Callable[[Call, ToolContext], Outcome] = lambda call, context: Success({"done": True}),
        place: ExecutionPlace = ExecutionPlace.SERVER,
        has_fake: bool = False,
        safe_to_repeat: bool = False,
    ) -> RememberedTool:
        """Add a tool with one action; agents have it by its name."""
        name = tool_name(id)
        self._documents.append((APP_TOOLS, name, {"name": name, "displayName": id, "clientFunction": {"name": id}}))
        action = Action(
            name=id,
            action=id,
            tool=name,
            tool_display_name=id,
            description=f"Does {id}.",
            input_schema={"type": "object", "properties": {}},
            place=place,
            has_fake=has_fake,
            safe_to_repeat=safe_to_repeat,
        )
        self.shelf.tools[id] = RememberedTool([action], answer)
        return self.shelf.tools[id]

    def agent_tool(self, id: str, agent: str) -> str:
        """Add a tool that is an agent."""
        name = tool_name(id)
        message = {"name": id, "description": f"Asks {id}.", "agent": agent}
        self._documents.append((APP_TOOLS, name, {"name": name, "displayName": id, "agentTool": message}))
        return name

    def guardrail(self, id: str, action: JsonObject, **contents: JsonValue) -> str:
        """Add a content filter that holds for the whole app."""
        name = f"{APP}/guardrails/{id}"
        filter_: JsonObject = {"matchType": "SIMPLE_STRING_MATCH", **contents}
        document: JsonObject = {"name": name, "displayName": id, "enabled": True, "contentFilter": filter_}
        self._documents.append((APP_GUARDRAILS, name, {**document, "action": action}))
        self._app["guardrails"] = [*self._app.get("guardrails", []), name]
        return name

    async def put(self, store: Store) -> None:
        """Store everything, in place of what was there under the same names."""
        documents = [(APPS, APP, {"name": APP, **self._app}), *self._documents]
        await store.apply(
            [
                Put(name=name, kind=kind.kind, parent=name.rsplit("/", 2)[0], root=APP, body=dumps(document))
                for kind, name, document in documents
            ]
        )


def tool_name(id: str) -> str:
    """Resource name of a tool of the app."""
    return f"{APP}/tools/{id}"


def declares(**variables: JsonValue) -> list[JsonValue]:
    """`variableDeclarations` with these defaults; None: without one."""
    return [
        {"name": name, "schema": {"type": "STRING", **({} if value is None else {"default": value})}}
        for name, value in variables.items()
    ]
