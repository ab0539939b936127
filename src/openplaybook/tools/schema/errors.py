"""What the room raises when a value is not judged.

Unjudged    judging a value would take more than there is for it
"""

from typing import ClassVar


class Unjudged(Exception):
    """A value is not judged, since that would take too long; the message says so without a subject."""

    code: ClassVar[str] = "NOT_JUDGED"
