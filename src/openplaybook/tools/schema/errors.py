"""What the room raises, each with a code.

InvalidSchema   a schema cannot be used
Unjudged        judging a value would take more than there is for it
"""

from typing import ClassVar


class InvalidSchema(Exception):
    """A schema is not valid JSON Schema (2020-12); the message says where."""

    code: ClassVar[str] = "INVALID_SCHEMA"


class Unjudged(Exception):
    """A value is not judged, since that would take too long; the message says why, without a subject."""

    code: ClassVar[str] = "NOT_JUDGED"
