"""The pet agent from nothing, by hand in the browser: its tools, its playbook, its examples, and a first test of it."""

from importlib import resources

import pytest
from playwright.sync_api import Page, expect

from openplaybook.demo.demo_agent import schema_for
from openplaybook.jsonvalues import JsonObject, dumps
from tests.e2e.console.conftest import ConsolePage

SCHEMA = (resources.files("openplaybook.demo") / "agent/tools/pets/schema.yaml").read_text()
ZIP_CODE: JsonObject = {
    "type": "object",
    "required": ["zip_code"],
    "properties": {"zip_code": {"type": "string", "description": "Zip code of five digits"}},
}
SHELTER: JsonObject = {
    "type": "object",
    "required": ["name"],
    "properties": {"name": {"type": "string"}, "distance_km": {"type": "number"}},
}


def pasted(page: Page, label: str, text: str) -> None:
    """The whole text of an editor replaced by a clipboard's."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.get_by_role("textbox", name=label, exact=True).click()
    page.keyboard.press("Control+a")
    page.keyboard.press("Control+v")


def saved(page: Page) -> None:
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.").last).to_be_visible()
    expect(page.get_by_text("not saved")).to_have_count(0)


def new_tool(page: Page, kind: str, name: str, description: str) -> None:
    page.get_by_role("link", name="Tools").first.click()
    page.get_by_role("button", name="New tool").first.click()
    dialog = page.get_by_role("dialog", name="New tool")
    dialog.get_by_role("combobox", name="Kind").select_option(label=kind)
    dialog.get_by_role("textbox", name="Name").fill(name)
    dialog.get_by_role("textbox", name="Description").fill(description)
    dialog.get_by_role("button", name="Create").click()
    expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()


def add_pets_tool(page: Page, service: str) -> None:
    """Tried before it is saved, as whoever pastes a schema would."""
    new_tool(page, "OpenAPI", "pets", "The register of pets.")
    pasted(page, "OpenAPI schema", schema_for(service, SCHEMA))
    expect(page.get_by_text("3 operations can be called")).to_be_visible()
    page.get_by_role("combobox", name="Action").select_option("getPet")
    page.get_by_label("petId", exact=True).fill("3")
    page.get_by_role("button", name="View Output").click()
    expect(page.get_by_role("region", name="Output", exact=True).first).to_contain_text("Luna")
    saved(page)


def add_shelter_tool(page: Page) -> None:
    new_tool(page, "Function", "nearest_shelter", "Finds the animal shelter nearest to a zip code.")
    pasted(page, "Input schema", dumps(ZIP_CODE).decode())
    page.get_by_role("tab", name="Output schema").click()
    pasted(page, "Output schema", dumps(SHELTER).decode())
    saved(page)


def write_playbook(page: Page, name: str) -> None:
    page.get_by_role("link", name="Playbooks").first.click()
    page.get_by_role("main").get_by_role("link", name=name).click()
    page.get_by_role("textbox", name="Goal").fill("Help users of a register of pets.")
    first = page.get_by_role("textbox", name="Step 1", exact=True)
    first.fill("Look pets up with $pet")
    page.get_by_role("option", name="${TOOL: pets}").click()
    expect(first).to_have_value("Look pets up with ${TOOL: pets}")
    first.press("End")
    first.press("Enter")
    second = page.get_by_role("textbox", name="Step 2", exact=True)
    second.press_sequentially("Find shelters with ${TOOL: near")
    second.press("Enter")
    expect(second).to_have_value("Find shelters with ${TOOL: nearest_shelter}")
    saved(page)


def new_example(page: Page, name: str, words: str) -> None:
    page.get_by_role("link", name="Examples").first.click()
    page.get_by_role("link", name="New example").click()
    page.get_by_role("textbox", name="Name", exact=True).fill(name)
    page.get_by_label("Line 1: user says").fill(words)
    page.get_by_role("button", name="Remove line 2").click()
    page.get_by_role("button", name="Tool call").click()


def add_examples(page: Page) -> None:
    new_example(page, "Show a pet", "show me pet 3")
    call = page.get_by_role("region", name="Line 2: tool call")
    call.get_by_label("Tool of line 2").select_option("pets")
    call.get_by_label("Action of line 2").select_option("getPet")
    call.get_by_role("button", name="Test").click()
    call.get_by_label("petId").fill("3")
    call.get_by_role("button", name="View Output").click()
    call.get_by_role("button", name="Use this output").click()
    expect(call.get_by_label("Output of line 2")).to_contain_text("Luna")
    page.get_by_role("button", name="Agent says").click()
    page.get_by_label("Line 3: agent says").fill("Pet 3 is Luna, owned by Aisha.")
    saved(page)
    new_example(page, "Nearest shelter", "where is a shelter near 94043?")
    call.get_by_label("Tool of line 2").select_option("nearest_shelter")
    call.get_by_label("Action of line 2").select_option("nearest_shelter")
    pasted(page, "Input of line 2", dumps({"zip_code": "94043"}).decode())
    pasted(page, "Output of line 2", dumps({"name": "Bay Animal Shelter", "distance_km": 3.5}).decode())
    page.get_by_role("button", name="Agent says").click()
    page.get_by_label("Line 3: agent says").fill("The nearest shelter is Bay Animal Shelter, 3.5 km away.")
    saved(page)


def talk(page: Page, words: str) -> None:
    page.get_by_role("textbox", name="Message").fill(words)
    page.get_by_role("button", name="Send").click()


@pytest.mark.proves("G2")
@pytest.mark.proves("G3")
def test_the_pet_agent_is_built_from_nothing(console: ConsolePage) -> None:
    page = console.open("agents?new=1")
    page.get_by_role("radio", name="Blank").check()
    page.get_by_role("textbox", name="Name").fill("By hand")
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_role("heading", name="By hand")).to_be_visible()
    add_pets_tool(page, console.server.facts["Pets"].removesuffix("/pets"))
    add_shelter_tool(page)
    write_playbook(page, "By hand")
    add_examples(page)

    page.get_by_role("link", name="Simulator").first.click()
    talk(page, "show me pet 4")
    expect(page.locator(".reply").last).to_contain_text("Pet 4 is Oscar, owned by Maria.")
    talk(page, "where is a shelter near 10115?")
    card = page.get_by_role("form", name="Answer for nearest_shelter")
    card.get_by_label("name", exact=True).fill("Tierheim Mitte")
    card.get_by_label("distance_km").fill("2")
    card.get_by_role("button", name="Give this answer").click()
    expect(page.locator(".reply").last).to_contain_text("The nearest shelter is Tierheim Mitte, 2 km away.")
    page.get_by_role("toolbar", name="Turn 3").get_by_role("button", name="Save as a test").click()
    page.get_by_role("button", name="Open it").click()
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_role("listitem", name="Turn 3").get_by_text("passed")).to_be_visible()
    page.get_by_role("link", name="Conversations").first.click()
    page.get_by_role("main").get_by_role("row").nth(1).get_by_role("link").first.click()
    page.get_by_role("button", name="Replay").click()
    expect(page.get_by_text("Every turn goes as it did.")).to_be_visible()
