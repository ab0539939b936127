"""`AnswerQuery`: an answer from one store, extracted from what it found, with its sources."""

from collections.abc import Sequence

from openplaybook.jsonvalues import JsonObject, JsonValue, is_large
from openplaybook.resources.names import new_id
from openplaybook.retrieval.answers.answer_settings import AnswerSettings
from openplaybook.retrieval.answers.base import (
    AnswerRequest,
    AskedStore,
    GroundedAnswer,
    GroundingLevel,
    Snippet,
)
from openplaybook.retrieval.answers.pipeline import answer
from openplaybook.retrieval.base import Boost, StoreSearch
from openplaybook.retrieval.errors import InvalidSearchConfig
from openplaybook.retrieval.ranking.search_config import boosts_in
from openplaybook.services.discoveryengine.search_requests import LONGEST_QUERY, read_filter
from openplaybook.services.discoveryengine.search_results import ANSWERED, MOST_SHOWN, document_name, shown_text
from openplaybook.services.discoveryengine.store_search import served_store
from openplaybook.services.discoveryengine.unserved_fields import ANSWER, refuse_unserved
from openplaybook.services.errors import invalid
from openplaybook.services.parts import ServiceParts
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage

_LEVELS = (GroundingLevel.LOW, GroundingLevel.LOW, GroundingLevel.HIGH)
"""By `GroundingSpec.FilteringLevel`."""
_MOST_RESULTS = 10


class StoreAnswers:
    """Answers questions."""

    def __init__(self, parts: ServiceParts, search: StoreSearch) -> None:
        self._parts = parts
        self._search = search

    async def answer(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The answer of a store to a question."""
        facts = await served_store(self._search, request.serving_config)
        if not request.query.text:
            raise invalid(("query.text", "is required"))
        if len(request.query.text) > LONGEST_QUERY:
            raise invalid(("query.text", f"is longer than {LONGEST_QUERY} characters"))
        refuse_unserved(request, ANSWER)
        params = request.search_spec.search_params
        filter_ = read_filter(params.filter, "search_spec.search_params.filter") if params.filter else None
        store = AskedStore(facts, filter_, self._boosts(params.boost_spec))
        settings = AnswerSettings(
            level=_level(request.grounding_spec.filtering_level),
            sources=min(params.max_return_results or _MOST_RESULTS, _MOST_RESULTS),
        )
        language = request.answer_generation_spec.answer_language_code or facts.language
        asked = AnswerRequest(request.query.text, language)
        found = await answer(asked, [store], self._search.engine, settings)
        shown = _answer(found, facts.name, has_citations=request.answer_generation_spec.include_citations)
        response: JsonObject = {"answer": shown, "answerQueryToken": new_id()}
        return self._parts.api.codec.from_json(response, self._parts.discovery("AnswerQueryResponse"))

    def _boosts(self, spec: ApiMessage) -> tuple[Boost, ...]:
        try:
            return boosts_in(self._parts.api.codec.to_json(spec), "searchParams.boostSpec")
        except InvalidSearchConfig as error:
            raise invalid(("search_spec.search_params.boost_spec", str(error))) from error


def _level(filtering: int) -> GroundingLevel:
    return _LEVELS[max(0, min(filtering, len(_LEVELS) - 1))]


def _answer(found: GroundedAnswer, store: str, *, has_citations: bool) -> JsonObject:
    is_answer = found.origin in ANSWERED
    skipped = [] if is_answer else ["NO_RELEVANT_CONTENT" if found.is_grounded else "LOW_GROUNDED_ANSWER"]
    shown: JsonObject = {
        "state": "SUCCEEDED",
        "answerText": found.text,
        "references": [_reference(snippet, store) for snippet in found.snippets],
        "answerSkippedReasons": skipped,
        "steps": [_step(found, store)],
    }
    if found.grounding is not None:
        shown["groundingScore"] = found.grounding.score
    if has_citations and is_answer:
        shown["citations"] = _citations(found)
    return shown


def _citations(found: GroundedAnswer) -> Sequence[JsonValue]:
    citations: list[JsonValue] = []
    begin = 0
    for part in found.parts:
        end = begin + len(part.text.encode("utf-8", "surrogatepass"))
        if part.supporting:
            sources: list[JsonValue] = [{"referenceId": str(position)} for position in part.supporting]
            citations.append({"startIndex": str(begin), "endIndex": str(end), "sources": sources})
        begin = end
    return citations


def _reference(snippet: Snippet, store: str) -> JsonObject:
    metadata: JsonObject = {
        "document": document_name(store, snippet.document),
        "uri": snippet.uri,
        "title": snippet.title,
    }
    if snippet.data and not is_large(snippet.data, MOST_SHOWN):
        metadata["structData"] = snippet.data
    return {"chunkInfo": {"content": shown_text(snippet.text), "documentMetadata": metadata}}


def _step(found: GroundedAnswer, store: str) -> JsonObject:
    results: list[JsonValue] = [
        {
            "document": document_name(store, snippet.document),
            "uri": snippet.uri,
            "title": snippet.title,
            "snippetInfo": [{"snippet": shown_text(snippet.text), "snippetStatus": "SUCCESS"}],
        }
        for snippet in found.found
    ]
    action: JsonObject = {
        "searchAction": {"query": found.rewritten_query},
        "observation": {"searchResults": results},
    }
    return {"state": "SUCCEEDED", "description": "The store was searched.", "actions": [action]}
