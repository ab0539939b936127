"""Agents as turns of the past saw them: no more of a stored snapshot than what showing those turns takes.

Nothing is compiled for it: names, and which parameters were secret, stand in the documents.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.resources.builtin_tools import builtin_tools
from openplaybook.resources.ces.app_variables import secret_variables
from openplaybook.resources.ces.toolbox_forms import display_name_of
from openplaybook.resources.names import APP_AGENTS, APP_TOOLS, APP_TOOLSETS
from openplaybook.storage.base import Record, Store
from openplaybook.turns.agent.snapshot import secret_parameters
from openplaybook.turns.agent.snapshot_store import blob_key, bundle_in, bundle_of, kind_name, lane_for

_KEPT = 256
"""Agents of the past held in memory."""


@dataclass(frozen=True, slots=True)
class PastAgent:
    """What is left to know of an agent."""

    playbook_names: Mapping[str, str] = field(default_factory=dict[str, str])
    """Display name by resource name."""
    tool_names: Mapping[str, str] = field(default_factory=dict[str, str])
    """Display name by resource name."""
    tool_kinds: Mapping[str, str] = field(default_factory=dict[str, str])
    """Kind by resource name, as `AgentSnapshot.tool_kinds` has it."""
    secret_parameters: frozenset[str] = frozenset()
    """Session parameters that an authentication reads."""

    def display_name(self, playbook: str) -> str:
        """A playbook's display name; its resource name when this agent had no such playbook."""
        return self.playbook_names.get(playbook, playbook)


class PastAgents:
    """Reads agents of the past; keeps those read last."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: OrderedDict[str, PastAgent] = OrderedDict()

    async def by_digest(self, digest: str) -> PastAgent:
        """The agent of a snapshot; one without names where the snapshot is gone."""
        agent = self._kept.get(digest)
        if agent is None:
            blob = await self._store.get_blob(blob_key(digest))
            # Beside the event loop: the description of a large API is read whole.
            agent = PastAgent() if blob is None else await lane_for(len(blob)).run(partial(_of_blob, blob))
            self._keep(digest, agent)
        return agent

    async def present(self, agent: str) -> PastAgent:
        """The agent as it stands now; one without names where there is none."""
        key = f"{agent} {await self._store.revision(agent)}"
        past_agent = self._kept.get(key)
        if past_agent is None:
            records = await self._store.scan(agent)
            past_agent = await lane_for(sum(len(each.body) for each in records)).run(partial(_of_records, records))
            self._keep(key, past_agent)
        return past_agent

    def _keep(self, key: str, agent: PastAgent) -> None:
        self._kept[key] = agent
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)


def _of_blob(blob: bytes) -> PastAgent:
    return _of_bundle(bundle_in(blob))


def _of_records(records: Sequence[Record]) -> PastAgent:
    return _of_bundle(bundle_of(records))


def _of_bundle(bundle: Sequence[Sequence[JsonValue]]) -> PastAgent:
    names: dict[str, dict[str, str]] = {"playbook": {}, "tool": {}}
    kinds: dict[str, str] = {}
    for kind, name, document in bundle:
        if kind == "agent":
            built_in = builtin_tools(str(name))
            names["tool"] |= {each["name"]: each["displayName"] for each in built_in}
            kinds |= {each["name"]: kind_name(each) for each in built_in}
        elif kind in _CALLED:
            of_what, called = _CALLED[str(kind)]
            names[of_what][str(name)] = called(document)
            if of_what == "tool":
                kinds[str(name)] = kind_name(document)
    tools = [document for kind, _, document in bundle if kind == "tool"]
    of_apps = [document for kind, _, document in bundle if kind in (APP_TOOLS.kind, APP_TOOLSETS.kind)]
    return PastAgent(names["playbook"], names["tool"], kinds, secret_parameters(tools) | secret_variables(of_apps))


def _display_name(document: JsonObject) -> str:
    return str(document.get("displayName", ""))


_CALLED: Mapping[str, tuple[str, Callable[[JsonObject], str]]] = {
    "playbook": ("playbook", _display_name),
    "tool": ("tool", _display_name),
    APP_AGENTS.kind: ("playbook", _display_name),
    APP_TOOLS.kind: ("tool", display_name_of),
    APP_TOOLSETS.kind: ("tool", _display_name),
}
"""By kind of record: whether it is a playbook or a tool to the engine, and how its document says what it is called."""
