"""ToolService: a tool taken on its own, its schema, and the tools of a toolset."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, rough_size
from openplaybook.resources.ces.app_variables import declared_variables
from openplaybook.resources.ces.schemas import ces_schema
from openplaybook.resources.names import new_id
from openplaybook.resources.tool_kinds import ToolsetTools, tool_kinds
from openplaybook.services.agent_models import AgentModels
from openplaybook.services.ces.app_toolbox import AppToolbox, ChosenTool
from openplaybook.services.ces.tool_messages import display_name_of, fill_tool, response_content
from openplaybook.services.errors import invalid, precondition, unimplemented
from openplaybook.services.large_messages import done_aside
from openplaybook.services.openplaybook.tool_drafts import ToolDrafts
from openplaybook.services.parts import ServiceParts
from openplaybook.services.response_files import ResponseFiles, read_files
from openplaybook.services.tool_execution import (
    DEFAULT_TIMEOUT_S,
    exchange_json,
    executions_of,
    given_files,
    outcome_size,
    rehearse,
    take,
)
from openplaybook.services.turn_requests import struct_json
from openplaybook.tools.base import (
    Action,
    Call,
    ExecutionPlace,
    Failure,
    InDoubt,
    Outcome,
    Success,
    Tool,
    ToolBuilder,
    ToolContext,
)
from openplaybook.tools.mocks import InvalidMocks, Mocks, read_mocks
from openplaybook.turns.agent.snapshot import texts_in
from openplaybook.wire.bytes_in_flight import MESSAGE_AT_ONCE
from openplaybook.wire.codec.structs import read_struct
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage

_MOST_RETRIEVED = 64 * 1024 * 1024
"""Bytes of the tools of a toolset in one answer, roughly."""


@dataclass(frozen=True, slots=True)
class _ToolCall:
    """What a request brings for a tool."""

    arguments: JsonObject
    mocks: Mocks | None
    context: JsonObject
    variables: JsonObject


class ToolService:
    """Tools of apps outside of any conversation."""

    def __init__(self, parts: ServiceParts, toolbox: ToolBuilder, models: AgentModels) -> None:
        self._parts = parts
        self._tools = AppToolbox(parts.store, toolbox)
        self._models = models
        self._drafts = ToolDrafts(parts)

    async def execute(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """What came of a tool: a failure is an answer with an `error`, not an error of this RPC.

        Variables that the request leaves out have their defaults. Mocks answer what the tool calls and, where one fits,
        the tool's own call. A dry run sends nothing, and says in `trace` what would be sent.

        A draft is taken in place of what is stored.

        NOT_FOUND: no such tool; FAILED_PRECONDITION: it cannot be taken on its own.
        """
        chosen = await (self._drafted(request) if request.HasField("draft") else self._tools.chosen(request))
        call = await done_aside(partial(self._call_of, request), context.request_bytes)
        arguments, mocks = call.arguments, call.mocks
        tool_context = await self._context(call, chosen, context)
        if request.dry_run:
            outcome = await rehearse(chosen.at_hand.tool, chosen.action, arguments, tool_context)
            return await self._answer(chosen, tool_context, outcome, context, is_dry=True)
        outcome = None if mocks is None else await mocks.answer(chosen.action, arguments)
        if outcome is None:
            await self._let_call(chosen, tool_context, mocks)
            outcome = await take(chosen.at_hand.tool, chosen.action, arguments, tool_context)
        return await self._answer(chosen, tool_context, outcome, context)

    async def retrieve_schema(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """What a tool takes, as its caller has to give it, and what it gives."""
        chosen = await self._tools.chosen(request)
        described = {each.action: each for each in await chosen.at_hand.tool.described(ToolContext(session_id=""))}
        action = described.get(chosen.action.action, chosen.action)
        context.answer_bytes = rough_size([action.input_schema, action.output_schema], MESSAGE_AT_ONCE)
        return await done_aside(partial(self._schema, action), context.answer_bytes)

    async def retrieve_tools(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The tools of a toolset, or those of them that the request names.

        INVALID_ARGUMENT: it has no such tool; UNIMPLEMENTED: only its MCP server knows.
        """
        document, compiled = await self._tools.toolset(request.toolset)
        actions = {action.action: action for action in await compiled.described(ToolContext(session_id=""))}
        unlisted = tools_of(document).unlisted
        if not actions and unlisted:
            raise unimplemented(f"{request.toolset} {unlisted}")
        for index, wanted in enumerate(request.tool_ids):
            if wanted not in actions:
                raise invalid((f"tool_ids[{index}]", f"{wanted!r} is not a tool of {request.toolset}"))
        wanted_actions = [actions[id] for id in request.tool_ids or actions]
        context.answer_bytes = toolset_tools_size(document, wanted_actions)
        if context.answer_bytes > _MOST_RETRIEVED:
            count = f"{len(wanted_actions)} tools with what they have from their toolset"
            raise precondition(
                "ANSWER_TOO_LARGE", f"{count} are too many for one response; name fewer of them in tool_ids"
            )
        return await done_aside(partial(self._retrieved, document, wanted_actions), context.answer_bytes)

    async def _drafted(self, request: ApiMessage) -> ChosenTool:
        draft = self._parts.api.codec.to_json(request.draft)
        name = request.tool or request.toolset_tool.toolset
        return await self._tools.drafted(request, await self._drafts.read(request.parent, name, draft), draft)

    def _schema(self, action: Action) -> ApiMessage:
        response = self._parts.ces("RetrieveToolSchemaResponse")
        fill_tool(response, action.tool, action.action)
        self._fill(ces_schema(action.input_schema), response.input_schema)
        self._fill(ces_schema(action.output_schema or {"type": "object"}), response.output_schema)
        return response

    def _retrieved(self, document: JsonObject, actions: Sequence[Action]) -> ApiMessage:
        response = self._parts.ces("RetrieveToolsResponse")
        for action in actions:
            self._fill(toolset_tool(document, action), response.tools.add())
        return response

    def _call_of(self, request: ApiMessage) -> _ToolCall:
        api = self._parts.api
        return _ToolCall(
            struct_json(api, request.args),
            self._mocks(request),
            struct_json(api, request.context),
            struct_json(api, request.variables),
        )

    def _mocks(self, request: ApiMessage) -> Mocks | None:
        if not request.HasField("mock_config"):
            return None
        try:
            return read_mocks(self._parts.api.codec.to_json(request.mock_config))
        except InvalidMocks as error:
            raise invalid(("mock_config", str(error))) from error

    async def _context(self, call: _ToolCall, chosen: ChosenTool, context: RpcContext) -> ToolContext:
        """What the tool may know: the request's variables, or those in the state of the context that it gives."""
        app = str(chosen.app["name"])
        state = call.context
        sent = call.variables or as_object(state.get("state"))
        variables = {name: value for name, value in declared_variables(chosen.app).items() if value is not None} | sent
        secret = await self._tools.secret_variables(app) | chosen.secret_variables
        return ToolContext(
            session_id=str(state.get("session_id") or new_id()),
            session=executions_of(app),
            parameters=variables,
            secrets=[text for name in secret for text in texts_in(variables.get(name))],
            secret_parameters=secret,
            timeout_s=context.timeout_s or DEFAULT_TIMEOUT_S,
            idempotency_key=new_id(),
            files=await given_files(self._parts.store, executions_of(app), ()),
            call_id=str(state.get("function_call_id") or new_id()),
            turn_id=str(state.get("invocation_id") or new_id()),
            playbook=str(state.get("agent_name") or ""),
            user_text=_user_text(state),
            model=await self._models.for_tool(app, chosen.at_hand.outline),
        )

    async def _let_call(self, chosen: ChosenTool, context: ToolContext, mocks: Mocks | None) -> None:
        """Let a tool that is code call the app's others."""
        kind = tool_kinds().of(chosen.at_hand.outline)
        if kind is None or not kind.calls_tools:
            return
        tools = (await self._tools.callable(chosen.app)).items()
        callable = {name: each for name, each in tools if each[0].tool != chosen.action.tool}
        inner = replace(context, exchanged=context.exchanged)

        async def call(name: str, arguments: JsonObject) -> Outcome:
            return await _called(callable, name, arguments, inner)

        actions = {name: action for name, (action, _) in callable.items()}
        context.callable = tuple(actions)
        context.call = call if mocks is None else mocks.over(call, actions)

    async def _answer(
        self, chosen: ChosenTool, context: ToolContext, outcome: Outcome, rpc: RpcContext, *, is_dry: bool = False
    ) -> ApiMessage:
        output: JsonValue = outcome.output if isinstance(outcome, Success) else None
        files = await read_files(self._parts.store, context.session, (output,))
        variables = rough_size(dict(context.parameters), MESSAGE_AT_ONCE)
        exchanges = context.exchanges if is_dry else ()
        rpc.answer_bytes = files.size + outcome_size(outcome, exchanges) + variables
        answer = await done_aside(partial(self._response, chosen, context, outcome, files), rpc.answer_bytes)
        if is_dry:
            trace: JsonObject = {"exchanges": [exchange_json(each) for each in exchanges]}
            note: JsonObject = {"note": outcome.note} if isinstance(outcome, Success) else {}
            read_struct(trace | note, answer.trace)
        return answer

    def _response(self, chosen: ChosenTool, context: ToolContext, outcome: Outcome, files: ResponseFiles) -> ApiMessage:
        output: JsonValue = outcome.output if isinstance(outcome, Success) else None
        response = self._parts.ces("ExecuteToolResponse")
        fill_tool(response, chosen.action.tool, chosen.action.action)
        read_struct(_response(outcome, files.output(output)), response.response)
        read_struct(_variables(context, outcome), response.variables)
        return response

    def _fill(self, value: JsonObject, message: ApiMessage) -> None:
        message.SetInParent()
        self._parts.api.codec.from_json(value, message)


