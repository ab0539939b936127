"""Snapshots of agents and apps: compiled from stored resources when a revision is first met, kept by digest, durable
for turns that wait."""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from openplaybook.jsonvalues import JsonObject, JsonValue, dumps, loads
from openplaybook.resources.names import APP_VERSIONS, APPS
from openplaybook.resources.tool_kinds import tool_kinds
from openplaybook.storage.base import Record, Store
from openplaybook.tools.base import AgentScope, InvalidTool, Tool, ToolBuilder
from openplaybook.turns.agent.ces_apps import KINDS as OF_APPS
from openplaybook.turns.agent.ces_apps import bundle_of_version, source_of_app
from openplaybook.turns.agent.dialogflow_agents import KINDS as OF_AGENTS
from openplaybook.turns.agent.dialogflow_agents import source_of_agent
from openplaybook.turns.agent.playbook_views import AgentParts
from openplaybook.turns.agent.snapshot import AgentSnapshot
from openplaybook.turns.errors import NoSuchAgent, SnapshotLost
from openplaybook.turns.journal.events import now_us
from openplaybook.workers.lanes import AT_ONCE, LARGE_AGENTS, TURNS, Lane

AGENT_KINDS = OF_AGENTS | OF_APPS
"""Kinds of stored records that a snapshot is made of."""

ROOT_KINDS = frozenset({"agent", APPS.kind})
"""Those of them that everything else belongs to."""


def compile_snapshot(
    agent: str, digest: str, bundle: Iterable[Sequence[JsonValue]], toolbox: ToolBuilder
) -> AgentSnapshot:
    """Compile an agent or an app from (kind, name, document) triples. A tool that cannot be compiled is left out and
    named."""
    by_kind: dict[str, dict[str, JsonObject]] = {kind: {} for kind in AGENT_KINDS}
    for kind, name, document in bundle:
        by_kind[kind][name] = document
    source = source_of_app(agent, by_kind) if APPS.fits(agent) else source_of_agent(agent, by_kind)
    tools, unusable = _compile_tools(source.tools, toolbox, source.scope)
    tool_names = {name: str(document.get("displayName", "")) for name, document in source.tools.items()}
    parts = AgentParts(
        playbooks=source.playbooks,
        examples=source.examples(tools),
        tools=tools,
        unusable_tools=unusable,
        playbook_ids={playbook.display_name: name for name, playbook in source.playbooks.items()},
        tool_ids={display_name: name for name, display_name in tool_names.items()},
    )
    return AgentSnapshot(
        digest=digest,
        agent=agent,
        start_playbook=source.start_playbook,
        playbooks=source.views(parts),
        tools=tools,
        tool_names=tool_names,
        tool_kinds={name: kind_name(document) for name, document in source.tools.items()},
        settings=source.settings,
        refuses_paused_input=source.refuses_paused_input,
        client_execution=source.client_execution,
        secret_parameters=source.secret_parameters,
        variables=source.variables,
        sequential=source.sequential,
        language_code=source.language_code,
        takes_feedback=source.takes_feedback,
        ends_for_good=source.ends_for_good,
    )


def kind_name(tool: JsonObject) -> str:
    """The kind of a tool's document, as snapshots tell it."""
    kind = tool_kinds().of(tool)
    return "other" if kind is None else kind.name


def _compile_tools(
    documents: Mapping[str, JsonObject], toolbox: ToolBuilder, scope: AgentScope
) -> tuple[dict[str, Tool], dict[str, str]]:
    tools: dict[str, Tool] = {}
    unusable: dict[str, str] = {}
    for name, document in documents.items():
        try:
            tools[name] = toolbox.build(document, scope)
        except InvalidTool as error:
            unusable[name] = str(error)
    return tools, unusable


LAG_US = 24 * 60 * 60 * 1_000_000
"""A snapshot in use is stored anew when it was stored longer ago than this: so the time at which its blob was put
tells its last use, late by no more."""

PREFIX = "snapshot/"
"""Of the keys of stored snapshots."""

_KEPT = 256
"""Compiled snapshots held in memory."""

KEPT_BYTES = 64 * 1024 * 1024
"""Of the texts that they were compiled from, which take some times as much; the latest is held however large."""


