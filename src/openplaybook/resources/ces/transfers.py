"""To whom the agents of an app may transfer a conversation.

As in Google's ADK, on which CX Agent Studio stands: to their children, to their parents, and to the other children of
these, though to no more than `MAX_SIBLINGS`; and to whom their instruction names (Google goes there by way of the root
agent). A transfer rule takes one of these ways away where its condition is the constant `true`: other conditions are
not evaluated here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.resources.ces.agent_instructions import references_in
from openplaybook.resources.ces.app_directory import AppDirectory
from openplaybook.resources.compiled_forms import ReferenceKind

MAX_SIBLINGS = 100
"""Other children of its parents that an agent may transfer to: memory grows with the square of them. The parent reaches
all."""


@dataclass(slots=True)
class Relatives:
    """Resource names, in the order in which they are given."""

    children: list[str] = field(default_factory=list[str])
    parents: list[str] = field(default_factory=list[str])
    blocked: frozenset[tuple[str, str]] = frozenset()
    """Children, each with the direction in which the agent's first rule for it forbids transfers whatever the session
    holds."""


def relatives_of(agents: Mapping[str, JsonObject], directory: AppDirectory) -> dict[str, Relatives]:
    """Children and parents of every agent (v1beta JSON by resource name); children that do not exist are left out."""
    relatives = {name: Relatives(blocked=_blocked(document, directory)) for name, document in agents.items()}
    for name, document in agents.items():
        named = (directory.agent(str(spelling)) for spelling in as_list(document.get("childAgents")))
        for child in dict.fromkeys(each for each in named if each is not None and each != name):
            relatives[name].children.append(child)
            relatives[child].parents.append(name)
    return relatives


def transfers_of(
    name: str, agents: Mapping[str, JsonObject], relatives: Mapping[str, Relatives], directory: AppDirectory
) -> tuple[str, ...]:
    """Resource names of the agents that an agent may transfer to, each once."""
    own = relatives[name]
    children = [each for each in own.children if (each, "PARENT_TO_CHILD") not in own.blocked]
    up = (name, "CHILD_TO_PARENT")
    parents = [each for each in own.parents if up not in relatives[each].blocked and up not in own.blocked]
    references = references_in(str(agents[name].get("instruction") or ""))
    named = (directory.agent(each.name) for each in references if each.kind is ReferenceKind.PLAYBOOK)
    blocked = {*own.children, *own.parents} - {*children, *parents}
    siblings = _siblings(name, relatives)
    wanted = dict.fromkeys([*children, *parents, *siblings, *(each for each in named if each)])
    return tuple(each for each in wanted if each != name and each not in blocked)


def is_always(condition: JsonObject) -> bool:
    """Whether an `ExpressionCondition` is the constant `true`."""
    return str(condition.get("expression") or "").strip().casefold() == "true"


def _siblings(name: str, relatives: Mapping[str, Relatives]) -> list[str]:
    """The other children of its parents, the first of them."""
    siblings: dict[str, None] = {}
    for sibling in (each for parent in relatives[name].parents for each in relatives[parent].children):
        if sibling != name:
            siblings[sibling] = None
        if len(siblings) == MAX_SIBLINGS:
            break
    return [*siblings]


def _blocked(document: JsonObject, directory: AppDirectory) -> frozenset[tuple[str, str]]:
    forbidden: dict[tuple[str, str], bool] = {}
    for rule in map(as_object, as_list(document.get("transferRules"))):
        child = directory.agent(str(rule.get("childAgent") or ""))
        condition = as_object(as_object(rule.get("disablePlannerTransfer")).get("expressionCondition"))
        forbidden.setdefault((child or "", str(rule.get("direction"))), is_always(condition))
    return frozenset(pair for pair, is_forbidden in forbidden.items() if is_forbidden)
