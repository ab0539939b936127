"""References between resources: display names and foreign full names in a package, our full names in memory."""

import re
from collections.abc import Callable
from typing import TypeAlias

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.packages.dialogflow.agent_layout import FLOWS, PLAYBOOKS, TOOLS
from openplaybook.packages.dialogflow.export_shapes import OPAQUE
from openplaybook.resources.builtin_tools import builtin_id, is_builtin_id

_FULL = re.compile(r"projects/[^/]+/locations/[^/]+/agents/[^/]+/(playbooks|tools|flows)/([^/]+)")
_REFERENCES = {
    "startPlaybook": PLAYBOOKS,
    "startFlow": FLOWS,
    "referencedTools": TOOLS,
    "referencedPlaybooks": PLAYBOOKS,
    "referencedFlows": FLOWS,
    "targetPlaybook": PLAYBOOKS,
    "targetFlow": FLOWS,
    "tool": TOOLS,
    "playbook": PLAYBOOKS,
    "flow": FLOWS,
}
"""Keys whose values name resources, and the collection they name them in."""
Rewrite: TypeAlias = Callable[[str, str, str], str]
"""From a collection, a reference and its JSON path to what is to stand there."""


def last_segment(name: str) -> str:
    """The id at the end of a resource name, or all of a bare id."""
    return name.rsplit("/", 1)[-1]


class AgentNames:
    """The resources of one agent by collection, id and display name."""

    def __init__(self, agent_name: str) -> None:
        self._agent_name = agent_name
        self._display: dict[str, dict[str, str]] = {PLAYBOOKS: {}, TOOLS: {}, FLOWS: {}}

    def add(self, collection: str, resource_id: str, display_name: str) -> None:
        """Make a resource known."""
        self._display[collection][resource_id] = display_name

    def full_name(self, collection: str, resource_id: str) -> str:
        """The resource name of an id."""
        return f"{self._agent_name}/{collection}/{resource_id}"

    def knows(self, collection: str, full_name: str) -> bool:
        """Whether a full name is that of a resource of this agent."""
        resource_id = last_segment(full_name)
        return full_name == self.full_name(collection, resource_id) and (
            resource_id in self._display[collection] or (collection == TOOLS and is_builtin_id(resource_id))
        )

    def resolve(self, collection: str, reference: str) -> str:
        """The full name that a package's reference means: a full name of whatever agent, a display name (of
        several equal ones the first), or an id. One that means nothing stays as it is."""
        full = _FULL.fullmatch(reference)
        if full is not None and full[1] == collection:
            return self.full_name(collection, full[2])
        for resource_id, display_name in self._display[collection].items():
            if reference == display_name:
                return self.full_name(collection, resource_id)
        if collection == TOOLS and (built_in := builtin_id(reference)):
            return self.full_name(collection, built_in)
        known = reference in self._display[collection] or (collection == TOOLS and is_builtin_id(reference))
        return self.full_name(collection, reference) if known else reference

    def refer(self, collection: str, full_name: str) -> str:
        """How a package refers to a full name, so that `resolve` finds it: the display name where that is
        possible. Built-in tools, which have no file, stand by their full names, as in Google's exports."""
        resource_id = last_segment(full_name)
        display_name = self._display[collection].get(resource_id)
        if display_name is None or full_name != self.full_name(collection, resource_id):
            return full_name
        return display_name if self.resolve(collection, display_name) == full_name else full_name


def rewrite_references(resource: JsonObject, rewrite: Rewrite, path: str = "$") -> JsonObject:
    """`resource` with every reference to another resource replaced by `rewrite(collection, reference, path)`."""
    return {key: _rewrite_member(key, value, rewrite, f"{path}.{key}") for key, value in resource.items()}


def _rewrite_member(key: str, value: JsonValue, rewrite: Rewrite, path: str) -> JsonValue:
    if key in OPAQUE:
        return value
    collection = _REFERENCES.get(key)
    if collection is not None and isinstance(value, str):
        return rewrite(collection, value, path) if value else value
    if isinstance(value, list):
        return [_rewrite_item(key, item, rewrite, f"{path}[{at}]") for at, item in enumerate(as_list(value))]
    return rewrite_references(as_object(value), rewrite, path) if isinstance(value, dict) else value


def _rewrite_item(key: str, item: JsonValue, rewrite: Rewrite, path: str) -> JsonValue:
    collection = _REFERENCES.get(key)
    if collection is not None and isinstance(item, str):
        return rewrite(collection, item, path) if item else item
    return rewrite_references(as_object(item), rewrite, path) if isinstance(item, dict) else item
