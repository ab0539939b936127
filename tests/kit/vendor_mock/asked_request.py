"""A request as it came to a mock, and what of a manifest it answers."""

import json
import re
from copy import deepcopy
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote, urlsplit

from openplaybook.connectors.rest.manifest.kinds import BodyKind, UpdateKind
from openplaybook.connectors.rest.manifest.list_model import RequestLine
from openplaybook.connectors.rest.manifest.model import EntityManifest, OperationManifest
from openplaybook.connectors.rest.reply_paths import put_at, value_at
from openplaybook.connectors.rest.values import literal_text
from openplaybook.egress.base import HttpRequest
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from tests.kit.vendor_mock.held_entities import HeldEntities

FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True)
class AskedRequest:
    method: str
    path: str
    query: list[tuple[str, str]]
    headers: dict[str, str]
    body: JsonValue
    kind: str
    host: str = ""
    """Which of the manifest's hosts."""
    local: str = ""
    """The path behind the base URL."""


def read_request(request: HttpRequest) -> AskedRequest:
    parts = urlsplit(request.url)
    headers = {name.lower(): value for name, value in request.headers}
    kind = headers.get("content-type", "").partition(";")[0]
    body: JsonValue = None
    if request.body is not None:
        text = request.body.decode()
        body = _form(text) if kind == FORM else json.loads(text) if kind == "application/json" else {}
    return AskedRequest(request.method, parts.path, parse_qsl(parts.query, keep_blank_values=True), headers, body, kind)


def as_texts(body: JsonValue) -> JsonValue:
    return {
        name: literal_text(value) if isinstance(value, bool | int | float) else value
        for name, value in as_object(body).items()
    }


def _form(text: str) -> JsonObject:
    """Brackets as the objects and arrays that they stand for."""
    made: JsonObject = {}
    for name, value in parse_qsl(text, keep_blank_values=True):
        put_at(made, name.replace("[", ".").replace("]", ""), value)
    return as_object(_with_arrays(made))


def _with_arrays(value: JsonValue) -> JsonValue:
    if not isinstance(value, dict):
        return value
    members = {name: _with_arrays(each) for name, each in as_object(value).items()}
    is_array = members and all(name.isdigit() for name in members)
    return list(members.values()) if is_array else members


def is_line(asked: AskedRequest, path: str, line: RequestLine, entity: EntityManifest) -> bool:
    is_same = asked.method == line.method and asked.host == line.host
    return is_same and matches(line.path.replace("{entity}", entity.path), path)


def matches(template: str, path: str) -> bool:
    return _filled_slots(template, path) is not None


def _filled_slots(template: str, path: str) -> dict[str, str] | None:
    """Placeholder → what stands for it in a path; None for another path."""
    names = re.findall(r"\{([\w.]+)\}", template)
    parts = re.split(r"\{[\w.]+\}", template)
    pattern = "([^/]+)".join(re.escape(part) for part in parts)
    found = re.fullmatch(pattern, path)
    return dict(zip(names, found.groups(), strict=True)) if found else None


def key_in(
    asked: AskedRequest, operation: OperationManifest, path: str, entity: EntityManifest, held: HeldEntities
) -> str:
    """The value of the entity's own key in a request: of the path, the query or the body."""
    slots = _filled_slots(operation.http.path.replace("{entity}", entity.path), path) or {}
    if held.own_key in slots:
        return unquote(slots[held.own_key])
    for name in ("odata.key", "odata2.key"):
        if name in slots:
            return _key_of_predicate(unquote(slots[name]), held.own_key)
    wanted = f"{{{held.own_key}}}"
    given = dict(asked.query)
    for name, value in operation.params.items():
        if value == wanted:
            return given.get(name, "")
    found = next((name for name, value in operation.body.items() if wanted in str(value)), "")
    value = as_object(asked.body).get(found)
    return str(as_list(value)[0] if isinstance(value, list) else value)


def _key_of_predicate(text: str, name: str) -> str:
    """The value of one part of a key as OData writes it."""
    parts = {part.partition("=")[0]: part.partition("=")[2] for part in re.split(r",(?=\w+=)", text) if "=" in part}
    value = parts.get(name, text)
    quoted = re.fullmatch(r"(?:guid|datetime|datetimeoffset)?'(.*)'", value, re.DOTALL)
    return quoted[1].replace("''", "'") if quoted else value.rstrip("LM")


def unwrapped(asked: AskedRequest, operation: OperationManifest) -> JsonObject:
    """The members of a write."""
    if operation.body_kind is BodyKind.QUERY:
        return dict(asked.query)
    if operation.kind is UpdateKind.JSON_PATCH and isinstance(asked.body, list):
        made: JsonObject = {}
        for each in as_list(asked.body):
            put_at(made, str(as_object(each)["path"]).strip("/").replace("/", "."), as_object(each).get("value"))
        return made
    found = as_object(asked.body)
    inner = as_object(value_at(found, operation.wrap)) if operation.wrap else found
    return deepcopy(inner)
