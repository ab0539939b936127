"""Evaluates the query language on an entry: its score, and passages that are to come back with it."""

import re
import struct
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.retrieval.filters.field_values import Place
from openplaybook.retrieval.language.analysis import AskedTerm, analysis_of

_LANGUAGES = {"arabic": "ar", "english": "en", "french": "fr", "german": "de", "hindi": "hi", "spanish": "es"}
_SATURATION = 1.2
_DEGREE = 1e-7
"""What coordinates are rounded to, as the engine packs them."""


@dataclass(frozen=True)
class View:
    """An entry, or one of the objects nested in it, by the names of fields."""

    members: JsonObject
    mapping: Mapping[str, JsonObject]
    """By field, what the index says of it."""
    path: str = ""
    """Of the nested object."""
    at: int = 0
    """Its place."""

    def values(self, name: str) -> list[JsonValue]:
        """What a field holds."""
        assert name in self.mapping, f"no mapping for {name}: the engine would find nothing"
        if self.path:
            assert name.startswith(f"{self.path}."), f"{name} is not in {self.path}"
            return _values(self.members, name.removeprefix(f"{self.path}.").split("."))
        return _values(self.members, name.split("."))


@dataclass
class Evaluation:
    """One search; `frequencies` gives in how many views of how many a field has a term."""

    frequencies: Callable[[str, str], float]
    explained: list[tuple[str, str, float]] = field(default_factory=list[tuple[str, str, float]])
    """Field, term and weight of what was found since this was emptied."""
    inner: dict[str, list[tuple[View, float, list[tuple[str, str, float]]]]] = field(default_factory=dict)
    """By name, nested objects of the last entry that come back, best first."""

    def score(self, query: JsonObject, view: View) -> float | None:
        """What an entry gets; None where it does not match."""
        ((kind, body),) = query.items()
        score = _KINDS[kind](self, body, view)
        return None if score is None else score * float(body.get("boost", 1.0))


def terms_of(text: str, analyzer: str) -> Sequence[AskedTerm]:
    """Terms of a text, with the words that they were."""
    return analysis_of(_LANGUAGES.get(analyzer, "")).asked(text)


def _values(members: JsonValue, path: Sequence[str]) -> list[JsonValue]:
    if isinstance(members, list):
        return [value for item in members for value in _values(item, path)]
    if not path:
        return [members]
    if isinstance(members, dict) and path[0] in members:
        return _values(members[path[0]], path[1:])
    return []


def _bool(self: Evaluation, body: JsonObject, view: View) -> float | None:
    assert body.keys() <= {"must", "should", "filter", "must_not", "minimum_should_match"}, body
    total = 0.0
    for clause in body.get("must", []):
        score = self.score(clause, view)
        if score is None:
            return None
        total += score
    if any(self.score(clause, view) is None for clause in body.get("filter", [])):
        return None
    if any(self.score(clause, view) is not None for clause in body.get("must_not", [])):
        return None
    scores = [score for clause in body.get("should", []) if (score := self.score(clause, view)) is not None]
    least = body.get("minimum_should_match", int("must" not in body and "filter" not in body and "should" in body))
    return total + sum(scores) if len(scores) >= least else None


def _nested(self: Evaluation, body: JsonObject, view: View) -> float | None:
    assert body.keys() <= {"path", "query", "score_mode", "inner_hits", "boost"}, body
    path = body["path"]
    assert view.mapping[path] == {"type": "nested"}, path
    outer, found = self.explained, []
    for at, members in enumerate(view.members.get(path, [])):
        self.explained = []
        inner = View(members, view.mapping, path, at)
        score = self.score(body["query"], inner)
        if score is not None:
            found.append((inner, score, self.explained))
    found.sort(key=lambda each: (-each[1], each[0].at))
    self.explained = outer
    if not found:
        return None
    outer += found[0][2]
    if "inner_hits" in body:
        assert body["inner_hits"]["size"] <= 100, "more than index.max_inner_result_window"
        self.inner[body["inner_hits"]["name"]] = found[: body["inner_hits"]["size"]]
    return found[0][1] if body.get("score_mode") == "max" else 0.0


