import asyncio

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.wire.errors import Code, RpcError
from tests.integration.services.peers import LOCATION, Caller


async def test_a_playbook_gets_times_and_keeps_what_was_written(call: Caller) -> None:
    agent = await call.agent()
    created = await call.playbook(agent, "Greeter", "Say hello", playbookType="ROUTINE")
    assert created == {
        "name": created["name"],
        "displayName": "Greeter",
        "goal": "Help",
        "instruction": {"steps": [{"text": "Say hello"}]},
        "playbookType": "ROUTINE",
        "tokenCount": "12",
        "createTime": "2023-11-14T22:13:20Z",
        "updateTime": "2023-11-14T22:13:20Z",
    }
    assert await call("Playbooks.GetPlaybook", {"name": created["name"]}) == created


async def test_output_only_fields_are_not_the_clients_to_set(call: Caller) -> None:
    agent = await call.agent()
    playbook = await call.playbook(agent, tokenCount="7", createTime="1999-01-01T00:00:00Z")
    assert playbook["tokenCount"] == "1"
    call.clock.advance(60)
    patched = await call(
        "Playbooks.UpdatePlaybook",
        {"playbook": {**playbook, "goal": "New", "createTime": "1999-01-01T00:00:00Z", "inlineActions": ["a"]}},
    )
    assert patched == {**playbook, "goal": "New", "updateTime": "2023-11-14T22:14:20Z"}


async def test_a_display_name_is_unique_within_its_agent(call: Caller) -> None:
    agent, other = await call.agent(), await call.agent()
    first = await call.playbook(agent)
    await call.playbook(other)
    second = await call.playbook(agent, "Second")
    taken = (Code.ALREADY_EXISTS, f"display_name 'Greeter' is already used by {first['name']}")
    assert (
        await call.refusal(
            "Playbooks.CreatePlaybook", {"parent": agent, "playbook": {"displayName": "Greeter", "goal": "g"}}
        )
        == taken
    )
    rename = {"playbook": {"name": second["name"], "displayName": "Greeter"}, "updateMask": "displayName"}
    assert await call.refusal("Playbooks.UpdatePlaybook", rename) == taken


@pytest.mark.parametrize(
    ("rpc", "field", "more"),
    [
        ("Playbooks.CreatePlaybook", "playbook", {"goal": "g"}),
        ("Tools.CreateTool", "tool", {"description": "d", "functionSpec": {}}),
    ],
)
async def test_of_creations_of_one_display_name_at_the_same_time_one_succeeds(
    call: Caller, rpc: str, field: str, more: JsonObject
) -> None:
    request = {"parent": await call.agent(), field: {"displayName": "Same", **more}}
    answers = await asyncio.gather(*(call(rpc, request) for _ in range(8)), return_exceptions=True)
    [made] = [each for each in answers if isinstance(each, dict)]
    refused = [(each.code, each.message) for each in answers if isinstance(each, RpcError)]
    assert refused == [(Code.ALREADY_EXISTS, f"display_name 'Same' is already used by {made['name']}")] * 7


async def test_of_renamings_to_one_display_name_at_the_same_time_one_succeeds(call: Caller) -> None:
    agent = await call.agent()
    names = [(await call.playbook(agent, f"Number {number}"))["name"] for number in range(4)]
    answers = await asyncio.gather(
        *(
            call(
                "Playbooks.UpdatePlaybook",
                {"playbook": {"name": name, "displayName": "Same"}, "updateMask": "displayName"},
            )
            for name in names
        ),
        return_exceptions=True,
    )
    [renamed] = [each for each in answers if isinstance(each, dict)]
    refused = [(each.code, each.message) for each in answers if isinstance(each, RpcError)]
    assert refused == [(Code.ALREADY_EXISTS, f"display_name 'Same' is already used by {renamed['name']}")] * 3


