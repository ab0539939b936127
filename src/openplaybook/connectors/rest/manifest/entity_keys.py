"""The keys of `entities`, `actions` and `query`."""

from collections.abc import Sequence
from dataclasses import replace

from openplaybook.connectors.rest.manifest.field_notation import read_fields
from openplaybook.connectors.rest.manifest.graphql_calls import reply_place
from openplaybook.connectors.rest.manifest.kinds import BodyKind, ListPlace, UpdateKind
from openplaybook.connectors.rest.manifest.list_keys import (
    read_line,
    read_list,
    read_paging,
    read_select,
    request_node,
)
from openplaybook.connectors.rest.manifest.manifest_node import ManifestNode
from openplaybook.connectors.rest.manifest.model import (
    ActionManifest,
    DescribeManifest,
    EntityManifest,
    OperationManifest,
    QueryManifest,
    RestField,
    SchemaSource,
)
from openplaybook.jsonvalues import JsonObject

OPERATIONS = ("list", "get", "create", "update", "delete", "search")


def read_entity(name: str, own: ManifestNode, defaults: JsonObject) -> EntityManifest:
    """An entity; `defaults` say what its own mapping does not."""
    given = {key: own.take(key) for key in own.keys()}  # noqa: SIM118 - a node is no mapping
    node = ManifestNode(spelt_out(defaults, own.path) | spelt_out(given, own.path), own.path)
    node.take("crud")
    chosen = node.texts("ops") or OPERATIONS
    unknown = next((each for each in chosen if each not in OPERATIONS or each not in node), None)
    if "ops" in node and unknown is not None:
        node.fail("ops", f"has {unknown!r}, which the entity does not describe; there are: {', '.join(OPERATIONS)}")
    shared: JsonObject = {key: node.take(key) for key in _OF_LISTS if key in node}
    single = {key: node.take(key) for key in _OF_OPERATIONS if key in node}
    fields = read_fields(node, "fields")
    path = node.text("path", name)
    nodes = {
        key: request_node(node, key, _slots(name, path, fields))
        for key in OPERATIONS
        if node.take(key) is not None and key in chosen
    }
    for key in OPERATIONS:
        node.take(key)
    lists = {key: read_list(nodes[key], shared) for key in ("list", "search") if key in nodes}
    made = EntityManifest(
        name=name,
        path=path,
        description=node.text("description"),
        fields=fields,
        list=lists.get("list"),
        search=lists.get("search"),
        get=_read_operation(nodes.get("get"), single, shared),
        create=_read_operation(nodes.get("create"), single, shared),
        update=_read_operation(nodes.get("update"), single, shared),
        delete=_read_operation(nodes.get("delete"), single, shared),
        flatten=node.text("flatten"),
        flatten_read=node.text("flatten_read"),
        schema=_read_schema(node.child("schema")) if "schema" in node else None,
        max_fields=node.number("max_fields"),
    )
    node.close()
    return made


def spelt_out(members: JsonObject, path: str) -> JsonObject:
    """The five requests that `crud` stands for, each unless it is there."""
    if "crud" not in members:
        return members
    line = read_line(ManifestNode(members, path), "crud")
    where = f"{line.host}:{line.path}" if line.host else line.path
    requests: JsonObject = {
        "list": f"GET {where}",
        "get": f"GET {where}/{{key}}",
        "create": f"POST {where}",
        "update": f"{line.method} {where}/{{key}}",
        "delete": f"DELETE {where}/{{key}}",
    }
    return requests | {name: each for name, each in members.items() if name != "crud"}


def _slots(name: str, path: str, fields: Sequence[RestField]) -> dict[str, str]:
    """What `{entity}` and `{key}` in addresses are. Those of `*` are known when the system has told its types."""
    keys = [each.name for each in fields if each.field.is_key]
    slots = {} if name == "*" else {"{entity}": path}
    return slots | ({"{key}": f"{{{keys[-1]}}}"} if keys else {})


_OF_LISTS = ("items", "paging", "filter", "select", "sort", "params")
_OF_OPERATIONS = ("item", "wrap", "body", "payload")


