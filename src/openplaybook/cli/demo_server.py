"""The demo's parts put together: pets service, server, agent."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from socket import socket

from openplaybook.cli.access import client_of
from openplaybook.cli.api_client import ApiClient
from openplaybook.cli.errors import ApiError, CommandError
from openplaybook.cli.package_transfer import import_package
from openplaybook.cli.resource_lookup import find_tool, is_app, named_agents
from openplaybook.demo.demo_agent import (
    AGENT_DISPLAY_NAME,
    AGENT_LOCATION,
    CARE_STORE,
    DATABASE_NAME,
    PETS_PORT,
    PETS_TOOL,
    RECORDS_CONNECTION,
    agent_package,
    care_documents,
    records_connection,
    schema_for,
)
from openplaybook.demo.pets_service import create_app
from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.server.browser_guard import BrowserGuard, GuardedApp
from openplaybook.server.drain import Drain
from openplaybook.server.errors import CannotBind
from openplaybook.server.http_port import listening
from openplaybook.server.lifecycle import RunningServer, run_until_signal, serve
from openplaybook.server.settings import Settings
from openplaybook.server.sockets import bind, port_of


@dataclass(frozen=True, slots=True)
class RunningDemo:
    """The demo, ready to be talked to."""

    server: RunningServer
    title: str
    """Display name of the agent."""
    agent: str
    """Its full name."""
    pets_service: str
    """URL of the service that it calls."""


def run_demo(settings: Settings, on_ready: Callable[[RunningDemo], None]) -> None:
    """Serve until a signal comes; `on_ready` is called once. Raises what keeps the server from starting."""

    async def serve_demo(drain: Drain) -> None:
        folder = _demo_folder(settings)
        listener = _pets_listener()
        service = f"http://127.0.0.1:{port_of(listener)}"

        async def ready(server: RunningServer) -> None:
            agent = await asyncio.to_thread(_demo_agent, client_of(server.address), f"{service}/v1")
            on_ready(RunningDemo(server, AGENT_DISPLAY_NAME, agent, service))

        database = folder / "pets.db"
        pets = GuardedApp(create_app(database), BrowserGuard(host="127.0.0.1"))
        async with listening(pets, listener):
            await serve(_with_database(settings, database), ready, drain=drain, local_services=[service])

    run_until_signal(serve_demo, settings)


def _with_database(settings: Settings, database: Path) -> Settings:
    """The settings with the register among the files that connections may open. A path with a comma cannot be listed:
    then the connection says that there is no such file."""
    listed = [f"{DATABASE_NAME}={database.absolute()}"] if "," not in str(database.absolute()) else []
    return replace(settings, sqlite_files=",".join([*filter(None, [settings.sqlite_files]), *listed]))


def _demo_folder(settings: Settings) -> Path:
    folder = settings.data_dir / "demo"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(f"{folder} cannot be created: {error.strerror}; choose another --data-dir") from error
    return folder


def _pets_listener() -> socket:
    try:
        return bind("127.0.0.1", PETS_PORT)
    except CannotBind:
        return bind("127.0.0.1", 0)


def _demo_agent(api: ApiClient, service_url: str) -> str:
    """Full name of the demo agent, imported when it is not there, its tool pointed at where the service is now."""
    _fill_care_store(api)
    _connect_records(api)
    agents = (agent for agent in named_agents(api) if not is_app(str(agent["name"])))
    there = [agent for agent in agents if agent.get("displayName") == AGENT_DISPLAY_NAME]
    if not there:
        return import_package(api, agent_package(service_url), AGENT_LOCATION).name
    name = str(there[0]["name"])
    tool = find_tool(api, name, PETS_TOOL)
    schema = str(as_object(tool.get("openApiSpec")).get("textSchema"))
    moved = schema_for(service_url, schema)
    if moved != schema:
        tool["openApiSpec"]["textSchema"] = moved
        api.patch(f"v3/{tool['name']}", tool, updateMask="openApiSpec.textSchema")
    return name


def _connect_records(api: ApiClient) -> None:
    """Make the connection that the agent reads, where it is not there; it is looked at while the demo goes on."""
    try:
        api.get(f"v1/{RECORDS_CONNECTION}")
    except ApiError as error:
        if error.status != "NOT_FOUND":
            raise
        location, _, id_ = RECORDS_CONNECTION.partition("/connections/")
        api.post(f"v1/{location}/connections?connectionId={id_}", records_connection())


def _fill_care_store(api: ApiClient) -> None:
    """Make the data store that the agent asks, where it is not there."""
    try:
        api.get(f"v1/{CARE_STORE}")
    except ApiError as error:
        if error.status != "NOT_FOUND":
            raise
        collection, _, id_ = CARE_STORE.partition("/dataStores/")
        store: JsonObject = {
            "displayName": "Care of pets",
            "industryVertical": "GENERIC",
            "solutionTypes": ["SOLUTION_TYPE_CHAT"],
            "contentConfig": "CONTENT_REQUIRED",
            "languageInfo": {"languageCode": "en"},
            "documentProcessingConfig": {"chunkingConfig": {"layoutBasedChunkingConfig": {"chunkSize": 500}}},
        }
        api.finished(api.post(f"v1/{collection}/dataStores?dataStoreId={id_}", store), version="v1")
    listed = api.get(f"v1/{CARE_STORE}/branches/default_branch/documents", pageSize="1")
    if not listed.get("documents"):
        documents: JsonObject = {"inlineSource": {"documents": list(care_documents())}}
        imported = api.post(f"v1/{CARE_STORE}/branches/default_branch/documents:import", documents)
        api.finished(imported, version="v1")
