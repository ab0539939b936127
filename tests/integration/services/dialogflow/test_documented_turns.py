"""What Google documents of a turn's request and answer, beside words and calls."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.model_directory import ModelDirectory
from openplaybook.resources.guardrails import REFUSAL
from openplaybook.services.registrations import register_detect_intent
from openplaybook.storage.base import Store
from openplaybook.storage.sqlite import SqliteStore
from openplaybook.telemetry.metrics import Metrics
from openplaybook.turns.engine import TurnEngine
from openplaybook.turns.turn_streams import TurnStreams
from openplaybook.wire.api import load_api
from openplaybook.wire.context import RpcContext
from openplaybook.wire.errors import RpcError
from openplaybook.wire.registry import Registry
from tests.kit.agents import AGENT, SESSION, AgentDraft, PlayedModel, says
from tests.kit.made_tables import with_tables
from tests.kit.sealing import SEALER

API = load_api()
DETECT = API.methods["google.cloud.dialogflow.cx.v3beta1.Sessions.DetectIntent"]
SAFETY = {
    "defaultBannedPhraseMatchStrategy": "WORD_MATCH",
    "bannedPhrases": [{"text": "Rival Inc", "languageCode": "en"}, {"text": " ", "languageCode": "en"}],
}


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = SqliteStore(with_tables(tmp_path / "openplaybook.db"))
    await opened.open()
    yield opened
    await opened.close()


class Conversation:
    """One session of an agent whose model plays a part."""

    def __init__(self, store: Store, draft: AgentDraft, *part: str) -> None:
        self._store = store
        self._draft = draft
        self.model = PlayedModel(*map(says, part))
        self._registry = Registry(API)

    async def begin(self) -> None:
        await self._draft.put(self._store)
        models = ModelDirectory(self.model, {})
        engine = TurnEngine(
            store=self._store, toolbox=self._draft.shelf, models=models, metrics=Metrics(), owner="o", sealer=SEALER
        )
        register_detect_intent(self._registry, API, self._store, engine, TurnStreams(engine))

    async def say(self, words: str, **parameters: object) -> JsonObject:
        """The query result of a turn."""
        return (await self.ask({"text": {"text": words}}, parameters))["queryResult"]

    async def ask(self, given: JsonObject, parameters: JsonObject, **more: object) -> JsonObject:
        body: JsonObject = {
            "session": SESSION,
            "queryInput": {**given, "languageCode": "en"},
            "queryParams": parameters,
            **more,
        }
        message = API.codec.from_json(body, API.message(DETECT.input.full_name)())
        context = RpcContext(DETECT.full_name, "v3beta1", "rest")
        return API.codec.to_json(await self._registry.call(DETECT, message, context))


async def conversation(store: Store, *part: str, settings: JsonObject | None = None, **agent: object) -> Conversation:
    draft = AgentDraft(**agent)
    draft.playbook("Start", "Be kind.", start=True)
    if settings is not None:
        name = f"{AGENT}/generativeSettings/en"
        draft.document("generative_settings", name, {"name": name, "languageCode": "en", **settings})
    made = Conversation(store, draft, *part)
    await made.begin()
    return made


def texts(result: JsonObject) -> list[str]:
    return [message["text"]["text"][0] for message in result["responseMessages"]]


async def test_a_parameter_that_is_null_is_taken_away(store: Store) -> None:
    talk = await conversation(store, "One.", "Two.", "Three.")
    assert (await talk.say("a", parameters={"city": "Paris", "zip": None}))["parameters"] == {"city": "Paris"}
    assert (await talk.say("b", parameters={"city": None, "day": 1}))["parameters"] == {"day": 1}
    assert (await talk.say("c"))["parameters"] == {"day": 1}


async def test_the_event_that_began_a_turn_is_told(store: Store) -> None:
    talk = await conversation(store, "Hello?")
    result = (await talk.ask({"event": {"event": "sys.no-input-default"}}, {}))["queryResult"]
    assert (result["triggerEvent"], "text" in result) == ("sys.no-input-default", False)


@pytest.mark.parametrize("enabled", [True, False])
async def test_an_agent_that_wants_feedback_says_so(store: Store, enabled: bool) -> None:
    talk = await conversation(store, "Yes.", answerFeedbackSettings={"enableAnswerFeedback": enabled})
    assert (await talk.say("a")).get("allowAnswerFeedback", False) is enabled


async def test_what_is_not_honoured_is_named(store: Store) -> None:
    talk = await conversation(store, "Yes.", "No.")
    asked = {
        "currentPage": f"{AGENT}/flows/f/pages/p",
        "flowVersions": [f"{AGENT}/flows/f/versions/1"],
        "analyzeQueryTextSentiment": True,
        "sessionEntityTypes": [{"name": f"{SESSION}/entityTypes/e", "entityOverrideMode": 1}],
    }
    speech = {"audioEncoding": "OUTPUT_AUDIO_ENCODING_MP3"}
    told = (await talk.ask({"text": {"text": "a"}}, asked, outputAudioConfig=speech))["queryResult"]["diagnosticInfo"]
    assert told["Not Honoured"] == [
        "query_params.session_entity_types: entity types belong to flows, and flows are not run here",
        "query_params.current_page: flows are not run here",
        "query_params.flow_versions: flows are not run here",
        "query_params.analyze_query_text_sentiment: sentiment is not analysed here",
        "output_audio_config: this server has no speech output",
    ]
    assert "Not Honoured" not in (await talk.say("b"))["diagnosticInfo"]


async def test_a_banned_phrase_reaches_no_model(store: Store) -> None:
    talk = await conversation(store, "Fine.", settings={"generativeSafetySettings": SAFETY})
    assert texts(await talk.say("is RIVAL INC. cheaper?")) == [REFUSAL]
    assert texts(await talk.say("the rival incident")) == ["Fine."]
    (heard,) = talk.model.asked
    assert "RIVAL" not in str(heard)


async def test_a_banned_phrase_is_not_said(store: Store) -> None:
    talk = await conversation(store, "Ask Rival Inc!", settings={"generativeSafetySettings": SAFETY})
    result = await talk.say("who else?")
    assert texts(result) == [REFUSAL]
    assert any("banned phrases" in notice for notice in result["diagnosticInfo"]["Notices"])


async def test_a_part_of_a_word_is_enough_unless_words_are_asked_for(store: Store) -> None:
    banned = {"bannedPhrases": [{"text": "rival", "languageCode": "de"}]}
    talk = await conversation(store, "Fine.", settings={"generativeSafetySettings": banned})
    assert texts(await talk.say("your RIVALS?")) == [REFUSAL]


async def test_the_id_of_a_session_has_36_characters_at_most(store: Store) -> None:
    talk = await conversation(store, "Yes.", "Still.")
    name = SESSION.rpartition("/")[0] + "/" + "s" * 37
    with pytest.raises(RpcError) as refused:
        await talk.ask({"text": {"text": "a"}}, {}, session=name)
    assert refused.value.message == "session: the id of a session has at most 36 characters"
    assert texts(await talk.say("a")) == ["Yes."]


async def test_a_session_of_a_longer_id_that_has_begun_goes_on(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    talk = await conversation(store, "Yes.", "Still.")
    name = SESSION.rpartition("/")[0] + "/" + "s" * 37
    with monkeypatch.context() as older:
        older.setattr("openplaybook.services.dialogflow.detect_intent.LONGEST_SESSION_ID", 99)
        await talk.ask({"text": {"text": "a"}}, {}, session=name)
    result = await talk.ask({"text": {"text": "b"}}, {}, session=name)
    assert texts(result["queryResult"]) == ["Still."]
