"""Entities between the system's objects and ours: fields, keys, bodies of writes."""

from collections.abc import Iterable, Mapping, Sequence

from openplaybook.connectors.base import Entity, EntityOperation, EntityType
from openplaybook.connectors.errors import InvalidValue, UnknownName
from openplaybook.connectors.rest.manifest.model import EntityManifest, OperationManifest, RestField
from openplaybook.connectors.rest.manifest.placeholders import filled_value
from openplaybook.connectors.rest.reading_plan import Getter, ReadingPlan, reading_plan
from openplaybook.connectors.rest.reply_paths import put_at, value_at
from openplaybook.connectors.rest.values import literal_text, read_value, written_value
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps, loads

_MOST_UNASKED = 60
"""Fields that are read where none are chosen; those of the manifest always are."""

_MOST_PLANS = 64
"""Choices of fields for which it is kept how they are read."""


class EntityForm:
    """One entity type: what its manifest says, with all fields that are known of it."""

    def __init__(self, manifest: EntityManifest, name: str, fields: Iterable[RestField]) -> None:
        self.manifest = manifest
        self.name = name
        self.fields = {each.name: each for each in fields}
        self.keys = tuple(each for each in self.fields.values() if each.field.is_key)
        self._flatten = manifest.flatten or manifest.flatten_read
        self._plans: dict[tuple[tuple[str, ...], tuple[str, ...]], ReadingPlan] = {}

    def entity_type(self) -> EntityType:
        """As clients see it."""
        operations = {
            EntityOperation.LIST: self.manifest.list or self.manifest.search,
            EntityOperation.GET: self.manifest.get,
            EntityOperation.CREATE: self.manifest.create,
            EntityOperation.UPDATE: self.manifest.update,
            EntityOperation.DELETE: self.manifest.delete,
        }
        return EntityType(
            name=self.name,
            fields=tuple(each.field for each in self.fields.values()),
            operations=frozenset(kind for kind, each in operations.items() if each is not None),
            description=self.manifest.description,
        )

    def chosen(self, names: Iterable[str]) -> tuple[RestField, ...]:
        """The fields of these names; without any, all that the system gives. Raises `UnknownName`."""
        wanted = tuple(dict.fromkeys(names))
        for name in wanted:
            if name not in self.fields or self.fields[name].is_write_only:
                raise UnknownName("field", name, self.readable())
        if wanted:
            return tuple(self.fields[name] for name in wanted)
        readable = tuple(each for each in self.fields.values() if not each.is_write_only)
        return readable[: max(self.manifest.max_fields or _MOST_UNASKED, len(self.manifest.fields))]

    def readable(self) -> tuple[str, ...]:
        """Names of the fields that the system gives."""
        return tuple(each.name for each in self.fields.values() if not each.is_write_only)

    def entity(self, found: JsonValue, fields: Iterable[RestField], scope: Mapping[str, str]) -> Entity:
        """An object of the system as an entity; `scope` are the parts of its address."""
        members = {each.name: self.value(found, each, scope) for each in fields}
        return Entity(self.key_of(found, scope), members)

    def entities(
        self, items: Iterable[JsonValue], fields: Sequence[RestField], scope: Mapping[str, str], *, has_large: bool
    ) -> list[Entity]:
        """What `entity` gives of each object; `has_large`: whether there may be integers beyond 2^53 or decimals."""
        plan = self._plan(fields, scope)
        pick, others, key_name = plan.pick, plan.others, plan.key
        coded = plan.readers if has_large else plan.coded
        made: list[Entity] = []
        for found in items:
            if found.__class__ is not dict:
                made.append(self.entity(found, fields, scope))
                continue
            members = pick(self._getter(found) if self._flatten else found.get)
            for name, read in coded:
                value = members[name]
                if value is not None:
                    members[name] = read(value)
            for each in others:
                members[each.name] = self.value(found, each, scope)
            key = members[key_name] if key_name else self.key_of(found, scope)
            made.append(Entity(key if key.__class__ is str else literal_text(key), members))
        return made

    def value(self, found: JsonValue, field: RestField, scope: Mapping[str, str]) -> JsonValue:
        """One field of an object of the system."""
        if field.is_scope and field.name in scope:
            return read_value(field, scope[field.name])
        inner = value_at(found, self._flatten) if self._flatten and not field.is_outside else None
        value = value_at(inner, field.path) if inner is not None else None
        return read_value(field, value_at(found, field.path) if value is None else value)

    def key_of(self, found: JsonValue, scope: Mapping[str, str]) -> str:
        """The key: the value of its field, or a JSON array of those of several."""
        parts = [literal_text(self.value(found, each, scope)) for each in self.keys]
        return parts[0] if len(parts) == 1 else dumps(parts).decode() if parts else ""

    def parts_of(self, key: str) -> dict[str, str]:
        """The values of the key's fields. Raises `InvalidValue`."""
        if len(self.keys) == 1:
            return {self.keys[0].name: key}
        try:
            parts = [literal_text(each) for each in as_list(loads(key))]
        except ValueError:
            parts = []
        if len(parts) != len(self.keys) or not all(parts):
            names = ", ".join(each.name for each in self.keys)
            raise InvalidValue("key", f"must be a JSON array of {names}")
        return {each.name: part for each, part in zip(self.keys, parts, strict=True)}

    def body(self, operation: OperationManifest, values: JsonObject, constant: Mapping[str, JsonValue]) -> JsonObject:
        """The members of a write. Raises what `checked` raises."""
        outer: JsonObject = as_object(filled_value(operation.body, {"entity": self.manifest.path, **constant}))
        inside: JsonObject = {}
        # Objects first: other fields may lie in them.
        for name, value in sorted(values.items(), key=lambda pair: not isinstance(pair[1], dict)):
            field = self.fields[name]
            if field.is_scope:
                continue
            put_at(outer if field.is_outside else inside, field.sent_as or field.path, written_value(field, value))
        for name in (self.manifest.flatten, operation.wrap):
            if name:
                inside = _wrapped(name, inside)
        made = _merged(outer, inside)
        return as_object(value_at(made, operation.within)) if operation.within else made

    def checked(self, values: JsonObject, *, is_new: bool) -> JsonObject:
        """Values of a write, those that are not there for a new entity left out. Raises `UnknownName` and
        `InvalidValue`."""
        for name in values:
            field = self.fields.get(name)
            if field is None:
                raise UnknownName("field", name, self._writable(is_new=is_new))
            if field.field.is_read_only:
                raise InvalidValue(name, "is set by the system and cannot be written")
            if field.is_update_only and is_new:
                raise InvalidValue(name, "can only be changed, not set when the entity is made")
            if field.is_create_only and not is_new:
                raise InvalidValue(name, "can only be set when the entity is made")
        if not is_new:
            if not values:
                raise InvalidValue("", "there is nothing to change: give at least one field")
            return values
        given = {name: value for name, value in values.items() if value is not None}
        missing = next(
            (each.name for each in self.fields.values() if each.field.is_required and each.name not in given), ""
        )
        if missing:
            raise InvalidValue(missing, "is required")
        return given

    def _plan(self, fields: Sequence[RestField], scope: Mapping[str, str]) -> ReadingPlan:
        asked = (tuple([each.name for each in fields]), tuple(scope))
        plan = self._plans.get(asked)
        if plan is None:
            if len(self._plans) == _MOST_PLANS:
                self._plans.clear()
            plan = reading_plan(fields, self.keys, scope, is_flattened=bool(self._flatten))
            self._plans[asked] = plan
        return plan

    def _getter(self, found: JsonObject) -> Getter:
        inner = value_at(found, self._flatten)
        return _nested(as_object(inner), found) if isinstance(inner, dict) else found.get

    def _writable(self, *, is_new: bool) -> tuple[str, ...]:
        return tuple(
            each.name
            for each in self.fields.values()
            if not each.field.is_read_only and not (each.is_update_only if is_new else each.is_create_only)
        )


def _nested(inside: JsonObject, outside: JsonObject) -> Getter:
    """Gives members of an object, and of the one around it where that has none."""
    inner, outer = inside.get, outside.get

    def get(path: str) -> JsonValue:
        value = inner(path)
        return outer(path) if value is None else value

    return get


def _wrapped(path: str, members: JsonObject) -> JsonObject:
    made: JsonObject = {}
    put_at(made, path, members)
    return made


def _merged(first: JsonObject, second: JsonObject) -> JsonObject:
    """Both; objects of the same name become one."""
    made = dict(first)
    for name, value in second.items():
        both_objects = isinstance(value, dict) and isinstance(made.get(name), dict)
        made[name] = _merged(as_object(made[name]), as_object(value)) if both_objects else value
    return made
