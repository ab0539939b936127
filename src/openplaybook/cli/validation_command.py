"""`openplaybook agents validate`: what is wrong with an agent or an app, resource by resource."""

from collections import Counter
from typing import TYPE_CHECKING

import typer

from openplaybook.cli.options import AgentName, AsJson, DataDir
from openplaybook.jsonvalues import JsonObject

if TYPE_CHECKING:
    from openplaybook.cli.api_client import ApiClient

_WORDS = {"ERROR": "error", "WARNING": "warning", "INFO": "remark"}
"""By the severity of a finding, the most urgent first."""


def validate(agent: AgentName, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Show what is wrong with an agent or an app: each finding with its resource and its place.

    Exits with 1 if a finding is an error. With --json it prints Google's AgentValidationResult; for an app, its name
    and its findings.
    """
    from openplaybook.cli.access import server_api
    from openplaybook.cli.output import harmless, print_json
    from openplaybook.cli.resource_lookup import find_agent

    with server_api(data_dir=data_dir) as api:
        result, texts = _findings(api, str(find_agent(api, agent)["name"]))
    if as_json:
        print_json(result)
    else:
        for severity, text in texts:
            typer.echo(harmless(f"{_WORDS.get(severity, severity)}: {text}"))
        typer.echo(_counts(Counter(severity for severity, _ in texts)))
    if any(severity == "ERROR" for severity, _ in texts):
        raise typer.Exit(1)


def _findings(api: "ApiClient", name: str) -> tuple[JsonObject, list[tuple[str, str]]]:
    """What is found on an agent or app (full name): as JSON, and severity and text of each finding."""
    from openplaybook.cli.agent_findings import app_findings, findings, validation_result
    from openplaybook.cli.resource_lookup import is_app

    if not is_app(name):
        result = validation_result(api, name)
        return result, list(findings(result))
    of_app = list(app_findings(api, name))
    texts = [(str(each["severity"]), f"{each['displayName']}: {each['detail']}") for each in of_app]
    return {"name": name, "findings": of_app}, texts


def _counts(severities: Counter[str]) -> str:
    """`2 errors, 1 warning`."""
    counts = [
        f"{severities[severity]} {word}{'' if severities[severity] == 1 else 's'}"
        for severity, word in _WORDS.items()
        if severities[severity]
    ]
    return ", ".join(counts) or "nothing is wrong"
