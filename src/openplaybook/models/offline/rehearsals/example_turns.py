"""An example cut at its user's words, and the day on which it was written, as far as its dates tell."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import pairwise

from openplaybook.models.base import AgentText, Entry, ExampleDialogue, FunctionCall, FunctionResult, UserText
from openplaybook.models.offline.language.tokenizer import read
from openplaybook.models.offline.slots.slot_values import leaves
from openplaybook.models.offline.spans.recognition import recognise
from openplaybook.models.offline.spans.typed_span import SpanKind

_MOST_CHARACTERS = 1000
_LATEST = 31
"""Days that words like "in two weeks" are looked for before the date that they came to."""
_MOST_DATES = 5
_FAR = timedelta(days=3)


@dataclass(frozen=True, slots=True)
class ExampleTurn:
    """What a user says in an example, and what it shows that comes of it."""

    user: UserText
    before: tuple[Entry, ...]
    """The example up to these words."""
    calls: tuple[tuple[FunctionCall, FunctionResult | None], ...]
    """In order, each with its result where the example shows one."""
    words: str
    """What the agent says last; empty where the example shows none."""
    following: tuple[FunctionCall, ...] = field(default=())
    """The calls of later turns."""
    is_last: bool = False


def turns_of(example: ExampleDialogue) -> Iterator[ExampleTurn]:
    """The turns of an example in order; what stands before the first words of the user belongs to none."""
    entries = example.entries
    starts = [number for number, entry in enumerate(entries) if isinstance(entry, UserText)]
    for start, end in pairwise([*starts, len(entries)]):
        user = entries[start]
        assert isinstance(user, UserText), "they were looked for just now"
        shown = entries[start + 1 : end]
        called = [number for number, entry in enumerate(shown) if isinstance(entry, FunctionCall | FunctionResult)]
        behind = shown[called[-1] + 1 :] if called else shown
        yield ExampleTurn(
            user=user,
            before=entries[:start],
            calls=tuple(_with_results(shown)),
            words="\n".join(entry.text for entry in behind if isinstance(entry, AgentText)),
            following=tuple(entry for entry in entries[end:] if isinstance(entry, FunctionCall)),
            is_last=end == len(entries),
        )


def _with_results(shown: Sequence[Entry]) -> Iterator[tuple[FunctionCall, FunctionResult | None]]:
    results = {entry.id: entry for entry in shown if isinstance(entry, FunctionResult)}
    for entry in shown:
        if isinstance(entry, FunctionCall):
            yield entry, results.get(entry.id)


def day_of(example: ExampleDialogue, today: date) -> date:
    """The day from which the example's words, such as "tomorrow", come to the dates of its calls; else `today`."""
    for turn in turns_of(example):
        text = turn.user.text[:_MOST_CHARACTERS]
        for wanted in _dates_in(turn.calls)[:_MOST_DATES]:
            for days in range(_LATEST + 1):
                day = wanted - timedelta(days=days)
                # Words that name the date itself tell nothing of the day on which they are said.
                if _says(text, wanted, day) and not _says(text, wanted, day - _FAR):
                    return day
    return today


def _says(text: str, wanted: date, today: date) -> bool:
    spans = recognise(read(text), today)
    return any(span.kind is SpanKind.DATE and span.value == wanted.isoformat() for span in spans)


def _dates_in(calls: Sequence[tuple[FunctionCall, FunctionResult | None]]) -> list[date]:
    dates: list[date] = []
    for call, _ in calls:
        for _, value in leaves(call.arguments):
            try:
                dates.append(date.fromisoformat(str(value)[:10]))
            except ValueError:
                continue
    return dates
