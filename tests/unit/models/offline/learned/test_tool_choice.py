"""Which function is meant, and with which values: the weights as they are shipped."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.offline.learned.mention_features import MENTION_FEATURES, NO_MENTION
from openplaybook.models.offline.learned.pair_features import PAIR_FEATURES, PairScene
from openplaybook.models.offline.learned.tool_choice import LearnedCall, learned_calls
from openplaybook.models.offline.learned.tool_features import TOOL_FEATURES, LearnedTool, tool_rows
from openplaybook.models.offline.learned.utterance import utterance_of
from openplaybook.models.offline.learned.weights import learned_weights


def tool(name: str, description: str, required: tuple[str, ...], **properties: JsonObject) -> LearnedTool:
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return LearnedTool(name, name, description, schema)


def text(description: str) -> JsonObject:
    return {"type": "string", "description": description}


ROOM = tool(
    "book_room",
    "Book a meeting room",
    ("room", "people"),
    room=text("Name of the room"),
    people={"type": "integer", "description": "Number of people"},
)
TRAIN = tool(
    "find_trains",
    "Find trains between two cities",
    ("origin", "destination"),
    origin=text("City of departure"),
    destination=text("City of arrival"),
)
POINT = tool(
    "distance",
    "Distance of a point from the origin",
    ("x", "y"),
    x={"type": "integer", "description": "First coordinate"},
    y={"type": "integer", "description": "Second coordinate"},
)


def best(said: str, *tools: LearnedTool) -> LearnedCall:
    return learned_calls(utterance_of(said), tools, learned_weights())[0]


@pytest.mark.parametrize(
    ("said", "name", "arguments"),
    [
        ("Find trains from Hamburg to Vienna", "find_trains", {"origin": "Hamburg", "destination": "Vienna"}),
        ("I need trains to Vienna from Hamburg", "find_trains", {"origin": "Hamburg", "destination": "Vienna"}),
        ("What is the distance of the point with y=4 and x=3?", "distance", {"x": 3, "y": 4}),
    ],
)
def test_values_go_to_the_parameter_that_their_words_speak_of(said: str, name: str, arguments: JsonObject) -> None:
    call = best(said, ROOM, TRAIN, POINT)
    assert (call.tool.name, call.filling.arguments) == (name, arguments)


def test_what_is_not_said_is_missing() -> None:
    call = best("Book the meeting room Aurora", ROOM, TRAIN)
    assert ([want.name for want in call.filling.choice.missing], call.exact) == (["people"], 0.0)


def test_what_no_function_is_for_is_likely_none() -> None:
    assert best("Who wrote the Odyssey?", ROOM, TRAIN).right < 0.3


def test_rows_have_a_number_for_every_name() -> None:
    words = utterance_of("Find trains from Hamburg to Vienna at 9:30, 'first class' if so")
    scene = PairScene(words, TRAIN.wants, TRAIN.name_stems)
    assert {len(row) for rows in scene.rows for row in rows} == {len(PAIR_FEATURES)}
    assert {len(row) for row in tool_rows(words, [ROOM, TRAIN], None)} == {len(TOOL_FEATURES)}
    assert len(NO_MENTION) == len(MENTION_FEATURES)


def test_no_functions_no_calls() -> None:
    assert learned_calls(utterance_of("hello"), [], learned_weights()) == []
