"""What tools offer, and what is wrong with them: ListToolActions, InspectOpenApi."""

from collections.abc import Sequence
from functools import partial

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.resources.page_tokens import issue_token, page_size, read_token
from openplaybook.resources.tool_kinds import tool_kinds
from openplaybook.services.compiled_tools import CompiledTools, ReadTool
from openplaybook.services.errors import invalid
from openplaybook.services.listings import PAGE_BYTES
from openplaybook.services.openplaybook.problem_places import tell_problems
from openplaybook.services.openplaybook.tool_drafts import NEW, ToolDrafts
from openplaybook.services.parts import ServiceParts
from openplaybook.services.turn_requests import struct_json
from openplaybook.tools.base import Action, ExecutionPlace, Problem, ToolContext
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.lanes import DOCUMENTS, FILES

_V = "openplaybook.v1."
_MOST_OPERATIONS = 10_000


class ToolActions:
    """Lists actions of stored tools and drafts, and inspects documents."""

    def __init__(self, parts: ServiceParts) -> None:
        self._parts = parts
        self._drafts = ToolDrafts(parts)
        self._compiled = CompiledTools(parts.store, parts.toolbox)
        self._listed = parts.api.message(f"{_V}ListToolActionsResponse")
        self._action = parts.api.message(f"{_V}ToolAction")
        self._inspected = parts.api.message(f"{_V}InspectOpenApiResponse")

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """One page of a tool's actions, and on the first what is wrong with it."""
        draft = struct_json(self._parts.api, request.draft) if request.HasField("draft") else None
        found = await self._drafts.read(request.parent, request.tool, draft)
        query = (f"{_V}ListToolActions", request.parent, request.tool, request.filter)
        size, first = page_size(request.page_size), read_token(query, request.page_token)
        kind = tool_kinds().of(found.resource)
        response = self._listed(tool_kind="" if kind is None else kind.name)
        problems = await self._problems(found.resource)
        if not first:
            await DOCUMENTS.run(partial(tell_problems, problems, text_of(found.resource), response.problems))
        if any(problem.is_error for problem in problems):
            return response
        actions = await self._actions(found, request.filter)
        wanted = actions[first : first + size]
        await FILES.run(partial(self._tell_actions, wanted, response, names_only=request.names_only))
        response.total_size = len(actions)
        after = first + len(response.actions)
        if after < len(actions):
            response.next_page_token = issue_token(query, after)
        context.answer_bytes = response.ByteSize()
        return response

    async def inspect(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """What a document would give a tool, as saving would find it."""
        if not request.text:
            raise invalid(("text", "is required"))
        spec: JsonObject = {"textSchema": request.text}
        if request.server_url:
            spec["settings"] = {"serverUrl": request.server_url}
        draft: JsonObject = {"displayName": "inspected", "description": "inspected", "openApiSpec": spec}
        scope = await self._drafts.scope(request.parent)
        resource: JsonObject = {**draft, "name": f"{request.parent}/tools/{NEW}"}
        problems = await DOCUMENTS.run(partial(self._parts.toolbox.check, resource))
        response = self._inspected(problem_count=len(problems))
        await DOCUMENTS.run(partial(tell_problems, problems, request.text, response.problems))
        if not any(problem.is_error for problem in problems):
            actions = await self._actions(ReadTool(resource, scope), "")
            response.operation_count = len(actions)
            for action in actions[:_MOST_OPERATIONS]:
                response.operations.add(operation_id=action.action, method=action.method, path=action.path)
        context.answer_bytes = response.ByteSize()
        return response

    async def _problems(self, resource: JsonObject) -> Sequence[Problem]:
        checked = await DOCUMENTS.run(partial(self._parts.toolbox.check, resource))
        if any(problem.is_error for problem in checked):
            return checked
        return [*await self._parts.toolbox.unmet(resource), *checked]

    async def _actions(self, found: ReadTool, wanted: str) -> Sequence[Action]:
        tool = await self._compiled.compiled(found.resource, found.scope)
        actions = await tool.described(ToolContext(session_id="")) if tool.is_live else tool.actions()
        text = wanted.casefold()
        return [action for action in actions if not text or any(text in each for each in _words(action))]

    def _tell_actions(self, actions: Sequence[Action], response: ApiMessage, *, names_only: bool) -> None:
        size = 0
        for action in actions:
            message = self._shown(action, names_only=names_only)
            size += message.ByteSize()
            if size > PAGE_BYTES and response.actions:
                return
            response.actions.append(message)

    def _shown(self, action: Action, *, names_only: bool) -> ApiMessage:
        message = self._action(
            name=action.name,
            action=action.action,
            description=action.description,
            client=action.place is ExecutionPlace.CLIENT,
            read_only=action.is_read_only,
            safe_to_repeat=action.safe_to_repeat,
            method=action.method,
            path=action.path,
        )
        if names_only:
            return message
        codec = self._parts.api.codec
        codec.from_json(action.input_schema, message.input_schema)
        if (output := action.output_schema) is not None:
            codec.from_json(output, message.output_schema)
        if action.complete_schema is not None:
            complete = action.complete_schema()
            hidden = (
                as_object(complete.get("properties")).keys() - as_object(action.input_schema.get("properties")).keys()
            )
            if hidden:
                message.filled_arguments.extend(sorted(hidden))
                codec.from_json(complete, message.complete_schema)
        return message


def text_of(resource: JsonObject) -> str:
    """The document in a tool, which lines of its problems count in; empty where it has none."""
    field = tool_kinds().field(resource)
    if field is None or not field.texts:
        return ""
    value: object = resource.get(field.name)
    for key in field.texts[0].keys:
        value = as_object(value).get(key)
    return value if isinstance(value, str) else ""


def _words(action: Action) -> Sequence[str]:
    return [each.casefold() for each in (action.action, action.name, action.description, action.path)]
