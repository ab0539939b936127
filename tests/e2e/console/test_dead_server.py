"""A server that dies while somebody works: views say it, nothing typed is lost, and all goes on once it is back."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.console.conftest import ConsolePage, context_of
from tests.e2e.kit.server import Server, killed, running

GONE = "The server does not answer. Is it still running?"
RETRIES_MS = 20_000
"""The console tries several times before it says that nobody is there."""


@contextmanager
def again(folder: Path, server: Server) -> Generator[None]:
    """The same server at the same address, with the same data."""
    with running(folder, "--port", str(server.http_port), command="demo"):
        yield


@pytest.mark.proof
def test_work_goes_on_when_the_server_is_back(tmp_path: Path, browser: Browser) -> None:
    with killed(tmp_path, command="demo") as server:
        context = context_of(browser)
        editor = ConsolePage(context.new_page(), server)
        talk = ConsolePage(context.new_page(), server)
        page = editor.open(f"{editor.agent}/playbooks/00000000-0000-0000-0000-000000000000")
        goal = page.get_by_role("textbox", name="Goal")
        goal.fill("Help with pets, kindly.")
        said = talk.open(f"{editor.agent}/sessions/interrupted")
        said.get_by_role("textbox", name="Message").fill("show me pet 3")
        said.get_by_role("button", name="Send").click()
        expect(said.locator(".reply").last).to_contain_text("Luna")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text(f"Not saved. {GONE}")
    said.get_by_role("textbox", name="Message").fill("show me pet 2")
    said.get_by_role("button", name="Send").click()
    expect(said.get_by_role("alert").filter(has_text=GONE)).to_be_visible(timeout=RETRIES_MS)
    # A view that was not loaded yet says it too, and the frame stays.
    said.get_by_role("link", name="Secrets").click()
    expect(said.get_by_role("alert")).to_contain_text("could not be loaded")
    expect(said.get_by_role("link", name="Health")).to_be_visible()
    with again(tmp_path, server):
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("Saved.").last).to_be_visible()
        expect(page.get_by_role("alert")).to_have_count(0)
        page.reload()
        expect(goal).to_have_value("Help with pets, kindly.")
        said.get_by_role("button", name="Load again").click()
        expect(said.get_by_role("heading", name="Secrets", exact=True)).to_be_visible()
        said.get_by_role("link", name="Simulator").first.click()
        expect(said.locator(".reply").last).to_contain_text("Luna")
        context.close()


@pytest.mark.proof
def test_a_turn_that_was_cut_off_is_answered_once(tmp_path: Path, browser: Browser) -> None:
    with killed(tmp_path, command="demo") as server:
        context = context_of(browser)
        talk = ConsolePage(context.new_page(), server)
        page = talk.open(f"{talk.agent}/sessions/once")
    page.get_by_role("textbox", name="Message").fill("add a dog named Rex owned by Jonas")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("alert").filter(has_text=GONE)).to_be_visible(timeout=RETRIES_MS)
    with again(tmp_path, server):
        page.get_by_role("button", name="Try again").click()
        expect(page.locator(".reply").last).to_contain_text("Rex is pet number")
        expect(page.locator(".reply")).to_have_count(1)
        context.close()
