"""Pages of entities: the system's pages are read until ours is full; what the system cannot try or order is done here.

A condition that is tried here may read `SCAN_CAP` entities a call; the page says then how many were read, and its token
goes on where the reading stopped.
"""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cmp_to_key
from time import monotonic
from typing import Protocol

from openplaybook.connectors.base import (
    LARGEST_PAGE_SIZE,
    Entity,
    EntityPage,
    EntityQuery,
    SystemCall,
)
from openplaybook.connectors.conditions.evaluation import field_value, meets
from openplaybook.connectors.conditions.syntax import columns_of
from openplaybook.connectors.errors import (
    EntityNotFound,
    InvalidValue,
    OperationUnsupported,
    UnknownName,
    UnsuitedColumn,
)
from openplaybook.connectors.page_tokens import PageTokens
from openplaybook.connectors.rest.entity_form import EntityForm
from openplaybook.connectors.rest.entity_requests import ListPlan, can_sort, entity_request, page_request
from openplaybook.connectors.rest.languages.pushdown import PushedCondition, needed_columns, pushed
from openplaybook.connectors.rest.manifest.kinds import PagingKind
from openplaybook.connectors.rest.manifest.list_model import ListManifest
from openplaybook.connectors.rest.manifest.model import RestField
from openplaybook.connectors.rest.reply_paths import value_at
from openplaybook.connectors.rest.system_pages import (
    ListPosition,
    SystemPage,
    is_address,
    list_position,
    next_cursor,
    page_size,
)
from openplaybook.connectors.rest.system_request import SystemReply, SystemRequest
from openplaybook.connectors.value_order import rows_order
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list

SCAN_CAP = 1_000
"""Entities that one call reads to try a condition, or to order them, here."""
_MOST_SINGLE = 100
"""The same where each entity is read by its key, because lists of the system do not give it whole."""
_AT_ONCE = 8
"""Entities that are read by their keys at the same time."""
MOST_PAGES = 60
"""Pages of the system that one call reads."""
_MOST_PLANS = 64
"""Queries whose plans are kept."""


_INNER = re.compile(r"[\w$-]+(\.[\w$-]+)+")
"""A member of a column: it stands in the system's language as it is."""
_BETWEEN = 20
"""Entities that are tried between two looks at what else there is to do."""


class SystemSender(Protocol):
    """Sends requests of a connection."""

    values: dict[str, str]
    """What placeholders stand for."""
    is_keyed: bool
    """Whether the system honours idempotency keys."""

    async def send(self, request: SystemRequest, call: SystemCall) -> SystemReply:
        """The reply; raises a subclass of `ConnectorError`."""
        ...

    def without_credential(self, address: str) -> str:
        """A path and query without what proves us."""
        ...


@dataclass(slots=True)
class _Reading:
    """What a call has read so far."""

    position: ListPosition | None
    """Where to go on; None at the end."""
    entities: list[Entity] = field(default_factory=list[Entity])
    scanned: int = 0
    pages: int = 0


def list_plan(form: EntityForm, query: EntityQuery, source: str = "") -> ListPlan:
    """How a query is listed; `source` is the way that a page token says. Raises `UnknownName`, `InvalidValue` and
    `OperationUnsupported`."""
    _check_names(form, query)
    ways = {"list": form.manifest.list, "search": form.manifest.search}
    found = [(name, way, pushed(query.condition, way, form.fields)) for name, way in ways.items() if way is not None]
    usable = [each for each in found if not _lacks(each[1], each[2], form) and source in ("", each[0])]
    if not found:
        raise OperationUnsupported(f"{form.name} cannot be listed")
    if not usable:
        raise InvalidValue("conditions", _lacks(found[0][1], found[0][2], form))
    # Rather one that leaves nothing to be tried here that the system never gives.
    name, way, condition = max(usable, key=lambda each: (not _unseen(form, each[2]), each[2].count, each[0] == "list"))
    unseen = _unseen(form, condition)
    if unseen:
        raise InvalidValue("conditions", _unseen_words(unseen[0], way))
    is_sorted = can_sort(way, query)
    wanted = form.chosen(query.fields)
    local = [*columns_of(condition.left), *([] if is_sorted else [key.field for key in query.sort])]
    more = tuple(each for each in form.fields.values() if each.name in {column.partition(".")[0] for column in local})
    more += tuple(form.fields[column] for column in local if column in form.fields)
    return ListPlan(
        form,
        way,
        name,
        condition,
        query.sort if is_sorted else (),
        () if is_sorted else query.sort,
        tuple({each.name: each for each in (*wanted, *more)}.values()),
        wanted,
    )


