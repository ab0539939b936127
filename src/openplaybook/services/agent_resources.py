"""Everything of an agent at once: gathered for an export, replaced by a restore or an import."""

import asyncio
import base64
import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from openplaybook.jsonvalues import JsonObject, as_object, dumps, loads
from openplaybook.packages.dialogflow.model import AgentPackage, PackagedPlaybook
from openplaybook.packages.dialogflow.private import fields_in
from openplaybook.packages.dialogflow.reader import read_package
from openplaybook.packages.dialogflow.report import Report
from openplaybook.resources.names import (
    AgentName,
    ExampleName,
    GenerativeSettingsName,
    PlaybookName,
    ToolName,
)
from openplaybook.resources.stored import in_order_of
from openplaybook.services.collection import Collection
from openplaybook.services.errors import invalid, not_found
from openplaybook.services.kinds import AGENT, EXAMPLE, PLAYBOOK, TOOL, Kind
from openplaybook.services.locations import remember_location
from openplaybook.services.optimistic import retried
from openplaybook.services.parts import Parts
from openplaybook.storage.base import Change, Delete, Put, Record
from openplaybook.wire.codec import JsonError

_REST = "package_rest"
"""Kind of the one record that holds what a package has beyond resources."""


async def gather(parts: Parts, agent: str) -> AgentPackage:
    """The agent of that name with all that belongs to it, versions left out. NOT_FOUND if there is none."""
    records = await parts.store.scan(str(AgentName.parse(agent)))
    by_kind: dict[str, list[Record]] = {}
    for record in records:
        by_kind.setdefault(record.kind, []).append(record)
    if not by_kind.get(AgentName.kind):
        raise not_found(AGENT.noun, agent)
    rest = _Rest.of(by_kind.get(_REST, []))
    settings = [_body(record) for record in by_kind.get(GenerativeSettingsName.kind, [])]
    examples = by_kind.get(ExampleName.kind, [])
    return AgentPackage(
        agent=_body(by_kind[AgentName.kind][0]),
        playbooks=tuple(
            PackagedPlaybook(
                _body(record), tuple(_body(example) for example in examples if example.parent == record.name)
            )
            for record in by_kind.get(PlaybookName.kind, [])
        ),
        tools=tuple(_body(record) for record in by_kind.get(ToolName.kind, [])),
        generative_settings={settings_of["languageCode"]: settings_of for settings_of in settings},
        other_files=rest.files,
        private=rest.private,
    )


async def replace(parts: Parts, agent: str, source: bytes | Path) -> Report:
    """Make the agent of that name, new or not, what a package holds: all of it or nothing.

    Playbooks, examples, tools, their versions and all settings that were there are gone. Raises `PackageError`,
    and INVALID_ARGUMENT for a resource that is not what the API says.
    """
    fields = fields_in(parts.api.pool)
    package, report = await asyncio.to_thread(read_package, source, agent, fields)
    await retried(lambda: _swap(parts, AgentName.parse(agent), package))
    return report


async def _swap(parts: Parts, name: AgentName, package: AgentPackage) -> None:
    records = await parts.store.scan(str(name))
    before = next((record for record in records if record.name == str(name)), None)
    writing = _Writing(parts, name)
    changes: list[Change] = [writing.agent(package.agent, before)]
    changes += [Delete(record.name) for record in records if record is not before]
    changes += writing.within(package)
    if before is None:
        changes += await remember_location(parts.store, name.location)
    await parts.store.apply(changes)


@dataclass(frozen=True, slots=True)
class _Rest:
    """What a package holds beyond resources."""

    files: Mapping[str, bytes]
    private: Mapping[str, JsonObject]

    @classmethod
    def of(cls, records: list[Record]) -> "_Rest":
        if not records:
            return cls({}, {})
        body = _body(records[0])
        return cls({path: base64.b64decode(text) for path, text in body["files"].items()}, body["private"])

    def body(self) -> bytes:
        files = {path: base64.b64encode(content).decode("ascii") for path, content in self.files.items()}
        return dumps({"files": files, "private": dict(self.private)})


class _Writing:
    """Turns a package's resources into changes, each checked against its message."""

    def __init__(self, parts: Parts, agent: AgentName) -> None:
        self._parts = parts
        self._name = agent

    def agent(self, resource: JsonObject, before: Record | None) -> Put:
        """The agent itself; exports may lack its display name, then it keeps the one it has."""
        inherited = {} if before is None else {"displayName": _body(before).get("displayName", "")}
        return self._put(AGENT, {**inherited, **resource}, expect=0 if before is None else before.version)

    def within(self, package: AgentPackage) -> list[Change]:
        """Everything below the agent."""
        changes: list[Change] = [self._put(TOOL, tool) for tool in package.tools]
        for playbook in package.playbooks:
            changes.append(self._put(PLAYBOOK, playbook.resource))
            changes += [self._put(EXAMPLE, example) for example in playbook.examples]
        changes += [self._settings(language, settings) for language, settings in package.generative_settings.items()]
        if package.other_files or package.private:
            rest = _Rest(package.other_files, package.private)
            changes.append(Put(f"{self._name}/package", _REST, str(self._name), str(self._name), rest.body()))
        return changes

    def _put(self, kind: Kind, resource: JsonObject, *, expect: int = 0) -> Put:
        collection = Collection(kind, self._parts)
        message = collection.new()
        try:
            self._parts.api.codec.from_json(resource, message)
        except JsonError as error:
            raise invalid((f"{kind.field} {resource.get('displayName', '')!r}", str(error))) from error
        for field in ("create_time", "update_time"):
            if collection.has_field(field) and not message.HasField(field):
                getattr(message, field).FromMicroseconds(self._parts.now_us())
        put = collection.put(message, expect=expect)
        return dataclasses.replace(put, body=dumps(in_order_of(loads(put.body), resource)))

    def _settings(self, language: str, resource: JsonObject) -> Put:
        name = GenerativeSettingsName(self._name, language)
        named = {**resource, "name": str(name), "languageCode": language}
        try:
            message = self._parts.api.codec.from_json(named, self._parts.cx("GenerativeSettings"))
        except JsonError as error:
            raise invalid((f"generativeSettings {language}", str(error))) from error
        body = dumps(in_order_of(self._parts.api.codec.to_json(message), named))
        return Put(name.record, name.kind, name.parent, name.parent, body, expect=0)


def _body(record: Record) -> JsonObject:
    return as_object(loads(record.body))
