"""`openplaybook agents delete`: an agent, or an app, with everything in it."""

from typing import TYPE_CHECKING, Annotated

import typer

from openplaybook.cli.errors import CommandError
from openplaybook.cli.options import AgentName, DataDir

if TYPE_CHECKING:
    from openplaybook.cli.api_client import ApiClient

_IN_AGENTS = ("playbooks", "tools", "conversations")
_IN_APPS = ("agents", "tools", "toolsets", "guardrails", "examples", "versions", "deployments", "conversations")
_PAGE = 100
"""Of each kind so many are counted; of more it is told that there are more."""


def delete(
    agent: AgentName,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    data_dir: DataDir = None,
) -> None:
    """Delete an agent or app with everything in it, including its conversations. Asks first."""
    from openplaybook.cli.access import server_api
    from openplaybook.cli.output import harmless
    from openplaybook.cli.resource_lookup import find_agent, is_app, path_of

    with server_api(data_dir=data_dir) as api:
        resource = find_agent(api, agent)
        name = str(resource["name"])
        title = harmless(f"the {'app' if is_app(name) else 'agent'} {resource.get('displayName')}")
        lost = _joined(_contents(api, name))
        if not yes:
            typer.echo(f"{name}\nDeleting {title} deletes {f'{lost} too' if lost else 'nothing else'}.")
            _ask()
        operation = api.delete(path_of(name))
        if is_app(name):
            api.finished(operation)
    typer.echo(f"{name}: {title} is deleted{lost and f', with {lost}'}")


def _ask() -> None:
    try:
        sure = typer.confirm("Delete it for good?")
    except typer.Abort:
        raise CommandError("nothing was deleted: there was no answer; --yes deletes without asking") from None
    if not sure:
        raise CommandError("nothing was deleted")


def _contents(api: "ApiClient", name: str) -> list[str]:
    """What is in an agent or app, counted by kind: `2 playbooks`. Built-in tools belong to the server."""
    from openplaybook.cli.resource_lookup import is_app
    from openplaybook.jsonvalues import as_list, as_object

    base, kinds = (f"v1beta/{name}", _IN_APPS) if is_app(name) else (f"v3beta1/{name}", _IN_AGENTS)
    counts: list[str] = []
    for kind in kinds:
        page = api.get(f"{base}/{kind}", pageSize=str(_PAGE))
        items = [each for each in as_list(page.get(kind)) if as_object(each).get("toolType") != "BUILTIN_TOOL"]
        more = "more than " if page.get("nextPageToken") else ""
        if items:
            counts.append(f"{more}{len(items)} {kind.removesuffix('s') if len(items) == 1 else kind}")
    return counts


def _joined(parts: list[str]) -> str:
    """`a, b and c`; of no parts the empty text."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
