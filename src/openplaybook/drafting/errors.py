"""What makes a schema impossible.

GenerationError
├── UnusableSample     a sample cannot be read; `place` says which part of it
├── UnusableSchema     the schema to merge into cannot be read, or is none of OpenAPI 3
├── NothingToGoOn      neither samples nor a model with words
└── UnusableAnswers    a model with words alone wrote no usable schema
"""

from typing import ClassVar


class GenerationError(Exception):
    """No schema can be written from what was given; the message says what is allowed."""

    code: ClassVar[str] = "GENERATION_ERROR"


class UnusableSample(GenerationError):
    """A sample cannot be read."""

    code = "UNUSABLE_SAMPLE"

    def __init__(self, number: int, field: str, reason: str) -> None:
        self.number = number
        """Position in the list, counted from 0."""
        self.place = f"samples[{number}].{field}" if field else f"samples[{number}]"
        """`field` is `url`, `method`, `request_body`, `response_body` or `status`; empty for the sample as a whole."""
        self.reason = reason
        super().__init__(f"{self.place}: {reason}")


class UnusableSchema(GenerationError):
    """The schema to merge into cannot be used."""

    code = "UNUSABLE_SCHEMA"


class NothingToGoOn(GenerationError):
    """There are no samples, and no model that could work from words alone."""

    code = "NOTHING_TO_GO_ON"


class UnusableAnswers(GenerationError):
    """A model that had words alone to go on wrote no usable schema."""

    code = "UNUSABLE_ANSWERS"
