"""pydantic-ai's exceptions as `ModelError`s, without what a provider may repeat of the prompt."""

from collections.abc import Generator
from contextlib import contextmanager

import httpx2
from google.auth.exceptions import GoogleAuthError
from pydantic_ai.exceptions import (
    AgentRunError,
    ContentFilterError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelHTTPError,
    ModelQuotaExceededError,
    ModelRateLimitError,
    ModelRequestRejectedError,
    ModelRequestTimeout,
    ModelServerError,
    ModelTimeoutError,
    ModelUnavailableError,
    UserError,
)

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.models.errors import (
    ModelError,
    ModelGarbled,
    ModelRateLimited,
    ModelRejected,
    ModelTimeout,
    ModelUnavailable,
)
from openplaybook.models.model_keys import ModelKey
from openplaybook.models.statuses import refusal

_SHOWN_CHARS = 200


@contextmanager
def translated(model: str, key: ModelKey) -> Generator[None, None, None]:
    """Whatever goes wrong with a request of `model` with `key`, as a `ModelError`."""
    try:
        yield
    except (AgentRunError, UserError, GoogleAuthError, httpx2.TransportError) as error:
        raise _translation(error, model, key) from None


def _translation(error: Exception, model: str, key: ModelKey) -> ModelError:
    if isinstance(error, GoogleAuthError):
        return ModelRejected(f"{model} cannot be asked: Google's credentials fail with {_kind(error)}.")
    if isinstance(error, ModelAuthenticationError):
        return key.refused(model, error.status_code if isinstance(error, ModelHTTPError) else 401)
    translation = _without_words(error, model)
    if isinstance(error, ModelHTTPError):
        translation.status, translation.provider_message = (
            error.status_code,
            key.without(_message_of(error))[:_SHOWN_CHARS],
        )
    return translation


def _without_words(error: Exception, model: str) -> ModelError:
    if isinstance(error, ModelQuotaExceededError | ModelRequestRejectedError | ContentFilterError | UserError):
        status = f" ({error.status_code})" if isinstance(error, ModelHTTPError) else ""
        return ModelRejected(f"{model} refuses the request: {_kind(error)}{status}.")
    if isinstance(error, ModelHTTPError):
        return refusal(f"{model} answered {error.status_code}.", error.status_code, error.headers or {})
    if isinstance(error, ModelRequestTimeout | ModelTimeoutError | httpx2.TimeoutException):
        return ModelTimeout(f"{model} did not respond in time.")
    if isinstance(error, ModelRateLimitError):
        return ModelRateLimited(f"{model} refuses requests for now.")
    if isinstance(error, ModelConnectionError | ModelServerError | ModelUnavailableError | httpx2.TransportError):
        return ModelUnavailable(f"{model} cannot be reached, or closed the connection: {_kind(error)}.")
    return ModelGarbled(f"{model} returned a response that cannot be read: {_kind(error)}.")


def _message_of(error: ModelHTTPError) -> str:
    """The provider's own words, which stand in the `error` of what it answered (Google, Anthropic) or in the whole."""
    body: JsonObject = as_object(error.body)
    message = as_object(body.get("error", body)).get("message")
    return message if isinstance(message, str) else ""


def _kind(error: Exception) -> str:
    return type(error).__name__.removeprefix("_HTTP")
