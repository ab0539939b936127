"""What holds for any words: no exception, no argument against the schema, no value without evidence."""

import asyncio
import re
from collections.abc import Callable

import jsonschema_rs
from hypothesis import given, settings
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list
from openplaybook.models.offline.language.tokenizer import singular
from openplaybook.models.offline.slots.slot_values import leaves, spoken
from tests.kit.thoroughness import examples
from tests.unit.models.offline.agents import orders, pets, tables, weather
from tests.unit.models.offline.talk import Agent, Talk

AGENTS: list[Callable[[], Agent]] = [pets.agent, orders.agent, tables.agent, weather.agent]
PIECES = tuple(
    re.findall(
        r"\S+",
        """show me all list pet pets 3 number 5 named Rex owned by Kim add a dog cats order AB-1001 cancel it yes no
        tomorrow at 7pm for four people table name is O'Brien , . ? and weather in Oslo fahrenheit zip 10115 Zeig mir
        Haustier 12.5 -4 "two words" a@b.org open shipped since March 3rd what about""",
    )
)
WORDS = st.one_of(
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=14).map(" ".join), st.text(min_size=1, max_size=60)
)


@settings(max_examples=examples(60), deadline=None)
@given(st.sampled_from(AGENTS), st.lists(WORDS, min_size=1, max_size=4))
def test_any_words_are_answered_and_every_call_fits_its_schema(build: Callable[[], Agent], said: list[str]) -> None:
    agent = build()
    schemas = {one.name: one.input_schema for one in agent.declarations}

    async def check() -> None:
        talk = Talk(agent)
        for words in said:
            await talk.say(words)
            for name, arguments in talk.calls:
                jsonschema_rs.validate(schemas[name], arguments)

    asyncio.run(check())


@settings(max_examples=examples(60), deadline=None)
@given(st.sampled_from(AGENTS), st.lists(WORDS, min_size=1, max_size=3))
def test_every_value_of_a_call_has_evidence(build: Callable[[], Agent], said: list[str]) -> None:
    async def check() -> None:
        talk = Talk(build())
        heard = ""
        for words in said:
            heard = f"{heard}\n{words}".casefold()
            known = str(talk.conversation).casefold()
            await talk.say(words)
            for _, arguments in talk.calls:
                assert [value for value in _values(arguments) if not _is_evident(value, heard, known)] == []

    asyncio.run(check())


def _values(arguments: JsonValue) -> list[JsonValue]:
    found: list[JsonValue] = []
    for _, value in leaves(arguments):
        found.extend(as_list(value) or [value])
    return found


def _is_evident(value: JsonValue, heard: str, known: str) -> bool:
    """Said as it is, as a plural or in a normalised form (numbers, dates, times and options have their own tests)."""
    text = spoken(value).casefold()
    is_normalised = not isinstance(value, str) or text[:1].isdigit()
    folded = " ".join(singular(word) for word in heard.split())
    return is_normalised or text in heard or text in folded or text.replace("_", " ") in folded or text in known


@settings(max_examples=examples(40), deadline=None)
@given(st.dictionaries(st.text(max_size=8), st.recursive(st.none() | st.integers() | st.text(max_size=5), st.lists)))
def test_any_stored_state_is_survived(stored: JsonObject) -> None:
    async def check() -> None:
        talk = Talk(AGENTS[0](), planner=stored)
        await talk.say("show me pet 3")
        assert talk.calls == [("getPet", {"petId": 3})]

    asyncio.run(check())
