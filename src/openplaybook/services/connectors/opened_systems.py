"""Connections in use: from the name in a request to the system behind it."""

import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from openplaybook.connectors.base import SystemCall, SystemConnection
from openplaybook.connectors.catalog.connections import ConnectionAccess, Connections
from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, loads
from openplaybook.services.errors import invalid, not_found
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage

DEFAULT_S = 60.0
"""Seconds that a call has whose caller says nothing."""
_ANSWER_S = 0.5
"""Of these, what is left for the answer."""
_MOST_HEADERS = 50
_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")


class OpenedSystems:
    """Opens what requests name."""

    def __init__(self, access: ConnectionAccess) -> None:
        self._access = access

    @asynccontextmanager
    async def opened(self, name: str) -> AsyncGenerator[SystemConnection]:
        """The system behind a connection, while the block runs. NOT_FOUND for an unknown one; raises `ConnectorError`
        and `CredentialError`."""
        settings = await self._access.directory.settings(name)
        if settings is None:
            raise not_found("Connection", name)
        async with self._access.connections.opened(settings) as system:
            yield system

    @property
    def connections(self) -> Connections:
        """For settings that no stored connection has."""
        return self._access.connections

    def forget(self, name: str) -> None:
        """Close what is open of a connection that was changed or deleted."""
        self._access.connections.forget(name)


def call_of(context: RpcContext, config: ApiMessage | None = None, default_s: float = DEFAULT_S) -> SystemCall:
    """The call that a request makes of a system; `config` is its `ExecutionConfig`. INVALID_ARGUMENT for headers that
    are no JSON object of texts."""
    seconds = default_s if context.timeout_s is None else min(context.timeout_s, 3600.0)
    headers = _headers(config.headers) if config is not None and config.headers else {}
    return SystemCall(timeout_s=max(_ANSWER_S, seconds - context.spent_s - _ANSWER_S), headers=headers)


def _headers(text: str) -> dict[str, str]:
    try:
        value: JsonValue = loads(text.encode())
    except ValueError:
        value = None
    if not isinstance(value, dict) or len(as_object(value)) > _MOST_HEADERS or not _are_sendable(as_object(value)):
        sentence = f'must be a JSON object of at most {_MOST_HEADERS} headers, such as {{"x-team": "pets"}}'
        raise invalid(("execution_config.headers", sentence))
    return {name: str(each) for name, each in as_object(value).items()}


def _are_sendable(headers: JsonObject) -> bool:
    """Whether all are texts that can stand in headers (RFC 9110 §5), within which no line can begin."""
    return all(
        _HEADER_NAME.fullmatch(name) and isinstance(value, str) and value.isascii() and value.isprintable()
        for name, value in headers.items()
    )
