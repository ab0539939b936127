"""The base URL of an operation (OpenAPI 3.1.1 §4.8.5)."""

import re
from urllib.parse import quote

from openplaybook.jsonvalues import JsonObject, as_list, as_object

_VARIABLE = re.compile(r"\{([^{}]*)\}")
_SAFE = ":/?[]@!$&'()*+,;=%-._~"


class NoServer(Exception):
    """An operation has no server that can be called."""


def base_url(*holders: JsonObject) -> str:
    """The first server of the first holder that has one (operation, path item, document), variables at their defaults.

    No slash at the end. Raises `NoServer`.
    """
    for holder in holders:
        for server in as_list(holder.get("servers")):
            return _absolute(as_object(server))
    raise NoServer("the description names no server; add servers with an absolute URL")


def _absolute(server: JsonObject) -> str:
    url = server.get("url")
    if not isinstance(url, str):
        raise NoServer("a server has no url")
    variables = as_object(server.get("variables"))

    def default(match: re.Match[str]) -> str:
        value = as_object(variables.get(match[1])).get("default")
        if value is None:
            raise NoServer(f"the server variable {match[1]} of {url} has no default")
        return str(value)

    filled = _VARIABLE.sub(default, url.strip()).partition("#")[0].rstrip("/")
    if not filled.lower().startswith(("http://", "https://")):
        raise NoServer(f"the server URL {url!r} is relative; it must be absolute, such as https://api.example.com")
    scheme, _, rest = filled.partition("://")
    authority, slash, path = rest.partition("/")
    return f"{scheme.lower()}://{authority}{slash}{quote(path, safe=_SAFE)}"
