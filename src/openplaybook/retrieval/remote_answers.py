"""Answers of search engines elsewhere: their JSON, what failures mean, and answers of another shape than promised.

What such an engine sends is JSON of a stranger. Its members are read where they are needed, as if they were there; this
is the one place that says what happens where they are not.
"""

from collections.abc import Awaitable, Callable
from functools import wraps
from http import HTTPStatus
from typing import Final, TypeVar, cast

from openplaybook.egress.base import HttpResponse
from openplaybook.egress.errors import AddressRefused, EgressError
from openplaybook.jsonvalues import PIECE, JsonObject, as_object, loads
from openplaybook.retrieval.catalog.document_rows import convert
from openplaybook.retrieval.errors import EngineFault, EngineUnavailable

Method = TypeVar("Method", bound=Callable[..., Awaitable[object]])

MOST_TOLD: Final = 300
"""Characters of an engine's words that an error repeats."""

_LATER: Final = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS)
_OF_ANOTHER_SHAPE: Final = (KeyError, IndexError, TypeError, AttributeError, ValueError, OverflowError)
"""What reading raises: a member is missing, or is a text in place of an object, or a number without end."""


async def members_in(answer: HttpResponse) -> JsonObject:
    """The members of the JSON object that came; none where something else came. Large ones are read in a thread."""
    return await convert(lambda: _members(answer)) if len(answer.body) > PIECE else _members(answer)


def is_passing(status: int) -> bool:
    """Whether a request that came to this status may succeed later."""
    return status >= HTTPStatus.INTERNAL_SERVER_ERROR or status in _LATER


def without_answer(engine: str, error: EgressError) -> EngineFault | EngineUnavailable:
    """The error for a request that came to no answer; trying again helps but where the address is refused."""
    kind = EngineFault if isinstance(error, AddressRefused) else EngineUnavailable
    return kind(f"{engine} does not respond: {error}")


def answered_by(engine: str) -> Callable[[Method], Method]:
    """Makes of a method that reads answers of `engine` one that raises `EngineFault` where they cannot be read."""

    def decorated(method: Method) -> Method:
        @wraps(method)
        async def read(*arguments: object, **named: object) -> object:
            try:
                return await method(*arguments, **named)
            except _OF_ANOTHER_SHAPE as error:
                message = f"{engine} responded with something that is no answer to what it was asked"
                raise EngineFault(f"{message} ({type(error).__name__})") from error

        return cast(Method, read)

    return decorated


def _members(answer: HttpResponse) -> JsonObject:
    try:
        return as_object(loads(answer.body))
    except ValueError:
        return {}
