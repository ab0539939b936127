"""The one place where the parts are put together."""

import asyncio
import os
import socket
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from uuid import uuid4

from openplaybook.connectors.catalog.connections import ConnectionAccess
from openplaybook.connectors.catalog.connectors import catalogue
from openplaybook.credentials.base import CredentialSources, Identity
from openplaybook.credentials.identity.issuer import Issuer
from openplaybook.credentials.identity.signing_keys import SigningKeys
from openplaybook.credentials.sealer import Sealer
from openplaybook.credentials.secrets.configured_backends import has_local
from openplaybook.credentials.secrets.local_secrets import LocalSecrets
from openplaybook.credentials.secrets.secret_chain import SecretChain
from openplaybook.credentials.session_tokens import SessionTokens
from openplaybook.documents.parser_process import ParserLimits
from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.base import Transport
from openplaybook.models.model_directory import ModelDirectory, create_directory
from openplaybook.retrieval.base import StoreSearch
from openplaybook.server.access.principals import caller_name, is_editor
from openplaybook.server.code_execution import CodeExecution, executor_of
from openplaybook.server.configured_credentials import directory_of, identity_of, sealer_of, secrets_of
from openplaybook.server.doctor.examination import DOCTOR, Doctor, ServerParts, ServerStart
from openplaybook.server.drain import Drain
from openplaybook.server.errors import NotBuilt, SettingsError
from openplaybook.server.evaluation_runs import EvaluationTrials
from openplaybook.server.evaluation_schedules import EvaluationSchedules
from openplaybook.server.expiry import Expiry
from openplaybook.server.masked_settings import read_variables, shown_settings
from openplaybook.server.measured_registry import MeasuredRegistry
from openplaybook.server.otel_export import observed
from openplaybook.server.readiness import Readiness
from openplaybook.server.replayed_tests import REPLAY, ReplayedTests
from openplaybook.server.rpc_limits import limits_up_to
from openplaybook.server.server_info import SERVER_INFO, InfoSources, ServerInfo
from openplaybook.server.settings import Settings
from openplaybook.server.store_engine import engine_of
from openplaybook.server.stores import buckets_of, open_store
from openplaybook.server.system_access import connections_of
from openplaybook.server.test_case_runs import AgentTestRuns
from openplaybook.server.transports import LateTransport, LocalServices
from openplaybook.services import registrations
from openplaybook.services.agent_models import AgentModels
from openplaybook.services.connectors.consents import Consents
from openplaybook.services.connectors.registration import register_connectors
from openplaybook.services.connectors.stored_connections import StoredConnections
from openplaybook.services.discoveryengine.registration import LateStoreServices, WebAccess
from openplaybook.services.discoveryengine.stored_stores import StoredStores
from openplaybook.services.external_documents import ExternalDocuments
from openplaybook.services.inline_secrets import InlineSecrets
from openplaybook.services.large_messages import done_aside
from openplaybook.services.openplaybook.secret_store import SecretStore
from openplaybook.services.openplaybook.session_permits import SessionPermits
from openplaybook.services.openplaybook.sessions import SessionsAsTheyStand
from openplaybook.services.openplaybook.turns import Turns
from openplaybook.services.operation_notes import WaitingLimits
from openplaybook.services.operations import OperationRunner
from openplaybook.services.parts import ServiceParts
from openplaybook.storage.base import Store
from openplaybook.storage.data_directory import DataDirectory
from openplaybook.storage.delivery_log import DeliveryLog
from openplaybook.storage.sqlite.store import wall_clock_us
from openplaybook.telemetry.metrics import Metrics
from openplaybook.telemetry.otel_spans import Spans
from openplaybook.tools.toolbox import Toolbox
from openplaybook.turns.engine import TurnEngine
from openplaybook.turns.session.repeats import Deliveries
from openplaybook.turns.session.seals import ParameterSeals
from openplaybook.turns.turn_streams import TurnStreams
from openplaybook.turns.turn_watch import TurnWatch
from openplaybook.wire.api import Api, load_api
from openplaybook.wire.errors import ApiNotBuilt
from openplaybook.wire.registry import Registry


