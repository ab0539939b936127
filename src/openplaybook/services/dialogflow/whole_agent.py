"""Everything of an agent at once: gathered for an export, replaced by a restore or an import."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from openplaybook.jsonvalues import JsonObject, as_object, dumps
from openplaybook.packages.dialogflow.agent_package import AgentPackage, PackagedPlaybook
from openplaybook.packages.dialogflow.agent_reader import read_package
from openplaybook.packages.dialogflow.agent_writer import withheld_secrets
from openplaybook.packages.private_fields import fields_in
from openplaybook.packages.report import Report
from openplaybook.resources.names import (
    AGENTS,
    EXAMPLES,
    GENERATIVE_SETTINGS,
    LOCATIONS,
    PLAYBOOK_VERSIONS,
    PLAYBOOKS,
    TOOL_VERSIONS,
    TOOLS,
    ResourceName,
    settings_record,
)
from openplaybook.resources.stored_form import in_order_of
from openplaybook.services.errors import invalid, not_found
from openplaybook.services.kept_secrets import CarriedSecrets, StoredSecrets, notes_on_secrets
from openplaybook.services.locations import remember_location
from openplaybook.services.package_records import PackageRest, body_of, put_of, unmet
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import AGENT, EXAMPLE, PLAYBOOK, TOOL, ResourceKind
from openplaybook.services.stored_records import retried
from openplaybook.storage.base import Change, Delete, Put, Record
from openplaybook.wire.codec import JsonError
from openplaybook.workers.lanes import AT_ONCE, PACKAGES

_VERSIONS = (PLAYBOOK_VERSIONS.kind, TOOL_VERSIONS.kind)


async def gather(parts: ServiceParts, agent: str) -> AgentPackage:
    """The agent of that name with all that belongs to it, versions left out. NOT_FOUND if there is none."""
    records = await parts.store.scan(str(AGENTS.parse(agent)))
    # Beside the event loop, unless it is small.
    work = partial(_gathered, records, agent)
    return await PACKAGES.run(work) if sum(len(record.body) for record in records) > AT_ONCE else work()


def packed(package: AgentPackage, write: Callable[[AgentPackage], bytes]) -> tuple[list[str], bytes]:
    """What is to be said of the secrets that stay here, and the package as `write` writes it; not for the event
    loop."""
    return [f"{note.place}: {note.message}" for note in withheld_secrets(package).notes], write(package)


def _gathered(records: Sequence[Record], agent: str) -> AgentPackage:
    by_kind: dict[str, list[Record]] = {}
    for record in records:
        by_kind.setdefault(record.kind, []).append(record)
    if not by_kind.get(AGENTS.kind):
        raise not_found(AGENT.noun, agent)
    rest = PackageRest.among(records)
    settings = by_kind.get(GENERATIVE_SETTINGS.kind, [])
    examples = by_kind.get(EXAMPLES.kind, [])
    return AgentPackage(
        agent=body_of(by_kind[AGENTS.kind][0]),
        playbooks=tuple(
            PackagedPlaybook(
                body_of(record), tuple(body_of(example) for example in examples if example.parent == record.name)
            )
            for record in by_kind.get(PLAYBOOKS.kind, [])
        ),
        tools=tuple(body_of(record) for record in by_kind.get(TOOLS.kind, [])),
        generative_settings={record.name.rpartition("/")[2]: body_of(record) for record in settings},
        other_files=rest.files,
        private=as_object(rest.more.get("private")),
    )


async def replace(parts: ServiceParts, agent: str, source: bytes | Path, *, keep_versions: bool = False) -> Report:
    """Make the agent of that name, new or not, what a package holds: all of it or nothing.

    Playbooks, examples, tools, their versions and all settings that were there are gone. Of two things something stays:
    secrets that stand in tools themselves (`services.kept_secrets`), and with `keep_versions` the versions of playbooks
    and tools whose ids the package has. Raises `PackageError`, and INVALID_ARGUMENT for a resource that is not what the
    API says.
    """
    fields = fields_in(parts.api.pool)
    async with parts.whole_agents.imported:
        package, report = await PACKAGES.run(partial(read_package, source, agent, fields))
        carried = await retried(lambda: _swap(parts, AGENTS.parse(agent), package, keep_versions=keep_versions))
        return Report((*notes_on_secrets(report.notes, carried), *[note async for note in unmet(parts, package.tools)]))


async def _swap(
    parts: ServiceParts, name: ResourceName, package: AgentPackage, *, keep_versions: bool
) -> Mapping[str, CarriedSecrets]:
    """What became of secrets, by the file that each resource was read from."""
    records = await parts.store.scan(str(name))
    before = next((record for record in records if record.name == str(name)), None)
    written, carried = await PACKAGES.run(lambda: _swapped(parts, name, package, records, keep_versions=keep_versions))
    changes: list[Change] = [*written]
    if before is None:
        changes += await remember_location(parts.store, LOCATIONS.parse(name.parent))
    await parts.store.apply(changes)
    return carried


def _swapped(
    parts: ServiceParts, name: ResourceName, package: AgentPackage, records: Sequence[Record], *, keep_versions: bool
) -> tuple[list[Change], Mapping[str, CarriedSecrets]]:
    """In a thread: an agent of thousands of resources takes a second."""
    before = next((record for record in records if record.name == str(name)), None)
    package, carried = _with_secrets(parts, package, records)
    names = {playbook.resource["name"] for playbook in package.playbooks} | {tool["name"] for tool in package.tools}
    stays = [record.name for record in records if record.kind in _VERSIONS and record.parent in names]
    staying = {str(name), *(stays if keep_versions else ())}
    # A secret that is set meanwhile must not give way to the one that was read here.
    gone = [Delete(record.name, expect=record.version) for record in records if record.name not in staying]
    writing = _Writing(parts, name, package)
    return [writing.agent(before), *gone, *writing.within()], carried


def _with_secrets(
    parts: ServiceParts, package: AgentPackage, records: Sequence[Record]
) -> tuple[AgentPackage, Mapping[str, CarriedSecrets]]:
    """The package with the stored secrets that stay, and what became of them by the file of each resource."""
    holders = (body_of(record) for record in records if record.kind in (TOOLS.kind, AGENTS.kind))
    stored = StoredSecrets(holders, parts.inline_secrets)
    names = frozenset(str(tool["name"]) for tool in package.tools)
    carried = {own_name(resource): stored.into(resource, names) for resource in (package.agent, *package.tools)}
    agent, *written = [each.resource for each in carried.values()]
    with_secrets = dataclasses.replace(package, agent=agent, tools=tuple(written))
    return with_secrets, {package.read_from.get(own, own): each for own, each in carried.items()}


def own_name(resource: JsonObject) -> str:
    """A resource's name below its agent, `agent` for the agent: the key of `AgentPackage.read_from`."""
    return "/".join(str(resource["name"]).split("/")[6:]) or "agent"


