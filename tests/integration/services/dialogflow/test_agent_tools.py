import pytest

from openplaybook.wire.errors import Code
from tests.integration.services.peers import Caller


async def test_a_tool_is_a_customized_tool_whatever_the_client_says(call: Caller) -> None:
    tool = await call.tool(await call.agent(), toolType="BUILTIN_TOOL")
    assert tool == {
        "name": tool["name"],
        "displayName": "Weather",
        "description": "Tells",
        "functionSpec": {},
        "toolType": "CUSTOMIZED_TOOL",
    }
    assert await call("Tools.GetTool", {"name": tool["name"]}) == tool


async def test_a_tool_that_cannot_work_is_refused_with_the_place(call: Caller) -> None:
    agent = await call.agent()
    tool = {"displayName": "Pets", "description": "d", "openApiSpec": {"textSchema": "broken"}}
    code, message, details = await call.error("Tools.CreateTool", {"parent": agent, "tool": tool})
    assert (code, message) == (
        Code.INVALID_ARGUMENT,
        "tool.openApiSpec.textSchema (line 1): is no OpenAPI document",
    )
    assert details[1].field_violations[0].field == "tool.openApiSpec.textSchema (line 1)"
    listed = (await call("Tools.ListTools", {"parent": agent}))["tools"]
    assert [each["displayName"] for each in listed] == ["code-interpreter"]


async def test_a_remark_on_a_tool_is_a_warning(call: Caller) -> None:
    await call(
        "Tools.CreateTool",
        {
            "parent": await call.agent(),
            "tool": {"displayName": "Pets", "description": "d", "openApiSpec": {"textSchema": "odd"}},
        },
    )
    assert call.warnings == ["tool.openApiSpec.textSchema: is odd"]


async def test_the_kind_of_a_tool_can_be_changed(call: Caller) -> None:
    tool = await call.tool(await call.agent())
    patched = await call(
        "Tools.UpdateTool",
        {"tool": {"name": tool["name"], "openApiSpec": {"textSchema": "t"}}, "updateMask": "openApiSpec"},
    )
    assert "functionSpec" not in patched
    assert patched["openApiSpec"] == {"textSchema": "t"}


@pytest.mark.proves("G7")
async def test_a_tool_in_use_is_not_deleted_and_its_users_are_named(call: Caller) -> None:
    agent = await call.agent()
    tool = await call.tool(agent)
    playbook = await call.playbook(agent, text="Use ${TOOL: Weather}")
    example = await call.example(playbook["name"], actions=[{"toolUse": {"tool": tool["name"], "action": "a"}}])
    assert await call.refusal("Tools.DeleteTool", {"name": tool["name"]}) == (
        Code.FAILED_PRECONDITION,
        f"{tool['name']} is used by playbook 'Greeter' ({playbook['name']}); example 'First' ({example['name']});"
        " set force to remove it there too",
    )
    assert await call("Tools.GetTool", {"name": tool["name"]}) == tool


@pytest.mark.proves("G7")
async def test_force_removes_a_tool_and_every_reference_to_it(call: Caller) -> None:
    agent = await call.agent()
    tool, other = await call.tool(agent), await call.tool(agent, "Clock")
    typed = {"name": "w", "typeSchema": {"schemaReference": {"tool": tool["name"], "schema": "s"}}}
    playbook = await call.playbook(
        agent, referencedTools=[other["name"], tool["name"]], inputParameterDefinitions=[typed]
    )
    hello = {"userUtterance": {"text": "hi"}}
    use = {"toolUse": {"tool": tool["name"], "action": "a"}}
    example = await call.example(playbook["name"], actions=[hello, use])
    assert await call("Tools.DeleteTool", {"name": tool["name"], "force": True}) == {}
    left = await call("Playbooks.GetPlaybook", {"name": playbook["name"]})
    assert left["referencedTools"] == [other["name"]]
    assert left["inputParameterDefinitions"] == [{"name": "w"}]
    assert (await call("Examples.GetExample", {"name": example["name"]}))["actions"] == [hello]
    assert (await call.refusal("Tools.GetTool", {"name": tool["name"]}))[0] is Code.NOT_FOUND


