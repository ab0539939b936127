"""What was asked of the model and of the sandbox, for the trace."""

from openplaybook.telemetry.redaction import mask_text
from openplaybook.tools.base import Exchange

_MAX_CHARS = 8_000
_ANSWERED = 200


def recorded(method: str, whom: str, asked: str, answer: str, elapsed_s: float, *, error: str = "") -> Exchange:
    """A question and its answer, secrets masked and texts cut. `method`: GENERATE or RUN."""
    return Exchange(
        method=method,
        url=whom,
        request_headers={},
        request_body=_shown(asked),
        status=_ANSWERED if answer or not error else 0,
        response_headers={},
        response_body=_shown(answer),
        elapsed_ms=round(elapsed_s * 1000, 3),
        error=error,
    )


def _shown(text: str) -> str:
    masked = mask_text(text)
    return masked if len(masked) <= _MAX_CHARS else f"{masked[:_MAX_CHARS]}…"
