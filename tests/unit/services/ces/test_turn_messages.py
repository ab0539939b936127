"""What happened in a turn as Messages."""

from openplaybook.jsonvalues import JsonObject
from openplaybook.services.ces.turn_messages import fill_messages
from openplaybook.turns.base import ToolStep, TurnResult
from openplaybook.wire.api import load_api

APP = "projects/p/locations/l/apps/a"
API = load_api()


def call(id: str, action: str, within: str = "") -> ToolStep:
    """A call of the server that has ended."""
    return ToolStep(
        f"{APP}/agents/root",
        "root",
        1,
        1,
        2,
        within=within,
        call_id=id,
        tool=f"{APP}/tools/{action}",
        tool_display_name=action,
        action=action,
        arguments={},
        output={"by": action},
    )


def messages(*trace: ToolStep) -> list[JsonObject]:
    """The chunks of all messages, in order."""
    result = TurnResult("r", (), {}, f"{APP}/agents/root", "root", "", "en", trace, paused=False, turn=1, index=1)
    diagnosed = API.message("google.cloud.ces.v1beta.SessionOutput")().diagnostic_info
    fill_messages(result, trace, {}, APP, diagnosed.messages)
    told: JsonObject = API.codec.to_json(diagnosed)
    return [chunk for message in told["messages"] for chunk in message["chunks"]]


def test_calls_that_a_tool_makes_are_its_own_affair() -> None:
    identity = {"id": "c1", "tool": f"{APP}/tools/owner", "displayName": "owner"}
    assert messages(call("c1.1", "get_pet", within="c1"), call("c1", "owner")) == [
        {"toolCall": {**identity, "args": {}}},
        {"toolResponse": {**identity, "response": {"by": "owner"}}},
    ]
