"""List paging: sizes and opaque tokens (https://google.aip.dev/158).

A token holds the position after which the next page begins, bound to the query that it was given out for.
"""

import base64
import binascii
import hashlib
from collections.abc import Sequence

from openplaybook.resources.errors import InvalidPageSize, InvalidPageToken

DEFAULT_PAGE_SIZE = 100
LARGEST_PAGE_SIZE = 1000
_DIGEST_BYTES = 8
_POSITION_BYTES = 8


def page_size(requested: int) -> int:
    """Items on a page: 100 when 0 is asked for, at most 1000. Raises `InvalidPageSize` below 0."""
    if requested < 0:
        raise InvalidPageSize(requested)
    return min(requested or DEFAULT_PAGE_SIZE, LARGEST_PAGE_SIZE)


def issue_token(query: Sequence[str], position: int) -> str:
    """A token for the page behind `position` of a query, told apart by its words (method, parent, filters)."""
    position_bytes = position.to_bytes(_POSITION_BYTES, "big")
    return base64.urlsafe_b64encode(_digest(query, position_bytes) + position_bytes).decode("ascii").rstrip("=")


def read_token(query: Sequence[str], token: str) -> int:
    """The position a token stands for, 0 for an empty one. Raises `InvalidPageToken`."""
    if not token:
        return 0
    try:
        raw = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise InvalidPageToken from None
    digest, position = raw[:_DIGEST_BYTES], raw[_DIGEST_BYTES:]
    if len(position) != _POSITION_BYTES or digest != _digest(query, position):
        raise InvalidPageToken
    return int.from_bytes(position, "big")


def _digest(query: Sequence[str], position: bytes) -> bytes:
    """Detects mixed-up tokens; not a secret, since a token opens nothing that its query does not."""
    return hashlib.sha256("\0".join(query).encode() + b"\0" + position).digest()[:_DIGEST_BYTES]
