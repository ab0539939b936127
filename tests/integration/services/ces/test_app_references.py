"""What refers to what in an app."""

import pytest

from openplaybook.jsonvalues import JsonObject, as_object, dumps, loads
from openplaybook.wire.errors import Code
from tests.integration.services.ces.studio import Studio
from tests.integration.services.peers import LOCATION

APP = f"{LOCATION}/apps/zoo"

pytestmark = pytest.mark.proves("S1")


@pytest.mark.parametrize(
    ("fields", "where", "name"),
    [
        ({"tools": ["NAME"]}, "agent.tools[0]", "tools/t"),
        ({"childAgents": ["NAME"]}, "agent.child_agents[0]", "agents/a"),
        ({"toolsets": [{"toolset": "NAME"}]}, "agent.toolsets[0].toolset", "toolsets/s"),
        ({"guardrails": ["NAME"]}, "agent.guardrails[0]", "guardrails/g"),
        (
            {
                "transferRules": [
                    {
                        "childAgent": "NAME",
                        "direction": "PARENT_TO_CHILD",
                        "disablePlannerTransfer": {"expressionCondition": {"expression": "true"}},
                    }
                ]
            },
            "agent.transfer_rules[0].child_agent",
            "agents/a",
        ),
    ],
)
async def test_an_agent_cannot_name_what_is_not_there(
    studio: Studio, fields: JsonObject, where: str, name: str
) -> None:
    app = await studio.app()
    request = {"parent": app, "agent": {"displayName": "A", **named(fields, f"{app}/{name}")}}
    assert await studio.refusal("CreateAgent", request) == (Code.NOT_FOUND, f"{where}: {app}/{name} does not exist")
    request["agent"] = {"displayName": "A", **named(fields, name)}
    code, message = await studio.refusal("CreateAgent", request)
    told = f"{where}: {name!r} is not a valid resource name here; expected projects/"
    assert (code, message[: len(told)]) == (Code.INVALID_ARGUMENT, told)
    request["agent"] = {"displayName": "A", **named(fields, f"{LOCATION}/apps/other/{name}")}
    assert await studio.refusal("CreateAgent", request) == (
        Code.INVALID_ARGUMENT,
        f"{where}: {LOCATION}/apps/other/{name} belongs to another app",
    )


def named(fields: JsonObject, name: str) -> JsonObject:
    """The same fields, `NAME` replaced by a resource name."""
    return as_object(loads(dumps(fields).replace(b"NAME", name.encode())))


async def test_system_tools_are_named_in_full_or_barely(studio: Studio) -> None:
    app = await studio.app()
    agent = await studio.agent(app, tools=[f"{app}/tools/end_session", "transfer_to_agent"])
    assert agent["tools"] == [f"{app}/tools/end_session", "transfer_to_agent"]


async def test_what_is_used_is_deleted_with_force_only_and_is_gone_everywhere(studio: Studio) -> None:
    app = await studio.app()
    tool, other = await studio.tool(app), await studio.tool(app, "clock")
    agent = await studio.agent(app, tools=[tool["name"], other["name"]])
    call = {"toolCall": {"tool": tool["name"], "id": "1", "args": {}}}
    example = await studio.example(app, "first", call)
    assert await studio.refusal("DeleteTool", {"name": tool["name"]}) == (
        Code.FAILED_PRECONDITION,
        f"{tool['name']} is used by agent 'Greeter' ({agent['name']}); example 'first' ({example['name']}); "
        "set force to remove it there too",
    )
    assert await studio("DeleteTool", {"name": tool["name"], "force": True}) == {}
    assert (await studio("GetAgent", {"name": agent["name"]}))["tools"] == [other["name"]]
    spoilt = await studio("GetExample", {"name": example["name"]})
    assert (spoilt["invalid"], spoilt["messages"]) == (True, example["messages"])


async def test_an_invalid_example_may_be_changed_and_is_valid_once_mended(studio: Studio) -> None:
    app = await studio.app()
    tool = await studio.tool(app)
    example = await studio.example(app, "first", {"toolCall": {"tool": tool["name"], "id": "1"}})
    await studio("DeleteTool", {"name": tool["name"], "force": True})
    update = {"example": {"name": example["name"], "description": "d"}, "updateMask": "description"}
    assert (await studio("UpdateExample", update))["invalid"]
    assert studio.warnings == ["example.invalid: refers to what was deleted; it is not used"]
    messages = [{"role": "user", "chunks": [{"text": "Hi"}]}]
    update = {"example": {"name": example["name"], "messages": messages}, "updateMask": "messages"}
    assert "invalid" not in await studio("UpdateExample", update)


async def test_an_agent_is_removed_from_app_agents_guardrails_and_tools(studio: Studio) -> None:
    app = await studio.app()
    gone = (await studio.agent(app, "gone"))["name"]
    kept = (await studio.agent(app, "kept"))["name"]
    rule = {
        "childAgent": gone,
        "direction": "PARENT_TO_CHILD",
        "disablePlannerTransfer": {"expressionCondition": {"expression": "true"}},
    }
    parent = await studio.agent(app, "parent", childAgents=[gone, kept], transferRules=[rule])
    guardrail = await studio.guardrail(app, action={"transferAgent": {"agent": gone}})
    field = {"v1": "rootAgent", "v1beta": "agent"}[studio.call.version]
    tool = {"parent": app, "toolId": "ask", "tool": {"agentTool": {"name": "ask", field: gone}}}
    await studio("CreateTool", tool)
    await studio("UpdateApp", {"app": {"name": app, "rootAgent": gone}, "updateMask": "rootAgent"})
    await studio("DeleteAgent", {"name": gone, "force": True})
    after = await studio("GetAgent", {"name": parent["name"]})
    assert (after["childAgents"], "transferRules" in after) == ([kept], False)
    assert "rootAgent" not in await studio("GetApp", {"name": app})
    assert (await studio("GetGuardrail", {"name": guardrail["name"]}))["action"] == {"transferAgent": {}}
    assert (await studio("GetTool", {"name": f"{app}/tools/ask"}))["agentTool"] == {"name": "ask"}


async def test_guardrails_and_toolsets_go_from_the_lists_that_name_them(studio: Studio) -> None:
    app = await studio.app()
    guardrail, toolset = (await studio.guardrail(app))["name"], (await studio.toolset(app))["name"]
    agent = await studio.agent(app, guardrails=[guardrail], toolsets=[{"toolset": toolset, "toolIds": ["getPet"]}])
    await studio("UpdateApp", {"app": {"name": app, "guardrails": [guardrail]}, "updateMask": "guardrails"})
    await studio("DeleteGuardrail", {"name": guardrail, "force": True})
    await studio("DeleteToolset", {"name": toolset, "force": True})
    after = await studio("GetAgent", {"name": agent["name"]})
    assert ("guardrails" in after, "toolsets" in after) == (False, False)
    assert "guardrails" not in await studio("GetApp", {"name": app})
