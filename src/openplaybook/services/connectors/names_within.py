"""Names of what is within a connection: entity types, entities, actions, tools.

Their ids are whatever a system calls them, so a segment holds an id as it is where that is harmless in a path, else `~`
and base64url of it (RFC 4648 §5). A client may also send an id with its slashes as `%2F`.
"""

import binascii
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass

from openplaybook.resources.errors import InvalidName
from openplaybook.resources.names import CONNECTIONS

_CONNECTION = CONNECTIONS.template
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.,:@=-]{0,255}", re.ASCII)
_LONGEST = 4_000
"""Characters of a segment."""


@dataclass(frozen=True, slots=True)
class ConnectionPartName:
    """A name that begins with that of a connection."""

    connection: str
    """Resource name."""
    ids: tuple[str, ...]
    """What the system calls what stands behind it, in the order of the name."""

    @property
    def id(self) -> str:
        """The last of them."""
        return self.ids[-1]


def name_within(text: str, *collections: str, field: str = "name") -> ConnectionPartName:
    """A name such as `CONNECTION/entityTypes/T/entities/E`, by its collections. Raises `InvalidName`."""
    words = text.split("/")
    head, tail = "/".join(words[:6]), words[6:]
    is_it = CONNECTIONS.fits(head) and tuple(tail[::2]) == collections and len(tail) == 2 * len(collections)
    ids = [_id_of(segment) for segment in tail[1::2]] if is_it else []
    if not is_it or not all(ids):
        expected = "/".join((_CONNECTION, *(f"{each}/{{{each.rstrip('s')}}}" for each in collections)))
        raise InvalidName(text, expected, field)
    return ConnectionPartName(head, tuple(ids))


def segment_of(id: str) -> str:
    """An id as one segment of a name."""
    return id if _PLAIN.fullmatch(id) else f"~{urlsafe_b64encode(id.encode()).decode('ascii').rstrip('=')}"


def _id_of(segment: str) -> str:
    """The id that a segment holds; empty where it holds none."""
    if len(segment) > _LONGEST:
        return ""
    if not segment.startswith("~"):
        return re.sub("%2f", "/", segment, flags=re.IGNORECASE)
    encoded = segment[1:]
    try:
        return urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4)).decode()
    except (binascii.Error, ValueError):
        return ""
