"""A session with an app of CX Agent Studio, as a conversation like any other."""

import base64
import mimetypes
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from openplaybook.cli.chat.attaching import Attachment
from openplaybook.cli.chat.conversation import Answer, Conversation, Happening, OpenCall, Result, ToolUsed
from openplaybook.cli.chat.handovers import Handover, How, models_in_span
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

_UNKNOWN = "application/octet-stream"


@dataclass(slots=True)
class AppConversation(Conversation):
    """One session. Calls of tools are told when the turn has ended: the API tells of them no sooner."""

    def say(self, text: str) -> Iterator[Happening]:
        """One turn with the user's words; the last thing that happens is an `Answer`. Raises `ApiError`."""
        files: list[JsonObject] = [_blob(each) for each in self.attachments]
        return self._run([*files, {"text": text}], self.attachments)

    def give(self, call: OpenCall, result: Result) -> Iterator[Happening]:
        """One turn with the result of a call. Raises `ApiError`."""
        told: JsonObject = {"error": result.error} if result.output is None else {"output": result.output}
        response: JsonObject = {"id": call.id, "tool": call.tool, "displayName": call.action, "response": told}
        return self._run([{"toolResponses": {"toolResponses": [response]}}])

    def _run(self, inputs: Sequence[JsonObject], attached: Sequence[Attachment] = ()) -> Iterator[Happening]:
        yield from self._reloaded()
        variables: list[JsonObject] = [{"variables": dict(self.parameters)}] if self.parameters else []
        request: JsonObject = {"config": {"session": self.session}, "inputs": [*variables, *inputs]}
        given = {call.id for call in self.open_calls}
        answer = self.api.post(f"v1beta/{self.session}:runSession", request)
        outputs = [as_object(output) for output in as_list(answer.get("outputs"))]
        chunks = [chunk for output in outputs for chunk in _chunks(output)]
        self.answer = replace(
            _answer(outputs, {**self.answer.parameters, **_variables(chunks)}),
            handovers=tuple(_handovers(chunks)),
            models=_models(outputs),
        )
        self.open_calls, self.parameters = list(self.answer.calls), {}
        self.attachments = [each for each in self.attachments if each not in attached]
        yield from _tools_used(chunks, given)
        yield self.answer


def _blob(attachment: Attachment) -> JsonObject:
    kind = mimetypes.guess_type(attachment.name)[0] or _UNKNOWN
    return {"blob": {"mimeType": kind, "data": base64.b64encode(attachment.data).decode("ascii")}}


def _chunks(output: JsonObject) -> Iterator[JsonObject]:
    for message in map(as_object, as_list(as_object(output.get("diagnosticInfo")).get("messages"))):
        yield from map(as_object, as_list(message.get("chunks")))


def _handovers(chunks: Iterable[JsonObject]) -> Iterator[Handover]:
    """The transfers among what messages hold."""
    for chunk in chunks:
        transfer = as_object(chunk.get("agentTransfer"))
        if transfer:
            who = transfer.get("displayName") or str(transfer.get("targetAgent", "")).rpartition("/")[2]
            yield Handover(str(who), How.MOVED)


def _models(outputs: Iterable[JsonObject]) -> tuple[str, ...]:
    """The models that decided, as the spans of a turn's outputs tell."""
    spans = (as_object(as_object(output.get("diagnosticInfo")).get("rootSpan")) for output in outputs)
    return tuple(dict.fromkeys(name for span in spans for name in models_in_span(span)))


def _variables(chunks: Sequence[JsonObject]) -> JsonObject:
    """The variables that a turn has set, each as it was set last."""
    values: JsonObject = {}
    for chunk in chunks:
        values |= as_object(chunk.get("updatedVariables"))
    return values


def _tools_used(chunks: Sequence[JsonObject], given: set[str]) -> Iterator[ToolUsed]:
    """The calls that the server made, each with what came of it; not those of which the client gave the result."""
    calls = {str(call.get("id")): call for chunk in chunks if (call := as_object(chunk.get("toolCall")))}
    for chunk in chunks:
        response = as_object(chunk.get("toolResponse"))
        call = calls.get(str(response.get("id")))
        if not response or call is None or response.get("id") in given:
            continue
        name, action = tool_names(call)
        told, arguments = as_object(response.get("response")), as_object(call.get("args"))
        error = str(told["error"]) if "error" in told else ""
        yield ToolUsed(name, action, arguments, ended=False)
        yield ToolUsed(name, action, arguments, ended=True, output=None if error else output_of(told), error=error)


def output_of(told: JsonObject) -> JsonObject:
    """A result as an object: what CX Agent Studio says under `output`, or the whole."""
    output: JsonValue = told.get("output", told)
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