async def test_agents_and_examples_may_share_a_display_name(call: Caller) -> None:
    agent, other = await call.agent(displayName="Same"), await call.agent(displayName="Same")
    assert agent != other
    playbook = (await call.playbook(agent))["name"]
    examples = [(await call.example(playbook, "Same"))["name"] for _ in range(2)]
    assert len(set(examples)) == 2


async def test_a_playbook_of_no_agent_is_not_created(call: Caller) -> None:
    request = {"parent": f"{LOCATION}/agents/none", "playbook": {"displayName": "x", "goal": "g"}}
    assert await call.refusal("Playbooks.CreatePlaybook", request) == (
        Code.NOT_FOUND,
        f"Agent {LOCATION}/agents/none does not exist",
    )


async def test_references_in_the_text_become_referenced_tools_and_playbooks(call: Caller) -> None:
    agent = await call.agent()
    tool, helper = await call.tool(agent), await call.playbook(agent, "Helper")
    playbook = await call.playbook(agent, text="Use ${TOOL: Weather}, then ${PLAYBOOK:Helper} or ${AGENT: Helper}")
    assert playbook["referencedTools"] == [tool["name"]]
    assert playbook["referencedPlaybooks"] == [helper["name"]]
    assert call.warnings == []


async def test_implied_references_follow_the_text(call: Caller) -> None:
    agent = await call.agent()
    await call.tool(agent)
    clock = await call.tool(agent, "Clock")
    playbook = await call.playbook(agent, text="Use ${TOOL: Weather}")
    steps = {"name": playbook["name"], "instruction": {"steps": [{"text": "Use ${TOOL: Clock}"}]}}
    patched = await call("Playbooks.UpdatePlaybook", {"playbook": steps, "updateMask": "instruction"})
    assert patched["referencedTools"] == [clock["name"]]


async def test_references_that_a_client_lists_stay_as_they_are(call: Caller) -> None:
    agent = await call.agent()
    await call.tool(agent)
    clock = await call.tool(agent, "Clock")
    playbook = await call.playbook(agent, text="Use ${TOOL: Weather}", referencedTools=[clock["name"]])
    assert playbook["referencedTools"] == [clock["name"]]
    steps = {"name": playbook["name"], "instruction": {"steps": [{"text": "Say hello"}]}}
    patched = await call("Playbooks.UpdatePlaybook", {"playbook": steps, "updateMask": "instruction"})
    assert patched["referencedTools"] == [clock["name"]]


async def test_a_reference_to_nothing_is_saved_with_a_warning_that_says_where(call: Caller) -> None:
    agent = await call.agent()
    await call.tool(agent)
    missing = f"{agent}/tools/none"
    await call.playbook(agent, text="Ask ${TOOL: Wether}", referencedTools=[missing])
    assert call.warnings == [
        "$.instruction.steps[0].text at 4: there is no tool 'Wether'; did you mean 'Weather'?",
        f"referenced_tools: {missing} does not exist",
    ]


async def test_a_playbook_may_refer_to_itself(call: Caller) -> None:
    await call.playbook(await call.agent(), "Loop", "Go to ${PLAYBOOK: Loop}")
    assert call.warnings == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Use ${TOOL search}", "${TOOL lacks the colon behind its keyword (at character 5)"),
        ("Use ${TOOL: search", "${TOOL: has no closing brace (at character 5)"),
        ("Use ${TOOL: }", "${TOOL: } lacks a name (at character 5)"),
        ("${TOL: search}", "${TOL: …} refers to nothing; known are ${TOOL: name}, ${PLAYBOOK: name} and ${FLOW: name}"),
    ],
)
async def test_a_reference_that_is_malformed_in_the_text_is_told_at_save_and_by_validate(
    call: Caller, text: str, fault: str
) -> None:
    agent = await call.agent()
    await call.playbook(agent, "Greeter", text)
    (warning,) = call.warnings
    assert warning.startswith("$.instruction.steps[0].text at ")
    assert fault in warning
    found = (await call("Agents.ValidateAgent", {"name": agent}))["flowValidationResults"]
    assert any(fault in str(each) for each in found)


