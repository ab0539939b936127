"""What several inputs come to together."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject
from openplaybook.services.ces.session_inputs import TurnInputs, event_text, file_bytes, is_event, read_inputs
from openplaybook.turns.base import NoInput, TextInput, ToolResultInput, ToolResultsInput
from openplaybook.wire.api import load_api
from openplaybook.wire.errors import RpcError
from openplaybook.wire.messages import ApiMessage

API = load_api()
WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1).filter(str.strip)


def inputs(*given: JsonObject) -> list[ApiMessage]:
    """SessionInputs."""
    kind = API.message("google.cloud.ces.v1beta.SessionInput")
    return [API.codec.from_json(each, kind()) for each in given]


def read(*given: JsonObject) -> TurnInputs:
    """What they come to."""
    return read_inputs(API, inputs(*given))


@given(st.lists(WORDS, min_size=1))
def test_fragments_are_joined_as_they_stand(fragments: Sequence[str]) -> None:
    *before, last = fragments
    given = [*({"text": each, "willContinue": True} for each in before), {"text": last}]
    assert read(*given) == TurnInputs(TextInput("".join(fragments)))


@given(st.lists(WORDS, min_size=1))
def test_texts_that_are_whole_are_lines(texts: Sequence[str]) -> None:
    assert read(*({"text": each} for each in texts)).input == TextInput("\n".join(texts))


def test_of_a_variable_that_is_given_twice_the_later_value_holds() -> None:
    given = read({"variables": {"a": 1, "b": 1}}, {"text": "hi"}, {"variables": {"b": 2, "c": None}})
    assert given == TurnInputs(TextInput("hi"), {"a": 1, "b": 2, "c": None})


@pytest.mark.parametrize("variables", [{}, {"a": 1}])
def test_variables_alone_say_nothing(variables: JsonObject) -> None:
    assert read({"variables": variables}) == TurnInputs(NoInput(), variables)


def test_tool_responses_of_several_inputs_are_taken_together() -> None:
    first = {"id": "a", "tool": "t", "response": {"x": 1}}
    second = {"id": "b", "toolsetTool": {"toolset": "s", "toolId": "o"}, "response": {"error": {"why": 1}}}
    third = {"tool": "t", "displayName": "act", "response": {"output": [1]}}
    given = read(
        {"toolResponses": {"toolResponses": [first, second]}}, {"toolResponses": {"toolResponses": [third]}}
    ).input
    assert given == ToolResultsInput(
        (
            ToolResultInput("t", "", "a", {"x": 1}, None),
            ToolResultInput("s", "", "b", None, '{"why":1}'),
            ToolResultInput("t", "act", "", {"result": [1]}, None),
        )
    )


def test_an_event_has_words_of_its_own() -> None:
    assert read({"event": {"event": "WELCOME"}}).input == TextInput(event_text("WELCOME"))
    assert (is_event(event_text("a b")), is_event(" <event>x</event>\n"), is_event("event x")) == (True, True, False)


def test_a_file_is_named_by_its_kind() -> None:
    given = read({"image": {"mimeType": "image/png", "data": "AAE="}}, {"text": "?"}, {"blob": {"mimeType": "x/y"}})
    assert given.files == (
        {"name": "image-1.png", "mimeType": "image/png", "contents": "AAE="},
        {"name": "blob-2", "mimeType": "x/y", "contents": ""},
    )
    assert file_bytes(inputs({"blob": {"data": "AAE="}}, {"image": {"data": "AA=="}}, {"text": "abc"})) == 3


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ([], "inputs: is required"),
        ([{"event": {"event": "a"}}, {"event": {"event": "b"}}], "inputs: 2 events cannot be in one request"),
        ([{"text": "a"}, {"toolResponses": {"toolResponses": [{"id": "a", "response": {}}]}}], "inputs: text and tool"),
        ([{"blob": {"data": "AA=="}}, {"text": "a"}], "inputs[0].blob.mime_type: is required"),
    ],
)
def test_what_does_not_go_together_is_refused(given: list[JsonObject], sentence: str) -> None:
    with pytest.raises(RpcError) as refused:
        read(*given)
    assert refused.value.message[: len(sentence)] == sentence
