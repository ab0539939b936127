"""The tools that every agent has without anybody making them."""

import io
import zipfile
from base64 import b64decode

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.wire.errors import Code
from tests.integration.services.peers import Caller

ID = "df-code-interpreter-tool"


async def listed(call: Caller, agent: str, **query: object) -> JsonObject:
    return await call("Tools.ListTools", {"parent": agent, **query})


@pytest.mark.proves("B1")
async def test_an_agent_has_a_code_interpreter_from_the_first(call: Caller) -> None:
    agent = await call.agent()
    [tool] = (await listed(call, agent))["tools"]
    assert {**tool, "description": ""} == {
        "name": f"{agent}/tools/{ID}",
        "displayName": "code-interpreter",
        "description": "",
        "toolType": "BUILTIN_TOOL",
    }
    assert await call("Tools.GetTool", {"name": tool["name"]}) == tool


async def test_it_is_the_last_of_a_list_whatever_the_size_of_pages(call: Caller) -> None:
    agent = await call.agent()
    for name in ("one", "two"):
        await call.tool(agent, displayName=name)
    everything = [["one", "two", "code-interpreter"]]
    pages = {1: [["one"], ["two"], ["code-interpreter"]], 2: [["one", "two"], ["code-interpreter"]]}
    for size, expected in {**pages, 3: everything, 0: everything}.items():
        found: list[list[str]] = []
        token = ""
        while not found or token:
            page = await listed(call, agent, pageSize=size, pageToken=token)
            found.append([tool["displayName"] for tool in page["tools"]])
            token = page.get("nextPageToken", "")
        assert found == expected, size


async def test_an_agent_that_is_not_there_has_no_tools(call: Caller) -> None:
    agent = "projects/p/locations/global/agents/none"
    nothing = (Code.NOT_FOUND, f"Agent {agent} does not exist")
    assert await call.refusal("Tools.GetTool", {"name": f"{agent}/tools/{ID}"}) == nothing
    assert await call.refusal("Tools.ListTools", {"parent": agent}) == nothing


async def test_it_can_be_neither_changed_nor_deleted(call: Caller) -> None:
    name = f"{await call.agent()}/tools/{ID}"
    changed = {"tool": {"name": name, "description": "Mine."}, "updateMask": "description"}
    refused = Code.FAILED_PRECONDITION
    assert await call.refusal("Tools.UpdateTool", changed) == (
        refused,
        f"{name} is a built-in tool: it cannot be changed",
    )
    assert await call.refusal("Tools.DeleteTool", {"name": name, "force": True}) == (
        refused,
        f"{name} is a built-in tool: it cannot be deleted",
    )


async def test_no_other_tool_takes_its_place(call: Caller) -> None:
    agent = await call.agent()
    tool = {"displayName": "mine", "description": "d", "functionSpec": {}}
    asked = {"parent": agent, "tool": {**tool, "name": f"{agent}/tools/{ID}"}}
    assert await call.refusal("Tools.CreateTool", asked) == (
        Code.INVALID_ARGUMENT,
        f"tool.name: {agent}/tools/{ID} is a built-in tool, which every agent has already",
    )
    taken = (Code.INVALID_ARGUMENT, "tool.display_name: 'code-interpreter' is the name of a built-in tool")
    named = {"parent": agent, "tool": {**tool, "displayName": "code-interpreter"}}
    assert await call.refusal("Tools.CreateTool", named) == taken
    made = await call.tool(agent)
    renamed = {"tool": {"name": made["name"], "displayName": "code-interpreter"}, "updateMask": "displayName"}
    assert await call.refusal("Tools.UpdateTool", renamed) == taken


async def test_it_has_no_versions(call: Caller) -> None:
    name = f"{await call.agent()}/tools/{ID}"
    nothing = (Code.NOT_FOUND, f"Tool {name} does not exist")
    assert await call.refusal("Tools.ListToolVersions", {"parent": name}) == nothing
    version = {"parent": name, "toolVersion": {"displayName": "v"}}
    assert await call.refusal("Tools.CreateToolVersion", version) == nothing


@pytest.mark.parametrize("word", ["code-interpreter", ID])
async def test_instructions_refer_to_it_by_name_or_id(call: Caller, word: str) -> None:
    agent = await call.agent()
    playbook = await call.playbook(agent, text=f"Use ${{TOOL: {word}}}.")
    assert playbook["referencedTools"] == [f"{agent}/tools/{ID}"]
    assert call.warnings == []


async def test_validation_knows_it(call: Caller) -> None:
    agent = await call.agent()
    playbook = await call.playbook(agent, text="Compute.", referencedTools=[f"{agent}/tools/{ID}"])
    use = {"toolUse": {"tool": f"{agent}/tools/{ID}", "action": "generate_and_execute"}}
    await call.example(playbook["name"], actions=[use])
    assert call.warnings == []
    changed = {"agent": {"name": agent, "startPlaybook": playbook["name"]}, "updateMask": "startPlaybook"}
    await call("Agents.UpdateAgent", changed)
    assert "flowValidationResults" not in await call("Agents.ValidateAgent", {"name": agent})


async def test_packages_refer_to_it_and_hold_no_file_of_it(call: Caller) -> None:
    agent = await call.agent()
    await call.playbook(agent, text="Use ${TOOL: code-interpreter}.")
    exported = await call.operation("Agents.ExportAgent", {"name": agent, "dataFormat": "JSON_PACKAGE"})
    content = exported["response"]["agentContent"]
    with zipfile.ZipFile(io.BytesIO(b64decode(content))) as archive:
        assert [name for name in archive.namelist() if name.startswith("tools/")] == []
    other = await call.agent(displayName="Park")
    await call.operation("Agents.RestoreAgent", {"name": other, "agentContent": content})
    [playbook] = (await call("Playbooks.ListPlaybooks", {"parent": other}))["playbooks"]
    assert playbook["referencedTools"] == [f"{other}/tools/{ID}"]
    assert [tool["displayName"] for tool in (await listed(call, other))["tools"]] == ["code-interpreter"]
