import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.call_spellings import (
    AS_GIVEN,
    BUILT_IN,
    OPENAPI,
    SEARCH,
    ActionFacts,
    canonical_arguments,
    canonical_output,
    documented_arguments,
)
from openplaybook.resources.call_spellings import FUNCTION as FUNCTION_FORM
from openplaybook.resources.tool_kinds import facts_of

UNKNOWN_OPENAPI = ActionFacts(OPENAPI)
LIST = ActionFacts(OPENAPI, frozenset({"label", "limit"}), has_body=False)
UPDATE = ActionFacts(OPENAPI, frozenset({"petId"}))
ODD = ActionFacts(OPENAPI, frozenset({"input", "request"}))
FUNCTION = ActionFacts(FUNCTION_FORM)
STORE = ActionFacts(SEARCH)
BUILTIN = ActionFacts(BUILT_IN)
PET = {"name": "Rex"}
FILE = {"name": "a.csv", "contents": "YQ=="}


@pytest.mark.proves("G5")
@pytest.mark.parametrize(
    ("given", "facts", "canonical"),
    [
        ({}, UPDATE, {}),
        ({"requestBody": PET}, UPDATE, {"requestBody": PET}),
        ({"petId": 1, "requestBody": PET}, UPDATE, {"petId": 1, "requestBody": PET}),
        ({"label": "dog", "limit": 2}, LIST, {"label": "dog", "limit": 2}),
        ({"request": PET}, UPDATE, {"requestBody": PET}),
        ({"input": PET}, UPDATE, {"requestBody": PET}),
        ({"act input": PET}, UPDATE, {"requestBody": PET}),
        ({"input": PET}, UNKNOWN_OPENAPI, {"requestBody": PET}),
        ({"act input": PET}, None, {"requestBody": PET}),
        ({"input": {"petId": 1, "name": "Rex"}}, UPDATE, {"petId": 1, "requestBody": PET}),
        ({"act input": {"label": "dog"}}, LIST, {"label": "dog"}),
        ({"request": {"petId": 1, "requestBody": PET}}, UPDATE, {"petId": 1, "requestBody": PET}),
        ({"petId": 1, "input": PET}, UPDATE, {"petId": 1, "requestBody": PET}),
        ({"input": [1, 2]}, UPDATE, {"requestBody": [1, 2]}),
        ({"input": "red", "request": 1}, ODD, {"input": "red", "request": 1}),
        ({"petId": 1, "name": "Rex"}, UPDATE, {"petId": 1, "requestBody": PET}),
        ({"label": "dog", "colour": "red"}, LIST, {"label": "dog", "colour": "red"}),
        ({"petId": 1, "name": "Rex"}, UNKNOWN_OPENAPI, {"petId": 1, "name": "Rex"}),
        ({"requestBody": PET, "odd": 1}, UPDATE, {"requestBody": PET, "odd": 1}),
        ({"other input": PET}, UNKNOWN_OPENAPI, {"other input": PET}),
        ({"functionParameter": PET}, FUNCTION, PET),
        ({"functionParameter": PET}, None, PET),
        ({"functionParameter": "x"}, FUNCTION, {"functionParameter": "x"}),
        ({"functionParameter": PET, "more": 1}, FUNCTION, {"functionParameter": PET, "more": 1}),
        ({"input": PET}, FUNCTION, {"input": PET}),
        ({"requestBody": {"query": "q"}}, STORE, {"requestBody": {"query": "q"}}),
        ({"query": "q"}, STORE, {"requestBody": {"query": "q"}}),
        ({"input": {"query": "q"}}, STORE, {"requestBody": {"query": "q"}}),
        ({}, STORE, {}),
        ({}, BUILTIN, {}),
        ({"act input": "4 + 4"}, BUILTIN, {"query": "4 + 4"}),
        ({"input": "4 + 4"}, BUILTIN, {"query": "4 + 4"}),
        ({"query": "4 + 4"}, BUILTIN, {"query": "4 + 4"}),
        ({"act input": {"query": "q", "timeout": 5}}, BUILTIN, {"query": "q", "timeout": 5}),
        ({"act input": "q", "files": [FILE]}, BUILTIN, {"query": "q", "files": [FILE]}),
    ],
)
def test_every_spelling_of_inputs_becomes_the_canonical_one(
    given: JsonObject, facts: ActionFacts | None, canonical: JsonObject
) -> None:
    assert canonical_arguments("act", given, facts) == canonical


