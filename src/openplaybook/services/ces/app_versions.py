"""Versions of apps: a snapshot of an app with all that is in it, which can be served, and brought back."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, loads
from openplaybook.resources.message_fields import copy_of
from openplaybook.resources.names import APP_VERSIONS
from openplaybook.services.ces.app_resources import AppResources, refuse_locked, started
from openplaybook.services.ces.changelog import RESTORE
from openplaybook.services.collection import Collection
from openplaybook.services.operations import FinishedWork
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import (
    APP,
    APP_AGENT,
    APP_EXAMPLE,
    APP_GUARDRAIL,
    APP_TOOL,
    APP_TOOLSET,
    APP_VERSION,
)
from openplaybook.services.stored_records import retried
from openplaybook.storage.base import Change, Delete, Record
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.lanes import AT_ONCE, PACKAGES

T = TypeVar("T")

_LISTED = (
    ("agents", APP_AGENT),
    ("tools", APP_TOOL),
    ("toolsets", APP_TOOLSET),
    ("guardrails", APP_GUARDRAIL),
    ("examples", APP_EXAMPLE),
)
"""The lists of an `AppSnapshot`, each behind those that its resources refer to."""


@dataclass(frozen=True, slots=True)
class _Current:
    """An app as it stands."""

    app: Record
    within: Mapping[str, list[Record]]
    """What a snapshot has of it besides, by the store's word for the kind."""

    @property
    def size(self) -> int:
        """Bytes of what is stored of all of it."""
        return len(self.app.body) + sum(len(each.body) for records in self.within.values() for each in records)


class AppVersions(AppResources):
    """Create, get, list, delete, restore. A version cannot be changed."""

    def __init__(self, parts: ServiceParts) -> None:
        super().__init__(APP_VERSION, parts)
        self._apps = Collection(APP, parts)
        self._lists = [(field, Collection(kind, parts)) for field, kind in _LISTED]

    async def create(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """As for every kind; one at a time, since each holds an app in memory many times over."""
        async with self.parts.whole_agents.exported:
            created = await super().create(request, context)
            context.answer_bytes = created.ByteSize()
            return created

    async def settle(self, resource: ApiMessage, stored: ApiMessage | None, context: RpcContext) -> None:
        """A locked app may be kept all the same: nothing in it changes."""

    async def insert(self, resource: ApiMessage, *others: Change, like: JsonValue = None) -> ApiMessage:
        """As for every kind, with the snapshot, which is spelled as the app is."""
        current = await self._current(APP_VERSIONS.parse(resource.name).root)
        spelled = await _aside(partial(self._take, resource, current), current.size)
        return await super().insert(resource, *others, like={"snapshot": spelled})

    async def restore(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Make the app and all in it what they were, all or nothing; the operation.

        Versions, deployments, conversations and the changelog stay.
        """
        name = APP_VERSIONS.parse((await self.records.record(request.name)).name)
        await refuse_locked(self.parts, name.root)

        async def work() -> FinishedWork:
            async with self.parts.whole_agents.imported:
                await retried(lambda: self._bring_back(str(name)))
            return FinishedWork(self.parts.ces("RestoreAppVersionResponse"))

        return await started(self.parts, context, name.location, work)

    async def _bring_back(self, name: str) -> None:
        version, current = await self.records.record(name), await self._current(APP_VERSIONS.parse(name).root)
        size = current.size + len(version.body)
        before, app, changes = await _aside(partial(self._restored, version, current), size)
        await self.parts.store.apply([*changes, await self.changes.entry(before, app, RESTORE)])

    def _take(self, version: ApiMessage, current: _Current) -> JsonObject:
        """Put the snapshot into a version; how what is in it is spelled."""
        version.snapshot.app.CopyFrom(_bare(self._apps.message_of(current.app)))
        for field, collection in self._lists:
            records = current.within[collection.kind.record]
            getattr(version.snapshot, field).extend(_bare(collection.message_of(record)) for record in records)
        lists = {field: [_body(one) for one in current.within[kind.record]] for field, kind in _LISTED}
        return {"app": _body(current.app), **lists}

    def _restored(self, version: Record, current: _Current) -> tuple[ApiMessage, ApiMessage, list[Change]]:
        """The app as it is and as a version has it, and the changes that make the one the other."""
        snapshot = self.records.message_of(version).snapshot
        spelled = as_object(_body(version).get("snapshot"))
        before, app = self._apps.message_of(current.app), copy_of(snapshot.app)
        app.update_time.FromMicroseconds(self.parts.now_us())
        changes: list[Change] = [self._apps.put(app, expect=current.app.version, like=spelled.get("app"))]
        gone = (record for records in current.within.values() for record in records)
        changes += [Delete(record.name, expect=record.version) for record in gone]
        for field, collection in self._lists:
            pairs = zip(getattr(snapshot, field), as_list(spelled.get(field)), strict=True)
            changes += [collection.put(copy_of(one), expect=0, like=like) for one, like in pairs]
        return before, app, changes

    async def _current(self, app: str) -> _Current:
        own = await self._apps.record(app)
        within: dict[str, list[Record]] = {kind.record: [] for _, kind in _LISTED}
        for record in await self.parts.store.scan(app, tuple(within)):
            within[record.kind].append(record)
        return _Current(own, within)


async def _aside(work: Callable[[], T], size: int) -> T:
    """What work on so many bytes of an app gives; beside the event loop, unless they are few."""
    return await PACKAGES.run(work) if size > AT_ONCE else work()


def _bare(message: ApiMessage) -> ApiMessage:
    """A resource as a snapshot has it: what tells one state of it from another says nothing there."""
    message.ClearField("etag")
    return message


def _body(record: Record) -> JsonObject:
    return as_object(loads(record.body))
