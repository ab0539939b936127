"""Who may use the console, and what it does with what strangers send."""

import re
from base64 import b64encode
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.e2e.console.conftest import ConsolePage, context_of
from tests.e2e.kit.server import running
from tests.kit.background import Background
from tests.kit.identity_provider import AUDIENCE
from tests.kit.login_provider import CLIENT, SECRET, login_provider

KEY = "key-of-the-admin-0123456789"


def test_a_server_with_keys_asks_once_and_keeps_no_key_in_the_page(tmp_path: Path, browser: Browser) -> None:
    (tmp_path / "keys").write_text(f"admin ann {KEY}\n")
    with running(tmp_path / "server", "--api-key-file", str(tmp_path / "keys")) as server:
        context = context_of(browser)
        page = context.new_page()
        page.goto(f"{server.http}/console/settings")
        page.get_by_label("API key or token").fill("a-guess-of-somebody")
        page.get_by_role("button", name="Enter").click()
        expect(page.get_by_text("is not one of this server's")).to_be_visible()
        page.get_by_label("API key or token").fill(KEY)
        page.get_by_role("button", name="Enter").click()
        expect(page.get_by_text("You are ann, with the role admin.")).to_be_visible()
        [cookie] = context.cookies()
        assert (cookie.get("httpOnly"), cookie.get("sameSite"), KEY in str(cookie)) == (True, "Strict", False)
        assert KEY not in page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])")
        # The cookie means nothing where the console's own header is missing: that is what a form of another page sends.
        status = page.evaluate("async () => (await fetch('/v3/projects/p/locations/global/agents')).status")
        assert status == 401
        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_label("API key or token")).to_be_visible()
        context.close()


def work_goes_on_after_another_login(page: Page) -> None:
    """The login ends while a form is filled in: nothing of it is lost."""
    page.goto(page.url.partition("settings")[0] + "agents?new=1")
    dialog = page.get_by_role("dialog", name="New agent")
    dialog.get_by_label("Name", exact=True).fill("Halfway")
    page.context.clear_cookies()
    dialog.get_by_role("button", name="Create").click()
    again = page.get_by_role("dialog", name="Your login has ended")
    with page.context.expect_page() as opened:
        again.get_by_role("link", name="Sign in at your identity provider").click()
    expect(opened.value.get_by_role("heading", name="You are signed in.")).to_be_visible()
    opened.value.close()
    expect(again).to_have_count(0)
    expect(dialog.get_by_label("Name", exact=True)).to_have_value("Halfway")
    dialog.get_by_role("button", name="Create").click()
    expect(page.get_by_role("heading", name="Halfway")).to_be_visible()


def test_who_logs_in_at_the_identity_provider_comes_back_to_the_same_view(
    tmp_path: Path, browser: Browser, background: Background
) -> None:
    with background.entered(login_provider(SECRET)) as provider:
        (tmp_path / "secret").write_text(SECRET)
        oidc = ["--oidc-issuer", provider.issuer, "--oidc-audience", AUDIENCE, "--oidc-client-id", CLIENT]
        secret = ["--oidc-client-secret-file", str(tmp_path / "secret")]
        with running(tmp_path / "server", *oidc, *secret, OPENPLAYBOOK_EGRESS_ALLOW="127.0.0.1") as server:
            context = context_of(browser)
            page = context.new_page()
            page.goto(f"{server.http}/console/settings?tab=x")
            page.get_by_role("link", name="Sign in at your identity provider").click()
            expect(page.get_by_text("You are ann, with the role editor.")).to_be_visible()
            assert page.url == f"{server.http}/console/settings?tab=x"
            [cookie] = context.cookies(f"{server.http}/v3")
            assert (cookie.get("httpOnly"), cookie.get("sameSite")) == (True, "Strict")
            work_goes_on_after_another_login(page)
            page.goto(f"{server.http}/console/settings")
            page.get_by_role("button", name="Sign out").click()
            provider.refuses = "access_denied"
            page.get_by_role("link", name="Sign in at your identity provider").click()
            expect(page.get_by_text("refuses the login: access_denied")).to_be_visible()
            page.get_by_role("link", name="Begin again").click()
            expect(page.get_by_label("API key or token")).to_be_visible()
            context.close()


def test_a_server_that_is_open_to_others_shows_no_console(tmp_path: Path, browser: Browser) -> None:
    with running(tmp_path, "--host", "0.0.0.0", "--insecure") as server:
        page = browser.new_page()
        answer = page.goto(f"http://127.0.0.1:{server.http_port}/console/")
        assert answer is not None
        assert answer.status == 403
        expect(page.get_by_text("asks nobody who they are")).to_be_visible()
        page.close()


def test_html_of_an_agent_runs_no_script(console: ConsolePage) -> None:
    page = console.open(f"{console.agent}/sessions/html")
    evil = "<b>bold</b><img src=x onerror='parent.hacked = 1'><script>parent.hacked = 1</script>"
    turn = {
        "name": f"{console.agent}/sessions/html/turns/1",
        "number": 1,
        "index": 1,
        "state": "ANSWERED",
        "text": "hi",
        "messages": [
            {
                "payload": {
                    "richContent": [
                        [{"type": "html", "html": evil}, {"type": "button", "text": "x", "link": "javascript:1"}]
                    ]
                }
            },
            {"payload": {"richContent": [[{"type": "chips", "options": [{"text": "show me pet 3"}]}]]}},
        ],
    }
    page.route(re.compile(r"/sessions/html/turns\?"), lambda route: route.fulfill(json={"turns": [turn]}))
    page.reload()
    expect(page.frame_locator("iframe[title='HTML of the agent']").locator("b")).to_have_text("bold")
    assert page.evaluate("window.hacked") is None
    # The browser says that it did not run what was cleaned away.
    console.faults = [fault for fault in console.faults if "inline event handler" not in fault]
    # A link that would run a script is no link; a chip is said.
    expect(page.locator(".rich a")).to_have_count(0)
    page.unroute_all()
    page.get_by_role("button", name="show me pet 3").click()
    expect(page.locator(".reply").last).to_contain_text("Luna")


def test_a_secret_is_written_and_never_shown(console: ConsolePage) -> None:
    page = console.open("secrets")
    page.get_by_role("button", name="New secret").click()
    page.get_by_label("Resource name").fill("projects/demo/secrets/weather-key")
    page.get_by_label("It has several lines").check()
    page.get_by_label("Value").fill("hush-hush-1234\nand more")
    with page.expect_request(re.compile(":addVersion")) as sent:
        page.get_by_role("button", name="Store", exact=True).click()
    assert b64encode(b"hush-hush-1234\nand more").decode() in (sent.value.post_data or "")
    expect(page.get_by_role("cell", name="projects/demo/secrets/weather-key")).to_be_visible()
    assert "hush-hush-1234" not in page.content()
    # Tests of connections leave others at this server.
    row = page.get_by_role("row", name="weather-key")
    row.get_by_role("button", name="Delete").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Delete")).to_be_disabled()
    dialog.get_by_role("textbox").fill("weather-key")
    dialog.get_by_role("button", name="Delete").click()
    expect(row).to_have_count(0)