async def test_a_tool_named_in_instructions_alone_is_in_use(call: Caller) -> None:
    agent = await call.agent()
    tool, other = await call.tool(agent), await call.tool(agent, "Clock")
    playbook = await call.playbook(agent, text="Use ${TOOL: Weather}", referencedTools=[other["name"]])
    assert (await call.refusal("Tools.DeleteTool", {"name": tool["name"]}))[0] is Code.FAILED_PRECONDITION
    await call("Tools.DeleteTool", {"name": tool["name"], "force": True})
    assert call.warnings == [
        f"{tool['name']} was used by playbook 'Greeter' ({playbook['name']});"
        " instructions that mention it are unchanged"
    ]
    assert await call("Playbooks.GetPlaybook", {"name": playbook["name"]}) == playbook


async def test_an_unused_tool_is_deleted_without_force(call: Caller) -> None:
    tool = await call.tool(await call.agent())
    assert await call("Tools.DeleteTool", {"name": tool["name"]}) == {}


@pytest.mark.proves("G7")
async def test_a_tool_version_brings_the_tool_back(call: Caller) -> None:
    tool = await call.tool(await call.agent())
    version = await call("Tools.CreateToolVersion", {"parent": tool["name"], "toolVersion": {"displayName": "one"}})
    assert version == {
        "name": version["name"],
        "displayName": "one",
        "tool": tool,
        "createTime": "2023-11-14T22:13:20Z",
        "updateTime": "2023-11-14T22:13:20Z",
    }
    changed = {"tool": {"name": tool["name"], "description": "Worse"}, "updateMask": "description"}
    await call("Tools.UpdateTool", changed)
    assert await call("Tools.RestoreToolVersion", {"name": version["name"]}) == {"tool": tool}
    assert await call("Tools.GetTool", {"name": tool["name"]}) == tool
    assert await call("Tools.ListToolVersions", {"parent": tool["name"]}) == {"toolVersions": [version]}
    assert await call("Tools.DeleteToolVersion", {"name": version["name"]}) == {}
    assert await call("Tools.ListToolVersions", {"parent": tool["name"]}) == {}


async def test_a_tool_version_may_bring_its_own_snapshot(call: Caller) -> None:
    tool = await call.tool(await call.agent())
    snapshot = {"displayName": "Weather", "description": "Other", "functionSpec": {}}
    request = {"parent": tool["name"], "toolVersion": {"displayName": "two", "tool": snapshot}}
    version = await call("Tools.CreateToolVersion", request)
    assert version["tool"] == {**snapshot, "name": tool["name"], "toolType": "CUSTOMIZED_TOOL"}
    broken = {**snapshot, "functionSpec": None, "openApiSpec": {"textSchema": "broken"}}
    request = {"parent": tool["name"], "toolVersion": {"displayName": "three", "tool": broken}}
    assert await call.refusal("Tools.CreateToolVersion", request) == (
        Code.INVALID_ARGUMENT,
        "tool_version.tool.openApiSpec.textSchema (line 1): is no OpenAPI document",
    )


async def test_a_tool_version_needs_a_name(call: Caller) -> None:
    tool = await call.tool(await call.agent())
    assert await call.refusal("Tools.CreateToolVersion", {"parent": tool["name"], "toolVersion": {}}) == (
        Code.INVALID_ARGUMENT,
        "Required but not given: tool_version.display_name",
    )


async def test_a_v3_client_does_not_clear_what_only_the_beta_version_has(call: Caller) -> None:
    agent = await call.agent()
    connection = "projects/p/locations/l/connections/c"
    specification = {"name": connection, "actions": [{"connectionActionId": "a"}]}
    tool = await call.tool(agent, functionSpec=None, connectorSpec=specification)
    call.version = "v3"
    seen = await call("Tools.GetTool", {"name": tool["name"]})
    assert "connectorSpec" not in seen
    await call("Tools.UpdateTool", {"tool": {**seen, "description": "New"}})
    call.version = "v3beta1"
    assert await call("Tools.GetTool", {"name": tool["name"]}) == {**tool, "description": "New"}
