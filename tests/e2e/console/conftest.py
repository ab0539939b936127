"""A real browser on the console of a real server with the demo agent."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

import openplaybook
from openplaybook.jsonvalues import JsonObject, as_object, dumps, loads
from tests.e2e.kit.server import Server, running

CHROMIUM = os.environ.get("OPENPLAYBOOK_CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
BUILT = Path(openplaybook.__file__).parent / "console/built/index.html"
_WIDE = {"width": 1280, "height": 800}
_WAIT_MS = 10_000
JSON = {"Content-Type": "application/json"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip where there is no browser, or no console; where nothing may be skipped the tests fail then."""
    reason = "there is no Chromium here" if CHROMIUM is None else "" if BUILT.is_file() else "the console is not built"
    if reason and not os.environ.get("OPENPLAYBOOK_CI"):
        for item in items:
            if "e2e/console" in item.nodeid:
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    # Not for the whole run: as long as it is there, a loop runs in this thread, and tests of coroutines cannot.
    expect.set_options(timeout=_WAIT_MS)
    with sync_playwright() as playwright:
        # As root, as in containers, it has no sandbox of its own; the pages are ours.
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("console"), command="demo") as server:
        yield server


class ConsolePage:
    """A page of the console that reports what a user would not see: errors, and violations of its content policy."""

    def __init__(self, page: Page, server: Server) -> None:
        self.page = page
        self.server = server
        self.agent = server.facts.get("Agent", "")
        self.faults: list[str] = []
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", self._heard)

    def _heard(self, message: ConsoleMessage) -> None:
        # A conversation that has no turn yet is 404; the browser says so too.
        if message.type == "error" and "status of 40" not in message.text:
            self.faults.append(message.text)

    def api(self, verb: str, path: str, body: JsonObject | None = None) -> JsonObject:
        """The response of the server to a request that succeeds."""
        url = f"{self.server.http}/{path}"
        sent = self.page.request.fetch(url, method=verb, data=None if body is None else dumps(body), headers=JSON)
        assert sent.ok, sent.text()
        return as_object(loads(sent.body()))

    def open(self, path: str) -> Page:
        """A view, by its path below `/console/`, once it shows something."""
        self.page.goto(f"{self.server.http}/console/{path}")
        self.page.locator("main :is(h1, h2, textarea)").first.wait_for()
        return self.page


def context_of(browser: Browser) -> BrowserContext:
    context = browser.new_context(viewport=_WIDE, locale="en-US", reduced_motion="reduce", color_scheme="light")  # type: ignore[arg-type]
    context.set_default_timeout(_WAIT_MS)
    return context


@pytest.fixture
def console(browser: Browser, demo: Server) -> Iterator[ConsolePage]:
    context = context_of(browser)
    shown = ConsolePage(context.new_page(), demo)
    yield shown
    context.close()
    assert shown.faults == []
