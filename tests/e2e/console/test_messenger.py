"""The messenger on somebody's own site, at a server that asks for keys: the page has a token, and no key."""

from pathlib import Path
from urllib.request import Request, urlopen

from playwright.sync_api import Browser, expect

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, dumps, loads
from tests.e2e.console.conftest import context_of
from tests.e2e.kit.server import running
from tests.kit.background import Background
from tests.kit.http_peer import HttpPeer, answer, http_peer

KEY = "key-of-the-admin-0123456789"
PAGE = """<!doctype html><title>Shop</title><script type="module" src="{http}/console/messenger.js"></script>
<openplaybook-messenger inline server="{http}" agent="{agent}" session-id="{session}" session-token="{token}">
</openplaybook-messenger>"""


def sent(http: str, path: str, body: JsonObject, method: str = "POST") -> JsonObject:
    """A response to the site's own back end, which has the key."""
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    with urlopen(Request(f"{http}/v3/{path}", dumps(body), headers, method=method)) as response:
        return as_object(loads(response.read()))


def greeting_agent(http: str) -> str:
    """An agent that welcomes its visitors."""
    about: JsonObject = {"displayName": "Shop", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"}
    agent = str(sent(http, "projects/p/locations/global/agents", about)["name"])
    desk: JsonObject = {"displayName": "desk", "goal": "Welcome.", "instruction": {"steps": [{"text": "Welcome."}]}}
    playbook = str(sent(http, f"{agent}/playbooks", desk)["name"])
    actions: JsonValue = [
        {"userUtterance": {"text": "may I come in?"}},
        {"agentUtterance": {"text": "Welcome to the shop."}},
    ]
    example: JsonObject = {"displayName": "in", "languageCode": "en", "actions": actions}
    sent(http, f"{playbook}/examples", example)
    sent(http, f"{agent}?updateMask=startPlaybook", {"startPlaybook": playbook}, "PATCH")
    return agent


def test_a_page_talks_with_a_token_for_its_conversation(
    tmp_path: Path, browser: Browser, background: Background
) -> None:
    (tmp_path / "keys").write_text(f"admin ann {KEY}\n")
    html = ""
    with background.entered(http_peer(lambda _: answer(html.encode(), content_type="text/html"))) as site:
        assert isinstance(site, HttpPeer)
        flags = ["--api-key-file", str(tmp_path / "keys"), "--cors-origins", site.url]
        with running(tmp_path / "server", *flags) as server:
            agent = greeting_agent(server.http)
            token = sent(server.http, f"{agent}/sessions/visitor:createToken", {})["token"]
            html = PAGE.format(http=server.http, agent=agent, session="visitor", token=token)
            context = context_of(browser)
            page = context.new_page()
            page.goto(site.url)
            page.get_by_role("textbox", name="Message").fill("may I come in?")
            page.get_by_role("button", name="Send").click()
            expect(page.get_by_role("log")).to_contain_text("Welcome to the shop.")
            assert KEY not in page.content()
            # The same token opens no other conversation.
            html = html.replace("visitor", "somebody")
            page.reload()
            page.get_by_role("textbox", name="Message").fill("hello")
            page.get_by_role("button", name="Send").click()
            expect(page.get_by_role("log")).to_contain_text("for turns of the session")
            context.close()
