"""Create, get, list, patch and delete as every kind of resource does them.

A service of Google's is a class that derives from `ResourceService`, declares its kind, and says in `settle`
what is particular to it.
"""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import ClassVar

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from openplaybook.jsonvalues import JsonValue
from openplaybook.resources.errors import InvalidId, InvalidName
from openplaybook.resources.field_behavior import check_required, settle_output_only
from openplaybook.resources.list_order import parse_order
from openplaybook.resources.masks import merge
from openplaybook.resources.message_fields import descriptor_of
from openplaybook.resources.message_filters import message_test
from openplaybook.resources.names import ResourceName, new_id
from openplaybook.resources.stored_form import check_etag
from openplaybook.resources.unseen_fields import Unseen, is_extension
from openplaybook.services.collection import Collection, Listing, Page, StoredResource
from openplaybook.services.errors import not_found
from openplaybook.services.large_messages import done_aside
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import ResourceKind
from openplaybook.services.stored_records import retried
from openplaybook.storage.base import Change, Delete, Record
from openplaybook.wire.api import BETA, Api, stable_name
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage

_ID = re.compile(r"[A-Za-z0-9_][\w.-]{0,127}", re.ASCII)


def chosen_id(field: str, id: str) -> str:
    """The id that a field of a request asks for, or a fresh one. Raises `InvalidId`."""
    if id and not _ID.fullmatch(id):
        raise InvalidId(field, id)
    return id or new_id()


