import pytest

from benchmarks.turns.model_peer import answer, decide, gemini_answer, openai_answer, pet_arguments
from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, dumps

SCHEMA: JsonObject = {"type": "object", "properties": {"petId": {"type": "integer"}}}
QUESTION = "What is the name of pet 37?"


def openai_request(*more: JsonObject) -> JsonObject:
    tools = [{"type": "function", "function": {"name": "getPet", "parameters": SCHEMA}}]
    return {"model": "m", "messages": [{"role": "user", "content": QUESTION}, *more], "tools": tools}


def gemini_request(*contents: JsonObject, schema_key: str = "parameters") -> JsonObject:
    tools = [{"functionDeclarations": [{"name": "get_pet", schema_key: SCHEMA}]}]
    return {"contents": [{"role": "user", "parts": [{"text": QUESTION}]}, *contents], "tools": tools}


@pytest.mark.parametrize(
    ("schema", "arguments"),
    [
        (SCHEMA, {"petId": 37}),
        ({"properties": {"pet_id": {}}}, {"pet_id": 37}),
        ({"properties": {"path": {"properties": {"petId": {}}}}}, {"path": {"petId": 37}}),
        ({"properties": {"owner": {}}}, None),
        (None, None),
    ],
)
def test_the_number_goes_where_the_schema_has_a_pet_id(schema: JsonValue, arguments: JsonObject | None) -> None:
    assert pet_arguments(schema, 37) == arguments


@pytest.mark.parametrize(
    ("result", "words"),
    [('{"name":"Pet-37"}', "The pet is called Pet-37."), ('{"error":"gone"}', "The result holds no name.")],
)
def test_a_result_is_answered_with_the_name_it_holds(result: str, words: str) -> None:
    assert decide(QUESTION, [result], []) == words


def test_several_pets_are_called_for_one_after_the_other_and_named_together() -> None:
    question, functions = "What is the name of pet 7 and pet 8?", [("getPet", SCHEMA)]
    assert decide(question, [], functions) == ("getPet", {"petId": 7})
    assert decide(question, ['{"name":"Pet-7"}'], functions) == ("getPet", {"petId": 8})
    said = decide(question, ['{"name":"Pet-7"}', '{"name":"Pet-8"}'], functions)
    assert said == "The pet is called Pet-7 Pet-8."


def test_without_a_function_for_pets_no_pet_is_named() -> None:
    assert decide(QUESTION, [], [("getOwner", {"properties": {"owner": {}}})]) == "No function finds pets."


def test_openai_is_asked_for_a_call_and_then_given_the_name() -> None:
    asked = openai_answer(openai_request())["choices"][0]
    assert asked["finish_reason"] == "tool_calls"
    assert asked["message"]["tool_calls"][0]["function"] == {"name": "getPet", "arguments": '{"petId":37}'}
    result = {"role": "tool", "tool_call_id": "c", "content": '{"200":{"name":"Pet-37"}}'}
    said = openai_answer(openai_request(asked["message"], result))["choices"][0]
    assert (said["message"]["content"], said["finish_reason"]) == ("The pet is called Pet-37.", "stop")


@pytest.mark.parametrize("schema_key", ["parameters", "parametersJsonSchema", "parameters_json_schema"])
def test_gemini_is_asked_for_a_call_and_then_given_the_name(schema_key: str) -> None:
    asked = gemini_answer(gemini_request(schema_key=schema_key))["candidates"][0]["content"]
    assert asked["parts"] == [{"functionCall": {"name": "get_pet", "args": {"petId": 37}}}]
    response = {"functionResponse": {"name": "get_pet", "response": {"name": "Pet-37"}}}
    said = gemini_answer(gemini_request(asked, {"role": "user", "parts": [response]}))["candidates"][0]["content"]
    assert said["parts"] == [{"text": "The pet is called Pet-37."}]


@pytest.mark.parametrize(
    ("path", "status"),
    [("/v1/chat/completions", 200), ("/v1beta/models/gemini:countTokens", 404), ("/v1/embeddings", 404)],
)
def test_only_the_two_ways_to_decide_are_served(path: str, status: int) -> None:
    found, value = answer("POST", path, dumps(openai_request()))
    assert found == status
    assert ("error" in as_object(value)) == (status == 404)
