"""A real browser on a page of another origin, and the API: the proof of what `Origin` and CORS headers are for."""

import os
import shutil
from collections.abc import Generator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from openplaybook.jsonvalues import JsonObject
from tests.e2e.kit.server import running

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(
    CHROMIUM is None and not os.environ.get("OPENPLAYBOOK_CI"), reason="there is no Chromium here"
)

KEY = "0123456789abcdef-of-the-page"
AGENTS = "/v3/projects/p/locations/global/agents"
AGENT = '{"displayName": "Made by a page", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"}'

FETCH = """async ([url, options]) => {
    try {
        const answer = await fetch(url, options);
        const challenge = answer.headers.get("www-authenticate");
        return {status: answer.status, text: await answer.text(), challenge};
    } catch (error) {
        return {refused: String(error)};
    }
}"""
STREAM = """async ([url, options]) => {
    const reader = (await fetch(url, options)).body.getReader();
    const pieces = [];
    for (let piece = await reader.read(); !piece.done; piece = await reader.read())
        pieces.push(new TextDecoder().decode(piece.value));
    return pieces.join("");
}"""


class EmptyPage(BaseHTTPRequestHandler):
    """A page of a web shop."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>A shop</title>")

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is logged."""


@pytest.fixture(scope="module")
def browser() -> Generator[Browser]:
    with sync_playwright() as playwright:
        # As root, as in containers, it has no sandbox of its own; the pages are ours.
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def shop() -> Generator[str]:
    """Origin of the shop's pages."""
    with ThreadingHTTPServer(("127.0.0.1", 0), EmptyPage) as server:
        serving = Thread(target=partial(server.serve_forever, poll_interval=0.05))
        serving.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        serving.join()


@pytest.fixture
def page(browser: Browser, shop: str) -> Generator[Page]:
    opened = browser.new_page()
    opened.goto(shop)
    yield opened
    opened.close()


def asked(page: Page, url: str, method: str = "GET", key: str = "", body: str | None = None) -> JsonObject:
    """What a page gets for a request with the headers that Google's web clients send."""
    headers = {"Content-Type": "application/json", "Idempotency-Key": "k"}
    given: JsonObject = {"method": method, "headers": {**headers, **({"x-goog-api-key": key} if key else {})}}
    return page.evaluate(FETCH, [url, {**given, "body": body} if body is not None else given])


def keys(folder: Path) -> list[str]:
    (folder / "keys").write_text(KEY)
    return ["--api-key-file", str(folder / "keys")]


def test_a_page_uses_the_api_with_a_key_from_another_origin(tmp_path: Path, page: Page, shop: str) -> None:
    with running(tmp_path / "server", *keys(tmp_path), "--cors-origins", shop) as server:
        agents = f"{server.http}{AGENTS}"
        made = asked(page, agents, "POST", KEY, AGENT)
        assert made["status"] == 200, made
        assert "Made by a page" in asked(page, agents, key=KEY)["text"]
        without = asked(page, agents)
        assert (without["status"], without["challenge"]) == (401, "Bearer"), without
        assert "requires an API key" in without["text"]
        missing = asked(page, f"{agents}/none", "DELETE", KEY)
        assert (missing["status"], '"NOT_FOUND"' in missing["text"]) == (404, True), missing
        streamed = page.evaluate(
            STREAM,
            [
                f"{agents}/none/sessions/s:serverStreamingDetectIntent",
                {"method": "POST", "headers": {"Authorization": f"Bearer {KEY}"}, "body": "{}"},
            ],
        )
        assert '"error"' in streamed


def test_a_page_of_an_origin_that_is_not_named_reads_nothing(tmp_path: Path, page: Page) -> None:
    with running(tmp_path / "server", *keys(tmp_path), "--cors-origins", "https://other.example") as server:
        assert asked(page, f"{server.http}{AGENTS}", key=KEY) == {"refused": "TypeError: Failed to fetch"}


def test_a_server_without_keys_changes_nothing_for_a_page_that_does_not_ask_first(tmp_path: Path, page: Page) -> None:
    with running(tmp_path / "server") as server:
        agents = f"{server.http}{AGENTS}"
        plain = {"method": "POST", "mode": "no-cors", "headers": {"Content-Type": "text/plain"}, "body": AGENT}
        page.evaluate("([url, options]) => fetch(url, options).then(() => null)", [agents, plain])
        page.goto(f"{server.http}{AGENTS}")
        assert page.inner_text("body") == "{}"