@dataclass(frozen=True, slots=True)
class Assembly:
    """A server's inside: everything but its ports."""

    registry: Registry
    metrics: Metrics
    issuer: Issuer
    code: CodeExecution
    readiness: Readiness
    info: ServerInfo
    """To be told where the server is reached."""
    sealer: Sealer
    """Encrypts what only this server shall read."""


@dataclass(frozen=True, slots=True)
class _Ground:
    """What all other parts stand on: it is open before they are, and closed after them."""

    api: Api
    metrics: Metrics
    spans: Spans
    models: ModelDirectory
    transport: Transport
    """The way out for tools."""
    everywhere: Transport
    """The way out to services of the operator's own."""
    store: Store
    sealer: Sealer
    local: LocalSecrets
    secrets: SecretChain
    code: CodeExecution


@dataclass(frozen=True, slots=True)
class _Work:
    """What does the work, before any RPC asks for it."""

    registry: MeasuredRegistry
    issuer: Issuer
    toolbox: Toolbox
    parts: ServiceParts
    engine: TurnEngine
    store_services: LateStoreServices


@asynccontextmanager
async def assemble(
    settings: Settings, directory: DataDirectory, local_services: Sequence[str], issuer_url: str, drain: Drain
) -> AsyncGenerator[Assembly, None]:
    """A server without ports, open inside the block; at its end what runs is finished and everything is closed.

    `issuer_url` is where others reach it, to verify the tokens of its agents.

    Raises `SettingsError`, `NotBuilt`, `ModelNotConfigured` or `StoreUnusable`.
    """
    # What is put on the stack last ends first.
    async with AsyncExitStack() as stack:
        ground = await _open_ground(settings, directory, local_services, stack)
        work = await _begin_work(settings, directory, ground, issuer_url, drain, stack)
        readiness = Readiness(ground.store, lambda: drain.is_begun)
        _register_conversations(settings, ground, work, drain, stack)
        stack.push_async_callback(readiness.close)
        examined = ServerParts(settings, ground.models.default, ground.code.executor, readiness, local_services)
        info, schedules = _register_management(settings, ground, work, examined)
        if settings.conversation_retention is not None:
            retention_s = settings.conversation_retention
            expiry = Expiry(ground.store, ground.metrics, retention_s=retention_s, clock=wall_clock_us)
            await stack.enter_async_context(expiry.running())
        await stack.enter_async_context(schedules.running())
        await stack.enter_async_context(work.store_services.resuming(is_shared=bool(settings.database_url)))
        work.registry.health.follow(readiness.look)
        ground.metrics.add_gauge(
            "openplaybook_ready", "1 where the server can do its work, else 0", lambda: float(readiness.is_ready)
        )
        yield Assembly(work.registry, ground.metrics, work.issuer, ground.code, readiness, info, ground.sealer)


async def _open_ground(
    settings: Settings, directory: DataDirectory, local_services: Sequence[str], stack: AsyncExitStack
) -> _Ground:
    """Open what the rest needs: ways out, the store, keys and secrets, the place where code runs."""
    api, metrics = _api(), Metrics()
    spans = await stack.enter_async_context(observed(os.environ))
    models = create_directory(settings.model, settings.model_aliases, os.environ)
    stack.push_async_callback(models.aclose)
    transport = _transport(settings.egress_allow, local_services)
    stack.push_async_callback(transport.aclose)
    store = await stack.enter_async_context(open_store(settings, directory, metrics.commits))
    sealer = await sealer_of(settings, store)
    everywhere = LateTransport(AddressPolicy(parse_allow("0.0.0.0/0,::/0")))
    stack.push_async_callback(everywhere.aclose)
    local = LocalSecrets(store, sealer)
    secrets = secrets_of(settings, local, everywhere)
    # Who names the sandbox of this machine wants it; who leaves the choice to us is told where there is none.
    is_required = settings.code_executor == "forkserver"
    code = CodeExecution(executor_of(settings, os.environ, everywhere), metrics, is_required=is_required)
    await stack.enter_async_context(code.running())
    return _Ground(api, metrics, spans, models, transport, everywhere, store, sealer, local, secrets, code)


