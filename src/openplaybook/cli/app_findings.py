"""What is wrong with an app: CX Agent Studio has no method for it, so the app is read and checked here."""

import asyncio
from collections.abc import Iterator

from openplaybook.cli.api_client import ApiClient
from openplaybook.cli.tool_actions import reading_toolbox
from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.ces.app_directory import directory_of
from openplaybook.resources.ces.conversation_examples import tools_called
from openplaybook.resources.ces.resource_checks import problems
from openplaybook.resources.ces.toolbox_forms import toolbox_documents
from openplaybook.resources.findings import Severity
from openplaybook.resources.names import APP_AGENTS, APP_EXAMPLES, APP_GUARDRAILS, APP_TOOLS, APP_TOOLSETS, APPS
from openplaybook.services.example_tools import example_calls
from openplaybook.turns.agent.ces_apps import call_lookups

_COLLECTIONS = {
    "agents": APP_AGENTS.kind,
    "tools": APP_TOOLS.kind,
    "toolsets": APP_TOOLSETS.kind,
    "examples": APP_EXAMPLES.kind,
    "guardrails": APP_GUARDRAILS.kind,
}
_SEVERITIES = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING", Severity.REMARK: "INFO"}


def app_findings(api: ApiClient, app: str) -> Iterator[JsonObject]:
    """Every finding on an app (full name) and its resources: `name` and `displayName` of the resource, `severity` as in
    Dialogflow CX, and `detail`."""
    resources = [(APPS.kind, api.get(f"v1beta/{app}"))]
    for listed, kind in _COLLECTIONS.items():
        resources += [(kind, each) for each in api.list(f"v1beta/{app}/{listed}", listed)]
    documents = {str(each["name"]): each for _, each in resources}
    directory = directory_of((kind, str(each["name"]), each) for kind, each in resources)
    called = {name for kind, each in resources if kind == APP_EXAMPLES.kind for name in tools_called(each, directory)}
    tools = toolbox_documents({name: documents[name] for name in sorted(called)})
    calls = call_lookups(directory, asyncio.run(example_calls(reading_toolbox(), tools)))
    for kind, each in resources:
        for finding in problems(kind, each, directory, documents[app], calls):
            yield {
                "name": each["name"],
                "displayName": each.get("displayName", ""),
                "severity": _SEVERITIES[finding.severity],
                "detail": f"{finding.path}: {finding.message}",
            }
