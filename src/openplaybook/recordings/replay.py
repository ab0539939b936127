"""A recorded conversation, held once more with the agent of today, compared, and updated."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from uuid import uuid4

from openplaybook.credentials.sealer import Sealer
from openplaybook.models.base import Model
from openplaybook.models.model_directory import ModelDirectory
from openplaybook.recordings.capture import JournalTurn, RecordingContext, recording_of
from openplaybook.recordings.errors import NothingToReplay, RecordingError
from openplaybook.recordings.form import ClientResult, RecordedTurn, Recording
from openplaybook.recordings.matchers import WordMatch
from openplaybook.recordings.placeholders import Placeholders
from openplaybook.recordings.recorded_model import RecordedModel
from openplaybook.recordings.recorded_session import past_turn
from openplaybook.recordings.recorded_tools import RecordedAnswers, RecordedTools
from openplaybook.recordings.replay_outcomes import ReplayOutcome
from openplaybook.recordings.step_form import RecordedDecision, RecordedError
from openplaybook.recordings.turn_comparison import ComparisonOptions, compare
from openplaybook.storage.base import Store
from openplaybook.telemetry.metrics import Metrics
from openplaybook.tools.base import ToolBuilder
from openplaybook.turns.agent.past_agents import PastAgent, PastAgents
from openplaybook.turns.base import (
    EventInput,
    NoInput,
    TextInput,
    ToolCallMessage,
    ToolResultInput,
    ToolResultsInput,
    TurnInput,
    TurnRequest,
)
from openplaybook.turns.engine import TurnEngine
from openplaybook.turns.errors import TurnError
from openplaybook.turns.journal.journal_messages import entry_of
from openplaybook.turns.session.seals import SealedParameters
from openplaybook.turns.steps.intake import begin_event
from openplaybook.turns.steps.step_contexts import settings_of


@dataclass(frozen=True, slots=True)
class ReplayStage:
    """The agent, or the app, of today, in a store that nobody else uses."""

    store: Store
    agent: str
    """Resource name."""
    display_name: str
    tools: ToolBuilder
    sealer: Sealer


async def replay(recording: Recording, stage: ReplayStage, *, model: Model | None, live_tools: bool) -> Recording:
    """What happens today where the recording's inputs come in, in the recording's form.

    `model` None: the recorded one decides. Tools answer from the recording unless they are live. Raises
    `NothingToReplay` when the model is the recorded one and there are no decisions of it.
    """
    if model is None and not any(
        isinstance(step, RecordedDecision) for turn in recording.turns for step in turn.steps or ()
    ):
        raise NothingToReplay("it holds no decisions of a model: give one to replay it with, such as --model offline")
    names = Placeholders(stage.agent, f"{stage.agent}/sessions/{recording.session or uuid4().hex}")
    # Another recording on this stage may have had a session of the same name.
    await stage.store.delete_session(names.session)
    script = Recording.model_validate(names.taken_out(recording.model_dump()))
    performance = _Performance(script, stage, names, model, live_tools)
    await performance.play()
    today = await PastAgents(stage.store).present(stage.agent)
    known = RecordingContext(
        names=names,
        agent=stage.display_name,
        displayed={**today.playbook_names, **today.tool_names},
        secret=today.secret_parameters,
        title=recording.title,
        words=recording.words,
    )
    return recording_of(performance.past, known)


@dataclass(slots=True)
class _Performance:
    recording: Recording
    stage: ReplayStage
    names: Placeholders
    model: Model | None
    live_tools: bool
    past: list[JournalTurn] = field(default_factory=list[JournalTurn])
    open_calls: list[ToolCallMessage] = field(default_factory=list[ToolCallMessage])
    """The calls that the client is asked for now."""

    async def play(self) -> None:
        """Hold the conversation; `past` then has a turn for each of the recording's."""
        recorded, answers = RecordedModel(), RecordedAnswers.of(self.recording)
        tools = self.stage.tools if self.live_tools else RecordedTools(self.stage.tools, answers)
        engine = TurnEngine(
            store=self.stage.store,
            toolbox=tools,
            models=ModelDirectory(self.model or recorded, {}),
            metrics=Metrics(),
            owner="replay",
            sealer=self.stage.sealer,
        )
        today = await PastAgents(self.stage.store).present(self.stage.agent)
        for number, turn in enumerate(self.recording.turns):
            recorded.begin(turn)
            answers.begin(number)
            self.past.append(await self._turn(engine, self._request(turn, number, today)))

    async def _turn(self, engine: TurnEngine, request: TurnRequest) -> JournalTurn:
        conversation = await self.stage.store.conversation(self.names.session)
        before = 0 if conversation is None else conversation.turns
        failed: RecordedError | None = None
        try:
            result = await engine.run(request)
            self.open_calls = [each for each in result.messages if isinstance(each, ToolCallMessage)]
        except TurnError as error:
            failed = RecordedError(code=error.code, message=str(error))
        turns = await self.stage.store.kept_turns(self.names.session, after=before)
        if not turns:
            begin = begin_event(request, "", SealedParameters(dict(request.parameters)))
            return JournalTurn([begin], None, failed)
        return past_turn(turns[-1])

    def _request(self, turn: RecordedTurn, number: int, today: PastAgent) -> TurnRequest:
        playbooks = _by_display_name(today.playbook_names)
        return TurnRequest(
            agent=self.stage.agent,
            session=self.names.session,
            input=self._input(turn, today),
            language_code=turn.language or self.recording.language,
            parameters=turn.parameters,
            removed=frozenset(turn.removes),
            payload=turn.payload,
            end_user_metadata=turn.metadata,
            current_playbook=playbooks.get(turn.playbook, turn.playbook) or None,
            entry_playbook=playbooks.get(turn.entry, turn.entry) or None,
            use_tool_fakes=turn.fakes,
            history=tuple(map(entry_of, turn.history or ())),
            settings=settings_of(turn.settings.model_dump(exclude_none=True)),
            # A key of its own: equal words twice are two turns of the recording.
            request_key=f"turn {number}",
            client_execution=turn.client_execution,
        )

    def _input(self, turn: RecordedTurn, today: PastAgent) -> TurnInput:
        if turn.event is not None:
            return EventInput(turn.event)
        if turn.silent:
            return NoInput()
        tools = _by_display_name(today.tool_names)
        results = [self._result(each, tools) for each in turn.given_results]
        if not results:
            return TextInput(turn.user or "")
        return results[0] if len(results) == 1 else ToolResultsInput(tuple(results))

    def _result(self, result: ClientResult, tools: Mapping[str, str]) -> ToolResultInput:
        number = result.call or 0
        # A call that is not asked for any more is looked for by its names, as it is without a number.
        call_id = self.open_calls[number - 1].id if 0 < number <= len(self.open_calls) else ""
        return ToolResultInput(
            tool=tools.get(result.tool, result.tool),
            action=result.action,
            call_id=call_id,
            output=result.output,
            error=result.error,
        )


