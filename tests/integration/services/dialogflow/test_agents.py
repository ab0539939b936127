import pytest

from openplaybook.wire.errors import Code
from tests.integration.services.peers import LOCATION, Caller

AGENT = {"displayName": "Zoo", "defaultLanguageCode": "en", "timeZone": "Europe/Berlin"}


async def test_a_created_agent_is_read_back_with_a_name_of_ours(call: Caller) -> None:
    created = await call(
        "Agents.CreateAgent", {"parent": LOCATION, "agent": {**AGENT, "name": "mine", "description": "Animals"}}
    )
    location, _, id = created["name"].rpartition("/agents/")
    assert location == LOCATION
    assert len(id) == 36
    assert created == {"name": created["name"], **AGENT, "description": "Animals"}
    assert await call("Agents.GetAgent", {"name": created["name"]}) == created


async def test_an_agent_without_its_required_fields_is_refused_naming_all_of_them(call: Caller) -> None:
    code, message, details = await call.error("Agents.CreateAgent", {"parent": LOCATION, "agent": {}})
    assert (code, message) == (
        Code.INVALID_ARGUMENT,
        "Required but not given: agent.display_name, agent.default_language_code, agent.time_zone",
    )
    info, bad_request = details
    assert (info.reason, info.domain) == ("MISSING_FIELDS", "openplaybook")
    assert [violation.field for violation in bad_request.field_violations] == [
        "agent.display_name",
        "agent.default_language_code",
        "agent.time_zone",
    ]


@pytest.mark.parametrize("name", ["x", "projects/p/locations/l", "projects/p/locations/l/agents/a b"])
async def test_a_malformed_name_is_an_invalid_argument(call: Caller, name: str) -> None:
    code, message = await call.refusal("Agents.GetAgent", {"name": name})
    assert code is Code.INVALID_ARGUMENT
    assert "projects/{project}/locations/{location}/agents/{agent}" in message


async def test_an_agent_that_is_not_there_is_not_found(call: Caller) -> None:
    name = f"{LOCATION}/agents/none"
    for rpc in ("GetAgent", "DeleteAgent", "ValidateAgent", "ExportAgent"):
        assert await call.refusal(f"Agents.{rpc}", {"name": name}) == (Code.NOT_FOUND, f"Agent {name} does not exist")
    assert await call.refusal("Agents.UpdateAgent", {"agent": {**AGENT, "name": name}}) == (
        Code.NOT_FOUND,
        f"Agent {name} does not exist",
    )


async def test_a_patch_changes_only_what_its_mask_names(call: Caller) -> None:
    name = await call.agent(description="Animals")
    patched = await call(
        "Agents.UpdateAgent",
        {"agent": {"name": name, "displayName": "Park"}, "updateMask": "displayName"},
    )
    assert patched == {"name": name, **AGENT, "displayName": "Park", "description": "Animals"}
    assert await call("Agents.GetAgent", {"name": name}) == patched


async def test_a_patch_with_an_unknown_path_says_which(call: Caller) -> None:
    name = await call.agent()
    code, message = await call.refusal(
        "Agents.UpdateAgent", {"agent": {"name": name, "displayName": "Park"}, "updateMask": "displayNam"}
    )
    assert code is Code.INVALID_ARGUMENT
    assert message == "Field mask path 'display_nam': Agent has no field 'display_nam'; did you mean 'display_name'?"


async def test_a_patch_may_not_empty_a_required_field(call: Caller) -> None:
    name = await call.agent()
    assert await call.refusal("Agents.UpdateAgent", {"agent": {"name": name}, "updateMask": "timeZone"}) == (
        Code.INVALID_ARGUMENT,
        "Required but not given: agent.time_zone",
    )


async def test_the_default_language_is_for_ever(call: Caller) -> None:
    name = await call.agent()
    assert await call.refusal(
        "Agents.UpdateAgent", {"agent": {**AGENT, "name": name, "defaultLanguageCode": "de"}}
    ) == (
        Code.INVALID_ARGUMENT,
        "agent.default_language_code: is 'en' and cannot be changed after creation",
    )


async def test_a_patch_without_a_mask_from_a_client_that_does_not_know_paused_input_keeps_it(call: Caller) -> None:
    name = await call.agent(pausedInput="REFUSE")
    patched = await call("Agents.UpdateAgent", {"agent": {**AGENT, "name": name, "displayName": "Park"}})
    assert patched["pausedInput"] == "REFUSE"


