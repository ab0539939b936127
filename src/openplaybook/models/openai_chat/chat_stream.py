"""A streamed chat completion: server-sent events, and the message they add up to.

Events are separated by empty lines and carry their data in lines that begin with `data:` (WHATWG HTML, server-sent
events); the last one is `[DONE]`.
"""

from collections.abc import AsyncIterable, AsyncIterator

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps
from openplaybook.models.base import ModelReply
from openplaybook.models.errors import ModelUnavailable
from openplaybook.models.openai_chat.chat_response import reply

DONE = b"[DONE]"


async def events(chunks: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
    """The data of each event in a stream of bytes cut anywhere; an unfinished last event is left out."""
    rest = b""
    data: list[bytes] = []
    async for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            line = line.removesuffix(b"\r")
            if line.startswith(b"data:"):
                data.append(line[5:].removeprefix(b" "))
            elif not line and data:
                yield b"\n".join(data)
                data = []


class GrowingReply:
    """The message as far as it has come."""

    def __init__(self, model: str, url: str) -> None:
        self._model = model
        self._url = url
        self._text: list[str] = []
        self._refusal: list[str] = []
        self._calls: list[JsonValue] = []
        self._at_index: dict[int, JsonObject] = {}
        self._reasoning: list[JsonValue] = []
        self._finish_reason = ""
        self._document: JsonObject = {}

    def add(self, chunk: JsonObject) -> str:
        """Take in one chunk; returns the words it brings."""
        for member in ("id", "model", "usage"):
            if chunk.get(member):
                self._document[member] = chunk[member]
        choices = as_list(chunk.get("choices"))
        if not choices:
            return ""
        choice = as_object(choices[0])
        if isinstance(choice.get("finish_reason"), str):
            self._finish_reason = choice["finish_reason"]
        delta = as_object(choice.get("delta"))
        for piece in as_list(delta.get("tool_calls")):
            self._add_call(as_object(piece))
        self._reasoning += as_list(delta.get("reasoning_details"))
        if isinstance(delta.get("refusal"), str):
            self._refusal.append(delta["refusal"])
        words = delta.get("content")
        if not isinstance(words, str):
            return ""
        self._text.append(words)
        return words

    def reply(self) -> ModelReply:
        """The whole reply. Raises `ModelUnavailable` when the stream ended before the message did."""
        if not self._finish_reason:
            raise ModelUnavailable(f"{self._model} stopped in the middle of its response.")
        return reply(self._message(), self._finish_reason, self._document, self._model, self._url)

    def written(self) -> bytes:
        """What has come so far, as a completion that was not streamed would have it."""
        choice: JsonObject = {"message": self._message(), "finish_reason": self._finish_reason}
        return dumps({**self._document, "choices": [choice]})

    def _message(self) -> JsonObject:
        return {
            "content": "".join(self._text),
            "refusal": "".join(self._refusal),
            "tool_calls": self._calls,
            "reasoning_details": self._reasoning,
        }

    def _add_call(self, piece: JsonObject) -> None:
        index = piece["index"] if isinstance(piece.get("index"), int) else 0
        id = piece["id"] if isinstance(piece.get("id"), str) else ""
        call = self._at_index.get(index)
        # Some servers give every call the index 0; a new id then begins a new call.
        if call is None or (id and call["id"] and id != call["id"]):
            call = {"id": "", "function": {"name": "", "arguments": ""}}
            self._at_index[index] = call
            self._calls.append(call)
        call["id"] = id or call["id"]
        if piece.get("extra_content"):
            call["extra_content"] = piece["extra_content"]
        grown, added = as_object(call["function"]), as_object(piece.get("function"))
        for member in ("name", "arguments"):
            if isinstance(added.get(member), str):
                grown[member] += added[member]
