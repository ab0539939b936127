"""SessionService.BidiRunSession: a conversation on one stream, in text.

The first message is the config; each that follows is a realtime input. Inputs are held until one asks for an answer:
fragments (`will_continue`) and variables wait for the text, event or tool responses that they belong to. One turn runs
at a time; what comes meanwhile waits in the connection.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import replace

from openplaybook.resources.names import new_id
from openplaybook.services.ces.session_inputs import read_inputs
from openplaybook.services.ces.session_outputs import end_metadata
from openplaybook.services.ces.session_requests import check_config, check_inputs, session_of, turn_request
from openplaybook.services.ces.session_service import SessionService
from openplaybook.services.errors import invalid
from openplaybook.services.large_messages import done_aside
from openplaybook.services.parts import ServiceParts
from openplaybook.turns.base import TurnRequest, TurnResult
from openplaybook.wire.api import Api
from openplaybook.wire.codec.structs import read_struct
from openplaybook.wire.messages import ApiMessage
from openplaybook.wire.registry import RpcContext

SILENCE_S = 600.0
"""Seconds without a message after which a stream is closed: it must not be held for ever."""

GRACE_S = 5.0
"""Seconds without a message after which a stream is closed that was told that the server goes away."""

_FIRST = "only the first message can be the config of the session"

GoingAway = Callable[[], Awaitable[object]]
"""Returns once the server was told to stop."""


class BidiSessions:
    """Holds conversations on streams."""

    def __init__(
        self,
        parts: ServiceParts,
        sessions: SessionService,
        going_away: GoingAway,
        *,
        silence_s: float = SILENCE_S,
        grace_s: float = GRACE_S,
    ) -> None:
        self._parts = parts
        self._sessions = sessions
        self._going_away = going_away
        self._silence_s = silence_s
        self._grace_s = grace_s

    async def bidi_run_session(
        self, requests: AsyncIterator[ApiMessage], context: RpcContext
    ) -> AsyncGenerator[ApiMessage]:
        """Converse until the client half-closes, the session ends, or nothing has been said for long."""
        config: ApiMessage | None = None
        inputs: list[ApiMessage] = []
        heard = _ClientMessages(requests, self._going_away, self._silence_s, self._grace_s)
        async with aclosing(heard.messages()) as messages:
            async for message in messages:
                if message is None:
                    yield self._message("go_away")
                elif config is None:
                    config = _config_of(self._parts.api, message)
                else:
                    inputs.append(_input_of(message))
                    check_inputs(self._parts.api, inputs)
                    if not _asks(inputs[-1]):
                        continue
                    async with aclosing(self._turn(config, inputs, context)) as answers:
                        async for answer in answers:
                            yield answer
                            if answer.WhichOneof("message_type") == "end_session":
                                return
                    inputs = []
        if config is None:
            raise invalid(("config", _FIRST))
        if inputs:
            async with aclosing(self._turn(config, inputs, context)) as answers:
                async for answer in answers:
                    yield answer

    async def _turn(
        self, config: ApiMessage, inputs: list[ApiMessage], context: RpcContext
    ) -> AsyncGenerator[ApiMessage]:
        """One turn, and the end of the session where it has come."""
        known = await self._sessions.known(config)

        def read() -> TurnRequest:
            turn_inputs = read_inputs(self._parts.api, inputs)
            return turn_request(self._parts.api, config, turn_inputs, known, context)

        # Nothing on a stream is sent twice: the same words again are said again.
        turn = replace(await done_aside(read, context.request_bytes), request_key=new_id())
        # Where the client's history ends the first turn goes on; the others go on from what the session holds.
        config.ClearField("historical_contexts")
        streamed = config.enable_text_streaming
        async with aclosing(self._sessions.outputs(turn, context, is_streamed=streamed)) as outputs:
            async for output, result in outputs:
                message = self._message("session_output")
                message.session_output.CopyFrom(output)
                yield message
                if result is not None:
                    self._sessions.delivered(turn, result)
                    if output.WhichOneof("output_type") == "end_session":
                        yield self._end(result)

    def _end(self, result: TurnResult) -> ApiMessage:
        message = self._message("end_session")
        read_struct(end_metadata(result), message.end_session.metadata)
        return message

    def _message(self, kind: str) -> ApiMessage:
        message = self._parts.ces("BidiSessionServerMessage")
        getattr(message, kind).SetInParent()
        return message


class _ClientMessages:
    """What a client says, as long as it is listened to."""

    def __init__(
        self, requests: AsyncIterator[ApiMessage], going_away: GoingAway, silence_s: float, grace_s: float
    ) -> None:
        self._requests = requests
        self._going_away = going_away
        self._silence_s = silence_s
        self._grace_s = grace_s

    async def messages(self) -> AsyncGenerator[ApiMessage | None]:
        """The client's messages; None, once, when the server was told to stop.

        Ends with the stream, and after silence.
        """
        away = asyncio.ensure_future(self._going_away())
        next_one = asyncio.ensure_future(anext(self._requests, None))
        is_told = False
        try:
            while True:
                waiting = {next_one} if is_told else {next_one, away}
                left = self._grace_s if is_told else self._silence_s
                await asyncio.wait(waiting, timeout=left, return_when=asyncio.FIRST_COMPLETED)
                if next_one.done():
                    message = next_one.result()
                    if message is None:
                        return
                    yield message
                    next_one = asyncio.ensure_future(anext(self._requests, None))
                elif away.done() and not is_told:
                    is_told = True
                    yield None
                else:
                    return
        finally:
            away.cancel()
            next_one.cancel()
            await asyncio.gather(away, next_one, return_exceptions=True)


def _config_of(api: Api, message: ApiMessage) -> ApiMessage:
    if message.WhichOneof("message_type") != "config":
        raise invalid(("config", _FIRST))
    check_config(api, message.config)
    session_of(message.config)
    return message.config


def _input_of(message: ApiMessage) -> ApiMessage:
    if message.WhichOneof("message_type") != "realtime_input":
        raise invalid(("realtime_input", f"is required: {_FIRST}"))
    return message.realtime_input


def _asks(session_input: ApiMessage) -> bool:
    """Whether an input wants an answer, rather than to go with another one."""
    return not session_input.will_continue and session_input.WhichOneof("input_type") not in (
        "variables",
        "blob",
        "image",
    )