def _by_display_name(names: Mapping[str, str]) -> dict[str, str]:
    return {display_name: name for name, display_name in names.items()}


@dataclass(frozen=True, slots=True)
class Replays:
    """How recordings are replayed."""

    model: Model | None = None
    """None: the recorded one."""
    live_tools: bool = False
    words: WordMatch | None = None
    """None: as the recording says."""

    async def run(self, file: str, recording: Recording, stage: ReplayStage) -> ReplayOutcome:
        """Replay the recording of a file. That it cannot be is an outcome, too."""
        begun = time.perf_counter()
        try:
            happened = await replay(recording, stage, model=self.model, live_tools=self.live_tools)
        except RecordingError as error:
            return ReplayOutcome(file, problem=f"{file}: {error}")
        turns = compare(recording, happened, ComparisonOptions(self.words, outputs=not self.live_tools))
        return ReplayOutcome(file, recording, happened, turns, seconds=time.perf_counter() - begun)


def updated_recording(expected: Recording, happened: Recording, differences: Sequence[Sequence[object]]) -> Recording:
    """The recording as it would be had it been made today; `differences` are those of each turn.

    Turns that are the same stay as they are, with the marks that stand in them; so do turns that fail, as they show
    nothing.
    """
    turns: list[RecordedTurn] = []
    for one, other, differ in zip(expected.turns, happened.turns, differences, strict=True):
        stays = other.failed is not None or (one.steps is not None and not differ)
        turns.append(one if stays else other.model_copy(update={"words": one.words}))
    changed: dict[str, object] = {"turns": turns, "agent": happened.agent}
    if all(turn.steps is not None for turn in turns):
        # What had to happen at some point now stands where it happens.
        changed["actions"] = []
    if happened.model != RecordedModel.name:
        changed["model"] = happened.model
    return expected.model_copy(update=changed)
