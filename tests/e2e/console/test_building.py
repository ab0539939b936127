"""An agent from nothing, and what happens when two people build at it."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.console.conftest import ConsolePage, context_of


def made(page: Page, template: str, name: str) -> None:
    page.get_by_role("radio", name=template).check()
    page.get_by_role("textbox", name="Name").fill(name)
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()


def test_an_agent_of_a_template_talks(console: ConsolePage) -> None:
    page = console.open("agents?new=1")
    made(page, "Support desk", "Desk")
    page.get_by_role("main").get_by_role("link", name="Talk").click()
    page.get_by_role("textbox", name="Message").fill("please call me at 555-0100 about my order")
    page.get_by_role("button", name="Send").click()
    card = page.get_by_role("form", name="Answer for request_callback")
    card.get_by_label("ticket").fill("T-99")
    card.get_by_role("button", name="Give this answer").click()
    expect(page.locator(".reply").last).to_contain_text("T-99")


@pytest.mark.proof
def test_instructions_name_the_tool_that_is_meant(console: ConsolePage) -> None:
    page = console.open("agents?new=1")
    made(page, "Front of an API", "Weatherman")
    page.get_by_role("link", name="Playbooks").click()
    page.get_by_role("main").get_by_role("link", name="Weatherman").click()
    step = page.get_by_role("textbox", name="Step 1")
    step.fill("Use ${TOOL: wether} for the weather.")
    expect(page.get_by_text("There is no tool “wether”.")).to_be_visible()
    page.get_by_role("button", name="Use weather").click()
    expect(step).to_have_value("Use ${TOOL: weather} for the weather.")
    step.press("End")
    step.press("Enter")
    page.get_by_role("textbox", name="Step 2").press_sequentially("Else use $weat")
    page.get_by_role("option", name="${TOOL: weather}").click()
    page.get_by_role("textbox", name="Step 2").press("Tab")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.reload()
    expect(page.get_by_role("textbox", name="Step 1.1")).to_have_value("Else use ${TOOL: weather}")


def test_two_people_never_overwrite_each_other_unasked(console: ConsolePage) -> None:
    path = f"{console.agent}/playbooks/00000000-0000-0000-0000-000000000000"
    browser = console.page.context.browser
    assert browser is not None
    first = console.open(path)
    context = context_of(browser)
    second = ConsolePage(context.new_page(), console.server).open(path)
    goal = first.get_by_role("textbox", name="Goal")
    before = goal.input_value()
    second.get_by_role("textbox", name="Goal").fill(f"{before} And be kind.")
    second.get_by_role("button", name="Save").click()
    expect(second.get_by_text("Saved.")).to_be_visible()
    goal.fill(f"{before} And be quick.")
    first.keyboard.press("Control+s")
    dialog = first.get_by_role("dialog", name="Somebody else saved this meanwhile")
    expect(dialog.get_by_text("And be kind.")).to_be_visible()
    dialog.get_by_role("button", name="Take the stored one").click()
    expect(goal).to_have_value(f"{before} And be kind.")
    context.close()


@pytest.mark.proof
def test_unsaved_work_is_there_again_after_a_reload(console: ConsolePage) -> None:
    page = console.open(f"{console.agent}/playbooks/00000000-0000-0000-0000-000000000000")
    goal = page.get_by_role("textbox", name="Goal")
    goal.fill("Half a thought")
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    expect(goal).to_have_value("Half a thought")
    page.get_by_role("button", name="Discard changes").click()
    expect(goal).not_to_have_value("Half a thought")


def test_an_export_is_looked_into_before_it_is_stored(console: ConsolePage, tmp_path: Path) -> None:
    page = console.open(console.agent)
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    file = tmp_path / "pets.zip"
    download.value.save_as(file)
    console.open("agents?import=1")
    dialog = page.get_by_role("dialog", name="Import an agent or app")
    dialog.get_by_label("Export to import").set_input_files(file)
    expect(dialog.get_by_text("An agent of Dialogflow CX")).to_be_visible()
    expect(dialog.get_by_text(re.compile("^4 tools$"))).to_be_visible()
    dialog.get_by_label("Name of the new agent").fill("Pets again")
    dialog.get_by_role("button", name="Import", exact=True).click()
    expect(dialog.get_by_text("Imported.")).to_be_visible()
    expect(dialog.get_by_text("runs", exact=True)).to_be_visible()
    dialog.get_by_role("button", name="Open it").click()
    expect(page.get_by_role("heading", name="Pets again")).to_be_visible()
    page.get_by_role("button", name="Compare with another agent").click()
    page.get_by_role("combobox", name="Other agent").select_option("Pets")
    expect(page.get_by_role("dialog").get_by_text("differs")).to_be_visible()
    broken = tmp_path / "broken.zip"
    broken.write_bytes(file.read_bytes()[:500])
    console.open("agents?import=1")
    dialog.get_by_label("Export to import").set_input_files(broken)
    expect(dialog.get_by_role("alert")).to_contain_text("zip")


@pytest.mark.proof
def test_what_is_deleted_can_be_taken_back(console: ConsolePage) -> None:
    page = console.open("agents?new=1")
    made(page, "Support desk", "Short-lived")
    page.get_by_role("link", name="Tools").click()
    page.get_by_role("main").get_by_role("link", name="request_callback").click()
    page.get_by_role("button", name="More", exact=True).first.click()
    page.get_by_role("button", name="Delete the tool").click()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("heading", name="request_callback")).to_be_visible()
