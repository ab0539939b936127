"""An agent as one value: what a JSON package holds; and a part of one as a package of its own: a playbook with what it
uses, some tools."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.packages.dialogflow.agent_layout import PLAYBOOKS, TOOLS
from openplaybook.packages.dialogflow.agent_names import rewrite_references
from openplaybook.resources.compiled_forms import ReferenceKind
from openplaybook.resources.playbook_instructions import find_references


@dataclass(frozen=True, slots=True)
class PackagedPlaybook:
    """A playbook with its examples."""

    resource: JsonObject
    examples: tuple[JsonObject, ...] = ()


@dataclass(frozen=True, slots=True)
class AgentPackage:
    """An agent and everything below it.

    Resources are JSON in the shape of the v3beta1 API: full resource names, RFC 3339 times, maps as objects.
    """

    agent: JsonObject
    """Its `name` is the agent's resource name; all names in the package are below it."""
    playbooks: tuple[PackagedPlaybook, ...] = ()
    tools: tuple[JsonObject, ...] = ()
    generative_settings: Mapping[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    """By language code."""
    other_files: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    """Files of the package that are nothing of the above (flows, intents, test cases, …), by path, byte for byte."""
    private: Mapping[str, JsonObject] = field(default_factory=dict[str, JsonObject])
    """What resources of the export hold beyond the API (see `private_fields`), by the resource's name below the agent:
    `agent`, `tools/ID`, `playbooks/ID`, `playbooks/ID/examples/ID`, `generativeSettings/LANGUAGE`."""
    read_from: Mapping[str, str] = field(default_factory=dict[str, str], compare=False)
    """The file that each was read from, by the same names; empty where no file was read."""


_KINDS = {ReferenceKind.TOOL: TOOLS, ReferenceKind.PLAYBOOK: PLAYBOOKS}


def playbook_part(package: AgentPackage, name: str) -> AgentPackage:
    """The playbook of that full name with its examples, the playbooks that it leads to, and the tools of them all.

    The part's agent starts with it. Raises `KeyError` where there is none.
    """
    by_name = {playbook.resource["name"]: playbook for playbook in package.playbooks}
    used = UsedNames(package)
    reached = {name: by_name[name]}
    waiting = [by_name[name]]
    while waiting:
        for used_name in used.of(waiting.pop()):
            if used_name in by_name and used_name not in reached:
                reached[used_name] = by_name[used_name]
                waiting.append(by_name[used_name])
    mentioned = {used_name for playbook in reached.values() for used_name in used.of(playbook)}
    part = tools_part(package, mentioned)
    agent = {**part.agent, "startPlaybook": name}
    playbooks = tuple(playbook for playbook in package.playbooks if playbook.resource["name"] in reached)
    names = [*reached, *(str(tool["name"]) for tool in part.tools)]
    return replace(part, agent=agent, playbooks=playbooks, private=_private(package, names))


def tools_part(package: AgentPackage, names: Collection[str]) -> AgentPackage:
    """The tools of these full names, in the order of the package."""
    tools = tuple(tool for tool in package.tools if tool["name"] in names)
    agent = {"name": package.agent["name"]}
    return AgentPackage(agent, tools=tools, private=_private(package, [tool["name"] for tool in tools]))


class UsedNames:
    """What the playbooks of a package use."""

    def __init__(self, package: AgentPackage) -> None:
        titled = ((TOOLS, tool) for tool in package.tools)
        playbooks = ((PLAYBOOKS, playbook.resource) for playbook in package.playbooks)
        self._names = {(kind, each.get("displayName")): str(each["name"]) for kind, each in (*titled, *playbooks)}

    def of(self, playbook: PackagedPlaybook) -> set[str]:
        """Full names of all tools and playbooks that a playbook lists, mentions in its text, or has in examples."""
        names: set[str] = set()

        def note(collection: str, name: str, path: str) -> str:
            names.add(name)
            return name

        for resource in (playbook.resource, *playbook.examples):
            rewrite_references(resource, note)
        for text in texts_in(playbook.resource.get("instruction")):
            for reference in find_references(text):
                names.add(self._names.get((_KINDS.get(reference.kind, ""), reference.name), ""))
        return names - {""}


def texts_in(value: JsonValue) -> Iterator[str]:
    """Every text within a value."""
    if isinstance(value, str):
        yield value
    for inner in (*as_object(value).values(), *as_list(value)):
        yield from texts_in(inner)


def _private(package: AgentPackage, names: Collection[str]) -> dict[str, dict[str, object]]:
    """The private members of resources of these names, and of what is below them."""
    own = {name.removeprefix(f"{package.agent['name']}/") for name in names}
    return {key: value for key, value in package.private.items() if "/".join(key.split("/")[:2]) in own}
