import threading
from dataclasses import replace
from typing import Any

import pytest

from openplaybook.jsonvalues import as_object, dumps
from openplaybook.models.base import ModelReply, ModelTurn, TextDelta, UserText
from openplaybook.models.offline import OfflineModel
from openplaybook.models.offline.knowledge.playbook_index import IndexCache, PlaybookIndex, build_index
from openplaybook.models.offline.planner import plan
from openplaybook.models.offline.planner_state import PlannerDecision
from openplaybook.models.offline.situation import Situation
from openplaybook.resources.compiled_forms import InstructionStep
from tests.unit.models.offline.agents import pets
from tests.unit.models.offline.talk import Talk


def indexed(cache: IndexCache, turn: ModelTurn) -> PlaybookIndex:
    return cache.known(turn) or cache.keep(turn, build_index(turn))


async def test_the_model_has_a_name_and_nothing_to_close() -> None:
    model = OfflineModel()
    await model.aclose()
    assert model.name == "offline"


async def test_equal_turns_get_equal_replies() -> None:
    talk = Talk(pets.agent())
    talk.conversation = [UserText("add a dog named Rex owned by Kim")]
    assert await talk.model.decide(talk.turn()) == await OfflineModel().decide(talk.turn())


async def test_a_stream_says_the_words_piece_by_piece_and_ends_with_the_reply() -> None:
    talk = Talk(pets.agent())
    talk.conversation = [UserText("bye")]
    items = [item async for item in talk.model.stream(talk.turn())]
    assert items[:-1] == [TextDelta("Goodbye!")]
    assert items[-1] == await talk.model.decide(talk.turn())
    talk.conversation = [UserText("hi")]
    spoken = [item async for item in talk.model.stream(talk.turn())]
    *pieces, reply = spoken
    assert isinstance(reply, ModelReply)
    assert "".join(piece.text for piece in pieces if isinstance(piece, TextDelta)) == reply.text
    assert len(pieces) == len(reply.text.split())


async def test_a_decision_carries_its_evidence() -> None:
    talk = Talk(pets.agent())
    talk.conversation = [UserText("show me pet 3")]
    reply = await talk.model.decide(talk.turn())
    evidence = reply.evidence
    assert dumps(evidence)
    assert evidence["rule"] == "wanted_function"
    assert as_object(evidence["candidates"][0]) == {
        "name": "getPet",
        "score": 1.0,
        "example": "Pet that does not exist",
    }
    assert evidence["slots"] == [
        {"slot": "petId", "value": 3, "source": "span:number", "words": ["3"], "at": [12], "score": 1.45}
    ]
    assert reply.finish_reason == "tool_calls"


def test_an_index_is_built_once_for_a_playbook() -> None:
    cache, turn = IndexCache(), Talk(pets.agent()).turn()
    first = indexed(cache, turn)
    assert indexed(cache, turn) is first
    equal = replace(turn, declarations=(*turn.declarations,), examples=(*turn.examples,))
    assert indexed(cache, equal) is first
    assert indexed(cache, replace(turn, examples=())) is not first


def test_the_oldest_of_many_indexes_is_forgotten() -> None:
    cache, turn = IndexCache(), Talk(pets.agent()).turn()
    first = indexed(cache, turn)
    for number in range(40):
        indexed(cache, replace(turn, examples=(replace(turn.examples[0], display_name=str(number)),)))
    assert indexed(cache, turn) is not first


@pytest.mark.parametrize(
    ("change", "is_aside"),
    [
        ({}, False),
        ({"goal": "a" * 60_000}, True),
        ({"instructions": (InstructionStep("a", steps=(InstructionStep("b" * 60_000),)),)}, True),
    ],
)
async def test_a_playbook_with_much_in_it_is_learned_beside_the_event_loop(
    monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], is_aside: bool
) -> None:
    threads: list[threading.Thread] = []

    def noted(turn: ModelTurn) -> PlaybookIndex:
        threads.append(threading.current_thread())
        return build_index(turn)

    monkeypatch.setattr("openplaybook.models.offline.offline_model.build_index", noted)
    talk = Talk(pets.agent())
    talk.conversation = [UserText("show me pet 3")]
    for _ in range(2):
        await talk.model.decide(replace(talk.turn(), **change))

    assert [thread is not threading.main_thread() for thread in threads] == [is_aside]


async def test_long_words_are_understood_beside_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[str] = []

    def noted(situation: Situation) -> PlannerDecision:
        threads.append(threading.current_thread().name)
        return plan(situation)

    monkeypatch.setattr("openplaybook.models.offline.offline_model.plan", noted)
    talk = Talk(pets.agent())
    replies: list[ModelReply] = []
    for text in ("show me pet 3", "show me pet 3" + " please" * 100):
        talk.conversation = [UserText(text)]
        replies.append(await talk.model.decide(talk.turn()))
    assert threads == [threading.main_thread().name, "openplaybook-long-texts-1"]
    assert [[call.arguments for call in reply.calls] for reply in replies] == [[{"petId": 3}]] * 2
