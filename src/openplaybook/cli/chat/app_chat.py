"""A session with an app of CX Agent Studio, as a conversation like any other."""

import base64
import mimetypes
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace

from openplaybook.cli.chat.chat_files import ChatAttachment
from openplaybook.cli.chat.chat_session import Answer, CallResult, ChatSession, Happening, OpenCall, Spoken, ToolUsed
from openplaybook.cli.chat.handovers import Handover, HandoverKind, models_in_span
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

USER_ROLE = "user"
"""The role of the user in a conversation with an app; agents' are their display names."""
_UNKNOWN = "application/octet-stream"


@dataclass(slots=True)
class AppChatSession(ChatSession):
    """One session. Calls of tools are told when the turn has ended: the API tells of them no sooner."""

    def say(self, text: str) -> Iterator[Happening]:
        """One turn with the user's words; the last thing that happens is an `Answer`. Raises `ApiError`."""
        files: list[JsonObject] = [_blob(each) for each in self.attachments]
        return self._run([*files, {"text": text}], self.attachments)

    def give(self, call: OpenCall, result: CallResult) -> Iterator[Happening]:
        """One turn with the result of a call. Raises `ApiError`."""
        outcome: JsonObject = {"error": result.error} if result.output is None else {"output": result.output}
        response: JsonObject = {"id": call.id, "tool": call.tool, "displayName": call.action, "response": outcome}
        return self._run([{"toolResponses": {"toolResponses": [response]}}])

    def _run(self, inputs: Sequence[JsonObject], attached: Sequence[ChatAttachment] = ()) -> Iterator[Happening]:
        yield from self._reloaded()
        variables: list[JsonObject] = [{"variables": dict(self.parameters)}] if self.parameters else []
        request: JsonObject = {"config": {"session": self.session}, "inputs": [*variables, *inputs]}
        answered = {call.id for call in self.open_calls}
        answer = self.api.post(f"v1beta/{self.session}:runSession", request)
        outputs = [as_object(output) for output in as_list(answer.get("outputs"))]
        chunks = [(role, chunk) for output in outputs for role, chunk in _chunks(output)]
        happened = list(_happened(chunks, answered))
        self.answer = replace(
            _answer(outputs, {**self.answer.parameters, **_variables(chunk for _, chunk in chunks)}),
            handovers=tuple(each for each in happened if isinstance(each, Handover)),
            models=_models(outputs),
        )
        self.open_calls, self.parameters = list(self.answer.calls), {}
        self.attachments = [each for each in self.attachments if each not in attached]
        yield from happened
        yield self.answer


def _blob(attachment: ChatAttachment) -> JsonObject:
    kind = mimetypes.guess_type(attachment.name)[0] or _UNKNOWN
    return {"blob": {"mimeType": kind, "data": base64.b64encode(attachment.data).decode("ascii")}}


def _chunks(output: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    """What the messages of an output hold, each with its role."""
    for message in map(as_object, as_list(as_object(output.get("diagnosticInfo")).get("messages"))):
        for chunk in map(as_object, as_list(message.get("chunks"))):
            yield str(message.get("role", "")), chunk


def _happened(chunks: Sequence[tuple[str, JsonObject]], answered: Set[str]) -> Iterator[Spoken | Handover | ToolUsed]:
    """Replies, transfers and calls of a turn, in order; not the calls of which the client gave the result."""
    calls = {str(call.get("id")): call for _, chunk in chunks if (call := as_object(chunk.get("toolCall")))}
    replies = 0
    for role, chunk in chunks:
        if "text" in chunk and role != USER_ROLE:
            replies += 1
            yield Spoken(str(chunk["text"]), replies, role)
        elif transfer := as_object(chunk.get("agentTransfer")):
            yield transfer_of(transfer)
        elif response := as_object(chunk.get("toolResponse")):
            call = calls.get(str(response.get("id")))
            if call is not None and response.get("id") not in answered:
                yield from _tool_used(call, response)


def transfer_of(transfer: JsonObject) -> Handover:
    """The handover that an AgentTransfer is."""
    who = transfer.get("displayName") or str(transfer.get("targetAgent", "")).rpartition("/")[2]
    return Handover(str(who), HandoverKind.MOVED)


def _models(outputs: Iterable[JsonObject]) -> tuple[str, ...]:
    """The models that decided, as the spans of a turn's outputs tell."""
    spans = (as_object(as_object(output.get("diagnosticInfo")).get("rootSpan")) for output in outputs)
    return tuple(dict.fromkeys(name for span in spans for name in models_in_span(span)))


def _variables(chunks: Iterable[JsonObject]) -> JsonObject:
    """The variables that a turn has set, each as it was set last."""
    values: JsonObject = {}
    for chunk in chunks:
        values |= as_object(chunk.get("updatedVariables"))
    return values


def _tool_used(call: JsonObject, response: JsonObject) -> Iterator[ToolUsed]:
    """A call that the server made, when it started and when it ended."""
    name, action = tool_names(call)
    outcome, arguments = as_object(response.get("response")), as_object(call.get("args"))
    error = str(outcome["error"]) if "error" in outcome else ""
    yield ToolUsed(name, action, arguments, ended=False)
    yield ToolUsed(name, action, arguments, ended=True, output=None if error else output_of(outcome), error=error)


def output_of(response: JsonObject) -> JsonObject:
    """A result as an object: what CX Agent Studio says under `output`, or the whole."""
    output: JsonValue = response.get("output", response)
    return as_object(output) if isinstance(output, dict) else {"output": output}


def tool_names(call: JsonObject) -> tuple[str, str]:
    """Tool and action, as a person knows them."""
    of_set = as_object(call.get("toolsetTool"))
    name = str(call.get("displayName") or call.get("tool") or of_set.get("toolId"))
    return name, str(of_set.get("toolId") or name)


def _answer(outputs: Sequence[JsonObject], parameters: JsonObject) -> Answer:
    calls = [
        as_object(call) for output in outputs for call in as_list(as_object(output.get("toolCalls")).get("toolCalls"))
    ]
    return Answer(
        texts=tuple(str(output["text"]) for output in outputs if "text" in output),
        calls=tuple(_open_call(call) for call in calls),
        parameters=parameters,
        messages=tuple({key: output[key]} for output in outputs for key in ("payload", "endSession") if key in output),
    )


def _open_call(call: JsonObject) -> OpenCall:
    tool = str(call.get("tool") or as_object(call.get("toolsetTool")).get("toolset"))
    return OpenCall(tool, tool_names(call)[1], as_object(call.get("args")), str(call.get("id", "")))
