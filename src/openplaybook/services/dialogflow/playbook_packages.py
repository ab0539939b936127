"""Playbooks: export and import, a playbook with all that it leads to."""

import dataclasses
from collections.abc import Mapping
from functools import partial

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.packages.dialogflow.agent_layout import from_one_file, to_one_file
from openplaybook.packages.dialogflow.agent_package import AgentPackage, playbook_part
from openplaybook.packages.dialogflow.agent_reader import read_package
from openplaybook.packages.dialogflow.agent_writer import package_files
from openplaybook.packages.dialogflow.package_merge import Existing, Merged, Strategies, Strategy, merged
from openplaybook.packages.errors import NotAPackage
from openplaybook.packages.package_files import zip_of
from openplaybook.packages.private_fields import fields_in
from openplaybook.packages.report import Report
from openplaybook.resources.names import AGENTS, EXAMPLES, PLAYBOOKS, TOOLS, ResourceName, new_id
from openplaybook.services.bucket_objects import Content
from openplaybook.services.collection import Collection
from openplaybook.services.dialogflow.whole_agent import gather, own_name, packed
from openplaybook.services.errors import invalid, not_found
from openplaybook.services.kept_secrets import CarriedSecrets, StoredSecrets, notes_on_secrets
from openplaybook.services.operations import FinishedWork, finished
from openplaybook.services.package_records import PackageRest, body_of, put_of, unmet
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import AGENT, EXAMPLE, PLAYBOOK, TOOL, ResourceKind
from openplaybook.services.stored_records import retried
from openplaybook.storage.base import Change, Delete, Record
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.lanes import PACKAGES

_STRATEGY = "IMPORT_STRATEGY_"


