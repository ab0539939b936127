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
    from openplaybook.cli.resource_lookup import find_agent, is_app

    with server_api(data_dir=data_dir) as api:
        name = str(find_agent(api, agent)["name"])
        result, found = _of_app(api, name) if is_app(name) else _of_agent(api, name)
    if as_json:
        print_json(result)
    else:
        for severity, text in found:
            typer.echo(harmless(f"{_WORDS.get(severity, severity)}: {text}"))
        typer.echo(_counted(Counter(severity for severity, _ in found)))
    if any(severity == "ERROR" for severity, _ in found):
        raise typer.Exit(1)


def _of_agent(api: "ApiClient", name: str) -> tuple[JsonObject, list[tuple[str, str]]]:
    """The result as JSON, and severity and text of each finding."""
    from openplaybook.cli.package_transfer import findings, validation_result

    result = validation_result(api, name)
    return result, list(findings(result))


def _of_app(api: "ApiClient", name: str) -> tuple[JsonObject, list[tuple[str, str]]]:
    """The same of an app."""
    from openplaybook.cli.app_findings import app_findings

    found = list(app_findings(api, name))
    told = [(str(each["severity"]), f"{each['displayName']}: {each['detail']}") for each in found]
    return {"name": name, "findings": found}, told


def _counted(severities: Counter[str]) -> str:
    """`2 errors, 1 warning`."""
    told = [
        f"{severities[severity]} {word}{'' if severities[severity] == 1 else 's'}"
        for severity, word in _WORDS.items()
        if severities[severity]
    ]
    return ", ".join(told) or "nothing is wrong"
