"""What an agent has as a whole: packages, settings, checks, operations, locations; and what is not served."""

import io
import zipfile

import pytest
from google.api_core import exceptions

from tests.e2e.kit.google import Google
from tests.e2e.kit.rest import LOCATION, Rest
from tests.e2e.kit.shop import Shop, new_agent, said
from tests.e2e.kit.studio import imported_app

pytestmark = pytest.mark.proves("X1")

JSON_PACKAGE = 4
"""Value of `data_format`."""
LONGEST_S = 20


def test_an_exported_agent_is_restored_into_another_and_talks(shop: Shop) -> None:
    google, agents = shop.google, shop.google("Agents")
    operation = agents.export_agent(request={"name": shop.agent, "data_format": JSON_PACKAGE})
    content = operation.result(timeout=LONGEST_S).agent_content
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        assert {"agent.json", "playbooks/Desk/Desk.json", "tools/Pets/Pets.json"} <= set(package.namelist())
    other = new_agent(google, "Branch").name
    restored = agents.restore_agent(request={"name": other, "agent_content": content})
    restored.result(timeout=LONGEST_S)
    assert said(shop.say("pet 3", f"{other}/sessions/1")) == ["Luna belongs to Aisha."]


def test_an_exported_playbook_is_imported_into_another_agent_and_talks(shop: Shop) -> None:
    google, playbooks = shop.google, shop.google("Playbooks")
    [desk] = [each for each in playbooks.list_playbooks(parent=shop.agent) if each.display_name == "Desk"]
    content = playbooks.export_playbook(request={"name": desk.name}).result(timeout=LONGEST_S).playbook_content
    other = new_agent(google, "Branch").name
    imported = playbooks.import_playbook(request={"parent": other, "playbook_content": content})
    agent = google.Agent(name=other, start_playbook=imported.result(timeout=LONGEST_S).playbook)
    google("Agents").update_agent(agent=agent, update_mask={"paths": ["start_playbook"]})
    assert said(shop.say("pet 3", f"{other}/sessions/1")) == ["Luna belongs to Aisha."]


def test_exported_tools_hold_the_tools_alone(shop: Shop) -> None:
    tools = shop.google("Tools")
    if shop.google.version == "v3":
        assert not hasattr(tools, "export_tools")
        return
    [pets] = [each for each in tools.list_tools(parent=shop.agent) if each.display_name == "Pets"]
    request = {"parent": shop.agent, "tools": [pets.name], "tools_content_inline": True}
    content = tools.export_tools(request=request).result(timeout=LONGEST_S).tools_content.content
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        assert package.namelist() == ["agent.json", "tools/Pets/Pets.json", "tools/Pets/schema.yaml"]


def test_a_finished_operation_can_be_read_and_listed(shop: Shop) -> None:
    agents = shop.google("Agents")
    started = agents.export_agent(request={"name": shop.agent, "data_format": JSON_PACKAGE})
    started.result(timeout=LONGEST_S)
    names = [each.name for each in agents.list_operations(request={"name": LOCATION}).operations]
    assert agents.get_operation(request={"name": names[-1]}).done
    with pytest.raises(exceptions.NotFound):
        agents.get_operation(request={"name": f"{LOCATION}/operations/none"})


def test_operations_of_apps_keep_nobody_from_listing_those_of_agents(shop: Shop, rest: Rest) -> None:
    imported = imported_app(rest, f"Of {shop.agent}")
    started = shop.google("Agents").export_agent(request={"name": shop.agent, "data_format": JSON_PACKAGE})
    started.result(timeout=LONGEST_S)
    token, names = "", list[str]()
    while token or not names:
        page = shop.google("Agents").list_operations(request={"name": LOCATION, "page_token": token})
        names += [each.name for each in page.operations]
        token = page.next_page_token
    assert started.operation.name in names
    # Over gRPC nobody says which product is meant; over REST a client of Dialogflow CX could not read it.
    assert (imported["name"] in names) == (shop.google.transport != "rest")


def test_an_operation_that_fails_tells_why(shop: Shop) -> None:
    agents = shop.google("Agents")
    operation = agents.restore_agent(request={"name": shop.agent, "agent_content": b"no zip"})
    with pytest.raises(exceptions.GoogleAPICallError, match="zip"):
        operation.result(timeout=LONGEST_S)
    assert said(shop.say("pet 3")) == ["Luna belongs to Aisha."]


def test_generative_settings_are_kept_by_language(google: Google) -> None:
    agents, name = google("Agents"), f"{new_agent(google).name}/generativeSettings"
    phrases = [{"text": "darn", "language_code": "en"}]
    settings = google.GenerativeSettings(
        name=name, language_code="en", generative_safety_settings={"banned_phrases": phrases}
    )
    updated = agents.update_generative_settings(
        generative_settings=settings, update_mask={"paths": ["generative_safety_settings"]}
    )
    assert updated.generative_safety_settings == settings.generative_safety_settings
    read = agents.get_generative_settings(name=name, language_code="en")
    assert read.generative_safety_settings == settings.generative_safety_settings


def test_validation_names_what_is_wrong_with_an_agent(google: Google) -> None:
    agent = new_agent(google).name
    step = google.Playbook.Step(text="Use ${TOOL: Missing}")
    instruction = google.Playbook.Instruction(steps=[step])
    playbook = google.Playbook(display_name="Desk", goal="Help.", instruction=instruction)
    google("Playbooks").create_playbook(parent=agent, playbook=playbook)
    result = google("Agents").validate_agent(request={"name": agent})
    assert result.name == f"{agent}/validationResult"
    told = [message.detail for flow in result.flow_validation_results for message in flow.validation_messages]
    assert [detail for detail in told if "Missing" in detail] != []


def test_locations_are_listed_and_read(google: Google) -> None:
    agents = google("Agents")
    names = [location.name for location in agents.list_locations(request={"name": "projects/p"}).locations]
    assert LOCATION in names
    assert agents.get_location(request={"name": LOCATION}).location_id == "global"


def test_what_is_not_served_says_so(shop: Shop) -> None:
    with pytest.raises(exceptions.MethodNotImplemented, match=r"Flows\.DeleteFlow is not implemented"):
        shop.google("Flows").delete_flow(name=f"{shop.agent}/flows/f")


def test_scripts_may_begin_with_the_flows_of_an_agent(shop: Shop) -> None:
    (flow,) = shop.google("Flows").list_flows(parent=shop.agent)
    assert flow.display_name == "Default Start Flow"
    assert shop.google("Flows").get_flow(name=flow.name) == flow


def test_two_agents_are_not_mixed_up(shop: Shop) -> None:
    stranger = new_agent(shop.google, "Stranger").name
    with pytest.raises(exceptions.NotFound, match=f"Tool {stranger}/tools/x does not exist"):
        shop.google("Tools").get_tool(name=f"{stranger}/tools/x")
    assert [each.display_name for each in shop.google("Tools").list_tools(parent=stranger)] == ["code-interpreter"]


def test_a_name_that_is_none_is_refused(google: Google) -> None:
    with pytest.raises(exceptions.BadRequest, match="is not a valid resource name here"):
        google("Agents").export_agent(request={"name": f"{LOCATION}/agents/ "})
