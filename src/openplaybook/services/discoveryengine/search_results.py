"""From hits to `SearchResponse`: documents or chunks, with what is derived from them."""

from collections.abc import Sequence
from html import escape

from openplaybook.jsonvalues import JsonObject, JsonValue, rough_size
from openplaybook.resources.names import new_id
from openplaybook.resources.page_tokens import issue_token
from openplaybook.retrieval.answers.base import AnswerOrigin, AnswerPart, GroundedAnswer, Snippet
from openplaybook.retrieval.answers.extractive import best_sentence
from openplaybook.retrieval.base import SearchHit, SearchResults, StoreFacts
from openplaybook.retrieval.language.detection import detected
from openplaybook.services.discoveryengine.highlights import snippet
from openplaybook.services.discoveryengine.search_requests import FARTHEST, AskedSearch
from openplaybook.services.listings import PAGE_BYTES

ANSWERED = (AnswerOrigin.FAQ, AnswerOrigin.SUMMARY, AnswerOrigin.EXTRACT)
"""Where the text of an answer comes from, if it is one."""

MOST_SHOWN = 20_000
"""Characters of a passage: a document that is not cut is one."""

_BRANCH = "branches/0"


def response_json(found: SearchResults, asked: AskedSearch, facts: StoreFacts, *, explains: bool) -> JsonObject:
    """The response to a search. `explains`: whether results say which terms they were found by.

    Of large documents a page has fewer; at least one.
    """
    result = _chunk_result if asked.is_by_chunk else _document_result
    hits = _fitting(found.hits)
    after = asked.request.offset + len(hits)
    is_page_full = len(hits) == asked.request.limit or len(hits) < len(found.hits)
    has_more = is_page_full and after < min(found.total, FARTHEST)
    return {
        "results": [result(hit, asked, facts, explains=explains) for hit in hits],
        "totalSize": found.total,
        "attributionToken": new_id(),
        "nextPageToken": issue_token(asked.query, after) if has_more else "",
    }


def _fitting(hits: Sequence[SearchHit]) -> Sequence[SearchHit]:
    """The first hits whose texts and data fit into a page together."""
    left = PAGE_BYTES
    for number, hit in enumerate(hits):
        left -= min(len(hit.text), MOST_SHOWN) + rough_size(hit.data, PAGE_BYTES)
        if left < 0:
            return hits[: max(number, 1)]
    return hits


def summary_json(found: GroundedAnswer, store: str, *, has_citations: bool) -> JsonObject:
    """The summary of what was found: an answer with its sources, or why there is none.

    `has_citations`: whether each part names its sources, as `[1]` in the text and in the metadata of the summary.
    """
    if found.origin not in ANSWERED:
        return {"summaryText": found.text, "summarySkippedReasons": ["NO_RELEVANT_CONTENT"]}
    references: list[JsonValue] = [
        {"title": each.title, "document": document_name(store, each.document), "uri": each.uri}
        for each in found.snippets
    ]
    metadata: JsonObject = {"summary": found.text, "references": references}
    if not has_citations:
        return {"summaryText": found.text, "summaryWithMetadata": metadata}
    metadata["citationMetadata"] = {"citations": _summary_citations(found)}
    marked = "".join(_marked(part) for part in found.parts)
    return {"summaryText": marked, "summaryWithMetadata": metadata}


def _summary_citations(found: GroundedAnswer) -> list[JsonValue]:
    """Which part of the summary, in bytes, has which references."""
    citations: list[JsonValue] = []
    begin = 0
    for part in found.parts:
        end = begin + len(part.text.encode("utf-8", "surrogatepass"))
        sources: list[JsonValue] = [{"referenceIndex": str(position)} for position in part.supporting]
        if sources:
            citations.append({"startIndex": str(begin), "endIndex": str(end), "sources": sources})
        begin = end
    return citations


def _marked(part: AnswerPart) -> str:
    """A part with the numbers of its sources, from 1, behind its words."""
    words = part.text.rstrip()
    numbers = ", ".join(str(position + 1) for position in part.supporting)
    return f"{words} [{numbers}]{part.text[len(words) :]}" if numbers and words else part.text


def document_name(store: str, id: str) -> str:
    """The name of a document as results have it."""
    return f"{store}/{_BRANCH}/documents/{id}"


def chunk_name(store: str, hit: SearchHit) -> str:
    """The name of a passage of a document as results have it."""
    return f"{document_name(store, hit.document)}/chunks/c{hit.passage}"


def _document_result(hit: SearchHit, asked: AskedSearch, facts: StoreFacts, *, explains: bool) -> JsonObject:
    document: JsonObject = {
        "name": document_name(facts.name, hit.document),
        "id": hit.document,
        "derivedStructData": _derived(hit, asked, explains=explains),
    }
    if hit.data:
        document["structData"] = hit.data
    return {"id": hit.document, "document": document, "modelScores": _scores(hit)}


def _chunk_result(hit: SearchHit, asked: AskedSearch, facts: StoreFacts, *, explains: bool) -> JsonObject:
    metadata: JsonObject = {"uri": hit.uri, "title": hit.title}
    if hit.data:
        metadata["structData"] = hit.data
    chunk: JsonObject = {
        "name": chunk_name(facts.name, hit),
        "id": f"c{hit.passage}",
        "content": shown_text("\n".join([*hit.headings, hit.text])),
        "relevanceScore": hit.score,
        "documentMetadata": metadata,
    }
    if hit.page:
        chunk["pageSpan"] = {"pageStart": hit.page, "pageEnd": hit.page}
    if explains:
        chunk["derivedStructData"] = _reasons(hit)
    return {"id": f"{hit.document}/c{hit.passage}", "chunk": chunk, "modelScores": _scores(hit)}


def _scores(hit: SearchHit) -> JsonObject:
    return {"relevance_score": {"values": [hit.score]}}


def _derived(hit: SearchHit, asked: AskedSearch, *, explains: bool) -> JsonObject:
    derived: JsonObject = {"title": hit.title, "link": hit.uri}
    if asked.has_snippets:
        terms = [match.term for match in hit.matched if match.field == "text"]
        # Snippets are HTML, also where they are all of the passage.
        whole = escape(shown_text(hit.text), quote=False) if explains else ""
        shown = whole or snippet(hit.text, terms, asked.request.text)
        status = "SUCCESS" if shown else "NO_SNIPPET_AVAILABLE"
        derived["snippets"] = [{"snippet": shown, "snippet_status": status}]
    if asked.segments:
        derived["extractive_segments"] = [{**_paged(hit), "content": shown_text(hit.text), "relevanceScore": hit.score}]
    if asked.answers:
        derived["extractive_answers"] = _answers(hit, asked)
    if explains:
        derived.update(_reasons(hit))
    return derived


def _answers(hit: SearchHit, asked: AskedSearch) -> list[JsonValue]:
    """The sentence of a passage that says most to the query."""
    if hit.question:
        return [{"content": hit.text}]
    passage = Snippet(hit.title, hit.text, hit.uri)
    best = best_sentence(asked.request.text, [passage], asked.request.language or detected(hit.text))
    return [] if best is None else [{**_paged(hit), "content": best.text}]


def shown_text(text: str) -> str:
    """As much of a passage as a response has."""
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"


def _paged(hit: SearchHit) -> JsonObject:
    return {"pageNumber": hit.page} if hit.page else {}


def _reasons(hit: SearchHit) -> JsonObject:
    matched = [{"term": match.term, "field": match.field, "weight": match.weight} for match in hit.matched]
    return {"score": hit.score, "matched": matched}
