"""Lists of what a system has by name: entity types, actions, tools."""

from collections.abc import Sequence
from typing import TypeVar

from openplaybook.connectors.base import DEFAULT_PAGE_SIZE, LARGEST_PAGE_SIZE
from openplaybook.resources.errors import InvalidPageSize
from openplaybook.resources.page_tokens import issue_token, read_token
from openplaybook.wire.messages import ApiMessage

T = TypeVar("T")


def asked_page_size(requested: int) -> int:
    """Entities or names on a page: 25 where 0 is asked for, 200 at most. Raises `InvalidPageSize` below 0."""
    if requested < 0:
        raise InvalidPageSize(requested)
    return min(requested or DEFAULT_PAGE_SIZE, LARGEST_PAGE_SIZE)


def page_of(items: Sequence[T], query: Sequence[str], requested: int, token: str) -> tuple[Sequence[T], str]:
    """One page and the token of the next, empty on the last. Tokens are bound to `query`.

    What a system lists may have changed in between: then the next page goes on at the same place of another list.
    Raises `InvalidPageSize`, `InvalidPageToken`.
    """
    size, first = asked_page_size(requested), read_token(query, token)
    ahead = issue_token(query, first + size) if len(items) > first + size else ""
    return items[first : first + size], ahead


def view_of(request: ApiMessage) -> str:
    """The word for how much a list is to tell of each; empty for a number that has none, which clients of gRPC can
    send."""
    words = request.DESCRIPTOR.fields_by_name["view"].enum_type.values_by_number
    return words[request.view].name if request.view in words else ""
