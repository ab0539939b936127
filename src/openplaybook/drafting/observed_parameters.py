"""Parameters in samples: which there are, where, and the texts they have."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from openplaybook.drafting.credentials import is_credential_header, is_credential_query
from openplaybook.drafting.path_templates import LocatedExchange
from openplaybook.drafting.samples import ApiExchange

_MEMBER = re.compile(r"([^\[\]]+)\[([A-Za-z0-9_.-]+)\]")
_ORDINARY = frozenset(
    {"host", "connection", "content-length", "content-type", "content-encoding", "transfer-encoding", "upgrade", "te"}
    | {"trailer", "expect", "keep-alive", "user-agent", "accept", "accept-encoding", "accept-language", "origin"}
    | {"accept-charset", "referer", "cache-control", "pragma", "dnt", "via", "forwarded", "from", "date", "priority"}
    | {"if-none-match", "if-modified-since", "traceparent", "tracestate", "baggage", "x-request-id", "range"}
    | {"x-correlation-id", "x-requested-with", "x-real-ip", "x-amzn-trace-id", "x-cloud-trace-context", "save-data"}
)
_ORDINARY_BEGINNINGS = (":", "sec-", "x-forwarded-", "x-b3-", "proxy-", "access-control-", "cf-")
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A parameter in one exchange."""

    sample: int
    texts: tuple[str, ...]
    """As written, once for each time it is named; decoded in paths and headers."""


@dataclass(frozen=True, slots=True)
class ObservedParameter:
    """A parameter and where it occurs."""

    name: str
    place: str
    """`path`, `query` or `header`."""
    occurrences: tuple[Occurrence, ...]
    members: tuple["ObservedParameter", ...] = ()
    """Of an object written `name[member]=value`."""


def in_paths(located: Iterable[LocatedExchange]) -> list[ObservedParameter]:
    """The variables of a path with their values."""
    return _observed(
        "path", ((each.exchange.number, name, text) for each in located for name, text in each.values.items())
    )


def in_headers(exchanges: Iterable[ApiExchange]) -> list[ObservedParameter]:
    """The headers that callers set on purpose, credentials left out."""
    headers = (
        (each.number, name, value.strip())
        for each in exchanges
        for name, value in each.headers.items()
        if _HEADER_NAME.fullmatch(name) and not _is_ordinary(name) and not is_credential_header(name)
    )
    return _observed("header", headers)


def in_queries(exchanges: Sequence[ApiExchange]) -> list[ObservedParameter]:
    """The query parameters, credentials left out; `filter[a]` and `filter[b]` become one object."""
    parameters = _observed(
        "query",
        (
            (each.number, name, value)
            for each in exchanges
            for name, value in each.query
            if not is_credential_query(name, value)
        ),
    )
    return _objects_joined(parameters)


def _observed(place: str, occurrences: Iterable[tuple[int, str, str]]) -> list[ObservedParameter]:
    by_name: dict[str, dict[int, list[str]]] = {}
    for sample, name, text in occurrences:
        by_name.setdefault(name, {}).setdefault(sample, []).append(text)
    return [
        ObservedParameter(name, place, tuple(Occurrence(sample, tuple(texts)) for sample, texts in by_sample.items()))
        for name, by_sample in by_name.items()
    ]


def _objects_joined(parameters: Sequence[ObservedParameter]) -> list[ObservedParameter]:
    plain = {each.name for each in parameters}
    groups: dict[str, list[tuple[str, ObservedParameter]]] = {}
    for each in parameters:
        match = _MEMBER.fullmatch(each.name)
        if match and match[1] not in plain:
            groups.setdefault(match[1], []).append((match[2], each))
    objects = {base: members for base, members in groups.items() if all(_is_single(each) for _, each in members)}
    joined: dict[str, ObservedParameter] = {}
    for each in parameters:
        match = _MEMBER.fullmatch(each.name)
        if match and match[1] in objects:
            if match[1] not in joined:
                joined[match[1]] = _object(match[1], objects[match[1]])
        else:
            joined[each.name] = each
    return list(joined.values())


def _object(name: str, members: Sequence[tuple[str, ObservedParameter]]) -> ObservedParameter:
    samples = dict.fromkeys(each.sample for _, member in members for each in member.occurrences)
    inner = tuple(ObservedParameter(key, "query", member.occurrences) for key, member in members)
    return ObservedParameter(name, "query", tuple(Occurrence(sample, ()) for sample in samples), inner)


def _is_single(each: ObservedParameter) -> bool:
    return all(len(occurrence.texts) == 1 for occurrence in each.occurrences)


def _is_ordinary(name: str) -> bool:
    lowered = name.lower()
    return lowered in _ORDINARY or lowered.startswith(_ORDINARY_BEGINNINGS)
