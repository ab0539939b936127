"""Apps: create and delete, which take an operation, get, list and patch."""

from collections.abc import Sequence

from openplaybook.resources.names import APP_DEPLOYMENTS, LOCATIONS
from openplaybook.services.ces.app_references import check_references
from openplaybook.services.ces.app_resources import refuse_locked, started
from openplaybook.services.ces.changelog import Changes
from openplaybook.services.ces.resource_findings import tell_findings
from openplaybook.services.errors import invalid
from openplaybook.services.locations import LocatedResources
from openplaybook.services.operations import FinishedWork
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import APP
from openplaybook.services.stored_records import every_record, retried
from openplaybook.storage.base import Change
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage


class Apps(LocatedResources):
    """The standard methods of apps. A deleted app takes everything in it along, its sessions too."""

    def __init__(self, parts: ServiceParts) -> None:
        super().__init__(APP, parts, parent=None)
        self._changes = Changes(parts)

    async def create(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Store a new app; the operation, whose response is the app. What is wrong is told at once."""
        app = await super().create(request, context)
        parent = str(LOCATIONS.parse(request.parent))

        async def work() -> FinishedWork:
            return FinishedWork(app)

        return await started(self.parts, context, parent, work)

    async def get(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The app of that name."""
        return await self._counted(await super().get(request, context))

    async def list(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """One page of a location's apps; `-` stands for every project or location."""
        response = await super().list(request, context)
        for app in response.apps:
            await self._counted(app)
        return response

    async def delete(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Forget the app and all beneath it; the operation, whose response is empty."""
        await refuse_locked(self.parts, request.name)
        stored = await retried(lambda: self.remove(request))

        async def work() -> FinishedWork:
            return FinishedWork(self.parts.empty())

        return await started(self.parts, context, stored.record.parent, work)

    async def complete(self, resource: ApiMessage, stored: ApiMessage | None, context: RpcContext) -> None:
        """As for every kind; what is odd is told."""
        await super().complete(resource, stored, context)
        await tell_findings(self.parts, self.kind, resource, context)

    async def settle(self, resource: ApiMessage, stored: ApiMessage | None, context: RpcContext) -> None:
        """Variables have names of their own, references lead somewhere, and a locked app is only unlocked."""
        if stored is not None and resource.locked:
            await refuse_locked(self.parts, resource.name)
        _check_variables(resource)
        await check_references(self.parts.store, resource, stored, self.kind.field)

    async def alongside(self, before: ApiMessage | None, after: ApiMessage | None) -> Sequence[Change]:
        """The change's entry in the changelog, which goes with the app."""
        return [] if after is None else [await self._changes.entry(before, after)]

    async def _counted(self, app: ApiMessage) -> ApiMessage:
        """The app, told how many deployments it has."""
        app.deployment_count = len(await every_record(self.parts.store, app.name, APP_DEPLOYMENTS.kind))
        return app


def _check_variables(app: ApiMessage) -> None:
    """INVALID_ARGUMENT for variables that cannot be told apart, or are called what no variable may be."""
    names: set[str] = set()
    for index, variable in enumerate(app.variable_declarations):
        where = f"app.variable_declarations[{index}].name"
        if not (variable.name.isidentifier() and variable.name.isascii()):
            raise invalid(
                (where, f"{variable.name!r} cannot be a name: use letters, digits and '_', not starting with a digit")
            )
        if variable.name in names:
            raise invalid((where, f"{variable.name!r} is declared twice"))
        names.add(variable.name)
