import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.packages.dialogflow.older_spellings import modern_example, modern_playbook

STEPS = [{"text": "one"}]
LISTED = [{"name": "a", "value": 1}]


@pytest.mark.parametrize(
    ("older", "modern"),
    [
        ({"steps": STEPS}, {"instruction": {"steps": STEPS}}),
        ({"steps": STEPS, "instruction": {"steps": STEPS}}, {"instruction": {"steps": STEPS}}),
        (
            {"steps": STEPS, "instruction": {"guidelines": "x"}},
            {"instruction": {"guidelines": "x", "steps": STEPS}},
        ),
        (
            {"steps": [{"text": "old"}], "instruction": {"steps": STEPS}},
            {"steps": [{"text": "old"}], "instruction": {"steps": STEPS}},
        ),
        ({"goal": "g"}, {"goal": "g"}),
        (
            {"inputParameterDefinitions": [{"name": "a", "parameterType": {"openapiJsonSchema": {"type": "integer"}}}]},
            {
                "inputParameterDefinitions": [
                    {
                        "name": "a",
                        "parameterType": {"openapiJsonSchema": {"type": "integer"}},
                        "typeSchema": {"inlineSchema": {"type": "NUMBER"}},
                    }
                ]
            },
        ),
    ],
)
def test_playbooks_are_brought_up_to_date(older: JsonObject, modern: JsonObject) -> None:
    assert modern_playbook(older) == modern
    assert modern_playbook(modern) == modern


def test_lists_of_an_older_type_keep_the_type_of_their_items() -> None:
    schema = {"type": "array", "items": {"type": "string"}}
    definition = {"name": "a", "parameterType": {"openapiJsonSchema": schema}}
    (modern,) = modern_playbook({"outputParameterDefinitions": [definition]})["outputParameterDefinitions"]
    assert modern["typeSchema"] == {"inlineSchema": {"type": "ARRAY", "items": {"inlineSchema": {"type": "STRING"}}}}


def test_a_type_that_the_api_lacks_is_left_to_its_older_form() -> None:
    definition = {"name": "a", "parameterType": {"openapiJsonSchema": {"type": "object"}}}
    assert modern_playbook({"inputParameterDefinitions": [definition]})["inputParameterDefinitions"] == [definition]


@pytest.mark.parametrize(
    ("older", "modern"),
    [
        (
            {"playbookOutput": {"state": "OK"}},
            {"playbookOutput": {"state": "OK"}, "conversationState": "OUTPUT_STATE_OK"},
        ),
        (
            {"playbookOutput": {"state": "OK"}, "conversationState": "OUTPUT_STATE_FAILED"},
            {"playbookOutput": {"state": "OK"}, "conversationState": "OUTPUT_STATE_FAILED"},
        ),
        ({"playbookInput": {"parameters": LISTED}}, {"playbookInput": {"actionParameters": {"a": 1}}}),
        (
            {"actions": [{"toolUse": {"inputParameters": LISTED, "outputParameters": LISTED}}]},
            {"actions": [{"toolUse": {"inputActionParameters": {"a": 1}, "outputActionParameters": {"a": 1}}}]},
        ),
        (
            {"actions": [{"toolUse": {"inputParameters": LISTED, "inputActionParameters": {"a": 1}}}]},
            {"actions": [{"toolUse": {"inputActionParameters": {"a": 1}}}]},
        ),
        (
            {"actions": [{"toolUse": {"inputParameters": LISTED, "inputActionParameters": {"a": 2}}}]},
            {"actions": [{"toolUse": {"inputParameters": LISTED, "inputActionParameters": {"a": 2}}}]},
        ),
        (
            {"actions": [{"playbookInvocation": {"playbookOutput": {"parameters": LISTED}}}, 5]},
            {"actions": [{"playbookInvocation": {"playbookOutput": {"actionParameters": {"a": 1}}}}, 5]},
        ),
    ],
)
def test_examples_are_brought_up_to_date(older: JsonObject, modern: JsonObject) -> None:
    assert modern_example(older) == modern
    assert modern_example(modern) == modern