async def _begin_work(
    settings: Settings,
    directory: DataDirectory,
    ground: _Ground,
    issuer_url: str,
    drain: Drain,
    stack: AsyncExitStack,
) -> _Work:
    """Make what serves calls. At the end handlers end first, then operations, then what both use."""
    store, is_shared = ground.store, bool(settings.database_url)
    # Before operations, which use them to the end.
    store_engine = engine_of(settings, directory, ground.everywhere)
    stack.push_async_callback(store_engine.close)
    issuer = Issuer(issuer_url, SigningKeys(store, ground.sealer))
    identity = identity_of(settings, issuer)
    stored = StoredConnections(store, ground.secrets, ground.sealer)
    connections = connections_of(settings, stored, ground.transport, identity)
    stack.push_async_callback(connections.connections.aclose)
    search = StoreSearch(store_engine, StoredStores(store))
    sites = _transport(settings.egress_allow, (), is_resilient=False)
    stack.push_async_callback(sites.aclose)
    operations = OperationRunner(store, ground.api, wall_clock_us, is_shared=is_shared)
    stack.push_async_callback(drain.give, operations.close)
    deliveries = Deliveries(store, DeliveryLog(directory.deliveries), is_shared=is_shared)
    stack.push_async_callback(deliveries.close)
    await deliveries.recover()
    registry = MeasuredRegistry(ground.api, ground.metrics, limits_up_to(settings.max_body_bytes), done_aside)
    # Handlers whose clients are gone run on: nothing they use may be closed under them.
    stack.push_async_callback(drain.give, registry.drain)
    toolbox = _toolbox(settings, ground, identity, search, connections)
    parts = _service_parts(settings, ground, toolbox, operations)
    engine = TurnEngine(
        store=store,
        toolbox=toolbox,
        models=ground.models,
        metrics=ground.metrics,
        owner=_owner(),
        sealer=ground.sealer,
        deliveries=deliveries,
        session_ttl_s=settings.session_ttl,
        spans=ground.spans,
    )
    access = WebAccess(sites, settings.crawl_delay_ms / 1000, settings.crawl_again_after)
    consents = Consents(stored, catalogue, ground.secrets, ground.transport)
    register_connectors(registry, parts, connections, consents)
    waiting = WaitingLimits(settings.store_documents, settings.store_bytes)
    return _Work(registry, issuer, toolbox, parts, engine, LateStoreServices(parts, search, access, waiting))


def _toolbox(
    settings: Settings, ground: _Ground, identity: Identity, search: StoreSearch, connections: ConnectionAccess
) -> Toolbox:
    sources = CredentialSources(
        ground.transport,
        secrets=ground.secrets,
        identity=identity,
        directory=directory_of(settings, ground.everywhere),
        sealed=ground.sealer.at(""),
    )
    limits = ParserLimits(memory=settings.parser_memory_mb * 1024 * 1024, seconds=settings.parser_seconds)
    return Toolbox(ground.transport, sources, limits, ground.code.executor, search, connections)


def _service_parts(settings: Settings, ground: _Ground, toolbox: Toolbox, operations: OperationRunner) -> ServiceParts:
    return ServiceParts(
        api=ground.api,
        store=ground.store,
        toolbox=toolbox,
        operations=operations,
        inline_secrets=InlineSecrets(ground.sealer),
        now_us=wall_clock_us,
        buckets=buckets_of(settings, ground.everywhere, os.environ),
        secrets=ground.secrets,
        models=ground.models,
        external_documents=ExternalDocuments(ground.transport) if settings.external_references else None,
        caller=caller_name,
    )


