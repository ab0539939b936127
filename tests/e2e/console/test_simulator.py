"""Conversations in the simulator, from the first word to the example that is made of them."""

import json
import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.console.conftest import ConsolePage
from tests.e2e.console.test_views import accessible


def say(page: Page, words: str) -> None:
    page.get_by_role("textbox", name="Message").fill(words)
    page.get_by_role("button", name="Send").click()


def test_a_turn_shows_what_happened_and_why(console: ConsolePage) -> None:
    page = console.open(f"{console.agent}/sessions/why")
    say(page, "add a dog named Rex owned by Jonas")
    expect(page.get_by_text(re.compile(r"Done: Rex is pet number \d+, owned by Jonas\."))).to_have_count(2)
    expect(page.get_by_role("heading", name="Why createPet?")).to_be_visible()
    expect(page.locator(".says mark small")).to_have_text(["label", "name", "owner"])
    page.get_by_role("option", name="pets.createPet").click()
    expect(page.get_by_label("Request as sent", exact=True)).to_contain_text("POST http://127.0.0.1")
    page.get_by_role("tab", name="API call").click()
    expect(page.get_by_label("API call", exact=True)).to_contain_text(":detectIntent")
    # Everything is in the address, and there again after a reload.
    page.reload()
    expect(page.get_by_label("API call", exact=True)).to_contain_text("add a dog named Rex")


def test_a_pause_is_a_form_that_goes_on(console: ConsolePage) -> None:
    page = console.open(f"{console.agent}/sessions/pause")
    say(page, "where is my nearest shelter, 94043")
    card = page.get_by_role("form", name="Answer for nearest_shelter")
    card.get_by_role("button", name="Give this answer").click()
    expect(card.get_by_text("This is needed.")).to_be_visible()
    card.get_by_label("name", exact=True).fill("Bay Animal Shelter")
    card.get_by_label("distance_km").fill("far")
    card.get_by_role("button", name="Give this answer").click()
    expect(card.get_by_text("This has another type")).to_be_visible()
    card.get_by_label("distance_km").fill("3.5")
    card.get_by_role("tab", name="JSON").click()
    expect(card.get_by_label("Input as JSON")).to_have_value(re.compile('"distance_km": 3.5'))
    card.get_by_role("button", name="Give this answer").click()
    expect(page.locator(".reply").last).to_contain_text("Bay Animal Shelter")
    expect(card).to_have_count(0)


def test_a_message_is_edited_and_run_again_in_a_branch(console: ConsolePage) -> None:
    page = console.open(f"{console.agent}/sessions/branch")
    say(page, "show me pet 3")
    expect(page.locator(".reply").last).to_contain_text("Luna")
    say(page, "show me pet 77")
    expect(page.locator(".reply").last).to_contain_text("no pet 77")
    page.get_by_role("toolbar", name="Turn 2").get_by_role("button", name="Edit this message").click()
    page.get_by_role("textbox", name="Your message").fill("show me pet 2")
    page.get_by_role("button", name="Run from here").click()
    expect(page.locator(".reply").last).to_contain_text("Milo")
    expect(page.locator(".reply")).to_have_count(2)
    assert not page.url.endswith("branch")


def test_parameters_go_along_with_the_next_message(console: ConsolePage) -> None:
    page = console.open(f"{console.agent}/sessions/parameters")
    page.get_by_role("tab", name="Parameters").click()
    page.get_by_role("textbox", name="Name of the parameter").fill("customer")
    page.get_by_role("textbox", name="Its value").fill('{"id": 7}')
    page.get_by_role("button", name="Set", exact=True).click()
    expect(page.get_by_text("1 parameter goes along")).to_be_visible()
    say(page, "show me pet 3")
    expect(page.locator(".reply").last).to_contain_text("Luna")
    expect(page.get_by_label("Value of customer")).to_have_value('{"id":7}')


@pytest.mark.proves("G3")
def test_a_turn_becomes_an_example(console: ConsolePage) -> None:
    page = console.open(f"{console.agent}/sessions/example")
    say(page, "show me pet 4")
    expect(page.locator(".reply").last).to_contain_text("Oscar")
    page.get_by_role("toolbar", name="Turn 1").get_by_role("button", name="Make this an example").click()
    expect(page.get_by_label("Line 1: user says")).to_have_value("show me pet 4")
    expect(page.get_by_label("Action of line 2")).to_have_value("getPet")
    expect(page.get_by_text("Fits the schema")).to_be_visible()
    # The call is tried inside the example, and its output taken over.
    line = page.get_by_role("region", name="Line 2: tool call")
    line.get_by_role("button", name="Test").click()
    line.get_by_label("petId").fill("2")
    line.get_by_role("button", name="View Output").click()
    line.get_by_role("button", name="Use this output").click()
    expect(line.get_by_label("Output of line 2")).to_contain_text("Milo")
    page.get_by_role("textbox", name="Name", exact=True).fill("Show pet four")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="Show pet four")).to_be_visible()
    page.wait_for_url(re.compile(r"/examples/(?!new)"))


