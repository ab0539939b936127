"""Sessions: detectIntent, at once or as it happens."""

from collections.abc import AsyncIterator

from openplaybook.services.dialogflow.turn_errors import rpc_error
from openplaybook.services.dialogflow.turn_requests import turn_request
from openplaybook.services.dialogflow.turn_responses import ResponseRenderer
from openplaybook.turns.base import TurnRequest, TurnResult
from openplaybook.turns.engine import TurnEngine
from openplaybook.turns.errors import TurnError
from openplaybook.wire.api import Api
from openplaybook.wire.messages import ApiMessage
from openplaybook.wire.registry import Registry, RpcContext

_SERVICE = "google.cloud.dialogflow.cx.v3beta1.Sessions."


class Sessions:
    """Handlers of the Sessions service."""

    def __init__(self, api: Api, engine: TurnEngine) -> None:
        self._api = api
        self._engine = engine
        self._renderer = ResponseRenderer(api)

    async def detect_intent(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Run one turn and answer with what it came to."""
        asked = turn_request(self._api, request, context)
        try:
            result = await self._engine.run(asked)
        except TurnError as error:
            raise rpc_error(error) from error
        return self._renderer.final(result, _id(asked), request.response_view, context.version)

    async def server_streaming_detect_intent(
        self, request: ApiMessage, context: RpcContext
    ) -> AsyncIterator[ApiMessage]:
        """Run one turn and tell of it as it happens; the last message is detectIntent's answer."""
        asked = turn_request(self._api, request, context)
        try:
            async for item in self._engine.stream(asked):
                if isinstance(item, TurnResult):
                    yield self._renderer.final(item, _id(asked), request.response_view, context.version)
                else:
                    yield self._renderer.partial(item)
        except TurnError as error:
            raise rpc_error(error) from error


def _id(asked: TurnRequest) -> str:
    return asked.session.rpartition("/")[2]


def register(registry: Registry, api: Api, engine: TurnEngine) -> None:
    """Serve the Sessions service."""
    sessions = Sessions(api, engine)
    registry.unary(f"{_SERVICE}DetectIntent", sessions.detect_intent)
    registry.server_streaming(f"{_SERVICE}ServerStreamingDetectIntent", sessions.server_streaming_detect_intent)
