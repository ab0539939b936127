"""A response of pydantic-ai as a `ModelReply`, and the other way round for replies that were kept."""

from collections.abc import Sequence

from pydantic import ValidationError
from pydantic_ai.messages import (
    ModelMessagesTypeAdapter,
    ModelResponse,
    ModelResponsePart,
    TextPart,
    ToolCallPart,
)

from openplaybook.jsonvalues import dumps, object_in
from openplaybook.models.base import (
    AgentText,
    Entry,
    FunctionCall,
    ModelReply,
    ProviderReply,
    ReplyOrigin,
    RequestedCall,
    Usage,
)


def written_response(response: ModelResponse) -> bytes:
    """A response as JSON, in pydantic-ai's own form."""
    [written] = ModelMessagesTypeAdapter.dump_python([response], mode="json")
    return dumps(written)


def model_reply(response: ModelResponse, model: str) -> ModelReply:
    """Words and calls of a response; the response itself is kept where the provider wants more than these back."""
    raw: dict[str, object] = {}
    if any(map(_holds_more, response.parts)):
        raw = {"messages": ModelMessagesTypeAdapter.dump_python([response], mode="json")}
    return ModelReply(
        text=_text(response),
        calls=tuple(
            RequestedCall(part.tool_call_id, part.tool_name, object_in(part.args)) for part in _calls(response)
        ),
        model=model,
        usage=Usage(
            response.usage.input_tokens,
            response.usage.output_tokens,
            response.usage.cache_read_tokens,
            response.usage.details.get("reasoning_tokens", 0),
        ),
        finish_reason=response.finish_reason or "",
        raw=raw,
        origin=ReplyOrigin(response.provider_response_id or "", response.model_name or "", response.provider_url or ""),
    )


def kept_response(
    provider_reply: ProviderReply, following: Sequence[Entry | ProviderReply], model: str
) -> tuple[ModelResponse | None, int]:
    """The response kept from `model`, and how many of the entries after it it stands for.

    None where it comes from another model, cannot be read by this version of pydantic-ai, or says something else
    than the entries do (words that a guard replaced).
    """
    response = _read(provider_reply) if provider_reply.model == model else None
    if response is None:
        return None, 0
    text = _text(response)
    gist = [("text", text)] if text else []
    gist += [(part.tool_call_id, part.tool_name) for part in _calls(response)]
    length = len(gist)
    return (response, length) if gist == [_gist(entry) for entry in following[:length]] else (None, 0)


def _read(provider_reply: ProviderReply) -> ModelResponse | None:
    try:
        messages = ModelMessagesTypeAdapter.validate_python(provider_reply.raw.get("messages"))
    except ValidationError:
        return None
    return messages[0] if len(messages) == 1 and isinstance(messages[0], ModelResponse) else None


def _gist(entry: Entry | ProviderReply) -> tuple[str, str]:
    if isinstance(entry, AgentText):
        return "text", entry.text
    return (entry.id, entry.name) if isinstance(entry, FunctionCall) else ("", "")


def _holds_more(part: ModelResponsePart) -> bool:
    """Whether a part says more than words or a call: thoughts, signatures, ids of the provider's own."""
    return not isinstance(part, TextPart | ToolCallPart) or bool(part.provider_details) or part.id is not None


def _text(response: ModelResponse) -> str:
    return "".join(part.content for part in response.parts if isinstance(part, TextPart))


def _calls(response: ModelResponse) -> list[ToolCallPart]:
    return [part for part in response.parts if isinstance(part, ToolCallPart)]
