"""Golden conversations held turn by turn, as `GoldenRunMethod.STABLE` asks: one turn that goes wrong spoils no other.

Each turn is a session of its own, which begins with what the turns before it expect. A turn in which the client returns
results belongs to the session of the turn that asks for them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.models.base import AgentText, Entry, FunctionCall, FunctionResult, UserText
from openplaybook.recordings.form import RecordedTurn, Recording
from openplaybook.recordings.golden_conversations import GoldenNames, golden_turns
from openplaybook.tools.base import Success
from openplaybook.tools.mocks import outcome_in
from openplaybook.turns.journal.journal_messages import entry_json


@dataclass(frozen=True, slots=True)
class StableSection:
    """One session: the inputs, and the golden turns that they are of."""

    recording: Recording
    evaluation: JsonObject
    """With these turns only."""


def stable_sections(recording: Recording, evaluation: JsonObject, names: GoldenNames) -> Iterator[StableSection]:
    """The sessions of a golden conversation; `recording` has its inputs, turn by turn."""
    golden = golden_turns(evaluation)
    past = _ExpectedPast(names)
    for turns in _sections(recording.turns):
        first, *others = (recording.turns[number] for number in turns)
        section = [golden[number] for number in turns]
        held = recording.model_copy(update={"turns": [past.before(first), *others]})
        yield StableSection(held, {**evaluation, "golden": {**as_object(evaluation["golden"]), "turns": [*section]}})
        for turn in section:
            past.add(turn)


def _sections(turns: Sequence[RecordedTurn]) -> Iterator[range]:
    """Numbers of the turns that are held in one session."""
    start = 0
    for number, turn in enumerate(turns):
        if number and not turn.given_results:
            yield range(start, number)
            start = number
    if turns:
        yield range(start, len(turns))


@dataclass(slots=True)
class _ExpectedPast:
    """What golden turns leave to the next one when everything goes as they expect."""

    names: GoldenNames
    entries: list[Entry] = field(default_factory=list[Entry])
    variables: JsonObject = field(default_factory=dict[str, JsonValue])
    agent: str = ""
    """Display name of the agent that the conversation was given to last; empty: the root agent."""
    waiting: list[FunctionCall] = field(default_factory=list[FunctionCall])
    """Calls without a result yet, oldest first."""

    def before(self, turn: RecordedTurn) -> RecordedTurn:
        """The turn as the first one of a session."""
        if not self.entries:
            return turn
        parameters = {**self.variables, **turn.parameters}
        history = [entry_json(entry) for entry in self.entries]
        return turn.model_copy(update={"parameters": parameters, "history": history, "entry": self.agent or turn.entry})

    def add(self, turn: JsonObject) -> None:
        """Let a golden turn pass."""
        for step in map(as_object, as_list(turn.get("steps"))):
            self._transfer(step)
            self._input(as_object(step.get("userInput")))
            self._expectation(as_object(step.get("expectation")))

    def _input(self, given: JsonObject) -> None:
        if "text" in given:
            self.entries.append(UserText(str(given["text"])))
        elif "event" in given:
            self.entries.append(UserText(f"<event>{as_object(given['event']).get('event', '')}</event>"))
        self.variables |= as_object(given.get("variables"))
        for response in as_list(as_object(given.get("toolResponses")).get("toolResponses")):
            self._answer(as_object(response))

    def _expectation(self, expected: JsonObject) -> None:
        for chunk in map(as_object, as_list(as_object(expected.get("agentResponse")).get("chunks"))):
            if text := str(chunk.get("text") or chunk.get("transcript") or ""):
                self.entries.append(AgentText(text))
        self._transfer(expected)
        self.variables |= as_object(expected.get("updatedVariables"))
        if call := as_object(expected.get("toolCall")):
            made = FunctionCall(f"past-{len(self.entries)}", self._function(call), as_object(call.get("args")))
            self.entries.append(made)
            self.waiting.append(made)
        for kind in ("mockToolResponse", "toolResponse"):
            if response := as_object(expected.get(kind)):
                self._answer(response)

    def _transfer(self, step: JsonObject) -> None:
        if transfer := as_object(step.get("agentTransfer")):
            self.agent = self.names.agent(transfer)

    def _answer(self, response: JsonObject) -> None:
        """The result of the oldest call of the tool; of none, it is left out: models take both in pairs only."""
        name = self._function(response)
        call = next((each for each in self.waiting if each.name == name), None)
        if call is None:
            return
        self.waiting.remove(call)
        given = as_object(response.get("response"))
        outcome = outcome_in(given)
        is_error = not isinstance(outcome, Success)
        output = given if is_error else as_object(outcome.output)
        self.entries.append(FunctionResult(call.id, name, output, is_error=is_error))

    def _function(self, reference: JsonObject) -> str:
        """How the model knows the tool."""
        title, action = self.names.called(reference)
        return f"{title}_{action}" if action else title
