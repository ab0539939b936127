"""Runs SQL over the entities of a connection: scans what it needs by pages, then evaluates the query here."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace

from openplaybook.connectors.base import (
    LARGEST_PAGE_SIZE,
    EntityOperation,
    EntityQuery,
    EntityType,
    Field,
    QueryResult,
    SortKey,
    SqlQuery,
    SystemCall,
    SystemConnection,
)
from openplaybook.connectors.conditions.parser import known_column
from openplaybook.connectors.conditions.syntax import Condition, columns_of, renamed
from openplaybook.connectors.entity_sql.entity_tables import LoadedTable, queried
from openplaybook.connectors.entity_sql.query_plan import TableScan, planned
from openplaybook.connectors.errors import OperationUnsupported, UnknownName
from openplaybook.jsonvalues import JsonObject, dumps

MOST_SCANNED = 5_000
"""Entities that are read for one table."""
MOST_BYTES = 20_000_000
"""Of the entities that are read for one query, as JSON."""


async def run_entity_query(system: SystemConnection, query: SqlQuery, call: SystemCall) -> QueryResult:
    """The rows of a query over entity types as tables.

    Where more entities would have been needed than are read, the notes say so (`truncated`, `rowsScanned`). Raises
    `InvalidValue`, `UnknownName`, `OperationUnsupported`, and what listing raises.
    """
    deadline = time.monotonic() + min(query.timeout_s, call.timeout_s)
    plan = await asyncio.to_thread(planned, query.text, [each.value for each in query.parameters])
    tables: list[LoadedTable] = []
    scanned, is_cut, room = 0, False, MOST_BYTES
    for scan in plan.scans:
        table, is_whole, size = await _scanned(scan, system, call, room)
        tables.append(table)
        room -= size
        scanned += len(table.rows)
        is_cut = is_cut or not is_whole
    result = await asyncio.to_thread(queried, tables, plan.sql, plan.values, query.most_rows, deadline)
    notes: JsonObject = {"rowsScanned": scanned}
    return replace(result, notes={**notes, "truncated": True} if is_cut else notes)


async def _scanned(
    scan: TableScan, system: SystemConnection, call: SystemCall, room: int
) -> tuple[LoadedTable, bool, int]:
    """The table, whether it has all that the query needs, and its bytes."""
    entity_type = await _entity_type(scan.entity_type, system, call)
    if EntityOperation.LIST not in entity_type.operations:
        raise OperationUnsupported(f"{entity_type.name} cannot be listed, so it is no table")
    fields = _used(scan, entity_type)
    condition, is_pushed = _pushed(scan.condition, entity_type)
    enough = scan.most_rows if is_pushed and scan.most_rows is not None else None
    asked = EntityQuery(
        entity_type=entity_type.name,
        condition=condition,
        fields=tuple(each.name for each in fields),
        sort=_sort(scan.sort, entity_type) if enough is not None else (),
        page_size=LARGEST_PAGE_SIZE if enough is None else max(1, min(enough, LARGEST_PAGE_SIZE)),
    )
    most = MOST_SCANNED if enough is None else min(enough, MOST_SCANNED)
    rows: list[JsonObject] = []
    size, is_whole, is_more = 0, True, True
    while is_more and len(rows) < most and size <= room:
        page = await system.list(asked, call)
        rows += [each.fields for each in page.entities]
        size += sum(len(dumps(each.fields)) for each in page.entities)
        is_whole = is_whole and not page.notes.get("truncated")
        is_more = bool(page.next_page_token)
        asked = replace(asked, page_token=page.next_page_token)
    is_enough = enough is not None and len(rows) >= enough
    is_whole = is_whole and (is_enough or not (is_more or len(rows) > most))
    known = [each.name for each in entity_type.fields]
    return LoadedTable(scan.table, fields, rows[:most], known), is_whole, size


async def _entity_type(name: str, system: SystemConnection, call: SystemCall) -> EntityType:
    """The entity type of a table's name, whatever its case where only one differs so."""
    try:
        return await system.entity_type(name, call)
    except UnknownName as error:
        alike = [each for each in error.known if each.casefold() == name.casefold()]
        if len(alike) != 1:
            raise
        return await system.entity_type(alike[0], call)


def _used(scan: TableScan, entity_type: EntityType) -> Sequence[Field]:
    wanted = {each.casefold() for each in scan.columns}
    used = [each for each in entity_type.fields if not wanted or each.name.casefold() in wanted]
    # `SELECT COUNT(*)` names no column, and a table has at least one.
    return used or entity_type.fields[:1]


def _pushed(condition: Condition | None, entity_type: EntityType) -> tuple[Condition | None, bool]:
    """The condition in the entity type's own names, and whether it is all that the query asks: one that names what is
    no field, or cannot be asked by, is left to the evaluation here."""
    if condition is None:
        return None, True
    filterable = [each.name for each in entity_type.fields if each.is_filterable]
    names = {column: known_column(column, filterable) for column in columns_of(condition)}
    if any(name is None for name in names.values()):
        return None, False
    return renamed(condition, {column: name for column, name in names.items() if name is not None}), True


def _sort(keys: Sequence[SortKey], entity_type: EntityType) -> tuple[SortKey, ...]:
    names = [each.name for each in entity_type.fields]
    return tuple(replace(each, field=known_column(each.field, names) or each.field) for each in keys)
