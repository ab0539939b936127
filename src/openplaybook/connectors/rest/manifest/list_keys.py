"""The keys of a list: request, paging, filter, select, sort."""

import re
from collections.abc import Mapping

from openplaybook.connectors.rest.manifest.graphql_calls import paging_place, read_call, reply_place
from openplaybook.connectors.rest.manifest.kinds import ListPlace, PagingKind
from openplaybook.connectors.rest.manifest.list_model import (
    FilterManifest,
    FilterParameter,
    ListManifest,
    PagingManifest,
    RequestLine,
    SearchSyntax,
    SelectManifest,
    SortManifest,
)
from openplaybook.connectors.rest.manifest.manifest_node import ManifestNode
from openplaybook.jsonvalues import JsonObject, JsonValue, as_object

OPERATORS = ("=", "!=", "<", "<=", ">", ">=", "in", "contains", "prefix", "suffix", "null", "not_null")
LANGUAGES = (
    *("jql", "cql", "soql", "odata", "odata2", "kintone", "lucene", "sysparm", "shopify"),
    *("searchcriteria", "search"),
)
_LINE = re.compile(r"(GET|POST|PUT|PATCH|DELETE)\s+(?:([a-z][a-z0-9_]*):)?(/\S*|:\w+|)")
_RANGE = "range"
_RANGES = {">": "gt", ">=": "gte", "<": "lt", "<=": "lte"}
"""`created range: "created[{op}]"` stands for these four."""
_STYLES = ("csv", "brackets", "indexed", "repeat", "odata", "partial")


def read_line(node: ManifestNode, key: str) -> RequestLine:
    """`GET /path`, or a call of GraphQL."""
    text = node.required_text(key)
    call = read_call(node, key, text)
    if call is not None:
        return call
    found = _LINE.fullmatch(text)
    if found is None:
        node.fail(key, f"is {text!r}; a method and a path such as `GET /customers/{{id}}` are expected")
    return RequestLine(found[1], found[3], found[2] or "")


def request_node(node: ManifestNode, key: str, slots: Mapping[str, str]) -> ManifestNode:
    """An operation as a mapping: a text stands for its `http`, in which `slots` are filled in."""
    value = node.take(key)
    members: JsonValue = {"http": value} if isinstance(value, str) else value
    line: JsonValue = as_object(members).get("http")
    if isinstance(line, str):
        filled = line
        for slot, text in slots.items():
            filled = filled.replace(slot, text)
        members = as_object(members) | {"http": filled}
    return ManifestNode(members, node.at(key))


def read_list(node: ManifestNode, defaults: JsonObject) -> ListManifest:
    """A list; what its mapping does not say, the entity says."""
    line = read_line(node, "http")
    params = node.mapping("params")
    place = node.choice("in", ListPlace, ListPlace.QUERY)
    body = node.mapping("body")
    merged = ManifestNode({**defaults, **{key: node.take(key) for key in _SHARED if key in node}}, node.path)
    made = ListManifest(
        http=line,
        params=params or merged.mapping("params"),
        place=place,
        headers={str(name): str(each) for name, each in node.mapping("headers").items()},
        body=body,
        items=reply_place(line, merged.text("items")),
        gives=node.texts("gives"),
        paging=paging_place(line, read_paging(merged.child("paging"))),
        filter=_read_filter(merged.child("filter")),
        select=read_select(merged.child("select")),
        sort=_read_sort(merged),
    )
    node.close()
    _check_variables(node, made)
    return made


def _check_variables(node: ManifestNode, made: ListManifest) -> None:
    """Each parameter of a call of GraphQL must be one of its arguments."""
    if made.http.call is None:
        return
    names = [made.paging.param, made.paging.size_param, made.filter.param, made.sort.param, made.sort.direction_param]
    for name in (*names, *made.params, *(each.param for each in made.filter.parameters)):
        first = name.partition(".")[0].partition("[")[0]
        if first and first not in made.http.call.types:
            node.fail("http", f"has no argument {first!r}; there are: {', '.join(made.http.call.types)}")


_SHARED = ("items", "paging", "filter", "select", "sort", "params")


def read_paging(node: ManifestNode) -> PagingManifest:
    """How pages are asked for."""
    if node.is_empty:
        return PagingManifest()
    size = node.child("size")
    kind = node.choice("kind", PagingKind, PagingKind.NONE)
    made = PagingManifest(
        kind=kind,
        param=node.text("param"),
        next=node.text("next"),
        more=node.text("more"),
        last=node.text("last"),
        total=node.text("total"),
        pages=node.text("pages"),
        size_param=size.text("param"),
        most=size.number("max", 200),
        first=node.number("first", 1 if kind is PagingKind.PAGE else 0),
        max_offset=node.number("max_offset"),
        http=read_line(node, "http") if "http" in node else None,
    )
    size.close()
    node.close()
    _check_paging(node, made)
    return made


