"""Resources of a package under other names, for an agent that already has some of them."""

from collections.abc import Mapping
from dataclasses import replace

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.packages.dialogflow.agent_names import rewrite_references
from openplaybook.packages.dialogflow.agent_package import AgentPackage, PackagedPlaybook
from openplaybook.resources.compiled_forms import Reference, ReferenceKind
from openplaybook.resources.playbook_instructions import find_references

_WORDS = {ReferenceKind.TOOL: "TOOL", ReferenceKind.PLAYBOOK: "PLAYBOOK", ReferenceKind.FLOW: "FLOW"}


def renamed(
    package: AgentPackage, names: Mapping[str, str], titles: Mapping[tuple[ReferenceKind, str], str]
) -> AgentPackage:
    """The package with resources of these full names under others, and of these display names under others, wherever
    they are named: in lists and actions, and in the text of instructions."""

    def changed(resource: JsonObject, kind: ReferenceKind | None = None) -> JsonObject:
        moved = rewrite_references(resource, lambda collection, name, path: names.get(name, name))
        moved["name"] = _moved(str(resource["name"]), names)
        if kind is not None:
            title = str(resource.get("displayName", ""))
            moved["displayName"] = titles.get((kind, title), title)
        if "instruction" in moved:
            moved["instruction"] = _retold(moved["instruction"], titles)
        return moved

    prefix = f"{package.agent['name']}/"
    return replace(
        package,
        agent=rewrite_references(package.agent, lambda collection, name, path: names.get(name, name)),
        playbooks=tuple(
            PackagedPlaybook(
                changed(playbook.resource, ReferenceKind.PLAYBOOK),
                tuple(changed(example) for example in playbook.examples),
            )
            for playbook in package.playbooks
        ),
        tools=tuple(changed(tool, ReferenceKind.TOOL) for tool in package.tools),
        private={_moved(prefix + key, names).removeprefix(prefix): value for key, value in package.private.items()},
    )


def _moved(name: str, names: Mapping[str, str]) -> str:
    """A full name, or the name of something below a resource, under its new name."""
    above = "/".join(name.split("/")[:8])
    return names.get(above, above) + name[len(above) :]


def _retold(value: JsonValue, titles: Mapping[tuple[ReferenceKind, str], str]) -> JsonValue:
    if isinstance(value, dict):
        return {key: _retold(member, titles) for key, member in as_object(value).items()}
    if isinstance(value, list):
        return [_retold(item, titles) for item in as_list(value)]
    if not isinstance(value, str):
        return value
    for reference in reversed(find_references(value)):
        title = titles.get((reference.kind, reference.name))
        if title is not None:
            value = f"{value[: reference.start]}{_spelled(reference, title)}{value[reference.end :]}"
    return value


def _spelled(reference: Reference, title: str) -> str:
    return f"${{{_WORDS[reference.kind]}: {title}}}"
