"""Every sample that Google generates for its clients: what is served answers the right type, the rest UNIMPLEMENTED."""

import asyncio
import re
from collections.abc import Mapping
from importlib import import_module

import grpc
import grpc.aio
import pytest
from google.auth.credentials import AnonymousCredentials

from openplaybook.wire.api import Api, load_api
from openplaybook.wire.messages import ApiMessage
from tests.e2e.kit.generated_samples import LIBRARIES, Sample, samples_of
from tests.e2e.kit.rest import Rest
from tests.e2e.kit.running_samples import Outcome, Runner, World, expected_types
from tests.e2e.kit.server import Server
from tests.e2e.samples.worlds import dialogflow_world, studio_world

UNSERVED = re.compile(
    r"(Changelogs|Deployments|EntityTypes|Experiments|Generators|Intents|Pages|SecuritySettingsService"
    r"|SessionEntityTypes|TransitionRouteGroups|Versions|Webhooks|WidgetService)\.\w+"
    r"|EvaluationService\.(Import\w+|TestPersonaVoice|UploadEvaluationAudio"
    r"|RunEvaluationResultMetrics)"
    r"|Flows\.(?!GetFlow$|ListFlows$)\w+|Environments\.(?!Get|List)\w+|Environments\.ListContinuousTestResults|Sessions\.(FulfillIntent|MatchIntent)"
    r"|AgentService\.(Get|Update)SecuritySettings"
)
"""What answers UNIMPLEMENTED."""

_COUNTS = {"dialogflowcx_v3": 137, "dialogflowcx_v3beta1": 141, "ces_v1": 55, "ces_v1beta": 93}

each_library = pytest.mark.parametrize("library", LIBRARIES)


@pytest.fixture(scope="module")
def api() -> Api:
    return load_api()


def world(rest: Rest, library: str) -> World:
    return (studio_world if library.startswith("ces") else dialogflow_world)(rest, library)


def in_order(samples: "list[Sample]") -> "list[Sample]":
    """What changes things behind the rest, what takes them away at the end, the innermost first."""
    return sorted(samples, key=_rank)


def _rank(sample: Sample) -> tuple[int, int]:
    name = sample.method.name
    depth = sample.method.bindings[0].template.count("*") if sample.method.bindings else 0
    if name == "RestoreAgent":
        # Packages hold no versions: what is restored has none.
        return 2, -2 * depth - 1
    if "Delete" in name:
        # Of several: they are below what stands in the path, and single ones of them go before.
        return 2, -2 * depth - name.startswith("Batch")
    return (1, 0) if name.startswith(("Update", "Restore")) else (0, 0)


def check(outcomes: "Mapping[Sample, Outcome]") -> None:
    """Nobody broke, nobody answered with another type."""
    odd = {
        f"{sample.library} {sample.name}": f"{outcome.status}: {outcome.message}"
        for sample, outcome in outcomes.items()
        if outcome.status != ("UNIMPLEMENTED" if UNSERVED.fullmatch(sample.name) else "OK")
    }
    assert odd == {}, "\n".join(f"{name}: {told}" for name, told in odd.items())
    silent = [sample.name for sample, outcome in outcomes.items() if outcome.status != "OK" and not outcome.message]
    assert silent == []
    mistyped = {
        sample.name: outcome.types
        for sample, outcome in outcomes.items()
        if not outcome.types <= expected_types(sample.method)
    }
    assert mistyped == {}


@pytest.mark.proves("X1")
@each_library
@pytest.mark.parametrize("transport", ["grpc", "rest"])
def test_every_blocking_sample_is_answered(server: Server, rest: Rest, api: Api, library: str, transport: str) -> None:
    samples = [sample for sample in samples_of(library, api) if not sample.is_asyncio]
    assert len(samples) == _COUNTS[library]
    with grpc.insecure_channel(server.grpc) as channel:

        def client(name: str) -> ApiMessage:
            made = getattr(import_module(f"google.cloud.{library}"), name)
            if transport == "grpc":
                return made(transport=made.get_transport_class("grpc")(channel=channel))
            options = {"api_endpoint": server.http}
            return made(credentials=AnonymousCredentials(), transport="rest", client_options=options)

        runner = Runner(world(rest, library), client)
        served = [sample for sample in samples if transport == "grpc" or sample.method.bindings]
        outcomes = {sample: runner.run(sample) for sample in in_order(served)}
    check(outcomes)


@pytest.mark.proves("X1")
@each_library
def test_every_asyncio_sample_is_answered(server: Server, rest: Rest, api: Api, library: str) -> None:
    samples = [sample for sample in samples_of(library, api) if sample.is_asyncio]
    assert len(samples) == _COUNTS[library]

    async def run() -> dict[Sample, Outcome]:
        async with grpc.aio.insecure_channel(server.grpc) as channel:

            def client(name: str) -> ApiMessage:
                made = getattr(import_module(f"google.cloud.{library}"), name)
                return made(transport=made.get_transport_class("grpc_asyncio")(channel=channel))

            runner = Runner(world(rest, library), client)
            return {sample: await runner.run_asyncio(sample) for sample in in_order(samples)}

    outcomes = asyncio.run(run())
    check(outcomes)
