"""Odd schemas, odd words, odd states: an answer each time, and soon."""

import time
from collections.abc import Callable

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import UserText
from openplaybook.models.offline.planner import plan
from openplaybook.models.offline.planner_state import PlannerState
from tests.kit.thoroughness import examples
from tests.unit.models.offline.agents import orders, pets, tables, weather
from tests.unit.models.offline.situations import situation
from tests.unit.models.offline.talk import Agent, Talk, example, function

AGENTS: list[Callable[[], Agent]] = [pets.agent, orders.agent, tables.agent, weather.agent]
TEXT: JsonObject = {"type": "string"}


@pytest.mark.parametrize("build", AGENTS)
@pytest.mark.parametrize(
    "text",
    [
        "my  name   is\tRex",
        "book for Frıday at MİDNİGHT",
        "\u0000\u0001",
        "\ud83d\ude00 pets?",
        "ﬁnd pets",
        "show\u200bpets",
        "Mu\u0308ller",
        "۱۲۳ ٣",
        "'" * 300,
        '"' * 301,
        "a" * 20_000,
        "a " * 10_000,
        "1-" * 5_000,
        "🐶" * 2_000,
        "\n" * 500,
        "show pet " + "9" * 400,
        "and " * 400,
        "{{}} {0} %s \\",
    ],
)
async def test_any_odd_words_are_answered_soon(build: Callable[[], Agent], text: str) -> None:
    talk = Talk(build())
    began = time.process_time()
    await talk.say("show me all pets")
    await talk.say(text)
    assert time.process_time() - began < 5
    assert talk.rules != []


async def test_a_name_said_with_wide_blanks_is_taken() -> None:
    talk = Talk(pets.agent())
    await talk.say("I want to add a pet")
    await talk.say("its  name   is Rex")
    assert talk.calls == [("createPet", {"requestBody": {"name": "Rex"}})]


def test_a_function_with_very_many_slots_is_no_trouble() -> None:
    properties: JsonObject = {f"slot{number}": {"enum": ["red", "green"]} for number in range(1500)}
    decision = plan(situation(Agent("", (function("paint", "Paint it", properties),), (), {}), "paint it red"))
    assert decision.calls == (("paint", {"slot0": "red"}),)


SCHEMAS: st.SearchStrategy[JsonValue] = st.recursive(
    st.sampled_from(
        [{"type": "string"}, {"type": "integer"}, {"type": "boolean"}, {"enum": ["red", "green"]}, {}, True, 5]
    ),
    lambda inner: (
        st.fixed_dictionaries({"type": st.sampled_from(["array", "object"])}, optional={"items": inner})
        | st.fixed_dictionaries({"properties": st.dictionaries(st.sampled_from(["name", "size", "color"]), inner)})
    ),
    max_leaves=6,
)
WORDS = st.lists(
    st.sampled_from(["paint", "it", "red", "5", "name", "Kim", "size", "of", "and", "yes", "no", "what", "about", "?"]),
    max_size=8,
).map(" ".join)


@settings(max_examples=examples(60), deadline=None)
@given(st.dictionaries(st.sampled_from(["name", "size", "color", "body"]), SCHEMAS, max_size=4), WORDS, st.booleans())
def test_any_schema_is_lived_with_and_what_is_called_fits_it(
    properties: JsonObject, text: str, is_required: bool
) -> None:
    declared = function("paint", "Paint it", properties, list(properties) if is_required else [])
    decision = plan(situation(Agent("", (declared,), (), {}), text))
    for _, arguments in decision.calls:
        try:
            validator = jsonschema_rs.Draft202012Validator(declared.input_schema)
        except ValueError:
            continue
        assert validator.is_valid(arguments)


STORED = st.recursive(
    st.none() | st.integers(-3, 9) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["petId", "requestBody", "name"]), inner)
    ),
)


@settings(max_examples=examples(60), deadline=None)
@given(st.sampled_from(["getPet", "createPet", "listPets", "gone"]), STORED, WORDS)
def test_a_state_from_before_the_agent_changed_leads_to_no_misfit_call(name: str, stored: JsonValue, text: str) -> None:
    known: JsonObject = {name: stored} if isinstance(stored, dict) else {}
    state = PlannerState(filled=known, last=name, last_arguments=known.get(name, {}))
    schemas = {one.name: one.input_schema for one in (*pets.DECLARATIONS, pets.PET_CARE)}
    for called, arguments in plan(situation(pets.agent(), f"show pet {text}", state=state)).calls:
        jsonschema_rs.validate(schemas[called], arguments)


ENTRIES = st.lists(
    st.sampled_from(["U: hi", "A: Hello?", "U: show red", "A: Which?", "U: Kim", "A: Done with Kim, 5."]), max_size=5
)


@settings(max_examples=examples(40), deadline=None)
@given(ENTRIES, STORED, ENTRIES, WORDS)
def test_any_example_is_learned_from(before: list[str], output: JsonValue, after: list[str], text: str) -> None:
    shown = example("Odd", *before, ("find", {"name": "Kim"}, {"200": output}), *after)
    agent = Agent("", (function("find", "Find", {"name": TEXT}),), (shown,), {})
    assert plan(situation(agent, text)).rule


@settings(max_examples=examples(30), deadline=None)
@given(st.sampled_from(AGENTS), st.lists(WORDS, min_size=1, max_size=3))
def test_a_conversation_goes_the_same_way_again(build: Callable[[], Agent], said: list[str]) -> None:
    entries = [UserText(text) for text in said]
    assert plan(situation(build(), *entries)) == plan(situation(build(), *entries))