def _register_conversations(
    settings: Settings, ground: _Ground, work: _Work, drain: Drain, stack: AsyncExitStack
) -> None:
    """Serve resources and conversations; at the end turns that are streamed are finished before all else."""
    registry, engine = work.registry, work.engine
    registrations.register_mixins(registry, work.parts)
    registrations.register_dialogflow(registry, work.parts)
    registrations.register_apps(registry, work.parts)
    work.store_services.register(registry)
    streams = TurnStreams(engine)
    ground.metrics.add_gauge(
        "openplaybook_conversations_kept", "Conversations held in memory", lambda: engine.conversations_kept
    )
    ground.metrics.add_gauge("openplaybook_streams_running", "Turns under way that are streamed", lambda: len(streams))
    stack.push_async_callback(drain.give, streams.drain)
    registrations.register_detect_intent(registry, ground.api, ground.store, engine, streams)
    registrations.register_app_sessions(registry, work.parts, engine, streams, drain.begun)
    watch = TurnWatch(ground.store, engine.running)
    registrations.register_turns(registry, Turns(ground.api, ground.store, watch, is_editor))
    seals, ttl = ParameterSeals(ground.sealer), timedelta(seconds=settings.session_ttl)
    registrations.register_sessions(registry, SessionsAsTheyStand(ground.api, ground.store, engine, seals, ttl))
    permits = SessionPermits(ground.api, ground.store, SessionTokens(ground.sealer))
    registrations.register_session_tokens(registry, permits)


def _register_management(
    settings: Settings, ground: _Ground, work: _Work, examined: ServerParts
) -> tuple[ServerInfo, EvaluationSchedules]:
    """Serve what is OpenPlaybook's own: what it is, its doctor, tools that are tried, secrets. With them comes the job
    that starts scheduled evaluations."""
    start = ServerStart(wall_clock_us(), shown_settings(settings), read_variables(os.environ))
    work.registry.unary(DOCTOR, Doctor(ground.api, start, examined).doctor)
    info = ServerInfo(ground.api, InfoSources(settings, ground.models, ground.code.executor, start.time_us))
    work.registry.unary(SERVER_INFO, info.get)
    replays = asyncio.Semaphore(1)
    work.registry.server_streaming(REPLAY, ReplayedTests(work.parts, ground.models, ground.sealer, replays).replay)
    AgentTestRuns(work.parts, ground.models, ground.sealer, replays).register(work.registry)
    trials = EvaluationTrials(work.parts, ground.models, ground.sealer, work.toolbox, replays)
    trials.register(work.registry)
    agent_models = AgentModels(ground.store, ground.models, ground.metrics)
    registrations.register_openplaybook(
        work.registry, work.parts, work.toolbox, agent_models, ParameterSeals(ground.sealer)
    )
    registrations.register_around_app_sessions(work.registry, work.parts, work.toolbox, agent_models)
    secret_store = SecretStore(ground.api, ground.local, is_read=has_local(settings.secret_backends))
    registrations.register_secrets(work.registry, secret_store)
    return info, EvaluationSchedules(work.parts, trials)


def _api() -> Api:
    try:
        return load_api()
    except ApiNotBuilt as error:
        raise NotBuilt(f"{error}; `make setup` also does this") from error


def _transport(allow: str, local_services: Sequence[str], *, is_resilient: bool = True) -> Transport:
    """The one door out for tools, and for the crawler, which tries again by its own rules."""
    try:
        networks = parse_allow(allow)
    except ValueError as error:
        raise SettingsError(f"egress_allow: {error}") from error
    strict = LateTransport(AddressPolicy(networks), is_resilient=is_resilient)
    if not local_services:
        return strict
    loopback = LateTransport(AddressPolicy(parse_allow("127.0.0.0/8,::1")))
    return LocalServices(strict, local_services, loopback)


def _owner() -> str:
    """A name for this process among all that may share a store; people find it in the journal."""
    return f"{socket.gethostname()}:{os.getpid()}:{uuid4().hex[:8]}"
