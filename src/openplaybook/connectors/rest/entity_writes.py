"""Reading and writing single entities."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from urllib.parse import unquote, urlsplit

from openplaybook.connectors.base import Entity, SystemCall
from openplaybook.connectors.errors import ConnectorError, EntityNotFound, OperationUnsupported, SystemFault
from openplaybook.connectors.rest.entity_form import EntityForm
from openplaybook.connectors.rest.entity_pages import SystemSender
from openplaybook.connectors.rest.entity_requests import entity_request
from openplaybook.connectors.rest.manifest.kinds import UpdateKind
from openplaybook.connectors.rest.manifest.model import OperationManifest
from openplaybook.connectors.rest.manifest.placeholders import filled_value
from openplaybook.connectors.rest.reply_paths import HEADER, put_at, reply_value, value_at
from openplaybook.connectors.rest.system_request import SystemReply
from openplaybook.connectors.rest.values import literal_text, written_value
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps

_IF_MATCH = "If-Match"


class EntityWrites:
    """Reads and writes the entities of one connection, each by its key."""

    def __init__(self, sender: SystemSender) -> None:
        self._sender = sender

    async def read(self, form: EntityForm, key: str, names: Sequence[str], call: SystemCall) -> Entity:
        """One entity with these fields. Raises `UnknownName`, `EntityNotFound` and `OperationUnsupported`."""
        operation = _operation(form.manifest.get, form, "read by its key")
        fields = form.chosen(names)
        parts = form.parts_of(key)
        values = {**self._sender.values, **parts}
        members = _constant(operation, values)
        request = entity_request(operation, form, values, members, is_write=False, fields=fields)
        reply = await self._sender.send(request, call)
        found = _item(reply, operation)
        if found is None:
            raise EntityNotFound(f"there is no {form.name} {key!r}")
        return replace(form.entity(found, fields, parts), key=key)

    async def create(self, form: EntityForm, values: JsonObject, call: SystemCall) -> Entity:
        """A new entity."""
        operation = _operation(form.manifest.create, form, "created")
        given = form.checked(values, is_new=True)
        scope = _scope(form, given)
        members = form.body(operation, given, {**self._sender.values, **scope})
        request = entity_request(
            operation,
            form,
            {**self._sender.values, **scope, **_texts(given)},
            members,
            is_write=True,
            is_keyed=bool(call.idempotency_key) and self._sender.is_keyed,
            fields=form.chosen(()),
        )
        reply = await self._sender.send(request, call)
        found = _item(reply, operation)
        made = form.entity(found or {}, form.chosen(()), scope)
        key = _key_of(operation, form, reply, made.key, scope)
        kept = {name: value for name, value in given.items() if not form.fields[name].is_write_only}
        told = {name: value for name, value in made.fields.items() if value is not None}
        return Entity(key, {**kept, **told})

    async def update(self, form: EntityForm, key: str, values: JsonObject, call: SystemCall) -> Entity:
        """Change some fields, and give the entity as it is then."""
        reply = await self._changed(form, key, values, call)
        operation = _operation(form.manifest.update, form, "updated")
        found = _item(reply, operation)
        parts = form.parts_of(key)
        if found is not None and form.key_of(found, parts) == key:
            return form.entity(found, form.chosen(()), parts)
        if form.manifest.get is not None:
            try:
                return await self.read(form, key, (), call)
            except ConnectorError:
                # The write was done; that it cannot be looked at now does not undo it.
                return Entity(key, dict(values))
        return Entity(key, dict(values))

    async def change(self, form: EntityForm, key: str, values: JsonObject, call: SystemCall) -> None:
        """Change some fields."""
        await self._changed(form, key, values, call)

    async def delete(self, form: EntityForm, key: str, call: SystemCall) -> None:
        """Take an entity away."""
        operation = _operation(form.manifest.delete, form, "deleted")
        parts = form.parts_of(key)
        values = {**self._sender.values, "entity": form.manifest.path, **parts}
        request = entity_request(operation, form, values, _constant(operation, values), is_write=True)
        try:
            await self._sender.send(request, call)
        except EntityNotFound:
            if not (call.exchanged and call.exchanged[-1].shown().attempts > 1):
                raise
            # The try before this one took it away, and its reply was lost.

    async def _changed(self, form: EntityForm, key: str, values: JsonObject, call: SystemCall) -> SystemReply:
        operation = _operation(form.manifest.update, form, "updated")
        given = form.checked(values, is_new=False)
        parts = form.parts_of(key)
        known = {**self._sender.values, **parts}
        headers: tuple[tuple[str, str], ...] = ()
        before: SystemReply | None = None
        if operation.kind is UpdateKind.PUT_MERGE or operation.etag or operation.increments:
            before = await self._raw(form, key, call)
        if operation.kind is UpdateKind.PUT_MERGE and before is not None:
            members = self._whole(form, operation, before, given, parts)
        else:
            members = form.body(operation, given, known)
        if before is not None:
            tag = before.response.header("ETag")
            headers = ((_IF_MATCH, tag),) if operation.etag == "header" and tag else ()
            self._put_version(form, operation, before, members)
        known["changed"] = ",".join(dict.fromkeys(form.fields[name].member for name in given))
        request = entity_request(
            operation,
            form,
            known,
            members,
            is_write=True,
            is_keyed=bool(call.idempotency_key) and self._sender.is_keyed,
            fields=form.chosen(()),
        )
        if operation.kind is UpdateKind.POST and not self._sender.is_keyed:
            request = replace(request, is_repeatable=False)
        return await self._sender.send(replace(request, headers=(*request.headers, *headers)), call)

    async def _raw(self, form: EntityForm, key: str, call: SystemCall) -> SystemReply:
        operation = _operation(form.manifest.get, form, "read, which its update needs")
        values = {**self._sender.values, **form.parts_of(key)}
        return await self._sender.send(entity_request(operation, form, values, is_write=False), call)

    def _whole(
        self,
        form: EntityForm,
        operation: OperationManifest,
        before: SystemReply,
        given: JsonObject,
        parts: Mapping[str, str],
    ) -> JsonObject:
        """The body of an entity as it was, with the changes."""
        item = form.manifest.get.item if form.manifest.get is not None else ""
        found = value_at(before.value, item)
        whole: JsonObject = {}
        for field in form.fields.values():
            if field.name in given:
                whole[field.name] = given[field.name]
            elif not (field.field.is_read_only or field.is_write_only or field.is_create_only):
                value = form.value(found, field, parts)
                if value is not None:
                    whole[field.name] = value
        return form.body(operation, whole, {**self._sender.values, **parts})

    def _put_version(
        self, form: EntityForm, operation: OperationManifest, before: SystemReply, members: JsonObject
    ) -> None:
        """Put into a body by what the system knows whether the entity was changed meanwhile."""
        found = value_at(before.value, form.manifest.get.item if form.manifest.get is not None else "")
        for path in (operation.etag, operation.increments):
            if not path or path == "header":
                continue
            value = value_at(found, path)
            if value is None:
                raise SystemFault(f"the system gave no {path}, without which {form.name} cannot be updated")
            place = f"{operation.wrap}.{path}" if operation.wrap else path
            put_at(members, place, int(value) + 1 if path == operation.increments else value)


def _operation(operation: OperationManifest | None, form: EntityForm, done: str) -> OperationManifest:
    if operation is None:
        raise OperationUnsupported(f"{form.name} cannot be {done}")
    return operation


def _constant(operation: OperationManifest, values: Mapping[str, str]) -> JsonObject | None:
    """What the body of a read or a delete is; None where there is none."""
    return as_object(filled_value(operation.body, values)) if operation.body else None


def _item(reply: SystemReply, operation: OperationManifest) -> JsonObject | None:
    """The object in a reply, or the first of its array; None without one."""
    found = value_at(reply.value, operation.item)
    first = next(iter(as_list(found)), None) if isinstance(found, list) else found
    return as_object(first) if isinstance(first, dict) else None


def _scope(form: EntityForm, values: JsonObject) -> dict[str, str]:
    return {
        name: literal_text(written_value(form.fields[name], value))
        for name, value in values.items()
        if form.fields[name].is_scope
    }


def _texts(values: JsonObject) -> dict[str, str]:
    return {name: literal_text(value) for name, value in values.items() if not isinstance(value, dict | list)}


def _key_of(
    operation: OperationManifest, form: EntityForm, reply: SystemReply, found: str, scope: Mapping[str, str]
) -> str:
    """The key of what was made, where the manifest says that the reply has it, else as in every entity."""
    if not operation.key:
        return found
    value: JsonValue = reply_value(reply.response, reply.value, operation.key)
    if operation.key.startswith(HEADER) and isinstance(value, str):
        value = unquote(urlsplit(value).path.rstrip("/").rpartition("/")[2])
    if len(form.keys) > 1 and value is not None:
        return dumps([scope[each.name] if each.is_scope else literal_text(value) for each in form.keys]).decode()
    return literal_text(value) or found
