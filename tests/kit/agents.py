"""A small agent in a store, tools that only remember, and a model that plays a part."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject, JsonValue, dumps
from openplaybook.models.base import ModelReply, ModelTurn, RequestedCall, TextDelta
from openplaybook.models.errors import ModelError
from openplaybook.storage.base import Put, Store
from openplaybook.tools.base import (
    NO_AGENT,
    Action,
    AgentScope,
    Call,
    ExecutionPlace,
    Failure,
    InvalidTool,
    Outcome,
    Problem,
    Success,
    Tool,
    ToolContext,
)

AGENT = "projects/p/locations/global/agents/a"
SESSION = f"{AGENT}/sessions/s"
START = f"{AGENT}/playbooks/00000000-0000-0000-0000-000000000000"


def says(text: str) -> ModelReply:
    """A reply of words."""
    return ModelReply(text=text, calls=(), model="played")


def calls(*requested: tuple[str, JsonValue], text: str = "") -> ModelReply:
    """A reply that asks for calls of (function name, arguments)."""
    made = tuple(RequestedCall(f"m{n}", name, arguments) for n, (name, arguments) in enumerate(requested, 1))
    return ModelReply(text=text, calls=made, model="played")


Part = ModelReply | ModelError | Callable[[ModelTurn], ModelReply]


class PlayedModel:
    """Gives the replies of its part one after the other and remembers what it was asked."""

    name = "played"

    def __init__(self, *part: Part) -> None:
        self.part: list[Part] = list(part)
        self.asked: list[ModelTurn] = []

    def then(self, *part: Part) -> None:
        """Add to the part."""
        self.part.extend(part)

    async def decide(self, turn: ModelTurn) -> ModelReply:
        """The next reply; an `AssertionError` when the part is over."""
        self.asked.append(turn)
        assert self.part, f"the model was asked more often than its part has replies: {turn.conversation}"
        reply = self.part.pop(0)
        if isinstance(reply, ModelError):
            raise reply
        return reply if isinstance(reply, ModelReply) else reply(turn)

    async def stream(self, turn: ModelTurn) -> AsyncIterator[TextDelta | ModelReply]:
        """The next reply word by word."""
        reply = await self.decide(turn)
        for word in reply.text.split():
            yield TextDelta(f"{word} ")
        yield reply

    async def aclose(self) -> None:
        """Nothing to give back."""


@dataclass
class RememberedTool(Tool):
    """A tool that answers as it is told and remembers its calls."""

    offered: Sequence[Action]
    answer: Callable[[Call, ToolContext], Outcome]
    invoked: list[Call] = field(default_factory=list[Call])
    contexts: list[ToolContext] = field(default_factory=list[ToolContext])
    problems: Sequence[str] = ()
    refusal: Failure | None = None
    """What it says to the arguments of calls that clients make."""
    completed: JsonObject = field(default_factory=dict[str, JsonValue])
    """What it adds to these arguments."""
    gate: asyncio.Event | None = None
    """When there, calls wait for it."""
    called: asyncio.Event = field(default_factory=asyncio.Event)
    """Set by the first call."""

    def actions(self) -> Sequence[Action]:
        """What it was made with."""
        return self.offered

    async def invoke(self, call: Call, context: ToolContext) -> Outcome:
        """The answer."""
        self.invoked.append(call)
        self.contexts.append(context)
        self.called.set()
        if self.gate is not None:
            await self.gate.wait()
        return self.answer(call, context)

    async def client_arguments(self, call: Call, context: ToolContext) -> JsonObject | Failure:
        """The model's arguments completed, or the refusal it was made with."""
        self.contexts.append(context)
        return self.refusal or {**call.arguments, **self.completed}

    async def check_result(self, action: Action, output: JsonObject) -> Sequence[str]:
        """What it was made with."""
        return self.problems


@dataclass
class ToolShelf:
    """A `ToolBuilder` that hands out tools made beforehand, by display name."""

    tools: dict[str, RememberedTool] = field(default_factory=dict[str, RememberedTool])

    def build(self, resource: JsonObject, scope: AgentScope = NO_AGENT) -> Tool:
        """The tool of that display name."""
        if resource["displayName"] not in self.tools:
            raise InvalidTool([Problem("$", "is not on the shelf")])
        return self.tools[resource["displayName"]]


class AgentDraft:
    """An agent that grows resource by resource and is then put into a store."""

    def __init__(self, **agent: JsonValue) -> None:
        self.shelf = ToolShelf()
        self._documents: list[tuple[str, str, JsonObject]] = [
            ("agent", AGENT, {"name": AGENT, "displayName": "Test", "defaultLanguageCode": "en", **agent})
        ]

    def playbook(self, display_name: str, *steps: str, start: bool = False, **more: JsonValue) -> str:
        """Add a playbook and give its name."""
        name = START if start else f"{AGENT}/playbooks/{display_name}"
        if start:
            self._documents[0][2]["startPlaybook"] = name
        document: JsonObject = {
            "name": name,
            "displayName": display_name,
            "goal": f"The goal of {display_name}.",
            "instruction": {"steps": [{"text": step} for step in steps]},
            **more,
        }
        self._documents.append(("playbook", name, document))
        return name

    def tool(
        self,
        display_name: str,
        *actions: str,
        answer: Callable[[Call, ToolContext], Outcome] = lambda call, context: Success({"200": "done"}),
        place: ExecutionPlace = ExecutionPlace.SERVER,
        safe_to_repeat: bool = False,
        document: JsonObject | None = None,
    ) -> RememberedTool:
        """Add a tool with actions of those names; of its own name when none is given."""
        name = f"{AGENT}/tools/{display_name}"
        self._documents.append(("tool", name, {"name": name, "displayName": display_name, **(document or {})}))
        offered = [
            Action(
                name=action,
                action=action,
                tool=name,
                tool_display_name=display_name,
                description=f"Does {action}.",
                input_schema={"type": "object", "properties": {}},
                place=place,
                safe_to_repeat=safe_to_repeat,
            )
            for action in (actions or (display_name,))
        ]
        self.shelf.tools[display_name] = RememberedTool(offered, answer)
        return self.shelf.tools[display_name]

    def document(self, kind: str, name: str, document: JsonObject) -> None:
        """Add any other resource."""
        self._documents.append((kind, name, {"name": name, **document}))

    async def put(self, store: Store) -> None:
        """Store everything, in place of what was there under the same names."""
        await store.apply(
            [
                Put(name=name, kind=kind, parent=name.rsplit("/", 2)[0], root=AGENT, body=dumps(document))
                for kind, name, document in self._documents
            ]
        )
