"""A chat completion as a `ModelReply`."""

from collections.abc import Sequence
from uuid import uuid4

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, object_in
from openplaybook.models.base import ModelReply, ReplyOrigin, RequestedCall, Usage
from openplaybook.models.errors import ModelGarbled

_MESSAGE_EXTRAS = ("reasoning_details",)
_CALL_EXTRAS = ("extra_content",)
"""Members beyond the protocol that providers want back: OpenRouter's reasoning and Gemini's thought signatures."""


def completion(document: JsonObject, model: str, url: str) -> ModelReply:
    """The reply in a whole (not streamed) answer of the server at `url`. Raises `ModelGarbled` when there is none."""
    choices = as_list(document.get("choices"))
    choice = as_object(choices[0]) if choices else {}
    message = choice.get("message")
    if not isinstance(message, dict):
        raise ModelGarbled(f"{model} returned a response without $.choices[0].message.")
    return reply(as_object(message), choice.get("finish_reason"), document, model, url)


def reply(message: JsonObject, finish_reason: JsonValue, document: JsonObject, model: str, url: str) -> ModelReply:
    """The reply in an assistant message, with usage, id and model from the document around it.

    Raises `ModelGarbled` for a call without a function name.
    """
    requested, call_extras = _calls(as_list(message.get("tool_calls")), model)
    extras = {key: message[key] for key in _MESSAGE_EXTRAS if message.get(key)}
    return ModelReply(
        text=_text(message.get("content")) or _text(message.get("refusal")),
        calls=requested,
        model=model,
        usage=_usage(as_object(document.get("usage"))),
        finish_reason=finish_reason if isinstance(finish_reason, str) else "",
        raw={"message": extras, "calls": call_extras} if extras or call_extras else {},
        origin=ReplyOrigin(_word(document.get("id")), _word(document.get("model")), url),
    )


def _usage(counts: JsonObject) -> Usage:
    return Usage(
        _count(counts, "prompt_tokens"),
        _count(counts, "completion_tokens"),
        _count(as_object(counts.get("prompt_tokens_details")), "cached_tokens"),
        _count(as_object(counts.get("completion_tokens_details")), "reasoning_tokens"),
    )


def _calls(listed: Sequence[JsonValue], model: str) -> tuple[tuple[RequestedCall, ...], JsonObject]:
    """The calls, and what is to be given back with each, by id."""
    requested: list[RequestedCall] = []
    extras: JsonObject = {}
    taken: set[str] = set()
    for position, item in enumerate(listed):
        call = as_object(item)
        function = as_object(call.get("function"))
        name = function.get("name")
        if not isinstance(name, str) or not name:
            raise ModelGarbled(f"{model} returned a call without a name at $.tool_calls[{position}].")
        call_id: JsonValue = call.get("id")
        # Some servers give no ids, or the same one twice.
        id = call_id if isinstance(call_id, str) and call_id and call_id not in taken else f"call_{uuid4().hex}"
        taken.add(id)
        requested.append(RequestedCall(id, name, object_in(function.get("arguments"))))
        call_extras = {key: call[key] for key in _CALL_EXTRAS if call.get(key)}
        if call_extras:
            extras[id] = call_extras
    return tuple(requested), extras


def _text(content: JsonValue) -> str:
    """Words, also where a server gives them as a list of parts."""
    if isinstance(content, str):
        return content
    parts = [as_object(part).get("text") for part in as_list(content)]
    return "".join(part for part in parts if isinstance(part, str))


def _word(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""


def _count(counts: JsonObject, key: str) -> int:
    value = counts.get(key)
    return value if isinstance(value, int) else 0
