"""Elasticsearch's own description of its API: is a request one that it knows?

The description is material of the corpus. It leaves out that some objects have a member named as a field is, and says
`oneOf` of forms that include each other; else it is taken at its word, and a member that it does not name is a fault.
"""

import gzip
import json
import os
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

import jsonschema_rs

from openplaybook.jsonvalues import JsonObject, JsonValue
from tests.kit.http_peer import Received

CORPUS = os.environ.get("OPENPLAYBOOK_CORPUS", "")
LEFT_OUT = "OPENPLAYBOOK_CORPUS names no folder of vendors' APIs: what Elasticsearch takes is not tested"

_FILES = "vendor-apis/elasticsearch/elasticsearch-openapi*.json.gz"
_REFERENCE = "#/components/schemas/"
_BY_FIELD = (
    "_types.query_dsl:TermsQuery",
    "_types.query_dsl:GeoDistanceQuery",
    "_types:SortOptions",
)
"""Schemas of objects with a member that is named as a field is."""


@cache
def elasticsearch_api() -> "ElasticsearchApi | None":
    """The newest description; None without the corpus."""
    files = sorted(Path(CORPUS).glob(_FILES)) if CORPUS else []
    return ElasticsearchApi(json.loads(gzip.decompress(files[-1].read_bytes()))) if files else None


@dataclass(frozen=True)
class _Operation:
    template: str
    parameters: dict[str, JsonObject]
    body: JsonObject | None


class ElasticsearchApi:
    """Judges requests."""

    def __init__(self, root: JsonObject) -> None:
        self._root = root
        self._validators: dict[str, jsonschema_rs.Validator] = {}
        """Of bodies: making one takes a second."""
        self._accepted: set[tuple[str, str, str]] = set()
        """Operations with a parameter and its text."""
        self._schemas = {name: self._closed(name, each) for name, each in root["components"]["schemas"].items()}

    def objections(self, received: Received) -> list[str]:
        """What is wrong with a request; empty when there is nothing."""
        url = urlsplit(received.target)
        found = self._operation(received.method.lower(), url.path)
        if found is None:
            return [f"{received.method} {url.path} is no operation"]
        objections: list[str] = []
        for name, text in parse_qsl(url.query, keep_blank_values=True):
            if name not in found.parameters:
                objections.append(f"{found.template} has no parameter {name}")
            elif (found.template, name, text) in self._accepted:
                continue
            elif self._takes(found.parameters[name]["schema"], text):
                self._accepted.add((found.template, name, text))
            else:
                objections.append(f"{found.template} does not take {name}={text}")
        if found.body is None:
            return objections + (["a body is not allowed"] if received.body else [])
        if not received.body:
            return objections
        if found.template not in self._validators:
            self._validators[found.template] = jsonschema_rs.validator_for(self._whole(found.body))
        validator = self._validators[found.template]
        return objections + [
            f"{error.instance_path}: {error.message}" for error in validator.iter_errors(_body(received))
        ]

    def _operation(self, method: str, path: str) -> _Operation | None:
        # A template with a name in it also fits what another one spells out.
        fitting = [each for each in self._root["paths"] if _fits(each, path) and method in self._root["paths"][each]]
        if not fitting:
            return None
        template = min(fitting, key=lambda each: each.count("{"))
        operation = self._root["paths"][template][method]
        parameters = [self._followed(each, "parameters") for each in operation.get("parameters", [])]
        content = self._followed(operation.get("requestBody", {}), "requestBodies").get("content", {})
        body = content.get("application/json", {}).get("schema")
        return _Operation(
            template,
            {each["name"]: each for each in parameters if each["in"] == "query"},
            None if body is None else self._closed("", body),
        )

    def _followed(self, value: JsonObject, kind: str) -> JsonObject:
        if "$ref" not in value:
            return value
        found: JsonObject = self._root["components"][kind][value["$ref"].rpartition("/")[2]]
        return found

    def _takes(self, schema: JsonObject, text: str) -> bool:
        """Whether a parameter may be so, read as text or as JSON."""
        values: list[JsonValue] = [text, [text]]
        if re.fullmatch(r"true|false|-?\d+", text):
            values.append(json.loads(text))
        validator = jsonschema_rs.validator_for(self._whole(self._closed("", schema)))
        return any(validator.is_valid(value) for value in values)

    def _whole(self, schema: JsonObject) -> JsonObject:
        return {**schema, "components": {"schemas": self._schemas}}

    def _closed(self, name: str, schema: JsonObject) -> JsonObject:
        """A schema that refuses members that it does not name."""
        schema = self._merged(schema) if "allOf" in schema else schema
        made: JsonObject = {}
        for key, value in schema.items():
            if key == "properties":
                made[key] = {member: self._closed("", each) for member, each in value.items()}
            elif key in ("oneOf", "anyOf"):
                made["anyOf"] = [self._closed("", each) for each in value]
            elif key in ("items", "additionalProperties") and isinstance(value, dict):
                made[key] = self._closed("", value)
            elif key not in ("discriminator", "externalDocs", "description", "nullable", "deprecated", "example"):
                made[key] = value
        if "properties" in made and "additionalProperties" not in made and name not in _BY_FIELD:
            made["additionalProperties"] = False
        return made

    def _merged(self, schema: JsonObject) -> JsonObject:
        """One object in place of those that make it up."""
        properties: JsonObject = {}
        merged: JsonObject = {key: value for key, value in schema.items() if key != "allOf"}
        required: list[str] = []
        for part in schema["allOf"]:
            while "$ref" in part:
                part = self._root["components"]["schemas"][part["$ref"].removeprefix(_REFERENCE)]
            whole = self._merged(part) if "allOf" in part else part
            properties |= whole.get("properties", {})
            required += whole.get("required", [])
            merged |= {key: value for key, value in whole.items() if key not in ("properties", "required")}
        return {**merged, "properties": properties, **({"required": required} if required else {})}


def _fits(template: str, path: str) -> bool:
    pattern = re.sub(r"\\\{[^{}]*\\\}", "[^/]+", re.escape(template))
    return re.fullmatch(pattern, path) is not None


def _body(received: Received) -> JsonValue:
    if received.header("Content-Type") == "application/x-ndjson":
        return [json.loads(line) for line in received.body.splitlines()]
    assert received.header("Content-Type") == "application/json", unquote(received.target)
    return json.loads(received.body)
