"""What is huge stays usable: it is windowed, or its beginning is shown."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from openplaybook.jsonvalues import JsonObject, JsonValue, dumps
from tests.e2e.console.conftest import ConsolePage, context_of
from tests.e2e.kit.server import running
from tests.kit.background import Background
from tests.kit.http_peer import answer, http_peer

STEPS = 2000
PAGE = 500
SLOW_MS = 20_000
"""For what moves many megabytes through a test's own hands."""


def step(number: int) -> JsonObject:
    time = f"2026-11-26T20:{number // 60 % 60:02}:{number % 60:02}.000000Z"
    call: JsonObject = {"toolDisplayName": "pets", "action": "getPet", "arguments": {"petId": number}}
    return {"number": number, "startTime": time, "endTime": time, "call": call}


def test_a_trace_of_thousands_of_steps_is_windowed(console: ConsolePage) -> None:
    session = f"{console.agent}/sessions/long"
    turn: JsonObject = {"name": f"{session}/turns/1", "number": 1, "index": 1, "text": "hi", "stepCount": STEPS}

    def steps(route: Route) -> None:
        found = re.search(r"pageToken=(\d+)", route.request.url)
        begin = int(found[1]) if found else 0
        end = begin + PAGE
        more = {"nextPageToken": str(end)} if end < STEPS else {}
        route.fulfill(json={"steps": [step(number) for number in range(begin, end)], **more})

    console.page.route(re.compile(r"/sessions/long/turns\?"), lambda route: route.fulfill(json={"turns": [turn]}))
    console.page.route(re.compile(r"/turns/1/steps"), steps)
    console.page.route(re.compile(r":watch"), lambda route: route.fulfill(json=[{"steps": [step(0)]}]))
    page = console.open(f"{session}?step=1990")
    rows = page.get_by_role("listbox", name="Steps").get_by_role("option")
    chosen = rows.filter(has_text='{"petId":1990}')
    expect(chosen).to_have_attribute("aria-selected", "true")
    expect(chosen).to_be_in_viewport()
    expect(chosen).to_have_attribute("aria-setsize", str(STEPS))
    assert rows.count() < 100
    page.get_by_role("listbox", name="Steps").evaluate("(box) => box.scrollTo(0, 0)")
    rows.filter(has_text='{"petId":2}').click()
    expect(rows.filter(has_text='{"petId":2}')).to_have_attribute("aria-selected", "true")
    assert page.url.endswith("step=2")


def stored(console: ConsolePage, path: str, body: JsonObject) -> str:
    response = console.page.request.post(f"{console.server.http}/v3beta1/{path}", data=body)
    assert response.ok, response.text()
    return str(response.json()["name"])


