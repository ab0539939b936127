"""What can go wrong with a model.

ModelError
├── ModelNotConfigured  unknown name, missing key, missing extra, unreadable script
├── ModelTimeout        no answer in time
├── ModelRateLimited    429; `retry_after_s` when the provider said so
├── ModelUnavailable    connection refused, 5xx, or a broken stream; `retry_after_s` likewise
├── ModelRejected       4xx: wrong key, unknown model, request too large
└── ModelGarbled        an answer that is not what the protocol says
"""

from typing import ClassVar


class ModelError(Exception):
    """A model gave no decision. The message is safe to show: it holds no key and no prompt."""

    code: ClassVar[str] = "MODEL_ERROR"

    def __init__(self, message: str, *, attempts: int = 1) -> None:
        super().__init__(message)
        self.attempts = attempts
        """Requests made before giving up."""
        self.status = 0
        """HTTP status that the provider answered with; 0 where there was no answer, or a good one that is none."""
        self.provider_message = ""
        """The provider's own words, without the key. They may repeat the prompt: for nobody but who wrote it."""


class ModelNotConfigured(ModelError):
    """No model can be made from what was given; the message says what is allowed."""

    code = "MODEL_NOT_CONFIGURED"

    def __init__(self, message: str) -> None:
        super().__init__(message, attempts=0)


class ModelTimeout(ModelError):
    """The provider did not answer in time."""

    code = "MODEL_TIMEOUT"


class ModelRateLimited(ModelError):
    """The provider refused for now."""

    code = "MODEL_RATE_LIMITED"

    def __init__(self, message: str, *, attempts: int = 1, retry_after_s: float | None = None) -> None:
        super().__init__(message, attempts=attempts)
        self.retry_after_s = retry_after_s


class ModelUnavailable(ModelError):
    """The provider cannot be reached or is broken."""

    code = "MODEL_UNAVAILABLE"

    def __init__(self, message: str, *, attempts: int = 1, retry_after_s: float | None = None) -> None:
        super().__init__(message, attempts=attempts)
        self.retry_after_s = retry_after_s


class ModelRejected(ModelError):
    """The provider refuses this request for good."""

    code = "MODEL_REJECTED"

    def __init__(self, message: str, *, attempts: int = 1) -> None:
        super().__init__(message, attempts=attempts)
        self.is_key_refused = False
        """Whether it is the API key that is refused."""


class ModelGarbled(ModelError):
    """The provider's answer cannot be read."""

    code = "MODEL_GARBLED"
