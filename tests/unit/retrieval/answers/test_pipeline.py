"""From a question to a grounded answer."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from openplaybook.retrieval.answers.answer_settings import AnswerModels, AnswerSettings, Rejection
from openplaybook.retrieval.answers.base import (
    NOT_ENOUGH_INFORMATION,
    AnswerOrigin,
    AnswerRequest,
    AskedStore,
    BannedIn,
    GroundedAnswer,
    GroundingLevel,
    PromptFailed,
    SpokenLine,
)
from openplaybook.retrieval.answers.phrases import BannedPhrase, PhraseFilter
from openplaybook.retrieval.answers.pipeline import answer
from openplaybook.retrieval.base import (
    DocumentPage,
    SearchHit,
    SearchRequest,
    SearchResults,
    StoreDocument,
    StoreFacts,
    StoreStatistics,
    StoreType,
)
from openplaybook.retrieval.errors import EngineUnavailable
from openplaybook.retrieval.filters.syntax import AnyOf

_LOCATION = "projects/p/locations/l/collections/default_collection/dataStores"
PAGES = f"{_LOCATION}/pages"
FAQ = f"{_LOCATION}/faq"


class Shelf:
    """A search engine that has ready results by store."""

    def __init__(self, hits: Mapping[str, Sequence[SearchHit]], *, notes: Sequence[str] = ()) -> None:
        self._hits = hits
        self._notes = tuple(notes)
        self.asked: list[tuple[str, SearchRequest]] = []

    async def search(self, store: str, request: SearchRequest) -> SearchResults:
        self.asked.append((store, request))
        if store not in self._hits:
            raise EngineUnavailable("the engine does not answer")
        return SearchResults(tuple(self._hits[store]), len(self._hits[store]), self._notes)

    async def put(self, store: str, documents: Sequence[StoreDocument]) -> None:
        raise NotImplementedError

    async def delete(self, store: str, ids: Sequence[str]) -> int:
        raise NotImplementedError

    async def get(self, store: str, id: str) -> StoreDocument | None:
        raise NotImplementedError

    async def page(self, store: str, *, after: str = "", limit: int = 100) -> DocumentPage:
        raise NotImplementedError

    async def digests(self, store: str, ids: Sequence[str]) -> dict[str, str]:
        raise NotImplementedError

    async def settle(self, store: str) -> None:
        return None

    async def statistics(self, store: str) -> StoreStatistics:
        raise NotImplementedError

    async def drop(self, store: str) -> None:
        raise NotImplementedError

    async def close(self) -> None:
        raise NotImplementedError


class Model:
    """Says one thing, or nothing."""

    name = "model-1"

    def __init__(self, says: str | None) -> None:
        self.says = says
        self.prompts: list[str] = []

    async def reply(self, prompt: str) -> str:
        self.prompts.append(prompt)
        if self.says is None:
            raise PromptFailed("it is asleep")
        return self.says


class Judge:
    """Has one score for all claims, or none."""

    def __init__(self, support: float | None) -> None:
        self.support = support

    async def judge(self, claims: Sequence[str], facts: Sequence[str]) -> Sequence[float]:
        if self.support is None:
            raise PromptFailed("it is asleep")
        return [self.support] * len(claims)


def hit(id: str, title: str, text: str, *, question: str = "") -> SearchHit:
    return SearchHit(id, 0, 1.0, title, f"https://pets.example/{id}", text, question=question)


CATS = hit("cats", "Cats", "An adult cat eats 200 grams of food a day. Kittens are born blind.")
DOGS = hit("dogs", "Dogs", "A dog eats up to 500 grams of food a day. Dogs need walks.")
OPEN = hit("open", "", "Daily 9–17 h.\n", question="When are you open?")
ENGINE = Shelf({PAGES: (CATS, DOGS), FAQ: (OPEN,)})
PAGES_STORE = AskedStore(StoreFacts(PAGES, "pages", StoreType.UNSTRUCTURED))
FAQ_STORE = AskedStore(StoreFacts(FAQ, "faq", StoreType.STRUCTURED, is_faq=True))
STORES = (PAGES_STORE, FAQ_STORE)
QUESTION = AnswerRequest("How much food does an adult cat eat?", "en", fallback="Call us.")
SETTINGS = AnswerSettings()


async def summarised(says: str | None, settings: AnswerSettings = SETTINGS, fallback: str = "") -> GroundedAnswer:
    models = AnswerModels(summarizer=Model(says))
    return await answer(replace(QUESTION, fallback=fallback), STORES, ENGINE, settings, models)


@pytest.mark.proves("D1")
async def test_every_store_is_asked() -> None:
    engine = Shelf({PAGES: (CATS,), FAQ: (OPEN,)})
    only = AnyOf("kind", ("pet",))
    found = await answer(QUESTION, (replace(PAGES_STORE, filter=only), FAQ_STORE), engine)
    assert [(store, request.text, request.filter) for store, request in engine.asked] == [
        (PAGES, QUESTION.query, only),
        (FAQ, QUESTION.query, None),
    ]
    assert {each.store for each in found.snippets} == {PAGES, FAQ}


async def test_without_a_model_sentences_are_the_answer_with_their_source() -> None:
    found = await answer(QUESTION, STORES, ENGINE)
    assert found.origin is AnswerOrigin.EXTRACT
    assert found.text.startswith("An adult cat eats 200 grams of food a day.")
    assert found.snippets[found.cited[0]].uri == "https://pets.example/cats"
    assert found.grounding is not None
    assert (found.grounding.level, found.is_grounded) == (GroundingLevel.VERY_HIGH, True)


@pytest.mark.proves("D6")
async def test_an_faq_entry_is_given_unmodified_whatever_the_model_says() -> None:
    model = Model("We are always open.")
    request = replace(QUESTION, query="when are you OPEN")
    found = await answer(request, STORES, ENGINE, models=AnswerModels(summarizer=model))
    assert (found.text, found.origin) == ("Daily 9–17 h.\n", AnswerOrigin.FAQ)
    assert found.grounding is not None
    assert found.grounding.level is GroundingLevel.VERY_HIGH
    assert (found.snippets[0].title, found.cited) == ("When are you open?", (0,))
    assert model.prompts == []


async def test_a_summary_has_parts_with_their_sources() -> None:
    text = "An adult cat eats 200 grams of food a day.\nA dog eats up to 500 grams."
    found = await summarised(f"  {text}\n")
    assert (found.text, found.origin) == (text, AnswerOrigin.SUMMARY)
    assert "".join(part.text for part in found.parts) == text
    titles = [[found.snippets[at].title for at in part.supporting] for part in found.parts]
    assert titles == [["Cats"], ["Dogs"]]
    assert {found.snippets[at].title for at in found.cited} == {"Cats", "Dogs"}


@pytest.mark.proves("D4", "D9")
async def test_the_prompt_holds_sources_conversation_and_metadata() -> None:
    model = Model("An adult cat eats 200 grams of food a day.")
    settings = AnswerSettings(summary_prompt="$original-query|$conversation|$end-user-metadata|$sources")
    request = replace(QUESTION, conversation=(SpokenLine("Hi", is_user=True),), end_user_metadata={"plan": "gold"})
    found = await answer(request, (PAGES_STORE,), ENGINE, settings, AnswerModels(summarizer=model))
    assert model.prompts == [
        "How much food does an adult cat eat?|Human: Hi|"
        'The following additional information is available about the human: {"plan": "gold"}|'
        f"[1] Cats\n{CATS.text}\n[2] Dogs\n{DOGS.text}"
    ]
    assert found.summary is not None
    assert (found.summary.prompt, found.summary.output, found.summary.model) == (
        model.prompts[0],
        model.says,
        "model-1",
    )


@pytest.mark.parametrize("wrong", ["An adult cat eats 900 grams of food a day.", "Cats like Beethoven."])
async def test_an_unsupported_summary_is_not_given(wrong: str) -> None:
    found = await summarised(wrong)
    assert (found.text, found.origin, found.snippets) == ("", AnswerOrigin.NONE, ())
    assert (found.is_grounded, len(found.found)) == (False, 3)
    found = await summarised(wrong, fallback="Call us.")
    assert (found.text, found.is_fallback, found.snippets) == ("Call us.", True, ())


async def test_snippets_alone_are_given_where_that_is_set() -> None:
    found = await summarised("Cats like Beethoven.", AnswerSettings(rejection=Rejection.SNIPPETS), "Call us.")
    assert (found.text, found.origin, found.is_grounded) == ("", AnswerOrigin.NONE, False)
    assert [each.title for each in found.snippets] == ["Cats", "When are you open?", "Dogs"]


async def test_the_level_decides_what_is_given() -> None:
    vague = "Cats eat roughly that much food daily, an owner says."
    level = (await summarised(vague, AnswerSettings(level=GroundingLevel.VERY_LOW))).grounding
    assert level is not None
    assert level.level < GroundingLevel.VERY_HIGH
    assert (await summarised(vague, AnswerSettings(level=level.level))).text == vague
    assert (await summarised(vague, AnswerSettings(level=GroundingLevel(level.level + 1)))).text == ""


async def test_nothing_is_judged_where_grounding_is_disabled() -> None:
    found = await summarised("Cats like Beethoven.", AnswerSettings(grounding_disabled=True))
    assert (found.text, found.grounding, found.is_grounded) == ("Cats like Beethoven.", None, True)


async def test_the_veto_is_off_where_heuristics_are_disabled() -> None:
    wrong = "An adult cat eats 900 grams of food a day."
    assert (await summarised(wrong, AnswerSettings(heuristics_disabled=True))).text == wrong


@pytest.mark.proves("D11")
@pytest.mark.parametrize("says", [NOT_ENOUGH_INFORMATION, f"{NOT_ENOUGH_INFORMATION}.", "", " \n"])
async def test_a_model_that_knows_nothing_leads_to_a_friendly_message(says: str) -> None:
    found = await summarised(says)
    assert (found.text, found.origin) == ("I'm sorry, I couldn't find an answer to that.", AnswerOrigin.MESSAGE)
    assert found.snippets == ()
    assert (await summarised(says, AnswerSettings(not_found="No idea!"))).text == "No idea!"


@pytest.mark.proves("D5")
async def test_the_fallback_is_the_answer_without_snippets_where_there_is_no_summary() -> None:
    found = await summarised(NOT_ENOUGH_INFORMATION, fallback="Call us.")
    assert (found.text, found.is_fallback, found.snippets, found.parts) == ("Call us.", True, (), ())


async def test_the_friendly_message_speaks_the_language_of_the_conversation() -> None:
    nothing = Shelf({PAGES: ()})
    found = await answer(AnswerRequest("Was kostet ein Hai?", "de-AT"), (PAGES_STORE,), nothing)
    assert found.text == "Dazu habe ich leider keine Antwort gefunden."


async def test_the_language_of_the_stores_counts_for_what_they_hold() -> None:
    store = AskedStore(StoreFacts(PAGES, "pages", StoreType.UNSTRUCTURED, language="de"))
    engine = Shelf({PAGES: (hit("hunde", "Hunde", "Große Hunde schlafen. Kleine Hunde essen wenig."),)})
    found = await answer(AnswerRequest("Was isst ein kleiner Hund?", "en"), (store,), engine)
    assert found.text == "Kleine Hunde essen wenig."
    assert engine.asked[0][1].language == "de"


async def test_the_language_is_found_out_where_nobody_says_it() -> None:
    found = await answer(AnswerRequest("Was kostet denn ein Hai?"), (PAGES_STORE,), Shelf({PAGES: ()}))
    assert found.text == "Dazu habe ich leider keine Antwort gefunden."


async def test_a_model_is_not_asked_where_nothing_was_found() -> None:
    model = Model("A shark costs 5 dollars.")
    found = await answer(QUESTION, (PAGES_STORE,), Shelf({PAGES: ()}), models=AnswerModels(summarizer=model))
    assert (found.is_fallback, model.prompts) == (True, [])


async def test_a_summary_that_fails_is_told_of() -> None:
    found = await summarised(None, fallback="Call us.")
    assert (found.text, found.notes) == ("Call us.", ("the summary failed: it is asleep",))


async def test_without_summaries_there_are_snippets() -> None:
    found = await summarised("Never said.", AnswerSettings(summarizes=False))
    assert (found.text, len(found.snippets), found.summary) == ("", 3, None)


async def test_sources_are_not_more_than_wanted() -> None:
    assert len((await summarised("An adult cat eats 200 grams.", AnswerSettings(sources=1))).snippets) == 1


async def test_a_judge_decides_in_place_of_words() -> None:
    models = AnswerModels(summarizer=Model("Kittens cannot see at first."), judge=Judge(1.0))
    found = await answer(QUESTION, STORES, ENGINE, models=models)
    assert found.grounding is not None
    assert (found.text, found.grounding.is_judged) == ("Kittens cannot see at first.", True)
    found = await answer(QUESTION, STORES, ENGINE, models=replace(models, judge=Judge(0.0)))
    assert found.is_fallback


async def test_words_are_compared_where_the_judge_fails() -> None:
    models = AnswerModels(summarizer=Model("An adult cat eats 200 grams of food a day."), judge=Judge(None))
    found = await answer(QUESTION, STORES, ENGINE, models=models)
    assert found.text == "An adult cat eats 200 grams of food a day."
    assert found.notes == ("the words were compared, since the judge failed: it is asleep",)


async def test_a_follow_up_is_searched_with_the_words_before_it() -> None:
    engine = Shelf({PAGES: (CATS,)})
    talk = (SpokenLine("How much food does a dog eat?", is_user=True), SpokenLine("500 grams.", is_user=False))
    request = AnswerRequest("And a cat?", "en", talk)
    found = await answer(request, (PAGES_STORE,), engine)
    assert engine.asked[0][1].text == found.rewritten_query == "And a cat? much food eat"
    found = await answer(request, (PAGES_STORE,), engine, AnswerSettings(rewrites=False))
    assert found.rewritten_query == "And a cat?"


async def test_a_rewriter_writes_the_query() -> None:
    engine = Shelf({PAGES: (CATS,)})
    models = AnswerModels(rewriter=Model("adult cat food amount"))
    found = await answer(QUESTION, (PAGES_STORE,), engine, models=models)
    assert engine.asked[0][1].text == "adult cat food amount"
    assert found.rewriting is not None
    assert found.rewriting.output == "adult cat food amount"


async def test_a_rewriter_that_fails_is_replaced_and_told_of() -> None:
    request = AnswerRequest("And a cat?", "en", (SpokenLine("How much food does a dog eat?", is_user=True),))
    models = AnswerModels(rewriter=Model(None))
    found = await answer(request, (PAGES_STORE,), ENGINE, models=models)
    assert found.rewritten_query == "And a cat? much food eat"
    assert found.notes == ("the rewriter did not answer: it is asleep",)


@pytest.mark.proves("D13")
async def test_a_banned_question_is_not_searched() -> None:
    engine = Shelf({PAGES: (CATS,)})
    settings = AnswerSettings(banned=PhraseFilter((BannedPhrase("ADULT"),)))
    found = await answer(replace(QUESTION, fallback=""), (PAGES_STORE,), engine, settings)
    assert (found.text, found.banned_in, found.banned_phrase) == ("", BannedIn.QUERY, "ADULT")
    assert engine.asked == []


@pytest.mark.proves("D13")
async def test_a_banned_answer_is_not_given() -> None:
    settings = AnswerSettings(banned=PhraseFilter((BannedPhrase("200 grams"),)))
    found = await answer(QUESTION, STORES, ENGINE, settings)
    assert (found.banned_in, found.banned_phrase) == (BannedIn.RESPONSE, "200 grams")
    assert (found.text, found.snippets) == ("Call us.", ())


async def test_a_banned_fallback_is_not_given_either() -> None:
    settings = AnswerSettings(banned=PhraseFilter((BannedPhrase("call"),)))
    assert (await summarised("Cats like Beethoven.", settings, "Call us.")).text == ""


async def test_notes_of_stores_are_passed_on() -> None:
    engine = Shelf({PAGES: (CATS,)}, notes=("`price` holds no numbers",))
    found = await answer(QUESTION, (PAGES_STORE,), engine)
    assert found.notes == ("pages: `price` holds no numbers",)


async def test_a_store_that_does_not_answer_is_an_error() -> None:
    with pytest.raises(EngineUnavailable):
        await answer(QUESTION, STORES, Shelf({PAGES: (CATS,)}))
