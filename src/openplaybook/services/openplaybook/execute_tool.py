"""OpenPlaybook.ExecuteTool: one action of a tool, taken on its own."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from openplaybook.jsonvalues import JsonObject, as_object, loads
from openplaybook.resources.builtin_tools import find_builtin
from openplaybook.resources.call_spellings import canonical_arguments
from openplaybook.resources.names import TOOLS, ResourceName, new_id
from openplaybook.resources.tool_kinds import facts_of
from openplaybook.services.agent_models import AgentModels
from openplaybook.services.compiled_tools import CompiledTool, CompiledTools, ReadTool
from openplaybook.services.errors import not_found, unimplemented
from openplaybook.services.large_messages import done_aside
from openplaybook.services.openplaybook.step_messages import tell_exchange
from openplaybook.services.openplaybook.tool_trials import NO_SESSION, RecordedAnswer, TrialParts, TrialSession
from openplaybook.services.response_files import ResponseFiles, read_files
from openplaybook.services.stored_records import documents_in, every_record
from openplaybook.services.tool_execution import (
    DEFAULT_TIMEOUT_S,
    action_of,
    exchange_json,
    executions_of,
    given_files,
    outcome_size,
    rehearse,
    scope_of,
    take,
)
from openplaybook.services.turn_requests import TurnPayload, take_files
from openplaybook.storage.base import Store
from openplaybook.tools.base import (
    Action,
    Exchange,
    Failure,
    InDoubt,
    Outcome,
    Success,
    ToolBuilder,
    ToolContext,
)
from openplaybook.turns.agent.snapshot import secret_parameters, texts_in
from openplaybook.wire.api import Api
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage


@dataclass(frozen=True, slots=True)
class _ToolCall:
    """What a request brings for an action."""

    arguments: JsonObject
    parameters: JsonObject
    """Of the session."""
    payload: TurnPayload


@dataclass(frozen=True, slots=True)
class _Taken:
    """What came of an action."""

    action: Action
    outcome: Outcome
    exchanges: Sequence[Exchange]
    seconds: float


class ToolExecution:
    """Takes actions as a playbook would, but outside any conversation."""

    def __init__(
        self,
        api: Api,
        store: Store,
        toolbox: ToolBuilder,
        models: AgentModels | None = None,
        trials: TrialParts | None = None,
    ) -> None:
        """`models`: for tools that need one; None where there are none. `trials`: for drafts, sessions and recorded
        responses; None where they are not served."""
        self._api = api
        self._store = store
        self._tools = CompiledTools(store, toolbox)
        self._models = models
        self._trials = trials
        self._response = api.message("openplaybook.v1.ExecuteToolResponse")

    async def execute(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """What came of the action, with the requests that were sent.

        A failed action is an answer, not an error of this RPC. NOT_FOUND: no such tool; INVALID_ARGUMENT: no
        such action; FAILED_PRECONDITION: the tool cannot be used, or only by clients.
        """
        name = TOOLS.parse(request.tool)
        agent = name.root
        at_hand = await self._at_hand(request, name)
        action = action_of(at_hand.tool.actions(), request.action)
        trial = await self._session(request, agent)
        session = trial.session or executions_of(agent)
        call = await done_aside(
            partial(self._call_of, request, at_hand.outline, action, session), context.request_bytes
        )
        parameters = {**trial.parameters, **call.parameters}
        secret = trial.sealed | await self._secret_names(agent, at_hand) if parameters else frozenset[str]()
        tool_context = ToolContext(
            session_id=trial.session.rpartition("/")[2] or new_id(),
            model=None if self._models is None else await self._models.for_tool(agent, at_hand.outline),
            parameters=parameters,
            secrets=[text for name in secret for text in texts_in(parameters.get(name))],
            secret_parameters=secret,
            payload=call.payload.values,
            timeout_s=context.timeout_s or DEFAULT_TIMEOUT_S,
            idempotency_key=new_id(),
            files=await given_files(self._store, session, call.payload.files),
        )
        doing = rehearse if request.dry_run else take
        begun = time.perf_counter()
        outcome = await doing(at_hand.tool, action, call.arguments, tool_context)
        taken = _Taken(action, outcome, tool_context.exchanges, time.perf_counter() - begun)
        output = outcome.output if isinstance(outcome, Success) else None
        files = await read_files(self._store, session, (output,))
        context.answer_bytes = files.size + outcome_size(outcome, taken.exchanges)
        return await done_aside(partial(self._answer, taken, files), context.answer_bytes)

    async def _at_hand(self, request: ApiMessage, name: ResourceName) -> CompiledTool:
        """The tool that is taken: the stored one, a draft of it, or either with a recorded response."""
        agent, is_recorded = name.root, request.HasField("recorded_response")
        if not is_recorded and not request.HasField("draft"):
            return await self._tools.tool(agent, str(name), partial(self._read, name))
        trials = self._served_trials()
        draft = self._json(request.draft) if request.HasField("draft") else None
        found = await trials.drafts.read(agent, str(name), draft)
        tools = self._tools
        if is_recorded:
            tools = CompiledTools(self._store, trials.answering(_recorded(request.recorded_response)))
        return CompiledTool(found.resource, await tools.compiled(found.resource, found.scope))

    async def _session(self, request: ApiMessage, agent: str) -> TrialSession:
        return await self._served_trials().of_session(agent, request.session) if request.session else NO_SESSION

    def _served_trials(self) -> TrialParts:
        if self._trials is None:
            raise unimplemented("drafts, sessions and recorded responses are not served here")
        return self._trials

    def _call_of(self, request: ApiMessage, tool: JsonObject, action: Action, session: str) -> _ToolCall:
        input_parameters = self._json(request.input_parameters)
        return _ToolCall(
            canonical_arguments(action.action, input_parameters, facts_of(tool, action.input_schema)),
            self._json(request.session_parameters),
            take_files(self._json(request.payload), session, "payload.files"),
        )

    async def _read(self, name: ResourceName) -> ReadTool:
        built_in = find_builtin(str(name))
        record = await self._store.get(str(name) if built_in is None else name.parent)
        if record is None or (built_in is None and record.kind != TOOLS.kind):
            raise not_found("Tool", str(name))
        agent = await self._store.get(name.root)
        scope = scope_of(as_object(loads(agent.body)) if agent is not None else {})
        if built_in is not None:
            return ReadTool(built_in, scope)
        [document] = await documents_in([record])
        return ReadTool(document, scope)

    async def _secret_names(self, agent: str, at_hand: CompiledTool) -> frozenset[str]:
        """Session parameters that any authentication of the agent reads, whichever tool is executed, or that of a draft
        which the agent does not have yet."""
        stored = await self._tools.secret_parameters(agent, partial(self._secret_parameters, agent))
        return stored | secret_parameters([at_hand.outline])

    async def _secret_parameters(self, agent: str) -> frozenset[str]:
        return secret_parameters(await documents_in(await every_record(self._store, agent, TOOLS.kind)))

    def _json(self, struct: ApiMessage) -> JsonObject:
        return self._api.codec.to_json(struct)

    def _answer(self, taken: _Taken, files: ResponseFiles) -> ApiMessage:
        action = taken.action
        response = self._response(safe_to_repeat=action.safe_to_repeat, read_only=action.is_read_only)
        response.elapsed.FromMicroseconds(round(taken.seconds * 1e6))
        trace: JsonObject = {"exchanges": [exchange_json(exchange) for exchange in taken.exchanges]}
        for exchange in taken.exchanges:
            tell_exchange(exchange, response.exchanges.add(), with_bodies=True)
        match taken.outcome:
            case Success(output, note, _):
                self._fill(response.output_parameters, as_object(files.output(output)))
                response.note = note
                trace |= {"note": note} if note else {}
            case Failure(code, message, output):
                response.error.code, response.error.message = code, message
                if output is not None:
                    trace |= {"output": output}
                    self._fill(response.error_output, output)
            case InDoubt(message):
                response.error.code, response.error.message = "OUTCOME_UNKNOWN", message
        self._fill(response.trace, trace)
        return response

    def _fill(self, struct: ApiMessage, value: JsonObject) -> None:
        struct.SetInParent()
        self._api.codec.from_json(value, struct)


def _recorded(response: ApiMessage) -> RecordedAnswer:
    headers = {str(name): str(value) for name, value in response.headers.items()}
    return RecordedAnswer(response.status or 200, headers, response.body)