def new_agent(console: ConsolePage) -> str:
    body: JsonObject = {"displayName": "Huge", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"}
    return stored(console, "projects/default/locations/global/agents", body)


def new_tool(console: ConsolePage, agent: str, server: str, operations: int) -> str:
    paths: JsonObject = {
        f"/things{number}": {"get": {"operationId": f"getThing{number}", "responses": {"200": {"description": "ok"}}}}
        for number in range(operations)
    }
    info: JsonObject = {"title": "Big", "version": "1"}
    document: JsonObject = {"openapi": "3.0.0", "info": info, "servers": [{"url": server}], "paths": paths}
    spec: JsonObject = {"textSchema": dumps(document).decode()}
    return stored(console, f"{agent}/tools", {"displayName": "big", "description": "x", "openApiSpec": spec})


@pytest.mark.proof
def test_of_a_huge_reply_it_is_said_what_was_left_out(tmp_path: Path, browser: Browser, background: Background) -> None:
    reply = answer(dumps({"text": "x" * 9_999_000}))
    with (
        background.entered(http_peer(lambda _: reply)) as peer,
        running(tmp_path, OPENPLAYBOOK_EGRESS_ALLOW="127.0.0.0/8") as server,
    ):
        context = context_of(browser)
        console = ConsolePage(context.new_page(), server)
        page = console.open(new_tool(console, new_agent(console), peer.url, 1))
        page.get_by_role("button", name="View Output").click()
        output = page.get_by_role("region", name="Output", exact=True).first
        # The server cuts what a model would get, and so does the page with what it said.
        expect(output.get_by_text("Only the beginning of 9999011 characters is here.")).to_be_visible(timeout=SLOW_MS)
        page.get_by_role("tab", name="As sent").click()
        expect(page.get_by_label("Response", exact=True)).to_contain_text("xxx")
        context.close()


@pytest.mark.proof
def test_a_huge_reply_in_a_trace_is_shown_by_its_beginning(console: ConsolePage) -> None:
    session = f"{console.agent}/sessions/huge-step"
    turn: JsonObject = {"name": f"{session}/turns/1", "number": 1, "index": 1, "text": "hi", "stepCount": 1}
    call: JsonObject = {"toolDisplayName": "big", "action": "get", "output": {"200": "y" * 10_000_000}}
    full: JsonObject = {**step(0), "call": call}
    console.page.route(re.compile(r"/sessions/huge-step/turns\?"), lambda route: route.fulfill(json={"turns": [turn]}))
    console.page.route(re.compile(r"/turns/1/steps"), lambda route: route.fulfill(json={"steps": [step(0)]}))
    console.page.route(re.compile(r":watch"), lambda route: route.fulfill(json=[{"steps": [full]}]))
    page = console.open(session)
    expect(page.get_by_text("The first 64.0 kB of 10.0 MB.")).to_be_visible(timeout=SLOW_MS)


@pytest.mark.proof
def test_thousands_of_operations_are_searched_and_windowed(console: ConsolePage) -> None:
    page = console.open(new_tool(console, new_agent(console), "http://127.0.0.1:1", 5000))
    expect(page.get_by_text("5,000 operations can be called")).to_be_visible(timeout=SLOW_MS)
    action = page.get_by_role("combobox", name="Action")
    page.get_by_label("Filter the actions").fill("thing 4999")
    expect(page.get_by_text("1 of 5000 actions")).to_be_visible()
    action.select_option("getThing4999")
    expect(page.get_by_role("button", name="View Output")).to_be_enabled()
    page.get_by_role("tab", name="Operations").click()
    rows = page.get_by_role("list", name="Operations").get_by_role("listitem")
    expect(rows.first).to_be_visible()
    assert rows.count() < 100
    page.get_by_label("Filter the operations").fill("thing4998")
    expect(rows).to_have_count(1)
    page.get_by_role("button", name="Test getThing4998").click()
    expect(action).to_have_value("getThing4998")


@pytest.mark.proof
def test_a_playbook_of_thousands_of_steps_is_edited_as_text(console: ConsolePage) -> None:
    steps: JsonValue = [{"text": f"Say {number} to the user, and then the next number."} for number in range(2000)]
    body: JsonObject = {"displayName": "long", "goal": "Count.", "instruction": {"steps": steps}}
    page = console.open(stored(console, f"{new_agent(console)}/playbooks", body))
    expect(page.get_by_text("2000 steps: shown as text")).to_be_visible()
    page.get_by_role("textbox", name="Instructions as text").click()
    page.keyboard.press("Control+End")
    page.keyboard.type(" Then stop.")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.get_by_role("tab", name="Steps").click()
    expect(page.get_by_role("textbox", name="Step 2000", exact=True)).to_have_value(
        "Say 1999 to the user, and then the next number. Then stop."
    )


def test_a_server_that_is_gone_is_said_where_it_is_missed(console: ConsolePage) -> None:
    page = console.open("health")
    expect(page.get_by_role("cell", name="sqlite").first).to_be_visible()
    page.route("**/v1/openplaybook:doctor", lambda route: route.abort())
    page.get_by_role("button", name="Look again").click()
    # The console tries three times before it says so.
    expect(page.get_by_role("alert")).to_contain_text(
        "The server does not answer. Is it still running?", timeout=SLOW_MS
    )
    # What was known is still shown.
    expect(page.get_by_role("cell", name="sqlite").first).to_be_visible()
    page.unroute("**/v1/openplaybook:doctor")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    console.faults.clear()
