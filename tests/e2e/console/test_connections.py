"""Connections, tried step by step: one that works, and one that is not stored and cannot."""

from playwright.sync_api import expect

from tests.e2e.console.conftest import ConsolePage
from tests.e2e.console.test_views import CONNECTION, accessible, no_wider


def test_a_connection_is_tested_step_by_step(console: ConsolePage) -> None:
    page = console.open(CONNECTION)
    page.get_by_role("button", name="Test connection").click()
    steps = page.get_by_role("list", name="Steps of the test").get_by_role("listitem")
    expect(steps.filter(has_text="works")).to_have_count(5)
    expect(steps.last).to_contain_text("List the entities")
    accessible(console, "connection-works")
    no_wider(console)


def test_before_it_is_stored_the_step_that_fails_is_named(console: ConsolePage) -> None:
    page = console.open("connectors")
    page.get_by_role("searchbox").fill("PostgreSQL")
    page.get_by_role("button", name="Connect PostgreSQL").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_placeholder("db.example.com").first.fill("no.invalid:5432")
    dialog.get_by_label("Database", exact=True).fill("pets")
    dialog.get_by_role("combobox", name="Kind of authentication").select_option("none")
    dialog.get_by_role("button", name="Test connection").click()
    failed = dialog.get_by_role("listitem").filter(has_text="fails")
    expect(failed).to_have_count(1)
    accessible(console, "connection-fails")
