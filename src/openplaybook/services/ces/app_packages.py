"""AgentService: apps exported and imported, as zip archives, inline."""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial

from openplaybook.packages.ces.app_package import AppPackage
from openplaybook.packages.ces.app_writer import withheld_secrets, write_app
from openplaybook.packages.report import Note
from openplaybook.resources.names import APPS, LOCATIONS, ResourceName
from openplaybook.services.bucket_objects import Content
from openplaybook.services.ces.app_resources import refuse_locked, started
from openplaybook.services.ces.whole_app import gather_app, write_imported
from openplaybook.services.collection import Collection
from openplaybook.services.errors import invalid
from openplaybook.services.operations import FinishedWork, finished
from openplaybook.services.package_records import body_of
from openplaybook.services.parts import ServiceParts
from openplaybook.services.playbook_verdicts import with_verdicts
from openplaybook.services.resource_kinds import APP
from openplaybook.services.resource_service import chosen_id
from openplaybook.services.stored_records import every_record
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.lanes import PACKAGES


class AppPackages:
    """ExportApp and ImportApp, both long-running operations."""

    def __init__(self, parts: ServiceParts) -> None:
        self._parts = parts
        self._apps = Collection(APP, parts)

    async def export(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Pack the app as it is at this moment, or as one of its versions holds it.

        An unspecified format gives JSON. The archive holds one folder, named after the app. Secrets stay here; a
        warning says which.
        """
        stored = self._parts.buckets.object(request.gcs_uri, where="gcs_uri") if request.gcs_uri else None
        response = self._parts.ces("ExportAppResponse")
        as_yaml = request.export_format == request.YAML
        async with self._parts.whole_agents.exported:
            package = await gather_app(self._parts, request.name, request.app_version)
            notes, content = await PACKAGES.run(partial(_packed, package, as_yaml=as_yaml))
        if stored is not None:
            response.app_uri = request.gcs_uri
            work = partial(stored.write, content, response)
        else:
            response.app_content = content
            work = partial(finished, response)
        for note in notes:
            context.warn(f"{note.place}: {note.message}")
        location = APPS.parse(request.name).parent
        return await started(self._parts, context, location, work)

    async def import_(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Make an app of a package, or write one into an app that is there: all of it or nothing.

        OVERWRITE, which an unspecified strategy means too, leaves nothing of the app's resources; REPLACE keeps
        those of other display names. The response has no warnings, because no resource is ever left out; what was
        noticed stands in the operation's metadata, under `notes`.
        """
        if not request.gcs_uri and not request.app_content:
            raise invalid(("app_content", "is required: the bytes of a zip archive, or gcs_uri in its place"))
        content = self._parts.buckets.content(request.gcs_uri, request.app_content, where="gcs_uri")
        parent = LOCATIONS.parse(request.parent)
        name = APPS.child(str(parent), chosen_id("app_id", request.app_id))
        title = await self._title(request, name)
        options = request.import_options
        merge = options.conflict_resolution_strategy == options.REPLACE
        return await started(self._parts, context, str(parent), lambda: self._unpack(name, content, title, merge=merge))

    async def _title(self, request: ApiMessage, name: ResourceName) -> str:
        """The display name that the request asks for, made unlike all others; INVALID_ARGUMENT where the app is there.

        FAILED_PRECONDITION where the app is locked, unless the request ignores that.
        """
        if await self._apps.exists(str(name)):
            if request.display_name:
                raise invalid(("display_name", f"cannot be set, because the app exists already: {name}"))
            if not request.ignore_app_lock:
                await refuse_locked(self._parts, str(name))
            return ""
        if not request.display_name:
            return ""
        records = await every_record(self._parts.store, name.parent, APP.record)
        if request.display_name not in {body_of(record).get("displayName") for record in records}:
            return request.display_name
        moment = datetime.fromtimestamp(self._parts.now_us() / 1_000_000, UTC)
        return f"{request.display_name} {moment:%Y-%m-%dT%H:%M:%SZ}"

    async def _unpack(self, name: ResourceName, content: Content, title: str, *, merge: bool) -> FinishedWork:
        async with content() as package:
            report = await write_imported(self._parts, name, package, merge=merge, display_name=title)
        report = await with_verdicts(self._parts, str(name), report)
        response = self._parts.ces("ImportAppResponse")
        response.name = str(name)
        return FinishedWork(response, report.as_json() or None)


def _packed(package: AppPackage, *, as_yaml: bool) -> tuple[Sequence[Note], bytes]:
    """What is to be said of the secrets that stay here, and the archive."""
    return withheld_secrets(package).notes, write_app(package, yaml=as_yaml)
