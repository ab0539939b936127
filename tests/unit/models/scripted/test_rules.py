from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

import pytest

from openplaybook.models.base import AgentText, RequestedCall, UserText
from openplaybook.models.errors import ModelRejected
from openplaybook.models.scripted import ScriptedModel
from tests.unit.models.model_turns import a_turn, called, in_playbook

Scripted: TypeAlias = Callable[[str], ScriptedModel]

WEATHER = r"""
rules:
  - when:
      user: {matches: '(?i)weather in (?P<city>[A-Z]\w+)'}
    reply:
      calls:
        - name: Weather
          arguments: {city: '{{match.city}}'}
  - when: {after: get_weather, error: true}
    reply: {text: 'I could not ask: {{result.error.message}}.'}
  - when: {after: get_weather}
    reply: {text: 'It is {{result.temperature}} degrees.'}
  - when: {user: {equals: hello}}
    reply: {text: Hi.}
"""


async def test_a_function_tool_is_called_and_its_result_repeated(scripted: Scripted) -> None:
    model = scripted(WEATHER)
    asked = await model.decide(a_turn("What is the weather in Paris?"))
    told = await model.decide(a_turn("What is the weather in Paris?", *called("get_weather", {"temperature": 23.5})))
    assert asked.calls == (RequestedCall("call_1", "get_weather", {"city": "Paris"}),)
    assert asked.finish_reason == "tool_calls"
    assert (told.text, told.calls, told.finish_reason) == ("It is 23.5 degrees.", (), "stop")


async def test_an_error_result_takes_the_rule_that_asks_for_errors(scripted: Scripted) -> None:
    failed = called("get_weather", {"error": {"message": "no such city"}}, is_error=True)
    reply = await scripted(WEATHER).decide(a_turn("What is the weather in Xx?", *failed))
    assert reply.text == "I could not ask: no such city."


async def test_rules_about_words_do_not_fit_after_a_result(scripted: Scripted) -> None:
    with pytest.raises(ModelRejected) as caught:
        await scripted(WEATHER).decide(a_turn("hello", *called("pets__getPet", {})))
    assert str(caught.value) == "play.yaml: no rule fits playbook 'Start' after the result of pets__getPet."


async def test_words_no_rule_fits_are_refused(scripted: Scripted) -> None:
    with pytest.raises(ModelRejected) as caught:
        await scripted(WEATHER).decide(a_turn("goodbye"))
    assert str(caught.value) == "play.yaml: no rule fits playbook 'Start' after what the user said."


async def test_the_first_rule_that_fits_wins(scripted: Scripted) -> None:
    model = scripted("rules: [{when: {user: {contains: PET}}, reply: {text: one}}, {reply: {text: two}}]")
    assert (await model.decide(a_turn("my pets"))).text == "one"
    assert (await model.decide(a_turn("my cars"))).text == "two"


async def test_a_rule_without_conditions_fits_after_results_too(scripted: Scripted) -> None:
    model = scripted("rules: [{reply: {text: 'Done: {{result.ok}}'}}]")
    assert (await model.decide(a_turn("go", *called("get_weather", {"ok": True})))).text == "Done: true"


async def test_a_rule_can_ask_for_the_playbook(scripted: Scripted) -> None:
    model = scripted("rules: [{when: {playbook: Booking}, reply: {text: child}}, {reply: {text: parent}}]")
    assert (await model.decide(in_playbook(a_turn("hello"), "Booking"))).text == "child"
    assert (await model.decide(a_turn("hello"))).text == "parent"


async def test_a_rule_can_ask_how_often_the_user_has_spoken(scripted: Scripted) -> None:
    model = scripted("rules: [{when: {turn: 2}, reply: {text: second}}, {reply: {text: other}}]")
    assert (await model.decide(a_turn("a"))).text == "other"
    assert (await model.decide(a_turn("a", AgentText("other"), "b"))).text == "second"


async def test_a_called_playbook_without_words_of_its_own_sees_those_before_it(scripted: Scripted) -> None:
    model = scripted("rules: [{when: {user: {contains: table}}, reply: {text: How many}}]")
    turn = replace(a_turn(), preceding_conversation=(UserText("a table please"),))
    assert (await model.decide(turn)).text == "How many"


async def test_a_rule_may_be_played_a_number_of_times(scripted: Scripted) -> None:
    model = scripted("rules: [{times: 1, reply: {text: first}}, {reply: {text: later}}]")
    assert [(await model.decide(a_turn("x"))).text for _ in range(3)] == ["first", "later", "later"]


async def test_after_a_star_is_any_result(scripted: Scripted) -> None:
    model = scripted("rules: [{when: {after: '*'}, reply: {text: seen}}]")
    assert (await model.decide(a_turn("x", *called("pets__listPets", {})))).text == "seen"


async def test_after_a_tool_is_any_of_its_actions(scripted: Scripted) -> None:
    model = scripted("rules: [{when: {after: pets}, reply: {text: seen}}]")
    assert (await model.decide(a_turn("x", *called("pets__listPets", {})))).text == "seen"


async def test_after_finds_its_result_among_several(scripted: Scripted) -> None:
    model = scripted("rules: [{when: {after: pets.getPet}, reply: {text: '{{result.name}}'}}]")
    results = (called("pets__getPet", {"name": "Rex"}), called("get_weather", {"name": "Paris"}))
    calls, outputs = zip(*results, strict=True)
    assert (await model.decide(a_turn("x", *calls, *outputs))).text == "Rex"


async def test_the_evidence_names_the_line_of_the_rule(scripted: Scripted) -> None:
    reply = await scripted(WEATHER).decide(a_turn("hello"))
    assert reply.evidence == {"script": "play.yaml", "line": 13}
