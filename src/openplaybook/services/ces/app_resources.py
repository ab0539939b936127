"""What all resources of an app have in common, the app itself included; and those that add little to it."""

from collections.abc import Sequence

from openplaybook.resources.message_fields import descriptor_of
from openplaybook.resources.names import root_of
from openplaybook.services.ces.app_references import check_references, dangling, detach, users_of
from openplaybook.services.ces.changelog import Changes
from openplaybook.services.ces.resource_findings import tell_findings
from openplaybook.services.collection import Collection, StoredResource
from openplaybook.services.errors import precondition
from openplaybook.services.operations import Work
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import (
    APP,
    APP_AGENT,
    APP_DEPLOYMENT,
    APP_EXAMPLE,
    APP_GUARDRAIL,
    APP_TOOL,
    APP_TOOLSET,
    ResourceKind,
)
from openplaybook.services.resource_service import ResourceService
from openplaybook.services.stored_records import users_in_words
from openplaybook.storage.base import Change, Record
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage

_AT_ONCE_S = 0.5
"""Work that takes no longer is answered as done; Google's clients would ask for the first time after a second."""


async def started(parts: ServiceParts, context: RpcContext, parent: str, work: Work) -> ApiMessage:
    """The operation that does the work, listed under the location `parent`; done already where that is quick.

    Its metadata is an `OperationMetadata`.
    """
    operation = await parts.operations.start(context, parent, work, metadata=parts.ces("OperationMetadata"))
    return await parts.operations.wait(operation.name, _AT_ONCE_S)


_KINDS = (APP, APP_AGENT, APP_TOOL, APP_TOOLSET, APP_EXAMPLE, APP_GUARDRAIL, APP_DEPLOYMENT)


async def refuse_locked(parts: ServiceParts, app: str) -> None:
    """FAILED_PRECONDITION while an app is locked for changes."""
    if (await Collection(APP, parts).read(app)).message.locked:
        raise precondition("APP_LOCKED", f"{app} is locked for changes; set its `locked` to false first")


class AppResources(ResourceService):
    """The standard methods over one kind of resources of an app.

    What a resource newly refers to must be there. What others refer to is deleted with `force` only, which removes
    those references too. A locked app takes no change. Every change has its entry in the app's changelog.
    """

    def __init__(self, kind: ResourceKind, parts: ServiceParts) -> None:
        super().__init__(kind, parts, parent=APP)
        self.changes = Changes(parts)
        self._collections = {one.record: Collection(one, parts) for one in _KINDS}

    async def complete(self, resource: ApiMessage, stored: ApiMessage | None, context: RpcContext) -> None:
        """As for every kind; what is odd is told."""
        await super().complete(resource, stored, context)
        await tell_findings(self.parts, self.kind, resource, context)

    async def settle(self, resource: ApiMessage, stored: ApiMessage | None, context: RpcContext) -> None:
        """Refuse what refers to nothing, and every change of a locked app."""
        await refuse_locked(self.parts, root_of(resource.name))
        await check_references(self.parts.store, resource, stored, self.kind.field)

    async def alongside(self, before: ApiMessage | None, after: ApiMessage | None) -> Sequence[Change]:
        """The change's entry in the changelog."""
        return [await self.changes.entry(before, after)]

    async def remove(self, request: ApiMessage, *others: Change) -> StoredResource:
        """Delete it; FAILED_PRECONDITION while others refer to it, unless the request has `force`."""
        name = (await self.records.record(request.name)).name
        await refuse_locked(self.parts, root_of(name))
        users = await users_of(self.parts.store, name)
        has_force = "force" in descriptor_of(request).fields_by_name
        if users and not (has_force and request.force):
            way_out = "set force to remove it there too" if has_force else "let them refer to another first"
            raise precondition("RESOURCE_IN_USE", f"{name} is used by {users_in_words(users)}; {way_out}")
        detached = [change for user in users for change in await self._detached(user, name)]
        return await super().remove(request, *others, *detached)

    async def _detached(self, user: Record, name: str) -> Sequence[Change]:
        """The changes after which a resource no longer refers to `name`."""
        collection = self._collections[user.kind]
        before, after = collection.message_of(user), collection.message_of(user)
        detach(after, name)
        return [collection.replacing(user, after), await self.changes.entry(before, after)]


class AppExamples(AppResources):
    """The standard methods of examples. One that names what is no longer there is invalid until it is mended."""

    def __init__(self, parts: ServiceParts) -> None:
        super().__init__(APP_EXAMPLE, parts)

    async def settle(self, resource: ApiMessage, stored: ApiMessage | None, context: RpcContext) -> None:
        """Tell whether it is invalid."""
        await super().settle(resource, stored, context)
        resource.invalid = bool(await dangling(self.parts.store, resource))


_INPUT_ONLY = ("whatsapp_credentials", "instagram_credentials")


class Deployments(AppResources):
    """The standard methods of deployments.

    One serves as a session's `config.deployment`, which chooses the app's version. Channels are kept, and not run.
    """

    def __init__(self, parts: ServiceParts) -> None:
        super().__init__(APP_DEPLOYMENT, parts)

    async def settle(self, resource: ApiMessage, stored: ApiMessage | None, context: RpcContext) -> None:
        """Credentials for channels are for Google's servers: they are dropped, never stored."""
        await super().settle(resource, stored, context)
        for field in _INPUT_ONLY:
            if resource.HasField(field):
                resource.ClearField(field)
                context.warn(f"deployment.{field} is not stored: this server does not connect to such channels")
        if resource.HasField("experiment_config"):
            context.warn("deployment.experiment_config is kept, but every session gets the deployment's app_version")
