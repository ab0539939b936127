"""All recognisers on one utterance."""

from datetime import date

from openplaybook.models.offline.language.tokenizer import Reading
from openplaybook.models.offline.spans.date_time_spans import find_dates, find_times
from openplaybook.models.offline.spans.marked_spans import find_marked, find_names
from openplaybook.models.offline.spans.number_spans import find_numbers
from openplaybook.models.offline.spans.typed_span import Span, SpanKind


def recognise(reading: Reading, today: date) -> tuple[Span, ...]:
    """Every typed span, by position. What lies inside a longer span of another kind is part of that."""
    spans = [
        *find_dates(reading, today),
        *find_times(reading),
        *find_marked(reading),
        *find_numbers(reading),
        *find_names(reading),
    ]
    spans.sort(key=lambda span: (span.start, -span.end))
    return tuple(span for span in spans if not any(_hides(other, span) for other in spans))


def cuts(place: tuple[int, int], span: Span) -> bool:
    """Whether words at `place` would take a piece out of something that belongs together."""
    start, end = place
    is_whole = start <= span.start and span.end <= end
    return span.overlaps(start, end) and not is_whole and not span.is_weak


def _hides(outer: Span, inner: Span) -> bool:
    if outer is inner or not (outer.start <= inner.start and inner.end <= outer.end):
        return False
    if outer.end - outer.start > inner.end - inner.start:
        return outer.kind is not SpanKind.NAME
    # Of two readings of the same characters the more definite one stays.
    return _DEFINITE.index(outer.kind) < _DEFINITE.index(inner.kind)


_DEFINITE = (
    SpanKind.QUOTED,
    SpanKind.ADDRESS,
    SpanKind.EMAIL,
    SpanKind.URL,
    SpanKind.DATE,
    SpanKind.TIME,
    SpanKind.PHONE,
    SpanKind.CODE,
    SpanKind.NUMBER,
    SpanKind.NAME,
)
