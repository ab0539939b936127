"""Tokens: how large text is for a model without its tokenizer, and the limits of Dialogflow's LLM settings on them."""

from openplaybook.jsonvalues import dumps
from openplaybook.models.base import AgentText, Entry, FunctionCall, FunctionResult, ProviderReply, UserText
from openplaybook.models.prompt.data import MAX_RESULT_CHARS
from openplaybook.resources.compiled import LlmSettings

_BYTES_PER_TOKEN = 4
_MESSAGE_BYTES = 16
"""What a provider adds around a message, roughly."""

INPUT_TOKENS = {"SHORT": 8_000, "MEDIUM": 32_000, "LONG": 100_000}
"""`InputTokenLimit`."""
OUTPUT_TOKENS = {"SHORT": 512, "MEDIUM": 1_024, "LONG": 2_048}
"""`OutputTokenLimit`."""

_USUAL_OUTPUT_TOKENS = 1_024


def text_tokens(text: str) -> int:
    """Tokens of a text, estimated from its UTF-8 bytes and rounded up."""
    size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    return -(-size // _BYTES_PER_TOKEN)


def entry_tokens(entry: Entry | ProviderReply) -> int:
    """Tokens of one entry of a conversation, estimated."""
    if isinstance(entry, UserText | AgentText):
        return text_tokens(entry.text) + _MESSAGE_BYTES // _BYTES_PER_TOKEN
    if isinstance(entry, FunctionCall):
        size = len(dumps(entry.arguments)) + len(entry.name)
    elif isinstance(entry, FunctionResult):
        size = min(len(dumps(entry.output)), MAX_RESULT_CHARS)
    else:
        size = len(dumps(entry.raw))
    return -(-(size + _MESSAGE_BYTES) // _BYTES_PER_TOKEN)


def input_tokens(settings: LlmSettings, window: int) -> int:
    """Tokens a request may have, the answer included: the model's window, or less where the settings say so."""
    return min(window, INPUT_TOKENS.get(settings.input_token_limit or "", window))


def output_tokens(settings: LlmSettings) -> int | None:
    """Tokens the answer may have; None leaves it to the provider."""
    return OUTPUT_TOKENS.get(settings.output_token_limit or "")


def reserved_output_tokens(settings: LlmSettings, window: int) -> int:
    """Tokens kept free for the answer, at most a quarter of the window."""
    return min(output_tokens(settings) or _USUAL_OUTPUT_TOKENS, window // 4)
