"""A package of a playbook merged into an agent that has resources of its own, as an import's strategies say.

Two resources are in conflict when they have one display name (`ImportStrategy` of the v3beta1 API).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum

from openplaybook.packages.dialogflow.agent_package import AgentPackage, PackagedPlaybook
from openplaybook.packages.dialogflow.parts import UsedNames
from openplaybook.packages.dialogflow.renaming import renamed
from openplaybook.packages.errors import DuplicateName
from openplaybook.resources.compiled_forms import ReferenceKind


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
