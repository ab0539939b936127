"""Agents for conversions, made from a few words."""

from openplaybook.jsonvalues import JsonObject
from openplaybook.packages.ces.app_package import AppPackage
from openplaybook.packages.conversion.agent_converter import convert_agent
from openplaybook.packages.dialogflow.agent_package import AgentPackage, PackagedPlaybook
from openplaybook.packages.report import NoteKind, Report

AGENT = "projects/-/locations/-/agents/-"
APP = "projects/-/locations/-/apps/-"


def playbook(name: str, *steps: str, examples: tuple[JsonObject, ...] = (), **fields: object) -> PackagedPlaybook:
    resource: JsonObject = {
        "name": f"{AGENT}/playbooks/{name}",
        "displayName": name,
        "goal": f"Be {name}.",
        "instruction": {"steps": [{"text": step} for step in steps]},
        **fields,
    }
    return PackagedPlaybook(resource, examples)


def tool(name: str, **fields: object) -> JsonObject:
    return {"name": f"{AGENT}/tools/id-{name}", "displayName": name, "description": f"The {name}.", **fields}


def agent(*playbooks: PackagedPlaybook, tools: tuple[JsonObject, ...] = (), **fields: object) -> AgentPackage:
    resource: JsonObject = {"name": AGENT, "displayName": "A", **fields}
    if playbooks:
        resource.setdefault("startPlaybook", playbooks[0].resource["name"])
    return AgentPackage(resource, playbooks, tools)


def converted(*playbooks: PackagedPlaybook, tools: tuple[JsonObject, ...] = (), **fields: object) -> AppPackage:
    return convert_agent(agent(*playbooks, tools=tools, **fields))[0]


def told(report: Report, kind: NoteKind) -> list[tuple[str, str]]:
    return [(note.place, note.message) for note in report.of(kind)]
