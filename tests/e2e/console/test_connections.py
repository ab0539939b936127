"""Connections, tried step by step: one that works, and one that is not stored and cannot."""

import pytest
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


@pytest.mark.proof
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


def test_a_password_that_is_typed_becomes_a_secret(console: ConsolePage) -> None:
    # The system is nowhere, so its entities cannot be listed, as often as the page asks for them.
    console.expected.append("status of 503")
    page = console.open("connectors")
    page.get_by_role("searchbox").fill("PostgreSQL")
    page.get_by_role("button", name="Connect PostgreSQL").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name of the connection").fill("typed")
    dialog.get_by_placeholder("db.example.com").first.fill("no.invalid:5432")
    dialog.get_by_label("Database", exact=True).fill("pets")
    dialog.get_by_label("User", exact=True).first.fill("ada")
    dialog.get_by_label("Password: value").fill("correct horse")
    name = dialog.get_by_label("Password: name of the secret")
    expect(name).to_have_value("projects/demo/secrets/typed-password")
    name.fill("my password")
    expect(dialog.get_by_role("button", name="Create", exact=True)).to_be_disabled()
    expect(dialog.get_by_text("Such as projects/demo/secrets/typed-password.")).to_be_visible()
    name.fill("projects/demo/secrets/typed-password")
    accessible(console, "connection-secret")
    dialog.get_by_role("button", name="Test connection").click()
    expect(dialog.get_by_role("listitem").filter(has_text="fails")).to_have_count(1)
    stored = dialog.get_by_role("combobox", name="Password: stored secret")
    expect(stored).to_have_value("projects/demo/secrets/typed-password/versions/1")
    dialog.get_by_role("button", name="Create", exact=True).click()
    expect(page.get_by_role("heading", name="typed", exact=True)).to_be_visible()
    connection = console.api("GET", "v1/projects/demo/locations/global/connections/typed")
    password = {"secretVersion": "projects/demo/secrets/typed-password/versions/1"}
    assert connection["authConfig"]["userPassword"] == {"username": "ada", "password": password}
    no_wider(console)
