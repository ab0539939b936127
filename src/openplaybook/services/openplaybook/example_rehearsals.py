"""Which examples of an agent the offline model would replay, and why not: RehearseExamples."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from openplaybook.jsonvalues import as_object
from openplaybook.resources.names import AGENTS, APP_AGENTS, APPS, PLAYBOOKS, ResourceName
from openplaybook.services.errors import REFUSALS, not_found, to_rpc_error
from openplaybook.services.parts import ServiceParts
from openplaybook.storage.base import Record
from openplaybook.turns.agent.snapshot import AgentSnapshot
from openplaybook.turns.agent.snapshot_store import bundle_of, compile_snapshot
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.lanes import LARGE_AGENTS, REHEARSALS

if TYPE_CHECKING:
    from openplaybook.models.offline.rehearsals.rehearsal import Rehearsal, RehearsedTurn
    from openplaybook.tools.base import ToolBuilder

_PATTERNS = (AGENTS, PLAYBOOKS, APPS, APP_AGENTS)
_LANGUAGE = "en"
_MOST_SHOWN = 2000
"""Characters of what an example shows, and of what the model does."""


class ExampleRehearsals:
    """Puts the examples of stored agents to the offline model. Nothing is called, and nothing is stored."""

    def __init__(self, parts: ServiceParts) -> None:
        self._parts = parts
        self._response = parts.api.message("openplaybook.v1.RehearseExamplesResponse")

    async def rehearse(self, request: ApiMessage, context: RpcContext) -> AsyncGenerator[ApiMessage]:
        """What comes of each example, in order, as soon as it is known. NOT_FOUND: there is no such parent."""
        try:
            name = _name(request.parent)
            only = "" if str(name) == name.root else str(name)
            records = await self._parts.store.scan(name.root)
            if not any(each.name == str(name) for each in records):
                raise not_found("App" if APPS.fits(name.root) else "Agent", str(name))
            make = partial(_compiled, name.root, records, self._parts.toolbox)
            snapshot, language = await LARGE_AGENTS.run(make)
            views = [view for each, view in snapshot.playbooks.items() if only in ("", each)]
            total = sum(len(view.examples) + len(view.unusable_examples) for view in views)
            run = _RehearsalThread(snapshot, language, held_out=request.held_out, only=only)
            try:
                while (found := await REHEARSALS.run(run.next)) is not None:
                    yield self._told(*found, total)
            finally:
                # Also for a client that is gone: its encoder has processes.
                await asyncio.shield(REHEARSALS.run(run.close))
        except REFUSALS as refusal:
            raise to_rpc_error(refusal) from refusal

    def _told(self, playbook: str, rehearsal: "Rehearsal", total: int) -> ApiMessage:
        message = self._response(
            playbook=playbook,
            example=rehearsal.example,
            replayed=rehearsal.is_replayed,
            unusable=rehearsal.unusable,
            total=total,
        )
        for number, turn in enumerate(rehearsal.turns, 1):
            self._tell_turn(message, number, turn)
        return message

    def _tell_turn(self, message: ApiMessage, number: int, turn: "RehearsedTurn") -> None:
        told = message.turns.add(number=number, input=_cut(turn.user), replayed=turn.is_replayed)
        for step in turn.steps:
            verdict = message.Verdict.Value(step.verdict.name)
            shown = told.steps.add(expected=_cut(step.shown), happened=_cut(step.happened), verdict=verdict)
            shown.differences.extend(map(_cut, step.differences))
            if step.differences:
                self._parts.api.codec.from_json(step.evidence, shown.evidence)


class _RehearsalThread:
    """The examples of an agent on an event loop of their own, which a lane's thread runs for one example at a time:
    understanding an example takes too long for the loop that serves requests."""

    def __init__(self, snapshot: AgentSnapshot, language: str, *, held_out: bool, only: str) -> None:
        # Here, since a server that has another model need not load the offline one.
        from openplaybook.encoders.encoder_registry import small_encoder
        from openplaybook.models.offline.rehearsals.rehearsal import Rehearser
        from openplaybook.models.offline.tool_meanings import ToolMeanings
        from openplaybook.services.openplaybook.rehearsed_agents import rehearsals_of

        self._meanings = ToolMeanings(small_encoder)
        rehearser = Rehearser(meanings=self._meanings)
        self._rehearsals: AsyncIterator[tuple[str, Rehearsal]] = rehearsals_of(
            snapshot, language, rehearser, held_out=held_out, only=only
        )
        self._loop = asyncio.new_event_loop()

    def next(self) -> "tuple[str, Rehearsal] | None":
        """The next example with its playbook; None after the last one."""
        return self._loop.run_until_complete(anext(self._rehearsals, None))

    def close(self) -> None:
        self._loop.run_until_complete(self._meanings.aclose())
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()


def _name(text: str) -> ResourceName:
    """Raises `InvalidName`."""
    return next((each for each in _PATTERNS if each.fits(text)), AGENTS).parse(text)


def _compiled(root: str, records: Sequence[Record], toolbox: "ToolBuilder") -> tuple[AgentSnapshot, str]:
    """The agent, and the language that its users speak."""
    bundle = bundle_of(records)
    snapshot = compile_snapshot(root, "", bundle, toolbox)
    root_document = next(as_object(document) for _, name, document in bundle if name == root)
    return snapshot, snapshot.language_code or str(root_document.get("defaultLanguageCode") or _LANGUAGE)


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"
