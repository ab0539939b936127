"""Pages of entities: what the system cannot try or order is tried and ordered here, within `SCAN_CAP` entities.

A position is that of the last entity, by its key, or by what the order looks at and its key: whatever is put in or
taken away meanwhile, no entity comes twice and none that was there all the time is left out.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cmp_to_key

from openplaybook.connectors.base import (
    LARGEST_PAGE_SIZE,
    DataType,
    Entity,
    EntityPage,
    EntityQuery,
    EntityType,
    SystemCall,
)
from openplaybook.connectors.conditions.evaluation import field_value, meets
from openplaybook.connectors.conditions.syntax import columns_of
from openplaybook.connectors.errors import EntityNotFound, InvalidValue, UnknownName, UnsuitedColumn
from openplaybook.connectors.page_tokens import PageTokens
from openplaybook.connectors.plugins.base import SCAN_CAP, EntityScan, EntitySource
from openplaybook.connectors.plugins.pushdown import equal_texts
from openplaybook.connectors.value_order import rows_order
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list

_MOST_REQUESTS = 60
"""Of one call."""
_BETWEEN = 20
"""Entities that are tried between two looks at what else there is to do."""


@dataclass(slots=True)
class _Reading:
    """What a call has read so far."""

    entities: list[Entity] = field(default_factory=list[Entity])
    after: str = ""
    """Key of the last entity that was looked at."""
    scanned: int = 0
    is_last: bool = False
    is_cut: bool = False


async def entity_page(
    source: EntitySource, entity_type: EntityType, query: EntityQuery, tokens: PageTokens, call: SystemCall
) -> EntityPage:
    """The page that a query asks for. Raises `InvalidValue`, `UnknownName`, and what the system raises."""
    if not 1 <= query.page_size <= LARGEST_PAGE_SIZE:
        raise InvalidValue("pageSize", f"must be from 1 to {LARGEST_PAGE_SIZE}, not {query.page_size}")
    wanted = known_fields(entity_type, query.fields)
    check_columns(entity_type, query)
    position = as_list(tokens.position(query))
    if _is_by_key(entity_type, query):
        return await _page_by_key(source, _scan(entity_type, query, wanted), query, position, wanted, tokens, call)
    return await _ordered_page(source, _scan(entity_type, query, wanted), query, position, wanted, tokens, call)


async def all_keys(
    source: EntitySource, entity_type: EntityType, query: EntityQuery, most: int, call: SystemCall
) -> tuple[Sequence[str], bool]:
    """Keys of the entities that meet a query's condition, one more than `most` at most, and whether they were all
    looked at."""
    check_columns(entity_type, query)
    reading = _Reading()
    scan = _scan(entity_type, query, (entity_type.key,) if entity_type.field(entity_type.key) else ())
    await _read(source, scan, reading, most + 1, LARGEST_PAGE_SIZE, call)
    keys = list(dict.fromkeys(each.key for each in reading.entities))
    return keys, (reading.is_last and not reading.is_cut) or len(keys) > most


def known_fields(entity_type: EntityType, names: Sequence[str]) -> tuple[str, ...]:
    """The names, all fields without any. Raises `UnknownName`."""
    known = [each.name for each in entity_type.fields]
    for name in names:
        if name not in known:
            raise UnknownName("field", name, known)
    return tuple(names) or tuple(known)


def check_columns(entity_type: EntityType, query: EntityQuery) -> None:
    """Raises `UnknownName` for a column that there is not, `UnsuitedColumn` for one that the condition or the order may
    not name."""
    filterable = sorted(each.name for each in entity_type.fields if each.is_filterable)
    tested = [(each, "filtered") for each in columns_of(query.condition)]
    for column, use in (*tested, *((key.field, "ordered") for key in query.sort)):
        names = {column, column.partition(".")[0]}
        if not names.isdisjoint(filterable):
            continue
        if names.isdisjoint(each.name for each in entity_type.fields):
            raise UnknownName("column", column, filterable)
        raise UnsuitedColumn(column, use, filterable)


def projected(entity: Entity, wanted: Sequence[str]) -> Entity:
    """With the wanted fields alone."""
    return Entity(entity.key, {name: entity.fields[name] for name in wanted if name in entity.fields})


def _scan(entity_type: EntityType, query: EntityQuery, wanted: Sequence[str]) -> EntityScan:
    known = [each.name for each in entity_type.fields]
    tried = [*columns_of(query.condition), *(key.field for key in query.sort)]
    roots = [column if column in known else column.partition(".")[0] for column in tried]
    return EntityScan(entity_type, query.condition, tuple(dict.fromkeys((*wanted, *roots))))


def _is_by_key(entity_type: EntityType, query: EntityQuery) -> bool:
    return not query.sort or (query.sort[0].field == entity_type.key and not query.sort[0].is_descending)


async def _page_by_key(
    source: EntitySource,
    scan: EntityScan,
    query: EntityQuery,
    position: list[JsonValue],
    wanted: Sequence[str],
    tokens: PageTokens,
    call: SystemCall,
) -> EntityPage:
    reading = _Reading(after=str(position[0]) if position else "")
    await _read(source, scan, reading, query.page_size, query.page_size, call)
    token = "" if reading.is_last else tokens.token([reading.after], query)
    entities = tuple(projected(each, wanted) for each in reading.entities)
    return EntityPage(entities, token, _notes(source, scan, reading, is_ordered_here=False))


async def _ordered_page(
    source: EntitySource,
    scan: EntityScan,
    query: EntityQuery,
    position: list[JsonValue],
    wanted: Sequence[str],
    tokens: PageTokens,
    call: SystemCall,
) -> EntityPage:
    reading = _Reading()
    await _read(source, scan, reading, SCAN_CAP, LARGEST_PAGE_SIZE, call)
    # The key, which comes behind, decides in the end.
    signs = [*(-1 if key.is_descending else 1 for key in query.sort), 1]
    columns = [scan.entity_type.field(key.field) for key in query.sort]
    types = [*(each.data_type if each is not None else None for each in columns), DataType.STRING]

    def compared(one: list[JsonValue], other: list[JsonValue]) -> int:
        return rows_order(one, other, types, signs)

    placed = [([*(field_value(e.fields, key.field) for key in query.sort), e.key], e) for e in reading.entities]
    behind = [each for each in placed if not position or compared(each[0], position) > 0]
    behind.sort(key=lambda each: cmp_to_key(compared)(each[0]))
    given = behind[: query.page_size]
    token = tokens.token(given[-1][0], query) if len(behind) > len(given) else ""
    entities = tuple(projected(each, wanted) for _, each in given)
    return EntityPage(entities, token, _notes(source, scan, reading, is_ordered_here=True))


async def _read(
    source: EntitySource, scan: EntityScan, reading: _Reading, wanted: int, size_wanted: int, call: SystemCall
) -> None:
    """Read on until so many entities are there, the end, or a cap."""
    keys = equal_texts(scan.condition, scan.entity_type.key)
    if keys:
        await _read_one(source, scan, reading, keys[0], call)
        return
    is_tried = scan.condition is None or source.tries(scan)
    # One more tells whether there are more.
    size = size_wanted + 1 if is_tried else LARGEST_PAGE_SIZE
    for _ in range(_MOST_REQUESTS):
        batch = await source.batch(scan, reading.after, size, call)
        reading.is_cut = reading.is_cut or batch.is_cut
        for index, entity in enumerate(batch.entities):
            if len(reading.entities) == wanted:
                return
            reading.scanned += 1
            reading.after = entity.key
            if not reading.scanned % _BETWEEN:
                await asyncio.sleep(0)
            if scan.condition is None or meets(scan.condition, entity.fields):
                reading.entities.append(entity)
            reading.is_last = batch.is_last and index == len(batch.entities) - 1
        if batch.is_last or not batch.entities:
            reading.is_last = True
            return
        if reading.scanned >= SCAN_CAP or len(reading.entities) == wanted:
            return


async def _read_one(source: EntitySource, scan: EntityScan, reading: _Reading, key: str, call: SystemCall) -> None:
    """Nothing else has this key, so that nothing else is looked at."""
    reading.is_last = True
    if reading.after:
        return
    try:
        entity = await source.one(scan.entity_type, key, scan.fields, call)
    except (EntityNotFound, InvalidValue):
        return
    reading.scanned = 1
    if scan.condition is not None and meets(scan.condition, entity.fields):
        reading.entities.append(entity)


def _notes(source: EntitySource, scan: EntityScan, reading: _Reading, *, is_ordered_here: bool) -> JsonObject:
    """What was done here instead of by the system; empty where nothing was."""
    notes: JsonObject = {}
    if scan.condition is not None and not source.tries(scan):
        notes["filterPushedDown"] = False
    if is_ordered_here:
        notes["sortPushedDown"] = False
    if notes:
        notes["rowsScanned"] = reading.scanned
    # An order made here is one of all entities or of none; else a token goes on where the reading stopped.
    is_capped = not reading.is_last and (is_ordered_here or reading.scanned >= SCAN_CAP)
    if reading.is_cut or (is_capped and bool(notes)):
        notes["truncated"] = True
    return notes
