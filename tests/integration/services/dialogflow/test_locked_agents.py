"""A locked agent takes no change."""

from openplaybook.jsonvalues import JsonObject
from openplaybook.wire.errors import Code
from tests.integration.services.peers import Caller


async def test_a_locked_agent_is_only_unlocked_and_restored(call: Caller) -> None:
    agent = await call.agent()
    playbook = (await call.playbook(agent))["name"]
    example = (await call.example(playbook))["name"]
    tool = (await call.tool(agent, "search"))["name"]
    exported = (await call.operation("Agents.ExportAgent", {"name": agent}))["response"]["agentContent"]
    lock: JsonObject = {"agent": {"name": agent, "locked": True}, "updateMask": "locked"}
    assert (await call("Agents.UpdateAgent", lock))["locked"] is True
    settings = {"name": f"{agent}/generativeSettings", "languageCode": "en"}
    refused: list[tuple[str, JsonObject]] = [
        ("Agents.UpdateAgent", {"agent": {"name": agent, "displayName": "x"}, "updateMask": "displayName"}),
        ("Agents.UpdateAgent", lock),
        ("Agents.UpdateGenerativeSettings", {"generativeSettings": settings}),
        ("Agents.DeleteAgent", {"name": agent}),
        ("Playbooks.CreatePlaybook", {"parent": agent, "playbook": {"displayName": "p", "goal": "g"}}),
        ("Playbooks.UpdatePlaybook", {"playbook": {"name": playbook, "goal": "x"}, "updateMask": "goal"}),
        ("Playbooks.DeletePlaybook", {"name": playbook}),
        ("Examples.UpdateExample", {"example": {"name": example, "displayName": "x"}, "updateMask": "displayName"}),
        ("Examples.DeleteExample", {"name": example}),
        ("Tools.UpdateTool", {"tool": {"name": tool, "description": "x"}, "updateMask": "description"}),
        ("Tools.DeleteTool", {"name": tool, "force": True}),
    ]
    told = (Code.FAILED_PRECONDITION, f"{agent} is locked for changes; set its `locked` to false first")
    for rpc, request in refused:
        assert await call.refusal(rpc, request) == told, rpc
    assert (await call("Playbooks.GetPlaybook", {"name": playbook}))["goal"]
    await call("Playbooks.CreatePlaybookVersion", {"parent": playbook, "playbookVersion": {"description": "kept"}})
    await call.operation("Agents.RestoreAgent", {"name": agent, "agentContent": exported})

    assert (await call("Agents.GetAgent", {"name": agent})).get("locked", False) is False


async def test_an_agent_is_unlocked_together_with_other_changes(call: Caller) -> None:
    agent = await call.agent(locked=True)
    unlocking: JsonObject = {"agent": {"name": agent, "displayName": "Open"}, "updateMask": "displayName,locked"}
    assert (await call("Agents.UpdateAgent", unlocking))["displayName"] == "Open"
