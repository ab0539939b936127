"""How large text is for a model, without its tokenizer."""

from openplaybook.jsonvalues import dumps
from openplaybook.models.base import AgentText, Entry, FunctionCall, FunctionResult, ProviderReply, UserText
from openplaybook.models.prompt.results import MAX_RESULT_CHARS

_BYTES_PER_TOKEN = 4
_MESSAGE_BYTES = 16
"""What a provider adds around a message, roughly."""


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
