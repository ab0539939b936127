"""A session with an agent, over the public API: what is said, and what happens meanwhile."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TypeAlias

from openplaybook.cli.api_client import ApiClient
from openplaybook.cli.chat.chat_files import ChatAttachment
from openplaybook.cli.chat.handovers import Handover, handover_in, handovers_in, models_in
from openplaybook.cli.errors import ApiError, CommandError
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, loads


@dataclass(frozen=True, slots=True)
class Spoken:
    """Words of the agent: a reply, or a piece of one while the agent is still speaking."""

    text: str
    reply: int
    """Which of the turn's replies it is of, counted from 1."""
    speaker: str = ""
    """Display name of the playbook, or agent of an app, that speaks."""


@dataclass(frozen=True, slots=True)
class ToolUsed:
    """A tool call of the server's: once when it starts, once more when it ended."""

    tool: str
    """Display name."""
    action: str
    input: JsonObject
    ended: bool
    output: JsonObject | None = None
    error: str = ""


@dataclass(frozen=True, slots=True)
class OpenCall:
    """A call that the session waits for; the client has to run it."""

    tool: str
    """Resource name."""
    action: str
    input: JsonObject
    id: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """The end of a turn."""

    texts: tuple[str, ...]
    calls: tuple[OpenCall, ...]
    """Not empty when the session waits for the client."""
    parameters: JsonObject
    messages: tuple[JsonObject, ...] = ()
    """What is neither words nor a call, as Google's API has it: payloads, a hand-off, the end of the interaction."""
    notices: tuple[str, ...] = ()
    """What the server remarks about the turn, such as a handler that is not run or a result that does not fit."""
    handovers: tuple[Handover, ...] = ()
    """Who took over in the turn, in order; each happened before the answer, too, unless the turn is answered again."""
    models: tuple[str, ...] = ()
    """Names of the models that decided in the turn."""

    def to_json(self) -> JsonObject:
        """The answer for programs."""
        return {**asdict(self), "handovers": [each.to_json() for each in self.handovers]}


@dataclass(frozen=True, slots=True)
class Reloaded:
    """Files that the agent is made of have changed since the turn before."""

    files: tuple[str, ...]
    """Their paths."""
    error: str = ""
    """Why they cannot be used, so that the agent is what it was; empty: it is what they say."""


_ERROR_MARK = "error:"

Happening: TypeAlias = Spoken | Handover | ToolUsed | Answer | Reloaded


def _never() -> None:
    """Nothing changes the agent."""


@dataclass(slots=True)
class ChatSession:
    """One session. After an `ApiError` it is as it was before and can go on."""

    api: ApiClient
    session: str
    """Resource name."""
    language: str
    parameters: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    """Session parameters to set with the next request."""
    attachments: list[ChatAttachment] = field(default_factory=list[ChatAttachment])
    """Files to send with the next words."""
    client_execution: bool = False
    """Every tool call of the server's is asked of this client instead."""
    open_calls: list[OpenCall] = field(default_factory=list[OpenCall])
    """Calls that the session waits for, oldest first."""
    answer: Answer = Answer((), (), {})
    """The last answer."""
    refresh: Callable[[], Reloaded | None] = _never
    """Asked before each turn: brings the agent up to the files that it is made of."""

    def say(self, text: str) -> Iterator[Happening]:
        """One turn with the user's words; the last thing that happens is an `Answer`. Raises `ApiError`."""
        return self._turn({"text": {"text": text}}, self.attachments)

    def give(self, call: OpenCall, result: "CallResult") -> Iterator[Happening]:
        """One turn with the result of a call. Raises `ApiError`."""
        answered: JsonObject = {"tool": call.tool, "action": call.action, **result.to_json()}
        if call.id:
            answered["id"] = call.id
        return self._turn({"toolCallResult": answered})

    def _turn(self, query_input: JsonObject, attached: Sequence[ChatAttachment] = ()) -> Iterator[Happening]:
        yield from self._reloaded()
        files: JsonValue = [each.to_json() for each in attached]
        payload: JsonObject = {"payload": {"files": files}} if files else {}
        request: JsonObject = {
            "queryInput": {**query_input, "languageCode": self.language},
            "queryParams": {"parameters": dict(self.parameters), **self._override(), **payload},
        }
        answered = False
        for response in self.api.stream(f"v3beta1/{self.session}:serverStreamingDetectIntent", request):
            query = as_object(response.get("queryResult"))
            if response.get("responseType") == "PARTIAL":
                yield from _partial(query)
                continue
            self.answer, answered = _answer(query), True
            self.open_calls, self.parameters = list(self.answer.calls), {}
            self.attachments = [each for each in self.attachments if each not in attached]
            yield self.answer
        if not answered:
            raise ApiError("INTERNAL", "the server's response ended without a result")

    def _reloaded(self) -> Iterator[Reloaded]:
        reloaded = self.refresh()
        if reloaded is not None:
            yield reloaded

    def _override(self) -> JsonObject:
        if not self.client_execution:
            return {}
        return {"playbookStateOverride": {"playbookExecutionMode": "ALWAYS_CLIENT_EXECUTION"}}


