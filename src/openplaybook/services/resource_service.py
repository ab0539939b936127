"""Create, get, list, patch and delete as every kind of resource does them.

A service of Google's is a class that derives from `ResourceService`, declares its kind, and says in `settle`
what is particular to it.
"""

from collections.abc import Sequence

from openplaybook.resources.behavior import check_required, settle_output_only
from openplaybook.resources.etags import check_etag
from openplaybook.resources.masks import merge
from openplaybook.resources.names import new_id
from openplaybook.services.collection import Collection, Page, Stored
from openplaybook.services.errors import not_found
from openplaybook.services.kinds import Kind
from openplaybook.services.optimistic import retried
from openplaybook.services.parts import Parts
from openplaybook.services.visibility import unseen_by
from openplaybook.storage.base import Change, Delete
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage


class ResourceService:
    """The five standard methods over one kind."""

    def __init__(self, kind: Kind, parts: Parts, parent: Kind | None) -> None:
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
        """Store a new resource under a fresh id."""
        name = self.kind.child(request.parent, new_id())
        await self.check_parent(name.parent)
        # The request is ours, and a copy of a large tool is another of many.
        resource = getattr(request, self.kind.field)
        resource.name = str(name)
        settle_output_only(resource, None, except_for=self.kind.writable)
        await self.complete(resource, None, context)
        return await self.insert(resource)

    async def get(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The resource of that name."""
        return self.records.shown((await self.records.read(request.name)).message)

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """One page of the resources under a parent."""
        page = Page(self.kind.child(request.parent, "-").parent, request.page_size, request.page_token)
        await self.check_parent(page.parent)
        return self.list_response(*await self.records.page(page))

    async def update(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Store the resource with the masked fields replaced, whatever happens to its other fields meanwhile."""
        return await retried(lambda: self._merge(request, context))

    async def delete(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Forget the resource and all beneath it."""
        stored = await self.records.read(request.name)
        await self.parts.store.apply([Delete(stored.record.name, tree=True)])
        return self.parts.empty()

    async def _merge(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        given = getattr(request, self.kind.field)
        stored = await self.records.read(given.name)
        if self.records.has_field("etag"):
            check_etag(given.etag, stored.record.body, given.name)
        is_unseen = unseen_by(self.parts.api, context.version)
        paths, sent = request.update_mask.paths, context.sent_fields
        merged = merge(stored.message, given, paths, sent, is_unseen)
        merged.name = stored.message.name
        settle_output_only(merged, stored.message, except_for=self.kind.writable)
        await self.complete(merged, stored.message, context)
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

    async def insert(self, resource: ApiMessage, *others: Change) -> ApiMessage:
        """Store a new resource, with other changes in the same transaction; the resource as it now reads."""
        record, *_ = await self.parts.store.apply([self.records.put(resource, expect=0), *others])
        return self.records.shown(self.records.message_of(record))

    async def replace(self, resource: ApiMessage, stored: Stored) -> ApiMessage:
        """Store a new state; `VersionMismatch` if `stored` is no longer the old one."""
        [record] = await self.parts.store.apply([self.records.put(resource, expect=stored.record.version)])
        return self.records.shown(self.records.message_of(record))

    def list_response(self, messages: Sequence[ApiMessage], token: str) -> ApiMessage:
        """A list response of these resources."""
        response = self.parts.api.message(self.kind.list_response)(next_page_token=token)
        getattr(response, self.kind.listed).extend(map(self.records.shown, messages))
        return response
