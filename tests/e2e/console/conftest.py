"""A real browser on the console of a real server with the demo agent."""

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
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
FOLDER = Path(__file__).parent
_STORED = "cookies,local_storage,indexeddb,service_workers,cache_storage"
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


class Browsing:
    """One browser for the tests of this folder, and one context in which they open their pages.

    What a page loaded and compiled first, which takes longer than most tests, is there for the next one; what it stored
    is not. Other folders do not have it: as long as it is there, a loop runs in this thread, and tests of coroutines
    cannot.
    """

    def __init__(self) -> None:
        self._open = ExitStack()
        self._browser: Browser | None = None
        self._context: BrowserContext | None = None

    def browser(self) -> Browser:
        if self._browser is None:
            expect.set_options(timeout=_WAIT_MS)
            playwright = self._open.enter_context(sync_playwright())
            # As root, as in containers, it has no sandbox of its own; the pages are ours.
            self._browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            self._open.callback(self._browser.close)
        return self._browser

    def page(self, server: Server) -> Page:
        """An empty page, of a user of whom the browser knows nothing at that server."""
        if self._context is None:
            self._context = context_of(self.browser())
            # As long as a page of the server is open, the browser keeps what it compiled. This one is text.
            self._context.new_page().goto(f"{server.http}/console/theme.js")
        page = self._context.new_page()
        devtools = self._context.new_cdp_session(page)
        devtools.send("Storage.clearDataForOrigin", {"origin": server.http, "storageTypes": _STORED})
        devtools.detach()
        return page

    def close(self) -> None:
        self._open.close()
        self._browser = self._context = None


_BROWSING = pytest.StashKey[Browsing]()


@pytest.fixture
def browsing(request: pytest.FixtureRequest) -> Browsing:
    folder = next(node for node in request.node.listchain() if isinstance(node, pytest.Dir) and node.path == FOLDER)
    if _BROWSING not in folder.stash:
        folder.stash[_BROWSING] = Browsing()

        def close() -> None:
            folder.stash[_BROWSING].close()
            del folder.stash[_BROWSING]

        # After the last test of the folder, before what the session has is ended: that may run a loop of its own.
        folder.addfinalizer(close)
    return folder.stash[_BROWSING]


@pytest.fixture
def browser(browsing: Browsing) -> Browser:
    return browsing.browser()


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
        # A conversation that has no turn yet is 404; the browser says so too.
        self.expected = ["status of 40"]
        """Parts of messages that are no faults, from the moment on at which a test adds them."""
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", self._heard)

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not any(each in message.text for each in self.expected):
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
def console(browsing: Browsing, demo: Server) -> Iterator[ConsolePage]:
    page = browsing.page(demo)
    shown = ConsolePage(page, demo)
    yield shown
    page.close()
    assert shown.faults == []
