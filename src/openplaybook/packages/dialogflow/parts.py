"""A part of an agent as a package of its own: a playbook with what it uses, some tools."""

from collections.abc import Collection, Iterator
from dataclasses import replace

from openplaybook.jsonvalues import JsonValue, as_list, as_object
from openplaybook.packages.dialogflow.agent_layout import PLAYBOOKS, TOOLS
from openplaybook.packages.dialogflow.agent_names import rewrite_references
from openplaybook.packages.dialogflow.agent_package import AgentPackage, PackagedPlaybook
from openplaybook.resources.compiled_forms import ReferenceKind
from openplaybook.resources.playbook_instructions import find_references

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
        for found in used.of(waiting.pop()):
            if found in by_name and found not in reached:
                reached[found] = by_name[found]
                waiting.append(by_name[found])
    mentioned = {found for playbook in reached.values() for found in used.of(playbook)}
    part = tools_part(package, mentioned)
    agent = {**part.agent, "startPlaybook": name}
    playbooks = tuple(playbook for playbook in package.playbooks if playbook.resource["name"] in reached)
    return replace(part, agent=agent, playbooks=playbooks, private=_private(package, [*reached, *_names(part)]))


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
        found: set[str] = set()

        def note(collection: str, name: str, path: str) -> str:
            found.add(name)
            return name

        for resource in (playbook.resource, *playbook.examples):
            rewrite_references(resource, note)
        for text in texts_in(playbook.resource.get("instruction")):
            for reference in find_references(text):
                found.add(self._names.get((_KINDS.get(reference.kind, ""), reference.name), ""))
        return found - {""}


def texts_in(value: JsonValue) -> Iterator[str]:
    """Every text within a value."""
    if isinstance(value, str):
        yield value
    for inner in (*as_object(value).values(), *as_list(value)):
        yield from texts_in(inner)


def _names(part: AgentPackage) -> list[str]:
    return [str(tool["name"]) for tool in part.tools]


def _private(package: AgentPackage, names: Collection[str]) -> dict[str, dict[str, object]]:
    """The private members of resources of these names, and of what is below them."""
    own = {name.removeprefix(f"{package.agent['name']}/") for name in names}
    return {key: value for key, value in package.private.items() if "/".join(key.split("/")[:2]) in own}
