"""A request to a system as it is made from a manifest, before the credential is in it."""

from dataclasses import dataclass, field

from openplaybook.egress.base import HttpResponse
from openplaybook.jsonvalues import JsonValue


@dataclass(frozen=True, slots=True)
class SystemRequest:
    """What is asked of the system."""

    method: str
    path: str
    """Behind the base URL, percent-encoded; with `is_absolute` behind the origin, with its query."""
    query: tuple[tuple[str, str], ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    content_type: str = ""
    body: bytes | None = None
    is_write: bool = False
    is_repeatable: bool = True
    """Whether sending it twice is as good as once."""
    host: str = ""
    """Which of the manifest's hosts; empty for the base URL."""
    is_absolute: bool = False
    is_description: bool = False
    """Whether it asks what the system has rather than for entities: a rehearsal may send it."""
    is_xml: bool = False
    """Whether its reply is XML, which is left to whoever asks; it may be longer than others."""


@dataclass(frozen=True, slots=True)
class SystemReply:
    """What came back, when it was no error."""

    url: str
    """That was asked, without the credential."""
    response: HttpResponse = field(repr=False)
    value: JsonValue = None
    """The JSON of the body; None for an empty one."""
    has_large: bool = True
    """Whether it may hold integers beyond 2^53, or decimals."""
