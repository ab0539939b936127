"""What a replay shows when the agent is not what it was."""

from collections.abc import Callable, Sequence

import pytest

from openplaybook.recordings.differences import ReplayDifference
from openplaybook.recordings.errors import NothingToReplay
from openplaybook.recordings.form import Recording
from openplaybook.recordings.matchers import WordMatch
from openplaybook.recordings.recording_yaml import parse_recording
from openplaybook.recordings.replay import updated_recording
from openplaybook.recordings.step_form import RecordedCall, RecordedDecision, RecordedError
from openplaybook.recordings.turn_comparison import ComparisonOptions, compare
from openplaybook.tools.base import ExecutionPlace, Success
from tests.kit.agents import AgentDraft, PlayedModel, calls, says
from tests.kit.recordings import Talk, found, replayed, staged


def shop(**start: object) -> AgentDraft:
    draft = AgentDraft()
    draft.playbook("Start", "Use ${TOOL: pets}, ${TOOL: weather}, then ${PLAYBOOK: Returns}.", start=True, **start)
    draft.playbook("Returns", "Use ${TOOL: pets}.")
    draft.tool("pets", "getPet", answer=lambda call, context: Success({"200": {"asked": call.arguments}}))
    draft.tool("weather", place=ExecutionPlace.CLIENT)
    return draft


def without_pets() -> AgentDraft:
    draft = shop()
    draft.tool("pets", "listPets")
    return draft


def without_returns() -> AgentDraft:
    draft = shop()
    draft.playbook("Start", "Use ${TOOL: pets} and ${TOOL: weather}.", start=True)
    return draft


def weather_of_the_server() -> AgentDraft:
    draft = shop()
    draft.tool("weather")
    return draft


def greeting() -> AgentDraft:
    fulfillment = {"messages": [{"text": {"text": ["Welcome!"]}}]}
    return shop(handlers=[{"lifecycleHandler": {"lifecycleStage": "playbook-start", "fulfillment": fulfillment}}])


async def recording() -> Recording:
    part = (
        calls(("getPet", {"petId": 3})),
        says("It is Rex."),
        calls(("Returns", {})),
        calls(("end_playbook", {"state": "OK"})),
        says("Returned."),
        calls(("weather", {"city": "Rome"})),
        says("It is warm."),
    )
    async with staged(shop()) as stage:
        talk = Talk(stage, PlayedModel(*part))
        for text in ("pet 3", "return it", "weather?"):
            await talk.say(text)
        await talk.give("weather", "weather", output={"temperature": 30})
        return await talk.recorded()


def places(turns: Sequence[Sequence[ReplayDifference]]) -> list[list[str]]:
    return [[each.where for each in turn] for turn in turns]


def made(recording: Recording) -> list[RecordedCall]:
    """All calls that a model asked for."""
    steps = [step for turn in recording.turns for step in turn.steps or ()]
    return [call for step in steps if isinstance(step, RecordedDecision) for call in step.calls]


@pytest.mark.proves("X6")
@pytest.mark.parametrize(
    ("agent", "shown"),
    [
        (shop, [[], [], [], []]),
        (without_pets, [["pets.getPet fails"], [], [], []]),
        (without_returns, [[], ["enters Returns", "leaves Returns", "Returns", "end of playbook"], [], []]),
        (
            weather_of_the_server,
            [
                [],
                [],
                ["weather.weather fails", "asks the client for weather.weather", "the turn is cut short"],
                ["the turn fails"],
            ],
        ),
        (greeting, [["pets.getPet", "handler playbook-start", "says"], [], [], []]),
    ],
)
async def test_a_change_of_the_agent_shows_where_it_matters(
    agent: Callable[[], AgentDraft], shown: list[list[str]]
) -> None:
    assert places(await found(await recording(), agent())) == shown


HAND_WRITTEN = """
recording: 1
turns:
- user: pet 3
  steps:
  - enters: Start
  - decides: Start
    calls:
    - tool: pets
      action: getPet
      arguments: {petId: 3, when: "[any]"}
      output: {name: Rex}
    - tool: pets
      action: getPet
      arguments: {petId: 4}
      error: {code: HTTP_ERROR, message: gone}
      output: {"404": {}}
  - decides: Start
    says: "Pet 3 is  Rex!"
"""


async def test_a_recording_written_by_hand_is_replayed() -> None:
    assert await found(parse_recording(HAND_WRITTEN), shop()) == [[]]


@pytest.mark.parametrize(
    ("words", "said", "same"),
    [
        (WordMatch.EXACT, "Pet 3 is  Rex!", True),
        (WordMatch.EXACT, "Pet 3 is Rex!", False),
        (WordMatch.EXACT, "Pet [any] is  Rex!", True),
        (WordMatch.NORMALISED, "pet 3 is rex", True),
        (WordMatch.NORMALISED, "Pet 3 is Rex, a dog", False),
        (WordMatch.CONTAINS, "is rex", True),
        (WordMatch.CONTAINS, "is max", False),
        (WordMatch.IGNORED, "anything", True),
    ],
)
async def test_words_are_compared_as_asked(words: WordMatch, said: str, same: bool) -> None:
    expected = parse_recording(HAND_WRITTEN.replace("Pet 3 is  Rex!", said))
    model = PlayedModel(
        calls(("getPet", {"petId": 3, "when": "now"}), ("getPet", {"petId": 4})), says("Pet 3 is  Rex!")
    )
    happened = await replayed(expected, shop(), model)
    shown = [] if same else [ReplayDifference("says", said, "Pet 3 is  Rex!")]
    assert compare(expected, happened, ComparisonOptions(words)) == [shown]


async def test_a_model_of_today_is_answered_from_the_recording_by_what_it_asks() -> None:
    model = PlayedModel(calls(("getPet", {"petId": 4}), ("getPet", {"petId": 9})), says("Done."))
    happened = await replayed(parse_recording(HAND_WRITTEN), shop(), model)
    answers = [(call.error and call.error.code, call.output) for call in made(happened)]
    assert answers == [("HTTP_ERROR", {"404": {}}), (None, {"name": "Rex"})]


async def test_a_call_without_any_answer_on_record_fails_in_words() -> None:
    model = PlayedModel(calls(*[("getPet", {"petId": n}) for n in (7, 8, 9)]), says("Done."))
    happened = await replayed(parse_recording(HAND_WRITTEN), shop(), model)
    message = "The recording has no answer of pets.getPet to these arguments."
    assert made(happened)[2].error == RecordedError(code="NOT_RECORDED", message=message)


async def test_updated_recordings_show_no_difference_and_keep_their_marks() -> None:
    expected = parse_recording(HAND_WRITTEN.replace("enters: Start", "enters: Begin"))
    for _ in range(2):
        happened = await replayed(expected, shop())
        differ = await found(expected, shop())
        expected = updated_recording(expected, happened, differ)
    assert await found(expected, shop()) == [[]]
    same = parse_recording(HAND_WRITTEN)
    kept = updated_recording(same, await replayed(same, shop()), [[]])
    assert kept.turns == same.turns


async def test_a_recording_without_decisions_needs_a_model() -> None:
    bare = parse_recording("recording: 1\nturns:\n- user: hello\n  says: [Hi]\n")
    with pytest.raises(NothingToReplay, match="--model offline"):
        await found(bare, shop())
    assert (await replayed(bare, shop(), PlayedModel(says("Hi")))).turns[0].at == "Start"
