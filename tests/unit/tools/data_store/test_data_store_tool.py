"""Data store tools: one question to every store, one grounded answer."""

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.models.base import AgentText, UserText
from openplaybook.models.errors import ModelUnavailable
from openplaybook.resources.guardrails import BannedTexts
from openplaybook.retrieval.base import StoreType
from openplaybook.retrieval.errors import EngineUnavailable, InvalidSearchFilter
from openplaybook.tools.base import Call, Failure, Outcome, Success, ToolContext
from openplaybook.tools.toolbox import Toolbox
from tests.kit.agents import PlayedModel, says
from tests.kit.data_stores import DOCS, STORES, Shelves, connection, document
from tests.kit.openapi import TOOL, Remembering

RETURNS = document("r", "Returns are free for 30 days after delivery.", "Returns", "https://e.example/r", country="CA")
SHIPPING = document("s", "Shipping takes 3 days and costs 5 euros.", "Shipping", "https://e.example/s", country="DE")
WEB, FAQ = f"{STORES}/site", f"{STORES}/faq"
QUESTION = "How long are returns free?"


def shelves() -> Shelves:
    stores = Shelves()
    stores.store(RETURNS, SHIPPING)
    return stores


async def ask(
    stores: Shelves | None = None,
    context: ToolContext | None = None,
    spec: JsonObject | None = None,
    query: str = QUESTION,
    **body: JsonValue,
) -> Outcome:
    resource = {
        "name": TOOL,
        "displayName": "docs",
        "dataStoreSpec": {"dataStoreConnections": [connection()], **(spec or {})},
    }
    tool = Toolbox(Remembering(), search=(stores or shelves()).search).build(resource)
    [action] = tool.actions()
    return await tool.invoke(Call("c", action, {"requestBody": {"query": query, **body}}), context or ToolContext("s"))


def succeeded(outcome: Outcome) -> Success:
    assert isinstance(outcome, Success), outcome
    return outcome


def answered(outcome: Outcome) -> JsonObject:
    return as_object(succeeded(outcome).output["200"])


def failed(outcome: Outcome) -> Failure:
    assert isinstance(outcome, Failure), outcome
    return outcome


@pytest.mark.proves("D2")
async def test_a_question_gets_an_answer_and_the_snippets_that_it_is_from() -> None:
    body = answered(await ask())
    assert body["answer"] == "Returns are free for 30 days after delivery."
    first = as_object(as_list(body["snippets"])[0])
    assert first == {
        "title": "Returns",
        "text": "Returns are free for 30 days after delivery.",
        "uri": "https://e.example/r",
    }


@pytest.mark.proves("D1")
async def test_every_store_is_asked() -> None:
    stores = shelves()
    stores.store(document("w", "Gift cards are never returned."), name=WEB, kind=StoreType.PUBLIC_WEB)
    stores.store(name=FAQ, kind=StoreType.STRUCTURED)
    connections = [connection(), connection(WEB, "PUBLIC_WEB"), connection(FAQ, "STRUCTURED")]
    await ask(stores, spec={"dataStoreConnections": connections})
    assert [name for name, _ in stores.engine.asked] == [DOCS, WEB, FAQ]


@pytest.mark.proves("D6")
async def test_an_entry_of_an_faq_overrides_the_answer_as_it_stands() -> None:
    stores = shelves()
    entry = document("q", "Ask  the desk — always.", question="How long are returns free?")
    stores.store(entry, name=FAQ, kind=StoreType.STRUCTURED, is_faq=True)
    spec: JsonObject = {"dataStoreConnections": [connection(), connection(FAQ, "STRUCTURED")]}
    model = PlayedModel(says("Returns are free for 30 days."))
    body = answered(await ask(stores, ToolContext("s", model=model), spec, "how long are returns free"))
    assert (body["answer"], model.asked) == ("Ask  the desk — always.", [])


@pytest.mark.proves("D3")
class TestFilters:
    async def test_a_filter_narrows_the_search(self) -> None:
        body = answered(await ask(filter='country: ANY("DE")', query="days"))
        assert [as_object(each)["title"] for each in as_list(body["snippets"])] == ["Shipping"]

    @pytest.mark.parametrize("filter", ["country = ", "country: NEAR(1)", 'place: GEO_DISTANCE("Rome", 5)'])
    async def test_one_that_cannot_be_read_is_ignored_and_the_trace_says_so(self, filter: str) -> None:
        outcome = succeeded(await ask(filter=filter))
        assert outcome.note.startswith("The filter was ignored: ")
        assert as_object(outcome.output["200"])["answer"] == "Returns are free for 30 days after delivery."

    async def test_one_that_the_engine_cannot_do_is_left_out_of_a_second_search(self) -> None:
        stores = shelves()
        stores.engine.refused_filter = InvalidSearchFilter("country is no date", 3)
        outcome = succeeded(await ask(stores, filter='country >= "2024"'))
        assert "The filter was ignored: country is no date" in outcome.note
        assert [request.filter is None for _, request in stores.engine.asked] == [False, True]


