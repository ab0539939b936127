"""A data-analysis conversation as data: what the user says and sends, what the model writes, what has to come of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import dedent

Check = Callable[[bytes], None]
"""Asserts something of the bytes of an output file."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that the user sends."""

    name: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing the user says, and what comes of it."""

    words: str
    """Also the query that the playbook's model hands to the tool; unlike any other in all conversations."""
    code: Sequence[str]
    """What the model writes, attempt by attempt; the last of them is the one that counts."""
    result: str = ""
    """`execution_result`, exactly."""
    error: str = ""
    """How `execution_error` ends; there is none without."""
    attachments: Sequence[Attachment] = ()
    files: Mapping[str, Check] = field(default_factory=dict[str, Check])
    """The names of `output_files`, all of them, and what is asked of each."""
    in_a_fence: bool = False
    """Whether the model writes the program among words rather than calling the function for it; once only."""
    calls_first: str = ""
    """An action of another tool that the playbook calls before, such as `Reports.getReport`."""
    hands_on: str = ""
    """Where the file stands in the result of that call, which goes to the tool by its handle."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """Turns of one session."""

    about: str
    """A sentence: what holds when it goes as it should."""
    turns: Sequence[Turn]


def python(*attempts: str) -> Sequence[str]:
    """The attempts, without the margin that they have in the test's text."""
    return [dedent(attempt).strip() + "\n" for attempt in attempts]


def lines(*each: str) -> str:
    """Lines of text, joined."""
    return "\n".join(each)