class PlaybookPackages:
    """ExportPlaybook and ImportPlaybook, both long-running operations.

    What is exported is an agent's package (`packages.dialogflow`) with the playbook, the playbooks that it leads to,
    their examples and their tools: as BLOB the zip archive, as JSON one object with the files by path.
    """

    def __init__(self, parts: ServiceParts) -> None:
        self._parts = parts

    async def export(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Pack a playbook as it is at this moment. Secrets of its tools stay here; a warning says which."""
        name = PLAYBOOKS.parse(request.name)
        uri = request.playbook_uri
        stored = self._parts.buckets.object(uri, where="playbook_uri") if uri else None
        response = self._parts.cx("ExportPlaybookResponse")
        write = to_one_file if request.data_format == request.JSON else zip_of
        async with self._parts.whole_agents.exported:
            package = await gather(self._parts, name.root)
            try:
                part = playbook_part(package, str(name))
            except KeyError:
                raise not_found(PLAYBOOK.noun, request.name) from None
            notes, content = await PACKAGES.run(lambda: packed(part, lambda package: write(package_files(package))))
        if stored is not None:
            response.playbook_uri = uri
            work = partial(stored.write, content, response)
        else:
            response.playbook_content = content
            work = partial(finished, response)
        for note in notes:
            context.warn(note)
        return await self._parts.operations.start(context, name.location, work)

    async def import_(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Put an exported playbook and what it leads to into an agent: all of it or nothing.

        The strategies say what becomes of those whose display name is taken; MERGE is not among them, as two
        playbooks have no union. The operation's metadata lists what was noticed, under `notes`.
        """
        if not request.playbook_uri and not request.playbook_content:
            raise invalid(
                ("playbook_content", "is required: the result of ExportPlaybook, or playbook_uri in its place")
            )
        agent = AGENTS.parse(request.parent)
        if not await Collection(AGENT, self._parts).exists(str(agent)):
            raise not_found(AGENT.noun, request.parent)
        strategies = _strategies(request.import_strategy)
        content = self._parts.buckets.content(request.playbook_uri, request.playbook_content, where="playbook_uri")
        return await self._parts.operations.start(
            context, agent.parent, lambda: self._unpack(agent, content, strategies)
        )

    async def _unpack(self, agent: ResourceName, content: Content, strategies: Strategies) -> FinishedWork:
        fields = fields_in(self._parts.api.pool)
        async with content() as packed_bytes, self._parts.whole_agents.imported:
            package, report = await PACKAGES.run(lambda: read_package(_archive(packed_bytes), str(agent), fields))
            _check_main(package)
            written, carried = await retried(lambda: self._merge(agent, package, strategies))
            files = {tool["displayName"]: package.read_from[own_name(tool)] for tool in package.tools}
            by_file = {files[title]: each for title, each in carried.items() if title in files}
            notes = [note async for note in unmet(self._parts, written.package.tools)]
        response = self._parts.cx("ImportPlaybookResponse")
        response.playbook = written.main
        return FinishedWork(response, Report((*notes_on_secrets(report.notes, by_file), *notes)).as_json())

    async def _merge(
        self, agent: ResourceName, package: AgentPackage, strategies: Strategies
    ) -> tuple[Merged, Mapping[str, CarriedSecrets]]:
        """What was written, and what became of secrets, by the display names of tools."""
        records = {record.name: record for record in await self._parts.store.scan(str(agent))}
        result, carried, changes = await PACKAGES.run(lambda: self._merged(agent, package, strategies, records))
        await self._parts.store.apply(changes)
        return result, carried

    def _merged(
        self, agent: ResourceName, package: AgentPackage, strategies: Strategies, records: Mapping[str, Record]
    ) -> tuple[Merged, Mapping[str, CarriedSecrets], list[Change]]:
        existing = Existing(_titles(records, PLAYBOOKS.kind), _titles(records, TOOLS.kind))
        result = merged(package, existing, strategies, new_id)
        stored = StoredSecrets(
            (body_of(each) for each in records.values() if each.kind == TOOLS.kind), self._parts.inline_secrets
        )
        # A tool that replaces another one has its name by now; one that is new has no secret here.
        carried = {tool["displayName"]: stored.into(tool, frozenset(records)) for tool in result.package.tools}
        part = dataclasses.replace(result.package, tools=tuple(each.resource for each in carried.values()))
        return result, carried, self._changes(str(agent), part, records)

    def _changes(self, agent: str, package: AgentPackage, records: Mapping[str, Record]) -> list[Change]:
        changes: list[Change] = [self._put(TOOL, tool, records) for tool in package.tools]
        for playbook in package.playbooks:
            name = playbook.resource["name"]
            changes.append(self._put(PLAYBOOK, playbook.resource, records))
            old = [each for each in records.values() if each.kind == EXAMPLES.kind and each.parent == name]
            changes += [Delete(example.name) for example in old]
            changes += [put_of(self._parts, EXAMPLE, example) for example in playbook.examples]
        rest = PackageRest.among(records.values())
        if package.private:
            private = {**as_object(rest.more.get("private")), **package.private}
            changes.append(PackageRest(rest.files, {**rest.more, "private": private}).put(agent))
        return changes

    def _put(self, kind: ResourceKind, resource: JsonObject, records: Mapping[str, Record]) -> Change:
        before = records.get(resource["name"])
        return put_of(self._parts, kind, resource, expect=before.version if before is not None else 0)


def _titles(records: Mapping[str, Record], kind: str) -> dict[str, str]:
    """Full names by display name."""
    return {str(body_of(each).get("displayName")): each.name for each in records.values() if each.kind == kind}


def _archive(content: bytes) -> bytes:
    """The zip archive of a playbook in whichever form it came."""
    return zip_of(from_one_file(content)) if content.lstrip().startswith(b"{") else content


def _check_main(package: AgentPackage) -> None:
    start = package.agent.get("startPlaybook")
    if not start:
        raise NotAPackage("agent.json", "names no startPlaybook, which is the playbook to import")
    if all(playbook.resource["name"] != start for playbook in package.playbooks):
        raise NotAPackage("agent.json", f"names the startPlaybook {start!r}, which it does not contain")


def _strategies(import_strategy: ApiMessage) -> Strategies:
    return Strategies(
        _strategy(import_strategy, "main_playbook_import_strategy"),
        _strategy(import_strategy, "nested_resource_import_strategy"),
        _strategy(import_strategy, "tool_import_strategy"),
    )


def _strategy(import_strategy: ApiMessage, field: str) -> Strategy:
    values = import_strategy.DESCRIPTOR.fields_by_name[field].enum_type.values_by_number
    value = values.get(getattr(import_strategy, field))
    name = value.name.removeprefix(_STRATEGY) if value is not None else ""
    if name == "UNSPECIFIED":
        return Strategy.CREATE_NEW
    if name not in Strategy.__members__:
        allowed = ", ".join(Strategy.__members__)
        raise invalid((f"import_strategy.{field}", f"{name or getattr(import_strategy, field)} is not among {allowed}"))
    return Strategy[name]
