"""Which operations of a description are offered."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from math import log

from openplaybook.jsonvalues import JsonValue, as_list
from openplaybook.tools.base import Problem
from openplaybook.tools.openapi.description.operation_index import OperationEntry
from openplaybook.tools.openapi.tool_settings import (
    EVERY_OPERATION,
    FIELDS_PATH,
    SELECTION_PATH,
    Selection,
    ToolSettings,
)

FOUND_BY_SEARCH = 50
"""Operations that a search finds at most, unless the selection says how many."""

_READ = 500
"""Characters of a description that a search reads."""

_MOST_TOLD = 5
"""Unknown names that are told one by one."""

_MOST_COMPARED = 20_000
"""Names that an unknown one is compared with."""

_LONGEST_SHOWN = 100
"""Characters of a name that a message shows."""

_SATURATION = 1.2
_LENGTH_SHARE = 0.75
"""k1 and b of BM25, at their usual values (Robertson and Zaragoza 2009, §3.3)."""

_WORD = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ENDINGS = ("ies", "es", "s", "y", "e")
_SHORTEST_STEM = 3

_SMALL_WORDS = frozenset({"a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"})
"""Words that say nothing of what is looked for; in short texts they would count as rare."""


def select(entries: Sequence[OperationEntry], selection: Selection) -> Sequence[OperationEntry]:
    """The operations that are offered, in document order.

    Those that any list names, and those that fit the search best. Where they are more than `max_operations`, those
    that are named go before those that were found, and earlier ones before later ones.
    """
    most = selection.max_operations
    names_any = selection.operation_ids or selection.tags or selection.path_prefixes
    if not names_any and not selection.search:
        return entries[:most] if most else entries
    chosen = [position for position, entry in enumerate(entries) if _is_named(entry, selection)]
    if selection.search:
        known = set(chosen)
        best = ranked(entries, selection.search)[: most or FOUND_BY_SEARCH]
        chosen += [position for position in best if position not in known]
    return [entries[position] for position in sorted(chosen[:most] if most else chosen)]


def ranked(entries: Sequence[OperationEntry], search: str) -> list[int]:
    """Positions of the operations that fit the words, best first (BM25 with names counted more than descriptions).

    Equally good ones stay in their order; one that has none of the words is left out.
    """
    wanted = dict.fromkeys(_stems(" ".join(word for word in search.split() if word.lower() not in _SMALL_WORDS)))
    # A stem begins the words it stands for: only what contains one is read word by word.
    texts = ((position, _text(entry)) for position, entry in enumerate(entries))
    readable = {position: text for position, text in texts if _has_any(text.lower(), wanted)}
    counts = {position: Counter(_stems(text)) for position, text in readable.items()}
    rarity = {stem: _rarity(len(entries), sum(stem in count for count in counts.values())) for stem in wanted}
    usual = sum(count.total() for count in counts.values()) / max(len(counts), 1)
    scores = {
        position: sum(rarity[stem] * _weight(count[stem], count.total() / usual) for stem in wanted if stem in count)
        for position, count in counts.items()
    }
    return sorted((position for position, score in scores.items() if score), key=lambda at: (-scores[at], at))


def unknown_names(entries: Sequence[OperationEntry], settings: ToolSettings) -> list[Problem]:
    """What the settings name that the description does not have, and a search that finds nothing to offer."""
    selection = settings.selection
    if selection == Selection() and not settings.response_fields:
        return []
    ids = {entry.operation_id for entry in entries}
    names = ids | {entry.name for entry in entries}
    tags = {tag for entry in entries for tag in _tags(entry)}
    problems = [
        *_unknown(selection.operation_ids, names, f"{SELECTION_PATH}.operationIds", "operation"),
        *_unknown(selection.tags, tags, f"{SELECTION_PATH}.tags", "tag"),
        *(
            Problem(
                f"{SELECTION_PATH}.pathPrefixes", f"no path of the description starts with {prefix[:_LONGEST_SHOWN]}"
            )
            for prefix in selection.path_prefixes
            if not any(_is_under(entry.path, prefix) for entry in entries)
        ),
        *_unknown(settings.response_fields.keys() - {EVERY_OPERATION}, ids, FIELDS_PATH, "operation"),
    ]
    if not problems and entries and not select(entries, selection):
        problems.append(Problem(f"{SELECTION_PATH}.search", f"no operation has any of the words {selection.search!r}"))
    return problems


def _unknown(names: Iterable[str], known: set[str], path: str, kind: str) -> list[Problem]:
    missing = sorted(set(names) - known)
    # Long names are no typing errors, and comparing them takes long.
    candidates = sorted(name for name in known if len(name) <= _LONGEST_SHOWN)[:_MOST_COMPARED]
    problems = [Problem(path, _no_such(name, candidates, kind)) for name in missing[:_MOST_TOLD]]
    more = len(missing) - len(problems)
    return [*problems, *([Problem(path, f"and {more:,} more that the description does not have")] if more else [])]


def _no_such(name: str, known: Sequence[str], kind: str) -> str:
    if len(name) > _LONGEST_SHOWN:
        return f"the description has no {kind} {name[:_LONGEST_SHOWN]!r}…"
    close = get_close_matches(name, known, n=3, cutoff=0.5)
    hint = f"; did you mean {' or '.join(close)}?" if close else ""
    return f"the description has no {kind} {name!r}{hint}"


def _is_named(entry: OperationEntry, selection: Selection) -> bool:
    if entry.operation_id in selection.operation_ids or entry.name in selection.operation_ids:
        return True
    if selection.tags and not selection.tags.isdisjoint(_tags(entry)):
        return True
    return any(_is_under(entry.path, prefix) for prefix in selection.path_prefixes)


def _is_under(path: str, prefix: str) -> bool:
    """Whether a path is `prefix` or lies below it: /pets has /pets/{petId} and not /petstore."""
    return path == prefix or path.startswith(prefix if prefix.endswith("/") else f"{prefix}/")


def _tags(entry: OperationEntry) -> list[str]:
    return [tag for tag in as_list(entry.operation.get("tags")) if isinstance(tag, str)]


def _text(entry: OperationEntry) -> str:
    """What a search reads, names as often as they count."""
    operation = entry.operation
    names = f"{entry.operation_id} {entry.path}"
    title = f"{_text_or_empty(operation.get('summary'))} {' '.join(_tags(entry))}"
    return f"{names} {names} {names} {title} {title} {_text_or_empty(operation.get('description'))[:_READ]}"


def _text_or_empty(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""


def _stems(text: str) -> list[str]:
    """The words of a text and of its names (`listPets` has two), without what number and the like add to them."""
    return [_stem(word) for word in _WORD.findall(_HUMP.sub(" ", text).lower())]


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return word.removesuffix(ending)
    return word


def _has_any(text: str, parts: Iterable[str]) -> bool:
    return any(part in text for part in parts)


def _rarity(all_of_them: int, having: int) -> float:
    return log(1 + (all_of_them - having + 0.5) / (having + 0.5))


def _weight(count: int, length: float) -> float:
    return count * (_SATURATION + 1) / (count + _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * length))