async def test_a_malformed_reference_is_refused(call: Caller) -> None:
    agent = await call.agent()
    playbook = {"displayName": "x", "goal": "g", "referencedTools": ["Weather"]}
    code, message = await call.refusal("Playbooks.CreatePlaybook", {"parent": agent, "playbook": playbook})
    assert code is Code.INVALID_ARGUMENT
    assert message.startswith("playbook.referenced_tools[0]: 'Weather' is not a valid resource name here; expected")


async def test_the_start_playbook_cannot_be_deleted(call: Caller) -> None:
    agent = await call.agent()
    name = (await call.playbook(agent))["name"]
    await call("Agents.UpdateAgent", {"agent": {"name": agent, "startPlaybook": name}, "updateMask": "startPlaybook"})
    assert await call.refusal("Playbooks.DeletePlaybook", {"name": name}) == (
        Code.FAILED_PRECONDITION,
        f"{name} is the agent's start playbook; set another start_playbook first",
    )
    await call("Agents.UpdateAgent", {"agent": {"name": agent}, "updateMask": "startPlaybook"})
    assert await call("Playbooks.DeletePlaybook", {"name": name}) == {}


async def test_deleting_a_playbook_takes_its_examples_and_the_references_of_others_with_it(call: Caller) -> None:
    agent = await call.agent()
    helper = await call.playbook(agent, "Helper")
    example = await call.example(helper["name"])
    caller = await call.playbook(agent, text="Use ${PLAYBOOK: Helper}")
    used = f"{helper['name']} is used by playbook 'Greeter' ({caller['name']})"
    hint = "add force=true to the request over REST to remove it there too"
    assert await call.refusal("Playbooks.DeletePlaybook", {"name": helper["name"]}) == (
        Code.FAILED_PRECONDITION,
        f"{used}; {hint}",
    )
    await call("Playbooks.DeletePlaybook", {"name": helper["name"], "force": True})
    assert call.warnings == [f"{used.replace(' is ', ' was ')}; instructions that mention it are unchanged"]
    assert (await call.refusal("Examples.GetExample", {"name": example["name"]}))[0] is Code.NOT_FOUND
    left = await call("Playbooks.GetPlaybook", {"name": caller["name"]})
    assert "referencedPlaybooks" not in left
    assert left["instruction"] == caller["instruction"]


async def test_patches_of_different_fields_at_the_same_time_all_last(call: Caller) -> None:
    agent = await call.agent()
    name = (await call.playbook(agent))["name"]
    patches = [("goal", "G"), ("displayName", "D"), ("playbookType", "ROUTINE"), ("codeBlock", {"code": "pass"})]
    await asyncio.gather(
        *(
            call("Playbooks.UpdatePlaybook", {"playbook": {"name": name, field: value}, "updateMask": field})
            for field, value in patches
        )
    )
    playbook = await call("Playbooks.GetPlaybook", {"name": name})
    assert {field: playbook[field] for field, _ in patches} == dict(patches)


async def test_a_version_is_a_snapshot_that_can_be_restored(call: Caller) -> None:
    agent = await call.agent()
    playbook = await call.playbook(agent, text="Say hello")
    kept = await call.example(playbook["name"])
    version = await call(
        "Playbooks.CreatePlaybookVersion",
        {"parent": playbook["name"], "playbookVersion": {"description": "good", "playbook": {"goal": "not mine"}}},
    )
    assert version == {
        "name": version["name"],
        "description": "good",
        "playbook": playbook,
        "examples": [kept],
        "updateTime": "2023-11-14T22:13:20Z",
    }
    await call("Playbooks.UpdatePlaybook", {"playbook": {**playbook, "goal": "Worse"}})
    await call("Examples.DeleteExample", {"name": kept["name"]})
    await call.example(playbook["name"], "Later")
    call.clock.advance(60)

    restored = await call("Playbooks.RestorePlaybookVersion", {"name": version["name"]})

    assert restored == {"playbook": {**playbook, "updateTime": "2023-11-14T22:14:20Z"}}
    assert await call("Playbooks.GetPlaybook", {"name": playbook["name"]}) == restored["playbook"]
    assert await call("Examples.ListExamples", {"parent": playbook["name"]}) == {"examples": [kept]}
    assert await call("Playbooks.ListPlaybookVersions", {"parent": playbook["name"]}) == {"playbookVersions": [version]}


