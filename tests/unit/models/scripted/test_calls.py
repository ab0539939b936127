from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

import pytest

from openplaybook.models.base import RequestedCall
from openplaybook.models.errors import ModelRejected
from openplaybook.models.scripted import ScriptedModel
from tests.unit.models.model_turns import a_turn, called

Scripted: TypeAlias = Callable[[str], ScriptedModel]


async def test_several_calls_come_in_one_reply_with_words(scripted: Scripted) -> None:
    reply = await scripted("""
rules:
  - reply:
      text: One moment.
      calls: [{name: Weather, arguments: {city: Rome}}, {name: pets.listPets}, {name: Booking, id: mine}]
""").decide(a_turn("x"))
    assert reply.text == "One moment."
    assert reply.calls == (
        RequestedCall("call_1", "get_weather", {"city": "Rome"}),
        RequestedCall("call_2", "pets__listPets", {}),
        RequestedCall("mine", "Booking", {}),
    )


async def test_ids_go_on_after_those_of_earlier_calls(scripted: Scripted) -> None:
    model = scripted("rules: [{reply: {calls: [{name: Weather}]}}]")
    reply = await model.decide(a_turn("x", *called("get_weather", {}), "y"))
    assert [call.id for call in reply.calls] == ["call_2"]


async def test_a_tool_with_several_actions_is_no_name_for_a_call(scripted: Scripted) -> None:
    with pytest.raises(ModelRejected) as caught:
        await scripted("rules: [{reply: {calls: [{name: pets}]}}]").decide(a_turn("x"))
    assert str(caught.value) == "play.yaml: 'pets' may be any of pets__getPet, pets__listPets."


async def test_a_name_that_is_not_declared_is_called_as_written(scripted: Scripted) -> None:
    reply = await scripted("rules: [{reply: {calls: [{name: no_such}]}}]").decide(a_turn("x"))
    assert reply.calls[0].name == "no_such"


async def test_garbage_arguments_are_handed_on(scripted: Scripted) -> None:
    reply = await scripted("rules: [{reply: {calls: [{name: Weather, arguments: '{not json'}]}}]").decide(a_turn("x"))
    assert reply.calls[0].arguments == "{not json"


async def test_a_lone_template_keeps_the_type_of_its_value(scripted: Scripted) -> None:
    model = scripted(r"""
rules:
  - when: {user: {matches: 'pet (\d+) and (?P<price>[\d.]+)'}}
    reply:
      calls:
        - name: pets.getPet
          arguments:
            petId: '{{match.1|int}}'
            price: '{{ match.price | number }}'
            requestBody: {words: ['{{user}}'], tags: '{{inputs.tags}}', note: 'from {{parameters.owner}}'}
""")
    turn = replace(a_turn("pet 37 and 2.50"), inputs={"tags": ["a", 1]}, parameters={"owner": "Kim"})
    reply = await model.decide(turn)
    assert reply.calls[0].arguments == {
        "petId": 37,
        "price": 2.5,
        "requestBody": {"words": ["pet 37 and 2.50"], "tags": ["a", 1], "note": "from Kim"},
    }


async def test_results_of_every_earlier_call_are_at_hand(scripted: Scripted) -> None:
    model = scripted("rules: [{reply: {text: '{{results.pets__getPet.200.0.name}} in {{result.city}}'}}]")
    first, second = called("pets__getPet", {"200": [{"name": "Rex"}]}), called("get_weather", {"city": "Rome"})
    assert (await model.decide(a_turn("x", *first, *second))).text == "Rex in Rome"


@pytest.mark.parametrize(
    ("template", "problem"),
    [
        ("{{result.missing}}", "{{result.missing}}: unknown key 'missing'"),
        ("{{result.names.2}}", "{{result.names.2}}: unknown key '2'"),
        ("{{match.city}}", "{{match.city}}: unknown key 'city'"),
        ("{{result.word|int}}", "{{result.word|int}}: the value there is not a number"),
    ],
)
async def test_a_template_without_a_value_is_refused_with_its_place(
    scripted: Scripted, template: str, problem: str
) -> None:
    model = scripted(f"rules:\n  - reply:\n      text: '{template}'\n")
    with pytest.raises(ModelRejected) as caught:
        await model.decide(a_turn("x", *called("get_weather", {"names": ["a"], "word": "b"})))
    assert str(caught.value) == f"play.yaml, line 2, $.rules[0]: {problem}"
