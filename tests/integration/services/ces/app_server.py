"""One server's sessions and tools of an app whose model plays a part."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import Model
from openplaybook.models.model_directory import ModelDirectory
from openplaybook.services.agent_models import AgentModels
from openplaybook.services.ces import bidi_sessions, session_service
from openplaybook.services.inline_secrets import InlineSecrets
from openplaybook.services.operations import OperationRunner
from openplaybook.services.parts import ServiceParts
from openplaybook.services.registrations import register_app_sessions, register_around_app_sessions
from openplaybook.storage.base import Store
from openplaybook.storage.sqlite.store import wall_clock_us
from openplaybook.telemetry.metrics import Metrics
from openplaybook.tools.base import ExecutionPlace, Success, ToolBuilder
from openplaybook.turns.engine import TurnEngine
from openplaybook.turns.turn_streams import TurnStreams
from openplaybook.wire.api import load_api
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.messages import ApiMessage
from openplaybook.wire.registry import Registry
from tests.integration.services.peers import SpecificationChecker
from tests.kit.agents import Part, PlayedModel
from tests.kit.apps import APP, APP_SESSION, AppDraft, tool_name
from tests.kit.sealing import SEALER

API = load_api()

ASKED = ("get_nearest_store", {"zip_code": "92031"})
"""The call of a client function that CX Agent Studio's documents print."""

STORE = {"name": "Alibaba", "address": "43 Alpha Road, Mountain View, CA 92039, USA"}
"""Their answer to it."""


class AppServer:
    """Calls RPCs with JSON, as a client of one version that gets every answer."""

    def __init__(self, store: Store, toolbox: ToolBuilder, model: Model) -> None:
        self.model = model if isinstance(model, PlayedModel) else PlayedModel()
        self.store = store
        self.going = asyncio.Event()
        """Set: the server was told to stop."""
        self.warnings: list[str] = []
        """What the last call warned of."""
        self._registry = Registry(API)
        models = ModelDirectory(model, {})
        engine = TurnEngine(
            store=store, toolbox=toolbox, models=models, metrics=Metrics(), owner="owner", sealer=SEALER
        )
        self.operations = OperationRunner(store, API, wall_clock_us)
        checker, sealed = SpecificationChecker(), InlineSecrets(SEALER)
        self.parts = ServiceParts(API, store, checker, self.operations, sealed, wall_clock_us)
        streams = TurnStreams(engine)
        register_app_sessions(self._registry, self.parts, engine, streams, self.going.wait)
        register_around_app_sessions(self._registry, self.parts, toolbox, AgentModels(store, models, Metrics()))
        self.bidi = bidi_sessions.BidiSessions(
            self.parts,
            session_service.SessionService(self.parts, engine, streams),
            self.going.wait,
            silence_s=5,
            grace_s=0.05,
        )

    async def __call__(
        self, rpc: str, request: JsonObject, *, version: str = "v1beta", is_delivered: bool = True
    ) -> JsonObject:
        """The answer of `Service.Method`; whether its client got it is known, unless said otherwise."""
        method = API.methods[f"google.cloud.ces.{version}.{rpc}"]
        message = API.codec.from_json(request, API.message(method.input.full_name)())
        context = RpcContext(method.full_name, version, "rest")
        try:
            response = await self._registry.call(method, message, context)
        finally:
            self.warnings = context.warnings
        if is_delivered:
            context.delivered()
        return API.codec.to_json(response)

    async def run(self, *inputs: JsonObject, version: str = "v1beta", **config: JsonValue) -> list[JsonObject]:
        """The outputs of RunSession, in the session `s` unless the config says otherwise."""
        request: JsonObject = {"config": {"session": APP_SESSION, **config}, "inputs": list(inputs)}
        return (await self("SessionService.RunSession", request, version=version))["outputs"]

    async def say(self, text: str, **config: JsonValue) -> list[JsonObject]:
        """The outputs of words, without what is diagnosed."""
        return [plain(output) for output in await self.run({"text": text}, **config)]

    async def give(self, *responses: JsonObject) -> list[JsonObject]:
        """The outputs of tool responses, without what is diagnosed."""
        outputs = await self.run({"toolResponses": {"toolResponses": list(responses)}})
        return [plain(output) for output in outputs]

    async def stream(self, *inputs: JsonObject, **config: JsonValue) -> list[JsonObject]:
        """Every output of StreamRunSession, each of which is a message of its own."""
        method = API.methods["google.cloud.ces.v1beta.SessionService.StreamRunSession"]
        request: JsonObject = {"config": {"session": APP_SESSION, **config}, "inputs": list(inputs)}
        message = API.codec.from_json(request, API.message(method.input.full_name)())
        context = RpcContext(method.full_name, "v1beta", "rest")
        answers = [API.codec.to_json(one) async for one in self._registry.call_streaming(method, message, context)]
        context.delivered()
        assert all(len(answer["outputs"]) == 1 for answer in answers)
        return [answer["outputs"][0] for answer in answers]

    async def converse(self, *messages: JsonObject) -> list[JsonObject]:
        """Every answer of a BidiRunSession that sends these messages and half-closes."""
        context = RpcContext("", "v1beta", "grpc")
        return [told_by(answer) async for answer in self.bidi.bidi_run_session(_spoken(messages), context)]

    async def refusal(self, *inputs: JsonObject, **config: JsonValue) -> tuple[Code, str]:
        """The code and the sentence with which RunSession is refused."""
        return await refusal_of(self.run(*inputs, **config))

    async def operation(self, rpc: str, request: JsonObject) -> JsonObject:
        """The finished operation that a long-running call started."""
        started = await self(rpc, request)
        return API.codec.to_json(await self.operations.wait(started["name"], 10))


