"""Reading a JSON package, as Google exports it and as we write it."""

import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from openplaybook.packages.dialogflow.agent_layout import (
    AGENT,
    EXAMPLES,
    FLOWS,
    GENERATIVE_SETTINGS,
    PLAYBOOKS,
    TOOLS,
    AgentContents,
    ToolFiles,
    decode_name,
    document_of,
    flow_files,
    schema_path,
    sort_files,
    stem_of,
)
from openplaybook.packages.dialogflow.agent_names import AgentNames, Rewrite, last_segment, rewrite_references
from openplaybook.packages.dialogflow.agent_package import AgentPackage, PackagedPlaybook, UsedNames
from openplaybook.packages.dialogflow.export_shapes import from_export
from openplaybook.packages.dialogflow.kept_resources import note_kept, note_start
from openplaybook.packages.dialogflow.older_spellings import modern_example, modern_playbook
from openplaybook.packages.errors import DuplicateName
from openplaybook.packages.package_files import read_files
from openplaybook.packages.package_formats import DIALOGFLOW
from openplaybook.packages.package_secrets import how_to_give, missing_secrets
from openplaybook.packages.private_fields import FieldLookup, every_field, split_private
from openplaybook.packages.reference_graph import circles
from openplaybook.packages.report import Notes, Report
from openplaybook.packages.resource_files import read_object, read_text
from openplaybook.packages.unique_names import distinct_names, refuse_equal_ids
from openplaybook.resources.builtin_tools import is_builtin_id
from openplaybook.resources.names import is_valid_id
from openplaybook.resources.tool_kinds import TextPlace

_API = "google.cloud.dialogflow.cx.v3beta1."
_ID_NAMESPACE = uuid.UUID("5f1c3a52-3c0e-4c0e-8a53-0c9e9f6a7d11")


def read_package(
    source: bytes | Path, agent_name: str, fields: FieldLookup = every_field
) -> tuple[AgentPackage, Report]:
    """The agent in a zip archive (bytes or path) or a folder, as the agent of resource name `agent_name`.

    References by display name and by full names of another agent become full names below `agent_name`; ids stay.
    `fields` says what the API's messages can hold; the rest goes into `AgentPackage.private`. Reads and unpacks:
    not for the event loop. Raises `PackageError`, and then nothing of the package was used.
    """
    files = read_files(source, DIALOGFLOW)
    contents = sort_files(files)
    notes = Notes()
    loaded = _load(files, contents, agent_name.split("/")[1], notes)
    others = {path: files[path] for path in contents.others}
    note_start(loaded.agent.value, [playbook.value for playbook, _ in loaded.playbooks], notes)
    note_kept(others, [tool.value for tool in loaded.tools], notes)
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


def _load(files: Mapping[str, bytes], contents: AgentContents, project: str, notes: Notes) -> _Loaded:
    agent = _Resource(AGENT, from_export(read_object(AGENT, files[AGENT])))
    playbooks = [
        (_load_one(each.main, files, notes), [_load_one(path, files, notes) for path in each.examples])
        for each in contents.playbooks
    ]
    read = [_load_tool(project, each, files, notes) for each in contents.tools]
    tools = [tool for tool in read if not _is_builtin(tool, notes)]
    settings: dict[str, _Resource] = {}
    for path in contents.settings:
        language = decode_name(stem_of(path))
        if language in settings:
            raise DuplicateName(path, f"is for the language of {settings[language].file}")
        settings[language] = _Resource(path, from_export(read_object(path, files[path])))
    for resources in ([playbook for playbook, _ in playbooks], tools):
        refuse_equal_ids((resource.file, resource.id) for resource in resources)
        _tell_apart(resources, notes)
    for _, examples in playbooks:
        refuse_equal_ids((example.file, example.id) for example in examples)
    return _Loaded(agent, playbooks, tools, settings, flow_names(files))


