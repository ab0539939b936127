"""From the journal of a conversation to its recording.

The journal of a replay goes the same way, so that both can be compared member by member.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from openplaybook.credentials.sealer import is_sealed
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.recordings.form import ClientCall, ClientResult, RecordedTurn, Recording
from openplaybook.recordings.matchers import WordMatch
from openplaybook.recordings.placeholders import Placeholders, is_telling, mentions
from openplaybook.recordings.secret_masks import leaves, without_secrets
from openplaybook.recordings.step_capture import Scene, steps_of
from openplaybook.recordings.step_form import RecordedError
from openplaybook.telemetry.redaction import MASK
from openplaybook.turns.base import EventInput, NoInput, TextInput, ToolCallMessage, ToolResultInput, TurnResult
from openplaybook.turns.journal.events import Event, HistoryRestored, ModelReplied, TurnBegun, TurnStopped
from openplaybook.turns.journal.journal_messages import entry_json, results_of
from openplaybook.turns.journal.rows import begin_of


@dataclass(frozen=True, slots=True)
class JournalTurn:
    """One turn as it lies behind."""

    happened: Sequence[Event]
    """The first is its `begin`."""
    result: TurnResult | None
    """None where it was cut short."""
    failed: RecordedError | None = None
    """Set when it did not happen: then there is nothing but its `begin`."""


@dataclass(frozen=True, slots=True)
class RecordingContext:
    """What has to be known beside the turns."""

    names: Placeholders
    agent: str
    """Display name."""
    displayed: Mapping[str, str]
    """Display names of playbooks and tools by resource name."""
    secret: frozenset[str] = frozenset()
    """Names of session parameters that are, or were, secret."""
    title: str = ""
    words: WordMatch = WordMatch.EXACT


def recording_of(past: Sequence[JournalTurn], known: RecordingContext) -> Recording:
    """The recording of a conversation whose turns are all given."""
    capture = _Capture(known)
    turns = [capture.turn(each) for each in past]
    language = begin_of(past[0].happened).language_code if past else "en"
    document: JsonObject = {
        "title": known.title,
        "agent": known.agent,
        "language": language,
        "model": ", ".join(capture.models),
        "words": known.words.value,
        "turns": [{**turn, "language": "" if turn["language"] == language else turn["language"]} for turn in turns],
    }
    document |= _session(turns, known.names)
    return Recording.model_validate(without_secrets(document, capture.hidden))


def _session(turns: Sequence[JsonObject], names: Placeholders) -> JsonObject:
    """The session's id, where it went into requests and no placeholder can stand for it."""
    requests = [
        call["request"]
        for turn in turns
        for step in as_list(turn["steps"])
        for call in as_list(as_object(step).get("calls"))
        if as_object(call).get("request")
    ]
    is_needed = not is_telling(names.session_id) and mentions(requests, names.session_id)
    return {"session": names.session_id} if is_needed else {}


