"""What was changed in an app: an entry for each change, kept with the app, at least the latest thousand of them."""

import contextlib
from collections.abc import Mapping
from typing import ClassVar

from openplaybook.jsonvalues import JsonObject, as_object, loads
from openplaybook.resources.message_fields import descriptor_of
from openplaybook.resources.names import APP_CHANGELOGS, new_id, root_of
from openplaybook.services.collection import Collection
from openplaybook.services.large_messages import done_aside
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import APP, APP_CHANGELOG
from openplaybook.services.resource_service import ResourceService
from openplaybook.storage.base import Change, Delete, Record
from openplaybook.storage.errors import RecordNotFound
from openplaybook.wire.codec import JsonError
from openplaybook.wire.messages import ApiMessage

KEPT_WRITES = 2000
"""An entry is forgotten when its changelog has seen so many writes since. That an entry is forgotten is a write too, so
that a thousand entries stay in the long run."""
_FORGOTTEN_AT_ONCE = 3
_MAX_RESOURCE = 100_000
"""Bytes of a resource that an entry shows; of a larger one it only says what it is."""
_UNSHOWN = ("etag", "update_time", "snapshot")
"""Fields that say nothing of a change: two follow from it, and a version's snapshot is the app again."""

CREATE, UPDATE, DELETE, RESTORE, IMPORT = "Create", "Update", "Delete", "Restore", "Import"


class Changes:
    """Makes the entries of changelogs, and forgets old ones while it does.

    As it is stored, an entry's number is that of the writes which the changelog had seen, so that its age can be told
    from it; what is shown is its place in the store.
    """

    def __init__(self, parts: ServiceParts) -> None:
        self._parts = parts
        self._entries = Collection(APP_CHANGELOG, parts)

    async def entry(self, before: ApiMessage | None, after: ApiMessage | None, action: str = "") -> Change:
        """The entry of one change of a resource, to be written with it; None stands for there being none."""
        one = after if after is not None else before
        assert one is not None, "a change must be one of something"
        app = root_of(one.name)
        number = await self._parts.store.revision(f"{app}/changelogs") + 1
        await self._forget_old(app, number)
        entry = self._entries.new()
        entry.name = str(APP_CHANGELOGS.child(app, new_id()))
        entry.author = self._parts.caller()
        entry.display_name = one.display_name
        entry.resource = one.name
        entry.resource_type = descriptor_of(one).name
        entry.action = action or (CREATE if before is None else UPDATE if after is not None else DELETE)
        entry.sequence_number = number
        entry.create_time.FromMicroseconds(self._parts.now_us())
        size = sum(each.ByteSize() for each in (before, after) if each is not None)
        return await done_aside(lambda: self._put(entry, before, after), size)

    def _put(self, entry: ApiMessage, before: ApiMessage | None, after: ApiMessage | None) -> Change:
        old, new = self._excerpt(before), self._excerpt(after)
        entry.description = ", ".join(sorted(key for key in old.keys() | new.keys() if old.get(key) != new.get(key)))
        for field, resource in (("original_resource", old), ("new_resource", new)):
            if resource:
                getattr(entry, field).update(resource if self._is_readable(resource) else _named(resource))
        return self._entries.put(entry, expect=0)

    def _is_readable(self, resource: JsonObject) -> bool:
        """Whether an entry that shows a resource can be read again: a Struct holds fewer objects within each other than
        some messages do."""
        try:
            self._parts.api.codec.from_json({"newResource": resource}, self._entries.new())
        except JsonError:
            return False
        return True

    async def _forget_old(self, app: str, number: int) -> None:
        """Delete entries of an app that are too many: a few at a time, since it is done at every change."""
        for record in await self._parts.store.list(app, APP_CHANGELOG.record, limit=_FORGOTTEN_AT_ONCE):
            # An entry that cannot be read whole, as earlier versions stored some, keeps no app from being changed.
            if int(str(as_object(loads(record.body)).get("sequenceNumber", 0))) > number - KEPT_WRITES:
                return
            with contextlib.suppress(RecordNotFound):
                await self._parts.store.apply([Delete(record.name)])

    def _excerpt(self, resource: ApiMessage | None) -> JsonObject:
        if resource is None:
            return {}
        copy = type(resource)()
        copy.CopyFrom(resource)
        for field in _UNSHOWN:
            if field in descriptor_of(copy).fields_by_name:
                copy.ClearField(field)
        if copy.ByteSize() > _MAX_RESOURCE:
            copy = type(resource)(name=resource.name, display_name=resource.display_name)
        return self._parts.api.codec.to_json(self._parts.inline_secrets.mask(copy))


def _named(resource: JsonObject) -> JsonObject:
    """What an entry shows of a resource that it cannot hold."""
    return {key: resource[key] for key in ("name", "displayName") if key in resource}


class _Entries(Collection):
    """Entries as they are shown, numbered in the order in which they were stored: no two are alike."""

    def message_of(self, record: Record) -> ApiMessage:
        """The entry in a record."""
        entry = super().message_of(record)
        entry.sequence_number = record.position
        return entry


class Changelogs(ResourceService):
    """The changes of an app, oldest first where the request orders nothing else."""

    filter_aliases: ClassVar[Mapping[str, str]] = {"resource_name": "resource"}

    def __init__(self, parts: ServiceParts) -> None:
        super().__init__(APP_CHANGELOG, parts, parent=APP)
        self.records = _Entries(APP_CHANGELOG, parts)