def _read_operation(node: ManifestNode | None, single: JsonObject, shared: JsonObject) -> OperationManifest | None:
    """One request; `single` is what the entity says for all of them, `shared` for lists as well."""
    if node is None:
        return None
    line = read_line(node, "http")
    merged = ManifestNode({**single, **{key: node.take(key) for key in _OF_OPERATIONS if key in node}}, node.path)
    select = node.take("select") if "select" in node else shared.get("select") if line.method == "GET" else None
    made = OperationManifest(
        http=line,
        params=node.mapping("params"),
        headers={str(name): str(each) for name, each in node.mapping("headers").items()},
        body=node.mapping("members"),
        body_kind=merged.choice("body", BodyKind, BodyKind.JSON),
        wrap=merged.text("wrap"),
        within=node.text("within"),
        item=reply_place(line, merged.text("item")),
        kind=node.choice("kind", UpdateKind, UpdateKind.PATCH),
        etag=node.text("etag"),
        increments=node.text("increments"),
        key=node.text("key"),
        payload=merged.texts("payload"),
        select=read_select(ManifestNode(select or {}, node.at("select"))),
    )
    node.close()
    if line.call is not None and made.body_kind is not BodyKind.JSON:
        merged.fail("body", "is always json in calls of GraphQL")
    return made


def _read_schema(node: ManifestNode) -> SchemaSource:
    made = SchemaSource(
        document=node.text("openapi"),
        component=node.text("component"),
        describe=_read_describe(node.child("describe")) if "describe" in node else None,
        metadata=read_line(node, "metadata") if "metadata" in node else None,
        introspect=node.text("introspect"),
    )
    if "/" in made.document or made.document.startswith("."):
        node.fail("openapi", "must be the name of a file, without a path")
    if bool(made.document) != bool(made.component):
        node.fail("component", "and `openapi` are needed together")
    node.close()
    return made


def _read_describe(node: ManifestNode) -> DescribeManifest:
    made = DescribeManifest(
        http=read_line(node, "http"),
        items=node.text("items"),
        name=node.text("name", "name"),
        path=node.text("path", "{name}"),
        type=node.text("type", "type"),
        label=node.text("label"),
        types={str(name): str(each) for name, each in node.mapping("types").items()},
        read_only=node.text("read_only"),
        writable=node.text("writable"),
        required=node.text("required"),
        values=node.text("values"),
        value=node.text("value"),
        reference=node.text("reference"),
    )
    node.close()
    return made


def read_action(name: str, node: ManifestNode, defaults: JsonObject) -> ActionManifest:
    """An action."""
    line = read_line(node, "http")
    is_mutation = line.call is None or line.call.is_mutation
    is_reading = node.flag("read_only", default=line.method == "GET" or not is_mutation)
    body_kind = str(defaults.get("body") or BodyKind.JSON.value)
    made = ActionManifest(
        name=name,
        title=node.text("title", name),
        description=node.required_text("description"),
        http=line,
        parameters=read_fields(node, "parameters"),
        results=read_fields(node, "results"),
        in_query=node.texts("in_query"),
        in_body=node.texts("in_body"),
        params=node.mapping("params"),
        body=node.take("members"),
        body_kind=BodyKind(node.text("body", body_kind)),
        wrap=node.text("wrap"),
        items=reply_place(line, node.text("items")),
        payload=node.texts("payload") or ManifestNode(defaults, node.path).texts("payload"),
        is_read_only=is_reading,
        is_repeatable=node.flag("repeatable", default=is_reading or line.method in ("PUT", "DELETE")),
    )
    node.close()
    return _with_path_parameters_required(made)


def _with_path_parameters_required(action: ActionManifest) -> ActionManifest:
    """What the address needs is required, whether the manifest says so or not."""
    made = tuple(
        replace(each, field=replace(each.field, is_required=True, is_nullable=False))
        if f"{{{each.name}}}" in action.http.path
        else each
        for each in action.parameters
    )
    return replace(action, parameters=made)


def read_query(node: ManifestNode) -> QueryManifest:
    """How queries are run."""
    made = QueryManifest(
        language=node.required_text("language"),
        http=read_line(node, "http"),
        param=node.required_text("param"),
        place=node.choice("in", ListPlace, ListPlace.QUERY),
        params=node.mapping("params"),
        items=node.text("items"),
        drop=node.texts("drop"),
        paging=read_paging(node.child("paging")),
        columns=node.text("columns"),
        prefix=node.text("prefix"),
    )
    node.close()
    return made
