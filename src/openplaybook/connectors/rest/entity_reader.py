"""Entities of a page: how each field is read is found out once for all objects of a system, and not for each."""

from collections.abc import Callable, Iterable, Mapping

from openplaybook.connectors.base import Entity
from openplaybook.connectors.rest.entity_form import EntityForm
from openplaybook.connectors.rest.manifest.model import RestField
from openplaybook.connectors.rest.reply_paths import is_member, value_at
from openplaybook.connectors.rest.values import is_plain, literal_text, value_reader
from openplaybook.jsonvalues import JsonObject, JsonValue, as_object


class EntityReader:
    """Reads some fields of one entity type; gives what `EntityForm.entity` gives."""

    def __init__(self, form: EntityForm, fields: Iterable[RestField], scope: Mapping[str, str]) -> None:
        """`scope` are the parts of the address."""
        self._form, self._fields, self._scope = form, tuple(fields), scope
        self._flatten = form.manifest.flatten or form.manifest.flatten_read
        members = [each for each in self._fields if self._is_member(each)]
        self._pairs = [(each.name, each.path) for each in self._fields]
        self._readers = [(each.name, value_reader(each)) for each in members]
        self._coded = [(each.name, value_reader(each)) for each in members if not is_plain(each)]
        self._others = [each for each in self._fields if not self._is_member(each)]
        names = {name for name, _ in self._pairs}
        self._key = form.keys[0].name if len(form.keys) == 1 and form.keys[0].name in names else ""

    def entities(self, items: Iterable[JsonValue], *, has_large: bool) -> list[Entity]:
        """One for each object; `has_large` as of the reply that they come from."""
        pairs, others, key_name = self._pairs, self._others, self._key
        coded = self._readers if has_large else self._coded
        made: list[Entity] = []
        for found in items:
            if type(found) is not dict:
                made.append(self._form.entity(found, self._fields, self._scope))
                continue
            get = self._get_of(found)
            # Those that are no members of the object get their place here.
            fields: JsonObject = {name: get(path) for name, path in pairs}
            for name, read in coded:
                if fields[name] is not None:
                    fields[name] = read(fields[name])
            for each in others:
                fields[each.name] = self._form.value(found, each, self._scope)
            key = fields[key_name] if key_name else self._form.key_of(found, self._scope)
            made.append(Entity(key if type(key) is str else literal_text(key), fields))
        return made

    def _is_member(self, field: RestField) -> bool:
        """Whether it is a member of the object, or of the one in it that `flatten` names."""
        is_elsewhere = (field.is_scope and field.name in self._scope) or (bool(self._flatten) and field.is_outside)
        return not is_elsewhere and is_member(field.path)

    def _get_of(self, found: JsonObject) -> Callable[[str], JsonValue]:
        """Gives members of an object."""
        inner = value_at(found, self._flatten) if self._flatten else None
        if not isinstance(inner, dict):
            return found.get
        inside, outside = as_object(inner).get, found.get

        def member(path: str) -> JsonValue:
            value = inside(path)
            return outside(path) if value is None else value

        return member
