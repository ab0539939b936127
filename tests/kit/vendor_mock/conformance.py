"""Everything that a manifest declares, done once against a mock of its system: what goes wrong, in sentences."""

import json
import re
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

from openplaybook.connectors.base import (
    CUSTOM_QUERY,
    Entity,
    EntityPage,
    EntityQuery,
    SortKey,
    SqlQuery,
    SystemCall,
)
from openplaybook.connectors.conditions.normal_form import all_of, conjuncts
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.conditions.syntax import ColumnComparison, Condition, columns_of, tests_of
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import ConnectorError, EntityNotFound
from openplaybook.connectors.rest.connection import RestConnection
from openplaybook.connectors.rest.entity_form import EntityForm
from openplaybook.connectors.rest.manifest.kinds import ValueCodec
from openplaybook.connectors.rest.manifest.list_model import ListManifest
from openplaybook.connectors.rest.manifest.model import (
    ActionManifest,
    EntityManifest,
    OperationManifest,
    RestField,
    SystemManifest,
)
from openplaybook.connectors.rest.values import read_value
from openplaybook.jsonvalues import JsonObject, JsonValue
from tests.kit.vendor_mock.made_conditions import NO_FIELD, made_conditions, plain_sample
from tests.kit.vendor_mock.mock import SEEDED, VendorMock
from tests.kit.vendor_mock.reply_shapes import member_schema, shape_problems
from tests.kit.vendor_mock.strict_schema import sample_of
from tests.kit.vendor_mock.vendor_record import VendorRecord


class NoResolver:
    """Nothing but HTTP is spoken here."""

    async def resolve(self, host: str, port: int) -> list[str]:
        """No address."""
        raise OSError("not resolved")


def without_services(manifest: SystemManifest) -> SystemManifest:
    """A manifest without what is asked of SOAP services, which have a mock of their own (`kit.soap`)."""
    if manifest.soap is None:
        return manifest
    host = manifest.soap.host
    entities = {
        name: each for name, each in manifest.entities.items() if each.list is None or each.list.http.host != host
    }
    actions = {name: each for name, each in manifest.actions.items() if each.http.host != host}
    return replace(manifest, entities=entities, actions=actions, soap=None)


