"""The offline model among several playbooks: their instructions say when another one is meant, and it comes back."""

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.model_directory import ModelDirectory
from openplaybook.models.offline import OfflineModel
from openplaybook.storage.base import Store
from openplaybook.telemetry.metrics import Metrics
from openplaybook.tools.base import Success
from openplaybook.turns.base import TextMessage, TurnResult
from openplaybook.turns.engine import TurnEngine
from tests.integration.turns.conftest import asked
from tests.kit.agents import AGENT, SESSION, START, AgentDraft
from tests.kit.sealing import SEALER

CARDS = f"{AGENT}/playbooks/Emergency desk"


def office(line: str) -> AgentDraft:
    draft = AgentDraft()
    draft.playbook("Start", "Help people at the counter.", line, start=True, goal="Help people at the counter")
    draft.playbook("Emergency desk", "Use ${TOOL: blockCard}.", goal="Quick help")
    draft.tool("blockCard", answer=lambda call, context: Success({"200": {"blocked": "today"}}))
    return draft


async def talk(store: Store, draft: AgentDraft, *lines: str) -> list[TurnResult]:
    await draft.put(store)
    models, shelf = ModelDirectory(OfflineModel(), {}), draft.shelf
    engine = TurnEngine(store=store, toolbox=shelf, models=models, metrics=Metrics(), owner="owner", sealer=SEALER)
    results: list[TurnResult] = []
    for line in lines:
        results.append(await engine.run(asked(line)))
        engine.delivered(SESSION, results[-1].turn)
    return results


def words(result: TurnResult) -> list[str]:
    return [message.text for message in result.messages if isinstance(message, TextMessage)]


async def test_a_playbook_is_entered_when_the_instructions_say_that_it_is_meant(store: Store) -> None:
    line = "If somebody has lost a purse or a card, go to ${PLAYBOOK: Emergency desk}."
    (entered, done) = await talk(store, office(line), "I have lost my purse", "yes")
    assert entered.current_playbook == CARDS
    assert words(entered) == ["I will do the following: does blockCard. Is that right?"]
    assert done.current_playbook == START, words(done)
    assert words(done)[-1] == "Is there anything else I can do for you?"


async def test_a_plain_name_in_the_instructions_does_as_well(store: Store) -> None:
    line = "For a lost purse use the emergency desk. ${PLAYBOOK: Emergency desk}"
    (entered,) = await talk(store, office(line), "my purse is lost")
    assert entered.current_playbook == CARDS


async def test_an_entered_playbook_opens_as_its_example_does(store: Store) -> None:
    draft = office("If somebody has lost a purse, go to ${PLAYBOOK: Emergency desk}.")
    shown: JsonObject = {
        "displayName": "Lost",
        "actions": [
            {"agentUtterance": {"text": "Keep calm, please. Shall I block your card?"}},
            {"userUtterance": {"text": "yes"}},
            {"toolUse": {"tool": f"{AGENT}/tools/blockCard", "action": "blockCard", "outputActionParameters": {}}},
            {"agentUtterance": {"text": "It is blocked."}},
        ],
    }
    draft.document("example", f"{CARDS}/examples/e", shown)
    entered, done = await talk(store, draft, "I lost my purse!", "yes")
    assert words(entered) == ["Keep calm, please. Shall I block your card?"]
    assert done.current_playbook == START, words(done)


async def test_what_the_instructions_do_not_name_is_not_entered(store: Store) -> None:
    line = "If somebody has lost a purse, go to ${PLAYBOOK: Emergency desk}."
    (asked_for,) = await talk(store, office(line), "when do you open on Sundays?")
    assert asked_for.current_playbook == START


async def test_words_that_belong_to_another_playbook_go_there_by_the_caller(store: Store) -> None:
    draft = AgentDraft()
    lines = "For breakfast go to ${PLAYBOOK: Breakfast}. For taxis go to ${PLAYBOOK: Taxi}."
    start = draft.playbook("Start", lines, start=True, goal="Help the guests of a hotel")
    for name, said, answer in (
        ("Breakfast", "when is breakfast?", "Breakfast is from 7 to 10."),
        ("Taxi", "where are the taxis?", "Taxis wait at the back door."),
        ("", "when do I have to check out?", "Until 11 o'clock."),
    ):
        playbook = name and draft.playbook(name, goal=f"Answer questions about {name.casefold()}")
        shown: JsonObject = {
            "displayName": "Shown",
            "actions": [{"userUtterance": {"text": said}}, {"agentUtterance": {"text": answer}}],
        }
        draft.document("example", f"{playbook or start}/examples/e", shown)
    first, second, third, fourth = await talk(
        store, draft, "when is breakfast?", "where are the taxis?", "when do I have to check out?", "do you sell hats?"
    )
    assert words(first) == ["Breakfast is from 7 to 10."]
    assert words(second) == ["Taxis wait at the back door."]
    assert words(third) == ["Until 11 o'clock."]
    assert fourth.current_playbook == START
