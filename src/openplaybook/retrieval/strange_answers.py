"""Answers of search engines elsewhere that have another shape than is promised: an error of the engine, and said so.

What such an engine sends is JSON of a stranger. Its members are read where they are needed, as if they were there; this
is the one place that says what happens where they are not.
"""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Final, TypeVar, cast

from openplaybook.retrieval.errors import EngineFault

Method = TypeVar("Method", bound=Callable[..., Awaitable[object]])

_OF_ANOTHER_SHAPE: Final = (KeyError, IndexError, TypeError, AttributeError, ValueError, OverflowError)
"""What reading raises: a member is missing, or is a text in place of an object, or a number without end."""


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
