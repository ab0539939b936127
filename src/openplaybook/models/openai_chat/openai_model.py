"""The `Model` of the Chat Completions protocol: one request a decision."""

from collections.abc import AsyncIterator, Mapping

from openplaybook.models.base import Model, ModelReply, ModelTurn, TextDelta
from openplaybook.models.context_windows import window_of
from openplaybook.models.errors import ModelNotConfigured
from openplaybook.models.model_keys import ModelKey
from openplaybook.models.openai_chat.chat_client import ChatClient
from openplaybook.models.openai_chat.chat_request import Dialect, body, chat_head
from openplaybook.models.openai_chat.chat_response import completion
from openplaybook.models.openai_chat.chat_stream import DONE, GrowingReply, events
from openplaybook.models.prompt.prompt_head import HeadCache
from openplaybook.models.wrappers import RetryingModel

DEFAULT_BASE_URL = "https://api.openai.com/v1"


class OpenAIModel:
    """Decides with one request, without retries."""

    def __init__(self, name: str, client: ChatClient, dialect: Dialect, window: int) -> None:
        """`name` as given to `--model`; `window` is what the model reads at once, in tokens."""
        self._name = name
        self._client = client
        self._dialect = dialect
        self._window = window
        self._heads = HeadCache(chat_head)

    @property
    def name(self) -> str:
        """`openai:NAME`."""
        return self._name

    async def decide(self, turn: ModelTurn) -> ModelReply:
        """The model's answer. Raises `ModelError`."""
        answer = await self._client.post(self._body(turn, is_stream=False), turn.timeout_s)
        turn.tell_received(answer)
        return completion(self._client.document(answer), self._name, self._client.url)

    async def stream(self, turn: ModelTurn) -> AsyncIterator[TextDelta | ModelReply]:
        """The model's answer as it is spoken. Raises `ModelError`, also in the middle."""
        async with self._client.open(self._body(turn, is_stream=True), turn.timeout_s) as response:
            if response.content_type == "application/json":
                answer = await response.read()
                turn.tell_received(answer)
                document = self._client.document(answer)
                whole = completion(document, self._name, self._client.url)
                if whole.text:
                    yield TextDelta(whole.text)
                yield whole
                return
            growing = GrowingReply(self._name, self._client.url)
            try:
                async for data in events(response.parts()):
                    if data == DONE:
                        break
                    words = growing.add(self._client.document(data))
                    if words:
                        yield TextDelta(words)
            finally:
                turn.tell_received(growing.written())
            yield growing.reply()

    async def aclose(self) -> None:
        """Close the session."""
        await self._client.aclose()

    def _body(self, turn: ModelTurn, *, is_stream: bool) -> bytes:
        head = self._heads.get(turn)
        request = body(head, turn, self._dialect, self._window, self._name, is_stream=is_stream)
        turn.tell_sent(request)
        return request


def create_openai_model(name: str, environment: Mapping[str, str]) -> Model:
    """The model `openai:NAME` with retries. Raises `ModelNotConfigured` when key or base URL cannot do."""
    key = ModelKey("OPENAI_API_KEY", environment.get("OPENAI_API_KEY", ""))
    base_url = environment.get("OPENAI_BASE_URL", "")
    if not key.value and not base_url:
        raise ModelNotConfigured(f"openai:{name} needs OPENAI_API_KEY, or OPENAI_BASE_URL of a compatible server.")
    base_url = (base_url or DEFAULT_BASE_URL).rstrip("/")
    if not base_url.startswith(("http://", "https://")):
        raise ModelNotConfigured("OPENAI_BASE_URL must begin with http:// or https://.")
    try:
        client = ChatClient(f"{base_url}/chat/completions", key)
    except ValueError as error:
        raise ModelNotConfigured(f"OPENAI_BASE_URL is no URL: {error}.") from error
    dialect = Dialect.of(name, is_openai=base_url == DEFAULT_BASE_URL)
    return RetryingModel(OpenAIModel(f"openai:{name}", client, dialect, window_of(name, environment)))
