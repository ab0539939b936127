"""URLs → servers and path templates, as far as samples show them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from openplaybook.drafting.api_words import is_plural
from openplaybook.drafting.operation_names import ACTIONS
from openplaybook.drafting.path_segments import Row, ValueSegment, may_precede_value, parts_of, variable_name
from openplaybook.drafting.samples import ApiExchange
from openplaybook.drafting.text_formats import is_version
from openplaybook.jsonvalues import as_list, as_object

_BASE = re.compile(r"api|rest|services?|public|latest|[a-z]{1,12}-?api|\d{4}-\d\d-\d\d", re.ASCII | re.IGNORECASE)
_LIKE = 0.5
"""Share of the keys of two answers that are the same, from which on they are taken for answers of one operation."""

_NO_VALUES = frozenset(
    {"search", "me", "self", "current", "count", "stats", "summary", "latest", "list", "all", "new", "bulk", "batch"}
    | {"export", "import", "login", "logout", "status", "health", "info", "query", "random", "recent", "popular"}
    | {"trending", "featured", "random", "schema", "metadata", "config", "default", "mine", "autocomplete", "suggest"}
)


@dataclass(frozen=True, slots=True)
class LocatedExchange:
    """An exchange and the place in the document where it belongs."""

    exchange: ApiExchange
    server: str
    """Base URL without a slash at its end."""
    path: str
    """Template."""
    values: Mapping[str, str] = field(default_factory=dict[str, str])
    """Values of the path's variables, decoded, as far as the sample gives them."""


def base_of(exchanges: Sequence[ApiExchange]) -> tuple[str, ...]:
    """The segments that the paths of one origin have in common and that name no resource: `api`, `v1`."""
    first = exchanges[0].segments
    length = 0
    for position, segment in enumerate(first[:-1]):
        is_base = is_version(segment) or _BASE.fullmatch(segment)
        if not is_base or any(each.segments[: position + 1] != first[: position + 1] for each in exchanges):
            break
        if any(len(each.segments) == position + 1 for each in exchanges):
            break
        length = position + 1
    return first[:length]


def routed(server: str, relative: Sequence[tuple[ApiExchange, Sequence[str]]]) -> list[LocatedExchange]:
    """The exchanges of one server with their templates; each comes with the segments behind the server's base."""
    rows = [Row(exchange, parts_of(segments)) for exchange, segments in relative]
    return [_located(server, row) for row in _named(_with_values(rows, 0), 0)]


def _with_values(rows: list[Row], position: int) -> list[Row]:
    """The rows with words made variables where they vary as values do."""
    if not any(position < len(row.parts) for row in rows):
        return rows
    groups = _grouped(rows, position)
    words = {key[0]: group for key, group in groups.items() if key is not None and not key[1]}
    if position and len(words) > 1 and may_precede_value(rows[0].parts[position - 1]):
        values = _values(words, position)
        rows = [_as_value(row, position) if row.key(position) in values else row for row in rows]
    return [done for group in _grouped(rows, position).values() for done in _with_values(group, position + 1)]


def _grouped(rows: Sequence[Row], position: int) -> dict[tuple[str, bool] | None, list[Row]]:
    groups: dict[tuple[str, bool] | None, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.key(position), []).append(row)
    return groups


def _as_value(row: Row, position: int) -> Row:
    from_text = row.parts[position]
    return row.with_part(position, ValueSegment(from_text)) if isinstance(from_text, str) else row


def _values(words: Mapping[str, Sequence[Row]], position: int) -> set[tuple[str, bool]]:
    """The keys of those words that are values: they lead on alike, and the answers behind them are alike.

    A word that is posted to says what is to be done, unless something follows it.
    """
    able = {word: rows for word, rows in words.items() if not _is_name(word)}
    if len(able) < 2:
        return set()
    ways = [{_way(row, position): row for row in rows} for rows in able.values()]
    shared = {way for way in set(ways[0]).intersection(*ways[1:]) if way != ("post",)}
    alike = any(_answers_alike([way[each] for way in ways]) for each in shared)
    return {(word, False) for word in able} if alike else set()


def _is_name(word: str) -> bool:
    lowered = word.lower()
    return lowered in _NO_VALUES or lowered in ACTIONS or is_plural(word)


def _way(row: Row, position: int) -> tuple[object, ...]:
    """Method and what follows the position."""
    return (row.exchange.method, *(row.key(at) for at in range(position + 1, len(row.parts))))


def _answers_alike(rows: Sequence[Row]) -> bool:
    keys = [_keys(row.exchange) for row in rows]
    first = keys[0]
    return bool(first) and all(len(first & each) >= _LIKE * len(first | each) for each in keys[1:])


def _keys(exchange: ApiExchange) -> set[str]:
    """The keys of an answer, or of its items; errors are alike everywhere, so they do not count."""
    if exchange.response is None or not exchange.response.is_json or not exchange.status.startswith("2"):
        return set()
    value = exchange.response.value
    return {key for each in (as_list(value) or [value]) for key in as_object(each)}


def _named(rows: Sequence[Row], position: int) -> list[Row]:
    """The rows with every variable named, alike behind alike beginnings."""
    if not any(position < len(row.parts) for row in rows):
        return list(rows)
    done: list[Row] = []
    for group in _grouped(rows, position).values():
        done.extend(_named(_name_group(group, position), position + 1))
    return done


def _name_group(group: list[Row], position: int) -> list[Row]:
    variables = [part for row in group for part in row.parts[position : position + 1] if isinstance(part, ValueSegment)]
    if not variables:
        return group
    before = group[0].parts[:position]
    taken = {part.name for part in before if isinstance(part, ValueSegment)}
    template_name = next((each.name for each in variables if each.name and each.name not in taken), "")
    name = template_name or variable_name(before, taken)
    return [row.with_part(position, replace(part, name=name)) for row, part in zip(group, variables, strict=True)]


def _located(server: str, row: Row) -> LocatedExchange:
    texts = [f"{{{part.name}}}{part.ending}" if isinstance(part, ValueSegment) else part for part in row.parts]
    variables = [part for part in row.parts if isinstance(part, ValueSegment)]
    values = {part.name: part.value for part in variables if part.value is not None}
    return LocatedExchange(row.exchange, server, "/" + "/".join(texts), values)
