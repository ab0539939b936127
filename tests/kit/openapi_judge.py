"""Whether a request, as it came over the wire, is one that its OpenAPI document allows: openapi-core's verdict."""

import json
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from urllib.parse import unquote, unquote_to_bytes

from jsonschema_path import SchemaPath
from openapi_core import V30RequestValidator, V31RequestValidator
from openapi_core.datatypes import RequestParameters
from openapi_core.deserializing.media_types.datatypes import MediaTypeDeserializersDict
from referencing.exceptions import Unresolvable
from werkzeug.datastructures import Headers, ImmutableMultiDict
from werkzeug.wrappers import Request

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, dumps
from tests.kit.http_peer import Received
from tests.kit.openapi_readable import chosen, parameters_of, readable, with_plain_parts
from tests.kit.openapi_two import followed, restated

_ROOT, _PATH, _OPERATION = "/at-root", "/at-path", "/at-operation"
_READ = ("text/", "multipart/", "application/x-www-form-urlencoded", "application/xml")
_MOST_CHOICES = 8
_FAILURES = (TypeError, ValueError, LookupError, AttributeError, AssertionError, re.error, Unresolvable)
"""What openapi-core raises over documents that it does not understand."""
_LEVELS = f"(?:{_ROOT}|{_PATH}|{_OPERATION})"


def relocated(root: JsonObject, origin: str) -> JsonObject:
    """The document with its API at `origin`; a base path tells which of its `servers` was used."""
    moved = dict(root)
    if "swagger" in root:
        moved |= {"host": origin.removeprefix("http://"), "basePath": _ROOT, "schemes": ["http"]}
    else:
        moved["servers"] = [{"url": f"{origin}{_ROOT}"}]
    moved["paths"] = {path: _item(item, origin) for path, item in as_object(root.get("paths")).items()}
    return moved


def _item(item: object, origin: str) -> object:
    if not isinstance(item, dict):
        return item
    moved = {key: _operation(value, origin) for key, value in as_object(item).items()}
    if "servers" in item:
        moved["servers"] = [{"url": f"{origin}{_PATH}"}]
    return moved


def _operation(value: object, origin: str) -> object:
    if not isinstance(value, dict):
        return value
    operation = as_object(value)
    moved = {key: inner for key, inner in operation.items() if key != "schemes"}
    if operation.get("servers"):
        moved["servers"] = [{"url": f"{origin}{_OPERATION}"}]
    return moved


@dataclass
class _Arrived:
    """openapi-core's view of a request (`openapi_core.protocols.Request`)."""

    host_url: str
    path: str
    method: str
    parameters: RequestParameters
    body: bytes
    content_type: str


