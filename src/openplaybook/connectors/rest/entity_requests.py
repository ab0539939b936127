"""The requests that read and write entities, made from manifests."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from openplaybook.connectors.base import EntityQuery, SortKey
from openplaybook.connectors.errors import InvalidValue
from openplaybook.connectors.rest.bodies import encoded_body
from openplaybook.connectors.rest.entity_form import EntityForm
from openplaybook.connectors.rest.graphql_documents import graphql_body, selected_path
from openplaybook.connectors.rest.languages.grammar import Grammar
from openplaybook.connectors.rest.languages.odata import key_predicate
from openplaybook.connectors.rest.languages.pushdown import PushedCondition, grammar_of
from openplaybook.connectors.rest.manifest.kinds import BodyKind, ListPlace, UpdateKind
from openplaybook.connectors.rest.manifest.list_model import GraphqlCall, ListManifest, RequestLine, SelectManifest
from openplaybook.connectors.rest.manifest.model import OperationManifest, RestField
from openplaybook.connectors.rest.manifest.placeholders import filled_path, filled_value
from openplaybook.connectors.rest.reply_paths import put_at
from openplaybook.connectors.rest.system_pages import is_address, page_parameters
from openplaybook.connectors.rest.system_request import SystemRequest
from openplaybook.connectors.rest.values import literal_text
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

_PLAIN = re.compile(r"[\w.@-]{1,200}")
_PLACES = re.compile(r"\[(\d+|\*)\]|\[\w+=.*")
"""Of a member of an array that another member names, the array is asked for."""
_STATEMENT = "{condition}{order}"
_REPEATABLE = ("GET", "PUT", "DELETE")


@dataclass(frozen=True, slots=True)
class ListPlan:
    """How a query is listed: what goes to the system, what is done here."""

    form: EntityForm
    listing: ListManifest
    source: str
    """`list` or `search`."""
    pushed: PushedCondition
    sort: tuple[SortKey, ...]
    """What the system orders by."""
    local_sort: tuple[SortKey, ...]
    """What is ordered here: all entities are read for it, as far as the cap allows."""
    read: tuple[RestField, ...]
    """Fields that are read from the system: those that are wanted, and those that are tried or ordered by here."""
    wanted: tuple[RestField, ...]

    @property
    def reads_singly(self) -> bool:
        """Whether the list does not give all that is read, so that each entity is read by its key."""
        gives = self.listing.gives
        return (
            bool(gives) and self.form.manifest.get is not None and not {each.name for each in self.read} <= set(gives)
        )


def page_request(plan: ListPlan, cursor: JsonValue, size: int, values: Mapping[str, str]) -> SystemRequest:
    """The request for one page. Raises `InvalidValue`."""
    listing, paging = plan.listing, plan.listing.paging
    if is_address(paging, cursor):
        headers = tuple(_page_headers(listing, size))
        return SystemRequest("GET", str(cursor), headers=headers, host=listing.http.host, is_absolute=True)
    known = {**values, **plan.pushed.scope, "entity": plan.form.manifest.path}
    if paging.http is not None and cursor is not None:
        return _parametrised(paging.http, [(paging.param, cursor)], {}, ListPlace.BODY, known)
    asked = [*plan.pushed.parameters, *select_pairs(listing.select, plan.read, plan.form, listing)]
    pairs = _unless_asked(constant_pairs(listing.params, known), asked) + asked
    pairs += _sort_pairs(plan)
    text = _text(plan, cursor, size)
    if text:
        pairs.append((listing.filter.param, text))
    pairs += page_parameters(paging, cursor, size)
    body = _filled_members(listing.body, known)
    if listing.http.call is not None:
        paths = [selected_path(listing.items, each) for each in (*plan.form.keys, *plan.read) if each.is_in_reply]
        paths += [path for path in (paging.next, paging.more, paging.last, paging.total) if path]
        return _called(listing.http.call, paths, {**body, **_grouped(pairs)}, known)
    made = _parametrised(listing.http, pairs, body, listing.place, known)
    return replace(made, headers=tuple(_page_headers(listing, size)))


def _page_headers(listing: ListManifest, size: int) -> Iterable[tuple[str, str]]:
    """`{size}` in them is how many entities are asked for."""
    return ((name, text.replace("{size}", str(size))) for name, text in listing.headers.items())


def entity_request(
    operation: OperationManifest,
    form: EntityForm,
    values: Mapping[str, str],
    members: JsonObject | None = None,
    *,
    is_write: bool,
    is_keyed: bool = False,
    fields: Sequence[RestField] = (),
) -> SystemRequest:
    """The request that reads, makes, changes or takes away one entity; `is_keyed` says that it carries an idempotency
    key. Raises `InvalidValue`."""
    known = {**values, "entity": form.manifest.path, **key_predicate(operation.http.path, form.keys, values)}
    pairs = constant_pairs(operation.params, known)
    if fields:
        asked = select_pairs(operation.select, fields, form)
        pairs = _unless_asked(pairs, asked) + asked
    call = operation.http.call
    if call is not None:
        wanted = [selected_path(operation.item, each) for each in (*form.keys, *fields) if each.is_in_reply]
        paths = wanted if fields else [operation.item]
        made = _called(call, paths, {**_grouped(pairs), **(members or {})}, known, operation.payload)
        return replace(made, is_write=is_write, is_repeatable=not is_write)
    method = operation.http.method
    content_type, body = ("", None)
    if members is not None and operation.body_kind is BodyKind.QUERY:
        pairs += list(members.items())
    elif members is not None:
        patch = operation.kind is UpdateKind.JSON_PATCH and is_write
        content_type, body = encoded_body(operation.body_kind, json_patch(members) if patch else members)
    return SystemRequest(
        method,
        filled_path(operation.http.path, known),
        tuple((name, literal_text(value)) for name, value in pairs),
        tuple(operation.headers.items()),
        content_type=content_type,
        body=body,
        host=operation.http.host,
        is_write=is_write,
        is_repeatable=not is_write or method in _REPEATABLE or is_keyed,
    )


def _grouped(pairs: Iterable[tuple[str, JsonValue]]) -> JsonObject:
    """Parameters as variables: one that comes several times is a list."""
    made: JsonObject = {}
    for name, value in pairs:
        made[name] = (
            [*(as_list(made[name]) if isinstance(made[name], list) else [made[name]]), value] if name in made else value
        )
    return made


def _called(
    call: GraphqlCall,
    paths: Sequence[str],
    given: JsonObject,
    known: Mapping[str, str],
    payload: Sequence[str] = (),
) -> SystemRequest:
    content_type, body = encoded_body(BodyKind.JSON, graphql_body(call, paths, given, known, payload))
    return SystemRequest("POST", "", content_type=content_type, body=body)


def json_patch(members: JsonObject) -> list[JsonValue]:
    """Changed members as replacements (RFC 6902); null takes one away."""
    made: list[JsonValue] = []
    for name, value in members.items():
        path = "/" + name.replace("~", "~0").replace("/", "~1")
        if isinstance(value, dict) and value:
            inner = json_patch(as_object(value))
            made += [{**as_object(each), "path": path + str(as_object(each)["path"])} for each in inner]
        else:
            made.append(
                {"op": "remove", "path": path} if value is None else {"op": "replace", "path": path, "value": value}
            )
    return made


def constant_pairs(params: Mapping[str, JsonValue], known: Mapping[str, str]) -> list[tuple[str, JsonValue]]:
    """Parameters that each request has; those whose placeholder has no value are left out."""
    filled = _filled_members(params, known)
    pairs: list[tuple[str, JsonValue]] = []
    for name, value in filled.items():
        pairs += [(name, each) for each in as_list(value)] if isinstance(value, list) else [(name, value)]
    return pairs


def _filled_members(template: Mapping[str, JsonValue], known: Mapping[str, str]) -> JsonObject:
    if not template:
        return {}
    return as_object(filled_value(dict(template), {name: value or None for name, value in known.items()}))


def _unless_asked(
    constant: list[tuple[str, JsonValue]], asked: Sequence[tuple[str, JsonValue]]
) -> list[tuple[str, JsonValue]]:
    """The constant parameters that a condition, or the choice of fields, does not say otherwise."""
    names = {name for name, _ in asked}
    return [pair for pair in constant if pair[0] not in names]


def select_pairs(
    select: SelectManifest, fields: Iterable[RestField], form: EntityForm, listing: ListManifest | None = None
) -> list[tuple[str, JsonValue]]:
    """Parameters that ask for fields; none where the system has no such parameter."""
    if not select.param:
        return []
    names = selected_names(select, fields, form)
    if not names:
        return []
    if select.style == "indexed":
        return [(f"{select.param}[{index}]", each) for index, each in enumerate(names)]
    if select.style in ("brackets", "repeat"):
        name = f"{select.param}[]" if select.style == "brackets" else select.param
        return [(name, each) for each in names]
    text = select.around.replace("{names}", ",".join(names))
    if select.style == "partial" and listing is not None:
        # Google's partial replies: what is asked for is said of the whole reply, its next cursor included.
        inside = f"{listing.items.replace('.', '/')}({text})" if listing.items else text
        text = ",".join(part for part in (listing.paging.next, inside) if part)
    return [(select.param, text)]


def selected_names(select: SelectManifest, fields: Iterable[RestField], form: EntityForm) -> list[str]:
    """The system's names of fields, the key's among them."""
    inside = [each for each in (*form.keys, *fields) if not each.is_scope and not each.is_outside]
    paths = [_selected_path(select, each) for each in inside]
    return list(dict.fromkeys([*select.always, *(f"{select.prefix}{path}" for path in paths if path)]))


def _selected_path(select: SelectManifest, field: RestField) -> str:
    """How a field is asked for; empty where it comes without."""
    path = _PLACES.sub("", field.path) if select.keeps_dots else field.member
    before, _, last = path.rpartition(".")
    named = before if last in select.implied else path
    return named.replace(".", "/") if select.style == "partial" else named


def _text(plan: ListPlan, cursor: JsonValue, size: int) -> str:
    """The text in the list's language: condition, order, and what the statement needs; empty without any."""
    manifest, grammar = plan.listing.filter, grammar_of(plan.listing.filter)
    if grammar is None or manifest.language == "searchcriteria":
        return ""
    condition = grammar.before_condition + plan.pushed.text if plan.pushed.text else manifest.default
    keys = [(_sort_name(plan, key), key.is_descending) for key in plan.sort] if plan.listing.sort.in_language else []
    slots = {
        "{condition}": condition,
        "{and}": grammar.all_joint + _held_together(grammar, condition) if condition else "",
        "{order}": grammar.order(keys),
        "{names}": ", ".join(selected_names(plan.listing.select, plan.read, plan.form)),
        "{entity}": plan.form.manifest.path,
        "{size}": str(size),
        "{offset}": str(cursor or 0),
    }
    slots |= {f"{{{name}}}": _plain_word(name, value) for name, value in plan.pushed.scope.items()}
    parts: list[str] = []
    statement = manifest.statement or _STATEMENT
    while statement:
        slot = next((each for each in slots if statement.startswith(each)), "")
        parts.append(slots[slot] if slot else statement[0])
        statement = statement[len(slot) or 1 :]
    return "".join(parts).strip()


