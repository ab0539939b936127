"""What is wrong with an agent, as the server finds it, or with an app.

CX Agent Studio has no method that validates an app, so an app is read and checked here.
"""

from collections.abc import Iterator

from openplaybook.cli.api_client import ApiClient
from openplaybook.cli.resource_lookup import is_app
from openplaybook.jsonvalues import JsonObject, as_list, as_object

_FAULTS = frozenset({"ERROR", "WARNING"})


def faults(api: ApiClient, agent: str) -> Iterator[str]:
    """What keeps parts of an agent (full name) from working, each with the resource it is in.

    Packages hold no secrets, so tools of a new agent often lack theirs. Of apps, the import tells it.
    """
    if is_app(agent):
        return
    for severity, finding in findings(validation_result(api, agent)):
        if severity in _FAULTS:
            yield finding


def validation_result(api: ApiClient, agent: str) -> JsonObject:
    """What the server finds wrong with an agent of Dialogflow CX (full name) now: an `AgentValidationResult`."""
    return api.get(f"v3/{agent}/validationResult")


def findings(result: JsonObject) -> Iterator[tuple[str, str]]:
    """Severity and text of every message of an `AgentValidationResult`: the display names of the resource and of the
    playbook it belongs to, its place and what is wrong there."""
    for entry in map(as_object, as_list(result.get("flowValidationResults"))):
        for message in map(as_object, as_list(entry.get("validationMessages"))):
            names = [str(as_object(name).get("displayName")) for name in as_list(message.get("resourceNames"))]
            yield str(message.get("severity")), f"{', '.join(names)}: {message.get('detail')}"


def app_findings(api: ApiClient, app: str) -> Iterator[JsonObject]:
    """Every finding on an app (full name) and its resources: `name` and `displayName` of the resource, `severity` as in
    Dialogflow CX, and `detail`."""
    # Half a second of imports, which agents of Dialogflow CX do without.
    import asyncio

    from openplaybook.cli.tool_actions import reading_toolbox
    from openplaybook.resources.ces.app_directory import directory_of
    from openplaybook.resources.ces.conversation_examples import tools_called
    from openplaybook.resources.ces.resource_checks import problems
    from openplaybook.resources.ces.toolbox_forms import toolbox_documents
    from openplaybook.resources.findings import Severity
    from openplaybook.resources.names import APP_AGENTS, APP_EXAMPLES, APP_GUARDRAILS, APP_TOOLS, APP_TOOLSETS, APPS
    from openplaybook.services.example_tools import example_calls
    from openplaybook.turns.agent.ces_apps import call_lookups

    severities = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING", Severity.REMARK: "INFO"}
    resources = [(APPS.kind, api.get(f"v1beta/{app}"))]
    for collection in (APP_AGENTS, APP_TOOLS, APP_TOOLSETS, APP_EXAMPLES, APP_GUARDRAILS):
        plural = collection.template.split("/")[-2]
        resources += [(collection.kind, each) for each in api.list(f"v1beta/{app}/{plural}", plural)]
    documents = {str(each["name"]): each for _, each in resources}
    directory = directory_of((kind, str(each["name"]), each) for kind, each in resources)
    called_tools = {
        name for kind, each in resources if kind == APP_EXAMPLES.kind for name in tools_called(each, directory)
    }
    tools = toolbox_documents({name: documents[name] for name in sorted(called_tools)})
    calls = call_lookups(directory, asyncio.run(example_calls(reading_toolbox(), tools)))
    for kind, each in resources:
        for finding in problems(kind, each, directory, documents[app], calls):
            yield {
                "name": each["name"],
                "displayName": each.get("displayName", ""),
                "severity": severities[finding.severity],
                "detail": f"{finding.path}: {finding.message}",
            }
