"""Places where a process can die: before and after each write of a turn, each call of a tool, each decision of a model,
and all that is sent for either.

The ports themselves are wrapped, so an engine without faults knows nothing of this and pays nothing. Points, each with
`.before` and `.after`:

    begin    a turn is granted, its first row is written
    commit   rows of the journal: a reply with its intents, a result; the intent and the result of an inner call
    finish   a turn's last rows, its answer, the session's state
    mark     answers are known to have been delivered
    blob     an agent's snapshot, a file of the conversation
    call     a tool is called, by the model or by another tool
    send     a request leaves by the door out: a call's own, a token's
    decide   a model is asked
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from functools import partial
from typing import Any, ParamSpec, TypeVar

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import Model, ModelReply, ModelTurn, TextDelta
from openplaybook.models.model_directory import ModelDirectory
from openplaybook.server import assembly
from openplaybook.server.transports import LateTransport
from openplaybook.storage.base import BeginTurn, Lease, Store
from openplaybook.telemetry.log_lines import current_log_context
from openplaybook.tools.base import NO_AGENT, Action, AgentScope, Call, Failure, Outcome, Tool, ToolBuilder, ToolContext
from openplaybook.turns.engine import TurnEngine
from tests.faults.faults import Fault

_WRITES = {
    "begin_turn": "begin",
    "append": "commit",
    "finish_turn": "finish",
    "mark_delivered": "mark",
    "put_blob": "blob",
}
"""The writes of turns, and what their points are called."""

P = ParamSpec("P")
T = TypeVar("T")


def arm_server(fault: Fault) -> None:
    """Let the server that this process is about to start tell the fault of every point."""
    setattr(assembly, "TurnEngine", partial(_faulty_engine, fault))  # noqa: B010 - as in `arm_models`
    setattr(LateTransport, "send", _told(LateTransport.send, "send", fault))  # noqa: B010


def _faulty_engine(
    fault: Fault, *, store: Store, models: ModelDirectory, toolbox: ToolBuilder, **others: Any
) -> TurnEngine:
    arm_store(store, fault)
    arm_models(models, fault)
    return TurnEngine(store=store, models=models, toolbox=FaultyToolbox(toolbox, fault), **others)


def arm_store(store: Store, fault: Fault) -> None:
    """Let a store tell the fault of every write of a turn, from now on."""
    for method, point in _WRITES.items():
        setattr(store, method, _told(getattr(store, method), point, fault))


def arm_models(models: ModelDirectory, fault: Fault) -> None:
    """Let the models of a directory tell the fault of every decision."""
    resolve = models.resolve

    def resolved(requested: str | None) -> tuple[Model, bool]:
        model, substituted = resolve(requested)
        return _FaultyModel(model, fault), substituted

    setattr(models, "resolve", resolved)  # noqa: B010 - a method cannot be assigned to otherwise


class FaultyToolbox:
    """Builds tools that tell the fault of every call."""

    def __init__(self, toolbox: ToolBuilder, fault: Fault) -> None:
        self._toolbox = toolbox
        self._fault = fault

    def build(self, resource: JsonObject, scope: AgentScope = NO_AGENT) -> Tool:
        """As the toolbox within."""
        return _FaultyTool(self._toolbox.build(resource, scope), self._fault)


class _FaultyTool(Tool):
    def __init__(self, tool: Tool, fault: Fault) -> None:
        self._tool = tool
        self._fault = fault

    def actions(self) -> Sequence[Action]:
        return self._tool.actions()

    async def invoke(self, call: Call, context: ToolContext) -> Outcome:
        await self._fault.passed("call.before", context.session_id)
        outcome = await self._tool.invoke(call, context)
        await self._fault.passed("call.after", context.session_id)
        return outcome

    async def client_arguments(self, call: Call, context: ToolContext) -> JsonObject | Failure:
        return await self._tool.client_arguments(call, context)

    async def check_result(self, action: Action, output: JsonObject) -> Sequence[str]:
        return await self._tool.check_result(action, output)


class _FaultyModel:
    def __init__(self, model: Model, fault: Fault) -> None:
        self._model = model
        self._fault = fault

    @property
    def name(self) -> str:
        return self._model.name

    async def decide(self, turn: ModelTurn) -> ModelReply:
        await self._fault.passed("decide.before", _session())
        reply = await self._model.decide(turn)
        await self._fault.passed("decide.after", _session())
        return reply

    async def stream(self, turn: ModelTurn) -> AsyncIterator[TextDelta | ModelReply]:
        await self._fault.passed("decide.before", _session())
        async for item in self._model.stream(turn):
            yield item
        await self._fault.passed("decide.after", _session())

    async def aclose(self) -> None:
        await self._model.aclose()


def _told(write: Callable[P, Awaitable[T]], point: str, fault: Fault) -> Callable[P, Awaitable[T]]:
    async def told(*arguments: P.args, **named: P.kwargs) -> T:
        first = arguments[0]
        session = first.session if isinstance(first, BeginTurn | Lease) else _session()
        await fault.passed(f"{point}.before", session)
        result = await write(*arguments, **named)
        await fault.passed(f"{point}.after", session)
        return result

    return told


def _session() -> str:
    """The session whose turn runs here; empty where none does."""
    return current_log_context().get("session", "")