def _held_together(grammar: Grammar, condition: str) -> str:
    """Behind an AND alternatives need brackets."""
    return grammar.group.format(condition) if grammar.any_joint and grammar.group else condition


def _plain_word(name: str, value: str) -> str:
    """A value that is put into a text without quotes. Raises `InvalidValue`."""
    if not _PLAIN.fullmatch(value):
        raise InvalidValue(name, "may have letters, digits, and . _ @ - only")
    return value


def _sort_pairs(plan: ListPlan) -> list[tuple[str, JsonValue]]:
    sort = plan.listing.sort
    if not plan.sort or sort.in_language or not sort.param:
        return []
    parts = [
        sort.style.replace("{direction}", sort.descending if key.is_descending else sort.ascending)
        .replace("{minus}", "-" if key.is_descending else "")
        .replace("{name}", _sort_name(plan, key))
        for key in plan.sort
    ]
    pairs: list[tuple[str, JsonValue]] = [(sort.param, sort.joint.join(parts))]
    if sort.direction_param:
        pairs.append((sort.direction_param, sort.descending if plan.sort[0].is_descending else sort.ascending))
    return pairs


def _sort_name(plan: ListPlan, key: SortKey) -> str:
    field = plan.form.fields[key.field]
    listing = plan.listing
    grammar = grammar_of(listing.filter) if listing.sort.in_language else None
    own = grammar.named(field) if grammar is not None else field.path
    return listing.sort.columns.get(key.field) or listing.filter.columns.get(key.field) or own


