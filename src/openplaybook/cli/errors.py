"""What ends a command.

CommandError          said on standard error; the command ends with its exit code
└── ApiError          the server refused a request
"""

from typing import ClassVar

_CODES = (
    "OK",
    "CANCELLED",
    "UNKNOWN",
    "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION",
    "ABORTED",
    "OUT_OF_RANGE",
    "UNIMPLEMENTED",
    "INTERNAL",
    "UNAVAILABLE",
    "DATA_LOSS",
    "UNAUTHENTICATED",
)
"""Names of google.rpc codes by their numbers: operations have the number alone."""


def code_name(code: int) -> str:
    """The google.rpc code of a number, such as INVALID_ARGUMENT for 3; of another number the number."""
    return _CODES[code] if 0 <= code < len(_CODES) else str(code)


class CommandError(Exception):
    """A command that cannot do what it was asked to; the message is for the user."""

    code: ClassVar[str] = "COMMAND_ERROR"

    def __init__(self, message: str, *, exit_code: int = 1) -> None:
        super().__init__(message)
        self.exit_code = exit_code


class ApiError(CommandError):
    """An error answer of the server."""

    code = "API_ERROR"

    def __init__(self, status: str, message: str) -> None:
        super().__init__(f"{status}: {message}")
        self.status = status
        """google.rpc code name, such as NOT_FOUND."""
        self.message = message