SetUp = Callable[..., Awaitable[AppServer]]
"""Serves the app of `shop`, made with these fields; its model plays the part."""


def shop(**app: JsonValue) -> AppDraft:
    """An app with a client function, a tool of the server and two agents."""
    made = AppDraft(**app)
    tools: list[JsonValue] = [tool_name("get_nearest_store"), tool_name("add"), app_path("tools/end_session")]
    made.agent("root", tools=tools, childAgents=[app_path("agents/billing")])
    made.agent("billing")
    made.tool("get_nearest_store", place=ExecutionPlace.CLIENT)
    made.tool("add", answer=lambda call, context: Success({"sum": 4}, parameters={"total": 4}))
    return made


async def serving(store: Store, draft: AppDraft, *part: Part) -> AppServer:
    """Put an app into the store and serve it; its model plays the part."""
    await draft.put(store)
    return AppServer(store, draft.shelf, PlayedModel(*part))


async def refusal_of(call: Awaitable[object]) -> tuple[Code, str]:
    """The code and the sentence with which a call is refused."""
    try:
        answer = await call
    except RpcError as error:
        return error.code, error.message
    raise AssertionError(f"it was not refused: {answer}")


async def _spoken(messages: Sequence[JsonObject]) -> AsyncIterator[ApiMessage]:
    for message in messages:
        yield client_message(message)


def client_message(message: JsonObject) -> ApiMessage:
    """A BidiSessionClientMessage."""
    return API.codec.from_json(message, API.message("google.cloud.ces.v1beta.BidiSessionClientMessage")())


def told_by(answer: ApiMessage) -> JsonObject:
    """A BidiSessionServerMessage without what is diagnosed."""
    told: JsonObject = API.codec.to_json(answer)
    return {**told, "sessionOutput": plain(told["sessionOutput"])} if "sessionOutput" in told else told


def plain(output: JsonObject) -> JsonObject:
    """An output without what is diagnosed."""
    return {name: value for name, value in output.items() if name != "diagnosticInfo"}


def realtime(**given: object) -> JsonObject:
    """A message of a stream with one input."""
    return {"realtimeInput": given}


def app_path(rest: str) -> str:
    """Resource name of something of the app."""
    return f"{APP}/{rest}"
