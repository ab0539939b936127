"""Conversations that are saved as tests: run, read as a difference, accepted."""

import re

import pytest
from playwright.sync_api import FilePayload, expect

from openplaybook.jsonvalues import JsonObject, as_object, dumps, loads
from tests.e2e.console.conftest import ConsolePage
from tests.e2e.console.test_simulator import say
from tests.e2e.console.test_views import PLAYBOOK, accessible, no_wider


@pytest.mark.proves("G3")
def test_a_conversation_is_saved_run_and_what_differs_accepted(console: ConsolePage) -> None:
    page = console.open(f"{console.agent}/sessions/tested")
    say(page, "show me pet 3")
    expect(page.locator(".reply").last).to_contain_text("Luna")
    page.get_by_role("toolbar", name="Turn 1").get_by_role("button", name="Save as a test").click()
    page.get_by_role("button", name="Open it").click()
    expect(page.get_by_role("heading", name="show me pet 3")).to_be_visible()
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_role("listitem", name="Turn 1").get_by_text("passed")).to_be_visible()
    expect(page.get_by_text("getPet")).to_be_visible()
    # As if the agent had said something else before.
    name = page.url.partition("/console/")[2]
    turns = console.api("GET", f"v3/{name}")["testCaseConversationTurns"]
    turns[0]["virtualAgentOutput"]["textResponses"] = [{"text": ["There is no such pet."]}]
    console.api("PATCH", f"v3/{name}?updateMask=testCaseConversationTurns", {"testCaseConversationTurns": turns})
    page.get_by_role("navigation").get_by_role("link", name="Tests").click()
    page.get_by_role("button", name="Run all").click()
    expect(page.get_by_text("1 test failed.")).to_be_visible()
    page.get_by_role("main").get_by_role("link", name="show me pet 3").first.click()
    turn = page.get_by_role("listitem", name="Turn 1")
    expect(turn.locator(".gone")).to_have_text("- There is no such pet.")
    expect(turn.locator(".came")).to_have_text(re.compile(r"\+ .*Luna"))
    accessible(console, "test-failed")
    no_wider(console)
    page.get_by_role("button", name="Accept what happened").click()
    expect(turn.get_by_text("passed")).to_be_visible()
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_text("The test is deleted.")).to_be_visible()


def test_it_is_shown_which_examples_would_be_replayed(console: ConsolePage) -> None:
    page = console.open(f"{console.agent}/{PLAYBOOK}")
    page.get_by_role("button", name="Check the examples").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("status")).to_have_text(re.compile(r"(\d+) of \1 examples are replayed\."))
    page.keyboard.press("Escape")
    page.get_by_role("navigation").get_by_role("link", name="Tests").click()
    page.get_by_label("Judge each without learning from it").check()
    page.get_by_role("button", name="Check the examples").click()
    status = page.get_by_role("region", name="Check of the examples").get_by_role("status")
    expect(status).to_have_text(re.compile(r"\d+ of \d+ examples are replayed\."))
    different = page.get_by_role("listitem").filter(has_text="not replayed").first
    expect(different.locator(".gone, .came").first).to_be_visible()
    different.get_by_text("Why", exact=True).first.click()
    accessible(console, "examples-check")
    no_wider(console)


def test_test_cases_come_and_go_as_a_file_and_show_what_they_leave_out(console: ConsolePage) -> None:
    turn: JsonObject = {"userInput": {"input": {"text": {"text": "show me pet 3"}, "languageCode": "en"}}}
    case: JsonObject = {"displayName": "From a file", "testCaseConversationTurns": [turn]}
    broken: JsonObject = {"displayName": "Broken", "testCaseConversationTurns": "none"}
    file: FilePayload = {"name": "cases.json", "mimeType": "application/json", "buffer": dumps([case, broken])}
    page = console.open(f"{console.agent}/testCases")
    page.get_by_label("Test cases to import").set_input_files(file)
    files = page.get_by_role("region", name="Test cases as a file")
    expect(files.get_by_role("status")).to_contain_text("cases.json: 1 test case is stored, 1 is not.")
    expect(files.get_by_role("listitem").filter(has_text="Broken").locator(".bad-text")).not_to_be_empty()
    coverage = page.get_by_role("region", name="Coverage")
    expect(coverage.get_by_role("link", name="From a file")).to_be_visible()
    shelter = coverage.get_by_role("row").filter(has_text="nearest_shelter")
    expect(shelter.get_by_text("none", exact=True)).to_be_visible()
    expect(coverage.get_by_role("row").filter(has_text="pets")).to_contain_text("createPet")
    accessible(console, "tests-coverage")
    no_wider(console)
    with page.expect_download() as download:
        files.get_by_role("button", name="Export the test cases").click()
    exported = as_object(loads(download.value.path().read_bytes()))
    assert "From a file" in [each["displayName"] for each in exported["testCases"]]
    page.get_by_label("Test cases to import").set_input_files(download.value.path())
    refused = files.get_by_role("listitem").filter(has_text="From a file")
    expect(refused).to_contain_text("imports overwrite none")
    for stored in console.api("GET", f"v3/{console.agent}/testCases")["testCases"]:
        console.api("POST", f"v3/{console.agent}/testCases:batchDelete", {"names": [stored["name"]]})
