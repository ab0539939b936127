"""`ConnectorTool`: the configured actions of one connection, described by the system itself."""

import asyncio
import re
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from openplaybook.connectors.base import ActionType, EntityType, Rehearsed, SystemCall, SystemConnection, SystemExchange
from openplaybook.connectors.catalog.connections import ConnectionAccess
from openplaybook.connectors.errors import (
    AuthenticationRefused,
    ConnectorError,
    CredentialAbsent,
    InvalidCondition,
    PermissionRefused,
    UnknownName,
    WriteInDoubt,
)
from openplaybook.connectors.settings import ConnectionSettings
from openplaybook.credentials.base import CredentialSources
from openplaybook.credentials.errors import CredentialError
from openplaybook.egress.errors import EgressError
from openplaybook.jsonvalues import JsonObject
from openplaybook.telemetry.redaction import without, without_long
from openplaybook.tools.base import Action, Call, Exchange, Failure, InDoubt, Outcome, Tool, ToolContext
from openplaybook.tools.client_results import result_problems
from openplaybook.tools.connector.action_calls import CallSite, EntityCall, SystemActionCall, refuse_unsupported
from openplaybook.tools.connector.action_schemas import (
    action_input,
    action_output,
    entity_input,
    entity_output,
    hidden,
)
from openplaybook.tools.connector.connector_spec import ConfiguredAction, ConnectorSpec
from openplaybook.tools.connector.plain_arguments import plain_form
from openplaybook.tools.connector.session_credential import settings_for
from openplaybook.workers.errors import WorkError

MAX_S = 180.0
"""For one call, whatever its caller has left."""
_DESCRIBED_WITHIN_S = 10.0
"""How long a turn waits for a system to describe what it takes; without that its actions take anything."""
_PAUSE_S = 30.0
"""After a failed description the system is not asked for so long."""
UNAVAILABLE = "CONNECTIONS_UNAVAILABLE"
NO_CONNECTION = "NO_SUCH_CONNECTION"


@dataclass(slots=True)
class _Description:
    """Of one action by its system: one of both."""

    entity_type: EntityType | None = None
    action_type: ActionType | None = None


@dataclass(slots=True)
class _Pauses:
    """Until when a system is not asked to describe itself."""

    until: dict[str, float] = field(default_factory=dict[str, float])

    def is_on(self, connection: str) -> bool:
        return self.until.get(connection, 0.0) > time.monotonic()

    def begin(self, connection: str) -> None:
        self.until[connection] = time.monotonic() + _PAUSE_S


