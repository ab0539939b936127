"""What is wrong with an expression.

ExpressionError
├── CannotParse       it does not follow the language
└── CannotEvaluate    it does, yet has no value: a function was given what it cannot work on
"""


class ExpressionError(Exception):
    """An expression without a value; the message is for whoever wrote it."""

    def __init__(self, message: str, start: int) -> None:
        super().__init__(message)
        self.message = message
        self.start = start
        """Offset in characters of what is wrong, in the text that holds the expression."""


class CannotParse(ExpressionError):
    """The text does not follow the language."""


class CannotEvaluate(ExpressionError):
    """A part of the expression has no value."""