CONFIG: JsonObject = {"filterSpecs": [{"dataStores": [DOCS], "filter": 'country: ANY("DE")'}]}


class TestSearchConfig:
    async def test_its_filters_hold_and_are_told_in_the_signals(self) -> None:
        outcome = succeeded(await ask(context=ToolContext("s", search_config=CONFIG), query="days"))
        snippets = as_list(as_object(outcome.output["200"])["snippets"])
        assert [as_object(each)["title"] for each in snippets] == ["Shipping"]
        assert outcome.signals["searchConfig"] == CONFIG

    @pytest.mark.parametrize("filter", ["", 'country: ANY("CA")'])
    async def test_one_that_the_engine_cannot_do_is_an_error(self, filter: str) -> None:
        stores = shelves()
        stores.engine.refused_filter = InvalidSearchFilter("country is no text", 3)
        failure = failed(await ask(stores, ToolContext("s", search_config=CONFIG), filter=filter))
        assert (failure.code, "country is no text" in failure.message) == ("INVALID_SEARCH_CONFIG", True)

    async def test_filters_of_the_call_hold_beside_them(self) -> None:
        outcome = await ask(context=ToolContext("s", search_config=CONFIG), query="days", filter='country: ANY("CA")')
        assert answered(outcome)["snippets"] == []

    async def test_boosts_move_documents_up(self) -> None:
        boost = {"condition": 'country: ANY("DE")', "boost": 1}
        config = {"boostSpecs": [{"spec": [{"conditionBoostSpecs": [boost]}]}]}
        body = answered(await ask(context=ToolContext("s", search_config=config), query="days returns"))
        assert as_object(as_list(body["snippets"])[0])["title"] == "Shipping"

    @pytest.mark.parametrize(
        ("config", "place"),
        [
            ({"filterSpecs": [{"filter": "country ="}]}, "searchConfig.filterSpecs[0].filter"),
            (
                {"boostSpecs": [{"spec": [{"conditionBoostSpecs": [{"condition": "x"}]}]}]},
                "searchConfig.boostSpecs[0].spec[0].conditionBoostSpecs[0].condition",
            ),
        ],
    )
    async def test_one_that_cannot_be_read_is_an_error(self, config: JsonObject, place: str) -> None:
        stores = shelves()
        failure = failed(await ask(stores, ToolContext("s", search_config=config)))
        assert (failure.code, place in failure.message) == ("INVALID_SEARCH_CONFIG", True)
        assert stores.engine.asked == []


class TestAnswers:
    @pytest.mark.proves("D5")
    async def test_a_fallback_stands_alone_where_nothing_is_found(self) -> None:
        body = answered(await ask(query="zebra", fallback="Ask a person."))
        assert body == {"answer": "Ask a person.", "snippets": []}

    async def test_without_a_fallback_a_sentence_says_that_nothing_was_found(self) -> None:
        body = answered(await ask(query="zebra"))
        assert body == {"answer": "I'm sorry, I couldn't find an answer to that.", "snippets": []}

    @pytest.mark.proves("D11")
    async def test_a_model_that_knows_too_little_is_not_heard(self) -> None:
        model = PlayedModel(says("NOT_ENOUGH_INFORMATION"))
        body = answered(await ask(context=ToolContext("s", model=model)))
        assert body["answer"] == "I'm sorry, I couldn't find an answer to that."

    @pytest.mark.proves("D8")
    @pytest.mark.parametrize(
        ("level", "answer"), [("VERY_HIGH", ""), ("", "Returns are free for 90 days.")], ids=["high", "disabled"]
    )
    async def test_an_answer_below_the_level_is_not_given(self, level: str, answer: str) -> None:
        grounding = {"groundingConfidence": level} if level else {"disabled": True}
        model = PlayedModel(says("Returns are free for 90 days."))
        outcome = succeeded(await ask(context=ToolContext("s", model=model), spec={"groundingSettings": grounding}))
        body = as_object(outcome.output["200"])
        assert body["answer"] == answer
        assert bool(body["snippets"]) is bool(answer)
        if level:
            assert as_object(outcome.signals["groundingSignals"])["decision"] == "REJECTED_BY_GROUNDING"

    @pytest.mark.parametrize(
        ("support", "decision"), [("0.1", "REJECTED_BY_GROUNDING"), ("1.0", "ACCEPTED_BY_GROUNDING")]
    )
    async def test_a_model_judges_the_claims_where_the_tool_says_so(self, support: str, decision: str) -> None:
        verdict = f'[{{"claim": 1, "support": {support}}}]'
        model = PlayedModel(says("Sending things back costs nothing for 30 days."), says(verdict))
        spec: JsonObject = {"groundingSettings": {"groundingConfidence": "HIGH", "judgeModel": "model_default"}}
        outcome = succeeded(await ask(context=ToolContext("s", model=model), spec=spec))
        assert as_object(outcome.signals["groundingSignals"])["decision"] == decision
        assert len(model.asked) == 2

    async def test_a_model_that_fails_is_told_of_in_the_trace(self) -> None:
        model = PlayedModel(ModelUnavailable("the provider is away"))
        outcome = succeeded(await ask(context=ToolContext("s", model=model)))
        assert "The summary failed: MODEL_UNAVAILABLE: the provider is away." in outcome.note


