"""Manifests with one fault each, as whoever writes a manifest may make it; the conformance suite must notice them."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass

import yaml12

from openplaybook.connectors.rest.manifest.entity_keys import spelt_out
from openplaybook.connectors.rest.manifest.manifest_node import InvalidManifest
from openplaybook.connectors.rest.manifest.model import SystemManifest
from openplaybook.connectors.rest.manifest.reader import read_manifest
from openplaybook.connectors.rest.systems import FOLDER
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from tests.kit.vendor_mock.vendor_record import vendor_records

_OTHER_METHOD = {"GET": "POST", "POST": "PUT", "PUT": "POST", "PATCH": "PUT", "DELETE": "GET"}
_CALLS = {"query": "mutation", "mutation": "query"}
_OTHER_BODY = {"json": "form", "form": "json", "form_brackets": "json", "query": "json", "multipart": "json"}
_REQUESTS = ("list", "get", "create", "update", "delete", "search")
_NUMBERS = ("integer", "bigint", "int64", "double", "decimal")


@dataclass(frozen=True, slots=True)
class SeededFault:
    """A fault and the manifest that has it."""

    name: str
    part: str
    """The entity or the action that has it."""
    manifest: SystemManifest | None
    """None: the reader refuses it already."""


def seeded_faults(system: str) -> list[SeededFault]:
    """Manifests of a system, each with one fault."""
    value = yaml12.parse_yaml((FOLDER / f"{system}.yaml").read_text("utf-8"))
    root = _spread(as_object(value))
    if not vendor_records()[system].discovered and root.pop("discover", None):
        as_object(root["entities"]).pop("*")
    _drop_services(root)
    return [_made(system, root, name, change) for name, change in _changes(root)]


def _drop_services(root: JsonObject) -> None:
    """Without what is asked of SOAP services, which the conformance suite leaves out."""
    host = f" {as_object(root.pop('soap', None)).get('host', 'soap')}:"
    for part, key in (("entities", "list"), ("actions", "http")):
        members = as_object(root.get(part))
        for name in [name for name, each in members.items() if host in str(as_object(each).get(key))]:
            del members[name]


def _made(system: str, root: JsonObject, name: str, change: Callable[[JsonObject], None]) -> SeededFault:
    changed = deepcopy(root)
    change(changed)
    assert changed != root, f"{name} changes nothing"
    part = name.partition(":")[0].partition(".")[0]
    try:
        return SeededFault(name, part, read_manifest(changed, system))
    except InvalidManifest:
        return SeededFault(name, part, None)


def _spread(root: JsonObject) -> JsonObject:
    """The same manifest with its defaults in each entity, so that a fault is that of one entity."""
    defaults = as_object(root.pop("defaults", None))
    root["entities"] = {
        name: deepcopy(spelt_out(defaults, "defaults")) | spelt_out(as_object(entity), name)
        for name, entity in as_object(root.get("entities")).items()
    }
    for action in as_object(root.get("actions")).values():
        if "body" in defaults:
            as_object(action).setdefault("body", defaults["body"])
    return root


def _changes(root: JsonObject) -> Iterator[tuple[str, Callable[[JsonObject], None]]]:
    for name, entity in as_object(root["entities"]).items():
        chosen = [str(each) for each in as_list(as_object(entity).get("ops"))] or list(_REQUESTS)
        for key in _REQUESTS:
            if key in chosen and key in as_object(entity):
                yield from _of_request(name, key)
        yield from _of_lists(name, as_object(entity))
        yield from _of_fields(name, as_object(entity), chosen)
    for name, action in as_object(root.get("actions")).items():
        yield f"{name}: another path", _edited(["actions", name, "http"], _other_path)
        yield f"{name}: another method", _edited(["actions", name, "http"], _other_method)
        for parameter, words in as_object(as_object(action).get("parameters")).items():
            # One that says where it goes may be called anything.
            if (
                isinstance(words, str)
                and f"{{{parameter}}}" not in str(as_object(action)["http"])
                and "members" not in as_object(action)
            ):
                yield f"{name}: {parameter} misspelt", _renamed(["actions", name, "parameters"], parameter)


def _of_request(name: str, key: str) -> Iterator[tuple[str, Callable[[JsonObject], None]]]:
    place = ["entities", name, key]
    yield f"{name}.{key}: another path", _edited_line(place, _other_path)
    yield f"{name}.{key}: another method", _edited_line(place, _other_method)


def _of_lists(name: str, entity: JsonObject) -> Iterator[tuple[str, Callable[[JsonObject], None]]]:
    paging = as_object(entity.get("paging"))
    if "items" in entity:
        yield f"{name}: items elsewhere", _edited(["entities", name, "items"], lambda text: f"{text}x")
    for key in ("param", "next"):
        # Of what is the last of a list there is no other name that the mock could not know.
        if key in paging and paging.get("kind") != "none":
            yield f"{name}: paging {key} misspelt", _edited(["entities", name, "paging", key], lambda text: f"{text}x")
    if as_object(paging.get("size")):
        size = ["entities", name, "paging", "size"]
        if as_object(paging["size"]).get("max", 200) < 200:
            yield f"{name}: pages too large", _edited([*size, "max"], lambda most: most * 10)
    if as_object(paging.get("size")).get("param"):
        yield (
            f"{name}: page size misspelt",
            _edited(["entities", name, "paging", "size", "param"], lambda text: f"{text}x"),
        )
    parameters = as_object(entity.get("filter")).get("params")
    if isinstance(parameters, dict):
        for column, param in as_object(parameters).items():
            if isinstance(param, str) and "{op}" not in param:
                yield (
                    f"{name}: filter {column} misspelt",
                    _edited(["entities", name, "filter", "params", column], lambda text: f"{text}x"),
                )
    for key in ("filter", "select", "sort"):
        if isinstance(entity.get(key), dict) and "param" in as_object(entity[key]):
            yield f"{name}: {key} param misspelt", _edited(["entities", name, key, "param"], lambda text: f"{text}x")


def _of_fields(name: str, entity: JsonObject, chosen: list[str]) -> Iterator[tuple[str, Callable[[JsonObject], None]]]:
    writes = any(key in chosen and key in entity for key in ("create", "update"))
    for key in ("wrap", "item"):
        if entity.get(key) and (writes or (key == "item" and "get" in entity and "get" in chosen)):
            yield f"{name}: {key} misspelt", _edited(["entities", name, key], lambda text: f"{text}x")
    if writes:
        yield (
            f"{name}: another body",
            lambda root: as_object(as_object(root["entities"])[name]).update(
                body=_OTHER_BODY[str(entity.get("body") or "json")]
            ),
        )
    if entity.get("flatten"):
        yield f"{name}: flatten misspelt", _edited(["entities", name, "flatten"], lambda text: f"{text}x")
    for field, words in as_object(entity["fields"]).items():
        text = words if isinstance(words, str) else ""
        flags = text.split()
        if not text or {"key", "scope", "filter"} & set(flags) or text == "key":
            continue
        yield f"{name}.{field}: misspelt", _renamed(["entities", name, "fields"], field)
        if writes and flags[0] in _NUMBERS and "ro" not in flags:
            yield (
                f"{name}.{field}: text for a number",
                _edited(["entities", name, "fields", field], lambda each: " ".join(["string", *each.split()[1:]])),
            )
        if writes and "|" in flags[0] and "ro" not in flags:
            yield (
                f"{name}.{field}: a value misspelt",
                _edited(
                    ["entities", name, "fields", field],
                    lambda each: " ".join([f"{each.split()[0]}x", *each.split()[1:]]),
                ),
            )


def _other_path(line: str) -> str:
    # Of what begins with a placeholder, `x` would be the beginning of its value.
    before, slash, rest = line.partition("/")
    return f"{before}/x{rest}" if slash and not rest.startswith("{") else f"{line}/x"


def _other_method(line: str) -> str:
    method, _, path = line.partition(" ")
    if method in _CALLS:
        return f"{_CALLS[method]} {path}"
    return f"{_OTHER_METHOD[method]} {path}"


def _edited(place: list[str], change: Callable[[JsonValue], JsonValue]) -> Callable[[JsonObject], None]:
    def edit(root: JsonObject) -> None:
        target = root
        for key in place[:-1]:
            target = as_object(target[key])
        target[place[-1]] = change(target[place[-1]])

    return edit


def _edited_line(place: list[str], change: Callable[[str], str]) -> Callable[[JsonObject], None]:
    def edit(value: JsonValue) -> JsonValue:
        if isinstance(value, str):
            return change(value)
        return as_object(value) | {"http": change(str(as_object(value)["http"]))}

    return _edited(place, edit)


def _renamed(place: list[str], name: str) -> Callable[[JsonObject], None]:
    def rename(members: JsonValue) -> JsonValue:
        return {f"{key}x" if key == name else key: value for key, value in as_object(members).items()}

    return _edited(place, rename)
