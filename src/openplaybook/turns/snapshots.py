"""Snapshots of agents: compiled when a revision is first met, kept by digest, durable for turns that wait."""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Sequence

from openplaybook.jsonvalues import JsonValue, dumps, loads
from openplaybook.storage.base import Record, Store
from openplaybook.tools.base import ToolBuilder
from openplaybook.turns.compiling import AGENT_KINDS, compile_snapshot
from openplaybook.turns.errors import NoSuchAgent, SnapshotLost
from openplaybook.turns.kept_tools import KeptTools
from openplaybook.turns.snapshot import AgentSnapshot

_KEPT = 256
"""Compiled snapshots held in memory."""


class Snapshots:
    """The current snapshot of every agent, and those that paused turns still need."""

    def __init__(self, store: Store, toolbox: ToolBuilder) -> None:
        self._store = store
        self._toolbox = KeptTools(toolbox)
        self._current: dict[str, tuple[int, str]] = {}
        """Revision and digest by agent."""
        self._compiled: OrderedDict[str, AgentSnapshot] = OrderedDict()

    async def current(self, agent: str) -> AgentSnapshot:
        """The agent as it stands now. Raises `NoSuchAgent`."""
        revision = await self._store.revision(agent)
        known = self._current.get(agent)
        if known is not None and known[0] == revision and known[1] in self._compiled:
            return self._keep(self._compiled[known[1]])
        bundle = _bundle(await self._store.scan(agent))
        if not any(kind == "agent" for kind, _, _ in bundle):
            self._current.pop(agent, None)
            raise NoSuchAgent(f"Agent {agent} does not exist.")
        text = dumps(bundle)
        digest = hashlib.sha256(text).hexdigest()
        if digest not in self._compiled:
            # Stored before any turn uses it: a turn that pauses or is recovered finds the same agent again.
            await self._store.put_blob(_key(digest), text)
            await self._compile(agent, digest, bundle)
        self._current[agent] = (revision, digest)
        return self._keep(self._compiled[digest])

    async def by_digest(self, agent: str, digest: str) -> AgentSnapshot:
        """An earlier state of the agent, as an unfinished turn saw it. Raises `SnapshotLost`."""
        if digest not in self._compiled:
            text = await self._store.get_blob(_key(digest))
            if text is None:
                raise SnapshotLost(f"The state of {agent} that this session began with is gone from the store.")
            await self._compile(agent, digest, loads(text))
        return self._keep(self._compiled[digest])

    async def _compile(self, agent: str, digest: str, bundle: Sequence[Sequence[JsonValue]]) -> None:
        # Beside the event loop: the description of a large API takes seconds, and other sessions go on.
        self._compiled[digest] = await asyncio.to_thread(compile_snapshot, agent, digest, bundle, self._toolbox)

    def _keep(self, snapshot: AgentSnapshot) -> AgentSnapshot:
        self._compiled.move_to_end(snapshot.digest)
        while len(self._compiled) > _KEPT:
            self._compiled.popitem(last=False)
        return snapshot


def _bundle(records: Sequence[Record]) -> list[list[JsonValue]]:
    """Kind, name and document of what a turn reads, in order of insertion."""
    return [[each.kind, each.name, loads(each.body)] for each in records if each.kind in AGENT_KINDS]


def _key(digest: str) -> str:
    return f"snapshot/{digest}"