@dataclass(frozen=True, slots=True)
class CallResult:
    """What came of a call that the client ran: an output, or the words of an error."""

    output: JsonObject | None = None
    error: str = ""

    def to_json(self) -> JsonObject:
        """The part of a ToolCallResult that says it."""
        return {"error": {"message": self.error}} if self.output is None else {"outputParameters": self.output}


def read_result(text: str) -> CallResult:
    """A JSON object is the output, `error: …` an error. Raises `CommandError` for anything else."""
    if text.strip().lower().startswith(_ERROR_MARK):
        return CallResult(error=text.strip()[len(_ERROR_MARK) :].strip() or "failed")
    try:
        value: JsonValue = loads(text)
    except ValueError as error:
        raise CommandError(
            f"not JSON: {error}. Type a JSON object, or error: and what went wrong", exit_code=2
        ) from error
    if not isinstance(value, dict):
        raise CommandError('a result must be a JSON object, such as {"temperature": 23.5}', exit_code=2)
    return CallResult(output=as_object(value))


def _partial(query: JsonObject) -> Iterator[Happening]:
    for message in _messages(query):
        if texts := as_list(as_object(message.get("text")).get("text")):
            speaker = str(message.get("playbookDisplayName", ""))
            yield Spoken("".join(map(str, texts)), int(str(message.get("replyIndex", 0))), speaker)
    info = as_object(as_object(query.get("generativeInfo")).get("actionTracingInfo"))
    for action in map(as_object, as_list(info.get("actions"))):
        if "toolUse" in action:
            yield _tool_used(action)
        elif (handover := handover_in(action)) is not None:
            yield handover


def _tool_used(action: JsonObject) -> ToolUsed:
    use, status = as_object(action["toolUse"]), as_object(as_object(action.get("status")).get("exception"))
    ended = "completeTime" in action
    return ToolUsed(
        tool=str(use.get("displayName") or use.get("tool")),
        action=str(use.get("action")),
        input=as_object(use.get("inputActionParameters")),
        ended=ended,
        output=as_object(use["outputActionParameters"]) if "outputActionParameters" in use else None,
        error=str(status.get("errorMessage", "")),
    )


def _answer(query: JsonObject) -> Answer:
    messages = _messages(query)
    texts = [str(text) for message in messages for text in as_list(as_object(message.get("text")).get("text"))]
    calls = [as_object(message["toolCall"]) for message in messages if "toolCall" in message]
    info = as_object(as_object(query.get("generativeInfo")).get("actionTracingInfo"))
    actions = [as_object(action) for action in as_list(info.get("actions"))]
    return Answer(
        texts=tuple(texts),
        calls=tuple(
            OpenCall(
                str(call["tool"]), str(call["action"]), as_object(call.get("inputParameters")), str(call.get("id", ""))
            )
            for call in calls
        ),
        parameters=as_object(query.get("parameters")),
        messages=tuple(
            {key: value for key, value in message.items() if key != "source"}
            for message in messages
            if "text" not in message and "toolCall" not in message
        ),
        notices=tuple(map(str, as_list(as_object(query.get("diagnosticInfo")).get("Notices")))),
        handovers=handovers_in(actions, has_ended=any(map(ends_conversation, messages))),
        models=models_in(actions),
    )


def ends_conversation(message: JsonObject) -> bool:
    """Whether a message says that the conversation is over."""
    return not {"endInteraction", "endSession"}.isdisjoint(message)


def _messages(query: JsonObject) -> list[JsonObject]:
    return [as_object(message) for message in as_list(query.get("responseMessages"))]
