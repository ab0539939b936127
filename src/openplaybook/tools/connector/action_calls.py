"""One call of a configured action: the model's arguments to the connection's port, and what comes back to an output."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from openplaybook.connectors.base import (
    CUSTOM_QUERY,
    DEFAULT_PAGE_SIZE,
    DEFAULT_QUERY_ROWS,
    DEFAULT_QUERY_TIMEOUT_S,
    LARGEST_PAGE_SIZE,
    ActionType,
    Entity,
    EntityOperation,
    EntityQuery,
    EntityType,
    QueryParameter,
    QueryResult,
    SortKey,
    SqlQuery,
    SystemCall,
    SystemConnection,
    WriteReport,
)
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.conditions.syntax import Condition
from openplaybook.connectors.errors import (
    InvalidValue,
    OperationUnsupported,
    UnknownName,
    UnsuitedColumn,
    WriteInDoubt,
    WriteRefused,
)
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.tools.base import Success
from openplaybook.tools.connector.action_schemas import (
    FIELDS,
    FILTER,
    KEY,
    condition_columns,
    shown,
    takes_wrapped_fields,
    writable,
)
from openplaybook.tools.connector.connector_spec import ConfiguredAction
from openplaybook.tools.connector.reply_budget import fitted, read_token, resumed_token

_AUDIT = logging.getLogger("openplaybook.audit")
_WRAPPERS = (FIELDS, "connectorInputPayload")
"""Members under which the values of an entity may come instead of beside the other arguments."""
_SPELLINGS = {"conditions": FILTER, "filterClause": FILTER, "entity_id": KEY, "page_size": "pageSize"}
"""Of Google's other surfaces."""

_ARGUMENTS = {
    EntityOperation.LIST: (FILTER, "pageSize", "pageToken", "sortBy"),
    EntityOperation.GET: (KEY,),
    EntityOperation.DELETE: (KEY, FILTER),
}
"""Of operations that take no fields."""


@dataclass(frozen=True, slots=True)
class CallSite:
    """Where and on whose behalf a call is made, for the audit line of a write."""

    connection: str
    session: str
    caller: str


