"""What is wrong with an agent or an app, as the server finds it.

CX Agent Studio has no method that validates an app: that is an RPC of ours.
"""

from collections import Counter
from collections.abc import Iterator

from openplaybook.cli.api_client import ApiClient
from openplaybook.cli.resource_lookup import is_app
from openplaybook.jsonvalues import JsonObject, as_list, as_object

SEVERITIES = {"ERROR": "error", "WARNING": "warning", "INFO": "remark"}
"""In words, the gravest first."""
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
    for finding in map(as_object, as_list(api.post(f"v1beta/{app}:check", {}).get("findings"))):
        problem = as_object(finding["problem"])
        severity = str(problem["severity"])
        yield {
            "name": finding["name"],
            "displayName": finding.get("displayName", ""),
            "severity": "INFO" if severity == "REMARK" else severity,
            "detail": f"{problem['path']}: {problem['message']}",
        }


def all_findings(api: ApiClient, name: str) -> tuple[JsonObject, list[tuple[str, str]]]:
    """What is found on an agent or app (full name): as JSON, and severity and text of each finding."""
    if not is_app(name):
        result = validation_result(api, name)
        return result, list(findings(result))
    of_app = list(app_findings(api, name))
    texts = [(str(each["severity"]), f"{each['displayName']}: {each['detail']}") for each in of_app]
    return {"name": name, "findings": of_app}, texts


def counts(severities: Counter[str]) -> str:
    """`2 errors, 1 warning`."""
    told = [
        f"{severities[severity]} {word}{'' if severities[severity] == 1 else 's'}"
        for severity, word in SEVERITIES.items()
        if severities[severity]
    ]
    return ", ".join(told) or "nothing is wrong"
