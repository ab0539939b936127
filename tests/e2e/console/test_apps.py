"""An app of CX Agent Studio in the console: its agents, tools, toolsets and guardrails."""

from dataclasses import dataclass
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from openplaybook.demo.demo_agent import schema_for
from openplaybook.jsonvalues import JsonObject
from tests.e2e.console.conftest import ConsolePage
from tests.e2e.console.test_from_nothing import SCHEMA
from tests.e2e.console.test_views import accessible, no_wider

HOME = "projects/default/locations/global"
CODE = '''def twice(number: int) -> dict:
    """Doubles a number."""
    return {"doubled": 2 * number}
'''


@dataclass(frozen=True)
class App:
    """Names of what an app has."""

    name: str
    agent: str
    tool: str
    toolset: str


@pytest.fixture
def app(console: ConsolePage) -> App:
    def post(path: str, body: JsonObject) -> str:
        response = console.page.request.post(f"{console.server.http}/v1beta/{path}", data=body)
        assert response.ok, response.text()
        return str(response.json().get("name", ""))

    name = f"{HOME}/apps/{uuid4()}"
    post(f"{HOME}/apps?appId={name.rpartition('/')[2]}", {"displayName": "Shop"})
    function: JsonObject = {"name": "twice", "pythonCode": CODE}
    tool = post(f"{name}/tools?toolId=twice", {"displayName": "twice", "pythonFunction": function})
    service = console.server.facts["Pets"].removesuffix("/pets")
    schema: JsonObject = {"openApiSchema": schema_for(service, SCHEMA)}
    toolset = post(f"{name}/toolsets?toolsetId=pets", {"displayName": "pets", "openApiToolset": schema})
    filtered: JsonObject = {"bannedContents": ["forbidden"], "matchType": "WORD_BOUNDARY_STRING_MATCH"}
    guardrail: JsonObject = {"displayName": "polite", "enabled": True, "contentFilter": filtered}
    post(f"{name}/guardrails?guardrailId=polite", guardrail)
    about: JsonObject = {"displayName": "desk", "instruction": "Help.", "llmAgent": {}, "tools": [tool]}
    agent = post(f"{name}/agents?agentId=desk", about)
    return App(name, agent, tool, toolset)


def view_output(page: Page) -> str:
    page.get_by_role("button", name="View Output").click()
    shown = page.get_by_role("region", name="Output", exact=True).first
    expect(shown).to_be_visible()
    return shown.inner_text()


def test_an_agents_instruction_is_edited(console: ConsolePage, app: App) -> None:
    page = console.open(app.agent)
    editor = page.get_by_role("textbox", name="Instruction")
    editor.click()
    page.keyboard.press("Control+End")
    page.keyboard.type(" Use $twi")
    page.get_by_role("option", name="$twice").click()
    expect(editor).to_contain_text("Help. Use {@TOOL: twice}")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.reload()
    expect(editor).to_contain_text("Help. Use {@TOOL: twice}")


def test_a_python_function_is_tried(console: ConsolePage, app: App) -> None:
    page = console.open(f"{app.name}/tools")
    page.get_by_role("main").get_by_role("link", name="twice").click()
    page.get_by_label("number", exact=True).fill("21")
    assert "42" in view_output(page)


@pytest.mark.proof
def test_a_toolset_is_tried(console: ConsolePage, app: App) -> None:
    page = console.open(f"{app.name}/tools")
    page.get_by_role("main").get_by_role("link", name="pets").click()
    page.get_by_role("combobox", name="Action").select_option("getPet")
    page.get_by_label("petId", exact=True).fill("3")
    assert "Luna" in view_output(page)


@pytest.mark.proof
def test_a_guardrail_is_tried_and_switched_off(console: ConsolePage, app: App) -> None:
    page = console.open(f"{app.name}/guardrails")
    page.get_by_label("Try a sentence").fill("this is forbidden")
    expect(page.get_by_role("listitem").filter(has_text="polite").get_by_text("forbidden", exact=True)).to_be_visible()
    page.get_by_label("Try a sentence").fill("hello")
    expect(page.get_by_text("lets it pass")).to_be_visible()
    switch = page.get_by_role("checkbox", name="on")
    switch.click()
    expect(switch).not_to_be_checked()
    page.reload()
    expect(switch).not_to_be_checked()


@pytest.mark.parametrize("view", ["", "/agents", "/agents/desk", "/tools", "/tools/twice", "/toolsets/pets"])
def test_a_view_of_an_app_is_accessible_in_both_themes(console: ConsolePage, app: App, view: str) -> None:
    page = console.open(app.name + view)
    page.wait_for_load_state("networkidle")
    no_wider(console)
    accessible(console, f"app{view.replace('/', '-')}")


def test_what_is_wrong_with_an_app_is_found_and_mended(console: ConsolePage, app: App) -> None:
    unknown = {"instruction": "Look it up with {@TOOL: pets_getPat}."}
    console.api("PATCH", f"v1beta/{app.agent}?updateMask=instruction", unknown)
    page = console.open(app.name)
    findings = page.locator("section").filter(has_text="Findings")
    expect(findings.get_by_text("pets_getPat")).to_be_visible()
    accessible(console, "app-findings")
    no_wider(console)
    findings.get_by_role("link", name="desk").click()
    remarks = page.get_by_role("list", name="Remarks")
    expect(remarks.get_by_text("pets_getPat")).to_be_visible()
    page.get_by_role("textbox", name="Instruction").click()
    page.keyboard.press("Control+a")
    page.keyboard.type("Help.")
    expect(remarks).to_have_count(0)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.go_back()
    expect(findings).to_be_visible()
    expect(findings.get_by_text("pets_getPat")).to_have_count(0)
