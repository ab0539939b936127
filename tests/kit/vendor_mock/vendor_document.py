"""A vendor's API document, in one form: OpenAPI 3, Swagger 2 and Google's discovery documents alike."""

import gzip
import json
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import yaml12

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from tests.kit.vendor_mock.graph_document import graph_document
from tests.kit.vendor_mock.stone_document import stone_document

CORPUS = os.environ.get("OPENPLAYBOOK_CORPUS", "")
LEFT_OUT = "OPENPLAYBOOK_CORPUS names no folder of vendors' APIs: manifests are not held against them"
_METHODS = ("get", "post", "put", "patch", "delete")
_FORM = "application/x-www-form-urlencoded"
_UNREAD = ("example", "examples", "x-expansionResources", "description")
_SLOT = re.compile(r"\{(\+?)[^}]*\}")


@dataclass(frozen=True, slots=True)
class VendorParameter:
    """A parameter of the query."""

    name: str
    schema: JsonObject
    is_required: bool = False
    is_repeated: bool = False


@dataclass(frozen=True, slots=True)
class VendorOperation:
    """An operation."""

    method: str
    template: str
    pattern: re.Pattern[str]
    query: dict[str, VendorParameter]
    bodies: dict[str, JsonObject]
    """Content type → schema."""
    needs_body: bool
    reply: JsonObject | None
    """Schema of the reply; None where there is none."""
    path_schemas: dict[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    check: Callable[[dict[str, list[str]]], list[str]] = lambda options: []
    """What is wrong with query parameters, by name, besides what their schemas say."""


class VendorDocument:
    """All operations of one or several documents."""

    def __init__(self, roots: list[JsonObject]) -> None:
        self._components: dict[str, JsonObject] = {}
        self.operations: list[VendorOperation] = []
        self.ignored: set[str] = set()
        """Query parameters that authenticate."""
        self.has_partial_replies = False
        """Whether `fields` says what comes back, as in all of Google's APIs."""
        for number, root in enumerate(roots):
            _Reader(self, root, f"{number}").read()
        self.operations.sort(key=lambda each: (each.template.count("{"), "{+" in each.template))

    def find(self, method: str, path: str) -> VendorOperation | None:
        """The operation for a method and the path of a URL."""
        return next((each for each in self.operations if each.method == method and each.pattern.fullmatch(path)), None)

    def methods(self, path: str) -> list[str]:
        """The methods that a path takes."""
        return [each.method for each in self.operations if each.pattern.fullmatch(path)]

    @property
    def tells_replies(self) -> bool:
        """Whether it says of any operation what comes back."""
        return any(each.reply is not None for each in self.operations)

    def add_root(self, key: str, root: JsonObject) -> None:
        """Keep a document for its references."""
        self._components[key] = root

    def resolved(self, schema: JsonValue) -> JsonObject:
        """A schema without its reference."""
        members = as_object(schema)
        for _ in range(20):
            target = members.get("$ref")
            if not isinstance(target, str):
                break
            number, _, pointer = target.partition("#")
            found: JsonValue = self._components[number]
            for part in pointer.strip("/").split("/"):
                found = as_object(found).get(part.replace("~1", "/").replace("~0", "~"))
            key = number
            members = located(found, key)
        return members


def located(schema: JsonValue, key: str, *, is_names: bool = False) -> JsonObject:
    """A schema whose references say to which document they belong; `is_names`: its members are names of properties."""
    if isinstance(schema, list):
        return [located(each, key) for each in as_list(schema)]  # pyright: ignore[reportReturnType]
    if not isinstance(schema, dict):
        return schema
    made: JsonObject = {}
    for name, value in as_object(schema).items():
        if name == "$ref" and not is_names and isinstance(value, str):
            pointer = value.partition("#")[2] if "#" in value else f"/schemas/{value}"
            made[name] = f"{key}#{pointer}"
        elif name in _UNREAD and not is_names:
            continue
        else:
            made[name] = located(value, key, is_names=name == "properties" and not is_names)
    if isinstance(made.get("items"), list) and "type" not in made and not is_names:
        # Slack's document says so that a value is one of several.
        made["anyOf"] = made.pop("items")
    return made


class _Reader:
    def __init__(self, document: VendorDocument, root: JsonObject, key: str) -> None:
        self._document = document
        self._root = root
        self._key = key
        document.add_root(key, root)

    def read(self) -> None:
        if "discoveryVersion" in self._root:
            self._document.has_partial_replies = True
            base = f"/{str(self._root.get('servicePath', '')).strip('/')}".rstrip("/")
            self._discovered(self._root, base)
            return
        schemes = as_object(self._root.get("securityDefinitions")) | as_object(
            as_object(self._root.get("components")).get("securitySchemes")
        )
        for each in schemes.values():
            if as_object(each).get("in") == "query":
                self._document.ignored.add(str(as_object(each)["name"]))
        base = self._base()
        for path, item in as_object(self._root["paths"]).items():
            members = self._document.resolved(located(item, self._key))
            for method in _METHODS:
                if method in members:
                    self._add(method.upper(), base + path.split("?")[0].split("#")[0], members, members[method])

    def _base(self) -> str:
        if "swagger" in self._root:
            return str(self._root.get("basePath", "")).rstrip("/")
        servers = as_list(self._root.get("servers"))
        url = str(as_object(servers[0]).get("url", "")) if servers else ""
        return re.sub(r"^https?://[^/]*", "", url).rstrip("/")

    def _add(self, method: str, path: str, item: JsonObject, operation: JsonObject) -> None:
        query: dict[str, VendorParameter] = {}
        paths: dict[str, JsonObject] = {}
        bodies: dict[str, JsonObject] = {}
        form: JsonObject = {"type": "object", "properties": {}, "required": []}
        needs_body = False
        for each in [*as_list(item.get("parameters")), *as_list(operation.get("parameters"))]:
            parameter = self._document.resolved(each)
            name, place = str(parameter.get("name")), parameter.get("in")
            schema = as_object(parameter.get("schema")) or {
                key: value for key, value in parameter.items() if key not in ("name", "in", "required", "description")
            }
            if "content" in parameter:
                schema = {}
            if place == "query":
                is_repeated = parameter.get("collectionFormat") == "multi" or parameter.get("explode", True) is True
                query[name] = VendorParameter(name, schema, parameter.get("required") is True, is_repeated)
            elif place == "path":
                paths[name] = schema
            elif place == "body":
                bodies["application/json"] = schema
                needs_body = parameter.get("required") is True
            elif place == "formData":
                form["properties"][name] = schema
                form["required"] += [name] if parameter.get("required") else []
        if form["properties"]:
            bodies[_FORM] = form
        request = self._document.resolved(operation.get("requestBody"))
        for kind, each in as_object(request.get("content")).items():
            bodies[kind.partition(";")[0]] = as_object(as_object(each).get("schema"))
        needs_body = needs_body or request.get("required") is True
        reply = self._reply(as_object(operation.get("responses")))
        made = VendorOperation(method, path, _pattern(path), query, bodies, needs_body, reply, paths)
        self._document.operations.append(made)

    def _reply(self, responses: JsonObject) -> JsonObject | None:
        for status in sorted(responses, key=str):
            if not str(status).startswith("2"):
                continue
            found = self._document.resolved(responses[status])
            if "schema" in found:
                return as_object(found["schema"])
            for kind, each in as_object(found.get("content")).items():
                if "json" in kind:
                    return as_object(as_object(each).get("schema"))
        return None

    def _discovered(self, resource: JsonObject, base: str) -> None:
        for method in as_object(resource.get("methods")).values():
            self._add_discovered(as_object(method), base)
        for inner in as_object(resource.get("resources")).values():
            self._discovered(as_object(inner), base)

    def _add_discovered(self, method: JsonObject, base: str) -> None:
        path = f"{base}/{method.get('flatPath') or method['path']}"
        query: dict[str, VendorParameter] = {}
        for name, each in (as_object(self._root.get("parameters")) | as_object(method.get("parameters"))).items():
            schema = as_object(each)
            if schema.get("location") == "query":
                repeated = schema.get("repeated") is True
                shown: JsonObject = {"type": "array", "items": schema} if repeated else schema
                query[name] = VendorParameter(name, shown, schema.get("required") is True, repeated)
        request, response = method.get("request"), method.get("response")
        bodies: dict[str, JsonObject] = {"application/json": located(request, self._key)} if request else {}
        reply = located(response, self._key) if response else None
        made = VendorOperation(str(method["httpMethod"]), path, _pattern(path), query, bodies, False, reply)
        self._document.operations.append(made)


def _pattern(template: str) -> re.Pattern[str]:
    parts: list[str] = []
    end = 0
    for slot in _SLOT.finditer(template):
        parts += [re.escape(template[end : slot.start()]), "(.+)" if slot[1] else "([^/]+)"]
        end = slot.end()
    return re.compile("".join(parts) + re.escape(template[end:]) + "/?")


@cache
def vendor_document(*names: str) -> VendorDocument:
    """The document of files below `vendor-apis` of the corpus; `/v1=FILE` says where the paths of a file begin that
    does not say it itself."""
    if names[0].endswith("meta-ads/enum_types.json.gz"):
        return VendorDocument([_graph(names)])
    roots: list[JsonObject] = []
    for name in names:
        base, _, file = name.rpartition("=")
        root = _hand_written(file) if file.startswith("hand_written/") else _read(Path(CORPUS) / "vendor-apis" / file)
        roots.append({**root, "servers": [{"url": base}]} if base else root)
    return VendorDocument(roots)


def _graph(names: Sequence[str]) -> JsonObject:
    base, _, enumerations = names[0].rpartition("=")
    files = {name.rpartition("/")[2].partition(".")[0]: Path(CORPUS) / "vendor-apis" / name for name in names[1:]}
    nodes = {name: _read(file) for name, file in files.items()}
    text = gzip.decompress((Path(CORPUS) / "vendor-apis" / enumerations).read_bytes())
    return graph_document(nodes, as_list(json.loads(text)), base)


def _hand_written(name: str) -> JsonObject:
    """What whoever wrote the manifest knew, where there is no document of the vendor."""
    return as_object(yaml12.parse_yaml((Path(__file__).parent / name).read_text("utf-8")))


def _read(file: Path) -> JsonObject:
    text = gzip.decompress(file.read_bytes()).decode("utf-8-sig")
    if ".stone" in file.suffixes:
        return stone_document(text)
    return json.loads(text) if text.lstrip().startswith("{") else as_object(yaml12.parse_yaml(text))


def path_of(url: str) -> str:
    """The path of a URL."""
    return urlsplit(url).path