async def test_a_rest_body_that_holds_paused_input_as_null_clears_it(call: Caller) -> None:
    name = await call.agent(pausedInput="REFUSE")
    agent = {**AGENT, "name": name, "pausedInput": None}
    patched = await call("Agents.UpdateAgent", {"agent": agent}, sent=frozenset({*AGENT, "name", "paused_input"}))
    assert "pausedInput" not in patched


async def test_agents_are_listed_page_by_page_in_order_of_creation(call: Caller) -> None:
    names = [await call.agent(displayName=f"Zoo {number}") for number in range(5)]
    seen: list[str] = []
    token = ""
    sizes: list[int] = []
    while True:
        page = await call("Agents.ListAgents", {"parent": LOCATION, "pageSize": 2, "pageToken": token})
        seen += [agent["name"] for agent in page["agents"]]
        sizes.append(len(page["agents"]))
        token = page.get("nextPageToken", "")
        if not token:
            break
    assert seen == names
    assert sizes == [2, 2, 1]


async def test_a_page_has_fewer_agents_where_they_are_large(call: Caller) -> None:
    names = [await call.agent(displayName=f"Zoo {number}", avatarUri="x" * 1_500_000) for number in range(7)]
    seen: list[str] = []
    sizes: list[int] = []
    token = ""
    while not sizes or token:
        page = await call("Agents.ListAgents", {"parent": LOCATION, "pageSize": 100, "pageToken": token})
        seen += [agent["name"] for agent in page["agents"]]
        sizes.append(len(page["agents"]))
        token = page.get("nextPageToken", "")
    assert seen == names
    assert sizes == [2, 2, 2, 1]


async def test_a_page_token_is_good_for_its_own_list_only(call: Caller) -> None:
    for _ in range(2):
        await call.agent()
    token = (await call("Agents.ListAgents", {"parent": LOCATION, "pageSize": 1}))["nextPageToken"]
    for request in (
        {"parent": "projects/p/locations/elsewhere", "pageToken": token},
        {"parent": LOCATION, "pageToken": "abc"},
    ):
        code, _ = await call.refusal("Agents.ListAgents", request)
        assert code is Code.INVALID_ARGUMENT


async def test_a_negative_page_size_is_refused(call: Caller) -> None:
    code, _ = await call.refusal("Agents.ListAgents", {"parent": LOCATION, "pageSize": -1})
    assert code is Code.INVALID_ARGUMENT


async def test_a_dash_lists_across_projects_and_locations(call: Caller) -> None:
    names: list[str] = []
    for parent in (LOCATION, "projects/q/locations/eu", LOCATION):
        names.append((await call("Agents.CreateAgent", {"parent": parent, "agent": AGENT}))["name"])
    for parent, expected in (
        ("projects/-/locations/-", names),
        ("projects/p/locations/-", [names[0], names[2]]),
        ("projects/-/locations/eu", [names[1]]),
    ):
        listed = await call("Agents.ListAgents", {"parent": parent})
        assert [agent["name"] for agent in listed["agents"]] == expected
    first = await call("Agents.ListAgents", {"parent": "projects/-/locations/-", "pageSize": 2})
    rest = await call(
        "Agents.ListAgents", {"parent": "projects/-/locations/-", "pageSize": 2, "pageToken": first["nextPageToken"]}
    )
    assert [agent["name"] for agent in rest["agents"]] == [names[2]]
    assert "nextPageToken" not in rest


async def test_deleting_an_agent_deletes_all_that_is_in_it(call: Caller) -> None:
    agent = await call.agent()
    tool = await call.tool(agent)
    playbook = await call.playbook(agent)
    example = await call.example(playbook["name"])
    version = await call("Playbooks.CreatePlaybookVersion", {"parent": playbook["name"], "playbookVersion": {}})
    assert await call("Agents.DeleteAgent", {"name": agent}) == {}
    for rpc, name in (
        ("Agents.GetAgent", agent),
        ("Tools.GetTool", tool["name"]),
        ("Playbooks.GetPlaybook", playbook["name"]),
        ("Examples.GetExample", example["name"]),
        ("Playbooks.GetPlaybookVersion", version["name"]),
        ("Playbooks.ListPlaybooks", agent),
    ):
        key = "parent" if ".List" in rpc else "name"
        assert (await call.refusal(rpc, {key: name}))[0] is Code.NOT_FOUND
    assert await call.parts.store.scan(agent) == []


