"""Actions and queries: requests that a manifest describes besides those of entities."""

from collections.abc import Mapping
from dataclasses import replace
from time import monotonic

from openplaybook.connectors.base import (
    LARGEST_PAGE_SIZE,
    ActionType,
    DataType,
    QueryResult,
    SqlQuery,
    SystemCall,
)
from openplaybook.connectors.custom_query import custom_query_action
from openplaybook.connectors.entity_sql.entity_query import MOST_SCANNED
from openplaybook.connectors.errors import InvalidValue, UnknownName, WriteRefused
from openplaybook.connectors.rest.bodies import encoded_body
from openplaybook.connectors.rest.entity_pages import MOST_PAGES, SystemSender
from openplaybook.connectors.rest.entity_requests import constant_pairs
from openplaybook.connectors.rest.google_texts import MIME_MESSAGE, mail_of
from openplaybook.connectors.rest.graphql_documents import graphql_body, selected_path
from openplaybook.connectors.rest.languages.grammar import Inexpressible
from openplaybook.connectors.rest.languages.known_languages import GRAMMARS
from openplaybook.connectors.rest.manifest.kinds import BodyKind, ListPlace
from openplaybook.connectors.rest.manifest.model import ActionManifest, QueryManifest, RestField, SystemManifest
from openplaybook.connectors.rest.manifest.placeholders import filled_path, filled_value, text_placeholders
from openplaybook.connectors.rest.reply_paths import put_at, value_at
from openplaybook.connectors.rest.system_pages import SystemPage, is_address, next_cursor, page_parameters, page_size
from openplaybook.connectors.rest.system_request import SystemRequest
from openplaybook.connectors.rest.values import literal_text, read_value, written_value
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

_BODILESS = ("GET", "DELETE")
_QUOTES = "'\"`"


def action_types(manifest: SystemManifest) -> list[ActionType]:
    """The actions of a system as clients see them."""
    made = [
        ActionType(
            name=action.name,
            display_name=action.title,
            description=action.description,
            parameters=tuple(each.field for each in action.parameters),
            results=tuple(each.field for each in action.results),
            is_read_only=action.is_read_only,
            is_repeatable=action.is_repeatable,
        )
        for action in manifest.actions.values()
    ]
    if manifest.query is not None:
        language = manifest.query.language
        made.append(
            custom_query_action(f"Runs a query in {language}; each ? stands for a parameter.", is_read_only=True)
        )
    elif manifest.definition.takes_queries:
        made.append(custom_query_action(_OVER_ENTITIES, is_read_only=True))
    return made


_OVER_ENTITIES = (
    "Runs one SELECT in SQL (SQLite) over the entity types as tables, with joins and groups; each ? stands for a "
    f"parameter. Of each table at most {MOST_SCANNED:,} entities are read: narrow them by WHERE."
)


async def executed(
    sender: SystemSender, action: ActionManifest, parameters: JsonObject, call: SystemCall
) -> QueryResult:
    """Take an action."""
    request = action_request(action, parameters, sender.values, is_keyed=bool(call.idempotency_key) and sender.is_keyed)
    reply = await sender.send(request, call)
    found = value_at(reply.value, action.items)
    rows = as_list(found) if isinstance(found, list) else [] if found is None else [found]
    return QueryResult(tuple(_row(each, action.results) for each in rows))


def action_request(
    action: ActionManifest, parameters: JsonObject, values: Mapping[str, str], *, is_keyed: bool = False
) -> SystemRequest:
    """The request of an action. Raises `UnknownName` and `InvalidValue`."""
    given = _checked(action, parameters)
    known = {
        **values,
        **{name: literal_text(value) for name, value in given.items() if not isinstance(value, dict | list)},
    }
    in_path = set(text_placeholders(action.http.path))
    constant = constant_pairs(action.params, known)
    in_constant = set(text_placeholders(dict(action.params)))
    method = action.http.method
    query: list[tuple[str, str]] = [(name, literal_text(value)) for name, value in constant]
    members: JsonObject = {}
    for field in action.parameters:
        if field.name not in given or field.name in in_path or field.name in in_constant:
            continue
        value = given[field.name]
        goes_to_query = field.name in action.in_query or (method in _BODILESS and field.name not in action.in_body)
        if goes_to_query:
            query += [
                (field.path, literal_text(each)) for each in (as_list(value) if isinstance(value, list) else [value])
            ]
        else:
            put_at(members, field.sent_as or field.path, value)
    if action.body_kind is BodyKind.QUERY:
        query += [(name, literal_text(value)) for name, value in members.items()]
        members = {}
    if action.http.call is not None:
        shaped = as_object(filled_value(action.body, given)) if action.body is not None else members
        paths = [selected_path(action.items, each) for each in action.results] or [action.items]
        body = graphql_body(action.http.call, paths, shaped, known, action.payload)
        kind, data = encoded_body(BodyKind.JSON, body)
        return SystemRequest(
            method,
            "",
            content_type=kind,
            body=data,
            is_write=not action.is_read_only,
            is_repeatable=action.is_repeatable,
        )
    content_type, body = _body(action, members, given)
    return SystemRequest(
        method,
        filled_path(action.http.path, known),
        tuple(query),
        content_type=content_type,
        body=body,
        host=action.http.host,
        is_write=not action.is_read_only,
        is_repeatable=action.is_repeatable or is_keyed,
    )


