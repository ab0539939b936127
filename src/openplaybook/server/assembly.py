"""The one place where the parts are put together."""

import os
import socket
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from uuid import uuid4

from openplaybook.egress.base import Transport
from openplaybook.egress.policy import AddressPolicy, parse_allow
from openplaybook.models.directory import create_directory
from openplaybook.server.errors import NotBuilt, SettingsError
from openplaybook.server.late_transport import LateTransport
from openplaybook.server.listening import DRAIN_S
from openplaybook.server.local_services import LocalServices
from openplaybook.server.measured import MeasuredRegistry
from openplaybook.server.settings import Settings
from openplaybook.services.dialogflow import register as dialogflow
from openplaybook.services.dialogflow import sessions
from openplaybook.services.openplaybook import register as openplaybook
from openplaybook.services.openplaybook.checks import Machine
from openplaybook.services.operations import OperationRunner
from openplaybook.services.parts import Parts
from openplaybook.storage.lock import DataDirectory
from openplaybook.storage.sqlite import SqliteStore
from openplaybook.storage.sqlite.store import wall_clock_us
from openplaybook.telemetry.metrics import Metrics
from openplaybook.tools.toolbox import Toolbox
from openplaybook.turns.engine import TurnEngine
from openplaybook.wire.api import Api, load_api
from openplaybook.wire.errors import ApiNotBuilt
from openplaybook.wire.registry import Registry


@dataclass(frozen=True, slots=True)
class Assembly:
    """A server's inside: everything but its ports."""

    registry: Registry
    metrics: Metrics


@asynccontextmanager
async def assemble(
    settings: Settings, directory: DataDirectory, local_services: Sequence[str]
) -> AsyncGenerator[Assembly, None]:
    """A server without ports, open inside the block; at its end what runs is finished and everything is closed.

    Raises `SettingsError`, `NotBuilt`, `ModelNotConfigured` or `StoreUnusable`.
    """
    api, metrics = _api(), Metrics()
    async with AsyncExitStack() as stack:
        models = create_directory(settings.model, settings.model_aliases, os.environ)
        stack.push_async_callback(models.aclose)
        transport = _transport(settings.egress_allow, local_services)
        stack.push_async_callback(transport.aclose)
        store = SqliteStore(directory.database)
        await store.open()
        stack.push_async_callback(store.close)
        # The data directory is ours alone, so whoever held these is dead: clients that try again need not wait.
        await store.end_leases()
        operations = OperationRunner(store, api, wall_clock_us)
        stack.push_async_callback(operations.close, DRAIN_S)
        registry = MeasuredRegistry(api, metrics)
        # Handlers whose clients are gone run on: nothing they use may be closed under them.
        stack.push_async_callback(registry.drain, DRAIN_S)
        toolbox = Toolbox(transport)
        parts = Parts(api=api, store=store, toolbox=toolbox, operations=operations, now_us=wall_clock_us)
        engine = TurnEngine(store=store, toolbox=toolbox, models=models, metrics=metrics, owner=_owner())
        dialogflow.register(registry, parts)
        sessions.register(registry, api, engine)
        machine = Machine(
            data_dir=settings.data_dir,
            model=settings.model,
            model_aliases=settings.model_aliases,
            egress_allow=settings.egress_allow,
            environment=os.environ,
        )
        openplaybook.register(registry, api, store, toolbox, machine)
        yield Assembly(registry, metrics)


def _api() -> Api:
    try:
        return load_api()
    except ApiNotBuilt as error:
        raise NotBuilt(f"{error}; `make setup` does it too") from error


def _transport(allow: str, local_services: Sequence[str]) -> Transport:
    """The one door out for tools."""
    try:
        networks = parse_allow(allow)
    except ValueError as error:
        raise SettingsError(f"egress_allow: {error}") from error
    strict = LateTransport(AddressPolicy(networks))
    if not local_services:
        return strict
    loopback = LateTransport(AddressPolicy(parse_allow("127.0.0.0/8,::1")))
    return LocalServices(strict, local_services, loopback)


def _owner() -> str:
    """A name for this process among all that may share a store; people find it in the journal."""
    return f"{socket.gethostname()}:{os.getpid()}:{uuid4().hex[:8]}"