async def _called(
    callable: Mapping[str, tuple[Action, Tool]], name: str, arguments: JsonObject, context: ToolContext
) -> Outcome:
    """What came of a call that a tool makes."""
    if name not in callable:
        return Failure("NO_SUCH_FUNCTION", f"There is no function {name!r} to call here.")
    action, tool = callable[name]
    if action.place is ExecutionPlace.CLIENT:
        return Failure("CLIENT_TOOL", f"{name} is run by clients and cannot be called from here.")
    return await tool.invoke(Call(new_id(), action, arguments), replace(context, idempotency_key=new_id()))


def _response(outcome: Outcome, output: JsonValue) -> JsonObject:
    match outcome:
        case Success():
            return response_content(output, None)
        case Failure(code, message, answer):
            return response_content(answer, {"code": code, "message": message})
        case InDoubt(message):
            return response_content(None, {"code": "OUTCOME_UNKNOWN", "message": message})


def _variables(context: ToolContext, outcome: Outcome) -> JsonObject:
    """The variables in the end, without those that are secret or were taken away."""
    changed = outcome.parameters if isinstance(outcome, Success) else {}
    return {
        name: value
        for name, value in {**context.parameters, **changed}.items()
        if name not in context.secret_parameters and not (name in changed and value is None)
    }


