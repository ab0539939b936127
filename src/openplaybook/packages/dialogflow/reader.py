"""Reading a JSON package, as Google exports it and as we write it."""

import uuid
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from openplaybook.jsonvalues import JsonObject
from openplaybook.packages.dialogflow.archive import read_files
from openplaybook.packages.dialogflow.contents import Contents, flow_files, sort_files, stem_of
from openplaybook.packages.dialogflow.json_files import read_object, read_text
from openplaybook.packages.dialogflow.layout import (
    AGENT,
    EXAMPLES,
    FLOWS,
    GENERATIVE_SETTINGS,
    PLAYBOOKS,
    TOOLS,
    decode_name,
)
from openplaybook.packages.dialogflow.model import AgentPackage, PackagedPlaybook
from openplaybook.packages.dialogflow.names import NameTable, Rewrite, last_segment, rewrite_references
from openplaybook.packages.dialogflow.older import modern_example, modern_playbook
from openplaybook.packages.dialogflow.private import FieldLookup, api_message, every_field, split_private
from openplaybook.packages.dialogflow.report import Notes, Report
from openplaybook.packages.dialogflow.secrets import missing_secrets
from openplaybook.packages.dialogflow.shapes import from_export
from openplaybook.packages.errors import DuplicateName
from openplaybook.resources.builtin_tools import BUILTIN_IDS
from openplaybook.resources.names import is_valid_id

_ID_NAMESPACE = uuid.UUID("5f1c3a52-3c0e-4c0e-8a53-0c9e9f6a7d11")


def read_package(
    source: bytes | Path, agent_name: str, fields: FieldLookup = every_field
) -> tuple[AgentPackage, Report]:
    """The agent in a zip archive (bytes or path) or a folder, as the agent of resource name `agent_name`.

    References by display name and by full names of another agent become full names below `agent_name`; ids stay.
    `fields` says what the API's messages can hold; the rest goes into `AgentPackage.private`. Reads and unpacks:
    not for the event loop. Raises `PackageError`, and then nothing of the package was used.
    """
    files = read_files(source)
    contents = sort_files(files)
    notes = Notes()
    loaded = _load(files, contents, notes)
    others = {path: files[path] for path in contents.others}
    _note_kept(others, notes)
    return _Assembly(loaded, agent_name, fields, notes).package(others), notes.report()


def flow_names(files: Mapping[str, bytes]) -> dict[str, str]:
    """Display names of the flows among a package's files, by id."""
    flows = (read_object(path, files[path]) for path in flow_files(files))
    return {last_segment(str(flow.get("name", ""))): str(flow.get("displayName", "")) for flow in flows}


@dataclass(frozen=True, slots=True)
class _Resource:
    """A resource as it was in its file, in the API's shapes; its `name` is the bare id."""

    file: str
    value: JsonObject

    @property
    def id(self) -> str:
        return str(self.value["name"])


@dataclass(frozen=True, slots=True)
class _Loaded:
    agent: _Resource
    playbooks: list[tuple[_Resource, list[_Resource]]]
    tools: list[_Resource]
    settings: dict[str, _Resource]
    flows: dict[str, str]


def _load(files: Mapping[str, bytes], contents: Contents, notes: Notes) -> _Loaded:
    agent = _Resource(AGENT, from_export(read_object(AGENT, files[AGENT])))
    playbooks = [
        (_load_one(each.main, files, notes), [_load_one(path, files, notes) for path in each.examples])
        for each in contents.playbooks
    ]
    read = [_load_tool(each.main, each.schema, files, notes) for each in contents.tools]
    tools = [tool for tool in read if not _is_builtin(tool, notes)]
    settings: dict[str, _Resource] = {}
    for path in contents.settings:
        language = decode_name(stem_of(path))
        if language in settings:
            raise DuplicateName(path, f"is for the language of {settings[language].file}")
        settings[language] = _Resource(path, from_export(read_object(path, files[path])))
    _refuse_equal_ids([playbook for playbook, _ in playbooks])
    _refuse_equal_ids(tools)
    for _, examples in playbooks:
        _refuse_equal_ids(examples)
    return _Loaded(agent, playbooks, tools, settings, flow_names(files))


def _load_one(file: str, files: Mapping[str, bytes], notes: Notes) -> _Resource:
    value = from_export(read_object(file, files[file]))
    display_name = value.get("displayName")
    if not isinstance(display_name, str) or not display_name:
        display_name = decode_name(stem_of(file))
        notes.problem(file, f"has no displayName; it is called {display_name!r} after its file")
    elif not decode_name(stem_of(file)).startswith(display_name):
        notes.problem(file, f"holds {display_name!r}, which would be in a file of that name; the name inside counts")
    given = value.get("name")
    resource_id = last_segment(given) if isinstance(given, str) else ""
    if not is_valid_id(resource_id):
        resource_id = str(uuid.uuid5(_ID_NAMESPACE, file))
        notes.problem(file, f"has no usable name; its id is {resource_id}")
    return _Resource(file, {**value, "name": resource_id, "displayName": display_name})


