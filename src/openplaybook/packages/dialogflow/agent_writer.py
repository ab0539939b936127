"""Writing a JSON package in the layout of Google's exports."""

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.packages.dialogflow.agent_layout import (
    AGENT,
    EXAMPLES,
    FLOWS,
    GENERATIVE_SETTINGS,
    PLAYBOOKS,
    TOOLS,
    document_of,
    encode_name,
    example_path,
    resource_path,
    schema_path,
    settings_path,
)
from openplaybook.packages.dialogflow.agent_names import AgentNames, last_segment, rewrite_references
from openplaybook.packages.dialogflow.agent_package import AgentPackage, PackagedPlaybook
from openplaybook.packages.dialogflow.agent_reader import flow_names
from openplaybook.packages.dialogflow.export_shapes import to_export
from openplaybook.packages.errors import DuplicateName
from openplaybook.packages.package_files import check_path, zip_of
from openplaybook.packages.package_secrets import withheld, without_secrets
from openplaybook.packages.private_fields import merge_private
from openplaybook.packages.report import Report
from openplaybook.packages.resource_files import write_object


def write_package(package: AgentPackage) -> bytes:
    """The zip archive of an agent; the same package always gives the same bytes.

    Secrets that stand in tools or in the agent are left out (`withheld_secrets` lists them). Packs: not for the
    event loop. Raises `PackageError` for a file among `other_files` whose path is unsafe or taken.
    """
    return zip_of(package_files(package))


def package_files(package: AgentPackage) -> dict[str, bytes]:
    """The files of the package by path."""
    writing = _Writing(package)
    files = {AGENT: write_object(writing.agent())}
    stems = _Stems()
    for playbook in package.playbooks:
        files.update(writing.playbook(playbook, stems.take(playbook.resource)))
    stems = _Stems()
    for tool in package.tools:
        files.update(writing.tool(tool, stems.take(tool)))
    for language, settings in package.generative_settings.items():
        files[settings_path(language)] = write_object(writing.settings(language, settings))
    for path, content in package.other_files.items():
        check_path(path)
        if path in files:
            raise DuplicateName(path, "is the path of a file that the agent itself has")
        files[path] = content
    return files


def withheld_secrets(package: AgentPackage) -> Report:
    """What `write_package` leaves out because it is a secret."""
    return withheld((package.agent, *package.tools))


class _Stems:
    """File names of resources in one folder, made unique with a number where display names are equal."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def take(self, resource: JsonObject) -> str:
        """The file name of a resource, without ending."""
        wanted = encode_name(str(resource.get("displayName", ""))) or last_segment(str(resource["name"]))
        stem, number = wanted, 1
        while stem in self._taken:
            number += 1
            stem = f"{wanted}_{number}"
        self._taken.add(stem)
        return stem


class _Writing:
    """Resources of one package, brought into the form of its files."""

    def __init__(self, package: AgentPackage) -> None:
        self._package = package
        self._names = _name_table(package)

    def agent(self) -> JsonObject:
        """The contents of `agent.json`."""
        value = self._finish(without_secrets(self._package.agent), "agent", references=True)
        return {key: member for key, member in value.items() if key != "name"}

    def playbook(self, playbook: PackagedPlaybook, stem: str) -> dict[str, bytes]:
        """The files of one playbook."""
        own = f"{PLAYBOOKS}/{last_segment(playbook.resource['name'])}"
        files = {resource_path(PLAYBOOKS, stem): self._file(playbook.resource, own, references=True)}
        stems = _Stems()
        for example in playbook.examples:
            path = example_path(stem, stems.take(example))
            files[path] = self._file(example, f"{own}/{EXAMPLES}/{last_segment(example['name'])}", references=True)
        return files

    def tool(self, tool: JsonObject, stem: str) -> dict[str, bytes]:
        """The files of one tool."""
        own = f"{TOOLS}/{last_segment(tool['name'])}"
        field, document = document_of(tool)
        spec, member = as_object(tool.get(field)), document.keys[0]
        if not isinstance(spec.get(member), str):
            return {resource_path(TOOLS, stem): self._file(without_secrets(tool), own)}
        rest = {key: value for key, value in spec.items() if key != member}
        return {
            resource_path(TOOLS, stem): self._file(without_secrets({**tool, field: rest}), own),
            schema_path(stem): spec[member].encode(),
        }

    def settings(self, language: str, settings: JsonObject) -> JsonObject:
        """The contents of the generative settings of one language."""
        value = self._finish(settings, f"{GENERATIVE_SETTINGS}/{language}")
        return {key: member for key, member in value.items() if key != "name"}

    def _file(self, resource: JsonObject, own: str, *, references: bool = False) -> bytes:
        finished = self._finish(resource, own, references=references)
        return write_object({**finished, "name": last_segment(resource["name"])})

    def _finish(self, resource: JsonObject, own: str, *, references: bool = False) -> JsonObject:
        value = merge_private(resource, self._package.private.get(own, {}))
        if references:
            value = rewrite_references(value, lambda collection, name, _: self._names.refer(collection, name))
        return to_export(value)


def _name_table(package: AgentPackage) -> AgentNames:
    names = AgentNames(str(package.agent.get("name", "")))
    for playbook in package.playbooks:
        _add(names, PLAYBOOKS, playbook.resource)
    for tool in package.tools:
        _add(names, TOOLS, tool)
    flows = {path: content for path, content in package.other_files.items() if path.startswith(f"{FLOWS}/")}
    for flow_id, display_name in flow_names(flows).items():
        names.add(FLOWS, flow_id, display_name)
    return names


def _add(names: AgentNames, collection: str, resource: JsonObject) -> None:
    names.add(collection, last_segment(str(resource["name"])), str(resource.get("displayName", "")))
