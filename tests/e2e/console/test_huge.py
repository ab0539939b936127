"""What is huge stays usable: it is windowed, or its beginning is shown."""

import re

from playwright.sync_api import Route, expect

from openplaybook.jsonvalues import JsonObject
from tests.e2e.console.conftest import ConsolePage

STEPS = 2000
PAGE = 500


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
    expect(rows.filter(has_text='{"petId":1990}')).to_have_attribute("aria-selected", "true")
    assert rows.count() < 100


def test_of_a_huge_reply_the_beginning_is_shown_and_all_can_be_had(console: ConsolePage) -> None:
    reply: JsonObject = {"outputParameters": {"200": "x" * 10_000_000}}
    console.page.route(re.compile(r":execute$"), lambda route: route.fulfill(json=reply))
    page = console.open(f"{console.agent}/tools")
    page.get_by_role("link", name="pets", exact=True).click()
    page.get_by_role("combobox", name="Action").select_option("listPets")
    page.get_by_role("button", name="View Output").click()
    expect(page.get_by_text("The first 64.0 kB of 10.0 MB.")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download all").click()
    assert download.value.path().stat().st_size > 10_000_000


def test_a_server_that_is_gone_is_said_where_it_is_missed(console: ConsolePage) -> None:
    page = console.open("health")
    expect(page.get_by_role("cell", name="sqlite").first).to_be_visible()
    page.route("**/v1/openplaybook:doctor", lambda route: route.abort())
    page.get_by_role("button", name="Look again").click()
    # The console tries three times before it says so.
    expect(page.get_by_role("alert")).to_contain_text(
        "The server does not answer. Is it still running?", timeout=20_000
    )
    # What was known is still shown.
    expect(page.get_by_role("cell", name="sqlite").first).to_be_visible()
    page.unroute("**/v1/openplaybook:doctor")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    console.faults.clear()
