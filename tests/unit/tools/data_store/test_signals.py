"""Signals: how an answer came about, in Google's form and within bounds."""

import pytest

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.retrieval.answers.base import (
    AnswerOrigin,
    AnswerPart,
    BannedIn,
    GroundedAnswer,
    Grounding,
    GroundingLevel,
    ModelExchange,
    Snippet,
)
from openplaybook.tools.data_store.signals import rich_content, signals_of
from openplaybook.wire.api import load_api

FIRST, SECOND = (Snippet(f"T{n}", f"Text {n}.", f"https://e.example/{n}", "s", str(n)) for n in (1, 2))
API = load_api()
SIGNALS = "google.cloud.dialogflow.cx.v3beta1.DataStoreConnectionSignals"


def told(**fields: object) -> JsonObject:
    answer = GroundedAnswer("Text 2.", AnswerOrigin.EXTRACT, found=(FIRST, SECOND), **fields)  # pyright: ignore[reportArgumentType]
    signals = signals_of(answer, {})
    assert API.codec.to_json(API.codec.from_json(signals, API.message(SIGNALS)())).keys() == signals.keys()
    return signals


def test_positions_are_those_among_all_that_was_found() -> None:
    signals = told(snippets=(SECOND,), parts=(AnswerPart("Text 2.", (0,)),), cited=(0,))
    assert signals["answerParts"] == [{"text": "Text 2.", "supportingIndices": [1]}]
    [cited] = as_list(signals["citedSnippets"])
    assert as_object(cited)["snippetIndex"] == 1
    assert as_object(as_object(cited)["searchSnippet"])["documentTitle"] == "T2"


def test_a_rejected_answer_says_how_little_it_is_supported() -> None:
    grounding = Grounding(0.1, GroundingLevel.VERY_LOW, ())
    assert told(grounding=grounding, is_grounded=False)["groundingSignals"] == {
        "decision": "REJECTED_BY_GROUNDING",
        "score": "VERY_LOW",
    }


def test_a_banned_phrase_is_named_with_its_place() -> None:
    assert told(banned_in=BannedIn.QUERY, banned_phrase="casino")["safetySignals"] == {
        "decision": "REJECTED_BY_SAFETY_CHECK",
        "bannedPhraseMatch": "BANNED_PHRASE_MATCH_QUERY",
        "matchedBannedPhrase": "casino",
    }


def test_what_a_turn_keeps_has_a_bound() -> None:
    long = Snippet("T", "x" * 100_000, "", data={"all": "y" * 100_000})
    answer = GroundedAnswer(
        "", AnswerOrigin.NONE, found=(long,), summary=ModelExchange("p" * 200_000, "o" * 200_000, "m")
    )
    signals = signals_of(answer, {})
    assert [*map(len, map(str, as_list(signals["searchSnippets"])))] < [7_000]
    assert "metadata" not in as_object(as_list(signals["searchSnippets"])[0])
    exchange = as_object(signals["answerGenerationModelCallSignals"])
    assert (len(str(exchange["renderedPrompt"])), len(str(exchange["modelOutput"]))) == (64_000, 64_000)


@pytest.mark.parametrize("uri", ["", "manual/shop.md", "gs://bucket/shop.pdf", "javascript:alert(1)"])
def test_a_snippet_without_an_address_of_the_web_links_nowhere(uri: str) -> None:
    [[info]] = rich_content([Snippet("T", "a\n b" + "c" * 600, uri)])["richContent"]
    assert info == {"type": "info", "title": "T", "subtitle": f"a b{'c' * 497}…", "metadata": {}}
