"""What a connector tool names and its connection does not have, with what is allowed: told when the tool is saved."""

import asyncio
from collections.abc import Iterable, Sequence

from openplaybook.connectors.base import EntityType, SystemCall, SystemConnection
from openplaybook.connectors.catalog.connections import ConnectionAccess
from openplaybook.connectors.errors import ConnectorError, UnknownName
from openplaybook.connectors.settings import ConnectionSettings
from openplaybook.credentials.errors import CredentialError
from openplaybook.egress.errors import EgressError
from openplaybook.tools.base import Problem
from openplaybook.tools.connector.action_calls import unsupported
from openplaybook.tools.connector.connector_spec import ConfiguredAction, ConnectorSpec
from openplaybook.workers.errors import WorkError

_WITHIN_S = 20.0


async def spec_findings(spec: ConnectorSpec, access: ConnectionAccess) -> Sequence[Problem]:
    """Errors: an unknown connection, entity type, action or field, and an end user's credential where the connection
    takes none. That the system cannot be asked now is a remark."""
    try:
        settings = await access.directory.settings(spec.connection)
    except (ConnectorError, CredentialError) as error:
        return [Problem(spec.connection_path, f"the connection cannot be used now: {error}", is_error=False)]
    if settings is None:
        known = await access.directory.neighbours(spec.connection)
        return [Problem(spec.connection_path, str(UnknownName("connection", spec.connection, known)))]
    if spec.authentication is not None and not settings.allows_override:
        text = "the connection takes no credential of end users; set authOverrideEnabled on it"
        return [Problem(spec.authentication.path, text)]
    try:
        async with asyncio.timeout(_WITHIN_S):
            return await _of_system(spec, settings, access)
    except (ConnectorError, CredentialError, EgressError, WorkError, TimeoutError) as error:
        said = str(error) or f"no answer within {_WITHIN_S:g} seconds"
        text = f"the system could not be asked what it has, so actions and fields are not checked: {said}"
        return [Problem(spec.connection_path, text, is_error=False)]


async def _of_system(spec: ConnectorSpec, settings: ConnectionSettings, access: ConnectionAccess) -> Sequence[Problem]:
    """Asks with the connection's own credential: nobody is in a session yet."""
    call = SystemCall(timeout_s=_WITHIN_S)
    problems: list[Problem] = []
    async with access.connections.opened(settings) as system:
        for action in spec.actions:
            problems += await _of_action(action, system, call)
    return problems


async def _of_action(action: ConfiguredAction, system: SystemConnection, call: SystemCall) -> Sequence[Problem]:
    if action.operation is None:
        known = {each.name: each for each in await system.actions(call)}
        if action.action_id not in known:
            return [Problem(f"{action.path}.connectionActionId", str(UnknownName("action", action.action_id, known)))]
        chosen = known[action.action_id]
        problems = _unknown(action, "inputFields", action.input_fields, [each.name for each in chosen.parameters])
        if chosen.results:
            problems += _unknown(action, "outputFields", action.output_fields, [each.name for each in chosen.results])
        return problems
    try:
        entity_type = await system.entity_type(action.entity_type, call)
    except UnknownName as error:
        return [Problem(f"{action.path}.entityOperation.entityId", str(error))]
    return _of_operation(action, entity_type)


def _of_operation(action: ConfiguredAction, entity_type: EntityType) -> Sequence[Problem]:
    problems: list[Problem] = []
    if action.operation is not None and action.operation not in entity_type.operations:
        path = f"{action.path}.entityOperation.operation"
        problems.append(Problem(path, unsupported(action.operation, entity_type)))
    names = [each.name for each in entity_type.fields]
    problems += _unknown(action, "inputFields", action.input_fields, names)
    given = [each.name for each in entity_type.fields if each.is_given]
    return problems + _unknown(action, "outputFields", action.output_fields, given)


def _unknown(action: ConfiguredAction, member: str, named: Iterable[str], known: Sequence[str]) -> list[Problem]:
    return [
        Problem(f"{action.path}.{member}", str(UnknownName("field", name, known)))
        for name in named
        if name not in known
    ]
