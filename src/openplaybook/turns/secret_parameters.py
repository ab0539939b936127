"""Which session parameters hold credentials: those that an authentication of the agent's tools names."""

import re
from collections.abc import Iterable, Iterator

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

_SPECIFICATIONS = ("openApiSpec", "connectorSpec")
_CREDENTIALS = ("authentication", "securitySchemeAuthentications", "endUserAuthConfig")
"""Fields of a tool's specification that say how calls are authenticated."""

_PREFIX = "$session.params."
_NAMED = re.compile(re.escape(_PREFIX) + r"([\w.-]+)")


def secret_parameters(tools: Iterable[JsonObject]) -> frozenset[str]:
    """Names of the session parameters that any tool's authentication reads, by the tools' v3beta1 JSON."""
    configured = (
        as_object(tool.get(spec)).get(field) for tool in tools for spec in _SPECIFICATIONS for field in _CREDENTIALS
    )
    return frozenset(name for credentials in configured for text in texts_in(credentials) for name in _names(text))


def texts_in(value: JsonValue) -> Iterator[str]:
    """Every text in a JSON value that is not empty."""
    if isinstance(value, str) and value:
        yield value
    for inner in [*as_object(value).values(), *as_list(value)]:
        yield from texts_in(inner)


def _names(text: str) -> Iterator[str]:
    if text.startswith(_PREFIX):
        yield text.removeprefix(_PREFIX)
    yield from _NAMED.findall(text)