class TestModels:
    @pytest.mark.proves("D9")
    async def test_the_model_and_the_prompt_of_the_summary_can_be_chosen(self) -> None:
        prompt = (
            "Q: $original-query\nR: $rewritten-query\nS: $sources\nM: $end-user-metadata\nC: $conversation\n"
            '${conversation USER:"Human says:" AGENT:"Agent says:" TURNS:1}'
        )
        model, names = PlayedModel(says("Returns are free for 30 days.")), list[str]()

        def named(name: str) -> tuple[PlayedModel, bool]:
            names.append(name)
            return model, False

        said = [UserText("Hello"), AgentText("How can I help?"), UserText(QUESTION)]
        context = ToolContext(
            "s",
            model=PlayedModel(),
            model_named=named,
            conversation=lambda: said,
            end_user_metadata={"plan": "pro"},
        )
        spec: JsonObject = {"models": {"summarizationModel": {"model": "gemini_20_flash_001", "promptText": prompt}}}
        outcome = succeeded(await ask(context=context, spec=spec, userMetadata={"age": 42}))
        assert (names, as_object(outcome.output["200"])["answer"]) == (
            ["gemini-2.0-flash-001"],
            "Returns are free for 30 days.",
        )
        [turn] = model.asked
        [rendered] = turn.conversation
        assert isinstance(rendered, UserText)
        assert rendered.text == (
            f"Q: {QUESTION}\nR: {QUESTION}\nS: [1] Returns\nReturns are free for 30 days after delivery.\n"
            "M: The following additional information is available about the human: "
            '{"plan": "pro", "age": 42}\n'
            "C: Human: Hello\nAI: How can I help?\nHuman says: Hello\nAgent says: How can I help?"
        )
        assert as_object(outcome.signals["answerGenerationModelCallSignals"]) == {
            "renderedPrompt": rendered.text,
            "modelOutput": "Returns are free for 30 days.",
            "model": "played",
        }

    async def test_a_model_that_stands_in_is_told_of_once(self) -> None:
        model = PlayedModel(says("returns"), says("Returns are free for 30 days."))
        context = ToolContext("s", model=model, model_named=lambda name: (model, True))
        chosen = {"model": "gemini_pro"}
        spec: JsonObject = {"models": {"rewriterModel": chosen, "summarizationModel": chosen}}
        outcome = succeeded(await ask(context=context, spec=spec))
        assert outcome.note == "The server has no alias for model gemini-1.0-pro, so it uses played."

    @pytest.mark.proves("D10")
    async def test_a_model_that_rewrites_makes_the_query(self) -> None:
        stores, model = shelves(), PlayedModel(says("returns free days"), says("Returns are free for 30 days."))
        said = [UserText("Tell me of returns"), AgentText("They are free."), UserText("How long?")]
        context = ToolContext("s", model=model, conversation=lambda: said)
        spec: JsonObject = {"models": {"rewriterModel": {"model": "default"}}}
        outcome = succeeded(await ask(stores, context, spec, query="How long?"))
        assert [request.text for _, request in stores.engine.asked] == ["returns free days"]
        assert outcome.signals["rewrittenQuery"] == "returns free days"
        assert as_object(outcome.signals["rewriterModelCallSignals"])["modelOutput"] == "returns free days"

    async def test_without_one_the_conversation_completes_a_follow_up(self) -> None:
        stores = shelves()
        said = [UserText("Are returns free?"), AgentText("Yes."), UserText("and how long?")]
        await ask(stores, ToolContext("s", conversation=lambda: said, language_code="en"), query="and how long?")
        [(_, request)] = stores.engine.asked
        assert "returns" in request.text

    async def test_the_session_may_ask_in_place_of_the_model(self) -> None:
        stores = shelves()
        for parameters in ({"knowledge.overrides.query": "x y"}, {"knowledge": {"overrides": {"query": "x y"}}}):
            await ask(stores, ToolContext("s", parameters=parameters))
        await ask(stores, ToolContext("s", parameters={"knowledge.overrides.query": " "}))
        assert [request.text for _, request in stores.engine.asked] == ["x y", "x y", QUESTION]


