"""Each kind of tool, tried on its page: Test, then View Output."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.console.conftest import ConsolePage


def tool(console: ConsolePage, name: str) -> Page:
    page = console.open(f"{console.agent}/tools")
    page.get_by_role("link", name=name, exact=True).click()
    expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
    page.get_by_role("button", name="Test", exact=False).first.click()
    return page


def output(page: Page) -> str:
    page.get_by_role("button", name="View Output").click()
    shown = page.get_by_role("region", name="Output", exact=True).first
    expect(shown).to_be_visible()
    return shown.inner_text()


@pytest.mark.proves("G2")
def test_an_operation_of_an_openapi_tool(console: ConsolePage) -> None:
    page = tool(console, "pets")
    page.get_by_role("combobox", name="Action").select_option("getPet")
    page.get_by_label("petId", exact=True).fill("3")
    assert "Luna" in output(page)
    page.get_by_role("tab", name="As sent").click()
    expect(page.get_by_label("Request as sent", exact=True)).to_contain_text("/v1/pets/3")


def test_form_and_json_are_two_views_of_one_value(console: ConsolePage) -> None:
    page = tool(console, "pets")
    page.get_by_role("combobox", name="Action").select_option("listPets")
    page.get_by_role("button", name="Add to label").click()
    page.get_by_label("label 1", exact=True).fill("cat")
    page.get_by_role("tab", name="JSON", exact=True).click()
    text = page.get_by_label("Input as JSON")
    expect(text).to_have_value('{\n  "label": [\n    "cat"\n  ]\n}')
    text.fill('{"label": ["dog"')
    expect(page.get_by_role("alert")).to_contain_text("Not JSON yet")
    page.get_by_role("tab", name="Form").click()
    expect(page.get_by_label("label 1", exact=True)).to_have_value("cat")
    page.get_by_role("tab", name="JSON", exact=True).click()
    expect(text).to_have_value('{"label": ["dog"')
    text.fill('{"label": ["dog"]}')
    assert "Bella" in output(page)


def test_a_missing_input_is_said_at_its_field(console: ConsolePage) -> None:
    page = tool(console, "pets")
    page.get_by_role("combobox", name="Action").select_option("getPet")
    page.get_by_role("button", name="View Output").click()
    expect(page.get_by_text("This is needed.")).to_be_visible()
    page.get_by_label("petId", exact=True).fill("77")
    assert "404" in output(page)


def test_the_code_interpreter(console: ConsolePage) -> None:
    page = tool(console, "code-interpreter")
    page.get_by_label("query", exact=True).fill("```python\nprint(6 * 7)\n```")
    assert "42" in output(page)


def test_a_data_store_tool(console: ConsolePage) -> None:
    page = tool(console, "pet_care")
    page.get_by_label("query", exact=True).fill("What do rabbits eat?")
    assert "rabbit" in output(page).lower()


def test_a_connector_tool(console: ConsolePage) -> None:
    page = tool(console, "pet_records")
    page.get_by_role("combobox", name="Action").select_option("list_vet_records")
    assert "Bella" in output(page)


def test_a_function_tool_says_who_runs_it(console: ConsolePage) -> None:
    page = tool(console, "nearest_shelter")
    page.get_by_label("zip_code", exact=True).fill("9404")
    page.get_by_role("button", name="View Output").click()
    expect(page.get_by_text("This does not have the form")).to_be_visible()
    expect(page.get_by_text("The client runs it")).to_be_visible()


def test_what_is_odd_in_a_schema_is_said_as_it_is_typed(console: ConsolePage) -> None:
    page = tool(console, "pets")
    editor = page.get_by_label("OpenAPI schema", exact=True)
    expect(page.get_by_text("3 operations can be called")).to_be_visible()
    editor.click()
    page.keyboard.press("Control+Home")
    for _ in range(13):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    page.keyboard.type("ID")
    remark = page.get_by_role("list", name="Remarks").get_by_role("button", name=re.compile("petID is not sent"))
    expect(remark).to_contain_text("line 13")
    remark.click()
    expect(editor).to_be_focused()
    page.get_by_role("button", name="Discard changes").click()
    expect(remark).to_have_count(0)


@pytest.mark.proves("K7")
def test_a_connection_is_made_from_the_tool_that_needs_it(console: ConsolePage) -> None:
    page = tool(console, "pet_records")
    page.get_by_role("main").get_by_role("link", name="New connection").click()
    page.get_by_role("searchbox", name="Filter the connectors").fill("sqlite")
    page.get_by_role("button", name="Connect SQLite").click()
    page.get_by_role("textbox", name="Name of the connection").fill("more-records")
    page.get_by_role("textbox", name="Database").fill("demo-pets")
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_role("heading", name="more-records")).to_be_visible()
    expect(page.get_by_text("The system answers: 2 entities.")).to_be_visible()
