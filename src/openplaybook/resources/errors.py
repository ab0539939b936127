"""What can be wrong with a request about resources. All of them are the caller's to mend.

ResourceError
├── InvalidName           not the name of the kind of resource asked for
├── InvalidMask           a field mask names a field that is not there
├── InvalidPageToken      not a token of ours, or of another query
├── InvalidPageSize       negative
├── InvalidFilter         not a list filter, or one that this list cannot be asked
├── InvalidOrder          not an order of a list, or one that this list cannot be had in
├── InvalidId             not what a new resource can be called
├── MissingFields         required fields are empty
├── EtagMismatch          the resource has changed since the caller read it
└── UnreadableResource    stored JSON that does not fit its message
"""

from collections.abc import Sequence
from typing import ClassVar


class ResourceError(Exception):
    """A request that names or describes a resource wrongly; the message says what is allowed."""

    code: ClassVar[str] = "RESOURCE_ERROR"


class InvalidName(ResourceError):
    """A text is not the resource name it should be."""

    code = "INVALID_NAME"

    def __init__(self, text: str, expected: str, field: str = "name") -> None:
        super().__init__(f"{text!r} is not a valid resource name here; expected {expected}")
        self.text = text
        self.field = field
        """Of the request: what holds the text."""
        self.expected = expected
        """The template, such as `projects/{project}/locations/{location}`."""


class InvalidMask(ResourceError):
    """A field mask path leads nowhere."""

    code = "INVALID_MASK"

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"Field mask path {path!r}: {reason}")
        self.path = path


class InvalidPageToken(ResourceError):
    """A page token that was not given out for this query."""

    code = "INVALID_PAGE_TOKEN"

    def __init__(self) -> None:
        super().__init__("page_token does not come from this list; repeat the request without it")


class InvalidPageSize(ResourceError):
    """A page size below zero."""

    code = "INVALID_PAGE_SIZE"

    def __init__(self, size: int) -> None:
        super().__init__(f"page_size is {size}; it must be 0 (the default) or more")


class InvalidFilter(ResourceError):
    """A list filter that cannot be read, or asks for what the list does not know."""

    code = "INVALID_FILTER"

    def __init__(self, reason: str) -> None:
        super().__init__(f"filter: {reason}")


class InvalidOrder(ResourceError):
    """An `order_by` that cannot be read, or names a field that lists are not ordered by."""

    code = "INVALID_ORDER"

    def __init__(self, text: str) -> None:
        super().__init__(f"order_by: {text!r} is not name or create_time, optionally followed by desc")


class InvalidId(ResourceError):
    """An id that a client chose for a new resource and that cannot be one."""

    code = "INVALID_ID"

    def __init__(self, field: str, id: str, allowed: str = "") -> None:
        """`allowed`: what an id of this kind consists of, where that is not what most do."""
        usual = "up to 128 letters, digits, '_', '-' and '.', the first a letter, a digit or '_'"
        super().__init__(f"{field}: {id!r:.200} cannot be an id; use {allowed or usual}")
        self.field = field


class MissingFields(ResourceError):
    """Fields that a request must fill are empty."""

    code = "MISSING_FIELDS"

    def __init__(self, paths: Sequence[str]) -> None:
        super().__init__(f"Required but not given: {', '.join(paths)}")
        self.paths = tuple(paths)
        """Where they belong, in snake_case from the resource, such as `tool.display_name`."""


class EtagMismatch(ResourceError):
    """The caller's etag is not the stored resource's."""

    code = "ETAG_MISMATCH"

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} has changed since it was read; read it again and repeat the change")
        self.name = name
