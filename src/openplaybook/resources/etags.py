"""Entity tags: whether a resource is still what the caller read (https://google.aip.dev/154).

Only messages with an `etag` field take part.
"""

import base64
import hashlib

from openplaybook.resources.errors import EtagMismatch


def etag_of(body: bytes) -> str:
    """The tag of a stored body: the same for the same content."""
    return base64.urlsafe_b64encode(hashlib.sha256(body).digest()[:12]).decode("ascii")


def check_etag(given: str, body: bytes, name: str) -> None:
    """Raise `EtagMismatch` unless the caller gave no tag or that of `body`."""
    if given and given != etag_of(body):
        raise EtagMismatch(name)