class Judge:
    """Judges the requests of one document, as `relocated` gives it."""

    def __init__(self, root: JsonObject, origin: str) -> None:
        self._root = readable(root)
        # References may lead into other paths.
        self._needs_paths = b'"#/paths/' in dumps(root)
        self._origin = origin
        self._operation = cache(self._validator)

    def objections(self, method: str, path: str, received: Received) -> list[str]:
        """What openapi-core finds wrong with a request for the operation; empty when it accepts it."""
        if received.method != method:
            return [f"the method is {received.method}"]
        target = received.target.partition("?")[0]
        given = re.fullmatch(_LEVELS + _template(path), target)
        if given is None:
            return [f"{target} is not {path}"]
        arrived = self._arrived(received, path, {name: unquote(value) for name, value in _named(path, given)})
        found = self._errors(method, path, arrived, 0)
        for choice in range(1, _MOST_CHOICES):
            # It does not cast a parameter whose schema is a choice: each alternative is tried on its own.
            if not any(name for name in found):
                break
            others = self._errors(method, path, arrived, choice)
            if "" not in others or "" in found:
                found = {name: told for name, told in found.items() if name in others}
        return list(found.values())

    def _errors(self, method: str, path: str, arrived: "_Arrived", choice: int) -> dict[str, str]:
        """What is wrong, by the name of the parameter; beneath "" what is of none."""
        kind = arrived.content_type.partition(";")[0]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            try:
                errors = list(self._operation(method, path, choice, kind).iter_errors(arrived))
            except _FAILURES as error:
                return {"": f"openapi-core failed: {_told(error)}"}
        return {str(getattr(error, "name", "")): _told(error) for error in errors}

    def _arrived(self, received: Received, path: str, in_path: dict[str, str]) -> _Arrived:
        target = received.target.partition("?")[0]
        environ = {
            "REQUEST_METHOD": received.method,
            "PATH_INFO": unquote_to_bytes(target).decode("latin-1"),
            "QUERY_STRING": received.target.partition("?")[2],
            "SERVER_NAME": "127.0.0.1",
            "SERVER_PORT": "80",
            "wsgi.url_scheme": "http",
            "HTTP_COOKIE": received.header("Cookie") or "",
        }
        request = Request(environ)
        parameters = RequestParameters(
            query=ImmutableMultiDict(request.args),
            header=Headers(list(received.headers)),
            cookie=ImmutableMultiDict(request.cookies),
            path=in_path,
        )
        kind = received.header("Content-Type") or "application/octet-stream"
        # Its finder takes a path apart as WSGI decodes it; this one is already taken apart.
        found = f"/{target.split('/')[1]}" + re.sub(r"\{[^{}]*\}", "x", path)
        return _Arrived(self._origin, found, received.method.lower(), parameters, received.body, kind)

    def _validator(self, method: str, path: str, choice: int, kind: str) -> V30RequestValidator | V31RequestValidator:
        """A validator for a document with this operation alone: openapi-core looks at every path for each request."""
        item = followed(self._root, self._root["paths"][path])
        operation = as_object(item[method.lower()])
        document = {key: value for key, value in self._root.items() if key not in ("paths", "security", "webhooks")}
        if "swagger" in self._root:
            operation, item = restated(self._root, item, operation), {}
            document |= {"openapi": "3.0.3", "servers": [{"url": f"{self._origin}{_ROOT}"}]}
        kept = {"servers": item["servers"]} if "servers" in item else {}
        named = {key: value for key, value in operation.items() if key != "security"}
        for part in (kept, named):
            declared = (item if part is kept else operation).get("parameters")
            part["parameters"] = [chosen(each, self._root, choice) for each in parameters_of(declared, self._root)]
        if "requestBody" in named:
            named["requestBody"] = with_plain_parts(followed(self._root, named["requestBody"]), self._root)
        others = self._root["paths"] if self._needs_paths else {}
        # What leads into a path must find it; openapi-core takes the first path that fits.
        document["paths"] = {
            path: {**kept, method.lower(): named},
            **{key: _elsewhere(others[key]) for key in others if key != path},
        }
        is_newer = str(document["openapi"]).startswith("3.1")
        validator = V31RequestValidator if is_newer else V30RequestValidator
        return validator(
            SchemaPath.from_dict(document),
            extra_media_type_deserializers=_deserializers(kind),
            # Of bytes that are sent as they are no text form is asked.
            extra_format_validators={"byte": lambda _: True} if _is_binary(kind) else {},
        )


def _elsewhere(item: JsonValue) -> JsonValue:
    """A path item that references may lead into and no request."""
    return {**item, "servers": [{"url": "http://elsewhere.invalid"}]} if isinstance(item, dict) else item


def _is_binary(kind: str) -> bool:
    return not kind.startswith(_READ) and "json" not in kind


def _deserializers(kind: str) -> MediaTypeDeserializersDict:
    """How to read what openapi-core reads as bytes, which to it are neither a string nor an object."""
    if _is_binary(kind):
        return {kind: _latin}
    if kind.endswith("+json"):
        return {kind: _json}
    return {kind: _text} if kind.startswith("text/") else {}


def _latin(value: bytes, **_: str) -> str:
    return value.decode("latin-1")


def _text(value: bytes, **_: str) -> str:
    return value.decode()


def _json(value: bytes, **_: str) -> JsonValue:
    return json.loads(value)


def _template(path: str) -> str:
    """A pattern of the template; `{+name}` takes several segments (RFC 6570 §3.2.3)."""
    pieces = re.split(r"\{([^{}]*)\}", path)
    return "".join(
        re.escape(piece) if position % 2 == 0 else "(.*?)" if piece.startswith("+") else "([^/]*?)"
        for position, piece in enumerate(pieces)
    )


def _named(path: str, given: re.Match[str]) -> Iterator[tuple[str, str]]:
    names = (name.removeprefix("+") for name in re.findall(r"\{([^{}]*)\}", path))
    return zip(names, given.groups(), strict=True)


def _told(error: Exception) -> str:
    """An error with what caused it, since openapi-core says only at the innermost what is wrong."""
    words: list[str] = []
    inner: BaseException | None = error
    while inner is not None:
        words.append(f"{type(inner).__name__}: {str(inner)[:300]}")
        words.extend(str(each.message)[:200] for each in getattr(inner, "schema_errors", ()))
        inner = inner.__cause__ or inner.__context__
    return " < ".join(words)
