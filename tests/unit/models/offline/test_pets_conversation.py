"""The demo agent through a natural conversation."""

import pytest

from tests.unit.models.offline.agents import pets
from tests.unit.models.offline.talk import Talk

CAN_HELP = (
    "Sorry, I did not understand that. I can help with the following: return a pet by ID; list all pets; create a "
    "new pet; find the animal shelter nearest to a zip code; and answer questions about the care of pets: food, room, "
    "vaccinations, adoption, shy and lost animals."
)


@pytest.fixture
def talk() -> Talk:
    return Talk(pets.agent())


@pytest.mark.proves("X3", "G4")
async def test_the_demo_agent_holds_a_conversation_without_a_key(talk: Talk) -> None:
    assert await talk.say("hi") == (
        "Hello! I can list our pets, show you one of them, add a new pet, or find the nearest shelter. "
        "What would you like?"
    )
    assert await talk.say("which pets do you have?") == (
        "We have 5 pets: Bella (number 1), Milo (number 2), Luna (number 3), Oscar (number 4) and Shadow (number 5)."
    )
    assert talk.calls == [("listPets", {})]
    assert await talk.say("show me pet 3") == "Pet 3 is Luna, owned by Aisha, labels: cat and indoor."
    assert await talk.say("add a dog named Rex owned by Kim") == "Done: Rex is pet number 6, owned by Kim."
    assert talk.calls == [("createPet", {"requestBody": {"label": ["dog"], "name": "Rex", "owner": "Kim"}})]
    assert await talk.say("what about number 5?") == "Pet 5 is Shadow, labels: cat."
    assert await talk.say("show me pet 99") == "There is no pet 99. Shall I list the pets we have?"
    assert await talk.say("colorless green ideas sleep furiously") == CAN_HELP
    assert (
        await talk.say("Zeig mir bitte Haustier Nummer 3") == "Pet 3 is Luna, owned by Aisha, labels: cat and indoor."
    )
    assert await talk.say("thanks, bye") == "Goodbye!"


@pytest.mark.parametrize(
    ("words", "name", "arguments"),
    [
        ("please list all small dogs", "listPets", {"label": ["small", "dog"]}),
        ("are there any snakes?", "listPets", {"label": ["snake"]}),
        ("which pets belong to Maria?", "listPets", {"X-OWNER": "Maria"}),
        ("do you have a pet called Luna?", "listPets", {"petName": "Luna"}),
        ("hello, show me pet number twenty-one", "getPet", {"petId": 21}),
        ("please add a cat named tiger", "createPet", {"requestBody": {"label": ["cat"], "name": "tiger"}}),
        ("Welche Haustiere habt ihr?", "listPets", {}),
        (
            "Füge einen Hund namens Bello von Karl hinzu",
            "createPet",
            {"requestBody": {"label": ["Hund"], "name": "Bello", "owner": "Karl"}},
        ),
        ("which shelter is nearest to 10115?", "nearest_shelter", {"zip_code": "10115"}),
    ],
)
async def test_words_become_one_call(talk: Talk, words: str, name: str, arguments: dict[str, object]) -> None:
    await talk.say(words)
    assert talk.calls == [(name, arguments)]


@pytest.mark.parametrize(
    "words",
    [
        "asdf qwer zxcv",
        "tell me a joke",
        "3",
        "?!",
        "delete pet 3",
    ],
)
async def test_what_nobody_offered_leads_to_no_call_but_a_search(talk: Talk, words: str) -> None:
    assert await talk.say(words) == CAN_HELP
    assert {name for name, _ in talk.calls} <= {"pet_care"}


@pytest.mark.parametrize(
    "words",
    [
        "what is your name?",
        "what is the weather in Berlin?",
        "Wie ist das Wetter in Berlin?",
        "Quel temps fait-il à Paris ?",
    ],
)
async def test_a_question_about_anything_else_is_searched_for(talk: Talk, words: str) -> None:
    assert await talk.say(words) == "I'm sorry, I couldn't find an answer to that."
    assert [name for name, _ in talk.calls] == ["pet_care"]


