"""Sessions: detectIntent, at once or as it happens."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from functools import partial

from openplaybook.services.dialogflow.detect_intent_requests import not_honoured, turn_request
from openplaybook.services.dialogflow.detect_intent_responses import ResponseOptions, ResponseRenderer
from openplaybook.services.documented_bounds import LONGEST_SESSION_ID
from openplaybook.services.errors import invalid
from openplaybook.services.large_messages import done_aside
from openplaybook.services.response_files import files_of
from openplaybook.services.turn_errors import TURN_REFUSALS, rpc_error
from openplaybook.storage.base import Store
from openplaybook.turns.base import Partial, PartialText, TurnRequest, TurnResult
from openplaybook.turns.engine import TurnEngine
from openplaybook.turns.turn_streams import TurnStreams
from openplaybook.wire.api import Api
from openplaybook.wire.bytes_in_flight import MESSAGE_AT_ONCE
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.messages import ApiMessage
from openplaybook.wire.registry import RpcContext

FIRST_MESSAGE_S = 60.0
"""Seconds from the beginning of a StreamingDetectIntent: a stream that says nothing must not be held for ever."""

_V = "google.cloud.dialogflow.cx.v3beta1."


class DetectIntentHandlers:
    """Handlers of the Sessions service."""

    def __init__(self, api: Api, store: Store, engine: TurnEngine, streams: TurnStreams) -> None:
        self._api = api
        self._store = store
        self._engine = engine
        self._streams = streams
        self._renderer = ResponseRenderer(api)
        self._messages = StreamMessages(api)

    async def detect_intent(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Run one turn and answer with what it came to."""
        turn = await self._turn(request, context)
        try:
            result = await self._engine.run(turn)
            response = await self._final(turn, result, request, context)
        except TURN_REFUSALS as error:
            raise rpc_error(error) from error
        self._note_delivery(turn, result, context)
        return response

    async def server_streaming_detect_intent(
        self, request: ApiMessage, context: RpcContext
    ) -> AsyncGenerator[ApiMessage]:
        """Run one turn and tell of it as it happens; the last message is detectIntent's answer."""
        turn = await self._turn(request, context)
        try:
            async with aclosing(self._streams.stream(turn)) as items:
                async for item in items:
                    if isinstance(item, TurnResult):
                        response = await self._final(turn, item, request, context)
                        self._note_delivery(turn, item, context)
                        yield response
                    elif (part := await self._part(turn, item, request.response_view)) is not None:
                        yield part
        except TURN_REFUSALS as error:
            raise rpc_error(error) from error

    async def streaming_detect_intent(
        self, requests: AsyncIterator[ApiMessage], context: RpcContext
    ) -> AsyncGenerator[ApiMessage]:
        """Run one turn, whose input is the first message; whether the client half-closes before the end or not.

        As documented a stream takes one query. Partial responses come when `enable_partial_response` asks for them.
        """
        first = await _first(requests)
        if first is None:
            raise RpcError(
                Code.INVALID_ARGUMENT,
                "The stream has no request: its first message must contain session and query_input.",
            )
        if first.HasField("output_audio_config"):
            context.warn("output_audio_config: this server has no speech output; responses have no output_audio.")
        request, partials = self._messages.detect_intent(first), 0
        async with aclosing(self.server_streaming_detect_intent(request, context)) as responses:
            async for response in responses:
                is_final = self._renderer.is_final(response)
                if is_final or first.enable_partial_response:
                    partials += not is_final
                    debugging = first.enable_debugging_info and is_final
                    yield self._messages.streamed(response, partials=partials if debugging else None)

    async def _turn(self, request: ApiMessage, context: RpcContext) -> TurnRequest:
        read = partial(turn_request, self._api, request, context)
        turn = await done_aside(read, context.request_bytes) if context.is_large else read()
        # One that an older version has begun goes on.
        if len(_id(turn)) > LONGEST_SESSION_ID and await self._store.session(turn.session) is None:
            raise invalid(("session", f"the id of a session has at most {LONGEST_SESSION_ID} characters"))
        return turn

    async def _final(
        self, turn: TurnRequest, result: TurnResult, request: ApiMessage, context: RpcContext
    ) -> ApiMessage:
        files = await files_of(self._store, turn.session, result.trace)
        context.answer_bytes = files.size
        options = ResponseOptions(
            _id(turn),
            request.response_view,
            context.version,
            not_honoured(request),
            with_signals=request.query_params.populate_data_store_connection_signals,
        )
        render = partial(self._renderer.final, result, options, files)
        return await done_aside(render, files.size) if files.size > MESSAGE_AT_ONCE else render()

    async def _part(self, turn: TurnRequest, partial_result: Partial, view: int) -> ApiMessage | None:
        steps = () if isinstance(partial_result, PartialText) else (partial_result.step,)
        return self._renderer.partial(partial_result, view, await files_of(self._store, turn.session, steps))

    def _note_delivery(self, turn: TurnRequest, result: TurnResult, context: RpcContext) -> None:
        context.on_delivered.append(lambda: self._engine.delivered(turn.session, result.turn))


class StreamMessages:
    """Messages of StreamingDetectIntent, in those of detectIntent."""

    def __init__(self, api: Api) -> None:
        self._request = api.message(f"{_V}DetectIntentRequest")
        self._response = api.message(f"{_V}StreamingDetectIntentResponse")

    def detect_intent(self, first: ApiMessage) -> ApiMessage:
        """The DetectIntentRequest that the first message of a stream amounts to."""
        request = self._request(session=first.session, response_view=first.response_view)
        for field in ("query_params", "query_input"):
            if first.HasField(field):
                getattr(request, field).CopyFrom(getattr(first, field))
        return request

    def streamed(self, response: ApiMessage, *, partials: int | None) -> ApiMessage:
        """A DetectIntentResponse as a message of the stream; with debugging info where `partials`, their number, is
        given."""
        message = self._response(detect_intent_response=response)
        if partials is not None:
            message.debugging_info.partial_responses = partials
            message.debugging_info.is_input_text = True
        return message


async def _first(requests: AsyncIterator[ApiMessage]) -> ApiMessage | None:
    """None for a stream that ends without any."""
    try:
        async with asyncio.timeout(FIRST_MESSAGE_S):
            return await anext(aiter(requests), None)
    except TimeoutError as error:
        sentence = f"The stream's first message did not arrive within {FIRST_MESSAGE_S:g} s."
        raise RpcError(Code.DEADLINE_EXCEEDED, sentence) from error


def _id(turn: TurnRequest) -> str:
    return turn.session.rpartition("/")[2]