def _check_paging(node: ManifestNode, made: PagingManifest) -> None:
    needed = {
        PagingKind.OFFSET: ("param",),
        PagingKind.PAGE: ("param",),
        PagingKind.CURSOR: ("param", "next"),
        PagingKind.NEXT_URL: ("next",),
        PagingKind.CONTINUE: ("param", "next", "http"),
    }
    for key in needed.get(made.kind, ()):
        if key not in node:
            node.fail(key, f"is required for paging of the kind {made.kind.value}")


def _read_filter(node: ManifestNode) -> FilterManifest:
    if node.is_empty:
        return FilterManifest()
    language = node.text("language")
    if language and language not in LANGUAGES:
        node.fail("language", f"is {language!r}; one of {', '.join(LANGUAGES)} is expected")
    made = FilterManifest(
        parameters=tuple(_parameters(node)),
        language=language,
        param=node.text("param"),
        columns={str(name): str(value) for name, value in node.mapping("columns").items()},
        only=node.texts("only"),
        lacks=node.texts("lacks"),
        statement=node.text("statement"),
        default=node.text("default"),
        requires=node.texts("requires"),
        syntax=_read_syntax(node.child("syntax")) if "syntax" in node else None,
    )
    if language and language != "searchcriteria" and not made.param:
        node.fail("param", f"is required: the parameter that takes the {language}")
    if (language == "search") != (made.syntax is not None):
        node.fail("syntax", "is required for the language `search`, and only for it")
    node.close()
    return made


def _parameters(node: ManifestNode) -> list[FilterParameter]:
    value = node.take("params")
    if isinstance(value, list):
        return [FilterParameter(name, "=", name) for name in node.texts("params")]
    made: list[FilterParameter] = []
    for key, each in node.mapping("params").items():
        column, _, operator = key.partition(" ")
        if operator == _RANGE and isinstance(each, str):
            made += [FilterParameter(column, sign, each.replace("{op}", name)) for sign, name in _RANGES.items()]
        else:
            made.append(_parameter(node, key, each))
    return made


def _parameter(node: ManifestNode, key: str, value: JsonValue) -> FilterParameter:
    column, _, operator = key.partition(" ")
    operator = operator.strip() or "="
    path = f"params.{key}"
    if operator not in OPERATORS:
        node.fail(path, f"has the operator {operator!r}; one of {', '.join(OPERATORS)}, range is expected")
    inner = ManifestNode({"param": value} if isinstance(value, str) else value, node.at(path))
    made = FilterParameter(
        column,
        operator,
        inner.required_text("param"),
        inner.text("joint"),
        inner.text("template", "{value}"),
        inner.flag("loose"),
    )
    inner.close()
    return made


def _read_syntax(node: ManifestNode) -> SearchSyntax:
    operators: Mapping[str, str] = {name: node.text(name) for name in (*OPERATORS[:6], *OPERATORS[7:]) if name in node}
    made = SearchSyntax(
        operators, node.text("joint", " "), node.text("any_joint"), node.text("group"), node.text("quote", '"')
    )
    node.close()
    return made


def read_select(node: ManifestNode) -> SelectManifest:
    """How fields are asked for."""
    if node.is_empty:
        return SelectManifest()
    style = node.text("style", "csv")
    if style not in _STYLES:
        node.fail("style", f"is {style!r}; one of {', '.join(_STYLES)} is expected")
    made = SelectManifest(
        node.text("param", "$select" if style == "odata" else ""),
        style,
        node.text("prefix"),
        node.text("around", "{names}"),
        node.texts("always"),
        node.texts("implied"),
        node.flag("dots"),
    )
    node.close()
    return made


def _read_sort(merged: ManifestNode) -> SortManifest:
    if merged.take("sort") == "language":
        return SortManifest(in_language=True)
    node = merged.child("sort")
    if node.is_empty:
        return SortManifest()
    value = node.take("columns")
    names = {name: name for name in node.texts("columns")} if isinstance(value, list) else node.mapping("columns")
    made = SortManifest(
        param=node.text("param"),
        style=node.text("style", "{name}" if "direction_param" in node else "{name} {direction}"),
        joint=node.text("joint"),
        direction_param=node.text("direction_param"),
        ascending=node.text("ascending", "asc"),
        descending=node.text("descending", "desc"),
        columns={str(name): str(each) for name, each in names.items()},
    )
    node.close()
    return made
