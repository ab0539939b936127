"""`SessionConfig.historical_contexts`: messages of an earlier conversation, to go on from."""

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import AgentText, Entry, FunctionCall, FunctionResult, UserText
from openplaybook.resources.names import APP_AGENTS
from openplaybook.services.ces.tool_messages import outcome_in
from openplaybook.services.errors import invalid
from openplaybook.services.turn_requests import struct_json
from openplaybook.wire.api import Api
from openplaybook.wire.messages import ApiMessage

_USER = "user"
_PATH = "config.historical_contexts"


@dataclass(slots=True)
class _Calls:
    """Calls that have no result yet: each call and each result is looked at once, however many there are."""

    ids: defaultdict[str, deque[str]] = field(default_factory=lambda: defaultdict[str, deque[str]](deque))
    """By the tool's name, oldest first; some may have been answered since."""
    answered: set[str] = field(default_factory=set[str])

    def begin(self, id: str, name: str) -> None:
        self.ids[name].append(id)

    def end(self, id: str, name: str) -> str:
        """The id of the call that a result is of: its own, else that of the oldest call of its tool; empty: none."""
        waiting = self.ids[name]
        while not id and waiting:
            oldest = waiting.popleft()
            id = "" if oldest in self.answered else oldest
        self.answered.add(id)
        return id


@dataclass(slots=True)
class EarlierConversation:
    """What an earlier conversation leaves to the next turn."""

    entries: list[Entry] = field(default_factory=list[Entry])
    variables: JsonObject = field(default_factory=dict[str, JsonValue])
    agent: str = ""
    """Resource name of the agent that spoke, or was given the conversation, last; empty where none is known."""
    calls: _Calls = field(default_factory=_Calls, compare=False, repr=False)


def past_of(api: Api, messages: Iterable[ApiMessage], app: str, agents: Mapping[str, str]) -> EarlierConversation:
    """What the messages tell; `agents` are the resource names of the app's agents by display name, which are roles.

    INVALID_ARGUMENT for a transfer to what is no agent of the app.
    """
    past = EarlierConversation()
    for index, message in enumerate(messages):
        past.agent = agents.get(message.role, past.agent)
        for place, chunk in enumerate(message.chunks):
            _read(api, message.role, chunk, f"{_PATH}[{index}].chunks[{place}]", app, past)
    return past


def _read(api: Api, role: str, chunk: ApiMessage, path: str, app: str, past: EarlierConversation) -> None:
    kind = chunk.WhichOneof("data")
    if kind in ("text", "transcript"):
        text = getattr(chunk, kind)
        past.entries.append(UserText(text) if role.lower() == _USER else AgentText(text))
    elif kind == "tool_call":
        call = chunk.tool_call
        id, name = call.id or f"past-{len(past.entries)}", _name(call)
        past.calls.begin(id, name)
        past.entries.append(FunctionCall(id, name, struct_json(api, call.args)))
    elif kind == "tool_response":
        past.entries.append(_result(api, chunk.tool_response, past.calls))
    elif kind in ("updated_variables", "default_variables"):
        past.variables |= struct_json(api, getattr(chunk, kind))
    elif kind == "agent_transfer":
        past.agent = chunk.agent_transfer.target_agent
        if not APP_AGENTS.fits(past.agent) or not past.agent.startswith(f"{app}/"):
            raise invalid((f"{path}.agent_transfer.target_agent", f"{past.agent!r} is not an agent of {app}"))


def _result(api: Api, response: ApiMessage, calls: _Calls) -> FunctionResult:
    name = _name(response)
    output, error = outcome_in(struct_json(api, response.response))
    result = {"error": {"code": "CLIENT_ERROR", "message": error}} if error is not None else output
    return FunctionResult(calls.end(response.id, name), name, result, is_error=error is not None)


def _name(message: ApiMessage) -> str:
    """How the model knew a tool."""
    return message.display_name or message.toolset_tool.tool_id or message.tool.rpartition("/")[2]