class TestBannedPhrases:
    BANNED = (BannedTexts((("30 days", ""), ("casino", "de"))),)

    @pytest.mark.proves("D13")
    async def test_an_answer_with_one_is_not_given(self) -> None:
        outcome = succeeded(await ask(context=ToolContext("s", banned=self.BANNED)))
        assert as_object(outcome.output["200"]) == {"answer": "", "snippets": []}
        assert outcome.signals["safetySignals"] == {
            "decision": "REJECTED_BY_SAFETY_CHECK",
            "bannedPhraseMatch": "BANNED_PHRASE_MATCH_RESPONSE",
            "matchedBannedPhrase": "30 days",
        }

    async def test_a_query_with_one_is_not_searched(self) -> None:
        stores, context = shelves(), ToolContext("s", banned=self.BANNED, language_code="de")
        outcome = succeeded(await ask(stores, context, query="Wo ist das Casino?"))
        assert as_object(outcome.signals["safetySignals"])["bannedPhraseMatch"] == "BANNED_PHRASE_MATCH_QUERY"
        assert stores.engine.asked == []

    async def test_whole_words_are_asked_for_by_the_strategy(self) -> None:
        banned = (BannedTexts((("turns", ""),), whole_words=True),)
        assert answered(await ask(context=ToolContext("s", banned=banned)))["answer"]


WITH_PAYLOAD: JsonObject = {"payloadSettings": {"enableSnippetsPayload": True, "maxSnippetsCount": "1"}}


class TestPayloads:
    @pytest.mark.proves("D12")
    async def test_snippets_become_rich_content_as_many_as_the_tool_allows(self) -> None:
        outcome = succeeded(await ask(spec=WITH_PAYLOAD, query="free days"))
        info = {
            "type": "info",
            "title": "Returns",
            "subtitle": "Returns are free for 30 days after delivery.",
            "metadata": {},
            "actionLink": "https://e.example/r",
        }
        assert outcome.payloads == ({"richContent": [[info]]},)

    async def test_none_is_shown_without_an_answer_that_it_supports(self) -> None:
        assert succeeded(await ask(spec=WITH_PAYLOAD, query="zebra", fallback="None.")).payloads == ()


class TestFailures:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"requestBody": {}}, "requestBody.query: is required: what to look for"),
            ({"requestBody": "x"}, "requestBody: must be an object such as {'query': …}"),
            (
                {"requestBody": {"query": "q", "top": 3}},
                "requestBody.top: is not known; allowed are query, filter, userMetadata, fallback",
            ),
            ({"query": "q", "filter": 5}, "filter: must be text"),
            ({"query": "q", "userMetadata": []}, "userMetadata: must be an object"),
            ({"query": "q" * 10_001}, "query: has 10,001 characters; at most 10,000 are allowed"),
        ],
    )
    async def test_what_is_no_question_is_refused_with_its_place(self, arguments: JsonObject, message: str) -> None:
        resource = {"name": TOOL, "displayName": "docs", "dataStoreSpec": {"dataStoreConnections": [connection()]}}
        tool = Toolbox(Remembering(), search=shelves().search).build(resource)
        call = Call("c", tool.actions()[0], arguments)
        expected = Failure("INVALID_ARGUMENTS", message)
        assert (await tool.invoke(call, ToolContext("s")), await tool.client_arguments(call, ToolContext("s"))) == (
            expected,
            expected,
        )

    async def test_a_store_that_is_not_there_is_named(self) -> None:
        failure = failed(await ask(Shelves()))
        assert (failure.code, DOCS in failure.message) == ("NO_SUCH_DATA_STORE", True)

    async def test_the_others_answer_for_a_store_that_is_not_there_and_the_trace_says_so(self) -> None:
        connections = [connection(WEB, "PUBLIC_WEB"), connection(), connection(FAQ, "STRUCTURED")]
        config = {"filterSpecs": [{"dataStores": [WEB], "filter": 'country: ANY("DE")'}]}
        context = ToolContext("s", search_config=config)
        outcome = succeeded(await ask(context=context, spec={"dataStoreConnections": connections}))
        assert as_object(outcome.output["200"])["answer"] == "Returns are free for 30 days after delivery."
        assert outcome.note.startswith(f"This server has no data store {WEB}, {FAQ}: ")
        assert outcome.note.endswith(" The others were asked.")

    async def test_an_engine_that_is_away_is_said_to_be(self) -> None:
        stores = shelves()
        stores.engine.fault = EngineUnavailable("the index is away")
        assert failed(await ask(stores)) == Failure("UNAVAILABLE", "The search failed: the index is away.")