@dataclass(slots=True)
class _Capture:
    known: RecordingContext
    models: list[str] = field(default_factory=list[str])
    scene: Scene = field(init=False)
    parameters: JsonObject = field(default_factory=dict[str, JsonValue])
    """The session's, as the last turn left them."""
    open_calls: list[ToolCallMessage] = field(default_factory=list[ToolCallMessage])
    """The calls that the client is asked for, as the last turn left them."""
    hidden: set[str] = field(default_factory=set[str])
    """Texts of secret parameters that were not sealed when they came."""

    def __post_init__(self) -> None:
        self.scene = Scene(self.known.displayed, self.known.secret)

    def turn(self, past: JournalTurn) -> JsonObject:
        begin = begin_of(past.happened)
        if begin.sets_aside:
            self.scene.frames.clear()
            self.parameters = {}
        parameters = self._open(
            {name: MASK if name in begin.sealed else value for name, value in begin.parameters.items()}
        )
        self._note_models(past.happened)
        steps = steps_of(past.happened, self.scene)
        turn: JsonObject = {
            **self._input(begin),
            "language": begin.language_code,
            "playbook": self.scene.display_name(begin.playbook),
            "entry": self.scene.display_name(begin.entry_playbook),
            "fakes": begin.use_fakes,
            "history": _history(past.happened),
            "client_execution": begin.client_execution,
            "parameters": parameters,
            "removes": list(begin.removed),
            "payload": begin.payload,
            "metadata": begin.metadata,
            "settings": begin.settings,
            "steps": [step.model_dump(exclude_defaults=True) for step in steps],
            **self._end(past, parameters),
        }
        if past.failed is not None:
            turn |= {"steps": None, "failed": past.failed.model_dump()}
        return as_object(self.known.names.put_in(_without_sealed(RecordedTurn.model_validate(turn).model_dump())))

    def _note_models(self, happened: Sequence[Event]) -> None:
        for event in happened:
            if isinstance(event, ModelReplied) and event.model not in self.models:
                self.models.append(event.model)

    def _input(self, begin: TurnBegun) -> JsonObject:
        match begin.input:
            case EventInput(event):
                return {"event": event}
            case TextInput(text):
                return {"user": text}
            case NoInput():
                return {"silent": True}
            case _:
                left = list(enumerate(self.open_calls, 1))
                results = [self._result(each, left) for each in results_of(begin.input)]
                return {"results": results} if len(results) > 1 else {"result": results[0]}

    def _result(self, result: ToolResultInput, left: list[tuple[int, ToolCallMessage]]) -> JsonObject:
        """A result that the client gave, of one of the calls that are `left`, which is taken out."""
        which = next((each for each in left if _is_of(result, each[1])), None)
        tool, action, number = result.tool, result.action, None
        if which is not None:
            tool, action = which[1].tool, which[1].action
            first = next(each for each in left if (each[1].tool, each[1].action) == (tool, action))
            number = which[0] if which is not first else None
            left.remove(which)
        named = ClientResult(
            tool=self.scene.display_name(tool),
            action=action,
            call=number,
            output=result.output,
            error=result.error,
        )
        return named.model_dump(exclude_defaults=True)

    def _end(self, past: JournalTurn, parameters: JsonObject) -> JsonObject:
        if past.result is None:
            stop = next((event for event in past.happened if isinstance(event, TurnStopped)), None)
            self.parameters = {**self.parameters, **parameters}
            return {"stopped": stop and {"code": stop.code, "message": stop.message}}
        removed = begin_of(past.happened).removed
        before = {name: value for name, value in {**self.parameters, **parameters}.items() if name not in removed}
        self.open_calls = [each for each in past.result.messages if isinstance(each, ToolCallMessage)]
        self.parameters = self._open(past.result.parameters)
        asks = [
            ClientCall(
                tool=self.scene.display_name(each.tool), action=each.action, arguments=each.arguments
            ).model_dump()
            for each in self.open_calls
        ]
        return {
            "asks": asks or None,
            "at": self.scene.display_name(past.result.current_playbook),
            "sets": {
                name: value for name, value in self.parameters.items() if name not in before or before[name] != value
            },
        }

    def _open(self, parameters: Mapping[str, JsonValue]) -> JsonObject:
        """Parameters with those masked that the agent says are secret."""
        secret = self.known.secret & parameters.keys()
        self.hidden.update(text for name in secret for text in leaves(parameters[name]) if not is_sealed(text))
        return {name: MASK if name in secret else value for name, value in parameters.items()}


def _history(happened: Sequence[Event]) -> JsonValue:
    """What the request brought of what was said before; None where it brought nothing."""
    histories = (event.entries for event in happened if isinstance(event, HistoryRestored))
    return next(([entry_json(entry) for entry in entries] for entries in histories), None)


def _is_of(result: ToolResultInput, call: ToolCallMessage) -> bool:
    if result.call_id not in ("", call.id):
        return False
    # What has an id need not say again what it is of.
    blank = [""] if result.call_id else []
    return result.tool in (call.tool, *blank) and result.action in (call.action, *blank)


def _without_sealed(value: JsonValue) -> JsonValue:
    """What is sealed masked, wherever it came from."""
    if isinstance(value, dict):
        return {name: _without_sealed(each) for name, each in as_object(value).items()}
    if isinstance(value, str):
        return MASK if is_sealed(value) else value
    return [_without_sealed(each) for each in as_list(value)] if isinstance(value, list) else value
