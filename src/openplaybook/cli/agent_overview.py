"""Agents and apps in a line each: where conversations begin, and when something was changed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from openplaybook.cli.api_client import ApiClient
from openplaybook.cli.resource_lookup import is_app
from openplaybook.jsonvalues import JsonObject

HEAD = ("NAME", "KIND", "START", "CHANGED (UTC)", "FULL NAME")

_APP_PARTS = ("agents", "tools", "toolsets", "guardrails", "examples")
_NOTHING = "-"


@dataclass(frozen=True, slots=True)
class StartPoint:
    """Where conversations begin."""

    kind: str
    """`playbook` of an agent, `agent` of an app, `flow` of an agent that begins with one; empty: nowhere."""
    name: str = ""
    """Full name of it."""
    title: str = ""
    """Its display name; of a flow, which the API does not have, its id."""
    only_playbook: str = ""
    """Flows are not run: display name of the playbook that takes a flow's place; empty where there is no such."""

    def line(self) -> str:
        """`playbook Pet desk`; `flow 0000 (playbook Pet desk instead)`."""
        if not self.kind:
            return _NOTHING
        instead = f"playbook {self.only_playbook} instead" if self.only_playbook else "not run"
        return f"{self.kind} {self.title}" + (f" ({instead})" if self.kind == "flow" else "")

    def to_json(self) -> JsonObject | None:
        """The same for programs; null: nowhere."""
        members: JsonObject = {"kind": self.kind, "name": self.name, "displayName": self.title}
        return (
            ({**members, "inItsPlace": self.only_playbook} if self.kind == "flow" else members) if self.kind else None
        )


@dataclass(frozen=True, slots=True)
class AgentOverview:
    """An agent, or an app, and what its resource does not say."""

    resource: JsonObject
    start: StartPoint
    changed: str
    """When it, or something in it, was last changed, as far as the API tells; empty where it does not."""

    @property
    def kind(self) -> str:
        """`agent` or `app`."""
        return "app" if is_app(str(self.resource["name"])) else "agent"

    def row(self) -> Sequence[str]:
        """Its cells beneath `HEAD`."""
        changed = self.changed[:19].replace("T", " ") or _NOTHING
        return (str(self.resource["displayName"]), self.kind, self.start.line(), changed, str(self.resource["name"]))

    def to_json(self) -> JsonObject:
        """The resource, and beside its members what it does not say."""
        members: JsonObject = {"kind": self.kind, "start": self.start.to_json(), "changeTime": self.changed or None}
        return {**self.resource, **members}


def overview(api: ApiClient, resource: JsonObject) -> AgentOverview:
    """What is to be told of an agent or app."""
    return _of_app(api, resource) if is_app(str(resource["name"])) else _of_agent(api, resource)


def _of_agent(api: ApiClient, agent: JsonObject) -> AgentOverview:
    # Of agents themselves, and of tools, the API tells no times.
    playbooks = list(_parts(api, f"v3/{agent['name']}", "playbooks"))
    start, flow = str(agent.get("startPlaybook", "")), str(agent.get("startFlow", ""))
    if flow and not start:
        only = str(playbooks[0].get("displayName", "")) if len(playbooks) == 1 else ""
        start_point = StartPoint("flow", flow, flow.rpartition("/")[2], only)
    else:
        start_point = _start("playbook", start, playbooks)
    return AgentOverview(agent, start_point, _latest(playbooks))


def _of_app(api: ApiClient, app: JsonObject) -> AgentOverview:
    parts = {part: list(_parts(api, f"v1beta/{app['name']}", part)) for part in _APP_PARTS}
    start = _start("agent", str(app.get("rootAgent", "")), parts["agents"])
    return AgentOverview(app, start, _latest([app, *(each for resources in parts.values() for each in resources)]))


def _parts(api: ApiClient, path: str, kind: str) -> Iterator[JsonObject]:
    """Names and times alone: the rest may be megabytes."""
    return api.list(f"{path}/{kind}", kind, fields=f"{kind}(name,displayName,updateTime),nextPageToken")


def _start(kind: str, name: str, among: Sequence[JsonObject]) -> StartPoint:
    if not name:
        return StartPoint("")
    titles = (str(each.get("displayName", "")) for each in among if each["name"] == name)
    return StartPoint(kind, name, next(titles, name.rpartition("/")[2]))


def _latest(resources: Sequence[JsonObject]) -> str:
    # Without the Z, which stands behind a point and digits in the order of texts, that order is that of times.
    return max(
        (str(each.get("updateTime", "")) for each in resources), default="", key=lambda time: time.removesuffix("Z")
    )