@dataclass(frozen=True, slots=True)
class EntityCall:
    """A call of an operation on entities."""

    action: ConfiguredAction
    entity_type: EntityType
    site: CallSite

    async def take(self, arguments: JsonObject, system: SystemConnection, call: SystemCall) -> Success:
        """Do it. Raises `ConnectorError`."""
        given = self._given(arguments)
        call.returned = self.action.output_fields
        try:
            return await self._done(given, system, call)
        except WriteInDoubt:
            _audit("connection write in doubt", self.site, self.action)
            raise

    async def _done(self, given: JsonObject, system: SystemConnection, call: SystemCall) -> Success:
        match self.action.operation:
            case EntityOperation.LIST:
                return await self._list(given, system, call)
            case EntityOperation.GET:
                fields = [each.name for each in shown(self.action, self.entity_type)]
                entity = await system.get(self.entity_type.name, _key(given), fields, call)
                return self._entity(entity)
            case EntityOperation.CREATE:
                values = self._values(given)
                entity = await system.create(self.entity_type.name, values, call)
                _audit("connection write", self.site, self.action, rows=1)
                return self._entity(entity)
            case EntityOperation.UPDATE:
                return await self._update(given, system, call)
            case _:
                return await self._delete(given, system, call)

    def _given(self, arguments: JsonObject) -> JsonObject:
        """The arguments by our names. Raises `UnknownName` for one that the operation does not have, which would be
        taken for a condition otherwise."""
        own = _ARGUMENTS.get(self.action.operation or EntityOperation.LIST)
        fields = () if own else [each.name for each in writable(self.action, self.entity_type)]
        given = {name if name in fields else _SPELLINGS.get(name, name): value for name, value in arguments.items()}
        if own is None:
            return given
        for name, value in given.items():
            if name not in own and value is not None:
                raise UnknownName("argument", name, own)
        return given

    async def _list(self, given: JsonObject, system: SystemConnection, call: SystemCall) -> Success:
        page_token, skipped = read_token(_text(given, "pageToken"))
        fields = tuple(each.name for each in shown(self.action, self.entity_type))
        query = EntityQuery(
            entity_type=self.entity_type.name,
            condition=self._condition(given),
            fields=fields if self.action.output_fields else (),
            sort=tuple(self._sort_key(each) for each in _texts(given.get("sortBy"), "sortBy")),
            page_size=_number(given, "pageSize", DEFAULT_PAGE_SIZE, LARGEST_PAGE_SIZE),
            page_token=page_token,
        )
        page = await system.list(query, call)
        rows = [self._projected(each) for each in page.entities[skipped:]]
        kept = fitted(rows)
        output: JsonObject = {"entities": list(kept.rows)}
        if kept.dropped:
            output["nextPageToken"] = resumed_token(page_token, skipped + len(kept.rows))
        elif page.next_page_token:
            output["nextPageToken"] = resumed_token(page.next_page_token, 0)
        notes = [f"{kept.dropped} more of this page come with nextPageToken"] if kept.dropped else []
        notes += ["long values were shortened"] if kept.is_shortened else []
        notes += _told(page.notes)
        return Success(output, note="; ".join(notes))

    async def _update(self, given: JsonObject, system: SystemConnection, call: SystemCall) -> Success:
        set_by = {name: value for name, value in given.items() if name not in (KEY, FILTER)}
        if takes_wrapped_fields(self.action, self.entity_type) and isinstance(given.get(FIELDS), dict):
            set_by = as_object(given[FIELDS])
        values = self._values(set_by)
        if not values:
            raise InvalidValue("", "no field to change is given")
        if given.get(KEY) is not None:
            entity = await system.update(self.entity_type.name, _key(given), values, call)
            _audit("connection write", self.site, self.action, rows=1)
            return self._entity(entity, updated=1)
        report = await system.update_where(self.entity_type.name, self._needed_condition(given), values, call)
        return self._reported(report, "updated")

    async def _delete(self, given: JsonObject, system: SystemConnection, call: SystemCall) -> Success:
        if given.get(KEY) is not None:
            await system.delete(self.entity_type.name, _key(given), call)
            _audit("connection write", self.site, self.action, rows=1)
            return Success({"deleted": 1, "entityIds": [_key(given)]})
        report = await system.delete_where(self.entity_type.name, self._needed_condition(given), call)
        return self._reported(report, "deleted")

    def _reported(self, report: WriteReport, verb: str) -> Success:
        _audit("connection write", self.site, self.action, rows=report.count)
        output: JsonObject = {verb: report.count}
        if report.keys:
            output["entityIds"] = list(report.keys)
        if report.failures:
            output["failures"] = dict(report.failures)
        return Success(output)

    def _condition(self, given: JsonObject) -> Condition | None:
        text = _text(given, FILTER)
        columns = [each.name for each in condition_columns(self.action, self.entity_type)]
        # What the call gives back the model knows; of other columns nothing is said.
        given_back = [each.name for each in shown(self.action, self.entity_type)]
        return parsed_condition(text, columns, given_back) if text.strip() else None

    def _needed_condition(self, given: JsonObject) -> Condition:
        condition = self._condition(given)
        if condition is None:
            raise WriteRefused(f"{KEY} or {FILTER} is needed: not all entities are written at once")
        return condition

    def _sort_key(self, text: str) -> SortKey:
        name, _, direction = text.strip().rpartition(" ")
        is_directed = direction.lower() in ("asc", "desc") and bool(name)
        name = name.strip() if is_directed else text.strip()
        columns = [each.name for each in condition_columns(self.action, self.entity_type)]
        if name not in columns:
            if name in [each.name for each in shown(self.action, self.entity_type)]:
                raise UnsuitedColumn(name, "ordered", columns)
            raise UnknownName("column", name, columns)
        return SortKey(name, is_directed and direction.lower() == "desc")

    def _values(self, given: JsonObject) -> JsonObject:
        """The fields that are to be set. Raises `UnknownName` for one that may not be."""
        known = [each.name for each in writable(self.action, self.entity_type)]
        for wrapper in _WRAPPERS:
            if wrapper in given and wrapper not in known and isinstance(given[wrapper], dict):
                rest = {name: value for name, value in given.items() if name != wrapper}
                given = {**rest, **as_object(given[wrapper])}
        for name in given:
            if name not in known:
                raise UnknownName("field", name, known)
        return given

    def _projected(self, entity: Entity) -> JsonObject:
        if not self.action.output_fields:
            return entity.fields
        return {name: entity.fields[name] for name in self.action.output_fields if name in entity.fields}

    def _entity(self, entity: Entity, **beside: JsonValue) -> Success:
        kept = fitted([self._projected(entity)])
        output: JsonObject = {"entity": kept.rows[0], KEY: entity.key, **beside}
        return Success(output, note="long values were shortened" if kept.is_shortened else "")


