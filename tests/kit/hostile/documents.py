"""What hostile documents are made of: each has an operation `act`, or is not worth being called a document."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from openplaybook.jsonvalues import JsonObject, JsonValue


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a document may try to reach."""

    origin: str
    """A service on loopback whose requests are recorded; everything outside `/api` is forbidden ground."""
    secret_file: str
    """Absolute path of a file whose text must not come out."""


Text: TypeAlias = Callable[[Surroundings], str]


@dataclass(frozen=True, slots=True)
class Hostile:
    """One attempt."""

    name: str
    text: Text
    arguments: JsonObject = field(default_factory=dict[str, JsonValue])
    """With which `act` is called, if it comes to that."""
    is_large: bool = False
    """Over a megabyte of text."""


def of(operation: JsonObject, method: str = "get", path: str = "/things", **root: JsonValue) -> Text:
    """A document around an operation; `@ORIGIN` and `@SECRET` stand for the surroundings."""

    def text(near: Surroundings) -> str:
        whole: JsonObject = {
            "openapi": "3.0.3",
            "info": {"title": "t", "version": "1"},
            "servers": [{"url": "@ORIGIN/api"}],
            "paths": {path: {method: {"operationId": "act", "responses": {}, **operation}}},
            **root,
        }
        # Escaped, so that lone surrogates survive the way to the server.
        return placed(json.dumps(whole), near)

    return text


def later(made: Callable[[], Text]) -> Text:
    """A large document, made when it is asked for."""
    return lambda near: made()(near)


def placed(text: str, near: Surroundings) -> str:
    return text.replace("@ORIGIN", near.origin).replace("@SECRET", near.secret_file)


def in_yaml(text: str) -> Text:
    """A YAML document with `text` beside a plain operation."""
    head = (
        "openapi: 3.0.3\ninfo: {title: t, version: '1'}\nservers: [{url: '@ORIGIN/api'}]\n"
        "paths: {/things: {get: {operationId: act, responses: {}}}}\n"
    )
    return lambda near: placed(head + text, near)


def query(schema: JsonObject, **root: JsonValue) -> Text:
    """A document whose operation has a query parameter `q`."""
    return of({"parameters": [{"name": "q", "in": "query", "schema": schema}]}, **root)


def body(schema: JsonValue, media_type: str = "application/json", **root: JsonValue) -> Text:
    """A document whose operation is a POST with a body."""
    return of({"requestBody": {"required": True, "content": {media_type: {"schema": schema}}}}, "post", **root)


def schemas(named: JsonObject) -> JsonObject:
    """Components that are schemas."""
    return {"schemas": named}


def ref(name: str) -> JsonObject:
    """A reference to a schema of the components."""
    return {"$ref": f"#/components/schemas/{name}"}
