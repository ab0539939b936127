"""`openai:NAME`: the Chat Completions protocol, spoken directly over kept connections.

Serves OpenAI and every server that speaks its protocol (vLLM, Ollama, llama.cpp, …). `OPENAI_API_KEY` and
`OPENAI_BASE_URL` (default `https://api.openai.com/v1`) come from the operator, who thereby names the address:
it is exempt from the egress policy that tools are held to. Certificates are verified, redirects are not
followed, and proxies named in the environment are not used.

    chat_request    a `ModelTurn` as the body of a request
    chat_response   the answer as a `ModelReply`
    chat_stream     the answer as server-sent events, piece by piece
    chat_client     one POST, and what its failures mean
    openai_model    the `Model`
"""

from collections.abc import Mapping

from openplaybook.models.base import Model
from openplaybook.models.context_windows import window_of
from openplaybook.models.errors import ModelNotConfigured
from openplaybook.models.model_keys import ModelKey
from openplaybook.models.openai_chat.chat_client import ChatClient
from openplaybook.models.openai_chat.chat_request import Dialect
from openplaybook.models.openai_chat.openai_model import OpenAIModel
from openplaybook.models.wrappers import RetryingModel

__all__ = ["OpenAIModel", "create_openai_model"]

DEFAULT_BASE_URL = "https://api.openai.com/v1"


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