async def test_a_deleted_version_is_gone_and_its_playbook_is_not(call: Caller) -> None:
    agent = await call.agent()
    playbook = await call.playbook(agent)
    version = await call("Playbooks.CreatePlaybookVersion", {"parent": playbook["name"], "playbookVersion": {}})
    await call("Playbooks.DeletePlaybookVersion", {"name": version["name"]})
    for rpc in ("GetPlaybookVersion", "RestorePlaybookVersion", "DeletePlaybookVersion"):
        assert await call.refusal(f"Playbooks.{rpc}", {"name": version["name"]}) == (
            Code.NOT_FOUND,
            f"Playbook version {version['name']} does not exist",
        )
    assert await call("Playbooks.GetPlaybook", {"name": playbook["name"]}) == playbook


async def test_handlers_and_code_come_back_as_they_were_and_what_will_not_run_is_told(call: Caller) -> None:
    agent = await call.agent()
    told: JsonObject = {
        "codeBlock": {"code": "def _f():\n    respond('hi')\n"},
        "handlers": [
            {
                "lifecycleHandler": {
                    "lifecycleStage": "pre-action-selection",
                    "condition": "$session.params.a == 1",
                    "fulfillment": {
                        "messages": [{"text": {"text": ["Hello", "Hi"]}}],
                        "webhook": f"{agent}/webhooks/w",
                        "tag": "t",
                        "conditionalCases": [{"cases": [{"condition": "true"}]}],
                    },
                    "targetPlaybook": f"{agent}/playbooks/p",
                }
            },
            {"eventHandler": {"event": "hello", "fulfillment": {"codeBlockFunction": "_f"}}},
        ],
    }
    playbook = await call(
        "Playbooks.CreatePlaybook", {"parent": agent, "playbook": {**told, "displayName": "P", "goal": "g"}}
    )
    assert {key: playbook[key] for key in told} == told
    assert call.warnings == [
        "$.codeBlock.code: the code block is kept, but not run",
        "$.handlers[0].lifecycleHandler.condition at 19: the condition cannot be read, so it never holds: "
        "'=' is not a value",
        f"$.handlers[0].lifecycleHandler.fulfillment: webhook {agent}/webhooks/w is kept, but not run",
        "$.handlers[1].eventHandler.fulfillment: code block function _f is kept, but not run",
    ]
    assert await call("Playbooks.GetPlaybook", {"name": playbook["name"]}) == playbook


async def test_validation_lists_what_of_a_playbook_will_not_run(call: Caller) -> None:
    agent = await call.agent()
    start = {"lifecycleStage": "playbook-start", "condition": "1", "fulfillment": {}}
    await call.playbook(agent, codeBlock={"code": "x"}, handlers=[{"lifecycleHandler": start}])
    result = await call("Agents.ValidateAgent", {"name": agent})
    found = [
        (message["severity"], message["detail"])
        for entry in result["flowValidationResults"][1:]
        for message in entry["validationMessages"]
    ]
    assert found == [
        ("INFO", "$.codeBlock.code: the code block is kept, but not run"),
        (
            "WARNING",
            "$.handlers[0].lifecycleHandler.condition at 0: the condition cannot be read, so it never holds: "
            "a value alone is not a condition: compare it, or write true or false",
        ),
    ]
