"""Whether a connection works: asked for with each call, and kept as its status."""

from collections.abc import Mapping

from openplaybook.connectors.errors import ConnectorError
from openplaybook.credentials.errors import CredentialError
from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.names import CONNECTIONS
from openplaybook.services.connectors.connections import ConnectionResources
from openplaybook.services.connectors.opened_systems import OpenedSystems
from openplaybook.services.connectors.system_messages import SystemService
from openplaybook.services.parts import ServiceParts
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage

_STATES: Mapping[str, str] = {"ACTIVE": "ACTIVE", "AUTHORIZATION_REQUIRED": "AUTH_ERROR"}
"""From the state of a connection in v1 to that of its system in v2; all others are errors."""


class ConnectionChecks(SystemService):
    """`checkStatus` and `checkReadiness`."""

    def __init__(self, parts: ServiceParts, systems: OpenedSystems, connections: ConnectionResources) -> None:
        super().__init__(parts, systems)
        self._connections = connections

    async def status(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Reach the system and prove the credential; that it does not work is an answer, no error."""
        found = await self._connections.look(str(CONNECTIONS.parse(request.name)))
        status: JsonObject = {"state": _STATES.get(str(found["state"]), "ERROR")}
        if "description" in found:
            status["description"] = found["description"]
        return self.message("CheckStatusResponse", status)

    async def readiness(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Whether calls would be taken: the system is not asked."""
        try:
            async with self.systems.opened(str(CONNECTIONS.parse(request.name))):
                return self.message("CheckReadinessResponse", {"status": "READY"})
        except (ConnectorError, CredentialError) as error:
            return self.message("CheckReadinessResponse", {"status": f"NOT_READY: {error}"})