class Snapshots:
    """The current snapshot of every agent, and those that paused turns still need."""

    def __init__(self, store: Store, toolbox: ToolBuilder, *, clock: Callable[[], int] = now_us) -> None:
        """`clock` gives microseconds since the epoch."""
        self._store = store
        self._toolbox = toolbox
        self._clock = clock
        self._current: dict[str, tuple[int, str]] = {}
        """Revision and digest by agent, or by version."""
        self._compiled: OrderedDict[str, AgentSnapshot] = OrderedDict()
        self._sizes: dict[str, int] = {}
        """Bytes of the texts of those that are compiled."""
        self._put_us: dict[str, int] = {}
        """When those that are compiled were stored, as far as this process knows."""
        self._under_way: dict[Hashable, asyncio.Task[AgentSnapshot]] = {}
        """What is being read and compiled: many turns may wait for one agent."""

    async def current(self, agent: str, version: str = "") -> AgentSnapshot:
        """The agent, or the app, as it stands now, or as a version of the app keeps it. Raises `NoSuchAgent`."""
        key = version or agent
        # Versions have a root of their own: neither is stale when the other changes.
        revision = await self._store.revision(version.rpartition("/")[0] or agent)
        known = self._current.get(key)
        if known is not None and known[0] == revision and self._is_at_hand(known[1]):
            return self._keep(self._compiled[known[1]])
        return await self._once((key, revision), lambda: self._as_it_stands(agent, version, revision))

    async def by_digest(self, agent: str, digest: str) -> AgentSnapshot:
        """An earlier state of the agent, as an unfinished turn saw it. Raises `SnapshotLost`."""
        if self._is_at_hand(digest):
            return self._keep(self._compiled[digest])
        return await self._once(digest, lambda: self._as_it_was(agent, digest))

    async def _once(self, what: Hashable, make: Callable[[], Coroutine[None, None, AgentSnapshot]]) -> AgentSnapshot:
        """What is made once for all who want it by now, and goes on when one of them is gone."""
        task = self._under_way.get(what)
        if task is None:
            task = self._under_way[what] = asyncio.create_task(make())
            task.add_done_callback(partial(self._is_made, what))
        return await asyncio.shield(task)

    def _is_made(self, what: Hashable, task: "asyncio.Task[AgentSnapshot]") -> None:
        del self._under_way[what]
        if not task.cancelled():
            task.exception()  # seen, should all who wanted it be gone

    async def _as_it_stands(self, agent: str, version: str, revision: int) -> AgentSnapshot:
        key = version or agent
        bundle, text, digest = await (self._version(version) if version else self._draft(agent))
        if not any(kind in ROOT_KINDS for kind, _, _ in bundle):
            self._current.pop(key, None)
            raise NoSuchAgent(f"{_noun(agent, version)} {key} does not exist.")
        if not self._is_at_hand(digest):
            # Stored before any turn uses it: a turn that pauses or is recovered finds the same agent again.
            await self._put(digest, text)
            await self._compile(agent, digest, bundle, len(text))
        self._current[key] = (revision, digest)
        return self._keep(self._compiled[digest])

    async def _as_it_was(self, agent: str, digest: str) -> AgentSnapshot:
        text = await self._store.get_blob(blob_key(digest))
        if text is None:
            raise SnapshotLost(f"The state of {agent} that this session began with is gone from the store.")
        await self._note_use(digest, text)
        bundle = await LARGE_AGENTS.run(partial(bundle_in, text)) if len(text) > AT_ONCE else bundle_in(text)
        await self._compile(agent, digest, bundle, len(text))
        return self._keep(self._compiled[digest])

    async def _draft(self, agent: str) -> "_Read":
        records = await self._store.scan(agent)
        if sum(len(each.body) for each in records) <= AT_ONCE:
            return _read(bundle_of(records))
        return await LARGE_AGENTS.run(lambda: _read(bundle_of(records)))

    async def _version(self, version: str) -> "_Read":
        record = await self._store.get(version)
        if record is None or record.kind != APP_VERSIONS.kind:
            return _read([])
        if len(record.body) <= AT_ONCE:
            return _read(bundle_of_version(loads(record.body)))
        return await LARGE_AGENTS.run(lambda: _read(bundle_of_version(loads(record.body))))

    def _is_at_hand(self, digest: str) -> bool:
        """Whether it is compiled, and known to have been stored lately."""
        return digest in self._compiled and self._put_us.get(digest, 0) > self._clock() - LAG_US

    async def _note_use(self, digest: str, text: bytes) -> None:
        facts = await self._store.blobs(blob_key(digest))
        put_us = facts[0].put_us if facts else 0
        if put_us > self._clock() - LAG_US:
            self._put_us[digest] = put_us
        else:
            await self._put(digest, text)

    async def _put(self, digest: str, text: bytes) -> None:
        put_us = self._clock()
        await self._store.put_blob(blob_key(digest), text)
        self._put_us[digest] = put_us

    async def _compile(self, agent: str, digest: str, bundle: Sequence[Sequence[JsonValue]], size: int) -> None:
        if digest in self._compiled:
            return
        # Beside the event loop: the description of a large API takes seconds, and other sessions go on.
        make = partial(compile_snapshot, agent, digest, bundle, self._toolbox)
        self._compiled[digest] = await lane_for(size).run(make)
        self._sizes[digest] = size

    def _keep(self, snapshot: AgentSnapshot) -> AgentSnapshot:
        self._compiled.move_to_end(snapshot.digest)
        while len(self._compiled) > _KEPT or (len(self._compiled) > 1 and sum(self._sizes.values()) > KEPT_BYTES):
            gone, _ = self._compiled.popitem(last=False)
            self._sizes.pop(gone, None)
            self._put_us.pop(gone, None)
        return snapshot


def lane_for(size: int) -> Lane:
    """Where so many bytes of an agent are read or compiled."""
    return LARGE_AGENTS if size > AT_ONCE else TURNS


_Bundle: TypeAlias = list[list[JsonValue]]
_Read: TypeAlias = tuple[_Bundle, bytes, str]
"""What a snapshot is made of: as values, as text, and the text's digest."""


def _read(bundle: _Bundle) -> _Read:
    # One document at a time: a thread that writes them all in one go would hold up the event loop meanwhile.
    text = b"".join((b"[", _BETWEEN.join(map(dumps, bundle)), b"]"))
    return bundle, text, hashlib.sha256(text).hexdigest()


_BETWEEN = b",\n"
"""Between the documents of a snapshot; within them no line ends. Snapshots that older versions stored are one line."""


def bundle_in(text: bytes) -> _Bundle:
    """The documents of a stored snapshot."""
    # One at a time here too.
    return [loads(document) for document in text[1:-1].split(_BETWEEN)] if b"\n" in text else loads(text)


def _noun(agent: str, version: str) -> str:
    return "Version" if version else "App" if APPS.fits(agent) else "Agent"


def bundle_of(records: Sequence[Record]) -> _Bundle:
    """Kind, name and document of what a turn reads, in order of insertion."""
    return [[each.kind, each.name, loads(each.body)] for each in records if each.kind in AGENT_KINDS]


def blob_key(digest: str) -> str:
    """The key under which a snapshot is stored."""
    return PREFIX + digest