async def test_the_start_playbook_is_one_of_the_agents_own(call: Caller) -> None:
    agent, other = await call.agent(), await call.agent()
    foreign = (await call.playbook(other))["name"]
    for start, complaint in (
        (foreign, f"agent.start_playbook: {foreign} is not a playbook of this agent"),
        (f"{agent}/playbooks/none", f"agent.start_playbook: {agent}/playbooks/none is not a playbook of this agent"),
    ):
        request = {"agent": {"name": agent, "startPlaybook": start}, "updateMask": "startPlaybook"}
        assert await call.refusal("Agents.UpdateAgent", request) == (Code.INVALID_ARGUMENT, complaint)
    request = {"agent": {"name": agent, "startPlaybook": "Greeter"}, "updateMask": "startPlaybook"}
    assert (await call.refusal("Agents.UpdateAgent", request))[0] is Code.INVALID_ARGUMENT
    own = (await call.playbook(agent))["name"]
    request = {"agent": {"name": agent, "startPlaybook": own}, "updateMask": "startPlaybook"}
    assert (await call("Agents.UpdateAgent", request))["startPlaybook"] == own


async def test_an_agent_can_be_created_together_with_its_default_playbook(call: Caller) -> None:
    id = "00000000-0000-0000-0000-000000000000"
    agent = await call.agent(startPlaybook=f"{LOCATION}/agents/-/playbooks/{id}")
    playbook = await call("Playbooks.GetPlaybook", {"name": f"{agent}/playbooks/{id}"})
    assert playbook["displayName"] == "Default Generative Playbook"
    assert (await call("Agents.GetAgent", {"name": agent}))["startPlaybook"] == playbook["name"]


async def test_an_agent_without_such_a_wish_has_no_playbook(call: Caller) -> None:
    assert await call("Playbooks.ListPlaybooks", {"parent": await call.agent()}) == {}


async def test_generative_settings_are_kept_per_language(call: Caller) -> None:
    agent = await call.agent()
    name = f"{agent}/generativeSettings"
    assert await call("Agents.GetGenerativeSettings", {"name": name, "languageCode": "de"}) == {
        "name": name,
        "languageCode": "de",
    }
    settings = {"name": name, "languageCode": "de", "fallbackSettings": {"selectedPrompt": "kurz"}}
    assert await call("Agents.UpdateGenerativeSettings", {"generativeSettings": settings}) == settings
    assert await call("Agents.GetGenerativeSettings", {"name": name, "languageCode": "de"}) == settings
    assert await call("Agents.GetGenerativeSettings", {"name": name}) == {"name": name, "languageCode": "en"}


async def test_generative_settings_are_patched_by_mask(call: Caller) -> None:
    agent = await call.agent()
    name = f"{agent}/generativeSettings"
    first = {"name": name, "languageCode": "en", "llmModelSettings": {"model": "a"}, "pausedInput": "REFUSE"}
    await call("Agents.UpdateGenerativeSettings", {"generativeSettings": first})
    patched = await call(
        "Agents.UpdateGenerativeSettings",
        {
            "generativeSettings": {"name": name, "languageCode": "en", "llmModelSettings": {"promptText": "p"}},
            "updateMask": "llmModelSettings.promptText",
        },
    )
    assert patched == {**first, "llmModelSettings": {"model": "a", "promptText": "p"}}


async def test_generative_settings_of_no_agent_are_not_found(call: Caller) -> None:
    request = {"name": f"{LOCATION}/agents/none/generativeSettings", "languageCode": "en"}
    assert (await call.refusal("Agents.GetGenerativeSettings", request))[0] is Code.NOT_FOUND


async def test_the_draft_environment_is_always_there(call: Caller) -> None:
    agent = await call.agent()
    listed = await call("Environments.ListEnvironments", {"parent": agent})
    [draft] = listed["environments"]
    assert draft["name"] == f"{agent}/environments/-"
    assert await call("Environments.GetEnvironment", {"name": f"{agent}/environments/draft"}) == draft
    name = f"{agent}/environments/prod"
    assert await call.refusal("Environments.GetEnvironment", {"name": name}) == (
        Code.NOT_FOUND,
        f"Environment {name} does not exist",
    )
    assert (await call.refusal("Environments.CreateEnvironment", {"parent": agent, "environment": {}}))[
        0
    ] is Code.UNIMPLEMENTED
