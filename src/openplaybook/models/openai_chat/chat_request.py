"""A `ModelTurn` as the body of a Chat Completions request.

What does not change from turn to turn is serialised once per playbook and copied into each body as bytes.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import orjson

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, dumps
from openplaybook.models.base import (
    AgentText,
    Declaration,
    Entry,
    FunctionCall,
    FunctionResult,
    ModelTurn,
    ProviderReply,
    UserText,
)
from openplaybook.models.prompt.dialogue import render_dialogue
from openplaybook.models.prompt.prompt_head import PromptHead, function_description, render_head
from openplaybook.models.prompt.prompt_texts import output_tokens, result_text

_WITHOUT_PARALLEL_CALLS = ("o1", "o3", "o4")
"""OpenAI's reasoning models that refuse `parallel_tool_calls`."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """Where servers differ."""

    model: str
    """The name to send."""
    output_limit: str
    """Member that limits the answer: `max_completion_tokens` at OpenAI, `max_tokens` elsewhere."""
    has_parallel_calls: bool
    """Whether `parallel_tool_calls` is understood."""

    @classmethod
    def of(cls, model: str, *, is_openai: bool) -> "Dialect":
        """The dialect of OpenAI's own service, or of a compatible server."""
        return cls(
            model,
            "max_completion_tokens" if is_openai else "max_tokens",
            not (is_openai and model.startswith(_WITHOUT_PARALLEL_CALLS)),
        )


@dataclass(frozen=True, slots=True)
class ChatHead:
    """A head with its JSON."""

    head: PromptHead
    system: orjson.Fragment
    """The system message."""
    shots: tuple[orjson.Fragment, ...]
    """The messages of each example of `head.shots`, joined by commas."""
    tools: orjson.Fragment | None
    """The `tools` array; None when nothing is declared."""


def chat_head(turn: ModelTurn) -> ChatHead:
    """Render and serialise the head of a turn's playbook."""
    head = render_head(turn)
    return ChatHead(
        head,
        orjson.Fragment(dumps({"role": "system", "content": head.system})),
        # An array's brackets cut off: inside another array this is several elements.
        tuple(orjson.Fragment(dumps(messages(shot.entries, ""))[1:-1]) for shot in head.shots),
        orjson.Fragment(dumps(list(map(_tool, turn.declarations)))) if turn.declarations else None,
    )


def body(chat: ChatHead, turn: ModelTurn, dialect: Dialect, window: int, name: str, *, is_stream: bool) -> bytes:
    """The request for one decision of the model `name`, which reads `window` tokens."""
    dialogue = render_dialogue(chat.head, turn, window)
    request: JsonObject = {
        "model": dialect.model,
        "messages": [chat.system, *(chat.shots[at] for at in dialogue.shots), *messages(dialogue.entries, name)],
    }
    if chat.tools is not None:
        request["tools"] = chat.tools
        if dialect.has_parallel_calls:
            request["parallel_tool_calls"] = True
    if turn.settings.temperature is not None:
        request["temperature"] = turn.settings.temperature
    limit = output_tokens(turn.settings)
    if limit is not None:
        request[dialect.output_limit] = limit
    if is_stream:
        request["stream"] = True
        request["stream_options"] = {"include_usage": True}
    return dumps(request)


def messages(entries: Iterable[Entry | ProviderReply], model: str) -> list[JsonObject]:
    """Entries as messages: words and calls of one reply in one message, results as tool messages.

    Neighbouring words of one speaker are joined, as many servers insist that user and assistant take turns.
    Provider extras (`chat_response.reply` keeps them) are given back to the model they came from.
    """
    growing = _ChatMessages()
    for entry in entries:
        if isinstance(entry, UserText):
            growing.words("user", entry.text)
        elif isinstance(entry, AgentText):
            growing.words("assistant", entry.text)
        elif isinstance(entry, FunctionCall):
            growing.call(entry)
        elif isinstance(entry, FunctionResult):
            growing.messages.append({"role": "tool", "tool_call_id": entry.id, "content": result_text(entry)})
        elif entry.model == model:
            growing.extras(entry.raw)
    return growing.messages


class _ChatMessages:
    """Messages, the last of which may still grow."""

    def __init__(self) -> None:
        self.messages: list[JsonObject] = []
        self._message_extras: JsonObject = {}
        self._call_extras: JsonObject = {}

    def words(self, role: str, text: str) -> None:
        message = self._open(role)
        before: JsonValue = message["content"]
        message["content"] = text if before is None else f"{before}\n\n{text}"

    def call(self, call: FunctionCall) -> None:
        function = {"name": call.name, "arguments": dumps(call.arguments).decode()}
        tool_call = {"id": call.id, "type": "function", "function": function}
        message = self._open("assistant", may_have_calls=True)
        message.setdefault("tool_calls", []).append({**tool_call, **as_object(self._call_extras.get(call.id))})

    def extras(self, raw: JsonObject) -> None:
        """What goes with the next message of the assistant and the calls in it."""
        self._message_extras = as_object(raw.get("message"))
        self._call_extras = as_object(raw.get("calls"))

    def _open(self, role: str, *, may_have_calls: bool = False) -> JsonObject:
        """The last message where it is of that role and may take more, else a new one."""
        last = self.messages[-1] if self.messages else {}
        is_next_reply = role == "assistant" and bool(self._message_extras)
        if last.get("role") == role and not is_next_reply and (may_have_calls or "tool_calls" not in last):
            return last
        message: JsonObject = {"role": role, "content": None}
        if is_next_reply:
            message.update(self._message_extras)
            self._message_extras = {}
        self.messages.append(message)
        return message


def _tool(declaration: Declaration) -> JsonObject:
    function = {
        "name": declaration.name,
        "description": function_description(declaration),
        "parameters": declaration.input_schema,
    }
    return {"type": "function", "function": function}
