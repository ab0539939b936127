"""SessionService: runSession, at once or as it happens."""

from collections.abc import AsyncGenerator, Container, Mapping
from contextlib import aclosing
from functools import partial

from openplaybook.jsonvalues import as_object, loads
from openplaybook.resources.names import APP_AGENTS, APP_DEPLOYMENTS
from openplaybook.services.ces.session_outputs import OutputRenderer
from openplaybook.services.ces.session_requests import SessionBasis, of_app, run_request, session_of
from openplaybook.services.collection import Collection
from openplaybook.services.errors import REFUSALS, to_rpc_error
from openplaybook.services.large_messages import done_aside
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import APP_DEPLOYMENT
from openplaybook.services.response_files import files_of
from openplaybook.services.stored_records import every_record
from openplaybook.services.turn_errors import TURN_REFUSALS, rpc_error
from openplaybook.storage.errors import StoreError
from openplaybook.turns.base import AgentStep, PartialMoment, PartialText, TurnRequest, TurnResult
from openplaybook.turns.engine import TurnEngine
from openplaybook.turns.errors import SessionWaiting, TurnError
from openplaybook.turns.turn_streams import TurnStreams
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.messages import ApiMessage
from openplaybook.wire.registry import RpcContext
from openplaybook.workers.errors import WorkError


class SessionService:
    """Runs turns of apps, and says what they came to as CX Agent Studio does."""

    def __init__(self, parts: ServiceParts, engine: TurnEngine, streams: TurnStreams) -> None:
        self._parts = parts
        self._engine = engine
        self._streams = streams
        self._deployments = Collection(APP_DEPLOYMENT, parts)
        self._renderer = OutputRenderer(parts.api)

    async def run_session(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Run one turn and answer with what it came to."""
        turn = await self._turn(request, context)
        try:
            result = await self._engine.run(turn)
            outputs = await self._outputs(turn, result, context=context)
        except TURN_REFUSALS as error:
            raise refusal(error) from error
        self._note_delivery(turn, result, context)
        return self._response(outputs)

    async def stream_run_session(self, request: ApiMessage, context: RpcContext) -> AsyncGenerator[ApiMessage]:
        """Run one turn and tell of it as it happens, an output a message; with `enable_text_streaming` words come as
        the model speaks them, and are not said again."""
        turn = await self._turn(request, context)
        is_streamed = request.config.enable_text_streaming
        async with aclosing(self.outputs(turn, context, is_streamed=is_streamed)) as outputs:
            async for output, result in outputs:
                if result is not None:
                    self._note_delivery(turn, result, context)
                yield self._response([output])

    async def outputs(
        self, turn: TurnRequest, context: RpcContext, *, is_streamed: bool
    ) -> AsyncGenerator[tuple[ApiMessage, TurnResult | None]]:
        """The outputs of a turn as they come; the last one with the turn's result. Raises `RpcError`."""
        streamed: set[int] = set()
        try:
            async with aclosing(self._streams.stream(turn)) as items:
                async for item in items:
                    if isinstance(item, TurnResult):
                        *before, last = await self._outputs(turn, item, streamed, context=context)
                        for output in before:
                            yield output, None
                        yield last, item
                    elif is_streamed and isinstance(item, PartialText):
                        streamed.add(item.reply)
                        yield self._renderer.words(item), None
                    elif is_streamed and isinstance(item, PartialMoment) and isinstance(item.step, AgentStep):
                        yield self._renderer.complete(item), None
        except TURN_REFUSALS as error:
            raise refusal(error) from error

    def delivered(self, turn: TurnRequest, result: TurnResult) -> None:
        """The last output of a turn was written to its client's connection."""
        self._engine.delivered(turn.session, result.turn)

    async def known(self, config: ApiMessage) -> SessionBasis:
        """What is stored of what a SessionConfig names. NOT_FOUND: there is no such deployment."""
        app = session_of(config).root
        try:
            return SessionBasis(await self._version(config, app), await self._agents(config, app))
        except REFUSALS as error:
            raise to_rpc_error(error) from error

    async def _version(self, config: ApiMessage, app: str) -> str:
        if not config.deployment:
            return ""
        of_app("config.deployment", APP_DEPLOYMENTS, config.deployment, app)
        return (await self._deployments.read(config.deployment)).message.app_version

    async def _agents(self, config: ApiMessage, app: str) -> Mapping[str, str]:
        if not config.historical_contexts:
            return {}
        records = await every_record(self._parts.store, app, APP_AGENTS.kind)
        return {str(as_object(loads(each.body)).get("displayName", "")): each.name for each in records}

    async def _turn(self, request: ApiMessage, context: RpcContext) -> TurnRequest:
        known = await self.known(request.config)
        read = partial(run_request, self._parts.api, request, known, context)
        return await done_aside(read, context.request_bytes)

    async def _outputs(
        self, turn: TurnRequest, result: TurnResult, streamed: Container[int] = (), *, context: RpcContext
    ) -> list[ApiMessage]:
        files = await files_of(self._parts.store, turn.session, result.trace)
        context.answer_bytes = files.size
        render = partial(self._renderer.outputs, result, turn.session, turn.parameters, files, streamed)
        return await done_aside(render, files.size)

    def _response(self, outputs: list[ApiMessage]) -> ApiMessage:
        response = self._parts.ces("RunSessionResponse")
        response.outputs.extend(outputs)
        return response

    def _note_delivery(self, turn: TurnRequest, result: TurnResult, context: RpcContext) -> None:
        context.on_delivered.append(lambda: self.delivered(turn, result))


def refusal(error: TurnError | StoreError | WorkError) -> RpcError:
    """The status that tells a caller what became of the turn, in CX Agent Studio's words."""
    if isinstance(error, SessionWaiting):
        sentence = "The session is waiting for its client: send tool_responses for the open tool calls first."
        return RpcError(Code.INVALID_ARGUMENT, f"{sentence} {error}", rpc_error(error).details)
    return rpc_error(error)