@dataclass
class Conformance:
    """One run over a manifest, which may have been changed, against the system as its shipped manifest has it."""

    record: VendorRecord
    manifest: SystemManifest
    problems: list[str] = field(default_factory=list[str])
    executed: set[str] = field(default_factory=set[str])
    """`customers.list`, `FinalizeInvoice`: what was done."""

    def __post_init__(self) -> None:
        self.manifest = without_services(self.record.with_discovered(self.manifest))
        self.mock: VendorMock = self.record.mock()
        access = SystemAccess(self.mock, NoResolver())
        self.connection = RestConnection(self.manifest, self.record.settings(), access)
        self.document = self.record.document()

    async def run(self, part: str = "") -> list[str]:
        """All problems; empty where the manifest does what the vendor's document allows. `part` is the only entity or
        action that is looked at; empty for everything."""
        part = str(self.record.discovered.get("name")) if part == "*" else part
        self.problems += shape_problems(self.record, self.manifest, part)
        async with self._noted("check"):
            if not part:
                await self.connection.check(SystemCall())
        for entity in self.manifest.entities.values():
            if part not in ("", entity.name):
                continue
            form = EntityForm(entity, entity.name, entity.fields)
            await self._listing(entity, form)
            await self._filters(entity)
            await self._single(entity, form)
        for action in self.manifest.actions.values():
            if part not in ("", action.name):
                continue
            async with self._noted(action.name):
                parameters = self._parameters(action)
                await self.connection.execute(action.name, parameters, SystemCall())
                self.executed.add(action.name)
        if self.manifest.query is not None and not part:
            async with self._noted(CUSTOM_QUERY):
                result = await self.connection.query(SqlQuery(self.record.query), SystemCall())
                self._expect(bool(result.rows), "the query gave no rows")
                self.executed.add(CUSTOM_QUERY)
        elif self.manifest.query is None and not part:
            await self._entity_query()
        return self.problems + self.mock.violations

    async def _entity_query(self) -> None:
        """SQL over the first entity type that can be listed."""
        name = next((each.name for each in self.manifest.entities.values() if each.list is not None), "")
        if name:
            async with self._noted(CUSTOM_QUERY):
                where = self.record.conditions.get(name, "")
                text = f'SELECT COUNT(*) AS n FROM "{name}"' + (f" WHERE {where}" if where else "")
                result = await self.connection.query(SqlQuery(text), SystemCall())
                count = len(self.mock.held[name].objects)
                self._expect([*result.rows] == [{"n": count}], f"{text} gave {result.rows}, not {count}")
                self.executed.add(CUSTOM_QUERY)

    async def create(self, name: str) -> Entity:
        """A new entity with made values."""
        entity = self.manifest.entities[name]
        form = EntityForm(entity, name, entity.fields)
        scope = _scope_of(self.record.conditions.get(name, ""))
        assert entity.create is not None
        values = self._values(form, entity.create, scope, True)
        return await self.connection.create(name, values, SystemCall())

    @asynccontextmanager
    async def _noted(self, what: str) -> AsyncGenerator[None]:
        try:
            yield
        except (ConnectorError, ValueError, KeyError, TypeError, AttributeError) as error:
            self.problems.append(f"{what}: {type(error).__name__}: {error}")

    def _expect(self, is_so: bool, message: str) -> None:
        if not is_so:
            self.problems.append(message)

    def _condition(self, entity: EntityManifest) -> Condition | None:
        text = self.record.conditions.get(entity.name, "")
        return parsed_condition(text) if text else None

    async def _listing(self, entity: EntityManifest, form: EntityForm) -> None:
        if entity.list is None:
            return
        name, condition = entity.name, self._condition(entity)
        expected = [self.mock.held[name].key(each) for each in self.mock.held[name].objects] if form.keys else []
        async with self._noted(f"{name}.list"):
            keys = [each.key for each in await self._all(EntityQuery(name, condition, page_size=2))]
            own = [_own_part(key) for key in keys]
            count_is_right = len(keys) == SEEDED
            self._expect(
                own == expected if form.keys else count_is_right, f"{name}: pages of 2 gave {keys}, not {expected}"
            )
            page = await self.connection.list(EntityQuery(name, condition, page_size=200), SystemCall())
            self._expect(len(page.entities) == SEEDED, f"{name}: a page of 200 gave {len(page.entities)}")
            self.executed.add(f"{name}.list")
        async with self._noted(f"{name}.list of fields"):
            wanted = form.readable()[:2]
            page = await self.connection.list(EntityQuery(name, condition, wanted, page_size=2), SystemCall())
            self._expect(all(tuple(each.fields) == wanted for each in page.entities), f"{name}: more than {wanted}")
        for column in self._sortable(entity.list, form):
            for is_descending in (False, True):
                async with self._noted(f"{name} ordered by {column}"):
                    query = EntityQuery(name, condition, sort=(SortKey(column, is_descending),), page_size=2)
                    await self.connection.list(query, SystemCall())

    def _sortable(self, listing: ListManifest, form: EntityForm) -> Iterator[str]:
        if listing.sort.columns:
            yield from listing.sort.columns
        elif listing.sort.param or listing.sort.in_language:
            yield next(each for each in form.readable() if not form.fields[each].is_scope)

    async def _all(self, query: EntityQuery) -> list[Entity]:
        found: list[Entity] = []
        token = ""
        for _ in range(SEEDED + 2):
            asked = EntityQuery(
                query.entity_type, query.condition, query.fields, query.sort, query.page_size, page_token=token
            )
            page: EntityPage = await self.connection.list(asked, SystemCall())
            found += page.entities
            token = page.next_page_token
            if not token:
                break
        return found

    async def _filters(self, entity: EntityManifest) -> None:
        fields = {each.name: each for each in entity.fields}
        for listing in (entity.list, entity.search):
            for text in made_conditions(listing, self.record, self.manifest, fields):
                if text.endswith(NO_FIELD.format("")):
                    self.problems.append(text)
                    continue
                own = self._condition(entity)
                condition = parsed_condition(text)
                tested = set(columns_of(condition))
                terms = [each for each in conjuncts(own) if not _is_replaced(each, condition)]
                both = all_of((condition, *terms))
                async with self._noted(f"{entity.name} where {text}"):
                    page = await self.connection.list(EntityQuery(entity.name, both, page_size=2), SystemCall())
                    is_pushed = "filterPushedDown" not in page.notes
                    is_loose = listing is not None and _is_loose(listing, tested)
                    self._expect(is_pushed or is_loose, f"{entity.name} where {text}: was not pushed down")

    async def _single(self, entity: EntityManifest, form: EntityForm) -> None:
        name, held = entity.name, self.mock.held[entity.name]
        scope = _scope_of(self.record.conditions.get(name, ""))
        if entity.get is not None:
            async with self._noted(f"{name}.get"):
                key = self._key(form, held.objects[0], scope)
                found = await self.connection.get(name, key, (), SystemCall())
                self._compare(form, found, held.objects[0], scope, f"{name}.get")
                wanted = form.readable()[:2]
                some = await self.connection.get(name, key, wanted, SystemCall())
                self._expect(tuple(some.fields) == wanted, f"{name}.get: more than {wanted}")
                self.executed.add(f"{name}.get")
        key = self._key(form, held.objects[1], scope)
        if entity.create is not None:
            async with self._noted(f"{name}.create"):
                made = await self.connection.create(name, self._values(form, entity.create, scope, True), SystemCall())
                own = _own_part(made.key)
                self._expect(held.find(own) is held.objects[-1], f"{name}.create: gave the key {made.key!r}")
                self._expect(len(held.objects) == SEEDED + 1, f"{name}.create: nothing was made")
                await self._read_back(form, made.key, self._values(form, entity.create, scope, True), scope)
                key = made.key or key
                self.executed.add(f"{name}.create")
        if entity.update is not None:
            async with self._noted(f"{name}.update"):
                values = self._values(form, entity.update, scope, False)
                if not values:
                    self.problems.append(f"{name}.update: no field can be changed")
                else:
                    await self.connection.update(name, key, values, SystemCall())
                    await self._read_back(form, key, values, scope)
                self.executed.add(f"{name}.update")
        if entity.delete is not None:
            async with self._noted(f"{name}.delete"):
                before = len(held.objects)
                await self.connection.delete(name, key, SystemCall())
                self._expect(len(held.objects) == before - 1, f"{name}.delete: it is still there")
                try:
                    await self.connection.delete(name, key, SystemCall())
                except EntityNotFound:
                    self.executed.add(f"{name}.delete")
                else:
                    self.problems.append(f"{name}.delete: what is not there was deleted")

    async def _read_back(self, form: EntityForm, key: str, values: JsonObject, scope: dict[str, str]) -> None:
        found = self.mock.held[form.name].find(_own_part(key))
        for name, value in values.items():
            field_ = form.fields[name]
            if field_.is_write_only or field_.is_scope or found is None:
                continue
            got = form.value(found, field_, scope)
            is_same = got == value or str(got).lower() == str(value).lower() or isinstance(value, dict | list)
            self._expect(is_same, f"{form.name}.{name}: {value!r} was written, and is {got!r}")

    def _compare(self, form: EntityForm, found: Entity, held: JsonObject, scope: dict[str, str], what: str) -> None:
        for name, value in found.fields.items():
            field_ = form.fields[name]
            if field_.is_scope and not field_.field.is_key:
                continue
            shipped = next(
                (each for each in self.record.manifest.entities[form.name].fields if each.name == name), None
            )
            if shipped is None:
                self.problems.append(f"{what}: {name} is no field of the shipped manifest")
                continue
            shipped_form = EntityForm(self.record.manifest.entities[form.name], form.name, ())
            expected = shipped_form.value(held, shipped, scope)
            self._expect(value == expected, f"{what}: {name} is {value!r}, not {expected!r}")
            self._expect(value is not None or field_.is_write_only, f"{what}: {name} was not found in the reply")

    def _key(self, form: EntityForm, held: JsonObject, scope: dict[str, str]) -> str:
        """The key of an object, as clients give it."""
        if not form.keys:
            return ""
        shipped = self.record.manifest.entities[form.name]
        return EntityForm(shipped, form.name, shipped.fields).key_of(held, scope)

    def _values(
        self, form: EntityForm, operation: OperationManifest, scope: dict[str, str], is_new: bool
    ) -> JsonObject:
        given = self.record.values.get(form.name, {})
        left_out = self.record.skip_fields.get(form.name, [])
        made: JsonObject = {}
        for field_ in form.fields.values():
            if field_.field.is_read_only or (field_.is_update_only if is_new else field_.is_create_only):
                continue
            if field_.name in left_out and not field_.field.is_required:
                continue
            if field_.is_scope:
                made[field_.name] = given.get(field_.name) or scope.get(field_.name) or "1"
            elif field_.name in given:
                made[field_.name] = read_value(field_, given[field_.name])
            else:
                made[field_.name] = self._sample(form, field_, operation)
        return made

    def _sample(self, form: EntityForm, field_: RestField, operation: OperationManifest) -> JsonValue:
        if field_.field.data_type.value in ("STRUCT", "ARRAY", "OTHER") and field_.codec is not ValueCodec.CSV:
            return self._vendor_sample(form, field_, operation)
        return plain_sample(field_)

    def _vendor_sample(self, form: EntityForm, field_: RestField, operation: OperationManifest) -> JsonValue:
        """Of an object or array: as the vendor's document has it."""
        path = operation.http.path.replace("{entity}", form.manifest.path)
        vendor = self.document.find(
            operation.http.method, self.record.base_of(operation.http.host) + re.sub(r"\{[\w.]+\}", "1", path)
        )
        schema = next(iter(vendor.bodies.values()), {}) if vendor is not None else {}
        for name in filter(None, [operation.wrap, "" if field_.is_outside else form.manifest.flatten]):
            schema = member_schema(self.document, schema, name) or {}
        found = member_schema(self.document, schema, field_.sent_as or field_.path)
        if not found:
            return ["a"] if field_.field.data_type.value == "ARRAY" else {"a": "b"}
        return _as_list(field_, sample_of(self.document, found))

    def _parameters(self, action: ActionManifest) -> JsonObject:
        given = self.record.parameters.get(action.name, {})
        made: JsonObject = {}
        for each in action.parameters:
            if each.name in given:
                made[each.name] = given[each.name]
            elif each.field.data_type.value in ("STRUCT", "ARRAY", "OTHER") and each.codec is ValueCodec.PLAIN:
                made[each.name] = self._action_sample(action, each)
            else:
                made[each.name] = plain_sample(each)
        return made

    def _action_sample(self, action: ActionManifest, parameter: RestField) -> JsonValue:
        path = self.record.base_of(action.http.host) + re.sub(r"\{[\w.]+\}", "1", action.http.path)
        vendor = self.document.find(action.http.method, path)
        schema = next(iter(vendor.bodies.values()), {}) if vendor is not None else {}
        if action.wrap:
            schema = member_schema(self.document, schema, action.wrap) or {}
        found = member_schema(self.document, schema, parameter.sent_as or parameter.path)
        if not found:
            return ["a"] if parameter.field.data_type.value == "ARRAY" else {"a": "b"}
        return _as_list(parameter, sample_of(self.document, found))


def _as_list(each: RestField, sample: JsonValue) -> JsonValue:
    """Of a path with `[*]` the schema is that of one value."""
    return [sample] if each.field.data_type.value == "ARRAY" and not isinstance(sample, list) else sample


def _own_part(key: str) -> str:
    return str(json.loads(key)[-1]) if key.startswith("[") else key


def _is_replaced(term: Condition, condition: Condition) -> bool:
    """Whether a test of the same column stands in place of a term; both ends of a range may stand together."""
    if isinstance(term, ColumnComparison) and isinstance(condition, ColumnComparison):
        ends = {term.operator.value[0], condition.operator.value[0]}
        return term.column == condition.column and ends != {"<", ">"}
    return bool(set(columns_of(term)) & set(columns_of(condition)))


def _scope_of(text: str) -> dict[str, str]:
    tests = tests_of(parsed_condition(text)) if text else ()
    return {each.column: str(each.value) for each in tests if isinstance(each, ColumnComparison)}


def _is_loose(listing: ListManifest, tested: set[str]) -> bool:
    """Whether what the system tries is tried here once more."""
    return any(each.is_loose and each.column in tested for each in listing.filter.parameters)
