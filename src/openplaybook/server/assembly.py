"""The one place where the parts are put together."""

import os
import socket
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from uuid import uuid4

from openplaybook.credentials.base import CredentialSources
from openplaybook.credentials.identity.issuer import Issuer
from openplaybook.credentials.identity.signing_keys import SigningKeys
from openplaybook.credentials.secrets.configured_backends import has_local
from openplaybook.credentials.secrets.local_secrets import LocalSecrets
from openplaybook.documents.parser_process import ParserLimits
from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.base import Transport
from openplaybook.models.model_directory import create_directory
from openplaybook.retrieval.base import StoreSearch
from openplaybook.server.access.principals import caller_name
from openplaybook.server.code_execution import CodeExecution, executor_of
from openplaybook.server.configured_credentials import directory_of, identity_of, sealer_of, secrets_of
from openplaybook.server.doctor.examination import DOCTOR, Doctor, ServerParts, ServerStart
from openplaybook.server.drain import Drain
from openplaybook.server.errors import NotBuilt, SettingsError
from openplaybook.server.expiry import Expiry
from openplaybook.server.masked_settings import read_variables, shown_settings
from openplaybook.server.measured_registry import MeasuredRegistry
from openplaybook.server.otel_export import observed
from openplaybook.server.readiness import Readiness
from openplaybook.server.rpc_limits import limits_up_to
from openplaybook.server.settings import Settings
from openplaybook.server.store_engine import engine_of
from openplaybook.server.stores import buckets_of, open_store
from openplaybook.server.transports import LateTransport, LocalServices
from openplaybook.services import registrations
from openplaybook.services.agent_models import AgentModels
from openplaybook.services.discoveryengine.registration import LateStoreServices, WebAccess
from openplaybook.services.discoveryengine.stored_stores import StoredStores
from openplaybook.services.external_documents import ExternalDocuments
from openplaybook.services.inline_secrets import InlineSecrets
from openplaybook.services.large_messages import done_aside
from openplaybook.services.openplaybook.secret_store import SecretStore
from openplaybook.services.operations import OperationRunner
from openplaybook.services.parts import ServiceParts
from openplaybook.storage.data_directory import DataDirectory
from openplaybook.storage.delivery_log import DeliveryLog
from openplaybook.storage.sqlite.store import wall_clock_us
from openplaybook.telemetry.metrics import Metrics
from openplaybook.tools.toolbox import Toolbox
from openplaybook.turns.engine import TurnEngine
from openplaybook.turns.session.repeats import Deliveries
from openplaybook.turns.turn_streams import TurnStreams
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


@asynccontextmanager
async def assemble(
    settings: Settings, directory: DataDirectory, local_services: Sequence[str], issuer_url: str, drain: Drain
) -> AsyncGenerator[Assembly, None]:
    """A server without ports, open inside the block; at its end what runs is finished and everything is closed.

    `issuer_url` is where others reach it, to verify the tokens of its agents.

    Raises `SettingsError`, `NotBuilt`, `ModelNotConfigured` or `StoreUnusable`.
    """
    api, metrics = _api(), Metrics()
    async with AsyncExitStack() as stack:
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
        # Before operations, which use them to the end.
        store_engine = engine_of(settings, directory, everywhere)
        stack.push_async_callback(store_engine.close)
        search = StoreSearch(store_engine, StoredStores(store))
        sites = _transport(settings.egress_allow, (), is_resilient=False)
        stack.push_async_callback(sites.aclose)
        operations = OperationRunner(store, api, wall_clock_us, is_shared=bool(settings.database_url))
        stack.push_async_callback(drain.give, operations.close)
        deliveries = Deliveries(store, DeliveryLog(directory.deliveries), is_shared=bool(settings.database_url))
        stack.push_async_callback(deliveries.close)
        await deliveries.recover()
        registry = MeasuredRegistry(api, metrics, limits_up_to(settings.max_body_bytes), done_aside)
        # Handlers whose clients are gone run on: nothing they use may be closed under them.
        stack.push_async_callback(drain.give, registry.drain)
        issuer = Issuer(issuer_url, SigningKeys(store, sealer))
        sources = CredentialSources(
            transport,
            secrets=secrets,
            identity=identity_of(settings, issuer),
            directory=directory_of(settings, everywhere),
            sealed=sealer.at(""),
        )
        limits = ParserLimits(memory=settings.parser_memory_mb * 1024 * 1024, seconds=settings.parser_seconds)
        toolbox = Toolbox(transport, sources, limits, code.executor, search)
        parts = ServiceParts(
            api=api,
            store=store,
            toolbox=toolbox,
            operations=operations,
            inline_secrets=InlineSecrets(sealer),
            now_us=wall_clock_us,
            buckets=buckets_of(settings, everywhere, os.environ),
            secrets=secrets,
            models=models,
            external_documents=ExternalDocuments(transport) if settings.external_references else None,
            caller=caller_name,
        )
        engine = TurnEngine(
            store=store,
            toolbox=toolbox,
            models=models,
            metrics=metrics,
            owner=_owner(),
            sealer=sealer,
            deliveries=deliveries,
            session_ttl_s=settings.session_ttl,
            spans=spans,
        )
        registrations.register_mixins(registry, parts)
        registrations.register_dialogflow(registry, parts)
        registrations.register_apps(registry, parts)
        access = WebAccess(sites, settings.crawl_delay_ms / 1000, settings.crawl_again_after)
        store_services = LateStoreServices(parts, search, access)
        store_services.register(registry)
        streams = TurnStreams(engine)
        metrics.add_gauge(
            "openplaybook_conversations_kept", "Conversations held in memory", lambda: engine.conversations_kept
        )
        metrics.add_gauge("openplaybook_streams_running", "Turns under way that are streamed", lambda: len(streams))
        stack.push_async_callback(drain.give, streams.drain)
        registrations.register_detect_intent(registry, api, store, engine, streams)
        registrations.register_app_sessions(registry, parts, engine, streams, drain.begun)
        readiness = Readiness(store, lambda: drain.is_begun)
        stack.push_async_callback(readiness.close)
        server_parts = ServerParts(settings, models.default, code.executor, readiness, local_services)
        start = ServerStart(wall_clock_us(), shown_settings(settings), read_variables(os.environ))
        registry.unary(DOCTOR, Doctor(api, start, server_parts).doctor)
        agent_models = AgentModels(store, models, metrics)
        registrations.register_openplaybook(registry, parts, toolbox, agent_models)
        registrations.register_around_app_sessions(registry, parts, toolbox, agent_models)
        secret_store = SecretStore(api, local, is_read=has_local(settings.secret_backends))
        registrations.register_secrets(registry, secret_store)
        if settings.conversation_retention is not None:
            expiry = Expiry(store, metrics, retention_s=settings.conversation_retention, clock=wall_clock_us)
            await stack.enter_async_context(expiry.running())
        await stack.enter_async_context(store_services.resuming(is_shared=bool(settings.database_url)))
        registry.health.follow(readiness.look)
        metrics.add_gauge(
            "openplaybook_ready", "1 where the server can do its work, else 0", lambda: float(readiness.is_ready)
        )
        yield Assembly(registry, metrics, issuer, code, readiness)


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