class EntityPages:
    """Lists the entities of one connection."""

    def __init__(self, sender: SystemSender, tokens: PageTokens) -> None:
        self._sender = sender
        self._tokens = tokens
        self._plans: dict[str, ListPlan] = {}
        """Of the queries that were asked last: all pages of a listing have the same."""

    async def page(self, form: EntityForm, query: EntityQuery, call: SystemCall) -> EntityPage:
        """The page of entities that a query asks for. Raises what `list_plan` raises, and what sending raises."""
        start = list_position(self._tokens.position(query))
        plan = self._plan(form, query, start.source)
        if plan.local_sort:
            return await self._ordered_page(plan, query, start, call)
        reading = _Reading(position=start)
        wanted = max(1, min(query.page_size, LARGEST_PAGE_SIZE))
        await _read(self._sender, plan, reading, wanted, query.page_size, call)
        token = ""
        if reading.position is not None:
            token = self._tokens.token(replace(reading.position, source=plan.source).packed, query)
        return EntityPage(tuple(_projected(plan, reading.entities)), token, _notes(plan, reading))

    def _plan(self, form: EntityForm, query: EntityQuery, source: str) -> ListPlan:
        # Spelt out: values that are equal, such as 1 and TRUE, are not asked for alike.
        asked = repr((query.entity_type, query.condition, query.fields, query.sort, source))
        plan = self._plans.get(asked)
        if plan is None or plan.form is not form:
            plan = list_plan(form, query, source)
            if len(self._plans) >= _MOST_PLANS:
                self._plans.clear()
            self._plans[asked] = plan
        return plan

    async def _ordered_page(
        self, plan: ListPlan, query: EntityQuery, start: ListPosition, call: SystemCall
    ) -> EntityPage:
        """All entities are read, as far as the cap allows, and ordered here; `skip` counts in that order."""
        reading = _Reading(ListPosition())
        await _read(self._sender, plan, reading, SCAN_CAP, LARGEST_PAGE_SIZE, call)
        ordered = _ordered(plan, reading.entities)
        end = start.skip + query.page_size
        given = tuple(_projected(plan, ordered[start.skip : end]))
        token = ""
        if end < len(ordered):
            token = self._tokens.token(ListPosition(None, end, plan.source).packed, query)
        return EntityPage(given, token, _notes(plan, reading))


async def _read(
    sender: SystemSender, plan: ListPlan, reading: _Reading, wanted: int, size_wanted: int, call: SystemCall
) -> None:
    """Read on from the position until so many entities are there, the end, or a cap."""
    ends = monotonic() + call.timeout_s
    paging = plan.listing.paging
    is_tried_here = plan.pushed.left is not None or bool(plan.local_sort)
    most = _most_scanned(plan)
    size = page_size(paging, min(LARGEST_PAGE_SIZE, most) if is_tried_here else size_wanted)
    if reading.position is not None and reading.position.size:
        size = page_size(paging, reading.position.size)
    while reading.position is not None and len(reading.entities) < wanted:
        if reading.scanned >= most or reading.pages >= MOST_PAGES:
            return
        at = reading.position
        inner = replace(call, timeout_s=max(ends - monotonic(), 0.05))
        page = await _system_page(sender, plan, at.cursor, size, inner)
        if plan.reads_singly:
            page = await _completed(sender, plan, page, inner)
        reading.pages += 1
        following = next_cursor(paging, at.cursor, page)
        if is_address(paging, following):
            following = sender.without_credential(str(following))
        reading.position = None if following is None else ListPosition(following, size=size)
        end = await _take(plan, reading, page, at.skip, wanted)
        if len(reading.entities) == wanted:
            if end < len(page.items):
                reading.position = ListPosition(at.cursor, end, size=size)
            return


async def _take(plan: ListPlan, reading: _Reading, page: SystemPage, start: int, wanted: int) -> int:
    """Take entities of a page from an item on until so many are there; gives the item behind the last one."""
    condition = plan.pushed.left
    if condition is None and not plan.local_sort and None not in page.items:
        items = page.items[start : start + wanted - len(reading.entities)]
        reading.scanned += len(items)
        reading.entities += plan.form.entities(items, plan.read, plan.pushed.scope, has_large=page.has_large)
        return start + len(items)
    for place in range(start, len(page.items)):
        reading.scanned += 1
        if not reading.scanned % _BETWEEN:
            await asyncio.sleep(0)
        if page.items[place] is None:
            continue
        entity = plan.form.entity(page.items[place], plan.read, plan.pushed.scope)
        if condition is not None and not meets(condition, entity.fields):
            continue
        reading.entities.append(entity)
        if len(reading.entities) == wanted:
            return place + 1
    return len(page.items)


def _most_scanned(plan: ListPlan) -> int:
    return _MOST_SINGLE if plan.reads_singly else SCAN_CAP


