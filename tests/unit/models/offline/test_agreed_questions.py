"""A yes with more behind it: a question is answered beside, thanks and the act itself say nothing else."""

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import Effect
from tests.unit.models.offline.talk import Agent, Talk, example, function

TEXT: JsonObject = {"type": "string"}
JOIN = ("join_tour", {"tour": "T1", "people": 4})


def _gives(output: JsonValue) -> tuple[JsonValue, bool]:
    return output, False


def museum() -> Agent:
    day: JsonObject = {"day": {**TEXT, "format": "date", "description": "Day"}}
    return Agent(
        "Visitor desk of a museum",
        (
            function("opening_hours", "Opening hours of the museum on a day", day),
            function(
                "join_tour",
                "Join a guided tour",
                {"tour": {**TEXT, "description": "Code of the tour"}, "people": {"type": "integer"}},
                ["tour", "people"],
                Effect.CHANGES,
            ),
        ),
        (
            example(
                "Hours",
                "U: what are the opening hours on Sunday?",
                ("opening_hours", {"day": "2026-11-22"}, {"opens": "11:00", "closes": "17:00"}),
                "A: We are open from 11:00 to 17:00.",
            ),
        ),
        {
            "opening_hours": lambda given: _gives({"opens": "10:00", "closes": "18:00"}),
            "join_tour": lambda given: _gives({"joined": True}),
        },
    )


async def asked_for_a_yes() -> Talk:
    talk = Talk(museum())
    assert (await talk.say("join tour T1 with 4 people, or can I?")).endswith("Is that right?")
    assert talk.calls == []
    return talk


@pytest.mark.parametrize(
    "said",
    [
        "Yes, and what are the opening hours on Sunday?",
        "yes. What are the opening hours on Sunday?",
        "yes and when is it open on Sunday?",
        "ok, and tell me the opening hours on Sunday",
    ],
)
async def test_a_yes_with_a_question_is_done_and_the_question_answered(said: str) -> None:
    talk = await asked_for_a_yes()
    answer = await talk.say(said)
    assert talk.calls == [JOIN, ("opening_hours", {"day": "2026-11-22"})]
    assert answer.endswith("We are open from 10:00 to 18:00.")


@pytest.mark.parametrize(
    "said",
    [
        "Yes, and what does it cost?",
        "Yes, but what are the opening hours on Sunday?",
        "Yes, if you are open on Sunday",
        "Yes, and what happens if I cancel?",
        "and what are the opening hours on Sunday?",
    ],
)
async def test_a_question_that_may_be_a_doubt_is_no_yes(said: str) -> None:
    talk = await asked_for_a_yes()
    await talk.say(said)
    assert JOIN not in talk.calls


@pytest.mark.parametrize("said", ["yes, thank you", "ok, join the tour", "Ja, danke", "sure, thanks"])
async def test_thanks_and_the_act_itself_beside_a_yes_are_a_yes(said: str) -> None:
    talk = await asked_for_a_yes()
    await talk.say(said)
    assert talk.calls == [JOIN]


@pytest.mark.parametrize("said", ["no, thanks", "nein, vielen Dank", "thanks"])
async def test_thanks_alone_or_beside_a_no_are_no_yes(said: str) -> None:
    talk = await asked_for_a_yes()
    await talk.say(said)
    assert talk.calls == []
