"""One index of the cluster: its mapping, which is strict, and its entries."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from openplaybook.jsonvalues import JsonObject, JsonValue
from tests.kit.search_cluster.clauses import Evaluation, View, terms_of

_MOST_TERM = 32_766
"""Bytes (Lucene)."""
_WINDOW = 10_000
"""`index.max_result_window`."""


@dataclass
class HeldIndex:
    """Entries by id."""

    made: JsonObject
    """The body that made it."""
    entries: dict[str, JsonObject] = field(default_factory=dict[str, JsonObject])

    @cached_property
    def mapping(self) -> Mapping[str, JsonObject]:
        """By the whole name of a field, what is said of it."""
        return dict(_fields(self.made["mappings"]["properties"], ""))

    def fault(self, entry: JsonObject) -> str:
        """Why an entry cannot be taken; empty where it can."""
        nested = self.made["settings"]["index"]["mapping"]["nested_objects"]["limit"]
        held = sum(len(value) for value in entry.values() if isinstance(value, list))
        if held > nested:
            return f"The number of nested documents has exceeded the allowed limit of [{nested}]"
        return next(_faults(entry, self.made["mappings"]["properties"], ""), "")

    def search(self, body: JsonObject) -> JsonObject:
        """The answer to a search."""
        start, size = body.get("from", 0), body.get("size", 10)
        assert start + size <= _WINDOW, "Result window is too large"
        evaluation = Evaluation(self._rarity())
        found: list[tuple[float, JsonObject, JsonObject]] = []
        for entry in self.entries.values():
            evaluation.explained, evaluation.inner = [], {}
            score = evaluation.score(body.get("query", {"match_all": {}}), View(entry, self.mapping))
            if score is not None:
                found.append((score, entry, self._hit(body, entry, score, evaluation)))
        sort = [each if isinstance(each, str) else next(iter(each)) for each in body.get("sort", ["_score"])]
        by_score = sort[0] == "_score"
        found.sort(key=lambda each: (-each[0] if by_score else 0, each[1]["id"].encode()))
        total = {"value": len(found), "relation": "eq"}
        if "search_after" in body:
            (after,) = body["search_after"]
            found = [each for each in found if each[1]["id"].encode() > after.encode()]
        answer: JsonObject = {"took": 1, "timed_out": False, "_shards": {"total": 1, "successful": 1, "failed": 0}}
        answer["hits"] = {"total": total, "hits": [hit for _, _, hit in found[start : start + size]]}
        if "aggregations" in body:
            answer["aggregations"] = {name: self._aggregated(each) for name, each in body["aggregations"].items()}
        return answer

    def analyzed(self, name: str, text: str) -> JsonObject:
        """The answer of `_analyze`."""
        tokens: list[JsonObject] = []
        start = 0
        for term in terms_of(text, self.mapping[name]["analyzer"]):
            start = text.index(term.written, start)
            before, within = (len(part.encode("utf-16-le")) // 2 for part in (text[:start], term.written))
            tokens.append({"token": term.term, "start_offset": before, "end_offset": before + within})
        return {"tokens": tokens}

    def _hit(self, body: JsonObject, entry: JsonObject, score: float, evaluation: Evaluation) -> JsonObject:
        wanted = body.get("_source", {}).get("includes")
        hit: JsonObject = {"_id": entry["id"], "_source": {k: v for k, v in entry.items() if not wanted or k in wanted}}
        hit["_score"] = score if body.get("track_scores") or "sort" not in body else None
        if body.get("explain"):
            hit["_explanation"] = _explanation(score, evaluation.explained)
        hit["inner_hits"] = {
            name: {
                "hits": {
                    "hits": [
                        {
                            "_nested": {"field": view.path, "offset": view.at},
                            "_score": each,
                            "_source": view.members,
                            "_explanation": _explanation(each, explained),
                        }
                        for view, each, explained in found
                    ]
                }
            }
            for name, found in evaluation.inner.items()
        }
        return hit

    def _aggregated(self, body: JsonObject) -> JsonObject:
        ((kind, of),) = body.items()
        assert self.mapping[of["field"]]["type"] in ("keyword", "integer", "long"), body
        values = [value for each in self.entries.values() for value in View(each, self.mapping).values(of["field"])]
        if kind == "sum":
            return {"value": float(sum(values))}
        assert kind == "terms", body
        counted = sorted(Counter(values).items(), key=lambda each: (-each[1], each[0]))
        return {"buckets": [{"key": key, "doc_count": count} for key, count in counted[: of["size"]]]}

    def _rarity(self) -> "_Rarity":
        return _Rarity(self)


class _Rarity:
    """How rare a term is in a field, so that rare ones count more."""

    def __init__(self, index: HeldIndex) -> None:
        self._index = index
        self._known: dict[tuple[str, str], float] = {}

    def __call__(self, name: str, term: str) -> float:
        if (name, term) not in self._known:
            mapping, count, having = self._index.mapping, 1, 0
            for entry in self._index.entries.values():
                texts = View(entry, mapping).values(name)
                count += 1
                having += any(term == each.term for text in texts for each in terms_of(text, mapping[name]["analyzer"]))
            self._known[name, term] = math.log(1 + count / (having + 0.5))
        return self._known[name, term]


def _explanation(score: float, explained: Sequence[tuple[str, str, float]]) -> JsonObject:
    details = [
        {"value": weight, "description": f"weight({name}:{term} in 7) [PerFieldSimilarity], result of:", "details": []}
        for name, term, weight in explained
    ]
    return {
        "value": score,
        "description": "sum of:",
        "details": [{"value": score, "description": "x", "details": details}],
    }


def _fields(properties: JsonObject, path: str) -> Iterator[tuple[str, JsonObject]]:
    for name, said in properties.items():
        if "properties" in said:
            yield from _fields(said["properties"], f"{path}{name}.")
        if "type" in said:
            yield path + name, {key: value for key, value in said.items() if key != "properties"}


def _faults(members: JsonObject, properties: JsonObject, path: str) -> Iterator[str]:
    for name, value in members.items():
        if name not in properties:
            yield f"mapping set to strict, dynamic introduction of [{name}] within [{path}] is not allowed"
            continue
        said = properties[name]
        if said.get("enabled") is False:
            continue
        for each in value if isinstance(value, list) else [value]:
            if "properties" in said:
                yield from _faults(each, said["properties"], f"{path}{name}.")
            elif not _fits(each, said["type"]):
                yield f"failed to parse field [{path}{name}] of type [{said['type']}]"


def _fits(value: JsonValue, kind: str) -> bool:
    match kind:
        case "keyword":
            return isinstance(value, str) and len(value.encode()) <= _MOST_TERM
        case "text":
            return isinstance(value, str)
        case "integer" | "long":
            return isinstance(value, int) and abs(value) < 2 ** (31 if kind == "integer" else 63)
        case "double":
            return isinstance(value, float | int)
        case "geo_point":
            return abs(value["lat"]) <= 90 and abs(value["lon"]) <= 180
        case _:
            return False