async def test_a_missing_value_is_asked_for_in_the_words_of_an_example(talk: Talk) -> None:
    assert await talk.say("I want to add a pet") == "What is the pet's name?"
    assert talk.calls == []
    assert await talk.say("Fluffy") == "Done: Fluffy is pet number 6."
    assert talk.calls == [("createPet", {"requestBody": {"name": "Fluffy"}})]


async def test_what_was_said_before_the_question_is_kept(talk: Talk) -> None:
    await talk.say("I'd like to register a hamster")
    await talk.say("it is called Tim")
    assert talk.calls == [("createPet", {"requestBody": {"label": ["hamster"], "name": "Tim"}})]


async def test_an_answer_that_does_not_fit_is_asked_for_again_and_then_given_up(talk: Talk) -> None:
    assert await talk.say("where is my nearest shelter?") == "What is your zip code?"
    assert await talk.say("somewhere") == "Sorry, I can't use that answer. What is your zip code?"
    assert await talk.say("over there") == CAN_HELP
    assert {name for name, _ in talk.calls} <= {"pet_care"}


async def test_the_user_can_change_the_subject_or_call_it_off(talk: Talk) -> None:
    await talk.say("I want to add a pet")
    await talk.say("show me pet 2")
    assert talk.calls == [("getPet", {"petId": 2})]
    await talk.say("I want to add a pet")
    assert await talk.say("never mind") == "All right, I won't do that."
    assert await talk.say("Fluffy") == CAN_HELP


@pytest.mark.parametrize(
    "words",
    [
        *(
            "I want to add a pet",
            "add a pet please",
            "can you add a pet?",
            "the name",
            "name",
            "just do it",
            "you choose",
        ),
        *("I told you", "hurry up", "huh", "sorry", "excuse me", "go ahead", "it has no name", "whatever", "its name"),
    ],
)
async def test_what_is_no_name_adds_nothing(talk: Talk, words: str) -> None:
    await talk.say("I want to add a pet")
    await talk.say(words)
    assert talk.calls == []


@pytest.mark.parametrize(
    ("words", "name"),
    [("Rex please", "Rex"), ("his name is Rex", "Rex"), ("it's Test", "Test"), ("Old Tom", "Old Tom")],
)
async def test_what_is_a_name_adds_the_pet(talk: Talk, words: str, name: str) -> None:
    await talk.say("I want to add a pet")
    await talk.say(words)
    assert talk.calls == [("createPet", {"requestBody": {"name": name}})]


async def test_who_takes_back_what_is_done_already_is_told_so(talk: Talk) -> None:
    await talk.say("add a dog named Rex owned by Kim")
    assert await talk.say("no, leave it") == "That has already been done."
    assert talk.calls == []
    assert await talk.say("never mind") == "All right, I won't do that."


async def test_what_was_read_was_not_done(talk: Talk) -> None:
    await talk.say("show me pet 3")
    assert await talk.say("no, leave it") == "All right, I won't do that."


async def test_who_asks_for_more_and_takes_that_back_is_not_told_of_what_was_done_before(talk: Talk) -> None:
    await talk.say("add a dog named Rex owned by Kim")
    assert await talk.say("add a cat named Tom. No, leave it.") == "All right, I won't do that."
    assert talk.calls == []


async def test_a_follow_up_takes_the_function_of_before(talk: Talk) -> None:
    await talk.say("show me all dogs")
    await talk.say("and cats?")
    assert (talk.calls, talk.rules) == ([("listPets", {"label": ["cat"]})], ["follow_up", "answer"])


async def test_a_pronoun_stands_for_the_thing_last_spoken_of(talk: Talk) -> None:
    await talk.say("do you have a pet called Luna?")
    assert await talk.say("who owns it?") == "Pet 3 is Luna, owned by Aisha, labels: cat and indoor."


async def test_a_yes_accepts_what_the_agent_offered(talk: Talk) -> None:
    await talk.say("show me pet 99")
    await talk.say("yes please")
    assert (talk.calls, talk.rules) == ([("listPets", {})], ["accepted_offer", "answer"])


async def test_adding_is_not_repeated_on_a_hint(talk: Talk) -> None:
    await talk.say("add a dog named Rex owned by Kim")
    await talk.say("and Tom?")
    assert [name for name, _ in talk.calls] == ["pet_care"]
