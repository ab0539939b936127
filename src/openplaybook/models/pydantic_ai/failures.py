"""pydantic-ai's exceptions as `ModelError`s, without what a provider may repeat of the prompt."""

from collections.abc import Generator
from contextlib import contextmanager

import httpx2
from pydantic_ai.exceptions import (
    AgentRunError,
    ContentFilterError,
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

from openplaybook.models.errors import (
    ModelError,
    ModelGarbled,
    ModelRateLimited,
    ModelRejected,
    ModelTimeout,
    ModelUnavailable,
)
from openplaybook.models.statuses import refusal


@contextmanager
def translated(model: str) -> Generator[None, None, None]:
    """Whatever goes wrong with a request, as a `ModelError`."""
    try:
        yield
    except (AgentRunError, UserError, httpx2.TransportError) as error:
        raise _translation(error, model) from None


def _translation(error: Exception, model: str) -> ModelError:
    if isinstance(error, ModelQuotaExceededError | ModelRequestRejectedError | ContentFilterError | UserError):
        status = f" ({error.status_code})" if isinstance(error, ModelHTTPError) else ""
        return ModelRejected(f"{model} refuses the request: {_kind(error)}{status}.")
    if isinstance(error, ModelHTTPError):
        return refusal(f"{model} answered {error.status_code}.", error.status_code, error.headers or {})
    if isinstance(error, ModelRequestTimeout | ModelTimeoutError | httpx2.TimeoutException):
        return ModelTimeout(f"{model} did not answer in time.")
    if isinstance(error, ModelRateLimitError):
        return ModelRateLimited(f"{model} refuses for now.")
    if isinstance(error, ModelConnectionError | ModelServerError | ModelUnavailableError | httpx2.TransportError):
        return ModelUnavailable(f"{model} cannot be reached, or hung up: {_kind(error)}.")
    return ModelGarbled(f"{model} gave an answer that cannot be read: {_kind(error)}.")


def _kind(error: Exception) -> str:
    return type(error).__name__.removeprefix("_HTTP")
