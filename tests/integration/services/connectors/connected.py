"""Integration Connectors behind their RPCs, over a system in memory, as the tests ask them."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from openplaybook.connectors.catalog.connections import ConnectionAccess, Connections
from openplaybook.connectors.definitions import AuthenticationTemplate, SystemAccess
from openplaybook.credentials.errors import SecretNotFound
from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.egress.resolver import SystemResolver
from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.services.connectors.connection_rules import Definitions
from openplaybook.services.connectors.consents import Consents
from openplaybook.services.connectors.registration import register_connectors
from openplaybook.services.connectors.stored_connections import StoredConnections
from openplaybook.services.inline_secrets import InlineSecrets
from openplaybook.services.operations import OperationRunner
from openplaybook.services.parts import ServiceParts
from openplaybook.services.registrations import register_mixins
from openplaybook.storage.sqlite import SqliteStore
from openplaybook.wire.api import load_api
from openplaybook.wire.errors import Code
from openplaybook.wire.registry import Registry
from tests.integration.services.peers import Caller, Clock, SpecificationChecker
from tests.kit.discovery_documents import faults
from tests.kit.made_tables import with_tables
from tests.kit.sealing import SEALER
from tests.kit.shop_system import SHOP, ShopSystem

LOCATION = "projects/p/locations/global"
CONNECTION = f"{LOCATION}/connections/shop"
CUSTOMERS = f"{CONNECTION}/entityTypes/Customer"
VERSION = f"{LOCATION}/providers/gcp/connectors/shop-system/versions/1"
PASSWORD = "projects/p/secrets/password/versions/1"
BODY: JsonObject = {
    "connectorVersion": VERSION,
    "configVariables": [{"key": "host", "stringValue": "db.example.com"}, {"key": "port", "intValue": "4712"}],
    "authConfig": {
        "authType": "USER_PASSWORD",
        "userPassword": {"username": "kim", "password": {"secretVersion": PASSWORD}},
    },
}
_PACKAGES = {"v1": "google.cloud.connectors.v1.", "v2": "google.cloud.connectors.v2."}


@dataclass
class KnownSecrets:
    """Secrets by the name of their version."""

    values: dict[str, str] = field(default_factory=lambda: {PASSWORD: "hunter2"})

    async def access(self, version: str) -> str:
        if version not in self.values:
            raise SecretNotFound(f"there is no secret {version}")
        return self.values[version]


@dataclass
class Connected:
    """One server."""

    caller: Caller
    system: ShopSystem
    secrets: KnownSecrets
    stored: StoredConnections

    async def v1(self, rpc: str, request: JsonObject) -> JsonObject:
        """The answer of an RPC of v1, which fits Google's document."""
        return await self._answer("v1", rpc, request)

    async def v2(self, rpc: str, request: JsonObject) -> JsonObject:
        """The same of v2."""
        return await self._answer("v2", rpc, request)

    async def refusal(self, version: str, rpc: str, request: JsonObject) -> tuple[Code, str]:
        """Code and sentence with which a call is refused."""
        return await self.caller.refusal(_PACKAGES[version] + rpc, request)

    async def violations(self, rpc: str, request: JsonObject) -> dict[str, str]:
        """What is wrong, by field, with what a call of v1 sends."""
        code, _, details = await self.caller.error(_PACKAGES["v1"] + rpc, request)
        assert code is Code.INVALID_ARGUMENT
        [listed] = [each.field_violations for each in details if hasattr(each, "field_violations")]
        return {each.field: each.description for each in listed}

    async def done(self, rpc: str, request: JsonObject) -> JsonObject:
        """The operation that an RPC of v1 begins, once it is done."""
        return await self.caller.operation(_PACKAGES["v1"] + rpc, request)

    async def create(self, id: str = "shop", **more: JsonValue) -> JsonObject:
        """A new connection."""
        request: JsonObject = {"parent": LOCATION, "connectionId": id, "connection": {**BODY, **more}}
        return (await self.done("Connections.CreateConnection", request))["response"]

    async def _answer(self, version: str, rpc: str, request: JsonObject) -> JsonObject:
        full_name = _PACKAGES[version] + rpc
        message = await self.caller.message(full_name, request)
        answer = self.caller.parts.api.codec.for_client(message)
        assert faults(f"connectors.{version}", answer, message.DESCRIPTOR.name) == []
        return answer


@asynccontextmanager
async def connected(
    folder: Path, consent: AuthenticationTemplate | None = None, definitions: Definitions | None = None
) -> AsyncGenerator[Connected]:
    """A fresh server. `consent`: how the shop takes the consent of users; `definitions`: of other systems, for each of
    which the shop stands."""
    api, clock = load_api(), Clock()
    store = SqliteStore(with_tables(folder / "store.db"), clock=clock)
    await store.open()
    operations = OperationRunner(store, api, clock)
    secrets, system = KnownSecrets(), ShopSystem()
    checker = SpecificationChecker()
    parts = ServiceParts(api, store, checker, operations, InlineSecrets(SEALER), clock, secrets=secrets)
    registry = Registry(api)
    register_mixins(registry, parts)
    transport = HttpTransport(AddressPolicy(()))
    connections = Connections(system.open, SystemAccess(transport, SystemResolver()))
    stored = StoredConnections(store, secrets, SEALER)
    local = HttpTransport(AddressPolicy(parse_allow("127.0.0.1")))
    definition = replace(SHOP, authentications=(*SHOP.authentications[:-1], consent)) if consent else SHOP
    consents = Consents(stored, definitions or (lambda: {SHOP.id: definition}), secrets, local)
    register_connectors(registry, parts, ConnectionAccess(stored, connections), consents)
    yield Connected(Caller(registry, parts, clock, version="v1"), system, secrets, stored)
    await operations.close(5)
    await connections.aclose()
    await store.close()
    await local.aclose()
    await transport.aclose()