class ResourceService:
    """The five standard methods over one kind.

    A request that has a field for it may choose the new resource's id, filter and order a list, and delete only what
    still has an etag.
    """

    filter_aliases: ClassVar[Mapping[str, str]] = {}
    """Paths of fields by other names that filters may have for them."""

    def __init__(self, kind: ResourceKind, parts: ServiceParts, parent: ResourceKind | None) -> None:
        """`parent`: the kind that must exist above; None where parents are not stored (locations)."""
        self.kind = kind
        self.parts = parts
        self.records = Collection(kind, parts)
        self._parents = None if parent is None else Collection(parent, parts)

    async def settle(self, resource: ApiMessage, stored: ApiMessage | None, context: RpcContext) -> None:
        """Check what is particular to the kind and fill what follows from the rest; raise `RpcError`.

        `stored` is the resource before an update, None when it is being created. Called again when the update
        has to be merged anew.
        """

    async def create(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Store a new resource, under a fresh id where the request chooses none."""
        name = self._child(request.parent, self.id_of(request))
        await self.check_parent(name.parent)
        # The request is ours, and a copy of a large tool is another of many.
        resource = getattr(request, self.kind.field)
        resource.name = str(name)
        settle_output_only(resource, None, except_for=self.kind.writable)
        await self.complete(resource, None, context)
        context.answer_bytes = resource.ByteSize()
        return await self.insert(resource)

    async def get(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The resource of that name."""
        stored = await self.records.read(request.name)
        context.answer_bytes = len(stored.record.body)
        return await self._shown(stored.message, len(stored.record.body))

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """One page of the resources under a parent."""
        page = self.page_of(request)
        await self.check_parent(page.parent)
        return await self.list_response(await self.records.page(page), context)

    async def update(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Store the resource with the masked fields replaced, whatever happens to its other fields meanwhile."""
        return await retried(lambda: self._merge(request, context))

    async def delete(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Forget the resource and all beneath it."""
        await retried(lambda: self.remove(request))
        return self.parts.empty()

    async def alongside(self, before: ApiMessage | None, after: ApiMessage | None) -> Sequence[Change]:
        """Changes that go into the store together with one of a resource: what it was, and what it is to be.

        Called before the resource is written; None before it is there, and after it is gone.
        """
        return ()

    def shown(self, message: ApiMessage) -> ApiMessage:
        """A resource as clients may see it, changed in place."""
        return self.records.shown(message)

    def id_of(self, request: ApiMessage) -> str:
        """The id that a create request asks for, or a fresh one. Raises `InvalidId`."""
        field = f"{self.kind.field}_id"
        id: str = getattr(request, field) if field in descriptor_of(request).fields_by_name else ""
        return chosen_id(field, id)

    def page_of(self, request: ApiMessage) -> Page:
        """What a list request asks for. Raises `InvalidName`, `InvalidFilter`, `InvalidOrder`."""
        known = descriptor_of(request).fields_by_name
        filter_: str = request.filter if "filter" in known else ""
        order_by: str = request.order_by if "order_by" in known else ""
        return Page(
            parent=self._child(request.parent, "-").parent,
            size=request.page_size,
            token=request.page_token,
            filters=(filter_, order_by) if filter_ or order_by else (),
            accept=message_test(filter_, descriptor_of(self.records.new()), self.filter_aliases),
            order=parse_order(order_by),
        )

    async def remove(self, request: ApiMessage, *others: Change) -> StoredResource:
        """Delete the resource that a request names, as it has it, with other changes in the same transaction."""
        stored = await self.records.read(request.name)
        if "etag" in descriptor_of(request).fields_by_name:
            check_etag(request.etag, stored.record.body, request.name)
        gone = Delete(stored.record.name, tree=True, expect=stored.record.version)
        await self.parts.store.apply([gone, *others, *await self.alongside(stored.message, None)])
        return stored

    def _child(self, parent: str, id: str) -> ResourceName:
        """The name of a resource under the parent that a request names. Raises `InvalidName`."""
        try:
            return self.kind.names.child(parent, id)
        except InvalidName as error:
            raise InvalidName(error.text, error.expected, "parent") from error

    async def _merge(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        resource = getattr(request, self.kind.field)
        stored = await self.records.read(resource.name)
        if self.records.has_field("etag"):
            check_etag(resource.etag, stored.record.body, resource.name)
        is_unseen = unseen_by(self.parts.api, context.version)
        paths, sent = request.update_mask.paths, context.sent_fields
        merged = merge(stored.message, resource, paths, sent, is_unseen)
        merged.name = stored.message.name
        settle_output_only(merged, stored.message, except_for=self.kind.writable)
        await self.complete(merged, stored.message, context)
        context.answer_bytes = merged.ByteSize()
        return await self.replace(merged, stored)

    async def check_parent(self, parent: str) -> None:
        """NOT_FOUND unless the parent exists."""
        if self._parents is not None and not await self._parents.exists(parent):
            raise not_found(self._parents.kind.noun, parent)

    async def complete(self, resource: ApiMessage, stored: ApiMessage | None, context: RpcContext) -> None:
        """Times, required fields, and what `settle` asks."""
        now_us = self.parts.now_us()
        if self.records.has_field("create_time") and stored is None:
            resource.create_time.FromMicroseconds(now_us)
        if self.records.has_field("update_time"):
            resource.update_time.FromMicroseconds(now_us)
        check_required(resource, stored, prefix=f"{self.kind.field}.", except_for=self.kind.optional)
        await self.settle(resource, stored, context)

    async def insert(self, resource: ApiMessage, *others: Change, like: JsonValue = None) -> ApiMessage:
        """Store a new resource, with other changes in the same transaction; the resource as it now reads.

        `like`: as for `Collection.put`.
        """
        put = await self.records.insertion(resource, like=like)
        records = await self.parts.store.apply([put, *others, *await self.alongside(None, resource)])
        return await self._written(records)

    async def replace(self, resource: ApiMessage, stored: StoredResource) -> ApiMessage:
        """Store a new state; `VersionMismatch` if `stored` is no longer the old one."""
        put = await self.records.replacement(stored.record, resource)
        return await self._written(await self.parts.store.apply([put, *await self.alongside(stored.message, resource)]))

    async def _written(self, records: Sequence[Record]) -> ApiMessage:
        """The first of the records that were just written, as clients may see it."""
        (message,) = await self.records.messages(records[:1])
        return await self._shown(message, len(records[0].body))

    async def list_response(self, listing: Listing, context: RpcContext) -> ApiMessage:
        """A list response of a page's resources."""
        context.answer_bytes = listing.size
        return await done_aside(partial(self._list_response, listing), listing.size)

    def _list_response(self, listing: Listing) -> ApiMessage:
        response = self.parts.api.message(self.kind.list_response)(next_page_token=listing.token)
        getattr(response, self.kind.listed).extend(map(self.shown, listing.messages))
        return response

    async def _shown(self, message: ApiMessage, size: int) -> ApiMessage:
        return await done_aside(partial(self.shown, message), size)


def unseen_by(api: Api, version: str) -> Unseen:
    """Which fields of beta messages callers of `version` cannot see: ours, and for a stable version those it lacks."""
    if version not in BETA:
        return is_extension
    numbers: dict[str, set[int]] = {}

    def is_unseen(field: FieldDescriptor) -> bool:
        message = field.containing_type
        assert message is not None, "only fields of messages are checked"
        if message.full_name not in numbers:
            numbers[message.full_name] = _stable_numbers(api, message)
        return is_extension(field) or field.number not in numbers[message.full_name]

    return is_unseen


def _stable_numbers(api: Api, message: Descriptor) -> set[int]:
    """Numbers of the fields that the stable version has of a beta message; of one that both share, all."""
    stable = stable_name(message.full_name)
    try:
        fields = message.fields if stable is None else api.message(stable).DESCRIPTOR.fields
    except KeyError:
        return set()
    return {one.number for one in fields}