def _load_tool(file: str, schema: str | None, files: Mapping[str, bytes], notes: Notes) -> _Resource:
    tool = _load_one(file, files, notes)
    for secret in missing_secrets(tool.value):
        notes.missing_secret(f"{file} {secret.path}", f"the tool needs {secret.field.key}, or a secret version instead")
    if schema is None:
        return tool
    spec = tool.value.get("openApiSpec", {})
    if not isinstance(spec, dict):
        notes.problem(file, "openApiSpec is not an object; the schema beside it is left out")
        return tool
    text = read_text(schema, files[schema])
    return _Resource(file, {**tool.value, "openApiSpec": {**spec, "textSchema": text}})


def _is_builtin(tool: _Resource, notes: Notes) -> bool:
    if tool.id not in BUILTIN_IDS:
        return False
    notes.problem(tool.file, f"{tool.id} is a built-in tool, which every agent has; the file is left out")
    return True


def _refuse_equal_ids(resources: list[_Resource]) -> None:
    files: dict[str, str] = {}
    for resource in resources:
        if resource.id in files:
            raise DuplicateName(resource.file, f"has the name of {files[resource.id]}: {resource.id}")
        files[resource.id] = resource.file


def _note_kept(others: Mapping[str, bytes], notes: Notes) -> None:
    tops = Counter(path.split("/", 1)[0] for path in others)
    for top, count in tops.items():
        files = "1 file" if count == 1 else f"{count} files"
        notes.kept(top, f"{files} kept and written back at export, of no effect here")


class _Assembly:
    """Joins what was loaded: names, references, private members."""

    def __init__(self, loaded: _Loaded, agent_name: str, fields: FieldLookup, notes: Notes) -> None:
        self._loaded = loaded
        self._agent_name = agent_name
        self._fields = fields
        self._notes = notes
        self._private: dict[str, JsonObject] = {}
        self._names = NameTable(agent_name)
        for playbook, _ in loaded.playbooks:
            self._names.add(PLAYBOOKS, playbook.id, playbook.value["displayName"])
        for tool in loaded.tools:
            self._names.add(TOOLS, tool.id, tool.value["displayName"])
        for flow_id, display_name in loaded.flows.items():
            self._names.add(FLOWS, flow_id, display_name)

    def package(self, others: Mapping[str, bytes]) -> AgentPackage:
        """The package; notes and private members are collected on the way."""
        for collection in (PLAYBOOKS, TOOLS):
            for name in self._names.ambiguous(collection):
                self._notes.problem(collection, f"{name!r} is the display name of several; the first is meant by it")
        agent = self._finish(self._loaded.agent, "agent", "Agent", references=True)
        playbooks = tuple(self._playbook(playbook, examples) for playbook, examples in self._loaded.playbooks)
        tools = tuple(
            self._named(self._finish(tool, f"{TOOLS}/{tool.id}", "Tool"), f"{TOOLS}/{tool.id}")
            for tool in self._loaded.tools
        )
        settings = {
            language: self._finish(value, f"{GENERATIVE_SETTINGS}/{language}", "GenerativeSettings")
            for language, value in self._loaded.settings.items()
        }
        agent = {**agent, "name": self._agent_name}
        return AgentPackage(agent, playbooks, tools, settings, others, self._private)

    def _playbook(self, playbook: _Resource, examples: list[_Resource]) -> PackagedPlaybook:
        own = f"{PLAYBOOKS}/{playbook.id}"
        modern = _Resource(playbook.file, modern_playbook(playbook.value))
        return PackagedPlaybook(
            self._named(self._finish(modern, own, "Playbook", references=True), own),
            tuple(self._example(example, f"{own}/{EXAMPLES}/{example.id}") for example in examples),
        )

    def _example(self, example: _Resource, own: str) -> JsonObject:
        modern = _Resource(example.file, modern_example(example.value))
        return self._named(self._finish(modern, own, "Example", references=True), own)

    def _named(self, value: JsonObject, own: str) -> JsonObject:
        return {**value, "name": f"{self._agent_name}/{own}"}

    def _finish(self, resource: _Resource, own: str, kind: str, *, references: bool = False) -> JsonObject:
        value = resource.value
        if references:
            value = rewrite_references(value, self._resolver(resource.file))
        known, private = split_private(value, api_message(kind), self._fields)
        if private:
            self._private[own] = private
        return known

    def _resolver(self, file: str) -> Rewrite:
        def resolve(collection: str, reference: str, path: str) -> str:
            full_name = self._names.resolve(collection, reference)
            if not self._names.knows(collection, full_name):
                self._notes.problem(f"{file} {path}", f"there is nothing called {reference!r} among the {collection}")
            return full_name

        return resolve