def test_a_turn_that_fails_says_why_and_is_repeated(console: ConsolePage) -> None:
    page = console.open(f"{console.agent}/sessions/fails")
    page.route(
        "**:serverStreamingDetectIntent",
        lambda route: route.fulfill(
            status=503, json={"error": {"code": 503, "status": "UNAVAILABLE", "message": "The model is away."}}
        ),
    )
    say(page, "show me pet 3")
    expect(page.get_by_role("alert")).to_contain_text("The model is away.")
    page.unroute("**:serverStreamingDetectIntent")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".reply").last).to_contain_text("Luna")
    console.faults.clear()


def test_a_past_conversation_is_read_and_replayed(console: ConsolePage) -> None:
    page = console.open(f"{console.agent}/sessions/replayed")
    say(page, "show me pet 3")
    expect(page.locator(".reply").last).to_contain_text("Luna")
    page.get_by_role("link", name="Conversations").click()
    page.get_by_role("link", name="replayed").click()
    expect(page.locator(".reply")).to_contain_text("Luna")
    page.get_by_role("button", name="Replay").click()
    expect(page.get_by_text("Every turn goes as it did.")).to_be_visible()


@pytest.mark.proof
def test_new_conversations_begin_with_the_values_that_were_kept(console: ConsolePage) -> None:
    page = console.open(f"{console.agent}/sessions/start-1?tab=parameters")
    page.get_by_role("textbox", name="Name of the parameter").fill("tier")
    page.get_by_role("textbox", name="Its value").fill("gold")
    page.get_by_role("button", name="Set", exact=True).click()
    page.get_by_role("button", name="Begin new conversations with these").click()
    console.open(f"{console.agent}/sessions/start-2?tab=parameters")
    expect(page.get_by_label("Value of tier")).to_have_value("gold")
    say(page, "show me pet 3")
    expect(page.locator(".reply").last).to_contain_text("Luna")
    page.get_by_role("tab", name="Parameters").click()
    expect(page.get_by_label("Value of tier")).to_have_value("gold")
    expect(page.get_by_text("1 parameter goes along")).to_have_count(0)
    page.get_by_role("button", name="Forget them").click()
    console.open(f"{console.agent}/sessions/start-3?tab=parameters")
    expect(page.get_by_label("Value of tier")).to_have_count(0)


@pytest.mark.proof
def test_a_wide_screen_has_the_parameters_beside_the_steps(console: ConsolePage) -> None:
    console.page.set_viewport_size({"width": 1920, "height": 1000})
    page = console.open(f"{console.agent}/sessions/wide?tab=parameters")
    say(page, "show me pet 3")
    expect(page.locator(".reply").last).to_contain_text("Luna")
    expect(page.get_by_role("option", name="pets.getPet")).to_be_visible()
    expect(page.get_by_role("region", name="Parameters").get_by_label("Name of the parameter")).to_be_visible()
    expect(page.get_by_role("tab", name="Parameters")).to_have_count(0)
    accessible(console, "simulator-wide")


@pytest.mark.proof
def test_a_prompt_is_compared_with_the_one_before(console: ConsolePage) -> None:
    page = console.open(f"{console.agent}/sessions/prompts")
    say(page, "show me pet 3")
    expect(page.locator(".reply").last).to_contain_text("Luna")

    def with_a_prompt(route: Route) -> None:
        """As if a language model had decided: the offline one has no prompts."""
        number = int(re.findall(r"firstStep=(\d+)", route.request.url)[0])
        said = [{"role": "user", "content": f"line {n}"} for n in range(number + 4)]
        prompt = {"request": json.dumps({"messages": said}), "reply": "{}"}
        route.fulfill(json=[{"steps": [{"number": number, "decision": {"model": "m", "prompt": prompt}}]}])

    page.route(re.compile(r":watch\?.*firstStep"), with_a_prompt)
    page.get_by_role("listbox", name="Steps").get_by_role("option").last.click()
    page.locator(".step", has_text="offline").last.click()
    page.get_by_role("button", name="Compare with the prompt before").click()
    diff = page.get_by_role("region", name="What changed since the prompt before")
    expect(diff.locator(".came").filter(has_text="content")).not_to_have_count(0)
    expect(diff.get_by_text("lines are the same").first).to_be_visible()