def _body(action: ActionManifest, members: JsonObject, given: JsonObject) -> tuple[str, bytes | None]:
    if action.body is not None and action.body_kind is not BodyKind.QUERY:
        mail = {MIME_MESSAGE: mail_of(given)} if MIME_MESSAGE in text_placeholders(action.body) else {}
        shaped = filled_value(action.body, {**given, **mail})
        return encoded_body(action.body_kind, shaped if shaped is not None else {})
    if action.body_kind is BodyKind.QUERY or (action.http.method in _BODILESS and not members):
        return "", None
    if action.wrap:
        wrapped: JsonObject = {}
        put_at(wrapped, action.wrap, members)
        members = wrapped
    return encoded_body(action.body_kind, members) if members or action.http.method != "POST" else ("", None)


def _checked(action: ActionManifest, parameters: JsonObject) -> JsonObject:
    known = {each.name: each for each in action.parameters}
    made: JsonObject = {}
    for name, value in parameters.items():
        if name not in known:
            raise UnknownName("parameter", name, known)
        if value is not None:
            made[name] = written_value(known[name], value)
    for each in action.parameters:
        if each.name not in made and each.field.default is not None:
            made[each.name] = each.field.default
        if each.field.is_required and each.name not in made:
            raise InvalidValue(each.name, "is required")
    return made


def _row(found: JsonValue, results: tuple[RestField, ...]) -> JsonObject:
    if not isinstance(found, dict):
        return {"value": found}
    if results:
        return {each.name: read_value(each, value_at(found, each.path)) for each in results}
    return as_object(found)


async def queried(sender: SystemSender, manifest: QueryManifest, query: SqlQuery, call: SystemCall) -> QueryResult:
    """Run a query, page by page, until it has given the rows that are wanted. Raises `InvalidValue`, `WriteRefused`."""
    text = query_text(manifest, query)
    wanted = max(1, query.most_rows)
    rows: list[JsonObject] = []
    names: list[str] = []
    cursor: JsonValue = None
    ends = monotonic() + min(call.timeout_s, query.timeout_s)
    size = page_size(manifest.paging, min(wanted, LARGEST_PAGE_SIZE))
    for _ in range(MOST_PAGES):
        inner = replace(call, timeout_s=max(ends - monotonic(), 0.05))
        reply = await sender.send(_query_request(manifest, text, cursor, size, sender.values), inner)
        items = as_list(value_at(reply.value, manifest.items))
        names = names or [str(value_at(each, "name")) for each in as_list(value_at(reply.value, manifest.columns))]
        for each in items:
            row = dict(zip(names, as_list(each), strict=False)) if manifest.columns else _row(each, ())
            rows.append({name: value for name, value in row.items() if name not in manifest.drop})
        page = SystemPage(reply.url, reply.response, reply.value, items, size)
        cursor = next_cursor(manifest.paging, cursor, page)
        if cursor is None or len(rows) > wanted:
            break
    return QueryResult(tuple(rows[:wanted]), is_truncated=len(rows) > wanted or cursor is not None)


def _query_request(
    manifest: QueryManifest, text: str, cursor: JsonValue, size: int, values: Mapping[str, str]
) -> SystemRequest:
    if is_address(manifest.paging, cursor):
        return SystemRequest("GET", str(cursor), host=manifest.http.host, is_absolute=True)
    pairs = [*constant_pairs(manifest.params, values), (manifest.param, text)]
    pairs += page_parameters(manifest.paging, cursor, size)
    path = filled_path(manifest.http.path, values)
    if manifest.place is ListPlace.QUERY:
        query = tuple((name, literal_text(value)) for name, value in pairs)
        return SystemRequest(manifest.http.method, path, query, host=manifest.http.host)
    members: JsonObject = {}
    for name, value in pairs:
        put_at(members, name, value)
    content_type, body = encoded_body(BodyKind.JSON, members)
    return SystemRequest(manifest.http.method, path, content_type=content_type, body=body, host=manifest.http.host)


def query_text(manifest: QueryManifest, query: SqlQuery) -> str:
    """The text with its parameters in place of `?`, each quoted as the language does it. Raises `InvalidValue` and
    `WriteRefused`."""
    text = query.text.strip()
    if manifest.prefix and not text.lower().startswith(manifest.prefix.lower()):
        raise WriteRefused(f"a query in {manifest.language} must begin with {manifest.prefix}")
    grammar = GRAMMARS.get(manifest.language.lower())
    places = _question_marks(text)
    if len(places) != len(query.parameters):
        raise InvalidValue("queryParameters", f"has {len(query.parameters)} values for {len(places)} question marks")
    if places and grammar is None:
        raise InvalidValue(
            "queryParameters", f"cannot be put into {manifest.language}; write the values into the query"
        )
    for place, parameter in reversed(list(zip(places, query.parameters, strict=True))):
        try:
            quoted = grammar.quoted(parameter.value, parameter.data_type or DataType.STRING) if grammar else ""
        except Inexpressible:
            raise InvalidValue("queryParameters", f"has {parameter.value!r}, which the language cannot hold") from None
        text = text[:place] + quoted + text[place + 1 :]
    return text


def _question_marks(text: str) -> list[int]:
    """Places of the question marks that are not within quotes."""
    places: list[int] = []
    quote, index = "", 0
    while index < len(text):
        char = text[index]
        if quote:
            if char == "\\":
                index += 1
            elif char == quote:
                quote = ""
        elif char in _QUOTES:
            quote = char
        elif char == "?":
            places.append(index)
        index += 1
    return places
