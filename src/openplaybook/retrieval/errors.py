"""What goes wrong in stores and searches.

RetrievalError
├── InvalidSearchFilter a filter that cannot be read, with the place
├── InvalidSearchConfig a search's boosts and filters that cannot be read, with the place
├── InvalidSource       a document, record or file that cannot be taken, with the place
├── ChangesForgotten    a follower of a store's changes has to begin anew
├── QuotaExceeded       more bytes or documents than the project may have
├── EngineUnavailable   the engine does not answer; may be tried again
└── EngineFault         the engine says that it cannot do this
"""


class RetrievalError(Exception):
    """Anything that goes wrong here; the message is a sentence for whoever asked."""

    code = "INTERNAL"
    """Name of the google.rpc code that says it to clients."""


class InvalidSearchFilter(RetrievalError):
    """A filter cannot be read, or asks for what cannot be done."""

    code = "INVALID_ARGUMENT"

    def __init__(self, message: str, position: int) -> None:
        """`position` is the character of the filter, from 0, at which it ceases to make sense."""
        super().__init__(f"{message} (at character {position + 1} of the filter)")
        self.position = position


class InvalidSearchConfig(RetrievalError):
    """The boosts or filters that a request gives for a search cannot be read."""

    code = "INVALID_ARGUMENT"

    def __init__(self, message: str, path: str) -> None:
        """`path` is the member, from the search configuration on, that cannot be taken."""
        super().__init__(f"{path}: {message}")
        self.path = path


class InvalidSource(RetrievalError):
    """A document, record or file cannot be taken."""

    code = "INVALID_ARGUMENT"


class ChangesForgotten(RetrievalError):
    """What has changed in a store since then is not known any more; an index of it is to be made anew."""

    code = "ABORTED"

    def __init__(self, store: str, after: int, floor: int) -> None:
        super().__init__(f"the changes of {store} after {after} are not known; they are from {floor} on")
        self.floor = floor


class QuotaExceeded(RetrievalError):
    """A project may not have so many bytes or documents."""

    code = "RESOURCE_EXHAUSTED"


class EngineUnavailable(RetrievalError):
    """The engine does not answer now; the same request may succeed later."""

    code = "UNAVAILABLE"


class EngineFault(RetrievalError):
    """The engine answered that it cannot do what was asked."""

    code = "INTERNAL"
