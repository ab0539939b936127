"""Evaluations of an app in the console: made from a conversation, run, read turn by turn, edited."""

import re
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from openplaybook.demo.demo_agent import schema_for
from openplaybook.jsonvalues import JsonObject
from tests.e2e.console.conftest import ConsolePage
from tests.e2e.console.test_from_nothing import SCHEMA
from tests.e2e.console.test_simulator import say
from tests.e2e.console.test_views import accessible, no_wider

HOME = "projects/default/locations/global"


@pytest.fixture
def app(console: ConsolePage) -> str:
    """The name of an app whose agent looks pets up."""
    name = f"{HOME}/apps/{uuid4()}"
    console.api("POST", f"v1beta/{HOME}/apps?appId={name.rpartition('/')[2]}", {"displayName": "Shop"})
    service = console.server.facts["Pets"].removesuffix("/pets")
    pets: JsonObject = {"displayName": "pets", "openApiToolset": {"openApiSchema": schema_for(service, SCHEMA)}}
    console.api("POST", f"v1beta/{name}/toolsets?toolsetId=pets", pets)
    toolsets: list[JsonObject] = [{"toolset": f"{name}/toolsets/pets"}]
    desk: JsonObject = {"displayName": "desk", "instruction": "Look pets up.", "llmAgent": {}, "toolsets": toolsets}
    console.api("POST", f"v1beta/{name}/agents?agentId=desk", desk)
    console.api("PATCH", f"v1beta/{name}?updateMask=rootAgent", {"rootAgent": f"{name}/agents/desk"})
    return name


@pytest.mark.proves("G3")
def test_a_conversation_becomes_an_evaluation_that_is_run_and_edited(console: ConsolePage, app: str) -> None:
    page = console.open(f"{app}/sessions/golden")
    say(page, "show me pet 3")
    expect(page.locator(".reply").last).to_contain_text("Luna")
    page.get_by_role("toolbar", name="Turn 1").get_by_role("button", name="Save as a test").click()
    page.get_by_role("button", name="Open it").click()
    expect(page.get_by_role("heading", name="show me pet 3")).to_be_visible()
    page.get_by_role("button", name="Run", exact=True).click()
    turn = page.get_by_role("listitem", name="Turn 1")
    expect(turn.get_by_text("passed")).to_have_count(2)
    accessible(console, "evaluation")
    page.get_by_role("button", name="Edit").click()
    page.get_by_role("textbox", name="Words of step 4 of turn 1").fill("There is no such pet.")
    accessible(console, "evaluation-edited")
    no_wider(console)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.get_by_role("button", name="Read").click()
    expect(page.get_by_text("The evaluation was changed after this result.")).to_be_visible()
    page.get_by_role("button", name="Run", exact=True).click()
    expect(turn.locator(".gone")).to_have_text("- There is no such pet.")
    expect(turn.locator(".came")).to_have_text(re.compile(r"\+ .*Luna"))
    accessible(console, "evaluation-failed")
    no_wider(console)
    page.get_by_role("combobox", name="Result").select_option(index=1)
    expect(turn.get_by_text("passed")).to_have_count(2)


def test_evaluations_are_grouped_and_run_over_time(console: ConsolePage, app: str) -> None:
    page = console.open(f"{app}/evaluations")
    expect(page.get_by_role("heading", name="No evaluations yet")).to_be_visible()
    page.get_by_role("button", name="New evaluation").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Wrong words")
    dialog.get_by_label("The user says").fill("show me pet 3")
    dialog.get_by_label("The agent says").fill("There is no such pet.")
    dialog.get_by_role("button", name="Add").click()
    expect(page.get_by_role("heading", name="Wrong words")).to_be_visible()
    page.get_by_role("navigation").get_by_role("link", name="Evaluations").click()
    page.get_by_role("button", name="New dataset").click()
    dialog.get_by_label("Name").fill("Nightly")
    dialog.get_by_role("checkbox", name="Wrong words").check()
    dialog.get_by_role("button", name="Save").click()
    page.get_by_role("button", name="New schedule").click()
    dialog.get_by_label("Name").fill("Each night")
    dialog.get_by_label("What runs").select_option(label="Nightly")
    dialog.get_by_label("First time").fill("2999-01-01T03:00")
    dialog.get_by_role("button", name="Add").click()
    schedules = page.get_by_role("region", name="Schedules")
    expect(schedules.get_by_text("next: Jan 1, 2999, 3:00:00 AM")).to_be_visible()
    schedules.get_by_role("checkbox", name="Each night is active").click()
    expect(schedules.get_by_text("rests")).to_be_visible()
    page.get_by_label("Times each").fill("2")
    page.get_by_label("Each turn on its own").check()
    page.get_by_role("button", name="Run Nightly").click()
    run = page.get_by_role("row").filter(has_text="Nightly")
    expect(run.get_by_text("2 failed")).to_be_visible()
    expect(page.get_by_role("list", name="Last results").get_by_role("listitem")).to_have_count(2)
    [kept] = console.api("GET", f"v1beta/{app}/evaluationRuns")["evaluationRuns"]
    assert kept["goldenRunMethod"] == "STABLE"
    accessible(console, "evaluations")
    no_wider(console)
    run.get_by_role("link").click()
    expect(page.get_by_role("link", name="Wrong words")).to_have_count(2)
    accessible(console, "evaluation-run")
    no_wider(console)
    page.get_by_role("link", name="Wrong words").first.click()
    expect(page.locator(".gone")).to_have_text("- There is no such pet.")
