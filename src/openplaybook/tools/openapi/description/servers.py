"""The base URL of an operation (OpenAPI 3.1.1 §4.8.5)."""

import re
from urllib.parse import quote, urljoin

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.tools.openapi.tool_settings import ToolSettings

_VARIABLE = re.compile(r"\{([^{}]*)\}")
_SAFE = ":/?[]@!$&'()*+,;=%-._~"
_MAX_LISTED = 20
_SCHEMES = ("http://", "https://")
_NOT_CALLED = ("data:", "file:", "mailto:", "javascript:", "about:", "blob:", "urn:", "unix:")
"""Schemes without `//` of what cannot be called."""
_SET_IT = "set settings.serverUrl to where the service is, or settings.documentUri to where the description is"


class NoServer(Exception):
    """An operation has no server that can be called."""


class UnknownServer(NoServer):
    """The description leaves open where the service is, as it may; the tool's settings have to say it."""


def base_url(settings: ToolSettings, *holders: JsonObject) -> str:
    """The first server of the first holder that has one (operation, path item, document), or the settings' own.

    Variables have the value that the settings give, else their default. Relative URLs start at the document's URI.
    No slash at the end. Raises `NoServer`.
    """
    if settings.server_url:
        return _written(settings.server_url)
    for holder in holders:
        for server in as_list(holder.get("servers")):
            return _absolute(as_object(server), settings)
    if not _is_absolute(settings.document_uri):
        raise UnknownServer(f"the description names no server; {_SET_IT}")
    # Without any, the server is `/` (§4.8.1.1), seen from where the document stands.
    return _absolute({"url": "/"}, settings)


def _absolute(server: JsonObject, settings: ToolSettings) -> str:
    url = server.get("url")
    if not isinstance(url, str):
        raise NoServer("a server has no url")
    variables = as_object(server.get("variables"))
    filled = _VARIABLE.sub(lambda match: _value(match[1], url, variables, settings), url.strip())
    if not _is_absolute(filled) and _is_absolute(settings.document_uri):
        filled = urljoin(settings.document_uri, filled)
    elif filled.startswith("//"):
        filled = f"https:{filled}"
    if not _is_absolute(filled):
        # `localhost:8080/v1` is no scheme, though it looks like one.
        if "://" in filled or filled.lower().startswith(_NOT_CALLED):
            raise NoServer(f"the server URL {url!r} must start with http:// or https://")
        raise UnknownServer(f"the server URL {url!r} is relative; {_SET_IT}")
    return _written(filled)


def _is_absolute(url: str) -> bool:
    return url.lower().startswith(_SCHEMES)


def _value(name: str, url: str, variables: JsonObject, settings: ToolSettings) -> str:
    """What stands in place of a variable; raises `NoServer`."""
    variable = as_object(variables.get(name))
    if name in settings.server_variables:
        value = settings.server_variables[name]
        allowed = [str(option) for option in as_list(variable.get("enum"))]
        if allowed and value not in allowed:
            listed = ", ".join(allowed[:_MAX_LISTED])
            raise NoServer(f"settings.serverVariables.{name} is {value!r}; allowed are {listed}")
        return value
    if variable.get("default") is None:
        raise UnknownServer(
            f"the server variable {name} of {url} has no default; set settings.serverVariables.{name} or "
            "settings.serverUrl"
        )
    return str(variable["default"])


def _written(url: str) -> str:
    """An absolute URL with its scheme in lower case and every character legal."""
    scheme, _, rest = url.strip().partition("#")[0].rstrip("/").partition("://")
    authority, slash, path = rest.partition("/")
    return f"{scheme.lower()}://{authority}{slash}{quote(path, safe=_SAFE)}"
