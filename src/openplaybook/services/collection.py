"""Records of one kind, read and written as messages."""

import asyncio
import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from operator import attrgetter

from openplaybook.jsonvalues import JsonValue, dumps, loads
from openplaybook.resources.list_order import NAME, NATURAL, Order
from openplaybook.resources.names import root_of
from openplaybook.resources.page_tokens import page_size, read_token
from openplaybook.resources.stored_form import etag_of, from_body, in_order_of, updated
from openplaybook.services.errors import not_found
from openplaybook.services.large_messages import done_aside
from openplaybook.services.listings import Listing, PageBuilder
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import ResourceKind
from openplaybook.services.stored_records import RecordReader, every_record, groups
from openplaybook.storage.base import Put, Record
from openplaybook.wire.codec import JsonError
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.messages import ApiMessage


@dataclass(frozen=True, slots=True)
class StoredResource:
    """A record and the message in it."""

    record: Record
    message: ApiMessage


def _any(message: ApiMessage) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Page:
    """What a list request asked for, and the query that its token is bound to."""

    parent: str
    size: int
    token: str
    filters: tuple[str, ...] = ()
    accept: Callable[[ApiMessage], bool] = _any
    """Whether the list has a resource, by those filters."""
    order: Order = NATURAL
    """One that is not natural reads all there is."""


class Collection:
    """Every resource of one kind, across parents. Secrets in its messages are sealed, until they are `shown`."""

    def __init__(self, kind: ResourceKind, parts: ServiceParts) -> None:
        self.kind = kind
        self._store = parts.store
        self._api = parts.api
        self._secrets = parts.inline_secrets

    def new(self) -> ApiMessage:
        """An empty message of the kind."""
        return self._api.message(self.kind.message)()

    def has_field(self, field: str) -> bool:
        """Whether messages of the kind have a field of that name."""
        return field in self._api.message(self.kind.message).DESCRIPTOR.fields_by_name

    def message_of(self, record: Record) -> ApiMessage:
        """The message in a record, with its etag where the kind has one; DATA_LOSS when it cannot be read."""
        try:
            message = from_body(record.body, self.new(), self._api.codec)
        except JsonError as error:
            raise RpcError(Code.DATA_LOSS, f"{record.name} as stored cannot be read: {error}") from error
        if self.has_field("etag"):
            message.etag = etag_of(record.body)
        return message

    def shown(self, message: ApiMessage) -> ApiMessage:
        """A message as clients may see it, changed in place: secrets are masked."""
        return self._secrets.mask(message)

    async def record(self, name: str) -> Record:
        """The record of that name; `InvalidName` or NOT_FOUND."""
        record = await self._store.get(str(self.kind.names.parse(name)))
        if record is None or record.kind != self.kind.record:
            raise not_found(self.kind.noun, name)
        return record

    async def read(self, name: str) -> StoredResource:
        """The resource of that name; `InvalidName` or NOT_FOUND."""
        record = await self.record(name)
        return StoredResource(record, *await self.messages([record]))

    async def exists(self, name: str) -> bool:
        """Whether there is such a resource."""
        record = await self._store.get(name)
        return record is not None and record.kind == self.kind.record

    async def all(self, parent: str) -> list[ApiMessage]:
        """Every resource under a parent, in order of insertion."""
        return [*await self.messages(await every_record(self._store, parent, self.kind.record))]

    def query(self, parent: str, *filters: str) -> tuple[str, ...]:
        """What page tokens of a list are bound to."""
        return (self.kind.record, parent, *filters)

    async def page(self, page: Page) -> Listing:
        """One page of the accepted resources under a parent.

        It ends early where the next resource would make it larger than is allowed. Raises `InvalidPageSize`,
        `InvalidPageToken`.
        """
        return await self.page_across(page, [page.parent])

    async def page_across(self, page: Page, parents: Sequence[str]) -> Listing:
        """The same of the resources under several parents, as if they were one."""
        query = self.query(page.parent, *page.filters)
        size, after = page_size(page.size), read_token(query, page.token)
        if not page.order.is_natural:
            return await self._sorted_page(page, parents, PageBuilder(size, query), after)
        building = PageBuilder(size, query)
        reader = RecordReader(self._store, parents, self.kind.record, after=after, most=size + 1)
        while not building.is_full and (records := await reader.next()):
            for record, message in zip(records, await self.messages(records), strict=True):
                if page.accept(message):
                    building.add(record.position, message, len(record.body))
        return building.listing()

    async def messages(self, records: Sequence[Record]) -> Sequence[ApiMessage]:
        """The messages in records, as `message_of`; beside the event loop where they are large."""
        return await done_aside(lambda: [*map(self.message_of, records)], sum(len(record.body) for record in records))

    async def _sorted_page(self, page: Page, parents: Sequence[str], building: PageBuilder, before: int) -> Listing:
        """A page in another order; its token holds how many resources went before."""
        places = await RecordReader(self._store, parents, self.kind.record).places()
        places.sort(
            key=attrgetter("name" if page.order.field == NAME else "position"), reverse=page.order.is_descending
        )
        numbers = count(before + 1)
        for group in groups(places[before:]):
            group_records = [await self._store.get(place.name) for place in group]
            # One that was deleted meanwhile is in no list.
            there = {record.name: record for record in group_records if record is not None}
            messages = dict(zip(there, await self.messages([*there.values()]), strict=True))
            for place, number in zip(group, numbers, strict=False):
                message = messages.get(place.name)
                if message is not None and page.accept(message):
                    building.add(number, message, len(there[place.name].body))
            if building.is_full:
                break
            # Small ones are read without waiting for anything: others go on here.
            await asyncio.sleep(0)
        return building.listing()

    async def insertion(self, message: ApiMessage, *, like: JsonValue = None) -> Put:
        """As `put` of a new message; beside the event loop where it is large."""
        return await done_aside(partial(self.put, message, expect=0, like=like), message.ByteSize())

    async def replacement(self, record: Record, message: ApiMessage) -> Put:
        """As `replacing`; beside the event loop where the record or the message is large."""
        return await done_aside(partial(self.replacing, record, message), len(record.body) + message.ByteSize())

    def put(self, message: ApiMessage, *, expect: int | None, like: JsonValue = None) -> Put:
        """The change that stores a message under the name in it, its secrets sealed in place.

        Members keep the order, and numbers the spelling, that they have in `like`, of which the message was made.
        """
        name = self.kind.names.parse(message.name)
        if self.has_field("etag"):
            message.ClearField("etag")
        self._secrets.seal(message)
        document = self._api.codec.to_json(message)
        return Put(
            name=str(name),
            kind=self.kind.record,
            parent=name.parent,
            root=str(name).rpartition("/")[0] if self.kind.is_apart else root_of(str(name)),
            body=dumps(document if like is None else in_order_of(document, like)),
            unique_key=(message.display_name or None) if self.kind.has_unique_names else None,
            expect=expect,
        )

    def replacing(self, record: Record, message: ApiMessage) -> Put:
        """The same in the place of a record, and like it, so that a small change is small in an export too."""
        put, before = self.put(message, expect=record.version), self._api.codec.to_json(self.message_of(record))
        return dataclasses.replace(put, body=dumps(updated(loads(put.body), loads(record.body), before)))
