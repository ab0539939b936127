"""What is odd about an app's resources as they are saved."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.wire.errors import Code
from tests.integration.services.ces.studio import Studio

pytestmark = pytest.mark.proves("S1")


async def test_what_an_instruction_names_and_is_not_there_is_kept_as_an_error_of_the_agent(studio: Studio) -> None:
    app = await studio.app()
    await studio.tool(app)
    agent = await studio.agent(app, instruction="Use {@TOOL: wether} as {@AGENT: Greeter} does.")
    [error] = agent["validationErrors"]
    assert error == "instruction: {@TOOL: wether} names no tool of the app (at character 5)"
    assert studio.warnings == [f"agent.{error}"]
    update = {"agent": {"name": agent["name"], "instruction": "Use {@TOOL: weather}."}, "updateMask": "instruction"}
    await studio("UpdateAgent", update)


async def test_what_is_kept_and_of_no_effect_is_a_warning_alone(studio: Studio) -> None:
    app = await studio.app()
    callback = {"pythonCode": "def after_model_callback(context, response):\n    return None\n"}
    agent = await studio.agent(app, afterModelCallbacks=[callback])
    assert "validationErrors" not in agent
    assert [warning.split(":")[0] for warning in studio.warnings] == ["agent.afterModelCallbacks"]


async def test_a_guardrail_that_is_not_judged_here_says_so(studio: Studio) -> None:
    app = await studio.app()
    action = {"respondImmediately": {"responses": [{"text": "No."}]}}
    await studio.guardrail(app, contentFilter=None, modelSafety={}, action=action)
    assert [warning.split(":")[0] for warning in studio.warnings] == ["guardrail.modelSafety"]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            {"contentFilter": {"bannedContents": ["ok", "(x"], "matchType": "REGEXP_MATCH"}},
            "guardrail.contentFilter.bannedContents[1]: '(x' is no regular expression of RE2",
        ),
        ({"contentFilter": None}, "guardrail: is a guardrail of no kind (known: contentFilter, "),
    ],
)
async def test_a_guardrail_that_would_guard_nothing_is_refused(studio: Studio, given: JsonObject, told: str) -> None:
    app = await studio.app()
    guardrail: JsonObject = {"displayName": "words", "enabled": True, **given}
    request: JsonObject = {
        "parent": app,
        "guardrail": {name: one for name, one in guardrail.items() if one is not None},
    }
    code, sentence = await studio.refusal("CreateGuardrail", request)
    assert (code, sentence[: len(told)]) == (Code.INVALID_ARGUMENT, told)
