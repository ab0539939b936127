"""What a decision was asked for and where its reply came from, as the journal keeps it for the trace."""

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import ModelReply, ModelTurn
from openplaybook.models.prompt.limits import output_tokens


def facts_of(request: ModelTurn, reply: ModelReply, first_us: int) -> JsonObject:
    """`call` of a `reply` event; what is not known is left out.

    `first_us`: when the first words of a streamed reply came, microseconds since the epoch; 0 where none was streamed.
    """
    origin, usage = reply.origin, reply.usage
    facts: JsonObject = {
        "temperature": request.settings.temperature,
        "maxTokens": output_tokens(request.settings),
        "finish": reply.finish_reason,
        "responseId": origin.response_id,
        "responseModel": origin.model,
        "url": origin.url,
        "cachedTokens": usage.cached_tokens,
        "reasoningTokens": usage.reasoning_tokens,
        "first": first_us,
    }
    return {name: value for name, value in facts.items() if value or (name == "temperature" and value is not None)}