def _multi_match(self: Evaluation, body: JsonObject, view: View) -> float | None:
    assert body["type"] == "most_fields", body
    total = 0.0
    for each in body["fields"]:
        name, _, boost = each.partition("^")
        analyzer = view.mapping[name]["analyzer"]
        has = Counter(term.term for text in view.values(name) for term in terms_of(str(text), analyzer))
        for term in terms_of(body["query"], analyzer):
            if count := has[term.term]:
                weight = float(boost or 1) * count / (count + _SATURATION) * self.frequencies(name, term.term)
                self.explained.append((name, term.term, weight))
                total += weight
    return total or None


def _term(self: Evaluation, body: JsonObject, view: View) -> float | None:
    ((name, wanted),) = body.items()
    return 1.0 if wanted["value"] in view.values(name) else None


def _terms(self: Evaluation, body: JsonObject, view: View) -> float | None:
    ((name, wanted),) = body.items()
    return 1.0 if any(value in wanted for value in view.values(name)) else None


def _prefix(self: Evaluation, body: JsonObject, view: View) -> float | None:
    ((name, wanted),) = body.items()
    return 1.0 if any(str(value).startswith(wanted["value"]) for value in view.values(name)) else None


def _wildcard(self: Evaluation, body: JsonObject, view: View) -> float | None:
    ((name, wanted),) = body.items()
    pattern = re.compile("".join(_pieces(wanted["value"])), re.DOTALL)
    return 1.0 if any(pattern.fullmatch(str(value)) for value in view.values(name)) else None


def _pieces(pattern: str) -> Iterator[str]:
    for piece in re.findall(r"\\.|.", pattern, re.DOTALL):
        yield ".*" if piece == "*" else "." if piece == "?" else re.escape(piece[-1])


def _range(self: Evaluation, body: JsonObject, view: View) -> float | None:
    ((name, bounds),) = body.items()
    assert bounds.keys() <= {"gt", "gte", "lt", "lte"}, bounds
    tests: Mapping[str, Callable[[int, int], bool]] = {
        "gt": lambda one, other: one > other,
        "gte": lambda one, other: one >= other,
        "lt": lambda one, other: one < other,
        "lte": lambda one, other: one <= other,
    }
    codes = [_sortable(value) for value in view.values(name)]
    return 1.0 if any(all(tests[key](code, _sortable(bounds[key])) for key in bounds) for code in codes) else None


def _sortable(number: float) -> int:
    """The order of doubles in the engine, to which zero with a sign is less than zero without."""
    (bits,) = struct.unpack("<q", struct.pack("<d", number))
    return bits if bits >= 0 else bits ^ 0x7FFF_FFFF_FFFF_FFFF


def _geo_distance(self: Evaluation, body: JsonObject, view: View) -> float | None:
    metres = float(body["distance"].removesuffix("m"))
    ((name, centre),) = ((key, value) for key, value in body.items() if key != "distance")
    here = Place(centre["lat"], centre["lon"])
    for point in view.values(name):
        place = Place(round(point["lat"] / _DEGREE) * _DEGREE, round(point["lon"] / _DEGREE) * _DEGREE)
        if here.metres_to(place) <= metres:
            return 1.0
    return None


_KINDS: Mapping[str, Callable[[Evaluation, JsonObject, View], float | None]] = {
    "bool": _bool,
    "nested": _nested,
    "multi_match": _multi_match,
    "term": _term,
    "terms": _terms,
    "prefix": _prefix,
    "wildcard": _wildcard,
    "range": _range,
    "geo_distance": _geo_distance,
    "match_all": lambda self, body, view: 1.0,
    "match_none": lambda self, body, view: None,
}