def _user_text(context: JsonObject) -> str:
    """The words in a context's `user_content`, `{parts: [{text}]}`."""
    parts: list[JsonValue] = as_object(context.get("user_content")).get("parts") or []
    return "\n".join(str(as_object(part)["text"]) for part in parts if "text" in as_object(part))


_MOST_COUNTED = 64 * 1024 * 1024


def toolset_tool(toolset: JsonObject, action: Action) -> JsonObject:
    """One tool of a toolset, as v1beta JSON. Its name is `TOOLSET/tools/ID`."""
    tool: JsonObject = {
        "name": f"{toolset['name']}/tools/{action.action}",
        "displayName": display_name_of(str(toolset["name"]), action.action, action.tool_display_name),
        **{name: toolset[name] for name in ("executionType", "timeout") if name in toolset},
    }
    tools = tools_of(toolset)
    return {**tool, tools.field: {"name": action.action, "description": action.description, **_shared(toolset)}}


def toolset_tools_size(toolset: JsonObject, actions: Sequence[Action]) -> int:
    """Characters of tools of a toolset, roughly: each has a copy of what they share."""
    shared = rough_size(_shared(toolset), _MOST_COUNTED)
    return sum(shared + len(action.description) + len(action.action) for action in actions)


def tools_of(toolset: JsonObject) -> ToolsetTools:
    """What the tools of a toolset are."""
    field = tool_kinds().field(toolset)
    if field is None or field.toolset is None:
        raise ValueError(f"{toolset.get('name')} is no toolset")
    return field.toolset


def _shared(toolset: JsonObject) -> JsonObject:
    """What each has from the toolset. A description of an API stays there: it is all operations'."""
    field = tool_kinds().field(toolset)
    shared = as_object(toolset.get(field.name)) if field else {}
    return {name: shared[name] for name in tools_of(toolset).shared if name in shared}
