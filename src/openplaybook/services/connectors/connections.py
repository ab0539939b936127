"""Connections: created, updated and deleted by operations; each change is followed by a look at the system."""

import asyncio
import re
from collections.abc import Mapping
from functools import partial

from openplaybook.connectors.base import SystemCall
from openplaybook.connectors.errors import AuthenticationRefused, ConnectorError, CredentialAbsent
from openplaybook.credentials.errors import CredentialError
from openplaybook.egress.errors import EgressError
from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.resources.errors import InvalidId, InvalidName
from openplaybook.resources.names import CONNECTIONS, LOCATIONS
from openplaybook.services.collection import Page
from openplaybook.services.connectors.connection_rules import Definitions, connection_violations, connector_of
from openplaybook.services.connectors.consents import ConsentedTokens, Consents
from openplaybook.services.connectors.opened_systems import OpenedSystems
from openplaybook.services.connectors.system_messages import PACKAGE as SYSTEMS
from openplaybook.services.errors import invalid, precondition, unimplemented
from openplaybook.services.locations import LocatedResources
from openplaybook.services.operations import FinishedWork, finished
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import CONNECTION, CONNECTORS
from openplaybook.services.stored_records import retried
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import RpcError
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.errors import WorkError

CHECK_S = 30.0
"""Seconds that a system has to answer the look that follows a change."""

_ID = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?", re.ASCII)
_ALLOWED = "up to 63 lower-case letters, digits and '-', the first and the last a letter or a digit"
_STALE_US = 120 * 1_000_000
"""A look that has not ended by then has ended with its server."""
_LOOKED_AT = ("CREATING", "UPDATING")
_LONGEST_STATUS = 1_000
_UNSERVED: Mapping[str, str] = {
    "adminFilters": "give tools the fields and conditions that they need",
    "asyncOperationsEnabled": "calls are answered when they are done",
    "euaOauthAuthConfig": "an end user's credential stands for the connection's own",
    "eventingConfig": "connections send no events",
    "eventingEnablementType": "connections send no events",
    "fallbackOnAdminCredentials": "without an end user's credential no call is made",
    "trafficShapingConfigs": "what a system asks for when it is asked too often is done",
}
"""Members that would change what a connection does, and what there is instead; others say nothing here."""
_STATES: Mapping[str, str] = {"ACTIVE": "ACTIVE", "AUTHORIZATION_REQUIRED": "AUTH_ERROR"}
"""From the state of a connection in v1 to that of its system in v2; all others are errors."""


