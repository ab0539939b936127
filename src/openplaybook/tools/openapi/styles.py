"""Parameter serialisation styles: one function per style (OpenAPI 3.1.1 §4.8.12.2, RFC 6570).

Each gives the whole text of a parameter, such as `label=a&label=b`; the empty text stands for a value that has no
spelling (an empty array in a query). `encode` makes one name or value safe for its place.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps

Encode: TypeAlias = Callable[[str], str]
Style: TypeAlias = Callable[[str, JsonValue, bool, Encode], str]
"""Name, value, explode, encode → text."""


def simple(name: str, value: JsonValue, explode: bool, encode: Encode) -> str:
    """`3`, `a,b`, `k,v`, or `k=v` when exploded."""
    return ",".join(_items(value, "=" if explode else ",", encode))


def label(name: str, value: JsonValue, explode: bool, encode: Encode) -> str:
    """`.3`, `.a,b` or `.a.b`, `.k,v` or `.k=v`."""
    return "." + ("." if explode else ",").join(_items(value, "=" if explode else ",", encode))


def matrix(name: str, value: JsonValue, explode: bool, encode: Encode) -> str:
    """`;id=3`, `;id=a,b` or `;id=a;id=b`, `;id=k,v` or `;k=v`; what is empty has no equals sign: `;id`."""
    if explode and isinstance(value, list):
        return "".join(_named(encode(name), encode(text(item))) for item in as_list(value))
    if explode and isinstance(value, dict):
        return "".join(_named(encode(key), encode(text(item))) for key, item in as_object(value).items())
    return _named(encode(name), ",".join(_items(value, ",", encode)))


def form(name: str, value: JsonValue, explode: bool, encode: Encode) -> str:
    """`id=3`, `id=a,b` or `id=a&id=b`, `id=k,v` or `k=v`."""
    if explode and isinstance(value, list):
        return "&".join(f"{encode(name)}={encode(text(item))}" for item in as_list(value))
    if explode and isinstance(value, dict):
        return "&".join(_items(value, "=", encode))
    return _delimited(name, value, ",", encode)


def space_delimited(name: str, value: JsonValue, explode: bool, encode: Encode) -> str:
    """`id=a%20b`; exploded it is the same as form."""
    return form(name, value, True, encode) if explode else _delimited(name, value, "%20", encode)


def pipe_delimited(name: str, value: JsonValue, explode: bool, encode: Encode) -> str:
    """`id=a%7Cb`; exploded it is the same as form."""
    return form(name, value, True, encode) if explode else _delimited(name, value, "%7C", encode)


def deep_object(name: str, value: JsonValue, explode: bool, encode: Encode) -> str:
    """`id[k]=v`, brackets encoded; deeper objects add brackets, arrays repeat the name (a common reading: the
    specification leaves both open)."""
    return "&".join(f"{encode(key)}={encode(text(item))}" for key, item in _deep(name, value))


PATH_STYLES: Mapping[str, Style] = {"simple": simple, "label": label, "matrix": matrix}
QUERY_STYLES: Mapping[str, Style] = {
    "form": form,
    "spaceDelimited": space_delimited,
    "pipeDelimited": pipe_delimited,
    "deepObject": deep_object,
}


def text(value: JsonValue) -> str:
    """One value as text: `true`, `3`, a string as it is; what is nested deeper than a style reaches becomes JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return dumps(value).decode() if isinstance(value, dict | list) or value is None else str(value)


def _named(name: str, value: str) -> str:
    return f";{name}={value}" if value else f";{name}"


def _delimited(name: str, value: JsonValue, delimiter: str, encode: Encode) -> str:
    items = _items(value, delimiter, encode)
    return f"{encode(name)}={delimiter.join(items)}" if items or not isinstance(value, list | dict) else ""


def _items(value: JsonValue, between: str, encode: Encode) -> list[str]:
    """The encoded parts of a value: one, the items of an array, or the members of an object as `key<between>value`."""
    if isinstance(value, list):
        return [encode(text(item)) for item in as_list(value)]
    if isinstance(value, dict):
        return [f"{encode(key)}{between}{encode(text(item))}" for key, item in as_object(value).items()]
    return [encode(text(value))]


def _deep(name: str, value: JsonValue) -> Iterable[tuple[str, JsonValue]]:
    members: JsonObject = as_object(value)
    if members:
        for key, item in members.items():
            yield from _deep(f"{name}[{key}]", item)
    elif isinstance(value, list):
        for item in as_list(value):
            yield from _deep(name, item)
    elif not isinstance(value, dict):
        yield name, value
