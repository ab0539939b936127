from openplaybook.jsonvalues import JsonObject
from openplaybook.wire.errors import Code
from tests.integration.services.peers import LOCATION, Caller


def _found(result: JsonObject) -> list[tuple[str, str, str]]:
    """(resource, severity, detail) of every message."""
    return [
        (entry["name"], message["severity"], message["detail"])
        for entry in result.get("flowValidationResults", [])
        for message in entry["validationMessages"]
    ]


async def test_an_agent_in_order_has_nothing_to_complain_about(call: Caller) -> None:
    agent = await call.agent()
    await call.tool(agent)
    playbook = await call.playbook(agent, text="Use ${TOOL: Weather}")
    await call.example(playbook["name"])
    start = {"name": agent, "startPlaybook": playbook["name"]}
    await call("Agents.UpdateAgent", {"agent": start, "updateMask": "startPlaybook"})
    result = {"name": f"{agent}/validationResult"}
    assert await call("Agents.ValidateAgent", {"name": agent}) == result
    assert await call("Agents.GetAgentValidationResult", {"name": f"{agent}/validationResult"}) == result


async def test_every_fault_is_told_with_its_resource_and_place(call: Caller) -> None:
    agent = await call.agent()
    tool = await call.tool(agent, functionSpec=None, openApiSpec={"textSchema": "odd"})
    gone = f"{agent}/tools/gone"
    playbook = await call.playbook(agent, text="Ask ${TOOL: Wether} twice", referencedTools=[gone])
    example = await call.example(playbook["name"], actions=[{"toolUse": {"tool": "gone", "action": "a"}}])
    result = await call("Agents.ValidateAgent", {"name": agent})
    assert _found(result) == [
        (agent, "ERROR", "$.startPlaybook: is not set: the agent has nothing to start with"),
        (tool["name"], "INFO", "$.openApiSpec.textSchema: is odd"),
        (
            playbook["name"],
            "ERROR",
            "$.instruction.steps[0].text at 4: there is no tool 'Wether'; did you mean 'Weather'?",
        ),
        (playbook["name"], "ERROR", f"$.referencedTools[0]: {gone} does not exist"),
        (example["name"], "ERROR", "$.actions[0].toolUse.tool: there is no tool 'gone'"),
    ]
    message = result["flowValidationResults"][0]["validationMessages"][0]
    assert message["resourceType"] == "AGENT"
    assert message["resourceNames"] == [{"name": agent, "displayName": "Zoo"}]
    assert await call("Agents.GetAgentValidationResult", {"name": f"{agent}/validationResult"}) == result


async def test_an_agent_that_starts_with_a_flow_is_told_that_flows_are_not_run(call: Caller) -> None:
    agent = await call.agent(startFlow=f"{LOCATION}/agents/-/flows/f")
    [(_, severity, detail)] = _found(await call("Agents.ValidateAgent", {"name": agent}))
    assert (severity, detail) == ("ERROR", "$.startFlow: flows are not run; set startPlaybook")
    await call.playbook(agent, "Desk")
    [(_, severity, detail)] = _found(await call("Agents.ValidateAgent", {"name": agent}))
    only = "$.startFlow: flows are not run; conversations begin with the only playbook, 'Desk'"
    assert (severity, detail) == ("INFO", only)
    await call.playbook(agent, "Sales")
    [(_, severity, detail)] = _found(await call("Agents.ValidateAgent", {"name": agent}))
    assert (severity, detail) == ("ERROR", "$.startFlow: flows are not run; set startPlaybook")


async def test_a_flow_that_is_kept_is_told_apart_from_one_that_is_not_there(call: Caller) -> None:
    agent = await call.agent()
    playbook = await call.playbook(agent, text="Go to ${FLOW: Default Start Flow}, or ${FLOW: Default Stat Flow}")
    start = f"{agent}/flows/00000000-0000-0000-0000-000000000000"
    example = await call.example(playbook["name"], actions=[{"flowInvocation": {"flow": start}}])
    assert _found(await call("Agents.ValidateAgent", {"name": agent}))[1:] == [
        (
            playbook["name"],
            "INFO",
            "$.instruction.steps[0].text at 6: flow 'Default Start Flow' is kept, but flows are not run",
        ),
        (
            playbook["name"],
            "WARNING",
            "$.instruction.steps[0].text at 38: there is no flow 'Default Stat Flow'; did you mean 'Default Start "
            "Flow'?",
        ),
        (example["name"], "INFO", "$.actions[0].flowInvocation: flows are not run; left out"),
        (example["name"], "INFO", f"$.actions[0].flowInvocation.flow: flow {start!r} is kept, but flows are not run"),
    ]


async def test_there_is_no_result_for_an_agent_that_is_not_there(call: Caller) -> None:
    request = {"name": f"{LOCATION}/agents/none/validationResult"}
    assert (await call.refusal("Agents.GetAgentValidationResult", request))[0] is Code.NOT_FOUND
