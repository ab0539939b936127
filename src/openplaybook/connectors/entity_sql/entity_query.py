"""Runs SQL over the entities of a connection: scans what it needs by pages, then evaluates the query here."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

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
from openplaybook.connectors.conditions.syntax import (
    ColumnComparison,
    ComparisonOperator,
    Condition,
    ConditionConjunction,
    Literal,
    columns_of,
    renamed,
)
from openplaybook.connectors.entity_sql.entity_tables import LoadedTable, queried
from openplaybook.connectors.entity_sql.query_plan import TableScan, planned
from openplaybook.connectors.errors import InvalidValue, OperationUnsupported, UnknownName
from openplaybook.jsonvalues import JsonObject, JsonValue, dumps

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
    fields, tested = _used(scan, entity_type)
    condition, is_pushed = _pushed(scan.condition, entity_type)
    asked_for = _asked_for(tested, condition)
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
        rows += [{**each.fields, **asked_for} for each in page.entities]
        size += sum(len(dumps(each.fields)) for each in page.entities)
        is_whole = is_whole and not page.notes.get("truncated")
        is_more = bool(page.next_page_token)
        asked = replace(asked, page_token=page.next_page_token)
    is_enough = enough is not None and len(rows) >= enough
    is_whole = is_whole and (is_enough or not (is_more or len(rows) > most))
    known = [each.name for each in entity_type.fields]
    return LoadedTable(scan.table, (*fields, *tested), rows[:most], known), is_whole, size


async def _entity_type(name: str, system: SystemConnection, call: SystemCall) -> EntityType:
    """The entity type of a table's name, whatever its case where only one differs so."""
    try:
        return await system.entity_type(name, call)
    except UnknownName as error:
        alike = [each for each in error.known if each.casefold() == name.casefold()]
        if len(alike) != 1:
            raise
        return await system.entity_type(alike[0], call)


def _used(scan: TableScan, entity_type: EntityType) -> tuple[Sequence[Field], Sequence[Field]]:
    """The fields that are read, and those among the query's columns that can only be tested."""
    wanted = {each.casefold() for each in scan.columns}
    given = [each for each in entity_type.fields if each.is_given]
    used = [each for each in given if not wanted or each.name.casefold() in wanted]
    tested = [each for each in entity_type.fields if not each.is_given and each.name.casefold() in wanted]
    # `SELECT COUNT(*)` names no column, and a table has at least one.
    return used or given[:1], tested


def _pushed(condition: Condition | None, entity_type: EntityType) -> tuple[Condition | None, bool]:
    """What of the condition the system is asked, in the entity type's own names, and whether that is all of it: terms
    that name what is no field, or cannot be asked by, are left to the evaluation here."""
    if condition is None:
        return None, True
    filterable = [each.name for each in entity_type.fields if each.is_filterable]
    names = {column: known_column(column, filterable) for column in columns_of(condition)}
    known = {column: name for column, name in names.items() if name is not None}
    terms = condition.terms if isinstance(condition, ConditionConjunction) else (condition,)
    kept = tuple(renamed(each, known) for each in terms if known.keys() >= set(columns_of(each)))
    asked = kept[0] if len(kept) == 1 else ConditionConjunction(kept) if kept else None
    return asked, len(kept) == len(terms)


def _asked_for(tested: Sequence[Field], condition: Condition | None) -> JsonObject:
    """The values of fields that can only be tested: what the system was asked for is so of all that it gives. Raises
    `InvalidValue` for one that it is not asked by."""
    terms = condition.terms if isinstance(condition, ConditionConjunction) else (condition,)
    equal = {
        each.column: _json(each.value)
        for each in terms
        if isinstance(each, ColumnComparison) and each.operator is ComparisonOperator.EQUAL
    }
    for each in tested:
        if each.name not in equal:
            raise InvalidValue("query", f"{each.name} can only be tested, by {each.name} = … in WHERE")
    return {each.name: equal[each.name] for each in tested}


def _json(value: Literal) -> JsonValue:
    return str(value) if isinstance(value, Decimal) else value


def _sort(keys: Sequence[SortKey], entity_type: EntityType) -> tuple[SortKey, ...]:
    names = [each.name for each in entity_type.fields]
    return tuple(replace(each, field=known_column(each.field, names) or each.field) for each in keys)