async def _system_page(
    sender: SystemSender, plan: ListPlan, cursor: JsonValue, size: int, call: SystemCall
) -> SystemPage:
    reply = await sender.send(page_request(plan, cursor, size, sender.values), call)
    items = value_at(reply.value, plan.listing.items)
    found = as_list(items) if isinstance(items, list) else [] if items is None else [items]
    # A system that gives everything on each page has no other end than our cap.
    kept = found if plan.listing.paging.kind is not PagingKind.NONE else found[: 10 * SCAN_CAP]
    return SystemPage(reply.url, reply.response, reply.value, kept, size, reply.has_large)


async def _completed(sender: SystemSender, plan: ListPlan, page: SystemPage, call: SystemCall) -> SystemPage:
    """The page with each entity read by its key, some at a time; what is gone meanwhile is left out by its `None`."""
    ends = monotonic() + call.timeout_s
    found: list[JsonValue] = []
    for start in range(0, len(page.items), _AT_ONCE):
        inner = [replace(call, timeout_s=max(ends - monotonic(), 0.05), exchanged=[]) for _ in range(_AT_ONCE)]
        items = page.items[start : start + _AT_ONCE]
        read = [_single(sender, plan, item, each) for item, each in zip(items, inner, strict=False)]
        results = await asyncio.gather(*read, return_exceptions=True)
        call.exchanged += [exchange for each in inner for exchange in each.exchanged]
        for each in results:
            if isinstance(each, BaseException):
                raise each
            found.append(each)
    return replace(page, items=found, has_large=True)


async def _single(sender: SystemSender, plan: ListPlan, item: JsonValue, call: SystemCall) -> JsonValue:
    operation = plan.form.manifest.get
    if operation is None:
        return item
    values = {**sender.values, **plan.form.parts_of(plan.form.key_of(item, plan.pushed.scope))}
    request = entity_request(operation, plan.form, values, is_write=False, fields=plan.read)
    try:
        reply = await sender.send(request, call)
    except EntityNotFound:
        return None
    return value_at(reply.value, operation.item)


def _ordered(plan: ListPlan, entities: Sequence[Entity]) -> list[Entity]:
    keys = plan.local_sort
    types = [plan.form.fields[key.field].field.data_type for key in keys]
    signs = [-1 if key.is_descending else 1 for key in keys]
    rows = [([field_value(each.fields, key.field) for key in keys], each) for each in entities]
    rows.sort(key=cmp_to_key(lambda one, other: rows_order(one[0], other[0], types, signs)))
    return [each for _, each in rows]


def _projected(plan: ListPlan, entities: Sequence[Entity]) -> Sequence[Entity]:
    if plan.read == plan.wanted:
        return entities
    names = [each.name for each in plan.wanted]
    return [Entity(each.key, {name: each.fields.get(name) for name in names}) for each in entities]


def _notes(plan: ListPlan, reading: _Reading) -> JsonObject:
    """What was done here instead of by the system; empty where nothing was."""
    notes: JsonObject = {}
    if plan.pushed.left is not None:
        notes["filterPushedDown"] = False
    if plan.local_sort:
        notes["sortPushedDown"] = False
    if notes:
        notes |= {"rowsScanned": reading.scanned}
        if reading.position is not None and (plan.local_sort or reading.scanned >= _most_scanned(plan)):
            notes["truncated"] = True
    return notes


def _unseen(form: EntityForm, condition: PushedCondition) -> list[str]:
    """Columns that are left to be tried here and are never given."""
    left = columns_of(condition.left)
    return [column for column in left if column in form.fields and form.fields[column].is_write_only]


def _unseen_words(column: str, way: ListManifest) -> str:
    """How a column may be tested that the system tries and never gives."""
    tests = [f"{column} {each.operator} …" for each in way.filter.parameters if each.column == column]
    return f"can test {column} only as {' or '.join(tests) or 'the system does'}, joined to all else with AND"


def _lacks(way: ListManifest, condition: PushedCondition, form: EntityForm) -> str:
    """What a condition must say for a way to list and does not; empty where nothing is missing."""
    needed = needed_columns(way, form.fields)
    missing = [name for name in needed if name not in condition.scope]
    if missing:
        said = " AND ".join(f"{name} = …" for name in missing)
        return f"must say {said} to list {form.name}, with AND before all else"
    requires = way.filter.requires
    if requires and not condition.fixed & set(requires):
        return f"must say {' or '.join(f'{name} = …' for name in requires)} to list {form.name}"
    return ""


def _check_names(form: EntityForm, query: EntityQuery) -> None:
    names: Mapping[str, RestField] = form.fields
    for column in columns_of(query.condition):
        inner = column.partition(".")[0] if _INNER.fullmatch(column) else ""
        known = names.get(column) or names.get(inner)
        filterable = [each.name for each in names.values() if each.field.is_filterable]
        if known is not None and known.field.is_filterable:
            continue
        if known is None or known.is_write_only:
            raise UnknownName("column", column, filterable)
        raise UnsuitedColumn(column, "filtered", filterable)
    for key in query.sort:
        if key.field not in names or names[key.field].is_write_only:
            raise UnknownName("column", key.field, form.readable())
