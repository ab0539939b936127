"""Settings of pauses: kept by agents and by generative settings, and refused where they cannot be meant."""

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.wire.errors import Code
from tests.integration.services.peers import Caller

pytestmark = pytest.mark.proves("C1")

SETTINGS: JsonObject = {
    "playbookExecutionMode": "ALWAYS_CLIENT_EXECUTION",
    "toolResultValidation": "STRICT",
    "toolCallResultTimeout": "90s",
}


async def update(call: Caller, agent: str, settings: JsonObject) -> JsonObject:
    """Patch the generative settings of an agent."""
    body = {"name": f"{agent}/generativeSettings", "languageCode": "en", **settings}
    return await call("Agents.UpdateGenerativeSettings", {"generativeSettings": body, "updateMask": ",".join(settings)})


async def test_they_are_kept(call: Caller) -> None:
    agent = await call.agent(**SETTINGS)
    read = await call("Agents.GetAgent", {"name": agent})
    assert {name: read[name] for name in SETTINGS} == SETTINGS
    kept = await update(call, agent, SETTINGS)
    assert kept == {"name": f"{agent}/generativeSettings", "languageCode": "en", **SETTINGS}


@pytest.mark.parametrize("timeout", ["0s", "-1s", "-0.5s"])
async def test_a_wait_of_no_length_is_refused(call: Caller, timeout: str) -> None:
    agent = await call.agent()
    refused = await call.refusal(
        "Agents.UpdateAgent",
        {"agent": {"name": agent, "toolCallResultTimeout": timeout}, "updateMask": "toolCallResultTimeout"},
    )
    message = "tool_call_result_timeout: must be more than 0 seconds; leave it out for a wait without limit"
    assert refused == (Code.INVALID_ARGUMENT, f"agent.{message}")
    settings: JsonObject = {
        "name": f"{agent}/generativeSettings",
        "languageCode": "en",
        "toolCallResultTimeout": timeout,
    }
    refused = await call.refusal(
        "Agents.UpdateGenerativeSettings",
        {"generativeSettings": settings, "updateMask": "toolCallResultTimeout"},
    )
    assert refused == (Code.INVALID_ARGUMENT, f"generative_settings.{message}")
