"""What is typed as JSON and is none yet is kept, said at its place, and never sent."""

from collections.abc import Mapping

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.console.conftest import ConsolePage

PLAYBOOK = "playbooks/00000000-0000-0000-0000-000000000000"
EDITORS: Mapping[str, tuple[str, str]] = {
    "settings of an OpenAPI tool": ("pets?tab=settings", "Settings"),
    "input of a function": ("nearest_shelter?tab=input", "Input schema"),
    "output of a function": ("nearest_shelter?tab=output", "Output schema"),
    "a data store tool": ("pet_care?tab=json", "JSON"),
    "a connector tool": ("pet_records?tab=json", "JSON"),
    "more of a playbook": (f"{PLAYBOOK}?view=more", "Parameters, handlers and model settings"),
    "input in an example": ("Show one pet", "Input of line 2"),
    "output in an example": ("Show one pet", "Output of line 2"),
}
"""What is edited → the view, by a tool's or an example's name or its path, and the editor's label."""


def opened(console: ConsolePage, view: str) -> Page:
    title, _, query = view.partition("?")
    if title.startswith("playbooks/"):
        return console.open(f"{console.agent}/{view}")
    page = console.open(f"{console.agent}/{'tools' if query else PLAYBOOK}")
    link = page.get_by_role("main").get_by_role("link", name=title).first.get_attribute("href")
    assert link is not None
    return console.open(f"{link.removeprefix('/console/')}?{query}")


@pytest.mark.parametrize("what", EDITORS)
def test_an_editor_says_what_is_no_json_and_goes_back(console: ConsolePage, what: str) -> None:
    view, label = EDITORS[what]
    page = opened(console, view)
    editor = page.get_by_role("textbox", name=label, exact=True)
    before = editor.inner_text()
    editor.click()
    page.keyboard.press("Control+Home")
    page.keyboard.insert_text("{,")
    alert = page.get_by_role("alert").filter(has_text="Not JSON yet")
    expect(alert).to_contain_text("line 1 column 2")
    expect(alert).to_contain_text("The last good value is kept.")
    expect(page.get_by_role("button", name="Save")).to_be_disabled()
    alert.get_by_role("button", name="Back to the last good value").click()
    expect(alert).to_have_count(0)
    expect(editor).to_have_text(before.replace("\n", ""))


@pytest.mark.proof
def test_broken_text_of_one_tab_is_not_shown_in_another(console: ConsolePage) -> None:
    page = opened(console, "nearest_shelter?tab=input")
    page.get_by_role("textbox", name="Input schema", exact=True).click()
    page.keyboard.insert_text("{,")
    expect(page.get_by_role("alert")).to_contain_text("Not JSON yet")
    page.get_by_role("tab", name="Output schema").click()
    expect(page.get_by_role("textbox", name="Output schema", exact=True)).to_contain_text("distance_km")
    expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.proof
def test_session_parameters_that_are_no_object_are_said_and_not_sent(console: ConsolePage) -> None:
    page = opened(console, "pets?tab=schema")
    page.get_by_role("combobox", name="Action").select_option("listPets")
    page.get_by_text("Session parameters", exact=True).click()
    page.get_by_label("Session parameters as JSON").fill("[1")
    page.get_by_role("button", name="View Output").click()
    expect(page.get_by_text("This is not a JSON object.")).to_be_visible()
    expect(page.get_by_role("region", name="Output", exact=True)).to_have_count(0)


def test_an_answer_to_a_paused_turn_that_is_no_json_is_not_sent(console: ConsolePage) -> None:
    page = console.open(f"{console.agent}/sessions/no-json")
    page.get_by_role("textbox", name="Message").fill("where is my nearest shelter, 94043")
    page.get_by_role("button", name="Send").click()
    card = page.get_by_role("form", name="Answer for nearest_shelter")
    card.get_by_role("tab", name="JSON").click()
    card.get_by_label("Input as JSON").fill('{"name": ')
    card.get_by_role("button", name="Give this answer").click()
    expect(card.get_by_role("alert")).to_contain_text("Not JSON yet")
    card.get_by_label("Input as JSON").fill('{"name": "Bay"}')
    card.get_by_role("button", name="Give this answer").click()
    expect(page.locator(".reply").last).to_contain_text("Bay")
