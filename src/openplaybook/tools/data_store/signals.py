"""How an answer came about, as Dialogflow CX tells it: `DataStoreConnectionSignals`, and snippets as rich content."""

from collections.abc import Sequence

from openplaybook.jsonvalues import JsonObject, JsonValue, is_large
from openplaybook.retrieval.answers.base import BannedIn, GroundedAnswer, Grounding, ModelExchange, Snippet

CONFIG = "searchConfig"
"""Beside the fields of Google's message: the request's configuration as it was used."""
INVALID_SEARCH_CONFIG = "INVALID_SEARCH_CONFIG"
"""Code of a call whose filters or boosts, the request's or the tool's, cannot be read."""
NO_SUCH_STORE = "NO_SUCH_DATA_STORE"
"""Code of a call of a tool that names a store which is not here."""

_BUCKETS = {1: "VERY_LOW", 2: "LOW", 3: "MEDIUM", 4: "HIGH", 5: "VERY_HIGH"}
_MOST_PROMPT = 64_000
_MOST_TEXT = 6_000
_MOST_METADATA = 8_000
_MOST_SUBTITLE = 500
"""Characters that are told of a prompt, of a snippet and of its metadata, and shown of a snippet: a store may hold
whole documents, and all of this is kept with the turn."""


def signals_of(answer: GroundedAnswer, config: JsonObject) -> JsonObject:
    """The signals of an answer in JSON form; what there was not is left out."""
    places = {snippet_key(each): at for at, each in reversed([*enumerate(answer.found)])}
    shown = [places.get(snippet_key(each)) for each in answer.snippets]
    signals: JsonObject = {
        "rewriterModelCallSignals": _exchange(answer.rewriting),
        "rewrittenQuery": answer.rewritten_query,
        "searchSnippets": [_snippet(each) for each in answer.found],
        "answerGenerationModelCallSignals": _exchange(answer.summary),
        "answer": answer.text,
        "answerParts": [
            {"text": part.text, "supportingIndices": _known(shown, part.supporting)} for part in answer.parts
        ],
        "citedSnippets": [
            {"searchSnippet": _snippet(answer.found[at]), "snippetIndex": at} for at in _known(shown, answer.cited)
        ],
        "groundingSignals": _grounding(answer.grounding, is_grounded=answer.is_grounded),
        "safetySignals": _safety(answer),
        CONFIG: config,
    }
    return {name: value for name, value in signals.items() if value not in (None, "", [], {})}


def rich_content(snippets: Sequence[Snippet]) -> JsonObject:
    """The payload of a response message that shows snippets in a messenger, as one card."""
    return {"richContent": [[_info(each) for each in snippets]]}


def snippet_key(snippet: Snippet) -> tuple[str, str, str]:
    """What tells snippets apart."""
    return snippet.store, snippet.document, snippet.text


def _info(snippet: Snippet) -> JsonObject:
    text = " ".join(snippet.text.split())
    subtitle = text if len(text) <= _MOST_SUBTITLE else f"{text[:_MOST_SUBTITLE]}…"
    item: JsonObject = {"type": "info", "title": snippet.title, "subtitle": subtitle, "metadata": {}}
    # A messenger follows links of the web alone.
    is_link = snippet.uri.startswith(("https://", "http://"))
    return {**item, "actionLink": snippet.uri} if is_link else item


def _known(shown: Sequence[int | None], positions: Sequence[int]) -> list[int]:
    """Positions among what is shown as those among all that was found."""
    return [place for at in positions if 0 <= at < len(shown) and (place := shown[at]) is not None]


def _snippet(snippet: Snippet) -> JsonObject:
    told: JsonObject = {
        "documentTitle": snippet.title,
        "documentUri": snippet.uri,
        "text": snippet.text[:_MOST_TEXT],
        "metadata": {} if is_large(snippet.data, _MOST_METADATA) else snippet.data,
    }
    return {name: value for name, value in told.items() if value}


def _exchange(exchange: ModelExchange | None) -> JsonValue:
    if exchange is None:
        return None
    return {
        "renderedPrompt": exchange.prompt[:_MOST_PROMPT],
        "modelOutput": exchange.output[:_MOST_PROMPT],
        "model": exchange.model,
    }


def _grounding(grounding: Grounding | None, *, is_grounded: bool) -> JsonValue:
    if grounding is None:
        return None
    decision = "ACCEPTED_BY_GROUNDING" if is_grounded else "REJECTED_BY_GROUNDING"
    return {"decision": decision, "score": _BUCKETS[int(grounding.level)]}


def _safety(answer: GroundedAnswer) -> JsonObject:
    is_free = answer.banned_in is BannedIn.NOWHERE
    decision = "ACCEPTED_BY_SAFETY_CHECK" if is_free else "REJECTED_BY_SAFETY_CHECK"
    phrase: JsonObject = {} if is_free else {"matchedBannedPhrase": answer.banned_phrase}
    return {"decision": decision, "bannedPhraseMatch": answer.banned_in.value, **phrase}