class ConnectorTool(Tool):
    """Calls a system through a connection."""

    is_live = True

    def __init__(
        self,
        actions: Sequence[Action],
        spec: ConnectorSpec,
        access: ConnectionAccess | None,
        sources: CredentialSources,
        authored: Collection[str] = (),
    ) -> None:
        """`actions` are declared without the system, in the order of those in `spec`; `authored` are those whose
        description is the tool's own."""
        self._authored = authored
        self._actions = tuple(actions)
        self._spec = spec
        self._configured = {action.action: configured for action, configured in zip(actions, spec.actions, strict=True)}
        self._access = access
        self._sources = sources
        self._pauses = _Pauses()

    def actions(self) -> Sequence[Action]:
        """As they are declared without asking the system."""
        return self._actions

    def fault(self) -> str:
        """That no system is called here, where that is so."""
        return "" if self._access is not None else "connector tools are not run"

    async def described(self, context: ToolContext) -> Sequence[Action]:
        """The actions with the inputs and outputs that the system has for whoever is in the session; as declared where
        it does not say."""
        if self._access is None or self._pauses.is_on(self._spec.connection):
            return self._actions
        call = SystemCall(timeout_s=min(_DESCRIBED_WITHIN_S, context.timeout_s))
        try:
            async with asyncio.timeout(call.timeout_s):
                settings = await self._settings(self._access, context)
                async with self._access.connections.opened(settings) as system:
                    return [await self._described(action, system, call) for action in self._actions]
        except (CredentialError, CredentialAbsent, AuthenticationRefused, PermissionRefused):
            # It is about whoever is in this session; others may see more.
            return self._actions
        except (ConnectorError, EgressError, WorkError, TimeoutError):
            self._pauses.begin(self._spec.connection)
            return self._actions

    async def _described(self, action: Action, system: SystemConnection, call: SystemCall) -> Action:
        configured = self._configured[action.action]
        try:
            description = await _description(configured, system, call)
        except UnknownName:
            return action
        if description.entity_type is not None:
            entity_type = description.entity_type
            output = entity_output(configured, entity_type)
            about = f" {entity_type.description}" if entity_type.description else ""
            return replace(
                action,
                input_schema=entity_input(configured, entity_type),
                declared_output=lambda: output,
                plain=plain_form(configured, entity_type),
                description=action.description + about,
            )
        assert description.action_type is not None, "it is one or the other"
        action_type = description.action_type
        output = action_output(configured, action_type)
        return replace(
            action,
            input_schema=action_input(configured, action_type),
            declared_output=lambda: output,
            description=(action.action not in self._authored and action_type.description) or action.description,
            is_read_only=action_type.is_read_only,
            safe_to_repeat=action_type.is_repeatable,
        )

    async def invoke(self, call: Call, context: ToolContext) -> Outcome:
        """Take the action.

        Failures: INVALID_ARGUMENTS, NO_SUCH_CONNECTION, CONNECTIONS_UNAVAILABLE, TIMEOUT, and the codes of what the
        connection and the credential raise. A write without an answer is in doubt.
        """
        return await self._called(call, context, is_rehearsal=False) or Failure("INTERNAL", "Nothing was done.")

    async def rehearse(self, call: Call, context: ToolContext) -> Failure | None:
        """What would be sent goes on record; the system may be asked to describe itself. Where no connections are
        served, as in a replay, nothing is known to speak against a call."""
        if self._access is None:
            return None
        outcome = await self._called(call, context, is_rehearsal=True)
        return outcome if isinstance(outcome, Failure) else None

    async def _called(self, call: Call, context: ToolContext, *, is_rehearsal: bool) -> Outcome | None:
        """What came of it; None for a rehearsal that came to its end."""
        if self._access is None:
            return Failure(UNAVAILABLE, f"{call.action.action} was not called: no connections are served here.")
        seconds = min(context.timeout_s, MAX_S)
        system_call = SystemCall(
            timeout_s=seconds,
            is_rehearsal=is_rehearsal,
            idempotency_key=context.idempotency_key,
            caller=self._spec.connection,
        )
        names: list[str] = []
        try:
            async with asyncio.timeout(seconds):
                return await self._taken(call, context, self._access, system_call, names)
        except Rehearsed:
            return None
        except WriteInDoubt as error:
            return InDoubt(_masked(_without(str(error), names), context.secrets))
        except (InvalidCondition, UnknownName) as error:
            # It names what the caller has named: hiding that would tell which names there are.
            return Failure(error.code, str(error))
        except (ConnectorError, CredentialError, EgressError, WorkError) as error:
            return Failure(error.code, _masked(_without(str(error), names), context.secrets))
        except TimeoutError:
            if call.action.is_read_only or is_rehearsal:
                return Failure("TIMEOUT", f"There was no answer from the system within {seconds:g} seconds.")
            return InDoubt(f"There was no answer within {seconds:g} seconds; whether it was done is not known.")
        finally:
            context.exchanged.extend(_exchange(each, context.secrets) for each in system_call.exchanges)

    async def _taken(
        self, call: Call, context: ToolContext, access: ConnectionAccess, system_call: SystemCall, names: list[str]
    ) -> Outcome:
        configured = self._configured[call.action.action]
        settings = await self._settings(access, context)
        site = CallSite(settings.name, context.session, context.playbook)
        async with access.connections.opened(settings) as system:
            description = await _description(configured, system, system_call)
            if description.entity_type is not None:
                names.extend(hidden(configured, description.entity_type))
                refuse_unsupported(configured, description.entity_type)
                return await EntityCall(configured, description.entity_type, site).take(
                    call.arguments, system, system_call
                )
            assert description.action_type is not None, "it is one or the other"
            return await SystemActionCall(configured, description.action_type, site).take(
                call.arguments, system, system_call
            )

    async def _settings(self, access: ConnectionAccess, context: ToolContext) -> ConnectionSettings:
        is_own = self._spec.authentication is None
        found = await access.directory.settings(self._spec.connection, with_credential=is_own)
        if found is None:
            raise ConnectionUnknown(self._spec.connection)
        return await settings_for(found, self._spec.authentication, self._sources, context)

    async def client_arguments(self, call: Call, context: ToolContext) -> JsonObject | Failure:
        """As the model gave them."""
        return call.arguments

    async def check_result(self, action: Action, output: JsonObject) -> Sequence[str]:
        """What is wrong with the client's answer, where its form is known."""
        return await result_problems(action.output_schema, output)


class ConnectionUnknown(ConnectorError):
    """The tool's connection is not here."""

    code = NO_CONNECTION

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no connection {name} on this server; create it, or give the tool another one")


async def _description(configured: ConfiguredAction, system: SystemConnection, call: SystemCall) -> _Description:
    """Raises `UnknownName` for an entity type or action that the system does not have."""
    if configured.operation is not None:
        return _Description(entity_type=await system.entity_type(configured.entity_type, call))
    known = {each.name: each for each in await system.actions(call)}
    if configured.action_id not in known:
        raise UnknownName("action", configured.action_id, known)
    return _Description(action_type=known[configured.action_id])


def _without(message: str, names: Sequence[str]) -> str:
    """A message that names no hidden field."""
    for name in names:
        message = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "…", message)
    return message


def _masked(text: str, secrets: Sequence[str]) -> str:
    """A text without secrets that are long enough to be told from a word."""
    return without_long(text.encode("utf-8", "replace"), secrets).decode() if secrets else text


def _exchange(each: SystemExchange, secrets: Sequence[str]) -> Exchange:
    """As traces show it, without what secret parameters of the session hold."""
    return Exchange(
        method=each.method,
        url=_masked(each.address, secrets),
        request_headers={name: without(value, secrets) for name, value in each.request_headers.items()},
        request_body=_masked(each.request, secrets),
        status=each.status,
        response_headers={name: without(value, secrets) for name, value in each.response_headers.items()},
        response_body=_masked(each.response, secrets),
        elapsed_ms=each.elapsed_ms,
        error=_masked(each.error, secrets),
        attempts=each.attempts,
    )
