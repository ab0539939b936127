"""`openplaybook agents validate`: what is wrong with an agent, resource by resource."""

from collections import Counter

import typer

from openplaybook.cli.errors import CommandError
from openplaybook.cli.options import AgentName, AsJson, DataDir

_WORDS = {"ERROR": "error", "WARNING": "warning", "INFO": "remark"}
"""By the severity of a finding, the most urgent first."""


def validate(agent: AgentName, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Show what is wrong with an agent: its playbooks, examples and tools, each finding with its place.

    Exits with 1 if a finding is an error. With --json it prints Google's AgentValidationResult. Apps are validated
    when they are imported and saved.
    """
    from openplaybook.cli.access import server_api
    from openplaybook.cli.naming import find_agent, is_app
    from openplaybook.cli.output import harmless, print_json
    from openplaybook.cli.packages import findings, validation_result

    with server_api(data_dir=data_dir) as api:
        name = str(find_agent(api, agent)["name"])
        if is_app(name):
            raise CommandError(f"{name} is an app: CX Agent Studio validates apps when they are imported and saved")
        result = validation_result(api, name)
    found = [(_WORDS.get(severity, severity), text) for severity, text in findings(result)]
    if as_json:
        print_json(result)
    else:
        for word, text in found:
            typer.echo(harmless(f"{word}: {text}"))
        typer.echo(_counted(Counter(word for word, _ in found)))
    if any(word == _WORDS["ERROR"] for word, _ in found):
        raise typer.Exit(1)


def _counted(words: Counter[str]) -> str:
    """`2 errors, 1 warning`."""
    told = [f"{words[word]} {word}{'' if words[word] == 1 else 's'}" for word in _WORDS.values() if words[word]]
    return ", ".join(told) or "nothing is wrong"