class _Writing:
    """Turns a package's resources into changes, each checked against its message."""

    def __init__(self, parts: ServiceParts, agent: ResourceName, package: AgentPackage) -> None:
        self._parts = parts
        self._name = agent
        self._package = package

    def agent(self, before: Record | None) -> Put:
        """The agent itself; exports may lack its display name, then it keeps the one it has."""
        called = "" if before is None else str(body_of(before).get("displayName", ""))
        resource = {"displayName": called, **self._package.agent}
        resource["displayName"] = resource["displayName"] or called
        return self._put(AGENT, resource, expect=0 if before is None else before.version)

    def within(self) -> list[Change]:
        """Everything below the agent."""
        package = self._package
        changes: list[Change] = [self._put(TOOL, tool) for tool in package.tools]
        for playbook in package.playbooks:
            changes.append(self._put(PLAYBOOK, playbook.resource))
            changes += [self._put(EXAMPLE, example) for example in playbook.examples]
        changes += [self._settings(language, settings) for language, settings in package.generative_settings.items()]
        if package.other_files or package.private:
            rest = PackageRest(package.other_files, {"private": dict(package.private)})
            changes.append(rest.put(str(self._name)))
        return changes

    def _put(self, kind: ResourceKind, resource: JsonObject, *, expect: int = 0) -> Put:
        file = self._package.read_from.get(own_name(resource), "")
        return put_of(self._parts, kind, resource, expect=expect, file=file)

    def _settings(self, language: str, resource: JsonObject) -> Put:
        agent = str(self._name)
        # Exports of agents in one language may name another one inside; it is written back.
        named = {"languageCode": language, **resource, "name": str(GENERATIVE_SETTINGS.child(agent))}
        try:
            message = self._parts.api.codec.from_json(named, self._parts.cx("GenerativeSettings"))
        except JsonError as error:
            place = self._package.read_from.get(f"generativeSettings/{language}", f"generativeSettings {language}")
            raise invalid((place, str(error))) from error
        body = dumps(in_order_of(self._parts.api.codec.to_json(message), named))
        return Put(settings_record(agent, language), GENERATIVE_SETTINGS.kind, agent, agent, body, expect=0)
