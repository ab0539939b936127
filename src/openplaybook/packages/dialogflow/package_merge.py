"""A package of a playbook merged into an agent that has resources of its own, as an import's strategies say.

Two resources are in conflict when they have one display name (`ImportStrategy` of the v3beta1 API).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.packages.dialogflow.agent_names import rewrite_references
from openplaybook.packages.dialogflow.agent_package import AgentPackage, PackagedPlaybook, UsedNames
from openplaybook.packages.errors import DuplicateName
from openplaybook.resources.compiled_forms import ReferenceKind
from openplaybook.resources.playbook_instructions import find_references

_WORDS = {ReferenceKind.TOOL: "TOOL", ReferenceKind.PLAYBOOK: "PLAYBOOK", ReferenceKind.FLOW: "FLOW"}


class Strategy(Enum):
    """What becomes of a resource whose display name is taken."""

    CREATE_NEW = "CREATE_NEW"
    """It is made under its name with a number behind it."""
    REPLACE = "REPLACE"
    """It takes the place, and the resource name, of the one that is there."""
    KEEP = "KEEP"
    """The one that is there is used instead; what only the new one leads to is left out too."""
    THROW_ERROR = "THROW_ERROR"
    """Nothing is imported."""


@dataclass(frozen=True, slots=True)
class Strategies:
    """One for each part of the package."""

    main: Strategy = Strategy.CREATE_NEW
    nested: Strategy = Strategy.CREATE_NEW
    """Of the playbooks that the main one leads to."""
    tool: Strategy = Strategy.CREATE_NEW


@dataclass(frozen=True, slots=True)
class Existing:
    """What the agent has: full names by display name, of each kind."""

    playbooks: Mapping[str, str]
    tools: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Merged:
    """What is to be written."""

    package: AgentPackage
    """Only what is new or replaced, under its final names."""
    main: str
    """Full name that the main playbook has now."""


def merged(package: AgentPackage, existing: Existing, strategies: Strategies, new_id: Callable[[], str]) -> Merged:
    """The part of the package that the strategies let in. The package's agent starts with the main playbook.

    Raises `DuplicateName` with every conflict for which THROW_ERROR was asked.
    """
    merging = _Merging(package, existing, new_id)
    main = str(package.agent["startPlaybook"])
    written = merging.playbooks(main, strategies)
    used = UsedNames(package)
    wanted = {name for playbook in written for name in used.of(playbook)}
    tools = tuple(
        tool for tool in package.tools if tool["name"] in wanted and merging.admits_tool(tool["name"], strategies.tool)
    )
    if merging.conflicts:
        raise DuplicateName("", f"the agent has already {' and '.join(merging.conflicts)}")
    part = replace(package, playbooks=tuple(written), tools=tools)
    return Merged(renamed(part, merging.names, merging.titles), merging.names[main])


class _Merging:
    """Decides for one resource after another, and remembers under which name it ends."""

    def __init__(self, package: AgentPackage, existing: Existing, new_id: Callable[[], str]) -> None:
        self._existing = existing
        self._new_id = new_id
        self._playbooks = {playbook.resource["name"]: playbook for playbook in package.playbooks}
        self._tools = {tool["name"]: tool for tool in package.tools}
        self._used = UsedNames(package)
        self.names: dict[str, str] = {}
        self.titles: dict[tuple[ReferenceKind, str], str] = {}
        self.conflicts: list[str] = []

    def playbooks(self, main: str, strategies: Strategies) -> list[PackagedPlaybook]:
        """Those to be written: the main one, and what it leads to by playbooks that are written themselves."""
        written: list[PackagedPlaybook] = []
        waiting = [main]
        while waiting:
            name = waiting.pop(0)
            if name in self.names or name not in self._playbooks:
                continue
            playbook = self._playbooks[name]
            strategy = strategies.main if name == main else strategies.nested
            if self._admits(ReferenceKind.PLAYBOOK, name, str(playbook.resource["displayName"]), strategy):
                written.append(playbook)
                waiting += sorted(self._used.of(playbook))
        return written

    def admits_tool(self, name: str, strategy: Strategy) -> bool:
        """Whether the tool is to be written."""
        return self._admits(ReferenceKind.TOOL, name, str(self._tools[name]["displayName"]), strategy)

    def _admits(self, kind: ReferenceKind, name: str, title: str, strategy: Strategy) -> bool:
        titles = self._existing.playbooks if kind is ReferenceKind.PLAYBOOK else self._existing.tools
        there = titles.get(title)
        if there is None:
            self.names[name] = name if name not in titles.values() else self._fresh(name)
            return True
        if strategy is Strategy.THROW_ERROR:
            self.conflicts.append(f"a {kind.name.lower()} called {title!r}")
            self.names[name] = there
            return True
        if strategy is Strategy.CREATE_NEW:
            self.names[name] = self._fresh(name)
            self.titles[kind, title] = _free(title, titles)
            return True
        self.names[name] = there
        return strategy is Strategy.REPLACE

    def _fresh(self, name: str) -> str:
        return f"{name.rpartition('/')[0]}/{self._new_id()}"


def _free(title: str, taken: Mapping[str, str]) -> str:
    number = 1
    while f"{title}_{number}" in taken:
        number += 1
    return f"{title}_{number}"


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
            spelled = f"${{{_WORDS[reference.kind]}: {title}}}"
            value = f"{value[: reference.start]}{spelled}{value[reference.end :]}"
    return value
