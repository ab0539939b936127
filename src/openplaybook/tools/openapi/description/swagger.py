"""OpenAPI 2.0: one operation at a time as OpenAPI 3 would say it. Schemas stay where they are, read as they are.

https://spec.openapis.org/oas/v2.0
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.tools.openapi.description.json_references import UnresolvableReference, resolve
from openplaybook.tools.openapi.description.operation_index import OperationEntry
from openplaybook.tools.openapi.requests.request_parameters import merged
from openplaybook.tools.schema.dialect import is_true

_FORM = "application/x-www-form-urlencoded"
_MULTIPART = "multipart/form-data"
_OF_PARAMETER = ("name", "in", "description", "required", "allowEmptyValue")
Known: TypeAlias = dict[int, tuple[JsonObject, JsonObject]]
"""By identity: a parameter of OpenAPI 2.0, so that it keeps its identity, and what it became."""

_BESIDE_SCHEMA = (*_OF_PARAMETER, "collectionFormat", "schema")
_STYLES: Mapping[str, tuple[str, bool]] = {
    "csv": ("form", False),
    "ssv": ("spaceDelimited", False),
    "tsv": ("tabDelimited", False),
    "pipes": ("pipeDelimited", False),
    "multi": ("form", True),
}
"""Style and explode of each `collectionFormat`, in queries and forms."""


def is_swagger(root: JsonObject) -> bool:
    """Whether a description is written in OpenAPI 2.0."""
    return "swagger" in root and "openapi" not in root


def upgraded(root: JsonObject, entry: OperationEntry, known: Known) -> OperationEntry:
    """An operation of a 2.0 description `root` in the terms of OpenAPI 3.

    What it refers to is put in place, schemas excepted; its path's parameters are among its own. A parameter that
    operations share stays one, kept in `known`. Raises `UnresolvableReference`.
    """
    parameters = merged(root, entry.path_item, entry.operation)
    sent = [source for source in parameters if source.get("in") not in ("body", "formData")]
    operation: JsonObject = {
        **entry.operation,
        "parameters": [_once(source, known) for source in sent],
        "responses": _responses(root, entry.operation),
        "servers": [_server(root, entry.operation)],
    }
    body = _body(root, entry.operation, parameters)
    if body is not None:
        operation["requestBody"] = body
    return replace(entry, operation=operation, path_item={})


def _server(root: JsonObject, operation: JsonObject) -> JsonObject:
    """`schemes`, `host` and `basePath` as a server; relative where the description leaves that to where it stands."""
    base = str(root.get("basePath") or "").strip().rstrip("/")
    path = base if base.startswith("/") or not base else f"/{base}"
    host = str(root.get("host") or "").strip().rstrip("/")
    if not host:
        return {"url": path or "/"}
    if "://" in host:
        return {"url": host + path}
    schemes = [str(scheme).lower() for scheme in as_list(operation.get("schemes")) or as_list(root.get("schemes"))]
    scheme = next((scheme for scheme in ("https", "http") if scheme in schemes), "")
    return {"url": f"{scheme}://{host}{path}" if scheme else f"//{host}{path}"}


def _once(source: JsonObject, known: Known) -> JsonObject:
    if id(source) not in known:
        known[id(source)] = (source, _parameter(source))
    return known[id(source)][1]


def _parameter(source: JsonObject) -> JsonObject:
    """A parameter that is not the body: what describes its value becomes its schema."""
    outer = {key: value for key, value in source.items() if key in _OF_PARAMETER or key.startswith("x-")}
    return {**outer, **_style(source), "schema": _schema(source)}


def _schema(source: JsonObject) -> JsonObject:
    described = {key: value for key, value in source.items() if key not in _BESIDE_SCHEMA}
    # A schema has no place here in 2.0, but is written all the same.
    return {**described, **as_object(source.get("schema"))}


def _style(source: JsonObject) -> JsonObject:
    """How an array is written; nothing where the parameter is none, or 3.x writes it alike by itself."""
    if source.get("type") != "array":
        return {}
    style, explode = _STYLES.get(str(source.get("collectionFormat", "csv")), _STYLES["csv"])
    if source.get("in") in ("path", "header") and style == "form":
        return {"style": "simple", "explode": False}
    return {"style": style, "explode": explode}


def _body(root: JsonObject, operation: JsonObject, parameters: Sequence[JsonObject]) -> JsonObject | None:
    consumed = _media_types(root, operation, "consumes")
    body = next((source for source in parameters if source.get("in") == "body"), None)
    if body is not None:
        holder: JsonObject = {"schema": body.get("schema")}
        members = {key: value for key, value in body.items() if key not in ("name", "in", "schema")}
        return {**members, "content": dict.fromkeys(consumed or ["application/json"], holder)}
    fields = [source for source in parameters if source.get("in") == "formData"]
    if not fields:
        return None
    content = dict.fromkeys(_form_types(consumed, fields), _form(fields))
    return {"required": any(is_true(field.get("required")) for field in fields), "content": content}


def _form_types(consumed: Sequence[str], fields: Sequence[JsonObject]) -> list[str]:
    """The media types that a form may be sent as: a file needs several parts."""
    if any(field.get("type") == "file" for field in fields):
        return [_MULTIPART]
    return [kind for kind in consumed if kind.partition(";")[0].strip().lower() in (_FORM, _MULTIPART)] or [_FORM]


def _form(fields: Sequence[JsonObject]) -> JsonObject:
    names = [str(field.get("name")) for field in fields]
    properties: JsonObject = {name: _field(field) for name, field in zip(names, fields, strict=True)}
    needed = [name for name, field in zip(names, fields, strict=True) if is_true(field.get("required"))]
    encoding = {name: style for name, field in zip(names, fields, strict=True) if (style := _style(field))}
    schema: JsonObject = {"type": "object", "properties": properties, "required": needed}
    return {"schema": schema, **({"encoding": encoding} if encoding else {})}


def _field(source: JsonObject) -> JsonObject:
    schema = _schema(source)
    return {**schema, "description": source["description"]} if "description" in source else schema


def _responses(root: JsonObject, operation: JsonObject) -> JsonObject:
    """The answers with their content; one that leads nowhere stays as it is, for who reads it to judge."""
    produced = _media_types(root, operation, "produces") or ["application/json"]
    return {
        status: _response(root, response, produced)
        for status, response in as_object(operation.get("responses")).items()
    }


def _response(root: JsonObject, response: JsonValue, produced: Sequence[str]) -> JsonValue:
    try:
        resolved = resolve(root, response)
    except UnresolvableReference:
        return response
    holder: JsonObject = {"schema": resolved["schema"]} if "schema" in resolved else {}
    return {**resolved, "content": dict.fromkeys(produced, holder)}


def _media_types(root: JsonObject, operation: JsonObject, key: str) -> list[str]:
    """An operation's media types, which replace those of the description."""
    listed = operation[key] if key in operation else root.get(key)
    return [kind for kind in as_list(listed) if isinstance(kind, str)]