@dataclass(frozen=True, slots=True)
class SystemActionCall:
    """A call of an action of the system's own."""

    action: ConfiguredAction
    action_type: ActionType
    site: CallSite

    async def take(self, arguments: JsonObject, system: SystemConnection, call: SystemCall) -> Success:
        """Do it. Raises `ConnectorError`."""
        try:
            result = await self._taken(arguments, system, call)
        except WriteInDoubt:
            _audit("connection action in doubt", self.site, self.action)
            raise
        if not self.action_type.is_read_only:
            _audit("connection action", self.site, self.action, rows=rows_of(result))
        kept = fitted([self._projected(row) for row in result.rows]) if result.rows else None
        output: JsonObject = {"results": list(kept.rows) if kept else []}
        notes = _told(result.notes)
        if result.is_truncated:
            notes.append("there are more rows")
        if kept and kept.dropped:
            notes.append(f"{kept.dropped} more rows were left out for their size")
        if kept and kept.is_shortened:
            notes.append("long values were shortened")
        return Success(output, note="; ".join(notes))

    async def _taken(self, arguments: JsonObject, system: SystemConnection, call: SystemCall) -> QueryResult:
        if self.action_type.name == CUSTOM_QUERY:
            return await system.query(_query(arguments, call), call)
        known = self.action.input_fields or [each.name for each in self.action_type.parameters]
        for name in arguments:
            if name not in known:
                raise UnknownName("parameter", name, known)
        return await system.execute(self.action_type.name, arguments, call)

    def _projected(self, row: JsonObject) -> JsonObject:
        if not self.action.output_fields:
            return row
        return {name: row[name] for name in self.action.output_fields if name in row}


def rows_of(result: QueryResult) -> int:
    """How many rows an action changed, where the system says it, else how many it gave: for the audit."""
    changed = result.notes.get("rowsAffected")
    return changed if isinstance(changed, int) else len(result.rows)


def _audit(event: str, site: CallSite, action: ConfiguredAction, **counts: int) -> None:
    """Who wrote how much, without what."""
    told = {"connection": site.connection, "session": site.session, "caller": site.caller, "operation": action.name}
    _AUDIT.info(event, extra=told | counts)


def _query(arguments: JsonObject, call: SystemCall) -> SqlQuery:
    text = arguments.get("query")
    if not isinstance(text, str) or not text.strip():
        raise InvalidValue("query", "is required, a text")
    parameters = [_parameter(each) for each in as_list(arguments.get("queryParameters"))]
    timeout_s = min(float(_number(arguments, "timeout", DEFAULT_QUERY_TIMEOUT_S, 3600)), call.timeout_s)
    return SqlQuery(text, tuple(parameters), _number(arguments, "maxRows", DEFAULT_QUERY_ROWS, 10_000), timeout_s)


def _parameter(value: JsonValue) -> QueryParameter:
    """A bare value, or `{value}` as Integration Connectors has it."""
    wrapped = as_object(value)
    return QueryParameter(wrapped["value"] if "value" in wrapped and len(wrapped) <= 2 else value)


def _key(given: Mapping[str, JsonValue]) -> str:
    key = given.get(KEY)
    if isinstance(key, bool) or not isinstance(key, str | int) or key == "":
        raise InvalidValue(KEY, "is required, a text or a whole number")
    return str(key)


def _text(given: Mapping[str, JsonValue], name: str) -> str:
    value = given.get(name)
    if value is not None and not isinstance(value, str):
        raise InvalidValue(name, "must be a text")
    return value or ""


def _texts(value: JsonValue, name: str) -> Sequence[str]:
    texts = [value] if isinstance(value, str) else as_list(value)
    if not all(isinstance(each, str) for each in texts):
        raise InvalidValue(name, "must be a list of texts")
    return [each for each in texts if each.strip()]


def _number(given: Mapping[str, JsonValue], name: str, default: int, most: int) -> int:
    value = given.get(name)
    if value is None:
        return default
    if isinstance(value, str) and value.isdecimal():
        value = int(value[:9])
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InvalidValue(name, "must be a whole number from 1 on")
    return min(value, most)


def _told(notes: JsonObject) -> list[str]:
    """What an answer of a connection says of itself, in words."""
    told: list[str] = []
    if notes.get("truncated"):
        told.append(f"not all were looked at ({notes.get('rowsScanned', 'some')} were)")
    return told


def refuse_unsupported(action: ConfiguredAction, entity_type: EntityType) -> None:
    """Raises `OperationUnsupported` where the entity type has no such operation."""
    if action.operation is not None and action.operation not in entity_type.operations:
        raise OperationUnsupported(unsupported(action.operation, entity_type))


def unsupported(operation: EntityOperation, entity_type: EntityType) -> str:
    """A sentence that says what an entity type takes instead of an operation."""
    allowed = ", ".join(sorted(each.value for each in entity_type.operations))
    keyless = operation is EntityOperation.GET and not entity_type.key
    why = ", since it has no key" if keyless else ""
    return f"{entity_type.name} takes no {operation.value}{why}; it takes: {allowed}"