class ConnectionResources(LocatedResources):
    """Create, get, list, search, update and delete; and whether a connection works."""

    def __init__(
        self, parts: ServiceParts, systems: OpenedSystems, definitions: Definitions, consents: Consents
    ) -> None:
        super().__init__(CONNECTION, parts, None)
        self._systems = systems
        self._definitions = definitions
        self._consents = consents
        states = parts.api.message(f"{CONNECTORS}ConnectionStatus").DESCRIPTOR.fields_by_name["state"].enum_type
        self._looking = {states.values_by_name[name].number for name in _LOOKED_AT}

    async def create(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Store it; the operation is done when the system was looked at. The code of a user's consent is exchanged
        before that, and not stored."""
        code = _taken_code(request.connection)
        return await self._looked_at(await super().create(request, context), "create", context, code)

    async def update(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Store the change; as for `create`."""
        code = _taken_code(request.connection)
        updated = await super().update(request, context)
        self._systems.forget(updated.name)
        return await self._looked_at(updated, "update", context, code)

    async def delete(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Forget the connection; the operation is done at once."""
        stored = await self.records.read(request.name)
        if stored.message.lock_config.locked:
            raise _locked(stored.message)
        await super().delete(request, context)
        self._systems.forget(request.name)
        work = partial(finished, self.parts.empty())
        metadata = self._metadata(request.name, "delete")
        location = CONNECTIONS.parse(request.name).parent
        return await self.parts.operations.start(context, location, work, metadata=metadata)

    async def search(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Connections of a location in whose name, description, connector or labels every word of the query stands."""
        location = request.name.removesuffix("/connections")
        if location == request.name or not LOCATIONS.fits(location):
            raise InvalidName(request.name, f"{LOCATIONS.template}/connections")
        if not request.query.strip():
            raise invalid(("query", "is required"))
        words = request.query.casefold().split()

        def fits(message: ApiMessage) -> bool:
            labels = " ".join(f"{key} {value}" for key, value in message.labels.items())
            text = f"{message.name} {message.description} {message.connector_version} {labels}".casefold()
            return all(word in text for word in words)

        filters = ("search", request.query)
        page = Page(location, request.page_size, request.page_token, filters=filters, accept=fits)
        listing = await self.records.page(page)
        response = self.parts.api.message(f"{CONNECTORS}SearchConnectionsResponse")(next_page_token=listing.token)
        for message in listing.messages:
            response.connections.add().connection.CopyFrom(self.shown(message))
        return response

    def shown(self, message: ApiMessage) -> ApiMessage:
        """As for every kind; where the look at the system did not come to its end, that is said."""
        shown = super().shown(message)
        if shown.status.state in self._looking and shown.update_time.ToMicroseconds() < self.parts.now_us() - _STALE_US:
            shown.status.state = "ERROR"
            shown.status.description = "The server stopped while it looked at the system; ask for checkStatus."
        return shown

    def id_of(self, request: ApiMessage) -> str:
        """The id that is asked for. Raises INVALID_ARGUMENT where there is none, and `InvalidId`."""
        if not request.connection_id:
            raise invalid(("connection_id", "is required"))
        if not _ID.fullmatch(request.connection_id):
            raise InvalidId("connection_id", request.connection_id, _ALLOWED)
        return request.connection_id

    async def settle(self, resource: ApiMessage, stored: ApiMessage | None, context: RpcContext) -> None:
        """Hold it against what its connector asks for; it is looked at next."""
        document = self.parts.api.codec.to_json(resource)
        found = connector_of(resource.connector_version, self._definitions())
        if isinstance(found, str):
            raise invalid(("connection.connector_version", found))
        if (
            stored is not None
            and stored.connector_version.split("/")[4:8] != resource.connector_version.split("/")[4:8]
        ):
            raise invalid(("connection.connector_version", "is of another connector; create another connection"))
        for member, instead in _UNSERVED.items():
            if member in document:
                raise unimplemented(f"connection.{member} is not served: {instead}")
        if stored is not None and stored.lock_config.locked and resource.lock_config.locked:
            raise _locked(resource)
        violations = list(connection_violations(document, found))
        if violations:
            raise invalid(*violations)
        resource.connection_revision = 1 + (stored.connection_revision if stored is not None else 0)
        resource.connector_version_launch_stage = "GA"
        resource.status.Clear()
        resource.status.state = _LOOKED_AT[stored is not None]

    async def check_status(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Reach the system and prove the credential; that it does not work is an answer, no error."""
        found = await self.look(str(CONNECTIONS.parse(request.name)))
        status: JsonObject = {"state": _STATES.get(str(found["state"]), "ERROR")}
        if "description" in found:
            status["description"] = found["description"]
        return self.parts.api.codec.from_json(status, self.parts.api.message(f"{SYSTEMS}CheckStatusResponse")())

    async def check_readiness(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Whether calls would be taken: the system is not asked."""
        try:
            async with self._systems.opened(str(CONNECTIONS.parse(request.name))):
                status = "READY"
        except (ConnectorError, CredentialError) as error:
            status = f"NOT_READY: {error}"
        return self.parts.api.message(f"{SYSTEMS}CheckReadinessResponse")(status=status)

    async def exchange_auth_code(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The tokens for the code of a user's consent; the connection has the refresh token from then on."""
        name, code = str(CONNECTIONS.parse(request.name)), self.parts.api.codec.to_json(request.auth_code_data)
        tokens = await self._consents.exchange(name, code, self._client_of(request))
        self._systems.forget(name)
        await self.look(name)
        return self._credentials(f"{SYSTEMS}ExchangeAuthCodeResponse", tokens)

    async def refresh_access_token(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The tokens for a refresh token: the connection's own, where the request has none."""
        name = str(CONNECTIONS.parse(request.name))
        tokens = await self._consents.refresh(name, request.refresh_token, self._client_of(request))
        return self._credentials(f"{SYSTEMS}RefreshAccessTokenResponse", tokens)

    def _client_of(self, request: ApiMessage) -> JsonObject:
        if request.oauth2_config.auth_uri:
            raise unimplemented("oauth2_config.auth_uri is not served: each connector knows where its tokens are")
        return self.parts.api.codec.to_json(request.oauth2_config)

    def _credentials(self, message: str, tokens: ConsentedTokens) -> ApiMessage:
        given: JsonObject = {"accessToken": tokens.access_token, "expiresIn": f"{tokens.life_s}s"}
        if tokens.refresh_token:
            given["refreshToken"] = tokens.refresh_token
        return self.parts.api.codec.from_json({"accessCredentials": given}, self.parts.api.message(message)())

    async def look(self, name: str, code: JsonObject | None = None) -> JsonObject:
        """Reach a connection's system; the status that it has from now on, which is stored where it is another one.

        `code`: of a user's consent, which is exchanged before. NOT_FOUND where there is no such connection.
        """
        stored = await self.records.read(name)
        refused = await self._refused(name, code) if code else ""
        status = _needs_consent(refused) if refused else await self._status(stored.message)
        await self._keep_status(name, stored.message.connection_revision, status)
        return status

    async def _refused(self, name: str, code: JsonObject) -> str:
        """Why a code was not exchanged; empty where it was."""
        try:
            await self._consents.exchange(name, code, {})
        except (CredentialError, RpcError) as error:
            return str(error)
        return ""

    async def _looked_at(
        self, connection: ApiMessage, verb: str, context: RpcContext, code: JsonObject | None
    ) -> ApiMessage:
        async def work() -> FinishedWork:
            await self.look(connection.name, code)
            return FinishedWork(self.shown((await self.records.read(connection.name)).message))

        location, metadata = CONNECTIONS.parse(connection.name).parent, self._metadata(connection.name, verb)
        return await self.parts.operations.start(context, location, work, metadata=metadata)

    async def _status(self, connection: ApiMessage) -> JsonObject:
        if connection.suspended:
            return {"state": "INACTIVE", "description": "The connection is suspended."}
        try:
            async with asyncio.timeout(CHECK_S), self._systems.opened(connection.name) as system:
                await system.check(SystemCall(timeout_s=CHECK_S))
        except (AuthenticationRefused, CredentialAbsent) as error:
            return _needs_consent(str(error))
        except (ConnectorError, CredentialError, EgressError, WorkError) as error:
            return {"state": "ERROR", "description": str(error)[:_LONGEST_STATUS]}
        except TimeoutError:
            return {"state": "ERROR", "description": f"The system did not answer within {CHECK_S:g} s."}
        return {"state": "ACTIVE"}

    async def _keep_status(self, name: str, revision: int, status: JsonObject) -> None:
        """Store the status, unless the connection was changed since: then another look is under way."""

        async def attempt() -> None:
            stored = await self.records.read(name)
            before = as_object(self.parts.api.codec.to_json(stored.message.status))
            if stored.message.connection_revision != revision or before == status:
                return
            stored.message.status.Clear()
            self.parts.api.codec.from_json(status, stored.message.status)
            await self.replace(stored.message, stored)

        await retried(attempt)

    def _metadata(self, target: str, verb: str) -> ApiMessage:
        return self.parts.api.message(f"{CONNECTORS}OperationMetadata")(target=target, verb=verb, api_version="v1")


def _needs_consent(description: str) -> JsonObject:
    return {"state": "AUTHORIZATION_REQUIRED", "description": description[:_LONGEST_STATUS]}


def _locked(connection: ApiMessage) -> RpcError:
    reason = f": {connection.lock_config.reason}" if connection.lock_config.reason else ""
    return precondition("LOCKED", f"{connection.name} is locked{reason}; update it with lockConfig.locked: false first")


def _taken_code(connection: ApiMessage) -> JsonObject | None:
    """The code of a user's consent that is sent with a connection, which is taken out of it: it is good for once."""
    flow = connection.auth_config.oauth2_auth_code_flow
    if not connection.auth_config.HasField("oauth2_auth_code_flow") or not flow.auth_code:
        return None
    code = {"authCode": flow.auth_code, "pkceVerifier": flow.pkce_verifier, "redirectUri": flow.redirect_uri}
    flow.ClearField("auth_code")
    flow.ClearField("pkce_verifier")
    return code