def can_sort(listing: ListManifest, query: EntityQuery) -> bool:
    """Whether the system can order as a query asks."""
    sort = listing.sort
    if not sort.param and not sort.in_language:
        return not query.sort
    if sort.columns and any(key.field not in sort.columns for key in query.sort):
        return False
    if not sort.in_language and not sort.has_direction and any(key.is_descending for key in query.sort):
        return False
    return len(query.sort) <= 1 or bool(sort.joint) or sort.in_language


def _parametrised(
    line: RequestLine,
    pairs: list[tuple[str, JsonValue]],
    body: JsonObject,
    place: ListPlace,
    known: Mapping[str, str],
) -> SystemRequest:
    path = filled_path(line.path, known)
    if place is ListPlace.QUERY and line.method == "GET":
        query = tuple((name, literal_text(value)) for name, value in pairs)
        return SystemRequest(line.method, path, query, host=line.host)
    members = dict(body)
    if place is ListPlace.BODY:
        for name, value in pairs:
            put_at(members, name, value)
    content_type, data = encoded_body(BodyKind.JSON, members)
    query = tuple((name, literal_text(value)) for name, value in pairs) if place is ListPlace.QUERY else ()
    return SystemRequest(line.method, path, query, content_type=content_type, body=data, host=line.host)
