"""Agents as a whole, looked at without a change: PreviewImport, DiffAgents."""

import dataclasses
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from openplaybook.jsonvalues import as_object, loads
from openplaybook.packages.ces.app_writer import write_app
from openplaybook.packages.dialogflow.agent_writer import write_package
from openplaybook.packages.package_files import read_files
from openplaybook.packages.package_formats import APP, format_of
from openplaybook.packages.report import MOST_TOLD, Report
from openplaybook.resources.names import AGENTS, APP_VERSIONS, APPS, LOCATIONS
from openplaybook.services.ces.whole_app import gather_app, write_imported
from openplaybook.services.dialogflow.whole_agent import gather, replace
from openplaybook.services.errors import invalid
from openplaybook.services.listings import PAGE_BYTES
from openplaybook.services.parts import ServiceParts
from openplaybook.services.playbook_verdicts import with_verdicts
from openplaybook.storage.base import Record
from openplaybook.storage.sqlite import SqliteStore
from openplaybook.sync.comparable_files import ComparableFiles, read_contents
from openplaybook.sync.file_comparison import FileDifference, compare
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.lanes import PACKAGES

_V = "openplaybook.v1."
_ID = "preview"


class AgentPreviews:
    """Looks at packages, and compares agents."""

    def __init__(self, parts: ServiceParts) -> None:
        self._parts = parts
        self._preview = parts.api.message(f"{_V}PreviewImportResponse")
        self._diff = parts.api.message(f"{_V}DiffAgentsResponse")

    async def preview(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """What an import of a package would say, into a new agent or app. Raises `PackageError`."""
        location = str(LOCATIONS.parse(request.parent))
        if not request.content:
            raise invalid(("content", "is required: the bytes of a zip archive"))
        is_app = format_of(await PACKAGES.run(partial(read_files, request.content))) is APP
        name = (APPS if is_app else AGENTS).child(location, _ID)
        async with _elsewhere(self._parts) as parts:
            if is_app:
                report = await write_imported(parts, name, request.content)
            else:
                report = await replace(parts, str(name), request.content)
            report = await with_verdicts(parts, str(name), report)
            records = await parts.store.scan(str(name))
        response = self._preview(format="app" if is_app else "agent")
        self._tell(report, records, str(name), response)
        context.answer_bytes = response.ByteSize()
        return response

    async def diff(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """What differs between two agents or apps, file by file."""
        if request.WhichOneof("other") is None:
            raise invalid(("other_agent", "is required, or content"))
        one = await _packed(self._parts, request.agent)
        other = request.content or await _packed(self._parts, request.other_agent)
        return await PACKAGES.run(partial(self._compared, one, other))

    def _tell(self, report: Report, records: Sequence[Record], name: str, response: ApiMessage) -> None:
        own = next(record for record in records if record.name == name)
        response.display_name = str(as_object(loads(own.body)).get("displayName", ""))
        response.counts.update(Counter(_collection(record.name) for record in records if record.name != name))
        for note in report.notes[:MOST_TOLD]:
            response.notes.add(
                kind=note.kind.value, place=note.place, message=note.message, remedy=note.remedy, count=note.count
            )
        for verdict in report.playbooks[:MOST_TOLD]:
            self._parts.api.codec.from_json(dict(verdict.as_json()), response.playbooks.add())

    def _compared(self, one: bytes, other: bytes) -> ApiMessage:
        contents: list[ComparableFiles] = [read_contents(one), read_contents(other)]
        if contents[0].format is not contents[1].format:
            raise invalid(("other_agent", "is of another kind: agents are compared with agents, apps with apps"))
        response = self._diff()
        size = 0
        for difference in compare(contents[0].lines, contents[1].lines):
            size += sum(map(len, difference.lines))
            self._tell_difference(difference, response, with_lines=size <= PAGE_BYTES)
        return response

    def _tell_difference(self, difference: FileDifference, response: ApiMessage, *, with_lines: bool) -> None:
        message = response.differences.add(resource=difference.resource, file=difference.file)
        message.change = message.Change.Value(difference.change.name)
        if with_lines:
            message.lines.extend(difference.lines)
        else:
            response.truncated = True


@asynccontextmanager
async def _elsewhere(parts: ServiceParts) -> AsyncGenerator[ServiceParts]:
    """The same parts over a store that is forgotten after the block."""
    with TemporaryDirectory(prefix="openplaybook-preview-") as folder:
        store = SqliteStore(Path(folder) / "openplaybook.db")
        await store.open()
        try:
            yield dataclasses.replace(parts, store=store)
        finally:
            await store.close()


async def _packed(parts: ServiceParts, name: str) -> bytes:
    """The zip archive of an agent, an app, or an app's version, by resource name, without secrets.

    NOT_FOUND: there is none. Raises `InvalidName`.
    """
    async with parts.whole_agents.exported:
        if APP_VERSIONS.fits(name):
            app = await gather_app(parts, APP_VERSIONS.parse(name).root, name)
            return await PACKAGES.run(partial(write_app, app, yaml=False))
        if APPS.fits(name):
            return await PACKAGES.run(partial(write_app, await gather_app(parts, name), yaml=False))
        return await PACKAGES.run(partial(write_package, await gather(parts, name)))


def _collection(name: str) -> str:
    return name.rsplit("/", 2)[-2]
