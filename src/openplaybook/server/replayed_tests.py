"""Recorded conversations, replayed against an agent of this server as it is now: OpenPlaybook.ReplayTests.

A replay takes place on a stage of its own: nothing of it reaches the server's store, and tools answer as recorded.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING

from openplaybook.credentials.sealer import Sealer
from openplaybook.models.base import Model
from openplaybook.models.model_directory import ModelDirectory
from openplaybook.resources.names import AGENTS, APPS
from openplaybook.server.errors import AgentUnusable
from openplaybook.services.errors import REFUSALS, invalid, not_found, to_rpc_error
from openplaybook.services.parts import ServiceParts
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.lanes import PACKAGES

if TYPE_CHECKING:
    from openplaybook.recordings.replay_outcomes import ReplayOutcome

REPLAY = "openplaybook.v1.OpenPlaybook.ReplayTests"
"""The full name of the RPC."""
MOST_TESTS = 100


class ReplayedTests:
    """Replays tests, those of one request at a time."""

    def __init__(self, parts: ServiceParts, models: ModelDirectory, sealer: Sealer, place: asyncio.Semaphore) -> None:
        """`sealer` opens the secrets in tools, which have to be there for them to be compiled. `place`: one replay at
        a time has it."""
        self._parts = parts
        self._models = models
        self._sealer = sealer
        self._place = place
        self._response = parts.api.message("openplaybook.v1.ReplayTestsResponse")

    async def replay(self, request: ApiMessage, context: RpcContext) -> AsyncGenerator[ApiMessage]:
        """What came of each test, in their order, as soon as it is known. NOT_FOUND: there is no such agent."""
        if not 0 < len(request.tests) <= MOST_TESTS:
            raise invalid(("tests", f"must be 1 to {MOST_TESTS}"))
        model = self._model(request.model)
        try:
            pattern = APPS if APPS.fits(request.agent) else AGENTS
            agent = str(pattern.parse(request.agent))
            async with self._place, aclosing(self._outcomes(agent, request.tests, model)) as outcomes:
                async for outcome in outcomes:
                    yield self._told(outcome)
        except REFUSALS as refusal:
            raise to_rpc_error(refusal) from refusal

    def _model(self, name: str) -> Model | None:
        if not name:
            return None
        model, is_substitute = self._models.resolve(name)
        if is_substitute:
            known = ", ".join([self._models.default.name, *self._models.aliases])
            raise invalid(("model", f"{name!r} is no model of this server; there are: {known}"))
        return model

    async def _outcomes(
        self, agent: str, tests: Sequence[ApiMessage], model: Model | None
    ) -> "AsyncGenerator[ReplayOutcome]":
        # Here, since the form of a recording costs a server's start more than all that it stores.
        from openplaybook.recordings.errors import UnreadableRecording
        from openplaybook.recordings.recording_yaml import parse_recording
        from openplaybook.recordings.replay import Replays
        from openplaybook.recordings.replay_outcomes import ReplayOutcome
        from openplaybook.server.replay_stage import copied

        replays = Replays(model)
        try:
            async with copied(self._parts.store, self._sealer, agent) as stage:
                for test in tests:
                    try:
                        recording = await PACKAGES.run(lambda text=test.recording: parse_recording(text))
                    except UnreadableRecording as error:
                        yield ReplayOutcome(test.id, problem=str(error))
                        continue
                    yield await replays.run(test.id, recording, stage)
        except AgentUnusable as error:
            raise not_found("Agent", agent) from error

    def _told(self, outcome: "ReplayOutcome") -> ApiMessage:
        from openplaybook.recordings.recording_yaml import write_recording
        from openplaybook.recordings.replay import updated_recording
        from openplaybook.recordings.replay_outcomes import ReplayVerdict, input_of, numbered

        message = self._response(id=outcome.file, title=outcome.title, problem=outcome.problem)
        message.outcome = message.Outcome.Value(outcome.verdict.name)
        message.elapsed.FromMicroseconds(round(outcome.seconds * 1e6))
        if outcome.recording is None:
            return message
        message.not_replayed.extend(outcome.recording.not_replayed)
        for number, turn, differences in numbered(outcome):
            shown = message.turns.add(number=number, input=input_of(turn))
            for each in differences:
                sides = each.to_json()
                difference = shown.differences.add(where=each.where)
                for side in ("expected", "happened"):
                    if side in sides:
                        self._parts.api.codec.from_json(sides[side], getattr(difference, side))
        if outcome.verdict is ReplayVerdict.DIFFERENT and outcome.happened is not None:
            updated = updated_recording(outcome.recording, outcome.happened, outcome.turns)
            message.updated_recording = write_recording(updated)
        return message
