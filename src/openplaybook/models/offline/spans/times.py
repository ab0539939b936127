"""Times of day as `HH:MM`."""

import re
from collections.abc import Iterator

from openplaybook.models.offline.language.tokenizer import Reading
from openplaybook.models.offline.spans.typed_span import Span, SpanKind, plain_i

_CLOCK = re.compile(
    r"(?<![\w:.])(?P<hour>\d{1,2})(?::(?P<minute>\d{2}))?\s?(?P<half>[ap])\.?m\b\.?"
    r"|(?<![\w:.])(?P<hour24>\d{1,2}):(?P<minute24>\d{2})(?:\s?uhr)?(?![\w:])"
    r"|(?<![\w:.])(?P<full>\d{1,2})\s?(?:uhr|o'clock|h)(?!\w)"
    r"|\b(?P<word>noon|midday|midnight|mittags?|mitternacht)\b",
    re.IGNORECASE,
)
_WORDS = {"noon": "12:00", "midday": "12:00", "mittag": "12:00", "mittags": "12:00"}


def find_times(reading: Reading) -> Iterator[Span]:
    """Clock times; an hour without minutes, `pm` or the like is a number, not a time."""
    for match in _CLOCK.finditer(plain_i(reading.text)):
        value = _WORDS.get(match["word"].casefold(), "00:00") if match["word"] else _clock(match)
        if value:
            words = match.group().rstrip(".") if match.group().count(".") == 1 else match.group()
            start, end = match.start(), match.start() + len(words)
            yield Span(start, end, SpanKind.TIME, value, reading.text[start:end])


def _clock(match: re.Match[str]) -> str:
    hour = int(match["hour"] or match["hour24"] or match["full"])
    minute = int(match["minute"] or match["minute24"] or 0)
    if match["half"]:
        if not 1 <= hour <= 12:
            return ""
        hour = hour % 12 + (12 if match["half"].casefold() == "p" else 0)
    return f"{hour:02}:{minute:02}" if hour < 24 and minute < 60 else ""
