"""What an HTTP status of a model provider means for us."""

import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from openplaybook.models.errors import ModelError, ModelRateLimited, ModelRejected, ModelTimeout, ModelUnavailable


def refusal(message: str, status: int, headers: Mapping[str, str], provider_message: str = "") -> ModelError:
    """The error for an answer with `status`; those for 408, 409, 429 and 5xx may pass when asked again.

    `provider_message` is what the provider itself says, as `ModelError.provider_message` keeps it.
    """
    error = _error(message, status, headers)
    error.status, error.provider_message = status, provider_message
    return error


def _error(message: str, status: int, headers: Mapping[str, str]) -> ModelError:
    if status == 408:
        return ModelTimeout(message)
    if status == 429:
        return ModelRateLimited(message, retry_after_s=retry_after_s(headers))
    if status == 409 or status >= 500:
        return ModelUnavailable(message, retry_after_s=retry_after_s(headers))
    return ModelRejected(message)


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait as the provider asks: `retry-after-ms` (OpenAI's), or `retry-after` in seconds or as a date.

    The names are looked up in lower case.
    """
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers[name]) / unit)
        except (KeyError, ValueError):
            continue
    try:
        return max(0.0, parsedate_to_datetime(headers["retry-after"]).timestamp() - time.time())
    except (KeyError, ValueError):
        return None
