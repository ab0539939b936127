"""OpenPlaybook.ExecuteTool: one action of a tool, taken on its own."""

import asyncio
from collections.abc import Sequence

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, loads
from openplaybook.resources.names import ToolName, new_id
from openplaybook.resources.spellings import canonical_arguments, facts_of
from openplaybook.services.errors import invalid, not_found, precondition
from openplaybook.storage.base import Store
from openplaybook.tools.base import (
    Action,
    Call,
    Exchange,
    Failure,
    InDoubt,
    InvalidTool,
    Outcome,
    Place,
    Success,
    Tool,
    ToolBuilder,
    ToolContext,
)
from openplaybook.wire.api import Api
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage

DEFAULT_TIMEOUT_S = 60.0
"""For a caller that sets no deadline."""

_MOST_NAMED = 20
"""Actions that an error message lists."""


class ToolExecution:
    """Takes actions as a playbook would, but outside any conversation."""

    def __init__(self, api: Api, store: Store, toolbox: ToolBuilder) -> None:
        self._api = api
        self._store = store
        self._toolbox = toolbox
        self._response = api.message("openplaybook.v1.ExecuteToolResponse")

    async def execute(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """What came of the action, with the requests that were sent.

        A failed action is an answer, not an error of this RPC. NOT_FOUND: no such tool; INVALID_ARGUMENT: no
        such action; FAILED_PRECONDITION: the tool cannot be used, or only by clients.
        """
        resource = await self._resource(request.tool)
        tool = await self._compiled(resource)
        action = _action(tool.actions(), request.action)
        if action.place is Place.CLIENT:
            raise precondition("CLIENT_TOOL", f"{action.action} is a function tool: only clients run it")
        given = self._json(request.input_parameters)
        arguments = canonical_arguments(action.action, given, facts_of(resource, action.input_schema))
        tool_context = ToolContext(
            session_id=new_id(),
            parameters=self._json(request.session_parameters),
            payload=self._json(request.payload),
            timeout_s=context.timeout_s or DEFAULT_TIMEOUT_S,
            idempotency_key=new_id(),
        )
        outcome = await tool.invoke(Call(new_id(), action, arguments), tool_context)
        return self._answer(outcome, tool_context.exchanges)

    async def _resource(self, name: str) -> JsonObject:
        record = await self._store.get(str(ToolName.parse(name)))
        if record is None or record.kind != ToolName.kind:
            raise not_found("Tool", name)
        return as_object(loads(record.body))

    async def _compiled(self, resource: JsonObject) -> Tool:
        try:
            # A large document takes a while; other requests go on meanwhile.
            return await asyncio.to_thread(self._toolbox.build, resource)
        except InvalidTool as error:
            raise precondition("INVALID_TOOL", str(error)) from error

    def _json(self, struct: ApiMessage) -> JsonObject:
        return self._api.codec.to_json(struct)

    def _answer(self, outcome: Outcome, exchanges: Sequence[Exchange]) -> ApiMessage:
        response = self._response()
        trace: JsonObject = {"exchanges": [_shown(exchange) for exchange in exchanges]}
        match outcome:
            case Success(output, note):
                self._fill(response.output_parameters, output)
                trace |= {"note": note} if note else {}
            case Failure(code, message, output):
                response.error.code, response.error.message = code, message
                trace |= {"output": output} if output is not None else {}
            case InDoubt(message):
                response.error.code, response.error.message = "OUTCOME_UNKNOWN", message
        self._fill(response.trace, trace)
        return response

    def _fill(self, struct: ApiMessage, value: JsonObject) -> None:
        struct.SetInParent()
        self._api.codec.from_json(value, struct)


def _action(actions: Sequence[Action], name: str) -> Action:
    if not name:
        raise invalid(("action", "is required"))
    found = next((action for action in actions if name in (action.action, action.name)), None)
    if found is None:
        names = [action.action for action in actions]
        more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        listed = f"{', '.join(names[:_MOST_NAMED])}{more}" if names else "none"
        raise invalid(("action", f"{name!r} is not an action of the tool; there are: {listed}"))
    return found


def _shown(exchange: Exchange) -> JsonObject:
    shown: dict[str, JsonValue] = {
        "method": exchange.method,
        "url": exchange.url,
        "requestHeaders": dict(exchange.request_headers),
        "requestBody": exchange.request_body,
        "status": exchange.status,
        "responseHeaders": dict(exchange.response_headers),
        "responseBody": exchange.response_body,
        "elapsedMs": exchange.elapsed_ms,
    }
    return {**shown, "error": exchange.error} if exchange.error else shown
