"""Whatever is asked, an answer or a refusal comes: no request breaks a handler."""

import pytest

from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.messages import ApiMessage
from tests.integration.services.connectors.connected import BODY, CONNECTION, CUSTOMERS, LOCATION, Connected
from tests.kit.random_messages import MessageMaker
from tests.kit.thoroughness import examples

BROKEN = {Code.INTERNAL, Code.UNKNOWN, Code.DATA_LOSS}
NAMES = {
    "name": [
        CONNECTION,
        f"{CONNECTION}/connectionSchemaMetadata",
        f"{CUSTOMERS}/entities/1",
        f"{CONNECTION}/tools/Ping",
    ],
    "parent": [LOCATION, CONNECTION, CUSTOMERS],
    "connection": [CONNECTION],
    "entity_type": [CUSTOMERS],
}
"""What leads somewhere, by field."""


def served(shop: Connected) -> list[str]:
    api = shop.caller.parts.api
    return sorted(
        name for name in api.methods if name.startswith("google.cloud.connectors.") and "AuthCode" not in name
    )


async def called(shop: Connected, rpc: str, request: ApiMessage) -> Code | None:
    method = shop.caller.parts.api.methods[rpc]
    try:
        await shop.caller.registry.call(method, request, RpcContext(rpc, method.version, "grpc"))
    except RpcError as error:
        return error.code
    return None


@pytest.mark.sweep
async def test_random_requests_are_answered_or_refused(shop: Connected) -> None:
    await shop.create()
    shop.system.rows["1"] = {"id": 1, "name": "Ada"}
    for number in range(examples(200)):
        maker = MessageMaker(shop.caller.parts.api, number)
        for rpc in served(shop):
            request = maker.make(shop.caller.parts.api.methods[rpc].input)
            for field, names in NAMES.items():
                if field in request.DESCRIPTOR.fields_by_name and request.DESCRIPTOR.fields_by_name[field].type == 9:
                    setattr(request, field, names[number % len(names)])
            assert await called(shop, rpc, request) not in BROKEN, (rpc, number, request)


@pytest.mark.sweep
async def test_random_connections_are_stored_or_refused(shop: Connected) -> None:
    api = shop.caller.parts.api
    kind = api.message("google.cloud.connectors.v1.CreateConnectionRequest")
    for number in range(examples(200)):
        request = kind(parent=LOCATION, connection_id=f"c{number}")
        request.connection.CopyFrom(MessageMaker(api, number).make(request.connection.DESCRIPTOR))
        if number % 2:
            for field in ("connector_version", "config_variables", "eventing_config", "eventing_enablement_type"):
                request.connection.ClearField(field)
            api.codec.from_json({key: BODY[key] for key in ("connectorVersion", "configVariables")}, request.connection)
        code = await called(shop, "google.cloud.connectors.v1.Connections.CreateConnection", request)
        assert code not in BROKEN, (number, request)
    await shop.v1("Connections.ListConnections", {"parent": LOCATION, "pageSize": 1000})
