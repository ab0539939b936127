"""From a request to the `SearchRequest` of the API, and from its results to hits.

Filters and boosts are passed on in their own words: what they mean is Google's matter.
"""

from collections.abc import Iterator, Sequence
from html import unescape
from typing import Final

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.retrieval.base import Boost, SearchHit, SearchRequest
from openplaybook.retrieval.filters.filter_text import filter_text
from openplaybook.retrieval.ranking.search_config import EVERY_DOCUMENT
from openplaybook.retrieval.records.record_text import named_lines, title_of, uri_of
from openplaybook.retrieval.vertex.google_document import data_of, ours_of
from openplaybook.retrieval.vertex.vertex_address import ResultText

_MOST_SEGMENTS: Final = 10
"""Of one document (`max_extractive_segment_count`)."""
_BOLD: Final = ("<b>", "</b>")
"""Around words of the request in snippets."""


def search_body(request: SearchRequest, results: ResultText) -> JsonObject:
    """The body of `servingConfigs.search`."""
    body: JsonObject = {
        "query": request.text,
        "pageSize": request.limit,
        "offset": request.offset,
        "contentSearchSpec": _content(request, results),
    }
    if request.filter is not None:
        body["filter"] = filter_text(request.filter)
    if request.boosts:
        body["boostSpec"] = {"conditionBoostSpecs": [_boost(each) for each in request.boosts]}
    if request.language:
        body["languageCode"] = request.language
    return body


def hits_in(answer: JsonObject) -> Sequence[SearchHit]:
    """The hits of an answer, in its order; its scores count where all results have one."""
    results = [as_object(each) for each in as_list(answer.get("results"))]
    scores = [_score(each) for each in results]
    ranks = [1.0 / (1 + rank) for rank in range(len(results))]
    known = [each for each in scores if each is not None]
    is_scored = len(known) == len(results) and known == sorted(known, reverse=True)
    return [
        hit for result, score in zip(results, known if is_scored else ranks, strict=True) for hit in _of(result, score)
    ]


def _content(request: SearchRequest, results: ResultText) -> JsonObject:
    match results:
        case ResultText.CHUNKS:
            return {"searchResultMode": "CHUNKS"}
        case ResultText.SNIPPETS:
            return {"searchResultMode": "DOCUMENTS", "snippetSpec": {"returnSnippet": True}}
        case ResultText.SEGMENTS:
            most = min(request.most_per_document or _MOST_SEGMENTS, _MOST_SEGMENTS)
            return {
                "searchResultMode": "DOCUMENTS",
                "snippetSpec": {"returnSnippet": True},
                "extractiveContentSpec": {"maxExtractiveSegmentCount": most},
            }


def _boost(boost: Boost) -> JsonObject:
    spec: JsonObject = {} if boost.condition == EVERY_DOCUMENT else {"condition": filter_text(boost.condition)}
    if not boost.field:
        return {**spec, "boost": boost.boost}
    points: list[JsonObject] = [
        {"attributeValue": _attribute(point.value, boost), "boostAmount": point.boost} for point in boost.points
    ]
    control: JsonObject = {
        "fieldName": boost.field,
        "attributeType": "FRESHNESS" if boost.is_freshness else "NUMERICAL",
        "interpolationType": "LINEAR",
        "controlPoints": points,
    }
    return {**spec, "boostControlSpec": control}


def _attribute(value: float, boost: Boost) -> str:
    """A number, or an age in the form of `dayTimeDuration`."""
    if not boost.is_freshness:
        return repr(value)
    return f"T{int(value)}S" if value == int(value) else f"T{value:.6f}S"


def _score(result: JsonObject) -> float | None:
    values = as_list(as_object(as_object(result.get("modelScores")).get("relevance_score")).get("values"))
    return float(values[0]) if values else None


def _of(result: JsonObject, score: float) -> Iterator[SearchHit]:
    if "chunk" in result:
        yield _chunk_hit(as_object(result["chunk"]), score)
        return
    document = as_object(result.get("document"))
    derived, data, ours = as_object(document.get("derivedStructData")), data_of(document), ours_of(document)
    for at, (text, page) in enumerate(_texts(derived) or [(named_lines(data), 0)]):
        yield SearchHit(
            document=str(document.get("id") or result.get("id") or ""),
            passage=at,
            score=score,
            title=str(ours.get("title") or derived.get("title") or title_of(data)),
            uri=str(ours.get("uri") or derived.get("link") or uri_of(data)),
            text=text,
            page=page,
            data=data,
            question=str(ours.get("question") or ""),
        )


def _texts(derived: JsonObject) -> Sequence[tuple[str, int]]:
    """Texts of a document with their pages: segments, or answers, or snippets, whichever came first."""
    for name in ("extractive_segments", "extractive_answers"):
        found = [as_object(each) for each in as_list(derived.get(name))]
        texts = [(str(each.get("content") or ""), int(each.get("pageNumber") or 0)) for each in found]
        if any(text for text, _ in texts):
            return texts
    snippets = [str(as_object(each).get("snippet") or "") for each in as_list(derived.get("snippets"))]
    return [(_plain(each), 0) for each in snippets[:1] if each]


def _chunk_hit(chunk: JsonObject, score: float) -> SearchHit:
    metadata, name = as_object(chunk.get("documentMetadata")), str(chunk.get("name") or "")
    number = str(chunk.get("id") or "").lstrip("c")
    return SearchHit(
        document=name.partition("/documents/")[2].partition("/")[0],
        passage=int(number) if number.isdecimal() else 0,
        score=score,
        title=str(metadata.get("title") or ""),
        uri=str(metadata.get("uri") or ""),
        text=str(chunk.get("content") or ""),
        page=int(as_object(chunk.get("pageSpan")).get("pageStart") or 0),
        data=data_of(metadata),
    )


def _plain(snippet: str) -> str:
    """The text of a snippet, which is HTML."""
    for mark in _BOLD:
        snippet = snippet.replace(mark, "")
    return unescape(snippet)