def _load_one(file: str, files: Mapping[str, bytes], notes: Notes) -> _Resource:
    value = from_export(read_object(file, files[file]))
    display_name = value.get("displayName")
    if not isinstance(display_name, str) or not display_name:
        display_name = decode_name(stem_of(file))
        notes.problem(file, f"has no displayName; it is called {display_name!r} after its file")
    elif not decode_name(stem_of(file)).startswith(display_name):
        notes.problem(file, f"holds {display_name!r}, which would be in a file of that name; the name inside counts")
    name = value.get("name")
    resource_id = last_segment(name) if isinstance(name, str) else ""
    if not is_valid_id(resource_id):
        resource_id = str(uuid.uuid5(_ID_NAMESPACE, file))
        notes.problem(file, f"has no usable name; its id is {resource_id}")
    return _Resource(file, {**value, "name": resource_id, "displayName": display_name})


def _load_tool(project: str, tool_files: ToolFiles, files: Mapping[str, bytes], notes: Notes) -> _Resource:
    file, schema = tool_files.main, tool_files.schema
    tool = _load_one(file, files, notes)
    for secret in missing_secrets(tool.value):
        notes.missing_secret(f"{file} {secret.path}", *how_to_give(secret, project, tool.value["displayName"]))
    field, document = document_of(tool.value)
    spec = tool.value.get(field, {})
    if schema is None:
        if field in tool.value and _is_left_to_a_file(as_object(spec).get(document.keys[0]), document):
            beside = schema_path(stem_of(file))
            notes.missing_file(
                f"{file} $.{field}.{document.keys[0]}",
                f"the package has no file {beside}; the tool is kept but cannot be called",
            )
        return tool
    if not isinstance(spec, dict):
        notes.problem(file, f"{field} is not an object; the schema beside it is left out")
        return tool
    text = read_text(schema, files[schema])
    return _Resource(file, {**tool.value, field: {**spec, document.keys[0]: text}})


def _is_left_to_a_file(text: JsonValue, document: TextPlace) -> bool:
    """Whether a tool leaves its document to the file beside it: it has no text, or the name of a file."""
    named = rf"[^\n:{{]+{document.endings}"
    return text in (None, "") or (isinstance(text, str) and re.fullmatch(named, text) is not None)


def _is_builtin(tool: _Resource, notes: Notes) -> bool:
    if not is_builtin_id(tool.id):
        return False
    notes.problem(tool.file, f"{tool.id} is a built-in tool, which every agent has; the file is left out")
    return True


def _tell_apart(resources: list[_Resource], notes: Notes) -> None:
    """Give those of equal display names different ones."""
    called = [(resource.file, str(resource.value["displayName"])) for resource in resources]
    for resource, name in zip(resources, distinct_names(called, notes.problem), strict=True):
        resource.value["displayName"] = name


class _Assembly:
    """Joins what was loaded: names, references, private members."""

    def __init__(self, loaded: _Loaded, agent_name: str, fields: FieldLookup, notes: Notes) -> None:
        self._loaded = loaded
        self._agent_name = agent_name
        self._fields = fields
        self._notes = notes
        self._private: dict[str, JsonObject] = {}
        self._read_from: dict[str, str] = {}
        self._names = AgentNames(agent_name)
        for playbook, _ in loaded.playbooks:
            self._names.add(PLAYBOOKS, playbook.id, playbook.value["displayName"])
        for tool in loaded.tools:
            self._names.add(TOOLS, tool.id, tool.value["displayName"])
        for flow_id, display_name in loaded.flows.items():
            self._names.add(FLOWS, flow_id, display_name)

    def package(self, others: Mapping[str, bytes]) -> AgentPackage:
        """The package; notes and private members are collected on the way."""
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
        package = AgentPackage(agent, playbooks, tools, settings, others, self._private, self._read_from)
        self._note_circles(package)
        return package

    def _note_circles(self, package: AgentPackage) -> None:
        used = UsedNames(package)
        files = {f"{self._agent_name}/{PLAYBOOKS}/{each.id}": each for each, _ in self._loaded.playbooks}
        for circle in circles({name: used.of(each) for name, each in zip(files, package.playbooks, strict=True)}):
            titles = " → ".join(files[name].value["displayName"] for name in circle)
            self._notes.problem(files[circle[0]].file, f"leads back to itself: {titles}")

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
        self._read_from[own] = resource.file
        if references:
            value = rewrite_references(value, self._resolver(resource.file))
        known, private = split_private(value, f"{_API}{kind}", self._fields)
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
