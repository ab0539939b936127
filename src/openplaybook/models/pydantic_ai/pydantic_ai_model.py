"""The `Model` of pydantic-ai's model layer: one request a decision."""

from collections.abc import AsyncIterator
from functools import partial

from pydantic_ai.direct import model_request, model_request_stream
from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
)
from pydantic_ai.models import Model as ProviderModel
from pydantic_ai.settings import ModelSettings

from openplaybook.models.base import ModelReply, ModelTurn, TextDelta
from openplaybook.models.errors import ModelUnavailable
from openplaybook.models.model_keys import ModelKey
from openplaybook.models.prompt.dialogue import render_dialogue
from openplaybook.models.prompt.prompt_head import HeadCache
from openplaybook.models.prompt.prompt_texts import output_tokens
from openplaybook.models.pydantic_ai.message_history import HistoryHead, history, history_head, written_request
from openplaybook.models.pydantic_ai.provider_failures import translated
from openplaybook.models.pydantic_ai.provider_response import model_reply, written_response


class PydanticAIModel:
    """Decides with one request, without retries."""

    def __init__(
        self, name: str, model: ProviderModel, window: int, key: ModelKey, longest_answer: int | None = None
    ) -> None:
        """`name` as given to `--model`; `window` is what the model reads at once, in tokens; `key` is what `model`
        sends, for it to be named where it is refused.

        `longest_answer`, in tokens, is for providers that insist on a limit; the settings' own comes first.
        """
        self._name = name
        self._model = model
        self._window = window
        self._key = key
        self._longest_answer = longest_answer
        # Gemini's schemas cannot refer to themselves, and pydantic-ai would copy out all else however large it gets.
        self._heads = HeadCache(partial(history_head, takes_references=not model.system.startswith("google")))

    @property
    def name(self) -> str:
        """`google:NAME`, `anthropic:NAME` or `pydantic-ai:PROVIDER:NAME`."""
        return self._name

    async def decide(self, turn: ModelTurn) -> ModelReply:
        """The model's answer. Raises `ModelError`."""
        head, messages, settings = self._request(turn)
        with translated(self._name, self._key):
            response = await model_request(
                self._model,
                messages,
                model_settings=settings,
                model_request_parameters=head.parameters,
                instrument=False,
            )
        return self._reply(turn, response)

    async def stream(self, turn: ModelTurn) -> AsyncIterator[TextDelta | ModelReply]:
        """The model's answer as it is spoken. Raises `ModelError`, also in the middle."""
        head, messages, settings = self._request(turn)
        with translated(self._name, self._key):
            async with model_request_stream(
                self._model,
                messages,
                model_settings=settings,
                model_request_parameters=head.parameters,
                instrument=False,
            ) as stream:
                async for event in stream:
                    words = _words(event)
                    if words:
                        yield TextDelta(words)
                response = stream.get()
        if response.finish_reason is None:
            raise ModelUnavailable(f"{self._name} stopped in the middle of its response.")
        yield self._reply(turn, response)

    async def aclose(self) -> None:
        """Close the provider's HTTP client."""
        async with self._model:
            pass

    def _request(self, turn: ModelTurn) -> tuple[HistoryHead, list[ModelMessage], ModelSettings]:
        """What is sent for a decision."""
        head = self._heads.get(turn)
        messages, settings = self._messages(head, turn), self._settings(turn)
        if turn.exchange is not None:
            turn.tell_sent(written_request(head, messages, settings))
        return head, messages, settings

    def _reply(self, turn: ModelTurn, response: ModelResponse) -> ModelReply:
        if turn.exchange is not None:
            turn.tell_received(written_response(response))
        return model_reply(response, self._name)

    def _messages(self, head: HistoryHead, turn: ModelTurn) -> list[ModelMessage]:
        dialogue = render_dialogue(head.head, turn, self._window)
        shots = [message for at in dialogue.shots for message in head.shots[at]]
        return [*shots, *history(dialogue.entries, self._name)]

    def _settings(self, turn: ModelTurn) -> ModelSettings:
        settings = ModelSettings(max_retries=0, request_timeout=turn.timeout_s)
        if turn.declarations:
            settings["parallel_tool_calls"] = True
        if turn.settings.temperature is not None:
            settings["temperature"] = turn.settings.temperature
        limit = output_tokens(turn.settings) or self._longest_answer
        if limit is not None:
            settings["max_tokens"] = limit
        return settings


def _words(event: ModelResponseStreamEvent) -> str:
    if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
        return event.part.content
    if isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
        return event.delta.content_delta
    return ""