@pytest.mark.proves("G5")
@pytest.mark.parametrize(
    ("given", "facts", "canonical"),
    [
        ({}, UPDATE, {}),
        ({"200": PET}, UPDATE, {"200": PET}),
        ({"201": PET}, UPDATE, {"201": PET}),
        ({"4XX": PET}, UPDATE, {"4XX": PET}),
        ({"200": PET, "default": {}}, UPDATE, {"200": PET, "default": {}}),
        ({"default": PET}, UPDATE, {"200": PET}),
        ({"response": PET}, UPDATE, {"200": PET}),
        ({"output": [1]}, UPDATE, {"200": [1]}),
        ({"act output": PET}, UPDATE, {"200": PET}),
        ({"response": PET}, None, {"200": PET}),
        ({"name": "Rex"}, UPDATE, {"200": PET}),
        ({"name": "Rex"}, None, {"name": "Rex"}),
        ({"answer": "a", "snippets": []}, STORE, {"200": {"answer": "a", "snippets": []}}),
        ({"200": {"answer": "a"}}, STORE, {"200": {"answer": "a"}}),
        ({"functionParameter": PET}, FUNCTION, PET),
        ({"functionParameter": PET}, None, PET),
        ({"output": 1}, FUNCTION, {"output": 1}),
        ({}, BUILTIN, {}),
        ({"generate_and_execute output": {}}, BUILTIN, {"generate_and_execute output": {}}),
        ({"act output": {"execution_result": "8"}}, BUILTIN, {"act output": {"execution_result": "8"}}),
        ({"execution_result": "8"}, BUILTIN, {"act output": {"execution_result": "8"}}),
        ({"output": {"execution_result": "8"}}, BUILTIN, {"act output": {"execution_result": "8"}}),
    ],
)
def test_every_spelling_of_outputs_becomes_the_canonical_one(
    given: JsonObject, facts: ActionFacts | None, canonical: JsonObject
) -> None:
    assert canonical_output("act", given, facts) == canonical


SCHEMA = {"type": "object", "properties": {"petId": {}, "requestBody": {}}}


@pytest.mark.parametrize(
    ("tool", "schema", "facts"),
    [
        ({"openApiSpec": {}}, SCHEMA, UPDATE),
        ({"openApiSpec": {}}, {"type": "object"}, ActionFacts(OPENAPI, frozenset(), has_body=False)),
        ({"openApiSpec": {}}, None, UNKNOWN_OPENAPI),
        ({"functionSpec": {}}, None, FUNCTION),
        ({"dataStoreSpec": {}}, None, STORE),
        ({"connectorSpec": {}}, None, ActionFacts(AS_GIVEN)),
        ({"toolType": "BUILTIN_TOOL"}, SCHEMA, BUILTIN),
        ({"displayName": "x"}, SCHEMA, None),
    ],
)
def test_a_tool_resource_tells_what_is_known_of_its_actions(
    tool: JsonObject, schema: JsonObject | None, facts: ActionFacts | None
) -> None:
    assert facts_of(tool, schema) == facts


@pytest.mark.parametrize(
    ("canonical", "documented"),
    [
        ({"query": "4 + 4"}, {"generate_and_execute input": "4 + 4"}),
        ({"query": "q", "files": [FILE]}, {"generate_and_execute input": "q", "files": [FILE]}),
        ({"generate_and_execute input": "q"}, {"generate_and_execute input": "q"}),
        ({}, {}),
    ],
)
def test_arguments_of_a_built_in_tool_are_shown_as_documented(canonical: JsonObject, documented: JsonObject) -> None:
    assert documented_arguments("generate_and_execute", canonical) == documented
    assert canonical_arguments("generate_and_execute", documented, BUILTIN) == canonical_arguments(
        "generate_and_execute", canonical, BUILTIN
    )
