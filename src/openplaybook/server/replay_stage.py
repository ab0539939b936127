"""An agent, or an app, out of its package, in a store of its own: where recorded conversations are replayed."""

import os
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from openplaybook.credentials.base import CredentialSources
from openplaybook.credentials.sealer import KEY_BYTES, Sealer
from openplaybook.credentials.secrets.local_secrets import LocalSecrets
from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse, Transport
from openplaybook.egress.errors import EgressError
from openplaybook.jsonvalues import as_object, loads
from openplaybook.packages.errors import PackageError
from openplaybook.packages.package_files import read_files
from openplaybook.packages.package_formats import APP, format_of
from openplaybook.recordings.replay import ReplayStage
from openplaybook.resources.names import APPS
from openplaybook.server.code_execution import executor_of
from openplaybook.server.configured_credentials import secrets_of
from openplaybook.server.errors import AgentUnusable, NotBuilt, SettingsError
from openplaybook.server.settings import Settings
from openplaybook.server.transports import LateTransport
from openplaybook.services.ces.whole_app import write_imported
from openplaybook.services.dialogflow.whole_agent import replace
from openplaybook.services.inline_secrets import InlineSecrets
from openplaybook.services.operations import OperationRunner
from openplaybook.services.parts import ServiceParts
from openplaybook.storage.base import Put, Store
from openplaybook.storage.sqlite import SqliteStore
from openplaybook.storage.sqlite.store import wall_clock_us
from openplaybook.tools.toolbox import Toolbox
from openplaybook.wire.api import load_api
from openplaybook.wire.errors import ApiNotBuilt, RpcError
from openplaybook.workers.lanes import PACKAGES

AGENT = "projects/replay/locations/global/agents/replay"
"""Name of the agent on its stage."""
APP_ON_STAGE = "projects/replay/locations/global/apps/replay"
"""Name of the app on its stage."""


@asynccontextmanager
async def copied(store: Store, sealer: Sealer, agent: str) -> AsyncGenerator[ReplayStage]:
    """An agent, or an app, of a store in another store, under its name; all that happens with it is forgotten after the
    block. Its tools reach nothing. `sealer` opens the secrets in it. Raises `AgentUnusable`."""
    records = await store.scan(agent)
    if not any(record.name == agent for record in records):
        raise AgentUnusable(f"{agent} does not exist")
    with TemporaryDirectory(prefix="openplaybook-replay-") as folder:
        stage = SqliteStore(Path(folder) / "openplaybook.db")
        await stage.open()
        try:
            await stage.apply([Put(each.name, each.kind, each.parent, each.root, each.body) for each in records])
            transport = NoWayOut()
            toolbox = Toolbox(transport, CredentialSources(transport, sealed=sealer.at("")))
            yield ReplayStage(stage, agent, await _display_name(stage, agent), toolbox, Sealer([os.urandom(KEY_BYTES)]))
        finally:
            await stage.close()


@asynccontextmanager
async def staged(package: bytes | Path, settings: Settings, *, live_tools: bool) -> AsyncGenerator[ReplayStage]:
    """The agent, or the app, of a package, a zip archive or a folder; all that happens with it is forgotten after the
    block.

    Its tools reach nothing unless they are live: then they go where `settings` let tools go, with secrets from where
    `settings` say, other than those kept in a data directory. Raises `AgentUnusable`, `NotBuilt`, `SettingsError`.
    """
    try:
        api = load_api()
    except ApiNotBuilt as error:
        raise NotBuilt(f"{error}; `make setup` also does this") from error
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory(prefix="openplaybook-replay-"))
        store = SqliteStore(Path(folder) / "openplaybook.db")
        await store.open()
        stack.push_async_callback(store.close)
        sealer = Sealer([os.urandom(KEY_BYTES)])
        transport = _way_out(settings) if live_tools else NoWayOut()
        stack.push_async_callback(transport.aclose)
        sources = _sources(transport, settings, store, sealer, live=live_tools)
        executor = executor_of(settings, os.environ, transport) if live_tools else None
        if executor is not None:
            stack.push_async_callback(executor.aclose)
        toolbox = Toolbox(transport, sources, executor=executor)
        operations = OperationRunner(store, api, wall_clock_us)
        parts = ServiceParts(
            api=api,
            store=store,
            toolbox=toolbox,
            operations=operations,
            inline_secrets=InlineSecrets(sealer),
            now_us=wall_clock_us,
        )
        try:
            name = await _put(parts, package)
        except (PackageError, RpcError) as error:
            raise AgentUnusable(str(error)) from error
        yield ReplayStage(store, name, await _display_name(store, name), toolbox, sealer)


async def _put(parts: ServiceParts, package: bytes | Path) -> str:
    """Store what a package holds, and give its name. Raises `PackageError`, `RpcError`."""
    if format_of(await PACKAGES.run(partial(read_files, package))) is APP:
        await write_imported(parts, APPS.parse(APP_ON_STAGE), package)
        return APP_ON_STAGE
    await replace(parts, AGENT, package)
    return AGENT


async def _display_name(store: Store, name: str) -> str:
    record = await store.get(name)
    assert record is not None, "it was stored just now"
    return str(as_object(loads(record.body)).get("displayName", ""))


def _sources(
    transport: Transport, settings: Settings, store: Store, sealer: Sealer, *, live: bool
) -> CredentialSources:
    if not live:
        return CredentialSources(transport, sealed=sealer.at(""))
    secrets = secrets_of(settings, LocalSecrets(store, sealer), transport)
    return CredentialSources(transport, secrets=secrets, sealed=sealer.at(""))


def _way_out(settings: Settings) -> Transport:
    try:
        return LateTransport(AddressPolicy(parse_allow(settings.egress_allow)))
    except ValueError as error:
        raise SettingsError(f"egress_allow: {error}") from error


class NoWayOut:
    """In place of the door: nothing of a replay with recorded tools may reach the world."""

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        """Sends nothing: raises `EgressError`."""
        raise EgressError("a replay with recorded tools sends nothing")

    async def aclose(self) -> None:
        """There is nothing to close."""
