"""From what a user writes to resource names."""

import re
import zipfile
from collections import Counter
from pathlib import Path

from openplaybook.cli.api_client import ApiClient
from openplaybook.cli.errors import CommandError
from openplaybook.jsonvalues import JsonObject
from openplaybook.packages.package_formats import FORMATS

SCRATCH = "projects/local/locations/chat"
"""Where agents are that are made for one conversation alone; they are known by their full names only."""

_LOCATION = re.compile(r"projects/[^/?#\s]+/locations/[^/?#\s]+")


def check_location(name: str) -> None:
    """Raise `CommandError` unless `name` is a location's full name."""
    if not _LOCATION.fullmatch(name):
        raise CommandError(f"--location is {name!r}; it must be projects/PROJECT/locations/LOCATION", exit_code=2)


def is_package(word: str) -> bool:
    """Whether a word on the command line is the path of a package rather than the name of an agent."""
    path = Path(word)
    if path.is_dir():
        return "/" in word or any((path / root).is_file() for form in FORMATS for root in form.roots)
    return word.endswith(("/", ".zip")) or (path.is_file() and zipfile.is_zipfile(path))


def is_app(name: str) -> bool:
    """Whether a full name is that of an app of CX Agent Studio, or of something in one."""
    return "/apps/" in name


def path_of(name: str) -> str:
    """Where the API has the resource of a full name."""
    return f"v1beta/{name}" if is_app(name) else f"v3/{name}"


def conversation_path(name: str) -> str:
    """Where the API has the conversations of an agent, or an app, of that full name, or one of them."""
    return f"v1beta/{name}" if is_app(name) else f"v3beta1/{name}"


def every_agent(api: ApiClient) -> list[JsonObject]:
    """Every agent of the server, in all locations; then every app."""
    agents = list(api.list("v3/projects/-/locations/-/agents", "agents"))
    return [*agents, *api.list("v1beta/projects/-/locations/-/apps", "apps")]


def named_agents(api: ApiClient) -> list[JsonObject]:
    """Those of them that are known by display names."""
    return [each for each in every_agent(api) if not str(each["name"]).startswith(f"{SCRATCH}/")]


def find_agent(api: ApiClient, name: str) -> JsonObject:
    """The agent, or app, of that full name or display name. Raises `CommandError` where there is none, or several."""
    if name.startswith("projects/"):
        return api.get(path_of(name))
    return _by_display_name(named_agents(api), name, "agent")


def find_agent_to_replace(api: ApiClient, name: str, *, of_app: bool) -> JsonObject:
    """As `find_agent`, among agents of Dialogflow CX alone, or among apps alone."""
    noun = "app" if of_app else "agent"
    if not name.startswith("projects/"):
        return _by_display_name([each for each in named_agents(api) if is_app(str(each["name"])) is of_app], name, noun)
    if is_app(name) is not of_app:
        raise CommandError(f"{name} is no {noun}, and the package holds one")
    return api.get(path_of(name))


def find_dialogflow_agent(api: ApiClient, name: str) -> JsonObject:
    """As `find_agent`, for commands that are about agents of Dialogflow CX alone."""
    agent = find_agent(api, name)
    if is_app(str(agent["name"])):
        raise CommandError(f"{agent['name']} is an app of CX Agent Studio; this command is for agents of Dialogflow CX")
    return agent


def find_tool(api: ApiClient, agent: str, name: str) -> JsonObject:
    """The tool of an agent (full name) by full name, display name or id; of an app, a toolset too.

    Raises `CommandError`.
    """
    if name.startswith("projects/"):
        return api.get(path_of(name))
    tools = list(api.list(f"{path_of(agent)}/tools", "tools"))
    if is_app(agent):
        tools += api.list(f"{path_of(agent)}/toolsets", "toolsets")
    # Built-in tools are known by their ids: `df-code-interpreter-tool`.
    by_id = [tool for tool in tools if tool["name"] in (f"{agent}/tools/{name}", f"{agent}/toolsets/{name}")]
    return by_id[0] if by_id else _by_display_name(tools, name, "tool")


def _by_display_name(resources: list[JsonObject], name: str, noun: str) -> JsonObject:
    matches = [resource for resource in resources if resource.get("displayName") == name]
    if len(matches) == 1:
        return matches[0]
    if matches:
        names = "\n  ".join(str(resource["name"]) for resource in matches)
        raise CommandError(f"several {noun}s are called {name!r}; give the full name of one:\n  {names}")
    counted = Counter(str(resource.get("displayName")) for resource in resources)
    known = ", ".join(title if count == 1 else f"{title} ({count})" for title, count in sorted(counted.items()))
    message = f"no {noun} is called {name!r}; " + (f"there are: {known}" if known else "there are none")
    if noun != "tool" and Path(name).is_dir():
        message += f"; {name} is a folder, which openplaybook agents import makes an agent of"
    raise CommandError(message)
