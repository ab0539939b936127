"""Parameter serialisation styles: one function per style (OpenAPI 3.1.1 §4.8.12.2, RFC 6570).

Each gives the whole text of a parameter, such as `label=a&label=b`; the empty text stands for a value that has no
spelling (an empty array in a query). `encode` makes one name or value safe for its place. Items and members that are
null are left out, as RFC 6570 §3.2.1 does with what is undefined.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from openplaybook.jsonvalues import JsonValue, as_list, as_object, dumps

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
        return "".join(_named(encode(name), encode(text(item))) for item in as_list(value) if item is not None)
    if explode and isinstance(value, dict):
        members = as_object(value).items()
        return "".join(_named(encode(key), encode(text(item))) for key, item in members if item is not None)
    return _named(encode(name), ",".join(_items(value, ",", encode)))


def form(name: str, value: JsonValue, explode: bool, encode: Encode) -> str:
    """`id=3`, `id=a,b` or `id=a&id=b`, `id=k,v` or `k=v`."""
    if explode and isinstance(value, list | dict):
        return "&".join(_exploded(name, value, encode))
    return _delimited(name, value, ",", encode)


def cookie(name: str, value: JsonValue, explode: bool, encode: Encode) -> str:
    """Like form, but several cookies are separated by `; `: an `&` is part of a cookie's value (OAS 3.1.1 appendix D,
    RFC 6265 §4.2.1)."""
    if explode and isinstance(value, list | dict):
        return "; ".join(_exploded(name, value, encode))
    return _delimited(name, value, ",", encode)


def space_delimited(name: str, value: JsonValue, explode: bool, encode: Encode) -> str:
    """`id=a%20b`; exploded it is the same as form."""
    return form(name, value, True, encode) if explode else _delimited(name, value, "%20", encode)


def pipe_delimited(name: str, value: JsonValue, explode: bool, encode: Encode) -> str:
    """`id=a%7Cb`; exploded it is the same as form."""
    return form(name, value, True, encode) if explode else _delimited(name, value, "%7C", encode)


def tab_delimited(name: str, value: JsonValue, explode: bool, encode: Encode) -> str:
    """`id=a%09b`, OpenAPI 2.0's `collectionFormat: tsv`; exploded it is the same as form."""
    return form(name, value, True, encode) if explode else _delimited(name, value, "%09", encode)


def deep_object(name: str, value: JsonValue, explode: bool, encode: Encode) -> str:
    """`id[k]=v`, brackets encoded.

    What the specification leaves open is read as most services do: deeper objects add brackets, the items of an array
    that is the value itself or holds objects are numbered, those of other arrays repeat the name.
    """
    return "&".join(f"{encode(key)}={encode(text(item))}" for key, item in _deep(name, value))


PATH_STYLES: Mapping[str, Style] = {"simple": simple, "label": label, "matrix": matrix}
QUERY_STYLES: Mapping[str, Style] = {
    "form": form,
    "spaceDelimited": space_delimited,
    "pipeDelimited": pipe_delimited,
    "tabDelimited": tab_delimited,
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


def _exploded(name: str, value: JsonValue, encode: Encode) -> list[str]:
    """`name=item` for each item of an array, `key=member` for each member of an object."""
    if isinstance(value, dict):
        return _items(value, "=", encode)
    prefix = encode(name)
    return [f"{prefix}={encode(text(item))}" for item in as_list(value) if item is not None]


def _items(value: JsonValue, between: str, encode: Encode) -> list[str]:
    """The encoded parts of a value: one, the items of an array, or the members of an object as `key<between>value`."""
    if isinstance(value, list):
        return [encode(text(item)) for item in as_list(value) if item is not None]
    if isinstance(value, dict):
        members = as_object(value).items()
        return [f"{encode(key)}{between}{encode(text(item))}" for key, item in members if item is not None]
    return [encode(text(value))]


def _deep(name: str, value: JsonValue, depth: int = 0) -> Iterable[tuple[str, JsonValue]]:
    if isinstance(value, dict):
        for key, item in as_object(value).items():
            yield from _deep(f"{name}[{key}]", item, depth + 1)
    elif isinstance(value, list):
        items = as_list(value)
        is_numbered = not depth or any(isinstance(item, dict | list) for item in items)
        for place, item in enumerate(items):
            yield from _deep(f"{name}[{place}]" if is_numbered else name, item, depth + 1)
    elif value is not None:
        yield name, value
