"""A connection tried step by step, stored or not: `TestConnection` of our own service."""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial

from openplaybook.connectors.base import SystemCall, SystemConnection
from openplaybook.connectors.errors import AuthenticationRefused, ConnectorError, CredentialAbsent, PermissionRefused
from openplaybook.connectors.settings import ConnectionSettings
from openplaybook.credentials.errors import CredentialError
from openplaybook.egress.errors import EgressError
from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.names import CONNECTIONS, LOCATIONS, new_id
from openplaybook.services.connectors.connection_rules import connection_violations, connector_of
from openplaybook.services.connectors.connections import ConnectionResources
from openplaybook.services.connectors.consents import Consents
from openplaybook.services.connectors.opened_systems import OpenedSystems
from openplaybook.services.connectors.system_settings import SystemSettingsReader
from openplaybook.services.errors import REFUSALS, invalid, to_rpc_error
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import CONNECTORS
from openplaybook.wire.codec import JsonError
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.errors import WorkError

_STEP_S = 20.0
"""Seconds that one step may take."""
_ENTITIES_TOLD = 50
_LONGEST_MESSAGE = 1_000
_FAULTS = (ConnectorError, CredentialError, EgressError, WorkError, OSError)
"""What goes wrong on the way to a system; TimeoutError is an OSError."""
_OF_CREDENTIALS = (AuthenticationRefused, CredentialAbsent, PermissionRefused)


@dataclass(slots=True)
class _Trial:
    """What is known of the connection by now."""

    document: JsonObject
    settings: ConnectionSettings | None = None
    system: SystemConnection | None = None
    entities: list[str] = field(default_factory=list[str])


class ConnectionTrials:
    """Tells each step when it begins, and what came of it."""

    def __init__(
        self, parts: ServiceParts, systems: OpenedSystems, consents: Consents, stored: ConnectionResources
    ) -> None:
        self._parts = parts
        self._systems = systems
        self._definitions = consents.definitions
        self._reader = SystemSettingsReader(parts.secrets, consents.stored.refresh_token)
        self._stored = stored
        self._step = parts.api.message("openplaybook.v1.ConnectionTestStep")

    async def test(self, request: ApiMessage, context: RpcContext) -> AsyncGenerator[ApiMessage]:
        """The steps until all are done, or one fails. NOT_FOUND: there is no such connection."""
        try:
            await asyncio.to_thread(self._definitions)
            trial = _Trial(await self._document(request))
        except REFUSALS as refusal:
            raise to_rpc_error(refusal) from refusal
        async with AsyncExitStack() as stack:
            if not request.name:
                stack.callback(self._systems.forget, str(trial.document["name"]))
            async for step in self._steps(trial, stack):
                yield step
                if step.state == step.FAILED:
                    return

    async def _document(self, request: ApiMessage) -> JsonObject:
        """The connection as JSON, with a name."""
        if request.name:
            stored = await self._stored.records.read(str(CONNECTIONS.parse(request.name)))
            return self._parts.api.codec.to_json(stored.message)
        name = str(CONNECTIONS.child(str(LOCATIONS.parse(request.parent)), f"test-{new_id()}"))
        message = self._parts.api.message(f"{CONNECTORS}Connection")()
        try:
            self._parts.api.codec.from_json(self._parts.api.codec.to_json(request.connection), message)
        except JsonError as error:
            raise invalid(("connection", str(error))) from error
        return {**self._parts.api.codec.to_json(message), "name": name}

    async def _steps(self, trial: _Trial, stack: AsyncExitStack) -> AsyncGenerator[ApiMessage]:
        works: Mapping[str, Callable[[_Trial], Awaitable[str]]] = {
            "SETTINGS": self._check,
            "SECRETS": self._read,
            "RESOLVE": self._resolve,
            "CONNECT": partial(self._connect, stack),
            "AUTHENTICATE": self._authenticate,
            "LIST_ENTITIES": self._list,
        }
        for kind, work in works.items():
            if kind == "RESOLVE" and (trial.settings is None or not trial.settings.destinations):
                continue
            yield self._told(kind, "RUNNING")
            begun = time.monotonic()
            try:
                async with asyncio.timeout(_STEP_S):
                    message = await work(trial)
            except _FAULTS as error:
                # One exchange reaches the system and proves the credential: what refuses the credential was reached.
                failed = "AUTHENTICATE" if isinstance(error, _OF_CREDENTIALS) and kind == "CONNECT" else kind
                if failed != kind:
                    yield self._told(kind, "DONE", "", begun)
                yield self._told(failed, "FAILED", _sentence(error), begun)
                return
            done = self._told(kind, "DONE", message, begun)
            if kind == "LIST_ENTITIES":
                done.entity_count = len(trial.entities)
                done.entities.extend(trial.entities[:_ENTITIES_TOLD])
            yield done

    async def _check(self, trial: _Trial) -> str:
        """Raises `ConnectorError` with all that is wrong."""
        found = connector_of(str(trial.document.get("connectorVersion", "")), self._definitions())
        if isinstance(found, str):
            raise ConnectorError(found)
        wrong = [f"{path}: {sentence}" for path, sentence in connection_violations(trial.document, found)]
        if wrong:
            raise ConnectorError("; ".join(wrong))
        return found.title

    async def _read(self, trial: _Trial) -> str:
        trial.settings = await self._reader.settings(trial.document)
        return ""

    async def _resolve(self, trial: _Trial) -> str:
        assert trial.settings is not None, "secrets are read before"
        found: list[str] = []
        for destination in trial.settings.destinations.values():
            resolver = self._systems.connections.access.resolver
            addresses = await resolver.resolve(destination.host, destination.port)
            found.append(f"{destination.host}: {', '.join(addresses)}")
        return "; ".join(found)

    async def _connect(self, stack: AsyncExitStack, trial: _Trial) -> str:
        assert trial.settings is not None, "secrets are read before"
        trial.system = await stack.enter_async_context(self._systems.connections.opened(trial.settings))
        await trial.system.check(SystemCall(timeout_s=_STEP_S))
        return ""

    async def _authenticate(self, trial: _Trial) -> str:
        """Proved already: the look at the system needs the credential."""
        return ""

    async def _list(self, trial: _Trial) -> str:
        assert trial.system is not None, "it is reached before"
        trial.entities = [*await trial.system.entity_names(SystemCall(timeout_s=_STEP_S))]
        return ""

    def _told(self, kind: str, state: str, message: str = "", begun: float | None = None) -> ApiMessage:
        step = self._step(kind=kind, state=state, message=message)
        if begun is not None:
            step.elapsed.FromMicroseconds(round((time.monotonic() - begun) * 1e6))
        return step


def _sentence(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return f"There was no answer within {_STEP_S:g} s."
    return (str(error) or type(error).__name__)[:_LONGEST_MESSAGE]
