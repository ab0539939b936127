"""Every view, in both themes: nothing that axe finds, no error, no violation of the content policy."""

import os
from pathlib import Path
from typing import cast

import pytest
from playwright.sync_api import expect

from openplaybook.jsonvalues import JsonObject
from tests.e2e.console.conftest import ConsolePage

AXE = Path(__file__).parents[3] / "console/node_modules/axe-core/axe.min.js"
RULES: JsonObject = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
COLOURS: JsonObject = {"runOnly": ["color-contrast"]}
"""All in which the themes differ."""
FIND = """async (rules) => (await axe.run(document, rules)).violations.flatMap(
    ({id, nodes}) => nodes.map(({target, failureSummary}) => `${id}: ${target}: ${failureSummary}`))"""
CANCEL = """async () => {
    document.querySelector("dialog").requestClose(); await null; return document.activeElement.tagName }"""
CUT = """() => [...document.querySelectorAll("main td, main th, main .page-head *")]
    .filter((each) => each.getBoundingClientRect().right > innerWidth + 1 && !each.closest(".scroll-x"))
    .map((each) => each.outerHTML)"""
"""What begins in the window and ends beyond it, of tables and heads of views."""
PLAYBOOK = "playbooks/00000000-0000-0000-0000-000000000000"
STORE = "projects/demo/locations/global/collections/default_collection/dataStores/pet-care"
CONNECTION = "projects/demo/locations/global/connections/pet-records"
OWN = (
    "",
    "playbooks",
    PLAYBOOK,
    f"{PLAYBOOK}/examples/new",
    "examples",
    "tools",
    "conversations",
    "sessions/view",
    "testCases",
)
VIEWS = (
    "",
    "agents?new=1",
    *(f"AGENT/{view}".rstrip("/") for view in OWN),
    "AGENT/testCases",
    "data-stores",
    STORE,
    "connections",
    CONNECTION,
    "connectors",
    "secrets",
    "health",
    "settings",
    "messenger",
)


def violations(console: ConsolePage, rules: JsonObject) -> list[str]:
    return cast(list[str], console.page.evaluate(FIND, rules))


def kept(console: ConsolePage, name: str) -> None:
    """A picture, for whoever wants to look: the folder is named by a variable."""
    if folder := os.environ.get("OPENPLAYBOOK_SHOTS"):
        console.page.screenshot(path=f"{folder}/{name}.png")


def accessible(console: ConsolePage, name: str) -> None:
    """The view as it is shown now has nothing that axe finds, in neither theme; the pictures have this name."""
    page = console.page
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    for theme, rules in (("light", RULES), ("dark", COLOURS)):
        page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
        assert violations(console, rules) == []
        kept(console, f"{name}-{theme}")


def no_wider(console: ConsolePage) -> None:
    """The view as it is shown now fits a phone, and a wide screen."""
    for width in (390, 1920, 1280):
        console.page.set_viewport_size({"width": width, "height": 844})
        assert console.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
        assert console.page.evaluate(CUT) == [], width


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_is_accessible_in_both_themes(console: ConsolePage, view: str) -> None:
    page = console.open(view.replace("AGENT", console.agent))
    page.wait_for_load_state("networkidle")
    no_wider(console)
    accessible(console, view.replace("/", "-").partition("?")[0] or "start")


def test_no_view_is_wider_than_the_window(console: ConsolePage) -> None:
    for view in ("", f"{console.agent}/tools", f"{console.agent}/{PLAYBOOK}", "health", "connectors"):
        page = console.open(view)
        expect(page.get_by_role("status", name="Loading")).to_have_count(0)
        no_wider(console)


def test_the_front_page_leads_to_the_console(console: ConsolePage) -> None:
    console.page.goto(console.server.http)
    console.page.get_by_role("heading", name="Good to go. Pets answers.").wait_for()
    assert console.page.url == f"{console.server.http}/console/"


def test_an_address_that_is_none_says_so(console: ConsolePage) -> None:
    console.open("nothing/here")
    console.page.get_by_role("heading", name="There is nothing at this address").wait_for()


def test_the_palette_leads_anywhere_by_keyboard_alone(console: ConsolePage) -> None:
    page = console.open("")
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Search commands").fill("nearest")
    page.get_by_role("option", name="nearest_shelter").wait_for()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="nearest_shelter").wait_for()
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keys").get_by_text("Light or dark").wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    page.keyboard.press("h")
    page.get_by_role("heading", name="Health").wait_for()
    page.keyboard.press("Shift+D")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_keys_pressed_right_after_a_dialog_are_not_lost(console: ConsolePage) -> None:
    page = console.open(f"{console.agent}/testCases")
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keys").get_by_role("checkbox").focus()
    # As Escape does, but with nothing in between: no key can come sooner.
    assert page.evaluate(CANCEL) == "BODY"
    # A box has the focus as long as one likes, and takes no letters.
    page.get_by_label("Judge each without learning from it").focus()
    page.keyboard.press("g")
    page.keyboard.press("h")
    page.get_by_role("heading", name="Health").wait_for()
