"""A data store from nothing: filled while one watches, its chunks read, a search tried and understood."""

import json

from playwright.sync_api import FilePayload, expect

from tests.e2e.console.conftest import ConsolePage
from tests.e2e.console.test_views import accessible, no_wider

PETS = [
    {"id": f"p{n}", "title": f"Pet {n}", "text": "A quiet dog." if n % 2 else "A loud cat.", "age": n}
    for n in range(40)
]


def test_a_store_is_filled_read_and_searched(console: ConsolePage) -> None:
    page = console.open("data-stores")
    page.get_by_role("button", name="New data store").click()
    page.get_by_role("textbox", name="Name").fill("Console pets")
    page.get_by_role("combobox", name="Type").select_option("structured records")
    page.get_by_role("button", name="Create").click()
    page.get_by_role("tab", name="Add documents").click()
    lines = "\n".join([*map(json.dumps, PETS), json.dumps({"id": "bad id", "text": {"a": [1]}, "geo": {"$": None}})])
    file = FilePayload(name="pets.jsonl", mimeType="application/json", buffer=lines.encode())
    page.get_by_label("Files to add").set_input_files(file)
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_text("41 added, 0 failed.")).to_be_visible()
    page.get_by_role("tab", name="Documents", exact=True).click()
    page.get_by_text("p11", exact=True).click()
    expect(page.locator(".chunk-text")).to_contain_text("A quiet dog.")
    expect(page.get_by_text("1 chunk", exact=True)).to_be_visible()
    page.get_by_role("tab", name="Try a search").click()
    page.get_by_text("Filter", exact=True).click()
    page.get_by_role("combobox", name="Field").select_option("age")
    page.get_by_role("combobox", name="Comparison").select_option("<")
    page.get_by_label("Value", exact=True).fill("4")
    page.get_by_role("button", name="Add to the filter").click()
    expect(page.get_by_label("Filter by fields")).to_have_value("age < 4")
    page.get_by_role("searchbox", name="Query").fill("quiet dog")
    page.get_by_role("button", name="Search").click()
    why = page.get_by_role("group", name="Why it was found").first
    expect(why).to_contain_text("100 % of the best one")
    expect(why.get_by_role("listitem").first).to_contain_text("text")
    expect(why.get_by_role("meter", name="quiet")).to_be_visible()
    accessible(console, "store-search")
    no_wider(console)


def test_what_is_wrong_with_a_document_is_told(console: ConsolePage) -> None:
    store = "projects/demo/locations/global/collections/default_collection/dataStores/pet-care"
    page = console.open(f"{store}?tab=add")
    broken = FilePayload(name="broken.pdf", mimeType="application/pdf", buffer=b"%PDF-1.7 nothing")
    page.get_by_label("Files to add").set_input_files(broken)
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_text("0 added, 1 failed.")).to_be_visible()
    expect(page.get_by_role("list", name="What is wrong with which document")).to_contain_text("broken")
    accessible(console, "store-errors")
