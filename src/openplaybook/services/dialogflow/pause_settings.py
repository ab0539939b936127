"""The settings of pauses, which agents and generative settings have alike, judged when they are saved."""

from openplaybook.services.errors import invalid
from openplaybook.wire.messages import ApiMessage

_TIMEOUT = "tool_call_result_timeout"


def check_pause_settings(resource: ApiMessage, field: str) -> None:
    """INVALID_ARGUMENT for a wait of no length. `field` is what the request calls the resource."""
    if resource.HasField(_TIMEOUT) and getattr(resource, _TIMEOUT).ToNanoseconds() <= 0:
        raise invalid((f"{field}.{_TIMEOUT}", "must be more than 0 seconds; leave it out for a wait without limit"))
