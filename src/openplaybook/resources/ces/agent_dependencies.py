"""What agents of an app of CX Agent Studio lean on that is not run here, or not there, as their resources tell."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.resources.ces.agent_checks import CALLBACKS
from openplaybook.resources.ces.agent_compiler import REMOTE
from openplaybook.resources.ces.app_directory import AppDirectory
from openplaybook.resources.ces.content_filters import NOT_APPLIED
from openplaybook.resources.ces.resource_checks import missing_file
from openplaybook.resources.ces.transfers import is_always


@dataclass(frozen=True, slots=True)
class AppDocuments:
    """An app and what is in it (v1beta JSON), by resource name."""

    document: JsonObject
    agents: Mapping[str, JsonObject]
    tools: Mapping[str, JsonObject]
    """Tools and toolsets."""
    guardrails: Mapping[str, JsonObject]
    directory: AppDirectory


def dependencies_of_agents(app: AppDocuments) -> dict[str, list[str]]:
    """Of each agent of the app, by its name, what it leans on in words: `2 beforeModelCallbacks`.

    Not among them is what only compiled tools tell: kinds that cannot be called, secrets.
    """
    return {name: list(dict.fromkeys(_leanings(agent, app))) for name, agent in app.agents.items()}


def _leanings(agent: JsonObject, app: AppDocuments) -> Iterator[str]:
    if REMOTE in agent:
        yield f"the Dialogflow agent {as_object(agent[REMOTE]).get('agent', '')}"
    for field in CALLBACKS:
        enabled = [each for each in map(as_object, as_list(agent.get(field))) if not each.get("disabled")]
        if enabled:
            yield f"{len(enabled)} {field if len(enabled) > 1 else field.removesuffix('s')}"
    for named in map(str, [*as_list(app.document.get("guardrails")), *as_list(agent.get("guardrails"))]):
        guardrail = app.guardrails.get(app.directory.guardrail(named) or named, {})
        kind = next((kind for kind in NOT_APPLIED if kind in guardrail), "")
        if kind and guardrail.get("enabled"):
            yield f"the guardrail {guardrail.get('displayName', named)} ({kind})"
    if any(map(_has_condition, map(as_object, as_list(agent.get("transferRules"))))):
        yield "conditions of its transfer rules"
    yield from _missing(agent, app)


def _has_condition(rule: JsonObject) -> bool:
    blocking = as_object(as_object(rule.get("disablePlannerTransfer")).get("expressionCondition"))
    return "deterministicTransfer" in rule or not is_always(blocking)


def _missing(agent: JsonObject, app: AppDocuments) -> Iterator[str]:
    toolsets = [str(as_object(each).get("toolset") or "") for each in as_list(agent.get("toolsets"))]
    for name in (*map(str, as_list(agent.get("tools"))), *toolsets):
        target = app.directory.tool(name)
        if target is None:
            yield f"the tool {name}, which does not exist"
            continue
        tool = app.tools.get(target.name, {})
        _, path = missing_file(tool)
        if path:
            yield f"the tool {app.directory.display_names[target.name]}, whose file {path} is not there"
    for name in map(str, as_list(agent.get("childAgents"))):
        if app.directory.agent(name) is None:
            yield f"the agent {name}, which does not exist"
